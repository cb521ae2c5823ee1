//! Identification by language models, which predict the text of each language.
//!
//! A language's model has the probability of a word: from the word's own frequency if the table has
//! it, otherwise from its characters, each given the three before it (trained in `train.rs`;
//! Witten-Bell interpolation at all orders). Costs are -log2 of probabilities. The result is the
//! language with the lowest cost for the text. Because every language pays for every word, a word
//! that only one of several similar languages has decides between them, and sequences of letters
//! that a language lacks are evidence against it.
//!
//! Text of an unknown language costs least in some similar language and must not be assigned to it.
//! Three measures detect such text. The *surprise* is the cost per letter minus the language's
//! usual cost of a letter: it is high. The *margin* is the additional cost of the next language: it
//! is small. Both are shares of the usual cost. The *wins* are the letters of the words for which
//! the language is the cheapest, to within a bit: they are few, because the words are cheapest in
//! many different languages. A result is accepted if the surprise is at most [`SURPRISE`] plus
//! [`TRUST`] times the margin plus [`CONSENT`] times the share of the letters that are won. A model
//! of little text has a high surprise for every text of another domain, so its limit is higher
//! ([`SCARCE`]).
//!
//! The weights began as those of a logistic regression on 60,000 texts in 170 known and 230 unknown
//! languages, each of equal weight, and were then changed by hand on the same texts.
//! `models/README.md` lists the share of unknown text that the test finds, and the lost recall.
//!
//! With a prior ([`LanguageModel::with_prior`]), a language's cost on the web is added once to the
//! text. A common language also has a higher limit of the surprise: the difference between its
//! prior and that of a language without a model is added, divided by the number of letters. In
//! lines of up to 100 letters, function words raise the limit of any language ([`FAMILIAR`]).

pub(crate) mod restored;

use self::restored::{Chosen, Meant, Spellings};
use crate::guard::{self, Rivals};
use crate::identify::{append, Run};
use crate::lanes::{
    add, add_back_offs, add_beside, add_letter, add_letters, advance, back_off, back_off_edge,
    least_of, move_to, position, prefetch, relate, row, Bounds,
};
use crate::list::{Listed, WordList};
use crate::pack::{Language, Pack, Section};
use crate::prior::{self, Evidence};
use crate::stop::{is_function_word, WITHOUT_SPACES};
use crate::table::{self, List, Place, Table, ABSENT, NOWHERE};
use crate::train::USUAL;
use crate::words::{for_each_word, Script, MAX_WORD};
use crate::work::add_models;
use crate::{Allowed, Identify, LangCode};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Units of cost per bit.
pub(crate) const UNITS_PER_BIT: f64 = 12.0;
/// Units per step of a word's cost in the table.
pub(crate) const WORD_STEP: u16 = 2;
/// Cost of a letter that is not in the language's training text, in units (21 bits).
pub(crate) const UNSEEN_LETTER: u8 = 255;
/// Longest n-gram, in characters.
pub(crate) const ORDER: usize = 4;
/// Cost of each back-off: the language lacks the n-gram but has its context, in units. Replaces
/// Witten-Bell's back-off weight, which would need a number per n-gram.
pub(crate) const BACK_OFF: u16 = 10;
/// Most languages of one script, over all packs. Further languages of later packs are ignored.
pub(crate) const MAX_CANDIDATES: usize = 512;
/// Most far languages of one script, over all far packs. These packs are read rarely.
pub(crate) const MAX_FAR: usize = 4 * crate::MAX_LANGUAGES;
/// The character before the first letter of a word and after its last one.
pub(crate) const EDGE: char = ' ';

/// The unfinished hash of a word before its first letter.
const WORD_SEED: u64 = 0x57;

/// Returns the key of a word, or of an n-gram, in a table.
#[inline]
pub(crate) fn word_key(letters: &[char]) -> u64 {
    table::hash(WORD_SEED, letters)
}

/// Returns the key of an n-gram, the last letter first.
#[inline]
pub(crate) fn gram_key(letters: &[char]) -> u64 {
    let hash =
        letters.iter().rev().fold(letters.len() as u64, |hash, &letter| table::step(hash, letter));
    table::finish(hash)
}

/// Returns an n-gram without its first character if it has the full length.
#[inline]
fn last_of(gram: &[char]) -> &[char] {
    &gram[gram.len().saturating_sub(ORDER - 1)..]
}

/// Returns the key of an n-gram of at most three characters in the cache of shorter n-grams.
#[inline]
fn shorter_key(gram: &[char]) -> u64 {
    gram.iter().fold(0, |key, &letter| key << BITS_OF_CHAR | u64::from(letter))
}

/// Returns the n-gram of a word, with its edges, that ends at a letter.
#[inline]
fn gram_at(padded: &[char], end: usize) -> &[char] {
    &padded[(end + 1).saturating_sub(ORDER)..=end]
}

/// Returns the key of an n-gram of letters up to [`MAX_PACKED`] in the cache.
fn key_of(gram: &[char]) -> u64 {
    gram.iter().fold(0, |key, &letter| key << PACKED | u64::from(letter))
}

/// Sets the key of each letter of a word in the cache: its n-gram as it is, or a hash of it if a
/// letter has too many bits.
#[inline]
fn set_keys(padded: &[char], keys: &mut Vec<u64>) {
    keys.clear();
    if padded.iter().all(|&letter| letter <= MAX_PACKED) {
        let mut key = u64::from(EDGE);
        keys.extend(padded[1..].iter().map(|&letter| {
            key = key << PACKED | u64::from(letter);
            key
        }));
    } else {
        keys.extend((1..padded.len()).map(|end| gram_key(gram_at(padded, end))));
    }
}

/// The languages of one script, over all packs.
#[derive(Debug)]
struct Candidates {
    languages: Vec<Language>,
    /// Pack, section and the index of the section's first language in `languages`.
    tables: Vec<(usize, usize, usize)>,
    /// Whether an index is never a result: its model is mixed into that of another index, or a
    /// later pack replaces it.
    hidden: Vec<bool>,
    /// The models of the languages that several models have.
    parts: Vec<Part>,
    /// Whether an index is a language of a guarded pack, and whether any is.
    guarded: Vec<bool>,
    has_guarded: bool,
    /// Cost of each language before any text is read, in units.
    prior: Vec<u16>,
    /// Whether an index is a result that is common on the web.
    is_common: Vec<bool>,
    /// For each language, the cost of a word that is not in its table, on top of its letters.
    unknown_word: Vec<u16>,
    /// All bits set for each index that is no result: hidden ones, and those after the last
    /// language.
    no_result: Vec<u16>,
    /// All bits set for each index that is no result of the library: those of `no_result`, and
    /// languages of guarded packs.
    not_library: Vec<u16>,
    /// All bits set for each index that is one.
    of_library: Vec<u16>,
    /// The prior of a language that no model has, in units.
    unknown: u16,
    /// Whether CLD2 has a language too, by index; false for hidden ones.
    is_asked: Vec<bool>,
    /// Letters that are typed as others, from the first use on.
    meant: OnceLock<Vec<Meant>>,
}

/// A model that is one of several of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    /// Index of the model.
    at: usize,
    /// Index of the language's first model, where the costs of all are combined.
    head: usize,
    /// Cost of choosing this model for a word, in units.
    choice: u16,
}

impl Candidates {
    /// Returns the languages of the packs in a script.
    ///
    /// If several packs have a language, its models are mixed, each with the weight of the words
    /// that it was trained from. A model with [`Language::replaces`] removes those before it.
    fn new(packs: &[Arc<Pack>], script: Script, has_prior: bool) -> Self {
        let most = if packs.iter().all(|pack| pack.is_far()) { MAX_FAR } else { MAX_CANDIDATES };
        let mut candidates = Self {
            languages: Vec::new(),
            tables: Vec::new(),
            hidden: Vec::new(),
            parts: Vec::new(),
            guarded: Vec::new(),
            has_guarded: false,
            prior: Vec::new(),
            is_common: Vec::new(),
            unknown_word: Vec::new(),
            no_result: Vec::new(),
            not_library: Vec::new(),
            of_library: Vec::new(),
            unknown: if has_prior { prior::unknown() } else { 0 },
            is_asked: Vec::new(),
            meant: OnceLock::new(),
        };
        for (pack, sections) in packs.iter().map(|pack| &pack.sections).enumerate() {
            for (index, section) in
                sections.iter().enumerate().filter(|(_, section)| section.script == script)
            {
                candidates.tables.push((pack, index, candidates.languages.len()));
                candidates.languages.extend(&section.languages);
                candidates.guarded.resize(candidates.languages.len(), packs[pack].is_guarded);
            }
            candidates.languages.truncate(most);
            candidates.guarded.truncate(most);
        }
        let mut models: BTreeMap<LangCode, Vec<usize>> = BTreeMap::new();
        candidates.hidden = vec![false; candidates.languages.len()];
        for (at, language) in candidates.languages.iter().enumerate() {
            let models = models.entry(language.code).or_default();
            if language.replaces {
                for replaced in models.drain(..) {
                    candidates.hidden[replaced] = true;
                    candidates.guarded[at] &= candidates.guarded[replaced];
                }
            }
            models.push(at);
        }
        candidates.mix_all(models.into_values().filter(|models| models.len() > 1).collect());
        candidates.set_rows(has_prior);
        candidates
    }

