//! Quality signals of a text: numbers that say how it is built, and no verdict.

use crate::characters::{is_blank, Characters};
use crate::repeats::{repeated, Sequence};
use crate::words::Splitting;
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Lengths in words of the n-grams of which the most frequent one is measured.
pub const TOP: [usize; 3] = [2, 3, 4];
/// Lengths in words of the n-grams whose repeats are measured.
pub const REPEATED: [usize; 6] = [5, 6, 7, 8, 9, 10];

/// Largest number of characters of a text that is measured. The rest of a longer text is not read.
const MAX_CHARS: usize = 1 << 24;

/// Names of the values of [`Signals::values`]: the fields of [`Signals`], with the length of the
/// n-grams where a field has several values. The share of words with a letter, which has a limit, is
/// there in the place of the share without.
pub const NAMES: [&str; 23] = [
    "rps_doc_word_count",
    "rps_doc_mean_word_length",
    "1 - rps_doc_frac_no_alph_words",
    "rps_doc_frac_unique_words",
    "rps_doc_unigram_entropy",
    "rps_doc_frac_lines_end_with_ellipsis",
    "hash_ratio",
    "ellipsis_ratio",
    "bullet_lines",
    "line_punct",
    "new_line_ratio",
    "dup_line_frac",
    "char_dup_ratio",
    "top_n_grams 2",
    "top_n_grams 3",
    "top_n_grams 4",
    "dup_n_grams 5",
    "dup_n_grams 6",
    "dup_n_grams 7",
    "dup_n_grams 8",
    "dup_n_grams 9",
    "dup_n_grams 10",
    "stop_words",
];

/// Signals of a text. Shares are between 0 and 1 unless the field states otherwise; lengths are in
/// characters.
///
/// Fields `rps_doc_*` have the names of RedPajama-V2, the other fields are the measured values of
/// the keys of FineWeb-2's limits. Both are computed with the words of a [`Splitting`], so
/// punctuation is a word where a field does not exclude it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signals {
    /// Words that are not symbols alone.
    pub rps_doc_word_count: u64,
    /// Mean length of words that are not symbols alone.
    pub rps_doc_mean_word_length: f64,
    /// `#` per word.
    pub hash_ratio: f64,
    /// `...` and `…` per word.
    pub ellipsis_ratio: f64,
    /// Share of words without a letter.
    pub rps_doc_frac_no_alph_words: f64,
    /// Distinct words per word.
    pub rps_doc_frac_unique_words: f64,
    /// Entropy of the words' frequencies, in nats.
    pub rps_doc_unigram_entropy: f64,
    /// Lines that end with an ellipsis.
    pub rps_doc_frac_lines_end_with_ellipsis: f64,
    /// Lines that begin with `•` or `-`.
    pub bullet_lines: f64,
    /// Lines that are not blank and end with a sentence sign of any script.
    pub line_punct: f64,
    /// Line ends per word; may be over 1.
    pub new_line_ratio: f64,
    /// Lines that occurred before.
    pub dup_line_frac: f64,
    /// Characters of lines that occurred before, per character outside line ends.
    pub char_dup_ratio: f64,
    /// Characters of the most frequent 2-, 3- and 4-gram, per character of the text; may be over 1,
    /// because n-grams overlap.
    pub top_n_grams: [f64; 3],
    /// Characters of 5- to 10-grams that occurred before, per character of the text.
    pub dup_n_grams: [f64; 6],
    /// Distinct stop words in the text.
    pub stop_words: u64,
}

impl Signals {
    /// Returns the values in the order of [`NAMES`].
    #[allow(clippy::cast_precision_loss)]
    pub fn values(&self) -> [f64; NAMES.len()] {
        let [top_2, top_3, top_4] = self.top_n_grams;
        let [dup_5, dup_6, dup_7, dup_8, dup_9, dup_10] = self.dup_n_grams;
        [
            self.rps_doc_word_count as f64,
            self.rps_doc_mean_word_length,
            1.0 - self.rps_doc_frac_no_alph_words,
            self.rps_doc_frac_unique_words,
            self.rps_doc_unigram_entropy,
            self.rps_doc_frac_lines_end_with_ellipsis,
            self.hash_ratio,
            self.ellipsis_ratio,
            self.bullet_lines,
            self.line_punct,
            self.new_line_ratio,
            self.dup_line_frac,
            self.char_dup_ratio,
            top_2,
            top_3,
            top_4,
            dup_5,
            dup_6,
            dup_7,
            dup_8,
            dup_9,
            dup_10,
            self.stop_words as f64,
        ]
    }

