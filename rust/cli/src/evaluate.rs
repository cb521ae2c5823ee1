//! How well identifiers tell languages apart, on texts whose language is known.

pub mod codes;
mod metrics;
mod report;
mod texts;

use crate::identifier;
use codes::Joins;
use langid::{Identify, LangCode};
use metrics::{mean, Candidate, Confusion, Prior};
use rayon::prelude::*;
use report::Report;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
pub use texts::Cut;
use texts::Texts;

/// The lengths that F1 is tabled by.
const LENGTHS: [Cut; 6] =
    [Cut::Words(4), Cut::Characters(25), Cut::Characters(60), Cut::Characters(100), Cut::Characters(200), Cut::Whole];

/// What is evaluated, and how.
pub struct Evaluation<'a> {
    /// Folder with a file of texts for each language.
    pub test: &'a Path,
    /// How much of each text the identifier sees.
    pub cut: Cut,
    /// The languages whose texts are read; all of the folder if none are given.
    pub only: Option<&'a BTreeSet<LangCode>>,
    /// Codes that count as another.
    pub joins: &'a Joins,
    /// File with the weights of languages; each weighs the same without it.
    pub prior: Option<&'a Path>,
    /// The language that identifiers are chosen by; their means if none is given.
    pub target: Option<LangCode>,
    /// An identifier with less recall than this is not chosen.
    pub min_recall: f64,
    /// File that the figures are written to as JSON.
    pub json: Option<&'a PathBuf>,
    /// Longest file that is read.
    pub max_bytes: u64,
}

impl Evaluation<'_> {
    /// Evaluates identifiers; answers the report.
    ///
    /// # Errors
    /// When texts or weights cannot be read, or the JSON cannot be written.
    pub fn run(&self, identifiers: &[identifier::Name]) -> Result<String, String> {
        let joined = self.only.map(|only| only.iter().map(|&code| self.joins.head(code)).collect::<BTreeSet<_>>());
        let texts = texts::read(self.test, joined.as_ref(), self.joins, self.max_bytes)?;
        for missing in joined.iter().flatten().filter(|code| !texts.contains_key(code)) {
            eprintln!("corpulyzer: {}: no texts in {missing} ({})", self.test.display(), missing.name());
        }
        let prior = self.prior.map_or(Ok(Prior::Uniform), |file| self.weights(file, &texts))?;
        let target = self.target.map(|target| self.joins.head(target));
        if let Some(target) = target.filter(|target| !texts.contains_key(target)) {
            return Err(format!("--target is `{target}` ({}), which has no texts", target.name()));
        }
        let mut reports = Vec::new();
        let mut measured = Vec::new();
        for name in identifiers {
            let identifier = name.open()?;
            let own: BTreeSet<LangCode> =
                identifier.languages().into_iter().map(|code| self.joins.head(code)).collect();
            let tested = own.iter().copied().filter(|code| texts.contains_key(code)).collect();
            let confusion = self.confusion(&texts, identifier.as_ref(), self.cut);
            let lengths = LENGTHS.map(|cut| (cut, self.confusion(&texts, identifier.as_ref(), cut)));
            reports.push(Report::of(&identifier.version(), own.len(), &tested, &confusion, &lengths, &prior));
            measured.push((tested, confusion));
        }
        let candidates = candidates(&measured, target, &prior);
        let choice = metrics::purest(&candidates, self.min_recall);
        if let Some(file) = self.json {
            let json = serde_json::to_string_pretty(&report::json(&reports, &candidates, choice))
                .map_err(|error| format!("report: {error}"))?;
            std::fs::write(file, json + "\n").map_err(|error| format!("{}: {error}", file.display()))?;
        }
        let mut text: String = reports.iter().map(|report| report.text(self.cut)).collect();
        if reports.len() > 1 {
            text += &report::choice(&reports, &candidates, choice, target, self.min_recall);
        }
        Ok(text)
    }

    /// What an identifier calls the texts, cut short.
    fn confusion(&self, texts: &Texts, identifier: &dyn Identify, cut: Cut) -> Confusion {
        let mut confusion = Confusion::default();
        for (&language, lines) in texts {
            let answers: Vec<LangCode> =
                lines.par_iter().map(|line| self.joins.head(identifier.identify(cut.of(line), None))).collect();
            for answer in answers {
                confusion.add(language, answer, 1);
            }
        }
        confusion
    }

    /// Reads weights, one `code<TAB>weight` a line; those of joined codes are added up.
    fn weights(&self, file: &Path, texts: &Texts) -> Result<Prior, String> {
        let content = crate::input::read(file, self.max_bytes)?;
        let content = String::from_utf8_lossy(&content);
        let mut weights: BTreeMap<LangCode, f64> = BTreeMap::new();
        for (number, line) in content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let named = |reason: &str| format!("{}: line {}: {reason}", file.display(), number + 1);
            let (code, weight) = line.split_once('\t').ok_or_else(|| named("is not like `urd<TAB>0.5`"))?;
            let code: LangCode =
                code.parse().map_err(|unknown: langid::UnknownLanguage| named(&unknown.to_string()))?;
            let weight = weight.trim().parse::<f64>().ok().filter(|weight| (0.0..=1e18).contains(weight));
            *weights.entry(self.joins.head(code)).or_default() +=
                weight.ok_or_else(|| named("the weight is no number from 0 to 1e18"))?;
        }
        let without: Vec<&str> =
            texts.keys().filter(|code| !weights.contains_key(code)).map(LangCode::as_str).collect();
        if !without.is_empty() {
            eprintln!("corpulyzer: {}: no weight, taken as 0: {}", file.display(), without.join(" "));
        }
        Ok(Prior::Weights(weights))
    }
}

/// Contamination and recall of the target, or their means over the tested languages that all identifiers know, so that an
/// identifier gains nothing by knowing fewer.
fn candidates(measured: &[(BTreeSet<LangCode>, Confusion)], target: Option<LangCode>, prior: &Prior) -> Vec<Candidate> {
    let common = measured.iter().map(|(tested, _)| tested.clone()).reduce(|a, b| &a & &b).unwrap_or_default();
    let languages = target.map_or(common, |target| [target].into());
    let of = |confusion: &Confusion| Candidate {
        contamination: mean(languages.iter().filter_map(|&language| confusion.contamination(language, prior))),
        recall: mean(languages.iter().filter_map(|&language| confusion.score(language).recall())),
    };
    measured.iter().map(|(_, confusion)| of(confusion)).collect()
}
