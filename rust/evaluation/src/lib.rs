//! Evaluation of language identifiers on texts with a known language.
//!
//! An [`Evaluation`] has the texts and the limits; each of its methods measures one thing, and
//! returns the results as tables and as figures.
#![forbid(unsafe_code)]

mod audit;
mod calibration;
pub mod classes;
pub mod codes;
mod cut;
mod failure;
mod false_positives;
mod losses;
mod metrics;
pub mod mixed;
mod overlap;
mod report;
mod source;
pub mod thresholds;

use codes::Joins;
pub use cut::Cut;
pub use failure::{BadWeight, Failure, Warning};
use inputs::identifiers::{Sources, Unopened};
use inputs::texts::{self, BadTexts, Texts};
use langid::{IdentifierName, LangCode, Pack};
use metrics::{mean, Candidate, Confusion, Prior};
use render::results::Results;
use report::Report;
use serde_json::{json, Value};
use source::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The lengths of text in the table of F1.
const LENGTHS: [Cut; 6] = [
    Cut::Words(4),
    Cut::Characters(25),
    Cut::Characters(60),
    Cut::Characters(100),
    Cut::Characters(200),
    Cut::Whole,
];

/// The texts of an evaluation of identifiers, and how they are cut, weighted and compared.
pub struct Evaluation<'a> {
    /// Folder with a file of texts for each language.
    pub test: &'a Path,
    /// Sources of the identifiers' tables.
    pub sources: Sources<'a>,
    /// The part of each text that the identifier gets.
    pub cut: Cut,
    /// The languages of the texts. If empty, all languages of the folder.
    pub only: Option<&'a BTreeSet<LangCode>>,
    /// Codes that count as another code.
    pub joins: &'a Joins,
    /// File with the weights of languages. Without it all languages have the same weight.
    pub prior: Option<&'a Path>,
    /// The language whose result decides the choice of an identifier. If none, the means over all
    /// languages.
    pub target: Option<LangCode>,
    /// Smallest recall of the chosen identifier.
    pub min_recall: f64,
    /// Longest file that is read, in bytes.
    pub max_bytes: u64,
    /// Takes what is worth a word and stops nothing.
    pub warn: &'a dyn Fn(Warning),
}

