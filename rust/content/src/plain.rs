//! A parser for markup whose meaning depends only on itself and the last tag, which is nearly all
//! markup of nearly every page. The rest of a page is left to lol_html ([`crate::pass`]).
//!
//! lol_html can read every page alone, but that costs more than all other work on a page. The
//! result here equals that of lol_html, and follows the HTML standard (13.2.5). A property test
//! compares both on the same pages.

use crate::page::LimitHit;
use crate::reader::Reader;
use crate::source::{Beginning, SourceTag};
use crate::tags::Tag;
use memchr::{memchr, memchr2, memchr_iter};

/// The part of a page that is left to lol_html: everything from a tag on.
pub(crate) struct Rest {
    /// Position of its beginning in the source.
    pub(crate) at: usize,
    /// Start tags that lol_html reads first, so that it is in the same state.
    pub(crate) around: &'static str,
}

/// The context that decides how the content of a start tag is read.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Html,
    /// `<svg>`: elements in it have no special content.
    Picture,
    /// The title, description or foreign object of a picture: elements in it have special content.
    Caption,
}

/// The kind of content after a start tag.
enum Content {
    /// Markup.
    Markup(Within),
    /// Text up to the element's end tag. Entities are decoded or not.
    Text { has_entities: bool },
    /// Only lol_html can decide.
    Unknown,
}

/// Bytes between two checks of the deadline, in addition to those after a number of tags: a page may
/// have no tags.
const LOOK_BYTES: usize = 64 << 10;

/// Reads a page from this position, outside of any tag. Returns the part that is left to lol_html,
/// if any.
pub(crate) fn read(reader: &mut Reader<'_>, from: usize) -> Result<Option<Rest>, LimitHit> {
    let html = reader.html();
    reader.look_at_deadline()?;
    let mut place = Place { within: Within::Html, text: from, at: from };
    let mut look = from + LOOK_BYTES;
    while let Some(start) = next_tag(html.as_bytes(), place.at) {
        if start >= look {
            reader.look_at_deadline()?;
            look = start + LOOK_BYTES;
        }
        let rest = match SourceTag::read(&html[start..]) {
            Beginning::Tag(tag) => place.tag(reader, &tag, start)?,
            Beginning::Other => place.other(reader, start)?,
            Beginning::Cut => {
                place.hand_on_text(reader, start);
                return Ok(None);
            }
        };
        if rest.is_some() {
            return Ok(rest);
        }
    }
    place.hand_on_text(reader, html.len());
    Ok(None)
}

/// The place of the parser in a page.
struct Place {
    within: Within,
    /// Beginning of the text that was not handed on yet.
    text: usize,
    /// Position from which on the next tag is searched.
    at: usize,
}

impl Place {
    fn hand_on_text(&self, reader: &mut Reader<'_>, end: usize) {
        if end > self.text {
            reader.text(self.text..end, true);
        }
    }

    /// Reads the tag that begins at `start`, with the content of an element of text. Returns the
    /// part that is left to lol_html, if any.
    fn tag<'h>(
        &mut self,
        reader: &mut Reader<'h>,
        tag: &SourceTag<'h>,
        start: usize,
    ) -> Result<Option<Rest>, LimitHit> {
        self.hand_on_text(reader, start);
        self.at = start + tag.source.len();
        self.text = self.at;
        let kind = Tag::of(tag.name());
        if tag.is_end {
            reader.tag(tag, kind)?;
            self.within = self.within.after_end(tag, kind);
            return Ok(None);
        }
        match self.within.after_start(tag, kind) {
            Content::Markup(next) => {
                reader.tag(tag, kind)?;
                self.within = next;
            }
            // At the end of the page there is no text that the element could hide.
            Content::Text { .. }
                if self.at < reader.html().len()
                    && reader.is_unclosed(kind, tag.is_self_closing, self.at) =>
            {
                reader.tag(tag, kind)?;
                self.at = reader.unclosed(kind, self.at)?;
                self.text = self.at;
                self.within = Within::Html;
            }
            Content::Text { has_entities } => {
                let bytes = reader.html().as_bytes();
                let end = match kind {
                    Tag::Script => end_of_script(bytes, self.at),
                    _ => end_of(bytes, self.at, tag.name().as_bytes()),
                };
                reader.tag(tag, kind)?;
                if end > self.at {
                    reader.text(self.at..end, has_entities);
                }
                (self.at, self.text) = (end, end);
            }
            Content::Unknown => return Ok(Some(self.within.rest(start))),
        }
        Ok(None)
    }

    /// Reads the `<` at `start` that begins no tag. Returns the part that is left to lol_html, if
    /// any.
    fn other(&mut self, reader: &mut Reader<'_>, start: usize) -> Result<Option<Rest>, LimitHit> {
        let html = reader.html();
        if self.within != Within::Html && html[start..].starts_with("<![CDATA[") {
            self.hand_on_text(reader, start);
            return Ok(Some(self.within.rest(start)));
        }
        match other(html.as_bytes(), start) {
            Other::Text => {
                self.at = start + 1;
                return Ok(None);
            }
            Other::Nothing(end) => {
                self.hand_on_text(reader, start);
                reader.end_text()?;
                self.at = end;
            }
            Other::Comment(end) => {
                self.hand_on_text(reader, start);
                reader.aside()?;
                self.at = end;
            }
        }
        self.text = self.at;
        Ok(None)
    }
}

