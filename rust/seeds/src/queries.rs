//! Queries for search engines, to find the first seeds of a language.
//!
//! The method is BootCaT's (Baroni and Bernardini 2004), which SpiderLing and ArabicWeb16 also
//! used: tuples of words that are neither frequent in all languages nor too rare to be found. Or it
//! is W2C's (Majliš 2011): phrases of medium frequency.

use fastrand::Rng;
use figures::letters::knows_letters;
use figures::tokens::Token;
use figures::Tokenizer;
use langbytes::{Identify, LangCode, Scripts};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Smallest number of occurrences of a word. Rarer words are often spelling errors.
pub const MIN_TIMES: u64 = 3;

/// Number of the most frequent words that are left out, at most a tenth of all words. They occur in
/// every text, and some also in other languages.
const FREQUENT: usize = 1000;

/// Number of the next words, from which words are drawn (as many as in Corpus Factory).
const DRAWN_FROM: usize = 5000;

/// Smallest number of words to draw from; with fewer words the queries would repeat them.
pub const MIN_WORDS: usize = 50;

/// Longest word, in characters. Longer ones are runs of text in scripts without spaces.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=20;

/// The phrases that are drawn from, in percent of all different ones by frequency, as in W2C.
const BAND: std::ops::Range<usize> = 2..5;

/// Largest number of draws per query.
const TRIES: usize = 50;

/// Settings of queries.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Language that the queries should find.
    pub language: LangCode,
    /// Number of queries.
    pub count: usize,
    /// Words of a query.
    pub words: u8,
    /// Make phrases of words that are neighbours in the text.
    pub phrases: bool,
    /// Number that decides the draw.
    pub seed: u64,
}

/// Returns the words or phrases of a text that queries are drawn from. At least [`MIN_WORDS`] are
/// needed.
pub fn candidates(text: &str, settings: &Settings) -> Vec<String> {
    match settings.phrases {
        false => drawn_from(text, settings.language),
        true => phrases(text, settings.language, settings.words.into()),
    }
}

/// The words of medium frequency, the most frequent first, ties in alphabetical order.
fn drawn_from(text: &str, language: LangCode) -> Vec<String> {
    let own_letters = knows_letters(language, Scripts::default());
    let mut tokens = Vec::new();
    let mut counts: HashMap<String, u64> = HashMap::new();
    let tokenizer = Tokenizer::new(language);
    for line in text.lines() {
        tokens.clear();
        tokenizer.tokens(line, &mut tokens);
        for token in tokens.iter().filter(|token| is_word(token, line, own_letters)) {
            *counts.entry(token.text(line).to_lowercase()).or_default() += 1;
        }
    }
    let mut words: Vec<(u64, String)> = counts
        .into_iter()
        .filter(|&(_, times)| times >= MIN_TIMES)
        .map(|(word, times)| (times, word))
        .collect();
    words.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.cmp(other)));
    let frequent = FREQUENT.min(words.len() / 10);
    words.into_iter().skip(frequent).take(DRAWN_FROM).map(|(_, word)| word).collect()
}

/// Returns whether a token is a word of a query: not too long, in the language's letters, and
/// without digits and punctuation.
fn is_word(token: &Token, line: &str, own_letters: bool) -> bool {
    LENGTHS.contains(&(token.chars as usize))
        && !token.text(line).contains(|c: char| c.is_ascii_digit() || c.is_ascii_punctuation())
        && (token.own || !own_letters)
}

/// The phrases of medium frequency: words with single blanks between them, the most frequent first,
/// ties in alphabetical order. Their case is that of the text.
fn phrases(text: &str, language: LangCode, words: usize) -> Vec<String> {
    let own_letters = knows_letters(language, Scripts::default());
    let mut tokens = Vec::new();
    let mut counts: HashMap<&str, u64> = HashMap::new();
    let tokenizer = Tokenizer::new(language);
    for line in text.lines() {
        tokens.clear();
        tokenizer.tokens(line, &mut tokens);
        for phrase in tokens.windows(words) {
            let joined =
                |pair: &[Token]| &line[pair[0].end as usize..pair[1].start as usize] == " ";
            if phrase.iter().all(|token| is_word(token, line, own_letters))
                && phrase.windows(2).all(joined)
            {
                let range = phrase[0].start as usize..phrase[words - 1].end as usize;
                *counts.entry(&line[range]).or_default() += 1;
            }
        }
    }
    let mut phrases: Vec<(u64, &str)> =
        counts.into_iter().map(|(phrase, times)| (times, phrase)).collect();
    phrases.sort_unstable_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.cmp(other)));
    let rank = |percent: usize| phrases.len() * percent / 100;
    phrases[rank(BAND.start)..rank(BAND.end)]
        .iter()
        .map(|(_, phrase)| (*phrase).to_owned())
        .collect()
}

