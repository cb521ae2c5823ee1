//! Main content as safe HTML: headings, paragraphs, lists, quotations, tables of data and links.
//!
//! The markup is written anew from the tree of the page: nothing of the source is copied but texts,
//! which are escaped, and targets of links. The only attributes are `href`, whose URL is http or
//! https, and `colspan`.

use crate::page::{Block, Page};
use crate::structure::{Linked, Tables};
use crate::tags::Tag;
use std::fmt::Write as _;

/// Levels of elements that are written; the content of deeper ones belongs to the last of them.
const MAX_LEVELS: u32 = 32;

/// An element of the output: the key by which neighbours share it, and its name.
type Element = (u64, &'static str);

/// Key of an element that the source lacks, within an element of the source.
const IMPLIED: u64 = 1 << 32;
/// Key of a paragraph that one block has.
const OF_BLOCK: u64 = 1 << 33;

/// Writes blocks of a page that was parsed with its structure.
pub(crate) fn html<'p>(
    page: &'p Page,
    blocks: impl Iterator<Item = &'p Block> + Clone,
    links: bool,
) -> String {
    let tables = Tables::new(page, blocks.clone());
    let written = Written::of(page, &tables);
    let mut linked = Linked::new(page, links);
    let mut out = String::new();
    let mut open: Vec<Element> = Vec::new();
    for (number, block) in (0..).zip(blocks) {
        let path = written.path(number, block);
        let shared = open.iter().zip(&path).take_while(|(one, other)| one == other).count();
        if shared == path.len() && shared == open.len() && !open.is_empty() {
            out.push_str("<br>");
        }
        close(&mut out, &mut open, shared);
        for &(key, name) in &path[shared..] {
            let _ = write!(out, "<{name}");
            let span = u32::try_from(key).ok().map_or(0, |node| written.colspan(node));
            if span > 1 && matches!(name, "td" | "th") {
                let _ = write!(out, " colspan=\"{span}\"");
            }
            out.push('>');
            open.push((key, name));
        }
        for (text, target) in linked.pieces(block) {
            if let Some(target) = &target {
                out.push_str("<a href=\"");
                escape(&mut out, target);
                out.push_str("\">");
            }
            escape(&mut out, text);
            if target.is_some() {
                out.push_str("</a>");
            }
        }
    }
    close(&mut out, &mut open, 0);
    out.truncate(out.trim_end().len());
    out
}

/// Returns a document of [`Content::html`](crate::Content): its encoding, its title and the
/// content.
pub fn html_document(title: &str, content: &str) -> String {
    let mut out = "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>".to_owned();
    escape(&mut out, title);
    out.push_str("</title>\n");
    out.push_str(content);
    out.push('\n');
    out
}

/// Closes elements down to this number of open ones. A line ends after each.
fn close(out: &mut String, open: &mut Vec<Element>, keep: usize) {
    while open.len() > keep {
        if let Some((_, name)) = open.pop() {
            let _ = writeln!(out, "</{name}>");
        }
    }
}

/// Appends text with references in place of the characters of markup.
fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
}

/// The name of an element that is written, if it is one of them.
fn name_of(tag: Tag, is_data: bool) -> Option<&'static str> {
    Some(match tag {
        Tag::P => "p",
        Tag::H1 => "h1",
        Tag::H2 => "h2",
        Tag::H3 => "h3",
        Tag::H4 => "h4",
        Tag::H5 => "h5",
        Tag::H6 => "h6",
        Tag::Ul => "ul",
        Tag::Ol => "ol",
        Tag::Li => "li",
        Tag::Dl => "dl",
        Tag::Dt => "dt",
        Tag::Dd => "dd",
        Tag::Blockquote => "blockquote",
        Tag::Table if is_data => "table",
        Tag::Tr if is_data => "tr",
        Tag::Td if is_data => "td",
        Tag::Th if is_data => "th",
        _ => return None,
    })
}

/// The elements of a page that are written.
struct Written<'p> {
    page: &'p Page,
    /// For each node the innermost element that is written, itself included: node and name.
    innermost: Vec<Option<Element>>,
}

impl<'p> Written<'p> {
    fn of(page: &'p Page, tables: &Tables) -> Self {
        let mut innermost: Vec<Option<Element>> = Vec::with_capacity(page.nodes.len());
        let mut levels: Vec<u32> = Vec::with_capacity(page.nodes.len());
        for (number, node) in (0..).zip(&page.nodes) {
            let above = innermost.get(node.parent as usize).copied().flatten();
            let level = levels.get(node.parent as usize).copied().unwrap_or(0);
            let name = name_of(node.marks.tag, tables.is_in_data(number));
            let name = name.filter(|_| level < MAX_LEVELS);
            innermost.push(name.map_or(above, |name| Some((u64::from(number), name))));
            levels.push(level + u32::from(name.is_some()));
        }
        Written { page, innermost }
    }

    fn colspan(&self, node: u32) -> u8 {
        self.page.nodes.get(node as usize).map_or(0, |node| node.marks.colspan())
    }

