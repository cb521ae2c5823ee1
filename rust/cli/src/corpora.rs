//! Reports on corpora.

use crate::counted::counted;
use crate::extract::stop_flag;
use crate::input;
use crate::place::{is_name, settled, HIDDEN};
use crate::reading::{all_sources, is_whole, peak_memory, read_through, sources, tell_problems};
use corpus::analyze::analyze;
use corpus::cdx::{Index, IndexFigures};
use corpus::pages::Inputs;
use corpus::ranking::Ranking;
use corpus::Plan;
use engine::Engine;
use records::{Source, ENDINGS};
use report::{is_file_name, Report, HTML, JSON};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tempfile::TempDir;
use walkdir::WalkDir;

/// What is asked for.
pub struct Asked<'a> {
    /// Files and folders.
    pub corpora: &'a [PathBuf],
    /// Folder for the report.
    pub out: &'a Path,
    /// Whether each is a corpus of its own.
    pub compare: bool,
    /// What is measured.
    pub plan: Plan,
    /// Bytes of memory for counting.
    pub memory: usize,
    /// Folder for temporary files.
    pub scratch: Option<&'a Path>,
    /// A ranking of sites.
    pub ranking: Option<&'a Path>,
    /// An index of an archive.
    pub cdx: Option<&'a Path>,
}

/// Measures corpora and writes a report on them. Records that are skipped are no error; they are named and counted. The first SIGINT or
/// SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// When an input cannot be read, the report cannot be written, or a signal stopped the work.
pub fn run(asked: &Asked, engine: &Engine, max_bytes: u64) -> Result<bool, String> {
    let corpora = corpora(asked)?;
    let begin = Instant::now();
    let stop = stop_flag().map_err(|error| format!("signals: {error}"))?;
    let parent = parent(asked.out);
    is_name(asked.out, "--out")?;
    check_out(asked.out)?;
    fs::create_dir_all(&parent).map_err(|error| format!("{}: {error} (--out)", parent.display()))?;
    // Where nothing can be written is found out now, not after hours. Temporary files have no name, so whatever ends this process leaves none.
    let mut folders = vec![(parent.as_path(), "--out")];
    folders.extend(asked.scratch.map(|folder| (folder, "--scratch")));
    for (folder, option) in &folders {
        tempfile::tempfile_in(folder).map_err(|error| format!("{}: {error} ({option})", folder.display()))?;
    }
    let folder = asked.scratch.unwrap_or(&parent);
    let ranking = match asked.ranking {
        Some(file) => {
            let ranking = Ranking::parse(&input::text(file, max_bytes)?);
            Some(ranking.map_err(|bad| format!("{}: {bad} (--ranking)", file.display()))?)
        }
        None => None,
    };
    let index = asked.cdx.map(index).transpose()?;
    let mut outcomes = Vec::new();
    let (mut read, mut whole) = (0, true);
    for (name, sources) in corpora {
        let memory = asked.memory / if asked.compare { asked.corpora.len() } else { 1 };
        // A quarter of the memory is for URLs.
        let inputs = Inputs { sources: &sources, engine, folder, memory: memory / 4, max_bytes, stop: &stop };
        let outcome = read_through(&sources, &name, &stop, |tell| analyze(&inputs, asked.plan, memory / 4 * 3, tell))?;
        tell_problems(&name, &outcome.input.problems);
        read += outcome.input.bytes;
        whole &= is_whole(&outcome.input.problems);
        outcomes.push((name, outcome));
    }
    let report = Report::new(asked.plan, outcomes, ranking.as_ref(), index)
        .map_err(|error| format!("temporary files: {error}"))?;
    for corpus in &report.corpora {
        if let Some(why) = corpus.nothing(&report.language_name) {
            eprintln!("corpulyzer: {}: {why}", corpus.name);
        }
    }
    if let Some(corpus) = report.corpora.iter().find(|corpus| corpus.is_all_wrong()) {
        return Err(format!("{}: nothing in it could be read; no report was written", corpus.name));
    }
    // Beside its place, so that it can be put there by a rename.
    let next = tempfile::Builder::new().prefix(HIDDEN).tempdir_in(&parent);
    let next = next.map_err(|error| format!("{}: {error} (--out)", parent.display()))?;
    write(&report, next.path())?;
    let out = settled(asked.out, whole);
    check_out(&out)?;
    put_in_place(next, &out)?;
    let pages: u64 = report.corpora.iter().map(|corpus| corpus.figures.totals.pages).sum();
    let seconds = begin.elapsed().as_secs_f64();
    let peak = peak_memory().map_or_else(String::new, |peak| format!(", at most {} MiB of memory", peak >> 20));
    eprintln!(
        "corpulyzer: {} from {:.1} MB in {seconds:.1} s{peak}: {}",
        counted(pages, "page"),
        read as f64 / 1e6,
        out.join(HTML).display()
    );
    Ok(whole)
}

