//! The surroundings of a place in the source: names of elements, texts, and whether it belongs to
//! something else than the article.

use super::MAX_TEXT;
use crate::source::{Beginning, SourceTag};
use crate::tags::{Tag, EMPTY};
use memchr::memrchr;

/// Largest number of bytes that are read backwards for the names around a text.
pub(super) const MAX_BACK: usize = 600;

/// Returns the text before a date that may be its label: behind the last sentence or number.
pub(super) fn label_before(html: &str, at: usize) -> String {
    let before = text_before(html, at, MAX_LABEL);
    let ends = |c: char| c.is_numeric() || matches!(c, '.' | '!' | '?' | '|' | '۔' | '।' | '。');
    before.rsplit(ends).next().unwrap_or_default().trim().to_owned()
}

/// Bytes of the source in which the label of a date or an author is searched.
pub(super) const MAX_LABEL: usize = 160;

/// The text within some bytes of the source before a position, without tags.
pub(super) fn text_before(html: &str, at: usize, most: usize) -> String {
    let mut start = at.saturating_sub(most);
    while !html.is_char_boundary(start) {
        start += 1;
    }
    let part = html.get(start..at).unwrap_or_default();
    // A tag that begins before the part.
    let part = match (part.find('>'), part.find('<')) {
        (Some(end), Some(begin)) if end < begin => &part[end + 1..],
        (Some(end), None) => &part[end + 1..],
        _ => part,
    };
    without_tags(part)
}

/// The text within some bytes of the source behind a position, without tags, up to the end of its
/// block.
pub(super) fn text_behind(html: &str, at: usize, most: usize) -> String {
    let mut end = html.len().min(at + most);
    while !html.is_char_boundary(end) {
        end -= 1;
    }
    let part = html.get(at..end).unwrap_or_default();
    let end = part.match_indices('<').map(|(at, _)| at).find(|at| is_end(&part[at + 1..]));
    without_tags(&part[..end.unwrap_or(part.len())])
}

/// End tags behind which a text has nothing to do with the one before.
const ENDS: [&str; 12] = [
    "/h1", "/h2", "/h3", "/h4", "/p", "/ul", "/ol", "/nav", "/table", "/script", "/style",
    "/article",
];

/// Whether what follows a `<` is such an end tag.
fn is_end(tag: &str) -> bool {
    let name = tag.split(['>', ' ']).next().unwrap_or_default();
    ENDS.iter().any(|end| name.eq_ignore_ascii_case(end))
}

/// The words of a part of the source.
pub(super) fn without_tags(part: &str) -> String {
    let mut text = String::new();
    let mut pieces = part.split('<');
    text.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        if is_end(piece) {
            text.clear();
        }
        text.push(' ');
        text.push_str(piece.split_once('>').map_or("", |(_, text)| text));
    }
    let text = htmlize::unescape(text.as_str());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value of an attribute as written.
pub(super) fn value<'h>(tag: &SourceTag<'h>, name: &str) -> Option<&'h str> {
    tag.attributes().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Values of the attributes that name an element, in lower case.
pub(super) fn names(tag: &SourceTag<'_>) -> String {
    let mut names = String::new();
    for (attribute, value) in tag.attributes() {
        let is = |other: &str| attribute.eq_ignore_ascii_case(other);
        if is("class") || is("id") || is("itemprop") || is("itemtype") || is("pubdate") {
            if is("pubdate") {
                names.push_str("pubdate ");
            }
            names.extend(value.chars().take(MAX_TEXT).map(|c| c.to_ascii_lowercase()));
            names.push(' ');
        }
    }
    names
}

/// Position of a part of the source in it; 0 if it is no part of it.
pub(crate) fn place(html: &str, part: &str) -> usize {
    (part.as_ptr() as usize)
        .checked_sub(html.as_ptr() as usize)
        .filter(|at| *at <= html.len())
        .unwrap_or(0)
}

