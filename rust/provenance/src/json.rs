//! JSON-LD of a page: objects with their types.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 24;

/// Keys of objects that are about something else than the page: comments, other pages, media.
const OTHER: [&str; 20] = [
    "itemReviewed",
    "blogPost",
    "liveBlogUpdate",
    "mentions",
    "workExample",
    "exampleOfWork",
    "translationOfWork",
    "partOfSeries",
    "comment",
    "review",
    "itemListElement",
    "hasPart",
    "isPartOf",
    "isBasedOn",
    "image",
    "video",
    "audio",
    "logo",
    "relatedLink",
    "citation",
];

/// Types of works that a page is about. Their authors and days are not those of the page.
const WORKS: &str = " Book Movie MusicAlbum MusicRecording MusicComposition SoftwareApplication \
    MobileApplication WebApplication VideoGame Game Dataset DataDownload Quotation Claim TVSeries \
    TVSeason TVEpisode TVClip MovieSeries BookSeries RadioSeries PodcastSeries CreativeWorkSeries \
    CreativeWorkSeason Episode Clip Painting Photograph Sculpture VisualArtwork Map Play Periodical \
    SoftwareSourceCode Course ComicIssue ComicStory MediaObject ";

/// How well an object describes the page: articles best, then pages, then anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Article,
    Page,
    Other,
}

/// Calls `visit` for every object that may describe the page, in the scripts that contain `word`.
/// Invalid scripts are skipped.
pub(crate) fn objects(
    scripts: &[String],
    word: &str,
    mut visit: impl FnMut(Rank, &Map<String, Value>, &Named),
) {
    for script in scripts.iter().filter(|script| script.contains(word)) {
        let Some(value) = parse(script) else { continue };
        let names = Named::of(&value);
        let mut rest = vec![(&value, 0)];
        while let Some((value, depth)) = rest.pop() {
            match value {
                Value::Array(items) if depth < MAX_DEPTH => {
                    rest.extend(items.iter().rev().map(|item| (item, depth + 1)))
                }
                Value::Object(object) => {
                    if let Some(rank) = rank(object) {
                        visit(rank, object, &names);
                    }
                    if depth < MAX_DEPTH {
                        let inner = object.iter().filter(|(key, value)| {
                            (value.is_object() || value.is_array())
                                && !OTHER.contains(&key.as_str())
                        });
                        rest.extend(inner.map(|(_, value)| (value, depth + 1)));
                    }
                }
                _ => {}
            }
        }
    }
}

/// The objects of a script that have an `@id` and a `name`: others refer to them.
pub(crate) struct Named<'a>(HashMap<&'a str, &'a Map<String, Value>>);

impl<'a> Named<'a> {
    fn of(value: &'a Value) -> Self {
        let (mut named, mut rest) = (HashMap::new(), vec![(value, 0)]);
        while let Some((value, depth)) = rest.pop() {
            let inner: Vec<&Value> = match value {
                Value::Array(items) => items.iter().collect(),
                Value::Object(object) => {
                    if let (Some(Value::String(id)), Some(_)) =
                        (object.get("@id"), object.get("name"))
                    {
                        named.entry(id.as_str()).or_insert(object);
                    }
                    object.values().collect()
                }
                _ => continue,
            };
            if depth < MAX_DEPTH {
                rest.extend(inner.into_iter().map(|value| (value, depth + 1)));
            }
        }
        Self(named)
    }

    /// Returns the object that another one refers to by its `@id`, or that one itself.
    pub(crate) fn resolve<'b>(&self, object: &'b Map<String, Value>) -> &'b Map<String, Value>
    where
        'a: 'b,
    {
        let id = object.get("@id").and_then(Value::as_str).filter(|_| !object.contains_key("name"));
        id.and_then(|id| self.0.get(id).copied()).unwrap_or(object)
    }
}

/// What pages put around a script so that old browsers ignore it.
const WRAPPERS: [&str; 8] = ["\u{feff}", "//", "/*", "*/", "<!--", "-->", "<![CDATA[", "]]>"];

/// Parses a script. If it is not strict JSON, it is mended first as search engines do; `None` if it
/// is no JSON then either.
fn parse(script: &str) -> Option<Value> {
    let mut script = script.trim();
    let mut length = usize::MAX;
    while script.len() < length {
        length = script.len();
        for wrapper in WRAPPERS {
            script = script.trim_start_matches(wrapper).trim_end_matches(wrapper).trim();
        }
    }
    if let Ok(value) = serde_json::from_str(script) {
        return Some(value);
    }
    let unescaped =
        ["{&quot;", "[{&quot;", "{ &quot;"].iter().any(|start| script.starts_with(start));
    let script = if unescaped {
        script.replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
    } else {
        script.to_owned()
    };
    let mended = mended(&script);
    // Several objects one after the other occur.
    let values = serde_json::Deserializer::from_str(&mended).into_iter::<Value>();
    let mut values: Vec<Value> = values.map_while(Result::ok).collect();
    if values.len() < 2 {
        values.pop()
    } else {
        Some(Value::Array(values))
    }
}