    /// Sets what is known of each language by its code, its pack and whether it is hidden.
    fn set_rows(&mut self, has_prior: bool) {
        let cost = |language: &Language| if has_prior { prior::cost(language.code) } else { 0 };
        let in_cld2 = |language: &Language| LangCode::of_cld2_tables().contains(&language.code);
        self.has_guarded = self.guarded.contains(&true);
        self.prior = self.languages.iter().map(cost).collect();
        let is_asked = |(at, language): (usize, &Language)| {
            in_cld2(language) && !self.hidden[at] && !self.guarded[at]
        };
        self.is_asked = self.languages.iter().enumerate().map(is_asked).collect();
        let is_common = |(language, hidden): (&Language, &bool)| {
            !hidden && !prior::is_rare(prior::cost(language.code))
        };
        self.is_common = self.languages.iter().zip(&self.hidden).map(is_common).collect();
        let unknown_word = |language: &Language| u16::from(language.unknown_word) * WORD_STEP;
        self.unknown_word = row(self.languages.iter().map(unknown_word), 0);
        let is_hidden = self.hidden.iter();
        self.no_result = row(is_hidden.map(|&hidden| if hidden { u16::MAX } else { 0 }), u16::MAX);
        let of_library = self.hidden.iter().zip(&self.guarded);
        let of_library = of_library.map(|(&hidden, &guarded)| !hidden && !guarded);
        let mask = |is_set: bool| if is_set { u16::MAX } else { 0 };
        self.of_library = row(of_library.clone().map(mask), 0);
        self.not_library = row(of_library.map(|is| mask(!is)), u16::MAX);
    }

    /// Mixes the models of each language that has several. A language of the library with models
    /// of guarded packs too has two results: one of the library's models alone, and one of all.
    fn mix_all(&mut self, languages: Vec<Vec<usize>>) {
        let mut of_library = Vec::new();
        for models in languages {
            let is_guarded = |at: &usize| self.guarded[*at];
            let (guarded, library): (Vec<_>, Vec<_>) = models.into_iter().partition(is_guarded);
            if !guarded.is_empty() {
                // Before the mixture of the library's models replaces the first of them.
                let words = |at: &usize| self.languages[*at].words;
                let all = [&guarded[..], &library[..]].concat();
                let words = all.iter().map(words).fold(0, u32::saturating_add);
                self.mix(&all);
                self.languages[guarded[0]].words = words;
            }
            if let Some(&first) = library.first() {
                self.hidden[first] = false;
                of_library.push(library);
            }
        }
        of_library.iter().filter(|models| models.len() > 1).for_each(|models| self.mix(models));
    }

    /// Combines models of one language at the first of them.
    fn mix(&mut self, models: &[usize]) {
        let words = |at: &usize| f64::from(self.languages[*at].words.max(1));
        let all: f64 = models.iter().map(words).sum();
        let usual: f64 =
            models.iter().map(|at| f64::from(self.languages[*at].usual) * words(at) / all).sum();
        let head = models[0];
        let choice = |at: &usize| (-(words(at) / all).log2() * UNITS_PER_BIT).round() as u16;
        self.parts.extend(models.iter().map(|at| Part { at: *at, head, choice: choice(at) }));
        self.languages[head].usual = usual.round() as u16;
        models[1..].iter().for_each(|&at| self.hidden[at] = true);
    }

    /// Returns the words of the training text of a language, of all of its models.
    fn words(&self, at: usize) -> u32 {
        let parts = self.parts.iter().filter(|part| part.head == at);
        let all = parts.map(|part| self.languages[part.at].words).fold(0, u32::saturating_add);
        all.max(self.languages[at].words)
    }

    /// Replaces the costs of a word in the models of one language by its cost in their mixture.
    fn combine(&self, costs: &mut [u16]) {
        for part in &self.parts {
            let cost = costs[part.at].saturating_add(part.choice);
            // The head is the first of its parts.
            costs[part.head] =
                if part.at == part.head { cost } else { cost_of_sum(costs[part.head], cost) };
        }
    }

    /// Returns the number of languages, rounded up to whole groups of [`LANES`].
    fn width(&self) -> usize {
        self.unknown_word.len()
    }
}

/// Costs that differ by at least this many units have the lower one as the cost of their sum.
const FAR_APART: usize = 128;

/// Returns the cost of the sum of two probabilities.
fn cost_of_sum(one: u16, other: u16) -> u16 {
    static SAVED: OnceLock<[u16; FAR_APART]> = OnceLock::new();
    let saved = SAVED.get_or_init(|| std::array::from_fn(|apart| saved_by_sum(apart as f64)));
    let (least, most) = (one.min(other), one.max(other));
    let apart = usize::from(most - least);
    least.saturating_sub(saved.get(apart).copied().unwrap_or(0))
}

/// Returns the difference between the lower of two costs and the cost of their sum.
fn saved_by_sum(apart: f64) -> u16 {
    ((-apart / UNITS_PER_BIT).exp2().ln_1p() / std::f64::consts::LN_2 * UNITS_PER_BIT).round()
        as u16
}

/// Computes the costs of words of one script.
struct Speller<'a> {
    candidates: &'a Candidates,
    /// Tables and the index of their first language.
    tables: Vec<(Table<'a>, usize)>,
}

/// Buffers for one word.
#[derive(Default)]
struct Scratch {
    /// The word with its edges.
    padded: Vec<char>,
    /// For each letter the cache's key of the longest n-gram that ends there.
    keys: Vec<u64>,
    /// For each letter its row in the cache; [`NO_ROW`] until it is found.
    rows: Vec<usize>,
    /// For each letter that is not cached, its position and the key of the longest n-gram that ends
    /// there.
    new: Vec<(usize, u64)>,
    /// For each letter of `new` and each table, the place of the n-gram.
    places: Vec<Place>,
    /// For each language the number of back-offs in the word, at most [`ORDER`] for each letter.
    back_offs: Vec<u8>,
}

/// Most letters of a word, with its end.
const MAX_LETTERS: usize = MAX_WORD + 1;

impl<'a> Speller<'a> {
    fn new(packs: &'a [Arc<Pack>], candidates: &'a Candidates) -> Self {
        let tables = candidates.tables.iter().filter_map(|&(pack, section, first)| {
            let pack = packs.get(pack)?;
            Some((pack.table(pack.sections.get(section)?)?, first))
        });
        Self { candidates, tables: tables.collect() }
    }

    /// Writes the cost of a word in each language to `costs`. `memory` caches the letters of other
    /// words.
    fn cost(
        &self,
        word: &[char],
        key: u64,
        scratch: &mut Scratch,
        memory: &mut LetterMemory,
        costs: &mut [u16],
    ) {
        self.tables.iter().for_each(|(table, _)| table.prefetch(key));
        self.find_letters(word, scratch, memory);
        costs.copy_from_slice(&self.candidates.unknown_word);
        memory.letters.add_up(&scratch.rows, &mut scratch.back_offs, costs);
        for (table, first) in &self.tables {
            let place = table.find(key);
            if place == NOWHERE {
                continue;
            }
            table.list(place).for_each(|[language, cost]| {
                if let Some(known) = costs.get_mut(first + usize::from(language)) {
                    *known = u16::from(cost) * WORD_STEP;
                }
            });
        }
    }

    /// Sets the rows of a word's letters, and fills those that are not cached.
    fn find_letters(&self, word: &[char], scratch: &mut Scratch, memory: &mut LetterMemory) {
        let Scratch { padded, keys, rows, new, places, .. } = scratch;
        let LetterMemory { letters, shorter } = memory;
        padded.clear();
        padded.push(EDGE);
        padded.extend_from_slice(word);
        padded.push(EDGE);
        let gram = |end: usize| gram_at(padded, end);
        set_keys(padded, keys);
        // All letters are prefetched before the first one is used, so that the waits for memory
        // overlap: first their entries in the cache, then their rows, or where new ones are found.
        keys.iter().for_each(|&key| letters.prefetch(key));
        rows.clear();
        new.clear();
        for (end, &key) in (1..).zip(&*keys) {
            let row = letters.find(key);
            rows.push(row.unwrap_or(NO_ROW));
            if let Some(row) = row {
                letters.prefetch_row(row);
                continue;
            }
            letters.prefetch_row(letters.oldest(key));
            let gram = gram(end);
            shorter.prefetch(shorter_key(last_of(gram)));
            let key = gram_key(gram);
            self.tables.iter().for_each(|(table, _)| table.prefetch(key));
            new.push((end, key));
        }
        self.find_new(padded, new, places, shorter);
        let tables = self.tables.len();
        for (&(end, _), first) in new.iter().zip((0..).step_by(tables.max(1))) {
            let (at, key) = (end - 1, keys[end - 1]);
            // The letter may occur twice in the word.
            if let Some(row) = letters.find(key) {
                rows[at] = row;
                continue;
            }
            let row = letters.oldest(key);
            // A row of another letter of the word is still needed.
            let row = if rows.contains(&row) { letters.spare(at) } else { letters.insert(key) };
            let gram = gram(end);
            let shorter_row = self.shorter_row(last_of(gram), shorter);
            let cells = letters.cells_mut(row);
            cells.copy_from_slice(shorter.cells(shorter_row));
            self.lengthen(&places[first..first + tables], ORDER as u8, cells);
            rows[at] = row;
        }
    }

