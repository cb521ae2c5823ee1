//! The error of an input that cannot be used.

use crate::training::MAX_TEXT;
use langid::{LangCode, UnknownLanguage};
use records::ENDINGS;
use std::fmt;
use std::io;
use std::path::Path;

/// The option with the limit of what is read.
const LIMIT: &str = "--max-bytes";

/// An input that cannot be used, with the option of the command that its reader must change, if
/// that is known.
#[derive(Debug)]
pub struct BadInput {
    /// The name of the file or folder.
    name: String,
    reason: Unusable,
    option: Option<&'static str>,
}

/// Reasons why an input cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// There is no file, or neither file nor folder.
    #[error("no such {0}")]
    Missing(&'static str),
    /// The system cannot read it.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// A symlink leads to a folder above it.
    #[error("links back to a folder that it is in")]
    Circle,
    /// It is a device or a pipe, which may never end.
    #[error("is not a regular file; name a file or a folder of texts")]
    NotAFile,
    /// It has more bytes than allowed.
    #[error("longer than {max_bytes} bytes")]
    TooLong {
        /// Most bytes of a file.
        max_bytes: u64,
    },
    /// One of its lines has more bytes than allowed.
    #[error("line {line} is longer than {max_bytes} bytes")]
    LongLine {
        /// The number of the line, from 1.
        line: u64,
        /// Most bytes of a line.
        max_bytes: u64,
    },
    /// A folder has no file of a corpus.
    #[error(
        "holds no corpus; allowed are {}, all but Parquet and WACZ also with .gz, .zst, .xz or .bz2",
        ENDINGS.map(|ending| format!("*.{ending}")).join(", ")
    )]
    NoCorpus,
    /// A path has no file of texts.
    #[error("no texts; texts are files *.txt or *.jsonl, each also with .gz or .zst")]
    NoTexts,
    /// The files of a folder have no text.
    #[error("every text in this folder is empty")]
    EmptyTexts,
    /// A file has no text.
    #[error("is empty")]
    Empty,
    /// More than one character in ten does not occur in text.
    #[error(
        "is not text in UTF-8: {strange} of {all} characters are control characters, unassigned, \
         or bytes that are not UTF-8; allowed is one in ten"
    )]
    NotText {
        /// The number of characters that do not occur in text.
        strange: u64,
        /// The number of characters that were read.
        all: u64,
    },
    /// It has another format than plain text.
    #[error("holds {0}; allowed are plain text and JSON lines with `text`")]
    OtherThanText(&'static str),
    /// A line is no record with a text.
    #[error("line {line}: {error}")]
    NotARecord {
        /// The number of the line, from 1.
        line: u64,
        /// The error of the parser.
        error: serde_json::Error,
    },
    /// No line of records is in the language that the text should be in.
    #[error("no line of these records is in {} ({of}); name text in the language", of.name())]
    OtherLanguages {
        /// Language that the text should be in.
        of: LangCode,
    },
    /// There is more text than fits into memory.
    #[error("there are more than {MAX_TEXT} bytes of text in all; name a part of it")]
    TooMuchText,
    /// It is named after no known language.
    #[error(transparent)]
    UnknownLanguage(#[from] UnknownLanguage),
    /// It is named after `und`.
    #[error("`und` is not a language of texts")]
    Undetermined,
    /// A folder has no list of word counts.
    #[error("no lists of word counts; lists are files *.tsv, also .gz or .zst")]
    NoLists,
    /// A line of a list is no word with its count.
    #[error("line {line}: found `{found}`; a line has a word, a tab and a whole number")]
    NotACount {
        /// The number of the line, from 1.
        line: u64,
        /// The first 40 characters of the line.
        found: String,
    },
    /// The lists of word counts have more bytes than fit into memory.
    #[error("there are more than {MAX_TEXT} bytes of lists in all; name a part of them")]
    TooManyLists,
}

impl BadInput {
    /// Returns why the file cannot be used.
    pub fn reason(&self) -> &Unusable {
        &self.reason
    }

    /// Creates an error without an option, or with `--max-bytes` if that limit was exceeded.
    pub fn new(name: impl Into<String>, reason: impl Into<Unusable>) -> Self {
        let reason = match reason.into() {
            Unusable::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => {
                Unusable::Missing("file")
            }
            reason => reason,
        };
        let is_limit = matches!(reason, Unusable::TooLong { .. } | Unusable::LongLine { .. });
        Self { name: name.into(), reason, option: is_limit.then_some(LIMIT) }
    }

    /// Creates the error for an entry of a folder that cannot be read.
    pub fn of_entry(error: walkdir::Error) -> Self {
        let name = error.path().unwrap_or(Path::new("")).display().to_string();
        let reason = error.into_io_error().map_or(Unusable::Circle, Unusable::Unreadable);
        Self { name, reason, option: None }
    }

    /// Names the option that named the input, in place of that of its reader. Only `--max-bytes`
    /// stays, because it is the limit that was exceeded.
    #[must_use]
    pub fn of_option(self, option: &'static str) -> Self {
        match self.option {
            Some(LIMIT) => self,
            _ => Self { option: Some(option), ..self },
        }
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            reason @ Unusable::Missing(_) => write!(f, "cannot read {}: {reason}", self.name)?,
            reason => write!(f, "{}: {reason}", self.name)?,
        }
        self.option.map_or(Ok(()), |option| write!(f, " ({option})"))
    }
}

impl std::error::Error for BadInput {}
