//! The readings of a page behind one door.

use crate::{article, best, webam, Page};
use std::fmt;
use std::str::FromStr;

/// Which reading decides what belongs to a page's main content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extractor {
    /// Boilerpipe 1.2.2's ArticleExtractor.
    Article,
    /// Our own: trees over figures of blocks, elements and neighbours.
    Best,
    /// Web-AM: of the article, the densest node and its neighbours at the same tree level.
    WebAm,
    /// All visible text.
    Text,
}

impl Extractor {
    /// Every extractor, in the order of their names.
    pub const ALL: [Extractor; 4] = [Extractor::Article, Extractor::Best, Extractor::Text, Extractor::WebAm];

    /// Name and version, such as `web-am/1`. It changes whenever the verdicts on some page may change.
    pub fn version(self) -> &'static str {
        match self {
            Extractor::Article => "article/1",
            Extractor::Best => "best/4",
            Extractor::WebAm => "web-am/1",
            Extractor::Text => "text/1",
        }
    }

    /// The name that settings and command lines use.
    pub fn name(self) -> &'static str {
        match self {
            Extractor::Article => "article",
            Extractor::Best => "best",
            Extractor::WebAm => "web-am",
            Extractor::Text => "text",
        }
    }
}

impl fmt::Display for Extractor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A name that is no extractor's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownExtractor(String);

impl fmt::Display for UnknownExtractor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "extractor is {:?}; allowed are article, best, text and web-am", self.0)
    }
}

impl std::error::Error for UnknownExtractor {}

impl FromStr for Extractor {
    type Err = UnknownExtractor;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Extractor::ALL.into_iter().find(|e| e.name() == name).ok_or_else(|| UnknownExtractor(name.to_owned()))
    }
}

/// What an extractor decided on one block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the block belongs to the main content.
    pub kept: bool,
    /// Why, in a few words.
    pub reason: &'static str,
}

impl Verdict {
    pub(crate) const fn kept(reason: &'static str) -> Self {
        Verdict { kept: true, reason }
    }

    pub(crate) const fn dropped(reason: &'static str) -> Self {
        Verdict { kept: false, reason }
    }
}

/// One verdict per block of the page, in order. A block without any text is never kept.
pub fn classify(page: &Page, extractor: Extractor) -> Vec<Verdict> {
    let mut verdicts = match extractor {
        Extractor::Article => article::classify(page),
        Extractor::Best => {
            debug_assert!(page.has_marks, "parsed for another extractor");
            best::classify(page)
        }
        Extractor::WebAm => webam::classify(page, article::classify(page)),
        Extractor::Text => vec![Verdict::kept("visible text"); page.blocks.len()],
    };
    for (block, verdict) in page.blocks.iter().zip(&mut verdicts) {
        if block.text.is_empty() {
            *verdict = Verdict::dropped("no text");
        }
    }
    verdicts
}
