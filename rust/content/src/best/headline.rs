//! The headline above the main content.

use super::{Feature, FEATURES, MOSTLY_LINKS};
use crate::marks::{self, Kinds, ASIDE, DIALOG, FOOTER, H1, NAV};
use crate::{Page, Verdict};

/// The blocks that may be the headline: headings with words of the page's title, and every `<h1>`.
///
/// The forests drop headlines, because most gold texts that they learned from have none. In other
/// gold texts, nine of ten headlines are main content. Readers expect a headline above its text.
#[derive(Default)]
pub(super) struct Headlines {
    candidates: Vec<Candidate>,
}

#[derive(Clone, Copy)]
struct Candidate {
    at: usize,
    /// Overlap of the block's words with the title, from 0 to 1.
    overlap: f32,
    is_h1: bool,
}

impl Headlines {
    /// Least overlap with the title, from 0 to 1, of a headline in any heading.
    const MIN_OVERLAP: f32 = 0.5;
    /// The same of a heading that is no `<h1>`, if it is to tell where the article is.
    const MIN_OTHER: f32 = 0.7;
    /// Least weighted letters of a headline that the title does not have. Names of sites and of
    /// sections are shorter.
    const MIN_H1_LETTERS: f32 = 12.0;
    /// Most blocks from a headline to its text. Bylines, dates and share links are between them.
    const FARTHEST: usize = 30;
    /// The same for an `<h1>`.
    const FARTHEST_H1: usize = 200;
    /// A kept block after the headline is its text if it has more letters than this.
    const MIN_LETTERS: f32 = 40.0;
    /// So are the kept blocks after an `<h1>` that have more together: the lines of a poem.
    const MIN_LETTERS_OF_LINES: f32 = 200.0;
    /// Largest share of the kept letters above the headline.
    const MOST_ABOVE: f32 = 0.2;
    /// Most candidates of a page. Pages of articles have few.
    const MOST: usize = 64;

    /// Considers a block, by its number and its features. Call it for each block, in order.
    pub(super) fn see(&mut self, page: &Page, at: usize, row: &[f32; FEATURES]) {
        if row[Feature::IsHeading as usize] <= 0.0 || self.candidates.len() == Self::MOST {
            return;
        }
        let overlap = row[Feature::TitleOverlap as usize];
        let is_h1 = is_h1(page, at);
        let is_link = row[Feature::Links as usize] >= MOSTLY_LINKS;
        // A link in an `<h1>`, and in any heading of a thread, leads to the page itself or, with the
        // name of the site, to its start.
        let is_titled = overlap >= Self::MIN_OVERLAP;
        let may_be = match is_link {
            true => (is_h1 || page.is_forum) && is_titled && !ends_title(page, at, 0),
            false => is_h1 || is_titled,
        };
        if may_be {
            self.candidates.push(Candidate { at, overlap, is_h1 });
        }
    }

    /// Returns the block of the heading with the largest overlap with the page's title, unless
    /// there are two: at least [`Self::MIN_OVERLAP`] of an `<h1>`, [`Self::MIN_OTHER`] of another.
    pub(super) fn titled(&self) -> Option<usize> {
        let least = |one: &Candidate| if one.is_h1 { Self::MIN_OVERLAP } else { Self::MIN_OTHER };
        let titled = || self.candidates.iter().filter(|one| one.overlap >= least(one));
        let best = titled().map(|one| one.overlap).fold(0.0, f32::max);
        let mut of_best = titled().filter(|one| one.overlap >= best);
        of_best.next().filter(|_| of_best.next().is_none()).map(|one| one.at)
    }

