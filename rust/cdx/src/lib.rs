//! An index of the records of WARC files for replay programs, in CDXJ: one line per record, sorted
//! by bytes.
//!
//! [`indexing::index`] makes an index of many files. [`warc::records`] finds the records of one
//! and their offsets, [`Line`] holds the fields of a record,
//! [`Sorter`] sorts lines in bounded memory, [`search::find`] looks up the lines of a URL, also in
//! an index in CDX, and [`zipnum`] in one whose lines are in compressed blocks. [`reading`]
//! reads the indexes of archives, CDXJ and Parquet, also on servers; [`releases`] compares the releases
//! of an archive by them, and [`places`] has the ranges of their WARC files to read.
#![forbid(unsafe_code)]

pub mod indexing;
mod line;
pub mod lookup;
pub mod pages;
pub mod places;
pub mod reading;
pub mod releases;
pub mod search;
mod sort;
pub mod surt;
pub mod warc;
pub mod zipnum;

pub use line::{timestamp, Line};
pub use sort::Sorter;
