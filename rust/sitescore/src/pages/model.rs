//! The model that a crawl learns of its pages: the probability of the language, and the bytes to
//! expect.

use super::evidence::{Evidence, CLASSES};
use super::host::{Counts, Host};
use super::logistic::{logit, sigma, Logistic, NewtonSums};
use super::sections::{parent, Sections};
use super::tokens::Tokens;
use std::collections::HashMap;

/// Features of a host: 1, whether a seed was fetched, and the logarithms of its links from other
/// hosts by class.
const HOST_FEATURES: usize = 6;
/// Features of a row: 1, the logit of its section, its links, its `hreflang`, its names.
const ROW_FEATURES: usize = 3 + CLASSES + 2;
/// Pages that the prior of a host is worth.
const HOST_PAGES: f64 = 1.0;
/// Exponents of 2 of the numbers of pseudo-pages that are tried for a section.
const SECTION_EXPONENTS: std::ops::RangeInclusive<i32> = -2..=6;
const SECTION_TRIALS: usize = 9;
/// Precision of a weight that is not learned.
const FIXED: f64 = 1e4;
/// Newton steps of an update.
const STEPS: usize = 2;

/// What the crawl knew of the host of a row when it predicted the row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Level {
    /// Not predicted: a seed.
    #[default]
    None,
    /// No page of the host in the language was fetched.
    NewHost,
    /// Pages of the host in the language were fetched.
    Known,
}

/// A row's prediction. The row keeps `section` and `level` when it is fetched; the next update
/// learns from them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Prediction {
    /// Probability of the language.
    pub p: f64,
    /// Probability times the expected bytes of a page in the language.
    pub score: f64,
    /// Logit of the probability by host and section alone.
    pub section: f32,
    /// What the crawl knows of the host.
    pub level: Level,
}

/// A fetched row, to learn from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Links before the fetch.
    pub links: Evidence,
    /// [`Prediction::section`] before the fetch.
    pub section: f32,
    /// [`Prediction::level`] before the fetch.
    pub level: Level,
    /// [`Model::names`] of the row. [`Model::sample`] sets it.
    pub names: f64,
    /// Whether the page was kept.
    pub kept: bool,
}

/// The state that a crawl learns. It is a function of the crawl's rows and of the weights of the
/// round before.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Share of the crawl's pages in the language.
    pub base: f64,
    /// Pseudo-pages of the prior of a section: many if sections are like their host.
    pub section_pages: f64,
    /// Expected bytes of a page in the language.
    pub page_bytes: f64,
    /// Mean of the logarithms of the bytes of pages in the language.
    log_bytes: f64,
    /// Pages whose mean is as certain as the mean over hosts: the variance of the logarithms of
    /// bytes within hosts divided by that between hosts.
    byte_pages: f64,
    /// Pages in the language of a host that has some.
    pub pages_of_host: f64,
    names: Tokens,
    host: Logistic<HOST_FEATURES>,
    rows: Logistic<ROW_FEATURES>,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            base: 0.1,
            section_pages: 1.0,
            page_bytes: 1.0,
            log_bytes: 0.0,
            byte_pages: BYTE_PAGES,
            pages_of_host: 1.0,
            names: Tokens::default(),
            host: Logistic::new(
                [-2.0, 1.0, -0.5, -0.5, 0.5, 0.5],
                [0.25, 0.25, 1.0, 1.0, 1.0, 1.0],
            ),
            rows: row_model(),
        }
    }
}

/// Returns the model of rows before the first sample: links on pages in the language, anchors and
/// `hreflang` in the language raise the probability, others lower it. One model for all rows learns
/// as much as one for each [`Level`] (docs/adr/0013-an-order-of-pages.md).
fn row_model() -> Logistic<ROW_FEATURES> {
    let means = [-0.5, 1.0, -1.2, 1.0, -0.6, 1.4, -1.2, 1.0, -0.6, 1.4, 2.0, -2.0, 1.6];
    let mut precisions = [1.0; ROW_FEATURES];
    // A free weight would be learned from the rows that were chosen, and forgive known bad hosts.
    precisions[1] = FIXED;
    Logistic::new(means, precisions)
}

fn host_features(host: &Host) -> [f64; HOST_FEATURES] {
    let mut features = [1.0; HOST_FEATURES];
    features[1] = f64::from(u8::from(host.seeded));
    for (feature, &links) in features[2..].iter_mut().zip(&host.external) {
        *feature = (links as f64).ln_1p();
    }
    features
}

