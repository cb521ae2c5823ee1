//! Metrics of an identifier, from counts of the languages of texts and its results.
//!
//! Zero divisions: precision is undefined (`None`) for a language that is the result for no text;
//! recall and rates are undefined for a language without texts; contamination is undefined if no
//! text with a weight has this result. F1 = 2 right / (texts + results) is 0 if no text is right.
//! The mean of no values is undefined.

use langid::LangCode;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Weights of languages where the identifier will be used, such as their shares of the web;
/// absolute size does not matter.
#[derive(Debug, Clone)]
pub enum Prior {
    /// All languages have the same weight.
    Uniform,
    /// Stated weights. Other languages have the weight 0.
    Weights(BTreeMap<LangCode, f64>),
}

impl Prior {
    fn of(&self, language: LangCode) -> f64 {
        match self {
            Prior::Uniform => 1.0,
            Prior::Weights(weights) => weights.get(&language).copied().unwrap_or(0.0),
        }
    }
}

/// Confusion of one language with the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// Texts in the language.
    pub texts: u64,
    /// Texts in any language with this language as the result.
    pub called: u64,
    /// Texts in the language with this language as the result.
    pub right: u64,
}

impl Score {
    /// Share of the texts with this result that are in the language.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.right as f64, self.called as f64)
    }

    /// Share of the texts in the language with this result.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.right as f64, self.texts as f64)
    }

    /// Harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        ratio(2.0 * self.right as f64, (self.texts + self.called) as f64).unwrap_or(0.0)
    }
}

/// Counts of texts by their language and result.
#[derive(Debug, Clone, Default)]
pub struct Confusion {
    counts: BTreeMap<LangCode, BTreeMap<LangCode, u64>>,
}

impl Confusion {
    /// Counts texts in one language with a result.
    pub fn add(&mut self, language: LangCode, called: LangCode, texts: u64) {
        *self.counts.entry(language).or_default().entry(called).or_default() += texts;
    }

    /// The languages with texts.
    pub fn languages(&self) -> BTreeSet<LangCode> {
        self.counts.keys().copied().collect()
    }

    /// The counts of texts in these languages only.
    pub fn of_texts_in(&self, languages: &BTreeSet<LangCode>) -> Confusion {
        let counts = self.counts.iter().filter(|(language, _)| languages.contains(language));
        Confusion { counts: counts.map(|(language, row)| (*language, row.clone())).collect() }
    }

    /// Texts in the language.
    pub fn texts(&self, language: LangCode) -> u64 {
        self.counts.get(&language).map_or(0, |row| row.values().sum())
    }

    /// Texts in one language with another as the result.
    pub fn count(&self, language: LangCode, called: LangCode) -> u64 {
        self.counts.get(&language).and_then(|row| row.get(&called)).copied().unwrap_or(0)
    }

    /// The results of texts in the language, right or wrong.
    pub fn results(&self, language: LangCode) -> impl Iterator<Item = LangCode> + '_ {
        self.counts.get(&language).into_iter().flat_map(|row| row.keys().copied())
    }

    /// P(result | language).
    pub fn rate(&self, language: LangCode, called: LangCode) -> Option<f64> {
        ratio(self.count(language, called) as f64, self.texts(language) as f64)
    }

    /// The score of one language among all languages with texts.
    pub fn score(&self, language: LangCode) -> Score {
        Score {
            texts: self.texts(language),
            called: self.counts.values().filter_map(|row| row.get(&language)).sum(),
            right: self.count(language, language),
        }
    }

    /// The wrong result that texts in the language have most often, ties by code.
    pub fn most_frequent_confusion(&self, language: LangCode) -> Option<(LangCode, u64)> {
        let others = self
            .counts
            .get(&language)?
            .iter()
            .filter(|(called, _)| ![language, LangCode::UND].contains(called));
        others
            .max_by_key(|(called, texts)| (**texts, Reverse(**called)))
            .map(|(called, texts)| (*called, *texts))
    }

    /// Pairs (language, result, texts, rate) of two languages in which more than `least` of the
    /// texts have the wrong result, the most frequent first.
    pub fn confused(&self, least: f64) -> Vec<(LangCode, LangCode, u64, f64)> {
        let mut pairs = Vec::new();
        for (&language, row) in &self.counts {
            let others =
                row.iter().filter(|(called, _)| **called != language && **called != LangCode::UND);
            for (&called, &count) in others {
                match self.rate(language, called) {
                    Some(rate) if rate > least => pairs.push((language, called, count, rate)),
                    _ => {}
                }
            }
        }
        pairs.sort_by(|a, b| b.3.total_cmp(&a.3).then((a.0, a.1).cmp(&(b.0, b.1))));
        pairs
    }

    /// Mean F1 of these languages, among all languages with texts.
    pub fn macro_f1(&self, languages: &BTreeSet<LangCode>) -> Option<f64> {
        mean(languages.iter().map(|&language| self.score(language).f1()))
    }

    /// Returns the share of other languages in a corpus of language L that this identifier alone
    /// collects, if texts occur as in the prior pi: the sum of pi(M) P(L | M) over all languages M
    /// other than L, divided by the sum over all M.
    pub fn contamination(&self, language: LangCode, prior: &Prior) -> Option<f64> {
        let flow = |from: LangCode| prior.of(from) * self.rate(from, language).unwrap_or(0.0);
        let own = flow(language);
        let others: f64 =
            self.counts.keys().filter(|from| **from != language).map(|from| flow(*from)).sum();
        ratio(others, own + others)
    }
}

