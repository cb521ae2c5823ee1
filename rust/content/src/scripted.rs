//! The text of an article in the JSON of a page's scripts. A page that draws itself with scripts
//! often has its text only there: as `articleBody` in JSON-LD, or in the data of its framework
//! (`__NEXT_DATA__`), as one text or in pieces.

use memchr::{memchr, memmem};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// Start of the types of scripts with JSON, `application/json` and `application/ld+json`.
const TYPE: &str = "application/";
/// Largest script that is read, in bytes.
const MAX_SCRIPT: usize = 1 << 20;
/// Largest number of scripts that are read.
const MAX_SCRIPTS: usize = 16;
/// Names of the values that hold the text of an article.
const BODIES: [&str; 3] = ["articleBody", "article_body", "bodyHtml"];
/// Names of the values that hold a text, or a piece of one, in the data of frameworks.
const TEXTS: [&str; 11] = [
    "body",
    "bodyText",
    "content",
    "contentHtml",
    "content_html",
    "fullText",
    "html",
    "paragraphs",
    "rendered",
    "text",
    "value",
];
/// Names of lists whose texts are pieces of a line.
const INLINE: [&str; 3] = ["children", "leaves", "spans"];
/// Names of the values that hold texts of the site, and not of the page.
const OF_SITE: [&str; 12] = [
    "comments",
    "config",
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

/// Returns the longest text of an article in the page's JSON, as markup, if it has more bytes than
/// `min`. If no value has the name of an article's text and the page `is_bare`, it is the prose of
/// the place in the data that has most of it: the data of a page with some text has that of other
/// pages too.
pub(crate) fn article(html: &str, min: usize, is_bare: bool) -> Option<String> {
    let (mut longest, mut most) = (String::new(), String::new());
    for script in (Scripts { html, is_bare, at: 0 }).take(MAX_SCRIPTS) {
        let mut found = Found::default();
        let mut json = serde_json::Deserializer::from_str(script.trim());
        if Value::of(&mut found).deserialize(&mut json).is_err() || json.end().is_err() {
            continue;
        }
        if found.body.len() > longest.len() {
            longest = found.body;
        }
        let texts = found.texts.into_values().map(|text| (prose(&text), text));
        if let Some((_, text)) = texts.max().filter(|(bytes, _)| *bytes > prose(&most)) {
            most = text;
        }
    }
    if longest.len() > min {
        return Some(markup(&longest));
    }
    (is_bare && prose(&most) > min).then(|| markup(&most))
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

/// The texts in the JSON of a script.
#[derive(Default)]
struct Found {
    /// The longest text with one of the [`BODIES`]' names.
    body: String,
    /// The other texts, by the hash of the names around them.
    texts: BTreeMap<u64, String>,
    /// A line of the texts has not ended.
    in_line: bool,
}

impl Found {
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
}

/// The contents of the scripts with JSON that name a text of an article, or are data. Each byte of
/// the page is searched for each mark once, whatever is missing.
struct Scripts<'h> {
    html: &'h str,
    /// All data are read.
    is_bare: bool,
    at: usize,
}

impl<'h> Iterator for Scripts<'h> {
    type Item = &'h str;

    fn next(&mut self) -> Option<&'h str> {
        loop {
            let bytes = self.html.as_bytes();
            let start = self.at + memmem::find(&bytes[self.at..], b"<script")?;
            let from = start + memchr(b'>', &bytes[start..])? + 1;
            self.at = from;
            let kind = self.html[start..from].split_once(TYPE).map(|(_, kind)| kind);
            let is_data = kind.is_some_and(|kind| kind.starts_with("json"));
            if !is_data && !kind.is_some_and(|kind| kind.starts_with("ld+json")) {
                continue;
            }
            let end = from + memmem::find(&bytes[from..], b"</script")?;
            self.at = end;
            let script = &self.html[from..end];
            let names = || {
                BODIES.iter().any(|name| memmem::find(script.as_bytes(), name.as_bytes()).is_some())
            };
            if script.len() <= MAX_SCRIPT && (is_data && self.is_bare || names()) {
                return Some(script);
            }
        }
    }
}

/// Finds the texts of a value, without a copy of the value. The parser limits the depth.
struct Value<'f, 'n> {
    found: &'f mut Found,
    /// The name of the value, or of the list that it is in.
    name: &'n str,
    /// A hash of the names around it and its own.
    place: u64,
    /// It is in a list whose texts are pieces of a line.
    is_inline: bool,
}

impl<'f> Value<'f, '_> {
    fn of(found: &'f mut Found) -> Self {
        Value { found, name: "", place: 0, is_inline: false }
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        let Found { body, texts, in_line } = self.found;
        if BODIES.contains(&self.name) {
            if text.len() > body.len() {
                text.clone_into(body);
            }
        } else if TEXTS.contains(&self.name)
            && (texts.len() < MAX_PLACES || texts.contains_key(&self.place))
        {
            texts.entry(self.place).or_default().push_str(text);
            *in_line = true;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let Value { found, name, place, is_inline } = self;
        let is_inline = is_inline || INLINE.contains(&name);
        loop {
            let value = Value { found: &mut *found, name, place, is_inline };
            if values.next_element_seed(value)?.is_none() {
                break;
            }
            if !is_inline {
                found.end_lines();
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let Value { found, place, is_inline, .. } = self;
        while let Some(name) = fields.next_key::<Cow<'de, str>>()? {
            if OF_SITE.contains(&name.as_ref()) {
                fields.next_value::<IgnoredAny>()?;
                continue;
            }
            let place = below(place, &name);
            let found = &mut *found;
            fields.next_value_seed(Value { found, name: &name, place, is_inline })?;
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
}

/// A text as markup, with a paragraph for each line. A text with elements is markup already.
fn markup(text: &str) -> String {
    if text.contains("</p>") || text.contains("<br") {
        return text.to_owned();
    }
    let mut out = String::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        // Entities stay as they are: publishers write them in JSON as in the page.
        let line = line.replace('<', "&lt;");
        // Writing to a string does not fail.
        let _ = write!(out, "<p>{line}</p>");
    }
    out
}
