//! Recognises UTF-8 that was read as windows-1252 and encoded again: `cafÃ©` for `café`.
//!
//! The characters of such a text are the bytes of the right one. Some pairs of them occur in right
//! text too: `Ã”` ends a quotation in capitals in Portuguese, and `é »` one in French. So a
//! sequence is certain only if no orthography has it: a capital directly after a small letter, a
//! sign between letters, a control character, or several letters of another script in a row. The
//! other sequences are repaired if the page has enough certain ones, and hardly a letter beyond
//! ASCII that is in no sequence.

use crate::repair::with_parts;
use std::ops::Range;
use unicode_general_category::{get_general_category, GeneralCategory};

/// Certain sequences from which the others of the page are repaired too.
const MIN_CERTAIN: usize = 3;

/// The characters of the bytes 80 to 9F in windows-1252.
pub(crate) const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Returns false if a text has no character that may begin a sequence, with another beyond ASCII
/// behind it. This is fast, as nearly all pages end here.
pub(crate) fn may_be_in(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_begin = |at: usize| {
        // The characters from U+00C2 to U+00F4, then one that a byte from 80 to BF stands for.
        matches!(bytes.get(at + 1), Some(0x82..=0xb4))
            && matches!(bytes.get(at + 2), Some(0xc2 | 0xc5 | 0xc6 | 0xcb | 0xe2))
    };
    memchr::memchr_iter(0xc3, bytes).any(is_begin)
}

/// The byte that a character stands for.
fn byte_of(c: char) -> Option<u8> {
    match u32::from(c) {
        code @ 0x80..=0xff => u8::try_from(code).ok(),
        0x100.. => HIGH.iter().position(|high| *high == c).map(|at| 0x80 + at as u8),
        _ => None,
    }
}

/// The character that the first characters of a text are the bytes of, and their length.
fn sequence(text: &str) -> Option<(char, usize)> {
    let mut characters = text.chars();
    let first = byte_of(characters.next()?)?;
    let count = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let mut bytes = [first, 0, 0, 0];
    for byte in &mut bytes[1..count] {
        *byte = byte_of(characters.next()?)?;
    }
    let c = std::str::from_utf8(&bytes[..count]).ok()?.chars().next()?;
    use GeneralCategory::{Control, PrivateUse, Unassigned};
    let is_text = !matches!(get_general_category(c), Control | PrivateUse | Unassigned);
    is_text.then(|| (c, text.len() - characters.as_str().len()))
}

/// Returns true for letters and marks beyond Latin. Samaritan is none: its bytes begin with `à` and
/// a no-break space.
fn is_of_other_script(c: char) -> bool {
    use GeneralCategory::{NonspacingMark, SpacingMark};
    c >= '\u{370}'
        && !matches!(c, '\u{800}'..='\u{83f}' | '\u{1e00}'..='\u{1eff}')
        && (c.is_alphabetic() || matches!(get_general_category(c), NonspacingMark | SpacingMark))
}

/// The number of sequences at the beginning of a text that are letters of other scripts, up to
/// `most`.
fn letters_of_other_scripts(text: &str, most: usize) -> usize {
    let mut rest = text;
    let next = || {
        let (c, length) = sequence(rest)?;
        rest = &rest[length..];
        is_of_other_script(c).then_some(())
    };
    std::iter::from_fn(next).take(most).count()
}

/// A sequence of characters with its neighbours.
struct Place<'a> {
    /// The character before it, repaired if that is certain.
    before: Option<char>,
    /// The number of letters of other scripts directly before it.
    joined: usize,
    raw: &'a str,
    c: char,
    after: &'a str,
}

impl Place<'_> {
    fn is_certain(&self) -> bool {
        if is_of_other_script(self.c) {
            // A small letter and two signs, twice, may be words and quotes.
            let least = if self.raw.chars().count() > 2 { 3 } else { 2 };
            return self.joined + 1 + letters_of_other_scripts(self.after, least) >= least;
        }
        let second = self.raw.chars().nth(1).unwrap_or_default();
        if self.raw.chars().any(char::is_control) || self.raw.starts_with("â€") {
            return true;
        }
        let is_latin_letter = self.c.is_alphabetic() && self.c >= '\u{c0}';
        let is_small = |c: Option<char>| c.is_some_and(char::is_lowercase);
        let begins_large = self.raw.starts_with(char::is_uppercase);
        let is_sign_within = !matches!(second, '«' | '»' | '\u{a0}' | '\u{2010}'..='\u{2026}')
            && !second.is_alphabetic();
        is_latin_letter
            && (begins_large && self.c.is_lowercase() && is_small(self.before)
                || is_sign_within && is_small(self.after.chars().next()))
    }
}

