//! Tokens as 64-bit hashes, their counts, and tables from hashes to the languages with the token.
//!
//! The hash of a token is a polynomial over its characters, each mixed to 64 bits first, so that
//! one pass over a word gives the hashes of all its n-grams. The probability of a collision of two
//! tokens is about 2^-64. Among ten million tokens the probability of any collision is three in a
//! million, and it would only give two tokens wrong scores.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Odd, so that the multiplication is reversible; the digits of the golden ratio.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes a character to 64 bits (the finalizer of SplitMix64).
fn mix(c: char) -> u64 {
    let bits = u64::from(u32::from(c)).wrapping_add(1).wrapping_mul(BASE);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// Returns the hash of a token of one character.
pub(crate) fn hash_of(c: char) -> u64 {
    mix(c)
}

/// The hashes of all n-grams of a word; the memory is reused from word to word.
#[derive(Debug, Default)]
pub(crate) struct Hasher {
    /// Element i is the hash of the first i characters.
    prefixes: Vec<u64>,
    /// Element n is `BASE` to the power of n.
    powers: Vec<u64>,
}

impl Hasher {
    /// Sets the word.
    pub fn set(&mut self, word: impl Iterator<Item = char>) {
        self.prefixes.clear();
        let mut hash = 0u64;
        self.prefixes.push(hash);
        for c in word {
            hash = hash.wrapping_mul(BASE).wrapping_add(mix(c));
            self.prefixes.push(hash);
        }
        while self.powers.len() < self.prefixes.len() {
            self.powers.push(self.powers.last().map_or(1, |power| power.wrapping_mul(BASE)));
        }
    }

    /// Returns the length of the word in characters.
    pub fn len(&self) -> usize {
        self.prefixes.len().saturating_sub(1)
    }

    /// Returns the hash of the whole word.
    pub fn word(&self) -> u64 {
        self.prefixes.last().copied().unwrap_or(0)
    }

    /// Returns the hashes of its n-grams in order, with repetitions.
    pub fn grams(&self, n: usize) -> impl Iterator<Item = u64> + '_ {
        let power = self.powers.get(n).copied().unwrap_or(0);
        let ends = self.prefixes.get(n..).unwrap_or_default();
        self.prefixes
            .iter()
            .zip(ends)
            .map(move |(start, end)| end.wrapping_sub(start.wrapping_mul(power)))
    }
}

/// Computes the hashes of the n-grams of words of any length, character by character, in memory for
/// one n-gram.
#[derive(Debug)]
pub(crate) struct Rolling {
    /// The last n characters, mixed, in a ring buffer.
    last: Vec<u64>,
    at: usize,
    filled: usize,
    hash: u64,
    power: u64,
}

impl Rolling {
    /// Creates a hasher for n-grams of `n` characters, at least 1.
    pub fn new(n: usize) -> Self {
        let power = (0..n).fold(1u64, |power, _| power.wrapping_mul(BASE));
        Rolling { last: vec![0; n.max(1)], at: 0, filled: 0, hash: 0, power }
    }

    /// Resets the hasher between words: n-grams do not cross words.
    pub fn clear(&mut self) {
        self.last.fill(0);
        (self.at, self.filled, self.hash) = (0, 0, 0);
    }

    /// Adds a character and returns the hash of the n-gram that ends in it, after at least n
    /// characters. The result equals [`Hasher::grams`].
    pub fn push(&mut self, c: char) -> Option<u64> {
        let new = mix(c);
        let old = std::mem::replace(&mut self.last[self.at], new);
        self.at = (self.at + 1) % self.last.len();
        self.hash = self
            .hash
            .wrapping_mul(BASE)
            .wrapping_add(new)
            .wrapping_sub(old.wrapping_mul(self.power));
        self.filled = (self.filled + 1).min(self.last.len());
        (self.filled == self.last.len()).then_some(self.hash)
    }
}

/// A token and its count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted<'a> {
    pub hash: u64,
    pub count: u64,
    /// Characters of the token.
    pub token: &'a [char],
}

/// The distinct words of a text with their counts.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    /// The characters of all words, concatenated.
    letters: Vec<char>,
    /// Count, start and length by hash.
    words: FxHashMap<u64, (u64, usize, usize)>,
    hasher: Hasher,
}

impl Vocabulary {
    /// Counts a word, including its padding.
    pub fn add(&mut self, word: &[char]) {
        self.hasher.set(word.iter().copied());
        match self.words.entry(self.hasher.word()) {
            Entry::Occupied(mut known) => known.get_mut().0 += 1,
            Entry::Vacant(new) => {
                new.insert((1, self.letters.len(), word.len()));
                self.letters.extend_from_slice(word);
            }
        }
    }

