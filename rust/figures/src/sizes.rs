//! Sizes of pages as fetched (paper, Fig. 7a).

use crate::fixed::{percent, total};
use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use serde::{Deserialize, Serialize};
use std::io;

/// Size at which Common Crawl truncates pages: 1 MiB.
pub const CUT: u64 = 1 << 20;

/// Sizes in the complementary distribution: 1, 2 and 5 times the powers of ten, and the first size
/// over [`CUT`].
const BOUNDS: [u64; 27] = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    CUT + 1,
    2_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    1_000_000_000,
];

/// Pages by size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// Pages of at least a bound and less than the next; the first count is that of empty pages.
    counts: [u64; BOUNDS.len() + 1],
    largest: u64,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { counts: [0; BOUNDS.len() + 1], largest: 0 }
    }
}

impl Accumulator for Sizes {
    plain_state!("sizes", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        if let Some(bytes) = view.page.raw_bytes {
            self.counts[BOUNDS.partition_point(|&bound| bound <= bytes)] += 1;
            self.largest = self.largest.max(bytes);
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_add(more);
        }
        self.largest = self.largest.max(other.largest);
        Ok(())
    }
}

/// A point of the complementary distribution.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizePoint {
    /// Size of a page, in bytes.
    pub bytes: u64,
    /// Number of pages of at least this size.
    pub pages: u64,
    /// Share of pages of at least this size, in percent.
    pub percent: Option<f64>,
}

/// Figures of page sizes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizeFigures {
    /// Pages whose size is known.
    pub pages: u64,
    /// Size of the largest in bytes.
    pub largest: u64,
    /// Pages over 1 MiB, which Common Crawl truncates.
    pub over_1_mib: u64,
    /// Share of pages over 1 MiB, in percent.
    pub over_1_mib_percent: Option<f64>,
    /// Pages of at least a size, up to the first bound that no page reaches.
    pub ccdf: Vec<SizePoint>,
}

impl Sizes {
    /// Returns the figures.
    pub fn finish(&self) -> SizeFigures {
        let pages: u64 = total(self.counts.iter().copied());
        let mut left = pages;
        let mut ccdf = Vec::new();
        let mut over_1_mib = 0;
        for (&bytes, below) in BOUNDS.iter().zip(&self.counts) {
            left = left.saturating_sub(*below);
            if bytes == CUT + 1 {
                over_1_mib = left;
                continue;
            }
            if ccdf.last().is_none_or(|last: &SizePoint| last.pages > 0) {
                ccdf.push(SizePoint { bytes, pages: left, percent: percent(left, pages) });
            }
        }
        // The counts at 1, 2 and 5 bytes are almost always equal.
        let first = ccdf.iter().rposition(|point| point.pages == pages).unwrap_or(0);
        ccdf.drain(..first);
        SizeFigures {
            pages,
            largest: self.largest,
            over_1_mib,
            over_1_mib_percent: percent(over_1_mib, pages),
            ccdf,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::CorpusPage;

    #[test]
    fn pages_are_counted_from_each_bound_on() {
        let mut sizes = Sizes::default();
        for bytes in [999, 1_000, 1_999, 1_048_576, 1_048_577, 1_500_000] {
            let page = CorpusPage { raw_bytes: Some(bytes), ..CorpusPage::default() };
            sizes.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        }
        let figures = sizes.finish();
        let points: Vec<_> = figures.ccdf.iter().map(|point| (point.bytes, point.pages)).collect();
        assert_eq!(points[..4], [(500, 6), (1_000, 5), (2_000, 3), (5_000, 3)]);
        assert_eq!(points[points.len() - 2..], [(1_000_000, 3), (2_000_000, 0)]);
        assert_eq!((figures.over_1_mib, figures.largest), (2, 1_500_000));
    }

    #[test]
    fn no_page_has_a_size() {
        let figures = Sizes::default().finish();
        assert_eq!((figures.pages, figures.over_1_mib_percent), (0, None));
    }
}
