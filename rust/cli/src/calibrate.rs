//! The content-size filter's calibration over a crawl's records (paper, Eq. 2 and Table 3).

use langbytes::{Calibration, Identify, LangCode};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, Read};

/// Bad lines that are named one by one; the rest are only counted.
const NAMED_BAD_LINES: u64 = 10;

/// What is read of a record; its other fields are passed over.
#[derive(Deserialize)]
struct Record {
    #[serde(alias = "bytes_per_language")]
    languages: BTreeMap<String, u64>,
    text: Option<String>,
}

/// A page's size in the target language.
struct Size {
    bytes: u64,
    /// Characters, if the record has its text.
    characters: Option<u64>,
}

/// Reads records and tables them: Table 3 in bytes and, if every page with target text has its text, in characters, which the
/// identifier finds.
///
/// # Errors
/// When the input cannot be read or no line of it is a record.
pub fn run(
    mut input: impl BufRead,
    name: &str,
    language: LangCode,
    identifier: &dyn Identify,
    max_line: u64,
) -> Result<String, String> {
    let mut sizes = Vec::new();
    let (mut lines, mut bad) = (0u64, 0u64);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(max_line.saturating_add(1)).read_until(b'\n', &mut line);
        if read.map_err(|error| format!("{name}: {error}"))? == 0 {
            break;
        }
        lines += 1;
        if line.len() as u64 > max_line {
            return Err(format!("{name}: line {lines} is longer than {max_line} bytes (--max-bytes)"));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match size(&line, language, identifier) {
            Ok(size) => sizes.push(size),
            Err(reason) => {
                bad += 1;
                if bad <= NAMED_BAD_LINES {
                    eprintln!("corpulyzer: {name}: line {lines}: {reason}");
                }
            }
        }
    }
    if bad > 0 {
        eprintln!("corpulyzer: {name}: {bad} of {lines} lines are no records and were passed over");
    }
    if sizes.is_empty() {
        return Err(format!("{name}: no records"));
    }
    Ok(report(&sizes, language))
}

/// A record's size in the language. Codes may be ISO 639-1, ISO 639-3 or CLD2's; those that nobody knows are refused.
fn size(line: &[u8], language: LangCode, identifier: &dyn Identify) -> Result<Size, String> {
    let record: Record = serde_json::from_slice(line).map_err(|error| in_line(&error))?;
    let mut bytes = 0u64;
    for (code, count) in &record.languages {
        if code.parse::<LangCode>().map_err(|unknown| unknown.to_string())? == language {
            bytes = bytes.saturating_add(*count);
        }
    }
    let characters = record.text.map(|text| if bytes == 0 { 0 } else { characters(&text, language, identifier) });
    Ok(Size { bytes, characters })
}

/// What is wrong with a line, without serde's own count of lines.
fn in_line(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

/// Characters of the text that are in the language.
fn characters(text: &str, language: LangCode, identifier: &dyn Identify) -> u64 {
    let lines: Vec<&str> = text.lines().collect();
    let pieces = langbytes::segments(&lines, identifier, None).pieces;
    let of_language = pieces.iter().filter(|piece| piece.language == language);
    of_language.map(|piece| piece.text.chars().count() as u64).sum()
}

fn report(sizes: &[Size], language: LangCode) -> String {
    let with_target = sizes.iter().filter(|size| size.bytes > 0).count();
    let mut report =
        format!("{language} ({}): {with_target} of {} pages have text in it\n", language.name(), sizes.len());
    table(&mut report, "bytes", &langbytes::calibrate(sizes.iter().map(|size| size.bytes)));
    let without_text = sizes.iter().filter(|size| size.bytes > 0 && size.characters.is_none()).count();
    if without_text == 0 {
        table(&mut report, "characters", &langbytes::calibrate(sizes.iter().filter_map(|size| size.characters)));
    } else {
        let _ = writeln!(report, "\nno table in characters: {without_text} records have no `text`");
    }
    report
}

fn table(report: &mut String, unit: &str, calibration: &Calibration) {
    let _ =
        writeln!(report, "\n{:>9} {:>12} {:>8} {:>16} {:>11}", "threshold", "pages", "% pages", unit, "% preserved");
    let all = calibration.rows.first().copied().unwrap_or_default();
    let percent = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 };
    for row in &calibration.rows {
        let (pages, size) = (percent(row.pages, all.pages), percent(row.size, all.size));
        let _ = writeln!(report, "{:>9} {:>12} {pages:>8.2} {:>16} {size:>11.2}", row.threshold, row.pages, row.size);
    }
    let share = langbytes::PRESERVED_SHARE * 100.0;
    let _ = match calibration.choice {
        Some(choice) => writeln!(report, "choice: {choice} {unit}, the fewest pages that preserve {share} %"),
        None => writeln!(report, "choice: none, no threshold preserves {share} %"),
    };
}
