//! Tests of the criteria for keeping a page: language set, junk, excerpts, letters.
#![allow(clippy::unwrap_used)]

use langbytes::{
    are_siblings, excerpt_hits, excerpts, junk, language_set, lettered, letters_allow, ExcerptHits,
    ExcerptSettings, Junk, LangCode, LanguageSet, SetSettings,
};
use langid::Cld2;
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A sentence in each of fourteen languages. Punjabi is in Gurmukhi, which no other of these
/// languages uses; the same holds for most of them.
const SENTENCES: [(&str, &str); 14] = [
    ("urd", "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے اور نوجوان شاعروں نے اپنا تازہ کلام سنایا۔"),
    ("eng", "The river rose during the night and the ferry could not leave before noon, so the market opened late."),
    ("fas", "کتابخانه شهر از فردا صبح درهای خود را به روی همه شهروندان باز می‌کند و برنامه‌های تازه‌ای برای کودکان دارد."),
    ("ara", "افتتحت المدرسة الجديدة أبوابها اليوم أمام تلاميذ الحي بعد عامين من البناء وقالت المديرة إن العدد أكبر من المتوقع."),
    ("deu", "Der Fluss stieg in der Nacht so schnell, dass die Fähre erst am Mittag ablegen konnte und der Markt später öffnete."),
    ("fra", "La rivière est montée pendant la nuit, le bac n'a pu partir qu'à midi et le marché a donc ouvert plus tard."),
    ("rus", "Ночью река поднялась, и паром смог отойти только в полдень, поэтому рынок открылся позже обычного времени."),
    ("ell", "Το ποτάμι ανέβηκε μέσα στη νύχτα και το πλοίο δεν μπόρεσε να φύγει πριν από το μεσημέρι, έτσι η αγορά άργησε."),
    ("tur", "Nehir gece boyunca yükseldi ve vapur öğleden önce kalkamadı, bu yüzden pazar yeri her zamankinden geç açıldı."),
    ("fin", "Joki nousi yön aikana niin paljon, että lautta pääsi lähtemään vasta puoliltapäivin ja tori avattiin myöhään."),
    ("heb", "הנהר עלה במשך הלילה והמעבורת לא יכלה לצאת לפני הצהריים, ולכן השוק נפתח מאוחר מהרגיל באותו היום."),
    ("hin", "रात में नदी का पानी बढ़ गया और नाव दोपहर से पहले नहीं चल सकी, इसलिए बाज़ार देर से खुला और लोग इंतज़ार करते रहे।"),
    ("tam", "இரவில் ஆற்றில் நீர் உயர்ந்ததால் படகு நண்பகலுக்கு முன் புறப்பட முடியவில்லை, எனவே சந்தை தாமதமாகத் திறக்கப்பட்டது."),
    ("pan", "ਰਾਤ ਨੂੰ ਨਦੀ ਦਾ ਪਾਣੀ ਚੜ੍ਹ ਗਿਆ ਅਤੇ ਬੇੜੀ ਦੁਪਹਿਰ ਤੋਂ ਪਹਿਲਾਂ ਨਹੀਂ ਚੱਲ ਸਕੀ, ਇਸ ਲਈ ਬਾਜ਼ਾਰ ਦੇਰ ਨਾਲ ਖੁੱਲ੍ਹਿਆ।"),
];

fn code(code: &str) -> LangCode {
    code.parse().unwrap()
}

/// So many characters of a language, its sentence over and over.
fn text(language: &str, characters: usize) -> String {
    let sentence = SENTENCES.iter().find(|(code, _)| *code == language).unwrap().1;
    format!("{sentence} ").chars().cycle().take(characters).collect()
}

fn mixture(parts: &[(&str, usize)]) -> String {
    parts.iter().map(|&(language, characters)| text(language, characters) + " ").collect()
}

fn set(text: &str) -> LanguageSet {
    language_set(text, &Cld2, SetSettings::default())
}

fn languages(set: &LanguageSet) -> Vec<String> {
    let mut codes: Vec<_> = set.languages().map(|language| language.to_string()).collect();
    codes.sort();
    codes
}

