//! Laws of totals and scores.

use proptest::prelude::*;
use sitescore::{
    row_scores, score, HostScore, HostTotals, RowScores, ScorePolicy, ScoreSettings, Steering,
    Stop, Stops,
};

const SETTINGS: ScoreSettings = ScoreSettings { unknown: 256.0, injected: 1e9, min_bytes: 256 };

fn totals() -> impl Strategy<Value = HostTotals> {
    (any::<u64>(), any::<u64>(), any::<u64>(), any::<u64>()).prop_map(
        |(target_bytes, fetched, unread, raw_bytes)| HostTotals {
            target_bytes,
            fetched,
            unread,
            raw_bytes,
        },
    )
}

/// A page row of a host: target bytes if it was fetched.
type Row = Option<u64>;

/// Algorithm 1's reduce as printed: hold the host's pages, sum the fetched ones, score each of
/// them.
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
    rows.iter()
        .flatten()
        .map(|&bytes| HostTotals::page(bytes))
        .fold(HostTotals::default(), HostTotals::merge)
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
        let HostScore { page, seed } = score(totals, ScoreSettings { unknown, injected, min_bytes: 256 });
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
fn pages_that_nobody_read_are_not_in_the_mean() {
    let totals = HostTotals { unread: 3, fetched: 5, target_bytes: 1600, ..HostTotals::default() };
    assert_eq!(score(totals, SETTINGS).page, 800.0);
    let unread = HostTotals { unread: 5, target_bytes: 0, ..totals };
    assert_eq!(score(unread, SETTINGS), score(HostTotals::default(), SETTINGS));
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
        let settings = ScoreSettings { unknown, injected, min_bytes: 256 };
        for policy in ScorePolicy::ALL {
            let RowScores { other, found, seed, probe } = row_scores(policy, totals, settings);
            prop_assert!([other, found, seed, probe].into_iter().all(f32::is_finite));
            prop_assert!(other <= found && found <= seed && found <= probe && probe <= seed);
        }
    }

    #[test]
    fn under_mean_every_row_of_a_host_has_the_papers_score(totals in totals(), unknown in any::<f32>(), injected in any::<f32>()) {
        let settings = ScoreSettings { unknown, injected, min_bytes: 256 };
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
    let known = HostTotals { target_bytes: 4000, fetched: 2, ..HostTotals::default() };
    let rows = row_scores(ScorePolicy::Explore, known, SETTINGS);
    assert_eq!(rows, RowScores { other: 200.0, found: 2000.0, seed: 2000.0, probe: 2000.0 });
    let rows = row_scores(ScorePolicy::Explore, HostTotals::default(), SETTINGS);
    assert_eq!(rows, RowScores { other: 25.6, found: 256.0, seed: 1e9, probe: 5e8 });
}

const STOPS: [&str; 7] = [
    "",
    "+barren:40",
    "+limit:1000",
    "+barren:40+limit:1000",
    "+rising:0.01",
    "+limit:1000+rising:0.002",
    "+barren:40+limit:1000+rising:0.000001",
];

fn stops(text: &str) -> Stops {
    let steering: Result<Steering, _> = format!("mean{text}").parse();
    steering.map(|steering| steering.stops).unwrap_or_default()
}

#[test]
fn policies_are_read_as_they_print() {
    for policy in ["mean", "explore", "pages", "pages:0", "pages:0.5", "pages:10", "pages:100"] {
        for stops in STOPS {
            let text = format!("{policy}{stops}");
            assert_eq!(text.parse::<Steering>().map(|steering| steering.to_string()), Ok(text));
        }
    }
    assert_eq!(stops("+limit:1000+barren:40"), stops("+barren:40+limit:1000"));
    assert_eq!("mean".parse(), Ok(Steering::default()));
}

#[test]
fn what_is_no_policy_is_refused_in_one_sentence() {
    for text in [
        "best",
        "",
        "mean+",
        "mean+barren",
        "mean+barren:0",
        "mean+barren:-1",
        "mean+barren:+1",
        "mean+limit:4e3",
        "mean+limit:",
        "mean+barren:1+barren:2",
        "mean+limit:4294967296",
        "barren:40",
        "mean+cap:5",
        "mean+rising:0.010",
        "mean+rising:0",
        "mean+rising:0.",
        "mean+rising:1.5",
        "mean+rising:0.0000001",
        "mean+rising:0.+1",
        "mean+rising:0.01+rising:0.02",
        "mean+rising:0.01+limit:9",
        "mean:1",
        "pages:",
        "pages:-1",
        "pages:100.1",
        "pages:1000",
        "pages:02",
        "pages:2.55",
        "pages:.5",
        "pages:2.",
    ] {
        let refused = text.parse::<Steering>().map_err(|unknown| unknown.to_string());
        let sentence = format!(
            "score policy `{text}` is unknown; allowed are mean, explore, pages and pages:PERCENT, optionally followed by +barren:PAGES and +limit:PAGES, then by +rising:FACTOR"
        );
        assert_eq!(refused, Err(sentence));
    }
}

