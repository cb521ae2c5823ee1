//! The languages of ISO 639-3, with their ISO 639-1 codes and English names.

use std::sync::OnceLock;

/// The languages, one per line, sorted by their three letters. A line has the three letters, the
/// two letters of ISO 639-1 or blanks, and the name. build.rs generates it from the crate isolang.
const TABLE: &str = include_str!(concat!(env!("OUT_DIR"), "/languages.txt"));

/// A language of ISO 639-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Language(&'static str);

fn lines() -> &'static [&'static str] {
    static LINES: OnceLock<Vec<&'static str>> = OnceLock::new();
    LINES.get_or_init(|| TABLE.lines().collect())
}

/// Returns all languages, by code.
pub(crate) fn languages() -> impl Iterator<Item = Language> {
    lines().iter().map(|line| Language(line))
}

impl Language {
    /// Returns the language of a three-letter code in lower case.
    pub(crate) fn of_639_3(code: &str) -> Option<Self> {
        let at = lines().binary_search_by(|line| line[..3].cmp(code)).ok()?;
        Some(Self(lines()[at]))
    }

    /// Returns the language of a two-letter code in lower case.
    pub(crate) fn of_639_1(code: &str) -> Option<Self> {
        let is_code = code.len() == 2 && code.trim() == code;
        languages().find(|language| is_code && language.0[3..].starts_with(code))
    }

    /// Returns the three letters.
    pub(crate) fn code(self) -> &'static str {
        &self.0[..3]
    }

    /// Returns the two letters of ISO 639-1, if there are any.
    pub(crate) fn short(self) -> Option<&'static str> {
        Some(&self.0[3..5]).filter(|short| *short != "  ")
    }

    /// Returns the English name.
    pub(crate) fn name(self) -> &'static str {
        &self.0[5..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_found_by_either_code() {
        let urdu = Language::of_639_3("urd").expect("Urdu");
        assert_eq!((urdu.code(), urdu.name()), ("urd", "Urdu"));
        assert_eq!(Language::of_639_1("ur"), Some(urdu));
        assert_eq!(Language::of_639_3("myv").map(Language::name), Some("Erzya"));
        let none = ["", "u", "ur", "urdu", "  ", "zzz", "URD"].map(Language::of_639_3);
        assert_eq!(none, [None; 7]);
        assert_eq!(["", " ", "  ", "xx", "urd", "a"].map(Language::of_639_1), [None; 6]);
    }

    #[test]
    fn the_table_has_each_language_once_in_order() {
        let codes: Vec<_> = languages().map(Language::code).collect();
        assert!(codes.len() > 7_800 && codes.is_sorted_by(|a, b| a < b));
        assert!(languages().all(|language| !language.name().is_empty()));
        assert_eq!(languages().filter(|language| &language.0[3..5] != "  ").count(), 184);
    }
}
