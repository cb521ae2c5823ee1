//! The pages of all inputs, batch by batch, on all cores, without duplicate URLs.
//!
//! One thread reads records, all threads parse them. Of records with the same URL the first in the
//! order of the inputs counts.

pub use crate::failure::Failure;
use crate::identity;
use crate::page::CorpusPage;
use crate::parse::{is_rejected, millis, page_of};
use crate::seen::Seen;
use engine::Engine;
use rayon::prelude::*;
use records::{Body, Fault, NotedProblem, Problem, ProblemKind, Record, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{sync_channel, SyncSender};
use std::sync::Arc;

/// Bytes of records that are read at a time.
const BATCH_BYTES: usize = 8 << 20;

/// Records that are read at a time.
const BATCH_RECORDS: usize = 4096;

/// Problems of each kind that are stored with their places.
const KEPT_PROBLEMS: u64 = 10;

/// Inputs and settings of the reading.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// The inputs, in order.
    pub sources: &'a [Source],
    /// The engine that reads pages, and counts languages if records do not have the counts.
    pub engine: &'a Engine,
    /// Folder for temporary files.
    pub folder: &'a Path,
    /// Memory for the URLs read so far, in bytes; the rest goes to temporary files.
    pub memory: usize,
    /// Longest record, in bytes.
    pub max_bytes: u64,
    /// Set this flag to stop early.
    pub stop: &'a AtomicBool,
}

/// Progress of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read, before decompression.
    pub bytes: u64,
    /// Number of records that were read.
    pub records: u64,
    /// Whether all records are read and only the final sums are missing.
    pub all_read: bool,
}

/// Figures of the input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFigures {
    /// Number of files; for a crawl's table its regions.
    pub files: u64,
    /// Bytes read, before decompression.
    pub bytes: u64,
    /// Records, valid and invalid.
    pub records: u64,
    /// Records that are not pages: requests, images, redirects.
    pub other_records: u64,
    /// Pages whose URL was compared with earlier ones.
    pub urls_checked: u64,
    /// Skipped records, by kind of problem.
    pub problems: BTreeMap<ProblemKind, u64>,
    /// The first ten of each kind.
    pub first_problems: Vec<NotedProblem>,
}

impl InputFigures {
    /// Counts a problem, and returns whether its place is stored.
    pub(crate) fn note(&mut self, problem: &Problem) -> bool {
        let count = self.problems.entry(problem.kind()).or_default();
        *count += 1;
        let kept = *count <= KEPT_PROBLEMS;
        if kept {
            self.first_problems.push(problem.into());
        }
        kept
    }

    /// Adds the figures of other inputs. Of the problems of a kind those with the least places are
    /// stored, in any order of merging.
    pub(crate) fn merge(&mut self, other: Self) {
        self.files = self.files.saturating_add(other.files);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.records = self.records.saturating_add(other.records);
        self.other_records = self.other_records.saturating_add(other.other_records);
        self.urls_checked = self.urls_checked.saturating_add(other.urls_checked);
        for (kind, count) in other.problems {
            let sum = self.problems.entry(kind).or_default();
            *sum = sum.saturating_add(count);
        }
        self.first_problems.extend(other.first_problems);
        self.first_problems.sort_by(|a, b| (a.kind, &a.place).cmp(&(b.kind, &b.place)));
        let mut kept = BTreeMap::new();
        self.first_problems.retain(|problem| {
            let count: &mut u64 = kept.entry(problem.kind).or_default();
            *count += 1;
            *count <= KEPT_PROBLEMS
        });
    }
}

/// Records of one file that are read together.
#[derive(Default)]
struct Batch {
    source: usize,
    records: Vec<Result<Record, Problem>>,
}

