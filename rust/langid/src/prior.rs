//! How common languages are on the web, as costs.
//!
//! One or two words fit several languages about equally, and without a prior the result is often a
//! language of a few thousand speakers. The prior is a cost that is paid once for a text, so it
//! weighs less the longer the text is. With a target it is not used: a rare target would lose to
//! its common neighbours.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_languages_cost_less_than_rare_ones() {
        let costs =
            ["eng", "fin", "ast", "isl", "vot"].map(|code| cost(code.parse().expect("a code")));
        assert!(costs.is_sorted() && costs[0] == 0 && costs[4] < unknown(), "{costs:?}");
    }
}
