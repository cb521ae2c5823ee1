//! How each element is displayed, after the section "Rendering" of the HTML standard, and which
//! open elements a tag ends, after its section "The rules for parsing tokens in HTML content".

use crate::source::{bits_of, SourceTag};
use crate::tags::Tag;

/// The display of an element without its own style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Display {
    /// Part of a line. Unknown and custom elements are inline.
    Inline,
    /// Begins and ends a line.
    Block,
    /// A row of a table.
    Row,
    /// A cell of a table.
    Cell,
    /// Not displayed, nor is its content.
    Hidden,
    /// A picture, a field or a player: no text, but white space on either side of it counts.
    Replaced,
    /// A picture or a player with content for browsers that cannot display it.
    Fallback,
    /// `<br>`.
    Break,
    /// `<hr>`.
    Rule,
    /// No content and no effect on text, like `<wbr>`.
    Nothing,
}

/// The part that an element has in the rules of this module.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) display: Display,
    /// Its start tag ends an open paragraph.
    pub(crate) ends_paragraph: bool,
    /// White space in it is kept.
    pub(crate) keeps_space: bool,
    /// The end tags of inline elements do not reach beyond it: it is "special" in the standard.
    pub(crate) is_special: bool,
}

const fn kind(display: Display) -> Kind {
    let is_special = !matches!(display, Display::Inline | Display::Nothing);
    Kind { display, ends_paragraph: false, keeps_space: false, is_special }
}

const BLOCK: Kind = Kind { ends_paragraph: true, ..kind(Display::Block) };

/// The kind of an element. `name` is used if the element has no tag of its own.
pub(crate) fn of(tag: Tag, name: &str) -> Kind {
    match tag {
        Tag::Unknown => of_name(name),
        Tag::Address | Tag::Blockquote | Tag::Center | Tag::Dd | Tag::Dir | Tag::Div | Tag::Dl => {
            BLOCK
        }
        Tag::Dt | Tag::Fieldset | Tag::Form | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 => BLOCK,
        Tag::H5 | Tag::H6 | Tag::Li | Tag::Menu | Tag::Ol | Tag::P | Tag::Table | Tag::Ul => BLOCK,
        Tag::Listing | Tag::Plaintext | Tag::Pre | Tag::Xmp => Kind { keeps_space: true, ..BLOCK },
        Tag::Body | Tag::Caption | Tag::Frameset | Tag::Html | Tag::Legend | Tag::Optgroup => {
            kind(Display::Block)
        }
        Tag::Option => Kind { is_special: false, ..kind(Display::Block) },
        Tag::Colgroup | Tag::Tbody | Tag::Tfoot | Tag::Thead => kind(Display::Block),
        Tag::Tr => kind(Display::Row),
        Tag::Td | Tag::Th => kind(Display::Cell),
        Tag::Hr => Kind { ends_paragraph: true, ..kind(Display::Rule) },
        Tag::Br => kind(Display::Break),
        Tag::Img | Tag::Input | Tag::Embed | Tag::Keygen => kind(Display::Replaced),
        Tag::Select => kind(Display::Fallback),
        Tag::Textarea | Tag::Iframe => kind(Display::Fallback),
        Tag::Area | Tag::Base | Tag::Basefont | Tag::Bgsound | Tag::Col | Tag::Frame => {
            kind(Display::Nothing)
        }
        Tag::Link | Tag::Meta | Tag::Param | Tag::Spacer | Tag::Wbr => kind(Display::Nothing),
        Tag::Head | Tag::Noembed | Tag::Noframes | Tag::Noscript | Tag::Script | Tag::Style => {
            kind(Display::Hidden)
        }
        Tag::Title => kind(Display::Hidden),
        Tag::Rp | Tag::Rt | Tag::Rtc => Kind { is_special: false, ..kind(Display::Hidden) },
        Tag::Applet | Tag::Button | Tag::Marquee | Tag::Object => {
            Kind { is_special: true, ..kind(Display::Inline) }
        }
        _ => kind(Display::Inline),
    }
}

