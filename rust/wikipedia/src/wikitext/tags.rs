//! Comments, tags, and the content of tags without text.

use super::{BREAK, HOLE, NAME, OPEN};

/// Tags that are removed with their content, and whether they are inline.
const DROPPED: [(&str, bool); 32] = [
    ("ref", true),
    ("math", true),
    ("chem", true),
    ("ce", true),
    ("hiero", true),
    ("score", true),
    ("rt", true),
    ("rp", true),
    ("maplink", true),
    ("indicator", true),
    ("templatestyles", true),
    ("includeonly", true),
    ("references", false),
    ("gallery", false),
    ("timeline", false),
    ("syntaxhighlight", false),
    ("source", false),
    ("pre", false),
    ("imagemap", false),
    ("graph", false),
    ("chart", false),
    ("mapframe", false),
    ("templatedata", false),
    ("inputbox", false),
    ("categorytree", false),
    ("dynamicpagelist", false),
    ("listing", false),
    ("style", false),
    ("script", false),
    ("noscript", false),
    ("select", false),
    ("object", false),
];

/// Tags whose content is separate blocks.
const BLOCKS: [&str; 23] = [
    "br",
    "hr",
    "p",
    "div",
    "center",
    "blockquote",
    "poem",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "tr",
    "td",
    "th",
    "caption",
];

/// Longest name of a tag, in bytes.
const TAG_BYTES: usize = 20;

/// A tag: position of its name, whether it is an end tag, whether it is self-closing, and its end.
struct Tag {
    name: String,
    closes: bool,
    alone: bool,
    end: usize,
}

/// Parses the tag at a `<`; `None` if there is none.
fn tag(text: &str, at: usize) -> Option<Tag> {
    let bytes = text.as_bytes();
    let closes = bytes.get(at + 1) == Some(&b'/');
    let begin = at + 1 + usize::from(closes);
    let length = bytes[begin..]
        .iter()
        .take(TAG_BYTES)
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    if !bytes.get(begin)?.is_ascii_alphabetic() {
        return None;
    }
    let attributes = begin + length;
    if !matches!(bytes.get(attributes)?, b' ' | b'\t' | b'\n' | b'/' | b'>') {
        return None;
    }
    // A tag cannot contain another tag, so every byte is visited once.
    let end =
        attributes + bytes[attributes..].iter().position(|byte| matches!(byte, b'<' | b'>'))?;
    if bytes[end] == b'<' {
        return None;
    }
    let name = text[begin..attributes].to_ascii_lowercase();
    Some(Tag { name, closes, alone: bytes[end - 1] == b'/', end: end + 1 })
}

/// Finds the end tags of elements; each name is searched in vain at most once.
#[derive(Default)]
struct Ends {
    in_vain: Vec<String>,
}

impl Ends {
    /// Returns the range of an element's end tag after a position.
    fn find(&mut self, text: &str, from: usize, name: &str) -> Option<(usize, usize)> {
        if self.in_vain.iter().any(|known| known == name) {
            return None;
        }
        let mut at = from;
        while let Some(found) = text[at..].find("</") {
            let begin = at + found;
            let behind = begin + 2 + name.len();
            let named = text
                .as_bytes()
                .get(begin + 2..behind)
                .is_some_and(|other| other.eq_ignore_ascii_case(name.as_bytes()));
            if named {
                let rest = &text.as_bytes()[behind..];
                let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                if rest.get(blanks) == Some(&b'>') {
                    return Some((begin, behind + blanks + 1));
                }
            }
            at = begin + 2;
        }
        self.in_vain.push(name.to_owned());
        None
    }
}

/// Removes comments, tags, and the content of tags without text. The content of `<nowiki>` is
/// escaped as entities, so that it is not parsed as markup. Tables in HTML are converted to those
/// of wikitext.
pub fn without_tags(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut ends = Ends::default();
    let mut at = 0;
    // Start of the text not yet copied.
    let mut from = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'<' if bytes[at..].starts_with(b"<!--") => {
                out.push_str(&text[from..at]);
                // An unclosed comment ends with the page.
                let end = text[at + 4..].find("-->").map_or(bytes.len(), |end| at + 4 + end + 3);
                // A line that consists of a comment is removed completely.
                at = if out.ends_with('\n') && bytes.get(end) == Some(&b'\n') {
                    end + 1
                } else {
                    end
                };
                from = at;
            }
            b'<' => {
                let Some(tag) = tag(text, at) else {
                    at += 1;
                    continue;
                };
                out.push_str(&text[from..at]);
                at = instead_of(text, &tag, &mut ends, &mut out);
                from = at;
            }
            0xEF if matches!(&bytes[at..], [_, 0xB7, 0x90..=0x94, ..]) => {
                out.push_str(&text[from..at]);
                at += 3;
                from = at;
            }
            b'\r' => {
                out.push_str(&text[from..at]);
                at += 1;
                from = at;
            }
            _ => at += 1,
        }
    }
    out.push_str(&text[from..]);
    out
}

/// Appends what a tag leaves in the text, and returns where the text goes on: behind the tag, or
/// behind its element if that is left out.
fn instead_of(text: &str, tag: &Tag, ends: &mut Ends, out: &mut String) -> usize {
    let name = tag.name.as_str();
    let is_open = !tag.closes && !tag.alone;
    if let Some(&(_, in_line)) = DROPPED.iter().find(|(dropped, _)| *dropped == name) {
        let end = if is_open {
            ends.find(text, tag.end, name).map(|(_, end)| end)
        } else {
            Some(tag.end)
        };
        // A reference leaves no gap in the text.
        match end {
            Some(end) if in_line && end > tag.end && name != "ref" => out.push(HOLE),
            None if in_line => out.push(OPEN),
            _ => {}
        }
        if !in_line {
            out.push(BREAK);
        }
        return end.unwrap_or(tag.end);
    }
    if name == "nowiki" && is_open {
        if let Some((begin, end)) = ends.find(text, tag.end, name) {
            push_literally(out, &text[tag.end..begin]);
            return end;
        }
    } else if name == "table" {
        out.push_str(if tag.closes { "\n|}\n" } else { "\n{|\n" });
    } else if BLOCKS.contains(&name) {
        out.push(BREAK);
    }
    tag.end
}

/// Appends text with markup characters escaped as entities.
fn push_literally(out: &mut String, text: &str) {
    for c in text.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '&' | ';' | ',' | '.') {
            out.push_str(&format!("&#{};", u32::from(c)));
        } else if !matches!(c, NAME..=OPEN | '\r') {
            out.push(if c == '\n' { ' ' } else { c });
        }
    }
}
