//! Web-AM: of what ArticleExtractor kept, the densest node of the page tree and its neighbours at the same level.
//!
//! Main content is long text in simple markup; related links, captions and share buttons are short text in rich markup.
//! The paper's pseudocode is not published; `DESIGN.md` says which readings of "node", "level" and "neighbour" were
//! measured, and why this one.

use crate::{Page, Verdict};

/// One verdict per block, from the article's.
pub(crate) fn classify(page: &Page, mut verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let mut characters = vec![0usize; page.nodes.len()];
    for (block, verdict) in page.blocks().iter().zip(&verdicts) {
        if verdict.kept {
            characters[block.node as usize] += page.text_of(block).chars().count();
        }
    }
    // The first of the densest.
    let Some(densest) = (0..characters.len()).rev().max_by_key(|node| characters[*node]) else { return verdicts };
    let home = page.nodes[densest];
    for (block, verdict) in page.blocks().iter().zip(&mut verdicts) {
        if verdict.kept {
            let node = page.nodes[block.node as usize];
            *verdict = if block.node as usize == densest {
                Verdict::kept("the densest node")
            } else if node.depth != home.depth {
                Verdict::dropped("not at the level of the densest node")
            } else if node.parent == home.parent {
                Verdict::kept("neighbour of the densest node")
            } else {
                Verdict::kept("at the level of the densest node")
            };
        }
    }
    verdicts
}
