//! Limits for signals, in the file format of FineWeb-2, and what a text exceeds.

use crate::signals::{Signals, NAMES, REPEATED, TOP};
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

/// Largest limit that is not a share. No page exceeds it.
const MAX_LIMIT: f64 = 1e6;

/// Limits for a language, with the keys of FineWeb-2's files. A limit of 0 switches its rule off,
/// and so does a key that is missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Largest share of lines that occurred before.
    pub dup_line_frac: f64,
    /// Largest share of characters in n-grams that occurred before, for n from 5 to 10.
    pub dup_n_grams: Vec<(usize, f64)>,
    /// Least score of the language identifier. Read for completeness; no rule here uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
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

impl Default for Limits {
    /// The limits of a file without a key.
    fn default() -> Self {
        Self {
            dup_line_frac: 0.0,
            dup_n_grams: Vec::new(),
            language_score: None,
            line_punct_thr: 0.0,
            max_avg_word_length: 0.0,
            max_non_alpha_words_ratio: 0.0,
            min_avg_word_length: 0.0,
            // A limit of 0 is one: no line may end.
            new_line_ratio: MAX_LIMIT,
            stopwords: Vec::new(),
            top_n_grams: Vec::new(),
        }
    }
}

/// Limits with a value that is not allowed.
#[derive(Debug, thiserror::Error)]
pub enum LimitsError {
    /// No key is there.
    #[error("has no limit; allowed are the keys of FineWeb-2, at least one of them")]
    NoLimit,
    /// A value is outside its range.
    #[error("{key}: found {found}, allowed are numbers from 0 to {most}")]
    Range {
        /// Key of the limit, as FineWeb-2 spells it.
        key: &'static str,
        /// Value in the file.
        found: f64,
        /// The largest allowed value.
        most: f64,
    },
    /// A list of n-grams has a length that is not measured.
    #[error("{key}: found {found}-grams, allowed are {allowed:?}")]
    Length {
        /// Key of the limit, as FineWeb-2 spells it.
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
    /// The text has too few words.
    Short,
    /// The text has too many words.
    Long,
    /// The mean word is short.
    ShortWords,
    /// The mean word is long.
    LongWords,
    /// Many number signs.
    Hashes,
    /// Many ellipses per word.
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

/// A limit for a signal. A page at the limit is within it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// The least allowed value.
    Least(f64),
    /// The largest allowed value.
    Most(f64),
}

impl Bound {
    /// Returns whether a value is beyond the limit.
    pub fn excludes(self, value: f64) -> bool {
        match self {
            Self::Least(limit) => value < limit,
            Self::Most(limit) => value > limit,
        }
    }
}

impl Noise {
    /// All rules, in the order in which FineWeb-2's pipeline applies them.
    pub const ALL: [Self; 24] = [
        Self::DupLine,
        Self::Top(2),
        Self::Top(3),
        Self::Top(4),
        Self::Repeated(5),
        Self::Repeated(6),
        Self::Repeated(7),
        Self::Repeated(8),
        Self::Repeated(9),
        Self::Repeated(10),
        Self::Empty,
        Self::LinePunct,
        Self::CharDup,
        Self::List,
        Self::Short,
        Self::Long,
        Self::ShortWords,
        Self::LongWords,
        Self::Hashes,
        Self::Ellipses,
        Self::Bullets,
        Self::EndEllipses,
        Self::Alpha,
        Self::StopWords,
    ];

