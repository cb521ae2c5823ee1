//! Folders that a report may replace: those of an earlier report.

use crate::{is_file_name, JSON, SCHEMA};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Why a report may not replace a folder.
#[derive(Debug, thiserror::Error)]
pub enum Foreign {
    /// It is no folder.
    #[error("{}: is not a folder (--out)", .0.display())]
    NoFolder(PathBuf),
    /// It has a file of somebody else.
    #[error(
        "{}: holds {name}, which is not part of a report; name another folder (--out)",
        folder.display()
    )]
    File {
        /// Path of the folder, as the user named it.
        folder: PathBuf,
        /// Name of the file.
        name: String,
    },
    /// Its files have names of a report, which other programs use too, but no report is there.
    #[error(
        "{}: holds files, and no {JSON} that begins with its schema, {SCHEMA}; name another folder \
         (--out)",
        .0.display()
    )]
    NoReport(PathBuf),
    /// It cannot be read.
    #[error("{}: {error} (--out)", folder.display())]
    Unread {
        /// Path of the folder, as the user named it.
        folder: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
}

/// Checks that a folder is missing, empty or a report. Other files must not be removed.
///
/// # Errors
/// Fails if it is another folder, or cannot be read.
pub fn check(out: &Path) -> Result<(), Foreign> {
    let failed = |error| Foreign::Unread { folder: out.to_owned(), error };
    let entries = match fs::read_dir(out) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(_) if !out.is_dir() => return Err(Foreign::NoFolder(out.to_owned())),
        Err(error) => return Err(failed(error)),
    };
    let mut is_empty = true;
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_file_name(&name) || !entry.file_type().map_err(failed)?.is_file() {
            return Err(Foreign::File { folder: out.to_owned(), name });
        }
        is_empty = false;
    }
    if !is_empty && !is_report(&out.join(JSON)) {
        return Err(Foreign::NoReport(out.to_owned()));
    }
    Ok(())
}

/// Returns true if a file begins as report.json does, in any version of the schema.
fn is_report(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(256).read_to_end(&mut start));
    let name = SCHEMA.split('/').next().unwrap_or(SCHEMA);
    read.is_ok() && String::from_utf8_lossy(&start).contains(&format!("\"schema\": \"{name}/"))
}
