//! Main content as Markdown (CommonMark, with tables, task lists and struck text as GitHub writes
//! them, and definitions and footnotes as Pandoc does): the structure of the text, links, images and formulas.

use crate::footnotes::Footnotes;
use crate::page::Page;
use crate::shape::{is_block, Align, Cell, Element, Kid, Role, Tree, MAX_COLUMNS};
use crate::Verdict;
use unicode_general_category::{get_general_category, GeneralCategory as Category};

/// Levels of lists and quotations that are marked. Deeper ones are on the last of them.
const MAX_NESTED: usize = 8;

/// Longest formula that is read from text, in bytes.
const MAX_TEX: usize = 300;

/// Writes the kept text of a page that was parsed with its structure.
pub(crate) fn markdown(page: &Page, verdicts: &[Verdict], links: bool) -> String {
    let tree = Tree::new(page, verdicts, links);
    let notes = Footnotes::of(&tree);
    let (language, around) = (String::new(), Vec::new());
    let mut writer = Writer { tree: &tree, notes, language, around, nested: 0 };
    let blocks = writer.blocks(0);
    join(&blocks, false)
}

/// A block that is written.
struct Block {
    text: String,
    is_list: bool,
}

/// Joins blocks by blank lines. `is_tight`: a list follows its text without one, unless its first
/// number is not 1: to CommonMark (section 5.3) such a line belongs to the text.
fn join(blocks: &[Block], is_tight: bool) -> String {
    let mut out = String::new();
    for block in blocks {
        if !out.is_empty() {
            let follows = is_tight && block.is_list && interrupts(&block.text);
            out.push_str(if follows { "\n" } else { "\n\n" });
        }
        out.push_str(&block.text);
    }
    out
}

/// Returns true for a list that begins with a bullet or with 1.
fn interrupts(list: &str) -> bool {
    !list.starts_with(|c: char| c.is_ascii_digit())
        || list.starts_with("1.")
        || list.starts_with("1)")
}

/// The sign of a list: its bullet, or the sign after its numbers.
fn sign_of(list: &str) -> Option<char> {
    list.chars().find(|c| !c.is_ascii_digit())
}

/// A part of a paragraph.
enum Item<'t> {
    Kid(&'t Kid),
    /// Markdown, such as the number of an item in a cell.
    Raw(String),
    /// A line of code.
    Code(String),
    /// The border between two cells of a table in a cell.
    Divider,
    /// A part of an element that blocks cut.
    Group(usize, Vec<Item<'t>>),
}

/// A paragraph that is being collected, with the formatting around it, outermost first.
struct Run<'t> {
    open: Vec<(usize, Vec<Item<'t>>)>,
}

impl<'t> Run<'t> {
    fn new(formats: &[usize]) -> Self {
        let open = std::iter::once(&usize::MAX).chain(formats).map(|node| (*node, Vec::new()));
        Run { open: open.collect() }
    }

    fn push(&mut self, item: Item<'t>) {
        if let Some((_, items)) = self.open.last_mut() {
            items.push(item);
        }
    }

    fn close(&mut self) {
        if let Some((node, items)) = self.open.pop() {
            self.push(Item::Group(node, items));
        }
    }

    /// The formatting around, outermost first.
    fn formats(&self) -> Vec<usize> {
        self.open[1..].iter().map(|(node, _)| *node).collect()
    }

    /// Takes all items. The formatting stays open.
    fn take(&mut self) -> Vec<Item<'t>> {
        let formats = self.formats();
        while self.open.len() > 1 {
            self.close();
        }
        let items = self.open.pop().map(|(_, items)| items).unwrap_or_default();
        *self = Run::new(&formats);
        items
    }
}

/// The place of a line, which decides about breaks and what is escaped.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Paragraph,
    Heading,
    Cell,
    /// Formatting within one of the others.
    Format,
}

/// A line that is being written.
struct Line {
    text: String,
    within: Within,
    in_cell: bool,
    /// A heading has one line.
    in_heading: bool,
    /// White space was before the first text.
    has_lead: bool,
    /// The breaks before the first text.
    leading: usize,
    has_space: bool,
    breaks: usize,
    /// The formatting that the text ends with, if a letter right after it would undo it.
    closed: Option<Closed>,
}

/// A mark, and where it opens and closes in a line.
struct Closed {
    mark: &'static str,
    open: usize,
    close: usize,
}

impl Line {
    fn new(within: Within) -> Self {
        Line {
            text: String::new(),
            within,
            in_cell: within == Within::Cell,
            in_heading: within == Within::Heading,
            has_lead: false,
            leading: 0,
            has_space: false,
            breaks: 0,
            closed: None,
        }
    }

    /// Formatting in this line.
    fn inner(&self) -> Self {
        let (in_cell, in_heading) = (self.in_cell, self.in_heading);
        Line { in_cell, in_heading, ..Line::new(Within::Format) }
    }

    /// Writes formatted text. CommonMark (section 6.2) opens no `**` before white space and closes
    /// none after it, so no-break spaces at the borders are put outside. It closes none between
    /// punctuation and a letter and opens none between a letter and punctuation, as in
    /// `他说**“好。”**了`, and two marks in a row are one. There, tags stand instead.
    fn formatted(&mut self, mark: &'static str, text: &str) {
        self.begin();
        let inner = text.trim();
        let (lead, trail) = match text.find(inner) {
            Some(at) if !inner.is_empty() => (&text[..at], &text[at + inner.len()..]),
            _ => return self.text.push_str(text),
        };
        self.text.push_str(lead);
        self.mark(mark, inner);
        self.text.push_str(trail);
    }

