//! The text of an article in the data of a page's scripts. A page that draws itself with scripts
//! often has its text only there: as `articleBody` or in the posts of JSON-LD, or in the data of
//! its framework (`__NEXT_DATA__`, `__NUXT__`, `__APOLLO_STATE__`), as one text or in pieces.
//!
//! The data are JSON, JavaScript with unquoted names and calls, JSON in a string, or JSON in an
//! attribute. So they are read by their strings, names and brackets alone: a parser of JSON would
//! refuse most of them.

use crate::flight;
use foldhash::{HashMap, HashMapExt, HashSet};
use memchr::{memchr, memchr3, memmem};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Start of the types of scripts with JSON, `application/json` and `application/ld+json`.
const TYPE: &str = "application/";
/// Largest script that is read, in bytes.
const MAX_SCRIPT: usize = 1 << 20;
/// What a script has that hands data to a framework: `window.__NUXT__=`, `self.__next_f.push(`,
/// `window.state = JSON.parse(`, `Fusion.globalContent=`.
const HANDED: [&str; 3] = [".__", "JSON.parse(", ".globalContent"];
/// The call that hands a piece of React's server components.
const FLIGHT: &str = "__next_f.push(";
/// Names of the values that hold the text of an article.
const BODIES: [&str; 3] = ["articleBody", "article_body", "bodyHtml"];
/// Ends of the types of schema.org whose `text` is a post of the page.
const POSTS: [&str; 2] = ["ForumPosting\"", "QAPage\""];
/// Types of schema.org whose `text` and `description` are the content of a page.
const THINGS: [&str; 7] = [
    "\"Course\"",
    "\"Event\"",
    "\"FAQPage\"",
    "\"HowTo\"",
    "\"JobPosting\"",
    "\"Product\"",
    "\"Recipe\"",
];
/// Names of the values that hold a text, or a piece of one, in the data of frameworks.
const TEXTS: [&str; 14] = [
    "body",
    "bodyText",
    "body_html",
    "content",
    "contentHtml",
    "content_html",
    "cooked",
    "description",
    "fullText",
    "html",
    "paragraphs",
    "rendered",
    "text",
    "value",
];
/// Names of the values that hold a headline.
const HEADLINES: [&str; 3] = ["headline", "title", "name"];
/// Least and most bytes of a headline.
const HEADLINE_BYTES: std::ops::RangeInclusive<usize> = 8..=400;
/// Longest title of a page, in bytes, in which each of them is looked for.
const MAX_TITLE: usize = 1 << 10;
/// Names of lists whose texts are pieces of a line.
const INLINE: [&str; 3] = ["children", "leaves", "spans"];
/// Names of the values that hold texts of the site, and not of the page.
const OF_SITE: [&str; 13] = [
    "comments",
    "config",
    "consent",
    "cookies",
    "footer",
    "i18n",
    "locale",
    "menu",
    "messages",
    "navigation",
    "recommended",
    "related",
    "translations",
];
/// Shortest line of prose, in bytes. Labels and headlines are shorter.
const MIN_LINE: usize = 60;
/// Most places of texts that are considered. Data with more describe no article.
const MAX_PLACES: usize = 64;
/// Most brackets around a text.
const MAX_DEPTH: usize = 128;
/// Most strings with data around a text.
const MAX_LEVEL: u8 = 3;

/// Returns the longest text of an article in the page's data, as markup, if it has more bytes than
/// `min`, below its headline if the data have that. If no value has the name of an article's text
/// and the page `is_bare`, it is the prose of the place in the data that has most of it: the data
/// of a page with some text have that of other pages too. `title`: that of the page.
pub(crate) fn article(html: &str, title: &str, min: usize, is_bare: bool) -> Option<String> {
    let title = if title.len() <= MAX_TITLE { title } else { "" };
    let mut found = Found { title, ..Found::default() };
    let text = longest_text(&mut found, html, min, is_bare)?;
    let Some(headline) = found.headline.or(found.stated) else { return Some(text) };
    let headline = headline.replace('<', "&lt;");
    let has_headline = text.contains(&format!(">{headline}<"));
    Some(if has_headline { text } else { format!("<h1>{headline}</h1>{text}") })
}

