//! The one loop over the records of a WARC file (ISO 28500), for pages and for places.

use crate::fields::Fields;
use crate::input::{pass_by_reading, MemberRead};
use crate::record::ProblemKind;
use std::io::{self, BufRead, ErrorKind, Read};

/// Longest header of a record, in bytes.
pub(crate) const MAX_HEADER: u64 = 1 << 16;

/// First bytes of a record.
pub(crate) const RECORD: &[u8] = b"WARC/";

/// The header of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Named fields of the header, in their order.
    pub fields: Fields,
    /// Length of the block, in bytes.
    pub length: u64,
}

impl Head {
    /// Returns the URL. Some writers put angle brackets around it.
    pub fn url(&self) -> Option<&str> {
        let uri = self.fields.get("warc-target-uri")?;
        Some(uri.strip_prefix('<').and_then(|uri| uri.strip_suffix('>')).unwrap_or(uri))
    }
}

/// The place of a record in its file: what a reader decompresses to get the record alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPlace {
    /// Offset of the record, or of its gzip member, in bytes.
    pub offset: u64,
    /// Length of the record, or of its gzip member, in bytes.
    pub length: u64,
}

/// Bytes that are not a complete record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Bytes between two records.
    #[error("{bytes} bytes are not a WARC record{}", after(*.overrun))]
    Junk {
        /// Their offset, if it is known.
        at: Option<u64>,
        /// Bytes that were skipped.
        bytes: u64,
        /// Whether they follow a block without a line end, so that the block's length must be
        /// wrong.
        overrun: bool,
    },
    /// The header has no end, or more than 64 KiB.
    #[error("a WARC record has an invalid header")]
    Header,
    /// The header has no Content-Length that is a number.
    #[error("a WARC record has no Content-Length")]
    NoLength,
    /// The input ends before the record does.
    #[error("a WARC record ends early")]
    Cut,
    /// The gzip member ends before the block does.
    #[error("its Content-Length is {length}, but its gzip member has {read} bytes of the block")]
    Short {
        /// Length of the block by the header.
        length: u64,
        /// Bytes of the block in the member.
        read: u64,
    },
    /// A gzip member holds several records, so they have no places.
    #[error("a gzip member holds several records, so an index cannot name their places")]
    Several,
    /// A gzip member holds no record.
    #[error("a gzip member has no WARC record")]
    NoRecord,
}

/// Returns the cause of bytes behind a block that is followed by no line end.
fn after(overrun: bool) -> &'static str {
    if overrun {
        "; the Content-Length of the record before them is wrong"
    } else {
        ""
    }
}

impl Damage {
    /// Returns the kind of problem.
    pub fn kind(&self) -> ProblemKind {
        match self {
            Self::Junk { overrun: true, .. } => ProblemKind::WrongLength,
            Self::Cut => ProblemKind::CutShort,
            _ => ProblemKind::BrokenWarc,
        }
    }
}

/// An input, or its current gzip member alone.
#[derive(Debug)]
struct Bounded<R> {
    input: R,
    in_member: bool,
}

impl<R: MemberRead> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: MemberRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.in_member && self.input.at_member_end()? {
            return Ok(&[]);
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.input.consume(amount);
    }
}

/// A reader of the records of an input, one after the other. After [`head`](Self::head), read the
/// [`block`](Self::block) or a part of it, then call [`finish`](Self::finish).
///
/// After an error that is not [`Interrupted`](ErrorKind::Interrupted), the next record is searched
/// behind the damage.
#[derive(Debug)]
pub struct Scanner<R> {
    input: Bounded<R>,
    /// Whether a record must be readable by its place.
    places: bool,
    /// Offset of the current record.
    offset: Option<u64>,
    /// Gzip member in which it begins.
    member: Option<u64>,
    /// Length of its block, and the part that was not read yet.
    length: u64,
    left: u64,
    /// Whether a gzip member begins with a record within the block.
    short: bool,
    /// Whether its block was read, and nothing behind it.
    behind_block: bool,
    /// Whether the bytes up to the next record belong to damage that was reported.
    lost: bool,
    /// Whether the first line of a record was already read.
    begun: bool,
    /// Whether bytes of the current gzip member were read.
    inside: bool,
}

impl<R: MemberRead> Scanner<R> {
    /// Creates a reader of records wherever they begin: a gzip member may hold several, and a
    /// record may go on in the next member.
    pub fn new(input: R) -> Self {
        Self {
            input: Bounded { input, in_member: false },
            places: false,
            offset: None,
            member: None,
            length: 0,
            left: 0,
            short: false,
            behind_block: false,
            lost: false,
            begun: false,
            inside: false,
        }
    }

