//! The web as data: hosts, their pages and the links between them.
//!
//! No page is stored. A page is a function of the seed and its URL, so a page costs only its own
//! text, and two servers with the same seed serve the same web. `README.md` states the figures
//! below and why they are as they are.

use crate::text::{Article, Grammar};
use anyhow::{Context, Result};
use fastrand::Rng;
use percent_encoding::{percent_decode_str, utf8_percent_encode, AsciiSet, NON_ALPHANUMERIC};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::hash::Hasher;

/// Days of a calendar: more than any crawl asks for.
const DAYS: u32 = 1_000_000;

/// Hosts with the pages of a mirrored host, besides it.
const MIRRORS: u8 = 3;

/// Articles on a listing page.
const LISTED: u32 = 6;

/// The English hosts that share buttons point to.
const PLATFORMS: usize = 5;

/// The characters that are escaped in a path: all except the unreserved characters of RFC 3986, so
/// that a normaliser changes nothing.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The kinds of hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Urdu sites: nearly every page is Urdu.
    Rich,
    /// Sites in two languages, a third to two thirds of the pages Urdu.
    Mixed,
    /// Sites in another language of the same script.
    Neighbour,
    /// English sites, few of them very popular.
    English,
    /// Sites with Urdu menus around English text or around no text at all.
    Junk,
}

impl Kind {
    /// All kinds, in the order of the reports.
    pub const ALL: [Kind; 5] =
        [Kind::Rich, Kind::Mixed, Kind::Neighbour, Kind::English, Kind::Junk];

    /// The name in logs and reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Rich => "rich",
            Kind::Mixed => "mixed",
            Kind::Neighbour => "neighbour",
            Kind::English => "english",
            Kind::Junk => "junk",
        }
    }

    /// Share of all hosts, in percent.
    fn share(self) -> usize {
        match self {
            Kind::Rich => 13,
            Kind::Mixed => 6,
            Kind::Neighbour => 18,
            Kind::English => 43,
            Kind::Junk => 20,
        }
    }

    /// The targets of an article's external links, in percent for each kind of host, in the order
    /// of [`Kind::ALL`].
    fn links(self) -> [u32; 5] {
        match self {
            Kind::Rich => [27, 2, 3, 65, 3],
            Kind::Mixed => [12, 5, 7, 68, 8],
            Kind::Neighbour => [3, 2, 35, 56, 4],
            Kind::English => [1, 1, 1, 96, 1],
            Kind::Junk => [4, 2, 4, 70, 20],
        }
    }
}

/// How a host spells the addresses of its articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `/cricket/17`
    Topic,
    /// `/2016/03/cricket-17.html`
    Dated,
    /// `/story/17/`
    Story,
    /// `/index.php/cricket/item/17.html`
    Cms,
    /// `/<the headline, percent-encoded>/17/`
    Headline,
    /// `/News/Detail/17`
    Capital,
}

/// How a host writes its bytes, and whether it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8, in the HTTP header and in a meta element.
    Utf8,
    /// UTF-8, said by a meta element only.
    Utf8Meta,
    /// UTF-8, said nowhere.
    Utf8Unlabelled,
    /// windows-1256 with a true label; letters outside it are character references.
    Windows1256,
}

/// One host of the web.
#[derive(Debug, Clone)]
pub struct Host {
    /// Lower-case host name, without port.
    pub name: String,
    /// The port in its URLs, where it is not 80.
    pub port: Option<u16>,
    /// The kind of the host.
    pub kind: Kind,
    /// Language of the menus and of the listing pages, ISO 639-3; for junk hosts that of the menus
    /// only.
    pub language: &'static str,
    /// The name that the site gives itself.
    pub title: String,
    /// Number of articles.
    pub articles: u32,
    /// Which page template it uses, counted from 0.
    pub template: usize,
    /// How its bytes are written.
    pub charset: Charset,
    /// Every article is also at `/print/N`, where robots.txt may forbid it.
    pub print_copies: bool,
    /// robots.txt forbids `/print/`.
    pub robots_forbid_print: bool,
    /// Milliseconds before the host responds.
    pub delay_ms: u64,
    /// Whether it has a calendar without end: every day repeats an article, and links to further
    /// days.
    pub calendar: bool,
    /// Whether there are hosts `mirror1` to `mirror3` before its name that have its pages, with
    /// links to themselves in place of links to it.
    pub mirrored: bool,
    style: Style,
    /// Percent of the articles in `language` (mixed hosts: in Urdu).
    own_share: u32,
    topics: Vec<usize>,
    /// Hosts that it links to again and again.
    partners: Vec<usize>,
}

/// The meaning of a path on a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Listing(u32),
    Article(u32),
    Print(u32),
    Short(u32),
    /// A day of the calendar, from 1 on.
    Day(u32),
    Robots,
}

/// A link with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Absolute URL.
    pub url: String,
    /// The text between `<a>` and `</a>`.
    pub text: String,
}

