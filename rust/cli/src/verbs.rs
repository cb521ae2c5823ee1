//! The verbs of the command. Each module has the verb's arguments and `run`, which returns false if
//! a part of the work failed and was reported already. No verb imports another; what several use is
//! in [`crate::io`], [`crate::arguments`] or a library.

pub mod audit;
pub mod calibrate;
pub mod cdx;
pub mod collect;
pub mod deduplicate;
pub mod evaluate_langid;
pub mod extract;
pub mod generate;
pub mod identify;
pub mod inspect;
pub mod langbytes;
pub mod languages;
pub mod lookup;
pub mod package;
pub mod pairs;
pub mod quality;
pub mod queries;
pub mod rejudge;
pub mod report;
pub mod seeds;
pub mod sentences;
pub mod simulate;
pub mod train;
pub mod vertical;
pub mod wikipedia;
pub mod words;