    /// Finds the n-grams of new letters in the tables, and prefetches what their rows are made of.
    #[inline]
    fn find_new(
        &self,
        padded: &[char],
        new: &[(usize, u64)],
        places: &mut Vec<Place>,
        shorter: &Rows<u8>,
    ) {
        places.clear();
        for &(end, key) in new {
            let gram = gram_at(padded, end);
            match shorter.peek(shorter_key(last_of(gram))) {
                Some(row) => shorter.prefetch_row(row),
                None => {
                    let key = gram_key(last_of(gram));
                    self.tables.iter().for_each(|(table, _)| table.prefetch(key));
                }
            }
            for (table, _) in &self.tables {
                let place = if gram.len() == ORDER { table.find(key) } else { NOWHERE };
                table.prefetch_list(place);
                places.push(place);
            }
        }
    }

    /// Returns the row of two or three characters, and fills it if they are not cached.
    fn shorter_row(&self, gram: &[char], shorter: &mut Rows<u8>) -> usize {
        let key = shorter_key(gram);
        if let Some(row) = shorter.find(key) {
            return row;
        }
        if gram.len() <= 2 {
            let row = shorter.insert(key);
            self.pair(gram, shorter.cells_mut(row));
            return row;
        }
        let pair = self.shorter_row(&gram[1..], shorter);
        // It may take the row of the pair, which is then filled already.
        let row = shorter.insert(key);
        shorter.copy(pair, row);
        let key = gram_key(gram);
        let (costs, orders) = halves(shorter.cells_mut(row));
        for (table, first) in &self.tables {
            let place = table.find(key);
            if place != NOWHERE {
                overwrite(table.list(place), *first, gram.len() as u8, costs, orders);
            }
        }
        row
    }

    /// Writes the cells of the second of two characters: in each language from both, or from the
    /// second alone.
    fn pair(&self, pair: &[char], cells: &mut [u8]) {
        let (costs, orders) = halves(cells);
        costs.fill(UNSEEN_LETTER);
        orders.fill(0);
        for (table, first) in &self.tables {
            let places = [table.find(gram_key(&pair[1..])), table.find(gram_key(pair))];
            for (place, length) in
                places.into_iter().zip(1..).filter(|(place, _)| *place != NOWHERE)
            {
                overwrite(table.list(place), *first, length, costs, orders);
            }
        }
    }

    /// Replaces the cells in the languages that have an n-gram of this length, which has these
    /// places in the tables.
    fn lengthen(&self, places: &[Place], length: u8, cells: &mut [u8]) {
        let (costs, orders) = halves(cells);
        let places = self.tables.iter().zip(places).filter(|(_, place)| **place != NOWHERE);
        for ((table, first), &place) in places {
            overwrite(table.list(place), *first, length, costs, orders);
        }
    }
}

/// Returns the costs of a letter, and the lengths in characters of the n-grams that gave them.
#[inline]
fn halves(cells: &mut [u8]) -> (&mut [u8], &mut [u8]) {
    cells.split_at_mut(cells.len() / 2)
}

/// Copies the costs of the languages that have an n-gram of this length.
#[inline]
fn overwrite(list: List, first: usize, length: u8, costs: &mut [u8], orders: &mut [u8]) {
    match list {
        List::Row(row) => {
            let cells = costs.iter_mut().zip(orders).skip(first);
            // Branch-free, so that the compiler can vectorise it.
            for ((cost, order), &found) in cells.zip(row) {
                *order = if found == ABSENT { *order } else { length };
                *cost = if found == ABSENT { *cost } else { found };
            }
        }
        few => few.for_each(|[language, found]| {
            let at = first + usize::from(language);
            if let (Some(cost), Some(order)) = (costs.get_mut(at), orders.get_mut(at)) {
                (*cost, *order) = (found, length);
            }
        }),
    }
}

/// A thread's caches for one script. Running text repeats its words, and new words repeat the
/// letters of others, so most lookups are served here and not in the tables.
struct Memories {
    /// The costs of words in each language, above the least.
    words: Rows<u16>,
    letters: LetterMemory,
    scratch: Scratch,
    /// The same costs of the cheapest spelling in chosen languages; `None` until they are needed.
    restored: Option<(Vec<usize>, Rows<u16>)>,
    spellings: Spellings,
}

/// A thread's caches of the letters of one script: for each language the cost of the last letter of
/// an n-gram and, after all costs, the length in characters of the n-gram that gave it, 0 for none.
struct LetterMemory {
    letters: Rows<u8>,
    /// Caches for n-grams of two and three characters: most new n-grams end in three known
    /// characters.
    shorter: Rows<u8>,
}

impl LetterMemory {
    fn new(letters: usize, shorter: usize, width: usize) -> Self {
        Self { letters: Rows::new(letters, 2 * width), shorter: Rows::new(shorter, 2 * width) }
    }
}

impl Memories {
    fn new(width: usize) -> Self {
        Self {
            words: Rows::new(WORDS, width),
            letters: LetterMemory::new(LETTERS, SHORTER, width),
            scratch: Scratch::default(),
            restored: None,
            spellings: Spellings::default(),
        }
    }
}

/// Size of a thread's word cache per script, about, in bytes.
const WORDS: usize = 8 << 20;
/// Size of its cache of words in their cheapest spelling, about, in bytes.
const RESTORED: usize = 256 << 10;
/// Size of a thread's letter cache per script, about, in bytes.
const LETTERS: usize = 4 << 20;
/// Size of a thread's cache of shorter n-grams per script, about, in bytes.
const SHORTER: usize = 6 << 20;

/// The highest character of an n-gram that is its own key: [`ORDER`] characters fit in a key.
const MAX_PACKED: char = '\u{ffff}';
/// Bits of each of its characters.
const PACKED: u32 = u64::BITS / ORDER as u32;
/// Bits of any character: three of them fit in a key.
const BITS_OF_CHAR: u32 = 21;

/// Most keys in a cache: words of few languages are fast to compute, and there are many scripts.
const MAX_SLOTS: usize = 1 << 16;

/// Words between the word that is read and the one whose costs are prefetched.
const AHEAD: usize = 1;
/// Words between it and the one whose entry in the cache is prefetched.
const FAR_AHEAD: usize = 4;

/// Most scripts with caches per thread, over all models. Beyond that the caches of other models are
/// dropped, because these may no longer exist.
const MEMORIES_KEPT: usize = 64;

/// A cache from recent keys to rows of numbers of languages, and spare rows for the letters of one
/// word.
///
/// Rows are used one after the other, so that a short run touches little memory.
struct Rows<T> {
    /// The keys in pairs, the last used one first. A key can only be in the pair that it selects.
    pairs: Vec<[Entry; 2]>,
    cells: Vec<T>,
    /// Numbers in a row.
    width: usize,
    /// Number of rows in use, with the one of unused entries.
    used: u32,
}

/// A key and its row. Unused ones have row 0, which has no key.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    key: u64,
    row: u32,
    /// For a word, the bounds of its costs.
    bounds: Bounds,
}

/// Stands for the row of a letter that is not cached yet.
const NO_ROW: usize = usize::MAX;

impl<T: Copy + Default> Rows<T> {
    fn new(bytes: usize, width: usize) -> Self {
        let pair = 2 * (size_of::<Entry>() + width * size_of::<T>());
        let pairs = (bytes / pair).clamp(1, MAX_SLOTS / 2);
        let cells = vec![T::default(); (2 * pairs + 1 + MAX_LETTERS) * width];
        Self { pairs: vec![[Entry::default(); 2]; pairs], cells, width, used: 1 }
    }

    /// Forgets all keys.
    fn clear(&mut self) {
        self.pairs.fill_with(Default::default);
        self.used = 1;
    }

    /// Returns the number of rows, without the spare ones.
    fn most_rows(&self) -> usize {
        2 * self.pairs.len() + 1
    }

    /// Returns the index of a key's pair.
    #[inline]
    fn pair(&self, key: u64) -> usize {
        let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (((mixed >> 32) * self.pairs.len() as u64) >> 32) as usize
    }

    /// Returns the row of a key; `None` if it is not cached.
    #[inline]
    fn find(&mut self, key: u64) -> Option<usize> {
        self.entry(key).map(|entry| entry.row as usize)
    }

