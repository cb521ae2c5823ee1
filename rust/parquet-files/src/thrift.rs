//! A walk over Thrift's compact protocol, as far as the checks of a footer and of page headers need
//! it.
//!
//! Source: the protocol's specification (thrift/doc/specs/thrift-compact-protocol.md) and
//! parquet.thrift.

use std::io::{self, Read};

/// Deepest nesting that is skipped.
const MAX_DEPTH: u32 = 64;

/// Deepest tree of columns. The `parquet` crate builds the tree by recursion without a limit.
const MAX_LEVELS: usize = 64;

/// Largest number of columns, groups included.
const MAX_COLUMNS: u64 = 10_000;

/// Largest number of column chunks in all row groups. Each takes about 1 KiB of memory.
const MAX_CHUNKS: u64 = 400_000;

// Types of fields.
const STOP: u8 = 0;
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// The fields of a page's header that are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageHeader {
    /// Length of the header itself in bytes.
    pub length: u64,
    /// Size of the page in the file.
    pub compressed: u64,
    /// Size of the page after decompression, as the header claims it.
    pub uncompressed: u64,
    /// Bytes before the compressed data of a page of version 2: its levels.
    pub levels: u64,
    /// Number of values.
    pub values: u64,
}

/// Walks over an input and counts its bytes.
struct Walk<R> {
    input: R,
    read: u64,
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl<R: Read> Walk<R> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        self.read += 1;
        Ok(byte[0])
    }

    fn varint(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(bad("a number is too long"))
    }

    fn signed(&mut self) -> io::Result<i64> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A number that may not be negative.
    fn size(&mut self) -> io::Result<u64> {
        u64::try_from(self.signed()?).map_err(|_| bad("a size is negative"))
    }

    fn pass(&mut self, bytes: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.input.by_ref().take(bytes), &mut io::sink())?;
        self.read += passed;
        if passed < bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// Number of elements of a list and their type.
    fn list(&mut self) -> io::Result<(u64, u8)> {
        let head = self.byte()?;
        let size = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        Ok((size, head & 15))
    }

    fn skip(&mut self, kind: u8, depth: u32) -> io::Result<()> {
        if depth == 0 {
            return Err(bad("is nested too deeply"));
        }
        match kind {
            TRUE | FALSE => Ok(()),
            BYTE => self.pass(1),
            I16 | I32 | I64 => self.varint().map(drop),
            DOUBLE => self.pass(8),
            UUID => self.pass(16),
            BINARY => {
                let length = self.varint()?;
                self.pass(length)
            }
            LIST | SET => {
                let (size, kind) = self.list()?;
                (0..size).try_for_each(|_| self.skip_element(kind, depth - 1))
            }
            MAP => {
                let size = self.varint()?;
                let kinds = if size > 0 { self.byte()? } else { 0 };
                (0..size).try_for_each(|_| {
                    self.skip_element(kinds >> 4, depth - 1)?;
                    self.skip_element(kinds & 15, depth - 1)
                })
            }
            STRUCT => self.fields(&mut |walk, _, kind| walk.skip(kind, depth - 1)),
            _ => Err(bad("has a field of an unknown type")),
        }
    }

    /// Skips an element of a list, where a truth value takes a byte.
    fn skip_element(&mut self, kind: u8, depth: u32) -> io::Result<()> {
        if matches!(kind, TRUE | FALSE) {
            return self.pass(1);
        }
        self.skip(kind, depth)
    }

    /// Passes the number and type of each field of a struct to `take`, which reads the field.
    fn fields(
        &mut self,
        take: &mut dyn FnMut(&mut Self, i64, u8) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut number = 0;
        loop {
            let head = self.byte()?;
            if head & 15 == STOP {
                return Ok(());
            }
            number = if head >> 4 == 0 { self.signed()? } else { number + i64::from(head >> 4) };
            take(self, number, head & 15)?;
        }
    }
}

