//! Recognises Burmese in Zawgyi, a font that has glyphs at the code points of Unicode letters, and
//! converts it.
//!
//! Zawgyi stores a syllable as it is seen: the vowel sign of `ေ` and the sign of a medial ra before
//! the consonant. It has several code points for the shapes of one sign, and one for each stacked
//! consonant. Unicode stores the consonant first, and stacks by U+1039 before a consonant; Zawgyi
//! uses that code point for a visible asat. So three orders exist in Zawgyi only, in any language
//! of the script: `ေ` where no consonant precedes, U+1039 where no consonant follows, and U+103B (the
//! medial ra of Zawgyi, the medial ya of Unicode) at the beginning of a word.

use crate::repair::with_parts;
use memchr::memmem;
use std::ops::Range;

/// Orders of Zawgyi from which a page is certain.
const MIN_ORDERS: usize = 2;

const VOWEL_E: char = '\u{1031}';
/// Stacks the next consonant in Unicode; a visible asat in Zawgyi.
const VIRAMA: char = '\u{1039}';
const ASAT: char = '\u{103a}';
const RA: char = '\u{103c}';
/// Nga, asat and virama: a small nga above the next consonant.
const KINZI: &str = "\u{1004}\u{103a}\u{1039}";

/// Returns false if a text has neither `ေ` nor U+1039.
pub(crate) fn may_be_in(text: &str) -> bool {
    let has = |c: char| memmem::find(text.as_bytes(), c.encode_utf8(&mut [0; 4]).as_bytes());
    has(VIRAMA).or_else(|| has(VOWEL_E)).is_some()
}

fn is_myanmar(c: char) -> bool {
    ('\u{1000}'..='\u{109f}').contains(&c)
}

/// Returns true for consonants and independent vowels of Unicode.
fn is_base(c: char) -> bool {
    matches!(c, '\u{1000}'..='\u{102a}' | '\u{103f}' | '\u{1050}'..='\u{1055}' | '\u{105a}'..='\u{105d}' | '\u{1061}' | '\u{1065}' | '\u{1066}' | '\u{106e}'..='\u{1070}' | '\u{1075}'..='\u{1081}' | '\u{108e}')
}

fn is_medial(c: char) -> bool {
    matches!(c, '\u{103b}'..='\u{103e}' | '\u{105e}'..='\u{1060}' | '\u{1082}')
}

/// The orders in a text that only Zawgyi has, and all places where they could be.
fn orders(text: &str) -> (usize, usize) {
    let (mut found, mut places) = (0, 0);
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let next = characters.peek().copied().unwrap_or(' ');
        match c {
            VOWEL_E => {
                places += 1;
                // A joiner or a placeholder may carry a sign that is shown alone.
                let may_carry = is_base(before) || is_medial(before);
                found += usize::from(!may_carry && (is_myanmar(before) || before.is_whitespace()));
            }
            '\u{103b}' if before.is_whitespace() => {
                places += 1;
                found += 1;
            }
            VIRAMA => {
                places += 1;
                found += usize::from(!is_base(next) && (is_myanmar(next) || next.is_whitespace()));
            }
            _ => {}
        }
        before = c;
    }
    (found, places)
}

/// Converts the texts of a page. `None` if they are not in Zawgyi. In a page with some text in
/// Unicode, texts without any of the orders are converted if most of the others are in Zawgyi.
pub(crate) fn converted(page: &str, texts: &[Range<usize>]) -> Option<String> {
    let is_zawgyi = |(found, places): (usize, usize)| found > 0 && found * 5 >= places;
    let (mut found, mut zawgyi, mut unicode) = (0, 0, 0);
    for text in texts {
        let of_text = orders(&page[text.clone()]);
        found += of_text.0;
        match is_zawgyi(of_text) {
            true => zawgyi += text.len(),
            false if of_text.1 > 0 => unicode += text.len(),
            false => {}
        }
    }
    if found < MIN_ORDERS || zawgyi == 0 {
        return None;
    }
    let mostly = zawgyi > unicode;
    Some(with_parts(page, texts, |text, out| {
        if is_zawgyi(orders(text)) || mostly && text.contains(is_myanmar) {
            convert(text, out);
        } else {
            out.push_str(text);
        }
    }))
}

/// A syllable in the order of Unicode, while it is read.
#[derive(Default)]
struct Syllable {
    /// Signs that Zawgyi stores before the consonant.
    ahead: Vec<char>,
    has_kinzi: bool,
    base: String,
    /// Signs after the consonant, and their places.
    signs: Vec<(u8, char)>,
}

impl Syllable {
    fn write(&mut self, out: &mut String) {
        if self.has_kinzi {
            out.push_str(KINZI);
        }
        out.push_str(&self.base);
        let ahead = self.ahead.drain(..).map(|c| (place(c), c));
        self.signs.extend(ahead);
        // The order is that of the Unicode Standard, and the sort keeps that of equal signs.
        self.signs.sort_by_key(|sign| sign.0);
        self.signs.dedup();
        out.extend(self.signs.drain(..).map(|sign| sign.1));
        self.base.clear();
        self.has_kinzi = false;
    }

