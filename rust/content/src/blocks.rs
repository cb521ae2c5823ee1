//! Makes text blocks from nested elements, cut and measured as by Boilerpipe 1.2.2.

use crate::flow::Flow;
use crate::marks::Marks;
use crate::page::{cut, Block, LimitHit, Node, MAX_TITLE};
use crate::tags::{Tag, EMPTY, INLINE};
use crate::words::{run_length, space_length, Words};

/// Effect of an element on the text in and around it.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// Ends the block before it and increases the tag level.
    Block,
    /// Its text is hidden.
    Ignored,
    Anchor,
    Body,
    ListItem,
    Heading,
    /// Formatting that joins words.
    Inline,
    /// Formatting that separates words.
    SpacedInline,
}

fn role(tag: Tag) -> Role {
    match tag {
        Tag::Style | Tag::Script | Tag::Noscript => Role::Ignored,
        Tag::Option | Tag::Object | Tag::Embed | Tag::Applet | Tag::Link => Role::Ignored,
        Tag::A => Role::Anchor,
        Tag::Body => Role::Body,
        Tag::Li => Role::ListItem,
        Tag::H1 | Tag::H2 | Tag::H3 => Role::Heading,
        Tag::B | Tag::I | Tag::U | Tag::Em | Tag::Strong | Tag::Strike | Tag::Span | Tag::Font => {
            Role::Inline
        }
        Tag::Sup | Tag::Sub | Tag::Code | Tag::Tt | Tag::Var => Role::Inline,
        Tag::Abbr | Tag::Acronym => Role::SpacedInline,
        _ => Role::Block,
    }
}

/// Returns true if an element is a level of the page tree. Formatting and links within a line are
/// not.
fn is_level(tag: Tag) -> bool {
    !tag.is(INLINE)
        && !matches!(tag, Tag::Span | Tag::Font | Tag::Ins | Tag::Del | Tag::S | Tag::Label)
}

/// Returns true if an element can be a level with text in it, so that its start tag may have marks.
pub(crate) fn may_hold_text(tag: Tag) -> bool {
    is_level(tag) && !tag.is(EMPTY) && role(tag) != Role::Ignored
}

/// Returns true if an element ends the paragraph before it, as in jusText (`PARAGRAPH_TAGS`).
fn ends_paragraph(tag: Tag) -> bool {
    use Tag::{Blockquote, Body, Caption, Center, Col, Colgroup, Dd, Div, Dl, Dt, Fieldset, Form};
    use Tag::{
        Legend, Li, Optgroup, Option, Pre, Table, Td, Textarea, Tfoot, Th, Thead, Tr, Ul, P,
    };
    use Tag::{H1, H2, H3, H4, H5, H6};
    matches!(tag, Blockquote | Body | Caption | Center | Col | Colgroup | Dd | Div | Dl | Dt)
        || matches!(tag, Fieldset | Form | Legend | Li | Optgroup | Option | P | Pre | Table | Td)
        || matches!(tag, Textarea | Tfoot | Th | Thead | Tr | Ul | H1 | H2 | H3 | H4 | H5 | H6)
}

/// Returns true for the text of a link that only says that its heading has an address.
pub(crate) fn is_permalink(text: &str) -> bool {
    matches!(text, "¶" | "#" | "§" | "🔗" | "⚓" | "∞")
}

/// An open level of the page tree without text so far.
const UNUSED: u32 = u32::MAX;
/// Marks where a line may be broken in scripts without spaces between words.
const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// Number of blocks, elements or marks that have memory at once: a vector that grows to it from
/// nothing is moved several times.
pub(crate) const ROOM: usize = 64;

/// Counts of a block up to the border of a link.
struct Counted {
    words: Words,
    linked_bytes: usize,
    links: u8,
    /// Position in the text.
    to: usize,
    /// True if a link begins there.
    in_link: bool,
}

