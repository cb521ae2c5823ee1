//! The steps of a round over the rows of a crawl's database.

use super::calibration::Calibration;
use super::evidence::Evidence;
use super::host::{Counts, Host};
use super::model::{Around, Expected, Level, Model, Prediction, Sample};
use super::round::{Account, Candidates, Chosen};
use super::sections::Sections;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Most fetched rows that the regressions learn from. If there are more, those with the smallest
/// hashes of their URLs are taken, so that the choice is even and stays the same.
const MAX_SAMPLES: usize = 1 << 16;
/// Most labels of a host name that count as names of sections.
const MAX_LABELS: usize = 3;
/// The share of a round that the hosts of a registered domain have at most, in shares of a host. A
/// domain that makes host names without end would otherwise fill the round.
const HOSTS_OF_A_DOMAIN: usize = 4;
/// Factor of the probability of a page that was fetched before and not kept. It is due again, and
/// its own result says more than its section and its links.
const REJECTED_BEFORE: f64 = 0.1;
/// First line of a stored state.
const STATE: &str = "pages 2";

/// A row of the crawl's database.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CrawlRow<'a> {
    /// Number of the row in the order of the database.
    pub id: u32,
    /// Absolute URL.
    pub url: &'a str,
    /// Bytes of the host's name in front of its registered domain, without the dot; 0 if there is
    /// no such part.
    pub label_bytes: usize,
    /// Whether the page was fetched and read.
    pub fetched: bool,
    /// Whether the row is a seed.
    pub seed: bool,
    /// Target bytes of the page, 0 if it was not kept.
    pub bytes: u64,
    /// The links to the row.
    pub links: Evidence,
    /// The prediction before the fetch; its score is not used.
    pub predicted: Prediction,
}

/// The results of a round: its pages of new hosts with their cost, and the quality of its
/// predictions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Review {
    /// Rows of new hosts, seeds excepted.
    pub new: u64,
    /// Those that were kept.
    pub found: u64,
    /// Bytes that the round lost by them; negative if they gave more than other rows.
    pub cost: f64,
    /// Predictions compared with results.
    pub calibration: Calibration,
}

/// A stored state that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the state of policy pages is damaged: {found} of {allowed} numbers can be read")]
pub struct BadState {
    found: usize,
    allowed: usize,
}

/// A fetched row to learn from, with the hash of its URL.
#[derive(Debug, Clone)]
struct Kept {
    hash: u64,
    host: u32,
    sections: Sections,
    sample: Sample,
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}
impl Eq for Kept {}
impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Kept {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.hash.cmp(&other.hash)
    }
}

/// The second pass of a round.
#[derive(Debug, Clone)]
struct Pass {
    top: usize,
    candidates: Candidates,
    /// Seeds of hosts without a fetched page, by the hash of their URLs.
    seeds: BinaryHeap<(u64, u32)>,
    /// The host and directory of the row before.
    place: Option<Place>,
}

/// The facts that a row shares with its neighbours in the order of URLs, found once for all of
/// them.
#[derive(Debug, Clone)]
struct Place {
    host: u32,
    expected: Expected,
    /// Hash of the registered domain.
    domain: u64,
    /// Seeds of the host that were considered.
    seeds: usize,
    directory: Option<Directory>,
}

/// A directory of a host.
#[derive(Debug, Clone)]
struct Directory {
    path: String,
    sections: Sections,
    around: Around,
}

/// A crawl under the policy `pages`. For a round, call [`Crawl::add`] with all rows,
/// [`Crawl::learn`], [`Crawl::consider`] with all rows that may be fetched, in the order of the
/// database, and [`Crawl::choose`]. After the fetch, call [`Crawl::review`] with the rows of the
/// round. [`Crawl::state`] carries what was learned to the next round.
///
/// Memory: a few hundred bytes for each host, more for hosts with fetched pages (at most
/// [`MAX_SECTIONS`](super::MAX_SECTIONS) sections), and a fixed number of rows to learn from.
#[derive(Debug)]
pub struct Crawl {
    model: Model,
    account: Account,
    numbers: HashMap<Box<str>, u32>,
    /// Name and number of the host of the last row.
    last: Option<(Box<str>, u32)>,
    hosts: Vec<Host>,
    samples: BinaryHeap<Kept>,
    pass: Option<Pass>,
    review: Review,
}

