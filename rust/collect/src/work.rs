//! The reading of all inputs to parts, on all cores, in bounded memory.
//!
//! Some inputs are read at the same time, each by a thread of its own; the threads of the pool read
//! their pages. So one large input keeps all cores busy, and many small ones do as well.

use crate::page::{Judge, Verdict};
use crate::part::{Figures, PartFiles, Writer};
use rayon::prelude::*;
use records::{Body, Fault, Problem, ProblemKind, Record, Source};
use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{sync_channel, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of records that are read at a time. An input has three batches in memory.
pub(crate) const BATCH_BYTES: usize = 4 << 20;

/// Records that are read at a time.
pub(crate) const BATCH_RECORDS: usize = 2048;

/// The inputs, and the parts to write.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    /// The inputs, in order.
    pub sources: &'a [Source],
    /// Reads their records.
    pub judge: &'a Judge,
    /// Folder of the parts.
    pub parts: &'a Path,
    /// Longest record, in bytes.
    pub max_bytes: u64,
    /// Set this flag to stop early. Complete parts stay.
    pub stop: &'a AtomicBool,
}

/// News of the work.
#[derive(Debug, Clone, Copy)]
pub enum News<'a> {
    /// Bytes read before decompression, and records read.
    Progress {
        /// Bytes of all inputs so far.
        bytes: u64,
        /// Records of all inputs so far.
        records: u64,
    },
    /// A record that is skipped.
    Problem(&'a Problem),
    /// An input whose part was there already.
    Known(&'a str),
}

/// Why the work ended early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// An input cannot be opened.
    #[error("{input}: {error}")]
    Unopened {
        /// The name of the input.
        input: String,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// An input cannot be read to its end.
    #[error("{0}")]
    Unread(Problem),
    /// A part cannot be written to its folder.
    #[error("cannot write to {}: {error}", folder.display())]
    Part {
        /// The folder of the parts.
        folder: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// The part of an input was deleted while the others were read.
    #[error("{0}: its part was deleted by another process")]
    LostPart(String),
    /// A temporary file cannot be written.
    #[error("temporary files in {}: {error}", folder.display())]
    Temporary {
        /// The folder of the temporary files.
        folder: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// There can be no thread.
    #[error("a thread cannot be started: {0}")]
    NoThread(#[source] io::Error),
    /// The thread that reads an input panicked.
    #[error("{0}: the reading thread panicked")]
    Panicked(String),
    /// The stop flag was set.
    #[error("the work was stopped")]
    Stopped,
}

impl Failure {
    /// Makes the failure of a source that cannot be opened.
    pub(crate) fn unopened(source: &Source) -> impl FnOnce(io::Error) -> Self + '_ {
        |error| Self::Unopened { input: source.name.clone(), error }
    }
}

/// The state that the threads share.
struct Shared<'a> {
    work: &'a Work<'a>,
    tell: &'a (dyn Fn(News) + Sync),
    next: AtomicUsize,
    bytes: Arc<AtomicU64>,
    records: AtomicU64,
    failure: Mutex<Option<Failure>>,
}

impl Work<'_> {
    /// Reads every input that has no part yet. Returns the figures of all, in their order.
    ///
    /// # Errors
    /// Fails if an input cannot be opened or not be read to its end, a part cannot be written, or
    /// the work was stopped.
    pub fn run(&self, tell: &(dyn Fn(News) + Sync)) -> Result<Vec<Figures>, Failure> {
        let shared = Shared {
            work: self,
            tell,
            next: AtomicUsize::new(0),
            bytes: Arc::default(),
            records: AtomicU64::new(0),
            failure: Mutex::new(None),
        };
        let threads = rayon::current_num_threads().min(self.sources.len());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| shared.read_inputs());
            }
        });
        if let Some(failure) = shared.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        let figures = |source: &Source| {
            let lost = || Failure::LostPart(source.name.clone());
            PartFiles::new(self.parts, source).figures().ok_or_else(lost)
        };
        self.sources.iter().map(figures).collect()
    }
}

