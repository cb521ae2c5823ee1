//! Which of two records with one URL counts, whatever memory there is.
#![allow(clippy::unwrap_used)]

use engine::{Engine, Settings};
use figures::analyze::{analyze, Outcome, Rules};
use figures::pages::Inputs;
use figures::Plan;
use records::{ProblemKind, Source};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

const RECORDS: u64 = 30_000;

/// Records of which many have the URL of one before, near or far; no two of one URL say the same.
fn record(number: u64) -> (u64, String) {
    let url = match number {
        far if far % 3 == 0 => far / 7,
        near if near % 5 == 0 => near - 4,
        new => new,
    };
    let bytes = number + 1;
    (url, format!("{{\"url\":\"http://a.pk/{url}\",\"main_bytes\":{bytes},\"languages\":{{\"urd\":{bytes}}}}}\n"))
}

fn measured(folder: &Path, memory: usize) -> Outcome {
    let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
    let sources = [Source::new(&folder.join("c.jsonl")).unwrap()];
    let target = "urd".parse().unwrap();
    let plan = Plan { target, scripts: langbytes::Scripts::default(), words: false };
    let stop = AtomicBool::new(false);
    let inputs = Inputs {
        sources: &sources,
        engine: &engine,
        folder,
        memory,
        max_bytes: 1 << 20,
        stop: &stop,
    };
    analyze(&inputs, plan, Rules::default(), 1 << 20, &mut |_| {}).unwrap()
}

#[test]
fn the_first_record_of_a_url_counts_whether_memory_or_disk_remembers_it() {
    let folder = TempDir::new().unwrap();
    let (mut lines, mut urls, mut bytes) = (String::new(), HashSet::new(), 0);
    for number in 0..RECORDS {
        let (url, line) = record(number);
        lines.write_str(&line).unwrap();
        if urls.insert(url) {
            bytes += number + 1;
        }
    }
    fs::write(folder.path().join("c.jsonl"), lines).unwrap();
    // Memory for all, and for 4,096 URLs.
    let [with, without] = [1 << 30, 0].map(|memory| measured(folder.path(), memory));
    assert_eq!(with.input.problems[&ProblemKind::DuplicateUrl], RECORDS - urls.len() as u64);
    assert_eq!(
        (with.figures.totals.pages, with.figures.totals.target_bytes),
        (urls.len() as u64, bytes)
    );
    assert_eq!(with.input.urls_checked, RECORDS);
    assert_eq!(with.input, without.input);
    assert_eq!(with.figures, without.figures);
}
