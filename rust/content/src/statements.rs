//! Statements of a page about itself: `meta` elements, elements that may state a date, JSON-LD,
//! links to licences. They are collected as written, in the pass that cuts the text into blocks; this
//! crate does not interpret them.
//!
//! The only work on every element is a look at its name. A short text that may have a date is
//! stored with the class and id names around it, which are read backwards from there.

use crate::source::{Beginning, SourceTag};
use crate::tags::{Tag, EMPTY};
use memchr::{memchr, memchr2_iter, memmem, memrchr, memrchr_iter};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

/// Largest number of statements of each kind.
const MAX_EACH: usize = 256;

/// Longest content of a `meta`, attribute or text that is stored, in bytes.
const MAX_VALUE: usize = 512;

/// Most bytes of the source that are read for an element of microdata.
const MAX_PART: usize = 2048;

/// Longest text that may state a date, in bytes, and in bytes of the source, where a letter may be a
/// reference (`&#x641;`).
const MAX_TEXT: usize = 200;
const MAX_ESCAPED: usize = 8 * MAX_TEXT;

/// Shortest text that states a date, in bytes: `1.1.24`.
const MIN_TEXT: usize = 6;

/// Least number of digits of a date: `1.1.24`.
const MIN_DIGITS: u8 = 4;

/// Least number of digits of a date without other signs between them: `20240312`.
const MIN_RUN: usize = 8;

/// Largest number of bytes of all JSON-LD of a page.
const MAX_JSON: usize = 256 << 10;

/// Largest number of bytes that are read backwards for the names around a text.
const MAX_BACK: usize = 600;

/// Largest number of elements around a text whose names are stored.
const MAX_AROUND: usize = 3;

/// Largest number of elements around a link to a licence whose names are read.
const MAX_AROUND_LICENSE: usize = 6;

/// Finds links to Creative Commons. It is built once, because it is used for every link.
static COMMONS: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new("creativecommons.org/"));

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
    /// What joins the next of them to a byline.
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
        if joint != Joint::None && JOINERS.contains(&text) {
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

/// Finds links that may lead to an author.
static AUTHOR: LazyLock<memmem::Finder> = LazyLock::new(|| memmem::Finder::new("author"));

/// Finds elements that are named as those of an author, in any case: `author`, `byline`, `writer`.
static NAMED: LazyLock<[memmem::Finder; 3]> =
    LazyLock::new(|| ["uthor", "yline", "riter"].map(memmem::Finder::new));

static ITEMPROP: LazyLock<memmem::Finder> = LazyLock::new(|| memmem::Finder::new("itemprop"));

/// What is between a text and the byline before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Joint {
    /// Other text, or no byline is before it.
    #[default]
    None,
    /// Nothing yet.
    Possible,
    /// One of [`JOINERS`].
    Joined,
}

/// Texts between the links to two authors, in small letters.
const JOINERS: [&str; 25] = [
    ",", "&", "、", "，", "،", "and", ", and", "und", "et", "y", "e", "og", "och", "ja", "en", "i",
    "ve", "dan", "va", "și", "и", "та", "و", "اور", "और",
];

/// Folders of the pages of authors, in addresses: `/staff/amina-khan`.
const AUTHOR_FOLDERS: [&str; 22] = [
    "author",
    "authors",
    "autor",
    "autores",
    "autoren",
    "autori",
    "auteur",
    "auteurs",
    "avtor",
    "yazar",
    "yazarlar",
    "penulis",
    "writer",
    "writers",
    "staff",
    "editors",
    "contributor",
    "contributors",
    "columnist",
    "columnists",
    "reporter",
    "journalist",
];

/// Returns the text before a date that may be its label: behind the last sentence or number.
fn label_before(html: &str, at: usize) -> String {
    let before = text_before(html, at, MAX_LABEL);
    let ends = |c: char| c.is_numeric() || matches!(c, '.' | '!' | '?' | '|' | '۔' | '।' | '。');
    before.rsplit(ends).next().unwrap_or_default().trim().to_owned()
}

