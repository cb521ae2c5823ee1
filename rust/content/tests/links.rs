//! Which links a page has.
#![allow(clippy::unwrap_used)]

#[path = "common/kinds.rs"]
#[allow(dead_code)]
mod kinds;

use content::{
    links, parse_for, parse_with_links, Extractor, LimitHit, Limits, LinkOptions, Links,
};
use proptest::prelude::*;
use std::thread;
use std::time::{Duration, Instant};

const PAGE: &str = "http://a.example/dir/page.html?q#f";

fn options() -> LinkOptions<'static> {
    LinkOptions { url: Some(PAGE), ..LinkOptions::default() }
}

/// The links of a page, which must be the same whether its text is read or not.
fn read(html: &str, options: &LinkOptions) -> Links {
    let alone = links(html, options, None);
    for extractor in Extractor::ALL {
        let (page, found) = parse_with_links(extractor, html, &Limits::default(), options);
        assert_eq!(found, alone, "{html}");
        assert_eq!(
            format!("{page:?}"),
            format!("{:?}", parse_for(extractor, html, &Limits::default())),
            "{html}"
        );
    }
    alone
}

fn found(html: &str) -> Links {
    read(html, &options())
}

fn urls(html: &str) -> Vec<String> {
    found(html).links.into_iter().map(|link| link.url).collect()
}

fn anchors(html: &str) -> Vec<String> {
    found(html).links.into_iter().map(|link| link.anchor).collect()
}

#[test]
fn references_are_resolved_as_browsers_resolve_them() {
    for (href, url) in [
        ("x", "http://a.example/dir/x"),
        ("/x", "http://a.example/x"),
        ("//b.example/x", "http://b.example/x"),
        ("?x", "http://a.example/dir/page.html?x"),
        ("#x", "http://a.example/dir/page.html?q"),
        ("", "http://a.example/dir/page.html?q"),
        ("../../x#y", "http://a.example/x"),
        (" \n/x\t ", "http://a.example/x"),
        ("/a\nb", "http://a.example/ab"),
        ("/a b", "http://a.example/a%20b"),
        ("\\x", "http://a.example/x"),
        ("/?a=1&amp;b=2&copy=3", "http://a.example/?a=1&b=2&copy=3"),
        ("/&#x627;&#1576;", "http://a.example/%D8%A7%D8%A8"),
        ("HTTPS://B.Example:443/", "https://b.example/"),
        ("http://مثال.example/", "http://xn--mgbh0fb.example/"),
    ] {
        assert_eq!(urls(&format!("<a href=\"{href}\">")), [url], "{href:?}");
    }
}

#[test]
fn what_is_no_page_is_no_link() {
    for href in [
        "javascript:void(0)",
        "&#106;avascript:x",
        "mailto:a@b.example",
        "data:text/html,x",
        "tel:1",
        "ftp://a.example/",
        "http://",
        "http://[",
        "http://a b/",
        "about:blank",
    ] {
        assert_eq!(urls(&format!("<a href='{href}'>")), [""; 0], "{href}");
    }
    assert_eq!(
        urls("<a name=x>x</a><a>y</a><img src=x><form action=x><script src=x></script>"),
        [""; 0]
    );
}

#[test]
fn links_stand_in_anchors_areas_and_frames_in_any_case() {
    let html =
        "<A HREF=1>x</A><map><area href=2></map><iframe src=3><a href=no></iframe><frameset><FRAME SRC='4'></frameset>";
    let expected = ["1", "2", "3", "4"].map(|name| format!("http://a.example/dir/{name}"));
    assert_eq!(urls(html), expected);
    assert_eq!(anchors(html), ["x", "", "", ""]);
}

