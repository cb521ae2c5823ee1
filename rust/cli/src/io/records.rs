//! Records of a corpus that are copied, some of them with changed fields.

use crate::io::console::{complain, stop_flag, Stopped};
use crate::io::corpora::{all_sources, is_whole, progress, NAMED_PROBLEMS};
use crate::io::output::{apart, Format, Place, Writer};
use anyhow::{anyhow, bail, Error, Result};
use figures::parse::{is_rejected, json};
use figures::removals::{are_any, clear_alternates, is_left_out};
use indicatif::ProgressBar;
use rayon::prelude::*;
use records::{Body, Problem, ProblemKind, Record, Source};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{to_raw_value, RawValue};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// Bytes of records in a batch.
const BATCH_BYTES: usize = 8 << 20;

/// Records in a batch. Lines that are not records count too, because they have no bytes.
const BATCH_RECORDS: usize = 4096;

/// Name of the field with a page's versions in other languages.
const ALTERNATES: &str = "alternates";

/// Names of the field with bytes per language.
pub const LANGUAGES: [&str; 2] = ["languages", "bytes_per_language"];

/// A record: all its fields, in order.
pub struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// The fields of a line.
    pub fn of(line: &[u8]) -> Result<Self> {
        serde_json::from_slice(line).map_err(unwritable)
    }

    /// The names of the fields and their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.get()))
    }

    /// A field's value, if the record has it.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.get())
    }

    /// Replaces the value of a field. Returns false if the record lacks the field.
    pub fn set(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<bool> {
        let Some((_, place)) = self.0.iter_mut().find(|(known, _)| known == name) else {
            return Ok(false);
        };
        *place = to_raw_value(value).map_err(unwritable)?;
        Ok(true)
    }

    /// Adds a field at the end.
    pub fn add(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        self.0.push((name.to_owned(), to_raw_value(value).map_err(unwritable)?));
        Ok(())
    }

    /// The record as a line, without the line end.
    pub fn line(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(unwritable)
    }
}

fn unwritable(error: serde_json::Error) -> Error {
    anyhow!("a record cannot be written: {error}")
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

/// The fields that are read from every record.
#[derive(Deserialize)]
pub struct Page {
    /// The main text, clean.
    #[serde(default, deserialize_with = "clean_text")]
    pub text: Option<String>,
    /// The URL.
    pub url: Option<String>,
    /// The decision of the crawl.
    pub decision: Option<String>,
    /// True if the server no longer has the page.
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

fn clean_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.map(langid::cleaned))
}

/// A record as written in its file, and its fields.
pub type Line = (Vec<u8>, Page);

/// The records of a corpus, batch by batch.
pub struct Records {
    inputs: Vec<Source>,
    stop: Arc<AtomicBool>,
    max_bytes: u64,
}

/// The end of reading.
pub struct Read {
    /// Records that could not be read, by kind.
    pub problems: BTreeMap<ProblemKind, u64>,
    /// True if all inputs were read to the end.
    pub to_the_end: bool,
}

impl Read {
    /// Returns true if the inputs are whole, see [`is_whole`].
    pub fn is_whole(&self) -> bool {
        is_whole(&self.problems)
    }
}

impl Records {
    /// Opens the records of files and folders. The first SIGINT or SIGTERM stops the reading.
    ///
    /// # Errors
    /// Fails if there is no such file, or it is one of `outputs`, or two of these are one; each is
    /// named with its option.
    pub fn new(corpora: &[PathBuf], outputs: &[(&Path, &str)], max_bytes: u64) -> Result<Self> {
        let inputs = all_sources(corpora)?;
        apart(outputs, inputs.iter().map(|input| input.path.as_path()))?;
        let stop = stop_flag()?;
        Ok(Self { inputs, stop, max_bytes })
    }

    /// The files in the order in which they are read, each once.
    pub fn inputs(&self) -> &[Source] {
        &self.inputs
    }

    /// Whether SIGINT or SIGTERM asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Fails if an input is standard input or another pipe, which cannot be read twice.
    ///
    /// # Errors
    /// In a sentence that names the input and `why` it is read twice.
    pub fn twice(&self, why: &str) -> Result<()> {
        match self.inputs.iter().find(|input| input.bytes.is_none()) {
            Some(pipe) => bail!(
                "{}: is no regular file, and {why} reads every input twice; name files",
                pipe.name
            ),
            None => Ok(()),
        }
    }

    /// Passes the records to `take` in order, some at a time, until it returns none. The returned
    /// text is shown as progress. Unreadable records are not an error; the first ones are named.
    ///
    /// # Errors
    /// Fails if an input cannot be read, none has a record, `take` fails, or a signal stopped the
    /// work.
    pub fn read(&self, take: &mut dyn FnMut(Vec<Line>) -> Result<Option<String>>) -> Result<Read> {
        self.read_with(0, take)
    }

    /// Passes the records to `take` again, as [`Records::read`], but names no problems. The inputs
    /// must be files.
    ///
    /// # Errors
    /// As [`Records::read`].
    pub fn reread(
        &self,
        take: &mut dyn FnMut(Vec<Line>) -> Result<Option<String>>,
    ) -> Result<Read> {
        self.read_with(NAMED_PROBLEMS, take)
    }

    /// `named` is the number of problems that were named before.
    fn read_with(
        &self,
        named: u64,
        take: &mut dyn FnMut(Vec<Line>) -> Result<Option<String>>,
    ) -> Result<Read> {
        let progress = progress(&self.inputs);
        let outcome = self.read_through(&progress, named, take);
        progress.finish_and_clear();
        outcome
    }

