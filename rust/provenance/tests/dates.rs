//! Which days a page states.
#![allow(clippy::unwrap_used)]

use content::{links, LinkOptions};
use proptest::prelude::*;
use provenance::{dates, Context, Dates, Day};

const PAGE: &str = "https://news.example.pk/story/7";

/// The days of a page that was fetched on 2026-11-01, in Urdu if it declares nothing else.
fn read(html: &str, url: &str, language: &str) -> Dates {
    let options =
        LinkOptions { url: Some(url), statements: true, max_links: 0, ..LinkOptions::default() };
    let found = links(html, &options, None);
    let fetched = Some("2026-11-01T10:00:00Z".parse().unwrap());
    dates(
        &found.statements,
        &Context { url: Some(url), language: Some(language), fetched, ..Context::default() },
    )
}

/// Publication, change and source of a page in Urdu.
fn shown(html: &str) -> String {
    let dates = read(html, PAGE, "ur");
    let day = |day: Option<Day>| day.map_or("-".to_owned(), |day| day.to_string());
    let source = dates.source.map_or("-".to_owned(), |source| source.to_string());
    format!("{} {} {source}", day(dates.published), day(dates.modified))
}

#[test]
fn statements_for_machines_count_before_text() {
    for (html, expected) in [
        (
            "<meta property='article:published_time' content='2024-03-12T08:00:00+05:00'>\
             <meta property='og:updated_time' content='2024-03-14'><h1>t</h1><span class=date>1 January 2020</span>",
            "2024-03-12 2024-03-14 meta",
        ),
        (
            "<script type='application/ld+json'>{\"@graph\":[{\"@type\":\"WebPage\",\"datePublished\":\"2020-01-01\"},\
             {\"@type\":\"NewsArticle\",\"datePublished\":\"2024-03-12T01:00:00Z\",\"dateModified\":\"2024-03-13\",\
             \"comment\":{\"@type\":\"Comment\",\"datePublished\":\"2024-05-01\"}}]}</script>",
            "2024-03-12 2024-03-13 json-ld",
        ),
        ("<h1>t</h1><time datetime='2024-03-12' class='entry-date published'>دو سال پہلے</time>", "2024-03-12 - time"),
        (
            "<h1>t</h1><time datetime='2024-03-12T10:00' class='published'></time><time datetime='2024-04-01' class='updated'></time>",
            "2024-03-12 2024-04-01 time",
        ),
        ("<h1>t</h1><abbr class=published title='2024-03-12T10:00:00'>x</abbr>", "2024-03-12 - time"),
        ("<h1>t</h1><p class='post-meta'>از مدیر | <span class='date'>۱۲ مارچ ۲۰۲۴</span></p>", "2024-03-12 - text"),
        ("<h1>t</h1><div>شائع شدہ: 12/03/2024</div>", "2024-03-12 - text"),
        ("<meta name=last-modified content='2024-03-14'>", "- 2024-03-14 meta"),
        ("<p>Nothing here happened in 2024.</p>", "- - -"),
    ] {
        assert_eq!(shown(html), expected, "{html}");
    }
}

