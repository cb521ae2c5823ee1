//! Languages by code or by name.

use crate::{parts, rows, tags, Language};
use langid::words::Script;
use langid::{Cld2, Combined, Identify, LangCode, Pack};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::UnicodeNormalization;

/// Most names that a message suggests.
const SUGGESTED: usize = 5;

/// Longest name that is searched for, in characters. Longer text is no name.
const LONGEST: usize = 60;

/// Scripts in which CLD2 has a language, but in which the library did not find it in any of the
/// texts that were tried, because its models have other languages in this script.
const NOT_BY_CLD2: [(&str, &str); 5] =
    [("kas", "Deva"), ("kaz", "Arab"), ("kaz", "Latn"), ("msa", "Arab"), ("snd", "Deva")];

/// Points of the compass in names, which books and tables use for each other: North and Northern
/// Sami.
const COMPASS: [(&str, &str); 4] =
    [("north", "northern"), ("south", "southern"), ("east", "eastern"), ("west", "western")];

/// Everyday names that the table lacks, and names of groups, which are refused with their members.
const EVERYDAY: [(&str, &[&str]); 26] = [
    ("altai", &["alt", "atv"]),
    ("amazigh", &["kab", "zgh", "tzm", "shi", "rif"]),
    ("bahasa melayu", &["msa"]),
    ("balkar", &["krc"]),
    ("berber", &["kab", "zgh", "tzm", "shi", "rif"]),
    ("bokmal", &["nob"]),
    ("buryat", &["bxr"]),
    ("east frisian", &["stq"]),
    ("frisian", &["fry", "frr", "stq"]),
    ("fulani", &["ful"]),
    ("gaelic", &["gla", "gle"]),
    ("karachay", &["krc"]),
    ("lapp", &["sme", "smj", "sma", "smn", "sms"]),
    ("lezgi", &["lez"]),
    ("lezgian", &["lez"]),
    ("mandarin", &["zho"]),
    ("mordvin", &["mdf", "myv"]),
    ("nynorsk", &["nno"]),
    ("permyak", &["koi"]),
    ("sakha", &["sah"]),
    ("sami", &["sme", "smj", "sma", "smn", "sms"]),
    ("sorani", &["ckb"]),
    ("sorbian", &["dsb", "hsb"]),
    ("tuvan", &["tyv"]),
    ("west frisian", &["fry"]),
    ("zyrian", &["kpv"]),
];

/// Returns the language with a code of ISO 639 or CLD2, with a tag of such a code and a script or a
/// region (`arb_Arab`), or else with a name: its name in ISO 639-3, in the language itself, or
/// another one. Case, accents, vowel signs of Arabic script, hyphens and word order around a comma
/// do not matter. A code takes precedence over a name: `mon` is Mongolian, and the language Mon is
/// `mnw`. Of several languages with a name, the one with a model is returned, or the
/// macro-language of all if it has one.
///
/// # Errors
/// Fails if the text is neither, or several languages have the name. The message has the languages
/// of that name, or the nearest names.
pub fn parse(text: &str) -> Result<LangCode, UnknownName> {
    parse_tag(text).map(|(code, _)| code)
}

/// The codes of ISO 639-3 for text in an uncoded language, in several languages, in an unknown one
/// and in none.
const NO_LANGUAGES: [&str; 4] = ["mis", "mul", "und", "zxx"];

/// Returns the language as [`parse`] does, for use as a target.
///
/// # Errors
/// Fails also if the code stands for no language, and if the text is a tag with a script in which
/// the identifier of the library does not find the language. A language that only CLD2 identifies
/// may be in any script.
pub fn parse_target(text: &str) -> Result<LangCode, UnknownName> {
    let (code, script) = parse_tag(text)?;
    if NO_LANGUAGES.contains(&code.as_str()) {
        return Err(UnknownName { text: cut(text), found: Found::NoLanguage(code) });
    }
    let Some(script) = script else {
        return Ok(code);
    };
    let Some(mut known) = Combined::new(Vec::new(), Some(code)).target_scripts() else {
        return Ok(code);
    };
    known.retain(|known| !NOT_BY_CLD2.contains(&(code.as_str(), known.tag())));
    match known.contains(&script) {
        true => Ok(code),
        false => Err(UnknownName { text: cut(text), found: Found::Script(code, script, known) }),
    }
}

