//! The text of a page as a reader sees it, beside the blocks of [`crate::blocks`].
//!
//! Blocks are those of Boilerpipe, because extractors were made for them: a `<mark>` ends one, and
//! a link has a space on either side. Readers see other lines. So [`Flow`] keeps the elements open
//! that a browser has open, and notes at positions in the text of the blocks what they differ in:
//! where lines end, which spaces are not in the source, and which text is not displayed.
//! [`crate::lines`] writes the text that follows.

use crate::blocks::ROOM;
use crate::display::{self, Display, Own, Space};
use crate::math::{between_dollars, Formula};
use crate::opened::has_word;
use crate::shape::{Element, Role, Shapes};
use crate::source::SourceTag;
use crate::tags::Tag;
use std::ops::Range;

/// A difference between the blocks' text and what is displayed, at a position in that text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// The space here is not in the source.
    Invented,
    /// White space that the text lacks.
    Space,
    /// A picture or a field: white space around it is not folded.
    Replaced,
    /// A cell begins after another.
    Tab,
    /// A line ends at a `<br>`.
    Break,
    /// A line ends at the border of a block.
    Block,
    /// Text from here on is not displayed.
    Hide,
    /// Text from here on is displayed again.
    Show,
    /// Text that the blocks lack, by its index in [`Flow::more`].
    More(u32),
    /// The same, with white space that is kept.
    Kept(u32),
    /// A formula, by its index in [`Flow::more`].
    Formula(u32),
    /// An element begins, by its index in [`Flow::shapes`].
    Open(u32),
    /// An element ends.
    Close(u32),
}

/// A difference and its position, in bytes of the blocks' text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) at: u32,
    pub(crate) what: What,
}

/// Text that is displayed but not in the blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct More {
    pub(crate) text: Range<usize>,
    /// The number of the block that it is judged with.
    pub(crate) block: u32,
    /// It is not only white space.
    has_text: bool,
}

/// An open element.
#[derive(Debug, Clone, Copy)]
struct Open {
    tag: Tag,
    /// A hash of the name, if the element has no tag of its own.
    name: u32,
    display: Display,
    is_special: bool,
    is_hidden: bool,
    /// It is hidden by `visibility` only.
    is_invisible: bool,
    /// The elements that hide it by `visibility`, if it is visible nevertheless.
    hidden_around: u32,
    /// Treatment of white space around it.
    space_around: Space,
    /// Its children are blocks.
    has_blocks: bool,
    /// A cell of the row has begun.
    has_cell: bool,
    /// Its index in [`Flow::shapes`], or [`NONE`].
    shape: u32,
    /// How often it has continued behind the end of formatting around it.
    continued: u8,
}

const NONE: u32 = u32::MAX;

/// Marks that are always allowed. Beyond, they must be in proportion to text and blocks.
const MIN_MARKS: usize = 20_000;

/// Hidden elements that may wait for a script.
const MAX_WAITING: usize = 64;

/// Elements that are open at once. Deeper ones are read as if they had no tags.
const MAX_OPEN: usize = 512;

/// Marks at one position, such as those of empty cells.
const MAX_HERE: usize = 256;

/// An element that its attributes hide, and that no other one hides.
#[derive(Debug, Clone)]
pub(crate) struct Hidden {
    /// Position of its text.
    pub(crate) text: Range<usize>,
    /// The address of its start tag in memory.
    pub(crate) tag: usize,
    /// It has a heading of the first rank, or is or has the main part of the page, or is directly
    /// in it.
    pub(crate) has_main: bool,
}

/// Returns true for a class name of text that only screen readers show, in widespread style sheets:
/// `sr-only`, `visually-hidden`, `govuk-visually-hidden`, `elementor-screen-only`.
fn is_for_screen_readers(class: &str) -> bool {
    const ENDS: [&str; 7] = [
        "sr-only",
        "visually-hidden",
        "visuallyhidden",
        "screen-reader-text",
        "screen-reader-only",
        "screenreader-only",
        "screen-only",
    ];
    // Most names end in another letter.
    class.ends_with(['y', 'n', 't', 'Y', 'N', 'T'])
        && ENDS.iter().any(|end| {
            let start = class.len().checked_sub(end.len());
            start.and_then(|at| class.get(at..)).is_some_and(|last| last.eq_ignore_ascii_case(end))
        })
}

/// Returns true for the start tag of a dialog, a menu or a form, which wait for a reader.
fn is_of_reader(source: &SourceTag<'_>) -> bool {
    const ELEMENTS: [&str; 6] = ["nav", "footer", "aside", "form", "dialog", "pre"];
    const WORDS: [&str; 15] = [
        "dialog",
        "alertdialog",
        "modal",
        "popup",
        "cookie",
        "cookies",
        "consent",
        "gdpr",
        "menu",
        "nav",
        "navigation",
        "login",
        "search",
        "banner",
        "footer",
    ];
    ELEMENTS.iter().any(|name| source.name().eq_ignore_ascii_case(name))
        || ["role", "class", "id"].into_iter().any(|name| has_word(source, name, &WORDS))
}

