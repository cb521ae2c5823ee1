//! What is known of a page after the engine read it.

use crate::Stage;
use langbytes::{ExcerptHits, Junk, LangBytes, LanguageSet};
use serde::{Serialize, Serializer};
use std::fmt;

/// How reading a page ended.
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
    /// A limit ended the reading, and the figures are those of what was read before; or the page was too deep and was
    /// read flat, to its end.
    LimitHit,
    /// The engine itself failed: a panic, or arguments that make no sense.
    Failed,
}

impl Status {
    /// The status as frames and HBase have it.
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

/// Whether a page belongs into the corpus, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Whether it does.
    pub keep: bool,
    /// Why, such as `3140 bytes of urd, 256 wanted`.
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
    /// How reading ended.
    pub status: Status,
    /// One sentence when the status is not [`Status::Ok`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Charset that the page was decoded from, by its WHATWG name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charset: Option<&'static str>,
    /// The page's title, empty if it has none.
    pub title: String,
    /// Language that the page declares itself to be in: the first 64 characters of what is written there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared_language: Option<String>,
    /// Whether the page's robots meta forbids to index it.
    pub noindex: bool,
    /// Whether the page's robots meta forbids to follow its links.
    pub nofollow: bool,
    /// Bytes of the page as fetched.
    pub raw_bytes: u64,
    /// Bytes of all visible text: its blocks, joined by `\n`.
    pub visible_bytes: u64,
    /// Bytes of `text`.
    pub main_bytes: u64,
    /// Bytes of the main text per language. The line breaks that join blocks are in no language.
    #[serde(serialize_with = "most_first")]
    pub languages: LangBytes,
    /// Bytes of the main text in the target language.
    pub target_bytes: u64,
    /// Languages that the main text is written in, in JSON as whole percent of its words' characters.
    #[serde(serialize_with = "percents")]
    pub language_set: LanguageSet,
    /// Why the main text is junk, if it is.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "displayed_if_any")]
    pub junk: Option<Junk>,
    /// How many excerpts of the main text are in the target language; none if it is too short to have excerpts.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "displayed_if_any")]
    pub excerpts: Option<ExcerptHits>,
    /// Whether the page is kept.
    #[serde(serialize_with = "displayed")]
    pub decision: Decision,
    /// What decided that; none if the page has no main text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// The main text: its blocks, joined by `\n`.
    pub text: String,
}

/// A JSON object from code to bytes, most bytes first.
pub(crate) fn most_first<S: Serializer>(languages: &LangBytes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(languages.most_first().into_iter().map(|(code, bytes)| (code.to_string(), bytes)))
}

fn percents<S: Serializer>(set: &LanguageSet, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(set.percents().into_iter().map(|(code, percent)| (code.to_string(), percent)))
}

fn displayed_if_any<S: Serializer>(value: &Option<impl fmt::Display>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

fn displayed<S: Serializer>(value: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
