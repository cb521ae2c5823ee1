//! Inputs: JSON lines, WARC and WET files, plain or compressed. What a file is, its first bytes tell.

use crate::gzip::{MemberRead, Members, Plain};
use crate::jsonl::Lines;
use crate::record::{Problem, ProblemKind, Record};
use crate::warc::Records;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Endings of the files that are read of a folder, without `.gz` or `.zst`.
pub const ENDINGS: [&str; 5] = ["jsonl", "ndjson", "json", "warc", "wet"];

/// How compressed data begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 18;

/// An input that gives records until it ends. What is wrong is told and passed over.
#[derive(Debug)]
pub struct Input<R> {
    form: Form<R>,
    name: String,
    max_bytes: u64,
    resumes: bool,
}

#[derive(Debug)]
enum Form<R> {
    /// Nothing was read yet that would tell what it is.
    Unknown(R),
    Lines(Lines<R>),
    Records(Records<R>),
    Ended,
}

impl<R: MemberRead> Input<R> {
    /// An input that is a WARC file or JSON lines, as its first bytes will tell. `resumes` says whether reading can go on behind an error.
    pub fn new(input: R, name: &str, max_bytes: u64, resumes: bool) -> Self {
        Self { form: Form::Unknown(input), name: name.to_owned(), max_bytes, resumes }
    }

    /// Finds out what it is.
    fn begin(&mut self, mut input: R) -> Result<(), Problem> {
        let is_warc = match input.fill_buf() {
            Ok(start) => start.starts_with(b"WARC/"),
            Err(error) => {
                if self.resumes {
                    self.form = Form::Unknown(input);
                }
                let place = format!("{}, at its beginning", self.name);
                return Err(Problem { kind: ProblemKind::BrokenCompression, place, what: error.to_string() });
            }
        };
        self.form = if is_warc {
            Form::Records(Records::new(input, &self.name, self.max_bytes, self.resumes))
        } else {
            Form::Lines(Lines::new(input, &self.name, self.max_bytes, self.resumes))
        };
        Ok(())
    }
}

impl<R: MemberRead> Iterator for Input<R> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if matches!(self.form, Form::Unknown(_)) {
            if let Form::Unknown(input) = std::mem::replace(&mut self.form, Form::Ended) {
                if let Err(problem) = self.begin(input) {
                    return Some(Err(problem));
                }
            }
        }
        match &mut self.form {
            Form::Lines(lines) => lines.next(),
            Form::Records(records) => records.next(),
            Form::Unknown(_) | Form::Ended => None,
        }
    }
}

/// A file, or standard input for `-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// What messages call it.
    pub name: String,
    /// Its bytes, if they are known.
    pub bytes: Option<u64>,
}

/// Counts the bytes that pass.
struct Counted<R>(R, Arc<AtomicU64>);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// What should be compressed and is empty: even of nothing at all compressed data is not.
struct Cut;

impl Read for Cut {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::UnexpectedEof, "is empty, which no compressed file is"))
    }
}

impl Source {
    /// The source at a path.
    ///
    /// # Errors
    /// When there is no file that can be read.
    pub fn new(path: &Path) -> Result<Self, String> {
        if path == Path::new("-") {
            return Ok(Self { path: path.to_owned(), name: "standard input".to_owned(), bytes: None });
        }
        let name = path.display().to_string();
        let metadata = std::fs::metadata(path).map_err(|error| format!("{name}: {error}"))?;
        // A pipe tells no length.
        let bytes = metadata.is_file().then_some(metadata.len());
        Ok(Self { path: path.to_owned(), name, bytes })
    }

    /// Its records. Bytes that are read, before they are decompressed, are counted.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(&self, max_bytes: u64, read: &Arc<AtomicU64>) -> io::Result<Input<Box<dyn MemberRead + Send>>> {
        let (input, resumes) = self.decompressed(read)?;
        Ok(Input::new(input, &self.name, max_bytes, resumes))
    }

    /// Its bytes, decompressed, and whether reading can go on behind an error.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn decompressed(&self, read: &Arc<AtomicU64>) -> io::Result<(Box<dyn MemberRead + Send>, bool)> {
        let raw: Box<dyn Read + Send> =
            if self.path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(&self.path)?) };
        let is_compressed = self.path.extension().is_some_and(|ending| ending == "gz" || ending == "zst");
        if is_compressed && self.bytes == Some(0) {
            return Ok((Box::new(Plain(BufReader::new(Cut))), false));
        }
        decompress(Counted(raw, Arc::clone(read)))
    }
}

/// The bytes of an input, decompressed if their first bytes say that they are gzip or Zstandard, and whether reading can go on behind an
/// error.
///
/// # Errors
/// When not even the first bytes can be read.
pub fn decompress<'a>(raw: impl Read + Send + 'a) -> io::Result<(Box<dyn MemberRead + Send + 'a>, bool)> {
    let mut raw = BufReader::with_capacity(BUFFER, raw);
    let mut start: Vec<u8> = raw.fill_buf()?.iter().take(ZSTANDARD.len()).copied().collect();
    let may_become = |start: &[u8]| GZIP.starts_with(start) || ZSTANDARD.starts_with(start);
    if start.is_empty() || start.len() == ZSTANDARD.len() || !may_become(&start) {
        return decompressed(&start, raw);
    }
    // A pipe may give them one by one. No more than tell it are waited for: a line that is shorter wants its answer.
    start.clear();
    while start.len() < ZSTANDARD.len() && may_become(&start) && raw.by_ref().take(1).read_to_end(&mut start)? > 0 {}
    decompressed(&start.clone(), BufReader::with_capacity(BUFFER, io::Cursor::new(start).chain(raw)))
}

fn decompressed<'a>(
    start: &[u8],
    raw: impl BufRead + Send + 'a,
) -> io::Result<(Box<dyn MemberRead + Send + 'a>, bool)> {
    Ok(if start.starts_with(&GZIP) || start == &GZIP[..1] {
        (Box::new(Members::new(raw)), true)
    } else if start.len() > 1 && ZSTANDARD.starts_with(start) {
        let decoder = zstd::stream::read::Decoder::with_buffer(raw)?;
        (Box::new(Plain(BufReader::with_capacity(BUFFER, decoder))), false)
    } else {
        (Box::new(Plain(raw)), false)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Gives a byte at a time, and none beyond what there is.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            (buffer[0], self.0) = (*first, rest);
            Ok(1)
        }
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        decompress(Drip(bytes))?.0.read_to_end(&mut all)?;
        Ok(all)
    }

    #[test]
    fn a_pipe_may_give_its_bytes_one_by_one() {
        let text = b"a line\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).expect("memory");
        let packed = [gzip.finish().expect("memory"), zstd::encode_all(&text[..], 1).expect("memory")];
        for packed in &packed {
            assert_eq!(read(packed).expect("read"), text);
            for cut in 2..packed.len() - 1 {
                assert!(read(&packed[..cut]).is_err(), "{cut}");
            }
        }
        for plain in ["", "(", "((", "(a", "a", "{}\n", "a line\n"] {
            assert_eq!(read(plain.as_bytes()).expect("read"), plain.as_bytes());
        }
    }
}