#[test]
fn text_that_looks_like_links_is_none() {
    let html = "<!-- <a href=1> --><script>'<a href=2>'</script><style><a href=3></style><textarea><a href=4></textarea>\
        <title><a href=5></title><xmp><a href=6></xmp><noframes><a href=7></noframes><b title='<a href=8>'><![CDATA[<a href=9>]]>";
    assert_eq!(urls(html), [""; 0]);
    assert_eq!(urls("<a href='x"), [""; 0], "a tag that the end of the page cuts");
    assert_eq!(
        urls("<script><!-- <script> </script> <a href=1> --></script><a href=2>"),
        ["http://a.example/dir/2"]
    );
}

#[test]
fn templates_pictures_and_noscripts_have_links() {
    let html = "<template><a href=1>x</a></template><svg><a href=2><title>y</title></a></svg>\
        <noscript><a href=3>z &amp; z</a><img></noscript><a href=4>w</a><math><mi><a href=5>v</a></math><noscript><a href=6>u</noscript>";
    let expected =
        ["1", "2", "3", "4", "5", "6"].map(|name| format!("http://a.example/dir/{name}"));
    assert_eq!(urls(html), expected);
    assert_eq!(anchors(html), ["x", "y", "z & z", "w", "v", "u"]);
    assert!(!found(html).unread);
}

#[test]
fn directives_in_a_template_are_none_of_the_page() {
    let inert = "<base href=/base/><link rel=canonical href=/c><link rel=alternate hreflang=ur \
        href=/ur><meta http-equiv=refresh content='0;url=/r'><meta name=robots content=noindex>";
    for html in [
        format!("<head><template>{inert}</template><title>x</title><p><a href=y>y</a>"),
        format!("<p><a href=y>y</a><template><template></template>{inert}</template>"),
        format!("<p><a href=y>y</a><TEMPLATE id=x><noscript>{inert}</noscript></TEMPLATE>"),
    ] {
        let found = found(&html);
        assert_eq!(found.refresh, None, "{html}");
        assert_eq!(found.canonical, None, "{html}");
        assert_eq!(found.alternates, [], "{html}");
        assert!(!found.noindex, "{html}");
        assert_eq!(found.links[0].url, "http://a.example/dir/y", "{html}");
        for extractor in Extractor::ALL {
            assert!(!parse_for(extractor, &html, &Limits::default()).noindex, "{html}");
        }
    }
    // One without an end is not read as a template, and behind one the page goes on.
    for html in [format!("<template>{inert}"), format!("<template></template>{inert}")] {
        let found = found(&html);
        assert_eq!(found.canonical.as_deref(), Some("http://a.example/c"), "{html}");
        assert!(found.noindex && found.refresh.is_some(), "{html}");
    }
}

#[test]
fn a_noscript_in_a_noscript_is_left_out_and_reported() {
    assert!(found("<noscript><noscript><a href=1></noscript></noscript>").unread);
}

#[test]
fn a_refresh_that_browsers_with_scripts_ignore_is_none() {
    let refresh = "<meta http-equiv=refresh content='0;url=/plain'>";
    for page in [
        format!("<head><noscript>{refresh}</noscript><title>x</title>"),
        format!("<body><p>x<noscript><p>y{refresh}</noscript>"),
        format!("<noscript></noscript><noscript><link rel=stylesheet>{refresh}</noscript>"),
    ] {
        assert_eq!(found(&page).refresh, None, "{page}");
        let url = found(&format!("{page}{refresh}")).refresh.map(|refresh| refresh.url);
        assert_eq!(url.as_deref(), Some("http://a.example/plain"), "{page}");
    }
}

#[test]
fn only_a_refresh_within_seconds_is_a_redirect() {
    let is_redirect = |delay: &str| {
        let page = format!("<meta http-equiv=refresh content='{delay};url=/next'>");
        found(&page).refresh.unwrap().is_redirect()
    };
    for delay in ["0", "0.5", "1", "3", "5", "5.9"] {
        assert!(is_redirect(delay), "{delay}");
    }
    for delay in ["6", "10", "30", "300", "1800", "99999999999"] {
        assert!(!is_redirect(delay), "{delay}");
    }
}

