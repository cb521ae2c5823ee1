//! Costs of words whose letters may have been typed as others.
//!
//! If a keyboard lacks letters of a language, people type those that look or sound alike: Kazakh
//! `ә` as Russian `а` or `э`, Icelandic `þ` as `th`, Urdu `ہ` as Arabic `ه`. The cost of such a
//! word in a language is that of its cheapest spelling: a search from letter to letter keeps, for
//! each language, the spellings whose cost is near the least one. No list of languages is needed,
//! because those are compared that are likeliest for the text as it is and have such letters.

use super::{gram_key, key_of, MAX_PACKED, UNITS_PER_BIT, UNSEEN_LETTER, WORD_SEED, WORD_STEP};
use super::{
    last_of, shorter_key, Candidates, Judged, LetterMemory, Speller, BACK_OFF, EDGE, ORDER,
};
use crate::lanes::{extend, lower, near, LANES};
use crate::prior;
use crate::table::{self, Table, NOWHERE};
use crate::words::{try_for_each_word, Script};
use crate::LangCode;
use std::cell::Cell;
use std::ops::ControlFlow;

/// Letters, and those that are typed in place of others, by the letters that are typed: one or two.
const TYPED: [(&str, &str); 44] = [
    ("а", "әӑ"),
    ("г", "ғҕґ"),
    ("е", "ӗє"),
    ("ж", "җӝ"),
    ("з", "ҙӟ"),
    ("и", "іӣїӥ"),
    ("к", "қҡ"),
    ("н", "ңҥ"),
    ("о", "өӧ"),
    ("с", "ҫһ"),
    ("у", "үұўӯӳӱ"),
    ("х", "һҳ"),
    ("ч", "ҷӵ"),
    ("ы", "і"),
    ("э", "ә"),
    ("a", "àáâãäåāăąǎəạ"),
    ("b", "ɓ"),
    ("c", "çćĉċč"),
    ("d", "ðđďɖɗḍ"),
    ("e", "èéêëēĕėęěẽẹəɛǝ"),
    ("f", "ƒ"),
    ("g", "ğĝġģɣ"),
    ("h", "ĥħḥ"),
    ("i", "ìíîïĩīįıɩị"),
    ("j", "ĵ"),
    ("k", "ķƙ"),
    ("l", "łļĺľ"),
    ("n", "ñńņňŋɲǹ"),
    ("o", "òóôõöøōŏőɔọ"),
    ("r", "řŕṛ"),
    ("s", "šśşșŝṣ"),
    ("t", "ťţțṭ"),
    ("u", "ùúûüũūŭůűųụ"),
    ("v", "ʋ"),
    ("w", "ŵ"),
    ("y", "ýÿŷƴỹ"),
    ("z", "źżžẓ"),
    ("ه", "ہھەة"),
    ("و", "ۆۇۈۋ"),
    ("ی", "ېێے"),
    ("th", "þ"),
    ("ae", "æ"),
    ("oe", "œø"),
    ("ss", "ß"),
];

/// Highest cost of a letter that a language is taken to have, in units.
const COMMON_LETTER: u8 = 150;
/// Most languages whose spellings are compared; in Latin script fewer, because it has more letters.
const MOST_CHOSEN: usize = 16;
const MOST_IN_LATIN: usize = 6;
/// Most models whose spellings are compared: languages may have several.
const MOST_MODELS: usize = u128::BITS as usize;
/// Letters from which on text in Latin script is compared: most shorter lines are names and parts
/// of interfaces.
const LEAST_IN_LATIN: usize = 28;

/// One letter in this many may be outside the Russian alphabet in text that is restored. Text of a
/// language with such letters has more of them, unless its keyboard lacked them.
const OTHERS: usize = 50;

/// Cost per letter above the usual one from which on spellings are compared, in bits: in Latin
/// script more, because half of its lines that are that surprising are in English.
const DOUBT: f64 = 0.4;
const DOUBT_IN_LATIN: f64 = 0.5;
/// Cost per letter above the usual one up to which spellings are compared, in bits: random letters
/// cost more, and hardly any text in another spelling does, but for that of Arabic script, where
/// one letter stands for a vowel of every word.
const HOPELESS: f64 = 2.8;
const HOPELESS_IN_ARABIC: f64 = 4.0;
/// Bits per letter to the next language from which on a result is clear: names are as surprising as
/// text in another spelling, but such text is about as likely in several languages.
const CLEAR: f64 = 0.8;
/// Bits per letter by which that lead is at most above the surprise.
const AHEAD: f64 = 0.2;
/// Bytes at the beginning of a text whose words are compared. They decide as the whole text would,
/// and to compare all of it would take fifty times as long as identification in the worst case.
const SAMPLE: usize = 1200;
/// Bytes that are compared without success for all parts of a page, so that hostile text cannot
/// cost much more.
const ALL_SAMPLES: usize = 6 * SAMPLE;
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

