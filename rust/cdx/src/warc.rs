//! The records of WARC files (ISO 28500) with their places: plain files, and gzip files with a member for each record.

use crate::line::timestamp;
use crate::Line;
use data_encoding::BASE32;
use flate2::bufread::GzDecoder;
use records::{payload, Problem, ProblemKind};
use sha1::{Digest, Sha1};
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Most bytes of a record's header.
const MAX_HEADER: u64 = 1 << 16;

/// Most bytes of an HTTP head.
const MAX_HEAD: u64 = 1 << 20;

/// Bytes of a file that are read at a time.
const BUFFER: usize = 1 << 18;

/// How a gzip member begins: magic and the only method there is.
const MEMBER: [u8; 3] = [0x1f, 0x8b, 8];

/// Most bytes of what may be a member that are read to see whether a record is in it.
const PROBED: u64 = 1 << 16;

/// Bytes that may be read again because of damage, beside as many as were read.
const AGAIN: u64 = 16 << 20;

/// Type of records that hold named figures.
const FIELDS: &str = "application/warc-fields";

/// Which records are wanted, as cdxj-indexer has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Wanted {
    /// What can be replayed: `response`, `revisit`, `resource` and `metadata`, but no named figures.
    #[default]
    Replayed,
    /// Every record.
    All,
    /// Those of these types.
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
    /// When it was fetched, 14 digits.
    pub timestamp: String,
    /// The rest of its line, but for the file's name.
    pub line: Line,
}

/// Why a file was not read to its end.
#[derive(Debug)]
pub enum Failure {
    /// It has no records with places, as a sentence tells.
    Unusable(String),
    /// It could not be read, or what was found not be taken.
    Io(io::Error),
    /// The flag was set.
    Stopped,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What is told while a file is read.
pub struct Told<'a> {
    /// What messages call the file.
    pub name: &'a str,
    /// Bytes that were read.
    pub read: &'a AtomicU64,
    /// Ends the work.
    pub stop: &'a AtomicBool,
    /// Takes the records, and what is wrong where one is passed over.
    pub take: &'a mut dyn FnMut(Result<Record, Problem>) -> io::Result<()>,
}

/// Gives the wanted records of a file in their order. What is damaged is told and passed over.
///
/// # Errors
/// When the file is no WARC file, is compressed as a whole, or cannot be read.
pub fn records<R: Read + Seek>(file: R, wanted: &Wanted, told: &mut Told) -> Result<(), Failure> {
    let mut input = Counted { input: BufReader::with_capacity(BUFFER, file), position: 0 };
    let start = input.fill_buf()?;
    let begins = |magic: &[u8]| start.starts_with(magic);
    if begins(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Err(Failure::Unusable(
            "is Zstandard; allowed are WARC files, plain or with each record a gzip member".to_owned(),
        ));
    }
    // A file that ends within the first bytes is cut off, and no file of another kind.
    let cut = |magic: &[u8]| start.len() < magic.len() && magic.starts_with(start);
    if begins(&MEMBER[..2]) || cut(&MEMBER[..2]) && !start.is_empty() {
        members(&mut input, wanted, told)
    } else if begins(b"WARC/") || cut(b"WARC/") {
        plain(&mut input, wanted, told)
    } else {
        Err(no_warc())
    }
}

fn no_warc() -> Failure {
    Failure::Unusable("is no WARC file; allowed are WARC files, plain or with each record a gzip member".to_owned())
}

/// Knows how far it is.
struct Counted<R> {
    input: BufReader<R>,
    position: u64,
}

impl<R: Read + Seek> Counted<R> {
    fn go_to(&mut self, position: u64) -> io::Result<()> {
        self.input.seek_relative(position as i64 - self.position as i64)?;
        self.position = position;
        Ok(())
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl<R: Read> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.position += amount as u64;
        self.input.consume(amount);
    }
}

