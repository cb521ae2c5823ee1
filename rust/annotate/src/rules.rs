//! The rules that a page is marked by.

use crate::classes::{self, Classifier};
use crate::{Answer, WordList};
use evaluation::codes::Joins;
use inputs::corpus::{Fields, Line, Unwritable};
use inputs::exclusions::Without;
use langbytes::{Identify, LangCode, Uniformity};
use langid::Varieties;
use quality::{Limits, Noise, Signals, Splitting};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt;

/// Characters of a page's text in a sample.
const SAMPLE_CHARS: usize = 60;

/// Characters of a page's URL in a sample.
const SAMPLE_URL_CHARS: usize = 200;

/// Reason of a blocked page.
const LISTED: &str = "without";

/// A rule that a page breaks. The order is that of FineWeb-2's pipeline, then that of this list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A limit on a signal.
    Signal(Noise),
    /// Too few letters are in the main script.
    Script,
    /// Too few letters are in lines in the language.
    Consistency,
    /// Too few words are on the word list.
    WordList,
    /// Another identifier names another language, or is not certain.
    SecondOpinion,
    /// The page is of a class that is rejected.
    Class,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(noise) => noise.fmt(f),
            Self::Script => f.pad("script"),
            Self::Consistency => f.pad("consistency"),
            Self::WordList => f.pad("wordlist"),
            Self::SecondOpinion => f.pad("second_opinion"),
            Self::Class => f.pad("class"),
        }
    }
}

/// The rules that pages are measured by.
pub struct Rules {
    /// Limits of signals; without them the signals mark no page.
    pub limits: Option<Limits>,
    /// The model that names the variety of each page, if it is asked for.
    pub varieties: Option<Varieties>,
    /// Models of classes.
    pub classes: Vec<Classifier>,
    /// Stop words of the limits.
    pub stop_words: HashSet<String>,
    /// How the language splits text into words.
    pub splitting: Splitting,
    /// Language of the corpus.
    pub language: LangCode,
    /// Identifies the language of lines.
    pub identifier: Box<dyn Identify>,
    /// Whether the identifier knows the language; otherwise there is no consistency.
    pub is_known: bool,
    /// Smallest share of a page's letters in its main script, from 0 to 1.
    pub min_script: f64,
    /// Smallest share of a page's letters in lines in the language, from 0 to 1.
    pub min_consistency: f64,
    /// Words of the language.
    pub words: Option<WordList>,
    /// Smallest share of a page's words on that list, from 0 to 1.
    pub min_ratio: f64,
    /// Codes that count as the same language, such as `fas` and `pes`.
    pub same: Joins,
    /// Smallest probability of an answer of another identifier.
    pub min_probability: f64,
    /// Pages that are blocked.
    pub without: Option<Without>,
}

/// The result for a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A page that breaks no rule.
    Page,
    /// A page that breaks a rule.
    Noisy,
    /// A page on the exclusion list.
    Blocked,
    /// A record without text, or a rejected one.
    Other,
}

/// A record with its new fields.
#[derive(Debug)]
pub struct Annotated {
    /// The record, with or without a line end.
    pub line: Vec<u8>,
    /// Whether it is a page, and breaks a rule.
    pub kind: Kind,
    /// The rules that it breaks.
    pub broken: Vec<Rule>,
    /// Bytes of its text.
    pub bytes: u64,
    /// URL and start of the text, of a page that breaks a rule.
    pub sample: Option<String>,
    /// URL of a page, if there are models of classes.
    pub url: Option<String>,
    /// For each model of classes, the probability of each class, if the text has enough words.
    pub probabilities: Vec<Option<Vec<f32>>>,
}

/// Measurements of a page, by which the rules decide.
struct Measured<'a> {
    signals: Option<Signals>,
    uniformity: Uniformity,
    /// Share of the words that are on the word list, if there is one.
    ratio: Option<f64>,
    answers: &'a [Answer],
    /// Each model that the text has enough words for, with the class.
    classes: Vec<(&'a Classifier, classes::Found<'a>)>,
}

