//! Origins of pages: the year of publication and the licence that they state, their top-level
//! domains, and the reasons why the crawl rejected others.

use crate::fixed::{percent, total};
use crate::page::PageView;
use crate::sites::{Bin, Sites};
use crate::state::{plain_state, Accumulator};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// Licences that are counted by name; all others are `other`. The names are those of the field
/// `license` of a record.
pub const LICENSES: [&str; 15] = [
    "cc0",
    "cc-by",
    "cc-by-sa",
    "cc-by-nd",
    "cc-by-nc",
    "cc-by-nc-sa",
    "cc-by-nc-nd",
    "cc-sa",
    "cc-nd",
    "cc-nc",
    "cc-nc-sa",
    "cc-nc-nd",
    "cc-unspecified",
    "public-domain",
    "other",
];

/// Top-level domains in the table, those of most pages.
const MAX_DOMAINS: usize = 15;

/// Reasons why a page is not in the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rejection {
    /// It has no main content.
    NoContent,
    /// Nothing of it is in the language.
    NoText,
    /// It has fewer bytes in the language than the content-size filter wants.
    TooLittle,
    /// It is mostly in another language, or has no letters of this one.
    OtherLanguage,
    /// It is a placeholder, a list or noise.
    Junk,
    /// A person judged it.
    People,
    /// The record has another reason, or none.
    Other,
}

impl Rejection {
    /// Returns the reason in a decision; `None` if the page was kept.
    pub fn of(decision: &str) -> Option<Self> {
        let reason = decision.strip_prefix("reject")?.trim();
        Some(match reason {
            "no_content" => Self::NoContent,
            _ if reason.ends_with(" by people") => Self::People,
            _ if reason.starts_with("junk: ") => Self::Junk,
            _ if reason.starts_with("0 bytes of ") => Self::NoText,
            _ if reason.contains(" bytes of ") => Self::TooLittle,
            _ if reason.starts_with("mostly ") || reason.starts_with("no letters of ") => {
                Self::OtherLanguage
            }
            _ => Self::Other,
        })
    }
}

/// Sums over pages. The figures of dates and licences are those of pages in the corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origins {
    years: BTreeMap<u16, u64>,
    licenses: BTreeMap<u8, u64>,
    pages: u64,
    rejected: BTreeMap<Rejection, u64>,
}

impl Accumulator for Origins {
    plain_state!("origins", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let page = view.page;
        if !page.kept {
            *self.rejected.entry(page.rejection.unwrap_or(Rejection::Other)).or_default() += 1;
            return Ok(());
        }
        self.pages += 1;
        if let Some(year) = page.published {
            *self.years.entry(year).or_default() += 1;
        }
        if let Some(license) = page.license {
            *self.licenses.entry(license).or_default() += 1;
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        fn add<K: Ord>(sums: &mut BTreeMap<K, u64>, more: BTreeMap<K, u64>) {
            for (key, count) in more {
                let sum = sums.entry(key).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        add(&mut self.years, other.years);
        add(&mut self.licenses, other.licenses);
        add(&mut self.rejected, other.rejected);
        self.pages = self.pages.saturating_add(other.pages);
        Ok(())
    }
}

/// Pages by what they state, by their addresses, and by the reason why they were rejected. Empty
/// lists are unknown figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct OriginFigures {
    /// Pages with a year of publication, by year, the earliest first.
    pub years: Vec<Bin>,
    /// Pages with a licence, by its name, the most frequent first.
    pub licenses: Vec<Bin>,
    /// Pages by top-level domain, the most frequent first.
    pub domains: Vec<Bin>,
    /// Rejected pages by reason; shares are of all read pages.
    pub rejected: Vec<RejectionBin>,
}

/// Rejected pages of one reason.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RejectionBin {
    /// Reason for which the pages were rejected.
    pub reason: Rejection,
    /// Number of pages.
    pub count: u64,
    /// Share of all pages that were read, in percent.
    pub percent: Option<f64>,
}

impl Origins {
    /// Returns the figures.
    pub fn finish(&self, sites: &Sites) -> OriginFigures {
        let bin = |bin: String, count| Bin { bin, count, percent: percent(count, self.pages) };
        let years = self.years.iter().map(|(year, &count)| bin(year.to_string(), count)).collect();
        let named = self.licenses.iter().filter_map(|(&place, &count)| {
            Some(bin((*LICENSES.get(usize::from(place))?).to_owned(), count))
        });
        let mut licenses: Vec<Bin> = named.collect();
        licenses.sort_by_key(|bin| std::cmp::Reverse(bin.count));
        let read = total(self.rejected.values().copied()).saturating_add(self.pages);
        let rejected = self.rejected.iter().map(|(&reason, &count)| RejectionBin {
            reason,
            count,
            percent: percent(count, read),
        });
        OriginFigures {
            years,
            licenses,
            domains: self.domains(sites),
            rejected: rejected.collect(),
        }
    }

