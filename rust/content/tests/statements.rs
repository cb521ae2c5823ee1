//! Which statements of a page about itself are collected.
#![allow(clippy::unwrap_used)]

use content::{links, parse_for, parse_with_links, Extractor, Limits, LinkOptions, Statements};

fn read(html: &str) -> Statements {
    let options = LinkOptions { statements: true, max_links: 0, ..LinkOptions::default() };
    let alone = links(html, &options, None);
    for extractor in [Extractor::Best, Extractor::WebAm] {
        let (page, found) = parse_with_links(extractor, html, &Limits::default(), &options);
        assert_eq!(found, alone, "{html}");
        assert_eq!(
            format!("{page:?}"),
            format!("{:?}", parse_for(extractor, html, &Limits::default())),
            "{html}"
        );
    }
    alone.statements
}

#[test]
fn nothing_is_collected_unless_it_is_requested() {
    let html = "<meta name=date content=2024><time datetime=2024-03-12>";
    assert_eq!(links(html, &LinkOptions::default(), None).statements, Statements::default());
}

#[test]
fn metas_have_their_names_in_lower_case_and_entities_decoded() {
    let html = "<META Name='DC.Date' CONTENT=' a &amp; b '><meta property=x content=1><meta itemprop=y content=2>\
                <meta http-equiv=Date content=3><meta charset=utf-8><meta name=empty content=''>";
    let metas = read(html).metas;
    let shown: Vec<String> =
        metas.iter().map(|meta| format!("{}={}", meta.name, meta.content)).collect();
    assert_eq!(shown, ["dc.date=a & b", "x=1", "y=2", "date=3"]);
}

#[test]
fn texts_with_digits_have_the_names_around_them() {
    let html = "<div class='Post-Meta' id=m><span class=author>x</span> <i></i><br>\n 12&nbsp;March\n2024 </div><p>no digits</p><p>۱۲ مارچ</p>";
    let dated = read(html).dated;
    assert_eq!(
        (dated[0].text.as_str(), dated[0].names.as_str()),
        ("12 March 2024", "div post-meta m ")
    );
    assert_eq!((dated[1].text.as_str(), dated[1].names.as_str()), ("۱۲ مارچ", "p "));
    assert_eq!(dated.len(), 2);
}

#[test]
fn elements_of_time_are_collected_also_without_text() {
    let html = "<h1>t</h1><time pubdate class=Entry datetime='2024-03-12'></time><abbr title='2024-03-13'>x</abbr><time>now</time>";
    let statements = read(html);
    let names = |names: &str| names.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: Vec<_> =
        statements.dated.iter().map(|dated| (dated.value.as_str(), names(&dated.names))).collect();
    assert_eq!(
        shown,
        [("2024-03-12", "time pubdate entry".to_owned()), ("2024-03-13", "abbr".to_owned())]
    );
    assert_eq!(statements.headings, [0]);
}

#[test]
fn json_is_collected_from_scripts_of_its_type_alone() {
    let html = "<script>{\"a\":1}</script><script type='Application/LD+JSON'>{\"b\":\"<p>2\"}</script><script type=application/ld+json></script><p>3</p>";
    assert_eq!(read(html).json, ["{\"b\":\"<p>2\"}"]);
}

#[test]
fn links_to_licences_are_told_from_those_of_pictures() {
    let html = "<a rel='license noopener' href=/l>x</a><figure><a href='https://creativecommons.org/licenses/by/4.0/'>y</a></figure>\
                <div class=photo-credit><a href='https://creativecommons.org/x'>z</a></div><a href=/other>w</a>";
    let shown: Vec<_> =
        read(html).licenses.into_iter().map(|link| (link.has_rel, link.of_page)).collect();
    assert_eq!(shown, [(true, true), (false, false), (false, false)]);
}

#[test]
fn alternates_are_collected_although_no_links_are_requested() {
    let html = "<link rel=alternate hreflang=ur href='http://a.pk/ur'>".repeat(3);
    let options = LinkOptions { statements: true, max_links: 0, ..LinkOptions::default() };
    assert_eq!(links(&html, &options, None).alternates.len(), 1);
    assert!(links(&html, &LinkOptions { max_links: 0, ..LinkOptions::default() }, None)
        .alternates
        .is_empty());
}

#[test]
fn texts_are_stored_only_if_they_may_be_dates() {
    let has = |text: &str| read(&format!("<p>{text}</p>")).dated.len();
    for text in [
        "12 March 2024",
        "12.3.24",
        "20240312",
        "1710201600",
        "2024年3月12日",
        "۱۲ مارچ",
        "१२ मार्च",
    ] {
        assert_eq!(has(text), 1, "{text}");
    }
    // One short number is no date, and neither is a text with fewer than six bytes.
    for text in ["1234 readers", "March 2024", "page 12 of 3", "1.124", "123 + x"] {
        assert_eq!(has(text), 0, "{text}");
    }
}

#[test]
fn licences_are_found_in_any_case() {
    let html = "<a rel=LiCeNsE href=/a>x</a><a REL=license href=/b>x</a><link rel=license href=/c>\
                <a href=https://creativecommons.org/publicdomain/zero/1.0/>y</a><a rel=nofollow href=/d>z</a>";
    let urls: Vec<String> = read(html).licenses.into_iter().map(|link| link.url).collect();
    assert_eq!(urls, ["/a", "/b", "/c", "https://creativecommons.org/publicdomain/zero/1.0/"]);
}

#[test]
fn many_statements_and_long_ones_are_left_out() {
    let html = format!(
        "{}{}{}<meta name=x content='{}'><script type=application/ld+json>{}</script>",
        "<meta name=a content=b>".repeat(1000),
        "<b>1.1.2024</b>".repeat(1000),
        "<time datetime=1></time>".repeat(1000),
        "y".repeat(1000),
        "z".repeat(1 << 20)
    );
    let statements = read(&html);
    assert_eq!(
        (statements.metas.len(), statements.dated.len(), statements.json.len()),
        (256, 512, 0)
    );
}
