//! Main text of every page under a folder.

use crate::counted::counted;
use crate::input;
use crate::place::{folder as parent_of, temporary_file};
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use walkdir::WalkDir;
use webam::{Extractor, Hints, LimitHit, Limits};

/// Longest time spent on a page.
const MAX_TIME: Duration = Duration::from_secs(60);

/// Writes the main text of every `X.html` under `input` to `X.txt` at the same place under `output`, on all cores. `output` must be missing,
/// empty, or made by this verb, see [`Texts`]. Answers
/// false if some file could not be read, decoded or written; each of them is named on standard error. The first SIGINT or
/// SIGTERM lets the pages that are being read come to their end, the second kills.
///
/// # Errors
/// When `input` is no folder that can be read, `output` cannot be made, or a signal stopped the work.
pub fn run(input: &Path, output: &Path, extractor: Extractor, max_bytes: u64) -> Result<bool, String> {
    if !input.is_dir() {
        let what = if input.exists() { "is no folder" } else { "no such folder" };
        return Err(format!("{}: {what} (--in)", input.display()));
    }
    let texts = Texts::open(output)?;
    let stopped = stop_flag().map_err(|error| format!("signals: {error}"))?;
    let (pages, unreadable) = pages(input);
    let begin = Instant::now();
    let progress = progress(pages.len());
    let failed = pages
        .par_iter()
        .progress_with(progress.clone())
        .filter(|_| !stopped.load(Ordering::Relaxed))
        .map(|page| {
            let target = page.strip_prefix(input).unwrap_or(page).with_extension("txt");
            // One page that the extractor chokes on must not cost the others; the panic's own message is on standard error.
            let outcome = catch_unwind(AssertUnwindSafe(|| extract(page, &texts, &target, extractor, max_bytes)))
                .unwrap_or_else(|_| Err(format!("{}: the extractor panicked", page.display())));
            let failed = outcome.is_err();
            match outcome {
                Ok(None) => {}
                Ok(Some(limit)) => {
                    complain(&progress, &format!("{}: {limit}", page.display()));
                }
                Err(message) => complain(&progress, &message),
            }
            failed
        })
        .filter(|&failed| failed)
        .count();
    progress.finish_and_clear();
    for message in &unreadable {
        complain(&progress, message);
    }
    let failed = failed + unreadable.len();
    let seconds = begin.elapsed().as_secs_f64();
    if stopped.load(Ordering::Relaxed) {
        return Err(format!(
            "stopped by a signal after {seconds:.1} s: run it again for all {}",
            counted(pages.len(), "page")
        ));
    }
    eprintln!("corpulyzer: {} in {seconds:.1} s, {failed} failed", counted(pages.len(), "page"));
    Ok(failed == 0)
}

/// True once SIGINT or SIGTERM came; another one then ends the process as if nobody had listened.
pub(crate) fn stop_flag() -> std::io::Result<Arc<AtomicBool>> {
    let stopped = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&stopped))?;
        signal_hook::flag::register(signal, Arc::clone(&stopped))?;
    }
    Ok(stopped)
}

/// Every page under a folder, in order, and what could not be looked into or has no text file of its own.
fn pages(folder: &Path) -> (Vec<PathBuf>, Vec<String>) {
    let (mut pages, mut unreadable) = (Vec::new(), Vec::new());
    let mut texts = HashSet::new();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        match entry {
            Ok(entry) => {
                let is_page = entry.path().extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
                if !is_page || entry.file_type().is_dir() {
                    continue;
                }
                // A pipe might never end.
                if !entry.file_type().is_file() {
                    unreadable.push(format!("{}: is no regular file", entry.path().display()));
                } else if !texts.insert(entry.path().with_extension("")) {
                    unreadable
                        .push(format!("{}: a page of this name but for capitals was read", entry.path().display()));
                } else {
                    pages.push(entry.into_path());
                }
            }
            Err(error) => unreadable.push(error.to_string()),
        }
    }
    (pages, unreadable)
}

