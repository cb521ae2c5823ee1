//! What a crawler needs of a page besides its text: links, alternates, feeds, refresh and robots directives.
//!
//! The elements and attributes are those of the HTML standard. Links are collected in the same pass that cuts the text into blocks
//! ([`crate::reader`]). A crawler runs no scripts, so `<noscript>` counts.

use crate::source::SourceTag;
use crate::tags::{Tag, EMPTY};
use encoding_rs::{Encoding, UTF_8};
use foldhash::fast::RandomState;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Most characters of an anchor text.
const MAX_ANCHOR: usize = 100;

/// Most characters of an `hreflang` value.
const MAX_LANGUAGE: usize = 64;

/// An attribute that is this many times longer than the longest URL is not decoded: entities make a URL longer, but not so much.
const MAX_ENCODED: usize = 8;

/// What to collect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkOptions<'a> {
    /// The page's URL. Without it, and without a `<base>`, only absolute links are found.
    pub url: Option<&'a str>,
    /// The page's encoding, which queries of URLs are written in. UTF-8 if it is not a WHATWG name.
    pub charset: &'a str,
    /// Values of the HTTP header X-Robots-Tag, one a line.
    pub robots_header: Option<&'a str>,
    /// Most links, most alternates and most feeds.
    pub max_links: usize,
    /// Longest URL, bytes; longer ones are left out.
    pub max_url_bytes: usize,
}

impl Default for LinkOptions<'_> {
    /// 5,000 links of 2,048 bytes.
    fn default() -> Self {
        LinkOptions { url: None, charset: "utf-8", robots_header: None, max_links: 5000, max_url_bytes: 2048 }
    }
}

/// A link to another page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Link {
    /// Where it leads: http or https, without a fragment.
    pub url: String,
    /// Its text with white space folded, at most 100 characters; empty for frames and areas.
    pub anchor: String,
    /// What `rel` says in every link of the page to this URL.
    pub rel: Rel,
}

/// What a link's `rel` says of its target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rel {
    /// The page does not endorse it.
    pub nofollow: bool,
    /// Users wrote it.
    pub ugc: bool,
    /// Somebody paid for it.
    pub sponsored: bool,
}

impl Rel {
    fn of(value: &str) -> Self {
        let mut rel = Rel::default();
        // Commas are no separators in the standard, but authors use them.
        for word in value.split(|c: char| c.is_ascii_whitespace() || c == ',') {
            rel.nofollow |= word.eq_ignore_ascii_case("nofollow");
            rel.ugc |= word.eq_ignore_ascii_case("ugc");
            rel.sponsored |= word.eq_ignore_ascii_case("sponsored");
        }
        rel
    }

    fn and(self, other: Self) -> Self {
        Rel {
            nofollow: self.nofollow && other.nofollow,
            ugc: self.ugc && other.ugc,
            sponsored: self.sponsored && other.sponsored,
        }
    }
}

/// The same page in another language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternate {
    /// Value of `hreflang` in lower case, at most 64 characters.
    pub language: String,
    /// Where it is.
    pub url: String,
}

/// Where a page sends its reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// Seconds until then.
    pub seconds: u32,
    /// Where to; it may be the page itself.
    pub url: String,
}

/// The links of a page. All URLs are absolute, http or https, normalized as the WHATWG URL standard has it, and have no fragment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// What relative URLs are resolved against: the first `<base href>`, else the page's URL.
    pub base: Option<String>,
    /// `a[href]`, `area[href]`, `frame[src]`, `iframe[src]` in the page's order, each URL once.
    pub links: Vec<Link>,
    /// `link[rel=alternate][hreflang]`, each once.
    pub alternates: Vec<Alternate>,
    /// `link[rel=alternate]` of type RSS or Atom, each once.
    pub feeds: Vec<String>,
    /// The first `link[rel=canonical]`.
    pub canonical: Option<String>,
    /// The first `meta[http-equiv=refresh]` that the standard accepts.
    pub refresh: Option<Refresh>,
    /// Robots directives say `noindex` or `none`.
    pub noindex: bool,
    /// Robots directives say `nofollow` or `none`.
    pub nofollow: bool,
    /// Robots directives say `noarchive`, or a `meta[http-equiv=pragma]` says `no-cache`.
    pub noarchive: bool,
    /// There are more links, alternates or feeds than were asked for.
    pub too_many: bool,
    /// The page was not read to its end.
    pub unread: bool,
}

