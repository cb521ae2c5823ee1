//! Overlap of corpora.

use crate::html::Page;
use crate::table::{Heading, Table, Value};
use crate::{Pair, Report};

/// The table of common URLs and sites of each two corpora.
pub fn table(report: &Report) -> Table<'_, &Pair> {
    Table::alone(report.comparison.iter().flatten())
        .column("first", "First", |pair| Value::text(&pair.first))
        .column("second", "Second", |pair| Value::text(&pair.second))
        .column("common URLs", "Common URLs", |pair| Value::count(pair.common_urls))
        .column("Jaccard of URLs %", Heading::term("overlap", "Jaccard of URLs"), |pair| {
            Value::share(pair.jaccard_percent)
        })
        .column("common sites", "Common sites", |pair| Value::count(pair.common_sites))
        .column(
            "churn of the first's sites %",
            Heading::term("overlap", "Churn of sites"),
            |pair| Value::share(pair.churn_percent),
        )
}

impl Page<'_> {
    /// Writes the section, if there are several corpora.
    pub fn comparison(&mut self) {
        if self.report.comparison.is_none() {
            return;
        }
        self.section("comparison", "Overlap of corpora");
        self.html += &table(self.report).html("URLs and sites of each two corpora");
    }
}
