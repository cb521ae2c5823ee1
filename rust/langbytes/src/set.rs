//! The language set of a text, with shares: MultiLI (Jauhiainen, Lindén and Jauhiainen 2015, as the
//! Suki project used it on web pages).
//!
//! A window slides over the text, and each of its positions is identified separately. The language
//! of the first window is the current one. When [`threshold`](SetSettings::threshold) windows have
//! differed from the current language without meeting it again, the language met last becomes the
//! current one. The set is every language that was ever current. Bytes per language
//! ([`segments`](crate::segments)) are another measure: they are counted by paragraph and sentence
//! and include every stray word, so a page in one language has three or four. The set has only the
//! languages that the page is *written* in.
//!
//! Two rules differ from the published procedure. There every window represents one step of text,
//! so half a window at both ends is not represented, and the evidence of a text under two windows
//! is shorter than one window. Here the first and the last window also represent the ends, so that
//! the evidence is the whole text. There the number of windows grows with the text; here it is at
//! most [`max_windows`](SetSettings::max_windows), and longer texts have a longer step. Each
//! character is thus identified about ten times in texts of up to 8,200 characters; beyond that the
//! cost is constant. [`language_set`] is for texts that are not identified yet. [`language_set_of`]
//! uses the identified pieces of a page instead.

use crate::{LangCode, Segment};
use langid::words::Script;
use langid::Identify;
use std::cmp::Reverse;
use std::fmt;
use std::ops::Range;

/// Settings of the sampling. Lengths are Unicode characters of the text's words, separated by one
/// blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetSettings {
    /// Length of a window, at least 1.
    pub window: usize,
    /// Characters from one window's start to the next, at least 1.
    pub step: usize,
    /// Windows in other languages that end the current one, at least 1.
    pub threshold: usize,
    /// Most windows of a text, at least 1; a longer text gets a longer step.
    pub max_windows: usize,
}

impl Default for SetSettings {
    /// The values of the Suki project, and 400 windows.
    fn default() -> Self {
        Self { window: 200, step: 20, threshold: 5, max_windows: 400 }
    }
}

/// The languages of a text with the number of characters that represent each, most first, ties by
/// code. Text in no known language, and text shorter than a window, is [`LangCode::UND`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LanguageSet(Vec<(LangCode, u64)>);

impl LanguageSet {
    /// Returns the languages and their characters, most first; [`LangCode::UND`] is included if
    /// some text is in no known language.
    pub fn iter(&self) -> impl Iterator<Item = (LangCode, u64)> + '_ {
        self.0.iter().copied()
    }

    /// Returns the known languages, most first.
    pub fn languages(&self) -> impl Iterator<Item = LangCode> + '_ {
        self.iter().map(|(language, _)| language).filter(|&language| language != LangCode::UND)
    }

    /// Returns the number of characters of all languages, unknown ones included.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|(_, characters)| characters).sum()
    }

    /// Returns the number of characters of a language.
    pub fn characters(&self, language: LangCode) -> u64 {
        self.iter().find(|&(known, _)| known == language).map_or(0, |(_, characters)| characters)
    }

    /// Returns whether a language is in the set with at least `percent` percent of the text. (The
    /// paper requires at least 2 %; the published program requires more than 2 after rounding
    /// down.)
    pub fn has(&self, language: LangCode, percent: u32) -> bool {
        let characters = self.characters(language);
        characters > 0 && characters * 100 >= self.total() * u64::from(percent)
    }

    /// Returns whole percent per language, most first. They sum to 100, by largest remainder,
    /// unless the text has no words.
    pub fn percents(&self) -> Vec<(LangCode, u32)> {
        let total = self.total().max(1);
        let mut percents: Vec<(LangCode, u64)> = self
            .iter()
            .map(|(language, characters)| (language, characters * 100 / total))
            .collect();
        let missing = 100 - percents.iter().map(|(_, percent)| percent).sum::<u64>().min(100);
        let mut by_remainder: Vec<usize> = (0..percents.len()).collect();
        by_remainder.sort_by_key(|&at| (Reverse(self.0[at].1 * 100 % total), at));
        for at in by_remainder.into_iter().take(missing as usize) {
            percents[at].1 += 1;
        }
        percents.into_iter().map(|(language, percent)| (language, percent as u32)).collect()
    }
}

impl fmt::Display for LanguageSet {
    /// `urd:71,eng:29`: whole percent, most first; empty for a text without words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (language, percent)) in self.percents().into_iter().enumerate() {
            let comma = if position == 0 { "" } else { "," };
            write!(f, "{comma}{language}:{percent}")?;
        }
        Ok(())
    }
}

/// Returns the language set of a text. The result is deterministic. Time is linear in the text plus
/// at most [`max_windows`](SetSettings::max_windows) identifications of a window. Memory is one
/// copy of the text.
pub fn language_set(text: &str, identify: &dyn Identify, settings: SetSettings) -> LanguageSet {
    let text = words_only(text);
    let (mut at, mut start, mut end) = (0, 0, 0);
    slide(text.chars().count(), settings, |window| {
        start = ahead(&text, start, window.start - at);
        end = ahead(&text, end, if end == 0 { window.len() } else { window.start - at });
        at = window.start;
        identify.identify(&text[start..end], None)
    })
}

