//! Series of crawls over several graphs, and their comparison.

use crate::crawl::{crawl, CrawlSettings, Outcome};
use crate::graph::{Graph, Holdings, HostWealth};
use crate::policy::Policy;
use fastrand::Rng;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The source of a crawl's seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mix {
    /// This percentage of the seeds are pages in the language; the others are any pages of hosts
    /// with text in it.
    Rich(u8),
    /// No seed is in the language, and seeds are pages of any hosts.
    None,
    /// The seeds of the crawl behind the graph.
    Injected,
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rich(percent) => write!(f, "{percent}/{}", 100 - percent),
            Self::None => write!(f, "none"),
            Self::Injected => write!(f, "injected"),
        }
    }
}

/// A text that is not a mix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "allowed are percentages of the seeds that are in the language, 0 to 100, none or injected"
)]
pub struct BadMix;

impl FromStr for Mix {
    type Err = BadMix;

    fn from_str(text: &str) -> Result<Self, BadMix> {
        match text {
            "none" => Ok(Self::None),
            "injected" => Ok(Self::Injected),
            text => {
                let percent = text.parse().ok().filter(|percent| *percent <= 100);
                percent.map(Self::Rich).ok_or(BadMix)
            }
        }
    }
}

impl Serialize for Mix {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A graph has too few pages for the seeds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TooFewPages {
    /// No page is injected.
    #[error("the graph names no injected page, so the mix `injected` has no seeds")]
    Injected,
    /// Too few pages are in the language.
    #[error("the graph has {has} pages in the language, fewer than the {wanted} seeds that are requested")]
    Rich {
        /// Pages in the language.
        has: usize,
        /// Seeds in the language.
        wanted: usize,
    },
    /// Too few pages are not in the language.
    #[error("the graph has {has} pages that are not in the language, fewer than the {wanted} seeds that are requested")]
    None {
        /// Pages that are not in the language.
        has: usize,
        /// Number of seeds that are asked for.
        wanted: usize,
    },
    /// Too few other pages are on hosts with the language.
    #[error(
        "the hosts with the language have {has} pages left, fewer than the {wanted} random seeds that are requested"
    )]
    Random {
        /// Pages that are left.
        has: usize,
        /// Number of random seeds that are asked for.
        wanted: usize,
    },
}

/// Draws seeds without repetition: `count` pages that respond, or all injected ones.
///
/// # Errors
/// Fails if the graph has too few pages.
pub fn draw_seeds(
    graph: &Graph,
    mix: Mix,
    count: usize,
    min_bytes: u32,
    seed: u64,
) -> Result<Vec<u32>, TooFewPages> {
    let mut rng = Rng::with_seed(seed);
    let percent = match mix {
        Mix::Rich(percent) => percent,
        Mix::None => return draw_poor_seeds(graph, count, min_bytes, &mut rng),
        Mix::Injected => {
            let injected = Some(graph.injected().to_vec()).filter(|pages| !pages.is_empty());
            return injected.ok_or(TooFewPages::Injected);
        }
    };
    let rich_count = count * usize::from(percent) / 100;
    let pages = 0..graph.pages() as u32;
    let mut rich: Vec<u32> =
        pages.filter(|&page| graph.target(page).is_some_and(|bytes| bytes >= min_bytes)).collect();
    let mut seeds = choose(&mut rich, rich_count, &mut rng)
        .ok_or(TooFewPages::Rich { has: rich.len(), wanted: rich_count })?;
    let mut taken = vec![false; graph.pages()];
    seeds.iter().for_each(|&page| taken[page as usize] = true);
    let mut others: Vec<u32> = (0..graph.hosts())
        .filter(|&host| {
            graph.pages_of(host).any(|page| graph.target(page).is_some_and(|bytes| bytes > 0))
        })
        .flat_map(|host| graph.pages_of(host))
        .filter(|&page| graph.target(page).is_some() && !taken[page as usize])
        .collect();
    let wanted = count - rich_count;
    let random = choose(&mut others, wanted, &mut rng);
    seeds.extend(random.ok_or(TooFewPages::Random { has: others.len(), wanted })?);
    Ok(seeds)
}

/// Draws seeds that are not in the language.
fn draw_poor_seeds(
    graph: &Graph,
    count: usize,
    min_bytes: u32,
    rng: &mut Rng,
) -> Result<Vec<u32>, TooFewPages> {
    let pages = 0..graph.pages() as u32;
    let is_poor = |&page: &u32| graph.target(page).is_some_and(|bytes| bytes < min_bytes);
    let mut poor: Vec<u32> = pages.filter(is_poor).collect();
    choose(&mut poor, count, rng).ok_or(TooFewPages::None { has: poor.len(), wanted: count })
}

/// Draws `count` of the pages without repetition; `None` if there are fewer.
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

