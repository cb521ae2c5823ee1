//! Numbers and other signs, which are in no language.
//!
//! Identifiers give text without letters the language of the text beside it. A table of prices or a
//! line of stars would then count for the language of its caption. Short signs remain, because
//! they are the punctuation and the years of sentences.

use crate::{LangCode, Segment};
use langid::words::Script;
use std::ops::Range;

/// Least number of characters other than white space that are in no language.
const MIN_SIGNS: usize = 6;

/// Sets the language of signs to [`LangCode::UND`]. White space beside them keeps its language.
pub(crate) fn apart<'a>(pieces: Vec<Segment<'a>>) -> Vec<Segment<'a>> {
    let mut found: Vec<Segment<'a>> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let mut start = 0;
        let is_known = piece.language != LangCode::UND;
        for signs in if is_known { of(piece.text) } else { Vec::new() } {
            push(&mut found, piece, start..signs.start);
            push(&mut found, Segment { language: LangCode::UND, ..piece }, signs.clone());
            start = signs.end;
        }
        push(&mut found, piece, start..piece.text.len());
    }
    found
}

/// Appends a part of a piece.
fn push<'a>(found: &mut Vec<Segment<'a>>, piece: Segment<'a>, part: Range<usize>) {
    if !part.is_empty() {
        found.push(Segment { text: &piece.text[part], ..piece });
    }
}

/// Returns where a text has signs alone, without the white space around them.
fn of(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut signs, mut range) = (0, 0..0);
    let mut end = |signs: &mut usize, range: &Range<usize>| {
        if *signs >= MIN_SIGNS {
            found.push(range.clone());
        }
        *signs = 0;
    };
    for (at, c) in text.char_indices() {
        if is_of_word(c) {
            end(&mut signs, &range);
        } else if !c.is_whitespace() {
            range = if signs == 0 { at } else { range.start }..at + c.len_utf8();
            signs += 1;
        }
    }
    end(&mut signs, &range);
    found
}

/// Returns whether a character is a letter or a mark of one.
fn is_of_word(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii() && Script::of(c) != Script::NONE && !c.is_numeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        of(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn numbers_and_rows_of_signs_are_set_apart_and_punctuation_is_not() {
        for text in [
            "",
            "In 1947 (see p. 12), it was – as ever – cold...",
            "يوم ١٩٤٧، ثم",
            "वर्ष १९४७ में।",
            "ง่าย ๆ",
        ] {
            assert_eq!(parts(text), [""; 0], "{text}");
        }
        assert_eq!(parts("Price 1,299.00 € each"), ["1,299.00 €"]);
        assert_eq!(parts("★★★★★★ good ====== x"), ["★★★★★★", "======"]);
        assert_eq!(parts("फोन १२३४५६७८ है"), ["१२३४५६७८"]);
        assert_eq!(parts("a 12 | 34 | 56 b"), ["12 | 34 | 56"]);
    }

    #[test]
    fn the_parts_of_a_piece_are_its_text() {
        let urdu = "urd".parse().expect("a code");
        let piece = |language, text| Segment { block: 3, language, text };
        let pieces = vec![piece(urdu, "کل 0300-1234567 پر "), piece(LangCode::UND, "12345678")];
        let expected = [
            piece(urdu, "کل "),
            piece(LangCode::UND, "0300-1234567"),
            piece(urdu, " پر "),
            piece(LangCode::UND, "12345678"),
        ];
        assert_eq!(apart(pieces), expected);
    }
}
