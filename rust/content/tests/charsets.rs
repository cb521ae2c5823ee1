//! Encodings that the Encoding Standard lacks, and UTF-8 with errors.
#![allow(clippy::unwrap_used)]

use content::{decode, CharsetSource, Hints};

const TAJIK: &str =
    "Дар деҳаи мо мактаби навро сохтанд, ва кӯдакон аз ҷойҳои дур ҳам ба он меоянд.";
const KAZAKH: &str = "Ауылымыздағы ескі диірмен көп жылдан кейін шағын мұражайға айналды, оған қонақтар үйіліп келеді.";
const ARMENIAN: &str =
    "Մեր գյուղի հին ջրաղացը շատ տարիներ անց դարձավ փոքր թանգարան։ Երեխաները սիրում են այն։";
const GEORGIAN: &str = "ჩვენი სოფლის ძველი წისქვილი მრავალი წლის შემდეგ პატარა მუზეუმად იქცა.";
const POLISH: &str =
    "Stary młyn nad rzeką po wielu latach stał się małym muzeum, które często odwiedzają goście.";

fn header(charset: &str) -> String {
    format!("text/html; charset={charset}")
}

/// The bytes of a text in an encoding of `data/charsets.txt`.
fn encode(name: &str, text: &str) -> Vec<u8> {
    let tables = include_str!("../data/charsets.txt");
    let row = tables.lines().find(|line| line.split([' ', '\t']).next() == Some(name)).unwrap();
    let high: Vec<char> = row.split_once('\t').unwrap().1.chars().collect();
    let byte = |c: char| match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => byte,
        _ => 0x80 + u8::try_from(high.iter().position(|h| *h == c).unwrap()).unwrap(),
    };
    text.chars().map(byte).collect()
}

#[test]
fn declared_encodings_outside_the_standard_are_decoded() {
    let armenian = ARMENIAN.replace('և', "եւ");
    for (name, labels, text) in [
        ("koi8-t", &["KOI8-T", "koi8_t"][..], TAJIK),
        ("kz-1048", &["KZ-1048", "kz1048", "STRK1048-2002"], KAZAKH),
        ("ptcp154", &["PTCP154", "pt154"], KAZAKH),
        ("armscii-8", &["ARMSCII-8", "armscii8"], &armenian),
        ("georgian-ps", &["Georgian-PS"], GEORGIAN),
        ("ibm852", &["cp852", "IBM852"], POLISH),
        ("x-mac-ce", &["x-mac-ce", "x-mac-centraleurroman"], POLISH),
    ] {
        for label in labels {
            let html = format!("<meta charset=\"{label}\"><title>{text}</title><p>{text}</p>");
            let bytes = encode(name, &html);
            let found = decode(&bytes, &Hints::default()).unwrap();
            assert_eq!((found.charset, found.source), (name, CharsetSource::Meta), "{label}");
            assert_eq!(found.text, html);
            let bytes = encode(name, &format!("<p>{text}</p>"));
            let content_type = header(label);
            let hints = Hints { content_type: Some(&content_type), ..Hints::default() };
            let found = decode(&bytes, &hints).unwrap();
            assert_eq!((found.charset, found.source), (name, CharsetSource::Http), "{label}");
        }
    }
}

#[test]
fn a_false_label_outside_the_standard_is_ignored() {
    let russian = "Старая мельница у озера после долгих лет стала маленьким музеем.";
    let (bytes, ..) = encoding_rs::WINDOWS_1251.encode(russian);
    for label in ["koi8-t", "armscii-8", "georgian-ps"] {
        let content_type = header(label);
        let hints = Hints { content_type: Some(&content_type), ..Hints::default() };
        assert_eq!(decode(&bytes, &hints).unwrap().text, russian, "{label}");
        assert_eq!(decode(russian.as_bytes(), &hints).unwrap().text, russian, "{label}");
    }
}

#[test]
fn what_cannot_be_decoded_is_refused_by_its_name() {
    let bytes = b"<p>\x88a\xd0\x65\xb4\x61 \x90\x61\xb5\xe1</p>";
    for label in ["johab", "JOHAB", "VISCII", "x-mac-arabic", "TCVN5712-1", "x-iscii-de"] {
        for (first, meta) in [(label, ""), ("utf-8", label), ("nonsense", label)] {
            let page = [format!("<meta charset='{meta}'>").as_bytes(), bytes].concat();
            let content_type = header(first);
            let hints = Hints { content_type: Some(&content_type), ..Hints::default() };
            let refused = decode(&page, &hints).unwrap_err().to_string();
            assert!(refused.contains(&label.to_lowercase()), "{refused}");
            // ASCII and UTF-8 say what they are.
            assert!(decode(b"<p>plain text</p>", &hints).is_ok());
            assert_eq!(decode(TAJIK.as_bytes(), &hints).unwrap().text, TAJIK);
        }
    }
}

#[test]
fn hebrew_in_the_order_of_display_is_refused() {
    let logical = "הילדים הולכים לבית הספר בבוקר וחוזרים לביתם בצהריים עם החברים שלהם";
    let visual: String = logical.chars().rev().collect();
    let bytes =
        |text: &str| encoding_rs::ISO_8859_8.encode(&format!("<p>{text}</p>")).0.into_owned();
    for label in ["iso-8859-8", "visual", "windows-1255"] {
        let content_type = header(label);
        let hints = Hints { content_type: Some(&content_type), ..Hints::default() };
        assert!(decode(&bytes(logical), &hints).unwrap().text.contains(logical), "{label}");
        let refused = decode(&bytes(&visual), &hints).unwrap_err().to_string();
        assert!(refused.contains("visual"), "{refused}");
    }
    assert!(decode(&bytes(&visual), &Hints::default()).is_err(), "without a label");
}

#[test]
fn declared_utf8_stays_utf8_with_some_bad_bytes() {
    let text = "Ƙungiyar ta ce ɗaliban makaranta sun dawo ƙauye gida, in ji ’yan jarida ɗaya.";
    for (bad, is_utf8) in [(0, true), (1, true), (2, true), (40, false)] {
        let stray = b"a\x94 caf\xe9 ".repeat(bad);
        for (content_type, meta) in
            [(Some("text/html; charset=UTF-8"), ""), (None, "<meta charset=utf-8>")]
        {
            let page = [meta.as_bytes(), b"<p>", text.as_bytes(), &stray, b"</p>"].concat();
            let found = decode(&page, &Hints { content_type, url: None }).unwrap();
            assert_eq!(found.charset == "utf-8", is_utf8, "{bad} {meta}");
            assert_eq!(found.text.contains(text), is_utf8, "{bad} {meta}");
        }
    }
    // Without a declaration a few errors suffice for another encoding.
    let page = [text.as_bytes(), b" caf\xe9 na\xefve r\xf4le"].concat();
    assert_ne!(decode(&page, &Hints::default()).unwrap().source, CharsetSource::Utf8);
}
