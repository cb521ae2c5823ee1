//! Readability, variety, cohesion and coherence. The formulas are our own; the paper names these
//! measures as future work.
//!
//! - Readability, as LIX (Björnsson 1968): words per sentence + 100 x words of more than six
//!   characters / words.
//! - Variety: different words / words, in runs of 100 words of a page, so that the length of pages
//!   has no effect; the rest at a page's end is not counted.
//! - Cohesion: the mean Jaccard index of the words of neighbouring sentences of a block.
//! - Coherence: the mean Jaccard index of the words of neighbouring blocks of at least five words.

use crate::fixed::{share, Mean};
use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use hashbrown::hash_table::Entry;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use std::io;

/// Longest short word, in characters.
const LONG: u32 = 6;
/// Words per run for variety.
const STRETCH: usize = 100;
/// Fewest words of a block that is compared.
const MIN_BLOCK: usize = 5;
/// Most words of a sentence or block that are compared.
const COMPARED: usize = 10_000;

/// Sums for style.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Style {
    tokens: u64,
    long: u64,
    sentences: u64,
    variety: Mean,
    cohesion: Mean,
    coherence: Mean,
}

/// A word of a page, and the last run, sentence and block that have it.
struct Word {
    hash: u64,
    stretch: u32,
    sentence: u32,
    block: u32,
}

/// Counts the different words of a run, sentence or block, and those also in the previous one.
#[derive(Default)]
struct Set {
    number: u32,
    different: u64,
    common: u64,
    /// Different words of the previous one, if it is comparable.
    before: Option<u64>,
}

impl Set {
    /// Begins the next one.
    fn begin(&mut self) {
        (self.number, self.different, self.common) = (self.number + 1, 0, 0);
    }

    /// Adds a word; `last` is the last set that has it.
    fn add(&mut self, last: &mut u32) {
        self.different += u64::from(*last != self.number);
        self.common += u64::from(*last + 1 == self.number);
        *last = self.number;
    }

    /// Adds the Jaccard index of this set and the previous one to `mean`.
    fn end(&mut self, mean: &mut Mean) {
        if let Some(before) = self.before.replace(self.different) {
            mean.add(share(self.common, before + self.different - self.common));
        }
    }
}

impl Accumulator for Style {
    plain_state!("style", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        self.tokens += view.tokens.len() as u64;
        let mut words: HashTable<Word> = HashTable::with_capacity(view.tokens.len().min(1 << 10));
        let (mut stretch, mut sentence, mut block) =
            (Set::default(), Set::default(), Set::default());
        let mut place = 0;
        for tokens in view.tokens.split_inclusive(|token| token.ends_block) {
            let compared = tokens.len() >= MIN_BLOCK;
            if compared {
                block.begin();
            }
            // A block's first sentence has no previous one.
            sentence.before = None;
            let mut in_block = 0;
            for tokens in tokens.split_inclusive(|token| token.ends_sentence) {
                self.sentences += 1;
                sentence.begin();
                for (in_sentence, token) in tokens.iter().enumerate() {
                    self.long += u64::from(token.chars > LONG);
                    let word = match words.entry(
                        token.hash,
                        |word| word.hash == token.hash,
                        |word| word.hash,
                    ) {
                        Entry::Occupied(word) => word.into_mut(),
                        Entry::Vacant(free) => free
                            .insert(Word { hash: token.hash, stretch: 0, sentence: 0, block: 0 })
                            .into_mut(),
                    };
                    if place % STRETCH == 0 {
                        stretch.begin();
                    }
                    stretch.add(&mut word.stretch);
                    place += 1;
                    if place % STRETCH == 0 {
                        self.variety.add(share(stretch.different, STRETCH as u64));
                    }
                    if in_sentence < COMPARED {
                        sentence.add(&mut word.sentence);
                    }
                    if compared && in_block < COMPARED {
                        block.add(&mut word.block);
                    }
                    in_block += 1;
                }
                sentence.end(&mut self.cohesion);
            }
            if compared {
                block.end(&mut self.coherence);
            }
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.long = self.long.saturating_add(other.long);
        self.sentences = self.sentences.saturating_add(other.sentences);
        self.variety.merge(other.variety);
        self.cohesion.merge(other.cohesion);
        self.coherence.merge(other.coherence);
        Ok(())
    }
}

/// Figures of style.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StyleFigures {
    /// Words per sentence + 100 x long words / words.
    pub readability_lix: Option<f64>,
    /// Share of words of more than six characters, in percent.
    pub long_words_percent: Option<f64>,
    /// Mean number of different words in 100.
    pub variety: Option<f64>,
    /// Mean Jaccard index of neighbouring sentences, from 0 to 1.
    pub cohesion: Option<f64>,
    /// Mean Jaccard index of neighbouring blocks, from 0 to 1.
    pub coherence: Option<f64>,
}

impl Style {
    /// Returns the figures.
    pub fn finish(&self) -> StyleFigures {
        let words = crate::fixed::ratio(self.tokens, self.sentences);
        let long = crate::fixed::percent(self.long, self.tokens);
        StyleFigures {
            readability_lix: words.zip(long).map(|(words, long)| words + long),
            long_words_percent: long,
            variety: self.variety.percent(),
            cohesion: self.cohesion.value(),
            coherence: self.coherence.value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{CorpusPage, Viewer};
    use crate::tokens::Tokenizer;

    fn figures(text: &str) -> StyleFigures {
        let tokenizer = Tokenizer::new("eng".parse().expect("a code"));
        let page = CorpusPage { text: text.to_owned(), ..CorpusPage::default() };
        let mut style = Style::default();
        style.add(&Viewer::new(&tokenizer).view(&page)).expect("memory");
        style.finish()
    }

    #[test]
    fn style_of_a_text_counted_by_hand() {
        let figures =
            figures("the cat sat. the cat slept. Dogs barked\nthe cat sat on mats\nelephants");
        // 14 words in 5 sentences; one word has nine letters, the others at most six.
        assert_eq!(figures.readability_lix, Some(14.0 / 5.0 + 100.0 / 14.0));
        // {the cat sat} and {the cat slept} share 2 of 4, {the cat slept} and {Dogs barked} none.
        assert_eq!(figures.cohesion, Some(0.25));
        // {the cat sat slept Dogs barked} and {the cat sat on mats} share 3 of 8; the last block is
        // short.
        assert_eq!(figures.coherence, Some(0.375));
        assert_eq!(figures.variety, None);
    }

    #[test]
    fn variety_is_of_whole_stretches() {
        let text =
            |different: usize| (0..150).map(|n| format!("w{} ", n % different)).collect::<String>();
        assert_eq!(figures(&text(50)).variety, Some(50.0));
        assert_eq!(figures(&text(1000)).variety, Some(100.0));
    }
}