/// Most formatting on a page that begins again, because each costs as much as a tag.
const MAX_AGAIN: u32 = 5000;

/// Collects the differences between the blocks' text and what a browser displays.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flow {
    /// In the order of their positions.
    pub(crate) marks: Vec<Mark>,
    pub(crate) more: Vec<More>,
    /// The texts of [`Flow::more`].
    pub(crate) extra: String,
    /// The elements of the text, if the structure of the page is requested.
    pub(crate) shapes: Option<Shapes>,
    /// True if `<template>` elements that are read are displayed.
    pub(crate) shows_templates: bool,
    /// The formula that is being read.
    formula: Option<Box<Formula>>,
    /// The number of the current block.
    block: usize,
    open: Vec<Open>,
    /// Formatting that a block has ended before its end tag. It begins again with the next text.
    ended: Vec<Open>,
    /// How much formatting has begun again.
    begun_again: u32,
    /// Open elements that hide their content.
    hidden: u32,
    /// Those of them that hide it by `visibility` only.
    invisible: u32,
    /// Open tables.
    tables: u32,
    paragraphs: u32,
    /// A cell has ended, and no text has followed.
    after_cell: bool,
    /// Open elements that end before another of their kind.
    links: u32,
    /// Open pictures and formulas.
    foreign: u32,
    /// Open elements beyond [`MAX_OPEN`].
    deeper: u32,
    /// Treatment of white space here.
    white_space: Space,
    /// A `<pre>` has just begun: a line break at its beginning is not displayed.
    begins_pre: bool,
    /// These elements, in order, but those that wait for a reader, not for a script.
    pub(crate) waiting: Vec<Hidden>,
    /// The one of them that is open, with the beginning of its text.
    open_waiting: Option<Hidden>,
    /// Marks at the last position.
    here: usize,
    /// Room for marks that are moved.
    moved: Vec<Mark>,
}

impl Flow {
    pub(crate) fn new() -> Self {
        let (marks, open) = (Vec::with_capacity(ROOM), Vec::with_capacity(ROOM));
        Self { marks, open, ..Self::default() }
    }

    /// Returns true if text is displayed here.
    pub(crate) fn shows(&self) -> bool {
        self.hidden == 0
    }

    /// Positions of the text that is not displayed, in order.
    pub(crate) fn hidden_text(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut start = 0;
        self.marks.iter().filter_map(move |mark| match mark.what {
            What::Hide => {
                start = mark.at as usize;
                None
            }
            What::Show => Some(start..mark.at as usize),
            _ => None,
        })
    }

    /// Ends the page, whose text has this length.
    pub(crate) fn finish(mut self, at: usize) -> Flow {
        self.close_all(at);
        let Flow { marks, more, extra, shapes, waiting, .. } = self;
        Flow { marks, more, extra, shapes, waiting, ..Flow::default() }
    }

    /// Closes all open elements, so that nothing hides what is added behind them.
    pub(crate) fn close_all(&mut self, at: usize) {
        while !self.open.is_empty() {
            self.pop(at);
        }
    }

    /// Notes a mark at the end of a text of this length.
    fn mark(&mut self, at: usize, what: What) {
        let at = at as u32;
        let last = self.marks.last().filter(|last| last.at == at).map(|last| last.what);
        match (last, what) {
            (Some(What::Hide), What::Show) => {
                self.marks.pop();
                return;
            }
            (Some(What::Block), What::Block | What::Break | What::Space) => return,
            (Some(What::Break), What::Space) => return,
            (Some(What::Break), What::Break) if !self.may_end_paragraph(at) => return,
            (Some(What::Break), What::Break) => {}
            (Some(What::Space), What::Space) => return,
            (Some(What::Replaced), What::Replaced) => return,
            (Some(What::Break | What::Space), What::Block | What::Break) => {
                self.marks.pop();
                return self.mark(at as usize, what);
            }
            _ => {}
        }
        let is_text = self.is_text(what);
        self.here = if last.is_some() && !is_text { self.here + 1 } else { 0 };
        if self.here < MAX_HERE || is_needed(what) {
            self.marks.push(Mark { at, what });
        }
    }

    /// Returns true for a mark with text that the blocks lack.
    fn is_text(&self, what: What) -> bool {
        let (What::More(number) | What::Kept(number) | What::Formula(number)) = what else {
            return false;
        };
        self.more.get(number as usize).is_some_and(|more| more.has_text)
    }

    /// Returns true if a second break here is needed: two end a paragraph in Markdown.
    fn may_end_paragraph(&self, at: u32) -> bool {
        let is_break = |mark: &Mark| mark.at == at && mark.what == What::Break;
        self.shapes.is_some() && !self.marks.iter().nth_back(1).is_some_and(is_break)
    }

    /// Returns true if there may be more marks that only change white space.
    fn has_room(&self, at: usize, blocks: usize) -> bool {
        self.marks.len() < MIN_MARKS + at / 16 + 8 * blocks
    }

