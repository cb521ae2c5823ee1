//! What `best` keeps and drops, whatever the language.
#![allow(clippy::unwrap_used)]

use content::{classify, classify_with, content_of_text, parse};
use content::{Comments, ContentOptions, Extractor, Form, Headline, Limits};

/// The kept texts of a page, joined.
fn kept(html: &str) -> String {
    let page = parse(html, &Limits::default());
    let verdicts = classify(&page, Extractor::Best);
    let kept = page.blocks().iter().zip(verdicts).filter(|(_, verdict)| verdict.kept);
    kept.map(|(block, _)| page.text_of(block)).collect::<Vec<_>>().join("\n")
}

/// Sentences in languages with different scripts, terminators and habits of spacing.
const SENTENCES: [(&str, &str); 8] = [
    ("ur", "وزیر اعلیٰ نے کہا ہے کہ صوبے کے تمام اضلاع میں نئے اسکول تعمیر کیے جائیں گے، تاکہ بچوں کو تعلیم کے بہتر مواقع مل سکیں۔"),
    ("hi", "मुख्यमंत्री ने कहा कि राज्य के सभी जिलों में नए विद्यालय बनाए जाएंगे, ताकि बच्चों को शिक्षा के बेहतर अवसर मिल सकें।"),
    ("bn", "মুখ্যমন্ত্রী বলেছেন যে রাজ্যের সব জেলায় নতুন বিদ্যালয় তৈরি করা হবে, যাতে শিশুরা শিক্ষার ভালো সুযোগ পায়।"),
    ("zh", "省长表示，将在全省各县市兴建新的学校，以便让孩子们获得更好的教育机会，同时改善教师的工作条件。"),
    ("th", "นายกรัฐมนตรีกล่าวว่าจะมีการสร้างโรงเรียนใหม่ในทุกอำเภอของจังหวัด เพื่อให้เด็กได้รับโอกาสทางการศึกษาที่ดีขึ้นกว่าเดิม"),
    ("ka", "პრემიერმა განაცხადა, რომ რეგიონის ყველა მუნიციპალიტეტში ახალი სკოლები აშენდება, რათა ბავშვებმა უკეთესი განათლება მიიღონ."),
    ("am", "ጠቅላይ ሚኒስትሩ በሁሉም ወረዳዎች አዳዲስ ትምህርት ቤቶች እንደሚገነቡ ተናግረዋል፣ ይህም ልጆች የተሻለ የትምህርት ዕድል እንዲያገኙ ያስችላል።"),
    ("sw", "Waziri mkuu alisema kwamba shule mpya zitajengwa katika wilaya zote za mkoa, ili watoto wapate nafasi bora ya elimu."),
];

/// An article as news sites have it: menus, the text, what is related, a notice.
fn article(sentence: &str) -> String {
    let link = |n: usize| {
        let words: String = sentence.chars().skip(n).take(12).collect();
        format!("<li><a href=\"/{n}\">{words}</a></li>")
    };
    let links: String = (0..12).map(link).collect();
    // Text that came before is likely dropped: no paragraph is another's copy.
    let paragraph = |n: usize| format!("<p>{} {n}{n}</p>", [sentence; 4].join(" "));
    let paragraphs: String = (1..6).map(paragraph).collect();
    format!(
        "<html><head><title>T</title></head><body><div class=\"header\"><ul class=\"menu\">{links}</ul></div>\
         <div class=\"content\"><h1>HEADLINE</h1>{paragraphs}</div>\
         <div class=\"sidebar\"><div class=\"related\"><ul>{links}</ul></div></div>\
         <div class=\"footer\"><ul>{links}</ul><p>COPYRIGHT</p></div></body></html>"
    )
}

#[test]
fn an_article_is_kept_and_menus_are_dropped_in_any_script() {
    for (language, sentence) in SENTENCES {
        let text = kept(&article(sentence));
        assert_eq!(text.matches(sentence).count(), 20, "{language}: {text}");
        let first: String = sentence.chars().take(12).collect();
        assert_eq!(text.matches(&first).count(), 20, "{language}: a link is kept");
        assert!(!text.contains("COPYRIGHT"), "{language}: the footer is kept");
    }
}

#[test]
fn a_section_without_a_body_around_it_is_in_the_body() {
    let sentence = [SENTENCES[7].1; 4].join(" ");
    let page = |open: &str| {
        format!(
            "<!doctype html><title>Shule mpya</title>{open}<main>{sentence}<p>{sentence}</main>"
        )
    };
    assert_eq!(kept(&page("<body>")).matches(&sentence).count(), 2);
    for head in ["", "</head>", "<meta charset=utf-8>", "<link rel=icon href=a.png>\n"] {
        assert_eq!(kept(&page(head)), kept(&page("<body>")), "{head}");
    }
}

/// Returns a page whose headline repeats its title, with the markup `text` under the headline.
fn under_a_headline(text: &str) -> String {
    let links = "<li><a href=/>nyumbani</a></li>".repeat(10);
    format!(
        "<head><title>Shule mpya katika wilaya zote</title></head><body><ul class=menu>{links}</ul>\
         <div class=content><h1>Shule mpya katika wilaya zote</h1>\
         <p class=date>12 Mei 2024</p>{text}</div>"
    )
}

#[test]
fn a_headline_is_kept_with_its_text() {
    let paragraph = format!("<p>{}</p>", [SENTENCES[7].1; 4].join(" "));
    let html = under_a_headline(&paragraph.repeat(3));
    let page = parse(&html, &Limits::default());
    let verdicts = classify(&page, Extractor::Best);
    let headline =
        page.blocks().iter().position(|block| page.text_of(block).starts_with("Shule")).unwrap();
    assert!(verdicts[headline].kept, "{}", verdicts[headline].reason);
}

#[test]
fn the_title_of_a_thread_is_its_headline_though_it_is_a_link() {
    let post = |n: usize| {
        format!(
            "<div class=post><h3><a href='#p{n}'>Re: Shule mpya katika wilaya zote</a></h3>\
             <div class=content>{} {n}</div></div>",
            SENTENCES[7].1
        )
    };
    let posts: String = (1..5).map(post).collect();
    let html = format!(
        "<title>Shule mpya katika wilaya zote - Jukwaa la walimu</title>\
         <body class=section-viewtopic><h1>Walimu wa nchi nzima</h1><h2 class=topic-title>\
         <a href='./viewtopic.php?t=7'>Shule mpya katika wilaya zote</a></h2>{posts}"
    );
    let found = content_of_text(&html, &ContentOptions::new(Extractor::Best, Form::Text));
    assert_eq!(found.headline, "Shule mpya katika wilaya zote");
    assert!(!found.text.contains("nchi nzima"), "{}", found.text);
}

