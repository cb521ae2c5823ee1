//! Removes duplicate text from a corpus, or marks clusters of near-duplicate pages.

mod clusters;
mod lines;

use crate::arguments::{mebibytes, number, whole};
use crate::context::Context;
use crate::io::console::{counted, spent, Stopped};
use crate::io::corpora::{all_sources, tell_problems, URL_MEMORY};
use crate::io::output::{folder, named, settle, FilePlace};
use crate::io::records::{Output, PageFields, Read, Records};
use anyhow::{anyhow, Error, Result};
use clap::{Args, ValueEnum};
use dedup::against::{self, Against, BadReference, Hit};
use dedup::pages::{filter_memory, rest, Passage, Reading, Removed, Stayed};
use dedup::{Deduplicator, Settings, Shape, Survival, Verdict};
use inputs::exclusions::Without;
use langid::LangCode;
use rayon::prelude::*;
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
    /// or an older release. Lines of plain text, JSON lines, WET or Parquet; plain, gzip or zstd;
    /// or a folder of them. Passages that hold one of its texts, exactly or nearly, are removed
    /// (with
    /// --whole: their pages). May be repeated
    #[arg(long, value_name = "REFERENCE", conflicts_with_all = ["clusters", "lines"])]
    against: Vec<PathBuf>,
    /// With --against: smallest percentage of a text's sequences of four words that a passage has,
    /// or of a passage's that the reference has
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = whole::<u32>(1..=100))]
    #[arg(requires = "against")]
    against_percent: u32,
    /// With --against: file for a table of the texts that were found (TSV)
    #[arg(long, value_name = "FILE", requires = "against")]
    hits: Option<PathBuf>,
    /// Words per sequence [default: 7; with --clusters: 5]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=100))]
    words: Option<u16>,
    /// Remove a block if more than this percentage of its sequences occurred before
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = whole::<u32>(0..=100))]
    #[arg(conflicts_with = "clusters")]
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
    #[arg(long, value_enum, default_value_t = Keep::All, value_name = "all|best|first")]
    #[arg(hide_possible_values = true, requires = "clusters")]
    keep: Keep,
    /// Bands of MinHash values. Pages with an equal band are near duplicates
    #[arg(long, default_value_t = 14, value_name = "N")]
    #[arg(value_parser = whole::<u16>(1..=Shape::MAX_VALUES as u64), requires = "clusters")]
    bands: u16,
    /// Values per band; bands x rows is at most 128
    #[arg(long, default_value_t = 8, value_name = "N")]
    #[arg(value_parser = whole::<u16>(1..=Shape::MAX_VALUES as u64), requires = "clusters")]
    rows: u16,
    /// Compare lines, not passages: each line stays once, and the most and least frequent lines
    /// are removed (W2C's rule). Reads every input twice
    #[arg(long, conflicts_with_all = ["clusters", "whole", "letters", "words", "percent"])]
    lines: bool,
    /// Percentage of the different lines to remove, the most frequent first
    #[arg(long, default_value_t = 1.0, value_name = "N", value_parser = number(0..=50), requires = "lines")]
    head: f64,
    /// Percentage of the different lines to remove, the least frequent first
    #[arg(long, default_value_t = 1.0, value_name = "N", value_parser = number(0..=50), requires = "lines")]
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

impl Arguments {
    /// Memory in bytes for sorting, and for references.
    fn memory(&self) -> usize {
        mebibytes(self.memory.unwrap_or(MEMORY))
    }

    /// Opens the corpora, which are none of the outputs.
    fn records(&self, context: &Context) -> Result<Records> {
        let outputs = named([
            (Some(&self.out), "--out"),
            (self.dropped.as_ref(), "--dropped"),
            (self.survival.as_ref(), "--survival"),
            (self.hits.as_ref(), "--hits"),
        ]);
        let read_too = self.without.iter().chain(&self.against).map(PathBuf::as_path);
        context.apart(&outputs, read_too)?;
        Records::new(&self.corpora, &outputs, context.max_bytes)
    }
}

/// The pages of a cluster that stay.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Keep {
    All,
    Best,
    First,
}

/// The outputs that every rule has.
struct Outputs {
    out: Output,
    dropped: Option<Output>,
    survival: Option<(FilePlace, Survival)>,
}