#[test]
fn a_host_is_barren_from_the_page_on_that_the_rule_names_and_under_a_tenth_of_a_kept_page() {
    let host =
        |target_bytes, fetched, unread| HostTotals { target_bytes, fetched, unread, raw_bytes: 0 };
    let of = |totals| stops("+barren:40").of(totals, 256);
    assert_eq!(of(host(0, 39, 0)), None);
    assert_eq!(of(host(0, 40, 0)), Some(Stop::Barren));
    // 40 pages, of which four are as short as a kept page may be.
    assert_eq!(of(host(4 * 256, 40, 0)), None);
    assert_eq!(of(host(4 * 256 - 1, 40, 0)), Some(Stop::Barren));
    // Pages that were not parsed do not count for the host.
    assert_eq!(of(host(0, 1000, 961)), None);
    assert_eq!(of(host(0, 1000, 960)), Some(Stop::Barren));
    assert_eq!(stops("").of(host(0, 1000, 0), 256), None);
    // Even if every page is kept (a size of 0), a host without a byte of the language is stopped.
    assert_eq!(stops("+barren:40").of(host(0, 40, 0), 0), Some(Stop::Barren));
}

#[test]
fn a_host_stops_at_the_limit_whatever_it_holds() {
    let host =
        |fetched| HostTotals { target_bytes: fetched * 3000, fetched, ..HostTotals::default() };
    assert_eq!(stops("+barren:40+limit:1000").of(host(999), 256), None);
    assert_eq!(stops("+barren:40+limit:1000").of(host(1000), 256), Some(Stop::Limit));
    let empty = HostTotals { fetched: 1000, ..HostTotals::default() };
    assert_eq!(stops("+barren:40+limit:1000").of(empty, 256), Some(Stop::Barren));
}

/// The paper's threshold is 0.00 at 10 pages, 0.01 at 100, 0.02 at 1,000 and 0.03 at 10,000.
#[test]
fn the_threshold_of_the_byte_yield_rises_with_the_pages_as_in_the_paper() {
    let host = |target_bytes, fetched| {
        HostTotals { target_bytes, fetched, ..HostTotals::default() }.with_raw(100_000_000)
    };
    for (pages, threshold) in
        [(11, 41_393u64), (20, 301_030), (100, 1_000_000), (1000, 2_000_000), (10_000, 3_000_000)]
    {
        let of = |bytes| stops("+rising:0.01").of(host(bytes, pages), 256);
        assert_eq!(of(threshold - 1), Some(Stop::LowYield), "{pages} pages");
        assert_eq!(of(threshold + 1), None, "{pages} pages");
    }
    // The threshold is not above 0 for up to ten pages, and a fifth of the paper's with 0.002.
    assert_eq!(stops("+rising:0.01").of(host(0, 10), 256), None);
    assert_eq!(stops("+rising:0.002").of(host(200_001, 100), 256), None);
    assert_eq!(stops("+rising:0.002").of(host(199_999, 100), 256), Some(Stop::LowYield));
}

#[test]
fn no_host_is_stopped_for_its_yield_before_512_kib_of_pages_that_were_read() {
    let host =
        |raw, unread| HostTotals { fetched: 20, unread, ..HostTotals::default() }.with_raw(raw);
    let of = |totals| stops("+rising:0.01").of(totals, 256);
    assert_eq!(of(host((512 << 10) - 1, 0)), None);
    assert_eq!(of(host(512 << 10, 0)), Some(Stop::LowYield));
    // Of 20 fetched pages ten were read: the threshold is 0.
    assert_eq!(of(host(512 << 10, 10)), None);
    assert_eq!(of(host(512 << 10, 9)), Some(Stop::LowYield));
}

proptest! {
    #[test]
    fn every_host_of_a_constant_yield_stops_in_the_end(percent in 0u64..5) {
        // SpiderLing's arithmetic: a host of yield y stops after 10^(1 + 100 y) pages.
        let last = (1..=7).map(|digits| 10u64.pow(digits) + 10).find(|&fetched| {
            let totals = HostTotals { target_bytes: fetched * percent * 1000, fetched, ..HostTotals::default() };
            stops("+rising:0.01").of(totals.with_raw(fetched * 100_000), 256).is_some()
        });
        prop_assert_eq!(last, Some(10u64.pow(1 + percent as u32) + 10));
    }

    #[test]
    fn a_barren_host_has_fewer_than_one_kept_page_in_ten(
        pages in proptest::collection::vec(prop_oneof![Just(0u64), 0u64..600, 0u64..100_000], 1..200),
        min_bytes in 1u64..1000,
        after in 1u32..60,
    ) {
        let totals = pages.iter().map(|&bytes| HostTotals::page(bytes)).fold(HostTotals::default(), HostTotals::merge);
        let kept = pages.iter().filter(|&&bytes| bytes >= min_bytes).count();
        let stop = stops(&format!("+barren:{after}")).of(totals, min_bytes);
        if stop.is_some() {
            prop_assert!(pages.len() >= after as usize && kept * 10 < pages.len());
        }
        let empty = pages.iter().all(|&bytes| bytes == 0);
        if empty && pages.len() >= after as usize {
            prop_assert_eq!(stop, Some(Stop::Barren));
        }
    }

    #[test]
    fn a_stopped_host_has_one_score_below_every_other_and_no_other_host_has_it(totals in totals(), limit in 1u32.., barren in 1u32.., rising in 1u32..10) {
        for policy in ScorePolicy::ALL {
            let stops = stops(&format!("+barren:{barren}+limit:{limit}+rising:0.0{rising}"));
            let rows = row_scores(Steering { policy, stops }, totals, SETTINGS);
            match stops.of(totals, SETTINGS.min_bytes) {
                Some(stop) => prop_assert!([rows.other, rows.found, rows.seed, rows.probe].iter().all(|&score| score == stop.score() && score < 0.0)),
                None => prop_assert_eq!(rows, row_scores(policy, totals, SETTINGS)),
            }
        }
    }
}
