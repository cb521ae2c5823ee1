//! Forests of decision trees, read from the model file that `training/train.py` writes.

use super::{CONTEXT, FIGURES};
use std::ops::Range;
use std::sync::LazyLock;

/// The two forests, and the probability from which a block is kept.
pub(crate) struct Model {
    pub(crate) threshold: f32,
    pub(crate) first: Forest,
    pub(crate) second: Forest,
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let read = Model::read(include_bytes!("model.bin"));
    read.expect("the model file of the repository, which a test reads")
});

impl Model {
    /// The library's own.
    pub(crate) fn get() -> &'static Model {
        &MODEL
    }

    fn read(bytes: &[u8]) -> Option<Model> {
        let mut reader = Reader(bytes);
        let threshold = f32::from_le_bytes(reader.take()?);
        let model = Model {
            threshold,
            first: Forest::read(&mut reader, FIGURES)?,
            second: Forest::read(&mut reader, FIGURES + CONTEXT)?,
        };
        reader.0.is_empty().then_some(model)
    }
}

/// A question about one figure.
#[derive(Clone, Copy)]
struct Split {
    bound: f32,
    /// The leaves of its tree, a bit each, that are left to a block whose figure is above the bound: all but those of the split's
    /// left branch.
    right: u32,
    figure: u8,
}

/// From here on a child in the model file is a leaf.
const LEAF: u8 = 128;
/// Leaves of a tree, a bit each.
const MOST_LEAVES: u8 = u32::BITS as u8;

/// Blocks that are judged at once: enough of them that the compiler makes a loop of vector instructions.
pub(crate) const SIDE_BY_SIDE: usize = 32;

struct Tree {
    splits: Range<usize>,
    /// Where its leaves begin.
    leaves: usize,
}

/// Trees whose answers are added up.
pub(crate) struct Forest {
    trees: Vec<Tree>,
    splits: Vec<Split>,
    /// From left to right.
    leaves: Vec<f32>,
}

impl Forest {
    /// None if the file is cut, a tree has no split or too many, a split asks for none of so many figures, or a child is not in its
    /// tree, not behind its parent or a child of another too.
    fn read(reader: &mut Reader, figures: usize) -> Option<Forest> {
        const LEAF_UNIT: f32 = 4096.0;
        let mut forest = Forest { trees: Vec::new(), splits: Vec::new(), leaves: Vec::new() };
        for _ in 0..u16::from_le_bytes(reader.take()?) {
            let [count] = reader.take()?;
            let mut questions = Vec::new();
            for at in 0..count {
                let [figure] = reader.take()?;
                let bound = f32::from_le_bytes(reader.take()?);
                let children: [u8; 2] = reader.take()?;
                let fits = |child: u8| if child < LEAF { child > at && child < count } else { child - LEAF <= count };
                if usize::from(figure) >= figures || !children.into_iter().all(fits) {
                    return None;
                }
                questions.push((figure, bound, children));
            }
            let (spans, order) = left_to_right(&questions.iter().map(|question| question.2).collect::<Vec<_>>())?;
            let from = forest.splits.len();
            for (&(figure, bound, _), span) in questions.iter().zip(spans) {
                forest.splits.push(Split { bound, right: !(((1 << span.in_left) - 1) << span.first), figure });
            }
            let leaves: Vec<[u8; 2]> = (0..=count).map(|_| reader.take()).collect::<Option<_>>()?;
            forest.trees.push(Tree { splits: from..forest.splits.len(), leaves: forest.leaves.len() });
            forest.leaves.extend(order.iter().map(|at| f32::from(i16::from_le_bytes(leaves[*at])) / LEAF_UNIT));
        }
        Some(forest)
    }

    /// How probable it is for each of the blocks with these figures, a row a figure, that it is main content.
    ///
    /// Every question of a tree is asked, and each takes away the leaves that a block cannot come to; the leftmost that is left is its
    /// own (QuickScorer: Lucchese et al., SIGIR 2015). Going down the trees would ask fewer, but waits for each answer.
    pub(crate) fn probabilities<const N: usize>(&self, rows: &[[f32; SIDE_BY_SIDE]; N]) -> [f32; SIDE_BY_SIDE] {
        let mut sums = [0.0f32; SIDE_BY_SIDE];
        for tree in &self.trees {
            let mut left = [u32::MAX; SIDE_BY_SIDE];
            for split in &self.splits[tree.splits.clone()] {
                let values = &rows[usize::from(split.figure)];
                for (left, value) in left.iter_mut().zip(values) {
                    // No branch, so that the compiler takes several blocks at once.
                    *left &= split.right | u32::from(*value > split.bound).wrapping_sub(1);
                }
            }
            for (sum, left) in sums.iter_mut().zip(left) {
                *sum += self.leaves[tree.leaves + left.trailing_zeros() as usize];
            }
        }
        sums.map(|sum| 1.0 / (1.0 + (-sum).exp()))
    }
}