    fn read_through(
        &self,
        progress: &ProgressBar,
        mut named: u64,
        take: &mut dyn FnMut(Vec<Line>) -> Result<Option<String>>,
    ) -> Result<Read> {
        let read = Arc::new(AtomicU64::new(0));
        let (mut sum, mut any) = (BTreeMap::new(), false);
        for input in &self.inputs {
            let records = input
                .open(self.max_bytes, &read)
                .map_err(|error| anyhow!("{}: {error}", input.name))?;
            let mut records = records.peekable();
            while records.peek().is_some() {
                if self.is_stopped() {
                    return Err(Stopped::without_output());
                }
                let (lines, problems) = batch(&mut records, input)?;
                // The batch may end where a pipe was left.
                if self.is_stopped() {
                    return Err(Stopped::without_output());
                }
                for problem in problems {
                    *sum.entry(problem.kind).or_default() += 1;
                    named += 1;
                    if named <= NAMED_PROBLEMS {
                        complain(progress, &problem.to_string());
                    }
                }
                any |= !lines.is_empty();
                let Some(message) = take(lines)? else {
                    return Ok(Read { problems: sum, to_the_end: false });
                };
                progress.set_position(read.load(Ordering::Relaxed));
                progress.set_message(message);
            }
        }
        if self.is_stopped() {
            return Err(Stopped::without_output());
        }
        if !any {
            // The writer of the pipe may have died.
            bail!("the input has no record; nothing was written");
        }
        Ok(Read { problems: sum, to_the_end: true })
    }
}

/// Returns a record without the alternates that must be left out.
fn without_removed(line: Vec<u8>) -> Result<Vec<u8>> {
    if !are_any() {
        return Ok(line);
    }
    let mut fields = Fields::of(&line)?;
    let list = fields.get(ALTERNATES).and_then(|list| serde_json::from_str(list).ok());
    let Some(mut list) = list else { return Ok(line) };
    if !clear_alternates(&mut list) {
        return Ok(line);
    }
    fields.set(ALTERNATES, &list)?;
    let mut line = fields.line()?;
    line.push(b'\n');
    Ok(line)
}

/// The next records with their fields, and the lines that are not records.
fn batch(
    records: &mut impl Iterator<Item = Result<Record, Problem>>,
    input: &Source,
) -> Result<(Vec<Line>, Vec<Problem>)> {
    let (mut lines, mut bytes, mut problems) = (Vec::new(), 0, Vec::new());
    for record in records {
        match record {
            Err(problem) => problems.push(problem),
            Ok(Record { number, body: Body::Json(line), .. }) => {
                bytes += line.len();
                lines.push((number, line));
            }
            Ok(_) => {
                bail!("{}: holds WARC records; allowed are JSON lines with `text`", input.name)
            }
        }
        if bytes >= BATCH_BYTES || lines.len() + problems.len() >= BATCH_RECORDS {
            break;
        }
    }
    let parse = |(number, line): (u64, Vec<u8>)| match json::<Page>(&line) {
        Ok(page) => Ok((line, page)),
        Err((kind, what)) => {
            Err(Problem { kind, place: format!("{}, line {number}", input.name), what })
        }
    };
    let mut pages = Vec::with_capacity(lines.len());
    for parsed in lines.into_par_iter().map(parse).collect::<Vec<_>>() {
        match parsed {
            Ok((line, page)) => {
                let url = page.url.as_deref().unwrap_or_default();
                if !is_left_out(url, page.text.as_deref().unwrap_or_default()) {
                    pages.push((without_removed(line)?, page));
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    Ok((pages, problems))
}

/// An output of lines. It is compressed if its name ends with .gz or .zst.
pub struct Output {
    writer: Writer,
    name: String,
    /// The temporary file. None for standard output.
    file: Option<(Place, NamedTempFile)>,
}

impl Output {
    /// Opens the output of an option; `-` is standard output.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn new(path: &Path, option: &'static str) -> Result<Self> {
        let name = if path == Path::new("-") {
            "standard output".to_owned()
        } else {
            format!("{} ({option})", path.display())
        };
        let failed = |error: io::Error| anyhow!("{name}: {error}");
        let (file, raw): (_, Box<dyn Write>) = if path == Path::new("-") {
            (None, Box::new(io::stdout()))
        } else {
            let place = Place::new(path, option)?;
            let file = place.begin()?;
            let raw = Box::new(file.reopen().map_err(failed)?);
            (Some((place, file)), raw)
        };
        let writer = Writer::new(Format::of(path), raw).map_err(failed)?;
        Ok(Self { writer, name, file })
    }

    /// Writes a line. Returns false if the reader of standard output closed its end (`| head`).
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn line(&mut self, line: &[u8]) -> Result<bool> {
        let end = if line.ends_with(b"\n") { &b""[..] } else { b"\n" };
        match self.writer.write_all(line).and_then(|()| self.writer.write_all(end)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.file.is_none() => {
                Ok(false)
            }
            Err(error) => Err(anyhow!("{}: {error}", self.name)),
        }
    }

    /// Writes an object as a line. Returns false as [`Output::line`].
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn object(&mut self, object: &impl Serialize) -> Result<bool> {
        let line = serde_json::to_vec(object).map_err(unwritable)?;
        self.line(&line)
    }

    /// Puts the file in place, or beside it if an input is not `whole` (see [`Place::settle`]).
    /// Returns its name for messages. A reader of standard output that closed its end is no error.
    ///
    /// # Errors
    /// Fails if the disk has no room for it, or it cannot be renamed.
    pub fn finish(self, whole: bool) -> Result<String> {
        match self.writer.finish() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.file.is_none() => {}
            finished => finished.map_err(|error| anyhow!("{}: {error}", self.name))?,
        }
        let Some((place, file)) = self.file else { return Ok(self.name) };
        let place = place.settle(whole)?;
        place.put(file)?;
        Ok(place.name().to_string())
    }
}
