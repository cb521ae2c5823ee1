//! Training of tables from text.
//!
//! For every language and script, the words and the sequences of up to four characters are counted.
//! Witten-Bell interpolation turns the counts into probabilities: a sequence's relative frequency
//! is mixed with the probability of the sequence without its first character, with a weight given
//! by the number of different continuations. Pruning keeps an entry if its removal would cost more
//! than [`TrainSettings::worth`] bits over the training text.

use crate::failure::BadPack;
use crate::lm::{
    gram_key, word_key, BACK_OFF, EDGE, ORDER, UNITS_PER_BIT, UNSEEN_LETTER, WORD_STEP,
};
use crate::pack::{self, Draft, Language, Pack, MAX_LANGUAGES};
use crate::table::{Posting, ABSENT};
use crate::words::{for_each_word, Script};
use crate::{LangCode, LanguageModel};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Number of words below which the models of a language are weak. A text of this length has about
/// 60 sentences.
pub const FEW_WORDS: u32 = 1000;

/// The allowed values of [`TrainSettings::max_entries`].
pub const MAX_ENTRIES: RangeInclusive<usize> = 100..=10_000_000;

/// Settings of the training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrainSettings<'a> {
    /// Bits that an entry must save over the whole training text.
    pub worth: f64,
    /// Most entries of a language in one script; those that save most are kept.
    pub max_entries: usize,
    /// Minimum share of a language's words in a script for the script to be included.
    pub script_share: f64,
    /// Languages whose models replace those of earlier packs ([`Language::replaces`]).
    pub replaces: &'a [LangCode],
    /// Whether the pack has far languages ([`Language::far`]). Each word then costs [`HANDICAP`]
    /// more, and a script may have more than [`MAX_LANGUAGES`](crate::MAX_LANGUAGES) languages.
    pub far: bool,
}

impl Default for TrainSettings<'_> {
    fn default() -> Self {
        Self { worth: 6.0, max_entries: 40_000, script_share: 0.1, replaces: &[], far: false }
    }
}

/// Cost of every word of a far language on top of the model's cost, in bits: a far language takes
/// text from another one only by this margin.
pub const HANDICAP: f64 = 1.0;

/// A text of one language; lines are independent.
pub struct Text<'a> {
    /// Language that the text is in.
    pub language: LangCode,
    /// Text to learn from, any number of lines.
    pub text: &'a str,
}

/// The words of a language, each with its number of occurrences in some text.
pub struct WordCounts {
    /// The language that the words were counted in.
    pub language: LangCode,
    /// The words, each of them once, and their counts.
    pub words: Vec<(String, u64)>,
}

/// Returns the bytes of a pack trained from texts; several may have the same language. The result
/// is deterministic.
///
/// The usual cost of a letter is measured on every tenth line, with tables trained without these
/// lines. Lines without words are not counted.
///
/// # Errors
/// Fails if the tables exceed the limits of a pack, or there is no text.
pub fn train(texts: &[Text], settings: TrainSettings) -> Result<Vec<u8>, BadPack> {
    train_with(texts, &[], settings)
}

