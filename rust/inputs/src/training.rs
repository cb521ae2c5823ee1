//! Training text for a language: plain text, or the records of a crawl.

use crate::{files as input, is_hidden, BadInput, Unusable};
use figures::parse::is_rejected;
use figures::removals::is_left_out;
use langid::{Identify, LangCode, WordCounts};
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use unicode_script::{Script, UnicodeScript as _};
use walkdir::WalkDir;

/// Largest amount of text in memory, in bytes. A small compressed file can contain any amount of
/// text.
pub const MAX_TEXT: u64 = 4 << 30;

/// Endings of files with records of a crawl.
const RECORDS: &str = ".jsonl";
/// Ending of files with word counts.
const COUNTS: &str = ".tsv";

/// Reads all text under a path, file after file.
///
/// # Errors
/// Fails if it cannot be read, or there is no text.
pub fn text_under(path: &Path, max_bytes: u64) -> Result<String, BadInput> {
    let (mut text, mut left) = (String::new(), MAX_TEXT);
    let files = files(path)?;
    for file in &files {
        append(&mut text, file, max_bytes, &mut left)?;
    }
    match (text.is_empty(), files.is_empty()) {
        (false, _) => Ok(text),
        (true, true) => Err(no_texts(path)),
        (true, false) if path.is_dir() => Err(bad_text(path, Unusable::EmptyTexts)),
        (true, false) => Err(bad_text(path, Unusable::Empty)),
    }
}

/// Returns the error for a path without texts.
pub fn no_texts(path: &Path) -> BadInput {
    bad_text(path, Unusable::NoTexts)
}

/// The error for a path of `--text`.
fn bad_text(path: &Path, reason: impl Into<Unusable>) -> BadInput {
    BadInput::new(path.display().to_string(), reason).of_option("--text")
}

/// The error for a path of `--words`.
fn bad_list(path: &Path, reason: Unusable) -> BadInput {
    BadInput::new(path.display().to_string(), reason).of_option("--words")
}

