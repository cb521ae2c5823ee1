//! Quality signals of pages, and the rules that pages break, as the records have them.
//!
//! `quality annotate` writes signals and broken rules into the records ([`quality`]). The report
//! counts them in fixed bins, and keeps sample pages of each rule. Memory does not grow with the
//! corpus.

use crate::fixed::percent;
use crate::page::{CorpusPage, PageView};
use crate::state::{decode, encode, Accumulator, BadState};
use quality::{Bound, Limits, Noise, Signals, NAMES};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64;

/// Sample pages of a rule.
const SAMPLES: usize = 5;

/// Characters of a sample's text.
const SAMPLE_CHARS: usize = 200;

/// Characters of a sample's URL.
const SAMPLE_URL_CHARS: usize = 500;

/// Signals that stand beside the field `quality` in a record, and their rules.
const BESIDE: [(&str, &str); 3] = [
    ("script_percentage", "script"),
    ("identification_consistency", "consistency"),
    ("wordlist_ratio", "wordlist"),
];

/// The rule that has no value.
const SECOND_OPINION: &str = "second_opinion";

/// Number of signals that are counted.
const SIGNALS: usize = NAMES.len() + BESIDE.len();

/// The bins of a signal. The last bin of each kind has no upper end.
#[derive(Clone, Copy)]
enum Bins {
    /// Shares, mostly from 0 to 1, in steps of .02.
    Shares,
    /// Counts up to 32, one by one.
    Counts,
    /// Lengths up to 30, in steps of .5.
    Lengths,
    /// Entropies up to 12 nats, in steps of .25.
    Nats,
    /// Numbers of words up to a million, in steps that grow. The limits of Gopher are ends of bins.
    Words,
}

/// Lower ends of the bins of numbers of words.
const WORDS: [f64; 37] = [
    0.0, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 70.0, 100.0, 150.0, 200.0, 300.0,
    500.0, 700.0, 1e3, 1.5e3, 2e3, 3e3, 5e3, 7e3, 1e4, 1.5e4, 2e4, 3e4, 5e4, 7e4, 1e5, 1.5e5, 2e5,
    3e5, 5e5, 7e5, 1e6,
];

impl Bins {
    fn of(signal: &str) -> Self {
        match signal {
            "rps_doc_word_count" => Self::Words,
            "rps_doc_mean_word_length" => Self::Lengths,
            "rps_doc_unigram_entropy" => Self::Nats,
            "stop_words" => Self::Counts,
            _ => Self::Shares,
        }
    }

    /// Returns the bins for each unit, and the last unit, of bins of equal width.
    fn even(self) -> Option<(usize, usize)> {
        match self {
            Self::Shares => Some((50, 1)),
            Self::Counts => Some((1, 32)),
            Self::Lengths => Some((2, 30)),
            Self::Nats => Some((4, 12)),
            Self::Words => None,
        }
    }

    fn count(self) -> usize {
        self.even().map_or(WORDS.len(), |(each, units)| each * units + 1)
    }

    /// Returns the lower end of a bin.
    fn from(self, bin: usize) -> f64 {
        self.even().map_or_else(|| WORDS[bin], |(each, _)| bin as f64 / each as f64)
    }

    /// Returns the bin of a value. Values below the first bin are counted in it.
    fn place(self, value: f64) -> usize {
        let (mut low, mut high) = (0, self.count());
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if self.from(middle) <= value {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Returns the name of a signal.
fn name(signal: usize) -> &'static str {
    NAMES.get(signal).copied().unwrap_or_else(|| BESIDE[signal - NAMES.len()].0)
}

/// A rule, by its place in FineWeb-2's pipeline; the rules of other signals come behind.
struct Rule {
    name: String,
    signal: Option<usize>,
    noise: Option<Noise>,
}

/// All rules that `quality annotate` writes.
fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| {
        let of_limits = Noise::ALL.into_iter().map(|noise| Rule {
            name: noise.to_string(),
            signal: noise.signal(),
            noise: Some(noise),
        });
        let beside = BESIDE.iter().enumerate().map(|(at, (_, rule))| Rule {
            name: (*rule).to_owned(),
            signal: Some(NAMES.len() + at),
            noise: None,
        });
        let last = Rule { name: SECOND_OPINION.to_owned(), signal: None, noise: None };
        of_limits.chain(beside).chain([last]).collect()
    })
}

/// The signals of a page, and the rules that it breaks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageQuality {
    /// The signals of the text; `None` if it has no words or the record has no signals.
    signals: Option<Signals>,
    /// Values of the signals beside them.
    beside: [Option<f64>; BESIDE.len()],
    /// Places of the broken rules among [`rules`], in the order of the record.
    broken: Vec<u8>,
}

