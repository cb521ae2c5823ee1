//! Data of a page that a crawler needs besides its text: links, alternates, feeds, refresh and
//! robots directives.
//!
//! The elements and attributes are those of the HTML standard. Links are collected in the pass that
//! cuts the text into blocks ([`crate::reader`]). A crawler runs no scripts, so links in
//! `<noscript>` count.

use crate::source::SourceTag;
use crate::statements::{self, Statements};
use crate::tags::{Tag, EMPTY};
use encoding_rs::{Encoding, UTF_8};
use foldhash::fast::RandomState;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Largest number of characters of an anchor text.
const MAX_ANCHOR: usize = 100;

/// Largest number of characters of an `hreflang` value.
const MAX_LANGUAGE: usize = 64;

/// An attribute that is this many times longer than the longest URL is not decoded. Entities make a
/// URL longer, but not by this factor.
const MAX_ENCODED: usize = 8;

/// Options for collecting links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkOptions<'a> {
    /// The page's URL. Without it, and without a `<base>`, only absolute links are found.
    pub url: Option<&'a str>,
    /// The page's encoding, which queries of URLs are written in. UTF-8 if it is not a WHATWG name.
    pub charset: &'a str,
    /// Values of the HTTP header X-Robots-Tag, one on each line.
    pub robots_header: Option<&'a str>,
    /// Largest number of links, of alternates and of feeds. If it is 0, links are not looked at.
    pub max_links: usize,
    /// Longest URL, in bytes. Longer URLs are left out.
    pub max_url_bytes: usize,
    /// True if the page's statements about itself are collected too, and up to 256 alternates
    /// whatever `max_links` is.
    pub statements: bool,
}

/// Largest number of alternates of a page whose statements are collected.
const MAX_ALTERNATES: usize = 256;

impl Default for LinkOptions<'_> {
    /// 5,000 links of 2,048 bytes.
    fn default() -> Self {
        LinkOptions {
            url: None,
            charset: "utf-8",
            robots_header: None,
            max_links: 5000,
            max_url_bytes: 2048,
            statements: false,
        }
    }
}

/// A link to another page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Link {
    /// The target: http or https, without a fragment.
    pub url: String,
    /// The text with white space folded, at most 100 characters. Empty for frames and areas.
    pub anchor: String,
    /// The `rel` values that all links of the page to this URL have.
    pub rel: Rel,
}

/// The `rel` values of a link that matter to a crawler.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rel {
    /// The page does not endorse it.
    pub nofollow: bool,
    /// Users wrote the link.
    pub ugc: bool,
    /// Somebody paid for the link.
    pub sponsored: bool,
}

impl Rel {
    fn of(value: &str) -> Self {
        let mut rel = Rel::default();
        // The standard does not allow commas between values, but authors use them.
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
    /// The value of `hreflang` in lower case, at most 64 characters.
    pub language: String,
    /// Absolute URL, without its fragment.
    pub url: String,
}

/// A refresh: the page sends its reader to another page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// The delay in seconds.
    pub seconds: u32,
    /// The target. It may be the page itself.
    pub url: String,
}

impl Refresh {
    /// The longest delay of a redirect, in seconds: Nutch's limit. Pages that forward their
    /// readers do so within it. Pages that are read and load another page later, such as news that
    /// go on to the next story, wait longer.
    pub const MAX_REDIRECT_SECONDS: u32 = 5;

    /// Returns true if the page only forwards its readers, so that its text is no article.
    pub fn is_redirect(&self) -> bool {
        self.seconds <= Self::MAX_REDIRECT_SECONDS
    }
}

