//! Records of JSON lines, WARC, WET, ARC and WACZ files, plain or compressed by gzip, Zstandard, XZ
//! or bzip2.
//!
//! [`Source`] is a file, [`Input`] iterates over its [`Record`]s. A damaged record is a [`Problem`]
//! and does not affect other records. This crate handles only bytes and formats; `figures` and
//! `collect` make pages of records.
#![forbid(unsafe_code)]

mod arc;
mod dialect;
mod fault;
mod fed;
mod fields;
mod formats;
mod gzip;
mod http;
mod input;
mod jsonl;
mod pipe;
mod record;
mod source;
mod wacz;
mod warc;

pub use dialect::{has_text, name_fields, Names, Naming, NAMED};
pub use fault::{BadJson, Fault, NotedProblem, Problem};
pub use fed::{Fed, Step};
pub use fields::Fields;
pub use gzip::{Damaged, Members};
pub use http::{is_document_type, payload};
pub use input::{MemberRead, Plain, Random, Seekable};
pub use jsonl::Lines;
pub use pipe::{end_pipes_by, open_input};
pub use record::{About, Body, LeftOut, ProblemKind, Record};
pub use source::{
    decompress, open_file, read_tables_by, unreadable, Input, NoSource, OpenTable, Source,
    TableRecords, COMPRESSED, ENDINGS,
};
pub use warc::{Absent, Block, Damage, Head, RecordPlace, Records, Scanner, Whole};
