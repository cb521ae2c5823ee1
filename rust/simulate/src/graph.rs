//! The link graph of the simulator: pages by number, in compact arrays.

use crate::details::Details;

/// Pages, hosts and links. A page is a number. The pages of a host are consecutive and in the order
/// of their URLs, and hosts are in the order of their names, so that the order of numbers is
/// Nutch's order of URLs among equal scores.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// First page of each host, and the number of pages at the end.
    host_start: Vec<u32>,
    /// Host of each page.
    host_of: Vec<u32>,
    /// Main-text bytes of each page in the target language; [`GONE`] for a page without a response.
    target: Vec<u32>,
    /// Bytes of each page as downloaded.
    raw: Vec<u32>,
    /// Pages whose text is on other pages too, in ascending order.
    repeats: Vec<std::ops::Range<u32>>,
    /// First link of each page, and the number of links at the end.
    link_start: Vec<u32>,
    /// Targets of the links.
    links: Vec<u32>,
    /// Seeds of the crawl behind the graph; empty for a generated graph.
    injected: Vec<u32>,
    /// Number of target languages, if there are several; else 0.
    languages: usize,
    /// Number of the target language of each page's target bytes; empty if there is only one.
    language: Vec<u8>,
    /// URLs, anchors and changes of hosts.
    details: Details,
}

/// Value of the target bytes for a page without a response.
pub const GONE: u32 = u32::MAX;

/// The input for one page of a [`Graph`].
#[derive(Debug, Clone, Copy)]
pub struct GraphPage {
    /// Main-text bytes in the target language, or [`GONE`].
    pub target: u32,
    /// Bytes as downloaded.
    pub raw: u32,
}

impl Graph {
    /// Creates a graph of hosts with their pages; [`Graph::push_links`] adds the links.
    ///
    /// # Panics
    /// Panics if there are more than 2^32 - 2 pages.
    pub fn with_pages(pages_of_hosts: impl IntoIterator<Item = Vec<GraphPage>>) -> Self {
        let mut graph = Graph { host_start: vec![0], link_start: vec![0], ..Graph::default() };
        for (host, pages) in (0u32..).zip(pages_of_hosts) {
            for page in pages {
                graph.host_of.push(host);
                graph.target.push(page.target);
                graph.raw.push(page.raw);
            }
            assert!(graph.host_of.len() < GONE as usize, "a graph has at most 2^32 - 2 pages");
            graph.host_start.push(graph.host_of.len() as u32);
        }
        graph
    }

    /// Adds the links of the next page, in the order of page numbers. Duplicates and links to the
    /// page itself are omitted.
    ///
    /// # Panics
    /// Panics if there are more than 2^32 - 1 links, or a link's target does not exist.
    pub fn push_links(&mut self, links: &mut Vec<u32>) {
        let page = self.link_start.len() as u32 - 1;
        links.sort_unstable();
        links.dedup();
        links.retain(|&link| link != page);
        assert!(
            links.last().is_none_or(|&last| (last as usize) < self.pages()),
            "a link leads to no page"
        );
        self.links.extend_from_slice(links);
        self.link_start
            .push(u32::try_from(self.links.len()).expect("a graph has at most 2^32 - 1 links"));
    }

    /// Sets the seeds of the crawl behind the graph.
    pub fn set_injected(&mut self, pages: Vec<u32>) {
        self.injected = pages;
    }

    /// Returns the seeds of the crawl behind the graph.
    pub fn injected(&self) -> &[u32] {
        &self.injected
    }

    /// Returns the number of pages, those without a response included.
    pub fn pages(&self) -> usize {
        self.host_of.len()
    }

    /// Returns the number of hosts.
    pub fn hosts(&self) -> usize {
        self.host_start.len().saturating_sub(1)
    }

    /// Returns the number of links.
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// Returns the host of a page.
    pub fn host_of(&self, page: u32) -> usize {
        self.host_of[page as usize] as usize
    }

    /// Returns the pages of a host.
    pub fn pages_of(&self, host: usize) -> std::ops::Range<u32> {
        self.host_start[host]..self.host_start[host + 1]
    }

    /// Returns the target bytes of a page; `None` if it has no response.
    pub fn target(&self, page: u32) -> Option<u32> {
        Some(self.target[page as usize]).filter(|&bytes| bytes != GONE)
    }

    /// Returns the size of a page as downloaded, in bytes.
    pub fn raw(&self, page: u32) -> u32 {
        self.raw[page as usize]
    }

    /// Sets the pages whose text is on other pages too, as ranges in ascending order.
    pub fn set_repeats(&mut self, pages: Vec<std::ops::Range<u32>>) {
        self.repeats = pages;
    }

    /// Returns whether a page's text is on other pages too, as in a calendar or under another
    /// session's URL.
    pub fn repeats(&self, page: u32) -> bool {
        let next = self.repeats.partition_point(|range| range.end <= page);
        self.repeats.get(next).is_some_and(|range| range.contains(&page))
    }

    /// Sets the target language of each page's target bytes, as a number below `languages`.
    ///
    /// # Panics
    /// Panics if there is not one number for each page, or a number is too large.
    pub fn set_languages(&mut self, languages: usize, of_pages: Vec<u8>) {
        assert_eq!(of_pages.len(), self.pages(), "each page has one language");
        assert!(
            of_pages.iter().all(|&language| usize::from(language) < languages),
            "a page is in no target language"
        );
        self.languages = languages;
        self.language = of_pages;
    }

