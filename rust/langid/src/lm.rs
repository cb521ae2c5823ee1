//! Identification by language models: for each language, how surprising is this text?
//!
//! A language's model says with what probability it writes a word: by the word's own frequency where it is in the table, and
//! by its characters, each given the three before it, where it is not (trained in `train.rs`; Witten-Bell interpolation all
//! the way down). Costs are -log2 of probabilities. The language in which a text costs least is the answer; because every
//! language pays for every word, a word that one language has and its relatives lack decides between them, and letters that a
//! language never puts in that order speak against it.
//!
//! Text of a language that no model knows costs least in some relative, and must not be taken for it. Two things give it
//! away: it is *surprising* there, a letter costs more than it usually does in that language; and the relative is hardly
//! better than the next one, its *margin* is small. An answer stands if surprise is at most [`SURPRISE`] plus [`TRUST`] times the
//! margin, all in bits a letter. Both numbers were chosen with models of 225 languages from which twenty were withheld, most of
//! them with a close relative among the others. Macro-F1 over the languages that were left, without and with the test: 92.2
//! and 95.1 on sentences of the domain that the models were trained from, 88.9 and 91.2 on their first four words. On text of
//! other domains in which hardly a language is unknown it costs up to 2 points; a test on surprise alone would cost more.

use crate::identify::{append, Run};
use crate::pack::{Language, Pack};
use crate::table::{self, List, Place, Table, ABSENT, NOWHERE};
use crate::words::{for_each_word, Script, Word};
use crate::work::add_models;
use crate::{Allowed, Identify, LangCode};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Costs are counted in this part of a bit.
pub(crate) const UNITS_PER_BIT: f64 = 12.0;
/// A word's cost in the table is in this many units.
pub(crate) const WORD_STEP: u16 = 2;
/// A letter that a language has never seen, in units (21 bits).
pub(crate) const UNSEEN_LETTER: u8 = 255;
/// Longest n-gram, in characters.
pub(crate) const ORDER: usize = 4;
/// Cost of each order that a language must give up because it has not seen the n-gram though it has seen what comes before,
/// in units. Stands in for Witten-Bell's back-off weight, which would need a number for every n-gram.
pub(crate) const BACK_OFF: u16 = 10;
/// Most languages of one script, over all packs; those of later packs are left out.
pub(crate) const MAX_CANDIDATES: usize = 512;
/// Stands before the first letter of a word and behind its last.
pub(crate) const EDGE: char = ' ';

/// The key of a word, or of an n-gram, in a table.
#[inline]
pub(crate) fn word_key(letters: &[char]) -> u64 {
    table::hash(0x57, letters)
}

/// The key of an n-gram, the last letter first.
#[inline]
pub(crate) fn gram_key(letters: &[char]) -> u64 {
    let hash = letters.iter().rev().fold(letters.len() as u64, |hash, &letter| table::step(hash, letter));
    table::finish(hash)
}

/// The languages of one script, over all packs.
#[derive(Debug)]
struct Candidates {
    languages: Vec<Language>,
    /// Pack, section and the index of the section's first language in `languages`.
    tables: Vec<(usize, usize, usize)>,
    /// Whether a later pack has the same language, by index.
    replaced: Vec<bool>,
}

impl Candidates {
    /// The languages that the packs know in a script. Of a language that is in several packs the last pack's model is used.
    fn new(packs: &[Arc<Pack>], script: Script) -> Self {
        let mut candidates = Self { languages: Vec::new(), tables: Vec::new(), replaced: Vec::new() };
        for (pack, sections) in packs.iter().map(|pack| &pack.sections).enumerate() {
            for (index, section) in sections.iter().enumerate().filter(|(_, section)| section.script == script) {
                candidates.tables.push((pack, index, candidates.languages.len()));
                candidates.languages.extend(&section.languages);
            }
            candidates.languages.truncate(MAX_CANDIDATES);
        }
        let languages = &candidates.languages;
        let later = |at: usize| languages[at + 1..].iter().any(|other| other.code == languages[at].code);
        candidates.replaced = (0..languages.len()).map(later).collect();
        candidates
    }