/// What was found where a record may begin. The input is then behind its block.
enum Parsed {
    /// A wanted record, without its place.
    Wanted(Record),
    Other,
    /// It ends before its block does.
    Short,
    /// It is none that can be indexed.
    Bad(ProblemKind, &'static str),
}

fn told_bad(told: &mut Told, at: u64, kind: ProblemKind, what: &str) -> Result<(), Failure> {
    let place = format!("{}, record at byte {at}", told.name);
    Ok((told.take)(Err(Problem { kind, place, what: what.to_owned() }))?)
}

fn give(told: &mut Told, mut record: Record, offset: u64, length: u64) -> Result<(), Failure> {
    (record.line.offset, record.line.length) = (offset.to_string(), length.to_string());
    Ok((told.take)(Ok(record))?)
}

/// Notes how far it is, and whether to go on.
fn go_on(told: &Told, from: u64, to: u64) -> Result<(), Failure> {
    told.read.fetch_add(to.saturating_sub(from), Ordering::Relaxed);
    if told.stop.load(Ordering::Relaxed) {
        return Err(Failure::Stopped);
    }
    Ok(())
}

/// The records of a plain file.
fn plain<R: Read + Seek>(input: &mut Counted<R>, wanted: &Wanted, told: &mut Told) -> Result<(), Failure> {
    // Whether what lies between records was told to be no record.
    let (mut lost, mut whole_line, mut line) = (false, true, Vec::new());
    loop {
        let start = input.position;
        let begins = whole_line && input.fill_buf()?.first() == Some(&b'W');
        line.clear();
        input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        let is_record = begins && line.starts_with(b"WARC/");
        whole_line = line.last() == Some(&b'\n');
        if !is_record {
            if !lost && !line.trim_ascii().is_empty() {
                told_bad(told, start, ProblemKind::BrokenWarc, "what should be a WARC record is none")?;
                lost = true;
            }
            go_on(told, start, input.position)?;
            continue;
        }
        lost = false;
        let parsed = record(input, wanted)?;
        let length = input.position - start;
        match parsed {
            Parsed::Wanted(record) => give(told, record, start, length)?,
            Parsed::Other => {}
            Parsed::Short => told_bad(told, start, ProblemKind::CutShort, "the file ends before the record does")?,
            Parsed::Bad(kind, what) => {
                lost = true;
                told_bad(told, start, kind, what)?;
            }
        }
        go_on(told, start, input.position)?;
    }
}

/// What a member holds behind its record.
enum Rest {
    Nothing,
    Another,
}

/// The records of a gzip file.
fn members<R: Read + Seek>(input: &mut Counted<R>, wanted: &Wanted, told: &mut Told) -> Result<(), Failure> {
    let (mut first, mut again, mut furthest) = (true, 0, 0);
    loop {
        pass_zeros(input)?;
        let start = input.position;
        if input.fill_buf()?.is_empty() {
            return Ok(());
        }
        let mut member = BufReader::with_capacity(1 << 15, GzDecoder::new(&mut *input));
        let outcome = member_record(&mut member, wanted, first);
        drop(member);
        match outcome {
            Ok((None, _)) if first => return Err(no_warc()),
            Ok((None, _)) => told_bad(told, start, ProblemKind::BrokenWarc, "a gzip member holds no WARC record")?,
            Ok((Some(_), Rest::Another)) if first => {
                return Err(Failure::Unusable(
                    "is compressed as a whole, so its records have no places; compress each by itself (warcio recompress)".to_owned(),
                ));
            }
            Ok((Some(_), Rest::Another)) => {
                let what = "a gzip member holds several records, which have no places";
                told_bad(told, start, ProblemKind::BrokenWarc, what)?;
            }
            Ok((Some(Parsed::Wanted(record)), Rest::Nothing)) => give(told, record, start, input.position - start)?,
            Ok((Some(Parsed::Other), Rest::Nothing)) => {}
            Ok((Some(Parsed::Short), Rest::Nothing)) => {
                told_bad(told, start, ProblemKind::BrokenWarc, "the gzip member ends before the record does")?;
            }
            Ok((Some(Parsed::Bad(kind, what)), Rest::Nothing)) => told_bad(told, start, kind, what)?,
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof
                ) =>
            {
                let what = match error.kind() {
                    ErrorKind::UnexpectedEof => "the file ends before the record does",
                    _ => "gzip data is damaged",
                };
                told_bad(told, start, ProblemKind::BrokenCompression, what)?;
                // A damaged member may have swallowed the next one's beginning. No file makes this take longer than a few readings.
                again += input.position - start;
                if again <= input.position + AGAIN {
                    input.go_to(start + 1)?;
                }
                if !next_member(input, &mut again)? {
                    return Ok(());
                }
            }
            Err(error) => return Err(error.into()),
        }
        first = false;
        go_on(told, furthest, input.position)?;
        furthest = input.position.max(furthest);
    }
}

