//! Removal of text that a corpus already has, and clusters of near-duplicate pages.
//!
//! [`Deduplicator`] removes passages, [`LineCounts`] lines, [`Clusters`] joins whole pages, and
//! [`Against`](against::Against) finds the texts of others. [`pages`] has what is written of a
//! record.
//!
//! A text is cut into passages: a block and the short blocks behind it. Each sequence of seven
//! words of a passage is looked up among those of the text kept so far. A passage is removed if
//! more than half of its sequences are known; the first occurrence stays. This is the method of
//! onion (Pomikálek 2011), which is used for SpiderLing's corpora. It finds near duplicates of
//! paragraphs, not only of whole pages.
//!
//! Three rules differ from onion. Removed passages are not learned: a passage is compared with the
//! final corpus, so a text that changes a little from copy to copy is not removed completely.
//! Blocks that are too short for a sequence (a line of a poem, *Yes.*) are compared together with
//! the block before them. Texts in scripts without spaces are read by characters, four per word.
//!
//! A Bloom filter of fixed size stores the sequences, so memory does not grow with the corpus. An
//! overfull filter reports new sequences as known, see [`Deduplicator::false_positives`]. A rate of
//! one in a hundred changes the verdict only for passages with nearly half known sequences.
#![forbid(unsafe_code)]

pub mod against;
mod clusters;
mod lines;
pub mod pages;
mod passages;
mod reference;
mod survival;

pub use clusters::{ClusterPlace, Clusters, Members, Shape, Sketcher};
pub use lines::{lines, Cut, Cutter, Dropped, Fate, Fates, LineCounts};
pub use reference::{Compared, Reference, MIN_WORDS};
pub use survival::Survival;

use fastbloom::AtomicBloomFilter;
use figures::minhash::mix;
use hashbrown::HashSet;
use passages::{Passage, Reader};
use rayon::prelude::*;
use std::ops::Range;

/// Bits of memory per sequence. With at least this many, the false positive rate is at most 1 %.
pub const FILTER_BITS: usize = 10;

/// Settings of the deduplication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Words per sequence. The default, 7, is onion's.
    pub words: usize,
    /// Threshold in percent: a passage is removed if more of its sequences are known. The default,
    /// 50, is onion's.
    pub percent: u32,
    /// Judge whole texts instead of passages.
    pub whole: bool,
    /// Compare words by their letters only. Digits, marks and punctuation are ignored; a word
    /// without letters is skipped.
    pub letters: bool,
    /// Memory for the known sequences, in bytes.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { words: 7, percent: 50, whole: false, letters: false, memory: 1 << 30 }
    }
}

/// The verdict on a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Byte range of the passage in its text. Passages are consecutive; only line ends are between
    /// them.
    pub bytes: Range<usize>,
    /// Number of sequences.
    pub sequences: usize,
    /// Number of these sequences that occur in the text kept before.
    pub known: usize,
    /// Whether the passage is kept.
    pub kept: bool,
    /// A 64-bit hash of the passage's words in their order.
    pub fingerprint: u64,
}

/// Decides for each text which passages are new.
#[derive(Debug)]
pub struct Deduplicator {
    settings: Settings,
    reader: Reader,
    /// Sequences of the text kept in earlier batches.
    met: AtomicBloomFilter,
    sequences: u64,
}

/// The result of a passage's lookup in the filter.
struct Looked {
    passage: Passage,
    /// Sequences that are not in the filter.
    unknown: Vec<u64>,
}

impl Deduplicator {
    /// Creates a deduplicator that has seen no text.
    pub fn new(settings: Settings) -> Self {
        let bits = settings.memory.max(1 << 10) * 8;
        let met =
            AtomicBloomFilter::with_num_bits(bits).seed(&0).expected_items(bits / FILTER_BITS);
        Self { settings, reader: Reader::new(settings.words, settings.letters), met, sequences: 0 }
    }

    /// Judges texts in their order. The blocks of a text are its lines. The verdicts do not depend
    /// on the number of threads, nor on the batches, except for false positives of the filter.
    pub fn judge(&mut self, texts: &[&str]) -> Vec<Vec<Verdict>> {
        let looked: Vec<Vec<Looked>> = texts.par_iter().map(|text| self.look_up(text)).collect();
        // Sequences of this batch; they are added to the filter at its end.
        let mut new = HashSet::new();
        let verdicts = looked.iter().map(|passages| self.verdicts(passages, &mut new)).collect();
        self.sequences += new.len() as u64;
        new.into_par_iter().for_each(|sequence| {
            self.met.insert_hash(sequence);
        });
        verdicts
    }

    fn look_up(&self, text: &str) -> Vec<Looked> {
        let passages = self.reader.passages(text);
        let unknown = |passage: &Passage| {
            passage
                .sequences
                .iter()
                .copied()
                .filter(|&sequence| !self.met.contains_hash(sequence))
                .collect()
        };
        passages.into_iter().map(|passage| Looked { unknown: unknown(&passage), passage }).collect()
    }

