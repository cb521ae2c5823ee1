//! What the first judgement thought of a block and of what is near it.

use super::figures::{log, ratio};
use crate::Page;
use foldhash::{HashMap, HashMapExt};

/// How many figures the second judgement has beside the first one's.
pub const CONTEXT: usize = 30;

/// Blocks before and after that are looked at together.
const WINDOW: usize = 10;

/// Probabilities and weights summed up.
#[derive(Default, Clone, Copy)]
struct Sum {
    weight: f32,
    kept: f32,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.weight += other.weight;
        self.kept += other.kept;
    }

    fn share(self) -> f32 {
        ratio(self.kept, self.weight)
    }

    fn without(self, other: Sum) -> Sum {
        Sum { weight: self.weight - other.weight, kept: self.kept - other.kept }
    }
}

/// Figures of every block's surroundings, given how probable it is that each block is kept, and each block's weight in letters. They are
/// made while they are asked for.
pub fn context<'a>(
    page: &'a Page,
    probable: &'a [f32],
    weights: &'a [f32],
) -> impl Iterator<Item = [f32; CONTEXT]> + 'a {
    let blocks = page.blocks();
    let sum = move |at: usize| Sum { weight: weights[at] + 1.0, kept: (weights[at] + 1.0) * probable[at] };
    let mut own = vec![Sum::default(); page.nodes.len()];
    let mut total = Sum::default();
    let mut templates: HashMap<(u32, u32), Sum> = HashMap::new();
    let signature = move |at: usize| {
        let node = &page.nodes[blocks[at].node as usize];
        (node.marks.signature, page.nodes[node.parent as usize].marks.signature ^ node.depth.rotate_left(16))
    };
    for (at, block) in blocks.iter().enumerate() {
        own[block.node as usize].add(sum(at));
        total.add(sum(at));
        templates.entry(signature(at)).or_default().add(sum(at));
    }
    let mut whole = own.clone();
    for node in (1..whole.len()).rev() {
        let below = whole[node];
        whole[page.nodes[node].parent as usize].add(below);
    }
    let mut classes: HashMap<u32, Sum> = HashMap::new();
    let class = move |at: usize| page.nodes[blocks[at].node as usize].marks.signature;
    let (mut doubtful, mut certain) = (0.0_f32, 0.0_f32);
    // Probabilities summed up to each block, for windows.
    let mut sums = vec![0.0_f32];
    for (at, probable) in probable.iter().enumerate() {
        classes.entry(class(at)).or_default().add(sum(at));
        match probable {
            0.85.. => certain += sum(at).weight,
            0.15.. => doubtful += sum(at).weight,
            _ => {}
        }
        sums.push(sums[at] + probable);
    }
    let top = probable.iter().copied().fold(0.0, f32::max);
    let near = move |at: usize, away: isize| {
        at.checked_add_signed(away).and_then(|at| probable.get(at)).copied().unwrap_or(0.0)
    };
    let first = probable.iter().position(|p| *p > 0.5);
    let last = probable.iter().rposition(|p| *p > 0.5);
    let mut kept_before = 0.0;
    let mut running = 0.0_f32;
    let mut after = vec![0.0_f32; blocks.len()];
    for at in (0..blocks.len()).rev() {
        after[at] = running;
        let share = (sum(at).weight / 100.0).min(1.0);
        running = running * (1.0 - share) * 0.9 + share * probable[at];
    }
    running = 0.0;
    blocks.iter().enumerate().map(move |(at, block)| {
        let node = block.node as usize;
        let parent = page.nodes[node].parent as usize;
        let grand = page.nodes[parent].parent as usize;
        let this = sum(at);
        let great = page.nodes[grand].parent as usize;
        let alike = templates.get(&signature(at)).copied().unwrap_or_default();
        let figures = [
            probable[at],
            near(at, -1),
            near(at, 1),
            near(at, -2),
            near(at, 2),
            near(at, -3),
            near(at, 3),
            own[node].without(this).share(),
            whole[parent].without(this).share(),
            whole[grand].without(this).share(),
            whole[great].without(this).share(),
            alike.without(this).share(),
            total.share(),
            log(total.kept),
            ratio(kept_before, total.kept),
            first.map_or(-1.0, |first| (at as f32 - first as f32).clamp(-20.0, 20.0)),
            last.map_or(-1.0, |last| (at as f32 - last as f32).clamp(-20.0, 20.0)),
            running,
            after[at],
            classes.get(&class(at)).copied().unwrap_or_default().without(this).share(),
            ratio(whole[node].kept, total.kept),
            ratio(whole[parent].kept, total.kept),
            ratio(whole[grand].kept, total.kept),
            top,
            ratio(doubtful, total.weight),
            ratio(certain, total.weight),
            (sums[at] - sums[at.saturating_sub(WINDOW)]) / WINDOW as f32,
            (sums[blocks.len().min(at + 1 + WINDOW)] - sums[at + 1]) / WINDOW as f32,
            ratio(sums[at], sums[blocks.len()]),
            ratio(alike.kept, total.kept),
        ];
        kept_before += this.kept;
        let share = (this.weight / 100.0).min(1.0);
        running = running * (1.0 - share) * 0.9 + share * probable[at];
        figures
    })
}
