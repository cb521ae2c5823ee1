//! Inputs: JSON lines, WARC, WET, ARC and WACZ files, plain or compressed. The first bytes of a
//! file determine its format.

use crate::arc::{is_arc, ArcRecords};
use crate::fault::{Fault, Problem};
use crate::formats::unread_format;
use crate::gzip::Members;
use crate::input::{MemberRead, Plain};
use crate::jsonl::{Lines, BYTE_ORDER_MARK};
use crate::pipe::open_input;
use crate::record::{ProblemKind, Record};
use crate::wacz::Wacz;
use crate::warc::Records;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Extensions of the files that are read in a folder, without the extension of a
/// compressed file.
pub const ENDINGS: [&str; 8] = ["jsonl", "ndjson", "json", "warc", "wet", "arc", "wacz", TABLE];

/// Extensions of compressed files.
pub const COMPRESSED: [&str; 4] = ["gz", "zst", "xz", "bz2"];

/// Extension of Parquet files.
const TABLE: &str = "parquet";

/// First bytes of gzip data.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// First bytes of Zstandard data that begins with a skippable frame, behind a byte 0x50 to 0x5f.
const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];

/// First bytes of XZ data.
const XZ: [u8; 4] = [0xfd, b'7', b'z', b'X'];
/// First bytes of bzip2 data, before a digit from 1 to 9.
const BZIP2: [u8; 3] = *b"BZh";
/// First bytes of ZIP files.
const ZIP: [u8; 4] = *b"PK\x03\x04";
/// First bytes of the frame with the dictionary of a `.warc.zst` file.
const DICTIONARY: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
/// Longest dictionary, in bytes.
const MAX_DICTIONARY: u64 = 32 << 20;

/// First bytes of Parquet files.
const PARQUET: [u8; 4] = *b"PAR1";

/// Records of a table.
pub type TableRecords = Box<dyn Iterator<Item = Result<Record, Problem>> + Send>;

/// Opens the records of a table; longest record and counter of bytes as in [`Source::open`].
pub type OpenTable = fn(&Source, u64, &Arc<AtomicU64>) -> io::Result<TableRecords>;

/// The reader of tables, if the program has one.
static OPEN_TABLE: OnceLock<OpenTable> = OnceLock::new();

/// Sets the reader of tables (Parquet). It is not part of this crate, because the native library,
/// which links this crate, must stay small. The first one that is set stays.
pub fn read_tables_by(open: OpenTable) {
    let _ = OPEN_TABLE.set(open);
}

/// Bytes at the beginning of an input that determine its format.
const LOOKED_AT: usize = 1 << 13;

/// Size of the read buffer, in bytes.
const BUFFER: usize = 1 << 18;

/// An iterator over the records of an input. Problems are returned as errors, and reading
/// continues.
#[derive(Debug)]
pub struct Input<R> {
    form: Form<R>,
    name: String,
    max_bytes: u64,
    resumes: bool,
}

#[derive(Debug)]
enum Form<R> {
    /// The format is not known yet, because too few bytes were read.
    Unknown(R),
    Lines(Lines<R>),
    Records(Box<Records<R>>),
    Arc(ArcRecords<R>),
    Table(Table),
    Ended,
}

/// The rows of a table.
struct Table(TableRecords);

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Table")
    }
}

impl<R: MemberRead> Input<R> {
    /// Creates an input that is a WARC file or JSON lines, as its first bytes determine. `resumes`
    /// is whether reading can continue after an error.
    pub fn new(input: R, name: &str, max_bytes: u64, resumes: bool) -> Self {
        Self { form: Form::Unknown(input), name: name.to_owned(), max_bytes, resumes }
    }