#[test]
fn pages_in_other_calendars_are_dated() {
    for (text, language, expected) in [
        ("۲۲ اسفند ۱۴۰۲", "fa", "2024-03-12"),
        ("۱۴۰۲/۱۲/۲۲", "fa-IR", "2024-03-12"),
        ("۱ رمضان ۱۴۴۵", "ar", "2024-03-11"),
        ("12 มีนาคม 2567", "th", "2024-03-12"),
    ] {
        let html = format!("<h1>t</h1><span class=date>{text}</span>");
        let published = read(&html, PAGE, language).published.map(|day| day.to_string());
        assert_eq!(published.as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn a_label_in_an_element_of_its_own_names_the_day() {
    for (html, expected) in [
        ("<div class=date><em>Last changed:</em> January 7, 2025</div>", "- 2025-01-07 text"),
        ("<dl><dt>Updated</dt><dd class=date>7 January 2025</dd></dl>", "- 2025-01-07 text"),
        ("<p class=date><strong>Published</strong> 5 January 2025</p>", "2025-01-05 - text"),
        (
            "<div class=meta><span>Published</span> <span class=date>5 January 2025</span> <b>Updated</b> <span class=date>7 January 2025</span></div>",
            "2025-01-05 2025-01-07 text",
        ),
        ("<p class=date><b>Deadline:</b> 5 January 2025</p>", "- - -"),
        ("<p>最后更新：<span>2025年1月7日</span></p>", "- 2025-01-07 text"),
        (
            "<p><em>This page was last edited on 7 January 2025, at 10:30.</em></p>",
            "- 2025-01-07 text",
        ),
        (
            "<script type='application/ld+json'>{\"@type\":\"Article\",\"datePublished\":1736035200000}</script>",
            "2025-01-05 - json-ld",
        ),
        ("<p>It was updated. They left.</p><p class=date>5 January 2025</p>", "2025-01-05 - text"),
    ] {
        assert_eq!(shown(&format!("<h1>t</h1>{html}")), expected, "{html}");
    }
}

#[test]
fn a_label_before_a_time_element_says_what_it_is_the_day_of() {
    for (label, expected) in
        [("Published", "2025-01-05 - time"), ("Last updated", "- 2025-01-05 time")]
    {
        let page = format!("<p>{label}: <time datetime=2025-01-05T12:00:00Z>Sunday</time>");
        assert_eq!(shown(&page), expected);
    }
}

#[test]
fn a_day_is_near_the_headline_behind_a_heading_with_the_name_of_the_site() {
    let menu = "<a href=/b>menu</a>".repeat(500);
    let page = |day: &str| format!("<h1>Site</h1>{menu}<h1>t</h1><div>{day}</div>");
    assert_eq!(shown(&page("5 January 2025")), "2025-01-05 - text");
    let far = format!("<h1>Site</h1>{menu}<div>5 January 2025</div>");
    assert_eq!(shown(&far), "- - -");
}

#[test]
fn the_url_has_a_day_only_as_a_whole() {
    for (url, expected) in [
        ("https://a.pk/2024/03/12/khabar", Some("2024-03-12")),
        ("https://a.pk/news-2024-03-12.html", Some("2024-03-12")),
        ("https://a.pk/20240312/7", Some("2024-03-12")),
        ("https://a.pk/2024/03/khabar", None),
        ("https://a.pk/2027/03/12/", None),
        ("https://a.pk/?d=2024-03-12", None),
        ("https://a.pk/12345678", None),
    ] {
        assert_eq!(
            read("<p>x", url, "ur").published.map(|day| day.to_string()).as_deref(),
            expected,
            "{url}"
        );
    }
}

#[test]
fn days_of_templates_and_of_the_future_are_refused() {
    for html in [
        // A clock that shows the day of the fetch.
        "<div class='today-date'>1 نومبر 2026</div><h1>t</h1>",
        "<h1>t</h1><span class=date>01-11-2026</span>",
        "<meta name=date content='2026-11-01'>",
        "<meta property='article:published_time' content='2026-12-24'>",
        "<meta property='article:published_time' content='1970-01-01T00:00:00Z'>",
        "<meta property='article:published_time' content='{{ date }}'>",
        "<h1>t</h1><div class=comment><span class=date>12 March 2024</span></div>",
        "<h1>t</h1><footer><div class=footer>© 12 March 2024</div></footer>",
        "<h1>t</h1><p class=date>0000-00-00</p>",
    ] {
        assert_eq!(shown(html), "- - -", "{html}");
    }
    // A page may be fetched on the day of its publication, and say so to machines.
    let html = "<meta property='article:published_time' content='2026-11-01T09:00:00+05:00'>";
    assert_eq!(shown(html), "2026-11-01 - meta");
}

#[test]
fn a_list_of_articles_has_no_day_of_its_own() {
    let list = |days: u32| {
        let items = (1..=days).map(|day| {
            format!("<li><a href=/{day}>x</a> <span class=date>{day} مارچ 2024</span></li>")
        });
        shown(&format!("<h1>t</h1><ul>{}</ul>", items.collect::<String>()))
    };
    assert_eq!(list(9), "- - -");
    assert_eq!(list(1), "2024-03-01 - text");
}

/// A page may write every letter that is not Latin as a reference.
#[test]
fn text_in_references_is_dated_and_signed() {
    let escaped = |text: &str| -> String {
        let letters = text.chars().map(|c| match c.is_ascii() {
            true => c.to_string(),
            false => format!("&#x{:x};", u32::from(c)),
        });
        letters.collect()
    };
    let menu = format!("<a href=/a>{}</a>", escaped("خبریں")).repeat(300);
    let signed = escaped("تحریر: <b>آمنہ خان</b>");
    let date = escaped("<p>اشاعت کی تاریخ: <b>منگل، ۱۲ مارچ ۲۰۲۴، شام سات بجے</b></p>");
    let page = format!("{menu}<h1>t</h1><p>{signed}</p>{date}");
    assert_eq!(shown(&page), "2024-03-12 - text");
    let options = LinkOptions { statements: true, ..LinkOptions::default() };
    let author = provenance::author(&links(&page, &options, None).statements);
    assert_eq!(author.as_deref(), Some("آمنہ خان"));
}

#[test]
fn a_change_before_the_publication_is_none() {
    let html = "<meta itemprop=datePublished content='2024-03-12'><meta itemprop=dateModified content='2023-01-01'>";
    assert_eq!(shown(html), "2024-03-12 - meta");
}

#[test]
fn day_and_month_of_an_english_page_are_not_guessed() {
    let html = "<h1>t</h1><span class=date>03/04/2024</span>";
    for (url, language, expected) in [
        ("https://a.com/", "en", None),
        ("https://a.com/", "en-US", Some("2024-03-04")),
        ("https://a.com/", "en-GB", Some("2024-04-03")),
        ("https://a.pk/", "en", Some("2024-04-03")),
        ("https://a.com/", "ur", Some("2024-04-03")),
        ("https://a.com/", "en-PH", Some("2024-03-04")),
        ("https://a.ph/", "en", Some("2024-03-04")),
        ("https://a.com/", "tl", Some("2024-03-04")),
        ("https://a.com/", "en-CA", None),
        ("https://a.ca/", "en", None),
        ("https://a.ca/", "fr-CA", Some("2024-04-03")),
    ] {
        let published = read(html, url, language).published.map(|day| day.to_string());
        assert_eq!(published.as_deref(), expected, "{url} {language}");
    }
}

#[test]
fn hostile_pages_take_bounded_time_and_memory() {
    let nested = format!("<script type='application/ld+json'>{}</script>", "[".repeat(200_000));
    let deep = format!(
        "<script type='application/ld+json'>{}{}</script>",
        "{\"a\":".repeat(100),
        "}".repeat(100)
    );
    let many = "<time datetime='2024-03-12'></time><span>12 March 2024</span>".repeat(100_000);
    let tags = format!("{}<p>1 ", "<b>".repeat(200_000)).repeat(2);
    let metas = "<meta name=date content='99999999999999999999-99-99'>".repeat(100_000);
    for html in [nested, deep, many, tags, metas, "<p>1<".repeat(200_000)] {
        let begin = std::time::Instant::now();
        let options = LinkOptions {
            url: Some(PAGE),
            statements: true,
            max_links: 0,
            ..LinkOptions::default()
        };
        let found = links(&html, &options, None);
        assert!(found.statements.dated.len() <= 512 && found.statements.metas.len() <= 256);
        dates(&found.statements, &Context::default());
        assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
    }
}

proptest! {
    #[test]
    fn every_page_is_read_without_a_panic(text in "(<[a-z]{1,5}( (class|datetime|content|name)='[a-z0-9 :/-]{0,12}')?>|[0-9]{1,5}[-/. ]|[a-zA-Z\u{660}-\u{669}مارچ ]{1,6}|&#1[0-9]{3};){0,30}") {
        let dates = read(&text, PAGE, "ur");
        prop_assert!(dates.published.is_none_or(|day| day.to_string().as_str() <= "2026-11-02"));
    }
}

#[test]
fn a_time_element_of_something_else_near_the_heading_is_no_day_of_the_page() {
    let time = "<time datetime=2024-01-05>x</time>";
    for html in [
        format!("<aside class=related><ul><li>{time} <a href=/a>a</a></ul></aside>"),
        format!("<section id=comments><ol><li><div class=c><b>E</b> {time}</div></ol></section>"),
        format!("</article><footer>{time}</footer>"),
        format!("<nav><ul><li>{time}</ul></nav>"),
        format!("<p>Deadline: {time}</p>"),
        format!("<dl><dt>Deadline</dt><dd>{time}</dd></dl>"),
        format!("<p>The bridge was built on {time} by the army.</p>"),
        format!("<p>A singer (born {time}) came.</p>"),
        format!("<h2>Upcoming events</h2><ul><li>{time} Choir</ul>"),
        format!("<div itemscope itemtype='https://schema.org/MusicEvent'>{time}</div>"),
    ] {
        assert_eq!(shown(&format!("<article><h1>t</h1>{html}")), "- - -", "{html}");
    }
    for html in [
        format!("<p>By Amina Khan on {time}</p>"),
        format!("<footer class=entry-meta>{time}</footer></article>"),
        format!("<div class=comments-link></div><div>{time}</div>"),
    ] {
        assert_eq!(shown(&format!("<article><h1>t</h1>{html}")), "2024-01-05 - time", "{html}");
    }
}

#[test]
fn a_visible_day_of_a_deadline_an_event_or_a_life_is_none() {
    for text in [
        "Application deadline: 12 October 2024",
        "Termin: 12.10.2024, 19 Uhr",
        "Date limite: 12 octobre 2024",
        "Когда: 12 октября 2024, 19:00",
        "آخری تاریخ: 12 اکتوبر 2024",
        "अंतिम तिथि: 12 अक्टूबर 2024",
        "Exam date: 12 October 2024",
        "Photo taken 12 October 2004",
        "Yesokuqala: 12 October 2024",
        "12 October 2024 – 14 October 2024",
    ] {
        assert_eq!(shown(&format!("<h1>t</h1><p>{text}</p>")), "- - -", "{text}");
    }
    for html in [
        "<table class=infobox><tr><th>Founded</th><td>9 August 2005</td></tr></table>",
        "<section><h3>You may also like</h3><p class=post-date>9 August 2025</p></section>",
        "<meta property=video:release_date content=2001-03-15>",
        "<div class=more><div itemscope><meta itemprop=datePublished content=2023-01-01></div></div>",
    ] {
        assert_eq!(shown(&format!("<h1>t</h1>{html}")), "- - -", "{html}");
    }
    for path in ["events/2024/10/12/a", "calendar/2024-10-12", "tv/2024/10/12"] {
        let days = read("", &format!("https://a.example/{path}"), "en");
        assert_eq!(days.published, None, "{path}");
    }
}

#[test]
fn the_day_of_a_work_that_json_ld_describes_is_not_that_of_the_page() {
    let page = |json: &str| shown(&format!("<script type='application/ld+json'>{json}</script>"));
    for kind in
        ["Book", "Movie", "MusicAlbum", "SoftwareApplication", "Dataset", "https://schema.org/Book"]
    {
        let json = format!("{{\"@type\":\"{kind}\",\"datePublished\":\"2004-07-29\"}}");
        assert_eq!(page(&json), "- - -", "{kind}");
    }
    let item = "{\"@type\":\"NewsArticle\",\"datePublished\":\"2004-07-29\"}";
    for key in ["itemReviewed", "blogPost", "liveBlogUpdate", "mentions"] {
        let of = |own: &str| page(&format!("{{\"@type\":\"Thing\",{own}\"{key}\":[{item}]}}"));
        assert_eq!(of(""), "- - -", "{key}");
        assert_eq!(of("\"datePublished\":\"2024-03-12\","), "2024-03-12 - json-ld", "{key}");
    }
}

#[test]
fn labels_in_many_languages_say_of_what_a_day_is() {
    let mut wrong = Vec::new();
    for line in include_str!("labels.tsv").lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [language, text, published, modified] = cells[..] else { panic!("{line}") };
        let dates = read(&format!("<h1>t</h1><div>{text}</div>"), PAGE, language);
        let day = |day: Option<Day>| day.map_or("-".to_owned(), |day| day.to_string());
        let found = (day(dates.published), day(dates.modified));
        if found != (published.to_owned(), modified.to_owned()) {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_sentence_that_mentions_two_days_states_none() {
    for text in [
        "The law was published on 12 March 2024 in the capital and it was updated on 14 March 2024 by all the members of parliament",
        "The show is open from 12 March 2024, and it was last seen by so many people on 14 March 2024 that it closed",
    ] {
        assert_eq!(shown(&format!("<h1>t</h1><p>{text}</p>")), "- - -", "{text}");
    }
}
