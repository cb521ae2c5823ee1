//! Identification of languages of one script by their letters alone (ArabicWeb16's third stage,
//! generalized).
//!
//! The letters are in `data/letters.txt`. A text can be in a language if the following holds for
//! each sibling of the language. If the sibling lacks letters of the language, these are more
//! frequent in the text than letters that only the sibling has. If the sibling has every letter of
//! the language, the text has no letter that the language lacks. For Arabic, whose letters all
//! siblings have, this is the paper's test: Arabic letters and none of Persian's or Urdu's. For
//! Urdu it requires a letter such as ٹ or ے, and none of Punjabi's own.

use crate::LangCode;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// One language's letters.
struct Letters {
    language: LangCode,
    letters: BTreeSet<char>,
}

fn table() -> &'static [Letters] {
    static TABLE: OnceLock<Vec<Letters>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let lines =
            include_str!("../data/letters.txt").lines().filter(|line| !line.starts_with('#'));
        let rows = lines.filter_map(|line| {
            let mut words = line.split_whitespace();
            let language = words.next()?.parse().ok()?;
            Some(Letters { language, letters: words.flat_map(str::chars).collect() })
        });
        rows.collect()
    })
}

/// Returns the languages in the table of letters.
pub fn lettered() -> impl Iterator<Item = LangCode> {
    table().iter().map(|row| row.language)
}

/// Returns whether two languages use the same script and are in the table of letters.
pub fn are_siblings(one: LangCode, other: LangCode) -> bool {
    one != other
        && lettered().any(|language| language == one)
        && lettered().any(|language| language == other)
}

/// Returns whether the letters of a text allow a language; `None` for languages that are not in the
/// table. Siblings that no letter distinguishes (Urdu, and Punjabi without its own letters) are
/// both allowed. A text without a letter of the script allows no language. Time is linear in the
/// text.
pub fn letters_allow(text: &str, language: LangCode) -> Option<bool> {
    let own = &table().iter().find(|row| row.language == language)?.letters;
    let mut found = [0u64; ARABIC_BLOCKS];
    let mut in_script = false;
    for c in text.chars() {
        if let Some(at) = place(c) {
            found[at] += 1;
            in_script = in_script || c.is_alphabetic();
        }
    }
    // Occurrences of letters that the first has and the second lacks.
    let times = |has: &BTreeSet<char>, lacks: &BTreeSet<char>| -> u64 {
        has.difference(lacks).filter_map(|&letter| place(letter)).map(|at| found[at]).sum()
    };
    let mut siblings = table().iter().filter(|row| row.language != language);
    let allowed = siblings.all(|sibling| {
        let foreign = times(&sibling.letters, own);
        if own.is_subset(&sibling.letters) {
            foreign == 0
        } else {
            times(own, &sibling.letters) > foreign
        }
    });
    Some(in_script && allowed)
}

/// Characters from U+0600 to U+08FF: the Arabic blocks with letters, and the blocks between them.
const ARABIC_BLOCKS: usize = 0x300;

/// Returns the index of a character within the Arabic range.
fn place(c: char) -> Option<usize> {
    matches!(c, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{870}'..='\u{8ff}')
        .then(|| c as usize - 0x600)
}