impl Links {
    /// The links of a page that is not read: what the header says.
    pub fn unread(options: &LinkOptions<'_>) -> Self {
        Links { unread: true, ..Collector::new(options).finish() }
    }

    fn directive(&mut self, word: &str) {
        let is = |directive: &str| word.eq_ignore_ascii_case(directive);
        self.noindex |= is("noindex") || is("none");
        self.nofollow |= is("nofollow") || is("none");
        self.noarchive |= is("noarchive");
    }

    /// The directives of a robots meta tag. Those with a value (`max-snippet: 0`, `max-image-preview: none`) say nothing to a
    /// crawler.
    fn directives(&mut self, content: &str) {
        for part in content.split([',', ';']).filter(|part| !part.contains(':')) {
            part.split_whitespace().for_each(|word| self.directive(word));
        }
    }

    /// The directives of X-Robots-Tag headers. Those behind the name of a crawler are for that crawler, up to the end of the header.
    fn header(&mut self, headers: &str) {
        for header in headers.lines() {
            for part in header.split(',') {
                match part.split_once(':') {
                    Some((name, _)) if names_crawler(name.trim()) => break,
                    Some(_) => {}
                    None => self.directives(part),
                }
            }
        }
    }
}

/// Whether what stands before a colon names a crawler, and is no directive with a value nor part of a time.
fn names_crawler(name: &str) -> bool {
    const WITH_VALUE: [&str; 4] = ["max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"];
    !name.contains(char::is_whitespace) && !WITH_VALUE.iter().any(|directive| name.eq_ignore_ascii_case(directive))
}

/// A link whose target may have to be resolved again.
struct Found<'h> {
    /// As written in the page.
    href: &'h str,
    anchor: String,
    rel: Rel,
}

/// Collects links from tags and texts in their order.
pub(crate) struct Collector<'h> {
    max_links: usize,
    max_url_bytes: usize,
    encoding: &'static Encoding,
    /// What URLs are resolved against so far.
    base: Option<Url>,
    /// The page's own URL.
    page: Option<Url>,
    seen_base: bool,
    found: Vec<Found<'h>>,
    /// By URL, where in `found` it is.
    places: HashMap<String, usize, RandomState>,
    anchor: Option<Anchor>,
    alternates: Vec<(String, &'h str)>,
    feeds: Vec<&'h str>,
    canonical: Option<&'h str>,
    refresh: Option<(u32, String)>,
    links: Links,
}

/// A text that is being read.
struct Anchor {
    /// Its link in [`Collector::found`].
    at: usize,
    /// Characters that it may yet have.
    left: usize,
    /// A blank is due before the next character.
    gap: bool,
    /// Open elements within it that part text.
    depth: usize,
}

impl<'h> Collector<'h> {
    pub(crate) fn new(options: &LinkOptions<'_>) -> Self {
        let mut links = Links::default();
        links.header(options.robots_header.unwrap_or_default());
        let page = options.url.and_then(|url| Url::parse(url).ok()).and_then(page_url);
        Collector {
            max_links: options.max_links,
            max_url_bytes: options.max_url_bytes,
            encoding: Encoding::for_label(options.charset.as_bytes()).unwrap_or(UTF_8).output_encoding(),
            base: page.clone(),
            page,
            seen_base: false,
            found: Vec::new(),
            places: HashMap::default(),
            anchor: None,
            alternates: Vec::new(),
            feeds: Vec::new(),
            canonical: None,
            refresh: None,
            links,
        }
    }

    /// Whether text that comes now belongs to a link.
    pub(crate) fn is_in_anchor(&self) -> bool {
        self.anchor.is_some()
    }

    /// A part of the page is not read.
    pub(crate) fn skips(&mut self) {
        self.links.unread = true;
    }

    /// Text with entities decoded.
    pub(crate) fn text(&mut self, text: &str) {
        let Some(anchor) = &mut self.anchor else { return };
        let to = &mut self.found[anchor.at].anchor;
        for c in text.chars() {
            if c.is_whitespace() {
                anchor.gap = true;
                continue;
            }
            // Zero width space and soft hyphen are hints for line breaks.
            if matches!(c, '\u{200b}' | '\u{ad}') {
                continue;
            }
            if std::mem::take(&mut anchor.gap) && !to.is_empty() {
                if anchor.left < 2 {
                    anchor.left = 0;
                } else {
                    to.push(' ');
                    anchor.left -= 1;
                }
            }
            if anchor.left == 0 {
                self.anchor = None;
                return;
            }
            to.push(c);
            anchor.left -= 1;
        }
    }