    /// Determines the format.
    fn begin(&mut self, mut input: R) -> Result<(), Problem> {
        let at_beginning = format!("{}, at its beginning", self.name);
        // Owned, because a mark at its beginning may be skipped.
        let start = match input.fill_buf() {
            Ok(start) => start[..start.len().min(LOOKED_AT)].to_vec(),
            Err(error) => {
                let fault = Fault::of(&error);
                if self.resumes && fault.kind() != ProblemKind::Unreadable {
                    self.form = Form::Unknown(input);
                }
                return Err(fault.at(at_beginning));
            }
        };
        let start = start.as_slice();
        if start.starts_with(&PARQUET) {
            return Err(Fault::PipedTable.at(at_beginning));
        }
        if let Some(format) = unread_format(start) {
            return Err(Fault::Format(format).at(at_beginning));
        }
        let unmarked = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
        let is_warc = unmarked.trim_ascii_start().starts_with(b"WARC/")
            || [".warc", ".wet"].iter().any(|ending| self.name.contains(ending))
                && !unmarked.trim_ascii_start().starts_with(b"{")
                && !start.is_empty();
        if is_warc && start.starts_with(BYTE_ORDER_MARK) {
            input.consume(BYTE_ORDER_MARK.len());
        }
        let (name, max_bytes, resumes) = (&self.name, self.max_bytes, self.resumes);
        self.form = if is_arc(start) {
            Form::Arc(ArcRecords::new(input, name, max_bytes, resumes))
        } else if is_warc {
            Form::Records(Box::new(Records::new(input, name, max_bytes, resumes)))
        } else {
            Form::Lines(Lines::new(input, name, max_bytes, resumes))
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
            Form::Arc(records) => records.next(),
            Form::Table(table) => table.0.next(),
            Form::Unknown(_) | Form::Ended => None,
        }
    }
}

/// A file, or standard input for `-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Path as it was given.
    pub path: PathBuf,
    /// Its name in messages.
    pub name: String,
    /// Its size in bytes, if known.
    pub bytes: Option<u64>,
    /// The parts of the file that are read, as offset and length, in order; all of it if there are
    /// none.
    pub ranges: Option<Arc<[(u64, u64)]>>,
}

/// Opens a file or a pipe.
///
/// # Errors
/// Fails if it cannot be opened, is a folder, or is a device: most devices have no end.
pub fn open_file(path: &Path) -> io::Result<File> {
    require_stream(&std::fs::metadata(path)?)?;
    File::open(path)
}

#[cfg(unix)]
pub(crate) fn require_stream(metadata: &std::fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    require_no_folder(metadata)?;
    if kind.is_char_device() || kind.is_block_device() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "is a device; name a file, a pipe, or - for standard input",
        ));
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn require_stream(metadata: &std::fs::Metadata) -> io::Result<()> {
    require_no_folder(metadata)
}

/// The system would open a folder, and fail at the first read.
fn require_no_folder(metadata: &std::fs::Metadata) -> io::Result<()> {
    match metadata.is_dir() {
        true => Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder; name a file")),
        false => Ok(()),
    }
}

/// A path without a readable file.
#[derive(Debug, thiserror::Error)]
#[error("{}", unreadable(name, error))]
pub struct NoSource {
    /// The name of the path in messages.
    pub name: String,
    /// The error of the system.
    #[source]
    pub error: io::Error,
}

/// Returns the sentence for a file that cannot be opened.
pub fn unreadable(name: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("cannot read {name}: no such file"),
        _ => format!("{name}: {error}"),
    }
}

/// A reader that counts the bytes read.
struct Counted<R>(R, Arc<AtomicU64>);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Parts of a file, one after the other.
struct Ranges {
    file: File,
    ranges: Arc<[(u64, u64)]>,
    /// Number of the next part.
    next: usize,
    /// Bytes of the current part that are left.
    left: u64,
}

impl Read for Ranges {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left == 0 {
            let Some(&(offset, length)) = self.ranges.get(self.next) else { return Ok(0) };
            self.file.seek(SeekFrom::Start(offset))?;
            (self.next, self.left) = (self.next + 1, length);
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.file.read(&mut buffer[..most])?;
        if read == 0 && most > 0 {
            let what = "ends before a record that the index names";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
        }
        self.left -= read as u64;
        Ok(read)
    }
}

/// Opens a part of a file, as offset and length; `read` counts its bytes.
pub(crate) fn counted_part(
    path: &Path,
    part: (u64, u64),
    read: &Arc<AtomicU64>,
) -> io::Result<impl Read + Send> {
    let input = Ranges { file: File::open(path)?, ranges: Arc::from([part]), next: 0, left: 0 };
    Ok(Counted(input, Arc::clone(read)))
}

/// A decoder of compressed data, whose own errors have a kind for damage. Errors of the operating
/// system stay as they are.
struct Frames<D>(D);

impl<D: Read> Read for Frames<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match (error.kind(), error.raw_os_error()) {
            (io::ErrorKind::Other, None) => io::Error::new(io::ErrorKind::InvalidData, error),
            _ => error,
        })
    }
}

/// An empty file in place of compressed data: even the compressed form of nothing is not empty.
struct Cut;

impl Read for Cut {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "is empty, but its name is that of a compressed file",
        ))
    }
}

