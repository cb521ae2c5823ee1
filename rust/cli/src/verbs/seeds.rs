//! Lists seeds for a crawl, from an archive, the index of an archive, or an old corpus.

mod index;
mod mix;
pub mod posts;

use crate::arguments::{share, whole, Archive};
use crate::context::Context;
use crate::io::console::counted;
use crate::io::corpora::{Pages, URL_MEMORY};
use crate::io::output::Place;
use crate::io::{input, of_option};
use crate::website::Website;
use anyhow::{anyhow, bail, Result};
use clap::Args;
use figures::identity::of_run;
use figures::Page;
use inputs::exclusions::Without;
use langid::LangCode;
use properties::PAGE_MIN_BYTES;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use url::Url;

/// List the URLs of pages in a language, richest hosts first: seeds for a crawl, from an archive or
/// an old corpus
#[derive(Args)]
pub struct Arguments {
    /// WARC files, WET files or JSON lines of a crawl: plain, gzip or zstd; Parquet; or folders of
    /// them. - is standard input. With --index, indexes
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the seeds, one URL per line; .gz and .zst compress. An old file is replaced after
    /// the new one is complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Language of the seeds, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Smallest size of a page, in bytes of the language
    #[arg(
        long,
        default_value_t = PAGE_MIN_BYTES.default,
        value_name = "N",
        value_parser = whole::<u64>(1..)
    )]
    min_bytes: u64,
    /// Largest number of URLs per host, or per website with --site. Pages with most of the language
    /// come first
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = whole::<u16>(1..))]
    per_host: u16,
    /// Rule for the websites of --per-host: host (each host), no-www (a host with www. is the same as
    /// without) or domain (all hosts of a registered domain, by the public suffix list)
    #[arg(long, value_enum, default_value_t = Website::Host, hide_possible_values = true, value_name = "BY")]
    site: Website,
    /// Exclusion list. Each line is a host (which excludes its subdomains too), a URL prefix, or =
    /// and the URL of a page
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
    /// URLs to skip, one per line, for example the seeds of an earlier crawl
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Source of the seeds, a short word such as commoncrawl. Each line gets a tab and source=NAME,
    /// as crawl and Nutch's injector read it
    #[arg(long, value_name = "NAME", value_parser = crate::arguments::source)]
    tag: Option<String>,
    /// Read indexes of archives instead of corpora: CDXJ with languages, or Parquet files of a
    /// columnar index. A page is in the language if the index has it at any rank. --min-bytes does
    /// not apply
    #[arg(long)]
    index: bool,
    /// Read posts instead of corpora, for example of a social network: a line of text or JSON each.
    /// The seeds are the URLs in posts in the language, also in other fields of their JSON.
    /// --min-bytes does not apply
    #[arg(long, conflicts_with = "index")]
    posts: bool,
    /// With --index: smallest share of a host's pages that are in the language, from 0 to 1
    #[arg(long, default_value_t = 0.0, value_name = "P", value_parser = share, requires = "index")]
    min_share: f64,
    /// With --index: smallest number of pages in the language that a host has
    #[arg(
        long,
        default_value_t = 1,
        value_name = "N",
        value_parser = whole::<u64>(0..),
        requires = "index"
    )]
    min_pages: u64,
    /// With --index: languages whose pages count too. Use it if the index does not know the
    /// language
    #[arg(long, value_name = "CODES", value_parser = crate::arguments::language)]
    #[arg(value_delimiter = ',', requires = "index")]
    like: Vec<LangCode>,
    /// With --index: file for a table of the hosts (TSV)
    #[arg(long, value_name = "FILE", requires = "index")]
    hosts: Option<PathBuf>,
    /// With --index: file for a table of the releases (TSV): pages by rank, hosts, domains, new
    /// URLs, hosts lost and back
    #[arg(long, value_name = "FILE", requires = "index")]
    table: Option<PathBuf>,
    /// With --index: file for the overlap of each two releases (TSV), in URLs and hosts
    #[arg(long, value_name = "FILE", requires = "index")]
    overlap: Option<PathBuf>,
    /// With --index: file for the share of each language's pages in each release (TSV), at any rank
    #[arg(long, value_name = "FILE", requires = "index")]
    languages: Option<PathBuf>,
    /// Draw the seeds at random: this percentage among pages in the language, the others among all
    /// pages of the input. Each line gets source=rich or source=random
    #[arg(
        long,
        value_name = "PERCENT",
        value_parser = whole::<u8>(0..=100),
        requires = "count",
        conflicts_with_all = ["per_host", "site", "tag", "posts", "min_share", "min_pages", "hosts"]
    )]
    mix: Option<u8>,
    /// With --mix: number of seeds
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..), requires = "mix")]
    count: Option<u32>,
    /// With --mix: number that decides the draw. Equal numbers and inputs give equal seeds
    #[arg(
        long,
        default_value_t = 1,
        value_name = "N",
        value_parser = whole::<u64>(0..),
        requires = "mix"
    )]
    random_seed: u64,
    #[command(flatten)]
    archive: Archive,
}

