//! Indexes of archives: CDXJ as in Common Crawl, and its columnar index (Parquet).
//!
//! Source of the fields: commoncrawl/cc-index-table, the schema of the columnar index.
//! `content_languages` has at most three languages of a page by ISO 639-3 code, the one with most
//! text first, as CLD2 found them.

use crate::io::console::{complain, stop_flag, Stopped};
use crate::io::corpora::{progress, NAMED_PROBLEMS};
use anyhow::{anyhow, bail, Result};
use figures::removals::is_left_out;
use parquet_files::{Table, Value};
use records::Source;
use serde::Deserialize;
use std::collections::HashSet;
use std::io::{BufRead, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use walkdir::WalkDir;

/// Longest line of CDXJ, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Rows between two looks at the clock and the signals.
const STEP: u64 = 4096;

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

/// A page in an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    pub url: String,
    /// Empty if the index has none and the URL neither.
    pub host: String,
    /// Registered domain; empty in CDXJ.
    pub domain: String,
    /// Codes of its languages, at most three, the one with most text first.
    pub languages: Vec<String>,
    pub filename: String,
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
pub fn files(paths: &[PathBuf]) -> Result<Vec<Source>> {
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
            bail!(
                "{}: has no index; allowed are CDXJ, and Parquet files of a columnar index",
                path.display()
            );
        }
    }
    Ok(files)
}

/// Passes the pages of indexes to `take`: entries with a URL whose status is 200 or unknown. The
/// first bad lines and damaged files are named. Returns the number of rows and lines that could not
/// be read: if there is one, others may be lost with it.
///
/// # Errors
/// Fails if a file cannot be read, has no columns of an index, `take` fails, or a signal stopped
/// the work.
pub fn read(
    files: &[Source],
    max_bytes: u64,
    take: &mut dyn FnMut(Entry) -> Result<()>,
) -> Result<u64> {
    let stop = stop_flag()?;
    let bar = progress(files);
    let counter = Arc::new(AtomicU64::new(0));
    let mut lost = 0;
    let mut rows = 0u64;
    for file in files {
        let mut next = open(file, max_bytes, &counter)?;
        while let Some(entry) = next() {
            rows += 1;
            if rows.is_multiple_of(STEP) {
                if stop.load(Ordering::Relaxed) {
                    return Err(Stopped::without_output());
                }
                bar.set_position(counter.load(Ordering::Relaxed));
            }
            match entry {
                Ok(Some(entry)) if !is_left_out(&entry.url, "") => take(entry)?,
                Ok(_) => {}
                Err(bad) => {
                    lost += 1;
                    if lost <= NAMED_PROBLEMS {
                        complain(&bar, &format!("{}: {bad}", file.name));
                    }
                }
            }
        }
    }
    bar.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        return Err(Stopped::without_output());
    }
    Ok(lost)
}

/// The next entry, or why a line or row is none.
type Next = Box<dyn FnMut() -> Option<Result<Option<Entry>, String>>>;

fn open(file: &Source, max_bytes: u64, counter: &Arc<AtomicU64>) -> Result<Next> {
    let failed = |error: std::io::Error| anyhow!("{}: {error}", file.name);
    if !file.is_table().map_err(failed)? {
        let (input, resumes) = file.decompressed(counter).map_err(failed)?;
        return Ok(lines(input, resumes));
    }
    let table = match Table::open(&file.path, max_bytes, counter) {
        Ok(table) => table,
        Err(bad) => {
            let mut bad = Some(bad.to_string());
            return Ok(Box::new(move || bad.take().map(Err)));
        }
    };
    let names: HashSet<&str> = table.columns().collect();
    let missing: Vec<&str> =
        ["url", "content_languages"].into_iter().filter(|name| !names.contains(name)).collect();
    if !missing.is_empty() {
        bail!(
            "{}: has no column {}; allowed is the columnar index of an archive",
            file.name,
            missing.join(", ")
        );
    }
    let mut rows = table.rows(&COLUMNS);
    Ok(Box::new(move || {
        let row = rows.next()?;
        let bad = |bad: parquet_files::Bad| format!("row {}: {bad}", rows.number());
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
            Err(error) => {
                ended = !resumes;
                return Some(Err(format!("line {}: {error}", number + 1)));
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
            None => Some(Err(format!("line {number}: is no CDXJ"))),
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
