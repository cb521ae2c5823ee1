//! The identifier of W2C ("Web To Corpus", Majliš 2011): the sum of the weights of a text's
//! character 4-grams, over the 100 most frequent ones of each language.
//!
//! ASCII punctuation and digits are deleted; the rest is split at white space and keeps its case.
//! "Deleted" is the wording of the published rule, so that `b568c` is the word `bc`; the published
//! example next to it has the two words `b` and `c` instead. Each word has n - 1 pads on both sides
//! (3 for 4-grams), so that a word of m characters has m + n - 1 n-grams.
//!
//! The weight of an n-gram is its share among the n-grams that its language keeps. The small number
//! is intended: with the 2,000 most frequent ones, a language with a steeper distribution receives
//! the texts of its larger relative (all Russian texts had the result Bulgarian); with 100 it does
//! not. There is no smoothing and no measure of certainty: the language with the greatest sum is
//! the result, unless a rule excludes the text.

use crate::grams::{most_frequent, Rolling, Table, Vocabulary};
use crate::trigrams::checksum;
use crate::{Allowed, Identify, LangCode};

/// The padding around words. It is ASCII punctuation, so no word contains it.
const PAD: char = '_';

/// Parameters of [`W2c`].
#[derive(Debug, Clone, PartialEq)]
pub struct W2cSettings {
    /// Characters of an n-gram, at least 1 (0 counts as 1).
    pub n: usize,
    /// Number of the most frequent n-grams that each language keeps.
    pub keep: usize,
    /// Factors for the weights of large languages, whose texts are otherwise assigned to small
    /// relatives.
    pub boosts: Vec<(LangCode, f32)>,
    /// Texts with fewer words than this are undetermined, unless they have
    /// [`min_characters`](Self::min_characters).
    pub min_words: usize,
    /// Texts with fewer characters than this are undetermined, unless they have
    /// [`min_words`](Self::min_words).
    pub min_characters: usize,
}

impl Default for W2cSettings {
    /// Returns the published settings: 4-grams, 100 per language, English, French and Russian times
    /// 1.1, 50 words or 300 characters.
    fn default() -> Self {
        let boost = |code: &str| code.parse().ok().map(|language| (language, 1.1));
        W2cSettings {
            n: 4,
            keep: 100,
            boosts: ["eng", "fra", "rus"].into_iter().filter_map(boost).collect(),
            min_words: 50,
            min_characters: 300,
        }
    }
}

/// Identifier by the weights of character 4-grams (W2C, Majliš 2011).
#[derive(Debug)]
pub struct W2c {
    settings: W2cSettings,
    languages: Vec<LangCode>,
    /// CRC-32 of the training texts.
    checksum: u32,
    weights: Table,
}

impl W2c {
    /// Trains on the texts of each language; texts of the same language are concatenated. The order
    /// of the languages decides ties. The result is deterministic.
    pub fn train(texts: &[(LangCode, &str)], settings: W2cSettings) -> W2c {
        let settings = W2cSettings { n: settings.n.max(1), ..settings };
        let mut languages: Vec<LangCode> = Vec::new();
        for &(language, _) in texts {
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        let mut entries = Vec::new();
        let mut padded = Vec::new();
        for (number, language) in (0u16..).zip(&languages) {
            let mut vocabulary = Vocabulary::default();
            for (_, text) in texts.iter().filter(|(of, _)| of == language) {
                for word in text.split_whitespace() {
                    let pads = || std::iter::repeat_n(PAD, settings.n - 1);
                    padded.clear();
                    padded.extend(pads());
                    padded.extend(letters(word));
                    if padded.len() >= settings.n {
                        padded.extend(pads());
                        vocabulary.add(&padded);
                    }
                }
            }
            let kept = most_frequent(vocabulary.grams(settings.n), settings.keep);
            let all: u64 = kept.iter().map(|gram| gram.count).sum();
            let boost = settings
                .boosts
                .iter()
                .find(|(of, _)| of == language)
                .map_or(1.0, |&(_, boost)| f64::from(boost));
            let weight = |count: u64| (count as f64 / all as f64 * boost) as f32;
            entries.extend(kept.iter().map(|gram| (gram.hash, number, weight(gram.count))));
        }
        W2c { settings, languages, checksum: checksum(texts), weights: Table::new(entries) }
    }

    /// Returns the sum of every language in the order of training; 0 for a language with none of
    /// the text's n-grams. The minimum length does not apply.
    pub fn scores(&self, text: &str) -> Vec<(LangCode, f32)> {
        let (sums, _) = self.sums(text);
        self.languages.iter().copied().zip(sums.into_iter().map(|sum| sum as f32)).collect()
    }

    /// Returns the sums by language, and the number of the text's words.
    fn sums(&self, text: &str) -> (Vec<f64>, usize) {
        let mut sums = vec![0.0; self.languages.len()];
        let mut words = 0;
        let mut rolling = Rolling::new(self.settings.n);
        let pads = || std::iter::repeat_n(PAD, self.settings.n - 1);
        for word in text.split_whitespace() {
            let mut letters = letters(word).peekable();
            if letters.peek().is_none() {
                continue;
            }
            words += 1;
            rolling.clear();
            for posting in pads()
                .chain(letters)
                .chain(pads())
                .filter_map(|c| rolling.push(c))
                .filter_map(|gram| self.weights.get(gram))
            {
                for &(language, weight) in posting {
                    sums[usize::from(language)] += f64::from(weight);
                }
            }
        }
        (sums, words)
    }
}

impl Identify for W2c {
    /// Returns the language with the greatest sum, ties in the order of training. Texts that are
    /// too short, or have no known n-gram, are undetermined.
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode {
        let (sums, words) = self.sums(text);
        let shortest = self.settings.min_characters;
        let long_enough = words >= self.settings.min_words
            || shortest == 0
            || text.chars().nth(shortest - 1).is_some();
        if !long_enough {
            return LangCode::UND;
        }
        let mut best = (LangCode::UND, 0.0);
        for (&language, sum) in self.languages.iter().zip(sums) {
            // Rounded before the comparison, so that ties are exact.
            let sum = sum as f32;
            if sum > best.1 && allowed.is_none_or(|allowed| allowed.contains(&language)) {
                best = (language, sum);
            }
        }
        best.0
    }

    fn languages(&self) -> Vec<LangCode> {
        let mut languages = self.languages.clone();
        languages.sort_unstable();
        languages
    }

    fn version(&self) -> String {
        format!("w2c/1-{:08x}", self.checksum)
    }
}

/// Returns the characters of a word that are counted.
fn letters(word: &str) -> impl Iterator<Item = char> + '_ {
    word.chars().filter(|c| !c.is_ascii_punctuation() && !c.is_ascii_digit())
}
