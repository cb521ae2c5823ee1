//! Reads inputs and measures them, on all cores, in bounded memory.
//!
//! One thread reads records, all threads parse and measure them. Which of two records with one URL counts depends on their order in the
//! inputs alone, so the figures do not depend on threads.

use crate::measures::{Figures, Measures, Plan};
use crate::page::{Page, Viewer};
use crate::read::{page_of, Body, Problem, ProblemKind, Record, Source};
use crate::scratch::Scratch;
use crate::seen::Seen;
use crate::sites::Sites;
use crate::state::Accumulator;
use crate::tokens::Tokenizer;
use crate::urls::{fingerprint, Urls};
use engine::Engine;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{sync_channel, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of records that are measured at a time.
const BATCH_BYTES: usize = 8 << 20;

/// Records that are measured at a time.
const BATCH_RECORDS: usize = 4096;

/// Problems of a kind whose places are kept.
const KEPT_PROBLEMS: u64 = 10;

/// What is to be done.
#[derive(Debug)]
pub struct Job<'a> {
    /// The inputs, in order.
    pub sources: &'a [Source],
    /// What is measured.
    pub plan: Plan,
    /// Reads pages, and counts languages where records do not tell them.
    pub engine: &'a Engine,
    /// Folder for temporary files.
    pub folder: &'a Path,
    /// Bytes of memory for tables; what is more goes to temporary files.
    pub memory: usize,
    /// Longest record.
    pub max_bytes: u64,
    /// Set to stop early.
    pub stop: &'a AtomicBool,
}

/// How far the work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read, before they are decompressed.
    pub bytes: u64,
    /// Records read.
    pub records: u64,
    /// Whether all is read, and what was counted is summed up.
    pub all_read: bool,
}

/// What was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFigures {
    /// Files; of a crawl's table its regions.
    pub files: u64,
    /// Bytes read, before they are decompressed.
    pub bytes: u64,
    /// Records, good and bad.
    pub records: u64,
    /// Records that are no pages: requests, images, redirects.
    pub other_records: u64,
    /// Pages whose URL was looked up among those before.
    pub urls_checked: u64,
    /// Records that were skipped, by kind.
    pub problems: BTreeMap<ProblemKind, u64>,
    /// The first ten of each kind.
    pub first_problems: Vec<Problem>,
}

impl InputFigures {
    /// Counts a problem, and says whether it is one of those whose places are kept.
    pub(crate) fn note(&mut self, problem: Problem) -> bool {
        let count = self.problems.entry(problem.kind).or_default();
        *count += 1;
        let kept = *count <= KEPT_PROBLEMS;
        if kept {
            self.first_problems.push(problem);
        }
        kept
    }

