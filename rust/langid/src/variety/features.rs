//! Features of a text: its words, and sequences of 2 to 5 characters inside words.

use crate::grams::Hasher;
use crate::words::{for_each_word, Script, Scripts};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// Lengths of the sequences, in characters; the edges of a word count.
const GRAMS: RangeInclusive<usize> = 2..=5;

/// Stands before and after a word.
const EDGE: char = ' ';

/// Reads the features of texts. A feature is identified by 32 bits of its hash.
pub(super) struct Extractor {
    scripts: Scripts,
    /// Most words of a text that are read.
    most: usize,
    hasher: Hasher,
    counts: FxHashMap<u32, u32>,
}

impl Extractor {
    /// Creates an extractor for the first `most` words in some scripts; of all words if the set is
    /// empty.
    pub fn new(scripts: Scripts, most: usize) -> Self {
        Self { scripts, most, hasher: Hasher::default(), counts: FxHashMap::default() }
    }

    /// Reads the first words of a text and returns the number of words read.
    pub fn read(&mut self, text: &str) -> usize {
        let Self { scripts, most, hasher, counts } = self;
        counts.clear();
        let mut words = 0;
        for_each_word(text, |word| {
            let is_read = scripts.is_empty() || scripts.contains(word.script);
            if !is_read || words == *most {
                return;
            }
            words += 1;
            let letters = Folded::new(word.letters, word.script);
            hasher.set([EDGE].into_iter().chain(letters).chain([EDGE]));
            let mut add = |hash: u64| *counts.entry((hash >> 32) as u32).or_default() += 1;
            for n in GRAMS {
                hasher.grams(n).for_each(&mut add);
            }
            if !GRAMS.contains(&hasher.len()) {
                add(hasher.word());
            }
        });
        words
    }

    /// Returns the features of the last text: hashes in ascending order, and values ln(1 + count)
    /// that are scaled to a Euclidean norm of 1. Features that a model lacks are part of the norm,
    /// so that text with few known features has low scores.
    pub fn features(&self) -> Vec<(u32, f32)> {
        let mut features: Vec<(u32, f32)> =
            self.counts.iter().map(|(&key, &count)| (key, (count as f32).ln_1p())).collect();
        features.sort_unstable_by_key(|&(key, _)| key);
        let norm = features.iter().map(|(_, value)| value * value).sum::<f32>().sqrt().max(1e-9);
        features.iter_mut().for_each(|(_, value)| *value /= norm);
        features
    }
}

/// The letters of a word in the spelling of informal text: a letter three times or more in a row
/// counts twice. In Arabic script vowel signs are left out, alef has no hamza or madda, and teh
/// marbuta is heh: standard text writes these, informal text in every variety seldom does.
struct Folded<'a> {
    letters: std::slice::Iter<'a, char>,
    is_arabic: bool,
    last: [char; 2],
}

impl<'a> Folded<'a> {
    fn new(letters: &'a [char], script: Script) -> Self {
        let is_arabic = script.tag() == "Arab";
        Self { letters: letters.iter(), is_arabic, last: [EDGE; 2] }
    }
}

impl Iterator for Folded<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        loop {
            let letter = match *self.letters.next()? {
                '\u{64b}'..='\u{65f}' | '\u{670}' if self.is_arabic => continue,
                'أ' | 'إ' | 'آ' | 'ٱ' if self.is_arabic => 'ا',
                'ة' if self.is_arabic => 'ه',
                letter => letter,
            };
            if self.last != [letter; 2] {
                self.last = [self.last[1], letter];
                return Some(letter);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::VARIETY_WORDS;
    use super::*;

    #[test]
    fn spellings_of_a_word_have_the_same_features() {
        let features = |text: &str| {
            let mut extractor = Extractor::new(Scripts::default(), VARIETY_WORDS);
            (extractor.read(text), extractor.features())
        };
        assert_eq!(features("أحمَد مدرسة هههههه"), features("احمد مدرسه هه"));
        assert_eq!(features("soooo"), features("soo"));
        assert_ne!(features("so"), features("soo"));
    }

    #[test]
    fn only_the_first_words_in_the_scripts_are_read() {
        let arabic: Scripts = Script::of_tag("Arab").into_iter().collect();
        let mut extractor = Extractor::new(arabic, VARIETY_WORDS);
        assert_eq!(extractor.read("yes كلمة no كلمتان"), 2);
        let long = "كلمة ".repeat(VARIETY_WORDS);
        assert_eq!(extractor.read(&long), VARIETY_WORDS);
        let first = extractor.features();
        assert_eq!(extractor.read(&(long + "شيء آخر تماما")), VARIETY_WORDS);
        assert_eq!(extractor.features(), first);
    }
}
