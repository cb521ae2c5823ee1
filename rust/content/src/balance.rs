//! Makes nested elements from tag soup: adds missing parents, closes elements that a tag ends
//! implicitly, and reopens inline formatting that was closed out of order.
//!
//! The repairs are those of NekoHTML in Boilerpipe's version, because block borders and tag levels,
//! and therefore the verdicts of ArticleExtractor, depend on them. There is no recursion over the
//! page: a missing parent is at most a few levels up.
//!
//! Elements beyond the depth limit are flattened, as in browsers: they separate text, and their
//! text belongs to the deepest open element.

use crate::blocks::{Blocks, ROOM};
use crate::flow::Flow;
use crate::marks::Marks;
use crate::page::LimitHit;
use crate::tags::{Tag, BLOCK, CONTAINER, COUNT, EMPTY, INLINE, PLAIN};
use crate::words::is_space;

/// Most inline elements that are opened again at once. Each costs as much as a tag of the page, and
/// every block could interrupt all that are open.
const MAX_REOPENED: usize = 32;

pub(crate) struct Balancer {
    open: Vec<Tag>,
    /// Number of open elements of each kind.
    count: [u32; COUNT],
    /// Largest size of `open`. Deeper elements are flattened.
    max_depth: usize,
    /// Number of flattened elements of each kind whose end tags are still missing.
    flat: [u32; COUNT],
    /// True if an element was flattened.
    has_flat: bool,
    seen_root: bool,
    seen_head: bool,
    seen_body: bool,
    in_form: bool,
    /// True after `</head>`. It takes effect at the beginning of the body, because elements in
    /// between belong to the head.
    head_ended: bool,
    /// Text before the first tag. It belongs to the body.
    early_text: String,
    /// Marks of the current start tag.
    marks: Marks,
    blocks: Blocks,
}

impl Balancer {
    /// The current position in the text, and the innermost open element with text before it.
    pub(crate) fn place(&self) -> (u32, u32) {
        (self.blocks.text.len() as u32, self.blocks.innermost())
    }

    pub(crate) fn new(blocks: Blocks, max_depth: usize) -> Self {
        Balancer {
            open: Vec::with_capacity(ROOM),
            count: [0; COUNT],
            max_depth,
            flat: [0; COUNT],
            has_flat: false,
            seen_root: false,
            seen_head: false,
            seen_body: false,
            in_form: false,
            head_ended: false,
            early_text: String::new(),
            marks: Marks::default(),
            blocks,
        }
    }

    /// The displayed flow, and the length of the text so far.
    pub(crate) fn flow(&mut self) -> (&mut Flow, usize) {
        let at = self.blocks.text.len();
        (&mut self.blocks.flow, at)
    }

    /// Does not count the words of blocks.
    pub(crate) fn without_words(&mut self) {
        self.blocks.without_words = true;
    }

    /// Handles a start tag. `self_closing` means `<x/>`: browsers and NekoHTML use it for unknown
    /// elements only. `ends_head`: an element that NekoHTML does not know ends a head, as in
    /// browsers. NekoHTML leaves it in the head, and its text is lost.
    pub(crate) fn start(
        &mut self,
        tag: Tag,
        marks: Marks,
        self_closing: bool,
        ends_head: bool,
    ) -> Result<(), LimitHit> {
        if ends_head && tag == Tag::Unknown && !self.is_in_body() {
            self.open_element(Tag::Body, true)?;
        }
        self.marks = marks;
        self.open_element(tag, false)?;
        if self_closing && tag == Tag::Unknown {
            self.end(tag)?;
        }
        Ok(())
    }

    /// Handles an end tag.
    pub(crate) fn end(&mut self, tag: Tag) -> Result<(), LimitHit> {
        match tag {
            Tag::Head => self.head_ended = true,
            // Text after `</body>` and `</html>` still belongs to the body.
            Tag::Body | Tag::Html => {}
            _ => self.close_element(tag)?,
        }
        Ok(())
    }

