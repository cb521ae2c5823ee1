//! Lines, which join to paragraphs.

use super::tidy::tidy;
use super::{is_heading, run, Kind, Paragraph, BREAK, HOLE, NAME, NAME_END, OPEN};

/// The paragraph in progress.
struct Current {
    text: String,
    paragraphs: Vec<Paragraph>,
}

impl Current {
    /// Ends the paragraph that is open.
    fn end(&mut self, kind: Kind) {
        if !self.text.is_empty() {
            let paragraph = tidy(&self.text, kind);
            if paragraph.text.contains(char::is_alphabetic) {
                self.paragraphs.push(paragraph);
            }
            self.text.clear();
        }
    }
}

/// Joins lines to paragraphs.
pub fn lines(text: &str) -> Vec<Paragraph> {
    let mut current = Current { text: String::new(), paragraphs: Vec::new() };
    // Whether this paragraph has unclosed markup.
    let mut broken = false;
    for line in text.split('\n') {
        let (line, opened) = match line.find(OPEN) {
            Some(open) => (&line[..open], true),
            None => (line, false),
        };
        let start = line.trim_start_matches([' ', '\t', HOLE]);
        let begins = start.bytes().next();
        if (start.is_empty() && !opened) || is_heading(start) {
            current.end(Kind::Text);
            broken = false;
            if is_heading(start) {
                push_without_quotes(
                    &mut current.text,
                    start.trim_matches([' ', '\t', '=', HOLE, BREAK]),
                );
                current.end(Kind::Heading);
            }
        } else if broken {
        } else if matches!(begins, Some(b'*' | b'#' | b':' | b';')) {
            current.end(Kind::Text);
            for piece in start.trim_start_matches(['*', '#', ':', ';', ' ', '\t']).split(BREAK) {
                push_without_quotes(&mut current.text, piece);
                current.end(Kind::Item);
            }
        } else if begins == Some(b'|') || (begins == Some(b'!') && start.contains('|')) {
            // The rest of a table or a template.
            current.end(Kind::Text);
        } else if !start.is_empty() {
            let start = if start.starts_with("----") {
                current.end(Kind::Text);
                start.trim_start_matches('-')
            } else {
                line
            };
            for (number, piece) in start.split(BREAK).enumerate() {
                if number > 0 {
                    current.end(Kind::Text);
                }
                if !current.text.is_empty() {
                    current.text.push(' ');
                }
                push_without_quotes(&mut current.text, piece);
            }
        }
        broken |= opened;
    }
    current.end(Kind::Text);
    current.paragraphs
}

/// Appends a line without the apostrophes of bold and italic text. Unbalanced ones are resolved as
/// in MediaWiki.
fn push_without_quotes(out: &mut String, line: &str) {
    // Number of literal apostrophes, italic, and bold, for each run of two or more.
    let mut runs: Vec<(usize, bool, bool)> = Vec::new();
    let mut single_before_bold = None;
    let mut any_before_bold = None;
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(found) = line[at..].find("''") {
        let begin = at + found;
        let length = run(&bytes[begin..], b'\'');
        let (text, slanted, bold) = match length {
            2 => (0, true, false),
            3 | 4 => (length - 3, false, true),
            _ => (length - 5, true, true),
        };
        if bold && !slanted {
            // `l'''Italia''`: one apostrophe is text if that balances the others.
            let before = line[..begin].chars().rev();
            let letters = before.take(2).take_while(|c| !c.is_whitespace()).count();
            if letters == 1 {
                single_before_bold.get_or_insert(runs.len());
            } else if letters == 2 {
                any_before_bold.get_or_insert(runs.len());
            }
        }
        runs.push((text, slanted, bold));
        at = begin + length;
    }
    let odd =
        |of: fn(&(usize, bool, bool)) -> bool| runs.iter().filter(|run| of(run)).count() % 2 == 1;
    if odd(|run| run.1) && odd(|run| run.2) {
        let first = runs.iter().position(|run| run.2 && !run.1);
        if let Some(run) =
            single_before_bold.or(any_before_bold).or(first).and_then(|run| runs.get_mut(run))
        {
            *run = (run.0 + 1, true, false);
        }
    }
    let mut in_bold = false;
    at = 0;
    for (text, _, bold) in runs {
        let Some(begin) = line[at..].find("''").map(|found| at + found) else { break };
        out.push_str(&line[at..begin]);
        out.extend(std::iter::repeat_n('\'', text));
        if bold {
            in_bold = !in_bold;
            out.push(if in_bold { NAME } else { NAME_END });
        }
        at = begin + run(&bytes[begin..], b'\'');
    }
    out.push_str(&line[at..]);
    if in_bold {
        out.push(NAME_END);
    }
}
