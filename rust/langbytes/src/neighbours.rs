//! Blocks of a close language, with their page in view.
//!
//! CLD2 chooses among languages that are about as likely by the models, and without a target the
//! common ones are preferred. Both are for a text alone. A page in one language has a few blocks
//! that are so counted for a close one: of the sentences in Rundi, one in eight for Kinyarwanda. So on
//! a page that is mainly in one language, its blocks are in another one only if the models find
//! this likelier. If the page declares this language (`lang`), less of its text must be in it: a
//! language that is declared wrongly has hardly any text, unless it is a very close one.

use crate::{LangCode, Segment};
use langid::Identify;
use std::collections::BTreeMap;

/// Least bytes of the main language of a page, about three sentences.
const MIN_MAIN: usize = 400;
/// Least share of the main language of a page, in percent of the bytes in a known language. The
/// higher it is, the fewer pages have one; the lower, the more pages in two close languages are
/// counted for one of them.
const MIN_SHARE: usize = 66;
/// Least share of the main language if the page declares it.
const MIN_DECLARED: usize = 40;

/// Sets the language of text that is not likelier in it than in the main language of its page to
/// the main one. `declared` is the language that the page declares.
pub(crate) fn settle(
    pieces: &mut [Segment],
    identifier: &dyn Identify,
    declared: Option<LangCode>,
) {
    let Some(main) = main_language(pieces, declared) else { return };
    let others = pieces.iter_mut().filter(|piece| ![main, LangCode::UND].contains(&piece.language));
    for piece in others {
        if identifier.lead(piece.text, piece.language, main).is_some_and(|lead| lead < 0.0) {
            piece.language = main;
        }
    }
}

/// Returns the declared language of a page if enough text is in it, else the one that most text is
/// in; `None` if it has too little text or none.
fn main_language(pieces: &[Segment], declared: Option<LangCode>) -> Option<LangCode> {
    let mut bytes: BTreeMap<LangCode, usize> = BTreeMap::new();
    for piece in pieces.iter().filter(|piece| piece.language != LangCode::UND) {
        *bytes.entry(piece.language).or_default() += piece.text.len();
    }
    let all: usize = bytes.values().sum();
    let has = |bytes: usize, share: usize| bytes >= MIN_MAIN && bytes * 100 >= all * share;
    let declared = declared.filter(|code| has(*bytes.get(code).unwrap_or(&0), MIN_DECLARED));
    let (main, most) = bytes.into_iter().max_by_key(|&(_, bytes)| bytes)?;
    declared.or_else(|| has(most, MIN_SHARE).then_some(main))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use langid::Allowed;

    /// Text with a `k` is in Kinyarwanda, and likelier in it if it has a `z` too.
    #[derive(Debug)]
    struct ByLetter;

    impl Identify for ByLetter {
        fn identify(&self, text: &str, _: Allowed) -> LangCode {
            if text.contains('k') { "kin" } else { "run" }.parse().unwrap()
        }

        fn lead(&self, text: &str, language: LangCode, other: LangCode) -> Option<f64> {
            assert_ne!(language, other);
            Some(if text.contains('z') { 0.1 } else { -0.1 })
        }

        fn languages(&self) -> Vec<LangCode> {
            Vec::new()
        }

        fn version(&self) -> String {
            String::new()
        }
    }

    /// Returns the bytes in Kinyarwanda on a page with 2 blocks that are not likelier in it, 2 that
    /// are, and some in Rundi. The page may declare a language.
    fn bytes(of_run: usize, declared: Option<&str>) -> u64 {
        let block = |letter: &str| {
            let words =
                ["amata", "ubwoba", "itara", "umuti", "ururimi", "abantu", "imvura", "inda"];
            words.map(|word| format!("{word}{letter}")).join(" ")
        };
        let blocks: Vec<String> = ["k", "k", "kz", "kz"].into_iter().map(block).collect();
        let mut blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
        let other = block("");
        blocks.extend(vec![other.as_str(); of_run]);
        let declared = declared.map(|code| code.parse().unwrap());
        let pieces = crate::segments_of_page(&blocks, &ByLetter, declared, None).pieces;
        let of_kin = pieces.iter().filter(|piece| piece.language.as_str() == "kin");
        of_kin.map(|piece| piece.text.len() as u64).sum()
    }

    #[test]
    fn a_block_beside_a_main_language_needs_a_lead() {
        let all = bytes(0, None);
        assert!(all > 200);
        assert_eq!(bytes(4, None), all, "no language has most of the page");
        let settled = bytes(12, None);
        assert!(settled < all * 6 / 10 && settled > all * 4 / 10, "{settled} of {all}");
    }

    #[test]
    fn a_language_that_a_page_declares_is_its_main_one_with_less_of_its_text() {
        let all = bytes(0, None);
        let settled = bytes(12, None);
        assert_eq!(bytes(8, None), all);
        assert_eq!(bytes(8, Some("run")), settled);
        assert_eq!(bytes(4, Some("run")), all, "the page has too little text");
        assert_eq!(bytes(8, Some("fra")), all, "the page has no text in what it declares");
        assert_eq!(bytes(12, Some("kin")), settled, "most of the page is in another language");
    }

    #[test]
    fn a_short_page_has_no_main_language() {
        let page = |count: usize| {
            let text = "umuti ururimi abantu imvura inda amata";
            let [own, other] = ["run", "kin"].map(|code| code.parse().unwrap());
            let piece = |language| Segment { block: 0, language, text };
            let mut pieces = vec![piece(own); count];
            pieces.push(piece(other));
            settle(&mut pieces, &ByLetter, None);
            pieces[count].language.to_string()
        };
        assert_eq!(page(8), "kin");
        assert_eq!(page(12), "run");
    }
}
