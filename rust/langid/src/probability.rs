//! The probability that the language of a text is right.
//!
//! It is a logistic regression on measures of the models: the margin, which is the additional cost
//! of the next language, for each letter; the surprise, which is the cost above the language's
//! usual one (`lm.rs`); the letters of the text; and whether CLD2 finds the same language. It was
//! fitted to the results for the development set, with three quarters of the weight, and for every
//! second language of the Declaration: paragraphs, sentences, and their first two, three, four and
//! eight words. Half of the languages of the Declaration have no model, so an eighth of the weight
//! is text in unknown languages. `models/README.md` has the measurements.

use crate::lm::Judged;
use crate::{Cld2, Identify, LangCode};

/// Weights of the regression.
const BASE: f64 = -1.16;
/// Of the logarithm of one plus the margin of ten letters, in bits.
const MARGIN: f64 = 1.26;
/// If the models have no other language in the script.
const ALONE: f64 = 4.52;
/// Of the logarithm of the number of letters and word ends.
const LETTERS: f64 = 0.17;
/// Of a bit of surprise for each letter.
const SURPRISE: f64 = -1.5;
/// If CLD2 finds the same language.
const AGREES: f64 = 1.51;
/// If CLD2 has the language, and finds another one.
const DISAGREES: f64 = -0.66;

/// Surprises count up to so many bits for each letter.
const MAX_SURPRISE: f64 = 3.0;

/// The probability of a language that CLD2 found when the models found none: the share of such
/// results that are right.
pub(crate) const OF_CLD2: f64 = 0.5;

/// Returns the probability that a language is right if the models accept a language for the text,
/// be it this one, or another one about as likely of which CLD2 chose this.
pub(crate) fn of_models(judged: &Judged, text: &str, language: LangCode) -> f64 {
    let of_cld2 = match Cld2.identify(text, None) {
        found if found == language => AGREES,
        LangCode::UND => 0.0,
        _ if LangCode::of_cld2_tables().contains(&language) => DISAGREES,
        _ => 0.0,
    };
    1.0 / (1.0 + (-odds(judged) - of_cld2).exp())
}

/// Returns the logarithm of the odds without CLD2.
fn odds(judged: &Judged) -> f64 {
    let letters = judged.letters.max(1) as f64;
    let margin = |bits: f64| MARGIN * (10.0 * bits / letters).ln_1p();
    BASE + judged.margin.map_or(ALONE, margin)
        + LETTERS * letters.ln()
        + SURPRISE * judged.surprise.clamp(-MAX_SURPRISE, MAX_SURPRISE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Combined;

    fn judged(margin: Option<f64>, surprise: f64, letters: u64) -> Judged {
        let language = LangCode::UND;
        Judged { language, cost: 0, surprise, letters, margin, yields: false, least: None }
    }

    #[test]
    fn a_larger_margin_less_surprise_and_more_letters_are_more_probable() {
        let of = |margin, surprise, letters| odds(&judged(Some(margin), surprise, letters));
        assert!(of(1.0, 0.0, 20) < of(30.0, 0.0, 20));
        assert!(of(1.0, 0.0, 20) < of(1.0, -1.0, 20));
        assert!(of(1.0, 0.0, 20) < of(10.0, 0.0, 200));
        assert!(odds(&judged(None, 0.0, 20)) > 3.0, "alone in its script");
    }

    #[test]
    fn a_result_is_more_probable_if_cld2_agrees() {
        let text = "The man came to the village after the rain had stopped for good.";
        let of = |code: &str| {
            of_models(&judged(Some(5.0), 0.0, 64), text, code.parse().expect("a code"))
        };
        assert!(of("eng") > of("vot") && of("vot") > of("fin"), "one that CLD2 lacks is between");
    }

    #[test]
    fn long_text_alone_in_its_script_or_close_to_a_neighbour_is_probable() {
        let identifier = Combined::new(Vec::new(), None);
        let georgian = "ადამიანი სოფელში მაშინ მოვიდა, როცა წვიმამ სამუდამოდ გადაიღო";
        let bokmal = "Mannen kom til landsbyen etter at regnet hadde sluttet for godt, og barna \
                      ventet på ham ved den gamle kirken, men ingen kjente ham igjen.";
        for (text, least) in [(georgian, 0.9), (bokmal, 0.7)] {
            let language = identifier.identify(text, None);
            let found = identifier.probability(text, language).expect("a script of the models");
            assert!(found > least, "{language}: {found}");
        }
    }

    #[test]
    fn a_sentence_is_surer_than_its_first_word_and_und_has_no_probability() {
        let identifier = Combined::new(Vec::new(), None);
        let sentence = "یہ سردیوں کی ایک صبح تھی اور بازار میں لوگ آہستہ آہستہ جمع ہو رہے تھے۔";
        let urdu = identifier.identify(sentence, None);
        assert_eq!(urdu.as_str(), "urd");
        let of = |text| identifier.probability(text, urdu).expect("a script of the models");
        assert!(of(sentence) > 0.9 && of("بازار") < of(sentence), "{}", of(sentence));
        assert_eq!(identifier.probability(sentence, LangCode::UND), None);
        assert_eq!(identifier.probability("12 + 3", urdu), None);
    }

    #[test]
    fn text_in_scripts_without_models_has_no_probability() {
        let urdu: LangCode = "urd".parse().expect("a code");
        let identifier = Combined::new(Vec::new(), Some(urdu));
        let english = "The man came to the village after the rain had stopped for good.";
        assert_eq!(identifier.probability(english, identifier.identify(english, None)), None);
    }
}
