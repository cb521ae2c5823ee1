//! Lists of the words of a corpus: by frequency, or by contrast with another corpus.

use crate::letters::knows_letters;
use crate::scratch::{Drained, Entry, Scratch, Table, WordCount};
use crate::tokens::{Token, Tokenizer};
use crate::words::cut;
use crate::CorpusPage;
use langbytes::{LangCode, Scripts};
use rayon::prelude::*;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::io;

/// Pages that a thread counts at a time.
const PAGES: usize = 64;

/// The words of a corpus, or its sequences of words (n-grams), with their counts.
#[derive(Debug)]
pub struct Words {
    table: Table<WordCount>,
    all: u64,
}

impl Words {
    /// Creates an empty list. Words beyond the memory of `scratch` go to temporary files.
    pub fn new(scratch: &Scratch) -> Self {
        Self { table: Table::new(scratch), all: 0 }
    }

    /// Returns the number of running words.
    pub fn all(&self) -> u64 {
        self.all
    }

    /// Adds a word.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn add(&mut self, word: &str, count: u64) -> io::Result<()> {
        self.all = self.all.saturating_add(count);
        self.table.add(WordCount::new(word, count, 0, false))
    }

    /// Adds the words of kept pages, as reports count them, or their sequences of `ngrams` words.
    /// These do not cross the end of a sentence or a block.
    ///
    /// # Errors
    /// As [`Words::add`].
    pub fn add_pages(
        &mut self,
        pages: &[CorpusPage],
        tokenizer: &Tokenizer,
        ngrams: usize,
    ) -> io::Result<()> {
        let counts: Vec<_> =
            pages.par_chunks(PAGES).map(|pages| count(pages, tokenizer, ngrams)).collect();
        counts.into_iter().flatten().try_for_each(|(word, count)| self.add(&word, count))
    }
}

/// Settings of a ranking.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Language of the first corpus.
    pub language: LangCode,
    /// Scripts of its models.
    pub scripts: Scripts,
    /// Smallest number of occurrences in both corpora.
    pub min_count: u64,
    /// Smallest share of a word's frequency that is in the first corpus, if the list has distinctive
    /// words alone: these are in letters of the language.
    pub distinctive: Option<f64>,
}

/// A list of words.
#[derive(Debug)]
pub struct Ranking {
    /// Different words of the first corpus.
    pub different: u64,
    /// The words of the list, the highest rank first.
    pub words: Drained<Ranked>,
}

/// Ranks the words of a corpus by frequency. With words of another corpus, it ranks those of both by
/// log-likelihood, except for a list of distinctive words.
///
/// # Errors
/// Fails if a temporary file cannot be written or read.
pub fn rank(
    mut ours: Words,
    mut theirs: Words,
    settings: &Settings,
    scratch: &Scratch,
) -> io::Result<Ranking> {
    let (all, of) = (ours.all, theirs.all);
    let mut ranked = Table::new(scratch);
    let mut different = 0u64;
    let own = Own::new(settings.language, settings.scripts);
    let mut rank = |word: WordCount, count: u64, other: u64| {
        different += u64::from(count > 0);
        if count + other < settings.min_count {
            return Ok(());
        }
        if let Some(least) = settings.distinctive {
            if !word.word.split(' ').all(|word| own.has(word))
                || distinctiveness(count, all, other, of) < least
            {
                return Ok(());
            }
        }
        let by_frequency = of == 0 || settings.distinctive.is_some();
        let score =
            if by_frequency { count } else { log_likelihood(count, all, other, of).to_bits() };
        ranked.add(Ranked { score, word: word.word.as_str().to_owned(), count, other })
    };
    merge(ours.table.drain()?, theirs.table.drain()?, &mut rank)?;
    Ok(Ranking { different, words: ranked.drain()? })
}

/// The share of a word's frequency that is in the first of two corpora, from 0 to 1. The
/// frequencies are relative, so that the sizes of the corpora do not matter.
fn distinctiveness(count: u64, all: u64, other: u64, of: u64) -> f64 {
    let (ours, theirs) = (count as f64 / all as f64, other as f64 / of as f64);
    ours / (ours + theirs).max(f64::MIN_POSITIVE)
}

