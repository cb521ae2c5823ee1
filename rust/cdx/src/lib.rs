//! An index of the records of WARC files, as replay programs read it: CDXJ, a line a record, sorted by its bytes.
//!
//! [`warc::records`] finds the records and their places, [`Line`] is what the index says of one, [`Sorter`] puts lines in order within
//! bounded memory, [`search::find`] finds those of an address again.
#![forbid(unsafe_code)]

mod line;
pub mod search;
mod sort;
pub mod surt;
pub mod warc;

pub use line::{timestamp, Line};
pub use sort::Sorter;
