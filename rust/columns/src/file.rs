//! A file as the `parquet` crate reads it.

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Size of the buffer for headers of pages, in bytes.
const BUFFER: usize = 4096;

/// A file that several readers share, and that counts the bytes read.
#[derive(Debug, Clone)]
pub struct Shared {
    file: Arc<Mutex<File>>,
    length: u64,
    read: Arc<AtomicU64>,
}

impl Shared {
    /// Shares a file. `read` counts the bytes of its data that are read.
    ///
    /// # Errors
    /// Fails if its length is unknown.
    pub fn new(file: File, read: &Arc<AtomicU64>) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file: Arc::new(Mutex::new(file)), length, read: Arc::clone(read) })
    }

    /// Reads at most as many bytes at an offset as the buffer has.
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read(buffer)
    }

    /// Reads these bytes.
    ///
    /// # Errors
    /// Fails if the file is shorter.
    pub fn bytes(&self, start: u64, length: usize) -> io::Result<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "ends before data that it names",
            ));
        }
        let mut bytes = vec![0; length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        Ok(bytes.into())
    }

    /// Returns a reader of its own place.
    pub fn reader(&self, start: u64) -> BufReader<At> {
        BufReader::with_capacity(BUFFER, At { shared: self.clone(), at: start })
    }
}

/// A reader with a place of its own in a shared file.
#[derive(Debug)]
pub struct At {
    shared: Shared,
    at: u64,
}

impl Read for At {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.shared.read_at(self.at, buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Length for Shared {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Shared {
    type T = BufReader<At>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(self.reader(start))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        Ok(self.bytes(start, length)?)
    }
}
