//! Tests of the memory that pages of every kind need: at most three times the page, and a constant
//! for each block.
//!
//! The test starts itself again for each kind, because a process does not return its memory.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

#[path = "common/kinds.rs"]
mod kinds;
#[path = "common/meter.rs"]
mod meter;

use content::{classify, decode, parse_for, Extractor, Hints, Limits};
use meter::memory;
use std::env;
use std::process::Command;

/// Bytes of a page.
const LENGTH: usize = 1_500_000;

/// Text blocks, the most of a page: a tenth of what pages may have, so that what blocks cost hides
/// nothing else.
const BLOCKS: usize = 20_000;

/// Memory in bytes that any page may need in addition to three times its size.
const CONSTANT: usize = 4 << 20;

/// Bytes that each block may cost more.
const BLOCK: usize = 200;

/// Processes that may read a page. The kernel counts parts of the program's file too, and maps
/// 150 kB more or less of it in each.
const RUNS: usize = 3;

/// Names the extractor to a process that reads one page.
const CHILD: &str = "CORPULYZER_TEST_EXTRACTOR";

#[test]
fn no_kind_of_page_costs_more_than_three_times_its_length() {
    if let Ok(extractor) = env::var(CHILD) {
        return measure(
            extractor.parse().unwrap(),
            &env::var("KIND").unwrap(),
            &env::var("BEFORE").unwrap(),
        );
    }
    if is_emulated() {
        return;
    }
    let mut worst = Vec::new();
    for (extractor, before) in
        [(Extractor::WebAm, ""), (Extractor::WebAm, kinds::FOR_LOL_HTML), (Extractor::Best, "")]
    {
        for (kind, _) in kinds::KINDS {
            let (mut held, mut allowed, mut blocks) = (usize::MAX, 0, 0);
            for _ in 0..RUNS {
                if held > allowed {
                    (held, blocks) = run(extractor, kind, before);
                    allowed = 3 * LENGTH + CONSTANT + blocks * BLOCK;
                }
            }
            println!(
                "{held:10} {blocks:7} {:5.2} {extractor} {before}{kind}",
                held as f64 / LENGTH as f64
            );
            if held > allowed {
                worst.push(format!(
                    "{extractor}: {before}{kind}: {held} bytes, allowed are {allowed}"
                ));
            }
        }
    }
    assert!(worst.is_empty(), "{worst:#?}");
}

/// The elements of [`kinds::page`] "deep elements that come and go" that hold text, the most that
/// [`BLOCKS`] allows.
const ELEMENTS: usize = 3 * BLOCKS;

/// Bytes that `best` may need more than `web-am` for each element with text. There are three times
/// as many of them as blocks, so their features are most of what a hostile page costs.
const ELEMENT: usize = 50;

#[test]
fn the_features_of_an_element_need_at_most_50_bytes() {
    if is_emulated() {
        return;
    }
    let kind = "deep elements that come and go";
    let least = |extractor| (0..RUNS).map(|_| run(extractor, kind, "").0).min().unwrap();
    let (best, webam) = (least(Extractor::Best), least(Extractor::WebAm));
    println!("{best} {webam} {} bytes an element", best.saturating_sub(webam) / ELEMENTS);
    assert!(best <= webam + ELEMENTS * ELEMENT, "{best} bytes, web-am needs {webam}");
}

/// Whether `test --full aarch64` runs this in an emulator: its own memory, for the code that it
/// translates, is as much as that of a page.
fn is_emulated() -> bool {
    let is_emulated = env::var_os("CORPULYZER_EMULATOR").is_some();
    if is_emulated {
        println!("skipped: the memory of an emulator says nothing about that of a page");
    }
    is_emulated
}

/// Reads a page in a process of its own. Returns the memory that it held, and its blocks.
fn run(extractor: Extractor, kind: &str, before: &str) -> (usize, usize) {
    let mut child = Command::new(env::current_exe().unwrap());
    let name = "no_kind_of_page_costs_more_than_three_times_its_length";
    let out = child.args([name, "--exact", "--nocapture"]).env(CHILD, extractor.name());
    let out = out.env("KIND", kind).env("BEFORE", before);
    let out = String::from_utf8(out.output().unwrap().stdout).unwrap();
    let figures = out.lines().find_map(|line| line.strip_prefix("held ")).expect(kind);
    let mut figures = figures.split(' ').map(|figure| figure.parse::<usize>().unwrap());
    (figures.next().unwrap(), figures.next().unwrap())
}

/// Prints what reading a page took, the page itself with it, and the page's blocks.
fn measure(extractor: Extractor, kind: &str, first: &str) {
    let (_, make) = kinds::KINDS.iter().find(|(name, _)| *name == kind).unwrap();
    let before = memory("VmRSS:");
    let html = [first, &kinds::page(make, LENGTH)].concat().into_bytes();
    let decoded = decode(&html, &Hints::default()).unwrap();
    let page =
        parse_for(extractor, &decoded.text, &Limits { max_blocks: BLOCKS, ..Limits::default() });
    let verdicts = classify(&page, extractor);
    println!("\nheld {} {}", memory("VmHWM:").saturating_sub(before), verdicts.len());
}
