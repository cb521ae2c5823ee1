//! A crawl's own links, in the format of `LinkGraphExport`.
//!
//! A line is a row of the web table, in the order of row keys, with tabs between its six fields:
//!
//! | field | content |
//! |---|---|
//! | host | as in URLs, `www.example.org` |
//! | page | id of the page in links: 16 hexadecimal digits, a hash of the row key |
//! | state | `fetched`, `unfetched` or `gone`; followed by `,injected` for a seed |
//! | target | main-text bytes in the target language; 0 unless fetched |
//! | raw | bytes as downloaded; 0 unless fetched |
//! | links | pages with single blanks between them; may be empty |
//!
//! The lines of a host are in the order of its URLs. Lines that begin with `#` are comments. The
//! content of pages that were never fetched is unknown, so they and links to them are not part of
//! the graph: only the fetched part of a crawl can be simulated.

use crate::graph::{Graph, GraphPage, GONE};
use std::collections::HashMap;
use std::fs::{self, DirEntry};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

/// Counts of the lines read and left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Pages that were fetched.
    pub fetched: u64,
    /// Pages without a response.
    pub gone: u64,
    /// Pages that were never fetched, left out.
    pub unfetched: u64,
    /// Links to pages that were never fetched or are not in the file, left out.
    pub links_dropped: u64,
    /// Invalid lines, left out.
    pub bad: u64,
    /// Places and reasons of the first ten invalid lines.
    pub reasons: Vec<String>,
}

/// Maximum number of stored reasons.
const MAX_REASONS: usize = 10;
/// Most links of a page that are read, a hundred times Nutch's `db.max.outlinks.per.page`.
const MAX_LINKS: usize = 10_000;

struct Row {
    host: u32,
    target: u32,
    raw: u32,
    /// Start of its links in the list of all links.
    links: usize,
    injected: bool,
}

/// Returns the files of a graph: the path itself, or the part files of a folder in the order of
/// their names.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    let is_part = |entry: &DirEntry| entry.file_name().to_string_lossy().starts_with("part-");
    let paths = entries.iter().filter(|entry| is_part(entry)).map(DirEntry::path);
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// Reads one input after the other into a graph.
#[derive(Default)]
pub struct Reader {
    hosts: HashMap<Box<str>, u32>,
    rows: Vec<Row>,
    row_of: HashMap<u64, u32>,
    /// Names of the linked pages.
    links: Vec<u64>,
    reading: Reading,
}

/// The reason why a line is skipped.
#[derive(Debug, thiserror::Error)]
enum BadLine {
    #[error("is longer than {0} bytes")]
    TooLong(usize),
    #[error("has fewer than six fields")]
    FewFields,
    #[error("has more than six fields")]
    ManyFields,
    #[error("has no host of 1 to 255 bytes in UTF-8")]
    Host,
    #[error("has an unknown state; allowed are fetched, unfetched and gone")]
    State,
    #[error("is one too many")]
    OneTooMany,
    #[error("repeats the page of an earlier line")]
    Repeated,
    #[error("has more than {MAX_LINKS} links")]
    ManyLinks,
    #[error("has a page name that is not 16 hexadecimal digits")]
    Page,
    #[error("has {0} that are not whole numbers below {GONE}")]
    Number(&'static str),
}

impl Reader {
    /// Reads lines of at most `max_line` bytes. An invalid line is counted and skipped.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn read(&mut self, mut input: impl BufRead, name: &str, max_line: usize) -> io::Result<()> {
        let mut line = Vec::new();
        let mut number = 0u64;
        loop {
            line.clear();
            let whole = read_line(&mut input, &mut line, max_line)?;
            let Some(whole) = whole else { return Ok(()) };
            number += 1;
            if line.is_empty() && whole || line.starts_with(b"#") {
                continue;
            }
            let taken = if whole { self.row(&line) } else { Err(BadLine::TooLong(max_line)) };
            if let Err(reason) = taken {
                self.reading.bad += 1;
                if self.reading.reasons.len() < MAX_REASONS {
                    self.reading.reasons.push(format!("{name}, line {number}: {reason}"));
                }
            }
        }
    }

