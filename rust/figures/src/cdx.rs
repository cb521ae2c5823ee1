//! Languages and media types in an archive's index: CDXJ as in Common Crawl, a key, a time and a
//! JSON object per line.

use crate::fixed::percent;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

/// Different values that are counted separately; later values are counted as `other`. Bounds
/// memory.
const MAX_VALUES: usize = 10_000;
/// Longest line, in bytes; longer ones are invalid.
const MAX_LINE: u64 = 1 << 20;
/// Longest value, in bytes.
const MAX_VALUE: usize = 100;

/// Sums over the lines of an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    records: u64,
    bad: u64,
    mimes: BTreeMap<String, u64>,
    languages: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Line {
    mime: Option<String>,
    #[serde(rename = "mime-detected")]
    detected: Option<String>,
    languages: Option<String>,
}

/// A value in a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IndexRow {
    /// The value; empty if the index has none.
    pub value: String,
    /// Number of documents with it.
    pub documents: u64,
    /// Their share of all.
    pub percent: Option<f64>,
}

/// Figures of an index.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IndexFigures {
    /// Lines that are documents.
    pub records: u64,
    /// Lines that could not be parsed.
    pub bad: u64,
    /// Documents by media type, as detected if the index has the detected one, most first.
    pub mimes: Vec<IndexRow>,
    /// Documents by the first of their languages, most first.
    pub languages: Vec<IndexRow>,
}

fn add(counts: &mut BTreeMap<String, u64>, value: &str) {
    let value: String =
        value.trim().chars().take(MAX_VALUE).collect::<String>().to_ascii_lowercase();
    let full = counts.len() >= MAX_VALUES && !counts.contains_key(&value);
    *counts.entry(if full { "other".to_owned() } else { value }).or_default() += 1;
}

impl Index {
    /// Adds the lines of an input.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn add(&mut self, mut input: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        // Whether the next bytes are the rest of a line that was too long.
        let mut rest = false;
        loop {
            line.clear();
            if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let was_rest = rest;
            rest = line.last() != Some(&b'\n') && line.len() as u64 == MAX_LINE;
            if was_rest || line.trim_ascii().is_empty() {
                continue;
            }
            let json = line.iter().position(|&byte| byte == b'{').map(|start| &line[start..]);
            match json.and_then(|json| serde_json::from_slice::<Line>(json).ok()) {
                Some(document) => {
                    self.records += 1;
                    add(
                        &mut self.mimes,
                        document.detected.or(document.mime).as_deref().unwrap_or_default(),
                    );
                    let languages = document.languages.unwrap_or_default();
                    add(&mut self.languages, languages.split(',').next().unwrap_or_default());
                }
                None => self.bad += 1,
            }
        }
    }

    /// Adds all counts of another one.
    pub fn merge(&mut self, other: Self) {
        self.records += other.records;
        self.bad += other.bad;
        for (counts, more) in
            [(&mut self.mimes, other.mimes), (&mut self.languages, other.languages)]
        {
            for (value, count) in more {
                *counts.entry(value).or_default() += count;
            }
        }
    }

    /// Returns the figures.
    pub fn finish(&self) -> IndexFigures {
        let rows = |counts: &BTreeMap<String, u64>| {
            let row = |(value, &documents): (&String, &u64)| IndexRow {
                value: value.clone(),
                documents,
                percent: percent(documents, self.records),
            };
            let mut rows: Vec<IndexRow> = counts.iter().map(row).collect();
            rows.sort_by_key(|row| (Reverse(row.documents), row.value.clone()));
            rows
        };
        IndexFigures {
            records: self.records,
            bad: self.bad,
            mimes: rows(&self.mimes),
            languages: rows(&self.languages),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_and_kinds_are_counted() {
        let index = "pk,a)/ 20181209 {\"url\": \"http://a.pk/\", \"mime\": \"text/html\", \"mime-detected\": \"text/html\", \"languages\": \"urd,eng\"}\n\
                     pk,a)/x 20181209 {\"mime\": \"application/pdf\"}\n\nno index\npk,b)/ 2018 {\"mime\":\"text/html\",\"languages\":\"eng\"}";
        let mut sums = Index::default();
        sums.add(index.as_bytes()).expect("memory");
        let mut twice = sums.clone();
        twice.merge(sums.clone());
        assert_eq!((twice.records, sums.records, sums.bad), (6, 3, 1));
        let figures = sums.finish();
        let rows = |rows: &[IndexRow]| {
            rows.iter().map(|row| (row.value.clone(), row.documents)).collect::<Vec<_>>()
        };
        assert_eq!(
            rows(&figures.mimes),
            [("text/html".to_owned(), 2), ("application/pdf".to_owned(), 1)]
        );
        assert_eq!(
            rows(&figures.languages),
            [(String::new(), 1), ("eng".to_owned(), 1), ("urd".to_owned(), 1)]
        );
    }

    #[test]
    fn a_line_without_end_is_one_bad_line() {
        let mut sums = Index::default();
        sums.add("x".repeat(3 << 20).as_bytes()).expect("memory");
        assert_eq!((sums.records, sums.bad), (0, 1));
    }
}
