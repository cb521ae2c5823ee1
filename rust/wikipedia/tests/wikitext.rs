//! Tests of the conversion of wikitext to text.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use std::time::{Duration, Instant};
use wikipedia::{paragraphs, Kind, Namespaces, Paragraph};

fn of(wikitext: &str) -> Vec<Paragraph> {
    let mut namespaces = Namespaces::default();
    namespaces.add(6, "Файл");
    namespaces.add(14, "Категория");
    paragraphs("Саранск", wikitext, &namespaces)
}

/// The paragraphs of running text.
fn texts(wikitext: &str) -> Vec<String> {
    of(wikitext)
        .into_iter()
        .filter(|paragraph| paragraph.kind == Kind::Text)
        .map(|paragraph| paragraph.text)
        .collect()
}

/// The one paragraph that there is.
fn text(wikitext: &str) -> String {
    let texts = texts(wikitext);
    assert_eq!(texts.len(), 1, "{texts:?}");
    texts.into_iter().next().unwrap()
}

#[test]
fn links_and_formatting_become_their_text() {
    assert_eq!(
        text("'''Саранск''' — [[ош]] ды [[Мордовия|Мордовиянь]] ''прявт ош''."),
        "Саранск — ош ды Мордовиянь прявт ош."
    );
    assert_eq!(
        text("[[bus]]es, [[Mercury (planet)|]], [[#History]] and [[:Category:Towns|towns]]"),
        "buses, Mercury, History and towns"
    );
    assert_eq!(
        text(
            "the [http://example.org/a?b=c site], [https://example.org] and [//example.org other]"
        ),
        "the site, and other"
    );
    assert_eq!(text("see http://example.org/a(b)|c now"), "see |c now");
    assert_eq!(text("a <b>b</b> <span style=\"x\">c</span><sup>2</sup> < d"), "a b c2 < d");
    assert_eq!(text("l'''Italia'' e l''''Etna'''"), "l'Italia e l'Etna");
    assert_eq!(text("&lt;b&gt; &amp;amp; 5&nbsp;km &#x416;"), "<b> &amp; 5 km Ж");
}

#[test]
fn what_is_no_text_is_gone() {
    assert_eq!(text("a<ref name=x>[[b]] {{c}}</ref> d<ref name=\"x\" />."), "a d.");
    assert_eq!(text("a <!-- b\n\n [[c]] --> d"), "a d");
    assert_eq!(text("a {{b|{{c}}|{{{d|e}}}\n\n}} f"), "a f");
    assert_eq!(text("a <math>\\frac{1}{2}</math> b <MATH >x</MATH > c"), "a b c");
    assert_eq!(
        text("[[Файл:A.jpg|thumb|Text with [[links]] and [http://example.org a site]]]a"),
        "a"
    );
    assert_eq!(
        text("a [[File:B.png]] [[Image:C.svg|left]] [[Kuva:D.JPG|thumb|e]] [[Media:F.ogg|g]] h"),
        "a h"
    );
    assert_eq!(
        text("a\n[[Категория:Ошт]]\n[[category:b|*]]\n[[de:Saransk]]\n[[zh-min-nan:Saransk]]"),
        "a"
    );
    assert_eq!(text("__NOTOC__ a __БЕЗ_ОГЛ__ b __init__ c"), "a b __init__ c");
    assert_eq!(text("a\n<gallery>\nA.jpg|b\n</gallery>\n<references />"), "a");
    assert_eq!(texts("a\n{| class=x\n|-\n| b || c\n{|\n| d\n|}\n| e\n|}\nf"), ["a", "f"]);
    assert_eq!(texts("a\n<table><tr><td>b</td></tr></table>\nc"), ["a", "c"]);
    assert_eq!(texts("{{Infobox\n| a = {{b}}\n}}\n'''A''' is b."), ["A is b."]);
    assert!(of("----\n1999\n\n* 2\n\n...").is_empty());
}

#[test]
fn templates_of_mediawiki_itself_show_what_they_show() {
    assert_eq!(
        text("'''{{PAGENAME}}''' l{{'}}''a'' {{formatnum:12345|R}} {{lang|fr|b}} c"),
        "Саранск l'a 12345 c"
    );
    let within = &of("'''{{PAGENAME}}''' ош")[0];
    assert_eq!(&within.text[within.names[0].clone()], "Саранск");
}

