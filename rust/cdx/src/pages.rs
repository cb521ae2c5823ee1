//! Indexes of archives: CDXJ as in Common Crawl, and its columnar index (Parquet).
//!
//! Source of the fields: commoncrawl/cc-index-table, the schema of the columnar index.
//! `content_languages` has at most three languages of a page by ISO 639-3 code, the one with most
//! text first, as CLD2 found them.

use parquet_files::{Bad, Table, Value};
use ranges::Remote;
use records::{decompress, Random, Source};
use serde::Deserialize;
use std::collections::HashSet;
use std::io::{self, BufRead, Read, Seek as _};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use walkdir::WalkDir;

/// Longest line of CDXJ, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Columns of the columnar index that are read, in the order of [`of_row`]. The first two decide
/// whether a page is wanted, and the first six have its place.
const COLUMNS: [&str; 9] = [
    "content_languages",
    "fetch_status",
    "url",
    "warc_filename",
    "warc_record_offset",
    "warc_record_length",
    "url_host_name",
    "url_host_registered_domain",
    "crawl",
];

/// Number of [`COLUMNS`] that decide, and of those up to the URL and to the place.
const DECIDING: usize = 2;
const TO_URL: usize = 3;
const TO_PLACE: usize = 6;

/// The pages of an index that are wanted, and what of them.
#[derive(Debug, Clone, Default)]
pub enum Wanted {
    /// All pages with all that the index has.
    #[default]
    All,
    /// The URLs of pages that have one of these languages at any rank.
    Urls(HashSet<String>),
    /// The URLs of such pages and the places of their records.
    Places(HashSet<String>),
}

impl Wanted {
    /// The URLs of pages that have one of these languages.
    pub fn urls(codes: impl Iterator<Item = String>) -> Self {
        Self::Urls(codes.collect())
    }

    /// The languages, if other pages are not wanted.
    fn codes(&self) -> Option<&HashSet<String>> {
        match self {
            Self::All => None,
            Self::Urls(codes) | Self::Places(codes) => Some(codes),
        }
    }

    fn has(&self, languages: &[String]) -> bool {
        self.codes().is_none_or(|codes| languages.iter().any(|code| codes.contains(code)))
    }
}

/// How an index is read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Longest value of a table, in bytes.
    pub max_bytes: u64,
    /// Which rows are returned.
    pub wanted: Wanted,
    /// Gets the number of bytes that are read of files of this machine.
    pub read: Arc<AtomicU64>,
    /// Gets the number of pages that are not wanted.
    pub others: Arc<AtomicU64>,
}

/// An index that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BadIndex {
    /// A folder has no file.
    #[error(
        "{}: holds no index; allowed are CDXJ, and Parquet files of a columnar index",
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
        #[source]
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
        #[source]
        reason: io::Error,
    },
    /// A line is something else.
    #[error("line {0}: is no CDXJ")]
    NoCdxj(u64),
    /// A line of a summary is something else, or cut.
    #[error("line {0}: names no block of an index")]
    NoBlock(u64),
    /// The file is shorter than the summary of its index says.
    #[error("is cut short: it has {found} bytes, and the summary of its index names {named}")]
    Cut {
        /// Bytes of the file.
        found: u64,
        /// Bytes up to the end of its last block.
        named: u64,
    },
    /// The table cannot be opened.
    #[error(transparent)]
    Table(Bad),
    /// A row is damaged.
    #[error("row {number}: {reason}")]
    Row {
        /// The number of the row.
        number: u64,
        /// Damage that was found in the row.
        reason: Bad,
    },
}

/// A page in an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// URL of the page.
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

impl BadEntry {
    /// Returns why the system or a server did not give the bytes; `None` if they are damaged.
    pub fn unreadable(&self) -> Option<String> {
        match self {
            Self::Unread { reason, .. } => {
                let is_server = reason.kind() == io::ErrorKind::ConnectionAborted;
                is_server.then(|| reason.to_string())
            }
            Self::Table(bad) | Self::Row { reason: bad, .. } => {
                bad.is_unreadable.then(|| bad.to_string())
            }
            Self::NoCdxj(_) | Self::NoBlock(_) | Self::Cut { .. } => None,
        }
    }
}

/// Returns whether an index is on a server: its name is an address.
pub fn is_afar(path: &Path) -> bool {
    path.to_str().is_some_and(|name| name.contains("://"))
}

/// Returns whether one of the indexes is on a server.
pub fn any_afar(files: &[Source]) -> bool {
    files.iter().any(|file| is_afar(&file.path))
}

/// Returns the files of indexes: files, addresses, and all files in folders, in order.
///
/// # Errors
/// Fails if one is not there, or a folder has none.
pub fn files(paths: &[PathBuf]) -> Result<Vec<Source>, BadIndex> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        if is_afar(path) {
            files.push(afar(path.display().to_string()));
            continue;
        }
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

/// Returns whether a path is an index and no corpus, by the first file of it: an address, a table of
/// languages without texts, or lines that begin with a key. A pipe is none.
pub fn is_index(path: &Path) -> bool {
    let Ok(files) = files(&[path.to_owned()]) else { return false };
    let Some(file) = files.first().filter(|file| !is_afar(&file.path)) else {
        return !files.is_empty();
    };
    let counter = Arc::default();
    match file.is_table() {
        Ok(true) => Table::open(&file.path, 0, &counter).is_ok_and(|table| {
            let has = |name| table.columns().any(|column| column == name);
            has("content_languages") && !has("text")
        }),
        Ok(false) if file.bytes.is_some() => {
            let Ok((input, _)) = file.decompressed(&counter) else { return false };
            let mut line = Vec::new();
            let read = input.take(MAX_LINE).read_until(b'\n', &mut line);
            read.is_ok() && json(&line).is_some_and(|(start, _)| start > 0)
        }
        _ => false,
    }
}