    fn is_replaced(&self, at: usize) -> bool {
        self.replaced[at]
    }
}

/// Reads words of one script.
struct Speller<'a> {
    languages: &'a [Language],
    /// Tables and the index of their first language.
    tables: Vec<(Table<'a>, usize)>,
}

/// Room for the work on one word.
#[derive(Default)]
struct Scratch {
    /// The word with its edges.
    padded: Vec<char>,
    /// Of each of its letters the key of the longest n-gram that ends there.
    keys: Vec<u64>,
    /// Of each of its letters that is not remembered, where it stands and the keys of the longer n-grams that end there.
    new: Vec<(usize, [u64; LONGER])>,
    /// For each of them and each table, where these n-grams are.
    places: Vec<[Place; LONGER]>,
    /// Of each language the characters of the n-gram that gave the cost of the letter before, 0 for none.
    before: Vec<u16>,
}

/// Lengths of n-grams above two characters.
const LONGER: usize = ORDER - 2;

/// Cost of a letter in a language and, in the upper byte, the characters of the n-gram that gave it.
#[inline]
fn cell(cost: u8, order: u8) -> u16 {
    u16::from_le_bytes([cost, order])
}

impl<'a> Speller<'a> {
    fn new(packs: &'a [Arc<Pack>], candidates: &'a Candidates) -> Self {
        let tables = candidates.tables.iter().filter_map(|&(pack, section, first)| {
            let pack = packs.get(pack)?;
            Some((pack.table(pack.sections.get(section)?)?, first))
        });
        Self { languages: &candidates.languages, tables: tables.collect() }
    }

