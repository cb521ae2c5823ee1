//! The features of a block that are known before any forest has scored it.

use super::comments::downwards;
use super::dates;
use super::features::{Feature, AROUND, FEATURES};
use super::holders::Holders;
use super::letters::Letters;
use crate::forum::Sign;
use crate::marks::{self, Kinds, Marks};
use crate::tags::Tag;
use crate::{Block, Page};
use foldhash::{HashMap, HashMapExt};
use std::ops::{Index, IndexMut};
use std::sync::LazyLock;

/// Amount of text in a part of the page.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Mass {
    pub(crate) weight: f32,
    pub(crate) linked: f32,
    pub(crate) blocks: f32,
    pub(crate) ends: f32,
}

impl Mass {
    fn add(&mut self, other: Mass) {
        self.weight += other.weight;
        self.linked += other.linked;
        self.blocks += other.blocks;
        self.ends += other.ends;
    }

    fn links(self) -> f32 {
        ratio(self.linked, self.weight)
    }
}

pub(crate) fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 {
        part / whole
    } else {
        0.0
    }
}

/// About the natural logarithm of the number plus one: 0 gives 0, and the values between powers of
/// two are on straight lines. Trees need only the order, and a whole logarithm takes longer.
pub(crate) fn log(x: f32) -> f32 {
    /// Bits of the number 1, and steps of a float between two powers of two.
    const ONE: f32 = 0x3f80_0000 as f32;
    const STEPS: f32 = (1 << 23) as f32;
    ((1.0 + x).to_bits() as f32 - ONE) * (std::f32::consts::LN_2 / STEPS)
}

/// Amount of text in a node and all below it.
#[derive(Debug, Default, Clone, Copy)]
struct Whole {
    weight: f32,
    linked: f32,
    blocks: f32,
}

impl Whole {
    fn add(&mut self, other: Whole) {
        self.weight += other.weight;
        self.linked += other.linked;
        self.blocks += other.blocks;
    }

    fn links(self) -> f32 {
        ratio(self.linked, self.weight)
    }
}

impl From<Mass> for Whole {
    fn from(Mass { weight, linked, blocks, .. }: Mass) -> Self {
        Self { weight, linked, blocks }
    }
}

/// Kinds and names of the elements on the path from the root to a node.
#[derive(Debug, Default, Clone, Copy)]
struct Path {
    kinds: Kinds,
    low: i8,
    high: i8,
    sum: i32,
    /// Sum of the node's own lowest and highest scores, and of those of its parent and grandparent.
    own: [i16; 3],
}

/// The data of a page from which the features of its blocks are computed.
pub struct Features<'p> {
    pub(super) page: &'p Page,
    letters: Vec<Letters>,
    masses: Vec<Mass>,
    pub(super) holders: Holders,
    /// The path of each holder.
    paths: Vec<Path>,
    /// Text in each holder itself.
    own: Vec<Mass>,
    /// Text in each node and all below it.
    whole: Vec<Whole>,
    /// Readability's score of the node as a container of an article.
    score: Vec<f32>,
    /// Overlap of each block with the title, from 0 to 1.
    titles: Vec<f32>,
    copies: Vec<Copies>,
    /// True for each block that is a date line.
    date_lines: Vec<bool>,
    /// Number of date lines in each node and all below it. Empty if the page has none.
    dated: Vec<f32>,
}

/// Blocks with the same text.
#[derive(Debug, Clone, Copy)]
struct Copies {
    /// Number of these blocks.
    count: u32,
    /// True if one of them comes before this block.
    again: bool,
}

/// Elements that a template repeats: same signatures at the same depth.
#[derive(Debug, Default, Clone, Copy)]
struct Alike {
    mass: Mass,
    /// Number of their first block.
    first: u32,
    /// Number of their last block.
    last: u32,
}

/// Sums over all blocks of a page.
#[derive(Debug, Default)]
struct Overview {
    mass: Mass,
    latin: u32,
    digits: u32,
    headings: u32,
    /// Letters in `<main>`, in articles, in parts that frame a page (header, footer, navigation,
    /// aside) and in list items.
    main: f32,
    article: f32,
    framed: f32,
    listed: f32,
    /// Letters outside of links in long blocks.
    prose: f32,
    /// The block of the first `<h1>` with letters.
    h1: Option<usize>,
    alike: HashMap<u64, Alike>,
    /// Letters in the elements of each signature.
    classes: HashMap<u32, f32>,
    /// Letters of the largest repeated group.
    most_alike: f32,
    /// For each block the distance to the next heading, in blocks.
    to_heading: Vec<f32>,
    /// For each block the distance to the next date line, in blocks.
    to_date_line: Vec<f32>,
    /// Number of date lines.
    date_lines: f32,
}

