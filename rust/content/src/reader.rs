//! Collects a page from texts, tags and comments. Both parsers use it.

use crate::balance::Balancer;
use crate::blocks::{may_hold_text, Blocks};
use crate::display::{self, Own};
use crate::forum::{self, ForumLinks, Sign};
use crate::links::Collector;
use crate::marks::{Marks, HIDDEN};
use crate::opened::Controls;
use crate::page::{cut, LimitHit, Limits, Page, MAX_FIELDS, MAX_TITLE};
use crate::plain;
use crate::shape::Shapes;
use crate::source::SourceTag;
use crate::statements::place;
use crate::streamed;
use crate::structure::Structure;
use crate::tags::Tag;
use memchr::{memchr, memchr3, memchr_iter};
use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

/// Number of tags between two checks of the deadline.
const TAGS: u32 = 1 << 10;

/// Text with entities is decoded in pieces of about this number of bytes.
const TEXT: usize = 64 << 10;

pub(crate) struct Reader<'h> {
    html: &'h str,
    deadline: Option<Instant>,
    /// Tags until the next check of the deadline.
    tags_left: u32,
    /// None if only links are requested.
    balancer: Option<Balancer>,
    links: Option<Collector<'h>>,
    /// The base of links, if the structure of the page is requested.
    structure: Option<Structure>,
    /// True while the content of a `<noscript>` is read.
    in_unscripted: bool,
    /// The current text. Its pieces follow each other without a gap.
    text: Range<usize>,
    /// True if entities in the text are decoded.
    has_entities: bool,
    /// True after the first `<title>` outside of pictures. The head's title may be missing.
    title: Option<String>,
    in_title: bool,
    /// The element of the last tag and whether it ended with `/>`, if it was a start tag.
    last_started: Option<(Tag, bool)>,
    /// Position of the content of the longest `<noscript>`.
    unscripted: Range<usize>,
    /// True while an `<svg>` is open: titles in it are captions.
    in_picture: bool,
    /// Names that have no end tag in the rest of the page.
    endless: Vec<&'static str>,
    /// Number of elements that were ended in place of a missing end tag.
    unclosed: usize,
    /// True if text that no browser displays is left out: that of `<textarea>` and `<template>`.
    hides_inert: bool,
    /// Number of open `<template>` elements whose content is not part of the page. Only links in
    /// them count, and their text if `hides_inert` is false.
    templates: usize,
    /// The places of the start tags of hidden elements that are displayed nevertheless, in order.
    displayed: Vec<usize>,
    /// The controls so far, with the elements that they open.
    controls: Controls,
    forum_links: ForumLinks,
    /// Any element of the body ends a head, see [`Balancer::start`].
    ends_head: bool,
    page: Page,
}

impl<'h> Reader<'h> {
    /// `has_marks`: also reads the marks of elements from their start tags.
    pub(crate) fn new(html: &'h str, limits: &Limits, has_marks: bool) -> Self {
        let balancer = Balancer::new(Blocks::new(limits.max_blocks), limits.max_depth);
        let now = Instant::now();
        // The extractor needs time too. A page that is too long for both should still have the text
        // of its beginning.
        let reading = |deadline: Instant| now + deadline.saturating_duration_since(now) / 2;
        Reader {
            balancer: Some(balancer),
            ends_head: has_marks,
            page: Page { has_marks, deadline: limits.deadline, ..Page::default() },
            ..Self::without_text(html, limits.deadline.map(reading))
        }
    }

    /// Reads only links, see [`Reader::collect`].
    pub(crate) fn without_text(html: &'h str, deadline: Option<Instant>) -> Self {
        Reader {
            html,
            deadline,
            tags_left: TAGS,
            balancer: None,
            links: None,
            structure: None,
            in_unscripted: false,
            text: 0..0,
            has_entities: true,
            title: None,
            in_title: false,
            last_started: None,
            unscripted: 0..0,
            in_picture: false,
            endless: Vec::new(),
            unclosed: 0,
            hides_inert: false,
            templates: 0,
            displayed: Vec::new(),
            controls: Controls::default(),
            forum_links: ForumLinks::default(),
            ends_head: false,
            page: Page::default(),
        }
    }