impl Crawl {
    /// Creates a crawl.
    ///
    /// - `share`: share of a round's expected bytes for new hosts.
    /// - `state`: the [state](Self::state) of the round before; empty in the first round.
    ///
    /// # Errors
    /// Fails if the state is damaged.
    pub fn new(share: f64, state: &str) -> Result<Self, BadState> {
        let (mut model, mut account) = (Model::default(), Account::new(share));
        if !state.is_empty() {
            let mut places = model.learned();
            places.extend(account.learned());
            read_state(state, places)?;
        }
        Ok(Self {
            model,
            account,
            numbers: HashMap::new(),
            last: None,
            hosts: Vec::new(),
            samples: BinaryHeap::new(),
            pass: None,
            review: Review::default(),
        })
    }

    /// Returns what was learned, as text with one number on each line.
    pub fn state(&mut self) -> String {
        let mut text = format!("{STATE}\n");
        let numbers = self.model.learned().into_iter().chain(self.account.learned());
        for number in numbers {
            text.push_str(&format!("{number}\n"));
        }
        text
    }

    /// Adds a row to the sums of its host.
    pub fn add(&mut self, row: &CrawlRow) {
        let (name, path) = host_and_path(row.url);
        let number = self.number(name, row.label_bytes);
        let host = &mut self.hosts[number as usize];
        host.add_links(&row.links);
        if !row.fetched {
            return;
        }
        let sections = Sections::of(path);
        host.add_page(&sections, row.bytes);
        host.seeded |= row.seed;
        let Prediction { section, level, .. } = row.predicted;
        if level == Level::None {
            return;
        }
        let sample = Sample { links: row.links, section, level, names: 0.0, kept: row.bytes > 0 };
        let hash = hash(row.url);
        if self.samples.len() < MAX_SAMPLES
            || self.samples.peek().is_some_and(|most| hash < most.hash)
        {
            self.samples.push(Kept { hash, host: number, sections, sample });
            if self.samples.len() > MAX_SAMPLES {
                self.samples.pop();
            }
        }
    }

    /// Returns the number of a host. Rows of a host follow one another, so it mostly is the last.
    fn number(&mut self, name: &str, label_bytes: usize) -> u32 {
        match &self.last {
            Some((last, number)) if **last == *name => *number,
            _ => {
                let number = self.find_or_add(name, label_bytes);
                self.last = Some((name.into(), number));
                number
            }
        }
    }

