//! The default identifier: our language models for some scripts, CLD2 for the others.
//!
//! With a target language, the models identify text in the target's scripts, where similar
//! languages are. CLD2 identifies all other scripts, where no text can be mistaken for the target;
//! it is good and fast there. Without a target, the models identify every script that they have.
//! Text that no model identifies with confidence goes to CLD2; its result counts if the models lack
//! that language. For a target that only CLD2 has, CLD2 identifies everything. With several targets,
//! the models identify the scripts of all of them.
//!
//! In a script of many languages, a text is first compared with the languages closest to the target
//! and with the common ones (`near.rs`), and with all languages only if the result is not final.

use crate::identify::{append, Run};
use crate::near::{Near, MIN_SETTLED};
use crate::words::{for_each_word, Script};
use crate::{Allowed, Cld2, Identify, LangCode, LanguageModel, Pack};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// A run in another script with fewer letters belongs to the surrounding text: it is a name or a
/// term.
const MIN_LETTERS: usize = 20;

/// An identifier that combines language models and CLD2.
#[derive(Debug)]
pub struct Combined {
    models: LanguageModel,
    /// The models of the target's neighbours, if there are many other languages.
    near: Option<Near>,
    /// Empty if every script of the models is identified by them.
    targets: Vec<LangCode>,
}

impl Combined {
    /// Creates an identifier from the library's own packs and `packs`. If several packs have a
    /// language, the last one is used. With a target, the models identify only text in the target's
    /// scripts.
    pub fn new(packs: Vec<Pack>, target: Option<LangCode>) -> Self {
        Self::for_targets(packs, target.into_iter().collect())
    }

    /// Creates an identifier for several targets. The models identify only text in the scripts of
    /// one of the targets; without a target, in all of their scripts.
    pub fn for_targets(packs: Vec<Pack>, targets: Vec<LangCode>) -> Self {
        let models = LanguageModel::new(Pack::shipped().into_iter().chain(packs).collect());
        let near = if targets.is_empty() { None } else { Near::new(&models, &targets) };
        Self { near, models, targets }
    }

    /// Returns the targets.
    pub(crate) fn targets(&self) -> &[LangCode] {
        &self.targets
    }

    /// Returns the packs of the models.
    pub(crate) fn packs(&self) -> &[Arc<Pack>] {
        self.models.packs()
    }

    /// Returns whether the models have a language in a script.
    pub(crate) fn knows(&self, language: LangCode, script: Script) -> bool {
        self.models.knows(language, script)
    }

    /// Returns whether the models identify a script.
    fn is_ours(&self, script: Script) -> bool {
        if self.targets.is_empty() {
            return self.models.reads(script);
        }
        self.targets.iter().any(|&target| self.models.knows(target, script))
    }

    /// Splits a run of one of the models' scripts by language: first by the near models, then by
    /// all models, then by CLD2, each for the text that is not identified yet.
    fn runs_in(&self, stretch: &str, script: Script) -> Vec<Run> {
        let within = |range: Range<usize>, found: Vec<Run>| {
            let moved = move |part: Range<usize>| range.start + part.start..range.start + part.end;
            found.into_iter().map(move |(language, part)| (language, moved(part)))
        };
        let by_all = |range: Range<usize>| {
            within(range.clone(), self.models.runs_in(&stretch[range], script))
        };
        let mut tiles: Vec<Run> = Vec::new();
        match &self.near {
            Some(near) => {
                near.models.runs_in(stretch, script).into_iter().for_each(|(language, range)| {
                    if near.settles(language) && range.len() >= MIN_SETTLED {
                        tiles.push((language, range));
                    } else {
                        tiles.extend(by_all(range));
                    }
                })
            }
            None => tiles.extend(by_all(0..stretch.len())),
        }
        for (language, range) in &mut tiles {
            if *language == LangCode::UND {
                *language = self.second_opinion(&stretch[range.clone()], script, None);
            }
        }
        tiles
    }

    /// Returns CLD2's result for text without a result of the models, if the models lack that
    /// language.
    fn second_opinion(&self, text: &str, script: Script, allowed: Allowed) -> LangCode {
        match Cld2.identify(text, allowed) {
            known if self.models.knows(known, script) => LangCode::UND,
            lacking => lacking,
        }
    }
}

impl Identify for Combined {
    /// Returns the language of the script with most letters.
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode {
        let mut letters: Vec<(Script, usize)> = Vec::new();
        for_each_word(text, |word| {
            match letters.iter_mut().find(|(script, _)| *script == word.script) {
                Some((_, count)) => *count += word.letters.len(),
                None => letters.push((word.script, word.letters.len())),
            }
        });
        let most =
            letters.into_iter().max_by_key(|&(script, count)| (count, std::cmp::Reverse(script)));
        let Some((script, _)) = most else { return LangCode::UND };
        if !self.is_ours(script) {
            return Cld2.identify(text, allowed);
        }
        // With `allowed`, the near models may have one allowed language only, and none to compare
        // it with.
        let long = self.near.as_ref().filter(|_| allowed.is_none() && text.len() >= MIN_SETTLED);
        let settled = |near: &Near| {
            Some(near.models.identify(text, allowed)).filter(|&found| near.settles(found))
        };
        match long.and_then(settled).unwrap_or_else(|| self.models.identify(text, allowed)) {
            LangCode::UND => self.second_opinion(text, script, allowed),
            sure => sure,
        }
    }

    fn runs(&self, text: &str) -> Vec<Run> {
        let mut runs = Vec::new();
        for (script, stretch) in stretches(text) {
            let part = &text[stretch.clone()];
            let found =
                if self.is_ours(script) { self.runs_in(part, script) } else { Cld2.runs(part) };
            for (language, range) in found {
                append(&mut runs, language, stretch.start + range.start..stretch.start + range.end);
            }
        }
        runs
    }

