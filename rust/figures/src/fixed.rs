//! Shares as integers, so that sums do not depend on their order.

use serde::{Deserialize, Serialize};

/// The representation of 1.
pub const ONE: u64 = 1_000_000_000;

/// Returns `part / whole` in billionths, rounded down and at most 1.
///
/// # Panics
/// Panics if the whole is 0.
pub fn share(part: u64, whole: u64) -> u64 {
    (u128::from(part.min(whole)) * u128::from(ONE) / u128::from(whole)) as u64
}

/// Returns the sum of counts, at most `u64::MAX`: a damaged state may have any counts.
pub fn total(counts: impl IntoIterator<Item = u64>) -> u64 {
    counts.into_iter().fold(0, u64::saturating_add)
}

/// A mean of shares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mean {
    /// Sum of the shares in billionths.
    pub sum: u64,
    /// Number of shares.
    pub count: u64,
}

impl Mean {
    /// Adds a share in billionths.
    pub fn add(&mut self, share: u64) {
        self.sum = self.sum.saturating_add(share);
        self.count = self.count.saturating_add(1);
    }

    /// Adds all shares of another mean.
    pub fn merge(&mut self, other: Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.count = self.count.saturating_add(other.count);
    }

    /// Returns the mean, from 0 to 1; `None` without shares.
    pub fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64 / ONE as f64)
    }

    /// Returns the mean in percent.
    pub fn percent(self) -> Option<f64> {
        self.value().map(|mean| mean * 100.0)
    }
}

/// Returns `part / whole`; `None` if the whole is 0.
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns `part / whole` in percent; `None` if the whole is 0.
pub fn percent(part: u64, whole: u64) -> Option<f64> {
    ratio(part, whole).map(|ratio| ratio * 100.0)
}
