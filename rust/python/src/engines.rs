//! The engine: from pages to records.

use crate::errors;
use crate::html::{each, Done, Html, LARGE};
use crate::run;
use engine::{Kind, PageHints, PageRecord, Settings};
use langbytes::LangCode;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use pyo3::IntoPyObjectExt;
use std::sync::Arc;

/// Content-Type of pages that are text: Python decoded them.
const DECODED: &str = "text/html; charset=utf-8";

/// Reads pages under one set of settings.
#[pyclass(frozen, module = "corpulyzer._native")]
pub(crate) struct Engine {
    engine: Arc<engine::Engine>,
}

/// Reads settings in JSON.
///
/// # Errors
/// Fails if one is not allowed.
pub(crate) fn engine_of(settings: &str) -> PyResult<engine::Engine> {
    let settings = Settings::from_json(settings.as_bytes()).map_err(errors::setting)?;
    engine::Engine::new(settings).map_err(errors::setting)
}

/// A page with its hints.
type Page<'py> = (Bound<'py, PyAny>, Option<String>, Option<String>);

fn read(
    engine: &engine::Engine,
    html: Html,
    url: Option<&str>,
    content_type: Option<&str>,
    kind: Kind,
) -> PageRecord {
    let content_type = if html.is_text() { Some(DECODED) } else { content_type };
    let hints = PageHints { content_type, url, kind };
    match html {
        Html::Bytes(bytes) => engine.page(&*bytes, &hints),
        Html::Text(text) => engine.page(text.into_bytes(), &hints),
    }
}

fn kind(is_text: bool) -> Kind {
    if is_text {
        Kind::Text
    } else {
        Kind::Html
    }
}

#[pymethods]
impl Engine {
    #[new]
    fn new(py: Python<'_>, settings: String) -> PyResult<Self> {
        let engine = run::alone(py, move || engine_of(&settings))??;
        Ok(Self { engine: Arc::new(engine) })
    }

    /// The target language, ISO 639-3.
    #[getter]
    fn language(&self) -> String {
        self.engine.settings().target().to_string()
    }

    /// The version of every record.
    #[getter]
    fn version(&self) -> &str {
        self.engine.version()
    }

    /// Returns the values of the record of a page.
    fn page<'py>(
        &self,
        py: Python<'py>,
        html: &Bound<'py, PyAny>,
        url: Option<String>,
        content_type: Option<String>,
        is_text: bool,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let html = Html::of(html)?;
        let engine = Arc::clone(&self.engine);
        let is_large = html.bytes().len() >= LARGE;
        let work =
            move || read(&engine, html, url.as_deref(), content_type.as_deref(), kind(is_text));
        let record =
            if is_large { run::interruptible(py, None, work)? } else { run::alone(py, work)? };
        values(py, record)
    }

    /// Returns the values of the records of pages, on all cores. A page on which the engine panics
    /// has an exception in its place.
    fn pages<'py>(
        &self,
        py: Python<'py>,
        pages: Vec<Page<'py>>,
        is_text: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let engine = Arc::clone(&self.engine);
        let pages = pages
            .into_iter()
            .map(|(html, url, content_type)| Ok((Html::of(&html)?, url, content_type)))
            .collect::<PyResult<Vec<_>>>()?;
        let records = each(py, pages, move |(html, url, content_type)| {
            read(&engine, html, url.as_deref(), content_type.as_deref(), kind(is_text))
        })?;
        records
            .into_iter()
            .map(|record| match record {
                Done::Result(record) => values(py, record).map(Bound::into_any),
                Done::Panicked(error) => Ok(error.into_value(py).into_bound(py).into_any()),
            })
            .collect()
    }
}

/// The values of a `Record`, in its order.
fn values(py: Python<'_>, record: PageRecord) -> PyResult<Bound<'_, PyTuple>> {
    fn value<'py>(py: Python<'py>, value: impl IntoPyObject<'py>) -> PyResult<Bound<'py, PyAny>> {
        value.into_bound_py_any(py)
    }
    PyTuple::new(
        py,
        [
            value(py, record.version)?,
            value(py, record.status.as_str())?,
            value(py, record.message)?,
            value(py, record.charset)?,
            value(py, record.title)?,
            value(py, Some(record.headline).filter(|headline| !headline.is_empty()))?,
            value(py, record.declared_language)?,
            value(py, record.noindex)?,
            value(py, record.nofollow)?,
            value(py, record.raw_bytes)?,
            value(py, record.visible_bytes)?,
            value(py, record.main_bytes)?,
            by_language(py, record.languages.most_first())?.into_any(),
            value(py, record.target_bytes)?,
            by_language(py, record.language_set.percents())?.into_any(),
            value(py, record.junk.map(|junk| junk.to_string()))?,
            value(py, record.excerpts.map(|excerpts| excerpts.to_string()))?,
            value(py, record.decision.keep)?,
            value(py, record.decision.reason)?,
            value(py, record.stage.map(|stage| stage.to_string()))?,
            PyString::new(py, &record.text).into_any(),
        ],
    )
}

/// A dictionary from language codes to numbers, in their order.
pub(crate) fn by_language<'py, N: IntoPyObject<'py>>(
    py: Python<'py>,
    numbers: impl IntoIterator<Item = (LangCode, N)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (language, number) in numbers {
        dict.set_item(language.as_str(), number)?;
    }
    Ok(dict)
}
