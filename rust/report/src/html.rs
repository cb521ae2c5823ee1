//! The report as one self-contained page: no network access, plots as SVG, and a small script that
//! sorts tables.

use crate::{CorpusReport, Report};
use corpus::byte_yields::{CostRow, WhatIf};
use corpus::calibration::{CalibrationFigures, CalibrationRow, ScriptTables};
use corpus::fixed::total;
use corpus::richness::LshFigures;
use corpus::rounds::RoundRow;
use corpus::sites::{Bin, SiteRow};
use corpus::tokens::WITHOUT_BLANKS;
use plot::{bars, lines, Axis, Series};
use std::fmt::Write as _;

pub use plot::escape;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Languages in the plot.
const SHOWN_LANGUAGES: usize = 12;

/// Depths that the plot shows separately; the table has all.
const SHOWN_DEPTHS: usize = 12;

/// Rows of a table that are visible at first.
const SHOWN_ROWS: usize = 20;

/// A term, its definition, and the figures that it defines.
struct Term {
    /// Its anchor in the glossary.
    key: &'static str,
    name: &'static str,
    /// Its meaning, formula and source.
    definition: &'static str,
    /// Its figures in `report.json`: paths below `figures` of a corpus, or else below the corpus or
    /// the report. A path covers everything below it, except for longer paths of other terms.
    figures: &'static [&'static str],
}

const fn defined(
    key: &'static str,
    name: &'static str,
    definition: &'static str,
    figures: &'static [&'static str],
) -> Term {
    Term { key, name, definition, figures }
}

/// The glossary at the end of the report.
const TERMS: [Term; 33] = [
    defined("page", "Page", "A record of the corpus. Of several records with one URL, the first counts. Rejected pages and pages that are gone are counted separately.",
        &["totals.pages", "totals.rejected", "totals.gone", "totals.without_text"]),
    defined("site", "Site", "A host, as in URLs: blog.example.pk and example.pk are two sites.",
        &["sites.sites", "sites.pages_without_host", "sites.most_pages", "sites.pages_per_site", "sites.most_pages_sites", "sites.most_bytes_sites"]),
    defined("target", "Target text", "Bytes (UTF-8) of main text that the language identifier assigns to the target language. The report also has the bytes of main text, of visible text with boilerplate, and of pages as fetched.",
        &["totals.target_bytes", "totals.main_bytes", "totals.visible_bytes", "totals.raw_bytes"]),
    defined("yield", "Yield", "Pages with at least the threshold of target bytes / pages of the round × 100. Corpulyzer paper, Eq. 6.",
        &["rounds"]),
    defined("byte-yield", "Byte yield", "Bytes of target text in the corpus / bytes downloaded × 100; a rejected page has 0. The yield of a site is that of all its pages together, or the mean over its pages. SpiderLing paper, where it is called yield rate.",
        &["byte_yields.byte_yield_percent", "byte_yields.page_yield_mean"]),
    defined("what-if", "What if", "Downloads and target text of the sites above a byte yield: the result of a crawl that is restricted to these sites. SpiderLing paper, Table 1.",
        &["byte_yields.what_if"]),
    defined("costliest", "Costliest sites", "Sites whose share of the download exceeds their share of the target text the most.",
        &["byte_yields.costliest_sites"]),
    defined("began", "Began", "Start of the round: the time in the id of its batch, as bin/crawl and Nutch’s generator write it. UTC.",
        &["rounds.rounds.began"]),
    defined("lsh", "LSh", "Language share of a page: size in the target language / size of the whole × 100; pages without text have none. Corpulyzer paper, Eq. 4. Bins are half-open: 49.5 is in 0–49.",
        &["richness"]),
    defined("siter", "SiteR", "Richness of a site: mean LSh (bytes of main text) of its pages. Corpulyzer paper, Eq. 5.",
        &["sites.site_richness", "sites.site_richness_mean"]),
    defined("coverage", "Coverage", "Share of pages and of target bytes of the N sites with the highest SiteR. Corpulyzer paper, Fig. 8a.",
        &["sites.coverage"]),
    defined("spearman", "Spearman’s coefficient", "Correlation of the ranks of sites by SiteR and in the other ranking. Ties have their mean rank. 1 is the same order, −1 the opposite order. Corpulyzer paper, Fig. 8b.",
        &["ranking"]),
    defined("contains", "Contains a language", "Pages with at least 2 % of their main-text bytes in the language. A page in two languages counts for both. Corpulyzer paper, Table 8.",
        &["languages"]),
    defined("exact", "Exact duplicates", "All but one of the pages with the same main text (MD5). By the bytes as fetched: all but one of the pages with the same signature in the input.",
        &["duplicates.pages", "duplicates.exact", "duplicates.exact_percent", "duplicates.exact_bytes", "duplicates.most_copies"]),
    defined("near", "Near duplicates (profile)", "All but one of the different texts with the same TextProfileSignature of Apache Nutch: the same frequent words in about the same numbers. Sorted: words with equal counts are in alphabetical order, and marks are parts of words.",
        &["duplicates.near_nutch", "duplicates.near_nutch_percent", "duplicates.near_sorted", "duplicates.near_sorted_percent"]),
    defined("minhash", "Near duplicates (MinHash)", "Pages that share one of 16 bands of 8 MinHash values (five-word shingles) with another page, minus exact duplicates. A pair with Jaccard index J shares a band with probability 1 − (1 − J⁸)¹⁶: 61 % at 0.7, 95 % at 0.8.",
        &["duplicates.near_minhash", "duplicates.near_minhash_percent"]),
    defined("token", "Token", "Text between white space, without punctuation and symbols at its ends.",
        &["words.vocabulary.tokens", "words.lengths.chars_per_token"]),
    defined("type", "Type", "A distinct token, by its characters as written.",
        &["words.vocabulary.types", "words.vocabulary.top", "words.lengths.chars_per_type"]),
    defined("own", "Target tokens", "Tokens with characters of the target language’s script only. A token with one other character does not count. Corpulyzer paper, Table 10.",
        &["words.vocabulary.own_types", "words.vocabulary.own_tokens", "words.vocabulary.own_tokens_percent"]),
    defined("zipf", "Zipf slope", "Slope of the line through log frequency over log rank (least squares at ranks evenly spaced in the logarithm, frequency at least 5). Zipf’s law predicts about −1. Corpulyzer paper, Fig. 9.",
        &["words.zipf"]),
    defined("entropy", "Conditional entropy", "H(Y|X) = −Σ p(x,y) log₂ p(y|x) over neighbouring tokens of a block, in bits. It grows with the corpus: compare samples of the same size. W2C thesis.",
        &["words.lengths.entropy"]),
    defined("perplexity", "Conditional perplexity", "2 to the power of the conditional entropy. W2C thesis.",
        &["words.lengths.perplexity"]),
    defined("sentence", "Sentence", "It ends at the end of a block, at ۔ ؟ । ॥ 。 ！ ？ and similar signs, and at . ! ? … before white space.",
        &["words.lengths.sentences", "words.lengths.tokens_per_sentence"]),
    defined("lix", "Readability (LIX)", "Tokens per sentence + 100 × tokens of more than six characters / tokens. Björnsson 1968; not in the paper.",
        &["style.readability_lix", "style.long_words_percent"]),
    defined("variety", "Variety", "Different tokens in stretches of 100 tokens of a page, on average. Not in the paper.",
        &["style.variety"]),
    defined("cohesion", "Cohesion", "Mean Jaccard index of the tokens of neighbouring sentences. Not in the paper.",
        &["style.cohesion"]),
    defined("coherence", "Coherence", "Mean Jaccard index of the tokens of neighbouring blocks of at least five tokens. Not in the paper.",
        &["style.coherence"]),
    defined("ccdf", "Complementary distribution", "Share of pages of at least this size, as fetched. Corpulyzer paper, Fig. 7a. Common Crawl cuts pages at 1 MiB.",
        &["sizes"]),
    defined("depth", "URL depth", "Number of non-empty parts of a URL’s path, split at slashes. Corpulyzer paper, Fig. 6.",
        &["depths"]),
    defined("threshold", "Content-size threshold", "The threshold of 32, 64, 128, 256 and 512 that leaves the fewest pages and keeps at least 95 % of the size in the target language. Corpulyzer paper, Eq. 2 and Table 3.",
        &["calibration"]),
    defined("script", "Script of a page", "The script of most letters of the main text. A page without letters has no script. Scripts need different sizes for the same text: a letter has one byte in Latin script, two in Arabic, three in Thai. Not in the paper.",
        &["calibration.scripts"]),
    defined("overlap", "Jaccard and churn", "Jaccard: URLs in both / URLs in either. Churn: share of the first corpus’s sites that the second does not have. Corpulyzer paper, Eq. 1.",
        &["comparison"]),
    defined("index", "Index", "Documents in the archive’s index, by MIME type (as detected, otherwise as sent) and by the first of their languages.",
        &["index"]),
];

