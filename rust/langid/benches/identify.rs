//! Speed of the identifiers, in bytes of text per second: `cargo bench -p langid`.
//!
//! The text is generated from random letters, with the word frequencies of Zipf's law, and is the
//! same in every run. It shows how the speed depends on the size of the tables. If the shared
//! folder has training and development text, the identifiers are also measured on real sentences of
//! all its languages; otherwise the benchmark prints that it skips them.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use langid::{
    train, Cld2, Combined, Heli, HeliSettings, Identify, Keep, LangCode, LanguageModel, Pack, Text,
    TrainSettings, W2c, W2cSettings,
};
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Languages of the made text.
const LANGUAGES: [&str; 20] = [
    "eng", "fra", "deu", "spa", "ita", "por", "nld", "swe", "dan", "fin", "est", "lav", "lit",
    "pol", "ces", "slk", "hun", "ron", "tur", "cat",
];
/// Characters of an excerpt.
const EXCERPT: usize = 100;

/// Numbers that look random (xorshift), the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }

    /// A rank below `count`, rank r with a share of about 1 / r.
    fn zipf(&mut self, count: usize) -> usize {
        let even = self.below(1 << 30) as f64 / f64::from(1 << 30);
        ((count as f64).powf(even) as usize).min(count) - 1
    }

    fn word(&mut self) -> String {
        (0..3 + self.below(7))
            .map(|_| char::from(b'a' + u8::try_from(self.below(26)).unwrap()))
            .collect()
    }
}

/// The words of each language.
fn vocabularies(words: usize) -> Vec<Vec<String>> {
    (1..=LANGUAGES.len() as u64)
        .map(|seed| {
            let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            (0..words).map(|_| random.word()).collect()
        })
        .collect()
}

/// The first `words` words of each language, for training.
fn made(vocabularies: &[Vec<String>], words: usize) -> Vec<(LangCode, String)> {
    let text = |vocabulary: &Vec<String>| vocabulary[..words].join(" ");
    LANGUAGES.iter().map(|code| code.parse().unwrap()).zip(vocabularies.iter().map(text)).collect()
}

fn borrowed(texts: &[(LangCode, String)]) -> Vec<(LangCode, &str)> {
    texts.iter().map(|(language, text)| (*language, text.as_str())).collect()
}

/// Excerpts in all languages, of words from the first `words` of each.
fn excerpts(vocabularies: &[Vec<String>], words: usize) -> Vec<String> {
    let mut random = Random(7);
    (0..4000)
        .map(|number| {
            let vocabulary = &vocabularies[number % vocabularies.len()];
            let mut excerpt = String::new();
            while excerpt.len() < EXCERPT {
                excerpt += &vocabulary[random.zipf(words)];
                excerpt.push(' ');
            }
            excerpt
        })
        .collect()
}

fn run(identifier: &dyn Identify, texts: &[String]) {
    for text in texts {
        black_box(identifier.identify(text, None));
    }
}

fn measure(criterion: &mut Criterion, group: &str, of: &[(&str, &dyn Identify)], texts: &[String]) {
    let mut group = criterion.benchmark_group(group);
    group
        .sample_size(10)
        .throughput(Throughput::Bytes(texts.iter().map(|text| text.len() as u64).sum()));
    for (name, identifier) in of {
        group.bench_function(BenchmarkId::from_parameter(name), |bench| {
            bench.iter(|| run(*identifier, texts))
        });
    }
    group.finish();
}

fn best_time(identifier: &dyn Identify, texts: &[String]) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run(identifier, texts);
        start.elapsed()
    };
    (0..10).map(time).min().unwrap()
}

