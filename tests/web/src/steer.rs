//! Policy `pages` in a crawl in memory, by the code of the product.

use crate::simulate::Row;
use crate::world::Page;
use langbytes::{Combined, LangCode};
use sitescore::pages::{self, Account, BadState, Evidence, Level, Link, Prediction};
use std::collections::{BTreeMap, HashMap};

/// Shortest anchor whose language is identified, in letters.
const MIN_LETTERS: usize = 4;

/// What the policy knows of a row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Steered {
    /// Links that were found before its fetch.
    links: Evidence,
    predicted: Prediction,
    /// Target bytes once it is fetched.
    bytes: Option<u64>,
    /// Its place in the next batch, the greatest first; 0 if it is not in it.
    pub(crate) rank: f64,
}

/// The steering of a crawl.
pub(crate) struct Steering {
    state: String,
    targets: Vec<LangCode>,
    identifier: Combined,
    /// Whether texts of links are in a target language; `None` if they cannot be identified.
    anchors: HashMap<String, Option<bool>>,
}

impl Steering {
    pub(crate) fn new(languages: &[&str]) -> Self {
        Self {
            state: String::new(),
            targets: languages.iter().filter_map(|code| code.parse().ok()).collect(),
            identifier: Combined::new(Vec::new(), None),
            anchors: HashMap::new(),
        }
    }

    /// Ranks the rows of the next batch.
    pub(crate) fn rank(
        &mut self,
        rows: &mut BTreeMap<String, Row>,
        top: usize,
        cap: usize,
    ) -> Result<(), BadState> {
        let mut crawl = pages::Crawl::new(Account::SHARE, &self.state)?;
        for (id, (url, row)) in (0..).zip(rows.iter()) {
            crawl.add(&as_row(id, url, row));
        }
        crawl.learn();
        crawl.begin(top, cap);
        for (id, (url, row)) in (0..).zip(rows.iter()).filter(|(_, (_, row))| !row.done) {
            crawl.consider(&as_row(id, url, row));
        }
        let chosen: HashMap<u64, usize> =
            crawl.choose().iter().rev().zip(1..).map(|(chosen, rank)| (chosen.row, rank)).collect();
        for (id, (url, row)) in (0..).zip(rows.iter_mut()) {
            let rank = chosen.get(&u64::from(id)).copied().unwrap_or(0);
            if rank > 0 && !row.injected {
                row.steered.predicted = crawl.predict(&as_row(id, url, row));
            }
            row.steered.rank = rank as f64;
        }
        self.state = crawl.state();
        Ok(())
    }

    /// Takes in the results of the batch, which are in its rows.
    pub(crate) fn review(&mut self, rows: &BTreeMap<String, Row>) -> Result<(), BadState> {
        let mut crawl = pages::Crawl::new(Account::SHARE, &self.state)?;
        for (url, row) in rows.iter().filter(|(_, row)| row.done && row.steered.rank > 0.0) {
            crawl.review(&as_row(0, url, row));
        }
        self.state = crawl.state();
        Ok(())
    }

    /// Returns the links of a page by their URLs, as evidence for these.
    pub(crate) fn links(
        &mut self,
        page: &Page,
        from_host: usize,
        host_of: impl Fn(&str) -> Option<usize>,
        is_relevant: bool,
    ) -> Vec<(String, Evidence)> {
        page.anchors()
            .map(|link| {
                let mut evidence = Evidence::default();
                evidence.add(Link {
                    external: host_of(&link.url) != Some(from_host),
                    page_in_language: is_relevant,
                    anchor_in_language: self.is_target(&link.text).unwrap_or(is_relevant),
                    hreflang: None,
                });
                (link.url.clone(), evidence)
            })
            .collect()
    }

    fn is_target(&mut self, text: &str) -> Option<bool> {
        if text.chars().filter(|letter| letter.is_alphabetic()).count() < MIN_LETTERS {
            return None;
        }
        if let Some(&known) = self.anchors.get(text) {
            return known;
        }
        let counted = langbytes::count(&[text], &self.identifier);
        let found = counted.most_first().first().map(|(code, _)| self.targets.contains(code));
        self.anchors.insert(text.to_owned(), found);
        found
    }
}

impl Steered {
    /// Takes in the result of the fetch: target bytes, 0 if the page is not kept.
    pub(crate) fn fetched(&mut self, bytes: u64) {
        self.bytes = Some(bytes);
    }

    /// Adds links that were found before the fetch.
    pub(crate) fn add_links(&mut self, links: Evidence) {
        self.links = self.links.merge(links);
    }
}

fn as_row<'a>(id: u32, url: &'a str, row: &Row) -> pages::CrawlRow<'a> {
    let Steered { links, predicted, bytes, .. } = row.steered;
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let name = rest.split(['/', ':']).next().unwrap_or(rest);
    // The registered domains of this web have two labels.
    let domain = name.rmatch_indices('.').nth(1).map_or(0, |(at, _)| at);
    pages::CrawlRow {
        id,
        url,
        label_bytes: domain,
        fetched: bytes.is_some(),
        seed: row.injected,
        bytes: bytes.unwrap_or(0),
        links,
        predicted: if row.injected {
            Prediction { level: Level::None, ..predicted }
        } else {
            predicted
        },
    }
}
