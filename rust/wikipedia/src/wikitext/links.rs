//! Links between pages, files and categories.

use super::namespaces::{Namespaces, CATEGORY, FILE, MEDIA};
use super::{run, MAX_OPEN, NAME, NAME_END, OPEN};

/// Longest target of a link, in bytes; titles have at most 255, and a section may follow.
const TARGET_BYTES: usize = 1000;

/// Extensions of files.
const FILES: [&str; 21] = [
    "jpg", "jpeg", "png", "gif", "svg", "tif", "tiff", "webp", "bmp", "xcf", "pdf", "djvu", "ogg",
    "ogv", "oga", "webm", "mid", "wav", "mp3", "flac", "stl",
];

/// Prefixes of two or three letters of wikis without a language.
const NO_LANGUAGES: [&str; 3] = ["mw", "voy", "wmf"];

/// Replaces links by their text; removes files, categories, and links to the page in other
/// languages.
pub fn without_links(text: &str, namespaces: &Namespaces) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<Link> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let next = bytes[at..].iter().position(|byte| matches!(byte, b'[' | b']' | b'|' | b'\n'));
        let next = next.map_or(bytes.len(), |next| at + next);
        out.push_str(&text[at..next]);
        at = next;
        let Some(&byte) = bytes.get(at) else { break };
        match byte {
            b'[' => {
                let brackets = run(&bytes[at..], byte);
                at += brackets;
                // Of three brackets the first is not part of the link.
                if brackets % 2 == 1 {
                    out.push('[');
                    if let Some(last) = open.last_mut() {
                        last.single += 1;
                    }
                }
                let links = (brackets / 2).min(MAX_OPEN - open.len());
                open.extend((0..links).map(|_| Link {
                    at: out.len(),
                    bar: None,
                    single: 0,
                    holds_links: false,
                }));
            }
            b']' => {
                let brackets = run(&bytes[at..], byte);
                at += brackets;
                let ends_line = matches!(bytes.get(at), None | Some(b'\n'));
                close(brackets, ends_line, &mut open, &mut out, namespaces);
            }
            b'|' => {
                if let Some(last) = open.last_mut() {
                    last.bar.get_or_insert(out.len());
                }
                out.push('|');
                at += 1;
            }
            _ => {
                if bytes.get(at + 1) == Some(&b'\n') {
                    give_up(&mut open, &mut out, namespaces);
                }
                out.push('\n');
                at += 1;
            }
        }
    }
    give_up(&mut open, &mut out, namespaces);
    out
}

/// Closes links at a run of closing brackets. `ends_line` is whether the line ends behind it.
fn close(
    mut brackets: usize,
    ends_line: bool,
    open: &mut Vec<Link>,
    out: &mut String,
    namespaces: &Namespaces,
) {
    while brackets > 0 {
        match open.last_mut() {
            Some(last) if last.single > 0 => {
                last.single -= 1;
                brackets -= 1;
                out.push(']');
            }
            Some(_) if brackets >= 2 => {
                brackets -= 2;
                if let Some(link) = open.pop() {
                    let begin = link.at;
                    link.end(out, namespaces, ends_line && brackets == 0);
                    // A category takes the end of the line before it with it, and links may be open
                    // at the same place.
                    for outer in open.iter_mut().rev().take_while(|outer| outer.at > out.len()) {
                        outer.at = out.len();
                    }
                    if let Some(last) = open.last_mut() {
                        last.holds_links |= out.len() > begin;
                    }
                }
            }
            Some(_) => {
                brackets -= 1;
                out.push(']');
            }
            None => {
                // Unmatched brackets are dropped, except for the end of a URL in single
                // brackets.
                if brackets % 2 == 1 {
                    out.push(']');
                }
                brackets = 0;
            }
        }
    }
}

/// An open link.
struct Link {
    /// Start of its target in the output.
    at: usize,
    /// Position of the first bar.
    bar: Option<usize>,
    /// Number of open single brackets in it.
    single: usize,
    /// Whether a link ended in it.
    holds_links: bool,
}