    /// Handles text with entities decoded.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), LimitHit> {
        if self.open.is_empty() {
            if !self.early_text.is_empty() || !text.trim().is_empty() {
                self.early_text.push_str(text);
            }
            return Ok(());
        }
        if !self.is_in_body() && !text.chars().all(is_space) {
            let (flow, at) = self.flow();
            flow.end_head(at);
            self.open_element(Tag::Body, true)?;
        }
        self.blocks.text(text)
    }

    /// Handles a comment, or anything else that is not an element: text before it needs a body.
    pub(crate) fn aside(&mut self) -> Result<(), LimitHit> {
        if !self.early_text.is_empty() && !self.seen_body {
            self.open_element(Tag::Body, true)?;
        }
        Ok(())
    }

    /// Ends the page: closes everything and returns the blocks.
    pub(crate) fn finish(mut self) -> (Blocks, Result<(), LimitHit>) {
        let result = self.close_all().and(if self.has_flat || self.blocks.is_flat {
            Err(LimitHit::Depth)
        } else {
            Ok(())
        });
        (self.blocks, result)
    }

    fn close_all(&mut self) -> Result<(), LimitHit> {
        // An element of the head that has no end, as a title, does not hide the text before it.
        if !self.early_text.is_empty() {
            let (flow, at) = self.flow();
            flow.close_all(at);
        }
        self.aside()?;
        while !self.open.is_empty() {
            self.pop()?;
        }
        self.blocks.finish()
    }

    /// Closes a head after its end tag.
    fn close_head(&mut self) -> Result<(), LimitHit> {
        if std::mem::take(&mut self.head_ended) {
            self.close_element(Tag::Head)?;
        }
        Ok(())
    }

    /// Opens an element if it is allowed here. Returns true if it was opened.
    fn open_element(&mut self, tag: Tag, made_up: bool) -> Result<bool, LimitHit> {
        if made_up && matches!(tag, Tag::Table | Tag::Select) {
            return Ok(false);
        }
        match tag {
            Tag::Html if self.seen_root => return Ok(false),
            Tag::Head if self.seen_head => return Ok(false),
            Tag::Head => self.seen_head = true,
            Tag::Frameset | Tag::Unknown => self.close_head()?,
            Tag::Body => {
                if !self.seen_head {
                    self.open_element(Tag::Head, true)?;
                    self.head_ended = true;
                }
                self.close_head()?;
                if self.seen_body {
                    return Ok(false);
                }
                self.seen_body = true;
            }
            Tag::Form if self.in_form => return Ok(false),
            Tag::Form => self.in_form = true,
            _ => {}
        }
        if !self.ensure_parent(tag)? {
            return Ok(false);
        }
        let interrupted = if tag.rule().kind == PLAIN { self.close_inline()? } else { Vec::new() };
        self.close_implied(tag)?;

        self.seen_root = true;
        let marks = if made_up { Marks::default() } else { self.marks };
        let flat = self.is_full() && !stays(tag);
        if tag.is(EMPTY) {
            self.part(tag)?;
        } else if flat {
            self.has_flat = true;
            self.flat[tag as usize] += 1;
            self.part(tag)?;
        } else {
            self.open.push(tag);
            self.count[tag as usize] += 1;
            self.blocks.start(tag, marks)?;
        }
        self.reopen(interrupted.into_iter().rev())?;
        if tag == Tag::Body {
            let early = std::mem::take(&mut self.early_text);
            if !early.is_empty() {
                self.text(&early)?;
            }
        }
        Ok(!flat && self.open.last() == Some(&tag))
    }

    /// Returns false at the beginning of a page, in its head, and behind its body.
    fn is_in_body(&self) -> bool {
        !matches!(self.open.last(), None | Some(Tag::Head | Tag::Html))
    }

    /// Returns true if no deeper element can be opened.
    fn is_full(&self) -> bool {
        self.open.len() >= self.max_depth
    }

    /// Handles an element without content. It separates the text before it from the text after it,
    /// as its kind does.
    fn part(&mut self, tag: Tag) -> Result<(), LimitHit> {
        self.blocks.start(tag, Marks::default())?;
        self.blocks.end(tag)
    }

    /// Opens the parent that the element needs, if none is open. Returns false if that is
    /// impossible.
    fn ensure_parent(&mut self, tag: Tag) -> Result<bool, LimitHit> {
        let Some(&preferred) = tag.rule().parents.first() else { return Ok(true) };
        let missing = if self.seen_root {
            (preferred != Tag::Head || !self.seen_body) && !self.has_parent(tag)
        } else {
            true
        };
        if !missing {
            return Ok(true);
        }
        if !self.is_full() && self.open_element(preferred, true)? {
            return Ok(true);
        }
        // A parent that is too deep counts as opened, but the tree differs from the one without the
        // limit.
        self.has_flat |= self.is_full();
        Ok(self.is_full())
    }

    fn has_parent(&self, tag: Tag) -> bool {
        let rule = tag.rule();
        let any = rule.parents.iter().any(|parent| self.is_open(*parent));
        match rule.within {
            Some(bound) if any => {
                let inside = self.open.iter().rev().take_while(|open| **open != bound);
                inside.into_iter().any(|open| rule.parents.contains(open))
            }
            _ => any,
        }
    }

    fn is_open(&self, tag: Tag) -> bool {
        self.count[tag as usize] > 0
    }

    /// Closes the inline elements on top and returns them, the innermost first.
    fn close_inline(&mut self) -> Result<Vec<Tag>, LimitHit> {
        let mut closed = Vec::new();
        while let Some(top) = self.open.last().copied().filter(|top| top.is(INLINE)) {
            self.pop()?;
            closed.push(top);
        }
        Ok(closed)
    }

    /// Opens inline elements again, the innermost last, and no more than [`MAX_REOPENED`].
    fn reopen(&mut self, inline: impl Iterator<Item = Tag>) -> Result<(), LimitHit> {
        for (number, inline) in inline.enumerate() {
            if number >= MAX_REOPENED {
                self.has_flat = true;
                break;
            }
            self.open_element(inline, true)?;
        }
        Ok(())
    }

    /// Closes the elements that a start tag ends implicitly.
    fn close_implied(&mut self, tag: Tag) -> Result<(), LimitHit> {
        let top = self.open.len();
        let in_script = top > 1 && self.open[top - 1] == Tag::Script;
        // No element of the head has children.
        let in_head_child = top > 2 && self.open[top - 2] == Tag::Head;
        if in_script || in_head_child {
            self.pop()?;
        }
        let rule = tag.rule();
        // Number of open ones: below the last of these there is nothing to find.
        let mut left: u32 = rule.closes.iter().map(|closed| self.count[*closed as usize]).sum();
        if left > 0 {
            let nests = !tag.closes_itself();
            let mut lowest = self.open.len();
            for (at, open) in self.open.iter().enumerate().rev() {
                if rule.closes.contains(open) {
                    lowest = at;
                    left -= 1;
                    if left == 0 {
                        break;
                    }
                } else if nests && (open.is(BLOCK) || rule.parents.contains(open)) {
                    break;
                }
            }
            while self.open.len() > lowest {
                self.pop()?;
            }
        } else if tag == Tag::Table {
            self.close_inline()?;
        }
        Ok(())
    }

    /// Closes the nearest element of this kind if its end tag reaches it, and reopens the inline
    /// formatting in between.
    fn close_element(&mut self, tag: Tag) -> Result<(), LimitHit> {
        if tag == Tag::Form {
            self.in_form = false;
        }
        if self.flat[tag as usize] > 0 {
            self.flat[tag as usize] -= 1;
            return self.part(tag);
        }
        let Some(at) = self.reach(tag) else {
            // `</p>` alone is an empty paragraph.
            if tag == Tag::P && self.open_element(tag, true)? {
                self.close_element(tag)?;
            }
            return Ok(());
        };
        let reopened: Vec<Tag> = if tag.is(INLINE) {
            self.open[at + 1..]
                .iter()
                .copied()
                .filter(|open| open.is(INLINE) || *open == Tag::Font)
                .collect()
        } else {
            Vec::new()
        };
        while self.open.len() > at {
            self.pop()?;
        }
        self.reopen(reopened.into_iter())
    }

    /// Position of the element that an end tag closes.
    fn reach(&self, tag: Tag) -> Option<usize> {
        if !self.is_open(tag) {
            return None;
        }
        let stops = !tag.is(CONTAINER) && !tag.closes_itself();
        for (at, open) in self.open.iter().enumerate().rev() {
            if *open == tag {
                return Some(at);
            }
            if stops && open.is(BLOCK) {
                return None;
            }
        }
        None
    }

    fn pop(&mut self) -> Result<(), LimitHit> {
        match self.open.pop() {
            Some(tag) => {
                self.count[tag as usize] -= 1;
                if self.has_flat && self.open.len() < self.max_depth {
                    // The flattened elements were within the element that ends here.
                    self.flat = [0; COUNT];
                }
                self.blocks.end(tag)
            }
            None => Ok(()),
        }
    }
}

/// Elements that are opened at any depth: a page has one of each, or their content is neither text
/// of the page nor markup, so nothing nests in them.
fn stays(tag: Tag) -> bool {
    matches!(tag, Tag::Html | Tag::Head | Tag::Body | Tag::Script | Tag::Style | Tag::Noscript)
}