/// An article on a listing page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Teaser {
    /// The path of the article, and its headline.
    pub link: Link,
    /// Its first paragraph.
    pub excerpt: String,
}

/// A page before it becomes HTML.
#[derive(Debug, Clone)]
pub struct Page {
    /// Index of the host.
    pub host: usize,
    /// Canonical URL.
    pub url: String,
    /// The language of most of the main text, ISO 639-3; `zxx` for pages without text.
    pub language: &'static str,
    /// Headline.
    pub title: String,
    /// Whether this is the print copy of an article.
    pub print: bool,
    /// The author and the date.
    pub byline: String,
    /// Main text of an article.
    pub paragraphs: Vec<String>,
    /// Main content of a listing.
    pub teasers: Vec<Teaser>,
    /// Menu.
    pub menu: Vec<Link>,
    /// Links to other hosts, under the text.
    pub external: Vec<Link>,
    /// The share bar: a separate address for every article on each of a few platforms.
    pub share: Vec<Link>,
    /// Links under the text to the same host.
    pub related: Vec<Link>,
    /// Links next to the text, to the same host.
    pub recent: Vec<Link>,
    /// Links next to the text, to other hosts.
    pub partners: Vec<Link>,
    /// Visitors' names and comments.
    pub comments: Vec<(String, String)>,
}

impl Page {
    /// Returns every link of the page, in the order of the groups. A URL may occur twice.
    pub fn links(&self) -> impl Iterator<Item = &str> {
        self.anchors().map(|link| link.url.as_str())
    }

    /// Returns every link of the page with its text, in the order of the groups.
    pub fn anchors(&self) -> impl Iterator<Item = &Link> {
        let teasers = self.teasers.iter().map(|t| &t.link);
        let groups = self
            .menu
            .iter()
            .chain(teasers)
            .chain(&self.external)
            .chain(&self.share)
            .chain(&self.related);
        groups.chain(&self.recent).chain(&self.partners)
    }

    fn main(&self) -> impl Iterator<Item = &str> {
        self.paragraphs.iter().chain(self.teasers.iter().map(|t| &t.excerpt)).map(String::as_str)
    }

    /// Main text, a paragraph a line: the paragraphs of an article, the excerpts of a listing.
    pub fn main_text(&self) -> String {
        self.main().collect::<Vec<_>>().join("\n")
    }

    /// Bytes of the main text in UTF-8, without the ends of lines.
    pub fn main_bytes(&self) -> u64 {
        self.main().map(|t| t.len() as u64).sum()
    }
}

/// The response to a URL.
#[derive(Debug)]
pub enum Answer {
    /// A page.
    Page(Box<Page>),
    /// Moved for good to the URL.
    Redirect(String),
    /// robots.txt, with its text.
    Robots(String),
    /// The host is there, the page is not.
    Missing,
    /// No host of that name and port.
    NoHost,
}

/// A URL on a mirror, as [`World::mirrored`] resolves it.
#[derive(Debug, PartialEq, Eq)]
pub struct Mirrored {
    /// The URL on the mirrored host.
    pub url: String,
    /// Front page of the mirrored host: the beginning of its URLs.
    pub original: String,
    /// Front page of the mirror.
    pub mirror: String,
}

/// The web.
pub struct World {
    seed: u64,
    /// All hosts, sorted by kind; the popular hosts of a kind come first.
    pub hosts: Vec<Host>,
    by_name: HashMap<String, usize>,
    grammars: BTreeMap<&'static str, Grammar>,
}

/// The data files by language.
const LANGUAGES: [(&str, &str); 7] = [
    ("urd", include_str!("../data/urd.txt")),
    ("eng", include_str!("../data/eng.txt")),
    ("fas", include_str!("../data/fas.txt")),
    ("ara", include_str!("../data/ara.txt")),
    ("pus", include_str!("../data/pus.txt")),
    ("snd", include_str!("../data/snd.txt")),
    ("pnb", include_str!("../data/pnb.txt")),
];

/// The languages of the neighbour hosts and their weights; few hosts are Punjabi in the same
/// script.
const NEIGHBOURS: [(&str, u32); 5] =
    [("fas", 28), ("ara", 28), ("pus", 20), ("snd", 18), ("pnb", 5)];

/// A number that depends on all of its parts and on nothing else.
fn mix(parts: &[u64]) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    for part in parts {
        hasher.write_u64(part.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    }
    // FNV gives short inputs similar high bits. The last step of SplitMix64 spreads them.
    let mut z = hasher.finish();
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The data files, parsed.
///
/// # Errors
/// A mistake in a data file, with its language.
pub fn grammars() -> Result<BTreeMap<&'static str, Grammar>> {
    let parse = |(code, data): &(&'static str, &str)| {
        Ok((*code, Grammar::parse(data).with_context(|| format!("data/{code}.txt"))?))
    };
    LANGUAGES.iter().map(parse).collect()
}

