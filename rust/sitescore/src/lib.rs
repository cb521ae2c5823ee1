//! Host totals and the LRL website score (Corpulyzer paper, Algorithm 1 and Eq. 3).
//!
//! The score of a host is the mean number of target-language bytes of those of its fetched pages
//! that were read. Totals of a host merge by addition in any order, and the merged total becomes a
//! score. No page is held in memory.
#![forbid(unsafe_code)]

pub mod pages;
mod policy;
mod stop;

pub use policy::{probe_score, row_scores, RowScores, ScorePolicy, Share, Steering, UnknownPolicy};
pub use stop::{Factor, Stop, Stops};

/// Sums over a host's fetched pages. [`HostTotals::merge`] adds them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HostTotals {
    /// UTF-8 bytes of main text in the target language, over all fetched pages.
    pub target_bytes: u64,
    /// Fetched pages, parsed or not, with or without target text.
    pub fetched: u64,
    /// Fetched pages of unknown language: fetched before this engine read pages, or with figures
    /// that cannot be read. They are not in the mean, and they do not make a host barren. A page
    /// that the engine was given and found no text in is read.
    pub unread: u64,
    /// Downloaded bytes of the pages of known language. A page of unknown size counts as 0.
    pub raw_bytes: u64,
}

impl HostTotals {
    /// One fetched page of unknown size.
    pub fn page(target_bytes: u64) -> Self {
        Self { target_bytes, fetched: 1, ..Self::default() }
    }

    /// The same totals with this number of downloaded bytes.
    pub fn with_raw(self, raw_bytes: u64) -> Self {
        Self { raw_bytes, ..self }
    }

    /// Returns the number of fetched pages of known language.
    pub fn read(self) -> u64 {
        self.fetched.saturating_sub(self.unread)
    }

    /// Returns the sum of both. Associative and commutative, with [`HostTotals::default`] as
    /// neutral element. Sums stop at `u64::MAX`, which no crawl reaches.
    pub fn merge(self, other: Self) -> Self {
        Self {
            target_bytes: self.target_bytes.saturating_add(other.target_bytes),
            fetched: self.fetched.saturating_add(other.fetched),
            unread: self.unread.saturating_add(other.unread),
            raw_bytes: self.raw_bytes.saturating_add(other.raw_bytes),
        }
    }
}

/// Scores of a host without a page that was read, for which Algorithm 1 as printed divides by zero, and
/// the smallest size of a page in the language.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreSettings {
    /// Score of its pages, in bytes per page. The size filter's threshold is a good value: above
    /// hosts without the language, below good hosts.
    pub unknown: f32,
    /// Score of its injected seeds, in bytes per page: above any mean, so that a new seed is
    /// fetched in the next round.
    pub injected: f32,
    /// Smallest number of target bytes of a page in the language: the size filter's threshold.
    /// [`Stops::barren`] uses it.
    pub min_bytes: u64,
}

/// Scores of the rows of a host, in bytes per page. Never NaN, never infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostScore {
    /// For the host's rows, fetched or not.
    pub page: f32,
    /// For those of its rows that were injected as seeds.
    pub seed: f32,
}

/// Returns the mean of target bytes over the fetched pages that were read, computed in 64-bit
/// floating point from 64-bit sums. For a host without such a page, returns the scores of the
/// settings. Settings that are not finite count as 0. In a crawl that began with this engine every
/// fetched page is read, so the mean is that of Algorithm 1, over all fetched pages.
pub fn score(totals: HostTotals, settings: ScoreSettings) -> HostScore {
    let read = totals.read();
    if read == 0 {
        return HostScore { page: finite(settings.unknown), seed: finite(settings.injected) };
    }
    let mean = (totals.target_bytes as f64 / read as f64) as f32;
    HostScore { page: mean, seed: mean }
}

fn finite(score: f32) -> f32 {
    if score.is_finite() {
        score
    } else {
        0.0
    }
}
