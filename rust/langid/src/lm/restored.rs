//! Costs of words whose letters may have been typed as others.
//!
//! If a keyboard lacks letters of a language, people type those that look or sound alike: Kazakh
//! `ә` as Russian `а` or `э`. The cost of such a word in a language is that of its cheapest
//! spelling: a search from letter to letter keeps, for each language, the spellings whose cost is
//! near the least one. Because the search computes all languages of a script at once, it needs no
//! list of languages: a letter that a language lacks is too expensive there.

use super::{gram_key, key_of, MAX_PACKED, UNITS_PER_BIT, WORD_SEED, WORD_STEP};
use super::{last_of, Judged, LetterMemory, Speller, BACK_OFF, EDGE, ORDER};
use crate::lanes::{extend, is_near, lower};
use crate::prior;
use crate::table::{self, NOWHERE};
use crate::words::{try_for_each_word, Script};
use crate::LangCode;
use std::cell::Cell;
use std::ops::ControlFlow;

/// Letters, and those that are typed in place of others, by the letter that is typed.
const TYPED: [(char, &str); 15] = [
    ('а', "әӑ"),
    ('г', "ғҕґ"),
    ('е', "ӗє"),
    ('ж', "җӝ"),
    ('з', "ҙӟ"),
    ('и', "іӣїӥ"),
    ('к', "қҡ"),
    ('н', "ңҥ"),
    ('о', "өӧ"),
    ('с', "ҫһ"),
    ('у', "үұўӯӳӱ"),
    ('х', "һҳ"),
    ('ч', "ҷӵ"),
    ('ы', "і"),
    ('э', "ә"),
];

/// One letter in this many may be outside the Russian alphabet in text that is restored. Text of a
/// language with such letters has more of them, unless its keyboard lacked them.
const OTHERS: usize = 50;

/// Cost per letter above the usual one from which on spellings are compared, in bits.
const DOUBT: f64 = 0.4;
/// Bits per letter to the next language from which on a result is clear: names are as surprising as
/// text in another spelling, but such text is about as likely in several languages.
const CLEAR: f64 = 0.8;
/// Bits per letter by which that lead is at most above the surprise.
const AHEAD: f64 = 0.2;
/// Bytes at the beginning of a text whose words are compared. They decide as the whole text would,
/// and to compare all of it would take fifty times as long as identification in the worst case.
const SAMPLE: usize = 1200;
/// Bytes that are compared for all parts of a text, so that hostile text cannot cost much more.
const ALL_SAMPLES: usize = 10 * SAMPLE;
/// Words that are compared first: most doubtful text is in no other spelling, and the comparison
/// takes time.
const FIRST: usize = 8;
/// Bits by which they must be likelier in their cheapest spelling.
const OF_FIRST: u64 = (4.0 * UNITS_PER_BIT) as u64;
/// Bits by which the text must be likelier in its cheapest spelling, for a text of no letters.
const BASE: f64 = 12.0;
/// Additional bits for each letter or word end.
const OF_LETTERS: f64 = 0.06;

/// A spelling is kept if its cost in some language is at most this above the least, in units.
const BEAM: u16 = (5.0 * UNITS_PER_BIT) as u16;
/// Most units that the cost of a word in a table is below that of its letters, because some of the
/// many spellings that are looked up are found by chance.
const MOST_SAVED: u16 = (14.0 * UNITS_PER_BIT) as u16;
/// Most spellings that are kept after a letter.
const MOST: usize = 32;

/// The spellings of the first letters of a word, whose memory is reused.
#[derive(Default)]
pub(super) struct Spellings {
    now: Vec<Spelling>,
    next: Vec<Spelling>,
    least: Vec<u16>,
}

/// A spelling of the first letters of a word.
#[derive(Default)]
struct Spelling {
    /// Hash of the letters, unfinished.
    hash: u64,
    /// The last characters.
    gram: [char; ORDER],
    /// Their number.
    length: usize,
    /// For each language the cost so far.
    costs: Vec<u16>,
    /// For each language the cost of the last letter, and the length of its n-gram.
    cells: Vec<u8>,
}

impl Spelling {
    /// Sets the spelling of no letters.
    fn begin(&mut self, width: usize) {
        (self.hash, self.length) = (WORD_SEED, 1);
        self.gram[0] = EDGE;
        self.costs.clear();
        self.costs.resize(width, 0);
        self.cells.clear();
        self.cells.resize(2 * width, 1);
    }

    fn gram(&self) -> &[char] {
        &self.gram[..self.length]
    }
}

/// Returns whether a text may have been typed on a keyboard that lacks letters of its language: it
/// is in Cyrillic script, with hardly any letter that the Russian alphabet lacks.
pub(crate) fn is_plain(text: &str, script: Script) -> bool {
    if script != Script::CYRILLIC {
        return false;
    }
    let (mut all, mut others) = (0, 0);
    for letter in text.chars().filter(|c| ('\u{400}'..='\u{52f}').contains(c)) {
        all += 1;
        others += usize::from(!matches!(letter, 'А'..='я' | 'ё' | 'Ё'));
    }
    others * OTHERS <= all
}

