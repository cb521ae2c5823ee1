//! `corpulyzer inspect --html`: the content of the view, and that no part of a page runs in it.

use crate::common::{chromium, corpulyzer, stdout};
use std::process::Command;
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے اور دیر تک بیٹھے رہے۔";
const ENGLISH: &str =
    "The river rose during the night, and the ferry could not leave before noon, said the harbour office.";

/// Markup that would do something if any of it were not escaped; each tries another place.
const ATTACK: &str =
    "\"'><script>document.title='alive'</script><img src=x onerror=\"document.title='alive'\">";

fn view(page: &str, arguments: &[&str]) -> String {
    let mut inspect = corpulyzer(["inspect", "-", "--html"]);
    let language: &[&str] =
        if arguments.contains(&"--language") { &[] } else { &["--language", "urd"] };
    stdout(&inspect.args(arguments).args(language).write_stdin(page.to_owned()).assert().success())
}

/// A page whose title, language, texts and links hold the attack.
fn attacking_page() -> String {
    let escaped = ATTACK.replace('&', "&amp;").replace('<', "&lt;");
    let attribute = escaped.replace('"', "&quot;");
    format!(
        "<html lang=\"{attribute}\"><title>{escaped}</title><script>document.title='alive'</script>\
         <p>{escaped}<p>{URDU} {escaped} {ENGLISH}<p><a href=\"javascript:document.title='alive'\">{escaped}</a>"
    )
}

/// The names of the tags in a view, each once.
fn tags(view: &str) -> Vec<&str> {
    let mut tags: Vec<&str> = view
        .split('<')
        .skip(1)
        .filter(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic()))
        .map(|tag| tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap())
        .collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

#[test]
fn a_view_shows_every_block_in_order_with_fate_languages_and_reason() {
    let page = format!(
        "<title>خبر</title><div><p>{URDU} {ENGLISH}<p>{URDU}</div><div><a href=x>Home</a></div>"
    );
    let view = view(
        &page,
        &["--language", "ur", "--url", "http://example.pk/?a=1&b=2", "--extractor", "article"],
    );
    let places: Vec<_> = [
        "<h1 dir=\"rtl\">خبر</h1>",
        "http://example.pk/?a=1&amp;b=2",
        "id=\"b1\"",
        "id=\"b2\"",
        "id=\"b3\"",
        ">Home<",
    ]
    .map(|part| view.find(part).unwrap_or_else(|| panic!("{part}: {view}")))
    .into();
    assert!(places.is_sorted(), "{places:?}");
    for part in [
        "class=\"kept\"",
        "class=\"dropped\"",
        "article/2",
        "urd (Urdu)",
        "<strong>keep</strong>",
        "<dt>stage</dt><dd dir=\"auto\">bytes",
    ] {
        assert!(view.contains(part), "{part}: {view}");
    }
    // The first block is in two languages: each piece names its own.
    assert!(view.contains("title=\"Urdu, ") && view.contains("title=\"English, "), "{view}");
}

#[test]
fn dropped_blocks_in_a_row_are_folded() {
    let menu: String = (0..4).map(|at| format!("<li><a href=x>Page {at}</a>")).collect();
    let page = format!("<ul>{menu}</ul><div><p>{URDU}<p>{URDU}</div><p><a href=x>Home</a>");
    let view = view(&page, &["--language", "ur", "--extractor", "article"]);
    let folded: Vec<&str> = view.split("<details><summary>").skip(1).collect();
    // The last link is doubtful, because it is next to content.
    let folded =
        folded.iter().find(|part| part.starts_with("3 dropped blocks, 18 bytes</summary>"));
    let folded = folded.unwrap_or_else(|| panic!("{view}")).split("</details>").next().unwrap();
    assert!(folded.contains("id=\"b1\"") && folded.contains("id=\"b3\""), "{folded}");
    assert!(!folded.contains("id=\"b4\""), "the kept text is not folded: {folded}");
}

#[test]
fn a_block_on_which_extractors_disagree_is_doubtful() {
    let view = view("<p>Home", &["--extractor", "text"]);
    assert!(
        view.contains("1 of them kept")
            && view.contains("<dt>blocks</dt><dd dir=\"auto\">")
            && view.contains("doubtful, kept")
            && view.contains("visible text; article drops it: "),
        "{view}"
    );
}

#[test]
fn nothing_of_a_page_is_markup_in_its_view() {
    let harmless =
        view(&format!("<title>x</title><p>{URDU}<p>{URDU} {ENGLISH}"), &["--extractor", "text"]);
    let attacked = view(&attacking_page(), &["--extractor", "text", "--url", ATTACK]);
    assert_eq!(tags(&attacked), tags(&harmless));
    for tag in ["a", "base", "form", "iframe", "img", "link", "object", "script", "svg"] {
        assert!(!tags(&attacked).contains(&tag), "{tag}");
    }
    assert!(attacked.contains("&lt;script&gt;"));
    assert!(attacked.contains("default-src 'none'"));
    assert!(
        !attacked.contains("http:") && !attacked.contains("https:"),
        "it names nothing in the network"
    );
}

#[test]
fn a_page_without_text_and_one_with_control_characters_have_a_view() {
    assert!(view("", &[]).contains("The page has no text."));
    let bell = view("<p>a\u{7}b\0c", &["--extractor", "text"]);
    assert!(!bell.contains(['\u{7}', '\0']) && bell.contains(">abc<"), "{bell}");
}

/// Looks for Chromium, because only a browser shows if a page would run a script.
#[test]
fn a_browser_runs_nothing_of_a_page_in_its_view() {
    let Some(browser) = chromium() else {
        println!("skipped: Chromium is not here; the view was not opened in a browser");
        return;
    };
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("view.html");
    std::fs::write(&file, view(&attacking_page(), &["--extractor", "text", "--url", ATTACK]))
        .unwrap();
    let open = |what: &str| {
        let mut command = Command::new(browser);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", what]).arg(&file);
        command.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
        command.output().unwrap()
    };
    let shown = String::from_utf8(open("--dump-dom").stdout).unwrap();
    let title = shown.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    assert!(title.ends_with("corpulyzer inspect") && !title.starts_with("alive"), "{title}");
    assert!(!shown.contains("<script") && !shown.contains("<img"), "{shown}");
    assert!(shown.contains("id=\"b3\""), "{shown}");
    let picture = folder.path().join("view.png");
    open(&format!("--screenshot={}", picture.display()));
    assert!(std::fs::read(picture).unwrap().starts_with(b"\x89PNG"));
}
