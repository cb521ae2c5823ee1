//! SiteR against a ranking from elsewhere, by Spearman's coefficient (paper, Fig. 8b).

use crate::sites::Sites;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How many of the richest sites are compared, beside all.
const TOPS: [usize; 6] = [100, 200, 500, 1000, 2000, 3000];

/// Ranks of hosts, 1 the best.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranking(BTreeMap<String, u64>);

impl Ranking {
    /// Reads a ranking: a host a line, best first; or a rank and a host, with a tab or a comma between them. Of a host that comes twice the
    /// better rank counts. Empty lines and those that begin with `#` are passed over.
    ///
    /// # Errors
    /// The first line that is neither, in one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
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
                        return Err(format!(
                            "line {number}: `{}` is no rank; allowed are a host, or a rank, a tab or comma, and a host",
                            rank.chars().take(40).collect::<String>()
                        ))
                    }
                },
            };
            let best = ranks.entry(host.to_ascii_lowercase()).or_insert(rank);
            *best = rank.min(*best);
        }
        Ok(Self(ranks))
    }
}

/// How like two orders of the richest sites are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankRow {
    /// So many of the richest sites were taken.
    pub top: u64,
    /// So many of them have a rank, and are compared.
    pub ranked: u64,
    /// Spearman's coefficient of rank by SiteR and rank in the file, ties having their mean rank: 1 for the same order, -1 for the opposite.
    /// None of fewer than two sites, or where all are equal.
    pub spearman: Option<f64>,
}

/// Compares the richest sites, the richest first in rank, with a ranking.
pub fn compare(sites: &Sites, ranking: &Ranking) -> Vec<RankRow> {
    let richest: Vec<_> = sites.richest().into_iter().filter(|(_, site)| site.shares.count > 0).collect();
    let mut tops: Vec<usize> = TOPS.into_iter().filter(|&top| top < richest.len()).collect();
    tops.push(richest.len());
    let row = |top: usize| {
        let ranked: Vec<_> =
            richest[..top].iter().filter_map(|(host, site)| Some((site.shares, *ranking.0.get(*host)?))).collect();
        // Of two means the larger comes first.
        let richer = |a: usize, b: usize| {
            let (a, b) = (ranked[a].0, ranked[b].0);
            (u128::from(b.sum) * u128::from(a.count)).cmp(&(u128::from(a.sum) * u128::from(b.count)))
        };
        let by_richness = mean_ranks(ranked.len(), richer);
        let by_rank = mean_ranks(ranked.len(), |a, b| ranked[a].1.cmp(&ranked[b].1));
        RankRow { top: top as u64, ranked: ranked.len() as u64, spearman: correlation(&by_richness, &by_rank) }
    };
    tops.into_iter().map(row).collect()
}

/// Twice the rank of each thing, those that are equal having the mean of theirs.
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

/// Pearson's coefficient.
fn correlation(a: &[i64], b: &[i64]) -> Option<f64> {
    let count = a.len() as i128;
    let sum = |values: &[i64]| values.iter().map(|&value| i128::from(value)).sum::<i128>();
    let products = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(&a, &b)| i128::from(a) * i128::from(b)).sum::<i128>();
    let covariance = |a: &[i64], b: &[i64]| count * products(a, b) - sum(a) * sum(b);
    let (both, first, second) = (covariance(a, b), covariance(a, a), covariance(b, b));
    (first > 0 && second > 0).then(|| (both as f64 / (first as f64 * second as f64).sqrt()).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::{Mean, ONE};
    use crate::sites::Site;

    /// Sites `a`, `b`, ... with a SiteR in percent each.
    fn sites(richness: &[u64]) -> Sites {
        let site = |(name, &percent): (char, &u64)| {
            let richness = Mean { sum: percent * ONE / 100, count: 1 };
            (name.to_string(), Site { pages: 1, target_bytes: 1, shares: richness, ..Site::default() })
        };
        Sites(('a'..).zip(richness).map(site).collect())
    }

    fn spearman(richness: &[u64], ranking: &str) -> Option<f64> {
        compare(&sites(richness), &Ranking::parse(ranking).expect("a ranking")).pop().expect("a row").spearman
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
    fn equal_sites_share_their_mean_rank() {
        // SciPy's spearmanr([1, 2, 2, 3], [1, 2, 3, 4]).
        let tied = spearman(&[90, 80, 80, 70], "# best first\na\nb\nc\nd").expect("four sites");
        assert!((tied - 0.948_683_298_050_513_8).abs() < 1e-12, "{tied}");
    }

    #[test]
    fn a_ranking_of_words_is_refused() {
        let refused = Ranking::parse("1,a\nfirst,b").expect_err("no rank");
        assert!(refused.starts_with("line 2: `first` is no rank"), "{refused}");
    }
}
