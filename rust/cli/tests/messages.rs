//! Messages and exit codes of all verbs: one sentence that names the option or the file.
#![allow(clippy::unwrap_used)]

mod common;

use common::program;
use std::fs;
use std::process::Stdio;
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";
const ENGLISH: &str = "The river rose during the night and the ferry could not leave before noon.";

fn record(url: &str, language: &str, text: &str) -> String {
    let languages = serde_json::json!({ language: text.len() });
    let page = serde_json::json!({ "url": url, "text": text, "languages": languages });
    format!("{page}\n")
}

/// A folder with corpora: `J` in Urdu, `two` in Urdu and English.
fn corpora() -> TempDir {
    let folder = TempDir::new().unwrap();
    let urdu = record("http://a.pk/ur/1", "urd", URDU);
    fs::write(folder.path().join("J"), &urdu).unwrap();
    let both = urdu + &record("http://a.pk/en/1", "eng", ENGLISH);
    fs::write(folder.path().join("two"), both).unwrap();
    folder
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = corpora();
    for arguments in [
        "vertical J --language ur --out -",
        "pairs two",
        "deduplicate J --language ur --out -",
        "languages",
        "--help",
        "words --help",
        "--version",
    ] {
        let mut child = program()
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.success() && !said.contains("pipe"), "{arguments}: {said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_standard_output_is_named() {
    let folder = corpora();
    fs::write(
        folder.path().join("large"),
        (0..3000)
            .map(|page| record(&format!("http://a.pk/{page}"), "urd", URDU))
            .collect::<String>(),
    )
    .unwrap();
    for arguments in ["vertical large --language ur --out -", "pairs two", "--help"] {
        let done = program()
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .stdout(fs::File::options().write(true).open("/dev/full").unwrap())
            .output()
            .unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "{arguments}: {said}");
        assert_eq!(
            said, "corpulyzer: standard output: No space left on device (os error 28)\n",
            "{arguments}"
        );
    }
}
