//! Lists of domains in classes, in the layout of the UT1 blacklists: a folder for each class with
//! the files `domains` and `urls`.

use crate::{files as input, urls, BadInput};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use url::Url;

/// Names of the files of a class.
const DOMAINS: &str = "domains";
const URLS: &str = "urls";

/// Lists of domains that cannot be used. The message has the option that named them.
#[derive(Debug, thiserror::Error)]
pub enum BadDomains {
    /// A folder cannot be read.
    #[error("{}: {reason} ({option})", folder.display())]
    Unlisted {
        /// Path of the folder that cannot be listed.
        folder: PathBuf,
        /// The error of the system.
        #[source]
        reason: io::Error,
        /// The option that named the folder.
        option: &'static str,
    },
    /// A folder has no class.
    #[error(
        "{}: has no class: expected is a folder with a file `{DOMAINS}`, or a folder of such \
         folders ({option})",
        folder.display()
    )]
    NoClass {
        /// Path of the folder that the option named.
        folder: PathBuf,
        /// The option that named the folder.
        option: &'static str,
    },
    /// A file of a class cannot be read.
    #[error(transparent)]
    Unread(#[from] BadInput),
    /// A line is no domain, or no URL.
    #[error("{file}, line {line}: `{text}` is no {what} ({option})")]
    Line {
        /// The name of the file.
        file: String,
        /// The number of the line, from 1.
        line: usize,
        /// Text of the line.
        text: String,
        /// The form of each line of the file.
        what: &'static str,
        /// The option that named the folder.
        option: &'static str,
    },
}

/// Domains and beginnings of URLs with their classes.
#[derive(Debug, Default)]
pub struct Domains {
    /// Names of the classes, sorted.
    classes: Vec<String>,
    /// Class by domain. Of several classes the first counts.
    domains: HashMap<String, usize>,
    /// Class by host and path, without scheme, `www.` and the slash at the end.
    urls: HashMap<String, usize>,
}

impl Domains {
    /// Reads a folder of classes, or the folder of a single class. `option` is named in errors.
    ///
    /// # Errors
    /// Fails if no class is there, a file cannot be read, or a line is no domain, in a sentence.
    pub fn read(folder: &Path, option: &'static str, max_bytes: u64) -> Result<Self, BadDomains> {
        let failed = |reason| BadDomains::Unlisted { folder: folder.to_owned(), reason, option };
        let mut folders: Vec<PathBuf> = Vec::new();
        if is_class(folder) {
            folders.push(folder.canonicalize().map_err(failed)?);
        } else {
            for entry in std::fs::read_dir(folder).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                // UT1 has links from old names to new ones.
                let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
                if !is_link && is_class(&path) {
                    folders.push(path);
                }
            }
            folders.sort();
        }
        if folders.is_empty() {
            return Err(BadDomains::NoClass { folder: folder.to_owned(), option });
        }
        let mut domains = Self::default();
        for folder in folders {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let class = domains.classes.len();
            domains.classes.push(name);
            for (file, is_domain) in [(DOMAINS, true), (URLS, false)] {
                let path = folder.join(file);
                if path.is_file() {
                    domains.add(&path, class, is_domain, option, max_bytes)?;
                }
            }
        }
        Ok(domains)
    }

    fn add(
        &mut self,
        file: &Path,
        class: usize,
        is_domain: bool,
        option: &'static str,
        max_bytes: u64,
    ) -> Result<(), BadDomains> {
        let text = input::text(file, max_bytes)?;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let bad = || {
                let what = if is_domain { "domain" } else { "URL without scheme" };
                let (file, text) = (input::name(file), line.to_owned());
                BadDomains::Line { file, line: number + 1, text, what, option }
            };
            let url =
                urls::parse(&format!("http://{}", line.trim_start_matches('.'))).ok_or_else(bad)?;
            let host = url.host_str().ok_or_else(bad)?;
            if !is_domain {
                self.urls.entry(address(&url)).or_insert(class);
            } else if line.contains(['/', ' ', '@', '?']) {
                return Err(bad());
            } else {
                self.domains.entry(host.to_owned()).or_insert(class);
            }
        }
        Ok(())
    }

    /// Names of the classes, by number.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The class of a URL: that of its host, of a parent domain, or of the beginning of its path.
    pub fn class(&self, address_of_page: &str) -> Option<usize> {
        let url = urls::parse(address_of_page)?;
        let host = url.host_str()?;
        let parents = host.char_indices().filter(|&(_, c)| c == '.').map(|(at, _)| &host[at + 1..]);
        let of_host = std::iter::once(host).chain(parents).find_map(|host| self.domains.get(host));
        if of_host.is_some() || self.urls.is_empty() {
            return of_host.copied();
        }
        let address = address(&url);
        let ends = address.char_indices().filter(|&(_, c)| c == '/').map(|(at, _)| at);
        ends.chain([address.len()]).find_map(|end| self.urls.get(&address[..end])).copied()
    }
}

