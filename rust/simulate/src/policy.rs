//! Ways to choose the next batch. Each is a small function of what a crawler knows; those that the product offers are
//! [`sitescore`]'s own.

use serde::Serialize;
use sitescore::{row_scores, HostTotals, RowScores, ScorePolicy, ScoreSettings, Steering, Stops};
use std::fmt;
use std::str::FromStr;

/// How the rows of the crawl's table are scored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// A number drawn for each URL.
    Random,
    /// Cash that flows along links: Nutch's `OPICScoringFilter`, after Abiteboul, Preda and Cobena (WWW 2003).
    Opic,
    /// What the product does under this value of `corpulyzer.score.policy`.
    Product(ScorePolicy),
    /// The mean, drawn towards the score of unknown hosts as if so many more pages had it: the usual shrinkage of a mean of few
    /// (Laplace's pseudo-counts).
    Shrunk(f64),
    /// Target bytes per 45 kB downloaded: SpiderLing's yield of a domain, sum of clean over sum of raw bytes. 45 kB are about a
    /// page, so that the score of unknown hosts means the same as elsewhere.
    Density,
    /// The mean; a host of which nothing is fetched has the mean of the hosts that link to it, link by link (our own).
    Linked,
    /// The mean, but no page more of a host that [`is_exhausted`]: SpiderLing's rising threshold with this factor.
    Rising(f64),
    /// The mean divided by `pages^exponent`: the rising threshold's thought without its cliff (our own).
    Power(f64),
}

/// What a policy knows of a host.
#[derive(Debug, Clone, Copy, Default)]
pub struct HostView {
    /// Target bytes and fetched pages.
    pub totals: HostTotals,
    /// Downloaded bytes of the fetched pages.
    pub raw: u64,
    /// Sum over the links from other hosts of the mean of the host that links.
    pub linked: f64,
    /// Number of those links.
    pub links: u32,
}

/// The scores of a host's rows, or none when nothing more of it shall be fetched. Never NaN. Rules that score each row by itself
/// (`random`, `opic`) answer the mean, which is then not used.
pub fn host_scores(rule: Rule, host: &HostView, settings: ScoreSettings) -> Option<RowScores> {
    let mean = row_scores(ScorePolicy::Mean, host.totals, settings);
    let known = host.totals.fetched > 0;
    let n = host.totals.fetched as f64;
    let scored = |page: f64| {
        let page = page as f32;
        Some(RowScores { other: page, found: page, seed: if known { page } else { mean.seed }, probe: page })
    };
    match rule {
        Rule::Product(policy) => Some(row_scores(policy, host.totals, settings)),
        Rule::Shrunk(pages) if known => {
            scored((host.totals.target_bytes as f64 + pages * f64::from(settings.unknown)) / (n + pages))
        }
        Rule::Density if known => scored(45_000.0 * host.totals.target_bytes as f64 / host.raw.max(1) as f64),
        Rule::Linked if !known && host.links > 0 => scored(host.linked / f64::from(host.links)),
        Rule::Rising(factor) if is_exhausted(host, factor) => None,
        Rule::Power(exponent) if known => scored(f64::from(mean.found) / n.powf(exponent)),
        _ => Some(mean),
    }
}

/// SpiderLing's rising threshold (Suchomel and Pomikálek 2012): once a host has eight pages and 512 KiB, a yield below
/// `factor * (log10(pages) - 1)` ends it. The paper's factor is 0.01.
pub fn is_exhausted(host: &HostView, factor: f64) -> bool {
    let pages = host.totals.fetched as f64;
    host.totals.fetched >= 8
        && host.raw >= 512 << 10
        && (host.totals.target_bytes as f64 / host.raw as f64) < factor * (pages.log10() - 1.0)
}

/// A rule, and what else shapes the batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    /// How rows are scored.
    pub rule: Rule,
    /// Most pages of a host in a batch: Nutch's `generate.max.count`.
    pub cap: Option<u32>,
    /// Percent of a batch that goes to hosts of which nothing is fetched, one page each.
    pub fresh: f64,
    /// Whether rows found on pages in the language come before others of equal score.
    pub order: bool,
    /// Whether they come before all others.
    pub first: bool,
    /// What the score of the others is multiplied by.
    pub other_factor: f32,
    /// Rows found on pages in the language that an unknown host must have for the first of them to come before everything
    /// else; 0 for no such probes.
    pub probe: u32,
    /// Whether only those hosts are probed of which no row was found on a page without a word in it.
    pub only: bool,
    /// Percent of a batch that may be probes.
    pub budget: f64,
    /// When no more of a host is fetched, as the product does it.
    pub stops: Stops,
}

