//! Generated webs whose sites have sections: the pages of a site in one language share a directory,
//! a parameter or a subdomain, pages link to the other languages, and links have anchors.
//! `docs/steering.md` explains the parameters.

use crate::details::{Details, Marked, ANCHOR, HREFLANG_OTHER, HREFLANG_TARGET};
use crate::generate::{draw_sizes, hub, normal, Sizes};
use crate::graph::{Graph, GraphPage, GONE};
use fastrand::Rng;
use sitescore::pages::Sections;
use std::collections::HashMap;
use std::ops::Range;

/// Parameters of a web of sites. Shares are guesses; the webs of [`SITES`] vary them widely.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SiteSettings {
    /// Number of pages in the web.
    pub pages: usize,
    /// Sites. A site whose languages have subdomains of their own has several hosts.
    pub sites: usize,
    /// Shares of the sites: rich, mixed without sections, with sections. The others have no text in
    /// the language.
    pub shares: [f64; 3],
    /// Median number of links of a page.
    pub links_median: f64,
    /// Share of links that stay on the site.
    pub locality: f64,
    /// Share of anchors that are not in the language of their target.
    pub wrong_anchors: f64,
    /// Whether anchors are in the main language of the linking site instead.
    pub menu_anchors: bool,
    /// Share of links to other sites that lead to sites without the language, with an anchor in it.
    pub spam: f64,
    /// Share of the other sites that form a link farm: they link to each other with anchors in the
    /// language, and one page in ten is in it.
    pub farm: f64,
    /// Share of the sections named as the language that are not in it.
    pub lies: f64,
    /// Whether almost all pages of rich sites and of sections in the language are in it.
    pub pure: bool,
    /// Share of the sites with text that lose it in one of the first ten rounds.
    pub changes: f64,
}

impl Default for SiteSettings {
    fn default() -> Self {
        Self {
            pages: 1_000_000,
            sites: 10_000,
            shares: [0.05, 0.057, 0.072],
            links_median: 10.0,
            locality: 0.6,
            wrong_anchors: 0.2,
            menu_anchors: false,
            spam: 0.0,
            farm: 0.0,
            lies: 0.0,
            pure: false,
            changes: 0.0,
        }
    }
}

/// Webs of sites; the first is the plain one.
pub const SITES: [&str; 13] = [
    "sections",
    "sections-pure",
    "sections-pure-menus",
    "sections-anchors",
    "sections-menus",
    "sections-spam",
    "sections-farm",
    "sections-lies",
    "sections-changes",
    "sections-noise",
    "plain",
    "plain-anchors",
    "plain-targets",
];

impl SiteSettings {
    /// Returns the settings of one of [`SITES`].
    pub fn of_web(name: &str) -> Option<Self> {
        let sections = Self::default();
        // No site has sections, and anchors are those of menus.
        let plain = Self { shares: [0.08, 0.11, 0.0], menu_anchors: true, ..sections };
        Some(match name {
            "sections" => sections,
            "sections-pure" => Self { pure: true, ..sections },
            "sections-pure-menus" => Self { pure: true, menu_anchors: true, ..sections },
            "sections-anchors" => Self { wrong_anchors: 0.6, ..sections },
            "sections-menus" => Self { menu_anchors: true, ..sections },
            "sections-spam" => Self { spam: 0.2, ..sections },
            "sections-farm" => Self { farm: 0.05, ..sections },
            "sections-lies" => Self { lies: 0.5, ..sections },
            "sections-changes" => Self { changes: 0.3, ..sections },
            "sections-noise" => Self {
                wrong_anchors: 0.4,
                spam: 0.1,
                farm: 0.03,
                lies: 0.25,
                changes: 0.15,
                ..sections
            },
            "plain" => plain,
            "plain-anchors" => Self { menu_anchors: false, wrong_anchors: 0.6, ..plain },
            "plain-targets" => Self { menu_anchors: false, ..plain },
            _ => return None,
        })
    }
}

/// A kind of site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rich,
    Mixed,
    Sections,
    World,
    Farm,
}

const KINDS: [Kind; 5] = [Kind::Rich, Kind::Mixed, Kind::Sections, Kind::World, Kind::Farm];

