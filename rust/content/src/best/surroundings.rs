//! Lists of links, teasers and other articles around the page's own article: rankings, "more from
//! this section", an endless river of other articles. On a page of uncertain scores the lower
//! threshold keeps them, and under a short article they are most of the text.
//!
//! A listing is not affected. There, the headline is not inside an article, or each of its items is
//! an article, and the headline is short.

use super::dates::is_date_line;
use super::headline;
use super::numbers::Numbers;
use crate::marks::{ARTICLE, BODY_TEXT, BUTTON, H1, HEADING};
use crate::page::Node;
use crate::{Page, Verdict};
use foldhash::{HashMap, HashMapExt};

/// A block with at least this share of its bytes in links is a link.
const MIN_LINKED: f32 = 0.8;
/// Least letters of an article's kept text beside links.
const MIN_PROSE: f32 = 60.0;
/// Most elements from a headline in a button up to the button.
const MAX_IN_BUTTON: usize = 3;
/// Least items with the same elements that make a list.
const MIN_ITEMS: u32 = 4;
/// Least teasers with the same elements.
const MIN_TEASERS: u32 = 3;
/// Most mean letters of a teaser.
const MAX_TEASER: f32 = 300.0;
/// Least mean letters of a teaser's headline. Names of people who comment are shorter.
const MIN_HEADLINE: f32 = 16.0;

/// Least letters of the kept text of another article.
const MIN_OTHER: f32 = 200.0;
/// Least letters of a heading with words of the page's title that stands for an own article where
/// no element does. Those of listings are shorter.
const MIN_TITLE: f32 = 24.0;
/// The same if one of the blocks right behind the heading is a date line, as in articles,
const MIN_DATED: f32 = 10.0;
/// and their number.
const NEAR_TITLE: usize = 3;
/// Least share of the kept prose in the element around such a heading that is taken for the article.
const MIN_OWN: f32 = 0.7;
/// Least letters of a block of prose.
const MIN_PARAGRAPH: f32 = 40.0;

/// Drops what is beside the page's own article. `weights`: the weighted letters of each block;
/// `titled`: the block of the heading with words of the page's title.
pub(super) fn drop(page: &Page, weights: &[f32], titled: Option<usize>, verdicts: &mut [Verdict]) {
    if let Some(titled) = titled {
        drop_others(page, weights, titled, verdicts);
    }
    drop_buttons(page, weights, verdicts);
    drop_repeated_buttons(page, verdicts);
    let with_title = || titled_article(page, weights, titled?, verdicts);
    if let Some(is_own) = own_article(page) {
        drop_lists(page, weights, &is_own, false, verdicts);
    } else if let Some(is_own) = with_title() {
        drop_lists(page, weights, &is_own, true, verdicts);
    }
    if let Some(titled) = titled.filter(|titled| is_dated(page, weights, *titled)) {
        drop_teasers(page, weights, titled, verdicts);
    }
}

/// Drops kept teasers, each with a few lines of prose, around a short article. `titled`: the block
/// of the heading with words of the page's title, right above a date.
fn drop_teasers(page: &Page, weights: &[f32], titled: usize, verdicts: &mut [Verdict]) {
    let Some(is_own) = titled_element(page, weights, titled, 0.0, verdicts) else { return };
    let node = |at: usize| page.blocks[at].node as usize;
    let kept_outside = |at: &usize| verdicts[*at].kept && !is_own[node(*at)];
    let outside: Vec<usize> = (0..verdicts.len()).filter(kept_outside).collect();
    let is_teaser = teasers(page, weights, &outside, |at| is_link(page, at));
    let in_teasers = || outside.iter().filter(|at| is_teaser[node(**at)]);
    let letters: f32 = in_teasers().map(|at| weights[*at]).sum();
    let headlines = in_teasers()
        .filter(|at| is_link(page, **at) && page.nodes[node(**at)].marks.kinds & HEADING != 0);
    if letters > MAX_TEASER * headlines.count() as f32 {
        return;
    }
    let mut drops = vec![false; verdicts.len()];
    in_teasers().for_each(|at| drops[*at] = true);
    drop_headings(page, verdicts, &mut drops);
    for (verdict, _) in verdicts.iter_mut().zip(drops).filter(|(_, drops)| *drops) {
        *verdict = Verdict::dropped("beside the article");
    }
}

