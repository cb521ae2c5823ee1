//! The share of results that are right, by the probability that the identifier gives them.

use super::codes::Joins;
use super::cut::Cut;
use super::report::share;
use inputs::texts::Texts;
use langid::{Identify, LangCode};
use rayon::prelude::*;
use render::results::{Cell, Results};
use serde_json::Value;

/// Least probabilities of the rows, in ascending order. A row ends where the next one begins.
const ROWS: [f64; 9] = [0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/// A result other than `und`.
#[derive(Debug, Clone, Copy)]
pub struct Scored {
    /// Its probability; `None` if the identifier gives none.
    pub probability: Option<f64>,
    /// Whether it is the language of the text.
    pub is_right: bool,
}

/// Returns the results of an identifier for texts that are cut to a length, without `und`.
pub fn results(identifier: &dyn Identify, texts: &Texts, joins: &Joins, cut: Cut) -> Vec<Scored> {
    let of = |language: LangCode, line: &str| {
        let text = cut.of(line);
        let called = identifier.identify(text, None);
        (called != LangCode::UND).then(|| Scored {
            probability: identifier.probability(text, called),
            is_right: joins.head(called) == language,
        })
    };
    let all: Vec<(LangCode, &String)> = texts
        .iter()
        .flat_map(|(&code, lines)| lines.iter().map(move |line| (code, line)))
        .collect();
    all.par_iter().filter_map(|(language, line)| of(*language, line)).collect()
}

/// Returns a table: for each range of probabilities the number of results, their mean probability
/// and the share that is right, both in percent. The last row has the results without a
/// probability. The line above the table has the mean difference between the two shares in
/// percentage points, weighted by the number of results.
pub fn table(identifier: &str, scored: &[Scored]) -> Results {
    let sums: Vec<(usize, f64, usize)> = ROWS
        .iter()
        .enumerate()
        .map(|(at, &from)| {
            let end = ROWS.get(at + 1).copied().unwrap_or(f64::INFINITY);
            sum(scored.iter().filter(|result| {
                result.probability.is_some_and(|share| (from..end).contains(&share))
            }))
        })
        .collect();
    let all: usize = sums.iter().map(|(count, ..)| count).sum();
    let difference: f64 =
        sums.iter().map(|(_, probability, right)| (probability - *right as f64).abs()).sum();
    let mut results = Results::default();
    let difference = difference / all.max(1) as f64;
    results.line(&format!(
        "# {identifier}: {all} results with a probability; mean difference {:.1} points",
        100.0 * difference
    ));
    results.figure("identifier", identifier);
    results.figure("mean_difference", difference);
    let columns = [
        ("from", "from", 0),
        ("results", "results", 0),
        ("probability", "probability", 0),
        ("right_share", "right", 0),
    ];
    let mut table = results.table("rows", "", &columns);
    table.headings();
    let of = |part: f64, count: usize| share(Some(part / count as f64));
    for (from, (count, probability, right)) in ROWS.iter().zip(sums) {
        if count > 0 {
            let shares = [of(probability, count), of(right as f64, count)];
            table.row([Cell::number(*from, 2), count.into()].into_iter().chain(shares));
        }
    }
    let (count, _, right) = sum(scored.iter().filter(|result| result.probability.is_none()));
    if count > 0 {
        let none = Cell::new("none", Value::Null);
        table.row([none, count.into(), share(None), of(right as f64, count)]);
    }
    results
}

/// The number of results, the sum of their probabilities, and the number that are right.
fn sum<'r>(results: impl Iterator<Item = &'r Scored>) -> (usize, f64, usize) {
    results.fold((0, 0.0, 0), |(count, probability, right), result| {
        let own = result.probability.unwrap_or(0.0);
        (count + 1, probability + own, right + usize::from(result.is_right))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_by_their_probability() {
        let scored = |probability, is_right| Scored { probability, is_right };
        let results = [
            scored(Some(0.97), true),
            scored(Some(0.95), true),
            scored(Some(1.0), true),
            scored(Some(0.5), false),
            scored(Some(0.5), true),
            scored(None, false),
        ];
        let expected = "# x: 5 results with a probability; mean difference 1.6 points\n\
                        from\tresults\tprobability\tright\n\
                        0.40\t2\t50.0\t50.0\n\
                        0.95\t2\t96.0\t100.0\n\
                        0.99\t1\t100.0\t100.0\n\
                        none\t1\t-\t0.0\n";
        assert_eq!(table("x", &results).text, expected);
    }
}
