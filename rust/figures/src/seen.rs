//! An exact set of URLs in bounded memory.
//!
//! Recent URLs are in a hash table. When it is full, it is sorted and written to a temporary file
//! as a run. A Bloom filter rules out most URLs that are in no run, so only known URLs and a few
//! others need a lookup on disk.

use fastbloom::BloomFilter;
use hashbrown::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Most memory of a URL in the hash table, in bytes; the table doubles when it grows.
const RECENT_BYTES: usize = 20;

/// Minimum number of URLs in a run; smaller runs would only be more numerous.
const MIN_RUN: usize = 1 << 12;

/// URLs in a block of a run, the unit of reading.
const BLOCK: usize = 512;

/// Bits of the filter per URL, up to its capacity: 1 % of new URLs need a lookup in each run.
const FILTER_BITS: usize = 10;

/// Fingerprints of the URLs read so far. Those that do not fit into memory are on disk; their
/// number affects only the time.
#[derive(Debug)]
pub struct Seen {
    folder: PathBuf,
    recent: HashSet<u64>,
    /// Number of URLs in `recent` that become a run.
    most: usize,
    /// Size of the filter in bytes.
    filter_bytes: usize,
    runs: Option<Runs>,
}

impl Seen {
    /// Creates an empty set. Half of `memory` bytes is for the table and half for the filter;
    /// temporary files are in `folder`.
    pub fn new(folder: &Path, memory: usize) -> Self {
        let most = (memory / 2 / RECENT_BYTES).max(MIN_RUN);
        Self {
            folder: folder.to_owned(),
            recent: HashSet::new(),
            most,
            filter_bytes: (memory / 2).max(1 << 12),
            runs: None,
        }
    }

    /// Adds a URL by its fingerprint and returns whether it is new.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written or read.
    pub fn is_new(&mut self, url: u64) -> io::Result<bool> {
        if self.recent.contains(&url) {
            return Ok(false);
        }
        if let Some(runs) = &mut self.runs {
            if runs.contains(url)? {
                return Ok(false);
            }
        }
        if self.recent.len() >= self.most {
            self.spill()?;
        }
        self.recent.insert(url);
        Ok(true)
    }

    /// Writes the URLs in memory as a run.
    fn spill(&mut self) -> io::Result<()> {
        let mut urls: Vec<u64> = self.recent.drain().collect();
        urls.sort_unstable();
        let runs = match &mut self.runs {
            Some(runs) => runs,
            None => self.runs.insert(Runs::new(&self.folder, self.filter_bytes)?),
        };
        runs.push(&urls)
    }
}

/// Sorted runs in a temporary file.
#[derive(Debug)]
struct Runs {
    file: File,
    /// URLs in the file.
    urls: usize,
    /// Rules out most URLs that are in no run.
    filter: BloomFilter,
    runs: Vec<Run>,
}

/// A run in the file.
#[derive(Debug)]
struct Run {
    /// The index of its first URL in the file.
    start: usize,
    urls: usize,
    /// The first URL of each block.
    firsts: Vec<u64>,
}

impl Runs {
    fn new(folder: &Path, filter_bytes: usize) -> io::Result<Self> {
        let bits = filter_bytes * 8;
        let filter = BloomFilter::with_num_bits(bits).seed(&0).expected_items(bits / FILTER_BITS);
        Ok(Self { file: tempfile::tempfile_in(folder)?, urls: 0, filter, runs: Vec::new() })
    }

    /// Appends sorted URLs as a run.
    fn push(&mut self, urls: &[u64]) -> io::Result<()> {
        let bytes: Vec<u8> = urls.iter().flat_map(|url| url.to_le_bytes()).collect();
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(&bytes)?;
        for &url in urls {
            self.filter.insert_hash(url);
        }
        let firsts = urls.iter().step_by(BLOCK).copied().collect();
        self.runs.push(Run { start: self.urls, urls: urls.len(), firsts });
        self.urls += urls.len();
        Ok(())
    }

    fn contains(&mut self, url: u64) -> io::Result<bool> {
        if !self.filter.contains_hash(url) {
            return Ok(false);
        }
        let mut bytes = [0; BLOCK * size_of::<u64>()];
        // Records with the same URL are often close together, so the last run is searched first.
        for Run { start, urls, firsts } in self.runs.iter().rev() {
            let Some(block) = firsts.partition_point(|&first| first <= url).checked_sub(1) else {
                continue;
            };
            let before = block * BLOCK;
            let bytes = &mut bytes[..BLOCK.min(urls - before) * size_of::<u64>()];
            self.file.seek(SeekFrom::Start(((start + before) * size_of::<u64>()) as u64))?;
            self.file.read_exact(bytes)?;
            let (block, _) = bytes.as_chunks();
            if block.binary_search_by_key(&url, |&bytes| u64::from_le_bytes(bytes)).is_ok() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::env::temp_dir;
    use xxhash_rust::xxh3::xxh3_64;

    fn url(number: u64) -> u64 {
        xxh3_64(&number.to_le_bytes())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

        #[test]
        fn a_url_is_new_once_whether_memory_or_disk_holds_it(
            numbers in prop::collection::vec(0..30_000u64, 0..40_000), low in any::<bool>()
        ) {
            // The least memory: a run has 4,096 URLs. Low fingerprints are all in one corner of the
            // filter.
            let mut seen = Seen::new(&temp_dir(), 0);
            let mut all = BTreeSet::new();
            for number in numbers {
                let url = if low { number } else { url(number) };
                prop_assert_eq!(seen.is_new(url).expect("disk"), all.insert(url), "{}", url);
            }
        }
    }

    #[test]
    fn the_first_and_the_last_of_every_block_are_found() {
        let mut seen = Seen::new(&temp_dir(), 0);
        let urls = MIN_RUN as u64 * 3 + 1;
        assert!((1..=urls).all(|number| seen.is_new(number * 10).expect("disk")));
        assert_eq!(seen.runs.as_ref().map(|runs| runs.runs.len()), Some(3));
        assert!((1..=urls).all(|number| !seen.is_new(number * 10).expect("disk")));
        assert!(
            (0..=urls).all(|number| seen.is_new(number * 10 + 1).expect("disk")),
            "between them and beyond"
        );
    }

    #[test]
    fn more_urls_than_the_filter_is_made_for_are_told_apart() {
        let mut seen = Seen::new(&temp_dir(), 0);
        let urls = (1 << 12) * 8 / FILTER_BITS as u64 * 20;
        assert!((0..urls).all(|number| seen.is_new(url(number)).expect("disk")));
        assert!((0..urls).step_by(7).all(|number| !seen.is_new(url(number)).expect("disk")));
    }
}
