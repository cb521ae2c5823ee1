//! Yield per round of a crawl.

use crate::format::minute;
use crate::glossary::term;
use crate::html::{plot, ReportPage};
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::rounds::RoundRow;
use render::plot::{lines, Axis, Series};
use std::fmt::Write as _;

/// A round, and whether the yield of its corpus is known.
type Row<'a> = (bool, &'a RoundRow);

fn rows(corpus: &CorpusReport) -> impl Iterator<Item = Row<'_>> {
    let rounds = corpus.figures.rounds.iter().flat_map(|figures| &figures.rounds);
    let is_known = is_yield_known(corpus);
    rounds.map(move |row| (is_known, row))
}

/// The table of rounds. HTML has their start only if the start of any is known.
pub fn table(report: &Report) -> Table<'_, Row<'_>> {
    let has_start = report.corpora.iter().flat_map(rows).any(|(_, row)| row.began.is_some());
    let began = |(_, row): &Row<'_>| {
        Value::number(
            row.began.map_or_else(String::new, crate::time),
            row.began.map_or_else(|| "–".to_owned(), minute),
            row.began.map_or(-1.0, |began| began as f64),
        )
    };
    let table =
        Table::of(report, rows).column("round", "Round", |(_, row)| Value::count(row.round));
    let table = match has_start {
        true => table.column("began", Heading::term("began", "Began (UTC)"), began),
        false => table.tsv_column("began", began),
    };
    table
        .column("pages", "Pages", |(_, row)| Value::count(row.pages))
        .column("kept pages", "Kept pages", |(_, row)| Value::count(row.kept_pages))
        .column(
            "filtered yield %",
            Heading::term("yield-filtered", "Filtered yield"),
            |(is_known, row)| Value::share(row.yield_percent.filter(|_| *is_known)),
        )
        .column("pages with target text", "With any target text", |(_, row)| {
            Value::count(row.any_pages)
        })
        .column("any yield %", Heading::term("yield", "Yield (Eq. 6)"), |(is_known, row)| {
            Value::share(row.any_yield_percent.filter(|_| *is_known))
        })
        .column("target bytes", Heading::term("target", "Target text"), |(_, row)| {
            Value::size(row.target_bytes)
        })
        .tsv_column("raw bytes", |(_, row)| Value::count(row.raw_bytes))
        .tsv_column("clean bytes", |(_, row)| Value::count(row.clean_bytes))
        .tsv_column("byte yield %", |(is_known, row)| {
            Value::share(row.byte_yield_percent.filter(|_| *is_known))
        })
        .tsv_column("seconds", |(_, row)| Value::figure(row.seconds, 3, 1))
        .tsv_column("raw MB/s", |(_, row)| Value::figure(row.raw_mb_per_second, 6, 3))
        .tsv_column("clean MB/s", |(_, row)| Value::figure(row.clean_mb_per_second, 6, 4))
}

/// The download and the clean text of the rounds, and their speed.
fn speeds(report: &Report) -> Table<'_, Row<'_>> {
    Table::of(report, rows)
        .html_column("Round", |(_, row)| Value::count(row.round))
        .html_column("Downloaded", |(_, row)| Value::size(row.raw_bytes))
        .html_column("Target text in the corpus", |(_, row)| Value::size(row.clean_bytes))
        .html_column(Heading::term("byte-yield", "Byte yield"), |(is_known, row)| {
            Value::share(row.byte_yield_percent.filter(|_| *is_known))
        })
        .html_column(Heading::term("speed", "Seconds"), |(_, row)| Value::figure(row.seconds, 3, 1))
        .html_column("HTML, MB/s", |(_, row)| Value::figure(row.raw_mb_per_second, 6, 3))
        .html_column("Target text, MB/s", |(_, row)| Value::figure(row.clean_mb_per_second, 6, 4))
}

/// Returns the last round, if the input has the rejected pages, so that its yields
/// are known.
pub fn last_round(corpus: &CorpusReport) -> Option<&RoundRow> {
    let last = corpus.figures.rounds.as_ref()?.rounds.last();
    last.filter(|_| is_yield_known(corpus))
}

/// Returns whether the input has pages that the crawl rejected. Without them the yield is the
/// filter's, not the crawl's.
fn is_yield_known(corpus: &CorpusReport) -> bool {
    corpus.figures.rounds.as_ref().is_some_and(|figures| figures.rejected_known)
}

