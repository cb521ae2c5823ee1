//! Host totals and the LRL website score (Corpulyzer paper, Algorithm 1 and Eq. 3).
//!
//! The score of a host is the mean number of target-language bytes of its fetched pages. Pages become totals, totals of one
//! host merge by addition in any order, and a total becomes a score; nothing here holds a page.
#![forbid(unsafe_code)]

mod policy;
mod stop;

pub use policy::{row_scores, RowScores, ScorePolicy, Steering, UnknownPolicy};
pub use stop::{Stop, Stops};

/// What is known of a host's fetched pages: a sum that grows by [`HostTotals::merge`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HostTotals {
    /// UTF-8 bytes of main text in the target language, over all fetched pages.
    pub target_bytes: u64,
    /// Fetched pages, parsed or not, with target text or not.
    pub fetched: u64,
    /// Those of them whose language nobody knows: not parsed, or not by this engine. The mean counts them as pages without
    /// target text; they are no reason to give a host up.
    pub unread: u64,
}

impl HostTotals {
    /// One fetched page.
    pub fn page(target_bytes: u64) -> Self {
        Self { target_bytes, fetched: 1, unread: 0 }
    }

    /// Totals of both. Associative and commutative, with [`HostTotals::default`] as neutral element. Sums stop at
    /// `u64::MAX`, which no crawl reaches.
    pub fn merge(self, other: Self) -> Self {
        Self {
            target_bytes: self.target_bytes.saturating_add(other.target_bytes),
            fetched: self.fetched.saturating_add(other.fetched),
            unread: self.unread.saturating_add(other.unread),
        }
    }
}

/// Scores of a host of which no page was fetched yet, where Algorithm 1 as printed divides by zero; and what a page in the
/// language is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreSettings {
    /// Score of its pages, in bytes per page. The size filter's threshold is a good value: above hosts known to be empty,
    /// below good ones.
    pub unknown: f32,
    /// Score of its injected seeds, in bytes per page: above any mean, so that a new seed is fetched in the next round.
    pub injected: f32,
    /// Target bytes that a page in the language has at least: the size filter's threshold. [`Stops::barren`] goes by it.
    pub min_bytes: u64,
}

/// What every row of a host is scored with, in bytes per page. Never NaN, never infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostScore {
    /// For the host's rows, fetched or not.
    pub page: f32,
    /// For those of its rows that were injected as seeds.
    pub seed: f32,
}

/// The mean of target bytes over fetched pages, computed in 64-bit floating point from 64-bit sums; for a host with nothing
/// fetched, the settings' scores. Settings that are not finite count as 0.
pub fn score(totals: HostTotals, settings: ScoreSettings) -> HostScore {
    if totals.fetched == 0 {
        return HostScore { page: finite(settings.unknown), seed: finite(settings.injected) };
    }
    let mean = (totals.target_bytes as f64 / totals.fetched as f64) as f32;
    HostScore { page: mean, seed: mean }
}

fn finite(score: f32) -> f32 {
    if score.is_finite() {
        score
    } else {
        0.0
    }
}
