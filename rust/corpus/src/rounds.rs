//! Yield of each round of the crawl (paper, Eq. 6).

use crate::fixed::percent;
use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// Rounds that are counted separately; later ones are counted with the last of them. Bounds memory.
const MOST: usize = 100_000;

/// Numbers from this one on are the start times of rounds, in seconds since 1970.
const TIMES: u64 = 1_000_000;

/// One round's sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Round {
    fetched: u64,
    target: u64,
    /// Pages with any text in the target language.
    any: u64,
    rejected: u64,
    bytes: u64,
}

/// Pages per round. A page is a target page if its bytes in the target language reach the
/// threshold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounds {
    min_bytes: u64,
    rounds: BTreeMap<u64, Round>,
}

impl Rounds {
    /// Creates empty sums; the threshold is in bytes of the target language.
    pub fn new(min_bytes: u64) -> Self {
        Self { min_bytes, rounds: BTreeMap::new() }
    }

    fn of(&mut self, round: u64) -> &mut Round {
        let full = self.rounds.len() >= MOST && !self.rounds.contains_key(&round);
        let last = self.rounds.keys().next_back().copied().filter(|_| full);
        self.rounds.entry(last.unwrap_or(round)).or_default()
    }
}

impl Accumulator for Rounds {
    plain_state!("rounds", 2);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        if let Some(round) = view.page.round {
            let is_target = view.page.target_bytes >= self.min_bytes;
            let sum = self.of(round);
            sum.fetched += 1;
            sum.target += u64::from(is_target);
            sum.any += u64::from(view.page.target_bytes > 0);
            sum.rejected += u64::from(!view.page.kept);
            sum.bytes = sum.bytes.saturating_add(view.page.target_bytes);
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.min_bytes = self.min_bytes.max(other.min_bytes);
        for (round, more) in other.rounds {
            let sum = self.of(round);
            sum.fetched = sum.fetched.saturating_add(more.fetched);
            sum.target = sum.target.saturating_add(more.target);
            sum.any = sum.any.saturating_add(more.any);
            sum.rejected = sum.rejected.saturating_add(more.rejected);
            sum.bytes = sum.bytes.saturating_add(more.bytes);
        }
        Ok(())
    }
}

/// A round in a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundRow {
    /// Its number, from 1.
    pub round: u64,
    /// When it began, in seconds since 1970; `None` if the input does not have the time.
    pub began: Option<u64>,
    /// Fetched pages in the input: `corpus.jsonl.zst` has only those that were kept.
    pub pages: u64,
    /// Pages with at least the threshold of target bytes.
    pub target_pages: u64,
    /// Their share: the round's yield after the content-size filter.
    pub yield_percent: Option<f64>,
    /// Pages with any text in the target language.
    pub any_pages: u64,
    /// Their share: the round's yield of pages with any target text, the paper's Eq. 6.
    pub any_yield_percent: Option<f64>,
    /// Bytes in the target language.
    pub target_bytes: u64,
}

/// Figures of rounds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundFigures {
    /// Threshold of a target page, in bytes of the target language.
    pub min_bytes: u64,
    /// Whether the input has pages that the crawl rejected. Without them the yield does not
    /// describe the crawl.
    pub rejected_known: bool,
    /// The rounds in order.
    pub rounds: Vec<RoundRow>,
}

impl Rounds {
    /// Returns the figures; `None` if no page has a round.
    pub fn finish(&self) -> Option<RoundFigures> {
        let row = |(number, (&round, sum)): (u64, (&u64, &Round))| RoundRow {
            round: if round < TIMES { round } else { number },
            began: (round >= TIMES).then_some(round),
            pages: sum.fetched,
            target_pages: sum.target,
            yield_percent: percent(sum.target, sum.fetched),
            any_pages: sum.any,
            any_yield_percent: percent(sum.any, sum.fetched),
            target_bytes: sum.bytes,
        };
        (!self.rounds.is_empty()).then(|| RoundFigures {
            min_bytes: self.min_bytes,
            rejected_known: self.rounds.values().any(|round| round.rejected > 0),
            rounds: (1..).zip(&self.rounds).map(row).collect(),
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
        let rows: Vec<_> =
            figures.rounds.iter().map(|row| (row.round, row.pages, row.yield_percent)).collect();
        assert_eq!(rows, [(1, 2, Some(50.0)), (2, 1, Some(100.0))]);
        assert_eq!(figures.rounds[0].any_yield_percent, Some(100.0), "Eq. 6 has no threshold");
        assert_eq!(Rounds::new(1).finish(), None);
    }

    #[test]
    fn rounds_that_are_known_by_their_times_are_numbered_in_order() {
        let mut rounds = Rounds::new(1);
        for round in [1_700_000_500, 1_700_000_100, 1_700_000_500] {
            let page = Page { round: Some(round), ..Page::default() };
            rounds.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        }
        let rows = rounds.finish().expect("rounds").rounds;
        let rows: Vec<_> = rows.iter().map(|row| (row.round, row.began, row.pages)).collect();
        assert_eq!(rows, [(1, Some(1_700_000_100), 1), (2, Some(1_700_000_500), 2)]);
    }
}
