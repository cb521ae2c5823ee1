//! Indexes of archives: CDXJ as in Common Crawl, and its columnar index (Parquet).
//!
//! Source of the fields: commoncrawl/cc-index-table, the schema of the columnar index.
//! `content_languages` has at most three languages of a page by ISO 639-3 code, the one with most
//! text first, as CLD2 found them.

use parquet_files::{Bad, Table, Value};
use records::Source;
use serde::Deserialize;
use std::collections::HashSet;
use std::io::{self, BufRead, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::Arc;
use walkdir::WalkDir;

/// Longest line of CDXJ, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Columns of the columnar index that are read, in the order of [`of_row`].
const COLUMNS: [&str; 9] = [
    "url",
    "url_host_name",
    "url_host_registered_domain",
    "fetch_status",
    "content_languages",
    "warc_filename",
    "warc_record_offset",
    "warc_record_length",
    "crawl",
];

/// An index that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BadIndex {
    /// A folder has no file.
    #[error(
        "{}: has no index; allowed are CDXJ, and Parquet files of a columnar index",
        .0.display()
    )]
    None(PathBuf),
    /// A file is not there.
    #[error(transparent)]
    Absent(#[from] records::NoSource),
    /// A folder cannot be listed.
    #[error(transparent)]
    Unlisted(#[from] walkdir::Error),
    /// A file cannot be opened.
    #[error("{file}: {reason}")]
    Unread {
        /// The name of the file.
        file: String,
        /// The error of the system.
        reason: io::Error,
    },
    /// A table is not an index.
    #[error(
        "{file}: has no column {}; allowed is the columnar index of an archive",
        missing.join(", ")
    )]
    OtherTable {
        /// The name of the file.
        file: String,
        /// The columns that it lacks.
        missing: Vec<&'static str>,
    },
}

/// A line or row of an index that is no entry.
#[derive(Debug, thiserror::Error)]
pub enum BadEntry {
    /// The lines cannot be read.
    #[error("line {number}: {reason}")]
    Unread {
        /// The number of the line, from 1.
        number: u64,
        /// The error of the reader.
        reason: io::Error,
    },
    /// A line is something else.
    #[error("line {0}: is no CDXJ")]
    NoCdxj(u64),
    /// The table cannot be opened.
    #[error(transparent)]
    Table(Bad),
    /// A row is damaged.
    #[error("row {number}: {reason}")]
    Row {
        /// The number of the row.
        number: u64,
        /// The damage.
        reason: Bad,
    },
}

/// A page in an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its URL.
    pub url: String,
    /// Empty if the index has none and the URL neither.
    pub host: String,
    /// Registered domain; empty in CDXJ.
    pub domain: String,
    /// Codes of its languages, at most three, the one with most text first.
    pub languages: Vec<String>,
    /// Name of the WARC file, relative to the root of the archive.
    pub filename: String,
    /// Place of its record in the WARC file, in bytes.
    pub offset: u64,
    /// Bytes of its record in the WARC file, compressed.
    pub length: u64,
    /// The release of the archive; empty if it is not known.
    pub release: String,
}

/// The fields of a line of CDXJ. Some writers have numbers in quotes.
#[derive(Deserialize)]
struct Line {
    url: Option<String>,
    status: Option<Number>,
    languages: Option<String>,
    filename: Option<String>,
    offset: Option<Number>,
    length: Option<Number>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Number(u64),
    Text(String),
}

impl Number {
    fn value(&self) -> Option<u64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Text(text) => text.parse().ok(),
        }
    }
}

/// Returns the files of indexes: files, and all files in folders, in order.
///
/// # Errors
/// Fails if one is not there, or a folder has none.
pub fn files(paths: &[PathBuf]) -> Result<Vec<Source>, BadIndex> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        if !path.is_dir() {
            files.push(Source::new(path)?);
            continue;
        }
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
            let entry = entry?;
            if entry.file_type().is_file() && !inputs::is_hidden(entry.file_name()) {
                files.push(Source::new(entry.path())?);
            }
        }
        if files.len() == before {
            return Err(BadIndex::None(path.clone()));
        }
    }
    Ok(files)
}

/// Returns the next entry, `None` for a line or row of no page, or why it is none.
pub type Next = Box<dyn FnMut() -> Option<Result<Option<Entry>, BadEntry>>>;