fn row_features(section: f32, links: &Evidence, names: f64) -> [f64; ROW_FEATURES] {
    let mut features = [1.0; ROW_FEATURES];
    features[1] = f64::from(section);
    let counts = links.links.iter().chain(&links.hreflang);
    for (feature, &count) in features[2..].iter_mut().zip(counts) {
        *feature = f64::from(count).ln_1p();
    }
    features[ROW_FEATURES - 1] = names;
    features
}

/// Returns the mean of a share after its pages, given its mean before, worth a number of pages.
fn posterior(counts: Counts, prior: f64, pages: f64) -> f64 {
    (f64::from(counts.kept) + pages * prior) / (f64::from(counts.fetched) + pages)
}

impl Model {
    /// Returns what the names of a row's sections say, from the sections of other hosts.
    pub fn names(&self, host: &Host, sections: &Sections) -> f64 {
        self.names.logit(host, sections, self.base)
    }

    /// Returns a fetched row as the model sees it now: with the names of its sections, and if its
    /// host was new, with the share that is expected of such a host now. What was expected before
    /// the first pages in the language may be far off, and the weights of links would learn this
    /// error as if it were one of all rows.
    pub fn sample(&self, host: &Host, sections: &Sections, row: &Sample) -> Sample {
        let section = match row.level {
            Level::NewHost => self.host.logit(&host_features(host)) as f32,
            Level::None | Level::Known => row.section,
        };
        Sample { section, names: self.names(host, sections), ..*row }
    }

    /// Returns the numbers that the next round needs of this one; the others follow from the rows.
    pub(super) fn learned(&mut self) -> Vec<&mut f64> {
        [&mut self.page_bytes, &mut self.pages_of_host]
            .into_iter()
            .chain(&mut self.host.weights)
            .chain(&mut self.rows.weights)
            .collect()
    }

    /// Prepares the predictions of a host's rows.
    pub fn of_host<'a>(&'a self, host: &'a Host) -> HostModel<'a> {
        HostModel { model: self, host, expected: self.expected(host) }
    }

    /// Returns what to expect of a host's pages.
    pub(super) fn expected(&self, host: &Host) -> Expected {
        let prior = sigma(self.host.logit(&host_features(host)));
        let kept = f64::from(host.counts.kept);
        let longer = (host.log_bytes - kept * self.log_bytes) / (kept + self.byte_pages);
        Expected {
            share: posterior(host.counts, prior, HOST_PAGES),
            bytes: self.page_bytes * (BYTE_EXPONENT * longer).exp(),
        }
    }

    /// As [`Self::of_host`], with the result of [`Self::expected`].
    pub(super) fn of_known<'a>(&'a self, host: &'a Host, expected: Expected) -> HostModel<'a> {
        HostModel { model: self, host, expected }
    }

    /// Learns from a crawl: four passes over the hosts' sums and two over the fetched rows. Each
    /// pass calls its argument for every host or row, in any order. Memory does not depend on
    /// their number.
    pub fn update(
        &mut self,
        hosts: impl Fn(&mut dyn FnMut(&Host)),
        rows: impl Fn(&Self, &mut dyn FnMut(&Sample)),
    ) {
        let mut totals = Totals::default();
        hosts(&mut |host| totals.add(host));
        self.learn_totals(&totals);
        let mut sections = SectionSums::default();
        hosts(&mut |host| sections.add(self.base, host));
        self.learn_sections(sections);
        for _ in 0..STEPS {
            let mut sums = NewtonSums::default();
            hosts(&mut |host| self.add_host(host, &mut sums));
            self.host.step(&sums);
            let mut sums = RowSums::default();
            rows(self, &mut |sample| self.add_row(sample, &mut sums));
            self.learn_rows(&sums);
        }
    }

    /// Learns the share of the crawl and the bytes of a page.
    pub fn learn_totals(&mut self, totals: &Totals) {
        self.base = (totals.kept + 0.5) / (totals.fetched + 5.0);
        self.pages_of_host = totals.kept / totals.hosts.max(1.0);
        if totals.hosts > 0.0 {
            self.page_bytes = totals.bytes / totals.kept;
            (self.log_bytes, self.byte_pages) = totals.log_bytes();
        }
    }

    /// Learns the names of sections, and how far sections are like their hosts.
    pub fn learn_sections(&mut self, sums: SectionSums) {
        self.section_pages = sums.pages();
        self.names = sums.names;
    }

    /// Adds a host as a sample of the model of hosts.
    pub fn add_host(&self, host: &Host, sums: &mut NewtonSums<HOST_FEATURES>) {
        if host.counts.fetched > 0 {
            sums.add(&self.host, &host_features(host), host.counts.share());
        }
    }

