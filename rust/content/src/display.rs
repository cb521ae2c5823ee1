//! How each element is displayed, after the section "Rendering" of the HTML standard, and which
//! open elements a tag ends, after its section "The rules for parsing tokens in HTML content".

use crate::source::SourceTag;
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
    const LISTS: &[Tag] = &[Tag::Ul, Tag::Ol, Tag::Dir, Tag::Menu, Tag::Td, Tag::Th, Tag::Table];
    const ITEMS: &[Tag] = &[Tag::Dl, Tag::Ul, Tag::Ol, Tag::Td, Tag::Th, Tag::Table];
    const CELLS: &[Tag] = &[Tag::Tr, Tag::Tbody, Tag::Thead, Tag::Tfoot, Tag::Table];
    const TABLE: &[Tag] = &[Tag::Table];
    Some(match tag {
        Tag::Li => (&[Tag::Li], LISTS),
        Tag::Dd | Tag::Dt => (&[Tag::Dd, Tag::Dt], ITEMS),
        Tag::Td | Tag::Th => (&[Tag::Td, Tag::Th, Tag::Caption], CELLS),
        Tag::Tr => (&[Tag::Tr, Tag::Caption, Tag::Colgroup], TABLE),
        Tag::Tbody | Tag::Thead | Tag::Tfoot => {
            (&[Tag::Tbody, Tag::Thead, Tag::Tfoot, Tag::Tr, Tag::Caption, Tag::Colgroup], TABLE)
        }
        Tag::Caption => (&[Tag::Caption, Tag::Tr], TABLE),
        Tag::Option => (&[Tag::Option], &[Tag::Select]),
        Tag::Optgroup => (&[Tag::Optgroup, Tag::Option], &[Tag::Select]),
        Tag::Rt | Tag::Rp | Tag::Rb | Tag::Rtc => {
            (&[Tag::Rt, Tag::Rp, Tag::Rb, Tag::Rtc], &[Tag::Ruby])
        }
        Tag::A => (&[Tag::A], &[Tag::Td, Tag::Th, Tag::Table, Tag::Caption]),
        Tag::Nobr => (&[Tag::Nobr], &[Tag::Td, Tag::Th, Tag::Table]),
        Tag::Button => (&[Tag::Button], TABLE),
        _ => return None,
    })
}

/// Elements that a table must be open for.
pub(crate) fn is_part_of_table(tag: Tag) -> bool {
    matches!(tag, Tag::Td | Tag::Th | Tag::Tr | Tag::Tbody | Tag::Thead | Tag::Tfoot)
        || matches!(tag, Tag::Caption | Tag::Colgroup | Tag::Col)
}

/// Changes of an element's display by the attributes of its start tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Own {
    pub(crate) is_hidden: bool,
    /// `<dialog open>`.
    pub(crate) is_open: bool,
    pub(crate) display: Option<Display>,
    pub(crate) keeps_space: Option<bool>,
}

impl Own {
    /// Reads the attributes of a start tag.
    pub(crate) fn of(source: &SourceTag<'_>) -> Own {
        let mut own = Own::default();
        // Nearly half of all tags have only a name.
        if source.name().len() + 2 == source.source.len() {
            return own;
        }
        for (name, value) in source.attributes() {
            match name.len() {
                4 if name.eq_ignore_ascii_case("open") => own.is_open = true,
                5 if name.eq_ignore_ascii_case("style") => own.style(value),
                6 if name.eq_ignore_ascii_case("hidden") => own.is_hidden = true,
                _ => {}
            }
        }
        own
    }

    fn style(&mut self, style: &str) {
        for declaration in style.split(';') {
            let Some((name, value)) = declaration.split_once(':') else { continue };
            let name = name.trim();
            let value = value.split('!').next().unwrap_or_default().trim();
            let is = |other: &str| value.eq_ignore_ascii_case(other);
            if name.eq_ignore_ascii_case("display") {
                self.is_hidden |= is("none");
                self.display = match value.to_ascii_lowercase().as_str() {
                    "block" | "flex" | "grid" | "list-item" | "flow-root" | "table" => {
                        Some(Display::Block)
                    }
                    "inline" | "inline-block" | "inline-flex" | "contents" => Some(Display::Inline),
                    _ => None,
                };
            } else if name.eq_ignore_ascii_case("visibility") {
                self.is_hidden |= is("hidden") || is("collapse");
            } else if name.eq_ignore_ascii_case("white-space") {
                let keeps = ["pre", "pre-wrap", "pre-line", "break-spaces"].into_iter().any(is);
                self.keeps_space = (keeps || is("normal") || is("nowrap")).then_some(keeps);
            }
        }
    }
}
