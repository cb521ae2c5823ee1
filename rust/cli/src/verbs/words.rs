//! Lists the words of a corpus by frequency, or by the contrast with another corpus.

use crate::arguments::{mebibytes, share, whole, Archive};
use crate::context::Context;
use crate::io::console::counted;
use crate::io::corpora::{Pages, URL_MEMORY};
use crate::io::output::Place;
use crate::io::{input, of_option};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use engine::Engine;
use figures::letters::knows_letters;
use figures::scratch::{Drained, Entry, Table, WordCount};
use figures::tokens::Token;
use figures::{Page, Scratch, Tokenizer};
use langid::words::Scripts;
use langid::{floor_char_boundary, LangCode};
use rayon::prelude::*;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

/// Longest word in bytes. Of a longer word, only the beginning is used.
const MAX_WORD_BYTES: usize = 200;

/// Pages that a thread counts at a time.
const PAGES: usize = 64;

/// List the words or the sequences of words (n-grams) of a corpus by frequency, or by contrast with
/// another corpus
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl, WARC files or WET files: plain, gzip or zstd; Parquet; or folders of
    /// them. - is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the list: a word, a tab and its count per line; .gz and .zst compress. An old file
    /// is replaced after the new one is complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Language of the corpus, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Another corpus, or a word list of it. Words are then sorted by log-likelihood, with the
    /// counts in both corpora
    #[arg(long, value_name = "PATH")]
    against: Option<PathBuf>,
    /// List only distinctive words: those with at least this share of their frequency in CORPUS,
    /// where the frequencies in both corpora add up to 1. .85 is FineWeb-2's share. The list has
    /// words and counts, the most frequent first
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "against")]
    distinctive: Option<f64>,
    /// Skip words that occur less often (in both corpora together)
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>(1..))]
    min_count: u64,
    /// List sequences of N words in place of words. They do not cross the end of a sentence or a
    /// block
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u8>(1..=5))]
    ngrams: u8,
    #[command(flatten)]
    archive: Archive,
    /// Memory for words, in MiB. More data goes to temporary files
    #[arg(
        long,
        default_value_t = 1024,
        value_name = "MIB",
        value_parser = whole::<u64>(16..=1 << 20)
    )]
    memory: u64,
}

/// The words of a corpus.
struct Words {
    table: Table<WordCount>,
    /// Running words.
    all: u64,
    /// True if its inputs are whole.
    whole: bool,
}

/// Writes the words of the corpora, one on each line, the most frequent first. With another corpus,
/// words whose frequencies differ most come first. The first SIGINT or SIGTERM stops the work and
/// leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read or has no words, the file cannot be written, or a signal
/// stopped the work.
pub fn run(asked: &Arguments, context: &Context) -> Result<bool> {
    let engine = &context.reader(asked.language, &asked.archive)?;
    let (max_bytes, memory) = (context.max_bytes, mebibytes(asked.memory));

    let outputs = [(asked.out.as_path(), "--out")];
    context.apart(&outputs, asked.against.as_deref())?;
    let place = Place::new(&asked.out, "--out")?;
    let scratch = Scratch::new(place.folder(), memory / 4);
    let reading = Reading {
        engine,
        scratch: &scratch,
        folder: place.folder(),
        max_bytes,
        outputs: &outputs,
        ngrams: asked.ngrams.into(),
    };
    let mut ours = reading.words(&asked.corpora)?;
    let mut theirs = match asked.against.as_deref() {
        None => Words { table: Table::new(&scratch), all: 0, whole: true },
        Some(path) if is_list(path)? => listed(path, &scratch, max_bytes)?,
        Some(path) => reading.words(&[path.to_owned()])?,
    };
    if ours.all == 0 {
        bail!("the input has no words; nothing was written");
    }
    if asked.against.is_some() && theirs.all == 0 {
        bail!("the input has no words; nothing was written (--against)");
    }
    let failed =
        |error: io::Error| anyhow!("temporary files in {}: {error}", place.folder().display());
    let (all, of, whole) = (ours.all, theirs.all, ours.whole && theirs.whole);
    let mut ranked = Table::new(&scratch);
    let mut different = 0u64;
    let own = Own::new(asked.language, engine.model_scripts(asked.language));
    let mut rank = |word: WordCount, count: u64, other: u64| {
        different += u64::from(count > 0);
        if count + other < asked.min_count {
            return Ok(());
        }
        if let Some(least) = asked.distinctive {
            if !word.word.split(' ').all(|word| own.has(word))
                || distinctiveness(count, all, other, of) < least
            {
                return Ok(());
            }
        }
        let by_frequency = of == 0 || asked.distinctive.is_some();
        let score =
            if by_frequency { count } else { log_likelihood(count, all, other, of).to_bits() };
        ranked.add(Ranked { score, word: word.word.as_str().to_owned(), count, other })
    };
    merge(ours.table.drain().map_err(failed)?, theirs.table.drain().map_err(failed)?, &mut rank)
        .map_err(failed)?;
    let (mut lines, file) = place.create()?;
    let beside = if asked.distinctive.is_some() { 0 } else { of };
    let written =
        write(&mut lines, ranked.drain().map_err(failed)?, (all, beside)).and_then(|written| {
            lines.finish()?;
            Ok(written)
        });
    let written = written.map_err(|error| place.failed(&error))?;
    let place = place.settle(whole)?;
    place.put(file)?;
    let what = if asked.ngrams == 1 { "word".to_owned() } else { format!("{}-gram", asked.ngrams) };
    let beside = if of > 0 { format!(", compared with {of}") } else { String::new() };
    eprintln!(
        "corpulyzer: {}{beside}, {different} different; {written} in the list: {}",
        counted(all, &what),
        place.name()
    );
    Ok(whole)
}

