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

#[test]
fn what_is_on_the_ledger_is_in_no_output() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let page = |number: usize, language: &str| {
        let alternates =
            json!([{"language": "en", "url": URLS[0]}, {"language": "en", "url": URLS[3]}]);
        let bytes = TEXTS[number].len();
        let page = json!({"url": URLS[number], "text": TEXTS[number], "raw_bytes": 900,
            "main_bytes": bytes, "languages": {language: bytes}, "alternates": alternates});
        format!("{page}\n")
    };
    let corpus: String = (0..4).map(|number| page(number, "urd")).collect();
    let wet: String = (0..4)
        .map(|number| {
            let (url, text) = (URLS[number], TEXTS[number]);
            let length = text.len();
            format!("WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: {url}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{text}\r\n\r\n")
        })
        .collect();
    // An index has no text, so that only a page's address is known.
    let index: String = [URLS[0], URLS[1], URLS[3]]
        .iter()
        .map(|url| {
            format!(
                "k 20240101000000 {}\n",
                json!({"url": url, "status": "200", "languages": "urd"})
            )
        })
        .collect();
    let lines: String =
        TEXTS.iter().zip(URLS).map(|(text, url)| format!("{text}\t{url}\n")).collect();
    let [ledger, corpus_file, other, wet_file, index_file, lines_file] =
        ["removed.txt", "c.jsonl", "other.jsonl", "a.wet", "i.cdxj", "s.txt"].map(path);
    for (name, content) in [
        (&ledger, LEDGER),
        (&corpus_file, &corpus),
        (&other, &page(3, "eng").replace("farm", "farm/en")),
        (&wet_file, &wet),
        (&index_file, &index),
        (&lines_file, &lines),
    ] {
        fs::write(name, content).unwrap();
    }
    fs::create_dir(path("out")).unwrap();
    let out = |name: &str| path(&format!("out/{name}"));
    let contact = ["--contact", "corpus@example.org"];
    let ur = ["--language", "ur"];
    let verbs: Vec<Vec<String>> = [
        vec!["collect", "--out", &out("collect"), &wet_file, &corpus_file],
        vec![
            "collect",
            "--rejected",
            "--no-first-look",
            "--min-bytes",
            "100000",
            "--out",
            &out("rejected"),
            &wet_file,
        ],
        vec![
            "deduplicate",
            "--out",
            &out("d.jsonl"),
            "--dropped",
            &out("dropped.jsonl"),
            &corpus_file,
        ],
        vec!["deduplicate", "--clusters", "--out", &out("clusters.jsonl"), &corpus_file],
        vec![
            "deduplicate",
            "--lines",
            "--out",
            &out("lines.jsonl"),
            "--survival",
            &out("survival.tsv"),
            &corpus_file,
        ],
        vec!["rejudge", "--out", &out("j.jsonl"), "--rejected", &out("r.jsonl"), &corpus_file],
        vec!["sentences", "--urls", "--out", &out("s.txt"), &corpus_file],
        vec!["vertical", "--out", &out("v.vert"), &corpus_file],
        vec!["words", "--out", &out("w.tsv"), &corpus_file],
        vec!["seeds", "--min-bytes", "1", "--out", &out("seeds.txt"), &corpus_file],
        vec!["seeds", "--index", "--out", &out("seeds-i.txt"), &index_file],
        vec!["report", "--out", &out("report"), &corpus_file],
        vec!["package", contact[0], contact[1], "--out", &out("release"), &corpus_file],
        vec!["package", contact[0], contact[1], "--out", &out("lines"), &lines_file],
    ]
    .into_iter()
    .map(|verb| verb.iter().map(|word| (*word).to_owned()).collect())
    .collect();
    for verb in &verbs {
        let command = verb.iter().map(String::as_str).chain(ur).chain(["--removed", &ledger]);
        let ran = corpulyzer(command).assert().success();
        let count = if verb.contains(&"--index".to_owned()) { 2 } else { 3 };
        let said = stderr(&ran);
        assert!(
            said.contains(&format!("left out {count} pages of the ledger")),
            "{verb:?}: {said}"
        );
    }
    let pairs = ["pairs", "--removed", &ledger, "--out", &out("pairs.tsv"), &corpus_file, &other];
    corpulyzer(pairs).assert().success();
    let written = all(Path::new(&path("out")));
    for removed in REMOVED {
        let place = written
            .find(removed)
            .map(|at| written[..at].rfind("\n== ").map(|from| &written[from..at]));
        assert!(place.is_none(), "{removed} is in {place:?}");
    }
    assert!(
        written.matches("kept.example/farm").count() >= verbs.len() / 2,
        "the other page stays"
    );
}
