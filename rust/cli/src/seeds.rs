//! Seeds for a crawl from what is there already: an archive, or an old corpus.

use crate::counted::counted;
use crate::input;
use crate::place::{apart, Place};
use crate::reading::{Pages, URL_MEMORY};
use crate::without::Without;
use corpus::urls::fingerprint;
use corpus::Page;
use engine::Engine;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use url::Url;

/// What is asked for.
pub struct Asked<'a> {
    /// Files and folders.
    pub corpora: &'a [PathBuf],
    /// File for the seeds.
    pub out: &'a Path,
    /// Least bytes of the language in a page.
    pub min_bytes: u64,
    /// Most URLs of a host.
    pub per_host: u16,
    /// What is never a seed.
    pub without: Option<&'a Path>,
    /// Seeds of before.
    pub known: Option<&'a Path>,
}

/// Writes the URLs of the corpora's pages in the engine's language. Hosts come in the order of the bytes of the language that were met on
/// them, and the URLs of a host in the order of theirs. The first SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// When an input cannot be read, there is no seed, the file cannot be written, or a signal stopped the work.
pub fn run(asked: &Asked, engine: &Engine, max_bytes: u64) -> Result<bool, String> {
    apart(&[(asked.out, "--out")], asked.without.into_iter().chain(asked.known))?;
    let place = Place::new(asked.out, "--out")?;
    let mut choice = Choice {
        min_bytes: asked.min_bytes,
        per_host: asked.per_host.into(),
        without: asked.without.map(|file| Without::read(file, max_bytes)).transpose()?.unwrap_or_default(),
        known: asked.known.map(|file| known(file, max_bytes)).transpose()?.unwrap_or_default(),
        ..Choice::default()
    };
    let (corpora, folder) = (asked.corpora, place.folder());
    let whole = Pages {
        name: "seeds",
        corpora,
        engine,
        folder,
        memory: URL_MEMORY,
        max_bytes,
        outputs: &[(asked.out, "--out")],
    }
    .read(&mut |pages| {
        pages.iter().for_each(|page| choice.add(page));
        Ok(())
    })?;
    let language = engine.settings().target;
    eprintln!(
        "corpulyzer: {}, {} of them with {} of {language} or more on {}; left out: {} without an address, {} by \
         --without, {} known or met before, {} beyond {} of a host",
        counted(choice.pages, "page"),
        choice.rich,
        counted(asked.min_bytes, "byte"),
        counted(choice.hosts.len(), "host"),
        choice.no_url,
        choice.excluded,
        choice.met,
        choice.beyond(),
        asked.per_host
    );
    let seeds = choice.seeds();
    if seeds.is_empty() {
        return Err(format!("no page can be a seed for {language}; nothing was written"));
    }
    let mut file = place.begin()?;
    let mut lines = BufWriter::new(file.as_file_mut());
    let written = seeds.iter().try_for_each(|seed| writeln!(lines, "{seed}")).and_then(|()| lines.flush());
    written.map_err(|error| place.failed(&error))?;
    drop(lines);
    let place = place.settle(whole)?;
    place.put(file)?;
    eprintln!("corpulyzer: {}: {}", counted(seeds.len(), "seed"), place.name());
    Ok(whole)
}

/// Fingerprints of the URLs in a file; what follows a blank or tab in a line is metadata.
fn known(file: &Path, max_bytes: u64) -> Result<HashSet<u64>, String> {
    let text = input::text(file, max_bytes)?;
    let urls = text.lines().filter_map(|line| line.split_whitespace().next()).filter_map(address);
    Ok(urls.map(|url| fingerprint(url.as_str())).collect())
}

/// The address that Nutch can fetch; none of what is no web page's.
fn address(url: &str) -> Option<Url> {
    let mut url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())?;
    url.set_fragment(None);
    (url.username().is_empty() && url.password().is_none()).then_some(url)
}

/// A host and the best of its pages.
#[derive(Default)]
struct Host {
    pages: u64,
    bytes: u64,
    /// Bytes of the language and URL, the least good on top.
    best: BinaryHeap<Reverse<(u64, Reverse<String>)>>,
}

/// Chooses seeds among pages.
#[derive(Default)]
struct Choice {
    min_bytes: u64,
    per_host: usize,
    without: Without,
    known: HashSet<u64>,
    hosts: HashMap<String, Host>,
    pages: u64,
    rich: u64,
    no_url: u64,
    excluded: u64,
    met: u64,
}

impl Choice {
    fn add(&mut self, page: &Page) {
        self.pages += 1;
        if page.gone || page.target_bytes < self.min_bytes {
            return;
        }
        self.rich += 1;
        let Some(url) = address(&page.url) else {
            self.no_url += 1;
            return;
        };
        if self.without.has(url.as_str()) {
            self.excluded += 1;
            return;
        }
        // What is known, or differs in its fragment only, is met again.
        if !self.known.insert(fingerprint(url.as_str())) {
            self.met += 1;
            return;
        }
        let host = self.hosts.entry(url.host_str().unwrap_or_default().to_owned()).or_default();
        host.pages += 1;
        host.bytes = host.bytes.saturating_add(page.target_bytes);
        host.best.push(Reverse((page.target_bytes, Reverse(url.into()))));
        if host.best.len() > self.per_host {
            host.best.pop();
        }
    }

    /// Pages that would be seeds but for the others of their hosts.
    fn beyond(&self) -> u64 {
        self.hosts.values().map(|host| host.pages - host.best.len() as u64).sum()
    }

    fn seeds(self) -> Vec<String> {
        let mut hosts: Vec<(String, Host)> = self.hosts.into_iter().collect();
        hosts.sort_by(|(a, one), (b, other)| other.bytes.cmp(&one.bytes).then_with(|| a.cmp(b)));
        let urls =
            |(_, host): (String, Host)| host.best.into_sorted_vec().into_iter().map(|Reverse((_, Reverse(url)))| url);
        hosts.into_iter().flat_map(urls).collect()
    }
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
        assert_eq!(choice.seeds(), ["http://b.pk/3", "http://b.pk/1", "http://a.pk/2", "http://a.pk/1"]);
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
        choice.known.insert(fingerprint("http://known.pk/"));
        for url in ["ftp://a.pk/", "", "http://u:p@a.pk/", "HTTP://A.pk/x#1", "http://a.pk/x#2", "http://known.pk"] {
            choice.add(&page(url, 50));
        }
        assert_eq!((choice.no_url, choice.met), (3, 2));
        assert_eq!(choice.seeds(), ["http://a.pk/x"]);
    }
}
