//! A static hash table from tokens (words, character n-grams) to the languages that have them.
//!
//! Made once by [`build`], then only read, straight from a mapped file or from the program's own image. A token is a 64-bit
//! hash: 40 bits choose its bucket, 16 are its fingerprint. A bucket is one cache line of 12 slots, so that a token that is not
//! there costs one line, whatever the size of the table. A fingerprint fools a token that is not in the table once in
//! some 5,000 times; what it then reads are the languages of another token, a small noise in a sum over many.
//!
//! Bytes come from a file and may be anything: every read is checked, and a wrong offset is an empty list.

/// Bytes of a bucket: 12 fingerprints of two bytes, 12 offsets of three, one byte that says whether the bucket overflowed.
pub(crate) const BUCKET: usize = 64;
const SLOTS: usize = 12;
const OFFSETS: usize = 2 * SLOTS;
const OVERFLOW: usize = OFFSETS + 3 * SLOTS;

/// Slots in use, of a hundred: fuller tables are smaller and overflow more.
const LOAD: usize = 90;

/// A token's language (its index in the section) and cost, below [`ABSENT`].
pub(crate) type Posting = [u8; 2];

/// Stands in a row for a language that does not have the token.
pub(crate) const ABSENT: u8 = 255;

/// The languages that have a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List<'a> {
    /// A single one.
    One(Posting),
    /// Some of them: pairs of language and cost.
    Pairs(&'a [Posting]),
    /// Most of them: a cost for each language of the section, or [`ABSENT`].
    Row(&'a [u8]),
}

impl List<'_> {
    const NONE: List<'static> = List::Pairs(&[]);
}

/// Where a token's languages are: an offset into the lists, or with [`ALONE`] the only language and its cost.
pub(crate) type Place = u32;

/// The place of a token that no language has.
pub(crate) const NOWHERE: Place = Place::MAX;

/// Marks the place of a token that one language has: most of them, which so cost no look into the lists.
const ALONE: Place = 1 << 23;

/// The count that says that a row follows.
const ROW: u8 = 255;

/// A table in bytes that somebody else keeps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table<'a> {
    /// Whole buckets, at least one.
    buckets: &'a [u8],
    /// Lists of postings: a count, then as many pairs; or [`ROW`], then a byte for each language.
    lists: &'a [u8],
    languages: usize,
}

impl<'a> Table<'a> {
    /// A table over bytes that [`build`] made. None if there is no whole bucket.
    pub fn new(buckets: &'a [u8], lists: &'a [u8], languages: usize) -> Option<Self> {
        (!buckets.is_empty() && buckets.len().is_multiple_of(BUCKET)).then_some(Self { buckets, lists, languages })
    }