    fn row(&mut self, line: &[u8]) -> Result<(), BadLine> {
        let mut fields = line.split(|&byte| byte == b'\t');
        let mut field = || fields.next().ok_or(BadLine::FewFields);
        let (host, page, state, target, raw, links) =
            (field()?, field()?, field()?, field()?, field()?, field()?);
        if fields.next().is_some() {
            return Err(BadLine::ManyFields);
        }
        let host =
            std::str::from_utf8(host).ok().filter(|host| !host.is_empty() && host.len() <= 255);
        let host = host.ok_or(BadLine::Host)?;
        let page = page_name(page)?;
        let (state, injected) = match state.strip_suffix(b",injected") {
            Some(state) => (state, true),
            None => (state, false),
        };
        let (target, raw) = (number(target, "target bytes")?, number(raw, "downloaded bytes")?);
        let target = match state {
            b"fetched" => target,
            b"gone" => GONE,
            b"unfetched" => {
                self.reading.unfetched += 1;
                return Ok(());
            }
            _ => return Err(BadLine::State),
        };
        let row = u32::try_from(self.rows.len())
            .ok()
            .filter(|&row| row < GONE - 1)
            .ok_or(BadLine::OneTooMany)?;
        if self.row_of.contains_key(&page) {
            return Err(BadLine::Repeated);
        }
        let first = self.links.len();
        for link in links.split(|&byte| byte == b' ').filter(|link| !link.is_empty()) {
            let taken = page_name(link).and_then(|link| match self.links.len() - first {
                MAX_LINKS => Err(BadLine::ManyLinks),
                _ => Ok(link),
            });
            match taken {
                Ok(link) => self.links.push(link),
                Err(reason) => {
                    self.links.truncate(first);
                    return Err(reason);
                }
            }
        }
        self.row_of.insert(page, row);
        let count = self.hosts.len() as u32;
        let host = *self.hosts.entry(host.into()).or_insert(count);
        self.rows.push(Row { host, target, raw, links: first, injected });
        match target {
            GONE => self.reading.gone += 1,
            _ => self.reading.fetched += 1,
        }
        Ok(())
    }

    /// Returns the graph: hosts in the order of their names, pages of a host in the order of lines.
    pub fn finish(self) -> (Graph, Reading) {
        let Reader { hosts, rows, row_of, links, mut reading, .. } = self;
        let mut names: Vec<(Box<str>, u32)> = hosts.into_iter().collect();
        names.sort_unstable();
        let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
        for (number, row) in (0u32..).zip(&rows) {
            rows_of[row.host as usize].push(number);
        }
        let order: Vec<u32> =
            names.iter().flat_map(|&(_, host)| rows_of[host as usize].iter().copied()).collect();
        let mut page_of = vec![0u32; rows.len()];
        for (page, &row) in (0u32..).zip(&order) {
            page_of[row as usize] = page;
        }
        let page = |&row: &u32| GraphPage {
            target: rows[row as usize].target,
            raw: rows[row as usize].raw,
        };
        let mut graph = Graph::with_pages(
            names.iter().map(|&(_, host)| rows_of[host as usize].iter().map(page).collect()),
        );
        let mut targets = Vec::new();
        for &row in &order {
            let row = row as usize;
            let end = rows.get(row + 1).map_or(links.len(), |next| next.links);
            let all = &links[rows[row].links..end];
            targets.clear();
            targets.extend(
                all.iter().filter_map(|name| row_of.get(name)).map(|&row| page_of[row as usize]),
            );
            reading.links_dropped += (all.len() - targets.len()) as u64;
            graph.push_links(&mut targets);
        }
        let injected = (0u32..)
            .zip(&order)
            .filter(|(_, &row)| rows[row as usize].injected)
            .map(|(page, _)| page);
        graph.set_injected(injected.collect());
        (graph, reading)
    }
}

fn page_name(name: &[u8]) -> Result<u64, BadLine> {
    let digits =
        std::str::from_utf8(name).ok().filter(|name| name.len() == 16 && !name.starts_with('+'));
    let name = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    name.ok_or(BadLine::Page)
}

fn number(field: &[u8], what: &'static str) -> Result<u32, BadLine> {
    let number = std::str::from_utf8(field)
        .ok()
        .and_then(|text| text.parse().ok())
        .filter(|&number| number != GONE);
    number.ok_or(BadLine::Number(what))
}

/// Reads a line without its line end. Returns true for a whole line, false for a longer one, which
/// is skipped, and `None` at the end.
fn read_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
    max_line: usize,
) -> io::Result<Option<bool>> {
    let mut any = false;
    let mut whole = true;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if buffer.is_empty() {
            return Ok(any.then_some(whole));
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        if line.len() + part.len() > max_line {
            whole = false;
        }
        if whole {
            line.extend_from_slice(part);
        }
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Some(whole));
        }
    }
}
