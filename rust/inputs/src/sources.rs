//! The files of corpora: files and folders that a user names.

use crate::{BadInput, Unusable};
use records::{Source, COMPRESSED, ENDINGS};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Extensions of archives that are not read. Those in a folder are inputs too, so that they are
/// refused with the name of their format: a corpus without them would seem to be whole.
const UNREAD: [&str; 19] = [
    "7z", "br", "lz", "lz4", "lzma", "lzo", "rar", "sz", "tar", "tar.bz2", "tar.gz", "tar.xz",
    "tar.zst", "tbz2", "tgz", "txz", "tzst", "z", "zip",
];

/// The files of several corpora.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The files in order, each once.
    pub sources: Vec<Source>,
    /// Names of the files that were named again.
    pub named_twice: Vec<String>,
}

/// Returns the files of a corpus. Of a folder, files with an ending of a corpus or of another
/// archive that are not hidden, in order. `except` has names of files that are no corpora, such as
/// that of a report.
///
/// # Errors
/// Fails if it is not there, or a folder holds none.
pub fn sources(path: &Path, except: &[&str]) -> Result<Vec<Source>, BadInput> {
    let source =
        |path: &Path| Source::new(path).map_err(|none| BadInput::new(none.name, none.error));
    if !path.is_dir() {
        return Ok(vec![source(path)?]);
    }
    let mut sources = Vec::new();
    let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
    for entry in
        walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name()))
    {
        let entry = entry.map_err(BadInput::of_entry)?;
        let name = entry.file_name().to_string_lossy();
        let has = |name: &str, endings: &[&str]| {
            let is_of = |ending| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.'));
            endings.iter().any(is_of)
        };
        let is_corpus =
            has(uncompressed(&name), &ENDINGS) || has(&name.to_ascii_lowercase(), &UNREAD);
        if entry.file_type().is_file() && is_corpus && !except.contains(&&*name) {
            sources.push(source(entry.path())?);
        }
    }
    if sources.is_empty() {
        return Err(BadInput::new(path.display().to_string(), Unusable::NoCorpus));
    }
    Ok(sources)
}

/// Returns the name of a file without the extensions of compressed files.
fn uncompressed(name: &str) -> &str {
    let mut stem = name;
    while let Some(shorter) =
        COMPRESSED.iter().find_map(|ending| stem.strip_suffix(ending)?.strip_suffix('.'))
    {
        stem = shorter;
    }
    stem
}

/// Returns the files of corpora in order. A file that is given twice (also by its folder) is read
/// once.
///
/// # Errors
/// Fails if one is not there, or a folder holds none.
pub fn all_sources(corpora: &[PathBuf], except: &[&str]) -> Result<Found, BadInput> {
    let mut found = Found::default();
    let mut met = HashSet::new();
    for path in corpora {
        for source in sources(path, except)? {
            if met.insert(real(&source.path)) {
                found.sources.push(source);
            } else {
                found.named_twice.push(source.name);
            }
        }
    }
    Ok(found)
}

/// Returns the name of a corpus: the name of its file or folder without the endings of the format.
/// Several paths are one corpus; the first three are named.
pub fn corpus_name(paths: &[PathBuf]) -> String {
    let named = paths.iter().take(3).map(|path| name(path)).collect::<Vec<_>>().join(", ");
    match paths.len().saturating_sub(3) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

fn name(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    let name = path
        .file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let mut stem = uncompressed(&name);
    // Files of Common Crawl end with .warc.wet.gz.
    while let Some(shorter) =
        ENDINGS.iter().find_map(|ending| stem.strip_suffix(ending)?.strip_suffix('.'))
    {
        stem = shorter;
    }
    if stem.is_empty() {
        name
    } else {
        stem.to_owned()
    }
}

/// Returns a path with symlinks resolved. If the file does not exist, those of its folder.
pub fn real(path: &Path) -> PathBuf {
    let there = |path: &Path| fs::canonicalize(path).ok();
    let beside = || Some(there(parent(path))?.join(path.file_name()?));
    there(path).or_else(beside).unwrap_or_else(|| path.to_owned())
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns true if a file or folder is hidden. In Hadoop, names that begin with `_` are hidden too:
/// a running or killed job has its unfinished files in `_temporary`.
pub fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || name.as_encoded_bytes().starts_with(b"_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corpus_is_named_after_its_files_without_their_endings() {
        let named =
            |paths: &[&str]| corpus_name(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(named(&["a/CC-1.warc.wet.gz"]), "CC-1");
        assert_eq!(named(&["-", ".warc"]), "standard input, .warc");
        assert_eq!(named(&["a.jsonl", "b.warc", "c", "d", "e"]), "a, b, c and 2 more");
    }

    #[test]
    fn a_folder_gives_its_corpora_once_and_no_hidden_files() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [
            "b.jsonl",
            "a.warc.gz",
            "_c.jsonl",
            ".d.jsonl",
            "notes.txt",
            "report.json",
            "e.arc.bz2",
            "f.wet.xz",
            "g.warc.LZ4",
            "h.tar.gz",
            "i.html.gz",
            "j.warc.gz.md5",
        ] {
            fs::write(folder.path().join(name), "").expect("written");
        }
        let paths = [folder.path().to_owned(), folder.path().join("b.jsonl")];
        let found = all_sources(&paths, &["report.json"]).expect("corpora");
        let names: Vec<_> =
            found.sources.iter().filter_map(|source| source.path.file_name()).collect();
        let read = ["a.warc.gz", "b.jsonl", "e.arc.bz2", "f.wet.xz", "g.warc.LZ4", "h.tar.gz"];
        assert_eq!(names, read);
        assert_eq!(found.named_twice.len(), 1);
        let empty = tempfile::tempdir().expect("a folder");
        let said = sources(empty.path(), &[]).expect_err("nothing in it").to_string();
        assert!(said.contains("holds no corpus; allowed are *.jsonl"), "{said}");
    }
}
