//! Extractor `best`. A forest of decision trees, trained on annotated pages, scores every block by
//! features of the block, of the elements around it and of its neighbours. A second forest also
//! uses the scores that the first gave to nearby blocks.
//!
//! No feature depends on a language: lengths are in letters, weighted by script, and names are
//! those of elements in templates. `DESIGN.md` describes the training and the results.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod code;
mod comments;
mod context;
mod copies;
mod dates;
mod features;
mod forest;
mod headline;
mod holders;
mod invitations;
mod letters;
mod measure;
#[cfg(target_arch = "aarch64")]
mod neon;
mod numbers;
mod paragraphs;
mod pointers;
mod posts;
mod sequence;
mod signatures;
mod surroundings;
mod titles;
mod wholes;

pub use context::context;
pub use features::{ContextFeature, Feature, PostFeature, CONTEXT, FEATURES, POSTS};
pub use measure::Features;
pub use posts::Row as PostRow;

use crate::marks::{self, Kinds};
use crate::{Comments, Page, Verdict};
use features::AROUND;
use forest::{Group, Model, Scorer, SIDE_BY_SIDE};
use headline::Headlines;

/// A block with at least this share of its letters in links is called a block of links.
const MOSTLY_LINKS: f32 = 0.5;

/// Largest ratio of the threshold to the expected F1 of the kept text.
const OF_EXPECTED_F1: f32 = 0.75;
/// Step by which the threshold is lowered on a page with uncertain scores.
const STEP: f32 = 0.05;
/// Lowest threshold to which [`STEP`] leads.
const LEAST: f32 = 0.1;

/// The verdict on all blocks of a page if the time limit ends the scoring.
const TOO_LATE: Verdict = Verdict::dropped("time limit");

/// Up to this number of blocks, features are held in memory (1.3 MB). Few pages have more blocks;
/// their features are computed twice.
const HELD: usize = 1 << 12;

/// Returns one verdict for each block. `wanted` is the setting for comments of readers.
pub(crate) fn classify(page: &Page, wanted: Comments) -> Vec<Verdict> {
    let model = Model::get();
    let features = Features::of(page);
    let weights = features.weights();
    let Some(scores) = Scores::of(page, &features, &weights) else {
        return vec![TOO_LATE; page.blocks().len()];
    };
    let Scores { first, mut second, signs, headline, dialogs } = scores;
    let is_thread = posts::is_thread(page, &second, &weights);
    if is_thread && !posts::judge(&features, &weights, &mut second) {
        return vec![TOO_LATE; page.blocks().len()];
    }
    leave_out_empty(page, &mut second);
    dialogs.leave_out(&mut second);
    leave_out_concealed(page, &weights, &mut second);
    let threshold = threshold(&second, &weights, model.threshold);
    let kept = sequence::decide(&second, &weights, threshold);
    let verdict = |at: usize| match (first[at] >= threshold, kept[at] && second[at] > 0.0) {
        (true, true) => Verdict::kept("like main content"),
        (false, true) => Verdict::kept("amid main content"),
        (true, false) => Verdict::dropped(signs[at].unwrap_or("apart from main content")),
        (false, false) => Verdict::dropped(signs[at].unwrap_or("like boilerplate")),
    };
    let mut verdicts: Vec<Verdict> = (0..second.len()).map(verdict).collect();
    code::keep(page, &second, &mut verdicts);
    if page.is_forum {
        signatures::drop(page, &mut verdicts);
        signatures::drop_dates(page, &weights, &mut verdicts);
    } else {
        wholes::keep(page, &second, &mut verdicts);
        if threshold == model.threshold {
            paragraphs::keep(page, &weights, &first, &second, &mut verdicts);
        }
        titles::keep(page, &weights, &second, &mut verdicts);
        surroundings::drop(page, &weights, headline.titled(), &mut verdicts);
        pointers::drop(page, &weights, &mut verdicts);
        copies::drop(page, &mut verdicts);
        invitations::drop(page, &weights, &mut verdicts);
    }
    signatures::drop_repeated(page, &weights, &mut verdicts);
    pointers::drop_around_mail(page, &mut verdicts);
    if wanted == Comments::Drop {
        comments::drop(page, &weights, &mut verdicts);
    }
    if let Some(at) = headline.of(page, &verdicts, &weights) {
        verdicts[at] = Verdict::HEADLINE;
        headline::keep_lede(page, at, &weights, &second, &mut verdicts);
    }
    verdicts
}

/// The features of the blocks for the forest of posts, in order. They are empty for a page that is
/// no thread of a forum. `training/train.py` learns from them.
pub fn posts(page: &Page) -> Vec<PostRow> {
    let features = Features::of(page);
    let weights = features.weights();
    let is_thread = |scores: &Scores| posts::is_thread(page, &scores.second, &weights);
    match Scores::of(page, &features, &weights).filter(is_thread) {
        Some(scores) => posts::rows(&features, &scores.second, &weights).collect(),
        None => Vec::new(),
    }
}

