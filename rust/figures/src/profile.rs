//! Nutch's `TextProfileSignature`: texts with the same frequent words in similar numbers have the
//! same signature.
//!
//! Words are runs of letters and digits of more than two UTF-16 units, in lower case. Their counts
//! are rounded down to a multiple of a quantum, which is a hundredth of the largest count (at least
//! 2, or 1 if no word is repeated). Words with a count of 0 are removed, and the rest is hashed,
//! most frequent first. Words of equal counts are in the order of Java's `HashMap` in [`nutch`], or
//! sorted in [`sorted`].

use crate::signs::{Signs, LETTER, MARK};
use hashbrown::{DefaultHashBuilder, HashTable};
use md5::{Digest, Md5};
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::hash::BuildHasher;

/// Words of at most this many UTF-16 units are ignored (Nutch's
/// `db.signature.text_profile.min_token_len`).
const MIN_TOKEN_LENGTH: usize = 2;

/// Quantum of counts, relative to the largest (Nutch's `db.signature.text_profile.quant_rate`).
const QUANT_RATE: f32 = 0.01;

/// Returns the `TextProfileSignature` of Nutch 2.4 under its default settings; `None` for an empty
/// text, for which Nutch uses the MD5 of the page instead.
///
/// Differs from Nutch only if Java's character tables (JDK 17: Unicode 13) lack a letter of ours,
/// or if eight or more words are in one bucket of the `HashMap`, which Java turns into a tree.
pub fn nutch(text: &str) -> Option<[u8; 16]> {
    Profiler::default().both(text).map(|(nutch, _)| nutch)
}

/// Returns the signature with two faults fixed. Words of equal counts are sorted, so their order
/// does not depend on other words. Combining marks belong to words, so Hindi or Thai words are not
/// split at their vowels.
pub fn sorted(text: &str) -> Option<[u8; 16]> {
    Profiler::default().both(text).map(|(_, sorted)| sorted)
}

/// A word with its count.
#[derive(Debug, Clone, Copy)]
struct Word {
    /// Its start in the text, or, if it has capitals in the text, in `lowered`.
    start: usize,
    end: usize,
    lowered: bool,
    hash: u64,
    count: u32,
}

impl Word {
    fn of<'a>(&self, text: &'a str, lowered: &'a str) -> &'a str {
        &(if self.lowered { lowered } else { text })[self.start..self.end]
    }
}

/// Computes profiles of one text after the other in the same memory.
#[derive(Debug, Default)]
pub struct Profiler {
    /// Words whose lower case differs from the text, concatenated.
    lowered: String,
    /// The words in the order of their first occurrence.
    words: Vec<Word>,
    /// Indexes of words by their hashes.
    places: HashTable<u32>,
    /// Seeded, so that hostile text cannot make hashes collide.
    hasher: DefaultHashBuilder,
    profile: String,
}

impl Profiler {
    /// Returns both signatures of a text, [`nutch`] and [`sorted`]; `None` for an empty text.
    pub fn both(&mut self, text: &str) -> Option<([u8; 16], [u8; 16])> {
        if text.is_empty() {
            return None;
        }
        let same = self.read(text, false);
        let different = self.round();
        let counted = self.words.clone();
        self.sort_like_java(text, different);
        let nutch = self.signature(text);
        if same {
            self.words = counted;
        } else {
            self.read(text, true);
            self.round();
        }
        let lowered = &self.lowered;
        self.words.sort_unstable_by(|a, b| a.of(text, lowered).cmp(b.of(text, lowered)));
        Some((nutch, self.signature(text)))
    }

    /// Reads the words of a text. With `mended`, words include marks and letters beyond U+FFFF;
    /// Java reads UTF-16 units, and surrogates are not letters. Returns whether the text has none
    /// of these, so that both settings give the same words.
    fn read(&mut self, text: &str, mended: bool) -> bool {
        self.lowered.clear();
        self.words.clear();
        self.places.clear();
        let signs = Signs::get();
        let mut same = true;
        // Start of the word in the text, and, after its first capital, in `lowered`.
        let (mut start, mut lowered, mut units) = (0, None, 0);
        for (at, c) in text.char_indices().chain(std::iter::once((text.len(), ' '))) {
            let kind = signs.kind(c);
            let special = kind & MARK != 0 || (kind & LETTER != 0 && c > '\u{ffff}');
            same &= !special;
            if (kind & LETTER != 0 && !special) || (mended && special) {
                let lower = signs.lower(c);
                if units == 0 {
                    start = at;
                }
                if lower != c && lowered.is_none() {
                    lowered = Some(self.lowered.len());
                    self.lowered.push_str(&text[start..at]);
                }
                if lowered.is_some() {
                    self.lowered.push(lower);
                }
                units += lower.len_utf16();
                continue;
            }
            if units > 0 {
                let known = units <= MIN_TOKEN_LENGTH
                    || !self.count(text, lowered.unwrap_or(start), at, lowered.is_some());
                if let (Some(lowered), true) = (lowered, known) {
                    self.lowered.truncate(lowered);
                }
                (lowered, units) = (None, 0);
            }
        }
        same
    }

