//! Clusters of near-duplicate pages, in bounded memory.
//!
//! Two pages are near duplicates if they share a band of MinHash values (see [`figures::minhash`]).
//! A cluster is a connected component of this relation, so its pages need not all resemble each
//! other. The parameters of [`Shape::default`] are those of FineWeb and of datatrove.
//!
//! All steps sort entries in [`Table`]s, which use temporary files beyond their memory:
//!
//! 1. Bands are sorted; each page of a band gets an edge to the first page of that band.
//! 2. Edges become stars: every page is joined to the first page of its component. The rounds are
//!    those of *Connected Components in MapReduce and Beyond* (Kiveris et al. 2014), large-star and
//!    small-star in turn, until nothing changes. Their number grows with the logarithm of the length
//!    of the longest chain.
//! 3. Pages are sorted by cluster and rank, which gives sizes and the best page, then by their
//!    place in the corpus.
//!
//! A band is compared by a hash of 64 bits. Among 10⁹ pages with 14 bands each, five pairs of
//! unequal bands have the same hash; among 10⁸ pages the probability of one pair is 5 %.

use crate::passages::Reader;
use figures::minhash::{bands_of, mix, ROWS, SHINGLE, VALUES};
use figures::scratch::{Drained, Entry, Member, Scratch, Table};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// Number of entries after which the caller may stop the work.
const STEP: u64 = 1 << 20;

/// The rule by which two pages are near duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Words per shingle; in scripts without spaces, characters divided by four.
    pub words: usize,
    /// Bands; a page has `bands * rows` values, at most [`Shape::MAX_VALUES`].
    pub bands: usize,
    /// Values per band.
    pub rows: usize,
    /// Compare words by their letters only.
    pub letters: bool,
}

impl Shape {
    /// Largest number of values of a page.
    pub const MAX_VALUES: usize = VALUES;

    /// Returns the Jaccard index at which about half of the pairs share a band.
    #[allow(clippy::cast_precision_loss)]
    pub fn threshold(&self) -> f64 {
        (1.0 / self.bands as f64).powf(1.0 / self.rows as f64)
    }
}

impl Default for Shape {
    fn default() -> Self {
        Self { words: SHINGLE, bands: 14, rows: ROWS, letters: false }
    }
}

/// Computes the bands of texts, on any number of threads.
#[derive(Debug)]
pub struct Sketcher {
    reader: Reader,
    shape: Shape,
}

impl Sketcher {
    /// Creates a sketcher.
    pub fn new(shape: Shape) -> Self {
        Self { reader: Reader::new(shape.words, shape.letters), shape }
    }

    /// Returns the keys of a text's bands; none if it has no words.
    pub fn bands(&self, text: &str) -> Vec<u64> {
        let values = self.reader.sketch(text);
        values
            .iter()
            .flat_map(|values| bands_of(values, self.shape.bands, self.shape.rows))
            .collect()
    }
}

/// Three numbers, in the order of the first, the second and the third.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Triple([u64; 3]);

impl Entry for Triple {
    const DIGITS: u32 = 24;

    fn digit(&self, place: u32) -> u8 {
        (self.0[place as usize / 8] >> (56 - 8 * (place % 8))) as u8
    }

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn absorb(&mut self, _: &Self) {}

    fn write(&self, _: u32, out: &mut Vec<u8>) {
        out.extend(self.0.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn read(_: u32, _: u8, input: &mut &[u8]) -> io::Result<Self> {
        let mut number = || {
            let (number, rest) = input.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
            *input = rest;
            Ok::<_, io::Error>(u64::from_le_bytes(*number))
        };
        Ok(Self([number()?, number()?, number()?]))
    }
}

/// Numbers in a temporary file, which are read in the order in which they were written.
#[derive(Debug)]
struct Numbers(BufWriter<File>);

impl Numbers {
    fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self(BufWriter::new(tempfile::tempfile_in(folder)?)))
    }

    fn add(&mut self, number: u64) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }

    fn read(self) -> io::Result<impl FnMut() -> io::Result<u64>> {
        let mut file = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        let mut file = BufReader::new(file);
        Ok(move || {
            let mut number = [0; 8];
            file.read_exact(&mut number)?;
            Ok(u64::from_le_bytes(number))
        })
    }
}