    fn verdicts(&self, passages: &[Looked], new: &mut HashSet<u64>) -> Vec<Verdict> {
        let judge = |passages: &[Looked], new: &mut HashSet<u64>| {
            let sequences: usize =
                passages.iter().map(|looked| looked.passage.sequences.len()).sum();
            let unknown = passages
                .iter()
                .flat_map(|looked| &looked.unknown)
                .filter(|sequence| !new.contains(*sequence));
            let known = sequences - unknown.count();
            let kept = known * 100 <= sequences * self.settings.percent as usize;
            if kept {
                new.extend(passages.iter().flat_map(|looked| &looked.unknown));
            }
            let (Some(first), Some(last)) = (passages.first(), passages.last()) else {
                return None;
            };
            let all = passages.iter().flat_map(|looked| &looked.passage.sequences);
            let fingerprint = all.fold(0, |hash, &sequence| mix(hash, sequence));
            let bytes = first.passage.bytes.start..last.passage.bytes.end;
            Some(Verdict { bytes, sequences, known, kept, fingerprint })
        };
        if self.settings.whole {
            judge(passages, new).into_iter().collect()
        } else {
            passages.iter().filter_map(|looked| judge(std::slice::from_ref(looked), new)).collect()
        }
    }

    /// Returns the current false positive rate of the filter, from 0 to 1.
    pub fn false_positives(&self) -> f64 {
        self.met.expected_false_pos(usize::try_from(self.sequences).unwrap_or(usize::MAX))
    }

