//! Texts, tags and comments to a page, whoever tells them from one another.

use crate::balance::Balancer;
use crate::blocks::{may_hold_text, Blocks};
use crate::links::Collector;
use crate::marks::Marks;
use crate::page::{cut, LimitHit, Limits, Page, MAX_TITLE};
use crate::plain;
use crate::source::SourceTag;
use crate::tags::Tag;
use memchr::{memchr, memchr3};
use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

/// Tags between two looks at the deadline.
const TAGS: u32 = 1 << 10;

/// Text with entities is decoded so many bytes at a time, or a few more.
const TEXT: usize = 64 << 10;

pub(crate) struct Reader<'h> {
    html: &'h str,
    deadline: Option<Instant>,
    /// Tags until the next look at the deadline.
    unhurried: u32,
    /// None if only links are wanted.
    balancer: Option<Balancer>,
    links: Option<Collector<'h>>,
    /// What is read is the content of a `<noscript>`.
    in_unscripted: bool,
    /// The text that is being read: pieces of it follow one another without a gap.
    text: Range<usize>,
    /// It is markup text, where entities count.
    has_entities: bool,
    /// The first `<title>` outside of pictures; the head's may be missing.
    title: Option<String>,
    in_title: bool,
    /// The last tag, if it was a start tag.
    last_started: Option<Tag>,
    /// The content of the longest `<noscript>`.
    unscripted: Range<usize>,
    /// An `<svg>` is open, where titles are captions.
    in_picture: bool,
    page: Page,
}

impl<'h> Reader<'h> {
    /// `has_marks`: what start tags say of their elements is read, too.
    pub(crate) fn new(html: &'h str, limits: &Limits, has_marks: bool) -> Self {
        let balancer = Balancer::new(Blocks::new(limits.max_blocks), limits.max_depth);
        Reader {
            balancer: Some(balancer),
            page: Page { has_marks, ..Page::default() },
            ..Self::without_text(html, limits.deadline)
        }
    }

    /// Reads nothing but links, see [`Reader::collect`].
    pub(crate) fn without_text(html: &'h str, deadline: Option<Instant>) -> Self {
        Reader {
            html,
            deadline,
            unhurried: TAGS,
            balancer: None,
            links: None,
            in_unscripted: false,
            text: 0..0,
            has_entities: true,
            title: None,
            in_title: false,
            last_started: None,
            unscripted: 0..0,
            in_picture: false,
            page: Page::default(),
        }
    }

    /// Collects links, too.
    pub(crate) fn collect(self, links: Collector<'h>) -> Self {
        Reader { links: Some(links), ..self }
    }

