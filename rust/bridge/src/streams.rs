//! Zstandard data that Java reads: Java passes the bytes of a file in pieces.

use crate::refusal::Refusal;
use crate::slots::{Names, Slots};
use engine::frame::{tag, Writer};
use engine::Status;
use once_cell::sync::Lazy;
use records::Pieces;

/// Most open streams of a process. A task needs two, of a file and of a body in it.
const MAX_OPEN: usize = 64;

/// Most bytes that one call returns.
const MAX_OUTPUT: usize = 256 << 10;

static OPEN: Lazy<Slots<Pieces>> =
    Lazy::new(|| Slots::new(Names { one: "stream", many: "streams" }, MAX_OPEN));

/// Opens a stream.
pub fn open() -> Result<Writer, Refusal> {
    let id = OPEN.add(Pieces::new().map_err(Refusal::Zstandard)?)?;
    let mut answer = Writer::answer(Status::Ok, None);
    answer.u32(tag::STREAM_ID, id as u32);
    Ok(answer)
}

/// Decompresses a piece of a stream. A stream of damaged data stays open.
pub fn read(stream: i32, input: &[u8]) -> Result<Writer, Refusal> {
    let mut output = vec![0; MAX_OUTPUT];
    OPEN.with(stream, |pieces| {
        let (read, written) = pieces.read(input, &mut output).map_err(Refusal::Zstandard)?;
        let mut answer = Writer::answer(Status::Ok, None);
        answer.bytes(tag::CONTENT, output.get(..written).unwrap_or_default());
        answer.u64(tag::CONSUMED, read as u64);
        if pieces.is_whole() {
            answer.bytes(tag::WHOLE, &[]);
        }
        Ok(answer)
    })
}

/// Closes a stream if it is still open.
pub fn close(stream: i32) -> Result<Writer, Refusal> {
    OPEN.close(stream);
    Ok(Writer::answer(Status::Ok, None))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use engine::frame::Frame;

    /// One block of 4 bytes, without a checksum (RFC 8878).
    const TEXT: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd, 0x20, 4, 0x21, 0, 0, b't', b'e', b'x', b't'];

    fn opened() -> i32 {
        let answer = open().unwrap().finish();
        let id = Frame::read(&answer).unwrap().get(tag::STREAM_ID).unwrap().to_vec();
        i32::from_be_bytes(id.try_into().unwrap())
    }

    #[test]
    fn a_stream_returns_its_text_and_whether_it_is_whole() {
        let stream = opened();
        for (piece, text, is_whole) in [(&TEXT[..6], &b""[..], false), (&TEXT[6..], b"text", true)]
        {
            let answer = read(stream, piece).unwrap().finish();
            let frame = Frame::read(&answer).unwrap();
            assert_eq!(frame.get(tag::CONTENT), Some(text));
            assert_eq!(frame.u64(tag::CONSUMED).unwrap(), Some(piece.len() as u64));
            assert_eq!(frame.get(tag::WHOLE).is_some(), is_whole);
        }
        let refused = read(stream, b"no frame").unwrap_err().to_string();
        assert!(refused.starts_with("the Zstandard data is damaged: "), "{refused}");
        close(stream).unwrap();
        close(stream).unwrap();
        assert!(read(stream, TEXT).unwrap_err().to_string().starts_with("stream id is"));
    }
}
