//! Tables and lists that are kept as a whole. The forests decide on each cell and each item by
//! itself, so a table of a product's properties lost half of its rows.

use super::surroundings::upwards;
use crate::marks::FIGURE;
use crate::page::Node;
use crate::tags::Tag;
use crate::{Page, Verdict};

/// Most cells of a table, or items of a list. Larger ones are mostly the layout of a page.
const MAX_PARTS: u32 = 400;
/// Least cells or items.
const MIN_PARTS: u32 = 3;
/// Largest share of links.
const MAX_LINKED: f32 = 0.3;
/// Longest cell of a table, in bytes.
const MAX_CELL: usize = 400;
/// Least mean probability of a table with a kept cell, weighted by the length of the cells,
const MIN_OF_TABLE: f32 = 0.4;
/// of a table with head cells between kept texts,
const MIN_OF_DATA: f32 = 0.1;
/// Least head cells of such a table.
const MIN_HEADS: u32 = 2;
/// and of a list with a kept item.
const MIN_OF_LIST: f32 = 0.4;

/// Sums over the blocks of one table or list.
#[derive(Clone, Copy, Default)]
struct Whole {
    is_table: bool,
    /// Head cells.
    heads: u32,
    /// True if the text before it is kept, and that behind it.
    is_between: bool,
    parts: u32,
    kept: u32,
    bytes: f32,
    linked: f32,
    /// The sum of the probabilities, each times the bytes of its block.
    expected: f32,
    longest: usize,
    /// True if a block is no cell of a table, or not the only one of an item.
    has_other: bool,
}

impl Whole {
    fn is_content(&self) -> bool {
        let (least, longest) =
            if self.is_table { (MIN_OF_TABLE, MAX_CELL) } else { (MIN_OF_LIST, usize::MAX) };
        let is_data = self.heads >= MIN_HEADS && self.is_between;
        let least = if is_data { MIN_OF_DATA } else { least };
        (u32::from(!is_data)..self.parts).contains(&self.kept)
            && (MIN_PARTS..=MAX_PARTS).contains(&self.parts)
            && !self.has_other
            && self.longest <= longest
            && self.linked <= MAX_LINKED * self.bytes
            && self.expected >= least * self.bytes
    }
}

/// Keeps tables and lists as a whole that the forests expect to be main content. `scores` are 0 for
/// text that no reader sees, which stays dropped.
pub(super) fn keep(page: &Page, scores: &[f32], verdicts: &mut [Verdict]) {
    let is_whole = |node: &Node| matches!(node.marks.tag, Tag::Table | Tag::Ul | Tag::Ol);
    if !page.nodes.iter().any(is_whole) {
        return;
    }
    const NONE: u32 = u32::MAX;
    let mut wholes: Vec<Whole> = Vec::new();
    // The innermost table or list around each node, as its place in `wholes`.
    let mut around: Vec<u32> = Vec::with_capacity(page.nodes.len());
    for node in &page.nodes {
        if is_whole(node) {
            around.push(wholes.len() as u32);
            wholes.push(Whole { is_table: node.marks.tag == Tag::Table, ..Whole::default() });
        } else {
            // The root is its own parent.
            around.push(around.get(node.parent as usize).copied().unwrap_or(NONE));
        }
    }
    let has_text = |at: &usize| !page.blocks[*at].text.is_empty();
    let mut before = None;
    // The table or list around the last block, and whether the block is kept.
    let mut last: Option<(u32, bool)> = None;
    for at in (0..verdicts.len()).filter(has_text) {
        let block = &page.blocks[at];
        let own = around[block.node as usize];
        if let Some((table, was_kept)) = last.filter(|(table, _)| *table != own) {
            if let Some(left) = wholes.get_mut(table as usize) {
                left.is_between &= verdicts[at].kept;
            }
            if let Some(entered) = wholes.get_mut(own as usize) {
                entered.is_between = was_kept && entered.parts == 0;
            }
        }
        last = Some((own, verdicts[at].kept));
        let Some(whole) = wholes.get_mut(own as usize) else { continue };
        let bytes = block.text.len();
        whole.parts += 1;
        whole.heads += u32::from(is_head(page, block.node));
        whole.kept += u32::from(verdicts[at].kept);
        whole.bytes += bytes as f32;
        whole.linked += (block.linked_bytes as usize).min(bytes) as f32;
        whole.expected += scores[at] * bytes as f32;
        whole.longest = whole.longest.max(bytes);
        let part = part(page, block.node, whole.is_table);
        whole.has_other |= part.is_none() || !whole.is_table && part == before;
        before = part;
    }
    for at in (0..verdicts.len()).filter(has_text) {
        let whole = wholes.get(around[page.blocks[at].node as usize] as usize);
        if !verdicts[at].kept && scores[at] > 0.0 && whole.is_some_and(Whole::is_content) {
            verdicts[at] = Verdict::kept("in a table or list of main content");
        }
    }
    for at in 0..verdicts.len() {
        if !verdicts[at].kept && scores[at] > 0.0 && is_caption(page, at, verdicts) {
            verdicts[at] = Verdict::kept("caption of a table");
        }
    }
}

