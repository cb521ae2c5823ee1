//! The elements of HTML as NekoHTML knows them: their possible parents, and the elements that their
//! start tags close.
//!
//! Elements of HTML 5 (`<section>`, `<article>`, ...) are all [`Tag::Unknown`], one and the same
//! element, as for Boilerpipe's parser: an end tag of any of them closes the nearest one.

/// Inline: reopened after a block, or an end tag out of order, interrupts it.
pub(crate) const INLINE: u8 = 1;
/// Block: the end tags of most elements do not reach beyond it.
pub(crate) const BLOCK: u8 = 2;
/// Empty: has no content and no end tag.
pub(crate) const EMPTY: u8 = 4;
/// Container: its end tag reaches beyond blocks.
pub(crate) const CONTAINER: u8 = 8;
/// Its content is not markup.
pub(crate) const SPECIAL: u8 = 16;
/// None of these.
pub(crate) const PLAIN: u8 = 0;

/// The rules for one element.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) kind: u8,
    /// Its possible parents. The first is added if none is open. Empty: any parent.
    pub(crate) parents: &'static [Tag],
    /// Parents beyond an open element of this kind are ignored.
    pub(crate) within: Option<Tag>,
    /// Open elements that its start tag closes.
    pub(crate) closes: &'static [Tag],
}

macro_rules! tags {
    ($($tag:ident $name:literal $($kind:ident)|+ in [$($parent:ident)*] $(within $bound:ident)? $(closes [$($closed:ident)*])?;)*) => {
        /// An element.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub(crate) enum Tag { $($tag),*, #[default] Unknown }

        /// The element of a tag, sorted by name except for the last.
        pub(crate) static RULES: &[Rule] = &[$(Rule {
            name: $name,
            kind: $($kind)|+,
            parents: &[$(Tag::$parent),*],
            within: { let _bound: Option<Tag> = None; $(let _bound = Some(Tag::$bound);)? _bound },
            closes: &[$($(Tag::$closed),*)?],
        }),*, Rule { name: "", kind: CONTAINER, parents: &[Tag::Body, Tag::Head], within: None, closes: &[] }];

        static TAGS: &[Tag] = &[$(Tag::$tag),*];
    };
}