impl World {
    /// The web of `seed` with `hosts` hosts (at least 20).
    ///
    /// # Errors
    /// A mistake in a data file, or too few hosts.
    pub fn new(seed: u64, hosts: usize) -> Result<World> {
        World::in_languages(seed, hosts, &["urd"])
    }

    /// The same web with rich, mixed and junk hosts in several languages, by turns. Rich and mixed
    /// hosts link to such hosts in their own language four times in five. No neighbour is in one of
    /// the languages.
    ///
    /// # Errors
    /// A mistake in a data file, too few hosts, or a language without a data file.
    pub fn in_languages(seed: u64, hosts: usize, languages: &[&str]) -> Result<World> {
        let languages: Vec<&'static str> = languages
            .iter()
            .map(|code| {
                let known = LANGUAGES.iter().find(|(language, _)| language == code);
                known.map(|(language, _)| *language).with_context(|| {
                    let all = LANGUAGES.map(|(language, _)| language).join(", ");
                    format!("language `{code}` has no text in this web; allowed are {all}")
                })
            })
            .collect::<Result<_>>()?;
        anyhow::ensure!(!languages.is_empty(), "a web has at least one language");
        anyhow::ensure!(hosts >= 20, "--hosts is {hosts}; a web has at least 20");
        let grammars = grammars()?;
        let mut world =
            World { seed, hosts: Vec::with_capacity(hosts), by_name: HashMap::new(), grammars };
        let names = Names::parse(include_str!("../data/hosts.txt"));
        let mut rng = Rng::with_seed(mix(&[seed, 1]));
        for kind in Kind::ALL {
            let before: usize =
                Kind::ALL.iter().take_while(|k| **k < kind).map(|k| k.share()).sum();
            let count = (before + kind.share()) * hosts / 100 - before * hosts / 100;
            for own in languages.iter().cycle().take(count) {
                let host = world.new_host(kind, own, &languages, &names, &mut rng);
                world.by_name.insert(host.name.clone(), world.hosts.len());
                world.hosts.push(host);
            }
        }
        for index in 0..world.hosts.len() {
            world.hosts[index].partners = world.choose_partners(index);
        }
        Ok(world)
    }

    /// The same web, in which so many of the rich hosts have a calendar without end.
    #[must_use]
    pub fn with_calendars(mut self, count: usize) -> World {
        let rich = self.range(Kind::Rich);
        let step = rich.len().div_ceil(count.max(1)).max(1);
        for host in rich.step_by(step).take(count) {
            self.hosts[host].calendar = true;
        }
        self
    }

    /// The same web, in which so many of the rich hosts have mirrors. Every page of such a host
    /// links to the front pages of its mirrors.
    #[must_use]
    pub fn with_mirrors(mut self, count: usize) -> World {
        let rich = self.range(Kind::Rich);
        let step = rich.len().div_ceil(count.max(1)).max(1);
        for host in rich.step_by(step).take(count) {
            self.hosts[host].mirrored = true;
        }
        self
    }

    /// The URL that a URL on a mirror has on the mirrored host, with the beginnings of the URLs of
    /// both hosts. `None` for every other URL.
    pub fn mirrored(&self, url: &str) -> Option<Mirrored> {
        let rest = url.strip_prefix("http://")?;
        let digits = rest.strip_prefix("mirror")?;
        let (number, at_host) = digits.split_once('.')?;
        let number = number.parse().ok().filter(|n| (1..=MIRRORS).contains(n))?;
        let url = format!("http://{at_host}");
        let host = self.host_of_url(&url).filter(|host| self.hosts[*host].mirrored)?;
        Some(Mirrored {
            url,
            original: self.url(host, Place::Listing(1)),
            mirror: self.mirror_url(host, number),
        })
    }

    /// Front page of a mirror.
    fn mirror_url(&self, host: usize, number: u8) -> String {
        self.url(host, Place::Listing(1)).replacen("http://", &format!("http://mirror{number}."), 1)
    }