    /// Handles a start tag, after the text before it has this length.
    ///
    /// # Parameters
    ///
    /// `own`: the changes by its attributes. `is_displayed`: they do not hide it, whatever they
    /// say.
    pub(crate) fn start(
        &mut self,
        source: &SourceTag<'_>,
        tag: Tag,
        mut own: Own,
        is_displayed: bool,
        at: usize,
    ) {
        self.begins_pre = false;
        let kind = display::of(tag, source.name());
        match kind.display {
            Display::Break if own.is_hidden && !own.is_invisible => return,
            Display::Break => return self.shown(at, What::Break),
            Display::Nothing => return,
            Display::Replaced => return self.replaced(source, tag, own, at),
            _ => {}
        }
        if !display::may_be_in_head(tag, source.name()) {
            self.end_head(at);
        }
        if let Some(formula) = &mut self.formula {
            formula.start(source.name(), source.attribute("encoding").as_deref());
        }
        if display::is_part_of_table(tag) && self.tables == 0 || self.is_misplaced(tag) {
            return;
        }
        if kind.ends_paragraph && self.paragraphs > 0 {
            self.end_paragraph(at);
        }
        if tag.rank() > 0 && self.open.last().is_some_and(|open| open.tag.rank() > 0) {
            self.pop(at);
        }
        if is_link(tag) {
            self.ended.retain(|open| open.tag != tag);
        }
        if self.links > 0 && is_link(tag) {
            // A link in a link, or a `nobr` in another, ends the one that is open.
            let is_near = |open: &Open| open.tag == tag || bounds(tag, open.tag);
            let place = self.open.iter().rposition(is_near);
            if let Some(place) = place.filter(|place| self.open[*place].tag == tag) {
                self.end_at(place, tag, at);
            }
        }
        self.end_item(display::ends_items(tag), at);
        if let Some((ended, bounds)) = display::ends(tag) {
            self.end_one_of(ended, bounds, at);
        }
        if kind.display == Display::Rule {
            self.shown(at, What::Block);
            let rule = self.shape(source, tag, at);
            self.close(rule, at);
            return self.shown(at, What::Block);
        }
        if is_displayed {
            (own.is_hidden, own.is_invisible) = (false, false);
        }
        self.push(source, tag, kind, own, at);
    }

    /// A picture or a field. The TeX of a picture of a formula is text.
    fn replaced(&mut self, source: &SourceTag<'_>, tag: Tag, own: Own, at: usize) {
        if !self.shows() || !self.has_room(at, self.block) || own.is_hidden {
            return;
        }
        let is_formula = |class: &str| class.contains("mwe-math") || class.contains("latex");
        if tag == Tag::Img && source.attribute("class").is_some_and(|class| is_formula(&class)) {
            if let Some(tex) = source.attribute("alt") {
                let is_display = source.attribute("class").is_some_and(|c| c.contains("display"));
                return self.formula(&between_dollars(&tex, is_display), at);
            }
        }
        self.mark(at, What::Replaced);
        let shape = self.shape(source, tag, at);
        self.close(shape, at);
    }

    fn formula(&mut self, tex: &str, at: usize) {
        if !tex.is_empty() {
            let number = self.add_more(tex, self.block);
            self.mark(at, What::Formula(number));
        }
    }

    /// Notes the beginning of an element if the structure is requested. Returns its index.
    fn shape(&mut self, source: &SourceTag<'_>, tag: Tag, at: usize) -> u32 {
        if !self.shows() {
            return NONE;
        }
        let Some(shapes) = &mut self.shapes else { return NONE };
        let Some(mut element) = Element::of(source, tag) else { return NONE };
        if tag == Tag::Tr && self.open.last().is_some_and(|open| open.tag == Tag::Tfoot) {
            element.role = Role::Row(true);
        }
        let number = shapes.add(element);
        self.mark(at, What::Open(number));
        number
    }

    fn close(&mut self, shape: u32, at: usize) {
        if shape != NONE {
            self.mark(at, What::Close(shape));
        }
    }

    /// Text or an element of the body follows, which ends a head. Deeper elements of the head hide
    /// with it.
    pub(crate) fn end_head(&mut self, at: usize) {
        if self.open.last().is_some_and(|open| open.tag == Tag::Head) {
            self.pop(at);
        }
    }

    /// Returns true for a tag that a browser ignores at its place.
    fn is_misplaced(&self, tag: Tag) -> bool {
        match tag {
            Tag::Html | Tag::Body | Tag::Frameset => !self.open.is_empty(),
            // The standard ignores it in the body.
            Tag::Head => !self.open.iter().all(|open| open.tag == Tag::Html),
            _ => false,
        }
    }