    /// Creates a reader of records that can be read by their place: in a gzip file, a record must
    /// be alone in its member.
    pub fn with_places(input: R) -> Self {
        let in_member = input.member().is_some();
        let mut scanner = Self::new(input);
        (scanner.places, scanner.input.in_member) = (true, in_member);
        scanner
    }

    /// Returns the offset of the current record, or of its gzip member; `None` if it is unknown.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// Returns the offset up to which a plain file was read, or the offset of the current gzip
    /// member.
    pub fn position(&self) -> Option<u64> {
        self.input.input.offset()
    }

    /// Skips to the next record and reads its header; `None` at the end of the input.
    ///
    /// # Errors
    /// Fails if the input cannot be read or its compressed data is damaged.
    pub fn head(&mut self) -> io::Result<Option<Result<Head, Damage>>> {
        let head = self.next_head();
        self.lost |= head.is_err();
        head
    }

    fn next_head(&mut self) -> io::Result<Option<Result<Head, Damage>>> {
        if !std::mem::take(&mut self.begun) {
            match if self.input.in_member { self.seek_member()? } else { self.seek()? } {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(damage) => return Ok(Some(Err(damage))),
            }
        }
        self.member = self.input.input.member();
        (self.lost, self.length, self.left, self.short) = (false, 0, 0, false);
        let Some(fields) = Fields::read(&mut self.input, MAX_HEADER)? else {
            if !self.input.in_member && self.input.fill_buf()?.is_empty() {
                return Ok(Some(Err(Damage::Cut)));
            }
            return self.bad_header(Damage::Header);
        };
        let Some(length) = fields.get("content-length").and_then(|length| length.parse().ok())
        else {
            return self.bad_header(Damage::NoLength);
        };
        (self.length, self.left) = (length, length);
        Ok(Some(Ok(Head { fields, length })))
    }

    /// Skips the bytes after a header without a length, because nothing marks the end of its block.
    fn bad_header(&mut self, damage: Damage) -> io::Result<Option<Result<Head, Damage>>> {
        self.lost = !self.input.in_member;
        if self.input.in_member && self.pass_member()? {
            return Ok(Some(Err(Damage::Several)));
        }
        Ok(Some(Err(damage)))
    }

