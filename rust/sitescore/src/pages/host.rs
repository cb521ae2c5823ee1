//! Sums of a host and of its sections.

use super::evidence::Evidence;
use super::sections::{parent, Sections};
use std::collections::BTreeMap;

/// Most sections of a host that are kept. If there are more than twice as many, those with the
/// fewest pages are left out until this number is left.
pub const MAX_SECTIONS: usize = 512;

/// Fetched pages, and those of them in the language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of fetched pages.
    pub fetched: u32,
    /// Those with enough text in the language.
    pub kept: u32,
}

impl Counts {
    fn add(&mut self, kept: bool) {
        self.merge(Self { fetched: 1, kept: u32::from(kept) });
    }

    fn merge(&mut self, other: Self) {
        self.fetched = self.fetched.saturating_add(other.fetched);
        self.kept = self.kept.saturating_add(other.kept);
    }

    /// Returns the share of pages in the language; 0 without a page.
    pub fn share(self) -> f64 {
        f64::from(self.kept) / f64::from(self.fetched.max(1))
    }
}

/// The sums of a host: its fetched pages, those of each section, and the links from other hosts to
/// its rows. The paper's Algorithm 1 is the case of a host without sections.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Host {
    /// All fetched pages.
    pub counts: Counts,
    /// Target bytes of the kept pages.
    pub bytes: f64,
    /// Sum of the logarithms of these bytes.
    pub log_bytes: f64,
    /// Sum of the squares of these logarithms.
    pub log_squares: f64,
    /// Links from other hosts to its rows, by class ([`Evidence::external`]).
    pub external: [u64; 4],
    /// Whether a page of it was fetched as a seed.
    pub seeded: bool,
    /// Names that the host shares with other hosts: labels of its name left of the registered
    /// domain, such as `ur` of `ur.example.org`.
    pub labels: Vec<String>,
    sections: BTreeMap<Box<str>, Counts>,
}

impl Host {
    /// Adds links to one of its rows.
    pub fn add_links(&mut self, links: &Evidence) {
        for (sum, &count) in self.external.iter_mut().zip(&links.external()) {
            *sum = sum.saturating_add(u64::from(count));
        }
    }

    /// Adds a fetched page with its target bytes, 0 if it was not kept.
    pub fn add_page(&mut self, sections: &Sections, bytes: u64) {
        self.counts.add(bytes > 0);
        self.bytes += bytes as f64;
        // In steps of 1/1024, sums are exact, so that they do not depend on the order of pages.
        let log = ((bytes.max(1) as f64).ln() * 1024.0).round() / 1024.0;
        self.log_bytes += log;
        self.log_squares += log * log;
        for key in sections.directories().chain(sections.parameters()) {
            match self.sections.get_mut(key) {
                Some(counts) => counts.add(bytes > 0),
                None => {
                    let counts = Counts { fetched: 1, kept: u32::from(bytes > 0) };
                    self.sections.insert(key.into(), counts);
                }
            }
        }
        self.shrink();
    }

    /// Adds the sums of other rows of the host.
    pub fn merge(&mut self, other: &Self) {
        self.counts.merge(other.counts);
        self.bytes += other.bytes;
        self.log_bytes += other.log_bytes;
        self.log_squares += other.log_squares;
        for (sum, &more) in self.external.iter_mut().zip(&other.external) {
            *sum = sum.saturating_add(more);
        }
        self.seeded |= other.seeded;
        if self.labels.is_empty() {
            self.labels.clone_from(&other.labels);
        }
        for (key, &counts) in &other.sections {
            self.sections.entry(key.clone()).or_default().merge(counts);
        }
        self.shrink();
    }

    /// Returns the sums of a section, if a page of it was fetched.
    pub fn section(&self, key: &str) -> Option<Counts> {
        self.sections.get(key).copied()
    }

    /// Returns the sections with the sums of the nearest section around each, or of the host.
    /// Sections with all fetched pages of what is around them are left out: they say nothing more.
    pub fn sections(&self) -> impl Iterator<Item = (&str, Counts, Counts)> {
        self.sections.iter().filter_map(|(key, &counts)| {
            let around = self.around(key);
            (counts.fetched < around.fetched).then_some((&**key, counts, around))
        })
    }

    /// Returns the sums of the nearest section around a section, or of the host.
    pub(super) fn around(&self, key: &str) -> Counts {
        let mut key = key;
        while let Some(outer) = parent(key) {
            if let Some(counts) = self.section(outer) {
                return counts;
            }
            key = outer;
        }
        self.counts
    }

    /// Leaves out the sections with the fewest pages if there are too many.
    fn shrink(&mut self) {
        if self.sections.len() <= 2 * MAX_SECTIONS {
            return;
        }
        let mut order: Vec<(u32, Box<str>)> =
            self.sections.iter().map(|(key, counts)| (counts.fetched, key.clone())).collect();
        order.sort_unstable();
        for (_, key) in &order[..order.len() - MAX_SECTIONS] {
            self.sections.remove(key);
        }
    }
}