impl Shared<'_> {
    /// Reads one input after the other, until none is left or a thread failed.
    fn read_inputs(&self) {
        while let Some(source) = self.work.sources.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            // A panic of one thread must not leave the others waiting.
            let read = catch_unwind(AssertUnwindSafe(|| self.read(source)))
                .unwrap_or_else(|_| Err(Failure::Panicked(source.name.clone())));
            if let Err(failure) = read {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
            }
            if self.is_ending() {
                return;
            }
        }
    }

    fn is_ending(&self) -> bool {
        self.work.stop.load(Ordering::Relaxed)
            || self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Reads an input to its part.
    fn read(&self, source: &Source) -> Result<(), Failure> {
        let place = PartFiles::new(self.work.parts, source);
        let failed = |error| Failure::Part { folder: self.work.parts.to_owned(), error };
        // A pipe cannot be read again, so its part of an earlier run does not count.
        let is_pipe = source.bytes.is_none();
        if let Some(figures) = place.figures().filter(|_| !is_pipe) {
            self.bytes.fetch_add(source.bytes.unwrap_or_default(), Ordering::Relaxed);
            self.records.fetch_add(figures.records, Ordering::Relaxed);
            (self.tell)(News::Known(&source.name));
            return Ok(());
        }
        place.delete().map_err(failed)?;
        let mut writer = Writer::new(place).map_err(failed)?;
        let mut figures = Figures { input: source.name.clone(), ..Figures::default() };
        std::thread::scope(|scope| {
            let (sender, batches) = sync_channel(1);
            let reader = scope.spawn(move || self.read_records(source, &sender));
            for batch in batches {
                self.judge(batch, &source.name, &mut writer, &mut figures).map_err(failed)?;
                if self.is_ending() {
                    return Err(Failure::Stopped);
                }
            }
            reader.join().unwrap_or_else(|_| Err(Failure::Panicked(source.name.clone())))
        })?;
        writer.finish(&figures).map_err(failed)
    }

    /// Reads an input's records to batches. Ends early if the receiver is gone.
    ///
    /// # Errors
    /// Fails if the input cannot be opened, or not be read to its end.
    fn read_records(&self, source: &Source, sender: &SyncSender<Vec<Read>>) -> Result<(), Failure> {
        let input = source.open(self.work.max_bytes, &self.bytes);
        let input = input.map_err(Failure::unopened(source))?;
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for record in input {
            let record = readable(record)?;
            bytes += record.as_ref().map_or(0, |record| length(&record.body));
            batch.push(record);
            if bytes >= BATCH_BYTES || batch.len() >= BATCH_RECORDS {
                if sender.send(std::mem::take(&mut batch)).is_err() {
                    return Ok(());
                }
                bytes = 0;
            }
        }
        // A receiver that is gone has failed already.
        let _ = sender.send(batch);
        Ok(())
    }

    /// Judges a batch on all cores, and writes its documents in order.
    fn judge(
        &self,
        batch: Vec<Read>,
        name: &str,
        writer: &mut Writer,
        figures: &mut Figures,
    ) -> io::Result<()> {
        figures.records += batch.len() as u64;
        let records =
            self.records.fetch_add(batch.len() as u64, Ordering::Relaxed) + batch.len() as u64;
        let verdicts: Vec<_> =
            batch.into_par_iter().map(|record| judge(self.work.judge, record, name)).collect();
        for verdict in verdicts {
            match verdict {
                Ok(verdict) => {
                    figures.count(&verdict);
                    for document in &verdict.documents {
                        writer.add(document)?;
                    }
                }
                Err(problem) => {
                    (self.tell)(News::Problem(&problem));
                    figures.note(&problem);
                }
            }
        }
        (self.tell)(News::Progress { bytes: self.bytes.load(Ordering::Relaxed), records });
        Ok(())
    }
}

