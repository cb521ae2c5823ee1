//! The index lines of a WARC file's records: plain files, and gzip files with one member per
//! record.

use crate::line::timestamp;
use crate::Line;
use data_encoding::BASE32;
use records::{
    Damage, Damaged, Fault, Fields, Head, MemberRead, Members, Problem, ProblemKind, RecordPlace,
    Scanner, Seekable,
};
use sha1::{Digest, Sha1};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Longest HTTP head, in bytes.
const MAX_HEAD: u64 = 1 << 20;

/// Size of the read buffer, in bytes.
const BUFFER: usize = 1 << 18;

/// First bytes of gzip data, of Zstandard data, and of a WARC file.
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const WARC: &[u8] = b"WARC/";

/// Media type of records that hold named fields.
const FIELDS: &str = "application/warc-fields";

/// Selection of records, as in cdxj-indexer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Records that can be replayed: `response`, `revisit`, `resource` and `metadata`, except for
    /// `application/warc-fields`.
    #[default]
    Replayed,
    /// Every record.
    All,
    /// Records of these types.
    Types(Vec<String>),
}

impl Wanted {
    fn has(&self, kind: &str, content_type: Option<&str>) -> bool {
        match self {
            Self::All => true,
            Self::Types(types) => types.iter().any(|one| one == kind),
            Self::Replayed => match kind {
                "response" | "revisit" => true,
                "resource" | "metadata" => content_type != Some(FIELDS),
                _ => false,
            },
        }
    }
}

/// A record and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Time of the fetch, 14 digits.
    pub timestamp: String,
    /// The fields of its index line, without the file name.
    pub line: Line,
}

/// Why a file was not read to its end. The sentence follows the file's name.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The file is compressed with Zstandard.
    #[error("is Zstandard; allowed are WARC files, plain or with each record a gzip member")]
    Zstandard,
    /// The file does not begin with a record.
    #[error("is not a WARC file; allowed are WARC files, plain or with each record a gzip member")]
    NoWarc,
    /// The first gzip member holds several records.
    #[error("is compressed as a whole, so its records have no places; compress each by itself (warcio recompress)")]
    CompressedAsAWhole,
    /// The input cannot be read, or `take` returned an error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The stop flag was set.
    #[error("stopped")]
    Stopped,
}

/// Name, progress, stop flag and receiver of one file's records.
pub struct Sink<'a> {
    /// Name of the file in messages.
    pub name: &'a str,
    /// Number of bytes read so far.
    pub read: &'a AtomicU64,
    /// Set this flag to stop.
    pub stop: &'a AtomicBool,
    /// Receives each record, and a problem for each skipped one.
    pub take: &'a mut dyn FnMut(Result<Record, Problem>) -> io::Result<()>,
}

/// A file whose reading fails after the stop flag was set.
struct Stoppable<'a, R>(R, &'a AtomicBool);

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        self.0.read(buffer)
    }
}

impl<R: Seek> Seek for Stoppable<'_, R> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.0.seek(position)
    }
}

/// Passes the selected records of a file to `sink.take`, in the order of the file. Damaged records
/// are reported and skipped.
///
/// # Errors
/// Fails if the file is not a WARC file, is compressed as a whole, or cannot be read.
pub fn records<R: Read + Seek>(file: R, wanted: &Wanted, sink: &mut Sink) -> Result<(), Failure> {
    let stop = sink.stop;
    let outcome = read(Stoppable(file, stop), wanted, sink);
    if stop.load(Ordering::Relaxed) {
        return Err(Failure::Stopped);
    }
    outcome
}

/// Determines the format of a file and reads it.
fn read<R: Read + Seek>(file: R, wanted: &Wanted, sink: &mut Sink) -> Result<(), Failure> {
    let mut input = BufReader::with_capacity(BUFFER, file);
    let start = input.fill_buf()?;
    // A file that ends within the first bytes is truncated, not a file of another kind.
    let begins = |magic: &[u8]| {
        start.starts_with(magic) || start.len() < magic.len() && magic.starts_with(start)
    };
    if start.starts_with(ZSTANDARD) {
        Err(Failure::Zstandard)
    } else if begins(GZIP) && !start.is_empty() {
        Indexer { scanner: Scanner::with_places(Members::new(input)), wanted, sink }.read()
    } else if begins(WARC) {
        Indexer { scanner: Scanner::with_places(Seekable::new(input)), wanted, sink }.read()
    } else {
        Err(Failure::NoWarc)
    }
}

