//! The web holds what it promises: one seed is one web, links lead somewhere, and crawls of it come
//! out as they should.
#![allow(clippy::unwrap_used)]

use corpulyzer_web::html::render;
use corpulyzer_web::server::Site;
use corpulyzer_web::simulate::{crawl, crawl_for, Scoring};
use corpulyzer_web::stats::Stats;
use corpulyzer_web::world::{Answer, Charset, Kind, Page, World};
use std::collections::BTreeSet;

const HOSTS: usize = 320;

/// About `count` pages, spread over the whole web.
fn some_pages(world: &World, count: usize) -> Vec<Page> {
    let page = |url: String| match world.resolve(&url) {
        Answer::Page(page) => *page,
        other => panic!("{url} is {other:?}"),
    };
    world.sample(count).map(page).collect()
}

#[test]
fn one_seed_gives_the_same_bytes_and_another_seed_another_web() {
    let (one, again, other) =
        (World::new(7, 60).unwrap(), World::new(7, 60).unwrap(), World::new(8, 60).unwrap());
    assert_eq!(one.seeds(), again.seeds());
    assert_ne!(one.seeds(), other.seeds());
    for page in some_pages(&one, 200) {
        let Answer::Page(twin) = again.resolve(&page.url) else {
            panic!("{} is missing", page.url)
        };
        assert_eq!(render(&one, &page).body, render(&again, &twin).body, "{}", page.url);
    }
}

#[test]
fn every_link_leads_to_a_page_or_to_one_that_was_taken_away() {
    let world = World::new(1, HOSTS).unwrap();
    let (mut links, mut missing, mut redirects) = (0, 0, 0);
    for page in some_pages(&world, 300) {
        for link in page.links() {
            links += 1;
            match world.resolve(link) {
                Answer::Page(target) => {
                    assert_eq!(target.url, link, "an address that is not canonical")
                }
                Answer::Missing => missing += 1,
                Answer::Redirect(to) => {
                    redirects += 1;
                    assert!(matches!(world.resolve(&to), Answer::Page(_)), "{link} leads to {to}");
                }
                other => panic!("{} links to {link}: {other:?}", page.url),
            }
        }
    }
    assert!(missing * 100 < links * 4, "{missing} of {links} links are dead");
    assert!(missing > 0 && redirects > 0, "dead links and redirects belong to the web");
}

#[test]
fn the_html_of_a_page_has_the_links_that_simulations_follow_and_the_text_that_they_weigh() {
    let world = World::new(1, HOSTS).unwrap();
    let mut templates = BTreeSet::new();
    for page in some_pages(&world, 300) {
        let host = &world.hosts[page.host];
        templates.insert((host.template, page.print));
        let body = render(&world, &page).body;
        let encoding = if host.charset == Charset::Windows1256 {
            encoding_rs::WINDOWS_1256
        } else {
            encoding_rs::UTF_8
        };
        let (html, _, errors) = encoding.decode(&body);
        assert!(!errors, "{}", page.url);
        let hrefs: BTreeSet<&str> = html
            .split("<a href=\"")
            .skip(1)
            .filter_map(|tail| tail.split_once('"').map(|(url, _)| url))
            .collect();
        assert_eq!(hrefs, page.links().collect(), "{}", page.url);
        if host.charset != Charset::Windows1256 {
            for text in &page.paragraphs {
                assert!(html.contains(text.as_str()), "{} has lost: {text}", page.url);
            }
        }
    }
    assert!(templates.len() >= 6, "{templates:?}");
}

#[test]
fn windows_1256_hosts_keep_the_letters_that_it_lacks_as_references() {
    let world = World::new(1, HOSTS).unwrap();
    let is_urdu = |h: &usize| {
        world.hosts[*h].charset == Charset::Windows1256 && world.hosts[*h].language == "urd"
    };
    let host = (0..world.hosts.len()).find(is_urdu).unwrap();
    let url = world.urls_of(host).next().unwrap();
    let Answer::Page(page) = world.resolve(&url) else { panic!("{url}") };
    let body = render(&world, &page).body;
    let html = encoding_rs::WINDOWS_1256.decode(&body).0.into_owned();
    assert!(html.contains("&#1740;") && !html.contains('ی'), "Farsi yeh is not in windows-1256");
}

