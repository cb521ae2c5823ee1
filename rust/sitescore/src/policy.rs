//! Score policies: what a row's score depends on in addition to its host's mean.

use crate::{finite, score, HostTotals, ScoreSettings, Stops};
use std::fmt;
use std::str::FromStr;

/// How the rows of a host are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScorePolicy {
    /// The host's mean, for every row: the paper's Algorithm 1.
    #[default]
    Mean,
    /// Rows that were found on a page in the target language have the mean, other rows a tenth of
    /// it. Of a host without a fetched page, one page, the probe, comes before all others. A host
    /// is probed if no page without a word in the target language links to it, or if
    /// [`ScorePolicy::PROBE_LEAD`] more of its rows were found on pages in the language than on
    /// pages without a word of it. At most [`ScorePolicy::PROBE_PERCENT`] of a batch are probes,
    /// and hosts without that lead get at most [`ScorePolicy::WEAK_PERCENT`] of these.
    ///
    /// Our own policy, chosen among others with `corpulyzer simulate` (`docs/steering.md`). Links
    /// on relevant pages lead to relevant pages: this is the oldest rule of focused crawling
    /// (Chakrabarti, van den Berg and Dom 1999). Pages in all languages link to popular hosts, so a
    /// link from another page counts against a host. It does not decide alone, because pages of
    /// mixed hosts in other languages also link to hosts in the target language.
    Explore,
    /// An order of pages ([`pages`](crate::pages)), with this share of a round for new hosts. The
    /// host's scores are those of [`ScorePolicy::Mean`].
    Pages(Share),
}

/// A share of a round's expected bytes, in tenths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share(u16);

impl Share {
    /// The share by default, [`Account::SHARE`](crate::pages::Account::SHARE).
    pub const DEFAULT: Self = Self(25);
    const ALL: u16 = 1000;

    /// Returns the share, from 0 to 1.
    pub fn get(self) -> f64 {
        f64::from(self.0) / f64::from(Self::ALL)
    }

    /// Parses a percentage with at most one decimal, such as `2.5`.
    fn of_percent(text: &str) -> Option<Self> {
        let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
        let is_plain = |digits: &str, most: usize| {
            (1..=most).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_short = whole == "0" || !whole.starts_with('0');
        if !(is_plain(whole, 3) && is_plain(tenth, 1) && is_short) {
            return None;
        }
        let share = whole.parse::<u16>().ok()? * 10 + tenth.parse::<u16>().ok()?;
        (share <= Self::ALL).then_some(Self(share))
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 10, self.0 % 10) {
            (whole, 0) => write!(f, "{whole}"),
            (whole, tenth) => write!(f, "{whole}.{tenth}"),
        }
    }
}

impl ScorePolicy {
    /// Factor for the score of rows that were found only on other pages, under
    /// [`ScorePolicy::Explore`].
    pub const OTHER_FACTOR: f32 = 0.1;
    /// Percentage of a batch that may be probes of unknown hosts, so that very many such hosts do
    /// not fill a round.
    pub const PROBE_PERCENT: u32 = 8;
    /// Smallest number of a host's rows found on pages in the target language, minus rows found on
    /// pages without a word of it, for a strong probe.
    pub const PROBE_LEAD: u32 = 4;
    /// Percentage of the probes that may go to hosts with a smaller lead.
    pub const WEAK_PERCENT: u32 = 50;
    /// All policies, the default first.
    pub const ALL: [Self; 3] = [Self::Mean, Self::Explore, Self::Pages(Share::DEFAULT)];
}

impl fmt::Display for ScorePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean"),
            Self::Explore => f.write_str("explore"),
            Self::Pages(Share::DEFAULT) => f.write_str("pages"),
            Self::Pages(share) => write!(f, "pages:{share}"),
        }
    }
}

/// A policy with its rules for stopping hosts: the value of `corpulyzer.score.policy`, such as
/// `explore+barren:40`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Steering {
    /// How the rows of a host are scored.
    pub policy: ScorePolicy,
    /// Rules for stopping hosts.
    pub stops: Stops,
}

impl From<ScorePolicy> for Steering {
    fn from(policy: ScorePolicy) -> Self {
        Self { policy, stops: Stops::default() }
    }
}

impl fmt::Display for Steering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.policy, self.stops)
    }
}

/// Error for a text that is not a policy, as one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "score policy `{0}` is unknown; allowed are mean, explore, pages and pages:PERCENT, optionally followed by +barren:PAGES and +limit:PAGES, then by +rising:FACTOR"
)]
pub struct UnknownPolicy(String);

impl FromStr for Steering {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let unknown = || UnknownPolicy(text.to_owned());
        let mut parts = text.split('+');
        let name = parts.next().unwrap_or_default();
        let policy = ScorePolicy::ALL
            .into_iter()
            .find(|policy| policy.to_string() == name)
            .or_else(|| {
                name.strip_prefix("pages:").and_then(Share::of_percent).map(ScorePolicy::Pages)
            })
            .ok_or_else(unknown)?;
        let mut stops = Stops::default();
        if parts.all(|part| stops.read(part)) {
            Ok(Self { policy, stops })
        } else {
            Err(unknown())
        }
    }
}

/// Scores of the rows of one host, in bytes per page. All rows of a stopped host have
/// [`Stop::score`](crate::Stop::score). Never NaN, never infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowScores {
    /// Score of a row that was found on no page in the target language.
    pub other: f32,
    /// Score of a row that was found on a page in the target language.
    pub found: f32,
    /// Score of a row that was injected as a seed.
    pub seed: f32,
    /// Score of the probe: the first row, in the order of row keys, that was found on a page in the
    /// target language and never tried, if no page of the host is fetched and the links allow a
    /// probe ([`ScorePolicy::Explore`]). Half as much if the host has no
    /// [`ScorePolicy::PROBE_LEAD`].
    pub probe: f32,
}

impl RowScores {
    /// Returns the scores with soft focus: a row that was found on no page in the target language
    /// scores a tenth of the others, as under [`ScorePolicy::Explore`]. A stopped host stays
    /// stopped.
    #[must_use]
    pub fn with_soft_links(self) -> Self {
        if self.found < 0.0 {
            self
        } else {
            Self { other: self.found * ScorePolicy::OTHER_FACTOR, ..self }
        }
    }
}

/// Returns the scores of a host's rows under a policy. Under [`ScorePolicy::Mean`] without
/// [`Stops`] they are those of [`score`].
pub fn row_scores(
    steering: impl Into<Steering>,
    totals: HostTotals,
    settings: ScoreSettings,
) -> RowScores {
    let steering = steering.into();
    if let Some(stop) = steering.stops.of(totals, settings.min_bytes) {
        let none = stop.score();
        return RowScores { other: none, found: none, seed: none, probe: none };
    }
    let host = score(totals, settings);
    match steering.policy {
        ScorePolicy::Mean | ScorePolicy::Pages(_) => {
            RowScores { other: host.page, found: host.page, seed: host.seed, probe: host.page }
        }
        ScorePolicy::Explore => RowScores {
            other: host.page * ScorePolicy::OTHER_FACTOR,
            found: host.page,
            seed: host.seed,
            probe: if totals.fetched == 0 { probe_score(settings) } else { host.page },
        },
    }
}

/// Returns the score of a row that probes an unknown host: after new seeds, before every mean.
pub fn probe_score(settings: ScoreSettings) -> f32 {
    finite(settings.injected) / 2.0
}
