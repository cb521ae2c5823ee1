//! The elements of a page that give its text a structure, and the tree of the text that is kept.

use crate::blocks::is_permalink;
use crate::flow::What;
use crate::lines::Decisions;
use crate::page::Page;
use crate::source::SourceTag;
use crate::structure::{is_web, web};
use crate::tags::Tag;
use crate::Verdict;
use url::Url;

/// Longest target of a link, in bytes. Longer ones are left out.
const MAX_URL: usize = 2048;

/// Bytes of all targets of a page for each byte of its text, and a constant: relative links may be
/// much longer than they are in the source.
const URL_BYTES: (usize, usize) = (4, 64 << 10);

/// Levels of elements. Deeper ones are left out, and their text belongs to the last of them.
const MAX_LEVELS: usize = 64;

/// Attributes that state the language of code. Other blocks than code have only the first.
const STATING: [&str; 3] = ["data-lang", "data-language", "data-enlighter-language"];

/// Least `font-weight` of bold letters.
const MIN_BOLD: u16 = 600;

/// The role of an element in the structure of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Role {
    Paragraph,
    /// Another block, such as `<div>`.
    Block,
    /// With its rank, from 1 to 6.
    Heading(u8),
    /// A list; with the first number if it is ordered.
    List(Option<i64>),
    /// An item, with its number if it states one.
    Item(Option<i64>),
    Terms,
    Term,
    Definition,
    Quotation,
    Preformatted,
    Figure,
    Rule,
    Table,
    /// A row; true in a `<tfoot>`, which is displayed below the others.
    Row(bool),
    /// A cell.
    Cell(Cell),
    Caption,
    Code,
    Emphasis,
    Strong,
    Struck,
    Sub,
    Sup,
    /// `<q>`.
    Quoted,
    Link,
    Image,
    /// A picture of a character.
    Emoji,
    /// A checkbox that is checked or not.
    Checkbox(bool),
}

/// Columns, rows and alignment of a cell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) is_head: bool,
    pub(crate) columns: u8,
    pub(crate) rows: u8,
    pub(crate) align: Align,
}

/// The alignment of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Align {
    #[default]
    None,
    Left,
    Center,
    Right,
}

/// An element with its attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) role: Role,
    /// The target of a link, the source of an image or the language of code.
    pub(crate) target: String,
    /// The title of a link or an image.
    pub(crate) title: String,
    /// The text that replaces an image.
    pub(crate) alt: String,
    /// Its `id`, or the `name` of a link, which links within the page lead to.
    pub(crate) name: String,
}

impl Element {
    /// Reads a start tag, if its element is part of the structure.
    pub(crate) fn of(source: &SourceTag<'_>, tag: Tag) -> Option<Element> {
        let mut element = Element::new(role(source, tag)?);
        let value = |name: &str| {
            let value = source.attribute(name).unwrap_or_default();
            if value.len() <= MAX_URL {
                value.into_owned()
            } else {
                String::new()
            }
        };
        // Programs that fill in headlines often escape them twice.
        let said = |name: &str| htmlize::unescape(value(name).as_str()).into_owned();
        match element.role {
            Role::Link => (element.target, element.title) = (value("href"), said("title")),
            Role::Image => {
                const SOURCES: [&str; 4] = ["src", "data-src", "data-lazy-src", "data-original"];
                let is_real = |source: &String| !source.is_empty() && !source.starts_with("data:");
                element.target = SOURCES.into_iter().map(value).find(is_real).unwrap_or_default();
                (element.alt, element.title) = (said("alt"), said("title"));
                if is_emoji(&value("class"), &element.alt) {
                    element.role = Role::Emoji;
                }
            }
            Role::Preformatted | Role::Code | Role::Block => {
                let is_block = element.role == Role::Block;
                let stated = &STATING[..if is_block { 1 } else { STATING.len() }];
                let stated = || stated.iter().map(|name| value(name));
                element.target = language(&value("class"))
                    .or_else(|| stated().find(|name| is_language(name)))
                    .unwrap_or_default();
            }
            _ => {}
        }
        if matches!(element.role, Role::Item(_) | Role::Paragraph | Role::Block | Role::Link) {
            element.name = value("id");
            if element.name.is_empty() && element.role == Role::Link {
                element.name = value("name");
            }
        }
        Some(element)
    }