/// [`article`] without its headline.
fn longest_text(found: &mut Found<'_>, html: &str, min: usize, is_bare: bool) -> Option<String> {
    let mut flight = String::new();
    for (number, script) in (Scripts { html, is_bare, at: 0 }).enumerate() {
        // The same names in another script are another place.
        let place = number as u64;
        match script {
            Script::Linked(data) => found.read_linked(data, place, is_bare),
            Script::Data(data) if data.contains("&q;") => found.read(&unquoted(data), place, 0),
            Script::Data(data) => found.read(data, place, 0),
            Script::Flight(data) if flight.len() + data.len() <= MAX_SCRIPT => {
                strings(data).for_each(|text| flight.push_str(&unescaped(text)));
            }
            Script::Flight(_) => {}
        }
    }
    let (rows, mut texts) = found.read_flight(&flight);
    if is_bare {
        for data in attributes(html) {
            found.read(&htmlize::unescape_attribute(data), 0, 0);
        }
        found.choose_flat();
    }
    let longest = |is_body: bool, length: fn(&str) -> usize| {
        let texts = found.texts.iter().filter(|((body, _), _)| *body == is_body);
        let texts = texts.map(|(_, text)| (length(text.trim_end()), text.as_str()));
        texts.max().filter(|(bytes, _)| *bytes > min).map(|(_, text)| markup(text))
    };
    let named = longest(true, str::len);
    if named.is_some() || !is_bare {
        return named;
    }
    longest(false, prose).or_else(|| {
        let (elements, bytes) = flight::markup(&rows, &mut texts);
        Some(elements).filter(|_| bytes > min)
    })
}

/// The hash of a name below a place (FNV-1a).
fn below(place: u64, name: &str) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    name.bytes().chain([0]).fold(place ^ 0xcbf2_9ce4_8422_2325, step)
}

/// The bytes of a text's lines of prose.
fn prose(text: &str) -> usize {
    text.lines().map(str::len).filter(|bytes| *bytes >= MIN_LINE).sum()
}

/// The texts in the data of a page.
#[derive(Default)]
struct Found<'t> {
    /// The title of the page,
    title: &'t str,
    /// the longest headline in it, but the name of the site at its end,
    headline: Option<String>,
    /// and the first value that is called a headline.
    stated: Option<String>,
    /// The texts by whether they have one of the [`BODIES`]' names, and by the hash of the names
    /// around them.
    texts: BTreeMap<(bool, u64), String>,
    /// A line of the texts has not ended.
    in_line: bool,
    /// The articles, posts and prose without a name that were found: JSON-LD has an article under
    /// several types.
    known: HashSet<u64>,
    /// Prose without a name, in lists that replace each value by its number (Nuxt, React Router),
    /// and the longest of it.
    flat: String,
    longest: String,
}

