//! Paragraphs of text from the dumps of wikis that MediaWiki keeps, such as Wikipedia's.
//!
//! Three steps: a dump gives its articles ([`Dump`]), an article's wikitext its paragraphs ([`paragraphs`]), and what bots wrote thousands of
//! times but for a name and a number is told by [`Repeats`]. Anybody may have written the wikitext, so each step takes time in proportion to
//! its input, whatever is nested or left open in it, and none recurses.
#![forbid(unsafe_code)]

mod dump;
mod repeats;
mod wikitext;

pub use dump::{Article, Broken, Counts, Dump};
pub use repeats::Repeats;
pub use wikitext::{paragraphs, Kind, Namespaces, Paragraph};
