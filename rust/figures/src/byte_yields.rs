//! Byte yield of sites: target text per downloaded byte (Suchomel and Pomikálek, Practical Web
//! Crawling for Text Corpora, 2011, where it is called yield rate).
//!
//! All fetched pages count; rejected pages have no target text. In the paper
//! duplicates have no target text either; here they keep theirs, because duplicates are removed
//! later. Memory grows with the number of hosts.

use crate::fixed::{percent, share};
use crate::page::PageView;
use crate::sites::{self, Hosts, Site};
use crate::state::{decode, Accumulator, BadState};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::io;

/// Thresholds of byte yield in millionths, from the paper's Table 1, for crawls restricted to sites
/// above one of them.
const THRESHOLDS: [u64; 14] =
    [0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 102_400, 204_800, 409_600];

/// Unit of the thresholds.
const MILLION: u128 = 1_000_000;

/// Rows of the table of costliest sites.
const TOP: usize = 100;

/// Sites in the table of downloaded and clean bytes. More points would overlap in the plot.
const SITES: usize = 1000;

/// Sums of every site with fetched pages of known size.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByteYields(Hosts);

impl Accumulator for ByteYields {
    const NAME: &'static str = "byte-yields";
    const VERSION: u16 = 2;

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let page = view.page;
        let Some(raw_bytes) = page.raw_bytes else { return Ok(()) };
        let target_bytes = if page.kept { page.target_bytes } else { 0 };
        let mut site = Site {
            pages: 1,
            kept: u64::from(page.kept),
            raw_bytes,
            target_bytes,
            ..Site::default()
        };
        if raw_bytes > 0 {
            site.shares.add(share(target_bytes, raw_bytes));
        }
        sites::add(&mut self.0, &page.host, &site);
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        other.0.iter().for_each(|(host, site)| sites::add(&mut self.0, host, site));
        Ok(())
    }

    fn parts(self, give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        sites::parts::<Self, _>(self.0, |_| size_of::<Site>(), give)
    }

    fn absorb(&mut self, part: &[u8]) -> Result<(), BadState> {
        Ok(self.merge(decode::<Self, Self>(part)?)?)
    }
}

/// The part of the crawl from sites above a byte yield.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WhatIf {
    /// Threshold in percent for the byte yield of all of a site's pages; `None` for the whole
    /// crawl.
    pub above_percent: Option<f64>,
    /// Sites above it.
    pub sites: u64,
    /// Pages fetched from them.
    pub pages: u64,
    /// Bytes downloaded from them.
    pub raw_bytes: u64,
    /// Their share of all downloaded bytes.
    pub raw_percent: Option<f64>,
    /// Bytes of their target text in the corpus.
    pub target_bytes: u64,
    /// Its share of all target text in the corpus.
    pub target_percent: Option<f64>,
}

/// A site with a large download and little target text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CostRow {
    /// Host as in the URLs of its pages.
    pub site: String,
    /// Number of pages that were fetched.
    pub pages: u64,
    /// Number of these in the corpus.
    pub kept_pages: u64,
    /// Bytes that were downloaded.
    pub raw_bytes: u64,
    /// Their share of all downloaded bytes.
    pub raw_percent: Option<f64>,
    /// Bytes of target text in the corpus.
    pub target_bytes: u64,
    /// Their share of all target bytes in the corpus.
    pub target_percent: Option<f64>,
    /// Byte yield in percent: target bytes of its pages in the corpus / bytes of all its pages.
    pub byte_yield_percent: Option<f64>,
    /// Mean of its pages' byte yields in percent: the paper's yield rate of a site.
    pub page_yield_mean: Option<f64>,
}

/// Bytes downloaded from a site, and bytes of the clean text in them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteYield {
    /// Host as in the URLs of its pages.
    pub site: String,
    /// Number of pages that were fetched.
    pub pages: u64,
    /// Bytes that were downloaded.
    pub raw_bytes: u64,
    /// Bytes of target text in the corpus.
    pub target_bytes: u64,
    /// The second / the first, in percent.
    pub byte_yield_percent: Option<f64>,
}