impl Found<'_> {
    /// Considers a headline.
    fn add_headline(&mut self, name: &str, raw: &str) {
        if !HEADLINE_BYTES.contains(&raw.len()) {
            return;
        }
        let text = unescaped(raw);
        let text = text.trim();
        let is_longer = self.headline.as_ref().is_none_or(|before| before.len() < text.len());
        let is_of_page =
            self.title == text || self.title.contains(text) && !self.title.ends_with(text);
        if is_longer && is_of_page {
            self.headline = Some(text.to_owned());
        }
        if name == HEADLINES[0] && self.stated.is_none() {
            self.stated = Some(text.to_owned());
        }
    }

    /// Adds a piece of the text at a place.
    fn add(&mut self, is_body: bool, place: u64, text: &str) {
        if is_body && text.len() >= MIN_LINE && !self.known.insert(below(0, text)) {
            return;
        }
        let key = (is_body, place);
        if self.texts.len() < MAX_PLACES || self.texts.contains_key(&key) {
            self.texts.entry(key).or_default().push_str(text);
            self.in_line = true;
        }
    }

    /// Ends the lines that have begun. The time is in proportion to the pieces of texts, and not to
    /// the elements of lists.
    fn end_lines(&mut self) {
        if !std::mem::take(&mut self.in_line) {
            return;
        }
        for text in self.texts.values_mut().filter(|text| !text.ends_with('\n')) {
            text.push('\n');
        }
    }

    /// Reads data below a place.
    fn read(&mut self, data: &str, place: u64, level: u8) {
        Reader { found: self, data, place, level, linked: None, name: "", frames: Vec::new() }
            .read();
    }

    /// Reads JSON-LD.
    fn read_linked(&mut self, data: &str, place: u64, is_bare: bool) {
        let names = |names: &[&str]| names.iter().any(|name| data.contains(name));
        let linked = match names(&POSTS) {
            true => Some(true),
            false => (is_bare && names(&THINGS)).then_some(false),
        };
        Reader { found: self, data, place, level: MAX_LEVEL, linked, name: "", frames: Vec::new() }
            .read();
    }

    /// Reads the rows of React's server components: a number and JSON up to the end of the line, or
    /// `T`, the length in bytes and a text. Returns the rows with elements, and the texts by their
    /// numbers.
    fn read_flight<'r>(&mut self, mut rows: &'r str) -> (Vec<&'r str>, HashMap<&'r str, &'r str>) {
        let (mut found, mut texts) = (Vec::new(), HashMap::new());
        while let Some((number, row)) = rows.split_once(':') {
            let text = row.strip_prefix('T').and_then(|row| row.split_once(','));
            let text = text.and_then(|(length, text)| {
                text.get(..usize::from_str_radix(length, 16).ok()?).map(|first| (first, text))
            });
            if let Some((first, text)) = text {
                self.add(false, below(0, first), first);
                if first.len() >= MIN_LINE {
                    texts.insert(number, first);
                }
                rows = &text[first.len()..];
                continue;
            }
            let (data, rest) = row.split_once('\n').unwrap_or((row, ""));
            self.read(data, 0, 1);
            if data.contains(flight::ELEMENT) {
                found.push(data);
            }
            rows = rest;
        }
        (found, texts)
    }

    /// Considers prose without a name.
    fn add_flat(&mut self, text: &str) {
        if text.len() < MIN_LINE || !self.known.insert(below(0, text)) {
            return;
        }
        self.flat.push_str(text);
        self.flat.push('\n');
        if text.len() > self.longest.len() {
            text.clone_into(&mut self.longest);
        }
    }

    /// Adds the prose without a name: the longest if it is most of it, or else all.
    fn choose_flat(&mut self) {
        let is_most = self.longest.len() * 2 > self.flat.len();
        let text = std::mem::take(if is_most { &mut self.longest } else { &mut self.flat });
        self.texts.insert((false, u64::MAX), text);
    }
}

/// A script that may have texts.
enum Script<'h> {
    /// JSON-LD.
    Linked(&'h str),
    /// Other data.
    Data(&'h str),
    /// A piece of React's server components.
    Flight(&'h str),
}

/// The scripts that name a text of an article, or have data. Each byte of the page is searched for
/// each mark once, whatever is missing.
struct Scripts<'h> {
    html: &'h str,
    /// All data are read.
    is_bare: bool,
    at: usize,
}

impl<'h> Iterator for Scripts<'h> {
    type Item = Script<'h>;

    fn next(&mut self) -> Option<Script<'h>> {
        loop {
            let bytes = self.html.as_bytes();
            let start = self.at + memmem::find(&bytes[self.at..], b"<script")?;
            let from = start + memchr(b'>', &bytes[start..])? + 1;
            self.at = from;
            let kind = self.html[start..from].split_once(TYPE).map_or("", |(_, kind)| kind);
            let (is_linked, is_data) = (kind.starts_with("ld+json"), kind.starts_with("json"));
            if !is_linked && !is_data && !self.is_bare {
                continue;
            }
            let end = from + memmem::find(&bytes[from..], b"</script")?;
            self.at = end;
            let script = &self.html[from..end];
            let has = |names: &[&str]| {
                names.iter().any(|name| memmem::find(script.as_bytes(), name.as_bytes()).is_some())
            };
            if script.len() > MAX_SCRIPT {
                continue;
            }
            if is_linked && (has(&BODIES) || has(&POSTS) || self.is_bare && has(&THINGS)) {
                return Some(Script::Linked(script));
            }
            if is_data && (self.is_bare || has(&BODIES)) {
                return Some(Script::Data(script));
            }
            if !is_linked && !is_data && has(&HANDED) {
                let is_flight = has(&[FLIGHT]);
                return Some(if is_flight { Script::Flight(script) } else { Script::Data(script) });
            }
        }
    }
}

