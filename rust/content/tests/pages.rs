//! Tests of reading small pages.
#![allow(clippy::unwrap_used)]

use content::{classify, parse, parse_for, Comments, Extractor, Limits, Page};

fn page(html: &str) -> Page {
    parse(html, &Limits::default())
}

fn blocks(html: &str) -> Vec<String> {
    let page = page(html);
    let verdicts = classify(&page, Extractor::Text);
    let kept = page.blocks().iter().zip(verdicts).filter(|(_, verdict)| verdict.kept);
    kept.map(|(block, _)| page.text_of(block).to_owned()).collect()
}

#[test]
fn title_language_and_robots_are_read() {
    let page = page("<html lang='ur-PK'><head><title> A &amp;\n B </title><meta name=ROBOTS content='NoIndex, nofollow'></head><body>x");
    assert_eq!((page.title.as_str(), page.language.as_deref()), ("A & B", Some("ur-PK")));
    assert!(page.noindex && page.nofollow && page.limit.is_none());
}

#[test]
fn robots_none_means_both_and_the_language_may_be_in_a_meta_tag() {
    let page =
        page("<meta name=robots content=none><meta http-equiv=Content-Language content=ps><p>x");
    assert!(page.noindex && page.nofollow);
    assert_eq!(page.language.as_deref(), Some("ps"));
}

#[test]
fn a_page_without_declarations_has_none() {
    let page = page("<p>x<svg><title>picture</title></svg>");
    assert_eq!((page.title.as_str(), page.language.as_deref()), ("", None));
    assert!(!page.noindex && !page.nofollow);
}

#[test]
fn a_title_in_the_body_is_still_the_title() {
    assert_eq!(page("<p>x</p><title>late</title>").title, "late");
}

#[test]
fn entities_are_decoded_once_and_across_chunks() {
    assert_eq!(
        blocks("<p>&amp;lt; &eacute;&#1575;&#x627;&nbsp;&unknown; AT&T"),
        ["&lt; \u{e9}\u{627}\u{627}\u{a0}&unknown; AT&T"]
    );
    // Longer than the steps that the markup is handed on in, at every phase.
    for phase in 0..8 {
        let html = format!("<p>{}{}", "x".repeat(phase), "&amp;&eacute; ".repeat(5000));
        assert_eq!(
            blocks(&html),
            [format!("{}{}", "x".repeat(phase), "&\u{e9} ".repeat(5000)).trim()]
        );
    }
}

#[test]
fn implied_end_tags_part_blocks() {
    assert_eq!(blocks("<ul><li>a<li>b<ul><li>c</ul></ul>"), ["a", "b", "c"]);
    assert_eq!(blocks("<table><tr><td>a<td>b<tr><th>c</table>d"), ["a", "b", "c", "d"]);
    assert_eq!(blocks("<dl><dt>a<dd>b<dt>c</dl>"), ["a", "b", "c"]);
    assert_eq!(blocks("a</p>b<p>c<div>d"), ["a", "b", "c", "d"]);
}

#[test]
fn inline_formatting_keeps_words_together_and_out_of_order_end_tags_do_not_hurt() {
    assert_eq!(blocks("<p>un<b>believ</b>able <i>x<b>y</i>z</b> w"), ["unbelievable xyz w"]);
}

#[test]
fn scripts_styles_and_what_stands_in_for_them_are_not_visible() {
    let hidden = "<script>a</script><style>b</style><noscript>c</noscript><select><option>d</select><object>e</object><!-- f -->";
    assert_eq!(blocks(&format!("<p>x</p>{hidden}<p>y</p>")), ["x", "y"]);
}

#[test]
fn text_outside_of_the_body_is_kept_and_words_do_not_run_together() {
    assert_eq!(blocks("early <p>a</p></body></html><b>b</b> <i>c</i>"), ["early", "a", "b c"]);
}

#[test]
fn links_are_counted_by_their_words() {
    let page = page("<p>one <a href=x>two three</a> four<a>five");
    let counts: Vec<_> =
        page.blocks().iter().map(|block| (block.words(), block.linked_words())).collect();
    assert_eq!(counts, [(5, 3)]);
}

#[test]
fn every_dropped_block_says_why() {
    let page = page(&format!(
        "<title>t</title><ul><li><a>menu</a></ul><p>{}</p><p>end</p>",
        "a long text of words ".repeat(20)
    ));
    for extractor in Extractor::ALL {
        let verdicts = classify(&page, extractor);
        assert!(verdicts.iter().all(|verdict| !verdict.reason.is_empty()));
        assert!(verdicts.iter().any(|verdict| verdict.kept));
    }
}

#[test]
fn web_am_keeps_paragraphs_at_one_level_and_drops_what_the_article_has_deeper() {
    let text =
        "Some words that make a sentence which is long enough to be taken for the text of an article. ".repeat(3);
    let deeper =
        "Deeper words that nevertheless look like a long text to whoever only counts them and not their level. "
            .repeat(2);
    let html = format!("<body><div><p>{text}</p><p>{text}</p><div><div><p>{deeper}</p></div></div><p>{text}</p></div>");
    let page = page(&html);
    let kept = |extractor| {
        classify(&page, extractor).iter().map(|verdict| verdict.kept).collect::<Vec<_>>()
    };
    assert_eq!(kept(Extractor::Article), [true; 4]);
    assert_eq!(kept(Extractor::WebAm), [true, true, false, true]);
}