    /// Adds a fetched row as a sample of the model of rows. Seeds are no samples: they were not
    /// chosen by their links.
    pub fn add_row(&self, sample: &Sample, sums: &mut RowSums) {
        if sample.level != Level::None {
            let features = row_features(sample.section, &sample.links, sample.names);
            sums.add(&self.rows, &features, f64::from(u8::from(sample.kept)));
        }
    }

    /// Moves the model of rows by one Newton step.
    pub fn learn_rows(&mut self, sums: &RowSums) {
        self.rows.step(sums);
    }
}

/// Sums over rows for one Newton step.
pub type RowSums = NewtonSums<ROW_FEATURES>;

/// Sums over the hosts of a crawl.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Totals {
    fetched: f64,
    kept: f64,
    /// Hosts with a kept page.
    hosts: f64,
    bytes: f64,
    log_bytes: f64,
    /// Squares of the numbers of kept pages.
    kept_squares: f64,
    /// Squares of logarithms of bytes that the means of hosts explain, and the others.
    between: f64,
    within: f64,
}

impl Totals {
    /// Adds a host.
    pub fn add(&mut self, host: &Host) {
        self.fetched += f64::from(host.counts.fetched);
        let kept = f64::from(host.counts.kept);
        if host.counts.kept == 0 {
            return;
        }
        self.kept += kept;
        self.hosts += 1.0;
        self.bytes += host.bytes;
        self.kept_squares += kept * kept;
        self.log_bytes += host.log_bytes;
        let explained = host.log_bytes * host.log_bytes / kept;
        self.between += explained;
        self.within += (host.log_squares - explained).max(0.0);
    }

    /// Returns the sum of both.
    #[must_use]
    pub fn merge(self, other: &Self) -> Self {
        Self {
            fetched: self.fetched + other.fetched,
            kept: self.kept + other.kept,
            hosts: self.hosts + other.hosts,
            bytes: self.bytes + other.bytes,
            log_bytes: self.log_bytes + other.log_bytes,
            kept_squares: self.kept_squares + other.kept_squares,
            between: self.between + other.between,
            within: self.within + other.within,
        }
    }

    /// Returns the mean of the logarithms of a kept page's bytes, and their variance within hosts
    /// divided by that between them (analysis of variance). While there are few hosts, the quotient
    /// is held near [`BYTE_PAGES`], as if [`BYTE_HOSTS`] more hosts had shown it.
    fn log_bytes(&self) -> (f64, f64) {
        let mean = self.log_bytes / self.kept;
        let within = self.within / (self.kept - self.hosts).max(1.0);
        let free = self.hosts - 1.0;
        let unit = self.kept - self.kept_squares / self.kept;
        let explained = self.between - self.kept * mean * mean - free * within;
        let between = if unit > 0.0 { explained.max(0.0) / unit } else { 0.0 };
        let share = between / (between + within).max(1e-9);
        let prior = 1.0 / (1.0 + BYTE_PAGES);
        let share = (free * share + BYTE_HOSTS * prior) / (free + BYTE_HOSTS);
        (mean, (1.0 / share - 1.0).clamp(MIN_BYTE_PAGES, MAX_BYTE_PAGES))
    }
}

/// Exponent of the bytes of a host, divided by those of all hosts. With 1 a round has the most
/// bytes in the language, with 0 the most pages (docs/adr/0013-an-order-of-pages.md).
const BYTE_EXPONENT: f64 = 0.5;
/// [`Model::byte_pages`] before the first pages.
const BYTE_PAGES: f64 = 2.0;
/// Weight of this value, as a number of hosts.
const BYTE_HOSTS: f64 = 10.0;
/// Limits of [`Model::byte_pages`].
const MIN_BYTE_PAGES: f64 = 0.1;
const MAX_BYTE_PAGES: f64 = 100.0;

/// Sums over the sections of a crawl.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SectionSums {
    /// Logarithm of the likelihood of all sections, for each number of pseudo-pages.
    likelihoods: [f64; SECTION_TRIALS],
    names: Tokens,
}

impl SectionSums {
    /// Adds the sections of a host, given the crawl's share of pages in the language.
    pub fn add(&mut self, base: f64, host: &Host) {
        self.names.add(base, host);
        for (_, counts, around) in host.sections() {
            let others = f64::from(around.fetched - counts.fetched);
            let kept = f64::from(around.kept.saturating_sub(counts.kept));
            let mean = ((kept + base) / (others + 1.0)).clamp(0.01, 0.99);
            for (sum, exponent) in self.likelihoods.iter_mut().zip(SECTION_EXPONENTS) {
                *sum += beta_binomial(counts, mean, f64::from(exponent).exp2());
            }
        }
    }

