//! How much of a text repeats itself: lines, the most frequent n-gram, n-grams that occurred
//! before.
//!
//! The definitions are those of Gopher's paper (arXiv 2112.11446, table A1) as datatrove computes
//! them, because FineWeb-2's limits belong to them. Lengths are in characters.

use hashbrown::{HashMap, HashSet};

/// Words one after another, with a separator or without.
pub(crate) struct Sequence {
    text: String,
    /// The start of each word in `text`, in bytes, and the end of the text.
    starts: Vec<usize>,
    /// Characters before each word, and of all words; without separators.
    chars: Vec<u64>,
    separator: &'static str,
}

impl Sequence {
    pub(crate) fn new(words: &[&str], separator: &'static str) -> Self {
        let mut text =
            String::with_capacity(words.iter().map(|word| word.len() + separator.len()).sum());
        let mut starts = Vec::with_capacity(words.len() + 1);
        let mut chars = Vec::with_capacity(words.len() + 1);
        let mut count = 0;
        for word in words {
            starts.push(text.len());
            chars.push(count);
            text.push_str(word);
            text.push_str(separator);
            count += word.chars().count() as u64;
        }
        starts.push(text.len());
        chars.push(count);
        Self { text, starts, chars, separator }
    }

    fn words(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the bytes of `n` words from a word on.
    fn gram(&self, start: usize, n: usize) -> &[u8] {
        let end = self.starts[start + n] - self.separator.len();
        &self.text.as_bytes()[self.starts[start]..end]
    }

    /// Returns the characters of `n` words from a word on.
    fn chars(&self, start: usize, n: usize) -> u64 {
        let separators = self.separator.len() * (n - 1);
        self.chars[start + n] - self.chars[start] + separators as u64
    }

    /// Returns the characters of all occurrences of the most frequent n-gram. Of several the first
    /// in the text counts. Returns 0 if there are fewer than `n` words.
    pub(crate) fn top(&self, n: usize) -> u64 {
        let mut counts: HashMap<&[u8], (u64, usize)> = HashMap::with_capacity(self.words());
        for start in 0..(self.words() + 1).saturating_sub(n) {
            counts.entry(self.gram(start, n)).or_insert((0, start)).0 += 1;
        }
        let most =
            counts.into_values().max_by_key(|&(count, start)| (count, std::cmp::Reverse(start)));
        most.map_or(0, |(count, start)| count * self.chars(start, n))
    }

    /// Returns the characters of n-grams that occurred before in the text. An n-gram that did is
    /// counted whole, and the next one begins after it.
    pub(crate) fn repeated(&self, n: usize) -> u64 {
        let mut seen = HashSet::with_capacity(self.words());
        let (mut start, mut chars) = (0, 0);
        while start + n <= self.words() {
            if seen.insert(self.gram(start, n)) {
                start += 1;
            } else {
                chars += self.chars(start, n);
                start += n;
            }
        }
        chars
    }
}

/// Returns how many of some texts occurred before, and the characters of those.
pub(crate) fn repeated<'a>(texts: impl Iterator<Item = &'a str>) -> (u64, u64) {
    let mut seen = HashSet::new();
    let (mut count, mut chars) = (0, 0);
    for text in texts {
        if !seen.insert(text) {
            count += 1;
            chars += text.chars().count() as u64;
        }
    }
    (count, chars)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_most_frequent_n_grams_counts() {
        let spaced = Sequence::new(&["a", "b", "a", "b", "ccc"], " ");
        assert_eq!(spaced.top(2), 2 * 3);
        assert_eq!(Sequence::new(&["aa", "b"], " ").top(2), 4);
        assert_eq!(Sequence::new(&["aa"], " ").top(2), 0);
    }

    #[test]
    fn a_repeated_n_gram_is_counted_whole_and_skipped() {
        let joined = Sequence::new(&["a", "b", "c", "a", "b", "c", "a"], "");
        assert_eq!(joined.repeated(2), 4);
        assert_eq!(joined.repeated(3), 3);
        assert_eq!(joined.repeated(8), 0);
    }

    #[test]
    fn lines_that_stood_before_are_counted_with_their_characters() {
        assert_eq!(repeated(["ہے", "x", "ہے", "ہے"].into_iter()), (2, 4));
        assert_eq!(repeated(std::iter::empty()), (0, 0));
    }
}
