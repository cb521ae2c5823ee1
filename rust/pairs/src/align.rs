//! Aligns the sentences of pairs of pages.
//!
//! The lengths of sentences and of their translations agree (Gale and Church 1993), and words that
//! often stand in both are translations. So the first pass aligns by lengths and by words that are
//! the same in both languages (names, numbers), a lexicon is learned from its best pairs, and the
//! second pass aligns with it too (the two passes of hunalign, Varga and others 2005).
//!
//! A pair of pages may be no translations of each other. The words that chance matches in such
//! pages differ by language, so they are measured: pages of different pairs are decoys, which the
//! first lexicon is learned from as well. Pairs that score as decoys do are left out.

use langbytes::LangCode;
use langid::words::for_each_word;
use rayon::prelude::*;
use render::plot::escape;
use sentences::{split, Points};
use std::collections::HashMap;
use std::f64::consts::SQRT_2;

/// Most cells of the table of a pair of pages. Pages with more sentences are left out.
const MAX_CELLS: usize = 4 << 20;

/// Numbers of sentences on each side that are aligned with each other, and their costs in nats.
/// Those of translations are by Gale and Church's probabilities (1993, Table 5). On the web, many
/// sentences have no translation, so these cost far less than in their parliament.
const BEADS: [(usize, usize, f64); 6] =
    [(1, 1, 0.12), (1, 0, 1.2), (0, 1, 1.2), (2, 1, 3.1), (1, 2, 3.1), (2, 2, 4.5)];

/// Variance of the length of a translation, for each character of the original (Gale and Church).
const VARIANCE: f64 = 6.8;

/// Weight of the share of words that have their translation on the other side, in nats. It, the
/// cost of a sentence without translation and [`STEM`] were chosen on English with Urdu, Finnish,
/// Swahili and Hindi.
const WORDS: f64 = 16.0;

/// Letters of a word that count, so that the forms of a word are one in most languages.
const STEM: usize = 5;

/// Gain of two beginnings of blocks, in nats.
const BLOCKS: f64 = 0.5;

/// Pairs of sentences that a lexicon is learned from, those with the best scores first.
const LEARNED: usize = 20_000;

/// Longest sentence of these, in words: of long ones, most words are no translations of each other.
const MAX_WORDS: usize = 40;

/// Smallest number of pairs with both words, and smallest Dice coefficient, of a translation.
const MIN_TOGETHER: u32 = 2;
const MIN_DICE: f64 = 0.3;

/// Fewest pairs of which some are left out as no translations: fewer make too few decoys.
const MIN_PAIRS: usize = 20;

/// Most decoys. They are half as many as the pairs, otherwise.
const MAX_DECOYS: usize = 2_000;

/// Standard deviations above the median score of decoys that a pair needs. Chosen on 10 languages
/// with English, of which a tenth, half or nine tenths of the pairs were no translations.
const DEVIATIONS: f64 = 2.0;

/// A page of a pair, split into sentences.
#[derive(Debug, Default)]
struct Side<'a> {
    sentences: Vec<Sentence<'a>>,
}

/// The pages of a pair, or of two different ones.
type Sides<'a> = (&'a Side<'a>, &'a Side<'a>);

#[derive(Debug)]
struct Sentence<'a> {
    text: &'a str,
    characters: f64,
    /// Numbers of its words, sorted, each once.
    words: Vec<u32>,
    begins_block: bool,
}

/// Sentences of a page with their translation.
#[derive(Debug, Clone, PartialEq)]
pub struct Aligned {
    /// Number of the pair of pages among those that were given.
    pub pair: usize,
    /// The sentences, joined by spaces.
    pub first: String,
    /// Their translation, as well.
    pub second: String,
    /// Share of the words of both sides that have a translation on the other side, from 0 to 1.
    pub score: f64,
}

/// Aligned sentences of pairs of pages in two languages.
#[derive(Debug, Default)]
pub struct Alignment {
    /// The sentences, in the order of the pairs and of the first pages.
    pub sentences: Vec<Aligned>,
    /// Pairs that were left out, because their pages have too many sentences.
    pub too_long: u64,
    /// Pairs that were left out, because their words are translations of each other no more often
    /// than those of pages that have nothing to do with each other.
    pub unrelated: u64,
}

