//! What characters are, looked up fast.

use std::sync::OnceLock;
use unicode_general_category::{get_general_category, GeneralCategory as Category};

/// White space.
pub const BLANK: u8 = 1;
/// Punctuation, symbols, format and control characters, and what is no character: nothing that a token begins or ends with.
pub const EDGE: u8 = 2;
/// Letters and decimal digits (Java's `Character.isLetterOrDigit`).
pub const LETTER: u8 = 4;
/// Combining marks, but those that enclose.
pub const MARK: u8 = 8;

/// What a character is.
pub fn kind(c: char) -> u8 {
    static TABLE: OnceLock<Box<[u8]>> = OnceLock::new();
    let table = TABLE.get_or_init(|| (0..=0xffff).map(|code| char::from_u32(code).map_or(0, classify)).collect());
    table.get(c as usize).copied().unwrap_or_else(|| classify(c))
}

/// One character's lower case, as `Character.toLowerCase` of Java has it: the only one that becomes two characters is İ.
pub fn lower(c: char) -> char {
    static TABLE: OnceLock<Box<[char]>> = OnceLock::new();
    let of = |c: char| c.to_lowercase().next().unwrap_or(c);
    let table = TABLE.get_or_init(|| (0..=0xffff).map(|code| char::from_u32(code).map_or('\0', of)).collect());
    table.get(c as usize).copied().unwrap_or_else(|| of(c))
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