impl Evaluation<'_> {
    /// Counts the texts that occur in training text: a file or a folder with a file or a folder for
    /// each language.
    ///
    /// # Errors
    /// Fails if the texts cannot be read.
    pub fn overlap(&self, training: &Path) -> Result<Results, Failure> {
        let test = self.texts()?;
        let read = || {
            let files = inputs::training::files(training)?;
            inputs::training::by_language(training, &files, None, self.max_bytes, None)
        };
        let (training, _) = read().map_err(Failure::Training)?;
        Ok(overlap::table(&test, &training))
    }

    /// Evaluates identifiers and the results of other programs. Returns the report.
    ///
    /// # Errors
    /// Fails if texts, answers or weights cannot be read, or the target has no texts.
    pub fn run(
        &self,
        identifiers: &[IdentifierName],
        answers: &[PathBuf],
    ) -> Result<Results, Failure> {
        let texts = self.texts()?;
        let prior = self.prior.map_or(Ok(Prior::Uniform), |file| self.weights(file, &texts))?;
        let target = self.target(&texts)?;
        let mut reports = Vec::new();
        let mut measured = Vec::new();
        let opened =
            identifiers.iter().map(|name| Ok(Source::Identifier(self.sources.open(*name)?)));
        let read =
            answers.iter().map(|folder| Source::read(folder, self.joins, &texts, self.max_bytes));
        for source in opened.chain(read) {
            let source = source?;
            let own = source.languages(self.joins);
            let tested = own.iter().copied().filter(|code| texts.contains_key(code)).collect();
            let of = |cut| source.confusion(&texts, self.joins, cut);
            let Some(confusion) = of(self.cut) else {
                return Err(Failure::OnlyWholeTexts(source.version()));
            };
            let lengths: Vec<_> = LENGTHS
                .into_iter()
                .filter_map(|cut| of(cut).map(|confusion| (cut, confusion)))
                .collect();
            reports.push(Report::of(
                &source.version(),
                own.len(),
                &tested,
                &confusion,
                &lengths,
                &prior,
                target,
            ));
            measured.push((tested, confusion));
        }
        let candidates = candidates(&measured, target, &prior);
        let choice = metrics::purest(&candidates, self.min_recall);
        let mut text: String = reports.iter().map(|report| report.text(self.cut)).collect();
        if reports.len() > 1 {
            text += &report::choice(&reports, &candidates, choice, target, self.min_recall);
        }
        Ok(results(text, report::json(&reports, &candidates, choice)))
    }

    /// Counts the texts that identifiers find to be in another language. Returns a table of the
    /// `most` languages that are found most often.
    ///
    /// # Errors
    /// Fails if the texts cannot be read.
    pub fn false_positives(
        &self,
        identifiers: &[IdentifierName],
        most: usize,
    ) -> Result<Results, Failure> {
        let texts = self.texts()?;
        let mut tables = Vec::new();
        for name in identifiers {
            let source = Source::Identifier(self.sources.open(*name)?);
            if let Some(confusion) = source.confusion(&texts, self.joins, self.cut) {
                tables.push(false_positives::results(&source.version(), &confusion, most));
            }
        }
        Ok(joined("false_positives", tables))
    }

    /// Compares the words of models with those of the texts.
    ///
    /// # Errors
    /// Fails if texts or packs cannot be read.
    pub fn audit(&self) -> Result<Results, Failure> {
        let texts = self.texts()?;
        let packs: Vec<Pack> = Pack::shipped()
            .into_iter()
            .chain(langid::open_all(self.sources.packs).map_err(Unopened::from)?)
            .collect();
        let open = || self.sources.open(IdentifierName::Combined);
        let confusion = Source::Identifier(open()?).confusion(&texts, self.joins, self.cut);
        Ok(audit::results(open()?.as_ref(), &packs, &texts, &confusion.unwrap_or_default()))
    }

    /// Measures the recall that the packs take from languages that are known without them. Returns
    /// the table, and whether no language loses too much.
    ///
    /// # Errors
    /// Fails if there is no pack, or texts or packs cannot be read.
    pub fn losses(&self) -> Result<(Results, bool), Failure> {
        if self.sources.packs.is_empty() {
            return Err(Failure::NoPacks);
        }
        let texts = self.texts()?;
        let open =
            |sources: Sources| sources.open(IdentifierName::Combined).map(Source::Identifier);
        let without = open(Sources { packs: &[], ..self.sources })?;
        let with = open(self.sources)?;
        let known = without.languages(self.joins);
        let confusion =
            |source: &Source| source.confusion(&texts, self.joins, self.cut).unwrap_or_default();
        let names = [without.version(), with.version()];
        let names = [names[0].as_str(), names[1].as_str()];
        Ok(losses::table(names, &known, &confusion(&without), &confusion(&with)))
    }

    /// Counts the results that are right by their probability. Returns a table for each identifier.
    ///
    /// # Errors
    /// Fails if the texts cannot be read, or an identifier has no probabilities.
    pub fn calibration(&self, identifiers: &[IdentifierName]) -> Result<Results, Failure> {
        let texts = self.texts()?;
        let mut tables = Vec::new();
        for name in identifiers {
            let identifier = self.sources.open(*name)?;
            let results = calibration::results(identifier.as_ref(), &texts, self.joins, self.cut);
            if results.iter().all(|result| result.probability.is_none()) {
                return Err(Failure::NoProbabilities(*name));
            }
            tables.push(calibration::table(&identifier.version(), &results));
        }
        Ok(joined("calibration", tables))
    }

    /// Measures the error of identifiers in bytes of the target, on pages that mix texts of the
    /// test in two languages. Returns the report.
    ///
    /// # Errors
    /// Fails if texts cannot be read, or the target has none.
    pub fn mixed(
        &self,
        identifiers: &[IdentifierName],
        pages: mixed::Pages,
    ) -> Result<Results, Failure> {
        let texts = self.texts()?;
        let target = self.target(&texts)?.ok_or(Failure::NoTarget)?;
        let mut text = String::new();
        let mut figures = Vec::new();
        let sources = Sources { targets: &[target], ..self.sources };
        for name in identifiers {
            let identifier = sources.open(*name)?;
            let of_target = |paragraphs: &[&str]| -> u64 {
                let (identifier, declared) = (identifier.as_ref(), pages.declared);
                let page = langbytes::segments_of_page(paragraphs, identifier, declared, None);
                let of_target =
                    page.pieces.iter().filter(|piece| self.joins.head(piece.language) == target);
                of_target.map(|piece| piece.text.len() as u64).sum()
            };
            let rows = mixed::rows(&texts, target, pages, of_target);
            text += &mixed::text(&identifier.version(), target, pages, &rows);
            figures.push(json!({
                "identifier": identifier.version(), "target": target.as_str(),
                "declared": pages.declared.map(|code| code.to_string()), "rows": rows,
            }));
        }
        Ok(results(text, json!({ "mixed": figures })))
    }

    /// The language whose result decides the choice. It must have texts.
    fn target(&self, texts: &Texts) -> Result<Option<LangCode>, Failure> {
        match self.target.map(|target| self.joins.head(target)) {
            Some(target) if !texts.contains_key(&target) => Err(Failure::NoTextsOfTarget(target)),
            target => Ok(target),
        }
    }

    /// The texts of the test, by the language that they count as. Warns of the requested
    /// languages that have no texts.
    fn texts(&self) -> Result<Texts, BadTexts> {
        let only = self
            .only
            .map(|only| only.iter().map(|&code| self.joins.head(code)).collect::<BTreeSet<_>>());
        let wanted = |code| only.as_ref().is_none_or(|only| only.contains(&self.joins.head(code)));
        let texts = self.joins.joined(texts::read(self.test, wanted, self.max_bytes)?);
        for &missing in only.iter().flatten().filter(|code| !texts.contains_key(code)) {
            (self.warn)(Warning::NoTexts { folder: self.test.to_owned(), language: missing });
        }
        Ok(texts)
    }

    /// Reads weights, one `code<TAB>weight` on each line. Weights of joined codes are added.
    fn weights(&self, file: &Path, texts: &Texts) -> Result<Prior, Failure> {
        let content = inputs::files::read(file, self.max_bytes).map_err(Failure::Weights)?;
        let content = String::from_utf8_lossy(&content);
        let mut weights: BTreeMap<LangCode, f64> = BTreeMap::new();
        for (number, line) in
            content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
        {
            let bad = |reason| Failure::Weight { file: file.to_owned(), line: number + 1, reason };
            let (code, weight) = line.split_once('\t').ok_or_else(|| bad(BadWeight::NoTab))?;
            let code: LangCode =
                code.parse().map_err(|unknown| bad(BadWeight::Language(unknown)))?;
            let weight =
                weight.trim().parse::<f64>().ok().filter(|weight| (0.0..=1e18).contains(weight));
            *weights.entry(self.joins.head(code)).or_default() +=
                weight.ok_or_else(|| bad(BadWeight::Number))?;
        }
        let without: Vec<LangCode> =
            texts.keys().copied().filter(|code| !weights.contains_key(code)).collect();
        if !without.is_empty() {
            (self.warn)(Warning::NoWeights { file: file.to_owned(), languages: without });
        }
        Ok(Prior::Weights(weights))
    }
}

