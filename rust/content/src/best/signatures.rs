//! Signatures below the posts of a forum.

use super::comments::downwards;
use crate::{Page, Verdict};

/// Drops the signatures of those who write in a forum: the same lines below each of their posts.
pub(super) fn drop(page: &Page, verdicts: &mut [Verdict]) {
    if !page.nodes.iter().any(|node| node.marks.is_signature()) {
        return;
    }
    let is_signature = downwards(page, |_, node| node.marks.is_signature());
    let is_in = |at: usize| is_signature[page.blocks[at].node as usize];
    if !(0..verdicts.len()).any(|at| verdicts[at].kept && !is_in(at)) {
        return;
    }
    for at in (0..verdicts.len()).filter(|at| is_in(*at)) {
        verdicts[at] = Verdict::dropped("signature");
    }
}