    /// Returns the next line with its line end, truncated at the limit; empty at the end of the
    /// input.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        Ok(line)
    }

    /// Skips to the next record and reads its first line. Returns false at the end of the input,
    /// and the damage if other bytes were skipped.
    fn seek(&mut self) -> io::Result<Result<bool, Damage>> {
        let overrun = std::mem::take(&mut self.behind_block)
            && !matches!(self.input.fill_buf()?.first(), None | Some(b'\r' | b'\n' | b'W'));
        let (mut whole_line, mut skipped, mut at) = (true, 0, None);
        loop {
            self.offset = self.input.input.offset();
            let line = self.line()?;
            let found = whole_line && line.starts_with(RECORD);
            if !line.is_empty() && !found {
                whole_line = line.last() == Some(&b'\n');
                if skipped > 0 || !line.trim_ascii().is_empty() {
                    at = at.or(self.offset);
                    skipped += line.len() as u64;
                }
                continue;
            }
            if skipped > 0 && !self.lost {
                self.begun = found;
                return Ok(Err(Damage::Junk { at, bytes: skipped, overrun }));
            }
            return Ok(Ok(found));
        }
    }

    /// Begins the next gzip member and reads its first line. Returns false at the end of the input.
    fn seek_member(&mut self) -> io::Result<Result<bool, Damage>> {
        loop {
            // After an error nothing is passed: the member after the damage may have begun already.
            if std::mem::take(&mut self.inside) {
                while self.pass_member()? {}
            }
            if self.input.input.fill_buf()?.is_empty() {
                return Ok(Ok(false));
            }
            self.inside = true;
            self.offset = self.input.input.offset();
            if self.line()?.starts_with(RECORD) {
                return Ok(Ok(true));
            }
            if !self.lost {
                while self.pass_member()? {}
                return Ok(Err(Damage::NoRecord));
            }
        }
    }

    /// Reads to the end of the current gzip member, or to the start of a record behind blank lines.
    /// Returns whether there is one.
    fn pass_member(&mut self) -> io::Result<bool> {
        let mut start: Vec<u8> = Vec::new();
        loop {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                return Ok(false);
            }
            if start.len() < RECORD.len() {
                let from =
                    if start.is_empty() { bytes.len() - bytes.trim_ascii_start().len() } else { 0 };
                start.extend(bytes[from..].iter().take(RECORD.len() - start.len()));
            }
            let length = bytes.len();
            self.input.consume(length);
            if start == RECORD {
                return Ok(true);
            }
        }
    }

    /// Returns the unread part of the current record's block. It ends early if the input or the
    /// gzip member does.
    pub fn block(&mut self) -> Block<'_, R> {
        Block(self)
    }

    /// Reads on to the next record if other bytes than a line end follow the block, whose length is
    /// too small then, and adds them. It stops behind the line with which the content has more than
    /// `most` bytes; the rest is damage.
    ///
    /// # Errors
    /// Fails if the input cannot be read or its compressed data is damaged.
    pub fn read_on(&mut self, content: &mut Vec<u8>, most: u64) -> io::Result<()> {
        // A block that holds a record is too long instead, and what follows is of another one.
        let holds_record = content
            .windows(RECORD.len() + 1)
            .any(|bytes| bytes[0] == b'\n' && &bytes[1..] == RECORD);
        if self.left > 0 || self.short || holds_record {
            return Ok(());
        }
        let is_other = !matches!(self.input.fill_buf()?.first(), None | Some(b'\r' | b'\n' | b'W'));
        let mut at_line = false;
        while is_other
            && content.len() as u64 <= most
            && !self.input.fill_buf()?.is_empty()
            && self.input.input.member() == self.member
        {
            let line = self.line()?;
            self.begun = at_line && line.starts_with(RECORD);
            if self.begun {
                break;
            }
            at_line = line.last() == Some(&b'\n');
            content.extend(line);
        }
        if is_other {
            content.truncate(content.trim_ascii_end().len());
        }
        Ok(())
    }

    /// Skips the rest of the current record's block and returns the record's place, if it is known;
    /// or the damage if the block is not complete.
    ///
    /// # Errors
    /// Fails if the input cannot be read or its compressed data is damaged.
    pub fn finish(&mut self) -> io::Result<Result<Option<RecordPlace>, Damage>> {
        let place = self.pass_record();
        self.lost |= place.is_err();
        place
    }

    fn pass_record(&mut self) -> io::Result<Result<Option<RecordPlace>, Damage>> {
        if self.places && !self.input.in_member {
            self.left -= self.input.input.pass(self.left)?;
        } else {
            pass_by_reading(&mut self.block(), u64::MAX)?;
        }
        if self.input.in_member && self.pass_member()? {
            return Ok(Err(Damage::Several));
        }
        if self.left > 0 {
            let read = self.length - self.left;
            let is_short = self.short || self.input.in_member;
            self.left = 0;
            return Ok(Err(if is_short {
                Damage::Short { length: self.length, read }
            } else {
                Damage::Cut
            }));
        }
        self.behind_block = true;
        let input = &self.input.input;
        let end = if self.input.in_member { input.member_end() } else { input.offset() };
        let place =
            |(offset, end): (u64, u64)| RecordPlace { offset, length: end.saturating_sub(offset) };
        Ok(Ok(self.offset.zip(end).filter(|_| self.places).map(place)))
    }
}

/// The unread part of a record's block.
#[derive(Debug)]
pub struct Block<'a, R>(&'a mut Scanner<R>);

impl<R: MemberRead> Read for Block<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: MemberRead> BufRead for Block<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let scanner = &mut *self.0;
        if scanner.left == 0 || scanner.short {
            return Ok(&[]);
        }
        match scanner.input.fill_buf() {
            Err(error) => {
                if error.kind() != ErrorKind::Interrupted {
                    (scanner.lost, scanner.left) = (true, 0);
                }
                return Err(error);
            }
            // A record never extends into the member of another record.
            Ok(bytes) if bytes.starts_with(RECORD) => {
                if scanner.input.input.member() != scanner.member {
                    scanner.short = true;
                    return Ok(&[]);
                }
            }
            Ok(_) => {}
        }
        let bytes = scanner.input.fill_buf()?;
        let most = usize::try_from(scanner.left).unwrap_or(usize::MAX);
        Ok(&bytes[..bytes.len().min(most)])
    }

    fn consume(&mut self, amount: usize) {
        self.0.left = self.0.left.saturating_sub(amount as u64);
        self.0.input.consume(amount);
    }
}
