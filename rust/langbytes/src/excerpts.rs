//! The excerpt gate (Suki project): a few short pieces of a text are identified separately. On a
//! page in two languages an excerpt can find the smaller one, where the identification of the whole
//! page would find only the larger one.

use crate::LangCode;
use langid::Identify;
use std::fmt;
use std::ops::Range;

/// Settings of excerpts. Lengths are Unicode characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExcerptSettings {
    /// Number of excerpts of a text. Their middles are evenly spaced: three are at 1/6, 3/6 and
    /// 5/6.
    pub count: usize,
    /// Length of an excerpt. Its ends then move inwards to white space, by at most a fifth of the
    /// length.
    pub chars: usize,
    /// Minimum length of a text; a shorter one has no excerpts.
    pub min_chars: usize,
}

impl Default for ExcerptSettings {
    /// The defaults of `corpulyzer.page.excerpts` and its lengths: the values of the Suki project.
    fn default() -> Self {
        Self {
            count: properties::PAGE_EXCERPTS.default as usize,
            chars: properties::PAGE_EXCERPT_CHARS.default as usize,
            min_chars: properties::PAGE_EXCERPT_MIN_CHARS.default as usize,
        }
    }
}

/// The number of excerpts of a text in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExcerptHits {
    /// Excerpts in the language.
    pub hits: usize,
    /// Number of all excerpts.
    pub count: usize,
}

impl ExcerptHits {
    /// Counts the excerpts in a language.
    pub fn of(excerpts: &[LangCode], language: LangCode) -> Self {
        let hits = excerpts.iter().filter(|&&found| found == language).count();
        Self { hits, count: excerpts.len() }
    }
}

impl fmt::Display for ExcerptHits {
    /// Writes hits and excerpts, e.g. `1/3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.hits, self.count)
    }
}

/// Returns the excerpts of a text, in order; `None` if the text is too short. The result is
/// deterministic. Time is linear in the text.
pub fn excerpts(text: &str, settings: ExcerptSettings) -> Option<Vec<&str>> {
    let length = text.chars().count();
    if length < settings.min_chars {
        return None;
    }
    let mut found = Vec::with_capacity(settings.count.min(1024));
    // Byte and character of the last excerpt's start: excerpts are in order, so every character is
    // visited once.
    let (mut byte, mut character) = (0, 0);
    for index in 0..settings.count {
        let middle =
            ((2 * index as u128 + 1) * length as u128 / (2 * settings.count as u128)) as usize;
        let begin =
            middle.saturating_sub(settings.chars / 2).min(length.saturating_sub(settings.chars));
        byte = ahead(text, byte, begin.saturating_sub(character));
        character = character.max(begin);
        let end = ahead(text, byte, settings.chars);
        let piece = snapped(text, byte..end, settings.chars / 5);
        found.push(&text[piece]);
    }
    Some(found)
}

/// Returns the number of excerpts of a text in a language; `None` if the text is too short for
/// excerpts.
pub fn excerpt_hits(
    text: &str,
    language: LangCode,
    identify: &dyn Identify,
    settings: ExcerptSettings,
) -> Option<ExcerptHits> {
    Some(ExcerptHits::of(&excerpt_languages(text, identify, settings)?, language))
}

/// Returns the language of each excerpt of a text; `None` if the text is too short for excerpts.
pub fn excerpt_languages(
    text: &str,
    identify: &dyn Identify,
    settings: ExcerptSettings,
) -> Option<Vec<LangCode>> {
    let identified = |excerpt: &str| identify.identify(excerpt, None);
    Some(excerpts(text, settings)?.into_iter().map(identified).collect())
}

/// Returns a piece of a text without partial words at its ends, unless a word there is longer than
/// `most` characters.
fn snapped(text: &str, piece: Range<usize>, most: usize) -> Range<usize> {
    let inside = &text[piece.clone()];
    let cuts_word = |at: usize| {
        let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        !blank(text[..at].chars().next_back()) && !blank(text[at..].chars().next())
    };
    let mut start = piece.start;
    if cuts_word(piece.start) {
        start += inside
            .char_indices()
            .take(most)
            .find(|(_, c)| c.is_whitespace())
            .map_or(0, |(at, _)| at);
    }
    let mut end = piece.end;
    if cuts_word(piece.end) {
        let blank = inside.char_indices().rev().take(most).find(|(_, c)| c.is_whitespace());
        end = blank.map_or(end, |(at, _)| piece.start + at);
    }
    let end = end.max(start);
    let trimmed = text[start..end].trim();
    let start = start + (text[start..end].len() - text[start..end].trim_start().len());
    start..start + trimmed.len()
}

/// Returns the byte that is `characters` characters after the byte `from`.
fn ahead(text: &str, from: usize, characters: usize) -> usize {
    text[from..].char_indices().nth(characters).map_or(text.len(), |(at, _)| from + at)
}
