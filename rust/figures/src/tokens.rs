//! Tokens of a text, and the ends of its sentences.
//!
//! A token is a run of characters between white space, without the punctuation, symbols and format
//! characters at both its ends (general categories P, S, C): `«ہے۔»` and `ہے` are one type. Empty
//! runs are not tokens. Some sentence signs need no space after them (U+06D4 `۔`, U+061F `؟`,
//! U+0964, U+0965, U+0589, U+104B, U+1362, `。 ！ ？`): they end a token and a sentence at any
//! position. `. ! ? …` end a sentence only at a token's end, so `3.14` is one token. A block's end,
//! `\n`, ends both. Case and marks are kept. In scripts without spaces a token is a run of text, so
//! counts of tokens are meaningless.

use crate::letters::{letters, Ranges};
use crate::signs::{Signs, BLANK, EDGE};
use langbytes::{LangCode, Scripts};
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// Scripts without spaces between words, as in `Script::tag`: their tokens are runs of text.
pub const WITHOUT_BLANKS: [&str; 6] = ["Hani", "Khmr", "Laoo", "Mymr", "Thai", "Tibt"];

/// A token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// XXH3 of its bytes.
    pub hash: u64,
    /// First byte in the text.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// Its length in characters.
    pub chars: u32,
    /// Whether all its characters are the target language's.
    pub own: bool,
    /// Whether it is the last of its sentence.
    pub ends_sentence: bool,
    /// Whether it is the last of its block.
    pub ends_block: bool,
}

impl Token {
    /// Returns its text, a slice of the text that was split.
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start as usize..self.end as usize]
    }
}

/// Returns the hash of a word, as in [`Token::hash`].
pub fn hash_of(word: &str) -> u64 {
    xxh3_64(word.as_bytes())
}

/// Ends a sentence at a token's end.
const SOFT_END: u8 = 16;
/// Ends a token and a sentence.
const HARD_END: u8 = 32;
/// A letter of the target language.
const OWN: u8 = 64;

/// Splits a text into tokens, and marks those in one language's letters.
pub struct Tokenizer {
    /// Classes of the characters up to U+FFFF.
    classes: Box<[u8]>,
    ranges: Ranges,
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokenizer").field("ranges", &self.ranges).finish_non_exhaustive()
    }
}

fn class(c: char, ranges: &[(u32, u32)]) -> u8 {
    let end = match c {
        '.' | '!' | '?' | '…' => SOFT_END,
        '\u{6d4}' | '\u{61f}' | '\u{964}' | '\u{965}' | '\u{589}' | '\u{104b}' | '\u{1362}'
        | '\u{3002}' | '\u{ff01}' | '\u{ff1f}' => HARD_END,
        _ => 0,
    };
    let own = ranges.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)));
    (Signs::get().kind(c) & (BLANK | EDGE)) | if own { OWN } else { 0 } | end
}

impl Tokenizer {
    /// Creates a tokenizer for a target language. Its letters are those of the table
    /// (`data/letters.txt`).
    pub fn new(target: LangCode) -> Self {
        Self::with_scripts(target, Scripts::default())
    }

    /// Creates a tokenizer for a target language with the letters of some more scripts. If none of
    /// its letters is known, no token is marked as its own, see
    /// [`knows_letters`](crate::letters::knows_letters).
    pub fn with_scripts(target: LangCode, scripts: Scripts) -> Self {
        let ranges = letters(target, scripts);
        let of = |code: u32| char::from_u32(code).map_or(0, |c| class(c, &ranges));
        Self { classes: (0..=0xffff).map(of).collect(), ranges }
    }

    fn class(&self, c: char) -> u8 {
        self.classes.get(c as usize).copied().unwrap_or_else(|| class(c, &self.ranges))
    }