impl Within {
    /// Leaves everything from this tag on to lol_html.
    fn rest(self, at: usize) -> Rest {
        let around = match self {
            Within::Html => "",
            Within::Picture => "<svg>",
            Within::Caption => "<svg><desc>",
        };
        Rest { at, around }
    }

    /// The kind of content after a start tag.
    fn after_start(self, tag: &SourceTag<'_>, kind: Tag) -> Content {
        let is = |name: &str| tag.name().eq_ignore_ascii_case(name);
        let is_foreign = kind == Tag::Unknown && (is("svg") || is("math"));
        match (self, kind) {
            (Within::Html, _) if is_foreign && is("svg") => Content::Markup(Within::Picture),
            _ if is_foreign => Content::Unknown,
            (Within::Picture, Tag::Font) => Content::Unknown,
            (Within::Picture, _) if ends_picture(kind) => Content::Markup(Within::Html),
            (Within::Picture, _) if is_caption(tag, kind) && !tag.is_self_closing => {
                Content::Markup(Within::Caption)
            }
            (Within::Picture, _) => Content::Markup(self),
            (_, Tag::Plaintext) => Content::Unknown,
            _ => match has_text(kind) {
                // lol_html reads content as markup after a tag that ends at the place of a value.
                Some(_) if tag.source.trim_end_matches('>').trim_ascii_end().ends_with('=') => {
                    Content::Unknown
                }
                Some(has_entities) => Content::Text { has_entities },
                None => Content::Markup(self),
            },
        }
    }

    /// The context after an end tag.
    fn after_end(self, tag: &SourceTag<'_>, kind: Tag) -> Within {
        match self {
            Within::Picture
                if matches!(kind, Tag::P | Tag::Br) || tag.name().eq_ignore_ascii_case("svg") =>
            {
                Within::Html
            }
            Within::Caption if is_caption(tag, kind) => Within::Picture,
            _ => self,
        }
    }
}

/// Returns whether an element's content is text, and whether entities are decoded in it. Scripts
/// are assumed to run.
pub(crate) fn has_text(kind: Tag) -> Option<bool> {
    match kind {
        Tag::Title | Tag::Textarea => Some(true),
        Tag::Script
        | Tag::Style
        | Tag::Xmp
        | Tag::Iframe
        | Tag::Noembed
        | Tag::Noframes
        | Tag::Noscript => Some(false),
        _ => None,
    }
}

/// Elements of pictures that contain HTML.
fn is_caption(tag: &SourceTag<'_>, kind: Tag) -> bool {
    let is = |name: &str| tag.name().eq_ignore_ascii_case(name);
    kind == Tag::Title || kind == Tag::Unknown && (is("desc") || is("foreignObject"))
}

/// Elements of HTML that end an open picture.
fn ends_picture(tag: Tag) -> bool {
    use Tag::{Big, Blockquote, Body, Br, Center, Code, Dd, Div, Dl, Dt, Em, Embed, B, H1, H2, H3};
    use Tag::{Head, Hr, Img, Li, Listing, Menu, Meta, Nobr, Ol, Pre, Ruby, H4, H5, H6, I, P, S};
    use Tag::{Small, Span, Strike, Strong, Sub, Sup, Table, Tt, Ul, Var, U};
    matches!(tag, B | Big | Blockquote | Body | Br | Center | Code | Dd | Div | Dl | Dt)
        || matches!(tag, Em | Embed | H1 | H2 | H3 | H4 | H5 | H6 | Head | Hr | I | Img | Li)
        || matches!(tag, Listing | Menu | Meta | Nobr | Ol | P | Pre | Ruby | S | Small | Span)
        || matches!(tag, Strong | Strike | Sub | Sup | Table | Tt | U | Ul | Var)
}

