//! An index of WARC files, and the records that it names.

use crate::counted::counted;
use crate::extract::{complain, stop_flag};
use crate::place::{apart, folder, Place};
use crate::reading::{is_whole, progress, sources, tell_problems, NAMED_PROBLEMS};
use ::cdx::warc::{records, Failure, Told, Wanted, Whole};
use ::cdx::{search, surt, Line, Sorter};
use indicatif::ProgressBar;
use rayon::prelude::*;
use records::{Problem, ProblemKind, Source};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Mutex;

/// Bytes of lines that one file's reader keeps before it gives them to the sorter.
const BATCH: usize = 1 << 18;

/// What is asked for of an index.
pub struct Asked<'a> {
    /// WARC files and folders of them.
    pub files: &'a [PathBuf],
    /// File for the index; without it standard output.
    pub out: Option<&'a Path>,
    /// Folder that the names of files begin in; without it names have no folder.
    pub root: Option<&'a Path>,
    /// Which records.
    pub wanted: Wanted,
    /// Bytes of memory for lines.
    pub memory: usize,
}

/// What all readers share.
struct Shared {
    sorter: Sorter,
    lines: u64,
    problems: BTreeMap<ProblemKind, u64>,
    /// Files that could not be indexed.
    failed: u64,
}

/// Writes an index of WARC files. Answers false if a file could not be indexed or is cut short, which was told: the index is then put beside its
/// place, as all verbs do. Damaged records are named and skipped. The first SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// When a file cannot be read, none can be indexed, the index cannot be written, or a signal stopped the work.
pub fn run(asked: &Asked) -> Result<bool, String> {
    let mut files = Vec::new();
    for path in asked.files {
        files.extend(warc_files(path)?);
    }
    apart(&asked.out.map(|out| (out, "--out")).into_iter().collect::<Vec<_>>(), files.iter().map(|file| &*file.path))?;
    let place = asked.out.map(|out| Place::new(out, "--out")).transpose()?;
    let names = names(&files, asked.root)?;
    let temporary = std::env::temp_dir();
    let sorter = Sorter::new(place.as_ref().map_or(&temporary, Place::folder), asked.memory);
    let stop = stop_flag().map_err(|error| format!("signals: {error}"))?;
    let (progress, read) = (progress(&files), AtomicU64::new(0));
    let shared = Shared { sorter, lines: 0, problems: BTreeMap::new(), failed: 0 };
    let shared = Mutex::new(shared);
    let work = Work { asked, shared: &shared, progress: &progress, read: &read, stop: &stop };
    let outcome = files.par_iter().zip(&names).try_for_each(|(file, name)| work.file(file, name));
    progress.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        return Err("stopped by a signal; nothing was written".to_owned());
    }
    outcome?;
    let shared = shared.into_inner().map_err(|_| "a reader panicked".to_owned())?;
    tell_problems("cdx", &shared.problems);
    if shared.lines == 0 {
        return Err("no record could be indexed; nothing was written".to_owned());
    }
    let (lines, failed) = (shared.lines, shared.failed);
    let whole = failed == 0 && is_whole(&shared.problems);
    match place {
        Some(place) => {
            let place = place.settle(whole)?;
            let mut file = place.begin()?;
            let mut out = BufWriter::new(file.as_file_mut());
            shared.sorter.finish(&mut out).and_then(|()| out.flush()).map_err(|error| place.failed(&error))?;
            drop(out);
            place.put(file)?;
        }
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            match shared.sorter.finish(&mut out).and_then(|()| out.flush()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    return Err(format!("standard output: {error}"))
                }
                _ => {}
            }
        }
    }
    eprintln!("corpulyzer: {} of {}", counted(lines, "record"), counted(files.len() as u64 - failed, "file"));
    Ok(whole)
}

/// The WARC files of a path; of a folder those whose names end as WARC files' do.
fn warc_files(path: &Path) -> Result<Vec<Source>, String> {
    if path == Path::new("-") {
        return Err("standard input has no places that an index could name; allowed are files".to_owned());
    }
    let all = sources(path)?;
    if !path.is_dir() {
        return Ok(all);
    }
    let is_warc = |file: &Source| {
        let name = file.name.strip_suffix(".gz").unwrap_or(&file.name);
        name.ends_with(".warc") || name.ends_with(".wet")
    };
    let files: Vec<Source> = all.into_iter().filter(is_warc).collect();
    if files.is_empty() {
        return Err(format!(
            "{}: holds no WARC files; allowed are *.warc and *.wet, each also with .gz",
            path.display()
        ));
    }
    Ok(files)
}

