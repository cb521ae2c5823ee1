//! Bytes per language of a text.
//!
//! Text comes in as blocks (paragraphs); what comes out is how many of its UTF-8 bytes are in which language. CLD2 does the
//! identifying (crate `langid`); this crate owns the joining of blocks that are too short to identify, the
//! sums, and the content-size filter with its calibration.

mod count;
mod filter;
mod tally;

pub use count::{count, segments, Segment, Segments};
pub use filter::{calibrate, choose, Calibration, ContentSizeFilter, ThresholdRow, PRESERVED_SHARE, THRESHOLDS};
pub use langid::{LangCode, UnknownLanguage};
pub use tally::{BadLangBytes, LangBytes};

/// Name and data version of the identifier, part of every record's version: a change makes old records stale.
pub const IDENTIFIER: &str = langid::CLD2_VERSION;