/// Returns a term that shows its definition on hover and focus, and links to the glossary.
fn term(key: &str, text: &str) -> String {
    let definition = TERMS.iter().find(|term| term.key == key).map_or("", |term| term.definition);
    format!(
        "<a class=\"def\" href=\"#d-{key}\">{}<span class=\"tip\" role=\"tooltip\">{}</span></a>",
        escape(text),
        escape(definition)
    )
}

/// Formats a number in groups of three digits.
fn integer(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn percent(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        // Values above zero that round to zero are shown as "< 0.1 %".
        Some(value) if value > 0.0 && value < 0.05 => "< 0.1 %".to_owned(),
        Some(value) => format!("{value:.1} %"),
    }
}

fn decimal(value: Option<f64>, digits: usize) -> String {
    let Some(value) = value else { return "–".to_owned() };
    let shown = format!("{:.digits$}", value.abs());
    // A value that rounds to zero has no sign.
    let is_negative = value < 0.0 && shown.contains(|digit: char| ('1'..='9').contains(&digit));
    if is_negative {
        format!("\u{2212}{shown}")
    } else {
        shown
    }
}

/// Formats bytes in decimal units.
fn bytes(number: u64) -> String {
    match number {
        0..1_000 => format!("{number} B"),
        1_000..1_000_000 => format!("{:.1} kB", number as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", number as f64 / 1e6),
        _ => format!("{:.2} GB", number as f64 / 1e9),
    }
}

/// A cell of a table.
#[derive(Clone)]
enum Cell {
    /// Text in either writing direction.
    Text(String),
    /// Trusted HTML.
    Html(String),
    /// A number as displayed, and its sort key.
    Number(String, f64),
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn count(number: u64) -> Cell {
    Cell::Number(integer(number), number as f64)
}

fn maybe(number: Option<u64>) -> Cell {
    number.map_or_else(|| Cell::Number("–".to_owned(), -1.0), count)
}

fn share(value: Option<f64>) -> Cell {
    Cell::Number(percent(value), value.unwrap_or(-1.0))
}

fn size(number: u64) -> Cell {
    Cell::Number(bytes(number), number as f64)
}

fn figure(value: Option<f64>, digits: usize) -> Cell {
    Cell::Number(decimal(value, digits), value.unwrap_or(f64::MIN))
}

/// Returns a table whose headings, in HTML, sort it. Of a long table only the first rows are
/// visible.
fn table(caption: &str, heads: &[String], rows: &[Vec<Cell>]) -> String {
    let mut html = format!("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table><caption>{0}</caption><thead><tr>", escape(caption));
    for (column, head) in heads.iter().enumerate() {
        let numeric =
            rows.first().is_some_and(|row| matches!(row.get(column), Some(Cell::Number(..))));
        let class = if numeric { " class=\"n\"" } else { "" };
        let _ = write!(html, "<th scope=\"col\"{class}>{head}</th>");
    }
    html += "</tr></thead><tbody>";
    for (number, row) in rows.iter().enumerate() {
        html += if number >= SHOWN_ROWS { "<tr class=\"more\">" } else { "<tr>" };
        for cell in row {
            let _ = match cell {
                Cell::Text(text) => write!(html, "<td><bdi>{}</bdi></td>", escape(text)),
                Cell::Html(inner) => write!(html, "<td>{inner}</td>"),
                Cell::Number(shown, value) => {
                    write!(html, "<td class=\"n\" data-v=\"{value}\">{}</td>", escape(shown))
                }
            };
        }
        html += "</tr>";
    }
    html + "</tbody></table></div>"
}

fn heads(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| escape(name)).collect()
}

/// Returns a table that opens on a click on its summary.
fn folded(summary: &str, table: &str) -> String {
    format!("<details><summary>{}</summary>{table}</details>", escape(summary))
}

/// Formats a count with the noun in the singular or the plural.
fn things(number: u64, one: &str, more: &str) -> String {
    format!("{} {}", integer(number), if number == 1 { one } else { more })
}

/// Returns a plot with its caption.
fn plot(caption: &str, svg: &str) -> String {
    format!("<figure><figcaption>{caption}</figcaption>{svg}</figure>")
}

/// Writes the sections of one report.
struct Page<'a> {
    report: &'a Report,
    html: String,
}

