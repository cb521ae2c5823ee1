//! Quality signals, and the rules that pages break.

use crate::format::{percent, things};
use crate::glossary::term;
use crate::html::{folded, plot, ReportPage};
use crate::sections::text::readable;
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::quality::{QualityFigures, RuleFigures, SampleRow, SignalBin, SignalFigures};
use render::plot::{escape, histogram, round, HistogramBin};
use std::fmt::Write as _;

/// Returns whether any corpus has signals.
pub fn has_signals(report: &Report) -> bool {
    report.corpora.iter().any(|corpus| corpus.figures.quality.is_some())
}

fn rule_rows(corpus: &CorpusReport) -> impl Iterator<Item = &RuleFigures> {
    corpus.figures.quality.iter().flat_map(|figures| &figures.rules)
}

fn signal_rows(corpus: &CorpusReport) -> impl Iterator<Item = &SignalFigures> {
    corpus.figures.quality.iter().flat_map(|figures| &figures.signals)
}

/// Returns the meaning of a signal in a few words.
fn meaning(signal: &str) -> String {
    let (name, n) = signal.split_once(' ').unwrap_or((signal, ""));
    match name {
        "rps_doc_word_count" => "Words",
        "rps_doc_mean_word_length" => "Characters per word",
        "1" => "Share of words with a letter",
        "rps_doc_frac_unique_words" => "Distinct words per word",
        "rps_doc_unigram_entropy" => "Entropy of words, nats",
        "rps_doc_frac_lines_end_with_ellipsis" => "Share of lines that end with an ellipsis",
        "hash_ratio" => "# per word",
        "ellipsis_ratio" => "Ellipses per word",
        "bullet_lines" => "Share of lines that begin with a bullet",
        "line_punct" => "Share of lines that end with a sentence sign",
        "new_line_ratio" => "Line ends per word",
        "dup_line_frac" => "Share of lines that occurred before",
        "char_dup_ratio" => "Share of characters in lines that occurred before",
        "top_n_grams" => return format!("Share of characters in the most frequent {n}-gram"),
        "dup_n_grams" => return format!("Share of characters in {n}-grams that occurred before"),
        "stop_words" => "Distinct stop words",
        "script_percentage" => "Share of letters in the main script",
        "identification_consistency" => "Share of letters in lines in the language",
        "wordlist_ratio" => "Share of words on the word list",
        _ => signal,
    }
    .to_owned()
}

/// Formats any value of a signal: the TSV file has all digits.
fn figure(value: Option<f64>) -> Value {
    Value::number(
        value.map_or_else(String::new, |value| value.to_string()),
        value.map_or_else(|| "–".to_owned(), round),
        value.unwrap_or(f64::MIN),
    )
}

/// The limit of a rule.
fn limit(row: &&RuleFigures) -> Value {
    let shown = match (row.least, row.most) {
        (Some(least), _) => format!("at least {}", round(least)),
        (_, Some(most)) => format!("at most {}", round(most)),
        _ => "–".to_owned(),
    };
    Value::number(String::new(), shown, row.least.or(row.most).unwrap_or(f64::MIN))
}

/// The bins of all signals. HTML has them as histograms.
pub fn signals(report: &Report) -> Table<'_, (&SignalFigures, &SignalBin)> {
    Table::of(report, |corpus| {
        signal_rows(corpus).flat_map(|signal| signal.bins.iter().map(move |bin| (signal, bin)))
    })
    .tsv_column("signal", |(signal, _)| Value::text(signal.signal))
    .tsv_column("from", |(_, bin)| figure(Some(bin.from)))
    .tsv_column("to", |(_, bin)| figure(bin.to))
    .tsv_column("pages", |(_, bin)| Value::count(bin.pages))
    .tsv_column("pages beyond a limit", |(_, bin)| Value::count(bin.beyond))
}

/// The rules, with the pages that break them.
pub fn rules(report: &Report) -> Table<'_, &RuleFigures> {
    Table::of(report, rule_rows)
        .column("rule", Heading::term("noisy", "Rule"), |row| Value::code(&row.rule))
        .column("signal", Heading::term("signal", "Signal"), |row| {
            let signal = row.signal.unwrap_or_default();
            Value::named(signal, &meaning(signal))
        })
        .tsv_column("least", |row| figure(row.least))
        .tsv_column("most", |row| figure(row.most))
        .html_column("Allowed", limit)
        .column("pages", "Pages beyond", |row| Value::count(row.pages))
        .column("pages %", "of pages with signals", |row| Value::share(row.pages_percent))
        .column("first pages", "first reason", |row| Value::count(row.first_pages))
}

