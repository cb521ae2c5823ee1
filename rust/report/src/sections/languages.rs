//! Languages found in pages.

use crate::format::percent;
use crate::glossary::term;
use crate::html::{plot, ReportPage};
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::fixed;
use figures::languages::LanguageRow;
use render::plot::bars;

/// Languages in the plot.
const SHOWN_LANGUAGES: usize = 12;

/// The table of languages: corpus by corpus, those of most pages first.
pub fn table(report: &Report) -> Table<'_, &LanguageRow> {
    columns(Table::of(report, |corpus| &corpus.figures.languages))
}

/// The same table for HTML: by language, because the second language differs between corpora.
fn by_language(report: &Report) -> Table<'_, &LanguageRow> {
    let of_each = |name| {
        let corpora = report.corpora.iter();
        corpora.filter_map(move |corpus| Some((corpus, vec![row_of(corpus, name)?])))
    };
    columns(Table::grouped(report, report.languages().into_iter().flat_map(of_each)))
}

fn row_of<'a>(corpus: &'a CorpusReport, name: &str) -> Option<&'a LanguageRow> {
    corpus.figures.languages.iter().find(|row| row.name == name)
}

/// In TSV the code comes before the name, in HTML the name before the code.
fn columns<'a>(table: Table<'a, &'a LanguageRow>) -> Table<'a, &'a LanguageRow> {
    table
        .html_column("Language", |row| Value::text(&row.name))
        .column("code", "Code", |row| Value::code(&row.code))
        .tsv_column("language", |row| Value::text(&row.name))
        .column("pages", Heading::term("contains", "Pages"), |row| Value::count(row.pages))
        .column("pages %", "of all", |row| Value::share(row.pages_percent))
        .column("pages with any", "Pages with any", |row| Value::count(row.pages_any))
        .column("bytes", Heading::term("text-share", "Text"), |row| Value::size(row.bytes))
        .column("bytes %", "of all text", |row| Value::fine_share(row.bytes_percent))
}

/// Table 8 of the paper: a row for each language in the pages, ordered by its share in the first
/// corpus that has it; pages and their share for each corpus.
pub fn table_8(report: &Report) -> Table<'_, &str> {
    let has_pages = |name: &&str| {
        report.corpora.iter().any(|corpus| row_of(corpus, name).is_some_and(|row| row.pages > 0))
    };
    Table::alone(report.languages().into_iter().filter(has_pages))
        .tsv_column("language", |name| Value::text(name))
        .for_each_corpus(report, |name, corpus| {
            let pages = row_of(corpus, name).map_or(0, |row| row.pages);
            (Some(pages), fixed::percent(pages, corpus.figures.totals.pages))
        })
}

impl ReportPage<'_> {
    /// Writes the section.
    pub fn languages(&mut self) {
        self.section("languages", "Languages found in pages");
        // The languages of the first corpus, with the values of the others.
        let mut names: Vec<String> = Vec::new();
        for corpus in &self.report.corpora {
            for row in corpus.figures.languages.iter().take(SHOWN_LANGUAGES) {
                if !names.contains(&row.name) && names.len() < SHOWN_LANGUAGES {
                    names.push(row.name.clone());
                }
            }
        }
        let bar = |corpus: &CorpusReport, name: &String| {
            let share = row_of(corpus, name).and_then(|row| row.pages_percent);
            (share.unwrap_or(0.0), percent(share))
        };
        let series: Vec<_> = self
            .report
            .corpora
            .iter()
            .map(|c| (c.name.clone(), names.iter().map(|name| bar(c, name)).collect()))
            .collect();
        self.html += &plot(
            &format!("Share of pages that {}", term("contains", "contain a language")),
            &bars("p-languages", "Pages by language", &names, &series),
        );
        self.html += &by_language(self.report).html("Languages");
    }
}