impl Kind {
    /// Size of its sites, as a factor.
    fn size(self) -> f64 {
        match self {
            Self::Rich | Self::Sections => 2.0,
            Self::Mixed => 1.5,
            Self::World | Self::Farm => 1.0,
        }
    }

    /// Weights of the kinds of sites that its pages link to: pages in the language, and others.
    fn links(self, in_language: bool) -> [f64; KINDS.len()] {
        match (self, in_language) {
            (Self::Farm, _) => [0.02, 0.01, 0.02, 0.15, 0.80],
            (_, true) => [0.28, 0.09, 0.13, 0.50, 0.0],
            (Self::World, false) => [0.002, 0.005, 0.03, 0.963, 0.0],
            (_, false) => [0.06, 0.05, 0.10, 0.79, 0.0],
        }
    }
}

/// How the languages of a site are kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Directory,
    Parameter,
    Subdomain,
}

/// Pages of a site in one language, or on one subject.
#[derive(Debug)]
struct Part {
    pages: Range<u32>,
    /// Whether its name is that of the target language.
    named: bool,
    /// Share of its pages in the language.
    share: f64,
}

#[derive(Debug)]
struct Site {
    kind: Kind,
    pages: Range<u32>,
    parts: Vec<Part>,
    /// Whether each page links to the other languages.
    switch: bool,
    /// Whether these links have `hreflang`.
    hreflang: bool,
    /// Whether most of its pages are in the language.
    main: bool,
    friends: Vec<u32>,
}

impl Site {
    /// Returns the part in the target language by its name.
    fn named(&self) -> Option<&Part> {
        self.parts.iter().find(|part| part.named)
    }
}

/// Target bytes of a page in the language: median over sites, and spreads of the logarithm over
/// sites and pages, as in [`crate::GraphSettings`].
const BYTES: [f64; 3] = [1500.0, 0.6, 0.8];
/// Share of URLs without a response.
const GONE_SHARE: f64 = 0.04;
/// Languages of the pages that are not in the target language.
const OTHERS: [&str; 5] = ["en", "fa", "ar", "hi", "de"];
/// Names of sections in the language, with their weights.
const NAMES: [(&str, f64); 4] = [("ur", 0.6), ("urdu", 0.2), ("ur-pk", 0.1), ("edition-b", 0.1)];
/// Names of subjects.
const SUBJECTS: [&str; 6] = ["news", "sport", "archive/2024", "people", "blog", "topic"];

/// Generates a web of sites. The result depends only on the settings and the random seed.
pub fn generate(settings: &SiteSettings, seed: u64) -> Graph {
    let mut rng = Rng::with_seed(seed);
    let kinds = draw_kinds(settings, &mut rng);
    let sizes = Sizes { pages: settings.pages, exponent: 0.9 };
    let factors: Vec<f64> = kinds.iter().map(|kind| kind.size()).collect();
    let sizes = draw_sizes(sizes, &factors, &mut rng);
    let mut web = Web::default();
    for (&kind, &size) in kinds.iter().zip(&sizes) {
        web.add_site(settings, kind, size, &mut rng);
    }
    web.draw_friends(&mut rng);
    let Web { hosts, sites, mut details, relevant, .. } = web;
    let mut graph = Graph::with_pages(hosts);
    let fame = Fame::new(&sites);
    for site in &sites {
        for page in site.pages.clone() {
            let mut links = Vec::new();
            if graph.target(page).is_some() {
                let source = Source { settings, sites: &sites, site, page, relevant: &relevant };
                source.draw(&fame, &mut rng, &mut links);
            }
            graph.push_links(&mut details.push(page, &mut links));
        }
    }
    graph.set_details(details);
    graph
}

fn draw_kinds(settings: &SiteSettings, rng: &mut Rng) -> Vec<Kind> {
    let [rich, mixed, sections] = settings.shares;
    let mut kinds = Vec::with_capacity(settings.sites);
    for (kind, share) in
        KINDS.into_iter().zip([rich, mixed, sections, 0.0, settings.farm]).filter(|(_, s)| *s > 0.0)
    {
        let count = (share * settings.sites as f64).round() as usize;
        kinds.extend(std::iter::repeat_n(kind, count.max(1)));
    }
    kinds.resize(settings.sites, Kind::World);
    rng.shuffle(&mut kinds);
    kinds
}

