//! Text typed on a keyboard that lacks letters of its language.

#![allow(missing_docs, clippy::unwrap_used)]

use langid::{work, Combined, Identify, LangCode};
use proptest::prelude::*;
use std::sync::OnceLock;

/// Without a target and without further packs.
fn identifier() -> &'static Combined {
    static IDENTIFIER: OnceLock<Combined> = OnceLock::new();
    IDENTIFIER.get_or_init(|| Combined::new(vec![], None))
}

/// Letters, each with what is typed in its place.
type Letters = &'static [(&'static str, &'static str)];

/// A language, what is typed in place of its letters, and a text with all its letters.
const WRITTEN: [(&str, Letters, &str); 11] = [
    (
        "aze",
        &LATIN,
        "Dünən axşam kitabxanada şəhərin tarixi haqqında söhbət oldu və çoxlu adam gəldi.",
    ),
    ("aze", &LATIN, "Uşaqlar həyətdə oynayır, ana isə mətbəxdə çörək bişirir."),
    (
        "isl",
        &LATIN,
        "Í gær kom gamall maður á bókasafnið og sagði okkur sögur um bæinn þegar hann var drengur.",
    ),
    (
        "fao",
        &LATIN,
        "Í gjár komu nógv fólk á bókasavnið at hoyra um søguna hjá bygdini, og børnini sungu.",
    ),
    (
        "tuk",
        &LATIN,
        "Düýn kitaphanada şäheriň taryhy hakda gürrüň edildi we köp adam geldi, çagalar hem bardy.",
    ),
    (
        "ron",
        &LATIN,
        "Ieri seară a fost o întâlnire la bibliotecă despre istoria orașului și au venit mulți oameni.",
    ),
    (
        "kmr",
        &LATIN,
        "Duh êvarê li pirtûkxaneyê civînek li ser dîroka bajêr hat çêkirin û gelek kes hatin.",
    ),
    (
        "fon",
        &LATIN,
        "Mɛ e ɖo toxo ɔ mɛ lɛ ɔ nɔ wa azɔ ɖaxo ɖe bo nɔ ɖu nu kpo xɔntɔn yetɔn lɛ kpo.",
    ),
    (
        "urd",
        &HEH,
        "کل شام شہر کی پرانی لائبریری میں ایک مشاعرہ ہوا جس میں بہت سے لوگ آئے اور دیر تک بیٹھے رہے۔",
    ),
    (
        "ckb",
        &HEH,
        "دوێنێ لە کتێبخانەی شارەکە کۆبوونەوەیەک دەربارەی مێژوو کرا و خەڵکێکی زۆر هاتبوون.",
    ),
    (
        "uig",
        &HEH,
        "ئۇلار ئەتىگەندە بازارغا بېرىپ مېۋە ۋە نان سېتىۋالدى، كەچتە ئۆيگە قايتىپ كەلدى.",
    ),
];

/// Latin letters as an English keyboard has them.
const LATIN: [(&str, &str); 34] = [
    ("á", "a"),
    ("â", "a"),
    ("ă", "a"),
    ("ä", "a"),
    ("ə", "e"),
    ("æ", "ae"),
    ("ç", "c"),
    ("ð", "d"),
    ("ɖ", "d"),
    ("é", "e"),
    ("ê", "e"),
    ("ɛ", "e"),
    ("ğ", "g"),
    ("í", "i"),
    ("Í", "I"),
    ("î", "i"),
    ("ı", "i"),
    ("ň", "n"),
    ("ó", "o"),
    ("ö", "o"),
    ("ø", "o"),
    ("ɔ", "o"),
    ("ş", "s"),
    ("ș", "s"),
    ("ţ", "t"),
    ("ț", "t"),
    ("þ", "th"),
    ("ú", "u"),
    ("û", "u"),
    ("ü", "u"),
    ("Ü", "U"),
    ("ý", "y"),
    ("ž", "z"),
    ("Ž", "Z"),
];

/// Forms of heh as an Arabic keyboard has them.
const HEH: [(&str, &str); 3] = [("ہ", "ه"), ("ھ", "ه"), ("ە", "ه")];

fn typed(text: &str, letters: &[(&str, &str)]) -> String {
    letters.iter().fold(text.to_owned(), |text, (letter, typed)| text.replace(letter, typed))
}

#[test]
fn text_without_some_letters_of_its_language_is_in_that_language() {
    let mut missed = Vec::new();
    for (code, letters, text) in WRITTEN {
        let language: LangCode = code.parse().unwrap();
        let typed = typed(text, letters);
        assert_ne!(typed, text);
        assert_eq!(identifier().identify(text, None), language, "{text}");
        let found = identifier().identify(&typed, None);
        if found != language {
            missed.push((code, found, typed.clone()));
        }
        let page = typed.repeat(12);
        let runs = Combined::new(vec![], Some(language)).runs(&page);
        if runs != [(language, 0..page.len())] {
            missed.push((code, language, format!("{runs:?}")));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn the_search_finds_what_the_models_alone_do_not() {
    let as_written = |code: &str, letters, text| {
        identifier().identify_as_written(&typed(text, letters)).as_str() != code
    };
    let found = WRITTEN.iter().filter(|(code, letters, text)| as_written(code, letters, text));
    assert!(found.count() > 0);
}

#[test]
fn random_letters_are_compared_in_no_other_spelling() {
    for text in [
        "qzxv wkjhp bnrtq lkfgdw xcvz pqwnm zxkj hgfdsw vbnqx mkzt rwpqk jxvzb",
        "щцфж ъкгзх бвмщц шпдхю йцкъ жзфщш дклщв ъфцпг зщшхк мцъжд фкщзв",
    ] {
        let taken = |identify: &dyn Fn() -> LangCode| {
            let before = work();
            identify();
            work() - before
        };
        let searched = taken(&|| identifier().identify(text, None));
        assert_eq!(searched, taken(&|| identifier().identify_as_written(text)), "{text}");
    }
}

#[test]
fn text_that_has_no_marks_stays_in_its_language() {
    for (code, text) in [
        ("eng", "Carrier capacity shifts between the regional exchanges in Oslo and Gdansk"),
        ("eng", "Contact Maria Gonzalez, Ivan Petrov or Huseyin Aliyev for the Tromso office"),
        ("tur", "Bu kitap daha sonra bir film oldu ve onu izleyen herkes sevdi"),
        ("ita", "Ieri sera siamo andati al mare con gli amici e abbiamo mangiato il pesce"),
        ("fas", "دیروز به کتابخانه رفتم و همه کتاب های تازه را دیدم"),
        ("ara", "ذهبت أمس إلى المكتبة وقرأت فيها كتابا عن تاريخ هذه المدينة"),
    ] {
        assert_eq!(identifier().identify(text, None).as_str(), code, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn text_with_its_marks_is_never_changed(
        order in proptest::collection::vec((0..WRITTEN.len(), 0..16_usize), 4..24),
    ) {
        // Of one script, because only the main one of a line counts.
        let words = order.iter().filter_map(|&(text, word)| {
            WRITTEN[text].2.split(' ').nth(word).filter(|word| word.starts_with(|c| c < 'Ϳ'))
        });
        let text: Vec<&str> = words.collect();
        let text = text.join(" ");
        let letters = || text.chars().filter(|c| c.is_alphabetic());
        if letters().filter(|c| !c.is_ascii()).count() * 50 > letters().count() {
            prop_assert_eq!(identifier().identify(&text, None), identifier().identify_as_written(&text));
        }
    }
}
