//! Texts of a reference, such as a benchmark or an older release, in the pages of a corpus.
//!
//! A reference is a list of texts, each a sentence or a block. A page's passage holds a text if it
//! has enough of its sequences of four words, and a passage is of the reference if enough of its
//! own sequences are there. Sequences are shorter than those of
//! [`Deduplicator`](crate::Deduplicator), because sentences are: a changed word costs four of the
//! 17 sequences of 20 words.

use crate::passages::Reader;
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use std::ops::Range;

/// Words of a sequence.
const WORDS: usize = 4;

/// Least words of a text that is compared. Shorter ones are in pages that never saw the reference.
pub const MIN_WORDS: usize = 6;

/// Most texts for which a sequence counts: formulas that all texts have tell nothing.
const MAX_TEXTS: usize = 16;

/// End of a list of texts.
const NONE: u32 = u32::MAX;

/// Approximate memory of a sequence, in bytes: its key, and its place in a list.
const SEQUENCE_BYTES: usize = 32;

/// The texts of references, by their sequences.
#[derive(Debug)]
pub struct Reference {
    reader: Reader,
    /// For each sequence its last posting.
    sequences: HashMap<u64, u32>,
    /// A text with a sequence, and the next posting of this sequence.
    postings: Vec<(u32, u32)>,
    /// Different sequences of each text.
    lengths: Vec<u32>,
}

/// A passage of a page, compared with the reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// Byte range in the page's text.
    pub bytes: Range<usize>,
    /// Percentage of the passage's sequences that the reference has.
    pub percent: u32,
    /// The texts that it holds: their numbers, and the percentage of their sequences; the best text
    /// if the passage is of the reference but holds none. Empty if it is not of the reference.
    pub texts: Vec<(u32, u32)>,
}

impl Reference {
    /// Creates a reference without texts. `letters` is whether words are compared by their letters
    /// only.
    pub fn new(letters: bool) -> Self {
        let reader = Reader::new(WORDS, letters);
        Self { reader, sequences: HashMap::new(), postings: Vec::new(), lengths: Vec::new() }
    }

    /// Adds a text and returns its number; `None` if it has too few words.
    pub fn add(&mut self, text: &str) -> Option<u32> {
        let sequences = self.reader.sequences_of(text, MIN_WORDS)?;
        let number = u32::try_from(self.lengths.len()).ok().filter(|number| *number < NONE)?;
        let mut length = 0;
        for sequence in sequences.into_iter().collect::<HashSet<u64>>() {
            length += 1;
            let next = u32::try_from(self.postings.len()).unwrap_or(NONE);
            match self.sequences.entry(sequence) {
                Entry::Vacant(place) => {
                    place.insert(next);
                    self.postings.push((number, NONE));
                }
                Entry::Occupied(mut last) => {
                    let texts = Texts { postings: &self.postings, next: *last.get() };
                    if texts.count() < MAX_TEXTS {
                        self.postings.push((number, *last.get()));
                        last.insert(next);
                    }
                }
            }
        }
        self.lengths.push(length);
        Some(number)
    }

    /// Returns the approximate memory in bytes.
    pub fn memory(&self) -> usize {
        self.postings.len() * SEQUENCE_BYTES
    }

    /// Returns the passages of a page. A text is held, and a passage is of the reference, from this
    /// percentage on.
    pub fn compare(&self, page: &str, percent: u32) -> Vec<Compared> {
        let passages = self.reader.passages(page);
        passages
            .into_iter()
            .map(|passage| self.compared(passage.bytes, passage.sequences, percent))
            .collect()
    }

    fn compared(&self, bytes: Range<usize>, sequences: Vec<u64>, percent: u32) -> Compared {
        let sequences: HashSet<u64> = sequences.into_iter().collect();
        let mut known = 0;
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for last in sequences.iter().filter_map(|sequence| self.sequences.get(sequence)) {
            known += 1;
            for text in (Texts { postings: &self.postings, next: *last }) {
                *counts.entry(text).or_default() += 1;
            }
        }
        let share = |(text, count): (&u32, &u32)| {
            (*text, count * 100 / self.lengths[*text as usize].max(1))
        };
        let mut texts: Vec<(u32, u32)> = counts.iter().map(share).collect();
        texts.sort_unstable_by_key(|&(text, share)| (u32::MAX - share, text));
        let of_passage = (known * 100 / sequences.len().max(1)) as u32;
        let held = texts.iter().filter(|(_, share)| *share >= percent).count();
        let is_long = sequences.len() > MIN_WORDS - WORDS;
        texts.truncate(if held == 0 && is_long && of_passage >= percent { 1 } else { held });
        Compared { bytes, percent: of_passage, texts }
    }
}

/// The texts with a sequence.
struct Texts<'a> {
    postings: &'a [(u32, u32)],
    next: u32,
}

impl Iterator for Texts<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (text, next) = *self.postings.get(self.next as usize)?;
        self.next = next;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(letter: char, range: Range<usize>) -> String {
        range.map(|number| format!("{letter}{number}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_text_is_found_whole_or_changed_within_a_longer_passage() {
        let mut reference = Reference::new(false);
        assert_eq!(reference.add(&words('a', 0..20)), Some(0));
        assert_eq!(reference.add(&words('b', 0..20)), Some(1));
        assert_eq!(reference.add(&words('c', 0..5)), None, "too short");
        let around = |inner: &str| format!("{} {inner} {}", words('x', 0..200), words('y', 0..200));
        let texts = |page: &str| reference.compare(page, 50).remove(0).texts;
        assert_eq!(texts(&around(&words('a', 0..20))), [(0, 100)]);
        assert_eq!(texts(&around(&words('a', 0..20).replace("a9 ", "new "))), [(0, 76)]);
        assert_eq!(texts(&around(&words('a', 0..12))), [(0, 52)]);
        assert_eq!(texts(&around(&words('a', 0..11))), []);
        let both = around(&format!("{} {}", words('b', 0..20), words('a', 0..20)));
        assert_eq!(texts(&both), [(0, 100), (1, 100)]);
    }

    #[test]
    fn a_passage_of_a_long_text_is_of_the_reference() {
        let mut reference = Reference::new(false);
        reference.add(&words('a', 0..500));
        let page = format!("{}\n{}", words('a', 100..130), words('x', 0..30));
        let compared = reference.compare(&page, 50);
        assert_eq!(compared[0].texts, [(0, 5)]);
        assert_eq!((compared[0].percent, compared[1].percent), (100, 0));
        assert_eq!(compared[1].texts, []);
        assert_eq!(&page[compared[1].bytes.clone()], words('x', 0..30));
    }

    #[test]
    fn a_formula_of_many_texts_costs_no_more_than_that_of_a_few() {
        let mut reference = Reference::new(false);
        for number in 0..50 {
            reference.add(&format!(
                "{} {}",
                words('f', 0..8),
                words('n', number * 100..number * 100 + 20)
            ));
        }
        assert!(reference.postings.len() < 50 * 22 + MAX_TEXTS * 8);
        let page = words('n', 4900..4920);
        assert_eq!(reference.compare(&page, 50)[0].texts, [(49, 68)]);
    }
}
