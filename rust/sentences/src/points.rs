//! Full stops, as a language's own text shows them: the words that are abbreviations, and the words
//! that begin sentences.
//!
//! The idea is that of Mikheev (2002): in most places a text shows whether a point ends a sentence,
//! and what it shows there decides the other places. After an end, the next word is often one that
//! has a small letter elsewhere (`The`), and some ends are those of paragraphs. A word whose points
//! stand there much less often than the points of long words is an abbreviation. Long words are
//! hardly ever abbreviations. No list and no training is needed, and paragraphs show it also in
//! scripts without capitals.

use crate::split::{has_case, is_closing, is_small};
use figures::CorpusPage;
use langid::LangCode;
use std::collections::{HashMap, HashSet};

/// Bytes of text that are enough to learn from. More text adds only rare abbreviations.
pub const ENOUGH: usize = 8 << 20;

/// Abbreviations of many languages that often stand before a name or a number, for corpora that are
/// too small to show them. All of them are rare or absent as words at the end of a sentence.
#[rustfmt::skip]
const COMMON: [&str; 52] = [
    "Dr", "dr", "Drs", "Prof", "prof", "Mr", "Mrs", "Ms", "Mme", "Mlle", "St", "Sr", "Jr", "Rev",
    "Hon", "Gen", "Col", "Capt", "Lt", "Sgt", "Gov", "Sen", "Hr", "Frl", "Nr", "nr", "Bd", "vgl",
    "bzw", "vs", "cf", "Vol", "vol", "Fig", "fig", "pp", "ed", "Ing", "Mgr", "Dipl", "Sra", "Srta",
    "Dña", "Str", "tel", "Tel", "проф", "акад", "ул", "гр", "стр", "др",
];

/// Longest abbreviation, in characters; longer words with points show how sentences end.
const MAX_ABBREVIATION: usize = 8;

/// Longest abbreviation in scripts without capitals, in letters.
const MAX_CASELESS: usize = 4;

/// Times that a word must have been seen without a point.
const MIN_WORD: u32 = 3;

/// Shortest word whose points are taken for ends of sentences.
const MIN_WHOLE: usize = 6;

/// Points before a small letter, a comma or the like that show an abbreviation.
const MIN_INSIDE: u32 = 2;

/// Ends that must be expected before their absence means something.
const MIN_EXPECTED: f64 = 2.0;

/// An abbreviation has at most this share of the ends that a word would have.
const MAX_SHARE: f64 = 0.35;

/// Times that a word must have been seen with a small letter.
const MIN_SMALL: u32 = 2;

/// Counts of a word with its point.
#[derive(Debug, Clone, Copy, Default)]
struct Pointed {
    /// All its points.
    all: u32,
    /// Those before a small letter or a sign that goes on.
    inside: u32,
    /// Those before a word that has a small letter elsewhere, and those at the end of a block.
    ends: u32,
    /// Those at the end of a block.
    last: u32,
}

/// How often a word, in small letters, was seen within sentences.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    small: u32,
    capital: u32,
    /// At the beginning of a sentence.
    first: u32,
}

/// Knowledge of the points of a language.
#[derive(Debug, Clone, Default)]
pub struct Points {
    abbreviations: HashSet<Box<str>>,
    /// Words that often stand without a point, so that theirs ends a sentence before a number too.
    words: HashSet<Box<str>>,
    /// Words whose points end paragraphs.
    finals: HashSet<Box<str>>,
    /// Words in small letters that have a capital only where a sentence begins.
    beginnings: HashSet<Box<str>>,
    /// Those of them that begin many sentences.
    starters: HashSet<Box<str>>,
}

/// Knowledge of the points of one or several languages, each learned from its own pages.
#[derive(Debug)]
pub struct LearnedPoints(Vec<(LangCode, Points)>);

impl LearnedPoints {
    /// Learns from pages: of each language, from those that are kept and mostly in it.
    ///
    /// # Panics
    /// If there is no language.
    pub fn learn(pages: &[CorpusPage], languages: &[LangCode]) -> Self {
        assert!(!languages.is_empty(), "there is a language to learn");
        let of = |language| {
            let is_own = move |page: &&CorpusPage| {
                let bytes = page.languages.bytes(language);
                page.kept && !page.gone && bytes.saturating_mul(2) >= page.languages.total()
            };
            Points::learn(pages.iter().filter(is_own).map(|page| page.text.as_str()))
        };
        Self(languages.iter().map(|&language| (language, of(language))).collect())
    }

    /// Returns what is known of that language which has most bytes of the page.
    pub fn of(&self, page: &CorpusPage) -> &Points {
        // The first of several languages with as many bytes.
        let places = (0..self.0.len()).rev();
        let most = places.max_by_key(|&place| page.languages.bytes(self.0[place].0));
        &self.0[most.unwrap_or(0)].1
    }
}

