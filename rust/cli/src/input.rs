//! Files and standard input, read within a limit, and decompressed if their first bytes say that they are gzip or Zstandard.

use corpus::read::decompress;
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
