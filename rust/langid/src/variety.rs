//! Varieties of one language: the dialect or standard that a page is written in.
//!
//! Method of ArabicWeb16 (Suwaileh et al., 2016): a classifier reads the first
//! [`VARIETY_WORDS`] words of a page, and the page has no variety if the best probability is below
//! [`MIN_VARIETY_SCORE`]. The classifier is a multinomial logistic regression on words and on
//! sequences of 2 to 5 characters inside words. Sequences across words gained nothing.
//!
//! A model file belongs to one language. All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | `CRPLVARS` |
//! | 8..12 | version of the format, 1 |
//! | 12..16 | CRC-32 of everything from byte 16 on |
//! | 16..19 | language, ISO 639-3 |
//! | 19 | number of varieties V, 2 to 64 |
//! | 20 | number of scripts S, 1 to 8 |
//! | 21..24 | zero |
//! | 24..28 | number of features F, at most 1,000,000 |
//! | 28..32 | weight of one step of the weights (f32) |
//! | then | S scripts of four letters (ISO 15924) |
//! | then | V times: length of the name (u8), name, lines of the training text (u32), bias (f32) |
//! | then | F hashes of features (u32), in ascending order |
//! | then | F times V weights (i8), in steps |

mod classes;
mod features;
mod train;

pub use classes::{
    train_classes, ClassFigures, Classes, Confident, Labelled, Validation, CLASS_WORDS,
    MIN_CLASS_TEXTS,
};

pub use train::{train_varieties, VarietyText, MIN_VARIETY_LINES};

use crate::failure::{BadPack, Invalid};
use crate::identify::floor_char_boundary;
use crate::words::{Script, Scripts};
use crate::LangCode;
use features::Extractor;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// Number of words that are read of a text: the first ones in the scripts of the model.
pub const VARIETY_WORDS: usize = 150;

/// Smallest probability of a variety. Text below it has none.
pub const MIN_VARIETY_SCORE: f32 = 0.5;

/// Name of the result for text that has no variety, as in the identification of languages.
pub const NO_VARIETY: &str = "und";

/// Most bytes that are searched for the first [`VARIETY_WORDS`] words.
const MAX_TEXT: usize = 64 << 10;

/// Least words of a text in the scripts of the model. Shorter text has no variety.
const MIN_WORDS: usize = 3;

const MAGIC: &[u8; 8] = b"CRPLVARS";

/// Name of such a file in messages.
const KIND: &str = "variety model";
const FORMAT: u32 = 1;
/// Start of the bytes with a checksum.
const CHECKED: usize = 16;
/// Most varieties of a model.
const MAX_VARIETIES: usize = 64;
/// Most scripts of a model.
const MAX_SCRIPTS: usize = 8;
/// Most features of a model.
const MAX_FEATURES: usize = 1_000_000;
/// Longest name of a variety, in bytes.
const MAX_NAME: usize = 32;
/// Largest model file, in bytes.
const MAX_FILE: u64 = 128 << 20;

/// The variety of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Variety<'a> {
    /// Its name; [`NO_VARIETY`] if the score is below [`MIN_VARIETY_SCORE`] or the text has fewer
    /// than three words in the scripts of the model.
    pub name: &'a str,
    /// Probability of the most likely variety, from 0 to 1; 0 for text with fewer than three words.
    pub score: f32,
}

/// A variety in a model.
#[derive(Debug, Clone, PartialEq)]
struct Class {
    name: String,
    /// Lines of its training text.
    lines: u32,
    bias: f32,
}

/// A model of the varieties of one language.
#[derive(Debug, Clone, PartialEq)]
pub struct Varieties {
    language: LangCode,
    scripts: Scripts,
    classes: Vec<Class>,
    step: f32,
    keys: Vec<u32>,
    /// The weights of each feature for all classes, in steps.
    weights: Vec<i8>,
}

impl Varieties {
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

