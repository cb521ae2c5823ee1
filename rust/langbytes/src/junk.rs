//! Detection of junk pages, which hold no running text (rules of the Suki project).

use crate::{LangBytes, LangCode, LanguageSet};
use foldhash::{HashSet, HashSetExt};
use langid::floor_char_boundary;
use langid::words::{try_for_each_word, Script};
use std::fmt;
use std::ops::ControlFlow;

/// Most languages of a page. A page with more is a list of words or of links to other languages.
pub const MAX_LANGUAGES: usize = 9;
/// Most words per distinct word.
pub const MAX_REPETITION: usize = 15;
/// Highest percentage of characters that are not letters.
pub const MAX_NON_LETTERS: u64 = 50;
/// Highest percentage of a document's text in no known language. Text in a font with an encoding of
/// its own (InPage, Kruti Dev, Preeti, Bijoy) has 99; text of 177 sets in known languages has 9 at
/// most, apart from one of 327 bytes.
pub const MAX_UNKNOWN: u64 = 80;
/// Shorter text of a document is not judged by that, in bytes.
const MIN_UNKNOWN_BYTES: u64 = 256;
/// Number of words for the repetition measure. A longer text has more words per distinct word
/// (about 30 after a million), so only a fixed number of words is comparable.
const MEASURED_WORDS: usize = 10_000;
/// Bytes that are searched for these words: more than that number of the longest words takes.
const MEASURED_BYTES: usize = 2 << 20;

/// Why a page is junk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Junk {
    /// More than [`MAX_NON_LETTERS`] percent of the characters are not letters: price lists,
    /// product codes, tables of numbers.
    NonLetters {
        /// Letters of any script, with its marks.
        letters: u64,
        /// Digits, punctuation and other signs.
        others: u64,
    },
    /// More than [`MAX_REPETITION`] words per distinct word.
    Repetition {
        /// Words that were counted.
        words: usize,
        /// Distinct words among them.
        distinct: usize,
    },
    /// More than [`MAX_LANGUAGES`] languages, their number.
    Languages(usize),
    /// More than [`MAX_UNKNOWN`] percent of a document's text are in no known language: its font
    /// has an encoding of its own, or is damaged.
    UnknownWords {
        /// Bytes in no known language.
        unknown: u64,
        /// Bytes of the document's text.
        bytes: u64,
    },
}

impl fmt::Display for Junk {
    /// Formats the kind, a comma, the figure and the limit:
    /// `repetition, 16.2 words per distinct word, allowed are 15`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NonLetters { letters, others } => {
                let percent = others as f64 * 100.0 / (letters + others).max(1) as f64;
                write!(
                    f,
                    "non-letters, {percent:.1} % of the characters, allowed are {MAX_NON_LETTERS}"
                )
            }
            Self::Repetition { words, distinct } => {
                let each = words as f64 / distinct.max(1) as f64;
                write!(
                    f,
                    "repetition, {each:.1} words per distinct word, allowed are {MAX_REPETITION}"
                )
            }
            Self::UnknownWords { unknown, bytes } => {
                let percent = unknown as f64 * 100.0 / bytes.max(1) as f64;
                write!(
                    f,
                    "unknown-words, {percent:.1} % of the document are in no known language, \
                     allowed are {MAX_UNKNOWN}; its font may have an encoding of its own"
                )
            }
            Self::Languages(found) => {
                write!(f, "languages, {found} in one text, allowed are {MAX_LANGUAGES}")
            }
        }
    }
}

/// Returns the first junk rule that a text meets: non-letters before repetition before languages.
/// An empty text is not junk. Time is linear in the text.
///
/// Letters are Unicode's alphabetic characters and the marks of one script (virama). Blanks,
/// apostrophes, joiners such as U+200C and marks that scripts share are not counted. All other
/// characters, such as digits and signs, are non-letters.
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
    if let Some(repetition) = repetition(text) {
        return Some(repetition);
    }
    let languages = set.languages().count();
    (languages > MAX_LANGUAGES).then_some(Junk::Languages(languages))
}

/// Returns [`Junk::UnknownWords`] for the languages of such a document. Its letters are those of
/// another script, mostly Latin, so no rule about characters finds it.
pub fn unknown_words(languages: &LangBytes) -> Option<Junk> {
    let unknown = languages.bytes(LangCode::UND);
    let bytes = languages.total();
    (bytes >= MIN_UNKNOWN_BYTES && unknown * 100 > bytes * MAX_UNKNOWN)
        .then_some(Junk::UnknownWords { unknown, bytes })
}

/// Returns the repetition of the first [`MEASURED_WORDS`] words of a text, if it is more than
/// [`MAX_REPETITION`]. Words are compared in folded form.
fn repetition(text: &str) -> Option<Junk> {
    let measured = &text[..floor_char_boundary(text, MEASURED_BYTES)];
    let (mut words, mut distinct) = (0, HashSet::new());
    let _: ControlFlow<()> = try_for_each_word(measured, |word| {
        words += 1;
        if !distinct.contains(word.letters) {
            distinct.insert(word.letters.to_vec());
        }
        // A word takes at least a byte, so the rest cannot have so many words that they repeat.
        let most = MEASURED_WORDS.min(words + measured.len() - word.end);
        match words == MEASURED_WORDS || distinct.len() * MAX_REPETITION >= most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    let distinct = distinct.len();
    (words > distinct * MAX_REPETITION).then_some(Junk::Repetition { words, distinct })
}
