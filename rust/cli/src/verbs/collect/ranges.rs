//! The records of pages in some languages, by the indexes of an archive: from local WARC files, or
//! from a server that serves byte ranges.

use super::{stopped, Arguments};
use crate::context::Context;
use crate::io::console::{complain, counted};
use crate::io::index;
use crate::io::output::folder;
use ::ranges::{Failure, Server};
use anyhow::{anyhow, bail, Result};
use figures::urls::fingerprint;
use indicatif::ProgressBar;
use langid::LangCode;
use records::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Folder of what was fetched, in the folder of the parts.
const FETCHED: &str = "fetched";

/// Largest place in a file: one of a signed number.
const MOST: u64 = i64::MAX as u64;

/// Bytes by which a compressed record may be longer than the longest record: headers, and data that
/// do not compress.
const BESIDE: u64 = 1 << 20;

/// The places of records, as offset and length in order, for each WARC file.
type Places = BTreeMap<String, Vec<(u64, u64)>>;

/// Returns a source for each WARC file that the indexes name for the languages.
///
/// # Errors
/// Fails if an index is damaged or names a file outside the root, no file is there, a server does
/// not give its ranges, or a signal stopped the work.
pub fn sources(
    asked: &Arguments,
    context: &Context,
    indexes: &[PathBuf],
    languages: &[LangCode],
    parts: &Path,
    stop: &AtomicBool,
) -> Result<Vec<Source>> {
    let files = cdx::pages::files(indexes)?;
    let root = match (&asked.root, files.first()) {
        (Some(root), _) => root.as_path(),
        (None, Some(first)) => folder(&first.path),
        (None, None) => Path::new("."),
    };
    let (places, pages) = places(asked, context, &files, languages)?;
    let codes: Vec<&str> = languages.iter().chain(&asked.like).map(LangCode::as_str).collect();
    let codes = codes.join(", ");
    if places.is_empty() {
        bail!("the index has no page in {codes}; nothing was read");
    }
    let count = counted(pages, "page");
    eprintln!(
        "corpulyzer: the index has {count} in {codes}, in {}",
        counted(places.len(), "WARC file")
    );
    let address = root.to_str().filter(|root| root.contains("://"));
    let (sources, missing) = match address {
        Some(address) => {
            let places = short(places, context.max_bytes);
            if places.is_empty() {
                bail!("no record of the index is short enough; nothing was read");
            }
            fetched(asked, address, places, &parts.join(FETCHED), stop)?
        }
        None => local(root, places)?,
    };
    if sources.is_empty() {
        let first = missing.first().map_or("", String::as_str);
        bail!(
            "cannot read {first}: no such file; no other file of the index exists either; name their folder or server (--root)"
        );
    }
    if let Some(first) = missing.first() {
        eprintln!(
            "corpulyzer: left out {} that are not there, the first is {first}",
            counted(missing.len(), "WARC file")
        );
    }
    Ok(sources)
}

/// The places of the pages, and the number of pages.
fn places(
    asked: &Arguments,
    context: &Context,
    files: &[Source],
    languages: &[LangCode],
) -> Result<(Places, u64)> {
    let codes: Vec<&str> = languages.iter().chain(&asked.like).map(LangCode::as_str).collect();
    let mut found: BTreeMap<String, BTreeSet<(u64, u64)>> = BTreeMap::new();
    let mut pages = 0u64;
    let lost = index::read(files, context.max_bytes, &mut |entry| {
        let is_wanted = entry.languages.iter().any(|code| codes.contains(&code.as_str()));
        let is_place = entry.length > 0
            && entry.offset.checked_add(entry.length).is_some_and(|end| end <= MOST);
        if is_wanted && is_place && !entry.filename.is_empty() {
            pages += 1;
            found.entry(entry.filename).or_default().insert((entry.offset, entry.length));
        }
        Ok(())
    })?;
    if lost > 0 {
        bail!(
            "an index was not read to its end: {} without an entry; no record was read",
            counted(lost, "line")
        );
    }
    Ok((found.into_iter().map(|(name, places)| (name, apart(places))).collect(), pages))
}

/// Leaves out each place that overlaps the one before it.
fn apart(places: BTreeSet<(u64, u64)>) -> Vec<(u64, u64)> {
    let mut end = 0;
    let mut apart = Vec::with_capacity(places.len());
    for (offset, length) in places {
        if offset >= end {
            end = offset + length;
            apart.push((offset, length));
        }
    }
    apart
}

/// Leaves out each place that is longer than a record may be. An index from elsewhere may name any
/// length, and a server may send that much: it would fill the disk.
fn short(mut places: Places, max_bytes: u64) -> Places {
    let most = max_bytes.saturating_add(BESIDE);
    let mut left_out = 0u64;
    places.retain(|_, places| {
        let before = places.len();
        places.retain(|(_, length)| *length <= most);
        left_out += (before - places.len()) as u64;
        !places.is_empty()
    });
    if left_out > 0 {
        eprintln!(
            "corpulyzer: left out {} of the index that would be longer than {most} bytes (--max-bytes)",
            counted(left_out, "record")
        );
    }
    places
}

/// The sources in a folder, and the files that are not there.
fn local(root: &Path, places: Places) -> Result<(Vec<Source>, Vec<String>)> {
    let (mut sources, mut missing) = (Vec::new(), Vec::new());
    for (name, places) in places {
        // An index from elsewhere may name any file of this machine.
        if cdx::pages::leads_outside(root, &name) {
            bail!("an index names the file {name}, which is not in {} (--root)", root.display());
        }
        let path = root.join(&name);
        match Source::of_ranges(&path, places) {
            Ok(source) if path.is_file() => sources.push(source),
            _ => missing.push(path.display().to_string()),
        }
    }
    Ok((sources, missing))
}

/// The sources that a server has, fetched to a folder, and the files that it does not have.
fn fetched(
    asked: &Arguments,
    address: &str,
    places: Places,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<(Vec<Source>, Vec<String>)> {
    let delay = Duration::try_from_secs_f64(asked.delay)?;
    let mut server = Server::new(address, asked.contact.as_deref(), delay, stop)
        .map_err(|bad| anyhow!("{bad} (--root)"))?;
    fs::create_dir_all(folder).map_err(|error| anyhow!("{}: {error}", folder.display()))?;
    let bytes = places.values().flatten().map(|(_, length)| *length);
    let bytes = bytes.fold(0, u64::saturating_add);
    let bar = ProgressBar::new(bytes);
    let (mut sources, mut missing, mut requests) = (Vec::new(), Vec::new(), 0);
    for (name, places) in places {
        // Other places are another file.
        let file = folder
            .join(format!("{:016x}.warc.gz", fingerprint(&format!("{address} {name} {places:?}"))));
        match server.fetch(&name, &places, &file) {
            Ok(made) => requests += made,
            Err(Failure::Absent) => {
                missing.push(name);
                continue;
            }
            Err(Failure::Stopped) => return Err(stopped()),
            Err(failure) => bail!("{failure}; run the same command to continue"),
        }
        bar.inc(places.iter().map(|(_, length)| length).sum());
        sources.push(Source { name, ..Source::new(&file)? });
    }
    complain(&bar, &format!("{} to {address}", counted(requests, "request")));
    bar.finish_and_clear();
    Ok((sources, missing))
}