    /// Adds what was read elsewhere. Of the problems of a kind those with the least places are kept, whatever the order.
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

/// What came out.
#[derive(Debug)]
pub struct Outcome {
    /// What was read.
    pub input: InputFigures,
    /// The figures.
    pub figures: Figures,
    /// The sites, for comparisons and rankings.
    pub sites: Sites,
    /// The URLs, for comparisons.
    pub urls: Urls,
}

/// Why there is no outcome.
#[derive(Debug)]
pub enum Failure {
    /// An input cannot be opened, or a temporary file not be written.
    Io(String),
    /// It was told to stop.
    Stopped,
}

/// Records of one file that are measured together.
#[derive(Default)]
struct Batch {
    source: usize,
    records: Vec<Result<Record, Problem>>,
}

/// Measures the inputs. `tell` hears of each of the first problems and, after each batch, of progress.
///
/// # Errors
/// When an input cannot be opened, a temporary file cannot be written, or the job was stopped.
pub fn analyze(job: &Job, tell: &mut dyn FnMut(Result<Progress, &Problem>)) -> Result<Outcome, Failure> {
    let read = Arc::new(AtomicU64::new(0));
    let threads = rayon::current_num_threads();
    let memory = job.memory / 4 * 3;
    let scratch = Scratch::sharing(job.folder, memory / threads);
    let tokenizer = Tokenizer::new(job.plan.target);
    let sums: Vec<Mutex<Measures>> = (0..threads).map(|_| Mutex::new(Measures::new(job.plan, &scratch))).collect();
    let mut input = InputFigures { files: job.sources.len() as u64, ..InputFigures::default() };
    let mut seen = Seen::new(job.folder, job.memory / 4);
    std::thread::scope(|scope| {
        let (sender, batches) = sync_channel::<Batch>(1);
        let reader = scope.spawn({
            let read = &read;
            move || read_all(job, read, &sender)
        });
        let mut outcome = Ok(());
        for batch in batches {
            if job.stop.load(Ordering::Relaxed) {
                outcome = Err(Failure::Stopped);
                break;
            }
            input.records += batch.records.len() as u64;
            let name = &job.sources[batch.source].name;
            let Sorted { pages, problems, others, checked } = match sort(parse(batch, job.engine, name), &mut seen) {
                Ok(sorted) => sorted,
                Err(error) => {
                    outcome = Err(failed(error));
                    break;
                }
            };
            input.other_records += others;
            input.urls_checked += checked;
            for problem in problems {
                let kept = input.note(problem);
                if let (true, Some(problem)) = (kept, input.first_problems.last()) {
                    tell(Err(problem));
                }
            }
            if let Err(error) = measure(&pages, job.plan, &tokenizer, &sums) {
                outcome = Err(failed(error));
                break;
            }
            tell(Ok(Progress { bytes: read.load(Ordering::Relaxed), records: input.records, all_read: false }));
        }
        // The channel is gone by now, so a reader that has more to say ends.
        let all_read = reader.join().unwrap_or_else(|_| Err(Failure::Io("the reading thread panicked".to_owned())));
        outcome.and(all_read)
    })?;
    if job.stop.load(Ordering::Relaxed) {
        return Err(Failure::Stopped);
    }
    input.bytes = read.load(Ordering::Relaxed);
    tell(Ok(Progress { bytes: input.bytes, records: input.records, all_read: true }));
    drop(seen);
    // Nothing is held twice: what is merged leaves its thread's share.
    let mut all = Measures::new(job.plan, &Scratch::sharing(job.folder, memory));
    for sum in sums {
        all.merge(sum.into_inner().unwrap_or_else(PoisonError::into_inner)).map_err(failed)?;
    }
    let (figures, sites, urls) = all.finish(job.plan).map_err(failed)?;
    Ok(Outcome { input, figures, sites, urls })
}

/// What went wrong with a temporary file.
fn failed(error: io::Error) -> Failure {
    Failure::Io(format!("temporary files: {error}"))
}

/// Reads every source into batches. Ends early if nobody takes them.
fn read_all(job: &Job, read: &Arc<AtomicU64>, sender: &SyncSender<Batch>) -> Result<(), Failure> {
    for (number, source) in job.sources.iter().enumerate() {
        let input =
            source.open(job.max_bytes, read).map_err(|error| Failure::Io(format!("{}: {error}", source.name)))?;
        let mut batch = Batch { source: number, ..Batch::default() };
        let mut bytes = 0;
        for record in input {
            bytes += match &record {
                Ok(Record { body: Body::Json(text) | Body::Html(_, _, text) | Body::Text(_, text), .. }) => text.len(),
                _ => 0,
            };
            batch.records.push(record);
            if bytes >= BATCH_BYTES || batch.records.len() >= BATCH_RECORDS {
                if sender.send(std::mem::take(&mut batch)).is_err() {
                    return Ok(());
                }
                (batch.source, bytes) = (number, 0);
            }
            if job.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
        if !batch.records.is_empty() && sender.send(batch).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// A record's place and what became of it; no page for a record that is none.
type Parsed = (String, Result<Option<Page>, Problem>);

fn parse(batch: Batch, engine: &Engine, name: &str) -> Vec<Parsed> {
    let parse = |record: Result<Record, Problem>| match record {
        Err(problem) => (String::new(), Err(problem)),
        Ok(Record { number, body }) => {
            let what = if matches!(body, Body::Json(_)) { "line" } else { "record" };
            let place = format!("{name}, {what} {number}");
            // A page that the engine chokes on must not cost the others.
            let page = catch_unwind(AssertUnwindSafe(|| page_of(body, engine)))
                .unwrap_or_else(|_| Err((ProblemKind::Failed, "the engine panicked".to_owned())));
            let page = page.map_err(|(kind, what)| Problem { kind, place: place.clone(), what });
            (place, page)
        }
    };
    batch.records.into_par_iter().map(parse).collect()
}

/// What a batch's records are.
#[derive(Default)]
struct Sorted {
    /// Pages of URLs that no record before had.
    pages: Vec<Page>,
    problems: Vec<Problem>,
    /// Records that are neither.
    others: u64,
    /// Pages whose URL was looked up.
    checked: u64,
}

fn sort(parsed: Vec<Parsed>, seen: &mut Seen) -> io::Result<Sorted> {
    let mut sorted = Sorted { pages: Vec::with_capacity(parsed.len()), ..Sorted::default() };
    for (place, page) in parsed {
        match page {
            Err(problem) => sorted.problems.push(problem),
            Ok(None) => sorted.others += 1,
            // Nothing tells whether it was read before.
            Ok(Some(page)) if page.url.is_empty() => sorted.pages.push(page),
            Ok(Some(page)) => {
                sorted.checked += 1;
                if seen.is_new(fingerprint(&page.url))? {
                    sorted.pages.push(page);
                } else {
                    let what = format!("an earlier record has the URL {}", page.url);
                    sorted.problems.push(Problem { kind: ProblemKind::DuplicateUrl, place, what });
                }
            }
        }
    }
    Ok(sorted)
}

fn measure(pages: &[Page], plan: Plan, tokenizer: &Tokenizer, sums: &[Mutex<Measures>]) -> io::Result<()> {
    pages.par_chunks(16).try_for_each(|pages| {
        let thread = rayon::current_thread_index().unwrap_or(0) % sums.len();
        // Whoever holds it has the same number, so nobody waits.
        let mut sums = sums[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let mut viewer = Viewer::new(tokenizer);
        for page in pages {
            if plan.words {
                sums.add(&viewer.view(page))?;
            } else {
                sums.add(&crate::PageView { page, tokens: &[] })?;
            }
        }
        Ok(())
    })
}