/// Returns the aligned sentences of pairs of texts, whose blocks are lines, in two languages.
/// Sentences without a translation are left out.
pub fn align(pairs: &[(&str, &str)]) -> Alignment {
    let mut numbers = HashMap::new();
    let sides: Vec<(Side, Side)> = pairs
        .iter()
        .map(|(first, second)| (Side::new(first, &mut numbers), Side::new(second, &mut numbers)))
        .collect();
    let ratio = ratio(&sides);
    let aligned = |pairs: &[Sides], lexicon: &Lexicon| -> Vec<Option<Vec<Bead>>> {
        pairs.par_iter().map(|(first, second)| beads(first, second, ratio, lexicon)).collect()
    };
    let mut all: Vec<Sides> = sides.iter().map(|(first, second)| (first, second)).collect();
    let count = all.len();
    // The pages of a pair and of the one half of all pairs later.
    let decoys = if count < MIN_PAIRS { 0 } else { (count / 2).min(MAX_DECOYS) };
    for one in 0..decoys {
        all.push((&sides[one].0, &sides[(one + count / 2 + 1) % count].1));
    }
    let mut begun = aligned(&all, &Lexicon::default());
    let mut unrelated = vec![false; count];
    if decoys > 0 {
        let scored = aligned(&all, &Lexicon::learn(&all, &begun));
        let scores: Vec<Option<f64>> = all
            .iter()
            .zip(scored)
            .map(|((first, second), beads)| Some(score(first, second, &beads?)))
            .collect();
        let least = least(scores[count..].iter().flatten().copied().collect());
        unrelated = scores[..count].iter().map(|of| of.is_some_and(|of| of < least)).collect();
    }
    all.truncate(count);
    begun.truncate(count);
    begun.iter_mut().zip(&unrelated).filter(|(_, out)| **out).for_each(|(beads, _)| *beads = None);
    let lexicon = Lexicon::learn(&all, &begun);
    let (mut found, mut too_long) = (Vec::new(), 0);
    let related = |pair: &usize| !unrelated[*pair];
    let pairs: Vec<usize> = (0..count).filter(related).collect();
    let of_pairs: Vec<Sides> = pairs.iter().map(|&pair| all[pair]).collect();
    for (pair, beads) in pairs.into_iter().zip(aligned(&of_pairs, &lexicon)) {
        let (first, second) = all[pair];
        let Some(beads) = beads else {
            too_long += 1;
            continue;
        };
        found.extend(beads.into_iter().filter(|bead| bead.lengths.0 * bead.lengths.1 > 0).map(
            |bead| Aligned {
                pair,
                first: first.text(bead.at.0, bead.lengths.0),
                second: second.text(bead.at.1, bead.lengths.1),
                score: bead.score,
            },
        ));
    }
    let unrelated = unrelated.into_iter().filter(|is_out| *is_out).count() as u64;
    Alignment { sentences: found, too_long, unrelated }
}

/// The length of the second pages by that of the first, both in characters.
fn ratio(sides: &[(Side, Side)]) -> f64 {
    let (mut first, mut second) = (0.0, 0.0);
    for (one, other) in sides {
        first += one.characters();
        second += other.characters();
    }
    let ratio: f64 = (second / first).clamp(0.1, 10.0);
    if ratio.is_finite() {
        ratio
    } else {
        1.0
    }
}

/// The score that tells a pair from decoys with these scores. The median and the median distance
/// from it, times 1.4826, are the mean and the standard deviation of normal numbers, but do not
/// depend on the few decoys that are translations.
fn least(decoys: Vec<f64>) -> f64 {
    let median = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
    };
    let middle = median(decoys.clone());
    middle + DEVIATIONS * 1.4826 * median(decoys.iter().map(|of| (of - middle).abs()).collect())
}

/// The share of the words of both pages that have a translation where they are aligned.
fn score(first: &Side, second: &Side, beads: &[Bead]) -> f64 {
    let words = |side: &Side, at: usize, number: usize| -> f64 {
        side.sentences[at..at + number].iter().map(|one| one.words.len() as f64).sum()
    };
    let of_bead = |bead: &Bead| {
        let (one, other) = (bead.at, bead.lengths);
        bead.score * (words(first, one.0, other.0) + words(second, one.1, other.1))
    };
    let all = words(first, 0, first.sentences.len()) + words(second, 0, second.sentences.len());
    beads.iter().map(of_bead).sum::<f64>() / all.max(1.0)
}

