//! Makes language packs, and models of varieties and classes, from texts.

mod classes;

use crate::arguments::whole;
use crate::context::Context;
use crate::io::console::{about, counted};
use crate::io::output::{apart, FilePlace};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use inputs::training::{by_language, by_variety, files, word_counts, word_lists};
use langid::{
    train_varieties, Combined, LangCode, Pack, Text, TrainSettings, Varieties, VarietyText,
    WordCounts, FEW_WORDS, MAX_ENTRIES,
};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Make a language pack from texts, to collect a language that the library does not know
#[derive(Args)]
pub struct Arguments {
    /// With --language: a text or a folder of texts in that language, plain text (*.txt) or records
    /// of a crawl (*.jsonl; only their lines in the language are used), also .gz or .zst. Without
    /// --language: a folder with a file or a folder for each language, for example skr.txt
    #[arg(long, value_name = "PATH", required_unless_present = "words")]
    text: Option<PathBuf>,
    /// Folder of lists of word counts, one file for each language, for example skr.tsv; each line
    /// has a word, a tab and its count
    #[arg(long, value_name = "DIR")]
    words: Option<PathBuf>,
    /// Language of the texts, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: Option<LangCode>,
    /// File for the pack. An old file is replaced after the new one is complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Largest number of words and letter sequences for each language and script. The most
    /// informative ones are kept
    #[arg(long, default_value_t = TrainSettings::default().max_entries, value_name = "N")]
    #[arg(value_parser = whole::<usize>(*MAX_ENTRIES.start() as u64..=*MAX_ENTRIES.end() as u64))]
    max_entries: usize,
    /// Remove the library's models of these languages where the pack is used; without codes, those
    /// of all languages of the pack. By default, the pack adds to them, each with the weight of its
    /// number of words
    #[arg(long, value_name = "CODE,CODE,...", num_args = 0..=1, require_equals = true)]
    #[arg(value_delimiter = ',', value_parser = crate::arguments::language)]
    replace: Option<Vec<LangCode>>,
    /// Make a pack of far languages: they are compared only with text that no other language
    /// predicts well, and take it by a margin. A script may have up to 1,020 of them
    #[arg(long, conflicts_with = "replace")]
    far: bool,
    /// Make a model of the varieties of --language, such as its dialects, instead of a language
    /// pack. --text is a folder with a file or a folder for each variety, for example egyptian.txt
    #[arg(long, requires = "text", requires = "language")]
    #[arg(conflicts_with_all = ["words", "max_entries", "replace", "far"])]
    varieties: bool,
    /// Make a model of classes, such as topics, genres or spam, from the labels in this field,
    /// instead of a language pack. --text is JSON lines or Parquet with `text`, or a sheet of
    /// `audit draw` (*.tsv, *.csv) whose column has the labels
    #[arg(long, value_name = "FIELD", requires = "text")]
    #[arg(conflicts_with_all = ["words", "language", "max_entries", "replace", "far", "varieties"])]
    classes: Option<String>,
}

/// Number of training lines below which a variety is identified badly.
const FEW_LINES: usize = 500;

