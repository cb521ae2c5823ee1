//! Forests of decision trees, read from the model file that `training/train.py` writes.

use super::{CONTEXT, FIGURES};
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

/// A question about a figure.
#[derive(Clone, Copy)]
struct Split {
    bound: Key,
    /// The leaves of its left branch, a bit each: those that a block cannot come to whose figure is above the bound.
    left: u16,
    tree: u16,
}

/// In the model file a leaf stands where the figure of a split would.
const LEAF: u8 = u8::MAX;
/// Leaves of a tree, a bit each.
const MOST_LEAVES: usize = u16::BITS as usize;

/// Blocks that are judged at once: enough of them that the compiler makes a loop of vector instructions.
pub(crate) const SIDE_BY_SIDE: usize = 32;

/// Figures of blocks that are judged at once.
#[derive(Clone)]
pub(crate) struct Group<const N: usize> {
    /// A row a figure. In places that no block has taken stands the first one.
    rows: [[Key; SIDE_BY_SIDE]; N],
    /// The least of each row, and the most.
    low: [Key; N],
    high: [Key; N],
}

impl<const N: usize> Group<N> {
    pub(crate) const NONE: Self = Group { rows: [[0; SIDE_BY_SIDE]; N], low: [0; N], high: [0; N] };

    /// Takes figures of the block in a place, which stand behind so many others; of the first block before the rest.
    pub(crate) fn put<const M: usize>(&mut self, beside: usize, behind: usize, figures: &[f32; M]) {
        let keys = figures.map(key);
        let rows = self.rows[behind..].iter_mut();
        let (low, high) = (self.low[behind..].iter_mut(), self.high[behind..].iter_mut());
        if beside == 0 {
            rows.zip(keys).for_each(|(row, key)| *row = [key; SIDE_BY_SIDE]);
            low.zip(keys).for_each(|(low, key)| *low = key);
            high.zip(keys).for_each(|(high, key)| *high = key);
        } else {
            // A remainder spares a check for each figure.
            rows.zip(keys).for_each(|(row, key)| row[beside % SIDE_BY_SIDE] = key);
            low.zip(keys).for_each(|(low, key)| *low = key.min(*low));
            high.zip(keys).for_each(|(high, key)| *high = key.max(*high));
        }
    }
}

/// Trees whose answers are added up.
#[derive(Default)]
pub(crate) struct Forest {
    /// What is asked about each figure, sorted by bound.
    questions: Vec<Vec<Split>>,
    /// Each tree's leaves from left to right.
    leaves: Vec<[f32; MOST_LEAVES]>,
}

/// Asks trees about groups of blocks.
pub(crate) struct Judge<'f> {
    forest: &'f Forest,
    /// For each tree the leaves that none of the blocks can come to, a bit each,
    gone: Vec<u16>,
    /// and those that each one cannot,
    gone_each: Vec<[u16; SIDE_BY_SIDE]>,
    /// if they differ.
    differ: Vec<bool>,
}

impl Forest {
    /// None if the file is cut, a tree has no split or too many, or a split asks for none of so many figures.
    fn read(reader: &mut Reader, figures: usize) -> Option<Forest> {
        let mut forest = Forest { questions: vec![Vec::new(); figures], leaves: Vec::new() };
        for tree in 0..u16::from_le_bytes(reader.take()?) {
            let mut splits = Vec::new();
            let mut leaves = Vec::new();
            read_branch(reader, tree, &mut splits, &mut leaves)?;
            if splits.is_empty() {
                return None;
            }
            leaves.resize(MOST_LEAVES, 0.0);
            forest.leaves.push(leaves.try_into().ok()?);
            for (figure, split) in splits {
                forest.questions.get_mut(usize::from(figure))?.push(split);
            }
        }
        for questions in &mut forest.questions {
            questions.sort_by_key(|split| split.bound);
        }
        Some(forest)
    }
}

impl<'f> Judge<'f> {
    pub(crate) fn new(forest: &'f Forest) -> Self {
        let trees = forest.leaves.len();
        Judge { forest, gone: vec![0; trees], gone_each: vec![[0; SIDE_BY_SIDE]; trees], differ: vec![false; trees] }
    }

