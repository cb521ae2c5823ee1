//! A record, and what can be wrong with one: the types below all formats.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What can be wrong with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// A line is no JSON object with the fields of a page.
    InvalidJson,
    /// A record has neither text nor figures.
    NoText,
    /// An earlier record has the same URL.
    DuplicateUrl,
    /// A record is longer than what is read.
    TooLong,
    /// Compressed data is damaged or ends early; what was in the damaged part is lost.
    BrokenCompression,
    /// A WARC record has no proper header or ends early.
    BrokenWarc,
    /// A response in a WARC record has no proper HTTP head.
    BrokenHttp,
    /// The engine could not read the page.
    Failed,
    /// A record, or a row of a crawl's table, has figures that do not read, or that no page can have.
    InvalidFigures,
    /// An input ends in the middle of a record.
    CutShort,
    /// The length of a WARC record is wrong, so that it may hide others.
    WrongLength,
}

impl ProblemKind {
    /// What several of it are called in a sentence.
    pub fn describe(self) -> &'static str {
        self.names().1
    }

    /// What so many of it are called in a sentence, with their number.
    pub fn counted(self, count: u64) -> String {
        let (one, several) = self.names();
        format!("{count} {}", if count == 1 { one } else { several })
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::InvalidJson => ("line that is no page in JSON", "lines that are no page in JSON"),
            Self::NoText => ("record without text", "records without text"),
            Self::DuplicateUrl => ("record with the URL of an earlier one", "records with the URL of an earlier one"),
            Self::TooLong => ("record that is too long", "records that are too long"),
            Self::BrokenCompression => {
                ("place where compressed data is damaged", "places where compressed data is damaged")
            }
            Self::BrokenWarc => ("damaged WARC record", "damaged WARC records"),
            Self::BrokenHttp => ("response without a proper HTTP head", "responses without a proper HTTP head"),
            Self::Failed => ("page that could not be read", "pages that could not be read"),
            Self::InvalidFigures => ("record whose figures do not read", "records whose figures do not read"),
            Self::CutShort => ("record that the input's end cuts short", "records that their input's end cuts short"),
            Self::WrongLength => {
                ("place where a wrong length hides records", "places where a wrong length hides records")
            }
        }
    }

    /// Whether nobody knows how much is missing: more than one record may be.
    pub fn is_loss(self) -> bool {
        matches!(self, Self::BrokenCompression | Self::CutShort | Self::WrongLength)
    }
}

/// A record that is skipped, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// What kind.
    pub kind: ProblemKind,
    /// File and line, record or byte.
    pub place: String,
    /// One sentence.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// What a record holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// A page as JSON.
    Json(Vec<u8>),
    /// A page as fetched, with its Content-Type header.
    Html(String, Option<String>, Vec<u8>),
    /// Text of a page, its markup gone.
    Text(String, Vec<u8>),
    /// The server no longer has this page.
    Gone(String),
    /// No page: a request, an image, an error.
    Other,
}

/// A record and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its number in its file, from 1; of JSON lines the line.
    pub number: u64,
    /// What it holds.
    pub body: Body,
    /// What a crawl decided on the page, where a record beside this one tells it. JSON tells it itself.
    pub decision: Option<String>,
}
