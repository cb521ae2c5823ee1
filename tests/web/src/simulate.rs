//! A crawl of the web in memory, which reads the true language of each page. It shows what a
//! scoring would fetch if extraction and identification made no mistake. Use it to check in seconds
//! if a web is suitable for a comparison; a real crawl takes minutes.
//!
//! Generate takes the best rows by score, then by URL, at most a twentieth of the batch from one
//! host. OPIC is Nutch's `OPICScoringFilter`; LRL is the mean of target bytes over a host's fetched
//! pages. `pages` is the product's policy of this name, and the oracle takes the pages in the language
//! first: it is the bound for the others.

use crate::steer::{Steered, Steering};
use crate::world::{Answer, Kind, Page, World};
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Score of the pages of a host that has nothing fetched, bytes; the product's default.
const UNKNOWN: f64 = 256.0;
/// Score of the seeds of such a host.
const INJECTED: f64 = 1e9;
/// Nutch's `db.max.outlinks.per.page`.
const MAX_OUTLINKS: usize = 100;

/// How the next batch is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Scoring {
    /// Mean of target bytes per fetched page of the host.
    Lrl,
    /// Cash that flows along links.
    Opic,
    /// A number drawn for each URL.
    Random,
    /// Sections, links and anchors: policy `pages`.
    Pages,
    /// Pages in the language first: the bound.
    Oracle,
}

/// One round of a crawl.
#[derive(Debug, Clone, Copy, Default)]
pub struct Round {
    /// Pages fetched with status 200.
    pub fetched: usize,
    /// Those whose true language is a target.
    pub relevant: usize,
    /// Hosts that delivered a page for the first time.
    pub new_hosts: usize,
    /// Pages fetched by kind of host, in the order of [`Kind::ALL`].
    pub by_kind: [usize; 5],
    /// Those from hosts that were unknown when the batch was made.
    pub explored: [usize; 5],
}

impl Round {
    /// Share of pages in a target language among the fetched ones, in percent.
    pub fn yield_percent(&self) -> f64 {
        100.0 * self.relevant as f64 / self.fetched.max(1) as f64
    }
}

/// The result of a crawl.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Round by round.
    pub rounds: Vec<Round>,
    /// Rich hosts from which a page in a target language was fetched.
    pub rich_found: usize,
    /// Those of them that no seed names.
    pub rich_discovered: usize,
    /// All rich hosts.
    pub rich: usize,
    /// Fetched pages by target language.
    pub pages: BTreeMap<String, usize>,
}

impl Outcome {
    /// The mean of the rounds' yields, in percent.
    pub fn mean_yield(&self) -> f64 {
        self.rounds.iter().map(Round::yield_percent).sum::<f64>() / self.rounds.len().max(1) as f64
    }

    /// Share of the rich hosts found, in percent.
    pub fn found_percent(&self) -> f64 {
        100.0 * self.rich_found as f64 / self.rich.max(1) as f64
    }
}

pub(crate) struct Row {
    pub(crate) host: usize,
    pub(crate) done: bool,
    pub(crate) injected: bool,
    /// What policy `pages` knows of it.
    pub(crate) steered: Steered,
    /// For the oracle: whether the page is in a target language.
    relevant: bool,
    /// OPIC: what the page has received, and what it has not yet passed on.
    score: f64,
    cash: f64,
    /// Drawn once, for [`Scoring::Random`].
    drawn: f64,
}

impl Row {
    fn new(host: usize, rng: &mut Rng) -> Row {
        Row {
            host,
            done: false,
            injected: false,
            steered: Steered::default(),
            relevant: false,
            score: 0.0,
            cash: 0.0,
            drawn: rng.f64(),
        }
    }
}

#[derive(Default, Clone)]
struct Totals {
    /// By target language.
    target_bytes: Vec<f64>,
    fetched: u64,
}

/// Crawls for Urdu: `rounds` rounds of at most `top` pages.
pub fn crawl(world: &World, scoring: Scoring, rounds: usize, top: usize) -> Outcome {
    crawl_for(world, &["urd"], f64::INFINITY, scoring, rounds, top)
}

