//! Marks the records of a corpus: with quality signals and the rules that a page breaks, with the
//! answers of other identifiers, classes of models, and with scores of other programs.
#![forbid(unsafe_code)]

mod classes;
mod opinions;
mod rules;
pub mod scores;
mod sums;
mod word_list;

pub use classes::{Classifier, Found, Hosts};
pub use opinions::{Answer, BadAnswer, BadAnswers, Opinions};
pub use rules::{Annotated, Kind, Rule, Rules};
pub use sums::AnnotationSums;
pub use word_list::WordList;