    /// An element without attributes.
    fn new(role: Role) -> Element {
        let [target, title, alt, name] = [const { String::new() }; 4];
        Element { role, target, title, alt, name }
    }
}

fn role(source: &SourceTag<'_>, tag: Tag) -> Option<Role> {
    let number = |name: &str| integer(&source.attribute(name)?);
    Some(match tag {
        Tag::P => Role::Paragraph,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => Role::Heading(tag.rank()),
        Tag::Ul | Tag::Menu | Tag::Dir => Role::List(None),
        Tag::Ol => Role::List(Some(number("start").unwrap_or(1))),
        Tag::Li => Role::Item(number("value")),
        Tag::Dl => Role::Terms,
        Tag::Dt => Role::Term,
        Tag::Dd => Role::Definition,
        Tag::Blockquote => Role::Quotation,
        Tag::Pre | Tag::Listing | Tag::Xmp => Role::Preformatted,
        Tag::Hr => Role::Rule,
        Tag::Table => Role::Table,
        Tag::Tr => Role::Row(false),
        Tag::Td | Tag::Th => Role::Cell(cell(source, tag)),
        Tag::Caption => Role::Caption,
        Tag::Code | Tag::Samp | Tag::Kbd | Tag::Tt => Role::Code,
        Tag::I | Tag::Em | Tag::B | Tag::Strong | Tag::Span => return formatting(source, tag),
        Tag::S | Tag::Strike | Tag::Del => Role::Struck,
        Tag::Sub => Role::Sub,
        Tag::Sup => Role::Sup,
        Tag::Q => Role::Quoted,
        Tag::A => Role::Link,
        Tag::Img => Role::Image,
        Tag::Input => {
            let kind = source.attribute("type").unwrap_or_default();
            let is_checked =
                source.attributes().any(|(name, _)| name.eq_ignore_ascii_case("checked"));
            return kind.eq_ignore_ascii_case("checkbox").then_some(Role::Checkbox(is_checked));
        }
        Tag::Div | Tag::Center | Tag::Address | Tag::Fieldset | Tag::Form => Role::Block,
        Tag::Unknown if source.name().eq_ignore_ascii_case("figure") => Role::Figure,
        Tag::Unknown if crate::display::of(tag, source.name()).ends_paragraph => Role::Block,
        _ => return None,
    })
}

/// The formatting of an element by its style, or else by its tag. Editors wrap a text that is pasted
/// in `<b style="font-weight:normal">`, and write bold words as `<span style="font-weight:bold">`.
fn formatting(source: &SourceTag<'_>, tag: Tag) -> Option<Role> {
    let style = source.attribute("style").unwrap_or_default().to_ascii_lowercase();
    let value = |name: &str| {
        style.split(';').rev().find_map(|declaration| {
            let (found, value) = declaration.split_once(':')?;
            let value = value.split_once('!').map_or(value, |(value, _)| value);
            (found.trim() == name).then(|| value.trim())
        })
    };
    let is_bold = |weight: &str| match weight.parse::<u16>() {
        Ok(weight) => weight >= MIN_BOLD,
        Err(_) => weight.starts_with("bold"),
    };
    let is_slanted = |style: &str| style.starts_with("italic") || style.starts_with("oblique");
    let is_strong = value("font-weight").map_or(matches!(tag, Tag::B | Tag::Strong), is_bold);
    let is_emphasis = value("font-style").map_or(matches!(tag, Tag::I | Tag::Em), is_slanted);
    let is_struck = || value("text-decoration").is_some_and(|line| line.contains("line-through"));
    if is_strong {
        Some(Role::Strong)
    } else if is_emphasis {
        Some(Role::Emphasis)
    } else {
        is_struck().then_some(Role::Struck)
    }
}

