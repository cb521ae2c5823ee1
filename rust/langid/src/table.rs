//! A static hash table from tokens (words, character n-grams) to the languages that have them.
//!
//! [`build`] creates it once; then it is only read, directly from a pack. A token is a 64-bit hash:
//! 40 bits select its bucket, 16 are its fingerprint. A bucket is one cache line of 12 slots, so
//! that a lookup of a missing token reads one line, whatever the size of the table. A missing token
//! matches a fingerprint with a probability of about 1 in 5,000; it then has the languages of
//! another token, a small error in a large sum.
//!
//! The bytes come from a file and are untrusted: every read is checked, and a wrong offset is an
//! empty list.

use crate::lanes::prefetch;
use rustc_hash::FxHashMap;

/// Bytes of a bucket: 12 fingerprints of two bytes, 12 offsets of three bytes, and one byte for the
/// overflow flag.
pub(crate) const BUCKET: usize = 64;
const SLOTS: usize = 12;
const OFFSETS: usize = 2 * SLOTS;
const OVERFLOW: usize = OFFSETS + 3 * SLOTS;

/// Percentage of slots in use: fuller tables are smaller and overflow more often.
const LOAD: usize = 92;

/// A token's language (its index in the section) and cost, below [`ABSENT`].
pub(crate) type Posting = [u8; 2];

/// Marks a language without the token in a row.
pub(crate) const ABSENT: u8 = 255;

/// The languages that have a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List<'a> {
    /// A single one.
    One(Posting),
    /// Some languages: pairs of language and cost.
    Pairs(&'a [Posting]),
    /// Most languages: a cost, or [`ABSENT`], for each language of the section.
    Row(&'a [u8]),
}

impl List<'_> {
    const NONE: List<'static> = List::Pairs(&[]);

    /// Calls `each` for every language and its cost, in order.
    #[inline]
    pub fn for_each(self, mut each: impl FnMut(Posting)) {
        match self {
            Self::One(posting) => each(posting),
            Self::Pairs(pairs) => pairs.iter().for_each(|&posting| each(posting)),
            Self::Row(row) => {
                let known = (0..).zip(row).filter(|(_, &cost)| cost != ABSENT);
                known.for_each(|(language, &cost)| each([language, cost]));
            }
        }
    }
}

/// The place of a token's languages: an offset into the lists, or with [`ALONE`] the only language
/// and its cost.
pub(crate) type Place = u32;

/// The place of a token without languages.
pub(crate) const NOWHERE: Place = Place::MAX;

/// Tables with at least this many buckets are sampled: every fourth bucket is enough for the
/// closeness of languages.
const SAMPLED: usize = 4096;

/// Marks the place of a token that one language has. Most tokens are of this kind and need no
/// access to the lists.
const ALONE: Place = 1 << 23;

/// The count that marks a row.
const ROW: u8 = 255;

/// A table in borrowed bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table<'a> {
    /// Whole buckets, at least one.
    buckets: &'a [u8],
    /// Lists of postings: a count, then as many pairs; or [`ROW`], then a byte for each language.
    lists: &'a [u8],
    languages: usize,
}

impl<'a> Table<'a> {
    /// Creates a table over bytes of [`build`]; `None` if there is no whole bucket.
    pub fn new(buckets: &'a [u8], lists: &'a [u8], languages: usize) -> Option<Self> {
        (!buckets.is_empty() && buckets.len().is_multiple_of(BUCKET)).then_some(Self {
            buckets,
            lists,
            languages,
        })
    }

