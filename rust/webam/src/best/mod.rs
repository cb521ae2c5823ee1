//! `best`: our own reading. Trees that were grown on annotated pages judge every block by figures of the block, of the
//! elements around it and of its neighbours; a second set of trees judges again, knowing what the first thought of what is near.
//!
//! None of the figures knows a language: lengths are in letters, weighed by how much a letter of the script says, and names
//! are those that templates give their elements. `DESIGN.md` says how the trees are grown and how well they do.

mod context;
mod figures;
mod letters;
mod trees;

pub use context::{context, CONTEXT};
pub use figures::{figures, FIGURES};

use crate::marks;
use crate::{Page, Verdict};
use trees::{Forest, Model, SIDE_BY_SIDE};

/// A block that links make up at least this much of is said to be links.
const MOSTLY_LINKS: f32 = 0.5;

/// One verdict per block.
pub(crate) fn classify(page: &Page) -> Vec<Verdict> {
    let model = Model::get();
    let rows = figures(page);
    let weights: Vec<f32> = rows.iter().map(|row| row[0].exp() - 1.0).collect();
    let first = judge_all(&model.first, rows.len(), |at| rows[at]);
    let around = context(page, &first, &weights);
    let mut second = judge_all(&model.second, rows.len(), |at| {
        let mut whole = [0.0; FIGURES + CONTEXT];
        whole[..FIGURES].copy_from_slice(&rows[at]);
        whole[FIGURES..].copy_from_slice(&around[at]);
        whole
    });
    for (probability, block) in second.iter_mut().zip(page.blocks()) {
        if block.text.is_empty() {
            *probability = 0.0;
        }
    }
    // A page that nothing is sure of has some text all the same.
    let top = second.iter().copied().fold(0.0, f32::max);
    let threshold = if top >= model.threshold { model.threshold } else { top / 2.0 };
    let judge = |at: usize| {
        if second[at] >= threshold && second[at] > 0.0 {
            return Verdict::kept(if first[at] >= threshold { "like main content" } else { "amid main content" });
        }
        let kinds = rows[at][figures::AROUND_FROM..].iter().zip(figures::AROUND);
        let inside = |kind| kinds.clone().any(|(value, around)| around == kind && *value > 0.0);
        Verdict::dropped(if inside(marks::HIDDEN) {
            "hidden"
        } else if inside(marks::NAV) {
            "navigation"
        } else if inside(marks::DIALOG) {
            "dialog"
        } else if inside(marks::COMMENT) {
            "comment"
        } else if inside(marks::RELATED) {
            "related"
        } else if rows[at][1] >= MOSTLY_LINKS {
            "mostly links"
        } else if first[at] >= threshold {
            "apart from main content"
        } else {
            "like boilerplate"
        })
    };
    (0..rows.len()).map(judge).collect()
}

/// What the trees say of each of so many blocks.
fn judge_all<const N: usize>(forest: &Forest, blocks: usize, figures: impl Fn(usize) -> [f32; N]) -> Vec<f32> {
    let mut judged = Vec::with_capacity(blocks);
    while judged.len() < blocks {
        let from = judged.len();
        let mut rows = [[0.0; SIDE_BY_SIDE]; N];
        for beside in 0..SIDE_BY_SIDE {
            // The last ones have copies of the last block beside them.
            for (row, figure) in rows.iter_mut().zip(figures((from + beside).min(blocks - 1))) {
                row[beside] = figure;
            }
        }
        judged.extend_from_slice(&forest.probabilities(&rows)[..SIDE_BY_SIDE.min(blocks - from)]);
    }
    judged
}