fn cell(source: &SourceTag<'_>, tag: Tag) -> Cell {
    let number = |name: &str| {
        let value = source.attribute(name).and_then(|value| integer(&value));
        value.unwrap_or(1).clamp(1, 99) as u8
    };
    let style = source.attribute("style").unwrap_or_default().to_ascii_lowercase();
    let align = source.attribute("align").unwrap_or_default().to_ascii_lowercase();
    let is = |name: &str| {
        let style = style.split_once("text-align:").map_or("", |(_, value)| value.trim_start());
        align == name || style.starts_with(name)
    };
    let align = match () {
        () if is("center") => Align::Center,
        () if is("right") => Align::Right,
        () if is("left") => Align::Left,
        () => Align::None,
    };
    Cell { is_head: tag == Tag::Th, columns: number("colspan"), rows: number("rowspan"), align }
}

/// The number that a value begins with, after the standard's section "Signed integers".
fn integer(value: &str) -> Option<i64> {
    let value = value.trim_start();
    let sign = usize::from(value.starts_with(['+', '-']));
    let digits = value[sign..].bytes().take_while(u8::is_ascii_digit).count();
    value[..sign + digits].parse().ok()
}

/// Returns true for a picture of a character or a smiley, by its class or its text.
fn is_emoji(class: &str, alt: &str) -> bool {
    const MAX_CHARS: usize = 8;
    const MAX_NAME: usize = 16;
    let length = alt.chars().count();
    let is_sign = |c: char| matches!(u32::from(c), 0x2190..=0x2bff | 0x1f000..=0x1faff);
    let is_called = || ["emoji", "smil", "emotic"].iter().any(|part| class.contains(part));
    // `:)`, `:oops:`
    let is_smiley = || alt.is_ascii() && !alt.starts_with(char::is_alphanumeric) && is_called();
    let is_short = !alt.is_ascii() && length <= MAX_CHARS;
    is_short && (class.contains("emoji") || alt.chars().any(is_sign))
        || (2..=MAX_NAME).contains(&length) && is_smiley()
}

/// The language of code that a class names: `language-py`, `brush: py`, `hljs python`,
/// `sourceCode python`, of Sphinx `highlight-py notranslate`, of Org `src src-py`.
fn language(class: &str) -> Option<String> {
    const BEFORE: [&str; 5] = ["language-", "lang-", "highlight-source-", "brush:", "lang:"];
    /// Names of highlighters, beside which the language is a name of its own.
    const BESIDE: [&str; 3] = ["brush:", "hljs", "sourceCode"];
    /// Beginnings of names that stand for a language only beside another name.
    const BOTH: [(&str, &str); 2] = [("highlight-", "notranslate"), ("src-", "src")];
    let names = || class.split_ascii_whitespace();
    let after = |before: &str| names().find_map(|name| name.strip_prefix(before));
    let has = |name: &str| names().any(|other| other == name);
    let stated = BEFORE.into_iter().find_map(after).filter(|name| !name.is_empty());
    let beside = || names().skip_while(|name| !BESIDE.contains(name)).nth(1);
    let both = || BOTH.into_iter().find_map(|(before, name)| after(before).filter(|_| has(name)));
    let found = stated.or_else(beside).or_else(both)?;
    let name = found.split(';').next()?.trim_matches(':');
    is_language(name).then(|| name.to_owned())
}

fn is_language(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+-#._".contains(&byte);
    let is_none = matches!(name, "default" | "none" | "nohighlight");
    !name.is_empty() && !is_none && name.len() <= 32 && name.bytes().all(is_part)
}

/// The elements of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shapes {
    elements: Vec<Element>,
}

impl Shapes {
    pub(crate) fn add(&mut self, element: Element) -> u32 {
        self.elements.push(element);
        (self.elements.len() - 1) as u32
    }

    /// Adds an element again, without its name.
    pub(crate) fn add_again(&mut self, number: u32) -> u32 {
        let element = self.elements[number as usize].clone();
        self.add(Element { name: String::new(), ..element })
    }
}

/// A part of the content of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kid {
    /// By its index in the tree.
    Node(usize),
    /// Text without white space at its borders.
    Text(String),
    /// TeX between dollars.
    Formula(String),
    Space,
    /// White space as written, in preformatted text.
    Kept(String),
    Break,
    /// The border of a block that is no element of the structure.
    Border,
}

