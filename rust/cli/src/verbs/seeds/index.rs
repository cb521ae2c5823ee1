//! Seeds from the index of an archive: hosts with pages in a language, at any rank.

use super::Arguments;
use crate::context::Context;
use crate::io::console::{about, counted};
use crate::io::index::{self, Asking};
use crate::io::output::{apart, fetched_folder, settle, FilePlace};
use anyhow::{bail, Result};
use cdx::pages::{any_afar, is_afar, open, Options, Wanted};
use langid::LangCode;
use records::Source;
use seeds::index::{blind_spot, IndexSums, Limits};
use seeds::Choice;

/// Adds the pages of indexes to a choice of seeds. Returns whether the indexes are whole.
///
/// # Errors
/// Fails if an index cannot be read, a table cannot be written, or a signal stopped the work.
pub fn choose(arguments: &Arguments, context: &Context, choice: &mut Choice) -> Result<bool> {
    let Arguments { language, like, out, .. } = arguments;
    let files = cdx::pages::files(&arguments.corpora)?;
    apart(&arguments.outputs(), files.iter().map(|file| file.path.as_path()))?;
    let hosts = FilePlace::of(arguments.hosts.as_deref(), "--hosts")?;
    let table = FilePlace::of(arguments.table.as_deref(), "--table")?;
    let overlap = FilePlace::of(arguments.overlap.as_deref(), "--overlap")?;
    let languages = FilePlace::of(arguments.languages.as_deref(), "--languages")?;
    if let Some(sentence) = blind_spot(*language, like) {
        eprintln!("corpulyzer: {sentence}");
    }
    // Shares and tables need the pages in other languages too.
    let needs_all = arguments.mix.is_some() || arguments.min_share > 0.0;
    let mut wanted = Wanted::All;
    if !needs_all && arguments.outputs().len() == 1 {
        wanted = Wanted::urls(like.iter().chain([language]).map(LangCode::to_string));
    }
    let fetched = any_afar(&files).then(|| fetched_folder(out)).transpose()?;
    let contact = arguments.contact.as_deref().map(crate::arguments::contact).transpose()?;
    let asking = Asking { delay: arguments.delay, contact, folder: fetched.clone() };
    let mut sums = IndexSums::new(*language, like);
    let reading = index::read(&files, (wanted, context.max_bytes), asking, &mut |entry| {
        sums.add(&entry, choice);
    })?;
    let lost = reading.lost;
    choice.counts.pages += reading.others();
    if lost > 0 {
        eprintln!("corpulyzer: skipped {} without an entry of an index", counted(lost, "line"));
    }
    let limits = Limits { min_pages: arguments.min_pages, min_share: arguments.min_share };
    sums.limit(choice, limits);
    let releases = &sums.releases;
    let write = |place: Option<FilePlace>, text: &dyn Fn() -> String| -> Result<()> {
        match place {
            Some(place) => Ok(settle(place, lost == 0)?.write(text().as_bytes())?),
            None => Ok(()),
        }
    };
    write(hosts, &|| sums.host_table(limits))?;
    write(table, &|| releases.table())?;
    write(overlap, &|| releases.overlap())?;
    write(languages, &|| releases.languages())?;
    if let Some(folder) = fetched.filter(|_| lost == 0) {
        ranges::discard(&folder).map_err(about(folder.display()))?;
    }
    if choice.counts.rich == 0 && arguments.mix.is_none() {
        require_languages(
            &files,
            context.max_bytes,
            "list the seeds from its WARC files without --index",
        )?;
    }
    Ok(lost == 0)
}

/// Pages of each index that are looked at for languages.
const LOOKED_AT: usize = 10_000;

/// Fails if indexes of this machine have pages and name no language for any. Call it where no page
/// of them is in the wanted languages.
///
/// # Errors
/// Also fails if an index cannot be read. The message ends with `instead`, which says what to use.
pub fn require_languages(files: &[Source], max_bytes: u64, instead: &str) -> Result<()> {
    let options = Options { max_bytes, ..Options::default() };
    let mut has_pages = false;
    for file in files {
        // A server is not asked again.
        if is_afar(&file.path) {
            return Ok(());
        }
        let next = open(file, &options)?;
        let entries = std::iter::from_fn(next).take(LOOKED_AT);
        for page in entries.filter_map(|entry| entry.ok().flatten()) {
            if !page.languages.is_empty() {
                return Ok(());
            }
            has_pages = true;
        }
    }
    if has_pages {
        bail!(
            "the index names no languages of pages, as an index by `corpulyzer cdx`; {instead}; \
             nothing was written"
        );
    }
    Ok(())
}