/// The values of attributes that are objects of JSON with escaped quotes (Inertia, Astro,
/// Discourse).
fn attributes(html: &str) -> impl Iterator<Item = &str> {
    memmem::find_iter(html.as_bytes(), b"\"{&quot;").filter_map(|at| {
        let value = &html[at + 1..];
        let end = memchr(b'"', value.as_bytes())?;
        (end <= MAX_SCRIPT).then_some(&value[..end])
    })
}

/// The data that older pages of Angular escape as they escape no markup.
fn unquoted(data: &str) -> String {
    let data = data.replace("&q;", "\"").replace("&l;", "<").replace("&g;", ">");
    data.replace("&s;", "'").replace("&a;", "&")
}

/// An open bracket around the current position.
#[derive(Clone, Copy)]
struct Frame<'d> {
    /// The name of the list, or nothing.
    name: &'d str,
    /// A hash of the names around it, and of its own.
    place: u64,
    is_list: bool,
    /// It is in a list whose texts are pieces of a line.
    is_inline: bool,
    is_of_site: bool,
}

/// Reads data by their strings, names and brackets, in linear time.
struct Reader<'f, 't, 'd> {
    found: &'f mut Found<'t>,
    data: &'d str,
    place: u64,
    /// The number of strings that the data are in.
    level: u8,
    /// Of JSON-LD: whether its texts are posts; `None` if only [`BODIES`] count.
    linked: Option<bool>,
    /// The name before the current position.
    name: &'d str,
    frames: Vec<Frame<'d>>,
}

impl<'d> Reader<'_, '_, 'd> {
    fn read(&mut self) {
        let bytes = self.data.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' | b'\'' | b'`' => {
                    let (end, is_whole) = end_of_string(bytes, at);
                    if is_whole {
                        self.string(at + 1, end);
                    }
                    at = end + 1;
                    continue;
                }
                b'{' | b'[' => self.open(*byte == b'['),
                b'}' | b']' => self.close(),
                b',' => self.comma(),
                byte if byte.is_ascii_alphabetic() || *byte == b'_' => {
                    let is_end = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
                    let end = bytes[at..].iter().position(is_end).map_or(bytes.len(), |n| at + n);
                    if self.is_name(end) {
                        self.name = &self.data[at..end];
                    }
                    at = end;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        self.found.end_lines();
    }

    /// Returns true if a colon follows.
    fn is_name(&self, end: usize) -> bool {
        let rest = self.data.as_bytes()[end..].iter().take(8);
        rest.copied().find(|byte| !byte.is_ascii_whitespace()) == Some(b':')
    }

    /// The bracket around the current value, as if it had the value's name and place.
    fn around(&self) -> Frame<'d> {
        let none = Frame {
            name: "",
            place: self.place,
            is_list: false,
            is_inline: false,
            is_of_site: false,
        };
        let frame = self.frames.last().copied().unwrap_or(none);
        if frame.is_list {
            return frame;
        }
        Frame {
            name: self.name,
            place: below(frame.place, self.name),
            is_of_site: frame.is_of_site || OF_SITE.contains(&self.name),
            ..frame
        }
    }

    fn open(&mut self, is_list: bool) {
        let around = self.around();
        let is_inline = around.is_inline || is_list && INLINE.contains(&around.name);
        // A deeper bracket counts as its parent.
        if self.frames.len() < MAX_DEPTH {
            self.frames.push(Frame { is_list, is_inline, ..around });
        }
        self.name = "";
    }

    fn close(&mut self) {
        self.comma();
        self.frames.pop();
        self.name = "";
    }

    fn comma(&mut self) {
        match self.frames.last() {
            Some(frame) if frame.is_list && !frame.is_inline => self.found.end_lines(),
            Some(frame) if !frame.is_list => self.name = "",
            _ => {}
        }
    }