/// Whether a text is that of a link to an author's page, by the folder of its address.
fn is_linked(html: &str, at: usize) -> bool {
    let before = &html.as_bytes()[at.saturating_sub(MAX_AROUND_AUTHOR)..at];
    // A tag may be between: `<a href=...><span>`.
    let starts = memrchr_iter(b'<', before).take(2).map(|start| at - before.len() + start);
    let tags = starts.map_while(|start| match SourceTag::read(&html[start..at]) {
        Beginning::Tag(tag) if !tag.is_end => Some(tag),
        _ => None,
    });
    let mut tags = tags.filter(|tag| tag.name().eq_ignore_ascii_case("a"));
    tags.next().and_then(|tag| value(&tag, "href")).is_some_and(|href| {
        let path = href.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let (folders, name) = path.rsplit_once('/').unwrap_or_default();
        let folder = folders.rsplit('/').next().unwrap_or_default();
        is_of_author(href) || !name.is_empty() && AUTHOR_FOLDERS.contains(&folder)
    })
}

/// The names of the first elements with `itemprop=author`: of those that follow each other closely,
/// because others are authors of other articles.
fn item_authors(html: &str) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for at in
        ITEMPROP.find_iter(html.as_bytes()).filter(|at| is_author_item(html, *at)).take(MAX_EACH)
    {
        if found.last().is_some_and(|(last, _)| at - last > MAX_BACK) {
            break;
        }
        let start = at.saturating_sub(MAX_BACK);
        let start = memrchr(b'<', &html.as_bytes()[start..at]).map(|found| start + found);
        let Some(Beginning::Tag(tag)) = start.map(|at| SourceTag::read(part(html, at))) else {
            continue;
        };
        let is_person = !value(&tag, "itemtype").is_some_and(|kind| kind.ends_with("Organization"));
        let is_review = || around(html, at, MAX_ELSEWHERE).contains("review");
        if is_person
            && !is_review()
            && !tag.name().eq_ignore_ascii_case("meta")
            && !is_elsewhere(html, at)
        {
            found.extend(item_name(html, &tag).map(|name| (at, name)));
        }
    }
    found.into_iter().map(|(_, name)| name).take(MAX_AUTHORS).collect()
}

/// Whether the attribute `itemprop` at a position has the value `author`.
fn is_author_item(html: &str, at: usize) -> bool {
    let value = html[at + "itemprop".len()..].trim_start_matches(['=', '"', '\'']);
    value.as_bytes().get(..6).is_some_and(|value| value.eq_ignore_ascii_case(b"author"))
}

/// The name of a person who is an element of microdata: its property `name`, or else its text.
fn item_name(html: &str, tag: &SourceTag<'_>) -> Option<String> {
    if let Some(content) = value(tag, "content") {
        return Some(htmlize::unescape_attribute(content).into_owned());
    }
    let behind = part(html, place(html, tag.source) + tag.source.len());
    let names = ["itemprop=\"name\"", "itemprop='name'", "itemprop=name"];
    let at = names.iter().filter_map(|name| behind.find(name)).min();
    let Some(at) = at.filter(|_| value(tag, "itemscope").is_some()) else {
        return Some(without_tags(&behind[..behind.find(&format!("</{}", tag.name()))?]));
    };
    let start = behind[..at].rfind('<')?;
    let Beginning::Tag(inner) = SourceTag::read(&behind[start..]) else { return None };
    let text = behind[start + inner.source.len()..].split("</").next().unwrap_or_default();
    let name = value(&inner, "content").unwrap_or(text);
    Some(htmlize::unescape(name).into_owned())
}

/// The source from a position on, at most [`MAX_PART`] bytes.
fn part(html: &str, at: usize) -> &str {
    let end = (at..=html.len().min(at + MAX_PART)).rfind(|end| html.is_char_boundary(*end));
    &html[at..end.unwrap_or(at)]
}

