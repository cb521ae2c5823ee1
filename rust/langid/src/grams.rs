//! Tokens as 64-bit hashes, counts of them, and tables from hash to the languages that have the token.
//!
//! The hash of a token is a polynomial over its characters, each mixed to 64 bits first, so that the hashes of all n-grams of
//! a word come from one pass over it. Two tokens of one table share a hash with a probability of about 2^-64: among ten
//! million tokens the odds of a single collision are three in a million, and it would cost two tokens their own scores.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Odd, so that multiplying by it loses nothing; the digits of the golden ratio.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// A character as 64 bits that look random (the finalizer of SplitMix64).
fn mix(c: char) -> u64 {
    let bits = u64::from(u32::from(c)).wrapping_add(1).wrapping_mul(BASE);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// The hash of a token of one character.
pub(crate) fn hash_of(c: char) -> u64 {
    mix(c)
}

/// The hashes of all n-grams of a word; reused from word to word.
#[derive(Debug, Default)]
pub(crate) struct Hasher {
    /// Element i is the hash of the first i characters.
    prefixes: Vec<u64>,
    /// Element n is `BASE` to the power of n.
    powers: Vec<u64>,
}

impl Hasher {
    /// Takes a word.
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

    /// Characters of the word.
    pub fn len(&self) -> usize {
        self.prefixes.len().saturating_sub(1)
    }

    /// The hash of the word as a whole.
    pub fn word(&self) -> u64 {
        self.prefixes.last().copied().unwrap_or(0)
    }

    /// The hashes of its n-grams, from the first on, as often as they occur.
    pub fn grams(&self, n: usize) -> impl Iterator<Item = u64> + '_ {
        let power = self.powers.get(n).copied().unwrap_or(0);
        let ends = self.prefixes.get(n..).unwrap_or_default();
        self.prefixes.iter().zip(ends).map(move |(start, end)| end.wrapping_sub(start.wrapping_mul(power)))
    }
}

/// The hashes of the n-grams of words of any length, character by character, in memory for one n-gram.
#[derive(Debug)]
pub(crate) struct Rolling {
    /// The last n characters, mixed, in a ring.
    last: Vec<u64>,
    at: usize,
    filled: usize,
    hash: u64,
    power: u64,
}

impl Rolling {
    /// For n-grams of `n` characters, 1 or more.
    pub fn new(n: usize) -> Self {
        let power = (0..n).fold(1u64, |power, _| power.wrapping_mul(BASE));
        Rolling { last: vec![0; n.max(1)], at: 0, filled: 0, hash: 0, power }
    }

    /// Forgets the characters so far: n-grams do not cross words.
    pub fn clear(&mut self) {
        self.last.fill(0);
        (self.at, self.filled, self.hash) = (0, 0, 0);
    }

    /// The n-gram that ends in `c`, once there are n characters. It equals [`Hasher::grams`].
    pub fn push(&mut self, c: char) -> Option<u64> {
        let new = mix(c);
        let old = std::mem::replace(&mut self.last[self.at], new);
        self.at = (self.at + 1) % self.last.len();
        self.hash = self.hash.wrapping_mul(BASE).wrapping_add(new).wrapping_sub(old.wrapping_mul(self.power));
        self.filled = (self.filled + 1).min(self.last.len());
        (self.filled == self.last.len()).then_some(self.hash)
    }
}

/// A token and how often it was met.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted<'a> {
    pub hash: u64,
    pub count: u64,
    /// Its characters.
    pub token: &'a [char],
}

/// The distinct words of a text with their counts.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    /// The characters of all words, one behind the other.
    letters: Vec<char>,
    /// By hash: count, start and length.
    words: FxHashMap<u64, (u64, usize, usize)>,
    hasher: Hasher,
}

impl Vocabulary {
    /// Counts a word, given with whatever it is padded with.
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

    /// The words.
    pub fn words(&self) -> Vec<Counted<'_>> {
        let counted = |(&hash, &(count, start, length))| {
            let token: &[char] = &self.letters[start..start + length];
            Counted { hash, count, token }
        };
        self.words.iter().map(counted).collect()
    }

    /// The n-grams of the words, 1 or more characters each.
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

/// The `most` most frequent tokens, ties by token, in no order.
pub(crate) fn most_frequent(mut tokens: Vec<Counted>, most: usize) -> Vec<Counted> {
    if most < tokens.len() {
        tokens.select_nth_unstable_by(most, |a, b| b.count.cmp(&a.count).then_with(|| a.token.cmp(b.token)));
        tokens.truncate(most);
    }
    tokens
}

/// From the hash of a token to the languages that have it, each with a value. Looking one up takes as long in a large table
/// as in a small one, but for the caches.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Start and end in `pool`.
    places: FxHashMap<u64, (u32, u32)>,
    /// The postings of all tokens, one behind the other.
    pool: Vec<(u16, f32)>,
}

/// The languages that have a token, in the order of their numbers, with their values.
pub(crate) type Posting<'a> = &'a [(u16, f32)];

impl Table {
    /// Builds the table from hash, language and value.
    ///
    /// # Panics
    /// With more than `u32::MAX` entries, which would be 32 GB of table.
    pub fn new(mut entries: Vec<(u64, u16, f32)>) -> Self {
        entries.sort_unstable_by_key(|&(hash, language, _)| (hash, language));
        let tokens = entries.chunk_by(|a, b| a.0 == b.0);
        let mut places = FxHashMap::with_capacity_and_hasher(tokens.clone().count(), Default::default());
        let mut end = 0u32;
        for token in tokens {
            let start = end;
            let length = u32::try_from(token.len()).ok();
            end = length.and_then(|length| start.checked_add(length)).expect("a table has fewer than 2^32 entries");
            places.insert(token[0].0, (start, end));
        }
        let pool = entries.iter().map(|&(_, language, value)| (language, value)).collect();
        Table { places, pool }
    }

    /// The languages that have a token.
    pub fn get(&self, hash: u64) -> Option<Posting<'_>> {
        self.places.get(&hash).map(|&(start, end)| &self.pool[start as usize..end as usize])
    }

    /// Distinct tokens.
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
        let mut kept: Vec<&[char]> = most_frequent(vocabulary.words(), 3).iter().map(|counted| counted.token).collect();
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
