//! Bytes of HTML per second, over the shared annotated pages if they are there, else over the vectors.

// The macro makes a public function.
#![allow(missing_docs)]

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use std::path::{Path, PathBuf};
use webam::{classify, decode, parse, Extractor, Hints, Limits};

fn pages() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("CORPULYZER_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let folders = [shared.join("data/pages/aeb/html"), root.join("tests/vectors/pages")];
    let folder = folders.iter().find(|folder| folder.is_dir()).expect("a folder of pages");
    let entries = std::fs::read_dir(folder).expect("a folder that can be read");
    let paths = entries.flatten().map(|entry| entry.path());
    let html = paths.filter(|path| path.extension().is_some_and(|extension| extension == "html"));
    html.map(|path| std::fs::read(path).expect("a page that can be read")).collect()
}

fn extraction(criterion: &mut Criterion) {
    let pages = pages();
    let mut group = criterion.benchmark_group("pages");
    group.sample_size(10).throughput(Throughput::Bytes(pages.iter().map(|page| page.len() as u64).sum()));
    let read = |page: &Vec<u8>| decode(page, &Hints::default()).map(|decoded| parse(&decoded.text, &Limits::default()));
    group.bench_function("decode and parse", |bench| {
        bench.iter(|| pages.iter().map(read).filter(Result::is_ok).count())
    });
    for extractor in Extractor::ALL {
        group.bench_function(extractor.name(), |bench| {
            bench.iter(|| pages.iter().flat_map(read).map(|page| classify(&page, extractor).len()).sum::<usize>());
        });
    }
    group.finish();
}

criterion_group!(benches, extraction);
criterion_main!(benches);
