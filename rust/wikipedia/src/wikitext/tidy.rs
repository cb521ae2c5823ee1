//! The text of a paragraph without entities, magic words and gaps.

use super::{Kind, Paragraph, BREAK, HOLE, NAME, NAME_END, OPEN};
use std::ops::Range;

/// Longest magic word, in bytes.
const MAGIC_BYTES: usize = 60;

/// Returns a paragraph with decoded entities, without magic words and without gaps.
pub fn tidy(raw: &str, kind: Kind) -> Paragraph {
    let raw = without_magic_words(raw);
    let decoded = htmlize::unescape(raw.as_str());
    let mut tidied = Tidied { text: String::with_capacity(decoded.len()), ..Tidied::default() };
    let mut chars = decoded.chars().peekable();
    while let Some(c) = chars.next() {
        if LOW_SIGNS.contains(&c) && chars.peek().is_none_or(|next| !follows_closely(*next)) {
            tidied.close_space();
        }
        tidied.push(c);
    }
    tidied.finish(kind)
}

/// Signs before which no language writes a space: one is left where a note was removed. French
/// writes one before the others, and some writers of Hindi before a danda.
const LOW_SIGNS: [char; 6] = ['.', ',', '،', '۔', '。', '，'];

/// Returns whether a character makes a sign before it a part of a number or of an ellipsis.
fn follows_closely(c: char) -> bool {
    c.is_alphanumeric() || LOW_SIGNS.contains(&c)
}

/// A paragraph while it is tidied.
#[derive(Default)]
struct Tidied {
    text: String,
    names: Vec<Range<usize>>,
    /// Start of a name, and the number of open names.
    name: usize,
    depth: u64,
    /// Position of an open bracket that holds only punctuation so far.
    bracket: Option<usize>,
    /// Whether something was removed after the last character.
    hole: bool,
}

impl Tidied {
    fn push(&mut self, c: char) {
        match c {
            NAME => self.open_name(),
            NAME_END => self.close_name(),
            HOLE | BREAK | OPEN => self.hole = true,
            c if c.is_whitespace() || c.is_control() || c == '\u{FEFF}' => self.push_space(),
            '(' | '（' => {
                self.bracket = Some(self.text.len());
                self.hole = false;
                self.text.push(c);
            }
            ')' | '）' => self.close_bracket(c),
            ',' | ';' | ':' | '.' | '،' | '؛' | '۔' | '।' | '，' | '、' | '；' | '。' => {
                self.push_punctuation(c)
            }
            '–' | '—' if self.hole => {
                let apart = self.text.ends_with(' ');
                self.close_up();
                if apart {
                    self.text.push(' ');
                }
                self.text.push(c);
            }
            // Repeated, they would look like markup.
            '[' | ']' | '{' | '}' | '\'' if self.text.ends_with(c) => {}
            c => {
                if c.is_alphanumeric() {
                    self.bracket = None;
                    self.hole = false;
                }
                self.text.push(c);
            }
        }
    }

    /// Removes a space at the end, unless it is behind an ellipsis or a dash.
    fn close_space(&mut self) {
        let before = self.text.strip_suffix(' ').unwrap_or_default();
        let ends_a_word =
            |c: char| c.is_alphanumeric() || matches!(c, ')' | '"' | '»' | '”' | '\'');
        if before.ends_with(ends_a_word) {
            self.truncate(before.len());
        }
    }

    fn open_name(&mut self) {
        if self.depth == 0 {
            self.name = self.text.len();
        }
        self.depth += 1;
    }

    fn close_name(&mut self) {
        if self.depth == 1 {
            self.names.push(self.name.min(self.text.len())..self.text.len());
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn push_space(&mut self) {
        let after_bracket = self.bracket.is_some() && self.text.ends_with(['(', '（']);
        if !self.text.is_empty() && !self.text.ends_with(' ') && !after_bracket {
            self.text.push(' ');
        }
    }

    fn close_bracket(&mut self, c: char) {
        if let Some(open) = self.bracket.take() {
            self.truncate(open);
        } else {
            if self.hole {
                self.close_up();
            } else if self.text.ends_with(' ') {
                self.truncate(self.text.len() - 1);
            }
            self.text.push(c);
        }
        self.hole = false;
    }

    fn push_punctuation(&mut self, c: char) {
        // Separators of a list in brackets whose first entry was removed.
        if self.bracket.is_some() && c != '.' {
            return;
        }
        if self.hole {
            // Of the punctuation around a gap the last sign stays, unless it would begin a
            // sentence.
            self.close_up();
            if self.text.is_empty() {
                return;
            }
        }
        self.text.push(c);
    }

    /// Shortens the text, and the names in it with it, also one that is open.
    fn truncate(&mut self, end: usize) {
        self.text.truncate(end);
        self.name = self.name.min(end);
        while let Some(last) = self.names.last_mut().filter(|last| last.end > end) {
            last.end = end;
            if last.start < end {
                break;
            }
            self.names.pop();
        }
    }

    /// Removes the separators between the text and a gap.
    fn close_up(&mut self) {
        let separators = [' ', ',', ';', ':', '،', '؛', '，', '、', '；'];
        self.truncate(self.text.trim_end_matches(separators).len());
    }

    fn finish(mut self, kind: Kind) -> Paragraph {
        self.truncate(self.text.trim_end().len());
        self.names.retain(|name| name.start < name.end);
        Paragraph { kind, text: self.text, names: self.names }
    }
}

/// Removes `__NOTOC__` and similar magic words, in capitals of any language.
fn without_magic_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find("__") {
        let begin = at + found;
        out.push_str(&text[at..begin]);
        let rest = &text.as_bytes()[begin + 2..];
        let end = rest[..rest.len().min(MAGIC_BYTES)]
            .windows(2)
            .skip(1)
            .position(|pair| pair == b"__")
            .map(|end| end + 1);
        let word = end.and_then(|end| text.get(begin + 2..begin + 2 + end)).unwrap_or("");
        if !word.is_empty()
            && word.chars().all(|c| c == '_' || c.is_alphabetic() && !c.is_lowercase())
        {
            out.push(HOLE);
            at = begin + 2 + word.len() + 2;
        } else {
            out.push_str("__");
            at = begin + 2;
        }
    }
    out.push_str(&text[at..]);
    out
}