/// A letter that is typed as one or two others.
#[derive(Debug)]
pub(super) struct Meant {
    typed: &'static str,
    letter: char,
    /// The cost of the letter in each language.
    costs: Vec<u8>,
}

/// The place of a language that is not chosen; above [`MOST_MODELS`].
const NO_PLACE: u8 = u8::MAX;

/// The languages whose spellings are compared.
pub(crate) struct Chosen {
    /// Indexes of the models, in order; the first is repeated to fill a row.
    at: Vec<usize>,
    /// Number of the models.
    count: usize,
    /// For each index of a model its place in `at`, or [`NO_PLACE`].
    places: Vec<u8>,
    /// Letters that some of them have, by the letters that are typed, and the places of these
    /// languages in `at`, as bits.
    meant: Vec<(&'static str, char, u128)>,
}

impl Chosen {
    /// Returns the indexes of the models.
    pub(super) fn languages(&self) -> &[usize] {
        &self.at
    }

    /// Returns the place of the index of a model; `None` if it is not chosen.
    #[inline]
    fn place(&self, at: usize) -> Option<usize> {
        self.places.get(at).filter(|&&place| place != NO_PLACE).map(|&place| usize::from(place))
    }

    /// Sets the steps to the spellings of the first `end` letters of a word with its end, from those
    /// of one letter less and of two less. The first is the word as it is.
    fn set_steps(
        &self,
        word: &[char],
        end: usize,
        now: &[Spelling],
        before: &[Spelling],
        steps: &mut Vec<Step>,
    ) {
        let letter = word.get(end - 1).copied().unwrap_or(EDGE);
        steps.clear();
        steps.extend((0..now.len()).map(|at| Step { is_of_two: false, at, letter }));
        for (length, olds) in [(1, now), (2, before)] {
            let Some(typed) = end.checked_sub(length).and_then(|start| word.get(start..end)) else {
                continue;
            };
            for &(_, letter, having) in self.meant.iter().filter(|it| is_typed(it.0, typed)) {
                let has = |(_, old): &(usize, &Spelling)| old.near & having > 0;
                let step = |(at, _)| Step { is_of_two: length == 2, at, letter };
                steps.extend(olds.iter().enumerate().filter(has).map(step));
            }
        }
    }

    /// Returns whether a word has letters that may be typed in place of others.
    fn may_mean(&self, word: &[char]) -> bool {
        let is_meant = |letters: &[char]| self.meant.iter().any(|it| is_typed(it.0, letters));
        (1..=2).any(|length| word.windows(length).any(is_meant))
    }
}

/// Returns whether letters are those of a row of [`TYPED`].
fn is_typed(typed: &str, letters: &[char]) -> bool {
    typed.chars().eq(letters.iter().copied())
}

/// The spellings of the first letters of a word, whose memory is reused.
#[derive(Default)]
pub(super) struct Spellings {
    /// Those before the last letter.
    before: Vec<Spelling>,
    now: Vec<Spelling>,
    next: Vec<Spelling>,
    /// The steps to the next ones.
    steps: Vec<Step>,
    least: Vec<u16>,
}

/// A spelling with one more letter.
struct Step {
    /// Whether the letter is typed as two, so that the spelling is one before the last letter.
    is_of_two: bool,
    /// Index of the spelling.
    at: usize,
    letter: char,
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
    /// The languages in which the cost is near the least one, as bits.
    near: u128,
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
        self.near = u128::MAX;
    }

    /// Returns the last characters with one more, and their number.
    fn gram_with(&self, letter: char) -> ([char; ORDER], usize) {
        let last = last_of(&self.gram[..self.length]);
        let mut gram = [letter; ORDER];
        gram[..last.len()].copy_from_slice(last);
        (gram, last.len() + 1)
    }
}