/// Measures the same text with tables of one and of ten times the number of words. Either all words
/// of the text are in both tables, or none (they are spelt backwards). A remaining difference is
/// the cost of cache misses.
fn made_text(criterion: &mut Criterion) {
    let (few, many) = (2000, 20_000);
    let vocabularies = vocabularies(many);
    let (few_words, many_words) = (made(&vocabularies, few), made(&vocabularies, many));
    let settings = HeliSettings { keep: Keep::Top(usize::MAX), ..HeliSettings::default() };
    let (small, large) = (
        Heli::train(&borrowed(&few_words), settings),
        Heli::train(&borrowed(&many_words), settings),
    );
    let any_length = W2cSettings { min_words: 0, min_characters: 0, ..W2cSettings::default() };
    let w2c = W2c::train(&borrowed(&many_words), any_length);
    let words = excerpts(&vocabularies, few);
    let unknown: Vec<String> = words.iter().map(|text| text.chars().rev().collect()).collect();
    for (kind, texts) in [("known", &words), ("unknown", &unknown)] {
        let (in_small, in_large) = (best_time(&small, texts), best_time(&large, texts));
        println!(
            "heli, {kind} words: {:.2} times the time with {:.1} times the tokens ({} and {}); {:.0} excerpts/s",
            in_large.as_secs_f64() / in_small.as_secs_f64(),
            large.tokens() as f64 / small.tokens() as f64,
            small.tokens(),
            large.tokens(),
            texts.len() as f64 / in_large.as_secs_f64(),
        );
        let identifiers: [(&str, &dyn Identify); 4] =
            [("heli small", &small), ("heli large", &large), ("w2c", &w2c), ("cld2", &Cld2)];
        measure(criterion, &format!("{kind} words"), &identifiers, texts);
    }
}

/// The files of a folder, by language.
fn texts(folder: &Path) -> Vec<(LangCode, String)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let language = |path: &PathBuf| path.file_stem()?.to_str()?.parse().ok();
    let mut texts: Vec<(LangCode, String)> = paths
        .filter_map(|path| Some((language(&path)?, fs::read_to_string(&path).ok()?)))
        .collect();
    texts.sort();
    texts
}

/// One line of each language after another.
fn in_turn(texts: &[(LangCode, String)]) -> Vec<String> {
    let lines: Vec<Vec<&str>> = texts.iter().map(|(_, text)| text.lines().collect()).collect();
    let most = lines.iter().map(Vec::len).max().unwrap_or(0);
    let turn = |at: usize| lines.iter().filter_map(move |lines| Some((*lines.get(at)?).to_owned()));
    (0..most).flat_map(turn).collect()
}

/// The default, without packs and with those of the distribution, beside CLD2: the ratios of the
/// times for every other text, where the texts between them were read before, as in running text.
fn beside_cld2(name: &str, texts: &[String]) {
    const ROUNDS: usize = 5;
    let every_other = |first| texts.iter().skip(first).step_by(2).cloned().collect::<Vec<_>>();
    let (before, texts) = (every_other(0), every_other(1));
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let pack = |file: &&str| Pack::of_bytes(fs::read(models.join(file)).unwrap()).unwrap();
    let seconds = |of: &dyn Fn() -> Box<dyn Identify>| {
        let time = |_| {
            let identifier = of();
            run(&*identifier, &before);
            let start = Instant::now();
            run(&*identifier, &texts);
            start.elapsed().as_secs_f64()
        };
        (0..ROUNDS).map(time).fold(f64::INFINITY, f64::min)
    };
    let combined = |packs: &'static [&str]| {
        move || -> Box<dyn Identify> {
            Box::new(Combined::new(packs.iter().map(pack).collect(), None))
        }
    };
    let cld2 = seconds(&|| Box::new(Cld2));
    println!(
        "{name}: combined takes {:.2} times the time of cld2, with all packs {:.2} times",
        seconds(&combined(&[])) / cld2,
        seconds(&combined(&["seed.pack", "far.pack"])) / cld2,
    );
}

