//! Words as Boilerpipe counts them on JDK 17.
//!
//! Text is cut at white space and wherever a word character meets another character, but not around
//! `" ' . , ! @ - : ; $ ? ( ) /`. A word character is a letter, a decimal digit, `_`, or a
//! non-spacing mark on a letter or digit; so a spacing vowel sign of Devanagari or Bengali cuts its
//! word, and a run of Chinese is one word. A piece counts as a word if it holds a letter or a
//! number.

use std::ops::RangeInclusive;
use std::sync::LazyLock;
use unicode_general_category::{get_general_category, GeneralCategory as Category};

/// Line width for the text density, in UTF-16 units.
const LINE: usize = 80;

/// White space as Java defines it, without no-break spaces.
pub(crate) fn is_space(c: char) -> bool {
    match c {
        '\t'..='\r' | '\u{1c}'..='\u{1f}' | ' ' => true,
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{85}' => false,
        _ => !c.is_ascii() && c.is_whitespace(),
    }
}

/// Length in bytes up to white space other than a single space between two words, or up to a space
/// before a letter whose first byte equals one of white space. In the second case the run could be
/// longer.
pub(crate) fn run_length(text: &str) -> usize {
    /// Bytes that are white space, and first bytes of white space beyond ASCII.
    static MAY_BE_SPACE: [bool; 256] = {
        let mut may = [false; 256];
        let mut byte = 0;
        while byte < may.len() {
            may[byte] = matches!(byte as u8, b'\t'..=b'\r' | 0x1c..=0x1f | b' ' | 0xe1..=0xe3);
            byte += 1;
        }
        may
    };
    let bytes = text.as_bytes();
    let may_be_space = |at: usize| MAY_BE_SPACE[usize::from(bytes[at])];
    let mut at = 0;
    // A byte in this piece needs a closer look.
    let mut odd = 0;
    while at < bytes.len() {
        if !may_be_space(at) && at >= odd {
            at += plain_length(&bytes[at..]);
            odd = at + AT_ONCE;
        } else if !may_be_space(at) {
            at += 1;
        } else if bytes[at] == b' ' && 0 < at && at + 1 < bytes.len() && !may_be_space(at + 1) {
            at += 2;
        } else {
            match text[at..].chars().next() {
                Some(c) if !is_space(c) => at += c.len_utf8(),
                _ => return at,
            }
        }
    }
    bytes.len()
}

/// Number of bytes that fit into one vector.
const AT_ONCE: usize = 16;

/// Number of bytes at the beginning of a text that have no white space except single spaces between
/// words, found with vector instructions. The text does not begin with white space.
fn plain_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some(next) = bytes.get(length..=length + AT_ONCE) {
        // No branch, so that the compiler can use vector instructions.
        let is_odd = |byte: u8, after: u8| {
            let within = |range: RangeInclusive<u8>| {
                after.wrapping_sub(*range.start()) <= range.end() - range.start()
            };
            within(b'\t'..=b'\r')
                | within(0x1c..=0x1f)
                | within(0xe1..=0xe3)
                | ((byte == b' ') & (after == b' '))
        };
        if next.iter().zip(&next[1..]).fold(false, |odd, (byte, after)| odd | is_odd(*byte, *after))
        {
            break;
        }
        length += AT_ONCE;
    }
    length
}

/// Bytes of white space at the beginning of a text.
pub(crate) fn space_length(text: &str) -> usize {
    // One comparison for the usual cases: a space, or the indentation of the markup.
    let bytes = text.as_bytes();
    let mut ascii = 0;
    while let Some(b' ' | b'\t'..=b'\r' | 0x1c..=0x1f) = bytes.get(ascii) {
        ascii += 1 + bytes[ascii + 1..].iter().take_while(|byte| **byte == b' ').count();
    }
    match bytes.get(ascii) {
        Some(0x80..) => text.len() - text[ascii..].trim_start_matches(is_space).len(),
        _ => ascii,
    }
}

/// The counts of one block.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) words: u32,
    pub(crate) linked: u32,
    /// Number of full lines after wrapping.
    lines: u32,
    /// Length of the current line, with a space after each word except the last.
    line: usize,
    words_in_line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Class {
    Space,
    Word,
    /// Punctuation that does not end a word.
    Glue,
    Other,
}

