//! Marks of footnotes directly after the end of a sentence: `night.[1] Nobody`, `night.² Nobody`.

/// Longest text in the brackets of a mark, in bytes: `[citation needed]`.
const LONGEST: usize = 40;

/// Most marks after a sentence.
const MOST: usize = 20;

/// Returns the length of the marks of footnotes with which a text begins, in bytes.
pub(crate) fn length(text: &str) -> usize {
    let mut end = 0;
    for _ in 0..MOST {
        match mark(&text[end..]) {
            0 => break,
            length => end += length,
        }
    }
    end
}

/// Returns the length of the mark with which a text begins, or 0.
fn mark(text: &str) -> usize {
    let is_superscript = |c: char| {
        matches!(c, '\u{b9}' | '\u{b2}' | '\u{b3}' | '\u{2070}' | '\u{2074}'..='\u{2079}')
    };
    let Some(inside) = text.strip_prefix('[') else {
        let digits = text.chars().take_while(|c| is_superscript(*c)).take(MOST);
        return digits.map(char::len_utf8).sum();
    };
    let mut has_sign = false;
    for (at, c) in inside.char_indices() {
        match c {
            ']' if has_sign => return at + 2,
            '[' | ']' | '\n' | '.' | '!' | '?' => return 0,
            _ if at > LONGEST => return 0,
            c => has_sign |= c.is_alphanumeric(),
        }
    }
    0
}
