//! Numbers of things in messages.

use std::fmt::Display;

/// A number with what it counts, whose plural has an `s`: `1 page`, `2 pages`.
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, one: &str) -> String {
    let end = if number == N::from(1) { "" } else { "s" };
    format!("{number} {one}{end}")
}