    /// Where the languages of a token are, [`NOWHERE`] if no language has it. Finding and reading are two steps so that many
    /// tokens can be found at once: the processor waits for memory once for all of them, not once for each.
    #[inline]
    pub fn find(&self, token: u64) -> Place {
        let mut bucket = home(token, self.buckets.len() / BUCKET);
        let print = fingerprint(token);
        // A table whose every bucket says that it overflowed would lead around for ever.
        for _ in 0..8 {
            let Some(line) = self.buckets[bucket * BUCKET..].first_chunk::<BUCKET>() else { return NOWHERE };
            // All slots are compared, without a branch for each.
            let mut slot = SLOTS;
            for index in (0..SLOTS).rev() {
                let here = u16::from_le_bytes([line[2 * index], line[2 * index + 1]]);
                slot = if here == print { index } else { slot };
            }
            if slot < SLOTS {
                let at = OFFSETS + 3 * slot;
                return Place::from_le_bytes([line[at], line[at + 1], line[at + 2], 0]);
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

    /// Reads a byte of a token's bucket, so that the bucket is at hand when the token is looked for.
    #[inline]
    pub fn touch(&self, token: u64) -> u8 {
        let bucket = home(token, self.buckets.len() / BUCKET);
        self.buckets.get(bucket * BUCKET + OVERFLOW).copied().unwrap_or(0)
    }

    /// Reads a byte of the list at a place, if there is one.
    #[inline]
    pub fn touch_list(&self, place: Place) -> u8 {
        self.lists.get(place as usize).copied().unwrap_or(0)
    }

    /// The languages at a place.
    #[inline]
    pub fn list(&self, place: Place) -> List<'a> {
        if place & ALONE != 0 {
            return List::One([place as u8, (place >> 8) as u8]);
        }
        let Some((&count, rest)) = self.lists.get(place as usize..).and_then(|list| list.split_first()) else {
            return List::NONE;
        };
        if count == ROW {
            return rest.get(..self.languages).map_or(List::NONE, List::Row);
        }
        rest.get(..2 * usize::from(count)).map_or(List::NONE, |pairs| List::Pairs(pairs.as_chunks().0))
    }
}

/// The bucket where a token belongs.
#[inline]
fn home(token: u64, buckets: usize) -> usize {
    // A number below `buckets`, from the hash's upper half: a multiplication instead of a division.
    (((token >> 24) * buckets as u64) >> 40) as usize
}

/// What tells a token from the others of its bucket; never zero, which is an empty slot.
#[inline]
fn fingerprint(token: u64) -> u16 {
    (token as u16).max(1)
}

/// Buckets and lists of a table for so many languages. The same tokens give the same bytes, in whatever order they come.
///
/// # Errors
/// When the lists are longer than offsets can say (8 MiB).
pub(crate) fn build(mut tokens: Vec<(u64, Vec<Posting>)>, languages: usize) -> Result<(Vec<u8>, Vec<u8>), TooLarge> {
    tokens.sort_unstable();
    let count = (tokens.len() * 100 / LOAD).div_ceil(SLOTS).max(1);
    let mut buckets = vec![0; count * BUCKET];
    let mut lists = Vec::new();
    let mut known = std::collections::HashMap::new();
    for (token, postings) in tokens {
        if let [[language, cost]] = postings[..] {
            place(&mut buckets, token, ALONE | Place::from(language) | Place::from(cost) << 8);
            continue;
        }
        let offset = *known.entry(postings).or_insert_with_key(|postings| {
            let offset = lists.len();
            if 2 * postings.len() >= languages.max(2) {
                let first = lists.len() + 1;
                lists.push(ROW);
                lists.resize(first + languages, ABSENT);
                for &[language, cost] in postings {
                    lists[first + usize::from(language)] = cost;
                }
            } else {
                lists.push(postings.len() as u8);
                lists.extend(postings.iter().flatten());
            }
            offset
        });
        match Place::try_from(offset) {
            Ok(offset) if offset < ALONE => place(&mut buckets, token, offset),
            _ => return Err(TooLarge),
        }
    }
    Ok((buckets, lists))
}

/// Writes a token into the first free slot from its bucket on. In a table that is not overfull there is one within eight
/// buckets; a token that finds none is left out.
fn place(buckets: &mut [u8], token: u64, place: Place) {
    let count = buckets.len() / BUCKET;
    let mut bucket = home(token, count);
    for _ in 0..8 {
        let line = &mut buckets[bucket * BUCKET..(bucket + 1) * BUCKET];
        let free = (0..SLOTS).find(|slot| line[2 * slot] == 0 && line[2 * slot + 1] == 0);
        if let Some(slot) = free {
            line[2 * slot..2 * slot + 2].copy_from_slice(&fingerprint(token).to_le_bytes());
            let at = OFFSETS + 3 * slot;
            line[at..at + 3].copy_from_slice(&place.to_le_bytes()[..3]);
            return;
        }
        line[OVERFLOW] = 1;
        bucket = (bucket + 1) % count;
    }
}

/// A table's lists are longer than its offsets can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// A hash of characters: of a word, or of the last characters of a text as an n-gram.
#[inline]
pub(crate) fn hash(seed: u64, letters: &[char]) -> u64 {
    finish(letters.iter().fold(seed, |hash, &letter| step(hash, letter)))
}

/// One character more of a hash that is not finished.
#[inline]
pub(crate) fn step(hash: u64, letter: char) -> u64 {
    (hash.rotate_left(5) ^ u64::from(letter)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Spreads every bit of a hash over all of them (the finaliser of SplitMix64).
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

    #[test]
    fn every_token_is_found_with_its_languages_and_few_others_are() {
        let languages = 8;
        let postings = |n: u64| -> Vec<Posting> { (0..=(n % 6) as u8).map(|l| [l, (n % 200) as u8]).collect() };
        let tokens = (0..50_000).map(|n| (token(n), postings(n))).collect();
        let (buckets, lists) = build(tokens, languages).unwrap();
        let table = Table::new(&buckets, &lists, languages).unwrap();
        let found = |n| -> Vec<Posting> {
            match table.list(table.find(token(n))) {
                List::One(posting) => vec![posting],
                List::Pairs(pairs) => pairs.to_vec(),
                List::Row(row) => {
                    (0..).zip(row.iter().copied()).map(<[u8; 2]>::from).filter(|p| p[1] != ABSENT).collect()
                }
            }
        };
        let wrong = (0..50_000).filter(|&n| found(n) != postings(n)).count();
        assert!(wrong < 20, "{wrong} of 50,000 share bucket and fingerprint");
        let fooled = (100_000..200_000).filter(|&n| table.find(token(n)) != NOWHERE).count();
        assert!(fooled < 60, "{fooled} of 100,000");
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
                match table.list(table.find(token)) {
                    List::One(_) => {}
                    List::Pairs(pairs) => prop_assert!(pairs.len() < 255),
                    List::Row(row) => prop_assert_eq!(row.len(), languages),
                }
            }
        }
    }
}
