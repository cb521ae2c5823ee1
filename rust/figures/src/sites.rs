//! Sites: their pages, their richness, and the share of the corpus in the richest sites.
//!
//! A site is a host. `SiteR` is the mean LSh of its pages (paper, Eq. 5), with LSh by bytes of main
//! text. Pages without main text have no LSh and are not in the mean. Memory grows with the number
//! of hosts.

use crate::fixed::{percent, share, total, Mean};
use crate::page::PageView;
use crate::state::{decode, encode, Accumulator, BadState, PART_BYTES};
use langbytes::LangBytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

/// Upper bounds of the bins of pages per site; the last bin is open (paper, Fig. 6).
const PAGE_BINS: [(&str, u64); 6] = [
    ("1", 1),
    ("2–9", 9),
    ("10–99", 99),
    ("100–999", 999),
    ("1,000–10,000", 10_000),
    ("> 10,000", u64::MAX),
];

/// Returns whether the coverage of this number of the richest sites is in the table. These are 1,
/// 2, 3 and 5 times a power of ten, for a logarithmic axis, and the twentieths of all sites,
/// because most of the corpus is between the last powers of ten.
fn is_listed(number: usize, all: usize) -> bool {
    let mut power = number;
    while power.is_multiple_of(10) {
        power /= 10;
    }
    // The first number of sites that reaches the next twentieth.
    let twentieth = (number * 20).div_ceil(all) > ((number - 1) * 20).div_ceil(all);
    [1, 2, 3, 5].contains(&power) || number == all || twentieth
}

/// Rows of the tables of the largest sites.
const TOP: usize = 100;

/// Sums of one site: of its pages in the corpus, or of all fetched ones ([`crate::byte_yields`]).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Pages of the site in the corpus.
    pub pages: u64,
    /// Number of these in the corpus.
    pub kept: u64,
    /// Bytes as fetched, of pages with a known size.
    pub raw_bytes: u64,
    /// Bytes of main text in the target language, of pages in the corpus.
    pub target_bytes: u64,
    /// LSh of the pages with main text; for fetched pages the byte yields of those that are not
    /// empty.
    pub shares: Mean,
    /// Bytes of main text by language, of pages in the corpus; empty for fetched pages.
    #[serde(serialize_with = "as_text", deserialize_with = "from_text")]
    pub languages: LangBytes,
}

fn as_text<S: Serializer>(languages: &LangBytes, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(languages)
}

fn from_text<'de, D: Deserializer<'de>>(from: D) -> Result<LangBytes, D::Error> {
    String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
}

impl Site {
    /// Adds the sums of another site.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.pages = self.pages.saturating_add(other.pages);
        self.kept = self.kept.saturating_add(other.kept);
        self.raw_bytes = self.raw_bytes.saturating_add(other.raw_bytes);
        self.target_bytes = self.target_bytes.saturating_add(other.target_bytes);
        self.shares.merge(other.shares);
        self.languages.merge(&other.languages);
    }
}

/// Sites by host.
pub type Hosts = BTreeMap<String, Site>;

/// Adds sums to those of a host.
pub(crate) fn add(hosts: &mut Hosts, host: &str, more: &Site) {
    if !hosts.contains_key(host) {
        hosts.insert(host.to_owned(), Site::default());
    }
    if let Some(site) = hosts.get_mut(host) {
        site.merge(more);
    }
}

/// Exports sums by host in parts, see [`Accumulator::parts`]; `size` is the memory of a sum in bytes.
pub(crate) fn parts<A: Accumulator, T: Serialize>(
    hosts: BTreeMap<String, T>,
    size: fn(&T) -> usize,
    give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>,
) -> io::Result<()> {
    let (mut part, mut bytes) = (BTreeMap::new(), 0);
    for (host, site) in hosts {
        bytes += host.len() + size(&site);
        part.insert(host, site);
        if bytes >= PART_BYTES {
            give(encode::<A>(&std::mem::take(&mut part))?)?;
            bytes = 0;
        }
    }
    if !part.is_empty() {
        give(encode::<A>(&part)?)?;
    }
    Ok(())
}

/// Sums of every site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sites(pub Hosts);