    /// Writes into `costs` what a word costs in each language. `memory` remembers the letters of other words.
    fn cost(&self, word: &Word, key: u64, scratch: &mut Scratch, memory: &mut LetterMemory, costs: &mut [u16]) {
        let Scratch { padded, keys, new, places, before } = scratch;
        let LetterMemory { letters, pairs } = memory;
        padded.clear();
        padded.push(EDGE);
        padded.extend_from_slice(word.letters);
        padded.push(EDGE);
        before.clear();
        before.resize(costs.len(), 1);
        costs.fill(0);
        let gram = |end: usize| &padded[(end + 1).saturating_sub(ORDER)..=end];
        keys.clear();
        keys.extend((1..padded.len()).map(|end| gram_key(gram(end))));
        // Memory is asked for all letters before one is read, and nothing is decided until it answers: waits then overlap.
        let mut touched = keys.iter().fold(0, |touched, &key| touched ^ letters.touch(key));
        new.clear();
        for (end, _) in (1..).zip(keys.iter()).filter(|(_, key)| !letters.has(**key)) {
            let longer = longer_keys(gram(end));
            for (table, _) in &self.tables {
                touched = longer.iter().fold(touched, |touched, &key| touched ^ u16::from(table.touch(key)));
            }
            new.push((end, longer));
        }
        places.clear();
        for (end, longer) in &*new {
            touched ^= self.find(longer, gram(*end).len(), places);
        }
        std::hint::black_box(touched);
        let mut found = new.iter().map(|(end, _)| *end).zip((0..).step_by(self.tables.len().max(1))).peekable();
        for (end, &key) in (1..).zip(keys.iter()) {
            let ready = found.next_if(|(new, _)| *new == end);
            let letter = letters.get(key, |letter| {
                let gram = gram(end);
                // Another letter of the word may have taken its place in the memory.
                let first = ready.map_or(places.len(), |(_, first)| first);
                if ready.is_none() {
                    self.find(&longer_keys(gram), gram.len(), places);
                }
                let pair = &gram[gram.len() - 2..];
                letter.copy_from_slice(pairs.get(gram_key(pair), |letter| self.pair(pair, letter)));
                self.lengthen(&places[first..], letter);
            });
            for ((cost, &letter), before) in costs.iter_mut().zip(letter).zip(before.iter_mut()) {
                let order = letter >> 8;
                let given_up = (*before + 1).min(ORDER as u16).saturating_sub(order);
                *cost += (letter & 0xff) + given_up * BACK_OFF;
                *before = order;
            }
        }
        for (cost, language) in costs.iter_mut().zip(self.languages) {
            *cost += u16::from(language.unknown_word) * WORD_STEP;
        }
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

    /// Writes into `letter` the [`cell`]s of the second of two characters: in each language from both, or from itself alone.
    fn pair(&self, pair: &[char], letter: &mut [u16]) {
        letter.fill(cell(UNSEEN_LETTER, 0));
        for (table, first) in &self.tables {
            let places = [table.find(gram_key(&pair[1..])), table.find(gram_key(pair))];
            for (place, length) in places.into_iter().zip(1..).filter(|(place, _)| *place != NOWHERE) {
                overwrite(table.list(place), *first, length, letter);
            }
        }
    }

    /// Appends for each table where the n-grams of more than two of `length` characters are, and reads from their lists, so that
    /// these are at hand when they are wanted.
    #[inline]
    fn find(&self, longer: &[u64; LONGER], length: usize, places: &mut Vec<[Place; LONGER]>) -> u16 {
        let mut touched = 0;
        for (table, _) in &self.tables {
            let mut found = [NOWHERE; LONGER];
            for (place, &key) in found.iter_mut().zip(longer).take(length - 2) {
                *place = table.find(key);
                touched ^= u16::from(table.touch_list(*place));
            }
            places.push(found);
        }
        touched
    }

    /// Overwrites the [`cell`]s that [`pair`](Self::pair) wrote in the languages that know a longer end of the n-gram.
    fn lengthen(&self, places: &[[Place; LONGER]], letter: &mut [u16]) {
        for ((table, first), places) in self.tables.iter().zip(places) {
            for (&place, length) in places.iter().zip(3..).filter(|(place, _)| **place != NOWHERE) {
                overwrite(table.list(place), *first, length, letter);
            }
        }
    }
}

/// The keys of the ends of an n-gram that have more than two characters, the shortest first; others are zero.
#[inline]
fn longer_keys(gram: &[char]) -> [u64; LONGER] {
    let mut keys = [0; LONGER];
    for (key, length) in keys.iter_mut().zip(3..=gram.len()) {
        *key = gram_key(&gram[gram.len() - length..]);
    }
    keys
}

/// Takes over the costs of the languages that have an n-gram of this length.
#[inline]
fn overwrite(list: List, first: usize, length: u8, letter: &mut [u16]) {
    match list {
        List::Row(row) => {
            // A choice instead of a branch, for several languages at a time.
            for (letter, &cost) in letter.iter_mut().skip(first).zip(row) {
                *letter = if cost == ABSENT { *letter } else { cell(cost, length) };
            }
        }
        few => few.for_each(|[language, cost]| {
            if let Some(letter) = letter.get_mut(first + usize::from(language)) {
                *letter = cell(cost, length);
            }
        }),
    }
}

/// What a thread has spelled last of one script. Running text repeats its words, and new words repeat the letters of others, so
/// that most of both are looked up here and not in the tables.
struct Memories {
    /// Of words what they cost in each language.
    words: Memory,
    letters: LetterMemory,
}

/// What a thread has spelled last of the letters of one script.
struct LetterMemory {
    /// Of n-grams the [`cell`]s of their last letters.
    letters: Memory,
    /// The same for two characters: most n-grams that are new end in such as were met.
    pairs: Memory,
}

impl Memories {
    fn new(languages: usize) -> Self {
        let letters = LetterMemory { letters: Memory::new(LETTERS, languages), pairs: Memory::new(PAIRS, languages) };
        Self { words: Memory::new(WORDS, languages), letters }
    }
}

/// Bytes that a thread keeps of a script's words, about.
const WORDS: usize = 8 << 20;
/// Bytes that a thread keeps of a script's letters, about.
const LETTERS: usize = 4 << 20;
/// Bytes that a thread keeps of a script's pairs of letters, about.
const PAIRS: usize = 1 << 20;

/// A table with a number for each language, of the keys that were asked for last.
struct Memory {
    /// Of each slot the key, in four numbers, and then the numbers of the languages: beside one another, because memory is
    /// what there is to wait for.
    slots: Vec<u16>,
    count: usize,
    width: usize,
}

/// Numbers of a key.
const KEY: usize = 4;

/// Keys that are kept at most: those of few languages are spelled quickly, and they are many scripts.
const MOST_SLOTS: usize = 1 << 16;

/// Scripts that a thread keeps the memories of, over all models; beyond that, those of the other models are dropped, which
/// may be gone.
const MEMORIES_KEPT: usize = 64;

impl Memory {
    fn new(bytes: usize, languages: usize) -> Self {
        let width = KEY + languages;
        let count = (bytes / (2 * width)).clamp(1, MOST_SLOTS);
        Self { slots: vec![0; count * width], count, width }
    }

