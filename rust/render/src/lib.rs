//! What reports, tables and messages show: plots as SVG ([`plot`]), cells of tab-separated tables
//! ([`tsv`]), the results that a verb prints ([`results`]) and text for terminals. It comes from
//! untrusted pages, so all of them escape it.
#![forbid(unsafe_code)]

pub mod plot;
pub mod results;
pub mod tsv;

use std::fmt::Display;

/// Most characters of a message: those of the longest path.
const MESSAGE: usize = 5000;

/// Makes a message safe for a terminal. Text from files can have any length and contain control
/// characters.
pub fn harmless(message: &str) -> String {
    let is_control = |c: char| c.is_control() && c != '\n' && c != '\t';
    let safe = |c| if is_control(c) { char::REPLACEMENT_CHARACTER } else { c };
    let mut harmless: String = message.chars().take(MESSAGE).map(safe).collect();
    if message.chars().nth(MESSAGE).is_some() {
        harmless.push('…');
    }
    harmless
}

/// Formats a number in groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a number with its noun: `1 page`, `2 pages`. The plural ends with `s`.
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, one: &str) -> String {
    let end = if number == N::from(1) { "" } else { "s" };
    format!("{number} {one}{end}")
}
