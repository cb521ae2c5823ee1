//! The reasons why a call fails.

use crate::slots::Names;
use engine::frame::BadFrame;
use engine::BadSettings;
use figures::crawl::NotAdded;
use figures::BadState;
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
    /// A text names no language, or several.
    #[error(transparent)]
    Language(#[from] registry::UnknownName),
    /// A text names no language in a list of languages.
    #[error("a code in `{0}` is empty; allowed are ISO 639 codes and English names")]
    NoLanguage(String),
    /// The library has no model of a language.
    #[error("`{code}` ({}) has no model{advice}", code.name())]
    NoModel {
        /// Language that was asked for.
        code: langid::LangCode,
        /// The languages to name instead, as the end of the sentence.
        advice: String,
    },
    /// Too many engines are in use.
    #[error("engines with {0} different settings are in use, allowed are {0}")]
    Engines(usize),
    /// No engine has this id.
    #[error("engine id is {id}, allowed are ids that `configure` answered (so far {known})")]
    Engine {
        /// Id that Java gave.
        id: i32,
        /// Number of engines.
        known: usize,
    },
    /// An argument is not the frame that the method expects.
    #[error("{argument}: {bad}")]
    Frame {
        /// The argument in words.
        argument: &'static str,
        /// The fault of the frame.
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
    /// The engine has another score policy.
    #[error("score policy is `{0}`, allowed is pages")]
    Policy(String),
    /// The state of a steering is damaged.
    #[error(transparent)]
    SteeringState(#[from] sitescore::pages::BadState),
    /// The rule by which pages are near duplicates is impossible.
    #[error(
        "shape is {0}, allowed are words, bands and values from 1, with at most {max} values",
        max = dedup::Shape::MAX_VALUES
    )]
    Shape(String),
    /// A record cannot be written with other fields.
    #[error(transparent)]
    Record(figures::failure::Unwritable),
    /// A probe is unknown.
    #[error("probe is `{0}`, allowed are `panic` and `echo:TEXT`")]
    Probe(String),
    /// The folder for temporary files is not a folder.
    #[error("folder for temporary files is `{0}`, allowed is a folder")]
    Folder(String),
    /// Too many values of a kind are open.
    #[error("{most} {many} are open, allowed are {most}")]
    Full {
        /// Name of the things in the slots, in the plural.
        many: &'static str,
        /// Most open values.
        most: usize,
    },
    /// All ids were given.
    #[error("no more ids for {0}")]
    Ids(&'static str),
    /// No open value of a kind has this id.
    #[error("{} id is {id}, allowed are ids of {} that are open", names.one, names.many)]
    Closed {
        /// Names of the kind of value in the slots.
        names: Names,
        /// Id that Java gave.
        id: i32,
    },
    /// The value was lost in an earlier call.
    #[error("{one} {id} failed in an earlier call")]
    Lost {
        /// Name of the things in the slots.
        one: &'static str,
        /// Id that Java gave.
        id: i32,
    },
    /// The reader of an archive cannot begin, or has panicked.
    #[error("the archive cannot be read: {0}")]
    Archive(#[source] io::Error),
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
        /// Error of the file system.
        #[source]
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
