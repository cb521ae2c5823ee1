//! Nutch's `TextProfileSignature`: texts with the same frequent words in about the same numbers have the same one.
//!
//! Words are runs of letters and digits of more than two UTF-16 units in lower case; their counts are rounded down to a quantum of a
//! hundredth of the largest (at least 2, or 1 if no word comes twice), what is rounded to nothing goes, and the rest is hashed, most
//! frequent first. Words of equal counts come in the order of Java's `HashMap`, which [`nutch`] has, or sorted, as in [`sorted`].

use crate::signs::{kind, lower, LETTER, MARK};
use hashbrown::HashMap;
use md5::{Digest, Md5};
use std::cmp::Reverse;
use std::fmt::Write as _;

/// Words of at most so many UTF-16 units do not count (Nutch's `db.signature.text_profile.min_token_len`).
const MIN_TOKEN_LENGTH: usize = 2;

/// Quantum of counts, of the largest (Nutch's `db.signature.text_profile.quant_rate`).
const QUANT_RATE: f32 = 0.01;

/// A word with its count.
struct Word<'a> {
    text: &'a str,
    count: u32,
}

/// What `TextProfileSignature` of Nutch 2.4 makes of a text, under its default settings. None for an empty text, of which Nutch takes
/// the MD5 of the page instead.
///
/// Equal but where Java's tables of characters (JDK 17: Unicode 13) lack a letter that ours have, and where eight or more words fall
/// into one bucket of the `HashMap`, which makes a tree of it.
pub fn nutch(text: &str) -> Option<[u8; 16]> {
    signature(text, is_nutch_letter, |words, different| {
        // A HashMap of Java doubles at three quarters, and lists bucket after bucket, each in order of insertion.
        let mut buckets = 16u32;
        while different as u64 * 4 > u64::from(buckets) * 3 && buckets < 1 << 30 {
            buckets *= 2;
        }
        words.sort_by_cached_key(|word| {
            let hash =
                word.text.encode_utf16().fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
            (hash ^ (hash >> 16)) & (buckets - 1)
        });
    })
}

/// The same with two faults mended: words of equal counts are sorted, so that no other word decides on their order, and combining
/// marks belong to words, so that Hindi or Thai words are not cut at their vowels.
pub fn sorted(text: &str) -> Option<[u8; 16]> {
    signature(text, |c| kind(c) & (LETTER | MARK) != 0, |words, _| words.sort_by(|a, b| a.text.cmp(b.text)))
}

/// Java looks at UTF-16 units, and halves of a pair are no letters.
fn is_nutch_letter(c: char) -> bool {
    (c as u32) < 0x1_0000 && kind(c) & LETTER != 0
}

/// `arrange` gets the words that are left, in order of their first coming, and how many different ones there were.
fn signature(
    text: &str,
    is_letter: impl Fn(char) -> bool,
    arrange: impl Fn(&mut Vec<Word>, usize),
) -> Option<[u8; 16]> {
    if text.is_empty() {
        return None;
    }
    let mut lowered = String::with_capacity(text.len());
    let mut ends = Vec::new();
    let (mut start, mut units) = (0, 0);
    for c in text.chars().chain(std::iter::once(' ')) {
        if is_letter(c) {
            let c = lower(c);
            lowered.push(c);
            units += c.len_utf16();
            continue;
        }
        if units > MIN_TOKEN_LENGTH {
            ends.push(lowered.len());
            start = lowered.len();
        } else {
            lowered.truncate(start);
        }
        units = 0;
    }
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut words: Vec<Word> = Vec::new();
    let mut start = 0;
    for end in ends {
        let text = &lowered[start..end];
        start = end;
        let place = *places.entry(text).or_insert(words.len());
        match words.get_mut(place) {
            Some(word) => word.count += 1,
            None => words.push(Word { text, count: 1 }),
        }
    }
    let most = words.iter().map(|word| word.count).max().unwrap_or(0);
    // Math.round of Java; counts are small enough for an f32 to hold.
    let quantum = match (most as f32 * QUANT_RATE + 0.5).floor() as u32 {
        0 | 1 => 1 + u32::from(most > 1),
        quantum => quantum,
    };
    let different = words.len();
    words.iter_mut().for_each(|word| word.count = word.count / quantum * quantum);
    words.retain(|word| word.count > 0);
    arrange(&mut words, different);
    words.sort_by_key(|word| Reverse(word.count));
    let mut profile = String::new();
    for (number, word) in words.iter().enumerate() {
        let separator = if number == 0 { "" } else { "\n" };
        let _ = write!(profile, "{separator}{} {}", word.text, word.count);
    }
    Some(Md5::digest(profile).into())
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
        // The vowel signs of हिन्दी are marks: Nutch sees ह, न, द, each too short.
        assert_eq!(nutch("हिन्दी"), md5(""));
        assert_eq!(sorted("हिन्दी"), md5("हिन्दी 1"));
    }
}
