//! Files and standard input, read within a limit, and decompressed if their first bytes say that they are gzip or Zstandard.

use records::decompress;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// What messages call an input.
pub fn name(file: &Path) -> String {
    if file == Path::new("-") {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    }
}

/// Opens a file, or standard input for `-`.
pub fn open(file: &Path) -> Result<Box<dyn BufRead>, String> {
    let opened = if file == Path::new("-") { decompress(io::stdin()) } else { File::open(file).and_then(decompress) };
    Ok(opened.map_err(|error| format!("{}: {error}", name(file)))?.0)
}

/// Gives `take` the lines of a text with their numbers from 1, one by one and without blanks at their ends. Bytes that are no UTF-8 are replaced, and
/// a byte order mark is left out.
///
/// # Errors
/// When it cannot be read, a line is longer than `max_bytes`, or as `take` says.
pub fn lines(file: &Path, max_bytes: u64, take: &mut dyn FnMut(u64, &str) -> Result<(), String>) -> Result<(), String> {
    let mut input = open(file)?;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = input.by_ref().take(max_bytes.saturating_add(1)).read_until(b'\n', &mut line);
        if read.map_err(|error| format!("{}: {error}", name(file)))? == 0 {
            break;
        }
        if line.len() as u64 > max_bytes && !line.ends_with(b"\n") {
            return Err(format!("{}: line {number} is longer than {max_bytes} bytes (--max-bytes)", name(file)));
        }
        let text = String::from_utf8_lossy(&line);
        let text = if number == 1 { text.strip_prefix('\u{feff}').unwrap_or(&text) } else { &text };
        take(number, text.trim())?;
    }
    Ok(())
}

/// Reads all of a text as [`read`] does. Bytes that are no UTF-8 are replaced, and a byte order mark, as some editors put it before a text, is left out.
pub fn text(file: &Path, max_bytes: u64) -> Result<String, String> {
    let content = read(file, max_bytes)?;
    Ok(String::from_utf8_lossy(content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&content)).into_owned())
}

/// Reads all of a file, or of standard input for `-`; more than `max_bytes`, decompressed, are an error.
pub fn read(file: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    open(file)?
        .take(max_bytes.saturating_add(1))
        .read_to_end(&mut content)
        .map_err(|error| format!("{}: {error}", name(file)))?;
    if content.len() as u64 > max_bytes {
        return Err(format!("{}: longer than {max_bytes} bytes (--max-bytes)", name(file)));
    }
    Ok(content)
}