/// Returns whether a text may have been typed on a keyboard that lacks letters of its language. In
/// Cyrillic script it has hardly any letter that Russian lacks, in Latin script hardly any that
/// ASCII lacks, and in Arabic script more of the Arabic heh than of its other forms.
pub(crate) fn is_plain(text: &str, script: Script) -> bool {
    let (mut all, mut others) = (0, 0);
    match script {
        Script::CYRILLIC | Script::LATIN => {
            for letter in text.chars().filter(|&c| Script::of(c) == script) {
                all += 1;
                let is_usual = match script {
                    Script::LATIN => letter.is_ascii(),
                    _ => matches!(letter, 'А'..='я' | 'ё' | 'Ё'),
                };
                others += usize::from(!is_usual);
            }
            others * OTHERS <= all && (script != Script::LATIN || all >= LEAST_IN_LATIN)
        }
        Script::ARABIC => {
            for letter in text.chars() {
                all += usize::from(letter == 'ه');
                others += usize::from(matches!(letter, 'ہ' | 'ە' | 'ۀ' | 'ۂ' | 'ۃ'));
            }
            others < all
        }
        _ => false,
    }
}

/// Returns whether a result is so surprising, and so little likelier than the next one, that other
/// spellings are compared with it.
pub(crate) fn is_doubtful(judged: &Judged, script: Script) -> bool {
    let doubt = if script == Script::LATIN { DOUBT_IN_LATIN } else { DOUBT };
    let lead = judged.margin.unwrap_or(0.0) / judged.letters.max(1) as f64;
    judged.surprise > doubt.max(lead - AHEAD) && lead < CLEAR
}

