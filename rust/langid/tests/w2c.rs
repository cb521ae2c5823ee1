//! The identifier of W2C by the example and the findings of its author.
#![allow(missing_docs, clippy::unwrap_used)]

use langid::{Identify, LangCode, W2c, W2cSettings};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn code(code: &str) -> LangCode {
    code.parse().unwrap()
}

/// Two toy languages under the names of two real ones.
fn one() -> LangCode {
    code("ces")
}
fn two() -> LangCode {
    code("slk")
}

/// No text is too short.
fn any_length() -> W2cSettings {
    W2cSettings { min_words: 0, min_characters: 0, ..W2cSettings::default() }
}

/// A word of so many of each letter.
fn word(letters: &[(char, usize)]) -> String {
    letters.iter().map(|&(letter, count)| letter.to_string().repeat(count)).collect()
}

#[test]
fn the_example_of_the_author() {
    let first = word(&[('b', 35), ('c', 20), ('d', 20), ('a', 13), ('f', 12)]);
    let second = word(&[('e', 30), ('b', 25), ('c', 20), ('a', 13), ('d', 12)]);
    let settings = W2cSettings { n: 1, keep: 3, ..any_length() };
    let w2c = W2c::train(&[(one(), &first), (two(), &second)], settings);
    let text = "aabbecdec";
    let scores = w2c.scores(text);
    // 2 b + 2 c + d = 2 * .35 / .75 + 3 * .20 / .75, and 2 e + 2 b + 2 c = 2.
    assert!((scores[0].1 - 1.3 / 0.75).abs() < 1e-6, "{scores:?}");
    assert!((scores[1].1 - 2.0).abs() < 1e-6, "{scores:?}");
    assert_eq!(w2c.identify(text, None), two());
    assert_eq!(w2c.identify(text, Some(&[one()])), one());
    assert_eq!(w2c.identify(text, Some(&[code("urd")])), LangCode::UND);
}

/// The case of Russian (`rus`) and Bulgarian (`bul`) in the publication. The weights of the smaller
/// language fall more steeply over the letters that both languages share. This counts against the
/// smaller language only if its weights are shares of the few n-grams that are kept.
#[test]
fn a_steeper_sibling_takes_a_language_when_too_much_is_kept() {
    let shared = ['а', 'о', 'и', 'е', 'н', 'т'];
    let with = |share: usize, own: &[(char, usize)]| {
        word(
            &shared
                .map(|letter| (letter, share))
                .into_iter()
                .chain(own.iter().copied())
                .collect::<Vec<_>>(),
        )
    };
    let flat: Vec<(char, usize)> = [('ы', 60), ('ё', 60)]
        .into_iter()
        .chain(('\u{460}'..='\u{479}').map(|letter| (letter, 20)))
        .collect();
    let steep: Vec<(char, usize)> =
        [('ъ', 70), ('щ', 70)].into_iter().chain(('a'..='n').map(|letter| (letter, 10))).collect();
    let (russian, bulgarian) = (with(60, &flat), with(120, &steep));
    let languages = [(code("bul"), bulgarian.as_str()), (code("rus"), russian.as_str())];
    let answer = |keep: usize| {
        let settings = W2cSettings { n: 1, keep, boosts: Vec::new(), ..any_length() };
        let w2c = W2c::train(&languages, settings);
        (w2c.identify(&russian, None).to_string(), w2c.identify(&bulgarian, None).to_string())
    };
    assert_eq!(answer(8), ("rus".to_owned(), "bul".to_owned()));
    assert_eq!(answer(2000), ("bul".to_owned(), "bul".to_owned()));
}

/// The same on text of both languages, if this machine has the shared one: in pages of ten
/// sentences.
#[test]
fn russian_is_bulgarian_when_too_much_is_kept() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared =
        std::env::var_os("CORPULYZER_SHARED").map_or(beside, PathBuf::from).join("data/langid");
    let read = |folder: &str, language: &str| {
        fs::read_to_string(shared.join(folder).join(format!("{language}.txt")))
    };
    let codes = ["bul", "rus"];
    let Ok(texts) =
        codes.map(|language| read("train", language)).into_iter().collect::<Result<Vec<_>, _>>()
    else {
        println!(
            "skipped: the shared texts in Russian and Bulgarian are not here (CORPULYZER_SHARED)"
        );
        return;
    };
    let texts: Vec<(LangCode, &str)> =
        codes.iter().zip(&texts).map(|(name, text)| (code(name), text.as_str())).collect();
    let lines = read("dev", "rus").unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    let russian = |keep: usize| {
        let w2c =
            W2c::train(&texts, W2cSettings { keep, boosts: Vec::new(), ..W2cSettings::default() });
        lines.chunks(10).filter(|page| w2c.identify(&page.join(" "), None) == code("rus")).count()
    };
    assert_eq!(russian(100), lines.len().div_ceil(10));
    assert_eq!(russian(2000), 0);
}