/// Collects the bands of pages, and joins the pages.
#[derive(Debug)]
pub struct Clusters {
    scratch: Scratch,
    bands: Table<Member>,
    ranks: Numbers,
    pages: u64,
}

impl Clusters {
    /// Creates clusters without pages. `memory` is the limit of all tables in bytes; temporary
    /// files are in `folder`.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be created.
    pub fn new(folder: &Path, memory: usize) -> io::Result<Self> {
        // At most two tables exist at a time, and one is being read in parts as large as a table.
        let scratch = Scratch::new(folder, memory / 3);
        Ok(Self { bands: Table::new(&scratch), ranks: Numbers::new(folder)?, scratch, pages: 0 })
    }

    /// Adds the next page, with the keys of its bands and its rank. In a cluster, the page of the
    /// highest rank is the best one; of equal ranks the first.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn add(&mut self, bands: &[u64], rank: u64) -> io::Result<()> {
        for &group in bands {
            self.bands.add(Member { group, id: self.pages })?;
        }
        self.ranks.add(rank)?;
        self.pages += 1;
        Ok(())
    }

    /// Joins the pages. The result does not depend on the memory. `go_on` is asked from time to
    /// time, with the name of the step.
    ///
    /// # Errors
    /// Fails with [`io::ErrorKind::Interrupted`] if `go_on` returned false, or if a temporary file
    /// cannot be read or written.
    pub fn join(mut self, go_on: &mut dyn FnMut(&str) -> bool) -> io::Result<Members> {
        // Table entries are partitioned by their first bytes, so page numbers fill their 64 bits.
        let shift = self.pages.max(2).leading_zeros();
        let mut steps = Steps { go_on, entries: 0 };
        let mut edges = Table::new(&self.scratch);
        let mut first = Member { group: 0, id: u64::MAX };
        for member in self.bands.drain()? {
            let member = member?;
            steps.one("sorting bands")?;
            if member.group == first.group && first.id != u64::MAX {
                edges.add(Member { group: member.id << shift, id: first.id << shift })?;
            } else {
                first = member;
            }
        }
        let stars = stars(edges, &self.scratch, &mut steps)?;
        members(stars, self.ranks, &self.scratch, shift, &mut steps)
    }
}

/// Counts entries, and asks the caller from time to time whether to continue.
struct Steps<'a> {
    go_on: &'a mut dyn FnMut(&str) -> bool,
    entries: u64,
}

impl Steps<'_> {
    fn one(&mut self, step: &str) -> io::Result<()> {
        self.entries += 1;
        if self.entries.is_multiple_of(STEP) && !(self.go_on)(step) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        Ok(())
    }
}

/// Turns edges from pages to earlier pages into stars: returns both directions of one edge from
/// each page to the first page of its component.
fn stars(
    mut edges: Table<Member>,
    scratch: &Scratch,
    steps: &mut Steps,
) -> io::Result<Table<Member>> {
    let mut before = None;
    loop {
        let mut both = Table::new(scratch);
        let (mut count, mut sum) = (0u64, 0u64);
        for edge in edges.drain()? {
            let Member { group, id } = edge?;
            steps.one("joining pages")?;
            (count, sum) = (count + 1, sum.wrapping_add(mix(group, id)));
            both.add(Member { group, id })?;
            both.add(Member { group: id, id: group })?;
        }
        // A round that changes nothing is the last one. 128 bits identify the set of edges.
        if before.replace((count, sum)) == Some((count, sum)) {
            return Ok(both);
        }
        // Large-star: the later neighbours of a page are joined to the first page among it and its
        // neighbours.
        let mut larger = Table::new(scratch);
        each(&mut both, steps, &mut |page, first, neighbour| {
            let first = first.min(page);
            if neighbour > page {
                larger.add(Member { group: neighbour, id: first })?;
            }
            Ok(())
        })?;
        // Small-star: the page and its earlier neighbours are joined to the first of these.
        each(&mut larger, steps, &mut |page, first, neighbour| {
            edges
                .add(Member { group: if neighbour == first { page } else { neighbour }, id: first })
        })?;
    }
}

