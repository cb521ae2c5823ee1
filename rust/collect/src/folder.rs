//! The folder of the corpora. A marker file lists the files that this verb wrote there, and the
//! inputs of each corpus; the verb replaces and deletes no others.

use outputs::private_folder;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Name of the marker file.
pub const MARKER: &str = ".corpulyzer-collect";

/// Name of the folder of the parts, which is deleted when the corpora are complete.
const PARTS: &str = ".corpulyzer-collect.parts";

/// File in the folder of the parts with the settings that they were made with.
const SETTINGS: &str = "settings";

/// File in the folder of the parts with the number of the process that writes there.
const HOLDER: &str = "process";

/// Prefix of temporary files. No other verb and no crawl has it for its own.
const TEMPORARY: &str = ".corpulyzer-collect.";

/// Largest size of the settings, in bytes. 8,000 languages have 300 kB of names.
const MAX_SETTINGS: u64 = 1 << 20;

/// Largest size of the marker, in bytes: the names of two million inputs.
const MAX_MARKER: u64 = 256 << 20;

/// Separates the languages and the name of an input in the marker. No name of a file begins so.
const INPUT: char = '\t';

/// First line of the marker file.
const HEAD: &str =
    "# corpulyzer collect wrote these files, and replaces them; it leaves others alone.";

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Foreign {
    /// Somebody else wrote this file.
    #[error(
        "{}: was not written by collect, which leaves it alone; name another folder (--out)",
        .0.display()
    )]
    File(PathBuf),
    /// The path is no folder.
    #[error(
        "{}: is no folder; name a folder that is new, empty or from an earlier run (--out)",
        .0.display()
    )]
    NoFolder(PathBuf),
    /// Another run writes to this folder; what is known of it.
    #[error(
        "{}: another run of collect{holder} writes there; wait for its end, or name another folder \
         (--out)",
        .0.display(), holder = .1
    )]
    Taken(PathBuf, String),
    /// The path is a symlink of another user, or a folder of another user.
    #[error(
        "{}: belongs to another user, who could read or replace what is written there; name \
         another folder (--out)",
        .0.display()
    )]
    Owner(PathBuf),
    /// The folder of the parts is a symlink, a file, or belongs to another user, who could have
    /// written any part.
    #[error(
        "{}: is no folder of this user, so its parts are not used; delete it, or name another \
         folder (--out)",
        .0.display()
    )]
    Parts(PathBuf),
    /// A corpus was made of inputs that this run does not have: its folder, the first of these
    /// inputs, and their number.
    #[error(
        "{}: has a corpus of other inputs, and {number} of them are not named now, the first is \
         {first}; name them too, name another folder (--out), or give up that corpus (--replace)",
        .0.display(), number = .2, first = .1
    )]
    Inputs(PathBuf, String, usize),
    /// The parts were made with other settings; the first one that differs: its name, now and then.
    #[error(
        "{}: has unfinished work that was begun with `{before}`, and now it is `{now}`; run the \
         command as it was, or delete that folder to begin again",
        .0.display(), before = .2, now = .1
    )]
    Settings(PathBuf, String, String),
    /// A file cannot be read or written.
    #[error("{}: {error} (--out)", .0.display(), error = .1)]
    Io(PathBuf, #[source] io::Error),
}

/// The folder, which is ours.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    /// Names below the folder, with `/` between their parts.
    ours: BTreeSet<String>,
    /// The names of inputs, with the languages whose corpora are made of them.
    inputs: BTreeMap<String, BTreeSet<String>>,
    /// The open folder, locked. `None` if its file system has no locks.
    _lock: Option<File>,
}

