//! Prints a page from WARC files, by their index.

use crate::context::Context;
use crate::io::console::print;
use crate::io::output::folder;
use ::cdx::search::{self, Defect};
use ::cdx::warc::key_fields;
use ::cdx::{surt, zipnum, Line};
use anyhow::{anyhow, bail, Error, Result};
use cdx::pages::leads_outside;
use clap::Args;
use records::{unreadable, Whole};
use std::fs::{self, File, Metadata};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// Number of lines of an index that are checked if it does not have a URL.
const CHECKED_LINES: usize = 10_000;

/// Print a page from WARC files that were indexed by `cdx`
#[derive(Args)]
pub struct Arguments {
    /// URL of the page
    url: String,
    /// The index: CDXJ, as `cdx` writes it; CDX of 9 to 11 fields; or the summary of a ZipNum index
    /// (cluster.idx), beside the files that it names
    index: PathBuf,
    /// Time of the page: the first digits of YYYYMMDDhhmmss. The nearest one is printed [default:
    /// the latest]
    #[arg(long, value_name = "DIGITS", value_parser = digits)]
    at: Option<String>,
    /// Folder with the WARC files [default: the folder of the index]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Read WARC files outside that folder too, if the index names them. Use it only with an index
    /// that you trust
    #[arg(long)]
    outside: bool,
    /// Print the WARC record with its headers
    #[arg(long)]
    record: bool,
    /// Print the lines of the index, for all times
    #[arg(long, conflicts_with_all = ["record", "at", "root", "outside"])]
    list: bool,
}

/// The digits of a time, at least a year.
fn digits(text: &str) -> Result<String> {
    let is_time = (4..=14).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_time
        .then(|| text.to_owned())
        .ok_or_else(|| anyhow!("allowed are 4 to 14 digits, such as 20261123"))
}

/// Prints the page or the index lines of a URL.
///
/// # Errors
/// Fails if the index does not have the URL, or the WARC file does not match the index.
pub fn run(sought: &Arguments, context: &Context) -> Result<bool> {
    let name = sought.index.display();
    let failed = |error: io::Error| anyhow!("{name}: {error}");
    let index = regular(&sought.index);
    let index = index.map_err(|error| Error::msg(unreadable(&name.to_string(), &error)))?;
    let mut index = BufReader::new(index);
    let key = surt::key(&sought.url);
    let found = lines_of(&mut index, sought, &key)?;
    if found.is_empty() && zipnum::is_summary(&mut index).map_err(failed)? {
        bail!("{name}: has no record of {} (key {key})", sought.url);
    }
    if found.is_empty() {
        require_index(&mut index, &name.to_string())?;
        bail!("{name}: has no record of {} (key {key})", sought.url);
    }
    if sought.list {
        // A line that `cdx` wrote has none: JSON escapes them.
        let lines = found.iter().map(|line| line.replace(char::is_control, "\u{fffd}") + "\n");
        return print(lines.collect::<String>().as_bytes());
    }
    let mut lines = Vec::new();
    for text in &found {
        let (_, timestamp, line) = Line::parse(text)
            .ok_or_else(|| anyhow!("{name}: a line of {key} is neither CDXJ nor CDX"))?;
        lines.push((timestamp, line));
    }
    let Some((timestamp, line)) = nearest(&lines, sought.at.as_deref()) else {
        bail!("{name}: has no record of {key} with a time");
    };
    let (timestamp, line) =
        if sought.record { (timestamp, line) } else { replayed(&lines, timestamp, line)? };
    let root = sought.root.as_deref().unwrap_or_else(|| folder(&sought.index));
    let path = root.join(&line.filename);
    let number = |text: &str| {
        text.parse::<u64>().map_err(|_| anyhow!("{name}: {text} is not a place in a file"))
    };
    let offset = number(&line.offset)?;
    // An index from elsewhere may name any file of this machine.
    if !sought.outside && leads_outside(root, &line.filename) {
        bail!(
            "{name}: names the file {}, which is not in {}; name the folder of the WARC files (--root), or allow other folders (--outside)",
            line.filename,
            root.display()
        );
    }
    let file = regular(&path).map_err(|error| {
        anyhow!("{}: {error}; name the folder of the WARC files (--root)", path.display())
    })?;
    let length = match line.length.as_str() {
        // An index of nine fields has none; the record ends where its own length says.
        "" => {
            let behind = file.metadata().map_or(0, |metadata| metadata.len());
            behind.saturating_sub(offset).min(context.max_bytes)
        }
        length => number(length)?,
    };
    let whole = Whole::read(file, offset, length, context.max_bytes)
        .map_err(|what| anyhow!("{}: {what}", path.display()))?;
    let (url, time) = key_fields(&whole.head);
    if url != line.url || time.as_deref() != Some(timestamp) {
        let what =
            "has another URL or time than the index: the file is not the one that was indexed";
        bail!("{}: the record at byte {offset} {what}", path.display());
    }
    eprintln!(
        "corpulyzer: {} of {timestamp}, {} at byte {offset}",
        line.url.as_deref().unwrap_or("-"),
        path.display()
    );
    if sought.record {
        print(&whole.bytes)
    } else {
        print(&whole.payload(context.max_bytes))
    }
}