/// Returns whether a result is so surprising, and so little likelier than the next one, that other
/// spellings are compared with it.
pub(crate) fn is_doubtful(judged: &Judged) -> bool {
    let lead = judged.margin.unwrap_or(0.0) / judged.letters.max(1) as f64;
    judged.surprise > DOUBT.max(lead - AHEAD) && lead < CLEAR
}

/// Returns the first words of a text; `None` if it has no more than a few.
pub(crate) fn first_words(text: &str) -> Option<&str> {
    let mut count = 0;
    before_word(text, |_| {
        count += 1;
        count > FIRST
    })
}

/// Returns the words of a text that are compared; `None` if these are all.
pub(crate) fn sample(text: &str) -> Option<&str> {
    if text.len() <= SAMPLE {
        return None;
    }
    before_word(text, |start| start > SAMPLE)
}

/// Returns the text before the first word for whose first byte `is_out` is true; `None` if there is
/// no such word.
fn before_word(text: &str, mut is_out: impl FnMut(usize) -> bool) -> Option<&str> {
    let end = try_for_each_word(text, |word| match is_out(word.start) {
        true => ControlFlow::Break(word.start),
        false => ControlFlow::Continue(()),
    });
    end.break_value().map(|end| &text[..end])
}

/// The bytes that may still be compared in a text.
pub(crate) struct Budget(Cell<usize>);

impl Budget {
    pub(crate) fn new() -> Self {
        Self(Cell::new(ALL_SAMPLES))
    }

    /// Nothing is compared.
    pub(crate) fn none() -> Self {
        Self(Cell::new(0))
    }

