//! A corpus of single sentences.

use crate::counted::counted;
use crate::place::{apart, Place};
use crate::reading::Pages;
use crate::without::Without;
use corpus::{Page, Scratch};
use engine::Engine;
use langid::{Identify, LangCode};
use rayon::prelude::*;
use sentences::{sentences, thumbprint, Collection};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// Least percent of a page's bytes in a language for its sentences to be taken for that language (Suki).
const SHARE_PERCENT: u64 = 2;

/// What is asked for.
pub struct Asked<'a> {
    /// Files and folders.
    pub corpora: &'a [PathBuf],
    /// File for the sentences.
    pub out: &'a Path,
    /// List of pages and hosts that are left out.
    pub without: Option<&'a Path>,
    /// Least words of a sentence.
    pub min_words: usize,
    /// Whether each sentence has the address of its page behind it.
    pub urls: bool,
    /// Bytes of memory for sentences and addresses.
    pub memory: usize,
}

/// A sentence in the language.
type Found = (u64, String);

/// Writes the whole sentences of the corpora's pages that are in the engine's language, each once, in no order. The first SIGINT or SIGTERM
/// stops the work and leaves nothing behind.
///
/// # Errors
/// When an input cannot be read, there is no sentence, the file cannot be written, or a signal stopped the work.
pub fn run(asked: &Asked, engine: &Engine, identifier: &dyn Identify, max_bytes: u64) -> Result<bool, String> {
    let language = engine.settings().target;
    apart(&[(asked.out, "--out")], asked.without)?;
    let place = Place::new(asked.out, "--out")?;
    let folder = place.folder();
    let mut collection = Collection::new(&Scratch::new(folder, asked.memory / 4 * 3));
    let without = asked.without.map(|file| Without::read(file, max_bytes)).transpose()?.unwrap_or_default();
    let (mut pages, mut whole, mut listed) = (0u64, 0u64, 0u64);
    let corpora = asked.corpora;
    let is_whole = Pages {
        name: "sentences",
        corpora,
        engine,
        folder,
        memory: asked.memory / 4,
        max_bytes,
        outputs: &[(asked.out, "--out")],
    }
    .read(&mut |mut batch| {
        let all = batch.len();
        batch.retain(|page| !without.has(&page.url));
        listed += (all - batch.len()) as u64;
        let found: Vec<_> = batch.par_iter().map(|page| of_page(page, asked.min_words, identifier, language)).collect();
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
    let mut file = place.begin()?;
    let mut lines = BufWriter::new(file.as_file_mut());
    let mut written = 0u64;
    let failed = |error: io::Error| format!("temporary files in {}: {error}", folder.display());
    for sentence in collection.drain().map_err(failed)? {
        let sentence = sentence.map_err(failed)?;
        let tab = if asked.urls { "\t" } else { "" };
        writeln!(lines, "{}{tab}{}", sentence.text, sentence.url).map_err(|error| place.failed(&error))?;
        written += 1;
    }
    lines.flush().map_err(|error| place.failed(&error))?;
    drop(lines);
    if written == 0 {
        return Err(format!("what was read has no whole sentence in {language}; nothing was written"));
    }
    let place = place.settle(is_whole)?;
    place.put(file)?;
    eprintln!(
        "corpulyzer: {}{}, {}, {} of them in {language}, {written} different: {}",
        counted(pages, "page"),
        if asked.without.is_some() { format!(" beside {listed} by --without") } else { String::new() },
        counted(whole, "whole sentence"),
        collection.added(),
        place.name()
    );
    Ok(is_whole)
}

/// How many whole sentences a page has, and those in the language. A sentence is taken for one of the languages that the page is in, for
/// few words are soon mistaken for any language.
fn of_page(page: &Page, min_words: usize, identifier: &dyn Identify, language: LangCode) -> (usize, Vec<Found>) {
    if page.gone || !page.kept {
        return (0, Vec::new());
    }
    let whole = sentences(&page.text, min_words);
    let total = page.languages.total();
    let of_page: Vec<LangCode> = page
        .languages
        .iter()
        .filter(|&(code, bytes)| {
            code != LangCode::UND && bytes.saturating_mul(100) >= total.saturating_mul(SHARE_PERCENT)
        })
        .map(|(code, _)| code)
        .collect();
    if !of_page.contains(&language) {
        return (whole.len(), Vec::new());
    }
    let is_ours = |sentence: &&&str| identifier.identify(sentence, Some(&of_page)) == language;
    let found = whole.iter().filter(is_ours).map(|sentence| (thumbprint(sentence), one_line(sentence))).collect();
    (whole.len(), found)
}

/// With a blank for whatever white space there is, so that neither tabs nor line ends are taken for those of the file.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