    fn find_or_add(&mut self, name: &str, label_bytes: usize) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.hosts.len() as u32;
        self.numbers.insert(name.into(), number);
        let labels = name.get(..label_bytes).unwrap_or_default().split('.');
        let labels = labels.filter(|label| !label.is_empty() && *label != "www");
        let mut host = Host::default();
        host.labels.extend(labels.take(MAX_LABELS).map(str::to_owned));
        self.hosts.push(host);
        number
    }

    /// Learns from the rows that were added.
    pub fn learn(&mut self) {
        let Self { model, hosts, samples, .. } = self;
        if hosts.iter().all(|host| host.counts.fetched == 0) {
            return;
        }
        let rows = |model: &Model, each: &mut dyn FnMut(&Sample)| {
            for Kept { host, sections, sample, .. } in samples.iter() {
                each(&model.sample(&hosts[*host as usize], sections, sample));
            }
        };
        model.update(|each| hosts.iter().for_each(each), rows);
    }

    /// Predicts a row from what was learned.
    pub fn predict(&self, row: &CrawlRow) -> Prediction {
        let (name, path) = host_and_path(row.url);
        let unknown = Host::default();
        let host = self.numbers.get(name).map_or(&unknown, |&number| &self.hosts[number as usize]);
        self.model.of_host(host).predict(&Sections::of(path), &row.links)
    }

    /// Returns the sums of a host, if there is a row of it.
    pub fn host(&self, name: &str) -> Option<&Host> {
        self.numbers.get(name).map(|&number| &self.hosts[number as usize])
    }

    /// Returns the sums of a row's host, by the name "", and of its sections, in the order of their
    /// names, with whether the row is in each; nothing if no page of the host was fetched. Sections
    /// with all fetched pages of what is around them are left out.
    pub fn sections(&self, row: &CrawlRow) -> Vec<(String, Counts, bool)> {
        let (name, path) = host_and_path(row.url);
        let Some(host) = self.host(name).filter(|host| host.counts.fetched > 0) else {
            return Vec::new();
        };
        let own = Sections::of(path);
        let is_own = |key: &str| own.directories().chain(own.parameters()).any(|own| own == key);
        let sections =
            host.sections().map(|(key, counts, _)| (key.to_owned(), counts, is_own(key)));
        std::iter::once((String::new(), host.counts, true)).chain(sections).collect()
    }

    /// Begins the choice of a round of `top` pages, at most `cap` of a host.
    pub fn begin(&mut self, top: usize, cap: usize) {
        let candidates = self.account.candidates(top).with_cap(cap);
        let of_domain = HOSTS_OF_A_DOMAIN * candidates.cap();
        self.pass = Some(Pass {
            top,
            candidates: candidates.with_group_cap(of_domain),
            seeds: BinaryHeap::new(),
            place: None,
        });
    }

    /// Considers a row for the round that was begun, and returns its prediction, which a seed of a
    /// host without a fetched page does not have. Rows of a host follow one another.
    pub fn consider(&mut self, row: &CrawlRow) -> Option<Prediction> {
        let (name, path) = host_and_path(row.url);
        let number = self.number(name, row.label_bytes);
        let Self { model, hosts, pass: Some(pass), .. } = self else { return None };
        if pass.place.as_ref().is_none_or(|place| place.host != number) {
            pass.end_host(hosts);
            let domain = name.get(row.label_bytes..).unwrap_or(name).trim_start_matches('.');
            pass.place = Some(Place {
                host: number,
                expected: model.expected(&hosts[number as usize]),
                domain: hash(domain),
                seeds: 0,
                directory: None,
            });
        }
        let place = pass.place.as_mut()?;
        let host = &hosts[number as usize];
        let hash = hash(row.url);
        if row.seed && host.counts.fetched == 0 {
            if place.seeds < pass.candidates.cap() {
                place.seeds += 1;
                pass.seeds.push((hash, row.id));
                if pass.seeds.len() > pass.top {
                    pass.seeds.pop();
                }
            }
            return None;
        }
        // Among equal scores the hash decides, so that no part of the alphabet comes first.
        let order = (hash >> 32) << 32 | u64::from(row.id);
        let mut prediction = place.predict(model, host, path, &row.links);
        if row.fetched && row.bytes == 0 {
            prediction.p *= REJECTED_BEFORE;
            prediction.score *= REJECTED_BEFORE;
        }
        pass.candidates.add_of_group(order, place.domain, &prediction);
        Some(prediction)
    }

    /// Returns the rows of the round, the first to fetch first.
    pub fn choose(&mut self) -> Vec<Chosen> {
        let Some(mut pass) = self.pass.take() else { return Vec::new() };
        pass.end_host(&self.hosts);
        let Pass { top, mut candidates, seeds, .. } = pass;
        let seeds = seeds.into_sorted_vec();
        candidates.set_top(top - seeds.len());
        let most = candidates.group_cap();
        let chosen = loop {
            let mut account = self.account;
            let chosen = account.choose(candidates.clone(), self.model.pages_of_host);
            if !candidates.limit_groups(&chosen, most) {
                self.account = account;
                break chosen;
            }
        };
        let seed = |(_, id)| Chosen { row: u64::from(id), probe: false, score: 0.0 };
        let seeds = seeds.into_iter().map(seed);
        let id = |row: u64| row & u64::from(u32::MAX);
        let others = chosen.into_iter().map(|chosen| Chosen { row: id(chosen.row), ..chosen });
        seeds.chain(others).collect()
    }

    /// Takes in the result of a row that was chosen in the last round, with its prediction:
    /// charges the account if its host was new.
    pub fn review(&mut self, row: &CrawlRow) {
        let Prediction { p, level, .. } = row.predicted;
        if level == Level::NewHost {
            let bytes = row.bytes as f64;
            let before = self.account.balance();
            self.account.charge(p, bytes, self.model.page_bytes);
            self.review.cost += before - self.account.balance();
            self.review.new += 1;
            self.review.found += u64::from(row.bytes > 0);
        }
        if row.fetched && level != Level::None {
            self.review.calibration.add(p, row.bytes > 0);
        }
    }

    /// Returns the sums of [`Self::review`].
    pub fn reviewed(&self) -> &Review {
        &self.review
    }
}

impl Pass {
    fn end_host(&mut self, hosts: &[Host]) {
        if let Some(place) = self.place.take() {
            self.candidates.end_host(hosts[place.host as usize].counts.kept == 0);
        }
    }
}