/// Every text under a path, by name.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let mut files = Vec::new();
    let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
    for entry in
        walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name()))
    {
        let entry = entry.map_err(|error| match error.io_error() {
            Some(reason) if reason.kind() == io::ErrorKind::NotFound => {
                bad_text(error.path().unwrap_or(path), Unusable::Missing("file or folder"))
            }
            _ => BadInput::of_entry(error).of_option("--text"),
        })?;
        if entry.depth() == 0 && !entry.file_type().is_file() && !entry.file_type().is_dir() {
            // A device or a pipe may never end.
            return Err(bad_text(path, Unusable::NotAFile));
        }
        let name = entry.file_name().to_string_lossy();
        let is_text = [".txt", RECORDS].iter().any(|ending| plain(&name).ends_with(ending));
        if entry.file_type().is_file() && (is_text || entry.depth() == 0) {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// Reads the texts under a path by language: all in `language`, or else each file in the language
/// after which it, or its folder, is named. Files are read in the order of their names, so that the
/// same texts give the same result.
///
/// With an identifier, only those lines of records are taken that are in the language, because a page
/// that is kept may have more lines in others; the second result has the lines that were not.
///
/// # Errors
/// Fails if they cannot be read, there are none, a file is named after no language, or records have
/// no line in their language.
pub fn by_language(
    path: &Path,
    files: &[PathBuf],
    language: Option<LangCode>,
    max_bytes: u64,
    identifier: Option<&dyn Identify>,
) -> Result<(BTreeMap<LangCode, String>, Vec<LeftOut>), BadInput> {
    let mut texts: BTreeMap<LangCode, String> = BTreeMap::new();
    let (mut left, mut left_out) = (MAX_TEXT, Vec::new());
    for file in files {
        let of = language.map_or_else(|| named(path, file), Ok)?;
        let Some(identifier) = identifier.filter(|_| is_records(file)) else {
            append(texts.entry(of).or_default(), file, max_bytes, &mut left)?;
            continue;
        };
        let mut text = String::new();
        append(&mut text, file, max_bytes, &mut left)?;
        let kept = lines_in(&text, of, identifier, file, &mut left_out);
        if kept.is_empty() && !text.trim().is_empty() {
            return Err(bad_text(file, Unusable::OtherLanguages { of }));
        }
        texts.entry(of).or_default().push_str(&kept);
    }
    if texts.is_empty() {
        return Err(no_texts(path));
    }
    Ok((texts, left_out))
}

/// Lines of records that [`by_language`] did not take, because they are in another language or
/// script.
#[derive(Debug)]
pub struct LeftOut {
    /// The file with the records.
    pub file: PathBuf,
    /// The number of its lines.
    pub lines: u64,
    /// The numbers of lines by the name of their language, or of their script if the identifier does
    /// not know the language that the text should be in.
    pub others: BTreeMap<String, u64>,
}

impl fmt::Display for LeftOut {
    /// Writes a sentence with the three most frequent languages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: u64 = self.others.values().sum();
        let mut others: Vec<(&String, &u64)> = self.others.iter().collect();
        others.sort_by_key(|(_, lines)| Reverse(**lines));
        let first: Vec<String> =
            others.iter().take(3).map(|(name, lines)| format!("{name} {lines}")).collect();
        write!(
            f,
            "{}: left out {all} of {} lines in other languages ({}{})",
            self.file.display(),
            self.lines,
            first.join(", "),
            if others.len() > 3 { ", ..." } else { "" }
        )
    }
}

/// Returns the lines of a text that are in a language. If the identifier does not know it, these are
/// the lines in the most frequent script of the text.
fn lines_in(
    text: &str,
    language: LangCode,
    identifier: &dyn Identify,
    file: &Path,
    left_out: &mut Vec<LeftOut>,
) -> String {
    let is_known = langid::check_returned(identifier, &[language]).is_ok();
    let group = |line: &str| match is_known {
        true => langid::language_of(line.as_bytes(), identifier, None).to_string(),
        false => script_of(line).full_name().to_owned(),
    };
    let lines: Vec<(&str, String)> = text
        .lines()
        .filter(|line| line.chars().any(char::is_alphabetic))
        .map(|line| (line, group(line)))
        .collect();
    let mut bytes: BTreeMap<&str, usize> = BTreeMap::new();
    for (line, group) in &lines {
        *bytes.entry(group).or_default() += line.len();
    }
    let most = bytes.iter().max_by_key(|(_, bytes)| **bytes).map(|(group, _)| (*group).to_owned());
    let wanted = if is_known { language.to_string() } else { most.unwrap_or_default() };
    let (mut kept, mut others) = (String::new(), BTreeMap::new());
    for (line, group) in &lines {
        if *group == wanted {
            kept.push_str(line);
            kept.push('\n');
        } else {
            *others.entry(group.clone()).or_default() += 1;
        }
    }
    if !others.is_empty() {
        left_out.push(LeftOut { file: file.to_owned(), lines: lines.len() as u64, others });
    }
    kept
}

/// The script of most letters of a line.
fn script_of(line: &str) -> Script {
    let mut letters: BTreeMap<&str, (usize, Script)> = BTreeMap::new();
    for script in line.chars().filter(|c| c.is_alphabetic()).map(|c| c.script()) {
        letters.entry(script.short_name()).or_insert((0, script)).0 += 1;
    }
    letters
        .into_values()
        .max_by_key(|(count, _)| *count)
        .map_or(Script::Common, |(_, script)| script)
}

/// Returns whether a file has records of a crawl, by its name.
fn is_records(file: &Path) -> bool {
    plain(&file.to_string_lossy()).ends_with(RECORDS)
}

/// Reads the texts under a folder by variety: each file has the variety after which it, or its
/// folder, is named. The names are not checked. Files are read in the order of their names.
///
/// # Errors
/// Fails if they cannot be read, or there are none.
pub fn by_variety(
    path: &Path,
    files: &[PathBuf],
    max_bytes: u64,
) -> Result<BTreeMap<String, String>, BadInput> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut left = MAX_TEXT;
    for file in files {
        append(texts.entry(stem(path, file)).or_default(), file, max_bytes, &mut left)?;
    }
    if texts.is_empty() {
        return Err(no_texts(path));
    }
    Ok(texts)
}

