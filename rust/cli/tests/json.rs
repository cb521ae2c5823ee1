//! `--json` of every verb that prints results: it has the rows of the table.

use crate::common::{corpulyzer, stderr, stdout};
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";
const ENGLISH: &str = "The river rose during the night and the ferry could not leave before noon.";

/// The command lines that print results, in the folder of [`folder`], and the keys of their tables
/// with the number of rows.
#[rustfmt::skip]
const TABLES: [(&str, &[(&str, usize)]); 15] = [
    ("langbytes text.txt", &[("languages", 3)]),
    ("langbytes empty", &[("languages", 0)]),
    ("calibrate crawl.jsonl -l ur", &[("by_bytes", 6), ("by_characters", 6)]),
    ("collect a.warc -l ur,en --rejected -o corpora", &[("corpora", 2)]),
    ("rejudge crawl.jsonl -l ur -o kept.jsonl --rejected rest.jsonl",
        &[("fates", 2), ("reasons", 1), ("languages", 1)]),
    ("quality annotate crawl.jsonl -l ur --min-consistency 0.9 --samples 1 -o annotated.jsonl", &[("kinds", 2), ("rules", 1)]),
    ("quality join scores.jsonl crawl.jsonl --by url -o joined.jsonl", &[("scores", 2)]),
    ("audit count ann.tsv", &[("judgements", 0), ("types", 0), ("languages", 0)]),
    ("audit count labels.tsv", &[("judgements", 2), ("types", 0), ("languages", 1)]),
    ("evaluate-langid --test test --overlap test", &[("overlap", 3)]),
    ("evaluate-langid --test test --audit", &[("languages", 2)]),
    ("evaluate-langid --test test --losses --pack seed", &[("losses", 0)]),
    ("evaluate-langid --test test", &[("identifiers", 1), ("candidates", 1)]),
    ("evaluate-langid --test test --false-positives", &[("false_positives", 1)]),
    ("evaluate-langid --test test --calibration", &[("calibration", 1)]),
];

/// The command lines that print a line for each item; with a heading, if this is true.
const LINES: [(&str, bool); 7] = [
    ("identify text.txt", false),
    ("identify --probability --varieties text.txt", false),
    ("identify --spans text.txt", false),
    ("identify empty", false),
    ("languages urd eng --format tsv", true),
    ("pairs urd.jsonl eng.jsonl", true),
    ("pairs urd.jsonl eng.jsonl -o -", true),
];

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, content: String| fs::write(folder.path().join(name), content).unwrap();
    let page = |url: &str, text: &str, code: &str| {
        let bytes = text.len();
        json!({
            "url": url, "text": text, "main_bytes": bytes, "raw_bytes": 9000,
            "languages": {code: bytes}, "decision": "keep",
            "alternates": [{"language": "en", "url": "http://b.example/en"}],
        })
        .to_string()
            + "\n"
    };
    let urdu = page("http://a.pk/1", &[URDU; 4].join("\n"), "urd");
    let english = page("http://b.example/en", &[ENGLISH; 9].join("\n"), "eng");
    write("text.txt", format!("{URDU}\n{ENGLISH}\n1234 ۔\n\n"));
    write("empty", String::new());
    write("crawl.jsonl", format!("{urdu}{}", english.replace("\"eng\":", "\"urd\":")));
    write("urd.jsonl", urdu);
    write("eng.jsonl", english);
    write("scores.jsonl", "{\"url\":\"http://a.pk/1\",\"edu\":2,\"level\":0.25}\n".to_owned());
    let sheet = "judgement\tpage\turl\tlanguage\n";
    write("ann.tsv", format!("{sheet}y\t1\thttp://a.pk/1\t\nn\t2\thttp://b.example/en\t\n"));
    let rows = "spam\t1\thttp://a.pk/1\t\nother\t2\thttp://b.example/en\tEnglish\n";
    write("labels.tsv", format!("{sheet}{rows}"));
    let html = format!("<p>{}", [URDU; 4].join("<p>"));
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
    write(
        "a.warc",
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.pk/1\r\n\
             WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n\
             Content-Type: application/http; msgtype=response\r\n\
             Content-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        ),
    );
    fs::create_dir(folder.path().join("test")).unwrap();
    write("test/urd.txt", format!("{URDU}\n"));
    write("test/eng.txt", format!("{ENGLISH}\n{URDU}\n"));
    folder
}

/// What a command line prints in the folder.
fn printed(line: &str, folder: &Path) -> String {
    let mut command = corpulyzer(line.split(' '));
    let done = command.current_dir(folder).assert();
    assert_eq!(done.get_output().status.code(), Some(0), "{line}: {}", stderr(&done));
    stdout(&done)
}

/// Whether a line has the whole numbers and texts of a row, apart from those with other names for
/// people.
fn has(line: &str, row: &Value) -> bool {
    let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '.').collect();
    row.as_object().unwrap().iter().all(|(key, value)| match value {
        Value::Number(number) if number.is_u64() => words.contains(&&*number.to_string()),
        Value::String(text) if !["kind", "fate"].contains(&&**key) => line.contains(text),
        _ => true,
    })
}

/// Fails unless keys are words in lower case.
fn check_keys(value: &Value) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            assert!(!key.contains(|c: char| c.is_uppercase() || " %-".contains(c)), "{key}");
            check_keys(value);
        }),
        Value::Array(rows) => rows.iter().for_each(check_keys),
        _ => {}
    }
}

