//! Makes a corpus of single sentences.

use crate::arguments::{mebibytes, whole, Archive};
use crate::context::Context;
use crate::io::console::counted;
use crate::io::corpora::Pages;
use crate::io::output::Place;
use anyhow::{anyhow, bail, Result};
use clap::Args;
use figures::{Page, Scratch};
use inputs::exclusions::Without;
use langid::{Identify, LangCode};
use rayon::prelude::*;
use sentences::{in_language, thumbprint, Collection, Points};
use std::io::{self, Write as _};
use std::path::PathBuf;

/// Write the sentences of a corpus in a language, each once, in random order
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl, WARC files or WET files: plain, gzip or zstd; Parquet; or folders of
    /// them. - is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the sentences, one per line; .gz and .zst compress. An old file is replaced after
    /// the new one is complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Exclusion list. Each line is a host (which excludes its subdomains too), a URL prefix, or =
    /// and the URL of a page. `audit count --verdicts` writes such a list
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
    /// Language of the sentences, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Smallest number of words in a sentence
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = whole::<u16>(1..=100))]
    min_words: u16,
    /// Write the URL of the page after each sentence, separated by a tab
    #[arg(long)]
    urls: bool,
    #[command(flatten)]
    archive: Archive,
    /// Memory for sentences, in MiB. More data goes to temporary files
    #[arg(
        long,
        default_value_t = 1024,
        value_name = "MIB",
        value_parser = whole::<u64>(16..=1 << 20)
    )]
    memory: u64,
}

/// A sentence in the language.
type Found = (u128, String);

/// Writes the complete sentences in the engine's language, each once, in random order. The first
/// SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, there is no sentence, the file cannot be written, or a signal
/// stopped the work.
pub fn run(asked: &Arguments, context: &Context) -> Result<bool> {
    let engine = &context.reader(asked.language, &asked.archive)?;
    let identifier = context.identifier(Some(asked.language))?;
    let (identifier, max_bytes, memory) =
        (identifier.as_ref(), context.max_bytes, mebibytes(asked.memory));
    let language = engine.settings().target();
    context.apart(&[(&asked.out, "--out")], asked.without.as_deref())?;
    let place = Place::new(&asked.out, "--out")?;
    let folder = place.folder();
    let mut collection = Collection::new(&Scratch::new(folder, memory / 4 * 3));
    let without = asked
        .without
        .as_deref()
        .map(|file| Without::read(file, max_bytes))
        .transpose()?
        .unwrap_or_default();
    let (mut pages, mut whole, mut listed) = (0u64, 0u64, 0u64);
    let corpora = &asked.corpora;
    let is_whole = Pages {
        name: "sentences",
        corpora,
        engine,
        folder,
        memory: memory / 4,
        max_bytes,
        outputs: &[(&asked.out, "--out")],
    }
    .read_learned(&mut |mut batch, points| {
        let all = batch.len();
        batch.retain(|page| !without.has(&page.url));
        listed += (all - batch.len()) as u64;
        let found: Vec<_> = batch
            .par_iter()
            .map(|page| of_page(page, asked.min_words.into(), identifier, language, points))
            .collect();
        for (page, (sentences, found)) in batch.into_iter().zip(found) {
            pages += 1;
            whole += sentences as u64;
            for (thumbprint, sentence) in found {
                let url = if asked.urls { one_line(&page.url) } else { String::new() };
                collection.add(thumbprint, sentence, url)?;
            }
        }
        Ok(())
    })?;
    let (mut lines, file) = place.create()?;
    let mut written = 0u64;
    let failed = |error: io::Error| anyhow!("temporary files in {}: {error}", folder.display());
    for sentence in collection.drain().map_err(failed)? {
        let sentence = sentence.map_err(failed)?;
        let tab = if asked.urls { "\t" } else { "" };
        writeln!(lines, "{}{tab}{}", sentence.text, sentence.url)
            .map_err(|error| place.failed(&error))?;
        written += 1;
    }
    lines.finish().map_err(|error| place.failed(&error))?;
    if written == 0 {
        bail!("the input has no whole sentence in {language}; nothing was written");
    }
    let place = place.settle(is_whole)?;
    place.put(file)?;
    eprintln!(
        "corpulyzer: {}{}, {}, {} of them in {language}, {written} different: {}",
        counted(pages, "page"),
        if asked.without.is_some() {
            format!(", and {listed} excluded by --without")
        } else {
            String::new()
        },
        counted(whole, "whole sentence"),
        collection.added(),
        place.name()
    );
    Ok(is_whole)
}

/// Returns the number of complete sentences of a page of the corpus, and the sentences in the
/// language.
fn of_page(
    page: &Page,
    min_words: usize,
    identifier: &dyn Identify,
    language: LangCode,
    points: &Points,
) -> (usize, Vec<Found>) {
    if page.gone || !page.kept {
        return (0, Vec::new());
    }
    let (whole, found) = in_language(page, min_words, identifier, language, points);
    let found = found.into_iter().map(|text| (thumbprint(text), one_line(text))).collect();
    (whole, found)
}

/// Replaces white space by spaces, so that no tab or line end in a sentence is read as one of the
/// file.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
