//! Main content as Markdown (CommonMark): headings, lists, quotations and paragraphs.
//!
//! The tree is NekoHTML's, which ends a list item at the next one. So the items of a list within an item
//! are on the level of that item.

use crate::marks::{H1, LIST, QUOTE};
use crate::page::{Block, Page};

/// Levels of a list that are indented; deeper ones are on the last of them.
const MAX_INDENT: u8 = 8;

/// What the elements around a block make of it.
#[derive(Clone, Copy, Default)]
struct Place {
    /// 1 to 6 for a heading, otherwise 0.
    rank: u8,
    /// Lists around the block, up to [`MAX_INDENT`].
    depth: u8,
    /// The node of the innermost item, if `depth` is not 0.
    item: u32,
    is_quoted: bool,
}

/// Writes blocks of a page that was parsed with marks.
pub(crate) fn markdown<'p>(page: &Page, blocks: impl Iterator<Item = &'p Block>) -> String {
    let places = places(page);
    let mut text = String::new();
    let mut last: Option<Place> = None;
    for block in blocks {
        let mut place = places.get(block.node as usize).copied().unwrap_or_default();
        // The first block of a page with a title has the title's node: only its ranks up to `<h3>` are
        // known, as one.
        if last.is_none() && block.in_heading {
            place.rank = place.rank.max(1);
        }
        let continues = |last: Place| place.depth > 0 && last.depth > 0 && last.item == place.item;
        if let Some(last) = last {
            let is_next_item = place.depth > 0 && last.depth > 0 && last.item != place.item;
            let is_tight = is_next_item && last.is_quoted == place.is_quoted;
            text.push('\n');
            if !is_tight {
                if last.is_quoted && place.is_quoted {
                    text.push('>');
                }
                text.push('\n');
            }
        }
        if place.is_quoted {
            text.push_str("> ");
        }
        if place.depth > 0 {
            (1..place.depth).for_each(|_| text.push_str("  "));
            text.push_str(if last.is_some_and(continues) { "  " } else { "- " });
        }
        if place.rank > 0 {
            (0..place.rank).for_each(|_| text.push('#'));
            text.push(' ');
        }
        escape(&mut text, page.text_of(block));
        last = Some(place);
    }
    text
}

/// Returns the place of each node. A parent comes before its children.
fn places(page: &Page) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::with_capacity(page.nodes.len());
    for (number, node) in (0..).zip(&page.nodes) {
        let mut place = places.get(node.parent as usize).copied().unwrap_or_default();
        let kinds = node.marks.kinds;
        if let Some(rank) = (0..6u8).find(|rank| kinds & (H1 << rank) != 0) {
            place.rank = rank + 1;
        }
        if kinds & LIST != 0 {
            (place.depth, place.item) = ((place.depth + 1).min(MAX_INDENT), number);
        }
        place.is_quoted |= kinds & QUOTE != 0;
        places.push(place);
    }
    places
}

/// Appends text with a backslash before characters that would be markup.
fn escape(out: &mut String, text: &str) {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_number = digits > 0 && text[digits..].starts_with(['.', ')']);
    for (at, c) in text.char_indices() {
        let is_markup = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' => true,
            '#' | '+' | '-' | '>' | '=' | '~' | '|' => at == 0,
            '.' | ')' => is_number && at == digits,
            _ => false,
        };
        if is_markup {
            out.push('\\');
        }
        out.push(c);
    }
}

#[cfg(test)]
mod tests {
    use crate::{content_of_text, Extractor, Form, Limits};

    fn markdown(html: &str) -> String {
        content_of_text(html, Extractor::Text, Form::Markdown, &Limits::default()).text
    }

    #[test]
    fn headings_lists_and_quotations_are_marked() {
        let html = "<h2><span>A</span></h2><p>one</p><p>two</p>\
                    <ul><li>x</li><li><p>y</p><p>z</p><ol><li>deep</li></ol></li></ul>\
                    <blockquote><p>q</p><p>r</p></blockquote><h6>end</h6>";
        assert_eq!(
            markdown(html),
            "## A\n\none\n\ntwo\n\n- x\n- y\n\n  z\n- deep\n\n> q\n>\n> r\n\n###### end"
        );
    }

    #[test]
    fn characters_of_markup_are_escaped() {
        assert_eq!(markdown("<p>1. a*b_c [d] &lt;e> # f</p>"), "1\\. a\\*b\\_c \\[d\\] \\<e> # f");
        assert_eq!(markdown("<p># x</p><p>- y</p><p>12 - z</p>"), "\\# x\n\n\\- y\n\n12 - z");
    }

    #[test]
    fn the_text_is_that_of_the_form_text_but_for_marks() {
        let html = "<title>T</title><h1>H</h1><p>one <b>two</b><br>three";
        let text = content_of_text(html, Extractor::Text, Form::Text, &Limits::default()).text;
        assert_eq!(text, "H\none two\nthree");
        assert_eq!(markdown(html).replace("# ", "").replace("\n\n", "\n"), text);
    }

    #[test]
    fn deep_lists_take_linear_time_and_room() {
        let html = "<ul><li>a".repeat(20_000);
        let text = markdown(&html);
        assert!(text.len() < 20_000 * 24, "{}", text.len());
    }
}