    /// Leaves out the text of `<textarea>` and `<template>`. The former is what a form sends, the
    /// latter is for scripts.
    pub(crate) fn hide_inert(mut self, hides_inert: bool) -> Self {
        if let Some(balancer) = &mut self.balancer {
            balancer.flow().0.shows_templates = hides_inert;
        }
        Reader { hides_inert, ..self }
    }

    /// Reads the elements with the start tags at these places as if nothing hid them.
    pub(crate) fn display(self, displayed: Vec<usize>) -> Self {
        Reader { displayed, ..self }
    }

    /// Begins the body where a browser begins it. Without a call, pages with marks have it there.
    pub(crate) fn end_heads(self, ends_head: bool) -> Self {
        Reader { ends_head, ..self }
    }

    /// Does not count the words of blocks.
    pub(crate) fn without_words(mut self) -> Self {
        self.page.without_words = true;
        if let Some(balancer) = &mut self.balancer {
            balancer.without_words();
        }
        self
    }

    /// Collects links, too.
    pub(crate) fn collect(self, links: Collector<'h>) -> Self {
        Reader { links: Some(links), ..self }
    }

    /// Reads the structure of the page, too.
    pub(crate) fn with_structure(mut self, url: Option<&str>) -> Self {
        self.structure = Some(Structure::new(url));
        if let Some(balancer) = &mut self.balancer {
            balancer.flow().0.shapes = Some(Shapes::default());
        }
        self
    }