/// Passes every page with its first neighbour and each of its neighbours, in order.
fn each(
    edges: &mut Table<Member>,
    steps: &mut Steps,
    take: &mut dyn FnMut(u64, u64, u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut first: Option<Member> = None;
    for edge in edges.drain()? {
        let edge = edge?;
        steps.one("joining pages")?;
        let first = match first {
            Some(first) if first.group == edge.group => first,
            _ => *first.insert(edge),
        };
        take(edge.group, first.id, edge.id)?;
    }
    Ok(())
}

/// Sorts the pages of stars by cluster and rank, then by their numbers.
fn members(
    mut stars: Table<Member>,
    ranks: Numbers,
    scratch: &Scratch,
    shift: u32,
    steps: &mut Steps,
) -> io::Result<Members> {
    let mut ranked = Table::new(scratch);
    let mut sizes = Numbers::new(&scratch.folder)?;
    let mut next_rank = ranks.read()?;
    let mut read = 0;
    let mut rank_of = |page: u64| {
        let mut rank = 0;
        while read <= page {
            rank = next_rank()?;
            read += 1;
        }
        Ok::<_, io::Error>(rank)
    };
    // The center of a star is its first page, so all its neighbours are later.
    let mut center: Option<(u64, u64)> = None;
    let mut page = None;
    for edge in stars.drain()? {
        let edge = edge?;
        steps.one("ranking pages")?;
        let is_center = edge.id > edge.group;
        if page.replace(edge.group) != Some(edge.group) {
            if let Some((_, size)) = center.take() {
                sizes.add(size)?;
            }
            let cluster = edge.group.min(edge.id);
            ranked.add(Triple([cluster, !rank_of(edge.group >> shift)?, edge.group]))?;
            center = is_center.then_some((edge.group, 1));
        }
        if let Some((_, size)) = &mut center {
            *size += 1;
        }
    }
    if let Some((_, size)) = center {
        sizes.add(size)?;
    }
    let mut next_size = sizes.read()?;
    let mut places = Table::new(scratch);
    let (mut cluster, mut size) = (None, 0);
    for entry in ranked.drain()? {
        let Triple([group, _, page]) = entry?;
        steps.one("ranking pages")?;
        let is_best = cluster.replace(group) != Some(group);
        if is_best {
            size = next_size()?;
        }
        places.add(Triple([page, group, size << 1 | u64::from(is_best)]))?;
    }
    Ok(Members { places: places.drain()?, next: None, shift })
}

/// The place of a page in its cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusterPlace {
    /// Number of the first page of the cluster; pages count from 0 in the order in which they were
    /// added.
    pub cluster: u64,
    /// Number of pages in the cluster.
    pub size: u64,
    /// Whether the page is the best one of the cluster.
    pub is_best: bool,
}

/// The places of pages, in the order of the pages.
#[derive(Debug)]
pub struct Members {
    places: Drained<Triple>,
    next: Option<(u64, ClusterPlace)>,
    shift: u32,
}

