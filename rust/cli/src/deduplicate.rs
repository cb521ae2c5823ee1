//! A corpus without what it has twice.

use crate::extract::{complain, stop_flag};
use crate::place::Place;
use crate::reading::{peak_memory, progress, sources, tell_problems, NAMED_PROBLEMS};
use crate::without::Without;
use corpus::read::{is_rejected, Body, Problem, ProblemKind, Record, Source};
use dedup::{Deduplicator, Settings, Verdict};
use engine::{Engine, Kind, PageHints};
use flate2::write::GzEncoder;
use flate2::Compression;
use rayon::prelude::*;
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{to_raw_value, RawValue};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;
use tempfile::NamedTempFile;

/// Bytes of records that are judged at a time.
const BATCH_BYTES: usize = 8 << 20;

/// Share of new sequences taken for known from which on more memory is asked for.
const MANY_MISTAKES: f64 = 0.02;

/// Records that are judged at a time, those that are none with them: they have no bytes to count.
const BATCH_RECORDS: usize = 4096;

/// How much of a compressed file's bytes there are unpacked, at most; text is packed to a third or a fifth.
const COMPRESSED: u64 = 16;

/// Bytes of a corpus for each sequence, at least.
const SEQUENCE_BYTES: u64 = 3;

/// What is asked for.
pub struct Asked<'a> {
    /// Files and folders.
    pub corpora: &'a [PathBuf],
    /// File for what stays; `-` is standard output.
    pub out: &'a Path,
    /// List of pages and hosts that are left out.
    pub without: Option<&'a Path>,
    /// File for what goes.
    pub dropped: Option<&'a Path>,
    /// What counts as a duplicate.
    pub settings: Settings,
}

