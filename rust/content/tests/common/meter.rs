//! Processor time of this thread, and memory of this process from Linux's `/proc`. Tests and examples share this
//! module, and each uses a part of it.
#![allow(dead_code)]

use rustix::time::{clock_gettime, ClockId};
use std::fs;
use std::time::Duration;

/// Returns the processor time of this thread. `/proc` has it too, but only to the last tick of the
/// kernel, 4 ms on some machines.
pub fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
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
