//! The result of one pass over the markup: title, declarations, and text blocks in document order.

use crate::flow::Flow;
use crate::forum::{self, Channel, Sign};
use crate::marks::Marks;
use crate::structure::Structure;
use std::fmt;
use std::ops::Range;
use std::time::Instant;

/// Limits on the work and memory of one page. If a page reaches a limit, what was read until then
/// is kept. Beyond the depth limit, reading continues without a tree.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Largest number of open elements. Deeper elements are read as if they were on this level.
    pub max_depth: usize,
    /// Largest number of text blocks in a page. Elements with text may be three times as many, or
    /// 10,000; later ones are read as part of the element around them.
    pub max_blocks: usize,
    /// Time at which the extractor stops. Reading has half of the time until then.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    /// The defaults of `corpulyzer.page.maxDepth` and `corpulyzer.page.maxBlocks`, and no deadline.
    fn default() -> Self {
        Limits {
            max_depth: properties::PAGE_MAX_DEPTH.default as usize,
            max_blocks: properties::PAGE_MAX_BLOCKS.default as usize,
            deadline: None,
        }
    }
}

/// Longest title, in bytes. A longer title comes from a `<title>` without an end, and is cut.
pub(crate) const MAX_TITLE: usize = 64 << 10;

/// Most fields, and most links to channels, whose positions a page has.
pub(crate) const MAX_FIELDS: usize = 32;

/// Cuts a text to at most this number of bytes, between characters.
pub(crate) fn cut(text: &mut String, most: usize) {
    if text.len() > most {
        text.truncate((0..=most).rfind(|at| text.is_char_boundary(*at)).unwrap_or(0));
    }
}

/// The limit that ended the reading of a page early, or flattened it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitHit {
    /// [`Limits::max_depth`], or the limit of elements with text. All text was read, but deeper or
    /// later text has no place of its own in the tree.
    Depth,
    /// [`Limits::max_blocks`]: later text was not read.
    Blocks,
    /// [`Limits::deadline`]: later markup was not read.
    Time,
    /// The memory limit of the markup pass.
    Memory,
}

impl fmt::Display for LimitHit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            LimitHit::Depth => {
                "elements are nested deeper than the limit, deeper ones were read as one level"
            }
            LimitHit::Blocks => {
                "there are more text blocks than the limit, only the first were read"
            }
            LimitHit::Time => "the time limit passed, only the beginning was read",
            LimitHit::Memory => {
                "the markup needs more memory than the limit, only the beginning was read"
            }
        })
    }
}

/// A run of text between two block-level tags, cut as Boilerpipe does (every `<br>` ends one), with
/// the counts that the extractors use.
#[derive(Debug, Clone)]
pub struct Block {
    /// Position of the text in the page's text, in bytes.
    pub(crate) text: Range<usize>,
    /// The innermost element around the block's first character that is not inline, see
    /// [`Page::nodes`].
    pub(crate) node: u32,
    /// Tag level of the block's first character: open elements that are not plain inline
    /// formatting.
    pub(crate) level: u32,
    /// Tokens that contain a letter or a number.
    pub(crate) words: u32,
    /// Words inside `<a>`.
    pub(crate) linked_words: u32,
    /// Words in full lines, if the text is wrapped at 80 characters.
    pub(crate) wrapped_words: u32,
    /// Lines, if the text is wrapped at 80 characters; at least 1.
    pub(crate) wrapped_lines: u32,
    /// Bytes of text inside `<a>`, with the white space at its borders.
    pub(crate) linked_bytes: u32,
    /// An `<li>` was open where the block ended.
    pub(crate) in_list: bool,
    /// An `<h1>`, `<h2>` or `<h3>` was open where the block ended.
    pub(crate) in_heading: bool,
    /// No paragraph of jusText ends between the last block with text and this one, see
    /// [`Blocks`](crate::blocks::Blocks).
    pub(crate) continues: bool,
    /// Links with text in the block, at most 255.
    pub(crate) links: u8,
}

impl Block {
    /// Number of words: tokens that contain a letter or a number.
    pub fn words(&self) -> usize {
        self.words as usize
    }

    /// Number of words inside links.
    pub fn linked_words(&self) -> usize {
        self.linked_words as usize
    }

    /// Number of open elements around the block, without plain inline formatting.
    pub fn level(&self) -> usize {
        self.level as usize
    }
}

/// An element that is not inline and contains text, directly or below it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// Index of its parent in [`Page::nodes`]. The root is its own parent.
    pub(crate) parent: u32,
    /// Distance from the root.
    pub(crate) depth: u32,
    /// Marks from its start tag, see [`Page::has_marks`].
    pub(crate) marks: Marks,
}

/// Blocks of a page and what the page states about itself.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The text of `<title>`, white space folded, at most 64 KiB. Empty if there is none.
    pub title: String,
    /// The declared language as written: `lang` of `<html>` or `<body>`, otherwise a
    /// content-language meta tag.
    pub language: Option<String>,
    /// True if a robots meta tag has `noindex` or `none`.
    pub noindex: bool,
    /// True if a robots meta tag has `nofollow` or `none`.
    pub nofollow: bool,
    /// The limit that ended the reading early or flattened the page.
    pub limit: Option<LimitHit>,
    /// True if the nodes have marks.
    pub(crate) has_marks: bool,
    /// True if the page states that it belongs to a forum. Only `best` reads it, with the marks.
    pub(crate) is_forum: bool,
    /// The statement of the page about forums: by its address, its program or names.
    pub(crate) sign: Sign,
    /// Fields for an address of e-mail, at most [`MAX_FIELDS`]: the position in the text, and the
    /// innermost element around it that has text before it.
    pub(crate) fields: Vec<(u32, u32)>,
    /// Positions in the text of links to channels, at most [`MAX_FIELDS`].
    pub(crate) channels: Vec<(u32, Channel)>,
    /// True if the words of the blocks were not counted.
    pub(crate) without_words: bool,
    /// True if the title is in the head, where Boilerpipe looks for it.
    pub(crate) title_in_head: bool,
    /// The texts of all blocks, joined.
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
    /// The page tree, without elements that have no text. A parent comes before its children.
    pub(crate) nodes: Vec<Node>,
    /// The differences of the displayed text from the blocks' text.
    pub(crate) flow: Flow,
    /// The base of links, if the page was parsed with its structure.
    pub(crate) structure: Option<Structure>,
    /// [`Limits::deadline`], which also holds for an extractor.
    pub(crate) deadline: Option<Instant>,
}

impl Page {
    /// All text blocks in document order. A block may have an empty text (a link around a picture).
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Adds what the URL of the page says about it: the addresses of forums have a form of their
    /// own. Only the extractor `best` uses it.
    #[must_use]
    pub fn at(mut self, url: Option<&str>) -> Self {
        if let Some(url) = url.filter(|_| self.has_marks) {
            self.sign = self.sign.max(forum::sign_of(url));
            self.is_forum |= self.sign >= Sign::Forum;
        }
        self
    }

    /// The text of a block of this page: entities decoded, white space folded, without line breaks.
    pub fn text_of(&self, block: &Block) -> &str {
        &self.text[block.text.clone()]
    }

    /// Returns true if an extractor has to stop.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The title if it is in the head, otherwise empty.
    pub(crate) fn head_title(&self) -> &str {
        if self.title_in_head {
            &self.title
        } else {
            ""
        }
    }
}
