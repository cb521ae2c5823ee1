//! Pages made to cost time, memory or a stack overflow.
#![allow(clippy::unwrap_used)]

#[path = "common/kinds.rs"]
mod kinds;
#[path = "common/meter.rs"]
mod meter;

use content::{
    classify, content_of_text, parse, ContentOptions, Extractor, Form, LimitHit, Limits, Page,
};
use std::thread;
use std::time::{Duration, Instant};

/// Reads a page and extracts its main content, on a stack as small as that of Nutch's parser
/// threads.
fn read(html: String, limits: Limits) -> Page {
    let small_stack = thread::Builder::new().stack_size(256 << 10);
    let work = move || {
        let page = parse(&html, &limits);
        for extractor in Extractor::ALL {
            assert_eq!(classify(&page, extractor).len(), page.blocks().len());
        }
        page
    };
    small_stack.spawn(work).unwrap().join().unwrap()
}

fn text_of(page: &Page) -> String {
    page.blocks().iter().map(|block| page.text_of(block)).collect::<Vec<_>>().join("\n")
}

#[test]
fn many_nested_tags_cost_neither_time_nor_what_came_before() {
    for tag in
        ["<div>", "<b>", "<a>", "<table><tr><td>", "<ul><li>", "<x>", "<p>", "<font>", "<svg>"]
    {
        let page = read(
            format!("<p>before</p>{}deep", tag.repeat(300_000 / tag.matches('<').count())),
            Limits::default(),
        );
        assert!(text_of(&page).starts_with("before"), "{tag}");
        assert_ne!(page.limit, Some(LimitHit::Time), "{tag}");
    }
}

#[test]
fn a_million_nested_elements_are_flattened() {
    let page = read(format!("{}deep", "<div>".repeat(1_000_000)), Limits::default());
    assert_eq!((page.limit, text_of(&page).as_str()), (Some(LimitHit::Depth), "deep"));
}

#[test]
fn text_below_the_depth_limit_and_after_it_is_read() {
    for (open, close) in [
        ("<div>", "</div>"),
        ("<font>", ""),
        ("<fieldset>", "</fieldset>"),
        ("<section>", "</section>"),
    ] {
        let html = format!(
            "<p>before</p>{}<p>deep</p><p>er{}</p><p>after",
            open.repeat(3000),
            close.repeat(3000)
        );
        let page = read(html, Limits::default());
        assert_eq!(
            (text_of(&page).as_str(), page.limit),
            ("before\ndeep\ner\nafter", Some(LimitHit::Depth)),
            "{open}"
        );
    }
}

#[test]
fn beyond_the_depth_limit_cells_are_parted_and_scripts_hidden() {
    let deep =
        "<table><tr><td>a</td><td>b</td></table><script>x</script><style>y</style>c<b>d</b>e<br>f<ul><li>g<li>h</ul>";
    for depth in 1020..1030 {
        let page = read(format!("{}{deep}", "<div>".repeat(depth)), Limits::default());
        assert_eq!(text_of(&page), "a\nb\ncde\nf\ng\nh", "{depth}");
    }
}

#[test]
fn the_tree_goes_on_where_the_depth_limit_is_left() {
    let deep = format!("{}<p>deep</p>{}", "<div>".repeat(3000), "</div>".repeat(3000));
    let page = read(format!("<p>x</p>{deep}<p>y</p><div><p>z"), Limits::default());
    let levels: Vec<_> = page.blocks().iter().map(|block| block.level()).collect();
    assert_eq!((levels[0], levels[2], levels[3]), (levels[0], levels[0], levels[0] + 1));
}

#[test]
fn a_parent_that_the_depth_limit_left_out_is_reported() {
    let html = "<head><frameset><button a='>' b=\"<p>\" c=d/>a";
    assert_eq!(
        read(html.to_owned(), Limits { max_depth: 3, ..Limits::default() }).limit,
        Some(LimitHit::Depth)
    );
    assert_eq!(read(html.to_owned(), Limits::default()).limit, None);
}

