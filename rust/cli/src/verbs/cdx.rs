//! Indexes WARC files.

use crate::arguments::{mebibytes, whole};
use crate::context::Context;
use crate::io::console::{complain, counted, stop_flag, Stopped};
use crate::io::corpora::{is_whole, progress, sources, tell_problems, NAMED_PROBLEMS};
use crate::io::output::{apart, settle, FilePlace};
use ::cdx::indexing::{self, News};
use ::cdx::warc::Wanted;
use ::cdx::Sorter;
use anyhow::{bail, Result};
use clap::Args;
use inputs::{BadInput, Unusable};
use records::Source;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

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
    let place = FilePlace::plain(&arguments.out, "--out")?;
    let names = indexing::names(&files, arguments.root.as_deref())?;
    let wanted = match &arguments.records {
        None => Wanted::Replayed,
        Some(types) if types.iter().any(|kind| kind == ALL) => Wanted::All,
        Some(types) => Wanted::Types(types.clone()),
    };
    let progress = progress(&files);
    let files: Vec<(Source, String)> = files.into_iter().zip(names).collect();
    let sorter = Sorter::new(place.folder(), mebibytes(arguments.memory));
    let stop = stop_flag()?;
    let named = AtomicU64::new(0);
    let outcome = indexing::index(&files, &wanted, sorter, &stop, &|news| match news {
        News::Progress { bytes, lines } => {
            progress.set_position(bytes);
            progress.set_message(format!("cdx: {lines} records"));
        }
        News::Problem(problem) => {
            if named.fetch_add(1, Ordering::Relaxed) < NAMED_PROBLEMS {
                complain(&progress, &problem.to_string());
            }
        }
        News::Unusable { name, why } => complain(&progress, &format!("{name}: {why}")),
    });
    progress.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        return Err(Stopped::without_output());
    }
    let index = outcome?;
    tell_problems("cdx", &index.problems);
    if index.lines == 0 {
        bail!("no record could be indexed; nothing was written");
    }
    let (lines, failed) = (index.lines, index.failed);
    let whole = failed == 0 && is_whole(&index.problems);
    let place = settle(place, whole)?;
    let (mut out, file) = place.create()?;
    let written = index.write(&mut out).and_then(|()| out.finish());
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
