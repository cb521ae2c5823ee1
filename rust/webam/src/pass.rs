//! Markup as lol_html reads it, from where [`crate::plain`] leaves off.
//!
//! lol_html tells text, comments and doctypes from tags; what lies between two pieces that it reports is tags, and they are
//! read from there. It could report elements, too, but would then keep a stack of those that it believes open and search it
//! at every end tag; and it reports no end tag of an element that it does not hold open, where `</p>` or `</b>` out of
//! order matter.

use crate::page::LimitHit;
use crate::plain::Rest;
use crate::reader::Reader;
use crate::source::{Beginning, SourceTag};
use crate::tags::Tag;
use lol_html::html_content::TextType;
use lol_html::{doc_comments, doc_text, doctype, HtmlRewriter, MemorySettings, Settings};
use memchr::{memchr, memmem};
use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::ops::Range;

/// How a page is handed to lol_html, bytes.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// At a time, the least; the deadline is looked at in between. While nothing is reported, steps double: lol_html holds a
    /// tag or comment whole until it ends.
    pub(crate) step: usize,
    /// A tag or comment that does not end within a step of this length is longer than lol_html is to hold, which needs 24 bytes for
    /// each byte of a tag full of attributes: it sees the beginning and the end.
    pub(crate) long: usize,
}

pub(crate) const PACE: Pace = Pace { step: 4 << 10, long: 64 << 10 };

/// The most that lol_html may hold, bytes. [`Pace::long`] comes first.
const MEMORY: usize = 8 << 20;

/// Reads the rest of a page.
pub(crate) fn read(reader: &mut Reader<'_>, rest: &Rest, pace: Pace) -> Result<(), LimitHit> {
    let html = reader.html();
    let begin = Jump { from: 0, until: rest.around.len(), to: rest.at };
    let reported = RefCell::new(Reported { reader, at: rest.at, jumps: vec![begin] });
    run(html, rest, &reported, pace)?;
    let mut reported = reported.into_inner();
    reported.tags(html.len()).map_err(|Stop(limit)| limit)?;
    reported.reader.end_text()
}

fn run(html: &str, rest: &Rest, reported: &RefCell<Reported<'_, '_>>, pace: Pace) -> Result<(), LimitHit> {
    let mut pass = HtmlRewriter::new(
        Settings {
            document_content_handlers: vec![
                doctype!(|it| Ok(reported.borrow_mut().aside(it.source_location().bytes())?)),
                doc_comments!(|it| Ok(reported.borrow_mut().aside(it.source_location().bytes())?)),
                doc_text!(|it| Ok(reported.borrow_mut().text(it.source_location().bytes(), it.text_type())?)),
            ],
            memory_settings: MemorySettings { max_allowed_memory_usage: MEMORY, ..MemorySettings::default() },
            strict: false,
            ..Settings::default()
        },
        |_: &[u8]| {},
    );
    pass.write(rest.around.as_bytes()).map_err(limit_of)?;
    let (mut from, mut fed) = (rest.at, rest.around.len());
    let mut step = pace.step;
    while from < html.len() {
        reported.borrow().reader.look_at_deadline()?;
        let mut to = (from + step).min(html.len());
        let before = reported.borrow().at;
        while !html.is_char_boundary(to) {
            to += 1;
        }
        pass.write(&html.as_bytes()[from..to]).map_err(limit_of)?;
        fed += to - from;
        from = to;
        if reported.borrow().at != before {
            step = pace.step;
            continue;
        }
        step *= 2;
        if step < pace.long {
            continue;
        }
        // Either very many tags without text, or one thing that does not end.
        let mut skip = |to: usize, bytes: &[u8]| {
            // Before it is read: what ends there is reported at once.
            reported.borrow_mut().jumps.push(Jump { from: fed, until: fed + bytes.len(), to });
            fed += bytes.len();
            pass.write(bytes).map_err(limit_of)
        };
        let script = lets_go_of_script(&html[..to]);
        let is_script = reported.borrow().may_hold_script();
        if is_script {
            skip(to, &script)?;
        }
        if reported.borrow().at == before {
            let begun = reported.borrow_mut().tags_so_far(to).map_err(|Stop(limit)| limit)?;
            let so_far = reported.borrow().at;
            // One that has only just begun.
            if !is_script && reported.borrow().may_hold_script() {
                skip(to, &script)?;
            }
            let long = begun.filter(|start| to - start >= pace.long / 2 && reported.borrow().at == so_far);
            if let Some(start) = long {
                let (end, rest) = end_of_long(html, start, to);
                skip(end, &rest)?;
                from = end;
            }
        }
        if reported.borrow().at != before || from != to {
            step = pace.step;
        }
    }
    pass.end().map_err(limit_of)
}

/// Where the long tag or comment ends that begins at `start` and goes on at `at`, and what lol_html has to read to end it there.
fn end_of_long(html: &str, start: usize, at: usize) -> (usize, Vec<u8>) {
    let long = &html[start..];
    let after = |marks: &[&str]| {
        // Of the mark two characters may have been read, or three.
        let from = (at - 3).max(start + 2);
        let ends =
            marks.iter().filter_map(|mark| Some(memmem::find(&html.as_bytes()[from..], mark.as_bytes())? + mark.len()));
        ends.min().map_or(html.len(), |length| from + length)
    };
    match SourceTag::read(long) {
        Beginning::Tag(tag) => {
            let last: &[u8] = if tag.is_self_closing { b"/>" } else { b">" };
            (start + tag.source.len(), [tag.ends_attribute(at - start), last].concat())
        }
        // The rest of the page belongs to the tag.
        Beginning::Cut => (html.len(), Vec::new()),
        Beginning::Other if long.starts_with("<!--") => (after(&["-->", "--!>"]), b"-->".to_vec()),
        Beginning::Other => (after(&[">"]), b">".to_vec()),
    }
}