    fn mark(&mut self, mark: &'static str, inner: &str) {
        let before = self.text.chars().next_back();
        let is_first_punctuation = inner.starts_with(is_punctuation);
        let runs_on = before.is_some_and(|c| mark.starts_with(c));
        if runs_on || is_first_punctuation && before.is_some_and(is_of_word) {
            let (open, close) = tags(mark);
            self.text.extend([open, inner, close]);
            return;
        }
        let open = self.text.len();
        let close = open + mark.len() + inner.len();
        self.text.extend([mark, inner, mark]);
        self.closed = inner.ends_with(is_punctuation).then_some(Closed { mark, open, close });
    }

    /// Makes tags of the marks right before a letter that would undo them.
    fn keep_format(&mut self, next: &str) {
        let Some(Closed { mark, open, close }) = self.closed.take() else { return };
        if close + mark.len() == self.text.len() && next.starts_with(is_of_word) {
            let (start, end) = tags(mark);
            self.text.replace_range(close.., end);
            self.text.replace_range(open..open + mark.len(), start);
        }
    }

    fn space(&mut self) {
        if self.text.is_empty() {
            self.has_lead = true;
        } else {
            self.has_space = true;
        }
    }

    fn end_line(&mut self) {
        if self.in_heading {
            self.space();
        } else {
            self.breaks += 1;
        }
    }

    /// Writes what is before the next text. Returns true if that is the first of a line.
    fn begin(&mut self) -> bool {
        let breaks = std::mem::take(&mut self.breaks);
        let has_space = std::mem::take(&mut self.has_space);
        if self.text.is_empty() {
            self.leading = breaks;
            return self.within != Within::Format;
        }
        match breaks {
            0 if has_space => self.text.push(' '),
            0 => {}
            _ if self.in_cell => self.text.push_str("<br>"),
            2.. if self.within == Within::Paragraph => self.text.push_str("\n\n"),
            _ => self.text.push_str("  \n"),
        }
        breaks > 0 && !self.in_cell
    }

    fn words(&mut self, text: &str) {
        let is_first = self.begin();
        self.keep_format(text);
        escape(&mut self.text, text, is_first, self.in_cell);
    }

    /// Writes code in a line. Right after other code, the backticks of both would be one mark.
    fn code(&mut self, code: &str) {
        self.begin();
        if self.text.ends_with('`') && !self.text.ends_with("\\`") {
            self.text.push_str("<code>");
            escape(&mut self.text, code, false, self.in_cell);
            self.text.push_str("</code>");
        } else {
            self.text.push_str(&inline_code(code, self.in_cell));
        }
    }

    fn raw(&mut self, text: &str) {
        self.begin();
        self.text.push_str(text);
    }
}

struct Writer<'t> {
    tree: &'t Tree,
    notes: Footnotes,
    /// The language of code that an element around states.
    language: String,
    /// The formatting around a list, a table or a quotation, outermost first.
    around: Vec<usize>,
    /// Lists and quotations around.
    nested: usize,
}

impl<'t> Writer<'t> {
    /// Writes the blocks in a node.
    fn blocks(&mut self, node: usize) -> Vec<Block> {
        let (mut out, mut run) = (Vec::new(), Run::new(&self.around));
        self.walk(node, &mut run, &mut out);
        self.flush(&mut run, &mut out);
        out
    }

    fn walk(&mut self, node: usize, run: &mut Run<'t>, out: &mut Vec<Block>) {
        let tree = self.tree;
        for kid in &tree.nodes[node].kids {
            match kid {
                Kid::Node(inner) if is_block(tree.role(*inner)) => {
                    self.flush(run, out);
                    self.block(*inner, run, out);
                    self.flush(run, out);
                }
                Kid::Node(inner) if tree.is_code_in_lines(*inner) => {
                    self.flush(run, out);
                    let text = self.code(*inner);
                    if !text.is_empty() {
                        out.push(Block { text, is_list: false });
                    }
                }
                Kid::Node(inner) if tree.nodes[*inner].has_block => {
                    run.open.push((*inner, Vec::new()));
                    self.walk(*inner, run, out);
                    run.close();
                }
                Kid::Border => self.flush(run, out),
                kid => run.push(Item::Kid(kid)),
            }
        }
    }

    fn flush(&mut self, run: &mut Run<'t>, out: &mut Vec<Block>) {
        let text = self.line(&run.take(), Within::Paragraph);
        if !text.is_empty() {
            out.push(Block { text, is_list: false });
        }
    }

