//! Removes duplicate text from a corpus, or marks clusters of near-duplicate pages.

mod against;
mod clusters;
mod lines;
mod survival;

use self::against::References;
use self::survival::SurvivalTable;
use crate::arguments::{mebibytes, whole};
use crate::context::Context;
use crate::io::console::{counted, Stopped};
use crate::io::corpora::{peak_memory, tell_problems, URL_MEMORY};
use crate::io::records::{Output, Page, Records};
use anyhow::{anyhow, Error, Result};
use clap::{Args, ValueEnum};
use dedup::pages::{memory_for, rest, Stayed};
use dedup::{Deduplicator, Settings, Shape, Verdict};
use inputs::exclusions::Without;
use langid::LangCode;
use rayon::prelude::*;
use records::Source;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Share of new sequences that are wrongly treated as known, from which a message recommends more
/// memory.
const MANY_MISTAKES: f64 = 0.02;

/// Memory in MiB without `--memory`.
const MEMORY: u64 = 1024;

/// Words per sequence of onion.
const PASSAGE_WORDS: u16 = 7;

/// Remove repeated and nearly repeated text from a corpus, block by block; the first occurrence
/// stays. With --clusters, mark pages that are near duplicates instead
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl, or other JSON lines with `text`: plain, gzip or zstd; Parquet; or
    /// folders of them. - is standard input. Text of an earlier file is removed from later files
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the corpus; .gz and .zst compress. An old file is replaced after the new one is
    /// complete. - is standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Exclusion list. Each line is a host (which excludes its subdomains too), a URL prefix, or =
    /// and the URL of a page. `audit count --verdicts` writes such a list
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
    /// File for the removed text: JSON lines with `url`, `same_as` (the page that has the same text
    /// word for word, or null), `known_percent` and `text`. With --clusters: the removed records
    #[arg(long, value_name = "FILE")]
    dropped: Option<PathBuf>,
    /// Reference whose text must not be in the corpus: a benchmark, to decontaminate training text,
    /// or an older release. Lines of plain text, JSON lines, WET or Parquet; plain, gzip or zstd; or
    /// a folder of them. Passages that hold one of its texts, exactly or nearly, are removed (with
    /// --whole: their pages). May be repeated
    #[arg(long, value_name = "REFERENCE", conflicts_with_all = ["clusters", "lines"])]
    against: Vec<PathBuf>,
    /// With --against: smallest percentage of a text's sequences of four words that a passage has,
    /// or of a passage's that the reference has
    #[arg(
        long,
        default_value_t = 50,
        value_name = "N",
        value_parser = whole::<u32>(1..=100),
        requires = "against"
    )]
    against_percent: u32,
    /// With --against: file for a table of the texts that were found (TSV)
    #[arg(long, value_name = "FILE", requires = "against")]
    hits: Option<PathBuf>,
    /// Words per sequence [default: 7; with --clusters: 5]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=100))]
    words: Option<u16>,
    /// Remove a block if more than this percentage of its sequences occurred before
    #[arg(
        long,
        default_value_t = 50,
        value_name = "N",
        value_parser = whole::<u32>(0..=100),
        conflicts_with = "clusters"
    )]
    percent: u32,
    /// Compare whole pages, not blocks, with all earlier text
    #[arg(long, conflicts_with = "clusters")]
    whole: bool,
    /// Find clusters of near-duplicate pages by MinHash. Add `minhash_cluster_id` and
    /// `minhash_cluster_size` to each record, and change no text
    #[arg(long)]
    clusters: bool,
    /// Pages of each cluster to keep: all, the best page, or the first page in the order of the
    /// inputs. A page without `noise` is better, then a page with more bytes in the language
    #[arg(
        long,
        value_enum,
        default_value_t = Keep::All,
        value_name = "all|best|first",
        hide_possible_values = true,
        requires = "clusters"
    )]
    keep: Keep,
    /// Bands of MinHash values. Pages with an equal band are near duplicates
    #[arg(
        long,
        default_value_t = 14,
        value_name = "N",
        value_parser = whole::<u16>(1..=Shape::MAX_VALUES as u64),
        requires = "clusters"
    )]
    bands: u16,
    /// Values per band; bands x rows is at most 128
    #[arg(
        long,
        default_value_t = 8,
        value_name = "N",
        value_parser = whole::<u16>(1..=Shape::MAX_VALUES as u64),
        requires = "clusters"
    )]
    rows: u16,
    /// Compare lines, not passages: each line stays once, and the most and least frequent lines
    /// are removed (W2C's rule). Reads every input twice
    #[arg(long, conflicts_with_all = ["clusters", "whole", "letters", "words", "percent"])]
    lines: bool,
    /// Percentage of the different lines to remove, the most frequent first
    #[arg(long, default_value_t = 1.0, value_name = "N", value_parser = end, requires = "lines")]
    head: f64,
    /// Percentage of the different lines to remove, the least frequent first
    #[arg(long, default_value_t = 1.0, value_name = "N", value_parser = end, requires = "lines")]
    tail: f64,
    /// File for a table of hosts: pages, different URLs, bytes, and their shares that stay
    #[arg(long, value_name = "FILE", conflicts_with = "clusters")]
    survival: Option<PathBuf>,
    /// Compare letters only: text that differs only in numbers and punctuation is a duplicate
    #[arg(long)]
    letters: bool,
    /// Memory for sequences, in MiB; 1024 MiB hold 860 million. With --clusters: memory for
    /// sorting; more data goes to temporary files in the folder of --out [default: 1024; less for
    /// small inputs]
    #[arg(long, value_name = "MIB", value_parser = whole::<u64>(1..=1 << 20))]
    memory: Option<u64>,
    /// Language of the corpus, an ISO 639 code or a name. It is needed to count the bytes of each
    /// language again in pages that lose text
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
}

