//! Extraction of main content.

use crate::errors;
use crate::run;
use content::{
    Comments, Content, ContentOptions, Extractor, Form, Headline, Hints, Limits, MAX_TIME,
};
use engine::StopWords;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use rayon::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Instant;

/// Bytes from which a page is read on another thread, so that Ctrl-C is heeded meanwhile.
pub(crate) const LARGE: usize = 1 << 20;

/// A page: bytes, which are not copied (those of a bytearray are), or text.
pub(crate) enum Html {
    Bytes(PyBackedBytes),
    Text(String),
}

impl Html {
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone().into()));
        }
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Self::Text(text.to_cow()?.into_owned()));
        }
        if let Ok(bytes) = value.cast::<PyByteArray>() {
            return Ok(Self::Bytes(bytes.clone().into()));
        }
        let found = value.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "a page is of type {found}; allowed are bytes, bytearray and str"
        )))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Text(text) => text.as_bytes(),
        }
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }
}

/// The form of a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Text,
    Markdown,
    Html,
    Json,
}

impl Output {
    fn of(name: &str) -> PyResult<Self> {
        match name {
            "text" => Ok(Self::Text),
            "markdown" => Ok(Self::Markdown),
            "html" => Ok(Self::Html),
            "json" => Ok(Self::Json),
            _ => Err(errors::setting(format!(
                "output is {name:?}; allowed are text, markdown, html, json and record"
            ))),
        }
    }

    /// The result of a page.
    fn take(self, found: Content, url: Option<&str>) -> String {
        match self {
            Self::Text | Self::Markdown => found.text,
            Self::Html => found.html.unwrap_or_default(),
            Self::Json => serde_json::Value::from(engine::content_json(&found, url)).to_string(),
        }
    }
}

/// How pages are extracted.
#[derive(Clone)]
struct Asked {
    extractor: Extractor,
    comments: Comments,
    headline: Headline,
    output: Output,
    stop_words: Option<Arc<StopWords>>,
    links: bool,
    max_bytes: u64,
}

/// Arguments of an extraction: extractor, comments, headline, language of the stop words, output,
/// whether there are links, and the length of the longest page.
type Arguments = (String, String, String, Option<String>, String, bool, u64);

impl Asked {
    fn new(arguments: Arguments) -> PyResult<Self> {
        let (extractor, comments, headline, language, output, links, max_bytes) = arguments;
        let extractor = extractor.parse().map_err(errors::setting)?;
        let comments: Comments = comments.parse().map_err(errors::setting)?;
        comments.check(extractor).map_err(|bad| errors::setting(format!("comments {bad}")))?;
        let headline = headline.parse().map_err(errors::setting)?;
        let output = Output::of(&output)?;
        let stop_words = stop_words(extractor, language.as_deref())?.map(Arc::new);
        Ok(Self { extractor, comments, headline, output, stop_words, links, max_bytes })
    }

    fn extract(
        &self,
        html: Html,
        url: Option<&str>,
        content_type: Option<&str>,
    ) -> PyResult<Content> {
        let (length, allowed) = (html.bytes().len() as u64, self.max_bytes);
        if length > allowed {
            let sentence = format!("page has {length} bytes, allowed are {allowed} (--max-bytes)");
            return Err(errors::page(sentence));
        }
        let options = ContentOptions {
            extractor: self.extractor,
            comments: self.comments,
            headline: self.headline,
            form: if self.output == Output::Markdown { Form::Markdown } else { Form::Text },
            html: matches!(self.output, Output::Html | Output::Json),
            limits: Limits { deadline: Some(Instant::now() + MAX_TIME), ..Limits::default() },
            url,
            links: self.links,
            statements: self.output == Output::Json,
            stop_words: self.stop_words.as_deref().map(|words| words as &dyn content::StopWords),
        };
        match html {
            Html::Bytes(bytes) => {
                let hints = Hints { content_type, url };
                content::content(&*bytes, &hints, &options).map_err(errors::page)
            }
            Html::Text(text) => Ok(content::content_of_text(&text, &options)),
        }
    }
}

