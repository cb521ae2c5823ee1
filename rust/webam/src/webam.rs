//! Web-AM: of what ArticleExtractor kept, the densest node of the page tree and its neighbours at the same level.
//!
//! Main content is long text in simple markup; related links, captions and share buttons are short text in rich markup.
//! The paper's pseudocode is not published. Here the node with the most text is looked for among containers: what a
//! container holds is its own text and that of its children, so that an article of many paragraphs weighs as a whole.
//! The level is that of the densest container's children: paragraphs there stay, and so do their neighbours at the same
//! level elsewhere. `DESIGN.md` has the readings that were measured against this one.

use crate::page::Node;
use crate::{Page, Verdict};

/// One verdict per block, from the article's.
pub(crate) fn classify(page: &Page, mut verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let Some(densest) = densest_container(page, &verdicts) else { return verdicts };
    let level = page.nodes[densest].depth + 1;
    for (block, verdict) in page.blocks().iter().zip(&mut verdicts) {
        if verdict.kept {
            let Node { depth, parent, .. } = page.nodes[block.node as usize];
            *verdict = if block.node as usize == densest || depth == level && parent as usize == densest {
                Verdict::kept("in the densest node")
            } else if depth == level {
                Verdict::kept("neighbour of the densest node")
            } else {
                Verdict::dropped("not at the level of the densest node")
            };
        }
    }
    verdicts
}

/// The node with the most characters of kept text in itself and its children; of equals the outermost.
fn densest_container(page: &Page, verdicts: &[Verdict]) -> Option<usize> {
    let mut characters = vec![0; page.nodes.len()];
    for (block, _) in page.blocks().iter().zip(verdicts).filter(|(_, verdict)| verdict.kept) {
        let length = page.text_of(block).chars().count();
        let node = block.node as usize;
        let parent = page.nodes[node].parent as usize;
        characters[node] += length;
        if parent != node {
            characters[parent] += length;
        }
    }
    // Parents come before their children, and the last of equals wins.
    (0..characters.len()).rev().max_by_key(|node| characters[*node])
}
