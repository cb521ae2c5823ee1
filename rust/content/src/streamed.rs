//! Pages that a server sends in pieces: React's streaming, which Next.js uses.
//!
//! If a part of the page is not ready yet, the server writes a placeholder, and often a text that
//! stands there until then. Later it writes the part into a hidden `<div>` at the end, and a script
//! that moves it to its place:
//!
//! ```html
//! <main><!--$?--><template id="B:0"></template>Loading<!--/$--></main>
//! <div hidden id="S:0"><p>Text</p></div><script>$RC("B:0","S:0")</script>
//! ```
//!
//! A reader sees the page after its scripts, so the parts are put in their places here. Otherwise
//! all text of such a page may be hidden, or stand behind its footer.

use crate::plain;
use crate::source::{bits_of, Beginning, SourceTag};
use memchr::{memchr, memmem};
use std::borrow::Cow;
use std::ops::Range;

/// Elements that a part is in. A row, or a group of rows or columns, is in a hidden table.
const AROUND: [&str; 5] = ["div", "table", "tbody", "tr", "colgroup"];
/// Elements whose content is no markup.
const RAW: [&str; 7] = ["script", "style", "textarea", "title", "noscript", "iframe", "xmp"];
/// Longest id, in bytes: some letters, `S:` and a hexadecimal number.
const MAX_ID: usize = 64;
/// Most parts, places, and boundaries in each other. Pages have up to some hundred.
const MAX_PARTS: usize = 2_000;

/// Returns the page with its parts in their places. A part without a place stays where it is, and
/// so does one that the end of the page cuts: what it has opened would hold the rest of the page.
pub(crate) fn assembled(html: &str) -> Cow<'_, str> {
    if !has_parts(html.as_bytes()) {
        return html.into();
    }
    let mut scan = Scan::default();
    scan.read(html);
    if scan.parts.is_empty() || scan.places.is_empty() {
        return html.into();
    }
    scan.write(html).into()
}

/// Returns true if a page may have parts in other places. Nearly all have none, and are not read
/// again.
fn has_parts(html: &[u8]) -> bool {
    let is_part = |at: usize| {
        let number = html[at + 2..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        number > 0 && html.get(at + 2 + number) == Some(&b'"')
    };
    // A page has few templates, and `S:` is in many.
    memmem::find(html, b"<template id=\"")
        .is_some_and(|at| memmem::find_iter(&html[at..], b"S:").any(|part| is_part(at + part)))
}

/// Returns true for the start tag of a part.
pub(crate) fn is_part(source: &SourceTag<'_>) -> bool {
    is_hidden(source) && is_one_of(source.name(), &AROUND[..2]) && key(source, "S:").is_some()
}

fn is_hidden(source: &SourceTag<'_>) -> bool {
    const HIDDEN: u64 = bits_of(&["hidden"]);
    source.may_have(HIDDEN)
        && source.attributes().any(|(name, _)| name.eq_ignore_ascii_case("hidden"))
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// Returns the id of an element without the kind before its number, which is `S:` for a part, and
/// `B:` or `P:` for its place. A site may have its own letters before it.
fn key(source: &SourceTag<'_>, kind: &str) -> Option<String> {
    let id = source.attribute("id").filter(|id| id.len() <= MAX_ID)?;
    let (before, number) = id.rsplit_once(kind)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number.then(|| format!("{before}:{number}"))
}

/// A part of a page.
struct Part {
    key: String,
    /// Its element, with the table around it.
    element: Range<usize>,
    inside: Range<usize>,
    /// It was written in its place.
    is_moved: bool,
}

/// The place of a part.
struct Place {
    key: String,
    placeholder: Range<usize>,
    /// The end of what is shown until the part comes, if it is known.
    end: Option<usize>,
}

/// The element of a part that has no end yet.
struct Open<'h> {
    key: String,
    start: usize,
    inside: usize,
    name: &'h str,
    /// Open elements with this name.
    depth: usize,
    in_table: bool,
    /// The boundaries around it.
    boundaries: Vec<Option<usize>>,
}

/// The parts of a page and their places.
#[derive(Default)]
struct Scan<'h> {
    /// In their order, as the places.
    parts: Vec<Part>,
    places: Vec<Place>,
    open: Option<Open<'h>>,
    /// The boundaries here that have no end yet: each with its place, after it was read.
    boundaries: Vec<Option<usize>>,
    /// A template has no end.
    is_endless: bool,
}

