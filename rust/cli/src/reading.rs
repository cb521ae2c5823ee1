//! Corpora that are read: which files they have, how far it is, what is wrong with them.

use crate::counted::counted;
use crate::extract::{complain, stop_flag};
use crate::place::{apart, real};
use corpus::pages::{Failure, Inputs, Progress};
use corpus::Page;
use engine::Engine;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use records::{Problem, ProblemKind, Source, ENDINGS};
use report::JSON;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use walkdir::WalkDir;

/// Bytes of memory for the URLs that were met, of verbs that hold little else.
pub const URL_MEMORY: usize = 256 << 20;

/// Problems that are named one by one; the rest are only counted.
pub const NAMED_PROBLEMS: u64 = 10;

/// The files of a corpus; of a folder those with an ending of a corpus that are not hidden, in order.
pub fn sources(path: &Path) -> Result<Vec<Source>, String> {
    if !path.is_dir() {
        return Ok(vec![Source::new(path)?]);
    }
    let mut sources = Vec::new();
    let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
    for entry in walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name())) {
        let entry = entry.map_err(|error| error.to_string())?;
        let name = entry.file_name().to_string_lossy();
        let stem = name.trim_end_matches(".gz").trim_end_matches(".zst");
        let is_corpus = ENDINGS.iter().any(|ending| stem.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')));
        // A report is no corpus.
        if entry.file_type().is_file() && is_corpus && name != JSON {
            sources.push(Source::new(entry.path())?);
        }
    }
    if sources.is_empty() {
        let endings = ENDINGS.map(|ending| format!("*.{ending}")).join(", ");
        return Err(format!("{}: holds no corpus; allowed are {endings}, each also with .gz or .zst", path.display()));
    }
    Ok(sources)
}

/// The files of corpora in their order, each once: what is named twice, as by its folder and itself, is read once.
///
/// # Errors
/// When one is not there, or a folder holds none.
pub fn all_sources(corpora: &[PathBuf]) -> Result<Vec<Source>, String> {
    let mut all: Vec<Source> = Vec::new();
    let mut met = HashSet::new();
    for path in corpora {
        for source in sources(path)? {
            if met.insert(real(&source.path)) {
                all.push(source);
            } else {
                eprintln!("corpulyzer: {}: is named twice, and read once", source.name);
            }
        }
    }
    Ok(all)
}

/// Whether a file or folder is somebody's work in progress: to Hadoop names that begin with `_` are hidden too, and a job that runs or was
/// killed has its unfinished files in `_temporary`.
pub fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || name.as_encoded_bytes().starts_with(b"_")
}

/// The pages of corpora, for one verb.
pub struct Pages<'a> {
    /// The verb, for messages.
    pub name: &'a str,
    /// Files and folders.
    pub corpora: &'a [PathBuf],
    /// Reads pages, and counts languages where records do not tell them.
    pub engine: &'a Engine,
    /// Folder for temporary files.
    pub folder: &'a Path,
    /// Bytes of memory for the URLs that were met.
    pub memory: usize,
    /// Longest record.
    pub max_bytes: u64,
    /// What will be written, with its options.
    pub outputs: &'a [(&'a Path, &'a str)],
}

impl Pages<'_> {
    /// Gives `take` the pages, some at a time, each URL once. Shows how far it is, names the first problems and says at the end how many
    /// records were skipped. Answers whether the inputs are whole, see [`is_whole`]. The first SIGINT or SIGTERM stops the work.
    ///
    /// # Errors
    /// When an input cannot be read or is one of the outputs, `take` fails, or a signal stopped the work.
    pub fn read(&self, take: &mut dyn FnMut(Vec<Page>) -> io::Result<()>) -> Result<bool, String> {
        let files = all_sources(self.corpora)?;
        apart(self.outputs, files.iter().map(|file| file.path.as_path()))?;
        let stop = stop_flag().map_err(|error| format!("signals: {error}"))?;
        let Self { name, engine, folder, memory, max_bytes, .. } = *self;
        let inputs = Inputs { sources: &files, engine, folder, memory, max_bytes, stop: &stop };
        let input = read_through(&files, name, &stop, |tell| inputs.pages(tell, take))?;
        tell_problems(name, &input.problems);
        Ok(is_whole(&input.problems))
    }
}

/// Runs what reads a corpus, which messages call `name`; shows how far it is and names the first problems.
///
/// # Errors
/// When it fails or a signal stopped it, as a sentence.
pub fn read_through<T>(
    sources: &[Source],
    name: &str,
    stop: &AtomicBool,
    read: impl FnOnce(&mut dyn FnMut(Result<Progress, &Problem>)) -> Result<T, Failure>,
) -> Result<T, String> {
    let progress = progress(sources);
    // Until there is a rate.
    progress.set_style(style("{spinner} {msg}"));
    progress.set_message(name.to_owned());
    let mut named = 0;
    let outcome = read(&mut |news| match news {
        Ok(done) => {
            progress.set_position(done.bytes);
            progress.set_message(format!("{name}: {}", counted(done.records, "record")));
            // What comes after reading is no matter of bytes, so no rate tells how long it takes.
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
        Err(Failure::Io(message)) => Err(message),
        Ok(outcome) if !stop.load(Ordering::Relaxed) => Ok(outcome),
        Ok(_) | Err(Failure::Stopped) => Err("stopped by a signal; nothing was written".to_owned()),
    }
}

/// Says how many records were skipped, and why.
pub fn tell_problems(name: &str, problems: &BTreeMap<ProblemKind, u64>) {
    for (kind, count) in problems {
        eprintln!("corpulyzer: {name}: skipped {}", kind.counted(*count));
    }
}

/// Whether inputs with such problems are all there: records may be wrong, but nothing was lost of which nobody knows how much it was.
pub fn is_whole(problems: &BTreeMap<ProblemKind, u64>) -> bool {
    !problems.keys().any(|kind| kind.is_loss())
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn bytes(sources: &[Source]) -> Option<u64> {
    sources.iter().map(|source| source.bytes).sum()
}

/// How many bytes there are is known of files; of a pipe the time it took is told.
fn template(sources: &[Source]) -> &'static str {
    match bytes(sources) {
        Some(_) => "{wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left ({msg})",
        None => "{spinner} {bytes}, {bytes_per_sec}, {elapsed} ({msg})",
    }
}

/// A bar with rate and time left, on a terminal only.
pub fn progress(sources: &[Source]) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(bytes(sources), ProgressDrawTarget::stderr());
    bar.set_style(style(template(sources)));
    // A batch can take long, and so can what comes after the last.
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// The most memory that this process had, in bytes, where the system tells it.
pub fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}