    /// Returns a key's entry; `None` if it is not cached.
    #[inline]
    fn entry(&mut self, key: u64) -> Option<&mut Entry> {
        let pair = self.pair(key);
        let [first, second] = &mut self.pairs[pair];
        if first.key != key {
            if second.key != key {
                return None;
            }
            std::mem::swap(first, second);
        }
        (first.row > 0).then_some(first)
    }

    /// Returns the row of a key like [`find`](Self::find), without marking it as used.
    #[inline]
    fn peek(&self, key: u64) -> Option<usize> {
        let entries = &self.pairs[self.pair(key)];
        let entry = entries.iter().find(|entry| entry.key == key && entry.row > 0)?;
        Some(entry.row as usize)
    }

    /// Prefetches the entries of a key.
    #[inline]
    fn prefetch(&self, key: u64) {
        prefetch(&self.pairs, self.pair(key), 1);
    }

    /// Prefetches the numbers of a row.
    #[inline]
    fn prefetch_row(&self, row: usize) {
        prefetch(&self.cells, row * self.width, self.width);
    }

    /// Returns the row that a key which is not cached would take from another; 0 for none.
    fn oldest(&self, key: u64) -> usize {
        self.pairs[self.pair(key)][1].row as usize
    }

    /// Caches a key that is not cached, and returns its row with the numbers of another key.
    fn insert(&mut self, key: u64) -> usize {
        let pair = self.pair(key);
        let [first, second] = &mut self.pairs[pair];
        let mut row = second.row;
        if row == 0 {
            row = self.used;
            self.used += 1;
        }
        (*second, *first) = (*first, Entry { key, row, bounds: Bounds::default() });
        row as usize
    }

    /// Returns the row without a key for a letter of a word.
    fn spare(&self, letter: usize) -> usize {
        self.most_rows() + letter
    }

    /// Returns the numbers of a row.
    #[inline]
    fn cells(&self, row: usize) -> &[T] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }

    /// Copies the numbers of a row to another.
    #[inline]
    fn copy(&mut self, from: usize, to: usize) {
        self.cells.copy_within(from * self.width..(from + 1) * self.width, to * self.width);
    }

    /// Returns the numbers of a row.
    #[inline]
    fn cells_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.cells[row * self.width..(row + 1) * self.width]
    }
}

impl Rows<u8> {
    /// Adds the costs of a word's letters to `costs`, and of their `back_offs`, which are counted
    /// anew.
    fn add_up(&self, letters: &[usize], back_offs: &mut Vec<u8>, costs: &mut [u16]) {
        let width = costs.len();
        let halves = |row: &usize| self.cells(*row).split_at(width);
        back_offs.clear();
        back_offs.resize(width, 0);
        let Some(first) = letters.first() else { return };
        // Every language has the edge before the first letter.
        back_off_edge(back_offs, halves(first).1);
        for pair in letters.windows(2) {
            back_off(back_offs, halves(&pair[0]).1, halves(&pair[1]).1, ORDER as u8);
        }
        let (fours, rest) = letters.as_chunks::<4>();
        for four in fours {
            add_letters(costs, four.each_ref().map(|letter| halves(letter).0));
        }
        for letter in rest {
            add_letter(costs, halves(letter).0);
        }
        add_back_offs(costs, back_offs, BACK_OFF);
    }
}

thread_local! {
    /// The caches of a thread: by model, then by script.
    static MEMORIES: RefCell<FxHashMap<(u64, Script), Box<Memories>>> = RefCell::default();
}

/// Highest surprise of a result without a margin and without wins, as a share of the usual cost.
const SURPRISE: f64 = 0.3;
/// Additional surprise per margin.
const TRUST: f64 = 0.4;
/// Additional surprise of a result that wins every letter.
const CONSENT: f64 = 0.4;
/// Additional surprise per halving of the training text below [`AMPLE`] words, down to [`FEW`].
const SCARCE: f64 = 0.12;
const AMPLE: u32 = 30_000;
const FEW: u32 = 2_000;
/// Additional surprise of a line for each function word, up to [`MAX_FAMILIAR`], per margin, up to
/// [`MAX_MARGIN`]. The numbers were chosen on headlines of MasakhaNEWS and whole and cut lines of
/// SIB-200, a fifth of whose languages have no model.
const FAMILIAR: f64 = 0.6;
const MAX_FAMILIAR: usize = 3;
const MAX_MARGIN: f64 = 0.2;
/// Letters and word ends from which on a text is no line of this kind.
const LINE: u64 = 100;
/// A language wins a word if its cost is at most this above the least cost, in units: a bit.
const NEAR: u16 = 12;
/// Languages are about as likely if their costs differ by at most this, in bits per letter.
const CLOSE: f64 = 0.15;
/// The same if one of them is rare and has fewer than [`LITTLE`] words of training text, so that its
/// costs are too high. Common ones are preferred anyway: in Latin there would be lists.
const CLOSE_OF_LITTLE: f64 = 0.35;
const LITTLE: u32 = 6_000;
/// Pairs with a difference of their own in place of [`CLOSE`]: above it, the models are right more
/// often than CLD2 (SIB-200, the Declaration).
const CLOSE_PAIRS: [([&str; 2], f64); 1] = [(["kin", "run"], 0.13)];
/// Cost of a change of language within a text, in units: 40 bits, the evidence of about three
/// words.
const SWITCH: u16 = 480;

/// Highest cost of a word that is one of 1,000 words of a language, in units.
const FUNCTION_WORD: u16 = 120;

/// How well a text fits a language.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Words of two letters or more.
    pub words: usize,
    /// Those of them that are at least one in 1,000 words of the language by its model.
    pub frequent: usize,
    /// Bits per letter by which the language is likelier than every common language of the script;
    /// `None` if there is none, or the language is common itself.
    pub lead: Option<f64>,
    /// Whether the language is common on the web.
    pub is_common: bool,
    /// Cost of a letter as a multiple of the usual cost in text of the language.
    pub surprise: f64,
}

impl Fit {
    /// Returns a measure of how badly the text fits, higher for noise than for text of the language.
    /// `words` must not be 0. It is at most that of a text without frequent words.
    pub fn misfit(&self) -> f64 {
        let frequent = (self.frequent as f64 / self.words as f64).min(MAX_FREQUENT);
        let lead = self.lead.unwrap_or(NO_RIVAL).min(MAX_LEAD);
        OF_SURPRISE * self.surprise - OF_FREQUENT * frequent - OF_LEAD * lead
    }
}

/// Weights of the surprise, of the share of frequent words and of the lead in bits per letter. They
/// began as those of a logistic regression on pages of the development set and of the Declaration,
/// and lists of names and places that are identified as a small language.
const OF_SURPRISE: f64 = 4.0;
const OF_FREQUENT: f64 = 12.0;
const OF_LEAD: f64 = 2.7;
/// Higher shares of frequent words, and higher leads, count as these.
const MAX_FREQUENT: f64 = 0.4;
const MAX_LEAD: f64 = 3.0;
/// The lead of a language that is common, or has no common one in its script.
const NO_RIVAL: f64 = 1.2;
/// Identifies languages by the models of one or more packs.
#[derive(Debug)]
pub struct LanguageModel {
    packs: Vec<Arc<Pack>>,
    /// The candidates of each script, by its index.
    scripts: Vec<Option<Candidates>>,
    /// Identifies this model's entries in the caches of a thread.
    number: u64,
}

impl LanguageModel {
    /// Creates an identifier from packs. If several packs have a language, its models are mixed,
    /// each with the weight of the words that it was trained from, unless a later one
    /// [replaces](Language::replaces) the others.
    pub fn new(packs: Vec<Pack>) -> Self {
        Self::of(packs.into_iter().map(Arc::new).collect())
    }

    /// Like [`new`](Self::new); languages that are common on the web are preferred (`prior.rs`).
    pub fn with_prior(packs: Vec<Pack>) -> Self {
        Self::build(packs.into_iter().map(Arc::new).collect(), true)
    }

    /// Returns the packs in their order.
    pub(crate) fn packs(&self) -> &[Arc<Pack>] {
        &self.packs
    }

    /// Like [`new`](Self::new), with packs shared with other models.
    pub(crate) fn of(packs: Vec<Arc<Pack>>) -> Self {
        Self::build(packs, false)
    }

