//! Processor time and memory of this process, from Linux's `/proc`. Tests and examples share this
//! module, and each uses a part of it.
#![allow(dead_code)]

use std::fs;
use std::time::Duration;

/// Returns the processor time of this thread.
pub fn processor_time() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has schedstat");
    Duration::from_nanos(
        stat.split(' ')
            .next()
            .and_then(|nanos| nanos.parse().ok())
            .expect("a number of nanoseconds"),
    )
}

/// A figure of this process in bytes: `VmRSS:`, the memory that it holds, or `VmHWM:`, the most
/// that it ever held.
///
/// # Panics
/// Where `/proc` does not tell it.
pub fn memory(name: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has a status");
    let line =
        status.lines().find_map(|line| line.strip_prefix(name)).expect("a figure of this name");
    line.split_whitespace()
        .next()
        .and_then(|kib| kib.parse::<usize>().ok())
        .expect("a number of kB")
        * 1024
}