/// Returns whether a result is so surprising that no other spelling explains the text.
pub(crate) fn is_hopeless(judged: &Judged, script: Script) -> bool {
    let most = if script == Script::ARABIC { HOPELESS_IN_ARABIC } else { HOPELESS };
    judged.surprise > most
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

/// The bytes of a text or page that may still be compared in other spellings without success, so
/// that hostile text cannot cost much more than other text.
#[derive(Debug)]
pub struct Budget(Cell<usize>);

impl Default for Budget {
    fn default() -> Self {
        Self(Cell::new(ALL_SAMPLES))
    }
}

impl Budget {
    /// The budget of a text or page: 7,200 bytes.
    pub fn new() -> Self {
        Self::default()
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

    /// Gives back the bytes of a sample that is in another spelling, and as many again, because
    /// all of the page may be typed so.
    pub(crate) fn earn(&self, sample: &str) {
        self.0.set(self.0.get() + 2 * sample.len());
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

impl Candidates {
    /// Returns the letters that are typed as others.
    fn meant(&self, tables: &[(Table, usize)]) -> &[Meant] {
        self.meant.get_or_init(|| {
            let mut all = Vec::new();
            for (typed, letters) in TYPED {
                for letter in letters.chars() {
                    let mut costs = vec![UNSEEN_LETTER; self.languages.len()];
                    for (table, first) in tables {
                        let place = table.find(gram_key(&[letter]));
                        if place == NOWHERE {
                            continue;
                        }
                        table.list(place).for_each(|[language, cost]| {
                            if let Some(known) = costs.get_mut(first + usize::from(language)) {
                                *known = cost;
                            }
                        });
                    }
                    if costs.iter().any(|&cost| cost <= COMMON_LETTER) {
                        all.push(Meant { typed, letter, costs });
                    }
                }
            }
            all
        })
    }
}

impl Speller<'_> {
    /// Returns the likeliest languages that have letters which may be typed as others. `order` has
    /// the indexes of the languages, the likeliest first.
    pub(super) fn choose(
        &self,
        script: Script,
        order: impl Iterator<Item = usize>,
    ) -> Option<Chosen> {
        let meant = self.candidates.meant(&self.tables);
        let most = if script == Script::LATIN { MOST_IN_LATIN } else { MOST_CHOSEN };
        let has = |at: usize, meant: &Meant| meant.costs[at] <= COMMON_LETTER;
        let parts = |head: usize| {
            let parts = self.candidates.parts.iter().filter(move |part| part.head == head);
            std::iter::once(head).chain(parts.map(|part| part.at))
        };
        let of_marks =
            order.filter(|&head| parts(head).any(|at| meant.iter().any(|meant| has(at, meant))));
        let mut at: Vec<usize> = of_marks.take(most).flat_map(parts).collect();
        // A head is the first of its parts.
        at.dedup();
        at.truncate(MOST_MODELS);
        at.sort_unstable();
        at.dedup();
        let first = *at.first()?;
        let bits = |meant: &Meant| {
            let having = at.iter().enumerate().filter(|(_, &at)| has(at, meant));
            having.fold(0, |bits: u128, (place, _)| bits | 1 << place)
        };
        let meant = meant.iter().map(|meant| (meant.typed, meant.letter, bits(meant)));
        let meant = meant.filter(|&(_, _, bits)| bits > 0).collect();
        let count = at.len();
        let mut places = vec![NO_PLACE; at[count - 1] + 1];
        (0..).zip(&at).for_each(|(place, &at)| places[at] = place);
        at.resize(count.next_multiple_of(LANES), first);
        Some(Chosen { at, count, places, meant })
    }

    /// Lowers the costs of a word in the chosen languages to those of its cheapest spelling.
    pub(super) fn restore(
        &self,
        word: &[char],
        chosen: &Chosen,
        spellings: &mut Spellings,
        memory: &mut LetterMemory,
        costs: &mut [u16],
    ) {
        if word.iter().any(|&c| c > MAX_PACKED) || !chosen.may_mean(word) {
            return;
        }
        let Spellings { before, now, next, steps, least } = spellings;
        now.resize_with(now.len().max(1), Spelling::default);
        now[0].begin(chosen.at.len());
        let (mut kept, mut kept_before) = (1, 0);
        for end in 1..=word.len() + 1 {
            least.clear();
            least.resize(chosen.at.len(), u16::MAX);
            chosen.set_steps(word, end, &now[..kept], &before[..kept_before], steps);
            let old = |step: &Step| if step.is_of_two { &before[step.at] } else { &now[step.at] };
            // So that the waits for memory overlap.
            steps.iter().for_each(|step| self.prefetch(old(step), step.letter, memory));
            let count = steps.len();
            next.resize_with(next.len().max(count), Spelling::default);
            for (step, new) in steps.iter().zip(&mut *next) {
                self.extend(old(step), step.letter, chosen, new, memory);
                lower(least, &new.costs);
            }
            kept_before = kept;
            kept = 1;
            for at in 0..count {
                next[at].near = near(&next[at].costs, least, BEAM);
                if at > 0 && kept < MOST && next[at].near > 0 {
                    next.swap(kept, at);
                    kept += 1;
                }
            }
            std::mem::swap(before, now);
            std::mem::swap(now, next);
        }
        now[..kept].iter_mut().for_each(|spelling| self.finish(spelling, least, chosen, costs));
    }

    /// Lowers the costs of a word to those of a whole spelling. `least` has the least costs of the
    /// letters of any spelling.
    fn finish(&self, spelling: &mut Spelling, least: &[u16], chosen: &Chosen, costs: &mut [u16]) {
        let key = table::finish(spelling.hash);
        let unknown_word = |place: usize| self.candidates.unknown_word[chosen.at[place]];
        for (place, cost) in spelling.costs.iter_mut().enumerate() {
            *cost = cost.saturating_add(unknown_word(place));
        }
        for (table, first) in &self.tables {
            let place = table.find(key);
            if place == NOWHERE {
                continue;
            }
            table.list(place).for_each(|[language, cost]| {
                let at = first + usize::from(language);
                let Some(place) = chosen.place(at) else { return };
                let known = &mut spelling.costs[place];
                if *known <= least[place] + BEAM + unknown_word(place) {
                    let cost = u16::from(cost) * WORD_STEP;
                    *known = cost.max(known.saturating_sub(MOST_SAVED));
                }
            });
        }
        for (&at, &cost) in chosen.at.iter().zip(&spelling.costs) {
            costs[at] = costs[at].min(cost);
        }
    }

    /// Prefetches what [`cells`](Self::cells) reads for a spelling with one more letter.
    fn prefetch(&self, old: &Spelling, letter: char, memory: &LetterMemory) {
        let (gram, length) = old.gram_with(letter);
        let gram = &gram[..length];
        memory.letters.prefetch(key_of(gram));
        memory.shorter.prefetch(shorter_key(last_of(gram)));
        for longest in [gram, last_of(gram)] {
            let key = gram_key(longest);
            self.tables.iter().for_each(|(table, _)| table.prefetch(key));
        }
    }

    /// Sets `new` to a spelling with one more letter.
    fn extend(
        &self,
        old: &Spelling,
        letter: char,
        chosen: &Chosen,
        new: &mut Spelling,
        memory: &mut LetterMemory,
    ) {
        (new.gram, new.length) = old.gram_with(letter);
        new.hash = if letter == EDGE { old.hash } else { table::step(old.hash, letter) };
        self.cells(&new.gram[..new.length], chosen, memory, &mut new.cells);
        new.costs.clone_from(&old.costs);
        let width = new.costs.len();
        let (letters, lengths) = new.cells.split_at(width);
        extend(&mut new.costs, &old.cells[width..], letters, lengths, ORDER as u8, BACK_OFF);
    }

    /// Sets `cells` to those of the last letter of an n-gram in the chosen languages. N-grams of more
    /// than two characters that are not cached are looked up for these alone and stay so: most of
    /// them occur once, and would displace those of text as it is.
    fn cells(
        &self,
        gram: &[char],
        chosen: &Chosen,
        memory: &mut LetterMemory,
        cells: &mut Vec<u8>,
    ) {
        let LetterMemory { letters, shorter } = memory;
        let (known, length) = if let Some(row) = letters.find(key_of(gram)) {
            (letters.cells(row), gram.len())
        } else if let Some(row) = shorter.find(shorter_key(last_of(gram))) {
            (shorter.cells(row), last_of(gram).len())
        } else {
            let row = self.shorter_row(&gram[gram.len() - 2..], shorter);
            (shorter.cells(row), 2)
        };
        let (costs, orders) = known.split_at(known.len() / 2);
        cells.clear();
        cells.extend(chosen.at.iter().map(|&at| costs[at]));
        cells.extend(chosen.at.iter().map(|&at| orders[at]));
        let (costs, orders) = cells.split_at_mut(chosen.at.len());
        for length in length + 1..=gram.len() {
            // An n-gram is in the tables only with the shorter one at its end.
            if orders.iter().all(|&order| usize::from(order) < length - 1) {
                break;
            }
            let key = gram_key(&gram[gram.len() - length..]);
            for (table, first) in &self.tables {
                let place = table.find(key);
                if place == NOWHERE {
                    continue;
                }
                table.list(place).for_each(|[language, cost]| {
                    if let Some(place) = chosen.place(first + usize::from(language)) {
                        (costs[place], orders[place]) = (cost, length as u8);
                    }
                });
            }
        }
        let (cost, order) = (costs[0], orders[0]);
        costs[chosen.count..].fill(cost);
        orders[chosen.count..].fill(order);
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
            let script = Script::of(text.chars().next().unwrap());
            if !is_restored {
                return model.judge(&words, script, None).unwrap();
            }
            let chosen = model.choose(&words, script, None).unwrap();
            model.judge_restored(&words, script, None, &chosen).unwrap()
        };
        for (code, text, typed) in [
            ("kaz", "Кеше қалада көп адам әңгіме тыңдады", "Кеше калада коп адам энгиме тындады"),
            ("bel", "Учора ў горадзе ішоў дождж і снег", "Учора у горадзе ишоу дождж и снег"),
            (
                "isl",
                "Það var gott veður í gær og maðurinn",
                "Thad var gott vedur i gaer og madurinn",
            ),
        ] {
            let (alone, restored) = (cost(text, false), cost(typed, true));
            assert_eq!(restored.language.as_str(), code);
            assert!(restored.cost <= alone.cost + 12 * 12, "{restored:?} {alone:?}");
            assert!(restored.cost + 240 < cost(typed, false).cost, "{restored:?}");
        }
    }

    #[test]
    fn only_text_without_letters_that_are_typed_as_others_may_be_restored() {
        assert!(is_plain("Кеше калада коп адам болды", Script::CYRILLIC));
        assert!(!is_plain("Кеше қалада көп адам болды", Script::CYRILLIC));
        assert!(is_plain("Dunen axsam kitabxanada sohbet oldu", Script::LATIN));
        assert!(!is_plain("Dünən axşam kitabxanada söhbət oldu", Script::LATIN));
        assert!(!is_plain("a few words", Script::LATIN), "too short");
        assert!(is_plain("شهر کی لائبریری میں مشاعره هوا", Script::ARABIC));
        assert!(!is_plain("شہر کی لائبریری میں مشاعرہ ہوا", Script::ARABIC));
        assert!(!is_plain("ερχονται τα παιδια απο το σχολειο", Script::GREEK));
    }

    #[test]
    fn a_choice_of_languages_holds_for_the_words_that_are_remembered() {
        let model = LanguageModel::new(Pack::shipped().into());
        let texts = ["Dunen axsam kitabxanada sohbet oldu", "Thad var gott vedur i gaer"];
        let words = texts.map(WordList::unsplit);
        let choices = [0, 1].map(|at| model.choose(&words[at], Script::LATIN, None).unwrap());
        assert_ne!(choices[0].languages(), choices[1].languages());
        let cost = |choice: usize| {
            model.judge_restored(&words[0], Script::LATIN, None, &choices[choice]).unwrap().cost
        };
        let costs = [cost(0), cost(1), cost(0)];
        assert_eq!(costs[0], costs[2]);
        assert!(costs[0] < costs[1], "{costs:?}");
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
