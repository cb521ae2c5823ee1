//! The parser that uses lol_html, for the part of a page that [`crate::plain`] leaves.
//!
//! lol_html reports text, comments and doctypes. Between two reported pieces are tags, which are
//! read from the source there. lol_html can also report elements, but then it keeps a stack of open
//! elements and searches it at every end tag. It also reports no end tag of an element that it does
//! not consider open, and the order of `</p>` and `</b>` matters.

use crate::page::LimitHit;
use crate::plain::{end_of_comment, Rest};
use crate::reader::Reader;
use crate::source::{Beginning, SourceTag};
use crate::tags::Tag;
use lol_html::html_content::TextType;
use lol_html::{doc_comments, doc_text, doctype, HtmlRewriter, MemorySettings, Settings};
use memchr::memchr;
use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::ops::Range;

/// Sizes of the pieces in which lol_html gets a page, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// Smallest piece. The deadline is checked between two pieces. While nothing is reported,
    /// pieces double: lol_html keeps a tag or comment in memory until it ends.
    pub(crate) step: usize,
    /// A tag or comment that does not end within a piece of this length is too long for lol_html,
    /// which needs 24 bytes for each byte of a tag full of attributes. lol_html gets only its
    /// beginning and end.
    pub(crate) long: usize,
}

pub(crate) const PACE: Pace = Pace { step: 4 << 10, long: 64 << 10 };

/// Memory limit of lol_html, in bytes. [`Pace::long`] applies earlier.
const MEMORY: usize = 8 << 20;

/// lol_html begins again after at most this number of elements without an end, because each
/// beginning has a cost. Later ones hold the rest of the page, as in the standard.
const BEGINNINGS: usize = 16;

/// Reads the rest of a page, up to an element of text without an end. Returns the position after its
/// text. There, reading continues as at the beginning of a page.
pub(crate) fn read(
    reader: &mut Reader<'_>,
    rest: &Rest,
    pace: Pace,
) -> Result<Option<usize>, LimitHit> {
    let html = reader.html();
    let begin = Jump { from: 0, until: rest.around.len(), to: rest.at };
    let reported = RefCell::new(Reported { reader, at: rest.at, jumps: vec![begin] });
    let stop = run(html, rest, &reported, pace).err();
    let mut reported = reported.into_inner();
    match stop {
        Some(Stop::Limit(limit)) => Err(limit),
        Some(Stop::Unclosed { tag, from }) => reported.reader.unclosed(tag, from).map(Some),
        None => {
            reported.tags(html.len())?;
            reported.reader.end_text().map(|()| None)
        }
    }
}

/// Reads the rest of a page by lol_html alone.
#[cfg(any(test, fuzzing))]
pub(crate) fn read_on(reader: &mut Reader<'_>, mut rest: Rest, pace: Pace) -> Result<(), LimitHit> {
    while let Some(at) = read(reader, &rest, pace)? {
        rest = Rest { at, around: "" };
    }
    Ok(())
}

fn run(
    html: &str,
    rest: &Rest,
    reported: &RefCell<Reported<'_, '_>>,
    pace: Pace,
) -> Result<(), Stop> {
    let settings = Settings::new()
        .append_document_content_handler(doctype!(|it| Ok(reported
            .borrow_mut()
            .aside(it.source_location().bytes())
            .map_err(Stop::from)?)))
        .append_document_content_handler(doc_comments!(|it| Ok(reported
            .borrow_mut()
            .aside(it.source_location().bytes())
            .map_err(Stop::from)?)))
        .append_document_content_handler(doc_text!(|it| Ok(reported
            .borrow_mut()
            .text(it.source_location().bytes(), it.text_type())?)))
        .with_memory_settings(MemorySettings::new().with_max_allowed_memory_usage(MEMORY))
        .with_strict(false);
    let sink: fn(&[u8]) = |_| {};
    let mut feed = Feed { pass: HtmlRewriter::new(settings, sink), fed: 0, reported };
    feed.write(rest.around.as_bytes())?;
    let mut from = rest.at;
    let mut step = pace.step;
    while from < html.len() {
        reported.borrow().reader.look_at_deadline()?;
        let mut to = (from + step).min(html.len());
        let before = reported.borrow().at;
        while !html.is_char_boundary(to) {
            to += 1;
        }
        feed.write(&html.as_bytes()[from..to])?;
        from = to;
        step *= 2;
        if reported.borrow().at == before && step >= pace.long {
            from = feed.get_on(html, to, pace)?;
        }
        if reported.borrow().at != before || from != to {
            step = pace.step;
        }
    }
    feed.pass.end().map_err(reason_of)
}

