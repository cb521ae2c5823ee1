//! Names of sections that carry over from host to host.

use super::host::Host;
use super::logistic::logit;
use super::sections::{token, Sections};
use std::collections::BTreeMap;

/// Most names that are kept. If there are more than twice as many, those of the fewest sections are
/// left out.
const MAX_TOKENS: usize = 1 << 16;
/// Largest logit of a name, in either direction.
const MAX_LOGIT: f64 = 4.0;

/// For each name of a section, such as `ur`, the sum of the shares of pages in the language over
/// the sections of this name, and their number. A name of a host left of its registered domain
/// counts as a section.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tokens {
    names: BTreeMap<Box<str>, (f64, u32)>,
}

impl Tokens {
    /// Adds the sections of a host.
    pub fn add(&mut self, host: &Host) {
        if host.counts.fetched == 0 {
            return;
        }
        for label in &host.labels {
            self.add_one(label, host.counts.share(), 1);
        }
        for (key, counts, _) in host.sections() {
            if let Some(name) = token(key) {
                self.add_one(name, counts.share(), 1);
            }
        }
        self.shrink();
    }

    /// Adds the sections of other hosts.
    pub fn merge(&mut self, other: &Self) {
        for (name, &(shares, number)) in &other.names {
            self.add_one(name, shares, number);
        }
        self.shrink();
    }

    fn add_one(&mut self, name: &str, shares: f64, number: u32) {
        if let Some(sums) = self.names.get_mut(name) {
            sums.0 += shares;
            sums.1 += number;
        } else {
            self.names.insert(name.into(), (shares, number));
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

    /// Returns what the names of a row's sections say about its language, as a sum of logits over
    /// the share of the crawl. Sections of the row's own host do not count: its own sums say more.
    pub fn logit(&self, host: &Host, sections: &Sections, base: f64) -> f64 {
        let own = |key: &str| {
            host.section(key)
                .filter(|counts| counts.fetched < host.around(key).fetched)
                .map_or((0.0, 0), |counts| (counts.share(), 1))
        };
        let keys = sections.directories().chain(sections.front()).chain(sections.parameters());
        let of_sections: f64 =
            keys.filter_map(|key| Some(self.one(token(key)?, own(key), base))).sum();
        let fetched = u32::from(host.counts.fetched > 0);
        let of_labels: f64 = (host.labels.iter())
            .map(|label| self.one(label, (host.counts.share(), fetched), base))
            .sum();
        of_sections + of_labels
    }

    fn one(&self, name: &str, (own_share, own_number): (f64, u32), base: f64) -> f64 {
        let Some(&(shares, number)) = self.names.get(name) else { return 0.0 };
        let number = f64::from(number.saturating_sub(own_number));
        let shares = (shares - own_share).clamp(0.0, number);
        let surprise = logit((shares + base) / (number + 1.0)) - logit(base);
        (surprise * number / (number + 1.0)).clamp(-MAX_LOGIT, MAX_LOGIT)
    }
}
