//! Recorded pages under their own addresses.
//!
//! The index is a line a page: URL, file relative to a folder, Content-Type, and when it is known
//! the language, separated by tabs. An https address is served as the same one with http, because a
//! proxy on loopback has no certificates.

use crate::server::{Reply, Site};
use anyhow::{bail, Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

struct Recorded {
    file: PathBuf,
    content_type: String,
    language: String,
}

/// Recorded pages by address.
pub struct Pages {
    /// By URL without scheme and fragment.
    pages: BTreeMap<String, Recorded>,
}

impl Pages {
    /// Reads an index whose files are in `root`.
    ///
    /// # Errors
    /// The index cannot be read, or a line of it has too few columns or names no http or https URL
    /// or no file.
    pub fn read(index: &Path, root: &Path) -> Result<Pages> {
        let text = std::fs::read_to_string(index)
            .with_context(|| format!("cannot read {}", index.display()))?;
        let mut pages = BTreeMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.is_empty()) {
            let place = || format!("{} line {}", index.display(), number + 1);
            let mut columns = line.split('\t');
            let (Some(url), Some(file), Some(content_type)) =
                (columns.next(), columns.next(), columns.next())
            else {
                bail!("{}: a line is URL, file and content type, separated by tabs", place());
            };
            let key =
                key(url).with_context(|| format!("{}: {url} is no http or https URL", place()))?;
            let file = root.join(file);
            if !file.is_file() {
                bail!("{}: there is no file {}", place(), file.display());
            }
            let language = columns.next().unwrap_or("-").to_string();
            pages.insert(key, Recorded { file, content_type: content_type.to_string(), language });
        }
        Ok(Pages { pages })
    }

    /// Every address, with http.
    pub fn urls(&self) -> impl Iterator<Item = String> + '_ {
        self.pages.keys().map(|key| format!("http://{key}"))
    }
}

/// Returns the part of a URL that http and https URLs of one page share.
fn key(url: &str) -> Option<String> {
    let mut url = url::Url::parse(url).ok().filter(|u| matches!(u.scheme(), "http" | "https"))?;
    url.set_fragment(None);
    url.as_str().split_once("://").map(|(_, rest)| rest.to_string())
}

impl Site for Pages {
    fn reply(&self, url: &str) -> Reply {
        let Some(page) = key(url).and_then(|key| self.pages.get(&key)) else {
            let kind = if url.ends_with("/robots.txt") { "robots" } else { "-" };
            return Reply::text(404, kind, "Not recorded.\n");
        };
        match std::fs::read(&page.file) {
            Ok(body) => Reply {
                content_type: page.content_type.clone(),
                language: page.language.clone(),
                body,
                ..Reply::text(200, "recorded", "")
            },
            Err(error) => {
                Reply::text(500, "recorded", format!("{}: {error}\n", page.file.display()))
            }
        }
    }
}

/// The index lines for the pages of a shared folder: `data/pages/{aeb,wild}/index.tsv`. Files are
/// relative to `data/pages`; a page without a URL of its own gets one under `.test`.
///
/// # Errors
/// An index of the folder cannot be read or has another shape.
pub fn index_shared(shared: &Path) -> Result<String> {
    let pages = shared.join("data/pages");
    let mut out = String::new();
    for (set, with_heading) in [("aeb", false), ("wild", true)] {
        let path = pages.join(set).join("index.tsv");
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        for line in text.lines().skip(usize::from(with_heading)) {
            let columns: Vec<&str> = line.split('\t').collect();
            let (id, language, encoding, url, file) = match (set, columns.as_slice()) {
                ("aeb", [id, language, _, encoding, url, ..]) => {
                    (id, language, encoding, url, format!("html/{id}.html"))
                }
                ("wild", [id, language, encoding, _, _, _, _, _, url, ..]) => {
                    (id, language, encoding, url, format!("{language}/{id}.html"))
                }
                _ => bail!("{}: unexpected columns: {line}", path.display()),
            };
            let url = if url.is_empty() {
                format!("http://{set}-{id}.test/")
            } else {
                (*url).to_string()
            };
            out += &format!("{url}\t{set}/{file}\ttext/html; charset={encoding}\t{language}\n");
        }
    }
    Ok(out)
}