/// A page with a menu, the name of the site in a heading, and a text under `heading`.
fn titled(title: &str, heading: &str) -> String {
    let links = "<li><a href=/>nyumbani</a></li>".repeat(10);
    let paragraph = format!("<p>{}</p>", [SENTENCES[7].1; 4].join(" ")).repeat(3);
    format!(
        "<head><title>{title}</title></head><body><h1><a href=/>Habari za Leo</a></h1>\
         <ul class=menu>{links}</ul><div class=content>{heading}<p class=date>12 Mei 2024</p>\
         {paragraph}</div></body>"
    )
}

#[test]
fn an_h1_above_the_text_is_the_headline_whatever_the_title_says() {
    let headline = "Watoto wa kijiji wapata darasa jipya";
    for (title, heading) in [
        ("Elimu - Habari za Leo", format!("<h1>{headline}</h1>")),
        ("", format!("<h1><span>{headline}</span></h1>")),
        (headline, format!("<h1><a href=/5>{headline}</a></h1>")),
        ("Elimu - Habari za Leo", format!("<h1>{headline}</h1><h2>Ripoti ya wiki</h2>")),
    ] {
        let mut options = ContentOptions::new(Extractor::Best, Form::Text);
        let page = titled(title, &heading);
        let found = content_of_text(&page, &options);
        assert_eq!(found.headline, headline, "{heading}");
        assert_eq!(found.text.lines().next(), Some(headline), "{heading}: {}", found.text);
        assert_eq!(found.text.matches(headline).count(), 1);
        options.headline = Headline::Drop;
        let without = content_of_text(&page, &options);
        assert_eq!(without.headline, headline);
        assert_eq!(without.text, found.text.replacen(&format!("{headline}\n"), "", 1));
    }
}

#[test]
fn a_headline_in_the_only_item_with_text_is_not_marked_as_an_item() {
    let headline = "Watoto wa kijiji wapata darasa jipya";
    let options = ContentOptions::new(Extractor::Best, Form::Markdown);
    for list in ["ol", "ul"] {
        let place = format!("<{list}><li><a href=/>Habari</a><li><h1>{headline}</h1></{list}>");
        let found = content_of_text(&titled(headline, &place), &options).text;
        assert!(found.starts_with(&format!("# {headline}\n\n")), "{found}");
        let page = titled(headline, &format!("<h1>{headline}</h1>"));
        let page = page.replace("<div class=content>", &format!("<{list}><li><div class=content>"));
        let found = content_of_text(&page, &options).text;
        assert!(found.starts_with(&format!("# {headline}\n\n")), "{found}");
        assert!(!found.contains("\n  "), "{found}");
    }
}

#[test]
fn an_h1_above_short_lines_is_their_headline() {
    let lines: Vec<&str> = SENTENCES[7].1.split_inclusive(' ').collect();
    let lines: Vec<String> = lines.chunks(4).map(|words| words.concat()).collect();
    let page = |count: usize| {
        let poem = lines.iter().cycle().take(count).cloned().collect::<Vec<_>>().join("<br>");
        format!("<title>Mashairi</title><div><h1>Wimbo wa mto mkubwa</h1><div>{poem}</div></div>")
    };
    let options = ContentOptions::new(Extractor::Best, Form::Text);
    assert_eq!(content_of_text(&page(24), &options).headline, "Wimbo wa mto mkubwa");
    assert_eq!(content_of_text(&page(2), &options).headline, "", "too little text");
}

#[test]
fn the_name_of_a_site_is_no_headline() {
    for heading in ["", "<h1>Habari za Leo</h1>", "<h1>Elimu</h1>"] {
        let page = titled("Darasa jipya kijijini - Habari za Leo", heading);
        let found = content_of_text(&page, &ContentOptions::new(Extractor::Best, Form::Text));
        assert_eq!(found.headline, "", "{heading}");
    }
}

#[test]
fn long_threads_of_comments_under_a_short_article_are_dropped() {
    let paragraph = format!("<p>{}</p>", [SENTENCES[7].1; 4].join(" "));
    let comment = |n: usize| {
        format!(
            "<li class=comment id=comment-{n}><div class=comment-author><cite>MSOMAJI{n}</cite> \
             <span class=date>{n} Mei 2024, 10:{n}</span></div><p>COMMENT{n} {}</p>\
             <div class=reply><a href=#>Jibu</a></div></li>",
            SENTENCES[7].1
        )
    };
    let comments: String = (10..50).map(comment).collect();
    let thread =
        format!("<div id=comments><h3>40 maoni</h3><ol class=commentlist>{comments}</ol></div>");
    let text = kept(&under_a_headline(&format!("{}{thread}", paragraph.repeat(3))));
    assert_eq!(text.matches(SENTENCES[7].1).count(), 12, "{text}");
}

#[test]
fn comments_are_kept_on_a_page_that_has_nothing_else() {
    let sentence = SENTENCES[7].1;
    let post = |name: &str, n: usize| {
        format!(
            "<div class={name}><a class={name}-author href=/u/{n}>MSOMAJI{n}</a> \
             <div class={name}-body><p>POST{n} {sentence}</p></div><a href=#>Jibu</a></div>"
        )
    };
    let counter = "<a class=comments href=#all>8 comments</a>";
    for name in ["comment", "reply", "kommentar"] {
        let posts: String = (1..9).map(|n| post(name, n)).collect();
        let text = kept(&under_a_headline(&format!("{counter}{posts}")));
        assert_eq!(text.matches("POST").count(), 8, "{name}: {text}");
    }
}

#[test]
fn lines_of_a_poem_are_kept() {
    let verse = |n: usize| {
        format!("لب پہ آتی ہے دعا بن کے تمنا میری {n}<br>زندگی شمع کی صورت ہو خدایا میری {n}<br>")
    };
    let verses: String = (1..9).map(verse).collect();
    let links = "<li><a href=/>صفحہ اول</a></li>".repeat(10);
    let html = format!(
        "<body><ul class=menu>{links}</ul><div class=content><h1>دعا</h1><p>{verses}</p></div>"
    );
    assert_eq!(kept(&html).matches("زندگی شمع کی صورت").count(), 8);
}

