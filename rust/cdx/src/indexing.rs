//! Indexes of many WARC files at once, one thread for each file.

use crate::warc::{self, Failure, Sink, Wanted};
use crate::{surt, Line, Sorter};
use figures::removals::is_left_out;
use rayon::prelude::*;
use records::{Problem, ProblemKind, Source};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Mutex;

/// Bytes of lines that the reader of a file keeps before it passes them to the sorter.
const BATCH: usize = 1 << 18;

/// Why files get no names in an index.
#[derive(Debug, thiserror::Error)]
pub enum BadName {
    /// The file is not there.
    #[error("{path}: {error}", path = path.display())]
    Missing {
        /// Path that the user named.
        path: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// The file is not in the folder that contains all of them.
    #[error("{name}: is not in {root} (--root)", root = root.display())]
    Outside {
        /// Path that the user named.
        name: String,
        /// Folder that names in the index begin at.
        root: PathBuf,
    },
    /// An index is UTF-8.
    #[error("{0}: the name is not UTF-8")]
    NoText(String),
    /// Another file has the name.
    #[error(
        "{name}: {other} has the same name, so the index could not distinguish them; \
         name a folder that contains both (--root)",
        other = other.display()
    )]
    Twice {
        /// Name that both would have in the index.
        name: String,
        /// The other file.
        other: PathBuf,
    },
}

/// Returns the names of files in an index: their paths in the folder `root`, or else their last
/// parts.
///
/// # Errors
/// Fails if two files have the same name, or one has none in the folder.
pub fn names(files: &[Source], root: Option<&Path>) -> Result<Vec<String>, BadName> {
    let real = |path: &Path| {
        path.canonicalize().map_err(|error| BadName::Missing { path: path.to_owned(), error })
    };
    let root = root.map(|root| real(root).map(|real| (real, root))).transpose()?;
    let mut paths: HashMap<String, PathBuf> = HashMap::new();
    let mut names = Vec::new();
    for file in files {
        let path = real(&file.path)?;
        let name = match &root {
            Some((real, root)) => path.strip_prefix(real).map_err(|_| BadName::Outside {
                name: file.name.clone(),
                root: (*root).to_owned(),
            })?,
            None => Path::new(file.path.file_name().unwrap_or_default()),
        };
        let name = name.to_str().ok_or_else(|| BadName::NoText(file.name.clone()))?.to_owned();
        let other = paths.insert(name.clone(), path.clone()).filter(|other| *other != path);
        if let Some(other) = other {
            return Err(BadName::Twice { name: file.name.clone(), other });
        }
        names.push(name);
    }
    Ok(names)
}

/// A report to the caller while files are indexed.
#[derive(Debug)]
pub enum News<'a> {
    /// More was read.
    Progress {
        /// Bytes of the files so far.
        bytes: u64,
        /// Records in the index so far.
        lines: u64,
    },
    /// A damaged record is skipped.
    Problem(&'a Problem),
    /// A file is left out or is cut off.
    Unusable {
        /// Name of the file in the index.
        name: &'a str,
        /// Why the rest of the file is not read.
        why: &'a Failure,
    },
}

/// Why an index cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum NoIndex {
    /// A file cannot be read.
    #[error("{name}: {error}")]
    File {
        /// Name of the file in the index.
        name: String,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// A temporary file cannot be written.
    #[error("temporary files in {}: {error}", folder.display())]
    Scratch {
        /// The folder of the temporary files.
        folder: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// A thread that reads a file panicked.
    #[error("a reader panicked")]
    Panicked,
}

/// Lines of an index, and what was left out of it.
pub struct Index {
    sorter: Sorter,
    /// Number of lines.
    pub lines: u64,
    /// Damaged records by their kinds.
    pub problems: BTreeMap<ProblemKind, u64>,
    /// Files that could not be indexed to their ends.
    pub failed: u64,
}

impl Index {
    /// Writes the lines, sorted.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read or the output cannot be written.
    pub fn write(self, out: &mut impl Write) -> io::Result<()> {
        self.sorter.finish(out)
    }
}

/// Reads files on all cores.
struct Work<'a> {
    wanted: &'a Wanted,
    index: Mutex<Index>,
    read: AtomicU64,
    stop: &'a AtomicBool,
    tell: &'a (dyn Fn(News) + Sync),
}

/// Indexes files, each under its name in `files`. Once `stop` is set, it returns what there is.
///
/// # Errors
/// Fails if a file cannot be read or a temporary one cannot be written.
pub fn index(
    files: &[(Source, String)],
    wanted: &Wanted,
    sorter: Sorter,
    stop: &AtomicBool,
    tell: &(dyn Fn(News) + Sync),
) -> Result<Index, NoIndex> {
    let index = Index { sorter, lines: 0, problems: BTreeMap::new(), failed: 0 };
    let (index, read) = (Mutex::new(index), AtomicU64::new(0));
    let work = Work { wanted, index, read, stop, tell };
    files.par_iter().try_for_each(|(file, name)| work.file(file, name))?;
    work.index.into_inner().map_err(|_| NoIndex::Panicked)
}

impl Work<'_> {
    /// Passes the lines of a file to the sorter.
    fn file(&self, file: &Source, name: &str) -> Result<(), NoIndex> {
        let unreadable = |error| NoIndex::File { name: file.name.clone(), error };
        let opened = File::open(&file.path).map_err(unreadable)?;
        let mut batch: Vec<String> = Vec::new();
        let (mut held, mut given) = (0, Ok(()));
        let mut take = |found: Result<warc::Record, Problem>| -> io::Result<()> {
            let Ok(record) = found.map_err(|problem| self.problem(&problem)) else {
                return Ok(());
            };
            let line = Line { filename: name.to_owned(), ..record.line };
            let url = line.url.as_deref().unwrap_or_default();
            if is_left_out(url, "") {
                return Ok(());
            }
            let line = line.text(&surt::key(url), &record.timestamp);
            held += line.len();
            batch.push(line);
            if held > BATCH {
                held = 0;
                given = self.give(&mut batch);
                // It ends the reading of the file. The error that counts is in `given`.
                given.as_ref().map_err(|_| io::Error::other("stopped"))?;
            }
            Ok(())
        };
        let sink =
            &mut Sink { name: &file.name, read: &self.read, stop: self.stop, take: &mut take };
        let outcome = warc::records(opened, self.wanted, sink);
        given?;
        let given = self.give(&mut batch);
        match outcome {
            Ok(()) | Err(Failure::Stopped) => given,
            Err(Failure::Io(error)) => Err(unreadable(error)),
            Err(why) => {
                (self.tell)(News::Unusable { name: &file.name, why: &why });
                if let Ok(mut index) = self.index.lock() {
                    index.failed += 1;
                }
                Ok(())
            }
        }
    }

    fn give(&self, batch: &mut Vec<String>) -> Result<(), NoIndex> {
        let mut index = self.index.lock().map_err(|_| NoIndex::Panicked)?;
        index.lines += batch.len() as u64;
        let added = batch.drain(..).try_for_each(|line| index.sorter.add(line.as_bytes()));
        let folder = index.sorter.folder();
        added.map_err(|error| NoIndex::Scratch { folder: folder.to_owned(), error })?;
        let bytes = self.read.load(Ordering::Relaxed);
        (self.tell)(News::Progress { bytes, lines: index.lines });
        Ok(())
    }

    fn problem(&self, problem: &Problem) {
        if let Ok(mut index) = self.index.lock() {
            *index.problems.entry(problem.kind()).or_default() += 1;
            (self.tell)(News::Problem(problem));
        }
    }
}