impl Points {
    /// Learns from the first [`ENOUGH`] bytes of texts of one language, whose blocks are lines.
    pub fn learn<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        let mut left = ENOUGH;
        let texts = texts.take_while(move |text| {
            let is_first = left == ENOUGH;
            let fits = is_first || text.len() <= left;
            left = left.saturating_sub(text.len());
            fits
        });
        let blocks = texts.flat_map(str::lines);
        let seen = seen(blocks.clone());
        let (pointed, bare) = pointed(blocks, &seen);
        let sentences: u32 = seen.values().map(|seen| seen.first).sum();
        let is_beginning = |seen: &Seen| seen.small >= MIN_SMALL && seen.small >= 2 * seen.capital;
        let beginnings = seen.iter().filter(|(_, seen)| is_beginning(seen));
        let starters = beginnings.clone().filter(|(_, seen)| {
            seen.first >= MIN_SMALL && u64::from(seen.first) * 1000 >= u64::from(sentences)
        });
        let is_final = |found: &Pointed| found.last >= MIN_SMALL && 20 * found.last >= found.all;
        let finals = pointed.iter().filter(|(_, found)| is_final(found));
        Self {
            finals: finals.map(|(word, _)| word.clone()).collect(),
            abbreviations: abbreviations(&pointed, &bare),
            words: words(&pointed, bare),
            starters: starters.map(|(word, _)| word.clone()).collect(),
            beginnings: beginnings.map(|(word, _)| word.clone()).collect(),
        }
    }

    /// Returns whether a word, without its point, is an abbreviation.
    pub(crate) fn is_abbreviation(&self, word: &str) -> bool {
        self.abbreviations.contains(word) || COMMON.contains(&word)
    }

    /// Returns whether a word is known to stand without a point.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.words.contains(word) && !self.is_abbreviation(word)
    }

    /// Returns whether a word with a point is known to end paragraphs.
    pub(crate) fn is_final(&self, word: &str) -> bool {
        self.finals.contains(word)
    }

    /// Returns whether a word with a capital can only begin a sentence.
    pub(crate) fn begins(&self, word: &str) -> bool {
        self.beginnings.contains(&*word.to_lowercase())
    }

    /// Returns whether many sentences begin with a word, and it has a small letter elsewhere.
    pub(crate) fn often_begins(&self, word: &str) -> bool {
        self.starters.contains(&*word.to_lowercase())
    }
}

/// Returns a token without the signs around it, but with its last point.
fn core(token: &str) -> &str {
    let token = token.trim_start_matches(|c: char| !c.is_alphanumeric());
    token.trim_end_matches(|c: char| is_closing(c) || matches!(c, ',' | ';' | ':'))
}

/// Returns whether a token ends a sentence if no abbreviation does.
fn ends(token: &str) -> bool {
    token.trim_end_matches(is_closing).ends_with(['.', '!', '?', '…'])
}

/// Counts words with small letters and with capitals within sentences.
fn seen<'a>(blocks: impl Iterator<Item = &'a str>) -> HashMap<Box<str>, Seen> {
    let mut seen: HashMap<Box<str>, Seen> = HashMap::new();
    for block in blocks {
        // What stands before the first word, or is a title, shows nothing.
        let mut is_first = true;
        for token in block.split_whitespace() {
            let word = core(token).trim_end_matches('.');
            let Some(letter) = word.chars().next().filter(|c| c.is_alphabetic()) else {
                is_first |= ends(token);
                continue;
            };
            if letter.is_lowercase() || letter.is_uppercase() {
                let seen = seen.entry(word.to_lowercase().into()).or_default();
                match (is_first, letter.is_lowercase()) {
                    (_, true) => seen.small += 1,
                    (true, _) => seen.first += 1,
                    (false, _) => seen.capital += 1,
                }
            }
            is_first = ends(token);
        }
    }
    seen
}

/// Counts the points of words by what follows, and words without a point.
fn pointed<'a>(
    blocks: impl Iterator<Item = &'a str>,
    seen: &HashMap<Box<str>, Seen>,
) -> (HashMap<Box<str>, Pointed>, HashMap<Box<str>, u32>) {
    let mut pointed: HashMap<Box<str>, Pointed> = HashMap::new();
    let mut bare: HashMap<Box<str>, u32> = HashMap::new();
    for block in blocks {
        let mut tokens = block.split_whitespace().peekable();
        while let Some(token) = tokens.next() {
            let word = core(token);
            if !word.chars().any(char::is_alphabetic) {
                continue;
            }
            let Some(word) = word.strip_suffix('.').filter(|word| !word.ends_with('.')) else {
                if word.chars().count() <= MAX_ABBREVIATION {
                    *bare.entry(word.into()).or_default() += 1;
                }
                continue;
            };
            let found = pointed.entry(word.into()).or_default();
            found.all += 1;
            let goes_on = token.ends_with([',', ';', ':']);
            let next = tokens.peek().map(|next| core(next).trim_end_matches('.'));
            match next.map(|next| (next, next.chars().next())) {
                _ if goes_on => found.inside += 1,
                None => {
                    found.ends += 1;
                    found.last += 1;
                }
                Some((_, Some(letter))) if is_small(letter) => found.inside += 1,
                Some((next, _)) => {
                    let is_beginning = seen
                        .get(&*next.to_lowercase())
                        .is_some_and(|seen| seen.small >= MIN_SMALL && seen.small >= seen.capital);
                    found.ends += u32::from(is_beginning);
                }
            }
        }
    }
    (pointed, bare)
}

