//! Posts of a forum: a program writes all of them in the same elements, so they are main content
//! together. A forest of its own decides on the blocks of a forum's page, after the second forest.

use super::context::{context, Sum};
use super::features::{PostFeature, CONTEXT, FEATURES, POSTS};
use super::forest::{Group as Columns, Model, Scorer, SIDE_BY_SIDE};
use super::measure::{log, ratio, Features};
use crate::forum::Sign;
use crate::Page;
use foldhash::{HashMap, HashMapExt};

/// Largest share of links in the text that is expected to be main content of a thread. A list of
/// topics has more.
const MAX_LINKED: f32 = 0.25;

/// Most elements with text of a thread. Pages with more are judged by the second forest alone: the
/// groups of a hostile page would take more memory than its elements.
const MAX_ELEMENTS: usize = 1 << 15;

/// The features of a block for the forest of posts: for the first forest, for the second with the
/// second's probabilities, and of posts.
pub type Row = [f32; FEATURES + CONTEXT + POSTS];

/// A group of elements: those with the same tags and classes on three levels.
#[derive(Default, Clone, Copy)]
struct Group {
    /// Sum over the blocks in and below the elements.
    sum: Sum,
    elements: f32,
    /// Number of blocks in the elements themselves, and of those with a probability over 0.5.
    blocks: f32,
    kept: f32,
    /// Sums of the logarithms of these blocks' letters, and of the squares of the logarithms.
    logs: f32,
    squares: f32,
    /// The highest probability of these blocks.
    top: f32,
}

impl Group {
    /// Standard deviation of the logarithms of the blocks' letters.
    fn deviation(&self) -> f32 {
        let mean = ratio(self.logs, self.blocks);
        (ratio(self.squares, self.blocks) - mean * mean).max(0.0).sqrt()
    }
}

/// The groups of a page's elements.
struct Groups<'a> {
    page: &'a Page,
    probable: &'a [f32],
    /// Sum over the blocks in each node and below it.
    whole: Vec<Sum>,
    total: Sum,
    /// The group of each node, as its place in `groups`.
    of_nodes: Vec<u32>,
    groups: Vec<Group>,
}

impl<'a> Groups<'a> {
    fn of(page: &'a Page, probable: &'a [f32], weights: &[f32]) -> Self {
        let mut groups = Self {
            page,
            probable,
            whole: vec![Sum::default(); page.nodes.len()],
            total: Sum::default(),
            of_nodes: Vec::with_capacity(page.nodes.len()),
            groups: Vec::new(),
        };
        groups.sum_up(weights);
        groups.find();
        for ((block, probable), weight) in page.blocks().iter().zip(probable).zip(weights) {
            let letters = log(*weight);
            let group = &mut groups.groups[groups.of_nodes[block.node as usize] as usize];
            group.blocks += 1.0;
            group.kept += is_kept(*probable);
            group.logs += letters;
            group.squares += letters * letters;
            group.top = group.top.max(*probable);
        }
        groups
    }

    fn sum_up(&mut self, weights: &[f32]) {
        for ((block, probable), weight) in self.page.blocks().iter().zip(self.probable).zip(weights)
        {
            // As the features of the context do, which count one letter more of each block.
            let weight = weight + 1.0;
            let sum = Sum { weight, kept: weight * probable };
            self.whole[block.node as usize].add(sum);
            self.total.add(sum);
        }
        for node in (1..self.whole.len()).rev() {
            let (below, above) = (self.whole[node], self.up(node));
            self.whole[above].add(below);
        }
    }

    /// Puts each node into the group of its signatures.
    fn find(&mut self) {
        let nodes = &self.page.nodes;
        let mut known: HashMap<(u32, u32, u32), u32> = HashMap::new();
        for (at, node) in nodes.iter().enumerate() {
            let parent = &nodes[node.parent as usize];
            let grand = &nodes[parent.parent as usize];
            let key = (node.marks.signature, parent.marks.signature, grand.marks.signature);
            let group = *known.entry(key).or_insert(self.groups.len() as u32);
            if group as usize == self.groups.len() {
                self.groups.push(Group::default());
            }
            self.of_nodes.push(group);
            let group = &mut self.groups[group as usize];
            group.sum.add(self.whole[at]);
            group.elements += 1.0;
        }
    }

