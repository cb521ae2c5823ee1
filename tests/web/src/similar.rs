//! Near duplicates among texts.
//!
//! A text is the set of its shingles, the runs of five words. Two texts are near duplicates when
//! the Jaccard index of their sets is at least a half (Broder 1997), exact copies included; the
//! share counts each text that has a near duplicate before it, so that of n copies n - 1 count.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Words in a shingle.
const WORDS: usize = 5;

fn shingles(text: &str) -> HashSet<u64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let hash = |words: &[&str]| {
        let mut hasher = DefaultHasher::new();
        words.hash(&mut hasher);
        hasher.finish()
    };
    // A text of fewer words is one shingle.
    words.windows(WORDS.min(words.len()).max(1)).map(hash).collect()
}

/// Share of the texts, in percent, that have a near duplicate before them. Texts without words do
/// not count.
pub fn near_duplicate_percent<'a>(texts: impl Iterator<Item = &'a str>) -> f64 {
    let mut sizes: Vec<usize> = Vec::new();
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut duplicates = 0;
    for set in texts.map(shingles).filter(|s| !s.is_empty()) {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for shingle in &set {
            for earlier in holders.get(shingle).into_iter().flatten() {
                *shared.entry(*earlier).or_default() += 1;
            }
        }
        let near = |(earlier, common): (&usize, &usize)| {
            2 * common >= sizes[*earlier] + set.len() - common
        };
        duplicates += usize::from(shared.iter().any(near));
        for shingle in &set {
            holders.entry(*shingle).or_default().push(sizes.len());
        }
        sizes.push(set.len());
    }
    100.0 * f64::from(duplicates as u32) / sizes.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_three_copies_two_count_and_other_text_does_not() {
        let text = "one two three four five six seven eight";
        let other = "nine ten eleven twelve one two three four";
        let share = near_duplicate_percent([text, text, text, other, ""].into_iter());
        assert!((share - 50.0).abs() < 1e-9, "{share}");
    }

    #[test]
    fn half_of_the_shingles_in_common_is_the_border() {
        // Shingles: 4 against 6, 4 in common, so 4/6; then 4 against 9 with 4 in common, so 4/9.
        let (a, near, far) =
            ("a b c d e f g h", "a b c d e f g h i j", "a b c d e f g h i j k l m");
        assert!((near_duplicate_percent([a, near].into_iter()) - 50.0).abs() < 1e-9);
        assert!(near_duplicate_percent([a, far].into_iter()).abs() < 1e-9);
    }
}
