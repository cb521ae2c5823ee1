//! Comparison with a reference corpus on samples of equal size (W2C, section 5.2).
//!
//! Types, entropy and perplexity depend on the size of the text, so all corpora are sampled to the
//! tokens of the smallest one. A sample has the pages whose hashed URLs (or texts) are lowest; the
//! last page is cut, so that the numbers of tokens are equal to the token. The same corpus gives
//! the same sample.
//!
//! The ratio of the two values is flagged if it is outside the range of 5 to 95 % of W2C's 97
//! languages, web corpus over Wikipedia. A flag is a reason to read the text: W2C's outliers were
//! languages with bad text, and scripts whose sentences its tokenizer did not end.

use crate::letters::knows_letters;
use crate::measures::Plan;
use crate::page::{CorpusPage, PageView, Viewer};
use crate::pages::{failed, Failure, InputFigures, Inputs, Progress};
use crate::scratch::Scratch;
use crate::state::Accumulator;
use crate::tokens::Tokenizer;
use crate::words::{WordFigures, Words};
use rayon::prelude::*;
use records::Problem;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// Buckets of hashes; tokens are counted by bucket.
const BUCKETS: usize = 1 << 16;

/// A figure of a text.
struct Metric {
    name: &'static str,
    /// Range of 5 to 95 % of W2C's languages; `None` if W2C has no such figure.
    usual: Option<(f64, f64)>,
    of: fn(&WordFigures) -> Option<f64>,
}

const METRICS: [Metric; 7] = [
    Metric {
        name: "chars_per_type",
        usual: Some((0.97, 1.24)),
        of: |figures| figures.lengths.chars_per_type,
    },
    Metric {
        name: "tokens_per_sentence",
        usual: Some((0.72, 1.27)),
        of: |figures| figures.lengths.tokens_per_sentence,
    },
    Metric { name: "entropy", usual: Some((0.76, 1.15)), of: |figures| figures.lengths.entropy },
    Metric {
        name: "perplexity",
        usual: Some((0.49, 1.53)),
        of: |figures| figures.lengths.perplexity,
    },
    Metric { name: "chars_per_token", usual: None, of: |figures| figures.lengths.chars_per_token },
    Metric { name: "types", usual: None, of: |figures| Some(figures.vocabulary.types as f64) },
    Metric {
        name: "own_tokens_percent",
        usual: None,
        of: |figures| figures.vocabulary.own_tokens_percent,
    },
];

/// A figure of a corpus and of the reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricRow {
    /// Name of the figure, as in the figures of words.
    pub metric: &'static str,
    /// Its value in the corpus.
    pub value: Option<f64>,
    /// Its value in the reference.
    pub reference: Option<f64>,
    /// First value over the second.
    pub ratio: Option<f64>,
    /// Lower end of the usual range of the ratio.
    pub low: Option<f64>,
    /// Upper end of the usual range.
    pub high: Option<f64>,
    /// `low` or `high` if the ratio is below or above the range.
    pub flag: Option<&'static str>,
}

impl MetricRow {
    fn new(metric: &Metric, value: Option<f64>, reference: Option<f64>) -> Self {
        let ratio = value.zip(reference.filter(|&of| of > 0.0)).map(|(value, of)| value / of);
        let flag = match (ratio, metric.usual) {
            (Some(ratio), Some((low, _))) if ratio < low => Some("low"),
            (Some(ratio), Some((_, high))) if ratio > high => Some("high"),
            _ => None,
        };
        let (low, high) = metric.usual.unzip();
        Self { metric: metric.name, value, reference, ratio, low, high, flag }
    }
}

/// Compares the figures of two samples.
pub fn compare(corpus: &WordFigures, reference: &WordFigures) -> Vec<MetricRow> {
    let row = |metric: &Metric| MetricRow::new(metric, (metric.of)(corpus), (metric.of)(reference));
    METRICS.iter().map(row).collect()
}