/// All identifiers on real sentences, and on pages of ten of them.
fn real_text(criterion: &mut Criterion) {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("CORPULYZER_SHARED").map_or(beside, PathBuf::from);
    let train = texts(&shared.join("data/langid/train"));
    let sentences: Vec<(LangCode, String)> = texts(&shared.join("data/langid/dev"));
    if train.is_empty() || sentences.is_empty() {
        println!("no training or development text in the shared folder: real text is left out");
        return;
    }
    let pages: Vec<String> = sentences
        .iter()
        .flat_map(|(_, text)| {
            text.lines()
                .collect::<Vec<_>>()
                .chunks(10)
                .map(|lines| lines.join(" "))
                .collect::<Vec<_>>()
        })
        .collect();
    beside_cld2("lines of all languages in turn", &in_turn(&sentences));
    beside_cld2("pages of one language", &pages);
    let sentences: Vec<String> =
        sentences.iter().flat_map(|(_, text)| text.lines().map(str::to_owned)).collect();
    let heli = Heli::train(&borrowed(&train), HeliSettings::default());
    let w2c = W2c::train(&borrowed(&train), W2cSettings::default());
    let combined = Combined::new(Vec::new(), None);
    let identifiers: [(&str, &dyn Identify); 4] =
        [("combined", &combined), ("heli", &heli), ("w2c", &w2c), ("cld2", &Cld2)];
    measure(criterion, "sentences", &identifiers, &sentences);
    measure(criterion, "pages", &identifiers, &pages);
    counting(&train);
    table_size(&train, &sentences);
}

/// The work of counting a page's bytes, for targets in three scripts, over the second half of a
/// text: by CLD2, by the default where it has met that half before, and where it has read the first
/// half only, as in a crawl. Each page's best time of ten counts, so that what else the machine
/// does is left out.
fn counting(texts: &[(LangCode, String)]) {
    const ROUNDS: usize = 10;
    for target in ["urd", "myv", "sme"].map(|code| code.parse().unwrap()) {
        let Some((_, text)) = texts.iter().find(|(language, _)| *language == target) else {
            continue;
        };
        let pages: Vec<String> =
            text.lines().collect::<Vec<_>>().chunks(10).map(|lines| lines.join(" ")).collect();
        let (before, pages) = pages.split_at(pages.len() / 2);
        let mut best = vec![[Duration::MAX; 3]; pages.len()];
        let met = Combined::new(Vec::new(), Some(target));
        for _ in 0..ROUNDS {
            let running = Combined::new(Vec::new(), Some(target));
            before.iter().for_each(|page| drop(black_box(running.runs(page))));
            for (at, identifier) in [&Cld2 as &dyn Identify, &met, &running].into_iter().enumerate()
            {
                for (page, best) in pages.iter().zip(&mut best) {
                    let start = Instant::now();
                    black_box(identifier.runs(page));
                    best[at] = best[at].min(start.elapsed());
                }
            }
        }
        let bytes: usize = pages.iter().map(String::len).sum();
        let speed = |at: usize| {
            let time: Duration = best.iter().map(|best| best[at]).sum();
            bytes as f64 / f64::from(1 << 20) / time.as_secs_f64()
        };
        println!(
            "bytes of {target}, MiB/s: cld2 {:.1}; combined {:.1} met before, {:.1} as running text",
            speed(0),
            speed(1),
            speed(2)
        );
    }
}

/// Time of the language models for the same sentences with tables of ten times the entries.
fn table_size(texts: &[(LangCode, String)], sentences: &[String]) {
    let texts: Vec<Text> =
        texts.iter().map(|(language, text)| Text { language: *language, text }).collect();
    let of = |max_entries| {
        let pack = Pack::of_bytes(
            train(&texts, TrainSettings { max_entries, ..TrainSettings::default() }).unwrap(),
        );
        LanguageModel::new(vec![pack.unwrap()])
    };
    let [small, large] = [1_000, 10_000].map(|entries| best_time(&of(entries), sentences));
    println!(
        "models: {:.2} times the time with 10 times the entries",
        large.as_secs_f64() / small.as_secs_f64()
    );
}

criterion_group!(benches, made_text, real_text);
criterion_main!(benches);