fn write(
    out: &mut impl io::Write,
    ranked: Drained<Ranked>,
    (all, of): (u64, u64),
) -> io::Result<u64> {
    if of > 0 {
        writeln!(
            out,
            "word\tsign\tlog_likelihood\tcount\tper_million\tother_count\tother_per_million"
        )?;
    }
    let mut written = 0;
    for word in ranked {
        let Ranked { score, word, count, other } = word?;
        written += 1;
        // A spreadsheet may open the list.
        let word = render::tsv::cell(&word);
        if of == 0 {
            writeln!(out, "{word}\t{count}")?;
            continue;
        }
        let million = |count: u64, all: u64| count as f64 * 1e6 / all as f64;
        let (ours, theirs) = (million(count, all), million(other, of));
        let sign = if ours >= theirs { '+' } else { '-' };
        writeln!(
            out,
            "{word}\t{sign}\t{:.2}\t{count}\t{ours:.2}\t{other}\t{theirs:.2}",
            f64::from_bits(score)
        )?;
    }
    Ok(written)
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

/// How the words of a corpus are read.
struct Reading<'a> {
    engine: &'a Engine,
    scratch: &'a Scratch,
    /// Folder for temporary files.
    folder: &'a Path,
    max_bytes: u64,
    outputs: &'a [(&'a Path, &'a str)],
    /// Number of words in a sequence.
    ngrams: usize,
}

impl Reading<'_> {
    /// Counts the words of a corpus's kept pages, as in reports, or sequences of them.
    fn words(&self, corpora: &[PathBuf]) -> Result<Words> {
        let tokenizer = Tokenizer::new(self.engine.settings().target());
        let mut words = Words { table: Table::new(self.scratch), all: 0, whole: true };
        let pages = Pages {
            name: "words",
            corpora,
            engine: self.engine,
            folder: self.folder,
            memory: URL_MEMORY,
            max_bytes: self.max_bytes,
            outputs: self.outputs,
        };
        words.whole = pages.read(&mut |pages| {
            let counts: Vec<_> = pages
                .par_chunks(PAGES)
                .map(|pages| count(pages, &tokenizer, self.ngrams))
                .collect();
            for (word, count) in counts.into_iter().flatten() {
                words.all += count;
                words.table.add(WordCount::new(&word, count, 0, false))?;
            }
            Ok(())
        })?;
        Ok(words)
    }
}

/// Counts the sequences of `ngrams` words of kept pages. The words of a sequence are joined by
/// blanks, which no word contains.
fn count<'a>(
    pages: &'a [Page],
    tokenizer: &Tokenizer,
    ngrams: usize,
) -> HashMap<Cow<'a, str>, u64> {
    let mut counts = HashMap::new();
    let mut tokens = Vec::new();
    for page in pages.iter().filter(|page| page.kept && !page.gone) {
        tokens.clear();
        tokenizer.tokens(&page.text, &mut tokens);
        let word = |token: &Token| {
            let word = token.text(&page.text);
            &word[..floor_char_boundary(word, MAX_WORD_BYTES)]
        };
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

/// Returns true if a file is a word list, not a corpus.
fn is_list(path: &Path) -> Result<bool> {
    if path == Path::new("-") {
        bail!("-: cannot be read twice; name a file (--against)");
    }
    if path.is_dir() {
        return Ok(false);
    }
    let mut input = of_option(input::open(path), "--against")?;
    let start = input.fill_buf().map_err(|error| anyhow!("{}: {error}", input::name(path)))?;
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start).trim_ascii_start();
    Ok(!start.is_empty() && !start.starts_with(b"{") && !start.starts_with(b"WARC/"))
}

/// A word list, as this verb writes it.
fn listed(path: &Path, scratch: &Scratch, max_bytes: u64) -> Result<Words> {
    let name = input::name(path);
    let mut input = of_option(input::open(path), "--against")?;
    let mut words = Words { table: Table::new(scratch), all: 0, whole: true };
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        let read =
            io::Read::take(&mut input, max_bytes.saturating_add(1)).read_until(b'\n', &mut line);
        if read.map_err(|error| anyhow!("{name}: {error}"))? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let cells = text.trim_end_matches(['\n', '\r']).split_once('\t');
        let Some((word, count)) =
            cells.and_then(|(word, count)| Some((word, count.trim().parse::<u64>().ok()?)))
        else {
            bail!("{name}, line {number}: is not a word, a tab and a count (--against)");
        };
        words.all = words.all.saturating_add(count);
        let added = words.table.add(WordCount::new(&render::tsv::value(word), count, 0, false));
        added.map_err(|error| anyhow!("temporary files: {error}"))?;
    }
    Ok(words)
}

/// A word with its rank: the highest score first, then by its letters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ranked {
    /// A count, or the bits of a number that is not negative. The order of the bits is that of the
    /// numbers.
    score: u64,
    word: String,
    count: u64,
    other: u64,
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
