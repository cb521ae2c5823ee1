//! Compares the report's figures with those of Python's libraries, over generated corpora.

use crate::common::{corpulyzer, python};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

#[test]
fn the_figures_are_those_of_other_peoples_libraries() {
    let Some(python) = python() else {
        println!(
            "skipped: the figures were not compared with Python's libraries from PyPI; \
            bin/corpulyzer test fetches them"
        );
        return;
    };
    let folder = TempDir::new().unwrap();
    let reference = |arguments: &[&str]| {
        Command::new(&python)
            .arg(home().join("reference.py"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let generated = reference(&["generate", "."]);
    assert!(generated.status.success(), "{}", text(&generated.stderr));
    corpulyzer([
        "report",
        "--language",
        "ur",
        "--compare",
        "a.jsonl",
        "b.jsonl",
        "--ranking",
        "ranking.csv",
    ])
    .args(["--out", "report"])
    .current_dir(folder.path())
    .assert()
    .success();
    let compare = ["compare", "report/report.json", "ranking.csv", "a.jsonl", "b.jsonl"];
    let compared = reference(&compare);
    let (table, said) = (text(&compared.stdout), text(&compared.stderr));
    assert!(compared.status.success(), "{table}{said}");
    for figure in ["a: Spearman", "a: near duplicates, MinHash", "b: Zipf slope, 3", "both: URLs"] {
        assert!(table.contains(figure), "{table}");
    }

    // The comparison fails if a figure is wrong.
    let report = folder.path().join("report/report.json");
    let wrong = fs::read_to_string(&report).unwrap().replacen("\"exact\": ", "\"exact\": 1", 1);
    fs::write(&report, wrong).unwrap();
    let compared = reference(&compare);
    assert_eq!(compared.status.code(), Some(1));
    let said = text(&compared.stderr);
    assert!(said.ends_with("have other figures than the report: a: exact duplicates\n"), "{said}");
}
