//! The loop of a crawl: generate, fetch, score, round by round.

use crate::graph::{Graph, HostWealth};
use crate::policy::{host_scores, HostView, Policy, Rule};
use fastrand::Rng;
use serde::Serialize;
use sitescore::{HostTotals, ScoreSettings};

/// What a crawl is told beside its policy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CrawlSettings {
    /// Rounds.
    pub rounds: usize,
    /// URLs of a round: Nutch's `-topN`.
    pub top: usize,
    /// The content-size filter: least target bytes of a page in the language.
    pub min_bytes: u32,
    /// Score of a host of which nothing is fetched.
    pub unknown: f32,
}

/// One round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Round {
    /// Pages fetched.
    pub fetched: usize,
    /// Those with enough target bytes.
    pub relevant: usize,
    /// Those of them whose text is on no other page.
    pub unique: usize,
    /// URLs of the batch that did not answer.
    pub gone: usize,
    /// Hosts that gave their first page with enough target bytes.
    pub new_hosts: usize,
}

impl Round {
    /// Share of pages in the language among the fetched ones, percent: Eq. 6. None when nothing was fetched.
    pub fn yield_percent(&self) -> Option<f64> {
        (self.fetched > 0).then(|| 100.0 * self.relevant as f64 / self.fetched as f64)
    }
}

/// What a crawl came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Round by round.
    pub rounds: Vec<Round>,
    /// Hosts of which a page with enough target bytes was fetched.
    pub hosts_with_text: usize,
    /// Those that are rich.
    pub rich_hosts: usize,
    /// Target bytes of the pages fetched that have enough of them, each text once.
    pub bytes: u64,
    /// Downloaded bytes of all pages fetched.
    pub raw: u64,
}

impl Outcome {
    /// Mean of the rounds' yields, percent; a round in which nothing could be fetched counts as 0.
    pub fn mean_yield(&self) -> f64 {
        let yields = self.rounds.iter().map(|round| round.yield_percent().unwrap_or(0.0));
        yields.sum::<f64>() / self.rounds.len().max(1) as f64
    }

    /// Pages in the language, each text once.
    pub fn unique(&self) -> usize {
        self.rounds.iter().map(|round| round.unique).sum()
    }

    /// Pages fetched.
    pub fn fetched(&self) -> usize {
        self.rounds.iter().map(|round| round.fetched).sum()
    }
}

/// Score of the seeds of a host of which nothing is fetched: the product's default.
const INJECTED_SCORE: f32 = 1e9;
const KNOWN: u8 = 1;
const DONE: u8 = 2;
const INJECTED: u8 = 4;
/// Found on a page in the language.
const FOUND: u8 = 8;
/// Found on a page without a word in it.
const ELSEWHERE: u8 = 16;

/// A row that may be fetched: its place (greater comes first), then its page (smaller comes first).
type Candidate = (u64, u32);

struct Crawl<'a> {
    graph: &'a Graph,
    wealth: &'a [HostWealth],
    settings: CrawlSettings,
    policy: Policy,
    rows: Vec<u8>,
    hosts: Vec<HostView>,
    found: Vec<bool>,
    /// OPIC: what a row has received, and what it has not passed on yet. Random: what was drawn. Else empty.
    score: Vec<f32>,
    cash: Vec<f32>,
}

/// Crawls a graph. The same arguments give the same outcome.
///
/// `wealth` is what [`Graph::wealth`] answers for the settings' `min_bytes`; `seed` is what random scores are drawn by.
pub fn crawl(
    graph: &Graph,
    wealth: &[HostWealth],
    seeds: &[u32],
    settings: CrawlSettings,
    policy: Policy,
    seed: u64,
) -> Outcome {
    let pages = graph.pages();
    let mut rng = Rng::with_seed(seed);
    let mut crawl = Crawl {
        graph,
        wealth,
        settings,
        policy,
        rows: vec![0; pages],
        hosts: vec![HostView::default(); graph.hosts()],
        found: vec![false; graph.hosts()],
        score: match policy.rule {
            Rule::Random => std::iter::repeat_with(|| rng.f32()).take(pages).collect(),
            Rule::Opic => vec![0.0; pages],
            _ => Vec::new(),
        },
        cash: if policy.rule == Rule::Opic { vec![0.0; pages] } else { Vec::new() },
    };
    for &page in seeds {
        crawl.rows[page as usize] = KNOWN | INJECTED;
        if policy.rule == Rule::Opic {
            // Nutch's db.score.injected.
            crawl.score[page as usize] = 1.0;
            crawl.cash[page as usize] = 1.0;
        }
    }
    let mut outcome = Outcome::default();
    for _ in 0..settings.rounds {
        let batch = crawl.generate();
        let round = crawl.fetch(&batch, &mut outcome);
        outcome.rounds.push(round);
    }
    outcome
}

