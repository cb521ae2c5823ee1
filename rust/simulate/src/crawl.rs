//! The crawl loop: generate, fetch and score, round by round.

use crate::bounds::{ideal, shares, Anchors};
use crate::graph::{Graph, HostWealth};
use crate::policy::{host_scores, HostView, Policy, Rule};
use crate::steer::Pages;
use fastrand::Rng;
use serde::Serialize;
use sitescore::pages::Calibration;
use sitescore::{probe_score, HostTotals, ScorePolicy, ScoreSettings};

/// Settings of a crawl, except for the policy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CrawlSettings {
    /// Number of rounds.
    pub rounds: usize,
    /// URLs of a round: Nutch's `-topN`.
    pub top: usize,
    /// The content-size filter: minimum target bytes of a page in the language.
    pub min_bytes: u32,
    /// Score of a host without fetched pages.
    pub unknown: f32,
    /// If the graph has several target languages: bytes to fetch of each
    /// (`corpulyzer.score.targetBytes`). `None` gives each language the weight 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota: Option<u64>,
}

/// The figures of one round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Round {
    /// Number of pages fetched.
    pub fetched: usize,
    /// Number of these with any target bytes.
    pub any: usize,
    /// Number of these with enough target bytes.
    pub relevant: usize,
    /// Number of these whose text is on no other page.
    pub unique: usize,
    /// Number of URLs of the batch without a response.
    pub gone: usize,
    /// Number of hosts with their first page that has enough target bytes.
    pub new_hosts: usize,
}

impl Round {
    /// Returns the filtered yield: the share of pages with enough target bytes among the fetched
    /// ones, in percent; `None` if nothing was fetched.
    pub fn yield_percent(&self) -> Option<f64> {
        (self.fetched > 0).then(|| 100.0 * self.relevant as f64 / self.fetched as f64)
    }

    /// Returns the yield: the share of pages with any target bytes among the fetched ones, in
    /// percent (Eq. 6); `None` if nothing was fetched.
    pub fn any_yield_percent(&self) -> Option<f64> {
        (self.fetched > 0).then(|| 100.0 * self.any as f64 / self.fetched as f64)
    }
}

/// The figures of one target language of several.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LanguageOutcome {
    /// Number of its pages with any target bytes, by round.
    pub any: Vec<usize>,
    /// Number of its pages with enough target bytes, by round.
    pub relevant: Vec<usize>,
    /// Its bytes in the pages fetched.
    pub fetched_bytes: u64,
}

impl LanguageOutcome {
    /// Returns the number of its pages with enough target bytes.
    pub fn pages(&self) -> usize {
        self.relevant.iter().sum()
    }
}

/// The result of a crawl.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// Figures of each round.
    pub rounds: Vec<Round>,
    /// Number of hosts with a fetched page that has enough target bytes.
    pub hosts_with_text: usize,
    /// Number of rich hosts among these.
    pub rich_hosts: usize,
    /// Target bytes of the fetched pages with enough of them, each text once.
    pub bytes: u64,
    /// Downloaded bytes of all pages fetched.
    pub raw: u64,
    /// Figures of each target language; empty if there is only one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<LanguageOutcome>,
    /// With the policy `pages`, the predictions of each round compared with what was found.
    #[serde(skip)]
    pub calibrations: Vec<Calibration>,
}

impl Outcome {
    /// Returns the mean of the rounds' yields (Eq. 6), in percent; a round without fetched pages
    /// counts as 0.
    pub fn mean_any_yield(&self) -> f64 {
        let yields = self.rounds.iter().map(|round| round.any_yield_percent().unwrap_or(0.0));
        yields.sum::<f64>() / self.rounds.len().max(1) as f64
    }

    /// Returns the mean of the rounds' filtered yields, in percent; a round without fetched pages
    /// counts as 0.
    pub fn mean_yield(&self) -> f64 {
        let yields = self.rounds.iter().map(|round| round.yield_percent().unwrap_or(0.0));
        yields.sum::<f64>() / self.rounds.len().max(1) as f64
    }

    /// Returns the number of pages in the language, each text once.
    pub fn unique(&self) -> usize {
        self.rounds.iter().map(|round| round.unique).sum()
    }

