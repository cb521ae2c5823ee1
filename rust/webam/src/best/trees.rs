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

/// A split: where to go on, by one figure.
#[derive(Clone, Copy)]
struct Split {
    bound: f32,
    figure: u8,
    /// If the figure is at most the bound, otherwise. From [`LEAF`] on a leaf of the tree.
    children: [u8; 2],
}

const LEAF: u8 = 128;

/// Blocks that are judged at once.
pub(crate) const SIDE_BY_SIDE: usize = 8;

struct Tree {
    /// Where its splits and leaves begin.
    splits: u32,
    leaves: u32,
}

/// Trees whose answers are added up.
pub(crate) struct Forest {
    trees: Vec<Tree>,
    splits: Vec<Split>,
    leaves: Vec<f32>,
}

impl Forest {
    /// None if the file is cut, a tree has no split, a split asks for none of so many figures, or a child is not in its tree or not
    /// behind its parent.
    fn read(reader: &mut Reader, figures: usize) -> Option<Forest> {
        const LEAF_UNIT: f32 = 4096.0;
        let mut forest = Forest { trees: Vec::new(), splits: Vec::new(), leaves: Vec::new() };
        for _ in 0..u16::from_le_bytes(reader.take()?) {
            forest.trees.push(Tree { splits: forest.splits.len() as u32, leaves: forest.leaves.len() as u32 });
            let [splits] = reader.take()?;
            if splits == 0 {
                return None;
            }
            for at in 0..splits {
                let [figure] = reader.take()?;
                let bound = f32::from_le_bytes(reader.take()?);
                let children: [u8; 2] = reader.take()?;
                let fits = |child: u8| if child < LEAF { child > at && child < splits } else { child - LEAF <= splits };
                if usize::from(figure) >= figures || !children.into_iter().all(fits) {
                    return None;
                }
                forest.splits.push(Split { bound, figure, children });
            }
            for _ in 0..=splits {
                forest.leaves.push(f32::from(i16::from_le_bytes(reader.take()?)) / LEAF_UNIT);
            }
        }
        Some(forest)
    }

    /// How probable it is for each of the blocks with these figures that it is main content. All go down a tree side by side:
    /// a single one would spend its time waiting for the memory and for mispredicted ends.
    pub(crate) fn probabilities<const N: usize>(&self, rows: &[[f32; N]; SIDE_BY_SIDE]) -> [f32; SIDE_BY_SIDE] {
        let mut sums = [0.0f32; SIDE_BY_SIDE];
        for tree in &self.trees {
            let splits = &self.splits[tree.splits as usize..];
            let mut places = [0u8; SIDE_BY_SIDE];
            let mut is_inside = true;
            while is_inside {
                is_inside = false;
                for (at, row) in places.iter_mut().zip(rows) {
                    // One that has come to its leaf looks at the first split, and stays.
                    let here = *at;
                    let split = &splits[if here < LEAF { usize::from(here) } else { 0 }];
                    let child = split.children[usize::from(row[usize::from(split.figure)] > split.bound)];
                    *at = if here < LEAF { child } else { here };
                    is_inside |= *at < LEAF;
                }
            }
            for (sum, at) in sums.iter_mut().zip(places) {
                *sum += self.leaves[tree.leaves as usize + usize::from(at - LEAF)];
            }
        }
        sums.map(|sum| 1.0 / (1.0 + (-sum).exp()))
    }
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }
}