/// What a member holds, read to its end unless it holds a second record behind the first of its file. None if it is no record.
fn member_record(member: &mut impl BufRead, wanted: &Wanted, first: bool) -> io::Result<(Option<Parsed>, Rest)> {
    let mut line = Vec::new();
    member.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
    let parsed = if line.starts_with(b"WARC/") { Some(record(&mut Streamed(&mut *member), wanted)?) } else { None };
    // What follows, without blank lines.
    let mut start: Vec<u8> = Vec::new();
    loop {
        let bytes = match member.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() {
            break;
        }
        if start.len() < 5 {
            let from = if start.is_empty() { bytes.len() - bytes.trim_ascii_start().len() } else { 0 };
            start.extend(bytes[from..].iter().take(5 - start.len()));
        }
        let length = bytes.len();
        member.consume(length);
        if first && start == b"WARC/" {
            break;
        }
    }
    let several = parsed.is_some() && start == b"WARC/";
    Ok((parsed, if several { Rest::Another } else { Rest::Nothing }))
}

/// Passes over zeros, with which some disks and tapes pad files.
fn pass_zeros<R: Read + Seek>(input: &mut Counted<R>) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let all = zeros == bytes.len();
        input.consume(zeros);
        if !all || zeros == 0 {
            return Ok(());
        }
    }
}

/// Goes on to the next member with a record in it; false if there is none, or `again` says that too much was read more than once.
fn next_member<R: Read + Seek>(input: &mut Counted<R>, again: &mut u64) -> io::Result<bool> {
    let mut matched = 0;
    loop {
        let Some(&byte) = input.fill_buf()?.first() else { return Ok(false) };
        input.consume(1);
        if byte == MEMBER[matched] {
            matched += 1;
        } else {
            matched = usize::from(byte == MEMBER[0]);
        }
        if matched < MEMBER.len() {
            continue;
        }
        matched = 0;
        let start = input.position - MEMBER.len() as u64;
        input.go_to(start)?;
        let mut begins = [0; 5];
        let probe = GzDecoder::new(input.by_ref().take(PROBED)).read_exact(&mut begins);
        *again += input.position - start;
        if *again > input.position + AGAIN {
            return Ok(false);
        }
        let is_record = probe.is_ok() && &begins == b"WARC/";
        input.go_to(if is_record { start } else { start + MEMBER.len() as u64 })?;
        if is_record {
            return Ok(true);
        }
    }
}

/// An input in which bytes can be passed over.
trait Pass: BufRead {
    /// Passes over so many bytes; answers how many there were.
    fn pass(&mut self, bytes: u64) -> io::Result<u64>;
}

impl<R: Read + Seek> Pass for Counted<R> {
    fn pass(&mut self, bytes: u64) -> io::Result<u64> {
        let buffered = self.input.buffer().len() as u64;
        if bytes > buffered {
            // Of a file, nothing that is not needed is read.
            let end = self.input.get_mut().seek(SeekFrom::End(0))?;
            let bytes = bytes.min(end.saturating_sub(self.position));
            self.position += bytes;
            self.input.seek(SeekFrom::Start(self.position))?;
            return Ok(bytes);
        }
        self.go_to(self.position + bytes)?;
        Ok(bytes)
    }
}

/// An input that has to be read to be passed over.
struct Streamed<'a, R>(&'a mut R);

impl<R: BufRead> Read for Streamed<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: BufRead> BufRead for Streamed<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

impl<R: BufRead> Pass for Streamed<'_, R> {
    fn pass(&mut self, bytes: u64) -> io::Result<u64> {
        io::copy(&mut self.0.by_ref().take(bytes), &mut io::sink())
    }
}

