//! The files of lines of a release, and their checksums.

use crate::Failure;
use flate2::write::GzEncoder;
use flate2::Compression;
use langbytes::LangCode;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file of a release.
#[derive(Debug)]
pub struct Part {
    /// Its name, from the folder of the release.
    pub name: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sum: String,
}

/// Writes bytes and computes their checksum.
pub struct Summed {
    pub file: BufWriter<File>,
    pub sum: Sha256,
    pub bytes: u64,
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The output files of lines, one after the other, each compressed by itself.
pub struct Files {
    folder: PathBuf,
    stem: String,
    ending: &'static str,
    most: u64,
    parts: Vec<Part>,
    /// The open file, and the bytes of text in it.
    open: Option<(GzEncoder<Summed>, u64)>,
}

impl Files {
    /// Begins the files in a folder. A file has at most `most` bytes of text.
    pub fn new(folder: &Path, language: LangCode, ending: &'static str, most: u64) -> Self {
        Self {
            folder: folder.to_owned(),
            stem: language.to_string(),
            ending,
            most,
            parts: Vec::new(),
            open: None,
        }
    }

    fn name(&self) -> String {
        format!("{}-{:03}.{}.gz", self.stem, self.parts.len() + 1, self.ending)
    }

    /// Writes a line with `text` bytes of text.
    pub fn line(&mut self, line: &[u8], text: u64) -> Result<(), Failure> {
        if self.open.as_ref().is_some_and(|(_, bytes)| bytes.saturating_add(text) > self.most) {
            self.close()?;
        }
        let name = self.name();
        let failed = |error| Failure::Output { name: name.clone(), error };
        let (file, bytes) = match &mut self.open {
            Some(open) => open,
            none => {
                let file =
                    BufWriter::new(File::create_new(self.folder.join(&name)).map_err(failed)?);
                // The header has no time and no name.
                let file = GzEncoder::new(
                    Summed { file, sum: Sha256::new(), bytes: 0 },
                    Compression::default(),
                );
                none.insert((file, 0))
            }
        };
        *bytes += text;
        let end = if line.ends_with(b"\n") { &b""[..] } else { b"\n" };
        file.write_all(line).and_then(|()| file.write_all(end)).map_err(failed)
    }

    fn close(&mut self) -> Result<(), Failure> {
        let name = self.name();
        let Some((file, _)) = self.open.take() else { return Ok(()) };
        let failed = |error| Failure::Output { name: name.clone(), error };
        let mut file = file.finish().map_err(failed)?;
        file.flush().and_then(|()| file.file.get_ref().sync_all()).map_err(failed)?;
        self.parts.push(Part { bytes: file.bytes, sum: hex(&file.sum.finalize()), name });
        Ok(())
    }

    /// Ends the last file, and returns all.
    pub fn finish(mut self) -> Result<Vec<Part>, Failure> {
        self.close()?;
        Ok(self.parts)
    }
}

/// Returns bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
