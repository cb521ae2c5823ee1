//! One pass over the markup of a page.

use crate::extract::Extractor;
use crate::forum;
use crate::links::{Collector, LinkOptions, Links};
use crate::page::{Block, LimitHit, Limits, Page};
use crate::pass::{self, PACE};
use crate::plain;
use crate::reader::Reader;
use crate::scripted;
use crate::streamed;
use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

/// A page that loads its text by scripts may have the text in a `<noscript>`, for readers without
/// scripts, as forums of Discourse do. `best` reads the `<noscript>` instead of the page if it has
/// more than this many times the page's text, both without links,
const UNSCRIPTED_TIMES: usize = 2;
/// and more than this number of bytes, because a notice that scripts are needed is shorter. A
/// `<noscript>` with an article is no notice, however short.
const MIN_UNSCRIPTED: usize = 500;
/// Hidden elements wait for a script to display them if they have more than this many times the
/// text that is displayed, both without links,
const WAITING_TIMES: usize = 4;
/// and more than this number of bytes. Dialogs and menus are shorter, or on pages with more text.
const MIN_WAITING: usize = 500;
/// Least bytes of an article in a script that is read instead of a page with little text.
const MIN_ARTICLE: usize = 200;
/// Most bytes of text outside of links of such a page.
const MAX_OWN: usize = 1000;
/// Most bytes of text outside of links of a page whose text may be anywhere in its data.
const MAX_BARE: usize = 100;

/// Reads a page for `best`, as its scripts display it: parts that the server sent later are in their
/// places, and an element that hides nearly all text until a script has run hides nothing. If the
/// page has little text of its own, the text of its longest `<noscript>`, or of an article in the
/// JSON of its scripts, is read instead. If a limit ends the reading early, the page has what was
/// read until then.
pub fn parse(html: &str, limits: &Limits) -> Page {
    let wanted = Wanted { words: true, ..Wanted::of(Extractor::Best) };
    read(&wanted.assembled(html), limits, wanted, &mut None)
}

/// [`parse`] for one extractor. It skips data that only other extractors use, a tenth of the work,
/// and reads a `<noscript>` only for `best`. Do not use another extractor on the page: `best` needs
/// names and kinds of elements, and the extractors by Boilerpipe and W2C need the counts of words.
pub fn parse_for(extractor: Extractor, html: &str, limits: &Limits) -> Page {
    let wanted = Wanted::of(extractor);
    read(&wanted.assembled(html), limits, wanted, &mut None)
}

/// [`parse_for`] with all data on the blocks, whatever the extractor, for a reader who wants to see
/// why they are kept. The text is the same.
pub fn parse_to_inspect(extractor: Extractor, html: &str, limits: &Limits) -> Page {
    let wanted = Wanted { marks: true, words: true, ..Wanted::of(extractor) };
    read(&wanted.assembled(html), limits, wanted, &mut None)
}

/// [`parse_for`] with the names and kinds of elements and the structure of the page, whatever the
/// extractor, and with links if options are given. The text is the same. `url`: that of the page.
pub(crate) fn parse_with_structure(
    extractor: Extractor,
    html: &str,
    limits: &Limits,
    url: Option<&str>,
    options: Option<&LinkOptions<'_>>,
) -> (Page, Option<Links>) {
    let mut links = options.map(Collector::new);
    let wanted = Wanted { marks: true, structure: Some(url), ..Wanted::of(extractor) };
    let html = &wanted.assembled(html);
    let page = read(html, limits, wanted, &mut links);
    (page, links.map(Collector::finish))
}

/// Data that is read beside the text.
#[derive(Clone, Copy)]
struct Wanted<'u> {
    /// Names and kinds of elements.
    marks: bool,
    /// The body begins where a browser begins it, not as in NekoHTML.
    ends_head: bool,
    /// Words and lines of blocks.
    words: bool,
    /// The longest `<noscript>`, instead of a page with little text, and no text of `<textarea>`
    /// and `<template>`. For the other extractors these are as in Boilerpipe.
    as_displayed: bool,
    /// The structure; the value is the URL of the page, if it is known.
    structure: Option<Option<&'u str>>,
}

impl Wanted<'_> {
    fn of(extractor: Extractor) -> Self {
        let is_best = extractor == Extractor::Best;
        Self {
            marks: is_best || extractor == Extractor::Text,
            ends_head: is_best || extractor == Extractor::Text,
            words: extractor.counts_words(),
            as_displayed: is_best,
            structure: None,
        }
    }

    /// The page with its parts in their places, if it is read as it is displayed.
    fn assembled<'h>(&self, html: &'h str) -> Cow<'h, str> {
        if self.as_displayed {
            streamed::assembled(html)
        } else {
            html.into()
        }
    }
}

/// [`parse_for`], which also collects the links of the page in the same pass.
pub fn parse_with_links(
    extractor: Extractor,
    html: &str,
    limits: &Limits,
    options: &LinkOptions<'_>,
) -> (Page, Links) {
    let wanted = Wanted::of(extractor);
    let html = &wanted.assembled(html);
    let mut links = Some(Collector::new(options));
    let page = read(html, limits, wanted, &mut links);
    let links = links.map(Collector::finish).unwrap_or_default();
    let unread = links.unread || page.limit.is_some_and(|limit| limit != LimitHit::Depth);
    (page, Links { unread, ..links })
}

/// Collects only the links of a page. `deadline`: time at which reading stops.
pub fn links(html: &str, options: &LinkOptions<'_>, deadline: Option<Instant>) -> Links {
    let mut reader = Reader::without_text(html, deadline).collect(Collector::new(options));
    let done = read_all(&mut reader);
    let mut links = reader.take_links();
    finish_statements(&mut links, html);
    let links = links.map(Collector::finish).unwrap_or_default();
    Links { unread: links.unread || done.is_err(), ..links }
}