/// Returns queries that are identified as the language, each once whatever the order of its words,
/// and the number of other queries that were drawn.
pub fn draw(
    words: &[String],
    settings: &Settings,
    identifier: &dyn Identify,
) -> (Vec<String>, usize) {
    let mut random = Rng::with_seed(settings.seed);
    // A phrase is a query of its own.
    let size = if settings.phrases { 1 } else { settings.words };
    let (mut queries, mut met, mut refused) = (Vec::new(), HashSet::new(), 0);
    for _ in 0..settings.count * TRIES {
        if queries.len() == settings.count {
            break;
        }
        let drawn: Vec<usize> = (0..size).map(|_| random.usize(..words.len())).collect();
        let sorted: BTreeSet<usize> = drawn.iter().copied().collect();
        if sorted.len() < drawn.len() || !met.insert(sorted) {
            continue;
        }
        let query = drawn.iter().map(|&word| words[word].as_str()).collect::<Vec<_>>().join(" ");
        if identifier.identify(&query, None) == settings.language {
            queries.push(if settings.phrases { format!("\"{query}\"") } else { query });
        } else {
            refused += 1;
        }
    }
    (queries, refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Says(&'static str);

    impl Identify for Says {
        fn identify(&self, text: &str, _allowed: Option<&[LangCode]>) -> LangCode {
            if text.contains(self.0) {
                LangCode::UND
            } else {
                "deu".parse().expect("a code")
            }
        }

        fn languages(&self) -> Vec<LangCode> {
            Vec::new()
        }

        fn version(&self) -> String {
            String::new()
        }
    }

    /// Word 0 occurs 300 times, word 99 three times.
    fn text() -> String {
        let name = |number: usize| -> String {
            format!("{number:02}").bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
        };
        (0..100)
            .map(|number| format!("Wort{} ", name(number)).repeat(300 - 3 * number))
            .collect::<String>()
            + "selten selten 4711 a x-y"
    }

    fn settings(count: usize, seed: u64) -> Settings {
        Settings { language: "deu".parse().expect("a code"), count, words: 3, phrases: false, seed }
    }

    #[test]
    fn words_are_neither_the_most_frequent_nor_the_rare() {
        let words = drawn_from(&text(), settings(1, 1).language);
        assert_eq!(words.len(), 90);
        assert_eq!((words[0].as_str(), words[89].as_str()), ("wortba", "wortjj"));
    }

    #[test]
    fn queries_are_different_and_read_like_the_language() {
        let words = drawn_from(&text(), settings(1, 1).language);
        let (queries, refused) = draw(&words, &settings(200, 7), &Says("wortc"));
        assert_eq!(queries.len(), 200);
        assert!(refused > 0);
        let mut sorted: Vec<Vec<&str>> =
            queries.iter().map(|query| query.split(' ').collect()).collect();
        sorted.iter_mut().for_each(|words| words.sort_unstable());
        assert!(sorted
            .iter()
            .all(|words| words.len() == 3 && words[0] != words[1] && words[1] != words[2]));
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 200);
        assert!(!queries.iter().any(|query| query.contains("wortc")));
        assert_eq!(draw(&words, &settings(200, 7), &Says("wortc")).0, queries);
        assert_ne!(draw(&words, &settings(200, 8), &Says("wortc")).0, queries);
    }

    #[test]
    fn phrases_are_those_of_rank_2_to_5_percent_in_the_words_of_the_text() {
        let name = |number: usize| format!("wort{}", char::from(b'a' + number as u8)).repeat(2);
        // Phrase n of 100 occurs 101 - n times.
        let line = |n: usize| format!("{} {} Wort.\n", name(n / 10), name(10 + n % 10));
        let mut text: String = (0..100).map(|n| line(n).repeat(100 - n)).collect();
        text +=
            &"eins zwei, drei\neins 2 drei\neins zwei. Drei vier\neins  zwei drei\n".repeat(200);
        let language = settings(1, 1).language;
        let expected: Vec<String> =
            (2..5).map(|n| line(n).trim_end_matches(".\n").to_owned()).collect();
        assert_eq!(phrases(&text, language, 3), expected);
        let quoted = Settings { phrases: true, ..settings(9, 1) };
        let (mut queries, _) = draw(&expected, &quoted, &Says("-"));
        queries.sort();
        assert_eq!(queries, expected.iter().map(|one| format!("\"{one}\"")).collect::<Vec<_>>());
        assert!(phrases("", language, 3).is_empty());
    }

    #[test]
    fn what_cannot_be_drawn_is_not_waited_for() {
        let words: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        let (queries, _) = draw(&words, &settings(100, 1), &Says("-"));
        assert_eq!(queries.len(), 4);
        assert!(draw(&words, &settings(100, 1), &Says("")).0.is_empty());
    }
}
