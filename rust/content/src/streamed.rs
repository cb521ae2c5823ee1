//! Pages that a server sends in pieces: React's streaming, which Next.js uses.
//!
//! Where a part of the page is not ready yet, the server writes a placeholder, and often what is
//! shown until then. Later it writes the part into a hidden `<div>` at the end, and a script that
//! moves it to its place:
//!
//! ```html
//! <main><!--$?--><template id="B:0"></template>Loading<!--/$--></main>
//! <div hidden id="S:0"><p>Text</p></div><script>$RC("B:0","S:0")</script>
//! ```
//!
//! A reader sees the page after its scripts, so the parts are put in their places here. Otherwise
//! all text of such a page may be hidden, or stand behind its footer.

use crate::source::{bits_of, Beginning, SourceTag};
use memchr::{memchr, memmem};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The start tag of a part, up to its number.
const PART: &str = "<div hidden id=\"S:";
/// The placeholders of a part: of one with something that is shown until then, and of one without.
const PLACES: [&str; 2] = ["<template id=\"B:", "<template id=\"P:"];
/// What follows the number of a placeholder.
const END_OF_PLACE: &str = "</template>";
/// Longest number of a part with the quotation mark after it, in bytes. React writes hexadecimal
/// numbers.
const MAX_NUMBER: usize = 16;
/// Most parts that are moved. Pages have up to some hundred.
const MAX_PARTS: usize = 10_000;

/// Returns the page with its parts in their places. A part without a place stays where it is, and
/// its element hides nothing.
pub(crate) fn assembled(html: &str) -> Cow<'_, str> {
    let parts = parts(html);
    if parts.is_empty() {
        return html.into();
    }
    Assembly::new(html, parts).assemble().into()
}

/// Returns true for the start tag of a part.
pub(crate) fn is_part(source: &SourceTag<'_>) -> bool {
    const HIDDEN: u64 = bits_of(&["hidden"]);
    let is_number =
        |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    source.may_have(HIDDEN)
        && source.attribute("id").is_some_and(|id| id.strip_prefix("S:").is_some_and(is_number))
}

/// A part of a page.
struct Part {
    /// The element with the part.
    element: Range<usize>,
    /// The part itself.
    inside: Range<usize>,
}

/// Returns the number that a start tag has here, and the position after the tag.
fn number(html: &str, at: usize) -> Option<(&str, usize)> {
    let rest = html.as_bytes().get(at..)?;
    let quote = memchr(b'"', &rest[..rest.len().min(MAX_NUMBER)])?;
    let is_whole = rest.get(quote + 1) == Some(&b'>') && quote > 0;
    is_whole.then(|| (&html[at..at + quote], at + quote + 2))
}

/// Returns the parts of a page by their numbers.
fn parts(html: &str) -> BTreeMap<&str, Part> {
    let mut parts = BTreeMap::new();
    let mut from = 0;
    while let Some(start) = memmem::find(&html.as_bytes()[from..], PART.as_bytes()) {
        if parts.len() == MAX_PARTS {
            break;
        }
        let start = from + start;
        from = start + PART.len();
        let Some((name, inside)) = number(html, from) else { continue };
        let end = end_of_div(html, inside);
        from = end.end;
        parts.entry(name).or_insert(Part { element: start..end.end, inside: inside..end.start });
    }
    parts
}

/// Returns the position of the end tag of a `<div>` whose content begins at a position, or of the
/// end of the page.
fn end_of_div(html: &str, from: usize) -> Range<usize> {
    let mut depth = 1;
    let mut at = from;
    while let Some(next) = memchr(b'<', &html.as_bytes()[at..]) {
        at += next;
        if html[at..].starts_with("<!--") {
            at = after(html, at + 4, "-->");
            continue;
        }
        let Beginning::Tag(tag) = SourceTag::read(&html[at..]) else {
            at += 1;
            continue;
        };
        let (start, name) = (at, tag.name());
        at += tag.source.len();
        if name.eq_ignore_ascii_case("div") {
            depth = if tag.is_end { depth - 1 } else { depth + 1 };
            if depth == 0 {
                return start..at;
            }
        } else if !tag.is_end {
            at = ["script", "style", "textarea", "title"]
                .into_iter()
                .find(|raw| name.eq_ignore_ascii_case(raw))
                .map_or(at, |raw| after(html, at, &format!("</{raw}")));
        }
    }
    html.len()..html.len()
}

/// Returns the position after the next such text, or the end of the page.
fn after(html: &str, from: usize, text: &str) -> usize {
    memmem::find(&html.as_bytes()[from..], text.as_bytes())
        .map_or(html.len(), |at| from + at + text.len())
}

struct Assembly<'h> {
    html: &'h str,
    parts: BTreeMap<&'h str, Part>,
    /// Elements of parts that were put in their places, by their start.
    moved: BTreeMap<usize, usize>,
    /// A boundary has no end, so that no more ends are looked for.
    is_endless: bool,
    out: String,
}

impl<'h> Assembly<'h> {
    fn new(html: &'h str, parts: BTreeMap<&'h str, Part>) -> Self {
        Self {
            html,
            parts,
            moved: BTreeMap::new(),
            is_endless: false,
            out: String::with_capacity(html.len()),
        }
    }

