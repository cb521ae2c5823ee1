//! The report.

use crate::documents::{skipped, Skipped, NO_CORPORA};
use crate::engines::engine_of;
use crate::errors;
use crate::run;
use ::report::Report;
use figures::analyze::{analyze, Rules};
use figures::failure::Failure;
use figures::pages::Inputs;
use figures::Plan;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// A report: its JSON, its page, the skipped records, and sentences for warnings.
type Reported = (String, String, Vec<Skipped>, Vec<String>);

/// Measures a corpus. Returns the figures as JSON, the HTML page, and the skipped records.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn report(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    settings: String,
    words: bool,
    max_bytes: u64,
    memory: usize,
    scratch: PathBuf,
) -> PyResult<Reported> {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    run::interruptible(py, Some(&stop), move || {
        let found = inputs::all_sources(&paths, &NO_CORPORA).map_err(errors::input)?;
        let engine = engine_of(&settings)?;
        let plan = Plan {
            target: engine.settings().target(),
            scripts: engine.model_scripts(engine.settings().target()),
            words,
        };
        // A quarter of the memory is for URLs, as in the command.
        let (sources, folder) = (&found.sources[..], scratch.as_path());
        let inputs = Inputs {
            sources,
            engine: &engine,
            folder,
            memory: memory / 4,
            max_bytes,
            stop: &stopped,
        };
        let outcome = analyze(&inputs, plan, Rules::default(), memory / 4 * 3, &mut |_| {})
            .map_err(errors::input)?;
        let input = &outcome.input;
        let first = input.first_problems.iter().map(|problem| (problem.kind, problem.to_string()));
        let problems = skipped(&input.problems, first);
        let name = inputs::corpus_name(&paths);
        let report = Report::new(plan, vec![(name, outcome)], &[], None)
            .map_err(|error| Failure::Temporary { folder: folder.to_owned(), error })
            .map_err(errors::input)?;
        let warnings = warnings(&report, &found.named_twice)?;
        let files = report.files().map_err(errors::internal)?;
        let file = |name| {
            files
                .iter()
                .find(|(one, _)| *one == name)
                .map(|(_, text)| text.clone())
                .unwrap_or_default()
        };
        Ok((file(::report::JSON), file(::report::HTML), problems, warnings))
    })?
}

/// Returns what a report lacks.
///
/// # Errors
/// Fails if a corpus has no record that could be read.
fn warnings(report: &Report, named_twice: &[String]) -> PyResult<Vec<String>> {
    let twice = named_twice.iter().map(|name| format!("{name}: is named twice, and read once"));
    let mut warnings: Vec<String> = twice.collect();
    for corpus in &report.corpora {
        if corpus.is_all_wrong() {
            let why = "no record could be read; no report was written";
            return Err(errors::input(format!("{}: {why}", corpus.name)));
        }
        let nothing = corpus.nothing(&report.language_name);
        warnings.extend(nothing.map(|why| format!("{}: {why}", corpus.name)));
    }
    Ok(warnings)
}