    /// The links that were collected.
    pub(crate) fn take_links(&mut self) -> Option<Collector<'h>> {
        self.links.take()
    }

    /// The page's source.
    pub(crate) fn html(&self) -> &'h str {
        self.html
    }

    /// Returns true if the last tag was a start tag of this element.
    pub(crate) fn is_in(&self, tag: Tag) -> bool {
        self.last_started.is_some_and(|(last, _)| last == tag)
    }

    /// Returns true if an `<svg>` is open.
    pub(crate) fn is_in_picture(&self) -> bool {
        self.in_picture
    }

    /// The element of the last tag, and whether the tag ended with `/>`, if it was a start tag and
    /// no text followed it.
    pub(crate) fn begun(&self) -> Option<(Tag, bool)> {
        self.last_started.filter(|_| self.text.is_empty())
    }

    /// Returns true if an element whose content is text, and begins at `from`, is read as if it had
    /// ended, because the rest of the page has no end tag for it.
    ///
    /// In the standard, such an element holds the rest of the page, so a cut title leaves a page
    /// without text. Its text ends at the next tag here, as in jsoup and libxml2. Any other element
    /// must end with `/>`, as XML allows: `<iframe src="..."/>` has no text at all.
    pub(crate) fn is_unclosed(&mut self, tag: Tag, is_self_closing: bool, from: usize) -> bool {
        plain::has_text(tag).is_some_and(|has_entities| has_entities || is_self_closing)
            && !self.has_end(tag.rule().name, from)
    }

    /// Returns true if the rest of the page has an end tag of this name.
    fn has_end(&mut self, name: &'static str, from: usize) -> bool {
        // Otherwise many elements would cost many searches of the whole page.
        if self.endless.contains(&name) {
            return false;
        }
        let has_end = plain::end_of(self.html.as_bytes(), from, name.as_bytes()) < self.html.len();
        if !has_end {
            self.endless.push(name);
        }
        has_end
    }

    /// Number of elements that [`Reader::unclosed`] has ended.
    pub(crate) fn unclosed_so_far(&self) -> usize {
        self.unclosed
    }

    /// Handles the text of an element without an end tag ([`Reader::is_unclosed`]), which begins at
    /// `from`, and ends the element. Returns the end of the text.
    pub(crate) fn unclosed(&mut self, tag: Tag, from: usize) -> Result<usize, LimitHit> {
        let end = match plain::has_text(tag) {
            Some(true) => next_tag_from(self.html.as_bytes(), from),
            _ => from,
        };
        if end > from {
            self.text(from..end, true);
        }
        self.end_text()?;
        self.unclosed += 1;
        self.in_picture = false;
        self.end(tag.rule().name, tag)?;
        Ok(end)
    }

    /// Handles a piece of text, as written. A piece that follows without a gap belongs to the same
    /// text. `has_entities`: false for elements whose content is not markup.
    pub(crate) fn text(&mut self, piece: Range<usize>, has_entities: bool) {
        if self.text.is_empty() {
            self.text.start = piece.start;
            self.has_entities = has_entities;
        }
        self.text.end = piece.end;
    }

    /// Handles a comment or a doctype.
    pub(crate) fn aside(&mut self) -> Result<(), LimitHit> {
        self.end_text()?;
        self.balancer.as_mut().map_or(Ok(()), Balancer::aside)
    }

    /// Handles a tag of a known kind.
    pub(crate) fn tag(&mut self, source: &SourceTag<'h>, tag: Tag) -> Result<(), LimitHit> {
        self.end_text()?;
        self.tags_left -= 1;
        if self.tags_left == 0 {
            self.tags_left = TAGS;
            self.look_at_deadline()?;
        }
        if source.is_end {
            self.end_tag(source, tag)
        } else {
            self.start_tag(source, tag)
        }
    }

    /// Notes something of the current place in the text.
    fn note(&mut self, add: impl Fn(&mut Page, (u32, u32))) {
        if let Some(balancer) = &self.balancer {
            add(&mut self.page, balancer.place());
        }
    }

    pub(crate) fn look_at_deadline(&self) -> Result<(), LimitHit> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(LimitHit::Time),
            _ => Ok(()),
        }
    }

    fn start_tag(&mut self, source: &SourceTag<'h>, tag: Tag) -> Result<(), LimitHit> {
        let is_inert = self.templates > 0;
        match tag {
            Tag::Html | Tag::Body if !is_inert => self.declared_language(source),
            Tag::Meta if !is_inert => self.meta(source),
            _ => {}
        }
        if self.page.has_marks {
            if tag != Tag::A {
                self.page.sign = self.page.sign.max(forum::sign(source, tag));
            } else if self.page.sign == Sign::None {
                if let Some(channel) = self.forum_links.see(source) {
                    self.note(|page, (place, _)| add(&mut page.channels, (place, channel)));
                }
            }
            if tag == Tag::Input && is_for_email(source) {
                self.note(|page, place| add(&mut page.fields, place));
            }
        }
        if let Some(links) = &mut self.links {
            links.set_unscripted(self.in_unscripted);
            // Scripts may show the links of a template, but a browser does not follow its
            // directives.
            if !is_inert || !matches!(tag, Tag::Meta | Tag::Base | Tag::Link) {
                links.start_tag(source, tag);
            }
            if let Some(statements) = links.statements() {
                statements.start_tag(self.html, source, tag);
            }
        }
        self.last_started = Some((tag, source.is_self_closing));
        self.in_picture |= is_picture(source.name());
        self.in_title = tag == Tag::Title && self.title.is_none() && !self.in_picture;
        self.open_template(source);
        let is_hidden = self.is_hidden();
        self.controls.see(source);
        let own = Own::of(source);
        let is_displayed = self.is_displayed(source, &own);
        let Some(balancer) = self.balancer.as_mut().filter(|_| !is_hidden) else {
            return Ok(());
        };
        let mut marks = if self.page.has_marks && may_hold_text(tag) {
            Marks::of(source, tag, self.page.sign >= Sign::Thread)
        } else {
            Marks::default()
        };
        if is_displayed {
            marks.kinds &= !HIDDEN;
        }
        if let Some(structure) = &mut self.structure {
            structure.start_tag(source, tag);
        }
        let ends_head = self.ends_head && !display::may_be_in_head(tag, source.name());
        balancer.start(tag, marks, source.is_self_closing, ends_head)?;
        let (flow, at) = balancer.flow();
        flow.start(source, tag, own, is_displayed, at);
        Ok(())
    }

    /// Returns true for an element that is displayed, whatever its attributes say. `own`: what they
    /// say.
    fn is_displayed(&self, source: &SourceTag<'h>, own: &Own) -> bool {
        let is_listed = || self.displayed.binary_search(&place(self.html, source.source)).is_ok();
        streamed::is_part(source)
            || own.is_hidden
                && (!self.displayed.is_empty() && is_listed() || self.controls.open(source))
    }

    /// In the standard, `</a</li>` is one tag with an odd name. Authors meant two tags, so it is
    /// read as two.
    fn end_tag(&mut self, source: &SourceTag<'_>, tag: Tag) -> Result<(), LimitHit> {
        let inside = &source.source[2..];
        // Nearly all tags have only a name.
        if inside.len() == source.name().len() + 1 || memchr(b'<', inside.as_bytes()).is_none() {
            return self.end(source.name(), tag);
        }
        for tag in
            inside.split("</").filter(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic()))
        {
            let name = tag
                .split(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>')
                .next()
                .unwrap_or_default();
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
            if let Some(statements) = links.statements() {
                statements.end_tag(name, tag);
            }
        }
        let is_hidden = self.is_hidden();
        self.templates -= usize::from(self.templates > 0 && is_template(name));
        if is_hidden {
            return Ok(());
        }
        let Some(balancer) = &mut self.balancer else { return Ok(()) };
        balancer.end(tag)?;
        let (flow, at) = balancer.flow();
        flow.end(name, tag, at);
        Ok(())
    }

    /// Counts a `<template>` whose elements are not part of the page. One without an end tag is
    /// read as any other element, as in [`Reader::is_unclosed`], and so is one whose content is
    /// displayed as the shadow root of the element around it.
    fn open_template(&mut self, source: &SourceTag<'h>) {
        if !is_template(source.name()) {
            return;
        }
        let from = place(self.html, source.source) + source.source.len();
        let is_left_out = self.templates > 0
            || source.attribute("shadowrootmode").is_none() && self.has_end("template", from);
        self.templates += usize::from(is_left_out);
    }

    /// Returns true in a template whose text is left out.
    fn is_hidden(&self) -> bool {
        self.hides_inert && self.templates > 0
    }

    /// Ends the current text and passes it on.
    #[inline]
    pub(crate) fn end_text(&mut self) -> Result<(), LimitHit> {
        if self.text.is_empty() {
            return Ok(());
        }
        self.end_some_text()
    }

    fn end_some_text(&mut self) -> Result<(), LimitHit> {
        let range = std::mem::take(&mut self.text);
        if let Some(statements) =
            self.links.as_mut().and_then(Collector::statements).filter(|_| !self.in_unscripted)
        {
            if self.has_entities {
                statements.text(self.html, &range);
            } else if matches!(self.last_started, Some((Tag::Script, _))) {
                statements.script_text(&self.html[range.clone()]);
            }
        }
        if self.is_in(Tag::Noscript) && !self.has_entities {
            if self.links.is_some() {
                self.read_unscripted(range.clone())?;
            }
            if range.len() > self.unscripted.len() {
                self.unscripted = range.clone();
            }
        }
        let is_anchor =
            self.has_entities && self.links.as_ref().is_some_and(Collector::is_in_anchor);
        if self.balancer.is_none() && !self.in_title && !is_anchor {
            return Ok(());
        }
        let is_inert = self.is_hidden() || self.hides_inert && self.is_in(Tag::Textarea);
        let mut rest = &self.html[range];
        if self.in_title {
            self.title = Some(String::new());
        }
        while !rest.is_empty() {
            let (raw, after) = rest.split_at(piece(rest, TEXT));
            rest = after;
            let has_entities = self.has_entities && memchr(b'&', raw.as_bytes()).is_some();
            let text = if has_entities { htmlize::unescape(raw) } else { raw.into() };
            if let (true, Some(title)) = (self.in_title, &mut self.title) {
                if title.len() < 2 * MAX_TITLE {
                    title.push_str(&text);
                }
            }
            if let (true, Some(links)) = (is_anchor, &mut self.links) {
                links.text(&text);
            }
            if let Some(balancer) = self.balancer.as_mut().filter(|_| !is_inert) {
                balancer.text(&text)?;
            }
            if !rest.is_empty() {
                self.look_at_deadline()?;
            }
        }
        Ok(())
    }

    /// Collects the links of a `<noscript>`. A nested one, or markup that needs lol_html, is left
    /// out: real pages have neither, and their cost would grow with their number.
    fn read_unscripted(&mut self, content: Range<usize>) -> Result<(), LimitHit> {
        let Some(mut links) = self.links.take() else { return Ok(()) };
        if self.in_unscripted {
            links.skips();
            self.links = Some(links);
            return Ok(());
        }
        let mut inside = Reader::without_text(&self.html[content], self.deadline).collect(links);
        inside.in_unscripted = true;
        inside.templates = self.templates;
        let done = plain::read(&mut inside, 0);
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
            self.page.language =
                tag.attribute("lang").or_else(|| tag.attribute("xml:lang")).map(declared);
        }
    }

    fn meta(&mut self, tag: &SourceTag<'_>) {
        let Some(content) = tag.attribute("content") else { return };
        let is = |name: &str, value: &str| {
            tag.attribute(name).is_some_and(|v| v.eq_ignore_ascii_case(value))
        };
        if is("name", "robots") {
            for word in content.split(',').map(str::trim) {
                let is = |other: &str| word.eq_ignore_ascii_case(other);
                self.page.noindex |= is("noindex") || is("none");
                self.page.nofollow |= is("nofollow") || is("none");
            }
        } else if self.page.language.is_none()
            && (is("http-equiv", "content-language") || is("name", "language"))
        {
            self.page.language = Some(declared(content));
        }
    }

    /// Returns the page and the position of the content of its longest `<noscript>`. `limit`: the
    /// limit that ended the reading early.
    pub(crate) fn into_page(mut self, limit: Option<LimitHit>) -> (Page, Range<usize>) {
        let late = self.end_text().err();
        let limit = limit.or(late);
        let (blocks, end) = self.balancer.map_or((Blocks::default(), Ok(())), Balancer::finish);
        let title_in_head = !blocks.title.is_empty();
        let length = blocks.text.len();
        let page = Page {
            title: if title_in_head { blocks.title } else { fold(&self.title.unwrap_or_default()) },
            title_in_head,
            limit: limit.or(end.err()),
            text: blocks.text,
            blocks: blocks.blocks,
            nodes: blocks.nodes,
            flow: blocks.flow.finish(length),
            structure: self.structure,
            is_forum: self.page.sign >= Sign::Forum || self.forum_links.are_of_a_forum(self.html),
            ..self.page
        };
        (page, self.unscripted)
    }
}

