//! What messages are made of.

use std::fmt::Display;

/// Characters of a message, at most; the longest path has so many.
const MESSAGE: usize = 5000;

/// A message as a terminal may have it: what files hold can be of any length, and have signs in it that a terminal obeys.
pub fn harmless(message: &str) -> String {
    let mut harmless: String = message
        .chars()
        .take(MESSAGE)
        .map(|c| if c.is_control() && c != '\n' && c != '\t' { char::REPLACEMENT_CHARACTER } else { c })
        .collect();
    if message.chars().nth(MESSAGE).is_some() {
        harmless.push('…');
    }
    harmless
}

/// A number with what it counts, whose plural has an `s`: `1 page`, `2 pages`.
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, one: &str) -> String {
    let end = if number == N::from(1) { "" } else { "s" };
    format!("{number} {one}{end}")
}
