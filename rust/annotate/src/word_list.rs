//! The share of a page's words that are on a word list.

use figures::Tokenizer;
use langbytes::LangCode;
use std::collections::HashSet;

/// Words of a language, in lower case.
#[derive(Debug)]
pub struct WordList {
    words: HashSet<String>,
    tokenizer: Tokenizer,
}

impl WordList {
    /// Reads a list with a word on each line, before the first tab if there is one. Returns none if
    /// it has no word.
    pub fn new(list: &str, language: LangCode) -> Option<Self> {
        let words = list.lines().map(|line| line.split('\t').next().unwrap_or_default().trim());
        let words: HashSet<String> = words
            .filter(|word| !word.is_empty())
            .map(|word| render::tsv::value(word).to_lowercase())
            .collect();
        (!words.is_empty()).then(|| Self { words, tokenizer: Tokenizer::new(language) })
    }

    /// Returns the share of a text's words that are on the list, from 0 to 1; 0 for a text without
    /// words. Words are the tokens of the report, in lower case.
    #[allow(clippy::cast_precision_loss)]
    pub fn ratio(&self, text: &str) -> f64 {
        let mut tokens = Vec::new();
        self.tokenizer.tokens(text, &mut tokens);
        let is_listed =
            |word: &str| self.words.contains(word) || self.words.contains(&word.to_lowercase());
        let listed = tokens.iter().filter(|token| is_listed(token.text(text))).count();
        listed as f64 / tokens.len().max(1) as f64
    }
}
