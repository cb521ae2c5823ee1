//! Tags in the source of a page, with the borders of the HTML standard's tokenizer.

use memchr::memchr;
use std::borrow::Cow;

/// A start or end tag.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceTag<'h> {
    /// The whole tag, from `<` to `>`.
    pub(crate) source: &'h str,
    pub(crate) is_end: bool,
    /// True for `<x/>`.
    pub(crate) is_self_closing: bool,
    name: &'h str,
    /// The value of the first `class`, as written.
    class: Option<&'h str>,
    /// A bit of each attribute's name, as [`bit_of`] gives it.
    names: u64,
}

/// The markup that begins at a `<`.
pub(crate) enum Beginning<'h> {
    /// A complete tag.
    Tag(SourceTag<'h>),
    /// A tag that the end of the source cuts. The rest of the source belongs to it.
    Cut,
    /// Something else: text, a comment or a declaration.
    Other,
}

impl<'h> SourceTag<'h> {
    /// Reads the markup at the `<` at the beginning of the source.
    pub(crate) fn read(source: &'h str) -> Beginning<'h> {
        let bytes = source.as_bytes();
        let is_end = bytes.get(1) == Some(&b'/');
        let start = 1 + usize::from(is_end);
        if !bytes.get(start).is_some_and(u8::is_ascii_alphabetic) {
            return Beginning::Other;
        }
        let Some(length) = bytes[start..].iter().position(|b| ends(*b, NAME)) else {
            return Beginning::Cut;
        };
        let name_end = start + length;
        let mut attributes =
            Attributes { source: &source[name_end..], at: 0, is_self_closing: None };
        let (mut names, mut class) = (0, None);
        while let Some([(start, end), value]) = attributes.step() {
            let name = &attributes.source.as_bytes()[start..end];
            let bit = bit_of(name);
            names |= bit;
            if bit == CLASS && class.is_none() && name.eq_ignore_ascii_case(b"class") {
                class = Some(&attributes.source[value.0..value.1]);
            }
        }
        let Some(is_self_closing) = attributes.is_self_closing else { return Beginning::Cut };
        let name = &source[start..name_end];
        let source = &source[..name_end + attributes.at];
        Beginning::Tag(SourceTag { source, is_end, is_self_closing, name, class, names })
    }

    /// Returns false if the tag has no attribute with one of the names whose bits these are. Names
    /// may share a bit, so it may have none of them if this is true; but most tags have none, and
    /// need not be read again to know it.
    #[inline]
    pub(crate) fn may_have(&self, bits: u64) -> bool {
        self.names & bits != 0
    }

    /// The name as written.
    pub(crate) fn name(&self) -> &'h str {
        self.name
    }

    /// The value of the first `class` as written, entities not decoded.
    pub(crate) fn class(&self) -> Option<&'h str> {
        self.class
    }

    /// Position after the name.
    fn name_end(&self) -> usize {
        1 + usize::from(self.is_end) + self.name.len()
    }

    /// Bytes that a tokenizer must read after the part of the tag up to `at`, so that no attribute
    /// is open. The end of the tag may follow them.
    pub(crate) fn ends_attribute(&self, at: usize) -> &'static [u8] {
        let (mut attributes, behind_name) = (self.attributes(), self.name_end());
        while let Some([(_, name_end), (start, end)]) = attributes.step() {
            let [name_end, start, end] = [name_end, start, end].map(|place| behind_name + place);
            if at <= name_end {
                return b" ";
            }
            if at <= end {
                return match self.source.as_bytes()[start - 1] {
                    b'"' if at >= start => b"\" ",
                    b'\'' if at >= start => b"' ",
                    // Between a name and its value, where a slash would begin the value.
                    _ if at <= start => b"\"\" ",
                    _ => b" ",
                };
            }
        }
        b" "
    }

    /// Names and values of the attributes in order, as written: a name may occur twice, entities
    /// are not decoded.
    pub(crate) fn attributes(&self) -> Attributes<'h> {
        Attributes { source: &self.source[self.name_end()..], at: 0, is_self_closing: None }
    }

    /// The value of an attribute, entities decoded, without white space around it. None if it is
    /// empty. If a name occurs twice, the first value counts.
    #[inline]
    pub(crate) fn attribute(&self, name: &str) -> Option<Cow<'h, str>> {
        if self.may_have(bit_of(name.as_bytes())) {
            self.find(name)
        } else {
            None
        }
    }

    /// Not inlined, because it has many callers and the library a largest size.
    #[inline(never)]
    fn find(&self, name: &str) -> Option<Cow<'h, str>> {
        let (_, value) = self.attributes().find(|(found, _)| found.eq_ignore_ascii_case(name))?;
        let value = htmlize::unescape_attribute(value.trim());
        (!value.is_empty()).then_some(value)
    }
}

