//! Faults of records, in all formats.

use crate::formats::FORMATS;
use crate::record::is_damage;
use crate::{Damage, ProblemKind};
use serde::{Deserialize, Serialize};
use std::io;

/// The fault of a record, or of the input that has it. Its sentence follows the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A line is not a page in JSON.
    #[error("not a page in JSON: {reason}")]
    Json {
        /// The fault of the line.
        reason: BadJson,
        /// Whether the input ends inside the line.
        is_cut: bool,
    },
    /// A language code of the record is unknown. The sentence has the code.
    #[error("{0}")]
    Language(String),
    /// The record has no text.
    #[error("no `text`; --fields names the field with the text")]
    NoText,
    /// The record has neither text nor figures.
    #[error("neither `text` nor `languages`; --fields names the field with the text")]
    NoFigures,
    /// An earlier record has this URL.
    #[error("an earlier record has the URL {0}")]
    Duplicate(String),
    /// A figure of one page is impossible.
    #[error("`{name}` is {bytes} bytes; allowed are at most {most} for one page")]
    Figure {
        /// Name of its field.
        name: &'static str,
        /// The figure, in bytes.
        bytes: u64,
        /// The largest that is allowed, in bytes.
        most: u64,
    },
    /// The bytes per language in a row of a crawl's table cannot be read. The sentence has them.
    #[error("{0}")]
    Languages(String),
    /// The record is longer than the limit, in bytes.
    #[error("longer than {0} bytes (--max-bytes)")]
    TooLong(u64),
    /// Compressed data is damaged. Message of the decompressor.
    #[error("{0}")]
    Compression(String),
    /// The file system failed. Message of the system.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    /// The input has a format that is not read. Its name.
    #[error("is {0}, which is not read; read are {FORMATS}")]
    Format(&'static str),
    /// A WARC record is damaged.
    #[error(transparent)]
    Warc(#[from] Damage),
    /// Bytes between the records of an ARC file, as a number.
    #[error("{0} bytes are not an ARC record")]
    ArcJunk(u64),
    /// The input ends inside an ARC record.
    #[error("an ARC record ends early")]
    ArcCut,
    /// A response has no HTTP head.
    #[error("a response has no proper HTTP head")]
    NoHttpHead,
    /// A record cannot be in an index.
    #[error("{why}")]
    NotIndexed {
        /// The kind of problem.
        kind: ProblemKind,
        /// The reason.
        why: &'static str,
    },
    /// A table (Parquet) came through a pipe.
    #[error("is Parquet, which is read from its end: name the file itself, not a pipe")]
    PipedTable,
    /// A table is damaged. Message of its reader.
    #[error("{0}")]
    Table(String),
    /// The engine could not read the page. Its message.
    #[error("{0}")]
    Engine(String),
    /// The engine panicked on the page.
    #[error("the engine panicked")]
    Panic,
}

/// The fault of a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadJson {
    /// The line is an array, a string or another value.
    #[error("a page is an object, from `{{` to `}}`, on a line of its own")]
    NoObject,
    /// A byte of the line, counted from 1, is not UTF-8.
    #[error("byte {0} of the line is not UTF-8")]
    NotUtf8(usize),
    /// The line is not JSON, or a field has a value of another type. Message of the parser.
    #[error("{0}")]
    Syntax(String),
}

impl Fault {
    /// Returns the fault that an error of reading is: damage of the data, or a failure of the file
    /// system, after which reading ends.
    pub(crate) fn of(error: &io::Error) -> Self {
        let message = error.to_string();
        if is_damage(error) {
            Self::Compression(message)
        } else {
            Self::Unreadable(message)
        }
    }

    /// Returns the kind of problem.
    pub fn kind(&self) -> ProblemKind {
        match self {
            Self::Json { is_cut: true, .. } | Self::ArcCut => ProblemKind::CutShort,
            Self::Json { .. } | Self::Language(_) => ProblemKind::InvalidJson,
            Self::NoText | Self::NoFigures => ProblemKind::NoText,
            Self::Duplicate(_) => ProblemKind::DuplicateUrl,
            Self::Figure { .. } | Self::Languages(_) => ProblemKind::InvalidFigures,
            Self::TooLong(_) => ProblemKind::TooLong,
            Self::Compression(_) => ProblemKind::BrokenCompression,
            Self::Unreadable(_) | Self::Format(_) => ProblemKind::Unreadable,
            Self::Warc(damage) => damage.kind(),
            Self::ArcJunk(_) => ProblemKind::BrokenWarc,
            Self::NoHttpHead => ProblemKind::BrokenHttp,
            Self::NotIndexed { kind, .. } => *kind,
            Self::PipedTable | Self::Table(_) => ProblemKind::BrokenTable,
            Self::Engine(_) | Self::Panic => ProblemKind::Failed,
        }
    }

    /// Returns this fault with its place: file and line, record or byte.
    pub fn at(self, place: impl Into<String>) -> Problem {
        Problem { place: place.into(), fault: self }
    }
}

/// A skipped record, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct Problem {
    /// File and line, record or byte.
    pub place: String,
    /// The fault of the record.
    pub fault: Fault,
}

impl Problem {
    /// Returns the kind of problem.
    pub fn kind(&self) -> ProblemKind {
        self.fault.kind()
    }
}

/// A problem as figures store it, for reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{place}: {what}")]
pub struct NotedProblem {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// File and line, record or byte.
    pub place: String,
    /// The fault as a sentence, without the place.
    pub what: String,
}

impl From<&Problem> for NotedProblem {
    fn from(Problem { place, fault }: &Problem) -> Self {
        Self { kind: fault.kind(), place: place.clone(), what: fault.to_string() }
    }
}