/// Returns the lines of a key in an index: CDXJ, CDX, or ZipNum, whose blocks are in files beside
/// their summary.
fn lines_of(index: &mut BufReader<File>, sought: &Arguments, key: &str) -> Result<Vec<String>> {
    let name = sought.index.display();
    let failed = |error: io::Error| anyhow!("{name}: {error}");
    if !zipnum::is_summary(index).map_err(failed)? {
        let found = search::find(index, key).map_err(failed)?;
        return match found.is_empty() {
            true => search::find(index, &surt::in_order(key)).map_err(failed),
            false => Ok(found),
        };
    }
    let folder = folder(&sought.index);
    let mut found = Vec::new();
    for block in zipnum::blocks(index, key).map_err(failed)? {
        // Some summaries name their parts without an ending.
        let names = [block.part.clone(), format!("{}.gz", block.part)];
        let part = names.iter().find(|part| folder.join(part).is_file()).unwrap_or(&names[0]);
        if leads_outside(folder, part) {
            bail!("{name}: names the file {part}, which is not in {}", folder.display());
        }
        let path = folder.join(part);
        let failed =
            |error: io::Error| anyhow!("{}", unreadable(&path.display().to_string(), &error));
        let file = regular(&path).map_err(failed)?;
        found.extend(block.find(file, key).map_err(failed)?);
    }
    Ok(found)
}

/// Fails if one of the first lines of an index is not CDXJ, or is not in the order of its bytes:
/// the search finds nothing in such a file.
fn require_index(index: &mut BufReader<File>, name: &str) -> Result<()> {
    let defect = search::defect(index, CHECKED_LINES);
    match defect.map_err(|error| anyhow!("{name}: {error}"))? {
        None => Ok(()),
        Some(Defect::NotCdxj(line)) => {
            bail!("{name}: is not a sorted CDXJ index: line {line} is not CDXJ; make one with `cdx`")
        }
        Some(Defect::Unsorted(line)) => bail!(
            "{name}: is not a sorted CDXJ index: line {line} is less than the line before it; sort it by \
             bytes (LC_ALL=C sort)"
        ),
    }
}

/// Opens a regular file. Opening a pipe would wait for a writer.
fn regular(path: &Path) -> io::Result<File> {
    let is_file = |metadata: Metadata| match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("is not a regular file")),
    };
    is_file(fs::metadata(path)?)?;
    let file = File::open(path)?;
    is_file(file.metadata()?)?;
    Ok(file)
}

/// The line with the nearest time.
fn nearest<'a>(lines: &'a [(&'a str, Line)], at: Option<&str>) -> Option<(&'a str, &'a Line)> {
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
fn replayed<'a>(
    lines: &'a [(&'a str, Line)],
    timestamp: &'a str,
    line: &'a Line,
) -> Result<(&'a str, &'a Line)> {
    let is_revisit = |line: &Line| line.mime.as_deref() == Some("warc/revisit");
    if !is_revisit(line) {
        return Ok((timestamp, line));
    }
    let same = lines
        .iter()
        .rev()
        .find(|(_, one)| !is_revisit(one) && one.digest.is_some() && one.digest == line.digest);
    same.map(|(timestamp, line)| (*timestamp, line)).ok_or_else(|| {
        anyhow!(
            "{} of {timestamp} is a revisit: its page is in a record of another URL or index; --record prints it",
            line.url.as_deref().unwrap_or("-")
        )
    })
}