    /// Adds the sections of other hosts.
    pub fn merge(&mut self, other: &Self) {
        for (sum, more) in self.likelihoods.iter_mut().zip(&other.likelihoods) {
            *sum += more;
        }
        self.names.merge(&other.names);
    }

    /// Returns the number of pseudo-pages: the geometric mean under the posterior, with a
    /// log-normal prior around 1.
    fn pages(&self) -> f64 {
        let logs = SECTION_EXPONENTS.map(|exponent| f64::from(exponent) * std::f64::consts::LN_2);
        let weighed: Vec<(f64, f64)> = (logs.zip(self.likelihoods))
            .map(|(log, likelihood)| (log, likelihood - log * log / 4.0))
            .collect();
        let most = weighed.iter().map(|&(_, weight)| weight).fold(f64::MIN, f64::max);
        let sum: f64 = weighed.iter().map(|(_, weight)| (weight - most).exp()).sum();
        let mean: f64 = weighed.iter().map(|(log, weight)| log * (weight - most).exp()).sum();
        (mean / sum).exp()
    }
}

/// Returns the logarithm of the probability of a section's counts, up to a constant, if its share
/// is drawn from a beta distribution of this mean and number of pseudo-pages.
fn beta_binomial(counts: Counts, mean: f64, pages: f64) -> f64 {
    let (kept, fetched) = (f64::from(counts.kept), f64::from(counts.fetched));
    let ln_beta = |a: f64, b: f64| libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let (a, b) = (pages * mean, pages * (1.0 - mean));
    ln_beta(a + kept, b + fetched - kept) - ln_beta(a, b)
}

/// What a host's pages have in common.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Expected {
    /// Share of the host's pages in the language.
    share: f64,
    /// Bytes of its pages in the language, between those and the mean over hosts.
    bytes: f64,
}

/// What the pages of the same sections have in common.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    /// Logit of the share of pages in the language.
    logit: f64,
    /// [`Model::names`] of the sections.
    names: f64,
}

/// A host under a model: predicts its rows.
#[derive(Debug, Clone, Copy)]
pub struct HostModel<'a> {
    model: &'a Model,
    host: &'a Host,
    expected: Expected,
}

impl HostModel<'_> {
    /// Returns whether no page of the host in the language was fetched.
    pub fn is_new(&self) -> bool {
        self.host.counts.kept == 0
    }

    /// Predicts a row.
    pub fn predict(&self, sections: &Sections, links: &Evidence) -> Prediction {
        self.predict_in(&self.around(sections), links)
    }

    /// Predicts a row of the sections of [`Self::around`].
    pub(super) fn predict_in(&self, around: &Around, links: &Evidence) -> Prediction {
        let section = around.logit as f32;
        let level = if self.is_new() { Level::NewHost } else { Level::Known };
        let p = sigma(self.model.rows.logit(&row_features(section, links, around.names)));
        Prediction { p, score: p * self.expected.bytes, section, level }
    }

    /// Returns what pages of these sections have in common.
    pub(super) fn around(&self, sections: &Sections) -> Around {
        Around { logit: self.section(sections), names: self.model.names(self.host, sections) }
    }

    /// Returns whether the page itself may be the front page of a section, so that it differs from
    /// the other pages of its directory.
    pub(super) fn is_front(&self, sections: &Sections) -> bool {
        sections
            .front()
            .is_some_and(|key| self.host.section(key).is_some() || self.model.names.has(key))
    }

    /// Returns the logit of a section's share, shrunk level by level towards the host's.
    fn section(&self, sections: &Sections) -> f64 {
        let mut sum = logit(self.expected.share);
        let mut values: HashMap<&str, f64> = HashMap::new();
        let front = sections.front().filter(|key| self.host.section(key).is_some());
        let directories = sections.directories().chain(front).map(|key| (key, true));
        for (key, nests) in directories.chain(sections.parameters().map(|key| (key, false))) {
            let Some(counts) = self.host.section(key) else { continue };
            let around =
                parent(key).and_then(|key| values.get(key)).copied().unwrap_or(self.expected.share);
            let same = counts.fetched == self.host.around(key).fetched;
            let value = match same {
                true => around,
                false => posterior(counts, around, self.model.section_pages),
            };
            sum += logit(value) - logit(around);
            if nests {
                values.insert(key, value);
            }
        }
        sum
    }
}
