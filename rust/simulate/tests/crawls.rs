//! The loop on small graphs that are looked through by hand, and its laws on drawn ones.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use simulate::crawl::weights;
use simulate::experiment::{self, draw_seeds, Mix, Plan, Web};
use simulate::graph::{GraphPage, GONE};
use simulate::policy::{host_scores, HostView};
use simulate::{crawl, generate, CrawlSettings, Graph, GraphSettings, Outcome, Policy};
use sitescore::{score, HostTotals, ScoreSettings};
use std::sync::Arc;

const SETTINGS: CrawlSettings =
    CrawlSettings { rounds: 3, top: 2, min_bytes: 256, unknown: 256.0, quota: None };

fn page(target: u32) -> GraphPage {
    GraphPage { target, raw: 10_000 }
}

/// Hosts with their pages' target bytes, and links in the order of pages.
fn graph(hosts: &[&[u32]], links: &[&[u32]]) -> Graph {
    let mut graph = Graph::with_pages(
        hosts.iter().map(|pages| pages.iter().map(|&bytes| page(bytes)).collect()),
    );
    for links in links {
        graph.push_links(&mut links.to_vec());
    }
    graph
}

fn run(graph: &Graph, seeds: &[u32], settings: CrawlSettings, policy: &str) -> Outcome {
    crawl(graph, &graph.wealth(settings.min_bytes), seeds, settings, policy.parse().unwrap(), 1)
}

fn relevant(outcome: &Outcome) -> Vec<usize> {
    outcome.rounds.iter().map(|round| round.relevant).collect()
}

/// Host A (pages 0 to 3) is rich, host B (4 to 7) has nothing; one seed of each links to all of its
/// own host.
fn rich_and_poor() -> Graph {
    let links: [&[u32]; 8] = [&[1, 2, 3], &[], &[], &[], &[5, 6, 7], &[], &[], &[]];
    graph(&[&[1000, 900, 800, 700], &[0, 0, 0, 0]], &links)
}

#[test]
fn the_mean_takes_the_rich_host_first() {
    let outcome = run(&rich_and_poor(), &[0, 4], SETTINGS, "mean");
    assert_eq!(relevant(&outcome), [1, 2, 1]);
    assert_eq!((outcome.hosts_with_text, outcome.rich_hosts, outcome.bytes), (1, 1, 3400));
}

#[test]
fn a_cap_shares_the_batch_among_hosts() {
    let outcome = run(&rich_and_poor(), &[0, 4], SETTINGS, "mean+cap:1");
    assert_eq!(relevant(&outcome), [1, 1, 1]);
}

#[test]
fn equal_scores_are_taken_in_the_order_of_urls() {
    let web = rich_and_poor();
    let outcome = run(&web, &[4, 5, 6, 7, 0], CrawlSettings { rounds: 1, ..SETTINGS }, "mean");
    assert_eq!(relevant(&outcome), [1], "page 0 and page 4, of five seeds that score the same");
}

#[test]
fn a_page_that_does_not_answer_takes_a_place_of_the_batch_and_counts_nowhere_else() {
    let web = graph(&[&[GONE, 500], &[500]], &[&[], &[], &[]]);
    let outcome = run(&web, &[0, 1, 2], SETTINGS, "mean");
    assert_eq!((outcome.rounds[0].fetched, outcome.rounds[0].gone), (1, 1));
    assert_eq!(outcome.rounds[0].yield_percent(), Some(100.0));
    assert_eq!((outcome.fetched(), outcome.rounds[2].yield_percent()), (2, None));
}

/// Nutch's OPICScoringFilter worked by hand: seeds 0 and 4 have 1 each; 0 gives 1/3 to 1, 2, 3 and
/// 4 gives 1 to 5.
#[test]
fn opic_passes_cash_on_in_equal_parts() {
    let links: [&[u32]; 6] = [&[1, 2, 3], &[], &[], &[], &[5], &[]];
    let web = graph(&[&[0, 300, 0, 0], &[0, 400]], &links);
    let outcome = run(&web, &[0, 4], SETTINGS, "opic");
    assert_eq!(outcome.rounds.iter().map(|round| round.relevant).collect::<Vec<_>>(), [0, 2, 0]);
}