/// One of 64 bits for the name of an attribute, whatever the case of its letters.
#[inline]
const fn bit_of(name: &[u8]) -> u64 {
    let (first, last) = (name[0] | 0x20, name[name.len() - 1] | 0x20);
    1 << ((7 * name.len() + first as usize + 3 * last as usize) & 63)
}

const CLASS: u64 = bit_of(b"class");

/// The bits of these names, for [`SourceTag::may_have`].
pub(crate) const fn bits_of(names: &[&str]) -> u64 {
    let (mut bits, mut at) = (0, 0);
    while at < names.len() {
        bits |= bit_of(names[at].as_bytes());
        at += 1;
    }
    bits
}

/// The attributes of a tag.
pub(crate) struct Attributes<'h> {
    source: &'h str,
    at: usize,
    /// Known after the `>` of the tag was read.
    is_self_closing: Option<bool>,
}

impl Attributes<'_> {
    /// Positions of the next attribute's name and value. None at the end of the tag or of the
    /// source.
    #[inline]
    fn step(&mut self) -> Option<[(usize, usize); 2]> {
        // The end of most tags.
        if self.source.as_bytes().get(self.at) == Some(&b'>') {
            self.at += 1;
            self.is_self_closing = Some(false);
            return None;
        }
        self.long_step()
    }

    fn long_step(&mut self) -> Option<[(usize, usize); 2]> {
        let bytes = self.source.as_bytes();
        let mut slash = false;
        loop {
            match *bytes.get(self.at)? {
                b'>' => {
                    self.at += 1;
                    self.is_self_closing = Some(slash);
                    return None;
                }
                b'/' => slash = true,
                b if b.is_ascii_whitespace() => slash = false,
                _ => break,
            }
            self.at += 1;
        }
        let start = self.at;
        // An equals sign at the first position belongs to the name.
        let length = 1 + bytes[start + 1..].iter().position(|b| ends(*b, ATTRIBUTE))?;
        let name = (start, start + length);
        self.at = skip_blanks(bytes, name.1);
        if *bytes.get(self.at)? != b'=' {
            return Some([name, (self.at, self.at)]);
        }
        let start = skip_blanks(bytes, self.at + 1);
        let value = match *bytes.get(start)? {
            quote @ (b'"' | b'\'') => {
                let length = memchr(quote, &bytes[start + 1..])?;
                self.at = start + length + 2;
                (start + 1, start + 1 + length)
            }
            _ => {
                let length = bytes[start..].iter().position(|b| ends(*b, VALUE))?;
                self.at = start + length;
                (start, start + length)
            }
        };
        Some([name, value])
    }
}

impl<'h> Iterator for Attributes<'h> {
    type Item = (&'h str, &'h str);

    fn next(&mut self) -> Option<Self::Item> {
        let [name, value] = self.step()?;
        Some((&self.source[name.0..name.1], &self.source[value.0..value.1]))
    }
}

/// Parts of a tag, for [`ends`].
const NAME: u8 = 1;
const ATTRIBUTE: u8 = 2;
/// A value without quotation marks.
const VALUE: u8 = 4;

/// Returns true if a byte ends a part of a tag.
fn ends(byte: u8, part: u8) -> bool {
    /// The parts that each byte ends.
    static ENDS: [u8; 256] = {
        let mut ends = [0; 256];
        let mut byte = 0;
        while byte < ends.len() {
            ends[byte] = match byte as u8 {
                b'>' | b' ' | b'\t' | b'\n' | b'\r' | 0x0c => NAME | ATTRIBUTE | VALUE,
                b'/' => NAME | ATTRIBUTE,
                b'=' => ATTRIBUTE,
                _ => 0,
            };
            byte += 1;
        }
        ends
    };
    ENDS[usize::from(byte)] & part != 0
}

