//! Language codes: ISO 639-3 internally; other codes are accepted as aliases.
//!
//! The models have some macro-languages under their own code (`ara`, `fas`), as most texts do.
//! Others use the code of the individual language that such texts are in (`arb`, `pes`): that code
//! is an alias. Tags with a script or a region (`arb_Arab`, `ur-PK`) are aliases of their language.

use crate::cld2;
use crate::iso::{languages, Language};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// A language by its ISO 639-3 code, or `und` for text of no known language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LangCode([u8; 3]);

/// Codes that ISO 639 does not have, of CLD2 and of older lists. Bihari is a group of languages;
/// Bhojpuri is its largest.
const OLD_ALIASES: [(&str, &str); 6] =
    [("iw", "heb"), ("jw", "jav"), ("in", "ind"), ("ji", "yid"), ("bh", "bho"), ("sh", "hbs")];

/// What CLD2's codes of macro-languages are in its tables: Norwegian is Bokmål, Kurdish is Sorani
/// (in Arabic script alone), Inuktitut is that of the east, in syllabics.
const CLD2_MEMBERS: [(&str, &str); 3] = [("no", "nob"), ("ku", "ckb"), ("iu", "ike")];

/// Individual languages that the models have under the code of the macro-language, because its
/// texts are in this member.
const REPRESENTED: [(&str, &str); 24] = [
    ("als", "sqi"),
    ("arb", "ara"),
    ("azj", "aze"),
    ("cmn", "zho"),
    ("ekk", "est"),
    ("fil", "tgl"),
    ("gaz", "orm"),
    ("gug", "grn"),
    ("khk", "mon"),
    ("knc", "kau"),
    ("lvs", "lav"),
    ("mww", "hmn"),
    ("npi", "nep"),
    ("ory", "ori"),
    ("pbt", "pus"),
    ("pbu", "pus"),
    ("pes", "fas"),
    ("plt", "mlg"),
    ("quz", "que"),
    ("swh", "swa"),
    ("twi", "aka"),
    ("uzn", "uzb"),
    ("ydd", "yid"),
    ("zsm", "msa"),
];

/// The macro-languages, one per line with their members.
const MACRO_LANGUAGES: &str = include_str!("../data/macrolanguages.txt");

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

    /// Returns the language of an ISO 639-3 code in lower case, without aliases: `arb` is not `ara`.
    pub fn exact(code: &str) -> Option<Self> {
        let language = Language::of_639_3(code)?;
        language.code().as_bytes().try_into().ok().map(LangCode)
    }

    /// Returns the language that the models have this one as: Standard Arabic (`arb`) as Arabic
    /// (`ara`), most languages as themselves.
    pub fn represented(self) -> Self {
        let found = REPRESENTED.iter().find(|(member, _)| *member == self.as_str());
        found.and_then(|(_, head)| Self::exact(head)).unwrap_or(self)
    }

    /// Returns the codes that are aliases of this language because the models have their language
    /// as this one: `arb` of `ara`.
    pub fn represents(self) -> impl Iterator<Item = &'static str> {
        REPRESENTED
            .iter()
            .filter(move |(_, head)| *head == self.as_str())
            .map(|&(member, _)| member)
    }

    /// Returns the members of a macro-language, by code; none of another language.
    pub fn members(self) -> impl Iterator<Item = Self> {
        let line = macro_languages().find(|line| line.starts_with(self.as_str()));
        line.into_iter().flat_map(|line| line.split(' ').skip(1)).filter_map(Self::exact)
    }

    /// Returns whether this is a macro-language: a group of languages with one code.
    pub fn is_macro_language(self) -> bool {
        self.members().next().is_some()
    }

    /// Returns the macro-language that this one is a member of.
    pub fn macro_language(self) -> Option<Self> {
        let is_member = |line: &&str| line.split(' ').skip(1).any(|code| code == self.as_str());
        macro_languages().find(is_member).and_then(|line| Self::exact(&line[..3]))
    }

    /// Returns every language that CLD2 can return, by code.
    pub(crate) fn of_cld2_tables() -> &'static BTreeSet<LangCode> {
        static COUNTED: OnceLock<BTreeSet<LangCode>> = OnceLock::new();
        COUNTED.get_or_init(|| {
            cld2::languages()
                .map(cld2::code)
                .filter(|code| !NOT_IN_TABLES.contains(code))
                .filter_map(of_cld2_code)
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
                .map(|number| of_cld2_code(cld2::code(number)).unwrap_or(LangCode::UND))
                .collect()
        });
        codes.get(usize::from(language)).copied().unwrap_or(LangCode::UND)
    }
}

