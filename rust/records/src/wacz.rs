//! WACZ: the archives of one collection in a ZIP file.

use crate::fault::{Fault, Problem};
use crate::record::Record;
use crate::source::{counted_part, decompress, Input};
use crate::MemberRead;
use flate2::read::DeflateDecoder;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::Arc;
use zip::{CompressionMethod, ZipArchive};

/// Folder of the archives.
const FOLDER: &str = "archive/";

/// The same within another folder.
const INNER_FOLDER: &str = "/archive/";

/// An archive in the file.
struct Member {
    name: String,
    offset: u64,
    length: u64,
    is_deflated: bool,
}

/// The records of all archives in a file, numbered through.
pub struct Wacz {
    path: PathBuf,
    name: String,
    max_bytes: u64,
    read: Arc<AtomicU64>,
    members: VecDeque<Member>,
    current: Option<Input<Box<dyn MemberRead + Send>>>,
    before: u64,
    last: u64,
}

impl Wacz {
    /// Opens a file; longest record and counter of bytes as in [`Source::open`](crate::Source::open).
    ///
    /// # Errors
    /// Fails if it is no ZIP file, has no archive, or one that is compressed or encrypted otherwise.
    pub fn open(
        path: &Path,
        name: &str,
        max_bytes: u64,
        read: &Arc<AtomicU64>,
    ) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            name: name.to_owned(),
            max_bytes,
            read: Arc::clone(read),
            members: members(path)?,
            current: None,
            before: 0,
            last: 0,
        })
    }

    /// Opens the next archive; `None` behind the last.
    fn begin(&mut self) -> Option<io::Result<()>> {
        let member = self.members.pop_front()?;
        self.before = self.last;
        let opened = counted_part(&self.path, (member.offset, member.length), &self.read)
            .and_then(|part| {
                let raw: Box<dyn Read + Send> = match member.is_deflated {
                    true => Box::new(DeflateDecoder::new(part)),
                    false => Box::new(part),
                };
                decompress(raw)
            })
            .map(|(input, resumes)| {
                let name = format!("{}, {}", self.name, member.name);
                self.current = Some(Input::new(input, &name, self.max_bytes, resumes));
            });
        Some(opened)
    }
}

impl Iterator for Wacz {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.current.as_mut().and_then(Iterator::next) {
                return Some(record.map(|record| {
                    self.last = self.before + record.number;
                    Record { number: self.last, ..record }
                }));
            }
            self.current = None;
            if let Err(error) = self.begin()? {
                return Some(Err(Fault::of(&error).at(&self.name)));
            }
        }
    }
}

/// Returns the archives in a file, by name.
fn members(path: &Path) -> io::Result<VecDeque<Member>> {
    let bad = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut zip = ZipArchive::new(BufReader::new(File::open(path)?)).map_err(|error| {
        bad(format!(
            "is ZIP without a list of its files, so that it is cut off or damaged: {error}"
        ))
    })?;
    let mut members = Vec::new();
    for number in 0..zip.len() {
        let entry = zip.by_index_raw(number).map_err(|error| bad(format!("is ZIP: {error}")))?;
        let name = entry.name().to_owned();
        // Some writers name their members from another folder, or as Windows does.
        let place = name.replace('\\', "/");
        let is_there = place.starts_with(FOLDER) || place.contains(INNER_FOLDER);
        if !is_there || !entry.is_file() {
            continue;
        }
        let method = entry.compression();
        if entry.encrypted()
            || ![CompressionMethod::STORE, CompressionMethod::DEFLATE].contains(&method)
        {
            return Err(bad(format!(
                "has {name}, which is encrypted or compressed by {method}; stored and deflated files are read"
            )));
        }
        let offset = entry.data_start().ok_or_else(|| bad(format!("has no place for {name}")))?;
        let is_deflated = method == CompressionMethod::DEFLATE;
        members.push(Member { name, offset, length: entry.compressed_size(), is_deflated });
    }
    if members.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "is ZIP, which is not read, except for WACZ, whose WARC files are in a folder `archive`; unpack it first",
        ));
    }
    members.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(members.into())
}
