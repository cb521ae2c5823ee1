//! Generated webs by their names, with the parameters that a user changes.

use crate::experiment::Web;
use crate::generate::{generate, GraphSettings, TRAPS, WEBS};
use crate::sites::{self, SiteSettings, SITES};
use std::sync::Arc;

/// Parameters of a generated web that replace its own; `None` keeps them.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// Number of pages. A web of fewer pages has fewer hosts, unless `hosts` is given.
    pub pages: Option<usize>,
    /// Number of hosts.
    pub hosts: Option<usize>,
    /// Share of links that stay on their host.
    pub locality: Option<f64>,
    /// Shares of several target languages among the hosts with text.
    pub languages: Option<Vec<f64>>,
}

/// A web that cannot be generated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadWeb {
    /// No web has this name.
    #[error("web `{0}` is unknown; allowed are {names} and all", names = names())]
    Unknown(String),
    /// Webs with sections have one target language.
    #[error("web `{0}` has one target language; leave out --languages")]
    OneLanguage(String),
    /// Each host has a page.
    #[error(
        "{hosts} hosts do not fit into {pages} pages; allowed is at most one host for each page"
    )]
    Hosts {
        /// Hosts that are wanted.
        hosts: usize,
        /// Pages that are wanted.
        pages: usize,
    },
}

/// The names of all webs.
fn names() -> String {
    [WEBS.as_slice(), &TRAPS, &SITES].concat().join(", ")
}

impl Changes {
    /// Returns webs by their names, in this order; `all` stands for all of [`WEBS`].
    ///
    /// # Errors
    /// Fails for the first web that cannot be generated.
    pub fn webs<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Web>, BadWeb> {
        let names = names.iter().flat_map(|name| match name.as_ref() {
            "all" => WEBS.to_vec(),
            name => vec![name],
        });
        names.map(|name| self.web(name)).collect()
    }

    fn web(&self, name: &str) -> Result<Web, BadWeb> {
        if let Some(mut settings) = SiteSettings::of_web(name) {
            if self.languages.is_some() {
                return Err(BadWeb::OneLanguage(name.to_owned()));
            }
            (settings.pages, settings.sites) = self.size(settings.pages, settings.sites)?;
            settings.locality = self.locality.unwrap_or(settings.locality);
            let make = move |seed| Arc::new(sites::generate(&settings, seed));
            return Ok((name.to_owned(), Box::new(make)));
        }
        let mut settings =
            GraphSettings::of_web(name).ok_or_else(|| BadWeb::Unknown(name.to_owned()))?;
        (settings.pages, settings.hosts) = self.size(settings.pages, settings.hosts)?;
        settings.locality = self.locality.unwrap_or(settings.locality);
        if let Some(languages) = &self.languages {
            settings.languages.clone_from(languages);
        }
        Ok((name.to_owned(), Box::new(move |seed| Arc::new(generate(&settings, seed)))))
    }

    /// Returns the pages and hosts of a web that has this many of its own.
    fn size(&self, pages: usize, hosts: usize) -> Result<(usize, usize), BadWeb> {
        let wanted = self.pages.unwrap_or(pages);
        let scaled = (hosts as f64 * wanted as f64 / pages as f64).ceil() as usize;
        let hosts = self.hosts.unwrap_or(scaled);
        match hosts > wanted {
            true => Err(BadWeb::Hosts { hosts, pages: wanted }),
            false => Ok((wanted, hosts)),
        }
    }
}
