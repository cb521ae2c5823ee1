//! Releases of an archive side by side, from their indexes: Table 5, Figures 4 and 5 of the paper.

use crate::pages::Entry;
use figures::identity::of_run;
use figures::urls::fingerprint;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

/// URLs of a release, of any language, that stand for all of them: those with the smallest hashes.
/// The Jaccard coefficient of two releases then has a standard error of .4 points at most.
const SAMPLE: usize = 1 << 14;

/// The figures of a release: of pages in the language, except `pages`, `sample` and `languages`.
#[derive(Debug, Default)]
struct Release {
    /// Number of pages in any language.
    pages: u64,
    /// Hashes of the URLs of all pages: the smallest ones.
    sample: BTreeSet<u64>,
    /// Pages in each language, at any rank.
    languages: HashMap<String, u64>,
    /// Pages with the language at each rank.
    ranks: [u64; 3],
    urls: HashSet<u64>,
    hosts: HashSet<u64>,
    domains: HashSet<u64>,
    /// Bytes of the records.
    bytes: u64,
    /// Pages that no entry before had.
    new: u64,
    /// Bytes of their records.
    new_bytes: u64,
}

/// Releases by name: those of Common Crawl are then in the order of their time.
#[derive(Debug, Default)]
pub struct Releases {
    each: BTreeMap<String, Release>,
    /// Hashes of the URLs in the language.
    urls: HashSet<u64>,
}

impl Releases {
    /// Counts an entry.
    ///
    /// # Parameters
    /// - `rank`: the language's place in the languages of the page, from 0; `None` if it is none of
    ///   them
    pub fn add(&mut self, entry: &Entry, host: &str, rank: Option<usize>) {
        if !self.each.contains_key(&entry.release) {
            self.each.insert(entry.release.clone(), Release::default());
        }
        let Some(release) = self.each.get_mut(&entry.release) else { return };
        let url = of_run(entry.url.as_bytes());
        release.pages += 1;
        // Without a key of the run, because the sample decides what the table says.
        release.sample.insert(fingerprint(&entry.url));
        if release.sample.len() > SAMPLE {
            release.sample.pop_last();
        }
        for language in &entry.languages {
            match release.languages.get_mut(language) {
                Some(pages) => *pages += 1,
                None => _ = release.languages.insert(language.clone(), 1),
            }
        }
        let Some(rank) = rank else { return };
        release.ranks[rank.min(2)] += 1;
        release.urls.insert(url);
        release.hosts.insert(of_run(host.as_bytes()));
        if !entry.domain.is_empty() {
            release.domains.insert(of_run(entry.domain.as_bytes()));
        }
        release.bytes = release.bytes.saturating_add(entry.length);
        if self.urls.insert(url) {
            release.new += 1;
            release.new_bytes = release.new_bytes.saturating_add(entry.length);
        }
    }

    /// Counts an entry of a named release, in a language by its code.
    pub fn add_as(&mut self, name: &str, entry: Entry, language: &str) {
        let rank = entry.languages.iter().position(|code| code == language);
        let host = match entry.host.is_empty() {
            true => figures::parse::host(&entry.url),
            false => entry.host.to_ascii_lowercase(),
        };
        self.add(&Entry { release: name.to_owned(), ..entry }, &host, rank);
    }

    /// Table 5 of the paper: a row for each release, and one for all of them, in which each host,
    /// domain and new URL counts once. Figure 5b is in two columns: `hosts_lost_percent` has the
    /// hosts of the release before that this one lacks, `hosts_back` those that the release before
    /// lacks and an earlier one has.
    pub fn table(&self) -> String {
        let mut table =
            "release\tpages\trank_1\trank_2\trank_3\tany_rank\thosts\tdomains\trecord_bytes\t\
                         new_urls\tnew_record_bytes\thosts_lost_percent\thosts_back\n"
                .to_owned();
        let mut all = Release::default();
        let mut before: Option<&Release> = None;
        for (name, release) in &self.each {
            let churn = before.map(|before| {
                let lost = before.hosts.difference(&release.hosts).count();
                let back = release.hosts.difference(&before.hosts);
                let back = back.filter(|host| all.hosts.contains(host)).count();
                format!("{}\t{back}", percent(lost, before.hosts.len()))
            });
            release.row(name, &churn.unwrap_or_else(|| "-\t-".to_owned()), &mut table);
            all.sum(release);
            before = Some(release);
        }
        all.row("all", "-\t-", &mut table);
        table
    }

