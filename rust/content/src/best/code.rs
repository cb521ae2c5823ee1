//! Code amid text.

use crate::tags::Tag;
use crate::{Page, Verdict};

/// Most elements around a `<pre>` that only highlight it.
const MAX_WRAPPERS: usize = 2;

/// Keeps each `<pre>` beside a kept block, because guides and answers go on after their code. To the
/// forests, which learned mostly from pages without code, only the sentences look like text.
/// `scores` are 0 for text that no reader sees, which stays dropped.
pub(super) fn keep(page: &Page, scores: &[f32], verdicts: &mut [Verdict]) {
    let node = |at: usize| page.nodes[page.blocks[at].node as usize];
    let mut keep_beside = |at: usize, neighbour: usize| {
        if node(at).marks.tag != Tag::Pre
            || verdicts[at].kept
            || !verdicts[neighbour].kept
            || scores[at] <= 0.0
        {
            return;
        }
        let mut around = node(at).parent;
        for _ in 0..=MAX_WRAPPERS {
            if around == node(neighbour).parent {
                verdicts[at] = Verdict::kept("code amid main content");
                return;
            }
            around = page.nodes[around as usize].parent;
        }
    };
    for at in 1..page.blocks.len() {
        keep_beside(at, at - 1);
    }
    for at in (1..page.blocks.len()).rev() {
        keep_beside(at - 1, at);
    }
}
