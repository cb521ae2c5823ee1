//! Random samples of pages.

use std::collections::BinaryHeap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A uniform random sample of a fixed size. The selection depends only on the seed and the names of
/// the items, not on their order or number. If a corpus grows, a new sample with the same seed
/// shares as many pages as possible with the old one.
#[derive(Debug)]
pub struct Sample<T: Ord> {
    size: usize,
    seed: u64,
    /// The items with the smallest hashes of their names; the heap's top has the largest.
    drawn: BinaryHeap<(u64, T)>,
    offered: u64,
    looked_at: u64,
    entered: u64,
}

impl<T: Ord> Sample<T> {
    /// Creates an empty sample of at most `size` items.
    pub fn new(size: usize, seed: u64) -> Self {
        Self { size, seed, drawn: BinaryHeap::new(), offered: 0, looked_at: 0, entered: 0 }
    }

    /// Offers an item by its name. `item` is called only if the item would enter the sample, and
    /// `None` keeps it out. A later item may replace it.
    pub fn offer(&mut self, name: &str, item: impl FnOnce() -> Option<T>) {
        self.offered += 1;
        let hash = xxh3_64_with_seed(name.as_bytes(), self.seed);
        let is_full = self.drawn.len() == self.size;
        if is_full && self.drawn.peek().is_none_or(|(last, _)| *last <= hash) {
            return;
        }
        self.looked_at += 1;
        let Some(item) = item() else { return };
        self.entered += 1;
        if is_full {
            self.drawn.pop();
        }
        self.drawn.push((hash, item));
    }

    /// Returns how many items were offered.
    pub fn offered(&self) -> u64 {
        self.offered
    }

    /// Returns how many items would have entered by their hashes, and how many of these were not
    /// kept out. Their quotient estimates the share of all items that are not kept out.
    pub fn looked_at(&self) -> (u64, u64) {
        (self.looked_at, self.entered)
    }

    /// Returns the sampled items in no particular order, each with its hash.
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
        names.iter().for_each(|name| sample.offer(name, || Some(name.clone())));
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

    #[test]
    fn items_that_are_kept_out_take_no_place() {
        let mut sample = Sample::new(10, 1);
        for number in 0..100u32 {
            sample.offer(&number.to_string(), || (number % 2 == 0).then_some(number));
        }
        let (looked_at, entered) = sample.looked_at();
        assert!(looked_at > entered && entered >= 10, "{looked_at} {entered}");
        let drawn = sample.into_drawn();
        assert_eq!(drawn.len(), 10);
        assert!(drawn.iter().all(|(_, number)| number % 2 == 0));
    }

    /// Draws 10 of 100 items 1,000 times: each is drawn 100 times, within five standard deviations
    /// (9.5).
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
