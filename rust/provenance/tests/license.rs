//! Which licence a page states.

use content::{links, LinkOptions};
use provenance::license;

fn shown(html: &str) -> String {
    let url = "https://a.example/dir/page";
    let options =
        LinkOptions { url: Some(url), statements: true, max_links: 0, ..LinkOptions::default() };
    let found = license(&links(html, &options, None).statements, Some(url));
    found.map_or("-".to_owned(), |found| {
        format!("{} {} {}", found.name, found.url.as_deref().unwrap_or("-"), found.source)
    })
}

#[test]
fn licences_are_found_in_all_places() {
    for (html, expected) in [
        (
            // As the licence chooser of Creative Commons writes it.
            "<a href=\"https://creativecommons.org/licenses/by/4.0/?ref=chooser-v1\" target=\"_blank\" rel=\"license noopener noreferrer\">CC BY 4.0</a>",
            "cc-by https://creativecommons.org/licenses/by/4.0/?ref=chooser-v1 rel",
        ),
        ("<link rel=license href='//creativecommons.org/licenses/by-nc-sa/3.0/deed.ur'>", "cc-by-nc-sa https://creativecommons.org/licenses/by-nc-sa/3.0/deed.ur rel"),
        ("<footer><a href='http://creativecommons.org/publicdomain/zero/1.0/'>x</a></footer>", "cc0 http://creativecommons.org/publicdomain/zero/1.0/ link"),
        ("<a rel=license href='https://creativecommons.org/publicdomain/mark/1.0/'>x</a>", "public-domain https://creativecommons.org/publicdomain/mark/1.0/ rel"),
        ("<meta name=dcterms.license content='https://creativecommons.org/licenses/by-sa/4.0/'>", "cc-by-sa https://creativecommons.org/licenses/by-sa/4.0/ meta"),
        ("<meta name=copyright content='CC BY-ND 2.0, the authors'>", "cc-by-nd - meta"),
        (
            "<script type=application/ld+json>{\"@type\":\"Article\",\"license\":\"https://creativecommons.org/licenses/by-nd-nc/1.0\"}</script>",
            "cc-by-nc-nd https://creativecommons.org/licenses/by-nd-nc/1.0 json-ld",
        ),
        ("<a rel='license' href='/terms'>x</a>", "other https://a.example/terms rel"),
        ("<a rel='license' href='/terms'>x</a>The text of this article is under <a href='https://creativecommons.org/licenses/by/4.0/'>", "cc-by https://creativecommons.org/licenses/by/4.0/ link"),
        (
            "<a rel=license href='//en.wikipedia.org/wiki/Wikipedia:Text_of_the_Creative_Commons_Attribution-ShareAlike_4.0_International_License'>x</a>",
            "cc-by-sa https://en.wikipedia.org/wiki/Wikipedia:Text_of_the_Creative_Commons_Attribution-ShareAlike_4.0_International_License rel",
        ),
        ("<a rel=license href='https://creativecommons.org/licenses/'>x</a>", "cc-unspecified https://creativecommons.org/licenses/ rel"),
    ] {
        assert_eq!(shown(html), expected, "{html}");
    }
}

#[test]
fn several_kinds_are_unspecified_unless_one_statement_is_stronger() {
    let [by, sa] = ["by", "by-sa"].map(|kind| {
        format!("<p>This site is under <a href='https://creativecommons.org/licenses/{kind}/4.0/'>")
    });
    assert_eq!(shown(&format!("{by}{sa}")), "cc-unspecified - link");
    assert!(shown(&format!(
        "{by}<link rel=license href='https://creativecommons.org/licenses/by-sa/4.0/'>"
    ))
    .starts_with("cc-by-sa"));
    assert!(shown(&format!("{by}{by}")).starts_with("cc-by "));
}

#[test]
fn what_is_no_licence_of_the_page_is_none() {
    for html in [
        "<figure><img><figcaption><a href='https://creativecommons.org/licenses/by/2.0/' rel=license>photo</a></figcaption></figure>",
        "<div class='wp-caption'><p class=x><a href='https://creativecommons.org/licenses/by/2.0/'>photo</a></div>",
        "<p>Photo by A. Writer, <a href='https://creativecommons.org/licenses/by/2.0/' rel=license>CC BY</a></p>",
        "<p>Music: a band (<a href='https://creativecommons.org/licenses/by/4.0/'>CC BY 4.0</a>)</p>",
        "<footer>Icons by a studio, <a href='https://creativecommons.org/licenses/by/4.0/'>CC BY</a></footer>",
        "<footer>Map data © a project <a href='https://creativecommons.org/licenses/by-sa/2.0/'>x</a></footer>",
        "<p>A book by N. Author, under <a href='https://creativecommons.org/licenses/by/4.0/'>CC BY</a></p>",
        "<a href='https://creativecommons.org/'>about</a>",
        "<a href='https://example.org/license'>x</a>",
        "<script type=application/ld+json>{\"@type\":\"ImageObject\",\"license\":\"https://creativecommons.org/licenses/by/4.0/\"}</script>",
        "<meta name=copyright content='The Company'>",
        "<p>CC BY 4.0</p>",
    ] {
        assert_eq!(shown(html), "-", "{html}");
    }
}