    /// Returns the place of a token's languages; [`NOWHERE`] if there are none. Lookup and reading
    /// are separate steps so that the memory accesses of many tokens overlap.
    #[inline]
    pub fn find(&self, token: u64) -> Place {
        let mut bucket = home(token, self.buckets.len() / BUCKET);
        let print = fingerprint(token);
        // The limit prevents an endless loop if every bucket of a damaged table has the overflow
        // flag.
        for _ in 0..8 {
            let Some(line) = self.buckets[bucket * BUCKET..].first_chunk::<BUCKET>() else {
                return NOWHERE;
            };
            if let Some(slot) = slot_of(line, print) {
                return read(line, slot);
            }
            if line[OVERFLOW] == 0 {
                return NOWHERE;
            }
            bucket += 1;
            if bucket * BUCKET == self.buckets.len() {
                bucket = 0;
            }
        }
        NOWHERE
    }

    /// Prefetches a token's bucket.
    #[inline]
    pub fn prefetch(&self, token: u64) {
        prefetch(self.buckets, home(token, self.buckets.len() / BUCKET) * BUCKET, BUCKET);
    }

    /// Prefetches the list at a place.
    #[inline]
    pub fn prefetch_list(&self, place: Place) {
        prefetch(self.lists, place as usize, 1);
    }

    /// Returns the languages at a place.
    #[inline]
    pub fn list(&self, place: Place) -> List<'a> {
        if place & ALONE != 0 {
            return List::One([place as u8, (place >> 8) as u8]);
        }
        let Some((&count, rest)) =
            self.lists.get(place as usize..).and_then(|list| list.split_first())
        else {
            return List::NONE;
        };
        if count == ROW {
            return rest.get(..self.languages).map_or(List::NONE, List::Row);
        }
        rest.get(..2 * usize::from(count))
            .map_or(List::NONE, |pairs| List::Pairs(pairs.as_chunks().0))
    }

    /// Returns, for each of some languages, the closeness of every language of the table to it: the
    /// number of shared tokens over the square root of the other language's number of tokens. The
    /// root compensates for languages with little text, whose tokens are the frequent ones.
    pub fn closeness(&self, to: &[u8]) -> Vec<Vec<f64>> {
        let mut shared = vec![vec![0u32; self.languages]; to.len()];
        let mut tokens = vec![0u32; self.languages];
        let known = |language: &u8| usize::from(*language) < self.languages;
        let mut languages: Vec<u8> = Vec::new();
        let mut row = [None; 256];
        to.iter().enumerate().for_each(|(at, &language)| row[usize::from(language)] = Some(at));
        let buckets = self.buckets.as_chunks::<BUCKET>().0;
        for (_, place) in
            buckets.iter().step_by(if buckets.len() < SAMPLED { 1 } else { 4 }).flat_map(filled)
        {
            languages.clear();
            self.list(place).for_each(|[language, _]| languages.push(language));
            languages.retain(known);
            languages.iter().for_each(|&language| tokens[usize::from(language)] += 1);
            for at in languages.iter().filter_map(|&language| row[usize::from(language)]) {
                languages.iter().for_each(|&language| shared[at][usize::from(language)] += 1);
            }
        }
        let close =
            |(&shared, &tokens): (&u32, &u32)| f64::from(shared) / f64::from(tokens.max(1)).sqrt();
        shared.iter().map(|shared| shared.iter().zip(&tokens).map(close).collect()).collect()
    }

    /// Returns buckets and lists of a table with only the languages that have a new number in
    /// `numbers`, all below `languages`.
    ///
    /// The tokens stay in their buckets, because the full hashes are not stored.
    pub fn narrowed(&self, numbers: &[Option<u8>], languages: usize) -> (Vec<u8>, Vec<u8>) {
        let mut buckets = self.buckets.to_vec();
        let mut lists = Lists::new(languages);
        for line in buckets.as_chunks_mut::<BUCKET>().0 {
            for (slot, place) in filled(&line.clone()) {
                let mut kept = Vec::new();
                self.list(place).for_each(|[language, cost]| {
                    let number = numbers.get(usize::from(language)).copied().flatten();
                    kept.extend(number.map(|number| [number, cost]));
                });
                // Shortened lists are stored without duplicates, so that all of them fit.
                match lists.add(kept).ok().flatten() {
                    Some(place) => write(line, slot, place),
                    None => line[2 * slot..2 * slot + 2].fill(0),
                }
            }
        }
        (buckets, lists.bytes)
    }
}

