//! Evaluation of language identifiers on texts with a known language.

mod audit;
mod calibration;
pub mod codes;
mod cut;
mod false_positives;
mod losses;
mod metrics;
mod mixed;
mod overlap;
mod report;
mod source;

use crate::identifier;
use crate::io::output::Place;
use crate::io::texts::{self, Texts};
use crate::io::{input, of_option};
use anyhow::{anyhow, bail, Result};
use codes::Joins;
pub use cut::Cut;
use langid::{LangCode, Pack};
use metrics::{mean, Candidate, Confusion, Prior};
use report::Report;
use source::{Source, LANGUAGES};
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

/// An evaluation.
pub struct Evaluation<'a> {
    /// Folder with a file of texts for each language.
    pub test: &'a Path,
    /// Sources of the identifiers' tables.
    pub sources: identifier::Sources<'a>,
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
    /// File for all figures as JSON.
    pub json: Option<&'a Place>,
    /// Longest file that is read, in bytes.
    pub max_bytes: u64,
}

impl Evaluation<'_> {
    /// The files that are read, except the packs.
    ///
    /// # Errors
    /// Fails if a folder cannot be read.
    pub fn inputs(&self, answers: &[PathBuf]) -> Result<Vec<PathBuf>> {
        let mut files: Vec<PathBuf> = answers.iter().map(|folder| folder.join(LANGUAGES)).collect();
        files.extend(self.prior.map(Path::to_owned));
        let folders = [self.test].into_iter().chain(self.sources.train);
        for folder in folders.chain(answers.iter().map(PathBuf::as_path)) {
            files.extend(texts::files(folder)?);
        }
        Ok(files)
    }

    /// Counts the texts that occur in training text: a file or a folder with a file or a folder for
    /// each language. Returns the table.
    ///
    /// # Errors
    /// Fails if the texts cannot be read.
    pub fn overlap(&self, training: &Path) -> Result<String> {
        let read = || {
            let files = inputs::training::files(training)?;
            inputs::training::by_language(training, &files, None, self.max_bytes, None)
                .map(|(texts, _)| texts)
        };
        // That reader names the option of `train`.
        let read = read().map_err(|bad| {
            let said = bad.to_string();
            inputs::BadInput::new(said.strip_suffix(" (--text)").unwrap_or(&said))
        });
        Ok(overlap::table(&self.texts()?, &of_option(read, "--overlap")?))
    }

    /// Evaluates identifiers and the results of other programs. Returns the report.
    ///
    /// # Errors
    /// Fails if texts, answers or weights cannot be read, or the JSON cannot be written.
    pub fn run(&self, identifiers: &[identifier::Name], answers: &[PathBuf]) -> Result<String> {
        let texts = self.texts()?;
        let prior = self.prior.map_or(Ok(Prior::Uniform), |file| self.weights(file, &texts))?;
        let target = self.target(&texts)?;
        let mut reports = Vec::new();
        let mut measured = Vec::new();
        let opened = identifiers.iter().map(|name| name.open(self.sources).map(Source::Identifier));
        let read =
            answers.iter().map(|folder| Source::read(folder, self.joins, &texts, self.max_bytes));
        for source in opened.chain(read) {
            let source = source?;
            let own = source.languages(self.joins);
            let tested = own.iter().copied().filter(|code| texts.contains_key(code)).collect();
            let of = |cut| source.confusion(&texts, self.joins, cut);
            let Some(confusion) = of(self.cut) else {
                bail!(
                    "{}: results of other programs are for whole texts; omit --words and --chars",
                    source.version()
                );
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
        self.write_json(&report::json(&reports, &candidates, choice))?;
        let mut text: String = reports.iter().map(|report| report.text(self.cut)).collect();
        if reports.len() > 1 {
            text += &report::choice(&reports, &candidates, choice, target, self.min_recall);
        }
        Ok(text)
    }

    /// Counts the texts that identifiers find to be in another language. Returns a table of the
    /// `most` languages that are found most often.
    ///
    /// # Errors
    /// Fails if the texts cannot be read.
    pub fn false_positives(&self, identifiers: &[identifier::Name], most: usize) -> Result<String> {
        let texts = self.texts()?;
        let mut tables = Vec::new();
        for name in identifiers {
            let source = Source::Identifier(name.open(self.sources)?);
            if let Some(confusion) = source.confusion(&texts, self.joins, self.cut) {
                tables.push(false_positives::table(&source.version(), &confusion, most));
            }
        }
        Ok(tables.join("\n"))
    }

    /// Compares the words of models with those of the texts. Returns the table.
    ///
    /// # Errors
    /// Fails if texts or packs cannot be read.
    pub fn audit(&self) -> Result<String> {
        let texts = self.texts()?;
        let packs: Vec<Pack> =
            Pack::shipped().into_iter().chain(langid::open_all(self.sources.packs)?).collect();
        let open = || identifier::Name::Combined.open(self.sources);
        let confusion = Source::Identifier(open()?).confusion(&texts, self.joins, self.cut);
        Ok(audit::table(open()?.as_ref(), &packs, &texts, &confusion.unwrap_or_default()))
    }

    /// Measures the recall that the packs take from languages that are known without them. Returns
    /// the table, and whether no language loses too much.
    ///
    /// # Errors
    /// Fails if there is no pack, or texts or packs cannot be read.
    pub fn losses(&self) -> Result<(String, bool)> {
        if self.sources.packs.is_empty() {
            return Err(misuse!("--losses needs the packs to compare with the library (--pack)"));
        }
        let texts = self.texts()?;
        let open = |sources| identifier::Name::Combined.open(sources).map(Source::Identifier);
        let without = open(identifier::Sources { packs: &[], ..self.sources })?;
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
    pub fn calibration(&self, identifiers: &[identifier::Name]) -> Result<String> {
        let texts = self.texts()?;
        let mut tables = Vec::new();
        for name in identifiers {
            let identifier = name.open(self.sources)?;
            let results = calibration::results(identifier.as_ref(), &texts, self.joins, self.cut);
            if results.iter().all(|result| result.probability.is_none()) {
                bail!("identifier `{name}` has no probabilities; `combined` has");
            }
            tables.push(calibration::table(&identifier.version(), &results));
        }
        Ok(tables.join("\n"))
    }

    /// Measures the error of identifiers in bytes of the target, on pages that mix texts of the
    /// test in two languages. Returns the report.
    ///
    /// # Errors
    /// Fails if texts cannot be read, the target has none, or the JSON cannot be written.
    pub fn mixed(&self, identifiers: &[identifier::Name], pages: u64, seed: u64) -> Result<String> {
        let texts = self.texts()?;
        let target = self
            .target(&texts)?
            .ok_or_else(|| anyhow!("--mixed needs the language to count (--target)"))?;
        let mut text = String::new();
        let mut figures = Vec::new();
        let sources = identifier::Sources { target: Some(target), ..self.sources };
        for name in identifiers {
            let identifier = name.open(sources)?;
            let of_target = |paragraphs: &[&str]| -> u64 {
                let pieces = langbytes::segments(paragraphs, identifier.as_ref(), None).pieces;
                let pieces =
                    pieces.iter().filter(|piece| self.joins.head(piece.language) == target);
                pieces.map(|piece| piece.text.len() as u64).sum()
            };
            let rows = mixed::rows(&texts, target, pages, seed, of_target);
            text += &mixed::text(&identifier.version(), target, pages, &rows);
            figures
                .push(serde_json::json!({"identifier": identifier.version(), "target": target.as_str(), "rows": rows}));
        }
        self.write_json(&serde_json::json!({"mixed": figures}))?;
        Ok(text)
    }

    /// The language whose result decides the choice. It must have texts.
    fn target(&self, texts: &Texts) -> Result<Option<LangCode>> {
        match self.target.map(|target| self.joins.head(target)) {
            Some(target) if !texts.contains_key(&target) => {
                Err(anyhow!("--target is `{target}` ({}), which has no texts", target.name()))
            }
            target => Ok(target),
        }
    }

    /// The texts of the test, by the language that they count as. Prints the requested languages
    /// that have no texts.
    fn texts(&self) -> Result<Texts> {
        let only = self
            .only
            .map(|only| only.iter().map(|&code| self.joins.head(code)).collect::<BTreeSet<_>>());
        let wanted = |code| only.as_ref().is_none_or(|only| only.contains(&self.joins.head(code)));
        let texts = self.joins.joined(texts::read(self.test, wanted, self.max_bytes)?);
        for missing in only.iter().flatten().filter(|code| !texts.contains_key(code)) {
            eprintln!(
                "corpulyzer: {}: no texts in {missing} ({})",
                self.test.display(),
                missing.name()
            );
        }
        Ok(texts)
    }

    /// Writes the figures as JSON if there is a file for them.
    fn write_json(&self, figures: &serde_json::Value) -> Result<()> {
        let Some(place) = self.json else { return Ok(()) };
        let json =
            serde_json::to_string_pretty(figures).map_err(|error| anyhow!("report: {error}"))?;
        place.write((json + "\n").as_bytes())
    }

    /// Reads weights, one `code<TAB>weight` on each line. Weights of joined codes are added.
    fn weights(&self, file: &Path, texts: &Texts) -> Result<Prior> {
        let content = of_option(input::read(file, self.max_bytes), "--prior")?;
        let content = String::from_utf8_lossy(&content);
        let mut weights: BTreeMap<LangCode, f64> = BTreeMap::new();
        for (number, line) in
            content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
        {
            let named = |reason: &str| anyhow!("{}: line {}: {reason}", file.display(), number + 1);
            let (code, weight) =
                line.split_once('\t').ok_or_else(|| named("is not like `urd<TAB>0.5`"))?;
            let code: LangCode = code
                .parse()
                .map_err(|unknown: langid::UnknownLanguage| named(&unknown.to_string()))?;
            let weight =
                weight.trim().parse::<f64>().ok().filter(|weight| (0.0..=1e18).contains(weight));
            *weights.entry(self.joins.head(code)).or_default() +=
                weight.ok_or_else(|| named("the weight is no number from 0 to 1e18"))?;
        }
        let without: Vec<&str> =
            texts.keys().filter(|code| !weights.contains_key(code)).map(LangCode::as_str).collect();
        if !without.is_empty() {
            eprintln!(
                "corpulyzer: {}: no weight, taken as 0: {}",
                file.display(),
                without.join(" ")
            );
        }
        Ok(Prior::Weights(weights))
    }
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
