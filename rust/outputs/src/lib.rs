//! Outputs that appear when they are complete: written to a temporary file beside them, then
//! renamed. An output of incomplete inputs goes beside its place, so that it never replaces a good
//! one.
#![forbid(unsafe_code)]

pub mod listed;

use flate2::write::GzEncoder;
use flate2::Compression;
use inputs::real;
use std::collections::HashMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

/// An output that cannot be written. The sentence names the option that named the output.
#[derive(Debug, thiserror::Error)]
pub enum BadOutput {
    /// The output is also an input.
    #[error(
        "{}: is an input, so it cannot be the output; name another file ({option})",
        path.display()
    )]
    Input {
        /// Path of the output, as the user named it.
        path: PathBuf,
        /// Option that named the output, e.g. `--out`.
        option: String,
    },
    /// The place for the result of a damaged input is an input.
    #[error(
        "{}: is an input, and the result of a damaged input would go there; name another file \
         ({option})",
        path.display()
    )]
    PartialInput {
        /// Path of the `.partial` file.
        path: PathBuf,
        /// The option of its output.
        option: String,
    },
    /// Two outputs have one place.
    #[error("{}: is {other} already; name another file ({option})", path.display())]
    Twice {
        /// Path that both would write.
        path: PathBuf,
        /// The option of the first output.
        other: String,
        /// The option of the second output.
        option: String,
    },
    /// The output is `-`, but must be a file.
    #[error("-: this output must be a file, not standard output; name a file ({option})")]
    StandardOutput {
        /// Option that named the output.
        option: String,
    },
    /// The name is that of a compressed file.
    #[error(
        "{}: this output is not compressed; name a file without .gz or .zst ({option})",
        path.display()
    )]
    Compressed {
        /// Path that ends with `.gz` or `.zst`.
        path: PathBuf,
        /// Option that named the output.
        option: &'static str,
    },
    /// There is something else, such as a device.
    #[error("{}: is not a regular file; name another file ({option})", path.display())]
    NotRegular {
        /// Path of the device, pipe or folder.
        path: PathBuf,
        /// Option that named the output.
        option: &'static str,
    },
    /// There is a symlink of another user.
    #[error("{}: is a symlink of another user; name another {kind} ({option})", path.display())]
    ForeignLink {
        /// Path of the symlink.
        path: PathBuf,
        /// `file` or `folder`.
        kind: &'static str,
        /// Option that named the output.
        option: &'static str,
    },
    /// There is a symlink to a folder that is missing.
    #[error("{}: is a symlink to a missing folder; name another folder ({option})", path.display())]
    LostLink {
        /// Path of the symlink.
        path: PathBuf,
        /// Option that named the output.
        option: &'static str,
    },
    /// The old folder could neither be replaced nor put back.
    #[error("{}: {error}; the old folder is {} now ({option})", path.display(), old.display())]
    OldFolder {
        /// Path of the folder that was to be replaced.
        path: PathBuf,
        /// The error of the file system.
        #[source]
        error: io::Error,
        /// The path at which the old folder is now.
        old: PathBuf,
        /// The option of the output.
        option: &'static str,
    },
    /// There is something that may be of another user.
    #[error("{}: is no folder of this user; move it away ({option})", path.display())]
    NotOwn {
        /// Path of what is there.
        path: PathBuf,
        /// The option of the output.
        option: &'static str,
    },
    /// The file system refuses it.
    #[error("{} ({option})", refused(path, error))]
    System {
        /// Path of the output or of its folder.
        path: PathBuf,
        /// The error of the file system.
        #[source]
        error: io::Error,
        /// The option of the output.
        option: &'static str,
    },
}

/// Returns the sentence for an output that the system refuses.
fn refused(path: &Path, error: &io::Error) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match (error.kind(), folder) {
        (io::ErrorKind::NotFound, Some(folder)) if !folder.exists() => {
            let (path, folder) = (path.display(), folder.display());
            format!("{path}: there is no folder {folder}; make it, or name another place")
        }
        _ => format!("{}: {error}", path.display()),
    }
}

