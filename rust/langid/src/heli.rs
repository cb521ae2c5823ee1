//! HeLI: identification by words, and for unknown words by their character n-grams, longest first
//! (Jauhiainen, Lindén and Jauhiainen 2016; the parameters are those of the authors' service).
//!
//! The score of a language's token is -log10(count / L), where L is the sum of the counts in the
//! table. A token that other languages have and this one lacks scores the penalty. A word that any
//! language has scores as a word; any other word scores the mean over its known n-grams of the
//! greatest n with a known one. A text's score is the mean over its words, and the lowest score
//! wins.
//!
//! Two faults are fixed. A word whose only known n-gram is the blank around it would score well in
//! every language: it is ignored, and a text of such words is undetermined. Words come from
//! [`crate::words`], which keeps words with joiners whole and folds the letters that Arabic and
//! Persian keyboards confuse.

use crate::grams::{hash_of, most_frequent, Counted, Hasher, Posting, Table, Vocabulary};
use crate::trigrams::checksum;
use crate::words::for_each_word;
use crate::{Allowed, Identify, LangCode};
use rustc_hash::FxHashSet;

/// Words with their blanks are shorter, so there are no longer n-grams.
const MAX_N: usize = 34;

/// The tokens that a language's tables keep; the rule applies to words and to the n-grams of each
/// n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Keep {
    /// This number of the most frequent ones, ties by token.
    Top(usize),
    /// Those with more than this share of all tokens of their kind.
    Above(f64),
}

/// Parameters of [`Heli`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeliSettings {
    /// The greatest n of the character n-grams; 0 uses words only. Above 34 there are no n-grams.
    pub nmax: usize,
    /// The score of a token that a language lacks, as -log10 of a share: 7 is one in ten million.
    pub penalty: f32,
    /// The tokens that the tables keep.
    pub keep: Keep,
    /// Texts of fewer characters are undetermined.
    pub min_characters: usize,
    /// Texts with more words per distinct word than this are undetermined.
    pub max_repetition: f64,
}

impl Default for HeliSettings {
    /// Returns the settings of the authors' service: n up to 6, penalty 7, 5 characters, 15 words
    /// per distinct word. Their cut-off (shares above 5e-7) is for large corpora; the 20,000 most
    /// frequent tokens of each kind are about as good.
    fn default() -> Self {
        HeliSettings {
            nmax: 6,
            penalty: 7.0,
            keep: Keep::Top(20_000),
            min_characters: 5,
            max_repetition: 15.0,
        }
    }
}

/// The HeLI identifier. The time per word grows with the number of languages, not with the number
/// of tokens; with tables larger than the processor's caches it is about twice as long.
#[derive(Debug)]
pub struct Heli {
    settings: HeliSettings,
    languages: Vec<LangCode>,
    /// CRC-32 of the training texts.
    checksum: u32,
    words: Table,
    /// Element n - 1 is the table of n-grams.
    grams: Vec<Table>,
}

