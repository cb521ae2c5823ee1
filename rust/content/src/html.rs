//! Main content as safe HTML: the structure of the text, links, images and formulas.
//!
//! The markup is written anew from the tree of the kept text: nothing of the source is copied but
//! texts, which are escaped, and URLs of links and images, which are http or https. The only other
//! attributes are numbers, `alt`, `title` and the language of code.

use crate::page::Page;
use crate::shape::{is_block, Element, Kid, Role, Tree};
use crate::Verdict;
use std::fmt::Write as _;

/// Writes the kept text of a page that was parsed with its structure.
pub(crate) fn html(page: &Page, verdicts: &[Verdict], links: bool) -> String {
    let tree = Tree::new(page, verdicts, links);
    let mut writer = Writer::new(&tree);
    writer.blocks(0, true);
    writer.out.truncate(writer.out.trim_end().len());
    writer.out
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

struct Writer<'t> {
    tree: &'t Tree,
    out: String,
    /// The formatting around the text, outermost first.
    formats: Vec<usize>,
    /// Number of them with a start tag in the current paragraph.
    opened: usize,
    /// A paragraph has text.
    is_open: bool,
    /// Paragraphs have tags here.
    wraps: bool,
    has_space: bool,
    has_break: bool,
}

impl<'t> Writer<'t> {
    fn new(tree: &'t Tree) -> Self {
        Writer {
            tree,
            out: String::new(),
            formats: Vec::new(),
            opened: 0,
            is_open: false,
            wraps: true,
            has_space: false,
            has_break: false,
        }
    }

    /// Writes the content of a node. `wraps`: each line of it that is in no other block is a
    /// paragraph.
    fn blocks(&mut self, node: usize, wraps: bool) {
        let before = std::mem::replace(&mut self.wraps, wraps);
        self.walk(node);
        self.flush();
        self.wraps = before;
    }

    fn walk(&mut self, node: usize) {
        let tree = self.tree;
        for kid in &tree.nodes[node].kids {
            match kid {
                Kid::Node(inner) if !self.wraps && self.is_without_tag(*inner) => {
                    self.has_break = true;
                    self.walk(*inner);
                    self.has_break = true;
                }
                Kid::Node(inner) if is_block(tree.role(*inner)) => {
                    self.flush();
                    self.block(*inner);
                    self.flush();
                }
                Kid::Node(inner) => self.format(*inner),
                Kid::Text(text) | Kid::Formula(text) => self.text(text),
                Kid::Space => self.has_space = true,
                Kid::Kept(text) if text.contains('\n') => self.has_break = true,
                Kid::Kept(text) if text.trim().is_empty() => self.has_space = true,
                Kid::Kept(text) => self.text(text.trim()),
                Kid::Break => self.has_break = true,
                Kid::Border => self.border(),
            }
        }
    }

    /// Returns true for a block of which only the content is written.
    fn is_without_tag(&self, node: usize) -> bool {
        match self.tree.role(node) {
            Role::Block | Role::Figure | Role::Row(_) | Role::Cell(_) | Role::Caption => true,
            Role::Paragraph => self.tree.nodes[node].has_block,
            _ => false,
        }
    }

    /// A border of a block that has no tag.
    fn border(&mut self) {
        if self.wraps {
            self.flush();
        } else {
            self.has_break = true;
        }
    }

    fn text(&mut self, text: &str) {
        self.begin();
        escape(&mut self.out, text);
    }

    /// Writes what is before text: a paragraph, white space and formatting.
    fn begin(&mut self) {
        let (has_space, has_break) =
            (std::mem::take(&mut self.has_space), std::mem::take(&mut self.has_break));
        if !self.is_open {
            self.is_open = true;
            if self.wraps {
                self.out.push_str("<p>");
            }
        } else if has_break {
            self.out.push_str("<br>");
        } else if has_space {
            self.out.push(' ');
        }
        while let Some(node) = self.formats.get(self.opened) {
            let element = &self.tree.nodes[*node].element;
            if let Some(name) = name_of(element) {
                let _ = write!(self.out, "<{name}");
                if element.role == Role::Link {
                    self.attribute("href", &element.target);
                    self.attribute("title", &element.title);
                }
                self.out.push('>');
            }
            self.opened += 1;
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            let _ = write!(self.out, " {name}=\"");
            escape(&mut self.out, value);
            self.out.push('"');
        }
    }

    fn close_format(&mut self) {
        if self.opened == 0 {
            return;
        }
        self.opened -= 1;
        if let Some(name) = name_of(&self.tree.nodes[self.formats[self.opened]].element) {
            let _ = write!(self.out, "</{name}>");
        }
    }

    /// Ends the paragraph. The formatting continues in the next one.
    fn flush(&mut self) {
        while self.opened > 0 {
            self.close_format();
        }
        if std::mem::take(&mut self.is_open) && self.wraps {
            self.out.push_str("</p>\n");
        }
        (self.has_space, self.has_break) = (false, false);
    }