/// lol_html, and what it got so far.
struct Feed<'p, 'r, 'h> {
    pass: HtmlRewriter<'p, fn(&[u8])>,
    /// Number of bytes that it got.
    fed: usize,
    reported: &'p RefCell<Reported<'r, 'h>>,
}

impl Feed<'_, '_, '_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.fed += bytes.len();
        self.pass.write(bytes).map_err(reason_of)
    }

    /// Passes on these bytes in place of the page up to a position.
    fn skip(&mut self, to: usize, bytes: &[u8]) -> Result<(), Stop> {
        // Set before the piece is read, because a tag that ends in it is reported at once.
        let jump = Jump { from: self.fed, until: self.fed + bytes.len(), to };
        self.reported.borrow_mut().jumps.push(jump);
        self.write(bytes)
    }

    /// Continues after a long piece that ends at `to` and nothing was reported of: either very many
    /// tags without text, or one long tag or comment, whose rest is left out. Returns the position
    /// at which reading continues.
    fn get_on(&mut self, html: &str, to: usize, pace: Pace) -> Result<usize, Stop> {
        let reported = self.reported;
        let before = reported.borrow().at;
        let script = lets_go_of_script(&html[..to]);
        let is_script = reported.borrow().may_hold_script();
        if is_script {
            self.skip(to, &script)?;
        }
        if reported.borrow().at != before {
            return Ok(to);
        }
        let begun = reported.borrow_mut().tags_so_far(to)?;
        let so_far = reported.borrow().at;
        // A tag or comment that began a moment ago.
        if !is_script && reported.borrow().may_hold_script() {
            self.skip(to, &script)?;
        }
        let is_long = |start: &usize| to - start >= pace.long / 2 && reported.borrow().at == so_far;
        let Some(start) = begun.filter(is_long) else { return Ok(to) };
        let (end, rest) = end_of_long(html, start, to);
        self.skip(end, &rest)?;
        Ok(end)
    }
}

/// The end of the long tag or comment that begins at `start` and continues at `at`, and the bytes
/// that lol_html reads to end it there.
fn end_of_long(html: &str, start: usize, at: usize) -> (usize, Vec<u8>) {
    let long = &html[start..];
    // Two or three characters of the mark may already have been read.
    let from = (at - 3).max(start + 2);
    match SourceTag::read(long) {
        Beginning::Tag(tag) => {
            let last: &[u8] = if tag.is_self_closing { b"/>" } else { b">" };
            (start + tag.source.len(), [tag.ends_attribute(at - start), last].concat())
        }
        // The rest of the page belongs to the tag.
        Beginning::Cut => (html.len(), Vec::new()),
        Beginning::Other if long.starts_with("<!--") => {
            (end_of_comment(html.as_bytes(), start, from), b"-->".to_vec())
        }
        Beginning::Other => {
            let end = memchr(b'>', &html.as_bytes()[from..]);
            (end.map_or(html.len(), |length| from + length + 1), b">".to_vec())
        }
    }
}