#[test]
fn of_variants_the_first_is_taken() {
    assert_eq!(
        text("德国-{zh-hans:联邦州; zh-hant:邦}-议-{}-会 „-{Abgeordnetenhaus}-“ 250-{m}-"),
        "德国联邦州议会 „Abgeordnetenhaus“ 250m"
    );
    assert_eq!(
        text("a -{R|[[b|c]]}- -{H|zh-cn:d;zh-tw:e}- -{A|zh-cn:f;zh-tw:g}- x-{y"),
        "a c f x-{y"
    );
}

#[test]
fn old_names_of_namespaces_are_known_by_what_stands_there() {
    assert_eq!(text("[[Изображение:A.jpg|thumb|b]]a"), "a");
    assert_eq!(
        text("a\n[[Kategoriija:Ošt]]\n[[Star Wars: Episode IV]]"),
        "a Star Wars: Episode IV"
    );
}

#[test]
fn a_text_is_closed_up_where_something_is_gone() {
    assert_eq!(text("'''Саранск''' ({{lang-ru|Саранск}}) ош."), "Саранск ош.");
    assert_eq!(
        text("'''Rand''' ({{IPA|x}}; born 1905, {{x}}) wrote, {{y}}, and {{z}}."),
        "Rand (born 1905) wrote, and."
    );
    assert_eq!(text("'''Berlin''', {{x}} – a town (of Prussia )"), "Berlin – a town (of Prussia)");
}

#[test]
fn headings_and_items_are_paragraphs_of_their_own() {
    let kinds: Vec<_> = of("a\nb\n== c ''d'' ==\ne\n* f\n** g<br>h\n: i\n\nj")
        .into_iter()
        .map(|paragraph| (paragraph.kind, paragraph.text))
        .collect();
    let expected = [
        (Kind::Text, "a b"),
        (Kind::Heading, "c d"),
        (Kind::Text, "e"),
        (Kind::Item, "f"),
        (Kind::Item, "g"),
        (Kind::Item, "h"),
        (Kind::Item, "i"),
        (Kind::Text, "j"),
    ];
    assert_eq!(kinds, expected.map(|(kind, text)| (kind, text.to_owned())));
    assert_eq!(texts("a<br/>b<p>c</p>\n\nd\n<!-- e -->\nf"), ["a", "b", "c", "d f"]);
}

#[test]
fn nowiki_hides_markup() {
    assert_eq!(text("a <nowiki>[[b]] ''c'' {{d}}\n* e</nowiki> f"), "a [b] 'c' {d} * e f");
}

#[test]
fn markup_that_is_left_open_costs_its_paragraph_alone() {
    assert_eq!(texts("a {{b\n|c\n\nd"), ["a", "d"]);
    assert_eq!(texts("a <ref>b\n\nc"), ["a", "c"]);
    assert_eq!(texts("a\n{|\n| b\n== c ==\nd"), ["a", "d"]);
    assert_eq!(texts("a [[Файл:B.jpg|thumb|c\n\nd"), ["a", "d"]);
    assert_eq!(texts("a [[b|c\n\nd [[e"), ["a c", "d e"]);
    assert_eq!(texts("}} a ]]\n\n|} b\n\n[c"), ["a", "[c"]);
    assert_eq!(texts("a <!-- b\n\nc"), ["a"]);
}

#[test]
fn a_name_that_begins_in_a_removed_bracket_begins_after_it() {
    let paragraphs = of("Ош ('''|) мастор''' ульнесь.");
    let paragraph = &paragraphs[0];
    assert_eq!(paragraph.text, "Ош мастор ульнесь.");
    let names: Vec<_> =
        paragraph.names.iter().map(|name| paragraph.text.get(name.clone())).collect();
    assert_eq!(names, [Some("мастор")]);
}

