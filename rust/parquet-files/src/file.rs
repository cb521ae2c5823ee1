//! A file as the `parquet` crate reads it.

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};
use records::Random;
use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read, SeekFrom};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Size of the buffer for headers of pages, in bytes.
const BUFFER: usize = 4096;

/// A file that several readers share, and that counts the bytes read.
#[derive(Clone)]
pub struct Shared {
    file: Arc<Mutex<Box<dyn Random>>>,
    length: u64,
    read: Arc<AtomicU64>,
    /// Whether an error came from the file system.
    failed: Arc<AtomicBool>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("length", &self.length).finish_non_exhaustive()
    }
}

impl Shared {
    /// Shares a file. `read` counts the bytes of its data that are read.
    ///
    /// # Errors
    /// Fails if its length is unknown.
    pub fn new(file: Box<dyn Random>, read: &Arc<AtomicU64>) -> io::Result<Self> {
        let length = file.length()?;
        let (file, read, failed) = (Arc::new(Mutex::new(file)), Arc::clone(read), Arc::default());
        Ok(Self { file, length, read, failed })
    }

    /// Whether reading failed for another reason than the content of the file.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Notes an error of the file system.
    fn note(&self, error: io::Error) -> io::Error {
        // A damaged file may name offsets that no file has.
        let by_content = matches!(
            error.kind(),
            ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof
        );
        if !by_content && error.kind() != ErrorKind::Interrupted {
            self.failed.store(true, Ordering::Relaxed);
        }
        error
    }

    /// Reads at most as many bytes at an offset as the buffer has.
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at)).and_then(|_| file.read(buffer)).map_err(|e| self.note(e))
    }

    /// Announces that these bytes will be read.
    pub fn expect(&self, start: u64, length: u64) {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).expect(start, length);
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
        file.expect(start, length as u64);
        file.seek(SeekFrom::Start(start))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|error| self.note(error))?;
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::fs::File;

    #[test]
    fn only_errors_of_the_file_system_are_noted() {
        let path = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&path, "PAR1").unwrap();
        let shared = |file: File| Shared::new(Box::new(file), &Arc::default()).unwrap();
        let whole = shared(File::open(&path).unwrap());
        assert_eq!(&whole.bytes(0, 4).unwrap()[..], b"PAR1");
        whole.bytes(2, 4).unwrap_err();
        whole.reader(u64::MAX).read(&mut [0]).unwrap_err();
        assert!(!whole.has_failed(), "the file has no such places");
        // Not opened for reading.
        let file = File::options().write(true).open(&path).unwrap();
        let unreadable = shared(file);
        unreadable.bytes(0, 4).unwrap_err();
        assert!(unreadable.has_failed());
    }
}