/// Returns the bucket of a token.
#[inline]
fn home(token: u64, buckets: usize) -> usize {
    // A number below `buckets` from the hash's upper half; a multiplication is faster than a
    // division.
    (((token >> 24) * buckets as u64) >> 40) as usize
}

/// Returns the fingerprint of a token within its bucket; never zero, which marks an empty slot.
#[inline]
fn fingerprint(token: u64) -> u16 {
    (token as u16).max(1)
}

/// Returns buckets and lists of a table for `languages` languages. The result does not depend on
/// the order of the tokens.
///
/// # Errors
/// Fails if the lists are longer than offsets allow (8 MiB).
pub(crate) fn build(
    mut tokens: Vec<(u64, Vec<Posting>)>,
    languages: usize,
) -> Result<(Vec<u8>, Vec<u8>), TooLarge> {
    tokens.sort_unstable();
    let count = (tokens.len() * 100 / LOAD).div_ceil(SLOTS).max(1);
    let mut buckets = vec![0; count * BUCKET];
    let mut lists = Lists::new(languages);
    for (token, postings) in tokens {
        if let Some(list) = lists.add(postings)? {
            place(&mut buckets, token, list);
        }
    }
    Ok((buckets, lists.bytes))
}

/// Writes lists of postings without duplicates.
struct Lists {
    languages: usize,
    bytes: Vec<u8>,
    known: FxHashMap<Vec<Posting>, Place>,
}

impl Lists {
    fn new(languages: usize) -> Self {
        Self { languages, bytes: Vec::new(), known: FxHashMap::default() }
    }

    /// Adds a list and returns its place; `None` for an empty list.
    fn add(&mut self, postings: Vec<Posting>) -> Result<Option<Place>, TooLarge> {
        match postings[..] {
            [] => return Ok(None),
            [[language, cost]] => {
                return Ok(Some(ALONE | Place::from(language) | Place::from(cost) << 8))
            }
            _ => {}
        }
        if let Some(&place) = self.known.get(&postings) {
            return Ok(Some(place));
        }
        let place = Place::try_from(self.bytes.len())
            .ok()
            .filter(|&place| place < ALONE)
            .ok_or(TooLarge)?;
        if 2 * postings.len() >= self.languages.max(2) {
            let first = self.bytes.len() + 1;
            self.bytes.push(ROW);
            self.bytes.resize(first + self.languages, ABSENT);
            for &[language, cost] in &postings {
                self.bytes[first + usize::from(language)] = cost;
            }
        } else {
            self.bytes.push(postings.len() as u8);
            self.bytes.extend(postings.iter().flatten());
        }
        self.known.insert(postings, place);
        Ok(Some(place))
    }
}

/// Returns the used slots of a bucket and their places.
fn filled(line: &[u8; BUCKET]) -> impl Iterator<Item = (usize, Place)> + '_ {
    let is_filled = |slot: &usize| line[2 * slot] != 0 || line[2 * slot + 1] != 0;
    (0..SLOTS).filter(is_filled).map(|slot| (slot, read(line, slot)))
}