impl<'p> Features<'p> {
    /// Collects the data of a page.
    pub fn of(page: &'p Page) -> Self {
        let letters: Vec<Letters> =
            page.blocks().iter().map(|block| Letters::of(page.text_of(block))).collect();
        let masses: Vec<Mass> = page
            .blocks()
            .iter()
            .zip(&letters)
            .map(|(block, letters)| mass(block, letters))
            .collect();
        let mut tree = Self {
            page,
            letters,
            masses,
            holders: Holders::of(page),
            paths: Vec::new(),
            own: Vec::new(),
            whole: Vec::new(),
            score: Vec::new(),
            titles: Vec::new(),
            copies: copies(page),
            date_lines: Vec::new(),
            dated: Vec::new(),
        };
        tree.date_lines = page
            .blocks()
            .iter()
            .zip(&tree.letters)
            .map(|(block, letters)| {
                letters.digits >= dates::MIN_DIGITS
                    && dates::is_date_line(page.text_of(block), letters.weight as f32)
            })
            .collect();
        tree.sum_up();
        tree.find_paths();
        tree.score_containers();
        tree.titles = tree.titles();
        tree
    }

    fn parent(&self, node: usize) -> usize {
        self.page.nodes[node].parent as usize
    }

    /// Computes the text in each holder and node, and the date lines in each node.
    fn sum_up(&mut self) {
        let nodes = &self.page.nodes;
        self.own = vec![Mass::default(); self.holders.len()];
        for (at, mass) in self.masses.iter().enumerate() {
            self.own[self.holders.of_block(at)].add(*mass);
        }
        self.whole = vec![Whole::default(); nodes.len()];
        for (node, own) in self.holders.nodes().zip(&self.own) {
            self.whole[node] = Whole::from(*own);
        }
        for at in (1..nodes.len()).rev() {
            let below = self.whole[at];
            self.whole[nodes[at].parent as usize].add(below);
        }
        if !self.date_lines.contains(&true) {
            return;
        }
        self.dated = vec![0.0; nodes.len()];
        for (block, is_date_line) in self.page.blocks().iter().zip(&self.date_lines) {
            self.dated[block.node as usize] += flag(*is_date_line);
        }
        for at in (1..nodes.len()).rev() {
            let below = self.dated[at];
            self.dated[nodes[at].parent as usize] += below;
        }
    }

    /// Collects the kinds and names of the elements around each holder. A name says nothing about
    /// the page if it stands on an element with most of its text: the class of a body may state
    /// that a page shows comments, or that a dialog is open.
    fn find_paths(&mut self) {
        let nodes = &self.page.nodes;
        let is_around_text = self.around_text();
        let page_weight = self.whole.first().map_or(0.0, |page| page.weight);
        let is_discussion = self.is_discussion();
        let names_replies =
            if self.page.sign == Sign::Discussion { marks::COMMENT } else { Kinds::default() };
        let below = |path: &[Path], at: usize| {
            let above = path.last().copied().unwrap_or_default();
            let Marks { mut kinds, mut low, mut high, .. } = nodes[at].marks;
            let share = ratio(self.whole[at].weight, page_weight);
            let is_comment =
                is_discussion && (nodes[at].marks.is_of_comments() || kinds & names_replies != 0);
            if share >= NEARLY_ALL || share >= MOST && is_around_text[at] || is_comment {
                kinds &= !(marks::BY_NAME | marks::DIALOG | marks::HIDDEN);
                (low, high) = (0, 0);
            }
            let own = i16::from(low) + i16::from(high);
            Path {
                kinds: above.kinds | kinds,
                low: above.low.min(low),
                high: above.high.max(high),
                sum: above.sum + i32::from(own),
                // The root is its own parent.
                own: if path.is_empty() { [own; 3] } else { [own, above.own[0], above.own[1]] },
            }
        };
        self.paths = self.holders.descend(nodes, below, |path| path[path.len() - 1]);
    }

    /// Returns true if the page is a discussion: it states that it is one, or most of its text
    /// outside of links is in elements named as comments, and no text that they could be comments
    /// on stands before them. The forest of posts judges a page that states that it belongs to a
    /// forum instead.
    fn is_discussion(&self) -> bool {
        if self.page.sign == Sign::Discussion {
            return true;
        }
        let has_comments = self.page.nodes.iter().any(|node| node.marks.is_of_comments());
        if self.page.is_forum || !has_comments {
            return false;
        }
        let is_comment = downwards(self.page, |_, node| node.marks.is_of_comments());
        let (mut comments, mut others, mut before) = (0.0, 0.0, 0.0);
        for (block, mass) in self.page.blocks().iter().zip(&self.masses) {
            let text = plain(*mass);
            if is_comment[block.node as usize] {
                comments += text;
                continue;
            }
            others += text;
            // A counter of comments may be above the text.
            let is_before = comments < LINE && text >= LINE && !block.in_heading;
            before += if is_before { text } else { 0.0 };
        }
        before < MAX_BEFORE && comments >= DISCUSSED * (comments + others)
    }