impl Words {
    /// Counts the words of a run of text that ends at the end of a word.
    pub(crate) fn add(&mut self, text: &str, linked: bool) {
        let mut before = Class::Space;
        let mut on_base = false;
        let (mut length, mut is_word) = (0, false);
        let mut rest = text;
        while !rest.is_empty() {
            // Most words are counted in one step.
            let ascii = rest.bytes().take_while(|byte| ALPHANUMERIC[usize::from(*byte)]).count();
            let after = rest.as_bytes().get(ascii);
            if ascii > 0 && before == Class::Space && after == Some(&b' ') {
                self.word(ascii, linked);
                rest = &rest[ascii + 1..];
                continue;
            }
            let plain = match after {
                Some(0x80..) => plain_word(rest.as_bytes(), ascii),
                _ => Run { bytes: ascii, units: ascii },
            };
            let (class, counts, units);
            if plain.bytes > 0 {
                rest = &rest[plain.bytes..];
                on_base = true;
                (class, counts, units) = (Class::Word, true, plain.units);
            } else {
                let mut others = rest.chars();
                let Some(c) = others.next() else { break };
                rest = others.as_str();
                (class, counts) = classify(c, &mut on_base);
                units = c.len_utf16();
            }
            let cut = matches!(
                (before, class),
                (Class::Word, Class::Other) | (Class::Other, Class::Word)
            );
            if cut || class == Class::Space {
                if is_word {
                    self.word(length, linked);
                }
                (length, is_word) = (0, false);
            }
            if class != Class::Space {
                length += units;
                is_word |= counts;
            }
            before = class;
        }
        if is_word {
            self.word(length, linked);
        }
    }

    fn word(&mut self, length: usize, linked: bool) {
        self.words += 1;
        self.linked += u32::from(linked);
        // No space comes before the first word of a text.
        let space = usize::from(self.words > 1);
        self.words_in_line += 1;
        self.line += length + space;
        if self.line > LINE {
            self.lines += 1;
            self.line = length;
            self.words_in_line = 1;
        }
    }

    /// Words in full lines and the number of these lines; a text shorter than a line counts as one
    /// full line.
    pub(crate) fn wrapped(&self) -> (u32, u32) {
        match self.lines {
            0 => (self.words, 1),
            lines => (self.words - self.words_in_line, lines),
        }
    }
}

