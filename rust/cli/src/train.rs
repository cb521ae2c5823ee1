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
use unicode_script::{Script, UnicodeScript as _};
use walkdir::WalkDir;

/// Words below which a language's models are hardly worth having; training from fewer is allowed and warned of. A text of
/// this length has some 60 sentences.
const FEW_WORDS: u32 = 1000;

/// Most bytes of text that are held in memory. A small compressed file can hold any amount of text.
const MAX_TEXT: u64 = 4 << 30;

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
    let mut left = MAX_TEXT;
    let files = files(text)?;
    apart(&[(out, "--out")], files.iter().map(PathBuf::as_path))?;
    for file in files {
        let of = language.map_or_else(|| named(text, &file), Ok)?;
        append(texts.entry(of).or_default(), &file, max_bytes, &mut left)?;
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
    let (mut text, mut left) = (String::new(), MAX_TEXT);
    for file in files(path)? {
        append(&mut text, &file, max_bytes, &mut left)?;
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
        if entry.depth() == 0 && !entry.file_type().is_file() && !entry.file_type().is_dir() {
            // A device or a pipe may never end.
            return Err(format!("{}: is no regular file; name a file or a folder of texts (--text)", path.display()));
        }
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

/// How many characters were read of a file, and how many of them are in no text: replaced bytes, control characters, characters without a
/// script of Unicode.
#[derive(Default)]
struct Characters {
    all: u64,
    strange: u64,
}

impl Characters {
    /// Characters from which on the share of strange ones says something.
    const ENOUGH: u64 = 32;

    fn count(&mut self, text: &str) {
        let is_strange = |c: &char| {
            *c == char::REPLACEMENT_CHARACTER
                || (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{c}'))
                || (*c >= '\u{80}' && c.script() == Script::Unknown)
        };
        self.all += text.chars().count() as u64;
        self.strange += text.chars().filter(is_strange).count() as u64;
    }

    /// Whether more than one character in ten is strange. Random bytes have six in ten, UTF-16 read as UTF-8 has five, and text in another
    /// encoding than UTF-8 has one for nearly every letter that is not ASCII.
    fn are_no_text(&self) -> bool {
        self.all >= Self::ENOUGH && self.strange > self.all / 10
    }
}

/// Adds a file's text: its lines, or the text of its records but those that the crawl rejected. Lines that are nothing but a tag, as
/// extractors of Wikipedia's dumps write around an article, are left out. `left` is how many bytes of text may still be added.
///
/// # Errors
/// When the file cannot be read, is no text in UTF-8, or has more text than is left.
fn append(texts: &mut String, file: &Path, max_bytes: u64, left: &mut u64) -> Result<(), String> {
    /// Characters after which a file that is no text is refused without reading on.
    const LOOK: u64 = 1 << 20;
    let records = plain(&file.to_string_lossy()).ends_with(RECORDS);
    let (mut characters, mut next) = (Characters::default(), LOOK);
    let no_text = |characters: &Characters| {
        match characters.are_no_text() {
        true => Err(format!(
            "{}: is no text in UTF-8: {} of {} characters are control characters, unassigned, or bytes that are no UTF-8; \
             allowed is one in ten (--text)",
            file.display(),
            characters.strange,
            characters.all
        )),
        false => Ok(()),
    }
    };
    input::lines(file, max_bytes, &mut |number, line| {
        let record: Record;
        let text = if records && !line.is_empty() {
            record =
                serde_json::from_str(line).map_err(|error| format!("{}: line {number}: {error}", file.display()))?;
            if is_rejected(record.decision.as_deref()) {
                ""
            } else {
                &record.text
            }
        } else if line.starts_with("<doc ") || line == "</doc>" {
            ""
        } else {
            line
        };
        characters.count(text);
        if characters.all >= next {
            no_text(&characters)?;
            next = characters.all + LOOK;
        }
        *left = left.checked_sub(text.len() as u64 + 1).ok_or_else(|| {
            format!(
                "{}: there are more than {MAX_TEXT} bytes of text in all; name a part of it (--text)",
                file.display()
            )
        })?;
        texts.push_str(text);
        texts.push('\n');
        Ok(())
    })?;
    no_text(&characters)
}

/// Writes the pack. A signal to stop that comes meanwhile comes too late; it would leave the file beside.
fn write(out: &Place, bytes: &[u8]) -> Result<(), String> {
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::default()).map_err(|error| format!("signals: {error}"))?;
    }
    out.write(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_every_script_is_text_and_other_bytes_are_not() {
        let are_no_text = |text: &str| {
            let mut characters = Characters::default();
            characters.count(text);
            characters.are_no_text()
        };
        let texts =
            ["شہر کی پرانی لائبریری میں", "नदी रात में बढ़ गई", "𞤀𞤣𞤤𞤢𞤥", "ⵜⵉⴼⵉⵏⴰⵖ", "a\u{200d}b\u{feff}c😀", "中文文本"];
        for text in texts {
            assert!(!are_no_text(&text.repeat(20)), "{text}");
        }
        for junk in ["a\0", "a\u{1}b\u{2}cdef", "ab\u{fffd}", "\u{e000}a", "\u{378}abc", "\u{10fffe}"] {
            assert!(are_no_text(&junk.repeat(40)), "{junk:?}");
            assert!(!are_no_text(junk), "too little to say: {junk:?}");
        }
    }

    #[test]
    fn text_is_bounded_however_small_its_file_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("bomb.txt.gz");
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut gzip, "a bomb\n".repeat(1 << 20).as_bytes()).expect("memory");
        std::fs::write(&file, gzip.finish().expect("memory")).expect("written");
        let (mut text, mut left) = (String::new(), 1 << 16);
        let said = append(&mut text, &file, 1 << 20, &mut left).expect_err("more than is left");
        assert!(said.contains("bomb.txt.gz: there are more than 4294967296 bytes of text in all"), "{said}");
        assert!(text.len() <= 1 << 16);
    }
}