/// Returns the first slot with a fingerprint. Four slots are compared at a time, without branches.
#[inline]
fn slot_of(line: &[u8; BUCKET], print: u16) -> Option<usize> {
    const PRINTS: usize = 4;
    /// A one in every lane of 16 bits.
    const ONES: u64 = 0x0001_0001_0001_0001;
    /// All bits of every lane except the highest.
    const LOW: u64 = 0x7FFF * ONES;
    let wanted = u64::from(print) * ONES;
    let [one, two, three, ..] = line.as_chunks::<{ 2 * PRINTS }>().0 else { return None };
    // The highest bit of each lane without a difference.
    let equal = |prints: &[u8; 2 * PRINTS]| {
        let differs = u64::from_le_bytes(*prints) ^ wanted;
        !(((differs & LOW) + LOW) | differs | LOW)
    };
    // The three parts have different bits of a lane.
    let all = equal(one) >> 2 | equal(two) >> 1 | equal(three);
    if all == 0 {
        return None;
    }
    let slot = |bit: u32| (bit % 16 - 13) as usize * PRINTS + bit as usize / 16;
    let first = slot(all.trailing_zeros());
    // Two tokens of a bucket rarely have the same fingerprint.
    let others = all & (all - 1);
    Some(if others == 0 { first } else { rest_of(others).map(slot).fold(first, usize::min) })
}

/// Returns the indices of the ones of a number.
#[cold]
fn rest_of(mut ones: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (ones != 0).then(|| ones.trailing_zeros());
        ones &= ones.wrapping_sub(1);
        bit
    })
}

/// Returns the place in a slot.
#[inline]
fn read(line: &[u8; BUCKET], slot: usize) -> Place {
    let at = OFFSETS + 3 * slot;
    Place::from_le_bytes([line[at], line[at + 1], line[at + 2], 0])
}

/// Writes the place in a slot.
fn write(line: &mut [u8; BUCKET], slot: usize, place: Place) {
    let at = OFFSETS + 3 * slot;
    line[at..at + 3].copy_from_slice(&place.to_le_bytes()[..3]);
}

/// Writes a token to the first free slot from its bucket on. Unless the table is overfull, there is
/// one within eight buckets; a token without a free slot is omitted.
fn place(buckets: &mut [u8], token: u64, place: Place) {
    let lines = buckets.as_chunks_mut::<BUCKET>().0;
    let mut bucket = home(token, lines.len());
    for _ in 0..8 {
        let line = &mut lines[bucket];
        let free = (0..SLOTS).find(|slot| line[2 * slot] == 0 && line[2 * slot + 1] == 0);
        if let Some(slot) = free {
            line[2 * slot..2 * slot + 2].copy_from_slice(&fingerprint(token).to_le_bytes());
            write(line, slot, place);
            return;
        }
        line[OVERFLOW] = 1;
        bucket = (bucket + 1) % lines.len();
    }
}

/// A table's lists are longer than offsets allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// Returns a hash of characters: of a word, or of the last characters of a text as an n-gram.
#[inline]
pub(crate) fn hash(seed: u64, letters: &[char]) -> u64 {
    finish(letters.iter().fold(seed, |hash, &letter| step(hash, letter)))
}

