//! Code amid text.

use crate::tags::Tag;
use crate::{Page, Verdict};

/// Most elements around a `<pre>` that only highlight it, besides those of tables.
const MAX_WRAPPERS: usize = 2;
/// Most blocks between a `<pre>` and the text, such as a button or the name of a file,
const MAX_BETWEEN: usize = 3;
/// and their greatest length in bytes.
const MAX_LABEL: usize = 60;

/// Keeps each `<pre>` beside a kept block, because guides and answers go on after their code. To the
/// forests, which learned mostly from pages without code, only the sentences look like text.
/// `scores` are 0 for text that no reader sees, which stays dropped.
pub(super) fn keep(page: &Page, scores: &[f32], verdicts: &mut [Verdict]) {
    let blocks = page.blocks().len();
    let is_code = |at: usize| page.nodes[page.blocks[at].node as usize].marks.tag == Tag::Pre;
    let mut keep_beside = |at: usize, others: &mut dyn Iterator<Item = usize>| {
        if !is_code(at) || verdicts[at].kept || scores[at] <= 0.0 {
            return;
        }
        let is_label = |other: usize| {
            !verdicts[other].kept && !is_code(other) && page.blocks[other].text.len() <= MAX_LABEL
        };
        let nearest = others.take(MAX_BETWEEN + 1).find(|other| !is_label(*other));
        if nearest.is_some_and(|nearest| verdicts[nearest].kept && is_beside(page, at, nearest)) {
            verdicts[at] = Verdict::kept("code amid main content");
        }
    };
    for at in 0..blocks {
        keep_beside(at, &mut (0..at).rev());
    }
    for at in (0..blocks).rev() {
        keep_beside(at, &mut (at + 1..blocks));
    }
}

/// Returns true if the element of the text is around the code, but for elements that highlight it.
/// The text may be code as well.
fn is_beside(page: &Page, code: usize, text: usize) -> bool {
    let node = |at: u32| &page.nodes[at as usize];
    let is_table = |at: u32| {
        matches!(node(at).marks.tag, Tag::Td | Tag::Tr | Tag::Tbody | Tag::Table | Tag::Pre)
    };
    let of_text = page.blocks[text].node;
    let mut outer = node(of_text).parent;
    while node(of_text).marks.tag == Tag::Pre && is_table(outer) && node(outer).parent != outer {
        outer = node(outer).parent;
    }
    let (mut around, mut wrappers) = (node(page.blocks[code].node).parent, 0);
    loop {
        if around == outer {
            return true;
        }
        wrappers += usize::from(!is_table(around));
        if wrappers > MAX_WRAPPERS || node(around).parent == around {
            return false;
        }
        around = node(around).parent;
    }
}
