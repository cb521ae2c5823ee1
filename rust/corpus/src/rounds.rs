//! Yield of each round of the crawl (paper, Eq. 6).

use crate::fixed::percent;
use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// Round that later ones are counted as. Bounds memory.
const LAST: u32 = 100_000;

/// One round's sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Round {
    fetched: u64,
    target: u64,
    rejected: u64,
    bytes: u64,
}

/// Pages per round. A page is a target page if its bytes in the target language reach the threshold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounds {
    min_bytes: u64,
    rounds: BTreeMap<u32, Round>,
}

impl Rounds {
    /// No pages; the threshold is in bytes of the target language.
    pub fn new(min_bytes: u64) -> Self {
        Self { min_bytes, rounds: BTreeMap::new() }
    }
}

impl Accumulator for Rounds {
    plain_state!("rounds", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        if let Some(round) = view.page.round {
            let sum = self.rounds.entry(round.min(LAST)).or_default();
            sum.fetched += 1;
            sum.target += u64::from(view.page.target_bytes >= self.min_bytes);
            sum.rejected += u64::from(!view.page.kept);
            sum.bytes = sum.bytes.saturating_add(view.page.target_bytes);
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.min_bytes = self.min_bytes.max(other.min_bytes);
        for (round, more) in other.rounds {
            let sum = self.rounds.entry(round).or_default();
            sum.fetched = sum.fetched.saturating_add(more.fetched);
            sum.target = sum.target.saturating_add(more.target);
            sum.rejected = sum.rejected.saturating_add(more.rejected);
            sum.bytes = sum.bytes.saturating_add(more.bytes);
        }
        Ok(())
    }
}

/// A round in a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundRow {
    /// Its number.
    pub round: u32,
    /// Pages that were fetched, as far as the input has them: `corpus.jsonl.zst` has only those that were kept.
    pub pages: u64,
    /// Pages with at least the threshold of target bytes.
    pub target_pages: u64,
    /// Their share: the round's yield.
    pub yield_percent: Option<f64>,
    /// Bytes in the target language.
    pub target_bytes: u64,
}

/// What is known of rounds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundFigures {
    /// Bytes in the target language from which on a page is one of the target.
    pub min_bytes: u64,
    /// Whether the input has pages that the crawl rejected. Without them yield says nothing of the crawl.
    pub rejected_known: bool,
    /// The rounds in order.
    pub rounds: Vec<RoundRow>,
}

impl Rounds {
    /// The figures; None if no page has a round.
    pub fn finish(&self) -> Option<RoundFigures> {
        let row = |(&round, sum): (&u32, &Round)| RoundRow {
            round,
            pages: sum.fetched,
            target_pages: sum.target,
            yield_percent: percent(sum.target, sum.fetched),
            target_bytes: sum.bytes,
        };
        (!self.rounds.is_empty()).then(|| RoundFigures {
            min_bytes: self.min_bytes,
            rejected_known: self.rounds.values().any(|round| round.rejected > 0),
            rounds: self.rounds.iter().map(row).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    #[test]
    fn yield_is_target_pages_of_fetched_pages() {
        let mut rounds = Rounds::new(256);
        for (round, target_bytes, kept) in [(1, 256, true), (1, 255, false), (2, 300, true)] {
            let page = Page { round: Some(round), target_bytes, kept, ..Page::default() };
            rounds.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        }
        let figures = rounds.finish().expect("rounds");
        assert!(figures.rejected_known);
        let rows: Vec<_> = figures.rounds.iter().map(|row| (row.round, row.pages, row.yield_percent)).collect();
        assert_eq!(rows, [(1, 2, Some(50.0)), (2, 1, Some(100.0))]);
        assert_eq!(Rounds::new(1).finish(), None);
    }
}