#[test]
fn items_of_a_list_and_cells_of_a_table_within_an_article_are_kept() {
    let sentence = SENTENCES[7].1;
    let items: String = (0..8).map(|n| format!("<li>ITEM{n} {sentence}</li>")).collect();
    let cells: String =
        (0..8).map(|n| format!("<tr><td>CELL{n} {sentence}</td><td>{n}00</td></tr>")).collect();
    let paragraph = format!("<p>{sentence} {sentence} {sentence}</p>");
    let links = "<li><a href=/>nyumbani</a></li>".repeat(10);
    let html = format!(
        "<body><ul class=menu>{links}</ul><article>{paragraph}<ul>{items}</ul>{paragraph}<table>{cells}</table>{paragraph}</article>"
    );
    let text = kept(&html);
    assert!(
        text.contains("ITEM0")
            && text.contains("ITEM7")
            && text.contains("CELL0")
            && text.contains("CELL7"),
        "{text}"
    );
}

#[test]
fn a_page_with_text_is_never_left_without_any() {
    assert_eq!(kept("<body><nav><a href=/>one</a></nav>"), "one");
    assert_eq!(kept("<body>"), "");
}

/// A page whose scripts are to fetch its text, with a thread of posts for who runs none.
fn forum(before: &str) -> String {
    let post = |n: usize| {
        format!(
            "<div class=post><b>author{n}</b><p>{} {n}</p></div>",
            [SENTENCES[0].1; 2].join(" ")
        )
    };
    let posts: String = (1..8).map(post).collect();
    format!("<html lang=ur><head><title>TITLE</title></head><body>{before}<script>run()</script><noscript>{posts}</noscript></body></html>")
}

#[test]
fn the_text_for_who_runs_no_scripts_is_read_where_a_page_has_little_else() {
    let html = forum("<div id=app>loading</div>");
    let page = parse(&html, &Limits::default());
    assert_eq!((page.title.as_str(), page.language.as_deref()), ("TITLE", Some("ur")));
    assert_eq!(kept(&html).matches(SENTENCES[0].1).count(), 14);
    let cut = &html[..html.find("</noscript>").unwrap()];
    assert_eq!(kept(cut).matches(SENTENCES[0].1).count(), 14, "cut off within it");
    let short = "<body><div id=app></div><noscript><h1>Goats</h1><article><p>How many goats may one \
                 village have?</p></article><article><p>As many as it has grass.</p></article></noscript>";
    assert!(kept(short).ends_with("as it has grass."), "a short thread: {}", kept(short));
    let others = content::parse_for(Extractor::WebAm, &html, &Limits::default());
    assert_eq!(
        others.blocks().iter().map(|block| others.text_of(block)).collect::<String>(),
        "loading",
        "the others read the page"
    );
}

#[test]
fn the_text_for_who_runs_no_scripts_stays_hidden_where_a_page_has_its_own() {
    let own = article(SENTENCES[1].1);
    let html = forum(&own);
    assert_eq!(kept(&html), kept(&own), "a page with text");
    let notice = "<body><div>menu</div><noscript><p>This page needs scripts, which are off. Turn them on and load it again.</p></noscript>";
    assert_eq!(kept(notice), "menu", "a notice");
}

/// The text that is written for a page.
fn written(html: &str) -> String {
    content_of_text(html, &ContentOptions::new(Extractor::Best, Form::Text)).text
}

#[test]
fn a_page_that_the_server_sends_in_parts_has_them_in_their_places() {
    for (language, sentence) in SENTENCES {
        let whole = article(sentence);
        let (before, rest) = whole.split_once("<h1>").unwrap();
        let (part, after) = rest.split_once("</div>").unwrap();
        let page = format!(
            "{before}<!--$?--><template id=\"B:0\"></template><p>LOADING</p><!--/$--></div>{after}\
             <div hidden id=\"S:0\"><h1>{part}</div><script>$RC(\"B:0\",\"S:0\")</script>"
        );
        assert_eq!(written(&page), written(&whole), "{language}");
    }
}

#[test]
fn a_page_that_waits_for_a_script_is_displayed_and_a_hidden_dialog_is_not() {
    let whole = article(SENTENCES[0].1);
    let text = written(&whole);
    assert_eq!(text.matches(SENTENCES[0].1).count(), 20);
    for style in ["style=\"display: none\"", "style=visibility:hidden", "hidden"] {
        let wrapped = whole
            .replace("<body>", &format!("<body><div {style}>"))
            .replace("</body>", "</div></body>");
        assert_eq!(written(&wrapped), text, "{style}");
        let body = whole.replace("<body>", &format!("<body {style}>"));
        assert_eq!(written(&body), text, "body {style}");
        let inside = whole
            .replace("<div class=\"content\"><h1>HEADLINE</h1>", &format!("<main><div {style}>"))
            .replace("</div><div class=\"sidebar\">", "</div></main><div>");
        assert_eq!(
            written(&inside).matches(SENTENCES[0].1).count(),
            20,
            "in its main part {style}"
        );
        let dialog = format!("<div {style}><p>{}</p></div>", [SENTENCES[3].1; 40].join(" "));
        let beside = whole.replace("<body>", &format!("<body>{dialog}"));
        assert_eq!(written(&beside), text, "beside {style}");
        let short = "<h1>HEADLINE</h1><p>Bridge Street 5, open from nine to three</p>";
        let beside = format!("<body>{short}{dialog}</body>");
        assert!(!written(&beside).contains(SENTENCES[3].1), "a short page beside {style}");
    }
}