    /// Returns for each node whether it is around the page's own text, whatever its names:
    /// `<body>` and the elements with the main part, an `<h1>` or an article's body in them.
    fn around_text(&self) -> Vec<bool> {
        let nodes = &self.page.nodes;
        let mut around = vec![false; nodes.len()];
        for (at, node) in nodes.iter().enumerate().rev() {
            let is_text = node.marks.kinds & (marks::MAIN | marks::BODY_TEXT | marks::H1) != 0;
            if is_text || around[at] {
                around[node.parent as usize] = true;
            }
            if matches!(node.marks.tag, Tag::Html | Tag::Body) {
                around[at] = true;
            }
        }
        around
    }

    /// Computes Readability's scores. A paragraph gives its points to its parent, and half of them
    /// to the parent's parent. Links lower the score.
    fn score_containers(&mut self) {
        const SHORTEST: f32 = 25.0;
        self.score = vec![0.0; self.page.nodes.len()];
        for (node, own) in self.holders.nodes().zip(&self.own) {
            let text = own.weight - own.linked;
            if text < SHORTEST {
                continue;
            }
            let points = 1.0 + own.ends + (text / 100.0).min(3.0 * own.blocks);
            let parent = self.page.nodes[node].parent as usize;
            self.score[parent] += points;
            self.score[self.page.nodes[parent].parent as usize] += points / 2.0;
            if own.blocks > 1.0 {
                self.score[node] += points;
            }
        }
        for (score, whole) in self.score.iter_mut().zip(&self.whole) {
            *score *= 1.0 - whole.links();
        }
    }

    /// Returns the node with the highest Readability score, the first of equals.
    fn best_container(&self) -> usize {
        (0..self.score.len())
            .rev()
            .max_by(|a, b| self.score[*a].total_cmp(&self.score[*b]))
            .unwrap_or(0)
    }

    /// Returns for each holder the depth of the nearest element around it that also contains
    /// `target`.
    fn meetings(&self, target: usize) -> Vec<u32> {
        let nodes = &self.page.nodes;
        let mut around = Vec::new();
        let mut at = target;
        while let Some(node) = nodes.get(at) {
            around.push(at);
            if at == 0 {
                break;
            }
            at = node.parent as usize;
        }
        around.reverse();
        let below = |path: &[u32], at: usize| match path.last() {
            Some(above) if around.get(path.len()) != Some(&at) => *above,
            _ => path.len() as u32,
        };
        self.holders.descend(nodes, below, |path| path[path.len() - 1])
    }

    /// A key that is equal for blocks in elements that a template repeats.
    pub(super) fn template(&self, block: &Block) -> u64 {
        let node = block.node as usize;
        let parent = self.parent(node);
        let signature = |node: usize| u64::from(self.page.nodes[node].marks.signature);
        let above = signature(parent).wrapping_mul(31).wrapping_add(signature(self.parent(parent)));
        (signature(node) << 32) ^ above ^ (u64::from(self.page.nodes[node].depth) << 56)
    }

