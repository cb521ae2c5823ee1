//! Paragraphs of wikitext.
//!
//! This is not a parser: it returns the text and discards its format. It makes seven linear passes
//! over the page: comments and tags, templates, variants, tables, links, addresses, lines. The
//! order is MediaWiki's own, so that markup is hidden in the same places. MediaWiki shows unclosed
//! markup as text; training text is better without it, so the rest of the paragraph is removed.

use std::collections::HashMap;
use std::ops::Range;

/// Marks the start and the end of link text or bold text, mostly a name. These noncharacters are
/// removed from pages.
const NAME: char = '\u{FDD0}';
const NAME_END: char = '\u{FDD1}';
/// Marks a place in a line where something was removed.
const HOLE: char = '\u{FDD2}';
/// Marks the end of a paragraph.
const BREAK: char = '\u{FDD3}';
/// Marks that the rest of the paragraph is unclosed markup.
const OPEN: char = '\u{FDD4}';

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

/// Longest target of a link, in bytes; titles have at most 255, and a section may follow.
const TARGET_BYTES: usize = 1000;

/// Most open templates, and links, at a time; MediaWiki itself nests up to a hundred. Further ones
/// are not stored, so their ends close earlier ones.
const MOST_OPEN: usize = 1 << 16;

/// Longest template that may produce text, in bytes.
const SHOWN_BYTES: usize = 100;

/// Longest text with several variants, in bytes.
const VARIANTS_BYTES: usize = 1000;

/// Extensions of files.
const FILES: [&str; 21] = [
    "jpg", "jpeg", "png", "gif", "svg", "tif", "tiff", "webp", "bmp", "xcf", "pdf", "djvu", "ogg",
    "ogv", "oga", "webm", "mid", "wav", "mp3", "flac", "stl",
];

/// Prefixes of two or three letters of wikis without a language.
const NO_LANGUAGES: [&str; 3] = ["mw", "voy", "wmf"];

/// Longest magic word, in bytes.
const MAGIC_BYTES: usize = 60;

/// MediaWiki's namespace numbers.
const MEDIA: i32 = -2;
const FILE: i32 = 6;
const CATEGORY: i32 = 14;

/// The names of a wiki's namespaces.
#[derive(Debug, Clone)]
pub struct Namespaces {
    by_name: HashMap<String, i32>,
}

impl Default for Namespaces {
    /// The names that every wiki has in addition to its own.
    fn default() -> Self {
        let mut known = Self { by_name: HashMap::new() };
        for (key, name) in
            [(MEDIA, "Media"), (FILE, "File"), (FILE, "Image"), (CATEGORY, "Category")]
        {
            known.add(key, name);
        }
        known
    }
}

impl Namespaces {
    /// Adds a name.
    pub fn add(&mut self, key: i32, name: &str) {
        let name = folded(name);
        if !name.is_empty() {
            self.by_name.insert(name, key);
        }
    }

    /// Returns the namespace of a title; 0 if its prefix is unknown.
    pub fn of_title(&self, title: &str) -> i32 {
        self.of_prefix(title).unwrap_or(0)
    }

    /// Returns the namespace in front of a colon.
    fn of_prefix(&self, title: &str) -> Option<i32> {
        let (prefix, _) = title.split_once(':')?;
        self.by_name.get(&folded(prefix)).copied()
    }
}

/// Normalizes a namespace's name: case, `_` and surrounding spaces make no difference.
fn folded(name: &str) -> String {
    name.replace('_', " ").trim().to_lowercase()
}

/// The kinds of paragraphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Running text.
    Text,
    /// The heading of a section.
    Heading,
    /// An item of a list, or an indented line.
    Item,
}

/// A paragraph without markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    /// Its kind.
    pub kind: Kind,
    /// Its text in one line.
    pub text: String,
    /// Byte ranges of link text and bold text, in order.
    pub names: Vec<Range<usize>>,
}

/// Returns the paragraphs of a page, in order. Those without a letter are omitted.
pub fn paragraphs(title: &str, wikitext: &str, namespaces: &Namespaces) -> Vec<Paragraph> {
    let text = without_tags(wikitext);
    let text = without_templates(&text, title);
    let text = without_variants(&text);
    let text = without_tables(&text);
    let text = without_links(&text, namespaces);
    let text = without_addresses(&text);
    lines(&text)
}