impl PageQuality {
    /// Creates it from the fields of a record; `None` if the record has neither signals nor rules.
    /// Names of rules that are not known are ignored.
    pub fn new(
        signals: Option<Signals>,
        beside: [Option<f64>; 3],
        noise: &[String],
    ) -> Option<Box<Self>> {
        let place = |name: &String| rules().iter().position(|rule| rule.name == *name);
        let mut broken: Vec<u8> = Vec::new();
        for place in noise.iter().filter_map(place) {
            // A rule counts once for a page.
            if !broken.contains(&(place as u8)) {
                broken.push(place as u8);
            }
        }
        let is_known =
            signals.is_some() || !broken.is_empty() || beside.iter().any(Option::is_some);
        is_known.then(|| Box::new(Self { signals, beside, broken }))
    }

    /// Replaces the broken rules on signals by those that these limits give. Other rules stay.
    pub fn judge(&mut self, limits: &Limits) {
        let is_of_limits = |&place: &u8| rules()[usize::from(place)].noise.is_some();
        let was_empty = self
            .broken
            .iter()
            .any(|&place| rules()[usize::from(place)].noise == Some(Noise::Empty));
        if self.signals.is_none() && !was_empty {
            return;
        }
        let noise = limits.noise(self.signals.as_ref());
        let place = |noise: Noise| rules().iter().position(|rule| rule.noise == Some(noise));
        let mut broken: Vec<u8> =
            noise.into_iter().filter_map(place).map(|place| place as u8).collect();
        broken.extend(self.broken.iter().filter(|place| !is_of_limits(place)));
        self.broken = broken;
    }

    fn values(&self) -> [Option<f64>; SIGNALS] {
        let mut values = [None; SIGNALS];
        if let Some(signals) = &self.signals {
            for (to, value) in values.iter_mut().zip(signals.values()) {
                *to = Some(value);
            }
        }
        values[NAMES.len()..].copy_from_slice(&self.beside);
        values
    }
}

/// A sample page. The order is that of the hashes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Sample {
    /// Hash of the URL, or of the text of a page without one.
    key: u64,
    url: String,
    text: String,
    /// Bits of the value, so that samples have a total order.
    value: Option<u64>,
}

/// Sums of a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Broken {
    /// Pages that break it.
    pages: u64,
    /// Pages that break it first.
    first: u64,
    /// The pages with the lowest hashes.
    samples: BTreeSet<Sample>,
}

impl Broken {
    fn add(&mut self, page: &CorpusPage, key: u64, value: Option<f64>) {
        let is_full = self.samples.len() >= SAMPLES;
        if is_full && self.samples.last().is_some_and(|last| last.key < key) {
            return;
        }
        self.samples.insert(Sample {
            key,
            url: page.url.chars().take(SAMPLE_URL_CHARS).collect(),
            text: page.text.chars().take(SAMPLE_CHARS).collect(),
            value: value.map(f64::to_bits),
        });
        self.cut();
    }

    fn cut(&mut self) {
        while self.samples.len() > SAMPLES {
            self.samples.pop_last();
        }
    }

    fn merge(&mut self, other: Self) {
        self.pages = self.pages.saturating_add(other.pages);
        self.first = self.first.saturating_add(other.first);
        self.samples.extend(other.samples);
        self.cut();
    }
}

/// Pages of a bin: all, and those that break a rule on the signal.
type Counts = (u64, u64);

/// Sums of the signals and rules of pages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quality {
    pages: u64,
    /// Pages that break a rule.
    noisy: u64,
    /// The bins of each signal; signals without a page have none.
    bins: BTreeMap<u8, Vec<Counts>>,
    broken: BTreeMap<u8, Broken>,
}

impl Quality {
    fn bins(&mut self, signal: usize) -> &mut Vec<Counts> {
        let empty = || vec![(0, 0); Bins::of(name(signal)).count()];
        self.bins.entry(signal as u8).or_insert_with(empty)
    }
}

impl Accumulator for Quality {
    const NAME: &'static str = "quality";
    const VERSION: u16 = 1;

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let Some(quality) = &view.page.quality else { return Ok(()) };
        self.pages = self.pages.saturating_add(1);
        self.noisy = self.noisy.saturating_add(u64::from(!quality.broken.is_empty()));
        let values = quality.values();
        let mut is_marked = [false; SIGNALS];
        for (at, &place) in quality.broken.iter().enumerate() {
            let signal = rules()[usize::from(place)].signal;
            let broken = self.broken.entry(place).or_default();
            broken.pages = broken.pages.saturating_add(1);
            broken.first = broken.first.saturating_add(u64::from(at == 0));
            broken.add(view.page, key(view.page), signal.and_then(|signal| values[signal]));
            if let Some(signal) = signal {
                is_marked[signal] = true;
            }
        }
        for (signal, value) in values.into_iter().enumerate() {
            let Some(value) = value else { continue };
            let (all, marked) = &mut self.bins(signal)[Bins::of(name(signal)).place(value)];
            *all = all.saturating_add(1);
            *marked = marked.saturating_add(u64::from(is_marked[signal]));
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.pages = self.pages.saturating_add(other.pages);
        self.noisy = self.noisy.saturating_add(other.noisy);
        // A damaged state may have other signals and rules.
        for (signal, bins) in other.bins {
            if usize::from(signal) < SIGNALS {
                for (sum, more) in self.bins(signal.into()).iter_mut().zip(bins) {
                    *sum = (sum.0.saturating_add(more.0), sum.1.saturating_add(more.1));
                }
            }
        }
        for (place, more) in other.broken {
            if usize::from(place) < rules().len() {
                self.broken.entry(place).or_default().merge(more);
            }
        }
        Ok(())
    }