impl Arguments {
    /// The outputs, with their options.
    fn outputs(&self) -> Vec<(&Path, &'static str)> {
        let tables = [
            (&self.hosts, "--hosts"),
            (&self.table, "--table"),
            (&self.overlap, "--overlap"),
            (&self.languages, "--languages"),
        ];
        let tables =
            tables.into_iter().filter_map(|(path, option)| Some((path.as_deref()?, option)));
        std::iter::once((self.out.as_path(), "--out")).chain(tables).collect()
    }
}

/// Writes the URLs of the corpora's pages in the engine's language. Hosts are sorted by their bytes
/// in the language, and the URLs of a host by the bytes of their pages. The first SIGINT or SIGTERM
/// stops the work and leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, there is no seed, the file cannot be written, or a signal
/// stopped the work.
pub fn run(asked: &Arguments, context: &Context) -> Result<bool> {
    let max_bytes = context.max_bytes;
    let read_too = asked.without.iter().chain(&asked.known).map(PathBuf::as_path);
    context.apart(&asked.outputs(), read_too)?;
    let place = Place::new(&asked.out, "--out")?;
    let mut choice = Choice {
        min_bytes: asked.min_bytes,
        per_host: asked.per_host.into(),
        site: asked.site,
        without: asked
            .without
            .as_deref()
            .map(|file| Without::read(file, max_bytes))
            .transpose()?
            .unwrap_or_default(),
        known: asked
            .known
            .as_deref()
            .map(|file| known(file, max_bytes))
            .transpose()?
            .unwrap_or_default(),
        draw: asked
            .mix
            .zip(asked.count)
            .map(|(percent, count)| mix::Draw::new(percent, count as usize, asked.random_seed)),
        ..Choice::default()
    };
    let whole = match asked.index {
        true => index::choose(asked, context, &mut choice)?,
        false if asked.posts => posts::choose(asked, context, &mut choice).map(|()| true)?,
        false => read_corpora(asked, context, place.folder(), &mut choice)?,
    };
    let language = asked.language;
    let enough = match asked.index || asked.posts {
        true => format!("in {language}"),
        false => format!("with {} of {language} or more", counted(asked.min_bytes, "byte")),
    };
    if let Some(draw) = choice.draw.take() {
        eprintln!(
            "corpulyzer: {}, {} of them {enough}; skipped {} without a URL, {} by --without, {} known",
            counted(choice.pages, "page"),
            choice.rich,
            choice.no_url,
            choice.excluded,
            choice.met
        );
        let few = |few: mix::TooFew| {
            anyhow!(
                "the input has {} left for the {} {} seeds of --mix; lower --count, or add inputs",
                counted(few.has, "page"),
                few.wanted,
                few.kind
            )
        };
        let seeds = draw.seeds().map_err(few)?;
        let lines = seeds.into_iter().map(|(url, source)| format!("{url}\tsource={source}"));
        return write(place.settle(whole)?, lines.collect()).map(|()| whole);
    }
    eprintln!(
        "corpulyzer: {}, {} of them {enough} on {}; skipped {} without a URL, {} by --without, {} known or repeated, \
         {} beyond {} of a host",
        counted(choice.pages, if asked.posts { "post" } else { "page" }),
        choice.rich,
        counted(choice.hosts.len(), "host"),
        choice.no_url,
        choice.excluded,
        choice.met,
        choice.beyond(),
        asked.per_host
    );
    if choice.hosts.is_empty() {
        let source = if asked.posts { "no post has" } else { "no page can be" };
        bail!("{source} a seed for {language}; nothing was written");
    }
    choice.write(place.settle(whole)?, asked.tag.as_deref())?;
    Ok(whole)
}