    /// Adds Unicode characters that one of Zawgyi stands for.
    fn sign(&mut self, signs: &str) {
        self.signs.extend(signs.chars().map(|c| (place(c), c)));
    }
}

/// The place of a sign after its consonant.
fn place(c: char) -> u8 {
    match c {
        '\u{103b}' => 1,
        RA => 2,
        '\u{103d}' => 3,
        '\u{103e}' => 4,
        VOWEL_E => 5,
        '\u{102d}' | '\u{102e}' => 6,
        '\u{102f}' | '\u{1030}' => 7,
        '\u{102b}' | '\u{102c}' => 8,
        '\u{1032}' => 9,
        '\u{1036}' => 10,
        '\u{1037}' => 11,
        ASAT => 12,
        '\u{1038}' => 13,
        _ => 0,
    }
}

/// Converts a text. Only the characters of the script are read; the others end a syllable.
fn convert(text: &str, out: &mut String) {
    let mut syllable = Syllable::default();
    let mut characters = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = characters.next() {
        let next = characters.peek().copied().unwrap_or(' ');
        match c {
            // A zero is written for the letter wa, which looks the same.
            '\u{1040}' if !last.is_numeric() && !next.is_numeric() && is_myanmar(next) => {
                begin(&mut syllable, "\u{101d}", out);
            }
            '\u{1025}' if next == VIRAMA => begin(&mut syllable, "\u{1009}", out),
            '\u{1025}' if next == '\u{102e}' => {
                characters.next();
                begin(&mut syllable, "\u{1026}", out);
            }
            '\u{1000}'..='\u{102a}' | '\u{104e}' => {
                let mut base = [0; 4];
                let base = match c {
                    '\u{104e}' if next != '\u{1004}' => "\u{104e}\u{1004}\u{103a}\u{1038}",
                    _ => c.encode_utf8(&mut base),
                };
                begin(&mut syllable, base, out);
            }
            VOWEL_E | '\u{103b}' | '\u{107e}'..='\u{1084}' => {
                if !syllable.base.is_empty() {
                    syllable.write(out);
                }
                syllable.ahead.push(if c == VOWEL_E { VOWEL_E } else { RA });
            }
            // An asat before a medial ya belongs to the consonant.
            VIRAMA if next == ASAT => syllable.base.push(ASAT),
            _ if is_myanmar(c) => match letters(c) {
                Some((base, signs)) => {
                    begin(&mut syllable, base, out);
                    syllable.base.push_str(signs);
                }
                None => sign(&mut syllable, c),
            },
            _ => {
                syllable.write(out);
                out.push(c);
            }
        }
        last = c;
    }
    syllable.write(out);
}

/// Begins a syllable, unless only signs that precede a consonant have been read.
fn begin(syllable: &mut Syllable, base: &str, out: &mut String) {
    if !syllable.base.is_empty() || !syllable.signs.is_empty() {
        syllable.write(out);
    }
    syllable.base.push_str(base);
}

/// Glyphs of a consonant, some with another stacked below.
fn letters(c: char) -> Option<(&'static str, &'static str)> {
    Some(match c {
        '\u{106a}' => ("\u{1009}", ""),
        '\u{106b}' => ("\u{100a}", ""),
        '\u{106e}' => ("\u{100d}", "\u{1039}\u{100d}"),
        '\u{106f}' => ("\u{100d}", "\u{1039}\u{100e}"),
        '\u{1086}' => ("\u{103f}", ""),
        '\u{108f}' => ("\u{1014}", ""),
        '\u{1090}' => ("\u{101b}", ""),
        '\u{1091}' => ("\u{100f}", "\u{1039}\u{100d}"),
        '\u{1092}' => ("\u{100b}", "\u{1039}\u{100c}"),
        '\u{1097}' => ("\u{100b}", "\u{1039}\u{100b}"),
        '\u{103f}' | '\u{1040}'..='\u{104d}' | '\u{104f}' => return digits(c).map(|it| (it, "")),
        _ => return None,
    })
}

/// Digits and punctuation, which are those of Unicode.
fn digits(c: char) -> Option<&'static str> {
    const SAME: &str = "\u{103f}\u{1040}\u{1041}\u{1042}\u{1043}\u{1044}\u{1045}\u{1046}\u{1047}\u{1048}\u{1049}\u{104a}\u{104b}\u{104c}\u{104d}\u{104f}";
    let at = SAME.find(c)?;
    SAME.get(at..at + c.len_utf8())
}

