//! Simulates crawls with different scores.

use crate::arguments::{whole, AsJson};
use crate::context::Context;
use crate::io::console::{about, counted, print, progress_target};
use crate::io::corpora::style;
use crate::io::input;
use crate::io::output::{apart, named, FilePlace};
use ::simulate::experiment::{self, Mix, Plan, Web};
use ::simulate::generate::MAX_LANGUAGES;
use ::simulate::links::{self, Reader};
use ::simulate::{plot, table, Changes, CrawlSettings, Graph, Policy};
use anyhow::{anyhow, bail, Result};
use indicatif::ProgressBar;
use properties::{PAGE_MIN_BYTES, SCORE_UNKNOWN};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Compare score policies in simulated crawls of generated webs, or of the link graph of your own
/// crawl
#[derive(clap::Args)]
pub struct Arguments {
    /// Link graph of a crawl: a file of LinkGraphExport or a folder of its part files. - is
    /// standard input
    #[arg(long, value_name = "PATH", conflicts_with_all = ["webs", "pages", "hosts", "locality"])]
    graph: Option<PathBuf>,
    /// Generated webs, separated by commas: default, local, flat, sparse, noisy, long, or all of
    /// these; traps, sparse-traps; webs with sections: sections and others (docs/steering.md)
    #[arg(long = "web", value_name = "NAMES", value_delimiter = ',', default_value = "default")]
    webs: Vec<String>,
    /// Pages of a generated web
    #[arg(long, value_name = "N", value_parser = whole::<u32>(100..=100_000_000))]
    pages: Option<u32>,
    /// Hosts of a generated web
    #[arg(long, value_name = "N", value_parser = whole::<u32>(10..=50_000_000))]
    hosts: Option<u32>,
    /// Share of links that stay on their host
    #[arg(long, value_name = "SHARE", value_parser = crate::arguments::share)]
    locality: Option<f64>,
    /// Several target languages: their shares of the hosts with text, separated by commas, such as
    /// 1,1,1 [default: one language]
    #[arg(long, value_name = "SHARES", value_delimiter = ',', value_parser = weight)]
    #[arg(conflicts_with = "graph")]
    languages: Option<Vec<f64>>,
    /// With --languages: bytes to fetch of each language; k, M and G allowed. A language that lacks
    /// less of them weighs less (corpulyzer.score.targetBytes) [default: equal weights]
    #[arg(long, value_name = "BYTES", value_parser = bytes, requires = "languages")]
    target_bytes: Option<u64>,
    /// Policies, separated by commas, or paper, or all (docs/steering.md)
    #[arg(long = "policy", value_name = "POLICIES", value_delimiter = ',')]
    #[arg(default_value = "paper")]
    policies: Vec<String>,
    /// Percentages of the seeds that are in the language, separated by commas; none: pages of any
    /// host, none in the language; injected: the seeds of --graph
    #[arg(long = "mix", value_name = "PERCENTS", value_delimiter = ',')]
    mixes: Option<Vec<Mix>>,
    /// Seeds per crawl
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = whole::<u32>(1..))]
    seeds: u32,
    /// URLs per round
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = whole::<u32>(1..))]
    top: u32,
    /// Rounds per crawl
    #[arg(long, default_value_t = 11, value_name = "N", value_parser = whole::<u32>(1..=1000))]
    rounds: u32,
    /// Smallest size of a page, in bytes of the language (corpulyzer.page.minBytes)
    #[arg(long, default_value_t = PAGE_MIN_BYTES.default as u32, value_name = "BYTES")]
    #[arg(value_parser = whole::<u32>(1..))]
    min_bytes: u32,
    /// Score of hosts without a fetched page (corpulyzer.score.unknown)
    #[arg(long, default_value_t = SCORE_UNKNOWN.default.unwrap_or(PAGE_MIN_BYTES.default as f32))]
    #[arg(value_name = "BYTES", value_parser = score)]
    unknown: f32,
    /// Number of generated webs, or of draws of seeds from --graph
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = whole::<u64>(1..=1000))]
    draws: u64,
    /// Random seed of the first draw. The next draws take the next numbers
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>(0..))]
    random_seed: u64,
    /// File for a plot of the results (SVG)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    json: AsJson,
}

fn score(text: &str) -> Result<f32> {
    let score = text.parse::<f32>().ok().filter(|score| score.is_finite() && *score >= 0.0);
    score.ok_or_else(|| anyhow!("allowed are finite numbers from 0 on"))
}

fn weight(text: &str) -> Result<f64> {
    let weight = text.parse::<f64>().ok().filter(|weight| *weight > 0.0 && *weight <= 1e6);
    weight.ok_or_else(|| anyhow!("allowed are numbers above 0, at most 1000000"))
}

/// Reads a number of bytes as `crawl --target-bytes` does.
fn bytes(text: &str) -> Result<u64> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'k') => (&text[..text.len() - 1], 1_000),
        Some(b'M') => (&text[..text.len() - 1], 1_000_000),
        Some(b'G') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    let number = digits.parse::<u64>().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()));
    let number = number.and_then(|number| number.checked_mul(unit)).filter(|&number| number > 0);
    number.ok_or_else(|| anyhow!("allowed is a number such as 500k, 50M or 2G"))
}

