//! Laws of signals and limits.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use quality::{Bound, Derivation, Limits, Noise, Signals, Splitting, MIN_PAGES};
use std::collections::HashSet;

const FINEWEB: &str =
    "dup_line_frac: 0.204\ndup_n_grams:\n- - 5\n  - 0.125\n- - 10\n  - 0.081\nlanguage_score: 0.847\n\
    line_punct_thr: 0.1\nmax_avg_word_length: 31\nmax_non_alpha_words_ratio: 0.839\nmin_avg_word_length: 2\n\
    new_line_ratio: 0.222\nstopwords:\n- \"\\u06A9\\u06D2\"\n- \"\\u060C\"\ntop_n_grams:\n- - 2\n  - 0.139\n";

/// Rules of the tests' text.
const SPLITTING: Splitting = Splitting::Blanks;

/// Reads limits as the command does.
fn from_yaml(yaml: &str) -> Result<Limits, Box<dyn std::error::Error>> {
    let limits: Limits = serde_saphyr::from_str(yaml)?;
    limits.check()?;
    Ok(limits)
}

fn signals(text: &str) -> Option<Signals> {
    Signals::of(text, SPLITTING, &HashSet::new())
}

fn noise(text: &str) -> Vec<Noise> {
    let limits = from_yaml(FINEWEB).unwrap();
    limits.noise(Signals::of(text, SPLITTING, &limits.stop_words()).as_ref())
}

/// Distinct sentences with stop words, 12 words each.
fn prose(sentences: usize) -> String {
    let word = |n: usize| {
        ["لفظ", "بات", "شہر", "کتاب", "دن", "رات"]
            .map(|word| format!("{word}{}", letters(n)))
            .join(" ")
    };
    let sentence = |n| format!("{} کے {}، اور۔", word(2 * n), word(2 * n + 1));
    (0..sentences).map(sentence).collect::<Vec<_>>().join("\n")
}

/// A number in letters.
fn letters(mut n: usize) -> String {
    let mut letters = String::new();
    loop {
        letters.push(['ا', 'ب', 'ت', 'ج', 'د', 'ر', 'س', 'ک'][n % 8]);
        n /= 8;
        if n == 0 {
            return letters;
        }
    }
}

#[test]
fn a_file_of_fineweb_2_is_read_and_written_with_the_same_values() {
    let limits = from_yaml(FINEWEB).unwrap();
    assert_eq!(limits.stopwords, ["کے", "،"]);
    assert_eq!(limits.dup_n_grams, [(5, 0.125), (10, 0.081)]);
    assert_eq!(from_yaml(&serde_saphyr::to_string(&limits).unwrap()).unwrap(), limits);
}

#[test]
fn a_file_with_a_wrong_value_is_refused_in_a_sentence() {
    let refused =
        |from: &str, to: &str| from_yaml(&FINEWEB.replace(from, to)).unwrap_err().to_string();
    assert_eq!(
        refused("0.204", "1.5"),
        "dup_line_frac: found 1.5, allowed are numbers from 0 to 1"
    );
    assert_eq!(
        refused("0.204", ".nan"),
        "dup_line_frac: found NaN, allowed are numbers from 0 to 1"
    );
    assert_eq!(refused("- - 2", "- - 9"), "top_n_grams: found 9-grams, allowed are [2, 3, 4]");
    assert!(refused("new_line_ratio", "new_line_ratios").contains("new_line_ratios"));
    assert!(from_yaml("").is_err());
    assert!(from_yaml("{}").is_err());
    assert!(from_yaml("a: &a [*a]").is_err());
}

#[test]
fn a_key_that_is_missing_switches_its_rule_off() {
    let limits = from_yaml("dup_line_frac: 0.1\n").unwrap();
    let of = |text: &str| {
        let signals = Signals::of(text, Splitting::of("urd"), &limits.stop_words());
        limits.noise(signals.as_ref())
    };
    let good = prose(12);
    let lines = good.replace(' ', "\n").replace('۔', "");
    assert_eq!(of(&good), []);
    assert!(!of(&lines).contains(&Noise::List) && !of(&lines).contains(&Noise::LinePunct));
    assert!(of(&[&good[..]; 3].join("\n")).contains(&Noise::DupLine));
}

#[test]
fn good_prose_breaks_no_rule() {
    assert_eq!(noise(&prose(12)), []);
}

#[test]
fn each_fault_breaks_its_rule() {
    let good = prose(12);
    let lines: Vec<&str> = good.lines().collect();
    let cases = [
        (String::new(), Noise::Empty),
        (lines[..2].join("\n"), Noise::Short),
        ([&good[..]; 3].join("\n"), Noise::DupLine),
        (good.replace('۔', ""), Noise::LinePunct),
        (good.replace(' ', "\n"), Noise::List),
        (good.replace('ا', "#"), Noise::Hashes),
        (good.replace('\n', "…\n"), Noise::EndEllipses),
        (lines.iter().map(|line| format!("- {line}\n")).collect(), Noise::Bullets),
        (good.replace("کے", "کا").replace('،', ""), Noise::StopWords),
        (good.replace(" کے ", " 12 13 14 15 16 "), Noise::Alpha),
        (good.replace(" کتاب", &format!(" {}", "ک".repeat(400))), Noise::LongWords),
        (
            good.chars()
                .map(|c| if c.is_alphabetic() { format!("{c} ") } else { c.to_string() })
                .collect(),
            Noise::ShortWords,
        ),
        (good.replace("دن", "باربار باربار باربار دن"), Noise::Top(2)),
    ];
    for (text, fault) in cases {
        assert!(noise(&text).contains(&fault), "{fault}: {:?}", noise(&text));
    }
}

