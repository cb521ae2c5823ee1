//! The languages that a user names, and the tags by which servers and pages name them.

use crate::refusal::Refusal;
use engine::frame::{tag, Writer};
use engine::{Status, Targets};
use langid::{Combined, Identify, LangCode};
use std::collections::BTreeSet;

/// Returns the ISO 639-3 codes of a list of codes, tags and names of languages with commas between,
/// as the verbs of the command do. Without packs the library must have their models, also in the
/// script of a tag.
pub fn codes(has_packs: bool, names: &[u8]) -> Result<Writer, Refusal> {
    let names = String::from_utf8_lossy(names);
    let parse = if has_packs { registry::parse } else { registry::parse_target };
    let code = |name: &str| match name.trim() {
        "" => Err(Refusal::NoLanguage(names.chars().take(40).collect())),
        name => Ok(parse(name)?),
    };
    let mut codes = names.split(',').map(code).collect::<Result<Vec<LangCode>, _>>()?;
    codes.sort_unstable();
    codes.dedup();
    let known = Combined::new(Vec::new(), None).languages();
    if let Some(&code) = codes.iter().find(|code| !has_packs && !known.contains(code)) {
        let advice = langid::advice(code, &langid::related(code, &known));
        return Err(Refusal::NoModel { code, advice });
    }
    let codes: Vec<&str> = codes.iter().map(LangCode::as_str).collect();
    let mut answer = Writer::answer(Status::Ok, None);
    answer.text(tag::TARGET, &codes.join(","));
    Ok(answer)
}

/// Returns the language tags of BCP 47 that name target languages, of each the shortest first. The
/// tag of a macro-language without a model names its members: pages in Komi-Zyrian (`kpv`) are
/// tagged `kv`, but those in Egyptian Arabic (`arz`) are not those tagged `ar`.
pub fn tags(targets: &Targets) -> String {
    let known = Combined::new(Vec::new(), None).languages();
    let mut tags: Vec<String> = Vec::new();
    for target in targets.iter() {
        let whole = target.macro_language().filter(|whole| !known.contains(whole));
        for code in [Some(target), whole].into_iter().flatten() {
            tags.extend(code.short().map(str::to_owned));
            tags.push(code.to_string());
            tags.extend(code.represents().map(str::to_owned));
        }
    }
    let mut seen = BTreeSet::new();
    tags.retain(|tag| seen.insert(tag.clone()));
    tags.join(",")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use engine::frame::Frame;

    fn read(has_packs: bool, names: &str) -> Result<String, String> {
        let answer = codes(has_packs, names.as_bytes()).map_err(|refusal| refusal.to_string())?;
        Ok(Frame::read(&answer.finish()).unwrap().text(tag::TARGET).unwrap().unwrap().to_owned())
    }

    #[test]
    fn names_codes_and_tags_are_codes_sorted_and_each_once() {
        assert_eq!(read(false, "urd_Arab").as_deref(), Ok("urd"));
        assert_eq!(read(false, "Saraiki, ur,URD ,سرائیکی,pnb").as_deref(), Ok("pnb,skr,urd"));
        assert_eq!(read(false, "Northern Sami").as_deref(), Ok("sme"));
        assert_eq!(read(true, "kv").as_deref(), Ok("kom"));
    }

    #[test]
    fn other_text_is_refused_with_the_nearest_names_or_with_its_place() {
        assert!(read(false, "ur,Urdo").unwrap_err().ends_with("those of `urd` (Urdu)"));
        assert!(read(false, "Mari").unwrap_err().starts_with("language `Mari` is ambiguous: "));
        assert!(read(false, "ur,,sd").unwrap_err().starts_with("a code in `ur,,sd` is empty"));
        assert!(read(false, "\u{fffd}").is_err());
    }

    #[test]
    fn a_language_or_script_without_a_model_is_allowed_with_packs_alone() {
        let refused = |names: &str| read(false, names).unwrap_err();
        assert!(refused("ur,kv").starts_with("`kom` (Komi) has no model; it is a macro-language"));
        assert!(refused("arz").ends_with("has no model; name its macro-language, `ara` (Arabic)"));
        assert_eq!(refused("Ghotuo"), "`aaa` (Ghotuo) has no model");
        assert!(read(false, "kk-Latn").unwrap_err().contains("use `kk` or `kk-Cyrl`"));
        assert_eq!(read(true, "kk-Latn").as_deref(), Ok("kaz"));
    }

    #[test]
    fn tags_of_a_language_are_all_that_servers_and_pages_write() {
        for (targets, expected) in [
            ("kpv", "kpv,kv,kom"),
            ("ur,et", "et,est,ekk,ur,urd"),
            ("arz", "arz"),
            ("skr", "skr,lah"),
        ] {
            assert_eq!(tags(&targets.parse().unwrap()), expected);
        }
    }
}