/// Names of the elements around a position and their classes, innermost first. Tags are read
/// backwards; an element that ended before the position is skipped. `most` is the number of
/// elements; the body is none of them.
pub(super) fn around(html: &str, at: usize, most: usize) -> String {
    let mut found = String::new();
    let bytes = html.as_bytes();
    let least = at.saturating_sub(MAX_BACK);
    let (mut end, mut closed, mut elements) = (at, 0u32, 0);
    while let Some(start) = memrchr(b'<', &bytes[least..end]).map(|start| least + start) {
        end = start;
        let Beginning::Tag(tag) = SourceTag::read(&html[start..at]) else { continue };
        let kind = Tag::of(tag.name());
        if kind.is(EMPTY) || tag.is_self_closing {
            continue;
        }
        if tag.is_end {
            closed += 1;
            continue;
        }
        if closed > 0 {
            closed -= 1;
            continue;
        }
        if tag.name().eq_ignore_ascii_case("body") {
            break;
        }
        found.push_str(&tag.name().to_ascii_lowercase());
        found.push(' ');
        found.push_str(&names(&tag));
        elements += 1;
        if elements == most {
            break;
        }
    }
    found
}

/// Beginnings of names of elements that have dates and authors of something else.
const ELSEWHERE: [&str; 12] = [
    "comment",
    "related",
    "event",
    "recommend",
    "recent",
    "popular",
    "upcoming",
    "sidebar",
    "infobox",
    "when",
    "deadline",
    "more-",
];

/// Parts of names of elements that have the day or the author of the article beside it.
const OF_ARTICLE: [&str; 4] = ["meta", "date", "author", "byline"];

/// Parts of short headings of such sections.
const ELSEWHERE_HEADINGS: [&str; 14] = [
    "event",
    "upcoming",
    "related",
    "also like",
    "comments",
    "read more",
    "read also",
    "popular",
    "see also",
    "more news",
    "veranstaltungen",
    "termine",
    "mehr zum thema",
    "mehr lesen",
];

/// Largest number of elements around a text that may be part of something else, and most words of
/// the heading of such a section.
pub(super) const MAX_ELSEWHERE: usize = 6;
const MAX_HEADING: usize = 4;

/// Whether a position is in comments, other articles, events, a menu or the footer of the site.
pub(super) fn is_elsewhere(html: &str, at: usize) -> bool {
    let names = around(html, at, MAX_ELSEWHERE);
    let mut is_footer = false;
    for name in names.split_ascii_whitespace() {
        match name {
            // A footer or an aside in an article may have the day of the article.
            "article" => is_footer = false,
            "footer" | "aside" => is_footer = !OF_ARTICLE.iter().any(|name| names.contains(name)),
            "nav" | "more" => return true,
            _ if name.ends_with("event")
                || ELSEWHERE.iter().any(|other| name.starts_with(other)) =>
            {
                return true
            }
            _ => {}
        }
    }
    is_footer
        || heading_before(html, at)
            .is_some_and(|heading| ELSEWHERE_HEADINGS.iter().any(|other| heading.contains(other)))
}

/// The text of the last `h2` to `h4` before a position, in lower case, if it is near and short and
/// its section has not ended.
fn heading_before(html: &str, at: usize) -> Option<String> {
    let mut least = at.saturating_sub(MAX_BACK);
    while !html.is_char_boundary(least) {
        least += 1;
    }
    let part = html.get(least..at)?;
    let end = ["</h1", "</h2", "</h3", "</h4"].iter().filter_map(|tag| part.rfind(tag)).max()?;
    let start = part[..end].rfind(&format!("<{}", &part[end + 2..end + 4]))?;
    let count = |tags: [&str; 2]| tags.iter().map(|tag| part[end..].matches(tag).count()).sum();
    let (opened, closed): (usize, usize) =
        (count(["<div", "<section"]), count(["</div", "</section"]));
    let text = without_tags(&part[start..end]).to_lowercase();
    let is_section = !part[end..].starts_with("</h1") && closed <= opened;
    (is_section && text.split(' ').count() <= MAX_HEADING).then_some(text)
}
