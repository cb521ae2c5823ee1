//! Cells of tab-separated tables that people open in spreadsheets.
//!
//! URLs, host names and words come from untrusted pages. A spreadsheet runs a cell that begins with
//! `=`, `+`, `-` or `@` as a formula. [`guarded`] follows OWASP's rule for CSV injection: it puts an
//! apostrophe before such a text. [`unguarded`] removes it again.
//!
//! The syntax is that of RFC 4180 with tabs instead of commas: [`cell`] encloses a text that holds a
//! quote in quotes and doubles the quotes in it, so that readers with and without knowledge of
//! quotes find the same cells. No cell has a tab or the end of a line. [`value`] reads a cell back.

use std::borrow::Cow;

/// The prefix that marks a cell as text.
const TEXT: char = '\'';

const QUOTE: char = '"';

/// Returns whether a character separates cells or lines, or controls terminals or spreadsheets.
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Returns whether a spreadsheet may run a text as a formula: after spaces and apostrophes it
/// begins with a formula's sign, in ASCII or in full width. Numbers such as `-1.5` are not
/// formulas.
fn is_formula(text: &str) -> bool {
    let start = text.trim_start().trim_start_matches(TEXT);
    let begins = start.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    begins && !is_number(text)
}

/// Returns whether a text has at least one digit and, after an optional sign, only digits and
/// points.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.contains(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Formats a text as a cell: guarded, and enclosed in quotes if it holds one.
pub fn cell(text: &str) -> Cow<'_, str> {
    let text = guarded(text);
    match text.contains(QUOTE) {
        true => Cow::Owned(format!("{QUOTE}{}{QUOTE}", text.replace(QUOTE, "\"\""))),
        false => text,
    }
}

/// Returns the text of a cell that [`cell`] wrote. A text without control characters survives the
/// round trip unchanged. A cell with unpaired quotes was written by another program and is read as
/// it is.
pub fn value(cell: &str) -> Cow<'_, str> {
    match unquoted(cell) {
        Cow::Borrowed(text) => Cow::Borrowed(unguarded(text)),
        Cow::Owned(text) => Cow::Owned(unguarded(&text).to_owned()),
    }
}

fn unquoted(cell: &str) -> Cow<'_, str> {
    let inside = cell.strip_prefix(QUOTE).and_then(|rest| rest.strip_suffix(QUOTE));
    let Some(inside) = inside else { return Cow::Borrowed(cell) };
    let text = inside.replace("\"\"", "\"");
    let is_paired = inside.split("\"\"").all(|part| !part.contains(QUOTE));
    if is_paired {
        Cow::Owned(text)
    } else {
        Cow::Borrowed(cell)
    }
}

/// Replaces each control character with a space, and puts an apostrophe before a possible formula.
/// A writer of another syntax quotes the result by its own rules.
pub fn guarded(text: &str) -> Cow<'_, str> {
    let line = match text.contains(is_control) {
        true => Cow::Owned(text.replace(is_control, " ")),
        false => Cow::Borrowed(text),
    };
    match is_formula(&line) {
        true => Cow::Owned(format!("{TEXT}{line}")),
        false => line,
    }
}

/// Returns the text that [`guarded`] was given, without the apostrophe.
pub fn unguarded(text: &str) -> &str {
    text.strip_prefix(TEXT).filter(|text| is_formula(text)).unwrap_or(text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_spreadsheet_runs_no_cell() {
        for formula in [
            "=cmd()",
            "+1+cmd|' /C calc'!A0",
            "-2+3",
            "@SUM(A1)",
            " =a",
            "\t=a",
            "\r\n=a",
            "＝a",
            "-",
            "'=a",
        ] {
            let cell = cell(formula);
            assert!(cell.starts_with('\'') && !cell.contains(is_control), "{formula:?}");
            assert_eq!(unguarded(&guarded(formula)), formula.replace(is_control, " "));
            assert_eq!(value(&cell), formula.replace(is_control, " "), "{formula:?}");
        }
        assert_eq!(cell("a\tb\nc\u{1b}[2J\u{2028}d\u{85}"), "a b c [2J d ");
    }

    #[test]
    fn a_strict_reader_finds_the_cells_that_were_meant() {
        let texts = [
            "\"",
            "\"\"",
            "a \"b\" c",
            "\"=cmd()\"",
            "=\"a\"",
            "http://a.pk/\"",
            "צה\"ל",
            "'\"",
            "'tis",
            "a",
            "",
        ];
        let row =
            |cells: &[&str]| cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join("\t");
        let table = [row(&texts), row(&texts)].join("\n");
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(b'\t')
            .has_headers(false)
            .from_reader(table.as_bytes());
        let mut rows = 0;
        for read in reader.records() {
            let read = read.unwrap();
            assert!(read.iter().map(unguarded).eq(texts), "{read:?}");
            rows += 1;
        }
        assert_eq!(rows, 2);
        for line in table.lines() {
            assert!(line.split('\t').map(value).eq(texts), "{line}");
        }
        assert_eq!(cell("\"=cmd()\""), "\"\"\"=cmd()\"\"\"");
        for other in ["\"", "\"a", "a\"", "\"a\"b\"", "\"\"\""] {
            assert_eq!(value(other), other, "not written by `cell`");
        }
    }

    #[test]
    fn other_cells_stay() {
        for text in ["", "http://a.pk/?x=1", "شہر", "-1.5", "+3", "-0", "'tis", "''", "a=b", "1-2"]
        {
            assert_eq!(cell(text), text);
            assert_eq!(value(text), text);
        }
    }
}
