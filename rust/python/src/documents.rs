//! Documents of archives, as an iterator.

use crate::engines::engine_of;
use crate::errors;
use crate::run;
use collect::{Failure, Format, Judge, Stream};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use records::ProblemKind;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Names of files of a folder that are no corpora.
pub(crate) const NO_CORPORA: [&str; 1] = [::report::JSON];

/// The documents of archives. Made by `corpulyzer.collect`.
#[pyclass(frozen, module = "corpulyzer._native")]
pub(crate) struct Documents {
    /// `None` while a batch is read, and after an error.
    stream: Mutex<Option<Stream>>,
    languages: Vec<String>,
    named_twice: Vec<String>,
}

/// A document: its language and its line of JSON.
type Document<'py> = (usize, Bound<'py, PyString>);

#[pymethods]
impl Documents {
    /// Begins to read. Each of the settings has another language.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        settings: Vec<String>,
        first_look: bool,
        rejected: bool,
        max_bytes: u64,
        memory: usize,
        scratch: PathBuf,
    ) -> PyResult<Self> {
        run::alone(py, move || {
            let found = inputs::all_sources(&paths, &NO_CORPORA).map_err(errors::input)?;
            let engines = settings
                .iter()
                .map(|settings| engine_of(settings))
                .collect::<PyResult<Vec<_>>>()?;
            let languages =
                engines.iter().map(|engine| engine.settings().target().to_string()).collect();
            let judge = Judge::new(engines, first_look, rejected, Format::Jsonl);
            let stream =
                Stream::new(judge, found.sources, max_bytes, &scratch, memory).map_err(failed)?;
            Ok(Self { stream: Mutex::new(Some(stream)), languages, named_twice: found.named_twice })
        })?
    }

    /// The languages, ISO 639-3.
    #[getter]
    fn languages(&self) -> Vec<String> {
        self.languages.clone()
    }

    /// Names of the inputs that were named more than once, and are read once.
    #[getter]
    fn named_twice(&self) -> Vec<String> {
        self.named_twice.clone()
    }

    /// Returns the documents of the next records; `None` at the end.
    fn next_batch<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Document<'py>>>> {
        let place = || self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(mut stream) = place().take() else { return Ok(None) };
        let (stream, batch) = run::interruptible(py, None, move || {
            let batch = stream.next_batch();
            (stream, batch)
        })?;
        *place() = Some(stream);
        let Some(documents) = batch.map_err(failed)? else { return Ok(None) };
        let documents = documents.into_iter().map(|document| {
            let line = std::str::from_utf8(&document.content).map_err(errors::internal)?;
            Ok((document.language, PyString::new(py, line)))
        });
        documents.collect::<PyResult<Vec<_>>>().map(Some)
    }

    /// The numbers of records, pages, and pages that the first look ruled out, so far.
    fn figures(&self) -> (u64, u64, u64) {
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let figures = stream.as_ref().map(Stream::figures);
        figures.map_or((0, 0, 0), |figures| (figures.records, figures.pages, figures.ruled_out))
    }

    /// The skipped records so far, see [`skipped`].
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let figures = stream.as_ref().map(Stream::figures);
        let kinds = figures.map(|figures| {
            let first =
                figures.first_problems.iter().map(|problem| (problem.kind, problem.to_string()));
            skipped(&figures.problems, first)
        });
        PyList::new(py, kinds.unwrap_or_default())
    }
}

/// A kind of problem: a sentence with its number, whether records of unknown number are lost, and
/// the first problems of the kind.
pub(crate) type Skipped = (String, bool, Vec<String>);

/// Returns the problems by kind.
pub(crate) fn skipped(
    problems: &BTreeMap<ProblemKind, u64>,
    first: impl Iterator<Item = (ProblemKind, String)>,
) -> Vec<Skipped> {
    let mut sentences: BTreeMap<ProblemKind, Vec<String>> = BTreeMap::new();
    for (kind, sentence) in first {
        sentences.entry(kind).or_default().push(errors::in_python(&sentence));
    }
    let kinds = problems.iter().map(|(kind, &count)| {
        (
            format!("skipped {}", kind.counted(count)),
            kind.is_loss(),
            sentences.remove(kind).unwrap_or_default(),
        )
    });
    kinds.collect()
}

fn failed(failure: Failure) -> PyErr {
    match failure {
        Failure::Stopped => errors::internal(failure),
        _ => errors::input(failure),
    }
}