impl BadOutput {
    /// Returns whether the error is known from the names alone.
    pub fn is_misuse(&self) -> bool {
        matches!(self, Self::Twice { .. } | Self::StandardOutput { .. } | Self::Compressed { .. })
    }
}

type Result<T, E = BadOutput> = std::result::Result<T, E>;

/// Option of folders.
const OUT: &str = "--out";

/// Returns the folder of a path.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Fails if an output is also an input or another output: its content would be lost.
///
/// # Errors
/// Fails at the first output that is one of `inputs` or an earlier output; the message has its
/// option.
pub fn apart<'p>(
    outputs: &[(&Path, &str)],
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<()> {
    let (mut places, mut beside, mut twice) = (HashMap::new(), HashMap::new(), None);
    for &(path, option) in outputs {
        if let Some(other) = places.insert(real(path), (path, option)) {
            twice = twice.or(Some((path, option, other.1)));
        }
        beside.insert(real(&partial(path)), (path, option));
    }
    // As an input, `-` is standard input; as an output, it is standard output.
    for input in inputs.into_iter().filter(|input| *input != Path::new("-")).map(real) {
        if let Some((path, option)) = places.get(&input) {
            let (path, option) = (path.to_path_buf(), (*option).to_owned());
            return Err(BadOutput::Input { path, option });
        }
        if let Some((path, option)) = beside.get(&input) {
            let (path, option) = (partial(path), (*option).to_owned());
            return Err(BadOutput::PartialInput { path, option });
        }
    }
    if let Some((path, option, other)) = twice {
        let (other, option) = (other.to_owned(), option.to_owned());
        return Err(BadOutput::Twice { path: path.to_owned(), other, option });
    }
    Ok(())
}

/// Prefix of temporary files and folders. They stay if the process is killed, and nothing reads
/// them.
pub const HIDDEN: &str = ".corpulyzer-";

/// Fails if the output is `-`: an output that is renamed into place cannot be standard output.
///
/// # Errors
/// In a sentence with the option.
pub fn is_name(path: &Path, option: &str) -> Result<()> {
    if path == Path::new("-") {
        return Err(BadOutput::StandardOutput { option: option.to_owned() });
    }
    Ok(())
}

/// Ending of the name of an output that was made from incomplete inputs.
const PARTIAL: &str = ".partial";

/// The path of an output that was made from incomplete inputs.
pub fn partial(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(PARTIAL);
    beside.into()
}

/// A builder of temporary files and folders with unpredictable names. The umask applies to their
/// mode, as for other new files.
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
/// Fails if it cannot be created.
pub fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    temporary(0o666).tempfile_in(folder)
}

/// A new temporary folder in a folder, with the mode of a new folder (0777 without the umask's
/// bits).
///
/// # Errors
/// Fails if it cannot be created.
pub fn temporary_folder(folder: &Path) -> io::Result<TempDir> {
    temporary(0o777).tempdir_in(folder)
}

/// Makes a folder for this user alone, for what the next run continues from. Returns false if there
/// is something else than a folder of this user: what is in it could be of somebody else.
///
/// # Errors
/// Fails if the folder cannot be made, or the one around it not be written.
pub fn private_folder(path: &Path) -> io::Result<bool> {
    match create_private(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made.map(|()| true),
    }
    let there = fs::symlink_metadata(path)?;
    let own = tempfile::tempfile_in(folder(path))?.metadata()?;
    Ok(there.is_dir() && is_same_user(&there, &own))
}

/// Makes the folder of what is fetched for an output, from which the same command goes on: a name
/// beside the output (`--out`).
///
/// # Errors
/// Fails if it cannot be made, or may be of another user.
pub fn fetched_folder(out: &Path) -> Result<PathBuf> {
    let path = PathBuf::from(format!("{}.fetched", out.display()));
    match private_folder(&path) {
        Ok(true) => Ok(path),
        Ok(false) => Err(BadOutput::NotOwn { path, option: OUT }),
        Err(error) => Err(BadOutput::System { path, error, option: OUT }),
    }
}

