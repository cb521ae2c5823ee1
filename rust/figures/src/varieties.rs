//! Varieties of the corpus's language (as in ArabicWeb16).

use crate::fixed::percent;
use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

/// Most names that are counted. Models have at most 64 varieties; more names are those of records
/// that another program wrote.
const MAX_NAMES: usize = 1024;

/// Sums of the pages with a variety or a class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LabelSum {
    pub pages: u64,
    pub bytes: u64,
    /// Sum of the probabilities, in millionths: sums of integers do not depend on their order.
    pub score: u64,
}

impl LabelSum {
    pub fn merge(&mut self, other: Self) {
        self.pages = self.pages.saturating_add(other.pages);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.score = self.score.saturating_add(other.score);
    }
}

/// Pages and bytes per variety.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VarietySums {
    /// Pages without the fields.
    unknown: LabelSum,
    varieties: BTreeMap<String, LabelSum>,
    /// Pages with further names, after [`MAX_NAMES`].
    others: LabelSum,
}

impl VarietySums {
    fn sum(&mut self, name: &str) -> &mut LabelSum {
        if !self.varieties.contains_key(name) && self.varieties.len() >= MAX_NAMES {
            return &mut self.others;
        }
        self.varieties.entry(name.to_owned()).or_default()
    }
}

impl Accumulator for VarietySums {
    plain_state!("varieties", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let (bytes, variety) = (view.page.main_bytes, &view.page.variety);
        let score = variety.as_ref().map_or(0, |&(_, score)| u64::from(score));
        let sum = match variety {
            Some((name, _)) => self.sum(name),
            None => &mut self.unknown,
        };
        sum.merge(LabelSum { pages: 1, bytes, score });
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.unknown.merge(other.unknown);
        self.others.merge(other.others);
        for (name, more) in other.varieties {
            self.sum(&name).merge(more);
        }
        Ok(())
    }
}

/// A variety in a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VarietyRow {
    /// Name of the variety; `und` for pages whose best variety had a probability below .5, empty
    /// for pages that no model has read.
    pub name: String,
    /// Number of pages in the variety.
    pub pages: u64,
    /// Their share of all pages of the corpus.
    pub pages_percent: Option<f64>,
    /// Bytes of their main text.
    pub bytes: u64,
    /// Their share of the bytes of all pages.
    pub bytes_percent: Option<f64>,
    /// Mean probability of the best variety, from 0 to 1; `None` for pages that no model has read.
    pub mean_score: Option<f64>,
}

impl VarietySums {
    /// Returns the varieties, those of most pages first; `None` if no page has one. The pages sum
    /// to all pages of the corpus.
    pub fn finish(&self) -> Option<Vec<VarietyRow>> {
        if self.varieties.is_empty() {
            return None;
        }
        let mut all = LabelSum::default();
        let rest = [("", &self.unknown), ("(other names)", &self.others)];
        let sums: Vec<(&str, &LabelSum)> = self
            .varieties
            .iter()
            .map(|(name, sum)| (name.as_str(), sum))
            .chain(rest)
            .filter(|(_, sum)| sum.pages > 0)
            .collect();
        sums.iter().for_each(|(_, sum)| all.merge(**sum));
        let row = |(name, sum): (&str, &LabelSum)| VarietyRow {
            name: name.to_owned(),
            pages: sum.pages,
            pages_percent: percent(sum.pages, all.pages),
            bytes: sum.bytes,
            bytes_percent: percent(sum.bytes, all.bytes),
            mean_score: (!name.is_empty()).then(|| {
                // Four decimals, so that the report is the same on every machine.
                let mean = sum.score as f64 / sum.pages as f64 / 1e6;
                (mean * 1e4).round() / 1e4
            }),
        };
        let mut rows: Vec<VarietyRow> = sums.into_iter().map(row).collect();
        rows.sort_by_key(|row| (Reverse((row.pages, row.bytes)), row.name.clone()));
        Some(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::CorpusPage;

    fn sums(pages: &[(Option<&str>, u32, u64)]) -> VarietySums {
        let mut sums = VarietySums::default();
        for &(name, score, main_bytes) in pages {
            let variety = name.map(|name| (name.to_owned(), score));
            let page = CorpusPage { variety, main_bytes, ..CorpusPage::default() };
            sums.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        }
        sums
    }

    #[test]
    fn pages_of_all_rows_sum_to_the_corpus() {
        let mut all =
            sums(&[(Some("gulf"), 900_000, 10), (Some("gulf"), 600_000, 30), (None, 0, 40)]);
        all.merge(sums(&[(Some("und"), 400_000, 20)])).expect("memory");
        let rows: Vec<_> = all
            .finish()
            .expect("rows")
            .into_iter()
            .map(|row| (row.name, row.pages, row.pages_percent, row.bytes, row.mean_score))
            .collect();
        let row = |name: &str, pages, percent, bytes, score| {
            (name.to_owned(), pages, Some(percent), bytes, score)
        };
        assert_eq!(
            rows,
            [
                row("gulf", 2, 50.0, 40, Some(0.75)),
                row("", 1, 25.0, 40, None),
                row("und", 1, 25.0, 20, Some(0.4)),
            ]
        );
    }

    #[test]
    fn a_corpus_without_the_fields_has_no_table() {
        assert_eq!(sums(&[(None, 0, 5)]).finish(), None);
    }

    #[test]
    fn memory_does_not_grow_with_the_number_of_names() {
        let mut all = VarietySums::default();
        for number in 0..3 * MAX_NAMES {
            let name = format!("v{number}");
            all.merge(sums(&[(Some(&name), 1, 1)])).expect("memory");
        }
        let rows = all.finish().expect("rows");
        assert_eq!(rows.len(), MAX_NAMES + 1);
        assert_eq!(rows[0].pages, 2 * MAX_NAMES as u64);
    }
}
