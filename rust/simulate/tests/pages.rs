//! The policy `pages` and the oracle, on small graphs and on generated webs of sites.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use simulate::details::{Details, ANCHOR, HREFLANG_TARGET};
use simulate::experiment::{self, Mix, Plan, Results, Web};
use simulate::graph::GraphPage;
use simulate::sites::{self, SITES};
use simulate::{crawl, CrawlSettings, Graph, Outcome, Policy, SiteSettings};
use sitescore::pages::Sections;
use std::sync::Arc;

const SETTINGS: CrawlSettings =
    CrawlSettings { rounds: 2, top: 2, min_bytes: 256, unknown: 256.0, quota: None };

fn run(graph: &Graph, seeds: &[u32], settings: CrawlSettings, policy: Policy) -> Outcome {
    crawl(graph, &graph.wealth(settings.min_bytes), seeds, settings, policy, 1)
}

/// A host with a page that links to two others, of which the second is in the language. The details
/// are those of the links.
fn two_links(marks: [u8; 2], of_urls: [&str; 3]) -> Graph {
    let page = |target| GraphPage { target, raw: 9000 };
    let mut graph = Graph::with_pages([vec![page(900), page(0), page(900)]]);
    let mut details = Details {
        sections: of_urls.iter().map(|url| Sections::of(url)).collect(),
        section_of: vec![0, 1, 2],
        ..Details::default()
    };
    graph.push_links(&mut details.push(0, &mut vec![(2, marks[1]), (1, marks[0])]));
    graph.push_links(&mut Vec::new());
    graph.push_links(&mut Vec::new());
    graph.set_details(details);
    graph
}

#[test]
fn a_page_is_chosen_by_its_anchor_and_hreflang() {
    let one = CrawlSettings { top: 1, ..SETTINGS };
    let kept = |graph: &Graph| run(graph, &[0], one, "pages".parse().unwrap()).relevant();
    let plain = ["/"; 3];
    assert_eq!(kept(&two_links([0, 0], plain)), 1, "the first URL without evidence");
    assert_eq!(kept(&two_links([0, ANCHOR], plain)), 2);
    assert_eq!(kept(&two_links([0, HREFLANG_TARGET], plain)), 2);
    assert_eq!(kept(&two_links([ANCHOR, 0], plain)), 1);
}

#[test]
fn a_page_is_chosen_by_its_section_once_pages_of_two_are_known() {
    let page = |target| GraphPage { target, raw: 9000 };
    let mut graph = Graph::with_pages([vec![page(900), page(0), page(900), page(0)]]);
    let details = Details {
        sections: ["/ur/", "/en/"].iter().map(|url| Sections::of(url)).collect(),
        section_of: vec![0, 1, 0, 1],
        ..Details::default()
    };
    graph.push_links(&mut vec![1, 2]);
    (0..3).for_each(|_| graph.push_links(&mut Vec::new()));
    graph.set_details(details);
    let outcome = run(&graph, &[0, 3], SETTINGS, "pages".parse().unwrap());
    assert_eq!(outcome.relevant(), 2, "the page of /ur/ comes before that of /en/");
}

#[test]
fn marks_follow_their_links_when_these_are_sorted() {
    let mut details = Details::default();
    let mut links = vec![(5, 0), (2, ANCHOR), (5, HREFLANG_TARGET), (3, ANCHOR)];
    assert_eq!(details.push(3, &mut links), [2, 5]);
    assert_eq!(details.links, [ANCHOR, HREFLANG_TARGET]);
}

#[test]
fn a_changed_host_has_no_text_from_that_round_on() {
    let page = GraphPage { target: 900, raw: 9000 };
    let mut graph = Graph::with_pages([vec![page; 4]]);
    (0..4).for_each(|_| graph.push_links(&mut Vec::new()));
    graph.set_details(Details { changes: vec![1], ..Details::default() });
    for policy in ["mean", "pages"] {
        let outcome = run(&graph, &[0, 1, 2, 3], SETTINGS, policy.parse().unwrap());
        let relevant: Vec<usize> = outcome.rounds.iter().map(|round| round.relevant).collect();
        assert_eq!(relevant, [2, 0], "{policy}");
    }
}

fn results(web: &str, policies: &[&str], mixes: &[Mix]) -> Results {
    crawls(web, 600, policies, mixes)
}

fn crawls(web: &str, sites: usize, policies: &[&str], mixes: &[Mix]) -> Results {
    let settings = SiteSettings { pages: 100 * sites, sites, ..SiteSettings::of_web(web).unwrap() };
    crawls_of(settings, policies, mixes)
}