/// Tells words that can be of a language from numbers and words in other letters.
struct Own {
    tokenizer: Tokenizer,
    knows_letters: bool,
}

impl Own {
    fn new(language: LangCode, scripts: Scripts) -> Self {
        Self {
            tokenizer: Tokenizer::with_scripts(language, scripts),
            knows_letters: knows_letters(language, scripts),
        }
    }

    /// Returns true if all characters are letters of the language, or for a language of unknown
    /// letters, if one is a letter.
    fn has(&self, word: &str) -> bool {
        if !self.knows_letters {
            return word.chars().any(char::is_alphabetic);
        }
        let mut tokens = Vec::new();
        self.tokenizer.tokens(word, &mut tokens);
        matches!(tokens[..], [token] if token.own)
    }
}

/// Log-likelihood of a word's frequencies in two corpora: 2 Σ O ln(O/E), with the counts O and the
/// counts E that the word would have if it were equally frequent in both (Rayson and Garside 2000).
/// By chance alone, the value is over 3.84 once in twenty times, and over 15.13 once in ten
/// thousand times.
fn log_likelihood(count: u64, all: u64, other: u64, of: u64) -> f64 {
    let both = (count as f64 + other as f64) / (all as f64 + of as f64);
    let term = |observed: u64, size: u64| {
        let observed = observed as f64;
        // The limit for a count of 0 is 0.
        if observed > 0.0 {
            observed * (observed / (size as f64 * both)).ln()
        } else {
            0.0
        }
    };
    // For equal frequencies, rounding may give a negative result.
    (2.0 * (term(count, all) + term(other, of))).max(0.0)
}

/// Visits the words of both lists, each once, with its counts.
fn merge(
    ours: Drained<WordCount>,
    theirs: Drained<WordCount>,
    take: &mut dyn FnMut(WordCount, u64, u64) -> io::Result<()>,
) -> io::Result<()> {
    let (mut ours, mut theirs) = (ours.peekable(), theirs.peekable());
    loop {
        let order = match (ours.peek(), theirs.peek()) {
            (None, None) => return Ok(()),
            (Some(Ok(one)), Some(Ok(other))) => one.order(other),
            (Some(_), None) | (Some(Err(_)), _) => Ordering::Less,
            (None, Some(_)) | (_, Some(Err(_))) => Ordering::Greater,
        };
        let one = if order == Ordering::Greater { None } else { ours.next().transpose()? };
        let other = if order == Ordering::Less { None } else { theirs.next().transpose()? };
        let counts = [&one, &other].map(|word| word.as_ref().map_or(0, |word| word.count));
        if let Some(word) = one.or(other) {
            take(word, counts[0], counts[1])?;
        }
    }
}

/// Counts the sequences of `ngrams` words of kept pages. The words of a sequence are joined by
/// blanks, which no word contains.
fn count<'a>(
    pages: &'a [CorpusPage],
    tokenizer: &Tokenizer,
    ngrams: usize,
) -> HashMap<Cow<'a, str>, u64> {
    let mut counts = HashMap::new();
    let mut tokens = Vec::new();
    for page in pages.iter().filter(|page| page.kept && !page.gone) {
        tokens.clear();
        tokenizer.tokens(&page.text, &mut tokens);
        let word = |token: &Token| cut(token.text(&page.text));
        for sequence in tokens.windows(ngrams) {
            let ends = |token: &Token| token.ends_sentence || token.ends_block;
            if sequence[..ngrams - 1].iter().any(ends) {
                continue;
            }
            let words = match sequence {
                [one] => Cow::Borrowed(word(one)),
                _ => Cow::Owned(sequence.iter().map(word).collect::<Vec<_>>().join(" ")),
            };
            *counts.entry(words).or_default() += 1;
        }
    }
    counts
}

/// A word with its rank: the highest score first, then by its letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    /// A count, or the bits of a number that is not negative. The order of the bits is that of the
    /// numbers.
    score: u64,
    /// The word as it was counted.
    pub word: String,
    /// How often it is in the first corpus.
    pub count: u64,
    /// How often it is in the other corpus.
    pub other: u64,
}