/// What the index calls the files.
fn names(files: &[Source], root: Option<&Path>) -> Result<Vec<String>, String> {
    let real = |path: &Path| path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
    let root = root.map(|root| real(root).map(|real| (real, root))).transpose()?;
    let mut paths: HashMap<String, PathBuf> = HashMap::new();
    let mut names = Vec::new();
    for file in files {
        let path = real(&file.path)?;
        let name = match &root {
            Some((real, root)) => {
                path.strip_prefix(real).map_err(|_| format!("{}: is not in {} (--root)", file.name, root.display()))?
            }
            None => Path::new(file.path.file_name().unwrap_or_default()),
        };
        let name = name.to_str().ok_or_else(|| format!("{}: the name is no UTF-8", file.name))?.to_owned();
        if let Some(other) = paths.insert(name.clone(), path.clone()).filter(|other| *other != path) {
            return Err(format!(
                "{}: {} has the same name, so the index could not tell them apart; name a folder that both are in (--root)",
                file.name,
                other.display()
            ));
        }
        names.push(name);
    }
    Ok(names)
}

/// Reading files, on all cores.
struct Work<'a> {
    asked: &'a Asked<'a>,
    shared: &'a Mutex<Shared>,
    progress: &'a ProgressBar,
    read: &'a AtomicU64,
    stop: &'a AtomicBool,
}

impl Work<'_> {
    /// Gives the lines of a file to the sorter.
    fn file(&self, file: &Source, name: &str) -> Result<(), String> {
        let opened = File::open(&file.path).map_err(|error| format!("{}: {error}", file.name))?;
        let mut batch: Vec<String> = Vec::new();
        let mut held = 0;
        let mut take = |found: Result<::cdx::warc::Record, Problem>| -> io::Result<()> {
            let record = match found {
                Ok(record) => record,
                Err(problem) => {
                    self.problem(&problem);
                    return Ok(());
                }
            };
            let line = Line { filename: name.to_owned(), ..record.line };
            let line = line.text(&surt::key(line.url.as_deref().unwrap_or_default()), &record.timestamp);
            held += line.len();
            batch.push(line);
            if held > BATCH {
                held = 0;
                self.give(&mut batch)?;
            }
            Ok(())
        };
        let told = &mut Told { name: &file.name, read: self.read, stop: self.stop, take: &mut take };
        let outcome = records(opened, &self.asked.wanted, told);
        let given = self.give(&mut batch);
        match outcome {
            Ok(()) | Err(Failure::Stopped) => given.map_err(|error| format!("temporary files: {error}")),
            Err(Failure::Unusable(what)) => {
                complain(self.progress, &format!("{}: {what}", file.name));
                if let Ok(mut shared) = self.shared.lock() {
                    shared.failed += 1;
                }
                Ok(())
            }
            Err(Failure::Io(error)) => Err(format!("{}: {error}", file.name)),
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

/// What is asked for of a lookup.
pub struct Sought<'a> {
    /// The page's address.
    pub url: &'a str,
    /// The index.
    pub index: &'a Path,
    /// Digits of the time that is wanted; without it the latest.
    pub at: Option<&'a str>,
    /// Folder with the WARC files; without it the index's.
    pub root: Option<&'a Path>,
    /// Whether files outside that folder are read too.
    pub outside: bool,
    /// What is printed.
    pub print: Print,
}

/// What a lookup prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Print {
    /// The page.
    Payload,
    /// The WARC record.
    Record,
    /// The lines of the index, of all times.
    Lines,
}

