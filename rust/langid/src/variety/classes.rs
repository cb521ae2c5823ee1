//! Classes of pages, such as topics, genres, spam or grades of quality, learned from labelled
//! texts.
//!
//! The regression and its features are those of varieties, on the first [`CLASS_WORDS`] words.
//! Classes have the weight of their number of texts. The probabilities are calibrated: they are
//! those of the regression to the power of 1 / temperature, with the temperature that makes the
//! labels of texts which a model has not seen most likely (Guo and others 2017).
//!
//! A file has `CRPLCLAS`, the version of the format (u32) and a CRC-32 of what follows: the
//! temperature (f32), and the model as in a file of varieties, with the language `und`.

use super::features::Extractor;
use super::train::{fitted, scripts, Line};
use super::{read_file, seal, softmax, Bytes, Class, Varieties, CHECKED, MAX_TEXT};
use super::{MAX_VARIETIES, MIN_WORDS};
use crate::failure::{BadPack, Invalid};
use crate::identify::floor_char_boundary;
use crate::words::Scripts;
use crate::LangCode;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Number of words that are read of a text: the first ones in the scripts of the model.
pub const CLASS_WORDS: usize = 300;

/// Least number of texts with three words that a class needs.
pub const MIN_CLASS_TEXTS: usize = 10;

/// Most texts of a class that are used. Of more texts, every n-th is used.
const MAX_TEXTS: usize = 5_000;

/// Parts of the texts of the cross-validation.
const FOLDS: usize = 5;

/// Confidences whose texts are counted in the cross-validation.
const CONFIDENCES: [f32; 4] = [0.5, 0.7, 0.8, 0.9];

/// Longest name of a class, in bytes.
const MAX_NAME: usize = 64;

const MAGIC: &[u8; 8] = b"CRPLCLAS";

/// Name of such a file in messages.
const KIND: &str = "class model";
const FORMAT: u32 = 1;

/// A model of the classes of pages.
#[derive(Debug, Clone, PartialEq)]
pub struct Classes {
    model: Varieties,
    temperature: f32,
}

/// A text with its class.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    /// The class: up to 64 bytes without control characters.
    pub class: &'a str,
    /// The host of the text, or another name that related texts share; empty if none is known.
    /// Texts of a group are all learned from, or all tested.
    pub group: &'a str,
    /// The text.
    pub text: &'a str,
}

/// Result of the cross-validation: each text was classified by a model that has not seen it, nor
/// another text of its group.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// Texts that were used.
    pub texts: usize,
    /// Texts whose class was found.
    pub right: usize,
    /// Groups of texts; each text without a group is one.
    pub groups: usize,
    /// Texts with fewer than three words, which were not used.
    pub short: usize,
    /// Mean distance between confidence and share of right texts, over ten equal ranges of the
    /// confidence (expected calibration error), from 0 to 1.
    pub calibration_error: f64,
    /// Figures of each class, by name.
    pub classes: Vec<ClassFigures>,
    /// Texts by least confidence, of .5, .7, .8 and .9.
    pub confident: Vec<Confident>,
}

/// Figures of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassFigures {
    /// Its name.
    pub name: String,
    /// Texts of the class.
    pub texts: usize,
    /// Texts that were found to be of the class.
    pub found: usize,
    /// Texts of both.
    pub right: usize,
}

/// Texts whose class was found with some confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confident {
    /// The least probability of the best class.
    pub least: f32,
    /// Texts with it.
    pub texts: usize,
    /// Those of them whose class is right.
    pub right: usize,
}

impl Classes {
    /// Reads a model file.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a valid model. The message is one sentence with
    /// the file's name.
    pub fn open(path: &Path) -> Result<Self, BadPack> {
        let model = read_file(path).and_then(|bytes| Self::read(&bytes));
        model.map_err(|reason| BadPack::invalid(KIND, Some(path), reason))
    }

