//! The sentences of a corpus, without duplicates, in no order.
//!
//! A corpus of single sentences out of their context can be published where the texts cannot. It
//! holds whole sentences, each in one language, each once. The steps are those of the Suki
//! project's pipeline (Jauhiainen and others 2020). The rules differ where theirs need capitals,
//! which most scripts do not have.
#![forbid(unsafe_code)]

mod glued;
mod notes;
mod points;
mod split;
mod vertical;

pub use points::{LearnedPoints, Points, ENOUGH};
pub use split::{ends, sentences, split};
pub use vertical::{Counts, Style, Vertical};

use figures::identity;
use figures::scratch::{Drained, Entry, Scratch, Table};
use figures::CorpusPage;
use langid::words::{for_each_word, Word};
use langid::{is_vowel_sign, Identify, LangCode};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::io;

/// Languages of a page that its sentences may be in: those with at least this share of its bytes,
/// in percent (Suki).
const SHARE_PERCENT: u64 = 2;

/// Returns the number of complete sentences of a page with at least `min_words` words, and those in
/// one of `languages`, each with its language. A sentence is identified only among the languages of
/// its page, because a few words are easily confused with another language.
pub fn in_languages<'a>(
    page: &'a CorpusPage,
    min_words: usize,
    identifier: &dyn Identify,
    languages: &[LangCode],
    points: &Points,
) -> (usize, Vec<(LangCode, &'a str)>) {
    let whole = sentences(&page.text, min_words, points);
    let number = whole.len();
    let total = page.languages.total();
    let of_page: Vec<LangCode> = page
        .languages
        .iter()
        .filter(|&(code, bytes)| {
            code != LangCode::UND
                && bytes.saturating_mul(100) >= total.saturating_mul(SHARE_PERCENT)
        })
        .map(|(code, _)| code)
        .collect();
    if !of_page.iter().any(|code| languages.contains(code)) {
        return (number, Vec::new());
    }
    let identified =
        whole.into_iter().map(|sentence| (identifier.identify(sentence, Some(&of_page)), sentence));
    (number, identified.filter(|(code, _)| languages.contains(code)).collect())
}

/// Returns `count` different complete sentences of a page in a language, each with at least
/// `min_words` words: evenly spaced ones, the first included. `None` if it has fewer.
pub fn spaced<'a>(
    page: &'a CorpusPage,
    count: usize,
    min_words: usize,
    identifier: &dyn Identify,
    language: LangCode,
) -> Option<Vec<&'a str>> {
    let (_, mut found) = in_languages(page, min_words, identifier, &[language], &Points::default());
    let mut met = BTreeSet::new();
    found.retain(|(_, sentence)| met.insert(*sentence));
    let place = |number: usize| found[number * found.len() / count].1;
    (found.len() >= count).then(|| (0..count).map(place).collect())
}

/// Returns a hash that equal sentences share: that of the letters in order, folded as in the
/// identifiers. Case, punctuation, digits, spaces, joiners, Arabic vowel signs and variants of
/// Arabic letters make no difference. It has 128 bits of SHA-256, so
/// that no page can have a sentence that is taken for another one.
pub fn thumbprint(sentence: &str) -> u128 {
    let mut bytes = Vec::with_capacity(4 * sentence.len());
    for_each_word(sentence, |Word { letters, .. }| {
        for &letter in letters.iter().filter(|letter| !is_vowel_sign(**letter)) {
            bytes.extend(u32::from(letter).to_le_bytes());
        }
    });
    identity::lasting(&bytes)
}

/// A sentence in the collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    thumbprint: u128,
    /// Its number among all added sentences.
    number: u64,
    /// Sentence on one line, without the white space around it.
    pub text: String,
    /// URL of its page.
    pub url: String,
}

impl Entry for Sentence {
    const DIGITS: u32 = 16;

    fn digit(&self, place: u32) -> u8 {
        self.thumbprint.to_be_bytes()[place as usize]
    }

    fn order(&self, other: &Self) -> Ordering {
        self.thumbprint.cmp(&other.thumbprint)
    }

    fn absorb(&mut self, other: &Self) {
        if other.number < self.number {
            self.clone_from(other);
        }
    }

