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
//!   In a language that is rare on the web, a table of columns whose words repeat, or of rows of a
//!   word or two and a number, is noise too.
//! - The text does not fit the language: its letters are unusual there, hardly a word is frequent in
//!   it, and a common language predicts it nearly as well. Names occur in every language, but no list
//!   of them has its function words. This needs an identifier with a model of the language.

use crate::{LangCode, Segment};
use foldhash::{HashSet, HashSetExt};
use langid::words::for_each_word;
use langid::{floor_char_boundary, identified, Allowed, Fit, Identify};
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
/// Least number of words for the measure of the fit.
const MIN_FITTED: usize = 8;
/// Words whose fit is measured, about: it costs as much as the identification.
const MAX_FITTED: usize = 300;
/// Their bytes at most: a line may be a whole page.
const MAX_FITTED_BYTES: usize = 16 << 10;
/// Most words between two ends of items, on average, in a list; running text has 8.7, and 99 % of
/// its pages have more than this.
const MAX_LIST_WORDS: f64 = 3.5;
/// Highest misfit of running text and of lists, also without a [lead](Fit::lead).
const MAX_OF_TEXT: f64 = 2.5;
const MAX_OF_LIST: f64 = -0.5;
const MAX_OF_TEXT_WITHOUT_RIVAL: f64 = 3.2;
const MAX_OF_LIST_WITHOUT_RIVAL: f64 = 1.4;
/// Highest misfit of lists in a common language. Glossaries have up to 2.8, and nine of ten lists
/// of names more than 2.1; some noise does a large corpus no harm.
const MAX_OF_COMMON_LIST: f64 = 2.4;
/// Fewer words of rows that differ in numbers are no text.
const MIN_COUNTED: usize = 20;
/// Least number of rows of one template, and most distinct lines that they leave without numbers.
const MIN_ROWS: usize = 8;
const MAX_TEMPLATES: usize = 2;
/// Most words of a row of a table that has a number, such as a timetable.
const MAX_ROW_WORDS: usize = 2;
/// Fewer distinct words in a list whose words repeat are those of the columns of a table, and too
/// few for a glossary.
const MIN_LISTED: usize = 20;
/// Ends of sentences.
const ENDS: [char; 6] = ['.', '!', '?', '۔', '।', '。'];
/// Ends of items of a list, apart from the ends of sentences.
const ITEM_ENDS: [char; 16] = [
    ',', ';', ':', '|', '/', '\u{b7}', '\u{2022}', '\u{2013}', '\u{2014}', '(', ')', '[', ']', '،',
    '؛', '\t',
];
/// Words of a language that are measured; long text has relatively fewer distinct words.
const MAX_MEASURED: usize = 2_000;

/// Sets the language of noise to [`LangCode::UND`].
pub(crate) fn strike(pieces: &mut [Segment], identifier: &dyn Identify) {
    let mut texts: BTreeMap<LangCode, Vec<&str>> = BTreeMap::new();
    for piece in pieces.iter().filter(|piece| piece.language != LangCode::UND) {
        texts.entry(piece.language).or_default().push(piece.text);
    }
    texts.retain(|language, texts| is_noise(texts, *language, identifier));
    for piece in pieces.iter_mut().filter(|piece| texts.contains_key(&piece.language)) {
        piece.language = LangCode::UND;
    }
}

/// Returns the language of a line like [`langid::language_of`], but [`LangCode::UND`] for noise that
/// is identified as a language which is rare on the web. With `allowed` languages no line is noise.
pub fn language_of_line(line: &[u8], identifier: &dyn Identify, allowed: Allowed) -> LangCode {
    let text = &identified(line);
    if allowed.is_some() {
        return identifier.identify(text, allowed);
    }
    let (language, least) = identifier.identify_with_misfit(text);
    let may_be_noise = least > MAX_OF_LIST && language != LangCode::UND;
    match may_be_noise && is_noise(&[text], language, identifier) {
        true => LangCode::UND,
        false => language,
    }
}

/// What is counted of the text of one language.
#[derive(Default)]
struct Counts {
    words: usize,
    letters: usize,
    /// Texts between two ends of items.
    items: usize,
    /// Words of one letter.
    single: usize,
    /// Letters of words of at least four letters that are one or two different ones.
    repeated: usize,
    distinct: HashSet<Vec<char>>,
}

impl Counts {
    fn add(&mut self, text: &str) {
        let has_letter = |item: &&str| item.contains(char::is_alphabetic);
        self.items += text.split(ITEM_ENDS).filter(has_letter).count();
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

    /// Returns whether the text is a list of short items.
    #[allow(clippy::cast_precision_loss)]
    fn are_of_list(&self) -> bool {
        self.has_words() && self.words as f64 <= MAX_LIST_WORDS * self.items as f64
    }

    /// Returns whether the text is a list of few words, each in several rows. `all` is the number of
    /// its words with those of lines that repeat.
    fn are_of_columns(&self, all: usize) -> bool {
        let distinct = self.distinct.len();
        self.are_of_list() && distinct < MIN_LISTED && all * 2 >= distinct * 3
    }

    /// Returns whether words are words. Without spaces between them, a word is a clause, and few of
    /// them are a text.
    fn has_words(&self) -> bool {
        self.letters <= self.words * MAX_MEAN_LETTERS
    }

    #[allow(clippy::cast_precision_loss)]
    fn are_of_noise(&self) -> bool {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let distinct = self.distinct.len();
        let has_words = self.has_words();
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

/// Returns whether most lines with letters are rows of a table: few words and a number.
fn are_of_table(lines: &[&str]) -> bool {
    let is_row = |line: &&&str| {
        let mut words = 0;
        for_each_word(line, |_| words += 1);
        words <= MAX_ROW_WORDS && line.contains(char::is_numeric)
    };
    let with_letters = || lines.iter().filter(|line| line.contains(char::is_alphabetic));
    let rows = with_letters().filter(is_row).count();
    rows >= MIN_ROWS && rows * 4 >= with_letters().count() * 3
}

/// Returns whether text is noise, and not text in this language.
fn is_noise(texts: &[&str], language: LangCode, identifier: &dyn Identify) -> bool {
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
    let lines: Vec<&str> = lines.into_iter().step_by(every).take(MAX_MEASURED).collect();
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
    if are_rows && counts.words < MIN_COUNTED {
        return true;
    }
    let is_table = counts.are_of_columns(all) || are_of_table(&lines);
    let every = (counts.words / MAX_FITTED).max(1);
    let mut some = lines.into_iter().step_by(every).collect::<Vec<_>>().join("\n");
    some.truncate(floor_char_boundary(&some, MAX_FITTED_BYTES));
    let fit = identifier.fit(&some, language);
    let is_misfit = |fit: Fit| fit.words >= MIN_FITTED && is_misfit(&fit, counts.are_of_list());
    fit.is_some_and(|fit| !fit.is_common && is_table || is_misfit(fit))
}

/// Returns whether text does not fit its language.
fn is_misfit(fit: &Fit, is_list: bool) -> bool {
    let most = match (is_list, fit.lead) {
        (false, None) => MAX_OF_TEXT_WITHOUT_RIVAL,
        (true, None) if fit.is_common => MAX_OF_COMMON_LIST,
        (true, None) => MAX_OF_LIST_WITHOUT_RIVAL,
        (false, Some(_)) => MAX_OF_TEXT,
        (true, Some(_)) => MAX_OF_LIST,
    };
    fit.misfit() > most
}
