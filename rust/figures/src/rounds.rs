//! Yield of each round of the crawl (paper, Eq. 6), and its speed (SpiderLing).

use crate::fixed::percent;
use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// Rounds that are counted separately; later ones are counted with the last of them. Bounds memory.
const MAX_ROUNDS: usize = 100_000;

/// Numbers from this one on are the start times of rounds, in seconds since 1970.
const TIMES: u64 = 1_000_000;

/// One round's sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Round {
    fetched: u64,
    /// Pages with any text in the target language.
    any: u64,
    rejected: u64,
    bytes: u64,
    /// Bytes as fetched, and target bytes of pages in the corpus; of pages of known size.
    size: Bytes,
    /// The same, of pages whose time is also known.
    timed: Bytes,
    /// Times of the first and the last fetch, in milliseconds since 1970.
    times: Option<(u64, u64)>,
}

/// Bytes downloaded, and the target text that they gave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Bytes {
    raw: u64,
    clean: u64,
}

impl Bytes {
    fn add(&mut self, other: Self) {
        self.raw = self.raw.saturating_add(other.raw);
        self.clean = self.clean.saturating_add(other.clean);
    }
}

impl Round {
    fn add_times(&mut self, (first, last): (u64, u64)) {
        self.times = Some(match self.times {
            Some((begin, end)) => (begin.min(first), end.max(last)),
            None => (first, last),
        });
    }
}

/// Pages per round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounds {
    rounds: BTreeMap<u64, Round>,
}

impl Rounds {
    fn of(&mut self, round: u64) -> &mut Round {
        let full = self.rounds.len() >= MAX_ROUNDS && !self.rounds.contains_key(&round);
        let last = self.rounds.keys().next_back().copied().filter(|_| full);
        self.rounds.entry(last.unwrap_or(round)).or_default()
    }
}

