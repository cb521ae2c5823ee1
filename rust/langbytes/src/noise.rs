//! Text that is in no language: repeated letters and words, and lists of names.
//!
//! Identifiers return the closest language of any text, and of such text this is often a small
//! one. Five measures of all text of a page in one language detect it. They hold for any language;
//! the limits are far from the values of running text (Tahitian has the fewest distinct words, and
//! Malayalam and Tamil the fewest frequent ones).
//!
//! - Words of one letter, and words of one or two letters that repeat, are most of the text.
//! - There are few distinct words for the length of the text. Repeated lines count once, for pages
//!   repeat their own.
//! - Many rows differ in numbers and signs alone, have few words, and hardly any end of a sentence.
//! - Hardly a word is frequent in the language. Names occur in every language, but no list of them
//!   has its function words and verbs. This needs an identifier with the words of the language.

use crate::{LangCode, Segment};
use foldhash::{HashSet, HashSetExt};
use langid::words::for_each_word;
use langid::Identify;
use std::collections::BTreeMap;

/// Shorter text is not judged, in words.
const MIN_WORDS: usize = 12;
/// Text with fewer distinct words is noise from [`MIN_WORDS`] words on.
const MIN_DISTINCT: usize = 6;
/// Least exponent of Heaps' law: text of n words has at least this power of n distinct words. The
/// lowest of running text is .81, of 2,000 words in Tahitian.
const MIN_HEAPS: f64 = 0.76;
/// Highest mean number of letters of words with spaces between them; Malayalam has 8.9.
const MAX_MEAN_LETTERS: usize = 9;
/// Highest share of words of one letter, and of letters in words that repeat one or two letters.
const MAX_LETTERS: f64 = 0.5;
/// Least share of words that are frequent in the language. The lowest of 20 lines of running text
/// is 9 %, in Tamil and Malayalam.
const MIN_FREQUENT: f64 = 0.05;
/// Least number of words for the share of frequent ones.
const MIN_COUNTED: usize = 20;
/// The same for a list in a language with less than half of the page.
const MIN_COUNTED_OF_LIST: usize = 8;
/// Most words of a line of a list, on average.
const MAX_LIST_WORDS: usize = 4;
/// Least number of rows of one template, and most distinct lines that they leave without numbers.
const MIN_ROWS: usize = 8;
const MAX_TEMPLATES: usize = 2;
/// Ends of sentences.
const ENDS: [char; 6] = ['.', '!', '?', '۔', '।', '。'];
/// Words of a language that are measured; long text has relatively fewer distinct words.
const MAX_MEASURED: usize = 2_000;

/// Sets the language of noise to [`LangCode::UND`].
pub(crate) fn strike(pieces: &mut [Segment], identifier: &dyn Identify) {
    let mut texts: BTreeMap<LangCode, Vec<&str>> = BTreeMap::new();
    for piece in pieces.iter().filter(|piece| piece.language != LangCode::UND) {
        texts.entry(piece.language).or_default().push(piece.text);
    }
    let all: usize = pieces.iter().map(|piece| piece.text.len()).sum();
    texts.retain(|language, texts| {
        let bytes: usize = texts.iter().map(|text| text.len()).sum();
        is_noise(texts, *language, identifier, bytes * 2 < all)
    });
    for piece in pieces.iter_mut().filter(|piece| texts.contains_key(&piece.language)) {
        piece.language = LangCode::UND;
    }
}

/// What is counted of the text of one language.
#[derive(Default)]
struct Counts {
    words: usize,
    letters: usize,
    /// Words of one letter.
    single: usize,
    /// Letters of words of at least four letters that are one or two different ones.
    repeated: usize,
    distinct: HashSet<Vec<char>>,
}

impl Counts {
    fn add(&mut self, text: &str) {
        for_each_word(text, |word| {
            let length = word.letters.len();
            self.words += 1;
            self.letters += length;
            self.single += usize::from(length == 1);
            let is_repeated = length >= 4 && has_two_letters(word.letters);
            self.repeated += if is_repeated { length } else { 0 };
            if !self.distinct.contains(word.letters) {
                self.distinct.insert(word.letters.to_vec());
            }
        });
    }

