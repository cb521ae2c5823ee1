//! Language packs from texts.

use crate::counted::counted;
use crate::input;
use crate::place::{apart, Place};
use crate::reading::is_hidden;
use corpus::parse::is_rejected;
use langid::{LangCode, Pack, Text, TrainSettings};
use serde::Deserialize;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walkdir::WalkDir;

/// Words below which a language's models are hardly worth having; training from fewer is allowed and warned of. A text of
/// this length has some 60 sentences.
const FEW_WORDS: u32 = 1000;

/// How files of a crawl's records end.
const RECORDS: &str = ".jsonl";

/// Reads `--max-entries`.
pub fn entries(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (100..=10_000_000).contains(number));
    number.ok_or_else(|| "allowed are whole numbers from 100 to 10000000".to_owned())
}

/// Makes a pack and says what is in it. Files are read in the order of their names, so that the same texts make the same
/// pack, byte for byte.
///
/// # Errors
/// When the texts cannot be read or hold no word, a file is named after no language, or the pack cannot be written.
pub fn run(
    text: &Path,
    language: Option<LangCode>,
    out: &Path,
    max_entries: usize,
    max_bytes: u64,
) -> Result<bool, String> {
    if language == Some(LangCode::UND) {
        return Err("--language is `und`, which is no language that texts can be in".to_owned());
    }
    let place = Place::new(out, "--out")?;
    let mut texts: BTreeMap<LangCode, String> = BTreeMap::new();
    let files = files(text)?;
    apart(&[(out, "--out")], files.iter().map(PathBuf::as_path))?;
    for file in files {
        let of = language.map_or_else(|| named(text, &file), Ok)?;
        append(texts.entry(of).or_default(), &file, max_bytes)?;
    }
    if texts.is_empty() {
        return Err(no_texts(text));
    }
    let texts: Vec<Text> = texts.iter().map(|(&language, text)| Text { language, text }).collect();
    eprintln!("corpulyzer: training from {}", counted(texts.iter().map(|text| text.text.len()).sum::<usize>(), "byte"));
    let settings = TrainSettings { max_entries, ..TrainSettings::default() };
    let bytes = langid::train(&texts, settings).map_err(|bad| bad.to_string())?;
    let pack = Pack::of_bytes(bytes.clone()).map_err(|bad| bad.to_string())?;
    for (language, script) in pack.languages() {
        let few = if language.words < FEW_WORDS { ": little text, expect many mistakes" } else { "" };
        let (code, name) = (language.code, language.code.name());
        eprintln!("corpulyzer: {code} ({name}) in {script}: {}{few}", counted(language.words, "word"));
    }
    write(&place, &bytes)?;
    eprintln!("corpulyzer: {}: {}", out.display(), counted(bytes.len(), "byte"));
    Ok(true)
}

/// All text under a path, a file after the other.
///
/// # Errors
/// When it cannot be read, or there is no text.
pub fn text_under(path: &Path, max_bytes: u64) -> Result<String, String> {
    let mut text = String::new();
    for file in files(path)? {
        append(&mut text, &file, max_bytes)?;
    }
    if text.is_empty() {
        Err(no_texts(path))
    } else {
        Ok(text)
    }
}

fn no_texts(path: &Path) -> String {
    format!("{}: no texts; texts are files *.txt or *.jsonl, each also with .gz or .zst (--text)", path.display())
}

/// Every text under a path, by name.
fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
    for entry in walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name())) {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(path).display();
            match error.io_error() {
                Some(reason) => format!("{path}: {reason} (--text)"),
                None => format!("{path}: links back to a folder that it is in (--text)"),
            }
        })?;
        let name = entry.file_name().to_string_lossy();
        let is_text = [".txt", RECORDS].iter().any(|ending| plain(&name).ends_with(ending));
        if entry.file_type().is_file() && (is_text || entry.depth() == 0) {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// A file's name without the ending of its compression.
fn plain(name: &str) -> &str {
    name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name)
}

/// The language that a file, or the folder that it is in, is named after.
fn named(root: &Path, file: &Path) -> Result<LangCode, String> {
    let below = file.strip_prefix(root).ok().and_then(|below| below.iter().next()).unwrap_or(file.as_os_str());
    let name = below.to_string_lossy();
    let stem = Path::new(plain(&name)).file_stem().unwrap_or_default().to_string_lossy();
    let language: LangCode = stem.parse().map_err(|unknown| format!("{}: {unknown}", file.display()))?;
    match language {
        LangCode::UND => Err(format!("{}: `und` is no language that texts can be in", file.display())),
        known => Ok(known),
    }
}

/// What is read of a crawl's record.
#[derive(Deserialize)]
struct Record {
    text: String,
    decision: Option<String>,
}

/// Adds a file's text: its lines, or the text of its records but those that the crawl rejected. Lines that are nothing but a tag, as
/// extractors of Wikipedia's dumps write around an article, are left out.
fn append(texts: &mut String, file: &Path, max_bytes: u64) -> Result<(), String> {
    let records = plain(&file.to_string_lossy()).ends_with(RECORDS);
    input::lines(file, max_bytes, &mut |number, line| {
        if records && !line.is_empty() {
            let record: Record =
                serde_json::from_str(line).map_err(|error| format!("{}: line {number}: {error}", file.display()))?;
            if !is_rejected(record.decision.as_deref()) {
                texts.push_str(&record.text);
            }
        } else if !(line.starts_with("<doc ") || line == "</doc>") {
            texts.push_str(line);
        }
        texts.push('\n');
        Ok(())
    })
}

/// Writes the pack. A signal to stop that comes meanwhile comes too late; it would leave the file beside.
fn write(out: &Place, bytes: &[u8]) -> Result<(), String> {
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::default()).map_err(|error| format!("signals: {error}"))?;
    }
    out.write(bytes)
}
