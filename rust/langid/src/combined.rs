//! The default identifier: our language models for some scripts, CLD2 for the others.
//!
//! With a target language, the models identify text in the target's scripts, which similar
//! languages use too. CLD2 identifies all other scripts: no text in them can be mistaken for the
//! target, and CLD2 is good and fast there. Without a target, the models identify every script that
//! they have. Text that no model identifies with confidence goes to CLD2; its result counts if the
//! models lack that language. If the models find several languages of CLD2 about as likely, CLD2
//! chooses one of them: it was trained from more text (Kinyarwanda and Rundi, Bosnian and
//! Croatian). For a target that only CLD2 has, CLD2 identifies everything. With several targets,
//! the models identify the scripts of all of them.
//!
//! In a script of many languages, a text is first compared with the languages closest to the target
//! and with the common ones (`near.rs`), and with all languages only if the result is not final.
//! The languages of far packs come last, and only for text that no other language predicts well
//! (`far.rs`).

use crate::far::Far;
use crate::identify::{append, Run};
use crate::list::WordList;
use crate::lm::restored::{self, Budget};
use crate::lm::{Judged, Others};
use crate::near::{Near, MIN_SETTLED};
use crate::probability;
use crate::scripts::scripts_in;
use crate::words::{Script, Scripts};
use crate::{Allowed, Cld2, Fit, Identify, LangCode, LanguageModel, Pack};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// A script without a run of this many letters may be used only for names and terms in the text.
const MIN_LETTERS: usize = 20;
/// Such a script belongs to the surrounding text if it has less than one letter in this many.
const NAMES: usize = 10;
/// Cost of a letter, as a multiple of the usual one, above which a text may be in another spelling.
const UNUSUAL: f64 = 1.1;
/// Ranges of fewer bytes are joined without a blank.
const MIN_SEPARATED: usize = 6;

/// An identifier that combines language models and CLD2.
#[derive(Debug)]
pub struct Combined {
    models: LanguageModel,
    /// The models of the target's neighbours, if there are many other languages.
    near: Option<Near>,
    /// The models of far packs.
    far: Option<Far>,
    /// Empty if the models identify all of their scripts.
    targets: Vec<LangCode>,
}

impl Combined {
    /// Creates an identifier from the library's own packs and `packs`. If several packs have a
    /// language, its models are mixed. With a target, the models identify only text in the target's
    /// scripts. Without a target, languages that are common on the web are preferred (`prior.rs`).
    pub fn new(packs: Vec<Pack>, target: Option<LangCode>) -> Self {
        Self::for_targets(packs, target.into_iter().collect())
    }

