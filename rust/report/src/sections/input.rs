//! Records that were skipped.

use crate::html::{folded, ReportPage};
use crate::table::{Table, Value};

impl ReportPage<'_> {
    /// Writes the section, if records were skipped.
    pub fn problems(&mut self) {
        if self.report.corpora.iter().all(|corpus| corpus.input.problems.is_empty()) {
            return;
        }
        self.section("problems", "Skipped records");
        let kinds = Table::of(self.report, |corpus| &corpus.input.problems)
            .html_column("What", |(kind, _)| Value::text(kind.describe()))
            .html_column("How many", |(_, number)| Value::count(**number));
        self.html += &kinds.html("Skipped records, by kind");
        let places = Table::of(self.report, |corpus| &corpus.input.first_problems)
            .html_column("Where", |problem| Value::text(&problem.place))
            .html_column("What", |problem| Value::text(&problem.what));
        self.html += &folded("The first ten of each kind", &places.html("Places"));
    }
}
