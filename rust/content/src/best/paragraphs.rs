//! Long paragraphs directly below kept text. The second forest drops some of them, because hardly
//! any text that is kept stands behind them.

use super::surroundings::upwards;
use crate::{Page, Verdict};

/// Least probability by the first forest, and least letters.
const MIN_FIRST: f32 = 0.8;
const MIN_LETTERS: f32 = 100.0;
/// Largest share of links.
const MAX_LINKED: f32 = 0.2;
/// Elements from a paragraph, itself included, up to the one around it and the text above it.
const MAX_UP: usize = 3;

/// Keeps long paragraphs that the first forest keeps. Call it for pages with clear scores only.
/// `scores` are 0 for text that no reader sees.
pub(super) fn keep(
    page: &Page,
    weights: &[f32],
    first: &[f32],
    scores: &[f32],
    verdicts: &mut [Verdict],
) {
    let around = |at: usize| upwards(page, page.blocks[at].node as usize).take(MAX_UP);
    let mut above = None;
    for at in (0..verdicts.len()).filter(|at| !page.blocks[*at].text.is_empty()) {
        let above = above.replace(at).filter(|above: &usize| verdicts[*above].kept);
        let Some(above) = above.filter(|_| !verdicts[at].kept && scores[at] > 0.0) else {
            continue;
        };
        let block = &page.blocks[at];
        if first[at] >= MIN_FIRST
            && weights[at] >= MIN_LETTERS
            && (block.linked_bytes as f32) < MAX_LINKED * block.text.len() as f32
            && around(at).any(|one| around(above).any(|other| one == other))
        {
            verdicts[at] = Verdict::kept("long paragraph below main content");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::keep;
    use crate::{parse, Limits, Verdict};

    const TEXT: &str =
        "Kivuko cha kisiwa hakitasafiri kati ya Septemba na Machi, ilisema ofisi ya \
        bandari Jumatatu, kwa sababu injini ya mashua ya zamani inapaswa kubadilishwa.";

    /// Returns whether the second of two blocks is kept, if the first one is.
    fn is_kept(html: &str, first: f32, second: f32) -> bool {
        let page = parse(&html.replace("TEXT", TEXT), &Limits::default());
        let weights: Vec<f32> =
            page.blocks().iter().map(|block| page.text_of(block).len() as f32).collect();
        let mut verdicts = vec![Verdict::kept("test"), Verdict::dropped("test")];
        keep(&page, &weights, &[0.9, first], &[0.9, second], &mut verdicts);
        verdicts[1].kept
    }

    #[test]
    fn a_long_paragraph_that_the_first_forest_keeps_is_kept_below_kept_text() {
        let page = "<div><h2>Ratiba</h2><div>TEXT</div></div>";
        assert!(is_kept(page, 0.9, 0.3));
        assert!(!is_kept(page, 0.6, 0.3), "the first forest is unsure");
        assert!(!is_kept(page, 0.9, 0.0), "no reader sees it");
        assert!(!is_kept(&page.replace("TEXT", "Leo"), 0.9, 0.3), "short");
        assert!(!is_kept(&page.replace("TEXT", "<a href=/>TEXT</a>"), 0.9, 0.3), "a link");
        let apart = "<div><ul><li><h2>Ratiba</h2></ul></div><div><ul><li>TEXT</ul></div>";
        assert!(!is_kept(apart, 0.9, 0.3), "elsewhere");
    }
}