#[test]
fn the_first_base_holds_for_the_whole_page() {
    assert_eq!(
        urls("<base target=x><base href='/b/'><base href='/c/'><a href=x>"),
        ["http://a.example/b/x"]
    );
    assert_eq!(
        urls("<a href=x>y</a><a href=/z>z</a><base href='//b.example/b/'>"),
        ["http://b.example/b/x", "http://b.example/z"]
    );
    assert_eq!(anchors("<a href=x>y</a><a href=/z>z</a><base href='//b.example/b/'>"), ["y", "z"]);
    let merged =
        found("<a href='http://b.example/x'>1</a><a href='x' rel=nofollow>2</a><base href='http://b.example'>");
    assert_eq!(merged.links.len(), 1);
    assert!(!merged.links[0].rel.nofollow);
    for base in ["javascript:x", "data:text/html,x", "http://[", ""] {
        let links = found(&format!("<base href='{base}'><a href=x>"));
        assert_eq!(links.links[0].url, "http://a.example/dir/x", "{base}");
        assert_eq!(links.base.as_deref(), PAGE.strip_suffix("#f"), "{base}");
    }
}

#[test]
fn without_a_url_absolute_links_are_found() {
    for url in [None, Some("rubbish"), Some("mailto:x")] {
        let options = LinkOptions { url, ..LinkOptions::default() };
        let links = read(
            "<a href=x>1</a><a href=//b.example>2</a><a href=http://b.example>3</a><meta http-equiv=refresh content=1>",
            &options,
        );
        assert_eq!(
            links.links.iter().map(|link| link.url.as_str()).collect::<Vec<_>>(),
            ["http://b.example/"],
            "{url:?}"
        );
        assert_eq!((links.base, links.refresh), (None, None));
    }
}

#[test]
fn anchor_texts_are_folded_and_parted_at_blocks() {
    for (html, anchor) in [
        ("  a &amp;\n b&nbsp;&nbsp;c ", "a & b c"),
        ("a<b>b</b><span>c</span>", "abc"),
        ("a<br>b<div>c</div>d<section>e</section>", "a b c d e"),
        ("<img alt=x><script>y</script><style>z</style>", ""),
        ("so\u{ad}ft\u{200b}ly", "softly"),
        ("a<!-- b -->c", "ac"),
        ("<ul><li>a<li>b</ul>c", "a b c"),
    ] {
        assert_eq!(anchors(&format!("<a href=x>{html}</a>no")), [anchor], "{html}");
    }
}

#[test]
fn an_anchor_without_end_ends_with_what_is_around_it_or_the_next() {
    assert_eq!(anchors("<p><a href=1>one<a href=2>two</p>no"), ["one", "two"]);
    assert_eq!(anchors("<ul><li><a href=1>one</li><li>no</ul>"), ["one"]);
    assert_eq!(anchors("<a href=1>one"), ["one"]);
    assert_eq!(anchors("<a href=1>one<a name=x>no</a>"), ["one"]);
}

#[test]
fn anchor_texts_end_after_a_hundred_characters() {
    let long = "\u{634}".repeat(101);
    assert_eq!(anchors(&format!("<a href=x>{long}</a>")), ["\u{634}".repeat(100)]);
    assert_eq!(anchors(&format!("<a href=x>{} b</a>", "a".repeat(99))), ["a".repeat(99)]);
}

#[test]
fn a_url_comes_once_with_its_first_text_and_what_all_its_links_say() {
    let links =
        found("<a href=x><img></a><a href='x#y' rel='nofollow ugc'>1</a><a href=x>2</a>").links;
    assert_eq!((links.len(), links[0].anchor.as_str(), links[0].rel), (1, "2", Default::default()));
    let links =
        found("<a href=x rel='NoFollow,sponsored'>1</a><a href=x rel='nofollow ugc'>2</a>").links;
    assert_eq!(
        (links[0].rel.nofollow, links[0].rel.ugc, links[0].rel.sponsored),
        (true, false, false)
    );
    assert_eq!(anchors("<a href=x rel=nofollow>1</a><a href=x>2</a>"), ["2"]);
    assert_eq!(anchors("<a href=x></a><a href=x rel=nofollow>1</a>"), [""]);
    assert!(!found("<a href=x rel=nofollowing>").links[0].rel.nofollow);
}

