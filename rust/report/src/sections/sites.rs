//! Sites: their richness, size and coverage, and their order in another ranking.

use super::HOST_UNKNOWN;
use crate::glossary::term;
use crate::html::{bar_series, bin_names, folded, plot, ReportPage};
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::ranking::RankRow;
use figures::sites::{Bin, Coverage, Quantile, SiteLanguage, SiteRow};
use render::plot::{bars, escape, lines, shares, Axis, Series};

/// Sites in the plot of their languages.
const SHOWN_SITES: usize = 15;
/// Languages in that plot.
const SHOWN_LANGUAGES: usize = 6;

/// A site and its rank.
type Ranked<'a> = (u64, &'a SiteRow);

/// Table 9 of the paper, with the sites of most pages.
pub fn most_pages(report: &Report) -> Table<'_, Ranked<'_>> {
    largest(report, |corpus| &corpus.figures.sites.most_pages_sites)
}

/// Table 9 of the paper, with the sites of most target text.
pub fn most_bytes(report: &Report) -> Table<'_, Ranked<'_>> {
    largest(report, |corpus| &corpus.figures.sites.most_bytes_sites)
}

fn largest(report: &Report, rows: fn(&CorpusReport) -> &Vec<SiteRow>) -> Table<'_, Ranked<'_>> {
    Table::of(report, |corpus| (1..).zip(rows(corpus)))
        .tsv_column("rank", |(rank, _)| Value::count(*rank))
        .column("site", "Site", |(_, row)| Value::text_or(&row.site, HOST_UNKNOWN))
        .column("pages", "Pages", |(_, row)| Value::count(row.pages))
        .column("pages %", "of all", |(_, row)| Value::share(row.pages_percent))
        .column("target MB", Heading::term("target", "Target text"), |(_, row)| {
            Value::megabytes(row.target_bytes)
        })
        .column("target MB %", "of all", |(_, row)| Value::share(row.bytes_percent))
        .column("SiteR %", Heading::term("siter", "Share of the language"), |(_, row)| {
            Value::share(row.site_richness)
        })
        .column("SiteR rank", Heading::term("siter", "Rank by share"), |(_, row)| {
            Value::maybe(row.site_richness_rank)
        })
}

fn of_sites(corpus: &CorpusReport) -> impl Iterator<Item = (&str, &SiteLanguage)> {
    let sites = corpus.figures.sites.most_pages_sites.iter();
    sites.flat_map(|row| row.languages.iter().map(|of| (row.site.as_str(), of)))
}

/// The table of the languages of the sites with most pages.
pub fn languages(report: &Report) -> Table<'_, (&str, &SiteLanguage)> {
    Table::of(report, of_sites)
        .tsv_column("site", |(site, _)| Value::text(site))
        .tsv_column("code", |(_, of)| Value::code(&of.code))
        .tsv_column("language", |(_, of)| Value::text(&of.name))
        .tsv_column("bytes", |(_, of)| Value::size(of.bytes))
        .tsv_column("bytes %", |(_, of)| Value::share(of.bytes_percent))
}

/// The table of the pages and the text of the richest sites.
pub fn coverage(report: &Report) -> Table<'_, &Coverage> {
    Table::of(report, |corpus| &corpus.figures.sites.coverage)
        .column("richest sites", Heading::term("coverage", "Richest sites"), |row| {
            Value::count(row.sites)
        })
        .column("sites %", "of all", |row| Value::share(row.sites_percent))
        .column("pages %", "Pages", |row| Value::share(row.pages_percent))
        .column("target bytes %", Heading::term("target", "Target text"), |row| {
            Value::share(row.bytes_percent)
        })
}

/// The distribution of SiteR. HTML has it as a plot.
pub fn site_richness(report: &Report) -> Table<'_, &Quantile> {
    Table::of(report, |corpus| &corpus.figures.sites.site_richness)
        .tsv_column("sites %", |row| Value::share(Some(row.sites_percent)))
        .tsv_column("SiteR % at most", |row| Value::share(Some(row.site_richness)))
}

/// The sites by their number of pages. HTML has them as a plot.
pub fn pages_per_site(report: &Report) -> Table<'_, &Bin> {
    Table::of(report, |corpus| &corpus.figures.sites.pages_per_site)
        .tsv_column("pages", |bin| Value::text(&bin.bin))
        .tsv_column("sites", |bin| Value::count(bin.count))
        .tsv_column("sites %", |bin| Value::share(bin.percent))
}

/// The table of the richest sites in other rankings.
pub fn ranking(report: &Report) -> Table<'_, &RankRow> {
    Table::of(report, |corpus| corpus.ranking.iter().flatten())
        .column("richest sites", "Richest sites", |row| Value::count(row.top))
        .column("ranking", "Ranking", |row| Value::text(&row.ranking))
        .column("ranked", "Ranked", |row| Value::count(row.ranked))
        .column("Spearman", Heading::term("spearman", "Spearman"), |row| {
            Value::figure(row.spearman, 4, 3)
        })
}

/// Returns whether any corpus was compared with another ranking.
pub fn has_ranking(report: &Report) -> bool {
    report.corpora.iter().any(|corpus| corpus.ranking.is_some())
}

/// Returns the median SiteR of the sites.
pub fn median_richness(corpus: &CorpusReport) -> Option<f64> {
    let quantiles = &corpus.figures.sites.site_richness;
    quantiles.iter().find(|q| (q.sites_percent - 50.0).abs() < 1e-9).map(|q| q.site_richness)
}

