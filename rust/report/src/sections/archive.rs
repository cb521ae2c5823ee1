//! An archive's index.

use crate::format::integer;
use crate::html::ReportPage;
use crate::table::{Heading, Table, Value};
use figures::cdx::{IndexFigures, IndexRow};
use std::fmt::Write as _;

/// The table of documents by language and by MIME type. HTML has a table for each.
pub fn table(index: &IndexFigures) -> Table<'_, (&'static str, &IndexRow)> {
    let languages = index.languages.iter().map(|row| ("language", row));
    let mimes = index.mimes.iter().map(|row| ("MIME type", row));
    columns(Table::alone(languages.chain(mimes)))
}

fn columns<'a>(
    table: Table<'a, (&'static str, &'a IndexRow)>,
) -> Table<'a, (&'static str, &'a IndexRow)> {
    table
        .tsv_column("of", |(of, _)| Value::text(of))
        .column("value", "Value", |(_, row)| Value::text_or(&row.value, "(unknown)"))
        .column("documents", Heading::term("index", "Documents"), |(_, row)| {
            Value::count(row.documents)
        })
        .column("documents %", "of all", |(_, row)| Value::share(row.percent))
}

impl ReportPage<'_> {
    /// Writes the section, if there is an index.
    pub fn index(&mut self) {
        let Some(index) = &self.report.index else { return };
        self.section("index", "The archive\u{2019}s index");
        let _ = write!(
            self.html,
            "<p class=\"note\">{} documents; {} lines could not be read.</p>",
            integer(index.records),
            integer(index.bad)
        );
        for (caption, rows) in
            [("Documents by language", &index.languages), ("Documents by MIME type", &index.mimes)]
        {
            let table = columns(Table::alone(rows.iter().map(|row| ("", row))));
            self.html += &table.html(caption);
        }
    }
}