/// The rich host 0 (pages 0 to 4) links to two pages of host 1 (5 to 7) and one of host 2 (8); host
/// 0 alone would fill the batches. Page 9 has so many bytes in the language, and links to host 1
/// too.
fn two_unknown_hosts(bytes_of_page_9: u32) -> Graph {
    let links: [&[u32]; 10] =
        [&[1, 2, 3, 4, 6, 7, 8], &[], &[], &[], &[], &[], &[], &[], &[], &[6]];
    graph(&[&[900, 900, 900, 900, 900], &[0, 700, 700], &[800], &[bytes_of_page_9]], &links)
}

#[test]
fn exploring_probes_a_host_by_the_first_page_that_was_found_on_pages_in_the_language() {
    let web = two_unknown_hosts(0);
    let settings = CrawlSettings { rounds: 2, top: 1, ..SETTINGS };
    assert_eq!(run(&web, &[0], settings, "mean").hosts_with_text, 1);
    let explored = run(&web, &[0], settings, "explore");
    assert_eq!(
        (explored.hosts_with_text, explored.bytes),
        (2, 900 + 700),
        "page 6, the first that was found"
    );
}

#[test]
fn exploring_leaves_hosts_alone_that_pages_without_a_word_of_the_language_link_to() {
    let settings = CrawlSettings { rounds: 2, top: 2, ..SETTINGS };
    let bytes =
        |of_page_9, policy| run(&two_unknown_hosts(of_page_9), &[0, 9], settings, policy).bytes;
    assert_eq!(bytes(0, "explore"), 900 + 800 + 900, "host 2 is probed, not host 1");
    assert_eq!(bytes(0, "mean+probe:1+budget:10"), 900 + 700 + 900);
    assert_eq!(bytes(1, "explore"), 900 + 700 + 900, "some words are no reason against it");
}

/// A rich host, whose first page links to its other 99, and to so many pages of each of 20 unknown
/// hosts.
fn twenty_unknown_hosts(pages: u32) -> Graph {
    let hosts = (0..21).map(|host| vec![page(900); if host == 0 { 100 } else { pages as usize }]);
    let mut web = Graph::with_pages(hosts);
    let all = 100 + 20 * pages;
    web.push_links(&mut (1..all).collect());
    (1..all).for_each(|_| web.push_links(&mut Vec::new()));
    web
}

#[test]
fn exploring_spends_a_part_of_a_batch_on_probes() {
    let hosts = |pages, policy, top| {
        let settings = CrawlSettings { rounds: 2, top, ..SETTINGS };
        run(&twenty_unknown_hosts(pages), &[0], settings, policy).hosts_with_text - 1
    };
    assert_eq!(hosts(4, "explore", 75), 6, "8 % of 75");
    assert_eq!(hosts(4, "explore", 76), 7, "rounded up");
    assert_eq!(hosts(3, "explore", 75), 3, "half of them for hosts without a lead");
    assert_eq!(hosts(4, "explore+budget:25", 60), 15);
    assert_eq!(hosts(3, "explore+budget:25", 60), 8);
    assert_eq!(hosts(1, "mean+probe:1", 60), 20);
    assert_eq!(hosts(1, "mean+probe:1+budget:10", 60), 6, "there is no lead without the rule");
}

#[test]
fn a_lead_of_links_from_pages_in_the_language_outweighs_links_from_others() {
    // Host 1 has six pages; host 0 links to the first four or five of them, the page of host 2 to
    // the last one.
    let bytes = |found: u32| {
        let mut web = Graph::with_pages([vec![page(900); 9], vec![page(700); 6], vec![page(0)]]);
        web.push_links(&mut (1..9 + found).collect());
        (1..15).for_each(|_| web.push_links(&mut Vec::new()));
        web.push_links(&mut vec![14]);
        run(&web, &[0, 15], CrawlSettings { rounds: 2, top: 2, ..SETTINGS }, "explore").bytes
    };
    assert_eq!(bytes(4), 900 + 900 + 900, "4 less 1 is no lead");
    assert_eq!(bytes(5), 900 + 700 + 900, "5 less 1 is");
}

