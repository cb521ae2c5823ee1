//! Paragraphs of text from the dumps of MediaWiki wikis, such as Wikipedia.
//!
//! [`Extraction`] reads whole dumps. There are three steps: [`Dump`] reads the articles of a dump,
//! [`paragraphs`] returns the paragraphs of an article's wikitext, and [`Repeats`] detects
//! paragraphs that bots wrote thousands of times with other names and numbers. Wikitext is
//! untrusted input, so each step takes linear time, whatever is nested or left open, and none
//! recurses.
#![forbid(unsafe_code)]

mod dump;
mod extraction;
mod repeats;
mod wikitext;

pub use dump::{Article, Broken, Counts, Dump};
pub use extraction::{Batch, Extraction, ParagraphSums, Settings};
pub use repeats::Repeats;
pub use wikitext::{paragraphs, Kind, Namespaces, Paragraph};
