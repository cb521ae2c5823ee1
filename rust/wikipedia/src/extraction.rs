//! The text of the articles of dumps, batch by batch on all cores.

use crate::{paragraphs, Article, Broken, Dump, Kind, Namespaces, Paragraph, Repeats};
use langid::{Identify, LangCode};
use rayon::prelude::*;
use std::io::BufRead;

/// Bytes of wikitext and number of articles in a batch.
const BATCH_BYTES: usize = 8 << 20;
const BATCH_ARTICLES: usize = 4096;

/// Options of the text that is kept of articles.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Whether headings are kept.
    pub headings: bool,
    /// Whether list items are kept.
    pub lists: bool,
    /// Whether articles with a digit in the title are skipped.
    pub skip_numbered: bool,
    /// Number of paragraphs that are kept of those that differ only in names and numbers.
    pub repeats: u32,
}

/// Sums over paragraphs.
#[derive(Debug, Clone, Copy, Default)]
pub struct ParagraphSums {
    /// Articles that were skipped for a digit in the title (as in W2C).
    pub numbered: u64,
    /// Paragraphs that are kept.
    pub paragraphs: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// Paragraphs in another language.
    pub foreign: u64,
    /// Paragraphs that had occurred often enough.
    pub repeated: u64,
    /// Bytes of these.
    pub repeated_bytes: u64,
}

/// Articles that were read together.
#[derive(Debug)]
pub struct Batch {
    /// The articles, with the text that is kept of each: a paragraph on each line. Articles without
    /// such text are left out.
    pub articles: Vec<(Article, String)>,
    /// Whether the dump had no article left.
    pub is_end: bool,
    /// The damage that ended the reading of the dump behind these articles.
    pub broken: Option<Broken>,
}

/// Reads the text of dumps, one after the other.
pub struct Extraction<'a> {
    settings: Settings,
    /// The identifier, and the language of the paragraphs to keep.
    language: Option<(&'a dyn Identify, LangCode)>,
    repeats: Repeats,
    /// Sums over the paragraphs so far.
    pub sums: ParagraphSums,
}

impl<'a> Extraction<'a> {
    /// Begins without articles. Only paragraphs in `language` are kept, if there is one.
    pub fn new(settings: Settings, language: Option<(&'a dyn Identify, LangCode)>) -> Self {
        let repeats = Repeats::new(settings.repeats);
        Self { settings, language, repeats, sums: ParagraphSums::default() }
    }

    /// Whether the list of paragraphs is full, so that some of the last ones may occur too often.
    pub fn is_full(&self) -> bool {
        self.repeats.is_full()
    }

    /// Reads the next articles of a dump.
    pub fn next(&mut self, dump: &mut Dump<impl BufRead>) -> Batch {
        let (mut articles, broken) = batch(dump);
        let (all, is_end) = (articles.len(), articles.is_empty());
        if self.settings.skip_numbered {
            articles.retain(|article| !article.title.contains(char::is_numeric));
            self.sums.numbered += (all - articles.len()) as u64;
        }
        let namespaces = dump.namespaces();
        let found: Vec<_> =
            articles.par_iter().map(|article| self.paragraphs(article, namespaces)).collect();
        let mut with_text = Vec::with_capacity(articles.len());
        for (article, (paragraphs, foreign)) in articles.into_iter().zip(found) {
            self.sums.foreign += foreign;
            let text = self.text(&article, &paragraphs);
            if !text.is_empty() {
                with_text.push((article, text));
            }
        }
        Batch { articles: with_text, is_end, broken }
    }

    /// Returns the paragraphs of the requested kinds and language, and the number of those in
    /// another language.
    fn paragraphs(&self, article: &Article, namespaces: &Namespaces) -> (Vec<Paragraph>, u64) {
        let mut paragraphs = paragraphs(&article.title, &article.wikitext, namespaces);
        paragraphs.retain(|paragraph| match paragraph.kind {
            Kind::Text => true,
            Kind::Heading => self.settings.headings,
            Kind::Item => self.settings.lists,
        });
        let all = paragraphs.len();
        if let Some((identifier, language)) = self.language {
            paragraphs.retain(|paragraph| identifier.identify(&paragraph.text, None) == language);
        }
        let foreign = (all - paragraphs.len()) as u64;
        (paragraphs, foreign)
    }

    /// Joins the paragraphs of an article that did not occur too often.
    fn text(&mut self, article: &Article, paragraphs: &[Paragraph]) -> String {
        let mut kept = Vec::with_capacity(paragraphs.len());
        for paragraph in paragraphs {
            let bytes = paragraph.text.len() as u64;
            if self.repeats.pass(&article.title, paragraph) {
                kept.push(paragraph.text.as_str());
                self.sums.paragraphs += 1;
                self.sums.bytes += bytes;
            } else {
                self.sums.repeated += 1;
                self.sums.repeated_bytes += bytes;
            }
        }
        kept.join("\n")
    }
}

/// The next articles, and the reason why there are no more.
fn batch(dump: &mut Dump<impl BufRead>) -> (Vec<Article>, Option<Broken>) {
    let (mut articles, mut bytes) = (Vec::new(), 0);
    while bytes < BATCH_BYTES && articles.len() < BATCH_ARTICLES {
        match dump.next() {
            Some(Ok(article)) => {
                bytes += article.wikitext.len();
                articles.push(article);
            }
            Some(Err(broken)) => return (articles, Some(broken)),
            None => break,
        }
    }
    (articles, None)
}
