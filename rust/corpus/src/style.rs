//! Readability, cohesion and coherence. The formulas are defined here; they are no figures of the paper, which names them as work to come.
//!
//! - Readability, as LIX (Björnsson 1968): words per sentence + 100 x words of more than six characters / words.
//! - Variety: different words / words in stretches of 100 words of a page, so that long pages do not look poorer; what is left over at a
//!   page's end is in no stretch.
//! - Cohesion: the mean Jaccard index of the words of neighbouring sentences of a block.
//! - Coherence: the mean Jaccard index of the words of neighbouring blocks of at least five words.

use crate::fixed::{share, Mean};
use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use crate::tokens::Token;
use serde::{Deserialize, Serialize};
use std::io;

/// Words with more characters are long.
const LONG: u32 = 6;
/// Words of a stretch.
const STRETCH: usize = 100;
/// Words of the smallest block that is compared.
const LEAST_BLOCK: usize = 5;
/// Words of a sentence or block that are looked at. Bounds time: they are sorted.
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

/// The different words of some tokens, in order.
fn set(tokens: &[Token], words: &mut Vec<u64>) {
    words.clear();
    words.extend(tokens.iter().take(COMPARED).map(|token| token.hash));
    words.sort_unstable();
    words.dedup();
}

/// The Jaccard index of two sets in billionths.
fn jaccard(a: &[u64], b: &[u64]) -> u64 {
    let (mut common, mut i, mut j) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        common += u64::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    share(common, a.len() as u64 + b.len() as u64 - common)
}

impl Accumulator for Style {
    plain_state!("style", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        self.tokens += view.tokens.len() as u64;
        let (mut words, mut sentence_before, mut block_before) = (Vec::new(), Vec::new(), Vec::new());
        for stretch in view.tokens.chunks_exact(STRETCH) {
            set(stretch, &mut words);
            self.variety.add(share(words.len() as u64, STRETCH as u64));
        }
        for block in view.tokens.split_inclusive(|token| token.ends_block) {
            sentence_before.clear();
            for sentence in block.split_inclusive(|token| token.ends_sentence) {
                self.sentences += 1;
                self.long += sentence.iter().filter(|token| token.chars > LONG).count() as u64;
                set(sentence, &mut words);
                if !sentence_before.is_empty() {
                    self.cohesion.add(jaccard(&sentence_before, &words));
                }
                std::mem::swap(&mut sentence_before, &mut words);
            }
            if block.len() >= LEAST_BLOCK {
                set(block, &mut words);
                if !block_before.is_empty() {
                    self.coherence.add(jaccard(&block_before, &words));
                }
                std::mem::swap(&mut block_before, &mut words);
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

/// What is known of style.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StyleFigures {
    /// Words per sentence + 100 x long words / words.
    pub readability_lix: Option<f64>,
    /// Share of words of more than six characters, in percent.
    pub long_words_percent: Option<f64>,
    /// Mean of different words in 100.
    pub variety: Option<f64>,
    /// Mean Jaccard index of neighbouring sentences, from 0 to 1.
    pub cohesion: Option<f64>,
    /// Mean Jaccard index of neighbouring blocks, from 0 to 1.
    pub coherence: Option<f64>,
}

impl Style {
    /// The figures.
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
    use crate::page::{Page, Viewer};
    use crate::tokens::Tokenizer;

    fn figures(text: &str) -> StyleFigures {
        let tokenizer = Tokenizer::new("eng".parse().expect("a code"));
        let page = Page { text: text.to_owned(), ..Page::default() };
        let mut style = Style::default();
        style.add(&Viewer::new(&tokenizer).view(&page)).expect("memory");
        style.finish()
    }

    #[test]
    fn style_of_a_text_counted_by_hand() {
        let figures = figures("the cat sat. the cat slept. Dogs barked\nthe cat sat on mats\nelephants");
        // 14 words in 5 sentences; one has nine letters, none other more than six.
        assert_eq!(figures.readability_lix, Some(14.0 / 5.0 + 100.0 / 14.0));
        // {the cat sat} and {the cat slept} share 2 of 4, {the cat slept} and {Dogs barked} none.
        assert_eq!(figures.cohesion, Some(0.25));
        // {the cat sat slept Dogs barked} and {the cat sat on mats} share 3 of 8; the last block is too short.
        assert_eq!(figures.coherence, Some(0.375));
        assert_eq!(figures.variety, None);
    }

    #[test]
    fn variety_is_of_whole_stretches() {
        let text = |different: usize| (0..150).map(|n| format!("w{} ", n % different)).collect::<String>();
        assert_eq!(figures(&text(50)).variety, Some(50.0));
        assert_eq!(figures(&text(1000)).variety, Some(100.0));
    }
}
