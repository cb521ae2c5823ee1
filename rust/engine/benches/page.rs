//! Speed of the engine, in page bytes per second: `cargo bench -p engine`.
//!
//! The pages are those of `tests/vectors`, and all real pages of the shared folder's development
//! set where it is present. `page` is the whole road; `extraction` leaves out the counting of
//! languages.
#![allow(missing_docs, clippy::unwrap_used)]

use content::{classify, decode, parse_for, Hints, Limits};
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use engine::{Engine, PageHints, Settings};
use std::fs;
use std::path::{Path, PathBuf};

fn pages(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|ending| ending == "html"));
    pages.map(|page| fs::read(page).unwrap()).collect()
}

fn sets() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared =
        std::env::var_os("CORPULYZER_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let sets = [
        ("vectors", root.join("tests/vectors/pages")),
        ("real", shared.join("data/pages/aeb/html")),
    ];
    sets.into_iter()
        .map(|(name, folder)| (name, pages(&folder)))
        .filter(|(_, pages)| !pages.is_empty())
        .collect()
}

fn page(criterion: &mut Criterion) {
    let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
    for (name, pages) in sets() {
        let mut group = criterion.benchmark_group(name);
        group
            .sample_size(10)
            .throughput(Throughput::Bytes(pages.iter().map(|page| page.len() as u64).sum()));
        group.bench_function(BenchmarkId::from_parameter("page"), |bench| {
            bench.iter(|| {
                pages
                    .iter()
                    .map(|page| engine.page(page, &PageHints::default()).main_bytes)
                    .sum::<u64>()
            });
        });
        group.bench_function(BenchmarkId::from_parameter("extraction"), |bench| {
            bench.iter(|| pages.iter().map(|page| kept(page, engine.settings())).sum::<usize>());
        });
        group.finish();
    }
}

fn kept(content: &[u8], settings: &Settings) -> usize {
    let decoded = decode(content, &Hints::default()).unwrap();
    let page = parse_for(settings.extractor, &decoded.text, &Limits::default());
    classify(&page, settings.extractor).iter().filter(|verdict| verdict.kept).count()
}

criterion_group!(benches, page);
criterion_main!(benches);
