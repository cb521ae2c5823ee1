//! Forests of decision trees, read from the model file that `training/train.py` writes.

#[cfg(target_arch = "x86_64")]
use super::avx2;
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::{CONTEXT, FEATURES, POSTS};
use std::sync::LazyLock;

/// The forests, and the usual threshold of their probabilities.
pub(crate) struct Model {
    pub(crate) threshold: f32,
    pub(crate) first: Forest,
    pub(crate) second: Forest,
    /// The forest for pages of forums.
    pub(crate) posts: Forest,
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let read = Model::read(include_bytes!("model.bin"), include_bytes!("posts.bin"));
    read.expect("the model files of the repository, which a test reads")
});

impl Model {
    /// The forests that are part of the library.
    pub(crate) fn get() -> &'static Model {
        &MODEL
    }

    /// Reads the two forests and the threshold, and the forest of posts.
    fn read(bytes: &[u8], posts: &[u8]) -> Option<Model> {
        let (mut reader, mut posts) = (Reader(bytes), Reader(posts));
        let threshold = f32::from_le_bytes(reader.take()?);
        let model = Model {
            threshold,
            first: Forest::read(&mut reader, FEATURES)?,
            second: Forest::read(&mut reader, FEATURES + CONTEXT)?,
            posts: Forest::read(&mut posts, FEATURES + CONTEXT + POSTS)?,
        };
        (reader.0.is_empty() && posts.0.is_empty()).then_some(model)
    }
}

/// A feature as the trees compare it: the upper half of a float, which keeps the order. It is
/// rounded down to one of 128 steps between two powers of two. `train.py` rounds the training data
/// in the same way.
pub(crate) type Key = i16;

pub(crate) fn key(feature: f32) -> Key {
    let bits = feature.to_bits() as i32;
    // Negative floats have the reverse order of their bits.
    let ordered = bits ^ ((bits >> 31) as u32 >> 1) as i32;
    (ordered >> 16) as Key
}

/// A comparison of a feature with a bound.
#[derive(Clone, Copy)]
struct Split {
    bound: Key,
    /// The leaves of the left branch, one bit each. A block cannot reach them if its feature is
    /// above the bound.
    left: u16,
    tree: u16,
}

/// Marker of a leaf in the model file, at the place where a split has its feature.
const LEAF: u8 = u8::MAX;
/// Leaves of a tree, one bit each.
const MAX_LEAVES: usize = u16::BITS as usize;
/// Values of leaves are log-odds, in units of this fraction of one.
const LEAF_UNIT: f32 = 200.0;

/// Number of blocks that are scored together: enough for the compiler to use vector instructions.
pub(crate) const SIDE_BY_SIDE: usize = 32;

/// Blocks whose leaves are looked up with one instruction.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) const LANES: usize = 16;

/// Sums of this number of leaves fit into 16 bits.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) const FIT: usize = 256;

/// Features of the blocks that are scored together.
#[derive(Clone)]
pub(crate) struct Group<const N: usize> {
    /// One row for each feature. Unused columns repeat the first block.
    rows: [[Key; SIDE_BY_SIDE]; N],
    /// Number of used columns.
    pub(super) blocks: usize,
    /// Least and greatest value of each row.
    low: [Key; N],
    high: [Key; N],
}

impl<const N: usize> Group<N> {
    pub(crate) const NONE: Self =
        Group { rows: [[0; SIDE_BY_SIDE]; N], blocks: 0, low: [0; N], high: [0; N] };

