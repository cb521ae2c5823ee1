//! Content-size thresholds.

use crate::html::{folded, ReportPage};
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::calibration::{CalibrationFigures, CalibrationRow, ScriptTables};

/// A threshold over the pages of a script, or over all.
pub struct ThresholdRow<'a> {
    /// ISO 15924 code of the script, and its name; `all` over all pages.
    script: (&'a str, &'a str),
    unit: &'static str,
    figures: &'a CalibrationRow,
    is_chosen: bool,
}

fn rows_of<'a>(
    script: (&'a str, &'a str),
    unit: &'static str,
    figures: &'a CalibrationFigures,
) -> impl Iterator<Item = ThresholdRow<'a>> {
    let row = move |row: &'a CalibrationRow| {
        let is_chosen = figures.choice == Some(row.threshold);
        ThresholdRow { script, unit, figures: row, is_chosen }
    };
    figures.rows.iter().map(row)
}

/// The thresholds over all pages.
fn over_all(corpus: &CorpusReport) -> impl Iterator<Item = ThresholdRow<'_>> {
    let (tables, all) = (&corpus.figures.calibration, ("all", "all"));
    rows_of(all, "bytes", &tables.bytes).chain(rows_of(all, "characters", &tables.characters))
}

/// The thresholds over the pages of each script.
fn by_script(corpus: &CorpusReport) -> impl Iterator<Item = ThresholdRow<'_>> {
    corpus.figures.calibration.scripts.iter().flat_map(|of| {
        let script = (of.script.as_str(), of.name.as_str());
        rows_of(script, "bytes", &of.bytes).chain(rows_of(script, "characters", &of.characters))
    })
}

/// The table of all thresholds. HTML has one table over all pages and one by script.
pub fn table(report: &Report) -> Table<'_, ThresholdRow<'_>> {
    let all = Table::of(report, |corpus| over_all(corpus).chain(by_script(corpus)));
    columns(all.column("script", Heading::term("script", "Script"), script))
}

fn script(row: &ThresholdRow) -> Value {
    Value::named(row.script.0, row.script.1)
}

fn columns<'a>(table: Table<'a, ThresholdRow<'a>>) -> Table<'a, ThresholdRow<'a>> {
    table
        .column("unit", "Unit", |row| Value::text(row.unit))
        .column("threshold", Heading::term("threshold", "Threshold"), |row| {
            Value::count(row.figures.threshold)
        })
        .column("pages", "Pages", |row| Value::count(row.figures.pages))
        .column("pages %", "of all", |row| Value::share(row.figures.pages_percent))
        .column("size", "Size", |row| Value::count(row.figures.size))
        .column("size %", "of all", |row| Value::share(row.figures.size_percent))
        .column("chosen", "", |row| Value::chosen(row.is_chosen))
}

/// Table 3 of the paper over all pages, in bytes.
pub fn table_3(report: &Report) -> Table<'_, ThresholdRow<'_>> {
    let rows = |corpus| over_all(corpus).filter(|row| row.unit == "bytes");
    Table::of(report, rows)
        .tsv_column("threshold", |row| Value::count(row.figures.threshold))
        .tsv_column("pages", |row| Value::count(row.figures.pages))
        .tsv_column("pages %", |row| Value::share(row.figures.pages_percent))
        .tsv_column("target MB", |row| Value::megabytes(row.figures.size))
        .tsv_column("target MB %", |row| Value::share(row.figures.size_percent))
        .tsv_column("chosen", |row| Value::chosen(row.is_chosen))
}

/// The table of HTML with the chosen thresholds of each script.
fn choices(report: &Report) -> Table<'_, &ScriptTables> {
    fn pages(figures: &CalibrationFigures) -> Value {
        let row = figures.rows.iter().find(|row| figures.choice == Some(row.threshold));
        Value::share(row.and_then(|row| row.pages_percent))
    }
    Table::of(report, |corpus| &corpus.figures.calibration.scripts)
        .html_column(Heading::term("script", "Script"), |of| Value::text(&of.name))
        .html_column("Pages", |of| Value::count(of.bytes.rows.first().map_or(0, |row| row.pages)))
        .html_column(Heading::term_and("threshold", "Threshold", ", bytes"), |of| {
            Value::maybe(of.bytes.choice)
        })
        .html_column("leaves pages", |of| pages(&of.bytes))
        .html_column("Threshold, characters", |of| Value::maybe(of.characters.choice))
        .html_column("leaves pages", |of| pages(&of.characters))
}

impl ReportPage<'_> {
    /// Writes the section.
    pub fn thresholds(&mut self) {
        self.section("thresholds", "Content-size thresholds");
        self.html += &columns(Table::of(self.report, over_all))
            .html("Thresholds, over all pages with target text that the input has");
        if self.report.corpora.iter().any(|c| !c.figures.calibration.scripts.is_empty()) {
            self.html += &choices(self.report).html("Threshold for each script");
            let all = Table::of(self.report, by_script);
            let all = all.html_column(Heading::term("script", "Script"), script);
            self.html +=
                &folded("All thresholds by script", &columns(all).html("Thresholds by script"));
        }
    }
}
