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
    let mut of_languages: BTreeMap<(LangCode, LangCode), Vec<(usize, usize)>> = BTreeMap::new();
    for &(one, other) in pairs.keys() {
        let languages = (pages.pages[one].language, pages.pages[other].language);
        of_languages.entry(languages).or_default().push((one, other));
    }
    let is_tmx = file.file_name().is_some_and(|name| {
        let name = name.to_string_lossy();
        [".tmx", ".tmx.gz", ".tmx.zst"].iter().any(|ending| name.ends_with(ending))
    });
    let mut output = Output::new(file, "--sentences")?;
    let head = match (is_tmx, of_languages.keys().next()) {
        (true, Some((first, _))) => align::tmx_head(*first, env!("CARGO_PKG_VERSION")),
        _ => "language\tsentence\tother_language\tother_sentence\tscore\turl\tother_url".to_owned(),
    };
    let mut is_open = output.line(head.as_bytes())?;
    for (languages, pairs) in of_languages {
        let text = |page: &usize| texts.get(page).map_or("", String::as_str);
        let of_pairs: Vec<_> = pairs.iter().map(|(one, other)| (text(one), text(other))).collect();
        let found = align::align(&of_pairs);
        let mut written = 0usize;
        for aligned in found.sentences.iter().filter(|one| one.score >= min_score) {
            let (one, other) = pairs[aligned.pair];
            let urls = (pages.pages[one].url.as_str(), pages.pages[other].url.as_str());
            let row = match is_tmx {
                true => align::tmx_unit(languages, urls, aligned),
                false => [
                    languages.0.as_str(),
                    &aligned.first,
                    languages.1.as_str(),
                    &aligned.second,
                    &format!("{:.3}", aligned.score),
                    urls.0,
                    urls.1,
                ]
                .map(render::tsv::cell)
                .join("\t"),
            };
            is_open = is_open && output.line(row.as_bytes())?;
            written += 1;
        }
        let (first, second) = languages;
        note!(
            "corpulyzer: {first} and {second}: {} of {} aligned with a score of {min_score} or more",
            counted(written, "sentence"),
            found.sentences.len()
        );
        if found.unrelated > 0 {
            note!(
                "corpulyzer: {first} and {second}: {} left out, because their sentences are no translations of each other",
                counted(found.unrelated, "pair")
            );
        }
        if found.too_long > 0 {
            note!(
                "corpulyzer: {first} and {second}: {} left out, because their pages have too many sentences",
                counted(found.too_long, "pair")
            );
        }
    }
    if is_tmx && is_open {
        output.line(align::TMX_END.as_bytes())?;
    }
    let name = output.finish(read.is_whole())?;
    note!("corpulyzer: aligned sentences: {name}");
    Ok(read.is_whole())
}
