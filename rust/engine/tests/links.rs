//! Links of the pages in `tests/vectors/links`, which Java's tests read too. `UPDATE_VECTORS=1
//! cargo test -p engine --test links` writes them anew.
#![allow(clippy::unwrap_used)]

use engine::frame::{page_answer, tag, BadFrame, Frame, Writer};
use engine::{Engine, LinkOptions, Links, PageHints, PageRecord, Settings, Status};
use serde_json::{json, Value};
use std::fs;
use std::path::{Path, PathBuf};

const URL: &str = "http://a.example/dir/page.html";

fn engine() -> Engine {
    Engine::new(Settings::new("urd".parse().unwrap())).unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/links")
}

fn names() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".html")).collect();
    names.sort();
    names
}

fn read(name: &str) -> (PageRecord, Links) {
    let hints: Value =
        serde_json::from_slice(&fs::read(folder().join("hints.json")).unwrap()).unwrap();
    let hint = &hints[name];
    let number = |key: &str, default| {
        hint[key].as_u64().map_or(default, |number| usize::try_from(number).unwrap())
    };
    let defaults = LinkOptions::default();
    let options = LinkOptions {
        max_links: number("max_links", defaults.max_links),
        max_url_bytes: number("max_url_bytes", defaults.max_url_bytes),
        robots_header: hint["robots_header"].as_str(),
        ..defaults
    };
    let hints = PageHints {
        url: Some(URL),
        content_type: hint["content_type"].as_str(),
        ..PageHints::default()
    };
    let content = fs::read(folder().join(name)).unwrap();
    let (record, links) = engine().page_with_links(&content, &hints, &options);
    assert_eq!(record, engine().page(&content, &hints), "{name}: links change the record");
    (record, links)
}

fn as_json(links: &Links) -> Value {
    let each = links.links.iter().map(|link| {
        json!({"url": link.url, "anchor": link.anchor, "nofollow": link.rel.nofollow, "ugc": link.rel.ugc, "sponsored": link.rel.sponsored})
    });
    let alternates =
        links.alternates.iter().map(|it| json!({"language": it.language, "url": it.url}));
    json!({
        "base": links.base,
        "links": each.collect::<Value>(),
        "alternates": alternates.collect::<Value>(),
        "feeds": links.feeds,
        "canonical": links.canonical,
        "refresh": links.refresh.as_ref().map(|it| json!({"seconds": it.seconds, "url": it.url})),
        "noindex": links.noindex,
        "nofollow": links.nofollow,
        "noarchive": links.noarchive,
        "more": links.too_many,
        "whole": !links.unread,
    })
}

#[test]
fn every_page_has_its_expected_links() {
    let update = std::env::var_os("UPDATE_VECTORS").is_some();
    assert!(names().len() >= 8, "pages are missing");
    let mut differing = Vec::new();
    for name in names() {
        let file = folder().join(&name).with_extension("json");
        let json = serde_json::to_string_pretty(&as_json(&read(&name).1)).unwrap() + "\n";
        if update {
            fs::write(&file, &json).unwrap();
        }
        if fs::read_to_string(&file).ok().as_deref() != Some(&json) {
            differing.push(name);
        }
    }
    assert!(
        differing.is_empty(),
        "{differing:?} differ; `UPDATE_VECTORS=1 cargo test -p engine --test links` rewrites them"
    );
}

/// Laws that hold for all pages, so that a mistake is found even if the vectors are rewritten.
#[test]
fn the_links_are_those_that_the_pages_were_written_for() {
    for name in names() {
        let links = read(&name).1;
        assert!(
            links
                .links
                .iter()
                .all(|link| !link.url.contains("/no") || link.url.ends_with("/noscript")),
            "{name}"
        );
    }
    let urls = |name: &str| read(name).1.links.into_iter().map(|link| link.url).collect::<Vec<_>>();
    assert_eq!(
        urls("frames.html"),
        ["http://a.example/dir/menu.html", "http://a.example/dir/main.html"]
    );
    assert_eq!(urls("limits.html"), ["http://a.example/1", "http://a.example/2"]);
    assert_eq!(urls("charset.html"), ["http://a.example/%D8%AE%D8%A8%D8%B1?q=%CE%C8%D1"]);
    assert_eq!(urls("base.html"), ["http://a.example/base/x"]);
    assert_eq!(urls("elements.html").len(), 9);
    assert_eq!(urls("references.html").len(), 11);
    let relations = read("relations.html").1;
    assert_eq!((relations.alternates.len(), relations.feeds.len()), (2, 2));
    assert_eq!(relations.refresh.unwrap().seconds, 0);
    let header = read("header.html").1;
    assert_eq!((header.noindex, header.nofollow, header.noarchive), (false, true, true));
}

#[test]
fn links_cross_the_border_only_if_they_are_asked_for() {
    let (record, links) = read("relations.html");
    let mut answer = page_answer(&record);
    let without = answer.clone().finish();
    assert!(Frame::read(&without).unwrap().fields().iter().all(|(tag, _)| *tag < tag::LINK_FLAGS));
    answer.links(&links);
    let answer = answer.finish();
    assert!(answer.starts_with(&without));
    let frame = Frame::read(&answer).unwrap();
    assert_eq!(frame.get(tag::LINK_FLAGS), Some(&[5][..]));
    assert_eq!(
        frame.get(tag::REFRESH),
        Some(&[&[0, 0, 0, 0, 0, 23][..], b"http://a.example/second"].concat()[..])
    );
    assert_eq!(frame.text(tag::BASE_URL).unwrap(), Some(URL));

    assert_eq!(Frame::read(&Writer::new().finish()).unwrap().link_options(), Ok(None));
    let mut hints = Writer::new();
    hints
        .bytes(tag::LINK_LIMITS, &[0, 0, 0, 7, 0xff, 0xff, 0xff, 0xff])
        .text(tag::ROBOTS_HEADER, "none");
    let hints = hints.finish();
    let expected = LinkOptions {
        max_links: 7,
        max_url_bytes: 65_535,
        robots_header: Some("none"),
        ..LinkOptions::default()
    };
    assert_eq!(Frame::read(&hints).unwrap().link_options(), Ok(Some(expected)));
    let mut short = Writer::new();
    short.u32(tag::LINK_LIMITS, 1);
    assert_eq!(
        Frame::read(&short.finish()).unwrap().link_options(),
        Err(BadFrame::NotNumber(tag::LINK_LIMITS))
    );
}

#[test]
fn a_page_that_is_not_read_has_the_directives_of_its_header() {
    let mut settings = Settings::new("urd".parse().unwrap());
    settings.max_bytes = 5;
    let engine = Engine::new(settings).unwrap();
    let options = LinkOptions { robots_header: Some("noindex"), ..LinkOptions::default() };
    let (record, links) = engine.page_with_links(b"<a href=/x>", &PageHints::default(), &options);
    assert_eq!(record.status, Status::TooLarge);
    assert_eq!((links.noindex, links.unread, links.links.len()), (true, true, 0));
}
