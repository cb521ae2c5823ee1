//! The policy `pages` of [`sitescore::pages`] in a simulated crawl.

use crate::details;
use crate::graph::Graph;
use sitescore::pages::{
    Account, Calibration, Evidence, Host, Level, Model, Prediction, Sample, Sections,
};
use std::collections::HashMap;

/// A row of the crawl.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    links: Evidence,
    section: f32,
    level: Level,
    /// Target bytes, not weighted; 0 if the page was not kept.
    bytes: u64,
}

/// The rows and hosts of a crawl under the policy `pages`.
pub struct Pages {
    model: Model,
    account: Account,
    hosts: Vec<Host>,
    rows: Vec<Row>,
    /// Pages that were fetched with a response.
    fetched: Vec<u32>,
    /// Weights of the target languages; empty if there is only one.
    weights: Vec<f64>,
    /// Probabilities of the rows in the last batch, seeds excepted, and whether their host is new.
    predicted: HashMap<u32, (f64, bool)>,
    /// Predictions of each round, compared with what was found.
    calibrations: Vec<Calibration>,
    /// Sections of a URL, by number.
    sections: Vec<Sections>,
}

impl Pages {
    /// Returns the state before the first round. `share`: share of a round's expected bytes for
    /// new hosts.
    pub fn new(graph: &Graph, share: f64) -> Self {
        let details = graph.details();
        let mut hosts = vec![Host::default(); graph.hosts()];
        for (host, label) in hosts.iter_mut().zip(&details.labels) {
            host.labels = Some(*label)
                .filter(|label| !label.is_empty())
                .map(str::to_owned)
                .into_iter()
                .collect();
        }
        let mut sections = details.sections.clone();
        if sections.is_empty() {
            sections.push(Sections::of("/"));
        }
        Self {
            model: Model::default(),
            account: Account::new(share),
            hosts,
            rows: vec![Row::default(); graph.pages()],
            fetched: Vec::new(),
            weights: Vec::new(),
            predicted: HashMap::new(),
            calibrations: Vec::new(),
            sections,
        }
    }

    /// Chooses the next batch of `top` pages: seeds of hosts without a fetched page, then the best
    /// rows.
    ///
    /// - `cap`: most pages of a host.
    /// - `is_open`: whether a page may be fetched.
    /// - `is_seed`: whether it is a seed.
    /// - `is_stopped`: whether a rule stops a host.
    pub fn generate(
        &mut self,
        graph: &Graph,
        top: usize,
        cap: usize,
        is_open: impl Fn(u32) -> bool,
        is_seed: impl Fn(u32) -> bool,
        is_stopped: impl Fn(usize) -> bool,
    ) -> Vec<u32> {
        self.learn(graph);
        let mut batch = Vec::new();
        for host in (0..graph.hosts()).filter(|&host| !is_stopped(host)) {
            if self.hosts[host].counts.fetched == 0 {
                let seeds = graph.pages_of(host).filter(|&page| is_open(page) && is_seed(page));
                batch.extend(seeds.take(cap));
            }
        }
        batch.truncate(top);
        let mut candidates = self.account.candidates(top).with_cap(cap);
        candidates.set_top(top - batch.len());
        let mut all = HashMap::new();
        for host in (0..graph.hosts()).filter(|&host| !is_stopped(host)) {
            let sums = &self.hosts[host];
            let of_host = self.model.of_host(sums);
            let seeds_first = sums.counts.fetched == 0;
            for page in graph.pages_of(host) {
                if !is_open(page) || (seeds_first && is_seed(page)) {
                    continue;
                }
                let row = &mut self.rows[page as usize];
                let sections = &self.sections[graph.details().section(page)];
                let prediction: Prediction = of_host.predict(sections, &row.links);
                (row.section, row.level) = (prediction.section, prediction.level);
                all.insert(page, (prediction.p, of_host.is_new()));
                candidates.add(u64::from(page), &prediction);
            }
            candidates.end_host(of_host.is_new());
        }
        let chosen = self.account.choose(candidates, self.model.pages_of_host);
        let chosen: Vec<u32> = chosen.iter().map(|chosen| chosen.row as u32).collect();
        self.predicted = chosen.iter().map(|page| (*page, all[page])).collect();
        self.calibrations.push(Calibration::default());
        batch.extend(chosen);
        batch
    }

