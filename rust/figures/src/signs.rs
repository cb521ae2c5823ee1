//! Fast lookup of character classes.

use std::sync::OnceLock;
use unicode_general_category::{get_general_category, GeneralCategory as Category};

/// White space.
pub const BLANK: u8 = 1;
/// Punctuation, symbols, format and control characters, and unassigned code points: a token neither
/// begins nor ends with them.
pub const EDGE: u8 = 2;
/// Letters and decimal digits (Java's `Character.isLetterOrDigit`).
pub const LETTER: u8 = 4;
/// Combining marks, except for enclosing ones.
pub const MARK: u8 = 8;

/// Classes of the characters up to U+FFFF.
pub struct Signs {
    kinds: Box<[u8]>,
    lowers: Box<[char]>,
}

impl Signs {
    /// Returns the tables, which are built once.
    pub fn get() -> &'static Self {
        static SIGNS: OnceLock<Signs> = OnceLock::new();
        SIGNS.get_or_init(|| {
            let of =
                |code: u32| char::from_u32(code).map_or((0, '\0'), |c| (classify(c), lower(c)));
            let (kinds, lowers): (Vec<_>, Vec<_>) = (0..=0xffff).map(of).unzip();
            Signs { kinds: kinds.into(), lowers: lowers.into() }
        })
    }

    /// Returns the class of a character.
    pub fn kind(&self, c: char) -> u8 {
        self.kinds.get(c as usize).copied().unwrap_or_else(|| classify(c))
    }

    /// Returns the lower case of a character as Java's `Character.toLowerCase` does. Only İ has two
    /// characters in lower case.
    pub fn lower(&self, c: char) -> char {
        self.lowers.get(c as usize).copied().unwrap_or_else(|| lower(c))
    }
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn classify(c: char) -> u8 {
    let kind = match get_general_category(c) {
        Category::UppercaseLetter
        | Category::LowercaseLetter
        | Category::TitlecaseLetter
        | Category::ModifierLetter
        | Category::OtherLetter
        | Category::DecimalNumber => LETTER,
        Category::NonspacingMark | Category::SpacingMark => MARK,
        Category::ConnectorPunctuation
        | Category::DashPunctuation
        | Category::OpenPunctuation
        | Category::ClosePunctuation
        | Category::InitialPunctuation
        | Category::FinalPunctuation
        | Category::OtherPunctuation
        | Category::MathSymbol
        | Category::CurrencySymbol
        | Category::ModifierSymbol
        | Category::OtherSymbol
        | Category::Control
        | Category::Format
        | Category::PrivateUse
        | Category::Unassigned => EDGE,
        _ => 0,
    };
    kind | if c.is_whitespace() { BLANK } else { 0 }
}
