//! Pages that hold no text to speak of (rules of the Suki project).

use crate::LanguageSet;
use langid::floor_char_boundary;
use langid::words::{for_each_word, Script};
use std::collections::HashSet;
use std::fmt;

/// Most languages of a page; one that is written in more is a list of words or a page of links to other languages.
pub const MAX_LANGUAGES: usize = 9;
/// Most words per distinct word.
pub const MAX_REPETITION: usize = 15;
/// Most percent of characters that are no letters.
pub const MAX_NON_LETTERS: u64 = 50;
/// Words that repetition is measured on. A book has more words per distinct word the longer it is (some 30 after a million),
/// so only a beginning of fixed length tells it from a page that says one thing over and over.
const MEASURED_WORDS: usize = 10_000;
/// Bytes in which these words must come: more than so many of the longest words take.
const MEASURED_BYTES: usize = 2 << 20;

/// Why a page is junk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Junk {
    /// More than [`MAX_NON_LETTERS`] percent of the characters are no letters: price lists, product codes, tables of numbers.
    NonLetters {
        /// Letters of any script, with the marks of one.
        letters: u64,
        /// Digits, signs and the like.
        others: u64,
    },
    /// More than [`MAX_REPETITION`] words per distinct word.
    Repetition {
        /// Words that were looked at.
        words: usize,
        /// How many of them differ.
        distinct: usize,
    },
    /// More than [`MAX_LANGUAGES`] languages, their number.
    Languages(usize),
}

impl fmt::Display for Junk {
    /// The kind, a comma, the figure and what is allowed: `repetition, 16.2 words per distinct word, allowed are 15`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NonLetters { letters, others } => {
                let percent = others as f64 * 100.0 / (letters + others).max(1) as f64;
                write!(f, "non-letters, {percent:.1} % of the characters, allowed are {MAX_NON_LETTERS}")
            }
            Self::Repetition { words, distinct } => {
                let each = words as f64 / distinct.max(1) as f64;
                write!(f, "repetition, {each:.1} words per distinct word, allowed are {MAX_REPETITION}")
            }
            Self::Languages(found) => write!(f, "languages, {found} in one text, allowed are {MAX_LANGUAGES}"),
        }
    }
}

/// Whether a text is junk, and by which rule: non-letters before repetition before languages. A text without a character is
/// not junk. Time is linear in the text.
///
/// Letters are Unicode's alphabetic characters and the marks of one script (virama). Blanks count for nothing, and so do
/// apostrophes, joiners such as U+200C and marks that scripts share: what is left, digits and signs, are the non-letters.
pub fn junk(text: &str, set: &LanguageSet) -> Option<Junk> {
    let (mut letters, mut others) = (0, 0);
    for c in text.chars() {
        let script = Script::of(c);
        if script.is_some() || script == Script::NONE && c.is_alphabetic() {
            letters += 1;
        } else if script == Script::NONE && !c.is_whitespace() {
            others += 1;
        }
    }
    if others * 100 > (letters + others) * MAX_NON_LETTERS {
        return Some(Junk::NonLetters { letters, others });
    }
    let (words, distinct) = repetition(text);
    if words > distinct * MAX_REPETITION {
        return Some(Junk::Repetition { words, distinct });
    }
    let languages = set.languages().count();
    (languages > MAX_LANGUAGES).then_some(Junk::Languages(languages))
}

/// Words among the first [`MEASURED_WORDS`] of a text, and how many of them differ when folded.
fn repetition(text: &str) -> (usize, usize) {
    let mut words = 0;
    let mut distinct: HashSet<Vec<char>> = HashSet::new();
    for_each_word(&text[..floor_char_boundary(text, MEASURED_BYTES)], |word| {
        if words < MEASURED_WORDS {
            words += 1;
            if !distinct.contains(word.letters) {
                distinct.insert(word.letters.to_vec());
            }
        }
    });
    (words, distinct.len())
}