impl Source {
    /// Returns the source at a path.
    ///
    /// # Errors
    /// Fails if there is no readable file, or only a device.
    pub fn new(path: &Path) -> Result<Self, NoSource> {
        if path == Path::new("-") {
            return Ok(Self {
                path: path.to_owned(),
                name: "standard input".to_owned(),
                bytes: None,
                ranges: None,
            });
        }
        let name = path.display().to_string();
        let found = std::fs::metadata(path)
            .and_then(|metadata| require_stream(&metadata).map(|()| metadata));
        let metadata = match found {
            Ok(metadata) => metadata,
            Err(error) => return Err(NoSource { name, error }),
        };
        // The length of a pipe is unknown.
        let bytes = metadata.is_file().then_some(metadata.len());
        Ok(Self { path: path.to_owned(), name, bytes, ranges: None })
    }

    /// Returns a source of some records of a WARC file: of their places in it, as offset and
    /// length, in order.
    ///
    /// # Errors
    /// Fails if there is no readable file.
    pub fn of_ranges(path: &Path, ranges: Vec<(u64, u64)>) -> Result<Self, NoSource> {
        let bytes = ranges
            .iter()
            .map(|(_, length)| length)
            .fold(0, |sum: u64, length| sum.saturating_add(*length));
        Ok(Self { bytes: Some(bytes), ranges: Some(ranges.into()), ..Self::new(path)? })
    }

    /// Opens the source and returns its records. `read` counts the bytes before decompression.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is a table without the columns of a corpus.
    pub fn open(
        &self,
        max_bytes: u64,
        read: &Arc<AtomicU64>,
    ) -> io::Result<Input<Box<dyn MemberRead + Send>>> {
        if self.is_table()? {
            let unread =
                || io::Error::new(io::ErrorKind::Unsupported, "is Parquet, which is not read here");
            let open = OPEN_TABLE.get().ok_or_else(unread)?;
            let form = Form::Table(Table(open(self, max_bytes, read)?));
            return Ok(Input { form, name: self.name.clone(), max_bytes, resumes: true });
        }
        if self.begins_with(&ZIP)? {
            let records = Wacz::open(&self.path, &self.name, max_bytes, read)?;
            let form = Form::Table(Table(Box::new(records)));
            return Ok(Input { form, name: self.name.clone(), max_bytes, resumes: true });
        }
        let (input, resumes) = self.decompressed(read)?;
        Ok(Input::new(input, &self.name, max_bytes, resumes))
    }

    /// Returns whether this is a table (Parquet): by its first bytes, or by its name. A pipe is
    /// none, because a table is read from its end.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn is_table(&self) -> io::Result<bool> {
        let may_be = self.bytes.is_some() && self.ranges.is_none();
        let is_named = self.path.extension().is_some_and(|ending| ending == TABLE);
        Ok(may_be && (self.begins_with(&PARQUET)? || is_named))
    }

    /// Returns whether this is a file, not a pipe or a part of one, that begins with these bytes.
    fn begins_with(&self, first: &[u8]) -> io::Result<bool> {
        if self.bytes.is_none() || self.ranges.is_some() {
            return Ok(false);
        }
        let mut start = Vec::new();
        File::open(&self.path)?.take(first.len() as u64).read_to_end(&mut start)?;
        Ok(start == first)
    }

    /// Returns the decompressed bytes, and whether reading can continue after an error.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn decompressed(
        &self,
        read: &Arc<AtomicU64>,
    ) -> io::Result<(Box<dyn MemberRead + Send>, bool)> {
        if let Some(ranges) = &self.ranges {
            let input = Ranges {
                file: File::open(&self.path)?,
                ranges: Arc::clone(ranges),
                next: 0,
                left: 0,
            };
            return decompress(Counted(input, Arc::clone(read)));
        }
        let raw = open_input(&self.path)?;
        let is_compressed =
            self.path.extension().is_some_and(|ending| COMPRESSED.iter().any(|one| ending == *one));
        if is_compressed && self.bytes == Some(0) {
            return Ok((Box::new(Plain(BufReader::new(Cut))), false));
        }
        decompress(Counted(raw, Arc::clone(read)))
    }
}