impl Folder {
    /// Takes a folder: makes it if it is not there, and writes its marker.
    ///
    /// # Errors
    /// Fails if it has files and no marker, or cannot be written.
    pub fn take(root: &Path) -> Result<Self, Foreign> {
        let failed = |error| Foreign::Io(root.to_owned(), error);
        if fs::symlink_metadata(root).is_ok() && !root.is_dir() {
            return Err(Foreign::NoFolder(root.to_owned()));
        }
        fs::create_dir_all(root).map_err(failed)?;
        require_own(root)?;
        let lock = lock(root)?;
        let marker = names(&root.join(MARKER), MAX_MARKER).unwrap_or_default();
        let mut lines = marker.lines();
        let mut inputs = BTreeMap::new();
        let ours = if lines.next() == Some(HEAD) {
            let (of_inputs, names): (Vec<&str>, Vec<&str>) =
                lines.partition(|line| line.starts_with(INPUT));
            inputs.extend(of_inputs.into_iter().filter_map(|line| {
                let (languages, input) = line[INPUT.len_utf8()..].split_once(INPUT)?;
                Some((input.to_owned(), languages.split(' ').map(str::to_owned).collect()))
            }));
            names.into_iter().map(str::to_owned).collect()
        } else {
            let mut found: Vec<PathBuf> = Vec::new();
            for entry in fs::read_dir(root).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                if !is_temporary(&entry.file_name(), entry.file_type().map_err(failed)?) {
                    found.push(entry.path());
                }
            }
            match found.into_iter().min() {
                Some(first) => return Err(Foreign::File(first)),
                None => BTreeSet::new(),
            }
        };
        let folder = Self { root: root.to_owned(), ours, inputs, _lock: lock };
        folder.save().map_err(failed)?;
        Ok(folder)
    }

    /// Checks that a corpus of this language may be replaced by one of these inputs: it was made of
    /// some of them.
    ///
    /// # Errors
    /// Fails if it was made of others.
    pub fn require_inputs(&self, language: &str, now: &BTreeSet<String>) -> Result<(), Foreign> {
        let root = self.root.join(language);
        let is_there = self.ours.iter().any(|name| {
            name.strip_prefix(language).is_some_and(|rest| rest.starts_with('/'))
                && self.root.join(name).exists()
        });
        let mut missing = self
            .inputs
            .iter()
            .filter(|(input, languages)| languages.contains(language) && !now.contains(*input))
            .map(|(input, _)| input);
        match missing.next() {
            Some(first) if is_there => {
                Err(Foreign::Inputs(root, first.clone(), 1 + missing.count()))
            }
            _ => Ok(()),
        }
    }

    /// Notes the inputs of the corpus of a language.
    ///
    /// # Errors
    /// Fails if the marker cannot be written.
    pub fn set_inputs(&mut self, language: &str, now: &BTreeSet<String>) -> Result<(), Foreign> {
        for languages in self.inputs.values_mut() {
            languages.remove(language);
        }
        for input in now {
            self.inputs.entry(input.clone()).or_default().insert(language.to_owned());
        }
        self.inputs.retain(|_, languages| !languages.is_empty());
        self.save().map_err(|error| Foreign::Io(self.root.join(MARKER), error))
    }

    /// Checks that a file can be written. Returns its path.
    ///
    /// # Errors
    /// Fails if there is a file of somebody else.
    pub fn check(&self, name: &str) -> Result<PathBuf, Foreign> {
        let path = self.root.join(name);
        if let Ok(metadata) = fs::symlink_metadata(&path) {
            if !(self.ours.contains(name) && metadata.is_file()) {
                return Err(Foreign::File(path));
            }
        }
        let parent = path.parent().unwrap_or(&self.root);
        if fs::symlink_metadata(parent).is_ok_and(|metadata| !metadata.is_dir())
            && parent != self.root
        {
            return Err(Foreign::File(parent.to_owned()));
        }
        Ok(path)
    }

    /// Notes a file as ours before it is written, and makes its folder. Returns its path.
    ///
    /// # Errors
    /// Fails as [`Folder::check`] does, or if the marker cannot be written.
    pub fn claim(&mut self, name: &str) -> Result<PathBuf, Foreign> {
        let path = self.check(name)?;
        let failed = |error| Foreign::Io(path.clone(), error);
        if self.ours.insert(name.to_owned()) {
            self.save().map_err(failed)?;
        }
        let parent = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(parent).map_err(failed)?;
        Ok(path)
    }

    /// Puts a complete file in its place.
    ///
    /// # Errors
    /// Fails as [`Folder::claim`] does, or if it cannot be renamed.
    pub fn put(&mut self, file: NamedTempFile, name: &str) -> Result<(), Foreign> {
        let path = self.claim(name)?;
        let put = || -> io::Result<()> {
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(())
        };
        put().map_err(|error| Foreign::Io(path.clone(), error))
    }

    /// Deletes a file of an earlier run. Files that the marker does not list stay.
    ///
    /// # Errors
    /// Fails if it cannot be deleted, or the marker cannot be written.
    pub fn delete(&mut self, name: &str) -> Result<(), Foreign> {
        let path = self.root.join(name);
        if self.ours.remove(name) {
            let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
            let deleted = if is_file { fs::remove_file(&path) } else { Ok(()) };
            deleted.and_then(|()| self.save()).map_err(|error| Foreign::Io(path, error))?;
        }
        Ok(())
    }

    /// Writes a file with these bytes.
    ///
    /// # Errors
    /// Fails as [`Folder::put`] does.
    pub fn write(&mut self, bytes: &[u8], name: &str) -> Result<(), Foreign> {
        let begun = self.begin().and_then(|mut file| {
            file.write_all(bytes)?;
            Ok(file)
        });
        self.put(begun.map_err(|error| Foreign::Io(self.root.join(name), error))?, name)
    }

    /// The error of a file below the folder.
    pub(crate) fn failed(&self, name: &str, error: io::Error) -> Foreign {
        Foreign::Io(self.root.join(name), error)
    }

    /// A new temporary file, with the mode of a new file.
    ///
    /// # Errors
    /// Fails if there can be none.
    pub fn begin(&self) -> io::Result<NamedTempFile> {
        temporary(&self.root.join(PARTS))
    }

    /// Makes the folder of the parts, or takes the one that a run with the same settings left.
    ///
    /// # Errors
    /// Fails if it was made with other settings, or cannot be written.
    pub fn parts(&self, settings: &str) -> Result<PathBuf, Foreign> {
        let parts = self.root.join(PARTS);
        let failed = |error| Foreign::Io(parts.clone(), error);
        self.require_own_parts()?;
        // For the message of a second run; without it that one has no number.
        let _ = fs::write(parts.join(HOLDER), std::process::id().to_string());
        let file = parts.join(SETTINGS);
        if let Ok(before) = names(&file, MAX_SETTINGS) {
            if before == settings {
                return Ok(parts);
            }
            let (mut now, mut before) = (settings.lines(), before.lines());
            loop {
                let (now, before) = (now.next(), before.next());
                if now != before || now.is_none() {
                    let [now, before] =
                        [now, before].map(|line| line.unwrap_or("nothing more").to_owned());
                    return Err(Foreign::Settings(parts.clone(), now, before));
                }
            }
        }
        // Parts without their settings could be of other settings.
        clear(&parts).map_err(failed)?;
        let mut next = temporary(&parts).map_err(failed)?;
        next.write_all(settings.as_bytes()).map_err(failed)?;
        next.persist(&file).map_err(|error| failed(error.error))?;
        Ok(parts)
    }

    /// Makes the folder of the parts for this user alone. One that is there must belong to this
    /// user.
    fn require_own_parts(&self) -> Result<(), Foreign> {
        let parts = self.root.join(PARTS);
        let failed = |error| Foreign::Io(parts.clone(), error);
        if !private_folder(&parts).map_err(failed)? {
            return Err(Foreign::Parts(parts));
        }
        Ok(())
    }

    /// Deletes the parts, and then their settings: a run that is killed leaves no part without
    /// settings.
    ///
    /// # Errors
    /// Fails if they cannot be deleted.
    pub fn delete_parts(&self) -> Result<(), Foreign> {
        let parts = self.root.join(PARTS);
        let deleted = clear(&parts).and_then(|()| fs::remove_dir_all(&parts));
        deleted.map_err(|error| Foreign::Io(parts, error))
    }

    fn save(&self) -> io::Result<()> {
        let next = self.begin().or_else(|_| temporary(&self.root))?;
        let mut next = BufWriter::new(next);
        writeln!(next, "{HEAD}")?;
        for name in &self.ours {
            writeln!(next, "{name}")?;
        }
        for (input, languages) in &self.inputs {
            let languages: Vec<&str> = languages.iter().map(String::as_str).collect();
            writeln!(next, "{INPUT}{}{INPUT}{input}", languages.join(" "))?;
        }
        next.flush()?;
        let next = next.into_inner().map_err(io::IntoInnerError::into_error)?;
        next.persist(self.root.join(MARKER))?;
        Ok(())
    }
}