    fn up(&self, node: usize) -> usize {
        self.page.nodes[node].parent as usize
    }

    /// The group of a node, and the kept share of the letters in its other elements.
    fn group(&self, node: usize) -> (&Group, f32) {
        let group = &self.groups[self.of_nodes[node] as usize];
        (group, group.sum.without(self.whole[node]).share())
    }

    /// The features of a block.
    fn row(&self, at: usize) -> [f32; POSTS] {
        // Tests find a feature that is not set: debug builds start with NaN.
        let mut row = [if cfg!(debug_assertions) { f32::NAN } else { 0.0 }; POSTS];
        let mut put = |feature: PostFeature, value: f32| row[feature as usize] = value;
        let node = self.page.blocks()[at].node as usize;
        let (group, kept) = self.group(node);
        let others = group.kept - is_kept(self.probable[at]);
        put(PostFeature::GroupKept, kept);
        put(PostFeature::GroupBlocks, log(group.blocks));
        put(PostFeature::GroupKeptBlocks, ratio(others, group.blocks - 1.0));
        put(PostFeature::GroupTop, group.top);
        put(PostFeature::GroupDeviation, group.deviation());
        put(PostFeature::GroupOfKept, ratio(group.sum.kept, self.total.kept));
        let parent = self.up(node);
        let (group, kept) = self.group(parent);
        put(PostFeature::ParentGroupKept, kept);
        put(PostFeature::ParentGroupElements, log(group.elements));
        put(PostFeature::ParentGroupOfKept, ratio(group.sum.kept, self.total.kept));
        let grand = self.up(parent);
        let (group, kept) = self.group(grand);
        put(PostFeature::GrandGroupKept, kept);
        put(PostFeature::GrandGroupElements, log(group.elements));
        let (group, kept) = self.group(self.up(grand));
        put(PostFeature::GreatGroupKept, kept);
        put(PostFeature::GreatGroupElements, log(group.elements));
        debug_assert!(row.iter().all(|value| !value.is_nan()), "{row:?}");
        row
    }
}

fn is_kept(probable: f32) -> f32 {
    f32::from(u8::from(probable > 0.5))
}

/// Returns true if a page has a thread of posts: it states that it is one, or that it belongs to a
/// forum and is no list of topics. `probable`: the probabilities of the second forest.
pub(super) fn is_thread(page: &Page, probable: &[f32], weights: &[f32]) -> bool {
    if !page.is_forum || page.nodes.len() > MAX_ELEMENTS {
        return false;
    }
    if page.sign >= Sign::Thread {
        return true;
    }
    let (mut linked, mut all) = (0.0, 0.0);
    for ((block, probable), weight) in page.blocks().iter().zip(probable).zip(weights) {
        let expected = weight * probable;
        all += expected;
        linked += expected * ratio(block.linked_bytes as f32, block.text.len() as f32).min(1.0);
    }
    linked <= MAX_LINKED * all
}

/// Replaces the probabilities of the second forest by those of the forest of posts. Returns false
/// if the time limit passes before that.
pub(super) fn judge(features: &Features, weights: &[f32], probabilities: &mut [f32]) -> bool {
    let probable = probabilities.to_vec();
    let mut rows = rows(features, &probable, weights);
    let mut scorer = Scorer::new(&Model::get().posts);
    let mut columns = Columns::<{ FEATURES + CONTEXT + POSTS }>::NONE;
    for side_by_side in probabilities.chunks_mut(SIDE_BY_SIDE) {
        if features.page.is_late() {
            return false;
        }
        for (at, row) in rows.by_ref().take(SIDE_BY_SIDE).enumerate() {
            columns.put(at, 0, &row);
        }
        let found = scorer.probabilities(&columns);
        side_by_side.iter_mut().zip(found).for_each(|(probability, found)| *probability = found);
    }
    true
}