/// Figures of byte yields.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByteYieldFigures {
    /// Target bytes of all sites / bytes downloaded from them, in percent.
    pub byte_yield_percent: Option<f64>,
    /// Mean of the pages' byte yields in percent.
    pub page_yield_mean: Option<f64>,
    /// Sites of which the filters rejected all pages.
    pub lost_sites: u64,
    /// Their share of all sites.
    pub lost_sites_percent: Option<f64>,
    /// A row per threshold; the first row is the whole crawl.
    pub what_if: Vec<WhatIf>,
    /// Up to 100 sites, sorted by how far their share of the download exceeds their share of the
    /// target text.
    pub costliest_sites: Vec<CostRow>,
    /// Up to 1000 sites with the largest downloads (SpiderLing, the figures of downloaded and
    /// clean bytes by domain).
    pub sites: Vec<SiteYield>,
}

impl ByteYields {
    /// Returns the figures; `None` if the input has no rejected pages, because then the cost of a
    /// site is unknown.
    pub fn finish(&self) -> Option<ByteYieldFigures> {
        if self.0.values().all(|site| site.kept == site.pages) {
            return None;
        }
        let mut all = Site::default();
        self.0.values().for_each(|site| all.merge(site));
        let (raw, target) = (all.raw_bytes, all.target_bytes);
        let mut what_if = Vec::new();
        for above in std::iter::once(None).chain(THRESHOLDS.iter().copied().map(Some)) {
            what_if.push(self.what_if(above, raw, target));
        }
        let mut costly: Vec<_> = self
            .0
            .iter()
            .map(|(host, site)| (Reverse(excess(site, raw, target)), host, site))
            .collect();
        costly.retain(|(Reverse(excess), ..)| *excess > 0);
        costly.sort_unstable_by_key(|(excess, host, _)| (*excess, *host));
        let row = |(_, host, site): &(Reverse<i128>, &String, &Site)| CostRow {
            site: (*host).clone(),
            pages: site.pages,
            kept_pages: site.kept,
            raw_bytes: site.raw_bytes,
            raw_percent: percent(site.raw_bytes, raw),
            target_bytes: site.target_bytes,
            target_percent: percent(site.target_bytes, target),
            byte_yield_percent: percent(site.target_bytes, site.raw_bytes),
            page_yield_mean: site.shares.percent(),
        };
        let mut largest: Vec<_> = self.0.iter().collect();
        largest.sort_unstable_by_key(|(host, site)| (Reverse(site.raw_bytes), *host));
        let site = |(host, site): &(&String, &Site)| SiteYield {
            site: (*host).clone(),
            pages: site.pages,
            raw_bytes: site.raw_bytes,
            target_bytes: site.target_bytes,
            byte_yield_percent: percent(site.target_bytes, site.raw_bytes),
        };
        let lost_sites = self.0.values().filter(|site| site.kept == 0).count() as u64;
        Some(ByteYieldFigures {
            byte_yield_percent: percent(target, raw),
            page_yield_mean: all.shares.percent(),
            lost_sites,
            lost_sites_percent: percent(lost_sites, self.0.len() as u64),
            what_if,
            costliest_sites: costly.iter().take(TOP).map(row).collect(),
            sites: largest.iter().take(SITES).map(site).collect(),
        })
    }

    /// Returns the row of a threshold in millionths, or of all sites.
    fn what_if(&self, above: Option<u64>, raw: u64, target: u64) -> WhatIf {
        let (mut sites, mut sum) = (0, Site::default());
        for site in self.0.values() {
            let (gave, cost) =
                (u128::from(site.target_bytes) * MILLION, u128::from(site.raw_bytes));
            if above.is_none_or(|above| gave > cost * u128::from(above)) {
                sites += 1;
                sum.merge(site);
            }
        }
        WhatIf {
            above_percent: above.map(|millionths| millionths as f64 / 10_000.0),
            sites,
            pages: sum.pages,
            raw_bytes: sum.raw_bytes,
            raw_percent: percent(sum.raw_bytes, raw),
            target_bytes: sum.target_bytes,
            target_percent: percent(sum.target_bytes, target),
        }
    }
}