    pub(crate) fn end_tag(&mut self, name: &str, tag: Tag) {
        if tag == Tag::A {
            self.anchor = None;
        }
        let Some(anchor) = &mut self.anchor else { return };
        if tag == Tag::Br {
            anchor.gap = true;
        } else if parts_text(name, tag) {
            anchor.gap = true;
            match anchor.depth.checked_sub(1) {
                Some(depth) => anchor.depth = depth,
                // What is around the link ends, so its own end tag is missing.
                None => self.anchor = None,
            }
        }
    }

    pub(crate) fn start_tag(&mut self, source: &SourceTag<'h>, tag: Tag) {
        match tag {
            Tag::A => {
                self.anchor = None;
                let [href, rel] = values(source, ["href", "rel"]);
                self.anchor = href.and_then(|href| self.link(href, rel));
            }
            Tag::Area => {
                let [href, rel] = values(source, ["href", "rel"]);
                let _ = href.and_then(|href| self.link(href, rel));
            }
            Tag::Frame | Tag::Iframe => {
                let [src, rel] = values(source, ["src", "rel"]);
                let _ = src.and_then(|src| self.link(src, rel));
            }
            Tag::Base => {
                let [href] = values(source, ["href"]);
                if let Some(href) = href {
                    self.base(href);
                }
            }
            Tag::Link => self.relation(source),
            Tag::Meta => self.meta(source),
            _ => {}
        }
        let Some(anchor) = &mut self.anchor else { return };
        if tag == Tag::Br {
            anchor.gap = true;
        } else if parts_text(source.name(), tag) {
            anchor.gap = true;
            let is_empty = tag.is(EMPTY) || tag == Tag::Unknown && source.is_self_closing;
            anchor.depth += usize::from(!is_empty);
        }
    }

    /// A link, and its text if that is to be read.
    fn link(&mut self, href: &'h str, rel: Option<&'h str>) -> Option<Anchor> {
        let url = self.resolve(href)?;
        let rel = rel.map_or(Rel::default(), |rel| Rel::of(&htmlize::unescape_attribute(rel)));
        let at = match self.places.get(&url) {
            Some(&at) => {
                let known = &mut self.found[at];
                match (known.rel.nofollow, rel.nofollow) {
                    (true, false) => known.anchor.clear(),
                    // A text of a link that is not to be followed does not describe one that is.
                    (false, true) => {
                        known.rel = known.rel.and(rel);
                        return None;
                    }
                    _ => {}
                }
                known.rel = known.rel.and(rel);
                at
            }
            None if self.found.len() >= self.max_links => {
                self.links.too_many = true;
                return None;
            }
            None => {
                self.places.insert(url, self.found.len());
                self.found.push(Found { href, anchor: String::new(), rel });
                self.found.len() - 1
            }
        };
        self.found[at].anchor.is_empty().then_some(Anchor { at, left: MAX_ANCHOR, gap: false, depth: 0 })
    }

    /// The first `<base href>` of a page holds for all of it; it may come late.
    fn base(&mut self, href: &'h str) {
        if std::mem::replace(&mut self.seen_base, true) {
            return;
        }
        let Some(base) = self.resolved(href).filter(|base| Some(base) != self.base.as_ref()) else { return };
        self.base = Some(base);
        if self.found.is_empty() {
            return;
        }
        self.anchor = None;
        self.places.clear();
        for found in std::mem::take(&mut self.found) {
            let Some(url) = self.resolve(found.href) else { continue };
            match self.places.get(&url) {
                Some(&at) => self.found[at].rel = self.found[at].rel.and(found.rel),
                None => {
                    self.places.insert(url, self.found.len());
                    self.found.push(found);
                }
            }
        }
    }