#[test]
fn there_are_at_least_300_hosts_and_rich_ones_link_mostly_to_english_ones() {
    let world = World::new(1, HOSTS).unwrap();
    let stats = Stats::of(&world);
    assert!(world.hosts.len() >= 300);
    assert!(stats.kinds.iter().all(|k| k.hosts >= 15), "{:?}", stats.kinds);
    let rich = stats.kinds[0].links;
    assert!(rich[3] * 2 > rich.iter().sum(), "links of rich hosts by kind: {rich:?}");
    assert!(
        world.hosts.iter().any(|h| h.port.is_some())
            && world.hosts.iter().any(|h| h.robots_forbid_print)
    );
    assert!(stats.urdu_pages > 1500, "{}", stats.urdu_pages);
    let share = stats.near_duplicate_percent;
    assert!(share < 20.0, "{share:.1} % near duplicates");
    assert!(share > 1.0, "sites repeat themselves, and so does the web: {share:.1} %");
}

#[test]
fn every_language_of_the_plan_has_pages() {
    let world = World::new(1, HOSTS).unwrap();
    let languages: BTreeSet<&str> = some_pages(&world, 2000).iter().map(|p| p.language).collect();
    assert_eq!(languages, BTreeSet::from(["ara", "eng", "fas", "pnb", "pus", "snd", "urd", "zxx"]));
}

#[test]
fn lrl_scoring_stays_in_urdu_and_finds_the_rich_hosts_where_opic_drifts_away() {
    for seed in 1..=3 {
        let world = World::new(seed, HOSTS).unwrap();
        let lrl = crawl(&world, Scoring::Lrl, 8, 200);
        let opic = crawl(&world, Scoring::Opic, 8, 200);
        let (lrl_yield, opic_yield) = (lrl.mean_yield(), opic.mean_yield());
        assert!(lrl_yield >= 82.0, "seed {seed}: LRL {lrl_yield:.1} %");
        assert!(opic_yield < 55.0, "seed {seed}: OPIC {opic_yield:.1} %");
        assert!(
            lrl.found_percent() >= 60.0,
            "seed {seed}: {} of {} rich hosts",
            lrl.rich_found,
            lrl.rich
        );
        assert!(
            lrl.rich_discovered * 3 >= lrl.rich,
            "seed {seed}: {} through links",
            lrl.rich_discovered
        );
    }
}

#[test]
fn pages_find_almost_all_rich_hosts_at_a_higher_yield_than_lrl() {
    let (mut pages_sum, mut lrl_sum) = (0.0, 0.0);
    for seed in 2..=3 {
        let world = World::new(seed, HOSTS).unwrap();
        let [pages, lrl, oracle] = [Scoring::Pages, Scoring::Lrl, Scoring::Oracle]
            .map(|scoring| crawl(&world, scoring, 8, 200));
        let (own, bound) = (pages.mean_yield(), oracle.mean_yield());
        assert!(own > 88.5 && own < bound, "seed {seed}: {own:.1} % of {bound:.1} %");
        assert!(pages.rich_found + 1 >= pages.rich, "seed {seed}: {}", pages.rich_found);
        assert!(lrl.rich_found < 36, "seed {seed}: {}", lrl.rich_found);
        pages_sum += own;
        lrl_sum += lrl.mean_yield();
    }
    assert!(pages_sum > lrl_sum + 2.0, "{pages_sum:.1} {lrl_sum:.1}");
}

/// The crawl for all has as many pages as the three crawls for one have together.
#[test]
fn a_crawl_for_three_languages_stays_in_them_and_finds_of_each_what_a_crawl_for_it_finds() {
    const LANGUAGES: [&str; 3] = ["urd", "snd", "pus"];
    const QUOTA: f64 = 2e6;
    for seed in 1..=2 {
        let world = World::in_languages(seed, HOSTS, &LANGUAGES).unwrap();
        let all = crawl_for(&world, &LANGUAGES, QUOTA, Scoring::Lrl, 9, 200);
        let mean = all.mean_yield();
        assert!(mean >= 80.0, "seed {seed}: {mean:.1} %");
        for language in LANGUAGES {
            let alone = crawl_for(&world, &[language], QUOTA, Scoring::Lrl, 3, 200);
            let share = all.pages[language] as f64 / alone.pages[language] as f64;
            assert!(share >= 0.7, "seed {seed}: {share:.2} of the pages in {language}");
        }
    }
}

