//! Generation of random graphs. `docs/steering.md` explains the parameters.

use crate::graph::{Graph, GraphPage, GONE};
use fastrand::Rng;

/// A kind of host.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Kind {
    /// Name of the kind, such as `rich`.
    pub name: &'static str,
    /// Share of the hosts.
    pub hosts: f64,
    /// Factor for the size of its hosts, relative to the power law.
    pub size: f64,
    /// Range of the share of a host's pages that are in the target language; each host's share is
    /// drawn from it.
    pub share: [f64; 2],
    /// Share of the other pages with a little target text: a quotation, a menu.
    pub traces: f64,
    /// Downloaded bytes of a page without target text: median over hosts.
    pub raw_median: f64,
    /// Targets of links from pages in the target language to other hosts: weights of the kinds in
    /// order.
    pub links_relevant: [f64; KINDS],
    /// The weights for links from other pages.
    pub links_other: [f64; KINDS],
}

/// Number of kinds.
pub const KINDS: usize = 5;

/// Most target languages of a graph.
pub const MAX_LANGUAGES: usize = 16;

/// Parameters of a graph.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct GraphSettings {
    /// Number of pages in the web.
    pub pages: usize,
    /// Number of hosts in the web.
    pub hosts: usize,
    /// The host of rank r of n has a size in proportion to r^-s.
    pub size_exponent: f64,
    /// Links of a page: median of a log-normal distribution, limited to 1 to 100
    /// (`db.max.outlinks.per.page`).
    pub links_median: f64,
    /// Share of links that stay on the host.
    pub locality: f64,
    /// Share of the links to other hosts that lead to one of the host's friends, which are drawn
    /// once per host.
    pub friends_share: f64,
    /// Friends of a host.
    pub friends: u64,
    /// Share of URLs without a response.
    pub gone: f64,
    /// Target bytes of a host's median page in the language: median over hosts.
    pub bytes_median: f64,
    /// Spread of that median over hosts: standard deviation of the logarithm.
    pub bytes_spread_hosts: f64,
    /// Spread of pages around their host's median.
    pub bytes_spread_pages: f64,
    /// Share of the rich and mixed hosts that have a trap: an endless series of pages that repeat
    /// the host's text.
    pub traps: f64,
    /// Pages of a trap.
    pub trap_pages: u32,
    /// Target languages, as the weights by which hosts get theirs; at most [`MAX_LANGUAGES`].
    pub languages: Vec<f64>,
    /// If there are several languages: share of the links between hosts with a language (all kinds
    /// but the world) that lead to a host of the same language. The others lead to any host.
    pub kinship: f64,
    /// If there are several languages: share of the hosts with a language that have half of their
    /// pages in a target language that is drawn again.
    pub bilingual: f64,
    /// The kinds of hosts.
    pub kinds: [Kind; KINDS],
}

impl Default for GraphSettings {
    /// A million pages around a small language.
    fn default() -> Self {
        Self {
            pages: 1_000_000,
            hosts: 20_000,
            size_exponent: 0.9,
            links_median: 10.0,
            locality: 0.6,
            friends_share: 0.5,
            friends: 12,
            gone: 0.04,
            bytes_median: 1500.0,
            bytes_spread_hosts: 0.6,
            bytes_spread_pages: 0.8,
            traps: 0.0,
            trap_pages: 5_000,
            languages: vec![1.0],
            kinship: 0.8,
            bilingual: 0.1,
            kinds: kinds(),
        }
    }
}

/// The kinds of hosts around a small language.
fn kinds() -> [Kind; KINDS] {
    let kind = |name, hosts, size, share, traces, raw_median, links_other| {
        let links_relevant = [0.28, 0.09, 0.07, 0.06, 0.50];
        Kind { name, hosts, size, share, traces, raw_median, links_relevant, links_other }
    };
    let (own, others) = (RAW_MEDIAN, RAW_MEDIAN_OTHERS);
    [
        kind("rich", 0.10, 2.5, [0.60, 0.98], 0.6, own, [0.30, 0.10, 0.10, 0.10, 0.40]),
        kind("mixed", 0.08, 1.5, [0.05, 0.50], 0.3, own, [0.08, 0.10, 0.15, 0.12, 0.55]),
        kind("traces", 0.15, 1.0, [0.0, 0.03], 0.5, others, [0.05, 0.05, 0.15, 0.15, 0.60]),
        kind("near", 0.20, 1.0, [0.0, 0.002], 0.05, others, [0.01, 0.01, 0.04, 0.50, 0.44]),
        kind("world", 0.47, 1.0, [0.0, 0.0], 0.0, others, [0.001, 0.002, 0.007, 0.03, 0.96]),
    ]
}