/// Results with these figures.
fn results(text: String, figures: Value) -> Results {
    Results { text, figures: serde_json::from_value(figures).unwrap_or_default() }
}

/// The results of several identifiers, with an empty line between their tables.
fn joined(key: &str, parts: Vec<Results>) -> Results {
    let (texts, figures): (Vec<String>, Vec<Value>) =
        parts.into_iter().map(|part| (part.text, part.figures.into())).unzip();
    results(texts.join("\n"), json!({ key: figures }))
}

/// Contamination and recall of the target, or their means over the tested languages that all
/// identifiers know. So an identifier gains nothing from knowing fewer languages.
fn candidates(
    measured: &[(BTreeSet<LangCode>, Confusion)],
    target: Option<LangCode>,
    prior: &Prior,
) -> Vec<Candidate> {
    let common = measured
        .iter()
        .map(|(tested, _)| tested.clone())
        .reduce(|a, b| &a & &b)
        .unwrap_or_default();
    let languages = target.map_or(common, |target| [target].into());
    let of = |confusion: &Confusion| Candidate {
        contamination: mean(
            languages.iter().filter_map(|&language| confusion.contamination(language, prior)),
        ),
        recall: mean(languages.iter().filter_map(|&language| confusion.score(language).recall())),
    };
    measured.iter().map(|(_, confusion)| of(confusion)).collect()
}