    /// Returns the megabytes of text in the language, each text once, per gigabyte downloaded.
    pub fn clean_per_gigabyte(&self) -> f64 {
        1000.0 * self.bytes as f64 / self.raw.max(1) as f64
    }

    /// Returns the number of pages with enough target bytes.
    pub fn relevant(&self) -> usize {
        self.rounds.iter().map(|round| round.relevant).sum()
    }

    /// Returns the share of all fetched pages that have enough target bytes, in percent. In
    /// [`Self::mean_yield`] each round counts alike, also a first round that has the seeds alone.
    pub fn whole_yield(&self) -> f64 {
        100.0 * self.relevant() as f64 / self.fetched().max(1) as f64
    }

    /// Returns the number of pages fetched.
    pub fn fetched(&self) -> usize {
        self.rounds.iter().map(|round| round.fetched).sum()
    }
}

/// Score of the seeds of a host without fetched pages: the default of `corpulyzer.score.injected`.
const INJECTED_SCORE: f32 = properties::SCORE_INJECTED.default.expect("the table has a default");
const KNOWN: u8 = 1;
const DONE: u8 = 2;
const INJECTED: u8 = 4;
/// Mark of a URL that was found on a page in the language.
const FOUND: u8 = 8;
/// Mark of a URL that was found on a page without a word in the language.
const ELSEWHERE: u8 = 16;

/// A row that may be fetched: its priority (greater comes first), then its page (smaller comes
/// first).
type Candidate = (u64, u32);

struct Crawl<'a> {
    graph: &'a Graph,
    wealth: &'a [HostWealth],
    settings: CrawlSettings,
    policy: Policy,
    rows: Vec<u8>,
    hosts: Vec<HostView>,
    found: Vec<bool>,
    /// Score of each page: with OPIC the cash that it received, with random scores the drawn
    /// number. Empty for the other rules.
    score: Vec<f32>,
    /// With OPIC the cash of each page that is not yet passed on. Empty for the other rules.
    cash: Vec<f32>,
    /// Target bytes fetched of each host in each language, host by host; empty if there is only one
    /// language.
    bytes: Vec<u64>,
    /// Weight of each language in the next batch.
    weights: Vec<f64>,
    /// The state of the policy `pages`.
    pages: Option<Pages>,
    /// The knowledge of the policy `anchors`, if that is the policy.
    anchors: Option<Anchors>,
}

/// Returns the weights of the target languages in the score of a host. The weight of a language is
/// the number of bytes that it lacks of the quota, divided by the largest such number. If no
/// language lacks text, or without a quota, all weights are 1. This is the product's rule.
pub fn weights(fetched: &[u64], quota: Option<u64>) -> Vec<f64> {
    let lacks = fetched.iter().map(|&bytes| quota.unwrap_or(0).saturating_sub(bytes) as f64);
    let most = lacks.clone().fold(0.0, f64::max);
    lacks.map(|lack| if most == 0.0 { 1.0 } else { lack / most }).collect()
}

/// Crawls a graph. The result is deterministic.
///
/// `wealth` is the result of [`Graph::wealth`] for the settings' `min_bytes`; `seed` is the seed of
/// random scores.
pub fn crawl(
    graph: &Graph,
    wealth: &[HostWealth],
    seeds: &[u32],
    settings: CrawlSettings,
    policy: Policy,
    seed: u64,
) -> Outcome {
    let languages = graph.languages();
    let several = languages > 1;
    let mut crawl = Crawl::new(graph, wealth, settings, policy, seed);
    for &page in seeds {
        crawl.rows[page as usize] = KNOWN | INJECTED;
        if policy.rule == Rule::Opic {
            // Nutch's db.score.injected.
            crawl.score[page as usize] = 1.0;
            crawl.cash[page as usize] = 1.0;
        }
    }
    let mut outcome = Outcome::default();
    if several {
        outcome.languages = vec![LanguageOutcome::default(); languages];
    }
    for round in 0..settings.rounds {
        let fetched: Vec<u64> =
            outcome.languages.iter().map(|language| language.fetched_bytes).collect();
        crawl.weights = weights(&fetched, settings.quota);
        let batch = match crawl.pages.take() {
            Some(pages) => crawl.generate_pages(pages),
            None => crawl.generate(round),
        };
        let round = crawl.fetch(&batch, &mut outcome);
        outcome.rounds.push(round);
    }
    if let Some(pages) = &crawl.pages {
        outcome.calibrations = pages.calibrations().to_vec();
    }
    outcome
}