/// Sites with their pages, without links.
#[derive(Default)]
struct Web {
    hosts: Vec<Vec<GraphPage>>,
    sites: Vec<Site>,
    details: Details,
    /// Number of each section of URLs.
    numbers: HashMap<String, u32>,
    /// Whether each page is in the language.
    relevant: Vec<bool>,
}

/// Pages of a site that are drawn alike.
struct Draw {
    share: f64,
    bytes_median: f64,
    raw_median: f64,
}

impl Web {
    fn add_site(&mut self, settings: &SiteSettings, kind: Kind, size: u32, rng: &mut Rng) {
        let first = self.relevant.len() as u32;
        let bytes_median = BYTES[0] * (BYTES[1] * normal(rng)).exp();
        let raw_median = if kind == Kind::Rich { 36_000.0 } else { 15_000.0 };
        let plan = draw_parts(settings, kind, size, rng);
        let from_host = self.hosts.len();
        let mut parts = Vec::with_capacity(plan.len());
        for (at, Planned { pages, url, label, share, named }) in plan.into_iter().enumerate() {
            if at == 0 || !label.is_empty() {
                self.hosts.push(Vec::new());
                self.details.labels.push(label);
            }
            let next = self.numbers.len() as u32;
            let number = *self.numbers.entry(url).or_insert_with_key(|url| {
                self.details.sections.push(Sections::of(url));
                next
            });
            let start = self.relevant.len() as u32;
            self.add_pages(pages, number, &Draw { share, bytes_median, raw_median }, rng);
            parts.push(Part { pages: start..start + pages, named, share });
        }
        let loses = kind != Kind::World && kind != Kind::Farm && rng.f64() < settings.changes;
        let change = if loses { rng.usize(1..10) } else { usize::MAX };
        self.details.changes.resize(self.hosts.len(), change);
        debug_assert!(from_host < self.hosts.len());
        let pages = first..self.relevant.len() as u32;
        let weighed = parts.iter().map(|part| part.share * part.pages.len() as f64);
        let main = weighed.sum::<f64>() >= 0.5 * pages.len() as f64;
        let (switch, hreflang) = (rng.f64() < 0.8, rng.f64() < 0.4);
        self.sites.push(Site { kind, pages, parts, switch, hreflang, main, friends: Vec::new() });
    }

    fn add_pages(&mut self, count: u32, section: u32, draw: &Draw, rng: &mut Rng) {
        let host = self.hosts.last_mut().expect("a site has a host");
        for _ in 0..count {
            let relevant = rng.f64() < draw.share;
            let bytes = if relevant {
                draw.bytes_median * (BYTES[2] * normal(rng)).exp()
            } else if draw.share > 0.0 && rng.f64() < 0.2 {
                60.0 * (0.7 * normal(rng)).exp()
            } else {
                0.0
            };
            let raw = (draw.raw_median * (0.5 * normal(rng)).exp()).clamp(500.0, 5e6) + 2.0 * bytes;
            let gone = rng.f64() < GONE_SHARE;
            let target = if gone { GONE } else { bytes.min(5e6) as u32 };
            host.push(GraphPage { target, raw: raw as u32 });
            self.details.section_of.push(section);
            self.relevant.push(relevant);
        }
    }

    fn draw_friends(&mut self, rng: &mut Rng) {
        let fame = Fame::new(&self.sites);
        for site in &mut self.sites {
            let weights = site.kind.links(site.main);
            site.friends = (0..12).filter_map(|_| fame.draw(&weights, rng)).collect();
        }
    }
}

/// Pages of a site to draw: their number, what their URLs begin with, the label of their host if
/// they begin a host of their own.
struct Planned {
    pages: u32,
    url: String,
    label: &'static str,
    share: f64,
    named: bool,
}