fn of_name(name: &str) -> Kind {
    const LONGEST: usize = 10;
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..name.len()) else { return kind(Display::Inline) };
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    match &*lower {
        b"article" | b"aside" | b"details" | b"dialog" | b"figcaption" | b"figure" | b"footer"
        | b"header" | b"hgroup" | b"main" | b"nav" | b"search" | b"section" | b"summary" => BLOCK,
        b"template" | b"datalist" => kind(Display::Hidden),
        b"audio" | b"canvas" | b"meter" | b"progress" | b"video" => kind(Display::Fallback),
        b"source" | b"track" => kind(Display::Nothing),
        _ => kind(Display::Inline),
    }
}

/// The elements whose open one is ended by the start tag of another, up to the nearest of the
/// second set.
pub(crate) fn ends(tag: Tag) -> Option<(&'static [Tag], &'static [Tag])> {
    const CELLS: &[Tag] = &[Tag::Tr, Tag::Tbody, Tag::Thead, Tag::Tfoot, Tag::Table];
    const TABLE: &[Tag] = &[Tag::Table];
    Some(match tag {
        Tag::Td | Tag::Th => (&[Tag::Td, Tag::Th, Tag::Caption], CELLS),
        // Cells that have no row are open without one.
        Tag::Tr => (&[Tag::Tr, Tag::Td, Tag::Th, Tag::Caption, Tag::Colgroup], TABLE),
        Tag::Tbody | Tag::Thead | Tag::Tfoot => {
            (&[Tag::Tbody, Tag::Thead, Tag::Tfoot, Tag::Tr, Tag::Caption, Tag::Colgroup], TABLE)
        }
        Tag::Caption => (&[Tag::Caption, Tag::Tr], TABLE),
        Tag::Option => (&[Tag::Option], &[Tag::Select]),
        Tag::Optgroup => (&[Tag::Optgroup, Tag::Option], &[Tag::Select]),
        Tag::Rt | Tag::Rp | Tag::Rb | Tag::Rtc => {
            (&[Tag::Rt, Tag::Rp, Tag::Rb, Tag::Rtc], &[Tag::Ruby])
        }
        Tag::Button => (&[Tag::Button], TABLE),
        _ => return None,
    })
}

/// The items of a list of which the start tag of this one ends an open one.
pub(crate) fn ends_items(tag: Tag) -> &'static [Tag] {
    match tag {
        Tag::Li => &[Tag::Li],
        Tag::Dd | Tag::Dt => &[Tag::Dd, Tag::Dt],
        _ => &[],
    }
}

/// Elements that may be in the head. Any other ends it.
pub(crate) fn may_be_in_head(tag: Tag, name: &str) -> bool {
    match tag {
        Tag::Base | Tag::Basefont | Tag::Bgsound | Tag::Head | Tag::Html | Tag::Link => true,
        Tag::Meta | Tag::Noframes | Tag::Noscript | Tag::Script | Tag::Style | Tag::Title => true,
        Tag::Unknown => name.eq_ignore_ascii_case("template"),
        _ => false,
    }
}

/// Elements that a table must be open for.
pub(crate) fn is_part_of_table(tag: Tag) -> bool {
    matches!(tag, Tag::Td | Tag::Th | Tag::Tr | Tag::Tbody | Tag::Thead | Tag::Tfoot)
        || matches!(tag, Tag::Caption | Tag::Colgroup | Tag::Col)
}

/// What `white-space` does to the white space of the source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Space {
    /// Runs of it are one space.
    #[default]
    Folds,
    /// Lines end where the source has line breaks; all other runs are one space.
    KeepsLines,
    /// All of it is kept.
    Keeps,
}

/// Changes of an element's display by the attributes of its start tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Own {
    pub(crate) is_hidden: bool,
    /// It is hidden by `visibility` only, so that elements in it can be visible.
    pub(crate) is_invisible: bool,
    /// `visibility:visible`.
    pub(crate) is_visible: bool,
    /// `<dialog open>`.
    pub(crate) is_open: bool,
    pub(crate) display: Option<Display>,
    /// Its children are blocks, as those of flex boxes and grids.
    pub(crate) has_blocks: bool,
    /// It is taken out of the line, so that it is a block even if its display is inline.
    is_apart: bool,
    pub(crate) space: Option<Space>,
}

