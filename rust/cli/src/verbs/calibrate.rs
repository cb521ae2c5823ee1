//! Calibration of the content-size filter on the records of a crawl (paper, Eq. 2 and Table 3).

use crate::arguments::{Archive, AsJson};
use crate::context::Context;
use crate::io::console::about;
use crate::io::corpora::{Pages, URL_MEMORY};
use anyhow::{bail, Result};
use clap::Args;
use evaluation::thresholds::{self, Size};
use figures::CorpusPage;
use langbytes::{Identify, LangCode};
use rayon::prelude::*;
use std::path::PathBuf;

/// Compute how much text in the language each content-size threshold keeps, from a crawl with its
/// rejected pages (`crawl --all`)
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl (with `languages`, and `text` if there is any), WARC files or WET
    /// files: plain, gzip or zstd; Parquet; or folders of them. - is standard input
    #[arg(default_value = "-", value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Target language, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    #[command(flatten)]
    archive: Archive,
    #[command(flatten)]
    json: AsJson,
}

/// Reads all pages of the corpora, also rejected ones, and prints Table 3 in bytes. If every page
/// with target text has its text, it also prints the table in characters, which the identifier
/// counts. Returns true if the inputs are whole.
///
/// # Errors
/// Fails if an input cannot be read, no page was found, or a signal stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let engine = &context.reader(arguments.language, &arguments.archive)?;
    let identifier = context.identifier(&[arguments.language])?;
    let scratch = tempfile::tempdir().map_err(about("a temporary folder"))?;
    let (name, folder, language) = ("calibrate", scratch.path(), arguments.language);
    let (corpora, max_bytes) = (&arguments.corpora, context.max_bytes);
    let mut sizes = Vec::new();
    let mut rejected = false;
    let whole =
        Pages { name, corpora, engine, folder, memory: URL_MEMORY, max_bytes, outputs: &[] }.read(
            &mut |pages| {
                let there = pages.par_iter().filter(|page| !page.gone);
                sizes.par_extend(there.map(|page| size(page, language, identifier.as_ref())));
                rejected |= pages.iter().any(|page| !page.kept);
                Ok(())
            },
        )?;
    if sizes.is_empty() {
        bail!("{name}: the input has no page");
    }
    // In a corpus of kept pages, every threshold up to that of the crawl would keep everything.
    let smallest =
        sizes.iter().map(|size| size.bytes).filter(|&bytes| bytes > 0).min().unwrap_or(0);
    if !rejected && smallest >= engine.settings().min_bytes {
        eprintln!(
            "corpulyzer: {name}: no page has less than {smallest} bytes of {language}, and no page is rejected. If \
             the crawl did not write its rejected pages (crawl --all, CorpusExportJob -all), the result does not \
             hold for smaller thresholds"
        );
    }
    arguments.json.print(&thresholds::results(&sizes, language))?;
    Ok(whole)
}

fn size(page: &CorpusPage, language: LangCode, identifier: &dyn Identify) -> Size {
    let bytes = page.target_bytes;
    let has_text = !page.text.is_empty() || page.main_bytes == 0;
    let characters =
        has_text.then(|| if bytes == 0 { 0 } else { characters(&page.text, language, identifier) });
    Size { bytes, characters }
}

/// Returns the number of characters of the text that are in the language.
fn characters(text: &str, language: LangCode, identifier: &dyn Identify) -> u64 {
    let lines: Vec<&str> = text.lines().collect();
    let pieces = langbytes::segments(&lines, identifier, None).pieces;
    let of_language = pieces.iter().filter(|piece| piece.language == language);
    of_language.map(|piece| piece.text.chars().count() as u64).sum()
}
