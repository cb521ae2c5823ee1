//! Sentences, which have no figures of pages.

use crate::files::{Files, Part};
use crate::{count, Failure, News, Settings, Tally, Wanted};
use figures::removals::is_left_out;
use figures::Tokenizer;
use inputs::corpus;
use records::Source;
use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;

/// Packs all sentences or the first ones. Their order is random.
pub fn sentences(
    settings: &Settings,
    inputs: &[Source],
    mut files: Files,
    stop: &AtomicBool,
    tell: &dyn Fn(News),
) -> Result<(Tally, Vec<Part>), Failure> {
    let (tokenizer, max_bytes) = (Tokenizer::new(settings.language), settings.max_bytes);
    let read = Arc::new(AtomicU64::new(0));
    tell(News::Begins(inputs));
    let mut tally = Tally::default();
    let mut line = Vec::new();
    for source in inputs {
        let failed = |error: io::Error| Failure::Input { name: source.name.clone(), error };
        let (mut input, _) = source.decompressed(&read).map_err(failed)?;
        loop {
            line.clear();
            input
                .by_ref()
                .take(max_bytes.saturating_add(1))
                .read_until(b'\n', &mut line)
                .map_err(failed)?;
            if line.is_empty() || is_enough(&tally, settings.wanted) {
                break;
            }
            if line.len() as u64 > max_bytes {
                return Err(Failure::LongLine { name: source.name.clone(), max_bytes });
            }
            if line.starts_with(b"{\"") {
                return Err(Failure::ObjectAmongSentences(source.name.clone()));
            }
            let text = String::from_utf8_lossy(&line);
            let mut cells = text.trim_end_matches(['\n', '\r']).split('\t');
            let (sentence, url) = (cells.next().unwrap_or_default(), cells.next());
            if sentence.trim().is_empty() {
                tally.no_text += 1;
                continue;
            }
            let is_listed = url.is_some_and(|url| settings.without.has(url));
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
                    return Err(corpus::Failure::Stopped.into());
                }
                tell(News::Corpus(corpus::News::Bytes(read.load(Ordering::Relaxed))));
                tell(News::Packed(tally.documents));
            }
        }
    }
    tell(News::Ends);
    Ok((tally, files.finish()?))
}

fn is_enough(tally: &Tally, wanted: Wanted) -> bool {
    match wanted {
        Wanted::All => false,
        Wanted::Words(wanted) => tally.words >= wanted,
        Wanted::Bytes(wanted) => tally.bytes >= wanted,
    }
}
