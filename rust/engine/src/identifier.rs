//! The identifiers that an engine can use.

use langbytes::{Cld2, Combined, Identify, LangCode, Script, Scripts};
use langid::{Allowed, LanguageModel, Pack, Run, StopWordDensity};
use std::fmt;
use std::str::FromStr;

/// Name of an identifier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IdentifierName {
    /// Language models for the scripts of the target, CLD2 for the others.
    #[default]
    Combined,
    /// Language models alone, for every script.
    Models,
    /// CLD2 alone, as in the paper.
    Cld2,
    /// The language with the largest share of stop words.
    StopWords,
}

impl IdentifierName {
    /// Every name, the default first.
    pub const ALL: [Self; 4] = [Self::Combined, Self::Models, Self::Cld2, Self::StopWords];

    /// The name in settings and on command lines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Combined => "combined",
            Self::Models => "models",
            Self::Cld2 => "cld2",
            Self::StopWords => "stop-words",
        }
    }
}

impl fmt::Display for IdentifierName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// Error for a text that is not the name of an identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("identifier is {0:?}; allowed are combined, models, cld2 and stop-words")]
pub struct UnknownIdentifier(String);

impl FromStr for IdentifierName {
    type Err = UnknownIdentifier;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|known| known.as_str() == name)
            .ok_or_else(|| UnknownIdentifier(name.to_owned()))
    }
}

/// An identifier with its models.
#[derive(Debug)]
pub enum Identifier {
    /// See [`IdentifierName::Combined`].
    Combined(Box<Combined>),
    /// See [`IdentifierName::Models`].
    Models(Box<LanguageModel>),
    /// See [`IdentifierName::Cld2`].
    Cld2,
    /// See [`IdentifierName::StopWords`].
    StopWords(Box<StopWordDensity>),
}

impl Identifier {
    /// Returns the scripts whose letters a page must have before text in the target is found in it;
    /// `None` if they are unknown.
    pub fn target_scripts(&self) -> Option<Vec<Script>> {
        match self {
            Self::Combined(combined) => combined.target_scripts(),
            Self::Models(_) | Self::Cld2 | Self::StopWords(_) => None,
        }
    }

    /// Returns the scripts in which the models have a language. CLD2 has no models of scripts: for
    /// it they are those of the library's models.
    pub fn model_scripts(&self, language: LangCode) -> Scripts {
        match self {
            Self::Combined(combined) => combined.model_scripts(language),
            Self::Models(_) | Self::Cld2 | Self::StopWords(_) => Pack::shipped_scripts(language),
        }
    }

    fn get(&self) -> &dyn Identify {
        match self {
            Self::Combined(combined) => &**combined,
            Self::Models(models) => &**models,
            Self::Cld2 => &Cld2,
            Self::StopWords(density) => &**density,
        }
    }
}

impl Identify for Identifier {
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode {
        self.get().identify(text, allowed)
    }

    fn runs(&self, text: &str) -> Vec<Run> {
        self.get().runs(text)
    }

    fn frequent_words(&self, text: &str, language: LangCode) -> Option<(usize, usize)> {
        self.get().frequent_words(text, language)
    }

    fn languages(&self) -> Vec<LangCode> {
        self.get().languages()
    }

    fn version(&self) -> String {
        self.get().version()
    }
}
