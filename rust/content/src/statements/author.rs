//! Texts and elements that may name the author of a page.

use super::places::{around, is_elsewhere, place, value, without_tags, MAX_BACK, MAX_ELSEWHERE};
use super::{MAX_AUTHORS, MAX_EACH};
use crate::source::{Beginning, SourceTag};
use memchr::{memmem, memrchr, memrchr_iter};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Most bytes of the source that are read for an element of microdata.
const MAX_PART: usize = 2048;

/// Finds links that may lead to an author.
pub(super) static AUTHOR: LazyLock<memmem::Finder> =
    LazyLock::new(|| memmem::Finder::new("author"));

/// Finds elements that are named as those of an author, in any case: `author`, `byline`, `writer`.
pub(super) static NAMED: LazyLock<[memmem::Finder; 3]> =
    LazyLock::new(|| ["uthor", "yline", "riter"].map(memmem::Finder::new));

static ITEMPROP: LazyLock<memmem::Finder> = LazyLock::new(|| memmem::Finder::new("itemprop"));

/// The joint between a text and the byline before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Joint {
    /// Other text, or no byline is before it.
    #[default]
    None,
    /// Nothing yet.
    Possible,
    /// Only such a word as `and`, or a comma.
    Joined,
}

/// Words between the names of two authors.
pub const AUTHOR_JOINERS: [&str; 19] = [
    "and", "und", "et", "y", "e", "og", "och", "ja", "en", "i", "ve", "dan", "va", "și", "и", "та",
    "و", "اور", "और",
];

/// Whether a text only joins the links to two authors.
pub(super) fn is_joiner(text: &str) -> bool {
    const SIGNS: [&str; 6] = [",", "&", "、", "，", "،", ", and"];
    SIGNS.contains(&text) || AUTHOR_JOINERS.contains(&text)
}

/// Folders of the pages of authors, in addresses: `/staff/amina-khan`.
const AUTHOR_FOLDERS: [&str; 22] = [
    "author",
    "authors",
    "autor",
    "autores",
    "autoren",
    "autori",
    "auteur",
    "auteurs",
    "avtor",
    "yazar",
    "yazarlar",
    "penulis",
    "writer",
    "writers",
    "staff",
    "editors",
    "contributor",
    "contributors",
    "columnist",
    "columnists",
    "reporter",
    "journalist",
];

/// Whether a text is that of a link to an author's page, by the folder of its address.
pub(super) fn is_linked(html: &str, at: usize) -> bool {
    let before = &html.as_bytes()[at.saturating_sub(MAX_AROUND_AUTHOR)..at];
    // A tag may be between: `<a href=...><span>`.
    let starts = memrchr_iter(b'<', before).take(2).map(|start| at - before.len() + start);
    let tags = starts.map_while(|start| match SourceTag::read(&html[start..at]) {
        Beginning::Tag(tag) if !tag.is_end => Some(tag),
        _ => None,
    });
    let mut tags = tags.filter(|tag| tag.name().eq_ignore_ascii_case("a"));
    tags.next().and_then(|tag| value(&tag, "href")).is_some_and(|href| {
        let path = href.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let (folders, name) = path.rsplit_once('/').unwrap_or_default();
        let folder = folders.rsplit('/').next().unwrap_or_default();
        is_of_author(href) || !name.is_empty() && AUTHOR_FOLDERS.contains(&folder)
    })
}

/// The names of the first elements with `itemprop=author`: of those that follow each other closely,
/// because others are authors of other articles.
pub(super) fn item_authors(html: &str) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for at in
        ITEMPROP.find_iter(html.as_bytes()).filter(|at| is_author_item(html, *at)).take(MAX_EACH)
    {
        if found.last().is_some_and(|(last, _)| at - last > MAX_BACK) {
            break;
        }
        let start = at.saturating_sub(MAX_BACK);
        let start = memrchr(b'<', &html.as_bytes()[start..at]).map(|found| start + found);
        let Some(Beginning::Tag(tag)) = start.map(|at| SourceTag::read(part(html, at))) else {
            continue;
        };
        let is_person = !value(&tag, "itemtype").is_some_and(|kind| kind.ends_with("Organization"));
        let is_review = || around(html, at, MAX_ELSEWHERE).contains("review");
        if is_person
            && !is_review()
            && !tag.name().eq_ignore_ascii_case("meta")
            && !is_elsewhere(html, at)
        {
            found.extend(item_name(html, &tag).map(|name| (at, name)));
        }
    }
    found.into_iter().map(|(_, name)| name).take(MAX_AUTHORS).collect()
}