/// The lists of word counts in a folder, in the order of their names.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn word_lists(path: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let mut files = Vec::new();
    for entry in WalkDir::new(path).max_depth(1).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| BadInput::of_entry(error).of_option("--words"))?;
        let is_list = plain(&entry.file_name().to_string_lossy()).ends_with(COUNTS);
        if entry.file_type().is_file() && is_list {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// Reads a folder of lists of word counts: files `<code>.tsv`, also `.gz` or `.zst`, each line with
/// a word, a tab and its count. Empty lines and lines that start with `#` are skipped.
///
/// # Errors
/// Fails if a file cannot be read, is named after no language or has another line, or there is
/// none.
pub fn word_counts(path: &Path, max_bytes: u64) -> Result<Vec<WordCounts>, BadInput> {
    let mut lists = Vec::new();
    let mut left = MAX_TEXT;
    for file in word_lists(path)? {
        let language = named(path, &file)?;
        let mut words = Vec::new();
        input::lines(&file, max_bytes, &mut |number, line| {
            let line = line.trim_end_matches('\r');
            if line.is_empty() || line.starts_with('#') {
                return Ok(());
            }
            left = left
                .checked_sub(line.len() as u64 + 1)
                .ok_or_else(|| bad_list(path, Unusable::TooManyLists))?;
            let row = line.split_once('\t');
            let row = row.and_then(|(word, count)| Some((word, count.parse().ok()?)));
            let (word, count) = row.ok_or_else(|| {
                let found = line.chars().take(40).collect();
                bad_list(&file, Unusable::NotACount { line: number, found })
            })?;
            words.push((word.to_owned(), count));
            Ok(())
        })?;
        lists.push(WordCounts { language, words });
    }
    if lists.is_empty() {
        return Err(bad_list(path, Unusable::NoLists));
    }
    Ok(lists)
}

/// The name of a file, or of its folder below `root`, without endings.
fn stem(root: &Path, file: &Path) -> String {
    let below = file
        .strip_prefix(root)
        .ok()
        .and_then(|below| below.iter().next())
        .unwrap_or(file.as_os_str());
    let name = below.to_string_lossy();
    Path::new(plain(&name)).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The language after which a file, or its folder, is named.
fn named(root: &Path, file: &Path) -> Result<LangCode, BadInput> {
    let bad = |reason| BadInput::new(file.display().to_string(), reason);
    match stem(root, file).parse() {
        Ok(LangCode::UND) => Err(bad(Unusable::Undetermined)),
        Ok(known) => Ok(known),
        Err(unknown) => Err(bad(Unusable::UnknownLanguage(unknown))),
    }
}

/// A file's name without the ending of its compression.
pub fn plain(name: &str) -> &str {
    name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name)
}

/// The fields of a record that are used.
#[derive(Deserialize)]
struct Record {
    text: String,
    url: Option<String>,
    decision: Option<String>,
}

/// Number of characters of a file, and of those that do not occur in text: replaced bytes, control
/// characters, characters without a Unicode script.
#[derive(Default)]
pub struct Characters {
    all: u64,
    strange: u64,
}

impl Characters {
    /// Smallest number of characters for a decision.
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

    /// Returns true if more than one character in ten does not occur in text. Random bytes have six
    /// in ten. UTF-16 read as UTF-8 has five. Text in another encoding than UTF-8 has one for
    /// nearly every letter beyond ASCII.
    fn are_no_text(&self) -> bool {
        self.all >= Self::ENOUGH && self.strange > self.all / 10
    }

    /// Counts a line of text in unknown encoding. Returns whether it is UTF-8.
    pub fn add(&mut self, line: &[u8]) -> bool {
        match std::str::from_utf8(line) {
            Ok(text) if !text.contains('\0') => self.all += text.chars().count() as u64,
            text => {
                self.count(&String::from_utf8_lossy(line));
                return text.is_ok();
            }
        }
        true
    }

    /// Returns why the lines so far are not text in UTF-8; `None` if they are, or are too short to
    /// decide.
    pub fn refused(&self) -> Option<Unusable> {
        let &Self { all, strange } = self;
        self.are_no_text().then_some(Unusable::NotText { strange, all })
    }
}

/// Adds the text of a file: its lines, or the text of its records that the crawl kept. Lines with
/// only a tag, which extractors of Wikipedia dumps write around an article, are left out. `left` is
/// the number of bytes that may still be added.
///
/// # Errors
/// Fails if the file cannot be read, is not text in UTF-8, or has more text than is left.
pub fn append(
    texts: &mut String,
    file: &Path,
    max_bytes: u64,
    left: &mut u64,
) -> Result<(), BadInput> {
    /// Number of characters after which a file that is not text is refused.
    const LOOK: u64 = 1 << 20;
    let records = is_records(file);
    let (mut characters, mut next) = (Characters::default(), LOOK);
    let mut names = records::Names::new();
    let no_text = |characters: &Characters| match characters.refused() {
        Some(reason) => Err(bad_text(file, reason)),
        None => Ok(()),
    };
    input::lines(file, max_bytes, &mut |number, line| {
        if let (1, Some(what)) = (number, input::other_than_text(line.as_bytes())) {
            return Err(bad_text(file, Unusable::OtherThanText(what)));
        }
        let record: Record;
        let text = if records && !line.is_empty() {
            let line = names.own(line.as_bytes().to_vec(), &file.display().to_string());
            record = serde_json::from_slice(&line).map_err(|error| {
                let reason = Unusable::NotARecord { line: number, error };
                BadInput::new(file.display().to_string(), reason)
            })?;
            let url = record.url.as_deref().unwrap_or_default();
            if is_rejected(record.decision.as_deref()) || is_left_out(url, &record.text) {
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
        *left = left
            .checked_sub(text.len() as u64 + 1)
            .ok_or_else(|| bad_text(file, Unusable::TooMuchText))?;
        texts.push_str(text);
        texts.push('\n');
        Ok(())
    })?;
    no_text(&characters)
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
        let texts = [
            "شہر کی پرانی لائبریری میں",
            "नदी रात में बढ़ गई",
            "𞤀𞤣𞤤𞤢𞤥",
            "ⵜⵉⴼⵉⵏⴰⵖ",
            "a\u{200d}b\u{feff}c😀",
            "中文文本",
        ];
        for text in texts {
            assert!(!are_no_text(&text.repeat(20)), "{text}");
        }
        for junk in
            ["a\0", "a\u{1}b\u{2}cdef", "ab\u{fffd}", "\u{e000}a", "\u{378}abc", "\u{10fffe}"]
        {
            assert!(are_no_text(&junk.repeat(40)), "{junk:?}");
            assert!(!are_no_text(junk), "too little to say: {junk:?}");
        }
    }

    #[test]
    fn text_is_bounded_however_small_its_file_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("bomb.txt.gz");
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut gzip, "a bomb\n".repeat(1 << 20).as_bytes())
            .expect("memory");
        std::fs::write(&file, gzip.finish().expect("memory")).expect("written");
        let (mut text, mut left) = (String::new(), 1 << 16);
        let said = append(&mut text, &file, 1 << 20, &mut left).expect_err("more than is left");
        assert!(
            said.to_string()
                .contains("bomb.txt.gz: there are more than 4294967296 bytes of text in all"),
            "{said}"
        );
        assert!(text.len() <= 1 << 16);
    }
}
