//! The text of an article in the JSON of a page's scripts. A page that draws itself with scripts
//! often has its text only there: as `articleBody` in JSON-LD, or in the data of its framework.

use memchr::{memchr, memmem};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// Start of the types of scripts with JSON, `application/json` and `application/ld+json`.
const TYPE: &str = "application/";
/// Largest script that is read, in bytes.
const MAX_SCRIPT: usize = 1 << 20;
/// Largest number of scripts that are read.
const MAX_SCRIPTS: usize = 16;
/// Names of the values that hold the text of an article.
const BODIES: [&str; 3] = ["articleBody", "article_body", "bodyHtml"];

/// Returns the longest text of an article in the page's JSON, as markup, if it has more bytes than
/// `min`.
pub(crate) fn article(html: &str, min: usize) -> Option<String> {
    let mut longest = String::new();
    for script in (Scripts { html, at: 0 }).take(MAX_SCRIPTS) {
        let mut found = String::new();
        let mut json = serde_json::Deserializer::from_str(script.trim());
        let bodies = Bodies { longest: &mut found, is_body: false };
        if bodies.deserialize(&mut json).is_ok() && json.end().is_ok() {
            longest = if found.len() > longest.len() { found } else { longest };
        }
    }
    (longest.len() > min).then(|| markup(&longest))
}

/// The contents of the scripts with JSON that name a text of an article. Each byte of the page is
/// searched for each mark once, whatever is missing.
struct Scripts<'h> {
    html: &'h str,
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
            let is_json = self.html[start..from]
                .split_once(TYPE)
                .is_some_and(|(_, kind)| kind.starts_with("json") || kind.starts_with("ld+json"));
            if !is_json {
                continue;
            }
            let end = from + memmem::find(&bytes[from..], b"</script")?;
            self.at = end;
            let script = &self.html[from..end];
            let names = || {
                BODIES.iter().any(|name| memmem::find(script.as_bytes(), name.as_bytes()).is_some())
            };
            if script.len() <= MAX_SCRIPT && names() {
                return Some(script);
            }
        }
    }
}

/// Finds the longest text of an article in a value, without a copy of the value. The parser limits
/// the depth.
struct Bodies<'l> {
    longest: &'l mut String,
    /// The value has one of the [`BODIES`]' names.
    is_body: bool,
}

impl<'de> DeserializeSeed<'de> for Bodies<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bodies<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if self.is_body && text.len() > self.longest.len() {
            text.clone_into(self.longest);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let Bodies { longest, .. } = self;
        while values.next_element_seed(Bodies { longest, is_body: false })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let Bodies { longest, .. } = self;
        while let Some(name) = fields.next_key::<Cow<'de, str>>()? {
            let is_body = BODIES.contains(&name.as_ref());
            fields.next_value_seed(Bodies { longest, is_body })?;
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
