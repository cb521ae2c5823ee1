//! Indexes WARC files.

use crate::arguments::{mebibytes, whole};
use crate::context::Context;
use crate::io::console::{complain, counted, stop_flag, Stopped};
use crate::io::corpora::{is_whole, progress, sources, tell_problems, NAMED_PROBLEMS};
use crate::io::output::{apart, settle, Place};
use ::cdx::warc::{records, Failure, Sink, Wanted};
use ::cdx::{surt, Line, Sorter};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use figures::removals::is_left_out;
use indicatif::ProgressBar;
use inputs::{BadInput, Unusable};
use rayon::prelude::*;
use records::{Problem, ProblemKind, Source};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Mutex;

/// Bytes of lines that the reader of a file keeps before it passes them to the sorter.
const BATCH: usize = 1 << 18;

/// Index WARC files (CDXJ) for replay with pywb and other tools
#[derive(Args)]
pub struct Arguments {
    /// WARC files, plain or with one gzip member per record; or folders of them
    #[arg(required = true, value_name = "WARC")]
    files: Vec<PathBuf>,
    /// File for the index. An old file is replaced after the new one is complete. - is standard
    /// output
    #[arg(long, default_value = "-", value_name = "FILE")]
    out: PathBuf,
    /// Folder that contains all the files. The index then has their paths in this folder instead of
    /// their names alone
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Types of the records to index, separated by commas, or all [default: response, revisit,
    /// resource, and metadata records except lists of fields]
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = record_type)]
    records: Option<Vec<String>>,
    /// Memory for lines, in MiB. More data goes to temporary files
    #[arg(long, default_value_t = 256, value_name = "MIB")]
    #[arg(value_parser = whole::<u64>(1..=1 << 20))]
    memory: u64,
}

/// Stands for all types of records.
const ALL: &str = "all";

/// The types of records of WARC 1.1.
const TYPES: [&str; 8] = [
    "warcinfo",
    "response",
    "resource",
    "request",
    "metadata",
    "revisit",
    "conversion",
    "continuation",
];

/// Reads a type of records.
fn record_type(text: &str) -> Result<String> {
    if text != ALL && !TYPES.contains(&text) {
        bail!("allowed are {} and {ALL}", TYPES.join(", "));
    }
    Ok(text.to_owned())
}

/// State that all readers share.
struct Shared {
    sorter: Sorter,
    lines: u64,
    problems: BTreeMap<ProblemKind, u64>,
    /// Files that could not be indexed.
    failed: u64,
}

/// Writes an index of WARC files. Returns false if a file could not be indexed or is cut off (a
/// message names it). The index then gets a name beside its place, as in all verbs. Damaged records
/// are named and skipped. The first SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// Fails if a file cannot be read, none can be indexed, the index cannot be written, or a signal
/// stopped the work.
pub fn run(arguments: &Arguments, _: &Context) -> Result<bool> {
    let mut files = Vec::new();
    for path in &arguments.files {
        files.extend(warc_files(path)?);
    }
    apart(&[(&arguments.out, "--out")], files.iter().map(|file| &*file.path))?;
    let place = Place::plain(&arguments.out, "--out")?;
    let names = names(&files, arguments.root.as_deref())?;
    let sorter = Sorter::new(place.folder(), mebibytes(arguments.memory));
    let stop = stop_flag()?;
    let (progress, read) = (progress(&files), AtomicU64::new(0));
    let shared = Shared { sorter, lines: 0, problems: BTreeMap::new(), failed: 0 };
    let shared = Mutex::new(shared);
    let wanted = match &arguments.records {
        None => Wanted::Replayed,
        Some(types) if types.iter().any(|kind| kind == ALL) => Wanted::All,
        Some(types) => Wanted::Types(types.clone()),
    };
    let work = Work { wanted, shared: &shared, progress: &progress, read: &read, stop: &stop };
    let outcome = files.par_iter().zip(&names).try_for_each(|(file, name)| work.file(file, name));
    progress.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        return Err(Stopped::without_output());
    }
    outcome?;
    let shared = shared.into_inner().map_err(|_| anyhow!("a reader panicked"))?;
    tell_problems("cdx", &shared.problems);
    if shared.lines == 0 {
        bail!("no record could be indexed; nothing was written");
    }
    let (lines, failed) = (shared.lines, shared.failed);
    let whole = failed == 0 && is_whole(&shared.problems);
    let place = settle(place, whole)?;
    let (mut out, file) = place.create()?;
    let written = shared.sorter.finish(&mut out).and_then(|()| out.finish());
    written.map_err(|error| place.failed(error))?;
    place.put(file)?;
    note!(
        "corpulyzer: {} of {}",
        counted(lines, "record"),
        counted(files.len() as u64 - failed, "file")
    );
    Ok(whole)
}

