//! Codes and tags that `langid` does not have: those of libraries (ISO 639-2/B), retired ones, and
//! the tags of Wikipedia and BCP 47 that are no code with a script or a region.

use langid::words::Script;
use langid::LangCode;

/// The bibliographic codes of ISO 639-2 where they differ from ISO 639-3, and retired codes.
/// Moldavian (`mo`, `mol`) was merged into Romanian in 2008.
const OTHER_CODES: [(&str, &str); 24] = [
    ("alb", "sqi"),
    ("arm", "hye"),
    ("baq", "eus"),
    ("bur", "mya"),
    ("chi", "zho"),
    ("cze", "ces"),
    ("dut", "nld"),
    ("fre", "fra"),
    ("geo", "kat"),
    ("ger", "deu"),
    ("gre", "ell"),
    ("ice", "isl"),
    ("mac", "mkd"),
    ("mao", "mri"),
    ("may", "msa"),
    ("mo", "ron"),
    ("mol", "ron"),
    ("per", "fas"),
    ("rum", "ron"),
    ("scc", "srp"),
    ("scr", "hrv"),
    ("slo", "slk"),
    ("tib", "bod"),
    ("wel", "cym"),
];

/// Whole tags: editions of Wikipedia, variants of BCP 47, and Punjabi in Arabic script, which is
/// Western Punjabi. A variant may also stand behind a script and a region (`ca-ES-valencia`).
const TAGS: [(&str, &str); 29] = [
    ("bat-smg", "sgs"),
    ("be-tarask", "bel"),
    ("be-x-old", "bel"),
    ("ca-valencia", "cat"),
    ("cbk-zam", "cbk"),
    ("el-monoton", "ell"),
    ("el-polyton", "ell"),
    ("en-oxendict", "eng"),
    ("fiu-vro", "vro"),
    ("hy-arevela", "hye"),
    ("hy-arevmda", "hyw"),
    ("pa-arab", "pnb"),
    ("pa-arab-pk", "pnb"),
    ("pa-pk", "pnb"),
    ("pan-arab", "pnb"),
    ("pan-pk", "pnb"),
    ("rm-puter", "roh"),
    ("rm-rumgr", "roh"),
    ("rm-surmiran", "roh"),
    ("rm-sursilv", "roh"),
    ("rm-sutsilv", "roh"),
    ("rm-vallader", "roh"),
    ("roa-rup", "rup"),
    ("sl-nedis", "slv"),
    ("sl-rozaj", "slv"),
    ("sr-ekavsk", "srp"),
    ("sr-ijekavsk", "srp"),
    ("zh-classical", "lzh"),
    ("zh-min-nan", "nan"),
];

/// Returns the language of a code or a tag, and the script that the tag names; `None` if it is
/// neither, or four letters of the tag are no script.
pub(crate) fn parse(text: &str) -> Option<(LangCode, Option<Script>)> {
    let tag = text.to_ascii_lowercase().replace('_', "-");
    if let Some((_, code)) = TAGS.iter().find(|(whole, _)| *whole == tag) {
        return Some((LangCode::exact(code)?, None));
    }
    let mut parts: Vec<&str> = tag.split('-').collect();
    if let Some((_, code)) = OTHER_CODES.iter().find(|(other, _)| *other == parts[0]) {
        parts[0] = code;
    }
    let (head, rest) = parts.split_first()?;
    let named = rest.iter().find_map(|part| of_variant(head, part));
    let is_kept = |part: &&str| !is_dated(part) && of_variant(head, part).is_none();
    let rest: Vec<&str> = rest.iter().copied().filter(is_kept).collect();
    parts = [&[named.unwrap_or(head)], &rest[..]].concat();
    // BCP 47 allows a member behind its macro-language: zh-yue, zh-cmn-Hans.
    let is_member = |head: &str, member: &str| {
        let head = head.parse().ok();
        head.is_some() && LangCode::exact(member).and_then(LangCode::macro_language) == head
    };
    if parts.len() > 1 && parts[1].len() == 3 && is_member(parts[0], parts[1]) {
        parts.remove(0);
    }
    let code: LangCode = parts.join("-").parse().ok()?;
    match parts[1..].iter().find(|part| part.len() == 4) {
        None | Some(&("zinh" | "zyyy" | "zzzz")) => Some((code, None)),
        Some(tag) => Some((code, Some(script(tag)?))),
    }
}

