//! Languages of pages by people, which count more than models.

use engine::PageRecord;
use inputs::{urls, BadInput};
use langbytes::LangCode;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Why a list of [`ByPeople`] is refused.
#[derive(Debug, thiserror::Error)]
pub enum BadJudgements {
    /// The list cannot be read.
    #[error(transparent)]
    Unread(#[from] BadInput),
    /// A line is none.
    #[error("{}: line {line}: {fault}", file.display())]
    Line {
        /// Path of the list.
        file: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// The fault of the line.
        fault: BadJudgement,
    },
}

/// What is wrong with a line of such a list.
#[derive(Debug, thiserror::Error)]
pub enum BadJudgement {
    /// It has no tab.
    #[error("is not a URL or a host, a tab and a language; allowed are such lines")]
    NoTab,
    /// Its first cell is neither a URL nor a host.
    #[error("`{0}` is neither the URL of a page with its scheme nor a host")]
    NoPage(String),
    /// Its second cell is no language.
    #[error("{0}; write its ISO 639-3 code")]
    NoLanguage(registry::UnknownName),
}

/// Languages of pages by people.
#[derive(Debug, Default)]
pub struct ByPeople {
    pages: HashMap<String, LangCode>,
    hosts: HashMap<String, LangCode>,
}

impl ByPeople {
    /// Reads a list: URL or host, tab, ISO 639 code or name. Empty lines and lines that begin with
    /// `#` are ignored.
    ///
    /// # Errors
    /// Fails if the file cannot be read or has more than `max_bytes`, or a line is of another form.
    pub fn read(file: &Path, max_bytes: u64) -> Result<Self, BadJudgements> {
        let mut by_people = Self::default();
        for (number, line) in (1..).zip(inputs::files::text(file, max_bytes)?.lines()) {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            by_people.add(line).map_err(|fault| BadJudgements::Line {
                file: file.to_owned(),
                line: number,
                fault,
            })?;
        }
        Ok(by_people)
    }

    fn add(&mut self, line: &str) -> Result<(), BadJudgement> {
        let (url, language) = line.split_once('\t').ok_or(BadJudgement::NoTab)?;
        let url = render::tsv::value(url);
        let (languages, name) = match url.contains("://") {
            true => (&mut self.pages, url.into_owned()),
            false => match host_of(&url) {
                Some(host) => (&mut self.hosts, host),
                None => return Err(BadJudgement::NoPage(url.into_owned())),
            },
        };
        let language = render::tsv::value(language.trim());
        let language = match &*language {
            code if code == LangCode::UND.as_str() => LangCode::UND,
            code => registry::parse(code).map_err(BadJudgement::NoLanguage)?,
        };
        languages.insert(name, language);
        Ok(())
    }

    /// Replaces the decision on a page that people judged.
    pub(crate) fn decide(&self, url: Option<&str>, now: &mut PageRecord, target: LangCode) {
        let Some(url) = url else { return };
        let (language, is_page) = match (self.pages.get(url), self.of_host(url)) {
            (Some(&language), _) => (language, true),
            (None, Some(language)) => (language, false),
            (None, None) => return,
        };
        if language == target && !is_page && now.junk.is_some() {
            return;
        }
        now.decision.keep = language == target;
        let judged = if is_page { "judged" } else { "host judged" };
        now.decision.reason = format!("{judged} as {language} by people");
    }

    /// Returns the language of a URL's host, or of the nearest host above it.
    fn of_host(&self, url: &str) -> Option<LangCode> {
        if self.hosts.is_empty() {
            return None;
        }
        let host = urls::parse(url)?.host_str()?.to_owned();
        let above = host.char_indices().filter(|&(_, c)| c == '.').map(|(at, _)| &host[at + 1..]);
        std::iter::once(&*host).chain(above).find_map(|host| self.hosts.get(host)).copied()
    }
}

/// Returns a host as URLs have it; `None` if a name is none.
fn host_of(name: &str) -> Option<String> {
    let is_plain = !name.contains(['/', ':', '?', '#', '@']) && name.contains('.');
    let url = urls::parse(&format!("http://{}/", name.trim_start_matches('.')));
    url.filter(|_| is_plain)?.host_str().map(str::to_owned)
}
