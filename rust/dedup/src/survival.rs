//! Survival of text and share of different URLs, by host (W2C, sections 4.5 and 5).

use figures::identity::of_run;
use figures::parse::host;
use figures::scratch::{Member, Scratch, Table};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// Memory for URLs, in bytes; more URLs go to a temporary file.
const MEMORY: usize = 64 << 20;

/// Name of the row with the sums.
const ALL: &str = "(all)";

/// Figures of a host.
#[derive(Debug, Clone, Copy, Default)]
struct Host {
    pages: u64,
    kept_pages: u64,
    /// Different URLs.
    urls: u64,
    bytes: u64,
    kept_bytes: u64,
}

/// Sums pages with text by host.
#[derive(Debug)]
pub struct Survival {
    hosts: HashMap<String, Host>,
    urls: Table<Member>,
}

impl Survival {
    /// Creates empty sums, with their temporary files in a folder.
    pub fn new(folder: &Path) -> Self {
        Self { hosts: HashMap::new(), urls: Table::new(&Scratch::new(folder, MEMORY)) }
    }

    /// Adds a page with the bytes of its text before and after. Pages without text do not count.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn add(&mut self, url: Option<&str>, before: usize, after: usize) -> io::Result<()> {
        if before == 0 {
            return Ok(());
        }
        let name = url.map(host).unwrap_or_default();
        if let Some(url) = url {
            let member = Member { group: of_run(name.as_bytes()), id: of_run(url.as_bytes()) };
            self.urls.add(member)?;
        }
        let host = self.hosts.entry(name).or_default();
        host.pages += 1;
        host.kept_pages += u64::from(after > 0);
        host.bytes += before as u64;
        host.kept_bytes += after as u64;
        Ok(())
    }

    /// Returns the table: the sums, then the hosts with most text first, with tabs between cells.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read.
    pub fn table(mut self) -> io::Result<String> {
        let mut urls: BTreeMap<u64, u64> = BTreeMap::new();
        for member in self.urls.drain()? {
            *urls.entry(member?.group).or_default() += 1;
        }
        let mut all = Host::default();
        for (name, host) in &mut self.hosts {
            host.urls = urls.get(&of_run(name.as_bytes())).copied().unwrap_or(0);
            all.add(host);
        }
        let mut hosts: Vec<(&String, &Host)> = self.hosts.iter().collect();
        hosts.sort_by(|(a, one), (b, other)| other.bytes.cmp(&one.bytes).then_with(|| a.cmp(b)));
        let mut out = String::from(
            "host\tpages\tpages_kept\turls\tunique_urls_percent\tbytes\tbytes_kept\tsurvival_percent\n",
        );
        all.row(ALL, &mut out);
        hosts.into_iter().for_each(|(name, host)| host.row(name, &mut out));
        Ok(out)
    }
}

impl Host {
    fn add(&mut self, other: &Self) {
        self.pages += other.pages;
        self.kept_pages += other.kept_pages;
        self.urls += other.urls;
        self.bytes += other.bytes;
        self.kept_bytes += other.kept_bytes;
    }

    fn row(&self, name: &str, out: &mut String) {
        let Self { pages, kept_pages, urls, bytes, kept_bytes } = *self;
        let percent = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
        let _ = writeln!(
            out,
            "{}\t{pages}\t{kept_pages}\t{urls}\t{:.1}\t{bytes}\t{kept_bytes}\t{:.1}",
            render::tsv::cell(name),
            percent(urls, pages),
            percent(kept_bytes, bytes)
        );
    }
}