/// Returns the words that stand without a point at least as often as with one.
fn words(pointed: &HashMap<Box<str>, Pointed>, bare: HashMap<Box<str>, u32>) -> HashSet<Box<str>> {
    let points = |word: &str| pointed.get(word).map_or(0, |found| found.all);
    let is_word = |(word, times): &(Box<str>, u32)| *times >= MIN_WORD && *times >= points(word);
    bare.into_iter().filter(is_word).map(|(word, _)| word).collect()
}

/// Returns the words whose points are hardly ever at the end of a sentence.
fn abbreviations(
    pointed: &HashMap<Box<str>, Pointed>,
    bare: &HashMap<Box<str>, u32>,
) -> HashSet<Box<str>> {
    let long = pointed.iter().filter(|(word, _)| word.chars().count() >= MIN_WHOLE);
    let (ends, all) = long.fold((0u64, 0u64), |(ends, all), (_, found)| {
        (ends + u64::from(found.ends), all + u64::from(found.all))
    });
    let rate = ends as f64 / all.max(1) as f64;
    let is_abbreviation = |word: &str, found: &Pointed| {
        let expected = rate * f64::from(found.all);
        let ends = f64::from(found.ends);
        match word.chars().next_back().is_some_and(has_case) {
            true => {
                word.chars().count() <= MAX_ABBREVIATION
                    && ends <= MAX_SHARE * expected
                    && (expected >= MIN_EXPECTED || found.inside >= MIN_INSIDE)
            }
            // Only the ends of blocks tell, and verbs may stand at the end of every sentence.
            false => {
                word.chars().filter(|c| c.is_alphabetic()).count() <= MAX_CASELESS
                    && expected >= 3.0 * MIN_EXPECTED
                    && ends <= MAX_SHARE / 4.0 * expected
                    && bare.get(word).is_none_or(|times| 4 * times <= found.all)
            }
        }
    };
    let found = pointed.iter().filter(|(word, found)| is_abbreviation(word, found));
    found.map(|(word, _)| word.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::split;

    /// Paragraphs of three sentences each, some with `Kdr.` and `qv.`, which no language has.
    fn latin() -> String {
        let names = ["Salmi", "Orlov", "Benda", "Kovacs"];
        let paragraph = |number: usize| {
            let name = names[number % 4];
            let other = if number.is_multiple_of(2) {
                "see qv. the other page"
            } else {
                "that was long ago"
            };
            format!(
                "The house stood in the village for years. The owner Kdr. {name} bought the garden \
                 and {other}. The people of the village liked the garden.\n"
            )
        };
        (0..12).map(paragraph).collect()
    }

    #[test]
    fn abbreviations_are_learned_from_points_that_end_nothing() {
        let text = latin();
        let points = Points::learn([text.as_str()].into_iter());
        for word in ["Kdr", "qv", "Prof"] {
            assert!(points.is_abbreviation(word), "{word}");
        }
        for word in ["years", "page", "garden", "the", "ago"] {
            assert!(!points.is_abbreviation(word), "{word}");
        }
        let block = "We met Kdr. Lind there. He read qv. The garden was old.";
        assert_eq!(
            split(block, &points),
            ["We met Kdr. Lind there.", "He read qv.", "The garden was old."],
            "a word that has a small letter elsewhere begins a sentence"
        );
        assert_eq!(split("We met Kdr. Lind there.", &Points::default()).len(), 2);
    }

    #[test]
    fn numbers_and_initials_end_sentences_before_words_that_have_small_letters() {
        let text = latin();
        let points = Points::learn([text.as_str()].into_iter());
        assert_eq!(split("There were 12. The village grew.", &points).len(), 2);
        assert_eq!(split("He was on page 12. Salmi stayed.", &points).len(), 1);
        assert_eq!(split("They took vitamin C. The village slept.", &points).len(), 2);
        assert_eq!(split("We met J. Salmi.", &points).len(), 1);
    }

    #[test]
    fn ends_of_paragraphs_show_abbreviations_where_there_are_no_capitals() {
        let paragraph = "دکتر مهر آمد. قای. رضا هم آمد و کتاب را برداشت. همه به خانه برگشتند.\n";
        let text = paragraph.repeat(40);
        let points = Points::learn([text.as_str()].into_iter());
        assert!(points.is_abbreviation("قای") && !points.is_abbreviation("برگشتند"));
        assert_eq!(split("قای. مهر رفت. ما ماندیم.", &points).len(), 2);
    }

    #[test]
    fn only_the_first_text_is_read() {
        let (text, more) = ("a ".repeat(ENOUGH / 2), latin());
        assert!(Points::learn([text.as_str(), &more].into_iter()).abbreviations.is_empty());
        assert!(!Points::learn([more.as_str(), &text].into_iter()).abbreviations.is_empty());
    }
}
