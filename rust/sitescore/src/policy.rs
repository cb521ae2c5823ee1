//! Policies: what else than its host's mean a row's score may say.

use crate::{finite, score, HostTotals, ScoreSettings, Stops};
use std::fmt;
use std::str::FromStr;

/// How the rows of a host are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScorePolicy {
    /// The host's mean, for every row: the paper's Algorithm 1.
    #[default]
    Mean,
    /// The mean for rows that were found on a page in the target language and a tenth of it for others; and of a host of which
    /// nothing is fetched, one page before all others, if no page without a word in the target language links to the host. At most
    /// [`ScorePolicy::PROBE_PERCENT`] of a batch are such probes.
    ///
    /// Our own, chosen among others with `corpulyzer simulate` (`docs/steering.md`). That links on relevant pages lead to relevant
    /// pages is focused crawling's oldest rule (Chakrabarti, van den Berg and Dom 1999). That every page links to popular hosts,
    /// whatever its language, is why a link from another page counts against a host.
    Explore,
}

impl ScorePolicy {
    /// What the score of a row is multiplied by that was found on other pages only, under [`ScorePolicy::Explore`].
    pub const OTHER_FACTOR: f32 = 0.1;
    /// Percent of a batch that may be probes of unknown hosts, so that a web with a great many of them does not use a round up.
    pub const PROBE_PERCENT: u32 = 10;
    /// All policies, the default first.
    pub const ALL: [Self; 2] = [Self::Mean, Self::Explore];
}

impl fmt::Display for ScorePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mean => "mean",
            Self::Explore => "explore",
        })
    }
}

/// A policy, and when no more of a host is fetched: the value of `corpulyzer.score.policy`, such as `explore+barren:40`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Steering {
    /// How the rows of a host are scored.
    pub policy: ScorePolicy,
    /// When they are generated no more.
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

/// A text that is no policy, as one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPolicy(String);

impl fmt::Display for UnknownPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "score policy `{}` is unknown; allowed are mean and explore, and behind either +barren:PAGES and +limit:PAGES",
            self.0
        )
    }
}

impl std::error::Error for UnknownPolicy {}

impl FromStr for Steering {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let unknown = || UnknownPolicy(text.to_owned());
        let mut parts = text.split('+');
        let name = parts.next().unwrap_or_default();
        let policy = ScorePolicy::ALL.into_iter().find(|policy| policy.to_string() == name).ok_or_else(unknown)?;
        let mut stops = Stops::default();
        if parts.all(|part| stops.read(part)) {
            Ok(Self { policy, stops })
        } else {
            Err(unknown())
        }
    }
}

/// What the rows of one host are scored with, in bytes per page; all of a stopped host with [`Stop::score`](crate::Stop::score).
/// Never NaN, never infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowScores {
    /// A row that was found on no page in the target language.
    pub other: f32,
    /// A row that was.
    pub found: f32,
    /// A row that was injected as a seed.
    pub seed: f32,
    /// The first row, in the order of row keys, of those that were found on a page in the target language and were never tried, while
    /// nothing of the host is fetched and no row of it was found on a page without a word in the language.
    pub probe: f32,
}

/// Scores of a host's rows under a policy. Under [`ScorePolicy::Mean`] without [`Stops`] they are those of [`score`].
pub fn row_scores(steering: impl Into<Steering>, totals: HostTotals, settings: ScoreSettings) -> RowScores {
    let steering = steering.into();
    if let Some(stop) = steering.stops.of(totals, settings.min_bytes) {
        let none = stop.score();
        return RowScores { other: none, found: none, seed: none, probe: none };
    }
    let host = score(totals, settings);
    match steering.policy {
        ScorePolicy::Mean => RowScores { other: host.page, found: host.page, seed: host.seed, probe: host.page },
        ScorePolicy::Explore => RowScores {
            other: host.page * ScorePolicy::OTHER_FACTOR,
            found: host.page,
            seed: host.seed,
            // Behind new seeds, before every mean.
            probe: if totals.fetched == 0 { finite(settings.injected) / 2.0 } else { host.page },
        },
    }
}