    fn write(&self, _: u32, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.thumbprint.to_le_bytes());
        out.extend_from_slice(&self.number.to_le_bytes());
        for text in [&self.text, &self.url] {
            out.extend_from_slice(&(text.len() as u64).to_le_bytes());
            out.extend_from_slice(text.as_bytes());
        }
    }

    fn read(_: u32, _: u8, input: &mut &[u8]) -> io::Result<Self> {
        let (low, high, number) = (read_number(input)?, read_number(input)?, read_number(input)?);
        let thumbprint = u128::from(high) << 64 | u128::from(low);
        Ok(Self { thumbprint, number, text: read_text(input)?, url: read_text(input)? })
    }

    fn bytes_elsewhere(&self) -> usize {
        // The allocator's overhead per entry, approximately.
        self.text.len() + self.url.len() + 32
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a temporary file is not as it was written")
}

fn read_number(input: &mut &[u8]) -> io::Result<u64> {
    let (number, rest) = input.split_first_chunk().ok_or_else(damaged)?;
    *input = rest;
    Ok(u64::from_le_bytes(*number))
}

fn read_text(input: &mut &[u8]) -> io::Result<String> {
    let length = usize::try_from(read_number(input)?).map_err(|_| damaged())?;
    let (text, rest) = input.split_at_checked(length).ok_or_else(damaged)?;
    *input = rest;
    String::from_utf8(text.to_owned()).map_err(|_| damaged())
}

/// A set of sentences in bounded memory.
#[derive(Debug)]
pub struct Collection {
    table: Table<Sentence>,
    added: u64,
}

impl Collection {
    /// Creates an empty collection.
    pub fn new(scratch: &Scratch) -> Self {
        Self { table: Table::new(scratch), added: 0 }
    }

    /// Adds a sentence with its [`thumbprint`]; of sentences with the same one the first is kept.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn add(&mut self, thumbprint: u128, text: String, url: String) -> io::Result<()> {
        let number = self.added;
        self.added += 1;
        self.table.add(Sentence { thumbprint, number, text, url })
    }

    /// Returns the number of added sentences, duplicates included.
    pub fn added(&self) -> u64 {
        self.added
    }

    /// Returns all sentences in the order of their thumbprints, which is deterministic and
    /// unrelated to their texts.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written. If one cannot be read, the iterator yields an
    /// error.
    pub fn drain(&mut self) -> io::Result<Drained<Sentence>> {
        self.table.drain()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::env::temp_dir;

    #[test]
    fn a_sentence_is_the_same_however_it_is_typed() {
        for (one, other) in [
            ("Der Zug kam um 10:15.", "DER ZUG KAM UM 11:20!"),
            ("یہ ایک کتاب ہے۔", "يہ ايک کتاب ہے"),
            ("كَتَبَ الوَلَدُ", "كتب الولد."),
            ("می\u{200c}روم", "میروم"),
        ] {
            assert_eq!(thumbprint(one), thumbprint(other), "{one}");
        }
        for (one, other) in [("कि", "की"), ("a b", "b a"), ("Zug", "Zuge")] {
            assert_ne!(thumbprint(one), thumbprint(other), "{one}");
        }
    }

    #[test]
    fn a_sentence_made_to_collide_in_64_bits_has_its_own_thumbprint() {
        let [one, other] = ["x".repeat(32), "x".repeat(16) + "ßveзшсмзкувоъkgж"];
        let short = |text: &str| {
            let bytes: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
            xxhash_rust::xxh3::xxh3_64(&bytes)
        };
        assert_eq!(short(&one), short(&other), "the pair is one of the short hash");
        assert_ne!(thumbprint(&one), thumbprint(&other));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

        #[test]
        fn the_first_of_each_is_kept_whether_memory_or_disk_holds_it(
            numbers in prop::collection::vec(0..200u64, 0..2000), memory in prop::sample::select(vec![1 << 10, 1 << 14, 1 << 24])
        ) {
            let mut collection = Collection::new(&Scratch::new(&temp_dir(), memory));
            let mut first = BTreeMap::new();
            for (at, number) in numbers.iter().enumerate() {
                let text = format!("{number} {at} {}", "x".repeat(*number as usize));
                let thumbprint = u128::from(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 50;
                first.entry(thumbprint).or_insert_with(|| text.clone());
                collection.add(thumbprint, text, String::new()).expect("disk");
            }
            prop_assert_eq!(collection.added(), numbers.len() as u64);
            let kept: Vec<_> = collection.drain().expect("disk").map(|sentence| sentence.expect("disk")).collect();
            let kept: Vec<_> = kept.into_iter().map(|sentence| (sentence.thumbprint, sentence.text)).collect();
            prop_assert_eq!(kept, first.into_iter().collect::<Vec<_>>());
        }
    }
}