/// Collects blocks from the events of the balanced tree.
#[derive(Default)]
pub(crate) struct Blocks {
    /// The text of all blocks, then that of the current block.
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) nodes: Vec<Node>,
    /// The title of the page's head.
    pub(crate) title: String,
    max_blocks: usize,
    /// True if words are not counted.
    pub(crate) without_words: bool,
    /// The differences of the displayed text from the blocks' text.
    pub(crate) flow: Flow,
    /// True if some level got no node.
    pub(crate) is_flat: bool,

    /// Position of the current block in `text`.
    start: usize,
    /// Counts of the current block, up to the beginning or end of its last link.
    counted: Option<Counted>,
    /// Tag level of the current block's first character. As in Boilerpipe, it stays if that
    /// character is discarded.
    first_level: Option<u32>,
    /// Node of the current block's first character, and [`Block::continues`].
    first_place: Option<(u32, bool)>,
    /// True if a paragraph ended after the last text.
    paragraph_ended: bool,
    /// True if a `<br>` followed the last text. Another one ends the paragraph.
    after_break: bool,
    /// True if the next text begins a new block.
    pending: bool,
    after_space: bool,
    /// True if the last block ended within a link.
    in_link: bool,
    last_started: Option<Tag>,

    level: u32,
    bodies: u32,
    ignored: u32,
    links: u32,
    items: u32,
    headings: u32,
    /// The open levels of the page tree: the index of each in `nodes`, or [`UNUSED`], and its
    /// marks.
    levels: Vec<(u32, Marks)>,
}

impl Blocks {
    pub(crate) fn new(max_blocks: usize) -> Self {
        Blocks {
            text: String::with_capacity(ROOM * size_of::<Block>()),
            blocks: Vec::with_capacity(ROOM),
            nodes: Vec::with_capacity(ROOM),
            levels: Vec::with_capacity(ROOM),
            flow: Flow::new(),
            max_blocks,
            ..Blocks::default()
        }
    }

    pub(crate) fn start(&mut self, tag: Tag, marks: Marks) -> Result<(), LimitHit> {
        let role = role(tag);
        if !matches!(role, Role::Inline | Role::SpacedInline) {
            self.level += 1;
        }
        if is_level(tag) {
            self.levels.push((UNUSED, Marks { tag, ..marks }));
        }
        if role != Role::Inline {
            self.separate(tag);
        }
        match role {
            Role::Block => self.pending = true,
            Role::Ignored => {
                self.ignored += 1;
                self.pending = true;
            }
            Role::Anchor => {
                self.links += 1;
                if self.ignored == 0 {
                    self.anchor(true);
                }
            }
            Role::Body => {
                self.flush()?;
                self.bodies += 1;
            }
            Role::ListItem => {
                self.items += 1;
                self.pending = true;
            }
            Role::Heading => {
                self.headings += 1;
                self.pending = true;
            }
            Role::Inline => {}
            Role::SpacedInline => self.invented_space(),
        }
        self.last_started = Some(tag);
        Ok(())
    }

    pub(crate) fn end(&mut self, tag: Tag) -> Result<(), LimitHit> {
        let role = role(tag);
        self.paragraph_ended |= role != Role::Inline && ends_paragraph(tag);
        match role {
            Role::Block | Role::ListItem | Role::Heading => self.pending = true,
            Role::Ignored => {
                self.ignored -= 1;
                self.pending = true;
            }
            Role::Anchor => {
                self.links -= 1;
                if self.links == 0 && self.ignored == 0 {
                    self.drop_permalink();
                    self.anchor(false);
                }
            }
            Role::Body => {
                self.flush()?;
                self.bodies -= 1;
            }
            Role::Inline => {}
            Role::SpacedInline => self.invented_space(),
        }
        if !matches!(role, Role::Inline | Role::SpacedInline) {
            self.level -= 1;
        }
        if self.pending {
            self.flush()?;
        }
        // Only now, because the block that ends here still belongs to the list item or heading.
        match role {
            Role::ListItem => self.items -= 1,
            Role::Heading => self.headings -= 1,
            _ => {}
        }
        if is_level(tag) {
            self.levels.pop();
        }
        Ok(())
    }

