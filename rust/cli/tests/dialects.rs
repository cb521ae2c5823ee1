//! JSON lines and Parquet of other programs: no record is lost for the names of its fields.

use crate::common::{corpulyzer, stderr, stdout};
use serde_json::{json, Value};
use std::fs;
use tempfile::TempDir;

const TEXT: &str =
    "بستی کے لوگ ہر جمعرات کو بازار جاتے ہیں اور وہاں سے سبزی، پھل اور کپڑے خریدتے ہیں۔ \
    شام کو بچے میدان میں کھیلتے ہیں اور بزرگ چائے پیتے ہوئے پرانی باتیں یاد کرتے ہیں۔";
const URL: &str = "http://bazar.example/ur/1";
const TIME: &str = "2024-05-06T07:08:09Z";

/// Records as these programs write them, with the name in the sentence.
fn records() -> Vec<(&'static str, Value)> {
    vec![
        (
            "OSCAR",
            json!({"content": TEXT, "warc_headers": {"warc-target-uri": URL, "warc-date": TIME},
                "metadata": {"identification": {"label": "ur", "prob": 0.9}, "quality_warnings": null}}),
        ),
        (
            "GlotCC",
            json!({"content": TEXT, "warc-target-uri": URL, "warc-date": TIME, "num-sents": 2}),
        ),
        (
            "cc_net",
            json!({"url": URL, "date_download": TIME, "digest": "sha1:X", "length": 9, "nlines": 1,
                "source_domain": "bazar.example", "title": "t", "raw_content": TEXT, "language": "ur"}),
        ),
        (
            "HPLT",
            json!({"f": "./1/wide/x.warc.gz", "o": 1, "u": URL, "c": "text/html", "ts": TIME,
                "lang": ["urd_Arab"], "prob": [0.9], "text": TEXT, "id": 71, "filter": "keep"}),
        ),
        (
            "trafilatura",
            json!({"title": null, "author": null, "hostname": "bazar.example", "date": "2024-05-01",
                "fingerprint": "f", "id": null, "license": null, "comments": "", "raw_text": TEXT,
                "text": TEXT, "source": URL, "source-hostname": "Bazar", "filedate": "2024-05-06"}),
        ),
        (
            "Dolma",
            json!({"id": "d1", "text": TEXT, "added": TIME, "created": TIME, "source": "common-crawl",
                "metadata": {"url": URL}, "attributes": {"score": [[0, 9, 1.0]]}}),
        ),
        (
            "datatrove",
            json!({"text": TEXT, "id": "<urn:1>", "metadata": {"url": URL, "date": TIME, "dump": "D"}}),
        ),
        (
            "FineWeb",
            json!({"text": TEXT, "id": "<urn:1>", "dump": "D", "url": URL, "date": TIME,
                "file_path": "s3://x", "language": "ur", "language_score": 0.9, "token_count": 40}),
        ),
        ("C4", json!({"text": TEXT, "timestamp": TIME, "url": URL})),
    ]
}

/// The first record of a corpus that `collect` made of a file.
fn collected(folder: &TempDir, file: &str, options: &[&str]) -> (Option<Value>, String) {
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (input, out) = (path(file), path(&format!("{file}-corpus")));
    let arguments = ["collect", "--language", "ur", "--out", &out, &input];
    let ran = corpulyzer(arguments.iter().chain(options)).assert().success();
    let said = stderr(&ran);
    let corpus = fs::read(format!("{out}/urd/corpus.jsonl.zst")).unwrap();
    let corpus = zstd::decode_all(&*corpus).unwrap();
    let mut lines = corpus.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    (lines.next().map(|line| serde_json::from_slice(line).unwrap()), said)
}

#[test]
fn a_page_of_each_program_is_in_the_corpus_with_its_url() {
    let folder = TempDir::new().unwrap();
    for (name, record) in records() {
        let file = format!("{name}.jsonl");
        fs::write(folder.path().join(&file), format!("{record}\n{record}\n")).unwrap();
        let (page, said) = collected(&folder, &file, &[]);
        let page = page.unwrap_or_else(|| panic!("{name}: no page: {said}"));
        assert_eq!((&page["text"], &page["url"]), (&json!(TEXT), &json!(URL)), "{name}");
        let time = if name == "trafilatura" { "2024-05-06" } else { TIME };
        assert_eq!(page["fetch_time"], time, "{name}");
        assert_eq!(said.matches(&format!("has the fields of {name}")).count(), 1, "{name}: {said}");
    }
}

#[test]
fn other_names_are_given_by_an_option_in_every_verb() {
    let folder = TempDir::new().unwrap();
    let record = json!({"body": {"plain": TEXT}, "link": URL, "text": "a head"});
    let name = folder.path().join("own.jsonl");
    fs::write(&name, format!("{record}\n")).unwrap();
    let fields = "text=body.plain,url=link";
    let (page, said) = collected(&folder, "own.jsonl", &["--fields", fields]);
    let page = page.unwrap();
    assert_eq!((&page["text"], &page["url"]), (&json!(TEXT), &json!(URL)), "{said}");
    let name = name.to_str().unwrap();
    let copied = ["deduplicate", "--language", "ur", "--fields", fields, "--out", "-", name];
    let line: Value =
        serde_json::from_str(&stdout(&corpulyzer(copied).assert().success())).unwrap();
    assert_eq!((&line["text"], &line["url"]), (&json!(TEXT), &json!(URL)));
    let out = format!("{name}.seeds");
    let seeds = ["seeds", "--language", "ur", "--fields", fields, "--out", &out, name];
    corpulyzer(seeds).assert().success();
    assert_eq!(fs::read_to_string(&out).unwrap().trim(), URL);
}

#[test]
fn a_name_that_is_not_known_is_refused() {
    for fields in ["txt=content", "text", "text="] {
        let refused = ["words", "--fields", fields, "--language", "ur", "x.jsonl"];
        let said = stderr(&corpulyzer(refused).assert().code(2));
        assert!(said.contains("allowed is NAME=FIELD"), "{said}");
    }
}

#[test]
fn what_python_writes_costs_no_line() {
    let folder = TempDir::new().unwrap();
    let line = |fields: &str| {
        format!(
            "{{\"text\":{},\"url\":\"http://b.example/{}\",{fields}}}\n",
            json!(TEXT),
            fields.len()
        )
    };
    let lines = [
        "\"score\":NaN",
        "\"scores\":[Infinity,-Infinity]",
        "\"title\":\"half \\ud83d of a pair\"",
        "\"raw_bytes\":1000.0,\"round\":3.0",
        "\"id\":17",
        "\"languages\":{\"urd\":321.0}",
    ];
    let name = folder.path().join("python.jsonl");
    fs::write(&name, lines.map(line).concat()).unwrap();
    let name = name.to_str().unwrap();
    let copied = ["deduplicate", "--language", "ur", "--percent", "100", "--out", "-", name];
    let ran = corpulyzer(copied).assert().success();
    assert_eq!(stdout(&ran).lines().count(), lines.len(), "{}", stderr(&ran));
    let (out, rejected) = (format!("{name}.kept"), format!("{name}.rejected"));
    let judged = ["rejudge", "--language", "ur", "--rejected", &rejected, "--out", &out, name];
    let ran = corpulyzer(judged).assert().success();
    let kept = fs::read_to_string(&out).unwrap();
    assert_eq!(kept.lines().count(), lines.len(), "{}", stderr(&ran));
    assert!(kept.contains("\"raw_bytes\":1000,") && !kept.contains("NaN"), "{kept}");
}
