//! What is known of a block before anything was judged.

use super::letters::Letters;
use crate::marks::{self, Kinds};
use crate::{Block, Page};
use foldhash::{HashMap, HashMapExt};

/// How many figures a block has.
pub const FIGURES: usize = 117;

/// Where the figures of [`AROUND`] begin.
pub(crate) const AROUND_FROM: usize = 26;

/// The kinds of elements that a block may be in, each one a figure.
pub(crate) const AROUND: [Kinds; 25] = [
    marks::NAV,
    marks::ASIDE,
    marks::HEADER,
    marks::FOOTER,
    marks::ARTICLE,
    marks::MAIN,
    marks::SECTION,
    marks::FIGURE,
    marks::DIALOG,
    marks::FORM,
    marks::LIST,
    marks::CELL,
    marks::QUOTE,
    marks::PRE,
    marks::BUTTON,
    marks::HEADING,
    marks::BODY_TEXT,
    marks::HIDDEN,
    marks::COMMENT,
    marks::RELATED,
    marks::SHARE,
    marks::CONSENT,
    marks::CAPTION,
    marks::BYLINE,
    marks::PROMOTION,
];

/// Text of a part of the page.
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

/// The natural logarithm, of one more, so that nothing is 0.
pub(crate) fn log(x: f32) -> f32 {
    (1.0 + x).ln()
}

/// What the path from the root to a node says.
#[derive(Debug, Default, Clone, Copy)]
struct Path {
    kinds: Kinds,
    low: i8,
    high: i8,
    sum: i32,
}

/// What the figures of a page's blocks are read from.
pub struct Figures<'p> {
    page: &'p Page,
    letters: Vec<Letters>,
    masses: Vec<Mass>,
    paths: Vec<Path>,
    /// Text in the node itself.
    own: Vec<Mass>,
    /// Text in the node and all below it.
    whole: Vec<Mass>,
    /// How much it looks like what holds an article.
    score: Vec<f32>,
    /// How much of each block is in the title.
    titles: Vec<f32>,
    copies: Vec<Copies>,
}

/// The blocks of one text.
#[derive(Debug, Clone, Copy)]
struct Copies {
    /// How many they are.
    count: u32,
    /// There is one before this block.
    again: bool,
}

/// What a template makes alike.
#[derive(Debug, Default, Clone, Copy)]
struct Alike {
    mass: Mass,
    /// Its first and its last block.
    first: u32,
    last: u32,
}

/// What all blocks of a page say together.
#[derive(Debug, Default)]
struct Overview {
    mass: Mass,
    latin: u32,
    digits: u32,
    headings: u32,
    /// Letters in `<main>`, in articles, in what frames a page and in list items.
    main: f32,
    article: f32,
    framed: f32,
    listed: f32,
    /// Letters outside of links in long blocks.
    prose: f32,
    /// The first heading of the first rank.
    h1: Option<usize>,
    alike: HashMap<u64, Alike>,
    /// Letters in elements of one signature.
    classes: HashMap<u32, f32>,
    /// The most letters that are alike.
    most_alike: f32,
    /// How many blocks after each one the next heading is.
    to_heading: Vec<f32>,
}

impl<'p> Figures<'p> {
    /// Reads a page.
    pub fn of(page: &'p Page) -> Self {
        let letters: Vec<Letters> = page.blocks().iter().map(|block| Letters::of(page.text_of(block))).collect();
        let masses: Vec<Mass> =
            page.blocks().iter().zip(&letters).map(|(block, letters)| mass(block, letters)).collect();
        let nodes = page.nodes.len();
        let mut tree = Self {
            page,
            letters,
            masses,
            paths: Vec::with_capacity(nodes),
            own: vec![Mass::default(); nodes],
            whole: Vec::new(),
            score: vec![0.0; nodes],
            titles: Vec::new(),
            copies: copies(page),
        };
        for (at, node) in page.nodes.iter().enumerate() {
            let above = if at == 0 { Path::default() } else { tree.paths[node.parent as usize] };
            let score = i32::from(node.marks.low) + i32::from(node.marks.high);
            tree.paths.push(Path {
                kinds: above.kinds | node.marks.kinds,
                low: above.low.min(node.marks.low),
                high: above.high.max(node.marks.high),
                sum: above.sum + score,
            });
        }
        for (block, mass) in page.blocks().iter().zip(&tree.masses) {
            tree.own[block.node as usize].add(*mass);
        }
        tree.whole = tree.own.clone();
        for at in (1..nodes).rev() {
            let mass = tree.whole[at];
            tree.whole[page.nodes[at].parent as usize].add(mass);
        }
        tree.judge_containers();
        tree.titles = tree.titles();
        tree
    }