fn is_near(set: &LanguageSet, language: &str, percent: f64) -> bool {
    let found = set.characters(code(language)) as f64 * 100.0 / set.total() as f64;
    (found - percent).abs() <= 10.0
}

#[test]
fn mixtures_give_their_languages_with_their_shares() {
    let mixtures: [&[(&str, usize)]; 6] = [
        &[("urd", 400), ("eng", 400)],
        &[("urd", 400), ("fas", 400)],
        &[("eng", 2000), ("urd", 500)],
        &[("urd", 600), ("eng", 400), ("ara", 500)],
        &[("deu", 400), ("urd", 400), ("rus", 400), ("fra", 400)],
        &[("urd", 400), ("eng", 800), ("tur", 400), ("fas", 400), ("ell", 500)],
    ];
    for parts in mixtures {
        let set = set(&mixture(parts));
        let mut expected: Vec<_> =
            parts.iter().map(|(language, _)| (*language).to_owned()).collect();
        expected.sort();
        assert_eq!(languages(&set), expected, "{parts:?}: {set}");
        let total: usize = parts.iter().map(|(_, characters)| characters).sum();
        for &(language, characters) in parts {
            assert!(
                is_near(&set, language, characters as f64 * 100.0 / total as f64),
                "{parts:?}: {set}"
            );
        }
    }
}

#[test]
fn a_text_in_one_language_has_one_whatever_its_length() {
    for (language, _) in SENTENCES {
        for characters in [100, 200, 201, 230, 399, 400, 1000, 20_000] {
            let set = set(&text(language, characters));
            assert_eq!(set.to_string(), format!("{language}:100"), "{characters} characters");
        }
    }
}

#[test]
fn what_is_in_no_language_is_undetermined() {
    assert_eq!(set("").to_string(), "");
    assert_eq!(set("12:30 — 99 %").to_string(), "");
    assert_eq!(set("qx").to_string(), "und:100");
}

#[test]
fn evidence_shorter_than_a_window_is_undetermined() {
    // A hundred characters are heard by enough windows to be noticed, and are not enough to be
    // believed.
    let set = set(&mixture(&[("eng", 1000), ("rus", 130), ("eng", 1000)]));
    assert_eq!(languages(&set), ["eng"], "{set}");
    assert!(set.characters(code("eng")) * 100 / set.total() >= 90, "{set}");
}

#[test]
fn the_set_of_a_long_text_costs_no_more_identifications_than_allowed() {
    #[derive(Debug, Default)]
    struct Counting(std::sync::atomic::AtomicUsize);
    impl langid::Identify for Counting {
        fn identify(&self, text: &str, _: langid::Allowed) -> LangCode {
            assert_eq!(text.chars().count(), 200);
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            code("eng")
        }
        fn languages(&self) -> Vec<LangCode> {
            vec![code("eng")]
        }
        fn version(&self) -> String {
            String::new()
        }
    }
    for characters in [8_000, 8_200, 8_300, 100_000, 1_000_000] {
        let counting = Counting::default();
        let set = language_set(&text("eng", characters), &counting, SetSettings::default());
        let asked = counting.0.into_inner();
        assert!((370..=400).contains(&asked), "{characters} characters: {asked} windows");
        assert!(set.total().abs_diff(characters as u64) < characters as u64 / 20);
    }
}

#[test]
fn two_percent_are_in_the_language_and_one_is_not() {
    let page =
        |urdu: usize| set(&mixture(&[("eng", 15_000), ("urd", urdu), ("eng", 15_000 - urdu)]));
    let (three, one) = (page(900), page(300));
    assert!(three.has(code("urd"), 2), "{three}");
    assert!(!one.has(code("urd"), 2), "{one}");
    assert!(!one.has(code("ara"), 0));
    let exactly = set(&mixture(&[("eng", 1000)]));
    assert!(exactly.has(code("eng"), 100));
}

#[test]
fn more_than_nine_languages_are_junk() {
    let many = |count: usize| {
        let parts: Vec<_> =
            SENTENCES[..count].iter().map(|&(language, _)| (language, 450)).collect();
        let text = mixture(&parts);
        let set = set(&text);
        (set.languages().count(), junk(&text, &set))
    };
    assert_eq!(many(9), (9, None));
    assert_eq!(many(12), (12, Some(Junk::Languages(12))));
}