/// Returns the language set of identified text: a window's language is the one of most of its
/// characters. Nothing is identified again, so the cost is small compared with
/// [`segments`](crate::segments).
pub fn language_set_of(pieces: &[Segment], settings: SetSettings) -> LanguageSet {
    let mut ends: Vec<(usize, LangCode)> = Vec::new();
    let mut length = 0;
    for piece in pieces {
        let characters = words_only(piece.text).chars().count();
        // The blank between two pieces belongs to the first.
        length += if characters == 0 { 0 } else { characters + 1 };
        match ends.last_mut() {
            Some((end, language)) if *language == piece.language => *end = length,
            _ if characters > 0 => ends.push((length, piece.language)),
            _ => {}
        }
    }
    let mut first = 0;
    slide(length.saturating_sub(1), settings, |window| {
        while ends.get(first).is_some_and(|&(end, _)| end <= window.start) {
            first += 1;
        }
        let mut met: Vec<(LangCode, usize)> = Vec::new();
        let mut start = window.start;
        for &(end, language) in ends[first..].iter() {
            let end = end.min(window.end);
            match met.iter_mut().find(|(known, _)| *known == language) {
                Some((_, characters)) => *characters += end - start,
                None => met.push((language, end - start)),
            }
            start = end;
            if end == window.end {
                break;
            }
        }
        let most =
            met.into_iter().max_by_key(|&(language, characters)| (characters, Reverse(language)));
        most.map_or(LangCode::UND, |(language, _)| language)
    })
}

/// Returns the set of a text of `length` characters; `language_of` returns the language of a
/// window.
fn slide(
    length: usize,
    settings: SetSettings,
    mut language_of: impl FnMut(Range<usize>) -> LangCode,
) -> LanguageSet {
    let window = settings.window.max(1);
    if length <= window {
        return sorted(match length {
            0 => Vec::new(),
            _ => vec![(language_of(0..length), length as u64)],
        });
    }
    let step = settings.step.max(1).max((length - window).div_ceil(settings.max_windows.max(1)));
    let count = (length - window).div_ceil(step);
    let mut met: Vec<Met> = Vec::new();
    let mut current = LangCode::UND;
    let mut others = settings.threshold.max(1) - 1;
    // End of the text that the windows so far represent: each represents the characters nearest to
    // its middle.
    let mut heard = 0;
    for index in 0..count {
        let language = language_of(index * step..index * step + window);
        let until =
            if index + 1 == count { length } else { index * step + window / 2 + step.div_ceil(2) };
        let at = met.iter().position(|met| met.language == language).unwrap_or_else(|| {
            met.push(Met { language, characters: 0, was_current: language == LangCode::UND });
            met.len() - 1
        });
        met[at].characters += (until - heard) as u64;
        heard = until;
        if current != language {
            others += 1;
            if others >= settings.threshold {
                met[at].was_current = true;
                current = language;
            }
        }
        if current == language {
            others = 0;
        }
    }
    let (enough, short): (Vec<Met>, Vec<Met>) = met
        .into_iter()
        .filter(|met| met.was_current)
        .partition(|met| met.characters >= window as u64 && met.language != LangCode::UND);
    let mut set: Vec<_> = enough.into_iter().map(|met| (met.language, met.characters)).collect();
    let unknown: u64 = short.iter().map(|met| met.characters).sum();
    if unknown > 0 {
        set.push((LangCode::UND, unknown));
    }
    sorted(set)
}

/// A language of at least one window.
struct Met {
    language: LangCode,
    /// Characters that its windows represent.
    characters: u64,
    /// Whether it was ever the current one; always true for the unknown language.
    was_current: bool,
}

fn sorted(mut set: Vec<(LangCode, u64)>) -> LanguageSet {
    set.sort_by_key(|&(language, characters)| (Reverse(characters), language));
    LanguageSet(set)
}

/// Returns the words of a text, separated by one blank, without consecutive repetitions. Other
/// characters are no evidence of a language, and repetitions of a word are no additional evidence.
fn words_only(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    // Start of the last whole word, and of the current one.
    let (mut last, mut start) = (0..0, 0);
    for c in text.chars().chain([' ']) {
        if Script::of(c) != Script::NONE {
            words.push(c);
        } else if words.len() > start {
            if words[last.clone()] == words[start..] {
                words.truncate(start);
            } else {
                last = start..words.len();
                words.push(' ');
                start = words.len();
            }
        }
    }
    words.truncate(words.trim_end().len());
    words
}

/// Returns the byte that is `characters` characters after the byte `from`.
fn ahead(text: &str, from: usize, characters: usize) -> usize {
    text[from..].char_indices().nth(characters).map_or(text.len(), |(at, _)| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_and_repetitions_are_not() {
        assert_eq!(words_only(" no, no NO 12 no!  don’t stop. "), "no NO no don’t stop");
        assert_eq!(words_only("می\u{200c}روم ۱۲۳ می\u{200c}روم"), "می\u{200c}روم");
        assert_eq!(words_only("12:30"), "");
    }

    #[test]
    fn percents_sum_to_a_hundred() {
        let set = sorted(
            ["urd", "eng", "fas"].map(|code| (code.parse().unwrap_or(LangCode::UND), 100)).to_vec(),
        );
        assert_eq!(set.to_string(), "eng:34,fas:33,urd:33");
        assert_eq!(LanguageSet::default().to_string(), "");
    }
}
