//! The cosine of character trigrams, SpiderLing's second language filter (Suchomel and Pomikálek
//! 2012), over the languages of a training text.
//!
//! A text's vector has the number of each of its trigrams. White space counts as one space; two
//! spaces are before the text and one is after it. The language with the most similar vector is the
//! result, if the similarity is at least [`ACCEPTED`]. The original filter has one language. Its
//! authors later added the neighbours of that language, to separate similar languages.

use crate::{Allowed, Identify, LangCode};
use rustc_hash::FxHashMap;

/// Least similarity of a text in the language.
const ACCEPTED: f64 = 0.5;

/// Three characters, 21 bits each.
type Key = u64;

/// Identifier by the cosine of counts of character trigrams (SpiderLing).
#[derive(Debug)]
pub struct Trigrams {
    languages: Vec<LangCode>,
    /// For each trigram the languages that have it, with its share of the length of their vectors.
    weights: FxHashMap<Key, Vec<(u16, f32)>>,
    checksum: u32,
}

impl Trigrams {
    /// Trains on the texts of each language; texts of one language are added. At most 65,536
    /// languages are used.
    pub fn train(texts: &[(LangCode, &str)]) -> Self {
        let mut languages: Vec<LangCode> = Vec::new();
        let mut vectors: Vec<FxHashMap<Key, u32>> = Vec::new();
        for (language, text) in texts {
            let at = languages.iter().position(|known| known == language).unwrap_or_else(|| {
                languages.push(*language);
                vectors.push(FxHashMap::default());
                languages.len() - 1
            });
            count(text, &mut vectors[at]);
        }
        let mut weights: FxHashMap<Key, Vec<(u16, f32)>> = FxHashMap::default();
        for (language, vector) in (0..=u16::MAX).zip(&vectors) {
            let length = length(vector);
            for (key, count) in vector {
                let weight = (f64::from(*count) / length) as f32;
                weights.entry(*key).or_default().push((language, weight));
            }
        }
        languages.truncate(usize::from(u16::MAX) + 1);
        Self { languages, weights, checksum: checksum(texts) }
    }

    /// Returns the similarity of a text to every language, from 0 to 1.
    fn similarities(&self, text: &str) -> Vec<f64> {
        let mut vector = FxHashMap::default();
        count(text, &mut vector);
        let length = length(&vector);
        let mut sums = vec![0.0; self.languages.len()];
        // In a fixed order, so that sums of equal texts are equal.
        let mut counts: Vec<(Key, u32)> = vector.into_iter().collect();
        counts.sort_unstable();
        for (key, count) in counts {
            for (language, weight) in self.weights.get(&key).into_iter().flatten() {
                sums[usize::from(*language)] += f64::from(count) * f64::from(*weight);
            }
        }
        sums.iter().map(|sum| sum / length).collect()
    }
}

/// Adds the trigrams of a text.
fn count(text: &str, vector: &mut FxHashMap<Key, u32>) {
    let words = text.split_whitespace().flat_map(|word| [" ", word]);
    let mut window = u64::from(' ');
    for c in words.flat_map(str::chars).chain([' ']) {
        // The first two spaces are before the text.
        window = (window << 21 | u64::from(c)) & ((1 << 63) - 1);
        if window >> 42 != 0 {
            *vector.entry(window).or_default() += 1;
        }
    }
}

/// Returns the CRC-32 of training texts, a part of an identifier's version.
pub(crate) fn checksum(texts: &[(LangCode, &str)]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for (language, text) in texts {
        hasher.update(language.as_str().as_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize()
}

/// The length of a vector; 1 if it is empty.
fn length(vector: &FxHashMap<Key, u32>) -> f64 {
    let squares: f64 = vector.values().map(|count| f64::from(*count).powi(2)).sum();
    squares.sqrt().max(f64::MIN_POSITIVE)
}

impl Identify for Trigrams {
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode {
        let similarities = self.similarities(text);
        let found = self.languages.iter().zip(&similarities);
        let best = found
            .filter(|(language, _)| allowed.is_none_or(|allowed| allowed.contains(language)))
            .max_by(|(_, one), (_, other)| one.total_cmp(other));
        match best {
            Some((language, similarity)) if *similarity >= ACCEPTED => *language,
            _ => LangCode::UND,
        }
    }

    fn languages(&self) -> Vec<LangCode> {
        let mut languages = self.languages.clone();
        languages.sort_unstable();
        languages
    }

    fn version(&self) -> String {
        format!("trigrams/1-{:08x}", self.checksum)
    }
}

#[cfg(test)]
mod tests {
    use super::Trigrams;
    use crate::{Identify, LangCode};

    fn similarity(one: &str, other: &str) -> f64 {
        Trigrams::train(&[(LangCode::UND, one)]).similarities(other)[0]
    }

    #[test]
    fn the_similarity_is_the_cosine_of_the_counts() {
        assert!((similarity("abc", "abc") - 1.0).abs() < 1e-6);
        assert!(similarity("abc", "xyz").abs() < 1e-6);
        assert!((similarity("the cat sat", "the cat ran") - 0.694_365).abs() < 1e-6);
        assert!((similarity("the  cat\nsat", " the cat sat ") - 1.0).abs() < 1e-6);
        assert_eq!(similarity("abc", ""), 0.0);
        assert_eq!(similarity("", ""), 0.0);
    }

    #[test]
    fn the_most_similar_language_is_found_if_it_is_similar_enough() {
        let [english, german]: [LangCode; 2] =
            ["eng", "deu"].map(|code| code.parse().expect("a code"));
        let identifier = Trigrams::train(&[
            (english, "the house on the hill is not for them and they have no other house there"),
            (
                german,
                "das haus auf dem berg ist nicht für sie und sie haben dort kein anderes haus",
            ),
        ]);
        assert_eq!(identifier.identify("the house is on the hill", None), english);
        assert_eq!(identifier.identify("das haus ist auf dem berg", None), german);
        assert_eq!(identifier.identify("the house is on the hill", Some(&[german])), LangCode::UND);
        assert_eq!(identifier.identify("zzyzx qwxyz", None), LangCode::UND);
    }
}
