//! Classes of pages.

use super::HOST_UNKNOWN;
use crate::html::{folded, ReportPage};
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::classes::{ClassFigures, ClassRow, SiteClasses};

/// Whether a corpus has records with classes.
pub fn are_known(report: &Report) -> bool {
    report.corpora.iter().any(|corpus| corpus.figures.classes.is_some())
}

fn figures(corpus: &CorpusReport) -> impl Iterator<Item = &ClassFigures> {
    corpus.figures.classes.iter()
}

fn of_sites(corpus: &CorpusReport) -> impl Iterator<Item = (&SiteClasses, &ClassRow)> {
    let sites = figures(corpus).flat_map(|of| &of.sites);
    sites.flat_map(|site| site.classes.iter().map(move |row| (site, row)))
}

/// The table of classes: corpus by corpus, field by field, those of most pages first.
pub fn table(report: &Report) -> Table<'_, &ClassRow> {
    Table::of(report, |corpus| figures(corpus).flat_map(|of| &of.corpus))
        .column("field", Heading::term("classes", "Field"), |row| Value::text(&row.field))
        .column("class", "Class", |row| Value::text(&row.class))
        .column("pages", "Pages", |row| Value::count(row.pages))
        .column("pages %", "of the field", |row| Value::share(row.pages_percent))
        .column("bytes", "Text", |row| Value::size(row.bytes))
        .column("mean score", "Mean score", |row| Value::figure(Some(row.mean_score), 4, 2))
}

/// The table of the classes of the sites with most pages.
pub fn sites(report: &Report) -> Table<'_, (&SiteClasses, &ClassRow)> {
    Table::of(report, of_sites)
        .column("site", "Site", |(site, _)| Value::text_or(&site.site, HOST_UNKNOWN))
        .column("field", Heading::term("classes", "Field"), |(_, row)| Value::text(&row.field))
        .column("class", "Class", |(_, row)| Value::text(&row.class))
        .column("pages", "Pages", |(_, row)| Value::count(row.pages))
        .column("pages %", "of the site", |(_, row)| Value::share(row.pages_percent))
        .column("bytes", "Text", |(_, row)| Value::size(row.bytes))
        .column("mean score", "Mean score", |(_, row)| Value::figure(Some(row.mean_score), 4, 2))
}

impl ReportPage<'_> {
    /// Writes the tables, if there are classes.
    pub fn classes(&mut self) {
        if are_known(self.report) {
            self.html += &table(self.report).html("Classes of pages");
            self.html += &folded("Classes by site", &sites(self.report).html("Classes by site"));
        }
    }
}