impl Heli {
    /// Trains on the texts of each language; texts of the same language are concatenated. The order
    /// of the languages decides ties. The result is deterministic.
    pub fn train(texts: &[(LangCode, &str)], settings: HeliSettings) -> Heli {
        let mut languages: Vec<LangCode> = Vec::new();
        for &(language, _) in texts {
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        let nmax = settings.nmax.min(MAX_N);
        let mut entries = vec![Vec::new(); nmax + 1];
        let mut padded = Vec::new();
        for (number, language) in (0u16..).zip(&languages) {
            let mut vocabulary = Vocabulary::default();
            for (_, text) in texts.iter().filter(|(of, _)| of == language) {
                for_each_word(text, |word| {
                    padded.clear();
                    padded.push(' ');
                    padded.extend_from_slice(word.letters);
                    padded.push(' ');
                    vocabulary.add(&padded);
                });
            }
            for (n, entries) in entries.iter_mut().enumerate() {
                let tokens = if n == 0 { vocabulary.words() } else { vocabulary.grams(n) };
                let kept = keep(tokens, settings.keep);
                let all: u64 = kept.iter().map(|token| token.count).sum();
                let score = |count: u64| -(count as f64 / all as f64).log10() as f32;
                entries.extend(kept.iter().map(|token| (token.hash, number, score(token.count))));
            }
        }
        let mut tables = entries.into_iter().map(Table::new);
        let words = tables.next().unwrap_or_default();
        Heli { settings, languages, checksum: checksum(texts), words, grams: tables.collect() }
    }

    /// Returns the score of every language in the order of training, from 0 (best) to about the
    /// penalty; empty if no word of the text is known. The limits of length and repetition do not
    /// apply.
    pub fn scores(&self, text: &str) -> Vec<(LangCode, f32)> {
        let tally = self.tally(text, None);
        if tally.known == 0 {
            return Vec::new();
        }
        let score = |number| tally.score(number, self.settings.penalty);
        self.languages
            .iter()
            .enumerate()
            .map(|(number, &language)| (language, score(number)))
            .collect()
    }

    /// Returns the number of distinct tokens: words, and n-grams of all n.
    pub fn tokens(&self) -> usize {
        self.words.tokens() + self.grams.iter().map(Table::tokens).sum::<usize>()
    }

    fn tally(&self, text: &str, allowed: Option<&[bool]>) -> Tally {
        let mut tally = Tally { bonus: vec![0.0; self.languages.len()], ..Tally::default() };
        let penalty = f64::from(self.settings.penalty);
        // With this number of distinct words, no text of this length is too repetitive.
        let enough = text.len() as f64 / self.settings.max_repetition;
        let mut hasher = Hasher::default();
        let mut distinct = FxHashSet::default();
        let mut known = Vec::new();
        for_each_word(text, |word| {
            hasher.set([' '].into_iter().chain(word.letters.iter().copied()).chain([' ']));
            tally.words += 1;
            if (distinct.len() as f64) < enough {
                distinct.insert(hasher.word());
            }
            if let Some(posting) =
                self.words.get(hasher.word()).filter(|posting| is_allowed(posting, allowed))
            {
                tally.add(&[posting], penalty);
                return;
            }
            for n in (1..=self.grams.len().min(hasher.len())).rev() {
                let grams = &self.grams[n - 1];
                let of_allowed =
                    |hash| grams.get(hash).filter(|posting: &Posting| is_allowed(posting, allowed));
                known.clear();
                known.extend(hasher.grams(n).filter_map(of_allowed));
                let blanks_only = n == 1
                    && !hasher
                        .grams(1)
                        .any(|hash| hash != hash_of(' ') && of_allowed(hash).is_some());
                if !known.is_empty() && !blanks_only {
                    tally.add(&known, penalty);
                    return;
                }
            }
        });
        tally.distinct = distinct.len();
        tally
    }
}

impl Identify for Heli {
    /// Returns the language with the lowest score, ties in the order of training. Texts that are
    /// too short or too repetitive, or have more unknown than known words, are undetermined.
    /// Languages that are not allowed are ignored, as if they were not trained.
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode {
        let shortest = self.settings.min_characters;
        if shortest > 0 && text.chars().nth(shortest - 1).is_none() {
            return LangCode::UND;
        }
        let allowed: Option<Vec<bool>> = allowed.map(|allowed| {
            self.languages.iter().map(|language| allowed.contains(language)).collect()
        });
        let tally = self.tally(text, allowed.as_deref());
        let repetitive = tally.words as f64 > self.settings.max_repetition * tally.distinct as f64;
        if tally.known == 0 || tally.words > 2 * tally.known || repetitive {
            return LangCode::UND;
        }
        let mut best = (LangCode::UND, self.settings.penalty + 1.0);
        for (number, &language) in self.languages.iter().enumerate() {
            if allowed.as_ref().is_some_and(|allowed| !allowed[number]) {
                continue;
            }
            let score = tally.score(number, self.settings.penalty);
            if score < best.1 {
                best = (language, score);
            }
        }
        best.0
    }

    fn languages(&self) -> Vec<LangCode> {
        let mut languages = self.languages.clone();
        languages.sort_unstable();
        languages
    }

    fn version(&self) -> String {
        format!("heli/1-{:08x}", self.checksum)
    }
}

/// The sums over a text's words.
#[derive(Debug, Default)]
struct Tally {
    /// By language, the difference between the penalty and the score, summed over the words. Most
    /// languages lack most tokens, so only those that have them are updated.
    bonus: Vec<f64>,
    words: usize,
    /// Number of known words.
    known: usize,
    /// Number of distinct words, up to a sufficient number.
    distinct: usize,
}

impl Tally {
    /// Adds a word with the mean over its tokens.
    fn add(&mut self, tokens: &[Posting], penalty: f64) {
        self.known += 1;
        let share = 1.0 / tokens.len() as f64;
        for token in tokens {
            for &(language, score) in *token {
                self.bonus[usize::from(language)] += (f64::from(score) - penalty) * share;
            }
        }
    }

    /// Returns the score of a language. The sum has more digits than the score, so that ties are
    /// exact.
    fn score(&self, number: usize, penalty: f32) -> f32 {
        (f64::from(penalty) + self.bonus[number] / self.known as f64) as f32
    }
}

/// Returns whether one of the languages of a token is allowed; `None` allows all.
fn is_allowed(posting: Posting, allowed: Option<&[bool]>) -> bool {
    allowed
        .is_none_or(|allowed| posting.iter().any(|&(language, _)| allowed[usize::from(language)]))
}

fn keep(tokens: Vec<Counted>, keep: Keep) -> Vec<Counted> {
    match keep {
        Keep::Top(most) => most_frequent(tokens, most),
        Keep::Above(share) => {
            let all: u64 = tokens.iter().map(|token| token.count).sum();
            tokens.into_iter().filter(|token| token.count as f64 / all as f64 > share).collect()
        }
    }
}
