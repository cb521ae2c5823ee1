//! A record that is read by its place.

use crate::fields::Fields;
use crate::gzip::START;
use crate::http::payload;
use crate::warc::scanner::{Head, MAX_HEADER, RECORD};
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};

/// The reason why a record cannot be read by its place. The sentence follows the file's name.
#[derive(Debug, thiserror::Error)]
pub enum Absent {
    /// The file is shorter than the record's place.
    #[error("is cut off: it has {has} bytes, but the index names a record of {length} bytes at byte {offset}")]
    CutOff {
        /// Length of the file.
        has: u64,
        /// Length of the record.
        length: u64,
        /// Offset of the record.
        offset: u64,
    },
    /// No complete record is there.
    #[error("has no record at byte {0}: it is not the file that was indexed, or damaged")]
    NoRecord(u64),
    /// The record is longer than the limit.
    #[error("the record at byte {offset} is longer than {max_bytes} bytes (--max-bytes)")]
    TooLong {
        /// Offset of the record.
        offset: u64,
        /// Longest record that is read, in bytes.
        max_bytes: u64,
    },
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A record read by its place.
#[derive(Debug)]
pub struct Whole {
    /// Header and block of the record, decompressed.
    pub bytes: Vec<u8>,
    /// Version and named fields, parsed.
    pub head: Head,
    block: usize,
}

impl Whole {
    /// Reads the record at an offset, of at most `max_bytes` bytes.
    ///
    /// # Errors
    /// Fails if there is no complete record.
    pub fn read(
        mut file: impl Read + Seek,
        offset: u64,
        length: u64,
        max_bytes: u64,
    ) -> Result<Self, Absent> {
        let has = file.seek(SeekFrom::End(0))?;
        if offset.checked_add(length).is_none_or(|end| end > has) {
            return Err(Absent::CutOff { has, length, offset });
        }
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(offset))?;
        let mut part = BufReader::new(file.take(length));
        let read = match part.fill_buf()?.starts_with(&START) {
            true => GzDecoder::new(part).take(max_bytes.saturating_add(1)).read_to_end(&mut bytes),
            false => part.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes),
        };
        if let Err(error) = read {
            return Err(match error.kind() {
                ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => {
                    Absent::NoRecord(offset)
                }
                _ => error.into(),
            });
        }
        if bytes.len() as u64 > max_bytes {
            return Err(Absent::TooLong { offset, max_bytes });
        }
        Self::parse(bytes).ok_or(Absent::NoRecord(offset))
    }

    fn parse(mut bytes: Vec<u8>) -> Option<Self> {
        let mut rest = bytes.as_slice();
        let (first, _) = Fields::line(&mut rest).ok()?;
        let fields = Fields::read(&mut rest, MAX_HEADER).ok()??;
        let block = bytes.len() - rest.len();
        let length: u64 = fields.get("content-length")?.parse().ok()?;
        let end = block.checked_add(usize::try_from(length).ok()?)?;
        if !first.as_bytes().starts_with(RECORD) || end > bytes.len() {
            return None;
        }
        bytes.truncate(end);
        Some(Self { bytes, head: Head { fields, length }, block })
    }

    /// Returns the decoded body of an HTTP response; the record's block if it is not one.
    pub fn payload(&self, max_bytes: u64) -> Vec<u8> {
        let block = &self.bytes[self.block..];
        let content_type = self.head.fields.get("content-type");
        let is_http = content_type
            .is_some_and(|kind| kind.to_ascii_lowercase().starts_with("application/http"));
        let decoded = if is_http { payload(block, max_bytes) } else { None };
        decoded.unwrap_or_else(|| block.to_vec())
    }
}
