//! Main content as HTML is safe, whatever the page: its markup is well nested, of a few elements
//! and attributes, and its text is that of the form `text`. So is the text of Markdown, as a parser
//! of CommonMark reads it.
#![allow(clippy::unwrap_used)]

use content::{content_of_text, ContentOptions, Extractor, Form};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Elements that are written.
const ELEMENTS: [&str; 26] = [
    "a",
    "blockquote",
    "caption",
    "code",
    "dd",
    "del",
    "dl",
    "dt",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "ol",
    "p",
    "pre",
    "q",
    "strong",
    "sub",
    "sup",
    "table",
    "ul",
    "tr",
];

fn content(page: &str) -> (String, String) {
    let options = ContentOptions {
        html: true,
        url: Some("https://a.example/"),
        ..ContentOptions::new(Extractor::Text, Form::Text)
    };
    let found = content_of_text(page, &options);
    (found.text, found.html.unwrap())
}

/// Checks every tag of the output, and returns its text.
fn text_of_safe(html: &str) -> String {
    let (mut open, mut text, mut rest) = (Vec::new(), String::new(), html);
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let end = rest.find('>').unwrap();
        let (tag, after) = (&rest[at + 1..end], &rest[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{html}");
        } else {
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            if ["br", "hr", "img"].contains(&name) {
                check(name, attributes);
                continue;
            }
            assert!(ELEMENTS.contains(&name) || ["td", "th"].contains(&name), "<{tag}>");
            check(name, attributes);
            open.push(name);
        }
    }
    text.push_str(rest);
    assert!(open.is_empty() && !text.contains('>'), "{html}");
    text
}

/// Checks the attributes of a start tag.
fn check(name: &str, attributes: &str) {
    let mut rest = attributes;
    while !rest.is_empty() {
        let (attribute, after) = rest.trim_start().split_once("=\"").unwrap();
        let (value, after) = after.split_once('"').unwrap();
        rest = after;
        assert!(!value.contains(['<', '>', '\n']), "{value}");
        match (name, attribute) {
            ("a", "href") | ("img", "src") => {
                let is_web = value.starts_with("http://") || value.starts_with("https://");
                assert!(is_web || name == "a" && value.starts_with('#'), "{value}");
                assert!(!value.contains(' '), "{value}");
            }
            ("a", "title") | ("img", "alt") => {}
            ("code", "class") => assert!(value.starts_with("language-")),
            ("ol", "start") => assert!(value.parse::<i64>().is_ok()),
            ("td" | "th", "colspan" | "rowspan") => {
                assert!((2..100).contains(&value.parse::<u8>().unwrap()));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The text without white space and control characters: blocks have other borders in HTML.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect()
}

fn is_safe(page: &str) {
    let (text, html) = content(page);
    let shown = text_of_safe(&html);
    assert_eq!(letters(&unescaped(&shown)), letters(&text), "{page:?}\n{html}");
}

/// The text of Markdown. The text that stands for a picture is none of the page's.
fn text_of_markdown(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_TASKLISTS;
    let (mut text, mut pictures) = (String::new(), 0);
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Image { .. }) => pictures += 1,
            Event::End(TagEnd::Image) => pictures -= 1,
            Event::Text(part) | Event::Code(part) if pictures == 0 => text.push_str(&part),
            _ => {}
        }
    }
    text
}

/// Letters without the characters that only Markdown has: quotation marks of `<q>`, colons of
/// definitions, numbers of items and borders of tables in a line, and dollars of formulas.
fn letters_in_both(text: &str) -> String {
    let is_in_both = |c: &char| !c.is_ascii_digit() && !"\"'|.:$\\()[]".contains(*c);
    letters(text).chars().filter(is_in_both).collect()
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&")
}

fn soup() -> impl Strategy<Value = String> {
    let tag = || {
        prop::sample::select(vec![
            "a href=x title='\"><script>'",
            "a href='#\"x'",
            "a href='javascript:x()'",
            "a href='http://b.example/\"><script>'",
            "a",
            "p onclick=x",
            "div",
            "ul",
            "ol",
            "li",
            "dl",
            "dt",
            "dd",
            "table",
            "caption",
            "tr",
            "td colspan=3",
            "th",
            "tbody",
            "h1",
            "h4",
            "blockquote",
            "br",
            "script",
            "style",
            "svg",
            "iframe src=x",
            "img src=x onerror=y alt='a\"b'",
            "code class='language-c\" x'",
            "b",
            "em",
            "sup",
            "q",
            "hr",
            "base href=//c.example/",
            "section",
            "span",
            "b",
            "pre",
            "form",
            "select",
            "noscript",
        ])
    };
    let piece = prop_oneof![
        5 => tag().prop_map(|tag| format!("<{tag}>")),
        4 => tag().prop_map(|tag| format!("</{}>", tag.split(' ').next().unwrap())),
        5 => "[a-z<>&\" ]{0,10}",
        1 => "\\PC{0,6}",
        1 => " ?[-*_`~<>|+.!:=1\u{a0}]{1,4} ?",
        1 => Just("&lt;script&gt;alert(1)&lt;/script&gt;".to_owned()),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_page_is_written_as_safe_html_with_its_text(page in soup()) {
        is_safe(&page);
    }

    #[test]
    fn any_page_is_written_as_markdown_with_its_text(page in soup()) {
        // Which new characters are punctuation depends on the version of Unicode of the parser.
        let page: String = page.chars().filter(|c| *c <= '\u{ffff}').collect();
        let form = |form| content_of_text(&page, &ContentOptions::new(Extractor::Text, form)).text;
        let (text, markdown) = (form(Form::Text), form(Form::Markdown));
        let shown = text_of_markdown(&markdown);
        prop_assert_eq!(letters_in_both(&shown), letters_in_both(&text), "{}\n{}", page, markdown);
    }
}

#[test]
fn known_attacks_are_text_or_gone() {
    for page in [
        "<p>&lt;script>alert(1)&lt;/script>",
        "<a href=\"java&#115;cript:alert(1)\">x</a>",
        "<a href='http://x.example/&quot; onmouseover=&quot;x'>x</a>",
        "<svg><script>x</script></svg><math><mtext><img src=x onerror=x>",
        "<table><tr><td colspan='\" onclick=x'>a<td colspan=999>b</table>",
        "<p>\u{202e}\u{0}\u{1}<plaintext><b>",
    ] {
        is_safe(page);
        assert!(!content(page).1.contains("<script"), "{page}");
    }
}