#[test]
fn pages_found_on_other_pages_wait() {
    // Seed 0 is in the language and links to 3, seed 1 is not and links to 2; all of one host.
    let web = graph(&[&[1000, 0, 0, 1000]], &[&[3], &[2], &[], &[]]);
    let settings = CrawlSettings { rounds: 2, top: 2, ..SETTINGS };
    let one = CrawlSettings { top: 1, rounds: 3, ..settings };
    assert_eq!(relevant(&run(&web, &[0, 1], one, "mean+order")), [1, 0, 1]);
    assert_eq!(relevant(&run(&web, &[0, 1], one, "mean")), [1, 0, 0], "page 2 comes before page 3");
    assert_eq!(relevant(&run(&web, &[0, 1], one, "explore")), [1, 0, 1]);
}

#[test]
fn an_exhausted_host_gives_no_page_more() {
    let links: Vec<u32> = (1..100).collect();
    let pages: Vec<GraphPage> = vec![GraphPage { target: 0, raw: 100_000 }; 100];
    let mut web = Graph::with_pages([pages]);
    web.push_links(&mut links.clone());
    (1..100).for_each(|_| web.push_links(&mut Vec::new()));
    let settings = CrawlSettings { rounds: 50, top: 1, ..SETTINGS };
    assert_eq!(run(&web, &[0], settings, "mean+rising:0.01").fetched(), 11);
    assert_eq!(run(&web, &[0], settings, "mean").fetched(), 50);
}

#[test]
fn a_host_without_the_language_is_crawled_no_further_and_a_rich_one_up_to_its_limit() {
    let fetched = |policy: &str| {
        run(&rich_and_poor(), &[0, 4], CrawlSettings { rounds: 5, ..SETTINGS }, policy).fetched()
    };
    assert_eq!(fetched("mean"), 8);
    assert_eq!(fetched("mean+barren:1"), 5);
    assert_eq!(fetched("mean+barren:2"), 6, "a batch takes two pages of it");
    assert_eq!(fetched("mean+limit:3+barren:1"), 4);
    assert_eq!(fetched("mean+limit:4"), 8);
}

/// A small web in which every fifth host with text has a trap.
fn web_with_traps() -> GraphSettings {
    GraphSettings {
        pages: 20_000,
        hosts: 400,
        traps: 0.2,
        trap_pages: 1_000,
        ..GraphSettings::default()
    }
}

#[test]
fn traps_stand_beside_a_web_that_is_otherwise_the_same() {
    let with = generate(&web_with_traps(), 3);
    let without = generate(&GraphSettings { traps: 0.0, ..web_with_traps() }, 3);
    assert_eq!(with.holdings(256).relevant, without.holdings(256).relevant);
    assert_eq!(with.wealth(256), without.wealth(256));
    assert!(with.pages() >= without.pages() + 5_000);
    for host in 0..with.hosts() {
        let own: Vec<u32> = with.pages_of(host).filter(|&page| !with.repeats(page)).collect();
        let same: Vec<u32> = without.pages_of(host).collect();
        let targets = |graph: &Graph, pages: &[u32]| {
            pages.iter().map(|&page| graph.target(page)).collect::<Vec<_>>()
        };
        assert_eq!(targets(&with, &own), targets(&without, &same));
    }
}

#[test]
fn a_limit_finds_more_texts_where_hosts_have_no_end() {
    let web = generate(&web_with_traps(), 3);
    let settings = CrawlSettings { rounds: 15, top: 300, ..SETTINGS };
    let seeds = draw_seeds(&web, Mix::Rich(50), 200, 256, 3).unwrap();
    let (mean, limit) =
        (run(&web, &seeds, settings, "mean"), run(&web, &seeds, settings, "mean+limit:100"));
    assert!(
        limit.unique() * 10 > mean.unique() * 13,
        "{} texts instead of {}",
        limit.unique(),
        mean.unique()
    );
}

