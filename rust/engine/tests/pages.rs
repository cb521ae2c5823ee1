//! The road of a page: statuses, limits, decisions.
#![allow(clippy::unwrap_used)]

use content::{Extractor, Headline};
use engine::{Engine, Kind, PageHints, Settings, Status};
use langbytes::LangCode;
use proptest::prelude::*;
use std::thread;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";
const ENGLISH: &str = "The river rose during the night and the ferry could not leave before noon.";

fn engine(change: impl FnOnce(&mut Settings)) -> Engine {
    let mut settings = Settings::new("urd".parse().unwrap());
    settings.extractor = Extractor::Text;
    change(&mut settings);
    Engine::new(settings).unwrap()
}

fn plain() -> Engine {
    engine(|_| ())
}

#[test]
fn engines_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Engine>();
    let (engine, page) = (plain(), format!("<p>{URDU}<p>{ENGLISH}"));
    let alone = engine.page(page.as_bytes(), &PageHints::default());
    thread::scope(|scope| {
        let workers: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| engine.page(page.as_bytes(), &PageHints::default())))
            .collect();
        assert!(workers.into_iter().all(|worker| worker.join().unwrap() == alone));
    });
}

#[test]
fn blocks_are_joined_by_line_breaks_and_counted_apart() {
    let record =
        plain().page(format!("<p>{URDU}</p><p>{ENGLISH}</p>").as_bytes(), &PageHints::default());
    assert_eq!(record.status, Status::Ok);
    assert_eq!(record.text, format!("{URDU}\n{ENGLISH}"));
    assert_eq!(record.languages.to_string(), format!("urd:{},eng:{}", URDU.len(), ENGLISH.len()));
    assert_eq!(record.main_bytes, record.text.len() as u64);
    assert_eq!(record.visible_bytes, record.main_bytes);
    assert_eq!(record.target_bytes, URDU.len() as u64);
}

#[test]
fn the_size_filter_decides_at_its_threshold() {
    let page = format!("<p>{URDU}");
    let bytes = URDU.len() as u64;
    let at =
        engine(|settings| settings.min_bytes = bytes).page(page.as_bytes(), &PageHints::default());
    assert_eq!(at.decision.to_string(), format!("keep {bytes} bytes of urd, {bytes} wanted"));
    let above = engine(|settings| settings.min_bytes = bytes + 1)
        .page(page.as_bytes(), &PageHints::default());
    assert_eq!(
        above.decision.to_string(),
        format!("reject {bytes} bytes of urd, {} wanted", bytes + 1)
    );
}

#[test]
fn a_page_over_the_size_limit_is_not_read() {
    let page = format!("<title>t</title><p>{URDU}");
    let record =
        engine(|settings| settings.max_bytes = 100).page(page.as_bytes(), &PageHints::default());
    assert_eq!(record.status, Status::TooLarge);
    assert_eq!(
        record.message.unwrap(),
        format!("page has {} bytes, allowed are 100 (maxBytes)", page.len())
    );
    assert_eq!(
        (record.raw_bytes, record.visible_bytes, record.text.as_str()),
        (page.len() as u64, 0, "")
    );
    assert_eq!(
        (record.title.as_str(), record.decision.to_string().as_str()),
        ("", "reject too_large")
    );
}

#[test]
fn a_page_without_text_has_no_content() {
    for page in ["", "<html><body><img src=x></body></html>", "   "] {
        let record =
            engine(|settings| settings.min_bytes = 0).page(page.as_bytes(), &PageHints::default());
        assert_eq!(record.status, Status::NoContent, "{page}");
        assert!(record.message.is_some());
        assert_eq!(record.decision.to_string(), "reject no_content");
    }
}

#[test]
fn a_limit_keeps_what_was_read_before_it() {
    let page = format!("<p>{URDU}").repeat(10);
    let record =
        engine(|settings| settings.max_blocks = 3).page(page.as_bytes(), &PageHints::default());
    assert_eq!(record.status, Status::LimitHit);
    assert!(record.message.is_some());
    assert!((1..=3).contains(&record.text.lines().count()), "{}", record.text);
    assert_eq!(record.target_bytes, record.languages.total());
    assert!(record.decision.keep);
}