/// Opens an index: its entries are pages with a URL whose status is 200 or unknown. `counter` gets
/// the number of bytes that were read.
///
/// # Errors
/// Fails if the file cannot be read, or is a table without the columns of an index.
pub fn open(file: &Source, max_bytes: u64, counter: &Arc<AtomicU64>) -> Result<Next, BadIndex> {
    let failed = |reason| BadIndex::Unread { file: file.name.clone(), reason };
    if !file.is_table().map_err(failed)? {
        let (input, resumes) = file.decompressed(counter).map_err(failed)?;
        return Ok(lines(input, resumes));
    }
    let table = match Table::open(&file.path, max_bytes, counter) {
        Ok(table) => table,
        Err(bad) => {
            let mut bad = Some(BadEntry::Table(bad));
            return Ok(Box::new(move || bad.take().map(Err)));
        }
    };
    let names: HashSet<&str> = table.columns().collect();
    let missing: Vec<&'static str> =
        ["url", "content_languages"].into_iter().filter(|name| !names.contains(name)).collect();
    if !missing.is_empty() {
        return Err(BadIndex::OtherTable { file: file.name.clone(), missing });
    }
    let mut rows = table.rows(&COLUMNS);
    Ok(Box::new(move || {
        let row = rows.next()?;
        let number = rows.number();
        let bad = |reason| BadEntry::Row { number, reason };
        Some(row.map(|row| of_row(&row)).map_err(bad))
    }))
}

fn of_row(row: &[Value]) -> Option<Entry> {
    let text = |at: usize| row.get(at).and_then(Value::text).unwrap_or_default();
    let number = |at: usize| row.get(at).and_then(Value::number);
    if number(3).is_some_and(|status| status != 200) {
        return None;
    }
    let (filename, crawl) = (text(5), text(8));
    let release = if crawl.is_empty() { release(&filename) } else { crawl };
    Some(Entry {
        url: text(0),
        host: text(1),
        domain: text(2),
        languages: languages(&text(4)),
        filename,
        offset: number(6).unwrap_or_default(),
        length: number(7).unwrap_or_default(),
        release,
    })
    .filter(|entry| !entry.url.is_empty())
}

fn lines(mut input: Box<dyn records::MemberRead + Send>, resumes: bool) -> Next {
    let mut number = 0u64;
    let mut ended = false;
    let mut line = Vec::new();
    // Whether the next bytes are the rest of a line that was too long.
    let mut rest = false;
    Box::new(move || {
        if ended {
            return None;
        }
        line.clear();
        match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(reason) => {
                ended = !resumes;
                return Some(Err(BadEntry::Unread { number: number + 1, reason }));
            }
        }
        let was_rest = rest;
        rest = line.last() != Some(&b'\n') && line.len() as u64 == MAX_LINE;
        if was_rest {
            return Some(Ok(None));
        }
        number += 1;
        if line.trim_ascii().is_empty() || line.starts_with(b"!") {
            return Some(Ok(None));
        }
        let json = line.iter().position(|&byte| byte == b'{').map(|start| &line[start..]);
        match json.and_then(|json| serde_json::from_slice::<Line>(json).ok()) {
            Some(fields) => Some(Ok(of_line(fields))),
            None => Some(Err(BadEntry::NoCdxj(number))),
        }
    })
}

fn of_line(line: Line) -> Option<Entry> {
    if line.status.is_some_and(|status| status.value() != Some(200)) {
        return None;
    }
    let filename = line.filename.unwrap_or_default();
    let number =
        |number: Option<Number>| number.and_then(|number| number.value()).unwrap_or_default();
    Some(Entry {
        url: line.url?,
        languages: languages(&line.languages.unwrap_or_default()),
        release: release(&filename),
        filename,
        offset: number(line.offset),
        length: number(line.length),
        ..Entry::default()
    })
}

fn languages(list: &str) -> Vec<String> {
    list.split(',')
        .map(str::trim)
        .filter(|code| !code.is_empty())
        .map(str::to_ascii_lowercase)
        .collect()
}

/// The release in the path of a file of Common Crawl: `crawl-data/CC-MAIN-2026-47/segments/...`.
fn release(filename: &str) -> String {
    let mut parts = filename.split('/');
    parts
        .find(|part| *part == "crawl-data")
        .and_then(|_| parts.next())
        .unwrap_or_default()
        .to_owned()
}

/// Returns true if a name in an index leads out of a folder: as an absolute path, by `..`, or by a
/// symlink. Returns false for a missing file.
pub fn leads_outside(root: &Path, name: &str) -> bool {
    if !Path::new(name)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    {
        return true;
    }
    match (root.canonicalize(), root.join(name).canonicalize()) {
        (Ok(root), Ok(file)) => !file.starts_with(root),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_entry_if_it_is_a_page() {
        let entry = |json: &str| serde_json::from_str(json).ok().and_then(of_line);
        let line = r#"{"url":"http://a.pk/","status":"200","languages":"eng,urd","length":"12","offset":"7",
            "filename":"crawl-data/CC-MAIN-2026-47/segments/1/warc/x.warc.gz"}"#;
        let found = entry(line).expect("an entry");
        assert_eq!(
            (found.languages, found.offset, found.length),
            (vec!["eng".to_owned(), "urd".to_owned()], 7, 12)
        );
        assert_eq!(found.release, "CC-MAIN-2026-47");
        assert_eq!(entry(r#"{"url":"http://a.pk/","status":"404"}"#), None);
        assert_eq!(entry(r#"{"url":"http://a.pk/","status":200}"#).expect("an entry").length, 0);
        assert_eq!(entry("{}"), None);
    }
}