#[test]
fn a_policy_is_read_from_what_it_prints() {
    for text in [
        "random",
        "opic",
        "mean",
        "explore",
        "shrunk:10",
        "density",
        "linked+cap:100",
        "mean+rising:0.002",
        "power:0.5",
        "mean+fresh:10+first+order+other:0.25+probe:3",
        "explore+probe:3",
        "explore+budget:25",
        "explore+lead:9",
        "mean+probe:2+only+budget:2.5",
        "linked+barren:40+limit:20000",
        "shares+cap:15",
        "oracle+cap:15",
    ] {
        let policy: Policy = text.parse().unwrap();
        assert_eq!(policy.to_string().parse(), Ok(policy), "{text}");
    }
    for text in [
        "",
        "best",
        "mean:3",
        "shrunk",
        "mean+",
        "mean+cap:0",
        "mean+cap:1.5",
        "mean+rising:-1",
        "rising:0.01",
        "mean+fresh:101",
        "mean+other:2",
        "mean+budget:101",
        "mean+only:1",
        "mean+barren:0",
        "mean+limit:5+limit:6",
    ] {
        let refused = text.parse::<Policy>().unwrap_err().to_string();
        assert!(
            refused.starts_with(&format!("policy `{text}` is unknown; allowed are random, ")),
            "{refused}"
        );
    }
}

fn small(web: &str, pages: usize) -> GraphSettings {
    GraphSettings { pages, hosts: pages / 50, ..GraphSettings::of_web(web).unwrap() }
}

#[test]
fn a_drawn_graph_is_as_its_settings_say() {
    let settings = small("default", 50_000);
    let web = generate(&settings, 3);
    let holdings = web.holdings(256);
    assert_eq!(holdings.hosts, 1000);
    assert!(
        holdings.pages + holdings.gone <= 50_000 && holdings.pages + holdings.gone > 49_000,
        "{holdings:?}"
    );
    let gone = holdings.gone as f64 / 50_000.0;
    assert!((gone - settings.gone).abs() < 0.01, "{gone}");
    assert!(
        (60..=120).contains(&holdings.rich_hosts),
        "a tenth of the hosts are rich: {holdings:?}"
    );
    let (mut inside, mut all) = (0, 0);
    for page in 0..web.pages() as u32 {
        all += web.links_of(page).len();
        inside += web
            .links_of(page)
            .iter()
            .filter(|&&link| web.host_of(link) == web.host_of(page))
            .count();
    }
    // Doubles are left out, which links to near pages are more often.
    let locality = inside as f64 / all as f64;
    assert!((locality - settings.locality).abs() < 0.1, "{locality}");
}

#[test]
fn the_same_seed_gives_the_same_crawl_and_another_seed_another() {
    let settings = small("default", 20_000);
    let outcome = |seed| {
        let web = generate(&settings, seed);
        let seeds = draw_seeds(&web, Mix::Rich(50), 200, 256, seed).unwrap();
        let of = |policy: &str| {
            run(&web, &seeds, CrawlSettings { rounds: 5, top: 300, ..SETTINGS }, policy)
        };
        ["random", "opic", "mean", "explore"].map(of)
    };
    assert_eq!(outcome(1), outcome(1));
    assert_ne!(outcome(1), outcome(2));
}

/// Checks the claims of the table in the documentation on a small web.
#[test]
fn the_mean_beats_links_and_exploring_finds_more_hosts() {
    for (web, seed) in [("default", 1), ("default", 2), ("noisy", 3)] {
        let graph = generate(&small(web, 60_000), seed);
        let seeds = draw_seeds(&graph, Mix::Rich(0), 600, 256, seed).unwrap();
        let of = |policy| {
            run(&graph, &seeds, CrawlSettings { rounds: 11, top: 600, ..SETTINGS }, policy)
        };
        let (random, opic, mean, explore) = (of("random"), of("opic"), of("mean"), of("explore"));
        assert!(
            mean.mean_yield() > opic.mean_yield() + 15.0 && opic.mean_yield() > random.mean_yield()
        );
        assert!(
            explore.hosts_with_text * 100 > mean.hosts_with_text * 115,
            "{web}: {} {}",
            explore.hosts_with_text,
            mean.hosts_with_text
        );
        assert!(
            explore.mean_yield() > mean.mean_yield() - 6.0,
            "{web}: {} {}",
            explore.mean_yield(),
            mean.mean_yield()
        );
    }
}

