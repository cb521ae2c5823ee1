//! Names of sections that carry over from host to host.

use super::host::{Counts, Host};
use super::logistic::logit;
use super::sections::{token, Sections};
use std::collections::HashMap;

/// Most names that are kept. If there are more than twice as many, those of the fewest sections are
/// left out.
const MAX_TOKENS: usize = 1 << 16;
/// Largest logit of a name, in either direction.
const MAX_LOGIT: f64 = 4.0;

/// For each name of a section, such as `ur`, by how much the sections of this name differ from the
/// pages around them, as a sum of logits, and their number. A name of a host left of its registered
/// domain counts as a section, and is compared with the crawl.
///
/// Differences carry over, shares do not: a crawl fetches mostly pages in the language, so that any
/// name has a high share.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tokens {
    names: HashMap<Box<str>, (f64, u32)>,
}

impl Tokens {
    /// Adds the sections of a host, given the crawl's share of pages in the language.
    pub fn add(&mut self, base: f64, host: &Host) {
        if host.counts.fetched == 0 {
            return;
        }
        for label in &host.labels {
            self.add_one(label, surprise(host.counts, base), 1);
        }
        for (key, counts, around) in host.sections() {
            if let Some(name) = token(key) {
                self.add_one(name, surprise(counts, rest(counts, around, base)), 1);
            }
        }
        self.shrink();
    }

    /// Adds the sections of other hosts.
    pub fn merge(&mut self, other: &Self) {
        for (name, &(sum, number)) in &other.names {
            self.add_one(name, sum, number);
        }
        self.shrink();
    }

    fn add_one(&mut self, name: &str, sum: f64, number: u32) {
        if let Some(sums) = self.names.get_mut(name) {
            sums.0 += sum;
            sums.1 += number;
        } else {
            self.names.insert(name.into(), (sum, number));
        }
    }

    fn shrink(&mut self) {
        if self.names.len() > 2 * MAX_TOKENS {
            let mut order: Vec<(u32, Box<str>)> =
                self.names.iter().map(|(name, sums)| (sums.1, name.clone())).collect();
            order.sort_unstable();
            for (_, name) in &order[..order.len() - MAX_TOKENS] {
                self.names.remove(name);
            }
        }
    }

    /// Returns whether a section has the name of a section that was added.
    pub(super) fn has(&self, key: &str) -> bool {
        token(key).is_some_and(|name| self.names.contains_key(name))
    }

    /// Returns what the names of a row's sections say about its language, as a sum of differences
    /// of logits. Sections of the row's own host do not count: its own sums say more.
    pub fn logit(&self, host: &Host, sections: &Sections, base: f64) -> f64 {
        let own = |key: &str| {
            host.section(key)
                .filter(|counts| counts.fetched < host.around(key).fetched)
                .map_or((0.0, 0), |counts| {
                    (surprise(counts, rest(counts, host.around(key), base)), 1)
                })
        };
        let keys = sections.directories().chain(sections.front()).chain(sections.parameters());
        let of_sections: f64 = keys.filter_map(|key| Some(self.one(token(key)?, own(key)))).sum();
        let fetched = u32::from(host.counts.fetched > 0);
        let of_labels: f64 = (host.labels.iter())
            .map(|label| self.one(label, (surprise(host.counts, base), fetched)))
            .sum();
        of_sections + of_labels
    }

    fn one(&self, name: &str, (own_sum, own_number): (f64, u32)) -> f64 {
        let Some(&(sum, number)) = self.names.get(name) else { return 0.0 };
        let number = f64::from(number.saturating_sub(own_number));
        ((sum - own_sum) / (number + 1.0)).clamp(-MAX_LOGIT, MAX_LOGIT)
    }
}

/// Returns the share of the pages around a section that are not in it.
fn rest(counts: Counts, around: Counts, base: f64) -> f64 {
    let fetched = f64::from(around.fetched.saturating_sub(counts.fetched));
    let kept = f64::from(around.kept.saturating_sub(counts.kept));
    (kept + base) / (fetched + 1.0)
}

/// Returns by how much a section differs from a share, as a difference of logits.
fn surprise(counts: Counts, mean: f64) -> f64 {
    let mean = mean.clamp(0.01, 0.99);
    logit((f64::from(counts.kept) + mean) / (f64::from(counts.fetched) + 1.0)) - logit(mean)
}
