//! MinHash: detection of pages that share most of their word sequences.
//!
//! A text's shingles are its sequences of five tokens (for a shorter text the whole). The expected
//! share of equal values among the [`VALUES`] of two texts is the Jaccard index of their shingles
//! (Broder 1997), with a standard error of at most 1 / (2 sqrt(128)) = 4.4 %. The values come from
//! one hash per shingle: the least in each of 128 bins. Empty bins are filled from others chosen by
//! hashing (one permutation hashing with optimal densification, Shrivastava 2017). With [`BANDS`]
//! bands of [`ROWS`] values, two pages share a band with probability `1 - (1 - J^8)^16`: 6 % at J =
//! 0.5, 61 % at 0.7, 95 % at 0.8, 99.99 % at 0.9.

use crate::tokens::Token;

/// Tokens per shingle.
pub const SHINGLE: usize = 5;
/// Values per text.
pub const VALUES: usize = BANDS * ROWS;
/// Bands of values; pages with an equal band are near duplicates.
pub const BANDS: usize = 16;
/// Values per band.
pub const ROWS: usize = 8;

/// Returns the exclusive or of both halves of the product, a mixer as good as wyhash's.
pub fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from(b.rotate_left(32) ^ 0xd6e8_feb8_6659_fd93);
    product as u64 ^ (product >> 64) as u64
}

/// Returns the values of a text; `None` if it has no tokens.
pub fn values(tokens: &[Token]) -> Option<[u64; VALUES]> {
    sketch(tokens, SHINGLE, |token| token.hash)
}

/// Returns the values of a text whose shingles are sequences of `length` units, such as words or
/// characters, each with its hash; `None` if it has no units.
pub fn sketch<U>(units: &[U], length: usize, hash: impl Fn(&U) -> u64) -> Option<[u64; VALUES]> {
    let mut values = [u64::MAX; VALUES];
    let length = length.min(units.len());
    if length == 0 {
        return None;
    }
    for shingle in units.windows(length) {
        let hash =
            mix(shingle.iter().fold(0, |folded, unit| mix(folded, hash(unit))), length as u64);
        let bin = (hash >> 57) as usize;
        values[bin] = values[bin].min(hash & (u64::MAX >> 7));
    }
    let filled = values;
    for (bin, value) in values.iter_mut().enumerate() {
        // At least one bin is filled; with seven bits of a good hash it is found in few attempts.
        let mut attempt = 0u64;
        while *value == u64::MAX {
            attempt += 1;
            *value = filled[(mix(bin as u64 + 1, attempt) >> 57) as usize];
        }
    }
    Some(values)
}

/// Returns a key for each band of a text's values.
pub fn bands(values: &[u64; VALUES]) -> impl Iterator<Item = u64> + '_ {
    bands_of(values, BANDS, ROWS)
}

/// Returns a key for each of the first `bands` bands of `rows` values; fewer if there are not
/// enough values.
pub fn bands_of(
    values: &[u64; VALUES],
    bands: usize,
    rows: usize,
) -> impl Iterator<Item = u64> + '_ {
    let key = |(band, rows): (u64, &[u64])| rows.iter().fold(band, |key, &value| mix(key, value));
    (1..).zip(values.chunks_exact(rows)).take(bands).map(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: impl IntoIterator<Item = u64>) -> [u64; VALUES] {
        let token = |word| Token {
            hash: mix(word, 77),
            start: 0,
            end: 0,
            chars: 1,
            own: true,
            ends_sentence: false,
            ends_block: false,
        };
        values(&words.into_iter().map(token).collect::<Vec<_>>()).expect("tokens")
    }

    fn estimate(a: &[u64; VALUES], b: &[u64; VALUES]) -> f64 {
        a.iter().zip(b).filter(|(a, b)| a == b).count() as f64 / VALUES as f64
    }

    #[test]
    fn equal_values_estimate_the_jaccard_index() {
        // Two texts of 1,000 shingles, with `common` equal ones.
        for common in [0u64, 300, 500, 700, 900, 1000] {
            let jaccard = common as f64 / (2000 - common) as f64;
            let trials = 200;
            let mean = (0..trials)
                .map(|trial| {
                    let at = trial * 10_000;
                    let first = text(at..at + 1004);
                    let second = text((at..at + common + 4).chain(at + 5000..at + 6000 - common));
                    estimate(&first, &second)
                })
                .sum::<f64>()
                / trials as f64;
            // The shingles at the seam are in one text only: four of a thousand.
            assert!((mean - jaccard).abs() < 0.02, "{common}: {mean} for {jaccard}");
        }
    }

    #[test]
    fn short_texts_have_values_too() {
        assert!(values(&[]).is_none());
        assert_eq!(text([1, 2]), text([1, 2]));
        assert!(estimate(&text([1, 2]), &text([1, 3])) < 0.1);
    }

    #[test]
    fn near_pages_meet_and_far_ones_do_not() {
        let meet =
            |a: &[u64; VALUES], b: &[u64; VALUES]| bands(a).zip(bands(b)).any(|(a, b)| a == b);
        let trials = 300u64;
        let share = |common: u64| {
            let met = (0..trials).filter(|trial| {
                let at = trial * 10_000;
                let second = text((at..at + common + 4).chain(at + 5000..at + 6000 - common));
                meet(&text(at..at + 1004), &second)
            });
            met.count() as f64 / trials as f64
        };
        // Jaccard .905, .7, .333.
        assert!(share(950) > 0.99, "{}", share(950));
        assert!((share(824) - 0.61).abs() < 0.12, "{}", share(824));
        assert!(share(500) < 0.02, "{}", share(500));
    }
}