impl From<Rule> for Policy {
    fn from(rule: Rule) -> Self {
        let explores = rule == Rule::Product(ScorePolicy::Explore);
        let budget = if explores { f64::from(ScorePolicy::PROBE_PERCENT) } else { 100.0 };
        Self {
            rule,
            cap: None,
            fresh: 0.0,
            order: false,
            first: false,
            other_factor: 1.0,
            probe: u32::from(explores),
            only: explores,
            budget,
            stops: Stops::default(),
        }
    }
}

impl Policy {
    /// The paper's score.
    pub fn mean() -> Self {
        Rule::Product(ScorePolicy::Mean).into()
    }
}

/// What is wrong with a policy's text, as one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPolicy(String);

impl fmt::Display for BadPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadPolicy {}

/// What a policy's text may be.
pub const GRAMMAR: &str =
    "random, opic, mean, explore, shrunk:PAGES, density, linked, rising:FACTOR and power:EXPONENT, and behind \
                           it any of +cap:PAGES, +fresh:PERCENT, +order, +first, +other:FACTOR, +probe:PAGES, +only, \
                           +budget:PERCENT, +barren:PAGES and +limit:PAGES";

impl FromStr for Policy {
    type Err = BadPolicy;

    fn from_str(text: &str) -> Result<Self, BadPolicy> {
        let bad = || BadPolicy(format!("policy `{text}` is unknown; allowed are {GRAMMAR}"));
        let mut parts = text.split('+');
        let rule = match named(parts.next().unwrap_or_default()).ok_or_else(bad)? {
            ("random", None) => Rule::Random,
            ("opic", None) => Rule::Opic,
            ("shrunk", Some(pages)) => Rule::Shrunk(pages),
            ("density", None) => Rule::Density,
            ("linked", None) => Rule::Linked,
            ("rising", Some(factor)) => Rule::Rising(factor),
            ("power", Some(exponent)) => Rule::Power(exponent),
            (name, None) => Rule::Product(name.parse::<Steering>().map_err(|_| bad())?.policy),
            _ => return Err(bad()),
        };
        let mut policy = Policy::from(rule);
        for part in parts {
            if policy.stops.read(part) {
                continue;
            }
            let whole = |number: f64| number >= 1.0 && number.fract() == 0.0 && number <= f64::from(u32::MAX);
            match named(part).ok_or_else(bad)? {
                ("cap", Some(pages)) if whole(pages) => policy.cap = Some(pages as u32),
                ("fresh", Some(percent)) if percent <= 100.0 => policy.fresh = percent,
                ("order", None) => policy.order = true,
                ("first", None) => policy.first = true,
                ("other", Some(factor)) if factor <= 1.0 => policy.other_factor = factor as f32,
                ("probe", Some(pages)) if whole(pages) => policy.probe = pages as u32,
                ("only", None) => policy.only = true,
                ("budget", Some(percent)) if percent <= 100.0 => policy.budget = percent,
                _ => return Err(bad()),
            }
        }
        Ok(policy)
    }
}

/// A name, and the number behind its colon if there is one; numbers are finite and not negative.
fn named(part: &str) -> Option<(&str, Option<f64>)> {
    match part.split_once(':') {
        None => Some((part, None)),
        Some((name, number)) => {
            let number = number.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
            number.map(|number| (name, Some(number)))
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            Rule::Random => write!(f, "random")?,
            Rule::Opic => write!(f, "opic")?,
            Rule::Product(policy) => write!(f, "{policy}")?,
            Rule::Shrunk(pages) => write!(f, "shrunk:{pages}")?,
            Rule::Density => write!(f, "density")?,
            Rule::Linked => write!(f, "linked")?,
            Rule::Rising(factor) => write!(f, "rising:{factor}")?,
            Rule::Power(exponent) => write!(f, "power:{exponent}")?,
        }
        let plain = Policy::from(self.rule);
        if let Some(cap) = self.cap {
            write!(f, "+cap:{cap}")?;
        }
        if self.fresh > 0.0 {
            write!(f, "+fresh:{}", self.fresh)?;
        }
        if self.order {
            write!(f, "+order")?;
        }
        if self.first {
            write!(f, "+first")?;
        }
        if self.other_factor < 1.0 {
            write!(f, "+other:{}", self.other_factor)?;
        }
        if self.probe != plain.probe {
            write!(f, "+probe:{}", self.probe)?;
        }
        if self.only != plain.only {
            write!(f, "+only")?;
        }
        if self.budget != plain.budget {
            write!(f, "+budget:{}", self.budget)?;
        }
        write!(f, "{}", self.stops)
    }
}

impl Serialize for Policy {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
