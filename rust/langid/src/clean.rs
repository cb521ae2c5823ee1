//! The one cleaning of text, for all that counts, prints or compares it.
//!
//! Records hold what a browser shows, to the character. [`clean`] is what words, sentences,
//! duplicates and quality are made of: text in which invisible differences are gone. [`comparable`]
//! removes differences that readers do not see as such; it is compared and never printed.

use std::borrow::Cow;
use unicode_normalization::{is_nfc_quick, IsNormalized, UnicodeNormalization};

const SOFT_HYPHEN: char = '\u{ad}';
const ZERO_WIDTH_SPACE: char = '\u{200b}';
const WORD_JOINER: char = '\u{2060}';
const BYTE_ORDER_MARK: char = '\u{feff}';
const LEFT_OVERRIDE: char = '\u{202d}';
const RIGHT_OVERRIDE: char = '\u{202e}';

/// Returns a text in NFC, with letters for presentation forms, and without soft hyphens, zero-width
/// spaces and joiners of words, byte order marks, and bidi controls that do nothing. ZWNJ and ZWJ
/// stay: they are part of the spelling in Persian, Kurdish, Malayalam and other languages. A
/// zero-width space stays between two letters of Thai, Lao, Khmer, Burmese or Tibetan, where it is
/// the border of a word. Time is linear in the text.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let is_plain = !text.chars().any(is_special) && is_nfc_quick(text.chars()) == IsNormalized::Yes;
    if is_plain {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        without_signs(line, &mut cleaned);
    }
    let normal: String = cleaned.nfc().collect();
    if normal == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(normal)
    }
}

/// [`clean`] of a text of one's own.
pub fn cleaned(text: String) -> String {
    match clean(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(cleaned) => cleaned,
    }
}

/// Returns the form of a text by which it is compared: [`clean`], without bidi controls, joiners,
/// zero-width spaces, tatweel and Arabic vowel signs, with one form of the Arabic letters yeh and
/// kaf and of the apostrophe. Case, digits and punctuation make a difference.
pub fn comparable(text: &str) -> Cow<'_, str> {
    let is_folded = |c: char| folded(c) != Some(c);
    let text = clean(text);
    if !text.contains(is_folded) {
        return text;
    }
    // Letter and accent may have been apart.
    Cow::Owned(text.chars().filter_map(folded).nfc().collect())
}

/// The form of a character that is compared; `None` for one that makes no difference.
fn folded(c: char) -> Option<char> {
    match c {
        _ if c.is_ascii_alphanumeric() || c == ' ' => Some(c),
        '\u{640}' | '\u{200c}' | '\u{200d}' | ZERO_WIDTH_SPACE => None,
        _ if is_vowel_sign(c) || direction_of_control(c).is_some() => None,
        _ if is_apostrophe(c) => Some('\''),
        _ => Some(one_form(c)),
    }
}

