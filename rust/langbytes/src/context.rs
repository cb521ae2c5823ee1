//! Short pieces in a language that a page has little of.
//!
//! A sentence in one language is at times identified as a close neighbour (Bosnian as Croatian). On
//! a page with 18 sentences in the larger language, such errors may be more bytes than all that the
//! smaller one has. A page is seldom in two neighbours at once, so its other text says what a short
//! piece in the smaller one probably is: the piece stays in that language only if its words say so
//! against the odds of the page.
//!
//! The odds are those of a mixture of both languages, which expectation maximisation finds (Dempster,
//! Laird and Rubin 1977): pieces with little evidence lower the share of the smaller language, which
//! in turn raises the evidence that others need.

use crate::{LangBytes, LangCode, Segment};
use langid::Identify;
use std::time::Instant;

/// Pieces of more bytes are certain.
const MAX_BYTES: usize = 600;
/// Bits of the models' evidence that count as one: letters of a text depend on each other, so the
/// models are surer than they should be.
const BITS: f64 = 4.0;
/// Bytes that each language has before any text is read.
const BEFORE: f64 = 50.0;
/// Rounds of the expectation maximisation.
const ROUNDS: usize = 8;

/// Gives the short pieces of the languages that a page has little of to a larger one, if the page's
/// odds for it are higher than the evidence for theirs. Stops at the deadline.
pub(crate) fn settle(
    pieces: &mut [Segment],
    identifier: &dyn Identify,
    deadline: Option<Instant>,
) {
    let mut bytes = LangBytes::new();
    for piece in pieces.iter().filter(|piece| piece.language != LangCode::UND) {
        bytes.add(piece.language, piece.text.len() as u64);
    }
    let mut languages: Vec<(LangCode, u64)> = bytes.iter().collect();
    languages.sort_by_key(|&(language, bytes)| (bytes, language));
    for (at, &(small, _)) in languages.iter().enumerate() {
        let larger = || languages[at + 1..].iter().rev().map(|&(language, _)| language);
        let is_comparable = |large: &LangCode| {
            let first = pieces.iter().find(|piece| piece.language == small);
            first.is_some_and(|piece| identifier.evidence(piece.text, small, *large).is_some())
        };
        if let Some(large) = larger().find(is_comparable) {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return;
            }
            settle_pair(pieces, identifier, small, large);
        }
    }
}

/// Gives the pieces of `small` to `large` that are likelier in it, on this page.
fn settle_pair(
    pieces: &mut [Segment],
    identifier: &dyn Identify,
    small: LangCode,
    large: LangCode,
) {
    let sum = |language| {
        let own = pieces.iter().filter(|piece| piece.language == language);
        own.map(|piece| piece.text.len()).sum::<usize>() as f64
    };
    let (of_small, of_large) = (sum(small), sum(large));
    let doubtful: Vec<(usize, f64)> = (0..pieces.len())
        .filter(|&at| pieces[at].language == small && pieces[at].text.len() <= MAX_BYTES)
        .filter_map(|at| {
            Some((at, identifier.evidence(pieces[at].text, small, large)? / BITS))
        })
        .collect();
    let length = |at: usize| pieces[at].text.len() as f64;
    let certain = of_small - doubtful.iter().map(|&(at, _)| length(at)).sum::<f64>();
    let mut share = of_small;
    let odds = |share: f64| ((share + BEFORE) / (of_small + of_large - share + BEFORE)).log2();
    for _ in 0..ROUNDS {
        let likely = |&(at, evidence): &(usize, f64)| {
            length(at) / (1.0 + (-evidence - odds(share)).exp2())
        };
        share = certain + doubtful.iter().map(likely).sum::<f64>();
    }
    for (at, evidence) in doubtful {
        if evidence + odds(share) < 0.0 {
            pieces[at].language = large;
        }
    }
}