/// Returns true for the address of an author's page.
fn is_of_author(href: &str) -> bool {
    ["/author/", "/authors/", "?author="]
        .iter()
        .any(|part| href.split_once(part).is_some_and(|(_, name)| !name.is_empty()))
}

/// Most headings that may be that of the article.
const MAX_HEADINGS: usize = 3;

/// Most texts behind a heading that may name the author, and largest distance from it in bytes.
const MAX_LOOKED: usize = 48;
const MAX_BEHIND_HEADING: usize = 6000;

/// Bytes of the source before a text in which an element may be named as that of an author.
const MAX_AROUND_AUTHOR: usize = 300;

/// The labels of `data/author-words.txt`, and whether a colon must follow, by their first letter.
static AUTHOR_LABELS: LazyLock<HashMap<char, Vec<(&str, bool)>>> = LazyLock::new(|| {
    let mut all: HashMap<char, Vec<(&str, bool)>> = HashMap::new();
    let lines = include_str!("../data/author-words.txt").lines();
    for (language, labels) in lines.filter_map(|line| line.split_once('\t')) {
        for label in labels.split('|') {
            let first = label.chars().next().unwrap_or_default();
            all.entry(first).or_default().push((label, language.ends_with(':')));
        }
    }
    all
});

/// Signs behind a label.
const COLONS: [char; 4] = [':', '：', '՝', '/'];

/// Returns the length in bytes of the label before an author that a text begins with, in any case
/// and with the colon and spaces behind it: 3 for `By Amina Khan`. 0 if it begins with none.
pub fn author_label(text: &str) -> usize {
    let length = |(label, needs_colon): &(&str, bool)| {
        let mut chars = text.chars();
        let is_same = label.chars().all(|small| {
            chars.next().is_some_and(|c| c == small || c.to_lowercase().eq(Some(small)))
        });
        let behind = chars.as_str();
        let rest = behind.trim_start();
        let ends = rest.len() < behind.len() || rest.is_empty() || rest.starts_with(COLONS);
        (is_same && ends && (rest.starts_with(COLONS) || !needs_colon)).then(|| {
            text.len()
                - rest.trim_start_matches(|c: char| c.is_whitespace() || COLONS.contains(&c)).len()
        })
    };
    let first = text.chars().next().and_then(|first| first.to_lowercase().next());
    let labels = first.and_then(|first| AUTHOR_LABELS.get(&first)).into_iter().flatten();
    labels.filter_map(length).max().unwrap_or_default()
}

/// Returns true for a word before the name of an author, in any case.
pub fn is_before_author(word: &str) -> bool {
    !word.is_empty() && author_label(word) == word.len()
}

/// Bytes of the source in which the label of a date is searched, and the words around a licence.
const MAX_LABEL: usize = 160;
const MAX_CONTEXT: usize = 600;

/// Most bytes of text before and behind a link that may say what a licence is of.
const MAX_SAID: usize = 160;

/// Parts of the names of elements whose licences are not that of the page.
const OTHER_ELEMENTS: [&str; 8] =
    ["caption", "credit", "comment", "embed", "tweet", "related", "teaser", "gallery"];

/// Names of elements in which a site states its licence.
const FOOTERS: [&str; 4] = ["footer", "copyright", "licen", "colophon"];

/// Words around a link that say what a licence is of.
struct LicenseWords {
    own: Vec<&'static str>,
    weak: Vec<&'static str>,
    other: Vec<&'static str>,
    none: Vec<&'static str>,
    label: Vec<&'static str>,
}

static LICENSE_WORDS: LazyLock<LicenseWords> = LazyLock::new(|| {
    let of = |kind: &str| {
        let lines = include_str!("../data/licence-words.txt").lines();
        let lines = lines.filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
        lines.flat_map(|line| line.split('|')).collect()
    };
    let (own, weak, other) = (of("own"), of("weak"), of("other"));
    LicenseWords { own, weak, other, none: of("none"), label: of("label") }
});

