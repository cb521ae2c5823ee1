//! JSON-LD of a page: objects with their types.

use serde_json::Value;

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 24;

/// Keys of objects that are about something else than the page: comments, other pages, media.
const OTHER: [&str; 12] = [
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
    mut visit: impl FnMut(Rank, &serde_json::Map<String, Value>),
) {
    for script in scripts.iter().filter(|script| script.contains(word)) {
        let script = script.trim().trim_start_matches("<!--").trim_start_matches("//<![CDATA[");
        let script = script.trim_end_matches("-->").trim_end_matches("//]]>").trim();
        let value: Value = match serde_json::from_str(script)
            .or_else(|_| serde_json::from_str(&unbroken(script)))
        {
            Ok(value) => value,
            Err(_) => continue,
        };
        let mut rest = vec![(&value, 0)];
        while let Some((value, depth)) = rest.pop() {
            match value {
                Value::Array(items) if depth < MAX_DEPTH => {
                    rest.extend(items.iter().rev().map(|item| (item, depth + 1)))
                }
                Value::Object(object) => {
                    if let Some(rank) = rank(object) {
                        visit(rank, object);
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

/// The script without raw line ends, which many generators leave in strings.
fn unbroken(script: &str) -> String {
    script.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The rank of an object by its type; `None` if it cannot describe a page.
fn rank(object: &serde_json::Map<String, Value>) -> Option<Rank> {
    let kind = match object.get("@type") {
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
        Some(kind) => kind.as_str(),
        None => None,
    };
    let kind = kind.unwrap_or_default().rsplit('/').next().unwrap_or_default();
    match kind {
        "Comment" | "ImageObject" | "VideoObject" | "AudioObject" | "Person" | "Organization"
        | "Event" | "Review" | "Offer" | "WebSite" | "JobPosting" | "Product" | "Answer" => None,
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
