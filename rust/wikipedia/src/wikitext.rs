//! Paragraphs of wikitext.
//!
//! This is not a parser: it returns the text and discards its format. It makes seven linear passes
//! over the page: comments and tags, templates, variants, tables, links, addresses, lines. The
//! order is MediaWiki's own, so that markup is hidden in the same places. MediaWiki shows unclosed
//! markup as text; training text is better without it, so the rest of the paragraph is removed.

mod addresses;
mod lines;
mod links;
mod namespaces;
mod tables;
mod tags;
mod templates;
mod tidy;
mod variants;

use addresses::without_addresses;
use lines::lines;
use links::without_links;
use std::ops::Range;
use tables::without_tables;
use tags::without_tags;
use templates::without_templates;
use variants::without_variants;

pub use namespaces::Namespaces;

/// Marks the start and the end of link text or bold text, mostly a name. These noncharacters are
/// removed from pages.
const NAME: char = '\u{FDD0}';
const NAME_END: char = '\u{FDD1}';
/// Marks a place in a line where something was removed.
const HOLE: char = '\u{FDD2}';
/// Marks the end of a paragraph.
const BREAK: char = '\u{FDD3}';
/// Marks that the rest of the paragraph is unclosed markup.
const OPEN: char = '\u{FDD4}';
/// Most open templates, and links, at a time; MediaWiki itself nests up to a hundred. Further ones
/// are not stored, so their ends close earlier ones.
const MAX_OPEN: usize = 1 << 16;

/// The kinds of paragraphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Running text.
    Text,
    /// The heading of a section.
    Heading,
    /// An item of a list, or an indented line.
    Item,
}

/// A paragraph without markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    /// What the markup made it: text, an item of a list, or a heading.
    pub kind: Kind,
    /// Its text in one line.
    pub text: String,
    /// Byte ranges of link text and bold text, in order.
    pub names: Vec<Range<usize>>,
}

/// Returns the paragraphs of a page, in order. Those without a letter are omitted.
pub fn paragraphs(title: &str, wikitext: &str, namespaces: &Namespaces) -> Vec<Paragraph> {
    let text = without_tags(wikitext);
    let text = without_templates(&text, title);
    let text = without_variants(&text);
    let text = without_tables(&text);
    let text = without_links(&text, namespaces);
    let text = without_addresses(&text);
    lines(&text)
}

/// Returns the number of repetitions of a byte at the beginning.
fn run(text: &[u8], byte: u8) -> usize {
    text.iter().take_while(|&&other| other == byte).count()
}

/// Returns whether a line is a heading.
fn is_heading(line: &str) -> bool {
    let line = line.trim_end_matches([' ', '\t', HOLE, BREAK]);
    line.len() >= 3 && line.starts_with('=') && line.ends_with('=')
}
