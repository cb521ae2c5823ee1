//! Work outside of the lock of the interpreter: alone, or on all cores and interruptible.

use crate::errors;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{sync_channel, RecvTimeoutError};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

/// Time between two looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(25);

/// The threads of a process, and its number. A process that was forked has none of the threads, so
/// it needs new ones.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Returns the threads of this process: one for each core, or the number in `RAYON_NUM_THREADS`.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let process = std::process::id();
    // Another thread may have held the lock when this process was forked, and will never return it.
    let mut place = match POOL.try_lock() {
        Ok(place) => Some(place),
        Err(TryLockError::Poisoned(place)) => Some(place.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    };
    if let Some(Some((owner, pool))) = place.as_deref() {
        if *owner == process {
            return Ok(Arc::clone(pool));
        }
    }
    let pool =
        ThreadPoolBuilder::new().thread_name(|number| format!("corpulyzer-{number}")).build();
    let pool = Arc::new(
        pool.map_err(|error| errors::internal(format!("threads cannot be started: {error}")))?,
    );
    if let Some(place) = place.as_deref_mut() {
        // Ending threads that this process does not have might wait for them.
        std::mem::forget(place.replace((process, Arc::clone(&pool))));
    }
    Ok(pool)
}

/// Runs work on this thread, without the lock of the interpreter.
///
/// # Errors
/// Fails if it panics.
pub(crate) fn alone<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|cause| panicked(&*cause))
}

/// Runs work on all cores, without the lock of the interpreter. Ctrl-C ends it early: the flag is
/// set, if there is one, and the work is not waited for, because it may be waiting for a pipe. What
/// it returns then is dropped.
///
/// # Errors
/// Fails if it panics, was interrupted, or there can be no threads.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    stop: Option<&AtomicBool>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let pool = py.detach(pool)?;
    let (sender, mut receiver) = sync_channel(1);
    let thread = std::thread::Builder::new().name("corpulyzer-work".to_owned());
    let started = thread.spawn(move || {
        // A receiver that is gone was interrupted.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(|| pool.install(work))));
    });
    started.map_err(|error| errors::internal(format!("a thread cannot be started: {error}")))?;
    loop {
        let (received, back) = py.detach(move || (receiver.recv_timeout(LOOK), receiver));
        receiver = back;
        match received {
            Ok(done) => return done.map_err(|cause| panicked(&*cause)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(errors::internal("the work ended without a result"))
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals() {
                    if let Some(stop) = stop {
                        stop.store(true, Ordering::Relaxed);
                    }
                    return Err(interrupt);
                }
            }
        }
    }
}

/// The exception for a panic.
pub(crate) fn panicked(cause: &(dyn Any + Send)) -> PyErr {
    let message = cause
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| cause.downcast_ref::<String>().map(String::as_str));
    errors::internal(format!("the engine panicked: {}", message.unwrap_or("without a message")))
}
