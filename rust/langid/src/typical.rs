//! Typical words of a language: frequent in it, rare in the others of its script.
//!
//! A pack has no list of words, only a table with the cost of a word. So the words are generated:
//! letters are appended to prefixes, the cheapest prefix first, and every string that is in the
//! table is a word.

use crate::lm::{gram_key, word_key, BACK_OFF, EDGE, ORDER, WORD_STEP};
use crate::pack::{Pack, Section};
use crate::table::{Table, ABSENT};
use crate::words::Script;
use crate::LangCode;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Most prefixes that are extended; bounds time and memory.
const MAX_BEGINNINGS: usize = 12_000;
/// Longest word, in letters.
const MAX_LETTERS: usize = 12;
/// Minimum additional cost of a word in the closest other language, in the table's units: 4 bits.
const CLEAR: u8 = 24;
/// Most additional cost of a word's letters compared with the word itself, in units of a letter's
/// cost: 12 bits. A false match of the table has letters that are much more expensive.
const UNFIT: u32 = 144;

/// Returns up to `count` words of a language in a pack, the most typical first; empty if the pack
/// does not have the language.
pub fn typical_words(pack: &Pack, language: LangCode, count: usize) -> Vec<String> {
    let mut best: Vec<(i32, String)> = Vec::new();
    for section in &pack.sections {
        if let Some((own, table)) = number(section, language).zip(pack.table(section)) {
            let found = Spelling { table, own, script: section.script }.words();
            if found.len() > best.len() {
                best = found;
            }
        }
    }
    best.sort();
    best.into_iter().take(count).map(|(_, word)| word).collect()
}

fn number(section: &Section, language: LangCode) -> Option<u8> {
    section
        .languages
        .iter()
        .position(|known| known.code == language)
        .and_then(|at| u8::try_from(at).ok())
}

/// One language of one section.
struct Spelling<'a> {
    table: Table<'a>,
    own: u8,
    script: Script,
}

impl Spelling<'_> {
    /// Returns the cost of a token in the language, and the lowest cost in the section's other
    /// languages.
    fn costs(&self, token: u64) -> (u8, u8) {
        let (mut own, mut other) = (ABSENT, ABSENT);
        let place = self.table.find(token);
        if place != crate::table::NOWHERE {
            self.table.list(place).for_each(|[language, cost]| {
                if language == self.own {
                    own = cost;
                } else {
                    other = other.min(cost);
                }
            });
        }
        (own, other)
    }

    /// Returns the cost of the last character after the others, by the language's longest n-gram;
    /// `None` if the language lacks the character.
    fn letter(&self, text: &[char]) -> Option<u32> {
        let longest = text.len().min(ORDER);
        (1..=longest).rev().find_map(|length| {
            let (own, _) = self.costs(gram_key(&text[text.len() - length..]));
            let given_up = (longest - length) as u32;
            (own != ABSENT).then(|| u32::from(own) + given_up * u32::from(BACK_OFF))
        })
    }

    /// Returns the letters of the language in its script.
    fn alphabet(&self) -> Vec<char> {
        let folded = |&c: &char| Script::of(c) == self.script && c.to_lowercase().eq([c]);
        let mut letters: Vec<(u8, char)> = ('\u{0}'..='\u{10ffff}')
            .filter(folded)
            .map(|c| (self.costs(gram_key(&[c])).0, c))
            .filter(|(cost, _)| *cost != ABSENT)
            .collect();
        letters.sort_unstable();
        // In scripts of thousands of characters the frequent ones come first.
        letters.into_iter().take(120).map(|(_, c)| c).collect()
    }

    /// Returns words with a rank. A word with a low rank is frequent in this language and rare in
    /// the others.
    fn words(&self) -> Vec<(i32, String)> {
        let alphabet = self.alphabet();
        let mut beginnings = BinaryHeap::from([Reverse((0, vec![EDGE]))]);
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        let mut spelled = 0;
        while let Some(Reverse((cost, text))) = beginnings.pop() {
            spelled += 1;
            if spelled > MAX_BEGINNINGS {
                break;
            }
            let word = &text[1..];
            let (own, other) = self.costs(word_key(word));
            let fits = cost <= u32::from(own) * u32::from(WORD_STEP) + UNFIT;
            if word.len() >= 3
                && own != ABSENT
                && fits
                && other.saturating_sub(own) >= CLEAR
                && seen.insert(word.to_vec())
            {
                let lead = i32::from(other - own);
                found.push((i32::from(own) - lead / 2, word.iter().collect()));
            }
            if word.len() == MAX_LETTERS {
                continue;
            }
            for &c in &alphabet {
                let mut longer = text.clone();
                longer.push(c);
                if let Some(letter) = self.letter(&longer) {
                    beginnings.push(Reverse((cost + letter, longer)));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_typical_words_of_a_language_are_identified_as_it() {
        use crate::{Combined, Identify};
        let [arabic, world, ..] = Pack::shipped();
        for (pack, code) in [(&arabic, "urd"), (&world, "eng"), (&world, "sin")] {
            let code: LangCode = code.parse().expect("a code");
            let words = typical_words(pack, code, 30);
            assert_eq!(words.len(), 30, "{code}");
            assert_eq!(
                Combined::new(Vec::new(), Some(code)).identify(&words.join(" "), None),
                code
            );
        }
    }

    #[test]
    fn a_language_that_the_pack_lacks_has_no_words() {
        let [arabic, ..] = Pack::shipped();
        assert!(typical_words(&arabic, "deu".parse().expect("a code"), 10).is_empty());
    }
}