/// Adds the pages of corpora to a choice. Returns whether the corpora are whole.
fn read_corpora(
    asked: &Arguments,
    context: &Context,
    folder: &Path,
    choice: &mut Choice,
) -> Result<bool> {
    let engine = &context.reader(asked.language, &asked.archive)?;
    let (corpora, max_bytes, outputs) =
        (&asked.corpora, context.max_bytes, &[(asked.out.as_path(), "--out")]);
    Pages { name: "seeds", corpora, engine, folder, memory: URL_MEMORY, max_bytes, outputs }.read(
        &mut |pages| {
            pages.iter().for_each(|page| choice.add(page));
            Ok(())
        },
    )
}

/// Fingerprints of the URLs in a file. Text after a space or tab in a line is metadata.
fn known(file: &Path, max_bytes: u64) -> Result<HashSet<u64>> {
    let text = of_option(input::text(file, max_bytes), "--known")?;
    let urls = text.lines().filter_map(|line| line.split_whitespace().next()).filter_map(address);
    Ok(urls.map(|url| of_run(url.as_str().as_bytes())).collect())
}

/// The URL as Nutch can fetch it. None if it is not the URL of a web page.
fn address(url: &str) -> Option<Url> {
    let mut url = Url::parse(url)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())?;
    url.set_fragment(None);
    (url.username().is_empty() && url.password().is_none()).then_some(url)
}

/// A host and its best pages.
#[derive(Default)]
struct Host {
    pages: u64,
    /// Bytes in the language; of an index, pages.
    worth: u64,
    /// Bytes of the language and URL, the smallest on top. Of an index, 3 for the first rank, 2 and
    /// 1.
    best: BinaryHeap<Reverse<(u64, Reverse<String>)>>,
}

/// Selects seeds among pages.
#[derive(Default)]
pub struct Choice {
    min_bytes: u64,
    /// Most URLs of a host.
    per_host: usize,
    site: Website,
    without: Without,
    known: HashSet<u64>,
    hosts: HashMap<String, Host>,
    draw: Option<mix::Draw>,
    pages: u64,
    rich: u64,
    no_url: u64,
    excluded: u64,
    met: u64,
}

impl Choice {
    /// Chooses among links, at most `per_host` to a host.
    pub fn of_links(per_host: usize) -> Self {
        Self { per_host, ..Self::default() }
    }

    fn add(&mut self, page: &Page) {
        self.pages += 1;
        let is_rich = page.target_bytes >= self.min_bytes;
        if page.gone || self.draws(&page.url, is_rich) || !is_rich {
            return;
        }
        self.rich += 1;
        self.offer(&page.url, page.target_bytes, page.target_bytes);
    }

    /// Offers a URL. `worth` orders the URLs of a host, and the sum of `host_worth` the hosts.
    pub fn offer(&mut self, url: &str, worth: u64, host_worth: u64) {
        let Some(url) = address(url) else {
            self.no_url += 1;
            return;
        };
        if self.without.has(url.as_str()) {
            self.excluded += 1;
            return;
        }
        // A known URL, or one that differs only in its fragment, is not a new seed.
        if !self.known.insert(of_run(url.as_str().as_bytes())) {
            self.met += 1;
            return;
        }
        let host = self
            .hosts
            .entry(self.site.of()(url.host_str().unwrap_or_default()).to_owned())
            .or_default();
        host.pages += 1;
        host.worth = host.worth.saturating_add(host_worth);
        host.best.push(Reverse((worth, Reverse(url.into()))));
        if host.best.len() > self.per_host {
            host.best.pop();
        }
    }