impl Crawl<'_> {
    /// The next batch: the best rows by score, then by URL.
    fn generate(&self) -> Vec<u32> {
        let min_bytes = u64::from(self.settings.min_bytes);
        let score_settings = ScoreSettings { unknown: self.settings.unknown, injected: INJECTED_SCORE, min_bytes };
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut unknown: Vec<Candidate> = Vec::new();
        let mut budget = (self.settings.top as f64 * self.policy.budget / 100.0).ceil() as usize;
        for host in 0..self.graph.hosts() {
            if self.policy.stops.of(self.hosts[host].totals, min_bytes).is_some() {
                continue;
            }
            let Some(scores) = host_scores(self.policy.rule, &self.hosts[host], score_settings) else { continue };
            let first = candidates.len();
            let mut probe = budget > 0 && self.probe(host);
            budget -= usize::from(probe);
            for page in self.graph.pages_of(host) {
                let row = self.rows[page as usize];
                if row & (KNOWN | DONE) != KNOWN {
                    continue;
                }
                let score = if let Some(&own) = self.score.get(page as usize) {
                    own
                } else if row & INJECTED != 0 {
                    scores.seed
                } else if row & FOUND == 0 {
                    scores.other * self.policy.other_factor
                } else if std::mem::take(&mut probe) {
                    INJECTED_SCORE / 2.0
                } else {
                    scores.found
                };
                candidates.push((self.place(score, row), page));
            }
            if let Some(cap) = self.policy.cap {
                let kept = best(&mut candidates[first..], cap as usize).len();
                candidates.truncate(first + kept);
            }
            if self.policy.fresh > 0.0 && self.hosts[host].totals.fetched == 0 {
                unknown.extend(candidates[first..].iter().copied().reduce(better));
            }
        }
        let top = self.settings.top;
        if self.policy.fresh == 0.0 {
            return best(&mut candidates, top).iter().map(|&(_, page)| page).collect();
        }
        let fresh = (top as f64 * self.policy.fresh / 100.0).round() as usize;
        let mut batch: Vec<u32> = best(&mut unknown, fresh).iter().map(|&(_, page)| page).collect();
        batch.sort_unstable();
        candidates.retain(|(_, page)| batch.binary_search(page).is_err());
        batch.extend(best(&mut candidates, top - batch.len()).iter().map(|&(_, page)| page));
        batch
    }

    /// Whether the first row of a host that was found on a page in the language comes before everything else, while there is
    /// budget.
    fn probe(&self, host: usize) -> bool {
        let wanted = self.policy.probe as usize;
        let elsewhere = |page: u32| self.rows[page as usize] & ELSEWHERE != 0;
        let found = |page: &u32| self.rows[*page as usize] & (KNOWN | DONE | INJECTED | FOUND) == KNOWN | FOUND;
        wanted > 0
            && self.hosts[host].totals.fetched == 0
            && self.graph.pages_of(host).filter(found).take(wanted).count() == wanted
            && !(self.policy.only && self.graph.pages_of(host).any(elsewhere))
    }

    /// A number that is greater for a row that comes earlier.
    fn place(&self, score: f32, row: u8) -> u64 {
        let found = u64::from(row & (FOUND | INJECTED) != 0);
        let score = u64::from(score.max(0.0).to_bits());
        let mut place = score << 1;
        if self.policy.order {
            place |= found;
        }
        if self.policy.first {
            place |= found << 40;
        }
        place
    }

    fn fetch(&mut self, batch: &[u32], outcome: &mut Outcome) -> Round {
        let mut round = Round::default();
        for &page in batch {
            self.rows[page as usize] |= DONE;
            let Some(target) = self.graph.target(page) else {
                round.gone += 1;
                continue;
            };
            let host = self.graph.host_of(page);
            let raw = u64::from(self.graph.raw(page));
            let view = &mut self.hosts[host];
            view.totals = view.totals.merge(HostTotals::page(u64::from(target)));
            view.raw += raw;
            round.fetched += 1;
            outcome.raw += raw;
            if target >= self.settings.min_bytes {
                round.relevant += 1;
                if !self.graph.repeats(page) {
                    round.unique += 1;
                    outcome.bytes += u64::from(target);
                }
                if !self.found[host] {
                    self.found[host] = true;
                    round.new_hosts += 1;
                    outcome.hosts_with_text += 1;
                    outcome.rich_hosts += usize::from(self.wealth[host] == HostWealth::Rich);
                }
            }
        }
        for &page in batch {
            self.follow(page);
        }
        round
    }

    /// What updatedb makes of a page's links, when all totals of the round are known.
    fn follow(&mut self, page: u32) {
        let Some(target) = self.graph.target(page) else { return };
        let host = self.graph.host_of(page);
        let links = self.graph.links_of(page);
        let flags = match target {
            0 => KNOWN | ELSEWHERE,
            bytes if bytes >= self.settings.min_bytes => KNOWN | FOUND,
            _ => KNOWN,
        };
        let totals = self.hosts[host].totals;
        let mean = totals.target_bytes as f64 / totals.fetched.max(1) as f64;
        let share = match self.cash.get_mut(page as usize) {
            Some(cash) => std::mem::take(cash) / links.len().max(1) as f32,
            None => 0.0,
        };
        for &link in links {
            self.rows[link as usize] |= flags;
            if share > 0.0 {
                self.score[link as usize] += share;
                self.cash[link as usize] += share;
            }
            let other = &mut self.hosts[self.graph.host_of(link)];
            if self.policy.rule == Rule::Linked && other.totals.fetched == 0 {
                other.linked += mean;
                other.links += 1;
            }
        }
    }
}

fn better(a: Candidate, b: Candidate) -> Candidate {
    if (b.0, std::cmp::Reverse(b.1)) > (a.0, std::cmp::Reverse(a.1)) {
        b
    } else {
        a
    }
}

/// The best so many of the candidates, in any order.
fn best(candidates: &mut [Candidate], count: usize) -> &[Candidate] {
    if count == 0 {
        return &[];
    }
    if count < candidates.len() {
        candidates.select_nth_unstable_by(count - 1, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        return &candidates[..count];
    }
    candidates
}
