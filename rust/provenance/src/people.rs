//! The author of a page and the name of its site, as the page declares them.

use crate::json::{self, Named, Rank};
use content::Statements;
use serde_json::Value;

/// Names of `meta` elements with an author, the most specific first.
const AUTHOR: [&str; 11] = [
    "citation_author",
    "article:author",
    "og:article:author",
    "author",
    "dc.creator",
    "dcterms.creator",
    "dc:creator",
    "parsely-author",
    "sailthru.author",
    "byl",
    "cxenseparse:author",
];

/// Names of `meta` elements with the name of a site, the most specific first.
const SITE: [&str; 4] = ["og:site_name", "application-name", "dc.publisher", "dcterms.publisher"];

/// Longest name, in characters. A longer one is no name.
const MAX_NAME: usize = 200;

/// Most authors of a page.
const MAX_AUTHORS: usize = 16;

/// Most authors that links name.
const MAX_LINKED: usize = 4;

/// Returns the authors, separated by `; `: those of `meta` elements, otherwise those of JSON-LD,
/// otherwise those of links with `rel=author`.
pub fn author(statements: &Statements) -> Option<String> {
    let names = AUTHOR.iter().find_map(|name| {
        let found = metas(statements, name);
        (!found.is_empty()).then_some(found)
    });
    let names = names.unwrap_or_else(|| {
        let mut best: Option<(Rank, Vec<String>)> = None;
        json::objects(&statements.json, "author", |rank, object, named| {
            let names = object.get("author").map(|author| names_of(author, named, false));
            let names = names.unwrap_or_default();
            if !names.is_empty() && best.as_ref().is_none_or(|(other, _)| rank < *other) {
                best = Some((rank, names));
            }
        });
        let linked = || {
            let names: Vec<String> =
                statements.authors.iter().filter_map(|name| clean(name)).collect();
            // More are a list of the site's authors.
            if names.len() <= MAX_LINKED {
                names
            } else {
                Vec::new()
            }
        };
        best.map_or_else(linked, |(_, names)| names)
    });
    let mut authors: Vec<String> = Vec::new();
    let site = site_name(statements).unwrap_or_default().to_lowercase();
    for name in names.into_iter().filter(|name| name.to_lowercase() != site) {
        if authors.len() < MAX_AUTHORS && !authors.contains(&name) {
            authors.push(name);
        }
    }
    (!authors.is_empty()).then(|| authors.join("; "))
}

/// Returns the name of the site: that of `meta` elements, otherwise that of the publisher in
/// JSON-LD.
pub fn site_name(statements: &Statements) -> Option<String> {
    let meta = SITE.iter().find_map(|name| metas(statements, name).into_iter().next());
    meta.or_else(|| {
        let mut best: Option<(Rank, String)> = None;
        json::objects(&statements.json, "publisher", |rank, object, named| {
            let name = object
                .get("publisher")
                .and_then(|publisher| names_of(publisher, named, true).pop());
            if let Some(name) =
                name.filter(|_| best.as_ref().is_none_or(|(other, _)| rank < *other))
            {
                best = Some((rank, name));
            }
        });
        best.map(|(_, name)| name)
    })
}

fn metas(statements: &Statements, name: &str) -> Vec<String> {
    let found = statements.metas.iter().filter(|meta| meta.name == name);
    found.filter_map(|meta| clean(&meta.content)).collect()
}

/// The names of a person or a list of them, and of organizations if they are asked for: a publisher
/// is no author.
fn names_of(value: &Value, others: &Named, with_organizations: bool) -> Vec<String> {
    let one = |value: &Value| match value {
        Value::String(name) => clean(name),
        Value::Object(object) => {
            let object = others.resolve(object);
            let kind = object.get("@type").and_then(Value::as_str).unwrap_or_default();
            let is_left_out = kind.ends_with("Organization") && !with_organizations;
            let name = object.get("name").and_then(Value::as_str).filter(|_| !is_left_out);
            name.and_then(clean)
        }
        _ => None,
    };
    match value {
        Value::Array(values) => values.iter().take(MAX_AUTHORS).filter_map(one).collect(),
        value => one(value).into_iter().collect(),
    }
}