    fn parent(&self, node: usize) -> usize {
        self.page.nodes[node].parent as usize
    }

    /// Readability's scoring: a paragraph counts for what holds it, half for what holds that, less where there are links.
    fn judge_containers(&mut self) {
        const SHORTEST: f32 = 25.0;
        for node in 0..self.own.len() {
            let own = self.own[node];
            let text = own.weight - own.linked;
            if text < SHORTEST {
                continue;
            }
            let points = 1.0 + own.ends + (text / 100.0).min(3.0 * own.blocks);
            let parent = self.parent(node);
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

    /// The node that looks most like what holds the article; of equals the first.
    fn best_container(&self) -> usize {
        (0..self.score.len()).rev().max_by(|a, b| self.score[*a].total_cmp(&self.score[*b])).unwrap_or(0)
    }

    /// For every node the nearest node around it that is also around `target`.
    fn meetings(&self, target: usize) -> Vec<u32> {
        let mut around = vec![false; self.own.len()];
        let mut at = target;
        loop {
            if let Some(mark) = around.get_mut(at) {
                *mark = true;
            }
            if at == 0 || self.own.is_empty() {
                break;
            }
            at = self.parent(at);
        }
        let mut meetings: Vec<u32> = Vec::with_capacity(around.len());
        for (node, around) in around.iter().enumerate() {
            let meeting = if *around || node == 0 { node as u32 } else { meetings[self.parent(node)] };
            meetings.push(meeting);
        }
        meetings
    }

    /// The same for blocks at places that a template makes alike.
    fn template(&self, block: &Block) -> u64 {
        let node = block.node as usize;
        let parent = self.parent(node);
        let signature = |node: usize| u64::from(self.page.nodes[node].marks.signature);
        let above = signature(parent).wrapping_mul(31).wrapping_add(signature(self.parent(parent)));
        (signature(node) << 32) ^ above ^ (u64::from(self.page.nodes[node].depth) << 56)
    }

    /// Figures of every block, in order. They are made while they are asked for: those of a block take more memory than most blocks.
    pub fn iter(&self) -> impl Iterator<Item = [f32; FIGURES]> + '_ {
        let blocks = self.page.blocks();
        let best = self.best_container();
        let meetings = self.meetings(best);
        let best_depth = self.page.nodes.get(best).map_or(0, |node| node.depth);
        let largest = (0..blocks.len()).rev().max_by(|a, b| plain(self.masses[*a]).total_cmp(&plain(self.masses[*b])));
        let title = self.titles.iter().enumerate().filter(|(_, overlap)| **overlap >= 0.6).max_by(|a, b| {
            let rank = |at: usize, overlap: f32| overlap + if blocks[at].in_heading { 1.0 } else { 0.0 };
            rank(a.0, *a.1).total_cmp(&rank(b.0, *b.1)).then(b.0.cmp(&a.0))
        });
        let title = title.map(|(at, _)| at);
        let overview = self.overview();
        let page = overview.mass;
        let page_latin = ratio(overview.latin as f32, page.weight);
        let best_mass = self.whole.get(best).copied().unwrap_or_default();
        let mut before = Mass::default();
        let mut since_heading = Since::default();
        // Text without links up to each block, for windows.
        let mut sums = vec![0.0_f32];
        for mass in &self.masses {
            sums.push(sums[sums.len() - 1] + plain(*mass));
        }
        // Asked for by each block and by its neighbours.
        let sizes: Vec<(f32, f32)> = self.masses.iter().map(|mass| (log(mass.weight), mass.links())).collect();
        let mut runs = Runs::default();
        blocks.iter().enumerate().map(move |(at, block)| {
            let window = |from: usize, to: usize| sums[to.min(blocks.len())] - sums[from];
            let mut f = Row { values: [0.0; FIGURES], at: 0 };
            let (letters, mass) = (self.letters[at], self.masses[at]);
            let node = block.node as usize;
            let parent = self.parent(node);
            let grand = self.parent(parent);
            // The block.
            let (log_weight, links) = sizes[at];
            f.put(log_weight);
            f.put(links);
            f.put(letters.last as u8 as f32);
            f.put(100.0 * ratio(letters.ends as f32, mass.weight));
            f.put(100.0 * ratio(letters.pauses as f32, mass.weight));
            f.put(ratio(letters.digits as f32, mass.weight));
            f.put(ratio(letters.capitals as f32, mass.weight));
            f.put(ratio(letters.signs as f32, mass.weight));
            f.put(ratio(mass.weight, block.words as f32));
            f.put(f32::from(u8::from(block.in_heading)));
            f.put(self.titles[at]);
            let copies = self.copies[at];
            f.put(f32::from(u8::from(copies.again)));
            // Where it is.
            f.put(at as f32 / blocks.len() as f32);
            f.put(ratio(before.weight, page.weight));
            f.put(ratio(plain(before), plain(page)));
            f.put(at as f32);
            f.put((blocks.len() - at) as f32);
            before.add(mass);
            f.put(title.map_or(-1.0, |title| (at as f32 - title as f32).clamp(-50.0, 50.0)));
            f.put(f32::from(u8::from(title.is_some())));
            f.put(title.map_or(-1.0, |title| log((sums[at] - sums[title.min(at)]).max(0.0))));
            f.put(largest.map_or(0.0, |largest| (at as f32 - largest as f32).clamp(-50.0, 50.0)));
            // The page.
            f.put(log(page.weight));
            f.put(page.links());
            f.put(log(page.blocks));
            f.put(ratio(mass.weight, page.weight));
            f.put(ratio(page.ends, page.blocks));
            // The elements around it.
            let path = self.paths[node];
            debug_assert_eq!(f.at, AROUND_FROM);
            for kind in AROUND {
                f.put(f32::from(u8::from(path.kinds & kind != 0)));
            }
            f.put(f32::from(path.low));
            f.put(f32::from(path.high));
            f.put(path.sum as f32);
            let own_marks = self.page.nodes[node].marks;
            f.put(f32::from(own_marks.low) + f32::from(own_marks.high));
            let marks = self.page.nodes[parent].marks;
            f.put(f32::from(marks.low) + f32::from(marks.high));
            f.put(f32::from(u8::from(own_marks.kinds & marks::PARAGRAPH != 0)));
            f.put(self.page.nodes[node].depth as f32);
            // Text of what holds it.
            let own = self.own[node];
            f.put(log(own.weight));
            f.put(own.links());
            f.put(own.blocks);
            for around in [parent, grand] {
                let whole = self.whole[around];
                f.put(log(whole.weight));
                f.put(whole.links());
                f.put(ratio(whole.weight, whole.blocks));
                f.put(ratio(whole.weight, page.weight));
            }
            // What the template makes alike.
            let Alike { mass: alike, first, last } =
                overview.alike.get(&self.template(block)).copied().unwrap_or_default();
            f.put(log(alike.weight));
            f.put(alike.links());
            f.put(log(ratio(alike.weight, alike.blocks)));
            f.put(ratio(alike.weight, page.weight));
            f.put(ratio(alike.ends, alike.blocks));
            // The best container.
            let meeting = meetings[node] as usize;
            let meeting_depth = self.page.nodes[meeting].depth;
            f.put((best_depth - meeting_depth) as f32);
            f.put((self.page.nodes[node].depth - meeting_depth) as f32);
            f.put(ratio(self.score[parent], self.score[best]));
            f.put(ratio(self.whole[best].weight, page.weight));
            f.put(ratio(self.score[grand], self.score[best]));
            // Neighbours.
            for away in [-2_isize, -1, 1, 2] {
                let (log_weight, links) =
                    at.checked_add_signed(away).and_then(|at| sizes.get(at)).copied().unwrap_or_default();
                f.put(log_weight);
                f.put(links);
            }
            f.put(log(window(at.saturating_sub(5), at)));
            f.put(log(window(at + 1, at + 6)));
            f.put(runs.next(mass));
            f.put(ratio(letters.latin as f32, mass.weight) - page_latin);
            // What kind of page it is.
            f.put(ratio(overview.main, page.weight));
            f.put(ratio(overview.article, page.weight));
            f.put(ratio(overview.framed, page.weight));
            f.put(ratio(overview.listed, page.weight));
            f.put(ratio(overview.prose, page.weight));
            f.put(ratio(overview.digits as f32, page.weight));
            f.put(ratio(overview.headings as f32, page.blocks));
            f.put(ratio(best_mass.weight, best_mass.blocks));
            f.put(ratio(overview.most_alike, page.weight));
            f.put(ratio(best_mass.blocks, page.blocks));
            // Text further around it.
            let great = self.whole[self.parent(grand)];
            f.put(log(great.weight));
            f.put(great.links());
            f.put(ratio(great.weight, great.blocks));
            f.put(ratio(great.weight, page.weight));
            // Headings.
            f.put(since_heading.blocks);
            f.put(overview.to_heading[at]);
            f.put(log(since_heading.text));
            since_heading.pass(plain(mass), path.kinds & marks::HEADING != 0);
            let h1 = overview.h1;
            f.put(h1.map_or(-99.0, |h1| (at as f32 - h1 as f32).clamp(-50.0, 50.0)));
            f.put(h1.map_or(-1.0, |h1| log((sums[at] - sums[h1.min(at)]).max(0.0))));
            f.put(h1.map_or(-1.0, |h1| self.titles[h1]));
            // More of what is alike.
            f.put(log(alike.blocks));
            let span = (last - first + 1) as f32;
            f.put(ratio(alike.blocks, span));
            f.put(ratio(span, page.blocks));
            f.put(ratio(overview.classes.get(&own_marks.signature).copied().unwrap_or_default(), page.weight));
            f.put(log(copies.count as f32));
            let marks = self.page.nodes[grand].marks;
            f.put(f32::from(marks.low) + f32::from(marks.high));
            debug_assert_eq!(f.at, FIGURES);
            f.values
        })
    }

    /// Looks at all blocks once.
    fn overview(&self) -> Overview {
        /// So many letters outside of links are prose.
        const PROSE: f32 = 100.0;
        let blocks = self.page.blocks();
        let mut all = Overview { to_heading: vec![Since::FAR; blocks.len()], ..Overview::default() };
        for (at, ((block, mass), letters)) in blocks.iter().zip(&self.masses).zip(&self.letters).enumerate() {
            let kinds = self.paths[block.node as usize].kinds;
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
            let alike = all.alike.entry(self.template(block)).or_insert(Alike { first: at as u32, ..Alike::default() });
            alike.mass.add(*mass);
            alike.last = at as u32;
            all.most_alike = all.most_alike.max(alike.mass.weight);
            *all.classes.entry(self.page.nodes[block.node as usize].marks.signature).or_default() += mass.weight;
        }
        let mut next = Since::default();
        for (at, block) in blocks.iter().enumerate().rev() {
            all.to_heading[at] = next.blocks;
            next.pass(0.0, self.paths[block.node as usize].kinds & marks::HEADING != 0);
        }
        all
    }

    /// How much of each short block is in the page's title, less if it is but a small part of the title: a title carries the site's
    /// name as well.
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
            // As of most blocks.
            if !words_of_block.iter().any(|word| title.binary_search(word).is_ok()) {
                return 0.0;
            }
            sort(&mut words_of_block);
            let both = words_of_block.iter().filter(|word| title.binary_search(word).is_ok()).count() as f32;
            ratio(both, words_of_block.len() as f32) * (both / title.len() as f32).sqrt()
        };
        self.page.blocks().iter().map(&mut overlap).collect()
    }
}