/// Returns the language of a text, and the script if the text is a tag that has one.
fn parse_tag(text: &str) -> Result<(LangCode, Option<Script>), UnknownName> {
    let text = text.trim();
    let tag = tags::parse(text);
    // A tag may be a name: Aka-Cari is a language, and not Aka in Carian script.
    if let Some(tag) = tag.filter(|_| !text.contains(['-', '_'])) {
        return Ok(tag);
    }
    let name = plain(text);
    let unknown = |found| UnknownName { text: cut(text), found };
    if name.is_empty() || name.chars().count() > LONGEST {
        return Err(unknown(Found::Nearest(Vec::new())));
    }
    let named = |name: &str| -> Option<Result<LangCode, Vec<LangCode>>> {
        table().iter().enumerate().find_map(|(rank, names)| {
            let mut codes = names.get(name).cloned().unwrap_or_default();
            if is_like_code(text, rank) {
                codes.retain(|code| has_model(*code));
            }
            let found = chosen(&codes, rank > 0);
            (found != Err(Vec::new())).then_some(found)
        })
    };
    match named(&name).or_else(|| named(&other_point(&name)?)) {
        Some(Ok(one)) => Ok((one, None)),
        Some(Err(several)) => Err(unknown(Found::Several(several))),
        None => tag.ok_or_else(|| unknown(Found::Nearest(nearest(&name)))),
    }
}

/// Returns a name with the other form of the point of the compass that it begins with.
fn other_point(name: &str) -> Option<String> {
    let (first, rest) = name.split_once(' ')?;
    let other = COMPASS.iter().find_map(|&(noun, adjective)| match first {
        _ if first == noun => Some(adjective),
        _ if first == adjective => Some(noun),
        _ => None,
    })?;
    Some(format!("{other} {rest}"))
}

/// Returns the beginning of a text for messages: at most 40 characters.
fn cut(text: &str) -> String {
    text.trim().chars().take(40).collect()
}

/// Returns whether a text is more likely a code that does not exist than a name: `ge` is no
/// language, but `Ge` is the name of one in ISO 639-3.
fn is_like_code(text: &str, rank: usize) -> bool {
    let is_small = text.bytes().all(|byte| byte.is_ascii_lowercase());
    text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic()) && (rank > 0 || is_small)
}

/// Returns the language that a name of these languages means: the only one; the only one with a
/// model, if `prefers_model`; or their macro-language, if that is identified. Otherwise the error
/// has the languages, those with a model first.
fn chosen(codes: &[LangCode], prefers_model: bool) -> Result<LangCode, Vec<LangCode>> {
    let all: BTreeSet<LangCode> = codes.iter().map(|code| code.represented()).collect();
    let (with, without): (Vec<LangCode>, Vec<LangCode>) =
        all.into_iter().partition(|&c| has_model(c));
    match (with.as_slice(), without.as_slice()) {
        ([one], []) | ([], [one]) => return Ok(*one),
        ([one], _) if prefers_model => return Ok(*one),
        _ => {}
    }
    let is_in = |code: LangCode, whole| code == whole || code.macro_language() == Some(whole);
    let mut heads = codes.iter().flat_map(|code| [Some(*code), code.macro_language()]).flatten();
    let whole = |&head: &LangCode| {
        (has_model(head) || is_of_cld2(head))
            && with.iter().chain(&without).all(|&code| is_in(code, head))
    };
    if let Some(head) = heads.find(whole) {
        return Ok(head);
    }
    match *without.iter().filter(|&&code| is_of_cld2(code)).collect::<Vec<_>>() {
        [one] if with.is_empty() && prefers_model => Ok(*one),
        _ => Err(listed(with, without)),
    }
}

