//! Exclusion lists: hosts, URL prefixes, single pages. All verbs read the same format.

use crate::{files as input, urls, BadInput};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;
use url::Url;

/// Beginning of a line for a single page.
const SINGLE: char = '=';

/// A list that cannot be used. The message has the option that named it.
#[derive(Debug, thiserror::Error)]
pub enum BadList {
    /// The file cannot be read.
    #[error(transparent)]
    Unread(#[from] BadInput),
    /// A line is no entry.
    #[error("{file}, line {line}: {reason} ({option})")]
    Line {
        /// The name of the file.
        file: String,
        /// The number of the line, from 1.
        line: usize,
        /// Why the line is no entry.
        reason: BadLine,
        /// The option that named the file.
        option: &'static str,
    },
}

/// A line of a list that is no entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadLine {
    /// It has none of the forms of an exclusion.
    #[error("`{0}` is neither a host nor the beginning of a URL nor `=` and a URL")]
    NoExclusion(String),
    /// A passage of a ledger is in too many pages.
    #[error(
        "the passage {line} has fewer than {} letters; name a longer one",
        crate::removals::MIN_LETTERS
    )]
    ShortPassage {
        /// The passage as it is in the ledger.
        line: String,
    },
}

/// Hosts and URLs whose pages are left out.
#[derive(Debug, Default)]
pub struct Without {
    /// Hosts. Their subdomains are excluded too.
    hosts: HashSet<String>,
    /// URL prefixes, sorted. None begins with another.
    beginnings: Vec<String>,
    /// URLs of single pages.
    pages: HashSet<String>,
}

impl Without {
    /// Reads the list of option `--without`; without the option nothing is excluded.
    ///
    /// # Errors
    /// As [`Without::read`].
    pub fn of(file: Option<&Path>, max_bytes: u64) -> Result<Self, BadList> {
        file.map_or_else(|| Ok(Self::default()), |file| Self::read(file, max_bytes))
    }

    /// Reads a list. A line is a host (which excludes its subdomains too), a URL prefix, or `=` and
    /// the URL of a page. Empty lines and lines that begin with `#` are ignored.
    ///
    /// # Errors
    /// Fails if the file cannot be read or a line is none of these, in a sentence.
    pub fn read(file: &Path, max_bytes: u64) -> Result<Self, BadList> {
        Self::with_others(file, max_bytes, "--without", &mut |_| Ok(false))
    }

    /// Reads the list of an option, whose other lines `take` reads: it returns whether a line is
    /// one of its own.
    ///
    /// # Errors
    /// As [`Without::read`], and if `take` fails.
    pub fn with_others(
        file: &Path,
        max_bytes: u64,
        option: &'static str,
        take: &mut dyn FnMut(&str) -> Result<bool, BadLine>,
    ) -> Result<Self, BadList> {
        let text = input::text(file, max_bytes).map_err(|bad| bad.of_option(option))?;
        let mut without = Self::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let bad = |reason| BadList::Line {
                file: input::name(file),
                line: number + 1,
                reason,
                option,
            };
            if take(line).map_err(bad)? {
                continue;
            }
            if let Some(page) = line.strip_prefix(SINGLE) {
                without.pages.insert(as_written(page.trim()));
                continue;
            }
            let is_scheme = |scheme: &str| {
                scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            };
            if let Some((scheme, rest)) =
                line.split_once("://").filter(|(scheme, _)| is_scheme(scheme))
            {
                without.add_beginning(scheme, rest);
                continue;
            }
            // Written as the host of a URL, so that capitals and letters beyond ASCII are equal.
            let host = urls::parse(&format!("http://{}/", line.trim_start_matches('.')));
            let is_plain = !line.contains(['/', ':', '?', '#', '@']);
            let Some(host) =
                host.filter(|_| is_plain).and_then(|url| url.host_str().map(str::to_owned))
            else {
                return Err(bad(BadLine::NoExclusion(line.to_owned())));
            };
            without.hosts.insert(host);
        }
        without.beginnings.sort_unstable();
        // A prefix sorts before all strings that begin with it.
        without.beginnings.dedup_by(|longer, shorter| longer.starts_with(&*shorter));
        Ok(without)
    }

    /// Adds the beginning of URLs. Capitals are equal to small letters up to the path, as in the
    /// URLs that are compared.
    fn add_beginning(&mut self, scheme: &str, rest: &str) {
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (scheme, host) = (scheme.to_lowercase(), host.to_lowercase());
        let whole = without_dot(&host);
        if path.is_empty() {
            // The host may go on behind a dot, or end there.
            if whole != host {
                self.beginnings.push(format!("{scheme}://{whole}/"));
            }
            self.beginnings.push(format!("{scheme}://{host}"));
        } else {
            self.beginnings.push(format!("{scheme}://{whole}{path}"));
        }
    }

    /// Returns true if a page's URL, its host or a parent domain is listed.
    pub fn has(&self, address: &str) -> bool {
        if self.pages.is_empty() && self.hosts.is_empty() && self.beginnings.is_empty() {
            return false;
        }
        let Some(url) = urls::parse(address) else { return self.pages.contains(address) };
        let host = url.host_str().unwrap_or_default();
        let above = host.char_indices().filter(|&(_, c)| c == '.').map(|(at, _)| &host[at + 1..]);
        std::iter::once(host).chain(above).any(|host| self.hosts.contains(host))
            || self.begins(url.as_str())
            || self.pages.contains(&written(url))
    }
}