#[cfg(unix)]
fn create_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)
}

#[cfg(unix)]
fn is_same_user(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    a.uid() == b.uid()
}

#[cfg(not(unix))]
fn is_same_user(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// The place of an output folder (`--out`).
#[derive(Debug)]
pub struct FolderPlace {
    /// The path in messages.
    name: PathBuf,
    /// The folder itself. It stays right if the path that the user wrote leads through the folder,
    /// which is renamed, or through a symlink.
    path: PathBuf,
}

impl FolderPlace {
    /// Resolves the path before the work begins. The folder that will contain the output must
    /// exist.
    ///
    /// # Errors
    /// Fails if no folder can be written there, in a sentence with the option.
    pub fn new(path: &Path) -> Result<Self> {
        is_name(path, OUT)?;
        let is_dots = |part: Component| matches!(part, Component::CurDir | Component::ParentDir);
        let resolved = real(path);
        let name = if path.components().any(is_dots) { &resolved } else { path }.to_owned();
        let place = Self { name, path: resolved };
        let own = tempfile::tempfile_in(place.folder()).map_err(|error| place.failed(error))?;
        if !is_own_link(path, &own).map_err(|error| place.failed(error))? {
            return Err(BadOutput::ForeignLink {
                path: path.to_owned(),
                kind: "folder",
                option: OUT,
            });
        }
        if fs::symlink_metadata(&place.path).is_ok_and(|found| found.is_symlink()) {
            return Err(BadOutput::LostLink { path: path.to_owned(), option: OUT });
        }
        Ok(place)
    }

    /// The place of an output of incomplete inputs: a name beside this one.
    ///
    /// # Errors
    /// As [`FolderPlace::new`].
    pub fn beside(self) -> Result<Self> {
        Self::new(&partial(&self.path))
    }

    /// Its path in messages.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Its path with symlinks resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that contains it, which also gets the temporary files.
    pub fn folder(&self) -> &Path {
        folder(&self.path)
    }

    /// Creates a new folder beside it.
    ///
    /// # Errors
    /// Fails if there can be none.
    pub fn begin(&self) -> Result<TempDir> {
        temporary_folder(self.folder()).map_err(|error| self.failed(error))
    }

    /// Replaces the folder by a complete new one. On Linux one of the two always stands there, also
    /// if the process is killed; on file systems that cannot exchange two folders, the place is
    /// empty for a moment.
    ///
    /// # Errors
    /// Fails if it cannot be renamed; the old folder stays.
    pub fn put(&self, next: TempDir) -> Result<()> {
        if exchange(next.path(), &self.path) {
            // The temporary folder is the old one now. It is deleted here.
            return Ok(());
        }
        let old = self.begin()?;
        if self.path.exists() {
            fs::rename(&self.path, old.path().join("old")).map_err(|error| self.failed(error))?;
        }
        if let Err(error) = fs::rename(next.path(), &self.path) {
            // The old one goes back; the error that counts is the first.
            let kept = old.path().join("old");
            if kept.exists() && fs::rename(&kept, &self.path).is_err() {
                let old = old.keep();
                return Err(BadOutput::OldFolder {
                    path: self.name.clone(),
                    error,
                    old: old.join("old"),
                    option: OUT,
                });
            }
            return Err(self.failed(error));
        }
        // It is no temporary folder any more.
        let _ = next.keep();
        Ok(())
    }

    /// Adds the name of the folder and its option to an error.
    pub fn failed(&self, error: io::Error) -> BadOutput {
        BadOutput::System { path: self.name.clone(), error, option: OUT }
    }
}

/// Exchanges two folders in one step. Returns false if one is missing, or the system cannot do it.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> bool {
    use rustix::fs::{renameat_with, RenameFlags, CWD};
    other.is_dir() && renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}

/// Returns true if a path is not a symlink, or is one of this user or root. A symlink of another
/// user may lead to any file of this user, which the output would replace. `own` is a file of this
/// user.
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