/// Adds what a sign after the consonant stands for.
fn sign(syllable: &mut Syllable, c: char) {
    let stacked = |syllable: &mut Syllable, consonant: char| {
        syllable.base.push(VIRAMA);
        syllable.base.push(consonant);
    };
    let kinzi = |syllable: &mut Syllable, signs: &str| {
        syllable.has_kinzi = true;
        syllable.sign(signs);
    };
    match c {
        '\u{1033}' => syllable.sign("\u{102f}"),
        '\u{1034}' => syllable.sign("\u{1030}"),
        VIRAMA => syllable.sign("\u{103a}"),
        ASAT | '\u{107d}' => syllable.sign("\u{103b}"),
        '\u{103c}' => syllable.sign("\u{103d}"),
        '\u{103d}' | '\u{1087}' => syllable.sign("\u{103e}"),
        '\u{105a}' => syllable.sign("\u{102b}\u{103a}"),
        '\u{1064}' => kinzi(syllable, ""),
        '\u{108b}' => kinzi(syllable, "\u{102d}"),
        '\u{108c}' => kinzi(syllable, "\u{102e}"),
        '\u{108d}' => kinzi(syllable, "\u{1036}"),
        '\u{1088}' => syllable.sign("\u{103e}\u{102f}"),
        '\u{1089}' => syllable.sign("\u{103e}\u{1030}"),
        '\u{108a}' => syllable.sign("\u{103d}\u{103e}"),
        '\u{108e}' => syllable.sign("\u{102d}\u{1036}"),
        '\u{1094}' | '\u{1095}' => syllable.sign("\u{1037}"),
        '\u{1096}' => {
            stacked(syllable, '\u{1010}');
            syllable.sign("\u{103d}");
        }
        _ => match below(c) {
            Some(consonant) => stacked(syllable, consonant),
            None => syllable.sign(c.encode_utf8(&mut [0; 4])),
        },
    }
}

/// The consonant of a glyph that is stacked below another.
fn below(c: char) -> Option<char> {
    Some(match c {
        '\u{1060}'..='\u{1063}' => char::from_u32(u32::from(c) - 0x60)?,
        '\u{1065}' => '\u{1005}',
        '\u{1066}' | '\u{1067}' => '\u{1006}',
        '\u{1068}' => '\u{1007}',
        '\u{1069}' => '\u{1008}',
        '\u{106c}' => '\u{100b}',
        '\u{106d}' => '\u{100c}',
        '\u{1070}' => '\u{100f}',
        '\u{1071}' | '\u{1072}' => '\u{1010}',
        '\u{1073}' | '\u{1074}' => '\u{1011}',
        '\u{1075}' => '\u{1012}',
        '\u{1076}' => '\u{1013}',
        '\u{1077}' => '\u{1014}',
        '\u{1078}' => '\u{1015}',
        '\u{1079}' => '\u{1016}',
        '\u{107a}' => '\u{1017}',
        '\u{107b}' | '\u{1093}' => '\u{1018}',
        '\u{107c}' => '\u{1019}',
        '\u{1085}' => '\u{101c}',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let all = 0..text.len();
        may_be_in(text).then(|| converted(text, &[all]))?
    }

    #[test]
    fn syllables_get_the_order_of_unicode() {
        for (zawgyi, unicode) in [
            (
                "\u{1031}\u{1000}\u{102c}\u{1004}\u{1039}\u{1038} \u{1031}\u{1014}",
                "\u{1000}\u{1031}\u{102c}\u{1004}\u{103a}\u{1038} \u{1014}\u{1031}",
            ),
            (
                "\u{107f}\u{1019}\u{1014}\u{1039}\u{1038} \u{1031}\u{103b}\u{1019}",
                "\u{1019}\u{103c}\u{1014}\u{103a}\u{1038} \u{1019}\u{103c}\u{1031}",
            ),
            (
                "\u{1021}\u{1004}\u{1064}\u{102b} \u{1000}\u{103c}\u{103a}\u{1014}\u{1039} \u{1031}\u{101e}",
                "\u{1021}\u{1004}\u{103a}\u{1039}\u{1004}\u{102b} \u{1000}\u{103b}\u{103d}\u{1014}\u{103a} \u{101e}\u{1031}",
            ),
            (
                "\u{101e}\u{1012}\u{1076} \u{1031}\u{101c}\u{1095}\u{1039} \u{1031}\u{1010}",
                "\u{101e}\u{1012}\u{1039}\u{1013} \u{101c}\u{1031}\u{1037}\u{103a} \u{1010}\u{1031}",
            ),
        ] {
            assert_eq!(read(zawgyi).as_deref(), Some(unicode));
            assert_eq!(read(unicode), None, "Unicode stays");
        }
    }

    #[test]
    fn one_order_proves_nothing() {
        assert_eq!(read("\u{1031}\u{1000}"), None);
        assert_eq!(read("the sign \u{25cc}\u{1031} and \u{25cc}\u{1031}"), None);
    }
}