#[test]
fn punctuation_and_digits_of_ascii_are_deleted_and_case_is_kept() {
    let w2c = W2c::train(&[(one(), "A bc de"), (two(), "zz")], any_length());
    let clean = w2c.scores("A bc de");
    assert!(clean[0].1 > 0.0);
    assert_eq!(w2c.scores(" A,\tb568c \u{3000}(de.) 12 -- "), clean);
    assert!(w2c.scores("a bc de")[0].1 < clean[0].1);
    assert!(w2c.scores("A bc de”")[0].1 < clean[0].1);
}

#[test]
fn words_stand_between_pads() {
    // ___I __I_ _I__ I___ and no other: each has a quarter.
    let w2c = W2c::train(&[(one(), "I"), (two(), "zz")], any_length());
    assert_eq!(w2c.scores("I")[0].1, 1.0);
    assert_eq!(w2c.scores("Ix")[0].1, 0.25);
    assert_eq!(w2c.scores("xI I_")[0].1, 1.25);
}

#[test]
fn large_languages_are_boosted() {
    let text = "one and the same text for both of them";
    let order = |first: &str, second: &str| {
        W2c::train(&[(code(first), text), (code(second), text)], any_length())
            .identify("the same", None)
            .to_string()
    };
    assert_eq!(order("sco", "eng"), "eng");
    assert_eq!(order("cym", "sco"), "cym");
    let scores = W2c::train(&[(code("eng"), "I")], any_length()).scores("I");
    assert!((scores[0].1 - 1.1).abs() < 1e-6);
}

#[test]
fn pages_have_fifty_words_or_three_hundred_characters() {
    let w2c = W2c::train(&[(one(), "ab"), (two(), "zz")], W2cSettings::default());
    assert_eq!(w2c.identify(&"ab ".repeat(49), None), LangCode::UND);
    assert_eq!(w2c.identify(&("ab ".repeat(49) + "12 ..."), None), LangCode::UND);
    assert_eq!(w2c.identify(&"ab ".repeat(50), None), one());
    assert_eq!(w2c.identify(&"a".repeat(299), None), LangCode::UND);
    assert_eq!(w2c.identify(&"a".repeat(300), None), one());
    assert_eq!(w2c.identify(&("ab ".to_owned() + &"ä".repeat(296)), None), LangCode::UND);
    assert_eq!(w2c.identify(&("ab ".to_owned() + &"ä".repeat(297)), None), one());
    let w2c = W2c::train(&[(one(), "ab")], W2cSettings { min_words: 1, ..W2cSettings::default() });
    assert_eq!(w2c.identify("ab", None), one());
}

#[test]
fn texts_without_a_known_gram_are_undetermined() {
    let w2c = W2c::train(&[(one(), "ab"), (two(), "zz")], any_length());
    for text in ["", " ", "123 ...", "کتاب"] {
        assert_eq!(w2c.identify(text, None), LangCode::UND, "{text}");
    }
    assert_eq!(W2c::train(&[], any_length()).identify("ab", None), LangCode::UND);
    assert_eq!(W2c::train(&[(one(), "12")], any_length()).identify("ab", None), LangCode::UND);
    assert_eq!(w2c.languages(), vec![one(), two()]);
    assert!(w2c.version().starts_with("w2c/1-"));
}

#[test]
fn training_is_deterministic_and_ties_go_by_gram_and_language() {
    let settings = W2cSettings { n: 1, keep: 1, ..any_length() };
    let train = || W2c::train(&[(one(), "dcba"), (two(), "abx")], settings.clone());
    assert_eq!(train().scores("abcd"), [(one(), 1.0), (two(), 1.0)]);
    assert_eq!(train().scores("abcd"), train().scores("abcd"));
    assert_eq!(train().identify("abcd", None), one());
}

proptest! {
    #[test]
    fn any_text_has_an_answer(text in "(?s).{0,200}|[ab, 1]{0,80}", n in 0usize..6, keep in 0usize..40) {
        let settings = W2cSettings { n, keep, ..any_length() };
        let w2c = W2c::train(&[(one(), "abba baab, abc 12"), (two(), &text)], settings);
        let answer = w2c.identify(&text, None);
        prop_assert!([LangCode::UND, one(), two()].contains(&answer));
        prop_assert!(w2c.scores(&text).iter().all(|(_, score)| score.is_finite()));
    }
}
