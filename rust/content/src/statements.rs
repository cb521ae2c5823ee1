//! Statements of a page about itself: `meta` elements, elements that may state a date, JSON-LD,
//! links to licences. They are collected as written, in the pass that cuts the text into blocks; this
//! crate does not interpret them.
//!
//! The only work on every element is a look at its name. A short text that may have a date is
//! stored with the class and id names around it, which are read backwards from there.

mod author;
mod day;
mod licence;
mod places;

use crate::source::SourceTag;
use crate::tags::Tag;
pub use author::{author_label, is_before_author, AUTHOR_JOINERS};
use author::{
    is_joiner, is_linked, is_of_author, item_authors, Joint, AUTHOR, MAX_AROUND_AUTHOR,
    MAX_BEHIND_HEADING, MAX_HEADINGS, MAX_LOOKED, NAMED,
};
use day::may_be_date;
use licence::{may_be_license, speaks_of_page, COMMONS, OTHER_ELEMENTS};
use memchr::{memchr, memmem};
pub(crate) use places::place;
use places::{
    around, is_elsewhere, label_before, names, text_before, value, without_tags, MAX_LABEL,
};
use std::collections::HashSet;
use std::ops::Range;

/// Largest number of statements of each kind.
const MAX_EACH: usize = 256;

/// Longest content of a `meta`, attribute or text that is stored, in bytes.
const MAX_VALUE: usize = 512;

/// Longest text that may state a date, in bytes, and in bytes of the source, where a letter may be a
/// reference (`&#x641;`).
const MAX_TEXT: usize = 200;
const MAX_ESCAPED: usize = 8 * MAX_TEXT;

/// Shortest text that states a date, in bytes: `1.1.24`.
const MIN_TEXT: usize = 6;

/// Largest number of bytes of all JSON-LD of a page.
const MAX_JSON: usize = 256 << 10;

/// Largest number of elements around a text whose names are stored.
const MAX_AROUND: usize = 3;

/// Largest number of elements around a link to a licence whose names are read.
const MAX_AROUND_LICENSE: usize = 6;

/// The statements of a page about itself, in its order, each kind up to 256.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statements {
    /// Elements `meta` with a name or property and content.
    pub metas: Vec<Meta>,
    /// Elements and short texts that may state a date.
    pub dated: Vec<Dated>,
    /// The contents of `script[type=application/ld+json]`, at most 256 KiB in all.
    pub json: Vec<String>,
    /// Links that may name the page's licence.
    pub licenses: Vec<LicenseLink>,
    /// Texts of links with `author` among the words of `rel`, and of elements with
    /// `itemprop=author`, each once.
    pub authors: Vec<String>,
    /// Texts of other links to the page of an author (`/author/amina`, `?author=7`), each once.
    pub author_pages: Vec<String>,
    /// Texts right behind the first `<h1>` that may name the author.
    pub bylines: Vec<Byline>,
    /// Positions of the first three `<h1>` elements in the source, in bytes. The first may be the
    /// name of the site.
    pub headings: Vec<usize>,
}

/// A `meta` element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    /// The value of `name`, `property`, `itemprop` or `http-equiv`, in lower case.
    pub name: String,
    /// The value of `content`, at most 512 bytes in the source.
    pub content: String,
}

/// An element or a text that may state a date.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dated {
    /// `datetime` of a `time` element, `title` of an `abbr`. Empty for a text.
    pub value: String,
    /// The text, white space folded. Empty for an element.
    pub text: String,
    /// Values of `class`, `id`, `itemprop` and `pubdate` of the element, or names and values of the
    /// elements around the text, innermost first, in lower case.
    pub names: String,
    /// The text right before a text, in elements of their own: `Updated` in `<dt>`. It ends at a
    /// number or the end of a sentence.
    pub label: String,
    /// Position in the source, in bytes.
    pub at: usize,
    /// True in comments, lists of other articles, events, menus, and footers that are not those of
    /// an article.
    pub is_elsewhere: bool,
}