    /// What was collected so far.
    pub(crate) fn take_links(&mut self) -> Option<Collector<'h>> {
        self.links.take()
    }

    /// The page's source.
    pub(crate) fn html(&self) -> &'h str {
        self.html
    }

    /// The last tag was a start tag of this element.
    pub(crate) fn is_in(&self, tag: Tag) -> bool {
        self.last_started == Some(tag)
    }

    /// An `<svg>` is open.
    pub(crate) fn is_in_picture(&self) -> bool {
        self.in_picture
    }

    /// A piece of text, as written; what follows without a gap belongs to the same text. `has_entities`: it is not that of an element without markup.
    pub(crate) fn text(&mut self, piece: Range<usize>, has_entities: bool) {
        if self.text.is_empty() {
            self.text.start = piece.start;
            self.has_entities = has_entities;
        }
        self.text.end = piece.end;
    }

    /// A comment, a doctype.
    pub(crate) fn aside(&mut self) -> Result<(), LimitHit> {
        self.end_text()?;
        self.balancer.as_mut().map_or(Ok(()), Balancer::aside)
    }

    /// A tag, and which it is.
    pub(crate) fn tag(&mut self, source: &SourceTag<'h>, tag: Tag) -> Result<(), LimitHit> {
        self.end_text()?;
        self.unhurried -= 1;
        if self.unhurried == 0 {
            self.unhurried = TAGS;
            self.look_at_deadline()?;
        }
        if source.is_end {
            self.end_tag(source, tag)
        } else {
            self.start_tag(source, tag)
        }
    }

    pub(crate) fn look_at_deadline(&self) -> Result<(), LimitHit> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(LimitHit::Time),
            _ => Ok(()),
        }
    }

    fn start_tag(&mut self, source: &SourceTag<'h>, tag: Tag) -> Result<(), LimitHit> {
        match tag {
            Tag::Html | Tag::Body => self.declared_language(source),
            Tag::Meta => self.meta(source),
            _ => {}
        }
        if let Some(links) = &mut self.links {
            links.start_tag(source, tag);
        }
        self.last_started = Some(tag);
        self.in_picture |= is_picture(source.name());
        self.in_title = tag == Tag::Title && self.title.is_none() && !self.in_picture;
        let Some(balancer) = &mut self.balancer else { return Ok(()) };
        let marks = if self.page.has_marks && may_hold_text(tag) { Marks::of(source, tag) } else { Marks::default() };
        balancer.start(tag, marks, source.is_self_closing)
    }

    /// `</a</li>` is one tag of an odd name to the standard, but was meant as two, and is read as two.
    fn end_tag(&mut self, source: &SourceTag<'_>, tag: Tag) -> Result<(), LimitHit> {
        let inside = &source.source[2..];
        // Nearly all have but a name.
        if inside.len() == source.name().len() + 1 || memchr(b'<', inside.as_bytes()).is_none() {
            return self.end(source.name(), tag);
        }
        for tag in inside.split("</").filter(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic())) {
            let name = tag.split(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>').next().unwrap_or_default();
            self.end(name, Tag::of(name))?;
        }
        Ok(())
    }

    fn end(&mut self, name: &str, tag: Tag) -> Result<(), LimitHit> {
        self.in_title = false;
        self.last_started = None;
        self.in_picture &= !is_picture(name);
        if let Some(links) = &mut self.links {
            links.end_tag(name, tag);
        }
        self.balancer.as_mut().map_or(Ok(()), |balancer| balancer.end(tag))
    }

    /// No more of the text follows: hands it on.
    #[inline]
    pub(crate) fn end_text(&mut self) -> Result<(), LimitHit> {
        if self.text.is_empty() {
            return Ok(());
        }
        self.end_some_text()
    }

    fn end_some_text(&mut self) -> Result<(), LimitHit> {
        let range = std::mem::take(&mut self.text);
        if self.is_in(Tag::Noscript) && !self.has_entities {
            if self.links.is_some() {
                self.read_unscripted(range.clone())?;
            }
            if range.len() > self.unscripted.len() {
                self.unscripted = range.clone();
            }
        }
        let is_anchor = self.has_entities && self.links.as_ref().is_some_and(Collector::is_in_anchor);
        if self.balancer.is_none() && !self.in_title && !is_anchor {
            return Ok(());
        }
        let mut rest = &self.html[range];
        if self.in_title {
            self.title = Some(String::new());
        }
        while !rest.is_empty() {
            let (raw, after) = rest.split_at(piece(rest, TEXT));
            rest = after;
            let text = if self.has_entities { htmlize::unescape(raw) } else { raw.into() };
            if let (true, Some(title)) = (self.in_title, &mut self.title) {
                if title.len() < 2 * MAX_TITLE {
                    title.push_str(&text);
                }
            }
            if let (true, Some(links)) = (is_anchor, &mut self.links) {
                links.text(&text);
            }
            if let Some(balancer) = &mut self.balancer {
                balancer.text(&text)?;
            }
            if !rest.is_empty() {
                self.look_at_deadline()?;
            }
        }
        Ok(())
    }

    /// Collects the links of a `<noscript>`. One that is in it, or what lol_html would have to read, is left out: neither is on real
    /// pages, and each would cost time that grows with their number.
    fn read_unscripted(&mut self, content: Range<usize>) -> Result<(), LimitHit> {
        let Some(mut links) = self.links.take() else { return Ok(()) };
        if self.in_unscripted {
            links.skips();
            self.links = Some(links);
            return Ok(());
        }
        let mut inside = Reader::without_text(&self.html[content], self.deadline).collect(links);
        inside.in_unscripted = true;
        let done = plain::read(&mut inside);
        let ended = inside.end_text();
        if let Some(mut links) = inside.take_links() {
            if !matches!(done, Ok(None)) {
                links.skips();
            }
            self.links = Some(links);
        }
        done.and(ended)
    }

    fn declared_language(&mut self, tag: &SourceTag<'_>) {
        if self.page.language.is_none() {
            self.page.language = tag.attribute("lang").or_else(|| tag.attribute("xml:lang")).map(declared);
        }
    }

    fn meta(&mut self, tag: &SourceTag<'_>) {
        let Some(content) = tag.attribute("content") else { return };
        let is = |name: &str, value: &str| tag.attribute(name).is_some_and(|v| v.eq_ignore_ascii_case(value));
        if is("name", "robots") {
            for word in content.split(',').map(str::trim) {
                let is = |other: &str| word.eq_ignore_ascii_case(other);
                self.page.noindex |= is("noindex") || is("none");
                self.page.nofollow |= is("nofollow") || is("none");
            }
        } else if self.page.language.is_none() && (is("http-equiv", "content-language") || is("name", "language")) {
            self.page.language = Some(declared(content));
        }
    }

    /// The page as far as it was read, and where its longest `<noscript>` has its content. `limit`: what ended the reading early.
    pub(crate) fn into_page(mut self, limit: Option<LimitHit>) -> (Page, Range<usize>) {
        let late = self.end_text().err();
        let limit = limit.or(late);
        let (blocks, end) = self.balancer.map_or((Blocks::new(0), Ok(())), Balancer::finish);
        let title_in_head = !blocks.title.is_empty();
        let page = Page {
            title: if title_in_head { blocks.title } else { fold(&self.title.unwrap_or_default()) },
            title_in_head,
            limit: limit.or(end.err()),
            text: blocks.text,
            blocks: blocks.blocks,
            nodes: blocks.nodes,
            ..self.page
        };
        (page, self.unscripted)
    }
}

/// A declared language. Tags are short, and what is beyond a kilobyte is none.
fn declared(language: Cow<str>) -> String {
    let mut language = language.into_owned();
    cut(&mut language, 1 << 10);
    language.shrink_to_fit();
    language
}

fn is_picture(name: &str) -> bool {
    name.eq_ignore_ascii_case("svg")
}

/// How much of a text, of so many bytes at least, may be decoded apart from the rest: no entity is cut.
fn piece(text: &str, least: usize) -> usize {
    match text.as_bytes().get(least..) {
        Some(rest) => memchr3(b'&', b' ', b'\n', rest).map_or(text.len(), |at| least + at),
        None => text.len(),
    }
}

/// White space folded, not longer than [`MAX_TITLE`].
fn fold(text: &str) -> String {
    let mut folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&mut folded, MAX_TITLE);
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn text_is_decoded_alike_in_pieces_and_as_a_whole(text in "[a& ;#\u{e9}]{0,40}(amp|lt;|#65|#x41;|notit;)?[a& ;]{0,20}") {
            let mut pieces = String::new();
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let (raw, after) = rest.split_at(piece(rest, 2));
                pieces.push_str(&htmlize::unescape(raw));
                rest = after;
            }
            prop_assert_eq!(pieces, htmlize::unescape(text.as_str()));
        }
    }
}
