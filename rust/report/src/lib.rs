//! The report on a corpus: the figures of [`figures`] as JSON, as tables and as an HTML page.
//!
//! It is a separate crate, compiled for size: a report is written once, and the library has to stay
//! small. The measuring crates are compiled for speed.
#![forbid(unsafe_code)]

pub mod folder;
mod format;
mod glossary;
pub mod html;
pub mod indexes;
pub mod inspection;
mod sections;
mod table;
pub mod tables;

use figures::analyze::Outcome;
use figures::cdx::IndexFigures;
use figures::combinations::{combinations, Combination};
use figures::fixed::percent;
use figures::measures::{Figures, Plan};
use figures::pages::InputFigures;
use figures::ranking::{compare, RankRow, Ranking};
use figures::reference::{self, MetricRow};
use figures::words::WordFigures;
use serde::Serialize;
use std::io;
use std::time::{Duration, UNIX_EPOCH};

/// Name and version of the schema. A new field does not change the version; a removed field or a
/// new meaning raises it.
pub const SCHEMA: &str = "corpulyzer-report/1";

/// A report on one corpus or several.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// Target language, ISO 639-3.
    pub language: String,
    /// English name of the language.
    pub language_name: String,
    /// The language as in HTML's `lang` (BCP 47), which decides the fonts of texts.
    #[serde(skip)]
    pub language_tag: String,
    /// Whether words were counted.
    pub words: bool,
    /// The rule for websites: `host`, `no-www` or `domain`.
    pub sites_by: &'static str,
    /// The corpora, in the order of the arguments.
    pub corpora: Vec<CorpusReport>,
    /// Figures for each pair of corpora; `None` for a single corpus.
    pub comparison: Option<Vec<Pair>>,
    /// URLs and sites of each combination of corpora; `None` for a single corpus, or more than
    /// [`MAX_COMBINED`](figures::combinations::MAX_COMBINED).
    pub combinations: Option<Vec<Combination>>,
    /// Comparison with a reference corpus; `None` without one.
    pub reference: Option<Reference>,
    /// Languages and media types in an archive's index; `None` without an index.
    pub index: Option<IndexFigures>,
}

/// Figures of samples that have the same number of tokens as a sample of a reference corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reference {
    /// Name of the reference.
    pub name: String,
    /// Tokens of each sample.
    pub tokens: u64,
    /// The corpora, in the order of the arguments.
    pub corpora: Vec<Referenced>,
}

/// A corpus beside the reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Referenced {
    /// The name that the report prints, after the files of the corpus.
    pub name: String,
    /// Its figures, with their ratios.
    pub metrics: Vec<MetricRow>,
}

impl Reference {
    /// Compares corpora with a reference, by the figures of samples of `tokens` tokens each.
    pub fn new(
        (name, reference): (String, &WordFigures),
        tokens: u64,
        corpora: impl IntoIterator<Item = (String, WordFigures)>,
    ) -> Self {
        let row = |(name, figures): (String, WordFigures)| Referenced {
            name,
            metrics: reference::compare(&figures, reference),
        };
        Self { name, tokens, corpora: corpora.into_iter().map(row).collect() }
    }
}

/// Figures of one corpus of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorpusReport {
    /// The name that the report prints, after the files of the corpus.
    pub name: String,
    /// Figures of the input.
    pub input: InputFigures,
    /// Figures of the corpus.
    pub figures: Figures,
    /// Comparison of the richest sites with other rankings; `None` without a ranking.
    pub ranking: Option<Vec<RankRow>>,
}

impl CorpusReport {
    /// Returns one sentence on why the figures are empty: there are no pages, or none has text in
    /// the target language, whose name is the argument. Returns `None` if they are not.
    pub fn nothing(&self, language: &str) -> Option<String> {
        let (totals, input) = (&self.figures.totals, &self.input);
        if totals.pages > 0 {
            let none = totals.target_bytes == 0;
            return none.then(|| {
                format!("No page has text in {language}, the language that this report is about.")
            });
        }
        if input.records == 0 {
            return Some("The input holds no record.".to_owned());
        }
        let problems = input.problems.iter().map(|(kind, &count)| (count, kind.describe()));
        let others = [
            (input.other_records, "records that are no pages"),
            (totals.rejected, "pages that were rejected"),
            (totals.gone, "pages that are gone"),
        ];
        let found = problems.chain(others).filter(|&(count, _)| count > 0);
        let found: Vec<String> = found.map(|(count, what)| format!("{what}: {count}")).collect();
        Some(format!("No record of {} counts as a page ({}).", input.records, found.join(", ")))
    }

    /// Returns whether all records of a non-empty input were skipped as invalid.
    pub fn is_all_wrong(&self) -> bool {
        let (totals, input) = (&self.figures.totals, &self.input);
        let good = [totals.pages, totals.rejected, totals.gone, input.other_records];
        good.iter().all(|&count| count == 0) && !input.problems.is_empty()
    }
}