    /// Where the slot of a key begins.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        (((key >> 32) * self.count as u64) >> 32) as usize * self.width
    }

    /// Reads from a key's slot, so that it is at hand when it is wanted.
    #[inline]
    fn touch(&self, key: u64) -> u16 {
        self.slots[self.slot(key)]
    }

    /// Whether the numbers of a key are here.
    #[inline]
    fn has(&self, key: u64) -> bool {
        self.slots[self.slot(key)..].starts_with(&parts(key))
    }

    /// The numbers of a key, made by `make` if they are not here.
    #[inline]
    fn get(&mut self, key: u64, make: impl FnOnce(&mut [u16])) -> &[u16] {
        let slot = self.slot(key);
        let (here, numbers) = self.slots[slot..slot + self.width].split_at_mut(KEY);
        let key = parts(key);
        if here != key {
            here.copy_from_slice(&key);
            make(numbers);
        }
        numbers
    }
}

/// A key as numbers of a [`Memory`].
#[inline]
fn parts(key: u64) -> [u16; KEY] {
    [key as u16, (key >> 16) as u16, (key >> 32) as u16, (key >> 48) as u16]
}

thread_local! {
    /// The memories of a thread: by model, then by script.
    static MEMORIES: RefCell<FxHashMap<(u64, Script), Memories>> = RefCell::default();
}

/// Most surprise of an answer without a margin, in bits a letter.
const SURPRISE: f64 = 1.0;
/// What each bit of margin allows in surprise.
const TRUST: f64 = 1.5;
/// What it costs to go on in another language in the middle of a text, in units: 40 bits, the evidence of some three words.
const SWITCH: u16 = 480;

/// Identifies by the models of one or more packs.
#[derive(Debug)]
pub struct LanguageModel {
    packs: Vec<Arc<Pack>>,
    /// The candidates of each script, by its index.
    scripts: Vec<Option<Candidates>>,
    /// Tells this model's words from another's in the memory of a thread.
    number: u64,
}

impl LanguageModel {
    /// An identifier over packs. Of a language that is in several packs the last pack's model is used.
    pub fn new(packs: Vec<Pack>) -> Self {
        Self::of(packs.into_iter().map(Arc::new).collect())
    }

    /// The packs, the last one's models first in rank.
    pub(crate) fn packs(&self) -> &[Arc<Pack>] {
        &self.packs
    }

