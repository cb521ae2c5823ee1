//! The report's figures beside those of Python's libraries, over generated corpora.
#![allow(clippy::unwrap_used)]

mod common;

use common::corpulyzer;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

fn run(program: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Option<Output> {
    Command::new(program).args(arguments).output().ok().filter(|done| done.status.success())
}

/// A Python with the libraries, from PyPI, in a virtual environment of its own; None where that cannot be had.
fn python() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference");
    let (python, stamp) = (folder.join("bin/python"), folder.join("requirements.txt"));
    let wanted = fs::read(home().join("requirements.txt")).unwrap();
    if fs::read(&stamp).ok().as_ref() == Some(&wanted) {
        return Some(python);
    }
    run(Path::new("python3"), [OsStr::new("-m"), OsStr::new("venv"), OsStr::new("--clear"), folder.as_os_str()])?;
    let pip = "-m pip --disable-pip-version-check --quiet --retries 1 --timeout 15 install --only-binary :all: -r";
    let requirements = home().join("requirements.txt");
    run(&python, pip.split(' ').map(OsStr::new).chain([requirements.as_os_str()]))?;
    fs::write(stamp, wanted).unwrap();
    Some(python)
}

#[test]
fn the_figures_are_those_of_other_peoples_libraries() {
    let Some(python) = python() else {
        println!("skipped: Python's libraries cannot be had here from PyPI; the figures were not compared with theirs");
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
    corpulyzer(["report", "--language", "ur", "--compare", "a.jsonl", "b.jsonl", "--ranking", "ranking.csv"])
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

    // It would tell.
    let report = folder.path().join("report/report.json");
    let wrong = fs::read_to_string(&report).unwrap().replacen("\"exact\": ", "\"exact\": 1", 1);
    fs::write(&report, wrong).unwrap();
    let compared = reference(&compare);
    assert_eq!(compared.status.code(), Some(1));
    let said = text(&compared.stderr);
    assert!(said.ends_with("have other figures than the report: a: exact duplicates\n"), "{said}");
}