    /// Returns the place in [`NAMES`] of the signal that the rule limits; `None` if the rule is not
    /// about a value.
    pub fn signal(self) -> Option<usize> {
        let name = match self {
            Self::DupLine => "dup_line_frac",
            Self::Top(2) => "top_n_grams 2",
            Self::Top(3) => "top_n_grams 3",
            Self::Top(4) => "top_n_grams 4",
            Self::Repeated(5) => "dup_n_grams 5",
            Self::Repeated(6) => "dup_n_grams 6",
            Self::Repeated(7) => "dup_n_grams 7",
            Self::Repeated(8) => "dup_n_grams 8",
            Self::Repeated(9) => "dup_n_grams 9",
            Self::Repeated(10) => "dup_n_grams 10",
            Self::Top(_) | Self::Repeated(_) | Self::Empty => return None,
            Self::LinePunct => "line_punct",
            Self::CharDup => "char_dup_ratio",
            Self::List => "new_line_ratio",
            Self::Short | Self::Long => "rps_doc_word_count",
            Self::ShortWords | Self::LongWords => "rps_doc_mean_word_length",
            Self::Hashes => "hash_ratio",
            Self::Ellipses => "ellipsis_ratio",
            Self::Bullets => "bullet_lines",
            Self::EndEllipses => "rps_doc_frac_lines_end_with_ellipsis",
            Self::Alpha => "1 - rps_doc_frac_no_alph_words",
            Self::StopWords => "stop_words",
        };
        NAMES.iter().position(|&one| one == name)
    }
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
    /// Checks the values of limits that were read from a file.
    ///
    /// # Errors
    /// If a value is outside its range, or there is none.
    pub fn check(&self) -> Result<(), LimitsError> {
        if *self == Self::default() {
            return Err(LimitsError::NoLimit);
        }
        // Published files have top n-grams of 8.2 and mean word lengths of 3,141, see the module
        // `derive`.
        let ranges = [
            ("dup_line_frac", self.dup_line_frac, 1.0),
            ("line_punct_thr", self.line_punct_thr, 1.0),
            ("max_avg_word_length", self.max_avg_word_length, MAX_LIMIT),
            ("max_non_alpha_words_ratio", self.max_non_alpha_words_ratio, 1.0),
            ("min_avg_word_length", self.min_avg_word_length, MAX_LIMIT),
            ("new_line_ratio", self.new_line_ratio, MAX_LIMIT),
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
                within(key, limit, MAX_LIMIT)?;
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
        let values = signals.values();
        let is_broken = |noise: &Noise| {
            let value = noise.signal().map(|place| values[place]);
            value.zip(self.bound(*noise)).is_some_and(|(value, bound)| bound.excludes(value))
        };
        Noise::ALL.into_iter().filter(is_broken).collect()
    }

    /// Returns the limit of a rule; `None` if the rule is off or has no limit.
    #[allow(clippy::cast_precision_loss)]
    pub fn bound(&self, noise: Noise) -> Option<Bound> {
        let of = |limits: &[(usize, f64)], n: usize| {
            // If a file has two limits for one length, the lower one decides.
            let limits = limits.iter().filter(|&&(length, _)| length == n);
            limits.map(|&(_, limit)| limit).min_by(f64::total_cmp).map(Bound::Most)
        };
        match noise {
            Noise::DupLine => on(self.dup_line_frac).map(Bound::Most),
            Noise::Top(n) => of(&self.top_n_grams, n),
            Noise::Repeated(n) => of(&self.dup_n_grams, n),
            Noise::Empty => None,
            Noise::LinePunct => on(self.line_punct_thr).map(Bound::Least),
            Noise::CharDup => Some(Bound::Most(MAX_REPEATED_CHARS)),
            Noise::List => Some(Bound::Most(self.new_line_ratio)),
            Noise::Short => Some(Bound::Least(MIN_WORDS as f64)),
            Noise::Long => Some(Bound::Most(MAX_WORDS as f64)),
            Noise::ShortWords => on(self.min_avg_word_length).map(Bound::Least),
            Noise::LongWords => on(self.max_avg_word_length).map(Bound::Most),
            Noise::Hashes | Noise::Ellipses => Some(Bound::Most(MAX_SYMBOLS)),
            Noise::Bullets => Some(Bound::Most(MAX_BULLETS)),
            Noise::EndEllipses => Some(Bound::Most(MAX_ELLIPSES)),
            Noise::Alpha => on(self.max_non_alpha_words_ratio).map(Bound::Least),
            Noise::StopWords => {
                (!self.stopwords.is_empty()).then_some(Bound::Least(MIN_STOP_WORDS as f64))
            }
        }
    }
}

/// Returns a limit, unless it switches its rule off.
fn on(limit: f64) -> Option<f64> {
    (limit > 0.0).then_some(limit)
}

fn within(key: &'static str, found: f64, most: f64) -> Result<(), LimitsError> {
    if (0.0..=most).contains(&found) {
        Ok(())
    } else {
        Err(LimitsError::Range { key, found, most })
    }
}