    /// `own`: its language, if its kind has one of the web's `languages`. Neighbours have others.
    fn new_host(
        &self,
        kind: Kind,
        own: &'static str,
        languages: &[&str],
        names: &Names,
        rng: &mut Rng,
    ) -> Host {
        let weight = |(code, weight)| if languages.contains(&code) { 0 } else { weight };
        let language = match kind {
            Kind::English => "eng",
            Kind::Neighbour => NEIGHBOURS[weighted(rng, NEIGHBOURS.map(weight))].0,
            _ => own,
        };
        let words = if kind == Kind::Junk { "junk" } else { language };
        let (name, title) = loop {
            let (name, title) = names.pick(words, rng);
            if !self.by_name.contains_key(&name) {
                break (name, title);
            }
        };
        let articles = match kind {
            // Most sites in a small language are small; few are papers with an archive.
            Kind::Rich => log_normal(rng, 46.0, 0.45, 16, 160),
            Kind::Mixed => log_normal(rng, 25.0, 0.6, 10, 100),
            Kind::Neighbour if language == "pnb" => log_normal(rng, 12.0, 0.4, 6, 24),
            Kind::Neighbour => log_normal(rng, 60.0, 0.8, 10, 400),
            Kind::English => log_normal(rng, 600.0, 0.8, 100, 5000),
            Kind::Junk => log_normal(rng, 30.0, 0.8, 6, 200),
        };
        let charset = match (language, rng.u8(..20)) {
            ("urd" | "fas" | "ara", 0..=1) => Charset::Windows1256,
            (_, 2..=3) => Charset::Utf8Unlabelled,
            (_, 4..=8) => Charset::Utf8Meta,
            _ => Charset::Utf8,
        };
        let styles =
            [Style::Topic, Style::Dated, Style::Story, Style::Cms, Style::Headline, Style::Capital];
        let own_share = match kind {
            Kind::Mixed => rng.u32(35..=65),
            _ => 96,
        };
        let mut topics: Vec<usize> = (0..self.grammars[language].topics().len()).collect();
        rng.shuffle(&mut topics);
        topics.truncate(rng.usize(4..=8));
        let print_copies = kind != Kind::English && rng.u8(..6) == 0;
        Host {
            name,
            port: (kind != Kind::English && rng.u8(..25) == 0).then_some(8080),
            kind,
            language,
            title,
            articles,
            template: rng.usize(..crate::html::TEMPLATES),
            charset,
            print_copies,
            robots_forbid_print: print_copies && rng.bool(),
            delay_ms: if rng.u8(..15) == 0 { rng.u64(2..=8) } else { 0 },
            calendar: false,
            mirrored: false,
            style: styles[rng.usize(..styles.len())],
            own_share,
            topics,
            partners: Vec::new(),
        }
    }

    /// Three popular hosts, and a few hosts of the neighbourhood.
    fn choose_partners(&self, host: usize) -> Vec<usize> {
        let mut rng = self.rng(&[2, host as u64]);
        let mut partners: Vec<usize> =
            (0..3).map(|_| self.host_of(Kind::English, host, &mut rng)).collect();
        let own = match self.hosts[host].kind {
            Kind::Rich => 2,
            Kind::Mixed => 1,
            _ => 0,
        };
        partners.extend((0..own).map(|_| self.host_of(Kind::Rich, host, &mut rng)));
        partners.sort_unstable();
        partners.dedup();
        partners.retain(|p| *p != host);
        partners
    }

    fn rng(&self, parts: &[u64]) -> Rng {
        let mut all = vec![self.seed];
        all.extend_from_slice(parts);
        Rng::with_seed(mix(&all))
    }

    /// The range of host indices of a kind.
    fn range(&self, kind: Kind) -> std::ops::Range<usize> {
        let start = self.hosts.partition_point(|h| h.kind < kind);
        start..self.hosts.partition_point(|h| h.kind <= kind)
    }

    /// Draws a host of a kind that the site `from` links to. Other sites link to the few
    /// popular English sites. English sites link to more of each other, and Urdu sites receive
    /// about the same number of links each.
    fn host_of(&self, kind: Kind, from: usize, rng: &mut Rng) -> usize {
        const OWN: [Kind; 2] = [Kind::Rich, Kind::Mixed];
        let from = &self.hosts[from];
        let range = self.range(kind);
        let skew = match (kind, from.kind) {
            (Kind::English, Kind::English) => 2.0,
            (Kind::English, _) => 12.0,
            _ => 1.0,
        };
        let mut draw = || {
            let place = (range.len() as f64 * rng.f64().powf(skew)) as usize;
            range.start + place.min(range.len() - 1)
        };
        let mut host = draw();
        if OWN.contains(&kind) && OWN.contains(&from.kind) {
            for _ in 0..3 {
                if self.hosts[host].language == from.language {
                    break;
                }
                host = draw();
            }
        }
        host
    }

    /// Seeds as a person would collect them: mostly Urdu sites that are known by name, two pages
    /// each, and a few that turn out to be something else.
    pub fn seeds(&self) -> Vec<String> {
        let mut rng = self.rng(&[3]);
        let mut seeds = Vec::new();
        for (kind, percent, pages) in
            [(Kind::Rich, 28, 3), (Kind::Mixed, 8, 2), (Kind::Neighbour, 3, 1), (Kind::Junk, 3, 1)]
        {
            let range = self.range(kind);
            for _ in 0..(range.len() * percent).div_ceil(100) {
                let host = rng.usize(range.clone());
                seeds.push(self.url(host, Place::Listing(1)));
                seeds
                    .extend((1..pages).map(|_| {
                        self.url(host, Place::Article(self.live_article(host, &mut rng)))
                    }));
            }
        }
        // A search for Urdu pages finds the platforms that Urdu sites post on, too.
        let platforms = self.range(Kind::English).take(PLATFORMS);
        seeds.extend(platforms.map(|host| self.url(host, Place::Listing(1))));
        seeds.sort();
        seeds.dedup();
        seeds
    }

