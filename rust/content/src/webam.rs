//! Web-AM: the densest container in the text that ArticleExtractor kept, and all kept text at the
//! level of its children.
//!
//! Main content is long text in simple markup. Related links, captions and share buttons are short
//! text in rich markup. The paper does not publish pseudocode. Here, the node with the most text is
//! a container: its weight is its own text and that of its children, so that an article of many
//! paragraphs has the weight of all of them. The level is that of the container's children:
//! paragraphs there stay, and kept text at the same level elsewhere. `DESIGN.md` compares ten
//! readings of the paper.

use crate::page::Node;
use crate::{Page, Verdict};

/// Returns one verdict for each block, from the article's verdicts.
pub(crate) fn classify(page: &Page, mut verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let Some(densest) = densest_container(page, &verdicts) else { return verdicts };
    let level = page.nodes[densest].depth + 1;
    for (block, verdict) in page.blocks().iter().zip(&mut verdicts) {
        if verdict.kept {
            let Node { depth, parent, .. } = page.nodes[block.node as usize];
            *verdict =
                if block.node as usize == densest || depth == level && parent as usize == densest {
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

/// Returns one verdict for each block by the letter of the paper: the element with the most kept
/// text stays, and its siblings with kept text.
pub(crate) fn classify_literally(page: &Page, mut verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let Some(densest) = densest_element(page, &verdicts) else { return verdicts };
    let parent = page.nodes[densest].parent;
    for (block, verdict) in page.blocks().iter().zip(&mut verdicts) {
        if verdict.kept {
            let node = block.node as usize;
            *verdict = if node == densest {
                Verdict::kept("in the densest element")
            } else if page.nodes[node].parent == parent {
                Verdict::kept("sibling of the densest element")
            } else {
                Verdict::dropped("not beside the densest element")
            };
        }
    }
    verdicts
}

/// The element with the most kept characters in itself. Among equals the first.
fn densest_element(page: &Page, verdicts: &[Verdict]) -> Option<usize> {
    let mut characters = vec![0; page.nodes.len()];
    for (block, _) in page.blocks().iter().zip(verdicts).filter(|(_, verdict)| verdict.kept) {
        characters[block.node as usize] += page.text_of(block).chars().count();
    }
    // `max_by_key` returns the last of equals.
    (0..characters.len()).rev().max_by_key(|node| characters[*node])
}

/// The node with the most kept characters in itself and its children. Among equals the outermost.
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
    // Parents come before their children, and `max_by_key` returns the last of equals.
    (0..characters.len()).rev().max_by_key(|node| characters[*node])
}