impl Kid {
    /// Returns true for text that is not white space.
    fn is_text(&self) -> bool {
        match self {
            Kid::Text(_) | Kid::Formula(_) => true,
            Kid::Kept(text) => !text.trim().is_empty(),
            Kid::Node(_) | Kid::Space | Kid::Break | Kid::Border => false,
        }
    }
}

/// An element with the text that is kept.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) element: Element,
    pub(crate) kids: Vec<Kid>,
    /// A node within it is a block.
    pub(crate) has_block: bool,
}

/// The kept text of a page with its elements. The root is the first node.
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
}

impl Tree {
    /// `links`: false if links have no targets.
    pub(crate) fn new(page: &Page, verdicts: &[Verdict], links: bool) -> Tree {
        let mut builder = Builder::new(page, verdicts, links);
        let (mut at, mut around_headline) = (0, Vec::new());
        let mut marks = page.flow.marks.iter().peekable();
        for (number, block) in page.blocks.iter().enumerate() {
            let end = block.text.end;
            while let Some(mark) = marks.next_if(|mark| (mark.at as usize) < end) {
                let to = mark.at as usize;
                builder.text(page.text.get(at..to).unwrap_or_default());
                at = at.max(to) + builder.mark(mark.what);
            }
            if verdicts.get(number).is_some_and(Verdict::is_headline) {
                around_headline = builder.open.iter().map(|(node, _)| *node).collect();
            }
            builder.text(page.text.get(at..end).unwrap_or_default());
            at = at.max(end);
        }
        marks.for_each(|mark| {
            builder.mark(mark.what);
        });
        let mut tree = builder.finish();
        tree.leave_lists(&around_headline);
        tree
    }

    /// Makes plain blocks of the lists among some nodes around the headline, if no other item has
    /// text: the list of the page's place in its site, or one that arranges the page.
    fn leave_lists(&mut self, around: &[usize]) {
        for list in around {
            let items = self.parts(*list, |role| matches!(role, Role::Item(_)));
            let is_list = matches!(self.role(*list), Role::List(_));
            if is_list && items.iter().filter(|item| self.has_text(**item)).count() == 1 {
                for node in items.iter().chain([list]) {
                    self.nodes[*node].element.role = Role::Block;
                }
            }
        }
    }

    /// Returns true if a node has text, not only pictures.
    pub(crate) fn has_text(&self, node: usize) -> bool {
        self.nodes[node].kids.iter().any(|kid| match kid {
            Kid::Node(inner) => self.has_text(*inner),
            kid => kid.is_text(),
        })
    }

    pub(crate) fn role(&self, node: usize) -> &Role {
        &self.nodes[node].element.role
    }

    /// The nodes of a role directly in a node, or in other blocks in it.
    pub(crate) fn parts(&self, node: usize, is_part: impl Fn(&Role) -> bool + Copy) -> Vec<usize> {
        let mut found = Vec::new();
        for kid in &self.nodes[node].kids {
            if let Kid::Node(inner) = kid {
                if is_part(self.role(*inner)) {
                    found.push(*inner);
                }
            }
        }
        found
    }

    /// All text of a node with its white space.
    pub(crate) fn verbatim(&self, node: usize, out: &mut String) {
        self.nodes[node].kids.iter().for_each(|kid| self.verbatim_kid(kid, out));
    }

    /// The same of a part of a node.
    pub(crate) fn verbatim_kid(&self, kid: &Kid, out: &mut String) {
        match kid {
            Kid::Text(text) | Kid::Kept(text) | Kid::Formula(text) => out.push_str(text),
            Kid::Space => out.push(' '),
            Kid::Break => out.push('\n'),
            Kid::Border if !out.is_empty() && !out.ends_with('\n') => out.push('\n'),
            Kid::Border => {}
            Kid::Node(inner) => self.verbatim(*inner, out),
        }
    }

    /// Returns true for code with blocks in it that are only its lines.
    pub(crate) fn is_code_in_lines(&self, node: usize) -> bool {
        let is_code = *self.role(node) == Role::Code && self.nodes[node].has_block;
        is_code && !self.has_structure(node, Allowed { items: false, tables: false })
    }