/// The compression of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Bytes as they are.
    Plain,
    /// Gzip (`.gz`).
    Gzip,
    /// Zstandard (`.zst`).
    Zstandard,
}

impl Format {
    /// The compression that the name of a file has.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("zst") => Self::Zstandard,
            Some("gz") => Self::Gzip,
            _ => Self::Plain,
        }
    }
}

/// Writes an output, compressed if its name says so.
pub struct Writer(Compressed);

/// The writer of a compression.
enum Compressed {
    Plain(BufWriter<Box<dyn Write>>),
    Gzip(GzEncoder<BufWriter<Box<dyn Write>>>),
    Zstandard(zstd::Encoder<'static, BufWriter<Box<dyn Write>>>),
}

impl Writer {
    /// Begins to write.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn new(format: Format, raw: Box<dyn Write>) -> io::Result<Self> {
        let raw = BufWriter::new(raw);
        Ok(Self(match format {
            Format::Plain => Compressed::Plain(raw),
            Format::Gzip => Compressed::Gzip(GzEncoder::new(raw, Compression::default())),
            Format::Zstandard => {
                Compressed::Zstandard(zstd::Encoder::new(raw, zstd::DEFAULT_COMPRESSION_LEVEL)?)
            }
        }))
    }

    /// Writes the end.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn finish(self) -> io::Result<()> {
        let mut file = match self.0 {
            Compressed::Plain(writer) => writer,
            Compressed::Gzip(writer) => writer.finish()?,
            Compressed::Zstandard(writer) => writer.finish()?,
        };
        file.flush()
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Compressed::Plain(writer) => writer.write(bytes),
            Compressed::Gzip(writer) => writer.write(bytes),
            Compressed::Zstandard(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Compressed::Plain(writer) => writer.flush(),
            Compressed::Gzip(writer) => writer.flush(),
            Compressed::Zstandard(writer) => writer.flush(),
        }
    }
}

/// The place of an output file.
#[derive(Debug)]
pub struct FilePlace {
    /// The path as the user wrote it.
    name: PathBuf,
    path: PathBuf,
    option: &'static str,
    /// The compression that the name without `.partial` has.
    format: Format,
    /// Whether this is standard output. It gets the file when that is complete, as other outputs
    /// do.
    is_printed: bool,
}