#[test]
fn seeds_are_of_the_mix_that_was_asked_for_and_never_twice_the_same() {
    let web = generate(&small("default", 20_000), 1);
    let is_rich = |&&page: &&u32| web.target(page).is_some_and(|bytes| bytes >= 256);
    let seeds = draw_seeds(&web, Mix::Rich(100), 500, 256, 1).unwrap();
    assert_eq!(seeds.iter().filter(is_rich).count(), 500);
    let seeds = draw_seeds(&web, Mix::Rich(25), 400, 256, 1).unwrap();
    assert!(seeds.iter().filter(is_rich).count() >= 100);
    let mut once = seeds.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), 400);
    let refused = draw_seeds(&web, Mix::Rich(50), 100_000, 256, 1).unwrap_err().to_string();
    assert!(refused.contains("fewer than the 50000 seeds that are requested"), "{refused}");
    assert!(draw_seeds(&web, Mix::Injected, 1, 256, 1)
        .unwrap_err()
        .to_string()
        .contains("names no injected page"));
}

/// The figures are of a simulator whose graphs had no languages.
#[test]
fn several_target_languages_change_no_figure_of_a_crawl_for_one() {
    let settings = small("default", 20_000);
    assert_eq!(settings.languages, [1.0]);
    let web = generate(&settings, 1);
    let seeds = draw_seeds(&web, Mix::Rich(50), 200, 256, 1).unwrap();
    for (policy, relevant_pages, bytes, raw) in [
        ("random", [128, 67, 56, 46], 705_028, 38_829_372),
        ("opic", [128, 75, 68, 51], 824_902, 48_552_980),
        ("mean", [128, 145, 144, 150], 1_881_721, 29_459_246),
        ("explore", [128, 136, 141, 161], 1_882_931, 30_173_818),
    ] {
        for quota in [None, Some(1_000_000)] {
            let settings = CrawlSettings { rounds: 4, top: 200, quota, ..SETTINGS };
            let outcome = run(&web, &seeds, settings, policy);
            assert_eq!(relevant(&outcome), relevant_pages, "{policy}");
            assert_eq!((outcome.bytes, outcome.raw), (bytes, raw), "{policy}");
            assert_eq!(outcome.languages, []);
        }
    }
}

fn in_three_languages(pages: usize, shares: [f64; 3]) -> GraphSettings {
    GraphSettings { languages: shares.to_vec(), ..small("default", pages) }
}

#[test]
fn a_crawl_for_three_languages_yields_80_percent_and_finds_each_of_them() {
    for seed in 1..=3 {
        let web = generate(&in_three_languages(60_000, [1.0; 3]), seed);
        let seeds: Vec<u32> = (0..3)
            .flat_map(|language| {
                draw_seeds(&web.only(language), Mix::Rich(50), 200, 256, seed).unwrap()
            })
            .collect();
        let settings = CrawlSettings { rounds: 11, top: 600, ..SETTINGS };
        for policy in ["mean", "explore"] {
            let outcome = run(&web, &seeds, settings, policy);
            assert!(outcome.mean_any_yield() >= 80.0, "{policy}: {}", outcome.mean_any_yield());
            let pages: Vec<usize> = outcome.languages.iter().map(|own| own.pages()).collect();
            assert_eq!(pages.iter().sum::<usize>(), outcome.relevant());
            assert!(pages.iter().all(|pages| 7 * pages > outcome.relevant()), "{pages:?}");
        }
    }
}