/// A text that may name the author: it begins with such a word as `By`, stands behind one, or an
/// element around it is named as that of an author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Byline {
    /// The text, white space folded.
    pub text: String,
    /// Names and values of the elements around the text, innermost first, in lower case.
    pub names: String,
    /// The text right before it.
    pub label: String,
    /// True for the text of a link to the page of an author, by its address.
    pub is_linked: bool,
    /// True if only a comma or a word such as `and` is between it and the byline before it.
    pub is_joined: bool,
}

/// A link that may name the page's licence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LicenseLink {
    /// The URL, as written.
    pub url: String,
    /// True if `rel` has the word `license`.
    pub has_rel: bool,
    /// True if it speaks of the page or the site. A link in a figure, in an element named as
    /// caption, credit or comment, or in a sentence that names a picture, music, a map, a font or
    /// software first does not, and neither does one without `rel` outside a footer that no such
    /// words as "this article" are near.
    pub of_page: bool,
}

/// Collects statements from tags and texts, in the order of the page.
pub(crate) struct Collector<'h> {
    metas: Vec<(&'h str, &'h str)>,
    elements: Vec<(usize, &'h str, &'h str, String)>,
    texts: Vec<(Range<usize>, String)>,
    json: Vec<&'h str>,
    json_bytes: usize,
    /// True after the start tag of a JSON-LD script.
    in_json: bool,
    licenses: Vec<(&'h str, bool, bool)>,
    figures: usize,
    /// Texts that may be bylines, and whether each is joined to the one before.
    near: Vec<(Range<usize>, bool)>,
    /// How many texts behind the heading were looked at for a byline.
    looked: usize,
    /// True if the last of them was a word before an author.
    is_before_author: bool,
    /// The joint between a byline that was the last of them and the next text.
    joint: Joint,
    said: Statements,
}

impl<'h> Collector<'h> {
    pub(crate) fn new() -> Self {
        Collector {
            metas: Vec::new(),
            elements: Vec::new(),
            texts: Vec::new(),
            json: Vec::new(),
            json_bytes: 0,
            in_json: false,
            licenses: Vec::new(),
            figures: 0,
            near: Vec::new(),
            looked: 0,
            is_before_author: false,
            joint: Joint::None,
            said: Statements::default(),
        }
    }

    /// Handles a start tag of the source.
    pub(crate) fn start_tag(&mut self, html: &'h str, tag: &SourceTag<'h>, kind: Tag) {
        self.in_json = false;
        match kind {
            Tag::Meta => self.meta(html, tag),
            Tag::A | Tag::Link => self.link(html, tag),
            Tag::Script => self.script(tag),
            Tag::H1 if self.said.headings.len() < MAX_HEADINGS => {
                self.said.headings.push(place(html, tag.source));
                self.looked = 0;
            }
            Tag::Abbr => self.element(html, tag, "title"),
            Tag::Unknown if tag.name().eq_ignore_ascii_case("time") => {
                self.element(html, tag, "datetime")
            }
            Tag::Unknown if tag.name().eq_ignore_ascii_case("figure") => self.figures += 1,
            _ => {}
        }
    }

    /// Handles an end tag.
    pub(crate) fn end_tag(&mut self, name: &str, kind: Tag) {
        self.in_json = false;
        if kind == Tag::Unknown && name.eq_ignore_ascii_case("figure") {
            self.figures = self.figures.saturating_sub(1);
        }
    }

    /// Handles a text of markup.
    pub(crate) fn text(&mut self, html: &'h str, range: &Range<usize>) {
        self.byline(html, range);
        if !(MIN_TEXT..=MAX_ESCAPED).contains(&range.len()) || self.texts.len() >= MAX_EACH {
            return;
        }
        let text = &html[range.clone()];
        let is_date = |text: &str| text.len() <= MAX_TEXT && may_be_date(text.as_bytes());
        let may_be_date = match memchr(b'&', text.as_bytes()) {
            None => is_date(text),
            Some(_) => is_date(&htmlize::unescape(text)),
        };
        if may_be_date {
            self.texts.push((range.clone(), around(html, range.start, MAX_AROUND)));
        }
    }

