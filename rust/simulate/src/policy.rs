//! Policies that choose the next batch. Each is a small function of a crawler's data. The policies
//! of the product are in [`sitescore`].

use serde::Serialize;
use sitescore::pages::Account;
use sitescore::{row_scores, HostTotals, RowScores, ScorePolicy, ScoreSettings, Steering, Stops};
use std::fmt;
use std::str::FromStr;

/// The paper's comparison.
const PAPER: [&str; 3] = ["random", "opic", "mean"];
/// All policies that were tried.
const ALL: [&str; 22] = [
    "random",
    "opic",
    "mean",
    "explore",
    "mean+cap:500",
    "shrunk:10",
    "density",
    "linked",
    "linked+cap:100",
    "mean+fresh:10",
    "mean+order",
    "mean+first",
    "mean+first+fresh:10",
    "mean+rising:0.01",
    "mean+rising:0.002",
    "power:0.5",
    "mean+other:0.1",
    "mean+probe:2",
    "mean+other:0.25+probe:2",
    "mean+other:0.25+probe:3",
    "mean+other:0.1+probe:1+only",
    "explore+budget:5",
];

/// The rule for the scores of rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// A random number per URL.
    Random,
    /// Cash that flows along links: Nutch's `OPICScoringFilter`, after Abiteboul, Preda and Cobena
    /// (WWW 2003).
    Opic,
    /// The product under this value of `corpulyzer.score.policy`.
    Product(ScorePolicy),
    /// The mean, shrunk towards the score of unknown hosts by this number of pseudo-pages
    /// (Laplace's pseudo-counts).
    Shrunk(f64),
    /// Target bytes per 45 kB downloaded: SpiderLing's yield of a domain, sum of clean over sum of
    /// raw bytes. 45 kB is about a page, so the score of unknown hosts has the same meaning as
    /// elsewhere.
    Density,
    /// The mean; a host without fetched pages has the mean of the hosts that link to it, weighted
    /// by links (our own).
    Linked,
    /// The mean divided by `pages^exponent`: a gradual form of SpiderLing's rising threshold (our
    /// own).
    Power(f64),
    /// Sections, links and anchors, with this percentage of a round's expected bytes for new hosts:
    /// [`sitescore::pages`] (our own).
    Pages(f64),
    /// The bound: it knows the language of each page, and takes those in the language first, from
    /// the hosts with the most bytes on a page.
    Oracle,
    /// A bound for what sections can tell: it knows the share of each section's pages that are in
    /// the language, and the mean bytes of each host, and nothing of a single page.
    Shares,
    /// A bound for what sections and links can tell: it knows the share of each section's pages
    /// that are in the language, and how often anchors are wrong, and takes the pages first that
    /// are most probably in the language.
    Anchors,
}

/// A policy's data on a host.
#[derive(Debug, Clone, Copy, Default)]
pub struct HostView {
    /// Target bytes, downloaded bytes and fetched pages.
    pub totals: HostTotals,
    /// For each link from another host the mean of that host, summed over the links.
    pub linked: f64,
    /// Number of those links.
    pub links: u32,
}

/// Returns the scores of a host's rows. Scores are never NaN. For rules that score each row
/// separately (`random`, `opic`) it returns the mean, which is not used.
pub fn host_scores(rule: Rule, host: &HostView, settings: ScoreSettings) -> RowScores {
    let mean = row_scores(ScorePolicy::Mean, host.totals, settings);
    let known = host.totals.fetched > 0;
    let n = host.totals.fetched as f64;
    let scored = |page: f64| {
        let page = page as f32;
        RowScores {
            other: page,
            found: page,
            seed: if known { page } else { mean.seed },
            probe: page,
        }
    };
    match rule {
        Rule::Product(policy) => row_scores(policy, host.totals, settings),
        Rule::Shrunk(pages) if known => scored(
            (host.totals.target_bytes as f64 + pages * f64::from(settings.unknown)) / (n + pages),
        ),
        Rule::Density if known => {
            scored(45_000.0 * host.totals.target_bytes as f64 / host.totals.raw_bytes.max(1) as f64)
        }
        Rule::Linked if !known && host.links > 0 => scored(host.linked / f64::from(host.links)),
        Rule::Power(exponent) if known => scored(f64::from(mean.found) / n.powf(exponent)),
        _ => mean,
    }
}

/// A rule, and the other parameters of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    /// The rule for the scores of rows.
    pub rule: Rule,
    /// Most pages of a host in a batch: Nutch's `generate.max.count`.
    pub cap: Option<u32>,
    /// Share of a batch for hosts without fetched pages, one page each, in percent.
    pub fresh: f64,
    /// Whether seeds, and rows found on pages in the language, come before others of equal score.
    pub order: bool,
    /// Whether seeds, and rows found on pages in the language, come before all other rows.
    pub first: bool,
    /// Factor for the score of rows that are no seeds and were not found on pages in the language.
    pub other_factor: f32,
    /// Number of rows found on pages in the language that an unknown host needs for a probe. In a
    /// probe, the first such row comes before all other rows. 0 disables probes.
    pub probe: u32,
    /// Whether a host is not probed if one of its rows was found on a page without target text.
    pub only: bool,
    /// A host is probed as well if this many more of its rows were found on pages in the language
    /// than on pages without a word in it. The other probes then take at most
    /// [`ScorePolicy::WEAK_PERCENT`] of the budget. 0 disables the rule.
    pub lead: u32,
    /// Largest share of a batch that probes take, in percent.
    pub budget: f64,
    /// The product's rules for stopping a host.
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
            lead: if explores { ScorePolicy::PROBE_LEAD } else { 0 },
            budget,
            stops: Stops::default(),
        }
    }
}