#[test]
fn relations_are_canonical_alternates_and_feeds() {
    let links = found(
        "<link rel=canonical href=/c#f><link rel=canonical href=/d>\
         <link rel=alternate hreflang=' UR-pk ' href=/ur><link rel='Alternate' hreflang=x-default href=/><link rel=alternate hreflang=ur-PK href=/ur>\
         <link rel=alternate type='application/rss+xml; charset=utf-8' href=/rss><link rel=alternate type=APPLICATION/ATOM+XML hreflang=en href=/atom>\
         <link rel=alternate media=print href=/print><link rel=stylesheet href=/s hreflang=en><link rel=alternate hreflang=en href=mailto:x>",
    );
    assert_eq!(links.canonical.as_deref(), Some("http://a.example/c"));
    let alternates: Vec<_> =
        links.alternates.iter().map(|it| (it.language.as_str(), it.url.as_str())).collect();
    assert_eq!(alternates, [("ur-pk", "http://a.example/ur"), ("x-default", "http://a.example/")]);
    assert_eq!(links.feeds, ["http://a.example/rss", "http://a.example/atom"]);
    assert!(links.links.is_empty());
}

#[test]
fn refreshes_are_read_as_the_standard_has_them() {
    let refresh = |content: &str| {
        found(&format!("<meta http-equiv=Refresh content=\"{content}\">"))
            .refresh
            .map(|it| (it.seconds, it.url))
    };
    let to_x = |seconds| Some((seconds, "http://a.example/x".to_owned()));
    for content in
        ["5;url=/x", " 5 ; URL = '/x' y", "5,/x", "5.9; /x#f", "5 url=/x", "5;url=&quot;/x&quot;"]
    {
        assert_eq!(refresh(content), to_x(5), "{content}");
    }
    assert_eq!(refresh(".5;url=/x"), to_x(0));
    assert_eq!(refresh("99999999999;url=/x"), to_x(u32::MAX));
    for content in ["3", "3;", "3; url="] {
        assert_eq!(
            refresh(content),
            Some((3, "http://a.example/dir/page.html?q".to_owned())),
            "{content}"
        );
    }
    for content in ["", "x", "-1;url=/x", "; url=/x", "5x;url=/x", "0;url=javascript:x"] {
        assert_eq!(refresh(content), None, "{content}");
    }
    let self_with_base =
        found("<base href=/b/><meta http-equiv=refresh content=1>").refresh.unwrap();
    assert_eq!(self_with_base.url, "http://a.example/dir/page.html?q");
}

#[test]
fn robots_directives_of_page_and_header_add_up() {
    let meta = |content: &str| {
        let links = found(&format!("<META NAME=' Robots' CONTENT='{content}'>"));
        (links.noindex, links.nofollow, links.noarchive)
    };
    assert_eq!(meta("NOINDEX , nofollow"), (true, true, false));
    assert_eq!(meta("noindex nofollow;noarchive"), (true, true, true));
    assert_eq!(meta("none"), (true, true, false));
    assert_eq!(
        meta("index, follow, max-image-preview:none, max-snippet: 0"),
        (false, false, false)
    );
    assert_eq!(meta("max-image-preview: none"), (false, false, false));
    let header = |header| {
        let links = read("", &LinkOptions { robots_header: Some(header), ..options() });
        (links.noindex, links.nofollow, links.noarchive)
    };
    assert_eq!(header("noindex, nofollow"), (true, true, false));
    assert_eq!(header("googlebot: noindex, nofollow"), (false, false, false));
    assert_eq!(header("noarchive, googlebot: noindex\nnofollow"), (false, true, true));
    assert_eq!(
        header("unavailable_after: Friday, 25 Jun 2010 15:00:00 PST, nofollow"),
        (false, true, false)
    );
    assert_eq!(header("max-snippet: -1, noindex"), (true, false, false));
    assert!(found("<meta http-equiv=Pragma content=No-Cache>").noarchive);
    assert!(!found("<meta name=description content=noindex>").noindex);
}

