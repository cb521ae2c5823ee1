//! Limits from good text of a language.
//!
//! Each limit is a quantile of its signal over the pages of good text, within bounds. The bounds
//! are needed: of FineWeb-2's published files 41 allow a mean word length over 30 characters and 10
//! more than one line end per word, because their text was small or dirty.

use crate::limits::Limits;
use crate::signals::{Signals, REPEATED, TOP};
use crate::words::Splitting;
use hashbrown::HashMap;
use std::collections::HashSet;

/// Least number of pages from which limits are derived.
pub const MIN_PAGES: usize = 1000;

/// Share of good pages that a limit may exclude.
const EXCLUDED: f64 = 0.01;

/// Share of all words that makes a word a stop word, and the least and largest number of stop
/// words.
const STOP_WORD_SHARE: f64 = 0.008;
const MIN_STOP_WORDS: usize = 8;
const MAX_STOP_WORDS: usize = 63;

/// Limits have three decimals. They are rounded outwards, so that a page at the quantile stays
/// within them.
const DECIMALS: f64 = 1000.0;

/// Largest number of pages that are kept in memory; each has about 150 bytes.
const MAX_PAGES: usize = 2_000_000;

/// Largest number of distinct words that are counted. Words that come later are not: a frequent
/// word comes early.
const MAX_WORDS: usize = 1_000_000;

/// Good text, summed for its limits.
#[derive(Debug)]
pub struct Derivation {
    splitting: Splitting,
    pages: Vec<Signals>,
    words: HashMap<String, u64>,
    all_words: u64,
}

/// Text that limits cannot be derived from.
#[derive(Debug, thiserror::Error)]
#[error("found {found} pages with text; limits need at least {MIN_PAGES}")]
pub struct DeriveError {
    /// Pages with text.
    pub found: usize,
}

impl Derivation {
    /// Creates an empty sum for text that is split by these rules.
    pub fn new(splitting: Splitting) -> Self {
        Self { splitting, pages: Vec::new(), words: HashMap::new(), all_words: 0 }
    }

    /// Adds a page of good text. Pages without words are skipped, and so are pages after the first
    /// two million.
    pub fn add(&mut self, text: &str) {
        if self.pages.len() == MAX_PAGES {
            return;
        }
        let Some(signals) = Signals::of(text, self.splitting, &HashSet::new()) else { return };
        self.pages.push(signals);
        let mut words = Vec::new();
        self.splitting.split(text, &mut words);
        for word in words {
            self.all_words += 1;
            if let Some(count) = self.words.get_mut(word) {
                *count += 1;
            } else if self.words.len() < MAX_WORDS {
                self.words.insert(word.to_owned(), 1);
            }
        }
    }

    /// Returns the number of pages with text.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// Returns the limits.
    ///
    /// # Errors
    /// If there are fewer pages than [`MIN_PAGES`].
    pub fn limits(&self) -> Result<Limits, DeriveError> {
        if self.pages.len() < MIN_PAGES {
            return Err(DeriveError { found: self.pages.len() });
        }
        let most = |signal: &dyn Fn(&Signals) -> f64, low: f64, high: f64| {
            (self.quantile(signal, 1.0 - EXCLUDED).clamp(low, high) * DECIMALS).ceil() / DECIMALS
        };
        let least = |signal: &dyn Fn(&Signals) -> f64, low: f64, high: f64| {
            (self.quantile(signal, EXCLUDED).clamp(low, high) * DECIMALS).floor() / DECIMALS
        };
        Ok(Limits {
            dup_line_frac: most(&|page| page.dup_line_frac, 0.1, 0.35),
            dup_n_grams: REPEATED
                .into_iter()
                .enumerate()
                .map(|(i, n)| (n, most(&|page| page.dup_n_grams[i], 0.05, 0.3)))
                .collect(),
            language_score: None,
            line_punct_thr: least(&|page| page.line_punct, 0.0, 0.3),
            max_avg_word_length: most(&|page| page.rps_doc_mean_word_length, 5.0, 25.0).ceil(),
            max_non_alpha_words_ratio: least(
                &|page| 1.0 - page.rps_doc_frac_no_alph_words,
                0.5,
                0.9,
            ),
            min_avg_word_length: least(&|page| page.rps_doc_mean_word_length, 1.0, 4.0).floor(),
            new_line_ratio: most(&|page| page.new_line_ratio, 0.1, 0.6),
            stopwords: self.stop_words(),
            top_n_grams: TOP
                .into_iter()
                .enumerate()
                .map(|(i, n)| (n, most(&|page| page.top_n_grams[i], 0.08, 0.3)))
                .collect(),
        })
    }

    /// Returns the value that a share of the pages does not exceed.
    fn quantile(&self, signal: &dyn Fn(&Signals) -> f64, share: f64) -> f64 {
        let mut values: Vec<f64> = self.pages.iter().map(signal).collect();
        #[allow(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss
        )]
        let place = ((values.len() - 1) as f64 * share).round() as usize;
        *values.select_nth_unstable_by(place, f64::total_cmp).1
    }

    /// Returns the words with at least .8 % of all words, most frequent first, but 8 words at least
    /// and 63 at most: the range of FineWeb-2's files.
    fn stop_words(&self) -> Vec<String> {
        let mut words: Vec<(&String, u64)> =
            self.words.iter().map(|(word, &count)| (word, count)).collect();
        words.sort_by(|(a, one), (b, other)| other.cmp(one).then_with(|| a.cmp(b)));
        #[allow(clippy::cast_precision_loss)]
        let is_frequent = |count: u64| count as f64 >= self.all_words as f64 * STOP_WORD_SHARE;
        let has_letter = |word: &str| word.chars().any(char::is_alphabetic);
        let words = words.into_iter().filter(|(word, _)| has_letter(word));
        words
            .enumerate()
            .take(MAX_STOP_WORDS)
            .take_while(|&(place, (_, count))| place < MIN_STOP_WORDS || is_frequent(count))
            .map(|(_, (word, _))| word.clone())
            .collect()
    }
}