    fn build(packs: Vec<Arc<Pack>>, has_prior: bool) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut scripts: Vec<_> = (0..Script::COUNT).map(|_| None).collect();
        for script in packs.iter().flat_map(|pack| &pack.sections).map(|section| section.script) {
            scripts[script.index()]
                .get_or_insert_with(|| Candidates::new(&packs, script, has_prior));
        }
        Self { packs, scripts, number: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// Calls `each` for every word of a text in one script, with its cost in each language of that
    /// script. Words of other scripts are skipped; if no pack has the script, all are.
    fn read<'a>(
        &'a self,
        words: &WordList,
        script: Script,
        each: impl FnMut(&Listed, &'a Candidates, Costs),
    ) {
        self.read_spelled(words, script, None, each);
    }

    /// Like [`read`](Self::read), with the costs of the cheapest spelling in the chosen languages.
    fn read_spelled<'a>(
        &'a self,
        words: &WordList,
        script: Script,
        chosen: Option<&Chosen>,
        mut each: impl FnMut(&Listed, &'a Candidates, Costs),
    ) {
        let Some(candidates) = &self.scripts[script.index()] else { return };
        add_models(words.text());
        let speller = Speller::new(&self.packs, candidates);
        let key = (self.number, script);
        let memory = MEMORIES.with_borrow_mut(|memories| memories.remove(&key));
        let mut memory = memory.unwrap_or_else(|| Box::new(Memories::new(candidates.width())));
        let mut reader = Reader { speller: &speller, memory: &mut memory, chosen };
        reader.forget_others();
        words.for_each_of(|word, next| {
            reader.prefetch(next);
            if word.script == script {
                each(word, candidates, reader.costs(words, word));
            }
        });
        MEMORIES.with_borrow_mut(|memories| {
            memories.insert(key, memory);
            if memories.len() > MEMORIES_KEPT {
                memories.retain(|(number, _), _| *number == self.number);
            }
        });
    }

    /// Returns the number of letters and word ends in each script that some pack has.
    fn letters_by_script(&self, text: &str) -> Vec<(Script, u64)> {
        let mut letters: Vec<(Script, u64)> = Vec::new();
        for_each_word(text, |word| {
            match letters.iter_mut().find(|(script, _)| *script == word.script) {
                Some((_, count)) => *count += u64::from(letters_of(word.letters.len() as u16)),
                None if self.reads(word.script) => {
                    letters.push((word.script, u64::from(letters_of(word.letters.len() as u16))));
                }
                None => {}
            }
        });
        letters
    }

    /// Returns the cost per letter of a text in a language, in hundredths of a bit, for each script
    /// of the language.
    pub(crate) fn usual(&self, language: LangCode, text: &str) -> Vec<(Script, u16)> {
        let mean = |(script, letters): (Script, u64)| {
            let candidates = self.scripts[script.index()].as_ref()?;
            let known =
                candidates.languages.iter().position(|candidate| candidate.code == language)?;
            let mut total = 0;
            self.read(&WordList::unsplit(text), script, |_, _, costs| {
                let above = costs.above.get(known).copied().unwrap_or(0);
                total += u64::from(costs.bounds.least) + u64::from(above);
            });
            Some((script, (total as f64 / letters as f64 / UNITS_PER_BIT * 100.0).round() as u16))
        };
        self.letters_by_script(text).into_iter().filter_map(mean).collect()
    }

    /// Returns the costs of the words of a text in one script; `None` if there are no such words.
    fn sum(&self, words: &WordList, script: Script, chosen: Option<&Chosen>) -> Option<Sum<'_>> {
        let mut sum: Option<Sum> = None;
        self.read_spelled(words, script, chosen, |word, candidates, costs| {
            sum.get_or_insert_with(|| Sum::new(&self.packs, candidates)).add(costs, word);
        });
        sum
    }

    /// Returns the language of the words of a text in one script, and the languages of CLD2 that
    /// are about as likely: none, or several with the language among them.
    pub(crate) fn with_contenders(
        &self,
        words: &WordList,
        script: Script,
        allowed: Allowed,
    ) -> (LangCode, Others) {
        let sum = self.sum(words, script, None);
        sum.map_or((LangCode::UND, Others::default()), |sum| sum.with_others(allowed))
    }

    /// Returns the cheapest language of the words of a text in one script; `None` if there are no
    /// such words, or no language is allowed.
    pub(crate) fn judge(
        &self,
        words: &WordList,
        script: Script,
        allowed: Allowed,
    ) -> Option<Judged> {
        self.sum(words, script, None)?.judge(allowed)
    }

    /// Returns the likeliest languages of a text that have letters which may be typed as others.
    pub(crate) fn choose(
        &self,
        words: &WordList,
        script: Script,
        allowed: Allowed,
    ) -> Option<Chosen> {
        let sum = self.sum(words, script, None)?;
        Speller::new(&self.packs, sum.candidates).choose(script, sum.order(allowed).into_iter())
    }

    /// Like [`judge`](Self::judge), with the cheapest spelling of each word in chosen languages.
    pub(crate) fn judge_restored(
        &self,
        words: &WordList,
        script: Script,
        allowed: Allowed,
        chosen: &Chosen,
    ) -> Option<Judged> {
        self.sum(words, script, Some(chosen))?.judge(allowed)
    }

    /// Splits a text by the languages of its words in one script; other words belong to the word
    /// before them.
    ///
    /// The split minimises the total cost, where each change of language costs [`SWITCH`]
    /// (Viterbi's algorithm over the words). Each part has its contenders, see
    /// [`with_contenders`](Self::with_contenders).
    pub(crate) fn parts_in(&self, words: &WordList, script: Script) -> Vec<(Run, Others)> {
        let mut path: Option<(Path, Sum)> = None;
        self.read(words, script, |word, candidates, costs| {
            let (path, sum) = path
                .get_or_insert_with(|| (Path::new(candidates), Sum::new(&self.packs, candidates)));
            path.step(word, costs.above);
            sum.add(costs, word);
        });
        let mut cuts = match path {
            None => Vec::new(),
            Some((path, sum)) => match path.ends()[..] {
                [end] => vec![sum.part(end)],
                // A second reading takes less memory than the costs of every word in every
                // language.
                ref ends => self.languages_between(words, script, ends),
            },
        };
        match cuts.last_mut() {
            // Text after the last word belongs to it.
            Some((_, _, end)) => *end = words.text().len(),
            None => cuts.push((LangCode::UND, Others::default(), words.text().len())),
        }
        let mut done = 0;
        let part = |(language, contenders, end): Ended| {
            let start = std::mem::replace(&mut done, end);
            ((language, start..end), contenders)
        };
        cuts.into_iter().map(part).collect()
    }

    /// Like [`parts_in`](Self::parts_in), without contenders; neighbours differ in language.
    pub(crate) fn runs_in(&self, text: &str, script: Script) -> Vec<Run> {
        let mut runs = Vec::new();
        for ((language, range), _) in self.parts_in(&WordList::unsplit(text), script) {
            append(&mut runs, language, range);
        }
        runs
    }

    /// Returns the language of the words of a script between consecutive ends.
    fn languages_between(&self, words: &WordList, script: Script, ends: &[usize]) -> Vec<Ended> {
        let mut parts = Vec::with_capacity(ends.len());
        let mut part: Option<Sum> = None;
        self.read(words, script, |word, candidates, costs| {
            let sum = part.get_or_insert_with(|| Sum::new(&self.packs, candidates));
            sum.add(costs, word);
            if ends.get(parts.len()) == Some(&word.end) {
                parts.push(sum.part(word.end));
                part = None;
            }
        });
        parts
    }

    /// Returns how well a text fits a language, in the script in which it has most words of those in
    /// which the models have the language; `None` if it has no words in such a script with spaces
    /// between words, for which `is_read` is true.
    pub(crate) fn fit_where(
        &self,
        text: &str,
        language: LangCode,
        is_restored: bool,
        is_read: impl Fn(Script) -> bool,
    ) -> Option<Fit> {
        let has_language =
            |section: &&Section| section.languages.iter().any(|known| known.code == language);
        let sections = self.packs.iter().flat_map(|pack| &pack.sections);
        let scripts: BTreeSet<Script> = sections
            .filter(has_language)
            .map(|section| section.script)
            .filter(|script| is_read(*script) && !WITHOUT_SPACES.contains(&script.tag()))
            .collect();
        let words = WordList::unsplit(text);
        let fit = |script| self.fit_in(&words, script, language, is_restored);
        let fits = scripts.into_iter().filter_map(fit);
        fits.max_by_key(|fit| fit.words)
    }

    fn fit_in(
        &self,
        words: &WordList,
        script: Script,
        language: LangCode,
        is_restored: bool,
    ) -> Option<Fit> {
        let candidates = self.scripts[script.index()].as_ref()?;
        let is_own =
            |at: &usize| !candidates.hidden[*at] && candidates.languages[*at].code == language;
        let own: Vec<usize> = (0..candidates.languages.len()).filter(is_own).collect();
        let mut sum = Sum::new(&self.packs, candidates);
        let (mut frequent, mut all) = (0, 0);
        let chosen = if is_restored { self.choose(words, script, None) } else { None };
        self.read_spelled(words, script, chosen.as_ref(), |word, _, costs| {
            sum.add(costs, word);
            let above = own.iter().map(|&at| costs.above[at]).min().unwrap_or(0);
            if word.letters > 1 {
                all += 1;
                let cost = costs.bounds.least.saturating_add(above);
                frequent += usize::from(cost <= FUNCTION_WORD);
            }
        });
        let (least, at) = own.into_iter().map(|at| (sum.total(at), at)).min()?;
        (all > 0).then(|| Fit { words: all, frequent, ..sum.fit(at, least) })
    }

