//! All extractors behind one interface.

use crate::justext::{self, StopWords};
use crate::{article, best, w2c, webam, Page};
use std::fmt;
use std::str::FromStr;

/// The extractor: it decides which blocks are the page's main content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extractor {
    /// Boilerpipe 1.2.2's ArticleExtractor.
    Article,
    /// Our own: forests over features of blocks, elements and neighbours.
    Best,
    /// jusText: paragraphs by length, links, stop words and neighbours.
    JusText,
    /// W2C's rules for paragraphs.
    W2c,
    /// Web-AM: the densest container of the article, and text at the level of its children.
    WebAm,
    /// Web-AM by the letter of the paper: the element of the article with the most text, and its
    /// siblings.
    WebAmLiteral,
    /// All visible text.
    Text,
}

impl Extractor {
    /// Every extractor, in the order of their names.
    pub const ALL: [Extractor; 7] = [
        Extractor::Article,
        Extractor::Best,
        Extractor::JusText,
        Extractor::Text,
        Extractor::W2c,
        Extractor::WebAm,
        Extractor::WebAmLiteral,
    ];

    /// Name and version, such as `web-am/1`. The version changes if the verdict on any block may
    /// change.
    pub fn version(self) -> &'static str {
        match self {
            Extractor::Article => "article/2",
            Extractor::Best => "best/30",
            Extractor::JusText => "justext/1",
            Extractor::W2c => "w2c/1",
            Extractor::WebAm => "web-am/2",
            Extractor::WebAmLiteral => "web-am-literal/2",
            Extractor::Text => "text/3",
        }
    }

    /// Whether it decides by the number of words in a block.
    pub(crate) fn counts_words(self) -> bool {
        use Extractor::{Article, Best, JusText, Text, W2c, WebAm, WebAmLiteral};
        match self {
            Article | W2c | WebAm | WebAmLiteral => true,
            Best | JusText | Text => false,
        }
    }

    /// The name in settings and on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Extractor::Article => "article",
            Extractor::Best => "best",
            Extractor::JusText => "justext",
            Extractor::W2c => "w2c",
            Extractor::WebAm => "web-am",
            Extractor::WebAmLiteral => "web-am-literal",
            Extractor::Text => "text",
        }
    }
}

impl fmt::Display for Extractor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Error for a name that is not an extractor's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "extractor is {0:?}; allowed are article, best, justext, text, w2c, web-am and web-am-literal"
)]
pub struct UnknownExtractor(String);

impl FromStr for Extractor {
    type Err = UnknownExtractor;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Extractor::ALL
            .into_iter()
            .find(|e| e.name() == name)
            .ok_or_else(|| UnknownExtractor(name.to_owned()))
    }
}

/// Keep or drop comments of readers, and replies under a text, that look like main content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Comments {
    /// They are main content, if the extractor keeps them.
    #[default]
    Keep,
    /// They are dropped. Only `best` can do this.
    Drop,
}

impl Comments {
    /// Every choice for comments.
    pub const ALL: [Comments; 2] = [Comments::Keep, Comments::Drop];

    /// The name in settings and on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Comments::Keep => "keep",
            Comments::Drop => "drop",
        }
    }

    /// Checks that an extractor can do this.
    ///
    /// # Errors
    /// Fails if comments are to be dropped and the extractor is not `best`.
    pub fn check(self, extractor: Extractor) -> Result<(), CannotDrop> {
        match self {
            Comments::Drop if extractor != Extractor::Best => Err(CannotDrop(extractor)),
            Comments::Keep | Comments::Drop => Ok(()),
        }
    }

    /// Suffix of the extractor's version in a record, such as `best/30+no-comments/1`; empty if
    /// comments are kept. The number changes if the rule may drop other blocks.
    pub fn version(self) -> &'static str {
        match self {
            Comments::Keep => "",
            Comments::Drop => "+no-comments/1",
        }
    }
}

impl fmt::Display for Comments {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Error for an extractor that cannot drop comments: a sentence that follows the name of the
/// setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "is `drop`, but only the extractor `best` drops comments, and the extractor is `{0}`; allowed \
     is `keep`"
)]
pub struct CannotDrop(Extractor);