/// Removes comments, commas before a closing bracket and escapes that JSON lacks, and escapes
/// quotation marks and control characters within strings.
fn mended(script: &str) -> String {
    let mut mended = String::with_capacity(script.len());
    let mut rest = script;
    let mut is_string = false;
    while let Some(c) = rest.chars().next() {
        let behind = &rest[c.len_utf8()..];
        rest = behind;
        match (is_string, c) {
            (false, '"') => {
                is_string = true;
                mended.push(c);
            }
            (false, '/') if behind.starts_with('/') => {
                rest = behind.split_once('\n').map_or("", |(_, rest)| rest);
            }
            (false, '/') if behind.starts_with('*') => {
                rest = behind.split_once("*/").map_or("", |(_, rest)| rest);
            }
            (false, ',') if behind.trim_start().starts_with(['}', ']', ',']) => {}
            (false, ';' | '\u{feff}') => {}
            (true, '"') if ends_string(behind) => {
                is_string = false;
                mended.push(c);
            }
            (true, '"') => mended.push_str("\\\""),
            (true, '\\') => {
                let next = behind.chars().next();
                if matches!(next, Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u')) {
                    mended.push(c);
                }
                if let Some(next) = next {
                    mended.push(if next.is_control() { ' ' } else { next });
                    rest = &behind[next.len_utf8()..];
                }
            }
            (_, c) => mended.push(if c.is_control() { ' ' } else { c }),
        }
    }
    mended
}

/// Whether a quotation mark before these characters ends its string: JSON goes on behind it.
fn ends_string(behind: &str) -> bool {
    let behind = behind.trim_start();
    match behind.chars().next() {
        None | Some(':' | '}' | ']') => true,
        Some(',') => behind[1..].trim_start().starts_with(|c: char| {
            matches!(c, '"' | '{' | '[' | '}' | ']' | '-' | '/')
                || c.is_ascii_digit()
                || ["true", "false", "null"].iter().any(|word| word.starts_with(c))
        }),
        _ => false,
    }
}

/// The rank of an object by its type; `None` if it cannot describe a page.
fn rank(object: &Map<String, Value>) -> Option<Rank> {
    let kind = match object.get("@type") {
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
        Some(kind) => kind.as_str(),
        None => None,
    };
    let kind = kind.unwrap_or_default().rsplit('/').next().unwrap_or_default();
    match kind {
        "Comment" | "ImageObject" | "VideoObject" | "AudioObject" | "Person" | "Organization"
        | "Event" | "Review" | "Offer" | "WebSite" | "JobPosting" | "Product" | "Answer" => None,
        kind if !kind.is_empty() && WORKS.split(' ').any(|work| work == kind) => None,
        "WebPage" | "ItemPage" | "AboutPage" | "CollectionPage" | "FAQPage" | "QAPage" => {
            Some(Rank::Page)
        }
        kind if kind.ends_with("Article")
            || kind.ends_with("Posting")
            || kind.ends_with("Post")
            || kind == "Report"
            || kind == "Recipe" =>
        {
            Some(Rank::Article)
        }
        _ => Some(Rank::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_are_not_strict_are_mended() {
        for script in [
            r#"{"name": "a", "n": [1, 2]}"#,
            "//<![CDATA[ {\"name\": \"a\", \"n\": [1, 2,],} //]]>",
            "/*<![CDATA[*/ {\"name\": \"a\", \"n\": [1, 2]}; /*]]>*/",
            "<!-- {\"name\": \"a\", \"n\": [1, 2]} -->",
            "\u{feff}{\"name\": \"a\", \"n\": [1, 2]}",
            "{// the name\n\"name\": \"a\", /* more */ \"n\": [1, 2]}",
            "{&quot;name&quot;: &quot;a&quot;, &quot;n&quot;: [1, 2]}",
        ] {
            let value = parse(script).unwrap_or_else(|| panic!("{script}"));
            assert_eq!(value, serde_json::json!({"name": "a", "n": [1, 2]}), "{script}");
        }
        for (script, name) in [
            (r#"{"name": "the "old" bridge", "x": 1}"#, "the \"old\" bridge"),
            (r#"{"name": "O\'Dal"}"#, "O'Dal"),
            ("{\"name\": \"two\nlines\"}", "two lines"),
            (r#"{"name": "http://a.example/ // no comment", }"#, "http://a.example/ // no comment"),
        ] {
            let value = parse(script).unwrap_or_else(|| panic!("{script}"));
            assert_eq!(value["name"], name, "{script}");
        }
        assert_eq!(parse("{} {}"), Some(serde_json::json!([{}, {}])));
        assert_eq!(parse("function() { }"), None);
    }
}
