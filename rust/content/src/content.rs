//! The main content of a page in one call: from bytes to text or Markdown.

use crate::html::html;
use crate::markdown::markdown;
use crate::markup::parse_with_structure;
use crate::{
    classify_with, decode, parse_for, parse_with_links, repair, Comments, Extractor, Headline,
    Hints, LimitHit, Limits, LinkOptions, Links, Page, StopWords, UnsupportedCharset,
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
    /// Markdown: headings, lists, quotations, links and tables of data are marked, and a blank line
    /// is between paragraphs.
    Markdown,
}

/// How main content is extracted.
#[derive(Clone, Copy)]
pub struct ContentOptions<'a> {
    /// Extractor that chose the main content.
    pub extractor: Extractor,
    /// Keep or drop comments of readers. Only `best` drops them.
    pub comments: Comments,
    /// Keep or drop the headline in the text. Only `best` finds it.
    pub headline: Headline,
    /// The form of the text.
    pub form: Form,
    /// True if the main content is written as HTML, too.
    pub html: bool,
    /// Limits of the page.
    pub limits: Limits,
    /// The page's URL, with which relative links are resolved.
    pub url: Option<&'a str>,
    /// True if Markdown and HTML have links.
    pub links: bool,
    /// True if the statements of the page about itself are collected.
    pub statements: bool,
    /// The stop words of the page's language, which only jusText uses.
    pub stop_words: Option<&'a dyn StopWords>,
}

impl ContentOptions<'_> {
    /// Returns options with the default limits and without stop words.
    pub fn new(extractor: Extractor, form: Form) -> Self {
        Self {
            extractor,
            comments: Comments::default(),
            headline: Headline::default(),
            form,
            html: false,
            limits: Limits::default(),
            url: None,
            links: true,
            statements: false,
            stop_words: None,
        }
    }
}

/// A page's main content, and what the page declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Main content: a line for each paragraph, or Markdown or HTML.
    pub text: String,
    /// The main content as HTML, if it is requested: headings, paragraphs, lists, quotations,
    /// tables of data, code, emphasis, links and images. URLs are http or https, and all text is
    /// escaped.
    pub html: Option<String>,
    /// The title, white space folded; empty if there is none.
    pub title: String,
    /// The headline above the main content, also if the text is without it; empty if there is
    /// none. Only `best` finds it.
    pub headline: String,
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
    /// The statements of the page about itself, if they are requested; without links.
    pub links: Option<Links>,
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
/// use content::{content, ContentOptions, Extractor, Form, Hints};
///
/// let page = "<h1>Title</h1><ul><li>one<li>two</ul>";
/// let options = ContentOptions::new(Extractor::Text, Form::Markdown);
/// let found = content(page, &Hints::default(), &options)?;
/// assert_eq!(found.text, "# Title\n\n- one\n- two");
/// # Ok::<(), content::UnsupportedCharset>(())
/// ```
pub fn content<C: AsRef<[u8]>>(
    page: C,
    hints: &Hints<'_>,
    options: &ContentOptions<'_>,
) -> Result<Content, UnsupportedCharset> {
    let decoded = decode(page.as_ref(), hints)?.repaired();
    let charset = decoded.charset;
    let options = &ContentOptions { url: options.url.or(hints.url), ..*options };
    let (parsed, links) = match decoded.text {
        Cow::Borrowed(text) => {
            let parsed = parse_as(text, charset, options);
            drop(page);
            parsed
        }
        Cow::Owned(text) => {
            drop(page);
            parse_as(&text, charset, options)
        }
    };
    Ok(Content { links, ..found(parsed, charset, options) })
}

/// [`content`] of a page that is text already, so that no charset is guessed.
pub fn content_of_text(html: &str, options: &ContentOptions<'_>) -> Content {
    let charset = "utf-8";
    let (page, links) = parse_as(&repair(html.into()).text, charset, options);
    Content { links, ..found(page, charset, options) }
}

fn parse_as(html: &str, charset: &str, options: &ContentOptions<'_>) -> (Page, Option<Links>) {
    let ContentOptions { extractor, form, html: in_html, ref limits, url, statements, .. } =
        *options;
    let collected =
        LinkOptions { url, charset, max_links: 0, statements, ..LinkOptions::default() };
    let (page, links) = if form == Form::Markdown || in_html {
        parse_with_structure(extractor, html, limits, url, statements.then_some(&collected))
    } else if statements {
        let (page, links) = parse_with_links(extractor, html, limits, &collected);
        (page, Some(links))
    } else {
        (parse_for(extractor, html, limits), None)
    };
    (page.at(url), links)
}

fn found(page: Page, charset: &'static str, options: &ContentOptions<'_>) -> Content {
    let mut verdicts =
        classify_with(&page, options.extractor, options.stop_words, options.comments);
    let mut lines = page.lines(&verdicts);
    let headline = lines.headline(&verdicts).unwrap_or_default().to_owned();
    if options.headline == Headline::Drop && !headline.is_empty() {
        options.headline.apply(&mut verdicts);
        lines = page.lines(&verdicts);
    }
    let text = match options.form {
        Form::Text => lines.kept(),
        Form::Markdown => markdown(&page, &verdicts, options.links),
    };
    let html = options.html.then(|| html(&page, &verdicts, options.links));
    let visible = lines.iter().map(|line| lines.text_of(line).len() as u64 + 1);
    Content {
        text,
        html,
        headline,
        charset,
        links: None,
        visible_bytes: visible.sum::<u64>().saturating_sub(1),
        noindex: page.noindex,
        nofollow: page.nofollow,
        limit: page.limit,
        title: page.title,
        language: page.language,
    }
}
