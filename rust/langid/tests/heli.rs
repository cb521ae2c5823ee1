//! HeLI by the figures of the method, computed by hand.
#![allow(missing_docs, clippy::unwrap_used)]

use langid::{Heli, HeliSettings, Identify, Keep, LangCode};
use proptest::prelude::*;

fn code(code: &str) -> LangCode {
    code.parse().unwrap()
}

/// Two toy languages under the names of two real ones.
fn a() -> LangCode {
    code("deu")
}
fn b() -> LangCode {
    code("eng")
}

fn toy(settings: HeliSettings) -> Heli {
    Heli::train(&[(a(), "aba aba ab"), (b(), "bab ba ba")], settings)
}

fn all() -> HeliSettings {
    HeliSettings { keep: Keep::Above(5e-7), ..HeliSettings::default() }
}

fn of(language: LangCode, scores: &[(LangCode, f32)]) -> f64 {
    f64::from(scores.iter().find(|(of, _)| *of == language).unwrap().1)
}

#[test]
fn scores_are_those_of_the_published_method() {
    let heli = toy(all());
    for (text, in_a, in_b) in [
        ("aba ba", 3.588046, 3.588046),
        ("abab", 3.698970, 3.801030),
        ("aba aba ba", 2.450728, 4.725364),
        ("bb", 4.020696, 0.761439),
    ] {
        let scores = heli.scores(text);
        assert!((of(a(), &scores) - in_a).abs() < 1e-6, "{text} {scores:?}");
        assert!((of(b(), &scores) - in_b).abs() < 1e-6, "{text} {scores:?}");
    }
}

#[test]
fn the_first_language_of_the_list_wins_ties() {
    assert_eq!(toy(all()).identify("aba ba", None), a());
    let turned = Heli::train(&[(b(), "bab ba ba"), (a(), "aba aba ab")], all());
    assert_eq!(turned.identify("aba ba", None), b());
    assert_eq!(turned.languages(), [a(), b()]);
}

#[test]
fn a_language_that_is_not_allowed_is_as_if_it_had_not_been_trained() {
    let heli = toy(all());
    assert_eq!(heli.identify("aba aba ba", None), a());
    assert_eq!(heli.identify("aba aba ba", Some(&[b()])), b());
    assert_eq!(heli.identify("aba aba ba", Some(&[code("urd")])), LangCode::UND);
    assert_eq!(heli.identify("aba aba ba", Some(&[])), LangCode::UND);
    let third = Heli::train(
        &[(a(), "aba aba ab"), (code("fra"), "bbbab abbba"), (b(), "bab ba ba")],
        all(),
    );
    for text in ["bbbab", "abbba ba", "aba bbb", "babab aabb"] {
        assert_eq!(third.identify(text, Some(&[b(), a()])), heli.identify(text, None), "{text}");
    }
}

#[test]
fn tables_keep_the_most_frequent_tokens_and_share_among_them() {
    let settings = HeliSettings { keep: Keep::Top(1), nmax: 0, ..HeliSettings::default() };
    let scores = toy(settings).scores("aba");
    assert_eq!((of(a(), &scores), of(b(), &scores)), (0.0, 7.0));
    // Of the words "c" and "b" as frequent as one another, the lesser one stays.
    let tied = Heli::train(&[(a(), "c b")], settings);
    assert_eq!(tied.tokens(), 1);
    assert!(tied.scores("c").is_empty());
    assert_eq!(of(a(), &tied.scores("b")), 0.0);
    let above = HeliSettings { keep: Keep::Above(0.5), nmax: 0, ..HeliSettings::default() };
    assert_eq!(toy(above).tokens(), 2);
}

#[test]
fn short_and_repetitive_texts_are_undetermined() {
    let heli = toy(all());
    assert_eq!(heli.identify("ba b", None), LangCode::UND);
    assert_eq!(heli.identify("ba ba", None), b());
    assert_eq!(heli.identify(&"ba ".repeat(15), None), b());
    assert_eq!(heli.identify(&"ba ".repeat(16), None), LangCode::UND);
    assert_eq!(heli.identify(&"ba ab ".repeat(15), None), b());
    assert_eq!(heli.identify(&("ba ab ".repeat(15) + "ba"), None), LangCode::UND);
    let short = HeliSettings { min_characters: 0, ..all() };
    assert_eq!(toy(short).identify("bb", None), b());
}

