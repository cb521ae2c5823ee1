//! A page as the accumulators see it.

use crate::tokens::{Token, Tokenizer};
use langbytes::{LangBytes, LangCode};

/// What a corpus or a crawl knows of one page. Byte figures are of UTF-8 text, except `raw_bytes`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The address, empty if it is not known.
    pub url: String,
    /// Host of the address, empty if it is not known.
    pub host: String,
    /// Round of the crawl that fetched it, from 1; or the time at which the round began, in seconds since 1970.
    pub round: Option<u64>,
    /// Whether it belongs to the corpus. What was fetched and rejected counts for yield and calibration only.
    pub kept: bool,
    /// Whether the server said that it is no more: counted, and nothing else.
    pub gone: bool,
    /// Bytes as fetched.
    pub raw_bytes: Option<u64>,
    /// Bytes of all visible text.
    pub visible_bytes: Option<u64>,
    /// Bytes of the main text.
    pub main_bytes: u64,
    /// Bytes of the main text in the target language.
    pub target_bytes: u64,
    /// Bytes of the main text per language.
    pub languages: LangBytes,
    /// MD5 of the bytes as fetched.
    pub signature: Option<[u8; 16]>,
    /// The main text, blocks joined by `\n`; empty if the record has none.
    pub text: String,
}

impl Page {
    /// Sets the bytes per language, and the target's with them.
    pub fn set_languages(&mut self, languages: LangBytes, target: LangCode) {
        self.target_bytes = languages.bytes(target);
        self.languages = languages;
    }
}

/// A page with its tokens.
#[derive(Debug, Clone, Copy)]
pub struct PageView<'a> {
    /// The page.
    pub page: &'a Page,
    /// Tokens of its text in order; none if nobody wants to know of words.
    pub tokens: &'a [Token],
}

/// Reads tokens of one page after the other into the same memory.
#[derive(Debug)]
pub struct Viewer<'a> {
    tokenizer: &'a Tokenizer,
    tokens: Vec<Token>,
}

impl<'a> Viewer<'a> {
    /// A viewer with this tokenizer.
    pub fn new(tokenizer: &'a Tokenizer) -> Self {
        Self { tokenizer, tokens: Vec::new() }
    }

    /// The page with its tokens.
    pub fn view<'b>(&'b mut self, page: &'b Page) -> PageView<'b> {
        self.tokens.clear();
        self.tokenizer.tokens(&page.text, &mut self.tokens);
        PageView { page, tokens: &self.tokens }
    }
}
