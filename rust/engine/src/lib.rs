//! Page bytes in, page record out.
//!
//! [`Engine`] composes extraction (`webam`), language bytes (`langbytes`) and the host score (`sitescore`) under one set of
//! [`Settings`]. [`frame`] is the form in which its answers cross the JNI border.
#![forbid(unsafe_code)]

pub mod frame;
mod page;
mod policy;
mod record;
mod settings;

use langbytes::{Combined, Identify};

pub use page::{BlockReport, Doubt, Engine, Inspection, Kind, PageHints};
pub use policy::{Policy, Stage};
pub use record::{Decision, PageRecord, Status};
pub use settings::{BadSettings, Settings};

pub use webam::{Alternate, Link, LinkOptions, Links, Refresh, Rel};

pub use sitescore::{HostTotals, RowScores, ScorePolicy, Steering};

/// Version of what a record's figures mean. Raise it when the same page, extractor and identifier would give other figures.
pub const RECORD_VERSION: u32 = 2;

/// Version that every record carries: record, extractor, identifier, such as `2 web-am/1 lm/2-0badcafe+cld2/20140204`. Records of another
/// version are stale.
pub fn record_version(extractor: webam::Extractor, identifier: &dyn Identify) -> String {
    format!("{RECORD_VERSION} {} {}", extractor.version(), identifier.version())
}

/// The version that records carry under the default extractor without further language packs.
pub fn default_record_version() -> String {
    record_version(Settings::DEFAULT_EXTRACTOR, &Combined::new(Vec::new(), None))
}