    fn is_known(&self, url: &Url) -> bool {
        self.known.contains(&of_run(url.as_str().as_bytes()))
    }

    /// Returns whether no URL was chosen.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// Number of pages left out because their host has better ones.
    fn beyond(&self) -> u64 {
        self.hosts.values().map(|host| host.pages - host.best.len() as u64).sum()
    }

    /// Writes the seeds, a URL on each line, and prints their number.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write(self, place: Place, tag: Option<&str>) -> Result<()> {
        let tag = tag.map(|tag| format!("\tsource={tag}")).unwrap_or_default();
        write(place, self.seeds().into_iter().map(|seed| format!("{seed}{tag}")).collect())
    }

    fn seeds(self) -> Vec<String> {
        let mut hosts: Vec<(String, Host)> = self.hosts.into_iter().collect();
        hosts.sort_by(|(a, one), (b, other)| other.worth.cmp(&one.worth).then_with(|| a.cmp(b)));
        let urls = |(_, host): (String, Host)| {
            host.best.into_sorted_vec().into_iter().map(|Reverse((_, Reverse(url)))| url)
        };
        hosts.into_iter().flat_map(urls).collect()
    }
}

/// Writes lines of seeds and prints their number.
fn write(place: Place, seeds: Vec<String>) -> Result<()> {
    let (mut lines, file) = place.create()?;
    let written =
        seeds.iter().try_for_each(|seed| writeln!(lines, "{seed}")).and_then(|()| lines.finish());
    written.map_err(|error| place.failed(&error))?;
    place.put(file)?;
    eprintln!("corpulyzer: {}: {}", counted(seeds.len(), "seed"), place.name());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(per_host: usize, without: &[&str]) -> Choice {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("without");
        std::fs::write(&file, without.join("\n")).expect("written");
        let without = Without::read(&file, 1 << 20).expect("read");
        Choice { min_bytes: 10, per_host, without, ..Choice::default() }
    }

    fn page(url: &str, target_bytes: u64) -> Page {
        Page { url: url.to_owned(), target_bytes, ..Page::default() }
    }

    #[test]
    fn the_richest_pages_of_the_richest_hosts_come_first() {
        let mut choice = choice(2, &[]);
        for (url, bytes) in [
            ("http://a.pk/1", 30),
            ("http://b.pk/1", 20),
            ("http://b.pk/3", 40),
            ("http://b.pk/2", 20),
            ("http://c.pk/", 9),
            ("http://a.pk/2", 31),
        ] {
            choice.add(&page(url, bytes));
        }
        assert_eq!((choice.pages, choice.rich, choice.beyond()), (6, 5, 1));
        assert_eq!(
            choice.seeds(),
            ["http://b.pk/3", "http://b.pk/1", "http://a.pk/2", "http://a.pk/1"]
        );
    }

    #[test]
    fn what_is_listed_is_no_seed() {
        let mut choice = choice(9, &["spam.pk", "http://a.pk/login"]);
        for url in ["https://x.spam.pk:8080/1", "http://a.pk/login?x", "http://a.pk/news/login"] {
            choice.add(&page(url, 50));
        }
        assert_eq!(choice.excluded, 2);
        assert_eq!(choice.seeds(), ["http://a.pk/news/login"]);
    }

    #[test]
    fn addresses_are_those_that_can_be_fetched_each_once() {
        let mut choice = choice(9, &[]);
        choice.known.insert(of_run(b"http://known.pk/"));
        for url in [
            "ftp://a.pk/",
            "",
            "http://u:p@a.pk/",
            "HTTP://A.pk/x#1",
            "http://a.pk/x#2",
            "http://known.pk",
        ] {
            choice.add(&page(url, 50));
        }
        assert_eq!((choice.no_url, choice.met), (3, 2));
        assert_eq!(choice.seeds(), ["http://a.pk/x"]);
    }
}