/// The results of the two forests for each block of a page.
struct Scores {
    /// The probabilities of the first forest.
    first: Vec<f32>,
    /// The probabilities of the second forest.
    second: Vec<f32>,
    /// The reasons why a block is not main content.
    signs: Vec<Option<&'static str>>,
    headline: Headlines,
    dialogs: Dialogs,
}

impl Scores {
    /// Asks the forests. Returns `None` if the time limit passes.
    fn of(page: &Page, features: &Features, weights: &[f32]) -> Option<Self> {
        let model = Model::get();
        let blocks = page.blocks().len();
        let held = if blocks <= HELD { blocks } else { SIDE_BY_SIDE };
        let mut groups = vec![Group::<{ FEATURES + CONTEXT }>::NONE; held.div_ceil(SIDE_BY_SIDE)];
        let mut signs = Vec::with_capacity(blocks);
        let mut headline = Headlines::default();
        let mut dialogs = Dialogs::default();
        let mut scorer = Scorer::new(&model.first);
        let mut first = Vec::with_capacity(blocks.next_multiple_of(SIDE_BY_SIDE));
        let mut rows_to_score = rows(features);
        while first.len() < blocks {
            if page.is_late() {
                return None;
            }
            for (at, row) in rows_to_score.by_ref().take(held).enumerate() {
                headline.see(page, signs.len(), &row);
                signs.push(sign(&row));
                dialogs.see(weights[signs.len() - 1], &row);
                groups[at / SIDE_BY_SIDE].put(at % SIDE_BY_SIDE, 0, &row);
            }
            first.extend(groups.iter().flat_map(|group| scorer.probabilities(group)));
        }
        drop(rows_to_score);
        // Removes the results of unused columns of the last group.
        first.truncate(blocks);
        let mut scorer = Scorer::new(&model.second);
        let mut second = Vec::with_capacity(blocks.next_multiple_of(SIDE_BY_SIDE));
        let mut around = context(features, &first, weights);
        let mut rows_again = (blocks > held).then(|| rows(features));
        while second.len() < blocks {
            if page.is_late() {
                return None;
            }
            for (at, row) in rows_again.iter_mut().flatten().take(held).enumerate() {
                groups[at / SIDE_BY_SIDE].put(at % SIDE_BY_SIDE, 0, &row);
            }
            for (at, row) in around.by_ref().take(held).enumerate() {
                groups[at / SIDE_BY_SIDE].put(at % SIDE_BY_SIDE, FEATURES, &row);
            }
            second.extend(groups.iter().flat_map(|group| scorer.probabilities(group)));
        }
        second.truncate(blocks);
        drop(around);
        Some(Self { first, second, signs, headline, dialogs })
    }
}

fn leave_out_empty(page: &Page, probabilities: &mut [f32]) {
    for (probability, block) in probabilities.iter_mut().zip(page.blocks()) {
        if block.text.is_empty() {
            *probability = 0.0;
        }
    }
}

/// The features of all blocks. Only this function calls the long generic code, so that the library
/// contains it once.
fn rows<'f>(features: &'f Features) -> Box<dyn Iterator<Item = [f32; FEATURES]> + 'f> {
    Box::new(features.iter())
}

/// The blocks in dialogs, for example those that ask for consent to cookies. They are not main
/// content, except on a page without other text.
#[derive(Default)]
struct Dialogs {
    is_in: Vec<bool>,
    has_other_text: bool,
}

impl Dialogs {
    /// Least letters of a block outside of dialogs that counts as text.
    const MIN_TEXT: f32 = 40.0;

    /// Considers a block, by its letters and its features. Call it for each block, in order.
    fn see(&mut self, weight: f32, row: &[f32; FEATURES]) {
        let is_in = row[Feature::InDialog as usize] > 0.0;
        self.is_in.push(is_in);
        self.has_other_text |= !is_in
            && weight >= Self::MIN_TEXT
            && row[Feature::Links as usize] < MOSTLY_LINKS
            && row[Feature::InHidden as usize] == 0.0;
    }

    /// Sets the probabilities of blocks in dialogs to 0 if the page has other text.
    fn leave_out(&self, probabilities: &mut [f32]) {
        if !self.has_other_text {
            return;
        }
        for (probability, _) in
            probabilities.iter_mut().zip(&self.is_in).filter(|(_, is_in)| **is_in)
        {
            *probability = 0.0;
        }
    }
}

/// Letters to be expected outside of elements with a class that hides them that suffice to leave
/// them out, even if more is to be expected in them.
const ENOUGH_SHOWN: f32 = 300.0;

