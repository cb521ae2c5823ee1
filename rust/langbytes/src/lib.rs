//! Bytes per language of a text.
//!
//! The input is text in blocks (paragraphs); the output is the number of UTF-8 bytes per language.
//! The crate `langid` identifies languages. This crate joins blocks that are too short to identify,
//! computes the sums, and has the content-size filter with its calibration. It also has the other
//! criteria for keeping a page: the language set, excerpts, letters, and the junk rules.

mod count;
mod excerpts;
mod filter;
mod junk;
mod letters;
mod neighbours;
mod noise;
mod set;
mod signs;
mod spans;
mod tally;
mod uniformity;

pub use count::{count, count_lines, segments, segments_of_page, Segment, Segments};
pub use excerpts::{excerpt_hits, excerpt_languages, excerpts, ExcerptHits, ExcerptSettings};
pub use filter::{
    calibrate, choose, Calibration, ContentSizeFilter, ThresholdRow, PRESERVED_SHARE, THRESHOLDS,
};
pub use junk::{
    junk, unknown_words, Junk, MAX_LANGUAGES, MAX_NON_LETTERS, MAX_REPETITION, MAX_UNKNOWN,
};
pub use langid::words::{Script, Scripts};
pub use langid::{
    clean, cleaned, comparable, is_variety_name, Cld2, Combined, Identify, LangCode,
    UnknownLanguage, NO_VARIETY,
};
pub use letters::{are_siblings, lettered, letters_allow};
pub use noise::language_of_line;
pub use set::{language_set, language_set_of, LanguageSet, SetSettings};
pub use spans::{spans, Span};
pub use tally::{BadLangBytes, LangBytes};
pub use uniformity::Uniformity;
