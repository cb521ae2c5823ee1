//! Pairs of pages that are the same in two languages, as a table.

use crate::context::Context;
use crate::io::console::counted;
use crate::io::records::{Output, Records};
use anyhow::{bail, Result};
use clap::Args;
use langid::LangCode;
use pairs::Pages;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// List pairs of pages that are the same in two languages, from corpora that `collect` made
#[derive(Args)]
pub struct Arguments {
    /// Corpora in two or more languages: JSON lines of `collect`, plain, gzip or zstd; or folders
    /// of them
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the table, tab-separated; .gz and .zst compress. - is standard output
    #[arg(long, default_value = "-", value_name = "FILE")]
    out: PathBuf,
}

/// Reads the corpora and writes the table. A page has the language of most of its main text,
/// whatever it or others declare. All URLs are in memory.
///
/// # Errors
/// Fails if an input cannot be read, all pages are in one language, or the table cannot be written.
pub fn run(asked: &Arguments, context: &Context) -> Result<bool> {
    let records = Records::new(&asked.corpora, &[(&asked.out, "--out")], context.max_bytes)?;
    let mut output = Output::new(&asked.out, "--out")?;
    let mut pages = Pages::default();
    let read = records.read(&mut |lines| {
        pages.add(lines);
        Ok(Some(format!("{} read", counted(pages.pages.len(), "page"))))
    })?;
    let languages = pages.languages();
    if languages.len() < 2 {
        let language = languages.first().map_or("no known language", LangCode::as_str);
        bail!("the pages are in {language}; pairs need corpora in two or more languages");
    }
    let pairs = pages.pairs();
    let mut is_open = output.line(b"language\turl\tother_language\tother_url\tevidence")?;
    let mut counts: BTreeMap<(LangCode, LangCode), u64> = BTreeMap::new();
    for ((first, second), evidence) in &pairs {
        let (first, second) = (&pages.pages[*first], &pages.pages[*second]);
        *counts.entry((first.language, second.language)).or_default() += 1;
        let row = [
            first.language.as_str(),
            &first.url,
            second.language.as_str(),
            &second.url,
            &evidence.text(),
        ]
        .map(render::tsv::cell)
        .join("\t");
        is_open = is_open && output.line(row.as_bytes())?;
    }
    let whole = read.is_whole();
    let name = output.finish(whole)?;
    for ((first, second), count) in counts {
        eprintln!("corpulyzer: {first} and {second}: {}", counted(count, "pair"));
    }
    eprintln!(
        "corpulyzer: {} of {}: {name}",
        counted(pairs.len(), "pair"),
        counted(pages.pages.len(), "page")
    );
    Ok(whole)
}