#[test]
fn a_salad_of_sentences_in_twelve_languages_is_junk() {
    let mut salad = String::new();
    for round in 0..8 {
        // Another order each round: 5, 7 and 11 have no factor in common with 12.
        for index in 0..12 {
            salad += SENTENCES[(index * [5, 7, 11, 1][round % 4] + round) % 12].1;
            salad.push(' ');
        }
    }
    let set = set(&salad);
    assert_eq!(junk(&salad, &set), Some(Junk::Languages(12)), "{set}");
}

#[test]
fn lists_of_product_codes_are_junk() {
    let codes: String = (0..500)
        .map(|number| format!("A{number:05}-{}/{}\n", number * 7919 % 1000, number % 13))
        .collect();
    let found = junk(&codes, &set(&codes)).unwrap();
    assert!(found.to_string().starts_with("non-letters, 9"), "{found}");
}

#[test]
fn repetition_is_junk_above_fifteen_words_per_distinct_word() {
    let words =
        ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"];
    let text = |count: usize| (0..count).map(|at| words[at % 10]).collect::<Vec<_>>().join(" ");
    let judge = |text: &str| junk(text, &LanguageSet::default());
    assert_eq!(judge(&text(150)), None);
    assert_eq!(judge(&text(151)), Some(Junk::Repetition { words: 151, distinct: 10 }));
    assert_eq!(judge("ha HA ha Ha ha ha ha ha ha ha ha ha ha ha ha"), None, "fifteen words of one");
    assert!(judge(&"ha ".repeat(16)).is_some());
    let said = judge(&text(300)).unwrap().to_string();
    assert_eq!(said, "repetition, 30.0 words per distinct word, allowed are 15");
}

#[test]
fn a_long_text_is_not_repetitive_for_its_length() {
    // Ten thousand words hold 700 distinct ones, and so do a million.
    let text: String =
        (0..1_000_000u64).map(|at| format!("{} ", letters_of(at * 7919 % 700))).collect();
    assert_eq!(junk(&text, &LanguageSet::default()), None);
}

fn letters_of(number: u64) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}

#[test]
fn text_is_junk_when_more_than_half_of_it_are_no_letters() {
    let judge = |text: &str| junk(text, &LanguageSet::default());
    assert_eq!(judge("ab 12"), None, "half");
    assert_eq!(judge("ab 12 3"), Some(Junk::NonLetters { letters: 2, others: 3 }));
    assert_eq!(
        judge("कि\u{94d} می\u{200c}ر ''''''''"),
        None,
        "joiners and apostrophes are neither, virama is a letter"
    );
    assert_eq!(judge(""), None);
    assert_eq!(judge(" \n "), None);
    assert!(judge("12:30").is_some());
    assert_eq!(
        judge("12:30").unwrap().to_string(),
        "non-letters, 100.0 % of the characters, allowed are 50"
    );
}

#[test]
fn texts_under_three_hundred_characters_have_no_excerpts() {
    let settings = ExcerptSettings::default();
    assert_eq!(excerpts(&text("urd", 299), settings), None);
    assert_eq!(excerpts(&text("urd", 300), settings).unwrap().len(), 3);
    let hits = |text: &str| excerpt_hits(text, code("urd"), &Cld2, settings);
    assert_eq!(hits(&text("urd", 299)), None);
    assert_eq!(hits(&text("urd", 300)), Some(ExcerptHits { hits: 3, count: 3 }));
}

#[test]
fn the_excerpts_are_the_middles_of_the_thirds_at_whole_words() {
    let text: String = (0..1000).map(|number| format!("{number:04} ")).collect();
    let found = excerpts(&text, ExcerptSettings::default()).unwrap();
    // Characters 783 to 883 around 833: the words cut at both ends are left out.
    assert_eq!((&found[0][..9], found[0].len()), ("0157 0158", 94 + 5 - 5));
    assert!(found[0].ends_with("0175"), "{}", found[0]);
    assert!(found[1].starts_with("0490 ") && found[1].ends_with(" 0509"), "{}", found[1]);
    assert!(found.iter().all(|excerpt| excerpt.len() % 5 == 4));
}