/// Returns the number of repetitions of a byte at the beginning.
fn run(text: &[u8], byte: u8) -> usize {
    text.iter().take_while(|&&other| other == byte).count()
}

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
fn without_tags(text: &str) -> String {
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
                at = tag.end;
                let name = tag.name.as_str();
                if let Some(&(_, in_line)) = DROPPED.iter().find(|(dropped, _)| *dropped == name) {
                    match if tag.closes || tag.alone {
                        Some((at, at))
                    } else {
                        ends.find(text, at, name)
                    } {
                        Some((_, end)) => {
                            at = end;
                            // A reference leaves no gap in the text.
                            if in_line && end > tag.end && name != "ref" {
                                out.push(HOLE);
                            }
                        }
                        None if in_line => out.push(OPEN),
                        None => {}
                    }
                    if !in_line {
                        out.push(BREAK);
                    }
                } else if name == "nowiki" {
                    if !tag.closes && !tag.alone {
                        if let Some((begin, end)) = ends.find(text, at, name) {
                            push_literally(&mut out, &text[at..begin]);
                            at = end;
                        }
                    }
                } else if name == "table" {
                    out.push_str(if tag.closes { "\n|}\n" } else { "\n{|\n" });
                } else if BLOCKS.contains(&name) {
                    out.push(BREAK);
                }
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

/// Removes everything in braces: templates, parser functions, parameters. Braces match as in
/// MediaWiki's preprocessor: an end closes up to three of the last opening braces.
fn without_templates(text: &str, title: &str) -> String {
    struct Beginning {
        braces: usize,
        /// Its position in the output.
        at: usize,
    }
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<Beginning> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let next = bytes[at..]
            .iter()
            .position(|byte| matches!(byte, b'{' | b'}'))
            .map_or(bytes.len(), |next| at + next);
        out.push_str(&text[at..next]);
        at = next;
        let Some(&brace) = bytes.get(at) else { break };
        let mut braces = run(&bytes[at..], brace);
        at += braces;
        if braces == 1 {
            out.push(char::from(brace));
        } else if brace == b'{' {
            // The brace of a table, as in `{{{!` and `{{{|`, is also counted: it cannot be
            // distinguished.
            if open.len() < MOST_OPEN {
                open.push(Beginning { braces, at: out.len() });
            }
        } else {
            while braces >= 2 {
                let Some(last) = open.last_mut() else { break };
                let taken = last.braces.min(braces).min(3);
                if taken >= 2 {
                    last.braces -= taken;
                    braces -= taken;
                    let shown =
                        shown(&out[last.at..], title).filter(|_| taken == 2).map(str::to_owned);
                    out.truncate(last.at);
                    match shown {
                        Some(shown) => out.push_str(&shown),
                        None => out.push(HOLE),
                    }
                }
                if last.braces < 2 {
                    open.pop();
                }
            }
        }
    }
    if open.is_empty() {
        return out;
    }
    let mut marked = String::with_capacity(out.len() + open.len() * OPEN.len_utf8());
    let mut from = 0;
    for beginning in open {
        marked.push_str(&out[from..beginning.at]);
        marked.push(OPEN);
        from = beginning.at;
    }
    marked.push_str(&out[from..]);
    marked
}

/// Returns the text of templates that are the same in every wiki.
fn shown<'t>(template: &'t str, title: &'t str) -> Option<&'t str> {
    // Longer nested templates would be scanned repeatedly.
    let template = Some(template).filter(|template| template.len() <= SHOWN_BYTES)?.trim();
    match template.split_once(':') {
        None if matches!(template, "PAGENAME" | "FULLPAGENAME") => Some(title),
        // An apostrophe next to those of italic text.
        None if template == "'" => Some("&#39;"),
        Some((function, number)) if function.eq_ignore_ascii_case("formatnum") => {
            number.split('|').next()
        }
        _ => None,
    }
}

/// Replaces text for several scripts or countries, `-{zh-hans:州; zh-hant:邦}-`, by the first
/// variant; text that is marked as the same for all, `-{NATO}-`, stays.
fn without_variants(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(begin) = text[at..].find("-{").map(|found| at + found) {
        out.push_str(&text[at..begin]);
        at = begin + 2;
        let ahead = &text.as_bytes()[at..text.len().min(at + VARIANTS_BYTES)];
        let end = ahead
            .windows(2)
            .take_while(|pair| !matches!(pair[0], b'\n' | b'{'))
            .position(|pair| pair == b"}-");
        let Some(content) = end.map(|end| &text[at..at + end]) else {
            out.push_str("-{");
            continue;
        };
        at += content.len() + 2;
        let is_code = |code: &str| {
            code.bytes()
                .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b';' | b' '))
        };
        let (flags, content) =
            content.split_once('|').filter(|(flags, _)| is_code(flags)).unwrap_or(("", content));
        // Rules for other places, and for the title, produce no text.
        if flags.contains(['H', 'T', '-']) {
            continue;
        }
        match content.split_once(':').filter(|(code, _)| !code.is_empty() && is_code(code)) {
            Some((_, variants)) => {
                out.push_str(variants.split(';').next().unwrap_or_default().trim())
            }
            None => out.push_str(content),
        }
    }
    out.push_str(&text[at..]);
    out
}

