//! The choice of a round's pages: the best rows, and probes of new hosts that an account pays.

use super::model::Prediction;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Divisor of a round's pages for the most pages of a host in it.
const HOST_PART: usize = 2;
/// Factor of the score of each further row of a new host: rows of a host are mostly alike, so that a
/// second one tells less.
const NEXT_ROW: f64 = 0.5;
/// Pages of a round from which on it spends [`Account::share`] on new hosts; smaller ones spend more.
const SMALL_ROUND: f64 = 100.0;
/// Factor of the counts of earlier rounds in the record of new hosts.
const MEMORY: f64 = 0.7;

/// A row that may be fetched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The row, by its place in the order of URLs.
    pub row: u64,
    /// Its score. For rows of new hosts, [`Account::discount`] is applied.
    pub score: f64,
    /// Its probability of the language.
    pub p: f64,
    /// A number that rows of the same registered domain share.
    pub group: u64,
    /// Whether it is the best row of its host.
    pub first: bool,
}

impl Candidate {
    fn order(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.row.cmp(&other.row))
    }
}

/// A chosen row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chosen {
    /// Number of the row among those of the pass.
    pub row: u64,
    /// Whether it is a probe: a row of a new host that comes before better rows.
    pub probe: bool,
    /// Its score, with the discount of new hosts; 0 for a seed.
    pub score: f64,
}

/// Collects the candidates of a round, host by host, in memory that depends on the size of a round
/// only.
#[derive(Debug, Clone)]
pub struct Candidates {
    top: usize,
    /// Most rows of a host.
    cap: usize,
    /// Most rows of a group.
    group_cap: usize,
    discount: f64,
    host: Vec<Candidate>,
    known: Vec<Candidate>,
    /// The rows of new hosts.
    new: Vec<Candidate>,
}

impl Candidates {
    /// Adds a row of the current host. Its score is that of its prediction.
    pub fn add(&mut self, row: u64, prediction: &Prediction) {
        self.add_of_group(row, 0, prediction);
    }

    /// Adds a row of the current host, with its group.
    pub(super) fn add_of_group(&mut self, row: u64, group: u64, prediction: &Prediction) {
        self.host.push(Candidate {
            row,
            score: prediction.score,
            p: prediction.p,
            group,
            first: true,
        });
        let cap = self.cap;
        if self.host.len() > 2 * cap + 64 {
            keep_best(&mut self.host, cap);
        }
    }

    /// Ends the current host. Each further row of a host without a page in the language has half of
    /// the score, and only the best one can be a probe.
    pub fn end_host(&mut self, is_new: bool) {
        keep_best(&mut self.host, self.cap);
        if is_new {
            self.host.sort_unstable_by(Candidate::order);
            let mut factor = self.discount;
            for row in &mut self.host {
                row.score *= factor;
                factor *= NEXT_ROW;
            }
            self.host.iter_mut().skip(1).for_each(|row| row.first = false);
            self.new.append(&mut self.host);
        } else {
            self.known.append(&mut self.host);
        }
        let most = 2 * self.top;
        for rows in [&mut self.known, &mut self.new] {
            if rows.len() > 2 * most + 64 {
                // Otherwise the rows of one group could take the place of all others, and most of
                // them be left out of the round afterwards.
                keep_best_of_groups(rows, self.group_cap);
                keep_best(rows, most);
            }
        }
    }

    /// Sets a smaller number of rows that a host has at most.
    #[must_use]
    pub fn with_cap(mut self, cap: usize) -> Self {
        self.cap = self.cap.min(cap).max(1);
        self
    }

    /// Sets the number of rows that a group has at most. [`Account::choose`] does not enforce it.
    #[must_use]
    pub(super) fn with_group_cap(mut self, cap: usize) -> Self {
        self.group_cap = cap;
        self
    }

    pub(super) fn group_cap(&self) -> usize {
        self.group_cap
    }

    pub(super) fn cap(&self) -> usize {
        self.cap
    }

    /// Sets a smaller number of rows of the round.
    pub fn set_top(&mut self, top: usize) {
        self.top = self.top.min(top);
    }

    /// Returns all rows of the hosts that ended.
    pub(super) fn all(&self) -> impl Iterator<Item = &Candidate> {
        self.known.iter().chain(&self.new)
    }

    /// Removes rows.
    pub(super) fn retain(&mut self, keep: impl Fn(&Candidate) -> bool) {
        for rows in [&mut self.known, &mut self.new] {
            rows.retain(&keep);
        }
    }
}

/// Keeps the best rows, in any order.
fn keep_best(rows: &mut Vec<Candidate>, count: usize) {
    if count < rows.len() {
        rows.select_nth_unstable_by(count, Candidate::order);
        rows.truncate(count);
    }
}

/// Keeps the best rows of each group.
fn keep_best_of_groups(rows: &mut Vec<Candidate>, count: usize) {
    if count < rows.len() {
        rows.sort_unstable_by(Candidate::order);
        let mut taken: HashMap<u64, usize> = HashMap::new();
        rows.retain(|row| {
            let of_group = taken.entry(row.group).or_default();
            *of_group += 1;
            *of_group <= count
        });
    }
}