/// Returns the bytes of an input, decompressed if they begin with the magic number of gzip,
/// Zstandard, XZ or bzip2, and whether reading can continue after an error.
///
/// # Errors
/// Fails if the first bytes cannot be read.
pub fn decompress<'a>(
    raw: impl Read + Send + 'a,
) -> io::Result<(Box<dyn MemberRead + Send + 'a>, bool)> {
    let mut raw = BufReader::with_capacity(BUFFER, raw);
    let mut start: Vec<u8> = raw.fill_buf()?.iter().take(ZSTANDARD.len()).copied().collect();
    let may_become = |start: &[u8]| {
        GZIP.starts_with(start)
            || may_be_zstandard(start)
            || XZ.starts_with(start)
            || start.starts_with(&BZIP2)
            || BZIP2.starts_with(start)
    };
    if start.is_empty() || start.len() == ZSTANDARD.len() || !may_become(&start) {
        return decompressed(&start, raw);
    }
    // A pipe may return single bytes. Read no more than the format detection needs: a process that
    // writes a shorter line waits for the reply.
    start.clear();
    while start.len() < ZSTANDARD.len()
        && may_become(&start)
        && raw.by_ref().take(1).read_to_end(&mut start)? > 0
    {}
    decompressed(
        &start.clone(),
        BufReader::with_capacity(BUFFER, io::Cursor::new(start).chain(raw)),
    )
}

/// Returns whether Zstandard data may begin with these bytes, at most four.
fn may_be_zstandard(start: &[u8]) -> bool {
    ZSTANDARD.starts_with(start)
        || start
            .split_first()
            .is_some_and(|(first, rest)| first >> 4 == 5 && SKIPPABLE.starts_with(rest))
}

fn decompressed<'a>(
    start: &[u8],
    mut raw: impl BufRead + Send + 'a,
) -> io::Result<(Box<dyn MemberRead + Send + 'a>, bool)> {
    let plain = |decoder: Box<dyn Read + Send + 'a>| -> Box<dyn MemberRead + Send + 'a> {
        Box::new(Plain(BufReader::with_capacity(BUFFER, Frames(decoder))))
    };
    let is_bzip2 = start.starts_with(&BZIP2) && start.get(3).is_none_or(u8::is_ascii_digit);
    Ok(if start.starts_with(&GZIP) || start == &GZIP[..1] {
        (Box::new(Members::new(raw)), true)
    } else if start == DICTIONARY {
        let dictionary = dictionary(&mut raw)?;
        let decoder = zstd::stream::read::Decoder::with_dictionary(raw, &dictionary)?;
        (plain(Box::new(decoder)), false)
    } else if start.len() > 1 && may_be_zstandard(start) {
        (plain(Box::new(zstd::stream::read::Decoder::with_buffer(raw)?)), false)
    } else if start.len() > 1 && XZ.starts_with(start) {
        (plain(Box::new(lzma_rust2::XzReader::new(raw, true))), false)
    } else if is_bzip2 {
        (plain(Box::new(bzip2::bufread::MultiBzDecoder::new(raw))), false)
    } else {
        (Box::new(Plain(raw)), false)
    })
}

/// Reads the frame with the dictionary, itself compressed or not, at the beginning of a `.warc.zst`
/// file.
fn dictionary(raw: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = [0; 8];
    raw.read_exact(&mut head)?;
    let length = u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]]));
    let mut frame = Vec::new();
    raw.take(length.min(MAX_DICTIONARY + 1)).read_to_end(&mut frame)?;
    if length > MAX_DICTIONARY {
        let what = format!("its dictionary has {length} bytes; at most {MAX_DICTIONARY} are read");
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    if (frame.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if !frame.starts_with(&ZSTANDARD) {
        return Ok(frame);
    }
    let mut dictionary = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(&*frame)?;
    Frames(decoder.take(MAX_DICTIONARY)).read_to_end(&mut dictionary)?;
    Ok(dictionary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// A reader that returns one byte at a time.
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
        let zstandard = zstd::encode_all(&text[..], 1).expect("memory");
        let skippable = [&[0x5d, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7], zstandard.as_slice()].concat();
        let packed = [gzip.finish().expect("memory"), zstandard, skippable];
        for packed in &packed {
            assert_eq!(read(packed).expect("read"), text);
            // A whole skippable frame is whole data.
            for cut in (2..packed.len() - 1).filter(|cut| packed[0] != 0x5d || *cut != 9) {
                assert!(read(&packed[..cut]).is_err(), "{cut}");
            }
        }
        for plain in ["", "(", "((", "(a", "P", "PX", "a", "{}\n", "a line\n"] {
            assert_eq!(read(plain.as_bytes()).expect("read"), plain.as_bytes());
        }
    }
}