    fn format(&mut self, node: usize) {
        let element = &self.tree.nodes[node].element;
        match &element.role {
            Role::Emoji => return self.text(&element.alt),
            Role::Image if !element.target.is_empty() => {
                self.begin();
                self.out.push_str("<img");
                self.attribute("src", &element.target);
                self.attribute("alt", &element.alt);
                self.out.push('>');
                return;
            }
            Role::Image | Role::Checkbox(_) => return,
            _ => {}
        }
        let repeats = self.formats.iter().any(|open| *self.tree.role(*open) == element.role);
        if repeats {
            return self.walk(node);
        }
        self.formats.push(node);
        self.walk(node);
        if self.opened == self.formats.len() {
            self.close_format();
        }
        self.formats.pop();
    }

    fn block(&mut self, node: usize) {
        let tree = self.tree;
        let has_block = tree.nodes[node].has_block;
        match *tree.role(node) {
            Role::Heading(rank) => self.element(&format!("h{rank}"), "", node, false),
            Role::Paragraph if !has_block && self.wraps => self.walk(node),
            Role::Paragraph if !has_block => self.element("p", "", node, false),
            Role::Preformatted => self.code(node),
            Role::Rule => self.out.push_str("<hr>\n"),
            Role::List(first) => {
                let start = first.filter(|first| *first != 1).map(|n| format!(" start=\"{n}\""));
                let name = if first.is_some() { "ol" } else { "ul" };
                self.parts(name, &start.unwrap_or_default(), node, "li");
            }
            Role::Terms => self.parts("dl", "", node, "dd"),
            Role::Quotation => self.element("blockquote", "", node, true),
            Role::Table if tree.is_data(node) => self.table(node),
            _ => self.walk(node),
        }
    }

    /// Writes an element with its content, unless it is empty.
    fn element(&mut self, name: &str, attributes: &str, node: usize, wraps: bool) {
        let before = self.out.len();
        let _ = write!(self.out, "<{name}{attributes}>");
        let begun = self.out.len();
        let flat = name.starts_with('h').then_some(()).and(Some(self.tree.nodes[node].has_block));
        match flat {
            Some(true) => self.flat(node),
            _ => self.blocks(node, wraps),
        }
        if self.out.len() == begun && !matches!(name, "td" | "th") {
            self.out.truncate(before);
        } else {
            let _ = writeln!(self.out, "</{name}>");
        }
    }

    /// Writes the text of a node without blocks.
    fn flat(&mut self, node: usize) {
        let before = std::mem::replace(&mut self.wraps, false);
        self.flat_walk(node);
        self.flush();
        self.wraps = before;
    }

    fn flat_walk(&mut self, node: usize) {
        let tree = self.tree;
        for kid in &tree.nodes[node].kids {
            match kid {
                Kid::Node(inner) if is_block(tree.role(*inner)) || tree.nodes[*inner].has_block => {
                    self.has_break = true;
                    self.flat_walk(*inner);
                    self.has_break = true;
                }
                Kid::Node(inner) => self.format(*inner),
                Kid::Text(text) | Kid::Formula(text) => self.text(text),
                Kid::Kept(text) if !text.trim().is_empty() => self.text(text.trim()),
                Kid::Space | Kid::Kept(_) => self.has_space = true,
                Kid::Break | Kid::Border => self.has_break = true,
            }
        }
    }

    /// Writes a list. `other`: the name of parts that are no items.
    fn parts(&mut self, name: &str, attributes: &str, node: usize, other: &str) {
        let before = self.out.len();
        let _ = write!(self.out, "<{name}{attributes}>");
        let begun = self.out.len();
        for part in self.tree.parts(node, |_| true) {
            match self.tree.role(part) {
                Role::Item(_) => self.element("li", "", part, false),
                Role::Term => self.element("dt", "", part, false),
                Role::Definition => self.element("dd", "", part, false),
                _ => {
                    let wraps = std::mem::replace(&mut self.wraps, false);
                    let from = self.out.len();
                    // A list in a list belongs to the item before it, so that it has no number.
                    let is_list = matches!(self.tree.role(part), Role::List(_));
                    match self.out.strip_suffix("</li>\n").map(str::len) {
                        Some(item) if is_list && item >= begun => self.out.truncate(item),
                        _ => {
                            let _ = write!(self.out, "<{other}>");
                        }
                    }
                    let inside = self.out.len();
                    self.block(part);
                    self.flush();
                    self.wraps = wraps;
                    if self.out.len() == inside && inside > from {
                        self.out.truncate(from);
                    } else {
                        let _ = writeln!(self.out, "</{other}>");
                    }
                }
            }
        }
        if self.out.len() == begun {
            self.out.truncate(before);
        } else {
            let _ = writeln!(self.out, "</{name}>");
        }
    }