#[test]
fn names_are_where_links_and_bold_text_are() {
    let paragraphs = of("'''Чамзинка''' — веле [[Мордовия|Мордовиянь]] [[ёнкс]]сэ.");
    let names: Vec<&str> =
        paragraphs[0].names.iter().map(|name| &paragraphs[0].text[name.clone()]).collect();
    assert_eq!(names, ["Чамзинка", "Мордовиянь", "ёнкс"]);
}

/// Pieces of markup, so that random texts are full of it.
fn markup() -> impl Strategy<Value = String> {
    let pieces = [
        "{{",
        "}}",
        "{{{",
        "}}}",
        "{|",
        "|}",
        "|-",
        "\n|",
        "[[",
        "]]",
        "[",
        "]",
        "|",
        "''",
        "'''",
        "'''''",
        "<ref>",
        "</ref>",
        "<ref/>",
        "<!--",
        "-->",
        "<nowiki>",
        "</nowiki>",
        "<math>",
        "</math>",
        "<gallery>",
        "</gallery>",
        "<table>",
        "</table>",
        "<br>",
        "<",
        ">",
        "==",
        "\n==",
        "==\n",
        "\n",
        "\n\n",
        "\n*",
        "\n:",
        "http://",
        "https://a.b ",
        "[http://c ",
        "Файл:",
        "A.jpg",
        "Категория:",
        "de:",
        ":",
        "#",
        "(",
        ")",
        ",",
        ".",
        " ",
        "&amp;",
        "&#91;",
        "&lt;",
        "&#xFDD2;",
        "\u{FDD0}",
        "\u{FDD1}",
        "\u{FDD2}",
        "\u{FDD3}",
        "\u{FDD4}",
        "__NOTOC__",
        "__",
        "ош",
        "a",
        "ﷺ",
        "字",
        "é",
        "1",
        "-{",
        "}-",
        "\r",
        "\t",
        "\u{a0}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..60)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn of_any_wikitext_there_are_paragraphs_in_one_line_without_markup(wikitext in markup()) {
        for paragraph in of(&wikitext) {
            let text = &paragraph.text;
            prop_assert!(text.contains(char::is_alphabetic));
            prop_assert!(!text.contains(|c: char| c.is_control() || ('\u{FDD0}'..='\u{FDD4}').contains(&c)), "{text:?}");
            prop_assert_eq!(text.trim(), text);
            prop_assert!(!text.contains("  "), "{text:?}");
            for sign in ["[[", "]]", "{{", "}}", "''"] {
                prop_assert!(!text.contains(sign), "{wikitext:?} {text:?}");
            }
            let mut end = 0;
            for name in &paragraph.names {
                prop_assert!(name.start < name.end && name.end <= text.len());
                prop_assert!(text.get(name.clone()).is_some());
                prop_assert!(end <= name.start);
                end = name.end;
            }
        }
    }

    // Only letters: a paragraph without a letter is left out, and the blocks of Gurmukhi and Arabic
    // also have unassigned code points, marks and digits.
    #[test]
    fn text_without_markup_stays_as_it_is(words in prop::collection::vec("[a-zа-яёәөүҙਕ-ਨਪ-ਰا-غف-ي]{1,9}", 1..30)) {
        let wikitext = words.join(" ");
        prop_assert_eq!(text(&wikitext), wikitext);
    }

    #[test]
    fn what_stands_in_whole_markup_does_not_matter(inner in "[a-z|= \n]{0,30}", text in "[a-z]{1,9}") {
        let wikitext = format!("{text} {{{{x{inner}}}}}<ref>{inner}</ref><!--{inner}--> {text}");
        prop_assert_eq!(texts(&wikitext), [format!("{text} {text}")]);
    }
}

#[test]
fn a_name_in_a_bracket_that_is_removed_is_no_name() {
    for wikitext in
        ["a ('''''',''' ) '''b'''", "'''a ('''-{x}-) '''b''' c", "a '''b, '''{{x}}, '''c'''"]
    {
        for paragraph in of(wikitext) {
            let mut end = 0;
            for name in &paragraph.names {
                assert!(end <= name.start && name.start < name.end, "{wikitext} {paragraph:?}");
                end = name.end;
            }
            assert!(end <= paragraph.text.len(), "{wikitext} {paragraph:?}");
        }
    }
    let crash =
        "'''О____________-__________________(\u{0}\u{0}\u{0}______________\u{1}'''�''{}) [[File";
    let names: Vec<_> = of(crash).into_iter().flat_map(|paragraph| paragraph.names).collect();
    assert!(names.windows(2).all(|pair| pair[0].end <= pair[1].start), "{names:?}");
}