/// Webs that differ from the default in one way each, so that the choice of a policy does not
/// depend on one web.
pub const WEBS: [&str; 6] = ["default", "local", "flat", "sparse", "noisy", "long"];

/// Webs with endless hosts, in addition to [`WEBS`].
pub const TRAPS: [&str; 2] = ["traps", "sparse-traps"];

impl GraphSettings {
    /// Returns the settings of one of [`WEBS`] or [`TRAPS`].
    pub fn of_web(name: &str) -> Option<Self> {
        let mut settings = Self::default();
        match name {
            "default" => {}
            // Hosts link mostly to themselves and to the same few others.
            "local" => {
                settings.locality = 0.85;
                settings.friends_share = 0.8;
            }
            // Many small hosts, no giants.
            "flat" => {
                settings.hosts *= 3;
                settings.size_exponent = 0.5;
            }
            // Half as much of the language.
            "sparse" => {
                for kind in &mut settings.kinds[..2] {
                    kind.hosts /= 2.0;
                }
                settings.kinds[KINDS - 1].hosts += 0.09;
            }
            // Pages in the language link almost always to hosts outside it, and rich hosts are less
            // rich.
            "noisy" => {
                for kind in &mut settings.kinds {
                    kind.links_relevant = [0.10, 0.04, 0.06, 0.05, 0.75];
                }
                settings.kinds[0].share = [0.5, 0.9];
            }
            // Pages have three times the links.
            "long" => settings.links_median *= 3.0,
            // One in fifty hosts with text has an endless calendar, or a URL per session.
            "traps" => settings.traps = 0.02,
            "sparse-traps" => settings = Self { traps: 0.02, ..Self::of_web("sparse")? },
            _ => return None,
        }
        Some(settings)
    }
}

/// A host during the generation.
struct Host {
    kind: usize,
    first: u32,
    pages: u32,
    /// The pages of its trap, before or behind its own pages by URL; empty if it has none.
    trap: std::ops::Range<u32>,
    /// Pages, from the first on, of the section in the target language, if the host is mixed.
    section: std::ops::Range<u32>,
    /// Friends of the host, of all kinds, drawn once. A kind without hosts has none.
    friends: Vec<u32>,
    /// Its target language; `None` if its kind has none, or the graph has only one.
    language: Option<u8>,
}

/// Generates a graph. The result depends only on the settings and the random seed.
///
/// # Panics
/// Panics if there are more languages than [`MAX_LANGUAGES`].
pub fn generate(settings: &GraphSettings, seed: u64) -> Graph {
    assert!(settings.languages.len() <= MAX_LANGUAGES, "too many target languages");
    let mut rng = Rng::with_seed(seed);
    let kinds = draw_kinds(settings, &mut rng);
    let factors: Vec<f64> = kinds.iter().map(|&kind| settings.kinds[kind].size).collect();
    let law = Sizes { pages: settings.pages, exponent: settings.size_exponent };
    let sizes = draw_sizes(law, &factors, &mut rng);
    let mut web = Web::with_room(kinds.len());
    // Traps have a generator of their own, so that they do not change the rest of the web.
    let mut trap_rng = Rng::with_seed(!seed);
    for (&kind, &size) in kinds.iter().zip(&sizes) {
        web.add_host(settings, kind, size, &mut rng, &mut trap_rng);
    }
    let Web { mut hosts, pages, in_language, .. } = web;
    let languages =
        draw_languages(settings, &mut hosts, &pages, &mut Rng::with_seed(seed ^ LANGUAGE_SEED));
    let fame = Fame::new(&hosts, settings);
    for host in &mut hosts {
        let of = &settings.kinds[host.kind];
        let weights = if of.share[0] >= 0.5 { &of.links_relevant } else { &of.links_other };
        host.friends = (0..settings.friends)
            .filter_map(|_| fame.draw(weights, host.language, &mut rng))
            .collect();
    }
    let mut graph = Graph::with_pages(pages);
    if let Some(of_pages) = languages {
        graph.set_languages(settings.languages.len(), of_pages);
    }
    let mut links = Vec::new();
    for (number, host) in hosts.iter().enumerate() {
        for page in graph.pages_of(number) {
            links.clear();
            if host.trap.contains(&page) {
                trap_links(host, page, &mut links);
            } else if graph.target(page).is_some() {
                let page = page - host.first;
                let relevant = in_language[number][page as usize];
                let source =
                    Source { hosts: &hosts, fame: &fame, settings, number, page, relevant };
                source.draw_links(&mut rng, &mut links);
                // Every page's menu links to the current page of the calendar.
                links.extend(host.trap.clone().next());
            }
            graph.push_links(&mut links);
        }
    }
    graph.set_repeats(
        hosts.into_iter().map(|host| host.trap).filter(|trap| !trap.is_empty()).collect(),
    );
    graph
}