    /// Reads a model from memory.
    ///
    /// # Errors
    /// Fails if the bytes are not a valid model. The message is one sentence.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, BadPack> {
        Self::read(bytes).map_err(|reason| BadPack::invalid(KIND, None, reason))
    }

    /// The names of the classes with the number of texts that each was learned from.
    pub fn names(&self) -> impl Iterator<Item = (&str, u32)> {
        self.model.names()
    }

    /// Returns the probability of each class, in the order of [`Classes::names`]; `None` for text
    /// with fewer than three words in the scripts of the model. Time and memory do not depend on
    /// what follows the first 64 KiB.
    pub fn probabilities(&self, text: &str) -> Option<Vec<f32>> {
        let mut costs = self.model.costs(text, CLASS_WORDS)?;
        costs.iter_mut().for_each(|cost| *cost /= self.temperature);
        softmax(&mut costs);
        Some(costs)
    }

    fn read(bytes: &[u8]) -> Result<Self, Invalid> {
        let mut rest = Bytes(bytes);
        if rest.take(8) != Some(MAGIC) {
            return Err(Invalid::Other { what: KIND, by: "train --classes" });
        }
        let format = rest.number().ok_or(Invalid::Parts)?;
        if format != FORMAT {
            return Err(Invalid::Format(format, FORMAT));
        }
        if rest.number() != Some(crc32fast::hash(bytes.get(CHECKED..).unwrap_or_default())) {
            return Err(Invalid::Checksum);
        }
        let temperature = rest.real().filter(|temperature| *temperature > 0.0);
        let model = Varieties::parts(&mut rest).filter(|_| rest.0.is_empty());
        let (temperature, model) = temperature.zip(model).ok_or(Invalid::Parts)?;
        match model.classes.iter().all(|class| is_name(&class.name)) {
            true => Ok(Self { model, temperature }),
            false => Err(Invalid::Parts),
        }
    }
}

/// Whether a text can be the name of a class.
fn is_name(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len()) && !name.contains(char::is_control)
}

/// Returns the bytes of a model file, and the result of a cross-validation in five parts. The same
/// texts in the same order give the same bytes.
///
/// # Errors
/// Fails if there are fewer than 2 or more than 64 classes, a name is not allowed, or a class has
/// fewer than [`MIN_CLASS_TEXTS`] texts with three words. The message is one sentence.
pub fn train_classes(texts: &[Labelled]) -> Result<(Vec<u8>, Validation), BadPack> {
    let of_class = by_class(texts)?;
    let scripts = scripts(of_class.values().flatten().map(|text| text.text));
    let set: Scripts = scripts.iter().copied().collect();
    let mut extractor = Extractor::new(set, CLASS_WORDS);
    let (mut lines, mut groups, mut classes, mut short) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for (number, (name, of_class)) in of_class.iter().enumerate() {
        let before = lines.len();
        let step = of_class.len().div_ceil(MAX_TEXTS).max(1);
        for labelled in of_class.iter().step_by(step) {
            let text = &labelled.text[..floor_char_boundary(labelled.text, MAX_TEXT)];
            if extractor.read(text) < MIN_WORDS {
                short += 1;
                continue;
            }
            lines.push(Line { class: number, features: extractor.features() });
            groups.push(labelled.group);
        }
        let found = lines.len() - before;
        if found < MIN_CLASS_TEXTS {
            let (class, words) = ((*name).to_owned(), MIN_WORDS);
            return Err(BadPack::ClassTexts { class, found, words, needed: MIN_CLASS_TEXTS });
        }
        classes.push(Class { name: (*name).to_owned(), lines: found as u32, bias: 0.0 });
    }
    let (folds, groups) = folds(&lines, &groups, classes.len());
    let model =
        |lines| fitted(LangCode::UND, set, classes.clone(), lines, &vec![1.0; classes.len()]);
    let unseen = unseen(&lines, &folds, model);
    let temperature = temperature(&unseen);
    let names: Vec<String> = classes.iter().map(|class| class.name.clone()).collect();
    let validation = Validation { groups, short, ..validation(unseen, temperature, names) };
    let mut data = MAGIC.to_vec();
    data.extend(FORMAT.to_le_bytes());
    data.extend([0; 4]);
    data.extend(temperature.to_le_bytes());
    model(lines).write_parts(&scripts, &mut data);
    Ok((seal(data), validation))
}

/// Returns the texts of each class, by its name.
///
/// # Errors
/// Fails if a name is not allowed, or there are too few or too many classes.
fn by_class<'t>(
    texts: &'t [Labelled<'t>],
) -> Result<BTreeMap<&'t str, Vec<&'t Labelled<'t>>>, BadPack> {
    let mut of_class: BTreeMap<&str, Vec<&Labelled>> = BTreeMap::new();
    for text in texts {
        if !is_name(text.class) {
            let name = text.class.chars().take(40).collect();
            return Err(BadPack::ClassName { name, most: MAX_NAME });
        }
        of_class.entry(text.class).or_default().push(text);
    }
    if !(2..=MAX_VARIETIES).contains(&of_class.len()) {
        return Err(BadPack::Classes { found: of_class.len(), most: MAX_VARIETIES });
    }
    Ok(of_class)
}

