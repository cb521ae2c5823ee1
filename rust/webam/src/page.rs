//! What one markup pass leaves of a page: its title, its declarations and its text blocks in document order.

use crate::marks::Marks;
use std::fmt;
use std::ops::Range;
use std::time::Instant;

/// Bounds on the work and the memory that one page may cost. A page that reaches one keeps what was read until then; beyond
/// the depth limit reading goes on, without a tree.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Open elements, the most at any one time. Deeper ones are read as if they were on this level.
    pub max_depth: usize,
    /// Text blocks, the most in one page. Elements that hold text may be three times as many, or 10,000; more are read as if they
    /// were the elements that they are in.
    pub max_blocks: usize,
    /// When to stop, whatever is left.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    /// 1,024 levels, 200,000 blocks, no deadline.
    fn default() -> Self {
        Limits { max_depth: 1024, max_blocks: 200_000, deadline: None }
    }
}

/// Longest title, bytes. A longer one is that of a page whose `<title>` does not end, and is cut.
pub(crate) const MAX_TITLE: usize = 64 << 10;

/// Cuts a text to so many bytes, or a character less.
pub(crate) fn cut(text: &mut String, most: usize) {
    if text.len() > most {
        text.truncate((0..=most).rfind(|at| text.is_char_boundary(*at)).unwrap_or(0));
    }
}

/// Which bound ended the reading of a page early, or flattened it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitHit {
    /// [`Limits::max_depth`], or the most elements with text: all text was read, but what is deeper, or came later, lost its place in the
    /// tree.
    Depth,
    /// [`Limits::max_blocks`].
    Blocks,
    /// [`Limits::deadline`].
    Time,
    /// The markup pass's own memory bound.
    Memory,
}

impl fmt::Display for LimitHit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            LimitHit::Depth => "elements are nested deeper than the limit, deeper ones were read as one level",
            LimitHit::Blocks => "there are more text blocks than the limit, only the first were read",
            LimitHit::Time => "the time limit passed, only the beginning was read",
            LimitHit::Memory => "the markup needs more memory than the limit, only the beginning was read",
        })
    }
}

/// A run of text between two block-level tags, as Boilerpipe cuts it (every `<br>` ends one), with the figures that
/// the readings decide on.
#[derive(Debug, Clone)]
pub struct Block {
    /// Where the text is in the page's text, bytes.
    pub(crate) text: Range<usize>,
    /// The innermost element that is not inline around the block's first character, see [`Page::nodes`].
    pub(crate) node: u32,
    /// Tag level of the block's first character: open elements that are not plain inline formatting.
    pub(crate) level: u32,
    /// Tokens that hold a letter or a number.
    pub(crate) words: u32,
    /// Words inside `<a>`.
    pub(crate) linked_words: u32,
    /// Words in lines that are full when the text is wrapped at 80 characters.
    pub(crate) wrapped_words: u32,
    /// Lines when the text is wrapped at 80 characters, at least 1.
    pub(crate) wrapped_lines: u32,
    /// Bytes of text inside `<a>`, blanks at the borders with them.
    pub(crate) linked_bytes: u32,
    /// An `<li>` was open where the block ended.
    pub(crate) in_list: bool,
    /// An `<h1>`, `<h2>` or `<h3>` was open where the block ended.
    pub(crate) in_heading: bool,
}

impl Block {
    /// Number of words: tokens that hold a letter or a number.
    pub fn words(&self) -> usize {
        self.words as usize
    }

    /// Number of words inside links.
    pub fn linked_words(&self) -> usize {
        self.linked_words as usize
    }

    /// How many elements are open around the block, plain inline formatting left out.
    pub fn level(&self) -> usize {
        self.level as usize
    }
}

/// An element that is not inline and holds text, itself or further down.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// Its parent in [`Page::nodes`]; the root is its own.
    pub(crate) parent: u32,
    /// Distance from the root.
    pub(crate) depth: u32,
    /// What its start tag says, see [`Page::has_marks`].
    pub(crate) marks: Marks,
}

/// A parsed page.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The text of `<title>`, white space folded; empty if there is none. What is beyond 64 KiB is cut off.
    pub title: String,
    /// The declared language as written: `lang` of `<html>` or `<body>`, else a content-language meta tag.
    pub language: Option<String>,
    /// A robots meta tag says `noindex` or `none`.
    pub noindex: bool,
    /// A robots meta tag says `nofollow` or `none`.
    pub nofollow: bool,
    /// The bound that ended the reading early or flattened the page.
    pub limit: Option<LimitHit>,
    /// The nodes have their marks.
    pub(crate) has_marks: bool,
    /// The title stands in the head, where Boilerpipe looks for it.
    pub(crate) title_in_head: bool,
    /// The texts of all blocks, one after the other.
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
    /// The page tree as far as it holds text. A parent comes before its children.
    pub(crate) nodes: Vec<Node>,
}

impl Page {
    /// All text blocks, in document order. Some may have an empty text (a link around a picture).
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The text of one of this page's blocks: entities decoded, white space folded, never a line break.
    pub fn text_of(&self, block: &Block) -> &str {
        &self.text[block.text.clone()]
    }

    /// The title if it stands in the head, else nothing.
    pub(crate) fn head_title(&self) -> &str {
        if self.title_in_head {
            &self.title
        } else {
            ""
        }
    }
}
