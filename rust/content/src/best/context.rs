//! Features of the second forest: the result of the first forest for a block and for the blocks
//! around it.

use super::features::{ContextFeature, CONTEXT};
use super::holders::Holders;
use super::measure::{log, ratio, Features};
use crate::Page;
use foldhash::{HashMap, HashMapExt};

/// Number of blocks before, and of blocks after, in a window.
const WINDOW: usize = 10;

/// Sums over blocks: of their weights, and of their weights times their probabilities.
#[derive(Default, Clone, Copy)]
pub(super) struct Sum {
    pub(super) weight: f32,
    pub(super) kept: f32,
}

impl Sum {
    pub(super) fn add(&mut self, other: Sum) {
        self.weight += other.weight;
        self.kept += other.kept;
    }

    pub(super) fn share(self) -> f32 {
        ratio(self.kept, self.weight)
    }

    pub(super) fn without(self, other: Sum) -> Sum {
        Sum { weight: self.weight - other.weight, kept: self.kept - other.kept }
    }
}

/// The context features of every block. The arguments are the features of the page, the probability
/// of each block to be kept and its weight in letters. The features are computed one block at a
/// time.
pub fn context<'a>(
    features: &'a Features<'a>,
    probable: &'a [f32],
    weights: &'a [f32],
) -> impl Iterator<Item = [f32; CONTEXT]> + 'a {
    let mut walk = Walk::new(features, probable, weights);
    (0..probable.len()).map(move |at| walk.row(at))
}

/// The signatures of a node and of its parent at a depth: a template makes such blocks alike.
type Template = (u32, u32);

/// Makes the features of one block after the other.
struct Walk<'a> {
    page: &'a Page,
    holders: &'a Holders,
    probable: &'a [f32],
    weights: &'a [f32],
    /// Sum over the blocks in each holder itself.
    own: Vec<Sum>,
    /// Sum over the blocks in each node and below it.
    whole: Vec<Sum>,
    total: Sum,
    templates: HashMap<Template, Sum>,
    classes: HashMap<u32, Sum>,
    /// Weight of the blocks with a probability from 0.15 to 0.85.
    doubtful: f32,
    /// Weight of the blocks with a probability of at least 0.85.
    certain: f32,
    /// Sum of the probabilities before each block, for windows.
    sums: Vec<f32>,
    /// Running mean of the probabilities after each block.
    after: Vec<f32>,
    /// The first block with a probability over 0.5.
    first: Option<usize>,
    /// The last block with a probability over 0.5.
    last: Option<usize>,
    /// The highest probability.
    top: f32,
    /// Kept weight of the blocks before the current one.
    kept_before: f32,
    /// Running mean of the probabilities before the current block.
    running: f32,
}

impl<'a> Walk<'a> {
    fn new(features: &'a Features<'a>, probable: &'a [f32], weights: &'a [f32]) -> Self {
        let (page, holders) = (features.page, &features.holders);
        let mut walk = Self {
            page,
            holders,
            probable,
            weights,
            own: vec![Sum::default(); holders.len()],
            whole: vec![Sum::default(); page.nodes.len()],
            total: Sum::default(),
            templates: HashMap::new(),
            classes: HashMap::new(),
            doubtful: 0.0,
            certain: 0.0,
            sums: vec![0.0],
            after: vec![0.0; page.blocks().len()],
            first: probable.iter().position(|p| *p > 0.5),
            last: probable.iter().rposition(|p| *p > 0.5),
            top: probable.iter().copied().fold(0.0, f32::max),
            kept_before: 0.0,
            running: 0.0,
        };
        walk.sum_up();
        walk.look_back();
        walk
    }

    fn sum(&self, at: usize) -> Sum {
        let weight = self.weights[at] + 1.0;
        Sum { weight, kept: weight * self.probable[at] }
    }

    fn class(&self, at: usize) -> u32 {
        self.page.nodes[self.page.blocks()[at].node as usize].marks.signature
    }

    fn template(&self, at: usize) -> Template {
        let node = &self.page.nodes[self.page.blocks()[at].node as usize];
        let parent = &self.page.nodes[node.parent as usize];
        (node.marks.signature, parent.marks.signature ^ node.depth.rotate_left(16))
    }

    /// Computes the sums over the blocks of the page, and of each node, template and class.
    fn sum_up(&mut self) {
        for at in 0..self.probable.len() {
            let sum = self.sum(at);
            self.own[self.holders.of_block(at)].add(sum);
            self.total.add(sum);
            self.templates.entry(self.template(at)).or_default().add(sum);
        }
        for (node, own) in self.holders.nodes().zip(&self.own) {
            self.whole[node] = *own;
        }
        for node in (1..self.whole.len()).rev() {
            let below = self.whole[node];
            self.whole[self.page.nodes[node].parent as usize].add(below);
        }
        for (at, probable) in self.probable.iter().enumerate() {
            let sum = self.sum(at);
            self.classes.entry(self.class(at)).or_default().add(sum);
            match probable {
                0.85.. => self.certain += sum.weight,
                0.15.. => self.doubtful += sum.weight,
                _ => {}
            }
            self.sums.push(self.sums[at] + probable);
        }
    }

