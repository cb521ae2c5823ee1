//! Titles of texts that are kept: questions above their answers, headings of panels, names of
//! cards. The forests drop many of them, because most headings that they learned from are of lists.

use super::numbers::Numbers;
use super::surroundings::upwards;
use crate::marks::{BUTTON, HEADING};
use crate::{Page, Verdict};
use foldhash::{HashMap, HashMapExt};

/// Least titles with the same elements, kept or not. One heading may be that of a box.
const MIN_ITEMS: u32 = 2;
/// Least letters of the text below a title, and most links in it.
const MIN_TEXT: f32 = 40.0;
const MAX_LINKS: u8 = 3;
/// Longest title, in bytes.
const MAX_TITLE: usize = 200;
/// Least probability of a title. Labels of controls have less.
const LEAST: f32 = 0.02;
/// Most elements from a title, and from its text, up to the element around both.
const MAX_UP: usize = 3;

/// Keeps titles of kept texts. `scores` are 0 for text that no reader sees.
pub(super) fn keep(page: &Page, weights: &[f32], scores: &[f32], verdicts: &mut [Verdict]) {
    let node = |at: usize| page.blocks[at].node as usize;
    let has = |at: usize, kind, up| {
        upwards(page, node(at)).take(up).any(|node| page.nodes[node].marks.kinds & kind != 0)
    };
    let is_title = |at: usize| has(at, HEADING, 2) || has(at, BUTTON, MAX_UP);
    let are_near = |one: usize, other: usize| {
        let mut around = upwards(page, node(one)).take(MAX_UP + 1);
        around.any(|above| upwards(page, node(other)).take(MAX_UP + 1).any(|node| node == above))
    };
    // Each with the number of its elements.
    let mut titles: Vec<(usize, usize)> = Vec::new();
    let (mut alike, mut counts) = (Numbers::new(), Vec::<u32>::new());
    // What stands above several texts is the label of a control: "Add to list".
    let mut same: HashMap<&str, u32> = HashMap::new();
    let mut next = None;
    for at in (0..verdicts.len()).rev().filter(|at| !page.blocks[*at].text.is_empty()) {
        let below = next.replace(at);
        if scores[at] <= LEAST || page.blocks[at].text.len() > MAX_TITLE {
            continue;
        }
        let is_text = |below: &usize| {
            verdicts[*below].kept
                && weights[*below] >= MIN_TEXT
                && page.blocks[*below].links <= MAX_LINKS
        };
        let Some(below) = below.filter(is_text) else { continue };
        if is_title(at) && !is_title(below) && are_near(at, below) {
            let found = &page.nodes[node(at)];
            let above = &page.nodes[found.parent as usize];
            let key = alike.of((found.marks.signature, above.marks.signature), &mut counts);
            counts[key] += 1;
            *same.entry(page.text_of(&page.blocks[at])).or_default() += 1;
            if !verdicts[at].kept {
                titles.push((at, key));
            }
        }
    }
    for (at, key) in titles {
        if counts[key] < MIN_ITEMS || same[page.text_of(&page.blocks[at])] > 1 {
            continue;
        }
        verdicts[at] = Verdict::kept("title of main content");
    }
}

#[cfg(test)]
mod tests {
    use super::keep;
    use crate::{content_of_text, parse, ContentOptions, Extractor, Form, Limits, Verdict};

    const TEXT: &str = "The ferry to the island will not run between September and March, the \
        harbour office said on Monday, because the engine of the old boat has to be replaced.";

    /// The text of a page with panels: a title in `markup`, at `T`, above each text.
    fn text(markup: &str, titles: &[&str]) -> String {
        let panel = |title: &&str| {
            let markup = markup.replace('T', title);
            format!("<div class=box-7>{markup}<div class=y-5><p>{title} {TEXT}</div></div>")
        };
        let panels: String = titles.iter().map(panel).collect();
        let html = format!(
            "<title>Ferry stops</title><div class=top-4><p>{TEXT}</div><div class=list-9>{panels}</div>"
        );
        content_of_text(&html, &ContentOptions::new(Extractor::Best, Form::Text)).text
    }

    const TITLES: [&str; 3] = ["Kivuko cha kisiwa", "جزیرے کی کشتی", "島への渡し船"];

    #[test]
    fn titles_of_kept_texts_are_kept_in_any_script() {
        for markup in [
            "<div role=button aria-controls=a><a tabindex=0>T</a></div>",
            "<div class=zz-1><button><span>T</span></button></div>",
            "<div class=zz-1><h6>T</h6><button><svg></svg></button></div>",
        ] {
            let found = text(markup, &TITLES);
            assert_eq!(found.matches("because").count(), 4, "{found}");
            for title in TITLES {
                assert_eq!(found.matches(title).count(), 2, "{markup}: {found}");
            }
        }
    }

    #[test]
    fn a_title_like_one_that_is_kept_is_kept() {
        let html = format!("<div><h3>Kivuko</h3><p>{TEXT}</p><h3>Ratiba</h3><p>{TEXT}</p></div>");
        let page = parse(&html, &Limits::default());
        let (kept, dropped) = (Verdict::kept("test"), Verdict::dropped("test"));
        for (first, score, is_kept) in [(kept, 0.6, true), (dropped, 0.01, false)] {
            let mut verdicts = [first, kept, dropped, kept];
            keep(&page, &[9.0, 99.0, 9.0, 99.0], &[score, 0.9, 0.1, 0.9], &mut verdicts);
            assert_eq!(verdicts[2].kept, is_kept);
        }
    }

    #[test]
    fn labels_that_repeat_and_single_buttons_are_no_titles() {
        let button = "<div role=button aria-controls=a><a tabindex=0>Weka T</a></div>";
        let label = button.replace('T', "alama");
        assert!(!text(&label, &TITLES).contains("Weka"));
        assert!(!text(button, &TITLES[..1]).contains("Weka"));
    }
}
