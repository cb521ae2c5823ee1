//! Records, and the problems that a record can have, for all formats.

use serde::{Deserialize, Serialize};
use std::io::{self, ErrorKind};

/// The kinds of problems with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// A line is not a JSON object with the fields of a page.
    InvalidJson,
    /// A record has neither text nor figures.
    NoText,
    /// An earlier record has the same URL.
    DuplicateUrl,
    /// A record is longer than the limit.
    TooLong,
    /// Compressed data is damaged or ends early; what was in the damaged part is lost.
    BrokenCompression,
    /// A WARC record has an invalid header or ends early.
    BrokenWarc,
    /// A response in a WARC record has no proper HTTP head.
    BrokenHttp,
    /// The engine could not read the page.
    Failed,
    /// A record, or a row of a crawl's table, has figures that are malformed or impossible.
    InvalidFigures,
    /// An input ends in the middle of a record.
    CutShort,
    /// The length of a WARC record is wrong, so that it may hide others.
    WrongLength,
    /// A table (Parquet) is damaged, so that its other rows are lost.
    BrokenTable,
    /// The file system failed, so that the rest of the file was not read. The file may be whole.
    Unreadable,
}

impl ProblemKind {
    /// Returns the plural name of this kind for a sentence.
    pub fn describe(self) -> &'static str {
        self.names().1
    }

    /// Returns the count and the name of this kind for a sentence.
    pub fn counted(self, count: u64) -> String {
        let (one, several) = self.names();
        format!("{count} {}", if count == 1 { one } else { several })
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::InvalidJson => {
                ("line that is not a page in JSON", "lines that are not pages in JSON")
            }
            Self::NoText => ("record without text", "records without text"),
            Self::DuplicateUrl => {
                ("record with the URL of an earlier one", "records with the URL of an earlier one")
            }
            Self::TooLong => ("record that is too long", "records that are too long"),
            Self::BrokenCompression => (
                "place where compressed data is damaged",
                "places where compressed data is damaged",
            ),
            Self::BrokenWarc => ("damaged WARC record", "damaged WARC records"),
            Self::BrokenHttp => {
                ("response without a proper HTTP head", "responses without a proper HTTP head")
            }
            Self::Failed => ("page that could not be read", "pages that could not be read"),
            Self::InvalidFigures => {
                ("record whose figures do not read", "records whose figures do not read")
            }
            Self::CutShort => (
                "record that the input's end cuts short",
                "records that their input's end cuts short",
            ),
            Self::WrongLength => (
                "place where a wrong length hides records",
                "places where a wrong length hides records",
            ),
            Self::BrokenTable => {
                ("place where a table is damaged", "places where tables are damaged")
            }
            Self::Unreadable => (
                "file that could not be read to its end",
                "files that could not be read to their ends",
            ),
        }
    }

    /// Returns whether the number of lost records is unknown and may be more than one.
    pub fn is_loss(self) -> bool {
        matches!(
            self,
            Self::BrokenCompression
                | Self::CutShort
                | Self::WrongLength
                | Self::BrokenTable
                | Self::Unreadable
        )
    }
}

/// Returns whether an error means that the data are damaged. Others come from the file system, and
/// may not come again.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof
    )
}

/// The content of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// A page as JSON.
    Json(Vec<u8>),
    /// A page as fetched, with its Content-Type header.
    Html(String, Option<String>, Vec<u8>),
    /// Text of a page without markup.
    Text(String, Vec<u8>),
    /// A PDF, Office, OpenDocument or RTF file: its URL, its media type, its bytes.
    Document(String, String, Vec<u8>),
    /// A file with rules of a host, `/robots.txt` or `/.well-known/tdmrep.json`: its URL and its
    /// content.
    HostFile(String, Vec<u8>),
    /// The server no longer has this page.
    Gone(String),
    /// A record that is not a page: a request, an image, an error.
    Other(LeftOut),
}

/// The reason why a record is not a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// It describes others: a request, metadata, the file itself.
    About,
    /// A page that is stored elsewhere, because it did not change.
    Revisit,
    /// An answer with another status than 200 and 203, 404 and 410.
    Status,
    /// Its media type is not that of a page, and its bytes do not begin as a page.
    MediaType,
    /// Its media type is that of a page, but its bytes are those of an image or an archive.
    Bytes,
    /// A type of record that is not read, or an answer of another protocol than HTTP.
    Kind,
    /// A PDF, Office, OpenDocument or RTF file, where such files are not read.
    Document,
    /// Such a file that is damaged, encrypted or of a form that is not read.
    DamagedDocument,
    /// Such a file that needs more time or memory than it may have.
    CostlyDocument,
}

impl LeftOut {
    /// Returns the count and the name of this reason for a sentence.
    pub fn counted(self, count: u64) -> String {
        let name = match self {
            Self::About => "that describe other records",
            Self::Revisit => "of pages that had not changed (revisit)",
            Self::Status => "with another status than 200",
            Self::MediaType => "of other media types than HTML",
            Self::Bytes => "that are called HTML, but are images, documents or archives",
            Self::Kind => "of other kinds or protocols",
            Self::Document => "of PDF and Office documents",
            Self::DamagedDocument => "of documents that are damaged or encrypted",
            Self::CostlyDocument => "of documents beyond their time or memory",
        };
        format!("{count} {name}")
    }
}

/// A record and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its number in its file, from 1; for JSON lines the line number.
    pub number: u64,
    /// The page as fetched, or its text if the input has only that.
    pub body: Body,
    /// The crawl's decision on the page, if another record has it. JSON records have it in a field.
    pub decision: Option<String>,
    /// Fields of the record's header and of the response's head.
    pub about: About,
}

/// Facts about a page in a WARC file. All are empty in other formats.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// `WARC-Date`, as written: the time of the response in UTC.
    pub date: String,
    /// Media type of the page: `WARC-Identified-Payload-Type`, which the crawler found in the
    /// bytes, else that of the response's Content-Type header; in lower case, without parameters.
    pub media_type: String,
    /// Values of the response's header X-Robots-Tag, one on each line.
    pub robots: String,
    /// Reservations in the response's headers (TDM-Reservation, TDM-Policy, Content-Usage,
    /// Content-Signal), one `name: value` on each line.
    pub reservations: String,
}