/// Samples of equal size.
#[derive(Debug)]
pub struct Samples {
    /// Tokens of each sample.
    pub tokens: u64,
    /// The input of the last corpus.
    pub input: InputFigures,
    /// Figures of each sample.
    pub figures: Vec<WordFigures>,
}

/// Measures samples of the corpora that have the same number of tokens: that of the smallest
/// corpus. The last corpus is the reference. Reads each input twice. `memory` and `tell` are as in
/// [`analyze`](crate::analyze::analyze); `tell` receives only the problems of the reference.
///
/// # Errors
/// Fails as [`analyze`](crate::analyze::analyze).
pub fn samples(
    corpora: &[Inputs],
    plan: Plan,
    memory: usize,
    tell: &mut dyn FnMut(Result<Progress, &Problem>),
) -> Result<Samples, Failure> {
    let tokenizer = Tokenizer::with_scripts(plan.target, plan.scripts);
    let mut tallies = Vec::new();
    let mut input = InputFigures::default();
    for (at, inputs) in corpora.iter().enumerate() {
        let sums = sums(Tally::default);
        let mut tell = |news: Result<Progress, &Problem>| {
            // The problems of the others are known.
            if news.is_ok() || at + 1 == corpora.len() {
                tell(news);
            }
        };
        let add = |tally: &mut Tally, view: &PageView| tally.add(view);
        input = each(inputs, &tokenizer, &sums, &mut tell, &add)?;
        let mut all = Tally::default();
        sums.into_iter().for_each(|sum| {
            all.merge(&sum.into_inner().unwrap_or_else(PoisonError::into_inner));
        });
        tallies.push(all);
    }
    let tokens = tallies.iter().map(Tally::total).min().unwrap_or(0);
    let mut figures = Vec::new();
    for (inputs, tally) in corpora.iter().zip(&tallies) {
        let cut = tally.cut(tokens);
        let scratch = |parts: usize| Scratch::sharing(inputs.folder, memory / parts);
        let threads = rayon::current_num_threads();
        let sums = sums(|| Sample::new(cut, &scratch(threads)));
        let mut tell = |news: Result<Progress, &Problem>| {
            if news.is_ok() {
                tell(news);
            }
        };
        let add = |sample: &mut Sample, view: &PageView| sample.add(view);
        each(inputs, &tokenizer, &sums, &mut tell, &add)?;
        let mut all = Sample::new(cut, &scratch(1));
        for sum in sums {
            all.merge(sum.into_inner().unwrap_or_else(PoisonError::into_inner))
                .map_err(|error| failed(inputs.folder, error))?;
        }
        let own = knows_letters(plan.target, plan.scripts);
        let sample = all.finish(&tokenizer, own).map_err(|error| failed(inputs.folder, error))?;
        figures.push(sample);
    }
    Ok(Samples { tokens, input, figures })
}

/// Sums of each thread.
fn sums<S>(new: impl Fn() -> S) -> Vec<Mutex<S>> {
    (0..rayon::current_num_threads()).map(|_| Mutex::new(new())).collect()
}

