//! Which versions of a page in other languages are kept.

use content::{links, LinkOptions};
use provenance::{Context, Provenance};
use serde_json::{json, Value};

fn field(html: &str, name: &str) -> Option<Value> {
    let url = Some("https://a.example/ur/1");
    let found = links(
        html,
        &LinkOptions { url, statements: true, max_links: 0, ..LinkOptions::default() },
        None,
    );
    let context = Context { url, alternates: &found.alternates, ..Context::default() };
    let fields = Provenance::of(&found.statements, &context).fields();
    fields.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}

fn alternates(languages: &[&str]) -> String {
    let links = languages
        .iter()
        .map(|language| format!("<link rel=alternate hreflang={language} href=/{language}/1>"));
    links.collect()
}

#[test]
fn versions_in_other_languages_are_kept_without_the_page_itself() {
    let html = alternates(&["ur", "en", "x-default"]);
    assert_eq!(
        field(&html, "alternates"),
        Some(json!([{"language": "en", "url": "https://a.example/en/1"}]))
    );
    assert_eq!(field(&alternates(&["ur"]), "alternates"), None);
}
