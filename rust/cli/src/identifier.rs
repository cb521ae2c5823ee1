//! Identifiers by name: the one place that knows which there are and what each needs.

use crate::texts;
use langid::{Cld2, Heli, HeliSettings, Identify, LangCode, W2c, W2cSettings};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// An identifier as the command line names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// CLD2, whose tables are compiled in.
    Cld2,
    /// HeLI, trained from texts.
    Heli,
    /// W2C's identifier as published, trained from texts: none of under 50 words and 300 characters is answered.
    W2c,
    /// The same, which answers texts of any length.
    W2cShort,
}

impl Name {
    const ALL: [Name; 4] = [Name::Cld2, Name::Heli, Name::W2c, Name::W2cShort];

    fn as_str(self) -> &'static str {
        match self {
            Name::Cld2 => "cld2",
            Name::Heli => "heli",
            Name::W2c => "w2c",
            Name::W2cShort => "w2c-short",
        }
    }

    /// The identifier itself, ready to be asked. `train` is the folder of texts that it is trained from, one file for each
    /// language, none of them longer than `max_bytes`; an identifier with tables of its own has no use for it.
    ///
    /// # Errors
    /// When it needs texts and none are given, or they cannot be read.
    pub fn open(self, train: Option<&Path>, max_bytes: u64) -> Result<Box<dyn Identify>, String> {
        if self == Name::Cld2 {
            return Ok(Box::new(Cld2));
        }
        let folder =
            train.ok_or_else(|| format!("identifier `{self}` is trained from texts: name their folder (--train)"))?;
        let texts = texts::read(folder, |_| true, max_bytes)?;
        let texts: Vec<(LangCode, String)> =
            texts.into_iter().map(|(language, lines)| (language, lines.join("\n"))).collect();
        let texts: Vec<(LangCode, &str)> = texts.iter().map(|(language, text)| (*language, text.as_str())).collect();
        Ok(match self {
            Name::Cld2 => Box::new(Cld2),
            Name::Heli => Box::new(Heli::train(&texts, HeliSettings::default())),
            Name::W2c => Box::new(W2c::train(&texts, W2cSettings::default())),
            Name::W2cShort => {
                Box::new(W2c::train(&texts, W2cSettings { min_words: 0, min_characters: 0, ..W2cSettings::default() }))
            }
        })
    }
}

impl FromStr for Name {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|known| known.as_str() == name).ok_or_else(|| {
            let allowed: Vec<&str> = Self::ALL.into_iter().map(Self::as_str).collect();
            let name: String = name.chars().take(40).collect();
            format!("identifier `{name}` is unknown; allowed are {}", allowed.join(", "))
        })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Refuses languages that an identifier can never answer.
///
/// # Errors
/// One sentence that names the first of them.
pub fn check(identifier: &dyn Identify, languages: &[LangCode], option: &str) -> Result<(), String> {
    let known = identifier.languages();
    match languages.iter().find(|language| !known.contains(language)) {
        Some(language) => Err(format!(
            "{option} is `{language}` ({}), a language that {} cannot answer",
            language.name(),
            identifier.version()
        )),
        None => Ok(()),
    }
}