    /// Creates an identifier for several targets. The models identify only text in the scripts of
    /// one of the targets. Without a target, they identify all of their scripts, and languages that
    /// are common on the web are preferred (`prior.rs`).
    pub fn for_targets(packs: Vec<Pack>, targets: Vec<LangCode>) -> Self {
        let (far, packs): (Vec<Pack>, Vec<Pack>) = packs.into_iter().partition(Pack::is_far);
        // A pack that has a target is there for its languages.
        let guarded = |mut pack: Pack| {
            let has_target = pack.languages().any(|(known, _)| targets.contains(&known.code));
            pack.is_guarded = !has_target;
            pack
        };
        let packs = packs.into_iter().map(guarded);
        let mut packs: Vec<Pack> = Pack::shipped().into_iter().chain(packs).collect();
        let far = Far::new(far, &packs);
        packs.extend(far.as_ref().map_or(Vec::new(), |far| far.around(&targets)));
        let models = match targets.is_empty() {
            true => LanguageModel::with_prior(packs),
            false => LanguageModel::new(packs),
        };
        let near = if targets.is_empty() { None } else { Near::new(&models, &targets) };
        Self { near, far, models, targets }
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
            return self.models.reads(script)
                || self.far.as_ref().is_some_and(|far| far.reads(script));
        }
        self.targets.iter().any(|&target| self.models.knows(target, script))
    }

    /// Splits a run of one of the models' scripts by language: first by the near models, then by
    /// all models, then by CLD2, each for the text that is not identified yet.
    fn runs_in(&self, words: &WordList, script: Script, budget: &Budget) -> Vec<Run> {
        let stretch = words.text();
        let mut parts = Vec::new();
        match &self.near {
            Some(near) => {
                for ((language, range), others) in near.models.parts_in(words, script) {
                    let others = Others { judged: None, ..others };
                    if near.settles(language) && range.len() >= MIN_SETTLED {
                        parts.push(((language, range), others));
                    } else {
                        let part = WordList::unsplit(&stretch[range.clone()]);
                        let found = self.models.parts_in(&part, script);
                        let moved = |((language, part), others): (Run, Others)| {
                            let part = range.start + part.start..range.start + part.end;
                            ((language, part), others)
                        };
                        parts.extend(found.into_iter().map(moved));
                    }
                }
            }
            None => parts = self.models.parts_in(words, script),
        }
        let mut runs = Vec::new();
        let is_doubtful = |part: &(Run, Others)| {
            part.1.judged.is_none_or(|judged| restored::is_doubtful(&judged, script))
        };
        for parts in parts.chunk_by(|one, other| is_doubtful(one) && is_doubtful(other)) {
            let (((_, first), _), ((_, last), _)) = (&parts[0], &parts[parts.len() - 1]);
            let all = first.start..last.end;
            // Text from another keyboard looks like several languages in turn, so neighbouring
            // doubtful parts are compared together.
            if parts.len() > 1 {
                let spelled = self.respelled(None, &stretch[all.clone()], script, None, budget);
                if let Some(spelled) = spelled {
                    append(&mut runs, spelled.language, all);
                    continue;
                }
            }
            for ((language, range), others) in parts {
                let text = &stretch[range.clone()];
                let (found, _) = self.decided(*language, others, text, script, None, budget);
                append(&mut runs, found, range.clone());
            }
        }
        runs
    }

    /// Returns the result for a text that was typed on a keyboard which lacks letters of its
    /// language; `None` if there is no sign of it. `judged` is the result of all models for the
    /// text as it is, `None` if it is not known.
    fn respelled(
        &self,
        judged: Option<Judged>,
        text: &str,
        script: Script,
        allowed: Allowed,
        budget: &Budget,
    ) -> Option<Judged> {
        let is_clear =
            |judged: Option<Judged>| judged.is_some_and(|it| !restored::is_doubtful(&it, script));
        if is_clear(judged) || !restored::is_plain(text, script) {
            return None;
        }
        let (judged, text) = match restored::sample(text) {
            Some(sample) => (None, sample),
            None => (judged, text),
        };
        let judge = |text| self.models.judge(&WordList::unsplit(text), script, allowed);
        let judged = judged.or_else(|| judge(text))?;
        let is_settled = is_clear(Some(judged)) || restored::is_hopeless(&judged, script);
        if is_settled || !budget.take(text) {
            return None;
        }
        let chosen = self.models.choose(&WordList::unsplit(text), script, allowed)?;
        let respell =
            |text| self.models.judge_restored(&WordList::unsplit(text), script, allowed, &chosen);
        if let Some(first) = restored::first_words(text) {
            if !restored::may_be_likelier(&respell(first)?, &judge(first)?) {
                return None;
            }
        }
        let restored = respell(text)?;
        let has_prior = self.targets.is_empty();
        if !restored::is_likelier(&restored, &judged, has_prior) {
            return None;
        }
        budget.earn(text);
        Some(restored)
    }

    /// Returns whether a text is in a language in its cheapest spelling alone.
    fn is_respelled(&self, text: &str, language: LangCode) -> bool {
        let script = main_script(&WordList::new(text)).filter(|&script| self.is_ours(script));
        let respelled = |script| self.respelled(None, text, script, None, &Budget::new());
        script.and_then(respelled).is_some_and(|restored| restored.language == language)
    }

    /// Returns the language of a text after the models' result, and that result, or the one for
    /// another spelling. A far language may replace that of [`among_near`](Self::among_near), but
    /// not a language that only CLD2 has: the models cannot compare it with a far one.
    fn decided(
        &self,
        language: LangCode,
        others: &Others,
        text: &str,
        script: Script,
        allowed: Allowed,
        budget: &Budget,
    ) -> (LangCode, Option<Judged>) {
        // The result of the near models is final, and has no surprise.
        if language == LangCode::UND || others.judged.is_some() {
            let restored = self.respelled(others.judged, text, script, allowed, budget);
            if let Some(restored) = restored {
                return (restored.language, Some(restored));
            }
        }
        let found = self.among_near(language, others, text, script, allowed);
        let is_of_cld2 = found != LangCode::UND && !self.models.knows(found, script);
        let found = match &self.far {
            Some(far) if !is_of_cld2 => {
                let judged = others.judged.filter(|_| allowed.is_none());
                let judge = || self.models.judge(&WordList::unsplit(text), script, None);
                far.language(|| judged.or_else(judge), text, script, found, allowed)
            }
            _ => found,
        };
        (found, others.judged)
    }

    /// Returns the language of a text after the models' result, without the far languages. If the
    /// models have no result, CLD2's result counts if the models lack that language. If the models
    /// find several languages about as likely, CLD2 chooses one of these. Only languages that both
    /// CLD2 and the models have are compared, because CLD2 confuses the others with their
    /// neighbours.
    fn among_near(
        &self,
        language: LangCode,
        others: &Others,
        text: &str,
        script: Script,
        allowed: Allowed,
    ) -> LangCode {
        if language == LangCode::UND {
            return self.second_opinion(text, script, allowed);
        }
        if others.yields {
            return match self.second_opinion(text, script, allowed) {
                LangCode::UND => language,
                lacking => lacking,
            };
        }
        if others.contenders.is_empty() || allowed.is_some() {
            return language;
        }
        match Cld2.identify(text, Some(&others.contenders)) {
            LangCode::UND => language,
            chosen => chosen,
        }
    }

    /// Splits text of one script by language.
    fn runs_of(&self, words: &WordList, script: Script, budget: &Budget) -> Vec<Run> {
        if self.is_ours(script) {
            self.runs_in(words, script, budget)
        } else {
            Cld2.runs(words.text())
        }
    }

    /// Returns CLD2's result for text without a result of the models, if the models lack that
    /// language.
    fn second_opinion(&self, text: &str, script: Script, allowed: Allowed) -> LangCode {
        match Cld2.identify(text, allowed) {
            known if self.models.knows(known, script) => LangCode::UND,
            lacking => lacking,
        }
    }

    /// Returns the language of the script with most letters, and the result of all models.
    fn found(&self, text: &str, allowed: Allowed, budget: &Budget) -> (LangCode, Option<Judged>) {
        let words = &WordList::new(text);
        let Some(script) = main_script(words) else { return (LangCode::UND, None) };
        if !self.is_ours(script) {
            return (Cld2.identify(text, allowed), None);
        }
        // With `allowed`, the near models may have one allowed language only, and none to compare
        // it with.
        let long = self.near.as_ref().filter(|_| allowed.is_none() && text.len() >= MIN_SETTLED);
        let settled = |near: &Near| {
            let found = near.models.with_contenders(words, script, allowed);
            let (language, others) = found;
            near.settles(language).then_some((language, Others { judged: None, ..others }))
        };
        let by_all = || self.models.with_contenders(words, script, allowed);
        let (language, others) = long.and_then(settled).unwrap_or_else(by_all);
        self.decided(language, &others, text, script, allowed, budget)
    }
}

