//! A corpus without what it has twice.

use crate::counted::counted;
use crate::place::apart;
use crate::reading::{peak_memory, tell_problems, URL_MEMORY};
use crate::records::{Fields, Line, Output, Page, Records, LANGUAGES};
use crate::without::Without;
use corpus::parse::record_of_text;
use dedup::{Deduplicator, Settings, Verdict};
use engine::Engine;
use rayon::prelude::*;
use records::Source;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Share of new sequences taken for known from which on more memory is asked for.
const MANY_MISTAKES: f64 = 0.02;

/// How much of a compressed file's bytes there are unpacked, at most; text is packed to a third or a fifth.
const COMPRESSED: u64 = 16;

/// Bytes of a corpus for each sequence, at least.
const SEQUENCE_BYTES: u64 = 3;

/// Bytes of memory for an address beside its letters, and for a passage that stayed, about.
const ADDRESS_BYTES: usize = 32;
const PASSAGE_BYTES: usize = 24;

/// What is asked for.
pub struct Asked<'a> {
    /// Files and folders.
    pub corpora: &'a [PathBuf],
    /// File for what stays; `-` is standard output.
    pub out: &'a Path,
    /// List of pages and hosts that are left out.
    pub without: Option<&'a Path>,
    /// File for what goes.
    pub dropped: Option<&'a Path>,
    /// What counts as a duplicate.
    pub settings: Settings,
}

/// Sums of what was done.
#[derive(Default)]
struct Sums {
    pages: u64,
    /// Pages that are listed.
    listed: u64,
    /// Pages of which nothing stayed.
    gone: u64,
    /// Pages of which some stayed.
    cut: u64,
    bytes: u64,
    gone_bytes: u64,
}