    /// Returns the models that come with the program: that of Arabic. `models/README.md` lists
    /// their training texts.
    pub fn shipped() -> &'static [Self] {
        static SHIPPED: OnceLock<Vec<Varieties>> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            // A test reads it, so this only fails if the program's image is damaged.
            Self::read(include_bytes!("../models/arabic.varieties")).into_iter().collect()
        })
    }

    /// The language whose varieties these are.
    pub fn language(&self) -> LangCode {
        self.language
    }

    /// The names of the varieties with the number of lines that each was trained from.
    pub fn names(&self) -> impl Iterator<Item = (&str, u32)> {
        self.classes.iter().map(|class| (class.name.as_str(), class.lines))
    }

    /// Returns the variety of a text by its first [`VARIETY_WORDS`] words in the scripts of the
    /// model, within the first 64 KiB. Time and memory do not depend on the rest of the text.
    ///
    /// The result is meaningful for text in the model's language only: text in another language of
    /// the script may be given a variety.
    pub fn identify(&self, text: &str) -> Variety<'_> {
        let none = |score| Variety { name: NO_VARIETY, score };
        let Some(mut costs) = self.costs(text, VARIETY_WORDS) else { return none(0.0) };
        softmax(&mut costs);
        let best = self.classes.iter().zip(&costs).max_by(|a, b| a.1.total_cmp(b.1));
        match best {
            Some((class, &score)) if score >= MIN_VARIETY_SCORE => {
                Variety { name: &class.name, score }
            }
            Some((_, &score)) => none(score),
            None => none(0.0),
        }
    }

    /// Returns the logarithm of each class's probability, up to a constant, by the first words of a
    /// text; `None` if it has fewer than three in the scripts of the model.
    fn costs(&self, text: &str, words: usize) -> Option<Vec<f32>> {
        let mut extractor = Extractor::new(self.scripts, words);
        let text = &text[..floor_char_boundary(text, MAX_TEXT)];
        (extractor.read(text) >= MIN_WORDS).then(|| self.costs_of(&extractor.features()))
    }

    /// As [`Varieties::costs`], by the features of a text.
    fn costs_of(&self, features: &[(u32, f32)]) -> Vec<f32> {
        let mut costs: Vec<f32> = self.classes.iter().map(|class| class.bias).collect();
        let count = self.classes.len();
        for (key, value) in features {
            let Ok(at) = self.keys.binary_search(key) else { continue };
            let weights = self.weights.get(at * count..).unwrap_or_default();
            for (cost, weight) in costs.iter_mut().zip(weights) {
                *cost += value * f32::from(*weight) * self.step;
            }
        }
        costs
    }

    fn read(bytes: &[u8]) -> Result<Self, Invalid> {
        let mut rest = Bytes(bytes);
        if rest.take(8) != Some(MAGIC) {
            return Err(Invalid::Other { what: KIND, by: "train --varieties" });
        }
        let format = rest.number().ok_or(Invalid::Parts)?;
        if format != FORMAT {
            return Err(Invalid::Format(format, FORMAT));
        }
        let checksum = rest.number().ok_or(Invalid::Parts)?;
        if crc32fast::hash(&bytes[CHECKED..]) != checksum {
            return Err(Invalid::Checksum);
        }
        Self::parts(&mut rest)
            .filter(|model| {
                let mut names = model.classes.iter().map(|class| &class.name);
                rest.0.is_empty()
                    && model.language != LangCode::UND
                    && names.all(|name| is_variety_name(name))
            })
            .ok_or(Invalid::Parts)
    }

    /// Reads everything after the checksum.
    fn parts(rest: &mut Bytes) -> Option<Self> {
        let language: LangCode = std::str::from_utf8(rest.take(3)?).ok()?.parse().ok()?;
        let [count, scripts, ..] = *rest.take(5)?.first_chunk::<5>()?;
        let (count, features) = (usize::from(count), rest.number()? as usize);
        let step = rest.real()?;
        let is_valid = (2..=MAX_VARIETIES).contains(&count)
            && (1..=MAX_SCRIPTS).contains(&usize::from(scripts))
            && features <= MAX_FEATURES;
        if !is_valid {
            return None;
        }
        let mut script = || Script::of_tag(std::str::from_utf8(rest.take(4)?).ok()?);
        let scripts = (0..scripts).map(|_| script()).collect::<Option<Scripts>>()?;
        let mut class = || {
            let length = usize::from(*rest.take(1)?.first()?);
            let name = std::str::from_utf8(rest.take(length)?).ok()?.to_owned();
            let (lines, bias) = (rest.number()?, rest.real()?);
            Some(Class { name, lines, bias })
        };
        let classes = (0..count).map(|_| class()).collect::<Option<Vec<_>>>()?;
        let keys: Vec<u32> = rest
            .take(features * 4)?
            .chunks_exact(4)
            .filter_map(|key| key.first_chunk().map(|key| u32::from_le_bytes(*key)))
            .collect();
        let weights: Vec<i8> =
            rest.take(features * count)?.iter().map(|&byte| byte.cast_signed()).collect();
        let is_sorted = keys.is_sorted_by(|a, b| a < b);
        is_sorted.then_some(Self { language, scripts, classes, step, keys, weights })
    }

    /// Returns the bytes of a model file. `scripts` are the model's scripts.
    fn write(&self, scripts: &[Script]) -> Vec<u8> {
        let mut data = MAGIC.to_vec();
        data.extend(FORMAT.to_le_bytes());
        data.extend([0; 4]);
        self.write_parts(scripts, &mut data);
        seal(data)
    }

    /// Writes everything after the checksum.
    fn write_parts(&self, scripts: &[Script], data: &mut Vec<u8>) {
        data.extend(self.language.as_str().as_bytes());
        // The training has checked that both fit.
        data.extend([self.classes.len() as u8, scripts.len() as u8, 0, 0, 0]);
        data.extend((self.keys.len() as u32).to_le_bytes());
        data.extend(self.step.to_le_bytes());
        scripts.iter().for_each(|script| data.extend(script.tag().as_bytes()));
        for Class { name, lines, bias } in &self.classes {
            data.push(name.len() as u8);
            data.extend(name.as_bytes());
            data.extend(lines.to_le_bytes());
            data.extend(bias.to_le_bytes());
        }
        self.keys.iter().for_each(|key| data.extend(key.to_le_bytes()));
        data.extend(self.weights.iter().map(|weight| weight.cast_unsigned()));
    }
}

