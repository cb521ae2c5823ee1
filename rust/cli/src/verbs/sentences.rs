//! Makes a corpus of single sentences.

use crate::arguments::{languages, mebibytes, whole, Archive};
use crate::context::Context;
use crate::io::console::{counted, temporary};
use crate::io::corpora::Pages;
use crate::io::output::{folder, settle, FilePlace};
use anyhow::{bail, Result};
use clap::Args;
use engine::{Settings, Targets};
use figures::{CorpusPage, Scratch};
use inputs::exclusions::Without;
use langid::{Identify, LangCode};
use rayon::prelude::*;
use sentences::{in_languages, thumbprint, Collection, Points};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Write the sentences of a corpus in a language, each once, in random order
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl, WARC files or WET files: plain, gzip or zstd; Parquet; or folders of
    /// them. - is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the sentences, one per line; .gz and .zst compress. An old file is replaced after
    /// the new one is complete. {language} in its name stands for the code of each language
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Exclusion list. Each line is a host (which excludes its subdomains too), a URL prefix, or =
    /// and the URL of a page. `audit count --verdicts` writes such a list
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
    /// Language of the sentences, an ISO 639 code or a name; or several with commas, each of which
    /// gets a file (--out 'sentences.{language}.txt')
    #[arg(long, value_name = "CODES", value_parser = languages)]
    language: Targets,
    /// Smallest number of words in a sentence
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = whole::<u16>(1..=100))]
    min_words: u16,
    /// Write the URL of the page after each sentence, separated by a tab
    #[arg(long)]
    urls: bool,
    #[command(flatten)]
    archive: Archive,
    /// Memory for sentences, in MiB. More data goes to temporary files
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    #[arg(value_parser = whole::<u64>(16..=1 << 20))]
    memory: u64,
}

/// The part of `--out` that stands for the code of a language.
const PLACE: &str = "{language}";

/// A sentence with its language and thumbprint.
type Found = (LangCode, u128, String);

/// The sentences of one language, and their file.
struct Sentences {
    place: FilePlace,
    collection: Collection,
}

impl Sentences {
    /// Writes a line for each sentence to a new file, which is no output yet. Returns the number of
    /// lines, and the file; without lines there is none.
    fn write(&mut self, urls: bool) -> Result<Option<(u64, NamedTempFile)>> {
        let place = &self.place;
        let failed = temporary(place.folder());
        let (mut lines, file) = place.create()?;
        let mut written = 0u64;
        for sentence in self.collection.drain().map_err(&failed)? {
            let sentence = sentence.map_err(&failed)?;
            let tab = if urls { "\t" } else { "" };
            writeln!(lines, "{}{tab}{}", sentence.text, sentence.url)
                .map_err(|error| place.failed(error))?;
            written += 1;
        }
        lines.finish().map_err(|error| place.failed(error))?;
        Ok((written > 0).then_some((written, file)))
    }
}

