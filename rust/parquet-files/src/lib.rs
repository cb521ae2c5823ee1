//! Tables in Parquet: records of a corpus in shards, and the columnar index of an archive.
//!
//! [`Table`] opens a file, [`Rows`] iterates over the rows of some columns, [`open`] makes records
//! of them, and [`Shard`] writes a table. Files are hostile input: [`Table`] checks the footer
//! before the `parquet` crate parses it, and every page's header before the page is decompressed,
//! so that memory is bounded by the limit of the caller and not by what a file claims.
//!
//! Flat columns are read, and maps with text as keys. Other nested ones (lists, structs) are passed
//! over.
#![forbid(unsafe_code)]

mod cells;
mod entries;
mod file;
mod pages;
mod records;
mod shard;
mod table;
mod thrift;
mod time;

pub use records::{open, JSON_COLUMNS};
pub use shard::{Cell, Kind, Shard};
pub use table::{Bad, Rows, Table, Value};
pub use time::{parse_day, parse_time};