/// Returns the report as a page.
pub fn page(report: &Report) -> String {
    let mut page = Page { report, html: String::new() };
    page.head();
    page.headline();
    let totals = || report.corpora.iter().map(|corpus| &corpus.figures.totals);
    // Without pages, empty plots and tables would hide that the corpus is empty.
    if totals().any(|totals| totals.pages > 0) {
        page.comparison();
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
    }
    page.index();
    if totals().any(|totals| totals.pages > 0) {
        page.duplicates();
        page.words();
        page.urls_and_sizes();
    }
    if totals().any(|totals| totals.pages + totals.rejected > 0) {
        page.thresholds();
    }
    page.problems();
    page.glossary();
    page.html
}

impl Page<'_> {
    fn several(&self) -> bool {
        self.report.corpora.len() > 1
    }

    /// Returns the corpus's name as a prefix for a sentence, if there are several corpora.
    fn name_of(&self, corpus: &CorpusReport) -> String {
        if self.several() {
            format!("<bdi>{}</bdi>: ", escape(&corpus.name))
        } else {
            String::new()
        }
    }

    /// Returns a series per corpus.
    fn series(&self, points: impl Fn(&CorpusReport) -> Vec<(f64, f64)>) -> Vec<Series> {
        self.report
            .corpora
            .iter()
            .map(|c| Series { name: c.name.clone(), points: points(c) })
            .collect()
    }

    /// Returns the rows of all corpora. If there are several, each row begins with its corpus, and
    /// rows to compare are adjacent.
    fn rows(&self, rows: impl Fn(&CorpusReport) -> Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
        let several = self.several();
        let named = |corpus: &CorpusReport| {
            let name = corpus.name.clone();
            let named = move |row: Vec<Cell>| {
                let name = several.then(|| Cell::Text(name.clone()));
                name.into_iter().chain(row).collect()
            };
            rows(corpus).into_iter().map(named).collect::<Vec<Vec<Cell>>>().into_iter()
        };
        let mut corpora: Vec<_> = self.report.corpora.iter().map(named).collect();
        let mut all = Vec::new();
        loop {
            let before = all.len();
            all.extend(corpora.iter_mut().filter_map(Iterator::next));
            if all.len() == before {
                return all;
            }
        }
    }

    fn heads(&self, names: Vec<String>) -> Vec<String> {
        self.several().then(|| "Corpus".to_owned()).into_iter().chain(names).collect()
    }

    fn section(&mut self, id: &str, title: &str) {
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
        let _ = write!(
            self.html,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{0} \u{2013} corpus report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header><h1>{1} {4}: <bdi>{0}</bdi></h1>\
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
        // Name, and the value of each corpus.
        let mut lines: Vec<(String, Vec<String>)> = Vec::new();
        let mut line = |name: String, value: &dyn Fn(&CorpusReport) -> String| {
            lines.push((name, self.report.corpora.iter().map(value).collect()));
        };
        if self.report.corpora.iter().any(|c| last_yield(c).is_some()) {
            // The first figure that an operator needs after a round.
            line(term("yield", "Yield of the last round"), &|c| percent(last_yield(c)));
        }
        line(term("page", "Pages"), &|c| integer(c.figures.totals.pages));
        line(term("site", "Sites"), &|c| integer(c.figures.sites.sites));
        line(term("target", "Target text"), &|c| bytes(c.figures.totals.target_bytes));
        if self.report.words {
            line(term("token", "Tokens"), &|c| {
                let words = c.figures.words.as_ref().filter(|_| c.figures.duplicates.pages > 0);
                words.map_or_else(|| "–".to_owned(), |words| integer(words.vocabulary.tokens))
            });
        }
        line(term("lsh", "Mean LSh"), &|c| percent(c.figures.richness.main_bytes.mean));
        line(term("siter", "Median SiteR"), &|c| percent(median_richness(c)));
        line(term("exact", "Exact duplicates"), &|c| percent(c.figures.duplicates.exact_percent));
        if self.report.words {
            line(term("near", "Near duplicates"), &|c| {
                percent(c.figures.duplicates.near_nutch_percent)
            });
        }
        if self.several() {
            let heads: Vec<String> = std::iter::once(String::new())
                .chain(
                    self.report
                        .corpora
                        .iter()
                        .map(|corpus| format!("<bdi>{}</bdi>", escape(&corpus.name))),
                )
                .collect();
            let rows: Vec<Vec<Cell>> = lines
                .into_iter()
                .map(|(name, values)| {
                    let values = values.into_iter().map(|value| Cell::Number(value, 0.0));
                    std::iter::once(Cell::Html(name)).chain(values).collect()
                })
                .collect();
            let table = table("The corpora side by side", &heads, &rows).replacen(
                "<table>",
                "<table class=\"still\">",
                1,
            );
            self.html += &table;
        } else {
            self.html += "<dl class=\"cards\">";
            for (name, values) in lines {
                let _ = write!(self.html, "<div><dt>{name}</dt><dd>{}</dd></div>", values.concat());
            }
            self.html += "</dl>";
        }
        for corpus in &self.report.corpora {
            let (totals, input) = (&corpus.figures.totals, &corpus.input);
            // A table has records but no known size; an input of files has bytes.
            let of_table = input.bytes == 0 && input.records > 0;
            let name = self.name_of(corpus);
            let _ = write!(
                self.html,
                "<p class=\"note\">{name}{} of {}. {} of {} of main text in the target language; {} rejected by the crawl, {} gone, {} without main text.{}</p>",
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
                integer(totals.rejected),
                integer(totals.gone),
                integer(totals.without_text),
                match input.problems.values().sum::<u64>() {
                    0 => " Nothing was skipped.".to_owned(),
                    skipped => format!(" <a href=\"#problems\">{} skipped</a>.", integer(skipped)),
                },
            );
        }
    }

    fn comparison(&mut self) {
        let Some(pairs) = &self.report.comparison else { return };
        self.section("comparison", "Overlap of corpora");
        let rows: Vec<Vec<Cell>> = pairs
            .iter()
            .map(|pair| {
                vec![
                    text(&pair.first),
                    text(&pair.second),
                    count(pair.common_urls),
                    share(pair.jaccard_percent),
                    count(pair.common_sites),
                    share(pair.churn_percent),
                ]
            })
            .collect();
        let head = |&name: &&str| match name {
            "Jaccard of URLs" | "Churn of sites" => term("overlap", name),
            name => escape(name),
        };
        let heads: Vec<String> =
            ["First", "Second", "Common URLs", "Jaccard of URLs", "Common sites", "Churn of sites"]
                .iter()
                .map(head)
                .collect();
        self.html += &table("URLs and sites of each two corpora", &heads, &rows);
    }

    fn yields(&mut self) {
        let known = self.report.corpora.iter().any(is_yield_known);
        let series = self.series(|c| {
            let rounds = c.figures.rounds.iter().flat_map(|figures| &figures.rounds);
            let point = |row: &RoundRow| {
                let up = if known { row.yield_percent } else { Some(row.pages as f64) };
                Some((row.round as f64, up?))
            };
            rounds.filter(|_| is_yield_known(c) == known).filter_map(point).collect()
        });
        if series.iter().all(|one| one.points.is_empty()) {
            return;
        }
        let round = Axis::whole("Round");
        if known {
            self.section("yield", "Yield per round");
            let svg =
                lines("p-yield", "Yield per round", &round, &Axis::percent("Yield, %"), &series);
            let caption = format!(
                "{} of each round, at least {} bytes of target text",
                term("yield", "Yield"),
                self.report.min_bytes
            );
            self.html += &plot(&caption, &svg);
        } else {
            self.section("yield", "Pages per round");
            let svg = lines(
                "p-yield",
                "Pages per round",
                &round,
                &Axis::from_zero("Pages of the corpus"),
                &series,
            );
            self.html += &plot("Pages of the corpus that each round brought", &svg);
        }
        for corpus in &self.report.corpora {
            if corpus.figures.rounds.is_some() && !is_yield_known(corpus) {
                let (name, term) = (self.name_of(corpus), term("yield", "yield"));
                let why = "The input has no page that the crawl rejected, so its";
                let _ = write!(self.html, "<p class=\"note\">{name}{why} {term} is not known.</p>");
            }
        }
        let rounds = |c: &CorpusReport| {
            c.figures.rounds.as_ref().map_or(Vec::new(), |figures| figures.rounds.clone())
        };
        let told = self.report.corpora.iter().flat_map(rounds).any(|row| row.began.is_some());
        let rows = self.rows(|c| {
            let row = |row: RoundRow| {
                let mut cells = vec![count(row.round)];
                if told {
                    let began = row.began.map_or_else(|| "–".to_owned(), minute);
                    cells.push(Cell::Number(began, row.began.map_or(-1.0, |began| began as f64)));
                }
                cells.extend([
                    count(row.pages),
                    count(row.target_pages),
                    share(row.yield_percent.filter(|_| is_yield_known(c))),
                    size(row.target_bytes),
                ]);
                cells
            };
            rounds(c).into_iter().map(row).collect()
        });
        let mut heads = vec!["Round".to_owned()];
        if told {
            heads.push(term("began", "Began (UTC)"));
        }
        let last = [term("yield", "Yield"), term("target", "Target text")];
        heads.extend(["Pages".to_owned(), "Target pages".to_owned()].into_iter().chain(last));
        self.html += &table("Pages of each round", &self.heads(heads), &rows);
    }

    fn byte_yields(&mut self) {
        let figures = |c: &CorpusReport| c.figures.byte_yields.clone();
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
            let rows = figures(c).into_iter().flat_map(|figures| figures.what_if);
            rows.filter_map(|row| Some((row.raw_percent?, row.target_percent?))).collect()
        });
        let (cost, gain) = (Axis::percent("Downloaded, %"), Axis::percent("Target text, %"));
        let svg = lines("p-what-if", "Target text by download", &cost, &gain, &series);
        let caption =
            format!("{}: a crawl of only the sites above a byte yield", term("what-if", "What if"));
        self.html += &plot(&caption, &svg);
        let rows = self.rows(|c| {
            let row = |row: &WhatIf| {
                vec![
                    row.above_percent.map_or_else(
                        || Cell::Number("all sites".to_owned(), -1.0),
                        |above| Cell::Number(format!("{above} %"), above),
                    ),
                    count(row.sites),
                    count(row.pages),
                    size(row.raw_bytes),
                    share(row.raw_percent),
                    size(row.target_bytes),
                    share(row.target_percent),
                ]
            };
            figures(c).iter().flat_map(|figures| &figures.what_if).map(row).collect()
        });
        let columns = ["Sites", "Pages", "Downloaded", "of all", "Target text", "of all"];
        let heads = [term("byte-yield", "Above")].into_iter().chain(heads(&columns)).collect();
        self.html += &table(
            "Result of a crawl of only the sites above a byte yield",
            &self.heads(heads),
            &rows,
        );
        let rows = self.rows(|c| {
            let row = |row: &CostRow| {
                vec![
                    text(if row.site.is_empty() { "(host not known)" } else { &row.site }),
                    count(row.pages),
                    count(row.kept_pages),
                    size(row.raw_bytes),
                    share(row.raw_percent),
                    size(row.target_bytes),
                    share(row.target_percent),
                    share(row.byte_yield_percent),
                ]
            };
            figures(c).iter().flat_map(|figures| &figures.costliest_sites).map(row).collect()
        });
        let columns =
            ["Pages", "kept", "Downloaded", "of all", "Target text", "of all", "Byte yield"];
        let heads = [term("costliest", "Site")].into_iter().chain(self::heads(&columns)).collect();
        self.html += &table(
            "Sites with a larger share of the download than of the target text",
            &self.heads(heads),
            &rows,
        );
    }

    fn richness(&mut self) {
        self.section("lsh", "Language share of pages");
        type Measure = (&'static str, fn(&CorpusReport) -> Option<&LshFigures>);
        let measures: [Measure; 3] = [
            ("target bytes / main-text bytes", |c| Some(&c.figures.richness.main_bytes)),
            ("target bytes / visible-text bytes", |c| {
                Some(&c.figures.richness.visible_bytes).filter(|lsh| lsh.pages > 0)
            }),
            ("target tokens / main-text tokens", |c| {
                c.figures.richness.main_tokens.as_ref().filter(|lsh| lsh.pages > 0)
            }),
        ];
        let bins: Vec<String> = self
            .report
            .corpora
            .first()
            .map_or(Vec::new(), |c| names(&c.figures.richness.main_bytes.bins));
        let series =
            bar_series(&self.report.corpora, |c| c.figures.richness.main_bytes.bins.clone());
        self.html += &plot(
            &format!("{} by bytes of main text: pages in each bin of percents", term("lsh", "LSh")),
            &self::bars("p-lsh", "Pages by LSh", &bins, &series),
        );
        let rows = self.rows(|c| {
            let row = |&(name, of): &Measure| {
                let figures = of(c);
                let bins = (0..bins.len()).flat_map(|at| {
                    let bin = figures.and_then(|lsh| lsh.bins.get(at));
                    [maybe(bin.map(|bin| bin.count)), share(bin.and_then(|bin| bin.percent))]
                });
                [text(name)]
                    .into_iter()
                    .chain(bins)
                    .chain([share(figures.and_then(|lsh| lsh.mean))])
                    .collect()
            };
            // One row per measure that any corpus has, so that the corpora's values are adjacent.
            let measured = measures
                .iter()
                .filter(|(_, of)| self.report.corpora.iter().any(|corpus| of(corpus).is_some()));
            measured.map(row).collect()
        });
        let bins = bins.iter().flat_map(|bin| [escape(bin), "%".to_owned()]);
        let heads =
            [term("lsh", "Measure")].into_iter().chain(bins).chain(["Mean".to_owned()]).collect();
        self.html += &table("Pages by LSh (Table 7 of the paper)", &self.heads(heads), &rows);
    }

    fn sites(&mut self) {
        self.section("sites", "Sites");
        self.html += "<div class=\"plots\">";
        let series = self.series(|c| {
            c.figures
                .sites
                .site_richness
                .iter()
                .map(|q| (q.site_richness, q.sites_percent))
                .collect()
        });
        let svg = lines(
            "p-siter",
            "Distribution of SiteR",
            &Axis::percent("SiteR, %"),
            &Axis::percent("Sites with at most this SiteR, %"),
            &series,
        );
        self.html += &plot(&format!("{} of the sites, cumulated", term("siter", "SiteR")), &svg);
        let mut series = Vec::new();
        for corpus in &self.report.corpora {
            let name = |what: &str| {
                if self.several() {
                    format!("{} ({what})", corpus.name)
                } else {
                    what.to_owned()
                }
            };
            let points = |of: fn(&corpus::sites::Coverage) -> Option<f64>| {
                corpus
                    .figures
                    .sites
                    .coverage
                    .iter()
                    .filter_map(|row| Some((row.sites as f64, of(row)?)))
                    .collect()
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
        self.html += &plot(
            &format!("{}: pages and text of the richest sites", term("coverage", "Coverage")),
            &svg,
        );
        let names = self
            .report
            .corpora
            .first()
            .map_or(Vec::new(), |c| names(&c.figures.sites.pages_per_site));
        let series = bar_series(&self.report.corpora, |c| c.figures.sites.pages_per_site.clone());
        self.html += &plot(
            "Sites by their pages",
            &self::bars("p-pages", "Sites by their pages", &names, &series),
        );
        self.html += "</div>";
        let rows = self.rows(|c| {
            let rows = c.figures.sites.coverage.iter();
            rows.map(|row| {
                vec![
                    count(row.sites),
                    share(row.sites_percent),
                    share(row.pages_percent),
                    share(row.bytes_percent),
                ]
            })
            .collect()
        });
        let coverage_heads = vec![
            term("coverage", "Richest sites"),
            "of all".to_owned(),
            "Pages".to_owned(),
            term("target", "Target text"),
        ];
        let coverage_heads = self.heads(coverage_heads);
        self.html += &folded(
            "Coverage as a table",
            &table("Coverage of the richest sites", &coverage_heads, &rows),
        );
        for (caption, of) in [
            (
                "Largest sites by pages (Table 9 of the paper)",
                (|c| &c.figures.sites.most_pages_sites) as fn(&CorpusReport) -> &Vec<SiteRow>,
            ),
            ("Largest sites by target text (Table 9 of the paper)", |c| {
                &c.figures.sites.most_bytes_sites
            }),
        ] {
            let rows = self.rows(|c| {
                let row = |row: &SiteRow| {
                    let name = if row.site.is_empty() { "(host not known)" } else { &row.site };
                    vec![
                        text(name),
                        count(row.pages),
                        share(row.pages_percent),
                        size(row.target_bytes),
                        share(row.bytes_percent),
                        share(row.site_richness),
                    ]
                };
                of(c).iter().map(row).collect()
            });
            let heads = vec![
                "Site".to_owned(),
                "Pages".to_owned(),
                "of all".to_owned(),
                term("target", "Target text"),
                "of all".to_owned(),
                term("siter", "SiteR"),
            ];
            self.html += &table(caption, &self.heads(heads), &rows);
        }
    }

    fn ranking(&mut self) {
        if self.report.corpora.iter().all(|corpus| corpus.ranking.is_none()) {
            return;
        }
        let rows = self.rows(|c| {
            let rows = c.ranking.iter().flatten();
            rows.map(|row| vec![count(row.top), count(row.ranked), figure(row.spearman, 3)])
                .collect()
        });
        let heads =
            vec!["Richest sites".to_owned(), "Ranked".to_owned(), term("spearman", "Spearman")];
        self.html += &table("SiteR compared with the other ranking", &self.heads(heads), &rows);
    }

    fn index(&mut self) {
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
            let row = |row: &corpus::cdx::IndexRow| {
                let name = if row.value.is_empty() { "(unknown)" } else { &row.value };
                vec![text(name), count(row.documents), share(row.percent)]
            };
            let rows: Vec<_> = rows.iter().map(row).collect();
            let heads = ["Value".to_owned(), term("index", "Documents"), "of all".to_owned()];
            self.html += &table(caption, &heads, &rows);
        }
    }

    fn languages(&mut self) {
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
            let row = corpus.figures.languages.iter().find(|row| row.name == *name);
            let share = row.and_then(|row| row.pages_percent);
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
            &self::bars("p-languages", "Pages by language", &names, &series),
        );
        // Rows are grouped by language, not by rank: the second language differs between corpora.
        let row = |(corpus, name): (&CorpusReport, &str)| {
            let row = corpus.figures.languages.iter().find(|row| row.name == name)?;
            let mut cells = if self.several() { vec![text(&corpus.name)] } else { Vec::new() };
            cells.extend([
                text(&row.name),
                Cell::Html(format!("<code>{}</code>", escape(&row.code))),
                count(row.pages),
                share(row.pages_percent),
                count(row.pages_any),
                size(row.bytes),
                Cell::Number(
                    decimal(row.bytes_percent, 2) + " %",
                    row.bytes_percent.unwrap_or(-1.0),
                ),
            ]);
            Some(cells)
        };
        let of_each = |name| self.report.corpora.iter().map(move |corpus| (corpus, name));
        let rows: Vec<_> =
            self.report.languages().into_iter().flat_map(of_each).filter_map(row).collect();
        let heads = vec![
            "Language".to_owned(),
            "Code".to_owned(),
            term("contains", "Pages"),
            "of all".to_owned(),
            "Pages with any".to_owned(),
            "Text".to_owned(),
            "of all".to_owned(),
        ];
        self.html += &table("Languages (Table 8 of the paper)", &self.heads(heads), &rows);
    }

    fn duplicates(&mut self) {
        self.section("duplicates", "Duplicates");
        let rows = self.rows(|c| {
            let d = &c.figures.duplicates;
            let row = |name: String, pages: Option<u64>, percent: Option<f64>| {
                vec![Cell::Html(name), maybe(pages), share(percent)]
            };
            vec![
                row("Pages with text".to_owned(), Some(d.pages), (d.pages > 0).then_some(100.0)),
                row(term("exact", "Exact, by main text"), Some(d.exact), d.exact_percent),
                row(term("exact", "Exact, by the bytes as fetched"), d.exact_bytes, None),
                row(
                    term("near", "Near, by Nutch\u{2019}s profile"),
                    d.near_nutch,
                    d.near_nutch_percent,
                ),
                row(term("near", "Near, by sorted profile"), d.near_sorted, d.near_sorted_percent),
                row(term("minhash", "Near, by MinHash"), d.near_minhash, d.near_minhash_percent),
                row(term("exact", "Copies of the most frequent text"), Some(d.most_copies), None),
            ]
        });
        self.html += &table(
            "Duplicates",
            &self.heads(heads(&["Kind", "Pages", "of pages with text"])),
            &rows,
        );
    }

    fn words(&mut self) {
        if !self.report.words {
            return;
        }
        self.section("words", "Words");
        let script =
            |c: &CorpusReport| c.figures.calibration.scripts.first().map(|of| of.script.clone());
        if self
            .report
            .corpora
            .iter()
            .filter_map(script)
            .any(|script| WITHOUT_BLANKS.contains(&script.as_str()))
        {
            self.html += "<p class=\"note\">Most of this text is in a script without blanks between words, so its tokens are runs of text: \
                           figures of words, tokens and near duplicates have no useful meaning. Skip them with <code>--no-words</code>.</p>";
        }
        self.vocabulary();
        self.sequences();
        self.lengths();
        self.frequent_words();
    }

    fn vocabulary(&mut self) {
        let rows = self.rows(|c| {
            let Some(words) = &c.figures.words else { return Vec::new() };
            let v = &words.vocabulary;
            let others = |all: u64, own: Option<u64>| maybe(own.map(|own| all - own));
            vec![vec![
                count(v.types),
                maybe(v.own_types),
                others(v.types, v.own_types),
                count(v.tokens),
                maybe(v.own_tokens),
                share(v.own_tokens_percent),
                others(v.tokens, v.own_tokens),
            ]]
        });
        let vocabulary_heads = vec![
            term("type", "Types"),
            term("own", "Target types"),
            "Other types".to_owned(),
            term("token", "Tokens"),
            term("own", "Target tokens"),
            "of all".to_owned(),
            "Other tokens".to_owned(),
        ];
        self.html +=
            &table("Vocabulary (Table 10 of the paper)", &self.heads(vocabulary_heads), &rows);
    }

    /// Zipf's law, and the sequences that its lines are of.
    fn sequences(&mut self) {
        let mut series = Vec::new();
        for corpus in &self.report.corpora {
            for zipf in corpus.figures.words.iter().flat_map(|words| &words.zipf) {
                let what = match zipf.n {
                    1 => "1 word".to_owned(),
                    n => format!("{n} words"),
                };
                let name = if self.several() { format!("{}: {what}", corpus.name) } else { what };
                let points = zipf
                    .points
                    .iter()
                    .map(|&(rank, frequency)| (rank as f64, frequency as f64))
                    .collect();
                series.push(Series { name, points });
            }
        }
        self.html += "<div class=\"plots\">";
        let svg =
            lines("p-zipf", "Zipf's law", &Axis::log("Rank"), &Axis::log("Frequency"), &series);
        self.html +=
            &plot(&format!("Rank and frequency ({})", term("zipf", "Zipf\u{2019}s law")), &svg);
        self.html += "<div>";
        let rows = self.rows(|c| {
            let zipf = c.figures.words.iter().flat_map(|words| &words.zipf);
            zipf.map(|z| {
                vec![
                    count(z.n.into()),
                    count(z.types),
                    count(z.tokens),
                    count(z.once),
                    figure(z.slope, 3),
                ]
            })
            .collect()
        });
        let zipf_heads = vec![
            "Words".to_owned(),
            term("type", "Types"),
            "Running".to_owned(),
            "Once".to_owned(),
            term("zipf", "Slope"),
        ];
        self.html += &table("Sequences of words", &self.heads(zipf_heads), &rows);
        self.html += "</div></div>";
    }

    fn lengths(&mut self) {
        let rows = self.rows(|c| {
            let (Some(words), Some(style)) = (&c.figures.words, &c.figures.style) else {
                return Vec::new();
            };
            let l = &words.lengths;
            let row = |name: String, value: Option<f64>, digits| {
                vec![Cell::Html(name), figure(value, digits)]
            };
            vec![
                row(term("token", "Characters of a token"), l.chars_per_token, 2),
                row(term("type", "Characters of a type"), l.chars_per_type, 2),
                row(term("sentence", "Tokens of a sentence"), l.tokens_per_sentence, 2),
                row(term("entropy", "Conditional entropy, bits"), l.entropy, 3),
                row(term("perplexity", "Conditional perplexity"), l.perplexity, 2),
                row(term("lix", "Readability (LIX)"), style.readability_lix, 1),
                row(term("variety", "Variety, of 100"), style.variety, 1),
                row(term("cohesion", "Cohesion"), style.cohesion, 3),
                row(term("coherence", "Coherence"), style.coherence, 3),
            ]
        });
        self.html += &table(
            "Lengths, predictability, style (means)",
            &self.heads(heads(&["Figure", "Value"])),
            &rows,
        );
    }

    fn frequent_words(&mut self) {
        let rows = self.rows(|c| {
            let top = c.figures.words.iter().flat_map(|words| (1..).zip(&words.vocabulary.top));
            top.map(|(rank, row)| vec![count(rank), text(&row.word), count(row.count)]).collect()
        });
        let top_heads =
            self.heads(vec!["Rank".to_owned(), term("type", "Word"), term("token", "Count")]);
        self.html +=
            &folded("Most frequent words", &table("Most frequent words", &top_heads, &rows));
    }

    fn urls_and_sizes(&mut self) {
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
                &self::bars("p-depth", "Pages by URL depth", &names, &series),
            );
        }
        self.html += "</div>";
        let rows = self.rows(|c| {
            let (sizes, depths) = (&c.figures.sizes, &c.figures.depths);
            vec![vec![
                count(sizes.pages),
                size(sizes.largest),
                count(sizes.over_1_mib),
                share(sizes.over_1_mib_percent),
                figure(depths.mean, 2),
                maybe(depths.deepest.map(u64::from)),
            ]]
        });
        let heads = vec![
            "Pages of known size".to_owned(),
            "Largest".to_owned(),
            term("ccdf", "Over 1 MiB"),
            "of them".to_owned(),
            term("depth", "Mean depth"),
            "Deepest".to_owned(),
        ];
        self.html += &table("Sizes and depths", &self.heads(heads), &rows);
    }

    fn thresholds(&mut self) {
        self.section("thresholds", "Content-size thresholds");
        let rows = self.rows(|c| {
            let tables = &c.figures.calibration;
            [
                threshold_rows("bytes", &tables.bytes),
                threshold_rows("characters", &tables.characters),
            ]
            .concat()
        });
        let names = ["Unit", "Threshold", "Pages", "of all", "Size", "of all", ""];
        let heads = |script: &[&str]| {
            let head = |&name: &&str| match name {
                "Threshold" => term("threshold", name),
                "Script" => term("script", name),
                name => escape(name),
            };
            self.heads(script.iter().chain(&names).map(head).collect())
        };
        let all = table(
            "Thresholds (Table 3 of the paper), over all pages with target text that the input has",
            &heads(&[]),
            &rows,
        );
        let by_script = self.rows(|c| {
            let scripts = c.figures.calibration.scripts.iter();
            let rows = scripts.flat_map(|of| {
                let rows = [
                    threshold_rows("bytes", &of.bytes),
                    threshold_rows("characters", &of.characters),
                ]
                .concat();
                rows.into_iter().map(|row| std::iter::once(text(&of.name)).chain(row).collect())
            });
            rows.collect()
        });
        let chosen = self.rows(|c| {
            let row = |of: &ScriptTables| {
                let choice = |figures: &CalibrationFigures| {
                    let row = figures.rows.iter().find(|row| figures.choice == Some(row.threshold));
                    [maybe(figures.choice), share(row.and_then(|row| row.pages_percent))]
                };
                let pages = count(of.bytes.rows.first().map_or(0, |row| row.pages));
                [text(&of.name), pages]
                    .into_iter()
                    .chain(choice(&of.bytes))
                    .chain(choice(&of.characters))
                    .collect()
            };
            c.figures.calibration.scripts.iter().map(row).collect()
        });
        let chosen_heads = vec![
            term("script", "Script"),
            "Pages".to_owned(),
            format!("{}, bytes", term("threshold", "Threshold")),
            "leaves pages".to_owned(),
            "Threshold, characters".to_owned(),
            "leaves pages".to_owned(),
        ];
        let chosen = table("Threshold for each script", &self.heads(chosen_heads), &chosen);
        let by_script = folded(
            "All thresholds by script",
            &table("Thresholds by script", &heads(&["Script"]), &by_script),
        );
        self.html += &all;
        if self.report.corpora.iter().any(|c| !c.figures.calibration.scripts.is_empty()) {
            self.html += &chosen;
            self.html += &by_script;
        }
    }

    fn problems(&mut self) {
        if self.report.corpora.iter().all(|corpus| corpus.input.problems.is_empty()) {
            return;
        }
        self.section("problems", "Skipped records");
        let rows = self.rows(|c| {
            c.input
                .problems
                .iter()
                .map(|(kind, &number)| vec![text(kind.describe()), count(number)])
                .collect()
        });
        let kind_heads = self.heads(heads(&["What", "How many"]));
        self.html += &table("Skipped records, by kind", &kind_heads, &rows);
        let rows = self.rows(|c| {
            c.input
                .first_problems
                .iter()
                .map(|problem| vec![text(&problem.place), text(&problem.what)])
                .collect()
        });
        let place_heads = self.heads(heads(&["Where", "What"]));
        self.html += &folded("The first ten of each kind", &table("Places", &place_heads, &rows));
    }

    fn glossary(&mut self) {
        self.section("glossary", "Definitions");
        self.html += "<dl class=\"glossary\">";
        for Term { key, name, definition, figures } in TERMS {
            let _ = write!(
                self.html,
                "<dt id=\"d-{key}\">{}</dt><dd>{}<br>In report.json: <code>{}</code></dd>",
                escape(name),
                escape(definition),
                figures.join("</code>, <code>")
            );
        }
        let _ = write!(
            self.html,
            "</dl></section>\n</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
        );
    }
}

