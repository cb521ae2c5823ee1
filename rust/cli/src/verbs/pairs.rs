//! Pairs of pages that are the same in two languages, as a table.

use crate::arguments::{share, AsJson};
use crate::context::Context;
use crate::io::console::counted;
use crate::io::output::named;
use crate::io::records::{Output, Records};
use anyhow::{bail, Result};
use clap::Args;
use langid::LangCode;
use pairs::{align, Evidence, Pages};
use render::results::{bare, Cell, Column};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

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
    /// File for the sentences of the pairs with their translations: a table, or TMX if its name
    /// ends with .tmx; .gz and .zst compress. The corpora are read twice
    #[arg(long, value_name = "FILE")]
    sentences: Option<PathBuf>,
    /// Smallest share of the words of a sentence and its translation that are translated
    #[arg(long, default_value_t = 0.2, value_name = "SCORE", value_parser = share, requires = "sentences")]
    min_score: f64,
    #[command(flatten)]
    json: AsJson,
}

/// The columns of the table.
const COLUMNS: [Column; 5] = bare(["language", "url", "other_language", "other_url", "evidence"]);

/// Reads the corpora and writes the table. A page has the language of most of its main text,
/// whatever it or others declare. All URLs are in memory.
///
/// # Errors
/// Fails if an input cannot be read, all pages are in one language, or the table cannot be written.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let sentences_too = (arguments.sentences.as_ref(), "--sentences");
    let outputs = named([(Some(&arguments.out), "--out"), sentences_too]);
    let records = Records::new(&arguments.corpora, &outputs, context.max_bytes)?;
    if arguments.sentences.is_some() {
        records.twice("--sentences")?;
    }
    let mut output = Output::new(&arguments.out, "--out")?;
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
    let names = COLUMNS.map(|(name, ..)| name).join("\t");
    let mut is_open = arguments.json.is_asked || output.line(names.as_bytes())?;
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
        .map(|text| Cell::new(render::tsv::cell(text), text));
        is_open = is_open && output.line(arguments.json.line(&COLUMNS, row).as_bytes())?;
    }
    let mut whole = read.is_whole();
    if let Some(file) = &arguments.sentences {
        whole &= sentences(file, arguments.min_score, &records, &pages, &pairs)?;
    }
    let name = output.finish(whole)?;
    for ((first, second), count) in counts {
        note!("corpulyzer: {first} and {second}: {}", counted(count, "pair"));
    }
    note!(
        "corpulyzer: {} of {}: {name}",
        counted(pairs.len(), "pair"),
        counted(pages.pages.len(), "page")
    );
    Ok(whole)
}

/// Aligns the sentences of the pairs and writes them. The texts of the paired pages are in memory.
/// Returns whether the corpora were read to their ends.
fn sentences(
    file: &Path,
    min_score: f64,
    records: &Records,
    pages: &Pages,
    pairs: &BTreeMap<(usize, usize), Evidence>,
) -> Result<bool> {
    let (texts, is_whole) = texts(records, pages, pairs)?;
    let mut of_languages: BTreeMap<(LangCode, LangCode), Vec<(usize, usize)>> = BTreeMap::new();
    for &(one, other) in pairs.keys() {
        let languages = (pages.pages[one].language, pages.pages[other].language);
        of_languages.entry(languages).or_default().push((one, other));
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let format = align::Format::of(&name);
    let mut output = Output::new(file, "--sentences")?;
    let first = of_languages.keys().next().map(|(first, _)| *first);
    let head = format.head(first, env!("CARGO_PKG_VERSION"));
    let mut is_open = output.line(head.as_bytes())?;
    for (languages, pairs) in of_languages {
        let text = |page: &usize| texts.get(page).map_or("", String::as_str);
        let of_pairs: Vec<_> = pairs.iter().map(|(one, other)| (text(one), text(other))).collect();
        let found = align::align(&of_pairs);
        let mut written = 0usize;
        for aligned in found.sentences.iter().filter(|one| one.score >= min_score) {
            let (one, other) = pairs[aligned.pair];
            let urls = (pages.pages[one].url.as_str(), pages.pages[other].url.as_str());
            let row = format.unit(languages, urls, aligned);
            is_open = is_open && output.line(row.as_bytes())?;
            written += 1;
        }
        let (first, second) = languages;
        let written = counted(written, "sentence");
        let of = found.sentences.len();
        note!(
            "corpulyzer: {first} and {second}: {written} of {of} aligned with a score of \
             {min_score} or more"
        );
        for (left_out, why) in [
            (found.unrelated, "their sentences are no translations of each other"),
            (found.too_long, "their pages have too many sentences"),
        ] {
            if left_out > 0 {
                let pairs = counted(left_out, "pair");
                note!("corpulyzer: {first} and {second}: {pairs} left out, because {why}");
            }
        }
    }
    if let Some(end) = format.end().filter(|_| is_open) {
        output.line(end.as_bytes())?;
    }
    let name = output.finish(is_whole)?;
    note!("corpulyzer: aligned sentences: {name}");
    Ok(is_whole)
}

/// The texts of the paired pages by their numbers, and whether the corpora were read to their ends.
fn texts(
    records: &Records,
    pages: &Pages,
    pairs: &BTreeMap<(usize, usize), Evidence>,
) -> Result<(HashMap<usize, String>, bool)> {
    let mut texts: HashMap<usize, String> = HashMap::new();
    let wanted: HashSet<usize> = pairs.keys().flat_map(|(one, other)| [*one, *other]).collect();
    let read = records.reread(&mut |lines| {
        for (_, page) in lines {
            let number = page.url.as_deref().and_then(|url| pages.number(url));
            if let Some(number) = number.filter(|number| wanted.contains(number)) {
                if !page.text().is_empty() {
                    texts.entry(number).or_insert_with(|| page.text().to_owned());
                }
            }
        }
        Ok(Some(format!("{} read", counted(texts.len(), "text"))))
    })?;
    Ok((texts, read.is_whole()))
}