/// Returns languages for a message: those with a model, the members with a model of macro-languages
/// without one, and the others.
fn listed(mut with: Vec<LangCode>, without: Vec<LangCode>) -> Vec<LangCode> {
    for member in without.iter().flat_map(|code| code.members()).filter(|&code| has_model(code)) {
        if !with.contains(&member) {
            with.push(member);
        }
    }
    with.into_iter().chain(without).collect()
}

/// Returns whether the library has a model of a language.
fn has_model(code: LangCode) -> bool {
    static CODES: OnceLock<BTreeSet<LangCode>> = OnceLock::new();
    let all = || {
        let packs = Pack::shipped();
        packs.iter().flat_map(|pack| pack.languages().map(|(model, _)| model.code)).collect()
    };
    CODES.get_or_init(all).contains(&code)
}

fn is_of_cld2(code: LangCode) -> bool {
    Cld2.languages().contains(&code)
}

/// The languages of a name.
type Names = BTreeMap<String, Vec<LangCode>>;

/// The languages by name: by the name in ISO 639-3 or in [`EVERYDAY`]; by other names; by names
/// without what stands in brackets. A name of an earlier table takes precedence.
fn table() -> &'static [Names; 3] {
    static TABLE: OnceLock<[Names; 3]> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut ranks = [Names::new(), Names::new(), Names::new()];
        let mut add = |rank: usize, name: &str, code: LangCode| {
            let codes = ranks[rank].entry(name.to_owned()).or_default();
            if !name.is_empty() && !codes.contains(&code) {
                codes.push(code);
            }
        };
        for language in Language::all() {
            let code = language.code;
            add(0, &plain(code.name()), code);
            let cells = rows().get(&code).copied().unwrap_or_default();
            for name in parts(cells[0]).chain(parts(cells[1])) {
                add(1, &plain(name), code);
                add(2, &plain(&without_brackets(name)), code);
            }
            add(2, &plain(&without_brackets(code.name())), code);
        }
        for (name, codes) in EVERYDAY {
            codes
                .iter()
                .filter_map(|code| LangCode::exact(code))
                .for_each(|code| add(0, name, code));
        }
        ranks
    })
}