    /// The elements around a block, the outermost first: valid HTML, so that each text is in a
    /// paragraph, a heading, an item or a cell.
    fn path(&self, number: u64, block: &Block) -> Vec<Element> {
        let mut around = Vec::new();
        let mut next = self.innermost.get(block.node as usize).copied().flatten();
        while let Some(element) = next {
            around.push(element);
            let node = element.0 as usize;
            let parent = self.page.nodes[node].parent as usize;
            next = if parent == node { None } else { self.innermost[parent] };
        }
        let mut path: Vec<Element> = Vec::with_capacity(around.len() + 2);
        for element in around.into_iter().rev() {
            if path.last().is_some_and(|(_, name)| is_heading(name)) {
                break;
            }
            // A paragraph ends where another block begins.
            path.pop_if(|(_, name)| *name == "p");
            enter(&mut path, element);
        }
        let key = path.last().map_or(IMPLIED, |(key, _)| IMPLIED | key);
        match path.last().map_or("", |(_, name)| *name) {
            "ul" | "ol" => path.push((key, "li")),
            "dl" => path.push((key, "dd")),
            // NekoHTML has no level for a caption.
            "table" => path.push((key, "caption")),
            "tr" => path.push((key, "td")),
            "" | "blockquote" => path.push((OF_BLOCK | number, "p")),
            _ => {}
        }
        path
    }
}

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Appends an element, after the list that it needs. A part of a table outside of its place is left
/// out.
fn enter(path: &mut Vec<Element>, (key, name): Element) {
    let parent = path.last().map_or("", |(_, name)| *name);
    let implied = path.last().map_or(IMPLIED, |(key, _)| IMPLIED | key);
    match (name, parent) {
        ("li", "ul" | "ol") | ("dt" | "dd", "dl") => {}
        ("li", _) => path.push((implied, "ul")),
        ("dt" | "dd", _) => path.push((implied, "dl")),
        (_, "ul" | "ol") => path.push((implied, "li")),
        (_, "dl") => path.push((implied, "dd")),
        ("tr", "table") | ("td" | "th", "tr") => {}
        ("tr" | "td" | "th", _) | (_, "table" | "tr") => return,
        _ => {}
    }
    path.push((key, name));
}

#[cfg(test)]
mod tests {
    use crate::{content_of_text, ContentOptions, Extractor, Form};

    fn html(source: &str) -> String {
        let options = ContentOptions {
            url: Some("https://a.example/b/"),
            html: true,
            ..ContentOptions::new(Extractor::Text, Form::Text)
        };
        content_of_text(source, &options).html.unwrap_or_default().replace(">\n", ">")
    }

    #[test]
    fn headings_paragraphs_lists_and_quotations_are_kept() {
        assert_eq!(
            html(
                "<div class=x><h2>A &amp; B</h2>text<p onclick=x>one<br>two<ol><li>x<li>y</ol>\
                  <blockquote>q</blockquote><dl><dt>t<dd>d</dl>"
            ),
            "<h2>A &amp; B</h2><p>text</p><p>one<br>two</p><ol><li>x</li><li>y</li></ol>\
             <blockquote><p>q</p></blockquote><dl><dt>t</dt><dd>d</dd></dl>"
        );
        assert_eq!(html("<li>a<li>b"), "<ul><li>a</li><li>b</li></ul>");
    }

    #[test]
    fn links_have_absolute_targets_with_http() {
        assert_eq!(
            html("<p>see <a href='c?d=1&amp;e=\"2'>the <b>page</b></a> now"),
            "<p>see <a href=\"https://a.example/b/c?d=1&amp;e=%222\">the page</a> now</p>"
        );
        for href in ["javascript:alert(1)", " JaVa\nscript:x", "data:text/html,x", "#top", ""] {
            assert_eq!(html(&format!("<p><a href='{href}'>x</a>")), "<p>x</p>", "{href}");
        }
        assert_eq!(
            html("<base href='http://c.example/'><p><a href=x>a<br>b</a>"),
            "<p><a href=\"http://c.example/x\">a</a><br><a href=\"http://c.example/x\">b</a></p>"
        );
    }

    #[test]
    fn tables_of_data_are_kept_and_others_are_not() {
        assert_eq!(
            html("<table><caption>C</caption><tr><th colspan=2>h<th>i<tr><td>1<td>2<td>3</table>"),
            "<table><caption>C</caption><tr><th colspan=\"2\">h</th><th>i</th></tr>\
             <tr><td>1</td><td>2</td><td>3</td></tr></table>"
        );
        let long = "word ".repeat(120);
        let layout = format!("<table><tr><td>menu<td>{long}</table>");
        assert_eq!(html(&layout), format!("<p>menu</p><p>{}</p>", long.trim()));
    }

    #[test]
    fn hostile_nesting_takes_bounded_room() {
        for part in ["<ul><li>a", "<blockquote>a", "<p>a<ul><li>b", "<table><tr><td>a<td>b"] {
            let source = part.repeat(5000);
            let written = html(&source);
            assert!(written.len() < 40 * source.len(), "{part}: {}", written.len());
        }
        let base = format!("<base href=http://c.example/{}/>", "x".repeat(1900));
        let written = html(&(base + &"<a href=a>x</a> ".repeat(10_000)));
        assert!(written.len() < 600_000, "{}", written.len());
    }
}
