//! Pipes, whose reading a signal can end although nothing arrives.

use crate::source::require_stream;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The flag of the program, if it has one.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Sets the flag that ends the reading of pipes with an error. The first one that is set stays.
pub fn end_pipes_by(stop: Arc<AtomicBool>) {
    let _ = STOP.set(stop);
}

/// Opens a file, a pipe, also one that has no writer yet, or standard input for `-`.
///
/// # Errors
/// Fails if it cannot be opened, is a folder, or is a device: most devices have no end.
pub fn open_input(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    if path == Path::new("-") {
        return standard_input();
    }
    require_stream(&std::fs::metadata(path)?)?;
    open(path)
}

#[cfg(unix)]
fn standard_input() -> io::Result<Box<dyn Read + Send>> {
    use std::os::fd::AsFd as _;
    let file = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    Ok(Box::new(Pipe(file)))
}

#[cfg(not(unix))]
fn standard_input() -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(io::stdin()))
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
    if !std::fs::metadata(path)?.file_type().is_fifo() {
        return Ok(Box::new(File::open(path)?));
    }
    // Opening would wait for a writer.
    let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).map_err(io::Error::other)?;
    Ok(Box::new(Pipe(File::options().read(true).custom_flags(flags).open(path)?)))
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(File::open(path)?))
}

#[cfg(unix)]
struct Pipe(File);

#[cfg(unix)]
impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use rustix::event::{poll, PollFd, PollFlags, Timespec};
        use rustix::io::Errno;
        /// Time between two looks at the flag.
        const STEP: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
        loop {
            if STOP.get().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(io::Error::other("stopped by a signal"));
            }
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&STEP)) {
                Ok(0) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
                Ok(_) => match self.0.read(buffer) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    read => return read,
                },
            }
        }
    }
}
