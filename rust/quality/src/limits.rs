//! Limits for signals, in the file format of FineWeb-2, and what a text exceeds.

use crate::signals::{Signals, REPEATED, TOP};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;

/// Least number of words of a text (Gopher).
const MIN_WORDS: u64 = 50;
/// Largest number of words of a text (Gopher).
const MAX_WORDS: u64 = 100_000;
/// Largest number of `#`, and of ellipses, per word (Gopher).
const MAX_SYMBOLS: f64 = 0.1;
/// Largest share of lines that begin with a bullet (Gopher).
const MAX_BULLETS: f64 = 0.9;
/// Largest share of lines that end with an ellipsis (Gopher).
const MAX_ELLIPSES: f64 = 0.3;
/// Largest share of characters in lines that occurred before (FineWeb-2; FineWeb has .01).
const MAX_REPEATED_CHARS: f64 = 0.1;
/// Least number of distinct stop words (Gopher).
const MIN_STOP_WORDS: u64 = 2;

/// Limits for a language, with the keys of FineWeb-2's files. A limit of 0 switches its rule off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Largest share of lines that occurred before.
    pub dup_line_frac: f64,
    /// Largest share of characters in n-grams that occurred before, for n from 5 to 10.
    pub dup_n_grams: Vec<(usize, f64)>,
    /// Least score of the language identifier. Read for completeness; no rule here uses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language_score: Option<f64>,
    /// Least share of lines that end with a sentence sign.
    pub line_punct_thr: f64,
    /// Largest mean length of words, in characters.
    pub max_avg_word_length: f64,
    /// Least share of words with a letter. The name is FineWeb-2's.
    pub max_non_alpha_words_ratio: f64,
    /// Least mean length of words, in characters.
    pub min_avg_word_length: f64,
    /// Largest number of line ends per word.
    pub new_line_ratio: f64,
    /// Frequent words, of which a text must have two.
    pub stopwords: Vec<String>,
    /// Largest share of characters in the most frequent n-gram, for n from 2 to 4.
    pub top_n_grams: Vec<(usize, f64)>,
}

/// A file that does not hold limits.
#[derive(Debug, thiserror::Error)]
pub enum LimitsError {
    /// The file is not YAML with the keys of limits.
    #[error("{0}")]
    Format(String),
    /// A value is outside its range.
    #[error("{key}: found {found}, allowed are numbers from 0 to {most}")]
    Range {
        /// The key.
        key: &'static str,
        /// The value.
        found: f64,
        /// The largest allowed value.
        most: f64,
    },
    /// A list of n-grams has a length that is not measured.
    #[error("{key}: found {found}-grams, allowed are {allowed:?}")]
    Length {
        /// The key.
        key: &'static str,
        /// The length in words.
        found: usize,
        /// The lengths that are measured.
        allowed: &'static [usize],
    },
}

/// A rule that a text breaks. The names are those that datatrove writes for removed documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Noise {
    /// Lines that occurred before.
    DupLine,
    /// The most frequent n-gram has too much of the text.
    Top(usize),
    /// N-grams that occurred before have too much of the text.
    Repeated(usize),
    /// The text has no words.
    Empty,
    /// Few lines end with a sentence sign.
    LinePunct,
    /// Repeated lines have too many of the characters.
    CharDup,
    /// The text is a list: many line ends per word.
    List,
    /// Few words.
    Short,
    /// Many words.
    Long,
    /// The mean word is short.
    ShortWords,
    /// The mean word is long.
    LongWords,
    /// Many number signs.
    Hashes,
    /// Many ellipses.
    Ellipses,
    /// Many lines begin with a bullet.
    Bullets,
    /// Many lines end with an ellipsis.
    EndEllipses,
    /// Few words have a letter.
    Alpha,
    /// Few stop words.
    StopWords,
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DupLine => f.write_str("dup_line_frac"),
            Self::Top(n) => write!(f, "top_{n}_gram"),
            Self::Repeated(n) => write!(f, "duplicated_{n}_n_grams"),
            Self::Empty => f.write_str("empty"),
            Self::LinePunct => f.write_str("line_punct_ratio"),
            Self::CharDup => f.write_str("char_dup_ratio"),
            Self::List => f.write_str("list_ratio"),
            Self::Short => f.write_str("gopher_short_doc"),
            Self::Long => f.write_str("gopher_long_doc"),
            Self::ShortWords => f.write_str("gopher_below_avg_threshold"),
            Self::LongWords => f.write_str("gopher_above_avg_threshold"),
            Self::Hashes => f.write_str("gopher_too_many_hashes"),
            Self::Ellipses => f.write_str("gopher_too_many_ellipsis"),
            Self::Bullets => f.write_str("gopher_too_many_bullets"),
            Self::EndEllipses => f.write_str("gopher_too_many_end_ellipsis"),
            Self::Alpha => f.write_str("gopher_below_alpha_threshold"),
            Self::StopWords => f.write_str("gopher_enough_stop_words"),
        }
    }
}

impl Limits {
    /// Reads limits from YAML.
    ///
    /// # Errors
    /// If the text is not YAML, lacks a key or has another, or a value is outside its range.
    pub fn from_yaml(yaml: &str) -> Result<Self, LimitsError> {
        let limits: Self =
            serde_saphyr::from_str(yaml).map_err(|error| LimitsError::Format(one_line(&error)))?;
        limits.check()?;
        Ok(limits)
    }

