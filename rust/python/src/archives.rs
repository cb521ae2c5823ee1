//! Records of archives, as an iterator.

use crate::documents::{skipped, Skipped, NO_CORPORA};
use crate::errors;
use crate::run;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use records::{Body, Input, MemberRead, NoSource, Problem, ProblemKind, Record, Source};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of records that are read before Python gets them.
const BATCH_BYTES: usize = 1 << 20;

/// Records of a batch.
const BATCH_RECORDS: usize = 256;

/// Problems of a kind whose sentences are kept.
const NAMED_PROBLEMS: usize = 5;

/// The inputs that are read, and where the reading is.
struct Reading {
    sources: std::vec::IntoIter<Source>,
    /// The open input and its name.
    open: Option<(String, Input<Box<dyn MemberRead + Send>>)>,
    max_bytes: u64,
    problems: BTreeMap<ProblemKind, u64>,
    first: Vec<(ProblemKind, String)>,
}

/// A record with a page, with the name of its input.
type Found = (String, Record);

impl Reading {
    /// Returns the next records; none at the end.
    fn batch(&mut self) -> Result<Vec<Found>, NoSource> {
        let (mut found, mut bytes) = (Vec::new(), 0);
        while found.is_empty() || bytes < BATCH_BYTES && found.len() < BATCH_RECORDS {
            let Some((name, input)) = &mut self.open else {
                let Some(source) = self.sources.next() else { break };
                let input = source.open(self.max_bytes, &Arc::default());
                let input = input.map_err(|error| NoSource { name: source.name.clone(), error })?;
                self.open = Some((source.name, input));
                continue;
            };
            match input.next() {
                None => self.open = None,
                Some(Ok(record)) => {
                    bytes += size(&record.body);
                    if !matches!(record.body, Body::Document(..) | Body::Other(_)) {
                        found.push((name.clone(), record));
                    }
                }
                Some(Err(problem)) => self.note(problem),
            }
        }
        Ok(found)
    }

    fn note(&mut self, problem: Problem) {
        let count = self.problems.entry(problem.kind()).or_default();
        *count += 1;
        if *count <= NAMED_PROBLEMS as u64 {
            self.first.push((problem.kind(), problem.to_string()));
        }
    }
}

fn size(body: &Body) -> usize {
    match body {
        Body::Json(content)
        | Body::Html(_, _, content)
        | Body::Text(_, content)
        | Body::HostFile(_, content) => content.len(),
        // Records without content took time too.
        Body::Document(..) | Body::Gone(_) | Body::Other(_) => 1024,
    }
}

/// A record in Python: input, number, kind, URL, date, Content-Type, content.
type Row<'py> =
    (String, u64, &'static str, Option<String>, String, Option<String>, Bound<'py, PyBytes>);

fn row<'py>(py: Python<'py>, (input, record): Found) -> Option<Row<'py>> {
    let (kind, url, content_type, content) = match record.body {
        Body::Json(line) => ("json", None, None, line),
        Body::Html(url, content_type, content) => ("page", Some(url), content_type, content),
        Body::Text(url, content) => ("text", Some(url), None, content),
        Body::HostFile(url, content) => ("rules", Some(url), None, content),
        Body::Gone(url) => ("gone", Some(url), None, Vec::new()),
        Body::Document(..) | Body::Other(_) => return None,
    };
    let (number, date) = (record.number, record.about.date);
    Some((input, number, kind, url, date, content_type, PyBytes::new(py, &content)))
}

/// The records of archives. Made by `corpulyzer.records`.
#[pyclass(frozen, module = "corpulyzer._native")]
pub(crate) struct Archives {
    /// `None` while a batch is read, and after an error.
    reading: Mutex<Option<Reading>>,
    #[pyo3(get)]
    named_twice: Vec<String>,
}

#[pymethods]
impl Archives {
    #[new]
    fn new(py: Python<'_>, paths: Vec<PathBuf>, max_bytes: u64) -> PyResult<Self> {
        let found = run::alone(py, move || inputs::all_sources(&paths, &NO_CORPORA))?;
        let found = found.map_err(errors::input)?;
        let reading = Reading {
            sources: found.sources.into_iter(),
            open: None,
            max_bytes,
            problems: BTreeMap::new(),
            first: Vec::new(),
        };
        Ok(Self { reading: Mutex::new(Some(reading)), named_twice: found.named_twice })
    }

    /// Returns the next records; `None` at the end.
    fn next_batch<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Row<'py>>>> {
        let place = || self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(mut reading) = place().take() else { return Ok(None) };
        let (reading, batch) = run::interruptible(py, None, move || {
            let batch = reading.batch();
            (reading, batch)
        })?;
        let found = batch.map_err(errors::input)?;
        *place() = Some(reading);
        if found.is_empty() {
            return Ok(None);
        }
        Ok(Some(found.into_iter().filter_map(|record| row(py, record)).collect()))
    }

    /// The skipped records so far, see [`skipped`].
    fn problems(&self) -> Vec<Skipped> {
        let reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        reading.as_ref().map_or_else(Vec::new, |reading| {
            skipped(&reading.problems, reading.first.iter().cloned())
        })
    }
}