/// Drops kept buttons that are on the page three times and more, such as "Reply" below each post.
fn drop_repeated_buttons(page: &Page, verdicts: &mut [Verdict]) {
    let is_button = |at: usize| {
        let node = page.blocks[at].node as usize;
        upwards(page, node).take(2).any(|node| page.nodes[node].marks.kinds & BUTTON != 0)
    };
    let buttons = (0..verdicts.len()).filter(|at| verdicts[*at].kept && is_button(*at));
    let buttons: Vec<usize> = buttons.collect();
    let mut counts = HashMap::<&str, u32>::new();
    for at in &buttons {
        *counts.entry(page.text_of(&page.blocks[*at])).or_default() += 1;
    }
    for at in buttons {
        if counts.get(page.text_of(&page.blocks[at])).is_some_and(|count| *count >= MIN_TEASERS) {
            verdicts[at] = Verdict::dropped("button");
        }
    }
}

/// Drops the kept text of other articles, which an endless page shows below its own. Each is an
/// article with an `<h1>`; the own is that with the heading of the page's title.
fn drop_others(page: &Page, weights: &[f32], titled: usize, verdicts: &mut [Verdict]) {
    let node = |at: usize| page.blocks[at].node as usize;
    let is_article = |at: usize| is_article(&page.nodes[at]);
    let own = upwards(page, node(titled)).find(|at| is_article(*at));
    // Nothing is beside the root.
    let Some(own) = own.filter(|own| *own > 0) else { return };
    let mut is_around = vec![false; page.nodes.len()];
    for at in upwards(page, own).skip(1) {
        is_around[at] = true;
    }
    // For each node the outermost element around it that is not around the own article, and
    // whether the node is in an article in it.
    let mut branches: Vec<(u32, bool)> = Vec::with_capacity(page.nodes.len());
    for (at, found) in page.nodes.iter().enumerate() {
        let parent = found.parent as usize;
        let (branch, above) = if is_around[parent] { (at as u32, false) } else { branches[parent] };
        branches.push((branch, above || is_article(at)));
    }
    let mut letters = vec![0.0; page.nodes.len()];
    let mut has_headline = vec![false; page.nodes.len()];
    for (at, verdict) in verdicts.iter().enumerate() {
        let (branch, in_article) = branches[node(at)];
        let branch = branch as usize;
        letters[branch] += if verdict.kept { weights[at] } else { 0.0 };
        has_headline[branch] |= in_article && headline::is_h1(page, at) && weights[at] > 0.0;
    }
    if letters[own] < MIN_PROSE {
        return;
    }
    for (at, verdict) in verdicts.iter_mut().enumerate().filter(|(_, verdict)| verdict.kept) {
        let branch = branches[node(at)].0 as usize;
        if branch != own && has_headline[branch] && letters[branch] >= MIN_OTHER {
            *verdict = Verdict::dropped("another article");
        }
    }
}

fn is_article(node: &Node) -> bool {
    node.marks.kinds & (ARTICLE | BODY_TEXT) != 0
}

pub(super) fn is_link(page: &Page, at: usize) -> bool {
    let block = &page.blocks[at];
    block.linked_bytes as f32 >= MIN_LINKED * block.text.len() as f32
}

/// A node and the nodes around it, up to the root.
pub(super) fn upwards(page: &Page, node: usize) -> impl Iterator<Item = usize> + '_ {
    let above = |at: &usize| Some(page.nodes[*at].parent as usize).filter(|above| above != at);
    std::iter::successors(Some(node), above)
}

/// Drops kept lists and teasers outside of the page's own article. `or_all`: if there are any, all
/// that is outside.
fn drop_lists(
    page: &Page,
    weights: &[f32],
    is_own: &[bool],
    or_all: bool,
    verdicts: &mut [Verdict],
) {
    let is_link = |at: usize| is_link(page, at);
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
    let (mut lists, mut links) = (Numbers::new(), Vec::<u32>::new());
    for at in outside.iter().filter(|at| is_link(**at)) {
        let list = lists.of(alike(page, node(*at)), &mut links);
        links[list] += 1;
    }
    let is_teaser = teasers(page, weights, &outside, is_link);
    let mut drops = vec![false; verdicts.len()];
    for at in &outside {
        let links_of = |list: usize| links[list] >= MIN_ITEMS;
        let is_listed = is_link(*at) && lists.get(alike(page, node(*at))).is_some_and(links_of);
        drops[*at] = is_listed || is_teaser[node(*at)];
    }
    drop_headings(page, verdicts, &mut drops);
    if or_all && drops.contains(&true) {
        for at in &outside {
            drops[*at] = true;
        }
    }
    for (verdict, _) in verdicts.iter_mut().zip(drops).filter(|(_, drops)| *drops) {
        *verdict = Verdict::dropped("beside the article");
    }
}

