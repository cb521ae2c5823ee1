//! The pages of a column, each checked before it is decompressed.

use crate::entries::Pending;
use crate::file::Shared;
use crate::thrift::{locations, page_header, Location, PageHeader};
use flate2::read::MultiGzDecoder;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::reader::Length;
use parquet::file::serialized_reader::SerializedPageReader;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Longest header of a page, in bytes. Some programs write the largest value into it.
const MAX_HEADER: u64 = 1 << 20;

/// Longest index of the pages of a chunk that is read, in bytes.
const MAX_INDEX: usize = 1 << 20;

/// Memory that a value of a dictionary takes beside its bytes.
const DICTIONARY_VALUE: u64 = 64;

/// Memory that an entry of a map takes until its row is read: levels and a value.
const ENTRY: u64 = 64;

/// Memory for the pages of all columns of a row group, in bytes.
#[derive(Debug, Clone)]
pub struct Budget {
    used: Arc<AtomicU64>,
    most: u64,
}

impl Budget {
    /// Creates a budget of so many bytes.
    pub fn new(most: u64) -> Self {
        Self { used: Arc::default(), most }
    }

    /// Replaces one amount by another.
    fn replace(&self, old: u64, new: u64) -> Result<()> {
        let used = self.used.load(Ordering::Relaxed).saturating_sub(old).saturating_add(new);
        if used > self.most {
            let most = self.most;
            return Err(general(&format!(
                "its pages take more than {most} bytes of memory at a time"
            )));
        }
        self.used.store(used, Ordering::Relaxed);
        Ok(())
    }
}

