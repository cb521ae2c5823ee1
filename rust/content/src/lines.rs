//! Writes the text of a page as a reader sees it, in lines, and decides which lines are kept.
//!
//! A line is what a browser shows between two line breaks: a paragraph, an item, the cells of a
//! row. Boilerpipe cuts it into several blocks if it has, for example, a `<mark>`. A line is kept if
//! at least half of its bytes are in blocks that are kept.

use crate::flow::{Mark, What};
use crate::page::Page;
use crate::Verdict;
use std::ops::Range;

/// Longest cell, in bytes, that is kept or dropped together with its row. Tables with longer cells
/// arrange a page, so that each of their cells is a line.
const MAX_CELL: usize = 500;

/// A line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    range: Range<usize>,
    /// True if the line is main content.
    pub kept: bool,
    /// The number of the block with most of the line.
    pub block: usize,
}

/// The visible text of a page in lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    text: String,
    lines: Vec<Line>,
}

impl Lines {
    /// All lines, in order. None is empty.
    pub fn iter(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter()
    }

    /// The text of a line. Cells of a row are separated by tabs.
    pub fn text_of(&self, line: &Line) -> &str {
        &self.text[line.range.clone()]
    }

    /// The line of the headline. `verdicts`: those that the lines were made with.
    pub fn headline(&self, verdicts: &[Verdict]) -> Option<&str> {
        let is_headline = |line: &&Line| verdicts.get(line.block).is_some_and(Verdict::is_headline);
        self.lines.iter().find(is_headline).map(|line| self.text_of(line))
    }

    /// The kept lines, joined by `\n`.
    pub fn kept(&self) -> String {
        let kept = || self.lines.iter().filter(|line| line.kept);
        let mut text = String::with_capacity(kept().map(|line| line.range.len() + 1).sum());
        for line in kept() {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(self.text_of(line));
        }
        text
    }
}

/// Whether the parts of a page between two borders of lines or cells are kept, in order.
pub(crate) struct Decisions {
    /// `None` for a part without text.
    parts: Vec<Option<bool>>,
    at: usize,
}

impl Decisions {
    /// Continues behind a border.
    pub(crate) fn next(&mut self) {
        self.at += 1;
    }

    /// Returns true if text here is kept.
    pub(crate) fn is_kept(&self) -> bool {
        self.parts.get(self.at).copied().flatten().unwrap_or(false)
    }

    /// Returns true if this part is kept, or if it has no text, and the parts with text before and
    /// after it are kept.
    pub(crate) fn is_near_kept(&self) -> bool {
        /// Parts in which text is looked for.
        const NEAR: usize = 32;
        if let Some(kept) = self.parts.get(self.at).copied().flatten() {
            return kept;
        }
        let before = self.parts[..self.at.min(self.parts.len())].iter().rev().take(NEAR);
        let after = self.parts.get(self.at..).unwrap_or_default().iter().take(NEAR);
        before.flatten().next().is_none_or(|kept| *kept)
            && after.flatten().next().is_none_or(|kept| *kept)
    }
}

impl Page {
    /// Returns the decisions on all parts of the page.
    pub(crate) fn decisions(&self, verdicts: &[Verdict]) -> Decisions {
        Decisions { parts: self.written(verdicts).decisions, at: 0 }
    }

    /// Returns the visible text in lines. `verdicts`: those on the blocks of this page.
    pub fn lines(&self, verdicts: &[Verdict]) -> Lines {
        self.written(verdicts).done
    }

    fn written<'p>(&'p self, verdicts: &'p [Verdict]) -> Writer<'p> {
        let mut writer = Writer::new(self, verdicts);
        let mut marks = self.flow.marks.iter().peekable();
        let mut at = 0;
        for (number, block) in self.blocks.iter().enumerate() {
            let end = block.text.end;
            while let Some(mark) = marks.next_if(|mark| (mark.at as usize) < end) {
                writer.text(at..mark.at as usize, number);
                at = at.max(mark.at as usize);
                at += writer.mark(mark);
            }
            writer.text(at..end, number);
            at = at.max(end);
        }
        marks.for_each(|mark| {
            writer.mark(mark);
        });
        writer.end_line();
        writer
    }
}

