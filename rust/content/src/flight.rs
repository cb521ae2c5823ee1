//! The elements in the rows of React's server components, as markup: `["$","p",null,{"children":
//! "text"}]` is `<p>text</p>`. A page whose text is drawn by a script may have it in them alone.

use foldhash::HashMap;
use std::borrow::Cow;

use crate::scripted::{end_of_string, unescaped};

/// The start of an element, in front of its name.
pub(crate) const ELEMENT: &str = "[\"$\",\"";
/// Attributes that say what an element is, as React names them, and in HTML.
const ATTRIBUTES: [(&str, &str); 5] = [
    ("className", "class"),
    ("href", "href"),
    ("id", "id"),
    ("itemProp", "itemprop"),
    ("role", "role"),
];
/// Elements without text of the page.
const WITHOUT_TEXT: [&str; 9] =
    ["head", "link", "meta", "noscript", "script", "style", "svg", "template", "title"];
/// Elements without an end tag.
const EMPTY: [&str; 4] = ["br", "hr", "img", "wbr"];
/// The value that is shown while an element loads.
const FALLBACK: &str = "fallback";
/// Most brackets around a text.
const MAX_DEPTH: usize = 512;

/// A bracket that is open.
#[derive(Clone, Copy)]
enum Frame<'d> {
    /// An element: its name if it is one of HTML, and whether it hides what is in it.
    Element { tag: Option<&'d str>, hides: bool },
    /// The attributes of an element, at this name.
    Props { name: &'d str },
    /// Any other: at this name, and true if its texts are those of an element.
    Other { name: &'d str, has_text: bool },
}

/// Writes the markup of the elements in rows, see [`markup`].
struct Writer<'d, 't> {
    texts: &'t mut HashMap<&'d str, &'d str>,
    out: String,
    frames: Vec<Frame<'d>>,
    /// Brackets deeper than [`MAX_DEPTH`].
    deeper: usize,
    /// Elements around the current place whose text is not shown.
    hidden: usize,
    /// The start tag at the end of the output may get attributes.
    in_tag: bool,
    /// Bytes of text.
    text: usize,
}

/// Returns the elements of rows of JSON as markup, and the bytes of their text. `texts`: the texts
/// that rows refer to as `$number`, by their numbers; each is written once.
pub(crate) fn markup<'d>(
    rows: &[&'d str],
    texts: &mut HashMap<&'d str, &'d str>,
) -> (String, usize) {
    let (out, frames) = (String::new(), Vec::new());
    let mut writer = Writer { texts, out, frames, deeper: 0, hidden: 0, in_tag: false, text: 0 };
    for row in rows {
        writer.read(row);
    }
    (writer.out, writer.text)
}

impl<'d> Writer<'d, '_> {
    fn read(&mut self, row: &'d str) {
        let bytes = row.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    let (end, is_whole) = end_of_string(bytes, at);
                    if is_whole {
                        self.string(&row[at + 1..end], bytes.get(end + 1) == Some(&b':'));
                    }
                    at = end;
                }
                b'[' => match row[at..].strip_prefix(ELEMENT) {
                    Some(rest) => {
                        let tag = rest.split('"').next().unwrap_or_default();
                        self.open_element(tag);
                        at = row.len() - rest.len() + tag.len();
                    }
                    None => self.open(Frame::Other { name: "", has_text: self.has_text() }),
                },
                b'{' => {
                    let frame = match self.frames.last() {
                        Some(Frame::Element { .. }) => Frame::Props { name: "" },
                        _ => Frame::Other { name: "", has_text: false },
                    };
                    self.open(frame);
                }
                b']' | b'}' => self.close(),
                _ => {}
            }
            at += 1;
        }
        while !self.frames.is_empty() {
            self.close();
        }
    }

    /// Returns true if a string at the current place is text of an element.
    fn has_text(&self) -> bool {
        match self.frames.last() {
            Some(Frame::Props { name }) => *name == "children",
            Some(Frame::Other { has_text, .. }) => *has_text,
            _ => false,
        }
    }

    fn open(&mut self, frame: Frame<'d>) {
        if self.frames.len() < MAX_DEPTH && self.deeper == 0 {
            self.frames.push(frame);
        } else {
            self.deeper += 1;
        }
    }

    fn open_element(&mut self, name: &'d str) {
        let is_html = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_fallback = matches!(self.frames.last(), Some(Frame::Props { name: FALLBACK }));
        let hides = is_fallback || WITHOUT_TEXT.contains(&name);
        let tag = is_html.then_some(name).filter(|_| self.deeper == 0);
        self.hidden += usize::from(hides && self.deeper == 0);
        self.end_tag();
        if let Some(tag) = tag.filter(|_| self.hidden == 0 && self.frames.len() < MAX_DEPTH) {
            self.out.push('<');
            self.out.push_str(tag);
            self.in_tag = true;
        }
        self.open(Frame::Element { tag, hides });
    }

    /// Ends the start tag that is being written.
    fn end_tag(&mut self) {
        if std::mem::take(&mut self.in_tag) {
            self.out.push('>');
        }
    }

    fn close(&mut self) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(Frame::Element { tag, hides }) = self.frames.pop() else { return };
        self.end_tag();
        if let Some(tag) = tag.filter(|tag| self.hidden == 0 && !EMPTY.contains(tag)) {
            self.out.extend(["</", tag, ">"]);
        }
        self.hidden -= usize::from(hides);
    }

    /// Reads a string, without its quotes.
    fn string(&mut self, raw: &'d str, is_name: bool) {
        if self.deeper > 0 {
            return;
        }
        if is_name {
            if let Some(Frame::Props { name } | Frame::Other { name, .. }) = self.frames.last_mut()
            {
                *name = raw;
            }
            return;
        }
        if self.hidden > 0 {
            return;
        }
        let is_markup = matches!(self.frames.last(), Some(Frame::Other { name: "__html", .. }));
        if self.has_text() || is_markup {
            self.write(raw, is_markup);
            return;
        }
        let Some(Frame::Props { name }) = self.frames.last() else { return };
        let attribute = ATTRIBUTES.iter().find(|(known, _)| known == name);
        let is_plain = !raw.contains(['\\', '&', '<']);
        if let Some((_, attribute)) = attribute.filter(|_| self.in_tag && is_plain) {
            self.out.extend([" ", attribute, "=\"", raw, "\""]);
        }
    }

    fn write(&mut self, raw: &'d str, is_markup: bool) {
        let text = match raw.strip_prefix('$') {
            None => unescaped(raw),
            // A dollar at the start of a text is written twice.
            Some(rest) if rest.starts_with('$') => unescaped(rest),
            Some(number) => match self.texts.remove(number) {
                Some(text) => text.into(),
                None => return,
            },
        };
        self.end_tag();
        self.text += text.len();
        let text = if is_markup { text } else { Cow::from(text.replace('<', "&lt;")) };
        self.out.push_str(&text);
    }
}