/// The leaves below a split.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Span {
    /// The leftmost, counted from the left of the tree.
    first: u8,
    /// How many its left branch has.
    in_left: u8,
}

/// What is below every split of a tree, and its leaves from left to right. Children stand behind their parents. None if there is no
/// split, too many, or if it is no tree.
fn left_to_right(children: &[[u8; 2]]) -> Option<(Vec<Span>, Vec<usize>)> {
    if children.is_empty() || children.len() >= usize::from(MOST_LEAVES) {
        return None;
    }
    let mut below = vec![0u8; children.len()];
    for at in (0..children.len()).rev() {
        let leaves = children[at].map(|child| below.get(usize::from(child)).copied().unwrap_or(1));
        below[at] = leaves[0].checked_add(leaves[1]).filter(|sum| *sum <= MOST_LEAVES)?;
    }
    let mut spans = vec![Span::default(); children.len()];
    let mut order = vec![None; children.len() + 1];
    for at in 0..children.len() {
        let mut first = spans[at].first;
        for (side, child) in children[at].into_iter().enumerate() {
            if child < LEAF {
                spans[usize::from(child)].first = first;
                first += below[usize::from(child)];
            } else {
                *order.get_mut(usize::from(first))? = Some(usize::from(child - LEAF));
                first += 1;
            }
            if side == 0 {
                spans[at].in_left = first - spans[at].first;
            }
        }
    }
    let order: Vec<usize> = order.into_iter().collect::<Option<_>>()?;
    let mut once = order.clone();
    once.sort_unstable();
    once.into_iter().eq(0..order.len()).then_some((spans, order))
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x <= 0: (y <= 0: a, b), otherwise (x <= 5: c, d), with the leaves in another order in the file than in the tree.
    const CHILDREN: [[u8; 2]; 3] = [[1, 2], [LEAF + 2, LEAF], [LEAF + 1, LEAF + 3]];

    fn forest() -> Forest {
        let mut bytes = vec![1, 0, 3];
        for ((figure, bound), children) in [(0, 0.0f32), (1, 0.0), (0, 5.0)].into_iter().zip(CHILDREN) {
            bytes.push(figure);
            bytes.extend(bound.to_le_bytes());
            bytes.extend(children);
        }
        for leaf in [1.0, 2.0, 0.0, 3.0] {
            bytes.extend(((leaf * 4096.0) as i16).to_le_bytes());
        }
        Forest::read(&mut Reader(&bytes), 2).expect("a forest of one tree")
    }

    #[test]
    fn every_block_comes_to_the_leaf_that_its_figures_lead_to() {
        let figures =
            [([-1.0, -1.0], 0.0_f32), ([0.0, 7.0], 1.0), ([5.0, 0.0], 2.0), ([6.0, -3.0], 3.0), ([f32::NAN, 1.0], 1.0)];
        let mut rows = [[0.0; SIDE_BY_SIDE]; 2];
        for (beside, (of_block, _)) in figures.iter().enumerate() {
            rows[0][beside] = of_block[0];
            rows[1][beside] = of_block[1];
        }
        let probabilities = forest().probabilities(&rows);
        for ((of_block, leaf), probability) in figures.iter().zip(probabilities) {
            assert_eq!(probability, 1.0 / (1.0 + f32::exp(-leaf)), "{of_block:?}");
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let (spans, order) = left_to_right(&CHILDREN).expect("a tree");
        assert_eq!(spans[0], Span { first: 0, in_left: 2 });
        assert_eq!(spans[2], Span { first: 2, in_left: 1 });
        assert_eq!(order, [2, 0, 1, 3]);
        assert_eq!(left_to_right(&[]), None, "no split");
        assert_eq!(left_to_right(&[[1, 1], [LEAF, LEAF + 1]]), None, "a child of two parents");
        assert_eq!(left_to_right(&[[LEAF, LEAF]]), None, "a leaf twice");
        assert_eq!(left_to_right(&[[LEAF, LEAF + 1], [LEAF, LEAF + 1]]), None, "a split that nothing leads to");
        let chain = |splits: u8| -> Vec<[u8; 2]> {
            (1..=splits).map(|next| [if next < splits { next } else { LEAF + splits }, LEAF + next - 1]).collect()
        };
        assert!(left_to_right(&chain(31)).is_some());
        assert_eq!(left_to_right(&chain(32)), None, "more leaves than bits");
    }
}