    /// Returns true for a table with text and a row of several cells, all of them short and without
    /// other structure than paragraphs. Cells below or beside head cells may also have lists, code,
    /// headings, quotations and tables, and cells of tables with two such rows may have tables. A
    /// table of one column has a head above its other cells.
    pub(crate) fn is_data(&self, node: usize) -> bool {
        let rows = self.parts(node, |role| matches!(role, Role::Row(_)));
        let is_part = |role: &Role| matches!(role, Role::Row(_) | Role::Caption);
        if !self.has_text(node) || self.has_stray(node, is_part) {
            return false;
        }
        let cells_of = |row: &usize| self.parts(*row, |role| matches!(role, Role::Cell(_)));
        let columns = rows.iter().map(|row| cells_of(row).len()).max().unwrap_or_default();
        let has_rows = rows.iter().filter(|row| cells_of(row).len() > 1).count() > 1;
        let is_head =
            |cell: &usize| matches!(self.role(*cell), Role::Cell(Cell { is_head: true, .. }));
        let has_head = |row: &usize| self.parts(*row, |_| true).iter().any(is_head);
        let any_head = rows.iter().any(has_head);
        // One column needs a head above other cells.
        let is_column = rows.len() > 1 && has_head(&rows[0]) && !rows[1..].iter().any(has_head);
        let items = any_head && columns > 1;
        let allowed = Allowed { items, tables: items || has_rows };
        let is_plain = |row: &usize| {
            !self.has_stray(*row, |role| matches!(role, Role::Cell(_)))
                && cells_of(row).iter().all(|cell| self.is_plain_cell(*cell, allowed))
        };
        (columns == 1 && is_column || (2..=MAX_COLUMNS).contains(&columns))
            && rows.iter().all(is_plain)
    }

    fn is_plain_cell(&self, cell: usize, allowed: Allowed) -> bool {
        let mut text = String::new();
        self.verbatim(cell, &mut text);
        text.len() <= MAX_CELL && !self.has_structure(cell, allowed)
    }

    fn has_structure(&self, node: usize, allowed: Allowed) -> bool {
        self.parts(node, |_| true).into_iter().any(|inner| {
            let role = self.role(inner);
            let is_plain = match role {
                Role::Paragraph | Role::Block => true,
                Role::List(_) | Role::Item(_) | Role::Preformatted | Role::Heading(_) => {
                    allowed.items
                }
                Role::Quotation | Role::Rule | Role::Terms | Role::Term | Role::Definition => {
                    allowed.items
                }
                Role::Table | Role::Row(_) | Role::Cell(_) | Role::Caption => allowed.tables,
                role => !is_block(role),
            };
            !is_plain || self.has_structure(inner, allowed)
        })
    }

    /// Returns true for a link that only says that its heading has an address.
    fn is_permalink(&self, kid: &Kid) -> bool {
        let Kid::Node(node) = kid else { return false };
        if self.nodes[*node].element.role != Role::Link {
            return false;
        }
        let mut text = String::new();
        self.verbatim(*node, &mut text);
        is_permalink(text.trim())
    }

    /// Moves the rows of `<tfoot>` below the others, and removes the addresses of headings.
    fn arrange(&mut self, node: usize) {
        let is_of_foot = |tree: &Tree, kid: &Kid| match kid {
            Kid::Node(row) => *tree.role(*row) == Role::Row(true),
            _ => false,
        };
        let mut kids = std::mem::take(&mut self.nodes[node].kids);
        match self.role(node) {
            Role::Table => kids.sort_by_key(|kid| is_of_foot(self, kid)),
            Role::Heading(_) => {
                let is_space = |kid: &Kid| matches!(kid, Kid::Space | Kid::Border);
                if kids.iter().any(|kid| !is_space(kid) && !self.is_permalink(kid)) {
                    kids.retain(|kid| !self.is_permalink(kid));
                }
            }
            _ => {}
        }
        self.nodes[node].kids = kids;
    }

    /// Returns true if a node has content other than nodes of some roles.
    pub(crate) fn has_stray(&self, node: usize, is_part: impl Fn(&Role) -> bool) -> bool {
        self.nodes[node].kids.iter().any(|kid| match kid {
            Kid::Node(inner) => !is_part(self.role(*inner)),
            kid => kid.is_text(),
        })
    }