#[test]
fn text_that_a_reader_opens_is_kept_and_what_only_a_script_shows_is_not() {
    let [sentence, answer, own] = [0, 1, 2].map(|n| SENTENCES[n].1);
    let questions = |panel: &str| -> String {
        let question = |n: usize| {
            let panel = panel.replace("ID", &format!("panel-{n}"));
            format!("<h3><button aria-expanded=false aria-controls=panel-{n}>{sentence}</button></h3>{panel}<p>{answer}</p></div>")
        };
        let questions: String = (0..6).map(question).collect();
        let own: String = (0..12).map(|n| format!("<p>{} {n}</p>", [own; 3].join(" "))).collect();
        format!("<body><div class=content><h1>HEADLINE</h1>{own}{questions}</div></body>")
    };
    for panel in [
        "<div id=ID hidden>",
        "<div id=ID style=display:none>",
        "<div role=tabpanel hidden>",
        "<div class=faq__answer style=display:none>",
        "<div class=Accordion_content__3kd hidden>",
        "<div class=tab-pane hidden>",
        "<div id=headlessui-disclosure-panel-1 hidden>",
        "<div class=expand-content style=display:none>",
    ] {
        assert_eq!(written(&questions(panel)).matches(answer).count(), 6, "{panel}");
    }
    for panel in [
        "<div hidden>",
        "<div id=other style=display:none>",
        "<dialog id=ID>",
        "<div class=table hidden>",
        "<div class=navbar-collapse style=display:none>",
        "<div id=ID role=tooltip hidden>",
    ] {
        let text = written(&questions(panel));
        assert!(text.contains(own) && !text.contains(answer), "{panel}: {text}");
    }
    let menu = questions("<div id=ID hidden>").replace("<button ", "<button aria-haspopup=true ");
    assert!(!written(&menu).contains(answer), "a menu or a dialog");
}

/// The kept texts of a page without comments of readers, joined.
fn without_comments(html: &str) -> String {
    let page = parse(html, &Limits::default());
    let verdicts = classify_with(&page, Extractor::Best, None, Comments::Drop);
    let kept = page.blocks().iter().zip(verdicts).filter(|(_, verdict)| verdict.kept);
    kept.map(|(block, _)| page.text_of(block)).collect::<Vec<_>>().join("\n")
}

/// A text of some paragraphs, and what is under it.
fn text_and(paragraphs: usize, under: &str) -> String {
    let sentence = SENTENCES[0].1;
    let paragraphs: String =
        (0..paragraphs).map(|n| format!("<p>TEXT{n} {}</p>", [sentence; 3].join(" "))).collect();
    format!("<body><div class=content><h1>HEADLINE</h1>{paragraphs}<div>{under}</div></div></body>")
}

/// Three posts, each in an element of this kind.
fn posts(open: &str, close: &str) -> String {
    let post = |n: usize| format!("{open}<p>POST{n} {}</p>{close}", [SENTENCES[0].1; 2].join(" "));
    (0..3).map(post).collect()
}

#[test]
fn elements_named_as_comments_are_dropped_if_asked() {
    for (open, close) in [
        ("<div id=comments><ol class=commentlist><li>", "</ol></div>"),
        ("<section class='entry-comments'>", "</section>"),
        ("<div id=disqus_thread>", "</div>"),
        ("<div class=leserkommentare>", "</div>"),
        ("<div itemprop=comment>", "</div>"),
        ("<div itemscope itemtype='http://schema.org/UserComments'>", "</div>"),
        ("<div itemtype=https://schema.org/Comment>", "</div>"),
        ("<div typeof='sioc:Post sioct:Comment'>", "</div>"),
        ("<div role=comment>", "</div>"),
        ("<div class='h-cite u-comment'>", "</div>"),
    ] {
        let html = text_and(9, &posts(open, close));
        let text = without_comments(&html);
        assert!(!text.contains("POST"), "{open}: {text}");
        assert!(text.contains("TEXT0") && text.contains("TEXT8"), "{open}: {text}");
    }
    let html = text_and(9, &posts("<div role=comment>", "</div>"));
    assert!(kept(&html).contains("POST"), "the default keeps what looks like text");
}

#[test]
fn items_with_dates_after_a_text_are_dropped_as_comments() {
    let item = |n: usize| {
        format!(
            "<div class=x><div>Reader{n}, 12.5.2024, 9:4{n}</div><p>POST{n} {}</p></div>",
            SENTENCES[0].1
        )
    };
    let items: String = (0..3).map(item).collect();
    // In a forum, posts are main content. Elsewhere the trees drop these items.
    let html = text_and(9, &items).replace("<body>", "<body class=forum>");
    assert!(kept(&html).contains("POST"));
    assert!(!kept(&text_and(9, &items)).contains("POST"));
    let text = without_comments(&html);
    assert!(!text.contains("POST") && text.contains("TEXT8"), "{text}");
    // With headings they are parts of the text, and without dates paragraphs.
    for other in
        [items.replace("<div>Reader", "<h3>a</h3><div>Reader"), items.replace("2024, 9:4", "")]
    {
        let html = text_and(9, &other);
        assert_eq!(without_comments(&html), kept(&html));
    }
}

#[test]
fn a_page_whose_posts_are_the_content_keeps_them() {
    let thread = posts("<div class=comment>", "</div>").repeat(3);
    for html in [
        text_and(0, &format!("<div id=comments>{thread}</div>")),
        text_and(1, &format!("<div id=comments>{thread}</div>")),
        // A section with the words of its heading as its id.
        text_and(9, &posts("<div id=reply-to-a-comment>", "</div>")),
        // The name of an element around the whole text.
        format!("<body class=comments-open><div class=no-comments>{}</div>", text_and(9, "")),
    ] {
        assert!(!kept(&html).is_empty());
        assert_eq!(without_comments(&html), kept(&html));
    }
    assert_eq!(without_comments("<body>"), "");
    assert_eq!(without_comments("<div class=comment>one"), "one");
}

/// An article in Swahili with names on its outermost elements.
fn within(html: &str, body: &str, wrapper: &str) -> String {
    let page = article(SENTENCES[7].1);
    let page = page.replace("<html>", &format!("<html {html}>"));
    let page = page.replace("<body>", &format!("<body {body}><div {wrapper}>"));
    page.replace("</body>", "</div></body>")
}

#[test]
fn a_name_on_an_element_around_the_whole_page_says_nothing() {
    let control = kept(&within("class=xqzzyw", "class=xqzzyw", "class=xqzzyw"));
    assert_eq!(control.matches(SENTENCES[7].1).count(), 20);
    for name in [
        "showing-comments",
        "comments",
        "related-posts",
        "social-share",
        "cookie-notice",
        "popup-open",
        "didomi-popup-open",
        "caption",
        "has-meta",
        "has-banner",
        "newsletter",
        "hidden",
        "zz",
        "sidebar-menu",
        "footer-nav",
        "toc",
        "breadcrumb",
    ] {
        for attribute in ["class", "id"] {
            let named = format!("{attribute}='{name}'");
            let pages = [within(&named, "", ""), within("", &named, ""), within("", "", &named)];
            for (place, page) in ["html", "body", "wrapper"].into_iter().zip(pages) {
                assert_eq!(kept(&page), control, "{named} of {place}");
            }
        }
    }
}