/// The bytes that make lol_html report the text of a script with a `<!--`: it reports such text at
/// a `<`. Bytes that it then reads again may be the beginning of a `-->` or of an end tag. Within a
/// tag or a comment these bytes have no effect.
fn lets_go_of_script(held: &str) -> Vec<u8> {
    const END: &[u8] = b"</script";
    let held = held.as_bytes();
    let begins_end = |length: &usize| {
        held.len()
            .checked_sub(*length)
            .is_some_and(|from| held[from..].eq_ignore_ascii_case(&END[..*length]))
    };
    let dashes = held.iter().rev().take(2).take_while(|b| **b == b'-').count();
    let again = (1..=END.len()).rev().find(begins_end).unwrap_or(dashes);
    [b"x<x", &held[held.len() - again..]].concat()
}

/// The bytes that lol_html got in place of a part of the page.
struct Jump {
    /// Position of their beginning in lol_html's input.
    from: usize,
    /// Position of their end in lol_html's input.
    until: usize,
    /// Position in the page at which reading continues.
    to: usize,
}

/// Error by which a reason to stop passes through lol_html.
#[derive(Debug, Clone, Copy)]
enum Stop {
    Limit(LimitHit),
    /// The text of an element that has no end tag begins here ([`Reader::is_unclosed`]).
    Unclosed {
        tag: Tag,
        from: usize,
    },
}

impl fmt::Display for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Limit(limit) => limit.fmt(out),
            Stop::Unclosed { .. } => out.write_str("an element has no end tag"),
        }
    }
}

impl Error for Stop {}

impl From<LimitHit> for Stop {
    fn from(limit: LimitHit) -> Self {
        Stop::Limit(limit)
    }
}

fn reason_of(error: lol_html::errors::RewritingError) -> Stop {
    match error {
        lol_html::errors::RewritingError::ContentHandlerError(inner) => {
            inner.downcast_ref().copied().unwrap_or(Stop::Limit(LimitHit::Memory))
        }
        _ => Stop::Limit(LimitHit::Memory),
    }
}

/// Receives the reports of lol_html, and reads the tags between them.
struct Reported<'r, 'h> {
    reader: &'r mut Reader<'h>,
    /// Everything before this position has been read, in bytes.
    at: usize,
    /// In order. The first one replaces the part that was read before.
    jumps: Vec<Jump>,
}

impl Reported<'_, '_> {
    /// Position in the page of a report of lol_html.
    fn place(&self, reported: Range<usize>) -> Range<usize> {
        let place =
            |at: usize| match self.jumps.iter().rfind(|jump| jump.from < at || jump.until <= at) {
                Some(jump) => jump.to + at.saturating_sub(jump.until),
                None => at,
            };
        place(reported.start)..place(reported.end)
    }

    fn text(&mut self, reported: Range<usize>, kind: TextType) -> Result<(), Stop> {
        if reported.is_empty() {
            return Ok(());
        }
        let range = self.place(reported);
        if range.start > self.at {
            self.tags(range.start)?;
        }
        if kind != TextType::Data {
            self.look_for_end(range.start)?;
        }
        self.at = range.end;
        self.reader.text(range, matches!(kind, TextType::Data | TextType::RCData));
        Ok(())
    }

    /// Stops at the beginning of the text of an element that has no end tag.
    fn look_for_end(&mut self, from: usize) -> Result<(), Stop> {
        match self.reader.begun() {
            Some((tag, is_self_closing))
                if self.reader.unclosed_so_far() < BEGINNINGS
                    && self.reader.is_unclosed(tag, is_self_closing, from) =>
            {
                Err(Stop::Unclosed { tag, from })
            }
            _ => Ok(()),
        }
    }

    /// Handles a comment or a doctype.
    fn aside(&mut self, reported: Range<usize>) -> Result<(), LimitHit> {
        let range = self.place(reported);
        self.tags(range.start)?;
        self.at = range.end;
        self.reader.aside()
    }

    /// Passes on the text that is complete, and the tags up to the next report.
    fn tags(&mut self, next: usize) -> Result<(), LimitHit> {
        self.complete_tags(next, false)?;
        self.at = next;
        Ok(())
    }

