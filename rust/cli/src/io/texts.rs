//! Texts in known languages: a folder with a file for each language, one text on each line.

use crate::io::input;
use anyhow::{anyhow, bail, Result};
use langid::LangCode;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Texts by language.
pub type Texts = BTreeMap<LangCode, Vec<String>>;

/// The files of texts in a folder, in order.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let named = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            anyhow!("cannot read {}: no such folder", folder.display())
        }
        _ => anyhow!("{}: {error}", folder.display()),
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(named)? {
        let file = entry.map_err(named)?.path();
        if file.extension().is_some_and(|extension| extension == "txt") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads every `<ISO 639-3 code>.txt` of a folder in the given languages. Other files and empty
/// lines are ignored. Bytes that are not UTF-8 are replaced.
///
/// # Errors
/// Fails if the folder or a file cannot be read, a file is named after no language or is longer
/// than `max_bytes`, or no text is found.
pub fn read(folder: &Path, wanted: impl Fn(LangCode) -> bool, max_bytes: u64) -> Result<Texts> {
    let mut texts = Texts::new();
    let mut passed_over = false;
    for file in &files(folder)? {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let language: LangCode =
            stem.parse().map_err(|unknown| anyhow!("{}: {unknown}", file.display()))?;
        if language == LangCode::UND {
            bail!("{}: `und` is not a language of texts", file.display());
        }
        if !wanted(language) {
            passed_over = true;
            continue;
        }
        if !fs::metadata(file).is_ok_and(|metadata| metadata.is_file()) {
            bail!("{}: is not a regular file", file.display());
        }
        let content = input::text(file, max_bytes)?;
        let lines =
            content.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned);
        texts.entry(language).or_default().extend(lines);
    }
    texts.retain(|_, lines| !lines.is_empty());
    match (texts.is_empty(), passed_over) {
        (false, _) => Ok(texts),
        (true, true) => Err(anyhow!("{}: no texts in the languages asked for", folder.display())),
        (true, false) => Err(anyhow!(
            "{}: no texts; files are named after languages, such as urd.txt",
            folder.display()
        )),
    }
}
