//! Files that are there when they are whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Where a file goes.
pub struct Place {
    path: PathBuf,
    option: &'static str,
}

impl Place {
    /// A place that an option names, links followed; looked at before the work, so that none is done for a file that cannot be written.
    ///
    /// # Errors
    /// When it cannot be written, in a sentence with the option.
    pub fn new(path: &Path, option: &'static str) -> Result<Self, String> {
        let place = Self { path: fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()), option };
        // A file that took the place of a device, as `/dev/null`, would take it from every other program.
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(format!("{}: is no regular file ({option})", path.display()));
        }
        tempfile::tempfile_in(place.folder()).map_err(|error| place.failed(&error))?;
        Ok(place)
    }

    /// The folder that it is in, where what is temporary goes too.
    pub fn folder(&self) -> &Path {
        self.path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// A new file beside it.
    ///
    /// # Errors
    /// When there can be none.
    pub fn begin(&self) -> Result<NamedTempFile, String> {
        NamedTempFile::new_in(self.folder()).map_err(|error| self.failed(&error))
    }

    /// Puts a file there by a rename: whoever has the one before open keeps it whole.
    ///
    /// # Errors
    /// When the disk has no room for it, or it cannot be renamed.
    pub fn put(&self, file: NamedTempFile) -> Result<(), String> {
        let put = || -> io::Result<()> {
            file.as_file().sync_all()?;
            // What others may read is decided by the folder, not by the rules for temporary files.
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644))?;
            }
            file.persist(&self.path)?;
            Ok(())
        };
        put().map_err(|error| self.failed(&error))
    }

    /// What went wrong, as a sentence.
    pub fn failed(&self, error: &io::Error) -> String {
        format!("{}: {error} ({})", self.path.display(), self.option)
    }
}
