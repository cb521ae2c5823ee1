//! The ledger of removals: its hosts, URLs and passages are in no output of any verb.

use crate::common::{corpulyzer, stderr};
use serde_json::json;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const TEXTS: [&str; 4] = [
    "نہر کے کنارے ایک چھوٹا سا اسکول ہے جہاں گاؤں کے بچے صبح سویرے پیدل جاتے ہیں۔ استاد انہیں حساب اور تاریخ پڑھاتے ہیں۔",
    "پہاڑی علاقے میں سردیوں کی پہلی برف نومبر میں گرتی ہے اور راستے بند ہو جاتے ہیں۔ لوگ لکڑیاں پہلے سے جمع کر لیتے ہیں۔",
    "مچھیرے رات کو سمندر میں جال ڈالتے ہیں اور صبح مچھلیاں بازار میں لا کر بیچتے ہیں۔ تیز ہوا میں کشتیاں باہر نہیں جاتیں۔",
    "کسان نے بتایا کہ اس سال گندم کی فصل اچھی ہوئی ہے مگر بارش دیر سے آئی۔ منڈی میں نرخ پچھلے سال سے کم ہیں۔",
];
const URLS: [&str; 4] = [
    "http://www.gone.example/1",
    "http://kept.example/private",
    "http://kept.example/story",
    "http://kept.example/farm",
];
/// A host, a URL with the other scheme, and a passage with other white space.
const LEDGER: &str = "# by letter\ngone.example\n= https://kept.example/private\n\"مچھیرے  رات کو سمندر میں جال ڈالتے ہیں\"\n";

/// Words and addresses that only the removed pages have.
const REMOVED: [&str; 6] = ["gone.example", "private", "story", "اسکول", "نومبر", "مچھیرے"];

/// All files under a folder, decompressed, as one text.
fn all(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &all(&path);
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let bytes = match path.extension().and_then(|ending| ending.to_str()) {
            Some("zst") => zstd::decode_all(&*bytes).unwrap(),
            _ => bytes,
        };
        text += &format!("\n== {}\n{}", path.display(), String::from_utf8_lossy(&bytes));
    }
    text
}

/// A record of a page, as a line.
fn page(number: usize, language: &str) -> String {
    let alternates =
        json!([{"language": "en", "url": URLS[0]}, {"language": "en", "url": URLS[3]}]);
    let bytes = TEXTS[number].len();
    let page = json!({"url": URLS[number], "text": TEXTS[number], "raw_bytes": 900,
        "main_bytes": bytes, "languages": {language: bytes}, "alternates": alternates});
    format!("{page}\n")
}

/// A record of a WET file.
fn wet((text, url): (&&str, &str)) -> String {
    let length = text.len();
    format!("WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: {url}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{text}\r\n\r\n")
}

/// A line of an index.
fn entry(url: &str) -> String {
    format!("k 20240101000000 {}\n", json!({"url": url, "status": "200", "languages": "urd"}))
}

/// The pages in all forms that verbs read, and the ledger.
fn inputs() -> TempDir {
    let folder = TempDir::new().unwrap();
    let pages = || TEXTS.iter().zip(URLS);
    for (name, content) in [
        ("removed.txt", LEDGER.to_owned()),
        ("c.jsonl", (0..4).map(|number| page(number, "urd")).collect()),
        ("other.jsonl", page(3, "eng").replace("farm", "farm/en")),
        ("a.wet", pages().map(wet).collect()),
        // An index has no text, so that only a page's address is known.
        ("i.cdxj", [URLS[0], URLS[1], URLS[3]].into_iter().map(entry).collect()),
        ("s.txt", pages().map(|(text, url)| format!("{text}\t{url}\n")).collect()),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    fs::create_dir(folder.path().join("out")).unwrap();
    folder
}

/// Command lines without the language and the ledger.
const VERBS: [&str; 14] = [
    "collect --out out/collect a.wet c.jsonl",
    "collect --rejected --no-first-look --min-bytes 100000 --out out/rejected a.wet",
    "deduplicate --out out/d.jsonl --dropped out/dropped.jsonl c.jsonl",
    "deduplicate --clusters --out out/clusters.jsonl c.jsonl",
    "deduplicate --lines --out out/lines.jsonl --survival out/survival.tsv c.jsonl",
    "rejudge --out out/j.jsonl --rejected out/r.jsonl c.jsonl",
    "sentences --urls --out out/s.txt c.jsonl",
    "vertical --out out/v.vert c.jsonl",
    "words --out out/w.tsv c.jsonl",
    "seeds --min-bytes 1 --out out/seeds.txt c.jsonl",
    "seeds --index --out out/seeds-i.txt i.cdxj",
    "report --out out/report c.jsonl",
    "package --contact corpus@example.org --out out/release c.jsonl",
    "package --contact corpus@example.org --out out/lines s.txt",
];

#[test]
fn what_is_on_the_ledger_is_in_no_output() {
    let folder = inputs();
    let run = |words: &str| {
        let words = format!("{words} --removed removed.txt");
        stderr(&corpulyzer(words.split(' ')).current_dir(&folder).assert().success())
    };
    for verb in VERBS {
        let said = run(&format!("{verb} --language ur"));
        let count = if verb.contains("--index") { 2 } else { 3 };
        assert!(said.contains(&format!("left out {count} pages of the ledger")), "{verb}: {said}");
    }
    run("pairs --out out/pairs.tsv c.jsonl other.jsonl");
    let written = all(&folder.path().join("out"));
    for removed in REMOVED {
        let place = written
            .find(removed)
            .map(|at| written[..at].rfind("\n== ").map(|from| &written[from..at]));
        assert!(place.is_none(), "{removed} is in {place:?}");
    }
    let kept = written.matches("kept.example/farm").count();
    assert!(kept >= VERBS.len() / 2, "the other page stays");
}