    /// Counts a word; returns true if it is new. A word in lower case is the last one of `lowered`.
    fn count(&mut self, text: &str, start: usize, end: usize, is_lowered: bool) -> bool {
        let Self { lowered, words, places, hasher, .. } = self;
        let end = if is_lowered { lowered.len() } else { end };
        let mut new = Word { start, end, lowered: is_lowered, hash: 0, count: 1 };
        let word = new.of(text, lowered);
        new.hash = hasher.hash_one(word);
        let same = |&place: &u32| {
            let other = &words[place as usize];
            other.hash == new.hash && other.of(text, lowered) == word
        };
        if let Some(&place) = places.find(new.hash, same) {
            words[place as usize].count += 1;
            return false;
        }
        places.insert_unique(new.hash, words.len() as u32, |&place| words[place as usize].hash);
        words.push(new);
        true
    }

    /// Rounds the counts down and removes words with a count of 0. Returns the number of different
    /// words before.
    fn round(&mut self) -> usize {
        let most = self.words.iter().map(|word| word.count).max().unwrap_or(0);
        // Java's `Math.round`; counts are small enough for an f32.
        let quantum = match (most as f32 * QUANT_RATE + 0.5).floor() as u32 {
            0 | 1 => 1 + u32::from(most > 1),
            quantum => quantum,
        };
        let different = self.words.len();
        self.words.retain_mut(|word| {
            word.count = word.count / quantum * quantum;
            word.count > 0
        });
        different
    }

    /// Java's `HashMap` doubles at a load of three quarters. It iterates bucket by bucket, each in
    /// order of insertion.
    fn sort_like_java(&mut self, text: &str, different: usize) {
        let mut buckets = 16u32;
        while different as u64 * 4 > u64::from(buckets) * 3 && buckets < 1 << 30 {
            buckets *= 2;
        }
        let lowered = &self.lowered;
        self.words.sort_by_cached_key(|word| {
            let units = word.of(text, lowered).encode_utf16();
            let hash =
                units.fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
            (hash ^ (hash >> 16)) & (buckets - 1)
        });
    }

    /// Returns the signature of the words in their present order, the most frequent first.
    fn signature(&mut self, text: &str) -> [u8; 16] {
        self.words.sort_by_key(|word| Reverse(word.count));
        self.profile.clear();
        for (number, word) in self.words.iter().enumerate() {
            if number > 0 {
                self.profile.push('\n');
            }
            self.profile.push_str(word.of(text, &self.lowered));
            self.profile.push(' ');
            match char::from_digit(word.count, 10) {
                Some(digit) => self.profile.push(digit),
                None => {
                    let _ = write!(self.profile, "{}", word.count);
                }
            }
        }
        Md5::digest(&self.profile).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn md5(text: &str) -> Option<[u8; 16]> {
        Some(Md5::digest(text).into())
    }

    #[test]
    fn the_profile_of_a_small_text() {
        // Counts: the 3, cat 2, sat 1, mat 1; "on" is too short. The quantum is 2.
        let text = "The cat sat on the mat; the CAT.";
        assert_eq!(sorted(text), md5("cat 2\nthe 2"));
        // Hashes of `the` (114801) and `cat` (98262) in 16 buckets: 0 and 7.
        assert_eq!(nutch(text), md5("the 2\ncat 2"));
        assert_eq!(nutch(""), None);
        assert_eq!(nutch("a an .."), md5(""));
    }

    #[test]
    fn words_that_come_once_count_where_none_comes_twice() {
        assert_eq!(sorted("beta alpha"), md5("alpha 1\nbeta 1"));
        // Hashes of `beta` (3020272) and `alpha` (92909918) in 16 buckets: 14 and 7.
        assert_eq!(nutch("beta alpha"), md5("alpha 1\nbeta 1"));
    }

    #[test]
    fn marks_cut_words_in_nutch_only() {
        // The vowel signs of हिन्दी are marks: Nutch reads ह, न, द, each too short.
        assert_eq!(nutch("हिन्दी"), md5(""));
        assert_eq!(sorted("हिन्दी"), md5("हिन्दी 1"));
    }
}