    /// The features of every block, in order. They are computed one block at a time, because the
    /// features of a block take more memory than most blocks.
    pub fn iter(&self) -> impl Iterator<Item = [f32; FEATURES]> + '_ {
        let mut walk = Walk::new(self);
        (0..self.page.blocks().len()).map(move |at| walk.row(at))
    }

    /// The letters of each block, weighted by script.
    pub fn weights(&self) -> Vec<f32> {
        self.masses.iter().map(|mass| mass.weight).collect()
    }

    /// Returns the block with most text outside of links, the first of equals.
    fn largest(&self) -> Option<usize> {
        (0..self.masses.len())
            .rev()
            .max_by(|a, b| plain(self.masses[*a]).total_cmp(&plain(self.masses[*b])))
    }

    /// Returns the block that has the page's title; `None` if no block has it. Headings are
    /// preferred, then the largest overlap, then the first block.
    fn title_block(&self) -> Option<usize> {
        let blocks = self.page.blocks();
        let title = self.titles.iter().enumerate().filter(|(_, overlap)| **overlap >= 0.6).max_by(
            |a, b| {
                let rank = |at: usize, overlap: f32| {
                    overlap + if blocks[at].in_heading { 1.0 } else { 0.0 }
                };
                rank(a.0, *a.1).total_cmp(&rank(b.0, *b.1)).then(b.0.cmp(&a.0))
            },
        );
        title.map(|(at, _)| at)
    }

    /// Returns the number of letters outside of links before each block, for windows.
    fn plain_sums(&self) -> Vec<f32> {
        let mut sums = Vec::with_capacity(self.masses.len() + 1);
        sums.push(0.0_f32);
        for mass in &self.masses {
            sums.push(sums[sums.len() - 1] + plain(*mass));
        }
        sums
    }

    /// Computes the sums over all blocks.
    fn overview(&self) -> Overview {
        /// A block with at least this many letters outside of links is prose.
        const PROSE: f32 = 100.0;
        /// Groups of elements that have memory at once.
        const ROOM: usize = 64;
        let blocks = self.page.blocks();
        let mut all = Overview {
            alike: HashMap::with_capacity(ROOM),
            classes: HashMap::with_capacity(ROOM),
            to_heading: vec![Since::FAR; blocks.len()],
            to_date_line: vec![Since::FAR; blocks.len()],
            ..Overview::default()
        };
        for (at, ((block, mass), letters)) in
            blocks.iter().zip(&self.masses).zip(&self.letters).enumerate()
        {
            let kinds = self.paths[self.holders.of_block(at)].kinds;
            let within = |around: Kinds| if kinds & around != 0 { mass.weight } else { 0.0 };
            all.mass.add(*mass);
            all.latin += letters.latin;
            all.digits += letters.digits;
            all.headings += u32::from(kinds & marks::HEADING != 0);
            all.main += within(marks::MAIN);
            all.article += within(marks::ARTICLE);
            all.framed += within(marks::NAV | marks::HEADER | marks::FOOTER | marks::ASIDE);
            all.listed += within(marks::LIST);
            all.prose += if plain(*mass) >= PROSE { plain(*mass) } else { 0.0 };
            if all.h1.is_none() && kinds & marks::H1 != 0 && mass.weight > 0.0 {
                all.h1 = Some(at);
            }
            let alike = all
                .alike
                .entry(self.template(block))
                .or_insert(Alike { first: at as u32, ..Alike::default() });
            alike.mass.add(*mass);
            alike.last = at as u32;
            all.most_alike = all.most_alike.max(alike.mass.weight);
            *all.classes
                .entry(self.page.nodes[block.node as usize].marks.signature)
                .or_default() += mass.weight;
        }
        let (mut heading, mut date_line) = (Since::default(), Since::default());
        for at in (0..blocks.len()).rev() {
            (all.to_heading[at], all.to_date_line[at]) = (heading.blocks, date_line.blocks);
            let kinds = self.paths[self.holders.of_block(at)].kinds;
            heading.pass(0.0, kinds & marks::HEADING != 0);
            date_line.pass(0.0, self.date_lines[at]);
            all.date_lines += flag(self.date_lines[at]);
        }
        all
    }

    /// Returns for each short block the share of its words that are in the page's title. The share
    /// is lowered if the block has few words of the title. A title also contains the name of the
    /// site, and a block with only that name is not the title.
    fn titles(&self) -> Vec<f32> {
        const LONGEST: usize = 300;
        let mut title = Vec::new();
        words(&self.page.title, &mut title);
        sort(&mut title);
        let mut words_of_block = Vec::new();
        let mut overlap = |block: &Block| {
            let text = self.page.text_of(block);
            if title.is_empty() || text.len() > LONGEST {
                return 0.0;
            }
            words(text, &mut words_of_block);
            // Most blocks share no word with the title.
            if !words_of_block.iter().any(|word| title.binary_search(word).is_ok()) {
                return 0.0;
            }
            sort(&mut words_of_block);
            let both =
                words_of_block.iter().filter(|word| title.binary_search(word).is_ok()).count()
                    as f32;
            ratio(both, words_of_block.len() as f32) * (both / title.len() as f32).sqrt()
        };
        self.page.blocks().iter().map(&mut overlap).collect()
    }
}

/// Counts the copies of each block's text.
fn copies(page: &Page) -> Vec<Copies> {
    // Enough for most pages. Long pages may repeat the same text.
    const ROOM: usize = 1 << 10;
    let mut ids: HashMap<&str, u32> = HashMap::with_capacity(page.blocks().len().min(ROOM));
    let mut counts: Vec<u32> = Vec::new();
    let mut copies: Vec<Copies> = Vec::with_capacity(page.blocks().len());
    for text in page.blocks().iter().map(|block| page.text_of(block)) {
        let id = *ids.entry(text).or_insert(counts.len() as u32);
        if id as usize == counts.len() {
            counts.push(0);
        }
        counts[id as usize] += 1;
        // Until all blocks are counted, `count` holds the index of the text.
        copies.push(Copies { count: id, again: counts[id as usize] > 1 && !text.is_empty() });
    }
    for copies in &mut copies {
        copies.count = counts[copies.count as usize];
    }
    copies
}