#[inline]
fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    let blanks = bytes[from..].iter().take_while(|b| b.is_ascii_whitespace());
    from + blanks.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lol_html::{element, rewrite_str, RewriteStrSettings};
    use proptest::prelude::*;

    fn tags(mut source: &str) -> Vec<SourceTag<'_>> {
        let mut tags = Vec::new();
        while let Some(at) = source.find('<') {
            source = &source[at..];
            match SourceTag::read(source) {
                Beginning::Tag(tag) => {
                    source = &source[tag.source.len()..];
                    tags.push(tag);
                }
                Beginning::Cut => break,
                // A comment, although it does not look like one.
                Beginning::Other if source.starts_with("</") => match source.find('>') {
                    Some(end) => source = &source[end + 1..],
                    None => break,
                },
                Beginning::Other => source = &source[1..],
            }
        }
        tags
    }

    #[test]
    fn quotes_hide_the_end_of_a_tag_only_where_a_value_begins() {
        let ends = |source: &'static str| tags(source).first().map(|tag| tag.source);
        assert_eq!(ends("<a b='>' c=\">\">x"), Some("<a b='>' c=\">\">"));
        assert_eq!(ends("<a b'>c'>x"), Some("<a b'>"));
        assert_eq!(ends("<a b=c'>d'>x"), Some("<a b=c'>"));
        assert_eq!(ends("<a ='>x"), Some("<a ='>"));
        assert_eq!(ends("<a b='>x"), None);
        assert_eq!(ends("< a><1><>"), None);
    }

    #[test]
    fn attributes_are_found_by_name_and_decoded() {
        let tag = tags("<html LANG= ur lang=en dir dir=rtl title=' &eacute; ' empty=''>")[0];
        assert_eq!(tag.name(), "html");
        assert_eq!(tag.attribute("lang").as_deref(), Some("ur"));
        assert_eq!(tag.attribute("title").as_deref(), Some("\u{e9}"));
        assert_eq!(
            (tag.attribute("dir"), tag.attribute("empty"), tag.attribute("absent")),
            (None, None, None)
        );
    }

    /// Tags with all kinds of attributes.
    fn tags_of_every_make() -> impl Strategy<Value = String> {
        let part = prop::sample::select(vec![
            " ", "\n", "/", "=", "'", "\"", "a", "B", "id", "=c", "='d'", "=\"e>\"", "='", " = f",
            "\u{e9}", "&amp;", "<", "</p>",
        ]);
        let tag = (
            prop::sample::select(vec!["<a", "</a", "<P", "<x:y", "</div ", "<br"]),
            prop::collection::vec(part, 0..8),
        );
        prop::collection::vec(
            tag.prop_map(|(open, parts)| format!("{open}{}>", parts.concat())),
            0..6,
        )
        .prop_map(|tags| tags.concat())
    }

    proptest! {
        #[test]
        fn start_tags_are_cut_as_lol_html_cuts_them(html in tags_of_every_make()) {
            let mut found = Vec::new();
            let report = element!("*", |element| {
                let range = element.source_location().bytes();
                let attributes: Vec<_> = element.attributes().iter().map(|a| (a.name(), a.value())).collect();
                found.push((html[range].to_owned(), element.tag_name(), element.is_self_closing(), attributes));
                Ok(())
            });
            let settings = RewriteStrSettings::new().append_element_content_handler(report).with_strict(false);
            rewrite_str(&html, settings)?;
            let ours = tags(&html).into_iter().filter(|tag| !tag.is_end).map(|tag| {
                let attributes = tag.attributes().map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
                (tag.source.to_owned(), tag.name().to_ascii_lowercase(), tag.is_self_closing, attributes)
            });
            prop_assert_eq!(ours.collect::<Vec<_>>(), found);
        }

        #[test]
        fn a_tag_may_have_what_it_has(html in tags_of_every_make()) {
            for tag in tags(&html) {
                for (name, _) in tag.attributes() {
                    prop_assert!(tag.may_have(bits_of(&[name])));
                    prop_assert!(tag.may_have(bits_of(&[&name.to_ascii_uppercase()])));
                }
            }
        }
    }
}