/// Crawls for pages in any of the languages, from all seeds of the web. The score of a host is the
/// sum over the languages of weight times mean, as in the product.
///
/// `quota`: bytes to reach in each language (`corpulyzer.score.targetBytes`); infinite for weights
/// of 1.
pub fn crawl_for(
    world: &World,
    languages: &[&str],
    quota: f64,
    scoring: Scoring,
    rounds: usize,
    top: usize,
) -> Outcome {
    let mut crawl = Crawl::new(world, languages, scoring);
    let seeded: BTreeSet<_> = crawl.rows.values().map(|row| row.host).collect();
    let rounds = (0..rounds).map(|_| crawl.round(top, quota)).collect();
    let rich = |h: &&usize| world.hosts[**h].kind == Kind::Rich;
    Outcome {
        rounds,
        rich: world.hosts.iter().filter(|h| h.kind == Kind::Rich).count(),
        rich_found: crawl.found.iter().filter(rich).count(),
        rich_discovered: crawl.found.difference(&seeded).filter(rich).count(),
        pages: crawl.pages,
    }
}

/// A crawl between two rounds.
struct Crawl<'a> {
    world: &'a World,
    languages: &'a [&'a str],
    scoring: Scoring,
    rng: Rng,
    rows: BTreeMap<String, Row>,
    /// By host.
    totals: Vec<Totals>,
    /// Bytes by target language.
    sums: Vec<f64>,
    /// Hosts with a page in a target language.
    found: BTreeSet<usize>,
    /// Fetched pages by target language.
    pages: BTreeMap<String, usize>,
    /// For policy `pages`.
    steering: Option<Steering>,
}