    /// Returns by how many bits per letter the words of a script are likelier in a language than in
    /// another one; `None` if the models lack one of them there, or the language has too little
    /// training text.
    pub(crate) fn lead_in(
        &self,
        words: &WordList,
        script: Script,
        language: LangCode,
        other: LangCode,
    ) -> Option<f64> {
        let candidates = self.scripts[script.index()].as_ref()?;
        let models = |code: LangCode| {
            let models = 0..candidates.languages.len();
            models
                .filter(move |&at| !candidates.hidden[at] && candidates.languages[at].code == code)
        };
        models(other).next()?;
        models(language).find(|&at| candidates.words(at) >= LITTLE)?;
        let mut sum = Sum::new(&self.packs, candidates);
        self.read(words, script, |word, _, costs| sum.add(costs, word));
        let cost = |code: LangCode| models(code).map(|at| sum.total(at)).min();
        let lead = cost(other)? as f64 - cost(language)? as f64;
        Some(lead / UNITS_PER_BIT / sum.letters.max(1) as f64)
    }

    /// Returns whether the models have a language in a script.
    pub(crate) fn knows(&self, language: LangCode, script: Script) -> bool {
        let candidates = self.scripts[script.index()].as_ref();
        candidates.is_some_and(|candidates| {
            candidates.languages.iter().any(|known| known.code == language)
        })
    }

    /// Returns whether the models have any language in a script.
    pub(crate) fn reads(&self, script: Script) -> bool {
        self.scripts[script.index()].is_some()
    }

    /// Returns a checksum of the packs: equal models have equal checksums.
    fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        self.packs.iter().for_each(|pack| hasher.update(&pack.checksum().to_le_bytes()));
        hasher.finalize()
    }
}

/// Looks up the costs of words.
struct Reader<'a, 'b> {
    speller: &'b Speller<'a>,
    memory: &'b mut Memories,
    /// The languages in whose cheapest spelling words are read.
    chosen: Option<&'b Chosen>,
}

impl Reader<'_, '_> {
    /// Forgets words in the cheapest spelling of other languages than the chosen ones.
    fn forget_others(&mut self) {
        let Some(chosen) = self.chosen else { return };
        let width = self.speller.candidates.width();
        match &mut self.memory.restored {
            Some((known, words)) if known != chosen.languages() => {
                known.clear();
                known.extend_from_slice(chosen.languages());
                words.clear();
            }
            Some(_) => {}
            none => *none = Some((chosen.languages().to_vec(), Rows::new(RESTORED, width))),
        }
    }

    /// Prefetches the costs of the next words.
    fn prefetch(&self, next: &[Listed]) {
        let words = &self.memory.words;
        if let Some(word) = next.get(FAR_AHEAD) {
            words.prefetch(word.key);
        }
        if let Some(row) = next.get(AHEAD).and_then(|word| words.peek(word.key)) {
            words.prefetch_row(row);
        }
    }

    /// Returns the costs of a word of a list.
    fn costs(&mut self, list: &WordList, word: &Listed) -> Costs<'_> {
        let key = word.key;
        let Memories { words, letters, scratch, restored, spellings } = self.memory;
        let words = match restored {
            Some((_, restored)) if self.chosen.is_some() => restored,
            _ => words,
        };
        let (row, bounds) = match words.entry(key) {
            Some(entry) => (entry.row as usize, entry.bounds),
            None => {
                let row = words.insert(key);
                let costs = words.cells_mut(row);
                let candidates = self.speller.candidates;
                list.letters(word, |word| {
                    self.speller.cost(word, key, scratch, letters, costs);
                    if let Some(chosen) = self.chosen {
                        self.speller.restore(word, chosen, spellings, letters, costs);
                    }
                });
                candidates.combine(costs);
                let library = if candidates.has_guarded {
                    least_of(costs, &candidates.not_library)
                } else {
                    0
                };
                let mut bounds = relate(costs, &candidates.no_result);
                bounds.library = library.saturating_sub(bounds.least);
                if let Some(entry) = words.entry(key) {
                    entry.bounds = bounds;
                }
                (row, bounds)
            }
        };
        Costs { above: words.cells(row), bounds }
    }
}

/// Returns the usual cost of a letter in text of a language, in bits.
fn usual_of(language: &Language) -> f64 {
    // The few lines that measured a small model may repeat the others.
    let least = if language.words < FEW { USUAL } else { 1 };
    f64::from(language.usual.max(least)) / 100.0
}

/// Returns the difference, in bits per letter, up to which two languages are about as likely.
fn close_of(one: LangCode, other: LangCode) -> f64 {
    let is_of = |pair: &[&str; 2]| {
        one != other && [one, other].iter().all(|code| pair.contains(&code.as_str()))
    };
    CLOSE_PAIRS.iter().find(|(pair, _)| is_of(pair)).map_or(CLOSE, |&(_, bits)| bits)
}

/// Returns the number of cost terms of a word of so many letters: the letters and its end.
fn letters_of(letters: u16) -> u16 {
    letters + 1
}

/// The costs of a word, in units.
#[derive(Clone, Copy)]
struct Costs<'a> {
    /// The cost in each language of the script, above the least.
    above: &'a [u16],
    bounds: Bounds,
}

/// The cheapest language of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judged {
    /// Its code; `und` if the result is not accepted.
    pub language: LangCode,
    /// Its cost without its prior, in units.
    pub cost: u64,
    /// Its cost above the usual one, in bits per letter.
    pub surprise: f64,
    /// Letters and word ends of the text.
    pub letters: u64,
    /// The additional cost of the next language, in bits; `None` if there is no other language.
    pub margin: Option<f64>,
    /// Whether only a guarded pack has the result, or it is accepted for its function words.
    pub yields: bool,
    /// The fit of the text if no word is frequent; `None` for a common language.
    pub least: Option<Fit>,
}

/// The language of a part of a text, its contenders, and the part's end.
type Ended = (LangCode, Others, usize);

/// Languages that a text may be in beside the one that was found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Others {
    /// The languages of CLD2 that are about as likely: none, or several with the language itself.
    pub contenders: Vec<LangCode>,
    /// Whether a language that only CLD2 has precedes the result (see [`Judged::yields`]).
    pub yields: bool,
    /// The result of all models of the first stage, for the far ones; `None` if others found it.
    pub judged: Option<Judged>,
}

/// A word of a short text.
struct Seen {
    key: u64,
    letters: u16,
}

/// The words of a short text that a language has in its tables: a bit for each word.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    known: u64,
    /// Those that are function words.
    frequent: u64,
}

impl Found {
    fn add(&mut self, number: usize, cost: u8) {
        self.known |= 1 << number;
        self.frequent |= u64::from(is_function_word(cost)) << number;
    }
}

/// Most words of a text that are looked up again.
const MAX_SEEN: usize = u64::BITS as usize;

// Every word has a letter and an end.
const _: () = assert!(prior::LONG as usize / 2 <= MAX_SEEN);

/// The cost of a text, or of a part of it, in each language of a script.
struct Sum<'a> {
    packs: &'a [Arc<Pack>],
    candidates: &'a Candidates,
    /// The words of a text that is short, with a prior (see [`demand`](Self::demand)), or the first
    /// words of one that is compared with guarded packs (see [`guard`](Self::guard)).
    words: Vec<Seen>,
    /// The least costs of all words.
    least: u64,
    /// The further costs of each language.
    above: Vec<u64>,
    /// Costs not yet added to `above`, in a type of which the processor adds several at a time.
    recent: Vec<u16>,
    /// The letters of the words that each language wins, and those not yet added.
    wins: Vec<u64>,
    recent_wins: Vec<u16>,
    /// The highest number that `recent` may have, and that `recent_wins` may have.
    most: u16,
    most_wins: u16,
    letters: u64,
}

impl<'a> Sum<'a> {
    fn new(packs: &'a [Arc<Pack>], candidates: &'a Candidates) -> Self {
        let width = candidates.width();
        Self {
            packs,
            candidates,
            words: Vec::new(),
            least: 0,
            above: vec![0; width],
            recent: vec![0; width],
            wins: vec![0; width],
            recent_wins: vec![0; width],
            most: 0,
            most_wins: 0,
            letters: 0,
        }
    }

    fn add(&mut self, costs: Costs, word: &Listed) {
        let letters = letters_of(word.letters);
        if self.is_short() || self.candidates.has_guarded && self.words.len() < MAX_SEEN {
            self.words.push(Seen { key: word.key, letters: word.letters });
        }
        match (self.most.checked_add(costs.bounds.most), self.most_wins.checked_add(letters)) {
            (Some(most), Some(most_wins)) => (self.most, self.most_wins) = (most, most_wins),
            _ => {
                move_to(&mut self.above, &mut self.recent);
                move_to(&mut self.wins, &mut self.recent_wins);
                (self.most, self.most_wins) = (costs.bounds.most, letters);
            }
        }
        self.least += u64::from(costs.bounds.least);
        self.letters += u64::from(letters);
        let (recent, wins) = (&mut self.recent, &mut self.recent_wins);
        match costs.bounds.library {
            0 => add(recent, wins, costs.above, NEAR, letters),
            further => {
                let of_library = &self.candidates.of_library;
                add_beside(recent, wins, costs.above, NEAR, letters, further, of_library);
            }
        }
    }

