//! The pages of a column, each checked before it is decompressed.

use crate::entries::Pending;
use crate::file::Shared;
use crate::thrift::{page_header, PageHeader};
use flate2::read::MultiGzDecoder;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Longest header of a page, in bytes. Some programs write the largest value into it.
const MAX_HEADER: u64 = 1 << 20;

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

/// Reads the pages of a column within a budget.
pub struct Checked {
    pages: SerializedPageReader<Shared>,
    file: Shared,
    compression: Compression,
    /// Place of the next header, and the end of the chunk.
    next: u64,
    end: u64,
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
    /// it read.
    ///
    /// # Errors
    /// Fails if the chunk is not inside the file, or compressed in a way that is not read.
    pub fn new(
        file: &Shared,
        chunk: &ColumnChunkMetaData,
        rows: u64,
        budget: &Budget,
        pending: &Pending,
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
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let (start, length) = match (u64::try_from(start), u64::try_from(chunk.compressed_size())) {
            (Ok(start), Ok(length)) => (start, length),
            _ => return Err(general("has a place before its beginning")),
        };
        let end = start
            .checked_add(length)
            .filter(|&end| end <= parquet::file::reader::Length::len(file));
        let Some(end) = end else { return Err(general("ends before data that it names")) };
        let rows = usize::try_from(rows).map_err(|_| general("has too many rows"))?;
        Ok(Self {
            pages: SerializedPageReader::new(Arc::new(file.clone()), chunk, rows, None)?,
            file: file.clone(),
            compression,
            next: start,
            end,
            budget: budget.clone(),
            page: 0,
            dictionary: 0,
            is_repeated: chunk.column_descr().max_rep_level() > 0,
            pending: pending.clone(),
        })
    }

    /// Checks the next page. Returns its header; `None` at the end of the chunk.
    fn check(&mut self) -> Result<Option<PageHeader>> {
        if self.next >= self.end {
            return Ok(None);
        }
        let header = page_header(self.file.reader(self.next).take(MAX_HEADER))
            .map_err(|error| general(&format!("has a page without a proper header: {error}")))?;
        let data = self.next.saturating_add(header.length);
        self.next = data.saturating_add(header.compressed);
        if self.next > self.end {
            return Err(general("has a page that is longer than its column"));
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
        if matches!(self.compression, Compression::GZIP(_)) {
            self.check_gzip(data, header)?;
        }
        Ok(Some(header))
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
        let Some(header) = self.check()? else { return Ok(None) };
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

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.check()?;
        self.pages.skip_next_page()
    }
}

impl Drop for Checked {
    fn drop(&mut self) {
        // Giving back cannot exceed the budget.
        let _ = self.budget.replace(self.page.saturating_add(self.dictionary), 0);
    }
}