/// The hosts and pages of a web, without links.
struct Web {
    hosts: Vec<Host>,
    /// Pages of each host.
    pages: Vec<Vec<GraphPage>>,
    /// Whether each page that is not in a trap is in the target language, by host.
    in_language: Vec<Vec<bool>>,
    /// Number of pages so far.
    first: u32,
}

impl Web {
    fn with_room(hosts: usize) -> Self {
        let (hosts, pages) = (Vec::with_capacity(hosts), Vec::with_capacity(hosts));
        Self { hosts, pages, in_language: Vec::new(), first: 0 }
    }

    /// Draws the pages of a host, and its trap if it has one.
    fn add_host(
        &mut self,
        settings: &GraphSettings,
        kind: usize,
        size: u32,
        rng: &mut Rng,
        trap_rng: &mut Rng,
    ) {
        let of = &settings.kinds[kind];
        let share = of.share[0] + (of.share[1] - of.share[0]) * rng.f64();
        let whole = of.share[0] >= 0.5;
        let begins = ((1.0 - share) * f64::from(size) * rng.f64()) as u32;
        let section =
            if whole { 0..size } else { begins..begins + (share * f64::from(size)).round() as u32 };
        let wordiness = normal(rng);
        let text_median = settings.bytes_median * (settings.bytes_spread_hosts * wordiness).exp();
        let raw_median =
            of.raw_median * (RAW_SPREAD * normal(rng) - RAW_BY_WORDINESS * wordiness).exp();
        let mut pages = Vec::with_capacity(size as usize);
        let mut relevant_pages = Vec::with_capacity(size as usize);
        for page in 0..size {
            // In a rich host the pages without text, mostly indexes, are anywhere; in a mixed host
            // the language has a section.
            let relevant = if whole { rng.f64() < share } else { section.contains(&page) };
            relevant_pages.push(relevant);
            let bytes = if relevant {
                text_median * (settings.bytes_spread_pages * normal(rng)).exp()
            } else if rng.f64() < of.traces {
                TRACE_MEDIAN * (0.7 * normal(rng)).exp()
            } else {
                0.0
            };
            let raw = (raw_median * (0.5 * normal(rng)).exp()).clamp(500.0, 5e6) + 2.0 * bytes;
            let gone = rng.f64() < settings.gone;
            pages.push(GraphPage {
                target: if gone { GONE } else { bytes.min(5e6) as u32 },
                raw: raw as u32,
            });
        }
        self.in_language.push(relevant_pages);
        let (first, mut trap, mut own) = (self.first, 0..0, self.first);
        if of.share[1] >= 0.5 && trap_rng.f64() < settings.traps {
            let endless = trap_pages(settings, text_median, raw_median, trap_rng);
            if trap_rng.bool() {
                trap = first..first + settings.trap_pages;
                own = trap.end;
                pages.splice(..0, endless);
            } else {
                trap = first + size..first + size + settings.trap_pages;
                pages.extend(endless);
            }
        }
        self.first += pages.len() as u32;
        let (friends, language) = (Vec::new(), None);
        self.hosts.push(Host { kind, first: own, pages: size, trap, section, friends, language });
        self.pages.push(pages);
    }
}

/// Seed of the draws of languages. They are independent of the other draws, so that a web in
/// several languages is otherwise the same as a web in one language.
const LANGUAGE_SEED: u64 = 0x6C61_6E67_7561_6765;

/// Draws the target languages of hosts, and returns those of pages; `None` if there is only one.
fn draw_languages(
    settings: &GraphSettings,
    hosts: &mut [Host],
    pages: &[Vec<GraphPage>],
    rng: &mut Rng,
) -> Option<Vec<u8>> {
    if settings.languages.len() < 2 {
        return None;
    }
    let mut of_pages = Vec::new();
    for (host, pages) in hosts.iter_mut().zip(pages) {
        if settings.kinds[host.kind].share[1] == 0.0 {
            of_pages.resize(of_pages.len() + pages.len(), 0);
            continue;
        }
        let own = language(&settings.languages, rng);
        let other =
            if rng.f64() < settings.bilingual { language(&settings.languages, rng) } else { own };
        host.language = Some(own);
        of_pages.extend(pages.iter().map(|_| if rng.bool() { own } else { other }));
    }
    Some(of_pages)
}