    /// Returns the result for a part of a text that ends there.
    fn part(&self, end: usize) -> Ended {
        let (language, others) = self.with_others(None);
        (language, others, end)
    }

    /// Returns the result and what else it may be.
    fn with_others(&self, allowed: Allowed) -> (LangCode, Others) {
        let Some(judged) = self.judge(allowed) else { return (LangCode::UND, Others::default()) };
        let contenders = self.contenders(judged.language);
        (judged.language, Others { contenders, yields: judged.yields, judged: Some(judged) })
    }

    /// Returns whether the text so far is short enough for [`demand`](Self::demand).
    fn is_short(&self) -> bool {
        self.candidates.unknown > 0 && self.letters < prior::LONG
    }

    /// Returns the cost of each language with its prior, in units. In short text, a rare language
    /// that is likelier than every common one must meet its demand too.
    fn totals(&self, allowed: Allowed) -> Vec<u64> {
        let Candidates { languages, prior, hidden, guarded, .. } = self.candidates;
        let above = self.above.iter().zip(&self.recent).zip(prior);
        let total = |((above, &recent), &prior): ((&u64, &u16), &u16)| {
            self.least + above + u64::from(recent) + u64::from(prior)
        };
        let mut totals: Vec<u64> = above.map(total).collect();
        if !self.is_short() {
            return totals;
        }
        let is_rival = |at: &usize| {
            let code = languages[*at].code;
            !hidden[*at] && allowed.is_none_or(|allowed| allowed.contains(&code))
        };
        let rivals = || (0..totals.len()).filter(is_rival);
        let is_rare = |at: &usize| prior::is_rare(prior[*at]);
        // Guarded packs change no result among the library's languages.
        let is_common = |at: &usize| !is_rare(at) && !guarded[*at];
        let common = rivals().filter(is_common).min_by_key(|&at| totals[at]);
        let most = common.map_or(u64::MAX, |at| totals[at]);
        let ahead: Vec<usize> = rivals().filter(|&at| is_rare(&at) && totals[at] < most).collect();
        if !ahead.is_empty() {
            let found = self.found();
            let of_common = common.map_or(Found::default(), |at| found[at]);
            ahead.into_iter().for_each(|at| totals[at] += self.demand(found[at], of_common, at));
        }
        totals
    }

    /// Returns the words of a short text that each language has.
    fn found(&self) -> Vec<Found> {
        let Candidates { languages, tables, parts, .. } = self.candidates;
        let mut found = vec![Found::default(); languages.len()];
        for (number, word) in self.words.iter().enumerate() {
            for &(pack, section, first) in tables {
                let pack = &self.packs[pack];
                let Some(table) = pack.table(&pack.sections[section]) else { continue };
                let place = table.find(word.key);
                if place == NOWHERE {
                    continue;
                }
                table.list(place).for_each(|[language, cost]| {
                    let at = first + usize::from(language);
                    if let Some(found) = found.get_mut(at).filter(|_| cost != ABSENT) {
                        found.add(number, cost);
                    }
                });
            }
        }
        // In the order of the parts, as in `combine`.
        for part in parts {
            let Found { known, frequent } = found[part.at];
            found[part.head].known |= known;
            found[part.head].frequent |= frequent;
        }
        found
    }

    /// Returns by how much a rare language that has these words must be likelier than a common one
    /// that has others, in units.
    fn demand(&self, found: Found, common: Found, at: usize) -> u64 {
        let sum = |is_known: &dyn Fn(usize) -> bool| -> u32 {
            let known = self.words.iter().enumerate().filter(|&(number, _)| is_known(number));
            known.map(|(_, word)| u32::from(word.letters)).sum()
        };
        let letters = sum(&|_| true).max(1);
        prior::demand(&Evidence {
            words: self.words.len() as u32,
            function_words: found.frequent.count_ones(),
            own: (found.frequent & !common.frequent).count_ones(),
            of_common: (common.frequent & !found.frequent).count_ones(),
            known: f64::from(sum(&|number| found.known >> number & 1 == 1)) / f64::from(letters),
            trained: self.candidates.languages[at].words,
        })
    }

    /// Returns the languages of CLD2 that are about as likely as a result: their costs are at most
    /// [`close_of`] or [`CLOSE_OF_LITTLE`] above its cost. Empty if CLD2 lacks the result or has no
    /// other of them.
    fn contenders(&self, language: LangCode) -> Vec<LangCode> {
        let Candidates { languages, is_asked, is_common, .. } = self.candidates;
        let totals = self.totals(None);
        let asked = || (0..languages.len()).filter(|&at| is_asked[at]);
        let Some(own) = asked().find(|&at| languages[at].code == language) else {
            return Vec::new();
        };
        let has_little = |at: usize| !is_common[at] && self.candidates.words(at) < LITTLE;
        let bits = |above: f64| (above * UNITS_PER_BIT * self.letters as f64) as u64;
        let is_close = |&at: &usize| {
            let above = totals[at].saturating_sub(totals[own]);
            above <= bits(close_of(language, languages[at].code))
                || above <= bits(CLOSE_OF_LITTLE) && (has_little(own) || has_little(at))
        };
        // Almost always there is only the language itself, and nothing is allocated.
        if asked().filter(is_close).nth(1).is_none() {
            return Vec::new();
        }
        asked().filter(is_close).map(|at| languages[at].code).collect()
    }

    /// Returns the result with its cost; `None` if no language is allowed.
    ///
    /// The result of the library's models stands unless a language of a guarded pack is likelier by
    /// a margin (`guard.rs`).
    fn judge(&self, allowed: Allowed) -> Option<Judged> {
        let Candidates { languages, guarded, has_guarded, .. } = self.candidates;
        let totals = self.totals(allowed);
        if !has_guarded {
            return self.judge_among(&totals, allowed, |_| true).map(|(judged, _)| judged);
        }
        let library = self.judge_among(&totals, allowed, |at| !guarded[at]);
        let all = self.judge_among(&totals, allowed, |_| true);
        let Some((judged, at)) =
            all.filter(|(judged, at)| guarded[*at] && judged.language != LangCode::UND)
        else {
            return library.map(|(judged, _)| judged);
        };
        let Some((first, known)) = library else { return Some(judged) };
        if languages[known].code != languages[at].code
            && totals[known].saturating_sub(totals[at])
                < self.guard(at, known, first.language != LangCode::UND)
        {
            return Some(first);
        }
        let yields = judged.yields || first.language == LangCode::UND;
        Some(Judged { yields, ..judged })
    }

    /// Returns by how much a language of a guarded pack must be likelier than one of the library,
    /// in units.
    fn guard(&self, at: usize, known: usize, is_known: bool) -> u64 {
        let found = self.found();
        guard::units(&Rivals {
            letters: self.letters,
            own: (found[at].frequent & !found[known].frequent).count_ones(),
            of_library: (found[known].frequent & !found[at].frequent).count_ones(),
            is_known,
        })
    }

    /// Returns the result among some of the languages, and its index.
    fn judge_among(
        &self,
        totals: &[u64],
        allowed: Allowed,
        is_one: impl Fn(usize) -> bool,
    ) -> Option<(Judged, usize)> {
        let languages = &self.candidates.languages;
        let is_allowed = |code: LangCode| allowed.is_none_or(|allowed| allowed.contains(&code));
        let (mut best, mut second): (Option<(u64, usize)>, u64) = (None, u64::MAX);
        for (at, &total) in totals.iter().enumerate() {
            let code = languages[at].code;
            if self.candidates.hidden[at] || !is_one(at) || !is_allowed(code) {
                continue;
            }
            match best {
                // A language may be there with the library's models alone too.
                Some((least, other)) if languages[other].code == code => {
                    best = Some((least, other).min((total, at)));
                }
                Some((least, _)) if total >= least => second = second.min(total),
                _ => {
                    second = best.map_or(u64::MAX, |(least, _)| least);
                    best = Some((total, at));
                }
            }
        }
        let (least, at) = best?;
        let cost = self.total(at);
        // A single candidate has no competitor.
        let margin = (second != u64::MAX).then(|| second - least);
        let (stands, is_familiar) = margin.map_or((true, false), |margin| {
            let room = self.room(at, cost, least - cost, margin);
            let is_familiar = room < 0.0 && room + self.familiar(at, margin) >= 0.0;
            (room >= 0.0 || is_familiar, is_familiar)
        });
        let judged = Judged {
            language: if stands { languages[at].code } else { LangCode::UND },
            cost,
            margin: margin.map(|units| units as f64 / UNITS_PER_BIT),
            surprise: cost as f64 / UNITS_PER_BIT / self.letters as f64
                - f64::from(languages[at].usual) / 100.0,
            letters: self.letters,
            yields: is_familiar,
            least: (!self.candidates.is_common[at]).then(|| self.fit(at, cost)),
        };
        Some((judged, at))
    }