    /// Stores features of a block in a column, beginning at a row. The first block of a group is
    /// stored before the others.
    pub(crate) fn put<const M: usize>(
        &mut self,
        beside: usize,
        behind: usize,
        features: &[f32; M],
    ) {
        self.blocks = beside + 1;
        let keys = features.map(key);
        let rows = self.rows[behind..].iter_mut();
        let (low, high) = (self.low[behind..].iter_mut(), self.high[behind..].iter_mut());
        if beside == 0 {
            rows.zip(keys).for_each(|(row, key)| *row = [key; SIDE_BY_SIDE]);
            low.zip(keys).for_each(|(low, key)| *low = key);
            high.zip(keys).for_each(|(high, key)| *high = key);
        } else {
            // The remainder saves a bounds check for each feature.
            rows.zip(keys).for_each(|(row, key)| row[beside % SIDE_BY_SIDE] = key);
            low.zip(keys).for_each(|(low, key)| *low = key.min(*low));
            high.zip(keys).for_each(|(high, key)| *high = key.max(*high));
        }
    }
}

/// Trees whose values are added.
#[derive(Default)]
pub(crate) struct Forest {
    /// The splits of each feature, sorted by bound.
    by_feature: Vec<Vec<Split>>,
    pub(super) leaves: Vec<Leaves>,
}

/// Evaluates trees on groups of blocks.
pub(crate) struct Scorer<'f> {
    pub(super) forest: &'f Forest,
    /// For each tree, the leaves that no block of the group can reach, one bit each.
    pub(super) gone: Vec<u16>,
    /// For each tree and block, further leaves that the block cannot reach, one bit each.
    pub(super) gone_each: Vec<[u16; SIDE_BY_SIDE]>,
    /// For each tree, whether its splits have different results for the blocks.
    pub(super) differ: Vec<bool>,
}

impl Forest {
    /// Reads a forest. Returns `None` if the file is cut off, if a tree has no split or too many,
    /// or if a split has an unknown feature.
    fn read(reader: &mut Reader, features: usize) -> Option<Forest> {
        let mut forest = Forest { by_feature: vec![Vec::new(); features], leaves: Vec::new() };
        for tree in 0..u16::from_le_bytes(reader.take()?) {
            let mut splits = Vec::new();
            let mut leaves = Vec::new();
            read_branch(reader, tree, &mut splits, &mut leaves)?;
            if splits.is_empty() {
                return None;
            }
            leaves.resize(MAX_LEAVES, 0);
            forest.leaves.push(Leaves(leaves.try_into().ok()?));
            for (feature, split) in splits {
                forest.by_feature.get_mut(usize::from(feature))?.push(split);
            }
        }
        for splits in &mut forest.by_feature {
            splits.sort_by_key(|split| split.bound);
        }
        Some(forest)
    }
}

impl<'f> Scorer<'f> {
    pub(crate) fn new(forest: &'f Forest) -> Self {
        let trees = forest.leaves.len();
        Scorer {
            forest,
            gone: vec![0; trees],
            gone_each: vec![[0; SIDE_BY_SIDE]; trees],
            differ: vec![false; trees],
        }
    }

    /// Returns for each block the probability that it is main content.
    ///
    /// Each split removes the leaves that a block cannot reach; the leftmost remaining leaf is the
    /// result (QuickScorer: Lucchese et al., SIGIR 2015). Walking down the trees compares less, but
    /// each step waits for the previous one.
    pub(crate) fn probabilities<const N: usize>(
        &mut self,
        group: &Group<N>,
    ) -> [f32; SIDE_BY_SIDE] {
        self.sums(group).map(|sum| {
            let log_odds = sum as f32 / LEAF_UNIT;
            1.0 / (1.0 + (-log_odds).exp())
        })
    }

    /// Returns for each block the sum of its leaves.
    fn sums<const N: usize>(&mut self, group: &Group<N>) -> [i32; SIDE_BY_SIDE] {
        #[cfg(target_arch = "x86_64")]
        let sums = avx2::sums(self, group);
        #[cfg(target_arch = "aarch64")]
        let sums = Some(neon::sums(self, group));
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let sums = None;
        sums.unwrap_or_else(|| self.sums_everywhere(group))
    }

