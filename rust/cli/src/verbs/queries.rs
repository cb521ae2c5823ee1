//! Queries for search engines, to find the first seeds of a language.

mod search;

use crate::arguments::whole;
use crate::context::Context;
use crate::io::console::{counted, print};
use crate::io::output::FilePlace;
use anyhow::{bail, Result};
use clap::Args;
use inputs::training::text_under;
use langid::LangCode;
use seeds::queries::{candidates, draw, Settings, MIN_TIMES, MIN_WORDS};
use std::path::PathBuf;

/// Make queries for search engines from text in a language. Use them to find the first seeds
#[derive(Args)]
pub struct Arguments {
    /// A text or a folder of texts in the language: plain text (*.txt) or records of a crawl
    /// (*.jsonl), also .gz or .zst
    #[arg(long, value_name = "PATH")]
    text: PathBuf,
    /// Language of the text, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Number of queries
    #[arg(long, default_value_t = 100, value_name = "N")]
    #[arg(value_parser = whole::<u32>(1..=1_000_000))]
    count: u32,
    /// Words per query
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = whole::<u8>(1..=5))]
    words: u8,
    /// Make phrases of words that are neighbours in the text, in quotation marks, as W2C did. They
    /// are those of rank 2 to 5 % by frequency
    #[arg(long)]
    phrases: bool,
    /// Random seed. The same number gives the same queries
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Run this command for each query, with the query as its last argument, and write the URLs in
    /// its output as seeds. For search engines that you have a key for. No shell reads it
    #[arg(long, value_name = "COMMAND", requires = "out")]
    search: Option<String>,
    /// With --search: file for the seeds, at most 20 of a host, each with source=search
    #[arg(long, value_name = "FILE", requires = "search")]
    out: Option<PathBuf>,
}

/// Writes queries, one on each line. A query is left out if the identifier does not identify its
/// words together as the language: it would find pages in a related language.
///
/// # Errors
/// Fails if the text cannot be read, has too few words, or no query is identified as the language.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let place = FilePlace::of(arguments.out.as_deref(), "--out")?;
    let identifier = context.identifier(&[arguments.language])?;
    let text = text_under(&arguments.text, context.max_bytes)?;
    let settings = Settings {
        language: arguments.language,
        count: arguments.count as usize,
        words: arguments.words,
        phrases: arguments.phrases,
        seed: arguments.seed,
    };
    let words = candidates(&text, &settings);
    let what = if arguments.phrases { "phrase" } else { "word" };
    if words.len() < MIN_WORDS {
        let need = match arguments.phrases {
            false => {
                format!("words are separated by blanks and occur at least {MIN_TIMES} times")
            }
            true => format!("that is 3 % of the different phrases of {} words", arguments.words),
        };
        bail!(
            "{}: has {} of medium frequency, but {MIN_WORDS} are needed; {need} (--text)",
            arguments.text.display(),
            counted(words.len(), what)
        );
    }
    let (queries, refused) = draw(&words, &settings, identifier.as_ref());
    let language = arguments.language;
    if queries.is_empty() {
        bail!(
            "no query of {} words is identified as {language} ({})",
            arguments.words,
            language.name()
        );
    }
    note!(
        "corpulyzer: queries: {}, of {}; skipped, because they are not identified as {language}: {refused}",
        queries.len(),
        counted(words.len(), what)
    );
    if let Some((command, place)) = arguments.search.as_deref().zip(place) {
        return search::seeds(command, &queries, place, context.max_bytes);
    }
    print(queries.iter().flat_map(|query| [query, "\n"]).collect::<String>().as_bytes())
}
