//! Table 3: what each content-size threshold would leave of the crawl.

use crate::fixed::percent;
use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use langbytes::{choose, ThresholdRow, THRESHOLDS};
use serde::{Deserialize, Serialize};
use std::io;

/// Pages and size that reach threshold 0 (anything at all) and each of [`THRESHOLDS`].
type Rows = [(u64, u64); THRESHOLDS.len() + 1];

/// Sums for the content-size filter's calibration, over all pages that were read, also those that the crawl rejected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calibration {
    bytes: Rows,
    characters: Rows,
}

fn add(rows: &mut Rows, size: u64) {
    for (row, threshold) in rows.iter_mut().zip(std::iter::once(1).chain(THRESHOLDS)) {
        if size >= threshold {
            row.0 += 1;
            row.1 = row.1.saturating_add(size);
        }
    }
}

fn merge(rows: &mut Rows, other: Rows) {
    for (row, more) in rows.iter_mut().zip(other) {
        row.0 = row.0.saturating_add(more.0);
        row.1 = row.1.saturating_add(more.1);
    }
}

impl Accumulator for Calibration {
    plain_state!("calibration", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let page = view.page;
        add(&mut self.bytes, page.target_bytes);
        let length = page.text.len() as u64;
        if length > 0 {
            // As many characters of the text as there are bytes of the target in its bytes.
            let characters = page.text.chars().count() as u64;
            let target = u128::from(characters) * u128::from(page.target_bytes.min(length)) / u128::from(length);
            add(&mut self.characters, target as u64);
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        merge(&mut self.bytes, other.bytes);
        merge(&mut self.characters, other.characters);
        Ok(())
    }
}

/// What one threshold leaves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationRow {
    /// Least size of a page; 0 for all with any text in the target language.
    pub threshold: u64,
    /// Pages that are left.
    pub pages: u64,
    /// Their share.
    pub pages_percent: Option<f64>,
    /// Size of the target language in them.
    pub size: u64,
    /// Its share.
    pub size_percent: Option<f64>,
}

/// Table 3 and what it calls for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationFigures {
    /// A row for each threshold.
    pub rows: Vec<CalibrationRow>,
    /// The threshold that leaves the fewest pages and at least 95 % of the size, if there is one.
    pub choice: Option<u64>,
}

/// Calibration in bytes and in characters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationTables {
    /// Thresholds in bytes of the target language (paper, Table 3).
    pub bytes: CalibrationFigures,
    /// Thresholds in characters, of pages whose text is in the input: a page has as large a share of its characters in the target
    /// language as of its bytes, rounded down.
    pub characters: CalibrationFigures,
}

fn figures(rows: &Rows) -> CalibrationFigures {
    let thresholds = std::iter::once(0).chain(THRESHOLDS);
    let rows: Vec<ThresholdRow> =
        thresholds.zip(rows).map(|(threshold, &(pages, size))| ThresholdRow { threshold, pages, size }).collect();
    let row = |row: &ThresholdRow| CalibrationRow {
        threshold: row.threshold,
        pages: row.pages,
        pages_percent: percent(row.pages, rows[0].pages),
        size: row.size,
        size_percent: percent(row.size, rows[0].size),
    };
    CalibrationFigures { rows: rows.iter().map(row).collect(), choice: choose(&rows) }
}

impl Calibration {
    /// The figures.
    pub fn finish(&self) -> CalibrationTables {
        CalibrationTables { bytes: figures(&self.bytes), characters: figures(&self.characters) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    /// Pages whose sums are those of the paper's Table 3, in kilobytes, one kilobyte for a page's worth of rounding.
    #[test]
    fn table_3_of_the_paper_chooses_256() {
        // Pages between one threshold and the next, and the bytes that they have together.
        let between = [
            (31, 331_302 - 328_826, 2_360_000u64),
            (63, 328_826 - 316_646, 600_000),
            (127, 316_646 - 292_935, 2_400_000),
            (255, 292_935 - 204_813, 15_230_000),
            (511, 204_813 - 171_682, 14_410_000),
            (u64::MAX, 171_682, 572_000_000),
        ];
        let mut calibration = Calibration::default();
        for (most, pages, bytes) in between {
            let least = if most == 31 { 1 } else { most.div_ceil(2).min(512) };
            let mean = (bytes / pages).clamp(least, most);
            for _ in 0..pages {
                add(&mut calibration.bytes, mean);
            }
        }
        let table = calibration.finish().bytes;
        let pages: Vec<u64> = table.rows.iter().map(|row| row.pages).collect();
        assert_eq!(pages, [331_302, 328_826, 316_646, 292_935, 204_813, 171_682]);
        assert_eq!(table.choice, Some(256));
    }

    #[test]
    fn characters_are_told_beside_bytes() {
        let mut calibration = Calibration::default();
        let text = "ا".repeat(300);
        let page = Page { text, target_bytes: 600, main_bytes: 600, ..Page::default() };
        calibration.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        let tables = calibration.finish();
        assert_eq!((tables.bytes.choice, tables.characters.choice), (Some(32), Some(32)));
        assert_eq!((tables.bytes.rows[5].pages, tables.characters.rows[5].pages), (1, 0));
        assert_eq!(tables.characters.rows[4].size, 300);
    }
}