    /// Computes the running mean after each block, from the last block to the first.
    fn look_back(&mut self) {
        let mut running = 0.0_f32;
        for at in (0..self.after.len()).rev() {
            self.after[at] = running;
            running = self.passed(running, at);
        }
    }

    /// Returns the running mean after a block: a block of 100 letters replaces the mean.
    fn passed(&self, running: f32, at: usize) -> f32 {
        let share = (self.sum(at).weight / 100.0).min(1.0);
        running * (1.0 - share) * 0.9 + share * self.probable[at]
    }

    /// Returns the features of a block. Call it for each block, in order.
    fn row(&mut self, at: usize) -> [f32; CONTEXT] {
        // Tests find a feature that is not set: debug builds start with NaN.
        let mut row = [if cfg!(debug_assertions) { f32::NAN } else { 0.0 }; CONTEXT];
        let mut put = |feature: ContextFeature, value: f32| row[feature as usize] = value;
        self.neighbours(at, &mut put);
        self.elements(at, &mut put);
        self.page(at, &mut put);
        debug_assert!(row.iter().all(|value| !value.is_nan()), "{row:?}");
        self.kept_before += self.sum(at).kept;
        self.running = self.passed(self.running, at);
        row
    }

    fn neighbours(&self, at: usize, put: &mut impl FnMut(ContextFeature, f32)) {
        let near = |away: isize| {
            at.checked_add_signed(away).and_then(|at| self.probable.get(at)).copied().unwrap_or(0.0)
        };
        put(ContextFeature::Probable, self.probable[at]);
        put(ContextFeature::Before, near(-1));
        put(ContextFeature::After, near(1));
        put(ContextFeature::SecondBefore, near(-2));
        put(ContextFeature::SecondAfter, near(2));
        put(ContextFeature::ThirdBefore, near(-3));
        put(ContextFeature::ThirdAfter, near(3));
        put(ContextFeature::RunningBefore, self.running);
        put(ContextFeature::RunningAfter, self.after[at]);
        let (sums, blocks) = (&self.sums, self.probable.len());
        put(
            ContextFeature::WindowBefore,
            (sums[at] - sums[at.saturating_sub(WINDOW)]) / WINDOW as f32,
        );
        put(
            ContextFeature::WindowAfter,
            (sums[blocks.min(at + 1 + WINDOW)] - sums[at + 1]) / WINDOW as f32,
        );
        put(ContextFeature::SumBefore, ratio(sums[at], sums[blocks]));
    }

    fn elements(&self, at: usize, put: &mut impl FnMut(ContextFeature, f32)) {
        let up = |node: usize| self.page.nodes[node].parent as usize;
        let node = self.page.blocks()[at].node as usize;
        let (parent, this, whole) = (up(node), self.sum(at), &self.whole);
        let grand = up(parent);
        let alike = self.templates.get(&self.template(at)).copied().unwrap_or_default();
        let class = self.classes.get(&self.class(at)).copied().unwrap_or_default();
        put(ContextFeature::OwnKept, self.own[self.holders.of_block(at)].without(this).share());
        put(ContextFeature::ParentKept, whole[parent].without(this).share());
        put(ContextFeature::GrandKept, whole[grand].without(this).share());
        put(ContextFeature::GreatKept, whole[up(grand)].without(this).share());
        put(ContextFeature::AlikeKept, alike.without(this).share());
        put(ContextFeature::ClassKept, class.without(this).share());
        put(ContextFeature::OwnOfKept, ratio(whole[node].kept, self.total.kept));
        put(ContextFeature::ParentOfKept, ratio(whole[parent].kept, self.total.kept));
        put(ContextFeature::GrandOfKept, ratio(whole[grand].kept, self.total.kept));
        put(ContextFeature::AlikeOfKept, ratio(alike.kept, self.total.kept));
    }

    fn page(&self, at: usize, put: &mut impl FnMut(ContextFeature, f32)) {
        let from = |other: Option<usize>| {
            other.map_or(-1.0, |other| (at as f32 - other as f32).clamp(-20.0, 20.0))
        };
        put(ContextFeature::PageKept, self.total.share());
        put(ContextFeature::PageKeptLetters, log(self.total.kept));
        put(ContextFeature::KeptBefore, ratio(self.kept_before, self.total.kept));
        put(ContextFeature::FromFirst, from(self.first));
        put(ContextFeature::FromLast, from(self.last));
        put(ContextFeature::Top, self.top);
        put(ContextFeature::Doubtful, ratio(self.doubtful, self.total.weight));
        put(ContextFeature::Certain, ratio(self.certain, self.total.weight));
    }
}