/// The account from which probes of new hosts are paid, in target bytes.
///
/// A round pays in a share of its expected bytes. A probe costs what the round could have had
/// instead, less what it gave, and is charged after its fetch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Account {
    /// Share of a round's expected bytes that may be spent on new hosts.
    pub share: f64,
    /// Bytes left, below 0 after misses.
    balance: f64,
    /// Score of the last row of the round.
    margin: f64,
    /// Pages in the language that rows of new hosts gave in earlier rounds, and those expected.
    hits: f64,
    expected: f64,
}

impl Account {
    /// Share by default.
    pub const SHARE: f64 = 0.03;

    /// Returns an empty account.
    pub fn new(share: f64) -> Self {
        Self { share, balance: 0.0, margin: 0.0, hits: 0.0, expected: 0.0 }
    }

    /// Returns the factor for the scores of new hosts, at most 1: hits of earlier rounds by
    /// expected hits.
    pub fn discount(&self) -> f64 {
        ((self.hits + 2.0) / (self.expected + 4.0)).min(1.0)
    }

    /// Returns the bytes left, below 0 after misses.
    pub fn balance(&self) -> f64 {
        self.balance
    }

    /// Returns the numbers that the next round needs of this one.
    pub(super) fn learned(&mut self) -> [&mut f64; 4] {
        let Self { balance, margin, hits, expected, .. } = self;
        [balance, margin, hits, expected]
    }

    /// Begins a round of `top` pages.
    pub fn candidates(&self, top: usize) -> Candidates {
        let none = Vec::new;
        let discount = self.discount();
        let cap = (top / HOST_PART).max(1);
        let group_cap = usize::MAX;
        Candidates { top, cap, group_cap, discount, host: none(), known: none(), new: none() }
    }

    /// Chooses the rows of a round, best first, behind its probes.
    ///
    /// `pages_of_host`: kept pages of a host so far. A crawl is half done on average, so a new host
    /// is expected to have twice as many.
    pub fn choose(&mut self, candidates: Candidates, pages_of_host: f64) -> Vec<Chosen> {
        self.hits *= MEMORY;
        self.expected *= MEMORY;
        let Candidates { top, mut known, mut new, .. } = candidates;
        known.sort_unstable_by(Candidate::order);
        new.sort_unstable_by(Candidate::order);
        let (mut best, in_batch) = merged(&known, &new, top);
        self.margin =
            if best.len() == top { best.last().map_or(0.0, |row| row.score) } else { 0.0 };
        let sum: f64 = best.iter().map(|row| row.score).sum();
        let probes = self.probes(&new[in_batch..], sum, top, pages_of_host);
        best.truncate(top - probes.len().min(top));
        let chosen =
            |probe| move |Candidate { row, score, .. }: Candidate| Chosen { row, probe, score };
        probes.into_iter().map(chosen(true)).chain(best.into_iter().map(chosen(false))).collect()
    }

    /// Returns the share of a round's expected bytes that it pays in: twice [`Self::share`] in
    /// rounds of [`SMALL_ROUND`] / 2 pages or fewer, which would otherwise pay for a page or two.
    fn share_of(&self, top: usize) -> f64 {
        (self.share * (SMALL_ROUND / top as f64).clamp(1.0, 2.0)).min(1.0)
    }

    /// Chooses probes among the best rows of new hosts, best first, as long as the account covers
    /// their expected cost, and finding a host costs at most the pages of a host.
    fn probes(
        &mut self,
        new: &[Candidate],
        sum: f64,
        top: usize,
        pages_of_host: f64,
    ) -> Vec<Candidate> {
        let income = self.share_of(top) * sum;
        self.balance = (self.balance.max(-income) + income).min(income);
        let mut left = self.balance;
        let mut probes = Vec::new();
        for row in new.iter().filter(|row| row.first) {
            let cost = (self.margin - row.score).max(0.0);
            let is_worth = cost <= self.margin * 2.0 * pages_of_host * row.p;
            if probes.len() == top / 2 || cost > left || !is_worth {
                break;
            }
            left -= cost;
            probes.push(*row);
        }
        probes
    }

    /// Charges the fetch of a row of a new host that is no seed.
    ///
    /// - `p`: its probability of the language before the fetch.
    /// - `bytes`: its target bytes, 0 if it was not kept.
    /// - `page_bytes`: expected bytes of a page in the language.
    pub fn charge(&mut self, p: f64, bytes: f64, page_bytes: f64) {
        self.balance -= self.margin - bytes.min(self.margin.max(page_bytes));
        self.expected += p;
        self.hits += f64::from(u8::from(bytes > 0.0));
    }
}

/// Returns the best `top` rows of two sorted lists, and the number of those from the second.
fn merged(known: &[Candidate], new: &[Candidate], top: usize) -> (Vec<Candidate>, usize) {
    let (mut at, mut best) = (0, Vec::with_capacity(top.min(known.len() + new.len())));
    let mut known = known.iter().peekable();
    while best.len() < top {
        let of_new = new.get(at);
        let take_new = match (known.peek(), of_new) {
            (None, None) => break,
            (Some(known), Some(new)) => new.order(known).is_lt(),
            (known, _) => known.is_none(),
        };
        if take_new {
            best.extend(of_new);
            at += 1;
        } else {
            best.extend(known.next());
        }
    }
    (best, at)
}
