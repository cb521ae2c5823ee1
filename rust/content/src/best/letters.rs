//! Counts and weights of the letters of a text, and its punctuation.

use std::sync::LazyLock;

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
    /// White space characters.
    pub(crate) spaces: u32,
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
        if text.is_ascii() {
            // The largest number that a byte of the sum can hold.
            for part in text.as_bytes().chunks(usize::from(u8::MAX)) {
                letters.add(part.iter().map(|byte| ASCII[usize::from(*byte)]).sum());
            }
        } else {
            letters.add_all(text);
        }
        letters.last = if text.ends_with(is_thai_or_lao) && letters.weight >= SENTENCE {
            Last::End
        } else {
            text.chars().rev().find_map(last).unwrap_or_default()
        };
        letters
    }

    /// Counts the characters of a text in any script.
    fn add_all(&mut self, text: &str) {
        /// Number of characters whose sum fits into a byte, if each weighs three.
        const AT_ONCE: usize = u8::MAX as usize / 3;
        let counts = &**COUNTS;
        let mut chars = text.chars();
        let mut before = ' ';
        while !chars.as_str().is_empty() {
            let mut sum = 0;
            for c in chars.by_ref().take(AT_ONCE) {
                sum += counts.get(c as usize).copied().unwrap_or_else(|| behind_table(c));
                // Thai and Lao separate phrases by spaces and have no mark for the end of a
                // sentence.
                self.pauses += u32::from(c == ' ' && is_thai_or_lao(before));
                before = c;
            }
            self.add(sum);
        }
    }

    /// Adds a sum of counts, see [`Counted`].
    fn add(&mut self, sum: u64) {
        let count = |kind: Counted| (sum >> (8 * kind as u32) & 0xff) as u32;
        self.weight += count(Counted::Weight);
        self.latin += count(Counted::Latin);
        self.capitals += count(Counted::Capital);
        self.digits += count(Counted::Digit);
        self.ends += count(Counted::End);
        self.pauses += count(Counted::Pause);
        self.signs += count(Counted::Sign);
        self.spaces += count(Counted::Space);
    }
}

/// The counts of a character. Each count is a byte of one number. So one addition adds all counts
/// without a branch; the processor would mispredict branches that depend on text.
#[derive(Clone, Copy)]
enum Counted {
    Weight,
    Latin,
    Capital,
    Digit,
    End,
    Pause,
    Sign,
    Space,
}

impl Counted {
    /// Returns a number with this count, and zero for the other counts.
    const fn times(self, count: u32) -> u64 {
        (count as u64) << (8 * self as u32)
    }
}

/// The counts of each ASCII character; 0 for other bytes.
static ASCII: [u64; 256] = {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < counts.len() {
        let letter = Counted::Weight.times(1) | Counted::Latin.times(1);
        counts[byte] = match byte as u8 {
            b'a'..=b'z' => letter,
            b'A'..=b'Z' => letter | Counted::Capital.times(1),
            b'0'..=b'9' => Counted::Weight.times(1) | Counted::Digit.times(1),
            b'.' | b'!' | b'?' => Counted::End.times(1),
            b',' | b';' | b':' => Counted::Pause.times(1),
            b' ' | b'\t'..=b'\r' => Counted::Space.times(1),
            b'"' | b'\'' | b')' | b']' | 0x80.. => 0,
            _ => Counted::Sign.times(1),
        };
        byte += 1;
    }
    counts
};

/// First character after the table of counts. The table has the characters of all alphabets, and
/// kana. Chinese characters come after it.
const BEHIND_TABLE: u32 = 0x3400;

/// The counts of each character below [`BEHIND_TABLE`].
static COUNTS: LazyLock<Box<[u64]>> = LazyLock::new(|| {
    let counts = (0..BEHIND_TABLE).map(|c| char::from_u32(c).map_or(0, counts));
    counts.collect()
});

/// Returns the counts of a character after the table. A Chinese character or a Korean syllable has
/// only a weight.
fn behind_table(c: char) -> u64 {
    match c {
        '\u{3400}'..='\u{9fff}' => Counted::Weight.times(3),
        '\u{ac00}'..='\u{d7a3}' => Counted::Weight.times(2),
        _ => counts(c),
    }
}

/// The counts of a character.
fn counts(c: char) -> u64 {
    match c {
        _ if c.is_ascii() => ASCII[c as usize],
        _ if c.is_whitespace() => Counted::Space.times(1),
        _ if is_neutral(c) => 0,
        _ if is_end(c) => Counted::End.times(1),
        _ if is_pause(c) => Counted::Pause.times(1),
        _ => match weight(c) {
            0 => Counted::Sign.times(1),
            weight => {
                Counted::Weight.times(weight)
                    | Counted::Capital.times(c.is_uppercase().into())
                    | Counted::Digit.times(c.is_numeric().into())
                    | Counted::Latin.times((c < '\u{250}').into())
            }
        },
    }
}

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

/// Returns the kind of a text's end by its last character; `None` if the character is ignored at
/// the end of a text.
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
    fn characters_behind_the_table_are_counted_as_all_others() {
        for c in (BEHIND_TABLE..=0x10_ffff).filter_map(char::from_u32) {
            assert_eq!(behind_table(c), counts(c), "{c:?}");
        }
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
