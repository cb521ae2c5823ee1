//! The second stage of the identification: languages of far packs.
//!
//! A far pack has hundreds of languages that are rare on the web, most of them from word counts of
//! one book. A comparison of every text with all of them would cost time, and would by chance
//! assign text of large languages to far ones. Therefore a far language is compared only with text
//! that the other models do not predict well. It must predict the text better by a margin, which is
//! part of its models ([`HANDICAP`](crate::HANDICAP) for each word).
//!
//! A far language that is a target is also one of the first models, with its neighbours, so that a
//! page in several languages is split at the right places. All far languages then confirm the
//! result.
//!
//! If an ordinary pack has a language in a script, the language is not far in that script, even if
//! a far pack has it too.

use crate::list::WordList;
use crate::lm::{Judged, LanguageModel};
use crate::near::around;
use crate::pack::Pack;
use crate::words::Script;
use crate::{Allowed, Identify, LangCode};
use std::collections::BTreeSet;

/// Text is compared with the far languages if its cost in the first models is more than this above
/// the usual cost, in bits per letter.
const DOUBT: f64 = 0.8;

/// Least length of text in a far language, in letters and word ends. The cost of shorter text is
/// too uncertain.
const MIN_LETTERS: u64 = 30;

/// Number of languages closest to a target among the first models.
const NEIGHBOURS: usize = 24;

/// The models of far packs.
#[derive(Debug)]
pub(crate) struct Far {
    models: LanguageModel,
    languages: BTreeSet<LangCode>,
    /// The languages that no ordinary pack has in that script.
    only: BTreeSet<(LangCode, Script)>,
}

impl Far {
    /// Creates the stage from far packs, beside the ordinary packs of the first stage; `None`
    /// without far packs.
    pub fn new(packs: Vec<Pack>, ordinary: &[Pack]) -> Option<Self> {
        if packs.is_empty() {
            return None;
        }
        let only = &of_scripts(&packs) - &of_scripts(ordinary);
        let models = LanguageModel::new(packs);
        let languages = models.languages().into_iter().collect();
        Some(Self { models, languages, only })
    }

    /// Returns the models of the targets that are far, with their neighbours, for the first stage.
    pub fn around(&self, targets: &[LangCode]) -> Vec<Pack> {
        let is_far = |target: &&LangCode| self.only.iter().any(|(code, _)| code == *target);
        let targets: Vec<_> = targets.iter().filter(is_far).copied().collect();
        self.models.packs().iter().filter_map(|pack| around(pack, &targets, NEIGHBOURS)).collect()
    }

    /// Returns whether the models have any language in a script.
    pub fn reads(&self, script: Script) -> bool {
        self.models.reads(script)
    }

    /// Returns the languages.
    pub fn languages(&self) -> &BTreeSet<LangCode> {
        &self.languages
    }

    /// Returns the version of the models.
    pub fn version(&self) -> String {
        self.models.version()
    }

    /// Returns the language of a text that is in `found` without the far languages. `first` is the
    /// result of the ordinary models.
    pub fn language(
        &self,
        first: impl FnOnce() -> Option<Judged>,
        text: &str,
        script: Script,
        found: LangCode,
        allowed: Allowed,
    ) -> LangCode {
        let is_far = self.only.contains(&(found, script));
        let first = if is_far { None } else { first() };
        if first.is_some_and(|first| first.surprise <= DOUBT && found != LangCode::UND) {
            return found;
        }
        let words = &WordList::unsplit(text);
        let Some(far) = self.models.judge(words, script, allowed) else { return found };
        if is_far {
            return far.language;
        }
        let is_less = first.is_none_or(|first| far.cost < first.cost);
        if far.language != LangCode::UND && far.letters >= MIN_LETTERS && is_less {
            far.language
        } else {
            found
        }
    }
}

/// Returns the languages of packs with their scripts.
fn of_scripts(packs: &[Pack]) -> BTreeSet<(LangCode, Script)> {
    let sections = packs.iter().flat_map(|pack| &pack.sections);
    let of = |section: &'_ crate::pack::Section| {
        let script = section.script;
        section.languages.iter().map(move |language| (language.code, script)).collect::<Vec<_>>()
    };
    sections.flat_map(of).collect()
}