/// The plan of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// Settings of every crawl.
    pub crawl: CrawlSettings,
    /// Number of seeds of a crawl.
    pub seeds: usize,
    /// Mixes of seeds.
    pub mixes: Vec<Mix>,
    /// Policies, in the order of the table rows.
    pub policies: Vec<Policy>,
    /// Random seeds, one per draw.
    pub draws: Vec<u64>,
}

/// One simulated crawl: what was crawled, how, and with which result.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// Name of the web, if there are several.
    pub web: String,
    /// Random seed of the draw.
    pub draw: u64,
    /// Mix of seeds.
    pub mix: Mix,
    /// Policy that scores its rows.
    pub policy: Policy,
    /// What the crawl found in each round.
    pub outcome: Outcome,
    /// If the graph has several target languages: crawls of the same graph for each language alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alone: Vec<Alone>,
}

/// Crawls for one of several target languages alone, from its part of the seeds.
#[derive(Debug, Clone, Serialize)]
pub struct Alone {
    /// With its part of the URLs of a round: all URLs / languages.
    pub part: Outcome,
    /// With all URLs of a round.
    pub whole: Outcome,
}

/// The results of all crawls.
#[derive(Debug, Clone, Serialize)]
pub struct Results {
    /// The settings of the crawls, with mixes, policies and draws.
    pub plan: Plan,
    /// The holdings of each graph: web, draw, holdings.
    pub graphs: Vec<(String, u64, Holdings)>,
    /// If there are several target languages, the holdings of each graph in each language.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<(String, u64, Vec<Holdings>)>,
    /// Every crawl, by web, draw, mix and policy in the order of the plan.
    pub runs: Vec<Run>,
    /// The crawl of the oracle for each web, draw and mix: the bound for all policies.
    pub oracles: Vec<Run>,
}

/// A web: its name, and a function from a random seed to its graph.
pub type Web = (String, Box<dyn Fn(u64) -> Arc<Graph> + Sync>);

/// Runs a plan over webs.
///
/// `done` receives the number of finished crawls of a graph.
///
/// # Errors
/// Fails if a graph is too small for the seeds.
pub fn run(plan: &Plan, webs: &[Web], done: impl Fn(usize) + Sync) -> Result<Results, TooFewPages> {
    let jobs: Vec<(&String, _, u64)> = webs
        .iter()
        .flat_map(|(name, make)| plan.draws.iter().map(move |&draw| (name, make, draw)))
        .collect();
    let parts: Result<Vec<_>, TooFewPages> = jobs
        .into_par_iter()
        .map(|(name, make, draw)| {
            let graph = make(draw);
            let crawls = crawls(&graph, plan, name, draw, &done)?;
            let holdings = graph.holdings(plan.crawl.min_bytes);
            Ok(((name.clone(), draw, holdings), crawls))
        })
        .collect();
    let (graphs, languages) = (Vec::new(), Vec::new());
    let (runs, oracles) = (Vec::new(), Vec::new());
    let mut results = Results { plan: plan.clone(), graphs, languages, runs, oracles };
    for ((web, draw, holdings), crawls) in parts? {
        if !crawls.languages.is_empty() {
            results.languages.push((web.clone(), draw, crawls.languages));
        }
        results.graphs.push((web, draw, holdings));
        results.runs.extend(crawls.runs);
        results.oracles.extend(crawls.oracles);
    }
    Ok(results)
}

/// The crawls of a graph.
#[derive(Default)]
struct Crawls {
    runs: Vec<Run>,
    oracles: Vec<Run>,
    /// Its holdings in each language if there are several.
    languages: Vec<Holdings>,
}

/// A graph as a crawl for one language alone sees it.
struct View {
    graph: Graph,
    wealth: Vec<HostWealth>,
}