#[test]
fn a_crawl_for_one_of_three_languages_sees_no_text_in_the_others() {
    let settings = in_three_languages(20_000, [5.0, 3.0, 2.0]);
    let web = generate(&settings, 2);
    let all = web.holdings(256);
    let each: Vec<_> = (0..3).map(|language| web.only(language).holdings(256)).collect();
    assert_eq!(each.iter().map(|own| own.relevant).sum::<usize>(), all.relevant);
    assert_eq!(each.iter().map(|own| own.bytes).sum::<u64>(), all.bytes);
    assert!(each.iter().all(|own| own.pages == all.pages && own.links == all.links));
    assert!(each[0].relevant > each[1].relevant && each[2].relevant > 0);
    let one = generate(&small("default", 20_000), 2);
    assert_eq!((all.relevant, all.bytes), (one.holdings(256).relevant, one.holdings(256).bytes));
}

#[test]
fn a_language_weighs_what_it_lacks_beside_the_one_that_lacks_most() {
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/weights.tsv");
    let vectors = std::fs::read_to_string(vectors).unwrap();
    let mut rows = 0;
    for row in vectors.lines().skip(1) {
        let [bytes, quota, wanted] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}: not three cells");
        };
        let bytes: Vec<u64> = bytes.split(',').map(|number| number.parse().unwrap()).collect();
        let wanted: Vec<f64> = wanted.split(',').map(|number| number.parse().unwrap()).collect();
        let quota = Some(quota.parse().unwrap()).filter(|&quota| quota > 0);
        assert_eq!(weights(&bytes, quota), wanted, "{row}");
        rows += 1;
    }
    assert_eq!(rows, 6);
    assert_eq!(weights(&[], Some(100)), [0.0; 0]);
}

/// Host A (pages 0 to 3) is rich in language 0, host B (4 to 7) less so in language 1, and host C
/// (8 to 11) has half of the bytes of each in both.
fn three_hosts_in_two_languages() -> Graph {
    let links: [&[u32]; 12] =
        [&[1, 2, 3], &[], &[], &[], &[5, 6, 7], &[], &[], &[], &[9, 10, 11], &[], &[], &[]];
    let mut web = graph(&[&[1000; 4], &[800; 4], &[500, 400, 500, 400]], &links);
    web.set_languages(2, vec![0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1]);
    web
}

#[test]
fn the_score_of_a_host_is_the_weighted_sum_of_its_means() {
    let web = three_hosts_in_two_languages();
    let pages = |quota, rounds| {
        let settings = CrawlSettings { rounds, top: 3, quota, ..SETTINGS };
        let outcome = run(&web, &[0, 4, 8], settings, "mean");
        let of = |language: usize| outcome.languages[language].relevant.clone();
        [of(0), of(1)]
    };
    assert_eq!(pages(None, 3), [vec![2, 3, 0], vec![1, 0, 3]], "1000, then 800, then 500");
    // Language 0 has 1500 of 1400 bytes after the first round, so only the 800 of B count.
    assert_eq!(pages(Some(1400), 2), [vec![2, 0], vec![1, 3]]);
    // After the first round language 0 lacks 100 bytes of 1600 and language 1 lacks 800.
    assert_eq!(pages(Some(1600), 2), [vec![2, 0], vec![1, 3]]);
}

#[test]
fn crawls_for_each_language_alone_start_from_their_part_of_the_seeds() {
    let settings = in_three_languages(20_000, [5.0, 3.0, 2.0]);
    let webs: [Web; 1] =
        [("web".to_owned(), Box::new(move |seed| Arc::new(generate(&settings, seed))))];
    let plan = Plan {
        crawl: CrawlSettings { rounds: 3, top: 100, ..SETTINGS },
        seeds: 100,
        mixes: vec![Mix::Rich(50)],
        policies: vec![Policy::mean()],
        draws: vec![1, 2],
    };
    let results = experiment::run(&plan, &webs, |_| ()).unwrap();
    assert_eq!(results.language_count(), 3);
    for run in &results.runs {
        assert_eq!((run.alone.len(), run.outcome.languages.len()), (3, 3));
        for (language, alone) in run.alone.iter().enumerate() {
            let (part, whole) = (&alone.part.rounds, &alone.whole.rounds);
            assert!(part.iter().all(|round| round.fetched + round.gone <= 33));
            assert_eq!(part[0], whole[0], "33 seeds");
            assert!(alone.whole.relevant() >= alone.part.relevant());
            assert!(results.holdings_in(run, language).relevant >= alone.whole.relevant());
        }
    }
}