/// Returns a name as it is compared: small letters, without accents, with single blanks in place of
/// punctuation, `Kurdish, Central` as `central kurdish`, and Saami as Sami.
fn plain(name: &str) -> String {
    let turned = match name.split_once(", ") {
        Some((head, tail)) if !tail.contains(", ") => format!("{tail} {head}"),
        _ => name.to_owned(),
    };
    let letters: String = turned.nfkd().filter(|&c| !is_accent(c)).collect();
    let kept = letters.chars().filter(|c| !matches!(c, '\'' | '’' | 'ʼ' | '‘' | 'ʻ' | '`'));
    let blanked = kept.map(|c| if c.is_alphanumeric() || is_combining_mark(c) { c } else { ' ' });
    let small: String = blanked.flat_map(char::to_lowercase).collect();
    let words = small.split_whitespace().map(|word| if word == "saami" { "sami" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns whether a character only refines a letter: an accent, or a vowel sign of Arabic script.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Returns a name without the words in brackets: `Malay (macrolanguage)` as `Malay`.
fn without_brackets(name: &str) -> String {
    name.split_once('(').map_or_else(String::new, |(name, _)| name.to_owned())
}

/// Returns the languages with names that need few changes to be the given one, with these names:
/// those with a model first, then those with the fewest changes.
fn nearest(name: &str) -> Vec<(String, LangCode)> {
    let wanted: Vec<char> = name.chars().collect();
    let most = (wanted.len() / 3).max(1);
    let mut found: Vec<(usize, &str, LangCode)> = Vec::new();
    for (known, codes) in table().iter().take(2).flatten() {
        // A name that begins with the word is near too: `saami` of `saami inari`.
        let begins = name.len() > 3 && known.starts_with(name);
        let changes = if begins { Some(most) } else { changes(&wanted, known, most) };
        found.extend(
            changes
                .into_iter()
                .flat_map(|changes| codes.iter().map(move |&code| (changes, known.as_str(), code))),
        );
    }
    found.sort_by_cached_key(|&found| (!has_model(found.2), found));
    let mut seen = BTreeSet::new();
    found.retain(|(_, _, code)| seen.insert(*code));
    found.truncate(SUGGESTED);
    found.into_iter().map(|(_, name, code)| (name.to_owned(), code)).collect()
}

/// Returns the number of characters to insert, delete or replace; `None` if there are over `most`.
fn changes(one: &[char], other: &str, most: usize) -> Option<usize> {
    let length = other.chars().count();
    if length.abs_diff(one.len()) > most {
        return None;
    }
    let mut row: Vec<usize> = (0..=one.len()).collect();
    for (line, letter) in other.chars().enumerate() {
        let mut corner = row[0];
        row[0] = line + 1;
        for at in 1..row.len() {
            let replaced = corner + usize::from(one[at - 1] != letter);
            corner = row[at];
            row[at] = replaced.min(row[at] + 1).min(row[at - 1] + 1);
        }
        if row.iter().all(|&changes| changes > most) {
            return None;
        }
    }
    row.last().copied().filter(|&changes| changes <= most)
}

/// The languages that a text could mean.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    /// Languages of this name.
    Several(Vec<LangCode>),
    /// A code that stands for no language.
    NoLanguage(LangCode),
    /// A language that is identified in the other scripts only, not in the first.
    Script(LangCode, Script, Vec<Script>),
    /// Languages of similar names.
    Nearest(Vec<(String, LangCode)>),
}

/// A text that is no code of a language and the name of none or of several, or a tag of a language
/// in a script without a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    text: String,
    found: Found,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |codes: &[LangCode]| {
            let named = codes.iter().map(|code| format!("`{code}` ({})", code.name()));
            named.collect::<Vec<_>>().join(", ")
        };
        match &self.found {
            Found::Several(codes) => write!(
                f,
                "language `{}` is ambiguous: {}; use one of these codes",
                self.text,
                listed(codes)
            ),
            Found::NoLanguage(code) => write!(
                f,
                "`{code}` ({}) stands for no language, so no text can be found in it",
                code.name()
            ),
            Found::Script(code, script, known) => {
                let all = |of: &dyn Fn(&Script) -> String, or: &str| {
                    known.iter().map(of).collect::<Vec<_>>().join(or)
                };
                let named = |script: &Script| script.name().replace('_', " ");
                let key = code.short().unwrap_or(code.as_str());
                write!(
                    f,
                    "no model of {} in {} script (`{}`); its model is in {}: use `{key}` or {}",
                    code.name(),
                    named(script),
                    self.text,
                    all(&named, " and "),
                    all(&|script| format!("`{key}-{}`", script.tag()), " or ")
                )
            }
            Found::Nearest(near) => {
                write!(
                    f,
                    "language code `{}` is unknown; allowed are ISO 639-3 codes such as `urd` and, as aliases, ISO \
                     639-1 codes such as `ur` and names such as `Urdu`",
                    self.text
                )?;
                let codes: Vec<LangCode> = near.iter().map(|(_, code)| *code).collect();
                match codes.is_empty() {
                    true => write!(f, "; `corpulyzer languages` lists all"),
                    false => write!(f, "; the nearest names are those of {}", listed(&codes)),
                }
            }
        }
    }
}

impl std::error::Error for UnknownName {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parsed(text: &str) -> String {
        parse(text).unwrap().to_string()
    }