impl Outputs {
    fn open(arguments: &Arguments) -> Result<Self> {
        let out = Output::new(&arguments.out, "--out")?;
        let dropped = Output::of(arguments.dropped.as_deref(), "--dropped")?;
        let place = FilePlace::of(arguments.survival.as_deref(), "--survival")?;
        let with_sums = |place: FilePlace| {
            let sums = Survival::new(place.folder());
            (place, sums)
        };
        Ok(Self { out, dropped, survival: place.map(with_sums) })
    }

    /// Notes the bytes of a page that stay.
    fn survives(&mut self, page: &PageFields, bytes: usize) -> Result<()> {
        let Some((place, sums)) = &mut self.survival else { return Ok(()) };
        let added = sums.add(page.url.as_deref(), page.text().len(), bytes);
        added.map_err(|error| temporary(error, place.folder()))
    }

    /// Writes what is removed.
    fn drop(&mut self, removed: &impl Serialize) -> Result<()> {
        self.dropped.as_mut().map_or(Ok(true), |dropped| dropped.object(removed)).map(|_| ())
    }

    /// Writes the records that are left. Returns false if the reader of standard output closed its
    /// end.
    fn write(&mut self, left: Vec<Option<Vec<u8>>>) -> Result<bool> {
        for line in left.into_iter().flatten() {
            if !self.out.line(&line)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Puts the files in place. Returns the name of `--out`.
    fn finish(self, read: &Read) -> Result<String> {
        let whole = read.is_whole();
        self.dropped.map(|dropped| dropped.finish(whole)).transpose()?;
        if let Some((place, sums)) = self.survival {
            let table = sums.table().map_err(|error| temporary(error, place.folder()))?;
            settle(place, whole)?.write(table.as_bytes())?;
        }
        self.out.finish(whole)
    }
}

/// Prints how many pages the list of `--without` excludes.
fn tell_excluded(arguments: &Arguments, reading: &Reading) {
    if arguments.without.is_some() {
        note!("corpulyzer: excluded {} by --without", counted(reading.listed, "page"));
    }
}

/// Writes the records of the corpora without text of earlier records, or with the sizes of their
/// clusters. Unreadable records are not an error; they are named, counted and left out. The first
/// SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, an output cannot be written, or a signal stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let done = match (arguments.clusters, arguments.lines) {
        (true, _) => clusters::run(arguments, context),
        (false, true) => lines::run(arguments, context),
        (false, false) => passages(arguments, context),
    };
    done.map_err(|error| match error.downcast::<io::Error>() {
        Ok(error) => temporary(error, folder(&arguments.out)),
        Err(error) => error,
    })
}

