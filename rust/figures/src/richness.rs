//! LSh: the share of the target language in a page (paper, Eq. 4 and Table 7).

use crate::fixed::{share, Mean};
use crate::page::PageView;
use crate::sites::{bins, Bin};
use crate::state::{plain_state, Accumulator};
use serde::{Deserialize, Serialize};
use std::io;

/// Bins of LSh with their lower bounds in percent. They are half-open, so a value between two of
/// the paper's bins, such as 49.5, is in the lower one.
const BINS: [(&str, u64); 5] =
    [("0–49", 0), ("50–79", 50), ("80–89", 80), ("90–94", 90), ("95–100", 95)];

/// Pages by one measure of LSh. Pages with an empty denominator have no LSh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Spread {
    bins: [u64; BINS.len()],
    mean: Mean,
}

impl Spread {
    fn add(&mut self, target: u64, whole: u64) {
        if whole == 0 {
            return;
        }
        let reaches =
            |percent: u64| u128::from(target) * 100 >= u128::from(whole) * u128::from(percent);
        self.bins[BINS.partition_point(|&(_, percent)| reaches(percent)) - 1] += 1;
        self.mean.add(share(target, whole));
    }

    fn merge(&mut self, other: Self) {
        for (bin, more) in self.bins.iter_mut().zip(other.bins) {
            *bin = bin.saturating_add(more);
        }
        self.mean.merge(other.mean);
    }

    fn finish(self) -> LshFigures {
        let bins = bins(BINS.iter().zip(self.bins).map(|(&(name, _), pages)| (name, pages)));
        LshFigures { pages: self.mean.count, mean: self.mean.percent(), bins }
    }
}

/// Pages by LSh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Richness {
    main_bytes: Spread,
    visible_bytes: Spread,
    main_tokens: Spread,
}

impl Accumulator for Richness {
    plain_state!("richness", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let page = view.page;
        self.main_bytes.add(page.target_bytes, page.main_bytes);
        self.visible_bytes.add(page.target_bytes, page.visible_bytes.unwrap_or(0));
        let own = view.tokens.iter().filter(|token| token.own).count();
        self.main_tokens.add(own as u64, view.tokens.len() as u64);
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.main_bytes.merge(other.main_bytes);
        self.visible_bytes.merge(other.visible_bytes);
        self.main_tokens.merge(other.main_tokens);
        Ok(())
    }
}

/// Figures of one measure of LSh.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LshFigures {
    /// Pages that have an LSh.
    pub pages: u64,
    /// Its mean in percent.
    pub mean: Option<f64>,
    /// Pages by LSh in percent.
    pub bins: Vec<Bin>,
}

/// Figures of LSh.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RichnessFigures {
    /// Target bytes of main text / bytes of main text.
    pub main_bytes: LshFigures,
    /// Target bytes of main text / bytes of all visible text.
    pub visible_bytes: LshFigures,
    /// Tokens of the target's letters / tokens of main text; `None` if words were not counted or
    /// the letters are unknown.
    pub main_tokens: Option<LshFigures>,
}

impl Richness {
    /// Returns the figures; `tokens` includes those by tokens.
    pub fn finish(&self, tokens: bool) -> RichnessFigures {
        RichnessFigures {
            main_bytes: self.main_bytes.finish(),
            visible_bytes: self.visible_bytes.finish(),
            main_tokens: tokens.then(|| self.main_tokens.finish()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_half_open() {
        let mut spread = Spread::default();
        let cases = [
            (0, 0),
            (499, 0),
            (500, 1),
            (799, 1),
            (800, 2),
            (899, 2),
            (900, 3),
            (949, 3),
            (950, 4),
            (1000, 4),
        ];
        for (target, bin) in cases {
            let before = spread.bins[bin];
            spread.add(target, 1000);
            assert_eq!(spread.bins[bin], before + 1, "{target} of 1000");
        }
        assert_eq!(spread.mean.sum, 7_296_000_000, "7,296 thousandths of ten pages");
        spread.add(5, 0);
        assert_eq!(spread.mean.count, 10, "a page without text has no LSh");
    }
}