    fn line(&self, items: &[Item<'t>], within: Within) -> String {
        let mut line = Line::new(within);
        self.items(items, &mut line, &mut Vec::new());
        line.text
    }

    fn block(&mut self, node: usize, run: &mut Run<'t>, out: &mut Vec<Block>) {
        let before = std::mem::replace(&mut self.around, run.formats());
        self.block_in(node, run, out);
        self.around = before;
    }

    /// Writes a block in [`Writer::around`], which is the formatting of the run.
    fn block_in(&mut self, node: usize, run: &mut Run<'t>, out: &mut Vec<Block>) {
        let before = out.last().filter(|block| block.is_list).and_then(|list| sign_of(&list.text));
        let mut add = |text: String, is_list| {
            if !text.is_empty() {
                out.push(Block { text, is_list });
            }
        };
        if self.notes.note(node).is_some() {
            return add(self.footnote(node), false);
        }
        match *self.tree.role(node) {
            Role::Heading(rank) => {
                // Links and formatting around a heading are within it.
                let text = self.line(&self.formatted(node), Within::Heading);
                let text = without_closing(text);
                if !text.is_empty() {
                    add(format!("{} {text}", "#".repeat(usize::from(rank))), false);
                }
            }
            Role::Preformatted => add(self.fence(node), false),
            // Behind the bullets of items, `---` would make a rule of all of them.
            Role::Rule => add(if self.nested > 0 { "___" } else { "---" }.to_owned(), false),
            Role::List(first) if self.nested < MAX_NESTED => {
                add(self.list(node, first, before), true);
            }
            Role::Terms => add(self.terms(node), false),
            Role::Quotation if self.nested < MAX_NESTED => {
                self.nested += 1;
                let text = join(&self.blocks(node), false);
                self.nested -= 1;
                if !text.is_empty() {
                    add(prefixed(&text, "> ", "> "), false);
                }
            }
            Role::Table if self.tree.is_data(node) => {
                for caption in self.tree.parts(node, |role| *role == Role::Caption) {
                    add(join(&self.blocks(caption), false), false);
                }
                add(self.table(node), false);
            }
            _ => {
                let stated = &self.tree.nodes[node].element.target;
                let before = self.language.clone();
                if !stated.is_empty() {
                    self.language.clone_from(stated);
                }
                self.walk(node, run, out);
                self.language = before;
            }
        }
    }

    /// [`Writer::flat`] with the formatting around.
    fn formatted(&self, node: usize) -> Vec<Item<'t>> {
        let around = self.around.iter().rev();
        around.fold(self.flat(node), |items, around| vec![Item::Group(*around, items)])
    }