/// Counts of the sequences of a page.
#[derive(Default)]
struct Counts {
    certain: usize,
    uncertain: usize,
    /// Letters that sequences consist of, outside of any.
    others: usize,
}

/// Calls `each` for every sequence of a text, with its position and whether it is certain. Returns
/// the number of letters outside of any.
fn for_each(text: &str, mut each: impl FnMut(usize, &Place<'_>, bool)) -> usize {
    let (mut at, mut others) = (0, 0);
    let (mut before, mut joined) = (None, 0);
    while let Some(c) = text[at..].chars().next() {
        let found = if c.is_ascii() { None } else { sequence(&text[at..]) };
        let Some((meant, length)) = found else {
            others += usize::from(('\u{c0}'..='\u{ff}').contains(&c));
            (before, joined) = (Some(c), 0);
            at += c.len_utf8();
            continue;
        };
        let (raw, after) = text[at..].split_at(length);
        let place = Place { before, joined, raw, c: meant, after };
        let is_certain = place.is_certain();
        each(at, &place, is_certain);
        before = if is_certain { Some(meant) } else { raw.chars().next_back() };
        joined = if is_of_other_script(meant) { joined + 1 } else { 0 };
        at += length;
    }
    others
}

/// Repairs the texts of a page. `None` if nothing is certain.
pub(crate) fn repaired(page: &str, texts: &[Range<usize>]) -> Option<String> {
    let mut counts = Counts::default();
    for text in texts {
        let others = for_each(&page[text.clone()], |_, _, is_certain| {
            if is_certain {
                counts.certain += 1;
            } else {
                counts.uncertain += 1;
            }
        });
        counts.others += others;
    }
    if counts.certain == 0 {
        return None;
    }
    let all =
        counts.certain >= MIN_CERTAIN && counts.others * 10 <= counts.certain + counts.uncertain;
    Some(with_parts(page, texts, |text, out| {
        let mut done = 0;
        for_each(text, |at, place, is_certain| {
            if all || is_certain {
                out.push_str(&text[done..at]);
                out.push(place.c);
                done = at + place.raw.len();
            }
        });
        out.push_str(&text[done..]);
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::WINDOWS_1252;
    use proptest::prelude::*;

    fn twice(text: &str) -> String {
        WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned()
    }

    fn repair(text: &str) -> Option<String> {
        let all = 0..text.len();
        may_be_in(text).then(|| repaired(text, &[all]))?
    }

    #[test]
    fn text_of_any_script_that_was_encoded_twice_is_restored() {
        for text in [
            "Le vieux café près de l’église est fermé à midi.",
            "Die Mühle über dem Fluß – schön grün.",
            "Příliš mnoho žáků přišlo včera večer.",
            "یہ ایک چھوٹی سی کتاب ہے۔",
            "Старая мельница у озера.",
            "एक छोटी किताब है।",
            "Cối xay gió cũ đã trở thành bảo tàng.",
            "古い駅の待合室は図書館になりました。",
            "ዛሬ ዝናብ ነው።",
            "José",
            "“Quoted” text…",
        ] {
            assert_eq!(repair(&twice(text)).as_deref(), Some(text));
            assert_eq!(repair(text), None, "right text stays");
        }
    }

    #[test]
    fn what_right_text_may_have_stays() {
        for text in [
            "«\u{a0}La liberté\u{a0}», dit-il, va à\u{a0}«\u{a0}demain\u{a0}».",
            "DISSE “QUE NÃO É CAMPEÃ”. AMANHÃ… «IRMÃ»",
            "The letters Ã© and Â£ show that a page was read wrongly.",
            "Åse og Øyvind i Ålesund; ß und §; Ä°",
            "Ã",
            "è¿",
        ] {
            assert_eq!(repair(text), None, "{text}");
        }
    }

    #[test]
    fn only_the_wrong_part_of_a_page_changes() {
        let text = format!("Été à Évry: {} « déjà »", twice("les élèves"));
        assert_eq!(repair(&text).as_deref(), Some("Été à Évry: les élèves « déjà »"));
    }

    proptest! {
        #[test]
        fn text_without_sequences_is_untouched(text in any::<String>()) {
            let mut any = false;
            for_each(&text, |_, _, _| any = true);
            if !any {
                prop_assert_eq!(repair(&text), None);
            }
        }

        #[test]
        fn words_encoded_twice_are_restored(text in "[а-яёА-Я]{2,8}( [а-яё]{2,8}){3,9}") {
            let restored = repair(&twice(&text));
            prop_assert_eq!(restored, Some(text));
        }
    }
}