impl<'a> Side<'a> {
    fn new(text: &'a str, numbers: &mut HashMap<Box<str>, u32>) -> Self {
        let points = Points::default();
        let mut sentences = Vec::new();
        for block in text.lines() {
            let mut begins_block = true;
            for text in split(block, &points) {
                let text = text.trim();
                if text.is_empty() {
                    continue;
                }
                let mut words = Vec::new();
                for_each_token(text, |word| {
                    let next = numbers.len() as u32;
                    words.push(*numbers.entry(word.into()).or_insert(next));
                });
                words.sort_unstable();
                words.dedup();
                let characters = text.chars().filter(|c| !c.is_whitespace()).count() as f64;
                sentences.push(Sentence { text, characters, words, begins_block });
                begins_block = false;
            }
        }
        Self { sentences }
    }

    fn characters(&self) -> f64 {
        self.sentences.iter().map(|one| one.characters).sum()
    }

    fn text(&self, at: usize, number: usize) -> String {
        let texts: Vec<&str> = self.sentences[at..at + number].iter().map(|one| one.text).collect();
        texts.join(" ")
    }
}

/// Calls `each` for the words of a text, folded as in the identifiers, and for its numbers, in
/// European digits.
fn for_each_token(text: &str, mut each: impl FnMut(&str)) {
    let mut token = String::new();
    for_each_word(text, |word| {
        token.clear();
        token.extend(word.letters.iter().take(STEM));
        each(&token);
    });
    token.clear();
    for c in text.chars().chain([' ']) {
        match digit(c) {
            Some(digit) => token.push(digit),
            None if token.is_empty() => {}
            None => {
                each(&token);
                token.clear();
            }
        }
    }
}

/// The European digit of a decimal digit of the scripts that have their own.
fn digit(c: char) -> Option<char> {
    const ZEROS: [char; 17] = [
        '0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}',
        '\u{be6}', '\u{c66}', '\u{ce6}', '\u{d66}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}',
        '\u{17e0}',
    ];
    let value = |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).filter(|of| *of < 10);
    char::from_digit(ZEROS.iter().find_map(value)?, 10)
}

/// Sentences that are aligned with each other.
#[derive(Debug)]
struct Bead {
    /// Number of the first sentence on each side.
    at: (usize, usize),
    /// Number of sentences on each side.
    lengths: (usize, usize),
    score: f64,
}

/// Returns the beads with the least cost; `None` if the pages have too many sentences.
fn beads(first: &Side, second: &Side, ratio: f64, lexicon: &Lexicon) -> Option<Vec<Bead>> {
    let (rows, columns) = (first.sentences.len() + 1, second.sentences.len() + 1);
    if rows.saturating_mul(columns) > MAX_CELLS {
        return None;
    }
    let matches = Matches::new(first, second, lexicon);
    let cell = |row: usize, column: usize| row * columns + column;
    let mut costs = vec![f64::INFINITY; rows * columns];
    let mut taken = vec![0u8; rows * columns];
    costs[0] = 0.0;
    for row in 0..rows {
        for column in 0..columns {
            for (kind, &(down, right, of_kind)) in BEADS.iter().enumerate() {
                if down > row || right > column {
                    continue;
                }
                let (from_row, from_column) = (row - down, column - right);
                let before = costs[cell(from_row, from_column)];
                let at = (from_row, from_column);
                let cost =
                    before + of_kind + cost(first, second, at, (down, right), ratio, &matches);
                if cost < costs[cell(row, column)] {
                    costs[cell(row, column)] = cost;
                    taken[cell(row, column)] = kind as u8;
                }
            }
        }
    }
    let (mut row, mut column) = (rows - 1, columns - 1);
    let mut beads = Vec::new();
    while (row, column) != (0, 0) {
        let (down, right, _) = BEADS[usize::from(taken[cell(row, column)])];
        (row, column) = (row - down, column - right);
        let (at, lengths) = ((row, column), (down, right));
        let score = if down * right == 0 { 0.0 } else { matches.share(first, second, at, lengths) };
        beads.push(Bead { at, lengths, score });
    }
    beads.reverse();
    Some(beads)
}