/// Locks a folder until the file is dropped or the process ends. Returns `None` if the file system
/// has no locks.
#[cfg(unix)]
fn lock(root: &Path) -> Result<Option<File>, Foreign> {
    let Ok(folder) = File::open(root) else { return Ok(None) };
    match rustix::fs::flock(&folder, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => {
            let holder = names(&root.join(PARTS).join(HOLDER), MAX_SETTINGS).ok();
            let holder = holder.filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()));
            let holder = holder.map_or(String::new(), |id| format!(" (process {id})"));
            Err(Foreign::Taken(root.to_owned(), holder))
        }
        locked => Ok(locked.is_ok().then_some(folder)),
    }
}

#[cfg(not(unix))]
fn lock(_: &Path) -> Result<Option<File>, Foreign> {
    Ok(None)
}

/// Fails if the folder is behind a symlink of another user, or in a folder with the sticky bit and
/// of another user: there everybody can plant either. `root` and this user are trusted.
#[cfg(unix)]
fn require_own(root: &Path) -> Result<(), Foreign> {
    use std::os::unix::fs::MetadataExt as _;
    const STICKY: u32 = 0o1000;
    let failed = |error| Foreign::Io(root.to_owned(), error);
    let user = rustix::process::geteuid().as_raw();
    let is_ours = |found: &fs::Metadata| [0, user].contains(&found.uid());
    let link = fs::symlink_metadata(root).map_err(failed)?;
    let parent = root.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = fs::metadata(parent.unwrap_or(Path::new("."))).map_err(failed)?;
    let is_planted = parent.mode() & STICKY != 0 && !is_ours(&fs::metadata(root).map_err(failed)?);
    if link.is_symlink() && !is_ours(&link) || is_planted {
        return Err(Foreign::Owner(root.to_owned()));
    }
    Ok(())
}