    #[allow(clippy::cast_precision_loss)]
    fn are_of_noise(&self) -> bool {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let distinct = self.distinct.len();
        // Where no spaces separate words, a word is a clause, and few of them are a text.
        let has_words = self.letters <= self.words * MAX_MEAN_LETTERS;
        share(self.single, self.words) > MAX_LETTERS
            || share(self.repeated, self.letters) > MAX_LETTERS
            || has_words && distinct < MIN_DISTINCT
            || has_words && (distinct as f64) < (self.words as f64).powf(MIN_HEAPS)
    }
}

fn has_two_letters(word: &[char]) -> bool {
    let other = word.iter().find(|letter| **letter != word[0]);
    word.iter().all(|letter| *letter == word[0] || Some(letter) == other)
}

/// Returns the lines of some text, with the ends of sentences as ends of lines. Of lines that differ
/// in numbers and signs alone, the first is returned. Returns also whether all lines are rows of one
/// or two templates: text of people that repeats, such as a refrain, repeats without other numbers.
fn distinct_lines<'a>(texts: &[&'a str]) -> (Vec<&'a str>, bool) {
    let (mut seen, mut rows) = (HashSet::new(), HashSet::new());
    let lines = texts.iter().flat_map(|text| text.split('\n').flat_map(|line| line.split(ENDS)));
    let letters = |line: &str| line.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    let is_new = |line: &&'a str| {
        let letters = letters(line);
        // Lines without letters count as one.
        if !letters.is_empty() && seen.len() <= MAX_TEMPLATES + 1 {
            rows.insert(line.trim());
        }
        seen.insert(letters)
    };
    let lines = lines.filter(is_new).collect();
    let templates = seen.len() - usize::from(seen.contains(""));
    let are_rows = templates <= MAX_TEMPLATES && rows.len() >= MIN_ROWS;
    (lines, are_rows && !are_sentences(texts))
}

/// Returns whether half of the lines have the end of a sentence, behind a letter.
fn are_sentences(texts: &[&str]) -> bool {
    let lines = || texts.iter().flat_map(|text| text.lines());
    let has_end = |line: &&str| {
        line.match_indices(ENDS).any(|(at, end)| {
            line[..at].ends_with(char::is_alphabetic)
                && line[at + end.len()..].chars().next().is_none_or(char::is_whitespace)
        })
    };
    lines().filter(has_end).count() * 2 >= lines().count()
}

#[allow(clippy::cast_precision_loss)]
fn is_noise(
    texts: &[&str],
    language: LangCode,
    identifier: &dyn Identify,
    is_minority: bool,
) -> bool {
    let mut all = 0;
    for text in texts {
        for_each_word(text, |_| all += 1);
        if all >= MAX_MEASURED {
            break;
        }
    }
    let (lines, are_rows) = distinct_lines(texts);
    // Of a long text, every n-th line is measured.
    let bytes: usize = lines.iter().map(|line| line.len()).sum();
    let every = (bytes / (MAX_MEASURED * 8)).max(1);
    let lines: Vec<&str> = lines.into_iter().step_by(every).collect();
    let mut counts = Counts::default();
    for line in &lines {
        counts.add(line);
        if counts.words >= MAX_MEASURED {
            break;
        }
    }
    if counts.are_of_noise() {
        // A few long words may be all of a text, if they repeat letters.
        return all >= MIN_WORDS || counts.repeated * 2 > counts.letters;
    }
    let is_list = counts.words <= lines.len() * MAX_LIST_WORDS;
    let counted = if is_minority && is_list { MIN_COUNTED_OF_LIST } else { MIN_COUNTED };
    if counts.words < counted {
        return are_rows;
    }
    let end = lines.len().min(MAX_MEASURED);
    let frequent = identifier.frequent_words(&lines[..end].join("\n"), language);
    frequent.is_some_and(|(frequent, words)| {
        words >= counted && (frequent as f64) < MIN_FREQUENT * words as f64
    })
}