    /// [`new`](Self::new) over packs that other models use too.
    pub(crate) fn of(packs: Vec<Arc<Pack>>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut scripts: Vec<_> = (0..Script::COUNT).map(|_| None).collect();
        for script in packs.iter().flat_map(|pack| &pack.sections).map(|section| section.script) {
            scripts[script.index()].get_or_insert_with(|| Candidates::new(&packs, script));
        }
        Self { packs, scripts, number: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// Calls `each` for every word of a text in one script, with the word's cost in each language of that script. Words of other
    /// scripts are passed over, and all are if no pack knows the script.
    fn read<'a>(&'a self, text: &str, script: Script, mut each: impl FnMut(&Word, &'a Candidates, &[u16])) {
        let Some(candidates) = &self.scripts[script.index()] else { return };
        add_models(text);
        let speller = Speller::new(&self.packs, candidates);
        let mut scratch = Scratch::default();
        let key = (self.number, script);
        let memory = MEMORIES.with_borrow_mut(|memories| memories.remove(&key));
        let mut memory = memory.unwrap_or_else(|| Memories::new(candidates.languages.len()));
        let Memories { words, letters } = &mut memory;
        for_each_word(text, |word| {
            if word.script == script {
                let key = word_key(word.letters);
                let costs = words.get(key, |costs| speller.cost(&word, key, &mut scratch, letters, costs));
                each(&word, candidates, costs);
            }
        });
        MEMORIES.with_borrow_mut(|memories| {
            memories.insert(key, memory);
            if memories.len() > MEMORIES_KEPT {
                memories.retain(|(number, _), _| *number == self.number);
            }
        });
    }

    /// What is paid for of a text, in each script that some pack knows.
    fn letters_by_script(&self, text: &str) -> Vec<(Script, u64)> {
        let mut letters: Vec<(Script, u64)> = Vec::new();
        for_each_word(text, |word| match letters.iter_mut().find(|(script, _)| *script == word.script) {
            Some((_, count)) => *count += letters_of(&word),
            None if self.reads(word.script) => letters.push((word.script, letters_of(&word))),
            None => {}
        });
        letters
    }

    /// What a letter of a text costs in a language, in hundredths of a bit, for each script that the language is known in.
    pub(crate) fn usual(&self, language: LangCode, text: &str) -> Vec<(Script, u16)> {
        let mean = |(script, letters): (Script, u64)| {
            let candidates = self.scripts[script.index()].as_ref()?;
            let known = candidates.languages.iter().position(|candidate| candidate.code == language)?;
            let mut total = 0;
            self.read(text, script, |_, _, costs| total += costs.get(known).map_or(0, |&cost| u64::from(cost)));
            Some((script, (total as f64 / letters as f64 / UNITS_PER_BIT * 100.0).round() as u16))
        };
        self.letters_by_script(text).into_iter().filter_map(mean).collect()
    }

    /// Tiles a text by the languages of its words in one script; other words belong to the word before them.
    ///
    /// It is cut where going on in another language, at a price of [`SWITCH`], makes it cost less on the whole (Viterbi's
    /// algorithm over the words).
    pub(crate) fn runs_in(&self, text: &str, script: Script) -> Vec<Run> {
        let mut path: Option<(Path, Sum)> = None;
        self.read(text, script, |word, candidates, costs| {
            let (path, sum) = path.get_or_insert_with(|| (Path::new(candidates), Sum::new(candidates)));
            path.step(word, costs);
            sum.add(costs, letters_of(word));
        });
        let mut cuts = match path {
            None => Vec::new(),
            Some((path, sum)) => match path.ends()[..] {
                [end] => vec![(sum.answer(None), end)],
                // Read once more instead of keeping what every word costs in every language.
                ref ends => self.languages_between(text, script, ends),
            },
        };
        match cuts.last_mut() {
            // What stands behind the last word belongs to it.
            Some((_, end)) => *end = text.len(),
            None => cuts.push((LangCode::UND, text.len())),
        }
        let mut runs = Vec::new();
        let mut done = 0;
        for (language, end) in cuts {
            append(&mut runs, language, done..end);
            done = end;
        }
        runs
    }

    /// The language of the words of a script up to each of some ends, from the end before.
    fn languages_between(&self, text: &str, script: Script, ends: &[usize]) -> Vec<(LangCode, usize)> {
        let mut parts = Vec::with_capacity(ends.len());
        let mut part: Option<Sum> = None;
        self.read(text, script, |word, candidates, costs| {
            let sum = part.get_or_insert_with(|| Sum::new(candidates));
            sum.add(costs, letters_of(word));
            if ends.get(parts.len()) == Some(&word.end) {
                parts.push((sum.answer(None), word.end));
                part = None;
            }
        });
        parts
    }

    /// Whether the models know a language in a script.
    pub(crate) fn knows(&self, language: LangCode, script: Script) -> bool {
        let candidates = self.scripts[script.index()].as_ref();
        candidates.is_some_and(|candidates| candidates.languages.iter().any(|known| known.code == language))
    }

    /// Whether the models know any language in a script.
    pub(crate) fn reads(&self, script: Script) -> bool {
        self.scripts[script.index()].is_some()
    }

    /// The packs' checksums: equal models have equal checksums.
    fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        self.packs.iter().for_each(|pack| hasher.update(&pack.checksum().to_le_bytes()));
        hasher.finalize()
    }
}

/// Letters of a word and the edge behind it: what is paid for.
fn letters_of(word: &Word) -> u64 {
    word.letters.len() as u64 + 1
}

/// What a text, or a part of it, costs in each language of a script.
struct Sum<'a> {
    candidates: &'a Candidates,
    totals: Vec<u64>,
    /// What came after `totals` were summed, in numbers that the processor adds several of at a time.
    recent: Vec<u32>,
    /// Words in `recent`.
    words: u32,
    letters: u64,
}