impl<'h> Scan<'h> {
    fn read(&mut self, html: &'h str) {
        let mut at = 0;
        // The start and the end of the last tag, if it was that of a hidden table.
        let mut table = 0..0;
        while let Some(next) = memchr(b'<', &html.as_bytes()[at..]) {
            at += next;
            if html[at..].starts_with("<!--") {
                let inside = at + "<!--".len();
                at = plain::end_of_comment(html.as_bytes(), at, inside);
                self.comment(html.get(inside..at - "-->".len()).unwrap_or_default(), at);
                continue;
            }
            let tag = match SourceTag::read(&html[at..]) {
                Beginning::Tag(tag) => tag,
                Beginning::Cut => return,
                Beginning::Other => {
                    at += 1;
                    continue;
                }
            };
            let start = at;
            at += tag.source.len();
            if tag.is_end {
                at = self.end(html, &tag, start..at);
            } else if let Some(raw) = RAW.iter().find(|raw| tag.name().eq_ignore_ascii_case(raw)) {
                at = plain::end_of(html.as_bytes(), at, raw.as_bytes());
            } else if tag.name().eq_ignore_ascii_case("template") {
                at = self.template(html, &tag, start..at);
            } else {
                self.start(&tag, start..at, &table);
                if tag.name().eq_ignore_ascii_case("table") && is_hidden(&tag) {
                    table = start..at;
                }
            }
        }
    }

    /// Reads a comment, which may be the start or the end of a boundary.
    fn comment(&mut self, comment: &str, end: usize) {
        if comment.starts_with('$') && self.boundaries.len() < MAX_PARTS {
            self.boundaries.push(None);
        } else if comment == "/$" {
            if let Some(place) = self.boundaries.pop().flatten() {
                self.places[place].end = Some(end);
            }
        }
    }

    /// Reads the start tag of a template, and returns the position from which on to read. Only a
    /// template without content may be a place; others are no part of the page.
    fn template(&mut self, html: &str, tag: &SourceTag<'_>, at: Range<usize>) -> usize {
        const END: &str = "</template>";
        if !html[at.end..].starts_with(END) {
            let end = if self.is_endless {
                None
            } else {
                memmem::find(&html.as_bytes()[at.end..], END.as_bytes())
            };
            self.is_endless |= end.is_none();
            return at.end + end.map_or(0, |end| end + END.len());
        }
        let end = at.end + END.len();
        if self.places.len() >= MAX_PARTS {
            return end;
        }
        let in_boundary = key(tag, "B:");
        if let Some(last) =
            self.boundaries.last_mut().filter(|last| in_boundary.is_some() && last.is_none())
        {
            *last = Some(self.places.len());
        }
        if let Some(key) = in_boundary.or_else(|| key(tag, "P:")) {
            self.places.push(Place { key, placeholder: at.start..end, end: None });
        }
        end
    }

    fn start(&mut self, tag: &SourceTag<'h>, at: Range<usize>, table: &Range<usize>) {
        if let Some(open) = &mut self.open {
            open.depth += usize::from(tag.name().eq_ignore_ascii_case(open.name));
            return;
        }
        let in_table = table.end == at.start && table.start < at.start;
        if self.parts.len() >= MAX_PARTS
            || !is_one_of(tag.name(), &AROUND)
            || !in_table && !is_part(tag)
        {
            return;
        }
        let Some(key) = key(tag, "S:") else { return };
        self.open = Some(Open {
            key,
            start: if in_table { table.start } else { at.start },
            inside: at.end,
            name: tag.name(),
            depth: 1,
            in_table,
            boundaries: std::mem::take(&mut self.boundaries),
        });
    }

    /// Reads an end tag, and returns the position from which on to read.
    fn end(&mut self, html: &str, tag: &SourceTag<'_>, at: Range<usize>) -> usize {
        const TABLE: &str = "</table>";
        if let Some(open) = &mut self.open {
            open.depth -= usize::from(tag.name().eq_ignore_ascii_case(open.name));
        }
        let Some(open) = self.open.take_if(|open| open.depth == 0) else { return at.end };
        let has_table = open.in_table && html[at.end..].starts_with(TABLE);
        let end = at.end + if has_table { TABLE.len() } else { 0 };
        self.boundaries = open.boundaries;
        let (element, inside) = (open.start..end, open.inside..at.start);
        self.parts.push(Part { key: open.key, element, inside, is_moved: false });
        end
    }

    /// Writes the page, each part once. What is still to be written waits on a stack, so that parts
    /// may be in parts at any depth.
    fn write(mut self, html: &str) -> String {
        let mut out = String::with_capacity(html.len());
        let whole = 0..html.len();
        let mut rest = vec![whole];
        while let Some(range) = rest.pop() {
            let found = self.next_in(&range);
            let end = found.as_ref().map_or(range.end, |(place, _)| place.start);
            let mut from = range.start;
            for part in &self.parts[self.first_part(from)..] {
                if part.element.start >= end {
                    break;
                }
                if part.is_moved {
                    out.push_str(&html[from..part.element.start]);
                    from = part.element.end;
                }
            }
            out.push_str(&html[from..end]);
            if let Some((place, at)) = found {
                self.parts[at].is_moved = true;
                rest.extend([place.end..range.end, self.parts[at].inside.clone()]);
            }
        }
        out
    }

    /// Returns the number of the first part that begins at a position or behind it.
    fn first_part(&self, from: usize) -> usize {
        self.parts.partition_point(|part| part.element.start < from)
    }