impl Inputs<'_> {
    /// Passes the pages with new URLs to `take`, a batch at a time. `tell` receives each of the
    /// first problems and, after each batch, the progress.
    ///
    /// # Errors
    /// Fails if an input cannot be opened, a temporary file cannot be written, the work was
    /// stopped, or `take` fails.
    pub fn pages(
        &self,
        tell: &mut dyn FnMut(Result<Progress, &Problem>),
        take: &mut dyn FnMut(Vec<CorpusPage>) -> io::Result<()>,
    ) -> Result<InputFigures, Failure> {
        let read = Arc::new(AtomicU64::new(0));
        let mut input =
            InputFigures { files: self.sources.len() as u64, ..InputFigures::default() };
        let mut seen = Seen::new(self.folder, self.memory);
        std::thread::scope(|scope| {
            let (sender, batches) = sync_channel::<Batch>(1);
            let reader = scope.spawn({
                let read = &read;
                move || read_all(self, read, &sender)
            });
            let mut outcome = Ok(());
            for batch in batches {
                if self.stop.load(Ordering::Relaxed) {
                    outcome = Err(Failure::Stopped);
                    break;
                }
                input.records += batch.records.len() as u64;
                let name = &self.sources[batch.source].name;
                let taken = sort(parse(batch, self.engine, name), &mut seen).and_then(|sorted| {
                    input.other_records += sorted.others;
                    input.urls_checked += sorted.checked;
                    for problem in &sorted.problems {
                        if input.note(problem) {
                            tell(Err(problem));
                        }
                    }
                    take(sorted.pages)
                });
                if let Err(error) = taken {
                    outcome = Err(failed(self.folder, error));
                    break;
                }
                tell(Ok(Progress {
                    bytes: read.load(Ordering::Relaxed),
                    records: input.records,
                    all_read: false,
                }));
            }
            // The channel is closed by now, so a blocked reader ends.
            let all_read = reader.join().unwrap_or(Err(Failure::Panicked));
            outcome.and(all_read)
        })?;
        if self.stop.load(Ordering::Relaxed) {
            return Err(Failure::Stopped);
        }
        input.bytes = read.load(Ordering::Relaxed);
        tell(Ok(Progress { bytes: input.bytes, records: input.records, all_read: true }));
        Ok(input)
    }
}

/// Returns the failure for an error of a temporary file in a folder.
pub fn failed(folder: &Path, error: io::Error) -> Failure {
    Failure::Temporary { folder: folder.to_owned(), error }
}

/// Reads every source into batches. Ends early if the receiver is gone.
fn read_all(
    inputs: &Inputs,
    read: &Arc<AtomicU64>,
    sender: &SyncSender<Batch>,
) -> Result<(), Failure> {
    for (number, source) in inputs.sources.iter().enumerate() {
        let input = source
            .open(inputs.max_bytes, read)
            .map_err(|error| Failure::Input { name: source.name.clone(), error })?;
        let mut batch = Batch { source: number, ..Batch::default() };
        let mut bytes = 0;
        for record in input {
            bytes += match &record {
                Ok(Record {
                    body:
                        Body::Json(text)
                        | Body::Html(_, _, text)
                        | Body::Document(_, _, text)
                        | Body::Text(_, text),
                    ..
                }) => text.len(),
                _ => 0,
            };
            batch.records.push(record);
            if bytes >= BATCH_BYTES || batch.records.len() >= BATCH_RECORDS {
                if sender.send(std::mem::take(&mut batch)).is_err() {
                    return Ok(());
                }
                (batch.source, bytes) = (number, 0);
            }
            if inputs.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
        if !batch.records.is_empty() && sender.send(batch).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// A record's place and its result; no page for a record that is not one.
type Parsed = (String, Result<Option<CorpusPage>, Problem>);

fn parse(batch: Batch, engine: &Engine, name: &str) -> Vec<Parsed> {
    let parse = |record: Result<Record, Problem>| match record {
        Err(problem) => (String::new(), Err(problem)),
        Ok(Record { number, body, decision, about, .. }) => {
            let what = if matches!(body, Body::Json(_)) { "line" } else { "record" };
            let place = format!("{name}, {what} {number}");
            // A page that makes the engine panic must not affect the others.
            let page = catch_unwind(AssertUnwindSafe(|| page_of(body, &about, engine)))
                .unwrap_or(Err(Fault::Panic));
            let mut page = page.map_err(|fault| fault.at(&place));
            if let Ok(Some(page)) = &mut page {
                page.kept &= !is_rejected(decision.as_deref());
                page.fetched = page.fetched.or_else(|| millis(&about.date));
            }
            (place, page)
        }
    };
    batch.records.into_par_iter().map(parse).collect()
}

/// The records of a batch, sorted by result.
#[derive(Default)]
struct Sorted {
    /// Pages with URLs that no earlier record had.
    pages: Vec<CorpusPage>,
    problems: Vec<Problem>,
    /// Records that are neither pages nor problems.
    others: u64,
    /// Pages whose URL was compared.
    checked: u64,
}

fn sort(parsed: Vec<Parsed>, seen: &mut Seen) -> io::Result<Sorted> {
    let mut sorted = Sorted { pages: Vec::with_capacity(parsed.len()), ..Sorted::default() };
    for (place, page) in parsed {
        match page {
            Err(problem) => sorted.problems.push(problem),
            Ok(None) => sorted.others += 1,
            // Without a URL, duplicates cannot be detected.
            Ok(Some(page)) if page.url.is_empty() => sorted.pages.push(page),
            Ok(Some(page)) => {
                sorted.checked += 1;
                if seen.is_new(identity::of_run(page.url.as_bytes()))? {
                    sorted.pages.push(page);
                } else {
                    sorted.problems.push(Fault::Duplicate(page.url).at(place));
                }
            }
        }
    }
    Ok(sorted)
}