    fn push(&mut self, source: &SourceTag<'_>, tag: Tag, kind: display::Kind, own: Own, at: usize) {
        let name = if tag == Tag::Unknown { hash(source.name()) } else { 0 };
        if self.open.len() >= MAX_OPEN {
            self.deeper += 1;
            self.border(kind.display, at);
            return;
        }
        let is_gone = self.is_gone(source, tag, name, kind.display, own.is_open);
        let is_hidden = own.is_hidden || is_gone;
        let is_only_invisible = own.is_invisible && !is_gone;
        let hidden_around = if own.is_visible && !is_hidden { self.reveal(at) } else { 0 };
        let is_in_blocks = self.open.last().is_some_and(|open| open.has_blocks)
            || self.foreign > 0 && name == TEXT;
        let display = own.display_of(kind.display, is_in_blocks);
        if is_hidden {
            if kind.display == Display::Fallback && !own.is_hidden {
                self.shown(at, What::Replaced);
            }
            self.invisible += u32::from(is_only_invisible);
            self.begin_hidden(source, is_gone, at);
        } else {
            self.begin_shown(name, kind.display, display, at);
        }
        if let Some(waiting) = &mut self.open_waiting {
            waiting.has_main |= tag == Tag::H1
                || ["main", "article"].iter().any(|name| source.name().eq_ignore_ascii_case(name));
        }
        let shape = match self.is_without_shape(tag, kind.display, display) {
            true => NONE,
            false => self.shape(source, tag, at),
        };
        if self.formula.is_none() && self.hidden == u32::from(is_hidden) {
            self.begin_formula(source, tag, name, is_hidden, at);
        }
        self.enter(Open {
            tag,
            name,
            shape,
            display,
            is_special: kind.is_special,
            is_hidden,
            is_invisible: is_only_invisible,
            hidden_around,
            space_around: self.white_space,
            has_blocks: own.has_blocks,
            has_cell: false,
            continued: 0,
        });
        self.white_space = match own.space {
            Some(space) => space,
            None if kind.keeps_space => Space::Keeps,
            None if matches!(tag, Tag::Table | Tag::Nobr) => Space::Folds,
            None => self.white_space,
        };
        self.begins_pre = matches!(tag, Tag::Pre | Tag::Listing);
        if source.is_self_closing && self.foreign > 0 {
            self.pop(at);
        }
    }

    /// Returns true for an element that is no part of the text's structure: a block whose style
    /// makes it a part of a line, and one between the parts of a table, which browsers move before
    /// the table. `usual`: its display without a style.
    fn is_without_shape(&self, tag: Tag, usual: Display, display: Display) -> bool {
        let is_plain =
            matches!(tag, Tag::Div | Tag::Center | Tag::Form | Tag::Fieldset | Tag::Unknown);
        let is_part = |tag: Tag| tag == Tag::Table || display::is_part_of_table(tag);
        let is_between = || self.is_between_cells() && !is_part(tag);
        usual == Display::Block
            && display == Display::Inline
            && (is_plain || matches!(tag, Tag::P | Tag::Li))
            || (is_plain || usual == Display::Inline) && self.tables > 0 && is_between()
    }

    /// Returns true directly in a table or a row, outside of its cells.
    fn is_between_cells(&self) -> bool {
        let last = self.open.last().map(|open| open.tag);
        last.is_some_and(|last| {
            last == Tag::Table
                || display::is_part_of_table(last)
                    && !matches!(last, Tag::Td | Tag::Th | Tag::Caption)
        })
    }

    /// Begins an element that is displayed. `usual`: its display without a style.
    fn begin_shown(&mut self, name: u32, usual: Display, display: Display, at: usize) {
        if name == SVG {
            self.shown(at, What::Replaced);
        } else if display == Display::Cell {
            self.cell(usual == Display::Cell, at);
        } else if display == Display::Inline {
            self.before_text(at);
        } else {
            self.border(display, at);
        }
    }

    /// Counts an open element; [`Flow::leave`] does the reverse.
    fn enter(&mut self, open: Open) {
        self.tables += u32::from(open.tag == Tag::Table);
        self.paragraphs += u32::from(open.tag == Tag::P);
        self.links += u32::from(is_link(open.tag));
        self.foreign += u32::from(is_foreign(&open));
        self.open.push(open);
    }

    /// Returns true for an element without text for a reader, whatever its style is.
    ///
    /// # Parameters
    ///
    /// `name`: the hash of a name without a `Tag`. `is_open`: of a `<dialog>`.
    fn is_gone(
        &self,
        source: &SourceTag<'_>,
        tag: Tag,
        name: u32,
        display: Display,
        is_open: bool,
    ) -> bool {
        let is_shown_template = || {
            name == TEMPLATE
                && (self.shows_templates || source.attribute("shadowrootmode").is_some())
        };
        let is_note = || self.foreign > 0 && [DESC, METADATA, DEFS].contains(&name);
        display == Display::Hidden && !is_shown_template()
            || self.is_beside_text(source, tag, display)
            // It copies the code to the clipboard.
            || tag == Tag::Button && self.white_space == Space::Keeps
            || display == Display::Fallback
            || is_note()
            || !is_open && name != 0 && source.name().eq_ignore_ascii_case("dialog")
    }

