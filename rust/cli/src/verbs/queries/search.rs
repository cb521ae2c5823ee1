//! Seeds from a search engine: a command that the user has a key for answers the queries.

use crate::io::output::{settle, FilePlace};
use crate::io::seeds::write;
use anyhow::{bail, Context as _, Result};
use seeds::posts::{split, strings};
use seeds::{Choice, Settings};
use std::io::Read as _;
use std::process::{Command, Stdio};

/// Most seeds of a host, as in `seeds`.
const PER_HOST: usize = 20;

/// Runs a command for each query, with the query as its last argument, and writes the URLs in its
/// output: text or lines of JSON. No shell reads the command or a query. Returns whether the
/// command succeeded for every query; otherwise the seeds are partial.
///
/// # Errors
/// Fails if the command names no program, no answer has a URL, or the file cannot be written.
pub fn seeds(command: &str, queries: &[String], place: FilePlace, max_bytes: u64) -> Result<bool> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let Some((program, arguments)) = words.split_first() else {
        bail!("--search names no command; allowed is a program with its arguments");
    };
    let mut choice = Choice::new(Settings::of_links(PER_HOST));
    let mut failed = 0_usize;
    for query in queries {
        let mut command = Command::new(program);
        match answer(command.args(arguments).arg(query), max_bytes) {
            Ok(text) => {
                let strings: Vec<String> = text.lines().flat_map(strings).collect();
                for url in strings.iter().flat_map(|text| split(text).1) {
                    choice.offer(url, 1, 1);
                }
            }
            Err(error) => {
                failed += 1;
                eprintln!("corpulyzer: queries: {program} failed for {query}: {error:#}");
            }
        }
    }
    note!("corpulyzer: queries: {} sent, {failed} of them without an answer", queries.len());
    if choice.hosts() == 0 {
        bail!("no answer of {program} has a URL; nothing was written");
    }
    write(settle(place, failed == 0)?, choice, Some("search"))?;
    Ok(failed == 0)
}

/// The standard output of a command.
fn answer(command: &mut Command, max_bytes: u64) -> Result<String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("the command cannot be run")?;
    let mut bytes = Vec::new();
    let read = match child.stdout.take() {
        Some(output) => output.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes),
        None => Ok(0),
    };
    if read.is_err() || bytes.len() as u64 > max_bytes {
        // It may have ended by itself.
        let _ = child.kill();
    }
    let status = child.wait()?;
    read?;
    if bytes.len() as u64 > max_bytes {
        bail!("its answer is longer than {max_bytes} bytes (--max-bytes)");
    }
    if !status.success() {
        bail!("{status}");
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
