//! Test texts: a folder of files named after languages, one text a line.

use super::codes::Joins;
use crate::input;
use langid::LangCode;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

/// Texts by the language they count as.
pub type Texts = BTreeMap<LangCode, Vec<String>>;

/// Reads every `<ISO 639-3 code>.txt` of a folder, if `only` is given those of its languages; other files are passed over. Empty
/// lines are no texts, and bytes that are no UTF-8 are replaced.
///
/// # Errors
/// When the folder or a file cannot be read, a file is named after no language or is longer than `max_bytes`, or no text is
/// found.
pub fn read(folder: &Path, only: Option<&BTreeSet<LangCode>>, joins: &Joins, max_bytes: u64) -> Result<Texts, String> {
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut texts = Texts::new();
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(named)? {
        let file = entry.map_err(named)?.path();
        if file.extension().is_some_and(|extension| extension == "txt") {
            files.push(file);
        }
    }
    files.sort();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let language: LangCode = stem.parse().map_err(|unknown| format!("{}: {unknown}", file.display()))?;
        let language = joins.head(language);
        if language == LangCode::UND {
            return Err(format!("{}: texts of the test are in a language, not `und`", file.display()));
        }
        if only.is_some_and(|only| !only.contains(&language)) {
            continue;
        }
        if !fs::metadata(&file).is_ok_and(|metadata| metadata.is_file()) {
            return Err(format!("{}: is no regular file", file.display()));
        }
        let content = input::read(&file, max_bytes)?;
        let content = String::from_utf8_lossy(&content);
        let lines = content.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned);
        texts.entry(language).or_default().extend(lines);
    }
    texts.retain(|_, lines| !lines.is_empty());
    if texts.is_empty() {
        return Err(match only {
            Some(_) => format!("{}: no texts in the languages of --only", folder.display()),
            None => format!("{}: no texts; files are named after languages, such as urd.txt", folder.display()),
        });
    }
    Ok(texts)
}

/// How much of a text the identifier gets to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// All of it.
    Whole,
    /// Its first words.
    Words(usize),
    /// As many of its first words as have at most so many characters, blanks between them counted; if already the first word
    /// has more, so many of its characters.
    Characters(usize),
}

impl Cut {
    /// The beginning of the text that is left.
    pub fn of(self, text: &str) -> &str {
        match self {
            Cut::Whole => text,
            Cut::Words(words) => &text[..word_ends(text).take(words).last().unwrap_or(0)],
            Cut::Characters(characters) => {
                let limit = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
                let end = word_ends(text).take_while(|end| *end <= limit).last();
                &text[..end.unwrap_or(limit)]
            }
        }
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cut::Whole => f.write_str("whole texts"),
            Cut::Words(words) => write!(f, "{words} words"),
            Cut::Characters(characters) => write!(f, "{characters} characters"),
        }
    }
}

/// Where the words of a text end, words being what stands between blanks.
fn word_ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.split_whitespace().map(|word| word.as_ptr() as usize - text.as_ptr() as usize + word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_whole_words() {
        let text = "ایک دو  تین four";
        assert_eq!(Cut::Whole.of(text), text);
        assert_eq!(Cut::Words(2).of(text), "ایک دو");
        assert_eq!(Cut::Words(9).of(text), text);
        assert_eq!(Cut::Characters(5).of(text), "ایک");
        assert_eq!(Cut::Characters(6).of(text), "ایک دو");
        assert_eq!(Cut::Characters(16).of(text), text);
        assert_eq!(Cut::Characters(2).of(text), "ای", "no whole word fits");
        assert_eq!(Cut::Characters(3).of("東京都"), "東京都");
        assert_eq!(Cut::Words(1).of(" \u{3000}"), "");
    }
}
