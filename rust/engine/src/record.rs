//! The record of a page.

use crate::Stage;
use langbytes::{ExcerptHits, Junk, LangBytes, LanguageSet};
use serde::{Serialize, Serializer};
use std::fmt;

/// The outcome of reading a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The page was read to its end and has main text.
    Ok,
    /// The page was read to its end and has no main text.
    NoContent,
    /// The page is longer than `maxBytes` and was not read; only its raw bytes are known.
    TooLarge,
    /// The page is in a charset that cannot be decoded; only its raw bytes are known.
    UnsupportedCharset,
    /// A limit ended the reading, and the figures cover the part read so far; or the page was too
    /// deep, and was read to its end as a flat list.
    LimitHit,
    /// The engine failed: a panic, or invalid arguments.
    Failed,
}

impl Status {
    /// Returns the status as in frames and HBase.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::NoContent => "no_content",
            Self::TooLarge => "too_large",
            Self::UnsupportedCharset => "unsupported_charset",
            Self::LimitHit => "limit_hit",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Whether a page belongs to the corpus, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Whether it does.
    pub keep: bool,
    /// Why, such as `3140 bytes of urd, 256 wanted`. With several targets, the reason for a page
    /// that is kept begins with those that it is kept for: `for skr,urd: 3140 bytes of urd, 256
    /// wanted`.
    pub reason: String,
}

impl fmt::Display for Decision {
    /// `keep` or `reject`, a space, the reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.keep { "keep" } else { "reject" }, self.reason)
    }
}

/// A page's figures and its main text. Byte figures are of UTF-8 text, except `raw_bytes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageRecord {
    /// Record, extractor and identifier version, see [`record_version`](crate::record_version).
    pub version: String,
    /// Outcome of the reading.
    pub status: Status,
    /// One sentence when the status is not [`Status::Ok`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Charset that the page was decoded from, by its WHATWG name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charset: Option<&'static str>,
    /// The page's title, empty if it has none.
    pub title: String,
    /// The headline above the main content, also if `text` is without it: its first 1,000
    /// characters. Empty if there is none, and for extractors other than `best`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub headline: String,
    /// Language that the page declares: the first 64 characters of the attribute's value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared_language: Option<String>,
    /// Whether the page's robots meta forbids indexing.
    pub noindex: bool,
    /// Whether the page's robots meta forbids following its links.
    pub nofollow: bool,
    /// Bytes of the page as fetched.
    pub raw_bytes: u64,
    /// Bytes of all visible text: its blocks, joined by `\n`.
    pub visible_bytes: u64,
    /// Bytes of `text`.
    pub main_bytes: u64,
    /// Bytes of the main text per language. The line breaks that join blocks are not counted.
    #[serde(serialize_with = "most_first")]
    pub languages: LangBytes,
    /// Bytes of the main text in the target language; the sum of those of several.
    pub target_bytes: u64,
    /// Language set of the main text; in JSON as whole percent of its words' characters.
    #[serde(serialize_with = "percents")]
    pub language_set: LanguageSet,
    /// The junk rule that the main text meets; `None` if none.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "displayed_if_any")]
    pub junk: Option<Junk>,
    /// Number of excerpts of the main text in a target language; `None` if the text is too short
    /// for excerpts.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "displayed_if_any")]
    pub excerpts: Option<ExcerptHits>,
    /// Whether the page is kept.
    #[serde(serialize_with = "displayed")]
    pub decision: Decision,
    /// The stage that decided; `None` if the page has no main text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// The main text: its blocks, joined by `\n`.
    pub text: String,
}

/// Serializes language bytes as a JSON object from code to bytes, most bytes first.
pub(crate) fn most_first<S: Serializer>(
    languages: &LangBytes,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(
        languages.most_first().into_iter().map(|(code, bytes)| (code.to_string(), bytes)),
    )
}

fn percents<S: Serializer>(set: &LanguageSet, serializer: S) -> Result<S::Ok, S::Error> {
    serializer
        .collect_map(set.percents().into_iter().map(|(code, percent)| (code.to_string(), percent)))
}

fn displayed_if_any<S: Serializer>(
    value: &Option<impl fmt::Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

fn displayed<S: Serializer>(value: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
