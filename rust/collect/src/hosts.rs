//! Rules of hosts on the use of their pages: `/robots.txt` and `/.well-known/tdmrep.json` as an
//! archive has them.

use corpus::urls::fingerprint;
use provenance::{HostFiles, RobotsFile, TdmFile};
use records::{Body, Problem, Source};
use std::collections::BTreeMap;
use std::fmt::Write as _;
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
    /// Reads the files of hosts from archives. Other records are skipped; of several files of a
    /// host the last counts. Calls `tell` with each damaged record.
    ///
    /// # Errors
    /// Fails if an input cannot be opened, in a sentence.
    pub fn read(
        sources: &[Source],
        max_bytes: u64,
        tell: &mut dyn FnMut(&Problem),
    ) -> Result<Self, String> {
        let mut hosts = Self::default();
        for source in sources {
            let records = source.open(max_bytes, &Arc::default());
            for record in records.map_err(|error| format!("{}: {error}", source.name))? {
                match record {
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
        let host = host(url);
        if url.ends_with("/robots.txt") {
            let robots = RobotsFile::read(content);
            self.0.entry(host).or_default().robots =
                Some(robots).filter(|robots| !robots.is_empty());
        } else {
            self.0.entry(host).or_default().tdm = TdmFile::read(content);
        }
    }

    /// Number of hosts with a file.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no host has a file.
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
        let mut text = String::new();
        for (host, files) in &self.0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{host} {files:?}");
        }
        fingerprint(&text)
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
        assert_eq!(hosts.len(), 2);
        let before = hosts.fingerprint();
        hosts.add("http://a.pk/robots.txt", b"User-agent: *\nContent-Usage: train-ai=y\n");
        assert_ne!(hosts.fingerprint(), before);
    }
}
