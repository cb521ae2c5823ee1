//! Comparison of SiteR with another ranking by Spearman's coefficient (paper, Fig. 8b).

use crate::sites::Sites;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Numbers of richest sites that are compared, in addition to all.
const TOPS: [usize; 6] = [100, 200, 500, 1000, 2000, 3000];

/// Ranks of hosts; 1 is the best.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranking(BTreeMap<String, u64>);

/// A line that is neither a host nor a rank and a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {number}: `{rank}` is not a rank; allowed are a host, or a rank, a tab or comma, and a host")]
pub struct BadRanking {
    number: u64,
    rank: String,
}

impl Ranking {
    /// Parses a ranking: a host per line, best first; or a rank and a host, separated by a tab or a
    /// comma. If a host is repeated, its better rank counts. Empty lines and lines that begin with
    /// `#` are ignored. A URL stands for its host.
    ///
    /// # Errors
    /// Fails if a line is neither; the message names the first one.
    pub fn parse(text: &str) -> Result<Self, BadRanking> {
        let mut ranks = BTreeMap::new();
        for (line, number) in text.lines().zip(1u64..) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (rank, host) = match line.split_once(['\t', ',']) {
                None => (number, line),
                Some((rank, host)) => match rank.trim().parse() {
                    Ok(rank) => (rank, host.split(['\t', ',']).next().unwrap_or_default().trim()),
                    Err(_) => {
                        let rank = rank.chars().take(40).collect();
                        return Err(BadRanking { number, rank });
                    }
                },
            };
            let best = ranks.entry(host_of(host).to_ascii_lowercase()).or_insert(rank);
            *best = rank.min(*best);
        }
        Ok(Self(ranks))
    }

    /// Returns the ranking of the websites of these hosts: a website has its best rank.
    pub fn of_sites(self, site_of: fn(&str) -> &str) -> Self {
        let mut ranks = BTreeMap::new();
        for (host, rank) in self.0 {
            let best = ranks.entry(site_of(&host).to_owned()).or_insert(rank);
            *best = rank.min(*best);
        }
        Self(ranks)
    }
}

/// The host of a URL with a scheme; other texts as they are.
fn host_of(text: &str) -> &str {
    text.split_once("://")
        .map_or(text, |(_, rest)| rest.split(['/', '?', '#', ':']).next().unwrap_or(rest))
}

/// The correlation of two rankings of the richest sites.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankRow {
    /// Name of the ranking.
    pub ranking: String,
    /// Number of richest sites.
    pub top: u64,
    /// Number of these that have a rank and are compared.
    pub ranked: u64,
    /// Spearman's coefficient of the ranks by SiteR and in the file; ties have their mean rank. 1
    /// is the same order, -1 the opposite. `None` for fewer than two sites, or if all are equal.
    pub spearman: Option<f64>,
}

/// Compares the order of the richest sites with a ranking.
pub fn compare(sites: &Sites, name: &str, ranking: &Ranking) -> Vec<RankRow> {
    let richest: Vec<_> =
        sites.richest().into_iter().filter(|(_, site)| site.shares.count > 0).collect();
    let mut tops: Vec<usize> = TOPS.into_iter().filter(|&top| top < richest.len()).collect();
    tops.push(richest.len());
    let row = |top: usize| {
        let ranked: Vec<_> = richest[..top]
            .iter()
            .filter_map(|(host, site)| Some((site.shares, *ranking.0.get(*host)?)))
            .collect();
        // Of two means the larger comes first.
        let richer = |a: usize, b: usize| {
            let (a, b) = (ranked[a].0, ranked[b].0);
            (u128::from(b.sum) * u128::from(a.count))
                .cmp(&(u128::from(a.sum) * u128::from(b.count)))
        };
        let by_richness = mean_ranks(ranked.len(), richer);
        let by_rank = mean_ranks(ranked.len(), |a, b| ranked[a].1.cmp(&ranked[b].1));
        RankRow {
            ranking: name.to_owned(),
            top: top as u64,
            ranked: ranked.len() as u64,
            spearman: correlation(&by_richness, &by_rank),
        }
    };
    tops.into_iter().map(row).collect()
}

