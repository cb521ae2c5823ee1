//! Lists of links and teasers around the page's own article: rankings, "more from this section",
//! an endless river of other articles. On a page of uncertain scores the lower threshold keeps
//! them, and under a short article they are most of the text.
//!
//! A listing is not affected. There, the headline is not inside an article, or each of its items is
//! an article.

use crate::marks::{ARTICLE, BODY_TEXT, H1, HEADING};
use crate::page::Node;
use crate::{Page, Verdict};
use foldhash::{HashMap, HashMapExt};

/// A block with at least this share of its bytes in links is a link.
const MIN_LINKED: f32 = 0.8;
/// Least letters of an article's kept text beside links.
const MIN_PROSE: f32 = 60.0;
/// Least items with the same elements that make a list.
const MIN_ITEMS: u32 = 4;
/// Least teasers with the same elements.
const MIN_TEASERS: u32 = 3;
/// Least mean letters of a teaser's headline. Names of people who comment are shorter.
const MIN_HEADLINE: f32 = 16.0;

/// Drops kept lists and teasers outside of the page's own article. `weights`: the weighted letters
/// of each block.
pub(super) fn drop(page: &Page, weights: &[f32], verdicts: &mut [Verdict]) {
    let Some(is_own) = own_article(page) else { return };
    let is_link = |at: usize| {
        let block = &page.blocks[at];
        block.linked_bytes as f32 >= MIN_LINKED * block.text.len() as f32
    };
    let node = |at: usize| page.blocks[at].node as usize;
    let prose: f32 = (0..verdicts.len())
        .filter(|at| verdicts[*at].kept && is_own[node(*at)] && !is_link(*at))
        .map(|at| weights[at])
        .sum();
    if prose < MIN_PROSE {
        return;
    }
    let kept_outside = |at: &usize| verdicts[*at].kept && !is_own[node(*at)];
    let outside: Vec<usize> = (0..verdicts.len()).filter(kept_outside).collect();
    let mut lists: HashMap<(u32, u32), u32> = HashMap::new();
    for at in outside.iter().filter(|at| is_link(**at)) {
        *lists.entry(alike(page, node(*at))).or_default() += 1;
    }
    let is_teaser = teasers(page, weights, &outside, is_link);
    let mut drops = vec![false; verdicts.len()];
    for at in &outside {
        let is_listed = is_link(*at) && lists[&alike(page, node(*at))] >= MIN_ITEMS;
        drops[*at] = is_listed || is_teaser[node(*at)];
    }
    drop_headings(page, verdicts, &mut drops);
    for (verdict, _) in verdicts.iter_mut().zip(drops).filter(|(_, drops)| *drops) {
        *verdict = Verdict::dropped("beside the article");
    }
}

/// Drops the headings of lists too: those whose next kept block is dropped.
fn drop_headings(page: &Page, verdicts: &[Verdict], drops: &mut [bool]) {
    let mut next_is_dropped = false;
    for at in (0..drops.len()).rev().filter(|at| verdicts[*at].kept) {
        let is_heading = page.nodes[page.blocks[at].node as usize].marks.kinds & HEADING != 0;
        drops[at] |= is_heading && next_is_dropped;
        next_is_dropped = drops[at];
    }
}

/// The elements that a template repeats: a node's signature, and those of its parents.
fn alike(page: &Page, node: usize) -> (u32, u32) {
    let up = |node: usize| page.nodes[node].parent as usize;
    let signature = |node: usize| page.nodes[node].marks.signature;
    let (parent, grand) = (up(node), up(up(node)));
    (signature(node), signature(parent).rotate_left(1) ^ signature(grand))
}

/// Returns true for the nodes of the page's own article: the only article with an `<h1>` in it.
/// `None` if there is none, or more than one.
fn own_article(page: &Page) -> Option<Vec<bool>> {
    let is_article = |node: &Node| node.marks.kinds & (ARTICLE | BODY_TEXT) != 0;
    if !page.nodes.iter().any(is_article) {
        return None;
    }
    // The outermost article around each node. The root, which is its own parent, is none.
    const NONE: u32 = 0;
    let mut outermost: Vec<u32> = Vec::with_capacity(page.nodes.len());
    let mut own = NONE;
    for (at, node) in page.nodes.iter().enumerate() {
        let above = outermost.get(node.parent as usize).copied().unwrap_or(NONE);
        let article = if above == NONE && is_article(node) { at as u32 } else { above };
        outermost.push(article);
        if node.marks.kinds & H1 == 0 || article == NONE {
            continue;
        }
        if own != NONE && own != article {
            return None;
        }
        own = article;
    }
    let own = Some(own).filter(|own| *own != NONE)? as usize;
    Some(below(page, |at| at == own))
}

