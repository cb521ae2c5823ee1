//! Identifiers by name, and their sources.

use crate::texts::{self, BadTexts};
use langid::{
    BadPack, Cld2, Combined, Heli, HeliSettings, Identify, LangCode, LanguageModel, Pack,
    StopWordDensity, Text, TrainSettings, Trigrams, W2c, W2cSettings,
};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The name of an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// Language models, and CLD2 for other languages.
    Combined,
    /// Language models alone: the built-in ones, or those trained from texts.
    Models,
    /// CLD2, whose tables are compiled in.
    Cld2,
    /// HeLI, trained from texts.
    Heli,
    /// W2C's identifier as published, trained from texts: it returns `und` for texts under 50 words
    /// and 300 characters.
    W2c,
    /// The same without a minimum length.
    W2cShort,
    /// The share of stop words, by the language models.
    StopWords,
    /// The cosine of character trigrams, trained from texts.
    Trigrams,
}

/// A name of no identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("identifier `{found}` is unknown; allowed are {}", names(|_| true))]
pub struct UnknownIdentifier {
    /// The first 40 characters of the name.
    pub found: String,
}

/// An identifier that cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum Unopened {
    /// Texts to train from are given, and it does not learn from them.
    #[error("identifier `{0}` does not learn from --train; allowed are {trained}", trained = names(|name| name.is_trained()))]
    LearnsNothing(Name),
    /// It is trained from texts, and none are given.
    #[error("identifier `{0}` is trained from texts: name their folder (--train)")]
    Untrained(Name),
    /// A pack cannot be read, or one cannot be made of the texts.
    #[error(transparent)]
    Pack(#[from] BadPack),
    /// The texts to train from cannot be read.
    #[error(transparent)]
    Texts(#[from] BadTexts),
}

/// The names that fulfil a condition, separated by commas.
fn names(is_listed: impl Fn(Name) -> bool) -> String {
    let names = Name::ALL.into_iter().filter(|&name| is_listed(name)).map(Name::as_str);
    names.collect::<Vec<_>>().join(", ")
}

/// The sources of identifiers' tables.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// Folder of texts to train from, one file for each language.
    pub train: Option<&'a Path>,
    /// Packs of language models in addition to the built-in ones.
    pub packs: &'a [PathBuf],
    /// The target language, if any: `combined` then uses the models only in the scripts of that
    /// language.
    pub target: Option<LangCode>,
    /// Longest file of texts that is read, in bytes.
    pub max_bytes: u64,
}

impl Name {
    const ALL: [Name; 8] = [
        Name::Combined,
        Name::Models,
        Name::Cld2,
        Name::Heli,
        Name::W2c,
        Name::W2cShort,
        Name::StopWords,
        Name::Trigrams,
    ];

    fn as_str(self) -> &'static str {
        match self {
            Name::Combined => "combined",
            Name::Models => "models",
            Name::Cld2 => "cld2",
            Name::Heli => "heli",
            Name::W2c => "w2c",
            Name::W2cShort => "w2c-short",
            Name::StopWords => "stop-words",
            Name::Trigrams => "trigrams",
        }
    }

    /// Whether it learns from `--train`.
    fn is_trained(self) -> bool {
        !matches!(self, Name::Combined | Name::Cld2 | Name::StopWords)
    }

    /// Opens the only identifier of a run.
    ///
    /// # Errors
    /// As [`Name::open`], and if texts are given that it does not learn from.
    pub fn open_alone(self, sources: Sources) -> Result<Box<dyn Identify>, Unopened> {
        if sources.train.is_some() && !self.is_trained() {
            return Err(Unopened::LearnsNothing(self));
        }
        self.open(sources)
    }

    /// Opens the identifier.
    ///
    /// # Errors
    /// Fails if texts or packs that it needs are not given, or cannot be read.
    pub fn open(self, sources: Sources) -> Result<Box<dyn Identify>, Unopened> {
        let packs = || langid::open_all(sources.packs);
        Ok(match self {
            Name::Combined => Box::new(Combined::new(packs()?, sources.target)),
            Name::Models if sources.train.is_some() => {
                let texts = self.texts(sources)?;
                let texts: Vec<Text> = texts
                    .iter()
                    .map(|(language, text)| Text { language: *language, text })
                    .collect();
                let pack = langid::train(&texts, TrainSettings::default()).and_then(Pack::of_bytes);
                let mut packs = packs()?;
                packs.push(pack?);
                Box::new(LanguageModel::new(packs))
            }
            Name::Models => {
                Box::new(LanguageModel::new(Pack::shipped().into_iter().chain(packs()?).collect()))
            }
            Name::StopWords => Box::new(StopWordDensity::new(
                Pack::shipped().into_iter().chain(packs()?).collect(),
            )),
            Name::Trigrams => Box::new(Trigrams::train(&pairs(&self.texts(sources)?))),
            Name::Cld2 => Box::new(Cld2),
            Name::Heli => {
                Box::new(Heli::train(&pairs(&self.texts(sources)?), HeliSettings::default()))
            }
            Name::W2c => {
                Box::new(W2c::train(&pairs(&self.texts(sources)?), W2cSettings::default()))
            }
            Name::W2cShort => {
                let settings =
                    W2cSettings { min_words: 0, min_characters: 0, ..W2cSettings::default() };
                Box::new(W2c::train(&pairs(&self.texts(sources)?), settings))
            }
        })
    }

    /// The texts to train from.
    fn texts(self, sources: Sources) -> Result<Vec<(LangCode, String)>, Unopened> {
        let folder = sources.train.ok_or(Unopened::Untrained(self))?;
        let texts = texts::read(folder, |_| true, sources.max_bytes)?;
        Ok(texts.into_iter().map(|(language, lines)| (language, lines.join("\n"))).collect())
    }
}

fn pairs(texts: &[(LangCode, String)]) -> Vec<(LangCode, &str)> {
    texts.iter().map(|(language, text)| (*language, text.as_str())).collect()
}

impl FromStr for Name {
    type Err = UnknownIdentifier;

    fn from_str(name: &str) -> Result<Self, UnknownIdentifier> {
        Self::ALL
            .into_iter()
            .find(|known| known.as_str() == name)
            .ok_or_else(|| UnknownIdentifier { found: name.chars().take(40).collect() })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
