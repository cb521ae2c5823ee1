//! From blocks of text to bytes per language.

use crate::{neighbours, noise, signs, LangBytes, LangCode};
use langid::words::Script;
use langid::{append, floor_char_boundary, Budget, Identify, Run};
use std::borrow::Cow;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Blocks with fewer letters are joined with their neighbours: identifiers need about half a
/// sentence.
const MIN_LETTERS: usize = 30;

/// Longest text of one call, in bytes. It keeps the deadline checks frequent: every 50 ms for most
/// text, every second in the worst case.
const MAX_CALL_BYTES: usize = 1 << 20;

/// Time of the longest call. If less is left, calls are shorter in proportion.
const MAX_CALL_TIME: Duration = Duration::from_secs(1);

/// Bytes of the shortest call that is due to the time.
const MIN_CALL_BYTES: usize = 16 << 10;

/// Minimum mean number of letters between changes of script; no natural text changes more often.
const MIN_UNCHANGED: usize = 3;

/// Bytes of frequently changing text that are identified. Identifiers restart at each change of
/// script, so such text takes several times as long as other text.
const MAX_SHREDDED: usize = 64 << 10;

/// A piece of a block that is in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Index of the block.
    pub block: usize,
    /// The language, [`LangCode::UND`] if unknown.
    pub language: LangCode,
    /// Text of the piece; white space between pieces belongs to one of them.
    pub text: &'a str,
}

/// All pieces of some blocks, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segments<'a> {
    /// The pieces of every block, without gaps: together they are its text.
    pub pieces: Vec<Segment<'a>>,
    /// Whether the deadline passed; the remaining blocks are [`LangCode::UND`].
    pub late: bool,
}

/// Returns the bytes per language of some blocks. The sum over the languages is the sum of the
/// blocks' bytes.
pub fn count(blocks: &[&str], identifier: &dyn Identify) -> LangBytes {
    let mut sum = LangBytes::new();
    for piece in segments(blocks, identifier, None).pieces {
        sum.add(piece.language, piece.text.len() as u64);
    }
    sum
}

/// Returns the bytes per language of a text whose lines are its blocks. Line ends are in no
/// language.
pub fn count_lines(text: &str, identifier: &dyn Identify) -> LangBytes {
    count(&text.lines().collect::<Vec<_>>(), identifier)
}

/// Returns the language of every piece of every block.
///
/// Each block is identified by a call of its own, so that similar languages on one page (Czech and
/// Slovak) stay apart. Blocks under 30 letters are joined with those that follow, or at the end
/// with those before. A block beside a main language of the page needs a lead over it
/// (`neighbours.rs`).
///
/// Of text whose script changes at every other letter, only the first 64 KiB are identified; the
/// rest is [`LangCode::UND`]. So is noise (`noise.rs`): text of a language that is not running text.
/// So are numbers and other signs (`signs.rs`), except the few that sentences have between words.
pub fn segments<'a>(
    blocks: &[&'a str],
    identifier: &dyn Identify,
    deadline: Option<Instant>,
) -> Segments<'a> {
    segments_of_page(blocks, identifier, None, deadline)
}

/// Like [`segments`], for the blocks of a page that declares a language, if it does.
pub fn segments_of_page<'a>(
    blocks: &[&'a str],
    identifier: &dyn Identify,
    declared: Option<LangCode>,
    deadline: Option<Instant>,
) -> Segments<'a> {
    let mut found = Segments { pieces: Vec::with_capacity(blocks.len()), late: false };
    // Most pages are too short to hold that much shredded text, so they are not checked.
    let is_long = blocks.iter().map(|block| block.len()).sum::<usize>() > MAX_SHREDDED;
    let mut shredded = is_long.then_some(0);
    let budget = Budget::new();
    for group in groups(blocks) {
        let joined = match blocks[group.clone()] {
            [alone] => Cow::Borrowed(alone),
            ref several => Cow::Owned(several.join("\n")),
        };
        let (runs, late) = languages(&joined, identifier, deadline, shredded.as_mut(), &budget);
        hand_out(runs, blocks, group, &mut found.pieces);
        found.late |= late;
    }
    noise::strike(&mut found.pieces, identifier);
    neighbours::settle(&mut found.pieces, identifier, declared);
    found.pieces = signs::apart(found.pieces);
    found
}