impl Ranked {
    /// Log-likelihood of the word's frequencies, in a list that is sorted by it.
    pub fn log_likelihood(&self) -> f64 {
        f64::from_bits(self.score)
    }
}

impl Entry for Ranked {
    // Half of all words occur once, so their letters decide the order.
    const DIGITS: u32 = 24;

    fn digit(&self, place: u32) -> u8 {
        let place = place as usize;
        match (!self.score).to_be_bytes().get(place) {
            Some(digit) => *digit,
            None => self.word.as_bytes().get(place - 8).copied().unwrap_or(0),
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        other.score.cmp(&self.score).then_with(|| self.word.cmp(&other.word))
    }

    // No word occurs twice.
    fn absorb(&mut self, _: &Self) {}

    fn write(&self, _: u32, out: &mut Vec<u8>) {
        for number in [self.score, self.count, self.other, self.word.len() as u64] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(self.word.as_bytes());
    }

    fn read(_: u32, _: u8, input: &mut &[u8]) -> io::Result<Self> {
        let damaged = || {
            io::Error::new(io::ErrorKind::InvalidData, "a temporary file is not as it was written")
        };
        let mut number = || {
            let (number, rest) = input.split_first_chunk().ok_or_else(damaged)?;
            *input = rest;
            Ok::<_, io::Error>(u64::from_le_bytes(*number))
        };
        let (score, count, other, length) = (number()?, number()?, number()?, number()?);
        let length = usize::try_from(length).map_err(|_| damaged())?;
        let (word, rest) = input.split_at_checked(length).ok_or_else(damaged)?;
        *input = rest;
        let word = String::from_utf8(word.to_owned()).map_err(|_| damaged())?;
        Ok(Self { score, word, count, other })
    }

    fn bytes_elsewhere(&self) -> usize {
        // The memory that the allocator keeps is about the same for all.
        self.word.len() + 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env::temp_dir;

    #[test]
    fn distinctive_words_are_those_of_one_corpus_whatever_the_sizes() {
        assert!((distinctiveness(85, 1000, 150, 10_000) - 0.85).abs() < 1e-9);
        assert!((distinctiveness(1, 10, 0, 10) - 1.0).abs() < 1e-9);
        assert!(distinctiveness(0, 10, 5, 10) < 1e-9);
        let own = Own::new("urd".parse().expect("a code"), Scripts::default());
        assert!(own.has("اردو") && !own.has("web") && !own.has("12"));
        let own = Own::new("xal".parse().expect("a code"), Scripts::default());
        assert!(own.has("nuqneH") && !own.has("12"));
    }

    /// The example of UCREL's calculator, and the ends of the scale.
    #[test]
    fn log_likelihood_is_that_of_the_textbook() {
        assert_eq!(format!("{:.2}", log_likelihood(52, 50_000, 57, 75_000)), "2.65");
        assert!((log_likelihood(10, 100, 0, 100) - 20.0 * 2f64.ln()).abs() < 1e-9);
        for equal in [(1, 3, 2, 6), (7, 49, 1, 7), (333, 999, 111, 333)] {
            assert!(log_likelihood(equal.0, equal.1, equal.2, equal.3) < 1e-9);
        }
    }

    #[test]
    fn words_are_ranked_whether_memory_or_disk_holds_them() {
        let mut words: Vec<Ranked> = (0..3000u64)
            .map(|number| Ranked {
                score: number % 7,
                word: format!("a long beginning {number}"),
                count: number,
                other: 1,
            })
            .collect();
        for memory in [1 << 10, 1 << 24] {
            let mut table = Table::new(&Scratch::new(&temp_dir(), memory));
            words.iter().rev().for_each(|word| table.add(word.clone()).expect("disk"));
            let ranked: Vec<Ranked> =
                table.drain().expect("disk").map(|word| word.expect("disk")).collect();
            words.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.word.cmp(&b.word)));
            assert!(ranked == words, "{memory}");
        }
    }
}