/// Words before the name of an author.
const LABELS: [&str; 6] = ["by ", "by: ", "written by ", "posted by ", "author: ", "autor: "];

/// Reads the references to characters that a page has escaped twice.
fn unescaped(text: &str) -> String {
    let pairs = [
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#039;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    pairs
        .iter()
        .fold(text.to_owned(), |text, (reference, character)| text.replace(reference, character))
}

/// Folds white space, and removes the word before a name. Addresses, which some pages have in the place of a name, are no names, and
/// neither is a text without letters or a long one.
fn clean(name: &str) -> Option<String> {
    let folded = unescaped(&name.split_whitespace().collect::<Vec<_>>().join(" "));
    let lower = folded.to_lowercase();
    let label =
        LABELS.iter().find(|label| lower.starts_with(**label)).map_or(0, |label| label.len());
    let folded = folded.get(label..).unwrap_or(&folded).trim().to_owned();
    let is_address = folded.contains("://") || folded.contains('@') || folded.starts_with("www.");
    let is_name = folded.chars().any(char::is_alphabetic) && folded.chars().count() <= MAX_NAME;
    (is_name && !is_address).then_some(folded)
}

#[cfg(test)]
mod tests {
    use super::{author, site_name};
    use content::{links, LinkOptions};

    fn stated(html: &str) -> (Option<String>, Option<String>) {
        let options = LinkOptions { statements: true, ..LinkOptions::default() };
        let statements = links(html, &options, None).statements;
        (author(&statements), site_name(&statements))
    }

    #[test]
    fn meta_elements_come_first() {
        let page = "<meta name=author content='Amina \n Khan'><meta name=author content=x@y.example>\
                    <meta property=article:author content=https://a.example/amina>\
                    <meta property=og:site_name content='A Paper'>\
                    <script type=application/ld+json>{\"@type\":\"NewsArticle\",\"author\":\"B\"}</script>";
        assert_eq!(stated(page), (Some("Amina Khan".to_owned()), Some("A Paper".to_owned())));
    }

    #[test]
    fn json_ld_has_the_authors_of_the_article_and_not_of_comments() {
        let page = r#"<script type=application/ld+json>{"@type":"WebPage","author":{"name":"P"},
            "comment":{"@type":"Comment","author":{"name":"C"}},
            "mainEntity":{"@type":"Article","author":[{"@type":"Person","name":"A"},"B",{"name":"A"}],
            "publisher":{"@type":"Organization","name":"O"}}}</script>"#;
        assert_eq!(stated(page), (Some("A; B".to_owned()), Some("O".to_owned())));
    }

    #[test]
    fn a_publisher_is_no_author_and_a_reference_is_followed() {
        let page = r##"<script type="application/ld+json; charset=utf-8">{"@graph": [
            {"@type": "Article", "author": [{"@id": "#a"}, {"@id": "#o"}], "publisher": {"@id": "#o"}},
            {"@type": "Person", "@id": "#a", "name": "by Amina &amp; Khan"},
            {"@type": "NewsMediaOrganization", "@id": "#o", "name": "The Paper"},]}</script>"##;
        assert_eq!(stated(page), (Some("Amina & Khan".to_owned()), Some("The Paper".to_owned())));
        let page = "<p>By <a rel='author nofollow' href=/a><b>Amina</b> Khan</a>, <a rel=author href=/b>B</a></p>";
        assert_eq!(stated(page).0.as_deref(), Some("Amina Khan; B"));
        let page = "<meta name=author content='the paper'><meta property=og:site_name content='The Paper'>";
        assert_eq!(stated(page), (None, Some("The Paper".to_owned())));
    }

    #[test]
    fn a_page_without_names_has_none() {
        let page = format!(
            "<meta name=author content='{}'><meta name=author content='12 3'>",
            "n".repeat(201)
        );
        assert_eq!(stated(&page), (None, None));
        assert_eq!(
            stated("<script type=application/ld+json>{\"author\":[[]],\"publisher\":3}</script>"),
            (None, None)
        );
    }
}
