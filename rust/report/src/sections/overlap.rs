//! Overlap of corpora.

use crate::html::ReportPage;
use crate::table::{Heading, Table, Value};
use crate::{Pair, Report};
use figures::combinations::Combination;

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
        .column("added URLs", Heading::term("changes", "Added"), |pair| {
            Value::count(pair.added_urls)
        })
        .column("removed URLs", Heading::term("changes", "Removed"), |pair| {
            Value::count(pair.removed_urls)
        })
        .column("changed URLs", Heading::term("changes", "Changed"), |pair| {
            Value::count(pair.changed_urls)
        })
}

/// The table of URLs, sites and texts of each combination of corpora (paper, Fig. 6a).
pub fn combined(report: &Report) -> Table<'_, &Combination> {
    Table::alone(report.combinations.iter().flatten())
        .column("corpora", "Corpora", |row| Value::text(&row.corpora.join(" + ")))
        .column("URLs in these only", Heading::term("combination", "URLs only"), |row| {
            Value::count(row.urls_only)
        })
        .column("URLs in all of these", "URLs", |row| Value::count(row.urls))
        .column("sites in these only", "Sites only", |row| Value::count(row.sites_only))
        .column("sites in all of these", "Sites", |row| Value::count(row.sites))
        .column("texts in these only", "Texts only", |row| Value::count(row.texts_only))
        .column("texts in all of these", "Texts", |row| Value::count(row.texts))
}

impl ReportPage<'_> {
    /// Writes the section, if there are several corpora.
    pub fn comparison(&mut self) {
        if self.report.comparison.is_none() {
            return;
        }
        self.section("comparison", "Overlap of corpora");
        self.html += &table(self.report).html("URLs and sites of each two corpora");
        if self.report.combinations.is_some() {
            self.html += &combined(self.report).html(
                "URLs, sites and texts that all corpora of a combination have, and only they (Fig. 6a)",
            );
        }
    }
}