    /// [`Scorer::sums`] for every processor.
    fn sums_everywhere<const N: usize>(&mut self, group: &Group<N>) -> [i32; SIDE_BY_SIDE] {
        self.apply_splits::<N, SIDE_BY_SIDE>(group);
        let mut sums = [0; SIDE_BY_SIDE];
        for (((leaves, gone), each), differ) in
            self.forest.leaves.iter().zip(&self.gone).zip(&self.gone_each).zip(&self.differ)
        {
            if *differ {
                for (sum, each) in sums.iter_mut().zip(each) {
                    *sum += leaves.leftmost(each | gone);
                }
            } else {
                let leaf = leaves.leftmost(*gone);
                sums.iter_mut().for_each(|sum| *sum += leaf);
            }
        }
        sums
    }

    /// Finds the leaves that the first `LANES` blocks of a group cannot reach.
    ///
    /// For three of four splits all blocks of a group have the same result, so these splits are
    /// evaluated once. If all features are at most the bound, a split removes nothing.
    #[inline(always)]
    pub(super) fn apply_splits<const N: usize, const LANES: usize>(&mut self, group: &Group<N>) {
        self.gone.fill(0);
        for (each, differ) in self.gone_each.iter_mut().zip(&mut self.differ) {
            if std::mem::take(differ) {
                *each = [0; SIDE_BY_SIDE];
            }
        }
        let features =
            self.forest.by_feature.iter().zip(&group.rows).zip(group.low.iter().zip(&group.high));
        for ((splits, row), (low, high)) in features {
            let mut splits = splits.iter();
            let mut next = splits.next();
            while let Some(split) = next.filter(|split| split.bound < *low) {
                self.gone[usize::from(split.tree)] |= split.left;
                next = splits.next();
            }
            while let Some(split) = next.filter(|split| split.bound < *high) {
                let tree = usize::from(split.tree);
                self.differ[tree] = true;
                split.apply(&row[..LANES], &mut self.gone_each[tree][..LANES]);
                next = splits.next();
            }
        }
    }
}

/// The values of a tree's leaves, from left to right, in units of 1 / [`LEAF_UNIT`].
#[derive(Clone, Copy)]
pub(super) struct Leaves(pub(super) [i8; MAX_LEAVES]);

impl Leaves {
    /// Returns the value of the leftmost leaf that is not gone.
    #[inline(always)]
    pub(super) fn leftmost(&self, gone: u16) -> i32 {
        // No left branch has the last leaf, so it is never gone.
        let left = u32::from(!gone) | 1 << (MAX_LEAVES - 1);
        i32::from(self.0[left.trailing_zeros() as usize])
    }
}

impl Split {
    /// Removes the leaves that blocks with these features cannot reach.
    #[inline(always)]
    fn apply(&self, features: &[Key], gone: &mut [u16]) {
        for (gone, feature) in gone.iter_mut().zip(features) {
            // No branch, so that the compiler can use vector instructions.
            *gone |= self.left & u16::from(*feature > self.bound).wrapping_neg();
        }
    }
}

