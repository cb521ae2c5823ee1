//! Records of JSON lines, WARC and WET files, plain or compressed by gzip or Zstandard.
//!
//! [`Source`] is a file, [`Input`] gives its [`Record`]s one after the other. A damaged record is a [`Problem`] and costs no other
//! record. This room knows bytes and formats alone; `corpus` makes pages of records.
#![forbid(unsafe_code)]

mod gzip;
mod http;
mod jsonl;
mod record;
mod source;
mod warc;

pub use gzip::{MemberRead, Members, Plain};
pub use http::payload;
pub use jsonl::Lines;
pub use record::{Body, Problem, ProblemKind, Record};
pub use source::{decompress, Input, Source, ENDINGS};
pub use warc::Records;