/// The links of a page. All URLs are absolute, http or https, normalized by the WHATWG URL
/// standard, and have no fragment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// The base of relative URLs: the first `<base href>`, otherwise the page's URL.
    pub base: Option<String>,
    /// `a[href]`, `area[href]`, `frame[src]`, `iframe[src]` in the page's order, each URL once.
    pub links: Vec<Link>,
    /// `link[rel=alternate][hreflang]`, each once.
    pub alternates: Vec<Alternate>,
    /// `link[rel=alternate]` of type RSS or Atom, each once.
    pub feeds: Vec<String>,
    /// The first `link[rel=canonical]`.
    pub canonical: Option<String>,
    /// The first `meta[http-equiv=refresh]` that the standard accepts, outside of `noscript`,
    /// which browsers with scripts do not read.
    pub refresh: Option<Refresh>,
    /// True if robots directives have `noindex` or `none`.
    pub noindex: bool,
    /// True if robots directives have `nofollow` or `none`.
    pub nofollow: bool,
    /// True if robots directives have `noarchive`, or a `meta[http-equiv=pragma]` has `no-cache`.
    pub noarchive: bool,
    /// True if the page has more links, alternates or feeds than the largest number. If that is 0,
    /// links are not counted.
    pub too_many: bool,
    /// True if the page was not read to its end.
    pub unread: bool,
    /// Statements of the page about itself. Empty if they were not requested.
    pub statements: Statements,
}

impl Links {
    /// The result for a page that is not read: the directives of its header.
    pub fn unread(options: &LinkOptions<'_>) -> Self {
        Links { unread: true, ..Collector::new(options).finish() }
    }

    fn directive(&mut self, word: &str) {
        let is = |directive: &str| word.eq_ignore_ascii_case(directive);
        self.noindex |= is("noindex") || is("none");
        self.nofollow |= is("nofollow") || is("none");
        self.noarchive |= is("noarchive");
    }

    /// Adds the directives of a robots meta tag. Directives with a value (`max-snippet: 0`,
    /// `max-image-preview: none`) do not matter to a crawler.
    fn directives(&mut self, content: &str) {
        for part in content.split([',', ';']).filter(|part| !part.contains(':')) {
            part.split_whitespace().for_each(|word| self.directive(word));
        }
    }

    /// Adds the directives of X-Robots-Tag headers. Directives after the name of a crawler are for
    /// that crawler, up to the end of the header.
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

/// Returns true if the text before a colon is the name of a crawler, and neither a directive with a
/// value nor part of a time.
fn names_crawler(name: &str) -> bool {
    const WITH_VALUE: [&str; 4] =
        ["max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"];
    !name.contains(char::is_whitespace)
        && !WITH_VALUE.iter().any(|directive| name.eq_ignore_ascii_case(directive))
}

/// A link whose target depends on a `<base>` that may come later.
struct Found<'h> {
    /// As written in the page.
    href: &'h str,
    anchor: String,
    rel: Rel,
}

/// Collects links from tags and texts, in the order of the page.
pub(crate) struct Collector<'h> {
    max_links: usize,
    max_url_bytes: usize,
    encoding: &'static Encoding,
    /// The base of URLs so far.
    base: Option<Url>,
    /// The page's own URL.
    page: Option<Url>,
    seen_base: bool,
    found: Vec<Found<'h>>,
    /// Index in `found` by URL.
    places: HashMap<String, usize, RandomState>,
    anchor: Option<Anchor>,
    alternates: Vec<(String, &'h str)>,
    feeds: Vec<&'h str>,
    canonical: Option<&'h str>,
    refresh: Option<(u32, String)>,
    /// True in a `noscript`.
    in_unscripted: bool,
    statements: Option<statements::Collector<'h>>,
    links: Links,
}

