//! Repairs text that was damaged before it was encoded: UTF-8 that was read as windows-1252 and
//! encoded again, windows-1252 that was read as ISO 8859-1, entities that were escaped twice, and
//! Burmese in the font encoding Zawgyi.
//!
//! Only the text between tags changes, and only where the result is certain. Tags stay, because a
//! link may lead to an address that is spelled so. Code stays too: pages explain entities there.

use crate::double_encoded::{self, HIGH};
use crate::forms;
use crate::zawgyi;
use memchr::memmem;
use std::borrow::Cow;
use std::ops::Range;

/// How often text may have been encoded again.
const MAX_TIMES: usize = 3;

/// Least bytes of a text for each of its control characters if they stand for signs.
const MIN_BYTES: usize = 6;

/// Elements whose content is not repaired.
const VERBATIM: [&str; 9] =
    ["script", "style", "pre", "code", "kbd", "samp", "tt", "textarea", "xmp"];

/// A repaired text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired<'a> {
    /// The text, borrowed if nothing was repaired.
    pub text: Cow<'a, str>,
    /// True if Burmese was converted from Zawgyi.
    pub was_zawgyi: bool,
}

/// Repairs the text of a page in HTML. Time is linear in its length.
pub fn repair(html: Cow<'_, str>) -> Repaired<'_> {
    repair_parts(html, texts)
}

/// Repairs plain text.
pub fn repair_plain(text: Cow<'_, str>) -> Repaired<'_> {
    repair_parts(text, |text| {
        let all = 0..text.len();
        vec![all]
    })
}

fn repair_parts(text: Cow<'_, str>, texts: fn(&str) -> Vec<Range<usize>>) -> Repaired<'_> {
    let mut text = text;
    let mut change = |change: &dyn Fn(&str) -> Option<String>| {
        let changed = change(&text);
        let is_changed = changed.is_some();
        text = changed.map_or_else(|| std::mem::take(&mut text), Cow::Owned);
        is_changed
    };
    for _ in 0..MAX_TIMES {
        if !change(&|text| {
            double_encoded::may_be_in(text).then(|| double_encoded::repaired(text, &texts(text)))?
        }) {
            break;
        }
    }
    change(&|text| has_controls(text).then(|| with_signs(text, &texts(text)))?);
    change(&|text| is_escaped_twice_anywhere(text).then(|| unescaped_once(text, &texts(text)))?);
    change(&|text| forms::may_be_in(text).then(|| forms::with_letters(text, &texts(text)))?);
    let was_zawgyi =
        change(&|text| zawgyi::may_be_in(text).then(|| zawgyi::converted(text, &texts(text)))?);
    Repaired { text, was_zawgyi }
}

/// Writes a text with some of its parts replaced.
pub(crate) fn with_parts(
    text: &str,
    parts: &[Range<usize>],
    mut write: impl FnMut(&str, &mut String),
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for part in parts {
        out.push_str(&text[at..part.start]);
        write(&text[part.clone()], &mut out);
        at = part.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The texts between the tags of a page, without those of [`VERBATIM`] elements.
fn texts(html: &str) -> Vec<Range<usize>> {
    let (mut texts, mut at) = (Vec::new(), 0);
    loop {
        let end = tag_from(html, at).unwrap_or(html.len());
        if end > at {
            texts.push(at..end);
        }
        if end == html.len() {
            return texts;
        }
        at = behind_tag(html, end);
    }
}

/// The position of the next tag or comment.
fn tag_from(html: &str, from: usize) -> Option<usize> {
    let bytes = html.as_bytes();
    let is_tag = |at: &usize| {
        bytes
            .get(at + 1)
            .is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?'))
    };
    memchr::memchr_iter(b'<', &bytes[from..]).map(|at| from + at).find(is_tag)
}

/// The position after a tag, and after the content of an element that is not repaired.
fn behind_tag(html: &str, start: usize) -> usize {
    let rest = &html[start..];
    let end = if rest.starts_with("<!--") { rest.find("-->") } else { rest.find('>') };
    let behind = end.map_or(html.len(), |end| start + end + 1);
    let name = &rest[1..];
    let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())];
    let Some(verbatim) = VERBATIM.iter().find(|verbatim| name.eq_ignore_ascii_case(verbatim))
    else {
        return behind;
    };
    let ends = |at: &usize| {
        let end = html.as_bytes().get(at + 2..at + 2 + verbatim.len());
        end.is_some_and(|end| end.eq_ignore_ascii_case(verbatim.as_bytes()))
    };
    memmem::find_iter(&html.as_bytes()[behind..], "</")
        .map(|at| behind + at)
        .find(ends)
        .unwrap_or(html.len())
}

/// Returns true if a text has control characters from U+0080 to U+009F, but not so many that it is
/// no prose.
fn has_controls(text: &str) -> bool {
    let next = |at: &usize| text.as_bytes().get(at + 1);
    let is_control = |at: &usize| matches!(next(at), Some(0x80..=0x9f));
    let count = memchr::memchr_iter(0xc2, text.as_bytes()).filter(is_control).count();
    count > 0 && count <= text.len() / MIN_BYTES
}

/// Writes the characters of windows-1252 for control characters, as browsers do for references
/// such as `&#146;`: a program has read the text in ISO 8859-1. `None` if there is none.
fn with_signs(html: &str, texts: &[Range<usize>]) -> Option<String> {
    let mut repaired = 0;
    let out = with_parts(html, texts, |text, out| {
        let mut before = None;
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            let sign = sign(before, c, characters.peek().copied());
            repaired += usize::from(sign.is_some());
            out.push(sign.unwrap_or(c));
            before = Some(c);
        }
    });
    (repaired > 0).then_some(out)
}

/// The character of windows-1252 for a control character between two others. The signs are those
/// of other Windows encodings too, and the letters of windows-1250, except the ligature.
fn sign(before: Option<char>, c: char, after: Option<char>) -> Option<char> {
    let sign = HIGH.get((c as usize).checked_sub(0x80)?)?;
    let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && c < '\u{250}');
    let is_certain = match sign {
        '€' => !is_latin(before) && !is_latin(after),
        'Š' | 'Ž' | 'š' | 'ž' => is_latin(before) || is_latin(after),
        'Œ' | 'œ' => matches!(after, Some('u' | 'i' | 'U' | 'I')),
        'ƒ' | 'ˆ' | '˜' | 'Ÿ' => false,
        sign => !sign.is_control(),
    };
    is_certain.then_some(*sign)
}

/// An ampersand that was escaped.
const AMPERSAND: &str = "&amp;";

/// Longest reference to a character, from its name on.
const MAX_REFERENCE: usize = 12;

/// Returns true if a page has a reference to a character whose ampersand is escaped.
fn is_escaped_twice_anywhere(html: &str) -> bool {
    let ampersands = memmem::find_iter(html.as_bytes(), AMPERSAND);
    ampersands.into_iter().any(|at| reference(&html[at + AMPERSAND.len()..]).is_some())
}

/// The character that a reference without its ampersand (`eacute;`) stands for, and its length.
pub(crate) fn reference(rest: &str) -> Option<(char, usize)> {
    let head = rest.as_bytes();
    let end =
        head.iter().take(MAX_REFERENCE).position(|b| !b.is_ascii_alphanumeric() && *b != b'#')?;
    if head[end] != b';' || end == 0 {
        return None;
    }
    let text = htmlize::unescape(format!("&{}", &rest[..=end])).into_owned();
    let mut characters = text.chars();
    let c = characters.next().filter(|_| characters.next().is_none())?;
    Some((c, end + 1))
}

/// Removes one of two escapes in the texts, where a letter stands directly beside the reference:
/// `caf&amp;eacute;`. A page that explains `&amp;eacute;` has spaces around it. `None` if there is
/// none.
fn unescaped_once(html: &str, texts: &[Range<usize>]) -> Option<String> {
    let mut repaired = 0;
    let out = with_parts(html, texts, |text, out| {
        let mut done = 0;
        // The last reference: its character and its end.
        let mut last = (' ', 0);
        for at in memmem::find_iter(text.as_bytes(), AMPERSAND) {
            let name = at + AMPERSAND.len();
            let Some((c, length)) = reference(&text[name..]) else { continue };
            let before =
                if at > 0 && at == last.1 { Some(last.0) } else { text[..at].chars().next_back() };
            let after = &text[name + length..];
            if is_certain(before, c, after) {
                out.push_str(&text[done..=at]);
                done = name;
                repaired += 1;
            }
            last = (c, name + length);
        }
        out.push_str(&text[done..]);
    });
    (repaired > 0).then_some(out)
}

/// Returns true if a reference to a character between these was certainly meant as the character.
fn is_certain(before: Option<char>, c: char, after: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic();
    let next = match after.strip_prefix(AMPERSAND).and_then(reference) {
        Some((next, _)) => Some(next),
        None => after.chars().next().filter(|next| *next != '&'),
    };
    let (before, next) = (before.is_some_and(is_letter), next.is_some_and(is_letter));
    match c {
        // Code in running text, most likely.
        '<' | '>' => false,
        // Not between the parameters of an address.
        '&' => before && next && !after.trim_start_matches(char::is_alphanumeric).starts_with('='),
        '\u{a0}' => before && next,
        _ if c.is_alphabetic() || !c.is_ascii() || matches!(c, '\'' | '"') => before || next,
        _ => before && next,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn repaired(html: &str) -> String {
        repair(Cow::Borrowed(html)).text.into_owned()
    }

    #[test]
    fn a_reference_beside_a_letter_is_unescaped() {
        for (html, expected) in [
            ("<p>un caf&amp;eacute; noir", "<p>un caf&eacute; noir"),
            ("&amp;Eacute;cole", "&Eacute;cole"),
            ("<b>l&amp;#39;eau</b>", "<b>l&#39;eau</b>"),
            ("l&amp;rsquo;&amp;eacute;t&amp;eacute;", "l&rsquo;&eacute;t&eacute;"),
            ("&amp;#1605;&amp;#1585;&amp;#x62d;", "&#1605;&#1585;&#x62d;"),
            ("B&amp;amp;B", "B&amp;B"),
            ("mot&amp;nbsp;mot", "mot&nbsp;mot"),
        ] {
            assert_eq!(repaired(html), expected);
        }
    }

    #[test]
    fn control_characters_become_the_signs_of_windows_1252() {
        for (html, expected) in [
            (
                "<p>we\u{92}ve seen \u{93}oaks\u{94} \u{96} and elms\u{85}",
                "<p>we’ve seen “oaks” – and elms…",
            ),
            (
                "\u{8a}koda costs \u{80}5 for a s\u{9c}ur, ря\u{97}ря",
                "Škoda costs €5 for a sœur, ря—ря",
            ),
            (
                "kto\u{9c} a\u{80}b and \u{81} or ря\u{9a}",
                "kto\u{9c} a\u{80}b and \u{81} or ря\u{9a}",
            ),
            ("<b title=\"\u{92}\">", "<b title=\"\u{92}\">"),
            ("\u{92}\u{93}", "\u{92}\u{93}"),
        ] {
            assert_eq!(repaired(html), expected);
        }
    }

    #[test]
    fn presentation_forms_become_letters() {
        assert_eq!(
            repaired("<p title=\"ﬁ\">ﬁn \u{fee3}\u{feae}\u{fea3}\u{fe92}\u{fe8e} ب\u{fefc}"),
            "<p title=\"ﬁ\">fin مرحبا بلا"
        );
        assert_eq!(repaired("\u{fdfa} \u{fd3e}"), "\u{fdfa} \u{fd3e}");
    }

    #[test]
    fn explained_references_code_and_addresses_stay() {
        for html in [
            "Write &amp;eacute; for the letter, &amp;nbsp; for a space and &amp;amp; for the sign.",
            "<code>caf&amp;eacute;</code><pre>a&amp;eacute;</pre>",
            "<a href=\"?a&amp;eacute;b\">x</a>",
            "if a&amp;lt;b then",
            "at ?a=b&amp;amp;c=d",
            "you &amp; me; R&amp;D; AT&amp;T",
            "<!-- caf&amp;eacute; -->",
        ] {
            assert!(matches!(repair(Cow::Borrowed(html)).text, Cow::Borrowed(_)), "{html}");
        }
    }

    proptest! {
        #[test]
        fn the_texts_of_a_page_are_all_of_it_but_tags(html in "(<p>|<b |>|a|&amp;|é|<!--|-->|</code>|<code>|<|\"){0,20}") {
            let texts = texts(&html);
            prop_assert!(texts.windows(2).all(|two| two[0].end <= two[1].start));
            let same = with_parts(&html, &texts, |text, out| out.push_str(text));
            prop_assert_eq!(same, html);
        }

        #[test]
        fn words_and_signs_stay(text in "((à|a|[a-zéèàçâ]{2,4}|cœur|[A-ZÉÀÂÃÇ]{1,5}|É[a-zé]{1,4})[ .,…»«’“”\u{a0}-]{1,2}){0,12}") {
            let same = repaired(&text);
            prop_assert_eq!(same, text);
        }
    }
}
