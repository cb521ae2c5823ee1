//! Rules of hosts on the use of their pages: `/robots.txt` and `/.well-known/tdmrep.json` as an
//! archive has them.

use crate::work::{readable, Failure};
use figures::urls::fingerprint;
use provenance::{HostFiles, RobotsFile, TdmFile};
use records::{Body, Problem, Source};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The rules of hosts, by host and port. The scheme does not matter: archives often have the file
/// of one scheme alone.
#[derive(Debug, Default)]
pub struct Hosts(BTreeMap<String, Host>);

#[derive(Debug, Default)]
struct Host {
    robots: Option<RobotsFile>,
    tdm: Option<TdmFile>,
}

impl Hosts {
    /// Reads the files of hosts from archives, and keeps those with rules. Other records are
    /// skipped; of several files of a host the last counts. Calls `tell` with each damaged record.
    ///
    /// # Errors
    /// Fails if an input cannot be opened or not be read to its end.
    pub fn read(
        sources: &[Source],
        max_bytes: u64,
        tell: &mut dyn FnMut(&Problem),
    ) -> Result<Self, Failure> {
        let mut hosts = Self::default();
        for source in sources {
            let records = source.open(max_bytes, &Arc::default());
            for record in records.map_err(Failure::unopened(source))? {
                match readable(record)? {
                    Ok(record) => {
                        if let Body::HostFile(url, content) = record.body {
                            hosts.add(&url, &content);
                        }
                    }
                    Err(problem) => tell(&problem),
                }
            }
        }
        Ok(hosts)
    }

    fn add(&mut self, url: &str, content: &[u8]) {
        let name = host(url);
        let mut host = self.0.remove(&name).unwrap_or_default();
        if url.ends_with("/robots.txt") {
            host.robots = Some(RobotsFile::read(content)).filter(|robots| !robots.is_empty());
        } else {
            host.tdm = TdmFile::read(content).filter(|tdm| !tdm.is_empty());
        }
        // Most hosts of an archive have no rule.
        if host.robots.is_some() || host.tdm.is_some() {
            self.0.insert(name, host);
        }
    }

    /// Number of hosts with a rule.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no host has a rule.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the files of a page's host.
    pub fn files(&self, url: &str) -> HostFiles<'_> {
        if self.0.is_empty() {
            return HostFiles::default();
        }
        let found = self.0.get(&host(url));
        HostFiles {
            robots: found.and_then(|host| host.robots.as_ref()),
            tdm: found.and_then(|host| host.tdm.as_ref()),
        }
    }

    /// Returns a number that is another one if a rule changed.
    pub fn fingerprint(&self) -> u64 {
        let with =
            |sum, (host, files): (&String, &Host)| fingerprint(&format!("{sum} {host} {files:?}"));
        self.0.iter().fold(fingerprint(""), with)
    }
}

/// Host and port of a URL, in lower case.
fn host(url: &str) -> String {
    let behind = url.find("://").map_or(url, |at| &url[at + 3..]);
    behind.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_host_and_port_of_a_page() {
        let mut hosts = Hosts::default();
        hosts.add("http://A.pk/robots.txt", b"User-agent: *\nContent-Usage: train-ai=n\n");
        hosts.add(
            "https://a.pk/.well-known/tdmrep.json",
            br#"[{"location":"/","tdm-reservation":1}]"#,
        );
        hosts.add("http://b.pk/robots.txt", b"User-agent: *\nDisallow: /\n");
        let files = hosts.files("https://a.pk/page?x");
        assert!(files.robots.is_some() && files.tdm.is_some());
        assert!(hosts.files("http://b.pk/").robots.is_none());
        assert!(hosts.files("http://a.pk:8080/").robots.is_none());
        assert_eq!(hosts.len(), 1, "b.pk has no rule on usage");
        let before = hosts.fingerprint();
        hosts.add("http://a.pk/robots.txt", b"User-agent: *\nContent-Usage: train-ai=y\n");
        assert_ne!(hosts.fingerprint(), before);
    }

    #[test]
    fn hosts_without_a_rule_take_no_memory() {
        let mut hosts = Hosts::default();
        let usage: &[u8] = b"User-agent: *\nContent-Usage: train-ai=n\n";
        let reserved: &[u8] = br#"[{"location":"/","tdm-reservation":1}]"#;
        let tdm = "http://a.pk/.well-known/tdmrep.json";
        for (url, content) in [
            ("http://a.pk/robots.txt", &b"User-agent: *\nDisallow: /\n"[..]),
            ("http://b.pk/robots.txt", b""),
            (tdm, b"no JSON"),
            (tdm, b"[]"),
        ] {
            hosts.add(url, content);
            assert!(hosts.is_empty(), "{url}");
        }
        let none = hosts.fingerprint();
        hosts.add("http://a.pk/robots.txt", usage);
        let robots = hosts.fingerprint();
        hosts.add(tdm, reserved);
        assert_eq!(hosts.len(), 1);
        // A newer file without a rule takes the place of one with rules.
        hosts.add(tdm, b"[]");
        assert!(hosts.files("http://a.pk/").tdm.is_none());
        assert_eq!((hosts.len(), hosts.fingerprint()), (1, robots));
        hosts.add("http://a.pk/robots.txt", b"");
        assert_eq!((hosts.len(), hosts.fingerprint()), (0, none));
    }
}
