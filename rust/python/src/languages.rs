//! Identification of languages, and training.

use crate::engines::by_language;
use crate::errors;
use crate::html::{each, Done, LARGE};
use crate::run;
use inputs::training;
use langid::{Combined, Identify, LangCode, Pack, Text, TrainSettings, FEW_WORDS, MAX_ENTRIES};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::Arc;

/// Reads codes or names of languages.
pub(crate) fn codes(names: &[String]) -> PyResult<Vec<LangCode>> {
    names.iter().map(|name| registry::parse(name).map_err(errors::setting)).collect()
}

/// Returns the ISO 639-3 code of a language by any of its codes or names.
#[pyfunction]
pub(crate) fn language_code(code: &str) -> PyResult<String> {
    registry::parse(code).map(|code| code.to_string()).map_err(errors::setting)
}

/// The identifier of the engine, without a target language: language models, and CLD2 for other
/// languages.
#[pyclass(frozen, module = "corpulyzer._native")]
pub(crate) struct Identifier {
    identifier: Arc<Combined>,
}

#[pymethods]
impl Identifier {
    #[new]
    fn new(py: Python<'_>, packs: Vec<PathBuf>) -> PyResult<Self> {
        let packs = run::alone(py, move || langid::open_all(&packs))?.map_err(errors::setting)?;
        Ok(Self { identifier: Arc::new(Combined::new(packs, None)) })
    }

    /// Name and version of the identifier's data.
    #[getter]
    fn version(&self) -> String {
        self.identifier.version()
    }

    /// The languages that it can return, by code.
    fn languages(&self) -> Vec<String> {
        self.identifier.languages().iter().map(ToString::to_string).collect()
    }

    /// Returns the language of each text, on all cores; of a single text on this thread.
    fn identify(
        &self,
        py: Python<'_>,
        texts: Vec<String>,
        allowed: Option<Vec<String>>,
    ) -> PyResult<Vec<String>> {
        let allowed = allowed.as_deref().map(codes).transpose()?;
        langid::check_returned(&*self.identifier, allowed.as_deref().unwrap_or_default())
            .map_err(|unknown| errors::setting(format!("allowed is {unknown}")))?;
        let identifier = Arc::clone(&self.identifier);
        let identify = move |text: String| {
            langbytes::language_of_line(text.as_bytes(), &*identifier, allowed.as_deref())
        };
        Ok(apply(py, texts, identify)?.iter().map(ToString::to_string).collect())
    }

    /// Returns the spans of each text: first character, character after the last one, language,
    /// probability.
    fn spans(&self, py: Python<'_>, texts: Vec<String>) -> PyResult<Vec<Vec<Span>>> {
        let identifier = Arc::clone(&self.identifier);
        apply(py, texts, move |text: String| in_characters(&text, &identifier))
    }

    /// Returns the bytes of each language in each text, most first.
    fn langbytes<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<String>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let identifier = Arc::clone(&self.identifier);
        let count = move |text: String| langbytes::count_lines(&text, &*identifier).most_first();
        apply(py, texts, count)?.into_iter().map(|languages| by_language(py, languages)).collect()
    }
}

/// A span of a text in characters: start, end, language, probability.
type Span = (usize, usize, String, Option<f64>);

/// Returns the spans of a text. Python counts characters, the engine bytes.
fn in_characters(text: &str, identifier: &Combined) -> Vec<Span> {
    let (mut bytes, mut characters) = (0, 0);
    let mut character = |byte: usize| {
        characters += text[bytes..byte].chars().count();
        bytes = byte;
        characters
    };
    let spans = langbytes::spans(text, identifier).into_iter();
    spans
        .map(|span| {
            let (start, end) = (character(span.start), character(span.end));
            (start, end, span.language.to_string(), span.probability)
        })
        .collect()
}

