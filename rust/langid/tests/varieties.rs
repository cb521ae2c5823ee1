//! Varieties of a language: training, identification, files.
#![allow(clippy::unwrap_used)]

use langid::{
    open_varieties, train_varieties, LangCode, Varieties, VarietyText, MIN_VARIETY_LINES,
    MIN_VARIETY_SCORE, NO_VARIETY, VARIETY_WORDS,
};
use std::fs;

fn code(text: &str) -> LangCode {
    text.parse().unwrap()
}

/// Lines in two made-up varieties: the same stems, another ending and another word for `not`.
fn lines(ending: &str, not: &str) -> String {
    let stems =
        ["bal", "dor", "fin", "gam", "kel", "lum", "mar", "nis", "pol", "ruk", "sed", "tov"];
    let line = |number: usize| {
        let word = |step: usize| stems[(number * step + step) % stems.len()];
        format!("{}{ending} {not} {} {}{ending} {}\n", word(1), word(5), word(7), word(11))
    };
    (0..60).map(line).collect()
}

fn two_varieties() -> Vec<u8> {
    let (upper, lower) = (lines("anka", "ni"), lines("olt", "keve"));
    let texts = [
        VarietyText { variety: "upper", text: &upper },
        VarietyText { variety: "lower", text: &lower },
    ];
    train_varieties(code("nor"), &texts).unwrap()
}

#[test]
fn two_made_up_varieties_are_told_apart_in_new_words() {
    let model = Varieties::of_bytes(&two_varieties()).unwrap();
    assert_eq!(model.language(), code("nor"));
    assert_eq!(model.names().collect::<Vec<_>>(), [("lower", 60), ("upper", 60)]);
    for (text, expected) in
        [("zupanka ni wit hasanka", "upper"), ("Zupolt keve wit HASOLT!", "lower")]
    {
        let variety = model.identify(text);
        assert_eq!(variety.name, expected, "{text}");
        assert!(variety.score >= MIN_VARIETY_SCORE && variety.score <= 1.0, "{variety:?}");
    }
    assert_eq!(two_varieties(), two_varieties(), "the same texts give the same bytes");
}

#[test]
fn text_that_a_model_cannot_read_has_no_variety() {
    let model = Varieties::of_bytes(&two_varieties()).unwrap();
    for text in ["", "  \n", "1 2 3 4", "zupanka", "متن به زبان دیگر است", "\u{0}\u{1}\u{fffd}"]
    {
        let variety = model.identify(text);
        assert_eq!((variety.name, variety.score), (NO_VARIETY, 0.0), "{text:?}");
    }
    // Each class is as likely as the other, up to the bias.
    let unknown = model.identify("ccc xxx qqq www yyy hhh");
    assert!(unknown.score < 0.6, "{unknown:?}");
}

#[test]
fn only_the_first_words_count() {
    let model = Varieties::of_bytes(&two_varieties()).unwrap();
    let first = "zupanka ni wit ".repeat(VARIETY_WORDS / 3);
    let (short, long) = (first.clone(), first + &"hasolt keve ".repeat(1000));
    assert_eq!(model.identify(&short), model.identify(&long));
    let mixed = format!("{} zupanka ni wit", "یہ اردو ہے ".repeat(100));
    assert_eq!(model.identify(&mixed).name, "upper", "words in other scripts are skipped");
    // Without words in the script at the start, only 64 KiB are searched.
    let far = format!("{}zupanka ni wit", "یہ ".repeat(1 << 22));
    assert_eq!(model.identify(&far).score, 0.0);
}

#[test]
fn training_text_that_is_too_little_or_badly_named_is_refused() {
    let (few, text) = ("one two three\n".repeat(MIN_VARIETY_LINES - 1), lines("a", "b"));
    let train = |texts: &[(&str, &str)]| {
        let texts: Vec<_> =
            texts.iter().map(|&(variety, text)| VarietyText { variety, text }).collect();
        train_varieties(code("nor"), &texts).unwrap_err().to_string()
    };
    assert_eq!(
        train(&[("few", &few), ("x", &text)]),
        "variety `few` has 19 lines with 3 words or more, needed are 20"
    );
    assert_eq!(train(&[("x", &text)]), "found texts in 1 variety, allowed are 2 to 64");
    for name in ["und", "", "a b", "ä", "a\tb", &"x".repeat(33)] {
        let said = train(&[(name, &text), ("x", &text)]);
        assert!(said.contains("is no name of a variety; allowed are"), "{said}");
    }
}

#[test]
fn a_damaged_file_is_refused_wherever_it_is_damaged() {
    let whole = two_varieties();
    assert!(Varieties::of_bytes(&whole).is_ok());
    for cut in (0..whole.len()).step_by(97).chain([1, 8, 12, 16, 28, 32]) {
        assert!(Varieties::of_bytes(&whole[..cut]).is_err(), "{cut}");
    }
    for at in (0..whole.len()).step_by(53) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        assert!(Varieties::of_bytes(&bytes).is_err(), "{at}");
    }
    let mut counts = whole.clone();
    // A file whose checksum is right, and whose number of features is not.
    counts[24..28].copy_from_slice(&u32::MAX.to_le_bytes());
    let checksum = crc32fast::hash(&counts[16..]).to_le_bytes();
    counts[12..16].copy_from_slice(&checksum);
    let said = Varieties::of_bytes(&counts).unwrap_err().to_string();
    assert_eq!(said, "variety model: is damaged: its parts do not fit its length");
}

#[test]
fn a_file_takes_the_place_of_the_shipped_model_of_its_language() {
    let folder = std::env::temp_dir().join(format!("varieties-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("a.varieties");
    fs::write(&file, two_varieties()).unwrap();
    let languages = |paths: &[&std::path::PathBuf]| {
        let models = open_varieties(paths)?;
        Ok::<_, langid::BadPack>(
            models.iter().map(|m| m.language().to_string()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(languages(&[]).unwrap(), ["ara"]);
    assert_eq!(languages(&[&file]).unwrap(), ["nor", "ara"]);
    let said = languages(&[&file, &file]).unwrap_err().to_string();
    assert!(said.contains("an earlier file has the varieties of nor too"), "{said}");
    let said = languages(&[&folder]).unwrap_err().to_string();
    assert!(said.ends_with("is not a regular file"), "{said}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_shipped_model_of_arabic_knows_its_five_varieties() {
    let [arabic] = Varieties::shipped() else { panic!("one model") };
    assert_eq!(arabic.language(), code("ara"));
    // The words are typical of each variety; none of the sentences is in a training text.
    for (text, expected) in [
        ("انا عايز اروح البيت دلوقتي علشان تعبان اوي ومش قادر اعمل حاجة", "egyptian"),
        ("شو بدك تعمل هلق؟ انا كتير تعبان ورح ارجع عالبيت مشان نام", "levantine"),
        ("وش تبي الحين؟ ابي اروح البيت لاني تعبان وايد وما ودي اسوي شي", "gulf"),
        ("واش بغيتي تمشي دابا؟ راني عيان بزاف وماقدرتش ندير والو اليوم", "maghrebi"),
        ("أعلنت وزارة الصحة اليوم أن عدد المصابين الذين غادروا المستشفيات قد ارتفع", "standard"),
    ] {
        assert_eq!(arabic.identify(text).name, expected, "{text}");
    }
}

#[test]
fn the_shipped_model_stays_small() {
    let size = include_bytes!("../models/arabic.varieties").len();
    assert!(size < 300_000, "{size}");
}
