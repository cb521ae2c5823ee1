//! Figures computed from judgements.

/// Half the width of a 95 % interval in standard deviations of the normal distribution.
const Z: f64 = 1.959_964;

/// Figures of all sheets together.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Pages that were drawn.
    pub pages: usize,
    /// Pages that more judges accepted than rejected.
    pub yes: usize,
    /// Pages that more judges rejected than accepted.
    pub no: usize,
    /// Share of `yes` among `yes` and `no`; `None` if both are 0.
    pub share: Option<f64>,
    /// Wilson's 95 % interval of that share.
    pub interval: (f64, f64),
    /// Pages that every judge judged; 0 with fewer than two judges.
    pub judged_by_all: usize,
    /// Share of these pages on which all judges agree; `None` if there are none.
    pub unanimous: Option<f64>,
    /// Fleiss' kappa over these pages.
    pub kappa: Option<f64>,
}

/// Returns Wilson's 95 % interval (Wilson 1927) of a share, if `yes` of `all` items of a random
/// sample have the property. Unlike the normal approximation, it also holds for shares near 0 and
/// one. Returns (0, 1) for an empty sample.
pub fn wilson(yes: usize, all: usize) -> (f64, f64) {
    if all == 0 {
        return (0.0, 1.0);
    }
    let (n, p) = (all as f64, yes as f64 / all as f64);
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

/// Returns Fleiss' kappa (Fleiss 1971), the agreement of judges beyond chance: 1 is full agreement,
/// 0 is agreement by chance. `rows` has one row per subject with the number of judges per category;
/// every row has the same sum. Returns `None` with fewer than two judges, without subjects, or if
/// all judgements are of one category.
pub fn kappa(rows: &[Vec<u64>]) -> Option<f64> {
    let judges = rows.first()?.iter().sum::<u64>();
    if judges < 2 {
        return None;
    }
    let (subjects, n) = (rows.len() as f64, judges as f64);
    let agreement = rows.iter().map(|row| {
        let pairs = row.iter().map(|&count| (count * count) as f64).sum::<f64>() - n;
        pairs / (n * (n - 1.0))
    });
    let observed = agreement.sum::<f64>() / subjects;
    let categories = rows.iter().map(Vec::len).max().unwrap_or_default();
    let share = |category: usize| {
        let votes = rows.iter().filter_map(|row| row.get(category)).sum::<u64>();
        votes as f64 / (subjects * n)
    };
    let by_chance = (0..categories).map(|category| share(category).powi(2)).sum::<f64>();
    (by_chance < 1.0).then(|| (observed - by_chance) / (1.0 - by_chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The common worked example of the measure: ten subjects, fourteen judges, five categories,
    /// kappa .210.
    #[test]
    fn kappa_of_the_worked_example() {
        let rows = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ];
        let kappa = kappa(&rows.map(|row| row.to_vec())).expect("a figure");
        assert!((kappa - 0.210).abs() < 0.0005, "{kappa}");
    }

    #[test]
    fn kappa_is_one_where_all_agree_and_none_where_chance_would_do_the_same() {
        assert_eq!(kappa(&[vec![3, 0], vec![0, 3]]), Some(1.0));
        assert_eq!(kappa(&[vec![3, 0], vec![3, 0]]), None);
        assert_eq!(kappa(&[vec![1, 0]]), None);
        assert_eq!(kappa(&[]), None);
        // Two judges who disagree on both pages agree less than by chance.
        assert_eq!(kappa(&[vec![1, 1], vec![1, 1]]), Some(-1.0));
    }

    /// ArabicWeb16: 97 % of a thousand pages. The expected interval was computed by hand from the
    /// formula.
    #[test]
    fn intervals_hold_in_the_middle_and_at_the_ends() {
        let near = |(low, high): (f64, f64), (a, b): (f64, f64)| {
            (low - a).abs() < 0.0005 && (high - b).abs() < 0.0005
        };
        assert!(near(wilson(970, 1000), (0.9575, 0.9790)), "{:?}", wilson(970, 1000));
        assert!(near(wilson(5, 10), (0.2366, 0.7634)), "{:?}", wilson(5, 10));
        assert!(near(wilson(10, 10), (0.7225, 1.0)), "{:?}", wilson(10, 10));
        assert!(near(wilson(0, 10), (0.0, 0.2775)), "{:?}", wilson(0, 10));
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }
}
