//! Marks of footnotes directly after the end of a sentence: `night.[1] Nobody`, `night.² Nobody`.

/// Longest text in the brackets of a mark, in bytes: `[citation needed]`.
const MAX_MARK: usize = 40;

/// Most marks after a sentence.
const MAX_MARKS: usize = 20;

/// Returns the length of the marks of footnotes with which a text begins, in bytes.
pub(crate) fn length(text: &str) -> usize {
    let mut end = 0;
    for _ in 0..MAX_MARKS {
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
        let digits = text.chars().take_while(|c| is_superscript(*c)).take(MAX_MARKS);
        return digits.map(char::len_utf8).sum();
    };
    let mut has_sign = false;
    for (at, c) in inside.char_indices() {
        match c {
            ']' if has_sign => return at + 2,
            '[' | ']' | '\n' | '.' | '!' | '?' => return 0,
            _ if at > MAX_MARK => return 0,
            c => has_sign |= c.is_alphanumeric(),
        }
    }
    0
}
