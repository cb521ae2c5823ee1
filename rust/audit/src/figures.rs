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

/// Figures of one label: a judgement, or a type of page.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelFigures {
    /// The label as in sheets.
    pub label: String,
    /// Pages that got it from more judges than any other label.
    pub pages: usize,
    /// Share of these pages among the pages with a majority.
    pub share: f64,
    /// Wilson's 95 % interval of that share.
    pub interval: (f64, f64),
    /// Fleiss' kappa of this label against all others, over the pages that every judge labelled.
    pub kappa: Option<f64>,
    /// Krippendorff's alpha of this label against all others.
    pub alpha: Option<f64>,
}

impl LabelFigures {
    /// Computes the figures of all labels, in the order of `labels`. `votes` has one row per page
    /// with the number of judges per label.
    pub(crate) fn of(labels: &[String], votes: &[Vec<u64>], judges: u64) -> Vec<Self> {
        let majority = |row: &Vec<u64>| {
            let most = *row.iter().max()?;
            let mut first = row.iter().enumerate().filter(|(_, &count)| count == most && most > 0);
            let (label, _) = first.next()?;
            first.next().is_none().then_some(label)
        };
        let decided: Vec<usize> = votes.iter().filter_map(majority).collect();
        let figures = |(at, label): (usize, &String)| {
            let pages = decided.iter().filter(|&&label| label == at).count();
            let against = |row: &Vec<u64>| vec![row[at], row.iter().sum::<u64>() - row[at]];
            let rows: Vec<Vec<u64>> = votes.iter().map(against).collect();
            let whole = |row: &&Vec<u64>| judges >= 2 && row.iter().sum::<u64>() == judges;
            let by_all: Vec<Vec<u64>> = rows.iter().filter(whole).cloned().collect();
            Self {
                label: label.clone(),
                pages,
                share: pages as f64 / decided.len().max(1) as f64,
                interval: wilson(pages, decided.len()),
                kappa: kappa(&by_all),
                alpha: alpha(&rows),
            }
        };
        labels.iter().enumerate().map(figures).collect()
    }
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

/// Returns Krippendorff's alpha for categories without an order (Krippendorff 2011): 1 is full
/// agreement, 0 is agreement by chance. `rows` has one row per subject with the number of judges
/// per category; unlike for [`kappa`], the sums of rows may differ. Rows with fewer than two judges
/// do not count. Returns `None` if no other row is left, or all judgements are of one category.
pub fn alpha(rows: &[Vec<u64>]) -> Option<f64> {
    let paired: Vec<&Vec<u64>> = rows.iter().filter(|row| row.iter().sum::<u64>() >= 2).collect();
    let categories = paired.iter().map(|row| row.len()).max()?;
    let values: f64 = paired.iter().map(|row| row.iter().sum::<u64>() as f64).sum();
    // Pairs of different values: twice the pairs of judges.
    let different = |row: &[f64]| {
        let all: f64 = row.iter().sum();
        all * all - row.iter().map(|count| count * count).sum::<f64>()
    };
    let observed: f64 = paired
        .iter()
        .map(|row| {
            let row: Vec<f64> = row.iter().map(|&count| count as f64).collect();
            different(&row) / (row.iter().sum::<f64>() - 1.0)
        })
        .sum::<f64>()
        / values;
    let totals: Vec<f64> = (0..categories)
        .map(|category| paired.iter().map(|row| row.get(category).map_or(0, |&n| n) as f64).sum())
        .collect();
    let by_chance = different(&totals) / (values * (values - 1.0));
    (by_chance > 0.0).then(|| 1.0 - observed / by_chance)
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

    /// Krippendorff's own example (2011, section C): four judges, twelve units, missing values,
    /// alpha .743.
    #[test]
    fn alpha_of_the_worked_example() {
        let rows = [
            [3, 0, 0, 0, 0],
            [0, 3, 1, 0, 0],
            [0, 0, 4, 0, 0],
            [0, 0, 4, 0, 0],
            [0, 4, 0, 0, 0],
            [1, 1, 1, 1, 0],
            [0, 0, 0, 4, 0],
            [3, 1, 0, 0, 0],
            [0, 4, 0, 0, 0],
            [0, 0, 0, 0, 3],
            [2, 0, 0, 0, 0],
            [0, 0, 1, 0, 0],
        ];
        let found = alpha(&rows.map(|row| row.to_vec())).expect("a figure");
        assert!((found - 0.743).abs() < 0.0005, "{found}");
        assert_eq!(alpha(&[vec![2, 0], vec![0, 2]]), Some(1.0));
        assert_eq!(alpha(&[vec![2, 0], vec![2, 0]]), None);
        assert_eq!(alpha(&[vec![1, 0]]), None);
        assert_eq!(alpha(&[]), None);
    }

    #[test]
    fn labels_have_the_pages_of_their_majority() {
        let votes = [vec![2, 0, 0], vec![1, 1, 0], vec![0, 2, 0], vec![2, 0, 0], vec![0, 0, 0]];
        let labels = ["y", "mixed", "spam"].map(str::to_owned);
        let figures = LabelFigures::of(&labels, &votes, 2);
        assert_eq!(figures.iter().map(|label| label.pages).collect::<Vec<_>>(), [2, 1, 0]);
        assert!((figures[0].share - 2.0 / 3.0).abs() < 1e-9);
        assert!(figures[0].kappa.is_some_and(|kappa| kappa > 0.0 && kappa < 1.0));
        assert!(figures[2].kappa.is_none() && figures[2].alpha.is_none());
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