/// A record behind its first line.
fn record(input: &mut impl Pass, wanted: &Wanted) -> io::Result<Parsed> {
    let bad = |what| Ok(Parsed::Bad(ProblemKind::BrokenWarc, what));
    let Some(header) = Fields::read(input, MAX_HEADER)? else {
        return bad("the header has no end, or more than 64 KiB");
    };
    let Some(length) = header.get("content-length").and_then(|length| length.parse::<u64>().ok()) else {
        return bad("the header has no Content-Length that is a number");
    };
    let kind = header.get("warc-type").unwrap_or_default();
    if !wanted.has(kind, header.get("content-type")) {
        return Ok(if input.pass(length)? == length { Parsed::Other } else { Parsed::Short });
    }
    let url = header.get("warc-target-uri").map(address);
    let is_http = url.as_ref().is_some_and(|url| url.starts_with("http:") || url.starts_with("https:"));
    let mut left = length;
    let mut http = None;
    if length > 0 && is_http && matches!(kind, "response" | "request" | "revisit") {
        let mut block = input.by_ref().take(length.min(MAX_HEAD));
        let (first, whole) = header_line(&mut block)?;
        let fields =
            if first.is_empty() && whole { Some(Fields::default()) } else { Fields::read(&mut block, MAX_HEAD)? };
        let read = length.min(MAX_HEAD) - block.limit();
        left -= read;
        // An answer may be nothing but its head, without the empty line at its end.
        if fields.is_none() && read == MAX_HEAD {
            input.pass(left)?;
            return Ok(Parsed::Bad(ProblemKind::BrokenHttp, "the HTTP head has more than 1 MiB"));
        }
        http = Some((first, fields.unwrap_or_default()));
    }
    let mut digest = header.get("warc-payload-digest").filter(|digest| !digest.is_empty()).map(str::to_owned);
    let passed = if digest.is_none() && !matches!(kind, "warcinfo" | "revisit") {
        let mut sum = Sha1::new();
        let passed = copy(&mut input.by_ref().take(left), &mut sum)?;
        digest = Some(format!("sha1:{}", BASE32.encode(&sum.finalize())));
        passed
    } else {
        input.pass(left)?
    };
    if passed < left {
        return Ok(Parsed::Short);
    }
    let Some(timestamp) = header.get("warc-date").and_then(timestamp) else {
        return bad("the header has no WARC-Date that is a time");
    };
    let mime = match (kind, &http) {
        ("revisit", _) => Some("warc/revisit"),
        ("response" | "request", http) => http.as_ref().and_then(|(_, fields)| fields.get("content-type")),
        _ => header.get("content-type"),
    };
    let mime =
        mime.map(|mime| mime.split(|c: char| c == ';' || c.is_whitespace()).next().unwrap_or_default().to_owned());
    let status =
        http.as_ref().filter(|_| kind != "request").and_then(|(first, _)| first.split_ascii_whitespace().nth(1));
    let status = status.filter(|status| status.len() == 3 && status.bytes().all(|byte| byte.is_ascii_digit()));
    let line = Line { url, mime, status: status.map(str::to_owned), digest, ..Line::default() };
    Ok(Parsed::Wanted(Record { timestamp, line }))
}

/// An address without what some writers put around and into it.
fn address(uri: &str) -> String {
    let uri = uri.strip_prefix('<').and_then(|uri| uri.strip_suffix('>')).unwrap_or(uri);
    uri.replace(' ', "%20")
}

