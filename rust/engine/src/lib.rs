//! Page bytes in, page record out.
//!
//! [`Engine`] combines extraction (`content`), language bytes (`langbytes`) and the host score
//! (`sitescore`) under one set of [`Settings`]. [`stated`] reads what a page states about itself
//! (`provenance`). [`frame`] encodes the results for the JNI border.
#![forbid(unsafe_code)]

mod anchors;
mod content_json;
pub mod document;
pub mod frame;
pub mod json;
mod look;
mod page;
mod policy;
mod profile;
mod record;
mod settings;
mod stated;
mod stop;
mod targets;

use langbytes::{Combined, Identify};

pub use content_json::content_json;
pub use document::{Document, Format};
pub use look::FirstLook;
pub use page::{BlockReport, Doubt, Engine, Inspection, Kind, PageHints};
pub use policy::{LinksPolicy, Policy, Stage};
pub use profile::{Given, Profile, UnknownProfile};
pub use record::{Decision, PageRecord, Status};
pub use settings::{BadSettings, Settings};
pub use stated::{stated, HostRules, Response, RESERVATION_HEADERS};
pub use stop::StopWords;
pub use targets::Targets;

pub use content::{
    Alternate, Comments, Headline, Link, LinkOptions, Links, Refresh, Rel, Statements,
};
pub use provenance::{Day, HostFiles};

pub use sitescore::{HostTotals, RowScores, ScorePolicy, Steering};

/// Version of the figures in a record. Raise it when the same page, extractor and identifier would
/// give other figures.
pub const RECORD_VERSION: u32 = 3;

/// Returns the version that every record has: record, extractor, identifier, such as
/// `3 web-am/2 lm/2-0badcafe+cld2/20140204`. If comments of readers or the headline are dropped, it
/// names that after the extractor. Records with another version are stale.
pub fn record_version(
    extractor: content::Extractor,
    comments: content::Comments,
    headline: Headline,
    identifier: &dyn Identify,
) -> String {
    let finds_headline = extractor == content::Extractor::Best;
    let headline = if finds_headline { headline.version() } else { "" };
    let (extractor, comments) = (extractor.version(), comments.version());
    format!("{RECORD_VERSION} {extractor}{comments}{headline} {}", identifier.version())
}

/// Returns the record version of the default extractor without additional language packs.
pub fn default_record_version() -> String {
    record_version(
        Settings::DEFAULT_EXTRACTOR,
        content::Comments::default(),
        Headline::default(),
        &Combined::new(Vec::new(), None),
    )
}
