//! The one pass over a page's markup.
//!
//! lol_html finds tags and text. It reports the end tag of an element only if it holds that element open, but `</p>` or
//! `</b>` out of order matter too, so end tags are read from the bytes that lie between two reported pieces: nothing else
//! can be there.

use crate::balance::Balancer;
use crate::blocks::Blocks;
use crate::page::{LimitHit, Limits, Page};
use crate::tags::Tag;
use lol_html::html_content::{Element, TextType};
use lol_html::{doc_comments, doc_text, doctype, element, HtmlRewriter, MemorySettings, Settings};
use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::time::Instant;

/// Bytes handed to lol_html at a time; the deadline is looked at in between.
const STEP: usize = 4 << 10;

/// The most that lol_html may hold, bytes: a tag that is being read, and the elements that it believes open.
const MEMORY: usize = 32 << 20;

/// Reads a page. A limit that is hit ends the reading early; what was read until then is in the page.
pub fn parse(html: &str, limits: &Limits) -> Page {
    let reader = RefCell::new(Reader::new(html, limits));
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
            element_content_handlers: vec![element!("*", |it| Ok(reader.borrow_mut().element(it)?))],
            memory_settings: MemorySettings { max_allowed_memory_usage: MEMORY, ..MemorySettings::default() },
            strict: false,
            ..Settings::default()
        },
        |_: &[u8]| {},
    );
    let mut from = 0;
    while from < html.len() {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(LimitHit::Time);
        }
        let mut to = (from + STEP).min(html.len());
        while !html.is_char_boundary(to) {
            to += 1;
        }
        pass.write(&html.as_bytes()[from..to]).map_err(limit_of)?;
        from = to;
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
    fn new(html: &'h str, limits: &Limits) -> Self {
        Reader {
            html,
            balancer: Balancer::new(Blocks::new(limits.max_blocks), limits.max_depth),
            at: 0,
            text: 0..0,
            has_entities: true,
            title: None,
            in_title: false,
            in_picture: false,
            page: Page::default(),
        }
    }

    fn text(&mut self, range: Range<usize>, kind: TextType) -> Result<(), Stop> {
        if range.is_empty() {
            return Ok(());
        }
        if range.start > self.at {
            self.end_tags(range.start)?;
        }
        if self.text.is_empty() {
            self.text = range.start..range.start;
            self.has_entities = matches!(kind, TextType::Data | TextType::RCData);
        }
        self.text.end = range.end;
        self.at = range.end;
        Ok(())
    }

    fn element(&mut self, element: &mut Element<'_, '_>) -> Result<(), Stop> {
        let range = element.source_location().bytes();
        self.end_tags(range.start)?;
        self.at = range.end;
        let name = tag_name(&self.html[range.start + 1..range.end]);
        let tag = Tag::of(name);
        match tag {
            Tag::Html | Tag::Body => self.declared_language(element),
            Tag::Meta => self.meta(element),
            _ => {}
        }
        self.in_picture |= name.eq_ignore_ascii_case("svg");
        self.in_title = tag == Tag::Title && self.title.is_none() && !self.in_picture;
        Ok(self.balancer.start(tag, element.is_self_closing())?)
    }

    /// A comment, a doctype.
    fn aside(&mut self, range: Range<usize>) -> Result<(), Stop> {
        self.end_tags(range.start)?;
        self.at = range.end;
        Ok(self.balancer.aside()?)
    }

    /// Hands on the text that is complete now, and the end tags from there to the next piece.
    fn end_tags(&mut self, next: usize) -> Result<(), Stop> {
        self.flush_text()?;
        let gap = self.html.get(self.at..next).unwrap_or_default();
        for tag in gap.split("</").skip(1) {
            if tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
                let name = tag_name(tag);
                self.in_title = false;
                self.in_picture &= !name.eq_ignore_ascii_case("svg");
                self.balancer.end(Tag::of(name))?;
            }
        }
        self.at = next;
        Ok(())
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

    fn declared_language(&mut self, element: &Element<'_, '_>) {
        if self.page.language.is_none() {
            self.page.language = attribute(element, "lang").or_else(|| attribute(element, "xml:lang"));
        }
    }

    fn meta(&mut self, element: &Element<'_, '_>) {
        let Some(content) = attribute(element, "content") else { return };
        let is = |name: &str, value: &str| attribute(element, name).is_some_and(|v| v.eq_ignore_ascii_case(value));
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
        if let Err(Stop(hit)) = self.end_tags(if limit.is_none() { self.html.len() } else { self.at }) {
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

/// The name at the beginning of a tag's inside.
fn tag_name(inside: &str) -> &str {
    inside.split(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>').next().unwrap_or_default()
}

/// A non-empty attribute, entities decoded.
fn attribute(element: &Element<'_, '_>, name: &str) -> Option<String> {
    let value = element.get_attribute(name)?;
    let value = htmlize::unescape_attribute(value.trim());
    (!value.is_empty()).then(|| value.into_owned())
}

/// White space folded.
fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