impl Accumulator for Sites {
    const NAME: &'static str = "sites";
    const VERSION: u16 = 3;

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let page = view.page;
        let mut site = Site {
            pages: 1,
            kept: 1,
            raw_bytes: page.raw_bytes.unwrap_or(0),
            target_bytes: page.target_bytes,
            languages: page.languages.clone(),
            ..Site::default()
        };
        if page.main_bytes > 0 {
            site.shares.add(share(page.target_bytes, page.main_bytes));
        }
        add(&mut self.0, &page.host, &site);
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        other.0.iter().for_each(|(host, site)| add(&mut self.0, host, site));
        Ok(())
    }

    fn parts(self, give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        parts::<Self, _>(self.0, |_| size_of::<Site>(), give)
    }

    fn absorb(&mut self, part: &[u8]) -> Result<(), BadState> {
        Ok(self.merge(decode::<Self, Self>(part)?)?)
    }
}

/// A bin of a distribution.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bin {
    /// The label of the bin.
    pub bin: String,
    /// Number of items in the bin.
    pub count: u64,
    /// Its share of all.
    pub percent: Option<f64>,
}

/// Returns bins with their shares.
pub(crate) fn bins<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> Vec<Bin> {
    let counts: Vec<_> = counts.into_iter().collect();
    let all = total(counts.iter().map(|&(_, count)| count));
    let bin = |(bin, count): (&str, u64)| Bin {
        bin: bin.to_owned(),
        count,
        percent: percent(count, all),
    };
    counts.into_iter().map(bin).collect()
}

/// A site in a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteRow {
    /// Host as in the URLs of its pages, or the website's name with another rule.
    pub site: String,
    /// Pages in the corpus.
    pub pages: u64,
    /// Their share of all pages.
    pub pages_percent: Option<f64>,
    /// Bytes in the target language.
    pub target_bytes: u64,
    /// Their share of all.
    pub bytes_percent: Option<f64>,
    /// SiteR in percent; `None` if no page has main text.
    pub site_richness: Option<f64>,
    /// Place of the site by SiteR, 1 for the richest; `None` without a SiteR.
    pub site_richness_rank: Option<u64>,
    /// The languages of its main text, most bytes first, at most 5.
    pub languages: Vec<SiteLanguage>,
}

/// Languages of a site in a table.
const MAX_LANGUAGES: usize = 5;

/// A language of a site.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteLanguage {
    /// ISO 639-3 code; `und` for text in no known language.
    pub code: String,
    /// English name of the language.
    pub name: String,
    /// Bytes of the site's main text in it.
    pub bytes: u64,
    /// Their share of the site's main text.
    pub bytes_percent: Option<f64>,
}

/// Returns the languages of a site with the most text.
fn languages(of: &LangBytes) -> Vec<SiteLanguage> {
    let all = of.total();
    let row = |(language, bytes): (langbytes::LangCode, u64)| SiteLanguage {
        code: language.to_string(),
        name: language.name().to_owned(),
        bytes,
        bytes_percent: percent(bytes, all),
    };
    of.most_first().into_iter().take(MAX_LANGUAGES).map(row).collect()
}

/// The share of the corpus in the richest sites.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coverage {
    /// Number of richest sites.
    pub sites: u64,
    /// Their share of the sites.
    pub sites_percent: Option<f64>,
    /// Their pages' share.
    pub pages_percent: Option<f64>,
    /// Their share of the target language's bytes.
    pub bytes_percent: Option<f64>,
}

/// A point of a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quantile {
    /// Percentage of the sites
    pub sites_percent: f64,
    /// with at most this SiteR, in percent.
    pub site_richness: f64,
}

/// Figures of sites.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteFigures {
    /// Sites with a page in the corpus.
    pub sites: u64,
    /// Pages of unknown host; they are counted as one site without a name.
    pub pages_without_host: u64,
    /// Pages of the site with most pages.
    pub most_pages: u64,
    /// Sites by their pages.
    pub pages_per_site: Vec<Bin>,
    /// Mean SiteR over sites, in percent.
    pub site_richness_mean: Option<f64>,
    /// SiteR in twentieths of the sites, poorest first: of `n` sites the one with rank `ceil(q n)`.
    pub site_richness: Vec<Quantile>,
    /// Shares of the richest sites (paper, Fig. 8a).
    pub coverage: Vec<Coverage>,
    /// The sites with most pages (paper, Table 9).
    pub most_pages_sites: Vec<SiteRow>,
    /// The sites with most bytes in the target language (paper, Table 9).
    pub most_bytes_sites: Vec<SiteRow>,
}

