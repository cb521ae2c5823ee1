//! Records of a corpus that are written again as they stand, or but for a few fields.

use crate::extract::{complain, stop_flag};
use crate::place::{apart, same, Place};
use crate::reading::{all_sources, is_whole, progress, NAMED_PROBLEMS};
use corpus::parse::{is_rejected, no_page};
use flate2::write::GzEncoder;
use flate2::Compression;
use indicatif::ProgressBar;
use rayon::prelude::*;
use records::{Body, Problem, ProblemKind, Record, Source};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{to_raw_value, RawValue};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// Bytes of records that are given at a time.
const BATCH_BYTES: usize = 8 << 20;

/// Records that are given at a time, those that are none with them: they have no bytes to count.
const BATCH_RECORDS: usize = 4096;

/// Names that the field with bytes per language goes by.
pub const LANGUAGES: [&str; 2] = ["languages", "bytes_per_language"];

/// A record: its fields in their order, whatever they are.
pub struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// The fields of a line.
    pub fn of(line: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(line).map_err(unwritable)
    }

    /// A field's value, if the record has it.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.get())
    }

    /// Gives a field another value in its place; false if the record does not have it.
    pub fn set(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<bool, String> {
        let Some((_, place)) = self.0.iter_mut().find(|(known, _)| known == name) else { return Ok(false) };
        *place = to_raw_value(value).map_err(unwritable)?;
        Ok(true)
    }

    /// Adds a field at the end.
    pub fn add(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<(), String> {
        self.0.push((name.to_owned(), to_raw_value(value).map_err(unwritable)?));
        Ok(())
    }

    /// The record as a line without its end.
    pub fn line(&self) -> Result<Vec<u8>, String> {
        serde_json::to_vec(self).map_err(unwritable)
    }
}

fn unwritable(error: serde_json::Error) -> String {
    format!("a record cannot be written: {error}")
}

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

/// What is read of every record.
#[derive(Deserialize)]
pub struct Page {
    /// The main text.
    pub text: Option<String>,
    /// The address.
    pub url: Option<String>,
    /// What the crawl decided.
    pub decision: Option<String>,
    /// Whether the server no longer has it.
    #[serde(default)]
    pub gone: bool,
}

impl Page {
    /// The text, if the page belongs to the corpus.
    pub fn text(&self) -> &str {
        if self.gone || is_rejected(self.decision.as_deref()) {
            ""
        } else {
            self.text.as_deref().unwrap_or_default()
        }
    }
}

/// A record as it stands in its file, and what is read of it.
pub type Line = (Vec<u8>, Page);

/// The records of a corpus, batch by batch.
pub struct Records {
    inputs: Vec<Source>,
    stop: Arc<AtomicBool>,
    max_bytes: u64,
}

/// How reading ended.
pub struct Read {
    /// Records that could not be read, by kind.
    pub problems: BTreeMap<ProblemKind, u64>,
    /// Whether it went to the end: nobody asked for less.
    pub to_the_end: bool,
}

impl Read {
    /// Whether the inputs are all there, see [`is_whole`].
    pub fn is_whole(&self) -> bool {
        is_whole(&self.problems)
    }
}

impl Records {
    /// The records of files and folders. The first SIGINT or SIGTERM will stop the reading.
    ///
    /// # Errors
    /// When there is no such file, or it is one of `outputs`, or two of these are one; each is named with its option.
    pub fn new(corpora: &[PathBuf], outputs: &[(&Path, &str)], max_bytes: u64) -> Result<Self, String> {
        let inputs = all_sources(corpora)?;
        apart(outputs, inputs.iter().map(|input| input.path.as_path()))?;
        for (number, (path, option)) in outputs.iter().enumerate() {
            if let Some((_, other)) = outputs[..number].iter().find(|(other, _)| same(other, path)) {
                return Err(format!("{}: is {other} already; name another file ({option})", path.display()));
            }
        }
        let stop = stop_flag().map_err(|error| format!("signals: {error}"))?;
        Ok(Self { inputs, stop, max_bytes })
    }

    /// What is read.
    pub fn inputs(&self) -> &[Source] {
        &self.inputs
    }

    /// Gives `take` the records, some at a time and in order, until it answers none; what it answers is shown as how far it is. Records that
    /// cannot be read are no error; the first are named.
    ///
    /// # Errors
    /// When an input cannot be read, none has a record, `take` fails, or a signal stopped the work.
    pub fn read(&self, take: &mut dyn FnMut(Vec<Line>) -> Result<Option<String>, String>) -> Result<Read, String> {
        let progress = progress(&self.inputs);
        let outcome = self.read_with(&progress, take);
        progress.finish_and_clear();
        outcome
    }

    fn read_with(
        &self,
        progress: &ProgressBar,
        take: &mut dyn FnMut(Vec<Line>) -> Result<Option<String>, String>,
    ) -> Result<Read, String> {
        let read = Arc::new(AtomicU64::new(0));
        let (mut sum, mut named, mut any) = (BTreeMap::new(), 0, false);
        for input in &self.inputs {
            let records = input.open(self.max_bytes, &read).map_err(|error| format!("{}: {error}", input.name))?;
            let mut records = records.peekable();
            while records.peek().is_some() {
                if self.stop.load(Ordering::Relaxed) {
                    return Err("stopped by a signal; nothing was written".to_owned());
                }
                let (lines, problems) = batch(&mut records, input)?;
                for problem in problems {
                    *sum.entry(problem.kind).or_default() += 1;
                    named += 1;
                    if named <= NAMED_PROBLEMS {
                        complain(progress, &problem.to_string());
                    }
                }
                any |= !lines.is_empty();
                let Some(message) = take(lines)? else { return Ok(Read { problems: sum, to_the_end: false }) };
                progress.set_position(read.load(Ordering::Relaxed));
                progress.set_message(message);
            }
        }
        if !any {
            // Whoever feeds the pipe may have died.
            return Err("what was read holds no record; nothing was written".to_owned());
        }
        Ok(Read { problems: sum, to_the_end: true })
    }
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
            Ok(Record { number, body: Body::Json(line), .. }) => {
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
            let (kind, what) = no_page(&line, &error);
            Err(Problem { kind, place, what })
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

/// Where lines go, compressed as its name says.
pub struct Output {
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
    /// A place for lines that an option names; `-` is standard output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(path: &Path, option: &'static str) -> Result<Self, String> {
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
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn line(&mut self, line: &[u8]) -> Result<bool, String> {
        let end = if line.ends_with(b"\n") { &b""[..] } else { b"\n" };
        match self.writer.write(line).and_then(|()| self.writer.write(end)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.file.is_none() => Ok(false),
            Err(error) => Err(format!("{}: {error}", self.name)),
        }
    }

    /// Writes an object as a line; false as [`Output::line`].
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn object(&mut self, object: &impl Serialize) -> Result<bool, String> {
        let line = serde_json::to_vec(object).map_err(unwritable)?;
        self.line(&line)
    }

    /// Puts the file there, or beside if not all inputs are `whole` (see [`Place::settle`]). Answers what messages call it.
    ///
    /// # Errors
    /// When the disk has no room for it, or it cannot be renamed.
    pub fn finish(self, whole: bool) -> Result<String, String> {
        self.writer.finish().map_err(|error| format!("{}: {error}", self.name))?;
        let Some((place, file)) = self.file else { return Ok(self.name) };
        let place = place.settle(whole)?;
        place.put(file)?;
        Ok(place.name().to_string())
    }
}
