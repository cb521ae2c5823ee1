//! Varieties of the corpus's language.

use crate::html::ReportPage;
use crate::table::{Heading, Table, Value};
use crate::Report;
use figures::varieties::VarietyRow;

/// Whether a corpus has records with the field `variety`.
pub fn are_known(report: &Report) -> bool {
    report.corpora.iter().any(|corpus| corpus.figures.varieties.is_some())
}

/// The table of varieties: corpus by corpus, those of most pages first.
pub fn table(report: &Report) -> Table<'_, &VarietyRow> {
    Table::of(report, |corpus| corpus.figures.varieties.iter().flatten())
        .column("variety", Heading::term("varieties", "Variety"), |row| {
            let name = match row.name.as_str() {
                "" => "(not identified)",
                "und" => "(below .5)",
                name => name,
            };
            Value::named(&row.name, name)
        })
        .column("pages", "Pages", |row| Value::count(row.pages))
        .column("pages %", "of all", |row| Value::share(row.pages_percent))
        .column("bytes", "Text", |row| Value::size(row.bytes))
        .column("bytes %", "of all", |row| Value::fine_share(row.bytes_percent))
        .column("mean score", "Mean score", |row| Value::figure(row.mean_score, 4, 2))
}

impl ReportPage<'_> {
    /// Writes the table, if there are varieties.
    pub fn varieties(&mut self) {
        if are_known(self.report) {
            self.html += &table(self.report).html("Varieties of the language");
        }
    }
}