#[test]
fn the_time_limit_covers_the_counting_of_languages() {
    let text = format!("{URDU}\n\n").repeat(20_000);
    let record = engine(|settings| settings.max_millis = 1)
        .page(text.as_bytes(), &PageHints { kind: Kind::Text, ..PageHints::default() });
    assert_eq!(record.status, Status::LimitHit);
    assert!(record.message.unwrap().contains("maxMillis"));
    assert!(record.languages.bytes(LangCode::UND) > 0, "{}", record.languages);
    let breaks = record.text.matches('\n').count() as u64;
    assert_eq!(record.languages.total() + breaks, record.main_bytes);
}

#[test]
fn plain_text_is_counted_without_extraction() {
    let text = format!(
        "<p> is no tag here. {ENGLISH}\r\n\r\n{URDU}\nدوسری سطر بھی اسی خبر کا حصہ ہے۔\u{c}"
    );
    let record =
        plain().page(text.as_bytes(), &PageHints { kind: Kind::Text, ..PageHints::default() });
    assert_eq!(record.status, Status::Ok);
    assert_eq!(record.text, text.replace("\r\n\r\n", "\n").trim_end());
    assert!(record.languages.to_string().starts_with("urd:"), "{}", record.languages);
    assert_eq!(record.title, "");
}

/// Sentences in the encodings of fonts, of which each letter is drawn as one of another script.
const FONTS: [&str; 4] = [
    // Kruti Dev: Hindi.
    "Hkkjr ,d fo'kky ns'k gS tgk¡ fofHkUu Hkk\"kk,¡ cksyh tkrh gSaA ;gk¡ ds yksx vius \
     R;ksgkjksa dks cM+s mRlkg ls eukrs gSaA iz/kkuea=h us dgk fd ljdkj xkaoksa ds fodkl ds \
     fy, dke dj jgh gSA fdlkuksa dks mudh Qly dk mfpr ewY; feyuk pkfg,A gekjs ns'k esa unh] \
     igkM+ vkSj taxy gSaA cPpksa dks Ldwy tkuk pkfg, vkSj i<+kbZ djuh pkfg,A",
    // Preeti: Nepali.
    "g]kfn Ps ;'Gb/ b]z xf] . oxfFsf dflg;x? w]/} d]xgtL 5g\\ . ;/sf/n] lzIff / :jf:Yosf] \
     If]qdf gofF of]hgf NofPsf] 5 . lsfgx?nfO{ pgLx?sf] pTkfbgsf] plrt d\"No lbg'kb{5 . \
     ljBfyL{x? ljBfno hfG5g\\ / k9\\5g\\ . sf7df8f}Fdf cfh kfgL k/]sf] 5 . lhNnf sfof{nosf \
     cg';f/ ;8s lgdf{0fsf] sfd ;'? ePsf] 5 .",
    // Bijoy: Bengali.
    "evsjv‡`k GKwU my›`i †`k| GLv‡b A‡bK b`x Av‡Q| evsjv‡`‡ki ivRavbx XvKv| Avgiv mevB wg‡j \
     KvR Ki‡ev| wkÿv RvwZi †giæ`Ê| miKvi bZzb cwiKíbv MÖnY K‡i‡Q| K…lK‡`i Ab¨ mvi I exR †`Iqv \
     n‡e| gvbyl myLx n‡e GB Avkv Kiv hvq| nvmcvZv‡j WvKvi I bvm© Av‡Qb| AvBb mevi Rb¨ mgvb|",
    // An encoding of Tamil.
    "îI›ï£´ Üó² ñ‚èÀ‚° ¹Fò F†ìƒè¬÷ ÜP¾Fˆ¶œ÷¶. Þ‰î F†ìƒèœ Íô‹ Mõê£Jèœ ðòù¬ìõ£˜èœ. ðœO ñ£íõ˜èœ \
     ÝCKòKì‹ ð£ì‹ èŸAø£˜èœ. ªê¡¬ùJ™ ñ¬ö ªðŒî¶. ñ‚èœ ñA›„CJ™ àœ÷ù˜. F¼ñí Mö£ CøŠð£è ï¬ìªðŸø¶.",
];

