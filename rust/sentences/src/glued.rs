//! Full stops of Urdu (`۔`) within a word: those of numbers (`3۔5`), of dates (`12۔03۔2024`) and of
//! acronyms (`بی۔بی۔سی`). Sentences without a blank between them have the same sign.

use crate::split::is_mark;

/// The full stop of Urdu.
pub(crate) const STOP: char = '\u{6d4}';

/// Most letters of a part of an acronym.
const SHORT: usize = 3;

/// Most letters of a name of [`NAMES`].
const LONGEST_NAME: usize = 6;

/// Most digits of a number before an item of a list.
const ITEM_DIGITS: usize = 2;

/// Names of the letters A to Z in Urdu and Sindhi, with one form of yeh and kaf ([`folded`]).
const NAMES: [&str; 33] = [
    "اے",
    "بی",
    "سی",
    "ڈی",
    "ای",
    "ایف",
    "جی",
    "ایچ",
    "آئی",
    "جے",
    "کے",
    "ایل",
    "ایم",
    "این",
    "او",
    "پی",
    "کیو",
    "آر",
    "ایس",
    "ٹی",
    "یو",
    "وی",
    "ڈبلیو",
    "ایکس",
    "وائی",
    "زیڈ",
    "زی",
    "ڊی",
    "ایڇ",
    "آء",
    "ٽی",
    "ڊبلیو",
    "واء",
];

/// Names of letters with which sentences end too: "came", "drank", "sir", "lady".
const FINAL: [&str; 4] = ["آئی", "پی", "جی", "بی"];

/// Words of one letter, of Urdu, Pashto and Sindhi.
const WORDS: [&str; 4] = ["و", "د", "آ", "۾"];

/// Returns whether a full stop of Urdu between two texts is within a number or an acronym, or after
/// the number of an item of a list. `before` begins where the sentence begins.
pub(crate) fn is_within_word(before: &str, rest: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || is_mark(c);
    let Some(last) = before.chars().next_back() else { return false };
    let Some(next) = rest.chars().next() else { return false };
    if next.is_whitespace() {
        return is_item(before);
    }
    let (left, after_stop) = piece_before(before);
    let (right, before_stop) = piece_after(rest);
    match (last.is_numeric(), next.is_numeric()) {
        (true, true) => true,
        // `ایف۔16`
        (false, true) => is_initial(&left),
        (true, false) => is_letter(next) && is_item(before),
        (false, false) if !is_letter(last) || !is_letter(next) => false,
        (false, false) => {
            let is_middle = after_stop && !left.is_empty() && left.chars().count() <= SHORT;
            let is_first = before_stop && is_initial(&left) && right.chars().count() <= SHORT;
            is_middle
                || is_first
                || is_initial(&left) && (is_initial(&right) || !is_final(&left))
                || is_letter_alone(&right)
        }
    }
}

/// Returns whether a text is only a number of an item of a list: `۲۔ دوسرا`.
fn is_item(before: &str) -> bool {
    let number = before.trim_start_matches(|c: char| !c.is_alphanumeric());
    (1..=ITEM_DIGITS).contains(&number.chars().count()) && number.chars().all(char::is_numeric)
}

/// Returns the letters at the end of a text, and whether [`STOP`] is before them. Empty if there
/// are more than those of a name.
fn piece_before(text: &str) -> (String, bool) {
    let mut rest = text.trim_end_matches(|c: char| is_mark(c));
    let mut letters = 0;
    while let Some(c) = rest.chars().next_back().filter(|c| c.is_alphabetic() || is_mark(*c)) {
        rest = &rest[..rest.len() - c.len_utf8()];
        letters += usize::from(!is_mark(c));
        if letters > LONGEST_NAME {
            return (String::new(), false);
        }
    }
    let is_bounded = !rest.ends_with(|c: char| c.is_alphanumeric());
    let piece = if is_bounded { folded(&text[rest.len()..]) } else { String::new() };
    (piece, rest.ends_with(STOP))
}

/// Returns the letters at the beginning of a text, and whether [`STOP`] follows them directly and
/// then a letter. Empty if there are more than those of a name.
fn piece_after(text: &str) -> (String, bool) {
    let (mut end, mut letters) = (0, 0);
    for c in text.chars().take_while(|c| c.is_alphabetic() || is_mark(*c)) {
        end += c.len_utf8();
        letters += usize::from(!is_mark(c));
        if letters > LONGEST_NAME {
            return (String::new(), false);
        }
    }
    let behind = text[end..].strip_prefix(STOP);
    let is_glued = behind.is_some_and(|behind| behind.starts_with(char::is_alphabetic));
    (folded(&text[..end]), is_glued)
}

/// Returns the letters of a word without marks, with the yeh and the kaf of Urdu for those of
/// Arabic and Sindhi.
fn folded(word: &str) -> String {
    let letters = word.chars().filter(|c| !is_mark(*c));
    letters
        .map(|c| match c {
            'ي' | 'ى' => 'ی',
            'ك' | 'ڪ' => 'ک',
            c => c,
        })
        .collect()
}

/// Returns whether a folded word is a letter or the name of one.
fn is_initial(word: &str) -> bool {
    is_letter_alone(word) || NAMES.contains(&word)
}

/// Returns whether a folded word is a letter that is no word.
fn is_letter_alone(word: &str) -> bool {
    word.chars().count() == 1 && !WORDS.contains(&word)
}

/// Returns whether sentences end with a name of a letter, as it is a word too.
fn is_final(word: &str) -> bool {
    FINAL.contains(&word)
}