    /// Begins an element that is not displayed; the outermost one may be a page that waits for its
    /// script.
    fn begin_hidden(&mut self, source: &SourceTag<'_>, is_gone: bool, at: usize) {
        self.hidden += 1;
        if self.hidden == 1 {
            self.mark(at, What::Hide);
            let tag = source.source.as_ptr() as usize;
            let waits = !is_gone && self.waiting.len() < MAX_WAITING && !is_of_reader(source);
            let is_main = |open: &Open| [MAIN, ARTICLE].contains(&open.name);
            let has_main = self.open.last().is_some_and(is_main);
            self.open_waiting = waits.then_some(Hidden { text: at..at, tag, has_main });
        }
    }

    /// Returns true for what style sheets hide or set apart within text: the second display of a
    /// formula by KaTeX or MathJax, the numbers of lines of code, links to edit a section, and words
    /// for screen readers in a line, such as `(opens in a new tab)`. Whole blocks for screen readers
    /// are left to extractors.
    fn is_beside_text(&self, source: &SourceTag<'_>, tag: Tag, display: Display) -> bool {
        // MathJax 3 has the drawn formula and one in MathML in the same container.
        if let Some(part) = source.name().strip_prefix("mjx-") {
            return part == "math";
        }
        let Some(class) = source.class().filter(|_| self.shows()) else { return false };
        let mut names = class.split_ascii_whitespace();
        names.any(|name| match name {
            "katex-html" | "MathJax_Preview" | "MathJax" | "MathJax_Display" => true,
            "lineno" | "linenos" | "linenodiv" | "line-number" | "lnt" => true,
            "rouge-gutter" | "crayon-nums" | "blob-num" | "hljs-ln-numbers" => true,
            "CodeMirror-gutter-wrapper" | "cm-gutters" | "ace_gutter" => true,
            "react-syntax-highlighter-line-number" | "margin-view-overlays" => true,
            "line_numbers" | "gutter" => matches!(tag, Tag::Td | Tag::Pre),
            // Links to edit a section of a wiki, and from a reference back to its marks.
            "mw-editsection" | "editsection" | "mw-cite-backlink" => true,
            // The button of a long quotation in forums of XenForo.
            "bbCodeBlock-expandLink" => true,
            // Numbers of pages of a printed book, which stand in the margin.
            "pagenum" | "pageno" => display == Display::Inline,
            "ln" => self.white_space == Space::Keeps,
            _ => display == Display::Inline && is_for_screen_readers(name),
        })
    }

    /// Begins a formula at `<math>` or at a script with TeX. The element's own text is hidden.
    fn begin_formula(
        &mut self,
        source: &SourceTag<'_>,
        tag: Tag,
        name: u32,
        is_hidden: bool,
        at: usize,
    ) {
        if tag == Tag::Unknown && name == MATH && !is_hidden {
            let is_display = source.attribute("display").is_some_and(|value| value == "block");
            let stated = source.attribute("alttext").map(|tex| tex.into_owned());
            self.formula = Some(Box::new(Formula::new(stated, is_display)));
            self.mark(at, What::Hide);
            self.hidden += 1;
        } else if tag == Tag::Script {
            let kind = source.attribute("type").unwrap_or_default();
            if kind.starts_with("math/tex") {
                let is_display = kind.contains("mode=display");
                self.formula = Some(Box::new(Formula::new(None, is_display)));
            }
        }
    }

    /// Ends the formula with its element.
    fn end_formula(&mut self, open: &Open, at: usize) {
        let is_math = open.tag == Tag::Unknown && open.name == MATH;
        if !is_math && open.tag != Tag::Script {
            return;
        }
        let Some(formula) = self.formula.take() else { return };
        if is_math {
            self.hidden -= 1;
            self.mark(at, What::Show);
        }
        if self.shows() {
            self.formula(&formula.finish(), at);
        }
    }

    /// Text of a formula. Returns true if there is one.
    pub(crate) fn formula_text(&mut self, text: &str) {
        if let Some(formula) = &mut self.formula {
            formula.text(text);
        }
    }

    fn border(&mut self, display: Display, at: usize) {
        if matches!(display, Display::Block | Display::Row) {
            self.shown(at, What::Block);
        }
    }

    /// A cell begins. `is_of_table`: by its element, not by its style.
    fn cell(&mut self, is_of_table: bool, at: usize) {
        const ROWS: [Tag; 5] = [Tag::Tr, Tag::Tbody, Tag::Thead, Tag::Tfoot, Tag::Table];
        // No formatting continues into a cell.
        self.ended.clear();
        // Without a row around it, cells with the same parent make one.
        let row = match is_of_table {
            true => self.open.iter_mut().rev().find(|open| ROWS.contains(&open.tag)),
            false => self.open.last_mut(),
        };
        let is_next = row.is_some_and(|row| std::mem::replace(&mut row.has_cell, true));
        self.shown(at, if is_next { What::Tab } else { What::Block });
    }

    fn shown(&mut self, at: usize, what: What) {
        if self.shows() {
            self.mark(at, what);
        }
    }