    /// An article that is there.
    fn live_article(&self, host: usize, rng: &mut Rng) -> u32 {
        loop {
            let id = rng.u32(1..=self.hosts[host].articles);
            if !self.is_gone(host, id) {
                return id;
            }
        }
    }

    /// One article in forty was taken away, and links to it remain. The first is always there.
    fn is_gone(&self, host: usize, id: u32) -> bool {
        id > 1 && mix(&[self.seed, 4, host as u64, u64::from(id)]).is_multiple_of(40)
    }

    /// Returns the response to an absolute URL.
    pub fn resolve(&self, url: &str) -> Answer {
        let Some((host, path)) = self.locate(url) else { return Answer::NoHost };
        let Some(place) = self.place(host, &path) else { return Answer::Missing };
        match place {
            Place::Robots => Answer::Robots(self.robots(host)),
            Place::Article(id) | Place::Print(id) | Place::Short(id) if self.is_gone(host, id) => {
                Answer::Missing
            }
            Place::Short(id) => Answer::Redirect(self.url(host, Place::Article(id))),
            Place::Listing(n) => Answer::Page(Box::new(self.listing(host, n))),
            Place::Article(id) => Answer::Page(Box::new(self.article_page(host, id, false))),
            Place::Print(id) => Answer::Page(Box::new(self.article_page(host, id, true))),
            Place::Day(day) => Answer::Page(Box::new(self.day(host, day))),
        }
    }

    /// The host of a URL, when it is of this web.
    pub fn host_of_url(&self, url: &str) -> Option<usize> {
        self.locate(url).map(|(host, _)| host)
    }

    fn locate(&self, url: &str) -> Option<(usize, String)> {
        let url = url::Url::parse(url).ok()?;
        let host = *self.by_name.get(url.host_str()?)?;
        if url.port() != self.hosts[host].port || url.query().is_some() {
            return None;
        }
        Some((host, url.path().to_string()))
    }

    fn robots(&self, host: usize) -> String {
        let forbidden = if self.hosts[host].robots_forbid_print { " /print/" } else { "" };
        format!("User-agent: *\nDisallow:{forbidden}\n")
    }

    fn url(&self, host: usize, place: Place) -> String {
        let h = &self.hosts[host];
        let port = h.port.map(|p| format!(":{p}")).unwrap_or_default();
        format!("http://{}{port}{}", h.name, self.path(host, place))
    }

    fn path(&self, host: usize, place: Place) -> String {
        match place {
            Place::Listing(1) => "/".to_string(),
            Place::Listing(n) => format!("/page/{n}"),
            Place::Print(id) => format!("/print/{id}"),
            Place::Short(id) => format!("/go/{id}"),
            Place::Day(day) => format!("/calendar/{day}"),
            Place::Robots => "/robots.txt".to_string(),
            Place::Article(id) => {
                let topic = self.topic(host, id, self.article_language(host, id));
                match self.hosts[host].style {
                    Style::Topic => format!("/{topic}/{id}"),
                    Style::Dated => {
                        let (year, month, _) = date(host, id);
                        format!("/{year}/{month:02}/{topic}-{id}.html")
                    }
                    Style::Story => format!("/story/{id}/"),
                    Style::Cms => format!("/index.php/{topic}/item/{id}.html"),
                    Style::Headline => {
                        let words = self
                            .headline(host, id)
                            .replace(['/', '%', '?', '#'], "")
                            .replace(' ', "-");
                        format!("/{}/{id}/", utf8_percent_encode(&words, ESCAPED))
                    }
                    Style::Capital => format!("/News/Detail/{id}"),
                }
            }
        }
    }

    /// The inverse of [`World::path`]; escapes may be written in either way.
    fn place(&self, host: usize, path: &str) -> Option<Place> {
        let asked = percent_decode_str(path).decode_utf8().ok()?;
        let digits = asked.rsplit(|c: char| !c.is_ascii_digit()).find(|run| !run.is_empty());
        let number = digits.and_then(|d| d.parse::<u32>().ok());
        let place = match (asked.as_ref(), number) {
            ("/", _) => Place::Listing(1),
            ("/robots.txt", _) => Place::Robots,
            (p, Some(n)) if p.starts_with("/page/") => Place::Listing(n),
            (p, Some(n)) if p.starts_with("/print/") => Place::Print(n),
            (p, Some(n)) if p.starts_with("/go/") => Place::Short(n),
            (p, Some(n)) if p.starts_with("/calendar/") => Place::Day(n),
            (_, Some(n)) => Place::Article(n),
            _ => return None,
        };
        let h = &self.hosts[host];
        let there = match place {
            Place::Listing(n) => n >= 1 && n <= self.listings(host),
            Place::Print(id) => h.print_copies && id >= 1 && id <= h.articles,
            Place::Article(id) | Place::Short(id) => id >= 1 && id <= h.articles,
            Place::Day(day) => h.calendar && (1..=DAYS).contains(&day),
            Place::Robots => true,
        };
        let canonical = there.then(|| self.path(host, place))?;
        (percent_decode_str(&canonical).decode_utf8().ok()? == asked).then_some(place)
    }

