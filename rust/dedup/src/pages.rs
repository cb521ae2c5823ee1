//! Records whose text, or whose place in a cluster, is known: what is written of them.

use crate::{ClusterPlace, Clusters, Members, Shape, Sketcher, Verdict, FILTER_BITS};
use engine::Engine;
use figures::minhash::mix;
use figures::parse::{json, record_of_text};
use inputs::corpus::{Fields, Line, PageFields, Unwritable, LANGUAGES};
use inputs::exclusions::Without;
use langbytes::LangCode;
use rayon::prelude::*;
use records::{Fault, Source};
use render::counted;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::Path;

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
    /// Number of records that were read.
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

/// Memory in bytes for the filter of sequences: what is given, or else at most `most`, so that
/// small corpora cost less than large ones.
pub fn filter_memory(given: Option<usize>, most: usize, inputs: &[Source]) -> usize {
    given.unwrap_or_else(|| most.min(memory_for(inputs)))
}

/// Memory in bytes that is enough for all sequences of the files; [`usize::MAX`] for a pipe.
fn memory_for(inputs: &[Source]) -> usize {
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

/// Returns the record without the passages that are not kept; none if no passage is. If it loses
/// text, figures of the text are counted again.
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

/// Sums over the pages of a corpus, some of which lose text.
#[derive(Debug, Default)]
pub struct Removed {
    /// Number of pages that were read.
    pub pages: u64,
    /// Pages that are removed as a whole.
    pub gone: u64,
    /// Pages that lose a part of their text.
    pub cut: u64,
    /// Bytes of text before.
    pub bytes: u64,
    /// Bytes of text that are removed.
    pub removed_bytes: u64,
}

impl Removed {
    /// Adds a page with the bytes of its text, and of the text that it loses. `stays`: whether text
    /// is left.
    pub fn add(&mut self, bytes: usize, removed: usize, stays: bool) {
        self.pages += 1;
        self.bytes += bytes as u64;
        self.removed_bytes += removed as u64;
        self.gone += u64::from(removed > 0 && !stays);
        self.cut += u64::from(removed > 0 && stays);
    }
}

impl fmt::Display for Removed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} removed as a whole, {} in part; {:.1} of {:.1} MB of text removed ({:.1} %)",
            counted(self.pages, "page"),
            self.gone,
            self.cut,
            self.removed_bytes as f64 / 1e6,
            self.bytes as f64 / 1e6,
            100.0 * self.removed_bytes as f64 / self.bytes.max(1) as f64,
        )
    }
}

/// Returns the record with another text. The size and the bytes per language are counted again;
/// other figures of the old text and places in it are removed.
///
/// # Errors
/// Fails if the record is no JSON object.
pub fn with_text(line: &[u8], text: &str, engine: &Engine) -> Result<Vec<u8>, Unwritable> {
    let mut fields = Fields::of(line)?;
    fields.set_text(text)?;
    for name in LANGUAGES.into_iter().filter(|name| fields.get(name).is_some()).collect::<Vec<_>>()
    {
        let languages = record_of_text(text, engine).languages;
        let languages: BTreeMap<String, u64> =
            languages.iter().map(|(code, bytes)| (code.to_string(), bytes)).collect();
        fields.set(name, &languages)?;
    }
    fields.line()
}

/// Returns the record with the text that is left of it; nothing if none is. `text` is `None` if the
/// page loses nothing.
///
/// # Errors
/// Fails if the record is no JSON object.
pub fn cut_to(
    (line, page): Line,
    text: Option<String>,
    engine: &Engine,
) -> Result<Option<Vec<u8>>, Unwritable> {
    match text {
        Some(text) if text.is_empty() => Ok(None),
        Some(text) if text != page.text() => with_text(&line, &text, engine).map(Some),
        _ => Ok(Some(line)),
    }
}

/// The rank of a page in its cluster: pages without noise first, then those with most bytes in the
/// language. The bytes of the text stand for those in the language if the record has none.
fn rank(line: &[u8], text: &str, language: LangCode) -> u64 {
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

/// Returns the keys of the bands of a page, by which near duplicates are found; `None` if it has no
/// text in the corpus, so that it is in no cluster and is not counted among the pages.
fn bands(page: &PageFields, sketcher: &Sketcher) -> Option<Vec<u64>> {
    let text = page.text();
    (!text.is_empty()).then(|| sketcher.bands(text))
}

/// Returns the bands of a record that is read alone, as a task of Hadoop does.
///
/// # Errors
/// Fails if the line is not a page in JSON.
pub fn bands_of_line(line: &[u8], sketcher: &Sketcher) -> Result<Option<Vec<u64>>, Fault> {
    json(line).map(|page| bands(&page, sketcher))
}

/// Returns a record with the fields of its place in a cluster.
///
/// # Errors
/// Fails if the record is no JSON object.
pub fn marked(line: &[u8], place: ClusterPlace) -> Result<Vec<u8>, Unwritable> {
    let mut fields = Fields::of(line)?;
    // A record may have been marked before.
    for (name, value) in [(ID, place.cluster), (SIZE, place.size)] {
        if !fields.set(name, &value)? {
            fields.add(name, &value)?;
        }
    }
    fields.line()
}

/// The first reading of a corpus whose near duplicates are clustered.
#[derive(Debug)]
pub struct Clustering {
    clusters: Clusters,
    sketcher: Sketcher,
    /// The language by whose bytes the best page of a cluster is chosen; `None` for the first page.
    best_in: Option<LangCode>,
    /// Sums over the records.
    pub reading: Reading,
}

impl Clustering {
    /// Begins without pages. `memory` in bytes is for sorting; temporary files are in `folder`.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be created.
    pub fn new(
        folder: &Path,
        memory: usize,
        shape: Shape,
        best_in: Option<LangCode>,
    ) -> io::Result<Self> {
        let (clusters, sketcher) = (Clusters::new(folder, memory)?, Sketcher::new(shape));
        Ok(Self { clusters, sketcher, best_in, reading: Reading::default() })
    }

    /// Adds the next records.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn add(&mut self, lines: Vec<Line>, without: &Without) -> io::Result<()> {
        let sketch = |(line, page): &Line| {
            let rank = self.best_in.map_or(0, |language| rank(line, page.text(), language));
            bands(page, &self.sketcher).map(|bands| (bands, rank))
        };
        let lines = self.reading.next(lines, without);
        let pages: Vec<_> = lines.par_iter().map(sketch).collect();
        pages.into_iter().flatten().try_for_each(|(bands, rank)| self.clusters.add(&bands, rank))
    }

    /// Joins the pages, as [`Clusters::join`], for the second reading.
    ///
    /// # Errors
    /// As [`Clusters::join`].
    pub fn join(self, go_on: &mut dyn FnMut(&str) -> bool) -> io::Result<Marking> {
        let members = self.clusters.join(go_on)?;
        let (first, second) = (self.reading, Reading::default());
        Ok(Marking { members, first, second, sums: ClusterSums::default() })
    }
}