/// The points of a corpus's rounds, by a figure.
type Points<'a> = dyn Fn(&CorpusReport, &dyn Fn(&RoundRow) -> Option<f64>) -> Vec<(f64, f64)> + 'a;

impl ReportPage<'_> {
    /// Both curves of each corpus: pages with any target text, and pages after the filter.
    fn yield_series(&self, points: &Points<'_>) -> Vec<Series> {
        let mut series = Vec::new();
        for corpus in &self.report.corpora {
            let name = |what: &str| match self.several() {
                true => format!("{} ({what})", corpus.name),
                false => what.to_owned(),
            };
            let any = points(corpus, &|row| row.any_yield_percent);
            series.push(Series { name: name("any target text"), points: any });
            let filtered = points(corpus, &|row| row.yield_percent);
            series.push(Series { name: name("filtered"), points: filtered });
        }
        series
    }

    /// Writes the section, if any round is known.
    pub fn yields(&mut self) {
        let known = self.report.corpora.iter().any(is_yield_known);
        let points = |c: &CorpusReport, up: &dyn Fn(&RoundRow) -> Option<f64>| {
            let point = |(_, row): Row<'_>| Some((row.round as f64, up(row)?));
            rows(c).filter(|(is_known, _)| *is_known == known).filter_map(point).collect()
        };
        let series: Vec<Series> = match known {
            true => self.yield_series(&points),
            false => self.series(|c| points(c, &|row| Some(row.pages as f64))),
        };
        if series.iter().all(|one| one.points.is_empty()) {
            return;
        }
        let round = Axis::whole("Round");
        if known {
            self.section("yield", "Yield per round");
            let svg =
                lines("p-yield", "Yield per round", &round, &Axis::percent("Yield, %"), &series);
            let caption = format!(
                "{} of each round: pages with any target text; and {}: pages that were kept",
                term("yield", "Yield"),
                term("yield-filtered", "filtered yield"),
            );
            self.html += &plot(&caption, &svg);
        } else {
            self.section("yield", "Pages per round");
            let up = Axis::from_zero("Pages of the corpus");
            let svg = lines("p-yield", "Pages per round", &round, &up, &series);
            self.html += &plot("Pages of the corpus that each round brought", &svg);
        }
        for corpus in &self.report.corpora {
            if corpus.figures.rounds.is_some() && !is_yield_known(corpus) {
                let (name, term) = (self.name_of(corpus), term("yield", "yield"));
                let why = "The input has no rejected page, so its";
                let _ = write!(self.html, "<p class=\"note\">{name}{why} {term} is not known.</p>");
            }
        }
        self.html += &table(self.report).html("Pages of each round");
        self.speeds();
    }

    /// Writes the plots of yield and speed over the rounds, if the input has pages that the crawl
    /// rejected, and sizes and times of pages.
    fn speeds(&mut self) {
        let corpora = || self.report.corpora.iter().filter(|corpus| is_yield_known(corpus));
        if corpora().flat_map(rows).all(|(_, row)| row.raw_mb_per_second.is_none()) {
            return;
        }
        let of = |up: &dyn Fn(&RoundRow) -> Option<f64>| {
            self.series(|c| {
                let rows = rows(c).filter(|(is_known, _)| *is_known);
                rows.filter_map(|(_, row)| Some((row.round as f64, up(row)?))).collect()
            })
        };
        let round = Axis::whole("Round");
        let draw = |id: &str, title: &str, up: Axis, series: &[Series]| {
            let caption = term("speed", title);
            plot(&caption, &lines(id, title, &round, &up, series))
        };
        let mut html = "<div class=\"plots\">".to_owned();
        html += &draw(
            "p-speed-raw",
            "HTML per second",
            Axis::above_zero("kB of HTML per second"),
            &of(&|row| row.raw_mb_per_second.map(|speed| speed * 1e3)),
        );
        html += &draw(
            "p-speed-clean",
            "Target text per second",
            Axis::above_zero("kB of target text per second"),
            &of(&|row| row.clean_mb_per_second.map(|speed| speed * 1e3)),
        );
        html += "</div>";
        self.html += &html;
        self.html += &speeds(self.report).html("Download and speed of each round");
    }
}