/// The meaning of a `<` that begins no tag.
enum Other {
    /// It is text.
    Text,
    /// Neither text nor a comment, up to this position.
    Nothing(usize),
    /// A comment, a doctype, or markup that is read as a comment, up to this position.
    Comment(usize),
}

fn other(bytes: &[u8], start: usize) -> Other {
    let bogus = || {
        let from = start + 2;
        let end = memchr(b'>', bytes.get(from..).unwrap_or_default());
        Other::Comment(end.map_or(bytes.len(), |length| from + length + 1))
    };
    match &bytes[start + 1..] {
        [b'!', b'-', b'-', ..] => Other::Comment(end_of_comment(bytes, start, start + 4)),
        [b'!' | b'?', ..] => bogus(),
        [b'/', b'>', ..] => Other::Nothing(start + 3),
        [b'/', _, ..] => bogus(),
        _ => Other::Text,
    }
}

/// End of the comment that begins at `start`, with the first `-->` or `--!>` that ends at `from` or
/// later, or the end of the page. `<!-->` and `<!--->` are complete comments, `<!--!>` is not.
///
/// One search for both marks stops at the end of the comment. A search for each of them would read
/// the whole page for every comment if the page has only one of them.
pub(crate) fn end_of_comment(bytes: &[u8], start: usize, from: usize) -> usize {
    let ends = |end: usize| {
        bytes[start + 2..end].ends_with(b"--")
            || bytes.get(start + 4..end).is_some_and(|inside| inside.ends_with(b"--!"))
    };
    memchr_iter(b'>', bytes.get(from..).unwrap_or_default())
        .map(|length| from + length)
        .find(|end| ends(*end))
        .map_or(bytes.len(), |end| end + 1)
}

/// Position of the next `<`. It is often the next byte.
fn next_tag(bytes: &[u8], from: usize) -> Option<usize> {
    match bytes.get(from)? {
        b'<' => Some(from),
        _ => memchr(b'<', &bytes[from..]).map(|length| from + length),
    }
}

/// End of an element's text: its end tag, or the end of the page.
pub(crate) fn end_of(bytes: &[u8], from: usize, name: &[u8]) -> usize {
    let mut at = from;
    while let Some(next) = memchr(b'<', &bytes[at..]) {
        let start = at + next;
        if bytes.get(start + 1) == Some(&b'/') && is_named(bytes, start + 2, name) {
            return start;
        }
        at = start + 1;
    }
    bytes.len()
}

