//! Counts and weights of the letters of a text, and its punctuation.

/// Counts over the characters of one text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Letters {
    /// Letters and digits, weighted by the number of letters of an alphabet that each stands for.
    pub(crate) weight: u32,
    pub(crate) capitals: u32,
    pub(crate) digits: u32,
    /// Letters of the Latin alphabet.
    pub(crate) latin: u32,
    /// Marks that end a sentence.
    pub(crate) ends: u32,
    /// Marks within a sentence.
    pub(crate) pauses: u32,
    /// Other characters that are neither letters nor white space.
    pub(crate) signs: u32,
    pub(crate) last: Last,
}

/// Last character of a text, without quotation marks and brackets.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    #[default]
    Other,
    Pause,
    End,
}

impl Letters {
    pub(crate) fn of(text: &str) -> Letters {
        let mut letters = Letters::default();
        letters.add_ascii(text.as_bytes());
        if !text.is_ascii() {
            let mut before = ' ';
            for c in text.chars() {
                if !c.is_ascii() {
                    letters.add(c);
                }
                // Thai and Lao separate phrases by spaces and have no mark for the end of a
                // sentence.
                letters.pauses += u32::from(c == ' ' && is_thai_or_lao(before));
                before = c;
            }
        }
        letters.last = if text.ends_with(is_thai_or_lao) && letters.weight >= SENTENCE {
            Last::End
        } else {
            text.chars().rev().find_map(last).unwrap_or_default()
        };
        letters
    }

    /// Counts the ASCII characters of a text without a branch for each, because branches on text
    /// are mispredicted.
    fn add_ascii(&mut self, text: &[u8]) {
        // The largest number that one byte of the sum can hold.
        for part in text.chunks(usize::from(u8::MAX)) {
            let sum: u64 = part.iter().map(|byte| COUNTED[usize::from(*byte)]).sum();
            let count = |kind: Counted| sum >> (8 * kind as u32) & 0xff;
            let [small, capitals, digits, ends, pauses, signs] = [
                Counted::Small,
                Counted::Capital,
                Counted::Digit,
                Counted::End,
                Counted::Pause,
                Counted::Sign,
            ]
            .map(|kind| count(kind) as u32);
            self.weight += small + capitals + digits;
            self.latin += small + capitals;
            self.capitals += capitals;
            self.digits += digits;
            self.ends += ends;
            self.pauses += pauses;
            self.signs += signs;
        }
    }

    /// Counts a character beyond ASCII.
    fn add(&mut self, c: char) {
        match c {
            _ if is_neutral(c) => {}
            _ if is_end(c) => self.ends += 1,
            _ if is_pause(c) => self.pauses += 1,
            _ => match weight(c) {
                0 => self.signs += 1,
                weight => {
                    self.weight += weight;
                    self.capitals += u32::from(c.is_uppercase());
                    self.digits += u32::from(may_be_number(c) && c.is_numeric());
                    self.latin += u32::from(c < '\u{250}');
                }
            },
        }
    }
}

