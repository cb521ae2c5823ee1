//! Pages as the input of accumulators.

use crate::classes::PageClass;
use crate::origins::Rejection;
use crate::quality::PageQuality;
use crate::tokens::{Token, Tokenizer};
use langbytes::{LangBytes, LangCode};

/// A corpus's or crawl's data on one page. Byte figures are of UTF-8 text, except `raw_bytes`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CorpusPage {
    /// The URL, empty if unknown.
    pub url: String,
    /// Host of the URL, empty if unknown.
    pub host: String,
    /// Round of the crawl that fetched it, from 1; or the time at which the round began, in seconds
    /// since 1970.
    pub round: Option<u64>,
    /// Time of the fetch in milliseconds since 1970, if known.
    pub fetched: Option<u64>,
    /// Whether the page belongs to the corpus. Fetched and rejected pages count only for yield and
    /// calibration.
    pub kept: bool,
    /// Why the page was rejected, if the record says so.
    pub rejection: Option<Rejection>,
    /// Whether the server no longer has the page. Such pages are counted and have no other figures.
    pub gone: bool,
    /// Whether it is a PDF, Office, OpenDocument or RTF file, by its media type.
    pub is_document: bool,
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
    /// Variety of the language and its probability in millionths, if the record has the fields
    /// `variety` and `variety_score`.
    pub variety: Option<(String, u32)>,
    /// Classes of the fields that the record's field `classes` names.
    pub classes: Vec<PageClass>,
    /// Year of publication, if the record has the field `published`, or the page states it.
    pub published: Option<u16>,
    /// Place of the licence in [`LICENSES`](crate::origins::LICENSES), if the record has the field
    /// `license`, or the page states it.
    pub license: Option<u8>,
    /// The main text, blocks joined by `\n`; empty if the record has none.
    pub text: String,
    /// Quality signals and the rules that the page breaks, if the record has them.
    pub quality: Option<Box<PageQuality>>,
}

impl CorpusPage {
    /// Sets the bytes per language and the target bytes.
    pub fn set_languages(&mut self, languages: LangBytes, target: LangCode) {
        self.target_bytes = languages.bytes(target);
        self.languages = languages;
    }
}

/// A page with its tokens.
#[derive(Debug, Clone, Copy)]
pub struct PageView<'a> {
    /// The page with its fields.
    pub page: &'a CorpusPage,
    /// Tokens of its text in order; empty if words are not counted.
    pub tokens: &'a [Token],
}

/// Tokenizes one page after the other in the same memory.
#[derive(Debug)]
pub struct Viewer<'a> {
    tokenizer: &'a Tokenizer,
    tokens: Vec<Token>,
}

impl<'a> Viewer<'a> {
    /// Creates a viewer with this tokenizer.
    pub fn new(tokenizer: &'a Tokenizer) -> Self {
        Self { tokenizer, tokens: Vec::new() }
    }

    /// Returns the page with its tokens.
    pub fn view<'b>(&'b mut self, page: &'b CorpusPage) -> PageView<'b> {
        self.tokens.clear();
        self.tokenizer.tokens(&page.text, &mut self.tokens);
        PageView { page, tokens: &self.tokens }
    }
}
