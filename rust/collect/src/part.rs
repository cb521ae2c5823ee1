//! Parts: the documents of one input, in the order of its records, and a marker with its figures.
//!
//! A part is complete as soon as its marker is there: both appear by a rename, the marker last. The
//! name of a part depends on the path, the size and the time of its input, so that a changed input
//! is read again.

use crate::page::{Verdict, Written};
use figures::urls::fingerprint;
use records::{LeftOut, NotedProblem, Problem, ProblemKind, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use tempfile::NamedTempFile;

/// Version of the layout of a part. A folder of parts of another version is not continued.
pub const VERSION: u16 = 3;

/// Level of compression: parts are temporary, so speed counts.
const LEVEL: i32 = 1;

/// Longest document. A page has at most 512 MiB, and JSON escapes at most triple a character.
const MAX_DOCUMENT: u64 = 4 << 30;

/// Figures of an input that was read to its end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Name of the input that the part was read from.
    pub input: String,
    /// Records, valid and invalid.
    pub records: u64,
    /// Records that are pages.
    pub pages: u64,
    /// Pages that the first look ruled out for every language.
    pub ruled_out: u64,
    /// Pages whose robots directives forbid indexing.
    #[serde(default)]
    pub noindex: u64,
    /// Records that are no pages, by reason.
    #[serde(default)]
    pub left_out: BTreeMap<LeftOut, u64>,
    /// Skipped records, by kind of problem.
    pub problems: BTreeMap<ProblemKind, u64>,
    /// The first of each kind.
    pub first_problems: Vec<NotedProblem>,
}

/// Problems of each kind that are stored with their places.
const KEPT_PROBLEMS: u64 = 10;

impl Figures {
    /// Counts a problem.
    pub fn note(&mut self, problem: &Problem) {
        let count = self.problems.entry(problem.kind()).or_default();
        *count += 1;
        if *count <= KEPT_PROBLEMS {
            self.first_problems.push(problem.into());
        }
    }

    /// Counts a record that was read.
    pub fn count(&mut self, verdict: &Verdict) {
        self.pages += u64::from(verdict.is_page);
        self.ruled_out += u64::from(verdict.is_ruled_out);
        self.noindex += u64::from(verdict.is_noindex);
        if let Some(reason) = verdict.left_out {
            *self.left_out.entry(reason).or_default() += 1;
        }
    }

    /// Returns the counts of the records that are no pages, for a sentence; `None` if none was left
    /// out but descriptions of others.
    pub fn left_out(&self) -> Option<String> {
        let named = self.left_out.iter().any(|(reason, _)| *reason != LeftOut::About);
        let counts = self.left_out.iter().map(|(reason, count)| reason.counted(*count));
        named.then(|| counts.collect::<Vec<_>>().join(", "))
    }

    /// Adds the counts of another input.
    pub fn add(&mut self, other: &Self) {
        self.records += other.records;
        self.pages += other.pages;
        self.ruled_out += other.ruled_out;
        self.noindex += other.noindex;
        for (reason, count) in &other.left_out {
            *self.left_out.entry(*reason).or_default() += count;
        }
        for (kind, count) in &other.problems {
            *self.problems.entry(*kind).or_default() += count;
        }
        self.first_problems.extend(other.first_problems.iter().cloned());
    }
}

/// The files of a part and of its marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFiles {
    part: PathBuf,
    marker: PathBuf,
}

impl PartFiles {
    /// Returns the places for an input in a folder of parts.
    pub fn new(folder: &Path, source: &Source) -> Self {
        let name = key(source);
        Self {
            part: folder.join(format!("{name}.part")),
            marker: folder.join(format!("{name}.done")),
        }
    }

    /// Returns the figures of a part that is complete.
    pub fn figures(&self) -> Option<Figures> {
        let figures = std::fs::read(&self.marker).ok()?;
        serde_json::from_slice(&figures).ok().filter(|_| self.part.is_file())
    }