impl Without {
    /// Returns true if a URL begins with a listed prefix. Everything between a prefix and the URL
    /// in the order also begins with the prefix, so only the last prefix before the URL can match.
    fn begins(&self, address: &str) -> bool {
        let behind = self.beginnings.partition_point(|beginning| beginning.as_str() <= address);
        behind > 0 && address.starts_with(&self.beginnings[behind - 1])
    }
}

/// A host, or a host and its port, without the final dot of the host.
fn without_dot(host: &str) -> String {
    let (name, port) = host.split_at(host.rfind(':').unwrap_or(host.len()));
    format!("{}{port}", name.trim_end_matches('.'))
}

/// A URL without its fragment and the final dot of its host, with capitals and letters beyond ASCII
/// in one form. A text that is not a URL stays as it is.
fn as_written(address: &str) -> String {
    urls::parse(address).map_or_else(|| address.to_owned(), written)
}

fn written(mut url: Url) -> String {
    url.set_fragment(None);
    url.into()
}

/// A list made from verdicts on pages.
#[derive(Debug, PartialEq, Eq)]
pub struct Listed {
    /// The list in the format of [`Without::read`].
    pub text: String,
    /// Hosts that are listed as a whole.
    pub hosts: usize,
    /// Pages of other hosts.
    pub pages: usize,
    /// Refused pages without a known URL.
    pub without_address: usize,
}

/// Lists refused pages. A host with at least `least` refused pages and no accepted page is listed
/// as a whole, without its subdomains, because they may belong to others.
pub fn list<'a>(
    refused: impl Iterator<Item = &'a str>,
    accepted: impl Iterator<Item = &'a str>,
    least: usize,
) -> Listed {
    let mut hosts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without_address = 0;
    for address in refused {
        if address.is_empty() {
            without_address += 1;
        } else {
            hosts.entry(site(address)).or_default().push(as_written(address));
        }
    }
    let accepted: HashSet<String> = accepted.map(site).collect();
    let mut listed = Listed { text: String::new(), hosts: 0, pages: 0, without_address };
    for (host, mut pages) in hosts {
        pages.sort_unstable();
        pages.dedup();
        if !host.is_empty() && pages.len() >= least && !accepted.contains(&host) {
            listed.hosts += 1;
            let _ = writeln!(listed.text, "http://{host}/\nhttps://{host}/");
        } else {
            listed.pages += pages.len();
            for page in pages {
                let _ = writeln!(listed.text, "{SINGLE}{page}");
            }
        }
    }
    listed
}

