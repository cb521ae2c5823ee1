//! The inputs of a verb: the files of corpora, progress, and damaged records.

use crate::io::console::counted;
use crate::io::console::{complain, progress_target, stop_flag, Stopped};
use crate::io::output::apart;
use anyhow::Result;
use engine::Engine;
use figures::pages::{Failure, Inputs, Progress};
use figures::CorpusPage;
use indicatif::{ProgressBar, ProgressStyle};
pub use inputs::corpus::is_whole;
use inputs::Found;
use records::{Problem, ProblemKind, Source};
use report::JSON;
use sentences::{LearnedPoints, ENOUGH};
use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bytes of memory for the URLs seen so far, in verbs that hold little else.
pub const URL_MEMORY: usize = 256 << 20;

/// Number of problems that are named. The others are only counted.
pub const NAMED_PROBLEMS: u64 = 10;

/// Files with an ending of a corpus that are none: a report, and the description of a data set.
const NO_CORPORA: [&str; 2] = [JSON, "croissant.json"];

/// Returns the files of corpora in order, each once. A file that is named twice is reported on
/// standard error.
///
/// # Errors
/// Fails if one is not there, or a folder holds none.
pub fn all_sources(corpora: &[PathBuf]) -> Result<Vec<Source>> {
    let Found { sources, named_twice } = inputs::all_sources(corpora, &NO_CORPORA)?;
    for name in named_twice {
        eprintln!("corpulyzer: {name}: is named twice, and read once");
    }
    Ok(sources)
}

/// The files of a corpus, as [`inputs::sources`]. A report is not a corpus.
///
/// # Errors
/// Fails if it is not there, or a folder holds none.
pub fn sources(path: &Path) -> Result<Vec<Source>> {
    Ok(inputs::sources(path, &NO_CORPORA)?)
}

/// The pages of corpora, for one verb.
pub struct Pages<'a> {
    /// The verb, for messages.
    pub name: &'a str,
    /// Files and folders.
    pub corpora: &'a [PathBuf],
    /// Reads pages, and counts languages if records have no counts.
    pub engine: &'a Engine,
    /// Folder for temporary files.
    pub folder: &'a Path,
    /// Bytes of memory for the URLs seen so far.
    pub memory: usize,
    /// Longest record, in bytes.
    pub max_bytes: u64,
    /// The outputs, with their options.
    pub outputs: &'a [(&'a Path, &'a str)],
}

impl Pages<'_> {
    /// Passes the pages to `take`, some at a time, each URL once. Shows progress, names the first
    /// problems, and prints at the end how many records were skipped. Returns true if the inputs
    /// are whole, see [`is_whole`]. The first SIGINT or SIGTERM stops the work.
    ///
    /// # Errors
    /// Fails if an input cannot be read or is one of the outputs, `take` fails, or a signal stopped
    /// the work.
    pub fn read(&self, take: &mut dyn FnMut(Vec<CorpusPage>) -> io::Result<()>) -> Result<bool> {
        let files = all_sources(self.corpora)?;
        apart(self.outputs, files.iter().map(|file| file.path.as_path()))?;
        let stop = stop_flag()?;
        let Self { name, engine, folder, memory, max_bytes, .. } = *self;
        let inputs = Inputs { sources: &files, engine, folder, memory, max_bytes, stop: &stop };
        let input = read_through(&files, name, &stop, |tell| inputs.pages(tell, take))?;
        tell_problems(name, &input.problems);
        Ok(is_whole(&input.problems))
    }
}

/// Pages with what their own text says about its full stops.
type Learned<'a> = dyn FnMut(Vec<CorpusPage>, &LearnedPoints) -> io::Result<()> + 'a;

impl Pages<'_> {
    /// [`Pages::read`], with what the first pages in the engine's languages say about their full
    /// stops. These pages are held back until their text is enough to learn from, so that the input
    /// is read once.
    ///
    /// # Errors
    /// As [`Pages::read`].
    pub fn read_learned(&self, take: &mut Learned) -> Result<bool> {
        let languages: Vec<_> = self.engine.settings().targets.iter().collect();
        let (mut held, mut bytes, mut learned) = (Vec::new(), 0, None);
        let is_whole = self.read(&mut |batch| {
            if let Some(points) = &learned {
                return take(batch, points);
            }
            bytes += batch.iter().map(|page| page.text.len()).sum::<usize>();
            held.extend(batch);
            if bytes < ENOUGH {
                return Ok(());
            }
            let points = learned.insert(LearnedPoints::learn(&held, &languages));
            take(mem::take(&mut held), points)
        })?;
        if learned.is_none() {
            let points = LearnedPoints::learn(&held, &languages);
            take(held, &points)?;
        }
        Ok(is_whole)
    }
}

/// Runs a reader of a corpus, shows its progress and names the first problems. Messages name it
/// `name`.
///
/// # Errors
/// Fails if it fails or a signal stopped it, as a sentence.
pub fn read_through<T>(
    sources: &[Source],
    name: &str,
    stop: &AtomicBool,
    read: impl FnOnce(&mut dyn FnMut(Result<Progress, &Problem>)) -> Result<T, Failure>,
) -> Result<T> {
    let progress = progress(sources);
    // Until there is a rate.
    progress.set_style(style("{spinner} {msg}"));
    progress.set_message(name.to_owned());
    let mut named = 0;
    let outcome = read(&mut |news| match news {
        Ok(done) => {
            progress.set_position(done.bytes);
            progress.set_message(format!("{name}: {}", counted(done.records, "record")));
            // The work after reading does not depend on bytes, so a rate would mislead.
            let adding_up = "{spinner} adding up, {elapsed} ({msg})";
            progress.set_style(style(if done.all_read { adding_up } else { template(sources) }));
        }
        Err(problem) => {
            named += 1;
            if named <= NAMED_PROBLEMS {
                complain(&progress, &problem.to_string());
            }
        }
    });
    progress.finish_and_clear();
    match outcome {
        Ok(outcome) if !stop.load(Ordering::Relaxed) => Ok(outcome),
        Ok(_) | Err(Failure::Stopped) => Err(Stopped::without_output()),
        Err(failure) => Err(failure.into()),
    }
}

/// Prints how many records were skipped, and why.
pub fn tell_problems(name: &str, problems: &BTreeMap<ProblemKind, u64>) {
    for (kind, count) in problems {
        eprintln!("corpulyzer: {name}: skipped {}", kind.counted(*count));
    }
}

/// The style of a progress bar.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn bytes(sources: &[Source]) -> Option<u64> {
    sources.iter().map(|source| source.bytes).sum()
}

/// The bar shows bytes and time left for files, and the elapsed time for a pipe.
fn template(sources: &[Source]) -> &'static str {
    match bytes(sources) {
        Some(_) => "{wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left ({msg})",
        None => "{spinner} {bytes}, {bytes_per_sec}, {elapsed} ({msg})",
    }
}

/// A bar with rate and time left, on a terminal only.
pub fn progress(sources: &[Source]) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(bytes(sources), progress_target());
    bar.set_style(style(template(sources)));
    // A batch can take long, and so can the work after the last batch.
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// A line with a message and the elapsed time, on a terminal only, for work of unknown length.
pub fn spinner() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, progress_target());
    bar.set_style(style("{spinner} {msg}, {elapsed}"));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