/// Whether the attribute `itemprop` at a position has the value `author`.
fn is_author_item(html: &str, at: usize) -> bool {
    let value = html[at + "itemprop".len()..].trim_start_matches(['=', '"', '\'']);
    value.as_bytes().get(..6).is_some_and(|value| value.eq_ignore_ascii_case(b"author"))
}

/// The name of a person who is an element of microdata: its property `name`, or else its text.
fn item_name(html: &str, tag: &SourceTag<'_>) -> Option<String> {
    if let Some(content) = value(tag, "content") {
        return Some(htmlize::unescape_attribute(content).into_owned());
    }
    let behind = part(html, place(html, tag.source) + tag.source.len());
    let names = ["itemprop=\"name\"", "itemprop='name'", "itemprop=name"];
    let at = names.iter().filter_map(|name| behind.find(name)).min();
    let Some(at) = at.filter(|_| value(tag, "itemscope").is_some()) else {
        return Some(without_tags(&behind[..behind.find(&format!("</{}", tag.name()))?]));
    };
    let start = behind[..at].rfind('<')?;
    let Beginning::Tag(inner) = SourceTag::read(&behind[start..]) else { return None };
    let text = behind[start + inner.source.len()..].split("</").next().unwrap_or_default();
    let name = value(&inner, "content").unwrap_or(text);
    Some(htmlize::unescape(name).into_owned())
}

/// The source from a position on, at most [`MAX_PART`] bytes.
fn part(html: &str, at: usize) -> &str {
    let end = (at..=html.len().min(at + MAX_PART)).rfind(|end| html.is_char_boundary(*end));
    &html[at..end.unwrap_or(at)]
}

/// Returns true for the address of an author's page.
pub(super) fn is_of_author(href: &str) -> bool {
    ["/author/", "/authors/", "?author="]
        .iter()
        .any(|part| href.split_once(part).is_some_and(|(_, name)| !name.is_empty()))
}

/// Most headings that may be that of the article.
pub(super) const MAX_HEADINGS: usize = 3;

/// Most texts behind a heading that may name the author, and largest distance from it in bytes.
pub(super) const MAX_LOOKED: usize = 48;
pub(super) const MAX_BEHIND_HEADING: usize = 6000;

/// Bytes of the source before a text in which an element may be named as that of an author.
pub(super) const MAX_AROUND_AUTHOR: usize = 300;

/// The labels of `data/author-words.txt`, and whether a colon must follow, by their first letter.
static AUTHOR_LABELS: LazyLock<HashMap<char, Vec<(&str, bool)>>> = LazyLock::new(|| {
    let mut all: HashMap<char, Vec<(&str, bool)>> = HashMap::new();
    let lines = include_str!("../../data/author-words.txt").lines();
    for (language, labels) in lines.filter_map(|line| line.split_once('\t')) {
        for label in labels.split('|') {
            let first = label.chars().next().unwrap_or_default();
            all.entry(first).or_default().push((label, language.ends_with(':')));
        }
    }
    all
});

/// Signs behind a label.
const COLONS: [char; 4] = [':', '：', '՝', '/'];

/// Returns the length in bytes of the label before an author that a text begins with, in any case
/// and with the colon and spaces behind it: 3 for `By Amina Khan`. 0 if it begins with none.
pub fn author_label(text: &str) -> usize {
    let length = |(label, needs_colon): &(&str, bool)| {
        let mut chars = text.chars();
        let is_same = label.chars().all(|small| {
            chars.next().is_some_and(|c| c == small || c.to_lowercase().eq(Some(small)))
        });
        let behind = chars.as_str();
        let rest = behind.trim_start();
        let ends = rest.len() < behind.len() || rest.is_empty() || rest.starts_with(COLONS);
        (is_same && ends && (rest.starts_with(COLONS) || !needs_colon)).then(|| {
            text.len()
                - rest.trim_start_matches(|c: char| c.is_whitespace() || COLONS.contains(&c)).len()
        })
    };
    let first = text.chars().next().and_then(|first| first.to_lowercase().next());
    let labels = first.and_then(|first| AUTHOR_LABELS.get(&first)).into_iter().flatten();
    labels.filter_map(length).max().unwrap_or_default()
}

/// Returns true for a word before the name of an author, in any case.
pub fn is_before_author(word: &str) -> bool {
    !word.is_empty() && author_label(word) == word.len()
}
