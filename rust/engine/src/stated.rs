//! Statements of a page and its response about the page: its days, licence and reservations.

use crate::{Links, PageRecord};
use provenance::{Context, Day, HostFiles, Provenance, RobotsFile, TdmFile};
use serde_json::Value;

/// Header fields of a response that have reservations against the use of its text, in lower case.
pub const RESERVATION_HEADERS: [&str; 5] =
    ["tdm-reservation", "tdm-policy", "content-usage", "content-signal", "x-robots-tag"];

/// Properties of a page's response beside its bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Response<'a> {
    /// Its [`RESERVATION_HEADERS`], one `name: value` on each line.
    pub headers: &'a str,
    /// The day of the fetch in UTC.
    pub fetched: Option<Day>,
    /// The files of its host that have reservations.
    pub files: HostFiles<'a>,
}

/// The rules of a host on the use of its pages.
#[derive(Debug, Clone, Default)]
pub struct HostRules {
    robots: Option<RobotsFile>,
    tdm: Option<TdmFile>,
}

impl HostRules {
    /// Reads `robots.txt` and `tdmrep.json` of a host.
    pub fn read(robots: Option<&[u8]>, tdm: Option<&[u8]>) -> Self {
        Self { robots: robots.map(RobotsFile::read), tdm: tdm.and_then(TdmFile::read) }
    }

    /// Returns the files for [`Response::files`].
    pub fn files(&self) -> HostFiles<'_> {
        HostFiles { robots: self.robots.as_ref(), tdm: self.tdm.as_ref() }
    }
}

/// Returns the fields of [`provenance::FIELDS`] that have a value, in their order. `links` must
/// have been read with [`LinkOptions::statements`](crate::LinkOptions).
///
/// Numbers and names of months are read as in the language that the page declares, or else in the
/// one that most of its main text is in.
pub fn stated(
    record: &PageRecord,
    links: &Links,
    url: Option<&str>,
    response: &Response,
) -> Vec<(&'static str, Value)> {
    let main = record.languages.most_first().first().and_then(|(code, _)| code.short());
    let context = Context {
        url,
        language: record.declared_language.as_deref().or(main),
        fetched: response.fetched,
        headers: response.headers,
        files: response.files,
        alternates: &links.alternates,
    };
    let headline = Some(record.headline.clone()).filter(|headline| !headline.is_empty());
    Provenance { headline, ..Provenance::of(&links.statements, &context) }.fields()
}