/// Like [`train`], from texts and from lists of word counts. The models have words and sequences
/// inside of words, so that a list gives the same tables as its text. Every tenth occurrence of the
/// words of a list takes the place of every tenth line.
///
/// # Errors
/// As [`train`].
pub fn train_with(
    texts: &[Text],
    lists: &[WordCounts],
    settings: TrainSettings,
) -> Result<Vec<u8>, BadPack> {
    let (mut all, mut most) = (Corpus::new(), Corpus::new());
    let mut kept_back: BTreeMap<LangCode, String> = BTreeMap::new();
    for Text { language, text } in texts {
        // Only lines with words are counted: if paragraphs are separated by a blank line, every
        // tenth line could be blank.
        let lines = text.lines().filter(|line| count(&mut all, *language, line, 1));
        for (number, line) in lines.enumerate() {
            if number % KEPT_BACK == KEPT_BACK / 2 {
                let back = kept_back.entry(*language).or_default();
                back.push_str(line);
                back.push('\n');
            } else {
                count(&mut most, *language, line, 1);
            }
        }
    }
    for WordCounts { language, words } in lists {
        let (mut seen, mut held) = (0u64, 0);
        for (word, times) in words.iter().filter(|(_, times)| *times > 0) {
            if !count(&mut all, *language, word, *times) {
                continue;
            }
            let every = KEPT_BACK as u64;
            let back = (seen % every).saturating_add(*times) / every;
            seen = seen.saturating_add(*times);
            let shown = back.min(MAX_HELD - held);
            held += shown;
            let text = kept_back.entry(*language).or_default();
            (0..shown).for_each(|_| text.extend([word, "\n"]));
            count(&mut most, *language, word, times - back);
        }
    }
    let trial = LanguageModel::new(vec![Pack::of_bytes(pack::write(drafts(
        &most,
        settings,
        &FxHashMap::default(),
    )?)?)?]);
    let mut usual = FxHashMap::default();
    for (code, text) in &kept_back {
        for (script, cost) in trial.usual(*code, text) {
            usual.insert((*code, script), cost);
        }
    }
    drop((trial, most));
    pack::write(drafts(&all, settings, &usual)?)
}

/// Most words of a list that are held out. Their mean cost is precise to 1 %.
const MAX_HELD: u64 = 50_000;

/// One of this many lines is held out to measure the cost of unseen text.
const KEPT_BACK: usize = 10;

/// Cost of a letter in a language with too little text to hold any out, in hundredths of a bit:
/// about the mean of the others.
pub(crate) const USUAL: u16 = 310;

/// Largest count of a word: no sum of counts overflows.
const MAX_OF_A_WORD: u64 = 1 << 32;

/// The languages that have each token.
type Tokens = FxHashMap<u64, Vec<Posting>>;

/// The words of every language, by script.
type Corpus = BTreeMap<LangCode, BTreeMap<Script, Counts>>;

/// Counts each word of a text `times` times. Returns false if no word is counted.
fn count(corpus: &mut Corpus, language: LangCode, text: &str, times: u64) -> bool {
    if times == 0 {
        return false;
    }
    let scripts = corpus.entry(language).or_default();
    let mut any = false;
    for_each_word(text, |word| {
        any = true;
        let words = scripts.entry(word.script).or_default();
        match words.get_mut(word.letters) {
            Some(count) => *count = count.saturating_add(times).min(MAX_OF_A_WORD),
            None => drop(words.insert(word.letters.into(), times.min(MAX_OF_A_WORD))),
        }
    });
    any
}

/// Makes the tables of every script.
fn drafts(
    corpus: &Corpus,
    settings: TrainSettings,
    usual: &FxHashMap<(LangCode, Script), u16>,
) -> Result<Vec<Draft>, BadPack> {
    let mut jobs = Vec::new();
    for (&code, scripts) in corpus {
        let all: u64 = scripts.values().flat_map(|counts| counts.values()).sum();
        for (&script, counts) in scripts {
            let words: u64 = counts.values().sum();
            if words as f64 >= settings.script_share * all as f64 {
                jobs.push((script, code, words, counts));
            }
        }
    }
    if jobs.is_empty() {
        return Err(BadPack::NoText);
    }
    let models = in_parallel(&jobs, |(_, _, _, counts)| Model::new(counts, settings));
    let mut drafts: BTreeMap<Script, Vec<Part>> = BTreeMap::new();
    for (&(script, code, words, _), model) in jobs.iter().zip(models) {
        let parts = drafts.entry(script).or_default();
        let is_full = |part: &Part| settings.far && part.languages.len() == MAX_LANGUAGES;
        if parts.last().is_none_or(is_full) {
            parts.push(Part::default());
        }
        let Some(part) = parts.last_mut() else { continue };
        let language = Language {
            code,
            unknown_word: model.unknown_word,
            usual: usual.get(&(code, script)).copied().unwrap_or(USUAL),
            words: u32::try_from(words).unwrap_or(u32::MAX),
            replaces: settings.replaces.contains(&code),
            far: settings.far,
        };
        part.add(language, model).ok_or(BadPack::Section { script: script.tag() })?;
    }
    let sections = drafts.into_iter().flat_map(|(script, parts)| {
        parts.into_iter().map(move |part| Draft {
            script,
            languages: part.languages,
            tokens: part.tokens.into_iter().collect(),
        })
    });
    Ok(sections.collect())
}

