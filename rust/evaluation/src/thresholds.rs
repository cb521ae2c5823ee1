//! The content-size thresholds of a corpus as tables (paper, Table 3).

use langbytes::{calibrate, Calibration, LangCode, PRESERVED_SHARE};
use render::counted;
use render::results::{Cell, Results};
use serde_json::Value;

/// A page's size in the target language.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// UTF-8 bytes of text in the target language.
    pub bytes: u64,
    /// Characters. None if the record has no text.
    pub characters: Option<u64>,
}

/// Returns Table 3 in bytes, and in characters if every page with target text has its text.
pub fn results(sizes: &[Size], language: LangCode) -> Results {
    let with_target = || sizes.iter().filter(|size| size.bytes > 0);
    let (pages, found) = (sizes.len(), with_target().count());
    let without_text = with_target().filter(|size| size.characters.is_none()).count();
    let mut results = Results::default();
    let name = language.name();
    let counted_pages = counted(pages, "page");
    results.line(&format!("{language} ({name}): text in it on {found} of {counted_pages}"));
    results.figure("language", language.as_str());
    results.figure("pages", pages);
    results.figure("target_pages", found);
    results.figure("target_pages_without_text", without_text);
    table(&mut results, "bytes", &calibrate(sizes.iter().map(|size| size.bytes)));
    if without_text == 0 {
        let characters = sizes.iter().filter_map(|size| size.characters);
        table(&mut results, "characters", &calibrate(characters));
    } else {
        let records = counted(without_text, "record");
        results.line(&format!("\nno table in characters: {records} without `text`"));
    }
    results
}

/// Adds Table 3 in this unit, and the choice. A share is of the row that keeps everything.
fn table(results: &mut Results, unit: &'static str, found: &Calibration) {
    let columns = [
        ("threshold", "threshold", 9),
        ("pages", "pages", 12),
        ("pages_share", "% pages", 8),
        (unit, unit, 16),
        ("preserved_share", "% preserved", 11),
    ];
    let all = found.rows.first().copied().unwrap_or_default();
    let share = |part: u64, whole: u64| {
        #[expect(clippy::cast_precision_loss, reason = "a share is shown with four digits")]
        let share = if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
        Cell::new(format!("{:.2}", share * 100.0), share)
    };
    let key = if unit == "bytes" { "by_bytes" } else { "by_characters" };
    let mut table = results.table(key, "\n", &columns);
    for row in &found.rows {
        let (pages, size) = (share(row.pages, all.pages), share(row.size, all.size));
        table.row([row.threshold.into(), row.pages.into(), pages, row.size.into(), size]);
    }
    let share = PRESERVED_SHARE * 100.0;
    results.line(&match found.choice {
        Some(choice) => {
            format!("choice: {choice} {unit}, the fewest pages that preserve {share} %")
        }
        None => format!("choice: none, no threshold preserves {share} %"),
    });
    results.figure(
        if unit == "bytes" { "choice_in_bytes" } else { "choice_in_characters" },
        found.choice.map_or(Value::Null, Value::from),
    );
}