impl Accumulator for Rounds {
    plain_state!("rounds", 4);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        if let Some(round) = view.page.round {
            let sum = self.of(round);
            sum.fetched += 1;
            sum.any += u64::from(view.page.target_bytes > 0);
            sum.rejected += u64::from(!view.page.kept);
            sum.bytes = sum.bytes.saturating_add(view.page.target_bytes);
            if let Some(raw) = view.page.raw_bytes {
                let clean = if view.page.kept { view.page.target_bytes } else { 0 };
                sum.size.add(Bytes { raw, clean });
                if let Some(time) = view.page.fetched {
                    sum.timed.add(Bytes { raw, clean });
                    sum.add_times((time, time));
                }
            }
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        for (round, more) in other.rounds {
            let sum = self.of(round);
            sum.fetched = sum.fetched.saturating_add(more.fetched);
            sum.any = sum.any.saturating_add(more.any);
            sum.rejected = sum.rejected.saturating_add(more.rejected);
            sum.bytes = sum.bytes.saturating_add(more.bytes);
            sum.size.add(more.size);
            sum.timed.add(more.timed);
            if let Some(times) = more.times {
                sum.add_times(times);
            }
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
    /// Pages that the crawl kept: they are in the corpus.
    pub kept_pages: u64,
    /// Their share: the round's filtered yield.
    pub yield_percent: Option<f64>,
    /// Pages with any text in the target language.
    pub any_pages: u64,
    /// Their share: the round's yield of pages with any target text, the paper's Eq. 6.
    pub any_yield_percent: Option<f64>,
    /// Bytes in the target language.
    pub target_bytes: u64,
    /// Bytes as fetched, of pages of known size.
    pub raw_bytes: u64,
    /// Bytes of target text of those of these pages that are in the corpus.
    pub clean_bytes: u64,
    /// Byte yield in percent: the second / the first.
    pub byte_yield_percent: Option<f64>,
    /// Seconds from the first to the last fetch; `None` if fewer than two times are known.
    pub seconds: Option<f64>,
    /// Megabytes (10⁶) downloaded per second.
    pub raw_mb_per_second: Option<f64>,
    /// Megabytes of target text in the corpus per second.
    pub clean_mb_per_second: Option<f64>,
}

/// Figures of rounds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundFigures {
    /// Whether the input has rejected pages. Without them the yield does not
    /// describe the crawl.
    pub rejected_known: bool,
    /// The rounds in order.
    pub rounds: Vec<RoundRow>,
}

impl Rounds {
    /// Returns the figures; `None` if no page has a round.
    pub fn finish(&self) -> Option<RoundFigures> {
        let row = |(number, (&round, sum)): (u64, (&u64, &Round))| {
            let span = sum.times.map(|(first, last)| last.saturating_sub(first));
            let seconds = span.filter(|&span| span > 0).map(|span| span as f64 / 1e3);
            let kept = sum.fetched.saturating_sub(sum.rejected);
            let speed = |bytes: u64| seconds.map(|seconds| bytes as f64 / 1e6 / seconds);
            RoundRow {
                round: if round < TIMES { round } else { number },
                began: (round >= TIMES).then_some(round),
                pages: sum.fetched,
                kept_pages: kept,
                yield_percent: percent(kept, sum.fetched),
                any_pages: sum.any,
                any_yield_percent: percent(sum.any, sum.fetched),
                target_bytes: sum.bytes,
                raw_bytes: sum.size.raw,
                clean_bytes: sum.size.clean,
                byte_yield_percent: percent(sum.size.clean, sum.size.raw),
                seconds,
                raw_mb_per_second: speed(sum.timed.raw),
                clean_mb_per_second: speed(sum.timed.clean),
            }
        };
        (!self.rounds.is_empty()).then(|| RoundFigures {
            rejected_known: self.rounds.values().any(|round| round.rejected > 0),
            rounds: (1..).zip(&self.rounds).map(row).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::CorpusPage;

    #[test]
    fn filtered_yield_is_the_kept_pages_of_the_fetched_pages() {
        let mut rounds = Rounds::default();
        for (round, target_bytes, kept) in [(1, 20, true), (1, 300, false), (2, 300, true)] {
            let page =
                CorpusPage { round: Some(round), target_bytes, kept, ..CorpusPage::default() };
            rounds.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        }
        let figures = rounds.finish().expect("rounds");
        assert!(figures.rejected_known);
        let rows: Vec<_> =
            figures.rounds.iter().map(|row| (row.round, row.pages, row.yield_percent)).collect();
        assert_eq!(rows, [(1, 2, Some(50.0)), (2, 1, Some(100.0))]);
        assert_eq!(figures.rounds[0].any_yield_percent, Some(100.0), "Eq. 6 has no filter");
        assert_eq!(Rounds::default().finish(), None);
    }

    #[test]
    fn speed_is_bytes_over_the_time_from_the_first_fetch_to_the_last() {
        let mut parts = [Rounds::default(), Rounds::default()];
        let pages = [
            (Some(5_000), Some(3_000_000), 200_000, true),
            (Some(1_000), Some(1_000_000), 90_000, false),
            (None, Some(1_000_000), 50_000, true),
            (Some(9_000), None, 7, true),
        ];
        for (at, (fetched, raw_bytes, target_bytes, kept)) in pages.into_iter().enumerate() {
            let page = CorpusPage {
                round: Some(1),
                fetched,
                raw_bytes,
                target_bytes,
                kept,
                ..CorpusPage::default()
            };
            parts[at % 2].add(&PageView { page: &page, tokens: &[] }).expect("memory");
        }
        let [mut all, other] = parts;
        all.merge(other).expect("memory");
        let row = &all.finish().expect("rounds").rounds[0];
        assert_eq!((row.raw_bytes, row.clean_bytes), (5_000_000, 250_000));
        assert_eq!((row.byte_yield_percent, row.seconds), (Some(5.0), Some(4.0)));
        assert_eq!((row.raw_mb_per_second, row.clean_mb_per_second), (Some(1.0), Some(0.05)));
        let mut single = Rounds::default();
        let page = CorpusPage {
            round: Some(1),
            fetched: Some(1),
            raw_bytes: Some(9),
            ..CorpusPage::default()
        };
        single.add(&PageView { page: &page, tokens: &[] }).expect("memory");
        assert_eq!(single.finish().expect("rounds").rounds[0].raw_mb_per_second, None);
    }

    #[test]
    fn rounds_that_are_known_by_their_times_are_numbered_in_order() {
        let mut rounds = Rounds::default();
        for round in [1_700_000_500, 1_700_000_100, 1_700_000_500] {
            let page = CorpusPage { round: Some(round), ..CorpusPage::default() };
            rounds.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        }
        let rows = rounds.finish().expect("rounds").rounds;
        let rows: Vec<_> = rows.iter().map(|row| (row.round, row.began, row.pages)).collect();
        assert_eq!(rows, [(1, Some(1_700_000_100), 1), (2, Some(1_700_000_500), 2)]);
    }
}