fn samples_of(report: &Report) -> Table<'_, (&RuleFigures, &SampleRow)> {
    Table::of(report, |corpus| {
        rule_rows(corpus).flat_map(|rule| rule.samples.iter().map(move |sample| (rule, sample)))
    })
}

/// Sample pages of the rules.
pub fn samples(report: &Report) -> Table<'_, (&RuleFigures, &SampleRow)> {
    samples_of(report)
        .tsv_column("rule", |(rule, _)| Value::text(&rule.rule))
        .tsv_column("signal", |(rule, _)| Value::text(rule.signal.unwrap_or_default()))
        .tsv_column("value", |(_, sample)| figure(sample.value))
        .tsv_column("URL", |(_, sample)| Value::text(&sample.url))
        .tsv_column("text", |(_, sample)| Value::text(&sample.text))
}

/// The sample pages of one rule, for HTML.
fn samples_of_rule<'r>(report: &'r Report, rule: &'r str) -> Table<'r, &'r SampleRow> {
    Table::of(report, |corpus| {
        rule_rows(corpus).filter(|row| row.rule == rule).flat_map(|row| &row.samples)
    })
    .html_column(Heading::term("noisy", "Value"), |sample| figure(sample.value))
    .html_column("URL", |sample| Value::text_or(&readable(&sample.url), "(not known)"))
    .html_column("Start of the text", |sample| Value::text(&sample.text))
}

impl ReportPage<'_> {
    /// Writes the section, if the records have signals.
    pub fn quality(&mut self) {
        let report = self.report;
        if !has_signals(report) {
            return;
        }
        self.section("quality", "Quality signals");
        for (number, corpus) in report.corpora.iter().enumerate() {
            if let Some(figures) = &corpus.figures.quality {
                self.signals_of(number, corpus, figures);
            }
        }
        if report.corpora.iter().flat_map(rule_rows).next().is_none() {
            return;
        }
        self.html += &rules(report).html("Pages beyond the limit of each rule");
        self.html += "<h3>Samples of the pages that each rule excludes</h3>";
        let mut done: Vec<&str> = Vec::new();
        for rule in report.corpora.iter().flat_map(rule_rows) {
            if rule.samples.is_empty() || done.contains(&rule.rule.as_str()) {
                continue;
            }
            done.push(&rule.rule);
            let table =
                samples_of_rule(report, &rule.rule).html(&format!("Samples: {}", rule.rule));
            self.html += &folded(&rule.rule, &table);
        }
    }

    /// Writes the histograms of a corpus.
    fn signals_of(&mut self, number: usize, corpus: &CorpusReport, figures: &QualityFigures) {
        let has_limits = figures.rules.iter().any(|rule| rule.least.or(rule.most).is_some());
        let _ = write!(
            self.html,
            "<p class=\"note\">{}{} {}; {}. Bars: all pages, and in the second colour those that break \
             a rule on the signal; the axis of pages is logarithmic. {}</p><div class=\"plots small\">",
            self.name_of(corpus),
            things(figures.pages, "page has", "pages have"),
            term("signal", "signals"),
            format_args!(
                "{} {} ({})",
                things(figures.noisy, "page is", "pages are"),
                term("noisy", "noisy"),
                percent(figures.noisy_percent)
            ),
            match has_limits {
                true => "Dashed lines: limits.",
                false => "The records do not have the limits. Pass the file (--limits) to mark them.",
            },
        );
        for (at, signal) in figures.signals.iter().enumerate() {
            let bin = |bin: &SignalBin| HistogramBin {
                from: bin.from,
                count: bin.pages,
                part: bin.beyond,
            };
            let bins: Vec<HistogramBin> = signal.bins.iter().map(bin).collect();
            let of_signal = |rule: &&RuleFigures| rule.signal == Some(signal.signal);
            let rules = figures.rules.iter().filter(of_signal);
            let marks: Vec<f64> = rules.filter_map(|rule| rule.least.or(rule.most)).collect();
            let title = meaning(signal.signal);
            let id = format!("p-quality-{number}-{at}");
            let caption = format!("{} <code>{}</code>", escape(&title), escape(signal.signal));
            self.html += &plot(&caption, &histogram(&id, &title, "pages", &bins, &marks));
        }
        self.html += "</div>";
    }
}
