//! Indexes of archives, read with progress and until a signal stops it.

use crate::io::console::{complain, stop_flag, Stopped};
use crate::io::corpora::{progress, NAMED_PROBLEMS};
use anyhow::{anyhow, bail, Result};
use cdx::pages::{any_afar, Entry, Options, Wanted};
use cdx::reading::{Failure, News, Reading};
use ranges::Afar;
use records::Source;
use std::path::PathBuf;
use std::time::Duration;

/// How servers are asked: the time between two requests in seconds, the contact, and the folder of
/// fetched parts.
pub struct Asking<'a> {
    pub delay: f64,
    pub contact: Option<&'a str>,
    pub folder: Option<PathBuf>,
}

/// Passes the wanted pages of indexes to `take`. The first bad lines and damaged files are named.
///
/// # Errors
/// Fails if a file cannot be read or is no index, or a signal stopped the work.
pub fn read(
    files: &[Source],
    (wanted, max_bytes): (Wanted, u64),
    asking: Asking,
    take: &mut dyn FnMut(Entry),
) -> Result<Reading> {
    let delay = Duration::try_from_secs_f64(asking.delay)?;
    let (contact, resumes) = (asking.contact.map(str::to_owned), asking.folder.is_some());
    let afar = Afar { delay, contact, folder: asking.folder, stop: stop_flag()? };
    let mut reading = Reading::new(Options { max_bytes, wanted, ..Options::default() }, afar);
    let bar = progress(files);
    let mut named = 0;
    let outcome = reading.read(
        files,
        &mut |news| match news {
            News::Read(bytes) => bar.set_position(bytes),
            News::Bad(file, bad) => {
                named += 1;
                if named <= NAMED_PROBLEMS {
                    complain(&bar, &format!("{file}: {bad}"));
                }
            }
        },
        take,
    );
    bar.finish_and_clear();
    if any_afar(files) {
        note!("corpulyzer: fetched {}", reading.counts);
    }
    match outcome {
        Ok(()) => Ok(reading),
        Err(Failure::Stopped) if any_afar(files) && resumes => {
            Err(Stopped("run the same command to continue".to_owned()).into())
        }
        Err(Failure::Stopped) => Err(Stopped::without_output()),
        Err(failure @ Failure::Unreachable(_)) if resumes => {
            bail!("{failure}; run the same command to continue")
        }
        Err(failure) => Err(anyhow!(failure)),
    }
}