/// The rows of all blocks, in order. `probable`: the probabilities of the second forest.
pub(super) fn rows<'a>(
    features: &'a Features<'a>,
    probable: &'a [f32],
    weights: &'a [f32],
) -> impl Iterator<Item = Row> + 'a {
    let groups = Groups::of(features.page, probable, weights);
    let own = super::rows(features);
    own.zip(context(features, probable, weights)).enumerate().map(move |(at, (own, around))| {
        let mut row = [0.0; FEATURES + CONTEXT + POSTS];
        row[..FEATURES].copy_from_slice(&own);
        row[FEATURES..FEATURES + CONTEXT].copy_from_slice(&around);
        row[FEATURES + CONTEXT..].copy_from_slice(&groups.row(at));
        row
    })
}

#[cfg(test)]
mod tests {
    use super::super::Features;
    use super::{is_thread, rows, PostFeature, Row, CONTEXT, FEATURES};
    use crate::{parse, Limits, Page};

    /// A menu of two links, and four posts with the same elements; one answers another.
    const THREAD: &str = "<meta name=generator content=phpBB>\
        <ul class=menu><li><a href=/a>Nyumbani kwetu</a></li>\
        <li><a href=/b>Habari zote</a></li></ul>\
        <div class=post-1><p>Nina swali kuhusu mbegu za mahindi.</p></div>\
        <div class=post-1><p>Panda kabla ya mvua za masika.</p>\
        <div class=post-1><p>Asante.</p></div></div>\
        <div class=post-1><p>Karibu tena.</p></div>";

    fn thread() -> Page {
        parse(THREAD, &Limits::default())
    }

    #[test]
    fn only_a_forum_whose_text_is_not_mostly_links_has_a_thread() {
        let page = thread();
        let weights = Features::of(&page).weights();
        assert!(is_thread(&page, &[0.1, 0.1, 0.9, 0.8, 0.4, 0.4], &weights));
        assert!(!is_thread(&page, &[0.9, 0.9, 0.1, 0.1, 0.1, 0.1], &weights), "a list of links");
        assert!(!is_thread(&Page { is_forum: false, ..page }, &[0.5; 6], &weights));
    }

    #[test]
    fn numbered_posts_are_one_group() {
        let rows = |html: &str| {
            let page = parse(html, &Limits::default());
            let features = Features::of(&page);
            let weights = features.weights();
            rows(&features, &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0], &weights).collect::<Vec<Row>>()
        };
        let one =
            THREAD.replace("<ul class=menu>", "<body class=section-viewtopic><ul class=menu>");
        let numbered = (77..81).fold(one.clone(), |html, number| {
            html.replacen("post-1>", &format!("post-{number}>"), 1)
        });
        assert_eq!(rows(&numbered), rows(&one));
        assert_ne!(rows(&one.replacen("post-1", "note-1", 1)), rows(&one));
    }

    #[test]
    fn the_features_of_a_post_are_those_of_its_group() {
        let page = thread();
        let features = Features::of(&page);
        let weights = features.weights();
        let rows: Vec<Row> = rows(&features, &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0], &weights).collect();
        assert_eq!(rows.len(), page.blocks().len());
        let of = |at: usize, feature: PostFeature| rows[at][FEATURES + CONTEXT + feature as usize];
        // The first, the second and the last post; the third is in a post, so its group is its own.
        assert_eq!(of(5, PostFeature::GroupTop), 1.0);
        assert_eq!(of(5, PostFeature::GroupKept), 1.0);
        assert_eq!(of(5, PostFeature::GroupKeptBlocks), 1.0);
        assert_eq!(of(2, PostFeature::GroupKeptBlocks), 0.5);
        assert_eq!(of(0, PostFeature::GroupTop), 0.0, "the menu");
        assert!(of(5, PostFeature::GroupDeviation) > 0.0);
        assert_eq!(of(4, PostFeature::GroupTop), 0.0);
    }
}
