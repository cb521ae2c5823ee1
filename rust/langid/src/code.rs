//! Language codes: ISO 639-3 internally; other codes are accepted as aliases.

use crate::cld2;
use crate::iso::{languages, Language};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// A language by its ISO 639-3 code, or `und` for text of no known language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LangCode([u8; 3]);

/// CLD2's codes that ISO 639 does not have. Bihari is a group of languages; Bhojpuri is its
/// largest.
const CLD2_ALIASES: [(&str, &str); 5] =
    [("iw", "heb"), ("jw", "jav"), ("bh", "bho"), ("zh-hant", "zho"), ("sr-me", "srp")];

/// Languages with a CLD2 number that are in none of its full tables, so that CLD2 never returns
/// them.
const NOT_IN_TABLES: [&str; 13] =
    ["tw", "sr-ME", "ee", "gaa", "kri", "loz", "lua", "luo", "new", "os", "pam", "raj", "tum"];

impl LangCode {
    /// Text in no known language: digits, signs, or text that cannot be identified.
    pub const UND: LangCode = LangCode(*b"und");

    /// Returns the three letters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("und")
    }

    /// Returns the language's English name in ISO 639-3, such as `Urdu`.
    pub fn name(&self) -> &'static str {
        Language::of_639_3(self.as_str()).map_or("Undetermined", Language::name)
    }

    /// Returns every language of ISO 639-3, by code.
    pub fn all() -> impl Iterator<Item = LangCode> {
        languages().filter_map(|language| language.code().as_bytes().try_into().ok().map(LangCode))
    }

    /// Returns the language's ISO 639-1 code, if it has one.
    pub fn short(&self) -> Option<&'static str> {
        Language::of_639_3(self.as_str()).and_then(Language::short)
    }

    /// Returns every language that CLD2 can return, by code.
    pub(crate) fn of_cld2_tables() -> &'static BTreeSet<LangCode> {
        static COUNTED: OnceLock<BTreeSet<LangCode>> = OnceLock::new();
        COUNTED.get_or_init(|| {
            cld2::languages()
                .map(cld2::code)
                .filter(|code| !NOT_IN_TABLES.contains(code))
                .filter_map(alias)
                .filter(|&code| code != LangCode::UND)
                .collect()
        })
    }

    /// Returns the language with a CLD2 number; [`LangCode::UND`] for scripts without a language,
    /// joke languages and numbers out of range.
    pub(crate) fn of_cld2(language: u16) -> LangCode {
        static CODES: OnceLock<Vec<LangCode>> = OnceLock::new();
        let codes = CODES.get_or_init(|| {
            cld2::languages()
                .map(|number| alias(cld2::code(number)).unwrap_or(LangCode::UND))
                .collect()
        });
        codes.get(usize::from(language)).copied().unwrap_or(LangCode::UND)
    }
}

/// Returns the ISO 639-3 code for an ISO 639-1, ISO 639-3 or CLD2 code.
fn alias(code: &str) -> Option<LangCode> {
    let code = code.to_ascii_lowercase();
    if code == "und" || code == "un" {
        return Some(LangCode::UND);
    }
    let cld2 = CLD2_ALIASES.iter().find(|(from, _)| *from == code).map(|&(_, to)| to);
    let iso = || Language::of_639_1(&code).or_else(|| Language::of_639_3(&code));
    let found = cld2.or_else(|| iso().map(|language| language.code()))?;
    found.as_bytes().try_into().ok().map(LangCode)
}

impl FromStr for LangCode {
    type Err = UnknownLanguage;

    /// Parses an ISO 639-3 code, or an ISO 639-1 or CLD2 code as an alias, in any case.
    fn from_str(code: &str) -> Result<Self, UnknownLanguage> {
        alias(code.trim()).ok_or_else(|| UnknownLanguage(code.trim().chars().take(40).collect()))
    }
}

impl fmt::Display for LangCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for LangCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A language code that is not in ISO 639-3, ISO 639-1 or CLD2; the message has the allowed codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLanguage(String);

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "language code `{}` is unknown; ", self.0)?;
        match languages().find(|language| language.name().eq_ignore_ascii_case(&self.0)) {
            Some(language) => write!(f, "{} is `{}`", language.name(), language.code()),
            None => {
                f.write_str("allowed are ISO 639-3 codes such as `urd` and, as aliases, ISO 639-1 codes such as `ur`")
            }
        }
    }
}

impl std::error::Error for UnknownLanguage {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parsed(code: &str) -> String {
        code.parse::<LangCode>().unwrap().to_string()
    }

    #[test]
    fn two_letter_and_cld2_codes_are_aliases() {
        assert_eq!(parsed("ur"), "urd");
        assert_eq!(parsed(" URD "), "urd");
        assert_eq!(parsed("iw"), "heb");
        assert_eq!(parsed("he"), "heb");
        assert_eq!(parsed("zh-Hant"), "zho");
        assert_eq!(parsed("un"), "und");
        assert_eq!(parsed("skr"), "skr");
    }

    #[test]
    fn an_unknown_code_is_named_with_what_is_allowed() {
        let error = "urdu".parse::<LangCode>().unwrap_err().to_string();
        assert_eq!(error, "language code `urdu` is unknown; Urdu is `urd`");
        let error = "x9".parse::<LangCode>().unwrap_err().to_string();
        assert!(error.starts_with("language code `x9` is unknown; allowed are"), "{error}");
        assert!("".parse::<LangCode>().is_err());
        assert!("\u{0}\u{0}\u{0}".parse::<LangCode>().is_err());
    }

    #[test]
    fn every_language_of_cld2_has_an_iso_code_or_is_undetermined_on_purpose() {
        for number in cld2::languages() {
            let code = cld2::code(number);
            let artificial =
                code.is_empty() || code.starts_with("xx") || code.starts_with("zz") || code == "un";
            assert_eq!(LangCode::of_cld2(number) == LangCode::UND, artificial, "{number} {code}");
        }
        assert_eq!(LangCode::of_cld2(u16::MAX), LangCode::UND);
    }

    #[test]
    fn only_languages_in_the_tables_are_counted() {
        let counted = |code: &str| LangCode::of_cld2_tables().contains(&code.parse().unwrap());
        for code in
            ["urd", "fas", "ara", "pus", "snd", "uig", "kas", "kur", "eng", "zho", "ell", "tam"]
        {
            assert!(counted(code), "{code}");
        }
        for code in ["pnb", "skr", "bal", "ckb", "sme", "oss", "und"] {
            assert!(!counted(code), "{code}");
        }
        assert_eq!(LangCode::of_cld2_tables().len(), 161);
    }
}