impl<'a> Crawl<'a> {
    /// Returns a crawl that knows no page yet.
    fn new(
        graph: &'a Graph,
        wealth: &'a [HostWealth],
        settings: CrawlSettings,
        policy: Policy,
        seed: u64,
    ) -> Self {
        let (pages, languages) = (graph.pages(), graph.languages());
        let several = languages > 1;
        let mut rng = Rng::with_seed(seed);
        Self {
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
                Rule::Oracle => ideal(graph, settings.min_bytes),
                Rule::Shares => shares(graph, settings.min_bytes),
                _ => Vec::new(),
            },
            cash: if policy.rule == Rule::Opic { vec![0.0; pages] } else { Vec::new() },
            bytes: if several { vec![0; languages * graph.hosts()] } else { Vec::new() },
            weights: Vec::new(),
            pages: match policy.rule {
                Rule::Pages(percent) => Some(Pages::new(graph, percent / 100.0)),
                _ => None,
            },
            anchors: (policy.rule == Rule::Anchors)
                .then(|| Anchors::new(graph, settings.min_bytes)),
        }
    }
}

impl Crawl<'_> {
    /// Returns the next batch: the best rows by score, then by URL.
    fn generate(&self, round: usize) -> Vec<u32> {
        let min_bytes = u64::from(self.settings.min_bytes);
        let score_settings =
            ScoreSettings { unknown: self.settings.unknown, injected: INJECTED_SCORE, min_bytes };
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut unknown: Vec<Candidate> = Vec::new();
        let mut budget = (self.settings.top as f64 * self.policy.budget / 100.0).ceil() as usize;
        let weak_percent =
            if self.policy.lead > 0 { ScorePolicy::WEAK_PERCENT as usize } else { 100 };
        let mut weak_budget = (budget * weak_percent).div_ceil(100);
        for host in 0..self.graph.hosts() {
            let view = self.view(host);
            if self.policy.stops.of(view.totals, min_bytes).is_some() {
                continue;
            }
            let scores = host_scores(self.policy.rule, &view, score_settings);
            let first = candidates.len();
            let strong = self.leads(host);
            let mut probe = budget > 0 && (strong || weak_budget > 0) && self.probe(host, strong);
            budget -= usize::from(probe);
            weak_budget -= usize::from(probe && !strong);
            for page in self.graph.pages_of(host) {
                let row = self.rows[page as usize];
                if row & (KNOWN | DONE) != KNOWN {
                    continue;
                }
                let score = if let Some(own) = self.own_score(page, round) {
                    own
                } else if row & INJECTED != 0 {
                    scores.seed
                } else if row & FOUND == 0 {
                    scores.other * self.policy.other_factor
                } else if std::mem::take(&mut probe) {
                    probe_score(score_settings)
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

    /// Returns the score of a page by itself, for rules that have one. The oracle and the policies
    /// `shares` and `anchors` know when a host changes.
    fn own_score(&self, page: u32, round: usize) -> Option<f32> {
        let is_lost = || {
            let host = self.graph.host_of(page);
            matches!(self.policy.rule, Rule::Oracle | Rule::Shares | Rule::Anchors)
                && self.graph.details().is_changed(host, round)
        };
        let own = match &self.anchors {
            Some(anchors) => Some(anchors.probability(page)),
            None => self.score.get(page as usize).copied(),
        };
        own.map(|own| if is_lost() { 0.0 } else { own })
    }

    /// Returns the next batch of the policy `pages`.
    fn generate_pages(&mut self, mut pages: Pages) -> Vec<u32> {
        let min_bytes = u64::from(self.settings.min_bytes);
        let row = |page: u32| self.rows[page as usize];
        pages.weigh(self.graph, &self.weights);
        let batch = pages.generate(
            self.graph,
            self.settings.top,
            self.policy.cap.map_or(usize::MAX, |cap| cap as usize),
            |page| row(page) & (KNOWN | DONE) == KNOWN,
            |page| row(page) & INJECTED != 0,
            |host| self.policy.stops.of(self.view(host).totals, min_bytes).is_some(),
        );
        self.pages = Some(pages);
        batch
    }

    /// Returns a policy's data on a host: with several target languages its target bytes are the
    /// weighted sum of those in each language, rounded down, as in the product.
    fn view(&self, host: usize) -> HostView {
        let mut view = self.hosts[host];
        let languages = self.weights.len();
        if languages > 1 {
            let bytes = &self.bytes[languages * host..][..languages];
            let sum: f64 =
                bytes.iter().zip(&self.weights).map(|(&bytes, weight)| bytes as f64 * weight).sum();
            view.totals.target_bytes = sum as u64;
        }
        view
    }

    /// Returns whether the first row of a host that was found on a page in the language comes
    /// before everything else, within the budget.
    fn probe(&self, host: usize, strong: bool) -> bool {
        let wanted = self.policy.probe as usize;
        let elsewhere = |page: u32| self.rows[page as usize] & ELSEWHERE != 0;
        let found = |page: &u32| {
            self.rows[*page as usize] & (KNOWN | DONE | INJECTED | FOUND) == KNOWN | FOUND
        };
        wanted > 0
            && self.hosts[host].totals.fetched == 0
            && self.graph.pages_of(host).filter(found).take(wanted).count() == wanted
            && (strong || !(self.policy.only && self.graph.pages_of(host).any(elsewhere)))
    }

    /// Returns whether enough more of a new host's rows were found on pages in the language than on
    /// pages without a word in it (`Policy::lead`).
    fn leads(&self, host: usize) -> bool {
        if self.policy.lead == 0 || self.hosts[host].totals.fetched > 0 {
            return false;
        }
        let rows = self.graph.pages_of(host).map(|page| self.rows[page as usize]);
        let lead: i64 =
            rows.map(|row| i64::from(row & FOUND != 0) - i64::from(row & ELSEWHERE != 0)).sum();
        lead >= i64::from(self.policy.lead)
    }

    /// Returns the priority of a row; greater comes first.
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
        for language in &mut outcome.languages {
            language.any.push(0);
            language.relevant.push(0);
        }
        let now = outcome.rounds.len();
        for &page in batch {
            self.rows[page as usize] |= DONE;
            let Some(target) = self.graph.target_in(page, now) else {
                round.gone += 1;
                if let Some(pages) = &mut self.pages {
                    pages.fetched(self.graph, page, None);
                }
                continue;
            };
            let host = self.graph.host_of(page);
            let raw = u64::from(self.graph.raw(page));
            let view = &mut self.hosts[host];
            view.totals = view.totals.merge(HostTotals::page(u64::from(target)).with_raw(raw));
            round.fetched += 1;
            outcome.raw += raw;
            round.any += usize::from(target > 0);
            let language = self.graph.language(page);
            let languages = outcome.languages.len();
            if let Some(own) = outcome.languages.get_mut(language) {
                own.any[now] += usize::from(target > 0);
                own.relevant[now] += usize::from(target >= self.settings.min_bytes);
                own.fetched_bytes += u64::from(target);
                self.bytes[languages * host + language] += u64::from(target);
            }
            if let Some(pages) = &mut self.pages {
                let kept = target >= self.settings.min_bytes;
                pages.fetched(self.graph, page, Some(if kept { u64::from(target) } else { 0 }));
            }
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
            self.follow(page, now);
        }
        round
    }

    /// Follows a page's links like Nutch's updatedb, after all totals of the round are known.
    fn follow(&mut self, page: u32, round: usize) {
        let Some(target) = self.graph.target_in(page, round) else { return };
        let host = self.graph.host_of(page);
        let links = self.graph.links_of(page);
        let flags = match target {
            0 => KNOWN | ELSEWHERE,
            bytes if bytes >= self.settings.min_bytes => KNOWN | FOUND,
            _ => KNOWN,
        };
        if let Some(pages) = &mut self.pages {
            let rows = &self.rows;
            let is_done = |page: u32| rows[page as usize] & DONE != 0;
            pages.follow(self.graph, page, target >= self.settings.min_bytes, is_done);
        }
        if let Some(anchors) = &mut self.anchors {
            anchors.follow(self.graph, page);
        }
        let totals = self.view(host).totals;
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

/// Returns the `count` best candidates, in any order.
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