/// Replaces `into` with hashes of the words of a text in lower case. In scripts without spaces each
/// character is a word.
fn words(text: &str, into: &mut Vec<u64>) {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    let add = |hash: u64, lower: u32| match lower {
        // A hash has room for nine characters of seven bits.
        0..=0x7f => hash.rotate_left(7) ^ u64::from(lower),
        _ => (hash ^ u64::from(lower)).wrapping_mul(0x0100_0000_01b3),
    };
    into.clear();
    let mut hash = START;
    if text.is_ascii() {
        for byte in text.bytes() {
            match ASCII_LOWER[usize::from(byte)] {
                0 if hash == START => {}
                0 => into.push(std::mem::replace(&mut hash, START)),
                lower => hash = hash.rotate_left(7) ^ u64::from(lower),
            }
        }
        if hash != START {
            into.push(hash);
        }
        return;
    }
    let table = &**LOWER;
    for c in text.chars().chain([' ']) {
        let lower = table.get(c as usize).copied();
        if let Some(lower) = lower.filter(|lower| *lower > SEVERAL) {
            hash = add(hash, lower.into());
            continue;
        }
        let alone = lower.is_none() && !('\u{ac00}'..='\u{d7a3}').contains(&c);
        let in_word = lower != Some(0) && (is_chinese(c) || c.is_alphanumeric());
        if (alone || !in_word) && hash != START {
            into.push(hash);
            hash = START;
        }
        if is_chinese(c) {
            into.push(add(START, c.into()));
        } else if in_word {
            hash = c.to_lowercase().map(u32::from).fold(hash, add);
            if alone {
                into.push(hash);
                hash = START;
            }
        }
    }
}

/// Returns true for most Chinese characters. They are letters without case.
fn is_chinese(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}')
}

/// First character of the range of scripts without spaces, and of Korean syllables.
const UNSPACED: u32 = 0x2e80;

/// Value in [`LOWER`] of a letter whose lower case is several characters. Greater values are lower
/// cases.
const SEVERAL: u16 = 1;

/// The lower case of each letter and digit below [`UNSPACED`], 0 for other characters.
static LOWER: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    let lower = |c: char| {
        let mut lower = c.to_lowercase();
        match (lower.next(), lower.next()) {
            _ if !c.is_alphanumeric() => 0,
            (Some(lower), None) => u16::try_from(u32::from(lower)).unwrap_or(SEVERAL),
            _ => SEVERAL,
        }
    };
    (0..UNSPACED).map(|c| char::from_u32(c).map_or(0, lower)).collect()
});

