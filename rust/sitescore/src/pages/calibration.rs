//! Predicted probabilities compared with what was found.

/// Number of equal parts of the probabilities.
const BINS: usize = 10;

/// The rows of a part of the probabilities.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bin {
    /// Number of rows.
    pub rows: u64,
    /// Sum of their predicted probabilities.
    pub expected: f64,
    /// Number of these in the language.
    pub kept: u64,
}

/// Counts of predictions and results by tenths of the probability. They merge by addition.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Calibration {
    bins: [Bin; BINS],
    /// Sum of the squared differences between probability and result.
    squares: f64,
}

impl Calibration {
    /// Adds a fetched row: its probability before the fetch, and whether it was kept.
    pub fn add(&mut self, p: f64, kept: bool) {
        let p = p.clamp(0.0, 1.0);
        let bin = &mut self.bins[((p * BINS as f64) as usize).min(BINS - 1)];
        bin.rows += 1;
        bin.expected += p;
        bin.kept += u64::from(kept);
        self.squares += (p - f64::from(u8::from(kept))).powi(2);
    }

    /// Returns the sum of both.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.rows += more.rows;
            bin.expected += more.expected;
            bin.kept += more.kept;
        }
        self.squares += other.squares;
        self
    }

    /// Returns the tenths, the lowest probabilities first.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// Returns the Brier score, the mean squared difference between probability and result: 0 is
    /// perfect, a constant of .5 has .25. `None` without a row.
    pub fn brier(&self) -> Option<f64> {
        let rows: u64 = self.bins.iter().map(|bin| bin.rows).sum();
        (rows > 0).then(|| self.squares / rows as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[(f64, bool)]) -> Calibration {
        let mut calibration = Calibration::default();
        rows.iter().for_each(|&(p, kept)| calibration.add(p, kept));
        calibration
    }

    #[test]
    fn rows_are_counted_by_tenths() {
        let some = of(&[(0.0, false), (0.05, true), (0.95, true), (1.0, true), (0.5, false)]);
        let rows: Vec<(u64, u64)> = some.bins().iter().map(|bin| (bin.rows, bin.kept)).collect();
        assert_eq!((rows[0], rows[5], rows[9]), ((2, 1), (1, 0), (2, 2)));
        assert_eq!(rows.iter().map(|bin| bin.0).sum::<u64>(), 5);
    }

    #[test]
    fn the_brier_score_is_the_mean_of_squares() {
        assert_eq!(of(&[]).brier(), None);
        assert_eq!(of(&[(1.0, true), (0.0, false)]).brier(), Some(0.0));
        assert_eq!(of(&[(0.5, true), (1.0, false)]).brier(), Some(0.625));
        let merged = of(&[(0.5, true)]).merge(&of(&[(1.0, false)]));
        assert_eq!(merged, of(&[(0.5, true), (1.0, false)]));
    }
}