/// The place of the first of some words in a text in lower case.
fn first_of(text: &str, words: &[&str]) -> Option<usize> {
    let find = |word: &&str| {
        let anywhere = word.strip_prefix('*');
        let word = anywhere.unwrap_or(word);
        let has_case = word.chars().next().is_some_and(char::is_lowercase);
        let begins = |at: &usize| {
            let before = text[..*at].chars().next_back();
            anywhere.is_some() || !has_case || !before.is_some_and(char::is_alphabetic)
        };
        text.match_indices(word).map(|(at, _)| at).find(begins)
    };
    words.iter().filter_map(find).min()
}

/// Words that deny a licence if they are among the last words before a link to it. Names of
/// licences (`Nicht kommerziell`) and exceptions (`sofern nicht anders angegeben`) have them too.
const NOT: &str =
    " not cannot never nicht kein keine keiner keinem keinen niemals ne jamais não nunca \
    nie nije není niet geen ikke inte не нет değil tidak bukan không لا ليس ليست نہیں نیست नहीं নয় ";
const NO_DENIALS: &str = "but not|aber nicht|mas não|но не|not otherwise|do not sell|not for commercial|nicht ander|soweit nicht|nicht kommerz|\
    keine bearbeitung|не указано|не оговорено|не зазначено|не вказано|nie zaznaczono|nie podano|\
    nije dru|niet anders|ikke annet|ikke andet|inte annat|não indicad|tidak dinyatakan|không có ghi";

/// Most words before a link that may deny its licence.
const MAX_DENIED: usize = 8;

/// Parts of sentences that speak of a licence or of other works, and claim nothing for the page.
const NO_CLAIMS: &str = "*n't |*n’t |no está|no es |no se |no puede|non è|non sono|non può|n'est|n’est|\
    unlike|what|explain|is about|are about|compar|discuss|listening|track|links to|works under|\
    third part|third-part|until |used to |formerly|author of this|authors of this|*erklär|*erläuter|\
    *vergleich|handelt von|geht es um|expliqu|traite d|explica|qué es|trata de|spiega|объясня|поясн|\
    сравн|рассказыв|что такое|açıkla|karşılaştır|menjelaskan|wyjaśni|uitleg|يشرح|توضیح|وضاحت|समझा|\
    解説|説明|介绍|解释|설명|不是|并非|不采用|ありません|ではない|않|아니|comments on|comments are|\
    comments in|user comments|kommentare |commentaires |comentarios |comentários |комментари|yorumlar|\
    تبصر|تعليقات|टिप्पणि|মন্তব্য|コメント|评论|댓글";

/// Beginnings of sentences that say what is done in the page.
const IN_PAGE: &str =
    "in this |in diesem |in dieser |dans cet|dans ce |en este |en esta |neste |nesta |in questo |\
    in questa |в этой |в этом |w tym |in dit ";

/// Parts of the sentence behind a link that deny the licence. In many languages the verb is last.
const NOT_BEHIND: &str =
    "not apply|no longer|until |gilt nicht|nicht für|*applique pas|no se aplica|\
    não se aplica|non si applica|не применя|не распростран|değil|नहीं है|नहीं हैं|نہیں ہے|نہیں ہیں|نیست|\
    নয়|ありません|ではない|않|아니|explained|ours is not";

/// Reservations of all rights, which contradict a licence beside them.
const RESERVED: &str = "all rights reserved|alle rechte vorbehalten|tous droits réservés|tous les droits|\
    todos los derechos reservados|todos os direitos reservados|tutti i diritti riservati|\
    все права защищены|всі права захищені|усі права захищені|tüm hakları saklıdır|جميع الحقوق محفوظة|\
    جملہ حقوق|تمام حقوق|تمامی حقوق|सर्वाधिकार सुरक्षित|সর্বস্বত্ব|hak cipta dilindungi|版权所有|版權所有";