    /// A `<link>`.
    fn relation(&mut self, source: &SourceTag<'h>) {
        let [rel, href, language, kind] = values(source, ["rel", "href", "hreflang", "type"]);
        let (Some(rel), Some(href)) = (rel, href) else { return };
        let rel = htmlize::unescape_attribute(rel);
        let is = |word: &str| rel.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(word));
        if is("canonical") && self.canonical.is_none() {
            self.canonical = Some(href);
        }
        if !is("alternate") {
            return;
        }
        if kind.is_some_and(is_feed) {
            if self.feeds.len() >= self.max_links {
                self.links.too_many = true;
            } else {
                self.feeds.push(href);
            }
        } else if let Some(language) = language.map(language_of).filter(|language| !language.is_empty()) {
            if self.alternates.len() >= self.max_links {
                self.links.too_many = true;
            } else {
                self.alternates.push((language, href));
            }
        }
    }

    fn meta(&mut self, source: &SourceTag<'h>) {
        let [name, equivalent, content] = values(source, ["name", "http-equiv", "content"]);
        let Some(content) = content else { return };
        let is = |value: Option<&str>, wanted: &str| {
            value.is_some_and(|value| htmlize::unescape_attribute(value).trim().eq_ignore_ascii_case(wanted))
        };
        if is(name, "robots") {
            self.links.directives(&htmlize::unescape_attribute(content));
        } else if is(equivalent, "refresh") {
            if self.refresh.is_none() && content.len() <= self.longest() {
                self.refresh = refresh(&htmlize::unescape_attribute(content));
            }
        } else if is(equivalent, "pragma") {
            let content = htmlize::unescape_attribute(content);
            self.links.noarchive |= content.split(',').any(|word| word.trim().eq_ignore_ascii_case("no-cache"));
        }
    }

    /// Longest attribute that may be a URL, bytes.
    fn longest(&self) -> usize {
        self.max_url_bytes.saturating_mul(MAX_ENCODED).saturating_add(64)
    }

    /// Where an attribute's value leads, if that is a page. Blanks around it do not count.
    fn resolve(&self, raw: &str) -> Option<String> {
        self.address(self.resolved(raw)?)
    }

    fn resolved(&self, raw: &str) -> Option<Url> {
        // A `data:` URL of megabytes is not copied.
        let short = Some(raw.trim()).filter(|raw| raw.len() <= self.longest())?;
        self.parsed(&htmlize::unescape_attribute(short))
    }

    fn parsed(&self, href: &str) -> Option<Url> {
        let in_encoding: &dyn Fn(&str) -> Cow<'_, [u8]> = &|query| self.encoding.encode(query).0;
        let options = Url::options().base_url(self.base.as_ref());
        let options = if self.encoding == UTF_8 { options } else { options.encoding_override(Some(in_encoding)) };
        options.parse(href).ok().and_then(page_url)
    }

    fn address(&self, url: Url) -> Option<String> {
        Some(String::from(url)).filter(|url| url.len() <= self.max_url_bytes)
    }

    /// What was collected.
    pub(crate) fn finish(mut self) -> Links {
        let mut links = std::mem::take(&mut self.links);
        let found = std::mem::take(&mut self.found).into_iter();
        links.links = found.map(|Found { anchor, rel, .. }| Link { url: String::new(), anchor, rel }).collect();
        for (url, at) in std::mem::take(&mut self.places) {
            links.links[at].url = url;
        }
        let mut seen: HashSet<_, RandomState> = HashSet::default();
        for (language, href) in &self.alternates {
            let Some(url) = self.resolve(href) else { continue };
            if seen.insert((language, url.clone())) {
                links.alternates.push(Alternate { language: language.clone(), url });
            }
        }
        let mut seen: HashSet<_, RandomState> = HashSet::default();
        links.feeds = self.feeds.iter().filter_map(|href| self.resolve(href)).collect();
        links.feeds.retain(|url| seen.insert(url.clone()));
        links.canonical = self.canonical.and_then(|href| self.resolve(href));
        links.refresh = self.refresh.take().and_then(|(seconds, to)| {
            // Without an address the page loads itself again, whatever its base is.
            let url = if to.is_empty() { self.page.take()? } else { self.parsed(&to)? };
            Some(Refresh { seconds, url: self.address(url)? })
        });
        links.base = self.base.map(String::from);
        links
    }
}

/// The URL without its fragment, if it is http or https.
fn page_url(mut url: Url) -> Option<Url> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    url.set_fragment(None);
    Some(url)
}