/// Writes the kept blocks of a page, a line each. Answers the limit that cut the page short, if any did.
fn extract(
    page: &Path,
    texts: &Texts,
    target: &Path,
    extractor: Extractor,
    max_bytes: u64,
) -> Result<Option<LimitHit>, String> {
    let content = input::read(page, max_bytes)?;
    let decoded = webam::decode(&content, &Hints::default()).map_err(|error| format!("{}: {error}", page.display()))?;
    let limits = Limits { deadline: Some(Instant::now() + MAX_TIME), ..Limits::default() };
    let parsed = webam::parse_for(extractor, &decoded.text, &limits);
    drop(decoded);
    drop(content);
    let verdicts = webam::classify(&parsed, extractor);
    let kept = parsed.blocks().iter().zip(&verdicts).filter(|(_, verdict)| verdict.kept);
    let text: String = kept.flat_map(|(block, _)| [parsed.text_of(block), "\n"]).collect();
    texts.write(target, text.as_bytes())?;
    Ok(parsed.limit)
}

/// Name of the list of the files that this verb wrote into a folder. It marks the folder as one of this verb.
const LIST: &str = ".corpulyzer-extract";

/// How the list begins. Each entry ends with a zero byte, which no file name has.
const HEAD: &[u8] = b"Files that `corpulyzer extract` wrote. It replaces no others.\n\0";

/// The folder of the texts. A file that another program put there is not replaced, and nothing outside the folder is written.
struct Texts {
    folder: PathBuf,
    /// Files of an earlier run.
    written: HashSet<PathBuf>,
    list: Mutex<File>,
}

impl Texts {
    /// Opens a folder that is missing, empty, or one that this verb made.
    ///
    /// # Errors
    /// When it is another folder, or cannot be written.
    fn open(folder: &Path) -> Result<Self, String> {
        let failed = |error: io::Error| format!("{}: {error} (--out)", folder.display());
        fs::create_dir_all(folder).map_err(failed)?;
        let list = folder.join(LIST);
        let mut written = HashSet::new();
        let list = if fs::symlink_metadata(&list).is_ok_and(|metadata| metadata.is_file()) {
            let content = fs::read(&list).map_err(failed)?;
            let Some(entries) = content.strip_prefix(HEAD) else {
                return Err(format!("{}: is no list of texts; name another folder (--out)", list.display()));
            };
            written.extend(entries.split(|&byte| byte == 0).map(path_of));
            OpenOptions::new().append(true).open(&list)
        } else {
            if fs::read_dir(folder).map_err(failed)?.next().is_some() {
                return Err(format!(
                    "{}: is not empty and was not made by `extract`; name another folder (--out)",
                    folder.display()
                ));
            }
            OpenOptions::new().append(true).create_new(true).open(&list).and_then(|mut file| {
                file.write_all(HEAD)?;
                Ok(file)
            })
        };
        Ok(Self { folder: folder.to_owned(), written, list: Mutex::new(list.map_err(failed)?) })
    }

    /// Writes a file so that nobody ever sees half of it: beside its place, then by rename.
    ///
    /// # Errors
    /// When it cannot be written, or another program put a file there.
    fn write(&self, name: &Path, content: &[u8]) -> Result<(), String> {
        let file = self.folder.join(name);
        let failed = |error: io::Error| format!("{}: {error}", file.display());
        let mut folder = self.folder.clone();
        for part in parent_of(name) {
            folder.push(part);
            match fs::create_dir(&folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
                _ => {}
            }
            if fs::symlink_metadata(&folder).map_err(failed)?.is_symlink() {
                return Err(format!("{}: {} is a symlink, which is not followed", file.display(), folder.display()));
            }
        }
        if !self.written.contains(name) {
            if fs::symlink_metadata(&file).is_ok() {
                return Err(format!("{}: was not written by `extract`, so it is not replaced", file.display()));
            }
            let entry = [name.as_os_str().as_encoded_bytes(), b"\0"].concat();
            let mut list = self.list.lock().map_err(|_| format!("{}: the list of texts is lost", file.display()))?;
            list.write_all(&entry).map_err(failed)?;
        }
        let mut beside = temporary_file(&folder).map_err(failed)?;
        beside.write_all(content).map_err(failed)?;
        beside.persist(&file).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// The path that an entry of the list is.
#[cfg(unix)]
fn path_of(entry: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(entry))
}

#[cfg(not(unix))]
fn path_of(entry: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(entry).into_owned())
}

/// A bar with rate and time left, on a terminal only.
fn progress(pages: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} pages, {per_sec}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(pages as u64), ProgressDrawTarget::stderr()).with_style(style)
}

/// A line on standard error that the bar does not overwrite.
pub(crate) fn complain(progress: &ProgressBar, message: &str) {
    progress.suspend(|| eprintln!("corpulyzer: {message}"));
}
