//! Seeds from the index of an archive: hosts with pages in a language, at any rank.

use crate::Choice;
use cdx::pages::Entry;
use cdx::releases::Releases;
use langbytes::{are_siblings, Cld2, LangCode};
use langid::Identify as _;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// The figures of a host in an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Host {
    /// All its pages.
    pages: u64,
    /// Pages in the language, at any rank.
    own: u64,
    /// Pages with the language at the first rank.
    first: u64,
    /// Pages in a language of --like, and not in the language itself.
    like: u64,
    /// Bytes of the records of all these pages in the archive.
    bytes: u64,
}

/// Which hosts of an index have seeds.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Smallest number of pages in the language.
    pub min_pages: u64,
    /// Smallest share of a host's pages that are in the language, from 0 to 1.
    pub min_share: f64,
}

impl Limits {
    fn allow(&self, host: &Host) -> bool {
        host.own + host.like >= self.min_pages && host.share() >= self.min_share
    }
}

/// Returns a sentence if the program that labels such indexes does not know a language.
pub fn blind_spot(language: LangCode, like: &[LangCode]) -> Option<String> {
    let known: HashSet<LangCode> = Cld2.languages().into_iter().collect();
    if known.contains(&language) || !like.is_empty() {
        return None;
    }
    let mut near: Vec<&str> = Vec::new();
    let siblings: Vec<LangCode> =
        known.into_iter().filter(|&other| are_siblings(language, other)).collect();
    near.extend(siblings.iter().map(LangCode::as_str));
    near.sort_unstable();
    let near = match near.is_empty() {
        true => "(`identify --identifier cld2` on a text in it finds them)".to_owned(),
        false => format!("{} or others", near.join(",")),
    };
    Some(format!(
        "{language}: CLD2, which labels the pages of Common Crawl's index, does not know {}, and labels its pages as \
         other languages; list the hosts of these with --like {near}",
        language.name()
    ))
}

/// Sums over the entries of indexes.
#[derive(Debug)]
pub struct IndexSums {
    own: String,
    like: Vec<String>,
    hosts: HashMap<String, Host>,
    /// Sums over the releases of the archive.
    pub releases: Releases,
}

impl IndexSums {
    /// Creates sums of pages in a language. The pages of languages `like` it count too.
    pub fn new(language: LangCode, like: &[LangCode]) -> Self {
        Self {
            own: language.to_string(),
            like: like.iter().map(LangCode::to_string).collect(),
            hosts: HashMap::new(),
            releases: Releases::default(),
        }
    }

    /// Counts an entry, and offers its page to a choice if it is in the language.
    pub fn add(&mut self, entry: &Entry, choice: &mut Choice) {
        choice.counts.pages += 1;
        let host = match entry.host.is_empty() {
            false => entry.host.to_ascii_lowercase(),
            true => figures::parse::host(&entry.url),
        };
        let weight = self.count(entry, &host);
        if !choice.draws(&entry.url, weight > 0) && weight > 0 {
            choice.counts.rich += 1;
            choice.offer(&entry.url, weight, 1);
        }
    }

    /// Takes the hosts from a choice that the limits do not allow.
    pub fn limit(&self, choice: &mut Choice, limits: Limits) {
        let is_allowed = |name: &str| self.hosts.get(name).is_some_and(|host| limits.allow(host));
        choice.hosts.retain(|name, _| is_allowed(name));
    }

    /// Counts an entry. Returns how good it is as a seed: 0 if it is none.
    fn count(&mut self, entry: &Entry, host: &str) -> u64 {
        let rank = |code: &String| entry.languages.iter().position(|found| found == code);
        let own = rank(&self.own);
        let like = self.like.iter().filter_map(rank).min();
        self.releases.add(entry, host, own);
        if !self.hosts.contains_key(host) {
            self.hosts.insert(host.to_owned(), Host::default());
        }
        let Some(sums) = self.hosts.get_mut(host) else { return 0 };
        sums.pages += 1;
        if let Some(rank) = own {
            sums.own += 1;
            sums.first += u64::from(rank == 0);
        } else if like.is_some() {
            sums.like += 1;
        }
        let Some(rank) = own.or(like) else { return 0 };
        sums.bytes = sums.bytes.saturating_add(entry.length);
        3 - rank.min(2) as u64
    }

