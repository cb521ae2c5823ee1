//! Records whose text, or whose place in a cluster, is known: what is written of them.

use crate::{Place, Verdict, FILTER_BITS};
use engine::Engine;
use figures::minhash::mix;
use figures::parse::record_of_text;
use inputs::corpus::{Fields, Line, Unwritable, LANGUAGES};
use inputs::exclusions::Without;
use langbytes::LangCode;
use rayon::prelude::*;
use records::Source;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher};

/// Fields of a record, with datatrove's names.
const ID: &str = "minhash_cluster_id";
const SIZE: &str = "minhash_cluster_size";
/// Field of a record that has the quality rules that it breaks.
const NOISE: &str = "noise";

/// Bit of a rank that pages without noise have; the other bits are the bytes in the language.
const CLEAN: u64 = 1 << 63;

/// Largest ratio of a file's unpacked to its compressed bytes. Text is compressed to a third or a
/// fifth.
const COMPRESSED: u64 = 16;

/// Smallest number of bytes of a corpus for each sequence.
const SEQUENCE_BYTES: u64 = 3;

/// Approximate memory in bytes for a URL beside its letters, and for a passage that stayed.
const ADDRESS_BYTES: usize = 32;
const PASSAGE_BYTES: usize = 24;

/// Sums over the inputs. Two readings of the same inputs are equal.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Records.
    pub records: u64,
    /// Records that are excluded.
    pub listed: u64,
    /// Hash of all lines.
    hash: u64,
}

impl Reading {
    /// Counts records, and returns those that are not excluded.
    pub fn next(&mut self, mut lines: Vec<Line>, without: &Without) -> Vec<Line> {
        let hash = |(line, _): &Line| {
            let mut hasher = DefaultHasher::new();
            hasher.write(line);
            hasher.finish()
        };
        let hashes: Vec<u64> = lines.par_iter().map(hash).collect();
        self.hash = hashes.into_iter().fold(self.hash, mix);
        let all = lines.len();
        self.records += all as u64;
        lines.retain(|(_, page)| !page.url.as_deref().is_some_and(|url| without.has(url)));
        self.listed += (all - lines.len()) as u64;
        lines
    }
}

/// Memory in bytes that is enough for all sequences of the files; [`usize::MAX`] for a pipe.
pub fn memory_for(inputs: &[Source]) -> usize {
    let bytes = |input: &Source| {
        let is_compressed = input
            .path
            .extension()
            .is_some_and(|ending| ["gz", "zst", "parquet"].iter().any(|known| ending == *known));
        Some(input.bytes? * if is_compressed { COMPRESSED } else { 1 })
    };
    // The size of a pipe is unknown.
    let bytes: Option<u64> = inputs.iter().map(bytes).sum();
    bytes.map_or(usize::MAX, |bytes| (bytes / SEQUENCE_BYTES * FILTER_BITS as u64 / 8) as usize)
}

/// Returns the record without the passages that are not kept; none if no passage is. If it loses text, figures of the text are counted again.
///
/// # Errors
/// Fails if the record is no JSON object.
pub fn rest(
    (line, page): Line,
    verdicts: &[Verdict],
    engine: &Engine,
) -> Result<Option<Vec<u8>>, Unwritable> {
    if verdicts.iter().all(|verdict| verdict.kept) {
        return Ok(Some(line));
    }
    let kept = verdicts
        .iter()
        .filter(|verdict| verdict.kept)
        .map(|verdict| &page.text()[verdict.bytes.clone()]);
    let text = kept.collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        return Ok(None);
    }
    with_text(&line, &text, engine).map(Some)
}