/// Returns true for each node that `is_top` returns true for, and for all nodes in it.
fn below(page: &Page, is_top: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::with_capacity(page.nodes.len());
    for (at, node) in page.nodes.iter().enumerate() {
        // The root is its own parent.
        let above = found.get(node.parent as usize).copied().unwrap_or(false);
        found.push(above || is_top(at));
    }
    found
}

/// The nodes of teasers: siblings with the same elements, each with one headline that is a link.
fn teasers(
    page: &Page,
    weights: &[f32],
    outside: &[usize],
    is_link: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let key = |node: usize| (page.nodes[node].parent, page.nodes[node].marks.signature);
    // Linked headlines in each node, and their letters.
    let mut headlines = vec![(0_u32, 0_f32); page.nodes.len()];
    let add = |headlines: &mut [(u32, f32)], to: u32, (count, letters): (u32, f32)| {
        let found = &mut headlines[to as usize];
        *found = (found.0 + count, found.1 + letters);
    };
    for at in outside.iter().filter(|at| is_link(**at)) {
        let node = &page.nodes[page.blocks[*at].node as usize];
        if node.marks.kinds & HEADING != 0 {
            add(&mut headlines, node.parent, (1, weights[*at]));
        }
    }
    // A node comes after its parent.
    for at in (1..page.nodes.len()).rev().filter(|at| page.nodes[*at].parent as usize != *at) {
        let inside = headlines[at];
        add(&mut headlines, page.nodes[at].parent, inside);
    }
    let mut groups: HashMap<(u32, u32), (u32, f32)> = HashMap::new();
    for (node, found) in headlines.iter().enumerate().filter(|(_, found)| found.0 == 1) {
        let group = groups.entry(key(node)).or_default();
        *group = (group.0 + 1, group.1 + found.1);
    }
    groups.retain(|_, (count, letters)| {
        *count >= MIN_TEASERS && *letters >= MIN_HEADLINE * *count as f32
    });
    below(page, |at| headlines[at].0 == 1 && groups.contains_key(&key(at)))
}

#[cfg(test)]
mod tests {
    use crate::{content_of_text, ContentOptions, Extractor, Form};

    fn text(html: &str) -> String {
        content_of_text(html, &ContentOptions::new(Extractor::Best, Form::Text)).text
    }

    const STORY: &str =
        "<h1>Ferry to the island stops in autumn</h1><p>The ferry to the island will not \
        run between September and March, the harbour office said on Monday.</p><p>People who live \
        there will be taken across by a smaller boat twice a day.</p>";

    /// A page with the story in an article, and markup behind it.
    fn page(behind: &str) -> String {
        format!(
            "<title>Ferry to the island stops in autumn</title><body><main>\
             <article>{STORY}</article>{behind}</main>"
        )
    }

    fn list(items: usize) -> String {
        let item = |n: usize| {
            format!("<li><a href=/{n}>{n} Council meets about the new road {n}</a></li>")
        };
        format!(
            "<div class=rank><h2>Most read</h2><ol>{}</ol></div>",
            (0..items).map(item).collect::<String>()
        )
    }

    fn river(items: usize, name: &str) -> String {
        let item = |n: usize| {
            format!(
                "<div class=item><h2><a href=/{n}>{name} number {n}</a></h2><p>The council of \
                 the town met on Tuesday to speak about road {n}, which has been closed since the storm in \
                 January. The mayor said that work would begin soon.</p></div>"
            )
        };
        (0..items).map(item).collect()
    }

    #[test]
    fn rankings_and_other_articles_under_a_short_article_are_left_out() {
        for around in [list(20).repeat(4), river(8, "Long debate about the road of the town")] {
            let html = page(&around);
            let text = text(&html);
            assert!(text.contains("smaller boat"), "{text}");
            assert!(!text.contains("council") && !text.contains("Council"), "{text}");
            assert!(!text.contains("Most read"), "{text}");
        }
    }

    #[test]
    fn a_listing_and_replies_with_names_are_not_touched() {
        let listing = format!(
            "<title>News of the town</title><body><main><h1>News of the town</h1>{}</main>",
            river(8, "Long debate about the road of the town")
        );
        assert!(text(&listing).contains("road 7"));
        let found = text(&page(&river(8, "Ana")));
        assert!(found.contains("road 1") && found.contains("road 7"), "{found}");
    }
}
