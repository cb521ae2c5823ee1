//! The ledger of removals: hosts, URLs and passages that must be in no output.

use crate::exclusions::{BadLine, BadList, Without};
use crate::{files as input, BadInput};
use figures::identity;
use figures::removals::{leave_out_by, Test};
use std::path::Path;
use std::sync::Arc;
use url::Url;

/// Beginning of a line with a passage, and its end if there is one.
const QUOTE: char = '"';

/// Least letters and digits of a passage. A shorter one is in pages that nobody meant.
pub(crate) const MIN_LETTERS: usize = 6;

/// Least letters and digits of a text that is left out because it is a part of a passage.
const MIN_PART: usize = 20;

/// Hosts, URLs and passages.
struct Ledger {
    without: Without,
    /// In the form that is compared.
    passages: Vec<String>,
}

impl Ledger {
    /// Reads a ledger: an exclusion list with passages, each on a line that begins with `"`.
    ///
    /// # Errors
    /// As [`Without::read`], and if a passage is too short.
    fn read(file: &Path, max_bytes: u64) -> Result<Self, BadList> {
        let mut passages = Vec::new();
        let without = Without::with_others(file, max_bytes, "--removed", &mut |line| {
            let Some(passage) = line.strip_prefix(QUOTE) else { return Ok(false) };
            let passage = folded(passage.strip_suffix(QUOTE).unwrap_or(passage));
            if letters(&passage) < MIN_LETTERS {
                return Err(BadLine::ShortPassage { line: line.to_owned() });
            }
            passages.push(passage);
            Ok(true)
        })?;
        Ok(Self { without, passages })
    }

    /// Returns whether a page is listed: by its host, its URL with either scheme, or its text.
    fn has(&self, url: &str, text: &str) -> bool {
        if self.without.has(url) || other_scheme(url).is_some_and(|url| self.without.has(&url)) {
            return true;
        }
        if self.passages.is_empty() || text.is_empty() {
            return false;
        }
        let text = folded(text);
        let may_be_part = letters(&text) >= MIN_PART;
        let is_in =
            |passage: &String| text.contains(passage) || may_be_part && passage.contains(&text);
        self.passages.iter().any(is_in)
    }
}

/// Returns the URL of the same page with http for https, or the other way.
fn other_scheme(url: &str) -> Option<String> {
    let mut url = Url::parse(url).ok()?;
    let other = if url.scheme() == "http" { "https" } else { "http" };
    url.set_scheme(other).ok()?;
    Some(url.into())
}

/// Returns the form of a text that is compared: without capitals, and with one space for white
/// space of any length.
fn folded(text: &str) -> String {
    let text = langid::comparable(text).to_lowercase();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Leaves out the pages of a ledger in every reader of records from now on; without a file, none.
///
/// # Errors
/// Fails if the ledger cannot be read or has a line that is none of the allowed ones.
pub fn leave_out(file: Option<&Path>, max_bytes: u64) -> Result<(), BadList> {
    let ledger = file.map(|file| Ledger::read(file, max_bytes)).transpose()?;
    leave_out_by(ledger.map(|ledger| -> Arc<Test> {
        Arc::new(move |url: &str, text: &str| ledger.has(url, text))
    }));
    Ok(())
}

/// Returns a fingerprint of a ledger's content, for results that depend on it.
///
/// # Errors
/// Fails if it cannot be read.
pub fn fingerprint(file: Option<&Path>, max_bytes: u64) -> Result<String, BadInput> {
    let Some(file) = file else { return Ok("none".to_owned()) };
    let text = input::text(file, max_bytes).map_err(|bad| bad.of_option("--removed"))?;
    Ok(format!("{:032x}", identity::lasting(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(text: &str) -> Result<Ledger, BadList> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("removed");
        std::fs::write(&file, text).expect("written");
        Ledger::read(&file, 1 << 20)
    }

    #[test]
    fn a_page_is_listed_by_its_host_its_url_or_its_text() {
        let list = "# asked on 3 May\na.example\nhttp://b.example/private/\n= https://c.example/1\n\"The  Old well, in our small village\"\n";
        let ledger = ledger(list).expect("read");
        for (url, text) in [
            ("https://www.a.example/x", ""),
            ("https://b.example/private/1", ""),
            ("http://c.example/1", ""),
            ("http://d.example/", "He saw the old\nwell, in our small village."),
            ("", "old well, in our small village"),
        ] {
            assert!(ledger.has(url, text), "{url} {text}");
        }
        for (url, text) in [
            ("http://b.example/", "The old well"),
            ("http://c.example/12", "in our small village"),
            ("http://d.example/", "The old well is in our small village"),
        ] {
            assert!(!ledger.has(url, text), "{url} {text}");
        }
    }

    #[test]
    fn a_line_that_lists_nothing_or_too_much_is_refused() {
        for (line, what) in [
            ("\"a b\"", "line 2: the passage \"a b\" has fewer than 6 letters"),
            ("a.example/x", "line 2: `a.example/x` is neither a host"),
        ] {
            let said = ledger(&format!("a.example\n{line}\n")).err().expect("refused").to_string();
            assert!(said.contains(what) && said.ends_with("(--removed)"), "{said}");
        }
    }
}