    fn parts(self, give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        match self.pages {
            0 => Ok(()),
            _ => give(encode::<Self>(&self)?),
        }
    }

    fn absorb(&mut self, part: &[u8]) -> Result<(), BadState> {
        Ok(self.merge(decode::<Self, Self>(part)?)?)
    }
}

/// Returns the hash of a page, which decides whether it is a sample.
fn key(page: &CorpusPage) -> u64 {
    xxh3_64(if page.url.is_empty() { page.text.as_bytes() } else { page.url.as_bytes() })
}

/// A bin of a signal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignalBin {
    /// Lower end, in the bin.
    pub from: f64,
    /// Upper end, not in the bin; `None` for the last bin.
    pub to: Option<f64>,
    /// Pages with such a value.
    pub pages: u64,
    /// Of these, pages that break a rule on the signal.
    pub beyond: u64,
}

/// The distribution of a signal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignalFigures {
    /// Name of the signal, as in the records.
    pub signal: &'static str,
    /// Pages with a value.
    pub pages: u64,
    /// Bins of the signal's values, in ascending order.
    pub bins: Vec<SignalBin>,
}

/// A sample page of a rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SampleRow {
    /// The URL, up to 500 characters; empty if unknown.
    pub url: String,
    /// Value of the rule's signal; `None` if the rule has no value.
    pub value: Option<f64>,
    /// The first 200 characters of the text.
    pub text: String,
}

/// Pages that break a rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleFigures {
    /// Name of the rule, as in the records.
    pub rule: String,
    /// The signal that it limits; `None` if it is not about a value.
    pub signal: Option<&'static str>,
    /// Least allowed value; `None` if the rule has none or the limit is not known.
    pub least: Option<f64>,
    /// Largest allowed value; `None` if the rule has none or the limit is not known.
    pub most: Option<f64>,
    /// Pages that break it.
    pub pages: u64,
    /// Their share of the pages with signals.
    pub pages_percent: Option<f64>,
    /// Pages for which it is the first broken rule.
    pub first_pages: u64,
    /// Up to five of the pages: those with the lowest hashes of their URLs.
    pub samples: Vec<SampleRow>,
}

/// Figures of quality signals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QualityFigures {
    /// Pages with signals.
    pub pages: u64,
    /// Pages that break a rule.
    pub noisy: u64,
    /// Share of pages that exceed a limit, in percent.
    pub noisy_percent: Option<f64>,
    /// The distribution of each signal.
    pub signals: Vec<SignalFigures>,
    /// The rules that pages break, and those with a known limit.
    pub rules: Vec<RuleFigures>,
}

impl Quality {
    /// Returns the figures; `None` if no page has signals. Without limits, only the rules that
    /// pages break are known.
    pub fn finish(mut self, limits: Option<&Limits>) -> Option<QualityFigures> {
        if self.pages == 0 {
            return None;
        }
        let signal = |(&place, counts): (&u8, &Vec<Counts>)| {
            let bins = Bins::of(name(place.into()));
            let bin = |(at, &(pages, beyond)): (usize, &Counts)| SignalBin {
                from: bins.from(at),
                to: (at + 1 < bins.count()).then(|| bins.from(at + 1)),
                pages,
                beyond,
            };
            SignalFigures {
                signal: name(place.into()),
                pages: counts.iter().fold(0, |sum, (pages, _)| sum.saturating_add(*pages)),
                bins: counts.iter().enumerate().map(bin).collect(),
            }
        };
        let signals = self.bins.iter().map(signal).collect();
        let mut figures = Vec::new();
        for (place, rule) in rules().iter().enumerate() {
            let bound = rule.noise.and_then(|noise| limits?.bound(noise));
            let broken = self.broken.remove(&(place as u8));
            if bound.is_none() && broken.is_none() {
                continue;
            }
            let broken = broken.unwrap_or_default();
            let row = |sample: Sample| SampleRow {
                url: sample.url,
                value: sample.value.map(f64::from_bits),
                text: sample.text,
            };
            let (least, most) = match bound {
                Some(Bound::Least(limit)) => (Some(limit), None),
                Some(Bound::Most(limit)) => (None, Some(limit)),
                None => (None, None),
            };
            figures.push(RuleFigures {
                rule: rule.name.clone(),
                signal: rule.signal.map(name),
                least,
                most,
                pages: broken.pages,
                pages_percent: percent(broken.pages, self.pages),
                first_pages: broken.first,
                samples: broken.samples.into_iter().map(row).collect(),
            });
        }
        Some(QualityFigures {
            pages: self.pages,
            noisy: self.noisy,
            noisy_percent: percent(self.noisy, self.pages),
            signals,
            rules: figures,
        })
    }
}