/// Cuts the blocks into runs of at least [`MIN_LETTERS`] letters; only a run that holds all blocks
/// may have fewer.
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
            // A tail without a letter joins no group: it has no language and would not gain one.
            Some(last) if letters > 0 => last.end = blocks.len(),
            _ => groups.push(start..blocks.len()),
        }
    }
    groups
}

/// Longest text of the next call, in bytes; `None` if it is too late for one.
fn call_bytes(deadline: Option<Instant>) -> Option<usize> {
    let Some(deadline) = deadline else { return Some(MAX_CALL_BYTES) };
    let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
    let share = left.as_secs_f64() / MAX_CALL_TIME.as_secs_f64();
    Some(((MAX_CALL_BYTES as f64 * share) as usize).clamp(MIN_CALL_BYTES, MAX_CALL_BYTES))
}

/// Returns the end of a call's text of at most this number of bytes: after the last blank, else at
/// the last whole character.
fn cut(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let limit = floor_char_boundary(text, most);
    let window = floor_char_boundary(text, limit - 1024);
    text[window..limit]
        .rfind(char::is_whitespace)
        .filter(|&at| at > 0)
        .map_or(limit, |at| window + at)
}

/// Splits a text into runs of one language, at whole characters, in calls of at most
/// [`MAX_CALL_BYTES`]. Text after the deadline is [`LangCode::UND`], and the second return value is
/// true. `shredded` counts the bytes of calls whose script changes too often; beyond
/// [`MAX_SHREDDED`] they are not identified.
fn languages(
    text: &str,
    identifier: &dyn Identify,
    deadline: Option<Instant>,
    mut shredded: Option<&mut usize>,
    budget: &Budget,
) -> (Vec<Run>, bool) {
    let mut runs: Vec<Run> = Vec::new();
    let mut position = 0;
    while position < text.len() {
        let Some(most) = call_bytes(deadline) else {
            append(&mut runs, LangCode::UND, position..text.len());
            return (runs, true);
        };
        let call = &text[position..position + cut(&text[position..], most)];
        if shredded.as_mut().is_some_and(|bytes| is_too_much(call, bytes)) {
            append(&mut runs, LangCode::UND, position..position + call.len());
        } else {
            for (language, range) in identifier.runs_within(call, budget) {
                append(&mut runs, language, position + range.start..position + range.end);
            }
        }
        position += call.len();
    }
    (runs, false)
}

/// Adds a text to `shredded` if its script changes too often, and returns whether the sum exceeds
/// the limit.
fn is_too_much(text: &str, shredded: &mut usize) -> bool {
    let (mut letters, mut changes, mut last) = (0, 0, None);
    for script in text.chars().map(Script::of).filter(|script| script.is_some()) {
        letters += 1;
        changes += usize::from(last.is_some_and(|last| last != script));
        last = Some(script);
    }
    let is_shredded = letters < changes * MIN_UNCHANGED;
    *shredded += if is_shredded { text.len() } else { 0 };
    is_shredded && *shredded > MAX_SHREDDED
}

/// Splits the runs of a group's joined text among the group's blocks.
fn hand_out<'a>(
    runs: Vec<Run>,
    blocks: &[&'a str],
    group: Range<usize>,
    pieces: &mut Vec<Segment<'a>>,
) {
    let mut runs = runs.into_iter().peekable();
    let mut start = 0;
    for block in group {
        let text = blocks[block];
        let end = start + text.len();
        let mut position = start;
        while position < end {
            let Some((language, run)) = runs.peek() else { break };
            let stop = run.end.min(end);
            if position < stop {
                pieces.push(Segment {
                    block,
                    language: *language,
                    text: &text[position - start..stop - start],
                });
                position = stop;
            }
            if run.end <= end {
                runs.next();
            }
        }
        // The line break that joins two blocks belongs to neither.
        start = end + 1;
    }
}
