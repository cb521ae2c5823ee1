//! What is in a corpus, as figures that add up.
//!
//! Every metric is an [`Accumulator`] over [`Page`]s: sums of whole numbers that can be merged in any order and travel as bytes; division
//! comes last. [`parse`] makes pages of records, [`pages`] gives those of all inputs, and [`analyze`](analyze::analyze) measures them on all cores;
//! [`crawl`] sums up a crawl's table in parts. The crate `report` says what came out.
#![forbid(unsafe_code)]

pub mod analyze;
pub mod byte_yields;
pub mod calibration;
pub mod cdx;
pub mod crawl;
pub mod duplicates;
pub mod fixed;
pub mod languages;
pub mod measures;
pub mod minhash;
pub mod page;
pub mod pages;
pub mod parse;
pub mod profile;
pub mod ranking;
pub mod richness;
pub mod rounds;
pub mod scratch;
mod seen;
mod signs;
pub mod sites;
pub mod sizes;
pub mod state;
pub mod style;
pub mod tokens;
pub mod totals;
pub mod urls;
mod vocabulary;
pub mod words;

pub use measures::{Figures, Measures, Plan};
pub use page::{Page, PageView, Viewer};
pub use scratch::Scratch;
pub use state::{Accumulator, BadState};
pub use tokens::Tokenizer;
