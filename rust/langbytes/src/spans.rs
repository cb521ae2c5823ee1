//! The languages of a text as spans with offsets.

use crate::{segments, Identify, LangCode};
use langid::probability_of;

/// A part of a text in one language.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
    /// The language, [`LangCode::UND`] if unknown.
    pub language: LangCode,
    /// The probability, from 0 to 1, that the language is right; see [`Identify::probability`].
    pub probability: Option<f64>,
}

/// Returns the spans of a text whose lines are its blocks, in order. Their languages are those that
/// [`count_lines`](crate::count_lines) counts. Neighbouring pieces in one language are one span,
/// also across lines. White space at the edges belongs to no span, and lines of white space have
/// none.
pub fn spans(text: &str, identifier: &dyn Identify) -> Vec<Span> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found: Vec<Span> = Vec::new();
    for piece in segments(&lines, identifier, None).pieces {
        // The pieces are parts of the text itself.
        let offset = piece.text.as_ptr() as usize - text.as_ptr() as usize;
        let start = offset + piece.text.len() - piece.text.trim_start().len();
        let end = start + piece.text.trim().len();
        match found.last_mut() {
            _ if piece.text.trim().is_empty() => {}
            Some(last) if last.language == piece.language => last.end = end,
            _ => found.push(Span { start, end, language: piece.language, probability: None }),
        }
    }
    for span in &mut found {
        let part = &text.as_bytes()[span.start..span.end];
        span.probability = probability_of(part, identifier, span.language);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{count_lines, Combined, LangBytes};
    use proptest::prelude::*;

    const URDU: &str =
        "کل شام بازار میں بارش کی وجہ سے لوگ بہت کم تھے اور دکانیں جلدی بند ہو گئیں۔";
    const GERMAN: &str = "Am Abend war der Markt wegen des Regens fast leer, und alle gingen heim.";

    fn of(text: &str) -> Vec<(&str, String)> {
        let identifier = Combined::new(Vec::new(), None);
        let spans = spans(text, &identifier);
        assert!(spans.iter().all(|span| span.probability.is_some_and(|p| p > 0.8)), "{spans:?}");
        spans.iter().map(|span| (&text[span.start..span.end], span.language.to_string())).collect()
    }

    #[test]
    fn lines_and_scripts_in_a_line_are_spans_with_offsets_in_the_text() {
        let text = format!("  {URDU}\n\n{URDU}\r\n{GERMAN} {URDU}\n");
        let both = format!("{URDU}\n\n{URDU}");
        let expected = [(&both[..], "urd"), (GERMAN, "deu"), (URDU, "urd")];
        assert_eq!(of(&text), expected.map(|(part, code)| (part, code.to_owned())));
        assert_eq!(of(""), []);
        assert_eq!(of(" \n\n "), []);
    }

    proptest! {
        #[test]
        fn spans_are_in_order_and_have_the_bytes_that_are_counted(
            parts in prop::collection::vec(
                prop_oneof![Just(URDU.to_owned()), Just(GERMAN.to_owned()), ".{0,30}", Just("\n".into())],
                0..8,
            )
        ) {
            let text = parts.join(" ");
            let identifier = Combined::new(Vec::new(), None);
            let spans = spans(&text, &identifier);
            let mut sums = LangBytes::new();
            let mut at = 0;
            for span in &spans {
                prop_assert!(at <= span.start && span.start < span.end);
                at = span.end;
                sums.add(span.language, (span.end - span.start) as u64);
            }
            prop_assert!(at <= text.len());
            // White space alone makes a difference.
            let spaces = text.chars().filter(|c| c.is_whitespace()).map(char::len_utf8).sum::<usize>();
            for (language, bytes) in count_lines(&text, &identifier).iter() {
                prop_assert!(sums.bytes(language).abs_diff(bytes) <= spaces as u64);
            }
        }
    }
}