/// Returns whether a text can be the name of a variety: up to 32 ASCII letters, digits, `-` and
/// `_`, and not [`NO_VARIETY`].
pub fn is_variety_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_allowed) && name != NO_VARIETY
}

/// Opens the models of some files and adds the library's. The model of a file replaces the
/// library's model of the same language.
///
/// # Errors
/// Fails if a file is not a valid model, or two files have models of the same language. The message
/// is one sentence.
pub fn open_varieties(paths: &[impl AsRef<Path>]) -> Result<Vec<Varieties>, BadPack> {
    let mut models: Vec<Varieties> = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        let model = Varieties::open(path)?;
        if models.iter().any(|other| other.language == model.language) {
            let (file, language) = (path.to_owned(), model.language);
            return Err(BadPack::SecondVarieties { file, language });
        }
        models.push(model);
    }
    for model in Varieties::shipped() {
        if models.iter().all(|other| other.language != model.language) {
            models.push(model.clone());
        }
    }
    Ok(models)
}

/// Reads a model file, if it is a regular file of at most 128 MiB.
fn read_file(path: &Path) -> Result<Vec<u8>, Invalid> {
    // Checked before opening: a pipe would block, and a device may have no end.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(Invalid::NotRegular);
    }
    if metadata.len() > MAX_FILE {
        return Err(Invalid::TooLong(metadata.len(), MAX_FILE));
    }
    Ok(fs::read(path)?)
}

/// Writes the checksum of a model file to its place.
fn seal(mut data: Vec<u8>) -> Vec<u8> {
    let checksum = crc32fast::hash(&data[CHECKED..]).to_le_bytes();
    data[12..16].copy_from_slice(&checksum);
    data
}

/// Replaces scores by probabilities.
fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.iter_mut().for_each(|score| *score = (*score - most).exp());
    let sum: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}

/// The unread bytes of a file.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// A number with a finite value.
    fn real(&mut self) -> Option<f32> {
        self.number().map(f32::from_bits).filter(|real| real.is_finite())
    }
}
