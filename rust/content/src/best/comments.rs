//! The setting `comments`: drops comments of readers, and replies under a text, from what the
//! forests kept. Two rules name elements of comments. Both are linear in the page.

use super::dates;
use super::numbers::Numbers;
use crate::marks::{BODY_TEXT, H1, HEADING, MAIN};
use crate::page::Node;
use crate::tags::Tag;
use crate::{Page, Verdict};

/// Least number of letters of the other kept text. With fewer, no comments are dropped.
const LEAST: f32 = 300.0;
/// Least share of the other kept text among the letters of all kept text. With less, the posts are
/// the content, as in a forum, and none are dropped.
const MIN_SHARE: f32 = 0.5;
/// Like [`MIN_SHARE`], for comments that are recognised only by their form.
const MIN_SHARE_BY_FORM: f32 = 0.75;

/// Least number of comments that are recognised by their form.
const MIN_ITEMS: u32 = 2;

/// Drops kept blocks of comments. `weights`: the weighted letters of each block.
pub(super) fn drop(page: &Page, weights: &[f32], verdicts: &mut [Verdict]) {
    let named = named(page);
    drop_in(page, weights, verdicts, &named, MIN_SHARE, "comment");
    let repeated = repeated(page, weights, verdicts);
    drop_in(page, weights, verdicts, &repeated, MIN_SHARE_BY_FORM, "like comments");
}

/// Drops the kept blocks in these nodes if enough other text is kept.
fn drop_in(
    page: &Page,
    weights: &[f32],
    verdicts: &mut [Verdict],
    is_in: &[bool],
    share: f32,
    reason: &'static str,
) {
    let is_comment = |at: usize| is_in[page.blocks[at].node as usize];
    let (mut all, mut others) = (0.0, 0.0);
    for (at, _) in verdicts.iter().enumerate().filter(|(_, verdict)| verdict.kept) {
        all += weights[at];
        others += if is_comment(at) { 0.0 } else { weights[at] };
    }
    if others < LEAST.max(share * all) {
        return;
    }
    for (at, verdict) in verdicts.iter_mut().enumerate() {
        if verdict.kept && is_comment(at) {
            *verdict = Verdict::dropped(reason);
        }
    }
}

/// Returns true for each node for which `of` is true, and for all nodes below it.
pub(super) fn downwards(page: &Page, of: impl Fn(usize, &Node) -> bool) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::with_capacity(page.nodes.len());
    for (at, node) in page.nodes.iter().enumerate() {
        // The root is its own parent.
        let above = found.get(node.parent as usize).copied().unwrap_or(false);
        found.push(above || of(at, node));
    }
    found
}

/// Returns true for nodes with the text of the page, whatever their names: those with the main
/// part, an `<h1>` or an article's body in them.
fn with_article(page: &Page) -> Vec<bool> {
    let mut found = vec![false; page.nodes.len()];
    for (at, node) in page.nodes.iter().enumerate().rev() {
        found[at] |= node.marks.kinds & (MAIN | BODY_TEXT | H1) != 0;
        found[node.parent as usize] |= found[at];
    }
    found
}

/// Nodes in elements with a name, a role or a type of comments. A body's class may say that
/// comments are allowed.
fn named(page: &Page) -> Vec<bool> {
    let with_article = with_article(page);
    downwards(page, |at, node| {
        node.marks.is_of_comments() && node.marks.tag != Tag::Body && !with_article[at]
    })
}

/// The kept text and the lines of a node and its descendants.
#[derive(Clone, Copy, Default)]
struct Item {
    kept: f32,
    /// Letters of the kept text that are not in lines with a date or a time.
    said: f32,
    /// True if it has a short line with a date or a time.
    has_date_line: bool,
    has_heading: bool,
    /// Kept letters of the page before the node's first block.
    before: f32,
    has_block: bool,
}

/// Items of one parent with the same signature.
#[derive(Clone, Copy, Default)]
struct Items {
    count: u32,
    /// True if one of them has kept text, but is not like a comment.
    has_other: bool,
    /// Kept letters of the page before the first item.
    before: f32,
}

/// Nodes in repeated items after a text: elements with one parent and one class, each with kept
/// text, a line with a date or a time, and no heading. A thread of a forum has no text before its
/// items, because its first post is an item too.
fn repeated(page: &Page, weights: &[f32], verdicts: &[Verdict]) -> Vec<bool> {
    let mut items = vec![Item::default(); page.nodes.len()];
    let mut before = 0.0;
    for ((block, weight), verdict) in page.blocks.iter().zip(weights).zip(verdicts) {
        let item = &mut items[block.node as usize];
        if !item.has_block {
            (item.before, item.has_block) = (before, true);
        }
        let kept = if verdict.kept { *weight } else { 0.0 };
        let is_date_line = dates::is_date_line(page.text_of(block), *weight);
        item.kept += kept;
        item.said += if is_date_line { 0.0 } else { kept };
        item.has_date_line |= is_date_line;
        before += kept;
    }
    for (at, node) in page.nodes.iter().enumerate().rev() {
        let kinds = node.marks.kinds;
        let Item { kept, has_block, before, .. } = items[at];
        items[at].has_heading |= kinds & HEADING != 0;
        let item = items[at];
        let above = &mut items[node.parent as usize];
        if node.parent as usize == at {
            continue;
        }
        above.kept += kept;
        above.said += item.said;
        above.has_date_line |= item.has_date_line;
        above.has_heading |= item.has_heading;
        if has_block {
            above.before = if above.has_block { above.before.min(before) } else { before };
            above.has_block = true;
        }
    }
    let with_article = with_article(page);
    let (mut numbers, mut groups) = (Numbers::new(), Vec::<Items>::new());
    let key = |node: &Node| (node.parent, node.marks.signature);
    for (at, node) in page.nodes.iter().enumerate().filter(|(at, _)| items[*at].kept > 0.0) {
        let item = items[at];
        let number = numbers.of(key(node), &mut groups);
        let group = &mut groups[number];
        if group.count == 0 {
            group.before = item.before;
        }
        group.count += 1;
        group.has_other |= !item.has_date_line
            || item.said == 0.0
            || item.has_heading
            || with_article[at]
            // Rows of a table, and quotations such as posts that are embedded in an article.
            || matches!(node.marks.tag, Tag::Tr | Tag::Blockquote);
        group.before = group.before.min(item.before);
    }
    downwards(page, |_, node| {
        numbers.get(key(node)).map(|number| &groups[number]).is_some_and(|group| {
            group.count >= MIN_ITEMS && !group.has_other && group.before >= LEAST
        })
    })
}
