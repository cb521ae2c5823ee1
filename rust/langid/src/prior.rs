//! How common languages are on the web, as costs.
//!
//! One or two words fit several languages about equally, and without a prior the result is often a
//! language of a few thousand speakers. The prior is a cost that is paid once for a text, so it
//! weighs less the longer the text is. For rare languages it has a surcharge on short text, because
//! the lines of interfaces, names and titles would else be in one of them. With a target it is not
//! used: a rare target would lose to its common neighbours.
//!
//! The costs are smaller than those that the languages' shares of the web would give.
//! `models/README.md` lists the gains in large languages and the losses in their small neighbours.

use crate::lm::UNITS_PER_BIT;
use crate::LangCode;

/// Languages of at least 1 % of websites (W3Techs' survey of content languages).
const ONE_PERCENT: [&str; 16] = [
    "eng", "spa", "deu", "jpn", "fra", "por", "rus", "ita", "nld", "pol", "tur", "zho", "fas",
    "vie", "ind", "ces",
];

/// Languages of at least 0.1 % of websites (the same survey).
const TENTH_PERCENT: [&str; 21] = [
    "kor", "ara", "ukr", "hun", "swe", "ron", "ell", "dan", "fin", "heb", "slk", "tha", "bul",
    "hrv", "nob", "srp", "lit", "slv", "cat", "est", "lav",
];

/// Other languages whose Wikipedia has about 100,000 articles or more, unless programs wrote most
/// of them (arz, azb, ceb, che, lld, min, nan, tat, vol, war). Their readers and writers use the
/// web, even if the survey counts their sites as those of a neighbour (Asturian, Bosnian, Nynorsk).
const ENCYCLOPEDIA: [&str; 28] = [
    "afr", "ast", "aze", "bel", "ben", "bos", "cym", "epo", "eus", "glg", "hin", "hye", "kat",
    "kaz", "lat", "mar", "mkd", "msa", "mya", "nno", "sqi", "tam", "tel", "tgk", "urd", "uzb",
    "yue", "zsm",
];

/// Cost of a language of [`TENTH_PERCENT`], in bits.
const TENTH: f64 = 2.0;
/// Cost of a language of [`ENCYCLOPEDIA`], in bits.
const WRITTEN: f64 = 2.5;
/// Cost of another language of CLD2, in bits: CLD2 has the languages that its authors found on the
/// web.
const LISTED: f64 = 4.5;
/// Cost of all other languages, in bits.
const RARE: f64 = 8.0;
/// Cost of a language that no model has, in bits.
const UNKNOWN: f64 = 15.0;

/// Returns the cost of a language before any text is read, in units of `lm.rs`.
pub(crate) fn cost(language: LangCode) -> u16 {
    let bits = if ONE_PERCENT.contains(&language.as_str()) {
        0.0
    } else if TENTH_PERCENT.contains(&language.as_str()) {
        TENTH
    } else if ENCYCLOPEDIA.contains(&language.as_str()) {
        WRITTEN
    } else if LangCode::of_cld2_tables().contains(&language) {
        LISTED
    } else {
        RARE
    };
    (bits * UNITS_PER_BIT) as u16
}

/// Returns the cost of text in a language that no model has, in units of `lm.rs`.
pub(crate) fn unknown() -> u16 {
    (UNKNOWN * UNITS_PER_BIT) as u16
}

/// Returns whether a language of this [`cost`] is rare: a language of CLD2 that is not common, or
/// one that only the models have.
pub(crate) fn is_rare(cost: u16) -> bool {
    f64::from(cost) >= LISTED * UNITS_PER_BIT
}

/// Length from which on a text is not short, in letters and word ends.
pub(crate) const LONG: u64 = 70;
/// Up to this length a text has the whole [`UNKNOWN_SURCHARGE`].
const SHORT: u64 = 25;
/// Surcharge of a language that no model has for short text, as a multiple of its cost.
const UNKNOWN_SURCHARGE: f64 = 0.8;