/// Returns the excess of a site's share of the download over its share of the target text, as a
/// numerator over a common denominator, so that the order does not depend on rounding.
fn excess(site: &Site, raw: u64, target: u64) -> i128 {
    // The product of two numbers below 2⁶³ fits, and no crawl has 8 exabytes.
    let product =
        |a: u64, b: u64| i128::from(a.min(i64::MAX as u64)) * i128::from(b.min(i64::MAX as u64));
    product(site.raw_bytes, target.max(1)) - product(site.target_bytes, raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::CorpusPage;
    use proptest::prelude::*;

    /// Host, bytes as fetched, target bytes, whether it was kept.
    type Fetched = (&'static str, Option<u64>, u64, bool);

    fn yields(pages: &[Fetched]) -> ByteYields {
        let mut yields = ByteYields::default();
        for &(host, raw_bytes, target_bytes, kept) in pages {
            let page = CorpusPage {
                host: host.to_owned(),
                raw_bytes,
                target_bytes,
                kept,
                ..CorpusPage::default()
            };
            yields.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        }
        yields
    }

    #[test]
    fn byte_yield_is_the_target_text_that_was_kept_of_what_was_downloaded() {
        let figures = yields(&[
            ("a.pk", Some(1_000), 100, true),
            ("a.pk", Some(250), 100, true),
            ("a.pk", Some(750), 90, false),
            ("b.pk", Some(2_000), 0, false),
            ("c.pk", None, 50, true),
        ])
        .finish()
        .expect("a page was rejected");
        // Pages' yields are 10, 40, 0 and 0 %.
        assert_eq!((figures.byte_yield_percent, figures.page_yield_mean), (Some(5.0), Some(12.5)));
        let rows: Vec<_> = figures
            .costliest_sites
            .iter()
            .map(|row| (&*row.site, row.pages, row.kept_pages))
            .collect();
        assert_eq!(rows, [("b.pk", 1, 0)]);
        let sites: Vec<_> = figures
            .sites
            .iter()
            .map(|row| (&*row.site, row.raw_bytes, row.byte_yield_percent))
            .collect();
        assert_eq!(sites, [("a.pk", 2_000, Some(10.0)), ("b.pk", 2_000, Some(0.0))]);
    }

    #[test]
    fn sites_are_left_that_are_above_the_threshold_and_not_at_it() {
        // Byte yields of 0, .0001, .0003 and .5.
        let figures = yields(&[
            ("none", Some(10_000), 9, false),
            ("at", Some(10_000), 1, true),
            ("over", Some(10_000), 3, true),
            ("good", Some(1_000), 500, true),
        ])
        .finish()
        .expect("a page was rejected");
        let left: Vec<_> = figures
            .what_if
            .iter()
            .map(|row| (row.above_percent, row.sites, row.target_bytes))
            .collect();
        let expected = [
            (None, 4, 504),
            (Some(0.0), 3, 504),
            (Some(0.01), 2, 503),
            (Some(0.02), 2, 503),
            (Some(0.04), 1, 500),
        ];
        assert_eq!(left[..5], expected);
        assert_eq!(left[14], (Some(40.96), 1, 500));
        assert_eq!(figures.what_if[4].raw_percent.map(f64::round), Some(3.0));
    }

    #[test]
    fn nothing_is_said_where_no_rejected_page_is_known_or_no_size() {
        assert_eq!(yields(&[("a.pk", Some(600), 100, true)]).finish(), None);
        assert_eq!(yields(&[("a.pk", None, 100, false)]).finish(), None);
    }

    proptest! {
        #[test]
        fn higher_thresholds_leave_less(pages in prop::collection::vec((0..6usize, 0..9_000u64, 0..5_000u64, any::<bool>()), 1..40)) {
            let hosts = ["a", "b", "c", "d", "e", "f"];
            let pages: Vec<Fetched> = pages.into_iter().map(|(host, raw, target, kept)| (hosts[host], Some(raw), target, kept)).collect();
            if let Some(figures) = yields(&pages).finish() {
                for rows in figures.what_if.windows(2) {
                    prop_assert!(rows[0].sites >= rows[1].sites && rows[0].raw_bytes >= rows[1].raw_bytes);
                    prop_assert!(rows[0].target_bytes >= rows[1].target_bytes);
                }
            }
        }
    }
}