    fn listings(&self, host: usize) -> u32 {
        self.hosts[host].articles.div_ceil(LISTED)
    }

    fn article_language(&self, host: usize, id: u32) -> &'static str {
        let h = &self.hosts[host];
        let drawn = (mix(&[self.seed, 5, host as u64, u64::from(id)]) % 100) as u32;
        match h.kind {
            Kind::Junk if drawn < 45 => "zxx",
            Kind::Junk => "eng",
            _ if drawn < h.own_share => h.language,
            _ => "eng",
        }
    }

    fn topic(&self, host: usize, id: u32, language: &str) -> &str {
        // A page without text also belongs to a section of its site.
        let topics = self.grammars[if language == "zxx" { "eng" } else { language }].topics();
        let own = &self.hosts[host].topics;
        let drawn =
            own[(mix(&[self.seed, 6, host as u64, u64::from(id)]) % own.len() as u64) as usize];
        &topics[drawn % topics.len()]
    }

    fn text_rng(&self, host: usize, id: u32) -> Rng {
        self.rng(&[7, host as u64, u64::from(id)])
    }

    /// The headline of an article, as [`World::article`] has it.
    fn headline(&self, host: usize, id: u32) -> String {
        let language = self.article_language(host, id);
        let grammar = &self.grammars[if language == "zxx" { "eng" } else { language }];
        grammar.title(self.topic(host, id, language), &mut self.text_rng(host, id))
    }

    fn article(&self, host: usize, id: u32) -> Article {
        let language = self.article_language(host, id);
        let topic = self.topic(host, id, language);
        let length = self.rng(&[8, host as u64, u64::from(id)]).usize(7..=22);
        if language == "zxx" {
            return Article {
                topic: topic.into(),
                title: self.headline(host, id),
                paragraphs: Vec::new(),
            };
        }
        // Junk pages are thin.
        let length = if self.hosts[host].kind == Kind::Junk { 4 } else { length };
        self.grammars[language].article(topic, length, &mut self.text_rng(host, id))
    }

    /// The words of a site's own furniture.
    pub fn furniture(&self, host: usize) -> &Grammar {
        &self.grammars[self.hosts[host].language]
    }

    fn article_link(&self, host: usize, id: u32) -> Link {
        Link { url: self.url(host, Place::Article(id)), text: self.headline(host, id) }
    }

    fn menu(&self, host: usize) -> Vec<Link> {
        let labels = self.furniture(host).list("ui.menu");
        let pages = self.listings(host).min(5);
        let place = |n: u32| Link {
            url: self.url(host, Place::Listing(n)),
            text: labels.get(n as usize - 1).copied().unwrap_or("…").to_string(),
        };
        let mut menu: Vec<Link> = (1..=pages).map(place).collect();
        if self.hosts[host].calendar {
            menu.push(self.day_link(host, 1));
        }
        menu
    }

    fn day_link(&self, host: usize, day: u32) -> Link {
        Link { url: self.url(host, Place::Day(day)), text: day.to_string() }
    }

    /// A day of the calendar: one of the host's articles once more, and links to later days.
    fn day(&self, host: usize, day: u32) -> Page {
        let mut article = 1 + day % self.hosts[host].articles;
        while self.is_gone(host, article) {
            article -= 1;
        }
        let ahead = [1, 2, 3, 7, 30, 365].map(|days| day + days);
        Page {
            url: self.url(host, Place::Day(day)),
            related: ahead
                .into_iter()
                .filter(|day| *day <= DAYS)
                .map(|day| self.day_link(host, day))
                .collect(),
            ..self.article_page(host, article, true)
        }
    }

    fn article_page(&self, host: usize, id: u32, print: bool) -> Page {
        let h = &self.hosts[host];
        let Article { title, paragraphs, .. } = self.article(host, id);
        let mut rng = self.rng(&[9, host as u64, u64::from(id)]);
        let near = |rng: &mut Rng| {
            let low = id.saturating_sub(10).max(1);
            rng.u32(low..=(id + 10).min(h.articles))
        };
        let mut related: Vec<u32> = (0..3).map(|_| near(&mut rng)).collect();
        related.extend(id.checked_sub(1).filter(|i| *i > 0));
        related.extend(Some(id + 1).filter(|i| *i <= h.articles));
        related.sort_unstable();
        related.dedup();
        related.retain(|r| *r != id);
        let mut related: Vec<Link> =
            related.into_iter().map(|r| self.article_link(host, r)).collect();
        if h.print_copies && !print {
            related.push(Link {
                url: self.url(host, Place::Print(id)),
                text: self.label(host, "ui.print"),
            });
        }
        let recent =
            (h.articles.saturating_sub(3).max(1)..=h.articles).map(|r| self.article_link(host, r));
        let visitors = self.furniture(host);
        let comments = (0..rng.usize(..4))
            .map(|_| {
                (visitors.phrase("ui.visitor", &mut rng), visitors.phrase("ui.comment", &mut rng))
            })
            .collect();
        let (year, month, day) = date(host, id);
        Page {
            host,
            url: self.url(host, if print { Place::Print(id) } else { Place::Article(id) }),
            language: self.article_language(host, id),
            title,
            print,
            byline: format!(
                "{} · {day:02}-{month:02}-{year}",
                visitors.phrase("ui.visitor", &mut rng)
            ),
            paragraphs,
            teasers: Vec::new(),
            menu: self.menu(host),
            external: self.external(host, &mut rng),
            share: if print { Vec::new() } else { self.share_links(host, id) },
            related,
            recent: recent.collect(),
            partners: self.partner_links(host),
            comments,
        }
    }

    fn listing(&self, host: usize, number: u32) -> Page {
        let h = &self.hosts[host];
        // The newest article has the highest number.
        let newest = h.articles - (number - 1) * LISTED;
        let ids = (newest.saturating_sub(LISTED - 1).max(1)..=newest)
            .rev()
            .filter(|id| !self.is_gone(host, *id));
        let mut bytes: BTreeMap<&'static str, usize> = BTreeMap::new();
        let teasers: Vec<Teaser> = ids
            .map(|id| {
                let excerpt =
                    self.article(host, id).paragraphs.into_iter().next().unwrap_or_default();
                *bytes.entry(self.article_language(host, id)).or_default() += excerpt.len();
                Teaser { link: self.article_link(host, id), excerpt }
            })
            .collect();
        let most = bytes.into_iter().filter(|(_, n)| *n > 0).max_by_key(|(_, n)| *n);
        let mut menu = self.menu(host);
        if number < self.listings(host) {
            menu.push(Link {
                url: self.url(host, Place::Listing(number + 1)),
                text: self.label(host, "ui.older"),
            });
        }
        let mut rng = self.rng(&[10, host as u64, u64::from(number)]);
        Page {
            host,
            url: self.url(host, Place::Listing(number)),
            language: most.map_or("zxx", |(language, _)| language),
            title: h.title.clone(),
            print: false,
            byline: String::new(),
            paragraphs: Vec::new(),
            teasers,
            menu,
            external: self.external(host, &mut rng),
            share: Vec::new(),
            related: Vec::new(),
            recent: Vec::new(),
            partners: self.partner_links(host),
            comments: Vec::new(),
        }
    }

    /// The links of a page to other hosts that only this page has.
    fn external(&self, host: usize, rng: &mut Rng) -> Vec<Link> {
        let kind = self.hosts[host].kind;
        let count = match kind {
            Kind::Rich | Kind::Mixed => rng.usize(4..=8),
            Kind::Neighbour => rng.usize(2..=5),
            Kind::English => rng.usize(3..=6),
            Kind::Junk => rng.usize(3..=8),
        };
        let mut links = Vec::with_capacity(count);
        for _ in 0..count {
            let target = self.host_of(Kind::ALL[weighted(rng, kind.links())], host, rng);
            if target != host {
                links.push(self.deep_link(target, rng));
            }
        }
        links
    }

    /// A link from outside: to the front page, to an article, at times through a short address.
    ///
    /// Sites that are no news to a reader are named by their front page, and what is linked on the
    /// large ones is the same few articles again and again; among Urdu sites people link to what
    /// they have read.
    fn deep_link(&self, host: usize, rng: &mut Rng) -> Link {
        let (front, skew) = match self.hosts[host].kind {
            Kind::Rich | Kind::Mixed => (30, 2),
            Kind::English => (50, 6),
            Kind::Neighbour | Kind::Junk => (65, 4),
        };
        let drawn = rng.u8(..100);
        if drawn < front {
            return Link {
                url: self.url(host, Place::Listing(1)),
                text: self.hosts[host].title.clone(),
            };
        }
        if drawn < front + 4 {
            let id = self.live_article(host, rng);
            return Link { url: self.url(host, Place::Short(id)), text: self.headline(host, id) };
        }
        let last = self.hosts[host].articles;
        let id = (1.0 + f64::from(last) * rng.f64().powi(skew)) as u32;
        self.article_link(host, id.min(last))
    }

    /// The buttons of an article: the site's own page on two platforms, and a share address of the
    /// article on a third.
    fn share_links(&self, host: usize, id: u32) -> Vec<Link> {
        if self.hosts[host].kind == Kind::English {
            return Vec::new();
        }
        let mut platforms: Vec<usize> = self.range(Kind::English).take(PLATFORMS).collect();
        self.rng(&[11, host as u64]).shuffle(&mut platforms);
        let labels = self.furniture(host).list("ui.share");
        let link = |((platform, label), subject): ((&usize, &&str), u32)| {
            let drawn = mix(&[self.seed, 12, *platform as u64, host as u64, u64::from(subject)]);
            let target = 1 + (drawn % u64::from(self.hosts[*platform].articles)) as u32;
            Link { url: self.url(*platform, Place::Article(target)), text: (*label).to_string() }
        };
        platforms.iter().zip(&labels).zip([0, 0, id]).map(link).collect()
    }

    fn partner_links(&self, host: usize) -> Vec<Link> {
        let front = |p: &usize| Link {
            url: self.url(*p, Place::Listing(1)),
            text: self.hosts[*p].title.clone(),
        };
        let mirrors = if self.hosts[host].mirrored { MIRRORS } else { 0 };
        let mirrors = (1..=mirrors).map(|number| Link {
            url: self.mirror_url(host, number),
            text: self.hosts[host].title.clone(),
        });
        self.hosts[host].partners.iter().map(front).chain(mirrors).collect()
    }

    fn label(&self, host: usize, list: &str) -> String {
        self.furniture(host).list(list).first().copied().unwrap_or("…").to_string()
    }

    /// Returns the paths of a host that have a page: listings, articles, print copies.
    fn places(&self, host: usize) -> impl Iterator<Item = Place> + '_ {
        let h = &self.hosts[host];
        let listings = (1..=self.listings(host)).map(Place::Listing);
        let live = (1..=h.articles).filter(move |id| !self.is_gone(host, *id));
        let prints = if h.print_copies { h.articles } else { 0 };
        let prints = (1..=prints).filter(move |id| !self.is_gone(host, *id)).map(Place::Print);
        listings.chain(live.map(Place::Article)).chain(prints)
    }

    /// Returns the number of URLs of a host that have a page.
    pub fn pages_of(&self, host: usize) -> usize {
        self.places(host).count()
    }

    /// Returns the URLs of a host that have a page: listings, articles, print copies.
    pub fn urls_of(&self, host: usize) -> impl Iterator<Item = String> + '_ {
        self.places(host).map(move |place| self.url(host, place))
    }

    /// Returns at most `limit` URLs that have a page, spread evenly over the web.
    pub fn sample(&self, limit: usize) -> impl Iterator<Item = String> + '_ {
        let all: usize = (0..self.hosts.len()).map(|host| self.pages_of(host)).sum();
        let places = (0..self.hosts.len())
            .flat_map(|host| self.places(host).map(move |place| (host, place)));
        places.step_by(all.div_ceil(limit.max(1)).max(1)).map(|(host, place)| self.url(host, place))
    }
}