/// Returns the record with another text. Figures of the text are counted again.
///
/// # Errors
/// Fails if the record is no JSON object.
pub fn with_text(line: &[u8], text: &str, engine: &Engine) -> Result<Vec<u8>, Unwritable> {
    let mut fields = Fields::of(line)?;
    fields.set("text", text)?;
    fields.set("main_bytes", &text.len())?;
    for name in LANGUAGES.into_iter().filter(|name| fields.get(name).is_some()).collect::<Vec<_>>()
    {
        let languages = record_of_text(text, engine).languages;
        let languages: BTreeMap<String, u64> =
            languages.iter().map(|(code, bytes)| (code.to_string(), bytes)).collect();
        fields.set(name, &languages)?;
    }
    fields.line()
}

/// The rank of a page in its cluster: pages without noise first, then those with most bytes in the
/// language. The bytes of the text stand for those in the language if the record has none.
pub fn rank(line: &[u8], text: &str, language: LangCode) -> u64 {
    let Ok(fields) = Fields::of(line) else { return 0 };
    let is_noisy = fields.get(NOISE).is_some_and(|noise| noise != "[]" && noise != "null");
    let languages = LANGUAGES.into_iter().find_map(|name| fields.get(name));
    let languages: Option<BTreeMap<String, u64>> =
        languages.and_then(|value| serde_json::from_str(value).ok());
    let bytes = match languages {
        Some(languages) => languages.get(language.as_str()).copied().unwrap_or(0),
        None => text.len() as u64,
    };
    bytes.min(CLEAN - 1) | if is_noisy { 0 } else { CLEAN }
}

/// Returns a record with the fields of its place in a cluster.
///
/// # Errors
/// Fails if the record is no JSON object.
pub fn marked(line: &[u8], place: Place) -> Result<Vec<u8>, Unwritable> {
    let mut fields = Fields::of(line)?;
    // A record may have been marked before.
    for (name, value) in [(ID, place.cluster), (SIZE, place.size)] {
        if !fields.set(name, &value)? {
            fields.add(name, &value)?;
        }
    }
    fields.line()
}

/// The pages with the passages that stayed, while there is memory.
#[derive(Debug)]
pub struct Stayed {
    /// For the words of a passage, the page with it.
    pages: HashMap<u64, u32>,
    addresses: Vec<Box<str>>,
    /// Approximate memory of these, in bytes.
    bytes: usize,
    max_bytes: usize,
}

impl Stayed {
    /// Creates an empty list that takes about `max_bytes` of memory.
    pub fn new(max_bytes: usize) -> Self {
        Self { pages: HashMap::new(), addresses: Vec::new(), bytes: 0, max_bytes }
    }

    /// Whether the memory is used up, so that later passages are not in the list.
    pub fn is_full(&self) -> bool {
        self.bytes >= self.max_bytes
    }

    /// Returns the URL of the page with a passage of these words.
    pub fn page(&self, fingerprint: u64) -> Option<&str> {
        self.pages.get(&fingerprint).map(|&page| &*self.addresses[page as usize])
    }

    /// Adds a passage of a page. `is_new`: true if the page has no passage here yet.
    pub fn add(&mut self, url: Option<&str>, fingerprint: u64, is_new: &mut bool) {
        let Some(url) = url.filter(|_| !self.is_full()) else { return };
        if *is_new {
            self.addresses.push(url.into());
            self.bytes += url.len() + ADDRESS_BYTES;
            *is_new = false;
        }
        self.pages.entry(fingerprint).or_insert(self.addresses.len() as u32 - 1);
        self.bytes += PASSAGE_BYTES;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn input(name: &str, bytes: Option<u64>) -> Source {
        let (path, name) = (PathBuf::from(name), name.to_owned());
        Source { path, name, bytes, ranges: None }
    }

    #[test]
    fn compressed_inputs_get_memory_for_the_text_that_they_hold() {
        let memory = |name: &str| memory_for(&[input(name, Some(3 << 16))]);
        let plain = memory("a.jsonl");
        for name in ["a.jsonl.gz", "a.jsonl.zst", "a.parquet"] {
            assert_eq!(memory(name), 16 * plain, "{name}");
        }
        assert_eq!(memory_for(&[input("-", None)]), usize::MAX);
    }
}