impl Link {
    /// Returns its target, limited to the longest possible one.
    fn target<'t>(&self, out: &'t str) -> &'t str {
        let target = &out[self.at..self.bar.unwrap_or(out.len())];
        if target.len() > TARGET_BYTES {
            ""
        } else {
            target.trim()
        }
    }

    /// Returns whether it shows a file.
    fn is_file(&self, out: &str, namespaces: &Namespaces) -> bool {
        let target = self.target(out);
        let ends_like_one = || {
            let ending = target.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
            ending.is_some_and(|ending| target.contains(':') && FILES.contains(&ending.as_str()))
        };
        // Dumps do not have the old names of the namespace.
        !target.starts_with(':')
            && (matches!(namespaces.of_prefix(target), Some(FILE | MEDIA)) || ends_like_one())
    }

    /// Leaves only its text. `ends_line` is whether the line ends behind it.
    fn end(self, out: &mut String, namespaces: &Namespaces, ends_line: bool) {
        if self.is_file(out, namespaces) {
            out.truncate(self.at);
            return;
        }
        let target = self.target(out);
        if target.contains(['\n', '[', ']', '{', '}', '<', '>', OPEN])
            || (target.is_empty() && self.bar.is_none())
        {
            return;
        }
        // Dumps do not have the old names of the category namespace either, but only categories
        // have a line of their own.
        let alone = ends_line && matches!(out[..self.at].bytes().last(), None | Some(b'\n'));
        let is_category =
            namespaces.of_prefix(target) == Some(CATEGORY) || (alone && has_prefix(target));
        if !target.starts_with(':') && (is_category || is_language(target)) {
            out.truncate(self.at);
            if alone {
                // The line is removed and does not end a paragraph.
                out.pop();
            }
            return;
        }
        // A link cannot contain a link, so this is text. No text is moved twice.
        if self.holds_links {
            return;
        }
        let shown = self.bar.map_or("", |bar| &out[bar + 1..]);
        let shown = if shown.trim().is_empty() {
            let target = target.trim_start_matches([':', '#']).trim();
            // The target without its disambiguation.
            if self.bar.is_some() {
                target.split(" (").next().unwrap_or(target)
            } else {
                target
            }
        } else {
            shown
        };
        let shown = shown.to_owned();
        out.truncate(self.at);
        out.push(NAME);
        out.push_str(&shown);
        out.push(NAME_END);
    }
}

/// Discards the open links at the end of a paragraph. The text of a file is removed.
fn give_up(open: &mut Vec<Link>, out: &mut String, namespaces: &Namespaces) {
    if let Some(file) = open.iter().find(|link| link.bar.is_some() && link.is_file(out, namespaces))
    {
        out.truncate(file.at);
    } else if let [link] = &mut open[..] {
        let link = Link { at: link.at, bar: link.bar, single: 0, holds_links: link.holds_links };
        link.end(out, namespaces, false);
    }
    open.clear();
}

/// Returns whether a target has a possible namespace prefix: letters, and a colon without a space
/// behind it.
fn has_prefix(target: &str) -> bool {
    target.split_once(':').is_some_and(|(prefix, rest)| {
        !prefix.contains(char::is_whitespace) && !rest.starts_with(char::is_whitespace)
    })
}

/// Returns whether a target is a page of the wiki in another language: `de:Titel`,
/// `zh-min-nan:Titel`.
fn is_language(target: &str) -> bool {
    let Some((prefix, _)) = target.split_once(':') else { return false };
    let first = prefix.split('-').next().unwrap_or_default();
    let parts = prefix
        .split('-')
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase()));
    let named = prefix == "simple"
        || prefix == "be-tarask"
        || matches!(first.len(), 2..=3)
        || prefix == "tokipona";
    parts && named && !NO_LANGUAGES.contains(&prefix)
}
