//! The records of pages in some languages, by the indexes of an archive: from local WARC files, or
//! from a server that serves byte ranges.

use super::{stopped, Arguments};
use crate::context::Context;
use crate::io::console::{about, complain, counted, progress_target};
use crate::io::index::{self, Asking};
use crate::verbs::seeds::index::require_languages;
use ::ranges::{Failure, Server};
use anyhow::{anyhow, bail, Result};
use cdx::pages::Wanted;
use cdx::places::{limit, local, Local, Outside, Places, Ranges};
use figures::urls::fingerprint;
use indicatif::ProgressBar;
use langid::LangCode;
use records::Source;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Duration;

/// Folder of what was fetched, in the folder of the parts.
const FETCHED: &str = "fetched";

/// Bytes by which a compressed record may be longer than the longest record: headers, and data that
/// do not compress.
const BESIDE: u64 = 1 << 20;

/// Returns a source for each WARC file that the indexes name for the languages.
///
/// # Errors
/// Fails if an index is damaged or names a file outside the root, no file is there, a server does
/// not give its ranges, or a signal stopped the work.
pub fn sources(
    arguments: &Arguments,
    context: &Context,
    indexes: &[PathBuf],
    languages: &[LangCode],
    parts: &Path,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<Source>> {
    let files = cdx::pages::files(indexes)?;
    let root = match (&arguments.root, files.first()) {
        (Some(root), _) => root.clone(),
        (None, Some(first)) => cdx::pages::root(&first.path),
        (None, None) => PathBuf::from("."),
    };
    let store = parts.join(FETCHED);
    fs::create_dir_all(&store).map_err(about(store.display()))?;
    let (mut ranges, pages) = ranges(arguments, context, &files, languages, &store)?;
    let codes: Vec<&str> = languages.iter().chain(&arguments.like).map(LangCode::as_str).collect();
    let codes = codes.join(", ");
    if ranges.is_empty() {
        let instead = "collect its WARC files without --ranges";
        require_languages(&files, context.max_bytes, instead)?;
        bail!("the index has no page in {codes}; nothing was read");
    }
    let count = counted(pages, "page");
    note!(
        "corpulyzer: the index has {count} in {codes}, in {}",
        counted(ranges.len(), "WARC file")
    );
    let address = root.to_str().filter(|root| root.contains("://"));
    let (sources, missing) = match address {
        Some(address) => {
            leave_out_long(&mut ranges, context.max_bytes)?;
            fetched(arguments, address, ranges, &store, stop)?
        }
        None => match local(&root, ranges) {
            Ok(Local { sources, missing }) => (sources, missing),
            Err(Outside(name)) => {
                bail!("an index names the file {name}, which is not in {} (--root)", root.display())
            }
        },
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

/// Leaves out the records that would be longer than a record may be.
fn leave_out_long(ranges: &mut Ranges, max_bytes: u64) -> Result<()> {
    let most = max_bytes.saturating_add(BESIDE);
    let left_out = limit(ranges, most);
    if left_out > 0 {
        eprintln!(
            "corpulyzer: left out {} of the index that would be longer than {most} bytes (--max-bytes)",
            counted(left_out, "record")
        );
    }
    if ranges.is_empty() {
        bail!("no record of the index is short enough; nothing was read");
    }
    Ok(())
}

/// The ranges of the pages, and the number of pages.
fn ranges(
    arguments: &Arguments,
    context: &Context,
    files: &[Source],
    languages: &[LangCode],
    store: &Path,
) -> Result<(Ranges, u64)> {
    let codes = || languages.iter().chain(&arguments.like).map(LangCode::to_string);
    let mut places = Places::new(codes());
    let (delay, contact) = (arguments.delay, arguments.contact.as_deref());
    let asking = Asking { delay, contact, folder: Some(store.to_owned()) };
    let wanted = (Wanted::Places(codes().collect()), context.max_bytes);
    let lost = index::read(files, wanted, asking, &mut |entry| places.add(entry))?.lost;
    if lost > 0 {
        bail!(
            "an index was not read to its end: {} without an entry; no record was read",
            counted(lost, "line")
        );
    }
    let pages = places.pages;
    Ok((places.ranges(), pages))
}

/// The sources that a server has, fetched to a folder, and the files that it does not have.
fn fetched(
    arguments: &Arguments,
    address: &str,
    ranges: Ranges,
    folder: &Path,
    stop: &Arc<AtomicBool>,
) -> Result<(Vec<Source>, Vec<String>)> {
    let delay = Duration::try_from_secs_f64(arguments.delay)?;
    let mut server = Server::new(address, arguments.contact.as_deref(), delay, stop)
        .map_err(|bad| anyhow!("{bad} (--root)"))?;
    let bytes = ranges.values().flatten().map(|(_, length)| *length);
    let bytes = bytes.fold(0, u64::saturating_add);
    let bar = ProgressBar::with_draw_target(Some(bytes), progress_target());
    let (mut sources, mut missing, mut requests) = (Vec::new(), Vec::new(), 0);
    for (name, places) in ranges {
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
