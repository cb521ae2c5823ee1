//! Lists the words of a corpus by frequency, or by the contrast with another corpus.

use crate::arguments::{mebibytes, share, whole, Archive};
use crate::context::Context;
use crate::io::console::{about, counted, temporary};
use crate::io::corpora::{Pages, URL_MEMORY};
use crate::io::output::{settle, FilePlace};
use crate::io::{input, of_option};
use anyhow::{bail, Result};
use clap::Args;
use engine::Engine;
use figures::scratch::Drained;
use figures::wordlist::{rank, Ranked, Settings, Words};
use figures::{Scratch, Tokenizer};
use langid::LangCode;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

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
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    #[arg(value_parser = whole::<u64>(16..=1 << 20))]
    memory: u64,
}

/// Writes the words of the corpora, one on each line, the most frequent first. With another corpus,
/// words whose frequencies differ most come first. The first SIGINT or SIGTERM stops the work and
/// leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read or has no words, the file cannot be written, or a signal
/// stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let engine = &context.reader(arguments.language, &arguments.archive)?;
    let (max_bytes, memory) = (context.max_bytes, mebibytes(arguments.memory));

    let outputs = [(arguments.out.as_path(), "--out")];
    context.apart(&outputs, arguments.against.as_deref())?;
    let place = FilePlace::new(&arguments.out, "--out")?;
    let scratch = Scratch::new(place.folder(), memory / 4);
    let reading = Reading {
        engine,
        scratch: &scratch,
        folder: place.folder(),
        max_bytes,
        outputs: &outputs,
        ngrams: arguments.ngrams.into(),
    };
    let (ours, is_whole) = reading.words(&arguments.corpora)?;
    let (theirs, is_other_whole) = match arguments.against.as_deref() {
        None => (Words::new(&scratch), true),
        Some(path) if is_list(path)? => (listed(path, &scratch, place.folder(), max_bytes)?, true),
        Some(path) => reading.words(&[path.to_owned()])?,
    };
    let (all, of, whole) = (ours.all(), theirs.all(), is_whole && is_other_whole);
    if all == 0 {
        bail!("the input has no words; nothing was written");
    }
    if arguments.against.is_some() && of == 0 {
        bail!("the input has no words; nothing was written (--against)");
    }
    let settings = Settings {
        language: arguments.language,
        scripts: engine.model_scripts(arguments.language),
        min_count: arguments.min_count,
        distinctive: arguments.distinctive,
    };
    let ranking = rank(ours, theirs, &settings, &scratch).map_err(temporary(place.folder()))?;
    let (mut lines, file) = place.create()?;
    let beside = if arguments.distinctive.is_some() { 0 } else { of };
    let written = write(&mut lines, ranking.words, (all, beside)).and_then(|written| {
        lines.finish()?;
        Ok(written)
    });
    let written = written.map_err(|error| place.failed(error))?;
    let place = settle(place, whole)?;
    place.put(file)?;
    let what = match arguments.ngrams {
        1 => "word".to_owned(),
        words => format!("{words}-gram"),
    };
    let beside = if of > 0 { format!(", compared with {of}") } else { String::new() };
    note!(
        "corpulyzer: {}{beside}, {} different; {written} in the list: {}",
        counted(all, &what),
        ranking.different,
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
        let ranked = word?;
        let Ranked { word, count, other, .. } = &ranked;
        let (count, other) = (*count, *other);
        written += 1;
        // A spreadsheet may open the list.
        let word = render::tsv::cell(word);
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
            ranked.log_likelihood()
        )?;
    }
    Ok(written)
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
    /// Counts the words of a corpus's kept pages. Returns false with them if an input is not whole.
    fn words(&self, corpora: &[PathBuf]) -> Result<(Words, bool)> {
        let tokenizer = Tokenizer::new(self.engine.settings().target());
        let mut words = Words::new(self.scratch);
        let pages = Pages {
            name: "words",
            corpora,
            engine: self.engine,
            folder: self.folder,
            memory: URL_MEMORY,
            max_bytes: self.max_bytes,
            outputs: self.outputs,
        };
        let whole = pages.read(&mut |pages| words.add_pages(&pages, &tokenizer, self.ngrams))?;
        Ok((words, whole))
    }
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
    let start = input.fill_buf().map_err(about(input::name(path)))?;
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start).trim_ascii_start();
    Ok(!start.is_empty() && !start.starts_with(b"{") && !start.starts_with(b"WARC/"))
}

/// A word list, as this verb writes it.
fn listed(path: &Path, scratch: &Scratch, folder: &Path, max_bytes: u64) -> Result<Words> {
    let name = input::name(path);
    let mut input = of_option(input::open(path), "--against")?;
    let mut words = Words::new(scratch);
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        let read =
            io::Read::take(&mut input, max_bytes.saturating_add(1)).read_until(b'\n', &mut line);
        if read.map_err(about(&name))? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let cells = text.trim_end_matches(['\n', '\r']).split_once('\t');
        let Some((word, count)) =
            cells.and_then(|(word, count)| Some((word, count.trim().parse::<u64>().ok()?)))
        else {
            bail!("{name}, line {number}: is not a word, a tab and a count (--against)");
        };
        let added = words.add(&render::tsv::value(word), count);
        added.map_err(temporary(folder))?;
    }
    Ok(words)
}
