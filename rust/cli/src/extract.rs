//! Main text of every page under a folder.

use crate::counted::counted;
use crate::input;
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::collections::HashSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use walkdir::WalkDir;
use webam::{Extractor, Hints, LimitHit, Limits};

/// Longest time spent on a page.
const MAX_TIME: Duration = Duration::from_secs(60);

/// Writes the main text of every `X.html` under `input` to `X.txt` at the same place under `output`, on all cores. Answers
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
    fs::create_dir_all(output).map_err(|error| format!("{}: {error} (--out)", output.display()))?;
    let stopped = stop_flag().map_err(|error| format!("signals: {error}"))?;
    let (pages, unreadable) = pages(input);
    let begin = Instant::now();
    let progress = progress(pages.len());
    let failed = pages
        .par_iter()
        .progress_with(progress.clone())
        .filter(|_| !stopped.load(Ordering::Relaxed))
        .map(|page| {
            let target = output.join(page.strip_prefix(input).unwrap_or(page)).with_extension("txt");
            // One page that the extractor chokes on must not cost the others; the panic's own message is on standard error.
            let outcome = catch_unwind(|| extract(page, &target, extractor, max_bytes))
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
fn extract(page: &Path, target: &Path, extractor: Extractor, max_bytes: u64) -> Result<Option<LimitHit>, String> {
    let content = input::read(page, max_bytes)?;
    let decoded = webam::decode(&content, &Hints::default()).map_err(|error| format!("{}: {error}", page.display()))?;
    let limits = Limits { deadline: Some(Instant::now() + MAX_TIME), ..Limits::default() };
    let parsed = webam::parse_for(extractor, &decoded.text, &limits);
    drop(decoded);
    drop(content);
    let verdicts = webam::classify(&parsed, extractor);
    let kept = parsed.blocks().iter().zip(&verdicts).filter(|(_, verdict)| verdict.kept);
    let text: String = kept.flat_map(|(block, _)| [parsed.text_of(block), "\n"]).collect();
    replace(target, text.as_bytes()).map_err(|error| format!("{}: {error}", target.display()))?;
    Ok(parsed.limit)
}

/// Writes a file so that nobody ever sees half of it: beside its place, then by rename.
fn replace(file: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut beside = file.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let written = fs::write(&beside, content).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        // What is left of it is of no use to anybody; the error that counts is the first one.
        let _ = fs::remove_file(&beside);
    }
    written
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