/// Returns true for a block in the figure of a kept table, beside the table: it ends before the
/// block, or begins behind it. Only some gold texts have captions of pictures, so these stay as
/// the forests decide.
fn is_caption(page: &Page, at: usize, verdicts: &[Verdict]) -> bool {
    let Node { parent, marks, .. } = page.nodes[page.blocks[at].node as usize];
    let is_table_of_figure = |other: usize| {
        let mut around = upwards(page, page.blocks[other].node as usize);
        let in_table = around.find(|node| page.nodes[*node].marks.tag == Tag::Table);
        in_table.is_some_and(|table| page.nodes[table].parent == parent)
    };
    marks.kinds & page.nodes[parent as usize].marks.kinds & FIGURE != 0
        && [at.wrapping_sub(1), at + 1].into_iter().any(|other| {
            verdicts.get(other).is_some_and(|one| one.kept) && is_table_of_figure(other)
        })
}

fn is_head(page: &Page, node: u32) -> bool {
    let Node { parent, marks, .. } = page.nodes[node as usize];
    marks.tag == Tag::Th || page.nodes[parent as usize].marks.tag == Tag::Th
}

/// Returns the cell of a table or the item of a list that a node is, or whose paragraph it is.
fn part(page: &Page, node: u32, in_table: bool) -> Option<u32> {
    let is_part = |at: &u32| {
        let tag = page.nodes[*at as usize].marks.tag;
        match in_table {
            true => matches!(tag, Tag::Td | Tag::Th | Tag::Caption),
            false => tag == Tag::Li,
        }
    };
    let Node { parent, marks, .. } = page.nodes[node as usize];
    let is_paragraph = marks.tag == Tag::P;
    Some(node).filter(is_part).or_else(|| Some(parent).filter(is_part).filter(|_| is_paragraph))
}

#[cfg(test)]
mod tests {
    use super::keep;
    use crate::{parse, Limits, Page, Verdict};

    /// Returns the texts that are kept if the forests gave these scores, and kept those over .5.
    fn kept(html: &str, scores: &[f32]) -> String {
        let page: Page = parse(html, &Limits::default());
        assert_eq!(page.blocks().len(), scores.len(), "{:?}", page.blocks());
        let verdict = |score: &f32| match *score > 0.5 {
            true => Verdict::kept("test"),
            false => Verdict::dropped("test"),
        };
        let mut verdicts: Vec<Verdict> = scores.iter().map(verdict).collect();
        keep(&page, scores, &mut verdicts);
        let blocks = page.blocks().iter().zip(&verdicts).filter(|(_, verdict)| verdict.kept);
        blocks.map(|(block, _)| page.text_of(block)).collect::<Vec<_>>().join(" ")
    }

    const TABLE: &str = "<table><tr><th>Uzito<td><p>Kilo 2<tr><th>Rangi<td>Kijani</table>";

