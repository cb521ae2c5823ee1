//! Files that a user names: the files of corpora in folders and their records, texts, and training
//! text; and identifiers by name, some of which are trained from texts.
//!
//! The command and the Python module find and read their inputs with it, so that both read the same
//! files, with the same limits and messages.
#![forbid(unsafe_code)]

pub mod corpus;
pub mod domains;
mod error;
pub mod exclusions;
pub mod files;
pub mod identifiers;
pub mod labels;
pub mod pages;
pub mod removals;
mod sources;
pub mod texts;
pub mod training;
pub mod urls;

pub use error::{BadInput, Unusable};
pub use sources::{all_sources, corpus_name, is_hidden, real, sources, Found};
