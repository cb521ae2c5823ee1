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

/// The most that the threshold may be of the F1 that is expected of the text it keeps.
const OF_EXPECTED_F1: f32 = 0.75;
/// In steps of this the threshold is lowered on a page that the trees are unsure of,
const STEP: f32 = 0.05;
/// and no further than to this.
const LEAST: f32 = 0.1;

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
    let threshold = threshold(&second, &weights, model.threshold);
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

/// From which probability the blocks of a page are kept: from `usual`, and from less on a page that the trees are unsure of, such as a
/// list of links, where that would keep a small part of the content that is expected in all.
///
/// Were every probability right by itself, the best text would be that of all blocks over half of the F1 expected of it (Lipton et al.,
/// ECML PKDD 2014). But blocks of one kind are wrong together, so the threshold goes down only as far as it is too high for
/// what it keeps.
fn threshold(probabilities: &[f32], weights: &[f32], usual: f32) -> f32 {
    let blocks = || probabilities.iter().zip(weights);
    let content: f32 = blocks().map(|(probability, weight)| probability * weight).sum();
    let fits = |threshold: f32| {
        let (mut kept, mut hits) = (0.0, 0.0);
        for (probability, weight) in blocks().filter(|(probability, _)| **probability >= threshold) {
            kept += weight;
            hits += probability * weight;
        }
        threshold * (kept + content) <= OF_EXPECTED_F1 * 2.0 * hits
    };
    let steps = ((usual - LEAST) / STEP).round() as u8;
    let mut downwards = (0..steps).map(|step| usual - STEP * f32::from(step));
    let threshold = downwards.find(|threshold| fits(*threshold)).unwrap_or(LEAST);
    // A page where nothing is probable has some text all the same.
    let top = probabilities.iter().copied().fold(0.0, f32::max);
    if top < threshold {
        top / 2.0
    } else {
        threshold
    }
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

#[cfg(test)]
mod tests {
    use super::threshold;

    const USUAL: f32 = 0.45;

    #[test]
    fn a_page_that_the_trees_are_sure_of_has_the_usual_threshold() {
        let probabilities = [0.02, 0.97, 0.95, 0.4, 0.03];
        assert_eq!(threshold(&probabilities, &[50.0, 400.0, 300.0, 20.0, 600.0], USUAL), USUAL);
    }

    #[test]
    fn a_list_of_doubtful_blocks_is_kept_whole() {
        let mut probabilities = vec![0.31; 20];
        probabilities.extend([0.5, 0.02, 0.02, 0.02]);
        let lowered = threshold(&probabilities, &[40.0; 24], USUAL);
        assert!((0.02..=0.31).contains(&lowered), "{lowered}");
        assert_eq!(threshold(&[0.3, 0.9], &[40.0, 800.0], USUAL), USUAL, "one doubtful block is not a list");
    }

    #[test]
    fn the_most_probable_block_is_kept_where_nothing_is_probable() {
        assert_eq!(threshold(&[0.04, 0.01, 0.03], &[10.0; 3], USUAL), 0.02);
        assert_eq!(threshold(&[], &[], USUAL), 0.0);
        assert_eq!(threshold(&[0.0], &[0.0], USUAL), 0.0);
    }
}
