//! The margin by which a language of an added pack must be likelier than those of the library.
//!
//! A pack adds languages that are close to those of the library, often with models of tweets or of
//! little text. Text of a language that the library knows must not be lost to them. The packs of a
//! user are therefore guarded: the library's models decide as they do without these packs, and a
//! language of a pack takes the text only by a margin. The margin grows with the text, because the
//! costs of close languages differ by chance too, and with the function words that only the
//! library's language has; it falls with those that only the pack's language has. If the library has
//! no result, the margin is half as large.
//!
//! Where a pack has further text of a language of the library, the library's models compete alone,
//! and mixed with the pack's. A pack that has a target is not guarded, nor is a language whose
//! library's models the pack [replaces](crate::Language::replaces).
//!
//! The numbers were chosen on Tatoeba, NTREX, translation files, the Declaration, and the tests of
//! NusaX and PARME with the seed pack. `models/seed.md` has the recall that it takes and gains.

use crate::lm::UNITS_PER_BIT;

/// Least margin of a text of no letters, in bits.
const BASE: f64 = 12.0;
/// Additional bits for a letter or word end, up to [`MAX_LETTERS`].
const OF_LETTERS: f64 = 0.15;
const MAX_LETTERS: u64 = 200;
/// Additional bits for each doubling of the function words, with one more, that only the library's
/// language has.
const OF_LIBRARY: f64 = 12.0;
/// Bits less for each doubling of those that only the pack's language has.
const OF_OWN: f64 = 6.0;
/// Share of the margin if the library has no result.
const WITHOUT_RESULT: f64 = 0.5;
/// Least margin, in units of `lm.rs`: 4 bits.
pub(crate) const MIN_MARGIN: u16 = 48;

/// A language of a guarded pack and one of the library, for a text.
pub(crate) struct Rivals {
    /// Letters and word ends of the text.
    pub letters: u64,
    /// Words of the text that are function words of the pack's language only.
    pub own: u32,
    /// Those that are function words of the library's language only.
    pub of_library: u32,
    /// Whether the library's language is a result.
    pub is_known: bool,
}

/// Returns the margin in units of `lm.rs`.
pub(crate) fn units(rivals: &Rivals) -> u64 {
    let doublings = |words: u32| f64::from(words + 1).log2();
    let bits = BASE
        + OF_LETTERS * rivals.letters.min(MAX_LETTERS) as f64
        + OF_LIBRARY * doublings(rivals.of_library)
        - OF_OWN * doublings(rivals.own);
    let bits = bits * if rivals.is_known { 1.0 } else { WITHOUT_RESULT };
    ((bits * UNITS_PER_BIT).max(0.0) as u64).max(u64::from(MIN_MARGIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_depends_on_length_and_function_words() {
        let of = |letters, own, of_library, is_known| {
            units(&Rivals { letters, own, of_library, is_known })
        };
        assert!(of(40, 0, 0, true) < of(140, 0, 0, true));
        assert_eq!(of(200, 0, 0, true), of(5000, 0, 0, true));
        assert!(of(40, 0, 2, true) > of(40, 0, 0, true));
        assert!(of(40, 3, 0, true) < of(40, 1, 0, true));
        assert_eq!(of(40, 0, 0, false) * 2, of(40, 0, 0, true));
        assert_eq!(of(4, 60, 0, true), u64::from(MIN_MARGIN));
    }
}