impl Sites {
    /// Returns the sites by SiteR, richest first; ties by size, the larger first, then by name.
    /// Sites without a SiteR are last.
    pub fn richest(&self) -> Vec<(&str, &Site)> {
        let mut sites: Vec<_> = self.0.iter().map(|(host, site)| (host.as_str(), site)).collect();
        // Means are compared as fractions, so rounding does not affect the order.
        sites.sort_by(|(a_host, a), (b_host, b)| {
            let (mean, other) = (a.shares, b.shares);
            let by_mean = (u128::from(other.sum) * u128::from(mean.count))
                .cmp(&(u128::from(mean.sum) * u128::from(other.count)));
            (mean.count == 0)
                .cmp(&(other.count == 0))
                .then(by_mean)
                .then(b.target_bytes.cmp(&a.target_bytes))
                .then(a_host.cmp(b_host))
        });
        sites
    }

    /// Returns the figures.
    pub fn finish(&self) -> SiteFigures {
        let pages = total(self.0.values().map(|site| site.pages));
        let bytes = total(self.0.values().map(|site| site.target_bytes));
        let richest = self.richest();
        let mut per_site = PAGE_BINS.map(|(name, _)| (name, 0));
        for site in self.0.values() {
            per_site[PAGE_BINS.partition_point(|&(_, most)| most < site.pages)].1 += 1;
        }
        let ranks: BTreeMap<&str, u64> =
            richest.iter().map(|(host, _)| *host).zip(1u64..).collect();
        let row = |(host, site): &(&str, &Site)| SiteRow {
            site: (*host).to_owned(),
            pages: site.pages,
            pages_percent: percent(site.pages, pages),
            target_bytes: site.target_bytes,
            bytes_percent: percent(site.target_bytes, bytes),
            site_richness: site.shares.percent(),
            site_richness_rank: site.shares.percent().and_then(|_| ranks.get(host).copied()),
            languages: languages(&site.languages),
        };
        let mut by_pages = richest.clone();
        by_pages.sort_by_key(|(host, site)| (Reverse(site.pages), *host));
        let mut by_bytes = richest.clone();
        by_bytes.sort_by_key(|(host, site)| (Reverse(site.target_bytes), *host));
        let known: Vec<f64> =
            richest.iter().rev().filter_map(|(_, site)| site.shares.percent()).collect();
        SiteFigures {
            sites: self.0.len() as u64,
            pages_without_host: self.0.get("").map_or(0, |site| site.pages),
            most_pages: by_pages.first().map_or(0, |(_, site)| site.pages),
            pages_per_site: bins(per_site),
            site_richness_mean: (!known.is_empty())
                .then(|| known.iter().sum::<f64>() / known.len() as f64),
            site_richness: quantiles(&known),
            coverage: coverage(&richest, pages, bytes),
            most_pages_sites: by_pages.iter().take(TOP).map(row).collect(),
            most_bytes_sites: by_bytes.iter().take(TOP).map(row).collect(),
        }
    }
}

/// Returns the minimum and the twentieths of sorted values.
fn quantiles(values: &[f64]) -> Vec<Quantile> {
    let at = |twentieth: usize| {
        let rank = (values.len() * twentieth).div_ceil(20).max(1);
        values
            .get(rank - 1)
            .map(|&value| Quantile { sites_percent: twentieth as f64 * 5.0, site_richness: value })
    };
    (0..=20).filter_map(at).collect()
}