#[test]
fn queries_are_in_the_encoding_of_the_page() {
    let query = |charset| {
        read("<a href='/\u{634}?\u{634}=\u{20ac}'>", &LinkOptions { charset, ..options() })
            .links
            .remove(0)
            .url
    };
    assert_eq!(query("windows-1256"), "http://a.example/%D8%B4?%D4=%80");
    for utf8 in ["utf-8", "utf-16le", "rubbish"] {
        assert_eq!(query(utf8), "http://a.example/%D8%B4?%D8%B4=%E2%82%AC");
    }
}

#[test]
fn what_is_beyond_the_limits_is_left_out_and_said() {
    let few = LinkOptions { max_links: 2, max_url_bytes: 30, ..options() };
    let links = read("<a href=/1><a href=/2><a href=/1><a href=/3>", &few);
    assert_eq!((links.links.len(), links.too_many), (2, true));
    let links =
        read(&format!("<a href=/1><a href=/{}><a href=/1><a href=/2>", "x".repeat(20)), &few);
    assert_eq!((links.links.len(), links.too_many), (2, false));
    let many =
        "<link rel=alternate hreflang=en href=/x><link rel=alternate type=application/rss+xml href=/y>".repeat(3);
    let links = read(&many, &few);
    assert_eq!((links.alternates.len(), links.feeds.len(), links.too_many), (1, 1, true));
    let (page, links) = parse_with_links(
        Extractor::Text,
        "<p>1<p>2<p><a href=/1>3</a><p>4",
        &Limits { max_blocks: 1, ..Limits::default() },
        &options(),
    );
    assert_eq!((page.limit, links.unread), (Some(LimitHit::Blocks), true));
    let (page, links) = parse_with_links(
        Extractor::Text,
        &format!("{}<a href=/1>x", "<div>".repeat(100)),
        &Limits { max_depth: 10, ..Limits::default() },
        &options(),
    );
    assert_eq!((page.limit, links.unread, links.links.len()), (Some(LimitHit::Depth), false, 1));
    let late = Some(Instant::now());
    assert!(content::links("<a href=x>", &options(), late).unread);
}

