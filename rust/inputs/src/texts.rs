//! Texts in known languages: a folder with a file for each language, one text on each line.

use crate::{files as input, BadInput};
use langid::{LangCode, UnknownLanguage};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Texts by language.
pub type Texts = BTreeMap<LangCode, Vec<String>>;

/// A folder whose texts cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadTexts {
    /// The folder is not there.
    #[error("cannot read {}: no such folder", .0.display())]
    NoFolder(PathBuf),
    /// The folder cannot be listed.
    #[error("{}: {reason}", folder.display())]
    Unlisted {
        /// Path of the folder that cannot be listed.
        folder: PathBuf,
        /// The error of the system.
        #[source]
        reason: io::Error,
    },
    /// A file is named after no known language.
    #[error("{}: {unknown}", file.display())]
    UnknownLanguage {
        /// Path of the file with the unknown name.
        file: PathBuf,
        /// Its name, and codes that are like it.
        unknown: UnknownLanguage,
    },
    /// A file is named after `und`.
    #[error("{}: `und` is not a language of texts", .0.display())]
    Undetermined(PathBuf),
    /// A device, a pipe or a folder is named like a file of texts.
    #[error("{}: is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// A file cannot be read, or is longer than the limit.
    #[error(transparent)]
    Unread(#[from] BadInput),
    /// Files are there, but none has a text in the languages asked for.
    #[error("{}: no texts in the languages asked for", .0.display())]
    NoneInLanguages(PathBuf),
    /// No file has a text.
    #[error("{}: no texts; files are named after languages, such as urd.txt", .0.display())]
    None(PathBuf),
}

/// The files of texts in a folder, in order.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, BadTexts> {
    let named = |reason: io::Error| match reason.kind() {
        io::ErrorKind::NotFound => BadTexts::NoFolder(folder.to_owned()),
        _ => BadTexts::Unlisted { folder: folder.to_owned(), reason },
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
pub fn read(
    folder: &Path,
    wanted: impl Fn(LangCode) -> bool,
    max_bytes: u64,
) -> Result<Texts, BadTexts> {
    let mut texts = Texts::new();
    let mut passed_over = false;
    for file in &files(folder)? {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let language: LangCode = stem
            .parse()
            .map_err(|unknown| BadTexts::UnknownLanguage { file: file.clone(), unknown })?;
        if language == LangCode::UND {
            return Err(BadTexts::Undetermined(file.clone()));
        }
        if !wanted(language) {
            passed_over = true;
            continue;
        }
        if !fs::metadata(file).is_ok_and(|metadata| metadata.is_file()) {
            return Err(BadTexts::NotAFile(file.clone()));
        }
        let content = input::text(file, max_bytes)?;
        let lines =
            content.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned);
        texts.entry(language).or_default().extend(lines);
    }
    texts.retain(|_, lines| !lines.is_empty());
    match (texts.is_empty(), passed_over) {
        (false, _) => Ok(texts),
        (true, true) => Err(BadTexts::NoneInLanguages(folder.to_owned())),
        (true, false) => Err(BadTexts::None(folder.to_owned())),
    }
}