/// Sets the probabilities of blocks in elements with a class that hides them to 0, if enough text
/// is to be expected outside of such elements. Appeals and notices wait in them for a script. The
/// text of some pages waits in one too, with little text outside.
fn leave_out_concealed(page: &Page, weights: &[f32], probabilities: &mut [f32]) {
    if !page.nodes.iter().any(|node| node.marks.is_concealed()) {
        return;
    }
    let mut is_concealed: Vec<bool> = Vec::with_capacity(page.nodes.len());
    // Whether the last child of a node until now is a button, or a heading with one. What follows
    // it is text that a reader opens, such as the answer of a question: text as the body of a
    // closed `<details>` is.
    let mut after_button = vec![false; page.nodes.len()];
    for node in &page.nodes {
        let parent = node.parent as usize;
        // The root is its own parent.
        let above = is_concealed.get(parent).copied().unwrap_or(false);
        is_concealed.push(above || node.marks.is_concealed() && !after_button[parent]);
        after_button[parent] = node.marks.kinds & marks::BUTTON != 0;
        let above = &page.nodes[parent];
        if after_button[parent] && above.marks.kinds & marks::HEADING != 0 {
            after_button[above.parent as usize] = true;
        }
    }
    let is_in = |at: usize| is_concealed[page.blocks()[at].node as usize];
    let (mut inside, mut outside) = (0.0, 0.0);
    for (at, (weight, probability)) in weights.iter().zip(&*probabilities).enumerate() {
        *(if is_in(at) { &mut inside } else { &mut outside }) += weight * probability;
    }
    if inside > 0.0 && outside > inside.min(ENOUGH_SHOWN) {
        for (at, probability) in probabilities.iter_mut().enumerate() {
            *probability *= f32::from(u8::from(!is_in(at)));
        }
    }
}

/// Kinds of elements whose text is not main content, with the reason for a block in one. The first
/// that matches is used.
const SIGNS: [(Kinds, &str); 5] = [
    (marks::HIDDEN, "hidden"),
    (marks::NAV, "navigation"),
    (marks::DIALOG, "dialog"),
    (marks::COMMENT, "comment"),
    (marks::RELATED, "related"),
];

/// Returns the reason why a block is not main content; `None` if its features give no reason.
fn sign(row: &[f32; FEATURES]) -> Option<&'static str> {
    let is_in = |kind| {
        AROUND.iter().any(|(feature, around)| *around == kind && row[*feature as usize] > 0.0)
    };
    let named = SIGNS.into_iter().find(|(kind, _)| is_in(*kind)).map(|(_, name)| name);
    named.or_else(|| (row[Feature::Links as usize] >= MOSTLY_LINKS).then_some("mostly links"))
}

/// Returns the threshold of a page, which is a probability of blocks. It is `usual` for most pages.
/// It is lower on a page with uncertain scores, for example a list of links, if `usual` would keep
/// a small part of the expected content.
///
/// If the probabilities of blocks were independent, the best threshold would be half of the
/// expected F1 (Lipton et al., ECML PKDD 2014). But the errors of similar blocks are correlated, so
/// the threshold is lowered only until it is at most [`OF_EXPECTED_F1`] of the F1 expected of the
/// kept text.
fn threshold(probabilities: &[f32], weights: &[f32], usual: f32) -> f32 {
    let blocks = || probabilities.iter().zip(weights);
    let content: f32 = blocks().map(|(probability, weight)| probability * weight).sum();
    let fits = |threshold: f32| {
        let (mut kept, mut hits) = (0.0, 0.0);
        for (probability, weight) in blocks().filter(|(probability, _)| **probability >= threshold)
        {
            kept += weight;
            hits += probability * weight;
        }
        threshold * (kept + content) <= OF_EXPECTED_F1 * 2.0 * hits
    };
    let steps = ((usual - LEAST) / STEP).round() as u8;
    let mut downwards = (0..steps).map(|step| usual - STEP * f32::from(step));
    let threshold = downwards.find(|threshold| fits(*threshold)).unwrap_or(LEAST);
    // A page with only low probabilities still has some text.
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
    fn a_page_with_clear_scores_has_the_usual_threshold() {
        let probabilities = [0.02, 0.97, 0.95, 0.4, 0.03];
        assert_eq!(threshold(&probabilities, &[50.0, 400.0, 300.0, 20.0, 600.0], USUAL), USUAL);
    }

    #[test]
    fn a_list_of_doubtful_blocks_is_kept_whole() {
        let mut probabilities = vec![0.31; 20];
        probabilities.extend([0.5, 0.02, 0.02, 0.02]);
        let lowered = threshold(&probabilities, &[40.0; 24], USUAL);
        assert!((0.02..=0.31).contains(&lowered), "{lowered}");
        assert_eq!(
            threshold(&[0.3, 0.9], &[40.0, 800.0], USUAL),
            USUAL,
            "one doubtful block is not a list"
        );
    }

    #[test]
    fn the_most_probable_block_is_kept_where_nothing_is_probable() {
        assert_eq!(threshold(&[0.04, 0.01, 0.03], &[10.0; 3], USUAL), 0.02);
        assert_eq!(threshold(&[], &[], USUAL), 0.0);
        assert_eq!(threshold(&[0.0], &[0.0], USUAL), 0.0);
    }
}
