//! The one pass over a page's markup.

use crate::extract::Extractor;
use crate::page::{Limits, Page};
use crate::pass::{self, PACE};
use crate::plain;
use crate::reader::Reader;
use std::ops::Range;

/// A page whose scripts are to fetch its text may have the text in a `<noscript>` for who runs none, as forums of Discourse have. `best` reads
/// that instead of the page around it, if it has more than this many times its text
const UNSCRIPTED_TIMES: usize = 2;
/// and more than this, bytes. A notice that scripts are needed is shorter.
const MIN_UNSCRIPTED: usize = 500;

/// Reads a page, as `best` wants it: where a page has little text of its own, that of its longest `<noscript>`. A limit that is hit ends the
/// reading early; what was read until then is in the page.
pub fn parse(html: &str, limits: &Limits) -> Page {
    read(html, limits, true)
}

/// [`parse`] for one extractor: what only others judge by is not read, a tenth of the work, nor a `<noscript>` but for `best`. `best` alone judges by names and
/// kinds of elements, and must not be asked about a page that was parsed for another.
pub fn parse_for(extractor: Extractor, html: &str, limits: &Limits) -> Page {
    read(html, limits, extractor == Extractor::Best)
}

fn read(html: &str, limits: &Limits, has_marks: bool) -> Page {
    let (page, unscripted) = read_once(html, limits, has_marks);
    // Only where it may be enough: markup is longer than its text.
    if !has_marks || unscripted.len() <= MIN_UNSCRIPTED.max(page.text.len()) {
        return page;
    }
    let (inside, _) = read_once(&html[unscripted], limits, has_marks);
    if inside.text.len() <= MIN_UNSCRIPTED.max(UNSCRIPTED_TIMES * page.text.len()) {
        return page;
    }
    let Page { text, blocks, nodes, limit, .. } = inside;
    Page { text, blocks, nodes, limit: page.limit.or(limit), ..page }
}

/// The page, and where its longest `<noscript>` has its content.
fn read_once(html: &str, limits: &Limits, has_marks: bool) -> (Page, Range<usize>) {
    let mut reader = Reader::new(html, limits, has_marks);
    let done = plain::read(&mut reader).and_then(|rest| match rest {
        Some(rest) => pass::read(&mut reader, &rest, PACE),
        None => Ok(()),
    });
    reader.into_page(done.err())
}

/// [`parse_for`] [`Extractor::WebAm`] with lol_html alone, for a fuzzer that holds the two beside one another.
#[cfg(fuzzing)]
pub fn parse_by_lol_html(html: &str, limits: &Limits) -> Page {
    let mut reader = Reader::new(html, limits, false);
    let done = pass::read(&mut reader, &plain::Rest { at: 0, around: "" }, PACE);
    reader.into_page(done.err()).0
}