#[test]
fn a_limit_of_zero_switches_its_rule_off() {
    let off =
        FINEWEB.replace("0.204", "0").replace("max_avg_word_length: 31", "max_avg_word_length: 0");
    let limits = from_yaml(&off).unwrap();
    let text = [&prose(12)[..]; 3].join("\n");
    let noise = limits.noise(Signals::of(&text, SPLITTING, &limits.stop_words()).as_ref());
    assert!(!noise.contains(&Noise::DupLine) && !noise.contains(&Noise::LongWords), "{noise:?}");
}

#[test]
fn each_rule_that_is_on_has_a_limit_and_decides_by_the_value_of_its_signal() {
    let limits = from_yaml(FINEWEB).unwrap();
    let mut broken = 0;
    for text in [prose(12), [&prose(12)[..]; 3].join("\n"), "• ہے\n".repeat(60), "a".repeat(90)]
    {
        let signals = Signals::of(&text, SPLITTING, &limits.stop_words()).unwrap();
        let noise = limits.noise(Some(&signals));
        for rule in Noise::ALL {
            let value = rule.signal().map(|place| signals.values()[place]);
            assert_eq!(value.is_none(), rule == Noise::Empty, "{rule}");
            let beyond = value.zip(limits.bound(rule)).is_some_and(|(v, bound)| bound.excludes(v));
            assert_eq!(noise.contains(&rule), beyond, "{rule}");
        }
        broken += noise.len();
    }
    assert!(broken > 5, "{broken}");
    assert_eq!(limits.noise(None), [Noise::Empty]);
    assert_eq!((Bound::Least(2.0).excludes(2.0), Bound::Most(2.0).excludes(2.0)), (false, false));
}

#[test]
fn limits_need_a_thousand_pages() {
    let mut derivation = Derivation::new(SPLITTING);
    for _ in 1..MIN_PAGES {
        derivation.add(&prose(3));
    }
    derivation.add(" \n");
    assert_eq!(
        derivation.limits().unwrap_err().to_string(),
        "found 999 pages with text; limits need at least 1000"
    );
    derivation.add(&prose(3));
    assert!(derivation.limits().is_ok());
}

#[test]
fn limits_from_dirty_text_stay_within_bounds() {
    let mut derivation = Derivation::new(SPLITTING);
    for page in 0..MIN_PAGES {
        derivation.add(&format!("{}\n", "ک".repeat(500)).repeat(1 + page % 7));
    }
    let limits = derivation.limits().unwrap();
    assert!(
        limits.max_avg_word_length <= 25.0
            && limits.new_line_ratio <= 0.6
            && limits.dup_line_frac <= 0.35
    );
    assert!(limits.top_n_grams.iter().all(|&(_, limit)| limit <= 0.3));
    assert_eq!(from_yaml(&serde_saphyr::to_string(&limits).unwrap()).unwrap(), limits);
}

#[test]
fn derived_limits_keep_nearly_all_of_their_own_text() {
    let mut derivation = Derivation::new(SPLITTING);
    let pages: Vec<String> = (0..MIN_PAGES).map(|page| prose(10 + page % 20)).collect();
    pages.iter().for_each(|page| derivation.add(page));
    let limits = derivation.limits().unwrap();
    let is_noisy = |page: &&String| {
        !limits.noise(Signals::of(page, SPLITTING, &limits.stop_words()).as_ref()).is_empty()
    };
    assert!(pages.iter().filter(is_noisy).count() <= MIN_PAGES / 20);
}

proptest! {
    #[test]
    fn signals_of_any_text_are_finite_and_shares_are_shares(text in "(\\PC|[ \n\t.…•#\u{85}-]|ab |ہے ){0,300}") {
        let Some(signals) = signals(&text) else {
            let is_blank = |c: char| c.is_whitespace() || c.is_control();
            prop_assert!(text.chars().all(is_blank));
            return Ok(());
        };
        let shares = [signals.rps_doc_frac_no_alph_words, signals.rps_doc_frac_unique_words, signals.bullet_lines,
            signals.rps_doc_frac_lines_end_with_ellipsis, signals.line_punct, signals.dup_line_frac, signals.char_dup_ratio];
        prop_assert!(shares.iter().chain(&signals.dup_n_grams).all(|share| (0.0..=1.0).contains(share)), "{signals:?}");
        prop_assert!(signals.top_n_grams.iter().all(|share| share.is_finite() && *share >= 0.0));
        prop_assert!(signals.rps_doc_unigram_entropy >= -1e-9 && signals.rps_doc_mean_word_length.is_finite());
    }

    #[test]
    fn words_stand_in_the_text_in_their_order_and_nothing_but_blanks_between(text in "(\\PC|[ \n.…-]|3.1){0,100}", splitting in prop::sample::select(vec![Splitting::Blanks, Splitting::Arabic, Splitting::Indic])) {
        let mut words = Vec::new();
        splitting.split(&text, &mut words);
        let mut rest = &text[..];
        for word in words {
            let blanks = rest.find(word).unwrap();
            prop_assert!(rest[..blanks].chars().all(|c| c.is_whitespace() || c.is_control()), "{rest:?} {word:?}");
            prop_assert!(!word.is_empty());
            rest = &rest[blanks + word.len()..];
        }
        prop_assert!(rest.chars().all(|c| c.is_whitespace() || c.is_control()));
    }
}
