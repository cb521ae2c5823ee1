//! Signals at pipes that stay open: no verb waits, and none takes the part that came for all.
#![cfg(unix)]

use crate::common::program;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Time within which a verb must end after a signal.
const PATIENCE: Duration = Duration::from_secs(4);

const LIMITS: &str = "\
dup_line_frac: 0.5
dup_n_grams: [[5, 0.9], [6, 0.9], [7, 0.9], [8, 0.9], [9, 0.9], [10, 0.9]]
line_punct_thr: 0.0
max_avg_word_length: 20
max_non_alpha_words_ratio: 0.1
min_avg_word_length: 1
new_line_ratio: 0.9
stopwords: [\"کی\", \"میں\"]
top_n_grams: [[2, 0.9], [3, 0.9], [4, 0.9]]
";

fn record(number: usize) -> String {
    let text = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں لوگ آئے۔ ".repeat(9);
    format!(
        "{{\"url\":\"http://a.pk/{number}\",\"text\":\"{text} {number}\",\"decision\":\"keep\"}}\n"
    )
}

/// Starts a verb with a pipe, to which some records go, and which stays open.
fn start(arguments: &[&str], records: usize) -> Child {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pipe = child.stdin.as_mut().unwrap();
    (0..records).for_each(|number| pipe.write_all(record(number).as_bytes()).unwrap());
    // Long enough to start, and to read what came.
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(child.try_wait().unwrap(), None, "{arguments:?} ended before the signal");
    child
}

/// Sends a signal, and returns the exit code and the messages.
fn end(mut child: Child, signal: &str) -> (Option<i32>, String) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() && begin.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    let in_time = child.try_wait().unwrap().is_some();
    // The pipe is open until here; if the verb still waits, this ends it.
    drop(child.stdin.take());
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(in_time, "still waiting for the pipe after {PATIENCE:?}: {said}");
    (ended.status.code(), said)
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_part_of_a_pipe_does_not_replace_a_file() {
    let (folder, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let [out, other] = ["out", "other"].map(|name| path(folder.path(), name));
    let limits = path(elsewhere.path(), "limits");
    fs::write(&limits, LIMITS).unwrap();
    let verbs: [&[&str]; 4] = [
        &["deduplicate", "-", "--memory", "16", "--language", "ur", "--out", &out],
        &["rejudge", "-", "--language", "ur", "--out", &out, "--rejected", &other],
        &["quality", "annotate", "-", "--language", "ur", "--limits", &limits, "--out", &out],
        &["sentences", "-", "--language", "ur", "--out", &out],
    ];
    for (verb, signal) in verbs.into_iter().zip(["-INT", "-TERM", "-INT", "-TERM"]) {
        for records in [0, 5] {
            fs::write(&out, "old").unwrap();
            let (code, said) = end(start(verb, records), signal);
            assert_eq!(code, Some(130), "{verb:?}: {said}");
            assert_eq!(fs::read_to_string(&out).unwrap(), "old", "{verb:?}: {said}");
            let left = fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(left, 1, "{verb:?} leaves the old file alone");
        }
    }
}

#[test]
fn verbs_that_write_no_file_end_with_the_same_code() {
    for verb in [&["identify"][..], &["langbytes", "-"], &["inspect", "--language", "ur", "-"]] {
        let (code, said) = end(start(verb, 0), "-TERM");
        assert_eq!(code, Some(130), "{verb:?}: {said}");
    }
}

#[test]
fn a_second_run_of_collect_learns_who_writes_to_the_folder() {
    let folder = TempDir::new().unwrap();
    let out = path(folder.path(), "out");
    let verb = ["collect", "-", "--language", "ur", "--out", &out];
    let first = start(&verb, 5);
    let id = first.id();
    let second = program().args(verb).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(1), "{said}");
    assert!(
        said.contains(&format!("another run of collect (process {id}) writes there")),
        "{said}"
    );
    let (code, said) = end(first, "-INT");
    assert_eq!(code, Some(130), "{said}");
    assert!(!folder.path().join("out/urd").exists(), "{said}");
}
