//! The figures of a corpus, as sums that can be merged.
//!
//! Every metric is an [`Accumulator`] over [`CorpusPage`]s: sums of integers that can be merged in
//! any order and exported as bytes; division comes last. [`parse`] makes pages of records, [`pages`]
//! iterates over those of all inputs, [`analyze`](analyze::analyze) measures them on all cores,
//! [`wordlist`] lists their words, and [`crawl`] sums up a crawl's table in parts. The crate
//! `report` formats the results.
#![forbid(unsafe_code)]

pub mod analyze;
pub mod byte_yields;
pub mod calibration;
pub mod cdx;
pub mod classes;
pub mod combinations;
pub mod crawl;
pub mod duplicates;
pub mod failure;
pub mod fixed;
pub mod identity;
pub mod languages;
pub mod letters;
pub mod measures;
pub mod minhash;
pub mod origins;
pub mod page;
pub mod pages;
pub mod parse;
pub mod profile;
pub mod quality;
pub mod ranking;
pub mod reference;
pub mod removals;
pub mod richness;
pub mod rounds;
pub mod samples;
pub mod scratch;
pub mod seen;
mod signs;
pub mod sites;
pub mod sizes;
pub mod state;
pub mod style;
pub mod tokens;
pub mod totals;
pub mod urls;
pub mod varieties;
mod vocabulary;
pub mod wordlist;
pub mod words;

pub use measures::{Figures, Measures, Plan};
pub use page::{CorpusPage, PageView, Viewer};
pub use scratch::Scratch;
pub use state::{Accumulator, BadState};
pub use tokens::Tokenizer;