    /// The language of code that an element, or the code in it, states.
    pub(crate) fn language(&self, node: usize) -> Option<&str> {
        let own = &self.nodes[node].element.target;
        let code = self.parts(node, |role| *role == Role::Code).first().copied();
        let of_code = code.map_or("", |code| &self.nodes[code].element.target);
        [own, of_code].into_iter().find(|name| !name.is_empty())
    }
}

/// Longest text of a cell in a table of data, in bytes. Tables with longer cells arrange a page.
const MAX_CELL: usize = 500;

/// Most columns of a table of data.
pub(crate) const MAX_COLUMNS: usize = 64;

/// The contents beside text that the cells of a table of data may have.
#[derive(Debug, Clone, Copy)]
struct Allowed {
    /// Lists, code, headings and quotations.
    items: bool,
    /// Tables in a cell.
    tables: bool,
}

/// Returns true for an element that begins and ends a line.
pub(crate) fn is_block(role: &Role) -> bool {
    use Role::{Block, Caption, Definition, Figure, Heading, Item, List, Paragraph, Preformatted};
    use Role::{Quotation, Row, Rule, Table, Term, Terms};
    matches!(role, Block | Caption | Definition | Figure | Heading(_) | Item(_) | List(_) | Rule)
        || matches!(role, Paragraph | Preformatted | Quotation | Row(_) | Table | Term | Terms)
        || matches!(role, Role::Cell(_))
}

/// Most elements that continue behind an item of a list.
const MAX_CONTINUED: usize = 2;

/// An item of a list, and the formatting around it, such as one link around several items.
struct Continued {
    list: usize,
    item: usize,
    /// Nodes with the index of their elements, outermost first.
    around: Vec<(usize, u32)>,
}

struct Builder<'p> {
    page: &'p Page,
    decisions: Decisions,
    links: bool,
    left: usize,
    tree: Vec<Node>,
    /// Open nodes with the index of their elements.
    open: Vec<(usize, u32)>,
    /// Open items of lists in formatting that continues behind them.
    continued: Vec<Continued>,
    deeper: usize,
    hidden: bool,
}

impl<'p> Builder<'p> {
    fn new(page: &'p Page, verdicts: &[Verdict], links: bool) -> Self {
        let element = Element::new(Role::Block);
        let (times, more) = URL_BYTES;
        Builder {
            page,
            decisions: page.decisions(verdicts),
            links,
            left: page.text.len().saturating_mul(times).saturating_add(more),
            tree: vec![Node { element, kids: Vec::new(), has_block: false }],
            open: vec![(0, u32::MAX)],
            continued: Vec::new(),
            deeper: 0,
            hidden: false,
        }
    }

    fn add(&mut self, kid: Kid) {
        if let Some((node, _)) = self.open.last() {
            self.tree[*node].kids.push(kid);
        }
    }

    fn text(&mut self, text: &str) {
        if self.hidden || text.is_empty() || !self.decisions.is_kept() {
            return;
        }
        let inside = text.trim_matches(' ');
        if text.starts_with(' ') {
            self.add(Kid::Space);
        }
        if !inside.is_empty() {
            let mut clean = String::new();
            crate::lines::push_clean(&mut clean, inside);
            self.add(Kid::Text(clean));
            if text.ends_with(' ') {
                self.add(Kid::Space);
            }
        }
    }