/// The host of a web page and its port, if any. Empty for a URL of another kind.
fn site(address: &str) -> String {
    let url = urls::parse(address).filter(|url| matches!(url.scheme(), "http" | "https"));
    let site = url.and_then(|url| {
        let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
        Some(format!("{}{port}", url.host_str()?))
    });
    site.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn read(text: &str) -> Result<Without, BadList> {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("without");
        std::fs::write(&file, text).expect("written");
        Without::read(&file, 1 << 24)
    }

    #[test]
    fn hosts_have_all_below_them_beginnings_what_begins_so_and_pages_themselves() {
        let text = "# spam\n\nSpam.PK\n.dot.pk\nمثال.pk\nhttp://a.pk/login\n= http://B.pk/1#top\n=number 7\n";
        let without = read(text).expect("read");
        for listed in [
            "http://spam.pk/",
            "https://x.y.spam.pk:8080/1",
            "http://dot.pk/",
            "http://xn--mgbh0fb.pk/",
            "http://a.pk/login?x",
            "http://b.pk/1",
            "http://b.pk/1#end",
            "number 7",
        ] {
            assert!(without.has(listed), "{listed}");
        }
        for other in [
            "http://notspam.pk/",
            "http://spam.pk.com/",
            "http://a.pk/news/login",
            "http://b.pk/10",
            "https://b.pk/1",
            "number 77",
            "",
        ] {
            assert!(!without.has(other), "{other}");
        }
    }

    #[test]
    fn beginnings_are_found_whatever_stands_between_them() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut address = |longest| -> String {
            let letters = (0..random.usize(0..longest))
                .map(|_| random.choice(['a', 'b', '/', '-', '\u{7f}']));
            letters
                .flatten()
                .fold("http://x.pk/".to_owned(), |address, letter| format!("{address}{letter}"))
        };
        for _ in 0..300 {
            let listed: Vec<String> = (0..8).map(|_| address(6)).collect();
            let without = read(&listed.join("\n")).expect("read");
            for _ in 0..30 {
                let address = Url::parse(&address(9)).expect("a URL").to_string();
                let begins = listed.iter().any(|beginning| address.starts_with(beginning));
                assert_eq!(without.has(&address), begins, "{address} in {listed:?}");
            }
        }
    }

    #[test]
    fn many_beginnings_cost_an_address_no_more_than_a_few() {
        let list: String =
            (0..100_000).map(|number| format!("http://h{number}.pk/news/\n")).collect();
        let without = read(&list).expect("read");
        let begin = std::time::Instant::now();
        let found = (0..200_000)
            .filter(|number| without.has(&format!("http://h{number}.pk/news/1")))
            .count();
        assert_eq!(found, 100_000);
        // One by one they took hours.
        assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
    }

    #[test]
    fn capitals_of_scheme_and_host_and_a_byte_order_mark_make_no_difference() {
        let without = read("\u{feff}first.pk\r\nHTTP://News.PK/Old\r\n").expect("read");
        for (address, listed) in [
            ("http://first.pk/", true),
            ("http://news.pk/Old/1", true),
            ("http://news.pk/old/1", false),
        ] {
            assert_eq!(without.has(address), listed, "{address}");
        }
    }

    #[test]
    fn a_host_with_a_final_dot_is_the_host_without_it() {
        let text = "spam.pk\ndot.pk.\nhttp://a.pk./login\nhttp://p.pk.:8080/\nhttp://c.pk/x\n=http://b.pk./1\n=http://d.pk/1\n";
        let without = read(text).expect("read");
        for listed in [
            "spam.pk/2",
            "x.spam.pk/",
            "dot.pk/",
            "a.pk/login",
            "p.pk:8080/1",
            "c.pk/x",
            "b.pk/1",
            "d.pk/1",
        ] {
            let dotted = listed.replacen(".pk", ".pk.", 1);
            for address in [listed, &dotted, &listed.replacen(".pk", ".pk..", 1)] {
                assert!(without.has(&format!("http://{address}")), "{address}");
            }
        }
        for other in
            ["http://notspam.pk./", "http://a.pk./news", "http://p.pk./", "http://b.pk./10"]
        {
            assert!(!without.has(other), "{other}");
        }
        let news = read("http://news.\n").expect("read");
        assert!(news.has("http://news.pk/") && news.has("http://news./1"));
        assert!(!news.has("http://newspaper.pk/"));
        let listed = list(
            ["http://bad.pk./1", "http://bad.pk/2"].into_iter(),
            ["http://b.pk./"].into_iter(),
            2,
        );
        assert_eq!((listed.hosts, listed.pages), (1, 0));
        let listed = list(["http://b.pk/1"].into_iter(), ["http://b.pk./"].into_iter(), 1);
        assert_eq!((listed.hosts, listed.pages), (0, 1));
    }

    #[test]
    fn a_line_that_is_neither_host_nor_url_is_refused() {
        for bad in ["a b", "a.pk/login", "a.pk:80", "{\"url\":\"http://a.pk/\"}"] {
            let said = read(&format!("x.pk\n{bad}")).expect_err("refused");
            let end = "is neither a host nor the beginning of a URL nor `=` and a URL (--without)";
            assert!(said.to_string().ends_with(&format!("line 2: `{bad}` {end}")), "{said}");
        }
    }

    #[test]
    fn a_host_is_listed_as_a_whole_if_enough_of_it_was_refused_and_nothing_accepted() {
        let refused = [
            "http://bad.pk/1",
            "https://bad.pk/2",
            "http://bad.pk/3",
            "http://mixed.pk/1",
            "http://mixed.pk/2",
            "http://mixed.pk/3",
            "http://few.pk/1",
            "http://few.pk/1#again",
            "http://port.pk:8080/1",
            "http://port.pk:8080/2",
            "http://port.pk:8080/3",
            "",
            "number 7",
        ];
        let accepted = ["http://mixed.pk/4", "http://below.bad.pk/", ""];
        let listed = list(refused.into_iter(), accepted.into_iter(), 3);
        assert_eq!((listed.hosts, listed.pages, listed.without_address), (2, 5, 1));
        let without = read(&listed.text).expect("what is written can be read");
        for address in refused.into_iter().filter(|address| !address.is_empty()) {
            assert!(without.has(address), "{address}");
        }
        assert!(without.has("https://bad.pk/4") && without.has("http://port.pk:8080/4"));
        for other in accepted.into_iter().chain([
            "http://few.pk/10",
            "http://port.pk/4",
            "http://bad.pk.com/",
        ]) {
            assert!(!without.has(other), "{other}");
        }
    }
}
