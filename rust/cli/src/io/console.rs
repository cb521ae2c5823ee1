//! Messages, the progress bar and signals.

use anyhow::{anyhow, Error, Result};
use indicatif::{ProgressBar, ProgressDrawTarget};
pub use render::{counted, harmless};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::fmt::{self, Display};
use std::fs;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Instant;

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
            Err(anyhow!("standard output: {error}"))
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
#[derive(Debug)]
pub struct Stopped(pub String);

impl Stopped {
    /// The error of a verb that then leaves no output.
    pub fn without_output() -> Error {
        Self("nothing was written".to_owned()).into()
    }
}

impl Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stopped by a signal; {}", self.0)
    }
}

impl std::error::Error for Stopped {}

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
            .map_err(|error| anyhow!("signals: {error}"))?;
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
        registered.map_err(|error| anyhow!("signals: {error}"))?;
    }
    AT_ONCE.store(false, Ordering::SeqCst);
    records::end_pipes_by(Arc::clone(&stopped));
    Ok(Arc::clone(FLAG.get_or_init(|| stopped)))
}

/// Whether a signal arrived that [`stop_flag`] caught.
pub fn is_stopped() -> bool {
    FLAG.get().is_some_and(|stopped| stopped.load(Ordering::Relaxed))
}
