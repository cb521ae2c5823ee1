//! Records of a corpus with progress on the screen, and outputs of lines.

use crate::io::console::{about, complain, stop_flag};
use crate::io::corpora::{all_sources, progress, NAMED_PROBLEMS};
use crate::io::output::{apart, settle, FilePlace, Format, Writer};
use anyhow::{bail, Error, Result};
use indicatif::ProgressBar;
use inputs::corpus::{self, News, Unwritable};
pub use inputs::corpus::{Line, PageFields, Read};
use records::Source;
use serde::Serialize;
use std::cell::Cell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The records of a corpus, batch by batch.
pub struct Records(corpus::Records);

impl Records {
    /// Opens the records of files and folders. The first SIGINT or SIGTERM stops the reading.
    ///
    /// # Errors
    /// Fails if there is no such file, or it is one of `outputs`, or two of these are one; each is
    /// named with its option.
    pub fn new(corpora: &[PathBuf], outputs: &[(&Path, &str)], max_bytes: u64) -> Result<Self> {
        let inputs = all_sources(corpora)?;
        apart(outputs, inputs.iter().map(|input| input.path.as_path()))?;
        Ok(Self(corpus::Records { inputs, max_bytes, stop: stop_flag()? }))
    }

    /// The files in the order in which they are read, each once.
    pub fn inputs(&self) -> &[Source] {
        &self.0.inputs
    }

    /// Whether SIGINT or SIGTERM asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }

    /// Fails if an input is standard input or another pipe, which cannot be read twice.
    ///
    /// # Errors
    /// In a sentence that names the input and `why` it is read twice.
    pub fn twice(&self, why: &str) -> Result<()> {
        let Some(pipe) = self.0.pipe() else { return Ok(()) };
        bail!("{}: is no regular file, and {why} reads every input twice; name files", pipe.name)
    }

    /// Passes the records to `take` in order, some at a time, until it returns none. The returned
    /// text is shown as progress. Unreadable records are not an error; the first ones are named.
    ///
    /// # Errors
    /// As [`corpus::Records::read`].
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
        let watcher = Watcher::new(self.inputs(), named);
        let read = self.0.read(&|news| watcher.tell(news), &mut |lines| {
            let message = take(lines)?;
            Ok::<_, Error>(message.map(|message| watcher.bar.set_message(message)).is_some())
        });
        watcher.bar.finish_and_clear();
        read
    }
}

/// Fails if an output is `-`: a verb prints its table there.
///
/// # Errors
/// In a sentence with the option.
pub fn beside_a_table(outputs: &[(&Path, &str)]) -> Result<()> {
    match outputs.iter().find(|(path, _)| *path == Path::new("-")) {
        Some((_, option)) => {
            bail!(misuse!("-: the table goes to standard output; name a file ({option})"))
        }
        None => Ok(()),
    }
}

/// Shows how far a reading of records is, and names the first problems.
pub struct Watcher {
    pub bar: ProgressBar,
    named: Cell<u64>,
}

impl Watcher {
    /// `named` is the number of problems that were named before.
    pub fn new(inputs: &[Source], named: u64) -> Self {
        Self { bar: progress(inputs), named: Cell::new(named) }
    }

    /// Shows the progress, or names a problem.
    pub fn tell(&self, news: News) {
        match news {
            News::Bytes(bytes) => self.bar.set_position(bytes),
            News::Problem(problem) => {
                self.named.set(self.named.get() + 1);
                if self.named.get() <= NAMED_PROBLEMS {
                    complain(&self.bar, &problem.to_string());
                }
            }
        }
    }
}

/// An output of lines. It is compressed if its name ends with .gz or .zst.
pub struct Output {
    writer: Writer,
    name: String,
    /// The temporary file. None for standard output.
    file: Option<(FilePlace, NamedTempFile)>,
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
        let failed = about(name.clone());
        let (file, raw): (_, Box<dyn Write>) = if path == Path::new("-") {
            (None, Box::new(io::stdout()))
        } else {
            let place = FilePlace::new(path, option)?;
            let file = place.begin()?;
            let raw = Box::new(file.reopen().map_err(&failed)?);
            (Some((place, file)), raw)
        };
        let writer = Writer::new(Format::of(path), raw).map_err(&failed)?;
        Ok(Self { writer, name, file })
    }

    /// As [`Output::new`], for an option that may be left out.
    ///
    /// # Errors
    /// As [`Output::new`].
    pub fn of(path: Option<&Path>, option: &'static str) -> Result<Option<Self>> {
        path.map(|path| Self::new(path, option)).transpose()
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
            Err(error) => Err(about(&self.name)(error)),
        }
    }

    /// Writes an object as a line. Returns false as [`Output::line`].
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn object(&mut self, object: &impl Serialize) -> Result<bool> {
        let line = serde_json::to_vec(object).map_err(Unwritable::from)?;
        self.line(&line)
    }

    /// Puts the file in place, or beside it if an input is not `whole` (see [`FilePlace::settle`]).
    /// Returns its name for messages. A reader of standard output that closed its end is no error.
    ///
    /// # Errors
    /// Fails if the disk has no room for it, or it cannot be renamed.
    pub fn finish(self, whole: bool) -> Result<String> {
        match self.writer.finish() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.file.is_none() => {}
            finished => finished.map_err(about(&self.name))?,
        }
        let Some((place, file)) = self.file else { return Ok(self.name) };
        let place = settle(place, whole)?;
        place.put(file)?;
        Ok(place.name().to_string())
    }
}
