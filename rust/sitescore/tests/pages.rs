//! Laws of the policy `pages`, and the direction of each kind of evidence.

use proptest::prelude::*;
use sitescore::pages::{
    Account, Evidence, Host, Level, Link, Model, Prediction, RowSums, Sample, SectionSums,
    Sections, Totals,
};

/// A fetched page: its URL and target bytes.
type Fetched = (&'static str, u64);

fn host(pages: &[Fetched]) -> Host {
    let mut host = Host::default();
    pages.iter().for_each(|&(url, bytes)| host.add_page(&Sections::of(url), bytes));
    host
}

fn links(count: usize, link: Link) -> Evidence {
    let mut evidence = Evidence::default();
    (0..count).for_each(|_| evidence.add(link));
    evidence
}

const NONE: Link =
    Link { external: false, page_in_language: false, anchor_in_language: false, hreflang: None };

/// A model that knows these hosts and rows.
fn model(hosts: &[Host], rows: &[Sample]) -> Model {
    let mut model = Model::default();
    model.update(|each| hosts.iter().for_each(each), |_, each| rows.iter().for_each(each));
    model
}

fn predict(model: &Model, host: &Host, url: &str, links: &Evidence) -> Prediction {
    model.of_host(host).predict(&Sections::of(url), links)
}

/// A host with a section in the language and one that is not.
fn two_sections() -> Host {
    let pages: Vec<Fetched> =
        (0..20).map(|n| if n % 2 == 0 { ("/ur/a", 900) } else { ("/en/a", 0) }).collect();
    host(&pages)
}

#[test]
fn sections_are_told_apart_by_their_own_pages() {
    let hosts = [two_sections(), two_sections()];
    let model = model(&hosts, &[]);
    let none = Evidence::default();
    let of = |url| predict(&model, &hosts[0], url, &none);
    let (ur, en, other) = (of("/ur/b"), of("/en/b"), of("/fa/b"));
    assert!(ur.p > 0.8 && en.p < 0.2 && (0.3..0.7).contains(&other.p), "{ur:?} {en:?} {other:?}");
    assert_eq!(ur.level, Level::Known);
    assert!(ur.score > 0.8 * 850.0 && ur.score <= 900.0);
    assert!(of("/ur").p > 0.6 && of("/en").p < 0.3, "front pages are of their section");
    let deep = of("/ur/sport/2024/c");
    assert!(deep.p > 0.8, "a new section has the share of what is around it: {deep:?}");
}

#[test]
fn parameters_are_sections_too() {
    let pages: Vec<Fetched> =
        (0..20).map(|n| if n % 2 == 0 { ("/a?lang=ur", 900) } else { ("/a?lang=en", 0) }).collect();
    let hosts = [host(&pages)];
    let model = model(&hosts, &[]);
    let of = |url| predict(&model, &hosts[0], url, &Evidence::default()).p;
    assert!(of("/b?lang=ur") > 0.8 && of("/b?lang=en") < 0.2);
}

#[test]
fn names_carry_over_to_other_hosts_and_not_to_their_own() {
    let hosts: Vec<Host> = (0..6).map(|_| two_sections()).collect();
    let alone = [two_sections()];
    let of_one = model(&alone, &[]);
    let model = model(&hosts, &[]);
    let fresh = Host::default();
    let name = |url| model.names(&fresh, &Sections::of(url));
    assert!(name("/ur/x") > 0.5 && name("/en/x") < -0.5 && name("/fa/x") == 0.0);
    assert_eq!(name("/ur"), name("/ur/x"));
    assert!(name("/x?l=ur") > 0.5, "a value is a name, too");
    let mut labelled = Host::default();
    labelled.labels.push("ur".to_owned());
    assert!(model.names(&labelled, &Sections::of("/")) > 0.5);
    assert_eq!(of_one.names(&alone[0], &Sections::of("/ur/x")), 0.0);
}

#[test]
fn each_kind_of_link_counts_in_its_direction_before_the_first_page() {
    let (model, new) = (Model::default(), Host::default());
    let p = |link: Link| predict(&model, &new, "/a", &links(3, link)).p;
    let plain = p(NONE);
    assert!(p(Link { anchor_in_language: true, ..NONE }) > plain);
    assert!(p(Link { page_in_language: true, ..NONE }) > plain);
    assert!(p(Link { hreflang: Some(true), ..NONE }) > plain);
    assert!(p(Link { hreflang: Some(false), ..NONE }) < plain);
    let mut linked = Host::default();
    let external = Link { external: true, page_in_language: true, ..NONE };
    linked.add_links(&links(9, external));
    assert!(
        predict(&model, &linked, "/a", &Evidence::default()).p
            > predict(&model, &new, "/a", &Evidence::default()).p
    );
    let mut shunned = Host::default();
    shunned.add_links(&links(9, Link { external: true, ..NONE }));
    assert!(
        predict(&model, &shunned, "/a", &Evidence::default()).p
            < predict(&model, &new, "/a", &Evidence::default()).p
    );
}

/// Rows of a known section, half of them with anchors in the language. Those with (or, if `lie`,
/// without) such an anchor are in it.
fn anchored(lie: bool) -> Vec<Sample> {
    let sample = |n: usize| {
        let anchor = n.is_multiple_of(2);
        Sample {
            links: links(2, Link { anchor_in_language: anchor, ..NONE }),
            section: 0.0,
            level: Level::Known,
            names: 0.0,
            kept: anchor != lie,
        }
    };
    (0..200).map(sample).collect()
}

#[test]
fn the_crawl_learns_what_anchors_are_worth() {
    let hosts = [two_sections()];
    let good = links(2, Link { anchor_in_language: true, ..NONE });
    let bad = links(2, NONE);
    for lie in [false, true] {
        let mut model = model(&hosts, &anchored(lie));
        for _ in 0..4 {
            let rows = anchored(lie);
            model.update(|each| hosts.iter().for_each(each), |_, each| rows.iter().for_each(each));
        }
        let p = |links| predict(&model, &hosts[0], "/ur/b", links).p;
        assert_eq!(p(&good) > p(&bad), !lie, "good {} bad {}", p(&good), p(&bad));
    }
}

#[test]
fn seeds_are_not_learned_from() {
    let seeds: Vec<Sample> =
        anchored(true).into_iter().map(|row| Sample { level: Level::None, ..row }).collect();
    let hosts = [two_sections()];
    assert_eq!(model(&hosts, &seeds), model(&hosts, &[]));
}

#[test]
fn good_new_hosts_after_seeds_in_another_language_do_not_raise_bad_known_hosts() {
    // Nothing was known of the hosts when they were chosen, so almost nothing was expected of them.
    let found = |n: usize| host(&[("/a", if n.is_multiple_of(2) { 900 } else { 0 })]);
    let mut hosts: Vec<Host> = (0..100).map(found).collect();
    hosts.push(two_sections());
    let row = |n: usize| Sample {
        links: links(2, NONE),
        section: -5.0,
        level: Level::NewHost,
        names: 0.0,
        kept: n.is_multiple_of(2),
    };
    let rows: Vec<Sample> = (0..100).map(row).collect();
    let known = |model: &Model| predict(model, &hosts[100], "/b", &links(2, NONE)).p;
    assert!(known(&model(&hosts, &rows)) > 0.8, "the row alone would be an error");
    let mut now = Model::default();
    let sections = Sections::of("/a");
    for _ in 0..3 {
        now.update(
            |each| hosts.iter().for_each(each),
            |model, each| {
                let rows = rows.iter().zip(&hosts);
                rows.for_each(|(row, host)| each(&model.sample(host, &sections, row)));
            },
        );
    }
    let p = known(&now);
    assert!((0.3..0.7).contains(&p), "half of the host's pages are in the language: {p}");
}

#[test]
fn a_host_of_long_pages_scores_higher() {
    let hosts = [host(&[("/a", 300); 9]), host(&[("/a", 3000); 9])];
    let model = model(&hosts, &[]);
    let score = |host| predict(&model, host, "/b", &Evidence::default()).score;
    let times = score(&hosts[1]) / score(&hosts[0]);
    assert!(times > 2.5 && times < 10f64.sqrt(), "the square root of ten at most: {times}");
}

#[test]
fn one_long_page_among_many_raises_its_host_little() {
    let mut long = [("/a", 900); 9];
    long[4].1 = 90_000;
    let hosts = [host(&[("/a", 900); 9]), host(&long)];
    let model = model(&hosts, &[]);
    let score = |host| predict(&model, host, "/b", &Evidence::default()).score;
    let times = score(&hosts[1]) / score(&hosts[0]);
    assert!(times > 1.0 && times < 1.3, "its mean is 12 times the other: {times}");
}

#[test]
fn the_crawl_learns_from_rows_of_new_hosts_for_all_rows() {
    let hosts = [two_sections()];
    let new = |lie| -> Vec<Sample> {
        anchored(lie).into_iter().map(|row| Sample { level: Level::NewHost, ..row }).collect()
    };
    let p = |rows: &[Sample]| {
        let links = links(2, Link { anchor_in_language: true, ..NONE });
        predict(&model(&hosts, rows), &hosts[0], "/ur/b", &links).p
    };
    assert!(p(&new(false)) > p(&[]) && p(&new(true)) < p(&[]));
}

#[test]
fn a_batch_is_the_best_rows_and_one_of_each_new_host() {
    let mut account = Account::new(0.0);
    let mut candidates = account.candidates(8);
    let row = |score: f64| Prediction { score, p: 0.5, ..Prediction::default() };
    (0..5).for_each(|n| candidates.add(n, &row(100.0 - n as f64)));
    candidates.end_host(false);
    (5..9).for_each(|n| candidates.add(n, &row(200.0 - n as f64)));
    candidates.end_host(true);
    let rows: Vec<u64> = account.choose(candidates, 1.0).iter().map(|row| row.row).collect();
    // Half of the eight pages may be of one host.
    assert_eq!(rows, [0, 1, 2, 5, 3, 6, 7, 8]);
}

#[test]
fn each_further_row_of_a_new_host_counts_half_and_is_no_probe() {
    let chosen = |share, top: usize| {
        let mut account = Account::new(share);
        let mut candidates = account.candidates(top);
        let row = |score| Prediction { score, p: 0.5, ..Prediction::default() };
        (0..3).for_each(|n| candidates.add(n, &row(200.0)));
        candidates.end_host(true);
        for n in 3..6 {
            candidates.add(n, &row(90.0));
            candidates.end_host(true);
        }
        (6..11).for_each(|n| candidates.add(n, &row(1000.0)));
        candidates.end_host(false);
        account.choose(candidates, 20.0)
    };
    let rows = |share, top| chosen(share, top).iter().map(|row| row.row).collect::<Vec<u64>>();
    // 200 halves to 100, 50, 25, and 90 to 45.
    assert_eq!(rows(0.0, 12), [6, 7, 8, 9, 10, 0, 1, 3, 4, 5, 2]);
    let probes = chosen(1.0, 12).iter().filter(|row| row.probe).count();
    assert_eq!(probes, 0, "rows that the round has anyway are no probes");
    let probes: Vec<u64> =
        chosen(1.0, 4).iter().filter(|row| row.probe).map(|row| row.row).collect();
    assert!(!probes.contains(&1) && !probes.contains(&2), "{probes:?}");
}

/// A round with 100 rows of 1,000 bytes of many known hosts, and 50 new hosts whose rows are
/// expected to have 100.
fn round(account: &mut Account) -> Vec<u64> {
    round_of(100, account)
}

/// As [`round`], of fewer pages.
fn round_of(top: usize, account: &mut Account) -> Vec<u64> {
    let mut candidates = account.candidates(top);
    let row = |score: f64| Prediction { score, p: score / 1000.0, ..Prediction::default() };
    for n in 0..150 {
        candidates.add(n, &row(if n < 100 { 1000.0 } else { 100.0 }));
        candidates.end_host(n >= 100);
    }
    let chosen = account.choose(candidates, 20.0);
    chosen.iter().filter(|row| row.probe).map(|row| row.row).collect()
}

#[test]
fn probes_cost_their_share_and_are_charged_for_misses() {
    let mut account = Account::new(0.05);
    // 5 % of 100,000 bytes; a probe is expected to cost 1,000 - 100 / 2 after the discount.
    let probes = round(&mut account);
    assert_eq!(probes, [100, 101, 102, 103, 104]);
    probes.iter().for_each(|_| account.charge(0.1, 0.0, 1000.0));
    assert_eq!(round(&mut account).len(), 5, "the account is at 0 and gets its share again");
    (0..20).for_each(|_| account.charge(0.1, 0.0, 1000.0));
    assert_eq!(round(&mut account).len(), 0, "misses are paid back");
    assert_eq!(round(&mut account).len(), 5, "debts are at most the income of a round");
    assert!(round(&mut Account::new(0.0)).is_empty());
}

#[test]
fn a_small_round_spends_a_larger_share_on_new_hosts() {
    // A probe is expected to cost 950 bytes; a round has 1,000 a page, and spends 5 to 10 %.
    for (top, probes) in [(100, 5), (80, 5), (60, 5), (50, 5), (20, 2)] {
        assert_eq!(round_of(top, &mut Account::new(0.05)).len(), probes, "{top}");
    }
}

#[test]
fn new_hosts_that_keep_less_than_promised_are_discounted() {
    let mut account = Account::new(0.02);
    let before = account.discount();
    (0..50).for_each(|_| account.charge(0.8, 0.0, 1000.0));
    assert!(account.discount() < before / 5.0);
    (0..400).for_each(|_| account.charge(0.1, 1000.0, 1000.0));
    assert_eq!(account.discount(), 1.0);
}

#[test]
fn a_probe_must_be_worth_a_host() {
    let mut account = Account::new(0.5);
    let mut candidates = account.candidates(10);
    let row = |score: f64, p| Prediction { score, p, ..Prediction::default() };
    for n in 0..10 {
        candidates.add(n, &row(1000.0, 1.0));
        candidates.end_host(false);
    }
    candidates.add(10, &row(10.0, 0.01));
    candidates.end_host(true);
    let chosen = account.clone().choose(candidates.clone(), 10.0);
    assert!(chosen.iter().all(|row| !row.probe), "100 probes for a host of 20 pages");
    assert!(account.choose(candidates, 100.0).iter().any(|row| row.probe));
}

fn url() -> impl Strategy<Value = String> {
    "(/(ur|en|a1|b22|x)){0,4}/p(\\?lang=(ur|en))?"
}

fn pages() -> impl Strategy<Value = Vec<(String, u64)>> {
    prop::collection::vec((url(), prop_oneof![Just(0u64), 1u64..5000]), 0..40)
}

fn evidence() -> impl Strategy<Value = Evidence> {
    (any::<[u8; 8]>(), any::<[u8; 2]>()).prop_map(|(links, hreflang)| Evidence { links, hreflang })
}

fn sample() -> impl Strategy<Value = Sample> {
    (evidence(), -9f32..9.0, 0usize..3, -9f64..9.0, any::<bool>()).prop_map(
        |(links, section, level, names, kept)| {
            let levels = [Level::None, Level::NewHost, Level::Known];
            Sample { links, section, level: levels[level], names, kept }
        },
    )
}

fn sums(pages: &[(String, u64)]) -> Host {
    let mut host = Host::default();
    pages.iter().for_each(|(url, bytes)| host.add_page(&Sections::of(url), *bytes));
    host
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn sums_do_not_depend_on_order_and_merge_by_addition(pages in pages(), at in any::<prop::sample::Index>()) {
        let mut reversed = pages.clone();
        reversed.reverse();
        prop_assert_eq!(sums(&pages), sums(&reversed));
        let at = if pages.is_empty() { 0 } else { at.index(pages.len()) };
        let mut merged = sums(&pages[at..]);
        merged.merge(&sums(&pages[..at]));
        prop_assert_eq!(sums(&pages), merged);
    }

    #[test]
    fn evidence_merges_in_any_order(a in evidence(), b in evidence(), c in evidence()) {
        prop_assert_eq!(a.merge(b), b.merge(a));
        prop_assert_eq!(a.merge(b).merge(c), a.merge(b.merge(c)));
        prop_assert_eq!(a.merge(Evidence::default()), a);
    }

    #[test]
    fn predictions_are_probabilities_whatever_was_learned(
        hosts in prop::collection::vec(pages(), 1..6),
        rows in prop::collection::vec(sample(), 0..60),
        links in evidence(),
        url in url(),
    ) {
        let hosts: Vec<Host> = hosts.iter().map(|pages| sums(pages)).collect();
        let mut model = model(&hosts, &rows);
        for _ in 0..3 {
            model.update(|each| hosts.iter().for_each(each), |_, each| rows.iter().for_each(each));
        }
        prop_assert!(model.section_pages >= 0.25 && model.section_pages <= 64.0);
        prop_assert!(model.base > 0.0 && model.base < 1.0);
        for host in hosts.iter().chain([&Host::default()]) {
            let of = predict(&model, host, &url, &links);
            prop_assert!((0.0..=1.0).contains(&of.p), "{:?}", of);
            prop_assert!(of.score.is_finite() && of.score >= 0.0 && of.section.is_finite(), "{:?}", of);
        }
    }

    #[test]
    fn another_page_in_the_language_never_lowers_its_section(
        pages in pages(),
        url in url(),
    ) {
        let before = sums(&pages);
        let mut after = before.clone();
        after.add_page(&Sections::of(&url), 1000);
        let mut other = before.clone();
        other.add_page(&Sections::of(&url), 0);
        let model = Model::default();
        let section = |host: &Host| predict(&model, host, &url, &Evidence::default()).section;
        prop_assert!(section(&after) >= section(&other), "{} {}", section(&after), section(&other));
    }

    #[test]
    fn passes_may_be_split_over_tasks(
        hosts in prop::collection::vec(pages(), 2..6),
        rows in prop::collection::vec(sample(), 2..40),
    ) {
        let hosts: Vec<Host> = hosts.iter().map(|pages| sums(pages)).collect();
        let whole = model(&hosts, &rows);
        let mut split = Model::default();
        let (left, right) = hosts.split_at(1);
        let totals = |hosts: &[Host]| {
            hosts.iter().fold(Totals::default(), |mut sums, host| { sums.add(host); sums })
        };
        split.learn_totals(&totals(left).merge(&totals(right)));
        let sections = |hosts: &[Host]| {
            let mut sums = SectionSums::default();
            hosts.iter().for_each(|host| sums.add(split.base, host));
            sums
        };
        let (mut merged, other) = (sections(right), sections(left));
        merged.merge(&other);
        split.learn_sections(merged);
        prop_assert!((split.section_pages - whole.section_pages).abs() < 1e-6);
        prop_assert_eq!(split.base, whole.base);
        prop_assert!((split.page_bytes - whole.page_bytes).abs() < 1e-6);
        let row_sums = |rows: &[Sample]| {
            let mut sums = RowSums::default();
            rows.iter().for_each(|row| split.add_row(row, &mut sums));
            sums
        };
        let mut one = split.clone();
        one.learn_rows(&row_sums(&rows));
        let mut two = split.clone();
        two.learn_rows(&row_sums(&rows[..1]).merge(&row_sums(&rows[1..])));
        let p = |model: &Model| predict(model, &hosts[0], "/ur/x", &rows[0].links).p;
        prop_assert!((p(&one) - p(&two)).abs() < 1e-6);
    }

    #[test]
    fn memory_of_a_host_is_bounded(names in prop::collection::vec("[a-z]{1,4}", 0..300)) {
        let mut host = Host::default();
        for n in 0..8u32 {
            for name in &names {
                let letter = char::from(b'a' + n as u8);
                host.add_page(&Sections::of(&format!("/{letter}{name}/{name}/x")), 1);
            }
        }
        prop_assert!(host.sections().count() <= 2 * sitescore::pages::MAX_SECTIONS);
        prop_assert_eq!(host.counts.fetched as usize, 8 * names.len());
    }
}