impl FilePlace {
    /// Resolves the path of an option before the work begins, so that no work is done for an output
    /// that cannot be written. `--out -` is standard output, which gets the file when it is
    /// complete; other options name files beside what a verb prints.
    ///
    /// # Errors
    /// Fails if it cannot be written, in a sentence with the option.
    pub fn new(path: &Path, option: &'static str) -> Result<Self> {
        if path == Path::new("-") && option == "--out" {
            let path = std::env::temp_dir().join("corpulyzer-standard-output");
            let name = PathBuf::from("standard output");
            return Ok(Self { name, path, option, format: Format::Plain, is_printed: true });
        }
        is_name(path, option)?;
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let format = Format::of(path);
        let name = path.to_owned();
        let place = Self { name, path: real, option, format, is_printed: false };
        // A file in place of a device such as `/dev/null` would break other programs.
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(BadOutput::NotRegular { path: path.to_owned(), option });
        }
        let own = tempfile::tempfile_in(place.folder()).map_err(|error| place.failed(error))?;
        if !is_own_link(path, &own).map_err(|error| place.failed(error))? {
            return Err(BadOutput::ForeignLink { path: path.to_owned(), kind: "file", option });
        }
        Ok(place)
    }

    /// As [`FilePlace::new`], for an option that may be left out.
    ///
    /// # Errors
    /// As [`FilePlace::new`].
    pub fn of(path: Option<&Path>, option: &'static str) -> Result<Option<Self>> {
        path.map(|path| Self::new(path, option)).transpose()
    }

    /// As [`FilePlace::new`], for a file that other verbs read only without compression.
    ///
    /// # Errors
    /// As [`FilePlace::new`], and if the name is that of a compressed file.
    pub fn plain(path: &Path, option: &'static str) -> Result<Self> {
        if Format::of(path) != Format::Plain {
            return Err(BadOutput::Compressed { path: path.to_owned(), option });
        }
        Self::new(path, option)
    }

    /// The place of an output of incomplete inputs: a name beside this one; of standard output,
    /// itself.
    ///
    /// # Errors
    /// Fails if a file beside it cannot be written.
    pub fn beside(self) -> Result<Self> {
        if self.is_printed {
            return Ok(self);
        }
        let format = self.format;
        Ok(Self { format, ..Self::new(&partial(&self.name), self.option)? })
    }

    /// Returns true for standard output.
    pub fn is_printed(&self) -> bool {
        self.is_printed
    }

    /// Returns true if the file exists.
    pub fn is_there(&self) -> bool {
        !self.is_printed && self.path.exists()
    }

    /// Its name in messages.
    pub fn name(&self) -> std::path::Display<'_> {
        self.name.display()
    }

    /// Its folder, which also gets the temporary files.
    pub fn folder(&self) -> &Path {
        folder(&self.path)
    }

    /// Creates a new file beside it, and a writer that compresses it if its name says so. Finish
    /// the writer before [`FilePlace::put`].
    ///
    /// # Errors
    /// As [`FilePlace::begin`].
    pub fn create(&self) -> Result<(Writer, NamedTempFile)> {
        let file = self.begin()?;
        let writer = file.reopen().and_then(|raw| Writer::new(self.format, Box::new(raw)));
        Ok((writer.map_err(|error| self.failed(error))?, file))
    }

    /// Creates a new file beside it.
    ///
    /// # Errors
    /// Fails if there can be none.
    pub fn begin(&self) -> Result<NamedTempFile> {
        temporary_file(self.folder()).map_err(|error| self.failed(error))
    }

    /// Writes these bytes to the file, compressed if its name says so.
    ///
    /// # Errors
    /// As [`FilePlace::put`].
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        let (mut writer, file) = self.create()?;
        let written = writer.write_all(bytes).and_then(|()| writer.finish());
        written.map_err(|error| self.failed(error))?;
        self.put(file)
    }

    /// Renames a file to this place, or prints it to standard output. A program that has the old
    /// file open still reads the old one.
    ///
    /// # Errors
    /// Fails if the disk has no room for it, or it cannot be renamed.
    pub fn put(&self, file: NamedTempFile) -> Result<()> {
        let put = || -> io::Result<()> {
            if self.is_printed {
                return print_file(file.path());
            }
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            Ok(())
        };
        put().map_err(|error| self.failed(error))
    }

    /// Adds the name of the output and its option to an error.
    pub fn failed(&self, error: io::Error) -> BadOutput {
        BadOutput::System { path: self.name.clone(), error, option: self.option }
    }
}

/// Prints a file. A reader that closes its end early (`| head`) is not an error.
fn print_file(path: &Path) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match io::copy(&mut fs::File::open(path)?, &mut out).and_then(|_| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_is_there_all_the_time_that_it_is_replaced() {
        let parent = TempDir::new().unwrap();
        let place = FolderPlace::new(&parent.path().join("out")).unwrap();
        let put = |number: u32| {
            let next = place.begin().unwrap();
            fs::write(next.path().join("number"), number.to_string()).unwrap();
            place.put(next).unwrap();
        };
        put(0);
        let ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let (mut looks, mut missing) = (0, 0);
                while !ended.load(Ordering::Relaxed) || looks < 1000 {
                    looks += 1;
                    missing += u32::from(!place.path().join("number").exists());
                }
                missing
            });
            (1..=1000).for_each(put);
            ended.store(true, Ordering::Relaxed);
            assert_eq!(watcher.join().unwrap(), 0, "looks at which the folder was missing");
        });
        assert_eq!(fs::read_to_string(place.path().join("number")).unwrap(), "1000");
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1, "no old folder is left");
    }
}