    /// Sets the weights of the target languages. As in the product, they are those of all pages,
    /// also of those that were fetched before.
    pub fn weigh(&mut self, graph: &Graph, weights: &[f64]) {
        if self.weights == weights {
            return;
        }
        self.weights = weights.to_vec();
        for host in &mut self.hosts {
            let before = std::mem::take(host);
            host.external = before.external;
            host.seeded = before.seeded;
            host.labels = before.labels;
        }
        for &page in &self.fetched {
            let bytes = self.weighted(graph, page);
            let sections = &self.sections[graph.details().section(page)];
            self.hosts[graph.host_of(page)].add_page(sections, bytes);
        }
    }

    /// Returns the weighted bytes of a fetched page: at least 1 if it was kept, as in the product.
    fn weighted(&self, graph: &Graph, page: u32) -> u64 {
        let bytes = self.rows[page as usize].bytes;
        let weight = self.weights.get(graph.language(page)).copied().unwrap_or(1.0);
        ((bytes as f64 * weight) as u64).max(bytes.min(1))
    }

    /// Learns from all rows that were fetched so far.
    fn learn(&mut self, graph: &Graph) {
        if self.fetched.is_empty() {
            return;
        }
        let Self { model, hosts, rows, fetched, sections, .. } = self;
        let pass = |model: &Model, each: &mut dyn FnMut(&Sample)| {
            for &page in fetched.iter() {
                let row = &rows[page as usize];
                let host = &hosts[graph.host_of(page)];
                let Row { links, section, level, bytes } = *row;
                let sample = Sample { links, section, level, names: 0.0, kept: bytes > 0 };
                each(&model.sample(host, &sections[graph.details().section(page)], &sample));
            }
        };
        model.update(|each| hosts.iter().for_each(each), pass);
    }

    /// Takes in the result of a fetch: target bytes, 0 if the page is not kept; `None` without a
    /// response.
    pub fn fetched(&mut self, graph: &Graph, page: u32, bytes: Option<u64>) {
        self.rows[page as usize].bytes = bytes.unwrap_or(0);
        let bytes = bytes.map(|_| self.weighted(graph, page));
        if let Some(&(p, is_new)) = self.predicted.get(&page) {
            if is_new {
                self.account.charge(p, bytes.unwrap_or(0) as f64, self.model.page_bytes);
            }
            if let (Some(bytes), Some(calibration)) = (bytes, self.calibrations.last_mut()) {
                calibration.add(p, bytes > 0);
            }
        }
        let Some(bytes) = bytes else { return };
        let sections = &self.sections[graph.details().section(page)];
        let host = &mut self.hosts[graph.host_of(page)];
        host.add_page(sections, bytes);
        host.seeded |= self.rows[page as usize].level == Level::None;
        self.fetched.push(page);
    }

    /// Returns the predictions of each round, compared with what was found.
    pub fn calibrations(&self) -> &[Calibration] {
        &self.calibrations
    }

    /// Adds the links of a fetched page to the rows they lead to. Rows that were fetched keep what
    /// was known before.
    pub fn follow(
        &mut self,
        graph: &Graph,
        page: u32,
        in_language: bool,
        is_done: impl Fn(u32) -> bool,
    ) {
        let links = graph.links_of(page).iter().zip(graph.marks_of(page));
        for (&to, marks) in links {
            let link = details::link(graph, page, to, in_language, marks);
            let mut evidence = Evidence::default();
            evidence.add(link);
            self.hosts[graph.host_of(to)].add_links(&evidence);
            if !is_done(to) {
                let row = &mut self.rows[to as usize];
                row.links.add(link);
            }
        }
    }
}
