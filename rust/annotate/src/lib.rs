//! Marks the records of a corpus: with quality signals and the rules that a page breaks, with the
//! answers of other identifiers, and with scores of other programs.
#![forbid(unsafe_code)]

mod opinions;
mod rules;
pub mod scores;
mod sums;
mod word_list;

pub use opinions::{Answer, BadAnswer, BadAnswers, Opinions};
pub use rules::{Annotated, Kind, Rule, Rules};
pub use sums::Sums;
pub use word_list::WordList;