/// Removes tables. An unclosed one ends at the next heading.
fn without_tables(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0u64;
    for line in text.split('\n') {
        let mut line = line;
        let start = line.trim_start_matches([' ', '\t', ':', HOLE, BREAK]);
        if start.starts_with("{|") {
            depth += 1;
        } else if depth > 0 && start.starts_with("|}") {
            depth -= 1;
            line = &start[2..];
        } else if depth > 0 && is_heading(start) {
            depth = 0;
        }
        if depth == 0 {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// Returns whether a line is a heading.
fn is_heading(line: &str) -> bool {
    let line = line.trim_end_matches([' ', '\t', HOLE, BREAK]);
    line.len() >= 3 && line.starts_with('=') && line.ends_with('=')
}

/// Replaces links by their text; removes files, categories, and links to the page in other
/// languages.
fn without_links(text: &str, namespaces: &Namespaces) -> String {
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
                let links = (brackets / 2).min(MOST_OPEN - open.len());
                open.extend((0..links).map(|_| Link {
                    at: out.len(),
                    bar: None,
                    single: 0,
                    holds_links: false,
                }));
            }
            b']' => {
                let mut brackets = run(&bytes[at..], byte);
                at += brackets;
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
                                let ends_line =
                                    matches!(bytes.get(at), None | Some(b'\n')) && brackets == 0;
                                link.end(&mut out, namespaces, ends_line);
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

/// Removes URLs; those in brackets are replaced by their text.
fn without_addresses(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    // End of the current line or bracket.
    let mut end = 0;
    let mut at = 0;
    while at < bytes.len() {
        let next = bytes[at..]
            .iter()
            .position(|byte| matches!(byte, b'[' | b':'))
            .map_or(bytes.len(), |next| at + next);
        out.push_str(&text[at..next]);
        at = next;
        let Some(&byte) = bytes.get(at) else { break };
        let rest = &text[at..];
        if byte == b'[' && is_address(&rest[1..]) {
            if end <= at {
                end = bytes[at..]
                    .iter()
                    .position(|byte| matches!(byte, b']' | b'\n'))
                    .map_or(bytes.len(), |end| at + end);
            }
            let address = address_bytes(&rest[1..]).min(end - at - 1);
            at += 1 + address;
            let shown = text[at..end].trim();
            if shown.is_empty() {
                out.push(HOLE);
            } else {
                out.push_str(shown);
            }
            at = if bytes.get(end) == Some(&b']') { end + 1 } else { end };
        } else if rest.starts_with("://") {
            let before = out.len() - scheme(&out);
            if before < out.len() {
                out.truncate(before);
                out.push(HOLE);
                at += address_bytes(rest);
            } else {
                out.push(':');
                at += 1;
            }
        } else {
            out.push(char::from(byte));
            at += 1;
        }
    }
    out
}

/// Returns whether a URL begins here.
fn is_address(text: &str) -> bool {
    let known = [
        "http:", "https:", "ftp:", "//", "mailto:", "irc:", "ircs:", "news:", "gopher:", "tel:",
        "sip:", "git:",
    ];
    known.iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

/// Returns the length of a known scheme at the end of a text, in bytes; 0 if there is none.
fn scheme(text: &str) -> usize {
    let known = ["https", "http", "ftps", "ftp", "irc", "ircs", "gopher", "git", "svn"];
    let ends = |scheme: &&&str| {
        let begin = text.len().checked_sub(scheme.len());
        begin
            .and_then(|begin| text.get(begin..))
            .is_some_and(|end| end.eq_ignore_ascii_case(scheme))
    };
    known.iter().find(ends).map_or(0, |scheme| scheme.len())
}

/// Returns the length of a URL, in bytes.
fn address_bytes(text: &str) -> usize {
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, '[' | ']' | '<' | '>' | '"' | '|' | NAME..=OPEN | '。' | '、' | '，')
    };
    text.find(ends).unwrap_or(text.len())
}

/// The paragraph in progress.
struct Current {
    text: String,
    paragraphs: Vec<Paragraph>,
}

impl Current {
    /// Ends it.
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
fn lines(text: &str) -> Vec<Paragraph> {
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

/// Returns a paragraph with decoded entities, without magic words and without gaps.
fn tidy(raw: &str, kind: Kind) -> Paragraph {
    let raw = without_magic_words(raw);
    let decoded = htmlize::unescape(raw.as_str());
    let mut tidied = Tidied { text: String::with_capacity(decoded.len()), ..Tidied::default() };
    for c in decoded.chars() {
        tidied.push(c);
    }
    tidied.finish(kind)
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

    /// Shortens the text, and the names in it with it.
    fn truncate(&mut self, end: usize) {
        self.text.truncate(end);
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
