//! Which texts may state a day.

use memchr::{memchr, memmem};

/// Least number of digits of a date: `1.1.24`.
const MIN_DIGITS: u8 = 4;

/// Least number of digits of a date without other signs between them: `20240312`.
const MIN_RUN: usize = 8;

/// First byte of Hebrew letters.
const HEBREW: u8 = 0xd7;

/// Returns true if a short text may have a date: four ASCII digits, as
/// characters or in references, in two numbers or in a long one; a digit of another script; or the
/// letters of a Hebrew year.
pub(super) fn may_be_date(text: &[u8]) -> bool {
    if memchr(HEBREW, text).is_some() && memmem::find(text, "תש".as_bytes()).is_some() {
        return true;
    }
    // No early end and no branch, so that many bytes are compared at a time. The sum fits, because
    // the text is short.
    let digits =
        text.iter().fold(0u8, |sum, byte| sum.wrapping_add(u8::from(byte.is_ascii_digit())));
    if digits >= MIN_DIGITS {
        return has_numbers(text) || has_other_digits(text) || has_first(text);
    }
    has_other_digits(text)
}

/// Returns true if a text has the word for the first day of a month, which stands for its number.
fn has_first(text: &[u8]) -> bool {
    ["یکم", "يكم"].iter().any(|word| memmem::find(text, word.as_bytes()).is_some())
}

/// Returns true if a text has two numbers in ASCII digits, or one of eight digits.
fn has_numbers(text: &[u8]) -> bool {
    let mut numbers = text.split(|byte| !byte.is_ascii_digit()).filter(|run| !run.is_empty());
    numbers.next().is_some_and(|first| first.len() >= MIN_RUN) || numbers.next().is_some()
}

/// Returns true if a text has a digit of another script than Latin.
fn has_other_digits(text: &[u8]) -> bool {
    // Lead bytes of characters from U+0640 on; most texts in Latin script have none.
    if text.iter().fold(0, |most, byte| most.max(*byte)) < 0xd9 {
        return false;
    }
    text.windows(3).any(|bytes| match bytes {
        [0xd9, 0xa0..=0xa9, _] | [0xdb, 0xb0..=0xb9, _] => true,
        // Digits of the scripts of India, Thai, Lao, Tibetan.
        [0xe0, _, 0xa6..=0xaf | 0x90..=0x99 | 0xa0..=0xa9] => true,
        // Myanmar, Khmer, Mongolian, Ol Chiki and their neighbours; fullwidth digits.
        [0xe1, 0x81 | 0x82 | 0x9f | 0xa0 | 0xb1, _] | [0xef, 0xbc, 0x90..=0x99] => true,
        // Digits beyond the Basic Multilingual Plane: Adlam, Chakma and others.
        [0xf0, 0x90 | 0x91 | 0x96 | 0x9e, _] => true,
        _ => false,
    })
}