impl Rules {
    /// Adds the signals of a page to its record, and marks the rules that it breaks.
    ///
    /// # Errors
    /// Fails if the record cannot be written.
    pub fn annotated(
        &self,
        (line, page): Line,
        answers: Vec<Answer>,
    ) -> Result<Annotated, Unwritable> {
        let text = page.text();
        if text.is_empty() {
            return Ok(Annotated {
                line,
                kind: Kind::Other,
                broken: Vec::new(),
                bytes: 0,
                sample: None,
                url: None,
                probabilities: Vec::new(),
            });
        }
        let signals = Signals::of(text, self.splitting, &self.stop_words);
        let uniformity = Uniformity::of(text, self.language, &*self.identifier);
        let ratio = self.words.as_ref().map(|words| words.ratio(text));
        let target = self.same.head(self.language);
        let agrees = |answer: &Answer| {
            self.same.head(answer.language) == target && answer.probability >= self.min_probability
        };
        let noise = self.limits.as_ref().map(|limits| limits.noise(signals.as_ref()));
        let mut broken: Vec<Rule> = noise.into_iter().flatten().map(Rule::Signal).collect();
        let probabilities: Vec<Option<Vec<f32>>> =
            self.classes.iter().map(|of| of.model.probabilities(text)).collect();
        let classes: Vec<_> = self
            .classes
            .iter()
            .zip(&probabilities)
            .filter_map(|(of, found)| Some((of, of.class(found.as_deref()?)?)))
            .collect();
        let more = [
            (Rule::Script, uniformity.script_share < self.min_script),
            (Rule::Consistency, uniformity.consistency < self.min_consistency),
            (Rule::WordList, ratio.is_some_and(|ratio| ratio < self.min_ratio)),
            (Rule::SecondOpinion, !answers.iter().all(agrees)),
            (Rule::Class, classes.iter().any(|(_, found)| found.is_rejected)),
        ];
        broken.extend(more.into_iter().filter_map(|(rule, is_broken)| is_broken.then_some(rule)));
        let is_listed = self
            .without
            .as_ref()
            .is_some_and(|list| page.url.as_deref().is_some_and(|url| list.has(url)));
        let kind = match (is_listed, broken.is_empty()) {
            (true, _) => Kind::Blocked,
            (false, true) => Kind::Page,
            (false, false) => Kind::Noisy,
        };
        let found = Measured { signals, uniformity, ratio, answers: &answers, classes };
        let fields = self.fields(&line, text, found, &broken, is_listed)?;
        let sample = (!broken.is_empty()).then(|| sample(page.url.as_deref(), text));
        let url = page.url.as_ref().filter(|_| !self.classes.is_empty()).cloned();
        let (line, bytes) = (fields.line()?, text.len() as u64);
        Ok(Annotated { line, kind, broken, bytes, sample, url, probabilities })
    }

    /// The fields of a record with what was found, and with the rules that the page breaks.
    fn fields(
        &self,
        line: &[u8],
        text: &str,
        found: Measured,
        broken: &[Rule],
        is_listed: bool,
    ) -> Result<Fields, Unwritable> {
        let mut fields = Fields::of(line)?;
        put(&mut fields, "quality", &found.signals)?;
        put(&mut fields, "language_script", found.uniformity.script)?;
        put(&mut fields, "script_percentage", &rounded(found.uniformity.script_share))?;
        if self.is_known {
            put(&mut fields, "identification_consistency", &rounded(found.uniformity.consistency))?;
        }
        if let Some(ratio) = found.ratio {
            put(&mut fields, "wordlist_ratio", &rounded(ratio))?;
        }
        if !found.answers.is_empty() {
            put(
                &mut fields,
                "opinions",
                &found.answers.iter().map(|answer| answer.language.as_str()).collect::<Vec<_>>(),
            )?;
        }
        if let Some(model) = &self.varieties {
            let variety = model.identify(text);
            put(&mut fields, "variety", variety.name)?;
            put(&mut fields, "variety_score", &rounded(variety.score.into()))?;
        }
        if !found.classes.is_empty() {
            let known = fields.get("classes").and_then(|names| serde_json::from_str(names).ok());
            let mut names: Vec<String> = known.unwrap_or_default();
            for (of, class) in found.classes {
                put(&mut fields, &of.field, class.class)?;
                put(&mut fields, &format!("{}_score", of.field), &rounded(class.score.into()))?;
                if !names.contains(&of.field) {
                    names.push(of.field.clone());
                }
            }
            put(&mut fields, "classes", &names)?;
        }
        let reasons: Vec<String> = broken.iter().map(Rule::to_string).collect();
        put_reasons(&mut fields, "noise", &reasons)?;
        put_reasons(&mut fields, "blocked", if is_listed { &[LISTED] } else { &[] as &[&str] })?;
        Ok(fields)
    }
}

/// A share with four decimals, rounded down, so that it is under the same limits as before.
fn rounded(share: f64) -> f64 {
    (share * 1e4).floor() / 1e4
}

fn put(
    fields: &mut Fields,
    name: &str,
    value: &(impl Serialize + ?Sized),
) -> Result<(), Unwritable> {
    if !fields.set(name, value)? {
        fields.add(name, value)?;
    }
    Ok(())
}

/// Adds a field if there are reasons. A record may have been annotated before, by other rules.
fn put_reasons(
    fields: &mut Fields,
    name: &str,
    reasons: &[impl Serialize],
) -> Result<(), Unwritable> {
    if !reasons.is_empty() || fields.get(name).is_some() {
        put(fields, name, reasons)?;
    }
    Ok(())
}

/// Returns the beginnings of a page's address and text, for a table of examples.
fn sample(url: Option<&str>, text: &str) -> String {
    let url = url.unwrap_or("(no URL)");
    format!("{}  {}", beginning(url, SAMPLE_URL_CHARS), beginning(text, SAMPLE_CHARS))
}

/// The beginning of a text from a page, without characters that could steer the terminal.
fn beginning(text: &str, chars: usize) -> String {
    text.chars().take(chars).map(|c| if render::tsv::is_control(c) { ' ' } else { c }).collect()
}
