//! Messages, the progress bar and signals.

use anyhow::{Error, Result};
use indicatif::{ProgressBar, ProgressDrawTarget};
pub use render::{counted, harmless};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::fmt::Display;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Instant;

/// An error of the system, after the name of what it is about.
#[derive(Debug, thiserror::Error)]
#[error("{0}: {1}")]
struct About(String, #[source] io::Error);

/// Puts the name of a file, or of what else an error of the system is about, before it.
pub fn about(name: impl Display) -> impl Fn(io::Error) -> Error {
    move |error| About(name.to_string(), error).into()
}

/// Names temporary files in a folder as the cause of an error.
pub fn temporary(folder: &Path) -> impl Fn(io::Error) -> Error + '_ {
    about(format!("temporary files in {}", folder.display()))
}

/// Whether an error says that a disk is full, or that the user has no room left on it.
pub fn is_full_disk(error: &Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref()).any(|error: &io::Error| {
        matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    })
}

/// Returns what to do about a full disk; empty for other errors.
pub fn advice(error: &Error) -> &'static str {
    match is_full_disk(error) {
        true => "; make room there, then run the same command again",
        false => "",
    }
}

/// Returns the time since the work began, and the peak memory of this process if the system tells.
pub fn spent(begin: Instant) -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    let memory = kib.map_or(String::new(), |kib| format!(", at most {} MiB of memory", kib >> 10));
    format!("in {:.1} s{memory}", begin.elapsed().as_secs_f64())
}

/// Writes to standard output. A reader that closes its end early (`| head`) is not an error.
///
/// # Errors
/// Fails if it cannot be written, as on a full disk.
pub fn print(text: &[u8]) -> Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(about("standard output")(error))
        }
        _ => Ok(true),
    }
}

/// Whether `--quiet` was given.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Sets whether notes and progress are left out. Warnings, damage and errors are always printed.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Whether notes and progress are left out.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Where progress is drawn: on a terminal only, and not with `--quiet`.
pub fn progress_target() -> ProgressDrawTarget {
    if is_quiet() {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    }
}

/// A line on standard error that the progress bar does not overwrite.
pub fn complain(progress: &ProgressBar, message: &str) {
    progress.suspend(|| eprintln!("corpulyzer: {message}"));
}

/// The work ended early because of a signal. The exit code is 130, as shells expect after SIGINT.
#[derive(Debug, thiserror::Error)]
#[error("stopped by a signal; {0}")]
pub struct Stopped(pub String);

impl Stopped {
    /// The error of a verb that then leaves no output.
    pub fn without_output() -> Error {
        Self("nothing was written".to_owned()).into()
    }
}

/// Exit code after a signal, as shells expect after SIGINT.
pub const STOPPED: u8 = 130;

/// Whether a signal ends the process at once: true until a verb asks for the flag.
static AT_ONCE: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// The flag of all verbs.
static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Ends the process with [`STOPPED`] at SIGINT and SIGTERM, until [`stop_flag`] is called: verbs
/// that write nothing but standard output need no more.
///
/// # Errors
/// Fails if the system refuses the signal handler.
pub fn end_at_signals() -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, STOPPED.into(), Arc::clone(&AT_ONCE))
            .map_err(about("signals"))?;
    }
    Ok(())
}

/// A flag that is true after SIGINT or SIGTERM, which also ends the reading of pipes. A second
/// signal ends the process at once.
///
/// # Errors
/// Fails if the system refuses the signal handler.
pub fn stop_flag() -> Result<Arc<AtomicBool>> {
    if let Some(stopped) = FLAG.get() {
        return Ok(Arc::clone(stopped));
    }
    let stopped = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let registered =
            flag::register_conditional_shutdown(signal, STOPPED.into(), Arc::clone(&stopped))
                .and_then(|_| flag::register(signal, Arc::clone(&stopped)));
        registered.map_err(about("signals"))?;
    }
    AT_ONCE.store(false, Ordering::SeqCst);
    records::end_pipes_by(Arc::clone(&stopped));
    Ok(Arc::clone(FLAG.get_or_init(|| stopped)))
}

/// Whether a signal arrived that [`stop_flag`] caught.
pub fn is_stopped() -> bool {
    FLAG.get().is_some_and(|stopped| stopped.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use collect::Failure;
    use outputs::BadOutput;

    #[test]
    fn a_full_disk_has_its_advice_in_every_error_that_it_causes() {
        let folder = Path::new("out");
        let causes: [fn(io::Error) -> Error; 5] = [
            |error| about("standard output")(error),
            |error| temporary(Path::new("out"))(error),
            |error| BadOutput::System { path: "out".into(), error, option: "--out" }.into(),
            |error| Failure::Part { folder: "out".into(), error }.into(),
            |error| Error::new(release::Failure::Folder(error)).context("out (--out)"),
        ];
        for (number, cause) in causes.into_iter().enumerate() {
            for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
                assert!(advice(&cause(kind.into())).contains("make room"), "{number}, {kind}");
            }
            assert_eq!(advice(&cause(io::ErrorKind::NotFound.into())), "", "{number}");
        }
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let sentence = temporary(folder)(full).to_string();
        assert!(sentence.starts_with("temporary files in out: "), "{sentence}");
        // The text of an error does not matter: it may quote a file.
        assert_eq!(advice(&anyhow::anyhow!("a.txt: is no page: (os error 28)")), "");
    }
}