#[cfg(not(unix))]
fn require_own(_: &Path) -> Result<(), Foreign> {
    Ok(())
}

/// Reads a small text. Fails if it is no regular file, for one that is planted may never end.
fn names(file: &Path, max_bytes: u64) -> io::Result<String> {
    let metadata = fs::symlink_metadata(file)?;
    if !metadata.is_file() || metadata.len() > max_bytes {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut text = String::new();
    File::open(file)?.take(max_bytes).read_to_string(&mut text)?;
    Ok(text)
}

/// Deletes everything in the folder of the parts but their settings.
fn clear(parts: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parts)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != SETTINGS && entry.file_name() != HOLDER {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether a run that was killed before it wrote its marker left this file.
fn is_temporary(name: &OsStr, kind: fs::FileType) -> bool {
    kind.is_file() && name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes())
}

/// A temporary file with the mode of a new file (0666 without the umask's bits). Hidden, so that
/// nothing reads one that a killed run left.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    // Not `tempfile_in`, whose errors show the path of the file, which has a random name.
    let create = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    tempfile::Builder::new().prefix(TEMPORARY).make_in(folder, create)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_does_not_show_the_name_of_a_temporary_file() {
        let root = tempfile::TempDir::new().expect("a folder");
        let error = temporary(&root.path().join("none")).expect_err("no folder");
        assert!(error.raw_os_error().is_some(), "{error:?} is not the system's own error");
    }

    #[test]
    fn a_folder_with_files_of_others_is_refused() {
        let root = tempfile::TempDir::new().expect("a folder");
        fs::write(root.path().join("mine.txt"), "mine").expect("written");
        let refused = Folder::take(root.path()).expect_err("it has a file").to_string();
        assert!(refused.contains("mine.txt: was not written by collect"), "{refused}");
    }

    #[test]
    fn a_file_of_somebody_else_is_not_replaced() {
        let root = tempfile::TempDir::new().expect("a folder");
        let mut folder = Folder::take(root.path()).expect("empty");
        folder.parts("a").expect("parts");
        folder.write(b"ours", "urd/README.md").expect("written");
        fs::write(root.path().join("urd/corpus.jsonl.zst"), "mine").expect("written");
        assert!(
            matches!(Folder::take(root.path()), Err(Foreign::Taken(_, holder)) if holder.contains("process"))
        );
        drop(folder);
        // A child of another test has the locked folder too until it runs its program.
        let again = (0..100).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            Folder::take(root.path()).ok()
        });
        let mut again = again.expect("marked");
        again.write(b"new", "urd/README.md").expect("ours");
        assert!(matches!(again.write(b"x", "urd/corpus.jsonl.zst"), Err(Foreign::File(_))));
        assert_eq!(fs::read(root.path().join("urd/corpus.jsonl.zst")).expect("there"), b"mine");
    }

    #[test]
    fn parts_of_other_settings_are_named() {
        let root = tempfile::TempDir::new().expect("a folder");
        let folder = Folder::take(root.path()).expect("empty");
        folder.parts("language urd\nmin-bytes 256\n").expect("new");
        folder.parts("language urd\nmin-bytes 256\n").expect("the same");
        let refused = folder.parts("language urd\nmin-bytes 9\n").expect_err("others").to_string();
        assert!(
            refused.contains("begun with `min-bytes 256`, and now it is `min-bytes 9`"),
            "{refused}"
        );
    }

    /// A folder with a marker of ours and a folder of parts.
    fn with_parts(make: impl FnOnce(&Path)) -> (tempfile::TempDir, Folder) {
        let root = tempfile::TempDir::new().expect("a folder");
        let folder = Folder::take(root.path()).expect("empty");
        make(&root.path().join(PARTS));
        (root, folder)
    }

    #[test]
    fn a_run_that_was_killed_before_its_marker_is_no_obstacle() {
        let root = tempfile::TempDir::new().expect("a folder");
        fs::write(root.path().join(".corpulyzer-collect.x7Qa1b"), "").expect("written");
        Folder::take(root.path()).expect("taken");
    }

    #[cfg(unix)]
    #[test]
    fn parts_behind_a_symlink_are_refused() {
        let elsewhere = tempfile::TempDir::new().expect("a folder");
        let (_root, folder) = with_parts(|parts| {
            std::os::unix::fs::symlink(elsewhere.path(), parts).expect("a symlink")
        });
        let refused = folder.parts("a\n").expect_err("a symlink").to_string();
        assert!(refused.contains("is no folder of this user"), "{refused}");
        assert_eq!(fs::read_dir(elsewhere.path()).expect("a folder").count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn folders_and_symlinks_that_another_user_planted_are_refused() {
        use std::os::unix::fs::{lchown, symlink, PermissionsExt as _};
        let sticky = tempfile::TempDir::new().expect("a folder");
        let mode = fs::Permissions::from_mode(0o1777);
        fs::set_permissions(sticky.path(), mode).expect("a mode");
        let elsewhere = tempfile::TempDir::new().expect("a folder");
        let [link, planted] = ["link", "planted"].map(|name| sticky.path().join(name));
        symlink(elsewhere.path(), &link).expect("a symlink");
        fs::create_dir(&planted).expect("a folder");
        drop(Folder::take(&link).expect("a symlink of this user"));
        for path in [&link, &planted] {
            if lchown(path, Some(65534), None).is_err() {
                println!("skipped: needs root, to give a folder to another user");
                return;
            }
            let refused = Folder::take(path).expect_err("not ours").to_string();
            assert!(refused.contains("belongs to another user"), "{refused}");
        }
        assert!(!planted.join(MARKER).exists());
    }

    #[cfg(unix)]
    #[test]
    fn parts_of_another_user_are_refused() {
        let (_root, folder) = with_parts(|parts| fs::create_dir(parts).expect("a folder"));
        if std::os::unix::fs::chown(folder.root.join(PARTS), Some(65534), None).is_err() {
            println!("skipped: needs root, to give a folder to another user");
            return;
        }
        let refused = folder.parts("a\n").expect_err("not ours").to_string();
        assert!(refused.contains("is no folder of this user"), "{refused}");
    }

    #[cfg(unix)]
    #[test]
    fn parts_are_open_to_their_owner_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let root = tempfile::TempDir::new().expect("a folder");
        let parts = Folder::take(root.path()).expect("empty").parts("a\n").expect("parts");
        assert_eq!(fs::metadata(parts).expect("there").permissions().mode() & 0o777, 0o700);
    }

    #[cfg(unix)]
    #[test]
    fn a_marker_or_settings_that_never_end_are_not_waited_for() {
        let pipe = |path: &Path| {
            assert!(std::process::Command::new("mkfifo")
                .arg(path)
                .status()
                .expect("mkfifo")
                .success());
        };
        let root = tempfile::TempDir::new().expect("a folder");
        pipe(&root.path().join(MARKER));
        assert!(matches!(Folder::take(root.path()), Err(Foreign::File(_))));
        let (_root, folder) = with_parts(|parts| {
            fs::create_dir(parts).expect("a folder");
            pipe(&parts.join(SETTINGS));
        });
        folder.parts("a\n").expect("written anew");
    }

    #[test]
    fn parts_without_settings_are_not_used() {
        let (root, folder) = with_parts(|parts| {
            fs::create_dir(parts).expect("a folder");
            fs::write(parts.join("0.part"), "of other settings").expect("written");
        });
        folder.parts("a\n").expect("parts");
        assert!(!root.path().join(PARTS).join("0.part").exists());
    }

    #[test]
    fn settings_that_were_cut_are_others() {
        let (_root, folder) = with_parts(|_| {});
        folder.parts("a\n").expect("new");
        let refused = folder.parts("a\nb\n").expect_err("one more").to_string();
        assert!(refused.contains("begun with `nothing more`, and now it is `b`"), "{refused}");
    }
}
