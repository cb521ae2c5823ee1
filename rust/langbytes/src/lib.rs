//! Bytes per language of a text.
//!
//! Text comes in as blocks (paragraphs); what comes out is how many of its UTF-8 bytes are in which language. An identifier
//! of the crate `langid` tells languages apart; this crate owns the joining of blocks that are too short to identify, the
//! sums, and the content-size filter with its calibration. What else says whether a page is worth keeping is here too: the set of
//! languages that it is written in, excerpts, letters, and the marks of junk.

mod count;
mod excerpts;
mod filter;
mod junk;
mod letters;
mod set;
mod tally;

pub use count::{count, segments, Segment, Segments};
pub use excerpts::{excerpt_hits, excerpts, ExcerptHits, ExcerptSettings};
pub use filter::{calibrate, choose, Calibration, ContentSizeFilter, ThresholdRow, PRESERVED_SHARE, THRESHOLDS};
pub use junk::{junk, Junk, MAX_LANGUAGES, MAX_NON_LETTERS, MAX_REPETITION};
pub use langid::words::Script;
pub use langid::{Cld2, Combined, Identify, LangCode, UnknownLanguage};
pub use letters::{are_siblings, lettered, letters_allow};
pub use set::{language_set, language_set_of, LanguageSet, SetSettings};
pub use tally::{BadLangBytes, LangBytes};
