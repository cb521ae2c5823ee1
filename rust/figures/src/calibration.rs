//! Table 3: the pages that each content-size threshold keeps, over all pages and by script. A
//! letter takes one byte in one script and three in another, so the suitable threshold differs by
//! script.

use crate::fixed::percent;
use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use langbytes::{choose, Script, ThresholdRow, THRESHOLDS};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

/// Pages and size that reach threshold 0 (any text) and each of [`THRESHOLDS`].
type Rows = [(u64, u64); THRESHOLDS.len() + 1];

/// Sums for the content-size filter's calibration over all pages read, rejected pages included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calibration {
    all: Sums,
    /// Sums by ISO 15924 code.
    scripts: BTreeMap<[u8; 4], Sums>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sums {
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

impl Sums {
    fn merge(&mut self, other: Self) {
        for (rows, more) in
            [(&mut self.bytes, other.bytes), (&mut self.characters, other.characters)]
        {
            for (row, more) in rows.iter_mut().zip(more) {
                row.0 = row.0.saturating_add(more.0);
                row.1 = row.1.saturating_add(more.1);
            }
        }
    }
}

/// Returns the number of characters of a text and the script of most of its letters; ties go to the
/// first by code. Marks of one script count as letters; digits, punctuation, spaces and shared
/// marks do not. The script is `None` for a text without letters.
fn script_of(text: &str) -> (u64, Option<Script>) {
    let mut letters = [0u64; Script::COUNT];
    let mut met = Vec::new();
    let mut characters = 0;
    // Consecutive letters of one script are counted together, even with other signs between them.
    let (mut current, mut run) = (None, 0);
    let mut count = |script: Option<Script>, run: u64| {
        let Some(script) = script else { return };
        let count = &mut letters[script.index()];
        if *count == 0 {
            met.push(script);
        }
        *count += run;
    };
    for c in text.chars() {
        characters += 1;
        let script = Script::of(c);
        if Some(script) == current {
            run += 1;
        } else if script.is_some() {
            count(current, run);
            (current, run) = (Some(script), 1);
        }
    }
    count(current, run);
    (characters, met.into_iter().max_by_key(|script| (letters[script.index()], Reverse(*script))))
}

impl Accumulator for Calibration {
    plain_state!("calibration", 2);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let page = view.page;
        // A page without text in the language reaches no threshold.
        if page.target_bytes == 0 {
            return Ok(());
        }
        let mut sums = Sums::default();
        add(&mut sums.bytes, page.target_bytes);
        let length = page.text.len() as u64;
        let mut script = None;
        if length > 0 {
            let (characters, most) = script_of(&page.text);
            // The share of target characters is assumed to equal the share of target bytes.
            let target = u128::from(characters) * u128::from(page.target_bytes.min(length))
                / u128::from(length);
            add(&mut sums.characters, target as u64);
            script = most;
        }
        self.all.merge(sums);
        if let Some(code) = script.and_then(|script| script.tag().as_bytes().try_into().ok()) {
            self.scripts.entry(code).or_default().merge(sums);
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.all.merge(other.all);
        for (code, more) in other.scripts {
            self.scripts.entry(code).or_default().merge(more);
        }
        Ok(())
    }
}

/// The pages that one threshold keeps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationRow {
    /// Minimum size of a page; 0 for all pages with text in the target language.
    pub threshold: u64,
    /// Number of pages that the threshold keeps.
    pub pages: u64,
    /// Share of pages that this threshold keeps, in percent.
    pub pages_percent: Option<f64>,
    /// Size of their text in the target language.
    pub size: u64,
    /// Share of bytes in the language that this threshold keeps, in percent.
    pub size_percent: Option<f64>,
}

/// Table 3 and the chosen threshold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationFigures {
    /// A row for each threshold.
    pub rows: Vec<CalibrationRow>,
    /// The threshold that keeps the fewest pages and at least 95 % of the size, if there is one.
    pub choice: Option<u64>,
}

/// Calibration in bytes and in characters, and by script.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationTables {
    /// Thresholds in bytes of the target language (paper, Table 3).
    pub bytes: CalibrationFigures,
    /// Thresholds in characters, for pages with text in the input. The share of a page's characters
    /// in the target language is assumed to equal the share of its bytes; the number is rounded
    /// down.
    pub characters: CalibrationFigures,
    /// The same for the pages in each script, those of most pages first.
    pub scripts: Vec<ScriptTables>,
}

