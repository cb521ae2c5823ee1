//! Bytes per language, as a sum that can be merged, formatted and parsed.

use crate::{LangCode, UnknownLanguage};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// UTF-8 bytes per language. Languages without bytes are not stored, so equal counts are equal
/// values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LangBytes(BTreeMap<LangCode, u64>);

impl LangBytes {
    /// Creates an empty sum.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `bytes` bytes to a language.
    pub fn add(&mut self, language: LangCode, bytes: u64) {
        if bytes > 0 {
            let sum = self.0.entry(language).or_default();
            *sum = sum.saturating_add(bytes);
        }
    }

    /// Adds all counts of `other`.
    pub fn merge(&mut self, other: &LangBytes) {
        for (language, bytes) in other.iter() {
            self.add(language, bytes);
        }
    }

    /// Returns the bytes of one language; 0 if there are none.
    pub fn bytes(&self, language: LangCode) -> u64 {
        self.0.get(&language).copied().unwrap_or(0)
    }

    /// Returns the bytes of all languages together.
    pub fn total(&self) -> u64 {
        self.0.values().fold(0, |sum, &bytes| sum.saturating_add(bytes))
    }

    /// Returns whether no bytes were counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the languages and their bytes, ordered by code.
    pub fn iter(&self) -> impl Iterator<Item = (LangCode, u64)> + '_ {
        self.0.iter().map(|(&language, &bytes)| (language, bytes))
    }

    /// Returns the languages and their bytes, most bytes first, ties by code.
    pub fn most_first(&self) -> Vec<(LangCode, u64)> {
        let mut languages: Vec<_> = self.iter().collect();
        languages.sort_by_key(|&(language, bytes)| (Reverse(bytes), language));
        languages
    }
}

impl fmt::Display for LangBytes {
    /// Formats as `urd:3140,eng:133,und:20`: most bytes first, ties by code; empty for no text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (language, bytes)) in self.most_first().into_iter().enumerate() {
            let comma = if position == 0 { "" } else { "," };
            write!(f, "{comma}{language}:{bytes}")?;
        }
        Ok(())
    }
}

impl FromStr for LangBytes {
    type Err = BadLangBytes;

    /// Parses the output of [`fmt::Display`]. The order is free; repeated languages are summed.
    fn from_str(text: &str) -> Result<Self, BadLangBytes> {
        let mut sum = LangBytes::new();
        for entry in text.split(',').filter(|_| !text.is_empty()) {
            let bad = || BadLangBytes::Entry(entry.chars().take(60).collect());
            let (language, bytes) = entry.split_once(':').ok_or_else(bad)?;
            let language = language.parse().map_err(BadLangBytes::Language)?;
            sum.add(language, bytes.parse().map_err(|_| bad())?);
        }
        Ok(sum)
    }
}

/// Why a text is not bytes per language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadLangBytes {
    /// An entry is not `code:bytes`.
    #[error("bytes per language has the entry `{0}`; allowed is `code:bytes`, such as `urd:3140`")]
    Entry(String),
    /// An entry's language is unknown.
    #[error(transparent)]
    Language(UnknownLanguage),
}