#[test]
fn every_depth_limit_reads_every_text() {
    let html =
        "<title>t</title><div><p>a<b>b</b><table><tr><td>c<td>d</table></div><ul><li>e</ul>f";
    for max_depth in 1..20 {
        let text = text_of(&read(html.to_owned(), Limits { max_depth, ..Limits::default() }));
        for word in ["a", "b", "c", "d", "e", "f"] {
            assert!(text.contains(word), "{word} in {text:?} at {max_depth}");
        }
    }
}

#[test]
fn depth_is_counted_after_implied_end_tags() {
    let page = read("<p>x".repeat(5000), Limits::default());
    assert_eq!((page.limit, page.blocks().len()), (None, 5000));
    let page = read("<div>x".repeat(5000), Limits::default());
    assert_eq!((page.limit, page.blocks().len()), (Some(LimitHit::Depth), 5000));
}

#[test]
fn end_tags_of_nothing_below_unclosed_elements_cost_no_search() {
    let begin = Instant::now();
    let page = read(
        ["<p>".repeat(100_000), "</b>".repeat(1_000_000), "x".to_owned()].concat(),
        Limits::default(),
    );
    assert_eq!((page.limit, text_of(&page).as_str()), (None, "x"));
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn attributes_of_one_tag_cost_no_more_than_their_length() {
    let begin = Instant::now();
    let page = read(format!("<p>x<a {}>y", "a=b ".repeat(2_000_000)), Limits::default());
    assert_eq!((page.limit, text_of(&page).as_str()), (None, "x y"));
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn the_deadline_ends_a_long_run_of_tags() {
    let begin = Instant::now();
    let page = read(
        "<b></i>".repeat(2_000_000),
        Limits { deadline: Some(begin + Duration::from_millis(20)), ..Limits::default() },
    );
    assert_eq!(page.limit, Some(LimitHit::Time));
}

#[test]
fn a_passed_deadline_reads_nothing() {
    let page =
        read("<p>x".to_owned(), Limits { deadline: Some(Instant::now()), ..Limits::default() });
    assert_eq!((page.limit, page.blocks().len()), (Some(LimitHit::Time), 0));
}

#[test]
fn large_pages_are_read_whole() {
    let paragraph = format!("<p>{}</p>", "word ".repeat(200));
    let page = read(paragraph.repeat(5_000), Limits::default());
    assert_eq!((page.limit, page.blocks().len()), (None, 5_000));
    let page = read("one text node of many words ".repeat(100_000), Limits::default());
    assert_eq!((page.limit, page.blocks().len(), page.blocks()[0].words()), (None, 1, 600_000));
    let page = read("<br>x".repeat(300_000), Limits::default());
    assert_eq!((page.limit, page.blocks().len()), (Some(LimitHit::Blocks), 200_000));
}

#[test]
fn a_run_of_content_blocks_costs_no_more_than_its_length() {
    let begin = Instant::now();
    let page = read("one two three four five<br>".repeat(190_000), Limits::default());
    assert_eq!((page.limit, page.blocks().len()), (None, 190_000));
    assert!(classify(&page, Extractor::Article)[1..].iter().all(|verdict| verdict.kept));
    assert!(begin.elapsed() < Duration::from_secs(600), "{:?}", begin.elapsed());
}

#[test]
fn a_title_of_very_many_parts_costs_no_more_than_its_length() {
    let begin = Instant::now();
    let title = ["a".repeat(500_000), " - b".repeat(300_000)].concat();
    read(format!("<title>{title}</title><p>text"), Limits::default());
    assert!(begin.elapsed() < Duration::from_secs(600), "{:?}", begin.elapsed());
}

#[test]
fn every_kind_of_hostile_page_is_read_within_its_deadline() {
    let both = |(kind, make)| ["", kinds::FOR_LOL_HTML].map(|before| (kind, make, before));
    for (kind, make, before) in kinds::KINDS.iter().map(|(kind, make)| (kind, make)).flat_map(both)
    {
        let begin = Instant::now();
        let deadline = Some(begin + Duration::from_millis(500));
        let html = [before, &kinds::page(make, 100_000)].concat();
        let page = read(html, Limits { deadline, ..Limits::default() });
        assert!(page.blocks().iter().all(|block| block.linked_words() <= block.words()), "{kind}");
        assert!(begin.elapsed() < Duration::from_secs(20), "{kind}: {:?}", begin.elapsed());
    }
}

#[test]
fn broken_markup_is_text_or_nothing_but_never_a_panic() {
    for html in [
        "",
        "<",
        "</",
        "<!",
        "<!-",
        "<!--",
        "<!---->",
        "<!-->",
        "<a",
        "<a b",
        "<a b=",
        "<a b='",
        "</a",
        "<p/",
        "<?",
        "<![CDATA[",
        "\0",
        "\0<\0p\0>\0",
        "&",
        "&#",
        "&#x",
        "&#xffffffffffff;",
        "&#0;",
        "<plaintext><p>x",
        "<title>",
        "<textarea><p>",
        "<script><!--<script></script>",
        "<style>",
        "<svg><![CDATA[x]]><title>t</title></svg>",
        "<math><p>x",
        "<select><p>x",
        "<frameset><frame>x",
        "<template><p>x",
        "<br></br></p>",
        "</html></body></head>x",
        "\u{feff}<p>x",
    ] {
        let _ = read(html.to_owned(), Limits::default());
        let _ = read(format!("<p>a</p>{html}<p>b</p>{html}"), Limits::default());
    }
    let long_tag = format!("<p>before</p><a title=\"{}\">after", "x".repeat(4 << 20));
    assert_eq!(text_of(&read(long_tag, Limits::default())), "before\nafter");
    let endless_tag = format!("<p>before</p><a title=\"{}", "x".repeat(4 << 20));
    let page = read(endless_tag, Limits::default());
    assert_eq!((text_of(&page).as_str(), page.limit), ("before", None));
}

#[test]
fn what_comes_after_a_tag_or_comment_of_any_length_is_read() {
    for (begin, unit, end) in [
        ("<a ", "a=b ", ">"),
        ("<a ", "a ", "/>"),
        ("<a title='", "x> ", "'>"),
        ("<a title=\"", "x> ", "\" b=c/>"),
        ("<a ", "\"='\" ", "'>"),
        ("<x", "y", ">"),
        ("</p ", "y", ">"),
        ("<!--", "x -> <p>", "-->"),
        ("<!--", "<!-", "--!>"),
        ("<!", "x", ">"),
        ("<!doctype html public '", "\" x", "' '>"),
        ("</ ", "x", ">"),
        ("<?", "x", ">"),
        ("<script><!--", "x -", "--></script>"),
        ("<script>x<!--", "-", "></script>"),
        ("<script>x<!--<script>", "x--<", "--></script>"),
        ("<script></script ", "x ", ">"),
        ("<script>x</script>", "<img><b></b>", "<script>x</script>"),
        ("<svg><script><!--", "x </script>", "--></script></svg>"),
        ("<svg><![CDATA[]]><x ", "a ", "/><![CDATA[ ]]></svg>"),
    ] {
        let html = format!("<p>before{begin}{}{end}after", unit.repeat((1 << 20) / unit.len()));
        for html in [[kinds::FOR_LOL_HTML, &html].concat(), html] {
            let page = read(html, Limits::default());
            let text = text_of(&page).replace([' ', '\n'], "");
            assert_eq!((text.as_str(), page.limit), ("beforeafter", None), "{begin}{unit}");
        }
    }
}

#[test]
fn a_long_script_is_left_out_wherever_it_is_interrupted() {
    for (unit, end) in [
        ("x--<", "--></script>"),
        ("x--</SCRIPT >--<script>", "</script ></script>"),
        ("x-- <!--<script></script>", "</script>"),
    ] {
        for before in 0..unit.len() {
            let script =
                format!("<script>x<!--<script>{}{end}", unit.repeat((160 << 10) / unit.len()));
            let page = read(format!("{}{script}after", " ".repeat(before)), Limits::default());
            assert_eq!((text_of(&page).trim(), page.limit), ("after", None), "{before} {unit}");
            let page = read(
                format!("<svg><font></svg>{}{script}after", ".".repeat(before)),
                Limits::default(),
            );
            assert_eq!(text_of(&page).replace(['.', '\n'], ""), "after", "{before} {unit}");
        }
    }
}

#[test]
fn elements_beyond_their_limit_are_flattened() {
    // Five elements a block: 15,000 where there may be 10,000.
    let page = read(
        "<ul><x><x><x><x>y</ul>".repeat(3000),
        Limits { max_blocks: 3000, ..Limits::default() },
    );
    assert_eq!((text_of(&page), page.limit), (["y"; 3000].join("\n"), Some(LimitHit::Depth)));
}

#[test]
fn titles_are_cut_at_64_kib() {
    for title in ["<title>", "<body><title>"] {
        let page = read(format!("{title}{}", "ab\u{e9} \n".repeat(40_000)), Limits::default());
        assert_eq!((page.title.len(), page.title.ends_with('a')), (64 << 10, true), "{title}");
    }
}

/// Processor time of reading a page of this kind, the smallest of several.
fn cost(before: &str, make: &kinds::Make, length: usize, times: usize) -> Duration {
    let html = [before, &kinds::page(make, length)].concat();
    let once = || {
        let begin = meter::processor_time();
        let _ = parse(&html, &Limits::default());
        meter::processor_time() - begin
    };
    (0..times).map(|_| once()).min().unwrap()
}

#[test]
fn no_kind_of_page_costs_more_than_its_length() {
    const LENGTH: usize = 50_000;
    // Work that is over in this time shows nothing.
    const MIN: Duration = Duration::from_millis(5);
    for (kind, make) in kinds::KINDS {
        for before in ["", kinds::FOR_LOL_HTML] {
            let grown = |times| {
                let small = cost(before, make, LENGTH, times).max(MIN);
                cost(before, make, 4 * LENGTH, times).as_secs_f64() / small.as_secs_f64()
            };
            // Four times the length may cost eight times as much: memory is slower than caches.
            let growth = [1, 3, 5].map(|times| move || grown(times));
            let least = growth.iter().map(|measure| measure()).find(|growth| *growth < 8.0);
            assert!(least.is_some(), "{kind} {before}: grows faster than the page");
        }
    }
}

#[test]
fn footnotes_cost_no_more_than_their_length() {
    const MIN: Duration = Duration::from_millis(5);
    let many_links = |n: usize| {
        let links = "<a href=#x>1</a> ".repeat(n);
        format!("<p>{links}<div id=x>{}<a href=#y>1</a></div>", "word ".repeat(n))
    };
    let many_notes = |n: usize| {
        let links: String = (0..n).map(|n| format!("<a href=#x{n}>1</a> ")).collect();
        let notes: String = (0..n).map(|n| format!("<p id=x{n}>word <a href=#y>1</a>")).collect();
        format!("<p>{links}{notes}")
    };
    for make in [&many_links as &dyn Fn(usize) -> String, &many_notes] {
        let cost = |n: usize| {
            let html = make(n);
            let once = |_| {
                let begin = meter::processor_time();
                let options = ContentOptions::new(Extractor::Text, Form::Markdown);
                assert!(content_of_text(&html, &options).text.contains("word"));
                meter::processor_time() - begin
            };
            (0..3).map(once).min().unwrap().max(MIN).as_secs_f64()
        };
        assert!(cost(20_000) / cost(5_000) < 8.0, "{}", make(1));
    }
}

#[test]
fn the_deadline_ends_a_page_without_tags() {
    for unit in ["<!--x--!>", "<?x?>", "< ", "</>"] {
        let deadline = Some(Instant::now() + Duration::from_millis(20));
        let page = read(unit.repeat(4_000_000), Limits { deadline, ..Limits::default() });
        assert_eq!(page.limit, Some(LimitHit::Time), "{unit}");
    }
}