    /// The same, if the next report is not known yet. Returns the position of a tag or comment that
    /// has not ended at `next`.
    fn tags_so_far(&mut self, next: usize) -> Result<Option<usize>, LimitHit> {
        let left = self.complete_tags(next, true)?;
        self.at = next - left;
        let begun =
            self.reader.html().get(self.at..next).and_then(|rest| memchr(b'<', rest.as_bytes()));
        Ok(begun.map(|begun| self.at + begun))
    }

    /// Bytes without a report may be text of a script: after a `<!--`, lol_html reports no text
    /// before the next `<`, or not even then. In a picture, the content of a script is markup.
    fn may_hold_script(&self) -> bool {
        let held = &self.reader.html()[self.at..];
        let begins = |with: &str| {
            held.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with))
        };
        let is_markup =
            begins("</script") || self.reader.is_in_picture() && begins("<") && !begins("<!");
        self.reader.is_in(Tag::Script) && !is_markup
    }

    /// Passes on text and tags before `next`, and returns the number of remaining bytes. There may
    /// also be marks of CDATA sections and, with `stops`, a comment that has not ended.
    fn complete_tags(&mut self, next: usize, stops: bool) -> Result<usize, LimitHit> {
        const NOTHING: [&str; 2] = ["<![CDATA[]]>", "</>"];
        self.reader.end_text()?;
        let mut rest = self.reader.html().get(self.at..next).unwrap_or_default();
        while let Some(at) = memchr(b'<', rest.as_bytes()) {
            match SourceTag::read(&rest[at..]) {
                Beginning::Tag(tag) => {
                    rest = &rest[at + tag.source.len()..];
                    self.reader.tag(&tag, Tag::of(tag.name()))?;
                }
                Beginning::Cut => break,
                Beginning::Other
                    if stops && !NOTHING.iter().any(|none| rest[at..].starts_with(none)) =>
                {
                    break
                }
                Beginning::Other => rest = &rest[at + 1..],
            }
        }
        Ok(rest.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Limits;
    use proptest::prelude::*;

    /// All reports of lol_html for a page.
    fn read_all(html: &str, pace: Pace) -> String {
        let mut reader = Reader::new(html, &Limits::default(), true);
        let done = read(&mut reader, &Rest { at: 0, around: "" }, pace);
        format!("{:?}", reader.into_page(done.err()))
    }

    /// Pages with tags and comments that are longer than the names of elements. They contain no
    /// script, because only lol_html knows if a tag in a script is a tag. They contain no CDATA
    /// section, because the reports of its end depend on the interruptions. No tag ends before a
    /// value, because lol_html reads the text after `<title a=>` as markup.
    fn pages() -> impl Strategy<Value = String> {
        let begin = prop::sample::select(vec![
            "<a ",
            "<p ",
            "</p ",
            "</b ",
            "<b ",
            "<svg ",
            "</svg ",
            "<title ",
            "</title ",
            "<style ",
            "</style ",
            "<font ",
            "<math ",
            "<x:y",
            "<!--",
            "<!",
            "<!doctype ",
            "<?",
            "</ ",
        ]);
        let inside = prop::sample::select(vec![
            " ", "\n", "/", " == x", "'", "\"", "a", "id", "=c", "='d'", "=\"e>\"", "='", " = f",
            "\u{e9}", "&amp;", "<", "-", "--", "!", "x y z ",
        ]);
        let end = prop::sample::select(vec![">", "/>", "-->", "--!>", "]]>", "'>", "\">", ""]);
        let between =
            prop::sample::select(vec!["", "text", " ", "\u{646}", "&lt;", "]]>", "<", "a < b"]);
        let piece = (begin, prop::collection::vec(inside, 0..40), end, between);
        prop::collection::vec(piece.prop_map(|(a, b, c, d)| [a, &b.concat(), c, d].concat()), 0..8)
            .prop_map(|all| all.concat())
    }

    proptest! {
        #[test]
        fn what_lol_html_does_not_see_of_long_tags_is_not_missed(html in pages()) {
            let hasty = Pace { step: 3, long: 24 };
            prop_assert_eq!(read_all(&html, hasty), read_all(&html, PACE));
        }
    }
}
