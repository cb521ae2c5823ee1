//! Writes a corpus as vertical text for corpus workbenches.

use crate::arguments::Archive;
use crate::context::Context;
use crate::io::console::counted;
use crate::io::corpora::{Pages, URL_MEMORY};
use crate::io::output::folder;
use crate::io::records::Output;
use anyhow::{bail, Result};
use clap::{Args, ValueEnum};
use figures::CorpusPage;
use inputs::exclusions::Without;
use langid::LangCode;
use rayon::prelude::*;
use sentences::{Counts, Points, Style, Vertical};
use std::io;
use std::path::PathBuf;

/// Write a corpus as vertical text (VRT): a token on each line, with documents, paragraphs and
/// sentences, for NoSketch Engine, Korp or CWB
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl, WARC files or WET files: plain, gzip or zstd; Parquet; or folders of
    /// them. - is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the text; .gz and .zst compress. An old file is replaced after the new one is
    /// complete. - is standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Language of the corpus, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Names of the elements: nosketch (doc, p, s, and g where no blank is between two tokens) or
    /// korp (text, paragraph, sentence)
    #[arg(long, value_enum, default_value_t = Names::Nosketch, value_name = "NAMES")]
    names: Names,
    /// Exclusion list. Each line is a host (which excludes its subdomains too), a URL prefix, or =
    /// and the URL of a page. `audit count --verdicts` writes such a list
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
    #[command(flatten)]
    archive: Archive,
}

/// The names of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Names {
    Nosketch,
    Korp,
}

/// Writes the kept pages in the order of the inputs. The first SIGINT or SIGTERM stops the work and
/// leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, no page has text, the file cannot be written, or a signal
/// stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let (engine, max_bytes) =
        (&context.reader(arguments.language, &arguments.archive)?, context.max_bytes);
    let outputs = [(arguments.out.as_path(), "--out")];
    context.apart(&outputs, arguments.without.as_deref())?;
    let without =
        arguments.without.as_deref().map(|file| Without::read(file, max_bytes)).transpose()?;
    let without = without.unwrap_or_default();
    let style = match arguments.names {
        Names::Nosketch => Style::NoSketch,
        Names::Korp => Style::Korp,
    };
    let vertical = Vertical::new(arguments.language, style);
    let mut out = Output::new(&arguments.out, "--out")?;
    let mut sums = Sums::default();
    let corpora = &arguments.corpora;
    // The reader of the corpora passes on only that `take` failed.
    let mut end: Option<Result<()>> = None;
    let read = Pages {
        name: "vertical",
        corpora,
        engine,
        folder: folder(&arguments.out),
        memory: URL_MEMORY,
        max_bytes,
        outputs: &outputs,
    }
    .read_learned(&mut |pages, points| {
        let written: Vec<(String, Counts)> = pages
            .par_iter()
            .filter(|page| page.kept && !page.gone && !without.has(&page.url))
            .map(|page| document(page, &vertical, points.of(page)))
            .collect();
        end = sums.write(&mut out, written);
        match end {
            Some(_) => Err(io::ErrorKind::BrokenPipe.into()),
            None => Ok(()),
        }
    });
    if let Some(end) = end {
        return end.map(|()| true);
    }
    let is_whole = read?;
    if sums.documents == 0 {
        bail!("the input has no page with text; nothing was written");
    }
    let name = out.finish(is_whole)?;
    note!(
        "corpulyzer: {}, {}, {}: {name}",
        counted(sums.documents, "document"),
        counted(sums.sentences, "sentence"),
        counted(sums.tokens, "token")
    );
    Ok(is_whole)
}

/// Counts of what was written.
#[derive(Default)]
struct Sums {
    documents: u64,
    sentences: u64,
    tokens: u64,
}

impl Sums {
    /// Writes documents, and counts those that are not empty. Returns how the output ended, if it
    /// did: its reader is gone, or it failed.
    fn write(&mut self, out: &mut Output, documents: Vec<(String, Counts)>) -> Option<Result<()>> {
        for (text, counts) in documents.into_iter().filter(|(text, _)| !text.is_empty()) {
            match out.line(text.as_bytes()) {
                Ok(true) => {}
                Ok(false) => return Some(Ok(())),
                Err(error) => return Some(Err(error)),
            }
            self.documents += 1;
            self.sentences += counts.sentences;
            self.tokens += counts.tokens;
        }
        None
    }
}

/// A page as vertical text, with its URL, host and round, and its bytes in the language.
fn document(page: &CorpusPage, vertical: &Vertical, points: &Points) -> (String, Counts) {
    let (round, bytes) = (page.round.map(|round| round.to_string()), page.target_bytes.to_string());
    let mut attributes =
        vec![("url", page.url.as_str()), ("host", page.host.as_str()), ("bytes", bytes.as_str())];
    attributes.extend(round.as_deref().map(|round| ("round", round)));
    vertical.document(&attributes, &page.text, points)
}