    /// Handles an end tag, after the text before it has this length.
    pub(crate) fn end(&mut self, name: &str, tag: Tag, at: usize) {
        self.begins_pre = false;
        match tag {
            Tag::Body | Tag::Html => return,
            Tag::Br => return self.shown(at, What::Break),
            Tag::P if self.paragraphs == 0 => return self.shown(at, What::Block),
            _ => {}
        }
        if self.deeper > 0 {
            self.deeper -= 1;
            return self.border(display::of(tag, name).display, at);
        }
        let is_special = display::of(tag, name).is_special;
        if let Some(formula) = &mut self.formula {
            formula.end(name);
        }
        let name = if tag == Tag::Unknown { hash(name) } else { 0 };
        let is_it = |open: &Open| {
            open.tag == tag && open.name == name || tag.rank() > 0 && open.tag.rank() > 0
        };
        let is_formatting = is_formatting(tag);
        // The end tag of formatting that a block has ended already.
        if let Some(place) = self.ended.iter().rposition(&is_it) {
            self.ended.remove(place);
            return;
        }
        let mut places = self.open.iter().enumerate().rev();
        let place = loop {
            match places.next() {
                Some((place, open)) if is_it(open) => break place,
                Some((_, open)) if bounds(tag, open.tag) => return,
                // The end tags of other inline elements end no block.
                Some((_, open)) if open.is_special && !is_special && !is_formatting => return,
                Some(_) => {}
                None => return,
            }
        };
        self.end_at(place, tag, at);
    }

    /// Ends the open element at this place, which has this tag.
    fn end_at(&mut self, place: usize, tag: Tag, at: usize) {
        if is_formatting(tag) && self.open[place + 1..].iter().any(|open| open.is_special) {
            // Formatting ends, and the block in it stays open.
            let open = self.open.remove(place);
            let white_space = self.white_space;
            self.leave(&open, at);
            self.white_space = white_space;
            return;
        }
        // Formatting in a cell ends with it.
        let is_cell = |open: &Open| matches!(open.tag, Tag::Td | Tag::Th | Tag::Caption);
        let crossed = match self.open[place..].iter().any(is_cell) {
            true => Vec::new(),
            false => self.crossed(place),
        };
        while self.open.len() > place {
            self.pop(at);
        }
        if !is_formatting(tag) {
            self.ended.extend(crossed);
            return;
        }
        self.begin_again(crossed, at);
    }

    /// Begins formatting again that has ended before its end tag.
    fn begin_again(&mut self, formatting: Vec<Open>, at: usize) {
        for open in formatting {
            let Some(shapes) = self.shapes.as_mut().filter(|_| self.begun_again < MAX_AGAIN) else {
                return;
            };
            let shape = shapes.add_again(open.shape);
            self.begun_again += 1;
            self.mark(at, What::Open(shape));
            let continued = open.continued + 1;
            self.enter(Open { shape, space_around: self.white_space, continued, ..open });
        }
    }

    /// The formatting that continues behind the end of the one at this place, as in
    /// `<b>oak <i>elm</b> ash</i>`. It matters only to the structure.
    fn crossed(&self, place: usize) -> Vec<Open> {
        /// Most elements that continue, and most of one kind in each other, as in browsers.
        const MOST: usize = 3;
        /// The elements around that are looked at.
        const NEAREST: usize = 9;
        /// An element continues this often at most.
        const TIMES: u8 = 4;
        let (around, inside) = (&self.open[..place], &self.open[place + 1..]);
        if self.shapes.is_none() || inside.is_empty() || !self.shows() {
            return Vec::new();
        }
        let is_rare = |tag: Tag| {
            let nearest = around.iter().rev().take(NEAREST);
            nearest.filter(|open| open.tag == tag).count() < MOST
        };
        let continues = |open: &&Open| {
            is_formatting(open.tag)
                && open.shape != NONE
                && open.continued < TIMES
                && open.display == Display::Inline
                && open.hidden_around == 0
                && is_rare(open.tag)
        };
        let continued: Vec<Open> =
            inside.iter().rev().filter(continues).take(MOST).copied().collect();
        continued.into_iter().rev().collect()
    }

    fn end_paragraph(&mut self, at: usize) {
        const BOUNDS: [Tag; 7] =
            [Tag::Td, Tag::Th, Tag::Table, Tag::Caption, Tag::Button, Tag::Object, Tag::Marquee];
        self.end_one_of(&[Tag::P], &BOUNDS, at);
    }

    /// Ends the open item of a list, if only inline elements, `div`, `p` and `address` are open in
    /// it.
    fn end_item(&mut self, items: &[Tag], at: usize) {
        let is_border = |open: &&Open| {
            items.contains(&open.tag)
                || open.is_special && !matches!(open.tag, Tag::Address | Tag::Div | Tag::P)
        };
        if items.is_empty() {
            return;
        }
        let place = self.open.iter().rposition(|open| is_border(&open));
        let place = place.filter(|place| items.contains(&self.open[*place].tag));
        while place.is_some_and(|place| self.open.len() > place) {
            self.pop(at);
        }
    }

