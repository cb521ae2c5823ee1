//! The main content of a page in one call: from bytes to text or Markdown.

use crate::markdown::markdown;
use crate::markup::parse_with_marks;
use crate::{
    classify, decode, parse_for, Extractor, Hints, LimitHit, Limits, Page, UnsupportedCharset,
};
use std::borrow::Cow;
use std::time::Duration;

/// Time limit of a page whose main content is all that is computed.
pub const MAX_TIME: Duration = Duration::from_secs(60);

/// The form of main content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// The blocks of text, joined by `\n`.
    #[default]
    Text,
    /// Markdown: headings, lists and quotations are marked, and a blank line is between paragraphs.
    Markdown,
}

/// A page's main content, and what the page declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The main content.
    pub text: String,
    /// The title, white space folded; empty if there is none.
    pub title: String,
    /// Charset that the page was decoded from, by its WHATWG name.
    pub charset: &'static str,
    /// The declared language as written.
    pub language: Option<String>,
    /// True if a robots meta tag forbids indexing.
    pub noindex: bool,
    /// True if a robots meta tag forbids following links.
    pub nofollow: bool,
    /// Bytes of all visible text in UTF-8, blocks joined by `\n`.
    pub visible_bytes: u64,
    /// The limit that ended the reading early or flattened the page.
    pub limit: Option<LimitHit>,
}

/// Returns the main content of a page. Pass the bytes by value to free them as soon as the text is
/// parsed.
///
/// # Errors
/// Fails if the page's charset cannot be decoded.
///
/// ```
/// use webam::{content, Extractor, Form, Hints, Limits};
///
/// let page = "<h1>Title</h1><ul><li>one<li>two</ul>";
/// let found = content(page, &Hints::default(), Extractor::Text, Form::Markdown, &Limits::default())?;
/// assert_eq!(found.text, "# Title\n\n- one\n- two");
/// # Ok::<(), webam::UnsupportedCharset>(())
/// ```
pub fn content<C: AsRef<[u8]>>(
    page: C,
    hints: &Hints<'_>,
    extractor: Extractor,
    form: Form,
    limits: &Limits,
) -> Result<Content, UnsupportedCharset> {
    let decoded = decode(page.as_ref(), hints)?;
    let charset = decoded.charset;
    let parsed = match decoded.text {
        Cow::Borrowed(text) => {
            let parsed = parse_as(text, extractor, form, limits);
            drop(page);
            parsed
        }
        Cow::Owned(text) => {
            drop(page);
            parse_as(&text, extractor, form, limits)
        }
    };
    Ok(found(parsed, charset, extractor, form))
}

/// [`content`] of a page that is text already, so that no charset is guessed.
pub fn content_of_text(html: &str, extractor: Extractor, form: Form, limits: &Limits) -> Content {
    found(parse_as(html, extractor, form, limits), "utf-8", extractor, form)
}

fn parse_as(html: &str, extractor: Extractor, form: Form, limits: &Limits) -> Page {
    match form {
        Form::Text => parse_for(extractor, html, limits),
        Form::Markdown => parse_with_marks(extractor, html, limits),
    }
}

fn found(page: Page, charset: &'static str, extractor: Extractor, form: Form) -> Content {
    let verdicts = classify(&page, extractor);
    let kept = || {
        page.blocks()
            .iter()
            .zip(&verdicts)
            .filter(|(_, verdict)| verdict.kept)
            .map(|(block, _)| block)
    };
    let text = match form {
        Form::Text => {
            let mut text =
                String::with_capacity(kept().map(|block| page.text_of(block).len() + 1).sum());
            for block in kept() {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(page.text_of(block));
            }
            text
        }
        Form::Markdown => markdown(&page, kept()),
    };
    let visible = page
        .blocks()
        .iter()
        .map(|block| page.text_of(block).len() as u64)
        .filter(|&bytes| bytes > 0);
    Content {
        text,
        charset,
        visible_bytes: visible.map(|bytes| bytes + 1).sum::<u64>().saturating_sub(1),
        noindex: page.noindex,
        nofollow: page.nofollow,
        limit: page.limit,
        title: page.title,
        language: page.language,
    }
}
