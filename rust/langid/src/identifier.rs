//! The identifiers by name.

use crate::{
    BadPack, Cld2, Combined, Heli, HeliSettings, Identify, LangCode, LanguageModel, Pack,
    StopWordDensity, Text, TrainSettings, Trigrams, UnknownLanguage, W2c, W2cSettings,
};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Longest text that [`training_text`] reads, in bytes.
pub const MAX_TRAINING_TEXT: u64 = 64 << 20;

/// Name of an identifier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IdentifierName {
    /// Language models for the scripts of the targets, and CLD2 for the others.
    #[default]
    Combined,
    /// Language models alone, for every script: the built-in ones, or those trained from texts.
    Models,
    /// CLD2 alone, as in the paper. Its tables are compiled in.
    Cld2,
    /// The language with the largest share of stop words, by the language models.
    StopWords,
    /// HeLI, trained from texts.
    Heli,
    /// W2C's identifier as published, trained from texts: it returns `und` for texts under 50 words
    /// and 300 characters.
    W2c,
    /// The same without a minimum length.
    W2cShort,
    /// The cosine of character trigrams, trained from texts.
    Trigrams,
}

/// A name of no identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("identifier `{found}` is unknown; allowed are {}", IdentifierName::list(|_| true))]
pub struct UnknownIdentifier {
    /// The first 40 characters of the name.
    pub found: String,
}

/// The sources of the tables of an identifier.
#[derive(Debug, Default)]
pub struct Sources {
    /// Texts to train from.
    pub texts: Vec<(LangCode, String)>,
    /// Packs of language models in addition to the built-in ones.
    pub packs: Vec<Pack>,
    /// The target languages: `combined` uses the models only in their scripts, or in all scripts if
    /// there are none.
    pub targets: Vec<LangCode>,
}

impl IdentifierName {
    /// Every name, the default first.
    pub const ALL: [Self; 8] = [
        Self::Combined,
        Self::Models,
        Self::Cld2,
        Self::StopWords,
        Self::Heli,
        Self::W2c,
        Self::W2cShort,
        Self::Trigrams,
    ];

    /// The name in settings and on command lines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Combined => "combined",
            Self::Models => "models",
            Self::Cld2 => "cld2",
            Self::StopWords => "stop-words",
            Self::Heli => "heli",
            Self::W2c => "w2c",
            Self::W2cShort => "w2c-short",
            Self::Trigrams => "trigrams",
        }
    }

    /// The names that fulfil a condition, separated by commas.
    pub fn list(is_listed: impl Fn(Self) -> bool) -> String {
        let names = Self::ALL.into_iter().filter(|&name| is_listed(name)).map(Self::as_str);
        names.collect::<Vec<_>>().join(", ")
    }

    /// Whether it can learn from texts.
    pub fn is_trained(self) -> bool {
        matches!(self, Self::Models) || self.needs_texts()
    }

    /// Whether it has no tables but those that it learns from texts.
    pub fn needs_texts(self) -> bool {
        matches!(self, Self::Heli | Self::W2c | Self::W2cShort | Self::Trigrams)
    }

    /// Opens the identifier. Sources that it does not use are ignored.
    ///
    /// # Errors
    /// Fails if `models` cannot be trained from the texts.
    pub fn open(self, sources: Sources) -> Result<Box<dyn Identify>, BadPack> {
        let Sources { texts, packs, targets } = sources;
        let pairs: Vec<(LangCode, &str)> =
            texts.iter().map(|(language, text)| (*language, text.as_str())).collect();
        let with_shipped = |packs| Pack::shipped().into_iter().chain(packs).collect();
        Ok(match self {
            Self::Combined => Box::new(Combined::for_targets(packs, targets)),
            Self::Models if pairs.is_empty() => Box::new(LanguageModel::new(with_shipped(packs))),
            Self::Models => {
                let texts: Vec<Text> =
                    pairs.iter().map(|&(language, text)| Text { language, text }).collect();
                let trained = crate::train(&texts, TrainSettings::default())?;
                let trained = Pack::of_bytes(trained)?;
                Box::new(LanguageModel::new(packs.into_iter().chain([trained]).collect()))
            }
            Self::StopWords => Box::new(StopWordDensity::new(with_shipped(packs))),
            Self::Cld2 => Box::new(Cld2),
            Self::Heli => Box::new(Heli::train(&pairs, HeliSettings::default())),
            Self::W2c => Box::new(W2c::train(&pairs, W2cSettings::default())),
            Self::W2cShort => {
                let settings =
                    W2cSettings { min_words: 0, min_characters: 0, ..W2cSettings::default() };
                Box::new(W2c::train(&pairs, settings))
            }
            Self::Trigrams => Box::new(Trigrams::train(&pairs)),
        })
    }
}

impl fmt::Display for IdentifierName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for IdentifierName {
    type Err = UnknownIdentifier;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|known| known.as_str() == name)
            .ok_or_else(|| UnknownIdentifier { found: name.chars().take(40).collect() })
    }
}

/// A file that is no training text.
#[derive(Debug, thiserror::Error)]
pub enum BadTrainingText {
    /// It cannot be read.
    #[error("cannot read {}: {reason}", file.display())]
    Unread {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        #[source]
        reason: io::Error,
    },
    /// Its name is not a language with `.txt`.
    #[error("{}: is named after no language, such as urd.txt", .0.display())]
    Unnamed(PathBuf),
    /// Its name is a code that no language has.
    #[error("{}: {unknown}", file.display())]
    UnknownLanguage {
        /// The file.
        file: PathBuf,
        /// The code, and codes that are like it.
        unknown: UnknownLanguage,
    },
    /// It is longer than [`MAX_TRAINING_TEXT`].
    #[error("{}: is longer than {MAX_TRAINING_TEXT} bytes", .0.display())]
    TooLong(PathBuf),
    /// It has no text.
    #[error("{}: has no text", .0.display())]
    Empty(PathBuf),
}

/// Reads a text to train from, a file that is named after its language: `urd.txt`. Bytes that are
/// not UTF-8 are replaced.
///
/// # Errors
/// Fails if it is no regular file that can be read, is named after no language, is empty, or is
/// longer than [`MAX_TRAINING_TEXT`].
pub fn training_text(file: &Path) -> Result<(LangCode, String), BadTrainingText> {
    let unnamed = || BadTrainingText::Unnamed(file.to_owned());
    let name = file.file_name().and_then(|name| name.to_str()).ok_or_else(unnamed)?;
    let language: LangCode =
        name.strip_suffix(".txt").ok_or_else(unnamed)?.parse().map_err(|unknown| {
            BadTrainingText::UnknownLanguage { file: file.to_owned(), unknown }
        })?;
    if language == LangCode::UND {
        return Err(unnamed());
    }
    let text = read(file)
        .map_err(|reason| BadTrainingText::Unread { file: file.to_owned(), reason })?
        .ok_or_else(|| BadTrainingText::TooLong(file.to_owned()))?;
    match text.trim().is_empty() {
        true => Err(BadTrainingText::Empty(file.to_owned())),
        false => Ok((language, text)),
    }
}

/// Returns the text of a regular file; `None` if it is too long.
fn read(file: &Path) -> io::Result<Option<String>> {
    // A device or a pipe may never end.
    if !fs::metadata(file)?.is_file() {
        return Err(io::Error::other("is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_TRAINING_TEXT + 1).read_to_end(&mut bytes)?;
    let is_short = bytes.len() as u64 <= MAX_TRAINING_TEXT;
    Ok(is_short.then(|| String::from_utf8_lossy(&bytes).into_owned()))
}
