//! The lines of a URL in an index that a user names, and the line whose record has its page.

use crate::pages::leads_outside;
use crate::search::{self, Defect};
use crate::warc::key_fields;
use crate::{surt, zipnum, Line};
use records::{unreadable, Whole};
use std::fs::{self, File, Metadata};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// Number of lines of an index that are checked if it does not have a URL.
const CHECKED_LINES: usize = 10_000;

/// Why a page is not found.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file of the index cannot be opened.
    #[error("{}", unreadable(&file.display().to_string(), error))]
    Unopened {
        /// Path of the index, or of a part that its summary names.
        file: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// The index cannot be read.
    #[error("{}: {error}", index.display())]
    Unread {
        /// Path of the index.
        index: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// The index is whole, and has no line of the key.
    #[error("{}: has no record of key {key}", index.display())]
    Absent {
        /// Path of the index.
        index: PathBuf,
        /// The sought key: a URL in the order of its host's labels (SURT).
        key: String,
    },
    /// A line of the index is none of CDXJ.
    #[error(
        "{}: is not a sorted CDXJ index: line {line} is not CDXJ; make one with `cdx`",
        index.display()
    )]
    NotCdxj {
        /// Path of the index.
        index: PathBuf,
        /// Number of the line.
        line: usize,
    },
    /// The lines of the index are not in the order of their bytes.
    #[error(
        "{}: is not a sorted CDXJ index: line {line} is less than the line before it; sort it by \
         bytes (LC_ALL=C sort)",
        index.display()
    )]
    Unsorted {
        /// Path of the index.
        index: PathBuf,
        /// Number of the line.
        line: usize,
    },
    /// The summary of a ZipNum index names a file outside its folder.
    #[error("{}: names the file {part}, which is not in {}", index.display(), folder.display())]
    Outside {
        /// Path of the summary.
        index: PathBuf,
        /// Name of the file, as the summary has it.
        part: String,
        /// Folder of the summary.
        folder: PathBuf,
    },
    /// A line of the index has no place of a record.
    #[error("{}: {text} is not a place in a file", index.display())]
    NoPlace {
        /// Path of the index.
        index: PathBuf,
        /// The text in place of a number.
        text: String,
    },
    /// The archive of a record cannot be opened.
    #[error("{}: {error}; name the folder of the WARC files (--root)", file.display())]
    NoArchive {
        /// Path of the archive below `--root`.
        file: PathBuf,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// The archive has no such record.
    #[error("{}: {absent}", file.display())]
    NoRecord {
        /// Path of the archive.
        file: PathBuf,
        /// Fault that was found at the place that the index names.
        absent: records::Absent,
    },
    /// The record is of another page.
    #[error(
        "{}: the record at byte {offset} has another URL or time than the index: the file is not \
         the one that was indexed",
        file.display()
    )]
    Changed {
        /// Path of the archive.
        file: PathBuf,
        /// Offset of the record, in bytes.
        offset: u64,
    },
    /// The page was not stored again at this time.
    #[error(
        "{url} of {timestamp} is a revisit: its page is in a record of another URL or index; \
         --record prints it"
    )]
    Revisit {
        /// URL of the page.
        url: String,
        /// Time of the revisit: digits from the year to the second, UTC.
        timestamp: String,
    },
}