#[test]
fn every_excerpt_in_the_language_is_a_hit() {
    let hits = |parts: &[(&str, usize)]| {
        excerpt_hits(&mixture(parts), code("urd"), &Cld2, ExcerptSettings::default())
            .unwrap()
            .to_string()
    };
    assert_eq!(
        hits(&[("eng", 500), ("urd", 500), ("eng", 500)]),
        "1/3",
        "in the middle third only"
    );
    assert_eq!(hits(&[("eng", 1500)]), "0/3");
    assert_eq!(hits(&[("urd", 500), ("eng", 1000)]), "1/3");
    assert_eq!(hits(&[("urd", 500), ("eng", 500), ("urd", 500)]), "2/3");
}

#[test]
fn count_length_and_least_text_of_excerpts_can_be_set() {
    let settings = ExcerptSettings { count: 5, chars: 40, min_chars: 50 };
    let long = text("eng", 2000);
    let found = excerpts(&long, settings).unwrap();
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|excerpt| (24..=40).contains(&excerpt.len())), "{found:?}");
    assert_eq!(excerpts(&text("eng", 49), settings), None);
    assert_eq!(excerpts("", ExcerptSettings { min_chars: 0, ..settings }).unwrap(), [""; 5]);
    assert_eq!(excerpts(&long, ExcerptSettings { count: 0, ..settings }).unwrap(), [""; 0]);
}

#[test]
fn letters_tell_urdu_from_its_neighbours() {
    let allow = |language: &str, text: &str| letters_allow(text, code(language)).unwrap();
    for (language, sentence) in &SENTENCES[..4] {
        for (other, _) in SENTENCES[..4].iter().filter(|(other, _)| *other != "eng") {
            assert_eq!(allow(other, sentence), language == other, "{language} as {other}");
        }
    }
    assert!(
        allow("urd", &mixture(&[("eng", 1000), ("urd", 120)])),
        "a few sentences of it are enough"
    );
    assert!(!allow("ara", "plain ASCII") && !allow("ara", ""));
    assert!(!allow("ara", "قال ۱۲۳ چ") && allow("ara", "قال ١٢٣"));
    assert!(allow("pnb", "ایہ کتاب ہے، پاݨی") && !allow("urd", "ایہ کتاب ہے، پاݨی"));
    assert_eq!(letters_allow("text", code("eng")), None);
    assert!(are_siblings(code("urd"), code("fas")) && !are_siblings(code("urd"), code("urd")));
    assert!(!are_siblings(code("urd"), code("eng")));
    assert_eq!(lettered().count(), 9);
}

#[test]
fn a_text_of_fifty_megabytes_is_judged_in_bounded_time() {
    let long = "شہر کی پرانی لائبریری میں کل شام ".repeat(900_000);
    assert!(long.len() > 50_000_000);
    let begin = Instant::now();
    let set = set(&long);
    let judged = (
        junk(&long, &set),
        excerpts(&long, ExcerptSettings::default()),
        letters_allow(&long, code("urd")),
    );
    let took = begin.elapsed();
    assert!(judged.0.is_some() && set.to_string() == "urd:100");
    println!("50 MB: {took:?}");
    // Six seconds without optimization, 0.4 with.
    assert!(took < Duration::from_secs(60), "{took:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn no_string_breaks_them_and_shares_are_of_the_whole(
        text in prop_oneof![
            any::<String>(),
            "\\PC{0,400}",
            proptest::collection::vec(("[a-zہےکی ]{0,60}", any::<String>(), "[0-9 \u{200c}\u{94d}']{0,30}"), 0..20)
                .prop_map(|parts| parts.into_iter().map(|(a, b, c)| a + &b + &c).collect()),
        ],
        window in 0..300usize,
        step in 0..60usize,
        threshold in 0..8usize,
        max_windows in 0..50usize,
        excerpt in (0..6usize, 0..150usize, 0..400usize),
    ) {
        let set = language_set(&text, &Cld2, SetSettings { window, step, threshold, max_windows });
        let percents = set.percents();
        prop_assert_eq!(percents.iter().map(|(_, percent)| percent).sum::<u32>(), if percents.is_empty() { 0 } else { 100 });
        prop_assert!(set.total() <= text.chars().count() as u64);
        prop_assert!(percents.windows(2).all(|pair| set.characters(pair[0].0) >= set.characters(pair[1].0)));
        prop_assert_eq!(&set, &language_set(&text, &Cld2, SetSettings { window, step, threshold, max_windows }));
        let _ = junk(&text, &set).map(|junk| junk.to_string());
        for language in lettered() {
            prop_assert!(letters_allow(&text, language).is_some());
        }
        let (count, chars, min_chars) = excerpt;
        if let Some(found) = excerpts(&text, ExcerptSettings { count, chars, min_chars }) {
            prop_assert_eq!(found.len(), count);
            prop_assert!(found.iter().all(|excerpt| excerpt.chars().count() <= chars && text.contains(excerpt)));
        }
    }
}