/// Formats a time in seconds since 1970 as ISO 8601 in UTC; times after the year 9999 stay in
/// seconds.
fn time(seconds: u64) -> String {
    /// The end of the year 9999.
    const LAST: u64 = 253_402_300_799;
    if seconds > LAST {
        return seconds.to_string();
    }
    humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds)).to_string()
}

/// A pair of corpora; the first one is the earlier.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// Name of the first.
    pub first: String,
    /// Name of the second.
    pub second: String,
    /// Number of URLs in both.
    pub common_urls: u64,
    /// Number of URLs in the second only.
    pub added_urls: u64,
    /// Number of URLs in the first only.
    pub removed_urls: u64,
    /// Number of URLs in both whose pages have different main text. Pages without text in the
    /// input do not count.
    pub changed_urls: u64,
    /// Jaccard index of their URLs in percent: URLs in both / URLs in either (paper, Eq. 1).
    pub jaccard_percent: Option<f64>,
    /// Number of sites in both.
    pub common_sites: u64,
    /// Churn: share of the first corpus's sites that are not in the second, in percent.
    pub churn_percent: Option<f64>,
}

/// File name of the figures.
pub const JSON: &str = "report.json";

/// File name of the page.
pub const HTML: &str = "report.html";

/// Returns whether a report has a file of this name.
pub fn is_file_name(name: &str) -> bool {
    [JSON, HTML].contains(&name) || tables::is_name(name) || indexes::is_name(name)
}

/// Compares each corpus with each later one.
fn pairs(corpora: &mut [(String, Outcome)]) -> io::Result<Vec<Pair>> {
    let mut comparison = Vec::new();
    for second in 1..corpora.len() {
        let (before, after) = corpora.split_at_mut(second);
        let (second_name, second) = &mut after[0];
        for (first_name, first) in before {
            let urls = first.urls.overlap(&mut second.urls)?;
            let sites = |outcome: &Outcome| {
                outcome.sites.0.keys().filter(|host| !host.is_empty()).count() as u64
            };
            let common = first
                .sites
                .0
                .keys()
                .filter(|host| !host.is_empty() && second.sites.0.contains_key(*host));
            let common_sites = common.count() as u64;
            comparison.push(Pair {
                first: first_name.clone(),
                second: second_name.clone(),
                common_urls: urls.common,
                added_urls: urls.added,
                removed_urls: urls.removed,
                changed_urls: urls.changed,
                jaccard_percent: percent(urls.common, urls.all()),
                common_sites,
                churn_percent: percent(sites(first) - common_sites, sites(first)),
            });
        }
    }
    Ok(comparison)
}

impl Report {
    /// Creates a report on named corpora, on named rankings of sites, and on an archive's index if
    /// present.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read.
    pub fn new(
        plan: Plan,
        mut corpora: Vec<(String, Outcome)>,
        rankings: &[(String, Ranking)],
        index: Option<IndexFigures>,
    ) -> io::Result<Self> {
        let several = corpora.len() > 1;
        let comparison = several.then(|| pairs(&mut corpora)).transpose()?;
        let outcomes = corpora
            .iter_mut()
            .map(|(name, outcome)| (name.as_str(), &mut outcome.urls, &outcome.sites));
        let combinations = combinations(outcomes.collect())?;
        let corpora = corpora
            .into_iter()
            .map(|(name, outcome)| {
                let compare =
                    |(name, ranking): &(String, _)| compare(&outcome.sites, name, ranking);
                let ranking =
                    (!rankings.is_empty()).then(|| rankings.iter().flat_map(compare).collect());
                CorpusReport { name, input: outcome.input, figures: outcome.figures, ranking }
            })
            .collect();
        Ok(Self {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            language: plan.target.to_string(),
            language_name: plan.target.name().to_owned(),
            language_tag: plan.target.short().unwrap_or(plan.target.as_str()).to_owned(),
            words: plan.words,
            sites_by: "host",
            corpora,
            comparison,
            combinations,
            reference: None,
            index,
        })
    }

    /// Returns the English names of the pages' languages, those of most pages first, corpus by
    /// corpus.
    fn languages(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in self.corpora.iter().flat_map(|corpus| &corpus.figures.languages) {
            if !names.contains(&row.name.as_str()) {
                names.push(&row.name);
            }
        }
        names
    }

    /// Returns the names and contents of the report's files: the figures as indented JSON, the
    /// page, the tables.
    ///
    /// # Errors
    /// Fails if the figures cannot be written as JSON, which does not happen for reports of
    /// [`Report::new`].
    pub fn files(&self) -> serde_json::Result<Vec<(&'static str, String)>> {
        let mut files =
            vec![(JSON, serde_json::to_string_pretty(self)? + "\n"), (HTML, html::page(self))];
        files.extend(tables::tables(self));
        Ok(files)
    }
}