/// Adds a character to an unfinished hash.
#[inline]
pub(crate) fn step(hash: u64, letter: char) -> u64 {
    (hash.rotate_left(5) ^ u64::from(letter)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Spreads every bit of a hash over all bits (the finaliser of SplitMix64).
#[inline]
pub(crate) fn finish(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn token(number: u64) -> u64 {
        finish(number.wrapping_add(77))
    }

    fn postings_at(table: &Table, place: Place) -> Vec<Posting> {
        let mut postings = Vec::new();
        if place != NOWHERE {
            table.list(place).for_each(|posting| postings.push(posting));
        }
        postings
    }

    #[test]
    fn every_token_is_found_with_its_languages_and_few_others_are() {
        let languages = 8;
        let postings = |n: u64| -> Vec<Posting> {
            (0..=(n % 6) as u8).map(|l| [l, (n % 200) as u8]).collect()
        };
        let tokens = (0..50_000).map(|n| (token(n), postings(n))).collect();
        let (buckets, lists) = build(tokens, languages).unwrap();
        let table = Table::new(&buckets, &lists, languages).unwrap();
        let found = |n| postings_at(&table, table.find(token(n)));
        let wrong = (0..50_000).filter(|&n| found(n) != postings(n)).count();
        assert!(wrong < 20, "{wrong} of 50,000 share bucket and fingerprint");
        let fooled = (100_000..200_000).filter(|&n| table.find(token(n)) != NOWHERE).count();
        assert!(fooled < 60, "{fooled} of 100,000");
    }

    #[test]
    fn a_narrowed_table_has_the_kept_languages_as_they_were_and_no_other() {
        let languages = 20;
        let postings = |n: u64| -> Vec<Posting> {
            (n % 3..=n % 20).map(|l| [l as u8, (n % 199 + l) as u8]).collect()
        };
        let tokens = (0..20_000).map(|n| (token(n), postings(n))).collect();
        let (buckets, lists) = build(tokens, languages).unwrap();
        let numbers: Vec<Option<u8>> = (0..20)
            .map(|language| [1, 7, 8].iter().position(|&kept| kept == language))
            .map(|at| at.map(|at| at as u8))
            .collect();
        let (buckets, lists) =
            Table::new(&buckets, &lists, languages).unwrap().narrowed(&numbers, 3);
        let table = Table::new(&buckets, &lists, 3).unwrap();
        let found = |n| postings_at(&table, table.find(token(n)));
        let kept = |n| -> Vec<Posting> {
            postings(n)
                .into_iter()
                .filter_map(|[l, cost]| Some([numbers[usize::from(l)]?, cost]))
                .collect()
        };
        let wrong = (0..20_000).filter(|&n| found(n) != kept(n)).count();
        assert!(wrong < 20, "{wrong} of 20,000 share bucket and fingerprint");
    }

    #[test]
    fn the_closest_language_shares_the_most_tokens() {
        let of = |n: u64| -> Vec<Posting> {
            [
                (0, n.is_multiple_of(2)),
                (1, n.is_multiple_of(4)),
                (2, n.is_multiple_of(10)),
                (3, !n.is_multiple_of(2)),
            ]
            .into_iter()
            .filter_map(|(language, has)| has.then_some([language, 9]))
            .collect()
        };
        let (buckets, lists) = build((0..1000).map(|n| (token(n), of(n))).collect(), 4).unwrap();
        let closeness = Table::new(&buckets, &lists, 4).unwrap().closeness(&[0, 3]);
        let expected = [
            [500.0 / 500f64.sqrt(), 250.0 / 250f64.sqrt(), 100.0 / 100f64.sqrt(), 0.0],
            [0.0, 0.0, 0.0, 500f64.sqrt()],
        ];
        for (found, expected) in closeness.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() < 0.5, "{closeness:?}");
        }
    }

    #[test]
    fn the_order_of_tokens_does_not_matter() {
        let tokens: Vec<_> = (0..1000u64).map(|n| (token(n), vec![[n as u8, 3]])).collect();
        let backwards = tokens.iter().rev().cloned().collect();
        assert_eq!(build(tokens, 255), build(backwards, 255));
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_asked(
            buckets in prop::collection::vec(any::<u8>(), 64..600),
            lists in prop::collection::vec(any::<u8>(), 0..99),
            token: u64,
            languages in 0usize..255,
        ) {
            let whole = buckets.len() / BUCKET * BUCKET;
            if let Some(table) = Table::new(&buckets[..whole], &lists, languages) {
                let numbers: Vec<_> = (0..languages).map(|at| (at % 2 == 0).then_some((at / 2) as u8)).collect();
                let (narrow, _) = table.narrowed(&numbers, languages / 2 + 1);
                prop_assert_eq!(narrow.len(), whole);
                prop_assert_eq!(table.closeness(&[0, 1]).len(), 2);
                match table.list(table.find(token)) {
                    List::One(_) => {}
                    List::Pairs(pairs) => prop_assert!(pairs.len() < 255),
                    List::Row(row) => prop_assert_eq!(row.len(), languages),
                }
            }
        }
    }
}