    /// Figure 5a of the paper: the overlap of each two releases, in the URLs and hosts with the
    /// language and in all URLs.
    pub fn overlap(&self) -> String {
        let mut table = "release\tother\turls_in_both\turls_jaccard_percent\thosts_in_both\t\
                         hosts_jaccard_percent\tall_urls_jaccard_percent\n"
            .to_owned();
        for (at, (name, one)) in self.each.iter().enumerate() {
            for (other_name, other) in self.each.iter().skip(at + 1) {
                let (urls, hosts) =
                    (Common::of(&one.urls, &other.urls), Common::of(&one.hosts, &other.hosts));
                let mut union: BTreeSet<u64> = one.sample.union(&other.sample).copied().collect();
                while union.len() > SAMPLE {
                    union.pop_last();
                }
                let is_in_both =
                    |url: &&u64| one.sample.contains(url) && other.sample.contains(url);
                let both = union.iter().filter(is_in_both).count();
                // Writing to a string cannot fail.
                let _ = writeln!(
                    table,
                    "{}\t{}\t{}\t{}\t{}\t{}\t{}",
                    cell(name),
                    cell(other_name),
                    urls.both,
                    urls.jaccard(),
                    hosts.both,
                    hosts.jaccard(),
                    percent(both, union.len())
                );
            }
        }
        table
    }

    /// Figure 4 of the paper: for each language the percentage of each release's pages that have it
    /// at any rank, and the mean over the releases, the most frequent language first.
    pub fn languages(&self) -> String {
        let mut table = "language".to_owned();
        for name in self.each.keys() {
            let _ = write!(table, "\t{}", cell(name));
        }
        table.push_str("\tmean\n");
        let codes: BTreeSet<&String> =
            self.each.values().flat_map(|release| release.languages.keys()).collect();
        let shares = |code: &String| -> Vec<f64> {
            let share = |release: &Release| {
                let pages = release.languages.get(code).copied().unwrap_or_default();
                100.0 * pages as f64 / release.pages.max(1) as f64
            };
            self.each.values().map(share).collect()
        };
        let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let mut rows: Vec<(&String, Vec<f64>)> =
            codes.into_iter().map(|code| (code, shares(code))).collect();
        rows.sort_by(|(_, one), (_, other)| mean(other).total_cmp(&mean(one)));
        for (code, shares) in rows {
            table.push_str(&render::tsv::cell(code));
            for share in shares.iter().copied().chain([mean(&shares)]) {
                let _ = write!(table, "\t{share:.4}");
            }
            table.push('\n');
        }
        table
    }
}

impl Release {
    fn sum(&mut self, other: &Self) {
        self.pages += other.pages;
        for (sum, pages) in self.ranks.iter_mut().zip(other.ranks) {
            *sum += pages;
        }
        self.hosts.extend(&other.hosts);
        self.domains.extend(&other.domains);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.new += other.new;
        self.new_bytes = self.new_bytes.saturating_add(other.new_bytes);
    }

    fn row(&self, name: &str, churn: &str, table: &mut String) {
        let [first, second, third] = self.ranks;
        // Only the columnar index has registered domains.
        let domains = match self.domains.len() {
            0 => "-".to_owned(),
            domains => domains.to_string(),
        };
        let _ = writeln!(
            table,
            "{}\t{}\t{first}\t{second}\t{third}\t{}\t{}\t{domains}\t{}\t{}\t{}\t{churn}",
            cell(name),
            self.pages,
            first + second + third,
            self.hosts.len(),
            self.bytes,
            self.new,
            self.new_bytes
        );
    }
}

/// The overlap of two sets.
struct Common {
    /// Members of both.
    both: usize,
    /// Members of one or both.
    union: usize,
}

impl Common {
    fn of(one: &HashSet<u64>, other: &HashSet<u64>) -> Self {
        let both = one.intersection(other).count();
        Self { both, union: one.len() + other.len() - both }
    }

    fn jaccard(&self) -> String {
        percent(self.both, self.union)
    }
}

/// A percentage; `-` of nothing.
fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        whole => format!("{:.2}", 100.0 * part as f64 / whole as f64),
    }
}

/// The name of a release; `-` for entries that name none.
fn cell(name: &str) -> String {
    match name {
        "" => "-".to_owned(),
        name => render::tsv::cell(name).into_owned(),
    }
}
