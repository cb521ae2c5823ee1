//! Laws of totals and scores.

use proptest::prelude::*;
use sitescore::{score, HostScore, HostTotals, ScoreSettings};

const SETTINGS: ScoreSettings = ScoreSettings { unknown: 256.0, injected: 1e9 };

fn totals() -> impl Strategy<Value = HostTotals> {
    (any::<u64>(), any::<u64>()).prop_map(|(target_bytes, fetched)| HostTotals { target_bytes, fetched })
}

/// A page row of a host: target bytes if it was fetched.
type Row = Option<u64>;

/// Algorithm 1's reduce as printed: hold the host's pages, sum the fetched ones, score each of them.
fn algorithm_1(rows: &[Row]) -> Vec<f32> {
    let (mut lang_bytes, mut fetched) = (0u64, 0u64);
    for row in rows.iter().flatten() {
        lang_bytes += row;
        fetched += 1;
    }
    let score = (lang_bytes as f64 / fetched as f64) as f32;
    vec![score; rows.len()]
}

fn sum(rows: &[Row]) -> HostTotals {
    rows.iter().flatten().map(|&bytes| HostTotals::page(bytes)).fold(HostTotals::default(), HostTotals::merge)
}

proptest! {
    #[test]
    fn merging_is_a_commutative_monoid(a in totals(), b in totals(), c in totals()) {
        prop_assert_eq!(a.merge(b), b.merge(a));
        prop_assert_eq!(a.merge(b).merge(c), a.merge(b.merge(c)));
        prop_assert_eq!(a.merge(HostTotals::default()), a);
    }

    #[test]
    fn scores_are_finite_whatever_comes_in(totals in totals(), unknown in any::<f32>(), injected in any::<f32>()) {
        let HostScore { page, seed } = score(totals, ScoreSettings { unknown, injected });
        prop_assert!(page.is_finite() && seed.is_finite());
    }

    #[test]
    fn the_mean_lies_between_the_least_and_the_greatest_page(pages in proptest::collection::vec(0u64..1 << 40, 1..200)) {
        let rows: Vec<Row> = pages.iter().copied().map(Some).collect();
        let mean = score(sum(&rows), SETTINGS).page;
        let (least, greatest) = (pages.iter().min(), pages.iter().max());
        prop_assert!(least.is_some_and(|&least| mean >= least as f32));
        prop_assert!(greatest.is_some_and(|&greatest| mean <= greatest as f32));
    }

    #[test]
    fn the_score_is_algorithm_1_wherever_that_is_defined(
        rows in proptest::collection::vec(proptest::option::of(0u64..1 << 24), 1..300),
        cut in 0usize..300,
    ) {
        prop_assume!(rows.iter().any(Option::is_some));
        let (left, right) = rows.split_at(cut.min(rows.len()));
        let ours = score(sum(left).merge(sum(right)), SETTINGS).page;
        for naive in algorithm_1(&rows) {
            prop_assert_eq!(ours.to_bits(), naive.to_bits());
        }
    }
}

#[test]
fn a_row_that_was_not_fetched_inherits_the_mean_of_those_that_were() {
    let rows = [Some(100), Some(300), None];
    assert_eq!(score(sum(&rows), SETTINGS), HostScore { page: 200.0, seed: 200.0 });
}

#[test]
fn a_host_with_nothing_fetched_gets_the_settings_scores() {
    assert_eq!(score(HostTotals::default(), SETTINGS), HostScore { page: 256.0, seed: 1e9 });
}

#[test]
fn a_host_known_to_be_empty_scores_zero() {
    let rows = [Some(0), Some(0)];
    assert_eq!(score(sum(&rows), SETTINGS).page, 0.0);
}
