//! Tables.

use super::{is_heading, BREAK, HOLE};

/// Removes tables. An unclosed one ends at the next heading.
pub fn without_tables(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0u64;
    for line in text.split('\n') {
        let mut line = line;
        let start = line.trim_start_matches([' ', '\t', ':', HOLE, BREAK]);
        if start.starts_with("{|") {
            depth += 1;
        } else if depth > 0 && start.starts_with("|}") {
            depth -= 1;
            line = &start[2..];
        } else if depth > 0 && is_heading(start) {
            depth = 0;
        }
        if depth == 0 {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}