/// The fields of a line of CDXJ, and where they begin.
fn json(line: &[u8]) -> Option<(usize, Line)> {
    let start = line.iter().position(|&byte| byte == b'{')?;
    Some((start, serde_json::from_slice(&line[start..]).ok()?))
}

/// The default root of the WARC files that an index names: its folder, or the root of its server.
pub fn root(index: &Path) -> PathBuf {
    let address = index.to_str().and_then(|name| name.split_once("://"));
    match address {
        Some((scheme, rest)) => {
            let host = rest.split('/').next().unwrap_or_default();
            PathBuf::from(format!("{scheme}://{host}/"))
        }
        None => match index.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        },
    }
}

/// The source of an index on a server.
pub(crate) fn afar(address: String) -> Source {
    Source { path: PathBuf::from(&address), name: address, bytes: None, ranges: None }
}

/// Returns the next entry, `None` for a line or row of no page, or why it is none.
pub type Next = Box<dyn FnMut() -> Option<Result<Option<Entry>, BadEntry>>>;

/// Opens an index of this machine: its entries are pages with a URL whose status is 200 or unknown.
///
/// # Errors
/// Fails if the file cannot be read, or is a table without the columns of an index.
pub fn open(file: &Source, options: &Options) -> Result<Next, BadIndex> {
    let failed = |reason| BadIndex::Unread { file: file.name.clone(), reason };
    if file.is_table().map_err(failed)? {
        return rows(Table::open(&file.path, options.max_bytes, &options.read), file, options);
    }
    let (input, resumes) = file.decompressed(&options.read).map_err(failed)?;
    Ok(lines(input, resumes, options))
}

/// Opens an index on a server, as [`open`].
///
/// # Errors
/// As [`open`].
pub fn open_afar(mut remote: Remote, options: &Options) -> Result<Next, BadIndex> {
    let file = afar(remote.address().to_owned());
    let failed = |reason| BadIndex::Unread { file: file.name.clone(), reason };
    let mut start = Vec::new();
    remote.rewind().map_err(failed)?;
    remote.by_ref().take(4).read_to_end(&mut start).map_err(failed)?;
    remote.rewind().map_err(failed)?;
    if start == *b"PAR1" {
        let table = Table::of_random(Box::new(remote), options.max_bytes, &options.read);
        return rows(table, &file, options);
    }
    remote.expect(0, u64::MAX);
    let (input, resumes) = decompress(remote).map_err(failed)?;
    Ok(lines(input, resumes, options))
}

/// The rows of a table.
fn rows(table: Result<Table, Bad>, file: &Source, options: &Options) -> Result<Next, BadIndex> {
    let table = match table {
        Ok(table) => table,
        Err(bad) => {
            let mut bad = Some(BadEntry::Table(bad));
            return Ok(Box::new(move || bad.take().map(Err)));
        }
    };
    let names: HashSet<&str> = table.columns().collect();
    let needed = match options.wanted {
        Wanted::Places(_) => &["url", "content_languages", "warc_filename"][..],
        _ => &["url", "content_languages"],
    };
    let missing: Vec<&'static str> =
        needed.iter().copied().filter(|name| !names.contains(name)).collect();
    if !missing.is_empty() {
        return Err(BadIndex::OtherTable { file: file.name.clone(), missing });
    }
    let (wanted, others) = (options.wanted.clone(), Arc::clone(&options.others));
    let is_wanted = move |row: &[Value]| {
        let is_page = row.get(1).and_then(Value::number).is_none_or(|status| status == 200);
        let codes = row.first().and_then(Value::text).unwrap_or_default();
        let is_wanted = wanted.has(&languages(&codes));
        others.fetch_add(u64::from(is_page && !is_wanted), Ordering::Relaxed);
        is_page && is_wanted
    };
    let mut rows = match options.wanted {
        Wanted::All => table.rows(&COLUMNS),
        Wanted::Urls(_) => table.rows_where(&COLUMNS[..TO_URL], DECIDING, is_wanted),
        Wanted::Places(_) => table.rows_where(&COLUMNS[..TO_PLACE], DECIDING, is_wanted),
    };
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
    if number(1).is_some_and(|status| status != 200) {
        return None;
    }
    let (filename, crawl) = (text(3), text(8));
    let release = if crawl.is_empty() { release(&filename) } else { crawl };
    Some(Entry {
        languages: languages(&text(0)),
        url: text(2),
        filename,
        offset: number(4).unwrap_or_default(),
        length: number(5).unwrap_or_default(),
        host: text(6),
        domain: text(7),
        release,
    })
    .filter(|entry| !entry.url.is_empty())
}

fn lines(mut input: Box<dyn records::MemberRead + Send>, resumes: bool, options: &Options) -> Next {
    let (wanted, others) = (options.wanted.clone(), Arc::clone(&options.others));
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
        match json(&line) {
            Some((_, fields)) => {
                let entry = of_line(fields);
                let is_other = entry.as_ref().is_some_and(|entry| !wanted.has(&entry.languages));
                others.fetch_add(u64::from(is_other), Ordering::Relaxed);
                Some(Ok(entry.filter(|_| !is_other)))
            }
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