/// The cost of a bead without that of its kind.
fn cost(
    first: &Side,
    second: &Side,
    at: (usize, usize),
    lengths: (usize, usize),
    ratio: f64,
    matches: &Matches,
) -> f64 {
    // How long a sentence without a translation is says nothing.
    if lengths.0 * lengths.1 == 0 {
        return 0.0;
    }
    let length = -probability(first, second, at, lengths, ratio).max(1e-12).ln();
    let begin = first.sentences[at.0].begins_block && second.sentences[at.1].begins_block;
    length - WORDS * matches.share(first, second, at, lengths) - if begin { BLOCKS } else { 0.0 }
}

/// The probability that the lengths of two translations differ at least as much.
fn probability(
    first: &Side,
    second: &Side,
    at: (usize, usize),
    lengths: (usize, usize),
    ratio: f64,
) -> f64 {
    let sum = |side: &Side, at: usize, number: usize| -> f64 {
        side.sentences[at..at + number].iter().map(|one| one.characters).sum()
    };
    let (one, other) = (sum(first, at.0, lengths.0), sum(second, at.1, lengths.1));
    let mean = (one + other / ratio) / 2.0;
    let delta = (other - one * ratio) / (mean * VARIANCE).sqrt().max(1e-6);
    erfc(delta.abs() / SQRT_2)
}

