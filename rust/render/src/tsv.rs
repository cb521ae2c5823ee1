//! Cells of tab-separated tables that people open in spreadsheets.
//!
//! URLs, host names and words come from untrusted pages. A spreadsheet runs a cell that begins with
//! `=`, `+`, `-` or `@` as a formula. [`cell`] follows OWASP's rule for CSV injection: it puts an
//! apostrophe before such a cell. [`value`] removes it again.

use std::borrow::Cow;

/// The prefix that marks a cell as text.
const TEXT: char = '\'';

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

/// Formats a text as a cell: each control character becomes a space, and a possible formula gets an
/// apostrophe before it.
pub fn cell(text: &str) -> Cow<'_, str> {
    let line = match text.contains(is_control) {
        true => Cow::Owned(text.replace(is_control, " ")),
        false => Cow::Borrowed(text),
    };
    match is_formula(&line) {
        true => Cow::Owned(format!("{TEXT}{line}")),
        false => line,
    }
}

/// Returns the text of a cell that [`cell`] wrote, without the apostrophe. A text without control
/// characters survives the round trip unchanged.
pub fn value(cell: &str) -> &str {
    cell.strip_prefix(TEXT).filter(|text| is_formula(text)).unwrap_or(cell)
}

#[cfg(test)]
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
            assert_eq!(value(&cell), formula.replace(is_control, " "), "{formula:?}");
        }
        assert_eq!(cell("a\tb\nc\u{1b}[2J\u{2028}d\u{85}"), "a b c [2J d ");
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
