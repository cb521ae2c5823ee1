//! The probability that the language of a text is right.
//!
//! It is a logistic regression on two measures of the models: the margin, which is the additional
//! cost of the next language in bits, and the room, which is how far the surprise is below its
//! limit (`lm.rs`). It was fitted to the results for the development set and the Declaration, each
//! with half of the weight: whole texts, their first eight words and their first four. Half of the
//! languages of the Declaration have no model. The probability is therefore that of a mixture of
//! texts in known and in unknown languages. `models/README.md` has the measurements.

use crate::lm::Judged;

/// Weights of the regression.
const BASE: f64 = -3.1;
const MARGIN: f64 = 0.754;
const ROOM: f64 = 2.86;

/// The probability of a language that CLD2 chose: the share of such results that are right.
pub(crate) const OF_CLD2: f64 = 0.5;

/// Returns the probability that the language that the models found is right.
pub(crate) fn of_models(judged: &Judged) -> f64 {
    // Without another language, only the room counts.
    let margin = judged.margin.unwrap_or(0.0);
    let odds = BASE + MARGIN * margin.ln_1p() + ROOM * judged.room;
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Combined, Identify, LangCode};

    fn judged(margin: f64, room: f64) -> Judged {
        Judged {
            language: LangCode::UND,
            cost: 0,
            surprise: 0.0,
            letters: 1,
            margin: Some(margin),
            room,
            yields: false,
        }
    }

    #[test]
    fn a_larger_margin_and_more_room_are_more_probable() {
        let [weak, wide, roomy, both] =
            [(1.0, 0.1), (60.0, 0.1), (1.0, 1.2), (60.0, 1.2)].map(|(m, r)| judged(m, r));
        assert!(of_models(&weak) < of_models(&wide) && of_models(&weak) < of_models(&roomy));
        assert!(of_models(&both) > 0.9 && of_models(&weak) < 0.2);
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