    /// Returns the number of different sequences in the kept text.
    pub fn sequences(&self) -> u64 {
        self.sequences
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn settings(whole: bool) -> Settings {
        Settings { whole, memory: 1 << 20, ..Settings::default() }
    }

    /// Returns words that only texts with the same letter have.
    fn words(letter: char, range: Range<usize>) -> String {
        range.map(|number| format!("{letter}{number}")).collect::<Vec<_>>().join(" ")
    }

    fn kept(deduplicator: &mut Deduplicator, text: &str) -> Vec<bool> {
        deduplicator.judge(&[text]).remove(0).into_iter().map(|verdict| verdict.kept).collect()
    }

    #[test]
    fn a_passage_goes_when_more_than_half_of_its_sequences_were_met() {
        let mut deduplicator = Deduplicator::new(settings(false));
        assert_eq!(kept(&mut deduplicator, &words('a', 0..200)), [true]);
        // 106 words are 100 sequences; with n old words at the beginning, n - 6 sequences are old.
        let mixed = |old: usize, letter| {
            format!("{} {}", words('a', 50..50 + old), words(letter, 0..106 - old))
        };
        for (old, stays) in [(55, true), (56, true), (57, false)] {
            let verdict = deduplicator
                .judge(&[&mixed(old, char::from(b'a' + old as u8 - 50))])
                .remove(0)
                .remove(0);
            assert_eq!((verdict.sequences, verdict.known, verdict.kept), (100, old - 6, stays));
        }
        // The removed text was not learned: its new half alone is new.
        assert_eq!(kept(&mut deduplicator, &words(char::from(b'a' + 7), 0..49)), [true]);
    }

    #[test]
    fn the_first_of_two_passages_in_one_text_stays() {
        let mut deduplicator = Deduplicator::new(settings(false));
        let text = [words('a', 0..20), words('b', 0..20), words('a', 0..20)].join("\n");
        assert_eq!(kept(&mut deduplicator, &text), [true, true, false]);
    }

    #[test]
    fn a_whole_text_stays_or_goes_with_all_its_blocks() {
        let mut deduplicator = Deduplicator::new(settings(true));
        assert_eq!(kept(&mut deduplicator, &words('a', 0..40)), [true]);
        let [new, old] = [words('b', 0..30), words('a', 0..30)];
        assert_eq!(
            kept(&mut deduplicator, &format!("{old}\n{new}\n{}", words('b', 30..60))),
            [true]
        );
        assert_eq!(kept(&mut deduplicator, &format!("{old}\n{new}")), [false]);
    }

    #[test]
    fn texts_that_differ_in_numbers_and_signs_are_the_same_by_their_letters() {
        let prices = |tea: u32, sign| {
            format!(
                "Price list of {tea}. 11.\nTea {tea}{sign} coffee {tea}0 rice 1{tea} flour{sign} {tea}\n{tea} {tea}"
            )
        };
        for (letters, stays) in [(false, true), (true, false)] {
            let mut deduplicator = Deduplicator::new(Settings { letters, ..settings(false) });
            let verdicts = deduplicator.judge(&[
                &prices(3, ','),
                &prices(4, ';'),
                &prices(5, ' ').replace("rice", "wheat"),
            ]);
            let verdicts: Vec<_> = verdicts.into_iter().flatten().collect();
            assert_eq!(
                verdicts.iter().map(|verdict| verdict.kept).collect::<Vec<_>>(),
                [true, stays, true]
            );
            assert_eq!(verdicts[0].fingerprint == verdicts[1].fingerprint, letters);
            assert_ne!(verdicts[0].fingerprint, verdicts[2].fingerprint);
            assert_eq!(
                verdicts[0].bytes,
                0..prices(3, ',').len(),
                "numbers belong to the words before them"
            );
            assert_eq!(
                deduplicator.judge(&["12 34\n56"]).remove(0).len(),
                usize::from(!letters),
                "of no word nothing is said"
            );
        }
    }

    #[test]
    fn the_estimate_of_mistakes_is_what_new_sequences_meet() {
        let mut deduplicator = Deduplicator::new(Settings { memory: 1 << 12, ..settings(false) });
        let text: Vec<String> = (0..300)
            .map(|number| {
                words(char::from(b'a' + number as u8 % 26), number * 40..number * 40 + 26)
            })
            .collect();
        let text: Vec<&str> = text.iter().map(String::as_str).collect();
        deduplicator.judge(&text);
        let estimate = deduplicator.false_positives();
        let other: Vec<String> =
            (0..300).map(|number| words('ж', number * 40..number * 40 + 26)).collect();
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        let (known, all) =
            deduplicator.judge(&other).iter().flatten().fold((0, 0), |(known, all), verdict| {
                (known + verdict.known, all + verdict.sequences)
            });
        let share = known as f64 / all as f64;
        assert!((share - estimate).abs() < 0.02, "{share} for {estimate}");
    }

    /// Generates texts whose blocks share runs of words.
    fn texts() -> impl Strategy<Value = Vec<String>> {
        let block = (0..6u8, 0..30usize, 1..30usize).prop_map(|(letter, first, length)| {
            words(char::from(b'a' + letter), first..first + length)
        });
        let text = prop::collection::vec(block, 0..6).prop_map(|blocks| blocks.join("\n"));
        prop::collection::vec(text, 0..12)
    }

    /// A plain implementation of the rules, with sets of word sequences.
    fn plainly(texts: &[&str]) -> Vec<Vec<String>> {
        let mut met: std::collections::HashSet<Vec<&str>> = std::collections::HashSet::new();
        let mut stays = Vec::new();
        for text in texts {
            let mut passages: Vec<Vec<&str>> = Vec::new();
            for block in text.lines() {
                let is_long = |block: &str| block.split(' ').count() >= 7;
                match passages.last_mut() {
                    Some(passage)
                        if !(is_long(block) && passage.iter().any(|block| is_long(block))) =>
                    {
                        passage.push(block)
                    }
                    _ => passages.push(vec![block]),
                }
            }
            let mut kept = Vec::new();
            for passage in passages {
                let words: Vec<&str> = passage.iter().flat_map(|block| block.split(' ')).collect();
                let sequences: Vec<Vec<&str>> =
                    words.windows(words.len().min(7)).map(<[_]>::to_vec).collect();
                let known = sequences.iter().filter(|sequence| met.contains(*sequence)).count();
                if known * 2 <= sequences.len() {
                    met.extend(sequences);
                    kept.push(passage.join("\n"));
                }
            }
            stays.push(kept);
        }
        stays
    }

    fn what_stays(deduplicator: &mut Deduplicator, texts: &[&str]) -> Vec<Vec<String>> {
        let stays = |(text, verdicts): (&&str, Vec<Verdict>)| {
            verdicts
                .into_iter()
                .filter(|verdict| verdict.kept)
                .map(|verdict| text[verdict.bytes].to_owned())
                .collect()
        };
        texts.iter().zip(deduplicator.judge(texts)).map(stays).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn what_stays_is_what_the_rules_say_and_stays_when_asked_again(texts in texts()) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let stays = what_stays(&mut Deduplicator::new(settings(false)), &texts);
            prop_assert_eq!(&stays, &plainly(&texts));
            let rest: Vec<String> = stays.iter().map(|passages| passages.join("\n")).collect();
            let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
            prop_assert_eq!(what_stays(&mut Deduplicator::new(settings(false)), &rest), stays);
        }

        #[test]
        fn verdicts_do_not_depend_on_batches(texts in texts(), batch in 1..12usize, whole in any::<bool>()) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let mut one = Deduplicator::new(settings(whole));
            let mut other = Deduplicator::new(settings(whole));
            let batches: Vec<_> = texts.chunks(batch).flat_map(|texts| other.judge(texts)).collect();
            let verdicts = one.judge(&texts);
            prop_assert_eq!(&verdicts, &batches);
            for (text, verdicts) in texts.iter().zip(verdicts) {
                let mut covered = String::new();
                for verdict in &verdicts {
                    covered += &text[verdict.bytes.clone()];
                }
                prop_assert_eq!(covered.replace('\n', ""), text.replace('\n', ""), "every block is in a passage");
            }
        }
    }
}