    /// Returns the indexes of the languages, the likeliest first.
    fn order(&self, allowed: Allowed) -> Vec<usize> {
        let is_allowed = |&at: &usize| {
            let code = self.candidates.languages[at].code;
            !self.candidates.hidden[at] && allowed.is_none_or(|allowed| allowed.contains(&code))
        };
        let mut order: Vec<usize> =
            (0..self.candidates.languages.len()).filter(is_allowed).collect();
        order.sort_by_cached_key(|&at| self.total(at));
        order
    }

    /// Returns the cost of a language without its prior, in units.
    fn total(&self, at: usize) -> u64 {
        self.least + self.above[at] + u64::from(self.recent[at])
    }

    /// Returns the fit of the text to a language of this cost, if no word is frequent in it.
    fn fit(&self, at: usize, cost: u64) -> Fit {
        let common = &self.candidates.is_common;
        let is_rival = |other: &usize| common[*other] && !common[at];
        let rival = (0..common.len()).filter(is_rival).map(|at| self.total(at)).min();
        let bits = |units: f64| units / UNITS_PER_BIT / self.letters.max(1) as f64;
        Fit {
            words: 1,
            frequent: 0,
            lead: rival.map(|rival| bits(rival as f64 - cost as f64)),
            is_common: common[at],
            surprise: bits(cost as f64) / usual_of(&self.candidates.languages[at]),
        }
    }

    /// Returns how far the surprise of the cheapest language is below its limit. The language is
    /// accepted from 0 on: it is then likelier than a language that no model has. `cost` is its
    /// cost without its `prior`, `margin` the additional cost of the next language, all in units.
    fn room(&self, at: usize, cost: u64, prior: u64, margin: u64) -> f64 {
        let language = &self.candidates.languages[at];
        let usual = usual_of(language);
        let letters = self.letters as f64;
        let share = |units: u64| units as f64 / UNITS_PER_BIT / letters / usual;
        let unknown = prior::unknown_of_length(self.candidates.unknown, self.letters);
        let lead = unknown.saturating_sub(prior);
        let surprise = share(cost) - 1.0;
        let won = (self.wins[at] + u64::from(self.recent_wins[at])) as f64 / letters;
        let halvings = (f64::from(AMPLE) / f64::from(language.words.clamp(FEW, AMPLE))).log2();
        let limit =
            SURPRISE + TRUST * share(margin) + CONSENT * won + SCARCE * halvings + share(lead);
        limit - surprise
    }

    /// Returns the additional surprise of a line, without a target, for the function words of its
    /// language. Names make a headline as surprising as text of an unknown language, but such text
    /// has hardly any function words of one language alone.
    fn familiar(&self, at: usize, margin: u64) -> f64 {
        let margin = margin as f64
            / UNITS_PER_BIT
            / self.letters as f64
            / usual_of(&self.candidates.languages[at]);
        let (least_words, least_margin) =
            if self.candidates.is_common[at] { (1, 0.1) } else { (2, 0.15) };
        if self.candidates.unknown == 0 || self.letters >= LINE || margin < least_margin {
            return 0.0;
        }
        let frequent = self.found()[at].frequent;
        let is_frequent =
            |&(number, word): &(usize, &Seen)| word.letters > 1 && frequent >> number & 1 == 1;
        match self.words.iter().enumerate().filter(is_frequent).count() {
            few if few < least_words => 0.0,
            words => FAMILIAR * words.min(MAX_FAMILIAR) as f64 * margin.min(MAX_MARGIN),
        }
    }
}

impl Identify for LanguageModel {
    /// Returns the language of the script with most letters.
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode {
        let letters = self.letters_by_script(text);
        let most = letters
            .into_iter()
            .max_by_key(|&(script, letters)| (letters, std::cmp::Reverse(script)));
        let script = most.map_or(Script::NONE, |(script, _)| script);
        self.with_contenders(&WordList::unsplit(text), script, allowed).0
    }

    /// For a text in several scripts, returns the runs of the script with most letters.
    fn runs(&self, text: &str) -> Vec<Run> {
        let mut letters: FxHashMap<Script, usize> = FxHashMap::default();
        for_each_word(text, |word| *letters.entry(word.script).or_default() += word.letters.len());
        let most =
            letters.into_iter().max_by_key(|&(script, count)| (count, std::cmp::Reverse(script)));
        self.runs_in(text, most.map_or(Script::NONE, |(script, _)| script))
    }

    fn languages(&self) -> Vec<LangCode> {
        let known = self.scripts.iter().flatten().flat_map(|candidates| &candidates.languages);
        known.map(|language| language.code).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn fit(&self, text: &str, language: LangCode) -> Option<Fit> {
        self.fit_where(text, language, false, |_| true)
    }

    fn frequent_words(&self, text: &str, language: LangCode) -> Option<(usize, usize)> {
        crate::stop::frequent_words(&self.packs, text, language)
    }

    fn version(&self) -> String {
        format!("lm/{VERSION}-{:08x}", self.checksum())
    }
}

/// Version of the computation with the tables.
const VERSION: u32 = 15;

/// The cheapest path through the words of one script, for each language at its end. The memory per
/// word is at most one [`Cut`], whatever the number of languages.
struct Path {
    /// Cost so far, relative to the cheapest language before the last word: at most [`SWITCH`], a
    /// prior and a word.
    costs: Vec<u16>,
    /// The least of them.
    least: u16,
    /// Cost of a change to each language.
    changes: Vec<u16>,
    /// For each language the last cut on its path, or [`NO_CUT`].
    last: Vec<u32>,
    cuts: Vec<Cut>,
    /// End of the last word.
    end: usize,
}

/// The predecessor of the first cut.
const NO_CUT: u32 = u32::MAX;

/// A position at which a change from the cheapest language was cheaper for some language.
struct Cut {
    /// Byte position in the text.
    end: usize,
    /// The previous cut on the path of the cheapest language.
    before: u32,
}

/// Prior of an index that is no result. It is above all costs of a path, and cannot overflow with
/// the cost of a word.
const NEVER: u16 = 1 << 15;

impl Path {
    fn new(candidates: &Candidates) -> Self {
        let prior = candidates.prior.iter().enumerate().map(|(at, prior)| {
            match (candidates.hidden[at], candidates.guarded[at]) {
                (true, _) => NEVER,
                (false, is_guarded) => prior + if is_guarded { guard::MIN_MARGIN } else { 0 },
            }
        });
        let costs = row(prior, NEVER);
        Self {
            changes: costs.iter().map(|prior| prior + SWITCH).collect(),
            last: vec![NO_CUT; costs.len()],
            least: costs.iter().copied().min().unwrap_or(0),
            costs,
            cuts: Vec::new(),
            end: 0,
        }
    }

    /// Adds a word, with the cost of each language above the least.
    fn step(&mut self, word: &Listed, above: &[u16]) {
        let here = self.cuts.len() as u32;
        let before = self.before();
        let (is_cut, least) =
            advance(&mut self.costs, &mut self.last, above, &self.changes, self.least, here);
        self.least = least;
        if is_cut {
            self.cuts.push(Cut { end: self.end, before });
        }
        self.end = word.end;
    }

    /// Returns the last cut on the cheapest path, the first of equals.
    fn before(&self) -> u32 {
        self.last.get(position(&self.costs, self.least)).copied().unwrap_or(NO_CUT)
    }

    /// Returns the byte positions of the cuts, in order, and the end of the last word.
    fn ends(self) -> Vec<usize> {
        let mut ends = vec![self.end];
        let mut last = Some(self.before());
        while let Some(cut) = last.and_then(|at| self.cuts.get(at as usize)) {
            ends.push(cut.end);
            last = Some(cut.before);
        }
        ends.reverse();
        ends
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Returns the costs of a text's words, with caches of this size in bytes.
    fn costs(model: &LanguageModel, text: &str, bytes: usize) -> Vec<Vec<u16>> {
        let mut found = Vec::new();
        let mut scratch = Scratch::default();
        for_each_word(text, |word| {
            let candidates = model.scripts[word.script.index()].as_ref().unwrap();
            let width = candidates.width();
            let mut memory = LetterMemory::new(bytes, bytes, width);
            let speller = Speller::new(&model.packs, candidates);
            let mut costs = vec![0; width];
            speller.cost(
                word.letters,
                word_key(word.letters),
                &mut scratch,
                &mut memory,
                &mut costs,
            );
            found.push(costs);
        });
        found
    }

    #[test]
    fn what_is_remembered_changes_no_cost() {
        let model = LanguageModel::new(Pack::shipped().into());
        let text = "Bananas aren't qwxzqwxz, \u{131}i\u{307}ſ ананас مشاعرہ شششش नदी ρποτάμι x";
        let once = costs(&model, text, 1);
        assert_eq!(once, costs(&model, text, 1 << 20));
        assert!(once.iter().all(|costs| costs.iter().any(|&cost| cost > 0)), "{once:?}");
        assert_eq!(once.len(), 10);
    }
}