/// Passes the pages of a corpus that have tokens to the sums of the threads.
fn each<S: Send>(
    inputs: &Inputs,
    tokenizer: &Tokenizer,
    sums: &[Mutex<S>],
    tell: &mut dyn FnMut(Result<Progress, &Problem>),
    add: &(dyn Fn(&mut S, &PageView) -> io::Result<()> + Sync),
) -> Result<InputFigures, Failure> {
    let mut take = |pages: Vec<CorpusPage>| {
        pages.par_chunks(16).try_for_each(|pages| {
            let thread = rayon::current_thread_index().unwrap_or(0) % sums.len();
            let mut sum = sums[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let mut viewer = Viewer::new(tokenizer);
            for page in pages.iter().filter(|page| page.kept && !page.gone) {
                let view = viewer.view(page);
                if !view.tokens.is_empty() {
                    add(&mut sum, &view)?;
                }
            }
            Ok(())
        })
    };
    inputs.pages(tell, &mut take)
}

/// The hash of a page, which decides whether it is in the sample.
fn key(page: &CorpusPage) -> u64 {
    xxh3_64(if page.url.is_empty() { page.text.as_bytes() } else { page.url.as_bytes() })
}

fn bucket(key: u64) -> usize {
    (key >> 48) as usize
}

/// Tokens by the bucket of their page.
struct Tally(Vec<u64>);

impl Default for Tally {
    fn default() -> Self {
        Self(vec![0; BUCKETS])
    }
}

impl Tally {
    #[allow(clippy::unnecessary_wraps)]
    fn add(&mut self, view: &PageView) -> io::Result<()> {
        self.0[bucket(key(view.page))] += view.tokens.len() as u64;
        Ok(())
    }

    fn merge(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, more)| *sum += more);
    }

    fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The cut after this number of tokens.
    fn cut(&self, tokens: u64) -> Cut {
        let mut rest = tokens;
        for (bucket, &count) in self.0.iter().enumerate() {
            if count > rest {
                return Cut { bucket, rest };
            }
            rest -= count;
        }
        Cut { bucket: BUCKETS, rest: 0 }
    }
}

/// The end of a sample: all buckets before this one, and the first tokens of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cut {
    bucket: usize,
    rest: u64,
}

/// The words of the pages before a cut; those of the bucket that it divides are kept until the end.
struct Sample {
    cut: Cut,
    words: Words,
    /// Pages of the bucket that is cut, by key and text, with their tokens and number.
    last: BTreeMap<(u64, String), (u64, u64)>,
    last_tokens: u64,
}