/// Words whose costs are sure not to overflow `Sum::recent`.
const RECENT: u32 = 1 << 16;

impl<'a> Sum<'a> {
    fn new(candidates: &'a Candidates) -> Self {
        let count = candidates.languages.len();
        Self { candidates, totals: vec![0; count], recent: vec![0; count], words: 0, letters: 0 }
    }

    fn add(&mut self, costs: &[u16], letters: u64) {
        for (total, &cost) in self.recent.iter_mut().zip(costs) {
            *total += u32::from(cost);
        }
        self.letters += letters;
        self.words += 1;
        if self.words == RECENT {
            for (total, recent) in self.totals.iter_mut().zip(&mut self.recent) {
                *total += u64::from(std::mem::take(recent));
            }
            self.words = 0;
        }
    }

    /// The language in which this costs least, if it is one of the allowed and the answer stands.
    fn answer(&self, allowed: Allowed) -> LangCode {
        let is_allowed = |code: LangCode| allowed.is_none_or(|allowed| allowed.contains(&code));
        let languages = self.candidates.languages.iter().enumerate();
        let known = languages.filter(|&(at, language)| is_allowed(language.code) && !self.candidates.is_replaced(at));
        let (mut best, mut second): (Option<(u64, &Language)>, u64) = (None, u64::MAX);
        for (at, language) in known {
            let total = self.totals[at] + u64::from(self.recent[at]);
            match best {
                Some((least, _)) if total >= least => second = second.min(total),
                _ => {
                    second = best.map_or(u64::MAX, |(least, _)| least);
                    best = Some((total, language));
                }
            }
        }
        let Some((least, language)) = best else { return LangCode::UND };
        let a_letter = |units: u64| units as f64 / UNITS_PER_BIT / self.letters as f64;
        let surprise = a_letter(least) - f64::from(language.usual) / 100.0;
        // An only candidate has nobody to be mistaken for.
        let stands = second == u64::MAX || surprise <= SURPRISE + TRUST * a_letter(second - least);
        if stands {
            language.code
        } else {
            LangCode::UND
        }
    }
}

impl Identify for LanguageModel {
    /// The language of the script that most letters are in.
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode {
        let letters = self.letters_by_script(text);
        let most = letters.into_iter().max_by_key(|&(script, letters)| (letters, std::cmp::Reverse(script)));
        let mut sum: Option<Sum> = None;
        self.read(text, most.map_or(Script::NONE, |(script, _)| script), |word, candidates, costs| {
            sum.get_or_insert_with(|| Sum::new(candidates)).add(costs, letters_of(word));
        });
        sum.map_or(LangCode::UND, |sum| sum.answer(allowed))
    }

    /// Of a text in several scripts, the runs of the script that most letters are in.
    fn runs(&self, text: &str) -> Vec<Run> {
        let mut letters: FxHashMap<Script, usize> = FxHashMap::default();
        for_each_word(text, |word| *letters.entry(word.script).or_default() += word.letters.len());
        let most = letters.into_iter().max_by_key(|&(script, count)| (count, std::cmp::Reverse(script)));
        self.runs_in(text, most.map_or(Script::NONE, |(script, _)| script))
    }