/// A record: its fields in their order, whatever they are.
struct Fields(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// What a record's verdict depends on.
#[derive(Deserialize)]
struct Page {
    text: Option<String>,
    url: Option<String>,
    decision: Option<String>,
    #[serde(default)]
    gone: bool,
}

impl Page {
    /// The text, if the page belongs to the corpus.
    fn text(&self) -> &str {
        if self.gone || is_rejected(self.decision.as_deref()) {
            ""
        } else {
            self.text.as_deref().unwrap_or_default()
        }
    }
}

/// A record as it stands in its file, and what is read of it.
type Line = (Vec<u8>, Page);

/// Sums of what was done.
#[derive(Default)]
struct Sums {
    pages: u64,
    /// Pages that are listed.
    listed: u64,
    /// Pages of which nothing stayed.
    gone: u64,
    /// Pages of which some stayed.
    cut: u64,
    bytes: u64,
    gone_bytes: u64,
    problems: BTreeMap<ProblemKind, u64>,
}

/// Writes the corpora's records without the text that an earlier one had. Records that cannot be read are no error; they are named,
/// counted and left out. The first SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// When an input cannot be read, an output cannot be written, or a signal stopped the work.
pub fn run(asked: &Asked, engine: &Engine, max_bytes: u64) -> Result<bool, String> {
    let begin = Instant::now();
    let mut inputs = Vec::new();
    for path in asked.corpora {
        inputs.extend(sources(path)?);
    }
    let stop = stop_flag().map_err(|error| format!("signals: {error}"))?;
    for (path, option) in [(Some(asked.out), "--out"), (asked.dropped, "--dropped")] {
        let Some(path) = path else { continue };
        if inputs.iter().any(|input| same(&input.path, path)) {
            return Err(format!("{}: is read, so it cannot be written; name another file ({option})", path.display()));
        }
    }
    if asked.dropped.is_some_and(|dropped| same(dropped, asked.out)) {
        return Err(format!("{}: is --out already; name another file (--dropped)", asked.out.display()));
    }
    let mut out = Output::new(asked.out, "--out")?;
    let mut dropped = asked.dropped.map(|path| Output::new(path, "--dropped")).transpose()?;
    let without = asked.without.map(|file| Without::read(file, max_bytes)).transpose()?.unwrap_or_default();
    let memory = asked.settings.memory.min(needed(&inputs));
    let mut deduplicator = Deduplicator::new(Settings { memory, ..asked.settings });
    let mut sums = Sums::default();
    let read = Arc::new(AtomicU64::new(0));
    let progress = progress(&inputs);
    let mut named = 0;
    for input in &inputs {
        let records = input.open(max_bytes, &read).map_err(|error| format!("{}: {error}", input.name))?;
        let mut records = records.peekable();
        while records.peek().is_some() {
            if stop.load(Ordering::Relaxed) {
                progress.finish_and_clear();
                return Err("stopped by a signal; nothing was written".to_owned());
            }
            let (mut lines, problems) = batch(&mut records, input)?;
            for problem in problems {
                *sums.problems.entry(problem.kind).or_default() += 1;
                named += 1;
                if named <= NAMED_PROBLEMS {
                    complain(&progress, &problem.to_string());
                }
            }
            let all = lines.len();
            lines.retain(|(_, page)| !page.url.as_deref().is_some_and(|url| without.has(url)));
            sums.listed += (all - lines.len()) as u64;
            let texts: Vec<&str> = lines.iter().map(|(_, page)| page.text()).collect();
            let verdicts = deduplicator.judge(&texts);
            for ((_, page), verdicts) in lines.iter().zip(&verdicts) {
                sums.add(page.text(), verdicts);
                if let Some(dropped) = &mut dropped {
                    dropped.tell(page, verdicts)?;
                }
            }
            let kept: Vec<Option<Vec<u8>>> = lines
                .into_par_iter()
                .zip(&verdicts)
                .map(|(line, verdicts)| rest(line, verdicts, engine))
                .collect::<Result<_, _>>()?;
            for line in kept.into_iter().flatten() {
                if !out.line(&line)? {
                    progress.finish_and_clear();
                    return Ok(true);
                }
            }
            progress.set_position(read.load(Ordering::Relaxed));
            progress.set_message(format!("{} pages, {} of them gone", sums.pages, sums.gone));
        }
    }
    progress.finish_and_clear();
    if let Some(dropped) = dropped {
        dropped.finish()?;
    }
    out.finish()?;
    sums.tell(asked, &deduplicator, begin);
    Ok(true)
}

/// Bytes of memory that are enough for all sequences of files, so that small corpora do not cost what large ones do.
fn needed(inputs: &[Source]) -> usize {
    let bytes = |input: &Source| {
        let compressed = input.path.extension().is_some_and(|ending| ending == "gz" || ending == "zst");
        Some(input.bytes? * if compressed { COMPRESSED } else { 1 })
    };
    // Of a pipe nobody knows.
    let bytes: Option<u64> = inputs.iter().map(bytes).sum();
    bytes.map_or(usize::MAX, |bytes| (bytes / SEQUENCE_BYTES * dedup::FILTER_BITS as u64 / 8) as usize)
}

/// Whether two paths are of one file that is there.
fn same(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// The next records with what is read of them, and what is none.
fn batch(
    records: &mut impl Iterator<Item = Result<Record, Problem>>,
    input: &Source,
) -> Result<(Vec<Line>, Vec<Problem>), String> {
    let (mut lines, mut bytes, mut problems) = (Vec::new(), 0, Vec::new());
    for record in records {
        match record {
            Err(problem) => problems.push(problem),
            Ok(Record { number, body: Body::Json(line) }) => {
                bytes += line.len();
                lines.push((number, line));
            }
            Ok(_) => return Err(format!("{}: holds WARC records; allowed are JSON lines with `text`", input.name)),
        }
        if bytes >= BATCH_BYTES || lines.len() + problems.len() >= BATCH_RECORDS {
            break;
        }
    }
    let parse = |(number, line): (u64, Vec<u8>)| match serde_json::from_slice(&line) {
        Ok(page) => Ok((line, page)),
        Err(error) => {
            let place = format!("{}, line {number}", input.name);
            Err(Problem { kind: ProblemKind::InvalidJson, place, what: format!("no page in JSON: {error}") })
        }
    };
    let mut pages = Vec::with_capacity(lines.len());
    for parsed in lines.into_par_iter().map(parse).collect::<Vec<_>>() {
        match parsed {
            Ok(page) => pages.push(page),
            Err(problem) => problems.push(problem),
        }
    }
    Ok((pages, problems))
}

/// What stays of a record. Of one that loses text, figures of the text are counted again.
fn rest((line, page): Line, verdicts: &[Verdict], engine: &Engine) -> Result<Option<Vec<u8>>, String> {
    if verdicts.iter().all(|verdict| verdict.kept) {
        return Ok(Some(line));
    }
    let kept = verdicts.iter().filter(|verdict| verdict.kept).map(|verdict| &page.text()[verdict.bytes.clone()]);
    let text = kept.collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        return Ok(None);
    }
    let failed = |error: serde_json::Error| format!("a record cannot be written: {error}");
    let mut fields: Fields = serde_json::from_slice(&line).map_err(failed)?;
    for (name, value) in &mut fields.0 {
        *value = match name.as_str() {
            "text" => to_raw_value(&text),
            "main_bytes" => to_raw_value(&text.len()),
            "languages" | "bytes_per_language" => {
                let hints = PageHints { kind: Kind::Text, ..PageHints::default() };
                let languages = engine.page(text.as_bytes(), &hints).languages;
                let languages: BTreeMap<String, u64> =
                    languages.iter().map(|(code, bytes)| (code.to_string(), bytes)).collect();
                to_raw_value(&languages)
            }
            _ => continue,
        }
        .map_err(failed)?;
    }
    serde_json::to_vec(&fields).map(Some).map_err(failed)
}

impl Sums {
    fn add(&mut self, text: &str, verdicts: &[Verdict]) {
        let gone: usize = verdicts.iter().filter(|verdict| !verdict.kept).map(|verdict| verdict.bytes.len()).sum();
        self.pages += 1;
        self.bytes += text.len() as u64;
        self.gone_bytes += gone as u64;
        if gone > 0 {
            *(if verdicts.iter().any(|verdict| verdict.kept) { &mut self.cut } else { &mut self.gone }) += 1;
        }
    }

    fn tell(&self, asked: &Asked, deduplicator: &Deduplicator, begin: Instant) {
        tell_problems("in all", &self.problems);
        let mistakes = deduplicator.false_positives();
        if mistakes > MANY_MISTAKES {
            eprintln!(
                "corpulyzer: of {} million sequences of words {:.0} in a hundred were taken for known that were not: give more memory \
                 (--memory)",
                deduplicator.sequences() / 1_000_000,
                mistakes * 100.0
            );
        }
        if asked.without.is_some() {
            eprintln!("corpulyzer: left out {} pages by --without", self.listed);
        }
        eprintln!(
            "corpulyzer: {} pages, of which {} went as a whole and {} in part; {:.1} of {:.1} MB of text went ({:.1} %), in {:.1} s{}: {}",
            self.pages,
            self.gone,
            self.cut,
            self.gone_bytes as f64 / 1e6,
            self.bytes as f64 / 1e6,
            100.0 * self.gone_bytes as f64 / self.bytes.max(1) as f64,
            begin.elapsed().as_secs_f64(),
            peak_memory().map_or_else(String::new, |peak| format!(", at most {} MiB of memory", peak >> 20)),
            asked.out.display()
        );
    }
}

/// Where lines go, compressed as its name says.
struct Output {
    writer: Writer,
    name: String,
    /// The file beside its place; none for standard output.
    file: Option<(Place, NamedTempFile)>,
}

enum Writer {
    Plain(BufWriter<Box<dyn Write>>),
    Gzip(GzEncoder<BufWriter<Box<dyn Write>>>),
    Zstandard(zstd::Encoder<'static, BufWriter<Box<dyn Write>>>),
}

impl Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(writer) => writer.write_all(bytes),
            Self::Gzip(writer) => writer.write_all(bytes),
            Self::Zstandard(writer) => writer.write_all(bytes),
        }
    }

    fn finish(self) -> io::Result<()> {
        let mut file = match self {
            Self::Plain(writer) => writer,
            Self::Gzip(writer) => writer.finish()?,
            Self::Zstandard(writer) => writer.finish()?,
        };
        file.flush()
    }
}