/// The languages of a section, and their tokens.
#[derive(Default)]
struct Part {
    languages: Vec<Language>,
    tokens: Tokens,
}

impl Part {
    /// Adds a language. Returns `None` if postings have no number for one more.
    fn add(&mut self, language: Language, model: Model) -> Option<()> {
        let index = u8::try_from(self.languages.len()).ok()?;
        self.languages.push(language);
        for (key, cost) in model.entries {
            let postings = self.tokens.entry(key).or_default();
            // If two tokens of one language have the same hash, the first one is kept.
            if postings.last().is_none_or(|last| last[0] != index) {
                postings.push([index, cost]);
            }
        }
        Some(())
    }
}

/// Runs jobs on all cores; the results are in the order of the jobs.
fn in_parallel<J: Sync, A: Send>(jobs: &[J], work: impl Fn(&J) -> A + Sync) -> Vec<A> {
    let next = AtomicUsize::new(0);
    let answers: Vec<Mutex<Option<A>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| loop {
                let job = next.fetch_add(1, Ordering::Relaxed);
                let (Some(job), Some(answer)) = (jobs.get(job), answers.get(job)) else { break };
                *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(work(job));
            });
        }
    });
    answers
        .into_iter()
        .filter_map(|answer| answer.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

/// The count of each word.
type Counts = BTreeMap<Box<[char]>, u64>;

/// One to [`ORDER`] characters in one number; longer n-grams are larger numbers.
type Gram = u128;

fn gram(letters: &[char]) -> Gram {
    letters.iter().fold(letters.len() as u128, |packed, &letter| packed << 21 | letter as u128)
}

/// A language in one script, pruned and quantised.
struct Model {
    unknown_word: u8,
    entries: Vec<(u64, u8)>,
}

/// An n-gram of a language.
struct Entry {
    letters: Vec<char>,
    count: u64,
    cost: u8,
}

impl Model {
    fn new(words: &Counts, settings: TrainSettings) -> Self {
        let mut kept = prune(n_grams(words), settings);
        let costs: FxHashMap<Gram, u8> =
            kept.iter().map(|(entry, _)| (gram(&entry.letters), entry.cost)).collect();

        let all: u64 = words.values().sum();
        let different = words.len() as u64;
        let handicap = if settings.far { HANDICAP } else { 0.0 };
        let of_word = |probability: f64| units(probability * (-handicap).exp2(), WORD_STEP);
        let unknown_word = of_word(different as f64 / (all + different) as f64);
        let mut entries: Vec<(f64, u64, u8)> = Vec::new();
        for (word, &count) in words {
            let spelled = spelled(word, &costs);
            let p = 2f64.powf(-(f64::from(spelled) / UNITS_PER_BIT));
            let cost = of_word((count as f64 + different as f64 * p) / (all + different) as f64);
            let unknown = f64::from(spelled) + f64::from(unknown_word) * f64::from(WORD_STEP);
            let saved =
                count as f64 * (unknown - f64::from(cost) * f64::from(WORD_STEP)) / UNITS_PER_BIT;
            if count > 1 && saved >= settings.worth {
                entries.push((saved, word_key(word), cost));
            }
        }
        entries.extend(
            kept.drain(..).map(|(entry, saved)| (saved, gram_key(&entry.letters), entry.cost)),
        );
        entries.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        entries.truncate(settings.max_entries);
        let mut entries: Vec<_> = entries.into_iter().map(|(_, key, cost)| (key, cost)).collect();
        entries.sort_unstable();
        Self { unknown_word, entries }
    }
}

/// Returns the n-grams of the words with their costs, the shorter ones first.
fn n_grams(words: &Counts) -> Vec<Entry> {
    let mut grams: BTreeMap<Vec<char>, u64> = BTreeMap::new();
    for (word, &count) in words {
        let padded: Vec<char> =
            [EDGE].into_iter().chain(word.iter().copied()).chain([EDGE]).collect();
        for end in 1..padded.len() {
            for length in 1..=ORDER.min(end + 1) {
                *grams.entry(padded[end + 1 - length..=end].to_vec()).or_default() += count;
            }
        }
    }
    // Continuations of a context: their total count, and the number of different characters.
    let mut contexts: FxHashMap<Gram, (u64, u64)> = FxHashMap::default();
    for (letters, &count) in &grams {
        let context = contexts.entry(gram(&letters[..letters.len() - 1])).or_default();
        context.0 += count;
        context.1 += 1;
    }
    // Shorter n-grams come first, because longer ones are interpolated with their suffixes.
    let mut by_length: Vec<(Vec<char>, u64)> = grams.into_iter().collect();
    by_length.sort_by(|a, b| (a.0.len(), &a.0).cmp(&(b.0.len(), &b.0)));
    let floor = 2f64.powf(-f64::from(UNSEEN_LETTER) / UNITS_PER_BIT);
    let mut probability: FxHashMap<Gram, f64> = FxHashMap::default();
    for (letters, count) in &by_length {
        let lower = match letters.len() {
            1 => floor,
            _ => probability[&gram(&letters[1..])],
        };
        let (seen, different) = contexts[&gram(&letters[..letters.len() - 1])];
        let p = (*count as f64 + different as f64 * lower) / (seen + different) as f64;
        probability.insert(gram(letters), p);
    }
    by_length
        .into_iter()
        .map(|(letters, count)| Entry {
            cost: units(probability[&gram(&letters)], 1),
            letters,
            count,
        })
        .collect()
}

/// Returns the cost of a probability in steps of units, at least 0 and below [`ABSENT`].
fn units(probability: f64, step: u16) -> u8 {
    (-probability.log2() * UNITS_PER_BIT / f64::from(step))
        .round()
        .clamp(0.0, f64::from(ABSENT - 1)) as u8
}

/// Returns the n-grams to keep, with the bits that each saves. The suffix of a kept n-gram is kept
/// too, so that a search can stop at the first missing length. All single characters are kept.
fn prune(entries: Vec<Entry>, settings: TrainSettings) -> Vec<(Entry, f64)> {
    let costs: FxHashMap<Gram, u8> =
        entries.iter().map(|entry| (gram(&entry.letters), entry.cost)).collect();
    let mut needed: FxHashSet<Gram> = FxHashSet::default();
    let mut kept = Vec::new();
    for entry in entries.into_iter().rev() {
        let length = entry.letters.len();
        let saved = match length {
            1 => f64::INFINITY,
            _ => {
                let without = f64::from(costs[&gram(&entry.letters[1..])]) + f64::from(BACK_OFF);
                entry.count as f64 * (without - f64::from(entry.cost)) / UNITS_PER_BIT
            }
        };
        if saved >= settings.worth || needed.contains(&gram(&entry.letters)) {
            needed.insert(gram(&entry.letters[1..]));
            kept.push((entry, saved.max(settings.worth)));
        }
    }
    kept
}

/// Returns the cost of a word by its characters, as `lm.rs` computes it.
fn spelled(word: &[char], costs: &FxHashMap<Gram, u8>) -> u32 {
    let padded: Vec<char> = [EDGE].into_iter().chain(word.iter().copied()).chain([EDGE]).collect();
    let (mut sum, mut before) = (0, 1);
    for end in 1..padded.len() {
        let known = (1..=ORDER.min(end + 1))
            .map(|length| costs.get(&gram(&padded[end + 1 - length..=end])));
        let known: Vec<u8> = known.take_while(Option::is_some).flatten().copied().collect();
        let given_up = (before + 1).min(ORDER).saturating_sub(known.len());
        sum += u32::from(known.last().copied().unwrap_or(UNSEEN_LETTER))
            + given_up as u32 * u32::from(BACK_OFF);
        before = known.len();
    }
    sum
}