/// The same for ASCII.
static ASCII_LOWER: [u8; 256] = {
    let mut lower = [0; 256];
    let mut byte = 0;
    while byte < lower.len() {
        if (byte as u8).is_ascii_alphanumeric() {
            lower[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    lower
};

/// Sorts and removes repeated entries.
fn sort(words: &mut Vec<u64>) {
    words.sort_unstable();
    words.dedup();
}

/// Letters outside of links.
fn plain(mass: Mass) -> f32 {
    mass.weight - mass.linked
}

fn mass(block: &Block, letters: &Letters) -> Mass {
    let weight = letters.weight as f32;
    let bytes = block.text.len() as f32;
    let linked = weight * ratio(block.linked_bytes as f32, bytes).min(1.0);
    Mass { weight, linked, blocks: 1.0, ends: (letters.ends + letters.pauses) as f32 }
}

/// Least share of the page's letters in an element around its text whose names are not read,
const MOST: f32 = 0.5;
/// and in any other element whose names are not read.
const NEARLY_ALL: f32 = 0.9;

/// Least share of comments in the text of a discussion, outside of links.
const DISCUSSED: f32 = 0.75;
/// Least number of letters of a line that says something, outside of links.
const LINE: f32 = 20.0;
/// Most letters in such lines before the comments of a discussion, without headings: a byline has
/// fewer.
const MAX_BEFORE: f32 = 60.0;

/// Number of short blocks in a row.
#[derive(Default)]
struct Runs(f32);

impl Runs {
    fn next(&mut self, mass: Mass) -> f32 {
        const SHORT: f32 = 60.0;
        self.0 = if plain(mass) < SHORT { self.0 + 1.0 } else { 0.0 };
        self.0
    }
}

/// Distance to the nearest heading or date line.
struct Since {
    /// Number of blocks, including the heading or date line.
    blocks: f32,
    text: f32,
}

impl Default for Since {
    fn default() -> Self {
        Since { blocks: Since::FAR, text: 0.0 }
    }
}

impl Since {
    /// Greatest distance, in blocks. Also the value if there is no heading or date line.
    const FAR: f32 = 99.0;

    /// Moves to the next block.
    fn pass(&mut self, text: f32, found: bool) {
        *self = match found {
            true => Since { blocks: 1.0, text: 0.0 },
            false => Since { blocks: (self.blocks + 1.0).min(Since::FAR), text: self.text + text },
        };
    }
}

/// The features of a block while they are filled in.
struct Row([f32; FEATURES]);

impl Index<Feature> for Row {
    type Output = f32;

    fn index(&self, feature: Feature) -> &f32 {
        &self.0[feature as usize]
    }
}

impl IndexMut<Feature> for Row {
    fn index_mut(&mut self, feature: Feature) -> &mut f32 {
        &mut self.0[feature as usize]
    }
}

/// A block, and the nodes around it.
struct Place<'p> {
    at: usize,
    block: &'p Block,
    mass: Mass,
    holder: usize,
    node: usize,
    parent: usize,
    grand: usize,
    alike: Alike,
}

/// Makes the features of one block after the other.
struct Walk<'f, 'p> {
    features: &'f Features<'p>,
    overview: Overview,
    /// The node with the highest Readability score.
    best: usize,
    /// For each holder the depth of the nearest element around it that also contains `best`.
    meetings: Vec<u32>,
    largest: Option<usize>,
    title: Option<usize>,
    page_latin: f32,
    /// Text before the block.
    before: Mass,
    since_heading: Since,
    since_date_line: Since,
    /// Number of date lines before the block.
    date_lines_before: f32,
    sums: Vec<f32>,
    /// Logarithm of the letters and share of links: used by each block and by its neighbours.
    sizes: Vec<(f32, f32)>,
    runs: Runs,
}

impl<'f, 'p> Walk<'f, 'p> {
    fn new(features: &'f Features<'p>) -> Self {
        let best = features.best_container();
        let overview = features.overview();
        Self {
            best,
            meetings: features.meetings(best),
            largest: features.largest(),
            title: features.title_block(),
            page_latin: ratio(overview.latin as f32, overview.mass.weight),
            before: Mass::default(),
            since_heading: Since::default(),
            since_date_line: Since::default(),
            date_lines_before: 0.0,
            sums: features.plain_sums(),
            sizes: features.masses.iter().map(|mass| (log(mass.weight), mass.links())).collect(),
            runs: Runs::default(),
            overview,
            features,
        }
    }

    /// Returns the features of a block. Call it for each block, in order.
    fn row(&mut self, at: usize) -> [f32; FEATURES] {
        let features = self.features;
        let block = &features.page.blocks()[at];
        let node = block.node as usize;
        let parent = features.parent(node);
        let alike = self.overview.alike.get(&features.template(block)).copied().unwrap_or_default();
        let (mass, grand) = (features.masses[at], features.parent(parent));
        let holder = features.holders.of_block(at);
        let place = Place { at, block, mass, holder, node, parent, grand, alike };
        // Tests find a feature that is not set: debug builds start with NaN.
        let mut row = Row([if cfg!(debug_assertions) { f32::NAN } else { 0.0 }; FEATURES]);
        self.block(&place, &mut row);
        self.position(&place, &mut row);
        self.page(&place, &mut row);
        self.elements(&place, &mut row);
        self.containers(&place, &mut row);
        self.alike(&place, &mut row);
        self.best(&place, &mut row);
        self.neighbours(&place, &mut row);
        self.kind_of_page(&mut row);
        self.headings(&place, &mut row);
        self.date_lines(&place, &mut row);
        debug_assert!(row.0.iter().all(|value| !value.is_nan()), "{:?}", row.0);
        self.before.add(mass);
        let is_heading = features.paths[holder].kinds & marks::HEADING != 0;
        self.since_heading.pass(plain(mass), is_heading);
        self.since_date_line.pass(0.0, features.date_lines[at]);
        self.date_lines_before += flag(features.date_lines[at]);
        row.0
    }

    fn block(&self, place: &Place, row: &mut Row) {
        let (letters, mass) = (self.features.letters[place.at], place.mass);
        (row[Feature::Letters], row[Feature::Links]) = self.sizes[place.at];
        row[Feature::Last] = letters.last as u8 as f32;
        row[Feature::Ends] = 100.0 * ratio(letters.ends as f32, mass.weight);
        row[Feature::Pauses] = 100.0 * ratio(letters.pauses as f32, mass.weight);
        row[Feature::Digits] = ratio(letters.digits as f32, mass.weight);
        row[Feature::Capitals] = ratio(letters.capitals as f32, mass.weight);
        row[Feature::Signs] = ratio(letters.signs as f32, mass.weight);
        row[Feature::WordLength] = mass.weight / (letters.spaces + 1) as f32;
        row[Feature::IsHeading] = flag(place.block.in_heading);
        row[Feature::TitleOverlap] = self.features.titles[place.at];
        let copies = self.features.copies[place.at];
        row[Feature::IsCopy] = flag(copies.again);
        row[Feature::Copies] = log(copies.count as f32);
        row[Feature::LatinOverPage] = ratio(letters.latin as f32, mass.weight) - self.page_latin;
    }

    fn position(&self, place: &Place, row: &mut Row) {
        let (at, page) = (place.at, self.overview.mass);
        let blocks = self.features.page.blocks().len();
        row[Feature::Place] = at as f32 / blocks as f32;
        row[Feature::LettersBefore] = ratio(self.before.weight, page.weight);
        row[Feature::PlainBefore] = ratio(plain(self.before), plain(page));
        row[Feature::BlocksBefore] = at as f32;
        row[Feature::BlocksAfter] = (blocks - at) as f32;
        row[Feature::FromTitle] = self.title.map_or(-1.0, |title| away(at, title));
        row[Feature::HasTitle] = flag(self.title.is_some());
        row[Feature::PlainFromTitle] = self.title.map_or(-1.0, |title| self.plain_since(title, at));
        row[Feature::FromLargest] = self.largest.map_or(0.0, |largest| away(at, largest));
    }

    /// Returns the logarithm of the letters outside of links from one block to another.
    fn plain_since(&self, from: usize, to: usize) -> f32 {
        log((self.sums[to] - self.sums[from.min(to)]).max(0.0))
    }

    fn page(&self, place: &Place, row: &mut Row) {
        let page = self.overview.mass;
        row[Feature::PageLetters] = log(page.weight);
        row[Feature::PageLinks] = page.links();
        row[Feature::PageBlocks] = log(page.blocks);
        row[Feature::ShareOfPage] = ratio(place.mass.weight, page.weight);
        row[Feature::PageEnds] = ratio(page.ends, page.blocks);
    }

    fn elements(&self, place: &Place, row: &mut Row) {
        let (nodes, path) = (&self.features.page.nodes, self.features.paths[place.holder]);
        for (feature, kind) in AROUND {
            row[feature] = flag(path.kinds & kind != 0);
        }
        row[Feature::PathLow] = f32::from(path.low);
        row[Feature::PathHigh] = f32::from(path.high);
        row[Feature::PathSum] = path.sum as f32;
        let [own, parent, grand] = path.own.map(f32::from);
        row[Feature::OwnMarks] = own;
        row[Feature::ParentMarks] = parent;
        row[Feature::GrandMarks] = grand;
        row[Feature::IsParagraph] = flag(nodes[place.node].marks.kinds & marks::PARAGRAPH != 0);
        row[Feature::Depth] = nodes[place.node].depth as f32;
        let class = nodes[place.node].marks.signature;
        let alike = self.overview.classes.get(&class).copied().unwrap_or_default();
        row[Feature::ClassShare] = ratio(alike, self.overview.mass.weight);
    }

    fn containers(&self, place: &Place, row: &mut Row) {
        use Feature::{GrandBlockLength, GrandLetters, GrandLinks, GrandShare};
        use Feature::{GreatBlockLength, GreatLetters, GreatLinks, GreatShare};
        use Feature::{ParentBlockLength, ParentLetters, ParentLinks, ParentShare};
        let own = self.features.own[place.holder];
        row[Feature::OwnLetters] = log(own.weight);
        row[Feature::OwnLinks] = own.links();
        row[Feature::OwnBlocks] = own.blocks;
        let great = self.features.parent(place.grand);
        for (around, [letters, links, length, share]) in [
            (place.parent, [ParentLetters, ParentLinks, ParentBlockLength, ParentShare]),
            (place.grand, [GrandLetters, GrandLinks, GrandBlockLength, GrandShare]),
            (great, [GreatLetters, GreatLinks, GreatBlockLength, GreatShare]),
        ] {
            let whole = self.features.whole[around];
            row[letters] = log(whole.weight);
            row[links] = whole.links();
            row[length] = ratio(whole.weight, whole.blocks);
            row[share] = ratio(whole.weight, self.overview.mass.weight);
        }
    }

    /// Sets the features of the blocks that the template makes alike.
    fn alike(&self, place: &Place, row: &mut Row) {
        let (Alike { mass: alike, first, last }, page) = (place.alike, self.overview.mass);
        row[Feature::AlikeLetters] = log(alike.weight);
        row[Feature::AlikeLinks] = alike.links();
        row[Feature::AlikeBlockLength] = log(ratio(alike.weight, alike.blocks));
        row[Feature::AlikeShare] = ratio(alike.weight, page.weight);
        row[Feature::AlikeEnds] = ratio(alike.ends, alike.blocks);
        row[Feature::AlikeBlocks] = log(alike.blocks);
        let span = (last - first + 1) as f32;
        row[Feature::AlikeDensity] = ratio(alike.blocks, span);
        row[Feature::AlikeSpan] = ratio(span, page.blocks);
    }

    /// Sets the features that depend on the node with the highest Readability score.
    fn best(&self, place: &Place, row: &mut Row) {
        let (nodes, score, best) = (&self.features.page.nodes, &self.features.score, self.best);
        let meeting_depth = self.meetings[place.holder];
        let (mass, page) = (self.features.whole[best], self.overview.mass);
        row[Feature::BestUp] = (nodes[best].depth - meeting_depth) as f32;
        row[Feature::BestDown] = (nodes[place.node].depth - meeting_depth) as f32;
        row[Feature::ParentScore] = ratio(score[place.parent], score[best]);
        row[Feature::BestShare] = ratio(mass.weight, page.weight);
        row[Feature::GrandScore] = ratio(score[place.grand], score[best]);
        row[Feature::BestBlockLength] = ratio(mass.weight, mass.blocks);
        row[Feature::BestBlocks] = ratio(mass.blocks, page.blocks);
    }

    fn neighbours(&mut self, place: &Place, row: &mut Row) {
        use Feature::{AfterLetters, AfterLinks, BeforeLetters, BeforeLinks};
        use Feature::{
            SecondAfterLetters, SecondAfterLinks, SecondBeforeLetters, SecondBeforeLinks,
        };
        let at = place.at;
        for (away, letters, links) in [
            (-2, SecondBeforeLetters, SecondBeforeLinks),
            (-1, BeforeLetters, BeforeLinks),
            (1, AfterLetters, AfterLinks),
            (2, SecondAfterLetters, SecondAfterLinks),
        ] {
            let near = at.checked_add_signed(away).and_then(|at| self.sizes.get(at));
            (row[letters], row[links]) = near.copied().unwrap_or_default();
        }
        let last = self.sums.len() - 1;
        let window = |from: usize, to: usize| self.sums[to.min(last)] - self.sums[from];
        row[Feature::WindowBefore] = log(window(at.saturating_sub(5), at));
        row[Feature::WindowAfter] = log(window(at + 1, at + 6));
        row[Feature::ShortRun] = self.runs.next(place.mass);
    }

    fn kind_of_page(&self, row: &mut Row) {
        let (overview, page) = (&self.overview, self.overview.mass);
        row[Feature::PageMain] = ratio(overview.main, page.weight);
        row[Feature::PageArticle] = ratio(overview.article, page.weight);
        row[Feature::PageFramed] = ratio(overview.framed, page.weight);
        row[Feature::PageListed] = ratio(overview.listed, page.weight);
        row[Feature::PageProse] = ratio(overview.prose, page.weight);
        row[Feature::PageDigits] = ratio(overview.digits as f32, page.weight);
        row[Feature::PageHeadings] = ratio(overview.headings as f32, page.blocks);
        row[Feature::PageForum] = flag(self.features.page.is_forum);
        row[Feature::PageAlike] = ratio(overview.most_alike, page.weight);
    }

    fn headings(&self, place: &Place, row: &mut Row) {
        let (at, h1) = (place.at, self.overview.h1);
        row[Feature::SinceHeading] = self.since_heading.blocks;
        row[Feature::ToHeading] = self.overview.to_heading[at];
        row[Feature::PlainSinceHeading] = log(self.since_heading.text);
        row[Feature::FromH1] = h1.map_or(-99.0, |h1| away(at, h1));
        row[Feature::PlainFromH1] = h1.map_or(-1.0, |h1| self.plain_since(h1, at));
        row[Feature::H1TitleOverlap] = h1.map_or(-1.0, |h1| self.features.titles[h1]);
    }

    /// Sets the features of date lines. A thread of comments has many date lines.
    fn date_lines(&self, place: &Place, row: &mut Row) {
        let at = place.at;
        let dated = |node: usize| self.features.dated.get(node).copied().unwrap_or_default();
        row[Feature::IsDateLine] = flag(self.features.date_lines[at]);
        row[Feature::SinceDateLine] = self.since_date_line.blocks;
        row[Feature::ToDateLine] = self.overview.to_date_line[at];
        row[Feature::DateLinesBefore] = log(self.date_lines_before);
        row[Feature::PageDateLines] = log(self.overview.date_lines);
        row[Feature::ParentDateLines] = log(dated(place.parent));
        row[Feature::GrandDateLines] = log(dated(place.grand));
        row[Feature::GreatDateLines] = log(dated(self.features.parent(place.grand)));
    }
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Returns the distance from block `other` to block `at`, from -50 to 50 blocks.
fn away(at: usize, other: usize) -> f32 {
    (at as f32 - other as f32).clamp(-50.0, 50.0)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_in_ascii_are_the_same_beside_other_letters() {
        for text in ["", "a", "A b-C 12", "...don't. ", "x1y  Z", "--"] {
            let (mut alone, mut beside) = (Vec::new(), Vec::new());
            words(text, &mut alone);
            words(&format!("{text} \u{e9}"), &mut beside);
            assert_eq!(alone, beside[..beside.len() - 1], "{text}");
        }
    }
}
