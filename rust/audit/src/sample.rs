//! Pages drawn at random.

use std::collections::BinaryHeap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// So many of all that are offered, each with the same chance. Which ones depends on the seed and on their names alone, neither on their
/// order nor on how many there are beside them: of a corpus that grew, the sample drawn anew keeps what it can.
#[derive(Debug)]
pub struct Sample<T: Ord> {
    size: usize,
    seed: u64,
    /// Those with the least hashes of their names, the greatest on top.
    drawn: BinaryHeap<(u64, T)>,
    offered: u64,
}

impl<T: Ord> Sample<T> {
    /// An empty sample of at most `size`.
    pub fn new(size: usize, seed: u64) -> Self {
        Self { size, seed, drawn: BinaryHeap::new(), offered: 0 }
    }

    /// Offers what has this name; `item` is made if it is drawn, for now.
    pub fn offer(&mut self, name: &str, item: impl FnOnce() -> T) {
        self.offered += 1;
        let hash = xxh3_64_with_seed(name.as_bytes(), self.seed);
        if self.drawn.len() == self.size {
            if self.drawn.peek().is_none_or(|(last, _)| *last <= hash) {
                return;
            }
            self.drawn.pop();
        }
        self.drawn.push((hash, item()));
    }

    /// How many were offered.
    pub fn offered(&self) -> u64 {
        self.offered
    }

    /// What was drawn, in no order that means anything, each with its hash.
    pub fn into_drawn(self) -> Vec<(u64, T)> {
        self.drawn.into_sorted_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn draw(names: &[String], size: usize, seed: u64) -> Vec<String> {
        let mut sample = Sample::new(size, seed);
        names.iter().for_each(|name| sample.offer(name, || name.clone()));
        sample.into_drawn().into_iter().map(|(_, name)| name).collect()
    }

    proptest! {
        #[test]
        fn the_order_of_pages_makes_no_difference(names in proptest::collection::hash_set("[a-z]{1,4}", 0..40), size in 0usize..20, seed: u64) {
            let mut names: Vec<String> = names.into_iter().collect();
            let drawn = draw(&names, size, seed);
            prop_assert_eq!(drawn.len(), size.min(names.len()));
            names.reverse();
            prop_assert_eq!(draw(&names, size, seed), drawn);
        }
    }

    /// Ten of a hundred, a thousand times: each is drawn a hundred times, give or take five standard deviations (9.5).
    #[test]
    fn every_page_has_the_same_chance() {
        let names: Vec<String> = (0..100).map(|number| format!("http://a.pk/{number}")).collect();
        let mut times = vec![0; 100];
        for seed in 0..1000 {
            for name in draw(&names, 10, seed) {
                times[names.iter().position(|known| *known == name).expect("one of them")] += 1;
            }
        }
        assert!(times.iter().all(|times| (52..=148).contains(times)), "{times:?}");
    }
}
