//! Words: vocabulary (paper, Table 10), Zipf's law (Fig. 9), lengths, conditional entropy.

use crate::fixed::{percent, ratio, total};
use crate::minhash::mix;
use crate::page::PageView;
use crate::scratch::{weight, Count, Scratch, Table, WordCount};
use crate::state::{decode, encode, Accumulator, BadState};
use crate::vocabulary::{Vocabulary as Open, AHEAD};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use xxhash_rust::xxh3::xxh3_64;

/// Longest word that is stored completely, in bytes; of a longer one its beginning and its hash are
/// stored.
const MAX_WORD_BYTES: usize = 200;

/// The beginning of a word that is stored: all of it, if it is not too long.
pub(crate) fn cut(word: &str) -> &str {
    let end = (0..=MAX_WORD_BYTES.min(word.len())).rev().find(|&end| word.is_char_boundary(end));
    &word[..end.unwrap_or(0)]
}

/// Words in the report's list.
const TOP: usize = 50;

/// Ranks per decade for the fit of Zipf's law.
const RANKS_A_DECADE: f64 = 20.0;

/// Least frequency for the fit of Zipf's law: at lower ones many ranks share a frequency, and the
/// line would fit the steps.
const MIN_FREQUENCY: u64 = 5;

/// Frequencies that are counted in an array; almost all sequences have one of them.
const LOW_FREQUENCIES: usize = 1 << 10;

/// Sums that are plain numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sums {
    tokens: u64,
    own_tokens: u64,
    token_chars: u64,
    sentences: u64,
}

impl Sums {
    fn merge(&mut self, other: Self) {
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.own_tokens = self.own_tokens.saturating_add(other.own_tokens);
        self.token_chars = self.token_chars.saturating_add(other.token_chars);
        self.sentences = self.sentences.saturating_add(other.sentences);
    }
}

/// Counts of words and of sequences of two and three. Sequences do not cross blocks. Words are
/// compared by their bytes, sequences by 64 bits of hash: among the 360 million sequences of the
/// paper's corpus the probability of a collision is four in a thousand.
#[derive(Debug)]
pub struct Words {
    sums: Sums,
    /// Words since the last flush.
    open: Open,
    words: Table<WordCount>,
    pairs: Table<Count>,
    triples: Table<Count>,
}

impl Words {
    /// Creates empty counts.
    pub fn new(scratch: &Scratch) -> Self {
        Self {
            sums: Sums::default(),
            open: Open::new(scratch.times(weight::VOCABULARY).table_bytes),
            words: Table::new(&scratch.times(weight::WORDS)),
            pairs: Table::new(&scratch.times(weight::SEQUENCES)),
            triples: Table::new(&scratch.times(weight::SEQUENCES)),
        }
    }

    fn count(&mut self, word: &str, hash: u64, own: bool, last: bool) -> io::Result<()> {
        let full = if word.len() > MAX_WORD_BYTES {
            let mut short = cut(word).to_owned();
            let _ = write!(short, "…{hash:016x}");
            self.open.count(&short, xxh3_64(short.as_bytes()), own, last)
        } else {
            self.open.count(word, hash, own, last)
        };
        if full {
            self.open.flush(&mut self.words)?;
        }
        Ok(())
    }
}

/// The unit of export.
#[derive(Serialize, Deserialize)]
enum Part {
    Sums(Sums),
    Words(Vec<WordCount>),
    Pairs(Vec<Count>),
    Triples(Vec<Count>),
}