    #[test]
    fn a_table_and_a_list_are_kept_as_a_whole_if_they_are_likely_to_be_content() {
        assert_eq!(kept(TABLE, &[0.6, 0.6, 0.4, 0.4]), "Uzito Kilo 2 Rangi Kijani");
        assert_eq!(kept(TABLE, &[0.6, 0.1, 0.1, 0.1]), "Uzito");
        assert_eq!(kept(TABLE, &[0.4; 4]), "", "nothing of it is kept");
        assert_eq!(kept(TABLE, &[0.9, 0.9, 0.0, 0.4]), "Uzito Kilo 2 Kijani", "hidden");
        let list = "<ul><li>Mahindi<li><p>Maharage</p><li>Viazi vitamu</ul>";
        assert_eq!(kept(list, &[0.6, 0.4, 0.4]), "Mahindi Maharage Viazi vitamu");
    }

    #[test]
    fn a_table_with_head_cells_between_kept_texts_is_kept() {
        let rows = "<tr><th>Uzito<th>Rangi<tr><td>Kilo 2<td>Kijani";
        let page = |rows: &str| format!("<p>Mbele</p><table>{rows}</table><p>Nyuma</p>");
        let scores = [0.6, 0.2, 0.2, 0.2, 0.2, 0.6];
        assert_eq!(kept(&page(rows), &scores), "Mbele Uzito Rangi Kilo 2 Kijani Nyuma");
        assert_eq!(kept(&page(&rows.replace("th>", "td>")), &scores), "Mbele Nyuma");
        assert_eq!(kept(&page(rows), &[0.6, 0.2, 0.2, 0.2, 0.2, 0.4]), "Mbele");
        assert_eq!(kept(&page(rows), &[0.4, 0.2, 0.2, 0.2, 0.2, 0.6]), "Nyuma");
        assert_eq!(kept(&page(rows), &[0.6, 0.04, 0.04, 0.04, 0.04, 0.6]), "Mbele Nyuma");
    }

    #[test]
    fn the_caption_of_a_kept_table_is_kept_and_that_of_a_picture_is_not() {
        let rows = "<table><tr><th>Uzito<td>Kilo 2<tr><th>Rangi<td>Kijani</table>";
        let page = format!("<figure>{rows}<figcaption>Mzigo</figcaption></figure>");
        assert_eq!(kept(&page, &[0.6, 0.6, 0.6, 0.6, 0.2]), "Uzito Kilo 2 Rangi Kijani Mzigo");
        assert_eq!(kept(&page, &[0.1, 0.1, 0.1, 0.1, 0.2]), "");
        assert_eq!(kept(&page, &[0.6, 0.6, 0.6, 0.6, 0.0]), "Uzito Kilo 2 Rangi Kijani", "hidden");
        let above = format!("<figure><figcaption>Mzigo</figcaption>{rows}</figure>");
        assert!(kept(&above, &[0.2, 0.6, 0.6, 0.6, 0.6]).starts_with("Mzigo"));
        let picture = format!("{rows}<figure><img src=a><figcaption>Boti</figcaption></figure>");
        assert_eq!(kept(&picture, &[0.6, 0.6, 0.6, 0.6, 0.2]), "Uzito Kilo 2 Rangi Kijani");
    }

    #[test]
    fn layout_menus_and_single_rows_stay_as_the_forests_decide() {
        let layout = TABLE.replace("Kijani", "<div>Kijani</div>");
        assert_eq!(kept(&layout, &[0.6, 0.6, 0.4, 0.4]), "Uzito Kilo 2");
        let menu = "<ul><li><a href=/1>Habari</a><li><a href=/2>Michezo</a><li>Zaidi</ul>";
        assert_eq!(kept(menu, &[0.6, 0.4, 0.4]), "Habari");
        let posts = "<ul><li>Amina<p>Salamu<li>Juma<p>Karibu</ul>";
        assert_eq!(kept(posts, &[0.4, 0.9, 0.4, 0.9]), "Salamu Karibu");
        assert_eq!(kept("<ul><li>Mahindi<li>Maharage</ul>", &[0.6, 0.4]), "Mahindi");
    }
}
