//! Data of a page for output with its structure, beside blocks and nodes: links and their places
//! in the text, and the tables that hold data.

use crate::page::{Block, Page};
use crate::source::SourceTag;
use crate::tags::Tag;
use url::Url;

/// Longest target of a link, in bytes. Longer ones are left out.
const MAX_URL: usize = 2048;

/// Bytes of all targets of a page for each byte of its text, and a constant: relative links may be
/// much longer than they are in the source.
const URL_BYTES: (usize, usize) = (4, 64 << 10);

/// Longest text of a cell in a table of data, in bytes. Tables with longer cells arrange a page.
const MAX_CELL: usize = 500;

/// A link's place in the text of a page: from, to, and its number from 1 on; 0 has no target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) link: u32,
}

/// Collects the places of links while blocks are made.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    found: Vec<Span>,
    /// The number of the last link.
    link: u32,
    is_open: bool,
}

impl Spans {
    /// A link starts. An interrupted link that starts again has no number.
    pub(crate) fn start(&mut self, link: u32) {
        if link > 0 {
            self.link = link;
        }
    }

    /// A link begins or ends at this position of the text.
    pub(crate) fn border(&mut self, begins: bool, at: usize) {
        if let Some(last) = self.found.last_mut().filter(|_| self.is_open) {
            last.to = at;
        }
        if begins {
            self.found.push(Span { from: at, to: at, link: self.link });
        }
        self.is_open = begins;
    }

    /// The text was cut to this length: white space at its end, or a block without text.
    pub(crate) fn cut(&mut self, length: usize) {
        for span in self.found.iter_mut().rev() {
            if span.from <= length && span.to <= length {
                break;
            }
            span.from = span.from.min(length);
            span.to = span.to.min(length);
        }
    }

    fn finish(mut self, length: usize) -> Vec<Span> {
        self.border(false, length);
        self.found.retain(|span| span.from < span.to);
        self.found
    }
}

/// Collects the targets of links from the source.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    hrefs: Vec<String>,
    base: Option<Url>,
    has_base: bool,
}

impl Targets {
    /// `url`: that of the page.
    pub(crate) fn new(url: Option<&str>) -> Self {
        Targets { base: url.and_then(web), ..Targets::default() }
    }

    /// Handles a start tag. Returns the number of a link, otherwise 0.
    pub(crate) fn start_tag(&mut self, source: &SourceTag<'_>, tag: Tag) -> u32 {
        if !matches!(tag, Tag::A | Tag::Base) || self.hrefs.len() >= u32::MAX as usize {
            return 0;
        }
        let href = source.attribute("href").filter(|href| href.len() <= MAX_URL);
        let href = href.unwrap_or_default();
        if tag == Tag::A {
            self.hrefs.push(href.into_owned());
            return self.hrefs.len() as u32;
        }
        if !href.is_empty() && !std::mem::replace(&mut self.has_base, true) {
            self.base = match &self.base {
                Some(page) => page.join(&href).ok().filter(is_web),
                None => web(&href),
            };
        }
        0
    }

    /// Returns the structure of a page with the places of its links.
    pub(crate) fn finish(self, spans: Spans, text: &str) -> Structure {
        Structure { spans: spans.finish(text.len()), hrefs: self.hrefs, base: self.base }
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

fn web(url: &str) -> Option<Url> {
    Url::parse(url).ok().filter(is_web)
}

/// The links of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Structure {
    /// In the order of the text, without overlaps.
    spans: Vec<Span>,
    /// The target of each link as written, by number.
    hrefs: Vec<String>,
    base: Option<Url>,
}

/// Reads the links of blocks in the order of the page.
pub(crate) struct Linked<'p> {
    page: &'p Page,
    /// Index of the first span that may not be read yet.
    next: usize,
    /// Bytes of targets that are still allowed.
    left: usize,
}

impl<'p> Linked<'p> {
    /// `links`: false if no piece gets a target.
    pub(crate) fn new(page: &'p Page, links: bool) -> Self {
        let (times, more) = URL_BYTES;
        let left = page.text.len().saturating_mul(times).saturating_add(more);
        Linked { page, next: 0, left: if links { left } else { 0 } }
    }