    /// Computes the signals of a text. `None` for a text of blanks. Time and memory are linear in
    /// the text; only its first 16 Mi characters are read.
    pub fn of(text: &str, splitting: Splitting, stop_words: &HashSet<String>) -> Option<Self> {
        let text = text.char_indices().nth(MAX_CHARS).map_or(text, |(end, _)| &text[..end]);
        let mut words = Vec::with_capacity(text.len() / 6);
        splitting.split(text, &mut words);
        if words.is_empty() {
            return None;
        }
        let chars = text.chars().count() as u64;
        let counts = Counts::of(&words, stop_words);
        let lines = Lines::of(text);
        let count = words.len() as u64;
        let spaced = Sequence::new(&words, " ");
        let joined = Sequence::new(&words, "");
        let (dup_lines, _) = repeated(lines_apart(text));
        let (_, dup_chars) =
            repeated(text.split('\n').filter(|line| !line.trim_matches(is_blank).is_empty()));
        let line_ends = text.bytes().filter(|&byte| byte == b'\n').count() as u64;
        Some(Self {
            rps_doc_word_count: counts.words,
            rps_doc_mean_word_length: ratio(counts.chars, counts.words),
            hash_ratio: ratio(text.matches('#').count() as u64, count),
            ellipsis_ratio: ratio(
                (text.matches("...").count() + text.matches('…').count()) as u64,
                count,
            ),
            rps_doc_frac_no_alph_words: ratio(counts.without_letters, count),
            rps_doc_frac_unique_words: ratio(counts.distinct, count),
            rps_doc_unigram_entropy: counts.entropy,
            rps_doc_frac_lines_end_with_ellipsis: ratio(lines.ellipses, lines.all),
            bullet_lines: ratio(lines.bullets, lines.all),
            line_punct: ratio(lines.terminal, lines.not_blank),
            new_line_ratio: ratio(line_ends, count),
            dup_line_frac: ratio(dup_lines, lines_apart(text).count() as u64),
            char_dup_ratio: ratio(dup_chars, chars - line_ends),
            top_n_grams: TOP.map(|n| ratio(spaced.top(n), chars)),
            dup_n_grams: REPEATED.map(|n| ratio(joined.repeated(n), chars)),
            stop_words: counts.stop_words,
        })
    }
}

/// Returns a quotient, 0 if there is nothing to divide by.
fn ratio(part: u64, whole: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// Returns the texts between runs of line ends, with empty ones at the ends of a text that begins
/// or ends with one.
fn lines_apart(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        match text.find('\n') {
            Some(end) => rest = Some(text[end..].trim_start_matches('\n')),
            None => rest = None,
        }
        text.split('\n').next()
    })
}

/// Counts over the words of a text.
struct Counts {
    /// Words that are not symbols alone, and their characters.
    words: u64,
    chars: u64,
    without_letters: u64,
    distinct: u64,
    entropy: f64,
    stop_words: u64,
}

impl Counts {
    fn of(words: &[&str], stop_words: &HashSet<String>) -> Self {
        let characters = Characters::get();
        let mut frequencies: HashMap<&str, u64> = HashMap::with_capacity(words.len() / 2);
        let mut counts = Self {
            words: 0,
            chars: 0,
            without_letters: 0,
            distinct: 0,
            entropy: 0.0,
            stop_words: 0,
        };
        for word in words {
            *frequencies.entry(word).or_default() += 1;
            if characters.is_word(word) {
                counts.words += 1;
                counts.chars += word.chars().count() as u64;
            }
            counts.without_letters += u64::from(!characters.has_letter(word));
        }
        counts.distinct = frequencies.len() as u64;
        counts.stop_words =
            stop_words.iter().filter(|word| frequencies.contains_key(word.as_str())).count() as u64;
        // Summed in order, so that the same text has the same last digit in each run.
        let mut frequencies: Vec<u64> = frequencies.into_values().collect();
        frequencies.sort_unstable();
        let all = words.len() as u64;
        counts.entropy =
            frequencies.into_iter().map(|n| ratio(n, all)).map(|share| -share * share.ln()).sum();
        counts
    }
}

/// Counts over the lines of a text.
struct Lines {
    all: u64,
    bullets: u64,
    ellipses: u64,
    not_blank: u64,
    terminal: u64,
}

impl Lines {
    fn of(text: &str) -> Self {
        let characters = Characters::get();
        let mut lines = Self { all: 0, bullets: 0, ellipses: 0, not_blank: 0, terminal: 0 };
        for line in split_lines(text) {
            lines.all += 1;
            let (start, end) = (line.trim_start_matches(is_blank), line.trim_end_matches(is_blank));
            lines.bullets += u64::from(start.starts_with(['•', '-']));
            lines.ellipses += u64::from(end.ends_with("...") || end.ends_with('…'));
        }
        for line in text.split('\n').filter(|line| !line.trim_matches(is_blank).is_empty()) {
            lines.not_blank += 1;
            lines.terminal += u64::from(
                line.chars().next_back().is_some_and(|last| characters.is_terminal(last)),
            );
        }
        lines
    }
}

/// Returns the lines of a text as Python's `str.splitlines` has them: many signs end a line, and
/// there is no line after the last end.
fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let is_end = |c: char| matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}');
        let Some((end, sign)) = rest.char_indices().find(|&(_, c)| is_end(c)) else {
            return Some(std::mem::take(&mut rest));
        };
        let line = &rest[..end];
        let after = &rest[end + sign.len_utf8()..];
        rest = if sign == '\r' { after.strip_prefix('\n').unwrap_or(after) } else { after };
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_python_ends_them() {
        assert_eq!(
            split_lines("a\r\nb\u{2028}\n\nc\n").collect::<Vec<_>>(),
            ["a", "b", "", "", "c"]
        );
        assert_eq!(lines_apart("\na\n\n\nb\n").collect::<Vec<_>>(), ["", "a", "b", ""]);
        assert_eq!(lines_apart("").collect::<Vec<_>>(), [""]);
    }
}