    /// Returns the number of target languages.
    pub fn languages(&self) -> usize {
        self.languages.max(1)
    }

    /// Returns the number of the target language of a page's target bytes.
    pub fn language(&self, page: u32) -> usize {
        self.language.get(page as usize).map_or(0, |&language| usize::from(language))
    }

    /// Returns the graph as a crawl for this language alone sees it: pages in other target
    /// languages have no target bytes.
    #[must_use]
    pub fn only(&self, language: usize) -> Self {
        let mut graph = Self { languages: 0, language: Vec::new(), ..self.clone() };
        for (page, bytes) in (0u32..).zip(&mut graph.target) {
            if *bytes != GONE && self.language(page) != language {
                *bytes = 0;
            }
        }
        graph
    }

    /// Returns the pages that a page links to.
    pub fn links_of(&self, page: u32) -> &[u32] {
        let page = page as usize;
        &self.links[self.link_start[page] as usize..self.link_start[page + 1] as usize]
    }

    /// Returns the marks of a page's links ([`crate::details`]), `None` for each if the graph has
    /// none.
    pub fn marks_of(&self, page: u32) -> impl Iterator<Item = Option<u8>> + '_ {
        let page = page as usize;
        let links = self.link_start[page] as usize..self.link_start[page + 1] as usize;
        links.map(|link| self.details.links.get(link).copied())
    }

    /// Sets the details, after all links.
    ///
    /// # Panics
    /// Panics if they are not those of this graph.
    pub fn set_details(&mut self, details: Details) {
        let fits = |length: usize, all: usize| length == 0 || length == all;
        assert!(
            fits(details.section_of.len(), self.pages())
                && fits(details.labels.len(), self.hosts())
                && fits(details.changes.len(), self.hosts())
                && fits(details.links.len(), self.links.len()),
            "the details are of another graph"
        );
        self.details = details;
    }

    /// Returns the details.
    pub fn details(&self) -> &Details {
        &self.details
    }

    /// Returns the target bytes of a page in a round; `None` if it has no response. Hosts may
    /// change: then their pages have no text in the language any more.
    pub fn target_in(&self, page: u32, round: usize) -> Option<u32> {
        let is_changed = self.details.is_changed(self.host_of(page), round);
        self.target(page).map(|bytes| if is_changed { 0 } else { bytes })
    }

    /// Returns the memory of the arrays, in bytes.
    pub fn memory(&self) -> usize {
        4 * (self.host_start.len()
            + self.host_of.len()
            + self.target.len()
            + self.raw.len()
            + self.link_start.len()
            + self.links.len()
            + self.injected.len()
            + 2 * self.repeats.len())
            + self.language.len()
            + 4 * self.details.section_of.len()
            + self.details.links.len()
    }
}

/// The target text in a graph, without pages that repeat others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Holdings {
    /// Number of hosts.
    pub hosts: usize,
    /// Pages with a response.
    pub pages: usize,
    /// Pages without a response.
    pub gone: usize,
    /// Number of links.
    pub links: usize,
    /// Pages with at least the size filter's target bytes.
    pub relevant: usize,
    /// Target bytes of those.
    pub bytes: u64,
    /// Hosts with such a page.
    pub hosts_with_text: usize,
    /// Hosts with at least half of their responding pages of this kind.
    pub rich_hosts: usize,
}

/// A host's share of the target language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostWealth {
    /// No page with enough target bytes.
    Without,
    /// At least one.
    WithText,
    /// At least half of the pages with a response.
    Rich,
}

impl Graph {
    /// Returns each host's share of the target language.
    pub fn wealth(&self, min_bytes: u32) -> Vec<HostWealth> {
        let of = |host| {
            let (mut answering, mut relevant) = (0u32, 0u32);
            for bytes in self
                .pages_of(host)
                .filter(|&page| !self.repeats(page))
                .filter_map(|page| self.target(page))
            {
                answering += 1;
                relevant += u32::from(bytes >= min_bytes);
            }
            match relevant {
                0 => HostWealth::Without,
                _ if 2 * relevant >= answering => HostWealth::Rich,
                _ => HostWealth::WithText,
            }
        };
        (0..self.hosts()).map(of).collect()
    }

    /// Counts the graph's holdings.
    pub fn holdings(&self, min_bytes: u32) -> Holdings {
        let wealth = self.wealth(min_bytes);
        let mut holdings = Holdings {
            hosts: self.hosts(),
            links: self.links.len(),
            hosts_with_text: wealth.iter().filter(|w| **w != HostWealth::Without).count(),
            rich_hosts: wealth.iter().filter(|w| **w == HostWealth::Rich).count(),
            ..Holdings::default()
        };
        for (page, &bytes) in (0u32..).zip(&self.target) {
            match bytes {
                _ if self.repeats(page) => {}
                GONE => holdings.gone += 1,
                _ => {
                    holdings.pages += 1;
                    if bytes >= min_bytes {
                        holdings.relevant += 1;
                        holdings.bytes += u64::from(bytes);
                    }
                }
            }
        }
        holdings
    }
}