fn read<'h>(
    html: &'h str,
    limits: &Limits,
    wanted: Wanted<'_>,
    links: &mut Option<Collector<'h>>,
) -> Page {
    let (mut page, unscripted) = read_once(html, limits, wanted, links, Vec::new());
    let waiting = waiting(&page, html);
    if !waiting.is_empty() {
        let (inside, _) = read_once(html, limits, wanted, &mut None, waiting);
        page = with_text_of(page, inside);
    }
    if !wanted.as_displayed || page.limit == Some(LimitHit::Time) {
        return page;
    }
    page.is_forum = page.is_forum || forum::has_type(html);
    let own = unlinked(&page);
    let unscripted = &html[unscripted];
    let min = if has_article(unscripted) { 0 } else { MIN_UNSCRIPTED }.max(UNSCRIPTED_TIMES * own);
    // Only if it may be long enough: markup is longer than its text.
    if unscripted.len() > min {
        let (inside, _) = read_once(unscripted, limits, wanted, &mut None, Vec::new());
        if unlinked(&inside) > min {
            return with_text_of(page, inside);
        }
    }
    if own > MAX_OWN {
        return page;
    }
    let min = MIN_ARTICLE.max(UNSCRIPTED_TIMES * own);
    match scripted::article(html, &page.title, min, own <= MAX_BARE) {
        Some(article) => {
            let (inside, _) = read_once(&article, limits, wanted, &mut None, Vec::new());
            with_text_of(page, inside)
        }
        None => page,
    }
}

/// The places of the start tags of hidden elements with nearly all text of the page, among it its
/// main part. A script displays them, for example if a reader may see the shop, or when the page is
/// complete. Empty if the page has none.
fn waiting(page: &Page, html: &str) -> Vec<usize> {
    let waiting = &page.flow.waiting;
    if !waiting.iter().any(|it| it.has_main) {
        return Vec::new();
    }
    let is_in = |block: &Block, place: &Range<usize>| {
        place.start <= block.text.start && block.text.end <= place.end
    };
    let mut hidden = page.flow.hidden_text().peekable();
    let mut waits = waiting.iter().peekable();
    let (mut inside, mut displayed) = (0, 0);
    for block in &page.blocks {
        while hidden.next_if(|place| place.end <= block.text.start).is_some() {}
        while waits.next_if(|it| it.text.end <= block.text.start).is_some() {}
        let unlinked = block.text.len().saturating_sub(block.linked_bytes as usize);
        if waits.peek().is_some_and(|it| is_in(block, &it.text)) {
            inside += unlinked;
        } else if !hidden.peek().is_some_and(|place| is_in(block, place)) {
            displayed += unlinked;
        }
    }
    if inside <= MIN_WAITING.max(WAITING_TIMES * displayed) {
        return Vec::new();
    }
    waiting.iter().filter_map(|it| it.tag.checked_sub(html.as_ptr() as usize)).collect()
}

/// Returns true for the inside of a `<noscript>` that has an article. A notice may have a headline.
fn has_article(unscripted: &str) -> bool {
    const NAME: &str = "article";
    memchr::memchr_iter(b'<', unscripted.as_bytes()).any(|at| {
        let name = unscripted.get(at + 1..at + 1 + NAME.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(NAME))
    })
}

/// Bytes of a page's text outside of links: a menu has none.
fn unlinked(page: &Page) -> usize {
    let linked: usize = page.blocks.iter().map(|block| block.linked_bytes as usize).sum();
    page.text.len().saturating_sub(linked)
}

/// A page with the text of another part of its source.
fn with_text_of(page: Page, inside: Page) -> Page {
    let Page { text, blocks, nodes, fields, channels, flow, structure, limit, .. } = inside;
    let limit = page.limit.or(limit);
    Page { text, blocks, nodes, fields, channels, flow, structure, limit, ..page }
}

/// Returns the page and the position of the content of its longest `<noscript>`. Links are
/// collected if a collector is given. `displayed`: the places of the start tags of hidden
/// elements that are displayed nevertheless.
fn read_once<'h>(
    html: &'h str,
    limits: &Limits,
    wanted: Wanted<'_>,
    links: &mut Option<Collector<'h>>,
    displayed: Vec<usize>,
) -> (Page, Range<usize>) {
    let mut reader = Reader::new(html, limits, wanted.marks)
        .hide_inert(wanted.as_displayed)
        .display(displayed)
        .end_heads(wanted.ends_head);
    if !wanted.words {
        reader = reader.without_words();
    }
    if let Some(url) = wanted.structure {
        reader = reader.with_structure(url);
    }
    if let Some(links) = links.take() {
        reader = reader.collect(links);
    }
    let done = read_all(&mut reader);
    *links = reader.take_links();
    finish_statements(links, html);
    reader.into_page(done.err())
}

fn finish_statements(links: &mut Option<Collector<'_>>, html: &str) {
    if let Some(links) = links {
        links.finish_statements(html);
    }
}

fn read_all(reader: &mut Reader<'_>) -> Result<(), LimitHit> {
    let mut from = 0;
    while let Some(rest) = plain::read(reader, from)? {
        match pass::read(reader, &rest, PACE)? {
            Some(at) => from = at,
            None => break,
        }
    }
    reader.end_text()
}

/// [`parse_for`] [`Extractor::WebAm`] with lol_html alone, for a fuzzer that compares both parsers.
#[cfg(fuzzing)]
pub fn parse_by_lol_html(html: &str, limits: &Limits) -> Page {
    let mut reader = Reader::new(html, limits, false);
    let done = pass::read_on(&mut reader, plain::Rest { at: 0, around: "" }, PACE);
    reader.into_page(done.err()).0
}