impl<'a> Crawl<'a> {
    fn new(world: &'a World, languages: &'a [&'a str], scoring: Scoring) -> Self {
        let mut rng = Rng::with_seed(1);
        let mut rows = BTreeMap::new();
        for url in world.seeds() {
            let Some(host) = world.host_of_url(&url) else { continue };
            let row = Row { injected: true, score: 1.0, cash: 1.0, ..Row::new(host, &mut rng) };
            rows.insert(url, row);
        }
        let none = Totals { target_bytes: vec![0.0; languages.len()], ..Totals::default() };
        Self {
            world,
            languages,
            scoring,
            rng,
            rows,
            totals: vec![none; world.hosts.len()],
            sums: vec![0.0; languages.len()],
            found: BTreeSet::new(),
            pages: BTreeMap::new(),
            steering: (scoring == Scoring::Pages).then(|| Steering::new(languages)),
        }
    }

    fn round(&mut self, top: usize, quota: f64) -> Round {
        if let Some(steering) = &mut self.steering {
            steering.rank(&mut self.rows, top, (top / 20).max(1)).expect("the state is our own");
        }
        let weights = weights(&self.sums, quota);
        let batch = generate(&self.rows, &self.totals, &weights, self.scoring, top);
        let known: Vec<bool> = self.totals.iter().map(|t| t.fetched > 0).collect();
        let mut round = Round::default();
        let mut passed: BTreeMap<String, f64> = BTreeMap::new();
        let mut evidence = Vec::new();
        for (url, host) in batch {
            let Some(row) = self.rows.get_mut(&url) else { continue };
            row.done = true;
            if self.world.hosts[host].robots_forbid_print && url.contains("/print/") {
                continue;
            }
            let cash = std::mem::take(&mut row.cash);
            let links: BTreeSet<String> = match self.world.resolve(&url) {
                Answer::Page(page) => {
                    self.take(&url, host, &page, &mut round, known[host]);
                    if let Some(steering) = &mut self.steering {
                        let host_of = |url: &str| self.world.host_of_url(url);
                        let is_relevant = self.languages.contains(&page.language);
                        evidence.extend(steering.links(&page, host, host_of, is_relevant));
                    }
                    page.links().take(MAX_OUTLINKS).map(String::from).collect()
                }
                Answer::Redirect(to) => BTreeSet::from([to]),
                _ => BTreeSet::new(),
            };
            let share = cash / links.len().max(1) as f64;
            for link in links {
                *passed.entry(link).or_default() += share;
            }
        }
        self.pass(passed);
        for (url, links) in evidence {
            if let Some(row) = self.rows.get_mut(&url).filter(|row| !row.done) {
                row.steered.add_links(links);
            }
        }
        if let Some(steering) = &mut self.steering {
            steering.review(&self.rows).expect("the state is our own");
        }
        round
    }

    /// Counts a fetched page of a host, which may have been known when the batch was made.
    fn take(&mut self, url: &str, host: usize, page: &Page, round: &mut Round, is_known: bool) {
        let kind = self.world.hosts[host].kind;
        let kind = Kind::ALL.iter().position(|k| *k == kind).unwrap_or_default();
        let total = &mut self.totals[host];
        round.new_hosts += usize::from(total.fetched == 0);
        round.fetched += 1;
        round.by_kind[kind] += 1;
        round.explored[kind] += usize::from(!is_known);
        total.fetched += 1;
        let place = self.languages.iter().position(|l| *l == page.language);
        let bytes = if place.is_some() { page.main_bytes() } else { 0 };
        if let Some(row) = self.rows.get_mut(url) {
            row.steered.fetched(bytes);
        }
        if let Some(place) = place {
            round.relevant += 1;
            *self.pages.entry(page.language.to_string()).or_default() += 1;
            total.target_bytes[place] += bytes as f64;
            self.sums[place] += bytes as f64;
            self.found.insert(host);
        }
    }

    /// Gives each linked page what was passed to it, and a row if it has none.
    fn pass(&mut self, passed: BTreeMap<String, f64>) {
        for (url, share) in passed {
            if !self.rows.contains_key(&url) {
                let Some(host) = self.world.host_of_url(&url) else { continue };
                let relevant = self.scoring == Scoring::Oracle
                    && is_relevant(self.world, &url, self.languages);
                let row = Row { relevant, ..Row::new(host, &mut self.rng) };
                self.rows.insert(url.clone(), row);
            }
            if let Some(row) = self.rows.get_mut(&url) {
                row.score += share;
                row.cash += share;
            }
        }
    }
}

fn is_relevant(world: &World, url: &str, languages: &[&str]) -> bool {
    matches!(world.resolve(url), Answer::Page(page) if languages.contains(&page.language))
}

/// Weights of the languages: what each lacks of the quota, divided by what the one lacks that lacks
/// most.
fn weights(sums: &[f64], quota: f64) -> Vec<f64> {
    let lack: Vec<f64> = sums.iter().map(|sum| (quota - sum).max(0.0)).collect();
    let most = lack.iter().copied().fold(0.0, f64::max);
    if quota.is_infinite() || most == 0.0 {
        return vec![1.0; sums.len()];
    }
    lack.iter().map(|lack| lack / most).collect()
}

fn generate(
    rows: &BTreeMap<String, Row>,
    totals: &[Totals],
    weights: &[f64],
    scoring: Scoring,
    top: usize,
) -> Vec<(String, usize)> {
    let score = |row: &Row| {
        let total = &totals[row.host];
        match scoring {
            Scoring::Lrl if total.fetched > 0 => {
                let bytes = total.target_bytes.iter().zip(weights).map(|(bytes, w)| bytes * w);
                bytes.sum::<f64>() / total.fetched as f64
            }
            Scoring::Lrl if row.injected => INJECTED,
            Scoring::Lrl => UNKNOWN,
            Scoring::Opic => row.score,
            Scoring::Random => row.drawn,
            Scoring::Oracle => f64::from(u8::from(row.relevant)),
            Scoring::Pages => row.steered.rank,
        }
    };
    let is_chosen = |row: &Row| scoring != Scoring::Pages || row.steered.rank > 0.0;
    let open = rows.iter().filter(|(_, row)| !row.done && is_chosen(row));
    let mut candidates: Vec<(f64, &String, usize)> =
        open.map(|(url, row)| (score(row), url, row.host)).collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let mut left = vec![(top / 20).max(1); totals.len()];
    let mut batch = Vec::with_capacity(top);
    for (_, url, host) in candidates {
        if batch.len() < top && left[host] > 0 {
            left[host] -= 1;
            batch.push((url.clone(), host));
        }
    }
    batch
}