    /// Writes the page. Each part is taken once, so the time is linear, and what is still to be
    /// written waits on a stack, so that the depth of nested parts is not limited.
    fn assemble(mut self) -> String {
        let whole = 0..self.html.len();
        let mut rest = vec![whole];
        while let Some(mut range) = rest.pop() {
            match self.place_in(range.clone()) {
                None => self.write(range),
                Some((place, part)) => {
                    self.write(range.start..place.start);
                    range.start = place.end;
                    rest.extend([range, part]);
                }
            }
        }
        self.out
    }

    /// Returns the first place of a part in a range, with what is shown until then, and the part.
    fn place_in(&mut self, range: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let mut from = range.start;
        while let Some(at) =
            memmem::find(&self.html.as_bytes()[from..range.end], b"<template id=\"")
        {
            let start = from + at;
            from = start + PLACES[0].len();
            let is_boundary = self.html[start..].starts_with(PLACES[0]);
            if !is_boundary && !self.html[start..].starts_with(PLACES[1]) {
                continue;
            }
            let Some((name, end)) = number(self.html, from) else { continue };
            if !self.html[end..range.end.max(end)].starts_with(END_OF_PLACE) {
                continue;
            }
            // A part comes after its place. Otherwise it is written already, or around the place.
            let comes_after = self.parts.get(name).is_some_and(|part| part.element.start > start);
            let Some(part) = self.parts.remove(name).filter(|_| comes_after) else { continue };
            self.moved.insert(part.element.start, part.element.end);
            let end = end + END_OF_PLACE.len();
            let end = if is_boundary { self.end_of_boundary(end, range.end) } else { end };
            return Some((start..end, part.inside));
        }
        None
    }

    /// Returns the end of what is shown until a part has come.
    fn end_of_boundary(&mut self, from: usize, end: usize) -> usize {
        if self.is_endless {
            return from;
        }
        let mut depth = 1;
        let mut at = from;
        while let Some(next) = memmem::find(&self.html.as_bytes()[at..end], b"<!--") {
            at += next + 4;
            let rest = &self.html[at..];
            if rest.starts_with("/$-->") {
                depth -= 1;
                if depth == 0 {
                    return at + 5;
                }
            } else if rest.starts_with('$') {
                depth += 1;
            }
        }
        self.is_endless = true;
        from
    }

    /// Writes a range without the elements of parts that are in their places.
    fn write(&mut self, range: Range<usize>) {
        let mut from = range.start;
        for (&start, &end) in self.moved.range(range.clone()) {
            self.out.push_str(&self.html[from..start.max(from)]);
            from = end.max(from);
        }
        self.out.push_str(&self.html[from.min(range.end)..range.end]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_are_put_in_their_places_and_replace_what_was_shown_until_then() {
        let page = concat!(
            "<main><!--$?--><template id=\"B:0\"></template>Loading <!--$-->slowly<!--/$--><!--/$-->",
            "<p>after</p></main><footer>end</footer>",
            "<div hidden id=\"S:0\"><div>one<div></div></div><template id=\"P:1a\"></template>three</div>",
            "<script>$RC(\"B:0\",\"S:0\")</script>",
            "<div hidden id=\"S:1a\"><p>two <script>'</div>'</script><!-- </div> --></p></div>",
            "<div hidden id=\"S:2\">no place</div>",
        );
        assert_eq!(
            assembled(page),
            concat!(
                "<main><!--$?--><div>one<div></div></div>",
                "<p>two <script>'</div>'</script><!-- </div> --></p>three",
                "<p>after</p></main><footer>end</footer>",
                "<script>$RC(\"B:0\",\"S:0\")</script>",
                "<div hidden id=\"S:2\">no place</div>",
            )
        );
    }

    #[test]
    fn a_part_that_the_end_of_the_page_cuts_is_put_in_its_place() {
        let page = "<template id=\"B:0\"></template>Loading<p>x</p><div hidden id=\"S:0\"><p>cut";
        assert_eq!(assembled(page), "<p>cutLoading<p>x</p>", "without an end, nothing is left out");
    }

    #[test]
    fn parts_in_each_others_places_are_each_put_in_once() {
        let place = |n: u8| format!("<template id=\"P:{n}\"></template>");
        let part =
            |n: u8| format!("<div hidden id=\"S:{n}\">{n}{}{}</div>", place(n), place(1 - n));
        let page = format!("{}{}{}", place(0), part(0), part(1));
        assert_eq!(assembled(&page), format!("0{}1{}{}", place(0), place(1), place(0)));
    }

    proptest! {
        #[test]
        fn any_page_keeps_its_text_outside_of_placeholders(
            pieces in proptest::collection::vec(0_usize..9, 0..40)
        ) {
            let page: String = pieces
                .into_iter()
                .map(|piece| [
                    "<div hidden id=\"S:0\">", "<div hidden id=\"S:1\">", "</div>", "<p>é",
                    "<template id=\"P:0\"></template>", "<template id=\"P:1\"></template>",
                    "<div>", "<!--", "<script>",
                ][piece])
                .collect();
            let count = |html: &str| html.matches('é').count();
            let assembled = assembled(&page);
            prop_assert!(assembled.len() <= page.len());
            prop_assert_eq!(count(&assembled), count(&page), "{}", assembled);
        }
    }
}