/// The complementary error function (Abramowitz and Stegun, 7.1.26; error under 1.5e-7).
fn erfc(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let polynomial = t
        * (0.254_829_592
            + t * (-0.284_496_736
                + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    polynomial * (-x * x).exp()
}

/// Numbers of words that have a translation on the other side, by pairs of sentences.
struct Matches {
    columns: usize,
    /// Of the first sentence, and of the second.
    counts: Vec<(u16, u16)>,
}

impl Matches {
    fn new(first: &Side, second: &Side, lexicon: &Lexicon) -> Self {
        let columns = second.sentences.len();
        let mut counts = vec![(0, 0); first.sentences.len() * columns];
        for_each_match(first, second, &lexicon.forward, |row, column| {
            counts[row * columns + column].0 += 1;
        });
        for_each_match(second, first, &lexicon.backward, |column, row| {
            counts[row * columns + column].1 += 1;
        });
        Self { columns, counts }
    }

    /// The share of the words of a bead that have a translation on the other side.
    fn share(
        &self,
        first: &Side,
        second: &Side,
        at: (usize, usize),
        lengths: (usize, usize),
    ) -> f64 {
        let words = |side: &Side, at: usize, number: usize| -> usize {
            side.sentences[at..at + number].iter().map(|one| one.words.len()).sum()
        };
        let (mut one, mut other) = (0usize, 0usize);
        for row in at.0..at.0 + lengths.0 {
            for column in at.1..at.1 + lengths.1 {
                let (of_first, of_second) = self.counts[row * self.columns + column];
                one += usize::from(of_first);
                other += usize::from(of_second);
            }
        }
        let (first, second) = (words(first, at.0, lengths.0), words(second, at.1, lengths.1));
        (one.min(first) + other.min(second)) as f64 / (first + second).max(1) as f64
    }
}

/// Calls `each` with two sentences for every word of the first that is in the second, or whose
/// translation is.
fn for_each_match(
    from: &Side,
    to: &Side,
    translations: &HashMap<u32, Vec<u32>>,
    mut each: impl FnMut(usize, usize),
) {
    let mut places: HashMap<u32, Vec<usize>> = HashMap::new();
    for (number, sentence) in to.sentences.iter().enumerate() {
        for &word in &sentence.words {
            places.entry(word).or_default().push(number);
        }
    }
    // The last word that was counted for each sentence, so that a word counts once.
    let mut counted = vec![usize::MAX; to.sentences.len()];
    let mut mark = 0;
    for (number, sentence) in from.sentences.iter().enumerate() {
        for word in &sentence.words {
            let known = translations.get(word).into_iter().flatten();
            for place in known.chain([word]).filter_map(|word| places.get(word)).flatten() {
                if counted[*place] != mark {
                    counted[*place] = mark;
                    each(number, *place);
                }
            }
            mark += 1;
        }
    }
}

/// Words with their translations, in both directions.
#[derive(Debug, Default)]
struct Lexicon {
    forward: HashMap<u32, Vec<u32>>,
    backward: HashMap<u32, Vec<u32>>,
}

impl Lexicon {
    /// Learns from the beads of one sentence on each side that have the best scores.
    fn learn(sides: &[Sides], aligned: &[Option<Vec<Bead>>]) -> Self {
        let mut beads: Vec<(f64, &Sentence, &Sentence)> = Vec::new();
        for ((first, second), found) in sides.iter().zip(aligned) {
            for bead in found.iter().flatten().filter(|bead| bead.lengths == (1, 1)) {
                let pair = (&first.sentences[bead.at.0], &second.sentences[bead.at.1]);
                if pair.0.words.len().max(pair.1.words.len()) <= MAX_WORDS {
                    beads.push((bead.score, pair.0, pair.1));
                }
            }
        }
        beads.sort_by(|a, b| b.0.total_cmp(&a.0));
        beads.truncate(LEARNED);
        let mut alone: [HashMap<u32, u32>; 2] = Default::default();
        let mut together: HashMap<(u32, u32), u32> = HashMap::new();
        for (_, first, second) in beads {
            for (counts, sentence) in alone.iter_mut().zip([first, second]) {
                sentence.words.iter().for_each(|word| *counts.entry(*word).or_default() += 1);
            }
            for one in &first.words {
                for other in &second.words {
                    *together.entry((*one, *other)).or_default() += 1;
                }
            }
        }
        let mut lexicon = Self::default();
        for ((one, other), count) in together {
            let all = alone[0][&one] + alone[1][&other];
            if count >= MIN_TOGETHER && 2.0 * f64::from(count) >= MIN_DICE * f64::from(all) {
                lexicon.forward.entry(one).or_default().push(other);
                lexicon.backward.entry(other).or_default().push(one);
            }
        }
        lexicon
    }
}

/// The form of a file of aligned sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A table: cells between tabs, below headings.
    Table,
    /// TMX 1.4, an exchange format of translation memories.
    Tmx,
}

impl Format {
    /// The form that the ending of a name stands for.
    pub fn of(name: &str) -> Self {
        let is_tmx = [".tmx", ".tmx.gz", ".tmx.zst"].iter().any(|ending| name.ends_with(ending));
        if is_tmx {
            Self::Tmx
        } else {
            Self::Table
        }
    }

    /// The head of the file, without a line end. TMX names the `first` language of its units, if
    /// there is one.
    pub fn head(self, first: Option<LangCode>, version: &str) -> String {
        if self == Self::Table {
            let columns =
                "language\tsentence\tother_language\tother_sentence\tscore\turl\tother_url";
            return columns.to_owned();
        }
        let first = first.map_or("*all*".to_owned(), tag);
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tmx version=\"1.4\"><header \
             creationtool=\"corpulyzer\" creationtoolversion=\"{version}\" segtype=\"sentence\" \
             o-tmf=\"tsv\" adminlang=\"en\" srclang=\"{first}\" datatype=\"plaintext\"/>\n<body>"
        )
    }

    /// Two aligned sentences with their languages, addresses and score, without a line end.
    pub fn unit(
        self,
        languages: (LangCode, LangCode),
        urls: (&str, &str),
        aligned: &Aligned,
    ) -> String {
        let score = format!("{:.3}", aligned.score);
        if self == Self::Table {
            let (first, second) = (languages.0.as_str(), languages.1.as_str());
            let cells = [first, &aligned.first, second, &aligned.second, &score, urls.0, urls.1];
            return cells.map(render::tsv::cell).join("\t");
        }
        let variant = |language, url: &str, text: &str| {
            format!(
                "<tuv xml:lang=\"{}\"><prop type=\"url\">{}</prop><seg>{}</seg></tuv>",
                tag(language),
                escape(url),
                escape(text)
            )
        };
        format!(
            "<tu><prop type=\"score\">{score}</prop>{}{}</tu>",
            variant(languages.0, urls.0, &aligned.first),
            variant(languages.1, urls.1, &aligned.second)
        )
    }

    /// The last line of the file, if it has one of its own.
    pub fn end(self) -> Option<&'static str> {
        (self == Self::Tmx).then_some("</body></tmx>")
    }
}

