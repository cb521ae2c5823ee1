//! Language share of pages.

use crate::glossary::term;
use crate::html::{bar_series, bin_names, escape, folded, plot, ReportPage};
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::richness::LshFigures;
use render::plot::bars;

/// A measure of the language share: its name, and its figures if the corpus has them.
type Measure = (&'static str, fn(&CorpusReport) -> Option<&LshFigures>);

const MEASURES: [Measure; 3] = [
    ("target bytes / main-text bytes", |c| Some(&c.figures.richness.main_bytes)),
    ("target bytes / visible-text bytes", |c| Some(&c.figures.richness.visible_bytes)),
    ("target tokens / main-text tokens", |c| c.figures.richness.main_tokens.as_ref()),
];

/// A bin of a measure, or the sum of its bins.
pub struct RichnessRow<'a> {
    measure: &'static str,
    bin: &'a str,
    pages: u64,
    percent: Option<f64>,
}

/// The bins of a measure, and their sum.
fn bins<'a>(
    measure: &'static str,
    figures: &'a LshFigures,
) -> impl Iterator<Item = RichnessRow<'a>> {
    let bins = figures.bins.iter();
    let bins = bins.map(move |bin| RichnessRow {
        measure,
        bin: &bin.bin,
        pages: bin.count,
        percent: bin.percent,
    });
    let percent = (figures.pages > 0).then_some(100.0);
    bins.chain([RichnessRow { measure, bin: "total", pages: figures.pages, percent }])
}

/// The table of all measures, with a row for each bin. It is in TSV only: HTML has a column for
/// each bin.
pub fn table(report: &Report) -> Table<'_, RichnessRow<'_>> {
    let rows = |corpus| {
        MEASURES.iter().filter_map(move |(name, of)| Some(bins(name, of(corpus)?))).flatten()
    };
    Table::of(report, rows)
        .tsv_column("measure", |row: &RichnessRow| Value::text(row.measure))
        .tsv_column("LSh %", |row| Value::text(row.bin))
        .tsv_column("pages", |row| Value::count(row.pages))
        .tsv_column("pages %", |row| Value::share(row.percent))
}

/// Table 7 of the paper: a row for each bin by bytes of main text, and one for all; pages and their
/// share for each corpus.
pub fn table_7(report: &Report) -> Table<'_, (usize, String)> {
    let of = |corpus: &'_ CorpusReport| -> Vec<(u64, Option<f64>)> {
        let figures = &corpus.figures.richness.main_bytes;
        bins("", figures).map(|row| (row.pages, row.percent)).collect()
    };
    let rows = report.corpora.first().into_iter().flat_map(|corpus| {
        bins("", &corpus.figures.richness.main_bytes).map(|row| row.bin.to_owned()).enumerate()
    });
    let table =
        Table::alone(rows).tsv_column("LSh %", |(_, bin): &(usize, String)| Value::text(bin));
    table.for_each_corpus(report, move |(at, _), corpus| {
        of(corpus).get(*at).map_or((None, None), |(pages, percent)| (Some(*pages), *percent))
    })
}

/// Returns the figures that HTML shows. A measure without pages is as good as none, except for the
/// first one.
fn known<'a>(measure: &Measure, corpus: &'a CorpusReport) -> Option<&'a LshFigures> {
    let is_first = measure.0 == MEASURES[0].0;
    measure.1(corpus).filter(|lsh| is_first || lsh.pages > 0)
}

/// The table of HTML: a row for each measure, a column for each bin.
fn by_measure(report: &Report) -> Table<'_, (&CorpusReport, &'static Measure)> {
    // One row for each measure that any corpus has, so that the corpora's values are adjacent.
    let is_measured = move |measure: &&Measure| {
        report.corpora.iter().any(|corpus| known(measure, corpus).is_some())
    };
    let mut table = Table::of(report, |corpus| {
        MEASURES.iter().filter(is_measured).map(move |measure| (corpus, measure))
    })
    .html_column(Heading::term("lsh", "Measure"), |(_, measure)| Value::text(measure.0));
    let bins = report.corpora.first().map_or(&[][..], |c| &c.figures.richness.main_bytes.bins);
    for (at, bin) in bins.iter().enumerate() {
        let bin_of = move |&(corpus, measure): &(&'_ CorpusReport, &Measure)| {
            known(measure, corpus)
                .and_then(|lsh| lsh.bins.get(at))
                .map(|bin| (bin.count, bin.percent))
        };
        table = table
            .html_column(bin.bin.as_str(), move |row| Value::maybe(bin_of(row).map(|bin| bin.0)))
            .html_column("%", move |row| Value::share(bin_of(row).and_then(|bin| bin.1)));
    }
    table.html_column("Mean of pages", move |&(corpus, measure)| {
        Value::share(known(measure, corpus).and_then(|lsh| lsh.mean))
    })
}

impl ReportPage<'_> {
    /// Writes the section.
    pub fn richness(&mut self) {
        let language = escape(&self.report.language_name);
        self.section("lsh", &format!("How much of a page is {}", self.report.language_name));
        let bins = |c: &CorpusReport| c.figures.richness.main_bytes.bins.clone();
        let names = self.report.corpora.first().map_or(Vec::new(), |c| bin_names(&bins(c)));
        let series = bar_series(&self.report.corpora, bins);
        self.html += &plot(
            &format!("Pages by the {} of their text in {language}, %", term("lsh", "share")),
            &bars("p-lsh", "Pages by share of the language", &names, &series),
        );
        let measures = by_measure(self.report).html("Pages by LSh (Table 7 of the paper)");
        self.html +=
            &folded("The same by bytes and by tokens: LSh, the paper's measure", &measures);
    }
}