/// Crawls of a web: ten rounds of half as many pages as sites, two draws.
fn crawls_of(settings: SiteSettings, policies: &[&str], mixes: &[Mix]) -> Results {
    let sites = settings.sites;
    let plan = Plan {
        crawl: CrawlSettings { rounds: 10, top: sites / 2, ..SETTINGS },
        seeds: sites / 10,
        mixes: mixes.to_vec(),
        policies: policies.iter().map(|policy| policy.parse().unwrap()).collect(),
        draws: vec![11, 12],
    };
    let web: Web =
        ("web".to_owned(), Box::new(move |seed| Arc::new(sites::generate(&settings, seed))));
    experiment::run(&plan, &[web], |_| ()).unwrap()
}

/// The mean yield, the hosts with text and the bytes of a policy, summed over draws and mixes.
fn figures(results: &Results, policy: &str) -> (f64, usize, u64) {
    let policy: Policy = policy.parse().unwrap();
    let runs = results.runs.iter().filter(|run| run.policy == policy);
    runs.fold((0.0, 0, 0), |(share, hosts, bytes), run| {
        let outcome = &run.outcome;
        let runs = (results.plan.draws.len() * results.plan.mixes.len()) as f64;
        (
            share + outcome.mean_yield() / runs,
            hosts + outcome.hosts_with_text,
            bytes + outcome.bytes,
        )
    })
}

#[test]
fn pages_are_as_good_as_mean_if_most_hosts_but_no_seed_have_the_language() {
    let plain = SiteSettings::of_web("plain").unwrap();
    let shares = plain.shares.map(|share| 4.5 * share);
    let settings = SiteSettings { pages: 60_000, sites: 600, shares, ..plain };
    let results = crawls_of(settings, &["mean", "pages"], &[Mix::None]);
    let (mean, pages) = (figures(&results, "mean"), figures(&results, "pages"));
    assert!(pages.0 > mean.0, "{pages:?} {mean:?}");
    assert!(pages.1 > 4 * mean.1, "{pages:?} {mean:?}");
}

#[test]
fn pages_find_more_text_on_more_hosts_where_sites_have_sections() {
    let results = results("sections", &["mean", "explore", "pages"], &[Mix::Rich(50)]);
    let (mean, explore, pages) =
        (figures(&results, "mean"), figures(&results, "explore"), figures(&results, "pages"));
    assert!(pages.0 > mean.0 + 8.0 && pages.0 > explore.0 + 8.0, "{mean:?} {explore:?} {pages:?}");
    assert!(pages.1 > 2 * mean.1 && pages.1 > explore.1, "{mean:?} {explore:?} {pages:?}");
    assert!(pages.2 > mean.2 && pages.2 > explore.2, "{mean:?} {explore:?} {pages:?}");
}

#[test]
fn pages_lose_little_where_neither_sections_nor_anchors_help() {
    let results = results("plain", &["mean", "pages"], &[Mix::Rich(50), Mix::None]);
    let (mean, pages) = (figures(&results, "mean"), figures(&results, "pages"));
    assert!(pages.0 > mean.0 - 2.0 && pages.1 > mean.1, "{mean:?} {pages:?}");
}

#[test]
fn a_larger_share_finds_more_hosts() {
    let results = results("plain", &["pages:0", "pages:10"], &[Mix::Rich(50)]);
    let (none, much) = (figures(&results, "pages:0"), figures(&results, "pages:10"));
    assert!(much.1 > none.1 && much.0 < none.0, "{none:?} {much:?}");
}

#[test]
fn the_oracle_is_a_bound_on_every_web() {
    for web in SITES {
        let results = crawls(web, 150, &["mean", "pages"], &[Mix::Rich(50)]);
        for run in &results.runs {
            assert!(results.share_of_oracle(run) < 1.0, "{web} {}", run.policy);
        }
        assert_eq!(results.oracles.len(), results.plan.draws.len());
    }
}

#[test]
fn shares_tell_sections_apart_but_not_their_pages() {
    let page = |target| GraphPage { target, raw: 9000 };
    // Half of the pages of /a/ are in the language, and all of /b/.
    let mut graph = Graph::with_pages([vec![page(900), page(900), page(0), page(900), page(900)]]);
    let details = Details {
        sections: ["/", "/a/", "/b/"].iter().map(|url| Sections::of(url)).collect(),
        section_of: vec![0, 1, 1, 2, 2],
        ..Details::default()
    };
    graph.push_links(&mut vec![1, 2, 3, 4]);
    (0..4).for_each(|_| graph.push_links(&mut Vec::new()));
    graph.set_details(details);
    let settings = CrawlSettings { rounds: 3, top: 2, ..SETTINGS };
    let outcome = run(&graph, &[0], settings, "shares".parse().unwrap());
    let relevant: Vec<usize> = outcome.rounds.iter().map(|round| round.relevant).collect();
    assert_eq!(relevant, [1, 2, 1], "the pages of /b/, then both of /a/");
}