    /// Returns the first place in a range whose part is still to be written, with what is shown
    /// until then, and the number of the part.
    fn next_in(&self, range: &Range<usize>) -> Option<(Range<usize>, usize)> {
        let first = self.places.partition_point(|place| place.placeholder.start < range.start);
        for Place { key, placeholder, end } in &self.places[first..] {
            let start = placeholder.start;
            if start >= range.end {
                break;
            }
            let next = self.first_part(start);
            // The part that the place is in, if any, is written with its own places.
            let around = next.checked_sub(1).map(|before| &self.parts[before]);
            let is_written = around.is_some_and(|part| {
                part.is_moved && part.element.start >= range.start && part.element.end > start
            });
            // A part comes after its place. Otherwise it is written already, or around the place.
            let is_here = |part: &Part| !part.is_moved && part.key == *key;
            let part = self.parts[next..].iter().position(is_here);
            let Some(part) = part.filter(|_| !is_written) else { continue };
            // The text that stands there until then ends in the same part, and contains no other.
            let holds =
                |end: usize| self.parts.get(next).is_some_and(|part| part.element.start < end);
            let end = end.filter(|end| *end <= range.end && !holds(*end));
            return Some((start..end.unwrap_or(placeholder.end), next + part));
        }
        None
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
    fn what_is_cut_or_no_markup_stays_where_it_is() {
        let place =
            "<main><!--$?--><template id=\"B:0\"></template>Loading<!--/$--><p>x</p></main>";
        for rest in [
            "<div hidden id=\"S:0\"><p>cut",
            "<div hidden id=\"S:0\"><p>cut<script>var x=",
            "<div hidden id=\"S:0\"><p>cut<!-- </div>",
            "<div hidden id=\"S:0\"><p>cut<a href=\"</div>",
            "<script>s='<div hidden id=\"S:0\">'+x+'</div>'</script>",
            "<!-- <div hidden id=\"S:0\">x</div> -->",
            "<textarea><div hidden id=\"S:0\">x</div></textarea>",
            "<p title='<div hidden id=\"S:0\">x</div>'>y</p>",
            "<template><div hidden id=\"S:0\">x</div></template>",
        ] {
            let page = format!("{place}{rest}");
            assert_eq!(assembled(&page), page);
        }
        let part = "<div hidden id=\"S:0\">part</div>";
        for place in [
            "<!-- <template id=\"B:0\"></template> -->",
            "<script>'<template id=\"B:0\"></template>'</script>",
            "<template id=\"B:0\">",
            "",
        ] {
            let page = format!("{place}<p>x</p>{part}");
            assert_eq!(assembled(&page), page);
        }
        let cut = format!("{part}<template id=\"");
        assert_eq!(assembled(&cut), cut);
    }

    #[test]
    fn only_what_is_shown_until_a_part_comes_is_left_out() {
        let part = |n: u8, text: &str| format!("<div hidden id=\"S:{n}\">{text}</div>");
        let place = "<!--$?--><template id=\"B:0\"></template>Loading";
        for (page, expected) in [
            (format!("{place}<p>x</p>{}", part(0, "part")), "<!--$?-->partLoading<p>x</p>"),
            (
                format!("{place}<p>x</p>{}", part(0, "part<!--/$-->")),
                "<!--$?-->part<!--/$-->Loading<p>x</p>",
            ),
            (
                format!("{place}<p>x</p>{}{}<!--/$-->", part(0, "part"), part(1, "other")),
                "<!--$?-->partLoading<p>x</p><div hidden id=\"S:1\">other</div><!--/$-->",
            ),
        ] {
            assert_eq!(assembled(&page), expected);
        }
    }

    #[test]
    fn rows_and_sites_with_letters_before_their_ids_have_parts_too() {
        let page =
            "<table><!--$?--><template id=\"aB:0\"></template><tr><td>Loading<!--/$--></table>\
                    <table hidden><tbody id=\"aS:0\"><tr><td>one</td></tr></tbody></table><p>end";
        assert_eq!(assembled(page), "<table><!--$?--><tr><td>one</td></tr></table><p>end");
        let page = "<template id=\"P:a\"></template>x<div hidden=\"\" id=\"S:a\">one</div>";
        assert_eq!(assembled(page), "onex");
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
            pieces in proptest::collection::vec(0_usize..17, 0..40)
        ) {
            let page: String = pieces
                .into_iter()
                .map(|piece| [
                    "<div hidden id=\"S:0\">", "<div hidden id=\"S:1\">", "</div>", "<p>é",
                    "<template id=\"P:0\"></template>", "<template id=\"P:1\"></template>",
                    "<div>", "<!--", "<script>", "<!--$?-->", "<!--/$-->", "<template id=\"", "<a ", "<table hidden>", "<tr id=\"S:1\">", "</tr>", "</table>",
                ][piece])
                .collect();
            let count = |html: &str| html.matches('é').count();
            let assembled = assembled(&page);
            prop_assert!(assembled.len() <= page.len());
            prop_assert!(count(&assembled) <= count(&page), "{}", assembled);
            if !page.contains("<!--/$-->") {
                prop_assert_eq!(count(&assembled), count(&page), "{}", assembled);
            }
        }
    }
}
