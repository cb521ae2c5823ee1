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

/// Up to this length, in letters and word ends, a text has the whole surcharge.
const SHORT: u64 = 25;
/// From this length on it has none.
const LONG: u64 = 70;
/// Surcharge of a language of CLD2 or a rarer one, as a multiple of its cost.
const SURCHARGE: f64 = 1.75;
/// Surcharge of a language that no model has, as a multiple of its cost.
const UNKNOWN_SURCHARGE: f64 = 0.6;

/// Returns the cost of a language for a text of this length, from its [`cost`]. A short text is
/// often a name or a word of an interface, which is hardly ever in a rare language.
pub(crate) fn of_length(cost: u16, letters: u64) -> u64 {
    let is_rare = f64::from(cost) >= LISTED * UNITS_PER_BIT;
    with_surcharge(cost, if is_rare { SURCHARGE } else { 0.0 }, letters)
}

/// Returns the cost of text of this length in a language that no model has, from [`unknown`].
pub(crate) fn unknown_of_length(cost: u16, letters: u64) -> u64 {
    with_surcharge(cost, UNKNOWN_SURCHARGE, letters)
}

fn with_surcharge(cost: u16, surcharge: f64, letters: u64) -> u64 {
    let share = LONG.saturating_sub(letters).min(LONG - SHORT) as f64 / (LONG - SHORT) as f64;
    u64::from(cost) + (f64::from(cost) * surcharge * share) as u64
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
    fn short_text_in_a_rare_language_costs_more_than_long_text() {
        let [fin, vot] = ["fin", "vot"].map(|code| cost(code.parse().expect("a code")));
        let costs = [200, LONG, 50, SHORT, 3].map(|letters| of_length(vot, letters));
        assert!(costs.is_sorted() && costs[0] == costs[1] && costs[3] == costs[4], "{costs:?}");
        assert_eq!([costs[0], costs[3]], [vot, vot * 11 / 4].map(u64::from));
        assert!(costs[3] < unknown_of_length(unknown(), SHORT));
        assert_eq!(of_length(fin, 3), u64::from(fin));
        assert_eq!([of_length(0, 3), unknown_of_length(0, 3)], [0, 0]);
    }
}
