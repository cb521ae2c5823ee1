//! Laws that hold for every page.
#![allow(clippy::unwrap_used)]

use content::{classify, decode, parse, parse_for, Extractor, Hints, Limits, Page};
use encoding_rs::Encoding;
use proptest::prelude::*;

const TAGS: &[&str] = &[
    "a",
    "abbr",
    "b",
    "body",
    "br",
    "button",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "font",
    "form",
    "frameset",
    "h1",
    "h2",
    "head",
    "html",
    "i",
    "img",
    "li",
    "link",
    "meta",
    "noscript",
    "object",
    "ol",
    "option",
    "p",
    "plaintext",
    "script",
    "section",
    "select",
    "span",
    "style",
    "svg",
    "table",
    "tbody",
    "td",
    "textarea",
    "title",
    "tr",
    "ul",
    "x:y",
];

/// Pieces of tag soup: start tags, end tags, text, comments, broken markup.
fn soup() -> impl Strategy<Value = String> {
    let tag = || prop::sample::select(TAGS);
    let piece = prop_oneof![
        4 => tag().prop_map(|tag| format!("<{tag}>")),
        4 => tag().prop_map(|tag| format!("</{tag}>")),
        1 => tag().prop_map(|tag| format!("<{tag} a='>' b=\"<p>\" c=d/>")),
        6 => "[a-z ]{0,12}",
        2 => "\\PC{0,8}",
        2 => "[ \n\t\u{a0}]{1,3}",
        1 => prop::sample::select(vec!["<!-- x -->", "<!doctype html>", "<", "</", "<!", "&", "&amp;", "&#0;", "\0", "<![CDATA[", "]]>", "<?x?>"])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn kept_text(page: &Page, extractor: Extractor) -> Vec<String> {
    let verdicts = classify(page, extractor);
    assert_eq!(verdicts.len(), page.blocks().len());
    let kept = page.blocks().iter().zip(verdicts).filter(|(_, verdict)| verdict.kept);
    kept.map(|(block, _)| page.text_of(block).to_owned()).collect()
}

fn check(html: &str) {
    let page = parse(html, &Limits::default());
    for block in page.blocks() {
        let text = page.text_of(block);
        assert_eq!(text, text.trim_matches(' '), "{html:?}");
        assert!(!text.contains("  ") && !text.contains(['\n', '\t', '\r']), "{html:?}");
        assert!(block.linked_words() <= block.words());
    }
    let kept = Extractor::ALL.map(|extractor| kept_text(&page, extractor));
    // `best` alone leaves out the text of these elements, and ends a head at an element of a body.
    if !["<textarea", "<template"].iter().any(|tag| html.contains(tag)) {
        let html = format!("<body>{html}");
        let page = parse(&html, &Limits::default());
        for extractor in Extractor::ALL {
            assert_eq!(
                kept_text(&parse_for(extractor, &html, &Limits::default()), extractor),
                kept_text(&page, extractor),
                "{extractor}: {html:?}"
            );
        }
    }
    let [article, best, justext, text, w2c, web_am, literal] = kept;
    assert!(
        web_am.len() <= article.len()
            && literal.len() <= article.len()
            && article.len() <= text.len()
    );
    assert!(literal.is_empty() == article.is_empty());
    assert!(justext.len() <= text.len() && w2c.len() <= text.len());
    assert!(best.len() <= text.len() && best.is_empty() == text.is_empty());
    assert!(text.iter().all(|text| !text.is_empty()));
}

proptest! {
    #[test]
    fn any_text_is_read_into_valid_blocks(html in "\\PC{0,200}") {
        check(&html);
    }

    #[test]
    fn any_soup_is_read_into_valid_blocks(html in soup()) {
        check(&html);
    }

    #[test]
    fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300), label in "[a-z0-9-]{0,12}") {
        let content_type = format!("text/html; charset={label}");
        for hints in [Hints::default(), Hints { content_type: Some(&content_type), url: Some("http://example.pk/") }] {
            if let Ok(decoded) = decode(&bytes, &hints) {
                check(&decoded.text);
            }
        }
    }

    #[test]
    fn a_break_never_runs_words_together(words in prop::collection::vec("[a-z]{1,8}", 1..20), tag in prop::sample::select(vec!["<br>", "<br/>", "<BR clear=all>", "</p>", "<p>", "<li>", "<hr>"])) {
        let page = parse(&format!("<div>{}", words.join(tag)), &Limits::default());
        prop_assert_eq!(kept_text(&page, Extractor::Text), words);
    }

    #[test]
    fn a_cut_page_gives_the_beginning_of_its_text(cut in 0usize..400) {
        let whole = "<title>\u{627}</title><p>\u{645}\u{642}\u{627}\u{644}\u{6c1} ".repeat(20);
        let bytes = &whole.as_bytes()[..cut.min(whole.len())];
        let decoded = decode(bytes, &Hints::default()).unwrap();
        prop_assert!(whole.starts_with(&*decoded.text));
        prop_assert!(whole.len() - decoded.text.len() < whole.len() - bytes.len() + 4);
    }

    #[test]
    fn a_limit_keeps_what_was_read(html in soup(), blocks in 1usize..5, depth in 3usize..12) {
        let whole = parse(&html, &Limits::default());
        let part = parse(&html, &Limits { max_blocks: blocks, ..Limits::default() });
        prop_assert!(part.blocks().len() <= blocks);
        prop_assert_eq!(part.limit.is_some(), whole.blocks().len() > blocks);
        for (part_of, of) in part.blocks().iter().zip(whole.blocks()) {
            prop_assert_eq!(part.text_of(part_of), whole.text_of(of));
        }
        let shallow = parse(&html, &Limits { max_depth: depth, ..Limits::default() });
        prop_assert!(shallow.limit.is_some() || shallow.blocks().len() == whole.blocks().len());
    }
}

