//! The letters of a language: the characters that its words consist of (paper, Table 10).
//!
//! `data/letters.txt` has the Unicode blocks of each script and the languages that are written in
//! it. A language that the table lacks, or that the models have in further scripts, has the letters
//! of these scripts. A script without a line in the table has all characters of its Unicode Script
//! property, and the combining marks that any script may use.

use langbytes::{LangCode, Script, Scripts};

/// Lines with a script, its Unicode blocks and its languages.
const LETTERS: &str = include_str!("../data/letters.txt");

/// Combining Diacritical Marks.
const MARKS: (u32, u32) = (0x300, 0x36f);

/// Ranges of code points, inclusive.
pub(crate) type Ranges = Vec<(u32, u32)>;

/// A line of the table.
struct Line {
    tag: &'static str,
    ranges: &'static str,
    codes: &'static str,
}

impl Line {
    fn all() -> impl Iterator<Item = Self> {
        LETTERS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
            let (tag, rest) = line.split_once(':')?;
            let (ranges, codes) = rest.split_once(';')?;
            Some(Self { tag, ranges, codes })
        })
    }

    fn has(&self, language: LangCode) -> bool {
        self.codes.split_whitespace().any(|code| code == language.as_str())
    }

    /// The script as [`Script`] has it: Han and the kana are one.
    fn script(&self) -> Option<Script> {
        Script::of_tag(match self.tag {
            "Jpan" | "Hans" => "Hani",
            tag => tag,
        })
    }

    fn ranges(&self) -> impl Iterator<Item = (u32, u32)> {
        self.ranges.split_whitespace().filter_map(|range| {
            let (first, last) = range.split_once('-')?;
            Some((u32::from_str_radix(first, 16).ok()?, u32::from_str_radix(last, 16).ok()?))
        })
    }
}

/// Returns whether the letters of a language are known, which is required to mark its tokens.
/// `scripts` are those in which the models have it.
pub fn knows_letters(language: LangCode, scripts: Scripts) -> bool {
    !scripts.is_empty() || Line::all().any(|line| line.has(language))
}

/// Returns the characters of a language's words; nothing if they are unknown.
pub(crate) fn letters(language: LangCode, mut scripts: Scripts) -> Ranges {
    let mut ranges = Ranges::new();
    for line in Line::all().filter(|line| line.has(language)) {
        ranges.extend(line.ranges());
        line.script().into_iter().for_each(|script| scripts.remove(script));
    }
    for line in Line::all() {
        if let Some(script) = line.script().filter(|&script| scripts.contains(script)) {
            ranges.extend(line.ranges());
            scripts.remove(script);
        }
    }
    if !scripts.is_empty() {
        ranges.push(MARKS);
        ranges.extend(characters(scripts));
    }
    ranges
}

/// Returns the ranges of the characters of some scripts.
fn characters(scripts: Scripts) -> Ranges {
    let mut ranges = Ranges::new();
    for code in 0..=u32::from(char::MAX) {
        if char::from_u32(code).is_some_and(|c| scripts.contains(Script::of(c))) {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == code => *last = code,
                _ => ranges.push((code, code)),
            }
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use langbytes::{Cld2, Combined, Identify as _};

    fn has(code: &str, tags: &[&str], c: char) -> bool {
        let scripts = tags.iter().map(|tag| Script::of_tag(tag).unwrap()).collect();
        let ranges = letters(code.parse().unwrap(), scripts);
        ranges.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)))
    }

    #[test]
    fn scripts_of_the_models_add_to_the_table() {
        assert!(has("srp", &[], 'ж') && !has("srp", &[], 'z'));
        assert!(has("srp", &["Latn"], 'ж') && has("srp", &["Latn"], 'ž'));
        assert!(has("olo", &["Latn"], 'ä') && !has("olo", &["Latn"], 'ж'));
        // A script that the table lacks, with its marks.
        assert!(has("div", &["Thaa"], 'ދ') && has("div", &["Thaa"], '\u{7a8}'));
        assert!(!has("div", &["Thaa"], 'a') && !has("div", &["Thaa"], 'ب'));
        // The line of Chinese has the script of its models.
        assert!(has("zho", &["Hani"], '中') && !has("zho", &["Hani"], 'の'));
        assert!(!knows_letters("xal".parse().unwrap(), Scripts::default()));
    }

    #[test]
    fn letters_of_every_language_of_the_identifiers_are_known() {
        let combined = Combined::new(Vec::new(), None);
        let mut unknown = combined.languages();
        unknown.extend(Cld2.languages());
        unknown.retain(|&language| letters(language, combined.model_scripts(language)).is_empty());
        assert!(unknown.is_empty(), "{unknown:?}: add them to data/letters.txt");
    }

    #[test]
    fn every_line_of_the_table_is_read() {
        for line in LETTERS.lines().filter(|line| !line.starts_with('#')) {
            let read =
                Line::all().find(|read| line.starts_with(&format!("{}:", read.tag))).unwrap();
            assert_eq!(read.ranges().count(), read.ranges.split_whitespace().count(), "{line}");
            assert!(read.script().is_some(), "{line}");
            for code in read.codes.split_whitespace() {
                let language: LangCode =
                    code.parse().unwrap_or_else(|_| panic!("{code} is no language"));
                assert!(!letters(language, Scripts::default()).is_empty(), "{line}");
            }
        }
    }
}