/// Criteria for the choice of an identifier.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Contamination of the target, or its mean over the languages.
    pub contamination: Option<f64>,
    /// Recall of the target, or its mean over the languages.
    pub recall: Option<f64>,
}

/// Returns the index of the candidate with the least contamination among those with at least this
/// recall, the first of equals. A corpus that lacks part of a language is better than a corpus that
/// is full of another language.
pub fn purest(candidates: &[Candidate], least_recall: f64) -> Option<usize> {
    let fit = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| candidate.recall.is_some_and(|r| r >= least_recall));
    let rated = fit.filter_map(|(index, candidate)| {
        candidate.contamination.map(|contamination| (index, contamination))
    });
    rated.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

/// The mean of some values.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    ratio(sum, count)
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn code(code: &str) -> LangCode {
        code.parse().unwrap()
    }

    fn codes(codes: &[&str]) -> BTreeSet<LangCode> {
        codes.iter().map(|name| code(name)).collect()
    }

    fn confusion(counts: &[(&str, &str, u64)]) -> Confusion {
        let mut confusion = Confusion::default();
        for (language, called, texts) in counts {
            confusion.add(code(language), code(called), *texts);
        }
        confusion
    }

    fn close(found: Option<f64>, expected: f64) {
        assert!((found.unwrap() - expected).abs() < 1e-12, "{found:?} is not {expected}");
    }

    /// Urdu 8 of 10 right (1 Persian, 1 undetermined); Persian 5 of 5; Saraiki, which is never a
    /// result, 3 of 4 as Urdu.
    fn example() -> Confusion {
        confusion(&[
            ("urd", "urd", 8),
            ("urd", "fas", 1),
            ("urd", "und", 1),
            ("fas", "fas", 5),
            ("skr", "urd", 3),
            ("skr", "und", 1),
        ])
    }

    #[test]
    fn precision_recall_and_f1_of_a_hand_computed_case() {
        let urdu = example().score(code("urd"));
        assert_eq!(urdu, Score { texts: 10, called: 11, right: 8 });
        close(urdu.precision(), 8.0 / 11.0);
        close(urdu.recall(), 0.8);
        close(Some(urdu.f1()), 16.0 / 21.0);
        let persian = example().score(code("fas"));
        close(persian.precision(), 5.0 / 6.0);
        close(persian.recall(), 1.0);
        close(Some(persian.f1()), 10.0 / 11.0);
    }

    #[test]
    fn nothing_called_has_no_precision_and_an_f1_of_zero() {
        let saraiki = example().score(code("skr"));
        assert_eq!((saraiki.precision(), saraiki.recall(), saraiki.f1()), (None, Some(0.0), 0.0));
        let absent = example().score(code("eng"));
        assert_eq!((absent.precision(), absent.recall(), absent.f1()), (None, None, 0.0));
        assert_eq!(example().rate(code("eng"), code("urd")), None);
        assert_eq!(example().macro_f1(&BTreeSet::new()), None);
        assert_eq!(Confusion::default().contamination(code("urd"), &Prior::Uniform), None);
        assert_eq!(example().contamination(code("skr"), &Prior::Uniform), None);
    }

    #[test]
    fn the_macro_mean_is_over_own_languages_open_or_closed() {
        let own = codes(&["urd", "fas"]);
        close(example().macro_f1(&own), (16.0 / 21.0 + 10.0 / 11.0) / 2.0);
        // Without Saraiki, 8 texts have the result Urdu, and all are right.
        close(example().of_texts_in(&own).macro_f1(&own), (16.0 / 18.0 + 10.0 / 11.0) / 2.0);
        close(example().macro_f1(&example().languages()), (16.0 / 21.0 + 10.0 / 11.0) / 3.0);
    }

    #[test]
    fn confusions_come_most_frequent_first_and_without_the_undetermined() {
        assert_eq!(example().most_frequent_confusion(code("urd")), Some((code("fas"), 1)));
        assert_eq!(example().most_frequent_confusion(code("fas")), None);
        let pairs = example().confused(0.02);
        assert_eq!(
            pairs,
            [(code("skr"), code("urd"), 3, 0.75), (code("urd"), code("fas"), 1, 0.1)]
        );
        assert_eq!(example().confused(0.1).len(), 1, "more than, not at least");
    }

    #[test]
    fn contamination_weighs_by_the_prior() {
        // Uniform: 0.75 / (0.8 + 0.75).
        close(example().contamination(code("urd"), &Prior::Uniform), 0.75 / 1.55);
        let prior = Prior::Weights([(code("urd"), 10.0), (code("skr"), 2.0)].into());
        close(example().contamination(code("urd"), &prior), 1.5 / 9.5);
        // Persian has the weight 0, so all texts with the result Persian are Urdu.
        close(example().contamination(code("fas"), &prior), 1.0);
    }

    /// W2C's choice between two models (its Table 3.2): one that loses a fifth of the big language
    /// to two small ones, and one that loses three tenths of each small language to the big one.
    /// The big language is hbs here, as large as 100 small ones.
    #[test]
    fn the_purer_model_is_chosen_though_it_finds_less() {
        let first = confusion(&[
            ("hbs", "hbs", 80),
            ("hbs", "mkd", 10),
            ("hbs", "slv", 10),
            ("mkd", "mkd", 100),
            ("slv", "slv", 90),
            ("slv", "hbs", 10),
        ]);
        let second = confusion(&[
            ("hbs", "hbs", 99),
            ("hbs", "mkd", 1),
            ("mkd", "mkd", 70),
            ("mkd", "hbs", 30),
            ("slv", "slv", 70),
            ("slv", "hbs", 30),
        ]);
        let prior =
            Prior::Weights([(code("hbs"), 100.0), (code("mkd"), 1.0), (code("slv"), 1.0)].into());
        let candidate = |model: &Confusion| Candidate {
            contamination: mean(
                model.languages().iter().filter_map(|&l| model.contamination(l, &prior)),
            ),
            recall: mean(model.languages().iter().filter_map(|&l| model.score(l).recall())),
        };
        let candidates = [candidate(&first), candidate(&second)];
        assert!(candidates[0].recall > candidates[1].recall);
        close(first.contamination(code("mkd"), &prior), 10.0 / 11.0);
        close(second.contamination(code("mkd"), &prior), 1.0 / 1.7);
        assert_eq!(purest(&candidates, 0.5), Some(1));
        assert_eq!(
            purest(&candidates, 0.85),
            Some(0),
            "the second finds too little for this floor"
        );
        assert_eq!(purest(&candidates, 0.95), None);
    }

    #[test]
    fn equals_are_chosen_in_order_and_what_answers_nothing_never() {
        let none = Candidate { contamination: None, recall: Some(0.0) };
        let pure = Candidate { contamination: Some(0.0), recall: Some(0.5) };
        assert_eq!(purest(&[none, pure, pure], 0.0), Some(1));
        assert_eq!(purest(&[], 0.0), None);
    }
}