/// The second reading, which marks the records with their clusters.
#[derive(Debug)]
pub struct Marking {
    members: Members,
    first: Reading,
    second: Reading,
    /// Sums over the pages.
    pub sums: ClusterSums,
}

impl Marking {
    /// Returns the next records with the fields of their clusters, and whether each is kept: if
    /// `only_best`, the others of a cluster are not.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read, or a record is no JSON object.
    pub fn next<E: From<io::Error> + From<Unwritable>>(
        &mut self,
        lines: Vec<Line>,
        without: &Without,
        only_best: bool,
    ) -> Result<Vec<(Vec<u8>, bool)>, E> {
        let lines = self.second.next(lines, without);
        let mut places = Vec::with_capacity(lines.len());
        for (_, page) in &lines {
            let is_page = !page.text().is_empty();
            places.push(is_page.then(|| self.members.place(self.sums.pages)).transpose()?);
            self.sums.pages += u64::from(is_page);
        }
        let mark = |((line, _), place): (Line, &Option<ClusterPlace>)| match place {
            Some(place) => marked(&line, *place),
            None => Ok(line),
        };
        let lines: Vec<Vec<u8>> =
            lines.into_par_iter().zip(&places).map(mark).collect::<Result<_, _>>()?;
        let is_kept = |place: Option<ClusterPlace>| {
            let Some(place) = place else { return true };
            let is_kept = place.is_best || !only_best;
            self.sums.add(place, is_kept);
            is_kept
        };
        Ok(lines.into_iter().zip(places.into_iter().map(is_kept)).collect())
    }

    /// Sums over the records; `None` if the second reading found others than the first one.
    pub fn reading(&self) -> Option<&Reading> {
        (self.first == self.second).then_some(&self.second)
    }

    /// Number of records that were marked.
    pub fn records(&self) -> u64 {
        self.second.records
    }
}

/// Sums over the pages of clusters.
#[derive(Debug, Default)]
pub struct ClusterSums {
    /// Number of pages that were read.
    pub pages: u64,
    /// Pages in clusters of at least two.
    pub clustered: u64,
    /// Clusters of at least two pages.
    pub clusters: u64,
    /// Pages of the largest cluster.
    pub largest: u64,
    /// Pages that are not kept.
    pub removed: u64,
}

impl ClusterSums {
    fn add(&mut self, place: ClusterPlace, is_kept: bool) {
        self.largest = self.largest.max(place.size);
        self.removed += u64::from(!is_kept);
        if place.size > 1 {
            self.clustered += 1;
            self.clusters += u64::from(place.is_best);
        }
    }
}

/// A passage that is removed, as it is written.
#[derive(Debug, Serialize)]
pub struct Passage<'a> {
    /// URL of its page.
    pub url: Option<&'a str>,
    /// URL of the page that has the same passage word for word.
    pub same_as: Option<&'a str>,
    /// Percentage of its sequences that are known.
    pub known_percent: usize,
    /// Text of the passage.
    pub text: &'a str,
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

    /// Passes the removed passages of a page to `take`, and remembers those that stay.
    ///
    /// # Errors
    /// Fails if `take` fails.
    pub fn passages<E>(
        &mut self,
        page: &PageFields,
        verdicts: &[Verdict],
        take: &mut dyn FnMut(&Passage) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut is_new = true;
        for verdict in verdicts {
            if verdict.kept {
                self.add(page.url.as_deref(), verdict.fingerprint, &mut is_new);
                continue;
            }
            take(&Passage {
                url: page.url.as_deref(),
                same_as: self.page(verdict.fingerprint),
                known_percent: verdict.known * 100 / verdict.sequences.max(1),
                text: &page.text()[verdict.bytes.clone()],
            })?;
        }
        Ok(())
    }

    /// Returns the URL of the page with a passage of these words.
    fn page(&self, fingerprint: u64) -> Option<&str> {
        self.pages.get(&fingerprint).map(|&page| &*self.addresses[page as usize])
    }

    /// Adds a passage of a page. `is_new`: true if the page has no passage here yet.
    fn add(&mut self, url: Option<&str>, fingerprint: u64, is_new: &mut bool) {
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

    #[test]
    fn memory_that_was_asked_for_is_not_reduced() {
        let small = [input("a.jsonl", Some(1000))];
        assert!(filter_memory(None, 1 << 30, &small) < 1 << 20);
        assert_eq!(filter_memory(Some(2 << 20), 1 << 30, &small), 2 << 20);
    }
}
