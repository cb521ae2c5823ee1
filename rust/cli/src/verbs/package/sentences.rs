//! Sentences, which have no figures of pages.

use super::files::{Files, Part};
use super::{count, Arguments, Tally, Wanted};
use crate::io::console::{counted, stop_flag, Stopped};
use crate::io::corpora::progress;
use anyhow::{anyhow, bail, Result};
use figures::removals::is_left_out;
use figures::Tokenizer;
use inputs::exclusions::Without;
use langbytes::LangCode;
use records::Source;
use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Packs all sentences or the first ones. Their order is random.
pub fn sentences(
    asked: &Arguments,
    inputs: &[Source],
    without: &Without,
    mut files: Files,
    language: LangCode,
    max_bytes: u64,
) -> Result<(Tally, Vec<Part>)> {
    let tokenizer = Tokenizer::new(language);
    let stop = stop_flag()?;
    let read = Arc::new(AtomicU64::new(0));
    let progress = progress(inputs);
    let mut tally = Tally::default();
    let mut line = Vec::new();
    for source in inputs {
        let failed = |error: io::Error| anyhow!("{}: {error}", source.name);
        let (mut input, _) = source.decompressed(&read).map_err(failed)?;
        loop {
            let is_enough = match asked.wanted() {
                Wanted::All => false,
                Wanted::Words(wanted) => tally.words >= wanted,
                Wanted::Bytes(wanted) => tally.bytes >= wanted,
            };
            line.clear();
            input
                .by_ref()
                .take(max_bytes.saturating_add(1))
                .read_until(b'\n', &mut line)
                .map_err(failed)?;
            if line.is_empty() || is_enough {
                break;
            }
            if line.len() as u64 > max_bytes {
                bail!("{}: a line is longer than {max_bytes} bytes (--max-bytes)", source.name);
            }
            if line.starts_with(b"{\"") {
                bail!(
                    "{}: the line that begins with {{\" follows a line that is not JSON; allowed are JSON lines only, or \
                     sentences only",
                    source.name
                );
            }
            let text = String::from_utf8_lossy(&line);
            let mut cells = text.trim_end_matches(['\n', '\r']).split('\t');
            let (sentence, url) = (cells.next().unwrap_or_default(), cells.next());
            if sentence.trim().is_empty() {
                tally.no_text += 1;
                continue;
            }
            let is_listed = url.is_some_and(|url| without.has(url));
            if is_listed || is_left_out(url.unwrap_or_default(), sentence) {
                tally.listed += 1;
                continue;
            }
            tally.documents += 1;
            tally.words += count(sentence, &tokenizer);
            tally.bytes += sentence.len() as u64;
            files.line(&line, sentence.len() as u64)?;
            if tally.documents % 4096 == 0 {
                if stop.load(Ordering::Relaxed) {
                    return Err(Stopped::without_output());
                }
                progress.set_position(read.load(Ordering::Relaxed));
                progress.set_message(format!("{} packed", counted(tally.documents, "sentence")));
            }
        }
    }
    progress.finish_and_clear();
    Ok((tally, files.finish()?))
}
