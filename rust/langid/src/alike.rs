//! Letters of another script that look like those of the word.
//!
//! If a keyboard lacks a letter, people write one that looks like it: Latin `ö` and `i` in Komi,
//! `ă` and `ç` in Chuvash, `æ` in Ossetian; Greek `γ` and `ε` in Kabyle.

use crate::words::{classify, Script, IGNORED, MAX_WORD};

/// Pairs of a Latin letter and a Cyrillic or Greek one that look the same. Of several with one
/// letter, the first is the usual one.
const PAIRS: [(char, char); 33] = [
    ('a', 'а'),
    ('c', 'с'),
    ('e', 'е'),
    ('h', 'һ'),
    ('i', 'і'),
    ('j', 'ј'),
    ('o', 'о'),
    ('p', 'р'),
    ('q', 'ԛ'),
    ('s', 'ѕ'),
    ('w', 'ԝ'),
    ('x', 'х'),
    ('y', 'у'),
    ('ä', 'ӓ'),
    ('ă', 'ӑ'),
    ('æ', 'ӕ'),
    ('ç', 'ҫ'),
    ('è', 'ѐ'),
    ('ë', 'ё'),
    ('ĕ', 'ӗ'),
    ('ï', 'ї'),
    ('ö', 'ӧ'),
    ('ÿ', 'ӱ'),
    ('ə', 'ә'),
    ('ɛ', 'ԑ'),
    ('ɵ', 'ө'),
    ('a', 'α'),
    ('ɛ', 'ε'),
    ('ɣ', 'γ'),
    ('i', 'ι'),
    ('o', 'ο'),
    ('p', 'ρ'),
    ('v', 'ν'),
];

/// Pairs, in lower case, that look the same in upper case alone.
const CAPITALS: [(char, char); 14] = [
    ('b', 'в'),
    ('h', 'н'),
    ('k', 'к'),
    ('m', 'м'),
    ('t', 'т'),
    ('b', 'β'),
    ('e', 'ε'),
    ('h', 'η'),
    ('k', 'κ'),
    ('m', 'μ'),
    ('n', 'ν'),
    ('t', 'τ'),
    ('x', 'χ'),
    ('y', 'υ'),
];

/// Cyrillic `ә` is Latin `ə` only in words that have a letter of [`OF_AZERBAIJANI`]: in Kanuri it
/// may also be `ǝ`, and its model has learned the pieces of such words.
const SCHWA: char = 'ә';
/// Letters that Azerbaijani has and Kanuri lacks.
const OF_AZERBAIJANI: [char; 9] = ['ç', 'ğ', 'ı', 'ö', 'q', 'ş', 'ü', 'v', 'x'];

/// Returns the letter of a script that looks like a letter of another one, both in lower case.
pub(crate) fn in_script(letter: char, script: Script) -> Option<char> {
    among(&PAIRS, letter, script).or_else(|| among(&CAPITALS, letter, script))
}

fn among(pairs: &[(char, char)], letter: char, script: Script) -> Option<char> {
    pairs.iter().find_map(|&(latin, other)| match script {
        Script::LATIN => (other == letter).then_some(latin),
        _ => (latin == letter && Script::of(other) == script).then_some(other),
    })
}

/// Returns the script of the word that a text begins with, whose first letters are in `first` and
/// whose next one is in `second`: the one in which all its letters can be, or that of most if they
/// can be in both. `None` if they cannot be in one script, or the word is too long.
///
/// The result depends on the word alone, so a word is split in the same way without the text around
/// it.
pub(crate) fn script_of(text: &str, first: Script, second: Script) -> Option<Script> {
    let scripts = [first, second];
    let others = [Script::CYRILLIC, Script::GREEK];
    if !scripts.contains(&Script::LATIN) || !others.iter().any(|other| scripts.contains(other)) {
        return None;
    }
    let (mut counts, mut is_own) = ([0; 2], [false; 2]);
    let mut characters = 0;
    let (mut schwa, mut is_of_azerbaijani) = (None, false);
    for c in text.chars() {
        let (letter, script) = classify(c);
        if script == Script::INHERITED {
            characters += usize::from(letter != IGNORED);
        } else if let Some(at) = scripts.iter().position(|known| *known == script) {
            characters += 1;
            counts[at] += 1;
            let other = scripts[1 - at];
            let is_alike = among(&PAIRS, letter, other).is_some()
                || c.is_uppercase() && among(&CAPITALS, letter, other).is_some();
            is_own[at] |= !is_alike;
            schwa = schwa.or_else(|| (letter == SCHWA).then_some(at));
            is_of_azerbaijani |= OF_AZERBAIJANI.contains(&letter);
        } else {
            break;
        }
        if characters > MAX_WORD {
            return None;
        }
    }
    if let Some(at) = schwa {
        is_own[at] |= !(is_of_azerbaijani && is_own[1 - at]);
    }
    match is_own {
        [true, true] => None,
        [true, false] => Some(first),
        [false, true] => Some(second),
        [false, false] => Some(if counts[1] > counts[0] { second } else { first }),
    }
}
