//! The report as one self-contained page: no network access, plots as SVG, and a small script that
//! sorts tables.

use crate::format::{bytes, integer, percent, things};
use crate::glossary::term;
use crate::sections::rounds::last_round;
use crate::sections::sites::median_richness;
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::sites::Bin;
use render::plot::Series;
use std::fmt::Write as _;

pub use crate::sections::text::article;
pub use render::plot::escape;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// A figure at the top of the page: its name in HTML, and the value of each corpus.
type Line = (String, Vec<String>);

/// Returns HTML that opens on a click on its summary.
pub fn folded(summary: &str, html: &str) -> String {
    format!("<details><summary>{}</summary>{html}</details>", escape(summary))
}

/// Returns a plot with its caption.
pub fn plot(caption: &str, svg: &str) -> String {
    format!("<figure><figcaption>{caption}</figcaption>{svg}</figure>")
}

/// Returns the names of bins.
pub fn bin_names(bins: &[Bin]) -> Vec<String> {
    bins.iter().map(|bin| bin.bin.clone()).collect()
}

/// Returns the bars of each corpus's bins.
pub fn bar_series(
    corpora: &[CorpusReport],
    of: impl Fn(&CorpusReport) -> Vec<Bin>,
) -> Vec<(String, Vec<(f64, String)>)> {
    let bar = |bin: &Bin| {
        (bin.percent.unwrap_or(0.0), format!("{} ({})", integer(bin.count), percent(bin.percent)))
    };
    corpora
        .iter()
        .map(|corpus| (corpus.name.clone(), of(corpus).iter().map(bar).collect()))
        .collect()
}

/// Returns the beginning of a page, up to its body.
pub fn opening(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escape(title)
    )
}

/// Returns the end of a page, from the end of its last section.
pub fn closing() -> String {
    format!("</section>\n</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n")
}

/// Writes the sections of one report.
pub struct ReportPage<'a> {
    /// The report that is written.
    pub report: &'a Report,
    /// The HTML written so far.
    pub html: String,
}

/// Returns the report as a page.
pub fn page(report: &Report) -> String {
    let mut page = ReportPage { report, html: String::new() };
    page.head();
    page.headline();
    page.texts();
    let totals = || report.corpora.iter().map(|corpus| &corpus.figures.totals);
    // Without pages, empty plots and tables would hide that the corpus is empty.
    if totals().any(|totals| totals.pages > 0) {
        page.comparison();
        page.reference();
    }
    if totals().any(|totals| totals.pages + totals.rejected > 0) {
        page.yields();
        page.byte_yields();
    }
    if totals().any(|totals| totals.pages > 0) {
        page.richness();
        page.sites();
        page.ranking();
        page.languages();
        page.varieties();
        page.classes();
    }
    page.origins();
    page.index();
    if totals().any(|totals| totals.pages > 0) {
        page.quality();
        page.duplicates();
        page.words();
        page.urls_and_sizes();
    }
    if totals().any(|totals| totals.pages + totals.rejected > 0) {
        page.thresholds();
    }
    page.problems();
    page.glossary();
    page.end();
    page.html
}

