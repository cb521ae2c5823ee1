//! Records of the pages in `tests/vectors`, which Java's tests read too. `UPDATE_VECTORS=1 cargo
//! test -p engine --test vectors` writes them anew.
#![allow(clippy::unwrap_used)]

use engine::{Engine, Kind, PageHints, PageRecord, Settings, Status};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Hints {
    content_type: Option<String>,
    url: Option<String>,
    kind: Option<String>,
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors")
}

fn hints() -> BTreeMap<String, Hints> {
    serde_json::from_slice(&fs::read(vectors().join("pages/hints.json")).unwrap()).unwrap()
}

fn record(name: &str) -> PageRecord {
    let hints = hints().remove(name).unwrap_or_default();
    let kind = if hints.kind.as_deref() == Some("text") { Kind::Text } else { Kind::Html };
    let hints =
        PageHints { content_type: hints.content_type.as_deref(), url: hints.url.as_deref(), kind };
    let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
    engine.page(fs::read(vectors().join("pages").join(name)).unwrap(), &hints)
}

fn page_names() -> Vec<String> {
    let entries = fs::read_dir(vectors().join("pages")).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "hints.json");
    names.sort();
    names
}

#[test]
fn every_page_has_its_expected_record() {
    let update = std::env::var_os("UPDATE_VECTORS").is_some();
    let names = page_names();
    assert!(names.len() >= 16, "pages are missing");
    let mut differing = Vec::new();
    for name in &names {
        let file = vectors().join("records").join(name).with_extension("json");
        let json = serde_json::to_string_pretty(&record(name)).unwrap() + "\n";
        if update {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, &json).unwrap();
        }
        if fs::read_to_string(&file).ok().as_deref() != Some(&json) {
            differing.push(name);
        }
    }
    assert!(
        differing.is_empty(),
        "{differing:?} differ; `UPDATE_VECTORS=1 cargo test -p engine --test vectors` rewrites them"
    );
}

#[test]
fn every_hint_and_record_belongs_to_a_page() {
    let names = page_names();
    assert!(hints().keys().all(|name| names.contains(name)));
    for entry in fs::read_dir(vectors().join("records")).unwrap() {
        let stem = entry.unwrap().path().file_stem().unwrap().to_owned();
        assert!(
            names.iter().any(|name| Path::new(name).file_stem() == Some(&stem)),
            "{stem:?} has no page"
        );
    }
}

/// Laws that hold for every extractor, so that a mistake is found even if the records are
/// rewritten.
#[test]
fn the_records_say_what_the_pages_were_written_for() {
    let urdu = record("article-urdu.html");
    assert_eq!(
        (urdu.status, urdu.charset, urdu.declared_language.as_deref()),
        (Status::Ok, Some("utf-8"), Some("ur"))
    );
    assert!(
        urdu.decision.keep && urdu.target_bytes > 1700 && urdu.target_bytes < urdu.visible_bytes
    );
    assert!(!urdu.noindex && !urdu.nofollow);

    assert_eq!(record("article-english.html").languages.most_first()[0].0.as_str(), "eng");
    assert_eq!(record("article-persian.html").languages.most_first()[0].0.as_str(), "fas");
    for name in ["article-english.html", "article-persian.html", "lying-charset.html", "short.html"]
    {
        assert!(!record(name).decision.keep, "{name}");
    }

    let mixed = record("mixed.html");
    for (code, least) in [("urd", 1300), ("eng", 500), ("ara", 400)] {
        assert!(mixed.languages.bytes(code.parse().unwrap()) > least, "{}", mixed.languages);
    }

    assert!(record("noindex.html").noindex && !record("noindex.html").nofollow);
    assert!(record("nofollow.html").nofollow && !record("nofollow.html").noindex);
    for same in ["noindex.html", "nofollow.html", "refresh-to-itself.html", "utf-16.html"] {
        assert_eq!(record(same).text, urdu.text, "{same}");
    }
    assert_eq!(record("lying-charset.html").charset, Some("windows-1256"));
    assert_eq!(record("utf-16.html").charset, Some("utf-16le"));

    for name in ["empty.html", "no-content.html"] {
        assert_eq!(record(name).status, Status::NoContent, "{name}");
    }
    for name in ["tables.html", "br-text.html", "pdf-text.txt"] {
        assert!(record(name).decision.keep, "{name}");
    }
    assert!(record("br-text.html").text.contains("کھل گئی۔\nافتتاح"), "a line break parts words");
    let odd = record("nul-and-emoji.html");
    assert!(odd.title.contains('😀') && odd.text.contains("👩‍👩‍👧‍👦"));
}
