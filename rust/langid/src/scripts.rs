//! The scripts in which an identifier can find its target.

use crate::pack::Section;
use crate::words::{Script, Scripts};
use crate::{Cld2, Combined, Identify, LangCode, Pack};
use std::collections::BTreeSet;

/// Languages that CLD2 finds in several scripts, by its own test texts (`unittest_data.h`). The
/// models may have such a language in only one of them, and CLD2 counts the others.
const CLD2_SCRIPTS: [(&str, &[&str]); 28] = [
    ("aze", &["Latn", "Arab", "Cyrl"]),
    ("azj", &["Latn", "Arab", "Cyrl"]),
    ("bos", &["Latn", "Cyrl"]),
    ("ckb", &["Arab", "Latn"]),
    ("hrv", &["Latn", "Cyrl"]),
    ("iku", &["Cans", "Latn"]),
    ("kas", &["Arab", "Deva"]),
    ("kaz", &["Cyrl", "Arab", "Latn"]),
    ("kir", &["Cyrl", "Arab", "Latn"]),
    ("kmr", &["Latn", "Arab"]),
    ("kur", &["Latn", "Arab"]),
    ("mon", &["Cyrl", "Mong"]),
    ("khk", &["Cyrl", "Mong"]),
    ("msa", &["Latn", "Arab"]),
    ("zsm", &["Latn", "Arab"]),
    ("pan", &["Guru", "Arab"]),
    ("ron", &["Latn", "Cyrl"]),
    ("san", &["Deva", "Latn"]),
    ("snd", &["Arab", "Deva"]),
    ("srp", &["Cyrl", "Latn"]),
    ("tat", &["Cyrl", "Arab", "Latn"]),
    ("tgk", &["Cyrl", "Arab"]),
    ("tuk", &["Latn", "Arab", "Cyrl"]),
    ("uig", &["Arab", "Cyrl", "Latn"]),
    ("uzb", &["Latn", "Arab", "Cyrl"]),
    ("uzn", &["Latn", "Arab", "Cyrl"]),
    ("yid", &["Hebr", "Latn"]),
    ("zha", &["Latn", "Hani"]),
];

impl Combined {
    /// Returns the scripts of one target; `None` if only CLD2 has it.
    pub(crate) fn scripts_of(&self, target: LangCode) -> Option<BTreeSet<Script>> {
        let sections = self.packs().iter().flat_map(|pack| &pack.sections);
        let by_models: BTreeSet<Script> = sections
            .filter(|section| self.knows(target, section.script))
            .map(|section| section.script)
            .collect();
        if by_models.is_empty() {
            return None;
        }
        let by_cld2 =
            if Cld2.languages().contains(&target) { cld2_scripts(target) } else { Vec::new() };
        Some(by_models.into_iter().chain(by_cld2).collect())
    }
}

impl Pack {
    /// Returns the scripts in which the models of the library have a language.
    pub fn shipped_scripts(language: LangCode) -> Scripts {
        scripts_in(&Self::shipped(), language)
    }
}

/// Returns the scripts in which some packs have a language.
pub(crate) fn scripts_in<'a>(
    packs: impl IntoIterator<Item = &'a Pack>,
    language: LangCode,
) -> Scripts {
    let sections = packs.into_iter().flat_map(|pack| &pack.sections);
    let has = |section: &&Section| section.languages.iter().any(|known| known.code == language);
    sections.filter(has).map(|section| section.script).collect()
}

/// Returns the scripts of [`CLD2_SCRIPTS`] for a language.
fn cld2_scripts(language: LangCode) -> Vec<Script> {
    let row = CLD2_SCRIPTS.iter().find(|(code, _)| *code == language.as_str());
    row.map_or(Vec::new(), |(_, tags)| tags.iter().filter_map(|tag| Script::of_tag(tag)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(code: &str) -> Option<Vec<&'static str>> {
        let target = code.parse().expect("a code");
        let scripts = Combined::new(Vec::new(), Some(target)).target_scripts()?;
        Some(scripts.into_iter().map(Script::tag).collect())
    }

    #[test]
    fn the_scripts_of_a_target_are_those_of_its_models_and_of_cld2() {
        assert_eq!(tags("urd"), Some(vec!["Arab"]));
        assert_eq!(tags("cym"), Some(vec!["Latn"]));
        assert_eq!(tags("srp"), Some(vec!["Cyrl", "Latn"]));
        assert_eq!(Combined::new(Vec::new(), None).target_scripts(), None);
    }

    #[test]
    fn the_scripts_of_models_are_those_of_all_packs() {
        let serbian = Pack::shipped_scripts("srp".parse().expect("a code"));
        let [latin, cyrillic, arabic] =
            ["Latn", "Cyrl", "Arab"].map(|tag| Script::of_tag(tag).expect("a script"));
        assert!(serbian.contains(latin) && serbian.contains(cyrillic));
        assert!(!serbian.contains(arabic));
        let klingon: LangCode = "tlh".parse().expect("a code");
        assert!(Pack::shipped_scripts(klingon).is_empty());
        let text = crate::Text { language: klingon, text: "nuqneH tlhIngan Hol Dajatlhʼaʼ\n" };
        let pack = crate::train(&[text], crate::TrainSettings::default()).expect("a pack");
        let combined = Combined::new(vec![Pack::of_bytes(pack).expect("a pack")], None);
        assert!(combined.model_scripts(klingon).contains(latin));
    }

    #[test]
    fn every_script_of_the_table_is_known() {
        for (code, tags) in CLD2_SCRIPTS {
            assert!(tags.iter().all(|tag| Script::of_tag(tag).is_some()), "{code}");
        }
    }
}