#[test]
fn json_ld_states_the_licence_of_an_article_or_a_page_alone() {
    let shown = |kind: &str| {
        shown(&format!(
            "<script type=application/ld+json>{{\"@type\":\"{kind}\",\"license\":\"https://creativecommons.org/licenses/by/4.0/\"}}</script>"
        ))
    };
    for kind in ["Dataset", "MusicRecording", "SoftwareApplication", "Map", "Book"] {
        assert_eq!(shown(kind), "-", "{kind}");
    }
    for kind in ["NewsArticle", "BlogPosting", "WebPage"] {
        assert!(shown(kind).starts_with("cc-by "), "{kind}");
    }
}

#[test]
fn an_address_about_privacy_is_no_licence() {
    for path in ["privacy.html", "Privacy-Policy"] {
        let page = format!("<footer><a rel=license href=/{path}>Read</a></footer>");
        assert_eq!(shown(&page), "-", "{path}");
    }
    let page =
        "<footer><a rel=license href=/terms>Terms</a> <a rel=license href=/privacy>P</a></footer>";
    assert_eq!(shown(page), "other https://a.example/terms rel");
}

/// Pages written by hand: credits of other things, and licences of the page, in many languages.
#[test]
fn credits_of_other_works_are_no_licence_and_claims_of_the_page_are() {
    let mut wrong = Vec::new();
    let rows: Vec<Vec<&str>> = include_str!("licences.tsv")
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    for row in &rows {
        let [expected, what, page] = row[..] else { panic!("a row has three cells: {row:?}") };
        let found = shown(page);
        let found = found.split(' ').next().unwrap_or_default();
        if found != expected {
            wrong.push(format!("{what}: {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// The licence of a page with a sentence around a link, `CC` in its place.
fn of_sentence(sentence: &str) -> String {
    let link = "<a href='https://creativecommons.org/licenses/by/4.0/'>CC BY</a>";
    shown(&format!(
        "<article><h1>A</h1><p>Text.</p><p>{}</p></article>",
        sentence.replace("CC", link)
    ))
}

#[test]
fn a_sentence_that_denies_a_licence_or_explains_one_claims_none() {
    for sentence in [
        "This article is not under a CC licence.",
        "This site doesn’t use CC.",
        "Dieser Artikel darf nicht unter CC verbreitet werden.",
        "Cet article ne relève pas de la licence CC.",
        "Este artículo no está bajo CC.",
        "Эта статья не распространяется по лицензии CC.",
        "यह लेख CC के तहत नहीं है।",
        "Bu yazı CC lisanslı değildir.",
        "この記事はCCではありません。",
        "CC does not apply to this site.",
        "© A Paper. All rights reserved. This site links to CC.",
        "All content is under CC. All rights reserved.",
        "This article explains the CC licence.",
        "Este artículo explica qué es la licencia CC.",
        "In this article we compare MIT and CC.",
        "We asked what CC means for all content on the web.",
        "All content of the old site was under CC until 2015.",
    ] {
        assert_eq!(of_sentence(sentence), "-", "{sentence}");
    }
}

#[test]
fn another_work_behind_the_name_of_the_page_has_its_own_licence() {
    for sentence in [
        "This site uses icons by a studio, CC.",
        "Cet article est illustré par une photo sous licence CC.",
        "This post comes with a photo under CC.",
        "Bu makaledeki fotoğraflar CC lisanslıdır.",
        "اس مضمون کی تصاویر CC کے تحت ہیں۔",
        "इस लेख के चित्र CC के तहत हैं।",
        "この記事の写真はCCです。",
        "本文图片采用CC许可。",
        "This site offers CC photos.",
        "Comments on this site are licensed under CC.",
        "Content by third parties on this site is CC; ours is not.",
    ] {
        assert_eq!(of_sentence(sentence), "-", "{sentence}");
    }
    for sentence in [
        "This article and its photos are under CC.",
        "Text and photos on this site are under CC.",
        "All content on this site, including images, is under CC.",
        "Alle Texte, Bilder und Grafiken auf dieser Website stehen unter CC.",
        "Sofern nicht anders angegeben, stehen alle Inhalte unter CC.",
        "Если не указано иное, все материалы сайта доступны по лицензии CC.",
        "This article is under CC; photos are not.",
        "この記事と写真はCCです。",
        "This text, but not its photos, is under CC.",
        "This site is under CC, which means that you may share it.",
        "Do not sell my data · This site is under CC.",
    ] {
        assert!(of_sentence(sentence).starts_with("cc-by "), "{sentence}");
    }
}