/// Pages that are made to cost much time: nested markup, open markup, or many repetitions of one
/// piece.
fn hostile(size: usize) -> Vec<String> {
    let pieces = [
        "{{",
        "-{",
        "-{a:",
        "{{a|",
        "{{{",
        "{",
        "}}",
        "[[",
        "[[a|",
        "[[File:a|",
        "[",
        "]]",
        "[http://a ",
        "[http://",
        "http://a",
        "://",
        "{|\n",
        "|}\n",
        "<ref>",
        "<ref>a</b>",
        "<ref/>",
        "<ref ",
        "<!--",
        "<!---->",
        "<nowiki>",
        "<table>",
        "<b",
        "<",
        "</",
        "''",
        "'''a",
        "*",
        "=",
        "==a==\n",
        "__",
        "__A",
        "&",
        "&#",
        "&amp;",
        "(",
        "(,",
        ")",
        "( ",
        ",",
        "\n",
        " ",
        "\n ",
        ":",
        "|",
        "a",
        "\u{FDD4}",
        "字",
    ];
    let mut pages: Vec<String> =
        pieces.iter().map(|piece| piece.repeat(size / piece.len())).collect();
    for (begin, end) in [
        ("{{a|", "}}"),
        ("{{formatnum:", "}}"),
        ("[[a|", "]]"),
        ("[[File:a|", "]]"),
        ("[[a:", "|b]]"),
        ("{|\n", "|}\n"),
        ("<ref>", "</ref>"),
        ("<table>", "</table>"),
        ("(", ")"),
        ("'''", "''"),
        ("<b>", "</b>"),
    ] {
        let times = size / (begin.len() + end.len());
        pages.push(begin.repeat(times) + "a" + &end.repeat(times));
    }
    // One end for very many beginnings.
    for (piece, end) in [
        ("<ref/>", "</ref>"),
        ("<b ", ">"),
        ("[http://a ", "]"),
        ("[[a|", "\n\n"),
        ("{{", "}}"),
        ("<math>", "</math>"),
    ] {
        pages.push(piece.repeat(size / piece.len()) + end);
    }
    pages
}

#[test]
fn hostile_pages_take_time_in_proportion_to_their_length() {
    for page in hostile(500_000) {
        let begin = Instant::now();
        let _ = of(&page);
        // An algorithm with quadratic time would take minutes.
        assert!(
            begin.elapsed() < Duration::from_secs(5),
            "{:?}: {:?}",
            &page.chars().take(12).collect::<String>(),
            begin.elapsed()
        );
    }
}

#[test]
fn no_space_stays_before_a_sign_where_a_note_was() {
    for (wikitext, expected) in [
        ("The people are mostly farmers <ref>x</ref> .", "The people are mostly farmers."),
        ("Farmers <!-- how many? --> , and [[fisher]]s [[File:x.jpg]] .", "Farmers, and fishers."),
        ("Farmers ({{IPA|x}} ), and fishers&nbsp;.", "Farmers, and fishers."),
        ("یہ شہر پرانا ہے <ref>x</ref> ۔", "یہ شہر پرانا ہے۔"),
        ("A price of .5 and ... or – , so", "A price of .5 and ... or – , so"),
        ("Un mot : oui ; non !", "Un mot : oui ; non !"),
    ] {
        assert_eq!(text(wikitext), expected);
    }
}

#[test]
fn a_category_that_begins_where_other_links_do_takes_no_text_with_it() {
    for inner in ["Category:y", "Xyz:y", "File:y.jpg"] {
        for outer in ["[[", "[[[[", "[[|", "[[a|"] {
            for end in ["", "]]", " b]]", "\nb]]", "|b]]"] {
                let shown = texts(&format!("one\n{outer}[[{inner}]]\n{end}\n\ntwo")).join("/");
                assert!(shown.starts_with("one") && shown.ends_with("two"), "{shown}");
            }
        }
    }
}
