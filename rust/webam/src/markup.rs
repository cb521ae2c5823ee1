//! The one pass over a page's markup.
//!
//! lol_html tells text, comments and doctypes from tags; what lies between two pieces that it reports is tags, and they are
//! read from there. It could report elements, too, but would then keep a stack of those that it believes open and search it
//! at every end tag; and it reports no end tag of an element that it does not hold open, where `</p>` or `</b>` out of
//! order matter.

use crate::balance::Balancer;
use crate::blocks::{is_level, Blocks};
use crate::extract::Extractor;
use crate::marks::Marks;
use crate::page::{cut, LimitHit, Limits, Page, MAX_TITLE};
use crate::source::{Beginning, SourceTag};
use crate::tags::Tag;
use lol_html::html_content::TextType;
use lol_html::{doc_comments, doc_text, doctype, HtmlRewriter, MemorySettings, Settings};
use memchr::{memchr, memchr3, memmem};
use std::borrow::Cow;
use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::time::Instant;

/// How a page is handed to lol_html, bytes.
#[derive(Clone, Copy)]
struct Pace {
    /// At a time, the least; the deadline is looked at in between. While nothing is reported, steps double: lol_html holds a
    /// tag or comment whole until it ends.
    step: usize,
    /// A tag or comment that does not end within a step of this length is longer than lol_html is to hold, which needs 24 bytes for
    /// each byte of a tag full of attributes: it sees the beginning and the end.
    long: usize,
}

const PACE: Pace = Pace { step: 4 << 10, long: 64 << 10 };

/// Tags between two looks at the deadline.
const TAGS: u32 = 1 << 10;

/// The most that lol_html may hold, bytes. [`Pace::long`] comes first.
const MEMORY: usize = 8 << 20;

/// Text with entities is decoded so many bytes at a time, or a few more.
const TEXT: usize = 64 << 10;

/// A page whose scripts are to fetch its text may have the text in a `<noscript>` for who runs none, as forums of Discourse have. `best` reads
/// that instead of the page around it, if it has more than this many times its text
const UNSCRIPTED_TIMES: usize = 2;
/// and more than this, bytes. A notice that scripts are needed is shorter.
const MIN_UNSCRIPTED: usize = 500;

/// Reads a page, as `best` wants it: where a page has little text of its own, that of its longest `<noscript>`. A limit that is hit ends the
/// reading early; what was read until then is in the page.
pub fn parse(html: &str, limits: &Limits) -> Page {
    read(html, limits, true)
}

/// [`parse`] for one extractor: what only others judge by is not read, a tenth of the work, nor a `<noscript>` but for `best`. `best` alone judges by names and
/// kinds of elements, and must not be asked about a page that was parsed for another.
pub fn parse_for(extractor: Extractor, html: &str, limits: &Limits) -> Page {
    read(html, limits, extractor == Extractor::Best)
}

fn read(html: &str, limits: &Limits, has_marks: bool) -> Page {
    read_at(html, limits, has_marks, PACE)
}

fn read_at(html: &str, limits: &Limits, has_marks: bool, pace: Pace) -> Page {
    let (page, unscripted) = read_once(html, limits, has_marks, pace);
    // Only where it may be enough: markup is longer than its text.
    if !has_marks || unscripted.len() <= MIN_UNSCRIPTED.max(page.text.len()) {
        return page;
    }
    let (inside, _) = read_once(&html[unscripted], limits, has_marks, pace);
    if inside.text.len() <= MIN_UNSCRIPTED.max(UNSCRIPTED_TIMES * page.text.len()) {
        return page;
    }
    let Page { text, blocks, nodes, limit, .. } = inside;
    Page { text, blocks, nodes, limit: page.limit.or(limit), ..page }
}

/// The page, and where its longest `<noscript>` has its content.
fn read_once(html: &str, limits: &Limits, has_marks: bool, pace: Pace) -> (Page, Range<usize>) {
    let reader = RefCell::new(Reader::new(html, limits, has_marks));
    let limit = run(html, limits.deadline, &reader, pace).err();
    reader.into_inner().into_page(limit)
}