    /// Returns how many bytes of the text are replaced.
    fn mark(&mut self, what: What) -> usize {
        let more = |number: u32| {
            let more = &self.page.flow.more[number as usize];
            &self.page.flow.extra[more.text.clone()]
        };
        match what {
            What::Invented => return 1,
            What::Hide => self.hidden = true,
            What::Show => self.hidden = false,
            _ if self.hidden => {}
            What::Space => self.add_kept(Kid::Space),
            What::Replaced => {}
            What::Tab => {
                // Cells by their style are no elements of the structure.
                self.add_kept(Kid::Space);
                self.decisions.next();
            }
            What::Break => {
                // A line between two breaks has no text of its own.
                if self.decisions.is_near_kept() {
                    self.add(Kid::Break);
                }
                self.decisions.next();
            }
            What::Block => {
                self.add(Kid::Border);
                self.decisions.next();
            }
            What::More(number) => {
                let text = more(number);
                let is_folded = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}');
                for (count, word) in text.split(is_folded).enumerate() {
                    if count > 0 {
                        self.add_kept(Kid::Space);
                    }
                    self.text(word);
                }
            }
            What::Kept(number) => {
                let text = more(number);
                self.add_kept(Kid::Kept(text.replace("\r\n", "\n").replace('\r', "\n")));
                text.bytes().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|_| {
                    self.decisions.next();
                });
            }
            What::Formula(number) => {
                let tex = more(number).to_owned();
                self.add_kept(Kid::Formula(tex));
            }
            What::Open(number) => self.begin(number),
            What::Close(number) => self.end(number),
        }
        0
    }

    fn add_kept(&mut self, kid: Kid) {
        if self.decisions.is_kept() {
            self.add(kid);
        }
    }

    fn begin(&mut self, number: u32) {
        let Some(shapes) = &self.page.flow.shapes else { return };
        if self.open.len() > MAX_LEVELS {
            self.deeper += 1;
            return;
        }
        let mut element = shapes.elements[number as usize].clone();
        let is_void =
            matches!(element.role, Role::Image | Role::Emoji | Role::Checkbox(_) | Role::Rule);
        if is_void && !self.decisions.is_near_kept() {
            element.role = Role::Block;
        }
        if matches!(element.role, Role::Link | Role::Image) {
            element.target = self.target(&element);
        }
        let mut around = self.leave_wrappers(&element.role);
        if is_block(&element.role) {
            for (node, _) in &self.open {
                self.tree[*node].has_block = true;
            }
        }
        let list = self.open.last().map_or(0, |(list, _)| *list);
        let item = self.push(element, number);
        for (node, number) in &around {
            self.push_again(*node, *number);
        }
        if !around.is_empty() {
            around.drain(..around.len().saturating_sub(MAX_CONTINUED));
            self.continued.push(Continued { list, item, around });
        }
    }

    /// Begins an element again.
    fn push_again(&mut self, node: usize, number: u32) {
        let mut element = self.tree[node].element.clone();
        match self.left.checked_sub(element.target.len()) {
            Some(left) => self.left = left,
            None => element.target.clear(),
        }
        self.push(element, number);
    }

    /// Begins the formatting around an item again if the item has ended.
    fn continue_behind(&mut self) {
        while let Some(Continued { list, around, .. }) =
            self.continued.pop_if(|last| !self.open.iter().any(|(node, _)| *node == last.item))
        {
            if self.open.last().is_some_and(|(node, _)| *node == list) {
                around.into_iter().for_each(|(node, number)| self.push_again(node, number));
            }
        }
    }

    fn push(&mut self, element: Element, number: u32) -> usize {
        let node = self.tree.len();
        self.tree.push(Node { element, kids: Vec::new(), has_block: false });
        self.add(Kid::Node(node));
        self.open.push((node, number));
        node
    }

    /// Closes the elements between a list and this part of it, such as a `<div>` or a link around
    /// its items. Returns those that mark text, outermost first: they continue within the part.
    fn leave_wrappers(&mut self, part: &Role) -> Vec<(usize, u32)> {
        let is_list = |role: &Role| match part {
            Role::Item(_) => matches!(role, Role::List(_)),
            Role::Term | Role::Definition => *role == Role::Terms,
            _ => false,
        };
        let role = |(node, _): &(usize, u32)| &self.tree[*node].element.role;
        let is_wrapper = |role: &Role| *role == Role::Block || !is_block(role);
        let place = self.open.iter().rposition(|open| !is_wrapper(role(open)));
        let Some(place) = place.filter(|place| is_list(role(&self.open[*place]))) else {
            return Vec::new();
        };
        let wrappers = self.open.split_off(place + 1);
        wrappers.into_iter().filter(|(node, _)| !is_block(&self.tree[*node].element.role)).collect()
    }

    fn end(&mut self, number: u32) {
        self.end_element(number);
        if !self.continued.is_empty() {
            for item in &mut self.continued {
                item.around.retain(|(_, around)| *around != number);
            }
            self.continue_behind();
        }
    }

    fn end_element(&mut self, number: u32) {
        if self.deeper > 0 && !self.open.iter().any(|(_, open)| *open == number) {
            self.deeper -= 1;
            return;
        }
        // Formatting that a block crosses ends with its parent.
        if self.open.last().is_some_and(|(_, open)| *open == number) {
            self.open.pop();
            return;
        }
        let Some(place) = self.open.iter().rposition(|(_, open)| *open == number) else { return };
        let crosses = |(node, _): &(usize, u32)| is_block(&self.tree[*node].element.role);
        if !self.open[place + 1..].iter().any(crosses) || crosses(&self.open[place]) {
            self.open.truncate(place);
        } else {
            self.open.remove(place);
        }
    }

    /// The target of a link or an image as an absolute URL, or a fragment; empty if it has none.
    fn target(&mut self, element: &Element) -> String {
        let href = element.target.trim();
        if !self.links || href.is_empty() {
            return String::new();
        }
        if href.starts_with('#') && element.role == Role::Link {
            let is_safe = |c: char| !c.is_control() && !c.is_whitespace() && !"\"<>()".contains(c);
            return if href.len() > 1 && href.chars().all(is_safe) {
                href.to_owned()
            } else {
                String::new()
            };
        }
        let base = self.page.structure.as_ref().and_then(|structure| structure.base.as_ref());
        let url =
            Url::options().base_url(base).parse(href).ok().filter(is_web).or_else(|| web(href));
        let url = url.map(String::from).unwrap_or_default();
        if url.len() > MAX_URL || url.len() > self.left {
            return String::new();
        }
        self.left -= url.len();
        url
    }

    fn finish(mut self) -> Tree {
        for node in 0..self.tree.len() {
            let kids = std::mem::take(&mut self.tree[node].kids);
            self.tree[node].kids = match self.tree[node].element.role {
                Role::List(_) => {
                    self.grouped(kids, |role| !role.is_some_and(is_block), Role::Item(None))
                }
                Role::Terms => {
                    self.grouped(kids, |role| !role.is_some_and(is_block), Role::Definition)
                }
                Role::Table => {
                    let is_cell = |role: Option<&Role>| matches!(role, Some(Role::Cell(_)));
                    self.grouped(kids, is_cell, Role::Row(false))
                }
                _ => {
                    let is_item = |role: Option<&Role>| matches!(role, Some(Role::Item(_)));
                    let kids = self.grouped(kids, is_item, Role::List(None));
                    let is_term =
                        |role: Option<&Role>| matches!(role, Some(Role::Term | Role::Definition));
                    self.grouped(kids, is_term, Role::Terms)
                }
            };
        }
        let mut tree = Tree { nodes: self.tree };
        (0..tree.nodes.len()).for_each(|node| tree.arrange(node));
        tree
    }

    /// Puts runs of some kids, which lack their parent or their item, into a new node each.
    fn grouped(
        &mut self,
        kids: Vec<Kid>,
        is_part: impl Fn(Option<&Role>) -> bool,
        role: Role,
    ) -> Vec<Kid> {
        let (mut out, mut group) = (Vec::new(), Vec::new());
        let end = |tree: &mut Vec<Node>, group: &mut Vec<Kid>, out: &mut Vec<Kid>| {
            let has_text = group.iter().any(|kid| !matches!(kid, Kid::Space | Kid::Border));
            if !has_text {
                return out.append(group);
            }
            let mut element = tree[0].element.clone();
            element.role = role.clone();
            let has_block = group
                .iter()
                .any(|kid| matches!(kid, Kid::Node(node) if is_block(&tree[*node].element.role)));
            tree.push(Node { element, kids: std::mem::take(group), has_block });
            out.push(Kid::Node(tree.len() - 1));
        };
        for kid in kids {
            let role = match &kid {
                Kid::Node(node) => Some(&self.tree[*node].element.role),
                _ => None,
            };
            // White space and borders belong to a run that has begun.
            let is_between = matches!(kid, Kid::Space | Kid::Border) && !group.is_empty();
            if is_between || is_part(role) {
                group.push(kid);
            } else {
                end(&mut self.tree, &mut group, &mut out);
                out.push(kid);
            }
        }
        end(&mut self.tree, &mut group, &mut out);
        out
    }
}