/// Draws a language by weight.
fn language(weights: &[f64], rng: &mut Rng) -> u8 {
    let mut at = rng.f64() * weights.iter().sum::<f64>();
    let drawn = weights.iter().position(|weight| {
        at -= weight;
        at < 0.0
    });
    drawn.unwrap_or(weights.len() - 1) as u8
}

/// Draws the pages of a trap, all in a language of its host.
fn trap_pages(
    settings: &GraphSettings,
    text_median: f64,
    raw_median: f64,
    rng: &mut Rng,
) -> Vec<GraphPage> {
    let page = |_| {
        let bytes = text_median * (settings.bytes_spread_pages * normal(rng)).exp();
        GraphPage { target: bytes.min(5e6) as u32, raw: (raw_median + 2.0 * bytes) as u32 }
    };
    (0..settings.trap_pages).map(page).collect()
}

/// Returns the links of a trap's page: the next days and months, and the front page.
fn trap_links(host: &Host, page: u32, links: &mut Vec<u32>) {
    let ahead = [1, 2, 3, 7, 30, 365].map(|days| page.saturating_add(days));
    links.extend(ahead.into_iter().filter(|page| host.trap.contains(page)));
    links.push(host.first);
}

/// Size of a downloaded page in bytes: median over hosts with the language. With the spreads below,
/// one page in 200 is larger than 1 MB (in UrduWeb20 7,354 of 1.28 million).
const RAW_MEDIAN: f64 = 36_000.0;
/// Size of a downloaded page in bytes: median over the other hosts. In the Common Crawl of Urdu,
/// the dropped pages have 0.4 times the size of the kept pages.
const RAW_MEDIAN_OTHERS: f64 = 15_000.0;
/// Spread of a page's size over hosts: standard deviation of the logarithm, without the effect of
/// [`RAW_BY_WORDINESS`].
const RAW_SPREAD: f64 = 0.8;
/// Change of the logarithm of a page's size for a standard deviation of the host's text. Hosts with
/// less text on a page have larger pages: in Table 1 of SpiderLing (Suchomel and Pomikálek 2012)
/// the download of a domain is proportional to its byte yield to the power of -0.65. The logarithm
/// of the byte yield has a standard deviation of 1.8 there, and of 1.7 here.
const RAW_BY_WORDINESS: f64 = 0.9;
/// Median of the target bytes of a page with traces.
const TRACE_MEDIAN: f64 = 60.0;

/// Draws the kinds of the hosts, in the order of the hosts' names. A name does not depend on the
/// kind.
fn draw_kinds(settings: &GraphSettings, rng: &mut Rng) -> Vec<usize> {
    let mut kinds = Vec::with_capacity(settings.hosts);
    let mut upto = 0.0;
    for (number, kind) in settings.kinds.iter().enumerate() {
        upto += kind.hosts;
        let end = ((upto * settings.hosts as f64).round() as usize).min(settings.hosts);
        kinds.resize(end.max(kinds.len()), number);
    }
    kinds.resize(settings.hosts, KINDS - 1);
    rng.shuffle(&mut kinds);
    kinds
}

/// A power law of the sizes of hosts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    /// Pages of all hosts, about.
    pub pages: usize,
    /// The host of rank r has a size in proportion to r to the power of minus this number.
    pub exponent: f64,
}

/// Draws the page counts of hosts, given a factor for the size of each: a power law, scaled to
/// about the requested sum, at least one each.
pub(crate) fn draw_sizes(law: Sizes, factors: &[f64], rng: &mut Rng) -> Vec<u32> {
    let mut places: Vec<usize> = (1..=factors.len()).collect();
    rng.shuffle(&mut places);
    let weights: Vec<f64> = (places.iter().zip(factors))
        .map(|(&place, &factor)| (place as f64).powf(-law.exponent) * factor)
        .collect();
    // The largest host has at most a fiftieth of the web, so that no draw depends on one host.
    let most = (law.pages as f64 / 50.0).max(1.0);
    let sum =
        |scale: f64| weights.iter().map(|w| (w * scale).clamp(1.0, most).floor()).sum::<f64>();
    let (mut low, mut high) = (0.0, law.pages as f64 * 1e6);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if sum(middle) < law.pages as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    weights.iter().map(|w| (w * low).clamp(1.0, most) as u32).collect()
}

/// Hosts of a kind, and the sums of their pages.
type Famous = (Vec<u32>, Vec<f64>);

/// Draws hosts of a kind by their popularity.
struct Fame {
    by_kind: Vec<Famous>,
    /// By language, then by kind; empty if there is only one language.
    by_language: Vec<Vec<Famous>>,
    kinship: f64,
}

