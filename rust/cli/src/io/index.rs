//! Indexes of archives, read with progress and until a signal stops it.

use crate::io::console::{complain, stop_flag, Stopped};
use crate::io::corpora::{progress, NAMED_PROBLEMS};
use anyhow::Result;
use cdx::pages::{open, Entry};
use figures::removals::is_left_out;
use records::Source;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Rows between two looks at the clock and the signals.
const STEP: u64 = 4096;

/// Passes the pages of indexes to `take`: entries with a URL whose status is 200 or unknown. The
/// first bad lines and damaged files are named. Returns the number of rows and lines that could not
/// be read: if there is one, others may be lost with it.
///
/// # Errors
/// Fails if a file cannot be read, has no columns of an index, `take` fails, or a signal stopped
/// the work.
pub fn read(
    files: &[Source],
    max_bytes: u64,
    take: &mut dyn FnMut(Entry) -> Result<()>,
) -> Result<u64> {
    let stop = stop_flag()?;
    let bar = progress(files);
    let counter = Arc::new(AtomicU64::new(0));
    let mut lost = 0;
    let mut rows = 0u64;
    for file in files {
        let mut next = open(file, max_bytes, &counter)?;
        while let Some(entry) = next() {
            rows += 1;
            if rows.is_multiple_of(STEP) {
                if stop.load(Ordering::Relaxed) {
                    return Err(Stopped::without_output());
                }
                bar.set_position(counter.load(Ordering::Relaxed));
            }
            match entry {
                Ok(Some(entry)) if !is_left_out(&entry.url, "") => take(entry)?,
                Ok(_) => {}
                Err(bad) => {
                    lost += 1;
                    if lost <= NAMED_PROBLEMS {
                        complain(&bar, &format!("{}: {bad}", file.name));
                    }
                }
            }
        }
    }
    bar.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        return Err(Stopped::without_output());
    }
    Ok(lost)
}
