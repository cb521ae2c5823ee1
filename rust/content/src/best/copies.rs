//! Copies of a text for other screens. Templates write a part twice, for desktops and for phones,
//! and style sheets, which are not read, show one of them.

use crate::{Page, Verdict};
use foldhash::HashMap;
use std::ops::Range;

/// Largest share of the page's kept text in an element with the copy. Names of screens are also on
/// elements around all of a page.
const MAX_SHARE: f32 = 0.6;
/// Least share of an element's kept text that is also elsewhere.
const MIN_COPIED: f32 = 0.8;
/// Least bytes of the kept text of such an element. Shorter text is also repeated for a reason.
const MIN_BYTES: f32 = 40.0;

/// Drops kept text in elements named after a screen if the page has nearly all of it elsewhere too.
pub(super) fn drop(page: &Page, verdicts: &mut [Verdict]) {
    if !page.nodes.iter().any(|node| node.marks.is_of_one_screen()) {
        return;
    }
    let bytes = |at: usize| page.blocks[at].text.len() as f32;
    let mut letters = vec![0.0; page.nodes.len()];
    for at in (0..verdicts.len()).filter(|at| verdicts[*at].kept) {
        letters[page.blocks[at].node as usize] += bytes(at);
    }
    // A node comes after its parent. The root is its own parent.
    for at in (1..page.nodes.len()).rev().filter(|at| page.nodes[*at].parent as usize != *at) {
        letters[page.nodes[at].parent as usize] += letters[at];
    }
    let all = letters.first().copied().unwrap_or_default();
    // The outermost such element around each node.
    const NONE: u32 = u32::MAX;
    let mut outermost: Vec<u32> = Vec::with_capacity(page.nodes.len());
    for (at, node) in page.nodes.iter().enumerate() {
        let above = outermost.get(node.parent as usize).copied().unwrap_or(NONE);
        let is_top =
            above == NONE && node.marks.is_of_one_screen() && letters[at] <= MAX_SHARE * all;
        outermost.push(if is_top { at as u32 } else { above });
    }
    let element = |at: usize| outermost[page.blocks[at].node as usize];
    let signature =
        |at: usize| page.nodes.get(element(at) as usize).map(|node| node.marks.signature);
    let mut counts = Counts::default();
    for at in (0..verdicts.len()).filter(|at| verdicts[*at].kept) {
        counts.add(page.text_of(&page.blocks[at]), signature(at));
    }
    // The text of an element is one run of blocks. The last copy is dropped.
    let mut end = verdicts.len();
    while end > 0 {
        let of = element(end - 1);
        let start = (0..end).rev().find(|at| element(*at) != of).map_or(0, |at| at + 1);
        if of != NONE && letters[of as usize] >= MIN_BYTES {
            drop_copies(page, start..end, signature(start), &mut counts, verdicts);
        }
        end = start;
    }
}

/// Counts of each kept text: anywhere on the page, and in elements with one signature. The items
/// of a list have the same, so a text in several of them is no copy.
#[derive(Default)]
struct Counts<'p> {
    anywhere: HashMap<&'p str, u32>,
    in_alike: HashMap<(&'p str, Option<u32>), u32>,
}

impl<'p> Counts<'p> {
    fn add(&mut self, text: &'p str, signature: Option<u32>) {
        *self.anywhere.entry(text).or_default() += 1;
        *self.in_alike.entry((text, signature)).or_default() += 1;
    }

    fn remove(&mut self, text: &'p str, signature: Option<u32>) {
        self.anywhere.entry(text).and_modify(|count| *count -= 1);
        self.in_alike.entry((text, signature)).and_modify(|count| *count -= 1);
    }

    fn is_elsewhere(&self, text: &'p str, signature: Option<u32>) -> bool {
        self.anywhere.get(text) > self.in_alike.get(&(text, signature))
    }
}

/// Drops the kept blocks of a run that are also elsewhere, if that is nearly all of it.
fn drop_copies<'p>(
    page: &'p Page,
    run: Range<usize>,
    signature: Option<u32>,
    counts: &mut Counts<'p>,
    verdicts: &mut [Verdict],
) {
    let text = |at: usize| page.text_of(&page.blocks[at]);
    let kept: Vec<usize> = run.filter(|at| verdicts[*at].kept).collect();
    let is_copy = |at: &usize| counts.is_elsewhere(text(*at), signature);
    let copies: Vec<usize> = kept.iter().copied().filter(is_copy).collect();
    let bytes = |blocks: &[usize]| blocks.iter().map(|at| text(*at).len() as f32).sum::<f32>();
    if bytes(&copies) < MIN_COPIED * bytes(&kept) {
        return;
    }
    for at in copies {
        verdicts[at] = Verdict::dropped("a copy for another screen");
        counts.remove(text(at), signature);
    }
}

#[cfg(test)]
mod tests {
    use crate::{content_of_text, ContentOptions, Extractor, Form};

    fn text(html: &str) -> String {
        content_of_text(html, &ContentOptions::new(Extractor::Best, Form::Text)).text
    }

    const TEXT: &str =
        "<h2>Kivuko cha kisiwa</h2><p>Kivuko cha kisiwa hakitasafiri kati ya mwezi wa \
        tisa na mwezi wa tatu, ofisi ya bandari ilisema Jumatatu asubuhi.</p>";
    const OTHER: &str =
        "<p>Watu wanaoishi huko watavushwa na boti ndogo mara mbili kwa siku, na nauli \
        haitabadilika hadi mwaka ujao, kama wanavyosema wafanyakazi.</p>";

    #[test]
    fn a_text_for_desktops_and_phones_is_kept_once() {
        for (desktop, phone) in [
            ("desktop-only", "mobile-only"),
            ("hidden-xs", "visible-xs"),
            ("d-none d-md-block", "d-md-none"),
            ("hidden lg:block", "lg:hidden"),
            ("elementor-hidden-phone", "elementor-hidden-desktop"),
        ] {
            let found = text(&format!(
                "<main><div class='{desktop}'>{TEXT}</div><div class='{phone}'>{TEXT}</div>{OTHER}</main>"
            ));
            assert_eq!(found.matches("hakitasafiri").count(), 1, "{desktop}: {found}");
            assert!(found.contains("boti ndogo"), "{found}");
        }
    }

    #[test]
    fn a_text_that_is_not_elsewhere_or_in_items_alike_is_kept() {
        let found = text(&format!(
            "<main><div class=desktop-only>{TEXT}</div><div class=mobile-only>{OTHER}</div></main>"
        ));
        assert!(found.contains("hakitasafiri") && found.contains("boti ndogo"), "{found}");
        let items = format!("<div class='row is-mobile'>{TEXT}</div>").repeat(3);
        let found = text(&format!("<main>{OTHER}{items}</main>"));
        assert_eq!(found.matches("hakitasafiri").count(), 3, "{found}");
    }
}