impl Output {
    fn new(path: &Path, option: &'static str) -> Result<Self, String> {
        let name = if path == Path::new("-") {
            "standard output".to_owned()
        } else {
            format!("{} ({option})", path.display())
        };
        let failed = |error: io::Error| format!("{name}: {error}");
        let (file, raw): (_, Box<dyn Write>) = if path == Path::new("-") {
            (None, Box::new(io::stdout()))
        } else {
            let place = Place::new(path, option)?;
            let file = place.begin()?;
            let raw = Box::new(file.reopen().map_err(failed)?);
            (Some((place, file)), raw)
        };
        let raw = BufWriter::new(raw);
        let writer = match path.extension().and_then(|ending| ending.to_str()) {
            Some("zst") => Writer::Zstandard(zstd::Encoder::new(raw, zstd::DEFAULT_COMPRESSION_LEVEL).map_err(failed)?),
            Some("gz") => Writer::Gzip(GzEncoder::new(raw, Compression::default())),
            _ => Writer::Plain(raw),
        };
        Ok(Self { writer, name, file })
    }

    /// Writes a line; false if a reader of standard output has seen enough (`| head`).
    fn line(&mut self, line: &[u8]) -> Result<bool, String> {
        let end = if line.ends_with(b"\n") { &b""[..] } else { b"\n" };
        match self.writer.write(line).and_then(|()| self.writer.write(end)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.file.is_none() => Ok(false),
            Err(error) => Err(format!("{}: {error}", self.name)),
        }
    }

    /// Writes what went of a page, a passage a line.
    fn tell(&mut self, page: &Page, verdicts: &[Verdict]) -> Result<(), String> {
        #[derive(Serialize)]
        struct Dropped<'a> {
            url: Option<&'a str>,
            known_percent: usize,
            text: &'a str,
        }
        for verdict in verdicts.iter().filter(|verdict| !verdict.kept) {
            let line = Dropped {
                url: page.url.as_deref(),
                known_percent: verdict.known * 100 / verdict.sequences.max(1),
                text: &page.text()[verdict.bytes.clone()],
            };
            let line = serde_json::to_vec(&line).map_err(|error| format!("{}: {error}", self.name))?;
            self.line(&line)?;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), String> {
        self.writer.finish().map_err(|error| format!("{}: {error}", self.name))?;
        match self.file {
            Some((place, file)) => place.put(file),
            None => Ok(()),
        }
    }
}
