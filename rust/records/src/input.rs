//! The input of the readers of records: bytes, gzip members, offsets and skipping.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// An input with known ends of gzip members. A record never extends into the member of another
/// record.
pub trait MemberRead: BufRead {
    /// Returns the number of the member that holds the result of the last
    /// [`fill_buf`](BufRead::fill_buf); `None` if the input has no members.
    fn member(&self) -> Option<u64>;

    /// Returns the offset in the file of the next byte, or of the member that holds it; `None` if
    /// it is unknown.
    fn offset(&self) -> Option<u64> {
        None
    }

    /// Returns the offset in the file behind the last member that was read to its end.
    fn member_end(&self) -> Option<u64> {
        None
    }

    /// Returns whether the current member has no more bytes; false if the input has no members.
    ///
    /// # Errors
    /// Fails if the rest of the member is damaged.
    fn at_member_end(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    /// Skips at most `bytes` bytes and returns how many were skipped.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    fn pass(&mut self, bytes: u64) -> io::Result<u64> {
        pass_by_reading(self, bytes)
    }
}

/// A file that is read at any place.
pub trait Random: Read + Seek + Send {
    /// Returns its length in bytes.
    ///
    /// # Errors
    /// Fails if it is unknown.
    fn length(&self) -> io::Result<u64>;

    /// Announces that these bytes will be read one after the other: a file on a server is then
    /// fetched in large parts.
    fn expect(&mut self, _start: u64, _length: u64) {}
}

impl Random for File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

/// Skips bytes of an input that cannot seek.
pub(crate) fn pass_by_reading(input: &mut (impl BufRead + ?Sized), bytes: u64) -> io::Result<u64> {
    let mut left = bytes;
    while left > 0 {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?.len(),
        };
        if available == 0 {
            break;
        }
        let amount = available.min(usize::try_from(left).unwrap_or(usize::MAX));
        input.consume(amount);
        left -= amount as u64;
    }
    Ok(bytes - left)
}

/// An input without members.
#[derive(Debug)]
pub struct Plain<R>(pub R);

impl<R: Read> Read for Plain<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: BufRead> BufRead for Plain<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

impl<R: BufRead> MemberRead for Plain<R> {
    fn member(&self) -> Option<u64> {
        None
    }
}

impl<R: MemberRead + ?Sized> MemberRead for Box<R> {
    fn member(&self) -> Option<u64> {
        (**self).member()
    }

    fn offset(&self) -> Option<u64> {
        (**self).offset()
    }

    fn member_end(&self) -> Option<u64> {
        (**self).member_end()
    }

    fn at_member_end(&mut self) -> io::Result<bool> {
        (**self).at_member_end()
    }

    fn pass(&mut self, bytes: u64) -> io::Result<u64> {
        (**self).pass(bytes)
    }
}

/// A plain file that counts its position and skips by seeking.
#[derive(Debug)]
pub struct Seekable<R> {
    input: BufReader<R>,
    position: u64,
}

impl<R: Read + Seek> Seekable<R> {
    /// Creates an input from a reader that stands at its beginning.
    pub fn new(input: BufReader<R>) -> Self {
        Self { input, position: 0 }
    }
}

impl<R: Read> Read for Seekable<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl<R: Read> BufRead for Seekable<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.position += amount as u64;
        self.input.consume(amount);
    }
}

impl<R: Read + Seek> MemberRead for Seekable<R> {
    fn member(&self) -> Option<u64> {
        None
    }

    fn offset(&self) -> Option<u64> {
        Some(self.position)
    }

    fn pass(&mut self, bytes: u64) -> io::Result<u64> {
        let buffered = self.input.buffer().len();
        if bytes <= buffered as u64 {
            self.consume(usize::try_from(bytes).unwrap_or(buffered));
            return Ok(bytes);
        }
        let end = self.input.get_mut().seek(SeekFrom::End(0))?;
        let bytes = bytes.min(end.saturating_sub(self.position));
        self.position += bytes;
        self.input.seek(SeekFrom::Start(self.position))?;
        Ok(bytes)
    }
}