impl Accumulator for Words {
    const NAME: &'static str = "words";
    const VERSION: u16 = 2;

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        // The previous word and the previous two words, if they are in the same block.
        let (mut before, mut pair) = (None, None);
        for (place, token) in view.tokens.iter().enumerate() {
            if place % AHEAD == 0 {
                self.open.read_ahead(&view.tokens[place..view.tokens.len().min(place + AHEAD)]);
            }
            self.sums.tokens += 1;
            self.sums.own_tokens += u64::from(token.own);
            self.sums.token_chars += u64::from(token.chars);
            self.sums.sentences += u64::from(token.ends_sentence);
            self.count(token.text(&view.page.text), token.hash, token.own, token.ends_block)?;
            if let Some(pair) = pair {
                self.triples.add(Count { key: mix(pair, token.hash), count: 1 })?;
            }
            pair = before.map(|before| mix(before, token.hash));
            if let Some(key) = pair {
                self.pairs.add(Count { key, count: 1 })?;
            }
            before = Some(token.hash);
            if token.ends_block {
                (before, pair) = (None, None);
            }
        }
        Ok(())
    }

    fn merge(&mut self, mut other: Self) -> io::Result<()> {
        self.sums.merge(other.sums);
        other.open.flush(&mut other.words)?;
        // Frees its memory for the merged entries.
        other.open = Open::new(0);
        self.words.merge(other.words)?;
        self.pairs.merge(other.pairs)?;
        self.triples.merge(other.triples)
    }

    fn parts(mut self, give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        self.open.flush(&mut self.words)?;
        give(encode::<Self>(&Part::Sums(self.sums))?)?;
        self.words.chunks(&mut |words| give(encode::<Self>(&Part::Words(words))?))?;
        self.pairs.chunks(&mut |pairs| give(encode::<Self>(&Part::Pairs(pairs))?))?;
        self.triples.chunks(&mut |triples| give(encode::<Self>(&Part::Triples(triples))?))
    }

    fn absorb(&mut self, part: &[u8]) -> Result<(), BadState> {
        match decode::<Self, Part>(part)? {
            Part::Sums(sums) => self.sums.merge(sums),
            Part::Words(words) => self.words.absorb(words)?,
            Part::Pairs(pairs) => self.pairs.absorb(pairs)?,
            Part::Triples(triples) => self.triples.absorb(triples)?,
        }
        Ok(())
    }
}

/// Types and running words (paper, Table 10).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Vocabulary {
    /// Number of different words.
    pub types: u64,
    /// Number of these that consist of the target's letters.
    pub own_types: Option<u64>,
    /// Number of running words.
    pub tokens: u64,
    /// Number of these that consist of the target's letters.
    pub own_tokens: Option<u64>,
    /// Share of these tokens, in percent.
    pub own_tokens_percent: Option<f64>,
    /// The most frequent words.
    pub top: Vec<WordRow>,
}

/// A word in a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WordRow {
    /// The word as it was counted.
    pub word: String,
    /// Number of occurrences.
    pub count: u64,
}

/// Rank and frequency of sequences of one length.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Zipf {
    /// Words per sequence.
    pub n: u32,
    /// Number of running sequences.
    pub tokens: u64,
    /// Number of different sequences.
    pub types: u64,
    /// Sequences that come once.
    pub once: u64,
    /// Slope of the line through log frequency over log rank, by least squares at ranks evenly
    /// spaced in the logarithm (20 per decade) with a frequency of at least 5; `None` for fewer
    /// than three such ranks. Zipf's law predicts about -1.
    pub slope: Option<f64>,
    /// Frequencies at those ranks, down to the last.
    pub points: Vec<(u64, u64)>,
}

/// Lengths of words and sentences, and the predictability of the next word.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WordLengths {
    /// Mean characters of a running word.
    pub chars_per_token: Option<f64>,
    /// Mean characters of a different word.
    pub chars_per_type: Option<f64>,
    /// Number of sentences.
    pub sentences: u64,
    /// Mean words of a sentence.
    pub tokens_per_sentence: Option<f64>,
    /// Conditional entropy of a word, given the one before it in its block, in bits (W2C, 5.2).
    pub entropy: Option<f64>,
    /// Conditional perplexity: 2 to the entropy.
    pub perplexity: Option<f64>,
}

/// Figures of words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WordFigures {
    /// Types and running words.
    pub vocabulary: Vocabulary,
    /// Rank and frequency of one, two and three words.
    pub zipf: Vec<Zipf>,
    /// Lengths and entropy.
    pub lengths: WordLengths,
}

/// Number of types by frequency.
type Spectrum = BTreeMap<u64, u64>;

/// Counts frequencies.
struct Frequencies {
    low: [u64; LOW_FREQUENCIES],
    high: Spectrum,
}

impl Frequencies {
    fn new() -> Self {
        Self { low: [0; LOW_FREQUENCIES], high: Spectrum::new() }
    }

    fn add(&mut self, frequency: u64) {
        match usize::try_from(frequency).ok().and_then(|frequency| self.low.get_mut(frequency)) {
            Some(types) => *types += 1,
            None => *self.high.entry(frequency).or_default() += 1,
        }
    }

    fn spectrum(mut self) -> Spectrum {
        self.high.extend((0..).zip(self.low).filter(|(_, types)| *types > 0));
        self.high
    }
}

fn spectrum(table: &mut Table<Count>) -> io::Result<Spectrum> {
    let mut frequencies = Frequencies::new();
    for entry in table.drain()? {
        frequencies.add(entry?.count);
    }
    Ok(frequencies.spectrum())
}