/// Parses a percentage of the lines at one end.
fn end(text: &str) -> Result<f64, &'static str> {
    let percent = text.parse().ok().filter(|percent| (0.0..=50.0).contains(percent));
    percent.ok_or("allowed are percentages from 0 to 50")
}

impl Arguments {
    /// Memory in bytes for sorting.
    fn sort_memory(&self) -> usize {
        mebibytes(self.memory.unwrap_or(MEMORY))
    }
}

/// Returns the output files with their options.
fn outputs(arguments: &Arguments) -> Vec<(&Path, &'static str)> {
    let outputs = [
        (Some(&arguments.out), "--out"),
        (arguments.dropped.as_ref(), "--dropped"),
        (arguments.survival.as_ref(), "--survival"),
        (arguments.hits.as_ref(), "--hits"),
    ];
    outputs.into_iter().filter_map(|(path, option)| Some((path?.as_path(), option))).collect()
}

/// The pages of a cluster that stay.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Keep {
    All,
    Best,
    First,
}

/// Sums over pages.
#[derive(Default)]
struct Sums {
    pages: u64,
    /// Listed pages (`--without`).
    listed: u64,
    /// Pages that were removed completely.
    gone: u64,
    /// Pages that lost a part of their text.
    cut: u64,
    bytes: u64,
    gone_bytes: u64,
}

/// Writes the records of the corpora without text of earlier records, or with the sizes of their
/// clusters. Unreadable records are not an
/// error; they are named, counted and left out. The first SIGINT or SIGTERM stops the work and
/// leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, an output cannot be written, or a signal stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    if arguments.clusters {
        return clusters::run(arguments, context.max_bytes);
    }
    if arguments.lines {
        return lines::run(arguments, context);
    }
    let engine = &context.engine(engine::Settings::new(arguments.language))?;
    let max_bytes = context.max_bytes;

    let begin = Instant::now();
    let outputs = outputs(arguments);
    let read_too = arguments.without.iter().chain(&arguments.against).map(PathBuf::as_path);
    context.apart(&outputs, read_too)?;
    let records = Records::new(&arguments.corpora, &outputs, max_bytes)?;
    let mut out = Output::new(&arguments.out, "--out")?;
    let mut dropped = arguments
        .dropped
        .as_deref()
        .map(|path| Output::new(path, "--dropped").map(Dropped::new))
        .transpose()?;
    let mut survival = arguments.survival.as_deref().map(SurvivalTable::new).transpose()?;
    let without = Without::of(arguments.without.as_deref(), max_bytes)?;
    let mut against = References::read(arguments, max_bytes)?;
    let memory = filter_memory(arguments.memory, records.inputs());
    let Arguments { percent, whole, letters, .. } = *arguments;
    let settings = Settings {
        words: arguments.words.unwrap_or(PASSAGE_WORDS).into(),
        percent,
        whole,
        letters,
        memory,
    };
    let mut deduplicator = Deduplicator::new(settings);
    let mut sums = Sums::default();
    let read = records.read(&mut |mut lines| {
        let all = lines.len();
        lines.retain(|(_, page)| !page.url.as_deref().is_some_and(|url| without.has(url)));
        sums.listed += (all - lines.len()) as u64;
        if let Some(against) = &mut against {
            lines = against.cut(lines, engine, &mut |page| match &mut survival {
                Some(survival) => survival.add(page.url.as_deref(), page.text().len(), 0),
                None => Ok(()),
            })?;
        }
        let texts: Vec<&str> = lines.iter().map(|(_, page)| page.text()).collect();
        let verdicts = deduplicator.judge(&texts);
        for ((_, page), verdicts) in lines.iter().zip(&verdicts) {
            sums.add(page.text(), verdicts);
            if let Some(dropped) = &mut dropped {
                dropped.tell(page, verdicts)?;
            }
            if let Some(survival) = &mut survival {
                survival.add(page.url.as_deref(), page.text().len(), bytes(verdicts, true))?;
            }
        }
        let kept: Vec<Option<Vec<u8>>> = lines
            .into_par_iter()
            .zip(&verdicts)
            .map(|(line, verdicts)| rest(line, verdicts, engine))
            .collect::<Result<_, _>>()?;
        for line in kept.into_iter().flatten() {
            if !out.line(&line)? {
                return Ok(None);
            }
        }
        Ok(Some(format!("{}, {} of them gone", counted(sums.pages, "page"), sums.gone)))
    })?;
    if !read.to_the_end {
        return Ok(true);
    }
    tell_problems("in all", &read.problems);
    if let Some(dropped) = dropped {
        if dropped.stayed.is_full() {
            eprintln!(
                "corpulyzer: the URLs of all pages do not fit into memory, so `same_as` is null for passages of the \
                 last pages (--dropped)"
            );
        }
        dropped.out.finish(read.is_whole())?;
    }
    if let Some(against) = against {
        against.finish(read.is_whole())?;
    }
    if let Some(survival) = survival {
        survival.finish(read.is_whole())?;
    }
    let out = out.finish(read.is_whole())?;
    sums.tell(arguments, &out, &deduplicator, begin);
    Ok(read.is_whole())
}