/// Drops lists of buttons with headlines, such as those of a player, beside prose. Between the
/// questions of a page, which are in buttons too, are their answers.
fn drop_buttons(page: &Page, weights: &[f32], verdicts: &mut [Verdict]) {
    if !page.nodes.iter().any(|node| node.marks.kinds & BUTTON != 0) {
        return;
    }
    let is_headline = |at: usize| {
        let node = page.blocks[at].node as usize;
        let mut around = upwards(page, node).take(MAX_IN_BUTTON);
        verdicts[at].kept
            && page.nodes[node].marks.kinds & HEADING != 0
            && around.any(|node| page.nodes[node].marks.kinds & BUTTON != 0)
    };
    let has_text = |at: &usize| !page.blocks[*at].text.is_empty();
    let texts: Vec<usize> = (0..verdicts.len()).filter(has_text).collect();
    let runs = texts.chunk_by(|one, next| is_headline(*one) && is_headline(*next));
    let (lists, others): (Vec<&[usize]>, Vec<&[usize]>) =
        runs.partition(|run| run.len() >= MIN_ITEMS as usize);
    let is_prose = |at: &&usize| verdicts[**at].kept && weights[**at] >= MIN_PARAGRAPH;
    let prose: f32 = others.into_iter().flatten().filter(is_prose).map(|at| weights[*at]).sum();
    if prose < MIN_PROSE {
        return;
    }
    let drops: Vec<usize> = lists.into_iter().flatten().copied().collect();
    for at in drops {
        verdicts[at] = Verdict::dropped("list of buttons");
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
pub(super) fn alike(page: &Page, node: usize) -> (u32, u32) {
    let up = |node: usize| page.nodes[node].parent as usize;
    let signature = |node: usize| page.nodes[node].marks.signature;
    let (parent, grand) = (up(node), up(up(node)));
    (signature(node), signature(parent).rotate_left(1) ^ signature(grand))
}

/// Returns true for the nodes of the page's own article: the only article with an `<h1>` in it.
/// `None` if there is none, or more than one.
fn own_article(page: &Page) -> Option<Vec<bool>> {
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

/// Returns true for the nodes of the innermost element around the titled heading that has most of
/// the kept prose. `None` if the heading is as short as that of a listing.
fn titled_article(
    page: &Page,
    weights: &[f32],
    titled: usize,
    verdicts: &[Verdict],
) -> Option<Vec<bool>> {
    let least = if is_dated(page, weights, titled) { MIN_DATED } else { MIN_TITLE };
    if weights[titled] < least {
        return None;
    }
    titled_element(page, weights, titled, MIN_OWN, verdicts)
}

/// The same with at least this share of the kept prose.
fn titled_element(
    page: &Page,
    weights: &[f32],
    titled: usize,
    share: f32,
    verdicts: &[Verdict],
) -> Option<Vec<bool>> {
    let mut letters = vec![0.0; page.nodes.len()];
    let is_prose =
        |at: &usize| verdicts[*at].kept && weights[*at] >= MIN_PARAGRAPH && !is_link(page, *at);
    for at in (0..verdicts.len()).filter(is_prose) {
        letters[page.blocks[at].node as usize] += weights[at];
    }
    // A node comes after its parent. The root is its own parent.
    for at in (1..page.nodes.len()).rev().filter(|at| page.nodes[*at].parent as usize != *at) {
        let inside = letters[at];
        letters[page.nodes[at].parent as usize] += inside;
    }
    let all = letters.first().copied().unwrap_or_default();
    let mut around = upwards(page, page.blocks[titled].node as usize);
    let own = around.find(|at| letters[*at] >= (share * all).max(MIN_PROSE))?;
    Some(below(page, |at| at == own))
}

/// Returns true if a date line is right behind a heading.
fn is_dated(page: &Page, weights: &[f32], heading: usize) -> bool {
    let behind = page.blocks.iter().zip(weights).skip(heading + 1);
    let behind = behind.filter(|(block, _)| !block.text.is_empty()).take(NEAR_TITLE);
    behind.into_iter().any(|(block, weight)| is_date_line(page.text_of(block), *weight))
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
    let (mut groups, mut sums) = (Numbers::new(), Vec::<(u32, f32)>::new());
    for (node, found) in headlines.iter().enumerate().filter(|(_, found)| found.0 == 1) {
        let group = groups.of(key(node), &mut sums) as u32;
        add(&mut sums, group, (1, found.1));
    }
    let are_teasers = |group: usize| {
        let (count, letters) = sums[group];
        count >= MIN_TEASERS && letters >= MIN_HEADLINE * count as f32
    };
    below(page, |at| headlines[at].0 == 1 && groups.get(key(at)).is_some_and(are_teasers))
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
    fn rankings_beside_a_text_under_a_long_headline_of_the_title_are_left_out() {
        let page = |title: &str| {
            let story = STORY.replace("Ferry to the island stops in autumn", title);
            let lists = list(20).repeat(4);
            let note = "<p>Read what the council of the town said about the harbour.</p>";
            format!("<title>{title}</title><body><div><div>{story}</div></div>{lists}{note}")
        };
        let titled = page("Ferry to the island stops in autumn");
        for html in [titled.replace("h1>", "h2>"), titled] {
            let found = text(&html);
            assert!(found.contains("smaller boat") && !found.contains("ouncil"), "{found}");
        }
        let found = text(&page("Ferries in autumn"));
        assert!(found.contains("smaller boat") && found.contains("Council"), "{found}");
        // As articles have it, and listings have not.
        let dated = page("Ferries in autumn").replace("</h1>", "</h1><p>3 June 2026, 8:11</p>");
        let found = text(&dated);
        assert!(found.contains("smaller boat") && !found.contains("ouncil"), "{found}");
    }

    #[test]
    fn teasers_with_prose_under_a_dated_text_are_left_out() {
        let card = |n: usize| {
            format!(
                "<div class=card><span>Region</span><h4><a href=/{n}>Long debate about road number {n}</a>\
                 </h4><p>The council of the town met on Tuesday to speak about road {n}, which has \
                 been closed since the storm in January.</p></div>"
            )
        };
        let cards: String = (0..8).map(card).collect();
        let dated = STORY.replace("</h1>", "</h1><div>3 June 2026, 8:11</div>");
        let html = |story: &str| {
            format!(
                "<title>Ferry to the island stops in autumn</title><body><div><div>{story}</div>\
                 <div><h3>More stories</h3>{cards}</div></div>"
            )
        };
        let found = text(&html(&dated));
        assert!(found.contains("smaller boat"), "{found}");
        assert!(!found.contains("council") && !found.contains("More stories"), "{found}");
        assert!(text(&html(STORY)).contains("about road 7"), "it may be a listing");
        let review = format!("<p>{}</p></div>", "It runs well on sand and in the snow. ".repeat(9));
        let long = html(&dated).replace("</div>", &review);
        assert!(text(&long).contains("about road 7"), "they are the text");
    }

    #[test]
    fn buttons_that_each_post_has_are_left_out() {
        let posts = ["Ana", "Ben", "Cleo", "Dan"].map(|name| {
            format!(
                "<div><p>{name} says that the ferry to the island will not run between September and \
                 March, and that the smaller boat is slow.</p><button>Quote this post</button></div>"
            )
        });
        let found = text(&format!("<body><h1>Ferry to the island</h1>{}</body>", posts.concat()));
        assert!(found.contains("Dan says") && !found.contains("Quote"), "{found}");
    }

    #[test]
    fn only_the_article_with_the_headline_of_the_title_is_kept_of_several() {
        let other = |n: usize| {
            format!(
                "<article class=post><h1>Long debate about road {n}</h1><p>The council of the town \
                 met on Tuesday to speak about road {n}, which has been closed since the storm in \
                 January.</p><p>The mayor said that work would begin soon, and that it would cost \
                 more than the town had expected in the spring.</p><p>Shops along the road have \
                 lost half of their customers, their owners said at the meeting.</p></article>"
            )
        };
        let page = |title: &str| {
            let own = format!("<article class=post>{STORY}</article>");
            let all = format!("{}{own}{}", other(1), (2..6).map(other).collect::<String>());
            format!("<title>{title}</title><body><main><article>{all}</article></main>")
        };
        let found = text(&page("Ferry to the island stops in autumn - The Harbour News"));
        assert!(found.contains("smaller boat") && !found.contains("road"), "{found}");
        let found = text(&page("The Harbour News"));
        assert!(found.contains("smaller boat") && found.contains("about road 5"), "{found}");
    }

    #[test]
    fn headlines_in_buttons_are_left_out_but_not_the_questions_of_a_page() {
        let item = |n: usize, answer: &str| {
            format!(
                "<div class=item><button><h3>Council meets about the new road number {n}</h3></button>\
                 <div>{answer}</div></div>"
            )
        };
        let found = text(&page(&(0..9).map(|n| item(n, "")).collect::<String>()));
        assert!(found.contains("smaller boat") && !found.contains("Council"), "{found}");
        let answer = |n: usize| {
            format!(
                "<p>Road {n} was closed after the storm, and after {n} weeks of repair the mayor will \
                 open it again.</p>"
            )
        };
        let answered: String = (0..9).map(|n| item(n, &answer(n))).collect();
        let found = text(&format!("<body><main>{STORY}{answered}</main>"));
        assert!(found.contains("number 5") && found.contains("Road 5"), "{found}");
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
