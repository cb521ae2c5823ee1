//! Passages of a text and their word sequences.

use figures::minhash::{mix, sketch, VALUES};
use figures::tokens::{hash_of, Token, Tokenizer, WITHOUT_BLANKS};
use langbytes::{comparable, LangCode, Script};
use std::ops::Range;

/// Characters per word in scripts without spaces: Thai and Khmer words have four letters on
/// average, Chinese words two.
const CHARACTERS_A_WORD: usize = 4;

/// Consecutive blocks that are compared as one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    /// Byte range in the text.
    pub(crate) bytes: Range<usize>,
    /// Hashes of the word sequences, in order; a passage with fewer words has one hash of all of
    /// them.
    pub(crate) sequences: Vec<u64>,
}

/// Splits texts into passages.
#[derive(Debug)]
pub(crate) struct Reader {
    words: usize,
    /// Compare words by their letters only.
    letters: bool,
    tokenizer: Tokenizer,
    /// Scripts without spaces, by number.
    without_blanks: [bool; Script::COUNT],
}

/// An element of a sequence, a word or a character, and its end.
struct Unit {
    hash: u64,
    end: usize,
}

impl Reader {
    pub(crate) fn new(words: usize, letters: bool) -> Self {
        let mut without_blanks = [false; Script::COUNT];
        for script in WITHOUT_BLANKS.iter().filter_map(|tag| Script::of_tag(tag)) {
            without_blanks[script.index()] = true;
        }
        Self { words, letters, tokenizer: Tokenizer::new(LangCode::UND), without_blanks }
    }

    /// Returns whether most letters are of scripts without spaces.
    fn is_unspaced(&self, text: &str) -> bool {
        let (mut unspaced, mut others) = (0usize, 0usize);
        for script in text.chars().map(Script::of).filter(|script| script.is_some()) {
            *(if self.without_blanks[script.index()] { &mut unspaced } else { &mut others }) += 1;
        }
        unspaced > others
    }

    /// Returns the units of a text, words or characters, and how many of them make a sequence.
    fn units(&self, text: &str) -> (Vec<Unit>, usize) {
        let mut tokens = Vec::new();
        self.tokenizer.tokens(text, &mut tokens);
        if self.is_unspaced(text) {
            (characters(text, &tokens, self.letters), self.words * CHARACTERS_A_WORD)
        } else {
            (words(text, &tokens, self.letters), self.words)
        }
    }

    /// Returns the sequences of a whole text; `None` if it has fewer words than `least`.
    pub(crate) fn sequences_of(&self, text: &str, least: usize) -> Option<Vec<u64>> {
        let (units, length) = self.units(text);
        if units.len() * self.words < least * length {
            return None;
        }
        let units: Vec<u64> = units.iter().map(|unit| unit.hash).collect();
        Some(passage(0..text.len(), &units, length).sequences)
    }

    /// Returns the MinHash values of a text; `None` if it has no words.
    pub(crate) fn sketch(&self, text: &str) -> Option<[u64; VALUES]> {
        let (units, length) = self.units(text);
        sketch(&units, length, |unit| unit.hash)
    }

    /// Returns the passages of a text whose blocks are its lines. A passage begins at a block that
    /// is long enough for a sequence; the first passage begins with the text. A text without words
    /// has no passages.
    pub(crate) fn passages(&self, text: &str) -> Vec<Passage> {
        let (units, length) = self.units(text);
        let mut passages = Vec::new();
        let mut units = units.as_slice();
        // The open passage: its start, its units, and whether one of its blocks is long.
        let (mut begin, mut open, mut is_long) = (0, Vec::new(), false);
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let end = at + line.len();
            let (block, rest) = units.split_at(units.partition_point(|unit| unit.end <= end));
            units = rest;
            let long = block.len() >= length;
            if long && is_long {
                passages.push(passage(begin..at, &open, length));
                (begin, is_long) = (at, false);
                open.clear();
            }
            is_long |= long;
            open.extend(block.iter().map(|unit| unit.hash));
            at = end;
        }
        if !open.is_empty() {
            passages.push(passage(begin..at, &open, length));
        }
        for passage in &mut passages {
            // Line ends at the end belong to no passage.
            let bytes = text[passage.bytes.clone()].trim_end_matches('\n').len();
            passage.bytes.end = passage.bytes.start + bytes;
        }
        passages
    }
}

fn words(text: &str, tokens: &[Token], letters: bool) -> Vec<Unit> {
    let of = |token: &Token| {
        let end = token.end as usize;
        let word = comparable(token.text(text));
        if !letters {
            return Some(Unit { hash: hash_of(&word), end });
        }
        let letters = word.chars().filter(|c| c.is_alphabetic());
        let hash = letters.fold(0, |hash, c| mix(hash, u64::from(c)));
        (hash != 0).then_some(Unit { hash, end })
    };
    tokens.iter().filter_map(of).collect()
}

fn characters(text: &str, tokens: &[Token], letters: bool) -> Vec<Unit> {
    let of = |token: &Token| {
        let start = token.start as usize;
        let unit = move |(at, c): (usize, char)| Unit {
            hash: u64::from(c),
            end: start + at + c.len_utf8(),
        };
        // Between words of these scripts only zero-width spaces are written, by some people.
        token
            .text(text)
            .char_indices()
            .filter(move |(_, c)| if letters { c.is_alphabetic() } else { *c != '\u{200b}' })
            .map(unit)
    };
    tokens.iter().flat_map(of).collect()
}

fn passage(bytes: Range<usize>, units: &[u64], length: usize) -> Passage {
    let sequence =
        |units: &[u64]| units.iter().fold(units.len() as u64, |hash, &unit| mix(hash, unit));
    Passage { bytes, sequences: units.windows(length.min(units.len())).map(sequence).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the passages' texts and their numbers of sequences.
    fn read(text: &str) -> Vec<(&str, usize)> {
        let passages = Reader::new(3, false).passages(text);
        passages
            .into_iter()
            .map(|passage| (&text[passage.bytes], passage.sequences.len()))
            .collect()
    }

    #[test]
    fn short_blocks_belong_to_the_long_one_before_them_or_to_the_first() {
        assert_eq!(
            read("Title\nby me\na b c d\nyes\nno\n\ne f g\n"),
            [("Title\nby me\na b c d\nyes\nno", 7), ("e f g", 1)]
        );
        assert_eq!(read("a b\nc d\ne"), [("a b\nc d\ne", 3)], "a poem is one passage");
        assert_eq!(read("a b"), [("a b", 1)], "fewer words than a sequence are one");
        assert_eq!(read("\n – \n"), [], "without words there is nothing");
    }

    #[test]
    fn signs_and_blanks_make_no_difference_but_words_do() {
        let sequences = |text| Reader::new(3, false).passages(text).remove(0).sequences;
        assert_eq!(sequences("«یہ ایک, کتاب ہے۔»"), sequences("یہ  ایک کتاب\u{a0}ہے"));
        assert_ne!(sequences("a b c"), sequences("a c b"));
        assert_ne!(sequences("a b c"), sequences("a b"));
    }

    #[test]
    fn scripts_without_blanks_are_read_by_characters() {
        // Thirteen characters are two sequences of twelve, with or without a space between them.
        for text in ["กขคงจฉชซฌญฎฏฐ", "กขคงจฉ ชซฌญฎฏฐ"]
        {
            assert_eq!(read(text), [(text, 2)]);
        }
        assert_eq!(read("กขค ab"), [("กขค ab", 1)]);
        assert_eq!(read("กข abc de fg"), [("กข abc de fg", 2)], "most letters are Latin");
    }
}