/// What each block's text has in copies.
fn copies(page: &Page) -> Vec<Copies> {
    // As many as most pages have; long pages may say the same again and again.
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
        // Which text it is, until all are counted.
        copies.push(Copies { count: id, again: counts[id as usize] > 1 && !text.is_empty() });
    }
    for copies in &mut copies {
        copies.count = counts[copies.count as usize];
    }
    copies
}

/// Replaces `into` with the hashes of a text's words in lower case; of unspaced scripts each character is one.
fn words(text: &str, into: &mut Vec<u64>) {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    let add = |hash: u64, lower: char| match lower {
        // Nine of these stand side by side.
        '\0'..='\x7f' => hash.rotate_left(7) ^ u64::from(u32::from(lower)),
        _ => (hash ^ u64::from(u32::from(lower))).wrapping_mul(0x0100_0000_01b3),
    };
    into.clear();
    let mut hash = START;
    for c in text.chars().chain([' ']) {
        if let Some(lower @ '0'..) = LOWER.get(c as usize) {
            hash = add(hash, *lower);
            continue;
        }
        let alone = c >= '\u{2e80}' && !('\u{ac00}'..='\u{d7a3}').contains(&c);
        let in_word = !c.is_ascii() && c.is_alphanumeric();
        if (alone || !in_word) && hash != START {
            into.push(hash);
            hash = START;
        }
        if in_word {
            hash = c.to_lowercase().fold(hash, add);
            if alone {
                into.push(hash);
                hash = START;
            }
        }
    }
}

