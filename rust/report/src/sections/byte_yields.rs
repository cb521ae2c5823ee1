//! Byte yield of sites.

use super::HOST_UNKNOWN;
use crate::format::{bytes, percent, things};
use crate::glossary::term;
use crate::html::{plot, ReportPage};
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::byte_yields::{CostRow, SiteYield, WhatIf};
use render::plot::{lines, scatter, Axis};
use std::fmt::Write as _;

fn what_if_rows(corpus: &CorpusReport) -> impl Iterator<Item = &WhatIf> {
    corpus.figures.byte_yields.iter().flat_map(|figures| &figures.what_if)
}

/// The table of crawls of only the sites above a byte yield.
pub fn what_if(report: &Report) -> Table<'_, &WhatIf> {
    Table::of(report, what_if_rows)
        .column("byte yield above %", Heading::term("byte-yield", "Above"), |row| {
            Value::number(
                row.above_percent.map_or_else(String::new, |percent| percent.to_string()),
                row.above_percent
                    .map_or_else(|| "all sites".to_owned(), |above| format!("{above} %")),
                row.above_percent.unwrap_or(-1.0),
            )
        })
        .column("sites", "Sites", |row| Value::count(row.sites))
        .column("pages", "Pages", |row| Value::count(row.pages))
        .column("raw MB", "Downloaded", |row| Value::megabytes(row.raw_bytes))
        .column("raw MB %", "of all", |row| Value::share(row.raw_percent))
        .column("target MB", "Target text", |row| Value::megabytes(row.target_bytes))
        .column("target MB %", "of all", |row| Value::share(row.target_percent))
}

fn costliest_rows(corpus: &CorpusReport) -> impl Iterator<Item = (u64, &CostRow)> {
    let rows = corpus.figures.byte_yields.iter().flat_map(|figures| &figures.costliest_sites);
    (1..).zip(rows)
}

/// The table of sites that cost the most, with their ranks.
pub fn costliest(report: &Report) -> Table<'_, (u64, &CostRow)> {
    Table::of(report, costliest_rows)
        .tsv_column("rank", |(rank, _)| Value::count(*rank))
        .column("site", Heading::term("costliest", "Site"), |(_, row)| {
            Value::text_or(&row.site, HOST_UNKNOWN)
        })
        .column("pages", "Pages", |(_, row)| Value::count(row.pages))
        .column("kept pages", "kept", |(_, row)| Value::count(row.kept_pages))
        .column("raw MB", "Downloaded", |(_, row)| Value::megabytes(row.raw_bytes))
        .column("raw MB %", "of all", |(_, row)| Value::share(row.raw_percent))
        .column("target MB", "Target text", |(_, row)| Value::megabytes(row.target_bytes))
        .column("target MB %", "of all", |(_, row)| Value::share(row.target_percent))
        .column("byte yield %", "Byte yield", |(_, row)| Value::share(row.byte_yield_percent))
        .tsv_column("mean of pages %", |(_, row)| Value::share(row.page_yield_mean))
}

fn site_rows(corpus: &CorpusReport) -> impl Iterator<Item = &SiteYield> {
    corpus.figures.byte_yields.iter().flat_map(|figures| &figures.sites)
}

/// The table of downloaded and clean bytes of sites. HTML has it as a plot.
pub fn sites(report: &Report) -> Table<'_, &SiteYield> {
    Table::of(report, site_rows)
        .tsv_column("site", |row| Value::text(&row.site))
        .tsv_column("pages", |row| Value::count(row.pages))
        .tsv_column("raw bytes", |row| Value::size(row.raw_bytes))
        .tsv_column("target bytes", |row| Value::size(row.target_bytes))
        .tsv_column("byte yield %", |row| Value::share(row.byte_yield_percent))
}

impl ReportPage<'_> {
    /// The plot of downloaded and clean bytes of sites.
    fn site_yields(&self) -> String {
        let series = self.series(|c| {
            site_rows(c).map(|row| (row.raw_bytes as f64, row.target_bytes as f64)).collect()
        });
        let name = |row: &SiteYield| {
            let site = if row.site.is_empty() { HOST_UNKNOWN } else { &row.site };
            format!("{site}: {} of {}", bytes(row.target_bytes), bytes(row.raw_bytes))
        };
        let names: Vec<Vec<String>> =
            self.report.corpora.iter().map(|c| site_rows(c).map(name).collect()).collect();
        let axes = ("Downloaded bytes", "Target text, bytes");
        let svg =
            scatter("p-host-yield", "Target text and download of sites", axes, &series, &names);
        let without = self.report.corpora.iter().flat_map(site_rows);
        let without = without.filter(|row| row.target_bytes == 0 || row.raw_bytes == 0).count();
        let left_out = match without {
            0 => String::new(),
            _ => format!("; without {} that gave no text", things(without as u64, "site", "sites")),
        };
        let caption = format!(
            "{} of the sites with the largest downloads{left_out}",
            term("byte-yield", "Target text and download")
        );
        plot(&caption, &svg)
    }

    /// Writes the section, if the sizes of pages are known.
    pub fn byte_yields(&mut self) {
        if self.report.corpora.iter().all(|corpus| corpus.figures.byte_yields.is_none()) {
            return;
        }
        self.section("byte-yield", "Byte yield of sites");
        for corpus in &self.report.corpora {
            if let Some(figures) = &corpus.figures.byte_yields {
                let _ = write!(
                    self.html,
                    "<p class=\"note\">{}{} {}; mean over pages {}.</p>",
                    self.name_of(corpus),
                    term("byte-yield", "Byte yield"),
                    percent(figures.byte_yield_percent),
                    percent(figures.page_yield_mean)
                );
            }
        }
        let series = self.series(|c| {
            what_if_rows(c)
                .filter_map(|row| Some((row.raw_percent?, row.target_percent?)))
                .collect()
        });
        let (cost, gain) = (Axis::percent("Downloaded, %"), Axis::percent("Target text, %"));
        let svg = lines("p-what-if", "Target text by download", &cost, &gain, &series);
        let caption =
            format!("{}: a crawl of only the sites above a byte yield", term("what-if", "What if"));
        self.html += "<div class=\"plots\">";
        self.html += &self.site_yields();
        self.html += &plot(&caption, &svg);
        self.html += "</div>";
        self.html +=
            &what_if(self.report).html("Result of a crawl of only the sites above a byte yield");
        self.html += &costliest(self.report)
            .html("Sites with a larger share of the download than of the target text");
    }
}