impl Identify for Combined {
    /// Returns the language of the script with most letters.
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode {
        self.found(text, allowed, &Budget::new()).0
    }

    fn identify_as_written(&self, text: &str) -> LangCode {
        self.found(text, None, &Budget::none()).0
    }

    /// Only a rare language of the models may have a misfit.
    fn identify_with_misfit(&self, text: &str) -> (LangCode, f64) {
        let (language, judged) = self.found(text, None, &Budget::new());
        let judged = judged.filter(|judged| judged.language == language);
        let least = judged.and_then(|judged| judged.least);
        (language, least.map_or(f64::NEG_INFINITY, |fit| fit.misfit()))
    }

    fn runs(&self, text: &str) -> Vec<Run> {
        self.runs_within(text, &Budget::new())
    }

    /// Identifies the text of each script together: if languages are mixed word by word, the
    /// letters of each script are in a language of that script, whatever the order of the words.
    fn runs_within(&self, text: &str, budget: &Budget) -> Vec<Run> {
        let words = WordList::new(text);
        let stretches = stretches(&words);
        let mut scripts: Vec<(Script, Vec<Range<usize>>)> = Vec::new();
        for (script, range) in stretches {
            match scripts.iter_mut().find(|(known, _)| *known == script) {
                Some((_, ranges)) => ranges.push(range),
                None => scripts.push((script, vec![range])),
            }
        }
        let mut found: Vec<Run> = Vec::new();
        for (script, ranges) in scripts {
            match &ranges[..] {
                [alone] if alone.len() == text.len() => {
                    found.extend(self.runs_of(&words, script, budget))
                }
                [alone] => {
                    let part = WordList::unsplit(&text[alone.clone()]);
                    let shifted = |(language, run): Run| {
                        (language, alone.start + run.start..alone.start + run.end)
                    };
                    found.extend(self.runs_of(&part, script, budget).into_iter().map(shifted));
                }
                several => {
                    let (joined, starts) = join(text, several);
                    let runs = self.runs_of(&WordList::unsplit(&joined), script, budget);
                    found.extend(spread(runs, several, &starts));
                }
            }
        }
        found.sort_unstable_by_key(|(_, range)| range.start);
        let mut runs = Vec::new();
        found.into_iter().for_each(|(language, range)| append(&mut runs, language, range));
        runs
    }

