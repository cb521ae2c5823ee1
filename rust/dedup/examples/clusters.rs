//! Clusters of drawn documents: time, memory, recall and precision.
//!
//! ```text
//! cargo run --release -p dedup --example clusters 10000000 1024    # documents, MiB of memory
//! ```
//!
//! Documents of 100 words are drawn from a seed. Of ten documents, seven are new; each of the
//! others is a version of an earlier one in which one word in 100, 50, 33, 25, 20 or 10 is changed.
//! Words are numbers, drawn from five million by Zipf's law.

use dedup::{Clusters, Shape, Sketcher};
use figures::minhash::mix;
use rayon::prelude::*;
use std::error::Error;
use std::fmt::Write as _;
use std::time::Instant;

const WORDS: u64 = 100;
const VOCABULARY: f64 = 5e6;
/// Documents that are drawn at once.
const BATCH: u64 = 1 << 14;
/// A version has one changed word in so many.
const EVERY: [u64; 6] = [100, 50, 33, 25, 20, 10];

/// A number from 0 to 1.
fn unit(seed: u64, number: u64) -> f64 {
    (mix(mix(seed, 71), number) >> 11) as f64 / (1u64 << 53) as f64
}

/// The document that a document is a version of, and one in how many words is changed; `None` for
/// a new document.
fn version(document: u64) -> Option<(u64, u64)> {
    if document == 0 || unit(1, document) < 0.7 {
        return None;
    }
    let mut original = (unit(2, document) * document as f64) as u64;
    while let Some((earlier, _)) = version(original) {
        original = earlier;
    }
    Some((original, EVERY[(unit(3, document) * EVERY.len() as f64) as usize]))
}

fn text(document: u64) -> String {
    let (source, every) = version(document).unwrap_or((document, 0));
    let mut text = String::with_capacity(700);
    for place in 0..WORDS {
        let is_changed = every > 0 && place % every == document % every.min(WORDS);
        let seed = if is_changed { document + (1 << 40) } else { source };
        let _ = write!(text, "{:x} ", VOCABULARY.powf(unit(seed, place)) as u64);
    }
    text
}

fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib >> 10)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let documents = arguments.next().ok_or("usage: clusters DOCUMENTS MIB")??;
    let memory = arguments.next().ok_or("usage: clusters DOCUMENTS MIB")??;
    let begin = Instant::now();
    let sketcher = Sketcher::new(Shape::default());
    let mut clusters = Clusters::new(&std::env::temp_dir(), usize::try_from(memory << 20)?)?;
    let mut start = 0;
    while start < documents {
        let end = documents.min(start + BATCH);
        let bands: Vec<Vec<u64>> =
            (start..end).into_par_iter().map(|document| sketcher.bands(&text(document))).collect();
        bands.iter().try_for_each(|bands| clusters.add(bands, 0))?;
        start = end;
    }
    println!(
        "{documents} documents read after {:.0} s, at most {:?} MiB",
        begin.elapsed().as_secs_f64(),
        peak_mib()
    );
    let mut members = clusters.join(&mut |_| true)?;
    println!("joined after {:.0} s, at most {:?} MiB", begin.elapsed().as_secs_f64(), peak_mib());
    // A cluster of unrelated documents has another first document than the original.
    let (mut found, mut all) = ([0u64; EVERY.len()], [0u64; EVERY.len()]);
    let (mut clustered, mut wrong) = (0u64, 0u64);
    for document in 0..documents {
        let place = members.place(document)?;
        let original = version(document);
        if let Some((source, every)) = original {
            let kind = EVERY.iter().position(|&other| other == every).unwrap_or(0);
            all[kind] += 1;
            found[kind] += u64::from(place.cluster == source);
        }
        clustered += u64::from(place.size > 1);
        let first = version(place.cluster).map_or(place.cluster, |(source, _)| source);
        wrong += u64::from(first != original.map_or(document, |(source, _)| source));
    }
    println!(
        "{clustered} documents in clusters, {wrong} of them with a document of another origin"
    );
    for ((every, found), all) in EVERY.iter().zip(found).zip(all) {
        println!(
            "one word in {every:>3} changed: {:.2} % of {all} found",
            100.0 * found as f64 / all.max(1) as f64
        );
    }
    Ok(())
}