    /// Ends the nearest open element of a set, if none of the bounds is nearer.
    fn end_one_of(&mut self, ended: &[Tag], bounds: &[Tag], at: usize) {
        let near = self.open.iter().rposition(|open| bounds.contains(&open.tag));
        let near = near.map_or(0, |near| near + 1);
        let Some(found) = self.open[near..].iter().position(|open| ended.contains(&open.tag))
        else {
            return;
        };
        let crossed = if ended == [Tag::P] { self.crossed(near + found) } else { Vec::new() };
        while self.open.len() > near + found {
            self.pop(at);
        }
        self.ended.extend(crossed);
    }

    fn pop(&mut self, at: usize) {
        if let Some(open) = self.open.pop() {
            self.leave(&open, at);
        }
    }

    fn leave(&mut self, open: &Open, at: usize) {
        self.tables -= u32::from(open.tag == Tag::Table);
        self.after_cell = matches!(open.tag, Tag::Td | Tag::Th);
        self.paragraphs -= u32::from(open.tag == Tag::P);
        self.links -= u32::from(is_link(open.tag));
        self.foreign -= u32::from(is_foreign(open));
        self.white_space = open.space_around;
        self.close(open.shape, at);
        if open.is_hidden {
            self.hidden -= 1;
            self.invisible -= u32::from(open.is_invisible);
            if self.hidden == 0 {
                self.mark(at, What::Show);
                self.end_waiting(at);
            }
            self.end_formula(open, at);
        } else {
            self.end_formula(open, at);
            self.border(open.display, at);
            if open.hidden_around > 0 {
                self.hidden = open.hidden_around;
                self.invisible = open.hidden_around;
                self.mark(at, What::Hide);
            }
        }
    }

    fn end_waiting(&mut self, at: usize) {
        if let Some(mut hidden) = self.open_waiting.take() {
            hidden.text.end = at;
            self.waiting.push(hidden);
        }
    }

    /// Shows a visible element in ones that only `visibility` hides. Returns their number.
    fn reveal(&mut self, at: usize) -> u32 {
        if self.hidden == 0 || self.hidden != self.invisible {
            return 0;
        }
        self.invisible = 0;
        // The page is in the visible element, so the rest waits for no script.
        self.open_waiting = None;
        self.mark(at, What::Show);
        std::mem::take(&mut self.hidden)
    }

    /// A space that no source has was added to the text, which has this length with it.
    pub(crate) fn invented(&mut self, length: usize) {
        self.mark(length - 1, What::Invented);
    }

    /// White space of the source follows a space, which ends the text of this length. So that one
    /// is not invented.
    pub(crate) fn found_space(&mut self, length: usize) {
        let Some(place) = length.checked_sub(1) else { return };
        let after = self.after(place);
        // Or other white space of the source stands for it.
        let next = self.marks.get(after).map(|mark| mark.what);
        let is_replaced = matches!(next, Some(What::More(_) | What::Kept(_)));
        if self.is_invented(after, place) && !is_replaced {
            self.marks.remove(after - 1);
        }
    }

    /// The number of marks up to this position, which is nearly always that of one of the last.
    /// There may be very many at one position, so the steps back become longer.
    fn after(&self, place: usize) -> usize {
        let is_after = |mark: &Mark| mark.at as usize > place;
        let (mut from, mut step) = (self.marks.len(), 1);
        while from > 0 && is_after(&self.marks[from - 1]) {
            from = from.saturating_sub(step);
            step *= 2;
        }
        from + self.marks[from..].partition_point(|mark| !is_after(mark))
    }

    /// Returns true if the space at this position, which this number of marks are up to, is
    /// invented. That mark is the last one there, because the next text is after the space.
    fn is_invented(&self, after: usize, place: usize) -> bool {
        let last = self.marks[..after].last();
        last.is_some_and(|mark| mark.at as usize == place && mark.what == What::Invented)
    }

    /// Returns true if runs of white space are one space here.
    pub(crate) fn folds_space(&self) -> bool {
        self.white_space == Space::Folds
    }

    /// Notes white space of the source: as written, whether a space was added to the text of this
    /// length for it, and whether the text has lost the one that it had.
    pub(crate) fn space(
        &mut self,
        written: &str,
        added: bool,
        was_cut: bool,
        length: usize,
        blocks: usize,
    ) {
        let is_first = std::mem::take(&mut self.begins_pre);
        if !self.shows() || !self.has_room(length, blocks) {
            return;
        }
        let keeps_lines = self.white_space == Space::KeepsLines && written.contains('\n');
        if keeps_lines {
            let lines: String = written.chars().filter(|c| *c == '\n').collect();
            self.replaced_space(&lines, added, length, blocks, What::Kept);
        } else if self.white_space == Space::Keeps {
            let written = match is_first {
                true => written.strip_prefix("\r\n").or(written.strip_prefix('\n')),
                false => None,
            }
            .unwrap_or(written);
            self.replaced_space(written, added, length, blocks, What::Kept);
        } else if !written.is_ascii() {
            self.replaced_space(written, added, length, blocks, What::More);
        } else if !added {
            self.found_space(length);
            if was_cut || self.marks.last().is_some_and(|last| last.at as usize == length) {
                self.mark(length, What::Space);
            }
        }
    }

