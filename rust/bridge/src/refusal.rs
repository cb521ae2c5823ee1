//! The reasons why a call fails.

use corpus::crawl::NotAdded;
use corpus::BadState;
use engine::frame::BadFrame;
use engine::BadSettings;
use std::io;

/// The reason why a call failed. Java receives the sentence as the message of a failed frame.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// An argument is null.
    #[error("argument `{0}` is null, allowed is a byte array")]
    Null(String),
    /// The settings of an engine are invalid.
    #[error(transparent)]
    Settings(#[from] BadSettings),
    /// Too many engines are in use.
    #[error("engines with {0} different settings are in use, allowed are {0}")]
    Engines(usize),
    /// No engine has this id.
    #[error("engine id is {id}, allowed are ids that `configure` answered (so far {known})")]
    Engine {
        /// The id.
        id: i32,
        /// Number of engines.
        known: usize,
    },
    /// An argument is not the frame that the method expects.
    #[error("{argument}: {bad}")]
    Frame {
        /// The argument in words.
        argument: &'static str,
        /// The cause.
        bad: BadFrame,
    },
    /// The options of a corpus have no such field.
    #[error("corpus options: the {0} is missing")]
    Missing(&'static str),
    /// The options of a corpus name none of the target languages.
    #[error("corpus options: the language is `{found}`, allowed is one of {allowed}")]
    Target {
        /// The language, as found; empty if it is missing.
        found: String,
        /// The target languages of the engine.
        allowed: String,
    },
    /// A probe is unknown.
    #[error("probe is `{0}`, allowed are `panic` and `echo:TEXT`")]
    Probe(String),
    /// The folder for temporary files is not a folder.
    #[error("folder for temporary files is `{0}`, allowed is a folder")]
    Folder(String),
    /// Too many corpora are open.
    #[error("{0} corpora are open, allowed are {0}")]
    Corpora(usize),
    /// All ids were given.
    #[error("no more ids for {0}")]
    Ids(&'static str),
    /// No corpus has this id.
    #[error("corpus id is {0}, allowed are ids of corpora that are open")]
    Corpus(i32),
    /// The corpus was lost in an earlier call.
    #[error("corpus {0} failed in an earlier call")]
    Lost(i32),
    /// A row cannot be added to a corpus.
    #[error(transparent)]
    Row(#[from] NotAdded),
    /// A part cannot be merged into a corpus.
    #[error(transparent)]
    Part(#[from] BadState),
    /// A file cannot be read or written.
    #[error("{name}: {error}")]
    File {
        /// The file's name.
        name: String,
        /// The cause.
        error: io::Error,
    },
    /// The files of a report cannot be made.
    #[error(transparent)]
    Report(io::Error),
}

impl Refusal {
    /// Returns a function that names the argument of a bad frame.
    pub fn frame(argument: &'static str) -> impl Fn(BadFrame) -> Self {
        move |bad| Self::Frame { argument, bad }
    }

    /// Returns a function that names the file of an error.
    pub fn file(name: impl ToString) -> impl Fn(io::Error) -> Self {
        move |error| Self::File { name: name.to_string(), error }
    }
}