    /// Stores a text behind the heading that may name the author.
    fn byline(&mut self, html: &'h str, range: &Range<usize>) {
        let Some(heading) = self.said.headings.last() else { return };
        let is_near = self.looked < MAX_LOOKED && range.start - heading <= MAX_BEHIND_HEADING;
        let text = html[range.clone()].trim();
        if !is_near || text.is_empty() {
            return;
        }
        let text = htmlize::unescape(if text.len() <= MAX_ESCAPED { text } else { "" });
        let text = text.trim();
        self.looked += 1;
        let is_behind_label = std::mem::take(&mut self.is_before_author);
        let joint = std::mem::take(&mut self.joint);
        if joint != Joint::None && is_joiner(text) {
            self.joint = Joint::Joined;
            return;
        }
        let label = author_label(text);
        let begins = label > 0;
        self.is_before_author = begins && label == text.len();
        let is_named = || {
            let tags = &html.as_bytes()[range.start.saturating_sub(MAX_AROUND_AUTHOR)..range.start];
            NAMED.iter().any(|name| name.find(tags).is_some()) || is_linked(html, range.start)
        };
        let is_joined = joint == Joint::Joined;
        let is_stored =
            is_behind_label || is_joined || begins && !self.is_before_author || is_named();
        if is_stored && text.len() <= MAX_TEXT && self.near.len() < MAX_AUTHORS {
            self.near.push((range.clone(), is_joined));
            self.joint = Joint::Possible;
        }
    }

    /// Handles the content of a script.
    pub(crate) fn script_text(&mut self, text: &'h str) {
        if std::mem::take(&mut self.in_json)
            && self.json_bytes + text.len() <= MAX_JSON
            && self.json.len() < MAX_EACH
        {
            self.json_bytes += text.len();
            self.json.push(text);
        }
    }

    fn meta(&mut self, html: &'h str, tag: &SourceTag<'h>) {
        if self.metas.len() >= MAX_EACH {
            return;
        }
        let (mut name, mut content, mut is_item) = (None, None, false);
        for (attribute, value) in tag.attributes() {
            let is = |other: &str| attribute.eq_ignore_ascii_case(other);
            match attribute.len() {
                7 if is("content") => content = content.or(Some(value)),
                4 if is("name") => name = name.or(Some(value)),
                8 if is("property") || is("itemprop") => {
                    is_item |= is("itemprop");
                    name = name.or(Some(value));
                }
                10 if is("http-equiv") => name = name.or(Some(value)),
                _ => {}
            }
        }
        if let (Some(name), Some(content)) = (name, content) {
            let fits = !content.is_empty() && content.len() <= MAX_VALUE && name.len() <= MAX_VALUE;
            if fits && !(is_item && is_elsewhere(html, place(html, tag.source))) {
                self.metas.push((name, content));
            }
        }
    }