    fn code(&mut self, node: usize) {
        let mut code = String::new();
        self.tree.verbatim(node, &mut code);
        let code = code.trim_end().trim_start_matches('\n');
        if code.trim().is_empty() {
            return;
        }
        let language = self.tree.language(node).unwrap_or_default();
        self.out.push_str("<pre><code");
        if !language.is_empty() {
            self.attribute("class", &format!("language-{language}"));
        }
        self.out.push('>');
        escape_kept(&mut self.out, code);
        self.out.push_str("</code></pre>\n");
    }

    fn table(&mut self, node: usize) {
        let before = self.out.len();
        self.out.push_str("<table>");
        let begun = self.out.len();
        for part in self.tree.parts(node, |_| true) {
            if *self.tree.role(part) == Role::Caption {
                self.element("caption", "", part, false);
                continue;
            }
            let row = self.out.len();
            self.out.push_str("<tr>");
            let mut has_text = false;
            for cell in self.tree.parts(part, |_| true) {
                let Role::Cell(marks) = *self.tree.role(cell) else { continue };
                let mut spans = String::new();
                for (name, span) in [("colspan", marks.columns), ("rowspan", marks.rows)] {
                    if span > 1 {
                        let _ = write!(spans, " {name}=\"{span}\"");
                    }
                }
                let name = if marks.is_head { "th" } else { "td" };
                let from = self.out.len();
                self.element(name, &spans, cell, false);
                has_text |= self.out.len() > from + spans.len() + "<td></td>\n".len();
            }
            if has_text {
                self.out.push_str("</tr>\n");
            } else {
                self.out.truncate(row);
            }
        }
        if self.out.len() == begun {
            self.out.truncate(before);
        } else {
            self.out.push_str("</table>\n");
        }
    }
}

/// The name of formatting that is written.
fn name_of(element: &Element) -> Option<&'static str> {
    Some(match element.role {
        Role::Code => "code",
        Role::Emphasis => "em",
        Role::Strong => "strong",
        Role::Struck => "del",
        Role::Sub => "sub",
        Role::Sup => "sup",
        Role::Quoted => "q",
        Role::Link if !element.target.is_empty() => "a",
        _ => return None,
    })
}

/// Appends text with references in place of the characters of markup.
fn escape(out: &mut String, text: &str) {
    text.chars().for_each(|c| push(out, if c.is_control() { ' ' } else { c }));
}

/// [`escape`] for text with its white space.
fn escape_kept(out: &mut String, text: &str) {
    let is_kept = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    text.chars().filter(|c| is_kept(*c)).for_each(|c| push(out, c));
}

fn push(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        c => out.push(c),
    }
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
    fn lists_in_lists_have_no_number_and_blocks_in_items_are_lines() {
        for (source, expected) in [
            (
                "<ol><li>a</li><ol><li>b</ol><li>c</ol>",
                "<ol><li>a<ol><li>b</li></ol></li><li>c</li></ol>",
            ),
            ("<ul><li><div>a</div><div>b</div></ul>", "<ul><li>a<br>b</li></ul>"),
            ("<ul><li>a</li><div>b</div></ul>", "<ul><li>a</li><li>b</li></ul>"),
            (
                "<ul><a href=c><li>a</a><li>b</ul>",
                "<ul><li><a href=\"https://a.example/b/c\">a</a></li><li>b</li></ul>",
            ),
        ] {
            assert_eq!(html(source), expected, "{source}");
        }
    }

    #[test]
    fn links_have_absolute_targets_with_http() {
        assert_eq!(
            html("<p>see <a href='c?d=1&amp;e=\"2'>the <b>page</b></a> now"),
            "<p>see <a href=\"https://a.example/b/c?d=1&amp;e=%222\">the <strong>page</strong></a> now</p>"
        );
        for href in ["javascript:alert(1)", " JaVa\nscript:x", "data:text/html,x", "#", ""] {
            assert_eq!(html(&format!("<p><a href='{href}'>x</a>")), "<p>x</p>", "{href}");
        }
        assert_eq!(
            html("<base href='http://c.example/'><p><a href=x>a<br>b</a>"),
            "<p><a href=\"http://c.example/x\">a<br>b</a></p>"
        );
    }

    #[test]
    fn tables_of_data_are_kept_and_others_are_not() {
        assert_eq!(
            html("<table><caption>C</caption><tr><th colspan=2>h<th>i<tr><td>1<td>2<td>3</table>"),
            "<table><caption>C</caption><tr><th colspan=\"2\">h</th><th>i</th></tr>\
             <tr><td>1</td><td>2</td><td>3</td></tr></table>"
        );
        assert_eq!(
            html("<table><tr><th>h<th>i<tr><td><div>1</div><div>2</div><td>3</table>"),
            "<table><tr><th>h</th><th>i</th></tr><tr><td>1<br>2</td><td>3</td></tr></table>"
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