/// The result of parsing a record.
enum Parsed {
    /// A selected record, without its place.
    Wanted(Record),
    Other,
    /// A record that cannot be indexed.
    Bad(ProblemKind, &'static str),
}

/// Returns the sentence on damage.
fn describe(damage: &Damage) -> &'static str {
    match damage {
        Damage::Junk { .. } => "these bytes are not a WARC record",
        Damage::Header => "the header has no end, or more than 64 KiB",
        Damage::NoLength => "the header has no Content-Length that is a number",
        Damage::Cut => "the file ends before the record does",
        Damage::Short { .. } => "the gzip member ends before the record does",
        Damage::Several => {
            "a gzip member holds several records, so an index cannot name their places"
        }
        Damage::NoRecord => "a gzip member has no WARC record",
    }
}

/// Reading one file.
struct Indexer<'a, 'b, R> {
    scanner: Scanner<R>,
    wanted: &'a Wanted,
    sink: &'a mut Sink<'b>,
}

impl<R: MemberRead> Indexer<'_, '_, R> {
    /// Reads the records to the end of the file.
    fn read(&mut self) -> Result<(), Failure> {
        let (mut is_first, mut furthest) = (true, 0);
        loop {
            match self.record() {
                Ok(None) => return Ok(()),
                Ok(Some(Ok(Some(record)))) => (self.sink.take)(Ok(record))?,
                Ok(Some(Ok(None))) => {}
                Ok(Some(Err(Damage::NoRecord))) if is_first => return Err(Failure::NoWarc),
                Ok(Some(Err(Damage::Several))) if is_first => {
                    return Err(Failure::CompressedAsAWhole)
                }
                Ok(Some(Err(damage))) => self.damaged(&damage)?,
                Err(error) => self.broken(error)?,
            }
            is_first = false;
            let position = self.scanner.position().unwrap_or_default();
            self.sink.read.fetch_add(position.saturating_sub(furthest), Ordering::Relaxed);
            furthest = position.max(furthest);
            if self.sink.stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
        }
    }

    /// Reads the next record; `None` at the end of the file, and no record if it is not selected or
    /// cannot be indexed.
    fn record(&mut self) -> io::Result<Option<Result<Option<Record>, Damage>>> {
        let head = match self.scanner.head()? {
            None => return Ok(None),
            Some(Err(damage)) => return Ok(Some(Err(damage))),
            Some(Ok(head)) => head,
        };
        let parsed = parse(&head, &mut self.scanner.block(), self.wanted)?;
        let place = match self.scanner.finish()? {
            Err(damage) => return Ok(Some(Err(damage))),
            Ok(place) => place,
        };
        Ok(Some(Ok(match (parsed, place) {
            (Parsed::Wanted(record), Some(place)) => Some(placed(record, place)),
            (Parsed::Bad(kind, what), _) => {
                self.problem(self.scanner.offset(), kind, what)?;
                None
            }
            (Parsed::Wanted(_), None) | (Parsed::Other, _) => None,
        })))
    }

    fn damaged(&mut self, damage: &Damage) -> io::Result<()> {
        let at = match damage {
            Damage::Junk { at, .. } => *at,
            _ => self.scanner.offset(),
        };
        // Only the end of a file hides other records from an index.
        let kind =
            if *damage == Damage::Cut { ProblemKind::CutShort } else { ProblemKind::BrokenWarc };
        self.problem(at, kind, describe(damage))
    }

    /// Reports damaged gzip data.
    ///
    /// # Errors
    /// Returns other errors.
    fn broken(&mut self, error: io::Error) -> io::Result<()> {
        let Some(damaged) = Damaged::of(&error) else { return Err(error) };
        let what = if damaged.is_cut {
            "the file ends before the record does"
        } else {
            "gzip data is damaged"
        };
        self.problem(Some(damaged.at), ProblemKind::BrokenCompression, what)
    }