/// What joins another work to the page in one claim: `This article and its photos`.
const JOINED: &str = " and | & | und | et | y | e | и | та | ve | dan | och | og | en | i | ja | và | na |\
    includ| inkl| einschl| samt | incl| incluye| включ| compris|, with |, mit |, avec |, con |, com |\
    , с |but not|aber nicht|pero no|mas não|mais pas|ma non|но не| و| اور | और | ও |和|及|与|與|と|および|및|과 |와 ";

/// Most words from the name of the page to another work that is joined to it.
const MAX_JOINED: usize = 5;

/// Returns the words of a table.
fn table(words: &'static str) -> Vec<&'static str> {
    words.split('|').collect()
}

/// Whether the words around a link deny the licence, or only speak of it. `rest` is the sentence
/// behind the link, `said` all text near it.
fn is_denied(sentence: &str, rest: &str, said: &str) -> bool {
    let plain = NO_DENIALS.split('|').fold(sentence.to_owned(), |text, no| text.replace(no, " "));
    let mut last = plain.split_whitespace().rev().take(MAX_DENIED);
    let is_not = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphabetic());
        !word.is_empty() && NOT.split(' ').any(|not| not == word)
    };
    last.any(is_not)
        || first_of(sentence, &table(NO_CLAIMS)).is_some()
        || IN_PAGE.split('|').any(|start| sentence.trim_start().starts_with(start))
        || first_of(rest, &table(NOT_BEHIND)).is_some()
        || first_of(said, &table(RESERVED)).is_some()
}

/// Whether another work that is named behind the page is claimed with it: it is listed or joined by
/// `and` within a few words. Without that the licence is that of the other work, such as `this
/// article uses photos` or, in languages whose noun is last, `この記事の写真`.
fn is_joined(sentence: &str, other: usize) -> bool {
    let before = &sentence[..other];
    let own = &LICENSE_WORDS.own;
    let last = own.iter().filter_map(|own| before.rfind(own)).max().unwrap_or(0);
    let between = &before[last..];
    between.split_whitespace().count() <= MAX_JOINED
        && (between.trim_end().ends_with([',', '،', '、'])
            || JOINED.split('|').any(|word| between.contains(word)))
}

/// Whether a sentence is about the page: it names the page or the site before anything else, and
/// other works only together with it. `None` if it names neither.
fn is_of_page(sentence: &str) -> Option<bool> {
    let words = &*LICENSE_WORDS;
    match (first_of(sentence, &words.own), first_of(sentence, &words.other)) {
        (None, None) => None,
        (Some(own), Some(other)) => Some(own < other && is_joined(sentence, other)),
        (own, _) => Some(own.is_some()),
    }
}

/// Whether a link has the name of another work right behind it: `CC BY photos`.
fn is_of_other(rest: &str) -> bool {
    first_of(rest, &LICENSE_WORDS.other).is_some_and(|at| {
        let name = &rest[..at];
        name.split_whitespace().count() <= 2 && !name.contains([',', ';', ':', '(', '–', '-'])
    })
}

/// Whether a sentence before a link is a credit, in whatever language: a label of up to four words
/// and a name, such as `Cover art: A. Writer,`.
fn is_credit(sentence: &str) -> bool {
    let Some((label, name)) = sentence.split_once([':', '：', '፦']) else { return false };
    let words = label.split_whitespace().count();
    (1..=4).contains(&words)
        && name.chars().filter(|c| c.is_alphabetic()).count() > 1
        && first_of(label, &LICENSE_WORDS.label).is_none()
}

/// The places behind the ends of sentences, and of items of a footer.
fn sentence_ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.char_indices().filter_map(|(at, c)| {
        let end = at + c.len_utf8();
        let is_end = match c {
            '!' | '?' | '。' | '।' | '؟' | '۔' | '·' | '|' | '•' => true,
            // An initial or a number ends no sentence.
            '.' => {
                let before = text[..at].trim_end();
                let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
                let word = word.unwrap_or_default();
                text[end..].starts_with(' ')
                    && word.chars().count() > 1
                    && !word.chars().all(char::is_numeric)
            }
            _ => false,
        };
        is_end.then_some(end)
    })
}

