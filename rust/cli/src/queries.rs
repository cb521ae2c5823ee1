//! Queries for search engines, where a language has neither an archive nor a list of sites to begin with.
//!
//! BootCaT's method (Baroni and Bernardini 2004), by which SpiderLing and ArabicWeb16 found seeds: tuples of words that are neither so frequent
//! that every language's pages have them nor so rare that no page does.

use crate::counted::counted;
use crate::train;
use corpus::tokens::{knows_letters, Tokenizer};
use fastrand::Rng;
use langid::{Identify, LangCode};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// Times that a word must occur: what is there once or twice may be a slip.
const LEAST_TIMES: u64 = 3;

/// Most frequent words that are left out, a tenth of all at most; they are in every text, and some in texts of other languages.
const FREQUENT: usize = 1000;

/// Words behind them that are drawn from (Corpus Factory takes as many).
const DRAWN_FROM: usize = 5000;

/// Words that are needed, so that queries are not of the same few.
const LEAST_WORDS: usize = 50;

/// Characters of a word. Longer ones are runs of text in scripts without blanks.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=20;

/// Draws for each query that is wanted, until it is given up.
const TRIES: usize = 50;

/// What is asked for.
pub struct Asked<'a> {
    /// A text or a folder of texts in the language.
    pub text: &'a Path,
    /// The language.
    pub language: LangCode,
    /// Queries.
    pub count: usize,
    /// Words of a query.
    pub words: usize,
    /// Another one draws others.
    pub seed: u64,
}

/// Queries, one a line. A query is left out if the identifier does not take its words together for the language: a sibling's pages would
/// come up for it.
///
/// # Errors
/// When the text cannot be read, or has too few words or none that are told from those of other languages.
pub fn run(asked: &Asked, identifier: &dyn Identify, max_bytes: u64) -> Result<String, String> {
    let text = train::text_under(asked.text, max_bytes)?;
    let words = drawn_from(&text, asked.language);
    if words.len() < LEAST_WORDS {
        return Err(format!(
            "{}: has {} between the frequent and the rare, {LEAST_WORDS} are needed; words stand between blanks and occur \
             {LEAST_TIMES} times or more (--text)",
            asked.text.display(),
            counted(words.len(), "word")
        ));
    }
    let (queries, refused) = draw(&words, asked, identifier);
    let language = asked.language;
    if queries.is_empty() {
        return Err(format!("no {} words together read like {language} ({})", asked.words, language.name()));
    }
    eprintln!(
        "corpulyzer: queries: {}, of {}; left out, for they do not read like {language}: {refused}",
        queries.len(),
        counted(words.len(), "word")
    );
    Ok(queries.iter().map(|query| format!("{query}\n")).collect())
}

/// The words of middling frequency, most frequent first; of equally frequent ones in alphabetical order.
fn drawn_from(text: &str, language: LangCode) -> Vec<String> {
    let own_letters = knows_letters(language);
    let mut tokens = Vec::new();
    let mut counts: HashMap<String, u64> = HashMap::new();
    let tokenizer = Tokenizer::new(language);
    for line in text.lines() {
        tokens.clear();
        tokenizer.tokens(line, &mut tokens);
        for token in &tokens {
            let word = token.text(line);
            let is_word = LENGTHS.contains(&(token.chars as usize))
                && !word.contains(|c: char| c.is_ascii_digit() || c.is_ascii_punctuation());
            if is_word && (token.own || !own_letters) {
                *counts.entry(word.to_lowercase()).or_default() += 1;
            }
        }
    }
    let mut words: Vec<(u64, String)> =
        counts.into_iter().filter(|&(_, times)| times >= LEAST_TIMES).map(|(word, times)| (times, word)).collect();
    words.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.cmp(other)));
    let frequent = FREQUENT.min(words.len() / 10);
    words.into_iter().skip(frequent).take(DRAWN_FROM).map(|(_, word)| word).collect()
}

/// Queries that read like the language, each once whatever the order of its words, and how many others were drawn.
fn draw(words: &[String], asked: &Asked, identifier: &dyn Identify) -> (Vec<String>, usize) {
    let mut random = Rng::with_seed(asked.seed);
    let (mut queries, mut met, mut refused) = (Vec::new(), HashSet::new(), 0);
    for _ in 0..asked.count.saturating_mul(TRIES) {
        if queries.len() == asked.count {
            break;
        }
        let drawn: Vec<usize> = (0..asked.words).map(|_| random.usize(..words.len())).collect();
        let sorted: BTreeSet<usize> = drawn.iter().copied().collect();
        if sorted.len() < drawn.len() || !met.insert(sorted) {
            continue;
        }
        let query = drawn.iter().map(|&word| words[word].as_str()).collect::<Vec<_>>().join(" ");
        if identifier.identify(&query, None) == asked.language {
            queries.push(query);
        } else {
            refused += 1;
        }
    }
    (queries, refused)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        (0..100).map(|number| format!("Wort{} ", name(number)).repeat(300 - 3 * number)).collect::<String>()
            + "selten selten 4711 a x-y"
    }

    fn asked(count: usize, seed: u64) -> Asked<'static> {
        Asked { text: Path::new("x"), language: "deu".parse().expect("a code"), count, words: 3, seed }
    }

    #[test]
    fn words_are_neither_the_most_frequent_nor_the_rare() {
        let words = drawn_from(&text(), asked(1, 1).language);
        assert_eq!(words.len(), 90);
        assert_eq!((words[0].as_str(), words[89].as_str()), ("wortba", "wortjj"));
    }

    #[test]
    fn queries_are_different_and_read_like_the_language() {
        let words = drawn_from(&text(), asked(1, 1).language);
        let (queries, refused) = draw(&words, &asked(200, 7), &Says("wortc"));
        assert_eq!(queries.len(), 200);
        assert!(refused > 0);
        let mut sorted: Vec<Vec<&str>> = queries.iter().map(|query| query.split(' ').collect()).collect();
        sorted.iter_mut().for_each(|words| words.sort_unstable());
        assert!(sorted.iter().all(|words| words.len() == 3 && words[0] != words[1] && words[1] != words[2]));
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 200);
        assert!(!queries.iter().any(|query| query.contains("wortc")));
        assert_eq!(draw(&words, &asked(200, 7), &Says("wortc")).0, queries);
        assert_ne!(draw(&words, &asked(200, 8), &Says("wortc")).0, queries);
    }

    #[test]
    fn what_cannot_be_drawn_is_not_waited_for() {
        let words: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        let (queries, _) = draw(&words, &asked(100, 1), &Says("-"));
        assert_eq!(queries.len(), 4);
        assert!(draw(&words, &asked(100, 1), &Says("")).0.is_empty());
    }
}
