//! Quality signals of a text, and limits for them.
//!
//! [`Signals`] are numbers that describe how a text is built. [`Limits`] are the thresholds of a
//! language, in the file format of FineWeb-2; [`Limits::noise`] returns which rules a text breaks.
//! [`Derivation`] computes limits from good text of the language: limits from English delete most
//! of what is written in other languages.
#![forbid(unsafe_code)]

mod characters;
mod derive;
mod limits;
mod repeats;
mod signals;
mod words;

pub use derive::{Derivation, DeriveError, MIN_PAGES};
pub use limits::{Bound, Limits, LimitsError, Noise};
pub use signals::{Signals, NAMES, REPEATED, TOP};
pub use words::Splitting;