fn copy(input: &mut impl Read, sum: &mut Sha1) -> io::Result<u64> {
    let (mut buffer, mut copied) = ([0; 1 << 13], 0);
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(copied),
            Ok(read) => {
                sum.update(&buffer[..read]);
                copied += read as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A line as text, without blanks at its end, and whether there was one.
fn header_line(input: &mut impl BufRead) -> io::Result<(String, bool)> {
    let mut line = Vec::new();
    input.read_until(b'\n', &mut line)?;
    let whole = !line.is_empty();
    // What is not UTF-8 is Latin-1.
    let text = String::from_utf8(line).unwrap_or_else(|bad| bad.as_bytes().iter().copied().map(char::from).collect());
    Ok((text.trim_end().to_owned(), whole))
}

/// Named fields of a header, read as leniently as warcio does.
#[derive(Debug, Default)]
struct Fields(Vec<(String, String)>);

impl Fields {
    /// Fields up to an empty line. None if there is none within so many bytes, or before the input's end.
    fn read(input: &mut impl BufRead, most: u64) -> io::Result<Option<Self>> {
        let mut input = input.take(most);
        let mut fields: Vec<(String, String)> = Vec::new();
        loop {
            let (line, whole) = header_line(&mut input)?;
            if line.is_empty() {
                return Ok(whole.then_some(Self(fields)));
            }
            match (fields.last_mut(), line.split_once(':')) {
                (Some((_, value)), _) if line.starts_with([' ', '\t']) => value.push_str(&line),
                (_, Some((name, value))) => {
                    fields.push((name.trim_end().to_ascii_lowercase(), value.trim_start().to_owned()));
                }
                (_, None) => {}
            }
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }
}

/// A record that was looked up.
#[derive(Debug)]
pub struct Whole {
    /// As it is in the file, decompressed.
    pub bytes: Vec<u8>,
    /// Its address.
    pub url: Option<String>,
    /// When it was fetched, 14 digits.
    pub timestamp: Option<String>,
    /// Its type.
    pub kind: String,
    block: usize,
    is_http: bool,
}

impl Whole {
    /// The record at a place, of at most so many bytes.
    ///
    /// # Errors
    /// A sentence without the file's name, when there is no whole record.
    pub fn read(mut file: File, offset: u64, length: u64, max_bytes: u64) -> Result<Self, String> {
        let has = file.metadata().map_err(|error| error.to_string())?.len();
        if offset.checked_add(length).is_none_or(|end| end > has) {
            return Err(format!("is cut off: it has {has} bytes, and the index says that {length} bytes from byte {offset} on are a record"));
        }
        let mut bytes = Vec::new();
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| {
            let mut part = BufReader::new(file.take(length));
            match part.fill_buf()?.starts_with(&MEMBER) {
                true => GzDecoder::new(part).take(max_bytes.saturating_add(1)).read_to_end(&mut bytes),
                false => part.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes),
            }
        });
        let none = || format!("has no record at byte {offset}: it is not the file that was indexed, or damaged");
        match read {
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof
                ) =>
            {
                return Err(none());
            }
            read => drop(read.map_err(|error| error.to_string())?),
        }
        if bytes.len() as u64 > max_bytes {
            return Err(format!("the record at byte {offset} is longer than {max_bytes} bytes (--max-bytes)"));
        }
        let mut rest = bytes.as_slice();
        let (first, _) = header_line(&mut rest).map_err(|error| error.to_string())?;
        let header = Fields::read(&mut rest, MAX_HEADER).map_err(|error| error.to_string())?;
        let Some(header) = header.filter(|_| first.starts_with("WARC/")) else { return Err(none()) };
        let block = bytes.len() - rest.len();
        let content = header.get("content-length").and_then(|length| length.parse::<usize>().ok()).ok_or_else(none)?;
        let end = block.checked_add(content).filter(|&end| end <= bytes.len()).ok_or_else(none)?;
        let is_http =
            header.get("content-type").is_some_and(|kind| kind.to_ascii_lowercase().starts_with("application/http"));
        let url = header.get("warc-target-uri").map(address);
        let timestamp = header.get("warc-date").and_then(timestamp);
        let kind = header.get("warc-type").unwrap_or_default().to_owned();
        bytes.truncate(end);
        Ok(Self { bytes, url, timestamp, kind, block, is_http })
    }

    /// The page, decoded as it came over the wire; of what is no HTTP answer the record's block.
    pub fn payload(&self, max_bytes: u64) -> Vec<u8> {
        let block = &self.bytes[self.block..];
        let decoded = if self.is_http { payload(block, max_bytes) } else { None };
        decoded.unwrap_or_else(|| block.to_vec())
    }
}