    /// Only for text in the scripts of the models. Languages of far packs have none.
    fn probability(&self, text: &str, result: LangCode) -> Option<f64> {
        let words = &WordList::new(text);
        let script = main_script(words).filter(|&script| self.is_ours(script))?;
        let judged = self.models.judge(words, script, None)?;
        let respelled = self.respelled(Some(judged), text, script, None, &Budget::new());
        let judged = respelled.unwrap_or(judged);
        let is_found = result == judged.language;
        let is_accepted = judged.language != LangCode::UND && !judged.yields;
        if result == LangCode::UND || !is_found && !LangCode::of_cld2_tables().contains(&result) {
            None
        } else if is_found || is_accepted {
            Some(probability::of_models(&judged, text, result))
        } else {
            Some(probability::OF_CLD2)
        }
    }

    /// Only in the scripts that the models identify.
    fn fit(&self, text: &str, language: LangCode) -> Option<Fit> {
        let is_ours = |script| self.is_ours(script);
        // The near models have just read most words.
        let near = self.near.as_ref();
        let near = near.and_then(|near| near.models.fit_where(text, language, false, is_ours));
        let fit = near.or_else(|| self.models.fit_where(text, language, false, is_ours))?;
        if fit.surprise > UNUSUAL && self.is_respelled(text, language) {
            let sample = restored::sample(text).unwrap_or(text);
            return self.models.fit_where(sample, language, true, is_ours);
        }
        Some(fit)
    }

    /// Only in the scripts that the models identify.
    fn lead(&self, text: &str, language: LangCode, other: LangCode) -> Option<f64> {
        let words = &WordList::new(text);
        let script = main_script(words).filter(|&script| self.is_ours(script))?;
        let near = self.near.as_ref();
        let near = near.and_then(|near| near.models.lead_in(words, script, language, other));
        near.or_else(|| self.models.lead_in(words, script, language, other))
    }

    fn frequent_words(&self, text: &str, language: LangCode) -> Option<(usize, usize)> {
        crate::stop::frequent_words(self.models.packs(), text, language)
    }

    /// `None` also if only CLD2 has one of the targets.
    fn target_scripts(&self) -> Option<Vec<Script>> {
        let of_each = self.targets.iter().map(|&target| self.scripts_of(target));
        let all: BTreeSet<Script> =
            of_each.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
        (!all.is_empty()).then(|| all.into_iter().collect())
    }