/// Values of attributes as written, entities not decoded; none where there is no such attribute. Of a name that comes twice, the
/// first counts.
fn values<'h, const N: usize>(tag: &SourceTag<'h>, names: [&str; N]) -> [Option<&'h str>; N] {
    let mut values = [None; N];
    for (name, value) in tag.attributes() {
        if let Some(at) = names.iter().position(|wanted| name.eq_ignore_ascii_case(wanted)) {
            values[at].get_or_insert(value);
        }
    }
    values
}

fn language_of(raw: &str) -> String {
    let short: String = raw.trim().chars().take(MAX_ENCODED * MAX_LANGUAGE).collect();
    htmlize::unescape_attribute(short.as_str())
        .trim()
        .chars()
        .take(MAX_LANGUAGE)
        .collect::<String>()
        .to_ascii_lowercase()
}

/// Whether a MIME type, which may have parameters, is that of RSS or Atom.
fn is_feed(kind: &str) -> bool {
    let name = kind.split(';').next().unwrap_or_default().trim();
    ["application/rss+xml", "application/atom+xml"].iter().any(|feed| name.eq_ignore_ascii_case(feed))
}

/// Seconds and address of a refresh, by the steps of the HTML standard (4.2.5.3, shared declarative refresh steps). The address is empty if there is
/// none.
fn refresh(content: &str) -> Option<(u32, String)> {
    let content = content.trim_start();
    let digits = content.len() - content.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (seconds, rest) = content.split_at(digits);
    if seconds.is_empty() && !rest.starts_with('.') {
        return None;
    }
    // More than an u32 holds is never.
    let seconds = if seconds.is_empty() { 0 } else { seconds.parse().unwrap_or(u32::MAX) };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if rest.is_empty() {
        return Some((seconds, String::new()));
    }
    if !rest.starts_with(|c: char| c == ';' || c == ',' || c.is_ascii_whitespace()) {
        return None;
    }
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_ascii_start();
    let named = || {
        let (name, rest) = rest.split_at_checked(3)?;
        let value = rest.trim_ascii_start().strip_prefix('=')?;
        name.eq_ignore_ascii_case("url").then_some(value.trim_ascii_start())
    };
    let to = named().unwrap_or(rest);
    let to = match to.strip_prefix('"').map(|to| (to, '"')).or_else(|| to.strip_prefix('\'').map(|to| (to, '\''))) {
        Some((quoted, quote)) => quoted.split(quote).next().unwrap_or_default(),
        None => to,
    };
    Some((seconds, to.trim_ascii().to_owned()))
}

/// Whether an element parts the text before it from the text in it.
fn parts_text(name: &str, tag: Tag) -> bool {
    const NEW: [&str; 18] = [
        "article",
        "aside",
        "audio",
        "canvas",
        "details",
        "figcaption",
        "figure",
        "footer",
        "header",
        "hgroup",
        "main",
        "nav",
        "section",
        "summary",
        "svg",
        "template",
        "video",
        "math",
    ];
    match tag {
        Tag::Unknown => NEW.iter().any(|new| name.eq_ignore_ascii_case(new)),
        Tag::Address
        | Tag::Applet
        | Tag::Blockquote
        | Tag::Body
        | Tag::Caption
        | Tag::Center
        | Tag::Col
        | Tag::Colgroup
        | Tag::Dd
        | Tag::Del
        | Tag::Dir
        | Tag::Div
        | Tag::Dl
        | Tag::Dt
        | Tag::Fieldset
        | Tag::Form
        | Tag::Frame
        | Tag::Frameset
        | Tag::H1
        | Tag::H2
        | Tag::H3
        | Tag::H4
        | Tag::H5
        | Tag::H6
        | Tag::Head
        | Tag::Hr
        | Tag::Html
        | Tag::Ins
        | Tag::Li
        | Tag::Link
        | Tag::Listing
        | Tag::Marquee
        | Tag::Menu
        | Tag::Meta
        | Tag::Noframes
        | Tag::Noscript
        | Tag::Ol
        | Tag::P
        | Tag::Plaintext
        | Tag::Pre
        | Tag::Script
        | Tag::Style
        | Tag::Table
        | Tag::Tbody
        | Tag::Td
        | Tag::Tfoot
        | Tag::Th
        | Tag::Thead
        | Tag::Title
        | Tag::Tr
        | Tag::Ul => true,
        _ => false,
    }
}