/// Returns the class of each line and its costs by a model of the lines in the other parts.
fn unseen(
    lines: &[Line],
    folds: &[usize],
    model: impl Fn(Vec<Line>) -> Varieties,
) -> Vec<(usize, Vec<f32>)> {
    let mut unseen = Vec::new();
    for fold in 0..FOLDS {
        let part = |is_tested: bool| {
            let lines = lines.iter().zip(folds);
            lines.filter(move |(_, of)| (**of == fold) == is_tested).map(|(line, _)| line)
        };
        if part(true).next().is_none() {
            continue;
        }
        let model = model(part(false).cloned().collect());
        unseen.extend(part(true).map(|line| (line.class, model.costs_of(&line.features))));
    }
    unseen
}

/// Returns the part of each line, and the number of groups. The lines of a group are in one part.
/// Each group, the largest first, goes where its most frequent class has fewest lines.
fn folds(lines: &[Line], groups: &[&str], classes: usize) -> (Vec<usize>, usize) {
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (line, group) in groups.iter().enumerate() {
        let next = members.len();
        let number = if group.is_empty() { next } else { *numbers.entry(group).or_insert(next) };
        if number == next {
            members.push(Vec::new());
        }
        members[number].push(line);
    }
    let count = members.len();
    members.sort_by_key(|lines| std::cmp::Reverse(lines.len()));
    let mut of_class = vec![[0usize; FOLDS]; classes];
    let mut sizes = [0usize; FOLDS];
    let mut folds = vec![0; lines.len()];
    for members in members {
        let mut counts = vec![0usize; classes];
        members.iter().for_each(|&line| counts[lines[line].class] += 1);
        let most = (0..classes).rev().max_by_key(|&class| counts[class]).unwrap_or_default();
        let fold = (0..FOLDS).min_by_key(|&fold| (of_class[most][fold], sizes[fold]));
        let fold = fold.unwrap_or_default();
        for line in members {
            of_class[lines[line].class][fold] += 1;
            sizes[fold] += 1;
            folds[line] = fold;
        }
    }
    (folds, count)
}

/// The probabilities of classes at a temperature.
fn at(costs: &[f32], temperature: f32) -> Vec<f32> {
    let mut costs: Vec<f32> = costs.iter().map(|cost| cost / temperature).collect();
    softmax(&mut costs);
    costs
}

/// Returns the temperature, from .02 to 50, at which the right classes are most likely. The loss
/// has one minimum in it (golden-section search on its logarithm). As in Platt's method (1999), one
/// text more than there are counts as wrong, so that few texts that are all right give no
/// certainty.
fn temperature(unseen: &[(usize, Vec<f32>)]) -> f32 {
    let wrong = 1.0 / (unseen.len() as f64 + 2.0);
    let loss = |log: f32| -> f64 {
        let of = |(class, costs): &(usize, Vec<f32>)| {
            let probabilities = at(costs, log.exp());
            let surprise = |probability: f32| -f64::from(probability.max(1e-30).ln());
            let all: f64 = probabilities.iter().map(|&one| surprise(one)).sum();
            let right = surprise(probabilities[*class]);
            right * (1.0 - wrong) + (all - right) * wrong / (costs.len() - 1) as f64
        };
        unseen.iter().map(of).sum()
    };
    let golden = (5f32.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (0.02f32.ln(), 50f32.ln());
    while high - low > 0.01 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if loss(left) <= loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    ((low + high) / 2.0).exp()
}

fn validation(unseen: Vec<(usize, Vec<f32>)>, temperature: f32, names: Vec<String>) -> Validation {
    let figures = |name| ClassFigures { name, texts: 0, found: 0, right: 0 };
    let mut classes: Vec<ClassFigures> = names.into_iter().map(figures).collect();
    let mut confident = CONFIDENCES.map(|least| Confident { least, texts: 0, right: 0 });
    // Of each range of the confidence: the sum of confidences, and the number of right texts.
    let mut ranges = [(0f64, 0u32); 10];
    let texts = unseen.len();
    let mut right = 0;
    for (class, costs) in unseen {
        let probabilities = at(&costs, temperature);
        let best = (0..probabilities.len())
            .rev()
            .max_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]))
            .unwrap_or_default();
        let (score, is_right) = (probabilities[best], best == class);
        classes[class].texts += 1;
        classes[best].found += 1;
        classes[class].right += usize::from(is_right);
        right += usize::from(is_right);
        for of in confident.iter_mut().filter(|of| score >= of.least) {
            of.texts += 1;
            of.right += usize::from(is_right);
        }
        let range = &mut ranges[((score * 10.0) as usize).min(9)];
        range.0 += f64::from(score);
        range.1 += u32::from(is_right);
    }
    let distance: f64 = ranges.iter().map(|(sum, right)| (sum - f64::from(*right)).abs()).sum();
    Validation {
        texts,
        right,
        groups: 0,
        short: 0,
        calibration_error: distance / texts.max(1) as f64,
        classes,
        confident: confident.to_vec(),
    }
}