    fn model_scripts(&self, language: LangCode) -> Scripts {
        scripts_in(self.packs().iter().map(AsRef::as_ref), language)
    }

    fn languages(&self) -> Vec<LangCode> {
        let far = self.far.iter().flat_map(|far| far.languages().iter().copied());
        let all: BTreeSet<_> =
            self.models.languages().into_iter().chain(Cld2.languages()).chain(far).collect();
        all.into_iter().collect()
    }

    fn version(&self) -> String {
        let far = self.far.as_ref().map_or(String::new(), |far| format!("+far/{}", far.version()));
        format!("{}+{}{far}", self.models.version(), Cld2.version())
    }
}

/// Returns the script with most letters; `None` for a text without words. In the scripts whose
/// letters take three bytes a letter is a syllable or more, and counts twice: a word in Burmese has
/// half as many letters as one in English. Latin letters beside another script count half, because
/// products, code and units have Latin names in text of any script.
fn main_script(words: &WordList) -> Option<Script> {
    let mut letters: Vec<(Script, usize)> = Vec::new();
    words.for_each(|word| {
        let (count, bytes) = (usize::from(word.letters), word.end - word.start);
        let is_syllable = bytes >= 3 * count;
        let weight =
            if word.script == Script::of('a') { 1 } else { 2 + 2 * usize::from(is_syllable) };
        match letters.iter_mut().find(|(script, _)| *script == word.script) {
            Some((_, sum)) => *sum += weight * count,
            None => letters.push((word.script, weight * count)),
        }
    });
    let most =
        letters.into_iter().max_by_key(|&(script, count)| (count, std::cmp::Reverse(script)));
    most.map(|(script, _)| script)
}

/// Joins ranges of a text, and returns where each begins in the result. A blank separates words
/// that nothing else separates, except after very short ranges, so that the result is hardly longer
/// than the ranges if the script changes at every letter.
fn join(text: &str, ranges: &[Range<usize>]) -> (String, Vec<usize>) {
    let mut joined = String::new();
    let mut starts = Vec::with_capacity(ranges.len());
    for range in ranges {
        starts.push(joined.len());
        let part = &text[range.clone()];
        joined.push_str(part);
        if part.len() >= MIN_SEPARATED && !part.ends_with(char::is_whitespace) {
            joined.push(' ');
        }
    }
    (joined, starts)
}

/// Splits the runs of ranges that [`join`] joined among these ranges.
fn spread(joined: Vec<Run>, ranges: &[Range<usize>], starts: &[usize]) -> Vec<Run> {
    let mut found = Vec::new();
    let mut joined = joined.into_iter().peekable();
    for (range, &start) in ranges.iter().zip(starts) {
        let end = start + range.len();
        let mut done = start;
        while let Some((language, run)) = joined.peek().filter(|(_, run)| run.start < end) {
            let stop = run.end.min(end);
            if done < stop {
                found.push((*language, range.start + done - start..range.start + stop - start));
                done = stop;
            }
            if run.end > end {
                break;
            }
            joined.next();
        }
    }
    found
}

