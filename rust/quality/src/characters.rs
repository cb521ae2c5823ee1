//! Sets of characters that the rules use.

use std::sync::OnceLock;
use unicode_general_category::{get_general_category, GeneralCategory as Category};

const SETS: &str = include_str!("../data/characters.txt");

/// The sign ends a sentence.
const TERMINAL: u8 = 1;
/// A word of such signs alone is not counted as a word.
const SYMBOL: u8 = 2;
/// The sign is a word of its own at both ends of a run between blanks.
const PEELED: u8 = 4;
/// The sign is a word of its own at the start of a run.
const PEELED_FIRST: u8 = 8;
/// The sign is a word of its own at the end of a run.
const PEELED_LAST: u8 = 16;
/// A letter: general category L.
const LETTER: u8 = 32;
/// A letter that is not in upper case.
const NOT_UPPER: u8 = 64;
/// A letter that is not in lower case.
const NOT_LOWER: u8 = 128;

/// Punctuation and quotes that are peeled off both ends of a run, as in spaCy's rules for any
/// language.
const PUNCTUATION: &str =
    "….,:;!?¿؟¡()[]{}<>_#*&。？！，、；：～·।،۔؛٪'\"”“`‘´’‚„»«「」『』（）〔〕【】《》〈〉⟦⟧";
const FIRST: &str = "§%=—–$£€¥฿₽﷼";
const LAST: &str = "—–";

/// Returns the classes of a character. Python's `isalpha` is category L, and so is `LETTER`.
fn classify(c: char, terminal: &[(u32, u32)], symbol: &[(u32, u32)]) -> u8 {
    let within = |ranges: &[(u32, u32)]| {
        ranges.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)))
    };
    let kind = get_general_category(c);
    let mut class = 0;
    class |= if within(terminal) { TERMINAL | SYMBOL } else { 0 };
    class |= if within(symbol) { SYMBOL } else { 0 };
    // A full stop is peeled by a rule of its own.
    class |= if (PUNCTUATION.contains(c) && c != '.') || kind == Category::OtherSymbol {
        PEELED
    } else {
        0
    };
    class |=
        if FIRST.contains(c) || ('\u{20a0}'..='\u{20bf}').contains(&c) { PEELED_FIRST } else { 0 };
    class |= if LAST.contains(c) { PEELED_LAST } else { 0 };
    class
        | match kind {
            Category::UppercaseLetter => LETTER | NOT_LOWER,
            Category::LowercaseLetter => LETTER | NOT_UPPER,
            Category::TitlecaseLetter | Category::ModifierLetter | Category::OtherLetter => {
                LETTER | NOT_LOWER | NOT_UPPER
            }
            // Vowel signs and other marks stand in the ranges of letters of their scripts.
            Category::NonspacingMark | Category::SpacingMark if u32::from(c) > 0x36f => {
                NOT_LOWER | NOT_UPPER
            }
            _ => 0,
        }
}

fn ranges(set: &str) -> Vec<(u32, u32)> {
    let of_set = |line: &'static str| line.strip_prefix(set)?.strip_prefix(": ");
    SETS.lines()
        .filter_map(of_set)
        .flat_map(str::split_whitespace)
        .filter_map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some((u32::from_str_radix(first, 16).ok()?, u32::from_str_radix(last, 16).ok()?))
        })
        .collect()
}

/// Classes of all characters.
pub(crate) struct Characters {
    classes: Box<[u8]>,
    terminal: Vec<(u32, u32)>,
    symbol: Vec<(u32, u32)>,
}

impl Characters {
    /// Returns the table, which is built once.
    pub(crate) fn get() -> &'static Self {
        static CHARACTERS: OnceLock<Characters> = OnceLock::new();
        CHARACTERS.get_or_init(|| {
            let (terminal, symbol) = (ranges("terminal"), ranges("symbol"));
            let of =
                |code: u32| char::from_u32(code).map_or(0, |c| classify(c, &terminal, &symbol));
            Characters { classes: (0..=0xffff).map(of).collect(), terminal, symbol }
        })
    }

    fn has(&self, c: char, classes: u8) -> bool {
        let class = self.classes.get(c as usize).copied();
        class.unwrap_or_else(|| classify(c, &self.terminal, &self.symbol)) & classes != 0
    }

    /// Returns whether a sign ends a sentence.
    pub(crate) fn is_terminal(&self, c: char) -> bool {
        self.has(c, TERMINAL)
    }

    /// Returns whether a word has a character that makes it count as a word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        word.chars().any(|c| !self.has(c, SYMBOL))
    }

    /// Returns whether a word has a letter.
    pub(crate) fn has_letter(&self, word: &str) -> bool {
        word.chars().any(|c| self.has(c, LETTER))
    }

    pub(crate) fn is_peeled_first(&self, c: char) -> bool {
        self.has(c, PEELED | PEELED_FIRST)
    }

    pub(crate) fn is_peeled_last(&self, c: char) -> bool {
        self.has(c, PEELED | PEELED_LAST)
    }

    /// Returns whether a character is a letter, or a mark in a script without case.
    pub(crate) fn is_alpha(&self, c: char) -> bool {
        self.has(c, LETTER | NOT_LOWER | NOT_UPPER)
    }

    pub(crate) fn may_be_lower(&self, c: char) -> bool {
        self.has(c, NOT_UPPER)
    }

    pub(crate) fn may_be_upper(&self, c: char) -> bool {
        self.has(c, NOT_LOWER)
    }
}

/// White space as Python's `str.isspace` has it.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}