    #[test]
    fn languages_are_found_by_code_and_by_any_name() {
        for (text, code) in [
            ("ur", "urd"),
            (" URD ", "urd"),
            ("Urdu", "urd"),
            ("saraiki", "skr"),
            ("سرائیکی", "skr"),
            ("اُردُو", "urd"),
            ("Эрзянь Кель", "myv"),
            ("North Saami", "sme"),
            ("North Sami", "sme"),
            ("north sámi", "sme"),
            ("Northern Saami", "sme"),
            ("Southern Saami", "sma"),
            ("North Azerbaijani", "aze"),
            ("Northern Frisian", "frr"),
            ("Northern Sami", "sme"),
            ("Sami, Northern", "sme"),
            ("davvisamegiella", "sme"),
            ("kurdish, central", "ckb"),
            ("Punjabi", "pan"),
            ("norsk-bokmål", "nob"),
            ("mandarin chinese", "zho"),
            ("Standard Estonian", "est"),
            ("ekk_Latn", "est"),
            ("Greek", "ell"),
            ("und", "und"),
        ] {
            assert_eq!(parsed(text), code, "{text}");
        }
        // A code takes precedence over a name.
        assert_eq!(parsed("mon"), "mon");
    }

    #[test]
    fn a_code_that_stands_for_no_language_is_no_target() {
        for code in NO_LANGUAGES {
            let refused = parse_target(code).unwrap_err().to_string();
            assert!(refused.starts_with(&format!("`{code}` (")), "{refused}");
            assert!(refused.ends_with("stands for no language, so no text can be found in it"));
        }
    }

    #[test]
    fn every_iso_name_finds_its_language_or_is_ambiguous() {
        for language in Language::all() {
            let name = language.code.name();
            match parse(name) {
                Ok(code) if code == language.code.represented() => {}
                Ok(code) if language.code.macro_language() == Some(code) => {}
                // A few names are also codes of other languages.
                Ok(code) => assert!(name.len() <= 3, "{name}: {code}, not {}", language.code),
                Err(error) => assert!(error.to_string().contains("ambiguous"), "{error}"),
            }
        }
    }

    #[test]
    fn a_name_of_several_languages_is_refused_with_their_codes() {
        let error = parse("Bahasa Melayu 2").unwrap_err().to_string();
        assert!(error.contains("is unknown"), "{error}");
        let several = table()[1].iter().find(|(name, codes)| {
            codes.len() > 1
                && !table()[0].contains_key(*name)
                && name.len() > 3
                && !codes
                    .iter()
                    .any(|code| has_model(code.represented()) || code.macro_language().is_some())
        });
        let (name, codes) = several.unwrap();
        let error = parse(name).unwrap_err().to_string();
        assert!(error.contains("is ambiguous: "), "{error}");
        assert!(codes.iter().all(|code| error.contains(&format!("`{code}`"))), "{error}");
    }

    #[test]
    fn a_name_of_a_language_and_of_its_alias_is_that_language() {
        for (name, code) in [
            ("Nepali", "nep"),
            ("नेपाली", "nep"),
            ("فارسی", "fas"),
            ("shqip", "sqi"),
            ("ଓଡ଼ିଆ", "ori"),
            ("Avañe'ẽ", "grn"),
            ("پښتو", "pus"),
            ("Pashto", "pus"),
            ("kiswahili", "swa"),
            ("العربية", "ara"),
            ("o'zbek", "uzb"),
            ("fulfulde", "ful"),
            ("Afaan Oromoo", "orm"),
            ("Runasimi", "que"),
            ("azərbaycanca", "aze"),
            ("bahasa melayu", "msa"),
            ("kichwa", "que"),
        ] {
            assert_eq!(
                parse(name).map(|code| code.to_string()).map_err(|e| e.to_string()),
                Ok(code.to_owned()),
                "{name}"
            );
        }
    }