/// Returns the lines of a key in an index: CDXJ, CDX, or ZipNum, whose blocks are in files beside
/// their summary.
///
/// # Errors
/// Fails if the index cannot be read, is not sorted, or has no such line.
pub fn lines(path: &Path, key: &str) -> Result<Vec<String>, Failure> {
    let failed = |error| Failure::Unread { index: path.to_owned(), error };
    let unopened = |file: &Path, error| Failure::Unopened { file: file.to_owned(), error };
    let mut index = BufReader::new(regular(path).map_err(|error| unopened(path, error))?);
    let absent = Failure::Absent { index: path.to_owned(), key: key.to_owned() };
    let mut found = Vec::new();
    if zipnum::is_summary(&mut index).map_err(failed)? {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        for block in zipnum::blocks(&mut index, key).map_err(failed)? {
            // Some summaries name their parts without an ending.
            let names = [block.part.clone(), format!("{}.gz", block.part)];
            let part = names.iter().find(|part| folder.join(part).is_file()).unwrap_or(&names[0]);
            if leads_outside(folder, part) {
                let (index, part, folder) = (path.to_owned(), part.clone(), folder.to_owned());
                return Err(Failure::Outside { index, part, folder });
            }
            let part = folder.join(part);
            let lines = regular(&part).and_then(|file| block.find(file, key));
            found.extend(lines.map_err(|error| unopened(&part, error))?);
        }
        return if found.is_empty() { Err(absent) } else { Ok(found) };
    }
    for key in [key, &surt::in_order(key)] {
        found = search::find(&mut index, key).map_err(failed)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    // The search finds nothing in a file that is no index, or not sorted.
    let path = path.to_owned();
    Err(match search::defect(&mut index, CHECKED_LINES).map_err(failed)? {
        None => absent,
        Some(Defect::NotCdxj(line)) => Failure::NotCdxj { index: path, line },
        Some(Defect::Unsorted(line)) => Failure::Unsorted { index: path, line },
    })
}

/// Opens a regular file. Opening a pipe would wait for a writer.
///
/// # Errors
/// Fails if it is none, or cannot be opened.
pub fn regular(path: &Path) -> io::Result<File> {
    let is_file = |metadata: Metadata| match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("is not a regular file")),
    };
    is_file(fs::metadata(path)?)?;
    let file = File::open(path)?;
    is_file(file.metadata()?)?;
    Ok(file)
}

/// Returns the line with the time that is nearest to the first digits of one, or the latest.
pub fn nearest<'a>(lines: &'a [(&'a str, Line)], at: Option<&str>) -> Option<(&'a str, &'a Line)> {
    let number = |digits: &str| format!("{digits:0<14}").parse::<u64>().unwrap_or(0);
    let lines = lines.iter().map(|(timestamp, line)| (*timestamp, line));
    match at {
        // The digits of a time are not a number of seconds, but they are enough to choose the
        // nearer of two neighbours.
        Some(at) => lines.min_by_key(|(timestamp, _)| number(timestamp).abs_diff(number(at))),
        None => lines.max_by_key(|(timestamp, _)| number(timestamp)),
    }
}

/// The line of the record that contains the page. For a page that was not stored again, the line of
/// the earlier record with the same digest.
///
/// # Errors
/// Fails if no line has that record.
pub fn replayed<'a>(
    lines: &'a [(&'a str, Line)],
    timestamp: &'a str,
    line: &'a Line,
) -> Result<(&'a str, &'a Line), Failure> {
    let is_revisit = |line: &Line| line.mime.as_deref() == Some("warc/revisit");
    if !is_revisit(line) {
        return Ok((timestamp, line));
    }
    let same = lines
        .iter()
        .rev()
        .find(|(_, one)| !is_revisit(one) && one.digest.is_some() && one.digest == line.digest);
    same.map(|(timestamp, line)| (*timestamp, line)).ok_or_else(|| Failure::Revisit {
        url: line.url.clone().unwrap_or_else(|| "-".to_owned()),
        timestamp: timestamp.to_owned(),
    })
}

/// Returns the record of a line of an index, with its time, from its archive. A record may have at
/// most `max_bytes` bytes.
///
/// # Errors
/// Fails if the archive cannot be read, or has no record or that of another page at this place.
pub fn record(
    index: &Path,
    archive: &Path,
    (timestamp, line): (&str, &Line),
    max_bytes: u64,
) -> Result<Whole, Failure> {
    let (index, file) = (index.to_owned(), archive.to_owned());
    let number = |text: &str| {
        text.parse::<u64>()
            .map_err(|_| Failure::NoPlace { index: index.clone(), text: text.to_owned() })
    };
    let offset = number(&line.offset)?;
    let opened =
        regular(archive).map_err(|error| Failure::NoArchive { file: file.clone(), error })?;
    let length = match line.length.as_str() {
        // An index of nine fields has none; the record ends where its own length says.
        "" => {
            let behind = opened.metadata().map_or(0, |metadata| metadata.len());
            behind.saturating_sub(offset).min(max_bytes)
        }
        length => number(length)?,
    };
    let whole = Whole::read(opened, offset, length, max_bytes)
        .map_err(|absent| Failure::NoRecord { file: file.clone(), absent })?;
    let (url, time) = key_fields(&whole.head);
    if url != line.url || time.as_deref() != Some(timestamp) {
        return Err(Failure::Changed { file, offset });
    }
    Ok(whole)
}