/// Splits a text by the scripts of its words. Scripts of names, and text without a script, belong
/// to the previous run; at the start of the text to the next one.
fn stretches(words: &WordList) -> Vec<(Script, Range<usize>)> {
    /// A run of words in one script.
    struct Stretch {
        script: Script,
        start: usize,
        letters: usize,
    }
    /// A script's letters in the text, and in its longest run.
    struct Letters {
        script: Script,
        all: usize,
        longest: usize,
    }
    let mut found: Vec<Stretch> = Vec::new();
    words.for_each(|word| match found.last_mut() {
        Some(last) if last.script == word.script => last.letters += usize::from(word.letters),
        _ => found.push(Stretch {
            script: word.script,
            start: word.start,
            letters: usize::from(word.letters),
        }),
    });
    let mut scripts: Vec<Letters> = Vec::new();
    for &Stretch { script, letters, .. } in &found {
        match scripts.iter_mut().find(|known| known.script == script) {
            Some(known) => {
                known.all += letters;
                known.longest = known.longest.max(letters);
            }
            None => scripts.push(Letters { script, all: letters, longest: letters }),
        }
    }
    let all: usize = scripts.iter().map(|script| script.all).sum();
    let most = scripts.iter().map(|script| script.all).max();
    let is_of_names = |stretch: &Stretch| {
        let script = scripts.iter().find(|known| known.script == stretch.script);
        script.is_some_and(|script| {
            script.longest < MIN_LETTERS && script.all * NAMES < all && Some(script.all) != most
        })
    };
    let mut merged: Vec<Stretch> = Vec::new();
    for stretch in found.into_iter().filter(|stretch| !is_of_names(stretch)) {
        if merged.last().is_none_or(|last| last.script != stretch.script) {
            merged.push(stretch);
        }
    }
    let ends: Vec<usize> =
        merged.iter().skip(1).map(|next| next.start).chain([words.text().len()]).collect();
    let starts =
        merged.iter().enumerate().map(|(at, stretch)| if at == 0 { 0 } else { stretch.start });
    let tiles: Vec<_> = starts
        .zip(ends)
        .zip(&merged)
        .map(|((start, end), stretch)| (stretch.script, start..end))
        .collect();
    if tiles.is_empty() && !words.text().is_empty() {
        return vec![(Script::NONE, 0..words.text().len())];
    }
    tiles
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn tags(text: &str) -> Vec<(&'static str, &str)> {
        let words = WordList::unsplit(text);
        stretches(&words).into_iter().map(|(script, range)| (script.tag(), &text[range])).collect()
    }

    #[test]
    fn a_name_in_another_script_is_part_of_its_sentence() {
        assert_eq!(
            tags("USA: یہ ایک لمبا جملہ ہے جو اردو زبان میں لکھا گیا ہے"),
            [("Arab", "USA: یہ ایک لمبا جملہ ہے جو اردو زبان میں لکھا گیا ہے")]
        );
    }

    #[test]
    fn each_script_of_mixed_words_has_a_language_of_its_own_in_any_order() {
        let identifier = Combined::new(vec![], Some("urd".parse().unwrap()));
        let words = ["Government", "نے", "policy", "announce", "کی", "ہے"];
        let mut orders = vec![words.to_vec(), words.iter().rev().copied().collect()];
        orders.push(["نے", "Government", "کی", "policy", "ہے", "announce"].to_vec());
        for order in orders {
            let text = order.join(" ");
            let urdu =
                |(language, range): Run| if language.as_str() == "urd" { range.len() } else { 0 };
            let urdu: usize = identifier.runs(&text).into_iter().map(urdu).sum();
            let letters: usize =
                words.iter().filter(|word| !word.is_ascii()).map(|word| word.len()).sum();
            assert!((letters..=letters + 3).contains(&urdu), "{text}: {urdu} of {letters}");
        }
    }

    #[test]
    fn a_sentence_in_another_script_is_a_stretch_of_its_own() {
        let text = "یہ ایک لمبا جملہ ہے جو اردو میں ہے۔ This one is in English, and long enough.";
        let found = tags(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1], ("Latn", "This one is in English, and long enough."));
    }

    #[test]
    fn text_in_a_language_without_a_model_is_unknown_and_rare_neighbours_are_found() {
        let identifier = Combined::new(vec![], None);
        // The Declaration in Umbundu and Kekchí.
        let unknown = [
            "Omunu wosi okuete omoko yoku kuata omuenyo wahe, yoku lisanja vofeka kuenda yoku \
             hindingila.",
            "Xch'olob'ankil naq aajel ru naq juntaq'eet chi tawmaanq ru li na'leb' xyeeman arin, re \
             naq chi tz'aqatz'aqal tauxmaanq;",
        ];
        for text in unknown {
            assert_eq!(identifier.identify(text, None), LangCode::UND, "{text}");
        }
        let known = [
            ("ast", "Anque nun lo sepas, toi equí pa ayudate colos tos problemes."),
            ("mkd", "Не знам што сакаш да кажеш со тоа."),
            ("yue", "我唔知你講緊乜嘢，不過佢話聽日會嚟。"),
        ];
        for (code, text) in known {
            assert_eq!(identifier.identify(text, None).as_str(), code, "{text}");
        }
    }

    #[test]
    fn one_or_two_words_are_in_a_common_language_unless_there_is_a_target() {
        let identifier = Combined::new(vec![], None);
        for (text, language) in [("Читать далее", "rus"), ("Contact us", "eng"), ("پاکستان", "urd")]
        {
            assert_eq!(identifier.identify(text, None).as_str(), language, "{text}");
        }
        let scots = Combined::new(vec![], Some("sco".parse().unwrap()));
        assert_eq!(scots.identify("Contact us", None).as_str(), "sco");
    }

    #[test]
    fn languages_are_identified_in_each_of_their_scripts() {
        let identifier = Combined::new(vec![], None);
        for (text, language) in SCRIPTS {
            assert_eq!(identifier.identify(text, None).as_str(), language, "{text}");
            let target = Combined::new(vec![], Some(language.parse().unwrap()));
            assert_eq!(target.identify(text, None).as_str(), language, "as the target: {text}");
            assert_eq!(target.runs(text), [(language.parse().unwrap(), 0..text.len())], "{text}");
        }
    }

    #[test]
    fn cld2_chooses_among_languages_that_are_about_as_likely() {
        let [eng, hrv] = ["eng", "hrv"].map(|code| code.parse().unwrap());
        let identifier = Combined::new(vec![], None);
        let text = "The river rose during the night and the ferry could not leave before noon.";
        let latin = Script::of('a');
        let decided = |contenders: &[LangCode], text, allowed| {
            let others = Others { contenders: contenders.to_vec(), ..Others::default() };
            identifier.decided(hrv, &others, text, latin, allowed, &Budget::new()).0
        };
        assert_eq!(decided(&[eng, hrv], text, None), eng);
        assert_eq!(decided(&[], text, None), hrv);
        assert_eq!(decided(&[eng, hrv], "xq", None), hrv, "CLD2 has no result");
        assert_eq!(decided(&[eng, hrv], text, Some(&[hrv, eng])), hrv);
    }

    #[test]
    fn a_latin_name_does_not_decide_a_line_in_another_script() {
        let identifier = Combined::new(vec![], None);
        for (text, language) in [
            ("Bluetooth ချိတ်ဆက်မှု", "mya"),
            ("Thunderbird បើកកម្មវិធី", "khm"),
            ("PostgreSQL ရွေးချယ်ရန်", "mya"),
            ("LibreOffice 错误消息", "zho"),
            ("Установка NetworkManager", "rus"),
            ("Kubernetes नोड सूची", "hin"),
        ] {
            assert_eq!(identifier.identify(text, None).as_str(), language, "{text}");
        }
        let text = "The ferry to Реутово leaves at noon";
        assert_eq!(identifier.identify(text, None).as_str(), "eng");
    }

    #[test]
    fn function_words_decide_a_headline_of_names_without_a_target() {
        let headlines = [
            ("fra", "Ludovic Mbappé-Zanga : le buteur de Guingamp signe à Charleroi"),
            ("fra", "Le Gabon de Kodjovi Agbeyome va affronter le Niger à Lomé"),
            ("deu", "Kubernetes zu OpenShift: Volkswagen baut die Cloud in Chattanooga aus"),
            ("swa", "Kocha wa Yanga Miguel Gamondi asema Aziz Ki yuko huru kujiunga na Wydad"),
        ];
        let identifier = Combined::new(vec![], None);
        for (code, text) in headlines {
            assert_eq!(identifier.identify(text, None).as_str(), code, "{text}");
        }
        for names in ["Kodjovi Agbeyome, Wycliffe Barasa, Kwame Boateng", "Szczecin Charleroi Lomé"]
        {
            assert_eq!(identifier.identify(names, None), LangCode::UND, "{names}");
        }
        let with_target = Combined::new(vec![], Some("fra".parse().unwrap()));
        assert_eq!(with_target.identify(headlines[0].1, None), LangCode::UND);
    }

    #[test]
    fn text_typed_on_a_russian_keyboard_is_in_its_language() {
        let typed = [
            (
                "kaz",
                "Кеше кешке кала китапханасында акын туралы энгиме болды, оган коп адам келди.",
            ),
            ("kaz", "Бугин ауа райы жаксы, биз балалармен бирге тауга шыгып, озенде отырдык."),
            (
                "bak",
                "Богон ауыл китапханахында яны китаптар кургэзмэхе асылды, унда куп кеше килде.",
            ),
            (
                "tat",
                "Кичэ шэхэр китапханэсендэ шагыйрь белэн очрашу булды, анда бик куп кеше килде.",
            ),
            (
                "bel",
                "Учора у гарадской библиятэцы адбылася сустрэча з письменникам, на якую прыйшло \
                 шмат людзей.",
            ),
        ];
        let identifier = Combined::new(vec![], None);
        for (code, text) in typed {
            let language: LangCode = code.parse().unwrap();
            assert_eq!(identifier.identify(text, None), language, "{text}");
            assert!(identifier.probability(text, language).unwrap() > 0.5, "{text}");
            let target = Combined::new(vec![], Some(language));
            assert_eq!(target.runs(text), [(language, 0..text.len())], "{text}");
            let pages = text.repeat(12);
            assert_eq!(target.runs(&pages), [(language, 0..pages.len())], "{text}");
            assert_eq!(identifier.identify(&pages, None), language, "{text}");
            let fit = target.fit(text, language).unwrap();
            assert!(fit.surprise < 1.3, "{fit:?} {text}");
        }
        let (_, text) = typed[2];
        let spent = Budget::none();
        let without = identifier.runs_within(text, &spent);
        assert_ne!(without, identifier.runs(text), "nothing is compared without a budget");
        let budget = Budget::new();
        assert!((0..1000).all(|_| identifier.runs_within(text, &budget) == identifier.runs(text)));
        let as_written = |text| identifier.identify_as_written(text);
        assert!(typed.iter().any(|&(code, text)| as_written(text).as_str() != code));
        for russian in [
            "Президент Касым-Жомарт Токаев прибыл в Шымкент, где его встретил аким области Габит Сыздыкбеков.",
            "В городах Кызылорда и Шымкент сегодня ожидается дождь, сообщили в Казгидромете.",
        ] {
            assert_eq!(identifier.identify(russian, None).as_str(), "rus", "{russian}");
        }
    }

    #[test]
    fn separate_accents_are_as_good_as_letters_with_accents() {
        use unicode_normalization::UnicodeNormalization;
        let text = "Hôm qua trời mưa rất to nên chúng tôi ở nhà đọc sách.";
        let apart: String = text.nfd().collect();
        assert!(apart.len() > text.len());
        assert_eq!(Combined::new(vec![], None).identify(&apart, None).as_str(), "vie");
    }

    /// Sentences in a language's second script.
    const SCRIPTS: [(&str, &str); 6] = [
        ("昨天下午圖書館舉辦了一場關於臺灣歷史的演講,許多學生都來參加。", "zho"),
        (
            "Juče je u biblioteci održano predavanje o istoriji grada i svi su došli da ga čuju.",
            "srp",
        ),
        ("Кеча кутубхонада шаҳар тарихи ҳақида маъруза бўлди ва кўп одамлар келди.", "uzb"),
        ("Дүнән китабханада шәһәрин тарихи һаггында мүһазирә олду вә чохлу адам ҝәлди.", "aze"),
        ("Дүйн китапханада шәхериң тарыхы хакда чыкыш болды ве көп адам гелди.", "tuk"),
        ("دوهی ل پەرتووکخانێ سەمینارەک ل دۆر دیرۆکا باژێری هاتە گێڕان و گەلەک خەلک هاتن.", "kmr"),
    ];

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
            for (_, range) in stretches(&WordList::unsplit(&text)) {
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