    /// Takes the bytes of a sample, and returns whether there were as many.
    pub(crate) fn take(&self, sample: &str) -> bool {
        let left = self.0.get().checked_sub(sample.len());
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// Returns whether the first words of a text are likelier in their cheapest spelling.
pub(crate) fn may_be_likelier(restored: &Judged, judged: &Judged) -> bool {
    restored.cost + OF_FIRST < judged.cost
}

/// Returns whether the result for the cheapest spellings replaces that for the text as it is.
/// `has_prior` is whether common languages are preferred.
pub(crate) fn is_likelier(restored: &Judged, judged: &Judged, has_prior: bool) -> bool {
    let prior = |of: &Judged| match of.language {
        language if has_prior && language != LangCode::UND => u64::from(prior::cost(language)),
        _ => 0,
    };
    let margin = ((BASE + OF_LETTERS * judged.letters as f64) * UNITS_PER_BIT) as u64;
    restored.language != LangCode::UND
        && restored.cost + prior(restored) + margin < judged.cost + prior(judged)
}

/// Returns the letters that a letter may stand for, with itself.
fn meant(letter: char) -> impl Iterator<Item = char> {
    let others = TYPED.iter().find(|(typed, _)| *typed == letter).map_or("", |(_, others)| others);
    std::iter::once(letter).chain(others.chars())
}

impl Speller<'_> {
    /// Writes the cost of the cheapest spelling of a word in each language to `costs`, which has
    /// those of the word as it is.
    pub(super) fn restore(
        &self,
        word: &[char],
        spellings: &mut Spellings,
        memory: &mut LetterMemory,
        costs: &mut [u16],
    ) {
        if word.iter().any(|&c| c > MAX_PACKED) || word.iter().all(|&c| meant(c).nth(1).is_none()) {
            return;
        }
        let Spellings { now, next, least } = spellings;
        now.resize_with(now.len().max(1), Spelling::default);
        now[0].begin(costs.len());
        let mut kept = 1;
        for &letter in word.iter().chain([&EDGE]) {
            let mut count = 0;
            least.clear();
            least.resize(costs.len(), u16::MAX);
            for spelling in &now[..kept] {
                for meant in meant(letter) {
                    next.resize_with(next.len().max(count + 1), Spelling::default);
                    self.extend(spelling, meant, &mut next[count], memory);
                    lower(least, &next[count].costs);
                    count += 1;
                }
            }
            // Beyond the languages all spellings cost the same.
            least[self.candidates.languages.len()..].fill(0);
            // The first spelling is the word as it is.
            kept = 1;
            for at in 1..count {
                if kept < MOST && is_near(&next[at].costs, least, BEAM) {
                    next.swap(kept, at);
                    kept += 1;
                }
            }
            std::mem::swap(now, next);
        }
        now[..kept].iter_mut().for_each(|spelling| self.finish(spelling, least, costs));
    }

    /// Lowers the costs of a word to those of a whole spelling. `least` has the least costs of the
    /// letters of any spelling.
    fn finish(&self, spelling: &mut Spelling, least: &[u16], costs: &mut [u16]) {
        let key = table::finish(spelling.hash);
        for (cost, unknown) in spelling.costs.iter_mut().zip(&self.candidates.unknown_word) {
            *cost = cost.saturating_add(*unknown);
        }
        for (table, first) in &self.tables {
            let place = table.find(key);
            if place == NOWHERE {
                continue;
            }
            table.list(place).for_each(|[language, cost]| {
                let at = first + usize::from(language);
                let Some(known) = spelling.costs.get_mut(at) else { return };
                if *known <= least[at] + BEAM + self.candidates.unknown_word[at] {
                    let cost = u16::from(cost) * WORD_STEP;
                    *known = cost.max(known.saturating_sub(MOST_SAVED));
                }
            });
        }
        lower(costs, &spelling.costs);
    }

    /// Sets `new` to a spelling with one more letter.
    fn extend(&self, old: &Spelling, letter: char, new: &mut Spelling, memory: &mut LetterMemory) {
        let last = last_of(old.gram());
        new.gram[..last.len()].copy_from_slice(last);
        new.gram[last.len()] = letter;
        new.length = last.len() + 1;
        new.hash = if letter == EDGE { old.hash } else { table::step(old.hash, letter) };
        self.cells(&new.gram[..new.length], memory, &mut new.cells);
        new.costs.clone_from(&old.costs);
        let width = new.costs.len();
        let (letters, lengths) = new.cells.split_at(width);
        extend(&mut new.costs, &old.cells[width..], letters, lengths, ORDER as u8, BACK_OFF);
    }

    /// Copies the cells of the last letter of an n-gram.
    fn cells(&self, gram: &[char], memory: &mut LetterMemory, copy: &mut Vec<u8>) {
        let LetterMemory { letters, shorter } = memory;
        let key = key_of(gram);
        let row = letters.find(key).unwrap_or_else(|| {
            let shorter_row = self.shorter_row(last_of(gram), shorter);
            let row = letters.insert(key);
            let cells = letters.cells_mut(row);
            cells.copy_from_slice(shorter.cells(shorter_row));
            if gram.len() == ORDER {
                let key = gram_key(gram);
                let places: Vec<_> = self.tables.iter().map(|(table, _)| table.find(key)).collect();
                self.lengthen(&places, ORDER as u8, cells);
            }
            row
        });
        copy.clear();
        copy.extend_from_slice(letters.cells(row));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::list::WordList;
    use crate::{LanguageModel, Pack};

    #[test]
    fn a_spelling_with_the_letters_of_the_language_costs_as_much_as_it_does_alone() {
        let model = LanguageModel::new(Pack::shipped().into());
        let cost = |text: &str, is_restored: bool| {
            let words = WordList::unsplit(text);
            let judge =
                if is_restored { LanguageModel::judge_restored } else { LanguageModel::judge };
            judge(&model, &words, Script::CYRILLIC, None).unwrap()
        };
        for (code, text, typed) in [
            ("kaz", "Кеше қалада көп адам әңгіме тыңдады", "Кеше калада коп адам энгиме тындады"),
            ("bel", "Учора ў горадзе ішоў дождж і снег", "Учора у горадзе ишоу дождж и снег"),
        ] {
            let (alone, restored) = (cost(text, false), cost(typed, true));
            assert_eq!(restored.language.as_str(), code);
            assert!(restored.cost <= alone.cost + 12 * 12, "{restored:?} {alone:?}");
            assert!(restored.cost + 240 < cost(typed, false).cost, "{restored:?}");
        }
    }

    #[test]
    fn only_text_with_russian_letters_may_be_restored() {
        let is_plain = |text| is_plain(text, Script::CYRILLIC);
        assert!(is_plain("Кеше калада коп адам болды"));
        assert!(!is_plain("Кеше қалада көп адам болды"));
        assert!(!super::is_plain("a few words", Script::LATIN));
    }

    #[test]
    fn the_first_words_are_those_of_longer_text() {
        assert_eq!(first_words(&"а ".repeat(FIRST)), None);
        assert_eq!(first_words(&"а ".repeat(FIRST + 1)), Some(&*"а ".repeat(FIRST)));
    }

    #[test]
    fn long_text_is_compared_in_samples_of_whole_words_up_to_a_limit() {
        let text = "пазл ".repeat(10_000);
        let part = sample(&text).unwrap();
        assert!(part.ends_with(' ') && (SAMPLE..SAMPLE + 20).contains(&part.len()));
        assert_eq!(sample(&text[..9 * (SAMPLE / 9)]), None);
        let budget = Budget::new();
        let taken = (0..1000).take_while(|_| budget.take(part)).count();
        assert_eq!(taken, ALL_SAMPLES / part.len());
        assert!(!Budget::none().take(part));
    }
}