/// The classes of ASCII characters.
static ASCII: [Class; 128] = {
    let mut classes = [Class::Other; 128];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b' ' => Class::Space,
            b'"' | b'\'' | b'.' | b',' | b'!' | b'@' | b'-' | b':' | b';' | b'$' | b'?' | b'('
            | b')' | b'/' => Class::Glue,
            b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => Class::Word,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// A run of letters and digits.
struct Run {
    bytes: usize,
    /// Its length in UTF-16.
    units: usize,
}

/// The letters and digits at the beginning of a text, without those beyond U+FFFF. Marks after a
/// letter belong to them. `ascii`: length of the ASCII letters and digits at the beginning.
fn plain_word(bytes: &[u8], ascii: usize) -> Run {
    let (mut at, mut units) = (ascii, ascii);
    let continues = |at: usize| u32::from(bytes[at] & 0x3f);
    let table = &**LETTERS;
    while let Some(byte) = bytes.get(at) {
        let (c, length) = match byte {
            0..=0x7f => (u32::from(*byte), 1),
            0x80..=0xdf => (u32::from(byte & 0x1f) << 6 | continues(at + 1), 2),
            0xe0..=0xef => {
                (u32::from(byte & 0xf) << 12 | continues(at + 1) << 6 | continues(at + 2), 3)
            }
            _ => break,
        };
        match table.get(c as usize) {
            Some(InWord::Base) => {}
            Some(InWord::Mark) if units > 0 => {}
            _ => break,
        }
        at += length;
        units += 1;
    }
    Run { bytes: at, units }
}

/// Beyond these characters are Korean syllables, which [`classify`] knows.
const BEHIND_LETTERS: u32 = 0xa000;

/// The part that a character has in a run of [`plain_word`].
#[derive(Clone, Copy, PartialEq)]
enum InWord {
    /// A letter or digit.
    Base,
    Mark,
    No,
}

/// The characters below [`BEHIND_LETTERS`].
static LETTERS: LazyLock<Box<[InWord]>> = LazyLock::new(|| {
    let letter = |c: char| match classify(c, &mut true) {
        (Class::Word, true) => InWord::Base,
        (Class::Word, false) if c != '_' => InWord::Mark,
        _ => InWord::No,
    };
    (0..BEHIND_LETTERS).map(|c| char::from_u32(c).map_or(InWord::No, letter)).collect()
});

/// ASCII letters and digits.
static ALPHANUMERIC: [bool; 256] = {
    let mut alphanumeric = [false; 256];
    let mut byte = 0;
    while byte < alphanumeric.len() {
        alphanumeric[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    alphanumeric
};

/// The class of a character, and whether it makes a piece a word. `on_base`: the previous
/// characters are a letter or digit with marks.
fn classify(c: char, on_base: &mut bool) -> (Class, bool) {
    if let Some(class) = ASCII.get(c as usize) {
        *on_base = *class == Class::Word && c != '_';
        return (*class, *on_base);
    }
    // The character that Boilerpipe uses for borders.
    if c == '\u{2063}' {
        *on_base = false;
        return (Class::Space, false);
    }
    // Java looks at the halves of characters beyond U+FFFF here, and they are not letters.
    let in_bmp = c <= '\u{ffff}';
    match get_general_category(c) {
        Category::UppercaseLetter
        | Category::LowercaseLetter
        | Category::TitlecaseLetter
        | Category::ModifierLetter
        | Category::OtherLetter
        | Category::DecimalNumber => {
            *on_base = in_bmp;
            (Class::Word, true)
        }
        Category::NonspacingMark => {
            *on_base &= in_bmp;
            (if *on_base { Class::Word } else { Class::Other }, false)
        }
        category => {
            *on_base = false;
            (Class::Other, matches!(category, Category::LetterNumber | Category::OtherNumber))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn count(text: &str) -> u32 {
        let mut words = Words::default();
        words.add(text, false);
        words.words
    }

    #[test]
    fn a_run_ends_at_any_white_space_but_single_blanks() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32) {
            let text = format!("a\u{e9}\u{2014}{c}b c");
            let length = if is_space(c) && c != ' ' { 6 } else { text.len() };
            assert_eq!(run_length(&text), length, "{c:?}");
            let text = format!("a {c}b");
            let length = run_length(&text);
            assert!(length == 1 || length == text.len() && !is_space(c), "{c:?}");
        }
        assert_eq!(["", " ", " a", "a ", "a b ", "a  b"].map(run_length), [0, 0, 0, 1, 3, 1]);
    }

    proptest! {
        #[test]
        fn long_runs_end_where_their_characters_say(text in "([ab]{0,9}[ab\u{e9}\u{a0}\u{645} ]|[ab]{3}[ \t\u{2003}\u{1680}\u{e01}\u{1c}]){0,12}") {
            let begins_like_space = |c: char| is_space(c) || matches!(c.len_utf8(), 3) && matches!(c, '\u{1000}'..='\u{3fff}');
            let mut places = text.char_indices().peekable();
            let mut end = text.len();
            while let Some((at, c)) = places.next() {
                let single = c == ' ' && at > 0 && places.peek().is_some_and(|(_, after)| !begins_like_space(*after));
                if is_space(c) && !single {
                    end = at;
                    break;
                }
            }
            prop_assert_eq!(run_length(&text), end);
        }
    }

    #[test]
    fn a_word_begins_after_all_white_space() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32) {
            let text = format!(" \n{c} \tb");
            let length = if is_space(c) { text.len() - 1 } else { 2 };
            assert_eq!(space_length(&text), length, "{c:?}");
        }
        assert_eq!((space_length(""), space_length("a ")), (0, 0));
    }

    #[test]
    fn words_are_cut_at_blanks_and_symbols_but_not_at_punctuation() {
        assert_eq!(count("e.g. state-of-the-art (mostly) a/b"), 4);
        assert_eq!(count("fish&chips 50%"), 3);
        assert_eq!(count("-- ... &"), 0);
        assert_eq!(count(""), 0);
    }

    #[test]
    fn a_spacing_vowel_sign_cuts_a_devanagari_word() {
        // ka + i sign (spacing) + taa + aa sign (spacing) + b
        assert_eq!(count("\u{915}\u{93f}\u{924}\u{93e}\u{92c}"), 3);
        // Arabic with a non-spacing vowel is one word; a zero-width non-joiner cuts.
        assert_eq!(count("\u{645}\u{64e}\u{646}"), 1);
        assert_eq!(count("\u{645}\u{6cc}\u{200c}\u{631}\u{648}\u{62f}"), 2);
    }

    #[test]
    fn lines_are_wrapped_at_80_units() {
        let mut words = Words::default();
        words.add(&"abcdefghi ".repeat(16), false);
        // Eight words of nine letters and seven spaces are 79 units: two full lines, the second of
        // which is not complete.
        assert_eq!(words.wrapped(), (8, 1));
        let mut short = Words::default();
        short.add("one two", true);
        assert_eq!((short.wrapped(), short.linked), ((2, 1), 2));
    }
}