/// Error for a name that is not a choice for comments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("comments is {0:?}; allowed are keep and drop")]
pub struct UnknownComments(String);

impl FromStr for Comments {
    type Err = UnknownComments;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Comments::ALL
            .into_iter()
            .find(|choice| choice.name() == name)
            .ok_or_else(|| UnknownComments(name.to_owned()))
    }
}

/// Keep or drop the headline that `best` finds above the main content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Headline {
    /// It is the first line of the text.
    #[default]
    Keep,
    /// It is not in the text.
    Drop,
}

impl Headline {
    /// Every choice for the headline.
    pub const ALL: [Headline; 2] = [Headline::Keep, Headline::Drop];

    /// The name in settings and on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Headline::Keep => "keep",
            Headline::Drop => "drop",
        }
    }

    /// Suffix of the extractor's version in a record, such as `best/30+no-headline/1`; empty if the
    /// headline is kept.
    pub fn version(self) -> &'static str {
        match self {
            Headline::Keep => "",
            Headline::Drop => "+no-headline/1",
        }
    }

    /// Drops the headline from the verdicts, if that is the choice.
    pub fn apply(self, verdicts: &mut [Verdict]) {
        for verdict in verdicts.iter_mut().filter(|one| self == Self::Drop && one.is_headline()) {
            *verdict = Verdict::dropped("headline");
        }
    }
}

impl fmt::Display for Headline {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Error for a name that is not a choice for the headline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("headline is {0:?}; allowed are keep and drop")]
pub struct UnknownHeadline(String);

impl FromStr for Headline {
    type Err = UnknownHeadline;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Headline::ALL
            .into_iter()
            .find(|choice| choice.name() == name)
            .ok_or_else(|| UnknownHeadline(name.to_owned()))
    }
}

/// An extractor's decision on one block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// True if the block belongs to the main content.
    pub kept: bool,
    /// The reason, in a few words.
    pub reason: &'static str,
}

impl Verdict {
    /// The verdict on the headline of a page.
    pub(crate) const HEADLINE: Verdict = Verdict::kept("headline");

    /// Returns true for the headline above the main content. Only `best` finds it.
    pub fn is_headline(&self) -> bool {
        *self == Self::HEADLINE
    }

    pub(crate) const fn kept(reason: &'static str) -> Self {
        Verdict { kept: true, reason }
    }

    pub(crate) const fn dropped(reason: &'static str) -> Self {
        Verdict { kept: false, reason }
    }
}

/// Returns one verdict for each block of the page, in order. A block without text is never kept.
/// jusText works without stop words, and `best` keeps comments of readers, see [`classify_with`].
pub fn classify(page: &Page, extractor: Extractor) -> Vec<Verdict> {
    classify_with(page, extractor, None, Comments::Keep)
}

/// [`classify`] with the stop words of the page's language, which only jusText uses, and with a
/// choice for comments of readers, which only `best` drops.
pub fn classify_with(
    page: &Page,
    extractor: Extractor,
    stop_words: Option<&dyn StopWords>,
    comments: Comments,
) -> Vec<Verdict> {
    debug_assert!(
        !(page.without_words && extractor.counts_words()),
        "parsed for another extractor"
    );
    let mut verdicts = match extractor {
        Extractor::Article => article::classify(page),
        Extractor::Best => {
            debug_assert!(page.has_marks, "parsed for another extractor");
            best::classify(page, comments)
        }
        Extractor::JusText => justext::classify(page, stop_words),
        Extractor::W2c => w2c::classify(page),
        Extractor::WebAm => webam::classify(page, article::classify(page)),
        Extractor::WebAmLiteral => webam::classify_literally(page, article::classify(page)),
        Extractor::Text => vec![Verdict::kept("visible text"); page.blocks.len()],
    };
    for (block, verdict) in page.blocks.iter().zip(&mut verdicts) {
        if block.text.is_empty() {
            *verdict = Verdict::dropped("no text");
        }
    }
    verdicts
}