/// Makes a pack and prints its languages, or makes a model of varieties or classes. Files are read
/// in the order of their names, so that the same texts give the same pack, byte for byte.
///
/// # Errors
/// Fails if the texts cannot be read or have no words, a file is not named after a language, or the
/// pack cannot be written.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let Arguments { text, words, language, out, max_entries, replace, far, varieties, classes } =
        arguments;
    let (language, max_entries, max_bytes) = (*language, *max_entries, context.max_bytes);
    if language == Some(LangCode::UND) {
        bail!(misuse!("--language is `und`, which is not a language of texts"));
    }
    let place = FilePlace::plain(out, "--out")?;
    if let (Some(field), Some(text)) = (classes, text) {
        return classes::train(text, field, out, place, max_bytes);
    }
    let files = text.as_ref().map_or(Ok(Vec::new()), |text| files(text))?;
    let lists = words.as_ref().map_or(Ok(Vec::new()), |words| word_lists(words))?;
    apart(&[(out, "--out")], files.iter().chain(&lists).map(PathBuf::as_path))?;
    if let (true, Some(text), Some(language)) = (varieties, text, language) {
        let texts = by_variety(text, &files, max_bytes)?;
        return train_model(&texts, language, &place);
    }
    let texts = match text {
        Some(text) => {
            let identifier = Combined::new(Vec::new(), language);
            let (texts, left_out) =
                by_language(text, &files, language, max_bytes, Some(&identifier))?;
            for left_out in left_out {
                eprintln!("corpulyzer: {left_out}");
            }
            texts
        }
        None => BTreeMap::new(),
    };
    let texts: Vec<Text> = texts.iter().map(|(&language, text)| Text { language, text }).collect();
    let lists = words.as_ref().map_or(Ok(Vec::new()), |words| word_counts(words, max_bytes))?;
    note!(
        "corpulyzer: training from {}{}",
        counted(texts.iter().map(|text| text.text.len()).sum::<usize>(), "byte"),
        match lists.len() {
            0 => String::new(),
            count => format!(" and {}", counted(count, "list")),
        }
    );
    let replaces = replaced(replace.as_deref(), &texts, &lists)?;
    let settings =
        TrainSettings { max_entries, replaces: &replaces, far: *far, ..TrainSettings::default() };
    let bytes = langid::train_with(&texts, &lists, settings)?;
    let pack = Pack::of_bytes(bytes.clone())?;
    for (language, script) in pack.languages() {
        let (code, name) = (language.code, language.code.name());
        let what = format!("{code} ({name}) in {script}: {}", counted(language.words, "word"));
        say(&what, language.words < FEW_WORDS, &format!("{FEW_WORDS} words"));
    }
    write(&place, &bytes)
}

/// Prints the size of a training text; a warning if it is under the least.
fn say(what: &str, is_little: bool, least: &str) {
    match is_little {
        true => eprintln!("corpulyzer: {what}: under {least} is little text, expect many mistakes"),
        false => note!("corpulyzer: {what}"),
    }
}

/// Returns the languages of `--replace`: all that have a text or a list if none is named.
fn replaced(
    named: Option<&[LangCode]>,
    texts: &[Text],
    lists: &[WordCounts],
) -> Result<Vec<LangCode>> {
    let all = texts.iter().map(|text| text.language).chain(lists.iter().map(|list| list.language));
    let all: Vec<LangCode> = all.collect();
    match named {
        None => Ok(Vec::new()),
        Some([]) => Ok(all),
        Some(named) => match named.iter().find(|language| !all.contains(language)) {
            Some(language) => bail!(misuse!(
                "--replace has `{language}` ({}), a language without a text or a list; name languages of the pack",
                language.name()
            )),
            None => Ok(named.to_vec()),
        },
    }
}

/// Makes a model of varieties and prints them.
fn train_model(
    texts: &BTreeMap<String, String>,
    language: LangCode,
    place: &FilePlace,
) -> Result<bool> {
    let bytes: usize = texts.values().map(String::len).sum();
    note!("corpulyzer: training from {}", counted(bytes, "byte"));
    let texts: Vec<VarietyText> =
        texts.iter().map(|(variety, text)| VarietyText { variety, text }).collect();
    let bytes = train_varieties(language, &texts).map_err(|bad| anyhow!("{bad} (--text)"))?;
    for (name, lines) in Varieties::of_bytes(&bytes)?.names() {
        let what = format!("{name}: {}", counted(lines, "line"));
        say(&what, (lines as usize) < FEW_LINES, &format!("{FEW_LINES} lines"));
    }
    write(place, &bytes)
}

/// Writes the pack, and prints its size. A signal during this time has no effect; otherwise it would leave a temporary
/// file.
fn write(out: &FilePlace, bytes: &[u8]) -> Result<bool> {
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::default()).map_err(about("signals"))?;
    }
    out.write(bytes)?;
    note!("corpulyzer: {}: {}", out.name(), counted(bytes.len(), "byte"));
    Ok(true)
}