/// The WARC files of a path. Of a folder, files with an ending of WARC files.
fn warc_files(path: &Path) -> Result<Vec<Source>> {
    if path == Path::new("-") {
        bail!("standard input cannot be indexed, because an index names files; allowed are files and folders");
    }
    let is_empty = |bad: &BadInput| matches!(bad.reason(), Unusable::NoCorpus);
    let all = match sources(path) {
        // A folder without any corpus has no WARC files either; other corpora are not indexed.
        Err(bad) if bad.downcast_ref().is_some_and(is_empty) => Vec::new(),
        found => found?,
    };
    if !path.is_dir() {
        return Ok(all);
    }
    let is_warc = |file: &Source| {
        let name = file.name.strip_suffix(".gz").unwrap_or(&file.name);
        name.ends_with(".warc") || name.ends_with(".wet")
    };
    let files: Vec<Source> = all.into_iter().filter(is_warc).collect();
    if files.is_empty() {
        bail!(
            "{}: holds no WARC files; allowed are *.warc and *.wet, each also with .gz",
            path.display()
        );
    }
    Ok(files)
}

/// The names of the files in the index.
fn names(files: &[Source], root: Option<&Path>) -> Result<Vec<String>> {
    let real =
        |path: &Path| path.canonicalize().map_err(|error| anyhow!("{}: {error}", path.display()));
    let root = root.map(|root| real(root).map(|real| (real, root))).transpose()?;
    let mut paths: HashMap<String, PathBuf> = HashMap::new();
    let mut names = Vec::new();
    for file in files {
        let path = real(&file.path)?;
        let name = match &root {
            Some((real, root)) => path
                .strip_prefix(real)
                .map_err(|_| anyhow!("{}: is not in {} (--root)", file.name, root.display()))?,
            None => Path::new(file.path.file_name().unwrap_or_default()),
        };
        let name = name
            .to_str()
            .ok_or_else(|| anyhow!("{}: the name is not UTF-8", file.name))?
            .to_owned();
        if let Some(other) = paths.insert(name.clone(), path.clone()).filter(|other| *other != path)
        {
            bail!(
                "{}: {} has the same name, so the index could not distinguish them; name a folder that contains both (--root)",
                file.name,
                other.display()
            );
        }
        names.push(name);
    }
    Ok(names)
}

/// Reads files on all cores.
struct Work<'a> {
    wanted: Wanted,
    shared: &'a Mutex<Shared>,
    progress: &'a ProgressBar,
    read: &'a AtomicU64,
    stop: &'a AtomicBool,
}

impl Work<'_> {
    /// Passes the lines of a file to the sorter.
    fn file(&self, file: &Source, name: &str) -> Result<()> {
        let opened = File::open(&file.path).map_err(|error| anyhow!("{}: {error}", file.name))?;
        let mut batch: Vec<String> = Vec::new();
        let mut held = 0;
        let mut take = |found: Result<::cdx::warc::Record, Problem>| -> io::Result<()> {
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
                self.give(&mut batch)?;
            }
            Ok(())
        };
        let sink =
            &mut Sink { name: &file.name, read: self.read, stop: self.stop, take: &mut take };
        let outcome = records(opened, &self.wanted, sink);
        let given = self.give(&mut batch);
        match outcome {
            Ok(()) | Err(Failure::Stopped) => {
                given.map_err(|error| anyhow!("temporary files: {error}"))
            }
            Err(Failure::Io(error)) => Err(anyhow!("{}: {error}", file.name)),
            Err(unusable) => {
                complain(self.progress, &format!("{}: {unusable}", file.name));
                if let Ok(mut shared) = self.shared.lock() {
                    shared.failed += 1;
                }
                Ok(())
            }
        }
    }

    fn give(&self, batch: &mut Vec<String>) -> io::Result<()> {
        let mut shared = self.shared.lock().map_err(|_| io::Error::other("a reader panicked"))?;
        shared.lines += batch.len() as u64;
        batch.drain(..).try_for_each(|line| shared.sorter.add(line.as_bytes()))?;
        self.progress.set_position(self.read.load(Ordering::Relaxed));
        self.progress.set_message(format!("cdx: {} records", shared.lines));
        Ok(())
    }

    fn problem(&self, problem: &Problem) {
        let Ok(mut shared) = self.shared.lock() else { return };
        let named: u64 = shared.problems.values().sum();
        *shared.problems.entry(problem.kind).or_default() += 1;
        if named < NAMED_PROBLEMS {
            complain(self.progress, &problem.to_string());
        }
    }
}