    fn domains(&self, sites: &Sites) -> Vec<Bin> {
        let mut pages: BTreeMap<&str, u64> = BTreeMap::new();
        for (host, site) in &sites.0 {
            let last = host.rsplit('.').next().unwrap_or_default();
            // An address of IPv4 or IPv6 has no domain.
            let is_domain = last.starts_with(|first: char| first.is_ascii_alphabetic());
            if is_domain {
                let sum = pages.entry(last).or_default();
                *sum = sum.saturating_add(site.pages);
            }
        }
        let mut domains: Vec<Bin> = pages
            .into_iter()
            .map(|(domain, count)| Bin {
                bin: domain.to_owned(),
                count,
                percent: percent(count, self.pages),
            })
            .collect();
        domains.sort_by_key(|bin| std::cmp::Reverse(bin.count));
        domains.truncate(MAX_DOMAINS);
        domains
    }
}

/// Returns the year of an ISO 8601 date, if it can be one of a page on the web.
pub(crate) fn year(date: &str) -> Option<u16> {
    let (year, _) = date.split_once('-')?;
    (year.len() == 4)
        .then(|| year.parse().ok())
        .flatten()
        .filter(|year| (1900..2100).contains(year))
}

/// Returns the place of a licence in [`LICENSES`].
pub(crate) fn license(name: &str) -> u8 {
    let place = LICENSES.iter().position(|license| *license == name);
    place.unwrap_or(LICENSES.len() - 1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::CorpusPage;

    #[test]
    fn a_decision_tells_its_reason() {
        for (decision, reason) in [
            ("keep 300 bytes of urd, 256 wanted", None),
            ("reject no_content", Some(Rejection::NoContent)),
            ("reject 0 bytes of urd, 256 wanted", Some(Rejection::NoText)),
            ("reject 30 bytes of urd, 256 wanted", Some(Rejection::TooLittle)),
            ("reject mostly pnb, a sibling of urd", Some(Rejection::OtherLanguage)),
            ("reject no letters of urd", Some(Rejection::OtherLanguage)),
            ("reject junk: names", Some(Rejection::Junk)),
            ("reject judged as fas by people", Some(Rejection::People)),
            ("reject", Some(Rejection::Other)),
        ] {
            assert_eq!(Rejection::of(decision), reason, "{decision}");
        }
    }

    #[test]
    fn pages_are_counted_by_what_they_state() {
        let page = |published, license: Option<&str>, host: &str| CorpusPage {
            kept: true,
            published,
            license: license.map(super::license),
            host: host.to_owned(),
            ..CorpusPage::default()
        };
        let pages = [
            page(year("2024-03-12"), Some("cc-by"), "a.pk"),
            page(year("2024"), Some("https://x.example/terms"), "b.pk"),
            page(year("0024-03-12"), None, "127.0.0.1"),
            page(year("2019-01-01T00:00:00Z"), Some("cc-by"), "c.com"),
            CorpusPage { rejection: Some(Rejection::Junk), ..CorpusPage::default() },
        ];
        let (mut origins, mut sites) = (Origins::default(), Sites::default());
        for page in &pages {
            let view = PageView { page, tokens: &[] };
            origins.add(&view).expect("memory");
            if page.kept {
                sites.add(&view).expect("memory");
            }
        }
        let found = origins.finish(&sites);
        let counts = |bins: &[Bin]| -> Vec<(String, u64)> {
            bins.iter().map(|bin| (bin.bin.clone(), bin.count)).collect()
        };
        let own = |name: &str, count| (name.to_owned(), count);
        assert_eq!(counts(&found.years), [own("2019", 1), own("2024", 1)]);
        assert_eq!(counts(&found.licenses), [own("cc-by", 2), own("other", 1)]);
        assert_eq!(counts(&found.domains), [own("pk", 2), own("com", 1)]);
        assert_eq!(found.years[0].percent, Some(25.0));
        assert_eq!((found.rejected[0].count, found.rejected[0].percent), (1, Some(20.0)));
    }
}
