//! Languages by code or by name.

use crate::{parts, rows, Language};
use langid::LangCode;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::UnicodeNormalization;

/// Most names that a message suggests.
const SUGGESTED: usize = 5;

/// Longest name that is searched for, in characters. Longer text is no name.
const LONGEST: usize = 60;

/// Returns the language with a code of ISO 639-3, ISO 639-1 or CLD2, with a tag of such a code and
/// a script or a region (`arb_Arab`), or else with a name: its name in ISO 639-3, in the language
/// itself, or another one. Case, accents, vowel signs of Arabic script, hyphens and word order
/// around a comma do not matter. A code takes precedence over a name: `mon` is Mongolian, and the
/// language Mon is `mnw`.
///
/// # Errors
/// Fails if the text is neither, or several languages have the name. The message has the languages
/// of that name, or the nearest names.
pub fn parse(text: &str) -> Result<LangCode, UnknownName> {
    let text = text.trim();
    let code = text.parse::<LangCode>().ok();
    // A tag may be a name: Aka-Cari is a language, and not Aka in Carian script.
    if let Some(code) = code.filter(|_| !text.contains(['-', '_'])) {
        return Ok(code);
    }
    let name = plain(text);
    let short: String = text.chars().take(40).collect();
    if name.is_empty() || name.chars().count() > LONGEST {
        return Err(UnknownName { text: short, found: Found::Nearest(Vec::new()) });
    }
    for rank in table() {
        match rank.get(&name).map(Vec::as_slice) {
            Some([one]) => return Ok(one.represented()),
            Some(several) => {
                return Err(UnknownName { text: short, found: Found::Several(several.to_vec()) })
            }
            None => {}
        }
    }
    code.ok_or_else(|| UnknownName { text: short, found: Found::Nearest(nearest(&name)) })
}

/// The languages of a name.
type Names = BTreeMap<String, Vec<LangCode>>;

/// The languages by name: by the name in ISO 639-3; by other names; by names without what stands in
/// brackets. A name of an earlier table takes precedence.
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
        ranks
    })
}

/// Returns a name as it is compared: small letters, without accents, with single blanks in place of
/// punctuation, `Kurdish, Central` as `central kurdish`.
fn plain(name: &str) -> String {
    let turned = match name.split_once(", ") {
        Some((head, tail)) if !tail.contains(", ") => format!("{tail} {head}"),
        _ => name.to_owned(),
    };
    let letters: String = turned.nfkd().filter(|&c| !is_accent(c)).collect();
    let kept = letters.chars().filter(|c| !matches!(c, '\'' | '’' | 'ʼ' | '‘' | 'ʻ' | '`'));
    let blanked = kept.map(|c| if c.is_alphanumeric() || is_combining_mark(c) { c } else { ' ' });
    let small: String = blanked.flat_map(char::to_lowercase).collect();
    small.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a character only refines a letter: an accent, or a vowel sign of Arabic script.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Returns a name without the words in brackets: `Malay (macrolanguage)` as `Malay`.
fn without_brackets(name: &str) -> String {
    name.split_once('(').map_or_else(String::new, |(name, _)| name.to_owned())
}

/// Returns the languages with names that need the fewest changes to be the given one, with these
/// names.
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
    found.sort_unstable();
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
    /// Languages of similar names.
    Nearest(Vec<(String, LangCode)>),
}

/// A text that is no code of a language, and the name of none or of several.
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
            Found::Nearest(near) => {
                write!(
                    f,
                    "language code `{}` is unknown; allowed are ISO 639-3 codes such as `urd` and, as aliases, ISO \
                     639-1 codes such as `ur` and names such as `Urdu`",
                    self.text
                )?;
                let codes: Vec<LangCode> = near.iter().map(|(_, code)| *code).collect();
                match codes.is_empty() {
                    true => Ok(()),
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
    fn every_iso_name_finds_its_language_or_is_ambiguous() {
        for language in Language::all() {
            let name = language.code.name();
            match parse(name) {
                Ok(code) if code == language.code.represented() => {}
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
            codes.len() > 1 && !table()[0].contains_key(*name) && name.parse::<LangCode>().is_err()
        });
        let (name, codes) = several.unwrap();
        let error = parse(name).unwrap_err().to_string();
        assert!(error.contains("is ambiguous: "), "{error}");
        assert!(codes.iter().all(|code| error.contains(&format!("`{code}`"))), "{error}");
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