#[test]
fn a_dialog_is_main_content_only_where_nothing_else_is() {
    let asked =
        "Tunatumia vidakuzi ili kuboresha huduma zetu, kupima matumizi ya tovuti na kukuonyesha \
                 matangazo yanayokufaa. Unaweza kukubali au kukataa wakati wowote.";
    let body = format!("<h2>Faragha yako</h2><p>{asked}</p><p>ASKED {asked} Soma zaidi.</p>");
    let short = SENTENCES[7].1;
    for open in [
        "role=dialog",
        "role=alertdialog",
        "aria-modal=true",
        "id=onetrust-consent-sdk",
        "id=didomi-host",
        "class='cky-consent-container'",
        "id=CybotCookiebotDialog",
        "id=usercentrics-root",
        "class=qc-cmp2-ui",
        "id=sp_message_container_1",
        "class='moove-gdpr-info-bar gdpr'",
        "id=cookie-law-info-bar",
        "id=hs-eu-cookie-confirmation",
        "id=cc-main",
        "class='cm cm--box'",
        "id=transcend-consent-manager",
        "id=ccm-widget",
        "id=real-cookie-banner-7",
        "class=orejime-Notice",
        "class=ch2-dialog",
        "id=fides-banner-container",
        "class=termsfeed-com---nb",
        "id=wpconsent-root",
        "class=consent-wall",
        "class=cookieWall",
        "id=gdpr-consent",
    ] {
        let dialog = format!("<div {open}>{body}</div>");
        for page in [
            format!("<body><h1>Habari</h1><div><p>{short}</p></div>{dialog}"),
            format!("<body>{dialog}<h1>Habari</h1><div><p>{short}</p></div>"),
        ] {
            let text = kept(&page);
            assert!(text.contains(short) && !text.contains(asked), "{open}: {text}");
        }
        assert!(kept(&format!("<body>{dialog}")).contains(asked), "{open}: nothing else is there");
    }
}

/// A page with a menu of names, and `other`.
fn menu_and(other: &str) -> String {
    let links: String =
        (0..60).map(|n| format!("<a href=/{n}>Kijiji cha mlima {n}</a> ")).collect();
    format!("<html><head><title>T</title></head><body><div class=bar>{links}</div>{other}<p>© T</p></body></html>")
}