    /// Reads a string, without its quotes: a name, a text, or data.
    fn string(&mut self, start: usize, end: usize) {
        let raw = &self.data[start..end];
        if self.is_name(end + 1) {
            self.name = raw;
            return;
        }
        let around = self.around();
        if around.is_of_site {
            return;
        }
        if HEADLINES.contains(&around.name) {
            self.found.add_headline(around.name, raw);
        } else if BODIES.contains(&around.name) {
            self.found.add(true, around.place, &unescaped(raw));
        } else if let Some(is_post) = self.linked {
            let is_long = around.name == "description" && !is_post && raw.len() > 2 * MIN_LINE;
            if around.name == "text" || is_long {
                self.found.add(is_post, self.place, &unescaped(raw));
                self.found.end_lines();
            }
        } else if self.level < MAX_LEVEL && is_data(raw) {
            self.found.read(&unescaped(raw), around.place, self.level + 1);
        } else if TEXTS.contains(&around.name) {
            self.found.add(false, around.place, &unescaped(raw));
        } else if around.is_list && self.frames.len() == 1 && around.name.is_empty() {
            self.found.add_flat(&unescaped(raw));
        }
    }
}

/// Returns true for a string with data in it.
fn is_data(raw: &str) -> bool {
    let start = raw.trim_start_matches('\\');
    start.len() > MIN_LINE
        && (start.starts_with('{') || start.starts_with('['))
        && start[1..].trim_start_matches(['\\', '[', '{']).starts_with('"')
}

/// Returns the end of the string that begins at a quote, and true if a quote ends it. A line ends
/// others, because an apostrophe may be in a comment.
pub(crate) fn end_of_string(bytes: &[u8], start: usize) -> (usize, bool) {
    let quote = bytes[start];
    let mut at = start + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr3(quote, b'\\', b'\n', rest)) {
        at += found;
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' if quote != b'`' => return (at, false),
            b'\n' => at += 1,
            _ => return (at, true),
        }
    }
    (bytes.len(), false)
}

/// The strings in double quotes of a script.
fn strings(data: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr(b'"', &data.as_bytes()[at..])?;
        let (end, is_whole) = end_of_string(data.as_bytes(), start);
        at = (end + 1).min(data.len());
        is_whole.then(|| &data[start + 1..end])
    })
}

/// A string of JSON or JavaScript without its escapes.
pub(crate) fn unescaped(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return raw.into();
    }
    let mut units: Vec<u16> = Vec::new();
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        let escaped = &rest[at + 1..];
        let digits = match escaped.as_bytes().first() {
            Some(b'u') => 4,
            Some(b'x') => 2,
            _ => 0,
        };
        let code = escaped.get(1..=digits).and_then(|code| u16::from_str_radix(code, 16).ok());
        if at > 0 || code.is_none() {
            out.push_str(&String::from_utf16_lossy(&std::mem::take(&mut units)));
        }
        out.push_str(&rest[..at]);
        if let Some(code) = code {
            units.push(code);
            rest = &escaped[digits + 1..];
            continue;
        }
        let mut chars = escaped.chars();
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t' | 'r' | 'b' | 'f') => out.push(' '),
            Some(c) => out.push(c),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(&String::from_utf16_lossy(&units));
    out.push_str(rest);
    out.into()
}

/// A text as markup, with a paragraph for each line. A text with elements is markup already.
fn markup(text: &str) -> String {
    const BLOCKS: [&str; 5] = ["</p>", "<br", "</div>", "</li>", "<p>"];
    const INLINE: [&str; 6] = ["</a>", "</b>", "</em>", "</i>", "</span>", "</strong>"];
    let has = |names: &[&str]| names.iter().any(|name| text.contains(name));
    if has(&BLOCKS) {
        return text.to_owned();
    }
    let has_markup = has(&INLINE);
    let mut out = String::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        // Entities stay as they are: publishers write them in JSON as in the page.
        let line = if has_markup { line.into() } else { Cow::from(line.replace('<', "&lt;")) };
        // Writing to a string does not fail.
        let _ = write!(out, "<p>{line}</p>");
    }
    out
}