/// Returns whether a link to a licence speaks of the page or the site: by the sentence around it,
/// or else by the words near it and by the place of the link.
fn speaks_of_page(html: &str, tag: &str, has_rel: bool, names: &str) -> bool {
    let words = &*LICENSE_WORDS;
    let at = place(html, tag);
    let text = |text: String| {
        let text = text.to_lowercase();
        words.none.iter().fold(text, |text, none| text.replace(none, " "))
    };
    let before = text(text_before(html, at, MAX_CONTEXT));
    let start = before.char_indices().rev().map(|(start, _)| start);
    let start = start.take_while(|start| before.len() - start <= MAX_SAID).last().unwrap_or(0);
    let before = &before[start..];
    let behind = text(text_behind(html, at + tag.len(), MAX_CONTEXT));
    let behind: String = behind.chars().take(MAX_SAID / 2).collect();
    let sentence = &before[sentence_ends(before).last().unwrap_or(0)..];
    let rest = &behind[..sentence_ends(&behind).next().unwrap_or(behind.len())];
    if is_denied(sentence, rest, &format!("{before} {behind}")) {
        return false;
    }
    // `This article is under CC BY, photos are not` names another work behind the link.
    let of_page = is_of_page(sentence).map(|of_page| of_page && !is_of_other(rest));
    if let Some(of_page) = of_page.or_else(|| is_of_page(rest)) {
        return of_page;
    }
    if is_credit(sentence) {
        return false;
    }
    let said = format!("{before} {rest}");
    let has = |words: &[&str]| first_of(&said, words).is_some();
    let in_footer = FOOTERS.iter().any(|name| names.contains(name));
    !has(&words.other) && (has(&words.own) || has(&words.weak) || has_rel || in_footer)
}

/// The text within some bytes of the source before a position, without tags.
fn text_before(html: &str, at: usize, most: usize) -> String {
    let mut start = at.saturating_sub(most);
    while !html.is_char_boundary(start) {
        start += 1;
    }
    let part = html.get(start..at).unwrap_or_default();
    // A tag that begins before the part.
    let part = match (part.find('>'), part.find('<')) {
        (Some(end), Some(begin)) if end < begin => &part[end + 1..],
        (Some(end), None) => &part[end + 1..],
        _ => part,
    };
    without_tags(part)
}

/// The text within some bytes of the source behind a position, without tags, up to the end of its
/// block.
fn text_behind(html: &str, at: usize, most: usize) -> String {
    let mut end = html.len().min(at + most);
    while !html.is_char_boundary(end) {
        end -= 1;
    }
    let part = html.get(at..end).unwrap_or_default();
    let end = part.match_indices('<').map(|(at, _)| at).find(|at| is_end(&part[at + 1..]));
    without_tags(&part[..end.unwrap_or(part.len())])
}

/// End tags behind which a text has nothing to do with the one before.
const ENDS: [&str; 12] = [
    "/h1", "/h2", "/h3", "/h4", "/p", "/ul", "/ol", "/nav", "/table", "/script", "/style",
    "/article",
];

/// Whether what follows a `<` is such an end tag.
fn is_end(tag: &str) -> bool {
    let name = tag.split(['>', ' ']).next().unwrap_or_default();
    ENDS.iter().any(|end| name.eq_ignore_ascii_case(end))
}

/// The words of a part of the source.
fn without_tags(part: &str) -> String {
    let mut text = String::new();
    let mut pieces = part.split('<');
    text.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        if is_end(piece) {
            text.clear();
        }
        text.push(' ');
        text.push_str(piece.split_once('>').map_or("", |(_, text)| text));
    }
    let text = htmlize::unescape(text.as_str());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true if a tag may be a link to a licence: it has `license` in any case, or the address
/// of Creative Commons.
fn may_be_license(tag: &[u8]) -> bool {
    const LICENSE: &[u8] = b"license";
    // `c` is rarer in tags than the other letters. It is the third of the word.
    let has_word = memchr2_iter(b'c', b'C', tag).any(|at| {
        let word = at.checked_sub(2).and_then(|at| tag.get(at..at + LICENSE.len()));
        word.is_some_and(|word| word.eq_ignore_ascii_case(LICENSE))
    });
    has_word || COMMONS.find(tag).is_some()
}

