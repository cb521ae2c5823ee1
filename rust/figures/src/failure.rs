//! Why the records of inputs are not read to their end.

use std::io;
use std::path::PathBuf;

/// A record that is no JSON object, or a value that JSON cannot hold.
#[derive(Debug, thiserror::Error)]
#[error("a record cannot be written: {0}")]
pub struct Unwritable(#[from] serde_json::Error);

/// Why reading failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// An input cannot be opened.
    #[error("{name}: {error}")]
    Input {
        /// Name of the input.
        name: String,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// An input, by its name, has records of another kind.
    #[error("{0}: holds WARC records; allowed are JSON lines with `text`")]
    NotLines(String),
    /// No input has a record: the writer of a pipe may have died.
    #[error("the input has no record; nothing was written")]
    Empty,
    /// A record without the alternates that must be left out cannot be written.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// A temporary file cannot be written.
    #[error("temporary files in {}: {error}", folder.display())]
    Temporary {
        /// The folder of the temporary files.
        folder: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// The thread that reads the inputs panicked.
    #[error("the reading thread panicked")]
    Panicked,
    /// The stop flag was set.
    #[error("stopped by a signal; nothing was written")]
    Stopped,
}
