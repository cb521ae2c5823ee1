//! The one pass over a page's markup.
//!
//! lol_html tells text, comments and doctypes from tags; what lies between two pieces that it reports is tags, and they are
//! read from there. It could report elements, too, but would then keep a stack of those that it believes open and search it
//! at every end tag; and it reports no end tag of an element that it does not hold open, where `</p>` or `</b>` out of
//! order matter.

use crate::balance::Balancer;
use crate::blocks::{is_level, Blocks};
use crate::extract::Extractor;
use crate::marks::Marks;
use crate::page::{LimitHit, Limits, Page};
use crate::source::{Beginning, SourceTag};
use crate::tags::Tag;
use lol_html::html_content::TextType;
use lol_html::{doc_comments, doc_text, doctype, HtmlRewriter, MemorySettings, Settings};
use memchr::memchr;
use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::time::Instant;

/// Bytes handed to lol_html at a time, the least; the deadline is looked at in between. While a tag goes on, which lol_html
/// holds whole and goes over at each step, steps double.
const STEP: usize = 4 << 10;

/// Tags between two looks at the deadline.
const TAGS: u32 = 1 << 10;

/// The most that lol_html may hold, bytes: a tag that is being read.
const MEMORY: usize = 32 << 20;

/// Reads a page. A limit that is hit ends the reading early; what was read until then is in the page.
pub fn parse(html: &str, limits: &Limits) -> Page {
    read(html, limits, true)
}

/// [`parse`] for one extractor: what only others judge by is not read, a tenth of the work. `best` alone judges by names and
/// kinds of elements, and must not be asked about a page that was parsed for another.
pub fn parse_for(extractor: Extractor, html: &str, limits: &Limits) -> Page {
    read(html, limits, extractor == Extractor::Best)
}

fn read(html: &str, limits: &Limits, has_marks: bool) -> Page {
    let reader = RefCell::new(Reader::new(html, limits, has_marks));
    let limit = run(html, limits.deadline, &reader).err();
    reader.into_inner().into_page(limit)
}

fn run(html: &str, deadline: Option<Instant>, reader: &RefCell<Reader>) -> Result<(), LimitHit> {
    let mut pass = HtmlRewriter::new(
        Settings {
            document_content_handlers: vec![
                doctype!(|it| Ok(reader.borrow_mut().aside(it.source_location().bytes())?)),
                doc_comments!(|it| Ok(reader.borrow_mut().aside(it.source_location().bytes())?)),
                doc_text!(|it| Ok(reader.borrow_mut().text(it.source_location().bytes(), it.text_type())?)),
            ],
            memory_settings: MemorySettings { max_allowed_memory_usage: MEMORY, ..MemorySettings::default() },
            strict: false,
            ..Settings::default()
        },
        |_: &[u8]| {},
    );
    let mut from = 0;
    let mut step = STEP;
    while from < html.len() {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(LimitHit::Time);
        }
        let mut to = (from + step).min(html.len());
        let before = reader.borrow().at;
        while !html.is_char_boundary(to) {
            to += 1;
        }
        pass.write(&html.as_bytes()[from..to]).map_err(limit_of)?;
        from = to;
        step = if reader.borrow().at == before { step * 2 } else { STEP };
    }
    pass.end().map_err(limit_of)
}

/// How a limit travels through lol_html.
#[derive(Debug)]
struct Stop(LimitHit);

impl fmt::Display for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Error for Stop {}

impl From<LimitHit> for Stop {
    fn from(limit: LimitHit) -> Self {
        Stop(limit)
    }
}

fn limit_of(error: lol_html::errors::RewritingError) -> LimitHit {
    match error {
        lol_html::errors::RewritingError::ContentHandlerError(inner) => {
            inner.downcast_ref::<Stop>().map_or(LimitHit::Memory, |stop| stop.0)
        }
        _ => LimitHit::Memory,
    }
}

struct Reader<'h> {
    html: &'h str,
    deadline: Option<Instant>,
    balancer: Balancer,
    /// Everything before this has been read, bytes.
    at: usize,
    /// The text that is being read: chunks of it follow one another without a gap.
    text: Range<usize>,
    /// It is markup text, where entities count.
    has_entities: bool,
    /// The first `<title>` outside of pictures; the head's may be missing.
    title: Option<String>,
    in_title: bool,
    /// Inside an `<svg>`, where titles are captions.
    in_picture: bool,
    page: Page,
}

impl<'h> Reader<'h> {
    fn new(html: &'h str, limits: &Limits, has_marks: bool) -> Self {
        Reader {
            html,
            deadline: limits.deadline,
            balancer: Balancer::new(Blocks::new(limits.max_blocks), limits.max_depth),
            at: 0,
            text: 0..0,
            has_entities: true,
            title: None,
            in_title: false,
            in_picture: false,
            page: Page { has_marks, ..Page::default() },
        }
    }

