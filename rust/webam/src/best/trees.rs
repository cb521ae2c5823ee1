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

/// A figure as the trees compare it: of a float the upper half, which keeps its order. It is rounded down to one of 128 steps between
/// each power of two and the next, as `train.py` rounds what it learns from.
pub(crate) type Key = i16;

pub(crate) fn key(figure: f32) -> Key {
    let bits = figure.to_bits() as i32;
    // Of negative floats the larger ones have the smaller bits.
    let ordered = bits ^ ((bits >> 31) as u32 >> 1) as i32;
    (ordered >> 16) as Key
}

/// A question about one figure.
#[derive(Clone, Copy)]
struct Split {
    bound: Key,
    /// The leaves of its left branch, a bit each: those that a block cannot come to whose figure is above the bound.
    left: u16,
    figure: u8,
}

/// In the model file a leaf stands where the figure of a split would.
const LEAF: u8 = u8::MAX;
/// Leaves of a tree, a bit each.
const MOST_LEAVES: usize = u16::BITS as usize;

/// Blocks that are judged at once: enough of them that the compiler makes a loop of vector instructions.
pub(crate) const SIDE_BY_SIDE: usize = 32;

struct Tree {
    splits: Range<usize>,
    /// From left to right.
    leaves: [f32; MOST_LEAVES],
}

/// Trees whose answers are added up.
#[derive(Default)]
pub(crate) struct Forest {
    trees: Vec<Tree>,
    splits: Vec<Split>,
}

impl Forest {
    /// None if the file is cut, a tree has no split or too many, or a split asks for none of so many figures.
    fn read(reader: &mut Reader, figures: usize) -> Option<Forest> {
        let mut forest = Forest::default();
        for _ in 0..u16::from_le_bytes(reader.take()?) {
            let from = forest.splits.len();
            let mut leaves = Vec::new();
            read_branch(reader, figures, from, &mut forest.splits, &mut leaves)?;
            if leaves.len() < 2 {
                return None;
            }
            leaves.resize(MOST_LEAVES, 0.0);
            forest.trees.push(Tree { splits: from..forest.splits.len(), leaves: leaves.try_into().ok()? });
        }
        Some(forest)
    }

    /// How probable it is for each of the blocks with these figures, a row a figure, that it is main content.
    ///
    /// Every question of a tree is asked, and each takes away the leaves that a block cannot come to; the leftmost that is left is its
    /// own (QuickScorer: Lucchese et al., SIGIR 2015). Going down the trees would ask fewer, but waits for each answer.
    pub(crate) fn probabilities<const N: usize>(&self, rows: &[[Key; SIDE_BY_SIDE]; N]) -> [f32; SIDE_BY_SIDE] {
        let mut sums = [0.0f32; SIDE_BY_SIDE];
        for tree in &self.trees {
            let mut gone = [0u16; SIDE_BY_SIDE];
            for split in &self.splits[tree.splits.clone()] {
                let values = &rows[usize::from(split.figure)];
                for (gone, value) in gone.iter_mut().zip(values) {
                    // No branch, so that the compiler takes several blocks at once.
                    *gone |= split.left & u16::from(*value > split.bound).wrapping_neg();
                }
            }
            for (sum, gone) in sums.iter_mut().zip(gone) {
                // The rest of the division spares the check: the last leaf is in no left branch.
                *sum += tree.leaves[gone.trailing_ones() as usize % MOST_LEAVES];
            }
        }
        sums.map(|sum| 1.0 / (1.0 + (-sum).exp()))
    }
}