/// The value of an attribute as written.
fn value<'h>(tag: &SourceTag<'h>, name: &str) -> Option<&'h str> {
    tag.attributes().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Values of the attributes that name an element, in lower case.
fn names(tag: &SourceTag<'_>) -> String {
    let mut names = String::new();
    for (attribute, value) in tag.attributes() {
        let is = |other: &str| attribute.eq_ignore_ascii_case(other);
        if is("class") || is("id") || is("itemprop") || is("itemtype") || is("pubdate") {
            if is("pubdate") {
                names.push_str("pubdate ");
            }
            names.extend(value.chars().take(MAX_TEXT).map(|c| c.to_ascii_lowercase()));
            names.push(' ');
        }
    }
    names
}

/// Position of a part of the source in it; 0 if it is no part of it.
pub(crate) fn place(html: &str, part: &str) -> usize {
    (part.as_ptr() as usize)
        .checked_sub(html.as_ptr() as usize)
        .filter(|at| *at <= html.len())
        .unwrap_or(0)
}

/// Names of the elements around a position and their classes, innermost first. Tags are read
/// backwards; an element that ended before the position is skipped. `most` is the number of
/// elements; the body is none of them.
fn around(html: &str, at: usize, most: usize) -> String {
    let mut found = String::new();
    let bytes = html.as_bytes();
    let least = at.saturating_sub(MAX_BACK);
    let (mut end, mut closed, mut elements) = (at, 0u32, 0);
    while let Some(start) = memrchr(b'<', &bytes[least..end]).map(|start| least + start) {
        end = start;
        let Beginning::Tag(tag) = SourceTag::read(&html[start..at]) else { continue };
        let kind = Tag::of(tag.name());
        if kind.is(EMPTY) || tag.is_self_closing {
            continue;
        }
        if tag.is_end {
            closed += 1;
            continue;
        }
        if closed > 0 {
            closed -= 1;
            continue;
        }
        if tag.name().eq_ignore_ascii_case("body") {
            break;
        }
        found.push_str(&tag.name().to_ascii_lowercase());
        found.push(' ');
        found.push_str(&names(&tag));
        elements += 1;
        if elements == most {
            break;
        }
    }
    found
}

/// Beginnings of names of elements that have dates and authors of something else.
const ELSEWHERE: [&str; 12] = [
    "comment",
    "related",
    "event",
    "recommend",
    "recent",
    "popular",
    "upcoming",
    "sidebar",
    "infobox",
    "when",
    "deadline",
    "more-",
];

/// Parts of names of elements that have the day or the author of the article beside it.
const OF_ARTICLE: [&str; 4] = ["meta", "date", "author", "byline"];

/// Parts of short headings of such sections.
const ELSEWHERE_HEADINGS: [&str; 14] = [
    "event",
    "upcoming",
    "related",
    "also like",
    "comments",
    "read more",
    "read also",
    "popular",
    "see also",
    "more news",
    "veranstaltungen",
    "termine",
    "mehr zum thema",
    "mehr lesen",
];

/// Largest number of elements around a text that may be part of something else, and most words of
/// the heading of such a section.
const MAX_ELSEWHERE: usize = 6;
const MAX_HEADING: usize = 4;

/// Whether a position is in comments, other articles, events, a menu or the footer of the site.
fn is_elsewhere(html: &str, at: usize) -> bool {
    let names = around(html, at, MAX_ELSEWHERE);
    let mut is_footer = false;
    for name in names.split_ascii_whitespace() {
        match name {
            // A footer or an aside in an article may have the day of the article.
            "article" => is_footer = false,
            "footer" | "aside" => is_footer = !OF_ARTICLE.iter().any(|name| names.contains(name)),
            "nav" | "more" => return true,
            _ if name.ends_with("event")
                || ELSEWHERE.iter().any(|other| name.starts_with(other)) =>
            {
                return true
            }
            _ => {}
        }
    }
    is_footer
        || heading_before(html, at)
            .is_some_and(|heading| ELSEWHERE_HEADINGS.iter().any(|other| heading.contains(other)))
}

