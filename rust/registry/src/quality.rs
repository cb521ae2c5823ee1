//! How well the library's identifier finds each language, as it was measured.

use langid::LangCode;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The table, made by `data/measure.py`.
const TABLE: &str = include_str!("../data/quality.tsv");

/// Name and version of the identifier's data that the table was measured with.
pub const MEASURED_WITH: &str = include_str!("../data/quality.version").trim_ascii();

/// Precision, recall and F1 of a language on sentences of the development set, in percent, among
/// texts in all languages of the set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// Number of sentences.
    pub sentences: u64,
    /// Percentage of right answers among those that name the language.
    pub precision: f64,
    /// Percentage of the language's sentences that are found.
    pub recall: f64,
    /// Harmonic mean of precision and recall.
    pub f1: f64,
}

impl Quality {
    pub(crate) fn of(code: LangCode) -> Option<Self> {
        static ROWS: OnceLock<BTreeMap<LangCode, Quality>> = OnceLock::new();
        ROWS.get_or_init(|| TABLE.lines().filter_map(row).collect()).get(&code).copied()
    }
}

fn row(line: &str) -> Option<(LangCode, Quality)> {
    let mut cells = line.split('\t');
    let code = cells.next()?.parse().ok()?;
    let sentences = cells.next()?.parse().ok()?;
    let mut percent = || cells.next()?.parse().ok();
    Some((code, Quality { sentences, precision: percent()?, recall: percent()?, f1: percent()? }))
}