/// Reads the header of a page.
///
/// # Errors
/// Fails if there is none.
pub fn page_header(input: impl Read) -> io::Result<PageHeader> {
    let mut header = PageHeader::default();
    let mut walk = Walk { input, read: 0 };
    walk.fields(&mut |walk, number, kind| match (number, kind) {
        (2, I32) => walk.size().map(|size| header.uncompressed = size),
        (3, I32) => walk.size().map(|size| header.compressed = size),
        // Data pages of version 1, dictionaries, data pages of version 2.
        (5 | 7 | 8, STRUCT) => walk.fields(&mut |walk, field, kind| match (number, field, kind) {
            (_, 1, I32) => walk.size().map(|size| header.values = size),
            (8, 5 | 6, I32) => {
                walk.size().map(|size| header.levels = header.levels.saturating_add(size))
            }
            _ => walk.skip(kind, MAX_DEPTH),
        }),
        _ => walk.skip(kind, MAX_DEPTH),
    })?;
    header.length = walk.read;
    Ok(header)
}

/// The place of a page in the file, header included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Location {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Length of the page with its header, in bytes.
    pub length: u64,
    /// Its first row in the row group.
    pub row: u64,
}

/// Reads the offset index of a column: the places of its data pages.
///
/// # Errors
/// Fails if it is none.
pub fn locations(index: &[u8]) -> io::Result<Vec<Location>> {
    let mut found = Vec::new();
    Walk { input: index, read: 0 }.fields(&mut |walk, number, kind| match (number, kind) {
        (1, LIST) => {
            let (size, STRUCT) = walk.list()? else { return Err(bad("has pages of a wrong type")) };
            (0..size).try_for_each(|_| {
                let mut page = Location::default();
                walk.fields(&mut |walk, field, kind| match (field, kind) {
                    (1, I64) => walk.size().map(|offset| page.offset = offset),
                    (2, I32) => walk.size().map(|length| page.length = length),
                    (3, I64) => walk.size().map(|row| page.row = row),
                    _ => walk.skip(kind, MAX_DEPTH),
                })?;
                found.push(page);
                Ok(())
            })
        }
        _ => walk.skip(kind, MAX_DEPTH),
    })?;
    Ok(found)
}

/// Checks the metadata of a file before they are parsed.
///
/// # Errors
/// Fails if the tree of columns is too deep, there are too many columns or chunks, or these are no
/// metadata.
pub fn check_footer(metadata: &[u8]) -> io::Result<()> {
    let mut chunks = 0u64;
    Walk { input: metadata, read: 0 }.fields(&mut |walk, number, kind| match (number, kind) {
        (2, LIST) => check_columns(walk),
        (4, LIST) => {
            let (groups, kind) = walk.list()?;
            (0..groups).try_for_each(|_| match kind {
                STRUCT => walk.fields(&mut |walk, field, kind| match (field, kind) {
                    (1, LIST) => {
                        let (size, kind) = walk.list()?;
                        chunks = chunks.saturating_add(size);
                        if chunks > MAX_CHUNKS {
                            return Err(bad(&format!(
                                "has more than {MAX_CHUNKS} chunks of columns"
                            )));
                        }
                        (0..size).try_for_each(|_| walk.skip_element(kind, MAX_DEPTH))
                    }
                    _ => walk.skip(kind, MAX_DEPTH),
                }),
                _ => Err(bad("has row groups of a wrong type")),
            })
        }
        _ => walk.skip(kind, MAX_DEPTH),
    })
}

/// Checks the tree of columns: a list in the order of a depth-first walk, each with its number of
/// children.
fn check_columns<R: Read>(walk: &mut Walk<R>) -> io::Result<()> {
    let (size, kind) = walk.list()?;
    if size > MAX_COLUMNS {
        return Err(bad(&format!("has {size} columns; allowed are at most {MAX_COLUMNS}")));
    }
    if kind != STRUCT {
        return Err(bad("has columns of a wrong type"));
    }
    // Children that are still missing, for each group that is open.
    let mut open: Vec<u64> = Vec::new();
    for _ in 0..size {
        let mut children = 0;
        walk.fields(&mut |walk, field, kind| match (field, kind) {
            (5, I32) => walk.size().map(|size| children = size),
            _ => walk.skip(kind, MAX_DEPTH),
        })?;
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        if children > size {
            return Err(bad("has a group with more columns than there are"));
        }
        open.push(children);
        while open.last() == Some(&0) {
            open.pop();
        }
        if open.len() > MAX_LEVELS {
            return Err(bad(&format!("has columns in more than {MAX_LEVELS} levels")));
        }
    }
    Ok(())
}