impl Place {
    /// Predicts a row of the host. Pages of a directory share what their sections say, unless they
    /// have parameters or are the front page of a section.
    fn predict(&mut self, model: &Model, host: &Host, path: &str, links: &Evidence) -> Prediction {
        let of_host = model.of_known(host, self.expected);
        if path.contains(['?', '#']) {
            return of_host.predict(&Sections::of(path), links);
        }
        let (path, page) = path.rsplit_once('/').unwrap_or_default();
        let directory = match self.directory.take() {
            Some(directory) if directory.path == path => directory,
            _ => {
                let sections = Sections::of(&format!("{path}/"));
                let around = of_host.around(&sections);
                Directory { path: path.to_owned(), sections, around }
            }
        };
        let Directory { sections, around, .. } = self.directory.insert(directory);
        sections.set_page(page);
        if of_host.is_front(sections) {
            return of_host.predict(sections, links);
        }
        of_host.predict_in(around, links)
    }
}

impl Candidates {
    /// Removes candidates of groups that have too many chosen rows: those behind the best `most`.
    /// Returns whether there were any.
    fn limit_groups(&mut self, chosen: &[Chosen], most: usize) -> bool {
        let groups: HashMap<u64, u64> = self.all().map(|row| (row.row, row.group)).collect();
        let mut taken: HashMap<u64, usize> = HashMap::new();
        let (mut within, mut full) = (HashSet::new(), HashSet::new());
        for row in chosen {
            let Some(&group) = groups.get(&row.row) else { continue };
            let rows = taken.entry(group).or_default();
            *rows += 1;
            if *rows <= most {
                within.insert(row.row);
            } else {
                full.insert(group);
            }
        }
        self.retain(|row| !full.contains(&row.group) || within.contains(&row.row));
        !full.is_empty()
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Splits a URL into its host, without user and port, and what follows the authority.
fn host_and_path(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let name = authority.rsplit('@').next().unwrap_or(authority);
    let name = match name.find(']') {
        Some(end) => &name[..=end],
        None => name.split(':').next().unwrap_or(name),
    };
    (name, path)
}

fn read_state(state: &str, places: Vec<&mut f64>) -> Result<(), BadState> {
    let mut lines = state.lines();
    let is_ours = lines.next() == Some(STATE);
    let numbers: Vec<f64> = lines
        .map_while(|line| line.parse().ok())
        .take_while(|number: &f64| is_ours && number.is_finite())
        .collect();
    if numbers.len() != places.len() {
        return Err(BadState { found: numbers.len(), allowed: places.len() });
    }
    places.into_iter().zip(numbers).for_each(|(place, number)| *place = number);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::Link;

    fn row<'a>(url: &'a str, bytes: Option<u64>) -> CrawlRow<'a> {
        CrawlRow { url, fetched: bytes.is_some(), bytes: bytes.unwrap_or(0), ..CrawlRow::default() }
    }

    fn links(link: Link, count: usize) -> Evidence {
        let mut links = Evidence::default();
        (0..count).for_each(|_| links.add(link));
        links
    }

    fn chosen(crawl: &mut Crawl, rows: &[CrawlRow], top: usize, cap: usize) -> Vec<u64> {
        crawl.begin(top, cap);
        for row in rows.iter().filter(|row| !row.fetched) {
            crawl.consider(row);
        }
        crawl.choose().iter().map(|chosen| chosen.row).collect()
    }