tags! {
    A          "a"          INLINE in [Body] closes [A];
    Abbr       "abbr"       INLINE in [Body];
    Acronym    "acronym"    INLINE in [Body];
    Address    "address"    BLOCK in [Body];
    Applet     "applet"     PLAIN in [Body];
    Area       "area"       EMPTY in [Map];
    B          "b"          INLINE in [Body];
    Base       "base"       EMPTY in [Head];
    Basefont   "basefont"   PLAIN in [Head];
    Bdo        "bdo"        INLINE in [Body];
    Bgsound    "bgsound"    EMPTY in [Head];
    Big        "big"        INLINE in [Body];
    Blink      "blink"      INLINE in [Body];
    Blockquote "blockquote" BLOCK in [Body] closes [P];
    Body       "body"       CONTAINER in [Html] closes [Head];
    Br         "br"         EMPTY in [Body];
    Button     "button"     PLAIN in [Body];
    Caption    "caption"    INLINE in [Table];
    Center     "center"     PLAIN in [Body];
    Cite       "cite"       INLINE in [Body];
    Code       "code"       INLINE in [Body];
    Col        "col"        EMPTY in [Table];
    Colgroup   "colgroup"   PLAIN in [Table] closes [Col Colgroup];
    Comment    "comment"    SPECIAL in [Html];
    Dd         "dd"         PLAIN in [Dl] closes [Dt Dd];
    Del        "del"        PLAIN in [Body];
    Dfn        "dfn"        INLINE in [Body];
    Dir        "dir"        PLAIN in [Body];
    Div        "div"        BLOCK in [Body] closes [P];
    Dl         "dl"         BLOCK in [Body];
    Dt         "dt"         PLAIN in [Dl] closes [Dt Dd];
    Em         "em"         INLINE in [Body];
    Embed      "embed"      EMPTY in [Body];
    Fieldset   "fieldset"   PLAIN in [Body];
    Font       "font"       CONTAINER in [Body];
    Form       "form"       CONTAINER in [Body Td Div] closes [Button P];
    Frame      "frame"      EMPTY in [Frameset];
    Frameset   "frameset"   PLAIN in [Html];
    H1         "h1"         BLOCK in [Body A] closes [H1 H2 H3 H4 H5 H6 P];
    H2         "h2"         BLOCK in [Body A] closes [H1 H2 H3 H4 H5 H6 P];
    H3         "h3"         BLOCK in [Body A] closes [H1 H2 H3 H4 H5 H6 P];
    H4         "h4"         BLOCK in [Body A] closes [H1 H2 H3 H4 H5 H6 P];
    H5         "h5"         BLOCK in [Body A] closes [H1 H2 H3 H4 H5 H6 P];
    H6         "h6"         BLOCK in [Body A] closes [H1 H2 H3 H4 H5 H6 P];
    Head       "head"       PLAIN in [Html];
    Hr         "hr"         EMPTY in [Body] closes [P];
    Html       "html"       PLAIN in [];
    I          "i"          INLINE in [Body];
    Iframe     "iframe"     BLOCK in [Body];
    Ilayer     "ilayer"     BLOCK in [Body];
    Img        "img"        EMPTY in [Body];
    Input      "input"      EMPTY in [Body];
    Ins        "ins"        PLAIN in [Body];
    Isindex    "isindex"    PLAIN in [Head];
    Kbd        "kbd"        INLINE in [Body];
    Keygen     "keygen"     PLAIN in [Body];
    Label      "label"      PLAIN in [Body];
    Layer      "layer"      BLOCK in [Body];
    Legend     "legend"     INLINE in [Fieldset];
    Li         "li"         PLAIN in [Body Ul Ol] closes [Li];
    Link       "link"       EMPTY in [Head];
    Listing    "listing"    PLAIN in [Body];
    Map        "map"        INLINE in [Body];
    Marquee    "marquee"    PLAIN in [Body];
    Menu       "menu"       PLAIN in [Body];
    Meta       "meta"       EMPTY in [Head] closes [Style Title];
    Multicol   "multicol"   PLAIN in [Body];
    Nextid     "nextid"     EMPTY in [Body];
    Nobr       "nobr"       INLINE in [Body];
    Noembed    "noembed"    PLAIN in [Body];
    Noframes   "noframes"   PLAIN in [Frameset];
    Nolayer    "nolayer"    PLAIN in [Body];
    Noscript   "noscript"   PLAIN in [Body];
    Object     "object"     PLAIN in [Body];
    Ol         "ol"         BLOCK in [Body];
    Optgroup   "optgroup"   PLAIN in [Select] closes [Option];
    Option     "option"     PLAIN in [Select] closes [Option];
    P          "p"          CONTAINER in [Body] closes [P];
    Param      "param"      EMPTY in [Object Applet];
    Plaintext  "plaintext"  SPECIAL in [Body];
    Pre        "pre"        PLAIN in [Body];
    Q          "q"          INLINE in [Body];
    Rb         "rb"         INLINE in [Ruby] closes [Rb];
    Rbc        "rbc"        PLAIN in [Ruby];
    Rp         "rp"         INLINE in [Ruby] closes [Rb];
    Rt         "rt"         INLINE in [Ruby] closes [Rb Rp];
    Rtc        "rtc"        PLAIN in [Ruby] closes [Rbc];
    Ruby       "ruby"       PLAIN in [Body] closes [Ruby];
    S          "s"          PLAIN in [Body];
    Samp       "samp"       INLINE in [Body];
    Script     "script"     SPECIAL in [Head Body];
    Select     "select"     CONTAINER in [Body] closes [Select];
    Small      "small"      INLINE in [Body];
    Sound      "sound"      EMPTY in [Head];
    Spacer     "spacer"     EMPTY in [Body];
    Span       "span"       CONTAINER in [Body];
    Strike     "strike"     INLINE in [Body];
    Strong     "strong"     INLINE in [Body];
    Style      "style"      SPECIAL in [Head Body] closes [Style Title Meta];
    Sub        "sub"        INLINE in [Body];
    Sup        "sup"        INLINE in [Body];
    Table      "table"      BLOCK | CONTAINER in [Body];
    Tbody      "tbody"      PLAIN in [Table] closes [Thead Td Th Tr Colgroup];
    Td         "td"         CONTAINER in [Tr] within Table closes [Td Th];
    Textarea   "textarea"   SPECIAL in [Body];
    Tfoot      "tfoot"      PLAIN in [Table] closes [Thead Tbody Td Th Tr];
    Th         "th"         CONTAINER in [Tr] within Table closes [Td Th];
    Thead      "thead"      PLAIN in [Table] closes [Colgroup];
    Title      "title"      SPECIAL in [Head Body];
    Tr         "tr"         BLOCK in [Tbody Thead Tfoot] within Table closes [Td Th Tr Colgroup];
    Tt         "tt"         INLINE in [Body];
    U          "u"          INLINE in [Body];
    Ul         "ul"         BLOCK in [Body];
    Var        "var"        INLINE in [Body];
    Wbr        "wbr"        EMPTY in [Body];
    Xml        "xml"        PLAIN in [Body];
    Xmp        "xmp"        SPECIAL in [Body];
}

/// Number of different elements.
pub(crate) const COUNT: usize = Tag::Unknown as usize + 1;