    #[test]
    fn everyday_names_find_their_language_and_names_of_groups_list_their_members() {
        let added =
            |name: &str| table()[0][name].iter().map(|code| code.to_string()).collect::<Vec<_>>();
        for (name, codes) in EVERYDAY {
            assert_eq!(added(name), codes, "{name} is also a name of ISO 639-3");
            match parse(name) {
                Ok(code) => assert_eq!([code.as_str()], codes, "{name}"),
                Err(error) => {
                    let error = error.to_string();
                    assert!(
                        codes.iter().all(|code| error.contains(&format!("`{code}`"))),
                        "{error}"
                    );
                }
            }
        }
        assert_eq!(parsed("Bokmål"), "nob");
        let error = parse("sami").unwrap_err().to_string();
        assert!(error.contains("`sme` (Northern Sami)"), "{error}");
        let error = parse("Mari").unwrap_err().to_string();
        assert!(
            error.contains("ambiguous: `mhr` (Eastern Mari), `mrj` (Western Mari), `chm`"),
            "{error}"
        );
    }

    #[test]
    fn a_short_word_that_is_no_code_is_not_a_name_of_a_language_without_a_model() {
        for text in ["ge", "pu", "xq"] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains("is unknown"), "{error}");
        }
    }

    #[test]
    fn suggestions_have_languages_with_a_model_first() {
        let near = nearest("lezghan");
        assert!(near.is_sorted_by_key(|(_, code)| !has_model(*code)), "{near:?}");
        assert_eq!(
            nearest("tartar").first().map(|(_, code)| code.to_string()),
            Some("tat".to_owned())
        );
    }

    #[test]
    fn a_target_in_a_script_without_a_model_is_refused() {
        let error = |text: &str| parse_target(text).unwrap_err().to_string();
        assert_eq!(
            error("kk-Latn"),
            "no model of Kazakh in Latin script (`kk-Latn`); its model is in Cyrillic: use `kk` or `kk-Cyrl`"
        );
        for text in ["ks-Deva", "ms-Arab", "snd-Deva", "ur-Latn", "fas_Latn", "per-Hebr"] {
            assert!(error(text).starts_with("no model of "), "{text}");
        }
        for text in [
            "sr-Latn",
            "sr-Cyrl",
            "uz-Cyrl",
            "uz-Arab",
            "urd-Arab",
            "ur-Aran",
            "zh-Hans",
            "zh-Hant",
            "ja-Jpan",
            "ko-Kore",
            "kk-Cyrl",
            "mn-Mong",
            "mo-Cyrl",
            "de-Latf",
            "ur-PK",
            "ur-Arab-PK",
            "haw-Latn",
            "Kazakh",
            "zgh-Tfng",
            "iu-Cans",
            "skr_Arab",
        ] {
            let found = parse_target(text).map_err(|error| error.to_string());
            assert!(found.is_ok(), "{text}: {found:?}");
        }
        // Training and measuring take any script.
        assert_eq!(parsed("kas_Deva"), "kas");
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_nearest_names() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert!(error("sarayki").contains("`skr` (Saraiki)"), "{}", error("sarayki"));
        assert!(error("Urdo").contains("`urd` (Urdu)"), "{}", error("Urdo"));
        assert!(error("xyzzy").starts_with("language code `xyzzy` is unknown; allowed are"));
        for hostile in ["", "\u{0}", &"a".repeat(100_000), "🙂🙂", "((((", "\u{301}\u{301}"] {
            let said = error(hostile);
            assert!(said.contains("is unknown") && said.len() < 400, "{said}");
        }
    }

    #[test]
    fn the_number_of_changes_is_that_of_levenshtein() {
        let count = |one: &str, other: &str| changes(&one.chars().collect::<Vec<_>>(), other, 9);
        assert_eq!(count("kitten", "sitting"), Some(3));
        assert_eq!(count("urdu", "urdu"), Some(0));
        assert_eq!(count("", "ab"), Some(2));
        assert_eq!(changes(&['a'], "abcdef", 2), None);
    }
}