impl Own {
    /// Reads the attributes of a start tag. Nearly all tags have none of these.
    #[inline]
    pub(crate) fn of(source: &SourceTag<'_>) -> Own {
        const NAMES: u64 = bits_of(&["open", "style", "hidden", "popover"]);
        if source.may_have(NAMES) {
            Own::read(source)
        } else {
            Own::default()
        }
    }

    fn read(source: &SourceTag<'_>) -> Own {
        let mut own = Own::default();
        let mut has_attribute = false;
        let mut style = None;
        for (name, value) in source.attributes() {
            match name.len() {
                4 if name.eq_ignore_ascii_case("open") => own.is_open = true,
                // The first of two attributes counts.
                5 if name.eq_ignore_ascii_case("style") => style = style.or(Some(value)),
                6 if name.eq_ignore_ascii_case("hidden") => has_attribute = true,
                7 if name.eq_ignore_ascii_case("popover") => has_attribute = true,
                _ => {}
            }
        }
        let style = style.map(Style::of).unwrap_or_default();
        style.apply(&mut own, has_attribute);
        own
    }

    /// The display of an element that has this one without a style, in a parent whose children may
    /// be blocks.
    pub(crate) fn display_of(&self, usual: Display, is_in_blocks: bool) -> Display {
        // Rows are parts of their tables in any style, and cells too unless they are blocks.
        let may_change = |to: &Display| match usual {
            Display::Row => false,
            Display::Cell => *to == Display::Block,
            _ => true,
        };
        let display = self.display.filter(may_change).unwrap_or(usual);
        let is_block = (is_in_blocks || self.is_apart) && display == Display::Inline;
        if is_block {
            Display::Block
        } else {
            display
        }
    }
}

/// The value of a property, and whether it is `!important`.
type Declared<T> = Option<(T, bool)>;

/// The declarations of a `style` that decide on text.
#[derive(Debug, Default)]
struct Style {
    /// Display, if any, and whether children are blocks.
    display: Declared<(Option<Display>, bool)>,
    is_invisible: Declared<bool>,
    /// `content-visibility:hidden`.
    has_hidden_content: bool,
    floats: Declared<bool>,
    is_positioned: Declared<bool>,
    space: Declared<Space>,
    /// It has a size of letters. A float with one is a large initial, part of the word after it.
    has_size: bool,
}

/// The later declaration counts, unless only the earlier one is important.
fn declare<T>(declared: &mut Declared<T>, value: Option<T>, is_important: bool) {
    if let Some(value) = value {
        if is_important || !declared.as_ref().is_some_and(|(_, before)| *before) {
            *declared = Some((value, is_important));
        }
    }
}

impl Style {
    fn of(style: &str) -> Style {
        let mut own = Style::default();
        let style = without_comments(style);
        for declaration in style.split(';') {
            let Some((name, value)) = declaration.split_once(':') else { continue };
            let name = name.trim();
            let (value, flag) = value.split_once('!').unwrap_or((value, ""));
            let is_important = flag.trim().eq_ignore_ascii_case("important");
            let value = value.trim();
            let is = |other: &str| value.eq_ignore_ascii_case(other);
            if name.eq_ignore_ascii_case("display") {
                declare(&mut own.display, display_named(value), is_important);
            } else if name.eq_ignore_ascii_case("visibility") {
                let is_invisible = is("hidden") || is("collapse");
                let value = (is_invisible || is("visible")).then_some(is_invisible);
                declare(&mut own.is_invisible, value, is_important);
            } else if name.eq_ignore_ascii_case("content-visibility") {
                own.has_hidden_content = is("hidden");
            } else if ["white-space", "white-space-collapse"]
                .iter()
                .any(|space| name.eq_ignore_ascii_case(space))
            {
                declare(&mut own.space, space_named(value), is_important);
            } else if name.eq_ignore_ascii_case("float") {
                declare(&mut own.floats, Some(is("left") || is("right")), is_important);
            } else if name.eq_ignore_ascii_case("position") {
                let value = is("absolute") || is("fixed");
                declare(&mut own.is_positioned, Some(value), is_important);
            } else {
                own.has_size |= name.eq_ignore_ascii_case("font-size");
            }
        }
        own
    }