#[test]
fn documents_in_fonts_with_encodings_of_their_own_are_junk() {
    let read = |text: &str, kind| {
        engine(|settings| settings.min_bytes = 1)
            .page(text.as_bytes(), &PageHints { kind, ..PageHints::default() })
    };
    for text in FONTS {
        let record = read(&format!("{text}\n\nیہ خبر"), Kind::Document);
        let junk = record.junk.expect(text).to_string();
        assert!(junk.starts_with("unknown-words, "), "{junk}");
        assert!(!record.decision.keep, "{text}");
        assert!(record.decision.reason.starts_with("junk: unknown-words"), "{text}");
        assert_eq!(read(text, Kind::Text).junk, None, "text that was given is as it is");
    }
    let mixed = format!("{URDU} {URDU} {URDU}\n\n{}", FONTS[0]);
    let record = read(&mixed, Kind::Document);
    assert!(record.junk.is_none() && record.decision.keep, "{}", record.decision.reason);
    let short = read(FONTS[0].split_at(120).0, Kind::Document);
    assert_eq!(short.junk, None, "too short to be judged");
}

#[test]
fn plain_text_has_a_limit_on_paragraphs_too() {
    let text = format!("{URDU}\n\n").repeat(10);
    let record = engine(|settings| settings.max_blocks = 3)
        .page(text.as_bytes(), &PageHints { kind: Kind::Text, ..PageHints::default() });
    assert_eq!((record.status, record.text.lines().count()), (Status::LimitHit, 3));
    let all = engine(|settings| settings.max_blocks = 10)
        .page(text.as_bytes(), &PageHints { kind: Kind::Text, ..PageHints::default() });
    assert_eq!((all.status, all.text.lines().count()), (Status::Ok, 10));
}

#[test]
fn text_that_is_not_utf8_is_read_all_the_same() {
    let record =
        plain().page(b"caf\xe9 \0\xff", &PageHints { kind: Kind::Text, ..PageHints::default() });
    assert_eq!(record.text, "caf\u{fffd} \0\u{fffd}");
}

#[test]
fn an_inspection_accounts_for_every_block_and_agrees_with_the_record() {
    let page = format!("<title>t</title><p>{URDU}<p>{ENGLISH}");
    let inspection = plain().inspect(page.as_bytes(), &PageHints::default());
    assert_eq!(inspection.record, plain().page(page.as_bytes(), &PageHints::default()));
    let kept: Vec<&str> = inspection
        .blocks
        .iter()
        .filter(|block| block.kept)
        .map(|block| block.text.as_str())
        .collect();
    assert_eq!(kept.join("\n"), inspection.record.text);
    let bytes: u64 = inspection.blocks.iter().map(|block| block.languages.total()).sum();
    assert_eq!(bytes, inspection.record.languages.total());
    let json = serde_json::to_value(&inspection).unwrap();
    assert_eq!(json["languages"]["urd"], URDU.len());
    assert_eq!(json["status"], "ok");
    assert_eq!(json["blocks"][0]["kept"], true);
}

#[test]
fn a_million_nested_tags_fit_a_small_stack() {
    let page = format!("{}{URDU}", "<div>".repeat(1_000_000));
    let record = thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || {
            engine(|settings| settings.max_millis = 60_000)
                .page(page.as_bytes(), &PageHints::default())
        })
        .unwrap()
        .join()
        .unwrap();
    assert!(
        matches!(record.status, Status::Ok | Status::LimitHit | Status::NoContent),
        "{:?}",
        record.status
    );
    assert_eq!(record.raw_bytes, 5_000_000 + URDU.len() as u64);
}