/// Calibration over the pages in one script, which is the script of most letters of their main
/// text. Pages without letters in the input have no script.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScriptTables {
    /// ISO 15924 code. `Hani` includes all Chinese and Japanese writing.
    pub script: String,
    /// Its English name.
    pub name: String,
    /// Thresholds in bytes.
    pub bytes: CalibrationFigures,
    /// Thresholds in characters.
    pub characters: CalibrationFigures,
}

fn figures(rows: &Rows) -> CalibrationFigures {
    let thresholds = std::iter::once(0).chain(THRESHOLDS);
    let rows: Vec<ThresholdRow> = thresholds
        .zip(rows)
        .map(|(threshold, &(pages, size))| ThresholdRow { threshold, pages, size })
        .collect();
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
    /// Returns the figures.
    pub fn finish(&self) -> CalibrationTables {
        let tables = |(code, sums): (&[u8; 4], &Sums)| {
            let script = String::from_utf8_lossy(code).into_owned();
            let name = Script::of_tag(&script)
                .map_or_else(|| script.clone(), |script| script.name().replace('_', " "));
            ScriptTables {
                script,
                name,
                bytes: figures(&sums.bytes),
                characters: figures(&sums.characters),
            }
        };
        let mut scripts: Vec<_> = self.scripts.iter().map(tables).collect();
        // The sort is stable: ties stay in the order of their codes.
        scripts.sort_by_key(|tables| Reverse(tables.bytes.rows[0].pages));
        CalibrationTables {
            bytes: figures(&self.all.bytes),
            characters: figures(&self.all.characters),
            scripts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::CorpusPage;

    /// Pages with the sums of the paper's Table 3, in kilobytes; the tolerance for rounding is one
    /// kilobyte per page.
    #[test]
    fn table_3_of_the_paper_chooses_256() {
        // Pages between consecutive thresholds, and the sum of their bytes.
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
                add(&mut calibration.all.bytes, mean);
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
        let page = CorpusPage { text, target_bytes: 600, main_bytes: 600, ..CorpusPage::default() };
        calibration.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        let tables = calibration.finish();
        assert_eq!((tables.bytes.choice, tables.characters.choice), (Some(32), Some(32)));
        assert_eq!((tables.bytes.rows[5].pages, tables.characters.rows[5].pages), (1, 0));
        assert_eq!(tables.characters.rows[4].size, 300);
    }

    fn script(text: &str) -> Option<&'static str> {
        script_of(text).1.map(Script::tag)
    }

    #[test]
    fn a_text_is_in_the_script_of_most_of_its_letters() {
        assert_eq!(script("web یہ اردو 1234567"), Some("Arab"));
        assert_eq!(script("website یہ"), Some("Latn"));
        assert_eq!(script("дом web"), Some("Cyrl"), "of as many letters the first by code");
        assert_eq!(script("カメラと日本語 web"), Some("Hani"), "what one language mixes is one");
        assert_eq!(script("12 – \u{301}"), None);
        assert_eq!(script_of("یہ 1").0, 4);
    }

    /// Texts of equal content take more bytes in one script than in another, so each script has its
    /// own threshold in bytes.
    #[test]
    fn each_script_has_its_own_table() {
        let mut calibration = Calibration::default();
        let mut add = |letter: &str, letters: usize, pages: usize| {
            let text = letter.repeat(letters);
            let bytes = text.len() as u64;
            let page = CorpusPage {
                text,
                target_bytes: bytes,
                main_bytes: bytes,
                ..CorpusPage::default()
            };
            (0..pages).for_each(|_| {
                calibration.add(&PageView { page: &page, tokens: &[] }).expect("no file is written")
            });
        };
        for (letter, pages) in [("a", 10), ("ช", 20)] {
            add(letter, 200, pages);
            add(letter, 20, pages);
        }
        add("1", 40, 5);
        let tables = calibration.finish();
        let row = |tables: &ScriptTables| {
            (
                tables.name.clone(),
                tables.bytes.rows[0].pages,
                tables.bytes.choice,
                tables.characters.choice,
            )
        };
        let rows: Vec<_> = tables.scripts.iter().map(row).collect();
        // The pages of 200 letters have ten elevenths of the size, less than 95 %, so the others
        // must be kept: 20 letters have 20 or 60 bytes.
        assert_eq!(
            rows,
            [("Thai".to_owned(), 40, Some(32), None), ("Latin".to_owned(), 20, None, None)]
        );
        assert_eq!(tables.bytes.rows[0].pages, 65, "digits are in no script");
    }
}