    /// `is_hidden`: an attribute hides the element, unless its style displays it.
    fn apply(self, own: &mut Own, is_hidden: bool) {
        let is_gone = match self.display {
            Some(((display, _), _)) => display == Some(Display::Hidden),
            None => is_hidden,
        } || self.has_hidden_content;
        let is_invisible = self.is_invisible.map(|(is, _)| is);
        own.is_hidden = is_gone || is_invisible == Some(true);
        own.is_invisible = !is_gone && is_invisible == Some(true);
        own.is_visible = is_invisible == Some(false);
        if let Some(((display, has_blocks), _)) = self.display {
            own.display = display.filter(|display| *display != Display::Hidden);
            own.has_blocks = has_blocks;
        }
        let is_set = |declared: Declared<bool>| declared.is_some_and(|(value, _)| value);
        own.is_apart = (is_set(self.floats) || is_set(self.is_positioned)) && !self.has_size;
        own.space = self.space.map(|(space, _)| space);
    }
}

/// The display of a keyword and whether it makes blocks of the children. `None` if CSS does not
/// know the keyword.
fn display_named(value: &str) -> Option<(Option<Display>, bool)> {
    let value = value.to_ascii_lowercase();
    let value = value.strip_prefix("-webkit-").or(value.strip_prefix("-ms-")).unwrap_or(&value);
    if let Some((outer, inner)) = value.split_once(char::is_whitespace) {
        return display_of_two(outer, inner.trim_start());
    }
    let display = match value {
        "none" => Display::Hidden,
        "block" | "flow-root" | "list-item" | "table" | "table-caption" => Display::Block,
        "flex" | "grid" | "box" | "flexbox" => Display::Block,
        "table-row-group" | "table-header-group" | "table-footer-group" => Display::Block,
        "table-row" => Display::Row,
        "table-cell" => Display::Cell,
        "inline" | "inline-block" | "inline-table" | "contents" | "initial" | "unset" => {
            Display::Inline
        }
        "inline-flex" | "inline-grid" | "inline-box" => Display::Inline,
        "inherit" | "revert" => return Some((None, false)),
        _ => return None,
    };
    Some((Some(display), makes_blocks(value)))
}

fn makes_blocks(value: &str) -> bool {
    ["flex", "grid", "box"].iter().any(|kind| value.ends_with(kind))
}

/// The display of an outer and an inner keyword in either order, such as `inline flow-root`.
fn display_of_two(first: &str, second: &str) -> Option<(Option<Display>, bool)> {
    let of_pair = |outer: &str, inner: &str| {
        let display = match outer {
            "block" | "list-item" => Display::Block,
            "inline" => Display::Inline,
            _ => return None,
        };
        let is_inner = matches!(inner, "flow" | "flow-root" | "flex" | "grid" | "table" | "ruby");
        is_inner.then(|| (Some(display), makes_blocks(inner)))
    };
    of_pair(first, second).or_else(|| of_pair(second, first))
}

fn space_named(value: &str) -> Option<Space> {
    let is = |other: &&str| value.eq_ignore_ascii_case(other);
    match () {
        () if ["pre", "pre-wrap", "break-spaces", "preserve"].iter().any(is) => Some(Space::Keeps),
        () if ["pre-line", "preserve-breaks"].iter().any(is) => Some(Space::KeepsLines),
        () if ["normal", "nowrap", "initial", "collapse"].iter().any(is) => Some(Space::Folds),
        () => None,
    }
}

/// A style without `/* comments */`.
fn without_comments(style: &str) -> std::borrow::Cow<'_, str> {
    let Some((first, mut rest)) = style.split_once("/*") else { return style.into() };
    let mut kept = first.to_owned();
    while let Some((_, after)) = rest.split_once("*/") {
        let (inside, next) = after.split_once("/*").unwrap_or((after, ""));
        kept.push_str(inside);
        rest = next;
    }
    kept.into()
}
