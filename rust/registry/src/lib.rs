//! The registry of languages: names in English and in the languages themselves, scripts and numbers
//! of speakers, and the parser of languages that a user names by code or by name.
//!
//! Codes and English names are those of ISO 639-3, from `langid`. The rest is `data/languages.tsv`;
//! `data/README.md` names its sources and their licences.

pub mod listing;
mod names;
mod quality;
mod tags;

pub use names::{parse, parse_target, UnknownName};
pub use quality::{Quality, MEASURED_WITH};

use langid::LangCode;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The table, by code.
const TABLE: &str = include_str!("../data/languages.tsv");

/// A language of ISO 639-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// Its ISO 639-3 code. Its ISO 639-1 code and its English name are [`LangCode::short`] and
    /// [`LangCode::name`].
    pub code: LangCode,
    cells: [&'static str; 4],
}

impl Language {
    /// Returns a language by its code.
    pub fn of(code: LangCode) -> Self {
        Self { code, cells: rows().get(&code).copied().unwrap_or_default() }
    }

    /// Returns every language of ISO 639-3, by code.
    pub fn all() -> impl Iterator<Item = Self> {
        LangCode::all().map(Self::of)
    }

    /// Returns the names of the language in the language itself, the usual one first.
    pub fn native_names(self) -> impl Iterator<Item = &'static str> {
        parts(self.cells[0])
    }

    /// Returns other names in English, and names in Latin letters.
    pub fn aliases(self) -> impl Iterator<Item = &'static str> {
        parts(self.cells[1])
    }

    /// Returns the scripts that the language is written in (ISO 15924), the usual one first.
    /// Variants of a script have codes of their own: `Hans` and `Hant` for Chinese.
    pub fn scripts(self) -> impl Iterator<Item = &'static str> {
        parts(self.cells[2])
    }

    /// Returns the number of people that use the language, as a first or a later language, by CLDR;
    /// two digits of it are significant. `None` if it is unknown.
    pub fn speakers(self) -> Option<u64> {
        self.cells[3].parse().ok()
    }

    /// Returns what the identifier reaches on text of the language; `None` if it was not measured.
    pub fn quality(self) -> Option<Quality> {
        Quality::of(self.code)
    }
}

fn parts(cell: &'static str) -> impl Iterator<Item = &'static str> {
    cell.split('|').filter(|part| !part.is_empty())
}

/// The cells behind the code, by code.
fn rows() -> &'static BTreeMap<LangCode, [&'static str; 4]> {
    static ROWS: OnceLock<BTreeMap<LangCode, [&'static str; 4]>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        let row = |line: &'static str| {
            let mut cells = line.split('\t');
            let code = LangCode::exact(cells.next()?)?;
            let mut cell = || cells.next().unwrap_or_default();
            Some((code, [cell(), cell(), cell(), cell()]))
        };
        lines.filter_map(row).collect()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn language(code: &str) -> Language {
        Language::of(code.parse().unwrap())
    }

    #[test]
    fn a_language_has_its_names_scripts_and_speakers() {
        let urdu = language("ur");
        assert_eq!(urdu.native_names().next(), Some("اردو"));
        assert_eq!(urdu.scripts().next(), Some("Arab"));
        assert!(urdu.speakers().unwrap() > 100_000_000);
        let erzya = language("myv");
        assert_eq!(erzya.native_names().collect::<Vec<_>>(), ["эрзянь кель"]);
        assert!(erzya.speakers().unwrap() < 1_000_000);
        assert!(language("pan").aliases().any(|name| name == "Punjabi"));
        assert_eq!(language("srp").scripts().collect::<Vec<_>>(), ["Cyrl", "Latn"]);
        assert!(Language::all().count() > 7_800);
    }

    #[test]
    fn every_row_of_the_table_is_a_language_with_known_scripts() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        let mut codes = Vec::new();
        for line in lines {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), 5, "{line}");
            assert!(LangCode::exact(cells[0]).is_some(), "{line}");
            assert!(cells[4].is_empty() || cells[4].parse::<u64>().is_ok(), "{line}");
            for script in parts(cells[3]) {
                let is_tag =
                    script.len() == 4 && script.starts_with(|c: char| c.is_ascii_uppercase());
                assert!(is_tag, "{line}");
            }
            codes.push(cells[0]);
        }
        assert!(codes.len() > 4_000 && codes.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn every_shipped_model_is_in_a_script_of_its_language() {
        // Chinese and Japanese have codes for their variants and mixtures of scripts, and text that
        // names a dialect may be in the script of a neighbour.
        let joined = |tag: &str| match tag {
            "Hans" | "Hant" | "Hanb" | "Jpan" | "Kore" => "Hani".to_owned(),
            tag => tag.to_owned(),
        };
        let mut odd = Vec::new();
        for pack in langid::Pack::shipped() {
            for (model, script) in pack.languages() {
                let scripts: Vec<String> = Language::of(model.code).scripts().map(joined).collect();
                if !scripts.is_empty() && !scripts.iter().any(|known| known == script) {
                    odd.push(format!("{} {script} {scripts:?}", model.code));
                }
            }
        }
        assert!(odd.len() < 6, "{odd:?}");
    }
}