    /// How probable it is for each of the blocks that it is main content.
    ///
    /// A question takes away the leaves that a block cannot come to; the leftmost that is left is its own (QuickScorer: Lucchese et al.,
    /// SIGIR 2015). Going down the trees would ask fewer, but waits for each answer. Three questions of four all blocks answer alike: those are
    /// not asked of each, and where all figures are up to the bound, not at all.
    pub(crate) fn probabilities<const N: usize>(&mut self, group: &Group<N>) -> [f32; SIDE_BY_SIDE] {
        self.gone.fill(0);
        self.differ.fill(false);
        let figures = self.forest.questions.iter().zip(&group.rows).zip(group.low.iter().zip(&group.high));
        for ((questions, row), (low, high)) in figures {
            let mut questions = questions.iter();
            let mut next = questions.next();
            while let Some(split) = next.filter(|split| split.bound < *low) {
                self.gone[usize::from(split.tree)] |= split.left;
                next = questions.next();
            }
            while let Some(split) = next.filter(|split| split.bound < *high) {
                let tree = usize::from(split.tree);
                self.differ[tree] = true;
                split.ask(row, &mut self.gone_each[tree]);
                next = questions.next();
            }
        }
        let mut sums = [0.0f32; SIDE_BY_SIDE];
        for (((leaves, gone), each), differ) in
            self.forest.leaves.iter().zip(&self.gone).zip(&mut self.gone_each).zip(&self.differ)
        {
            // The last leaf is in no left branch.
            let leaf = |left: u16| leaves[(u32::from(left) | 1 << (MOST_LEAVES - 1)).trailing_zeros() as usize];
            if *differ {
                let left = each.map(|each| !(each | gone));
                // For the next group.
                *each = [0; SIDE_BY_SIDE];
                for (sum, left) in sums.iter_mut().zip(left) {
                    *sum += leaf(left);
                }
            } else {
                let leaf = leaf(!gone);
                sums.iter_mut().for_each(|sum| *sum += leaf);
            }
        }
        sums.map(|sum| 1.0 / (1.0 + (-sum).exp()))
    }
}

impl Split {
    /// Takes away the leaves of blocks with these figures.
    fn ask(&self, figures: &[Key; SIDE_BY_SIDE], gone: &mut [u16; SIDE_BY_SIDE]) {
        for (gone, figure) in gone.iter_mut().zip(figures) {
            // No branch, so that the compiler takes several blocks at once.
            *gone |= self.left & u16::from(*figure > self.bound).wrapping_neg();
        }
    }
}

/// Reads a leaf, or a split and its two branches, the left one first. Goes no deeper than a tree may have splits.
fn read_branch(reader: &mut Reader, tree: u16, splits: &mut Vec<(u8, Split)>, leaves: &mut Vec<f32>) -> Option<()> {
    const LEAF_UNIT: f32 = 200.0;
    let [figure] = reader.take()?;
    if figure == LEAF {
        let leaf = i8::from_le_bytes(reader.take()?);
        leaves.push(f32::from(leaf) / LEAF_UNIT);
        return Some(());
    }
    let at = splits.len();
    if at >= MOST_LEAVES - 1 {
        return None;
    }
    splits.push((figure, Split { bound: Key::from_le_bytes(reader.take()?), left: 0, tree }));
    let first = leaves.len();
    read_branch(reader, tree, splits, leaves)?;
    splits[at].1.left = (first..leaves.len()).fold(0, |set, leaf| set | 1 << leaf);
    read_branch(reader, tree, splits, leaves)
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
    use proptest::prelude::*;

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
        let mut group = Group::<2>::NONE;
        for (beside, (of_block, _)) in figures.iter().enumerate() {
            group.put(beside, 0, of_block);
        }
        let forest = read(&bytes(&[&TREE, &TREE])).expect("a forest of two trees");
        let probabilities = Judge::new(&forest).probabilities(&group);
        for ((of_block, leaf), probability) in figures.iter().zip(probabilities) {
            assert_eq!(probability, 1.0 / (1.0 + f32::exp(-2.0 * leaf)), "{of_block:?}");
        }
    }

    proptest! {
        #[test]
        fn a_block_is_judged_alike_by_itself_and_beside_others(
            rows in prop::collection::vec(prop::array::uniform32(prop::sample::select(vec![-1.0f32, 0.0, 0.3, 1.0, 7.0])), 1..SIDE_BY_SIDE),
        ) {
            let forest = &Model::get().first;
            let (mut together, mut alone) = (Group::<FIGURES>::NONE, Group::<FIGURES>::NONE);
            let mut judge = Judge::new(forest);
            // Each of the values is that of several figures.
            let figures = |row: &[f32; 32]| std::array::from_fn::<f32, FIGURES, _>(|at| row[at % row.len()]);
            for (beside, row) in rows.iter().enumerate() {
                together.put(beside, 0, &figures(row));
            }
            let probabilities = judge.probabilities(&together);
            for (row, probability) in rows.iter().zip(probabilities) {
                alone.put(0, 0, &figures(row));
                prop_assert_eq!(judge.probabilities(&alone)[0], probability);
            }
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