#[test]
fn text_outside_of_the_elements_is_read_where_a_page_has_only_a_menu() {
    let sentence = SENTENCES[7].1;
    let posts: String =
        (1..6).map(|n| format!("<div class=post><p>{sentence} {n} {sentence}</p></div>")).collect();
    let text = kept(&menu_and(&format!("<noscript>{posts}</noscript>")));
    assert_eq!(text.matches(sentence).count(), 10, "noscript: {text}");

    let article = format!("{sentence} {sentence}\\n\\n{sentence} &lt; {sentence}");
    for script in [
        format!(
            r#"<script type="application/ld+json">{{"@graph":[{{"@type":"NewsArticle","articleBody":"{article}"}}]}}</script>"#
        ),
        format!(
            r#"<script id="__NEXT_DATA__" type="application/json">{{"props":{{"page":{{"articleBody":"{article}"}}}}}}</script>"#
        ),
    ] {
        let text = kept(&menu_and(&script));
        assert_eq!(text.matches(sentence).count(), 4, "{script}: {text}");
        assert!(
            text.contains("mkoa, ili") && text.contains(" < ") && !text.contains("mlima"),
            "{text}"
        );
        let own = under_a_headline(&format!("<p>{}</p>", [SENTENCES[7].1; 8].join(" ")));
        assert_eq!(
            kept(&own.replace("<body>", &format!("<body>{script}"))),
            kept(&own),
            "a page with text"
        );
    }
    let data = |value: &str| {
        format!(r#"<script type="application/json">{{"props":{{"page":{value}}}}}</script>"#)
    };
    let half = format!("{sentence} {sentence}");
    for value in [
        format!(r#"{{"body":"<p>{half}</p><p>{half}</p>"}}"#),
        format!(r#"{{"blocks":[{{"text":"{half}"}},{{"text":"{half}"}}]}}"#),
        format!(r#"{{"post":{{"paragraphs":["{half}","{half}"]}}}}"#),
        format!(
            r#"{{"post":[{{"children":[{{"text":"{sentence} "}},{{"text":"{sentence}"}}]}},{{"children":[{{"text":"{half}"}}]}}]}}"#
        ),
        format!(r#"{{"related":[{{"body":"{half} {half} {half}"}}],"content":"{half}\n{half}"}}"#),
    ] {
        let text = kept(&menu_and(&data(&value)));
        assert_eq!(text, format!("{half}\n{half}"), "{value}");
        let own = under_a_headline(&format!("<p>{half}</p>"));
        let with = own.replace("<body>", &format!("<body>{}", data(&value)));
        assert_eq!(kept(&with), kept(&own), "a page with text");
    }
    let labels = data(&format!(
        r#"{{"summary":"{half}","messages":{{"text":"{half}"}},"text":"Soma zaidi"}}"#
    ));
    assert_eq!(kept(&menu_and(&labels)), kept(&menu_and("")), "no article");

    let cut = r#"<script type="application/ld+json">{"articleBody":"Waziri</script>"#;
    assert_eq!(kept(&menu_and(cut)), kept(&menu_and("")), "no JSON");
}

#[test]
fn text_from_the_data_of_a_page_is_below_its_headline() {
    for (language, sentence) in SENTENCES {
        let headline = sentence.split(' ').take(8).collect::<Vec<_>>().join(" ");
        let headline = headline.trim_end_matches(['.', ',']);
        let body = [1, 2, 3].map(|n| format!("{sentence} {n}"));
        let linked = format!(
            r#"<script type="application/ld+json">{{"@type":"NewsArticle","publisher":{{"name":"The Long Valley Daily News of the Whole County"}},"headline":"{headline}","articleBody":"{}"}}</script>"#,
            body.join("\\n")
        );
        let next = format!(
            r#"<script id="__NEXT_DATA__" type="application/json">{{"props":{{"menu":[{{"title":"{headline} and menus"}}],"post":{{"title":"{headline}","body":"{}"}}}}}}</script>"#,
            body.join("\\n")
        );
        let under = format!("{headline}\n{}", body.join("\n"));
        for title in [
            format!("{headline} | The Long Valley Daily News of the Whole County"),
            headline.to_owned(),
        ] {
            for script in [&linked, &next] {
                let page = format!("<title>{title}</title><body><div id=root></div>{script}");
                assert_eq!(kept(&page), under, "{language}: {title} {script}");
            }
        }
        let bare = format!("<title>Daily News</title><body><div id=root></div>{linked}");
        assert_eq!(kept(&bare), under, "{language}: the title is of the site");
        let with = linked.replace("articleBody\":\"", &format!("articleBody\":\"{headline}\\n"));
        let page = format!("<title>{headline}</title><body><div id=root></div>{with}");
        assert_eq!(kept(&page).matches(headline).count(), 4, "{language}: it is in the text");
    }
}

/// Five paragraphs as elements of React's server components: a text, with a link, in a component of
/// the client, beside what is shown while it loads, and as markup.
fn elements([a, b, c, d, e]: [&str; 5]) -> String {
    let in_link = b.len() - 2;
    format!(
        r#"["$","p",null,{{"children":"{a}"}}],["$","p","k",{{"className":"big","children":["{}",["$","a",null,{{"href":"/2","children":"{}"}}]]}}],["$","$L7",null,{{"label":"{a} {b}","children":["$","p",null,{{"children":"{c}"}}]}}],["$","$8",null,{{"fallback":["$","p",null,{{"children":"Inapakia {a}"}}],"children":["$","p",null,{{"children":["{d}"]}}]}}],["$","div",null,{{"dangerouslySetInnerHTML":{{"__html":"<p>{e}</p>"}}}}]"#,
        &b[..in_link],
        &b[in_link..]
    )
}

/// Scripts and attributes with the text of a page, as frameworks hand it over: the text is
/// `markup`, or the five pieces of it.
fn handed_over(markup: &str, pieces: [&str; 5]) -> Vec<String> {
    let [a, b, c, d, e] = pieces;
    let in_json = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let in_attribute = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;");
    let post = format!(r#"{{"post":{{"title":"T","body":"{markup}"}}}}"#);
    let row = format!("1:[\"$\",\"$L2\",null,{post}]\n");
    let (first, second) = row.split_at(row.find("<p>").unwrap());
    let push = |text: &str| {
        format!(
            "<script>self.__next_f.push([1,\"{}\"])</script>",
            in_json(text).replace('\n', "\\n")
        )
    };
    let linked = |json: &str| format!("<script type=application/ld+json>{json}</script>");
    vec![
        format!("<script type=application/json>[[\"Reactive\",1],{{\"body\":2}},\"{markup}\"]</script>"),
        format!("<script>window.__NUXT__={post};</script>"),
        format!("<script>window.__NUXT__=(function(a,b){{return {{data:[{{article:{{title:a,body:\"{markup}\",at:b}}}}]}}}}('T',void 0));</script>"),
        format!("<script>window.__APOLLO_STATE__ = {{\"Post:1\":{{\"body\":'{markup}',\"by\":undefined}}}};</script>"),
        format!("<script>window.state = JSON.parse(\"{}\")</script>", in_json(&post)),
        format!("<script>// don't\nFusion.globalContent={{\"pieces\":[{{\"content\":\"{a}\"}},{{\"content\":\"{b}\"}},{{\"content\":\"{c}\"}},{{\"content\":\"{d}\"}},{{\"content\":\"{e}\"}}]}};</script>"),
        format!("<script type=application/json>{{\"status\":200,\"body\":\"{}\"}}</script>", in_json(&post)),
        format!("<script type=application/json>{}</script>", post.replace('"', "&q;").replace('<', "&l;").replace('>', "&g;")),
        format!("<div id=app data-page=\"{}\"></div>", in_attribute(&post)),
        format!("{}{}", push(first), push(second)),
        push(&format!("0:{{\"f\":[[[\"\",{{\"children\":[\"__PAGE__\",{{}}]}}],[\"$\",\"main\",\"c\",{{\"children\":[\"$\",\"article\",null,{{\"className\":\"post\",\"children\":[{}]}}]}}]]]}}\n", elements(pieces))),
        push(&format!("1:T{:x},{markup}2:[\"$\",\"div\",null,{{\"body\":\"$1\"}}]\n", markup.len())),
        linked(&format!(r#"{{"@type":"DiscussionForumPosting","text":"{a}","comment":[{{"text":"{b}"}},{{"text":"{c}"}},{{"text":"{d}"}},{{"text":"{e}"}}]}}"#)),
        linked(&format!(r#"{{"@type":"QAPage","mainEntity":{{"text":"{a}","acceptedAnswer":{{"text":"{b}"}},"suggestedAnswer":[{{"text":"{c}"}},{{"text":"{d}"}},{{"text":"{e}"}}]}}}}"#)),
        linked(&format!(r#"{{"@type":"LiveBlogPosting","liveBlogUpdate":[{{"articleBody":"{a}"}},{{"articleBody":"{b}"}},{{"articleBody":"{c}"}},{{"articleBody":"{d}"}},{{"articleBody":"{e}"}}]}}"#)),
        linked(&format!(r#"{{"@type":"Product","name":"T","description":"{a}\n{b}\n{c}\n{d}\n{e}"}}"#)),
        linked(&format!(r#"{{"@type":"Recipe","recipeInstructions":[{{"text":"{a}"}},{{"text":"{b}"}},{{"text":"{c}"}},{{"text":"{d}"}},{{"text":"{e}"}}]}}"#)),
    ]
}

#[test]
fn the_part_of_an_article_that_only_subscribers_see_stays_hidden() {
    let [sentence, paid] = [0, 1].map(|n| SENTENCES[n].1);
    let start: String = (0..3).map(|n| format!("<p>{sentence} {n}</p>")).collect();
    for part in ["<div class=subscriber-only style=display:none>", "<div class=paywall hidden>"] {
        let rest: String = (0..4).map(|n| format!("{part}<p>{paid} {n}</p></div>")).collect();
        let text = written(&format!("<article><h1>HEADLINE</h1>{start}{rest}</article>"));
        assert!(text.contains(sentence) && !text.contains(paid), "{part}");
    }
}

#[test]
fn the_text_that_a_page_hands_to_its_framework_is_read_if_it_shows_none() {
    for (language, sentence) in SENTENCES {
        let pieces = [1, 2, 3, 4, 5].map(|n| format!("{sentence} {n}"));
        let pieces = pieces.each_ref().map(String::as_str);
        let markup: String = pieces.iter().map(|piece| format!("<p>{piece}</p>")).collect();
        for script in handed_over(&markup, pieces) {
            let bare = format!("<title>T</title><body><div id=root></div>{script}</body>");
            assert_eq!(kept(&bare), pieces.join("\n"), "{language}: {script}");
            let own = under_a_headline(&format!("<p>{}</p>", [sentence; 8].join(" ")));
            let with = own.replace("<body>", &format!("<body>{script}"));
            assert_eq!(kept(&with), kept(&own), "{language}, a page with text: {script}");
        }
    }
    let [a, b] = [0, 1].map(|n| SENTENCES[n].1);
    for other in [
        format!("<script>window.__banner={{\"consent\":{{\"content\":\"{a} {b}\"}}}}</script>"),
        format!("<script>show({{\"content\":\"{a} {b}\"}})</script>"),
        format!("<script>window.__x={{\"content\":\"{a} {b}</script>"),
    ] {
        assert_eq!(kept(&menu_and(&other)), kept(&menu_and("")), "no article: {other}");
    }
    let escaped =
        "<script>window.__x={body:'<p>\\u0905\\x62 \\ud83d\\ude00 it\\'s \\/ TEXT</p>'}</script>";
    let escaped = escaped.replace("TEXT", &[SENTENCES[7].1; 3].join(" "));
    assert!(kept(&format!("<body>{escaped}")).contains("\u{905}b \u{1f600} it's / Waziri"));
}

#[test]
fn the_lede_between_headline_and_byline_is_kept() {
    let page = |below: &str| {
        let text: String =
            SENTENCES[..8].iter().map(|(_, text)| format!("<p>{text}</p>")).collect();
        format!(
            "<title>The mill turns again</title><body><main><article><header><h1>The mill turns \
             again</h1>{below}<div class=byline>By A. Miller, 3 May 2026</div></header>{text}\
             </article></main>"
        )
    };
    let lede = "After three summers of work the wheel of the old mill is back in the river.";
    for class in ["lede", "article__subtitle", "summary", "x"] {
        assert!(kept(&page(&format!("<p class='{class}'>{lede}</p>"))).contains(lede), "{class}");
    }
    for (open, close) in [
        ("<div class=author-bio><p>", "</p></div>"),
        ("<aside><p>", "</p></aside>"),
        ("<ul><li>", "</ul>"),
    ] {
        assert!(!kept(&page(&format!("{open}{lede}{close}"))).contains(lede), "{open}");
    }
}

#[test]
fn signatures_below_posts_of_a_forum_are_left_out() {
    for class in ["signature", "message-signature", "UserSignature restore"] {
        let post = |n: usize| {
            format!(
                "<div class=post><div class=author>user{n}</div><div class=content><p>{} {n}.</p></div>\
                 <div class='{class}'><p>Ask me about {n} goats, or write to the village.</p></div></div>",
                SENTENCES[n % SENTENCES.len()].1
            )
        };
        let posts: String = (1..7).map(post).collect();
        let forum = format!("<meta name=generator content=phpBB><body><main>{posts}</main>");
        let text = kept(&forum);
        assert!((1..7).all(|n| text.contains(&format!(" {n}."))), "{text}");
        assert!(!text.contains("goats"), "{class}: {text}");
        let alone =
            format!("<meta name=generator content=phpBB><div class='{class}'><p>Goats.</p></div>");
        assert_eq!(kept(&alone), "Goats.", "a page without other text");
    }
}

#[test]
fn words_for_screen_readers_numbers_of_lines_and_buttons_are_no_text_of_a_line() {
    let text =
        |html: &str| content_of_text(html, &ContentOptions::new(Extractor::Text, Form::Text)).text;
    for class in ["sr-only", "box visually-hidden", "govuk-visually-hidden", "Screen-Reader-Text"] {
        let html =
            format!("<p>See <a href=/>the office<span class='{class}'> (new tab)</span></a>.");
        assert_eq!(text(&html), "See the office.", "{class}");
    }
    for (code, lines) in [
        ("<span class=ln>1</span>a\n<span class=ln>2</span>b", "a\nb"),
        ("<span class=lineno>1 </span>a<button>Copy</button>\nb", "a\nb"),
        ("<b class='x react-syntax-highlighter-line-number'>1</b>a", "a"),
        ("<button class=copy>Copy</button>a", "a"),
    ] {
        assert_eq!(text(&format!("<pre>{code}</pre>")), lines, "{code}");
    }
    let cells = "<td class=rouge-gutter><pre>1\n2</pre><td><pre>a\nb</pre>";
    assert_eq!(text(&format!("<table><tr>{cells}</table>")), "a\nb");
    let geshi = cells.replace("rouge-gutter", "line_numbers");
    assert_eq!(text(&format!("<table><tr>{geshi}</table>")), "a\nb");
    assert_eq!(text("<div class=gutter>a <b class=ln>b</b></div>"), "a b", "a margin of a layout");
    for gutter in ["CodeMirror-gutter-wrapper", "cm-gutters", "ace_gutter", "margin-view-overlays"]
    {
        let editor =
            format!("<div class=lines><div class={gutter}><div>1</div></div><pre>a</pre></div>");
        assert_eq!(text(&editor), "a", "{gutter}");
    }
}

#[test]
fn edit_links_of_a_wiki_and_numbers_of_printed_pages_are_no_text_of_a_line() {
    let text =
        |html: &str| content_of_text(html, &ContentOptions::new(Extractor::Text, Form::Text)).text;
    let edit = "<span class=mw-editsection>[<a href=/e>hariri</a> | <a href=/s>chanzo</a>]</span>";
    let old = edit.replace("mw-", "");
    for (html, lines) in [
        (format!("<h2><span class=mw-headline>Historia</span>{edit}</h2>"), "Historia"),
        (format!("<div class=mw-heading><h2>Historia</h2>{edit}</div>"), "Historia"),
        (format!("<h2>{old} <span class=mw-headline>Historia</span></h2>"), "Historia"),
        ("<li><span class=mw-cite-backlink>↑ </span>Kitabu".into(), "Kitabu"),
        ("<p>Mto <span class=pagenum>[Uk. 12]</span>unapita.".into(), "Mto unapita."),
        ("<div class=pagenum>12</div>".into(), "12"),
    ] {
        assert_eq!(text(&html), lines, "{html}");
    }
}

#[test]
fn text_in_a_class_that_hides_it_is_left_out_unless_little_else_is_shown() {
    let story = "<h1>The mill turns again</h1><p>The old mill by the river was rebuilt by the \
                 people of the village over three summers.</p><p>Since Monday it grinds flour on \
                 two days of every week, and visitors may watch it.</p><p>The miller learned her \
                 work in another valley, where a mill has never stopped.</p><p>Flour is sold in \
                 the shop beside the mill, and the baker of the village takes what is left over \
                 in the evening.</p><p>Next year the wheel will drive a small generator too, \
                 so that the school and the library of the village get their light from the \
                 river.</p>";
    let appeal =
        "<h2>Stand by our paper</h2><p>We pay for reporters in each valley, and your gift \
                  helps us to keep the news free for all who read it.</p>";
    let page = |class: &str, first: &str, second: &str| {
        let html = format!(
            "<title>The mill turns again</title><body><main><article>{first}\
             <div class='{class}'>{second}</div></article></main>"
        );
        content_of_text(&html, &ContentOptions::new(Extractor::Best, Form::Text)).text
    };
    for class in
        ["hidden", "box d-none", "sr-only", "metadata plainlinks", "d-print-none", "print:hidden"]
    {
        for appeal in [appeal.to_owned(), appeal.repeat(4)] {
            let found = page(class, story, &appeal);
            assert!(found.contains("grinds flour") && !found.contains("gift"), "{class}: {found}");
        }
    }
    let comments = page("comments hidden-print", story, &appeal.repeat(4));
    let printed = page("comments", story, &appeal.repeat(4));
    assert_eq!(comments, printed, "not printed, but text as others");
    for class in ["hidden", "box hidden md:block", "d-none d-lg-block", "noprint", ""] {
        let found = page(class, "", story);
        assert!(found.contains("grinds flour"), "{class}: {found}");
    }
}

#[test]
fn answers_that_a_button_opens_are_text() {
    let questions = [
        ("When is the mill open?", "It is open on Mondays and on Thursdays, from eight to noon."),
        ("May I bring my own grain?", "Yes, from ten kilograms upwards, if it is dry and clean."),
        ("Who grinds it?", "The miller and two helpers, who learned it from her last summer."),
        ("Is there a shop?", "The shop beside the mill sells flour and bread until the evening."),
        ("Can schools visit?", "Classes are welcome in spring, when the wheel turns every day."),
    ];
    let intro = "<h1>The mill</h1><p>The old mill by the river was rebuilt by the people of the \
                 village over three summers, and since Monday it grinds flour again, on two days of \
                 every week. The school gets its light from the same wheel, and the library will \
                 follow next year, so that the whole street has light from the river.</p>\
                 <p>Visitors may watch it, and they ask much. Here is what we answer.</p>";
    for (before, between, after) in [
        (
            "<div class='border'><button class='flex'>",
            "</button><div class='hidden p-4'><p>",
            "</p></div></div>",
        ),
        ("<div><h3><button>", "</button></h3><div class='d-none'><p>", "</p></div></div>"),
        ("<div><div onclick='t(1)'>", "</div><div class='faq-answer hidden'>", "</div></div>"),
        ("<li><div role='button'><span>", "</span></div><div class='hidden'>", "</div></li>"),
    ] {
        let body: String = questions
            .iter()
            .map(|(question, answer)| format!("{before}{question}{between}{answer}{after}"))
            .collect();
        let html = format!("<title>The mill</title><body><main>{intro}<section>{body}</section>");
        let found = content_of_text(&html, &ContentOptions::new(Extractor::Best, Form::Text)).text;
        for (question, answer) in questions {
            assert!(found.contains(answer), "{before}: {answer} is not in {found}");
            assert!(found.contains(question), "{before}: {question} is not in {found}");
        }
    }
}

#[test]
fn code_in_an_answer_is_kept_and_code_that_nobody_sees_or_introduces_is_not() {
    let answer = |n: usize| {
        format!(
            "<div class=answer><div class=votes>{n}</div><div class=post-text><p>{} {n}:</p>\
             <pre><code>x = {n}\ny = x &lt; {n}</code></pre>\
             <div class=bar><button>Copy</button></div><table><tr><td><pre>1</pre><td><pre>z = \
             {n}</pre></table><pre style=display:none>$ rm {n}</pre></div><div class=user>user{n}</div></div>",
            SENTENCES[7].1
        )
    };
    let html = format!(
        "<body class=question-page><ul class=menu>{}</ul><main><h1>Shule mpya</h1>{}</main>\
         <footer><div><pre>$ exit</pre></div></footer>",
        "<li><a href=/>nyumbani</a></li>".repeat(10),
        (1..7).map(answer).collect::<String>(),
    );
    let found = content_of_text(&html, &ContentOptions::new(Extractor::Best, Form::Text)).text;
    for n in 1..7 {
        assert!(found.contains(&format!("x = {n}\ny = x < {n}")), "{found}");
        assert!(found.contains(&format!("z = {n}")), "behind a button, in a table: {found}");
        assert!(!found.contains(&format!("$ rm {n}")), "{found}");
    }
    assert!(!found.contains("$ exit"), "{found}");
}

#[test]
fn replies_named_as_comments_stay_in_the_discussions_of_programs_that_name_them_so() {
    let sentence = SENTENCES[7].1;
    let reply = |n: usize| {
        format!(
            "<div class='issue-comment'><div><a href=/u{n}>amina{n}</a><time>2024-03-0{n}</time></div>\
             <div class=body><p>{sentence} {n}{n}</p></div><button>Jibu</button></div>"
        )
    };
    let page = |address: &str| {
        format!(
            "<head><title>Shule</title><meta property=og:url content={address}></head><body><main><h1>Shule</h1>\
             <div class=body><p>{sentence} {sentence}</p></div><div class=comments>{}</div></main>",
            (1..8).map(reply).collect::<String>()
        )
    };
    let found = kept(&page("https://gitlab.example.org/shule/kazi/-/issues/7"));
    assert_eq!(found.matches(sentence).count(), 9, "{found}");
    assert!(!found.contains("Jibu") && !found.contains("amina3"), "{found}");
    let found = kept(&page("https://example.org/habari/7"));
    assert!(found.matches(sentence).count() < 9, "comments under an article: {found}");
}
