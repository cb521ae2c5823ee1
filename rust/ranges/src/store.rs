//! The fetched parts of a file on a server, in a file of this machine: a later run reads them from
//! there.
//!
//! The file is a list of parts: the first byte and the length (8 bytes each, little endian), the
//! CRC-32 (4 bytes), and the bytes. The first part is the address and the version of the file on
//! the server.

use crate::Version;
use flate2::Crc;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// Ending of the names of such files.
const ENDING: &str = "parts";

/// Bytes before those of a part.
const HEAD: u64 = 20;

/// The parts of a file.
#[derive(Debug)]
pub struct Store {
    /// Path of the file with all parts.
    pub path: PathBuf,
    file: File,
    /// The place of the head of each part, by its first byte and its length.
    places: HashMap<(u64, u64), u64>,
    end: u64,
}

impl Store {
    /// Opens the parts of a file. Parts of another version are deleted, and so is one that was not
    /// written to its end.
    ///
    /// # Errors
    /// Fails if the file, which is returned with the reason, cannot be written.
    pub fn open(folder: &Path, url: &Url, version: &Version) -> Result<Self, (PathBuf, io::Error)> {
        let path = folder.join(format!("{:016x}.{ENDING}", xxh3_64(url.as_str().as_bytes())));
        let mut options = OpenOptions::new();
        let opened = options.read(true).write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(|error| (path.clone(), error))?;
        let mut store = Self { path, file, places: HashMap::new(), end: 0 };
        let version = format!("{url}\n{}\n{}", version.length, version.tag);
        match store.read(version.as_bytes()) {
            Ok(()) => Ok(store),
            Err(error) => Err((store.path, error)),
        }
    }

    /// Finds the parts in the file. Begins a new list if it is one of another version.
    fn read(&mut self, version: &[u8]) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        let mut input = BufReader::new(&self.file);
        let mut places = HashMap::new();
        let mut end = 0;
        while let Ok((start, bytes, _)) = head(&mut input) {
            let next = (end + HEAD).checked_add(bytes).filter(|&next| next <= length);
            let Some(next) = next else { break };
            places.insert((start, bytes), end);
            end = next;
            input.seek(SeekFrom::Start(end))?;
        }
        (self.places, self.end) = (places, end);
        let first = u64::MAX;
        if self.get(first, version.len() as u64).is_none_or(|found| found != version) {
            (self.places, self.end) = (HashMap::new(), 0);
            self.file.set_len(0)?;
            return self.put(first, version);
        }
        self.file.set_len(self.end)
    }

    /// Returns a part, if it is there and not damaged.
    pub fn get(&mut self, start: u64, length: u64) -> Option<Vec<u8>> {
        let place = *self.places.get(&(start, length))?;
        self.file.seek(SeekFrom::Start(place)).ok()?;
        let (_, _, sum) = head(&mut self.file).ok()?;
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        self.file.read_exact(&mut bytes).ok()?;
        (sum_of(&bytes) == sum).then_some(bytes)
    }

    /// Adds a part.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn put(&mut self, start: u64, bytes: &[u8]) -> io::Result<()> {
        let length = bytes.len() as u64;
        let mut part = [start.to_le_bytes(), length.to_le_bytes()].concat();
        part.extend(sum_of(bytes).to_le_bytes());
        part.extend(bytes);
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&part)?;
        self.places.insert((start, length), self.end);
        self.end += part.len() as u64;
        Ok(())
    }
}

/// Deletes the files of parts in a folder, and the folder if nothing else is in it.
///
/// # Errors
/// Fails if a file cannot be deleted.
pub fn discard(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            fs::remove_file(path)?;
        }
    }
    match fs::remove_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        removed => removed,
    }
}

/// Reads the head of a part: its first byte, length and CRC-32.
fn head(input: &mut impl Read) -> io::Result<(u64, u64, u32)> {
    let (mut start, mut length, mut sum) = ([0; 8], [0; 8], [0; 4]);
    input.read_exact(&mut start)?;
    input.read_exact(&mut length)?;
    input.read_exact(&mut sum)?;
    Ok((u64::from_le_bytes(start), u64::from_le_bytes(length), u32::from_le_bytes(sum)))
}

fn sum_of(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