/// Writes the complete sentences in the languages, each once, in random order. The first SIGINT or
/// SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, a language has no sentence, a file cannot be written, or a
/// signal stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let languages: Vec<LangCode> = arguments.language.iter().collect();
    let settings = arguments.archive.settings(languages[0]);
    let engine = &context.engine(Settings { targets: arguments.language.clone(), ..settings })?;
    let identifier = context.identifier(&languages)?;
    let (identifier, max_bytes, memory) =
        (identifier.as_ref(), context.max_bytes, mebibytes(arguments.memory));
    let files = files(&arguments.out, &languages)?;
    let outputs: Vec<_> = files.iter().map(|(_, file)| (file.as_path(), "--out")).collect();
    context.apart(&outputs, arguments.without.as_deref())?;
    let folder = folder(&arguments.out);
    let mut of_languages = BTreeMap::new();
    for (language, file) in &files {
        let place = FilePlace::new(file, "--out")?;
        let scratch = Scratch::new(folder, memory / 4 * 3 / files.len());
        let collection = Collection::new(&scratch);
        of_languages.insert(*language, Sentences { place, collection });
    }
    let without = Without::of(arguments.without.as_deref(), max_bytes)?;
    let (mut pages, mut whole, mut listed) = (0u64, 0u64, 0u64);
    let (name, corpora, outputs) = ("sentences", &arguments.corpora, &outputs[..]);
    let input = Pages { name, corpora, engine, folder, memory: memory / 4, max_bytes, outputs };
    let is_whole = input.read_learned(&mut |mut batch, points| {
        let all = batch.len();
        batch.retain(|page| !without.has(&page.url));
        listed += (all - batch.len()) as u64;
        let min_words = arguments.min_words.into();
        let found: Vec<_> = batch
            .par_iter()
            .map(|page| of_page(page, min_words, identifier, &languages, points.of(page)))
            .collect();
        for (page, (sentences, found)) in batch.into_iter().zip(found) {
            pages += 1;
            whole += sentences as u64;
            for (language, thumbprint, sentence) in found {
                let url = if arguments.urls { one_line(&page.url) } else { String::new() };
                if let Some(sentences) = of_languages.get_mut(&language) {
                    sentences.collection.add(thumbprint, sentence, url)?;
                }
            }
        }
        Ok(())
    })?;
    let excluded = match &arguments.without {
        Some(_) => format!(", and {listed} excluded by --without"),
        None => String::new(),
    };
    let (pages, whole) = (counted(pages, "page"), counted(whole, "whole sentence"));
    put(arguments, of_languages, is_whole, &format!("{pages}{excluded}, {whole}"))?;
    Ok(is_whole)
}

/// Writes the sentences of the languages that have some, and prints how many they are. `read`: what
/// was read.
fn put(
    arguments: &Arguments,
    of_languages: BTreeMap<LangCode, Sentences>,
    is_whole: bool,
    read: &str,
) -> Result<()> {
    let (mut written, are_several) = (Vec::new(), of_languages.len() > 1);
    for (language, mut sentences) in of_languages {
        match sentences.write(arguments.urls)? {
            Some((lines, file)) => written.push((language, sentences, lines, file)),
            None if are_several => {
                eprintln!(
                    "corpulyzer: the input has no whole sentence in {language}; {} is not written",
                    sentences.place.name()
                );
            }
            None => {}
        }
    }
    if written.is_empty() {
        bail!("the input has no whole sentence in {}; nothing was written", arguments.language);
    }
    note!("corpulyzer: {read}");
    for (language, sentences, lines, file) in written {
        let place = settle(sentences.place, is_whole)?;
        place.put(file)?;
        note!(
            "corpulyzer: {} of them in {language}, {lines} different: {}",
            sentences.collection.added(),
            place.name()
        );
    }
    Ok(())
}

/// Returns the file of each language. Several languages need [`PLACE`] in the file's name.
///
/// # Errors
/// Fails if several languages would be in one file.
fn files(out: &Path, languages: &[LangCode]) -> Result<Vec<(LangCode, PathBuf)>> {
    let name = out.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if languages.len() > 1 && !name.contains(PLACE) {
        bail!(misuse!(
            "{}: is one file for {} languages; write {PLACE} in its name, which stands for the \
             code of each (--out)",
            out.display(),
            languages.len()
        ));
    }
    let file = |language: LangCode| match name.contains(PLACE) {
        true => out.with_file_name(name.replace(PLACE, &language.to_string())),
        false => out.to_owned(),
    };
    Ok(languages.iter().map(|&language| (language, file(language))).collect())
}

/// Returns the number of complete sentences of a page of the corpus, and those in the languages.
fn of_page(
    page: &CorpusPage,
    min_words: usize,
    identifier: &dyn Identify,
    languages: &[LangCode],
    points: &Points,
) -> (usize, Vec<Found>) {
    if page.gone || !page.kept {
        return (0, Vec::new());
    }
    let (whole, found) = in_languages(page, min_words, identifier, languages, points);
    let found = found.into_iter().map(|(code, text)| (code, thumbprint(text), one_line(text)));
    (whole, found.collect())
}

/// Replaces white space by spaces, so that no tab or line end in a sentence is read as one of the
/// file.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