/// A page in an encoding that a browser can write is decoded to its text, if the header or the page
/// names the encoding.
#[test]
fn declared_encodings_round_trip() {
    let texts = [
        (
            "windows-1256",
            "\u{627}\u{644}\u{633}\u{644}\u{627}\u{645} \u{639}\u{644}\u{6cc}\u{6a9}\u{645}"
                .replace('\u{6cc}', "\u{64a}")
                .replace('\u{6a9}', "\u{643}"),
        ),
        (
            "iso-8859-6",
            "\u{627}\u{644}\u{633}\u{644}\u{627}\u{645} \u{639}\u{644}\u{64a}\u{643}\u{645}"
                .to_owned(),
        ),
        ("koi8-r", "Старая мельница".to_owned()),
        ("gb18030", "山脚下的旧车站 \u{20000}".to_owned()),
        ("shift_jis", "古い駅の待合室".to_owned()),
        ("euc-kr", "오래된 방앗간".to_owned()),
        ("big5", "舊車站變成閱覽室".to_owned()),
        ("windows-1252", "déjà vu – naïve".to_owned()),
    ];
    for (charset, text) in texts {
        let encoding = Encoding::for_label(charset.as_bytes()).unwrap();
        for (html, header) in [
            (format!("<p>{text}</p>"), Some(format!("text/html; Charset=\"{charset}\""))),
            (format!("<head><!-- <meta charset=utf-8> --><meta charset='{charset}'></head><p>{text}</p>"), None),
            (format!("<META content=\"text/html; charset={charset}\" http-equiv=Content-Type><p>{text}</p>"), None),
        ] {
            let (bytes, _, unmappable) = encoding.encode(&html);
            assert!(!unmappable, "{charset}");
            let decoded = decode(&bytes, &Hints { content_type: header.as_deref(), url: None }).unwrap();
            assert_eq!((decoded.charset, &*decoded.text), (charset, html.as_str()));
        }
    }
}

