//! Makes a corpus for each given language from archives: WARC files, WET files and JSON lines.
//!
//! Every input is read by itself into a *part*, a file with the documents of all languages in the
//! order of their records ([`part`]). When all parts are there, they are joined to one corpus per
//! language, in the order of the inputs, each URL once ([`join`]). So the corpora depend neither on
//! the number of threads nor on their timing, and a run that was killed goes on with the inputs
//! whose parts are missing.
//!
//! [`stream`] returns the same documents one batch after the other, without a folder.
//!
//! Documents have the fields, figures and decisions of a crawl's corpus ([`engine::Document`],
//! [`page`]).
#![forbid(unsafe_code)]

pub mod address;
pub mod documents;
pub mod folder;
pub mod hosts;
pub mod join;
pub mod output;
pub mod page;
pub mod part;
pub mod readme;
pub mod stream;
pub mod work;

pub use documents::Documents;
pub use engine::Format;
pub use folder::{Folder, Foreign};
pub use hosts::Hosts;
pub use page::Judge;
pub use stream::Stream;
pub use work::{Failure, News, Work};

/// Time for one page, in milliseconds: enough for any, so that a busy machine makes the same
/// corpus.
pub const MAX_MILLIS: u64 = 3_600_000;