    /// Returns the words.
    pub fn words(&self) -> Vec<Counted<'_>> {
        let counted = |(&hash, &(count, start, length))| {
            let token: &[char] = &self.letters[start..start + length];
            Counted { hash, count, token }
        };
        self.words.iter().map(counted).collect()
    }

    /// Returns the n-grams of the words, of at least 1 character each.
    pub fn grams(&self, n: usize) -> Vec<Counted<'_>> {
        let mut grams: FxHashMap<u64, Counted> = FxHashMap::default();
        let mut hasher = Hasher::default();
        for word in self.words() {
            hasher.set(word.token.iter().copied());
            for (hash, token) in hasher.grams(n).zip(word.token.windows(n)) {
                grams.entry(hash).or_insert(Counted { hash, count: 0, token }).count += word.count;
            }
        }
        grams.into_values().collect()
    }
}

/// Returns the `most` most frequent tokens, ties by token, in no order.
pub(crate) fn most_frequent(mut tokens: Vec<Counted>, most: usize) -> Vec<Counted> {
    if most < tokens.len() {
        tokens.select_nth_unstable_by(most, |a, b| {
            b.count.cmp(&a.count).then_with(|| a.token.cmp(b.token))
        });
        tokens.truncate(most);
    }
    tokens
}

/// A table from the hash of a token to the languages with it, each with a value. The time of a
/// lookup does not depend on the table's size, except for cache misses.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Start and end in `pool`.
    places: FxHashMap<u64, (u32, u32)>,
    /// The postings of all tokens, concatenated.
    pool: Vec<(u16, f32)>,
}

/// The languages of a token, in the order of their numbers, with their values.
pub(crate) type Posting<'a> = &'a [(u16, f32)];

impl Table {
    /// Builds the table from hash, language and value.
    ///
    /// # Panics
    /// Panics with more than `u32::MAX` entries, a table of 32 GB.
    pub fn new(mut entries: Vec<(u64, u16, f32)>) -> Self {
        entries.sort_unstable_by_key(|&(hash, language, _)| (hash, language));
        let tokens = entries.chunk_by(|a, b| a.0 == b.0);
        let mut places =
            FxHashMap::with_capacity_and_hasher(tokens.clone().count(), Default::default());
        let mut end = 0u32;
        for token in tokens {
            let start = end;
            let length = u32::try_from(token.len()).ok();
            end = length
                .and_then(|length| start.checked_add(length))
                .expect("a table has fewer than 2^32 entries");
            places.insert(token[0].0, (start, end));
        }
        let pool = entries.iter().map(|&(_, language, value)| (language, value)).collect();
        Table { places, pool }
    }

    /// Returns the languages of a token.
    pub fn get(&self, hash: u64) -> Option<Posting<'_>> {
        self.places.get(&hash).map(|&(start, end)| &self.pool[start as usize..end as usize])
    }

    /// Returns the number of distinct tokens.
    pub fn tokens(&self) -> usize {
        self.places.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_to_a_hash_agree() {
        let mut hasher = Hasher::default();
        for word in ["", "a", "abcabc", "ہے", "𞤀𞤁𞤂x"] {
            hasher.set(word.chars());
            assert_eq!(hasher.len(), word.chars().count());
            assert_eq!(hasher.grams(hasher.len()).collect::<Vec<_>>(), [hasher.word()]);
            assert_eq!(hasher.grams(hasher.len() + 1).count(), 0);
            for n in 1..5 {
                let mut rolling = Rolling::new(n);
                for _ in 0..2 {
                    rolling.clear();
                    let rolled: Vec<u64> = word.chars().filter_map(|c| rolling.push(c)).collect();
                    assert_eq!(rolled, hasher.grams(n).collect::<Vec<_>>(), "{word} {n}");
                }
            }
        }
        hasher.set("abcabc".chars());
        let grams: Vec<u64> = hasher.grams(3).collect();
        assert_eq!(grams[0], grams[3]);
        assert_ne!(grams[0], grams[1]);
        assert_eq!(hasher.grams(1).next(), Some(hash_of('a')));
    }

    #[test]
    fn ties_are_cut_by_token() {
        let mut vocabulary = Vocabulary::default();
        for word in ["c", "b", "d", "d", "a"] {
            vocabulary.add(&word.chars().collect::<Vec<_>>());
        }
        let mut kept: Vec<&[char]> =
            most_frequent(vocabulary.words(), 3).iter().map(|counted| counted.token).collect();
        kept.sort();
        assert_eq!(kept, [['a'], ['b'], ['d']]);
        assert_eq!(most_frequent(vocabulary.words(), 9).len(), 4);
    }

    #[test]
    fn a_table_answers_what_it_was_given() {
        let table = Table::new(vec![(7, 2, 0.5), (9, 0, 0.25), (7, 1, 1.5)]);
        assert_eq!(table.get(7), Some([(1, 1.5), (2, 0.5)].as_slice()));
        assert!(table.get(8).is_none());
        assert_eq!(table.tokens(), 2);
    }
}
