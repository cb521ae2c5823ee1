//! Files that a user names: the files of corpora in folders, texts, and training text.
//!
//! The command and the Python module find and read their inputs with it, so that both read the same
//! files, with the same limits and messages.
#![forbid(unsafe_code)]

mod error;
pub mod files;
mod sources;
pub mod training;

pub use error::BadInput;
pub use sources::{all_sources, corpus_name, is_hidden, real, sources, unread_entry, Found};