#[test]
fn a_table_as_json_has_the_rows_of_the_text() {
    let folder = folder();
    for (line, tables) in TABLES {
        let text = printed(line, folder.path());
        let json: Value =
            serde_json::from_str(&printed(&format!("{line} --json --quiet"), folder.path()))
                .unwrap_or_else(|error| panic!("{line}: {error}"));
        check_keys(&json);
        for (key, count) in tables {
            let rows = json[key].as_array().unwrap_or_else(|| panic!("{line}: {key} of {json}"));
            assert_eq!(rows.len(), *count, "{line}: {key} of {json}\n{text}");
            for row in rows {
                let is_there = row.get("identifier").is_some()
                    || text.lines().any(|line| has(line, row))
                    || (line.starts_with("audit") && has(&text.replace('\n', " "), row));
                assert!(is_there, "{line}: {row} is not in\n{text}");
            }
        }
    }
}

#[test]
fn a_line_for_each_item_is_an_object() {
    let folder = folder();
    for (line, has_heading) in LINES {
        let text = printed(line, folder.path());
        let json = printed(&format!("{} --json", line.replace(" --format tsv", "")), folder.path());
        let rows: Vec<Value> = json.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        let lines: Vec<&str> = text.lines().skip(usize::from(has_heading)).collect();
        assert_eq!(rows.len(), lines.len(), "{line}: {json}\n{text}");
        rows.iter().for_each(check_keys);
        if line.starts_with("languages") {
            assert_eq!(json, printed("languages urd eng --format json", folder.path()));
            continue;
        }
        for (row, text) in rows.iter().zip(lines) {
            assert!(has(text, row), "{line}: {row} is not {text}");
            let cells = text.split('\t').filter(|cell| !cell.is_empty()).count();
            let values = row.as_object().unwrap().values().filter(|value| !value.is_null());
            assert_eq!(cells, values.count(), "{line}: {row} is not {text}");
        }
    }
}

#[test]
fn figures_of_simulated_crawls_are_json_without_tables() {
    let line = "simulate --pages 2000 --hosts 40 --rounds 2 --top 50 --seeds 50 --draws 2 --json";
    let json: Value = serde_json::from_str(&printed(line, Path::new("."))).unwrap();
    assert_eq!(json["runs"].as_array().unwrap().len(), 2 * 3 * 3);
    check_keys(&json["runs"]);
}

#[test]
fn shares_are_from_0_to_1_and_rows_without_a_figure_have_null() {
    let folder = folder();
    let json = |line: &str| -> Value {
        serde_json::from_str(&printed(&format!("{line} --json"), folder.path())).unwrap()
    };
    let found = json("evaluate-langid --test test --overlap test");
    assert_eq!(found["overlap"][2]["training_share"], 1.0);
    let found = json("calibrate crawl.jsonl -l ur");
    assert_eq!(found["by_bytes"][0]["preserved_share"], 1.0);
    assert_eq!(found["language"], "urd");
    let found = json("audit count ann.tsv");
    assert_eq!((&found["yes_share"], &found["kappa"]), (&json!(0.5), &Value::Null));
    assert_eq!(found["refused"], json!(["http://b.example/en"]));
    let found = json("collect a.warc -l ur -o without-rejected");
    assert_eq!(found["corpora"][0]["rejected"], Value::Null);
}

#[test]
fn every_verb_with_json_is_tested_and_an_output_cannot_take_its_place() {
    let lines = TABLES.iter().map(|(line, _)| *line).chain(LINES.iter().map(|(line, _)| *line));
    let first = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let has_steps = ["quality", "audit"].contains(&words[0]);
        words[..if has_steps { 2 } else { 1 }].join(" ")
    };
    // `lookup` is tested beside its indexes, in cdx.rs.
    let others = ["simulate", "lookup"].map(str::to_owned);
    let tested: BTreeSet<String> = lines.map(first).chain(others).collect();
    let help = |line: &str| printed(format!("{line} --help").trim(), Path::new("."));
    let verbs = |help: &str| -> Vec<String> {
        let lines = help.split("Commands:\n").nth(1).unwrap_or_default();
        let lines = lines.split("\n\n").next().unwrap_or_default().lines();
        let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        let names = names.filter_map(|line| line.split_whitespace().next());
        names.filter(|name| *name != "help").map(str::to_owned).collect()
    };
    let mut with = BTreeSet::new();
    let all = verbs(&help(""));
    assert!(all.len() > 20, "{all:?}");
    for verb in all {
        let steps = verbs(&help(&verb));
        let lines = match steps.is_empty() {
            true => vec![verb],
            false => steps.iter().map(|step| format!("{verb} {step}")).collect(),
        };
        with.extend(lines.into_iter().filter(|line| help(line).contains("      --json")));
    }
    assert_eq!(with, tested);
    let folder = folder();
    for line in [
        "rejudge crawl.jsonl -l ur -o - --rejected rest.jsonl --json",
        "quality annotate crawl.jsonl -l ur --min-consistency 0.9 -o - --json",
        "languages --format tsv --json",
        "extract --json page.html",
    ] {
        corpulyzer(line.split(' ')).current_dir(folder.path()).assert().code(2).stdout("");
    }
}