/// An anchor text that is being read.
struct Anchor {
    /// Index of its link in [`Collector::found`].
    at: usize,
    /// Number of characters that may still be added.
    left: usize,
    /// True if a space comes before the next character.
    gap: bool,
    /// Open elements within it that separate text.
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
            encoding: Encoding::for_label(options.charset.as_bytes())
                .unwrap_or(UTF_8)
                .output_encoding(),
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
            in_unscripted: false,
            statements: options.statements.then(statements::Collector::new),
            links,
        }
    }

    /// Collects statements, too, if they are requested.
    pub(crate) fn statements(&mut self) -> Option<&mut statements::Collector<'h>> {
        self.statements.as_mut()
    }

    /// Ends the collection of statements.
    pub(crate) fn finish_statements(&mut self, html: &str) {
        if let Some(statements) = self.statements.take() {
            self.links.statements = statements.finish(html);
        }
    }

    /// Sets whether the next tags are in a `noscript`.
    pub(crate) fn set_unscripted(&mut self, in_unscripted: bool) {
        self.in_unscripted = in_unscripted;
    }

    /// Returns true if the next text belongs to a link.
    pub(crate) fn is_in_anchor(&self) -> bool {
        self.anchor.is_some()
    }

    /// A part of the page is skipped.
    pub(crate) fn skips(&mut self) {
        self.links.unread = true;
    }

    /// Adds text with entities decoded.
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
                // An element around the link ends, so the link's own end tag is missing.
                None => self.anchor = None,
            }
        }
    }

    pub(crate) fn start_tag(&mut self, source: &SourceTag<'h>, tag: Tag) {
        match tag {
            // Their attributes and addresses would cost more than all directives.
            Tag::A | Tag::Area | Tag::Frame | Tag::Iframe if self.max_links == 0 => {}
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

    /// Adds a link. Its text follows, if `rel` allows.
    fn link(&mut self, href: &'h str, rel: Option<&'h str>) -> Option<Anchor> {
        let url = self.resolve(href)?;
        let rel = rel.map_or(Rel::default(), |rel| Rel::of(&htmlize::unescape_attribute(rel)));
        let at = match self.places.get(&url) {
            Some(&at) => {
                let known = &mut self.found[at];
                match (known.rel.nofollow, rel.nofollow) {
                    (true, false) => known.anchor.clear(),
                    // The text of a link with nofollow does not describe a link without it.
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
        self.found[at].anchor.is_empty().then_some(Anchor {
            at,
            left: MAX_ANCHOR,
            gap: false,
            depth: 0,
        })
    }

    /// The first `<base href>` holds for the whole page, also if it comes late.
    fn base(&mut self, href: &'h str) {
        if std::mem::replace(&mut self.seen_base, true) {
            return;
        }
        let Some(base) = self.resolved(href).filter(|base| Some(base) != self.base.as_ref()) else {
            return;
        };
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

    /// Handles a `<link>`.
    fn relation(&mut self, source: &SourceTag<'h>) {
        let [rel, href, language, kind] = values(source, ["rel", "href", "hreflang", "type"]);
        let (Some(rel), Some(href)) = (rel, href) else { return };
        let rel = htmlize::unescape_attribute(rel);
        let is =
            |word: &str| rel.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(word));
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
        } else if let Some(language) =
            language.map(language_of).filter(|language| !language.is_empty())
        {
            let most = if self.statements.is_some() {
                self.max_links.max(MAX_ALTERNATES)
            } else {
                self.max_links
            };
            if self.alternates.len() >= most {
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
            value.is_some_and(|value| {
                htmlize::unescape_attribute(value).trim().eq_ignore_ascii_case(wanted)
            })
        };
        if is(name, "robots") {
            self.links.directives(&htmlize::unescape_attribute(content));
        } else if is(equivalent, "refresh") {
            if self.refresh.is_none() && !self.in_unscripted && content.len() <= self.longest() {
                self.refresh = refresh(&htmlize::unescape_attribute(content));
            }
        } else if is(equivalent, "pragma") {
            let content = htmlize::unescape_attribute(content);
            self.links.noarchive |=
                content.split(',').any(|word| word.trim().eq_ignore_ascii_case("no-cache"));
        }
    }

    /// Longest attribute that may be a URL, in bytes.
    fn longest(&self) -> usize {
        self.max_url_bytes.saturating_mul(MAX_ENCODED).saturating_add(64)
    }

    /// The target of an attribute's value, if it is a page. White space around the value is
    /// ignored.
    fn resolve(&self, raw: &str) -> Option<String> {
        self.address(self.resolved(raw)?)
    }

    fn resolved(&self, raw: &str) -> Option<Url> {
        // Do not copy a `data:` URL of megabytes.
        let short = Some(raw.trim()).filter(|raw| raw.len() <= self.longest())?;
        self.parsed(&htmlize::unescape_attribute(short))
    }

    fn parsed(&self, href: &str) -> Option<Url> {
        let in_encoding: &dyn Fn(&str) -> Cow<'_, [u8]> = &|query| self.encoding.encode(query).0;
        let options = Url::options().base_url(self.base.as_ref());
        let options = if self.encoding == UTF_8 {
            options
        } else {
            options.encoding_override(Some(in_encoding))
        };
        options.parse(href).ok().and_then(page_url)
    }

    fn address(&self, url: Url) -> Option<String> {
        Some(String::from(url)).filter(|url| url.len() <= self.max_url_bytes)
    }

    /// The links that were collected.
    pub(crate) fn finish(mut self) -> Links {
        let mut links = std::mem::take(&mut self.links);
        let found = std::mem::take(&mut self.found).into_iter();
        links.links = found
            .map(|Found { anchor, rel, .. }| Link { url: String::new(), anchor, rel })
            .collect();
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
            // Without a URL, the page loads itself again, whatever its base is.
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

/// Values of attributes as written, with entities. None if an attribute is missing. If a name
/// occurs twice, the first counts.
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

/// Returns true if a MIME type is that of RSS, Atom or JSON Feed. It may have parameters.
fn is_feed(kind: &str) -> bool {
    let name = kind.split(';').next().unwrap_or_default().trim();
    ["application/rss+xml", "application/atom+xml", "application/feed+json"]
        .iter()
        .any(|feed| name.eq_ignore_ascii_case(feed))
}

/// Delay in seconds and URL of a refresh, by the steps of the HTML standard (4.2.5.3, shared
/// declarative refresh steps). The URL may be empty.
fn refresh(content: &str) -> Option<(u32, String)> {
    let content = content.trim_start();
    let digits = content.len() - content.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (seconds, rest) = content.split_at(digits);
    if seconds.is_empty() && !rest.starts_with('.') {
        return None;
    }
    // A delay over the largest u32 means never.
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
    let to = match to
        .strip_prefix('"')
        .map(|to| (to, '"'))
        .or_else(|| to.strip_prefix('\'').map(|to| (to, '\'')))
    {
        Some((quoted, quote)) => quoted.split(quote).next().unwrap_or_default(),
        None => to,
    };
    Some((seconds, to.trim_ascii().to_owned()))
}

/// Returns true if an element separates the text before it from its own text.
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
    use Tag::{Address, Applet, Blockquote, Body, Caption, Center, Col, Colgroup, Dd, Del, Dir};
    use Tag::{Div, Dl, Dt, Fieldset, Form, Frame, Frameset, Head, Hr, H1, H2, H3, H4, H5, H6};
    use Tag::{Html, Ins, Li, Link, Listing, Marquee, Menu, Meta, Noframes, Noscript, Ol, P};
    use Tag::{Plaintext, Pre, Script, Style, Table, Tbody, Td, Tfoot, Th, Thead, Title, Tr, Ul};
    if tag == Tag::Unknown {
        return NEW.iter().any(|new| name.eq_ignore_ascii_case(new));
    }
    matches!(tag, Address | Applet | Blockquote | Body | Caption | Center | Col | Colgroup)
        || matches!(tag, Dd | Del | Dir | Div | Dl | Dt | Fieldset | Form | Frame | Frameset | H1)
        || matches!(tag, H2 | H3 | H4 | H5 | H6 | Head | Hr | Html | Ins | Li | Link | Listing)
        || matches!(tag, Marquee | Menu | Meta | Noframes | Noscript | Ol | P | Plaintext | Pre)
        || matches!(tag, Script | Style | Table | Tbody | Td | Tfoot | Th | Thead | Title | Tr)
        || matches!(tag, Ul)
}