    pub(crate) fn text(&mut self, text: &str) -> Result<(), LimitHit> {
        if std::mem::take(&mut self.pending) {
            self.flush()?;
        }
        self.flow.formula_text(text);
        if self.ignored > 0 {
            if self.flow.shows() && !text.is_empty() {
                self.flow.text(text, self.text.len(), self.blocks.len());
            }
            return Ok(());
        }
        if text.is_empty() {
            return Ok(());
        }
        let mut rest = text;
        loop {
            let (run, after) = rest.split_at(run_length(rest));
            if !run.is_empty() {
                self.first_level.get_or_insert(self.level);
                if self.first_place.is_none() {
                    self.first_place = Some((self.node(), !self.paragraph_ended));
                    self.paragraph_ended = false;
                }
                self.after_break = false;
                self.flow.before_text(self.text.len());
                self.text.push_str(run);
                self.after_space = false;
                self.flow.found_text(self.blocks.len());
            }
            if after.is_empty() {
                return Ok(());
            }
            let (space, after) = after.split_at(space_length(after));
            // A block that ended has lost the space at its end.
            let was_cut = self.after_space && !self.text.ends_with(' ');
            // CSS Text 3, 4.1.3: a line break of the source beside one is no space.
            let is_joined = (self.text.ends_with(ZERO_WIDTH_SPACE)
                || after.starts_with(ZERO_WIDTH_SPACE))
                && space.contains('\n')
                && self.flow.folds_space();
            let added = self.space();
            if !is_joined {
                self.flow.space(space, added, was_cut, self.text.len(), self.blocks.len());
            } else if added {
                self.flow.invented(self.text.len());
            }
            rest = after;
        }
    }

    /// The end of the page.
    pub(crate) fn finish(&mut self) -> Result<(), LimitHit> {
        self.flush()
    }

    /// Notes whether the start tag of an element ends the paragraph.
    fn separate(&mut self, tag: Tag) {
        if tag == Tag::Br {
            self.paragraph_ended |= std::mem::replace(&mut self.after_break, true);
        } else {
            self.paragraph_ended |= ends_paragraph(tag);
        }
    }

    /// Adds a space to the text if it does not end with one. Returns true if one was added.
    fn space(&mut self) -> bool {
        let is_first = !std::mem::replace(&mut self.after_space, true);
        if is_first {
            self.text.push(' ');
        }
        is_first
    }

    /// Adds a space that is not in the source.
    fn invented_space(&mut self) {
        if self.space() {
            self.flow.invented(self.text.len());
        }
    }

    fn anchor(&mut self, begins: bool) {
        self.invented_space();
        let mut counted = self.count_rest();
        counted.in_link = begins;
        counted.links = counted.links.saturating_add(begins.into());
        self.counted = Some(counted);
    }

    /// Removes the text of a link that only says that its heading has an address: `¶`, `#` or the
    /// like, which browsers show when the pointer is on the heading. Sphinx has `¶` elsewhere too.
    fn drop_permalink(&mut self) {
        let from = match &self.counted {
            Some(counted) if counted.in_link => counted.to,
            // The block begins in the link.
            None if self.in_link => self.start,
            _ => return,
        };
        let in_heading = || self.levels.last().is_some_and(|(_, marks)| marks.tag.rank() > 0);
        match self.text.get(from..).map(str::trim) {
            Some("¶") => self.cut(from),
            Some(sign) if is_permalink(sign) && in_heading() => self.cut(from),
            _ => return,
        }
        self.after_space = true;
    }

    /// The node of the innermost open level. Levels without text get no node. If there are too many
    /// nodes, new levels get none, and their text belongs to the innermost level with a node.
    fn node(&mut self) -> u32 {
        const NODES_PER_BLOCK: usize = 3;
        /// Number of nodes that is always allowed.
        const MIN_NODES: usize = 10_000;
        let most = self.max_blocks.saturating_mul(NODES_PER_BLOCK).max(MIN_NODES);
        let used = self.levels.iter().rposition(|(node, _)| *node != UNUSED);
        let (mut parent, first) = match used {
            Some(at) => (self.levels[at].0, at + 1),
            None => (0, 0),
        };
        for (level, marks) in &mut self.levels[first..] {
            if self.nodes.len() >= most {
                self.is_flat = true;
                break;
            }
            let node = self.nodes.len() as u32;
            let depth = self.nodes.get(parent as usize).map_or(0, |node| node.depth + 1);
            self.nodes.push(Node { parent, depth, marks: *marks });
            *level = node;
            parent = node;
        }
        parent
    }