    fn learned<'a>(rows: &[CrawlRow<'a>]) -> Crawl {
        let mut crawl = Crawl::new(Account::SHARE, "").expect("an empty state is allowed");
        rows.iter().for_each(|row| crawl.add(row));
        crawl.learn();
        crawl
    }

    #[test]
    fn hosts_are_found_in_urls() {
        for (url, host, path) in [
            ("http://a.test/x?y", "a.test", "/x?y"),
            ("https://u:p@a.test:81?y", "a.test", "?y"),
            ("http://[::1]:81/x", "[::1]", "/x"),
            ("a.test", "a.test", ""),
        ] {
            assert_eq!(host_and_path(url), (host, path));
        }
    }

    #[test]
    fn pages_of_a_good_section_come_before_pages_of_a_bad_one() {
        let mut rows = Vec::new();
        let urls: Vec<String> = (0..8)
            .flat_map(|n| [format!("http://a.test/en/{n}"), format!("http://a.test/ur/{n}")])
            .collect();
        for (n, url) in (0..).zip(&urls) {
            let bytes = if url.contains("/ur/") { 900 } else { 0 };
            rows.push(CrawlRow { id: n, ..row(url, (n < 12).then_some(bytes)) });
        }
        let mut crawl = learned(&rows);
        let best = chosen(&mut crawl, &rows, 2, 2);
        assert!(best.iter().all(|&id| urls[id as usize].contains("/ur/")), "{best:?}");
        let [ur, en] = ["/ur/x", "/en/x"]
            .map(|path| crawl.predict(&row(&format!("http://a.test{path}"), None)).p);
        assert!(ur > 0.8 && en < 0.2, "{ur} {en}");
    }

    #[test]
    fn of_pages_that_are_due_again_those_that_were_not_kept_come_last() {
        let urls: Vec<String> = (0..8).map(|n| format!("http://a.test/{n}")).collect();
        let bytes = |n| (n < 6).then_some(if n % 2 == 0 { 900 } else { 0 });
        let rows: Vec<CrawlRow> =
            (0..).zip(&urls).map(|(n, url)| CrawlRow { id: n, ..row(url, bytes(n)) }).collect();
        let mut crawl = learned(&rows);
        crawl.begin(16, 8);
        for row in &rows {
            crawl.consider(row);
        }
        let mut last: Vec<u64> = crawl.choose()[5..].iter().map(|chosen| chosen.row).collect();
        last.sort_unstable();
        assert_eq!(last, [1, 3, 5]);
    }

    #[test]
    fn neighbours_are_predicted_like_rows_by_themselves() {
        let paths =
            ["", "/", "/ur", "/ur/", "/ur/a", "/ur/a/b?lang=en", "/ur/a#ur", "/en", "/x/ur"];
        let paths =
            paths.into_iter().chain(["/ur/a/b/c/d", "/ur/a/b/c/e", "/en/a", "/en/b", "/z/1"]);
        let urls: Vec<String> = ["http://a.test", "http://ur.b.test", "http://c.test"]
            .iter()
            .flat_map(|host| paths.clone().map(move |path| format!("{host}{path}")))
            .collect();
        let rows: Vec<CrawlRow> = (0..)
            .zip(&urls)
            .map(|(id, url)| {
                let label_bytes = 2 * usize::from(url.contains("ur.b"));
                let fetched = id % 3 == 0 && !url.contains("c.test");
                let bytes = if url.contains("ur") { 900 } else { 0 };
                CrawlRow { id, label_bytes, ..row(url, fetched.then_some(bytes)) }
            })
            .collect();
        let crawl = learned(&rows);
        let mut places: HashMap<&str, Place> = HashMap::new();
        let mut levels: Vec<Level> = Vec::new();
        for row in &rows {
            let (name, path) = host_and_path(row.url);
            let host = crawl.host(name).expect("all rows were added");
            let expected = crawl.model.expected(host);
            let place = places.entry(name).or_insert(Place {
                host: crawl.numbers[name],
                expected,
                domain: 0,
                seeds: 0,
                directory: None,
            });
            let neighbour = place.predict(&crawl.model, host, path, &row.links);
            assert_eq!(neighbour, crawl.predict(row), "{}", row.url);
            levels.push(neighbour.level);
        }
        for level in [Level::NewHost, Level::Known] {
            assert!(levels.contains(&level), "{level:?}");
        }
    }

    #[test]
    fn the_sections_of_a_row_are_told_from_the_others_of_its_host() {
        let urls =
            ["/ur/1", "/ur/2?lang=ur", "/en/1", "/"].map(|path| format!("http://a.test{path}"));
        let rows: Vec<CrawlRow> = (0..)
            .zip(&urls)
            .map(|(id, url)| CrawlRow { id, ..row(url, Some(if id < 2 { 900 } else { 0 })) })
            .collect();
        let crawl = learned(&rows);
        let sections = crawl.sections(&row("http://a.test/ur/9?lang=ur", None));
        let sections: Vec<(&str, u32, u32, bool)> = sections
            .iter()
            .map(|(key, counts, is_own)| (key.as_str(), counts.fetched, counts.kept, *is_own))
            .collect();
        let of_host = [
            ("", 4, 2, true),
            ("/", 1, 0, false),
            ("/en/", 1, 0, false),
            ("/ur/", 2, 2, true),
            ("?lang=ur", 1, 1, true),
        ];
        assert_eq!(sections, of_host);
        assert!(crawl.sections(&row("http://b.test/", None)).is_empty());
    }

    #[test]
    fn new_seeds_come_first_and_a_host_has_its_cap() {
        let urls: Vec<String> = (0..9).map(|n| format!("http://a.test/{n}")).collect();
        let mut rows: Vec<CrawlRow> = (0..)
            .zip(&urls)
            .map(|(id, url)| CrawlRow { id, ..row(url, (id < 4).then_some(900)) })
            .collect();
        rows.push(CrawlRow { id: 9, seed: true, ..row("http://b.test/", None) });
        let mut crawl = learned(&rows);
        let best = chosen(&mut crawl, &rows, 12, 3);
        assert_eq!((best[0], best.len()), (9, 4), "{best:?}");
    }

    #[test]
    fn a_domain_with_hosts_without_end_does_not_fill_a_round() {
        let urls: Vec<String> = (0..40).map(|n| format!("http://h{n:02}.evil.test/")).collect();
        let good: Vec<String> = (0..12).map(|n| format!("http://good.test/{n}")).collect();
        let to = links(
            Link {
                external: true,
                page_in_language: true,
                anchor_in_language: true,
                hreflang: None,
            },
            9,
        );
        let mut rows: Vec<CrawlRow> = (0..)
            .zip(&urls)
            .map(|(id, url)| CrawlRow { id, label_bytes: 3, links: to, ..row(url, None) })
            .collect();
        rows.extend(
            (40..)
                .zip(&good)
                .map(|(id, url)| CrawlRow { id, ..row(url, (id < 44).then_some(900)) }),
        );
        let mut crawl = learned(&rows);
        let best = chosen(&mut crawl, &rows, 16, 2);
        assert!(best.iter().filter(|&&id| id < 40).count() <= 8, "{best:?}");
        assert_eq!(best.iter().filter(|&&id| id >= 40).count(), 2, "{best:?}");
    }

    #[test]
    fn a_domain_with_many_good_hosts_leaves_the_rest_of_a_round_to_others() {
        let url = |at: usize, page: usize| match at {
            0..120 => format!("http://h{at:03}.big.test/{page}"),
            _ => format!("http://s{at}.test/{page}"),
        };
        let urls: Vec<(usize, usize, String)> =
            (0..200).flat_map(|at| (0..6).map(move |page| (at, page, url(at, page)))).collect();
        let rows: Vec<CrawlRow> = (0..)
            .zip(&urls)
            .map(|(id, (at, page, url))| {
                let bytes = if *at < 120 { 9000 } else { 900 };
                let label_bytes = if *at < 120 { 4 } else { 0 };
                CrawlRow { id, label_bytes, ..row(url, (*page == 0).then_some(bytes)) }
            })
            .collect();
        let best = chosen(&mut learned(&rows), &rows, 100, 5);
        let of_domain = best.iter().filter(|&&id| id < 720).count();
        assert_eq!((best.len(), of_domain), (100, 20));
    }

    #[test]
    fn a_state_is_read_back_exactly_and_damage_is_found() {
        let urls: Vec<String> = (0..6).map(|n| format!("http://a.test/{n}")).collect();
        let predicted =
            Prediction { p: 0.3, section: -0.8, level: Level::NewHost, ..Prediction::default() };
        let rows: Vec<CrawlRow> = (0..)
            .zip(&urls)
            .map(|(id, url)| CrawlRow { id, predicted, ..row(url, Some(u64::from(id % 2) * 700)) })
            .collect();
        let mut crawl = learned(&rows);
        rows.iter().for_each(|row| crawl.review(row));
        assert_eq!((crawl.reviewed().new, crawl.reviewed().found), (6, 3));
        assert!(crawl.reviewed().calibration.brier().is_some());
        let state = crawl.state();
        let mut again = Crawl::new(Account::SHARE, &state).expect("the state is whole");
        assert_eq!(again.state(), state);
        assert_eq!(again.account, crawl.account);
        assert_ne!(Crawl::new(0.1, "").expect("an empty state is allowed").state(), state);
        for damaged in [&state[..state.len() / 2], "x", &state.replacen("pages", "p", 1)] {
            assert!(Crawl::new(0.1, damaged).is_err());
        }
        assert!(Crawl::new(0.1, &state.replacen("\n-", "\nNaN -", 1)).is_err());
    }
}