/// ASCII's letters and digits in lower case, and nothing for other characters.
static LOWER: [char; 128] = {
    let mut lower = ['\0'; 128];
    let mut byte = b'0';
    while byte <= b'z' {
        if byte.is_ascii_alphanumeric() {
            lower[byte as usize] = byte.to_ascii_lowercase() as char;
        }
        byte += 1;
    }
    lower
};

/// Sorts, and leaves one of each.
fn sort(words: &mut Vec<u64>) {
    words.sort_unstable();
    words.dedup();
}

/// Text outside of links.
fn plain(mass: Mass) -> f32 {
    mass.weight - mass.linked
}

fn mass(block: &Block, letters: &Letters) -> Mass {
    let weight = letters.weight as f32;
    let bytes = block.text.len() as f32;
    let linked = weight * ratio(block.linked_bytes as f32, bytes).min(1.0);
    Mass { weight, linked, blocks: 1.0, ends: (letters.ends + letters.pauses) as f32 }
}

/// How many blocks in a row were short.
#[derive(Default)]
struct Runs(f32);

impl Runs {
    fn next(&mut self, mass: Mass) -> f32 {
        const SHORT: f32 = 60.0;
        self.0 = if plain(mass) < SHORT { self.0 + 1.0 } else { 0.0 };
        self.0
    }
}

/// What lies between a block and the nearest heading.
struct Since {
    /// Blocks, the heading with them.
    blocks: f32,
    text: f32,
}

impl Default for Since {
    fn default() -> Self {
        Since { blocks: Since::FAR, text: 0.0 }
    }
}

impl Since {
    /// Where there is no heading, or one farther away.
    const FAR: f32 = 99.0;

    /// Goes on to the next block.
    fn pass(&mut self, text: f32, heading: bool) {
        *self = match heading {
            true => Since { blocks: 1.0, text: 0.0 },
            false => Since { blocks: (self.blocks + 1.0).min(Since::FAR), text: self.text + text },
        };
    }
}

struct Row {
    values: [f32; FIGURES],
    at: usize,
}

impl Row {
    fn put(&mut self, value: f32) {
        self.values[self.at] = value;
        self.at += 1;
    }
}