/// Returns the stop words of a language if the extractor uses them.
fn stop_words(extractor: Extractor, language: Option<&str>) -> PyResult<Option<StopWords>> {
    let Some(language) = language else { return Ok(None) };
    if extractor != Extractor::JusText {
        return Err(errors::setting(format!(
            "language is {language:?}, but only the extractor justext uses it, and the extractor is {extractor}"
        )));
    }
    let language = registry::parse(language).map_err(errors::setting)?;
    Ok(StopWords::new(Vec::new(), &[language]))
}

fn extract_one(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<String>,
    content_type: Option<String>,
    asked: Asked,
) -> PyResult<Content> {
    let html = Html::of(html)?;
    let is_large = html.bytes().len() >= LARGE;
    let work = move || asked.extract(html, url.as_deref(), content_type.as_deref());
    if is_large {
        run::interruptible(py, None, work)?
    } else {
        run::alone(py, work)?
    }
}

/// Returns the main content of a page.
#[pyfunction]
pub(crate) fn extract(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<String>,
    content_type: Option<String>,
    arguments: Arguments,
) -> PyResult<String> {
    let asked = Asked::new(arguments)?;
    let form = asked.output;
    let found = extract_one(py, html, url.clone(), content_type, asked)?;
    Ok(form.take(found, url.as_deref()))
}

/// The values of an `Extraction`, in its order.
type Whole =
    (String, String, &'static str, Option<String>, bool, bool, u64, u64, u64, Option<String>);

/// Returns the main content of a page, and what the page declares.
#[pyfunction]
pub(crate) fn extract_whole(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<String>,
    content_type: Option<String>,
    arguments: Arguments,
) -> PyResult<Whole> {
    let raw = Html::of(html)?.bytes().len() as u64;
    let found = extract_one(py, html, url, content_type, Asked::new(arguments)?)?;
    let Content { text, title, charset, language, noindex, nofollow, visible_bytes, limit, .. } =
        found;
    let main_bytes = text.len() as u64;
    let limit = limit.map(|limit| limit.to_string());
    Ok((text, title, charset, language, noindex, nofollow, raw, visible_bytes, main_bytes, limit))
}

/// Returns the main content of pages, on all cores. A page that cannot be read has an exception in
/// its place.
#[pyfunction]
pub(crate) fn extract_all<'py>(
    py: Python<'py>,
    pages: Vec<Bound<'py, PyAny>>,
    urls: Vec<Option<String>>,
    arguments: Arguments,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let asked = Asked::new(arguments)?;
    let pages = pages.iter().map(Html::of).collect::<PyResult<Vec<_>>>()?;
    let found = each(py, pages.into_iter().zip(urls).collect(), move |(html, url)| {
        let found = asked.extract(html, url.as_deref(), None);
        found.map(|found| asked.output.take(found, url.as_deref()))
    })?;
    found
        .into_iter()
        .map(|found| match found {
            Done::Result(Ok(text)) => Ok(PyString::new(py, &text).into_any()),
            Done::Result(Err(error)) | Done::Panicked(error) => {
                Ok(error.into_value(py).into_bound(py).into_any())
            }
        })
        .collect()
}

/// The outcome of one of several calls.
pub(crate) enum Done<T> {
    Result(T),
    Panicked(PyErr),
}

/// Applies a function to each value, on all cores, in order. A panic of one does not affect the
/// others.
///
/// # Errors
/// Fails if it was interrupted, or there can be no threads.
pub(crate) fn each<V: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    values: Vec<V>,
    apply: impl Fn(V) -> T + Send + Sync + 'static,
) -> PyResult<Vec<Done<T>>> {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let work = move || {
        let one = |value| {
            let done = (!stopped.load(Ordering::Relaxed))
                .then(|| catch_unwind(AssertUnwindSafe(|| apply(value))));
            done.map(|done| match done {
                Ok(result) => Done::Result(result),
                Err(cause) => Done::Panicked(run::panicked(&*cause)),
            })
        };
        values.into_par_iter().map(one).collect::<Option<Vec<_>>>()
    };
    let done = run::interruptible(py, Some(&stop), work)?;
    done.ok_or_else(|| errors::internal("the work was stopped"))
}
