//! The engine in Python: the module `corpulyzer._native`.
//!
//! It converts values between Python and the other crates, and holds no rule of its own. The
//! package
//! `corpulyzer` around it (in `lib/`) has the types and the documentation.
//!
//! Work runs without the lock of the interpreter. A panic becomes an exception.

mod archives;
mod documents;
mod engines;
mod errors;
mod html;
mod languages;
mod measure;
mod run;
mod texts;

use pyo3::prelude::*;

/// The engine of Corpulyzer.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::archives::Archives;
    #[pymodule_export]
    use crate::documents::Documents;
    #[pymodule_export]
    use crate::engines::Engine;
    #[pymodule_export]
    use crate::html::{extract, extract_all, extract_whole};
    #[pymodule_export]
    use crate::languages::{language_code, train, train_texts, Identifier};
    #[pymodule_export]
    use crate::measure::report;
    #[pymodule_export]
    use crate::texts::{signals, split_sentences, split_words};

    use crate::run;
    use pyo3::prelude::*;
    use std::ffi::OsString;

    /// Lets all functions that read records read Parquet too.
    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        records::read_tables_by(parquet_files::open);
        Ok(())
    }

    /// Returns the version of the program.
    #[pyfunction]
    fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// Runs the command with these arguments, of which the first is the name of the program, and
    /// returns its exit code.
    #[pyfunction]
    fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
        run::alone(py, move || cli::run_command(&arguments))
    }

    /// Panics, to test that a panic becomes an exception.
    #[pyfunction]
    fn probe(py: Python<'_>, in_thread: bool) -> PyResult<()> {
        #[allow(clippy::panic)]
        let work = || panic!("a panic for a test");
        if in_thread {
            run::interruptible(py, None, work)
        } else {
            run::alone(py, work)
        }
    }
}