fn run(html: &str, deadline: Option<Instant>, reader: &RefCell<Reader>, pace: Pace) -> Result<(), LimitHit> {
    let mut pass = HtmlRewriter::new(
        Settings {
            document_content_handlers: vec![
                doctype!(|it| Ok(reader.borrow_mut().aside(it.source_location().bytes())?)),
                doc_comments!(|it| Ok(reader.borrow_mut().aside(it.source_location().bytes())?)),
                doc_text!(|it| Ok(reader.borrow_mut().text(it.source_location().bytes(), it.text_type())?)),
            ],
            memory_settings: MemorySettings { max_allowed_memory_usage: MEMORY, ..MemorySettings::default() },
            strict: false,
            ..Settings::default()
        },
        |_: &[u8]| {},
    );
    let (mut from, mut fed) = (0, 0);
    let mut step = pace.step;
    while from < html.len() {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(LimitHit::Time);
        }
        let mut to = (from + step).min(html.len());
        let before = reader.borrow().at;
        while !html.is_char_boundary(to) {
            to += 1;
        }
        pass.write(&html.as_bytes()[from..to]).map_err(limit_of)?;
        fed += to - from;
        from = to;
        if reader.borrow().at != before {
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
            reader.borrow_mut().jumps.push(Jump { from: fed, until: fed + bytes.len(), to });
            fed += bytes.len();
            pass.write(bytes).map_err(limit_of)
        };
        let script = lets_go_of_script(&html[..to]);
        let is_script = reader.borrow().may_hold_script();
        if is_script {
            skip(to, &script)?;
        }
        if reader.borrow().at == before {
            let begun = reader.borrow_mut().tags_so_far(to).map_err(|Stop(limit)| limit)?;
            let so_far = reader.borrow().at;
            // One that has only just begun.
            if !is_script && reader.borrow().may_hold_script() {
                skip(to, &script)?;
            }
            let long = begun.filter(|start| to - start >= pace.long / 2 && reader.borrow().at == so_far);
            if let Some(start) = long {
                let (end, rest) = end_of_long(html, start, to);
                skip(end, &rest)?;
                from = end;
            }
        }
        if reader.borrow().at != before || from != to {
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

/// What lol_html has to read to report the text that it holds of a script with a `<!--`: it lets go of that at a `<`. The dashes before
/// may be the beginning of a `-->`. Within a tag or a comment this means nothing.
fn lets_go_of_script(held: &str) -> Vec<u8> {
    let dashes = held.bytes().rev().take(2).take_while(|b| *b == b'-').count();
    [b"x<x".as_slice(), &b"--"[..dashes]].concat()
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

struct Reader<'h> {
    html: &'h str,
    deadline: Option<Instant>,
    balancer: Balancer,
    /// Everything before this has been read, bytes.
    at: usize,
    /// In their order.
    jumps: Vec<Jump>,
    /// The text that is being read: chunks of it follow one another without a gap.
    text: Range<usize>,
    /// It is markup text, where entities count.
    has_entities: bool,
    /// The first `<title>` outside of pictures; the head's may be missing.
    title: Option<String>,
    in_title: bool,
    /// The last tag was `<script>`.
    in_script: bool,
    /// The last tag was `<noscript>`.
    in_noscript: bool,
    /// The content of the longest `<noscript>`.
    unscripted: Range<usize>,
    /// Inside an `<svg>`, where titles are captions.
    in_picture: bool,
    page: Page,
}

impl<'h> Reader<'h> {
    fn new(html: &'h str, limits: &Limits, has_marks: bool) -> Self {
        Reader {
            html,
            deadline: limits.deadline,
            balancer: Balancer::new(Blocks::new(limits.max_blocks), limits.max_depth),
            at: 0,
            jumps: Vec::new(),
            text: 0..0,
            has_entities: true,
            title: None,
            in_title: false,
            in_script: false,
            in_noscript: false,
            unscripted: 0..0,
            in_picture: false,
            page: Page { has_marks, ..Page::default() },
        }
    }

    /// Where something that lol_html reports is in the page.
    fn place(&self, reported: Range<usize>) -> Range<usize> {
        let place = |at: usize| match self.jumps.iter().rfind(|jump| jump.from < at) {
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
        if self.text.is_empty() {
            self.text = range.start..range.start;
            self.has_entities = matches!(kind, TextType::Data | TextType::RCData);
        }
        self.text.end = range.end;
        self.at = range.end;
        Ok(())
    }

    /// A comment, a doctype.
    fn aside(&mut self, reported: Range<usize>) -> Result<(), Stop> {
        let range = self.place(reported);
        self.tags(range.start)?;
        self.at = range.end;
        Ok(self.balancer.aside()?)
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
        let begun = self.html.get(self.at..next).and_then(|rest| memchr(b'<', rest.as_bytes()));
        Ok(begun.map(|begun| self.at + begun))
    }

    /// What was not reported may be text of a script: after a `<!--` lol_html reports none before the next `<`, or not even then.
    fn may_hold_script(&self) -> bool {
        let held = &self.html[self.at..];
        let begins = |with: &str| held.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
        self.in_script && (!begins("<") || begins("<!") || begins("<script"))
    }

    /// Hands on text and tags before `next`, and says how many bytes are left. Beside tags there are the marks of CDATA sections; with
    /// `stops` there may be a comment that has not ended.
    fn complete_tags(&mut self, next: usize, stops: bool) -> Result<usize, Stop> {
        const NOTHING: [&str; 2] = ["<![CDATA[]]>", "</>"];
        self.flush_text()?;
        let mut rest = self.html.get(self.at..next).unwrap_or_default();
        let mut left = TAGS;
        while let Some(at) = memchr(b'<', rest.as_bytes()) {
            match SourceTag::read(&rest[at..]) {
                Beginning::Tag(tag) => {
                    rest = &rest[at + tag.source.len()..];
                    if tag.is_end {
                        self.end_tag(&tag)?;
                    } else {
                        self.start_tag(&tag)?;
                    }
                }
                Beginning::Cut => break,
                Beginning::Other if stops && !NOTHING.iter().any(|none| rest[at..].starts_with(none)) => break,
                Beginning::Other => rest = &rest[at + 1..],
            }
            left -= 1;
            if left == 0 {
                left = TAGS;
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return Err(LimitHit::Time.into());
                }
            }
        }
        Ok(rest.len())
    }

    fn start_tag(&mut self, source: &SourceTag<'_>) -> Result<(), Stop> {
        let tag = Tag::of(source.name());
        match tag {
            Tag::Html | Tag::Body => self.declared_language(source),
            Tag::Meta => self.meta(source),
            _ => {}
        }
        self.in_script = tag == Tag::Script;
        self.in_noscript = tag == Tag::Noscript;
        self.in_picture |= is_picture(source.name());
        self.in_title = tag == Tag::Title && self.title.is_none() && !self.in_picture;
        let marks = if self.page.has_marks && is_level(tag) { Marks::of(source) } else { Marks::default() };
        Ok(self.balancer.start(tag, marks, source.is_self_closing)?)
    }

    /// `</a</li>` is one tag of an odd name to the standard, but was meant as two, and is read as two.
    fn end_tag(&mut self, source: &SourceTag<'_>) -> Result<(), Stop> {
        let inside = &source.source[2..];
        if memchr(b'<', inside.as_bytes()).is_none() {
            return self.end(source.name());
        }
        for tag in inside.split("</").filter(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic())) {
            self.end(tag.split(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>').next().unwrap_or_default())?;
        }
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), Stop> {
        self.in_title = false;
        self.in_script = false;
        self.in_noscript = false;
        self.in_picture &= !is_picture(name);
        Ok(self.balancer.end(Tag::of(name))?)
    }

    fn flush_text(&mut self) -> Result<(), Stop> {
        let range = std::mem::take(&mut self.text);
        if self.in_noscript && !self.has_entities && range.len() > self.unscripted.len() {
            self.unscripted = range.clone();
        }
        let mut rest = &self.html[range];
        if self.in_title && !rest.is_empty() {
            self.title = Some(String::new());
        }
        while !rest.is_empty() {
            let (raw, after) = rest.split_at(piece(rest, TEXT));
            rest = after;
            let text = if self.has_entities { htmlize::unescape(raw) } else { raw.into() };
            if let (true, Some(title)) = (self.in_title, &mut self.title) {
                if title.len() < 2 * MAX_TITLE {
                    title.push_str(&text);
                }
            }
            self.balancer.text(&text)?;
        }
        Ok(())
    }

    fn declared_language(&mut self, tag: &SourceTag<'_>) {
        if self.page.language.is_none() {
            self.page.language = tag.attribute("lang").or_else(|| tag.attribute("xml:lang")).map(declared);
        }
    }

    fn meta(&mut self, tag: &SourceTag<'_>) {
        let Some(content) = tag.attribute("content") else { return };
        let is = |name: &str, value: &str| tag.attribute(name).is_some_and(|v| v.eq_ignore_ascii_case(value));
        if is("name", "robots") {
            for word in content.split(',').map(str::trim) {
                let is = |other: &str| word.eq_ignore_ascii_case(other);
                self.page.noindex |= is("noindex") || is("none");
                self.page.nofollow |= is("nofollow") || is("none");
            }
        } else if self.page.language.is_none() && (is("http-equiv", "content-language") || is("name", "language")) {
            self.page.language = Some(declared(content));
        }
    }

    fn into_page(mut self, mut limit: Option<LimitHit>) -> (Page, Range<usize>) {
        if let Err(Stop(hit)) = self.tags(if limit.is_none() { self.html.len() } else { self.at }) {
            limit = limit.or(Some(hit));
        }
        let (blocks, end) = self.balancer.finish();
        let title_in_head = !blocks.title.is_empty();
        let page = Page {
            title: if title_in_head { blocks.title } else { fold(&self.title.unwrap_or_default()) },
            title_in_head,
            limit: limit.or(end.err()),
            text: blocks.text,
            blocks: blocks.blocks,
            nodes: blocks.nodes,
            ..self.page
        };
        (page, self.unscripted)
    }
}

/// A declared language. Tags are short, and what is beyond a kilobyte is none.
fn declared(language: Cow<str>) -> String {
    let mut language = language.into_owned();
    cut(&mut language, 1 << 10);
    language.shrink_to_fit();
    language
}

fn is_picture(name: &str) -> bool {
    name.eq_ignore_ascii_case("svg")
}

/// How much of a text, of so many bytes at least, may be decoded apart from the rest: no entity is cut.
fn piece(text: &str, least: usize) -> usize {
    match text.as_bytes().get(least..) {
        Some(rest) => memchr3(b'&', b' ', b'\n', rest).map_or(text.len(), |at| least + at),
        None => text.len(),
    }
}

/// White space folded, not longer than [`MAX_TITLE`].
fn fold(text: &str) -> String {
    let mut folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&mut folded, MAX_TITLE);
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All that is read of a page.
    fn read_all(html: &str, pace: Pace) -> String {
        let page = read_at(html, &Limits::default(), true, pace);
        format!("{page:?}")
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

        #[test]
        fn text_is_decoded_alike_in_pieces_and_as_a_whole(text in "[a& ;#\u{e9}]{0,40}(amp|lt;|#65|#x41;|notit;)?[a& ;]{0,20}") {
            let mut pieces = String::new();
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let (raw, after) = rest.split_at(piece(rest, 2));
                pieces.push_str(&htmlize::unescape(raw));
                rest = after;
            }
            prop_assert_eq!(pieces, htmlize::unescape(text.as_str()));
        }
    }
}