fn macro_languages() -> impl Iterator<Item = &'static str> {
    MACRO_LANGUAGES.lines().filter(|line| !line.starts_with('#'))
}

/// Returns the language of a code of CLD2.
fn of_cld2_code(code: &str) -> Option<LangCode> {
    match CLD2_MEMBERS.iter().find(|(from, _)| *from == code) {
        Some((_, member)) => LangCode::exact(member),
        None => alias(code),
    }
}

/// Returns the language of an ISO 639-1 or ISO 639-3 code, of a code of CLD2, or of a tag that
/// begins with such a code.
fn alias(code: &str) -> Option<LangCode> {
    let code = code.to_ascii_lowercase();
    let mut subtags = code.split(['-', '_']);
    let code = subtags.next()?;
    if !subtags.all(is_subtag) {
        return None;
    }
    if code == "und" || code == "un" {
        return Some(LangCode::UND);
    }
    let old = OLD_ALIASES.iter().find(|(from, _)| *from == code).map(|&(_, to)| to);
    let iso = || Language::of_639_1(code).or_else(|| Language::of_639_3(code));
    let found = old.or_else(|| iso().map(|language| language.code()))?;
    LangCode::exact(found).map(LangCode::represented)
}

/// Returns whether a part of a tag is a script (`Arab`) or a region (`PK`, `419`).
fn is_subtag(tag: &str) -> bool {
    let all = |of: fn(&u8) -> bool| tag.bytes().all(|byte| of(&byte));
    match tag.len() {
        2 | 4 => all(u8::is_ascii_alphabetic),
        3 => all(u8::is_ascii_digit),
        _ => false,
    }
}

impl FromStr for LangCode {
    type Err = UnknownLanguage;

    /// Parses an ISO 639-3 code in any case. Aliases are ISO 639-1 and CLD2 codes, codes of the
    /// language that a [macro-language stands for](LangCode::represented), and tags of a language
    /// with a script or a region, such as `arb_Arab` and `ur-PK`.
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
    fn tags_and_members_that_stand_for_their_macro_language_are_aliases() {
        for (code, language) in [
            ("arb_Arab", "ara"),
            ("kmr_Latn", "kmr"),
            ("zho_Hans", "zho"),
            ("ur-PK", "urd"),
            ("es-419", "spa"),
            ("uz-Cyrl-UZ", "uzb"),
            ("cmn", "zho"),
            ("fil", "tgl"),
            ("sh", "hbs"),
            ("no", "nor"),
        ] {
            assert_eq!(parsed(code), language, "{code}");
        }
        for (member, head) in REPRESENTED {
            assert_eq!(parsed(member), head);
            let exact = LangCode::exact(member).unwrap();
            assert!(exact.macro_language().is_none_or(|of| of.as_str() == head), "{member}");
            assert!(LangCode::exact(head).unwrap().represents().any(|code| code == member));
        }
        for bad in ["ur-", "ur-PK!", "urd_Arabic", "ur--PK", "ur_12", "_Arab", "xx_Arab"] {
            assert!(bad.parse::<LangCode>().is_err(), "{bad}");
        }
    }

    #[test]
    fn macro_languages_know_their_members() {
        let komi: LangCode = "kv".parse().unwrap();
        assert_eq!(komi.members().map(|code| code.to_string()).collect::<Vec<_>>(), ["koi", "kpv"]);
        assert!(komi.members().all(|member| member.macro_language() == Some(komi)));
        assert_eq!(komi.macro_language(), None);
        assert_eq!(parsed("urd").parse::<LangCode>().unwrap().members().count(), 0);
        assert_eq!(macro_languages().count(), 62);
        let members = |line: &str| line.split(' ').all(|code| LangCode::exact(code).is_some());
        assert!(macro_languages().all(members));
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
            ["urd", "fas", "ara", "pus", "snd", "uig", "kas", "ckb", "eng", "zho", "ell", "tam"]
        {
            assert!(counted(code), "{code}");
        }
        for code in ["pnb", "skr", "bal", "nor", "kur", "sme", "oss", "und"] {
            assert!(!counted(code), "{code}");
        }
        assert_eq!(LangCode::of_cld2_tables().len(), 161);
    }
}