impl Members {
    /// Returns the place of a page. Pages must be asked for in ascending order.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read.
    pub fn place(&mut self, page: u64) -> io::Result<ClusterPlace> {
        while self.next.as_ref().is_none_or(|(next, _)| *next < page) {
            let Some(entry) = self.places.next() else { break };
            let Triple([next, cluster, size]) = entry?;
            let place = ClusterPlace {
                cluster: cluster >> self.shift,
                size: size >> 1,
                is_best: size & 1 == 1,
            };
            self.next = Some((next >> self.shift, place));
        }
        let found = self.next.filter(|(next, _)| *next == page).map(|(_, place)| place);
        Ok(found.unwrap_or(ClusterPlace { cluster: page, size: 1, is_best: true }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn places(pages: &[(Vec<u64>, u64)], memory: usize) -> Vec<ClusterPlace> {
        let mut clusters = Clusters::new(&std::env::temp_dir(), memory).expect("disk");
        pages.iter().try_for_each(|(bands, rank)| clusters.add(bands, *rank)).expect("disk");
        let mut members = clusters.join(&mut |_| true).expect("disk");
        (0..pages.len() as u64).map(|page| members.place(page).expect("disk")).collect()
    }

    /// A plain implementation: the smallest page number spreads until nothing changes.
    fn plainly(pages: &[(Vec<u64>, u64)]) -> Vec<ClusterPlace> {
        let mut cluster: Vec<usize> = (0..pages.len()).collect();
        loop {
            let mut least: HashMap<u64, usize> = HashMap::new();
            for (page, (bands, _)) in pages.iter().enumerate() {
                for &band in bands {
                    let least = least.entry(band).or_insert(cluster[page]);
                    *least = cluster[page].min(*least);
                }
            }
            let next: Vec<usize> = (0..pages.len())
                .map(|page| {
                    pages[page]
                        .0
                        .iter()
                        .map(|band| least[band])
                        .min()
                        .unwrap_or(page)
                        .min(cluster[page])
                })
                .collect();
            if next == cluster {
                break;
            }
            cluster = next;
        }
        let of = |page: usize| {
            let group: Vec<usize> =
                (0..pages.len()).filter(|&other| cluster[other] == cluster[page]).collect();
            let best = group.iter().min_by_key(|&&page| (!pages[page].1, page));
            ClusterPlace {
                cluster: cluster[page] as u64,
                size: group.len() as u64,
                is_best: best == Some(&page),
            }
        };
        (0..pages.len()).map(of).collect()
    }

    /// Generates pages with few different bands, so that there are clusters of all sizes and
    /// chains.
    fn pages() -> impl Strategy<Value = Vec<(Vec<u64>, u64)>> {
        let band = (0..200u64).prop_map(|band| mix(band, 1));
        prop::collection::vec((prop::collection::vec(band, 0..4), 0..4u64), 0..120)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn clusters_are_the_connected_components(pages in pages()) {
            let expected = plainly(&pages);
            prop_assert_eq!(places(&pages, 1 << 24), &expected[..]);
            prop_assert_eq!(places(&pages, 1 << 10), expected);
        }
    }

    #[test]
    fn a_long_chain_is_one_cluster_after_few_rounds() {
        let length = 3_000u64;
        // Page n shares a band with page n + 1; the numbers are mixed, so that the chain is in no
        // order.
        let mut order: Vec<u64> = (0..length).collect();
        order.sort_by_key(|&link| mix(link, 5));
        let mut clusters = Clusters::new(&std::env::temp_dir(), 1 << 16).expect("disk");
        for link in order {
            clusters.add(&[mix(link, 9), mix(link + 1, 9)], link).expect("disk");
        }
        clusters.add(&[mix(0, 11)], u64::MAX).expect("disk");
        let mut members = clusters.join(&mut |_| true).expect("disk");
        let places: Vec<ClusterPlace> =
            (0..=length).map(|page| members.place(page).expect("disk")).collect();
        assert!(places[..length as usize]
            .iter()
            .all(|place| (place.cluster, place.size) == (0, length)));
        assert_eq!(places.iter().filter(|place| place.is_best).count(), 2);
        assert_eq!(
            places[length as usize],
            ClusterPlace { cluster: length, size: 1, is_best: true }
        );
    }

    #[test]
    fn work_stops_when_the_caller_says_so() {
        let mut clusters = Clusters::new(&std::env::temp_dir(), 1 << 20).expect("disk");
        for page in 0..STEP {
            clusters.add(&[mix(page / 2, 3), mix(page, 4)], 0).expect("disk");
        }
        let stopped = clusters.join(&mut |_| false).expect_err("it was stopped");
        assert_eq!(stopped.kind(), io::ErrorKind::Interrupted);
    }

    #[test]
    fn pages_that_differ_in_a_few_words_share_bands_in_every_script() {
        let sketcher = Sketcher::new(Shape::default());
        let meet = |a: &str, b: &str| {
            let (a, b) = (sketcher.bands(a), sketcher.bands(b));
            a.iter().zip(&b).any(|(a, b)| a == b)
        };
        let words = |from: u32| (from..from + 300).map(|n| format!("w{n} ")).collect::<String>();
        assert_eq!(sketcher.bands(&words(0)).len(), 14);
        assert!(meet(&words(0), &words(0).replace("w150 ", "x ")));
        assert!(!meet(&words(0), &words(150)));
        assert!(sketcher.bands(" – ").is_empty());
        let thai = |from: u32| {
            (from..from + 400)
                .filter_map(|n| char::from_u32(0xe01 + (mix(n.into(), 7) % 46) as u32))
                .collect::<String>()
        };
        assert!(meet(&thai(0), &format!("{} {}", thai(0), "ข")));
        assert!(!meet(&thai(0), &thai(1009)));
    }

    #[test]
    fn half_of_the_pairs_at_the_threshold_are_found() {
        assert!((Shape::default().threshold() - 0.719).abs() < 0.001);
    }
}
