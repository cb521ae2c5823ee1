//! A folder of texts with a list of the files that `extract` wrote there.

use crate::{folder as parent_of, temporary_file};
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Name of the list. It identifies the folder as one of `extract`.
const LIST: &str = ".corpulyzer-extract";

/// Beginning of the list. Each entry ends with a zero byte, which no file name contains.
const HEAD: &[u8] = b"Files that `corpulyzer extract` wrote. It replaces no others.\n\0";

/// Why a folder cannot be used, or a file in it cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum BadFolder {
    /// The path is no folder.
    #[error("{}: is not a folder; name a folder (--out)", .0.display())]
    NoFolder(PathBuf),
    /// The folder has files of others.
    #[error(
        "{}: is not empty and was not made by `extract`; name another folder (--out)",
        .0.display()
    )]
    Foreign(PathBuf),
    /// A file has the name of the list, but is none.
    #[error("{}: is not a list of texts; name another folder (--out)", .0.display())]
    NoList(PathBuf),
    /// The file system refuses the folder.
    #[error("{}: {error} (--out)", folder.display())]
    Folder {
        /// Path of the output folder.
        folder: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// A folder in the path of a file is a symlink.
    #[error("{}: {} is a symlink, which is not followed", file.display(), link.display())]
    Link {
        /// Path of the file that was to be written.
        file: PathBuf,
        /// Path of the symlink above it.
        link: PathBuf,
    },
    /// Another program wrote a file of this name.
    #[error("{}: was not written by `extract`, so it is not replaced", .0.display())]
    ForeignFile(PathBuf),
    /// The file system refuses a file.
    #[error("{}: {error}", file.display())]
    File {
        /// Path of the file that was to be written.
        file: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
}

/// The folder of the texts. Files of other programs are not replaced, and nothing outside the
/// folder is written.
#[derive(Debug)]
pub struct ListedFolder {
    folder: PathBuf,
    /// Files of an earlier run.
    written: HashSet<PathBuf>,
    list: Mutex<File>,
}

impl ListedFolder {
    /// Opens a folder that is missing, empty, or made by `extract`.
    ///
    /// # Errors
    /// Fails if it is another folder, or cannot be written.
    pub fn open(folder: &Path) -> Result<Self, BadFolder> {
        let failed = |error| BadFolder::Folder { folder: folder.to_owned(), error };
        if folder.exists() && !folder.is_dir() {
            return Err(BadFolder::NoFolder(folder.to_owned()));
        }
        fs::create_dir_all(folder).map_err(failed)?;
        let list = folder.join(LIST);
        let mut written = HashSet::new();
        let others = fs::read_dir(folder).map_err(failed)?.count();
        let rest = if fs::symlink_metadata(&list).is_ok_and(|metadata| metadata.is_file()) {
            let content = fs::read(&list).map_err(failed)?;
            // On a full disk, or if it was killed, a run leaves the start of the first line or of
            // an entry.
            match content.strip_prefix(HEAD) {
                Some(entries) => {
                    written.extend(entries.split(|&byte| byte == 0).map(path_of));
                    let is_cut = !entries.is_empty() && !entries.ends_with(b"\0");
                    if is_cut {
                        &b"\0"[..]
                    } else {
                        b""
                    }
                }
                None if HEAD.starts_with(&content) && others == 1 => &HEAD[content.len()..],
                None => return Err(BadFolder::NoList(list)),
            }
        } else if others > 0 {
            return Err(BadFolder::Foreign(folder.to_owned()));
        } else {
            HEAD
        };
        let mut options = OpenOptions::new();
        options.append(true).create_new(others == 0);
        let opened = options.open(&list).and_then(|mut file| {
            file.write_all(rest)?;
            Ok(file)
        });
        Ok(Self { folder: folder.to_owned(), written, list: Mutex::new(opened.map_err(failed)?) })
    }

    /// Writes a file under a temporary name and renames it, so that no program sees half of it.
    ///
    /// # Errors
    /// Fails if it cannot be written, or another program put a file there.
    pub fn write(&self, name: &Path, content: &[u8]) -> Result<(), BadFolder> {
        let file = self.folder.join(name);
        let failed = |error| BadFolder::File { file: file.clone(), error };
        let mut folder = self.folder.clone();
        for part in parent_of(name) {
            folder.push(part);
            match fs::create_dir(&folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(failed(error));
                }
                _ => {}
            }
            if fs::symlink_metadata(&folder).map_err(failed)?.is_symlink() {
                return Err(BadFolder::Link { file, link: folder });
            }
        }
        if !self.written.contains(name) {
            if fs::symlink_metadata(&file).is_ok() {
                return Err(BadFolder::ForeignFile(file));
            }
            let entry = [name.as_os_str().as_encoded_bytes(), b"\0"].concat();
            let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
            list.write_all(&entry).map_err(failed)?;
        }
        let mut beside = temporary_file(&folder).map_err(failed)?;
        beside.write_all(content).map_err(failed)?;
        beside.persist(&file).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// Returns the path of an entry of the list.
#[cfg(unix)]
fn path_of(entry: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(entry))
}

#[cfg(not(unix))]
fn path_of(entry: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(entry).into_owned())
}