/// Applies a function to each text: to a short one alone on this thread, to others on all cores.
fn apply<T: Send + 'static>(
    py: Python<'_>,
    mut texts: Vec<String>,
    apply: impl Fn(String) -> T + Send + Sync + 'static,
) -> PyResult<Vec<T>> {
    if texts.len() == 1 && texts[0].len() < LARGE {
        let text = texts.remove(0);
        return Ok(vec![run::alone(py, move || apply(text))?]);
    }
    let one = |done| match done {
        Done::Result(result) => Ok(result),
        Done::Panicked(error) => Err(error),
    };
    each(py, texts, apply)?.into_iter().map(one).collect()
}

/// A language of a pack: code, English name, script, words of training text, and whether they are
/// few.
type Trained = (String, &'static str, String, u32, bool);

/// A pack: its bytes, its languages, and a sentence for each file of which lines were left out.
type Made<'py> = (Bound<'py, PyBytes>, Vec<Trained>, Vec<String>);

/// Texts by language, and a sentence for each file of which lines were left out.
type Texts = (Vec<(LangCode, String)>, Vec<String>);

/// Makes a pack of the texts under a path.
#[pyfunction]
pub(crate) fn train<'py>(
    py: Python<'py>,
    text: PathBuf,
    language: Option<String>,
    max_entries: usize,
    max_bytes: u64,
) -> PyResult<Made<'py>> {
    let language = language.as_deref().map(known).transpose()?;
    made(py, max_entries, move || {
        let files = training::files(&text)?;
        let identifier = Combined::new(Vec::new(), language);
        let (texts, left_out) =
            training::by_language(&text, &files, language, max_bytes, Some(&identifier))?;
        let left_out = left_out.iter().map(ToString::to_string).collect();
        Ok((texts.into_iter().collect(), left_out))
    })
}

/// Makes a pack of texts by language.
#[pyfunction]
pub(crate) fn train_texts<'py>(
    py: Python<'py>,
    texts: Vec<(String, String)>,
    max_entries: usize,
) -> PyResult<Made<'py>> {
    let texts = texts.into_iter().map(|(language, text)| Ok((known(&language)?, text)));
    let texts = texts.collect::<PyResult<Vec<_>>>()?;
    made(py, max_entries, move || Ok((texts, Vec::new())))
}

/// Reads the code or the name of a language that texts can be in.
fn known(code: &str) -> PyResult<LangCode> {
    match registry::parse(code).map_err(errors::setting)? {
        LangCode::UND => {
            Err(errors::setting("language is `und`, which is no language that texts can be in"))
        }
        language => Ok(language),
    }
}

/// Trains from texts.
fn made<'py>(
    py: Python<'py>,
    max_entries: usize,
    texts: impl FnOnce() -> Result<Texts, inputs::BadInput> + Send + 'static,
) -> PyResult<Made<'py>> {
    if !MAX_ENTRIES.contains(&max_entries) {
        let (least, most) = (MAX_ENTRIES.start(), MAX_ENTRIES.end());
        return Err(errors::setting(format!(
            "max_entries is {max_entries}; allowed are {least} to {most}"
        )));
    }
    let (bytes, trained, left_out) = run::interruptible(py, None, move || {
        let (texts, left_out) = texts().map_err(errors::input)?;
        let texts: Vec<Text> =
            texts.iter().map(|(language, text)| Text { language: *language, text }).collect();
        let settings = TrainSettings { max_entries, ..TrainSettings::default() };
        let bytes = langid::train(&texts, settings).map_err(errors::input)?;
        let pack = Pack::of_bytes(bytes.clone()).map_err(errors::input)?;
        let trained = pack.languages().map(|(language, script)| {
            let (code, words) = (language.code, language.words);
            (code.to_string(), code.name(), script.to_string(), words, words < FEW_WORDS)
        });
        Ok::<_, PyErr>((bytes, trained.collect(), left_out))
    })??;
    Ok((PyBytes::new(py, &bytes), trained, left_out))
}