fn general(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// Returns the place of a chunk in its file: its first byte and the one behind the last.
fn place(file: &Shared, chunk: &ColumnChunkMetaData) -> Result<(u64, u64)> {
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let (start, length) = match (u64::try_from(start), u64::try_from(chunk.compressed_size())) {
        (Ok(start), Ok(length)) => (start, length),
        _ => return Err(general("has a place before its beginning")),
    };
    let end = start.checked_add(length).filter(|&end| end <= file.len());
    end.map(|end| (start, end)).ok_or_else(|| general("ends before data that it names"))
}

/// Announces that all pages of a chunk will be read.
pub fn expect(file: &Shared, chunk: &ColumnChunkMetaData) {
    if let Ok((start, end)) = place(file, chunk) {
        file.expect(start, end - start);
    }
}

/// The places of the pages of a chunk.
#[derive(Debug)]
pub struct Located {
    /// The beginning of the chunk: of its dictionary, if it has one.
    pub start: u64,
    /// Its data pages.
    pub pages: Vec<Location>,
}

/// The places of the pages of a chunk by the file's offset index; none if it has none that fits.
/// Pages without a wanted row can then be passed over without a look at their headers.
pub fn places(file: &Shared, chunk: &ColumnChunkMetaData, rows: u64) -> Option<Located> {
    let at = u64::try_from(chunk.offset_index_offset()?).ok()?;
    let length = usize::try_from(chunk.offset_index_length()?).ok()?;
    let bytes = file.bytes(at, Some(length).filter(|&length| length <= MAX_INDEX)?).ok()?;
    let pages = locations(&bytes).ok()?;
    let (start, end) = place(file, chunk).ok()?;
    let (mut behind, mut row) = (start, None);
    for page in &pages {
        let next = page.offset.checked_add(page.length).filter(|&next| next <= end)?;
        if page.offset < behind || row.map_or(page.row != 0, |row| page.row <= row) {
            return None;
        }
        (behind, row) = (next, Some(page.row));
    }
    row.filter(|&row| row < rows).map(|_| Located { start, pages })
}

/// Reads the pages of a column within a budget.
pub struct Checked {
    pages: SerializedPageReader<Shared>,
    file: Shared,
    compression: Compression,
    /// Place of the next header, and the end of the chunk.
    next: u64,
    end: u64,
    /// Place of the header of the page that was checked last.
    at: u64,
    /// Places of the pages that are left, their lengths and rows, if the offset index has them.
    places: Option<VecDeque<(u64, u64, u64)>>,
    /// The header of the next page, if it was checked.
    header: Option<PageHeader>,
    budget: Budget,
    /// Bytes of memory of the last data page and of the dictionary.
    page: u64,
    dictionary: u64,
    /// Whether a row may have any number of values, and how many of the pages so far are not read.
    is_repeated: bool,
    pending: Pending,
}

impl Checked {
    /// Creates a reader of the pages of a chunk. The caller subtracts from `pending` the levels that
    /// it read. With `located`, the pages are those that the offset index has.
    ///
    /// # Errors
    /// Fails if the chunk is not inside the file, or compressed in a way that is not read.
    pub fn new(
        file: &Shared,
        chunk: &ColumnChunkMetaData,
        rows: u64,
        budget: &Budget,
        pending: &Pending,
        located: Option<&Located>,
    ) -> Result<Self> {
        let compression = chunk.compression();
        match compression {
            Compression::UNCOMPRESSED
            | Compression::SNAPPY
            | Compression::GZIP(_)
            | Compression::ZSTD(_) => {}
            other => {
                let what =
                    format!("is compressed by {other}; allowed are none, snappy, gzip and zstd");
                return Err(general(&what));
            }
        }
        let (start, end) = place(file, chunk)?;
        let location = |page: &Location| PageLocation {
            // Inside the file, whose length is a signed number.
            offset: page.offset as i64,
            compressed_page_size: page.length as i32,
            first_row_index: page.row as i64,
        };
        let known = located.map(|located| located.pages.iter().map(location).collect());
        let places = located.map(|Located { pages, .. }| {
            let next = pages.iter().skip(1).map(|page| page.row).chain([rows]);
            let places = pages.iter().zip(next);
            let places = places.map(|(page, next)| (page.offset, page.length, next - page.row));
            // Before the first data page there is a dictionary.
            let first = pages.first().filter(|page| page.offset != start);
            let dictionary = first.map(|page| (start, page.offset - start, 0));
            dictionary.into_iter().chain(places).collect()
        });
        let rows = usize::try_from(rows).map_err(|_| general("has too many rows"))?;
        Ok(Self {
            pages: SerializedPageReader::new(Arc::new(file.clone()), chunk, rows, known)?,
            file: file.clone(),
            compression,
            next: start,
            end,
            at: start,
            places,
            header: None,
            budget: budget.clone(),
            page: 0,
            dictionary: 0,
            is_repeated: chunk.column_descr().max_rep_level() > 0,
            pending: pending.clone(),
        })
    }

    /// Checks the header of the next page. Returns it; `None` at the end of the chunk.
    fn check(&mut self) -> Result<Option<PageHeader>> {
        if let Some(header) = self.header.take() {
            return Ok(Some(header));
        }
        let mut known = None;
        if let Some(places) = &mut self.places {
            let Some((place, length, rows)) = places.pop_front() else { return Ok(None) };
            (self.next, known) = (place, Some((length, rows)));
        }
        if self.next >= self.end {
            return Ok(None);
        }
        self.at = self.next;
        let header = page_header(self.file.reader(self.next).take(MAX_HEADER)).map_err(
            |error| match self.file.has_failed() {
                true => ParquetError::from(error),
                false => general(&format!("has a page without a proper header: {error}")),
            },
        )?;
        self.next = self.at.saturating_add(header.length).saturating_add(header.compressed);
        if self.next > self.end {
            return Err(general("has a page that is longer than its column"));
        }
        if let Some((length, rows)) = known {
            // A dictionary has no rows.
            if length != self.next - self.at || rows > 0 && header.values != rows {
                return Err(general("has another page than its index says"));
            }
        }
        // Both are in memory while the page is decompressed. A row of maps may go on over any number
        // of pages.
        let entries = if self.is_repeated {
            self.pending.fetch_add(header.values, Ordering::Relaxed).saturating_add(header.values)
        } else {
            0
        };
        let page = header.compressed.saturating_add(header.uncompressed);
        let page = page.saturating_add(entries.saturating_mul(ENTRY));
        self.budget.replace(self.page, page)?;
        self.page = page;
        Ok(Some(header))
    }

    /// Reads the next page.
    fn page(&mut self) -> Result<Option<Page>> {
        let Some(header) = self.check()? else { return Ok(None) };
        if matches!(self.compression, Compression::GZIP(_)) {
            self.check_gzip(self.at.saturating_add(header.length), header)?;
        }
        let Some(page) = self.pages.get_next_page()? else { return Ok(None) };
        let encoding = page.encoding();
        // Their decoders make an array as long as the data claim.
        if matches!(encoding, Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY) {
            return Err(general(&format!(
                "is encoded as {encoding}, which is not read; write it as PLAIN"
            )));
        }
        if page.is_dictionary_page() {
            if u64::from(page.num_values()) > page.buffer().len() as u64 {
                return Err(general("has a dictionary with more values than bytes"));
            }
            let size = header.uncompressed + u64::from(page.num_values()) * DICTIONARY_VALUE;
            self.budget.replace(self.dictionary, size)?;
            self.dictionary = size;
        }
        Ok(Some(page))
    }

    /// Adds the place of the page to an error.
    fn located(&self, error: ParquetError) -> ParquetError {
        let at = self.at;
        match error {
            ParquetError::External(_) => error,
            ParquetError::General(what) => general(&format!("{what} (page at byte {at})")),
            other => general(&format!("{other} (page at byte {at})")),
        }
    }

    /// Checks that gzip data give no more than the header claims: the `parquet` crate does not.
    fn check_gzip(&self, at: u64, header: PageHeader) -> Result<()> {
        let length = usize::try_from(header.compressed)
            .map_err(|_| general("has a page that is too long"))?;
        let bytes = self.file.bytes(at, length)?;
        let packed =
            bytes.get(usize::try_from(header.levels).unwrap_or(usize::MAX)..).unwrap_or_default();
        let most = header.uncompressed + 1;
        let unpacked = io::copy(&mut MultiGzDecoder::new(packed).take(most), &mut io::sink());
        // Data that is not gzip is an error of the crate, or a page that is not compressed.
        if unpacked.is_ok_and(|unpacked| unpacked >= most) {
            return Err(general("has a page that is longer than its header says"));
        }
        Ok(())
    }
}

impl Iterator for Checked {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Checked {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.page().map_err(|error| self.located(error))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        // The index has the rows of a page. Without it, they are in the header.
        if self.places.is_none() {
            self.header = self.check().map_err(|error| self.located(error))?;
        }
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        match &mut self.places {
            Some(places) => drop(places.pop_front()),
            None => drop(self.check().map_err(|error| self.located(error))?),
        }
        self.pages.skip_next_page()
    }
}

impl Drop for Checked {
    fn drop(&mut self) {
        // Giving back cannot exceed the budget.
        let _ = self.budget.replace(self.page.saturating_add(self.dictionary), 0);
    }
}