/// Returns the day of an article. Later articles are younger; each host publishes at a different
/// rate.
fn date(host: usize, id: u32) -> (u32, u32, u32) {
    let days = id * (1 + host as u32 % 9);
    (2012 + days / 336 % 8, 1 + days / 28 % 12, 1 + days % 28)
}

/// An index drawn with the given weights.
fn weighted<const N: usize>(rng: &mut Rng, weights: [u32; N]) -> usize {
    let mut drawn = rng.u32(..weights.iter().sum::<u32>());
    for (index, weight) in weights.into_iter().enumerate() {
        match drawn.checked_sub(weight) {
            Some(rest) => drawn = rest,
            None => return index,
        }
    }
    N - 1
}

/// A count whose logarithm is about normal around that of `median` (the sum of twelve uniform
/// numbers, Irwin-Hall).
fn log_normal(rng: &mut Rng, median: f64, sigma: f64, low: u32, high: u32) -> u32 {
    let normal = (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
    ((median * (sigma * normal).exp()) as u32).clamp(low, high)
}

/// The words of host names by section.
struct Names<'a>(HashMap<&'a str, Vec<(&'a str, &'a str)>>);

impl<'a> Names<'a> {
    fn parse(data: &'a str) -> Names<'a> {
        let mut sections: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
        let mut section = "";
        for line in data.lines().map(str::trim).filter(|l| !l.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                section = name;
            } else if let Some((latin, own)) = line.split_once('=') {
                sections.entry(section).or_default().push((latin.trim(), own.trim()));
            }
        }
        Names(sections)
    }

    /// Returns a host name and a site name. `.test` is reserved (RFC 6761), so a crawler that
    /// bypasses its proxy reaches no real host.
    fn pick(&self, language: &str, rng: &mut Rng) -> (String, String) {
        let mut draw = |part: &str| {
            let list = self
                .0
                .get(format!("{language}.{part}").as_str())
                .map(Vec::as_slice)
                .unwrap_or_default();
            list.get(rng.usize(..list.len().max(1))).copied().unwrap_or(("site", "site"))
        };
        let (first, second) = (draw("first"), draw("second"));
        let mut name =
            format!("{}{}{}", first.0, if language == "eng" { "" } else { "-" }, second.0);
        match rng.u8(..10) {
            0..=3 => name.insert_str(0, "www."),
            4 if language != "eng" => name.push_str(".blogghar"),
            // Two papers of one name in two towns.
            5 => {
                let _ = write!(name, "{}", rng.u8(2..100));
            }
            _ => {}
        }
        (name + ".test", format!("{} {}", first.1, second.1))
    }
}