/// Removes passages.
fn passages(arguments: &Arguments, context: &Context) -> Result<bool> {
    let engine = &context.engine(engine::Settings::new(arguments.language))?;
    let begin = Instant::now();
    let records = arguments.records(context)?;
    let mut outputs = Outputs::open(arguments)?;
    let mut stayed = outputs.dropped.is_some().then(|| Stayed::new(URL_MEMORY));
    let without = Without::of(arguments.without.as_deref(), context.max_bytes)?;
    let mut against = references(arguments, context.max_bytes)?;
    let Arguments { percent, whole, letters, .. } = *arguments;
    let words = arguments.words.unwrap_or(PASSAGE_WORDS).into();
    let given = arguments.memory.map(mebibytes);
    let memory = filter_memory(given, mebibytes(MEMORY), records.inputs());
    let mut deduplicator = Deduplicator::new(Settings { words, percent, whole, letters, memory });
    let (mut reading, mut removed) = (Reading::default(), Removed::default());
    let read = records.read(&mut |lines| {
        let mut lines = reading.next(lines, &without);
        if let Some((against, hits)) = &mut against {
            let mut hit = |hit: Hit| match hits {
                Some(hits) => hits.line(hit.row().as_bytes()).map(|_| ()),
                None => Ok(()),
            };
            lines = against
                .cut::<Error>(lines, engine, &mut hit, &mut |page| outputs.survives(page, 0))?;
        }
        let texts: Vec<&str> = lines.iter().map(|(_, page)| page.text()).collect();
        let verdicts = deduplicator.judge(&texts);
        for ((_, page), verdicts) in lines.iter().zip(&verdicts) {
            let (left, gone) = (bytes(verdicts, true), bytes(verdicts, false));
            removed.add(page.text().len(), gone, verdicts.iter().any(|verdict| verdict.kept));
            if let Some(stayed) = &mut stayed {
                stayed.passages(page, verdicts, &mut |gone: &Passage| outputs.drop(gone))?;
            }
            outputs.survives(page, left)?;
        }
        let lines = lines.into_par_iter().zip(&verdicts);
        let left = lines.map(|(line, verdicts)| rest(line, verdicts, engine));
        let is_open = outputs.write(left.collect::<Result<_, _>>()?)?;
        let gone = removed.gone;
        Ok(is_open.then(|| format!("{}, {gone} of them gone", counted(removed.pages, "page"))))
    })?;
    if !read.to_the_end {
        return Ok(true);
    }
    tell_problems("in all", &read.problems);
    if stayed.is_some_and(|stayed| stayed.is_full()) {
        eprintln!(
            "corpulyzer: the URLs of all pages do not fit into memory, so `same_as` is null for passages of the \
             last pages (--dropped)"
        );
    }
    if let Some((against, hits)) = against {
        finish_references(&against, hits, read.is_whole())?;
    }
    let out = outputs.finish(&read)?;
    warn_of_mistakes(&deduplicator);
    tell_excluded(arguments, &reading);
    note!("corpulyzer: {removed}, {}: {out}", spent(begin));
    Ok(read.is_whole())
}

/// Tells if the filter of known sequences of words was too small.
fn warn_of_mistakes(deduplicator: &Deduplicator) {
    let mistakes = deduplicator.false_positives();
    if mistakes > MANY_MISTAKES {
        eprintln!(
            "corpulyzer: there are {} million sequences of words, and {:.0} % of the new ones were treated as \
             known by mistake: increase --memory",
            deduplicator.sequences() / 1_000_000,
            mistakes * 100.0
        );
    }
}

/// Ends the table of `--hits`, and tells what was removed because of the references.
fn finish_references(against: &Against, hits: Option<Output>, is_whole: bool) -> Result<()> {
    let table = hits.map(|hits| hits.finish(is_whole)).transpose()?;
    let table = table.map_or_else(String::new, |table| format!(": {table}"));
    let (passages, pages) = (counted(against.passages, "passage"), counted(against.pages, "page"));
    let gone = against.gone;
    note!("corpulyzer: {against} (--against)");
    note!(
        "corpulyzer: removed {passages} of the references from {pages}, {gone} as a whole{table}"
    );
    Ok(())
}

/// Reads the references of `--against`, and begins the table of `--hits`; `None` if there are none.
fn references(arguments: &Arguments, max_bytes: u64) -> Result<Option<(Against, Option<Output>)>> {
    if arguments.against.is_empty() {
        return Ok(None);
    }
    let mut hits = Output::of(arguments.hits.as_deref(), "--hits")?;
    let settings = against::Settings {
        letters: arguments.letters,
        percent: arguments.against_percent,
        whole: arguments.whole,
        memory: arguments.memory(),
        max_bytes,
    };
    let sources = all_sources(&arguments.against).map_err(|bad| anyhow!("{bad} (--against)"))?;
    let against = Against::read(settings, &sources).map_err(|bad| match bad {
        BadReference::Text(bad) => bad.into(),
        bad => anyhow!("{bad} (--against)"),
    })?;
    hits.as_mut().map(|hits| hits.line(against::COLUMNS.as_bytes())).transpose()?;
    Ok(Some((against, hits)))
}

/// The error for temporary files in a folder; an interruption is a signal.
fn temporary(error: io::Error, folder: &Path) -> Error {
    if error.kind() == io::ErrorKind::Interrupted {
        return Stopped::without_output();
    }
    crate::io::console::temporary(folder)(error)
}

/// Returns the bytes of the passages that are kept, or of those that are not.
fn bytes(verdicts: &[Verdict], kept: bool) -> usize {
    verdicts.iter().filter(|verdict| verdict.kept == kept).map(|v| v.bytes.len()).sum()
}