fn zipf(n: u32, spectrum: &Spectrum) -> Zipf {
    let tokens = total(spectrum.iter().map(|(frequency, types)| frequency.saturating_mul(*types)));
    let types = total(spectrum.values().copied());
    let mut points = Vec::new();
    // For each frequency, most frequent first, the last rank that has it.
    let mut last_ranks = spectrum.iter().rev().scan(0, |rank, (&frequency, &types)| {
        *rank += types;
        Some((*rank, frequency))
    });
    let mut current = last_ranks.next();
    for step in 0.. {
        let rank = 10f64.powf(f64::from(step) / RANKS_A_DECADE).round() as u64;
        let rank = rank.min(types);
        while current.is_some_and(|(last, _)| last < rank) {
            current = last_ranks.next();
        }
        let Some((_, frequency)) = current else { break };
        if points.last().is_none_or(|&(last, _)| last < rank) {
            points.push((rank, frequency));
        }
        if rank == types {
            break;
        }
    }
    let once = spectrum.get(&1).copied().unwrap_or(0);
    Zipf { n, tokens, types, once, slope: slope(&points), points }
}

/// Returns the slope of log frequency over log rank.
fn slope(points: &[(u64, u64)]) -> Option<f64> {
    let logs: Vec<_> = points
        .iter()
        .filter(|(_, frequency)| *frequency >= MIN_FREQUENCY)
        .map(|&(rank, frequency)| ((rank as f64).log10(), (frequency as f64).log10()))
        .collect();
    if logs.len() < 3 {
        return None;
    }
    let count = logs.len() as f64;
    let (x_mean, y_mean) = (
        logs.iter().map(|(x, _)| x).sum::<f64>() / count,
        logs.iter().map(|(_, y)| y).sum::<f64>() / count,
    );
    let covariance: f64 = logs.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let variance: f64 = logs.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
    Some(covariance / variance)
}

/// Returns the sum over types of frequency times its logarithm.
fn information(spectrum: &Spectrum) -> f64 {
    spectrum
        .iter()
        .map(|(&frequency, &types)| {
            frequency as f64 * types as f64 * (frequency.max(1) as f64).log2()
        })
        .sum()
}

