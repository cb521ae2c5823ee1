//! What every identifier can be asked.

use crate::LangCode;
use std::ops::Range;

/// The languages that an answer may be; the others are as if they were unknown. `None` allows all.
pub type Allowed<'a> = Option<&'a [LangCode]>;

/// A stretch of a text in one language: bytes from the first to one past the last.
pub type Run = (LangCode, Range<usize>);

/// An identifier of languages. Threads share it.
pub trait Identify: Send + Sync {
    /// The language of a text as a whole, or [`LangCode::UND`] where the identifier is not sure, the text has no word, or its
    /// language is none that the identifier knows. Time is linear in the bytes of the text.
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode;

    /// Tiles a text with its languages: the ranges follow one another from 0 to the text's end, cut at whole characters, and
    /// neighbours differ in language. An identifier that cannot cut answers one run.
    fn runs(&self, text: &str) -> Vec<Run> {
        let mut runs = Vec::new();
        append(&mut runs, self.identify(text, None), 0..text.len());
        runs
    }

    /// Every language that [`identify`](Self::identify) can answer, by code.
    fn languages(&self) -> Vec<LangCode>;

    /// Name and data version, such as `cld2/20140204`: part of every page record's version.
    fn version(&self) -> String;
}

/// Adds a run behind the others, as part of the last one if that is in the same language.
pub fn append(runs: &mut Vec<Run>, language: LangCode, range: Range<usize>) {
    match runs.last_mut() {
        _ if range.is_empty() => {}
        Some((last, run)) if *last == language => run.end = range.end,
        _ => runs.push((language, range)),
    }
}

/// The last character boundary at or before `index`.
pub fn floor_char_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}