/// The error for temporary files in a folder; an interruption is a signal.
fn temporary(error: &io::Error, folder: &Path) -> Error {
    if error.kind() == io::ErrorKind::Interrupted {
        return Stopped::without_output();
    }
    anyhow!("temporary files in {}: {error}", folder.display())
}

/// Memory in bytes for the filter of sequences. Without `--memory`, small corpora cost less than
/// large ones.
fn filter_memory(given: Option<u64>, inputs: &[Source]) -> usize {
    given.map_or_else(|| mebibytes(MEMORY).min(memory_for(inputs)), mebibytes)
}

/// Returns the bytes of the passages that are kept, or of those that are not.
fn bytes(verdicts: &[Verdict], kept: bool) -> usize {
    verdicts.iter().filter(|verdict| verdict.kept == kept).map(|v| v.bytes.len()).sum()
}

/// Writes the removed text, with the URL of the page that has it word for word.
struct Dropped {
    out: Output,
    stayed: Stayed,
}

impl Dropped {
    fn new(out: Output) -> Self {
        Self { out, stayed: Stayed::new(URL_MEMORY) }
    }

    /// Writes the removed passages of a page, one on each line, and remembers those that stayed.
    fn tell(&mut self, page: &Page, verdicts: &[Verdict]) -> Result<()> {
        #[derive(Serialize)]
        struct Passage<'a> {
            url: Option<&'a str>,
            same_as: Option<&'a str>,
            known_percent: usize,
            text: &'a str,
        }
        let mut is_new = true;
        for verdict in verdicts {
            if verdict.kept {
                self.stayed.add(page.url.as_deref(), verdict.fingerprint, &mut is_new);
                continue;
            }
            let line = Passage {
                url: page.url.as_deref(),
                same_as: self.stayed.page(verdict.fingerprint),
                known_percent: verdict.known * 100 / verdict.sequences.max(1),
                text: &page.text()[verdict.bytes.clone()],
            };
            self.out.object(&line)?;
        }
        Ok(())
    }
}

impl Sums {
    fn add(&mut self, text: &str, verdicts: &[Verdict]) {
        let gone = bytes(verdicts, false);
        self.pages += 1;
        self.bytes += text.len() as u64;
        self.gone_bytes += gone as u64;
        if gone > 0 {
            *(if verdicts.iter().any(|verdict| verdict.kept) {
                &mut self.cut
            } else {
                &mut self.gone
            }) += 1;
        }
    }

    fn tell(&self, arguments: &Arguments, out: &str, deduplicator: &Deduplicator, begin: Instant) {
        let mistakes = deduplicator.false_positives();
        if mistakes > MANY_MISTAKES {
            eprintln!(
                "corpulyzer: there are {} million sequences of words, and {:.0} % of the new ones were treated as \
                 known by mistake: increase --memory",
                deduplicator.sequences() / 1_000_000,
                mistakes * 100.0
            );
        }
        if arguments.without.is_some() {
            eprintln!("corpulyzer: excluded {} by --without", counted(self.listed, "page"));
        }
        eprintln!(
            "corpulyzer: {}: {} removed as a whole, {} in part; {:.1} of {:.1} MB of text removed ({:.1} %), in {:.1} \
             s{}: {out}",
            counted(self.pages, "page"),
            self.gone,
            self.cut,
            self.gone_bytes as f64 / 1e6,
            self.bytes as f64 / 1e6,
            100.0 * self.gone_bytes as f64 / self.bytes.max(1) as f64,
            begin.elapsed().as_secs_f64(),
            peak_memory().map_or_else(String::new, |peak| format!(", at most {} MiB of memory", peak >> 20))
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_was_asked_for_is_not_reduced() {
        let (path, name) = (PathBuf::from("a.jsonl"), "a.jsonl".to_owned());
        let small = [Source { path, name, bytes: Some(1000), ranges: None }];
        assert!(filter_memory(None, &small) < 1 << 20);
        assert_eq!(filter_memory(Some(2), &small), 2 << 20);
    }
}