#[test]
fn a_web_of_languages_without_text_is_refused() {
    let refused = World::in_languages(1, HOSTS, &["urd", "xyz"]).map(drop).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "language `xyz` has no text in this web; allowed are urd, eng, fas, ara, pus, snd, pnb"
    );
}

#[test]
fn seeds_are_mostly_urdu_and_all_there() {
    for seed in 1..=5 {
        let world = World::new(seed, HOSTS).unwrap();
        let language = |url: &String| match world.resolve(url) {
            Answer::Page(page) => page.language,
            other => panic!("{url}: {other:?}"),
        };
        let seeds = world.seeds();
        let urdu = seeds.iter().map(language).filter(|l| *l == "urd").count();
        assert!(urdu * 2 > seeds.len() && urdu < seeds.len(), "{urdu} of {}", seeds.len());
        let rich: BTreeSet<_> = seeds.iter().filter_map(|u| world.host_of_url(u)).collect();
        let rich = rich.iter().filter(|h| world.hosts[**h].kind == Kind::Rich).count();
        assert!(
            rich * 3 < world.hosts.iter().filter(|h| h.kind == Kind::Rich).count(),
            "{rich} rich hosts are seeds"
        );
    }
}

#[test]
fn a_mirror_has_the_pages_of_its_host_and_links_to_itself() {
    let web = World::new(1, 40).unwrap().with_mirrors(2);
    assert_eq!(web.hosts.iter().filter(|host| host.mirrored).count(), 2);
    assert_eq!(web.seeds(), World::new(1, 40).unwrap().seeds());
    let host = web.hosts.iter().position(|host| host.mirrored).unwrap();
    let text = |url: &str| {
        let reply = web.reply(url);
        assert_eq!(reply.status, 200, "{url}");
        (String::from_utf8_lossy(&reply.body).into_owned(), reply.kind)
    };
    for url in web.urls_of(host) {
        let (own, kind) = text(&url);
        let (copy, mirrored) = text(&url.replacen("http://", "http://mirror2.", 1));
        assert_eq!((kind.as_str(), mirrored.as_str()), ("rich", "mirror"));
        let front = web.urls_of(host).next().unwrap();
        let at_mirror = front.replacen("http://", "http://mirror2.", 1);
        assert!(own.contains(&format!("\"{at_mirror}\"")), "{url} links to its mirrors");
        assert_eq!(copy, own.replace(&front, &at_mirror));
        assert!(!copy.contains(&format!("\"{front}")));
    }
    let other = web.hosts.iter().position(|host| !host.mirrored).unwrap();
    for url in ["http://mirror4.", "http://mirror0.", "http://mirror1.x.", "http://mirror"] {
        assert_eq!(web.reply(&format!("{url}{}/", web.hosts[host].name)).status, 502, "{url}");
    }
    assert_eq!(web.reply(&format!("http://mirror1.{}/", web.hosts[other].name)).status, 502);
}

#[test]
fn a_calendar_has_no_end_and_repeats_what_the_host_has() {
    let page = |web: &World, url: &str| match web.resolve(url) {
        Answer::Page(page) => page,
        other => panic!("{url}: {other:?}"),
    };
    let plain = World::new(1, 40).unwrap();
    let web = World::new(1, 40).unwrap().with_calendars(2);
    let with: Vec<&str> =
        web.hosts.iter().filter(|host| host.calendar).map(|host| host.name.as_str()).collect();
    assert_eq!(with.len(), 2);
    assert_eq!(web.seeds(), plain.seeds());
    let host = web.hosts.iter().position(|host| host.calendar).unwrap();
    let texts: BTreeSet<String> =
        web.urls_of(host).map(|url| page(&web, &url).main_text()).collect();
    let front = page(&web, &web.urls_of(host).next().unwrap());
    let mut next = front.links().find(|link| link.contains("/calendar/")).unwrap().to_owned();
    for _ in 0..2_000 {
        let day = page(&web, &next);
        assert!(texts.contains(&day.main_text()) && day.url == next);
        next = day.related.last().unwrap().url.clone();
    }
    assert!(matches!(plain.resolve(&next), Answer::Missing));
    assert_eq!(plain.urls_of(host).collect::<Vec<_>>(), web.urls_of(host).collect::<Vec<_>>());
}