pub(crate) type Read = Result<Record, Problem>;

/// Returns a record or its problem.
///
/// # Errors
/// Fails if the file system failed: the input may be whole, so its part must not count as done.
pub(crate) fn readable(record: Read) -> Result<Read, Failure> {
    match record {
        Err(problem) if problem.kind() == ProblemKind::Unreadable => Err(Failure::Unread(problem)),
        record => Ok(record),
    }
}

pub(crate) fn length(body: &Body) -> usize {
    match body {
        Body::Json(content)
        | Body::Html(_, _, content)
        | Body::Document(_, _, content)
        | Body::Text(_, content)
        | Body::HostFile(_, content) => content.len(),
        Body::Gone(_) | Body::Other(_) => 0,
    }
}

pub(crate) fn judge(judge: &Judge, record: Read, name: &str) -> Result<Verdict, Problem> {
    let record = record?;
    let what = if matches!(record.body, Body::Json(_)) { "line" } else { "record" };
    let place = format!("{name}, {what} {}", record.number);
    // A page that makes the engine panic must not affect the others.
    let verdict =
        catch_unwind(AssertUnwindSafe(|| judge.judge(record))).unwrap_or(Err(Fault::Panic));
    verdict.map_err(|fault| fault.at(place))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Format, Hosts, Stream};
    use engine::{Engine, Settings};
    use records::{About, TableRecords};

    /// Opens a table that fails behind its first record, unless a file `mended` is beside it.
    fn failing(source: &Source, _: u64, _: &Arc<AtomicU64>) -> io::Result<TableRecords> {
        let record = |number| {
            let body = Body::Json(format!("{{\"text\":\"{number}\"}}").into_bytes());
            Ok(Record { number, body, decision: None, about: About::default() })
        };
        let problem = Err(Fault::Unreadable("x".to_owned()).at("row 2"));
        let is_mended = source.path.with_file_name("mended").exists();
        let second = if is_mended { record(2) } else { problem };
        Ok(Box::new([record(1), second].into_iter()))
    }

    #[test]
    fn an_input_that_cannot_be_read_to_its_end_is_read_again() {
        records::read_tables_by(failing);
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("a.parquet");
        std::fs::write(&input, "PAR1").unwrap();
        let judge = || {
            let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
            Judge::new(vec![engine], true, false, Format::Jsonl)
        };
        let (sources, stop) = (vec![Source::new(&input).unwrap()], AtomicBool::new(false));
        let parts = folder.path().join("parts");
        std::fs::create_dir(&parts).unwrap();
        let run = || {
            let (judge, max_bytes) = (&judge(), 1 << 20);
            Work { sources: &sources, judge, parts: &parts, max_bytes, stop: &stop }.run(&|_| {})
        };
        let said = run().unwrap_err().to_string();
        assert_eq!(said, "row 2: the file cannot be read: x");
        assert_eq!(std::fs::read_dir(&parts).unwrap().count(), 0, "no part is done");
        let said = Hosts::read(&sources, 1 << 20, &mut |_| {}).unwrap_err();
        assert_eq!(said.to_string(), "row 2: the file cannot be read: x");
        let mut stream =
            Stream::new(judge(), sources.clone(), 1 << 20, folder.path(), 1 << 20).unwrap();
        let end = loop {
            match stream.next_batch() {
                Ok(Some(_)) => {}
                end => break end,
            }
        };
        let said = end.unwrap_err().to_string();
        assert!(said.contains("cannot be read"), "{said}");
        std::fs::write(folder.path().join("mended"), "").unwrap();
        let figures = run().unwrap();
        assert_eq!((figures[0].records, figures[0].problems.len()), (2, 0));
        assert_eq!(std::fs::read_dir(&parts).unwrap().count(), 2, "a part and its marker");
    }
}