/// A language as in `xml:lang` (BCP 47).
fn tag(language: LangCode) -> String {
    language.short().unwrap_or(language.as_str()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let found = align(pairs).sentences.into_iter();
        found.map(|one| (one.first, one.second)).collect()
    }

    #[test]
    fn a_sentence_without_a_translation_is_left_out() {
        let german =
            "Am Montag kam der alte Zug aus Lahore mit 300 Gästen an. Das Wetter war schön. \
                      In Quetta warteten 40 Händler mit ihren Waren auf dem großen Markt.";
        let english = "On Monday the old train from Lahore came with 300 guests. \
                       In Quetta 40 traders waited with their goods on the large market.";
        let found = texts(&[(german, english)]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].0.contains("Lahore") && found[0].1.contains("Lahore"));
        assert!(found[1].0.contains("Quetta") && found[1].1.contains("Quetta"));
    }

    #[test]
    fn two_sentences_may_have_one_translation() {
        let one = "Der Fluss stieg in der Nacht. Am Morgen stand das Wasser in allen Kellern.";
        let other =
            "The river rose in the night, and in the morning the water stood in all cellars.";
        assert_eq!(texts(&[(one, other)]), [(one.to_owned(), other.to_owned())]);
    }

    /// Pages in two made-up languages of 200 words: the second spells them backwards.
    #[test]
    fn pages_that_are_no_translations_are_left_out() {
        let syllables = ["ba", "ko", "ri", "su", "te", "na"];
        let text = |page: usize, is_backwards: bool| -> String {
            let mut state = page as u64 * 2 + 1;
            let mut word = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let number = (state >> 33) as usize;
                let parts = [number, number / 6, number / 36].map(|number| syllables[number % 6]);
                match is_backwards {
                    true => parts.concat().chars().rev().collect::<String>(),
                    false => parts.concat(),
                }
            };
            let mut sentence = || (0..9).map(|_| word()).collect::<Vec<_>>().join(" ") + ".";
            (0..8).map(|_| sentence()).collect::<Vec<_>>().join("\n")
        };
        let pages: Vec<(String, String)> = (0..40)
            .map(|page| {
                let other = if page % 10 == 3 { page + 100 } else { page };
                (text(page, false), text(other, true))
            })
            .collect();
        let pairs: Vec<(&str, &str)> =
            pages.iter().map(|(one, other)| (one.as_str(), other.as_str())).collect();
        let found = align(&pairs);
        assert_eq!(found.unrelated, 4);
        assert!(found.sentences.iter().all(|one| one.pair % 10 != 3));
        assert!(found.sentences.iter().any(|one| one.pair == 39));
        assert_eq!(align(&pairs[..10]).unrelated, 0, "too few pairs to know chance");
    }

    #[test]
    fn numbers_are_the_same_in_all_digits() {
        let mut tokens = Vec::new();
        for_each_token("۱۲۳ سال، १२३ 123", |token| tokens.push(token.to_owned()));
        assert_eq!(tokens.iter().filter(|token| *token == "123").count(), 3, "{tokens:?}");
    }

    #[test]
    fn hostile_pages_cost_bounded_time_and_no_panic() {
        let many = "Yes. ".repeat(20_000);
        assert_eq!(align(&[(&many, &many)]).too_long, 1);
        assert!(align(&[("", "A text that stands alone.")]).sentences.is_empty());
        assert!(align(&[("", "")]).sentences.is_empty());
        assert!(align(&[]).sentences.is_empty());
        let long = "word ".repeat(100_000);
        assert_eq!(align(&[(&long, &long)]).sentences.len(), 1);
    }

    #[test]
    fn a_memory_without_units_is_tmx_too() {
        let head = Format::of("memory.tmx.gz").head(None, "1");
        assert!(head.starts_with("<?xml ") && head.contains("srclang=\"*all*\""), "{head}");
    }

    #[test]
    fn a_unit_of_tmx_is_xml_whatever_the_text_is() {
        let aligned =
            Aligned { pair: 0, first: "a<b\u{1}&".into(), second: "ہے".into(), score: 0.5 };
        let languages = ("eng".parse().expect("a code"), "urd".parse().expect("a code"));
        let unit = Format::Tmx.unit(languages, ("http://a.pk/?a&b", ""), &aligned);
        assert!(
            unit.contains("<seg>a&lt;b\u{fffd}&amp;</seg>") && unit.contains("xml:lang=\"ur\""),
            "{unit}"
        );
        assert!(unit.contains("<prop type=\"url\">http://a.pk/?a&amp;b</prop>"));
    }
}