/// Writes the corpora's records without the text that an earlier one had. Records that cannot be read are no error; they are named,
/// counted and left out. The first SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// When an input cannot be read, an output cannot be written, or a signal stopped the work.
pub fn run(asked: &Asked, engine: &Engine, max_bytes: u64) -> Result<bool, String> {
    let begin = Instant::now();
    let outputs = [Some((asked.out, "--out")), asked.dropped.map(|path| (path, "--dropped"))];
    let outputs: Vec<_> = outputs.into_iter().flatten().collect();
    apart(&outputs, asked.without)?;
    let records = Records::new(asked.corpora, &outputs, max_bytes)?;
    let mut out = Output::new(asked.out, "--out")?;
    let mut dropped = asked.dropped.map(|path| Output::new(path, "--dropped").map(Dropped::new)).transpose()?;
    let without = asked.without.map(|file| Without::read(file, max_bytes)).transpose()?.unwrap_or_default();
    let memory = asked.settings.memory.min(needed(records.inputs()));
    let mut deduplicator = Deduplicator::new(Settings { memory, ..asked.settings });
    let mut sums = Sums::default();
    let read = records.read(&mut |mut lines| {
        let all = lines.len();
        lines.retain(|(_, page)| !page.url.as_deref().is_some_and(|url| without.has(url)));
        sums.listed += (all - lines.len()) as u64;
        let texts: Vec<&str> = lines.iter().map(|(_, page)| page.text()).collect();
        let verdicts = deduplicator.judge(&texts);
        for ((_, page), verdicts) in lines.iter().zip(&verdicts) {
            sums.add(page.text(), verdicts);
            if let Some(dropped) = &mut dropped {
                dropped.tell(page, verdicts)?;
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
        if dropped.bytes >= URL_MEMORY {
            eprintln!("corpulyzer: there was no memory for the addresses of all pages; of passages of the last ones `same_as` is null (--dropped)");
        }
        dropped.out.finish(read.is_whole())?;
    }
    let out = out.finish(read.is_whole())?;
    sums.tell(asked, &out, &deduplicator, begin);
    Ok(read.is_whole())
}

/// Bytes of memory that are enough for all sequences of files, so that small corpora do not cost what large ones do.
fn needed(inputs: &[Source]) -> usize {
    let bytes = |input: &Source| {
        let compressed = input.path.extension().is_some_and(|ending| ending == "gz" || ending == "zst");
        Some(input.bytes? * if compressed { COMPRESSED } else { 1 })
    };
    // Of a pipe nobody knows.
    let bytes: Option<u64> = inputs.iter().map(bytes).sum();
    bytes.map_or(usize::MAX, |bytes| (bytes / SEQUENCE_BYTES * dedup::FILTER_BITS as u64 / 8) as usize)
}

/// What stays of a record. Of one that loses text, figures of the text are counted again.
fn rest((line, page): Line, verdicts: &[Verdict], engine: &Engine) -> Result<Option<Vec<u8>>, String> {
    if verdicts.iter().all(|verdict| verdict.kept) {
        return Ok(Some(line));
    }
    let kept = verdicts.iter().filter(|verdict| verdict.kept).map(|verdict| &page.text()[verdict.bytes.clone()]);
    let text = kept.collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        return Ok(None);
    }
    let mut fields = Fields::of(&line)?;
    fields.set("text", &text)?;
    fields.set("main_bytes", &text.len())?;
    for name in LANGUAGES.into_iter().filter(|name| fields.get(name).is_some()).collect::<Vec<_>>() {
        let languages = record_of_text(&text, engine).languages;
        let languages: BTreeMap<String, u64> =
            languages.iter().map(|(code, bytes)| (code.to_string(), bytes)).collect();
        fields.set(name, &languages)?;
    }
    fields.line().map(Some)
}

/// Writes what goes, with the address of the page that has it word for word.
struct Dropped {
    out: Output,
    /// Which page's address stands for the words of a passage that stayed.
    kept: HashMap<u64, u32>,
    addresses: Vec<Box<str>>,
    /// Bytes of memory that these take, about.
    bytes: usize,
}

impl Dropped {
    fn new(out: Output) -> Self {
        Self { out, kept: HashMap::new(), addresses: Vec::new(), bytes: 0 }
    }

    /// Writes what went of a page, a passage a line, and remembers what stayed.
    fn tell(&mut self, page: &Page, verdicts: &[Verdict]) -> Result<(), String> {
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
                self.remember(page.url.as_deref(), verdict.fingerprint, &mut is_new);
                continue;
            }
            let line = Passage {
                url: page.url.as_deref(),
                same_as: self.kept.get(&verdict.fingerprint).map(|&page| &*self.addresses[page as usize]),
                known_percent: verdict.known * 100 / verdict.sequences.max(1),
                text: &page.text()[verdict.bytes.clone()],
            };
            self.out.object(&line)?;
        }
        Ok(())
    }

    /// Remembers that a passage stayed on a page, while there is memory. `is_new` says whether the page has no passage here yet.
    fn remember(&mut self, url: Option<&str>, fingerprint: u64, is_new: &mut bool) {
        let Some(url) = url.filter(|_| self.bytes < URL_MEMORY) else { return };
        if *is_new {
            self.addresses.push(url.into());
            self.bytes += url.len() + ADDRESS_BYTES;
            *is_new = false;
        }
        self.kept.entry(fingerprint).or_insert(self.addresses.len() as u32 - 1);
        self.bytes += PASSAGE_BYTES;
    }
}

impl Sums {
    fn add(&mut self, text: &str, verdicts: &[Verdict]) {
        let gone: usize = verdicts.iter().filter(|verdict| !verdict.kept).map(|verdict| verdict.bytes.len()).sum();
        self.pages += 1;
        self.bytes += text.len() as u64;
        self.gone_bytes += gone as u64;
        if gone > 0 {
            *(if verdicts.iter().any(|verdict| verdict.kept) { &mut self.cut } else { &mut self.gone }) += 1;
        }
    }

    fn tell(&self, asked: &Asked, out: &str, deduplicator: &Deduplicator, begin: Instant) {
        let mistakes = deduplicator.false_positives();
        if mistakes > MANY_MISTAKES {
            eprintln!(
                "corpulyzer: of {} million sequences of words {:.0} in a hundred were taken for known that were not: give more memory \
                 (--memory)",
                deduplicator.sequences() / 1_000_000,
                mistakes * 100.0
            );
        }
        if asked.without.is_some() {
            eprintln!("corpulyzer: left out {} by --without", counted(self.listed, "page"));
        }
        eprintln!(
            "corpulyzer: {}, of which {} went as a whole and {} in part; {:.1} of {:.1} MB of text went ({:.1} %), in {:.1} s{}: {out}",
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