    fn problem(&mut self, at: Option<u64>, kind: ProblemKind, why: &'static str) -> io::Result<()> {
        let place = format!("{}, record at byte {}", self.sink.name, at.unwrap_or_default());
        (self.sink.take)(Err(Fault::NotIndexed { kind, why }.at(place)))
    }
}

fn placed(mut record: Record, place: RecordPlace) -> Record {
    (record.line.offset, record.line.length) = (place.offset.to_string(), place.length.to_string());
    record
}

/// Parses a record, and reads its block as far as the index needs it.
fn parse(head: &Head, block: &mut impl BufRead, wanted: &Wanted) -> io::Result<Parsed> {
    let field = |name| head.fields.get(name);
    let kind = field("warc-type").unwrap_or_default();
    if !wanted.has(kind, field("content-type")) {
        return Ok(Parsed::Other);
    }
    let (url, timestamp) = key_fields(head);
    let is_http =
        url.as_ref().is_some_and(|url| url.starts_with("http:") || url.starts_with("https:"));
    let mut http = None;
    if head.length > 0 && is_http && matches!(kind, "response" | "request" | "revisit") {
        http = http_head(block, head.length)?;
        if http.is_none() {
            return Ok(Parsed::Bad(ProblemKind::BrokenHttp, "the HTTP head has more than 1 MiB"));
        }
    }
    let mut digest =
        field("warc-payload-digest").filter(|digest| !digest.is_empty()).map(str::to_owned);
    if digest.is_none() && !matches!(kind, "warcinfo" | "revisit") {
        digest = Some(format!("sha1:{}", BASE32.encode(sha1(block)?.as_ref())));
    }
    let Some(timestamp) = timestamp else {
        return Ok(Parsed::Bad(
            ProblemKind::BrokenWarc,
            "the header has no WARC-Date that is a time",
        ));
    };
    let mime = match (kind, &http) {
        ("revisit", _) => Some("warc/revisit"),
        ("response" | "request", http) => {
            http.as_ref().and_then(|(_, fields)| fields.get("content-type"))
        }
        _ => field("content-type"),
    };
    let mime = mime.map(|mime| {
        mime.split(|c: char| c == ';' || c.is_whitespace()).next().unwrap_or_default().to_owned()
    });
    let status = http
        .as_ref()
        .filter(|_| kind != "request")
        .and_then(|(first, _)| first.split_ascii_whitespace().nth(1));
    let status = status
        .filter(|status| status.len() == 3 && status.bytes().all(|byte| byte.is_ascii_digit()));
    let line = Line { url, mime, status: status.map(str::to_owned), digest, ..Line::default() };
    Ok(Parsed::Wanted(Record { timestamp, line }))
}

/// Returns the URL and the time (14 digits) of a record, as they are in the index.
pub fn key_fields(head: &Head) -> (Option<String>, Option<String>) {
    (
        head.url().map(|url| url.replace(' ', "%20")),
        head.fields.get("warc-date").and_then(timestamp),
    )
}

/// Reads the first line and the fields of an HTTP message; `None` if they have more than 1 MiB.
fn http_head(block: &mut impl BufRead, length: u64) -> io::Result<Option<(String, Fields)>> {
    let most = length.min(MAX_HEAD);
    let mut block = block.take(most);
    let (first, whole) = Fields::line(&mut block)?;
    let fields = if first.is_empty() && whole {
        Some(Fields::default())
    } else {
        Fields::read(&mut block, MAX_HEAD)?
    };
    // A response may consist of its head alone, without the final empty line.
    if fields.is_none() && most - block.limit() == MAX_HEAD {
        return Ok(None);
    }
    Ok(Some((first, fields.unwrap_or_default())))
}

/// Returns the SHA-1 of the rest of a block.
fn sha1(block: &mut impl BufRead) -> io::Result<impl AsRef<[u8]>> {
    let mut sum = Sha1::new();
    loop {
        let bytes = match block.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() {
            return Ok(sum.finalize());
        }
        sum.update(bytes);
        let length = bytes.len();
        block.consume(length);
    }
}
