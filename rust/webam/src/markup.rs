//! The one pass over a page's markup.

use crate::extract::Extractor;
use crate::links::{Collector, LinkOptions, Links};
use crate::page::{LimitHit, Limits, Page};
use crate::pass::{self, PACE};
use crate::plain;
use crate::reader::Reader;
use std::ops::Range;
use std::time::Instant;

/// A page whose scripts are to fetch its text may have the text in a `<noscript>` for who runs none, as forums of Discourse have. `best` reads
/// that instead of the page around it, if it has more than this many times its text
const UNSCRIPTED_TIMES: usize = 2;
/// and more than this, bytes. A notice that scripts are needed is shorter.
const MIN_UNSCRIPTED: usize = 500;

/// Reads a page, as `best` wants it: where a page has little text of its own, that of its longest `<noscript>`. A limit that is hit ends the
/// reading early; what was read until then is in the page.
pub fn parse(html: &str, limits: &Limits) -> Page {
    read(html, limits, true, &mut None)
}

/// [`parse`] for one extractor: what only others judge by is not read, a tenth of the work, nor a `<noscript>` but for `best`. `best` alone judges by names and
/// kinds of elements, and must not be asked about a page that was parsed for another.
pub fn parse_for(extractor: Extractor, html: &str, limits: &Limits) -> Page {
    read(html, limits, extractor == Extractor::Best, &mut None)
}

/// [`parse_for`], and the links of the page, in the same pass.
pub fn parse_with_links(extractor: Extractor, html: &str, limits: &Limits, options: &LinkOptions<'_>) -> (Page, Links) {
    let mut links = Some(Collector::new(options));
    let page = read(html, limits, extractor == Extractor::Best, &mut links);
    let links = links.map(Collector::finish).unwrap_or_default();
    let unread = links.unread || page.limit.is_some_and(|limit| limit != LimitHit::Depth);
    (page, Links { unread, ..links })
}

/// The links of a page, and nothing else. `deadline`: when to stop, whatever is left.
pub fn links(html: &str, options: &LinkOptions<'_>, deadline: Option<Instant>) -> Links {
    let mut reader = Reader::without_text(html, deadline).collect(Collector::new(options));
    let done = read_all(&mut reader);
    let links = reader.take_links().map(Collector::finish).unwrap_or_default();
    Links { unread: links.unread || done.is_err(), ..links }
}

fn read<'h>(html: &'h str, limits: &Limits, has_marks: bool, links: &mut Option<Collector<'h>>) -> Page {
    let (page, unscripted) = read_once(html, limits, has_marks, links);
    // Only where it may be enough: markup is longer than its text.
    if !has_marks || unscripted.len() <= MIN_UNSCRIPTED.max(page.text.len()) {
        return page;
    }
    let (inside, _) = read_once(&html[unscripted], limits, has_marks, &mut None);
    if inside.text.len() <= MIN_UNSCRIPTED.max(UNSCRIPTED_TIMES * page.text.len()) {
        return page;
    }
    let Page { text, blocks, nodes, limit, .. } = inside;
    Page { text, blocks, nodes, limit: page.limit.or(limit), ..page }
}

/// The page, and where its longest `<noscript>` has its content. Links are collected if there is what collects them.
fn read_once<'h>(
    html: &'h str,
    limits: &Limits,
    has_marks: bool,
    links: &mut Option<Collector<'h>>,
) -> (Page, Range<usize>) {
    let mut reader = Reader::new(html, limits, has_marks);
    if let Some(links) = links.take() {
        reader = reader.collect(links);
    }
    let done = read_all(&mut reader);
    *links = reader.take_links();
    reader.into_page(done.err())
}

fn read_all(reader: &mut Reader<'_>) -> Result<(), LimitHit> {
    if let Some(rest) = plain::read(reader)? {
        pass::read(reader, &rest, PACE)?;
    }
    reader.end_text()
}

/// [`parse_for`] [`Extractor::WebAm`] with lol_html alone, for a fuzzer that holds the two beside one another.
#[cfg(fuzzing)]
pub fn parse_by_lol_html(html: &str, limits: &Limits) -> Page {
    let mut reader = Reader::new(html, limits, false);
    let done = pass::read(&mut reader, &plain::Rest { at: 0, around: "" }, PACE);
    reader.into_page(done.err()).0
}