/// Names as numbers, in the order of the table, see [`packed`].
static KEYS: [u128; TAGS.len()] = {
    let mut keys = [0; TAGS.len()];
    let mut at = 0;
    while at < TAGS.len() {
        keys[at] = packed(RULES[at].name.as_bytes());
        at += 1;
    }
    keys
};

/// At least two slots for each name, so that few names collide.
const ROOM: usize = (TAGS.len() * 2).next_power_of_two();

/// Index of each name in the table plus one, at the [`slot`] of its number, with linear probing.
static SLOTS: [u8; ROOM] = {
    let mut slots = [0; ROOM];
    let mut at = 0;
    while at < TAGS.len() {
        let mut slot = slot(packed(RULES[at].name.as_bytes()));
        while slots[slot] != 0 {
            slot = (slot + 1) % ROOM;
        }
        at += 1;
        slots[slot] = at as u8;
    }
    slots
};

/// A lower-case name as a number: its bytes, and its length in the last byte.
const fn packed(name: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    bytes[15] = name.len() as u8;
    let mut at = 0;
    while at < name.len() {
        bytes[at] = name[at];
        at += 1;
    }
    u128::from_le_bytes(bytes)
}

/// First slot of a name.
const fn slot(key: u128) -> usize {
    let folded = key as u64 ^ (key >> 64) as u64;
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % ROOM
}

/// Eight bytes with ASCII capitals in lower case.
pub(crate) fn lower(bytes: u64) -> u64 {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    let ascii = bytes & (0x7f * EACH);
    // The upper bit of each byte is set if the byte is at least this large.
    let from_a = ascii + u64::from(0x80 - b'A') * EACH;
    let above_z = ascii + u64::from(0x80 - b'Z' - 1) * EACH;
    let capital = from_a & !above_z & !bytes & (0x80 * EACH);
    bytes | capital >> 2
}

impl Tag {
    /// The element of a name, in any case of letters.
    pub(crate) fn of(name: &str) -> Tag {
        const LONGEST: usize = 15;
        let name = name.as_bytes();
        if name.len() > LONGEST {
            return Tag::Unknown;
        }
        let letters = match (name.first_chunk(), name.last_chunk()) {
            (Some(first), Some(last)) if name.len() <= 8 => {
                let behind = u64::from(u32::from_le_bytes(*last)) << (8 * (name.len() - 4));
                u128::from(lower(u64::from(u32::from_le_bytes(*first)) | behind))
            }
            (Some(_), _) => name
                .iter()
                .rfold(0, |letters, byte| letters << 8 | u128::from(byte.to_ascii_lowercase())),
            _ => {
                lower(name.iter().rfold(0, |letters, byte| letters << 8 | u64::from(*byte))).into()
            }
        };
        let key = letters | (name.len() as u128) << 120;
        let mut slot = slot(key);
        loop {
            match usize::from(SLOTS[slot]).checked_sub(1) {
                Some(at) if KEYS[at] == key => return TAGS[at],
                Some(_) => slot = (slot + 1) % ROOM,
                None => return Tag::Unknown,
            }
        }
    }

    pub(crate) fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }

    /// The rank of a heading from 1 to 6, otherwise 0.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Tag::H1 => 1,
            Tag::H2 => 2,
            Tag::H3 => 3,
            Tag::H4 => 4,
            Tag::H5 => 5,
            Tag::H6 => 6,
            _ => 0,
        }
    }

    pub(crate) fn is(self, kind: u8) -> bool {
        self.rule().kind & kind != 0
    }

    /// Returns true if the element may not be inside another of its kind.
    pub(crate) fn closes_itself(self) -> bool {
        self.rule().closes.contains(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_capitals_of_ascii_are_made_small() {
        for byte in 0..=u8::MAX {
            assert_eq!(
                lower(u64::from_be_bytes([byte; 8])).to_le_bytes(),
                [byte.to_ascii_lowercase(); 8]
            );
        }
    }

    #[test]
    fn names_are_sorted_and_found_in_any_case() {
        assert!(RULES[..TAGS.len()].windows(2).all(|w| w[0].name < w[1].name));
        for (rule, tag) in RULES.iter().zip(TAGS) {
            assert_eq!(
                (Tag::of(rule.name), Tag::of(&rule.name.to_ascii_uppercase())),
                (*tag, *tag)
            );
        }
        assert_eq!(Tag::of("BlockQuote"), Tag::Blockquote);
        assert_eq!(
            (Tag::of(""), Tag::of("1"), Tag::of("xmpx"), Tag::of("xmp\0"), Tag::of("\u{e9}")),
            (Tag::Unknown, Tag::Unknown, Tag::Unknown, Tag::Unknown, Tag::Unknown)
        );
        assert_eq!(Tag::of("section"), Tag::Unknown);
        assert_eq!(Tag::of("blockquotes-and-more"), Tag::Unknown);
    }
}