/// What the end of the current line means for the next space.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// Spaces are not displayed here.
    Start,
    /// A space that is displayed if text follows.
    Space,
    Text,
    /// White space that is kept.
    Kept,
}

/// A part of a line: a cell, or all of it.
struct Part {
    from: usize,
    bytes: usize,
    kept_bytes: usize,
}

struct Writer<'p> {
    page: &'p Page,
    verdicts: &'p [Verdict],
    done: Lines,
    /// Start of the current line.
    start: usize,
    end: End,
    hidden: bool,
    /// The parts of the line before the current one.
    parts: Vec<Part>,
    part: Part,
    /// The block with the most bytes in the line.
    block: (usize, usize),
    /// One for each part, if the structure of the page was read.
    decisions: Vec<Option<bool>>,
}

impl<'p> Writer<'p> {
    fn new(page: &'p Page, verdicts: &'p [Verdict]) -> Self {
        let text = String::with_capacity(page.text.len() + page.flow.extra.len());
        Writer {
            page,
            verdicts,
            done: Lines { text, lines: Vec::new() },
            start: 0,
            end: End::Start,
            hidden: false,
            parts: Vec::new(),
            part: Part { from: 0, bytes: 0, kept_bytes: 0 },
            block: (0, 0),
            decisions: Vec::new(),
        }
    }

    fn text(&mut self, range: Range<usize>, block: usize) {
        if self.hidden || range.start >= range.end {
            return;
        }
        // Space at the borders of blocks is between their ranges.
        self.words(&self.page.text[range], block);
    }

    /// Appends text in which white space is folded.
    fn words(&mut self, text: &str, block: usize) {
        let inside = text.trim_matches(' ');
        if inside.len() < text.len() && text.starts_with(' ') {
            self.space();
        }
        if inside.is_empty() {
            return;
        }
        if self.end == End::Space {
            self.done.text.push(' ');
        }
        let before = self.done.text.len();
        push_clean(&mut self.done.text, inside);
        let added = self.done.text.len() - before;
        if added > 0 {
            self.end = End::Text;
        }
        self.count(added, block);
        if text.ends_with(' ') {
            self.space();
        }
    }

    fn count(&mut self, bytes: usize, block: usize) {
        let kept = self.verdicts.get(block).or(self.verdicts.last()).is_some_and(|v| v.kept);
        self.part.bytes += bytes;
        self.part.kept_bytes += if kept { bytes } else { 0 };
        if bytes > self.block.1 {
            self.block = (block, bytes);
        }
    }

    fn space(&mut self) {
        if self.end == End::Text {
            self.end = End::Space;
        }
    }

    /// Returns how many bytes of the text are replaced.
    fn mark(&mut self, mark: &Mark) -> usize {
        match mark.what {
            What::Invented => return 1,
            What::Hide => self.hidden = true,
            What::Show => self.hidden = false,
            _ if self.hidden => {}
            What::Space => self.space(),
            What::Replaced => {
                if self.end == End::Space {
                    self.done.text.push(' ');
                    self.end = End::Text;
                }
            }
            What::Tab => self.tab(),
            What::Break | What::Block => self.end_line(),
            What::More(number) | What::Formula(number) => self.more(number),
            What::Open(_) | What::Close(_) => {}
            What::Kept(number) => self.kept(number),
        }
        0
    }