/// What an index says, in a file or a folder of files, plain, gzip or zstd.
fn index(path: &Path) -> Result<IndexFigures, String> {
    let mut sums = Index::default();
    let mut files = Vec::new();
    // A folder that is not there has the system's own words, not those of a walk.
    fs::metadata(path).map_err(|error| format!("{}: {error} (--cdx)", path.display()))?;
    for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| error.to_string())?;
        if !entry.file_type().is_dir() {
            files.push(entry.into_path());
        }
    }
    if files.is_empty() {
        return Err(format!(
            "{}: holds no index; allowed are a file of CDXJ, or a folder of such (--cdx)",
            path.display()
        ));
    }
    for file in files {
        let source = Source::new(&file)?;
        let (input, _) = source.decompressed(&Arc::default()).map_err(|error| format!("{}: {error}", source.name))?;
        sums.add(input).map_err(|error| format!("{}: {error}", source.name))?;
    }
    let figures = sums.finish();
    if figures.bad > 0 {
        eprintln!(
            "corpulyzer: {}: skipped {}, no document of an index (--cdx)",
            path.display(),
            counted(figures.bad, "line")
        );
    }
    Ok(figures)
}

/// The corpora with their names and files.
fn corpora(asked: &Asked) -> Result<Vec<(String, Vec<Source>)>, String> {
    if !asked.compare {
        let named = asked.corpora.iter().take(3).map(|path| name(path)).collect::<Vec<_>>().join(", ");
        let more = asked.corpora.len().saturating_sub(3);
        let named = if more > 0 { format!("{named} and {more} more") } else { named };
        return Ok(vec![(named, all_sources(asked.corpora)?)]);
    }
    let mut corpora = Vec::new();
    for path in asked.corpora {
        corpora.push((name(path), sources(path)?));
    }
    if corpora.len() < 2 {
        return Err("--compare wants two corpora or more".to_owned());
    }
    // Corpora of several crawls are called the same; their paths are not.
    let names: BTreeSet<&String> = corpora.iter().map(|(name, _)| name).collect();
    if names.len() < corpora.len() {
        for ((name, _), path) in corpora.iter_mut().zip(asked.corpora) {
            *name = path.display().to_string();
        }
    }
    Ok(corpora)
}

/// A corpus's name: that of its file or folder without what says only how it is stored.
fn name(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let mut stem = name.trim_end_matches(".gz").trim_end_matches(".zst");
    // Common Crawl's are called .warc.wet.gz.
    while let Some(shorter) = ENDINGS.iter().find_map(|ending| stem.strip_suffix(ending)?.strip_suffix('.')) {
        stem = shorter;
    }
    if stem.is_empty() {
        name
    } else {
        stem.to_owned()
    }
}

fn parent(out: &Path) -> PathBuf {
    match out.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Only a report, or nothing, may be replaced: what somebody else put there is not ours to remove.
fn check_out(out: &Path) -> Result<(), String> {
    let Ok(entries) = fs::read_dir(out) else {
        if out.exists() {
            return Err(format!("{}: is no folder (--out)", out.display()));
        }
        return Ok(());
    };
    for entry in entries {
        let name = entry.map_err(|error| format!("{}: {error} (--out)", out.display()))?.file_name();
        let name = name.to_string_lossy();
        if !is_file_name(&name) {
            return Err(format!(
                "{}: holds {name}, which is no part of a report; name another folder (--out)",
                out.display()
            ));
        }
    }
    Ok(())
}

fn write(report: &Report, folder: &Path) -> Result<(), String> {
    for (name, content) in report.files().map_err(|error| format!("{JSON}: {error}"))? {
        fs::write(folder.join(name), content).map_err(|error| format!("{name}: {error} (--out)"))?;
    }
    Ok(())
}

/// Puts a whole folder in the place of the one that is there.
///
/// # Errors
/// When it cannot be renamed; what was there stays.
pub fn put_in_place(next: TempDir, out: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error} (--out)", out.display());
    let old = tempfile::Builder::new().prefix(HIDDEN).tempdir_in(parent(out)).map_err(failed)?;
    if out.exists() {
        fs::rename(out, old.path().join("old")).map_err(failed)?;
    }
    if let Err(error) = fs::rename(next.path(), out) {
        // The old one goes back; the error that counts is the first.
        let _ = fs::rename(old.path().join("old"), out);
        return Err(failed(error));
    }
    // It is no temporary folder any more.
    let _ = next.keep();
    open_to_all(out);
    Ok(())
}

/// Temporary folders are their owner's alone; a report is as open as any new folder.
#[cfg(unix)]
fn open_to_all(out: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let Some(parent) = out.parent() else { return };
    let parent = if parent == Path::new("") { Path::new(".") } else { parent };
    if let Ok(metadata) = fs::metadata(parent) {
        let mode = metadata.permissions().mode() & 0o755;
        // The report is whole and in its place; who may read it is the operator's to mend.
        let _ = fs::set_permissions(out, fs::Permissions::from_mode(mode | 0o700));
    }
}

#[cfg(not(unix))]
fn open_to_all(_: &Path) {}
