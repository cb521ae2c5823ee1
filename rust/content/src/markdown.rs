//! Main content as Markdown (CommonMark, and tables as GitHub writes them): headings, lists,
//! quotations, paragraphs, tables of data and links.
//!
//! The tree is NekoHTML's, which ends a list item at the next one. So the items of a list within an
//! item are on the level of that item.

use crate::marks::{H1, LIST, QUOTE};
use crate::page::{Block, Page};
use crate::structure::{Linked, Tables};

/// Levels of a list that are indented; deeper ones are on the last of them.
const MAX_INDENT: u8 = 8;

/// Properties of a block that the elements around it define.
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

/// Writes blocks of a page that was parsed with its structure.
pub(crate) fn markdown<'p>(
    page: &'p Page,
    blocks: impl Iterator<Item = &'p Block> + Clone,
    links: bool,
) -> String {
    let places = places(page);
    let tables = Tables::new(page, blocks.clone());
    let mut linked = Linked::new(page, links);
    let mut text = String::new();
    let mut last: Option<Place> = None;
    let mut row: Option<Row> = None;
    for block in blocks {
        if let Some(cell) = tables.cell(block) {
            row = Some(Row::continued(row, cell, &mut text));
            write(&mut text, linked.pieces(block), true);
            last = Some(Place::default());
            continue;
        }
        if let Some(row) = row.take() {
            row.end(&mut text);
        }
        let place = places.get(block.node as usize).copied().unwrap_or_default();
        begin(&mut text, last, place);
        write(&mut text, linked.pieces(block), false);
        last = Some(place);
    }
    if let Some(row) = row {
        row.end(&mut text);
    }
    text
}

/// Begins a block after the last one: line breaks, and its marks.
fn begin(text: &mut String, last: Option<Place>, place: Place) {
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
}

/// A row of a table of data that is being written.
#[derive(Clone, Copy)]
struct Row {
    /// Table, row and cell of the last block.
    at: [u32; 3],
    cells: usize,
    /// The first row is the head, which Markdown demands.
    is_head: bool,
}

impl Row {
    /// Begins the text of a block in a cell, after the last row, if there is one.
    fn continued(last: Option<Row>, at: [u32; 3], text: &mut String) -> Row {
        match last {
            Some(row) if row.at == at => {
                text.push(' ');
                row
            }
            Some(row) if row.at[..2] == at[..2] => {
                text.push_str(" | ");
                Row { at, cells: row.cells + 1, ..row }
            }
            _ => {
                let is_head = last.is_none_or(|row| row.at[0] != at[0]);
                if let Some(row) = last {
                    row.end(text);
                }
                if !text.is_empty() {
                    text.push_str(if is_head { "\n\n| " } else { "\n| " });
                } else {
                    text.push_str("| ");
                }
                Row { at, cells: 1, is_head }
            }
        }
    }

    fn end(self, text: &mut String) {
        text.push_str(" |");
        if self.is_head {
            text.push_str("\n|");
            (0..self.cells).for_each(|_| text.push_str(" --- |"));
        }
    }
}

/// Appends the pieces of a block, those with a target as links.
fn write(out: &mut String, pieces: Vec<(&str, Option<String>)>, in_cell: bool) {
    let mut at_start = true;
    for (piece, target) in pieces {
        // A link's label needs no white space at its borders, and no block begins within it.
        if let Some(target) = target {
            let label = piece.trim();
            out.push_str(&piece[..piece.len() - piece.trim_start().len()]);
            // An image begins with an exclamation mark.
            if out.ends_with('!') {
                out.truncate(out.len() - 1);
                out.push_str("\\!");
            }
            out.push('[');
            escape(out, label, false, in_cell);
            out.push_str("](");
            out.push_str(&target.replace('(', "%28").replace(')', "%29"));
            out.push(')');
            out.push_str(&piece[piece.trim_end().len()..]);
        } else {
            escape(out, piece, at_start, in_cell);
        }
        at_start = false;
    }
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

/// Appends text with a backslash before characters that would be markup. `at_start`: at the start
/// of a line.
fn escape(out: &mut String, text: &str, at_start: bool, in_cell: bool) {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_number = at_start && digits > 0 && text[digits..].starts_with(['.', ')']);
    for (at, c) in text.char_indices() {
        let is_markup = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' => true,
            '|' if in_cell => true,
            '#' | '+' | '-' | '>' | '=' | '~' | '|' => at_start && at == 0,
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
    use crate::{content_of_text, ContentOptions, Extractor, Form};

    fn markdown(html: &str) -> String {
        content_of_text(html, &ContentOptions::new(Extractor::Text, Form::Markdown)).text
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
        let text = content_of_text(html, &ContentOptions::new(Extractor::Text, Form::Text)).text;
        assert_eq!(text, "H\none two\nthree");
        assert_eq!(markdown(html).replace("# ", "").replace("\n\n", "\n"), text);
    }

    #[test]
    fn links_with_an_absolute_target_are_kept() {
        assert_eq!(
            markdown(
                "<p>- see <a href='http://a.example/x_(y)'>the [page] </a>now <a href=b>b</a>"
            ),
            "\\- see [the \\[page\\]](http://a.example/x_%28y%29) now b"
        );
    }

    #[test]
    fn tables_of_data_have_rows_and_a_head() {
        assert_eq!(
            markdown("<p>a<table><tr><th>x<th>y|z<tr><td>1<br>2<td>3</table><p>b"),
            "a\n\n| x | y\\|z |\n| --- | --- |\n| 1 2 | 3 |\n\nb"
        );
        assert_eq!(
            markdown("<table><tr><td>1<td>2</table><table><tr><td>3<td>4</table>"),
            "| 1 | 2 |\n| --- | --- |\n\n| 3 | 4 |\n| --- | --- |"
        );
    }

    #[test]
    fn deep_lists_take_linear_time_and_room() {
        let html = "<ul><li>a".repeat(20_000);
        let text = markdown(&html);
        assert!(text.len() < 20_000 * 24, "{}", text.len());
    }
}
