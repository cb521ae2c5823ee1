//! Laws of totals and scores.

use proptest::prelude::*;
use sitescore::{row_scores, score, HostScore, HostTotals, RowScores, ScorePolicy, ScoreSettings};

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

proptest! {
    #[test]
    fn rows_score_finite_and_in_order_under_every_policy(totals in totals(), unknown in 0f32..1e6, injected in 1e9f32..1e12) {
        let settings = ScoreSettings { unknown, injected };
        for policy in ScorePolicy::ALL {
            let RowScores { other, found, seed, probe } = row_scores(policy, totals, settings);
            prop_assert!([other, found, seed, probe].into_iter().all(f32::is_finite));
            prop_assert!(other <= found && found <= seed && found <= probe && probe <= seed);
        }
    }

    #[test]
    fn under_mean_every_row_of_a_host_has_the_papers_score(totals in totals(), unknown in any::<f32>(), injected in any::<f32>()) {
        let settings = ScoreSettings { unknown, injected };
        let host = score(totals, settings);
        let rows = row_scores(ScorePolicy::Mean, totals, settings);
        prop_assert_eq!(rows, RowScores { other: host.page, found: host.page, seed: host.seed, probe: host.page });
    }

    #[test]
    fn a_page_with_more_target_bytes_never_lowers_a_score(totals in totals(), less in 0u64..1 << 40, more in 0u64..1 << 40) {
        for policy in ScorePolicy::ALL {
            let with = |bytes: u64| row_scores(policy, totals.merge(HostTotals::page(bytes)), SETTINGS);
            let (low, high) = (with(less.min(more)), with(less.max(more)));
            prop_assert!(low.other <= high.other && low.found <= high.found);
        }
    }
}

#[test]
fn exploring_a_row_found_elsewhere_is_worth_a_tenth_and_a_probe_comes_behind_new_seeds_only() {
    let known = HostTotals { target_bytes: 4000, fetched: 2 };
    let rows = row_scores(ScorePolicy::Explore, known, SETTINGS);
    assert_eq!(rows, RowScores { other: 200.0, found: 2000.0, seed: 2000.0, probe: 2000.0 });
    let rows = row_scores(ScorePolicy::Explore, HostTotals::default(), SETTINGS);
    assert_eq!(rows, RowScores { other: 25.6, found: 256.0, seed: 1e9, probe: 5e8 });
}

#[test]
fn policies_are_read_by_the_names_that_they_print() {
    for policy in ScorePolicy::ALL {
        assert_eq!(policy.to_string().parse(), Ok(policy));
    }
    let refused = "best".parse::<ScorePolicy>().map_err(|unknown| unknown.to_string());
    assert_eq!(refused, Err("score policy `best` is unknown; allowed are mean and explore".to_owned()));
}
