//! The language of the anchors of links.

use crate::Engine;
use langbytes::{LangCode, Script, Scripts};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Fewest letters of an anchor that is identified by its words.
const MIN_LETTERS: usize = 4;

impl Engine {
    /// Returns whether the anchor of a link is in a target language; `None` if it is too short, or
    /// in a script of the target but in no known language.
    ///
    /// The name or code of a language (`Urdu`, `ur`) stands for that language: language switches
    /// are labelled so.
    pub fn is_anchor_in_target(&self, anchor: &str) -> Option<bool> {
        let anchor = anchor.trim();
        let targets = &self.settings().targets;
        if let Some(named) = named(anchor) {
            return Some(targets.contains(named));
        }
        let mut letters = 0;
        let mut of_target = 0;
        let scripts: Vec<Scripts> =
            targets.iter().map(|target| self.model_scripts(target)).collect();
        let is_of_target =
            |letter| scripts.iter().any(|scripts| scripts.contains(Script::of(letter)));
        for letter in anchor.chars().filter(|letter| letter.is_alphabetic()) {
            letters += 1;
            of_target += usize::from(is_of_target(letter));
        }
        if letters < MIN_LETTERS {
            return None;
        }
        if 2 * of_target < letters && scripts.iter().any(|scripts| !scripts.is_empty()) {
            return Some(false);
        }
        match self.identifier().identify_as_written(anchor) {
            LangCode::UND => None,
            language => Some(targets.contains(language)),
        }
    }
}

/// Returns the language whose code or English name an anchor is.
fn named(anchor: &str) -> Option<LangCode> {
    static NAMES: OnceLock<HashMap<String, LangCode>> = OnceLock::new();
    if !anchor.is_ascii() {
        return None;
    }
    let code = (2..=5).contains(&anchor.len()).then(|| anchor.parse().ok()).flatten();
    code.filter(|&code| code != LangCode::UND).or_else(|| {
        let names = NAMES.get_or_init(|| {
            LangCode::all().map(|code| (code.name().to_ascii_lowercase(), code)).collect()
        });
        names.get(&anchor.to_ascii_lowercase()).copied()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    fn engine(target: &str) -> Engine {
        let target = target.parse().expect("it is a language");
        Engine::new(Settings::new(target)).expect("the settings are valid")
    }

    #[test]
    fn names_and_codes_of_languages_stand_for_them() {
        let urdu = engine("urd");
        for (anchor, expected) in
            [("Urdu", true), ("ur", true), (" UR ", true), ("en", false), ("persian", false)]
        {
            assert_eq!(urdu.is_anchor_in_target(anchor), Some(expected), "{anchor}");
        }
    }

    #[test]
    fn words_are_identified_and_other_scripts_are_other_languages() {
        let urdu = engine("urd");
        for (anchor, expected) in [
            ("تازہ ترین خبریں پڑھیے", Some(true)),
            ("لاہور میں بارش کے بعد سڑکوں پر پانی", Some(true)),
            ("آخرین اخبار و رویدادهای ایران را بخوانید", Some(false)),
            ("Read the latest news", Some(false)),
            ("اب", None),
            ("12 › 34", None),
            ("", None),
        ] {
            assert_eq!(urdu.is_anchor_in_target(anchor), expected, "{anchor}");
        }
        let finnish = engine("fin");
        assert_eq!(finnish.is_anchor_in_target("Lue lisää tästä uutisesta"), Some(true));
        assert_eq!(finnish.is_anchor_in_target("Read more about this story"), Some(false));
    }
}
