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
pub use figures::{Figures, FIGURES};

use crate::marks::{self, Kinds};
use crate::{Page, Verdict};
use figures::AROUND_FROM;
use trees::{Group, Judge, Model, SIDE_BY_SIDE};

/// A block that links make up at least this much of is said to be links.
const MOSTLY_LINKS: f32 = 0.5;

/// The most that the threshold may be of the F1 that is expected of the text it keeps.
const OF_EXPECTED_F1: f32 = 0.75;
/// In steps of this the threshold is lowered on a page that the trees are unsure of,
const STEP: f32 = 0.05;
/// and no further than to this.
const LEAST: f32 = 0.1;

/// Blocks up to which their figures are held, 1.3 MB in all; few pages have more, and of those figures are made twice.
const HELD: usize = 1 << 12;

/// One verdict per block.
pub(crate) fn classify(page: &Page) -> Vec<Verdict> {
    let model = Model::get();
    let figures = Figures::of(page);
    let blocks = page.blocks().len();
    let held = if blocks <= HELD { blocks } else { SIDE_BY_SIDE };
    let mut groups = vec![Group::<{ FIGURES + CONTEXT }>::NONE; held.div_ceil(SIDE_BY_SIDE)];
    let mut weights = Vec::with_capacity(blocks);
    let mut signs = Vec::with_capacity(blocks);
    let mut judge = Judge::new(&model.first);
    let mut first = Vec::with_capacity(blocks.next_multiple_of(SIDE_BY_SIDE));
    let mut rows_to_judge = rows(&figures);
    while first.len() < blocks {
        for (at, row) in rows_to_judge.by_ref().take(held).enumerate() {
            weights.push(row[0].exp() - 1.0);
            signs.push(sign(&row));
            groups[at / SIDE_BY_SIDE].put(at % SIDE_BY_SIDE, 0, &row);
        }
        first.extend(groups.iter().flat_map(|group| judge.probabilities(group)));
    }
    drop(rows_to_judge);
    // Beside the last block stood others.
    first.truncate(blocks);
    let mut judge = Judge::new(&model.second);
    let mut second = Vec::with_capacity(blocks.next_multiple_of(SIDE_BY_SIDE));
    let mut around = context(page, &first, &weights);
    let mut rows_again = (blocks > held).then(|| rows(&figures));
    while second.len() < blocks {
        for (at, row) in rows_again.iter_mut().flatten().take(held).enumerate() {
            groups[at / SIDE_BY_SIDE].put(at % SIDE_BY_SIDE, 0, &row);
        }
        for (at, row) in around.by_ref().take(held).enumerate() {
            groups[at / SIDE_BY_SIDE].put(at % SIDE_BY_SIDE, FIGURES, &row);
        }
        second.extend(groups.iter().flat_map(|group| judge.probabilities(group)));
    }
    second.truncate(blocks);
    drop(around);
    for (probability, block) in second.iter_mut().zip(page.blocks()) {
        if block.text.is_empty() {
            *probability = 0.0;
        }
    }
    let threshold = threshold(&second, &weights, model.threshold);
    let verdict = |at: usize| match (first[at] >= threshold, second[at] >= threshold && second[at] > 0.0) {
        (true, true) => Verdict::kept("like main content"),
        (false, true) => Verdict::kept("amid main content"),
        (true, false) => Verdict::dropped(signs[at].unwrap_or("apart from main content")),
        (false, false) => Verdict::dropped(signs[at].unwrap_or("like boilerplate")),
    };
    (0..blocks).map(verdict).collect()
}

/// The figures of all blocks, through one door: what makes them is long, and is not to be in the library twice.
fn rows<'f>(figures: &'f Figures) -> Box<dyn Iterator<Item = [f32; FIGURES]> + 'f> {
    Box::new(figures.iter())
}

/// Kinds of elements whose text is no main content, and what is said of a block in one; the first that fits.
const SIGNS: [(Kinds, &str); 5] = [
    (marks::HIDDEN, "hidden"),
    (marks::NAV, "navigation"),
    (marks::DIALOG, "dialog"),
    (marks::COMMENT, "comment"),
    (marks::RELATED, "related"),
];

/// What of a block's figures says that it is no main content, if any does.
fn sign(row: &[f32; FIGURES]) -> Option<&'static str> {
    let around =
        |kind| figures::AROUND.iter().position(|around| *around == kind).map_or(0.0, |at| row[AROUND_FROM + at]);
    let named = SIGNS.into_iter().find(|(kind, _)| around(*kind) > 0.0).map(|(_, name)| name);
    named.or_else(|| (row[1] >= MOSTLY_LINKS).then_some("mostly links"))
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
