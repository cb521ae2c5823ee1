//! The licence of a page: Creative Commons addresses in `rel=license`, `meta`, JSON-LD and other
//! links.

use crate::json::{self, Rank};
use content::Statements;
use serde_json::Value;
use std::fmt;
use url::Url;

/// The licence that a page states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct License {
    /// Its kind, without the version: `cc-by`, `cc-by-nc-sa`, `cc0`, `public-domain`;
    /// `cc-unspecified` if the page names several kinds or none; `other` if it is none of Creative
    /// Commons.
    pub name: String,
    /// Its address; `None` if the page names several kinds.
    pub url: Option<String>,
    /// The place that states it.
    pub source: LicenseSource,
}

/// The place that states a licence; the strongest statement comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LicenseSource {
    /// A link with `license` among the words of `rel`.
    Rel,
    /// A `meta` element.
    Meta,
    /// A JSON-LD object.
    JsonLd,
    /// A link to Creative Commons without `rel=license`: it may be about the licence of something
    /// else.
    Link,
}

impl fmt::Display for LicenseSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rel => "rel",
            Self::Meta => "meta",
            Self::JsonLd => "json-ld",
            Self::Link => "link",
        })
    }
}

/// Names of `meta` elements with a licence.
const METAS: [&str; 12] = [
    "license",
    "dc.rights",
    "dc.rights.license",
    "dcterms.license",
    "dcterms.rights",
    "dc.license",
    "dc:rights",
    "rights",
    "copyright",
    "cc:license",
    "rights-standard",
    "og:license",
];

/// The kinds of Creative Commons licences, with the order of their elements in old addresses.
const KINDS: [(&str, &str); 16] = [
    ("by", "cc-by"),
    ("by-sa", "cc-by-sa"),
    ("by-nd", "cc-by-nd"),
    ("by-nc", "cc-by-nc"),
    ("by-nc-sa", "cc-by-nc-sa"),
    ("by-nc-nd", "cc-by-nc-nd"),
    ("by-nd-nc", "cc-by-nc-nd"),
    ("by-sa-nc", "cc-by-nc-sa"),
    ("sa", "cc-sa"),
    ("nd", "cc-nd"),
    ("nc", "cc-nc"),
    ("nc-sa", "cc-nc-sa"),
    ("nd-nc", "cc-nc-nd"),
    ("nc-nd", "cc-nc-nd"),
    ("publicdomain", "public-domain"),
    ("zero", "cc0"),
];

/// Returns the licence that a page states. Links of pictures, music, maps, fonts and software are left
/// out, and so are links without `rel` that do not speak of the page or the site. A Creative Commons
/// licence counts more than another address; the strongest source decides. `base`: the page's URL.
pub fn license(statements: &Statements, base: Option<&str>) -> Option<License> {
    let mut found: Vec<(LicenseSource, String, Option<String>)> = Vec::new();
    let base = base.and_then(|base| Url::parse(base).ok());
    let mut add = |source, text: &str, is_certain: bool| {
        let url = address(text, base.as_ref());
        match kind(text) {
            Some(name) => found.push((source, name.to_owned(), url)),
            // An address of another licence, where a licence is certainly meant.
            None => {
                // Footers give `rel=license` to their links about privacy too.
                let other = url.filter(|url| is_certain && !url.to_lowercase().contains("privacy"));
                found.extend(other.map(|url| (source, "other".to_owned(), Some(url))));
            }
        }
    };
    for link in statements.licenses.iter().filter(|link| link.of_page) {
        let source = if link.has_rel { LicenseSource::Rel } else { LicenseSource::Link };
        add(source, &link.url, link.has_rel);
    }
    for meta in statements.metas.iter().filter(|meta| METAS.contains(&meta.name.as_str())) {
        add(LicenseSource::Meta, &meta.content, meta.name.contains("license"));
    }
    json::objects(&statements.json, "license", |rank, object, _| {
        // A data set, a recording or a program on the page has a licence of its own.
        if rank == Rank::Other {
            return;
        }
        let value = match object.get("license") {
            Some(Value::Object(inner)) => inner.get("url").or_else(|| inner.get("@id")),
            Some(Value::Array(items)) => items.first(),
            value => value,
        };
        if let Some(text) = value.and_then(Value::as_str) {
            add(LicenseSource::JsonLd, text, true);
        }
    });
    let is_common = |name: &str| name != "other";
    let source =
        found.iter().filter(|(_, name, _)| is_common(name)).map(|(source, ..)| *source).min();
    let Some(source) = source else {
        let (source, name, url) = found.into_iter().min_by_key(|(source, ..)| *source)?;
        return Some(License { name, url, source });
    };
    let mut of_source = found.into_iter().filter(|(of, name, _)| *of == source && is_common(name));
    let (_, name, url) = of_source.next()?;
    if of_source.any(|(_, other, _)| other != name) {
        return Some(License { name: "cc-unspecified".to_owned(), url: None, source });
    }
    Some(License { name, url, source })
}

/// The address in a text: all of it, or the part from `http` on.
fn address(text: &str, base: Option<&Url>) -> Option<String> {
    let text = text.trim();
    let at = text.find("http").unwrap_or(0);
    let word = text[at..].split_whitespace().next()?.trim_end_matches(['.', ',', ')', ';']);
    if at == 0 && text.contains(' ') && !text.starts_with("http") {
        return None;
    }
    let url = match Url::parse(word) {
        Ok(url) => url,
        Err(_) => base?.join(word).ok()?,
    };
    matches!(url.scheme(), "http" | "https").then(|| url.to_string())
}

/// The kind of licence that an address of Creative Commons or its common abbreviation (`CC BY-SA
/// 4.0`) names.
fn kind(text: &str) -> Option<&'static str> {
    let lower = text.trim().to_ascii_lowercase();
    let named = |name: &str| KINDS.iter().find(|(known, _)| *known == name).map(|(_, name)| *name);
    if let Some((_, path)) = lower.split_once("creativecommons.org/") {
        let mut parts = path.split(['/', '?', '#']).filter(|part| !part.is_empty());
        return match (parts.next()?, parts.next()) {
            ("publicdomain", Some("zero")) => Some("cc0"),
            ("publicdomain", Some("mark")) => Some("public-domain"),
            ("licenses" | "licences" | "license", Some("zero")) => Some("cc0"),
            ("licenses" | "licences" | "license", kind) => {
                Some(kind.and_then(named).unwrap_or("cc-unspecified"))
            }
            _ => None,
        };
    }
    // Wikipedia's pages link to its own copies of the licence.
    if let Some((_, title)) = lower.split_once(".wikipedia.org/wiki/wikipedia:text_of_") {
        return title.contains("attribution-sharealike").then_some("cc-by-sa");
    }
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || c == '-' || c == '_')
        .filter(|word| !word.is_empty())
        .collect();
    match words.as_slice() {
        ["cc0", ..] | ["cc", "0" | "zero", ..] => Some("cc0"),
        ["cc", rest @ ..] => {
            let parts: Vec<&str> = rest
                .iter()
                .copied()
                .take_while(|word| matches!(*word, "by" | "sa" | "nc" | "nd"))
                .collect();
            named(&parts.join("-"))
        }
        _ => None,
    }
}