/// Crawls and prints the tables.
///
/// # Errors
/// Fails if a policy or web is unknown, the graph cannot be read, or an output cannot be written.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let max_line = context.max_bytes;
    let mut plan = plan(arguments)?;
    // Checked before the work.
    let outputs = named([(arguments.svg.as_ref(), "--svg")]);
    apart(&outputs, None)?;
    let svg = FilePlace::of(arguments.svg.as_deref(), "--svg")?;
    let results = match &arguments.graph {
        Some(path) => {
            let graph = Arc::new(read(path, max_line, &outputs)?);
            plan.mixes = mixes(arguments, !graph.injected().is_empty());
            // Injected seeds are the same in every draw.
            if plan.mixes == [Mix::Injected] {
                plan.draws.truncate(1);
            }
            let wanted = plan.crawl.rounds.saturating_mul(plan.crawl.top);
            if wanted >= graph.pages() {
                eprintln!(
                    "corpulyzer: {} of {} fetch all {} of the graph, so policies will differ little; ask for fewer with --top",
                    counted(u64::from(arguments.rounds), "round"),
                    counted(u64::from(arguments.top), "URL"),
                    counted(graph.pages() as u64, "page")
                );
            }
            crawl(&plan, &[(input::name(path), Box::new(move |_| graph.clone()))])?
        }
        None => {
            let changes = Changes {
                pages: arguments.pages.map(|pages| pages as usize),
                hosts: arguments.hosts.map(|hosts| hosts as usize),
                locality: arguments.locality,
                languages: arguments.languages.clone(),
            };
            let webs = changes.webs(&arguments.webs).map_err(|bad| misuse!("{bad}"))?;
            crawl(&plan, &webs)?
        }
    };
    if let Some(place) = svg {
        place.write(plot::svg(&results).as_bytes())?;
    }
    match arguments.json.is_asked {
        // All figures of each crawl, of which the tables have the means.
        true => print((serde_json::to_string(&results)? + "\n").as_bytes()),
        false => print(table::text(&results).as_bytes()),
    }
}

fn plan(arguments: &Arguments) -> Result<Plan> {
    let languages = arguments.languages.as_ref().map_or(1, Vec::len);
    if languages > MAX_LANGUAGES {
        bail!(misuse!("--languages has {languages} shares; allowed are 1 to {MAX_LANGUAGES}"));
    }
    let least = arguments.top.min(arguments.seeds);
    if (least as usize) < languages {
        bail!(misuse!(
            "--top and --seeds have less than one URL for each of {languages} languages; allowed \
             are {languages} or more"
        ));
    }
    let policies =
        Policy::of_groups(&arguments.policies).map_err(|bad| misuse!("{bad}; or paper, or all"))?;
    Ok(Plan {
        crawl: CrawlSettings {
            rounds: arguments.rounds as usize,
            top: arguments.top as usize,
            min_bytes: arguments.min_bytes,
            unknown: arguments.unknown,
            quota: arguments.target_bytes,
        },
        seeds: arguments.seeds as usize,
        mixes: mixes(arguments, false),
        policies,
        draws: (0..arguments.draws).map(|draw| arguments.random_seed.wrapping_add(draw)).collect(),
    })
}

fn mixes(arguments: &Arguments, injected: bool) -> Vec<Mix> {
    match &arguments.mixes {
        Some(mixes) => mixes.clone(),
        None if injected => vec![Mix::Injected],
        None => vec![Mix::Rich(50), Mix::Rich(25), Mix::Rich(0)],
    }
}

fn crawl(plan: &Plan, webs: &[Web]) -> Result<experiment::Results> {
    let crawls = webs.len() * plan.draws.len() * plan.mixes.len() * plan.policies.len();
    let bar = ProgressBar::with_draw_target(Some(crawls as u64), progress_target());
    bar.set_style(style("{wide_bar} {pos} of {len} crawls, {eta} left"));
    let results = experiment::run(plan, webs, |done| bar.inc(done as u64));
    bar.finish_and_clear();
    Ok(results?)
}

/// Reads a file, or the part files of a folder in the order of their names.
fn read(path: &Path, max_line: u64, outputs: &[(&Path, &str)]) -> Result<Graph> {
    let max_line = usize::try_from(max_line).unwrap_or(usize::MAX);
    let failed = |path: &Path| about(input::name(path));
    let files = links::files(path).map_err(failed(path))?;
    if files.is_empty() {
        bail!("{}: this folder has no file part-*", path.display());
    }
    apart(outputs, files.iter().map(PathBuf::as_path))?;
    let mut reader = Reader::default();
    for file in &files {
        reader.read(input::open(file)?, &input::name(file), max_line).map_err(failed(file))?;
    }
    let (graph, reading) = reader.finish();
    for reason in &reading.reasons {
        eprintln!("corpulyzer: {reason}");
    }
    if reading.bad > 0 {
        eprintln!("corpulyzer: skipped {} that could not be read", counted(reading.bad, "line"));
    }
    note!(
        "corpulyzer: {} fetched, {} gone; skipped {} never fetched, and {} to such pages",
        counted(reading.fetched, "page"),
        reading.gone,
        reading.unfetched,
        counted(reading.links_dropped, "link")
    );
    if reading.fetched == 0 {
        bail!(
            "{}: the graph has no fetched page, so there is nothing to replay",
            input::name(path)
        );
    }
    Ok(graph)
}