/// Prints what an index has of an address.
///
/// # Errors
/// When it has none, or the WARC file is not as the index says.
pub fn lookup(sought: &Sought, max_bytes: u64) -> Result<bool, String> {
    let name = sought.index.display();
    let failed = |error: io::Error| format!("{name}: {error}");
    let mut index = BufReader::new(regular(sought.index).map_err(failed)?);
    let key = surt::key(sought.url);
    let found = search::find(&mut index, &key).map_err(failed)?;
    if found.is_empty() {
        return Err(format!("{name}: has no record of {} (key {key})", sought.url));
    }
    if sought.print == Print::Lines {
        return write(&found.iter().flat_map(|line| [line, "\n"]).collect::<String>().into_bytes());
    }
    let mut lines = Vec::new();
    for text in &found {
        let (_, timestamp, line) = Line::parse(text).ok_or_else(|| format!("{name}: a line of {key} is no CDXJ"))?;
        lines.push((timestamp, line));
    }
    let Some((timestamp, line)) = nearest(&lines, sought.at) else {
        return Err(format!("{name}: has no time of {key}"));
    };
    let (timestamp, line) = match sought.print {
        Print::Payload => replayed(&lines, timestamp, line)?,
        _ => (timestamp, line),
    };
    let root = sought.root.unwrap_or_else(|| folder(sought.index));
    let path = root.join(&line.filename);
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{name}: {text} is no place in a file"));
    let (offset, length) = (number(&line.offset)?, number(&line.length)?);
    // An index of somebody else may name any file of this machine.
    if !sought.outside && leads_outside(root, &line.filename) {
        return Err(format!(
            "{name}: names the file {}, which is not in {}; name the folder of the WARC files (--root), or allow other folders (--outside)",
            line.filename,
            root.display()
        ));
    }
    let file = regular(&path)
        .map_err(|error| format!("{}: {error}; name the folder of the WARC files (--root)", path.display()))?;
    let whole = Whole::read(file, offset, length, max_bytes).map_err(|what| format!("{}: {what}", path.display()))?;
    if whole.url != line.url || whole.timestamp.as_deref() != Some(timestamp) {
        let what = "is of another page or time than the index says: it is not the file that was indexed";
        return Err(format!("{}: the record at byte {offset} {what}", path.display()));
    }
    eprintln!("corpulyzer: {} of {timestamp}, {} at byte {offset}", line.url.as_deref().unwrap_or("-"), path.display());
    match sought.print {
        Print::Payload => write(&whole.payload(max_bytes)),
        _ => write(&whole.bytes),
    }
}

/// Whether a name of an index leads out of a folder: as an absolute path, by `..`, or by a symlink. A file that is missing does not.
fn leads_outside(root: &Path, name: &str) -> bool {
    if !Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return true;
    }
    match (root.canonicalize(), root.join(name).canonicalize()) {
        (Ok(root), Ok(file)) => !file.starts_with(root),
        _ => false,
    }
}

/// Opens a regular file. To open a pipe would wait for a writer.
fn regular(path: &Path) -> io::Result<File> {
    let is_file = |metadata: Metadata| match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("is no regular file")),
    };
    is_file(fs::metadata(path)?)?;
    let file = File::open(path)?;
    is_file(file.metadata()?)?;
    Ok(file)
}

/// The line whose time is next to the one that is wanted.
fn nearest<'a>(lines: &'a [(&'a str, Line)], at: Option<&str>) -> Option<(&'a str, &'a Line)> {
    let number = |digits: &str| format!("{digits:0<14}").parse::<u64>().unwrap_or(0);
    let lines = lines.iter().map(|(timestamp, line)| (*timestamp, line));
    match at {
        // Digits of a time are no number of seconds, but of two neighbours the nearer one by them is near enough.
        Some(at) => lines.min_by_key(|(timestamp, _)| number(timestamp).abs_diff(number(at))),
        None => lines.max_by_key(|(timestamp, _)| number(timestamp)),
    }
}

/// The line of the record that holds the page: of a page that was not stored again, that of the earlier one with the same digest.
fn replayed<'a>(
    lines: &'a [(&'a str, Line)],
    timestamp: &'a str,
    line: &'a Line,
) -> Result<(&'a str, &'a Line), String> {
    let is_revisit = |line: &Line| line.mime.as_deref() == Some("warc/revisit");
    if !is_revisit(line) {
        return Ok((timestamp, line));
    }
    let same =
        lines.iter().rev().find(|(_, one)| !is_revisit(one) && one.digest.is_some() && one.digest == line.digest);
    same.map(|(timestamp, line)| (*timestamp, line)).ok_or_else(|| {
        format!(
            "{} of {timestamp} is a revisit, whose page is in a record of another address or index; see it with --record",
            line.url.as_deref().unwrap_or("-")
        )
    })
}

fn write(bytes: &[u8]) -> Result<bool, String> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(true),
    }
}
