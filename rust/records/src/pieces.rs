//! Zstandard data that arrives in pieces: for callers that read the file themselves.

use std::io;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

/// A decompressor of consecutive Zstandard frames. It uses at most 128 MiB, the largest window that
/// the format's library accepts.
pub struct Pieces {
    decoder: Decoder<'static>,
    is_whole: bool,
}

impl Pieces {
    /// Begins with the first frame.
    ///
    /// # Errors
    /// Fails if there is no memory.
    pub fn new() -> io::Result<Self> {
        Ok(Self { decoder: Decoder::new()?, is_whole: false })
    }

    /// Decompresses a piece of the data. `output` is filled from its start. Returns the number of
    /// bytes that were read and written. If both are 0, more input is needed.
    ///
    /// # Errors
    /// Fails if the data is damaged.
    pub fn read(&mut self, input: &[u8], output: &mut [u8]) -> io::Result<(usize, usize)> {
        let mut from = InBuffer::around(input);
        let mut to = OutBuffer::around(output);
        loop {
            let before = (from.pos(), to.pos());
            let left = self.decoder.run(&mut from, &mut to)?;
            if (from.pos(), to.pos()) == before {
                break;
            }
            self.is_whole = left == 0;
            if from.pos() == input.len() || to.pos() == to.capacity() {
                break;
            }
        }
        Ok((from.pos(), to.pos()))
    }

    /// Returns whether the data may end here: the last frame is complete.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Decompresses data that arrives in pieces of `size` bytes, `room` bytes at a time.
    fn all(data: &[u8], size: usize, room: usize) -> io::Result<(Vec<u8>, bool)> {
        let (mut pieces, mut found, mut output) = (Pieces::new()?, Vec::new(), vec![0; room]);
        for mut piece in data.chunks(size) {
            loop {
                let (read, written) = pieces.read(piece, &mut output)?;
                found.extend_from_slice(&output[..written]);
                piece = &piece[read..];
                if (read, written) == (0, 0) {
                    break;
                }
            }
        }
        Ok((found, pieces.is_whole()))
    }

    #[test]
    fn frames_in_pieces_are_read_as_one_text() {
        let texts = ["a line\n".repeat(5000), String::new(), "another\n".to_owned()];
        let mut data: Vec<u8> =
            texts.iter().flat_map(|text| zstd::encode_all(text.as_bytes(), 3).unwrap()).collect();
        // A skippable frame, as WARC files in Zstandard may begin with.
        data.splice(0..0, [0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7]);
        for (size, room) in [(1, 10), (7, 1 << 16), (data.len(), 1), (data.len(), 1 << 20)] {
            assert_eq!(all(&data, size, room).unwrap(), (texts.concat().into_bytes(), true));
        }
        for cut in [11, 20, data.len() - 1] {
            assert!(!all(&data[..cut], 64, 64).unwrap().1, "{cut}");
        }
    }

    #[test]
    fn damage_is_an_error() {
        let mut data = zstd::encode_all(&b"some text"[..], 3).unwrap();
        data.extend_from_slice(b"no frame");
        assert!(all(&data, 1 << 10, 1 << 10).is_err());
    }
}