    /// The node of the innermost open level that has one.
    pub(crate) fn innermost(&self) -> u32 {
        let mut nodes = self.levels.iter().rev().map(|(node, _)| *node);
        nodes.find(|node| *node != UNUSED).unwrap_or(0)
    }

    /// Ends the current block.
    fn flush(&mut self) -> Result<(), LimitHit> {
        if self.bodies == 0 {
            let title = self.text[self.start..].trim();
            if self.last_started == Some(Tag::Title) && !title.is_empty() {
                self.title = title.to_owned();
                cut(&mut self.title, MAX_TITLE);
                self.title.shrink_to_fit();
            }
            self.discard();
            return Ok(());
        }
        let length = self.text.len() - self.start;
        if self.counted.is_none() && (length == 0 || length == 1 && self.after_space) {
            self.discard();
            return Ok(());
        }
        if self.text[self.start..].chars().all(|c| matches!(c, ' ' | '\u{2063}')) {
            // Links without text so far: the following text is in the last of them, unless it has
            // ended.
            if let Some(counted) = &self.counted {
                self.in_link = counted.in_link;
            }
            self.discard();
            return Ok(());
        }
        let Counted { words, linked_bytes, links, in_link, .. } = self.count_rest();
        self.in_link = in_link;
        let (wrapped_words, wrapped_lines) = words.wrapped();
        let raw = &self.text.as_bytes()[self.start..];
        let is_text = |byte: &u8| *byte > b' ';
        let from = raw.iter().position(is_text).unwrap_or(0);
        let to = raw.iter().rposition(is_text).map_or(0, |last| last + 1);
        let range = self.start + from..self.start + to;
        let level = self.first_level.take().unwrap_or_default();
        let (node, continues) = match self.first_place.take() {
            Some(place) => place,
            None => (self.node(), false),
        };
        if self.blocks.len() >= self.max_blocks {
            return Err(LimitHit::Blocks);
        }
        self.start = range.end;
        self.cut(range.end);
        self.counted = None;
        self.blocks.push(Block {
            text: range,
            node,
            level,
            words: words.words,
            linked_words: words.linked,
            wrapped_words,
            wrapped_lines,
            linked_bytes: linked_bytes as u32,
            in_list: self.items > 0,
            in_heading: self.headings > 0,
            continues,
            links,
        });
        Ok(())
    }

    fn discard(&mut self) {
        self.cut(self.start);
        self.counted = None;
        self.first_place = None;
    }

    fn cut(&mut self, length: usize) {
        if length < self.text.len() {
            self.flow.cut(length, &self.text[length..]);
            self.text.truncate(length);
        }
    }

    /// Counts the uncounted part of the current block.
    fn count_rest(&mut self) -> Counted {
        let fresh = Counted {
            words: Words::default(),
            linked_bytes: 0,
            links: self.in_link.into(),
            to: self.start,
            in_link: self.in_link,
        };
        let mut counted = self.counted.take().unwrap_or(fresh);
        if !self.without_words {
            counted.words.add(&self.text[counted.to..], counted.in_link);
        }
        counted.linked_bytes += if counted.in_link { self.text.len() - counted.to } else { 0 };
        counted.to = self.text.len();
        counted
    }
}

#[cfg(test)]
mod tests {
    use crate::{parse, Limits};

    #[test]
    fn the_first_block_of_a_page_with_a_title_is_in_its_own_element() {
        let html = "<html><head><title>T</title></head><body><div><p>one</p><p>two</p></div>";
        let page = parse(html, &Limits::default());
        let parent = |at: usize| page.nodes[page.blocks[at].node as usize].parent;
        assert_eq!((page.text_of(&page.blocks[0]), parent(0)), ("one", parent(1)));
        assert_ne!(page.blocks[0].node, page.blocks[1].node);
    }
}
