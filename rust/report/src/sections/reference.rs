//! Comparison with a reference corpus.

use crate::html::ReportPage;
use crate::table::{Heading, Table, Value};
use crate::{Reference, Report};
use figures::reference::MetricRow;

/// A corpus and a figure of it.
type Row<'a> = (&'a str, &'a MetricRow);

fn rows(reference: &Reference) -> impl Iterator<Item = Row<'_>> {
    reference
        .corpora
        .iter()
        .flat_map(|corpus| corpus.metrics.iter().map(move |metric| (corpus.name.as_str(), metric)))
}

/// The figures of samples of equal size, with their ratios.
pub fn table(reference: &Reference) -> Table<'_, Row<'_>> {
    Table::alone(rows(reference))
        .column("corpus", "Corpus", |(name, _)| Value::text(name))
        .column("figure", "Figure", |(_, row)| Value::text(row.metric))
        .column("value", "Value", |(_, row)| Value::figure(row.value, 6, 2))
        .column("reference", "Reference", |(_, row)| Value::figure(row.reference, 6, 2))
        .column("ratio", Heading::term("reference", "Ratio"), |(_, row)| {
            Value::figure(row.ratio, 4, 2)
        })
        .column("usual from", "Usual from", |(_, row)| Value::figure(row.low, 2, 2))
        .column("usual to", "Usual to", |(_, row)| Value::figure(row.high, 2, 2))
        .column("flag", "Flag", |(_, row)| Value::text(row.flag.unwrap_or_default()))
}

impl ReportPage<'_> {
    /// Writes the section, if there is a reference.
    pub fn reference(&mut self) {
        let report: &Report = self.report;
        let Some(reference) = &report.reference else { return };
        self.section("reference", "Comparison with the reference");
        let caption =
            format!("Samples of {} tokens each; reference: {}", reference.tokens, reference.name);
        self.html += &table(reference).html(&caption);
    }
}