/// The text of the last `h2` to `h4` before a position, in lower case, if it is near and short and
/// its section has not ended.
fn heading_before(html: &str, at: usize) -> Option<String> {
    let mut least = at.saturating_sub(MAX_BACK);
    while !html.is_char_boundary(least) {
        least += 1;
    }
    let part = html.get(least..at)?;
    let end = ["</h1", "</h2", "</h3", "</h4"].iter().filter_map(|tag| part.rfind(tag)).max()?;
    let start = part[..end].rfind(&format!("<{}", &part[end + 2..end + 4]))?;
    let count = |tags: [&str; 2]| tags.iter().map(|tag| part[end..].matches(tag).count()).sum();
    let (opened, closed): (usize, usize) =
        (count(["<div", "<section"]), count(["</div", "</section"]));
    let text = without_tags(&part[start..end]).to_lowercase();
    let is_section = !part[end..].starts_with("</h1") && closed <= opened;
    (is_section && text.split(' ').count() <= MAX_HEADING).then_some(text)
}

/// First byte of Hebrew letters.
const HEBREW: u8 = 0xd7;

/// Returns true if a text of at most [`MAX_TEXT`] bytes may have a date: four ASCII digits, as
/// characters or in references, in two numbers or in a long one; a digit of another script; or the
/// letters of a Hebrew year.
fn may_be_date(text: &[u8]) -> bool {
    if memchr(HEBREW, text).is_some() && memmem::find(text, "תש".as_bytes()).is_some() {
        return true;
    }
    // No early end and no branch, so that many bytes are compared at a time. The sum fits, because
    // the text is short.
    let digits =
        text.iter().fold(0u8, |sum, byte| sum.wrapping_add(u8::from(byte.is_ascii_digit())));
    if digits >= MIN_DIGITS {
        return has_numbers(text) || has_other_digits(text) || has_first(text);
    }
    has_other_digits(text)
}

/// Returns true if a text has the word for the first day of a month, which stands for its number.
fn has_first(text: &[u8]) -> bool {
    ["یکم", "يكم"].iter().any(|word| memmem::find(text, word.as_bytes()).is_some())
}

/// Returns true if a text has two numbers in ASCII digits, or one of eight digits.
fn has_numbers(text: &[u8]) -> bool {
    let mut numbers = text.split(|byte| !byte.is_ascii_digit()).filter(|run| !run.is_empty());
    numbers.next().is_some_and(|first| first.len() >= MIN_RUN) || numbers.next().is_some()
}

/// Returns true if a text has a digit of another script than Latin.
fn has_other_digits(text: &[u8]) -> bool {
    // Lead bytes of characters from U+0640 on; most texts in Latin script have none.
    if text.iter().fold(0, |most, byte| most.max(*byte)) < 0xd9 {
        return false;
    }
    text.windows(3).any(|bytes| match bytes {
        [0xd9, 0xa0..=0xa9, _] | [0xdb, 0xb0..=0xb9, _] => true,
        // Digits of the scripts of India, Thai, Lao, Tibetan.
        [0xe0, _, 0xa6..=0xaf | 0x90..=0x99 | 0xa0..=0xa9] => true,
        // Myanmar, Khmer, Mongolian, Ol Chiki and their neighbours; fullwidth digits.
        [0xe1, 0x81 | 0x82 | 0x9f | 0xa0 | 0xb1, _] | [0xef, 0xbc, 0x90..=0x99] => true,
        // Digits beyond the Basic Multilingual Plane: Adlam, Chakma and others.
        [0xf0, 0x90 | 0x91 | 0x96 | 0x9e, _] => true,
        _ => false,
    })
}