/// Draws the parts of a site: languages, or subjects.
fn draw_parts(settings: &SiteSettings, kind: Kind, size: u32, rng: &mut Rng) -> Vec<Planned> {
    if kind == Kind::Sections && size >= 4 {
        return draw_languages(settings, size, rng);
    }
    let own = match kind {
        Kind::Rich if settings.pure => 0.97 + 0.03 * rng.f64(),
        Kind::Rich => 0.75 + 0.23 * rng.f64(),
        Kind::Mixed | Kind::Sections => 0.05 + 0.45 * rng.f64(),
        Kind::World => 0.0,
        Kind::Farm => 0.1,
    };
    let count = 1 + rng.u32(..3).min(size / 8);
    let pages = split(size, &vec![1.0; count as usize]);
    let start = rng.usize(..SUBJECTS.len());
    let part = |(at, pages): (usize, u32)| {
        let subject = SUBJECTS[(start + at) % SUBJECTS.len()];
        let url = if count == 1 { "/".to_owned() } else { format!("/{subject}/") };
        Planned { pages, url, label: "", share: own, named: false }
    };
    pages.into_iter().enumerate().map(part).collect()
}

/// Draws the parts of a site in several languages. The first language is the main one.
fn draw_languages(settings: &SiteSettings, size: u32, rng: &mut Rng) -> Vec<Planned> {
    let count = rng.usize(2..=6.min(size as usize / 2));
    let weights: Vec<f64> = (0..count).map(|_| (0.7 * normal(rng)).exp()).collect();
    let target = rng.usize(..count);
    let form = match rng.f64() {
        at if at < 0.5 => Form::Directory,
        at if at < 0.75 => Form::Parameter,
        _ => Form::Subdomain,
    };
    let mut at = rng.f64();
    let drawn = NAMES.iter().find(|(_, weight)| {
        at -= weight;
        at < 0.0
    });
    let name = drawn.map_or("ur", |(name, _)| name);
    let lies = rng.f64() < settings.lies;
    let share = match (lies, settings.pure) {
        (true, _) => 0.0,
        (false, true) => 0.97 + 0.03 * rng.f64(),
        (false, false) => 0.85 + 0.12 * rng.f64(),
    };
    let start = rng.usize(..OTHERS.len());
    let subject = SUBJECTS[rng.usize(..SUBJECTS.len())];
    let part = |(at, pages): (usize, u32)| {
        let named = at == target;
        let language = if named { name } else { OTHERS[(start + at) % OTHERS.len()] };
        let (url, label) = match form {
            // The main language of a site often has no directory of its own.
            Form::Directory if at == 0 && rng.bool() => ("/".to_owned(), ""),
            Form::Directory => (format!("/{language}/{subject}/"), ""),
            Form::Parameter => (format!("/{subject}/?id=1&lang={language}"), ""),
            Form::Subdomain => (format!("/{subject}/"), language),
        };
        Planned { pages, url, label, share: if named { share } else { 0.0 }, named }
    };
    split(size, &weights).into_iter().enumerate().map(part).collect()
}

/// Splits pages by weights; each part has at least one.
fn split(pages: u32, weights: &[f64]) -> Vec<u32> {
    let sum: f64 = weights.iter().sum();
    let spare = f64::from(pages) - weights.len() as f64;
    let mut parts: Vec<u32> =
        weights.iter().map(|weight| 1 + (spare.max(0.0) * weight / sum) as u32).collect();
    let given: u32 = parts.iter().sum();
    parts[0] += pages.saturating_sub(given);
    parts
}

/// Draws sites of a kind by their size.
struct Fame {
    by_kind: Vec<(Vec<u32>, Vec<f64>)>,
}

impl Fame {
    fn new(sites: &[Site]) -> Self {
        let mut by_kind = vec![(Vec::new(), Vec::new()); KINDS.len()];
        for (number, site) in (0u32..).zip(sites) {
            let (numbers, sums): &mut (Vec<u32>, Vec<f64>) = &mut by_kind[site.kind as usize];
            let before = sums.last().copied().unwrap_or(0.0);
            numbers.push(number);
            sums.push(before + site.pages.len() as f64);
        }
        Self { by_kind }
    }