    fn link(&mut self, html: &'h str, tag: &SourceTag<'h>) {
        if AUTHOR.find(tag.source.as_bytes()).is_some() {
            self.author(html, tag);
        }
        // Nearly all links are others. The attributes of every link would cost more than the other
        // statements together.
        if !may_be_license(tag.source.as_bytes()) {
            return;
        }
        let (mut href, mut rel) = ("", "");
        for (attribute, value) in tag.attributes() {
            if attribute.eq_ignore_ascii_case("href") {
                href = value;
            } else if attribute.eq_ignore_ascii_case("rel") {
                rel = value;
            }
        }
        let has_rel = rel.len() >= 7
            && rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("license"));
        let is_common = || COMMONS.find(href.as_bytes()).is_some();
        if href.len() > MAX_VALUE || self.licenses.len() >= MAX_EACH || !(has_rel || is_common()) {
            return;
        }
        let names = around(html, place(html, tag.source), MAX_AROUND_LICENSE);
        let is_other = self.figures > 0 || OTHER_ELEMENTS.iter().any(|name| names.contains(name));
        let of_page = !is_other && speaks_of_page(html, tag.source, has_rel, &names);
        self.licenses.push((href, has_rel, of_page));
    }

    /// Stores the text of a link to an author.
    fn author(&mut self, html: &'h str, tag: &SourceTag<'h>) {
        let rel = value(tag, "rel").unwrap_or_default();
        let is_author =
            rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("author"));
        let to_page = || value(tag, "href").is_some_and(is_of_author);
        let stored = match is_author {
            true => &mut self.said.authors,
            false if to_page() => &mut self.said.author_pages,
            false => return,
        };
        if stored.len() >= MAX_AUTHORS {
            return;
        }
        let behind = &html[place(html, tag.source) + tag.source.len()..];
        let near = &behind.as_bytes()[..behind.len().min(MAX_VALUE + "</a".len())];
        let Some(text) = memmem::find(near, b"</a").and_then(|end| behind.get(..end)) else {
            return;
        };
        let name = without_tags(text);
        if !name.is_empty() && !stored.contains(&name) {
            stored.push(name);
        }
    }

    fn script(&mut self, tag: &SourceTag<'h>) {
        for (attribute, value) in tag.attributes() {
            if attribute.eq_ignore_ascii_case("type") {
                let kind = value.split(';').next().unwrap_or_default().trim();
                self.in_json = kind.eq_ignore_ascii_case("application/ld+json");
            }
        }
    }

    /// Stores an element with the attribute that has its date.
    fn element(&mut self, html: &'h str, tag: &SourceTag<'h>, attribute: &str) {
        let found =
            value(tag, attribute).filter(|value| !value.is_empty() && value.len() <= MAX_VALUE);
        let Some(found) = found.filter(|_| self.elements.len() < MAX_EACH) else { return };
        self.elements.push((place(html, tag.source), tag.name(), found, names(tag)));
    }

    /// The statements that were collected.
    pub(crate) fn finish(self, html: &str) -> Statements {
        let unescaped = |raw: &str| htmlize::unescape_attribute(raw.trim()).into_owned();
        let metas = self.metas.into_iter();
        let metas = metas.map(|(name, content)| Meta {
            name: unescaped(name).to_ascii_lowercase(),
            content: unescaped(content),
        });
        let elements = self.elements.into_iter().map(|(at, element, value, names)| Dated {
            value: unescaped(value),
            text: String::new(),
            names: format!("{} {names}", element.to_ascii_lowercase()),
            label: label_before(html, at),
            at,
            is_elsewhere: is_elsewhere(html, at),
        });
        let texts = self.texts.into_iter().filter_map(|(range, names)| {
            let at = range.start;
            let text = htmlize::unescape(html.get(range)?);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (label, is_elsewhere) = (label_before(html, at), is_elsewhere(html, at));
            Some(Dated { value: String::new(), text, names, label, at, is_elsewhere })
        });
        let mut dated: Vec<Dated> = elements.chain(texts).collect();
        dated.sort_by_key(|dated| dated.at);
        let near = self.near.into_iter().filter(|(range, _)| !is_elsewhere(html, range.start));
        let bylines = near.filter_map(|(range, is_joined)| {
            let is_linked = is_linked(html, range.start);
            let (names, label) =
                (around(html, range.start, MAX_AROUND), text_before(html, range.start, MAX_LABEL));
            let text = htmlize::unescape(html.get(range)?);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(Byline { text, names, label, is_linked, is_joined })
        });
        let bylines = bylines.collect();
        let links = self.licenses.into_iter();
        let licenses = links.map(|(url, has_rel, of_page)| LicenseLink {
            url: unescaped(url),
            has_rel,
            of_page,
        });
        let mut said = self.said;
        said.authors.extend(item_authors(html));
        let mut seen = HashSet::new();
        said.authors.retain(|name| seen.insert(name.clone()));
        Statements {
            metas: metas.collect(),
            dated,
            json: self.json.into_iter().map(str::to_owned).collect(),
            licenses: licenses.collect(),
            bylines,
            ..said
        }
    }
}

/// Most links to authors that are stored.
const MAX_AUTHORS: usize = 16;