#[test]
fn words_of_which_nothing_is_known_are_left_out_and_most_such_words_leave_no_answer() {
    let heli = toy(all());
    assert!(heli.scores("c").is_empty());
    assert_eq!(heli.identify("کتاب مدرسہ", None), LangCode::UND);
    assert_eq!(heli.identify("", None), LangCode::UND);
    assert_eq!(heli.identify("12345 67", None), LangCode::UND);
    assert_eq!(of(a(), &heli.scores("aba c ba")), of(a(), &heli.scores("aba ba")));
    assert_eq!(heli.identify("bab ccc", None), b());
    assert_eq!(heli.identify("bab ccc ddd", None), LangCode::UND);
}

#[test]
fn texts_of_one_language_are_one_text() {
    let parts = [(a(), "aba aba"), (b(), "bab ba ba"), (a(), "ab")];
    assert_eq!(Heli::train(&parts, all()).scores("abab bb"), toy(all()).scores("abab bb"));
}

#[test]
fn a_language_without_text_has_no_token() {
    let heli = Heli::train(&[(a(), ""), (b(), "bab ba ba")], all());
    assert_eq!(of(a(), &heli.scores("ba")), 7.0);
    assert_eq!(heli.identify("ba bab", None), b());
    assert_eq!(Heli::train(&[], all()).identify("ba bab", None), LangCode::UND);
}

#[test]
fn keyboards_and_joiners_make_no_difference() {
    let heli = Heli::train(&[(code("fas"), "می\u{200c}روم کتاب")], all());
    assert_eq!(heli.scores("ميروم كتاب"), heli.scores("می\u{200c}روم کتاب"));
}

#[test]
fn n_is_as_great_as_words_are_long() {
    let settings = HeliSettings { nmax: usize::MAX, ..all() };
    assert_eq!(of(b(), &toy(settings).scores("bb")), of(b(), &toy(all()).scores("bb")));
}

const TEXTS: [(&str, &str); 3] = [
    ("eng", "The committee will publish its report on the water supply of the old town next week."),
    ("deu", "Der Ausschuss wird nächste Woche seinen Bericht über die Wasserversorgung der Altstadt vorlegen."),
    ("urd", "کمیٹی اگلے ہفتے پرانے شہر میں پانی کی فراہمی پر اپنی رپورٹ شائع کرے گی۔"),
];

fn trained(settings: HeliSettings) -> Heli {
    let texts: Vec<(LangCode, &str)> =
        TEXTS.iter().map(|&(language, text)| (code(language), text)).collect();
    Heli::train(&texts, settings)
}

#[test]
fn training_is_deterministic() {
    let settings = HeliSettings { keep: Keep::Top(7), ..HeliSettings::default() };
    let (one, other) = (trained(settings), trained(settings));
    assert_eq!(one.tokens(), other.tokens());
    for text in TEXTS.map(|(_, text)| text) {
        assert_eq!(one.scores(text), other.scores(text));
    }
}

#[test]
fn sentences_are_in_the_language_that_their_words_look_like() {
    let heli = trained(HeliSettings::default());
    assert_eq!(heli.identify("they reported what the town will supply", None), code("eng"));
    assert_eq!(heli.identify("das Wasser der Stadt", None), code("deu"));
    assert_eq!(heli.identify("شہر کی کمیٹی میں", None), code("urd"));
    assert!(heli.version().starts_with("heli/1-"));
}

proptest! {
    #[test]
    fn any_text_has_an_answer(text in "(?s).{0,200}|[ab ']{0,80}|[ a-c\u{301}\u{200d}کيİ𞤀]{0,80}", size in 0usize..30) {
        let heli = trained(HeliSettings { keep: Keep::Top(size), min_characters: 0, ..HeliSettings::default() });
        let known = heli.languages();
        for allowed in [None, Some([code("eng"), code("zul")].as_slice())] {
            let answer = heli.identify(&text, allowed);
            prop_assert!(answer == LangCode::UND || known.contains(&answer));
            prop_assert!(answer == LangCode::UND || allowed.is_none_or(|allowed| allowed.contains(&answer)));
        }
        prop_assert!(heli.scores(&text).iter().all(|(_, score)| score.is_finite() && *score >= -1e-6));
    }

    #[test]
    fn any_text_trains(text in "(?s).{0,200}") {
        let heli = Heli::train(&[(a(), &text)], HeliSettings::default());
        prop_assert!(heli.scores(&text).iter().all(|(_, score)| score.is_finite()));
    }
}
