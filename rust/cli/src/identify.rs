//! The language of every line of a text.

use langid::{floor_char_boundary, Identify, LangCode};
use rayon::prelude::*;
use std::io::{self, Read, Write};

/// Bytes that are asked for in one read. What a read brings is answered before the next one, so that a program that writes a
/// line and waits for its code gets it.
const READ_BYTES: usize = 1 << 20;

/// A line's language is told from its first so many bytes, which bounds the time that one line takes.
const JUDGED_BYTES: usize = 1 << 20;

/// Writes an ISO 639-3 code for each line, `und` where the identifier is not sure. Order is kept; several lines are identified
/// at a time.
///
/// # Errors
/// When the input cannot be read, a line is longer than `max_line` bytes, or the output cannot be written. A reader of the
/// output that has seen enough is no error.
pub fn run(
    mut input: impl Read,
    name: &str,
    identifier: &dyn Identify,
    allowed: Option<&[LangCode]>,
    max_line: u64,
) -> Result<bool, String> {
    let mut output = io::stdout().lock();
    let mut buffer = Vec::new();
    let mut lines = 0u64;
    loop {
        let unread = buffer.len();
        let read = read_some(&mut input, &mut buffer).map_err(|error| format!("{name}: {error}"))?;
        let end = match buffer[unread..].iter().rposition(|&byte| byte == b'\n') {
            _ if read == 0 => buffer.len(),
            Some(last) => unread + last + 1,
            None => 0,
        };
        let whole: Vec<&[u8]> = buffer[..end].split_inclusive(|&byte| byte == b'\n').collect();
        let fitting = whole.iter().position(|line| line.len() as u64 > max_line).unwrap_or(whole.len());
        let codes: Vec<LangCode> =
            whole[..fitting].par_iter().map(|line| language(line, identifier, allowed)).collect();
        lines += fitting as u64;
        let text: String = codes.iter().flat_map(|code| [code.as_str(), "\n"]).collect();
        match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(true),
            Err(error) => return Err(format!("standard output: {error}")),
            Ok(()) => {}
        }
        if fitting < whole.len() || (buffer.len() - end) as u64 > max_line {
            return Err(format!("{name}: line {} is longer than {max_line} bytes (--max-bytes)", lines + 1));
        }
        if read == 0 {
            return Ok(true);
        }
        buffer.drain(..end);
    }
}

/// Adds what one read brings to the buffer; 0 at the end.
fn read_some(input: &mut impl Read, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let start = buffer.len();
    buffer.resize(start + READ_BYTES, 0);
    let read = loop {
        match input.read(&mut buffer[start..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    buffer.truncate(start + read.as_ref().copied().unwrap_or(0));
    read
}

/// The language of a line; bytes that are no UTF-8 are replaced.
fn language(line: &[u8], identifier: &dyn Identify, allowed: Option<&[LangCode]>) -> LangCode {
    let line = line.trim_ascii_end();
    let text = String::from_utf8_lossy(&line[..line.len().min(JUDGED_BYTES)]);
    identifier.identify(&text[..floor_char_boundary(&text, JUDGED_BYTES)], allowed)
}
