//! Largest shares of sites and classes in a release.
//!
//! A cap is a share of what is packed, and what is packed depends on the caps. The largest amount
//! for which all caps hold is computed, then pages are taken in the order of the hashes of their
//! URLs until their site or class is full. So a cap holds to a page, and the same input gives the
//! same pages.

use std::collections::{HashMap, HashSet};

/// A page that may be packed.
#[derive(Debug, Clone, Copy)]
pub struct Offered {
    /// Hash of its URL, which decides the order.
    pub hash: u64,
    /// Its identity in this run.
    pub id: u64,
    /// Its amount, in words or bytes.
    pub amount: u64,
    /// Identity of its site.
    pub site: u64,
    /// Its class, if it has one.
    pub class: Option<usize>,
}

/// Largest parts that one site, and one class of sites, may have of what is packed, as shares from 0
/// to 1 of its amount.
#[derive(Debug, Clone, Default)]
pub struct Caps {
    /// Largest share of a site.
    pub site: Option<f64>,
    /// Largest share by class.
    pub classes: Vec<(usize, f64)>,
}

impl Caps {
    /// Whether there is no cap.
    pub fn is_empty(&self) -> bool {
        self.site.is_none() && self.classes.is_empty()
    }

    fn of_class(&self, class: Option<usize>) -> Option<f64> {
        self.classes.iter().find(|(known, _)| Some(*known) == class).map(|(_, share)| *share)
    }

    /// Returns the identities of the pages that are packed.
    pub fn choose(&self, mut offered: Vec<Offered>) -> HashSet<u64> {
        let total = self.largest(&offered);
        let most = |share: f64| (share * total as f64) as u64;
        offered.sort_by_key(|page| page.hash);
        let (mut sites, mut classes): (HashMap<u64, u64>, HashMap<usize, u64>) =
            (HashMap::new(), HashMap::new());
        let mut chosen = HashSet::new();
        for page in offered {
            let site = sites.entry(page.site).or_default();
            if self.site.is_some_and(|share| *site + page.amount > most(share)) {
                continue;
            }
            if let (Some(class), Some(share)) = (page.class, self.of_class(page.class)) {
                let of_class = classes.entry(class).or_default();
                if *of_class + page.amount > most(share) {
                    continue;
                }
                *of_class += page.amount;
            }
            *site += page.amount;
            chosen.insert(page.id);
        }
        chosen
    }

    /// The largest amount for which all caps hold. What may be packed of a larger amount grows more
    /// slowly than the amount, so there is one point from which on the caps do not hold.
    fn largest(&self, offered: &[Offered]) -> u64 {
        // Amounts of sites in each class.
        let mut parts: HashMap<(Option<usize>, u64), u64> = HashMap::new();
        for page in offered {
            *parts.entry((page.class, page.site)).or_default() += page.amount;
        }
        let all: u64 = parts.values().sum();
        let allowed = |total: f64| {
            let mut of_classes: HashMap<Option<usize>, f64> = HashMap::new();
            for ((class, _), amount) in &parts {
                let most = self.site.map_or(f64::INFINITY, |share| share * total);
                *of_classes.entry(*class).or_default() += (*amount as f64).min(most);
            }
            let capped = |(class, amount): (Option<usize>, f64)| {
                self.of_class(class).map_or(amount, |share| amount.min(share * total))
            };
            of_classes.into_iter().map(capped).sum::<f64>()
        };
        let (mut least, mut most) = (0, all);
        while least < most {
            let middle = most - (most - least) / 2;
            // Sums of floating-point numbers are not exact.
            if allowed(middle as f64) >= middle as f64 * (1.0 - 1e-9) {
                least = middle;
            } else {
                most = middle - 1;
            }
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages of these sites: number of pages, class.
    fn pages(sites: &[(u64, Option<usize>)], amount: u64) -> Vec<Offered> {
        let mut offered = Vec::new();
        for (site, &(count, class)) in sites.iter().enumerate() {
            for number in 0..count {
                let hash = (site as u64 * 1_000_003 + number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                offered.push(Offered { hash, id: hash, amount, site: site as u64, class });
            }
        }
        offered
    }

    fn share(offered: &[Offered], chosen: &HashSet<u64>, of: impl Fn(&Offered) -> bool) -> f64 {
        let sum = |of: &dyn Fn(&Offered) -> bool| {
            offered
                .iter()
                .filter(|page| chosen.contains(&page.id) && of(page))
                .map(|page| page.amount)
                .sum::<u64>()
        };
        sum(&of) as f64 / sum(&|_| true) as f64
    }

    #[test]
    fn a_class_has_its_share_and_other_pages_stay() {
        let offered = pages(&[(600, Some(0)), (200, None), (200, Some(1))], 10);
        let chosen = Caps { site: None, classes: vec![(0, 0.2)] }.choose(offered.clone());
        let of_class = share(&offered, &chosen, |page| page.class == Some(0));
        assert!((0.19..=0.2).contains(&of_class), "{of_class}");
        assert_eq!(
            offered
                .iter()
                .filter(|page| page.class != Some(0) && chosen.contains(&page.id))
                .count(),
            400
        );
    }

    #[test]
    fn no_site_has_more_than_its_share() {
        let offered = pages(
            &[(900, None), (300, None), (20, None), (20, None), (20, None), (20, None), (20, None)],
            7,
        );
        let chosen = Caps { site: Some(0.25), classes: Vec::new() }.choose(offered.clone());
        for site in 0..7 {
            let of_site = share(&offered, &chosen, |page| page.site == site);
            assert!(of_site <= 0.26, "{site} {of_site}");
        }
        assert_eq!(
            offered.iter().filter(|page| page.site > 1 && chosen.contains(&page.id)).count(),
            100
        );
        assert!(chosen.len() > 190, "{}", chosen.len());
    }

    #[test]
    fn a_cap_that_is_not_reached_changes_nothing() {
        let offered = pages(&[(10, Some(0)), (10, None), (10, None), (10, None)], 5);
        let chosen = Caps { site: Some(0.5), classes: vec![(0, 0.5)] }.choose(offered.clone());
        assert_eq!(chosen.len(), offered.len());
    }

    #[test]
    fn with_nothing_else_a_capped_class_has_nothing() {
        let offered = pages(&[(10, Some(0))], 5);
        assert!(Caps { site: None, classes: vec![(0, 0.5)] }.choose(offered).is_empty());
    }

    #[test]
    fn the_order_of_the_input_does_not_matter() {
        let mut offered = pages(&[(50, Some(0)), (40, None), (9, None)], 3);
        let caps = Caps { site: Some(0.4), classes: vec![(0, 0.3)] };
        let one = caps.choose(offered.clone());
        offered.reverse();
        assert_eq!(caps.choose(offered), one);
    }
}