    /// Forgets a part.
    ///
    /// # Errors
    /// Fails if a file cannot be deleted.
    pub fn delete(&self) -> io::Result<()> {
        for file in [&self.marker, &self.part] {
            match std::fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Opens the part.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    pub fn open(&self) -> io::Result<Reader> {
        Ok(Reader(BufReader::new(zstd::Decoder::new(File::open(&self.part)?)?)))
    }
}

/// Returns a name for an input: another one if its content may have changed.
fn key(source: &Source) -> String {
    let path = std::fs::canonicalize(&source.path).unwrap_or_else(|_| source.path.clone());
    let changed = std::fs::metadata(&path).and_then(|metadata| metadata.modified()).ok();
    let nanos = changed
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .map_or(0, |time| time.as_nanos());
    let ranges = source.ranges.as_ref().map_or(String::new(), |ranges| format!(" {ranges:?}"));
    format!(
        "{:016x}",
        fingerprint(&format!("{} {:?} {nanos}{ranges}", path.display(), source.bytes))
    )
}

/// Writes a part.
pub struct Writer {
    place: PartFiles,
    out: zstd::Encoder<'static, BufWriter<NamedTempFile>>,
}

impl Writer {
    /// Begins a part.
    ///
    /// # Errors
    /// Fails if there can be no file.
    pub fn new(place: PartFiles) -> io::Result<Self> {
        let folder = place.part.parent().unwrap_or(Path::new("."));
        let file = BufWriter::with_capacity(1 << 17, NamedTempFile::new_in(folder)?);
        Ok(Self { place, out: zstd::Encoder::new(file, LEVEL)? })
    }

    /// Adds a document.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn add(&mut self, document: &Written) -> io::Result<()> {
        let language = u16::try_from(document.language).map_err(io::Error::other)?;
        let out = &mut self.out;
        out.write_all(&language.to_le_bytes())?;
        out.write_all(&[u8::from(document.is_kept), u8::from(document.url.is_some())])?;
        let url = document.url.as_deref().unwrap_or_default();
        for number in [url.len() as u64, document.target_bytes, document.content.len() as u64] {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(url.as_bytes())?;
        out.write_all(&document.content)
    }

    /// Puts the part in its place, and then its marker.
    ///
    /// # Errors
    /// Fails if a file cannot be written or renamed.
    pub fn finish(self, figures: &Figures) -> io::Result<()> {
        let file = self.out.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(&self.place.part)?;
        let folder = self.place.part.parent().unwrap_or(Path::new("."));
        let mut marker = NamedTempFile::new_in(folder)?;
        marker.write_all(&serde_json::to_vec(figures)?)?;
        marker.as_file().sync_all()?;
        marker.persist(&self.place.marker)?;
        Ok(())
    }
}

/// Reads the documents of a part.
pub struct Reader(BufReader<zstd::Decoder<'static, BufReader<File>>>);

impl Reader {
    /// Reads the next document; `None` at the end.
    ///
    /// # Errors
    /// Fails if the part is damaged.
    pub fn document(&mut self) -> io::Result<Option<Written>> {
        let mut head = [0; 4];
        if self.0.read(&mut head[..1])? == 0 {
            return Ok(None);
        }
        self.0.read_exact(&mut head[1..])?;
        let mut numbers = [0; 3];
        for number in &mut numbers {
            let mut bytes = [0; 8];
            self.0.read_exact(&mut bytes)?;
            *number = u64::from_le_bytes(bytes);
        }
        let [url, target_bytes, length] = numbers;
        let url = String::from_utf8(self.bytes(url)?)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        let content = self.bytes(length)?;
        Ok(Some(Written {
            language: u16::from_le_bytes([head[0], head[1]]).into(),
            is_kept: head[2] != 0,
            url: (head[3] != 0).then_some(url),
            target_bytes,
            content,
        }))
    }

    fn bytes(&mut self, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.by_ref().take(length.min(MAX_DOCUMENT)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: &Path) -> PartFiles {
        let input = folder.join("input");
        std::fs::write(&input, "x").expect("written");
        PartFiles::new(folder, &Source::new(&input).expect("a source"))
    }

    #[test]
    fn a_part_is_there_when_its_marker_is() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let place = place(folder.path());
        assert_eq!(place.figures(), None);
        let documents = [
            Written {
                language: 0,
                is_kept: true,
                url: Some("http://a.pk/".to_owned()),
                target_bytes: 3,
                content: b"{}\n".to_vec(),
            },
            Written {
                language: 300,
                is_kept: false,
                url: None,
                target_bytes: 0,
                content: Vec::new(),
            },
        ];
        let mut writer = Writer::new(place.clone()).expect("a file");
        documents.iter().for_each(|document| writer.add(document).expect("written"));
        assert_eq!(place.figures(), None, "not before it is complete");
        let figures = Figures { records: 2, ..Figures::default() };
        writer.finish(&figures).expect("finished");
        assert_eq!(place.figures(), Some(figures));
        let mut reader = place.open().expect("a part");
        let read: Vec<Written> = std::iter::from_fn(|| reader.document().expect("whole")).collect();
        assert_eq!(read, documents);
        place.delete().expect("deleted");
        assert_eq!(place.figures(), None);
    }

    #[test]
    fn a_changed_input_has_another_part() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let before = place(folder.path());
        std::fs::write(folder.path().join("input"), "xy").expect("written");
        let input = Source::new(&folder.path().join("input")).expect("a source");
        assert_ne!(PartFiles::new(folder.path(), &input), before);
    }
}
