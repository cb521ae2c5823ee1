//! Sentences, words and quality signals of texts.

use crate::errors;
use crate::run;
use figures::Tokenizer;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quality::{Signals, Splitting, NAMES};
use sentences::Points;
use std::collections::HashSet;

/// Returns the sentences of each text. All texts together show which points are those of
/// abbreviations.
#[pyfunction]
pub(crate) fn split_sentences(py: Python<'_>, texts: Vec<String>) -> PyResult<Vec<Vec<String>>> {
    run::interruptible(py, None, move || {
        let points = Points::learn(texts.iter().map(String::as_str));
        let of = |text: &String| {
            let sentences = text.lines().flat_map(|block| sentences::split(block, &points));
            sentences.map(str::to_owned).collect()
        };
        texts.iter().map(of).collect()
    })
}

/// Returns the words of each text, as the report counts them.
#[pyfunction]
pub(crate) fn split_words(
    py: Python<'_>,
    texts: Vec<String>,
    language: &str,
) -> PyResult<Vec<Vec<String>>> {
    let language = registry::parse(language).map_err(errors::setting)?;
    run::interruptible(py, None, move || {
        let tokenizer = Tokenizer::new(language);
        let mut tokens = Vec::new();
        let mut of = |text: &String| {
            tokens.clear();
            tokenizer.tokens(text, &mut tokens);
            let words = tokens
                .iter()
                .map(|token| text[token.start as usize..token.end as usize].to_owned());
            words.collect()
        };
        texts.iter().map(&mut of).collect()
    })
}

/// Returns the quality signals of a text by name; `None` for a text without words.
#[pyfunction]
pub(crate) fn signals<'py>(
    py: Python<'py>,
    text: String,
    language: &str,
    stop_words: HashSet<String>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let language = registry::parse(language).map_err(errors::setting)?;
    let splitting = Splitting::of(language.as_str());
    let found = run::interruptible(py, None, move || Signals::of(&text, splitting, &stop_words))?;
    let Some(found) = found else { return Ok(None) };
    let signals = PyDict::new(py);
    for (name, value) in NAMES.iter().zip(found.values()) {
        signals.set_item(name, value)?;
    }
    Ok(Some(signals))
}
