//! Which URLs were read before, exactly and in bounded memory.
//!
//! The last of them are in a hash table. When that is full it goes, sorted, to a temporary file as a run. A Bloom filter knows which
//! URLs cannot be in any run, so that only those that were read before, and a few others, cost a look at the disk.

use fastbloom::BloomFilter;
use hashbrown::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of memory that a URL takes at most in the hash table, which doubles.
const RECENT_BYTES: usize = 20;

/// Least URLs of a run: less would only make more runs.
const LEAST_RUN: usize = 1 << 12;

/// URLs of a block of a run, which is read at once.
const BLOCK: usize = 512;

/// Bits of the filter for a URL, while there are as few: 1 % of new URLs cost a look at each run.
const FILTER_BITS: usize = 10;

/// Fingerprints of URLs that were read. What does not fit into memory is on disk; only time depends on how much that is.
#[derive(Debug)]
pub(crate) struct Seen {
    folder: PathBuf,
    recent: HashSet<u64>,
    /// URLs in `recent` that make a run.
    most: usize,
    /// Bytes of the filter.
    filter_bytes: usize,
    runs: Option<Runs>,
}

impl Seen {
    /// None yet; half of so many bytes of memory for the table and half for the filter, temporary files in this folder.
    pub(crate) fn new(folder: &Path, memory: usize) -> Self {
        let most = (memory / 2 / RECENT_BYTES).max(LEAST_RUN);
        Self {
            folder: folder.to_owned(),
            recent: HashSet::new(),
            most,
            filter_bytes: (memory / 2).max(1 << 12),
            runs: None,
        }
    }

    /// Whether a URL, told by its fingerprint, is met for the first time.
    ///
    /// # Errors
    /// When a temporary file cannot be written or read.
    pub(crate) fn is_new(&mut self, url: u64) -> io::Result<bool> {
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

    /// Makes a run of what memory holds.
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
    /// Tells of most URLs that are in no run that they are in none.
    filter: BloomFilter,
    runs: Vec<Run>,
}

/// A run's place in the file.
#[derive(Debug)]
struct Run {
    /// The number of its first URL in the file.
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

    /// Adds sorted URLs.
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
        // Records of one URL are often near each other, so the last run is asked first.
        for Run { start, urls, firsts } in self.runs.iter().rev() {
            let Some(block) = firsts.partition_point(|&first| first <= url).checked_sub(1) else { continue };
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
            // Least of memory: 4,096 URLs make a run. Low numbers as fingerprints are all in one corner of the filter.
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
        let urls = LEAST_RUN as u64 * 3 + 1;
        assert!((1..=urls).all(|number| seen.is_new(number * 10).expect("disk")));
        assert_eq!(seen.runs.as_ref().map(|runs| runs.runs.len()), Some(3));
        assert!((1..=urls).all(|number| !seen.is_new(number * 10).expect("disk")));
        assert!((0..=urls).all(|number| seen.is_new(number * 10 + 1).expect("disk")), "between them and beyond");
    }

    #[test]
    fn more_urls_than_the_filter_is_made_for_are_told_apart() {
        let mut seen = Seen::new(&temp_dir(), 0);
        let urls = (1 << 12) * 8 / FILTER_BITS as u64 * 20;
        assert!((0..urls).all(|number| seen.is_new(url(number)).expect("disk")));
        assert!((0..urls).step_by(7).all(|number| !seen.is_new(url(number)).expect("disk")));
    }
}
