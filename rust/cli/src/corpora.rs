//! Reports on corpora.

use crate::counted::counted;
use crate::extract::stop_flag;
use crate::input;
use crate::place::{is_name, put_in_place, settled, temporary_folder};
use crate::reading::{all_sources, is_whole, peak_memory, read_through, sources, tell_problems};
use corpus::analyze::analyze;
use corpus::cdx::{Index, IndexFigures};
use corpus::pages::Inputs;
use corpus::ranking::Ranking;
use corpus::Plan;
use engine::Engine;
use records::{Source, ENDINGS};
use report::{is_file_name, Report, HTML, JSON, SCHEMA};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
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
    let next = temporary_folder(&parent).map_err(|error| format!("{}: {error} (--out)", parent.display()))?;
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
        // A pipe that is named is read; one that lies in a folder may never have a writer.
        let is_named = entry.depth() == 0 && !entry.file_type().is_dir();
        if entry.file_type().is_file() || is_named {
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

/// Refuses a folder that holds anything but a report of this program: other files are not ours to remove.
fn check_out(out: &Path) -> Result<(), String> {
    let failed = |error: io::Error| format!("{}: {error} (--out)", out.display());
    let entries = match fs::read_dir(out) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(_) if !out.is_dir() => return Err(format!("{}: is no folder (--out)", out.display())),
        Err(error) => return Err(failed(error)),
    };
    let mut is_empty = true;
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_file_name(&name) || !entry.file_type().map_err(failed)?.is_file() {
            return Err(format!(
                "{}: holds {name}, which is no part of a report; name another folder (--out)",
                out.display()
            ));
        }
        is_empty = false;
    }
    // Other programs have files of these names too.
    if !is_empty && !is_report(&out.join(JSON)) {
        return Err(format!(
            "{}: holds files, and no {JSON} that begins with its schema, {SCHEMA}; name another folder (--out)",
            out.display()
        ));
    }
    Ok(())
}

/// Whether a file begins as a report's figures do, in any version of the schema.
fn is_report(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(256).read_to_end(&mut start));
    let name = SCHEMA.split('/').next().unwrap_or(SCHEMA);
    read.is_ok() && String::from_utf8_lossy(&start).contains(&format!("\"schema\": \"{name}/"))
}

fn write(report: &Report, folder: &Path) -> Result<(), String> {
    for (name, content) in report.files().map_err(|error| format!("{JSON}: {error}"))? {
        fs::write(folder.join(name), content).map_err(|error| format!("{name}: {error} (--out)"))?;
    }
    Ok(())
}