    /// All content of a node as one line, blocks in it separated by breaks.
    fn flat(&self, node: usize) -> Vec<Item<'t>> {
        let mut items = Vec::new();
        self.add_flat(node, &mut items);
        items
    }

    fn add_flat(&self, node: usize, items: &mut Vec<Item<'t>>) {
        static BREAK: Kid = Kid::Break;
        let tree = self.tree;
        for kid in &tree.nodes[node].kids {
            match kid {
                Kid::Node(inner) if is_block(tree.role(*inner)) => {
                    items.push(Item::Kid(&BREAK));
                    self.add_flat_block(*inner, items);
                    items.push(Item::Kid(&BREAK));
                }
                Kid::Node(inner) if tree.nodes[*inner].has_block => {
                    items.push(Item::Group(*inner, self.flat(*inner)));
                }
                Kid::Border => items.push(Item::Kid(&BREAK)),
                kid => items.push(Item::Kid(kid)),
            }
        }
    }

    /// A block as lines: those of code each as code, items of an ordered list with their numbers, the
    /// rows of a table with a divider between cells.
    fn add_flat_block(&self, node: usize, items: &mut Vec<Item<'t>>) {
        static BREAK: Kid = Kid::Break;
        static SPACE: Kid = Kid::Space;
        match *self.tree.role(node) {
            Role::Preformatted => {
                let mut code = String::new();
                self.tree.verbatim(node, &mut code);
                for line in code.lines().map(str::trim).filter(|line| !line.is_empty()) {
                    items.push(Item::Code(line.to_owned()));
                    items.push(Item::Kid(&BREAK));
                }
            }
            Role::List(Some(first)) => {
                let mut number = first;
                for item in self.tree.parts(node, |_| true) {
                    let parts = self.flat(item);
                    let mut text = String::new();
                    self.verbatim(&parts, &mut text);
                    if text.trim().is_empty() {
                        continue;
                    }
                    if let Role::Item(stated) = *self.tree.role(item) {
                        number = stated.unwrap_or(number);
                        items.extend([Item::Raw(format!("{number}.")), Item::Kid(&SPACE)]);
                        number = number.saturating_add(1);
                    }
                    let is_break =
                        |item: &Item| matches!(item, Item::Kid(Kid::Break | Kid::Border));
                    items.extend(parts.into_iter().skip_while(is_break));
                    items.push(Item::Kid(&BREAK));
                }
            }
            Role::Row(_)
                if self.tree.has_text(node)
                    && !self.tree.has_stray(node, |role| matches!(role, Role::Cell(_))) =>
            {
                let cells = self.tree.parts(node, |role| matches!(role, Role::Cell(_)));
                for (number, cell) in cells.into_iter().enumerate() {
                    if number > 0 {
                        items.push(Item::Divider);
                    }
                    items.extend(self.flat(cell).into_iter().map(in_row));
                }
            }
            _ => self.add_flat(node, items),
        }
    }

    fn items(&self, items: &[Item<'t>], line: &mut Line, around: &mut Vec<&'t Role>) {
        for item in items {
            match item {
                Item::Group(node, inner) => self.format(*node, inner, line, around),
                Item::Raw(text) => line.raw(text),
                Item::Code(code) => line.code(code),
                Item::Divider if line.in_cell => {
                    line.space();
                    line.raw("\\|");
                    line.space();
                }
                Item::Divider => line.space(),
                Item::Kid(Kid::Node(node)) => {
                    let kids = &self.tree.nodes[*node].kids;
                    let inner: Vec<Item> = kids.iter().map(Item::Kid).collect();
                    self.format(*node, &inner, line, around);
                }
                Item::Kid(Kid::Text(text)) => line.words(text),
                Item::Kid(Kid::Formula(tex)) => line.raw(tex),
                Item::Kid(Kid::Space) => line.space(),
                Item::Kid(Kid::Kept(text)) if text.contains('\n') => line.end_line(),
                Item::Kid(Kid::Kept(text)) if text.trim().is_empty() => line.space(),
                Item::Kid(Kid::Kept(text)) => line.words(text.trim()),
                Item::Kid(Kid::Break | Kid::Border) => line.end_line(),
            }
        }
    }

    /// Writes an element of a line.
    fn format(&self, node: usize, items: &[Item<'t>], line: &mut Line, around: &mut Vec<&'t Role>) {
        let Some(element) = self.tree.nodes.get(node).map(|node| &node.element) else {
            return self.items(items, line, around);
        };
        if let Some(label) = self.notes.reference(node) {
            return line.raw(&format!("[^{label}]"));
        } else if self.notes.is_backward(node) {
            return;
        }
        match &element.role {
            Role::Image if !element.target.is_empty() && !element.alt.is_empty() => {
                return line.raw(&image(element, line.in_cell));
            }
            Role::Image | Role::Checkbox(_) => return,
            Role::Emoji => return line.raw(&element.alt),
            Role::Code if !around.contains(&&Role::Code) => return self.code_in(items, line),
            _ => {}
        }
        let outer = around.iter().filter(|role| ***role == element.role).count();
        let repeats = outer > 0 && element.role != Role::Quoted
            || self.notes.is_reference_raised(self.tree, node);
        around.push(&element.role);
        if repeats || !is_marked(element) {
            self.items(items, line, around);
            around.pop();
            return;
        }
        let mut inner = line.inner();
        self.items(items, &mut inner, around);
        around.pop();
        if inner.has_lead {
            line.space();
        }
        line.breaks += inner.leading;
        if !inner.text.is_empty() {
            write_marked(element, outer, &inner.text, line);
        }
        if inner.has_space || inner.breaks > 0 && inner.text.is_empty() {
            line.space();
        }
        line.breaks += inner.breaks;
    }

    /// Writes code in a line: lines of it between fences, if the place allows that.
    fn code_in(&self, items: &[Item<'t>], line: &mut Line) {
        let mut code = String::new();
        self.verbatim(items, &mut code);
        let lines = code.lines().filter(|line| !line.trim().is_empty()).count();
        if lines > 1 && line.within == Within::Paragraph {
            line.breaks = line.breaks.max(1);
            line.raw(&fenced(&code, &self.language));
            line.breaks = 1;
            return;
        }
        let words = one_line(&code);
        if !words.is_empty() {
            line.code(&words);
        }
        if code.ends_with('\n') {
            line.end_line();
        }
    }

    /// All text of parts with its white space.
    fn verbatim(&self, items: &[Item<'t>], out: &mut String) {
        for item in items {
            match item {
                Item::Kid(kid) => self.tree.verbatim_kid(kid, out),
                Item::Raw(text) | Item::Code(text) => out.push_str(text),
                Item::Divider => out.push(' '),
                Item::Group(_, items) => self.verbatim(items, out),
            }
        }
    }

    /// Code as a block: one line of it within the line, several between fences.
    fn code(&self, node: usize) -> String {
        let mut code = String::new();
        self.tree.verbatim(node, &mut code);
        match code.trim().lines().count() {
            0 => String::new(),
            1 => inline_code(&one_line(&code), false),
            _ => fenced(&code, self.tree.language(node).unwrap_or(&self.language)),
        }
    }

    fn fence(&self, node: usize) -> String {
        let mut code = String::new();
        self.tree.verbatim(node, &mut code);
        fenced(&code, self.tree.language(node).unwrap_or(&self.language))
    }

    /// `before`: the sign of the list right before this one. With the same sign both would be one
    /// list.
    fn list(&mut self, node: usize, first: Option<i64>, before: Option<char>) -> String {
        let bullet = if before == Some('-') { '*' } else { '-' };
        let after_number = if before == Some('.') { ')' } else { '.' };
        let is_item = |role: &Role| matches!(role, Role::Item(_));
        let items = self.tree.parts(node, |_| true);
        let is_loose = items.iter().any(|item| {
            is_item(self.tree.role(*item))
                && !self.tree.parts(*item, |role| *role == Role::Paragraph).is_empty()
        });
        self.nested += 1;
        let mut number = first.unwrap_or_default();
        let mut out = String::new();
        let mut after_note = false;
        for item in items {
            if self.notes.note(item).is_some() {
                let note = self.footnote(item);
                out.push_str(if out.is_empty() || note.is_empty() { "" } else { "\n\n" });
                out.push_str(&note);
                after_note = true;
                continue;
            }
            let is_of_list = is_item(self.tree.role(item));
            if let Role::Item(Some(stated)) = self.tree.role(item) {
                number = *stated;
            }
            let blocks = if is_of_list {
                self.blocks(item)
            } else {
                let (mut blocks, mut run) = (Vec::new(), Run::new(&self.around));
                self.block(item, &mut run, &mut blocks);
                self.flush(&mut run, &mut blocks);
                blocks
            };
            let text = join(&blocks, !is_loose);
            if text.is_empty() {
                continue;
            }
            let marker = match first {
                Some(_) if (0..=999_999_999).contains(&number) => {
                    format!("{number}{after_number} ")
                }
                _ => format!("{bullet} "),
            };
            if !out.is_empty() {
                let is_apart = is_loose || std::mem::take(&mut after_note);
                out.push_str(if is_apart { "\n\n" } else { "\n" });
            }
            let indent = " ".repeat(marker.len());
            let begins_with_list = blocks.first().is_some_and(|block| block.is_list);
            if !is_of_list && begins_with_list && !out.is_empty() {
                out.push_str(&prefixed(&text, &indent, &indent));
            } else {
                number = number.saturating_add(1);
                let task = self.task(item);
                out.push_str(&prefixed(&text, &format!("{marker}{task}"), &indent));
            }
        }
        self.nested -= 1;
        out
    }

    /// Writes a footnote, as GitHub and Pandoc read it.
    fn footnote(&mut self, node: usize) -> String {
        let text = join(&self.blocks(node), false);
        // The links back leave the brackets around a label, or the sign in front of several.
        let text = text.trim_start_matches("\\[\\]").trim_start_matches(['^', '↑']).trim_start();
        let label = self.notes.note(node).filter(|_| !text.is_empty());
        label.map_or_else(String::new, |label| prefixed(text, &format!("[^{label}]: "), "    "))
    }

    /// The mark of a task, if an item begins with a checkbox.
    fn task(&self, item: usize) -> &'static str {
        let mut node = item;
        for _ in 0..MAX_NESTED {
            let first = self.tree.nodes[node].kids.iter().find_map(|kid| match kid {
                Kid::Node(inner) => Some(*inner),
                Kid::Text(_) => Some(usize::MAX),
                _ => None,
            });
            match first.and_then(|first| self.tree.nodes.get(first)) {
                Some(first) => match first.element.role {
                    Role::Checkbox(true) => return "[x] ",
                    Role::Checkbox(false) => return "[ ] ",
                    _ => node = self.tree.parts(node, |_| true)[0],
                },
                None => break,
            }
        }
        ""
    }

    /// Writes terms, each in a line, with their definitions. Parts that make no such pair are
    /// paragraphs.
    fn terms(&mut self, node: usize) -> String {
        let mut out = String::new();
        let mut can_define = false;
        for part in self.tree.parts(node, |_| true) {
            let is_term = *self.tree.role(part) == Role::Term;
            let text = match is_term {
                true => guarded(self.line(&self.formatted(part), Within::Heading)),
                false => join(&self.blocks(part), false),
            };
            if text.is_empty() {
                continue;
            }
            let defines = can_define && *self.tree.role(part) == Role::Definition;
            if !out.is_empty() {
                out.push_str(if defines { "\n" } else { "\n\n" });
            }
            let (marker, indent) = if defines { (": ", "  ") } else { ("", "") };
            out.push_str(&prefixed(&text, marker, indent));
            can_define = is_term || defines;
        }
        out
    }

    fn table(&self, node: usize) -> String {
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut aligns: Vec<Align> = Vec::new();
        // Rows for which a cell above still fills each column.
        let mut filled: Vec<u8> = Vec::new();
        for row in self.tree.parts(node, |role| matches!(role, Role::Row(_))) {
            let mut cells: Vec<String> = Vec::new();
            let fill = |cells: &mut Vec<String>, filled: &mut Vec<u8>| {
                while let Some(left) = filled.get_mut(cells.len()).filter(|left| **left > 0) {
                    *left -= 1;
                    cells.push(String::new());
                }
            };
            for cell in self.tree.parts(row, |role| matches!(role, Role::Cell(_))) {
                let Role::Cell(Cell { columns, rows, align, .. }) = *self.tree.role(cell) else {
                    continue;
                };
                fill(&mut cells, &mut filled);
                let text = self.line(&self.formatted(cell), Within::Cell);
                for column in 0..columns {
                    if cells.len() >= MAX_COLUMNS {
                        break;
                    }
                    let at = cells.len();
                    filled.resize(filled.len().max(at + 1), 0);
                    aligns.resize(aligns.len().max(at + 1), Align::None);
                    filled[at] = rows - 1;
                    if aligns[at] == Align::None {
                        aligns[at] = align;
                    }
                    cells.push(if column == 0 { text.clone() } else { String::new() });
                }
            }
            fill(&mut cells, &mut filled);
            if cells.iter().any(|cell| !cell.is_empty()) {
                rows.push(cells);
            }
        }
        written(&rows, &aligns)
    }
}

fn one_line(code: &str) -> String {
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines of code as a block. Empty if they have no text.
fn fenced(code: &str, language: &str) -> String {
    let code = code.trim_end().trim_start_matches('\n');
    if code.trim().is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(code).max(2) + 1);
    format!("{fence}{language}\n{code}\n{fence}")
}

/// A part of a cell, without breaks, so that its row is one line.
fn in_row(item: Item<'_>) -> Item<'_> {
    static SPACE: Kid = Kid::Space;
    match item {
        Item::Kid(Kid::Break | Kid::Border) => Item::Kid(&SPACE),
        item => item,
    }
}

/// Writes the rows of a table. The first is the head, which Markdown demands.
fn written(rows: &[Vec<String>], aligns: &[Align]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut out = String::new();
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        out.push('|');
        for column in 0..columns {
            out.push(' ');
            out.push_str(row.get(column).map_or("", String::as_str));
            out.push_str(" |");
        }
        if number == 0 {
            out.push_str("\n|");
            for column in 0..columns {
                out.push_str(match aligns.get(column) {
                    Some(Align::Left) => " :--- |",
                    Some(Align::Center) => " :---: |",
                    Some(Align::Right) => " ---: |",
                    _ => " --- |",
                });
            }
        }
    }
    out
}

/// The text of a heading, whose last number signs are text. Markdown would read them as its end.
fn without_closing(mut text: String) -> String {
    let before = text.trim_end_matches('#');
    if before.len() < text.len() && (before.is_empty() || before.ends_with(' ')) {
        text.insert(before.len(), '\\');
    }
    text
}

/// Text with a mark before its first line, and another before each further line.
fn prefixed(text: &str, first: &str, next: &str) -> String {
    let mut out = String::with_capacity(text.len() + first.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let mark = if number == 0 { first } else { next };
        out.push_str(if line.is_empty() { mark.trim_end() } else { mark });
        out.push_str(line);
    }
    out
}

fn marks(role: &Role) -> (&'static str, &'static str) {
    match role {
        Role::Strong => ("**", "**"),
        Role::Emphasis => ("*", "*"),
        Role::Struck => ("~~", "~~"),
        Role::Sub => ("<sub>", "</sub>"),
        Role::Sup => ("<sup>", "</sup>"),
        Role::Quoted => ("\"", "\""),
        _ => ("", ""),
    }
}

/// The tags of a mark.
fn tags(mark: &str) -> (&'static str, &'static str) {
    match mark {
        "**" => ("<strong>", "</strong>"),
        "*" => ("<em>", "</em>"),
        _ => ("<del>", "</del>"),
    }
}

/// Returns true for what CommonMark (section 2.1) calls punctuation: it includes symbols.
fn is_punctuation(c: char) -> bool {
    use Category::*;
    #[rustfmt::skip]
    let is_one = matches!(get_general_category(c),
        ConnectorPunctuation | DashPunctuation | OpenPunctuation | ClosePunctuation
            | InitialPunctuation | FinalPunctuation | OtherPunctuation
            | MathSymbol | CurrencySymbol | ModifierSymbol | OtherSymbol);
    is_one
}

/// Returns true for an element that Markdown marks.
fn is_marked(element: &Element) -> bool {
    match &element.role {
        Role::Link => !element.target.is_empty(),
        role => !marks(role).0.is_empty(),
    }
}

/// Writes the text of an element with its marks. `outer`: the number of the same elements around.
fn write_marked(element: &Element, outer: usize, text: &str, line: &mut Line) {
    let (open, close) = match &element.role {
        Role::Quoted if outer % 2 == 1 => ("'", "'".to_owned()),
        Role::Link => {
            if !line.has_space && line.breaks == 0 && line.text.ends_with('!') {
                line.text.truncate(line.text.len() - 1);
                line.text.push_str("\\!");
            }
            ("[", format!("]({}{})", url(&element.target), title(element, text)))
        }
        role => match marks(role) {
            (mark @ ("**" | "*" | "~~"), _) => return line.formatted(mark, text),
            (open, close) => (open, close.to_owned()),
        },
    };
    line.begin();
    line.text.extend([open, text, &close]);
}

/// Returns true for a character that is neither white space nor punctuation.
fn is_of_word(c: char) -> bool {
    !c.is_whitespace() && !is_punctuation(c)
}

fn image(element: &Element, in_cell: bool) -> String {
    let mut alt = String::new();
    let text = element.alt.split_whitespace().collect::<Vec<_>>().join(" ");
    escape(&mut alt, &text, false, in_cell);
    format!("![{alt}]({}{})", url(&element.target), title(element, &alt))
}

fn url(target: &str) -> String {
    target.replace('(', "%28").replace(')', "%29").replace('|', "%7C")
}

/// The title of a link or an image behind a blank. Empty if it has none, or only its text again, as
/// many programs that write pages give to each link.
fn title(element: &Element, text: &str) -> String {
    let title = element.title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() || title == text.trim().replace('\\', "") {
        return String::new();
    }
    format!(" \"{}\"", title.replace('\\', "\\\\").replace('"', "\\\"").replace('|', "\\|"))
}

/// Code within a line, between more backticks than it has in a row.
fn inline_code(code: &str, in_cell: bool) -> String {
    let code = if in_cell { code.replace('|', "\\|") } else { code.to_owned() };
    let fence = "`".repeat(longest_run(&code) + 1);
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{code}{pad}{fence}")
}

/// The most backticks in a row.
fn longest_run(code: &str) -> usize {
    code.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// The first mark of a line that would begin a block, escaped.
fn guarded(text: String) -> String {
    match start_length(&text) {
        Some(at) => format!("{}\\{}", &text[..at], &text[at..]),
        None => text,
    }
}

/// Position of a character that would make the line a heading, an item, a quotation or a rule.
fn start_length(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        return text[digits..].starts_with(['.', ')']).then_some(digits);
    }
    let is_mark = text.starts_with(['#', '+', '-', '>', '=', '|', ':']);
    let begins_definition = text == "~" || text.starts_with("~ ");
    (is_mark || begins_definition).then_some(0)
}

/// Appends text with a backslash before characters that would be markup. `at_start`: at the start
/// of a line.
fn escape(out: &mut String, text: &str, at_start: bool, in_cell: bool) {
    let start = if at_start { start_length(text) } else { None };
    let mut tex_end = 0;
    for (at, c) in text.char_indices() {
        if at < tex_end {
            continue;
        }
        if let Some((length, formula)) = tex(&text[at..]).filter(|_| !in_cell) {
            out.push_str(&formula);
            tex_end = at + length;
            continue;
        }
        let next = text.as_bytes().get(at + 1);
        let is_markup = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' => true,
            '|' if in_cell => true,
            // One or two of them strike text, up to one that is not after white space.
            '~' => {
                let opens = at_start && at == 0 || out.ends_with(char::is_whitespace);
                next == Some(&b'~') || !opens
            }
            '&' => is_reference(&text[at + 1..]),
            _ => false,
        };
        if is_markup || start == Some(at) {
            out.push('\\');
        }
        out.push(c);
    }
}

/// Reads a formula in TeX that a page leaves to MathJax or KaTeX: `\(x\)`, `\[x\]` or `$$x$$`.
/// Returns its length in the text, and the formula between dollars.
fn tex(text: &str) -> Option<(usize, String)> {
    const DELIMITERS: [(&str, &str, &str); 3] =
        [("\\(", "\\)", "$"), ("\\[", "\\]", "$$"), ("$$", "$$", "$$")];
    if !text.starts_with(['\\', '$']) {
        return None;
    }
    let (open, close, dollars) =
        DELIMITERS.into_iter().find(|(open, ..)| text.starts_with(open))?;
    let rest = &text[open.len()..];
    let near = &rest.as_bytes()[..rest.len().min(MAX_TEX)];
    let end = near.windows(close.len()).position(|part| part == close.as_bytes())?;
    let formula = &rest[..end];
    // Brackets are also escaped as a part of other languages.
    let is_tex = open != "\\[" || formula.contains(['\\', '^', '_', '=', '{']);
    let is_formula = is_tex && !formula.trim().is_empty() && !formula.contains('$');
    let length = open.len() + formula.len() + close.len();
    is_formula.then(|| (length, format!("{dollars}{}{dollars}", formula.trim())))
}

/// Returns true if text after an ampersand makes a character reference.
fn is_reference(text: &str) -> bool {
    let length = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    (1..32).contains(&length) && text[length..].starts_with(';')
}

#[cfg(test)]
mod tests {
    use crate::{content_of_text, ContentOptions, Extractor, Form};

    fn markdown(html: &str) -> String {
        content_of_text(html, &ContentOptions::new(Extractor::Text, Form::Markdown)).text
    }

    #[test]
    fn formatting_that_marks_cannot_show_has_tags() {
        for (html, expected) in [
            ("<b>a</b><b>b</b>", "**a**<strong>b</strong>"),
            ("<b>a</b><i>b</i>", "**a**<em>b</em>"),
            ("x<b>(y)</b>z", "x<strong>(y)</strong>z"),
            ("(<b>(y)</b>)z", "(**(y)**)z"),
            ("<b>Note:</b>here", "<strong>Note:</strong>here"),
            ("<b>Note:</b> here", "**Note:** here"),
            ("<i>a <b>b:</b></i>c", "<em>a **b:**</em>c"),
            ("<s>old.</s>new", "<del>old.</del>new"),
            ("これは<b>「本」</b>です", "これは<strong>「本」</strong>です"),
            ("これは<b>本</b>です", "これは**本**です"),
            ("<b>नमस्ते</b>जी", "**नमस्ते**जी"),
            ("<a><s>a</s></a>", "~~a~~"),
            ("<b>a:&nbsp;</b>b", "**a:**\u{a0}b"),
            ("x<b>&nbsp; a</b>", "x\u{a0} **a**"),
            ("<b>a <i>&nbsp;</i></b>b", "**a** \u{a0}b"),
            ("<s>~a~</s>", "~~\\~a\\~~~"),
            ("~a~ b ~5 km", "~a\\~ b ~5 km"),
        ] {
            assert_eq!(markdown(&format!("<p>{html}</p>")), expected, "{html}");
        }
    }

    /// As in browsers: a block ends formatting only until the next text.
    #[test]
    fn formatting_that_blocks_end_begins_again() {
        for (html, expected) in [
            ("<p><b>a<p>b</b> c", "**a**\n\n**b** c"),
            ("<p><b>a</p> <p>b</p></b><p>c", "**a**\n\n**b**\n\nc"),
            ("<p><b><i>a</p><p>b</i> c</b> d", "***a***\n\n***b* c** d"),
            ("<div><i>a</div>b</i> c", "*a*\n\n*b* c"),
            ("<h2><i>a</h2></i>b", "## *a*\n\nb"),
            ("<p><i>a<p><i>b</i> c", "*a*\n\n*b c*"),
            (
                "<table><tr><td><b>a<td>b<tr><td><b>c</table>d",
                "| **a** | b |\n| --- | --- |\n| **c** |  |\n\nd",
            ),
            (
                "<p><a href=http://a.example/>a<p>b</a> c",
                "[a](http://a.example/)\n\n[b](http://a.example/) c",
            ),
            ("<p><a href=http://a.example/>a<p><a>b</a> c", "[a](http://a.example/)\n\nb c"),
        ] {
            assert_eq!(markdown(html), expected, "{html}");
        }
    }

    /// CommonMark 5.2 and 5.3: a list that begins with another number than 1 needs a blank line
    /// after text, and lists with the same sign are one.
    #[test]
    fn lists_stay_lists_and_two_of_them_stay_two() {
        for (html, expected) in [
            ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b"),
            ("<ul><li>a<ol><li>b</ol></ul>", "- a\n  1. b"),
            ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
            ("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>", "- a\n\n* b\n\n- c"),
            ("<ul><li>a</ul><ol><li>b</ol>", "- a\n\n1. b"),
        ] {
            assert_eq!(markdown(html), expected, "{html}");
        }
    }

    #[test]
    fn lines_of_code_without_pre_are_a_block() {
        for (html, expected) in [
            ("<p><code>a = 1<br>b = `2`</code>", "```\na = 1\nb = `2`\n```"),
            ("<p>Type <code>a<br>b</code> here", "Type  \n```\na\nb\n```  \nhere"),
            ("<ul><li><code>a<br>b</code></ul>", "- ```\n  a\n  b\n  ```"),
            ("<p><code>a<br></code>b", "`a`  \nb"),
            ("<h2><code>a<br>b</code></h2>", "## `a b`"),
            ("<code><div>a = 1</div><div>b</div></code>", "```\na = 1\nb\n```"),
            ("x <tt><p>a</p></tt> y", "x\n\n`a`\n\ny"),
            ("<samp>a<ul><li>b<li>c</ul>d</samp>", "`a`\n\n- `b`\n- `c`\n\n`d`"),
            ("<tt>a</tt><code>b</code>", "`a`<code>b</code>"),
        ] {
            assert_eq!(markdown(html), expected, "{html}");
        }
    }

    #[test]
    fn a_heading_and_a_term_are_one_line() {
        for (html, expected) in [
            ("<h1><b>a<br>b</b></h1>", "# **a b**"),
            ("<h2><i>a<div>b</div></i></h2>", "## *a b*"),
            ("<h2><ol><li></ol>a</h2>", "## a"),
            ("<dl><dt>a<br>b<dd>c</dl>", "a b\n: c"),
            ("<dl><dt>a<dt>b<dd>c<dd>d</dl>", "a\n\nb\n: c\n: d"),
            ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\n: b\n\nc\n: d"),
            ("<p>a</p><dl><dd>b</dl>", "a\n\nb"),
        ] {
            assert_eq!(markdown(html), expected, "{html}");
        }
    }

    #[test]
    fn headings_lists_and_quotations_are_marked() {
        let html = "<h2><span>A</span></h2><p>one</p><p>two</p>\
                    <ul><li>x</li><li><p>y</p><p>z</p><ol><li>deep</li></ol></li></ul>\
                    <blockquote><p>q</p><p>r</p></blockquote><h6>end</h6>";
        assert_eq!(
            markdown(html),
            "## A\n\none\n\ntwo\n\n- x\n\n- y\n\n  z\n\n  1. deep\n\n> q\n>\n> r\n\n###### end"
        );
    }

    #[test]
    fn characters_of_markup_are_escaped() {
        assert_eq!(markdown("<p>1. a*b_c [d] &lt;e> # f</p>"), "1\\. a\\*b\\_c \\[d\\] \\<e> # f");
        assert_eq!(markdown("<p># x</p><p>- y</p><p>12 - z</p>"), "\\# x\n\n\\- y\n\n12 - z");
        assert_eq!(markdown("<p>x</p><p>~ y</p><p>: z"), "x\n\n\\~ y\n\n\\: z");
        assert_eq!(markdown("<p>x<blockquote><img></blockquote>"), "x");
        assert_eq!(markdown("<ul><li><ul><li><hr>x</ul></ul>"), "- - ___\n\n    x");
    }

    #[test]
    fn the_text_is_that_of_the_form_text_but_for_marks() {
        let html = "<title>T</title><h1>H</h1><p>one <b>two</b><br>three";
        let text = content_of_text(html, &ContentOptions::new(Extractor::Text, Form::Text)).text;
        assert_eq!(text, "H\none two\nthree");
        assert_eq!(
            markdown(html)
                .replace("# ", "")
                .replace("\n\n", "\n")
                .replace("  \n", "\n")
                .replace("**", ""),
            text
        );
    }

    #[test]
    fn links_with_an_absolute_target_are_kept() {
        assert_eq!(
            markdown(
                "<p>- see <a href='http://a.example/x_(y)'>the [page] </a>now <a href=b>b</a>"
            ),
            "\\- see [the \\[page\\]](http://a.example/x_%28y%29) now b"
        );
    }

    #[test]
    fn a_title_is_kept_unless_it_is_the_text_again() {
        let link = |title| {
            markdown(&format!("<p>see <a href='http://a.example/x' title='{title}'>the [page]</a>"))
        };
        assert_eq!(link("The \"x\""), "see [the \\[page\\]](http://a.example/x \"The \\\"x\\\"\")");
        assert_eq!(link(" the  [page]"), "see [the \\[page\\]](http://a.example/x)");
        let image = markdown("<p>a <img src='http://a.example/b.png' alt='Sea' title='Sea'> c");
        assert_eq!(image, "a ![Sea](http://a.example/b.png) c");
        for (class, alt, expected) in [
            ("emoji", "🙂", "🙂"),
            ("smilie smilie--sprite", ":oops:", ":oops:"),
            ("wp-smiley", ":)", ":)"),
            ("smiles", "Sea", "![Sea](http://a.example/b.png)"),
            ("photo", ":)", "![:)](http://a.example/b.png)"),
        ] {
            let image =
                format!("<p>a <img src=http://a.example/b.png class='{class}' alt='{alt}'>");
            assert_eq!(markdown(&image), format!("a {expected}"));
        }
        let image =
            markdown("<p>a <img src=http://a.example/b.png alt='&amp;#8216;Sea&amp;#8217;'>");
        assert_eq!(image, "a ![‘Sea’](http://a.example/b.png)");
    }

    #[test]
    fn tables_of_data_have_rows_and_a_head() {
        assert_eq!(
            markdown("<p>a<table><tr><th>x<th>y|z<tr><td>1<br>2<td>3</table><p>b"),
            "a\n\n| x | y\\|z |\n| --- | --- |\n| 1<br>2 | 3 |\n\nb"
        );
        let empty = "<table><tr><td><img src=a.png><td><tr><td><td></table>";
        assert_eq!(markdown(&format!("<p>a{empty}<p>b")), "a\n\nb");
        assert_eq!(
            markdown(&format!("<table><tr><th>x<th>y<tr><td>1<td>{empty}</table>")),
            "| x | y |\n| --- | --- |\n| 1 |  |"
        );
        assert_eq!(
            markdown("<table><tr><td>1<td>2</table><table><tr><td>3<td>4</table>"),
            "| 1 | 2 |\n| --- | --- |\n\n| 3 | 4 |\n| --- | --- |"
        );
    }

    #[test]
    fn deep_lists_take_linear_time_and_room() {
        let html = "<ul><li>a".repeat(20_000);
        let text = markdown(&html);
        assert!(text.len() < 20_000 * 24, "{}", text.len());
    }
}
