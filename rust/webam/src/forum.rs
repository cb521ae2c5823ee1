//! Signs that a page belongs to a forum, or to a site of questions and answers.
//!
//! A reply in a forum is main content, and a comment under an article is not. Both look alike: an
//! author, a date, a text. But programs for forums state their name, and have addresses and class
//! names of their own. They do so in every language.

use crate::source::SourceTag;
use crate::tags::Tag;

/// Names of programs for forums, as `<meta name="generator">` gives them.
const PROGRAMS: [&str; 16] = [
    "askbot",
    "bbpress",
    "discourse",
    "discuz",
    "flarum",
    "fluxbb",
    "invision",
    "mybb",
    "nodebb",
    "phpbb",
    "punbb",
    "question2answer",
    "simple machines",
    "vanilla",
    "vbulletin",
    "xenforo",
];

/// Labels of hosts such as `forum.example.org`.
const HOSTS: [&str; 10] = [
    "answers",
    "ask",
    "bbs",
    "board",
    "boards",
    "community",
    "discuss",
    "discussion",
    "forum",
    "forums",
];

/// Parts of paths such as `/viewtopic.php`, `/threads/7/` and `/t/7`.
const PATHS: [&str; 18] = [
    "bbs",
    "board",
    "boards",
    "comments",
    "discussion",
    "discussions",
    "forum",
    "forumdisplay",
    "forums",
    "qa",
    "question",
    "questions",
    "showthread",
    "t",
    "thread",
    "threads",
    "topic",
    "viewtopic",
];

/// Class and id names of `<html>` and `<body>`.
const NAMES: [&str; 15] = [
    "bbpress",
    "discourse",
    "discussion",
    "discuz",
    "flarum",
    "forum",
    "forums",
    "phpbb",
    "question",
    "showthread",
    "thread",
    "topic",
    "vbulletin",
    "viewtopic",
    "xf",
];

/// Types of schema.org, the last part of their addresses.
const TYPES: [&str; 3] = ["discussionforumposting", "qapage", "question"];

/// Returns true if a start tag states that the page belongs to a forum: the program in
/// `<meta name="generator">`, the address in `<link rel="canonical">` or `og:url`, names and types
/// of `<html>` and `<body>`.
pub(crate) fn is_sign(source: &SourceTag<'_>, tag: Tag) -> bool {
    let value = |name: &str| source.attribute(name);
    let is = |name: &str, wanted: &str| {
        value(name).is_some_and(|value| value.trim().eq_ignore_ascii_case(wanted))
    };
    match tag {
        Tag::Meta if is("name", "generator") => value("content").is_some_and(|content| {
            let content = content.to_ascii_lowercase();
            PROGRAMS.iter().any(|program| content.contains(program))
        }),
        Tag::Meta if is("property", "og:url") => {
            value("content").is_some_and(|address| is_address(&address))
        }
        Tag::Link if is("rel", "canonical") => {
            value("href").is_some_and(|address| is_address(&address))
        }
        Tag::Html | Tag::Body => {
            let has = |attribute: &str, known: &[&str]| {
                value(attribute).is_some_and(|value| words(&value).any(|word| is_in(word, known)))
            };
            has("class", &NAMES) || has("id", &NAMES) || has("itemtype", &TYPES)
        }
        _ => false,
    }
}

/// Returns true for an address that programs for forums use: of a host such as
/// `forum.example.org`, or with a path such as `/viewtopic.php?t=7`.
fn is_address(address: &str) -> bool {
    let address = address.split('#').next().unwrap_or_default();
    let (host, path) = match address.split_once("://") {
        Some((_, behind)) => behind.split_at(behind.find('/').unwrap_or(behind.len())),
        None => ("", address),
    };
    let is_forum = |part: &str, known: &[&str]| {
        is_in(part, known)
            || words(part).last().is_some_and(|word| is_in(word, &["forum", "forums"]))
    };
    // The last label is that of the country or the kind, such as `community`.
    let labels = host.rsplit('.').skip(1);
    let parts = path.split(['/', '?']).map(|part| part.split('.').next().unwrap_or_default());
    labels.into_iter().any(|label| is_forum(label, &HOSTS))
        || parts.into_iter().any(|part| is_forum(part, &PATHS))
}

fn is_in(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// The runs of ASCII letters and digits.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::{parse, Limits};

    fn is_forum(html: &str) -> bool {
        parse(html, &Limits::default()).is_forum
    }

    #[test]
    fn a_page_of_a_forum_is_known_by_its_program_its_address_or_its_names() {
        for sign in [
            "<meta name=generator content='phpBB 3.3'>",
            "<META CONTENT='Simple Machines Forum' NAME=Generator>",
            "<link rel=canonical href=https://forum.example.org/7>",
            "<link rel=canonical href='https://example.org/viewtopic.php?t=7'>",
            "<link rel=canonical href=/threads/urdu-shayari.7/>",
            "<link rel=canonical href=https://meta.example.org/t/khush-amdeed/7>",
            "<link rel=canonical href=https://example.org/travel-forum/asia>",
            "<meta property='og:url' content='https://example.org/questions/7/how-to'>",
            "<html id=XF class=has-js>",
            "<html itemscope itemtype='https://schema.org/QAPage'>",
            "<body class='section-viewtopic ltr'>",
        ] {
            assert!(is_forum(&format!("{sign}<p>سوال")), "{sign}");
        }
    }

    #[test]
    fn other_pages_are_not_of_a_forum() {
        for sign in [
            "",
            "<meta name=generator content='WordPress 6.4'>",
            "<meta name=description content='phpBB compared with Discourse'>",
            "<link rel=canonical href=https://example.org/news/ten-questions-to-ask>",
            "<link rel=canonical href=https://example.community/about#forum>",
            "<link rel=alternate href=https://forum.example.org/>",
            "<body class='single-post postid-7'>",
            "<div class=forum>",
        ] {
            assert!(!is_forum(&format!("{sign}<p>خبر")), "{sign}");
        }
    }
}