impl ReportPage<'_> {
    /// Writes the section.
    pub fn sites(&mut self) {
        self.section("sites", "Sites");
        self.html += match self.report.sites_by {
            "no-www" => {
                "<p class=\"note\">A host with www. and the same without it are one site.</p>"
            }
            "domain" => "<p class=\"note\">All hosts of a registered domain are one site.</p>",
            _ => "",
        };
        self.html += "<div class=\"plots\">";
        self.plot_richness();
        self.plot_coverage();
        let bins = |c: &CorpusReport| c.figures.sites.pages_per_site.clone();
        let names = self.report.corpora.first().map_or(Vec::new(), |c| bin_names(&bins(c)));
        let series = bar_series(&self.report.corpora, bins);
        self.html += &plot(
            "Sites by their pages",
            &bars("p-pages", "Sites by their pages", &names, &series),
        );
        self.plot_languages();
        self.html += "</div>";
        self.html += &folded(
            "Coverage as a table",
            &coverage(self.report).html("Coverage of the richest sites"),
        );
        self.html += &most_pages(self.report).html("Largest sites by pages");
        self.html += &most_bytes(self.report).html("Largest sites by target text");
    }

    /// The languages of the sites with most pages, a plot for each corpus.
    fn plot_languages(&mut self) {
        for (number, corpus) in self.report.corpora.iter().enumerate() {
            let sites = &corpus.figures.sites.most_pages_sites;
            let sites = &sites[..sites.len().min(SHOWN_SITES)];
            // The languages that most of these sites have come first; the target is the first.
            let mut series = vec![self.report.language_name.clone()];
            let mut sums: Vec<(u64, &str)> = Vec::new();
            for of in sites.iter().flat_map(|row| &row.languages) {
                match sums.iter_mut().find(|(_, name)| *name == of.name) {
                    Some((sum, _)) => *sum = sum.saturating_add(of.bytes),
                    None => sums.push((of.bytes, &of.name)),
                }
            }
            sums.sort_by(|(a, one), (b, other)| b.cmp(a).then(one.cmp(other)));
            let others = sums.iter().map(|(_, name)| *name).filter(|name| *name != series[0]);
            series.extend(others.take(SHOWN_LANGUAGES - 1).map(str::to_owned).collect::<Vec<_>>());
            let share = |row: &SiteRow, name: &String| {
                let of = row.languages.iter().find(|of| of.name == *name);
                of.and_then(|of| of.bytes_percent).unwrap_or(0.0)
            };
            let rows: Vec<(String, Vec<f64>)> = sites
                .iter()
                .map(|row| {
                    let name = if row.site.is_empty() { HOST_UNKNOWN } else { &row.site };
                    (name.to_owned(), series.iter().map(|name| share(row, name)).collect())
                })
                .collect();
            let name =
                if self.several() { format!(": {}", escape(&corpus.name)) } else { String::new() };
            let svg = shares(
                &format!("p-site-languages-{number}"),
                "Languages of the largest sites",
                &series,
                &rows,
            );
            self.html +=
                &plot(&format!("Main text of the sites with most pages, by language{name}"), &svg);
        }
    }

    fn plot_richness(&mut self) {
        let series = self.series(|c| {
            let quantiles = c.figures.sites.site_richness.iter();
            quantiles.map(|q| (q.site_richness, q.sites_percent)).collect()
        });
        let svg = lines(
            "p-siter",
            "Sites by their share of the language",
            &Axis::percent("Share of the language, mean over pages, %"),
            &Axis::percent("Sites with at most this share, %"),
            &series,
        );
        let caption = format!("{} of the sites, cumulated", term("siter", "Share of the language"));
        self.html += &plot(&caption, &svg);
    }

    fn plot_coverage(&mut self) {
        let mut series = Vec::new();
        for corpus in &self.report.corpora {
            let name = |what: &str| {
                if self.several() {
                    format!("{} ({what})", corpus.name)
                } else {
                    what.to_owned()
                }
            };
            let points = |of: fn(&Coverage) -> Option<f64>| {
                let rows = corpus.figures.sites.coverage.iter();
                rows.filter_map(|row| Some((row.sites as f64, of(row)?))).collect()
            };
            series.push(Series { name: name("pages"), points: points(|row| row.pages_percent) });
            series.push(Series { name: name("bytes"), points: points(|row| row.bytes_percent) });
        }
        let svg = lines(
            "p-coverage",
            "Coverage",
            &Axis::log("Richest sites"),
            &Axis::percent("Share of all, %"),
            &series,
        );
        let caption =
            format!("{}: pages and text of the richest sites", term("coverage", "Coverage"));
        self.html += &plot(&caption, &svg);
    }

    /// Writes the comparison with another ranking, if there is one.
    pub fn ranking(&mut self) {
        if !has_ranking(self.report) {
            return;
        }
        let mut series: Vec<Series> = Vec::new();
        for corpus in &self.report.corpora {
            for row in corpus.ranking.iter().flatten() {
                let name = match self.several() {
                    true => format!("{} ({})", row.ranking, corpus.name),
                    false => row.ranking.clone(),
                };
                let Some(spearman) = row.spearman else { continue };
                match series.iter_mut().find(|one| one.name == name) {
                    Some(one) => one.points.push((row.top as f64, spearman)),
                    None => {
                        series.push(Series { name, points: vec![(row.top as f64, spearman)] });
                    }
                }
            }
        }
        if !series.is_empty() {
            let svg = lines(
                "p-ranking",
                "SiteR and other rankings",
                &Axis::log("Richest sites"),
                &Axis::linear("Spearman’s coefficient"),
                &series,
            );
            let caption =
                format!("{} of SiteR and each ranking", term("spearman", "Spearman’s coefficient"));
            self.html += &plot(&caption, &svg);
        }
        self.html += &ranking(self.report).html("SiteR compared with other rankings");
    }
}