/// Returns a row per threshold.
fn threshold_rows(unit: &str, figures: &CalibrationFigures) -> Vec<Vec<Cell>> {
    let row = |row: &CalibrationRow| {
        let chosen = figures.choice == Some(row.threshold);
        vec![
            text(unit),
            count(row.threshold),
            count(row.pages),
            share(row.pages_percent),
            count(row.size),
            share(row.size_percent),
            Cell::Html(if chosen { "<strong>chosen</strong>".to_owned() } else { String::new() }),
        ]
    };
    figures.rows.iter().map(row).collect()
}

/// Returns the yield of the last round, if the input has the pages that the crawl rejected.
fn last_yield(corpus: &CorpusReport) -> Option<f64> {
    let last = corpus.figures.rounds.as_ref()?.rounds.last()?;
    last.yield_percent.filter(|_| is_yield_known(corpus))
}

/// Returns whether the input has pages that the crawl rejected. Without them the yield is the
/// filter's, not the crawl's.
fn is_yield_known(corpus: &CorpusReport) -> bool {
    corpus.figures.rounds.as_ref().is_some_and(|figures| figures.rejected_known)
}

/// Formats a time to the minute, UTC.
fn minute(seconds: u64) -> String {
    let time = crate::time(seconds);
    time.get(..16).map_or(time.clone(), |minute| minute.replace('T', " "))
}

