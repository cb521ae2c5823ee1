//! Sizes of pages, and the depths of their URLs.

use crate::glossary::term;
use crate::html::{bar_series, plot, ReportPage};
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::fixed::total;
use figures::sites::Bin;
use figures::sizes::SizePoint;
use render::plot::{bars, lines, Axis};

/// Depths that the plot shows separately; the table has all.
const SHOWN_DEPTHS: usize = 12;

/// The pages by URL depth. HTML has them as a plot.
pub fn depths(report: &Report) -> Table<'_, &Bin> {
    Table::of(report, |corpus| &corpus.figures.depths.pages)
        .tsv_column("depth", |bin| Value::text(&bin.bin))
        .tsv_column("pages", |bin| Value::count(bin.count))
        .tsv_column("pages %", |bin| Value::share(bin.percent))
}

/// The pages of at least a size. HTML has them as a plot.
pub fn sizes(report: &Report) -> Table<'_, &SizePoint> {
    Table::of(report, |corpus| &corpus.figures.sizes.ccdf)
        .tsv_column("bytes at least", |point| Value::count(point.bytes))
        .tsv_column("pages", |point| Value::count(point.pages))
        .tsv_column("pages %", |point| Value::share(point.percent))
}

/// The table of HTML: a row for each corpus.
fn summary(report: &Report) -> Table<'_, &CorpusReport> {
    Table::of(report, |corpus| [corpus])
        .html_column("Pages of known size", |c| Value::count(c.figures.sizes.pages))
        .html_column("Largest", |c| Value::size(c.figures.sizes.largest))
        .html_column(Heading::term("ccdf", "Over 1 MiB"), |c| {
            Value::count(c.figures.sizes.over_1_mib)
        })
        .html_column("of them", |c| Value::share(c.figures.sizes.over_1_mib_percent))
        .html_column(Heading::term("depth", "Mean depth"), |c| {
            Value::figure(c.figures.depths.mean, 2, 2)
        })
        .html_column("Deepest", |c| Value::maybe(c.figures.depths.deepest.map(u64::from)))
}

impl ReportPage<'_> {
    /// Writes the section.
    pub fn urls_and_sizes(&mut self) {
        self.section("sizes", "Sizes and depths");
        self.html += "<div class=\"plots\">";
        let series = self.series(|c| {
            let points = c.figures.sizes.ccdf.iter();
            points.filter_map(|point| Some((point.bytes as f64, point.percent?))).collect()
        });
        if series.iter().any(|one| !one.points.is_empty()) {
            let svg = lines(
                "p-sizes",
                "Sizes of pages",
                &Axis::log("Bytes as fetched"),
                &Axis::percent("Pages of at least this size, %"),
                &series,
            );
            self.html +=
                &plot(&format!("Sizes of pages, {}", term("ccdf", "cumulated from above")), &svg);
        }
        let deepest =
            self.report.corpora.iter().map(|c| c.figures.depths.pages.len()).max().unwrap_or(0);
        let mut names: Vec<String> =
            (0..deepest.min(SHOWN_DEPTHS)).map(|depth| depth.to_string()).collect();
        if deepest > SHOWN_DEPTHS {
            names.push(format!("{SHOWN_DEPTHS} or more"));
        }
        let series = bar_series(&self.report.corpora, |c| shown_depths(&c.figures.depths.pages));
        if !names.is_empty() {
            self.html += &plot(
                "Pages by parts of their URL\u{2019}s path",
                &bars("p-depth", "Pages by URL depth", &names, &series),
            );
        }
        self.html += "</div>";
        self.html += &summary(self.report).html("Sizes and depths");
    }
}

/// Returns the depths for the plot; deeper ones are merged into one bin.
fn shown_depths(depths: &[Bin]) -> Vec<Bin> {
    let (shown, deeper) = depths.split_at(depths.len().min(SHOWN_DEPTHS));
    let mut shown = shown.to_vec();
    if !deeper.is_empty() {
        let percents: Vec<f64> = deeper.iter().filter_map(|bin| bin.percent).collect();
        let percent = (!percents.is_empty()).then(|| percents.iter().sum());
        shown.push(Bin {
            bin: String::new(),
            count: total(deeper.iter().map(|bin| bin.count)),
            percent,
        });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_deeper_is_one_bar() {
        let bins: Vec<Bin> = (1..=20)
            .map(|count| Bin { bin: String::new(), count, percent: Some(count as f64) })
            .collect();
        assert_eq!(shown_depths(&bins[..12]), bins[..12]);
        let shown = shown_depths(&bins);
        assert_eq!((shown.len(), shown[12].count, shown[12].percent), (13, 132, Some(132.0)));
    }
}