/// Returns whether a character is an Arabic vowel sign, which is optional in writing.
pub fn is_vowel_sign(c: char) -> bool {
    matches!(c, '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Returns whether a character is used as an apostrophe.
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{2bb}' | '\u{2bc}' | '\u{2b9}' | '`' | '\u{b4}')
}

/// Returns the Persian form of the Arabic letters yeh and kaf, which are used for each other, and
/// any other character as it is.
pub(crate) fn one_form(c: char) -> char {
    match c {
        'ي' | 'ى' => 'ی',
        'ك' => 'ک',
        _ => c,
    }
}

/// Returns whether a character is a form of one or several letters, such as old programs and text
/// from PDFs have: Latin `ﬁ`, Armenian, Hebrew, Arabic `ﻼ`. Signs of whole phrases stay.
fn is_form(c: char) -> bool {
    matches!(c, '\u{fb00}'..='\u{fb06}' | '\u{fb13}'..='\u{fb17}' | '\u{fb1d}'..='\u{fb28}'
        | '\u{fb2a}'..='\u{fdc7}' | '\u{fe70}'..='\u{fefc}')
        && !matches!(c, '\u{fd3e}'..='\u{fd4f}')
}

/// The direction that a bidi control has; `None` for another character. Ends of embeddings and
/// isolates have none of their own.
fn direction_of_control(c: char) -> Option<Direction> {
    Some(match c {
        '\u{200e}' | '\u{202a}' | LEFT_OVERRIDE | '\u{2066}' => Direction::Left,
        '\u{200f}' | '\u{61c}' | '\u{202b}' | RIGHT_OVERRIDE | '\u{2067}' => Direction::Right,
        '\u{202c}' | '\u{2068}' | '\u{2069}' => Direction::None,
        _ => return None,
    })
}

/// Direction of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Left,
    Right,
    None,
}

/// The direction of a letter.
fn direction(c: char) -> Direction {
    match c {
        '\u{590}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}'
            if c.is_alphabetic() =>
        {
            Direction::Right
        }
        _ if c.is_alphabetic() => Direction::Left,
        _ => Direction::None,
    }
}

/// Returns whether a character may be removed or replaced.
fn is_special(c: char) -> bool {
    is_form(c) || !is_seen(c)
}

/// Returns false for the characters that may be removed.
fn is_seen(c: char) -> bool {
    !matches!(c, SOFT_HYPHEN | ZERO_WIDTH_SPACE | WORD_JOINER | BYTE_ORDER_MARK)
        && direction_of_control(c).is_none()
}

/// Returns whether a letter is of a script in which a zero-width space separates words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Appends a line without the signs that do nothing.
fn without_signs(line: &str, out: &mut String) {
    let has = |wanted: Direction| line.chars().any(|c| direction(c) == wanted);
    let (left, right) = (has(Direction::Left), has(Direction::Right));
    let is_turned = left && line.contains(RIGHT_OVERRIDE) || right && line.contains(LEFT_OVERRIDE);
    let is_mixed = left && right || is_turned;
    // The character that is seen next, for each character.
    let mut ahead = Vec::with_capacity(line.len());
    let mut next = ' ';
    for c in line.chars().rev() {
        ahead.push(next);
        next = if is_seen(c) { c } else { next };
    }
    let mut before = ' ';
    for (c, next) in line.chars().zip(ahead.into_iter().rev()) {
        let is_kept = match (c, direction_of_control(c)) {
            (SOFT_HYPHEN | WORD_JOINER | BYTE_ORDER_MARK, _) => false,
            (ZERO_WIDTH_SPACE, _) => is_unspaced(before) && is_unspaced(next),
            // An override turns letters of the other direction round.
            (LEFT_OVERRIDE, _) => right,
            (RIGHT_OVERRIDE, _) => left,
            ('\u{200e}' | '\u{200f}' | '\u{61c}', Some(own)) => {
                is_mixed && direction(before) != own && direction(next) != own
            }
            // Embeddings and isolates do nothing where all letters go the same way.
            (_, Some(_)) => is_mixed,
            _ => true,
        };
        if is_form(c) {
            out.extend(std::iter::once(c).nfkc());
        } else if is_kept {
            out.push(c);
        }
        before = if is_seen(c) { c } else { before };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_invisible_goes() {
        for (text, expected) in [
            ("to\u{302}i", "tôi"),
            ("extra\u{ad}ordi\u{ad}nary", "extraordinary"),
            ("a\u{200b}b\u{feff}c\u{2060}d", "abcd"),
            ("\u{feff}یہ کتاب", "یہ کتاب"),
            ("یہ\u{200f} کتاب\u{200f}۔\u{200f}", "یہ کتاب۔"),
            ("\u{202b}یہ کتاب\u{202c}", "یہ کتاب"),
            ("\u{fee3}\u{feae}\u{fea3}\u{fe92}\u{fe8e} ﬁn", "مرحبا fin"),
            ("\u{fb4f}", "אל"),
        ] {
            assert_eq!(clean(text), expected);
        }
    }

    #[test]
    fn what_belongs_to_the_spelling_stays() {
        for text in [
            "می\u{200c}روم",
            "ക്\u{200d}ഷ",
            "ភាសា\u{200b}ខ្មែរ",
            "\u{202e}turned round\u{202c}",
            "یہ C++\u{200f}! ہے",
            "\u{2067}یہ\u{2069} is mixed",
            "كتـــاب",
            "\u{fdfa}",
        ] {
            assert!(matches!(clean(text), Cow::Borrowed(_)), "{text:?}: {:?}", clean(text));
        }
    }

    #[test]
    fn spellings_that_look_alike_compare_equal() {
        for (one, other) in [
            ("tôi", "to\u{302}i"),
            ("كي", "کی"),
            ("كتـــاب", "کتاب"),
            ("می\u{200c}روم", "میروم"),
            ("كَتَبَ", "كتب"),
            ("don’t", "don't"),
            ("ភាសា\u{200b}ខ្មែរ", "ភាសាខ្មែរ"),
        ] {
            assert_eq!(comparable(one), comparable(other));
        }
        for (one, other) in [("कि", "की"), ("a 1", "a 2"), ("Zug", "zug"), ("é", "e")] {
            assert_ne!(comparable(one), comparable(other));
        }
    }

    proptest! {
        #[test]
        fn clean_text_is_clean(text in "[a\u{e9}e\u{301}\u{ad}\u{200b}\u{200c}\u{200f}\u{202b}\u{202c}یكـ\u{fe8e}\u{fefc}ขก\u{feff} \n.]{0,20}") {
            let once = clean(&text).into_owned();
            prop_assert_eq!(clean(&once), once.as_str());
            let compared = comparable(&text).into_owned();
            prop_assert_eq!(comparable(&once), compared.as_str());
            prop_assert_eq!(comparable(&compared), compared.as_str());
            prop_assert_eq!(text.matches('\n').count(), once.matches('\n').count());
        }

        #[test]
        fn any_text_stays_of_its_size(text in any::<String>()) {
            prop_assert!(clean(&text).len() <= 3 * text.len() + 20 * text.chars().filter(|c| is_form(*c)).count());
        }
    }
}