fn coverage(richest: &[(&str, &Site)], pages: u64, bytes: u64) -> Vec<Coverage> {
    let all = richest.len();
    let mut rows = Vec::new();
    let (mut held_pages, mut held_bytes) = (0u64, 0u64);
    for (number, (_, site)) in (1..).zip(richest) {
        held_pages = held_pages.saturating_add(site.pages);
        held_bytes = held_bytes.saturating_add(site.target_bytes);
        if is_listed(number, all) {
            rows.push(Coverage {
                sites: number as u64,
                sites_percent: percent(number as u64, all as u64),
                pages_percent: percent(held_pages, pages),
                bytes_percent: percent(held_bytes, bytes),
            });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::ONE;

    fn sites(rows: &[(&str, u64, u64, &[u64])]) -> Sites {
        let site = |&(host, pages, target_bytes, shares): &(&str, u64, u64, &[u64])| {
            let mut richness = Mean::default();
            shares.iter().for_each(|&share| richness.add(share * ONE / 100));
            (host.to_owned(), Site { pages, target_bytes, shares: richness, ..Site::default() })
        };
        Sites(rows.iter().map(site).collect())
    }

    #[test]
    fn site_richness_is_the_mean_over_pages() {
        let figures = sites(&[("a", 2, 10, &[100, 50])]).finish();
        assert_eq!(figures.most_pages_sites[0].site_richness, Some(75.0));
        assert_eq!(figures.most_pages_sites[0].site_richness_rank, Some(1));
        assert_eq!(figures.site_richness_mean, Some(75.0));
    }

    #[test]
    fn languages_of_a_site_are_told_by_their_bytes_after_a_merge_of_states() {
        let page = |host: &str, languages: &str| crate::page::CorpusPage {
            host: host.to_owned(),
            languages: languages.parse().expect("bytes"),
            ..Default::default()
        };
        let of = |pages: &[crate::page::CorpusPage]| {
            let mut sites = Sites::default();
            for page in pages {
                sites.add(&PageView { page, tokens: &[] }).expect("no file is written");
            }
            sites
        };
        let mut sites = of(&[page("a.pk", "urd:60,eng:20")]);
        of(&[page("a.pk", "eng:100,und:20"), page("b.pk", "urd:5")])
            .parts(&mut |part| sites.absorb(&part).map_err(io::Error::other))
            .expect("the state of the same version");
        let found: Vec<_> = sites
            .finish()
            .most_pages_sites
            .iter()
            .map(|row| {
                let of: Vec<_> =
                    row.languages.iter().map(|l| (l.code.clone(), l.bytes_percent)).collect();
                (row.site.clone(), of)
            })
            .collect();
        let share = |code: &str, percent| (code.to_owned(), Some(percent));
        assert_eq!(
            found,
            [
                (
                    "a.pk".to_owned(),
                    vec![share("eng", 60.0), share("urd", 30.0), share("und", 10.0)]
                ),
                ("b.pk".to_owned(), vec![share("urd", 100.0)]),
            ]
        );
    }

    #[test]
    fn coverage_adds_up_the_richest_first() {
        let sites = sites(&[
            ("a", 1, 10, &[50]),
            ("b", 2, 30, &[90]),
            ("c", 1, 60, &[10]),
            ("d", 6, 0, &[]),
        ]);
        let coverage: Vec<_> = sites
            .finish()
            .coverage
            .iter()
            .map(|c| (c.sites, c.pages_percent, c.bytes_percent))
            .collect();
        let expected = [(1, 20.0, 30.0), (2, 30.0, 40.0), (3, 40.0, 100.0), (4, 100.0, 100.0)];
        assert_eq!(coverage, expected.map(|(n, pages, bytes)| (n, Some(pages), Some(bytes))));
    }

    #[test]
    fn coverage_is_told_at_powers_and_at_twentieths() {
        let shown =
            |all: usize| (1..=all).filter(|&number| is_listed(number, all)).collect::<Vec<_>>();
        assert_eq!(shown(1), [1]);
        assert_eq!(shown(7), [1, 2, 3, 4, 5, 6, 7]);
        let of_400 = shown(400);
        for number in [1, 2, 3, 5, 10, 50, 100, 200, 300, 381, 400] {
            assert!(of_400.contains(&number), "{number}: {of_400:?}");
        }
        assert!(of_400.len() < 40 && !of_400.contains(&4), "{of_400:?}");
        assert!(shown(100_000).len() < 50);
    }

    #[test]
    fn sites_are_binned_by_their_pages() {
        let rows: Vec<_> =
            [1, 2, 9, 10, 999, 1000, 10_000, 10_001].into_iter().enumerate().collect();
        let sites = Sites(
            rows.iter()
                .map(|&(i, pages)| (i.to_string(), Site { pages, ..Site::default() }))
                .collect(),
        );
        let counts: Vec<u64> = sites.finish().pages_per_site.iter().map(|bin| bin.count).collect();
        assert_eq!(counts, [1, 2, 1, 1, 2, 1]);
    }

    #[test]
    fn quantiles_are_values_that_sites_have() {
        let of =
            |values: &[f64]| quantiles(values).iter().map(|q| q.site_richness).collect::<Vec<_>>();
        assert_eq!(of(&[]), [0.0; 0]);
        assert_eq!(of(&[7.0]), [7.0; 21]);
        let median = |values: &[f64]| of(values)[10];
        assert_eq!((median(&[1.0, 2.0, 3.0]), median(&[1.0, 2.0, 3.0, 4.0])), (2.0, 2.0));
    }
}