impl Words {
    /// Returns the figures; `own` includes the target's own words, whose letters must be known.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read or written.
    pub fn finish(mut self, own: bool) -> io::Result<WordFigures> {
        self.open.flush(&mut self.words)?;
        // Frequencies of words, and of words that another word follows.
        let (mut words, mut heads) = (Frequencies::new(), Frequencies::new());
        let (mut own_types, mut type_chars) = (0, 0u64);
        let mut top: Vec<WordRow> = Vec::new();
        for entry in self.words.drain()? {
            let WordCount { word, count, last, own, .. } = entry?;
            words.add(count);
            heads.add(count.saturating_sub(last));
            own_types += u64::from(own);
            type_chars += word.chars().count() as u64;
            // Ties are in the order of code points.
            let place = top.partition_point(|row| {
                (Reverse(row.count), row.word.as_str()) < (Reverse(count), &*word)
            });
            if place < TOP {
                top.insert(place, WordRow { word: word.into(), count });
                top.truncate(TOP);
            }
        }
        let (words, heads) = (words.spectrum(), heads.spectrum());
        let (pairs, triples) =
            rayon::join(|| spectrum(&mut self.pairs), || spectrum(&mut self.triples));
        let (pairs, triples) = (pairs?, triples?);
        let zipf = vec![zipf(1, &words), zipf(2, &pairs), zipf(3, &triples)];
        let running = zipf[1].tokens;
        // H(Y|X) = -sum p(x,y) log p(y|x), with p(x,y) = c(x,y) / N and p(y|x) = c(x,y) / c(x).
        let entropy = (running > 0)
            .then(|| ((information(&heads) - information(&pairs)) / running as f64).max(0.0));
        let types = zipf[0].types;
        let Sums { tokens, own_tokens, token_chars, sentences } = self.sums;
        Ok(WordFigures {
            vocabulary: Vocabulary {
                types,
                own_types: own.then_some(own_types),
                tokens,
                own_tokens: own.then_some(own_tokens),
                own_tokens_percent: percent(own_tokens, tokens).filter(|_| own),
                top,
            },
            zipf,
            lengths: WordLengths {
                chars_per_token: ratio(token_chars, tokens),
                chars_per_type: ratio(type_chars, types),
                sentences,
                tokens_per_sentence: ratio(tokens, sentences),
                entropy,
                perplexity: entropy.map(f64::exp2),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{CorpusPage, Viewer};
    use crate::tokens::Tokenizer;

    fn figures(texts: &[&str], table_bytes: usize) -> WordFigures {
        let folder = tempfile::tempdir().expect("a folder");
        let tokenizer = Tokenizer::new("urd".parse().expect("a code"));
        let mut words = Words::new(&Scratch::new(folder.path(), table_bytes));
        for text in texts {
            let page = CorpusPage { text: (*text).to_owned(), ..CorpusPage::default() };
            words.add(&Viewer::new(&tokenizer).view(&page)).expect("a folder to write to");
        }
        words.finish(true).expect("a folder to read from")
    }

    #[test]
    fn vocabulary_of_a_text_counted_by_hand() {
        let figures = figures(&["یہ اردو ہے۔ یہ web ہے", "web12 یہ"], 1 << 20);
        let vocabulary = &figures.vocabulary;
        assert_eq!((vocabulary.types, vocabulary.own_types), (5, Some(3)));
        assert_eq!((vocabulary.tokens, vocabulary.own_tokens), (8, Some(6)));
        assert_eq!(vocabulary.own_tokens_percent, Some(75.0));
        assert_eq!(vocabulary.top[0], WordRow { word: "یہ".to_owned(), count: 3 });
        let types: Vec<_> =
            figures.zipf.iter().map(|zipf| (zipf.types, zipf.tokens, zipf.once)).collect();
        assert_eq!(types, [(5, 8, 3), (6, 6, 6), (4, 4, 4)]);
        assert_eq!(figures.lengths.sentences, 3);
        assert_eq!(
            figures.lengths.chars_per_token,
            Some((2 + 4 + 2 + 2 + 3 + 2 + 5 + 2) as f64 / 8.0)
        );
        assert_eq!(figures.lengths.chars_per_type, Some((2 + 4 + 2 + 3 + 5) as f64 / 5.0));
    }

    #[test]
    fn entropy_of_a_text_counted_by_hand() {
        // Pairs: ab ab ac, bx bx. After a: b twice, c once; after b: x always.
        let figures = figures(&["a b x\na b x\na c"], 1 << 20);
        let after_a = -(2.0 / 3.0 * (2f64 / 3.0).log2() + 1.0 / 3.0 * (1f64 / 3.0).log2());
        let entropy = figures.lengths.entropy.expect("pairs");
        assert!((entropy - after_a * 3.0 / 5.0).abs() < 1e-12, "{entropy}");
        assert_eq!(figures.lengths.perplexity, Some(entropy.exp2()));
    }

    #[test]
    fn perplexity_is_two_to_the_entropy_as_in_the_pairs_that_w2c_printed() {
        // Urdu, English, German, Japanese, Malagasy: Wikipedia and the Web.
        let printed = [
            (6.43, 86.39),
            (6.46, 87.81),
            (6.87, 116.94),
            (6.46, 88.11),
            (6.64, 99.57),
            (2.68, 6.42),
            (2.76, 6.79),
        ];
        for (entropy, perplexity) in printed {
            let ours: f64 = f64::exp2(entropy);
            assert!((ours / perplexity - 1.0).abs() < 0.01, "{ours} for {perplexity}");
        }
    }

    #[test]
    fn tables_on_disk_give_the_same_figures() {
        let text: String =
            (0..4000u32).map(|n| format!("w{} ", n.wrapping_mul(n) % 1013)).collect();
        let texts = [text.as_str(), "ایک دو تین", &text[100..9000]];
        assert_eq!(figures(&texts, 1 << 10), figures(&texts, 1 << 24));
    }

    #[test]
    fn the_slope_of_a_text_that_follows_zipf_is_found() {
        for exponent in [0.8, 1.0, 1.2f64] {
            let spectrum = (1..=20_000).fold(Spectrum::new(), |mut spectrum, rank| {
                *spectrum
                    .entry((1e6 / f64::from(rank).powf(exponent)).round() as u64)
                    .or_default() += 1;
                spectrum
            });
            let slope = zipf(1, &spectrum).slope.expect("points");
            assert!((slope + exponent).abs() < 0.05, "{slope} for {exponent}");
        }
    }

    #[test]
    fn long_words_are_held_short_and_stay_apart() {
        let (first, second) = ("ا".repeat(5000), "ا".repeat(5001));
        let figures = figures(&[&first, &second, &second], 1 << 20);
        assert_eq!(figures.vocabulary.types, 2);
        assert_eq!(figures.vocabulary.top[0].count, 2);
        assert!(figures.vocabulary.top[0].word.len() < 300);
    }
}
