//! The words that tell a language: frequent in it, rare in the others of its script.
//!
//! A pack has no list of words, only a table that says what a word costs. Words are found by spelling: letters are put behind one
//! another, the cheapest beginning first, and every spelling that is a word of the table is one.

use crate::lm::{gram_key, word_key, BACK_OFF, EDGE, ORDER, WORD_STEP};
use crate::pack::{Pack, Section};
use crate::table::{Table, ABSENT};
use crate::words::Script;
use crate::LangCode;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Beginnings that are spelled on at most: bounds time and memory.
const MOST_BEGINNINGS: usize = 12_000;
/// Letters of a word at most.
const MOST_LETTERS: usize = 12;
/// How much the best rival must pay more for a word, in the table's units: 4 bits.
const CLEAR: u8 = 24;
/// How much dearer than the word itself its letters may be, in units of a letter's cost: 12 bits. A table takes a few of the spellings
/// that it lacks for words, and these have letters that do not fit.
const UNFIT: u32 = 144;

/// Up to `count` words of a language that a pack knows, the most telling first; none if it does not know the language.
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
    section.languages.iter().position(|known| known.code == language).and_then(|at| u8::try_from(at).ok())
}

/// One language of one section.
struct Spelling<'a> {
    table: Table<'a>,
    own: u8,
    script: Script,
}

impl Spelling<'_> {
    /// What a token costs in the language, and in the language of the section that pays least of the others.
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

    /// What the last character costs behind the others, by the longest n-gram that the language has; None for one that it never has.
    fn letter(&self, text: &[char]) -> Option<u32> {
        let longest = text.len().min(ORDER);
        (1..=longest).rev().find_map(|length| {
            let (own, _) = self.costs(gram_key(&text[text.len() - length..]));
            let given_up = (longest - length) as u32;
            (own != ABSENT).then(|| u32::from(own) + given_up * u32::from(BACK_OFF))
        })
    }

    /// The letters that the language writes its script with.
    fn alphabet(&self) -> Vec<char> {
        let folded = |&c: &char| Script::of(c) == self.script && c.to_lowercase().eq([c]);
        let mut letters: Vec<(u8, char)> = ('\u{0}'..='\u{10ffff}')
            .filter(folded)
            .map(|c| (self.costs(gram_key(&[c])).0, c))
            .filter(|(cost, _)| *cost != ABSENT)
            .collect();
        letters.sort_unstable();
        // Scripts of thousands of signs have their frequent ones in front.
        letters.into_iter().take(120).map(|(_, c)| c).collect()
    }

    /// Words with a rank, low for those that are frequent here and rare elsewhere.
    fn words(&self) -> Vec<(i32, String)> {
        let alphabet = self.alphabet();
        let mut beginnings = BinaryHeap::from([Reverse((0, vec![EDGE]))]);
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        let mut spelled = 0;
        while let Some(Reverse((cost, text))) = beginnings.pop() {
            spelled += 1;
            if spelled > MOST_BEGINNINGS {
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
            if word.len() == MOST_LETTERS {
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
        let [arabic, world] = Pack::shipped();
        for (pack, code) in [(&arabic, "urd"), (&world, "eng"), (&world, "sin")] {
            let code: LangCode = code.parse().expect("a code");
            let words = typical_words(pack, code, 30);
            assert_eq!(words.len(), 30, "{code}");
            assert_eq!(Combined::new(Vec::new(), Some(code)).identify(&words.join(" "), None), code);
        }
    }

    #[test]
    fn a_language_that_the_pack_lacks_has_no_words() {
        let [arabic, _] = Pack::shipped();
        assert!(typical_words(&arabic, "deu".parse().expect("a code"), 10).is_empty());
    }
}
