//! The text of an article in the JSON of a page's scripts. A page that draws itself with scripts
//! often has its text only there: as `articleBody` in JSON-LD, or in the data of its framework.

use memchr::memmem;
use serde_json::Value;
use std::fmt::Write as _;

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
    // Few pages have one, and most of these have it in their elements as well.
    BODIES.iter().find(|name| memmem::find(html.as_bytes(), name.as_bytes()).is_some())?;
    let mut longest = String::new();
    for script in scripts(html).take(MAX_SCRIPTS) {
        if let Ok(data) = serde_json::from_str(script.trim()) {
            find(data, &mut longest);
        }
    }
    (longest.len() > min).then(|| markup(&longest))
}

/// The contents of the scripts with JSON.
fn scripts(html: &str) -> impl Iterator<Item = &str> {
    memmem::find_iter(html.as_bytes(), "<script").filter_map(|start| {
        let (tag, behind) = html[start..].split_once('>')?;
        let is_json = tag
            .split_once(TYPE)
            .is_some_and(|(_, kind)| kind.starts_with("json") || kind.starts_with("ld+json"));
        if !is_json {
            return None;
        }
        let end = memmem::find(behind.as_bytes(), b"</script")?;
        (end <= MAX_SCRIPT).then(|| &behind[..end])
    })
}

/// Finds the longest text of an article in a value. The parser limits the depth.
fn find(value: Value, longest: &mut String) {
    match value {
        Value::Array(values) => values.into_iter().for_each(|value| find(value, longest)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if BODIES.contains(&name.as_str()) => {
                        if text.len() > longest.len() {
                            *longest = text;
                        }
                    }
                    value => find(value, longest),
                }
            }
        }
        _ => {}
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