    /// The table of hosts that the limits allow, those with most pages first: lines of cells that
    /// tabs separate.
    pub fn host_table(&self, limits: Limits) -> String {
        let mut table = "host\tpages\tin_language\tfirst\tlike\tpercent\trecord_bytes\n".to_owned();
        let chosen =
            self.hosts.iter().filter(|(_, host)| host.own + host.like > 0 && limits.allow(host));
        let mut hosts: Vec<(&String, &Host)> = chosen.collect();
        hosts.sort_by(|(a, one), (b, other)| {
            (other.own + other.like, *a).cmp(&(one.own + one.like, *b))
        });
        for (name, host) in hosts {
            let Host { pages, own, first, like, bytes } = host;
            let percent = 100.0 * host.share();
            let name = render::tsv::cell(name);
            // Writing to a string cannot fail.
            let _ =
                writeln!(table, "{name}\t{pages}\t{own}\t{first}\t{like}\t{percent:.2}\t{bytes}");
        }
        table
    }
}

impl Host {
    fn share(&self) -> f64 {
        (self.own + self.like) as f64 / self.pages.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_counts_at_any_rank_and_each_address_once_over_the_releases() {
        let language = |code: &str| code.parse::<LangCode>().expect("a code");
        let mut sums = IndexSums::new(language("urd"), &[language("snd")]);
        let mut add = |url: &str, languages: &str, release: &str| {
            let languages = languages.split(',').map(str::to_owned).collect();
            let entry = Entry {
                url: url.to_owned(),
                languages,
                length: 10,
                release: release.to_owned(),
                ..Entry::default()
            };
            sums.count(&entry, &figures::parse::host(url))
        };
        assert_eq!(add("http://a.pk/1", "urd", "r1"), 3);
        assert_eq!(add("http://a.pk/2", "eng,snd,urd", "r1"), 1, "its own rank counts");
        assert_eq!(add("http://a.pk/3", "eng", "r1"), 0);
        assert_eq!(add("http://b.pk/", "eng,snd", "r1"), 2);
        assert_eq!(add("http://a.pk/1", "eng,urd", "r2"), 2);
        let table = sums.releases.table();
        let rows: Vec<&str> = table.lines().skip(1).collect();
        assert_eq!(
            rows,
            [
                "r1\t4\t1\t0\t1\t2\t1\t-\t20\t2\t20\t-\t-",
                "r2\t1\t0\t1\t0\t1\t1\t-\t10\t0\t0\t0.00\t0",
                "all\t5\t1\t1\t1\t3\t1\t-\t30\t2\t20\t-\t-"
            ]
        );
        let overlap = sums.releases.overlap();
        assert_eq!(overlap.lines().nth(1), Some("r1\tr2\t1\t50.00\t1\t100.00\t25.00"));
        let languages = sums.releases.languages();
        let rows: Vec<&str> = languages.lines().collect();
        assert_eq!(
            rows,
            [
                "language\tr1\tr2\tmean",
                "eng\t75.0000\t100.0000\t87.5000",
                "urd\t50.0000\t100.0000\t75.0000",
                "snd\t50.0000\t0.0000\t25.0000"
            ]
        );
        let hosts = sums.host_table(Limits { min_pages: 0, min_share: 0.0 });
        let rows: Vec<&str> = hosts.lines().skip(1).collect();
        assert_eq!(rows, ["a.pk\t4\t3\t1\t0\t75.00\t30", "b.pk\t1\t0\t0\t1\t100.00\t10"]);
    }

    #[test]
    fn what_the_labels_cannot_know_is_said() {
        let language = |code: &str| code.parse::<LangCode>().expect("a code");
        assert_eq!(blind_spot(language("ur"), &[]), None);
        let said = blind_spot(language("skr"), &[]).expect("Saraiki");
        assert!(
            said.contains("does not know Saraiki") && said.contains("identify --identifier cld2"),
            "{said}"
        );
        let said = blind_spot(language("pnb"), &[]).expect("Western Panjabi");
        assert!(said.contains(",urd") && !said.contains("identify"), "{said}");
        assert_eq!(blind_spot(language("skr"), &[language("ur")]), None);
    }
}