/// Reads a leaf, or a split and its two branches, the left one first. `from` is where the splits of its tree begin. Goes no deeper
/// than a tree may have splits.
fn read_branch(
    reader: &mut Reader,
    figures: usize,
    from: usize,
    splits: &mut Vec<Split>,
    leaves: &mut Vec<f32>,
) -> Option<()> {
    const LEAF_UNIT: f32 = 200.0;
    let [figure] = reader.take()?;
    if figure == LEAF {
        let leaf = i8::from_le_bytes(reader.take()?);
        leaves.push(f32::from(leaf) / LEAF_UNIT);
        return Some(());
    }
    let at = splits.len();
    if usize::from(figure) >= figures || at - from >= MOST_LEAVES - 1 {
        return None;
    }
    splits.push(Split { bound: Key::from_le_bytes(reader.take()?), left: 0, figure });
    let first = leaves.len();
    read_branch(reader, figures, from, splits, leaves)?;
    splits[at].left = (first..leaves.len()).fold(0, |set, leaf| set | 1 << leaf);
    read_branch(reader, figures, from, splits, leaves)
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

    /// x <= 0: (y <= 0: 0, 1), otherwise (x <= 5: 2, 3).
    const TREE: [(u8, f32); 7] = [(0, 0.0), (1, 0.0), (LEAF, 0.0), (LEAF, 0.5), (0, 5.0), (LEAF, -0.25), (LEAF, 0.6)];

    fn bytes(trees: &[&[(u8, f32)]]) -> Vec<u8> {
        let mut bytes = (trees.len() as u16).to_le_bytes().to_vec();
        for (figure, value) in trees.iter().copied().flatten() {
            bytes.push(*figure);
            match *figure {
                LEAF => bytes.push((value * 200.0) as i8 as u8),
                _ => bytes.extend(key(*value).to_le_bytes()),
            }
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Forest> {
        Forest::read(&mut Reader(bytes), 2)
    }

    #[test]
    fn every_block_comes_to_the_leaf_that_its_figures_lead_to() {
        let figures: [([f32; 2], f32); 4] =
            [([-1.0, -1.0], 0.0), ([0.0, 7.0], 0.5), ([5.0, 0.0], -0.25), ([6.0, -3.0], 0.6)];
        let mut rows = [[0; SIDE_BY_SIDE]; 2];
        for (beside, (of_block, _)) in figures.iter().enumerate() {
            rows[0][beside] = key(of_block[0]);
            rows[1][beside] = key(of_block[1]);
        }
        let probabilities = read(&bytes(&[&TREE, &TREE])).expect("a forest of two trees").probabilities(&rows);
        for ((of_block, leaf), probability) in figures.iter().zip(probabilities) {
            assert_eq!(probability, 1.0 / (1.0 + f32::exp(-2.0 * leaf)), "{of_block:?}");
        }
    }

    #[test]
    fn keys_keep_the_order_of_figures() {
        let figures = [f32::MIN, -99.0, -1.0, -0.01, 0.0, 1e-35, 0.01, 0.5, 1.0, 1.01, 2.0, 255.0, 256.0, f32::MAX];
        for pair in figures.windows(2) {
            assert!(key(pair[0]) < key(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        assert!(read(&bytes(&[&TREE])).is_some());
        assert!(read(&bytes(&[&TREE])[..12]).is_none(), "cut");
        assert!(read(&bytes(&[&[(LEAF, 0.0)]])).is_none(), "no split");
        assert!(read(&bytes(&[&[(2, 0.0), (LEAF, 0.0), (LEAF, 0.0)]])).is_none(), "no such figure");
        let chain = |splits: usize, to_the_left: bool| {
            let (split, leaf) = ((0, 0.0), (LEAF, 0.5));
            let tree: Vec<(u8, f32)> = match to_the_left {
                true => [vec![split; splits], vec![leaf; splits + 1]].concat(),
                false => [[leaf, split].repeat(splits)[1..].to_vec(), vec![leaf; 2]].concat(),
            };
            read(&bytes(&[&TREE, &tree]))
        };
        for to_the_left in [false, true] {
            assert!(chain(15, to_the_left).is_some());
            assert!(chain(16, to_the_left).is_none(), "more leaves than bits");
            assert!(chain(5000, to_the_left).is_none(), "far more leaves than bits");
        }
    }
}