/// Returns true if the name of a tag is at this position.
fn is_named(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    let found = rest.get(..name.len());
    found.is_some_and(|found| found.eq_ignore_ascii_case(name))
        && rest.get(name.len()).is_some_and(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>'))
}

/// End of a script. In a comment in it, an end tag after a start tag of a script belongs to the
/// text (13.2.5.15 to 13.2.5.31 of the standard). Old pages write advertisements in this way.
fn end_of_script(bytes: &[u8], from: usize) -> usize {
    const NAME: &[u8] = b"script";
    let (mut in_comment, mut in_script) = (false, false);
    let mut at = from;
    let next = |in_comment: bool, at: usize| match in_comment {
        true => memchr2(b'<', b'-', &bytes[at..]),
        false => memchr(b'<', &bytes[at..]),
    };
    while let Some(length) = next(in_comment, at) {
        let start = at + length;
        at = start + 1;
        match &bytes[start..] {
            [b'-', b'-', b'>', ..] => (in_comment, in_script) = (false, false),
            // The dashes may also end the comment.
            [b'<', b'!', b'-', b'-', ..] if !in_comment => {
                in_comment = true;
                at = start + 2;
            }
            [b'<', b'/', ..] if is_named(bytes, start + 2, NAME) => {
                if !in_script {
                    return start;
                }
                in_script = false;
            }
            [b'<', ..] if in_comment && is_named(bytes, start + 1, NAME) => in_script = true,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Limits, Page};
    use crate::pass::{self, PACE};
    use proptest::prelude::*;

    /// The full result of reading a page, by both parsers or by lol_html alone.
    fn read_all(html: &str, alone: bool) -> String {
        let mut reader = Reader::new(html, &Limits::default(), true);
        let rest = if alone {
            Some(Rest { at: 0, around: "" })
        } else {
            read(&mut reader, 0).expect("no deadline")
        };
        let done = rest.map_or(Ok(()), |rest| pass::read_on(&mut reader, rest, PACE));
        let (page, unscripted): (Page, _) = reader.into_page(done.err());
        format!("{page:?} {unscripted:?}")
    }

    /// Number of bytes of a page that are read without lol_html.
    fn plain(html: &str) -> usize {
        let mut reader = Reader::new(html, &Limits::default(), true);
        read(&mut reader, 0).expect("no deadline").map_or(html.len(), |rest| rest.at)
    }

    /// Pages with markup that changes the state of a tokenizer.
    fn pages() -> impl Strategy<Value = String> {
        let names = || {
            prop::sample::select(vec![
                "p",
                "b",
                "br",
                "div",
                "a",
                "svg",
                "SVG",
                "title",
                "desc",
                "foreignObject",
                "math",
                "mi",
                "annotation-xml",
                "font",
                "script",
                "Script",
                "style",
                "textarea",
                "noscript",
                "iframe",
                "xmp",
                "noembed",
                "noframes",
                "plaintext",
                "x:y",
                "scripts",
                "titl",
                "g",
                "html",
                "body",
                "head",
                "select",
                "option",
                "table",
                "li",
            ])
        };
        let after = || {
            prop::sample::select(vec![
                ">", "/>", " >", "/ >", " a>", " a=>", " a='>'>", " a = >", " size=1>", "\n>",
                " a=\">", "",
            ])
        };
        let open = (names(), after()).prop_map(|(name, after)| format!("<{name}{after}"));
        let close = (names(), after()).prop_map(|(name, after)| format!("</{name}{after}"));
        let other = prop::sample::select(vec![
            "<",
            "</",
            "</>",
            "<!",
            "<!>",
            "<!-",
            "<!--",
            "<!-->",
            "<!--->",
            "-->",
            "--!>",
            "<!--!>",
            "<!-- - -- --x -->",
            "<?",
            "<? >",
            "</ x>",
            "</1>",
            "<1>",
            "<![CDATA[",
            "<![cdata[",
            "]]>",
            "<!doctype html>",
            "<!DOCTYPE a \"'>",
            "&amp;",
            "&lt",
            "&",
            "\0",
            "\u{e9}",
        ]);
        let text = "[a-d ]{1,6}";
        let piece =
            prop_oneof![4 => open, 4 => close, 3 => other.prop_map(str::to_owned), 4 => text];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    #[test]
    fn an_element_without_an_end_does_not_hide_the_text_before_it() {
        for html in ["a<title>", "a<noframes/>", "a<iframe/>", "a<noframes/>b", "a<script/>b"] {
            assert_eq!(read_all(html, false), read_all(html, true), "{html}");
        }
    }

    proptest! {
        #[test]
        fn pages_are_read_as_lol_html_alone_reads_them(html in pages()) {
            prop_assert_eq!(read_all(&html, false), read_all(&html, true));
        }
    }

    proptest! {
        #[test]
        fn scripts_end_where_lol_html_ends_them(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "<!--", "-->", "<!-->", "<!--->", "<!", "-", "--", ">", "<script>", "<SCRIPT ", "<script/", "<scripts>",
                    "<script", "</script>", "</Script ", "</scripts>", "</script", "</", "<", "<p>", "a", "\n", "\u{e9}",
                ]),
                0..16,
            ),
        ) {
            let html = format!("<p>a<script>{}</script><p>b<script></script><p>c", pieces.concat());
            prop_assert_eq!(read_all(&html, false), read_all(&html, true));
        }
    }

    #[test]
    fn what_most_pages_have_is_plain() {
        for html in [
            "<!doctype html><html lang=ur><head><title>a &amp; b</title><style>p > a {}</style></head><body><p>a < b<br/></p></body></html>",
            "<script>if (a < b) document.write('<p>')</script><script><!--\nvar a = '</scripts>';\n//--></script>",
            "<a href=x><svg viewBox='0 0 1 1'><title>Menu</title><path d='M0 0'/><g><use href=#y></use></g></svg> Menu</a>",
            "<noscript><img src=x></noscript><iframe src=x></iframe><textarea><p></textarea><!-- <p> --> <? x ?> </>",
            "<svg><path><div>an open picture</div>",
            "<script><!-- document.write('<script></script>') //--></script><p>text",
            "<p>cut <a href='x",
        ] {
            assert_eq!(plain(html), html.len(), "{html}");
        }
    }

    #[test]
    fn lol_html_begins_where_more_than_the_last_tag_counts() {
        for (before, rest) in [
            ("<p>a", "<math><mi>x</mi></math>"),
            ("<p>a", "<plaintext></p>"),
            ("<svg>a", "<svg></svg></svg>"),
            ("<svg>a", "<![CDATA[<p>]]></svg>"),
            ("<svg><desc>", "<svg></svg></desc></svg>"),
            ("<svg>", "<font color=red>"),
            ("", "<title a=><p>"),
        ] {
            assert_eq!(plain(&format!("{before}{rest}")), before.len(), "{before}{rest}");
        }
    }
}