#[test]
fn utf_16_is_told_with_and_without_mark_and_label() {
    let html = "<html><head><title>\u{627}\u{631}\u{62f}\u{648}</title></head><body><p>\u{6cc}\u{6c1} \u{1f600}</p></body></html>";
    for (name, to_bytes) in
        [("utf-16le", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("utf-16be", u16::to_be_bytes)]
    {
        for mark in ["", "\u{feff}"] {
            let bytes: Vec<u8> =
                format!("{mark}{html}").encode_utf16().flat_map(to_bytes).collect();
            for content_type in
                [None, Some("text/html; charset=utf-16"), Some("text/html; charset=iso-8859-1")]
            {
                let decoded = decode(&bytes, &Hints { content_type, url: None }).unwrap();
                assert_eq!((decoded.charset, &*decoded.text), (name, html));
            }
        }
    }
}

#[test]
fn valid_utf_8_wins_over_a_lying_label_and_a_few_broken_characters_over_none() {
    let text = "<meta charset=windows-1252><p>\u{6cc}\u{6c1} \u{627}\u{631}\u{62f}\u{648} \u{645}\u{6cc}\u{6ba} \u{6c1}\u{6d2}</p>".repeat(4);
    let header = Hints { content_type: Some("text/html; charset=iso-8859-1"), url: None };
    let decoded = decode(text.as_bytes(), &header).unwrap();
    assert_eq!((decoded.charset, &*decoded.text), ("utf-8", text.as_str()));
    let mut broken = text.clone().into_bytes();
    broken.push(0xa9);
    assert_eq!(decode(&broken, &header).unwrap().charset, "utf-8");
}

#[test]
fn encodings_that_nobody_decodes_are_refused_only_where_they_are_used() {
    let label = Hints { content_type: Some("text/html; charset=utf-7"), url: None };
    let refused = decode(b"<p>+BkUGQgYnBkQ-</p>", &label).unwrap_err();
    assert!(refused.to_string().contains("utf-7"), "{refused}");
    assert_eq!(decode(b"<p>plain</p>", &label).unwrap().text, "<p>plain</p>");
    assert_eq!(
        decode("<p>\u{627}\u{631}\u{62f}\u{648}</p>".as_bytes(), &label).unwrap().charset,
        "utf-8"
    );
    for to_bytes in [u32::to_le_bytes, u32::to_be_bytes] {
        let utf32: Vec<u8> =
            "<html>\u{627}</html>".chars().flat_map(|c| to_bytes(c as u32)).collect();
        assert!(decode(&utf32, &Hints::default()).is_err());
    }
    assert!(decode(&[0; 4000], &Hints::default()).is_ok());
    assert_eq!(decode(b"<p>a\x07b\0c", &Hints::default()).unwrap().charset, "utf-8");
}

#[test]
fn a_label_that_makes_rubbish_of_the_bytes_is_passed_over_and_a_true_one_is_believed() {
    fn header(charset: &str) -> Hints<'_> {
        Hints { content_type: Some(charset), url: None }
    }
    let (bytes, _, _) = encoding_rs::WINDOWS_1256.encode("<p>قطار المدينة القديمة</p>");
    for lie in [
        "text/html; charset=iso-8859-1",
        "text/html; charset=iso-8859-6",
        "text/html; charset=windows-1251",
    ] {
        assert_eq!(decode(&bytes, &header(lie)).unwrap().charset, "windows-1256", "{lie}");
    }
    // A word or two are no grounds to doubt a label.
    for (encoding, text) in [
        (encoding_rs::WINDOWS_1251, "<p>ВОРОБЬИ"),
        (encoding_rs::WINDOWS_1250, "<p>Żółw"),
        (encoding_rs::KOI8_R, "<p>Я и ты"),
        (encoding_rs::MACINTOSH, "<p>déjà"),
    ] {
        let label = format!("text/html; charset={}", encoding.name());
        assert_eq!(decode(&encoding.encode(text).0, &header(&label)).unwrap().text, text);
    }
}

#[test]
fn an_undeclared_page_is_guessed_from_its_bytes() {
    let text =
        "<p>Старую мельницу на окраине посёлка решили не сносить, а превратить в музей хлеба.</p>";
    let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode(text);
    let hints =
        Hints { content_type: Some("text/html"), url: Some("http://museum.example.ru:8080/x") };
    assert_eq!(decode(&bytes, &hints).unwrap().text, text);
}
