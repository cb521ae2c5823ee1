//! The precision of a corpus, as people judge a random sample.
//!
//! All other figures of a corpus come from the identifier that built it. For ArabicWeb16 (Suwaileh
//! and others 2016) people judged a thousand random pages, and three people each judged page types.
//! This crate does the same: [`Sample`] draws pages, judges fill in a sheet, [`Judgements`] sums up
//! the sheets.
#![forbid(unsafe_code)]

mod figures;
mod page;
mod sample;
mod sheet;
mod text;

pub use figures::{alpha, kappa, wilson, Figures, LabelFigures};
pub use page::{write_page, TYPES};
pub use sample::Sample;
pub use sheet::{labelled, write, BadSheet, Drawn, Judgement, Judgements, Labelled, Sheet};