/// The bounds that hold of any page.
fn check(links: &Links, options: &LinkOptions) {
    let fine = |url: &str| {
        assert!(url.len() <= options.max_url_bytes, "{url}");
        assert!(url.starts_with("http://") || url.starts_with("https://"), "{url}");
        assert!(!url.contains(['#', ' ', '\n', '\t']) && url.is_ascii(), "{url}");
    };
    assert!(links.links.len() <= options.max_links && links.feeds.len() <= options.max_links);
    assert!(links.alternates.len() <= options.max_links);
    for link in &links.links {
        fine(&link.url);
        assert!(link.anchor.chars().count() <= 100);
        assert_eq!(link.anchor, link.anchor.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    let distinct: std::collections::HashSet<_> = links.links.iter().map(|link| &link.url).collect();
    assert_eq!(distinct.len(), links.links.len());
    links.alternates.iter().for_each(|it| {
        fine(&it.url);
        assert!(!it.language.is_empty() && it.language.chars().count() <= 64);
    });
    links.feeds.iter().for_each(|url| fine(url));
    links.canonical.iter().for_each(|url| fine(url));
    links.refresh.iter().for_each(|it| fine(&it.url));
}

/// Markup that makes links, and that gets in their way.
fn pages() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<a href=",
        "<a href='",
        "<A HREF=\"",
        "<area href=",
        "<iframe src=",
        "<frame src=",
        "<base href=",
        "<link rel=alternate hreflang=",
        "<link rel=canonical href=",
        "<link rel=alternate type=application/rss+xml href=",
        "<meta name=robots content=",
        "<meta http-equiv=refresh content='",
        "0;url=",
        "none",
        "/x",
        "//h/",
        "http://h/?q#f",
        "x",
        "../",
        "data:,",
        "javascript:",
        "&amp;",
        "&#47;",
        "%",
        "\u{634}",
        " ",
        "\n",
        "\0",
        "'",
        "\"",
        ">",
        "/>",
        " rel=nofollow>",
        " rel='ugc sponsored'>",
        " href=/y>",
        "</a>",
        "<div>",
        "</div>",
        "<br>",
        "text",
        "<noscript>",
        "</noscript>",
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "<svg>",
        "</svg>",
        "<math>",
        "<template>",
        "</template>",
        "<meta http-equiv=refresh content='0;url=/r'>",
        "<base href=/b/>",
        "<link rel=canonical href=/c>",
        "<textarea>",
        "</textarea>",
        "<title>",
        "</title>",
        "]]>",
        "<plaintext>",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn bounds_hold_and_both_ways_agree(html in pages(), max_links in 0usize..6, max_url_bytes in 0usize..60) {
        let options = LinkOptions { max_links, max_url_bytes, ..options() };
        check(&read(&html, &options), &options);
        check(&found(&html), &self::options());
    }

    #[test]
    fn any_text_is_read(html in ".{0,80}", url in proptest::option::of("[a-z:/?# ]{0,20}"), header in ".{0,40}") {
        let options = LinkOptions { url: url.as_deref(), robots_header: Some(&header), ..LinkOptions::default() };
        check(&links(&html, &options, None), &options);
    }
}

#[test]
fn hostile_pages_cost_linear_time_on_a_small_stack() {
    const HOSTILE: &[(&str, kinds::Make)] = &[
        ("links to other pages", kinds::Make::Repeat("<a href=/\u{634}?")),
        (
            "data urls",
            kinds::Make::Repeat("<a href='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'>x</a>"),
        ),
        ("a data url as link", kinds::Make::After("<a href='data:,", "x")),
        ("an encoded link", kinds::Make::After("<a href='", "&amp;")),
        ("blanks in a link", kinds::Make::After("<a href='", " ")),
        ("a refresh", kinds::Make::After("<meta http-equiv=refresh content='1;", " ")),
        ("robots", kinds::Make::After("<meta name=robots content='", "none,")),
        ("alternates", kinds::Make::Repeat("<link rel=alternate hreflang=en href=x>")),
        ("one language", kinds::Make::After("<link rel=alternate href=x hreflang='", "e")),
        ("noscripts", kinds::Make::Repeat("<noscript><a href=x>y</noscript>")),
        ("noscripts in noscripts", kinds::Make::Repeat("<noscript>")),
        ("formulas in noscripts", kinds::Make::Repeat("<noscript><math></noscript>")),
        ("anchors in one link", kinds::Make::After("<a href=x>", "<div> ")),
    ];
    for (name, make) in kinds::KINDS.iter().chain(HOSTILE) {
        let html = kinds::page(make, 1 << 20);
        let (name, work) = (*name, move || {
            let begin = Instant::now();
            let links = links(&html, &options(), None);
            check(&links, &options());
            (begin.elapsed(), links)
        });
        let (time, links) =
            thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
        // Some 0.2 s where nothing else runs; a page that costs quadratic time takes minutes.
        assert!(time < Duration::from_secs(20), "{name}: {time:?}");
        assert!(
            !links.unread || name.contains("formulas in") || name.contains("noscripts in"),
            "{name}"
        );
    }
}
