//! Indexes of archives, one after the other: files of this machine and of servers. The summary of a
//! ZipNum index stands for the files that it names.

use crate::pages::{afar, is_afar, leads_outside, open, open_afar, BadEntry, BadIndex};
use crate::pages::{Entry, Next, Options};
use crate::zipnum::{is_summary, Block};
use figures::removals::is_left_out;
use ranges::{Afar, Counts, Remote, Unopened};
use records::{Random, Source};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::Arc;

/// Rows between two looks at the clock and the signals.
const STEP: u64 = 4096;

/// Longest line of a summary, in bytes.
const MAX_LINE: u64 = 1 << 16;

/// Most files that a summary may name. Common Crawl's name 300.
const MAX_PARTS: usize = 100_000;

/// Progress and damage while indexes are read.
#[derive(Debug)]
pub enum News<'a> {
    /// So many bytes of files of this machine are read.
    Read(u64),
    /// A line, a row or a file cannot be read.
    Bad(&'a str, &'a BadEntry),
}

/// Why the reading of indexes ended.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The stop flag was set.
    #[error("stopped")]
    Stopped,
    /// A file cannot be read or is no index.
    #[error(transparent)]
    Index(#[from] BadIndex),
    /// A file on a server is not read from there.
    #[error(transparent)]
    Server(#[from] ranges::BadServer),
    /// A server does not have a file.
    #[error("{address}: {}", ranges::Failure::Absent)]
    Absent {
        /// URL of the file.
        address: String,
    },
    /// A server refuses a file.
    #[error(transparent)]
    Refused(ranges::Failure),
    /// A server does not give its bytes now; a later run goes on.
    #[error(transparent)]
    Unreachable(io::Error),
    /// A summary names more files than are read.
    #[error("{index}: names more than {MAX_PARTS} files")]
    Parts {
        /// Name of the summary.
        index: String,
    },
    /// The fetched parts cannot be deleted.
    #[error("{}: {reason}", folder.display())]
    Fetched {
        /// Its folder.
        folder: PathBuf,
        /// The error of the system.
        #[source]
        reason: io::Error,
    },
    /// A summary names a file elsewhere.
    #[error("{index}: names the file {part}, which is not in the folder of the index")]
    Outside {
        /// Name of the summary.
        index: String,
        /// Name of the file, as the summary has it.
        part: String,
    },
}

/// A file to read, and the least number of bytes that it must have.
type Part = (Source, u64);

/// Reads indexes.
#[derive(Debug)]
pub struct Reading {
    options: Options,
    afar: Afar,
    /// Sums over the requests to servers.
    pub counts: Arc<Counts>,
    /// Lines, rows and files that could not be read. If there is one, others may be lost with it.
    pub lost: u64,
}

impl Reading {
    /// Creates a reader.
    pub fn new(options: Options, afar: Afar) -> Self {
        Self { options, afar, counts: Arc::default(), lost: 0 }
    }

    /// The pages that were not wanted.
    pub fn others(&self) -> u64 {
        self.options.others.load(Ordering::Relaxed)
    }

    fn require_running(&self) -> Result<(), Failure> {
        match self.afar.stop.load(Ordering::Relaxed) {
            true => Err(Failure::Stopped),
            false => Ok(()),
        }
    }

    /// Passes the wanted pages of indexes to `take`: entries with a URL whose status is 200 or
    /// unknown.
    ///
    /// # Errors
    /// Fails if a file is not there or no index, a server does not give its bytes, or the work was
    /// stopped.
    pub fn read(
        &mut self,
        files: &[Source],
        tell: &mut dyn FnMut(News),
        take: &mut dyn FnMut(Entry),
    ) -> Result<(), Failure> {
        let known: HashSet<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
        let mut files: VecDeque<Part> = files.iter().map(|file| (file.clone(), 0)).collect();
        while let Some((file, named)) = files.pop_front() {
            let (next, parts) = self.open(&file, named, tell)?;
            let parts = parts.into_iter().filter(|(part, _)| !known.contains(&part.path));
            parts.rev().for_each(|part| files.push_front(part));
            self.entries(&file, next, tell, take)?;
        }
        // Damage may have come on the way: the next run fetches all again.
        if let Some(folder) = self.afar.folder.as_ref().filter(|_| self.lost > 0) {
            let failed = |reason| Failure::Fetched { folder: folder.clone(), reason };
            ranges::discard(folder).map_err(failed)?;
        }
        self.require_running()
    }

    /// Passes the wanted pages of a file to `take`.
    fn entries(
        &mut self,
        file: &Source,
        mut next: Next,
        tell: &mut dyn FnMut(News),
        take: &mut dyn FnMut(Entry),
    ) -> Result<(), Failure> {
        let mut rows = 0u64;
        while let Some(entry) = next() {
            rows += 1;
            if rows.is_multiple_of(STEP) {
                self.require_running()?;
                tell(News::Read(self.options.read.load(Ordering::Relaxed)));
            }
            match entry {
                Ok(Some(entry)) if !is_left_out(&entry.url, "") => take(entry),
                Ok(_) => {}
                Err(bad) => {
                    self.require_running()?;
                    match bad.unreadable().filter(|_| is_afar(&file.path)) {
                        Some(reason) => return Err(Failure::Unreachable(io::Error::other(reason))),
                        None => self.lose(file, &bad, tell),
                    }
                }
            }
        }
        Ok(())
    }

    fn lose(&mut self, file: &Source, bad: &BadEntry, tell: &mut dyn FnMut(News)) {
        self.lost += 1;
        tell(News::Bad(&file.name, bad));
    }

    /// Opens a file. A summary has no entries, but parts.
    fn open(
        &mut self,
        file: &Source,
        named: u64,
        tell: &mut dyn FnMut(News),
    ) -> Result<(Next, Vec<Part>), Failure> {
        let unread = |reason| BadIndex::Unread { file: file.name.clone(), reason };
        let (next, parts, found) = if is_afar(&file.path) {
            let remote = self.remote(&file.name)?;
            let found = remote.length().map_err(unread)?;
            let mut remote = BufReader::new(remote);
            let parts = self.parts(file, &mut remote, tell)?;
            let next = match parts {
                Some(_) => Box::new(|| None) as Next,
                None => open_afar(remote.into_inner(), &self.options)?,
            };
            (next, parts, Some(found))
        } else {
            let parts = match file.bytes {
                Some(_) => {
                    let mut local = BufReader::new(File::open(&file.path).map_err(unread)?);
                    self.parts(file, &mut local, tell)?
                }
                None => None,
            };
            let next = match parts {
                Some(_) => Box::new(|| None) as Next,
                None => open(file, &self.options)?,
            };
            (next, parts, file.bytes)
        };
        if let Some(found) = found.filter(|&found| found < named) {
            self.lose(file, &BadEntry::Cut { found, named }, tell);
        }
        Ok((next, parts.unwrap_or_default()))
    }

    fn remote(&self, address: &str) -> Result<Remote, Failure> {
        Remote::open(address, &self.afar, &self.counts).map_err(|unopened| match unopened {
            Unopened::Server(bad) => bad.into(),
            Unopened::Failure(ranges::Failure::Stopped) => Failure::Stopped,
            Unopened::Failure(ranges::Failure::Absent) => {
                Failure::Absent { address: address.to_owned() }
            }
            Unopened::Failure(refused @ ranges::Failure::Refused { .. }) => {
                Failure::Refused(refused)
            }
            Unopened::Failure(failure) => Failure::Unreachable(io::Error::other(failure)),
        })
    }

    /// Returns the files that a summary names, with the end of their last blocks; `None` if the
    /// file is no summary.
    fn parts<R: Random>(
        &mut self,
        file: &Source,
        input: &mut BufReader<R>,
        tell: &mut dyn FnMut(News),
    ) -> Result<Option<Vec<Part>>, Failure> {
        let unread = |reason: io::Error| match is_afar(&file.path) {
            true => Failure::Unreachable(reason),
            false => BadIndex::Unread { file: file.name.clone(), reason }.into(),
        };
        // Compressed data and tables may have no end of a line.
        let is_letter = |byte: &u8| *byte >= b' ' || *byte == b'\t';
        let is_text = input.fill_buf().map_err(unread)?.iter().take(8).all(is_letter);
        if !is_text || !is_summary(input).map_err(unread)? {
            return Ok(None);
        }
        input.rewind().map_err(unread)?;
        input.get_mut().expect(0, u64::MAX);
        let mut ends: BTreeMap<String, u64> = BTreeMap::new();
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(unread)? == 0 {
                break;
            }
            // A line without its end is cut.
            let text = std::str::from_utf8(&line).ok().filter(|text| text.ends_with('\n'));
            let block = text.and_then(Block::parse);
            match block
                .and_then(|block| Some((block.part, block.offset.checked_add(block.length)?)))
            {
                Some(_) if ends.len() >= MAX_PARTS => {
                    return Err(Failure::Parts { index: file.name.clone() });
                }
                Some((part, end)) => {
                    let known = ends.entry(part).or_default();
                    *known = end.max(*known);
                }
                None => self.lose(file, &BadEntry::NoBlock(number), tell),
            }
        }
        ends.into_iter()
            .map(|(part, end)| Ok((beside(file, &part)?, end)))
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

/// A file beside a summary. Some summaries name theirs without an ending.
fn beside(index: &Source, part: &str) -> Result<Source, Failure> {
    let outside = || Failure::Outside { index: index.name.clone(), part: part.to_owned() };
    let folder = index.path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    if is_afar(&index.path) {
        let is_name = !part.contains(['/', '?', '#', '%']) && part != "..";
        let (folder, _) = index.name.rsplit_once('/').filter(|_| is_name).ok_or_else(outside)?;
        return Ok(afar(format!("{folder}/{part}")));
    }
    let names = [part.to_owned(), format!("{part}.gz")];
    let part = names.iter().find(|part| folder.join(part).is_file()).unwrap_or(&names[0]);
    if leads_outside(folder, part) {
        return Err(outside());
    }
    Ok(Source::new(&folder.join(part)).map_err(BadIndex::from)?)
}