    fn replaced_space(
        &mut self,
        written: &str,
        added: bool,
        length: usize,
        blocks: usize,
        what: fn(u32) -> What,
    ) {
        if added {
            self.invented(length);
        }
        if !written.is_empty() {
            let number = self.add_more(written, blocks);
            self.mark(length, what(number));
        }
    }

    /// Notes text that the blocks lack.
    pub(crate) fn text(&mut self, text: &str, length: usize, blocks: usize) {
        let number = self.add_more(text, blocks);
        let what = if self.white_space == Space::Keeps { What::Kept } else { What::More };
        self.mark(length, what(number));
    }

    fn add_more(&mut self, text: &str, blocks: usize) -> u32 {
        let from = self.extra.len();
        self.extra.push_str(text);
        let has_text = !text.trim().is_empty();
        self.more.push(More { text: from..self.extra.len(), block: blocks as u32, has_text });
        (self.more.len() - 1) as u32
    }

    /// Text follows. Outside of the cells of a table, it does not run on from that in a cell.
    pub(crate) fn before_text(&mut self, at: usize) {
        if std::mem::take(&mut self.after_cell) && self.is_between_cells() {
            self.shown(at, What::Space);
        }
        if !self.ended.is_empty() && self.shows() {
            let ended = std::mem::take(&mut self.ended);
            self.begin_again(ended, at);
        }
    }

    /// Text was found.
    pub(crate) fn found_text(&mut self, blocks: usize) {
        self.block = blocks;
        self.begins_pre = false;
    }

    /// The text was cut to this length. `removed`: what was cut, white space and controls.
    pub(crate) fn cut(&mut self, length: usize, removed: &str) {
        let after = self.after(length);
        let from = after - usize::from(self.is_invented(after, length));
        let tail = &self.marks[from..];
        let spaces = removed.bytes().filter(|byte| *byte == b' ').count();
        let invented = tail.iter().filter(|mark| mark.what == What::Invented).count();
        let mut is_missing = spaces > invented;
        if !is_missing && tail.is_empty() {
            return;
        }
        let stay = self.marks[..from].iter().rev().take(MAX_HERE);
        let is_here = |mark: &&Mark| mark.at as usize == length && !self.is_text(mark.what);
        self.here = stay.take_while(is_here).count().saturating_sub(1);
        let mut moved = std::mem::take(&mut self.moved);
        moved.extend(self.marks.drain(from..).filter(|mark| mark.what != What::Invented));
        for mark in moved.drain(..) {
            // Marks after the first space that was cut.
            if mark.at as usize > length && std::mem::take(&mut is_missing) {
                self.mark(length, What::Space);
            }
            self.mark(length, mark.what);
        }
        if is_missing {
            self.mark(length, What::Space);
        }
        self.moved = moved;
    }
}

/// Returns true for marks without which the later ones have another meaning.
fn is_needed(what: What) -> bool {
    matches!(what, What::Hide | What::Show | What::Block | What::Open(_) | What::Close(_))
}

/// Elements that the standard calls formatting.
fn is_formatting(tag: Tag) -> bool {
    matches!(tag, Tag::A | Tag::B | Tag::Big | Tag::Code | Tag::Em | Tag::Font | Tag::I | Tag::Nobr)
        || matches!(tag, Tag::S | Tag::Small | Tag::Strike | Tag::Strong | Tag::Tt | Tag::U)
}

/// Returns true if the end tag of an element does not reach beyond an open one.
fn bounds(tag: Tag, open: Tag) -> bool {
    match tag {
        Tag::Table => false,
        Tag::Tr | Tag::Td | Tag::Th | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Caption => {
            open == Tag::Table
        }
        Tag::Li => matches!(open, Tag::Ul | Tag::Ol | Tag::Td | Tag::Th | Tag::Table),
        Tag::P => matches!(open, Tag::Button | Tag::Td | Tag::Th | Tag::Table | Tag::Caption),
        _ => matches!(open, Tag::Td | Tag::Th | Tag::Table | Tag::Caption),
    }
}

const SVG: u32 = hash("svg");
const MAIN: u32 = hash("main");
const ARTICLE: u32 = hash("article");
const MATH: u32 = hash("math");
const TEMPLATE: u32 = hash("template");
const DESC: u32 = hash("desc");
const METADATA: u32 = hash("metadata");
const DEFS: u32 = hash("defs");
const TEXT: u32 = hash("text");

/// Returns true for an element that the start tag of another of its kind ends.
fn is_link(tag: Tag) -> bool {
    matches!(tag, Tag::A | Tag::Nobr)
}

fn is_foreign(open: &Open) -> bool {
    open.tag == Tag::Unknown && (open.name == SVG || open.name == MATH)
}

/// A hash of a name in any case (FNV-1a).
const fn hash(name: &str) -> u32 {
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < name.len() {
        let byte = name.as_bytes()[at].to_ascii_lowercase();
        hash = (hash ^ byte as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}