    /// Returns the text of a block in pieces, those in links with their targets: absolute URLs with
    /// http or https.
    pub(crate) fn pieces(&mut self, block: &Block) -> Vec<(&'p str, Option<String>)> {
        let page = self.page;
        let (mut at, end) = (block.text.start, block.text.end);
        let mut pieces = Vec::new();
        let spans = page.structure.as_ref().map_or(&[][..], |structure| &structure.spans);
        while spans.get(self.next).is_some_and(|span| span.to <= at) {
            self.next += 1;
        }
        for span in spans[self.next..].iter().take_while(|span| span.from < end) {
            // White space at the borders of a link is outside of it.
            let text = &page.text[span.from.max(at)..span.to.min(end).max(span.from.max(at))];
            let from = span.from.max(at) + text.len() - text.trim_start().len();
            let to = from + text.trim().len();
            if from == to {
                continue;
            }
            if let Some(target) = self.target(span.link) {
                pieces.push((&page.text[at..from], None));
                pieces.push((&page.text[from..to], Some(target)));
                at = to;
            }
        }
        pieces.push((&page.text[at..end], None));
        pieces.retain(|(text, _)| !text.is_empty());
        pieces
    }

    fn target(&mut self, link: u32) -> Option<String> {
        let structure = self.page.structure.as_ref()?;
        let href = structure.hrefs.get((link as usize).checked_sub(1)?)?;
        // A fragment alone is a place on the page itself.
        if href.is_empty() || href.starts_with('#') {
            return None;
        }
        let url = Url::options().base_url(structure.base.as_ref()).parse(href).ok();
        let url = String::from(url.filter(is_web)?);
        if url.len() > MAX_URL || url.len() > self.left {
            return None;
        }
        self.left -= url.len();
        Some(url)
    }
}

/// No element.
const NONE: u32 = u32::MAX;

/// The tables of data: those with a row of at least two cells, and only short text without
/// headings, lists and quotations in their cells. Other tables arrange a page.
pub(crate) struct Tables {
    /// For each node the innermost table, row and cell around it, or [`NONE`].
    around: Vec<[u32; 3]>,
    is_data: Vec<bool>,
}

impl Tables {
    /// `kept`: the blocks that are written.
    pub(crate) fn new<'p>(page: &'p Page, kept: impl Iterator<Item = &'p Block>) -> Self {
        let around = places(page);
        let mut cell_bytes = vec![0; page.nodes.len()];
        let mut has_several = vec![false; page.nodes.len()];
        let mut has_other = vec![false; page.nodes.len()];
        // The last row of each table, and its last cell.
        let mut last = vec![[NONE; 2]; page.nodes.len()];
        for block in kept {
            let Some([table, row, cell]) = around.get(block.node as usize).copied() else {
                continue;
            };
            if table == NONE {
                continue;
            }
            let table = table as usize;
            // A caption is no node of its own.
            if cell == NONE {
                continue;
            }
            has_several[table] |= last[table][0] == row && last[table][1] != cell;
            last[table] = [row, cell];
            cell_bytes[cell as usize] += block.text.len();
            has_other[table] |=
                cell_bytes[cell as usize] > MAX_CELL || has_blocks_within(page, block.node, cell);
        }
        let is_data = has_several.iter().zip(&has_other).map(|(some, other)| *some && !other);
        Tables { is_data: is_data.collect(), around }
    }

    /// Returns the table, the row and the cell around a block in a table of data.
    pub(crate) fn cell(&self, block: &Block) -> Option<[u32; 3]> {
        let around = *self.around.get(block.node as usize)?;
        (around[2] != NONE && self.is_in_data(block.node)).then_some(around)
    }

    /// Returns true if the innermost table around a node is one of data.
    pub(crate) fn is_in_data(&self, node: u32) -> bool {
        let table = self.around.get(node as usize).map_or(NONE, |[table, ..]| *table);
        self.is_data.get(table as usize).copied().unwrap_or(false)
    }
}

/// For each node the innermost table, row and cell around it.
fn places(page: &Page) -> Vec<[u32; 3]> {
    let mut around: Vec<[u32; 3]> = Vec::with_capacity(page.nodes.len());
    for (number, node) in (0..).zip(&page.nodes) {
        let [table, row, cell] = around.get(node.parent as usize).copied().unwrap_or([NONE; 3]);
        around.push(match node.marks.tag {
            Tag::Table => [number, NONE, NONE],
            Tag::Tr if table != NONE => [table, number, NONE],
            Tag::Td | Tag::Th if row != NONE => [table, row, number],
            _ => [table, row, cell],
        });
    }
    around
}

/// Returns true if a heading, a list or a quotation is between a node and an ancestor.
fn has_blocks_within(page: &Page, mut node: u32, ancestor: u32) -> bool {
    while node != ancestor {
        let here = &page.nodes[node as usize];
        match here.marks.tag {
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => return true,
            Tag::Ul | Tag::Ol | Tag::Li | Tag::Dl | Tag::Blockquote | Tag::Pre => return true,
            _ if here.parent == node => return false,
            _ => node = here.parent,
        }
    }
    false
}
