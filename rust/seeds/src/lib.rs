//! Seeds of a crawl: the choice of URLs among pages, posts, and the indexes of archives, draws of
//! rich and random pages, and queries for search engines that find the first seeds.
#![forbid(unsafe_code)]

pub mod index;
mod mix;
pub mod posts;
pub mod queries;

pub use mix::{Draw, TooFew};

use figures::identity::of_run;
use figures::CorpusPage;
use inputs::exclusions::Without;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use url::Url;

/// Settings of a choice.
#[derive(Debug)]
pub struct Settings {
    /// Smallest size of a page, in bytes of the language.
    pub min_bytes: u64,
    /// Most URLs of a website.
    pub per_host: usize,
    /// Returns the website of a host.
    pub site: fn(&str) -> &str,
    /// Pages that are excluded.
    pub without: Without,
    /// Fingerprints of URLs that are no seeds, see [`known`].
    pub known: HashSet<u64>,
    /// A draw, to which pages are offered in place of the choice.
    pub draw: Option<Draw>,
}

impl Settings {
    /// Returns the settings of a choice among links, at most `per_host` to a host.
    pub fn of_links(per_host: usize) -> Self {
        Self {
            min_bytes: 0,
            per_host,
            site: |host| host,
            without: Without::default(),
            known: HashSet::new(),
            draw: None,
        }
    }
}

/// Returns the fingerprints of the URLs in a list. Text after a space or tab in a line is metadata.
pub fn known(list: &str) -> HashSet<u64> {
    let urls = list.lines().filter_map(|line| line.split_whitespace().next()).filter_map(address);
    urls.map(|url| of_run(url.as_str().as_bytes())).collect()
}

/// The URL as Nutch can fetch it. None if it is not the URL of a web page.
fn address(url: &str) -> Option<Url> {
    let mut url = Url::parse(url)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())?;
    url.set_fragment(None);
    (url.username().is_empty() && url.password().is_none()).then_some(url)
}

/// A host and its best pages.
#[derive(Debug, Default)]
struct Host {
    pages: u64,
    /// Bytes in the language; of an index, pages.
    worth: u64,
    /// Bytes of the language and URL, the smallest on top. Of an index, 3 for the first rank, 2 and
    /// 1.
    best: BinaryHeap<Reverse<(u64, Reverse<String>)>>,
}

/// What was offered to a choice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pages or posts.
    pub pages: u64,
    /// Those of them that have enough of the language.
    pub rich: u64,
    /// Offers without the URL of a web page.
    pub no_url: u64,
    /// Offers that are excluded.
    pub excluded: u64,
    /// Offers that are known or repeated.
    pub met: u64,
}

/// Selects seeds among pages. Hosts are sorted by their bytes in the language, and the URLs of a
/// host by the bytes of their pages.
#[derive(Debug)]
pub struct Choice {
    settings: Settings,
    hosts: HashMap<String, Host>,
    /// What was offered.
    pub counts: Counts,
}

impl Choice {
    /// Creates a choice.
    pub fn new(settings: Settings) -> Self {
        Self { settings, hosts: HashMap::new(), counts: Counts::default() }
    }

    /// Offers a page, if it has enough of the language.
    pub fn add(&mut self, page: &CorpusPage) {
        self.counts.pages += 1;
        let is_rich = page.target_bytes >= self.settings.min_bytes;
        if page.gone || self.draws(&page.url, is_rich) || !is_rich {
            return;
        }
        self.counts.rich += 1;
        self.offer(&page.url, page.target_bytes, page.target_bytes);
    }