    /// Appends the tokens of a text. Time is linear in the text. Only the first 4 GiB of the text
    /// are read.
    pub fn tokens(&self, text: &str, tokens: &mut Vec<Token>) {
        let bytes = text.as_bytes();
        // The open token: its start and the end of its last character that can end it.
        let (mut start, mut end) = (None, 0);
        let (mut chars, mut kept_chars, mut own, mut own_at_end) = (0u32, 0u32, true, true);
        let mut soft = false;
        let first = tokens.len();
        let close = |tokens: &mut Vec<Token>,
                     start: &mut Option<usize>,
                     end: usize,
                     chars: u32,
                     own: bool| {
            if let Some(begin) = start.take() {
                let hash = xxh3_64(&bytes[begin..end]);
                let (start, end) = (begin as u32, end as u32);
                let token =
                    Token { hash, start, end, chars, own, ends_sentence: false, ends_block: false };
                tokens.push(token);
            }
        };
        for (at, c) in text.char_indices() {
            if at + 4 > u32::MAX as usize {
                break;
            }
            let class = self.class(c);
            if class & (BLANK | HARD_END) != 0 {
                close(tokens, &mut start, end, kept_chars, own_at_end);
                if let Some(last) = tokens[first..].last_mut() {
                    last.ends_block |= c == '\n';
                    last.ends_sentence |= soft || c == '\n' || class & HARD_END != 0;
                }
                soft = false;
                continue;
            }
            if class & EDGE != 0 {
                soft |= class & SOFT_END != 0;
                chars += 1;
                own &= class & OWN != 0;
                continue;
            }
            soft = false;
            if start.is_none() {
                (start, chars, own) = (Some(at), 0, true);
            }
            chars += 1;
            own &= class & OWN != 0;
            (end, kept_chars, own_at_end) = (at + c.len_utf8(), chars, own);
        }
        close(tokens, &mut start, end, kept_chars, own_at_end);
        if let Some(last) = tokens[first..].last_mut() {
            (last.ends_sentence, last.ends_block) = (true, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use langbytes::Script;

    fn read(code: &str, text: &str) -> Vec<String> {
        let tokenizer = Tokenizer::new(code.parse().expect("a code"));
        let mut tokens = Vec::new();
        tokenizer.tokens(text, &mut tokens);
        let signs = |t: &Token| {
            let mut signs = String::new();
            for (set, sign) in [(!t.own, "*"), (t.ends_sentence, "/"), (t.ends_block, "|")] {
                signs += if set { sign } else { "" };
            }
            signs
        };
        tokens.iter().map(|t| t.text(text).to_owned() + &signs(t)).collect()
    }

    #[test]
    fn signs_at_the_ends_are_no_part_of_a_token() {
        assert_eq!(read("urd", "«یہ» (ہے)۔ کیا؟"), ["یہ", "ہے/", "کیا/|"]);
        assert_eq!(
            read("eng", "Pi is 3.14. It's \"so\"!\n– ok"),
            ["Pi", "is", "3.14*/", "It's*", "so/|", "ok/|"]
        );
        assert_eq!(read("eng", " .. \n\n ? "), [""; 0]);
    }

    #[test]
    fn one_character_of_another_script_makes_a_token_another_languages() {
        assert_eq!(
            read("urd", "اردو اردوweb web 12 ۱۲"),
            ["اردو", "اردوweb*", "web*", "12*", "۱۲/|"]
        );
    }

    #[test]
    fn urdu_full_stops_need_no_blank_after_them() {
        assert_eq!(read("urd", "وہ گیا۔میں آیا"), ["وہ", "گیا/", "میں", "آیا/|"]);
    }

    #[test]
    fn a_language_of_unknown_letters_owns_no_token_without_a_script() {
        assert_eq!(read("xal", "nuqneH"), ["nuqneH*/|"]);
        let latin = Script::of_tag("Latn").into_iter().collect();
        let tokenizer = Tokenizer::with_scripts("xal".parse().expect("a code"), latin);
        let mut tokens = Vec::new();
        tokenizer.tokens("nuqneH добрый 12", &mut tokens);
        assert_eq!(tokens.iter().map(|t| t.own).collect::<Vec<_>>(), [true, false, false]);
    }
}