    /// Writes the limits as YAML, with the keys in FineWeb-2's order.
    ///
    /// # Errors
    /// If a value cannot be written.
    pub fn to_yaml(&self) -> Result<String, LimitsError> {
        serde_saphyr::to_string(self).map_err(|error| LimitsError::Format(error.to_string()))
    }

    fn check(&self) -> Result<(), LimitsError> {
        // Published files have top n-grams of 8.2 and mean word lengths of 3,141, see the module
        // `derive`.
        let ranges = [
            ("dup_line_frac", self.dup_line_frac, 1.0),
            ("line_punct_thr", self.line_punct_thr, 1.0),
            ("max_avg_word_length", self.max_avg_word_length, 1e6),
            ("max_non_alpha_words_ratio", self.max_non_alpha_words_ratio, 1.0),
            ("min_avg_word_length", self.min_avg_word_length, 1e6),
            ("new_line_ratio", self.new_line_ratio, 1e6),
        ];
        let n_grams = [
            ("top_n_grams", &self.top_n_grams, &TOP[..]),
            ("dup_n_grams", &self.dup_n_grams, &REPEATED[..]),
        ];
        for (key, found, most) in ranges {
            within(key, found, most)?;
        }
        for (key, limits, allowed) in n_grams {
            for &(n, limit) in limits {
                within(key, limit, 1e6)?;
                if !allowed.contains(&n) {
                    return Err(LimitsError::Length { key, found: n, allowed });
                }
            }
        }
        Ok(())
    }

    /// Returns the stop words as a set, for [`Signals::of`].
    pub fn stop_words(&self) -> HashSet<String> {
        self.stopwords.iter().cloned().collect()
    }

    /// Returns the rules that a text with these signals breaks, in the order in which FineWeb-2's
    /// pipeline applies them. The first one is the reason that the pipeline gives. `None` are the
    /// signals of a text without words.
    ///
    /// Source: the repository of FineWeb-2, `fineweb-2-pipeline.py`, and datatrove's filters.
    pub fn noise(&self, signals: Option<&Signals>) -> Vec<Noise> {
        let Some(signals) = signals else { return vec![Noise::Empty] };
        let rules = self
            .repetition(signals)
            .into_iter()
            .chain(self.lines(signals))
            .chain(self.words(signals));
        rules.filter_map(|(noise, broken)| broken.then_some(noise)).collect()
    }

    fn repetition(&self, signals: &Signals) -> Vec<(Noise, bool)> {
        let mut rules = vec![(
            Noise::DupLine,
            is_on(self.dup_line_frac) && signals.dup_line_frac > self.dup_line_frac,
        )];
        for (n, found) in TOP.into_iter().zip(signals.top_n_grams) {
            rules.push((Noise::Top(n), exceeds(&self.top_n_grams, n, found)));
        }
        for (n, found) in REPEATED.into_iter().zip(signals.dup_n_grams) {
            rules.push((Noise::Repeated(n), exceeds(&self.dup_n_grams, n, found)));
        }
        rules
    }

    fn lines(&self, signals: &Signals) -> [(Noise, bool); 3] {
        [
            (Noise::LinePunct, signals.line_punct < self.line_punct_thr),
            (Noise::CharDup, signals.char_dup_ratio > MAX_REPEATED_CHARS),
            (Noise::List, signals.new_line_ratio > self.new_line_ratio),
        ]
    }

    fn words(&self, signals: &Signals) -> [(Noise, bool); 10] {
        let (count, mean) = (signals.rps_doc_word_count, signals.rps_doc_mean_word_length);
        let alpha = 1.0 - signals.rps_doc_frac_no_alph_words;
        [
            (Noise::Short, count < MIN_WORDS),
            (Noise::Long, count > MAX_WORDS),
            (Noise::ShortWords, is_on(self.min_avg_word_length) && mean < self.min_avg_word_length),
            (Noise::LongWords, is_on(self.max_avg_word_length) && mean > self.max_avg_word_length),
            (Noise::Hashes, signals.hash_ratio > MAX_SYMBOLS),
            (Noise::Ellipses, signals.ellipsis_ratio > MAX_SYMBOLS),
            (Noise::Bullets, signals.bullet_lines > MAX_BULLETS),
            (Noise::EndEllipses, signals.rps_doc_frac_lines_end_with_ellipsis > MAX_ELLIPSES),
            (
                Noise::Alpha,
                is_on(self.max_non_alpha_words_ratio) && alpha < self.max_non_alpha_words_ratio,
            ),
            (Noise::StopWords, signals.stop_words < MIN_STOP_WORDS),
        ]
    }
}

fn is_on(limit: f64) -> bool {
    limit > 0.0
}

fn exceeds(limits: &[(usize, f64)], n: usize, found: f64) -> bool {
    limits.iter().any(|&(of, limit)| of == n && found > limit)
}

fn within(key: &'static str, found: f64, most: f64) -> Result<(), LimitsError> {
    if (0.0..=most).contains(&found) {
        Ok(())
    } else {
        Err(LimitsError::Range { key, found, most })
    }
}

/// Returns an error of the YAML reader without the excerpt that it draws under its first line.
fn one_line(error: &serde_saphyr::Error) -> String {
    let message = error.to_string();
    message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