/// Sentences of the shared development set, if this machine has it.
fn shared_sentences(language: &str) -> Option<Vec<String>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("CORPULYZER_SHARED").map_or(beside, PathBuf::from);
    let text =
        fs::read_to_string(shared.join("data/langid/dev").join(language).with_extension("txt"))
            .ok()?;
    Some(text.lines().map(str::to_owned).collect())
}

#[test]
fn mixtures_of_real_sentences_give_their_languages_with_their_shares() {
    let pool = [
        "urd", "eng", "fas", "ara", "deu", "fra", "rus", "ell", "tur", "fin", "hin", "heb", "pus",
        "vie", "kor",
    ];
    let (mut exact, mut near, mut mixtures) = (0, 0, 0);
    for round in 0..100usize {
        let count = 1 + round % 5;
        let mut parts = Vec::new();
        for index in 0..count {
            let language = pool[(round * 7 + index * 4) % pool.len()];
            let Some(sentences) = shared_sentences(language) else {
                println!("skipped: the shared language samples are not here (CORPULYZER_SHARED)");
                return;
            };
            let (mut part, mut next) = (String::new(), round * 13);
            while part.chars().count() < 400 {
                part += &sentences[next % sentences.len()];
                part.push('\n');
                next += 1;
            }
            parts.push((language, part));
        }
        let set = set(&parts.iter().map(|(_, part)| part.as_str()).collect::<String>());
        let total: usize = parts.iter().map(|(_, part)| part.chars().count()).sum();
        let mut expected: Vec<_> =
            parts.iter().map(|(language, _)| (*language).to_owned()).collect();
        expected.sort();
        mixtures += 1;
        exact += usize::from(languages(&set) == expected);
        near += usize::from(parts.iter().all(|(code, part)| {
            is_near(&set, code, part.chars().count() as f64 * 100.0 / total as f64)
        }));
        if languages(&set) != expected {
            println!("{expected:?}: {set}");
        }
    }
    println!("{mixtures} mixtures: {exact} exact sets, {near} with every share within 10 points");
    assert!(exact * 100 >= 95 * mixtures && near * 100 >= 95 * mixtures);
}

#[test]
fn letters_rarely_take_one_language_for_another() {
    let mut rows = Vec::new();
    for language in lettered() {
        let Some(sentences) = shared_sentences(language.as_str()) else { continue };
        // Ten sentences are about a page's worth.
        let texts: Vec<String> = sentences.chunks(10).map(|chunk| chunk.join(" ")).collect();
        let share = |target: LangCode| {
            let allowed =
                texts.iter().filter(|text| letters_allow(text, target) == Some(true)).count();
            allowed * 100 / texts.len()
        };
        rows.push((language, lettered().map(|target| (target, share(target))).collect::<Vec<_>>()));
    }
    if rows.is_empty() {
        println!("skipped: the shared language samples are not here (CORPULYZER_SHARED)");
        return;
    }
    for (language, shares) in &rows {
        println!("{language} as {shares:?}");
    }
    for (language, shares) in rows {
        for (target, percent) in shares {
            // Punjabi may do without its own letters, and then is as Urdu.
            let alike = [language, target] == [code("pnb"), code("urd")];
            if language != target && !alike {
                assert!(percent <= 10, "{language} as {target}: {percent} %");
            }
        }
    }
}
