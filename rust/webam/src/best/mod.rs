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
use trees::{key, Forest, Key, Model, SIDE_BY_SIDE};

/// A block that links make up at least this much of is said to be links.
const MOSTLY_LINKS: f32 = 0.5;

/// The most that the threshold may be of the F1 that is expected of the text it keeps.
const OF_EXPECTED_F1: f32 = 0.75;
/// In steps of this the threshold is lowered on a page that the trees are unsure of,
const STEP: f32 = 0.05;
/// and no further than to this.
const LEAST: f32 = 0.1;

/// Blocks up to which their figures are held, 1 MB in all; few pages have more, and of those figures are made twice.
const HELD: usize = 1 << 12;

/// One verdict per block.
pub(crate) fn classify(page: &Page) -> Vec<Verdict> {
    let model = Model::get();
    let figures = Figures::of(page);
    let blocks = page.blocks().len();
    let mut held: Option<Vec<[Key; FIGURES]>> = (blocks <= HELD).then(|| Vec::with_capacity(blocks));
    let mut weights = Vec::with_capacity(blocks);
    let mut signs = Vec::with_capacity(blocks);
    let mut judge = Judge::<FIGURES>::new(&model.first, blocks);
    for row in rows(&figures) {
        weights.push(row[0].exp() - 1.0);
        signs.push(sign(&row));
        let keys = row.map(key);
        judge.add(&keys);
        if let Some(held) = &mut held {
            held.push(keys);
        }
    }
    let first = judge.finish();
    let keys: Box<dyn Iterator<Item = [Key; FIGURES]>> = match held {
        Some(held) => Box::new(held.into_iter()),
        None => Box::new(rows(&figures).map(|row| row.map(key))),
    };
    let mut whole = [0; FIGURES + CONTEXT];
    let mut judge = Judge::<{ FIGURES + CONTEXT }>::new(&model.second, blocks);
    for (row, around) in keys.zip(context(page, &first, &weights)) {
        whole[..FIGURES].copy_from_slice(&row);
        whole[FIGURES..].copy_from_slice(&around.map(key));
        judge.add(&whole);
    }
    let mut second = judge.finish();
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

/// Asks trees about blocks, some side by side.
struct Judge<'f, const N: usize> {
    forest: &'f Forest,
    rows: [[Key; SIDE_BY_SIDE]; N],
    /// Blocks whose figures are in the rows.
    waiting: usize,
    judged: Vec<f32>,
}

impl<'f, const N: usize> Judge<'f, N> {
    fn new(forest: &'f Forest, blocks: usize) -> Self {
        Self { forest, rows: [[0; SIDE_BY_SIDE]; N], waiting: 0, judged: Vec::with_capacity(blocks) }
    }

    /// The next block's figures.
    fn add(&mut self, figures: &[Key; N]) {
        // A remainder spares a check for each figure.
        let beside = self.waiting % SIDE_BY_SIDE;
        for (row, figure) in self.rows.iter_mut().zip(figures) {
            row[beside] = *figure;
        }
        self.waiting += 1;
        if self.waiting == SIDE_BY_SIDE {
            self.answer();
        }
    }

    fn answer(&mut self) {
        // Beside the last blocks stand some of before, whose answers nobody takes.
        self.judged.extend_from_slice(&self.forest.probabilities(&self.rows)[..self.waiting]);
        self.waiting = 0;
    }

    /// What the trees say of each block.
    fn finish(mut self) -> Vec<f32> {
        self.answer();
        self.judged
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