    fn languages(&self) -> Vec<LangCode> {
        let all: BTreeSet<_> =
            self.models.languages().into_iter().chain(Cld2.languages()).collect();
        all.into_iter().collect()
    }

    fn version(&self) -> String {
        format!("{}+{}", self.models.version(), Cld2.version())
    }
}

/// Splits a text by the scripts of its words. Short runs, and text without a script, belong to the
/// previous run; at the start of the text to the next one.
fn stretches(text: &str) -> Vec<(Script, Range<usize>)> {
    /// A run of words in one script.
    struct Stretch {
        script: Script,
        start: usize,
        letters: usize,
    }
    let mut found: Vec<Stretch> = Vec::new();
    for_each_word(text, |word| match found.last_mut() {
        Some(last) if last.script == word.script => last.letters += word.letters.len(),
        _ => found.push(Stretch {
            script: word.script,
            start: word.start,
            letters: word.letters.len(),
        }),
    });
    let mut merged: Vec<Stretch> = Vec::new();
    for stretch in found {
        match merged.last_mut() {
            Some(last) if last.script == stretch.script || stretch.letters < MIN_LETTERS => {
                let counts = last.script == stretch.script;
                last.letters += if counts { stretch.letters } else { 0 };
            }
            // The previous run was too short to stand alone.
            Some(last) if last.letters < MIN_LETTERS => {
                (last.script, last.letters) = (stretch.script, stretch.letters);
            }
            _ => merged.push(stretch),
        }
    }
    let ends: Vec<usize> =
        merged.iter().skip(1).map(|next| next.start).chain([text.len()]).collect();
    let starts =
        merged.iter().enumerate().map(|(at, stretch)| if at == 0 { 0 } else { stretch.start });
    let tiles: Vec<_> = starts
        .zip(ends)
        .zip(&merged)
        .map(|((start, end), stretch)| (stretch.script, start..end))
        .collect();
    if tiles.is_empty() && !text.is_empty() {
        return vec![(Script::NONE, 0..text.len())];
    }
    tiles
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn tags(text: &str) -> Vec<(&'static str, &str)> {
        stretches(text).into_iter().map(|(script, range)| (script.tag(), &text[range])).collect()
    }

    #[test]
    fn a_name_in_another_script_is_part_of_its_sentence() {
        assert_eq!(tags("یہ Android فون ہے۔"), [("Arab", "یہ Android فون ہے۔")]);
        assert_eq!(
            tags("USA: یہ ایک لمبا جملہ ہے جو اردو میں ہے"),
            [("Arab", "USA: یہ ایک لمبا جملہ ہے جو اردو میں ہے")]
        );
    }

    #[test]
    fn a_sentence_in_another_script_is_a_stretch_of_its_own() {
        let text = "یہ ایک لمبا جملہ ہے جو اردو میں ہے۔ This one is in English, and long enough.";
        let found = tags(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1], ("Latn", "This one is in English, and long enough."));
    }

    #[test]
    fn with_a_target_text_in_another_allowed_language_is_not_the_target() {
        let [sme, swa] = ["sme", "swa"].map(|code| code.parse().unwrap());
        let text = "Watoto wote wanasoma vitabu vyao shuleni kila siku asubuhi pamoja na walimu wao wapendwa.";
        let identifier = Combined::new(vec![], Some(sme));
        assert_eq!(identifier.identify(text, Some(&[sme, swa])), swa);
        assert_eq!(identifier.identify(text, None), swa);
        assert_eq!(identifier.runs(text), [(swa, 0..text.len())]);
    }

    #[test]
    fn with_several_targets_text_has_the_language_that_each_alone_finds() {
        let [urd, snd, sme] = ["urd", "snd", "sme"].map(|code| code.parse().unwrap());
        let urdu = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں بہت سے لوگ آئے اور دیر تک بیٹھے رہے۔";
        let sami = "Sámi giella lea davvisámegiella ja dat gullá uralalaš giellabearrašii Davvi-Eurohpas ja Ruoššas.";
        let text = format!("{urdu} {sami}");
        let all = Combined::for_targets(vec![], vec![urd, snd, sme]);
        let alone = |target| Combined::new(vec![], Some(target));
        assert_eq!(all.identify(urdu, None), urd);
        assert_eq!(all.identify(sami, None), sme);
        assert_eq!(all.runs(urdu), alone(urd).runs(urdu));
        assert_eq!(all.runs(sami), alone(sme).runs(sami));
        assert_eq!(all.runs(&text).len(), 2);
        assert_eq!(all.version(), alone(urd).version());
        let scripts: Vec<_> = all.target_scripts().unwrap().into_iter().map(Script::tag).collect();
        assert_eq!(scripts, ["Arab", "Deva", "Latn"]);
    }

    proptest! {
        #[test]
        fn stretches_and_runs_tile_the_text(text: String) {
            let mut at = 0;
            for (_, range) in stretches(&text) {
                prop_assert_eq!(range.start, at);
                at = range.end;
                prop_assert!(text.is_char_boundary(at));
            }
            prop_assert_eq!(at, text.len());
            for identifier in [Combined::new(vec![], None), Combined::new(vec![], Some("urd".parse().unwrap()))] {
                let mut at = 0;
                for (_, range) in identifier.runs(&text) {
                    prop_assert_eq!(range.start, at);
                    prop_assert!(range.end > at);
                    at = range.end;
                }
                prop_assert_eq!(at, text.len());
            }
        }
    }
}