/// Returns twice the rank of each item; ties have their mean rank.
fn mean_ranks(count: usize, order: impl Fn(usize, usize) -> Ordering) -> Vec<i64> {
    let mut sorted: Vec<usize> = (0..count).collect();
    sorted.sort_by(|&a, &b| order(a, b));
    let mut ranks = vec![0; count];
    let mut first = 0;
    for equal in sorted.chunk_by(|&a, &b| order(a, b) == Ordering::Equal) {
        // Ranks first + 1 to first + n: twice their mean is 2 first + n + 1.
        let twice = (2 * first + equal.len() + 1) as i64;
        equal.iter().for_each(|&thing| ranks[thing] = twice);
        first += equal.len();
    }
    ranks
}

/// Returns Pearson's coefficient.
fn correlation(a: &[i64], b: &[i64]) -> Option<f64> {
    let count = a.len() as i128;
    let sum = |values: &[i64]| values.iter().map(|&value| i128::from(value)).sum::<i128>();
    let products = |a: &[i64], b: &[i64]| {
        a.iter().zip(b).map(|(&a, &b)| i128::from(a) * i128::from(b)).sum::<i128>()
    };
    let covariance = |a: &[i64], b: &[i64]| count * products(a, b) - sum(a) * sum(b);
    let (both, first, second) = (covariance(a, b), covariance(a, a), covariance(b, b));
    (first > 0 && second > 0)
        .then(|| (both as f64 / (first as f64 * second as f64).sqrt()).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::{Mean, ONE};
    use crate::sites::Site;

    /// Creates sites `a`, `b`, ... with a SiteR in percent each.
    fn sites(richness: &[u64]) -> Sites {
        let site = |(name, &percent): (char, &u64)| {
            let richness = Mean { sum: percent * ONE / 100, count: 1 };
            (
                name.to_string(),
                Site { pages: 1, target_bytes: 1, shares: richness, ..Site::default() },
            )
        };
        Sites(('a'..).zip(richness).map(site).collect())
    }

    fn spearman(richness: &[u64], ranking: &str) -> Option<f64> {
        compare(&sites(richness), "r", &Ranking::parse(ranking).expect("a ranking"))
            .pop()
            .expect("a row")
            .spearman
    }

    #[test]
    fn orders_are_the_same_opposite_or_neither() {
        assert_eq!(spearman(&[90, 80, 70], "a\nb\nc"), Some(1.0));
        assert_eq!(spearman(&[90, 80, 70], "c\nb\na"), Some(-1.0));
        assert_eq!(spearman(&[90, 80, 70, 60], "2,a\n4\tb\n1,c,more\n3\td"), Some(0.0));
        assert_eq!(spearman(&[90, 80], "x\na"), None, "one site in common");
        assert_eq!(spearman(&[90, 90], "a\nb"), None, "all are equal");
    }

    #[test]
    fn a_url_stands_for_its_host() {
        let urls = "https://A/\n2,http://b:8080/x?y\n3\thttp://c#z";
        assert_eq!(Ranking::parse(urls), Ranking::parse("a\nb\nc"));
    }

    #[test]
    fn equal_sites_share_their_mean_rank() {
        // SciPy's spearmanr([1, 2, 2, 3], [1, 2, 3, 4]).
        let tied = spearman(&[90, 80, 80, 70], "# best first\na\nb\nc\nd").expect("four sites");
        assert!((tied - 0.948_683_298_050_513_8).abs() < 1e-12, "{tied}");
    }

    #[test]
    fn a_ranking_of_words_is_refused() {
        let refused = Ranking::parse("1,a\nfirst,b").expect_err("no rank").to_string();
        assert!(refused.starts_with("line 2: `first` is not a rank"), "{refused}");
    }
}