impl Policy {
    /// Returns the bound for all policies.
    pub fn oracle() -> Self {
        Rule::Oracle.into()
    }

    /// Returns the paper's score.
    pub fn mean() -> Self {
        Rule::Product(ScorePolicy::Mean).into()
    }
}

/// A text that is not a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("policy `{0}` is unknown; allowed are {GRAMMAR}")]
pub struct UnknownPolicy(String);

/// The syntax of a policy.
pub const GRAMMAR: &str =
    "random, opic, mean, explore, pages, pages:PERCENT, shrunk:PAGES, density, linked, shares, anchors, oracle and power:EXPONENT, and behind \
                           it any of +cap:PAGES, +fresh:PERCENT, +order, +first, +other:FACTOR, +probe:PAGES, +only, \
                           +lead:PAGES, +budget:PERCENT, +barren:PAGES, +limit:PAGES and +rising:FACTOR";

impl Policy {
    /// Returns the policies of names and of the groups `paper` (the paper's comparison) and `all`
    /// (all that were tried), each once.
    ///
    /// # Errors
    /// Fails at the first name that is unknown.
    pub fn of_groups(names: &[String]) -> Result<Vec<Self>, UnknownPolicy> {
        let mut policies = Vec::new();
        for group in names {
            let names: &[&str] = match group.as_str() {
                "paper" => &PAPER,
                "all" => &ALL,
                name => &[name],
            };
            for name in names {
                let policy = name.parse()?;
                if !policies.contains(&policy) {
                    policies.push(policy);
                }
            }
        }
        Ok(policies)
    }
}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let bad = || UnknownPolicy(text.to_owned());
        let mut parts = text.split('+');
        let rule = match named(parts.next().unwrap_or_default()).ok_or_else(bad)? {
            ("random", None) => Rule::Random,
            ("opic", None) => Rule::Opic,
            ("shrunk", Some(pages)) => Rule::Shrunk(pages),
            ("density", None) => Rule::Density,
            ("linked", None) => Rule::Linked,
            ("shares", None) => Rule::Shares,
            ("anchors", None) => Rule::Anchors,
            ("oracle", None) => Rule::Oracle,
            ("pages", None) => Rule::Pages(100.0 * Account::SHARE),
            ("pages", Some(percent)) if percent <= 100.0 => Rule::Pages(percent),
            ("power", Some(exponent)) => Rule::Power(exponent),
            (name, None) => Rule::Product(name.parse::<Steering>().map_err(|_| bad())?.policy),
            _ => return Err(bad()),
        };
        let mut policy = Policy::from(rule);
        for part in parts {
            if policy.stops.read(part) {
                continue;
            }
            let whole = |number: f64| {
                number >= 1.0 && number.fract() == 0.0 && number <= f64::from(u32::MAX)
            };
            let is_pages = matches!(rule, Rule::Pages(_));
            match named(part).ok_or_else(bad)? {
                ("cap", Some(pages)) if whole(pages) => policy.cap = Some(pages as u32),
                _ if is_pages => return Err(bad()),
                ("fresh", Some(percent)) if percent <= 100.0 => policy.fresh = percent,
                ("order", None) => policy.order = true,
                ("first", None) => policy.first = true,
                ("other", Some(factor)) if factor <= 1.0 => policy.other_factor = factor as f32,
                ("probe", Some(pages)) if whole(pages) => policy.probe = pages as u32,
                ("only", None) => policy.only = true,
                ("lead", Some(rows)) if whole(rows) => policy.lead = rows as u32,
                ("budget", Some(percent)) if percent <= 100.0 => policy.budget = percent,
                _ => return Err(bad()),
            }
        }
        Ok(policy)
    }
}

/// Splits a text into a name and the number after its colon, if any; numbers are finite and not
/// negative.
fn named(part: &str) -> Option<(&str, Option<f64>)> {
    match part.split_once(':') {
        None => Some((part, None)),
        Some((name, number)) => {
            let number =
                number.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
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
            Rule::Power(exponent) => write!(f, "power:{exponent}")?,
            Rule::Pages(percent) if percent == 100.0 * Account::SHARE => write!(f, "pages")?,
            Rule::Pages(percent) => write!(f, "pages:{percent}")?,
            Rule::Oracle => write!(f, "oracle")?,
            Rule::Shares => write!(f, "shares")?,
            Rule::Anchors => write!(f, "anchors")?,
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
        if self.lead != plain.lead {
            write!(f, "+lead:{}", self.lead)?;
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