    fn languages(&self) -> Vec<LangCode> {
        let known = self.scripts.iter().flatten().flat_map(|candidates| &candidates.languages);
        known.map(|language| language.code).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn version(&self) -> String {
        format!("lm/{VERSION}-{:08x}", self.checksum())
    }
}

/// Version of what is done with the tables.
const VERSION: u32 = 2;

/// The cheapest way through the words of one script, for each language that it may end in. A word costs the memory of at most
/// one [`Cut`], however many languages there are.
struct Path {
    /// Cost so far, above that of the cheapest language before the last word: at most [`SWITCH`] and a word.
    costs: Vec<u16>,
    /// Of each language the last cut before the text that it is paying for, or [`NO_CUT`].
    last: Vec<u32>,
    cuts: Vec<Cut>,
    /// Where the last word ended.
    end: usize,
}

/// Stands for the cut before the first.
const NO_CUT: u32 = u32::MAX;

/// A place where it was cheaper for some language to come from the language that was cheapest there.
struct Cut {
    /// In bytes of the text.
    end: usize,
    /// The cut before it on the way of the language that was cheapest.
    before: u32,
}

impl Path {
    fn new(candidates: &Candidates) -> Self {
        let count = candidates.languages.len();
        Self { costs: vec![0; count], last: vec![NO_CUT; count], cuts: Vec::new(), end: 0 }
    }

    fn step(&mut self, word: &Word, paid: &[u16]) {
        let (cheapest, from) = least(&self.costs);
        let before = self.last.get(cheapest).copied().unwrap_or(NO_CUT);
        let here = self.cuts.len() as u32;
        let mut is_cut = false;
        // Without a branch, for several languages at a time.
        for ((cost, last), &paid) in self.costs.iter_mut().zip(&mut self.last).zip(paid) {
            let stay = *cost - from;
            let comes = stay > SWITCH;
            is_cut |= comes;
            *last = if comes { here } else { *last };
            *cost = stay.min(SWITCH).saturating_add(paid);
        }
        if is_cut {
            self.cuts.push(Cut { end: self.end, before });
        }
        self.end = word.end;
    }

    /// Where the text is cut, in its bytes, in order; last the end of the last word.
    fn ends(self) -> Vec<usize> {
        let mut ends = vec![self.end];
        let mut last = self.last.get(least(&self.costs).0).copied();
        while let Some(cut) = last.and_then(|at| self.cuts.get(at as usize)) {
            ends.push(cut.end);
            last = Some(cut.before);
        }
        ends.reverse();
        ends
    }
}

/// The index of the least cost, the first of equals, and the cost. Found in two steps that the processor takes for several
/// languages at a time: what the least is, and where.
fn least(costs: &[u16]) -> (usize, u16) {
    const STEP: usize = 32;
    let least = costs.iter().fold(u16::MAX, |least, &cost| least.min(cost));
    let has = |part: &&[u16]| part.iter().fold(false, |has, &cost| has | (cost == least));
    let part = costs.chunks(STEP).position(|part| has(&part)).unwrap_or(0) * STEP;
    let at = costs.iter().skip(part).position(|&cost| cost == least).unwrap_or(0);
    (part + at, least)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// What the words of a text cost, with memories of so many bytes each.
    fn costs(model: &LanguageModel, text: &str, bytes: usize) -> Vec<Vec<u16>> {
        let mut found = Vec::new();
        let mut scratch = Scratch::default();
        for_each_word(text, |word| {
            let candidates = model.scripts[word.script.index()].as_ref().unwrap();
            let languages = candidates.languages.len();
            let mut memory =
                LetterMemory { letters: Memory::new(bytes, languages), pairs: Memory::new(bytes, languages) };
            let speller = Speller::new(&model.packs, candidates);
            let mut costs = vec![0; languages];
            speller.cost(&word, word_key(word.letters), &mut scratch, &mut memory, &mut costs);
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