    /// Offers a URL. `worth` orders the URLs of a host, and the sum of `host_worth` the hosts.
    pub fn offer(&mut self, url: &str, worth: u64, host_worth: u64) {
        let Some(url) = address(url) else {
            self.counts.no_url += 1;
            return;
        };
        if self.settings.without.has(url.as_str()) {
            self.counts.excluded += 1;
            return;
        }
        // A known URL, or one that differs only in its fragment, is not a new seed.
        if !self.settings.known.insert(of_run(url.as_str().as_bytes())) {
            self.counts.met += 1;
            return;
        }
        let host = self
            .hosts
            .entry((self.settings.site)(url.host_str().unwrap_or_default()).to_owned())
            .or_default();
        host.pages += 1;
        host.worth = host.worth.saturating_add(host_worth);
        host.best.push(Reverse((worth, Reverse(url.into()))));
        if host.best.len() > self.settings.per_host {
            host.best.pop();
        }
    }

    fn is_known(&self, url: &Url) -> bool {
        self.settings.known.contains(&of_run(url.as_str().as_bytes()))
    }

    /// Returns the number of websites with a seed.
    pub fn hosts(&self) -> usize {
        self.hosts.len()
    }

    /// Takes the draw of the settings, if there is one.
    pub fn take_draw(&mut self) -> Option<Draw> {
        self.settings.draw.take()
    }

    /// Number of pages left out because their host has better ones.
    pub fn beyond(&self) -> u64 {
        self.hosts.values().map(|host| host.pages - host.best.len() as u64).sum()
    }

    /// Returns the seeds, those of the best website first.
    pub fn seeds(self) -> Vec<String> {
        let mut hosts: Vec<(String, Host)> = self.hosts.into_iter().collect();
        hosts.sort_by(|(a, one), (b, other)| other.worth.cmp(&one.worth).then_with(|| a.cmp(b)));
        let urls = |(_, host): (String, Host)| {
            host.best.into_sorted_vec().into_iter().map(|Reverse((_, Reverse(url)))| url)
        };
        hosts.into_iter().flat_map(urls).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(per_host: usize, without: &[&str]) -> Choice {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("without");
        std::fs::write(&file, without.join("\n")).expect("written");
        let without = Without::read(&file, 1 << 20).expect("read");
        Choice::new(Settings { min_bytes: 10, without, ..Settings::of_links(per_host) })
    }

    fn page(url: &str, target_bytes: u64) -> CorpusPage {
        CorpusPage { url: url.to_owned(), target_bytes, ..CorpusPage::default() }
    }

    #[test]
    fn the_richest_pages_of_the_richest_hosts_come_first() {
        let mut choice = choice(2, &[]);
        for (url, bytes) in [
            ("http://a.pk/1", 30),
            ("http://b.pk/1", 20),
            ("http://b.pk/3", 40),
            ("http://b.pk/2", 20),
            ("http://c.pk/", 9),
            ("http://a.pk/2", 31),
        ] {
            choice.add(&page(url, bytes));
        }
        assert_eq!((choice.counts.pages, choice.counts.rich, choice.beyond()), (6, 5, 1));
        assert_eq!(
            choice.seeds(),
            ["http://b.pk/3", "http://b.pk/1", "http://a.pk/2", "http://a.pk/1"]
        );
    }

    #[test]
    fn what_is_listed_is_no_seed() {
        let mut choice = choice(9, &["spam.pk", "http://a.pk/login"]);
        for url in ["https://x.spam.pk:8080/1", "http://a.pk/login?x", "http://a.pk/news/login"] {
            choice.add(&page(url, 50));
        }
        assert_eq!(choice.counts.excluded, 2);
        assert_eq!(choice.seeds(), ["http://a.pk/news/login"]);
    }

    #[test]
    fn addresses_are_those_that_can_be_fetched_each_once() {
        let mut choice = choice(9, &[]);
        choice.settings.known.insert(of_run(b"http://known.pk/"));
        for url in [
            "ftp://a.pk/",
            "",
            "http://u:p@a.pk/",
            "HTTP://A.pk/x#1",
            "http://a.pk/x#2",
            "http://known.pk",
        ] {
            choice.add(&page(url, 50));
        }
        assert_eq!((choice.counts.no_url, choice.counts.met), (3, 2));
        assert_eq!(choice.seeds(), ["http://a.pk/x"]);
    }
}
