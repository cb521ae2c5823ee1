//! Files that are there when they are whole.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

/// Whether two paths lead to one file, there already or not yet.
pub fn same(a: &Path, b: &Path) -> bool {
    real(a) == real(b)
}

/// A path with links followed. Of a file that is not there yet its folder's are.
pub fn real(path: &Path) -> PathBuf {
    let there = |path: &Path| fs::canonicalize(path).ok();
    let beside = || Some(there(folder(path))?.join(path.file_name()?));
    there(path).or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// The folder that a path is in.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Refuses outputs that are read as well: what they hold would be lost.
///
/// # Errors
/// Names the first output that is one of `inputs`, with its option.
pub fn apart<'p>(outputs: &[(&Path, &str)], inputs: impl IntoIterator<Item = &'p Path>) -> Result<(), String> {
    // Standard input is not what `-` writes to.
    for input in inputs.into_iter().filter(|input| *input != Path::new("-")) {
        if let Some((path, option)) = outputs.iter().find(|(path, _)| same(path, input)) {
            return Err(format!("{}: is read, so it cannot be written; name another file ({option})", path.display()));
        }
        if let Some((path, option)) = outputs.iter().find(|(path, _)| same(&partial(path), input)) {
            return Err(format!(
                "{}: is read, and what is made of it goes there if it is cut short; name another file ({option})",
                partial(path).display()
            ));
        }
    }
    Ok(())
}

/// How files and folders begin that are there while an output is made. Whatever kills this process leaves them; nothing reads them.
pub const HIDDEN: &str = ".corpulyzer-";

/// Refuses `-` for an output that is put in its place as a whole.
///
/// # Errors
/// In a sentence with the option.
pub fn is_name(path: &Path, option: &str) -> Result<(), String> {
    if path == Path::new("-") {
        return Err(format!("-: is written as a whole, so it cannot be standard output; name it ({option})"));
    }
    Ok(())
}

/// What the name of an output ends with that was made from less than there should have been.
const PARTIAL: &str = ".partial";

fn partial(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(PARTIAL);
    beside.into()
}

/// Where an output goes: to its place, or beside it if not all inputs are `whole`, so that a good output of before is never replaced by less. Says so.
pub fn settled(path: &Path, whole: bool) -> PathBuf {
    if whole {
        return path.to_owned();
    }
    let beside = partial(path);
    let (path, partial) = (path.display(), beside.display());
    eprintln!(
        "corpulyzer: an input is damaged or cut short: what could be read goes to {partial}, {path} is left as it was"
    );
    beside
}

/// A builder of temporary files and folders with names that nobody can predict. The umask is applied to their mode, as to that of any new file.
fn temporary(_mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(HIDDEN);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(_mode));
    builder
}

/// A new temporary file in a folder, with the mode of a new file (0666 without the umask's bits).
///
/// # Errors
/// When it cannot be created.
pub fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    temporary(0o666).tempfile_in(folder)
}

/// A new temporary folder in a folder, with the mode of a new folder (0777 without the umask's bits).
///
/// # Errors
/// When it cannot be created.
pub fn temporary_folder(folder: &Path) -> io::Result<TempDir> {
    temporary(0o777).tempdir_in(folder)
}

/// Puts a whole folder in the place of the one that is there.
///
/// # Errors
/// When it cannot be renamed; what was there stays.
pub fn put_in_place(next: TempDir, out: &Path) -> Result<(), String> {
    let failed = |error: io::Error| format!("{}: {error} (--out)", out.display());
    let old = temporary_folder(folder(out)).map_err(failed)?;
    if fs::symlink_metadata(out).is_ok() {
        fs::rename(out, old.path().join("old")).map_err(failed)?;
    }
    if let Err(error) = fs::rename(next.path(), out) {
        // The old one goes back; the error that counts is the first.
        let _ = fs::rename(old.path().join("old"), out);
        return Err(failed(error));
    }
    // It is no temporary folder any more.
    let _ = next.keep();
    Ok(())
}

/// Whether a path is no symlink, or one of this user or root. A link of somebody else may lead to any file of this user, which the output would
/// replace. `own` is a file of this user.
#[cfg(unix)]
fn is_own_link(path: &Path, own: &fs::File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(link) = fs::symlink_metadata(path) else { return Ok(true) };
    Ok(!link.is_symlink() || [0, own.metadata()?.uid()].contains(&link.uid()))
}

#[cfg(not(unix))]
fn is_own_link(_: &Path, _: &fs::File) -> io::Result<bool> {
    Ok(true)
}

/// Where a file goes.
pub struct Place {
    /// As the user wrote it.
    name: PathBuf,
    path: PathBuf,
    option: &'static str,
}

impl Place {
    /// A place that an option names, links followed; looked at before the work, so that none is done for a file that cannot be written.
    ///
    /// # Errors
    /// When it cannot be written, in a sentence with the option.
    pub fn new(path: &Path, option: &'static str) -> Result<Self, String> {
        is_name(path, option)?;
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let place = Self { name: path.to_owned(), path: real, option };
        // A file that took the place of a device, as `/dev/null`, would take it from every other program.
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(format!("{}: is no regular file ({option})", path.display()));
        }
        let own = tempfile::tempfile_in(place.folder()).map_err(|error| place.failed(&error))?;
        if !is_own_link(path, &own).map_err(|error| place.failed(&error))? {
            return Err(format!("{}: is a symlink of another user; name another file ({option})", path.display()));
        }
        Ok(place)
    }

    /// The place for what was made from inputs, see [`settled`].
    ///
    /// # Errors
    /// When a file beside it cannot be written.
    pub fn settle(self, whole: bool) -> Result<Self, String> {
        if whole {
            return Ok(self);
        }
        Self::new(&settled(&self.name, whole), self.option)
    }

    /// Whether there is a file already.
    pub fn is_there(&self) -> bool {
        self.path.exists()
    }

    /// What messages call it.
    pub fn name(&self) -> std::path::Display<'_> {
        self.name.display()
    }

    /// The folder that it is in, where what is temporary goes too.
    pub fn folder(&self) -> &Path {
        folder(&self.path)
    }

    /// A new file beside it.
    ///
    /// # Errors
    /// When there can be none.
    pub fn begin(&self) -> Result<NamedTempFile, String> {
        temporary_file(self.folder()).map_err(|error| self.failed(&error))
    }

    /// Puts a file with these bytes there.
    ///
    /// # Errors
    /// As [`Place::put`].
    pub fn write(&self, bytes: &[u8]) -> Result<(), String> {
        let mut file = self.begin()?;
        file.as_file_mut().write_all(bytes).map_err(|error| self.failed(&error))?;
        self.put(file)
    }

    /// Puts a file there by a rename: whoever has the one before open keeps it whole.
    ///
    /// # Errors
    /// When the disk has no room for it, or it cannot be renamed.
    pub fn put(&self, file: NamedTempFile) -> Result<(), String> {
        let put = || -> io::Result<()> {
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            Ok(())
        };
        put().map_err(|error| self.failed(&error))
    }

    /// What went wrong, as a sentence.
    pub fn failed(&self, error: &io::Error) -> String {
        format!("{}: {error} ({})", self.name(), self.option)
    }
}