impl Sample {
    fn new(cut: Cut, scratch: &Scratch) -> Self {
        Self { cut, words: Words::new(scratch), last: BTreeMap::new(), last_tokens: 0 }
    }

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let key = key(view.page);
        match bucket(key) {
            bucket if bucket < self.cut.bucket => self.words.add(view),
            bucket if bucket == self.cut.bucket => {
                self.hold(key, view.page.text.clone(), (view.tokens.len() as u64, 1));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Holds a page of the last bucket, as long as its tokens may be needed. Memory is bounded by
    /// the tokens that the bucket adds.
    fn hold(&mut self, key: u64, text: String, (tokens, copies): (u64, u64)) {
        // Pages without URLs may be equal.
        self.last.entry((key, text)).or_insert((tokens, 0)).1 += copies;
        self.last_tokens += tokens * copies;
        while let Some(entry) = self.last.last_entry() {
            let (tokens, copies) = *entry.get();
            if self.last_tokens - tokens * copies < self.cut.rest {
                break;
            }
            self.last_tokens -= tokens * copies;
            entry.remove();
        }
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        other.last.into_iter().for_each(|((key, text), counts)| self.hold(key, text, counts));
        self.words.merge(other.words)
    }

    fn finish(mut self, tokenizer: &Tokenizer, own: bool) -> io::Result<WordFigures> {
        let mut viewer = Viewer::new(tokenizer);
        for ((_, text), (_, copies)) in std::mem::take(&mut self.last) {
            let page = CorpusPage { text, ..CorpusPage::default() };
            let view = viewer.view(&page);
            for _ in 0..copies {
                let most = usize::try_from(self.cut.rest).unwrap_or(usize::MAX);
                let tokens = &view.tokens[..view.tokens.len().min(most)];
                self.words.add(&PageView { page: &page, tokens })?;
                self.cut.rest -= tokens.len() as u64;
            }
        }
        self.words.finish(own)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn flag(metric: &str, corpus: f64, reference: f64) -> Option<&'static str> {
        let metric = METRICS.iter().find(|known| known.name == metric).unwrap();
        MetricRow::new(metric, Some(corpus), Some(reference)).flag
    }

    #[test]
    fn ratios_outside_the_usual_range_are_flagged() {
        // W2C's Urdu: word length, sentence length, entropy, perplexity of web and Wikipedia.
        assert_eq!(flag("chars_per_type", 6.43, 5.92), None);
        assert_eq!(flag("tokens_per_sentence", 151.9, 429.5), Some("low"));
        assert_eq!(flag("entropy", 6.46, 6.43), None);
        assert_eq!(flag("perplexity", 87.8, 86.4), None);
        assert_eq!(flag("perplexity", 154.0, 100.0), Some("high"));
        assert_eq!(flag("types", 1000.0, 1.0), None, "W2C has no range");
        assert_eq!(flag("entropy", 1.0, 0.0), None, "no ratio");
    }

    /// W2C's table of 97 languages: 25 have a flag, among them those that its author names.
    #[test]
    fn the_languages_that_w2c_names_are_flagged() {
        let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/facts/w2c.md");
        let Ok(text) = std::fs::read_to_string(table) else {
            println!("skipped: needs ../shared");
            return;
        };
        let mut flagged = Vec::new();
        for line in text.lines() {
            let cells: Vec<&str> = line.split('|').collect();
            let number = |at: usize| cells.get(at).and_then(|cell| cell.parse::<f64>().ok());
            let pairs = [12, 14, 16, 18].map(|at| Some((number(at + 1)?, number(at)?)));
            if cells.len() < 20 || cells[0].len() != 3 || pairs.iter().any(Option::is_none) {
                continue;
            }
            let odd = METRICS.iter().zip(pairs.iter().flatten());
            if odd.into_iter().any(|(metric, &(web, wiki))| flag(metric.name, web, wiki).is_some())
            {
                flagged.push(cells[0]);
            }
        }
        assert_eq!(flagged.len(), 25, "{flagged:?}");
        for named in ["jpn", "oci", "scn", "mri", "mlg", "zho", "nep", "urd"] {
            assert!(flagged.contains(&named), "{named}");
        }
    }

    #[test]
    fn a_cut_takes_whole_buckets_and_the_rest_of_one() {
        let mut tally = Tally::default();
        (tally.0[3], tally.0[9], tally.0[BUCKETS - 1]) = (10, 20, 30);
        assert_eq!(tally.cut(0), Cut { bucket: 3, rest: 0 });
        assert_eq!(tally.cut(10), Cut { bucket: 9, rest: 0 });
        assert_eq!(tally.cut(29), Cut { bucket: 9, rest: 19 });
        assert_eq!(tally.cut(60), Cut { bucket: BUCKETS, rest: 0 });
    }

    #[test]
    fn samples_have_exactly_their_tokens_whatever_the_threads() {
        let tokenizer = Tokenizer::new("eng".parse().unwrap());
        let pages: Vec<CorpusPage> = (0..300)
            .map(|n| CorpusPage {
                url: if n % 3 > 0 { format!("http://a.example/{n}") } else { String::new() },
                text: format!("{} ", n % 7).repeat(1 + n % 13),
                kept: true,
                ..CorpusPage::default()
            })
            .collect();
        let folder = std::env::temp_dir();
        let scratch = Scratch::new(&folder, 1 << 16);
        let mut tally = Tally::default();
        let mut viewer = Viewer::new(&tokenizer);
        pages.iter().for_each(|page| tally.add(&viewer.view(page)).unwrap());
        for tokens in [1, 2, 500, 1000, tally.total()] {
            let figures = |parts: usize| {
                let cut = tally.cut(tokens);
                let mut all = Sample::new(cut, &scratch);
                for part in pages.chunks(pages.len() / parts) {
                    let mut sample = Sample::new(cut, &scratch);
                    let mut viewer = Viewer::new(&tokenizer);
                    part.iter().for_each(|page| sample.add(&viewer.view(page)).unwrap());
                    all.merge(sample).unwrap();
                }
                all.finish(&tokenizer, true).unwrap()
            };
            let one = figures(1);
            assert_eq!(one.vocabulary.tokens, tokens);
            assert_eq!(one, figures(7));
        }
    }
}