/// What lol_html has to read to report the text that it holds of a script with a `<!--`: it lets go of that at a `<`. What it then has
/// to read again may be the beginning of a `-->` or of an end tag. Within a tag or a comment this means nothing.
fn lets_go_of_script(held: &str) -> Vec<u8> {
    const END: &[u8] = b"</script";
    let held = held.as_bytes();
    let begins_end = |length: &usize| {
        held.len().checked_sub(*length).is_some_and(|from| held[from..].eq_ignore_ascii_case(&END[..*length]))
    };
    let dashes = held.iter().rev().take(2).take_while(|b| **b == b'-').count();
    let again = (1..=END.len()).rev().find(begins_end).unwrap_or(dashes);
    [b"x<x", &held[held.len() - again..]].concat()
}

/// What lol_html was given in place of a part of the page.
struct Jump {
    /// Where it begins among the bytes that lol_html was given.
    from: usize,
    /// Where it ends there.
    until: usize,
    /// Where the page goes on.
    to: usize,
}

/// How a limit travels through lol_html.
#[derive(Debug)]
struct Stop(LimitHit);

impl fmt::Display for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Error for Stop {}

impl From<LimitHit> for Stop {
    fn from(limit: LimitHit) -> Self {
        Stop(limit)
    }
}

fn limit_of(error: lol_html::errors::RewritingError) -> LimitHit {
    match error {
        lol_html::errors::RewritingError::ContentHandlerError(inner) => {
            inner.downcast_ref::<Stop>().map_or(LimitHit::Memory, |stop| stop.0)
        }
        _ => LimitHit::Memory,
    }
}

/// What lol_html reports, and what is between.
struct Reported<'r, 'h> {
    reader: &'r mut Reader<'h>,
    /// Everything before this has been read, bytes.
    at: usize,
    /// In their order; the first is in place of what was read before.
    jumps: Vec<Jump>,
}

impl Reported<'_, '_> {
    /// Where something that lol_html reports is in the page.
    fn place(&self, reported: Range<usize>) -> Range<usize> {
        let place = |at: usize| match self.jumps.iter().rfind(|jump| jump.from < at || jump.until <= at) {
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
        self.at = range.end;
        self.reader.text(range, matches!(kind, TextType::Data | TextType::RCData));
        Ok(())
    }

    /// A comment, a doctype.
    fn aside(&mut self, reported: Range<usize>) -> Result<(), Stop> {
        let range = self.place(reported);
        self.tags(range.start)?;
        self.at = range.end;
        Ok(self.reader.aside()?)
    }

    /// Hands on the text that is complete now, and the tags from there to the next piece.
    fn tags(&mut self, next: usize) -> Result<(), Stop> {
        self.complete_tags(next, false)?;
        self.at = next;
        Ok(())
    }

    /// The same for tags of which nobody knows yet what follows. Where something begins that has not ended at `next`: a tag or a
    /// comment.
    fn tags_so_far(&mut self, next: usize) -> Result<Option<usize>, Stop> {
        let left = self.complete_tags(next, true)?;
        self.at = next - left;
        let begun = self.reader.html().get(self.at..next).and_then(|rest| memchr(b'<', rest.as_bytes()));
        Ok(begun.map(|begun| self.at + begun))
    }

    /// What was not reported may be text of a script: after a `<!--` lol_html reports none before the next `<`, or not even then. In a picture a
    /// script's content is markup.
    fn may_hold_script(&self) -> bool {
        let held = &self.reader.html()[self.at..];
        let begins = |with: &str| held.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
        let is_markup = begins("</script") || self.reader.is_in_picture() && begins("<") && !begins("<!");
        self.reader.is_in(Tag::Script) && !is_markup
    }

    /// Hands on text and tags before `next`, and says how many bytes are left. Beside tags there are the marks of CDATA sections; with
    /// `stops` there may be a comment that has not ended.
    fn complete_tags(&mut self, next: usize, stops: bool) -> Result<usize, Stop> {
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
                Beginning::Other if stops && !NOTHING.iter().any(|none| rest[at..].starts_with(none)) => break,
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

    /// All that lol_html reads of a page.
    fn read_all(html: &str, pace: Pace) -> String {
        let mut reader = Reader::new(html, &Limits::default(), true);
        let done = read(&mut reader, &Rest { at: 0, around: "" }, pace);
        format!("{:?}", reader.into_page(done.err()))
    }

    /// Pages with tags and comments of some length, longer than the names of elements. No script is among them: whether a tag in it
    /// is one, lol_html alone knows. None has CDATA sections: what lol_html reports of their ends depends on where it
    /// is interrupted. Nor does a tag end before a value: lol_html reads what follows `<title a=>` as markup.
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
            " ", "\n", "/", " == x", "'", "\"", "a", "id", "=c", "='d'", "=\"e>\"", "='", " = f", "\u{e9}", "&amp;",
            "<", "-", "--", "!", "x y z ",
        ]);
        let end = prop::sample::select(vec![">", "/>", "-->", "--!>", "]]>", "'>", "\">", ""]);
        let between = prop::sample::select(vec!["", "text", " ", "\u{646}", "&lt;", "]]>", "<", "a < b"]);
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