/// Returns false if a character beyond ASCII is certainly not a number. For common letters this is
/// faster than Unicode's table.
fn may_be_number(c: char) -> bool {
    !matches!(c, '\u{c0}'..='\u{65f}' | '\u{66a}'..='\u{6ef}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// The kind of each ASCII character.
#[derive(Clone, Copy)]
enum Counted {
    Small,
    Capital,
    Digit,
    End,
    Pause,
    Sign,
}

/// For each ASCII character, a 1 in the byte of the sum that counts its kind; 0 for other bytes.
static COUNTED: [u64; 256] = {
    let mut counted = [0; 256];
    let mut byte = 0;
    while byte < counted.len() {
        let kind = match byte as u8 {
            b'a'..=b'z' => Some(Counted::Small),
            b'A'..=b'Z' => Some(Counted::Capital),
            b'0'..=b'9' => Some(Counted::Digit),
            b'.' | b'!' | b'?' => Some(Counted::End),
            b',' | b';' | b':' => Some(Counted::Pause),
            b'"' | b'\'' | b')' | b']' | b' ' | b'\t'..=b'\r' | 0x80.. => None,
            _ => Some(Counted::Sign),
        };
        if let Some(kind) = kind {
            counted[byte] = 1 << (8 * kind as u32);
        }
        byte += 1;
    }
    counted
};

/// Quotation marks, closing brackets and white space. They are ignored at the end of a text.
fn is_neutral(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | ')'
            | ']'
            | '\u{bb}'
            | '\u{201c}'
            | '\u{201d}'
            | '\u{2019}'
            | '\u{300d}'
            | '\u{300f}'
    ) || c.is_whitespace()
}

/// Kind of text that ends with this character, if the character decides it.
fn last(c: char) -> Option<Last> {
    match c {
        _ if is_neutral(c) => None,
        _ if is_end(c) => Some(Last::End),
        _ if is_pause(c) => Some(Last::Pause),
        _ => Some(Last::Other),
    }
}

/// A text of at least this many letters counts as a sentence, even without a mark at its end.
const SENTENCE: u32 = 100;

fn is_thai_or_lao(c: char) -> bool {
    matches!(c, '\u{e01}'..='\u{edf}')
}

/// Returns true if a character ends sentences. The marks are those of Latin, Arabic, Urdu, Indic
/// scripts, Ethiopic, Khmer, Burmese, Armenian, Tibetan, Chinese and Japanese.
fn is_end(c: char) -> bool {
    matches!(
        c,
        '.' | '!'
            | '?'
            | '\u{2026}'
            | '\u{589}'
            | '\u{55c}'
            | '\u{55e}'
            | '\u{61f}'
            | '\u{6d4}'
            | '\u{700}'
            ..='\u{702}'
                | '\u{964}'
                | '\u{965}'
                | '\u{f0d}'
                | '\u{f0e}'
                | '\u{104a}'
                | '\u{104b}'
                | '\u{1362}'
                | '\u{1367}'
                | '\u{1368}'
                | '\u{166e}'
                | '\u{17d4}'
                | '\u{17d5}'
                | '\u{1803}'
                | '\u{1809}'
                | '\u{1c7e}'
                | '\u{1c7f}'
                | '\u{3002}'
                | '\u{a4ff}'
                | '\u{aa5d}'
                | '\u{aaf0}'
                | '\u{abeb}'
                | '\u{ff01}'
                | '\u{ff0e}'
                | '\u{ff1f}'
                | '\u{ff61}'
    )
}

fn is_pause(c: char) -> bool {
    matches!(
        c,
        ',' | ';' | ':' | '\u{55d}' | '\u{60c}' | '\u{61b}' | '\u{1361}' | '\u{1363}'
            ..='\u{1366}'
                | '\u{1802}'
                | '\u{3001}'
                | '\u{a4fe}'
                | '\u{ff0c}'
                | '\u{ff1a}'
                | '\u{ff1b}'
                | '\u{ff64}'
                | '\u{f0b}'
    )
}

/// Number of letters of an alphabet that a character stands for. A Chinese character is about half
/// a word; a kana, a Korean or an Ethiopic syllable is two letters. 0 for characters that are no
/// letter, mark or digit.
fn weight(c: char) -> u32 {
    match c {
        '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => 3,
        '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30ff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{1200}'..='\u{1360}' => 2,
        // The few signs among the letters do not matter.
        '\u{2000}'..='\u{2bff}'
        | '\u{3000}'..='\u{3040}'
        | '\u{fe00}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff20}' => 0,
        '\u{e000}'..='\u{f8ff}' | '\u{1f000}'..='\u{1faff}' => 0,
        '\u{80}'..='\u{bf}' | '\u{d7}' | '\u{f7}' => 0,
        _ if c.is_ascii() => 0,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_all_scripts_end_texts() {
        for text in
            ["a b.", "سکیں۔", "کیا؟", "मिल सकें।", "工作条件。", "ያስችላል።", "„a.“", "«b!»", "“c?”)"]
        {
            assert_eq!(Letters::of(text).last, Last::End, "{text}");
        }
        assert_eq!(Letters::of("مواقع،").last, Last::Pause);
        assert_eq!(Letters::of("Menu").last, Last::Other);
        assert_eq!(Letters::of("สวัสดี").last, Last::Other);
        assert_eq!(Letters::of("สวัสดี ".repeat(30).trim()).last, Last::End);
    }

    #[test]
    fn no_number_is_taken_for_a_letter_in_haste() {
        let numbers = (0x80..=0x10_ffff).filter_map(char::from_u32).filter(|c| c.is_numeric());
        assert_eq!(numbers.filter(|c| !may_be_number(*c)).collect::<String>(), "");
    }

    #[test]
    fn letters_weigh_by_script() {
        assert_eq!(Letters::of("school 12").weight, 8);
        assert_eq!(Letters::of("学校").weight, 6);
        assert_eq!(Letters::of("학교").weight, 4);
        assert_eq!(Letters::of("स्कूल").weight, 5);
        assert_eq!(Letters::of("\u{1f600} — …").weight, 0);
    }
}