impl ReportPage<'_> {
    /// Returns whether the report is on several corpora.
    pub fn several(&self) -> bool {
        self.report.corpora.len() > 1
    }

    /// Returns the corpus's name as a prefix for a sentence, if there are several corpora.
    pub fn name_of(&self, corpus: &CorpusReport) -> String {
        if self.several() {
            format!("<bdi>{}</bdi>: ", escape(&corpus.name))
        } else {
            String::new()
        }
    }

    /// Returns a series per corpus.
    pub fn series(&self, points: impl Fn(&CorpusReport) -> Vec<(f64, f64)>) -> Vec<Series> {
        self.report
            .corpora
            .iter()
            .map(|c| Series { name: c.name.clone(), points: points(c) })
            .collect()
    }

    /// Begins a section; the next one ends it.
    pub fn section(&mut self, id: &str, title: &str) {
        let _ = write!(
            self.html,
            "</section>\n<section id=\"{id}\" aria-labelledby=\"h-{id}\"><h2 id=\"h-{id}\">{}</h2>",
            escape(title)
        );
    }

    fn head(&mut self) {
        let language = &self.report.language_name;
        let names: Vec<&str> =
            self.report.corpora.iter().map(|corpus| corpus.name.as_str()).collect();
        let names = names.join(", ");
        self.html = opening(&format!("{names} \u{2013} corpus report"));
        let _ = write!(
            self.html,
            "<header><h1>{1} {4}: <bdi>{0}</bdi></h1>\
             <p>Corpulyzer {2}, target language {1} ({3}). Point at a <span class=\"def\">dotted term</span> to see its formula and source. \
             Click the head of a column to sort by it. The figures with all digits are in <code>report.json</code> beside this page.</p></header>\n<main>\n<section aria-label=\"Headline\">",
            escape(&names),
            escape(language),
            self.report.version,
            escape(&self.report.language),
            if self.several() { "corpora" } else { "corpus" },
        );
    }

    fn headline(&mut self) {
        for corpus in &self.report.corpora {
            if let Some(why) = corpus.nothing(&self.report.language_name) {
                let name = self.name_of(corpus);
                let _ = write!(
                    self.html,
                    "<p class=\"warning\" role=\"note\">{name}{}</p>",
                    escape(&why)
                );
            }
        }
        let lines = self.first_figures();
        if self.several() {
            let mut table = Table::alone(lines)
                .html_column("", |(name, _): &Line| Value::html("", name.clone()));
            for (at, corpus) in self.report.corpora.iter().enumerate() {
                table = table.html_column(Heading::name(&corpus.name), move |(_, values)| {
                    Value::number(String::new(), values[at].clone(), 0.0)
                });
            }
            let table = table.html("The corpora side by side");
            let table = table.replacen("<table>", "<table class=\"still\">", 1);
            self.html += &table;
        } else {
            self.html += "<dl class=\"cards\">";
            for (name, values) in lines {
                let _ = write!(self.html, "<div><dt>{name}</dt><dd>{}</dd></div>", values.concat());
            }
            self.html += "</dl>";
        }
        self.notes();
    }

    /// The figures at the top of the page.
    fn first_figures(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut line = |name: String, value: &dyn Fn(&CorpusReport) -> String| {
            lines.push((name, self.report.corpora.iter().map(value).collect()));
        };
        if self.report.corpora.iter().any(|c| last_round(c).is_some()) {
            // The first figures that an operator needs after a round.
            line(term("yield", "Yield of the last round"), &|c| {
                percent(last_round(c).and_then(|round| round.any_yield_percent))
            });
            line(term("yield-filtered", "Filtered yield of it"), &|c| {
                percent(last_round(c).and_then(|round| round.yield_percent))
            });
        }
        line(term("page", "Pages"), &|c| integer(c.figures.totals.pages));
        // Most corpora are of pages alone.
        if self.report.corpora.iter().any(|c| c.figures.totals.documents > 0) {
            line(term("document", "Documents"), &|c| integer(c.figures.totals.documents));
        }
        line(term("site", "Sites"), &|c| integer(c.figures.sites.sites));
        line(term("target", "Target text"), &|c| bytes(c.figures.totals.target_bytes));
        if self.report.words {
            line(term("token", "Tokens"), &|c| {
                let words = c.figures.words.as_ref().filter(|_| c.figures.duplicates.pages > 0);
                words.map_or_else(|| "–".to_owned(), |words| integer(words.vocabulary.tokens))
            });
        }
        let of_page = format!("{} of a page, mean", self.report.language_name);
        line(term("lsh", &of_page), &|c| percent(c.figures.richness.main_bytes.mean));
        let of_site = format!("{} of a site, median", self.report.language_name);
        line(term("siter", &of_site), &|c| percent(median_richness(c)));
        line(term("exact", "Exact duplicates"), &|c| percent(c.figures.duplicates.exact_percent));
        if self.report.words {
            line(term("near", "Near duplicates"), &|c| {
                percent(c.figures.duplicates.near_nutch_percent)
            });
        }
        lines
    }

    /// Writes a sentence on the input of each corpus.
    fn notes(&mut self) {
        for corpus in &self.report.corpora {
            let (totals, input) = (&corpus.figures.totals, &corpus.input);
            // A table has records but no known size; an input of files has bytes.
            let of_table = input.bytes == 0 && input.records > 0;
            let name = self.name_of(corpus);
            let _ = write!(
                self.html,
                "<p class=\"note\">{name}{} of {}. {} of {} of main text in the target language; {}, {} gone, {} without main text.{}</p>",
                if of_table { things(input.records, "row", "rows") } else { things(input.records, "record", "records") },
                if of_table && input.files == 0 {
                    "the crawl".to_owned()
                } else if of_table {
                    things(input.files, "part", "parts") + " of the crawl"
                } else {
                    format!("{} ({} read)", things(input.files, "file", "files"), bytes(input.bytes))
                },
                bytes(totals.target_bytes),
                bytes(totals.main_bytes),
                match totals.rejected {
                    0 => "rejected pages are not in the input".to_owned(),
                    rejected => integer(rejected) + " rejected",
                },
                integer(totals.gone),
                integer(totals.without_text),
                match input.problems.values().sum::<u64>() {
                    0 => " Nothing was skipped.".to_owned(),
                    skipped => format!(" <a href=\"#problems\">{} skipped</a>.", integer(skipped)),
                },
            );
        }
    }

    fn end(&mut self) {
        self.html += &closing();
    }
}
