//! `--profile paper` of the verbs that read pages: docs/paper.md.

use crate::common::{corpulyzer, stderr, stdout};
use assert_cmd::Command;
use serde_json::{json, Value};
use std::fs;
use tempfile::TempDir;

/// A paragraph in Saraiki, which CLD2 takes for Urdu.
const SARAIKI: &str = "اساں ڈینہہ دے ویلے شہر وچ کم کریندے ہیں تے رات کوں گھر واپس آندے ہیں، ساڈے \
                       ٻال سکول ویندن۔";

const URDU: &str =
    "دریا کے کنارے گاؤں کے لوگ ہر سال بہار میں میلہ لگاتے ہیں اور دور سے مہمان آتے ہیں۔";

fn folder_with_page() -> TempDir {
    let folder = TempDir::new().unwrap();
    let page = format!("<html><body><article>{}</article>", format!("<p>{SARAIKI}</p>").repeat(9));
    fs::write(folder.path().join("page.html"), &page).unwrap();
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{page}");
    let warc = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.pk/\r\nWARC-Date: \
         2026-11-01T10:00:00Z\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n\
         {block}\r\n\r\n",
        block.len()
    );
    fs::write(folder.path().join("page.warc"), warc).unwrap();
    folder
}

fn verb(folder: &TempDir, arguments: &str) -> Command {
    let mut command = corpulyzer(arguments.split(' '));
    command.current_dir(folder.path());
    command
}

fn inspected(folder: &TempDir, more: &str) -> Value {
    let arguments = format!("inspect page.html --language ur{more}");
    serde_json::from_str(&stdout(&verb(folder, &arguments).assert().success())).unwrap()
}

#[test]
fn inspect_has_the_papers_defaults_and_given_options_count() {
    let folder = folder_with_page();
    let version = |more| inspected(&folder, more)["version"].as_str().unwrap().to_owned();
    assert!(version(" --profile paper").ends_with(" web-am-literal/2 cld2/20140204"));
    assert!(version(" --profile paper --extractor text").ends_with(" text/3 cld2/20140204"));
    assert_eq!(
        version(" --profile paper --extractor best --identifier combined"),
        version(" --profile default")
    );
    let urdu = |more| inspected(&folder, more)["languages"]["urd"].as_u64().unwrap_or(0);
    assert!(urdu(" --profile paper") > 1000 && urdu("") < 200, "{}", urdu(""));
    let wrong = verb(&folder, "inspect page.html --language ur --profile papers").assert().code(2);
    assert!(stderr(&wrong).contains("allowed are default and paper"), "{}", stderr(&wrong));
}

#[test]
fn a_page_that_only_the_papers_identifier_takes_for_urdu_is_collected_and_rejudged() {
    let folder = folder_with_page();
    let bytes = |profile: &str| {
        verb(
            &folder,
            &format!("report page.warc --language ur --profile {profile} --out r-{profile}"),
        )
        .assert()
        .success();
        let report = fs::read(folder.path().join(format!("r-{profile}/report.json"))).unwrap();
        let report: Value = serde_json::from_slice(&report).unwrap();
        report["corpora"][0]["figures"]["totals"]["target_bytes"].as_u64().unwrap()
    };
    assert_eq!((bytes("paper"), bytes("default")), (1449, 0));
    for (profile, documents) in [("default", "0 documents"), ("paper", "1 document ")] {
        let collect =
            format!("collect page.warc --language ur --profile {profile} --out {profile}");
        let done = verb(&folder, &collect).assert().success();
        let said = stdout(&done) + &stderr(&done);
        assert!(said.contains(&format!("urd (Urdu): {documents}")), "{said}");
    }
    for (profile, kept) in [("default", 0), ("paper", 1)] {
        let rejudge = format!(
            "rejudge paper --language ur --profile {profile} --out kept-{profile}.jsonl --rejected \
             left-{profile}.jsonl"
        );
        verb(&folder, &rejudge).assert().success();
        let kept_pages = folder.path().join(format!("kept-{profile}.jsonl"));
        assert_eq!(fs::read_to_string(kept_pages).unwrap().lines().count(), kept, "{profile}");
    }
}

#[test]
fn only_the_default_profile_rejects_junk() {
    let folder = TempDir::new().unwrap();
    // Over 15 words per distinct word.
    let junk = vec![URDU; 30].join("\n");
    let record = json!({"url": "http://a.pk/", "text": junk, "languages": {"urd": junk.len()}});
    fs::write(folder.path().join("junk.jsonl"), format!("{record}\n")).unwrap();
    for (profile, kept) in [("default", 0), ("paper", 1)] {
        let rejudge = format!(
            "rejudge junk.jsonl --language ur --profile {profile} --out {profile}.jsonl --rejected \
             rest.jsonl"
        );
        verb(&folder, &rejudge).assert().success();
        let text = fs::read_to_string(folder.path().join(format!("{profile}.jsonl"))).unwrap();
        assert_eq!(text.lines().count(), kept, "{profile}");
    }
}
