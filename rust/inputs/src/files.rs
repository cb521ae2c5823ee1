//! Files and standard input, read within a limit, and decompressed if their first bytes are those
//! of gzip or Zstandard.

use crate::{BadInput, Unusable};
use records::{decompress, open_input};
use std::io::{BufRead, Read};
use std::path::Path;

/// The name of an input in messages.
pub fn name(file: &Path) -> String {
    if file == Path::new("-") {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    }
}

/// Opens a file, or standard input for `-`.
pub fn open(file: &Path) -> Result<Box<dyn BufRead>, BadInput> {
    let opened = open_input(file).and_then(decompress);
    Ok(opened.map_err(|error| BadInput::new(name(file), error))?.0)
}

/// Passes the lines of a text to `take`, with numbers from 1 and without white space at their ends.
/// Bytes that are not UTF-8 are replaced. A byte order mark is removed.
///
/// # Errors
/// Fails if it cannot be read, a line is longer than `max_bytes`, or `take` fails.
pub fn lines<E: From<BadInput>>(
    file: &Path,
    max_bytes: u64,
    take: &mut dyn FnMut(u64, &str) -> Result<(), E>,
) -> Result<(), E> {
    let mut input = open(file)?;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = input.by_ref().take(max_bytes.saturating_add(1)).read_until(b'\n', &mut line);
        if read.map_err(|error| BadInput::new(name(file), error))? == 0 {
            break;
        }
        if line.len() as u64 > max_bytes && !line.ends_with(b"\n") {
            let reason = Unusable::LongLine { line: number, max_bytes };
            return Err(BadInput::new(name(file), reason).into());
        }
        let text = String::from_utf8_lossy(&line);
        let text = if number == 1 { text.strip_prefix('\u{feff}').unwrap_or(&text) } else { &text };
        take(number, text.trim())?;
    }
    Ok(())
}

/// Returns what a file holds instead of plain text, by its beginning: WARC records or HTML.
pub fn other_than_text(start: &[u8]) -> Option<&'static str> {
    const BEGINNINGS: [(&[u8], &str); 3] =
        [(b"WARC/", "WARC records"), (b"<!doctype html", "HTML"), (b"<html", "HTML")];
    let start = start.trim_ascii_start();
    let begins =
        |with: &[u8]| start.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    BEGINNINGS.into_iter().find(|(with, _)| begins(with)).map(|(_, what)| what)
}

/// Reads a text as a whole, as [`read`] does. Bytes that are not UTF-8 are replaced. A byte order
/// mark, which some editors write, is removed.
pub fn text(file: &Path, max_bytes: u64) -> Result<String, BadInput> {
    let content = read(file, max_bytes)?;
    Ok(String::from_utf8_lossy(content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&content))
        .into_owned())
}

/// Reads a file as a whole, or standard input for `-`. More than `max_bytes` after decompression is
/// an error.
pub fn read(file: &Path, max_bytes: u64) -> Result<Vec<u8>, BadInput> {
    let mut content = Vec::new();
    open(file)?
        .take(max_bytes.saturating_add(1))
        .read_to_end(&mut content)
        .map_err(|error| BadInput::new(name(file), error))?;
    if content.len() as u64 > max_bytes {
        return Err(BadInput::new(name(file), Unusable::TooLong { max_bytes }));
    }
    Ok(content)
}