impl Fame {
    fn new(hosts: &[Host], settings: &GraphSettings) -> Self {
        let none = vec![Famous::default(); KINDS];
        let (mut by_kind, mut by_language) = (none.clone(), Vec::new());
        if settings.languages.len() > 1 {
            by_language = vec![none; settings.languages.len()];
        }
        for (number, host) in (0u32..).zip(hosts) {
            let add = |(numbers, sums): &mut Famous| {
                let before = sums.last().copied().unwrap_or(0.0);
                numbers.push(number);
                sums.push(before + f64::from(host.pages));
            };
            add(&mut by_kind[host.kind]);
            if let Some(language) = host.language {
                add(&mut by_language[usize::from(language)][host.kind]);
            }
        }
        Self { by_kind, by_language, kinship: settings.kinship }
    }

    /// Draws a host that a host of this language links to, its kind by weight; `None` if there is
    /// no host of the kind.
    fn draw(&self, weights: &[f64; KINDS], language: Option<u8>, rng: &mut Rng) -> Option<u32> {
        let mut at = rng.f64() * weights.iter().sum::<f64>();
        let kind = weights.iter().position(|weight| {
            at -= weight;
            at < 0.0
        });
        let kind = kind.unwrap_or(KINDS - 1);
        let mut hosts = &self.by_kind[kind];
        if let Some(language) = language {
            let kin = &self.by_language[usize::from(language)][kind];
            if rng.f64() < self.kinship && !kin.0.is_empty() {
                hosts = kin;
            }
        }
        let (numbers, sums) = hosts;
        let at = rng.f64() * sums.last()?;
        numbers.get(sums.partition_point(|&sum| sum <= at)).copied()
    }
}

/// A page whose links are being drawn.
struct Source<'a> {
    hosts: &'a [Host],
    fame: &'a Fame,
    settings: &'a GraphSettings,
    number: usize,
    page: u32,
    relevant: bool,
}

impl Source<'_> {
    fn draw_links(&self, rng: &mut Rng, links: &mut Vec<u32>) {
        let host = &self.hosts[self.number];
        let of = &self.settings.kinds[host.kind];
        let count =
            (self.settings.links_median * (0.7 * normal(rng)).exp()).clamp(1.0, 100.0) as u32;
        for _ in 0..count {
            if rng.f64() < self.settings.locality {
                links.push(host.first + self.inside(host, rng));
                continue;
            }
            let weights = if self.relevant { &of.links_relevant } else { &of.links_other };
            let other = if rng.f64() < self.settings.friends_share && !host.friends.is_empty() {
                Some(host.friends[rng.usize(..host.friends.len())])
            } else {
                self.fame.draw(weights, host.language, rng)
            };
            if let Some(other) = other {
                let other = &self.hosts[other as usize];
                links.push(other.first + self.outside(other, rng));
            }
        }
    }

    /// Draws a page of the same host: a near one or a hub, mostly of the same section.
    fn inside(&self, host: &Host, rng: &mut Rng) -> u32 {
        let own = &host.section;
        let section = if own.contains(&self.page) && rng.f64() < 0.8 && own.len() > 1 {
            own.clone()
        } else {
            0..host.pages
        };
        if rng.bool() {
            return hub(&section, rng);
        }
        let step = 1 + (rng.f64().max(1e-12).ln() * -4.0) as u32;
        let near = if rng.bool() {
            self.page.saturating_add(step)
        } else {
            self.page.saturating_sub(step)
        };
        near.clamp(section.start, section.end - 1)
    }

    /// Draws a page of another host: the front page or a popular page. If the linking page is in
    /// the language and the host has a section, the page is in the section with a probability of
    /// .7.
    fn outside(&self, other: &Host, rng: &mut Rng) -> u32 {
        let section = if self.relevant && !other.section.is_empty() && rng.f64() < 0.7 {
            other.section.clone()
        } else {
            0..other.pages
        };
        if rng.f64() < 0.4 {
            section.start
        } else {
            hub(&section, rng)
        }
    }
}

/// Draws a page of a range by popularity. Popular pages are anywhere in it, but the first page is
/// the most popular one.
pub(crate) fn hub(range: &std::ops::Range<u32>, rng: &mut Rng) -> u32 {
    let size = u64::from(range.end - range.start);
    let place = (rng.f64().powi(3) * size as f64) as u64;
    range.start + (place * 0x9E37_79B1 % size) as u32
}

/// Draws from the normal distribution of mean 0 and deviation 1 (Box and Muller, 1958).
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.f64()).cos()
}