#[test]
fn the_literal_web_am_keeps_the_densest_element_and_its_siblings() {
    let sentence = "Some words that make a sentence which is long enough to be taken for the text of an article. ";
    let (long, longest) = (sentence.repeat(3), sentence.repeat(5));
    let html = format!(
        "<body><div><p>{long}</p><p>{longest}</p></div><div><p>{long}</p></div><div><div><p>{long}</p></div></div>"
    );
    let page = page(&html);
    let kept = |extractor| {
        classify(&page, extractor).iter().map(|verdict| verdict.kept).collect::<Vec<_>>()
    };
    assert_eq!(kept(Extractor::Article), [true; 4]);
    assert_eq!(kept(Extractor::WebAm), [true, true, true, false]);
    assert_eq!(kept(Extractor::WebAmLiteral), [true, true, false, false]);
}

#[test]
fn extractors_have_names_that_read_back() {
    for extractor in Extractor::ALL {
        assert_eq!(extractor.to_string().parse(), Ok(extractor));
        assert!(extractor.version().starts_with(extractor.name()));
    }
    for choice in Comments::ALL {
        assert_eq!(choice.to_string().parse(), Ok(choice));
    }
    let unknown = "content".parse::<Extractor>().unwrap_err().to_string();
    assert!(unknown.contains("\"content\"") && unknown.contains("web-am"), "{unknown}");
}

#[test]
fn a_title_or_text_area_without_an_end_ends_at_the_next_tag() {
    for extractor in Extractor::ALL {
        let read = |html: &str| {
            let page = parse_for(extractor, html, &Limits::default());
            let texts = page.blocks().iter().map(|block| page.text_of(block));
            (page.title.clone(), texts.collect::<Vec<_>>().join("|"))
        };
        let title = ("A < B".to_owned(), "one|two".to_owned());
        for html in [
            "<html><head><title>A &lt; B</head><body><p>one<p>two",
            "<html><head><title>A < B<script>run()</script></head><body><p>one<p>two",
        ] {
            assert_eq!(read(html), title, "{extractor}: {html}");
        }
        // Left to lol_html. The title is in the body, so it is text as well.
        let (name, text) = read("<math></math><title>A < B<meta charset=utf-8><p>one<p>two");
        assert_eq!((name.as_str(), text.as_str()), ("A < B", "A < B|one|two"), "{extractor}");
        let (_, text) = read("<p>one<form><textarea rows=2></form><p>two");
        assert_eq!(text, "one|two", "{extractor}");
        let (_, text) = read("<math></math><p>one<form><textarea rows=2></form><p>two");
        assert_eq!(text, "one|two", "{extractor}, by lol_html");
    }
    assert_eq!(page("<title>no tag follows &amp;").title, "no tag follows &");
    assert_eq!(page("<title>one <b>two</b></title>").title, "one <b>two</b>", "it has an end");
}

#[test]
fn many_titles_without_an_end_are_read_in_linear_time() {
    let titles = "<title>x<p>y".repeat(50_000);
    assert!(page(&titles).blocks().len() >= 50_000);
    // lol_html begins again a few times only; the last title holds the rest.
    let page = page(&"<math></math><title>x<p>y".repeat(20_000));
    assert!((16..40).contains(&page.blocks().len()), "{}", page.blocks().len());
}

#[test]
fn text_areas_and_templates_are_not_text_for_best() {
    let html = "<p>one<textarea><p>code &amp; more</p></textarea><p>two\
                <template><div>item<template>inner</template></div>again</template><p>three";
    assert_eq!(blocks(html), ["one", "two", "three"]);
    let page = parse_for(Extractor::Article, html, &Limits::default());
    let all: String = page.blocks().iter().map(|block| page.text_of(block)).collect();
    assert!(all.contains("code & more") && all.contains("inner"), "as in Boilerpipe: {all}");
    assert_eq!(
        blocks("<div><template shadowrootmode=open><p>shown</template></div><p>two"),
        ["shown", "two"],
        "a shadow root is displayed"
    );
    assert_eq!(blocks("<p>one<template><p>two"), ["one", "two"], "without an end tag");
}

/// As in a page that a program has saved as XML. A browser shows nothing after such a tag, but a
/// site whose pages look so would not stay so.
#[test]
fn an_element_of_text_that_its_tag_ends_holds_nothing_if_no_end_tag_follows() {
    for name in ["iframe", "script", "style", "noscript", "noembed", "noframes", "xmp"] {
        // lol_html reads what follows a formula.
        for before in ["<p>one", "<math><mi>x</mi></math><p>one"] {
            let closed = format!("{before}<p>two<{name} src=\"x\"/> three<p>four");
            let all = blocks(&closed).join(" ");
            assert!(all.ends_with("one two three four"), "{closed}: {all}");
            let open = format!("{closed}</{name}><p>five");
            let all = blocks(&open).join(" ");
            assert!(!all.contains("three four") && all.ends_with("five"), "{open}: {all}");
        }
    }
}