fn add<T>(places: &mut Vec<T>, place: T) {
    if places.len() < MAX_FIELDS {
        places.push(place);
    }
}

/// Returns true for a field that takes an address of e-mail.
fn is_for_email(input: &SourceTag<'_>) -> bool {
    let is_email = |name| {
        input.attribute(name).is_some_and(|value| {
            let value = value.trim();
            ["email", "e-mail"].iter().any(|email| value.eq_ignore_ascii_case(email))
        })
    };
    is_email("type") || is_email("name")
}

/// Position of the next start tag or end tag, or of the end of the page.
fn next_tag_from(bytes: &[u8], from: usize) -> usize {
    memchr_iter(b'<', &bytes[from..])
        .map(|at| from + at)
        .find(|at| match bytes[at + 1..] {
            [b'/', letter, ..] | [letter, ..] => letter.is_ascii_alphabetic(),
            [] => false,
        })
        .unwrap_or(bytes.len())
}

/// A declared language. Tags are short, so a value over a kilobyte is not a language.
fn declared(language: Cow<str>) -> String {
    let mut language = language.into_owned();
    cut(&mut language, 1 << 10);
    language.shrink_to_fit();
    language
}

fn is_template(name: &str) -> bool {
    name.eq_ignore_ascii_case("template")
}

fn is_picture(name: &str) -> bool {
    name.eq_ignore_ascii_case("svg")
}

/// Length of the first part of a text, at least this number of bytes, that can be decoded without
/// cutting an entity.
fn piece(text: &str, least: usize) -> usize {
    match text.as_bytes().get(least..) {
        Some(rest) => memchr3(b'&', b' ', b'\n', rest).map_or(text.len(), |at| least + at),
        None => text.len(),
    }
}

/// Folds white space and cuts to [`MAX_TITLE`].
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