fn is_class(folder: &Path) -> bool {
    folder.join(DOMAINS).is_file() || folder.join(URLS).is_file()
}

/// Host and path, without `www.` and the slash at the end.
fn address(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    format!("{host}{}", url.path()).trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    fn lists(files: &[(&str, &str)]) -> TempDir {
        let folder = TempDir::new().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, text).expect("written");
        }
        folder
    }

    #[test]
    fn hosts_their_subdomains_and_beginnings_of_urls_have_a_class() {
        let folder = lists(&[
            ("adult/domains", "bad.pk\n# a comment\n\n203.0.114.7\nمثال.pk\n"),
            ("adult/urls", "www.blog.pk/~bad/\nmix.pk/x\n"),
            ("religious/domains", "quran.pk\n"),
            ("LICENSE", "CC BY-SA"),
        ]);
        let lists = Domains::read(folder.path(), "--blocklist", 1 << 20).expect("read");
        assert_eq!(lists.classes(), ["adult", "religious"]);
        for (url, class) in [
            ("http://bad.pk/", Some(0)),
            ("https://x.y.Bad.pk:8080/1", Some(0)),
            ("http://203.0.114.7/", Some(0)),
            ("http://xn--mgbh0fb.pk/", Some(0)),
            ("http://www.quran.pk/1", Some(1)),
            ("http://blog.pk/~bad/1?x", Some(0)),
            ("http://mix.pk/x", Some(0)),
            ("http://mix.pk/xy", None),
            ("http://notbad.pk/", None),
            ("http://bad.pk.com/", None),
            ("http://pk/", None),
            ("no url", None),
        ] {
            assert_eq!(lists.class(url), class, "{url}");
        }
        let one =
            Domains::read(&folder.path().join("religious"), "--blocklist", 1 << 20).expect("read");
        assert_eq!(
            (one.classes(), one.class("http://bad.pk/")),
            (&["religious".to_owned()][..], None)
        );
    }

    #[test]
    fn a_host_with_a_final_dot_has_the_class_of_the_host_without_it() {
        let folder = lists(&[
            ("adult/domains", "bad.pk\ndot.pk.\n"),
            ("adult/urls", "blog.pk./~bad/\nmix.pk/x\n"),
        ]);
        let lists = Domains::read(folder.path(), "--blocklist", 1 << 20).expect("read");
        for url in ["bad.pk./", "x.bad.pk./", "dot.pk/", "blog.pk/~bad/", "www.mix.pk./x"] {
            assert_eq!(lists.class(&format!("http://{url}")), Some(0), "{url}");
        }
        assert_eq!(lists.class("http://mix.pk./y"), None);
    }

    #[test]
    fn a_folder_without_a_class_and_a_line_that_is_no_domain_are_refused() {
        let error = |files: &[(&str, &str)]| {
            let folder = lists(files);
            Domains::read(folder.path(), "--classes", 1 << 20).expect_err("refused").to_string()
        };
        assert!(error(&[("x/readme", "")]).ends_with("or a folder of such folders (--classes)"));
        assert!(error(&[("x/domains", "a.pk\nhttp://a.pk/\n")])
            .ends_with("line 2: `http://a.pk/` is no domain (--classes)"));
    }
}
