//! The content-size filter and its calibration (Corpulyzer paper, section on content-size
//! filtering, Eq. 2 and Table 3).

/// Thresholds that calibration tries, in bytes of the target language.
pub const THRESHOLDS: [u64; 5] = [32, 64, 128, 256, 512];

/// Share of the target language's bytes that a threshold must preserve to be chosen.
pub const PRESERVED_SHARE: f64 = 0.95;

/// Keeps a page if it has enough text in the target language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentSizeFilter {
    /// Least bytes of the target language.
    pub min_bytes: u64,
}

impl ContentSizeFilter {
    /// Returns whether a page with this many bytes in the target language is kept.
    pub fn keeps(&self, target_bytes: u64) -> bool {
        target_bytes >= self.min_bytes
    }
}

/// The pages that one threshold keeps: a row of Table 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThresholdRow {
    /// Minimum size of a page, in bytes (or characters) of the target language; 0 keeps everything.
    pub threshold: u64,
    /// Number of pages kept.
    pub pages: u64,
    /// Bytes (or characters) of the target language in them.
    pub size: u64,
}

/// Table 3 of a crawl, and the chosen threshold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calibration {
    /// Threshold 0, then one row for each of [`THRESHOLDS`].
    pub rows: Vec<ThresholdRow>,
    /// The chosen threshold, if any preserves [`PRESERVED_SHARE`].
    pub choice: Option<u64>,
}

/// Makes the table from the pages' sizes in the target language. As in the paper, pages without
/// text in it are not counted.
pub fn calibrate(sizes: impl IntoIterator<Item = u64>) -> Calibration {
    let mut rows: Vec<ThresholdRow> = std::iter::once(0)
        .chain(THRESHOLDS)
        .map(|threshold| ThresholdRow { threshold, ..ThresholdRow::default() })
        .collect();
    for size in sizes.into_iter().filter(|&size| size > 0) {
        for row in rows.iter_mut().take_while(|row| size >= row.threshold) {
            row.pages += 1;
            row.size = row.size.saturating_add(size);
        }
    }
    let choice = choose(&rows);
    Calibration { rows, choice }
}

/// Returns the threshold that keeps the fewest pages while it preserves [`PRESERVED_SHARE`] of the
/// size of the first row, which holds everything (Eq. 2). Among equal ones it returns the lowest,
/// which keeps the most of future pages. Returns `None` if no threshold preserves enough, or if the
/// first row is empty.
pub fn choose(rows: &[ThresholdRow]) -> Option<u64> {
    let all = rows.first().filter(|all| all.size > 0)?;
    let enough = all.size as f64 * PRESERVED_SHARE;
    rows[1..]
        .iter()
        .filter(|row| row.size as f64 >= enough)
        .min_by_key(|row| (row.pages, row.threshold))
        .map(|row| row.threshold)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_3_of_the_paper_chooses_256() {
        // Sizes in units of 10 kB.
        let table = [
            (0, 331_302, 60_700),
            (32, 328_826, 60_464),
            (64, 316_646, 60_404),
            (128, 292_935, 60_164),
            (256, 204_813, 58_641),
            (512, 171_682, 57_200),
        ];
        let rows = table.map(|(threshold, pages, size)| ThresholdRow { threshold, pages, size });
        assert_eq!(choose(&rows), Some(256));
    }

    #[test]
    fn a_page_is_in_every_row_that_it_reaches() {
        let table = calibrate([0, 31, 32, 600, 600]);
        let pages: Vec<u64> = table.rows.iter().map(|row| row.pages).collect();
        let sizes: Vec<u64> = table.rows.iter().map(|row| row.size).collect();
        assert_eq!(pages, [4, 3, 2, 2, 2, 2]);
        assert_eq!(sizes, [1263, 1232, 1200, 1200, 1200, 1200]);
        assert_eq!(
            table.choice,
            Some(64),
            "the rows from 64 on are equal, and 1200 of 1263 bytes are 95.01 %"
        );
    }

    #[test]
    fn small_pages_only_call_for_no_threshold() {
        assert_eq!(calibrate([31, 31]).choice, None);
        assert_eq!(calibrate([]).choice, None);
    }

    #[test]
    fn the_filter_keeps_from_its_threshold_on() {
        let filter = ContentSizeFilter { min_bytes: 256 };
        assert!(!filter.keeps(255));
        assert!(filter.keeps(256));
        assert!(ContentSizeFilter { min_bytes: 0 }.keeps(0));
    }
}