/// Crawls a graph.
fn crawls(
    graph: &Graph,
    plan: &Plan,
    web: &str,
    draw: u64,
    done: &impl Fn(usize),
) -> Result<Crawls, TooFewPages> {
    let min_bytes = plan.crawl.min_bytes;
    let wealth: Vec<HostWealth> = graph.wealth(min_bytes);
    let languages = graph.languages();
    let mut views = Vec::new();
    if languages > 1 {
        views.extend((0..languages).map(|language| {
            let graph = graph.only(language);
            View { wealth: graph.wealth(min_bytes), graph }
        }));
    }
    let mut crawls = Crawls::default();
    for &mix in &plan.mixes {
        // The seeds of a crawl for several languages are those of the crawls for each of them.
        let of_each: Result<Vec<Vec<u32>>, TooFewPages> = (views.iter())
            .map(|view| draw_seeds(&view.graph, mix, plan.seeds / languages, min_bytes, draw))
            .collect();
        let of_each = of_each?;
        let seeds = match views.is_empty() {
            true => draw_seeds(graph, mix, plan.seeds, min_bytes, draw)?,
            false => of_each.concat(),
        };
        for &policy in &plan.policies {
            let outcome = crawl(graph, &wealth, &seeds, plan.crawl, policy, draw);
            let part = CrawlSettings { top: plan.crawl.top / languages, ..plan.crawl };
            let crawl_alone = |view: &View, seeds: &[u32], settings| {
                crawl(&view.graph, &view.wealth, seeds, settings, policy, draw)
            };
            let alone = (views.iter().zip(&of_each))
                .map(|(view, seeds)| Alone {
                    part: crawl_alone(view, seeds, part),
                    whole: crawl_alone(view, seeds, plan.crawl),
                })
                .collect();
            crawls.runs.push(Run { web: web.to_owned(), draw, mix, policy, outcome, alone });
        }
        let policy = Policy::oracle();
        let outcome = crawl(graph, &wealth, &seeds, plan.crawl, policy, draw);
        let alone = Vec::new();
        crawls.oracles.push(Run { web: web.to_owned(), draw, mix, policy, outcome, alone });
        done(plan.policies.len());
    }
    crawls.languages = views.iter().map(|view| view.graph.holdings(min_bytes)).collect();
    Ok(crawls)
}

/// Statistics of a figure over draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Mean of the values.
    pub mean: f64,
    /// Smallest value of a draw.
    pub min: f64,
    /// Largest value of a draw.
    pub max: f64,
}

impl Spread {
    /// Returns the statistics of some figures; all are 0 if there are none.
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

/// A policy compared with the paper's score on the same graph with the same seeds.
#[derive(Debug, Clone, Copy)]
pub struct Beside {
    /// Mean yield minus that of `mean`, in percentage points.
    pub yield_points: f64,
    /// Hosts with text, as a multiple of those of `mean`.
    pub hosts: f64,
    /// Rich hosts found, as a multiple.
    pub rich_hosts: f64,
    /// Target bytes found, as a multiple.
    pub bytes: f64,
    /// Text per downloaded byte, as a multiple.
    pub clean: f64,
    /// Pages in the language, each text once, as a multiple.
    pub unique: f64,
    /// Pages fetched, as a multiple.
    pub fetched: f64,
}

impl Results {
    /// Returns the crawls of one table row, draw by draw.
    pub fn of<'a>(
        &'a self,
        web: &'a str,
        mix: Mix,
        policy: Policy,
    ) -> impl Iterator<Item = &'a Run> {
        let runs = self.runs.iter().chain(&self.oracles);
        runs.filter(move |run| run.web == web && run.mix == mix && run.policy == policy)
    }

    /// Returns the target bytes of a run as a multiple of those of the oracle on the same graph
    /// with the same seeds.
    pub fn share_of_oracle(&self, run: &Run) -> f64 {
        let same =
            |other: &&Run| other.web == run.web && other.draw == run.draw && other.mix == run.mix;
        let bytes = self.oracles.iter().find(same).map_or(0, |oracle| oracle.outcome.bytes);
        run.outcome.bytes as f64 / bytes.max(1) as f64
    }

    /// Returns the names of the webs, in order.
    pub fn webs(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, ..) in &self.graphs {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// Returns the holdings of a run's graph.
    pub fn holdings(&self, run: &Run) -> Holdings {
        let found = self.graphs.iter().find(|(web, draw, _)| *web == run.web && *draw == run.draw);
        found.map(|&(.., holdings)| holdings).unwrap_or_default()
    }

    /// Returns the number of target languages.
    pub fn language_count(&self) -> usize {
        self.languages.first().map_or(1, |(.., languages)| languages.len())
    }

    /// Returns the holdings of a run's graph in one of several target languages.
    pub fn holdings_in(&self, run: &Run, language: usize) -> Holdings {
        let found =
            self.languages.iter().find(|(web, draw, _)| *web == run.web && *draw == run.draw);
        found.and_then(|(.., languages)| languages.get(language)).copied().unwrap_or_default()
    }

    /// Returns every crawl of a policy compared with `mean` on the same graph and seeds; empty if
    /// the plan has no `mean`.
    pub fn beside_mean(&self, policy: Policy) -> Vec<(&Run, Beside)> {
        let mut pairs = Vec::new();
        for run in self.runs.iter().filter(|run| run.policy == policy) {
            let same = |other: &&Run| {
                other.policy == Policy::mean()
                    && other.web == run.web
                    && other.draw == run.draw
                    && other.mix == run.mix
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
                        clean: times(a.clean_per_gigabyte(), b.clean_per_gigabyte()),
                        unique: times(a.unique() as f64, b.unique() as f64),
                        fetched: times(a.fetched() as f64, b.fetched() as f64),
                    },
                ));
            }
        }
        pairs
    }
}