    fn text(&mut self, range: Range<usize>, kind: TextType) -> Result<(), Stop> {
        if range.is_empty() {
            return Ok(());
        }
        if range.start > self.at {
            self.tags(range.start)?;
        }
        if self.text.is_empty() {
            self.text = range.start..range.start;
            self.has_entities = matches!(kind, TextType::Data | TextType::RCData);
        }
        self.text.end = range.end;
        self.at = range.end;
        Ok(())
    }

    /// A comment, a doctype.
    fn aside(&mut self, range: Range<usize>) -> Result<(), Stop> {
        self.tags(range.start)?;
        self.at = range.end;
        Ok(self.balancer.aside()?)
    }

    /// Hands on the text that is complete now, and the tags from there to the next piece.
    fn tags(&mut self, next: usize) -> Result<(), Stop> {
        self.flush_text()?;
        let mut rest = self.html.get(self.at..next).unwrap_or_default();
        self.at = next;
        let mut left = TAGS;
        // Beside tags there are the marks of CDATA sections.
        while let Some(at) = memchr(b'<', rest.as_bytes()) {
            match SourceTag::read(&rest[at..]) {
                Beginning::Tag(tag) => {
                    rest = &rest[at + tag.source.len()..];
                    if tag.is_end {
                        self.end_tag(&tag)?;
                    } else {
                        self.start_tag(&tag)?;
                    }
                }
                Beginning::Cut => break,
                Beginning::Other => rest = &rest[at + 1..],
            }
            left -= 1;
            if left == 0 {
                left = TAGS;
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return Err(LimitHit::Time.into());
                }
            }
        }
        Ok(())
    }

    fn start_tag(&mut self, source: &SourceTag<'_>) -> Result<(), Stop> {
        let tag = Tag::of(source.name());
        match tag {
            Tag::Html | Tag::Body => self.declared_language(source),
            Tag::Meta => self.meta(source),
            _ => {}
        }
        self.in_picture |= is_picture(source.name());
        self.in_title = tag == Tag::Title && self.title.is_none() && !self.in_picture;
        let marks = if self.page.has_marks && is_level(tag) { Marks::of(source) } else { Marks::default() };
        Ok(self.balancer.start(tag, marks, source.is_self_closing)?)
    }

    /// `</a</li>` is one tag of an odd name to the standard, but was meant as two, and is read as two.
    fn end_tag(&mut self, source: &SourceTag<'_>) -> Result<(), Stop> {
        let inside = &source.source[2..];
        if memchr(b'<', inside.as_bytes()).is_none() {
            return self.end(source.name());
        }
        for tag in inside.split("</").filter(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic())) {
            self.end(tag.split(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>').next().unwrap_or_default())?;
        }
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), Stop> {
        self.in_title = false;
        self.in_picture &= !is_picture(name);
        Ok(self.balancer.end(Tag::of(name))?)
    }

    fn flush_text(&mut self) -> Result<(), Stop> {
        let raw = &self.html[std::mem::take(&mut self.text)];
        if raw.is_empty() {
            return Ok(());
        }
        let text = if self.has_entities { htmlize::unescape(raw) } else { raw.into() };
        if self.in_title {
            self.title = Some(fold(&text));
        }
        Ok(self.balancer.text(&text)?)
    }

    fn declared_language(&mut self, tag: &SourceTag<'_>) {
        if self.page.language.is_none() {
            self.page.language = tag.attribute("lang").or_else(|| tag.attribute("xml:lang"));
        }
    }

    fn meta(&mut self, tag: &SourceTag<'_>) {
        let Some(content) = tag.attribute("content") else { return };
        let is = |name: &str, value: &str| tag.attribute(name).is_some_and(|v| v.eq_ignore_ascii_case(value));
        if is("name", "robots") {
            for word in content.split(',').map(|word| word.trim().to_ascii_lowercase()) {
                self.page.noindex |= word == "noindex" || word == "none";
                self.page.nofollow |= word == "nofollow" || word == "none";
            }
        } else if self.page.language.is_none() && (is("http-equiv", "content-language") || is("name", "language")) {
            self.page.language = Some(content);
        }
    }

    fn into_page(mut self, mut limit: Option<LimitHit>) -> Page {
        if let Err(Stop(hit)) = self.tags(if limit.is_none() { self.html.len() } else { self.at }) {
            limit = limit.or(Some(hit));
        }
        let (blocks, end) = self.balancer.finish();
        let title_in_head = !blocks.title.is_empty();
        Page {
            title: if title_in_head { blocks.title } else { self.title.unwrap_or_default() },
            title_in_head,
            limit: limit.or(end.err()),
            text: blocks.text,
            blocks: blocks.blocks,
            nodes: blocks.nodes,
            ..self.page
        }
    }
}

fn is_picture(name: &str) -> bool {
    name.eq_ignore_ascii_case("svg")
}

/// White space folded.
fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