    fn draw(&self, weights: &[f64; KINDS.len()], rng: &mut Rng) -> Option<u32> {
        let mut at = rng.f64() * weights.iter().sum::<f64>();
        let kind = weights.iter().position(|weight| {
            at -= weight;
            at < 0.0
        })?;
        let (numbers, sums) = &self.by_kind[kind];
        let at = rng.f64() * sums.last()?;
        numbers.get(sums.partition_point(|&sum| sum <= at)).copied()
    }
}

/// A page whose links are drawn.
struct Source<'a> {
    settings: &'a SiteSettings,
    sites: &'a [Site],
    site: &'a Site,
    page: u32,
    relevant: &'a [bool],
}

impl Source<'_> {
    fn draw(&self, fame: &Fame, rng: &mut Rng, links: &mut Vec<Marked>) {
        if self.site.switch && self.site.named().is_some() {
            for part in &self.site.parts {
                // The name of a language is written in that language.
                links.push((part.pages.start, self.switch_marks(part, rng)));
            }
        }
        let in_language = self.relevant[self.page as usize];
        let count = self.settings.links_median * (0.7 * normal(rng)).exp();
        for _ in 0..count.clamp(1.0, 100.0) as u32 {
            if rng.f64() < self.settings.locality {
                let to = self.inside(rng);
                links.push((to, self.anchor(to, rng)));
            } else if rng.f64() < self.settings.spam {
                let world = [0.0, 0.0, 0.0, 1.0, 0.0];
                if let Some(site) = fame.draw(&world, rng) {
                    let to = &self.sites[site as usize].pages;
                    links.push((hub(to, rng), ANCHOR));
                }
            } else if let Some(to) = self.outside(fame, in_language, rng) {
                let is_farm = self.site.kind == Kind::Farm;
                links.push((to, if is_farm { ANCHOR } else { self.anchor(to, rng) }));
            }
        }
    }

    fn switch_marks(&self, part: &Part, rng: &mut Rng) -> u8 {
        let anchor = match self.settings.menu_anchors {
            true => self.site.main,
            false => part.named != (rng.f64() < self.settings.wrong_anchors),
        };
        let hreflang = match (self.site.hreflang, part.named) {
            (false, _) => 0,
            (true, true) => HREFLANG_TARGET,
            (true, false) => HREFLANG_OTHER,
        };
        hreflang | if anchor { ANCHOR } else { 0 }
    }

    /// Draws the mark of an anchor: the language of the target, except for some, or that of the
    /// linking site's menu.
    fn anchor(&self, to: u32, rng: &mut Rng) -> u8 {
        let is_target = match self.settings.menu_anchors {
            true => self.site.main,
            false => self.relevant[to as usize] != (rng.f64() < self.settings.wrong_anchors),
        };
        u8::from(is_target) * ANCHOR
    }

    /// Draws a page of the same site: mostly of the same part, near or popular.
    fn inside(&self, rng: &mut Rng) -> u32 {
        let parts = &self.site.parts;
        let own = parts.iter().find(|part| part.pages.contains(&self.page));
        let range = match own {
            Some(own) if rng.f64() < 0.85 => own.pages.clone(),
            _ => self.site.pages.clone(),
        };
        if rng.bool() {
            return hub(&range, rng);
        }
        let step = 1 + (rng.f64().max(1e-12).ln() * -4.0) as u32;
        let ahead = if rng.bool() { self.page + step } else { self.page.saturating_sub(step) };
        ahead.clamp(range.start, range.end - 1)
    }

    /// Draws a page of another site. A page in the language links mostly to the part in the
    /// language, others to the main part.
    fn outside(&self, fame: &Fame, in_language: bool, rng: &mut Rng) -> Option<u32> {
        let friends = &self.site.friends;
        let site = if rng.bool() && !friends.is_empty() {
            friends[rng.usize(..friends.len())]
        } else {
            fame.draw(&self.site.kind.links(in_language), rng)?
        };
        let site = &self.sites[site as usize];
        let range = match site.named() {
            Some(part) if in_language && rng.f64() < 0.7 => part.pages.clone(),
            Some(_) if rng.f64() < 0.6 => site.parts[0].pages.clone(),
            _ => site.pages.clone(),
        };
        Some(if rng.f64() < 0.4 { range.start } else { hub(&range, rng) })
    }
}