/// Bytes that look like a page in some places.
fn mess() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(format!("<p>{URDU}</p>").into_bytes()),
        Just(format!("<div><a href=x>{ENGLISH}</a><br>").into_bytes()),
        Just(b"<title>".to_vec()),
        Just(b"<table><tr><td>".to_vec()),
        Just(b"</div></td></li></title></p>".to_vec()),
        Just(b"<script>if (a < b) '</p>'".to_vec()),
        Just(b"<!-- <p> --".to_vec()),
        Just(b"&#x1F600;&amp;&#0;&nosuch;&#x110000;".to_vec()),
        Just(b"<meta charset=utf-16le><meta name=robots content=none>".to_vec()),
        Just(b"\xff\xfe\x00\xd8\xed\xa0\x80".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..40),
        "<[a-z]{1,5} [a-z\"'=>]{0,9}".prop_map(String::into_bytes),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_make_a_record_whose_figures_agree(
        content in mess(),
        content_type in proptest::option::of("text/html; charset=[a-z0-9-]{0,12}"),
        kind in prop_oneof![Just(Kind::Html), Just(Kind::Text)],
        extractor in proptest::sample::select(&Extractor::ALL[..]),
    ) {
        let engine = engine(|settings| settings.extractor = extractor);
        let hints = PageHints { content_type: content_type.as_deref(), url: None, kind };
        let inspection = engine.inspect(&content, &hints);
        let record = &inspection.record;
        let kept: Vec<&str> = inspection.blocks.iter().filter(|block| block.kept).map(|block| &*block.text).collect();
        prop_assert_eq!(record.raw_bytes, content.len() as u64);
        prop_assert_eq!(&record.text, &kept.join("\n"));
        prop_assert_eq!(record.main_bytes, record.text.len() as u64);
        prop_assert!(record.main_bytes <= record.visible_bytes);
        prop_assert_eq!(record.languages.total(), kept.iter().map(|text| text.len() as u64).sum::<u64>());
        prop_assert_eq!(record.target_bytes, record.languages.bytes(engine.settings().target()));
        prop_assert_eq!(record.status == Status::Ok, record.message.is_none());
        prop_assert_eq!(record, &engine.page(&content, &hints));
    }
}

#[test]
fn damaged_text_is_repaired_and_zawgyi_is_marked() {
    let engine = plain();
    let urdu = "گاؤں کی پرانی چکی کئی برس بعد ایک چھوٹے عجائب گھر میں بدل گئی ہے۔";
    let twice = encoding_rs::WINDOWS_1252.decode_without_bom_handling(urdu.as_bytes()).0;
    let references: String = urdu.chars().map(|c| format!("&amp;#{};", u32::from(c))).collect();
    for text in [twice.into_owned(), references.replace("&amp;#32;", " ")] {
        let page = format!("<title>x</title><p>{text}</p>");
        let record = engine.page(page.as_bytes(), &PageHints::default());
        assert_eq!((record.text.as_str(), record.charset), (urdu, Some("utf-8")));
        assert!(record.target_bytes > 0);
    }
    let zawgyi = "<p>\u{1031}\u{1000}\u{102c}\u{1004}\u{1039}\u{1038} \u{1031}\u{1014}</p>";
    let record = engine.page(zawgyi.as_bytes(), &PageHints::default());
    assert_eq!(record.charset, Some("zawgyi"));
    assert_eq!(record.text, "\u{1000}\u{1031}\u{102c}\u{1004}\u{103a}\u{1038} \u{1014}\u{1031}");
}

/// The field of a corpus says what the text lacks.
#[test]
fn the_headline_is_in_the_record_also_where_the_text_is_without_it() {
    let paragraph = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔ ";
    let page = format!(
        "<title>مشاعرہ - اخبار</title><nav><a href=/>گھر</a></nav><h1>شہر میں <b>مشاعرہ</b></h1>\
         <article><p>{}</p><p>{}</p></article>",
        paragraph.repeat(4),
        paragraph.repeat(3)
    );
    for (headline, is_in_text) in [(Headline::Keep, true), (Headline::Drop, false)] {
        let settings = Settings { headline, ..Settings::new("urd".parse().unwrap()) };
        let engine = Engine::new(settings).unwrap();
        let record = engine.page(page.clone().into_bytes(), &PageHints::default());
        assert_eq!(record.headline, "شہر میں مشاعرہ");
        assert_eq!(record.text.starts_with("شہر میں مشاعرہ\n"), is_in_text, "{}", record.text);
    }
    let long = format!("<h1>{}</h1><p>{}", "مشاعرہ ".repeat(400), paragraph.repeat(60));
    let settings = Settings::new("urd".parse().unwrap());
    let record = Engine::new(settings).unwrap().page(long.into_bytes(), &PageHints::default());
    assert!(record.headline.chars().count() <= 1_000);
}
