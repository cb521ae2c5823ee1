//! Many crawls of many graphs, and what they have in common.

use crate::crawl::{crawl, CrawlSettings, Outcome};
use crate::graph::{Graph, Holdings, HostWealth};
use crate::policy::Policy;
use fastrand::Rng;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Where the seeds of a crawl come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mix {
    /// So many percent of them are pages in the language, the others any pages of the hosts that hold some of it.
    Rich(u8),
    /// The seeds of the crawl behind the graph.
    Injected,
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rich(percent) => write!(f, "{percent}/{}", 100 - percent),
            Self::Injected => write!(f, "injected"),
        }
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "injected" {
            return Ok(Self::Injected);
        }
        let percent = text.parse().ok().filter(|percent| *percent <= 100).map(Self::Rich);
        percent.ok_or_else(|| "allowed are the percent of seeds in the language, 0 to 100, and injected".to_owned())
    }
}

impl Serialize for Mix {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Draws seeds without repetition: `count` pages that answer, or the injected ones, whatever their number.
///
/// # Errors
/// One sentence when the graph has not enough pages for that.
pub fn draw_seeds(graph: &Graph, mix: Mix, count: usize, min_bytes: u32, seed: u64) -> Result<Vec<u32>, String> {
    let Mix::Rich(percent) = mix else {
        return match graph.injected() {
            [] => Err("the graph names no injected page, so the mix `injected` has no seeds".to_owned()),
            injected => Ok(injected.to_vec()),
        };
    };
    let mut rng = Rng::with_seed(seed);
    let rich_count = count * usize::from(percent) / 100;
    let pages = 0..graph.pages() as u32;
    let mut rich: Vec<u32> = pages.filter(|&page| graph.target(page).is_some_and(|bytes| bytes >= min_bytes)).collect();
    let mut seeds = choose(&mut rich, rich_count, &mut rng).ok_or_else(|| {
        format!("the graph has {} pages in the language, fewer than the {rich_count} seeds that are wanted", rich.len())
    })?;
    let mut taken = vec![false; graph.pages()];
    seeds.iter().for_each(|&page| taken[page as usize] = true);
    let mut others: Vec<u32> = (0..graph.hosts())
        .filter(|&host| graph.pages_of(host).any(|page| graph.target(page).is_some_and(|bytes| bytes > 0)))
        .flat_map(|host| graph.pages_of(host))
        .filter(|&page| graph.target(page).is_some() && !taken[page as usize])
        .collect();
    seeds.extend(choose(&mut others, count - rich_count, &mut rng).ok_or_else(|| {
        let wanted = count - rich_count;
        format!(
            "the hosts with the language have {} pages left, fewer than the {wanted} random seeds that are wanted",
            others.len()
        )
    })?);
    Ok(seeds)
}

/// So many of the pages, drawn without repetition; none when there are not so many.
fn choose(pages: &mut [u32], count: usize, rng: &mut Rng) -> Option<Vec<u32>> {
    if count > pages.len() {
        return None;
    }
    for at in 0..count {
        let other = rng.usize(at..pages.len());
        pages.swap(at, other);
    }
    Some(pages[..count].to_vec())
}

/// What is crawled, and how often.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// What every crawl is told.
    pub crawl: CrawlSettings,
    /// Seeds of a crawl.
    pub seeds: usize,
    /// Mixes of seeds.
    pub mixes: Vec<Mix>,
    /// Policies; the first crawls of every table are these, in this order.
    pub policies: Vec<Policy>,
    /// Random seeds, one for each draw.
    pub draws: Vec<u64>,
}

/// One crawl.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// Name of the web, when there are several.
    pub web: String,
    /// Random seed of the draw.
    pub draw: u64,
    /// Mix of seeds.
    pub mix: Mix,
    /// Policy.
    pub policy: Policy,
    /// What came out.
    pub outcome: Outcome,
}

/// What all crawls came to.
#[derive(Debug, Clone, Serialize)]
pub struct Results {
    /// What was done.
    pub plan: Plan,
    /// What each graph held: web, draw, holdings.
    pub graphs: Vec<(String, u64, Holdings)>,
    /// Every crawl, by web, draw, mix and policy in the order of the plan.
    pub runs: Vec<Run>,
}

/// A web: its name, and how its graph is had for a random seed.
pub type Web = (String, Box<dyn Fn(u64) -> Arc<Graph> + Sync>);