/// Returns the language of a code and a variant in [`TAGS`].
fn of_variant(head: &str, part: &str) -> Option<&'static str> {
    let code = head.parse::<LangCode>().ok().filter(|_| part.len() > 4)?;
    let short = code.short()?;
    let tag = TAGS.iter().find(|(tag, _)| tag.split_once('-') == Some((short, part)))?;
    Some(tag.1)
}

/// Returns whether a part of a tag is a variant that is called by a year or a number, such as
/// `1901`, `1959acad` and `ao1990`: any language may have one.
fn is_dated(part: &str) -> bool {
    let is_long = matches!(part.len(), 5..=8) && part.contains(|c: char| c.is_ascii_digit());
    let is_year = part.len() == 4 && part.starts_with(|c: char| c.is_ascii_digit());
    (is_long || is_year) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns the script of four small letters. Variants of a script, and those that are written
/// together, are the script of the models.
fn script(tag: &str) -> Option<Script> {
    Script::of_tag(&match tag {
        "aran" => "Arab".to_owned(),
        "cyrs" => "Cyrl".to_owned(),
        "geok" => "Geor".to_owned(),
        "hanb" | "hans" | "hant" | "hira" | "hrkt" | "jpan" | "kana" => "Hani".to_owned(),
        "jamo" | "kore" => "Hang".to_owned(),
        "latf" | "latg" => "Latn".to_owned(),
        "syre" | "syrj" | "syrn" => "Syrc".to_owned(),
        tag => tag[..1].to_ascii_uppercase() + &tag[1..],
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parsed(text: &str) -> Option<String> {
        parse(text).map(|(code, _)| code.to_string())
    }

    #[test]
    fn bibliographic_and_retired_codes_are_aliases_also_in_tags() {
        for (other, code) in OTHER_CODES {
            assert!(other.parse::<LangCode>().is_err(), "{other}");
            assert_eq!(parsed(other).as_deref(), Some(code));
        }
        assert_eq!(parsed("PER_Arab").as_deref(), Some("fas"));
        assert_eq!(parsed("ger-AT").as_deref(), Some("deu"));
    }

    #[test]
    fn tags_of_wikipedia_and_of_members_are_aliases() {
        for (tag, code) in TAGS {
            assert_eq!(parsed(tag).as_deref(), Some(code), "{tag}");
        }
        for (tag, code) in [
            ("zh-yue", "yue"),
            ("zh-cmn-Hans", "zho"),
            ("zh_wuu", "wuu"),
            ("ar-arz", "arz"),
            ("nds-nl", "nds"),
            ("sr-Latn-RS", "srp"),
            ("es-419", "spa"),
            ("ur-Zzzz", "urd"),
            ("de-1901", "deu"),
            ("de-CH-1901", "deu"),
            ("de_Latn_AT_1996", "deu"),
            ("be-1959acad", "bel"),
            ("be-BY-tarask", "bel"),
            ("pt-BR-ao1990", "por"),
            ("ca-ES-valencia", "cat"),
            ("hy-Armn-arevmda", "hyw"),
            ("sr-Latn-RS-ekavsk", "srp"),
        ] {
            assert_eq!(parsed(tag).as_deref(), Some(code), "{tag}");
        }
    }

    #[test]
    fn four_letters_that_are_no_script_are_no_tag() {
        for bad in [
            "als-wiki",
            "ur-page",
            "zh-urd",
            "urd_Arabic",
            "",
            "-",
            "ur-é",
            "ur-ééé",
            "ur-éé",
            "xx-1901",
            "ur-valencia",
            "ur-PK-wiki",
            "de-1901é",
            "1901",
            "-1901",
        ] {
            assert_eq!(parsed(bad), None, "{bad}");
        }
        let script = |text: &str| parse(text).unwrap().1.map(Script::tag);
        assert_eq!(script("urd_Arab"), Some("Arab"));
        assert_eq!(script("zh-Hant-TW"), Some("Hani"));
        assert_eq!(script("ur-PK"), None);
        assert_eq!(script("sr-Latn-ekavsk"), Some("Latn"));
    }
}