/// Returns the median SiteR of the sites.
fn median_richness(corpus: &CorpusReport) -> Option<f64> {
    let quantiles = &corpus.figures.sites.site_richness;
    quantiles.iter().find(|q| (q.sites_percent - 50.0).abs() < 1e-9).map(|q| q.site_richness)
}

fn names(bins: &[Bin]) -> Vec<String> {
    bins.iter().map(|bin| bin.bin.clone()).collect()
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

/// Returns the bars of each corpus's bins.
fn bar_series(
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(integer), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_sign_is_that_of_what_is_shown() {
        let shown = [-0.0001, -0.0006, -1.5, 0.0, 2.25].map(|value| decimal(Some(value), 3));
        assert_eq!(shown, ["0.000", "−0.001", "−1.500", "0.000", "2.250"]);
        assert_eq!(
            [0.0, 0.002, 0.06, 99.96].map(|value| percent(Some(value))),
            ["0.0 %", "< 0.1 %", "0.1 %", "100.0 %"]
        );
    }

    #[test]
    fn what_is_deeper_is_one_bar() {
        let bins: Vec<Bin> = (1..=20)
            .map(|count| Bin { bin: String::new(), count, percent: Some(count as f64) })
            .collect();
        assert_eq!(shown_depths(&bins[..12]), bins[..12]);
        let shown = shown_depths(&bins);
        assert_eq!((shown.len(), shown[12].count, shown[12].percent), (13, 132, Some(132.0)));
    }

    /// Collects the leaves of a schema by their paths: names joined by dots; the elements of an
    /// array have the array's path.
    fn leaves(schema: &Value, node: &Value, path: &str, all: &mut Vec<String>) {
        let name = |node: &Value| {
            node["$ref"].as_str().and_then(|to| to.strip_prefix("#/$defs/")).map(str::to_owned)
        };
        let choices = node["anyOf"].as_array().into_iter().flatten();
        if let Some(defined) = std::iter::once(node).chain(choices).find_map(name) {
            return leaves(schema, &schema["$defs"][defined], path, all);
        }
        if let Some(properties) = node["properties"].as_object() {
            for (name, node) in properties {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                leaves(schema, node, &path, all);
            }
        } else if node["items"].is_object() {
            leaves(schema, &node["items"], path, all);
        } else {
            all.push(path.to_owned());
        }
    }

    /// Returns all figures of the schema next to the documentation.
    fn figures() -> Vec<String> {
        let schema: Value =
            serde_json::from_str(include_str!("../../../docs/report.schema.json")).expect("JSON");
        let mut all = Vec::new();
        leaves(&schema, &schema, "", &mut all);
        let below = |path: &String| {
            let path = path
                .strip_prefix("corpora.figures.")
                .or(path.strip_prefix("corpora."))
                .unwrap_or(path);
            let is_figure = path.contains('.') && !path.starts_with("input.");
            is_figure.then(|| path.to_owned())
        };
        all.iter().filter_map(below).collect()
    }

    fn is_below(path: &str, of: &str) -> bool {
        path == of || path.strip_prefix(of).is_some_and(|rest| rest.starts_with('.'))
    }

    #[test]
    fn every_figure_has_its_definition() {
        let figures = figures();
        assert!(figures.len() > 100, "{figures:?}");
        for figure in &figures {
            assert!(
                TERMS.iter().any(|term| term.figures.iter().any(|of| is_below(figure, of))),
                "{figure}"
            );
        }
        for term in &TERMS {
            assert_eq!(
                TERMS.iter().filter(|other| other.key == term.key).count(),
                1,
                "{}",
                term.key
            );
            for of in term.figures {
                assert!(
                    figures.iter().any(|figure| is_below(figure, of)),
                    "{}: no figure is {of}",
                    term.key
                );
                assert_eq!(
                    TERMS.iter().filter(|other| other.figures.contains(of)).count(),
                    1,
                    "{of}"
                );
            }
        }
    }

    #[test]
    fn every_figure_and_every_term_is_in_the_documentation() {
        let documentation = include_str!("../../../docs/report.md");
        let (formulas, names) = documentation.split_once("## report.json").expect("a section");
        let names = names.split("## Tables").next().expect("a section");
        for term in &TERMS {
            let row = format!("| {} ", term.name.to_lowercase());
            let rows = formulas
                .lines()
                .filter(|line| line.to_lowercase().replace('\'', "’").starts_with(&row));
            assert_eq!(rows.count(), 1, "no row of formula and source for {}", term.name);
        }
        for figure in figures() {
            let name = figure.rsplit('.').next().expect("a name");
            let told = names.contains(&format!("`{name}`"))
                || name
                    .strip_suffix("_percent")
                    .is_some_and(|of| names.contains(&format!("`{of}`")));
            assert!(told, "{figure}");
        }
    }
}