fn any_graph() -> impl Strategy<Value = Graph> {
    let pages = proptest::collection::vec(proptest::collection::vec(0u32..2000, 1..12), 1..12);
    (pages, proptest::collection::vec(proptest::collection::vec(any::<u32>(), 0..8), 150)).prop_map(
        |(hosts, links)| {
            let mut graph = Graph::with_pages(
                hosts.iter().map(|pages| pages.iter().map(|&bytes| page(bytes)).collect()),
            );
            let pages = graph.pages() as u32;
            for links in links.iter().take(pages as usize) {
                graph.push_links(&mut links.iter().map(|link| link % pages).collect());
            }
            graph
        },
    )
}

fn policy() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "random",
        "opic",
        "mean",
        "explore",
        "shrunk:3",
        "density",
        "linked",
        "mean+rising:0.01",
        "power:1",
        "mean+fresh:30",
        "mean+first+cap:2",
        "linked+order+fresh:10",
        "mean+other:0.1+probe:1",
    ])
}

proptest! {
    #[test]
    fn no_page_is_fetched_twice_nor_more_than_a_batch_at_once(web in any_graph(), policy in policy(), top in 1usize..9) {
        let settings = CrawlSettings { rounds: 20, top, ..SETTINGS };
        let outcome = run(&web, &[0], settings, policy);
        prop_assert!(outcome.rounds.iter().all(|round| round.fetched + round.gone <= top));
        prop_assert!(outcome.fetched() <= web.pages());
        prop_assert!(outcome.hosts_with_text <= web.holdings(256).hosts_with_text);
        prop_assert!(outcome.rich_hosts <= outcome.hosts_with_text);
        prop_assert!(outcome.bytes <= web.holdings(256).bytes);
    }

    /// If the crawl reaches every page, every policy ends with the same corpus.
    #[test]
    fn order_is_all_that_a_policy_changes(web in any_graph(), top in 1usize..9) {
        let settings = CrawlSettings { rounds: 200, top, ..SETTINGS };
        let mean = run(&web, &[0], settings, "mean");
        for policy in ["random", "opic", "explore", "shrunk:3", "density", "linked", "power:1", "mean+fresh:30", "mean+first+cap:2"] {
            let other = run(&web, &[0], settings, policy);
            prop_assert_eq!((other.fetched(), other.bytes, other.hosts_with_text), (mean.fetched(), mean.bytes, mean.hosts_with_text));
        }
    }

    /// `explore` in the product's words and in the simulator's: the same crawl.
    #[test]
    fn the_products_policy_is_the_simulators_parts_put_together(web in any_graph(), top in 1usize..9) {
        let settings = CrawlSettings { rounds: 10, top, ..SETTINGS };
        let parts = "mean+other:0.1+probe:1+only+lead:4+budget:8";
        prop_assert_eq!(run(&web, &[0], settings, "explore"), run(&web, &[0], settings, parts));
    }

    /// The simulator's means are the product's own.
    #[test]
    fn every_rule_scores_finite_numbers_and_mean_is_the_products(
        bytes in any::<u64>(), fetched in 0u64..1 << 40, raw in any::<u64>(), linked in 0f64..1e12, links in any::<u32>(), policy in policy(),
    ) {
        let host = HostView { totals: HostTotals { target_bytes: bytes, fetched, unread: 0, raw_bytes: raw }, linked, links };
        let settings = ScoreSettings { unknown: 256.0, injected: 1e9, min_bytes: 256 };
        let policy: Policy = policy.parse().unwrap();
        let scores = host_scores(policy.rule, &host, settings);
        prop_assert!([scores.other, scores.found, scores.seed].into_iter().all(|score| score.is_finite() && score >= 0.0));
        if policy.rule == Policy::mean().rule {
            prop_assert_eq!(scores.found.to_bits(), score(host.totals, settings).page.to_bits());
            prop_assert_eq!(scores.other.to_bits(), scores.found.to_bits());
        }
    }
}
