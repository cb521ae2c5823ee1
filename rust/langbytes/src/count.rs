//! From blocks of text to bytes per language.

use crate::{cld2, LangBytes, LangCode};
use std::ops::Range;
use std::time::Instant;

/// A block with fewer letters than this is identified together with its neighbours: CLD2 needs about half a sentence
/// (its chunks are some 20 quadgrams).
const MIN_LETTERS: usize = 30;

/// Longest text of one call, in bytes, so that a deadline is looked at often enough (some 20 ms each).
const MAX_CALL_BYTES: usize = 1 << 20;

/// A piece of a block that is in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Index of the block.
    pub block: usize,
    /// The language, [`LangCode::UND`] where it cannot be told.
    pub language: LangCode,
    /// The piece itself.
    pub text: &'a str,
}

/// All pieces of some blocks, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segments<'a> {
    /// The pieces tile every block: put together they are its text.
    pub pieces: Vec<Segment<'a>>,
    /// Whether the deadline came first; blocks that were not reached are [`LangCode::UND`].
    pub late: bool,
}

/// Bytes per language of some blocks. The sum over the languages is the sum of the blocks' bytes.
pub fn count(blocks: &[&str]) -> LangBytes {
    let mut sum = LangBytes::new();
    for piece in segments(blocks, None).pieces {
        sum.add(piece.language, piece.text.len() as u64);
    }
    sum
}

/// The language of every piece of every block.
///
/// Each block is identified by a call of its own, so that close languages on one page (Czech and Slovak) are not thrown
/// together; blocks under [`MIN_LETTERS`] letters are joined with those that follow, or at the end with those before.
pub fn segments<'a>(blocks: &[&'a str], deadline: Option<Instant>) -> Segments<'a> {
    let mut found = Segments { pieces: Vec::with_capacity(blocks.len()), late: false };
    for group in groups(blocks) {
        found.late = found.late || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if found.late {
            let rest = group.map(|block| Segment { block, language: LangCode::UND, text: blocks[block] });
            found.pieces.extend(rest.filter(|piece| !piece.text.is_empty()));
        } else if group.len() == 1 {
            let block = group.start;
            found.late = identify_long(block, blocks[block], deadline, &mut found.pieces);
        } else {
            identify_joined(blocks, group, &mut found.pieces);
        }
    }
    found
}

/// Cuts the blocks into runs of at least [`MIN_LETTERS`] letters; only a run that holds all blocks may have fewer.
fn groups(blocks: &[&str]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let (mut start, mut letters) = (0, 0);
    for (index, block) in blocks.iter().enumerate() {
        letters += block.chars().filter(|c| c.is_alphabetic()).take(MIN_LETTERS).count();
        if letters >= MIN_LETTERS {
            groups.push(start..index + 1);
            (start, letters) = (index + 1, 0);
        }
    }
    if start < blocks.len() {
        match groups.last_mut() {
            // A tail without a letter has nothing to say about its neighbour's language, and gains nothing from it.
            Some(last) if letters > 0 => last.end = blocks.len(),
            _ => groups.push(start..blocks.len()),
        }
    }
    groups
}

/// Identifies one block in calls of at most [`MAX_CALL_BYTES`]. True if the deadline came first.
fn identify_long<'a>(block: usize, text: &'a str, deadline: Option<Instant>, pieces: &mut Vec<Segment<'a>>) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        if rest.len() < text.len() && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            pieces.push(Segment { block, language: LangCode::UND, text: rest });
            return true;
        }
        let (call, after) = rest.split_at(cut(rest));
        for (language, range) in languages(call) {
            pieces.push(Segment { block, language, text: &call[range] });
        }
        rest = after;
    }
    false
}

/// Where to end a call: after the last blank within the limit, else at the last whole character.
fn cut(text: &str) -> usize {
    if text.len() <= MAX_CALL_BYTES {
        return text.len();
    }
    let limit = floor_char_boundary(text, MAX_CALL_BYTES);
    let window = floor_char_boundary(text, limit - 1024);
    text[window..limit].rfind(char::is_whitespace).filter(|&at| at > 0).map_or(limit, |at| window + at)
}

/// Identifies several blocks in one call and hands every block its own bytes.
fn identify_joined<'a>(blocks: &[&'a str], group: Range<usize>, pieces: &mut Vec<Segment<'a>>) {
    let joined = blocks[group.clone()].join("\n");
    let mut runs = languages(&joined).into_iter().peekable();
    let mut start = 0;
    for block in group {
        let text = blocks[block];
        let end = start + text.len();
        let mut position = start;
        while position < end {
            let Some((language, run)) = runs.peek() else { break };
            let stop = run.end.min(end);
            if position < stop {
                pieces.push(Segment { block, language: *language, text: &text[position - start..stop - start] });
                position = stop;
            }
            if run.end <= end {
                runs.next();
            }
        }
        // The line break that joins two blocks belongs to none of them.
        start = end + 1;
    }
}

/// Tiles a text with its languages, at whole characters.
fn languages(text: &str) -> Vec<(LangCode, Range<usize>)> {
    let mut runs: Vec<(LangCode, Range<usize>)> = Vec::new();
    let mut push = |language: LangCode, range: Range<usize>| {
        if range.is_empty() {
            return;
        }
        match runs.last_mut() {
            Some((last, run)) if *last == language => run.end = range.end,
            _ => runs.push((language, range)),
        }
    };
    let mut position = 0;
    for chunk in cld2::chunks(text) {
        let start = floor_char_boundary(text, chunk.start).max(position);
        let end = floor_char_boundary(text, chunk.end).max(start);
        push(LangCode::UND, position..start);
        push(LangCode::of_cld2(chunk.language), start..end);
        position = end;
    }
    push(LangCode::UND, position..text.len());
    runs
}

fn floor_char_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}