    fn more(&mut self, number: u32) {
        let more = &self.page.flow.more[number as usize];
        let text = &self.page.flow.extra[more.text.clone()];
        let is_folded = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}');
        let mut rest = text;
        while let Some(at) = rest.find(is_folded) {
            self.words(&rest[..at], more.block as usize);
            self.space();
            rest = &rest[at + 1..];
        }
        self.words(rest, more.block as usize);
    }

    fn kept(&mut self, number: u32) {
        let more = &self.page.flow.more[number as usize];
        let text = &self.page.flow.extra[more.text.clone()];
        for (number, line) in text.split(['\n', '\r']).enumerate() {
            if number > 0 {
                self.end_line();
            }
            if line.is_empty() {
                continue;
            }
            if self.end == End::Space {
                self.done.text.push(' ');
            }
            push_clean(&mut self.done.text, line);
            self.end = End::Kept;
            if !line.trim().is_empty() {
                self.count(line.len(), more.block as usize);
            }
        }
    }

    fn tab(&mut self) {
        self.done.text.push('\t');
        self.end = End::Start;
        let next = Part { from: self.done.text.len(), bytes: 0, kept_bytes: 0 };
        self.parts.push(std::mem::replace(&mut self.part, next));
    }

    fn end_line(&mut self) {
        let next = Part { from: 0, bytes: 0, kept_bytes: 0 };
        self.parts.push(std::mem::replace(&mut self.part, next));
        let is_layout = self.parts.iter().any(|part| part.bytes > MAX_CELL);
        let end = self.done.text.len();
        if is_layout {
            for number in 0..self.parts.len() {
                let to = self.parts.get(number + 1).map_or(end, |next| next.from);
                let Part { from, bytes, kept_bytes } = self.parts[number];
                let kept = self.add(from..to, bytes, kept_bytes);
                self.decide(kept, 1);
            }
        } else {
            let bytes = self.parts.iter().map(|part| part.bytes).sum();
            let kept_bytes = self.parts.iter().map(|part| part.kept_bytes).sum();
            let kept = self.add(self.start..end, bytes, kept_bytes);
            self.decide(kept, self.parts.len());
        }
        self.parts.clear();
        if self.done.lines.last().is_none_or(|line| line.range.end <= self.start) {
            self.done.text.truncate(self.start);
        }
        self.start = self.done.text.len();
        self.part.from = self.start;
        self.block = (self.block.0, 0);
        self.end = End::Start;
    }

    fn decide(&mut self, kept: Option<bool>, parts: usize) {
        if self.page.flow.shapes.is_some() {
            self.decisions.extend(std::iter::repeat_n(kept, parts));
        }
    }

    /// Ends a line. Returns whether it is kept, `None` if it has no text.
    fn add(&mut self, range: Range<usize>, bytes: usize, kept_bytes: usize) -> Option<bool> {
        // Tabs at the beginning are empty cells, or belong to code.
        let text = self.done.text[range.clone()].trim_end();
        if bytes == 0 || !text.contains(is_shown) {
            return None;
        }
        let kept = kept_bytes > 0 && 2 * kept_bytes >= bytes;
        let range = range.start..range.start + text.len();
        self.done.lines.push(Line { range, kept, block: self.block.0 });
        Some(kept)
    }
}

/// Returns false for white space and for characters that only change how others look or join. Some
/// pages have a paragraph of one as a space between two others.
fn is_shown(c: char) -> bool {
    let is_format = matches!(c, '\u{ad}' | '\u{34f}' | '\u{180e}' | '\u{feff}')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}');
    !is_format && !c.is_whitespace()
}

/// Appends text without characters that are no text: controls, and code points that are reserved
/// for other uses.
pub(crate) fn push_clean(out: &mut String, text: &str) {
    // No branch in a part, so that the compiler can use vector instructions.
    let may_have = |part: &[u8]| {
        let may_be = |byte: u8| (byte < b' ') | matches!(byte, 0x7f | 0xc2 | 0xef) | (byte >= 0xf0);
        part.iter().fold(false, |may, byte| may | may_be(*byte))
    };
    let (parts, rest) = text.as_bytes().as_chunks::<32>();
    if !parts.iter().any(|part| may_have(part)) && !may_have(rest) {
        return out.push_str(text);
    }
    let is_text = |c: &char| {
        let code = u32::from(*c);
        (!c.is_control() || *c == '\t')
            && !matches!(code, 0xfdd0..=0xfdef)
            && code & 0xfffe != 0xfffe
    };
    out.extend(text.chars().filter(is_text));
}

#[cfg(test)]
mod tests {
    use super::push_clean;

    #[test]
    fn characters_that_are_no_text_are_left_out_at_any_place() {
        for before in 0..70 {
            let (mut out, before) = (String::new(), "a".repeat(before));
            push_clean(&mut out, &format!("{before}\u{1}\tb\u{fdd0}\u{e9}\u{7f}"));
            assert_eq!(out, format!("{before}\tb\u{e9}"));
        }
    }
}