/// Evidence for a rare language, and for the closest common one, in a short text.
pub(crate) struct Evidence {
    /// Words of the text.
    pub words: u32,
    /// Those of them that are one of 1,000 words of the rare language or more.
    pub function_words: u32,
    /// Those of these that are no such words of the common language.
    pub own: u32,
    /// Such words of the common language that are none of the rare one.
    pub of_common: u32,
    /// Share of the text's letters that are in words of the rare language's tables.
    pub known: f64,
    /// Words of the rare language's training text.
    pub trained: u32,
}

/// Bits by which a rare language must be likelier than every common one in short text.
const DEMAND: f64 = 6.6;
/// Additional bits for each doubling of the words, with one more.
const OF_WORDS: f64 = 2.2;
/// Additional bits if the language has all words. Words that are known but not frequent are mostly
/// names and international words.
const OF_KNOWN: f64 = 6.0;
/// Bits less for each doubling of the function words, with one more.
const OF_FUNCTION_WORDS: f64 = 6.3;
/// Bits less for each doubling of those that the common language lacks.
const OF_OWN: f64 = 2.6;
/// Additional bits for each doubling of the common language's own function words, with one more.
const OF_COMMON: f64 = 4.4;
/// Bits less for each doubling of the training text from [`TRAINED`] words on, more below.
const OF_TRAINING: f64 = 1.1;
const TRAINED: f64 = 22_000.0;

/// Returns by how much a rare language must be likelier than every common one in a short text, in
/// units of `lm.rs`. Such a text is often a name, or a word of an interface, which is hardly ever
/// in a rare language, unless it has function words of that language.
///
/// The weights are those of a logistic regression for the lines of translation files, Tatoeba,
/// NTREX and the Declaration for which a rare language is likelier than every common one.
pub(crate) fn demand(evidence: &Evidence) -> u64 {
    let doublings = |count: u32| f64::from(count + 1).log2();
    let trained = (f64::from(evidence.trained.clamp(500, 100_000)) / TRAINED).log2();
    let bits = DEMAND
        + OF_WORDS * doublings(evidence.words)
        + OF_KNOWN * evidence.known
        + OF_COMMON * doublings(evidence.of_common)
        - OF_FUNCTION_WORDS * doublings(evidence.function_words)
        - OF_OWN * doublings(evidence.own)
        - OF_TRAINING * trained;
    (bits.max(0.0) * UNITS_PER_BIT) as u64
}

/// Returns the cost of text of this length in a language that no model has, from [`unknown`].
pub(crate) fn unknown_of_length(cost: u16, letters: u64) -> u64 {
    let share = LONG.saturating_sub(letters).min(LONG - SHORT) as f64 / (LONG - SHORT) as f64;
    u64::from(cost) + (f64::from(cost) * UNKNOWN_SURCHARGE * share) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_languages_cost_less_than_rare_ones() {
        let costs =
            ["eng", "fin", "ast", "isl", "vot"].map(|code| cost(code.parse().expect("a code")));
        assert!(costs.is_sorted() && costs[0] == 0 && costs[4] < unknown(), "{costs:?}");
    }

    #[test]
    fn function_words_lower_the_demand_and_names_raise_it() {
        let of = |words, function_words, known, trained| {
            let own = function_words;
            let of_common = 0;
            demand(&Evidence { words, function_words, own, of_common, known, trained })
        };
        assert!(of(1, 0, 1.0, 20_000) > of(1, 0, 0.0, 20_000));
        assert!(of(5, 2, 0.6, 20_000) < of(5, 0, 0.6, 20_000));
        assert!(of(5, 2, 0.6, 20_000) < of(5, 2, 0.6, 1_000));
        assert_eq!(of(5, 5, 0.6, 20_000), 0);
    }

    #[test]
    fn short_text_is_more_costly_for_a_language_without_a_model() {
        let costs = [200, LONG, 50, SHORT, 3].map(|letters| unknown_of_length(unknown(), letters));
        assert!(costs.is_sorted() && costs[0] == costs[1] && costs[3] == costs[4], "{costs:?}");
        assert_eq!(unknown_of_length(0, 3), 0);
        let [fin, vot] = ["fin", "vot"].map(|code| cost(code.parse().expect("a code")));
        assert!(is_rare(vot) && !is_rare(fin));
    }
}