/// Runs a plan over webs, each made by a function of a random seed.
///
/// `done` is told how many crawls of a graph have ended.
///
/// # Errors
/// One sentence when a graph is too small for the seeds.
pub fn run(plan: &Plan, webs: &[Web], done: impl Fn(usize) + Sync) -> Result<Results, String> {
    let jobs: Vec<(&String, _, u64)> =
        webs.iter().flat_map(|(name, make)| plan.draws.iter().map(move |&draw| (name, make, draw))).collect();
    let parts: Result<Vec<_>, String> = jobs
        .into_par_iter()
        .map(|(name, make, draw)| {
            let graph = make(draw);
            let runs = crawls(&graph, plan, name, draw, &done)?;
            Ok(((name.clone(), draw, graph.holdings(plan.crawl.min_bytes)), runs))
        })
        .collect();
    let (graphs, runs): (Vec<_>, Vec<_>) = parts?.into_iter().unzip();
    Ok(Results { plan: plan.clone(), graphs, runs: runs.into_iter().flatten().collect() })
}

fn crawls(graph: &Graph, plan: &Plan, web: &str, draw: u64, done: &impl Fn(usize)) -> Result<Vec<Run>, String> {
    let wealth: Vec<HostWealth> = graph.wealth(plan.crawl.min_bytes);
    let mut runs = Vec::new();
    for &mix in &plan.mixes {
        let seeds = draw_seeds(graph, mix, plan.seeds, plan.crawl.min_bytes, draw)?;
        for &policy in &plan.policies {
            let outcome = crawl(graph, &wealth, &seeds, plan.crawl, policy, draw);
            runs.push(Run { web: web.to_owned(), draw, mix, policy, outcome });
        }
        done(plan.policies.len());
    }
    Ok(runs)
}

/// A figure over draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Least.
    pub min: f64,
    /// Greatest.
    pub max: f64,
}

impl Spread {
    /// Of some figures; all 0 when there are none.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Self {
        let figures: Vec<f64> = figures.into_iter().collect();
        if figures.is_empty() {
            return Self { mean: 0.0, min: 0.0, max: 0.0 };
        }
        Self {
            mean: figures.iter().sum::<f64>() / figures.len() as f64,
            min: figures.iter().copied().fold(f64::INFINITY, f64::min),
            max: figures.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

/// A policy beside the paper's score on the same graph from the same seeds.
#[derive(Debug, Clone, Copy)]
pub struct Beside {
    /// Mean yield less the mean's, percentage points.
    pub yield_points: f64,
    /// Hosts with text, as a multiple of the mean's.
    pub hosts: f64,
    /// Rich hosts found, as a multiple.
    pub rich_hosts: f64,
    /// Target bytes found, as a multiple.
    pub bytes: f64,
    /// Pages in the language, each text once, as a multiple.
    pub unique: f64,
    /// Pages fetched, as a multiple.
    pub fetched: f64,
}

impl Results {
    /// The crawls of one table row, draw by draw.
    pub fn of<'a>(&'a self, web: &'a str, mix: Mix, policy: Policy) -> impl Iterator<Item = &'a Run> {
        self.runs.iter().filter(move |run| run.web == web && run.mix == mix && run.policy == policy)
    }

    /// Names of the webs, in order.
    pub fn webs(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, ..) in &self.graphs {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// What the graph of a run holds.
    pub fn holdings(&self, run: &Run) -> Holdings {
        let found = self.graphs.iter().find(|(web, draw, _)| *web == run.web && *draw == run.draw);
        found.map(|&(.., holdings)| holdings).unwrap_or_default()
    }

    /// Every crawl of a policy beside the mean's of the same graph and seeds; empty when the plan has no `mean`.
    pub fn beside_mean(&self, policy: Policy) -> Vec<(&Run, Beside)> {
        let mut pairs = Vec::new();
        for run in self.runs.iter().filter(|run| run.policy == policy) {
            let same = |other: &&Run| {
                other.policy == Policy::mean() && other.web == run.web && other.draw == run.draw && other.mix == run.mix
            };
            if let Some(mean) = self.runs.iter().find(same) {
                let times = |a: f64, b: f64| if b > 0.0 { a / b } else { 1.0 };
                let (a, b) = (&run.outcome, &mean.outcome);
                pairs.push((
                    run,
                    Beside {
                        yield_points: a.mean_yield() - b.mean_yield(),
                        hosts: times(a.hosts_with_text as f64, b.hosts_with_text as f64),
                        rich_hosts: times(a.rich_hosts as f64, b.rich_hosts as f64),
                        bytes: times(a.bytes as f64, b.bytes as f64),
                        unique: times(a.unique() as f64, b.unique() as f64),
                        fetched: times(a.fetched() as f64, b.fetched() as f64),
                    },
                ));
            }
        }
        pairs
    }
}
