//! The report on a corpus: what [`corpus`] measured, as JSON, as tables and as a page.
//!
//! A crate of its own since it is written once and the library has to stay small: it is compiled for size, what measures for speed.
#![forbid(unsafe_code)]

pub mod html;
pub mod tables;

use corpus::analyze::Outcome;
use corpus::cdx::IndexFigures;
use corpus::fixed::percent;
use corpus::measures::{Figures, Plan};
use corpus::pages::InputFigures;
use corpus::ranking::{compare, RankRow, Ranking};
use serde::Serialize;
use std::io;
use std::time::{Duration, UNIX_EPOCH};

/// Name and version of the schema. A field that is added leaves the version; one that goes or means another thing raises it.
pub const SCHEMA: &str = "corpulyzer-report/1";

/// A report on one corpus or several.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// Target language, ISO 639-3.
    pub language: String,
    /// Its English name.
    pub language_name: String,
    /// Bytes of it from which on a page is one of the target.
    pub min_bytes: u64,
    /// Whether words were read.
    pub words: bool,
    /// The corpora, in the order in which they were named.
    pub corpora: Vec<CorpusReport>,
    /// What each has in common with each other; none for a single one.
    pub comparison: Option<Vec<Pair>>,
    /// What an archive's index says of languages and kinds of documents; none without one.
    pub index: Option<IndexFigures>,
}

/// One corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorpusReport {
    /// Its name.
    pub name: String,
    /// What was read.
    pub input: InputFigures,
    /// What was found.
    pub figures: Figures,
    /// The richest sites in another ranking; none without one.
    pub ranking: Option<Vec<RankRow>>,
}

impl CorpusReport {
    /// One sentence on why its figures say nothing: no page counts, or none has text in the target language, whose name is given. None if
    /// they say something.
    pub fn nothing(&self, language: &str) -> Option<String> {
        let (totals, input) = (&self.figures.totals, &self.input);
        if totals.pages > 0 {
            let none = totals.target_bytes == 0;
            return none.then(|| format!("No page has text in {language}, the language that this report is about."));
        }
        if input.records == 0 {
            return Some("The input holds no record.".to_owned());
        }
        let problems = input.problems.iter().map(|(kind, &count)| (count, kind.describe()));
        let others = [
            (input.other_records, "records that are no pages"),
            (totals.rejected, "pages that the crawl rejected"),
            (totals.gone, "pages that are gone"),
        ];
        let found = problems.chain(others).filter(|&(count, _)| count > 0);
        let found: Vec<String> = found.map(|(count, what)| format!("{what}: {count}")).collect();
        Some(format!("No record of {} counts as a page ({}).", input.records, found.join(", ")))
    }

    /// Whether something was read and all of it was skipped as wrong.
    pub fn is_all_wrong(&self) -> bool {
        let (totals, input) = (&self.figures.totals, &self.input);
        let good = [totals.pages, totals.rejected, totals.gone, input.other_records];
        good.iter().all(|&count| count == 0) && !input.problems.is_empty()
    }
}

/// A time in seconds since 1970 as ISO 8601 has it, in UTC; what that has no year for stays seconds.
fn time(seconds: u64) -> String {
    /// The end of the year 9999.
    const LAST: u64 = 253_402_300_799;
    if seconds > LAST {
        return seconds.to_string();
    }
    humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds)).to_string()
}

/// Two corpora, the first one earlier.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// Name of the first.
    pub first: String,
    /// Name of the second.
    pub second: String,
    /// URLs that both have.
    pub common_urls: u64,
    /// Jaccard index of their URLs in percent: URLs in both / URLs in either (paper, Eq. 1).
    pub jaccard_percent: Option<f64>,
    /// Sites that both have.
    pub common_sites: u64,
    /// Churn: share of the first one's sites that the second has not, in percent.
    pub churn_percent: Option<f64>,
}

/// The figures.
pub const JSON: &str = "report.json";

/// The page.
pub const HTML: &str = "report.html";

/// Whether a report has a file of this name.
pub fn is_file_name(name: &str) -> bool {
    [JSON, HTML].contains(&name) || tables::NAMES.contains(&name)
}

impl Report {
    /// A report on corpora with their names, and on a ranking of sites and an archive's index if there are any.
    ///
    /// # Errors
    /// When a temporary file cannot be read.
    pub fn new(
        plan: Plan,
        mut corpora: Vec<(String, Outcome)>,
        ranking: Option<&Ranking>,
        index: Option<IndexFigures>,
    ) -> io::Result<Self> {
        let mut comparison = Vec::new();
        for second in 1..corpora.len() {
            let (before, after) = corpora.split_at_mut(second);
            let (second_name, second) = &mut after[0];
            for (first_name, first) in before {
                let (common_urls, all_urls) = first.urls.overlap(&mut second.urls)?;
                let sites = |outcome: &Outcome| outcome.sites.0.keys().filter(|host| !host.is_empty()).count() as u64;
                let common = first.sites.0.keys().filter(|host| !host.is_empty() && second.sites.0.contains_key(*host));
                let common_sites = common.count() as u64;
                comparison.push(Pair {
                    first: first_name.clone(),
                    second: second_name.clone(),
                    common_urls,
                    jaccard_percent: percent(common_urls, all_urls),
                    common_sites,
                    churn_percent: percent(sites(first) - common_sites, sites(first)),
                });
            }
        }
        let several = corpora.len() > 1;
        let corpora = corpora
            .into_iter()
            .map(|(name, outcome)| {
                let ranking = ranking.map(|ranking| compare(&outcome.sites, ranking));
                CorpusReport { name, input: outcome.input, figures: outcome.figures, ranking }
            })
            .collect();
        Ok(Self {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            language: plan.target.to_string(),
            language_name: plan.target.name().to_owned(),
            min_bytes: plan.min_bytes,
            words: plan.words,
            corpora,
            comparison: several.then_some(comparison),
            index,
        })
    }

    /// English names of the languages that pages are in, those of most pages first, corpus by corpus.
    fn languages(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in self.corpora.iter().flat_map(|corpus| &corpus.figures.languages) {
            if !names.contains(&row.name.as_str()) {
                names.push(&row.name);
            }
        }
        names
    }

    /// The report's files with their contents: the figures as indented JSON, the page, the tables.
    ///
    /// # Errors
    /// Never of a report that this program made.
    pub fn files(&self) -> serde_json::Result<Vec<(&'static str, String)>> {
        let mut files = vec![(JSON, serde_json::to_string_pretty(self)? + "\n"), (HTML, html::page(self))];
        files.extend(tables::tables(self));
        Ok(files)
    }
}