/// A host with a page that links to four others. The last two are in the language, and so are the
/// anchors that `marks` says are.
fn four_links(marks: [u8; 4]) -> Graph {
    let page = |target| GraphPage { target, raw: 9000 };
    let mut graph =
        Graph::with_pages([vec![page(900), page(0), page(0), page(900), page(900), page(0)]]);
    let mut details = Details {
        sections: ["/", "/a/"].iter().map(|url| Sections::of(url)).collect(),
        section_of: vec![0, 1, 1, 1, 1, 0],
        ..Details::default()
    };
    let mut links: Vec<(u32, u8)> = (1..).zip(marks).collect();
    graph.push_links(&mut details.push(0, &mut links.clone()));
    (1..5).for_each(|_| graph.push_links(&mut Vec::new()));
    // A page that is not fetched: its links tell how often anchors are wrong, nothing else.
    links.iter_mut().for_each(|link| link.1 ^= if link.0 % 3 == 1 { ANCHOR } else { 0 });
    graph.push_links(&mut details.push(5, &mut links));
    graph.set_details(details);
    graph
}

#[test]
fn the_bound_of_anchors_knows_how_often_they_are_wrong() {
    let settings = CrawlSettings { rounds: 3, top: 2, ..SETTINGS };
    let kept = |marks| {
        let outcome = run(&four_links(marks), &[0], settings, "anchors".parse().unwrap());
        outcome.rounds.iter().map(|round| round.relevant).collect::<Vec<_>>()
    };
    let right = [0, 0, ANCHOR, ANCHOR];
    let wrong = right.map(|mark| mark ^ ANCHOR);
    assert_eq!(kept(right), [1, 2, 0], "most anchors are right");
    assert_eq!(kept(wrong), [1, 2, 0], "most anchors are wrong");
    assert_eq!(kept([ANCHOR; 4]), [1, 0, 2], "half of them are: the order of URLs");
}

#[test]
fn no_policy_has_more_pages_than_the_bound_of_sections_and_anchors() {
    for web in ["sections", "sections-menus", "sections-anchors", "plain", "plain-targets"] {
        let results = crawls(web, 300, &["mean", "pages", "shares", "anchors"], &[Mix::Rich(50)]);
        let bound = figures(&results, "anchors").0;
        for policy in ["mean", "pages", "shares"] {
            assert!(figures(&results, policy).0 < bound, "{web} {policy}");
        }
        for run in &results.runs {
            let oracle = results.oracles.iter().find(|oracle| oracle.draw == run.draw).unwrap();
            assert!(run.outcome.whole_yield() < oracle.outcome.whole_yield(), "{web}");
        }
    }
}

#[test]
fn an_oracle_with_a_cap_is_the_bound_for_policies_with_it() {
    let found =
        results("sections-pure", &["pages+cap:15", "oracle", "oracle+cap:15"], &[Mix::Rich(50)]);
    let (pages, oracle, capped) = (
        figures(&found, "pages+cap:15"),
        figures(&found, "oracle"),
        figures(&found, "oracle+cap:15"),
    );
    assert!(pages.0 < capped.0 && capped.0 < oracle.0, "{pages:?} {capped:?} {oracle:?}");
    assert!(pages.2 < capped.2 && capped.2 < oracle.2, "{pages:?} {capped:?} {oracle:?}");
}

#[test]
fn seeds_of_the_mix_none_are_not_in_the_language() {
    let settings = SiteSettings { pages: 9_000, sites: 90, ..SiteSettings::default() };
    let graph = sites::generate(&settings, 1);
    let seeds = experiment::draw_seeds(&graph, Mix::None, 50, 256, 1).unwrap();
    assert!(seeds.len() == 50 && seeds.iter().all(|&page| graph.target(page).unwrap() < 256));
    let all = graph.pages();
    assert!(experiment::draw_seeds(&graph, Mix::None, all, 256, 1).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn webs_of_sites_are_whole_and_the_same_again(
        seed in any::<u64>(),
        web in 0..SITES.len(),
        sites in 1usize..60,
        pages in 60usize..3000,
    ) {
        let settings = SiteSettings { pages, sites, ..SiteSettings::of_web(SITES[web]).unwrap() };
        let graph = sites::generate(&settings, seed);
        prop_assert!(graph.pages() >= sites && graph.pages() < 2 * pages + 2 * sites);
        let details = graph.details();
        prop_assert_eq!(details.links.len(), graph.link_count());
        prop_assert_eq!(details.section_of.len(), graph.pages());
        let again = sites::generate(&settings, seed);
        prop_assert_eq!(&details.links, &again.details().links);
        let crawl_settings = CrawlSettings { rounds: 3, top: 50, ..SETTINGS };
        let seeds: Vec<u32> = (0..graph.pages().min(20) as u32).collect();
        let once = run(&graph, &seeds, crawl_settings, "pages".parse().unwrap());
        let twice = run(&again, &seeds, crawl_settings, "pages".parse().unwrap());
        prop_assert_eq!(&once, &twice);
        let urls = once.fetched() + once.rounds.iter().map(|round| round.gone).sum::<usize>();
        prop_assert!(urls <= 150);
    }
}
