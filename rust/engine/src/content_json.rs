//! Main content with what a page declares and states about itself, as JSON.

use content::Content;
use provenance::{Context, Provenance};
use serde_json::{Map, Value};

/// Fields of [`Provenance`] that describe a document.
const STATED: [&str; 8] = [
    "author",
    "site_name",
    "published",
    "modified",
    "date_source",
    "license",
    "license_url",
    "license_source",
];

/// Returns an object with `title`, `headline`, `language` (as the page declares it), the author,
/// site, days and licence that it states, `text`, and `html` if it was requested. A field without a
/// value is absent. `content` must have been read with
/// [`statements`](content::ContentOptions::statements) for what the page states.
///
/// Numbers and names of months in dates are read as in the language that the page declares.
pub fn content_json(content: &Content, url: Option<&str>) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    put("url", url.map(Value::from));
    put("title", Some(content.title.as_str()).filter(|title| !title.is_empty()).map(Value::from));
    put(
        "headline",
        Some(content.headline.as_str()).filter(|line| !line.is_empty()).map(Value::from),
    );
    put("language", content.language.as_deref().map(Value::from));
    if let Some(links) = &content.links {
        let context = Context {
            url,
            language: content.language.as_deref(),
            alternates: &links.alternates,
            ..Context::default()
        };
        let stated = Provenance::of(&links.statements, &context).fields();
        for (name, value) in stated.into_iter().filter(|(name, _)| STATED.contains(name)) {
            put(name, Some(value));
        }
    }
    put("text", Some(Value::from(content.text.as_str())));
    put("html", content.html.as_deref().map(Value::from));
    fields
}

#[cfg(test)]
mod tests {
    use super::content_json;
    use content::{content_of_text, ContentOptions, Extractor, Form};

    #[test]
    fn what_the_page_states_is_beside_its_text() {
        let page = "<html lang=en><title>T</title><meta name=author content=A>\
                    <meta property=og:site_name content=S>\
                    <meta property=article:published_time content=2024-03-12><h1>H</h1><p>a &lt; b";
        let options = ContentOptions {
            statements: true,
            html: true,
            ..ContentOptions::new(Extractor::Text, Form::Text)
        };
        let found = content_json(&content_of_text(page, &options), Some("https://a.example/"));
        assert_eq!(
            serde_json::Value::from(found),
            serde_json::json!({
                "url": "https://a.example/", "title": "T", "language": "en", "author": "A",
                "site_name": "S", "published": "2024-03-12", "date_source": "meta",
                "text": "H\na < b", "html": "<h1>H</h1>\n<p>a &lt; b</p>",
            })
        );
        let bare = content_of_text("<p>a", &ContentOptions::new(Extractor::Text, Form::Text));
        assert_eq!(
            serde_json::Value::from(content_json(&bare, None)),
            serde_json::json!({"text": "a"})
        );
    }
}