    /// Returns the block of the headline, if it is above main content: the heading with the largest
    /// overlap with the page's title, or else the last `<h1>`. `weights`: the weighted letters of
    /// each block.
    pub(super) fn of(&self, page: &Page, verdicts: &[Verdict], weights: &[f32]) -> Option<usize> {
        let kept_before = |end: usize| {
            let kept = verdicts[..end].iter().zip(weights).filter(|(verdict, _)| verdict.kept);
            kept.map(|(_, weight)| *weight).sum::<f32>()
        };
        let most_above = Self::MOST_ABOVE * kept_before(verdicts.len());
        let is_above_text = |one: &&Candidate| {
            let from = one.at + 1;
            let farthest = if one.is_h1 { Self::FARTHEST_H1 } else { Self::FARTHEST };
            let after = verdicts[from..].iter().zip(&weights[from..]).take(farthest);
            let kept = after.filter(|(verdict, _)| verdict.kept).map(|(_, weight)| *weight);
            let is_text = kept.clone().any(|weight| weight > Self::MIN_LETTERS)
                || one.is_h1 && kept.sum::<f32>() > Self::MIN_LETTERS_OF_LINES;
            is_text && kept_before(one.at) <= most_above
        };
        let above = || self.candidates.iter().filter(is_above_text);
        // The first of several with the same overlap.
        let is_titled = |one: &&Candidate| one.overlap >= Self::MIN_OVERLAP;
        let titled = above().filter(is_titled).filter(|one| !is_site(page, one.at));
        let titled = titled.fold(None, |best: Option<&Candidate>, one| {
            best.filter(|best| best.overlap >= one.overlap).or(Some(one))
        });
        let untitled = || {
            let is_headline = |one: &&Candidate| {
                one.is_h1
                    && weights[one.at] >= Self::MIN_H1_LETTERS
                    && !is_aside(page, one.at)
                    && !is_site(page, one.at)
            };
            above().rfind(is_headline)
        };
        titled.or_else(untitled).map(|one| one.at)
    }
}

/// Most blocks from a headline to the lede below it,
const MAX_TO_LEDE: usize = 3;
/// its least letters, because a byline and a date have fewer,
const MIN_LEDE: f32 = 60.0;
/// and most of its text that is in links.
const MAX_LINKED_LEDE: f32 = 0.3;
/// Elements between headline and text that are no lede, such as the picture and its caption.
const NO_LEDE: Kinds = NAV
    | ASIDE
    | FOOTER
    | DIALOG
    | marks::FORM
    | marks::FIGURE
    | marks::CELL
    | marks::LIST
    | marks::COMMENT
    | marks::SHARE
    | marks::CONSENT
    | marks::CAPTION
    | marks::BYLINE
    | marks::PROMOTION;

/// Keeps the lede of an article: a sentence in large letters between the headline, which is the
/// block at `at`, and the byline. Most gold texts that the forests learned from begin below it.
/// `scores` are 0 for text that no reader sees.
pub(super) fn keep_lede(
    page: &Page,
    at: usize,
    weights: &[f32],
    scores: &[f32],
    verdicts: &mut [Verdict],
) {
    let near = at + 1..verdicts.len().min(at + 1 + MAX_TO_LEDE);
    let lede = near.take_while(|next| !verdicts[*next].kept).find(|next| {
        let block = &page.blocks[*next];
        let linked = block.linked_bytes as f32 / block.text.len().max(1) as f32;
        weights[*next] >= MIN_LEDE && linked < MAX_LINKED_LEDE && scores[*next] > 0.0
    });
    let Some(lede) = lede.filter(|_| !page.is_forum) else { return };
    let node = |at: u32| &page.nodes[at as usize];
    let (mut inner, mut other) = (page.blocks[lede].node, page.blocks[at].node);
    let mut kinds = 0;
    while inner != other && node(inner).depth + node(other).depth > 0 {
        if node(inner).depth >= node(other).depth {
            kinds |= node(inner).marks.kinds;
            inner = node(inner).parent;
        } else {
            other = node(other).parent;
        }
    }
    if kinds & NO_LEDE == 0 {
        verdicts[lede] = Verdict::kept("lede");
    }
}

/// Returns true if a block is in an `<h1>`, directly or in one element in it.
pub(super) fn is_h1(page: &Page, at: usize) -> bool {
    let node = page.nodes[page.blocks[at].node as usize];
    (node.marks.kinds | page.nodes[node.parent as usize].marks.kinds) & H1 != 0
}

/// Returns true for a block in a menu, an aside, a footer or a dialog.
fn is_aside(page: &Page, at: usize) -> bool {
    let mut node = page.blocks[at].node;
    loop {
        let Some(found) = page.nodes.get(node as usize) else { return false };
        if found.marks.kinds & (NAV | ASIDE | FOOTER | DIALOG) != 0 {
            return true;
        }
        // The root is its own parent.
        if found.parent == node {
            return false;
        }
        node = found.parent;
    }
}

/// Returns true for a block that ends a title at least twice as long, as the name of the site does.
fn is_site(page: &Page, at: usize) -> bool {
    ends_title(page, at, page.blocks[at].text.len())
}

/// Returns true for a block that ends the title, behind more than this number of bytes.
fn ends_title(page: &Page, at: usize, more_than: usize) -> bool {
    let before = page.title.strip_suffix(page.text_of(&page.blocks[at]));
    before.is_some_and(|before| before.trim_end().len() > more_than)
}