/// Reads a leaf, or a split and its branches, left first. The recursion is at most as deep as a
/// tree may have splits.
fn read_branch(
    reader: &mut Reader,
    tree: u16,
    splits: &mut Vec<(u8, Split)>,
    leaves: &mut Vec<i8>,
) -> Option<()> {
    let [feature] = reader.take()?;
    if feature == LEAF {
        leaves.push(i8::from_le_bytes(reader.take()?));
        return Some(());
    }
    let at = splits.len();
    if at >= MAX_LEAVES - 1 {
        return None;
    }
    splits.push((feature, Split { bound: Key::from_le_bytes(reader.take()?), left: 0, tree }));
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
    const TREE: [(u8, f32); 7] =
        [(0, 0.0), (1, 0.0), (LEAF, 0.0), (LEAF, 0.5), (0, 5.0), (LEAF, -0.25), (LEAF, 0.6)];

    fn bytes(trees: &[&[(u8, f32)]]) -> Vec<u8> {
        let mut bytes = (trees.len() as u16).to_le_bytes().to_vec();
        for (feature, value) in trees.iter().copied().flatten() {
            bytes.push(*feature);
            match *feature {
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
    fn every_block_comes_to_the_leaf_that_its_features_lead_to() {
        let features: [([f32; 2], f32); 4] =
            [([-1.0, -1.0], 0.0), ([0.0, 7.0], 0.5), ([5.0, 0.0], -0.25), ([6.0, -3.0], 0.6)];
        let mut group = Group::<2>::NONE;
        for (beside, (of_block, _)) in features.iter().enumerate() {
            group.put(beside, 0, of_block);
        }
        let forest = read(&bytes(&[&TREE, &TREE])).expect("a forest of two trees");
        let probabilities = Scorer::new(&forest).probabilities(&group);
        for ((of_block, leaf), probability) in features.iter().zip(probabilities) {
            assert_eq!(probability, 1.0 / (1.0 + f32::exp(-2.0 * leaf)), "{of_block:?}");
        }
    }

    proptest! {
        #[test]
        fn a_block_has_the_same_score_by_itself_and_beside_others(
            rows in prop::collection::vec(prop::array::uniform32(prop::sample::select(vec![-1.0f32, 0.0, 0.3, 1.0, 7.0])), 1..SIDE_BY_SIDE),
        ) {
            let forest = &Model::get().first;
            let (mut together, mut alone) = (Group::<FEATURES>::NONE, Group::<FEATURES>::NONE);
            let mut scorer = Scorer::new(forest);
            // Several features have each of the values.
            let features = |row: &[f32; 32]| std::array::from_fn::<f32, FEATURES, _>(|at| row[at % row.len()]);
            for (beside, row) in rows.iter().enumerate() {
                together.put(beside, 0, &features(row));
            }
            let probabilities = scorer.probabilities(&together);
            for (row, probability) in rows.iter().zip(probabilities) {
                alone.put(0, 0, &features(row));
                prop_assert_eq!(scorer.probabilities(&alone)[0], probability);
            }
        }
    }

    proptest! {
        #[test]
        fn every_processor_has_the_same_sums(
            rows in prop::collection::vec(
                prop::collection::vec(
                    prop::sample::select(vec![-20.0f32, -1.0, 0.0, 0.01, 0.1, 0.3, 0.7, 1.0, 2.0, 5.0, 9.0, 60.0]),
                    FEATURES + CONTEXT,
                ),
                1..=SIDE_BY_SIDE,
            ),
        ) {
            let mut group = Group::<{ FEATURES + CONTEXT }>::NONE;
            for (beside, row) in rows.iter().enumerate() {
                group.put(beside, 0, &std::array::from_fn::<f32, { FEATURES + CONTEXT }, _>(|at| row[at]));
            }
            let mut scorer = Scorer::new(&Model::get().second);
            let (here, everywhere) = (scorer.sums(&group), scorer.sums_everywhere(&group));
            prop_assert_eq!(&here[..rows.len()], &everywhere[..rows.len()]);
        }
    }

    #[test]
    fn keys_keep_the_order_of_features() {
        let features = [
            f32::MIN,
            -99.0,
            -1.0,
            -0.01,
            0.0,
            1e-35,
            0.01,
            0.5,
            1.0,
            1.01,
            2.0,
            255.0,
            256.0,
            f32::MAX,
        ];
        for pair in features.windows(2) {
            assert!(key(pair[0]) < key(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        assert!(read(&bytes(&[&TREE])).is_some());
        assert!(read(&bytes(&[&TREE])[..12]).is_none(), "cut");
        assert!(read(&bytes(&[&[(LEAF, 0.0)]])).is_none(), "no split");
        assert!(
            read(&bytes(&[&[(2, 0.0), (LEAF, 0.0), (LEAF, 0.0)]])).is_none(),
            "no such feature"
        );
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
