//! Seeds drawn at random, some of them among pages in the language: the mixes of the paper's crawl
//! experiment (50/50, 25/75 and 0/100 of rich and random seeds).

use super::address;
use figures::identity::lasting;
use render::counted;
use std::collections::BTreeMap;

/// The pages of the input with the smallest hashes, at most a number of them. The hashes do not
/// depend on the order of the input, so equal inputs give equal draws, and a URL is drawn once.
#[derive(Debug)]
struct Sample {
    size: usize,
    pages: BTreeMap<u128, String>,
}

impl Sample {
    fn of(size: usize) -> Self {
        Self { size, pages: BTreeMap::new() }
    }

    fn offer(&mut self, hash: u128, url: &str) {
        let is_full = self.pages.len() == self.size;
        if is_full && self.pages.last_key_value().is_none_or(|(&last, _)| last <= hash) {
            return;
        }
        self.pages.entry(hash).or_insert_with(|| url.to_owned());
        if self.pages.len() > self.size {
            self.pages.pop_last();
        }
    }
}

/// Draws seeds: a share of them among the rich pages, the rest among all pages, rich or not.
#[derive(Debug)]
pub struct Draw {
    random_seed: u64,
    /// Seeds among all pages.
    others: usize,
    rich: Sample,
    /// Has room for all seeds, because the rich ones may be among them.
    all: Sample,
}

/// An input has too few pages for a mix.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the input has {} left for the {wanted} {kind} seeds of --mix; lower --count, or add inputs",
    counted(*has, "page")
)]
pub struct TooFew {
    /// Pages that are left.
    pub has: usize,
    /// Seeds that are wanted.
    pub wanted: usize,
    /// `rich` or `random`. Pages that are drawn as rich ones are not left for the random ones.
    pub kind: &'static str,
}

impl Draw {
    /// Draws `count` seeds, `percent` of them (rounded) among the rich pages.
    pub fn new(percent: u8, count: usize, random_seed: u64) -> Self {
        let rich = (count * usize::from(percent) + 50) / 100;
        Self { random_seed, others: count - rich, rich: Sample::of(rich), all: Sample::of(count) }
    }

    /// Offers the URL of a page.
    pub fn offer(&mut self, url: &str, is_rich: bool) {
        let mut text = self.random_seed.to_be_bytes().to_vec();
        text.extend(url.as_bytes());
        let hash = lasting(&text);
        self.all.offer(hash, url);
        if is_rich {
            self.rich.offer(hash, url);
        }
    }

    /// The seeds and their sources, `rich` ones first.
    ///
    /// # Errors
    /// Fails if the input has fewer pages than seeds are wanted of a kind.
    pub fn seeds(self) -> Result<Vec<(String, &'static str)>, TooFew> {
        let Self { others, rich, mut all, .. } = self;
        if rich.pages.len() < rich.size {
            return Err(TooFew { has: rich.pages.len(), wanted: rich.size, kind: "rich" });
        }
        all.pages.retain(|hash, _| !rich.pages.contains_key(hash));
        if all.pages.len() < others {
            return Err(TooFew { has: all.pages.len(), wanted: others, kind: "random" });
        }
        let rich = rich.pages.into_values().map(|url| (url, "rich"));
        Ok(rich.chain(all.pages.into_values().take(others).map(|url| (url, "random"))).collect())
    }
}

impl super::Choice {
    /// Offers a page to the draw of --mix. Returns whether there is one.
    pub(super) fn draws(&mut self, url: &str, is_rich: bool) -> bool {
        if self.settings.draw.is_none() {
            return false;
        }
        self.counts.rich += u64::from(is_rich);
        match address(url) {
            None => self.counts.no_url += 1,
            Some(url) if self.settings.without.has(url.as_str()) => self.counts.excluded += 1,
            Some(url) if self.is_known(&url) => self.counts.met += 1,
            Some(url) => {
                let draw = self.settings.draw.iter_mut();
                draw.for_each(|draw| draw.offer(url.as_str(), is_rich));
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(draw: Draw) -> (usize, usize) {
        let seeds = draw.seeds().expect("enough pages");
        let rich = seeds.iter().filter(|(_, source)| *source == "rich").count();
        (rich, seeds.len() - rich)
    }

    fn web(mut draw: Draw, pages: impl Iterator<Item = u32>) -> Draw {
        pages.for_each(|page| draw.offer(&format!("http://a.pk/{page}"), page % 4 == 0));
        draw
    }

    #[test]
    fn a_mix_has_its_share_of_rich_seeds_and_no_url_twice() {
        for (percent, rich) in [(0, 0), (25, 25), (50, 50), (99, 99), (100, 100)] {
            let draw = web(Draw::new(percent, 100, 1), (0..1000).chain(0..1000));
            assert_eq!(drawn(draw), (rich, 100 - rich));
        }
        let seeds = web(Draw::new(50, 400, 1), 0..1000).seeds().expect("enough pages");
        let mut urls: Vec<&String> = seeds.iter().map(|(url, _)| url).collect();
        urls.sort();
        urls.dedup();
        assert_eq!(urls.len(), 400);
    }

    #[test]
    fn random_seeds_are_as_rich_as_the_pages_and_another_number_draws_others() {
        let random = |number| web(Draw::new(0, 2000, number), 0..20_000).seeds().expect("enough");
        let is_rich =
            |url: &str| url["http://a.pk/".len()..].parse::<u32>().expect("a number") % 4 == 0;
        let rich = random(1).iter().filter(|(url, _)| is_rich(url)).count();
        assert!((440..560).contains(&rich), "{rich} of 2000, a quarter is 500");
        assert_ne!(random(1), random(2));
        let backwards = web(Draw::new(0, 2000, 1), (0..20_000).rev()).seeds().expect("enough");
        assert_eq!(random(1), backwards);
    }

    #[test]
    fn too_few_pages_are_an_error_that_names_the_kind() {
        let error = web(Draw::new(50, 100, 1), 0..160).seeds();
        assert_eq!(error, Err(TooFew { has: 40, wanted: 50, kind: "rich" }));
        let error = web(Draw::new(10, 100, 1), 0..99).seeds();
        assert_eq!(error, Err(TooFew { has: 89, wanted: 90, kind: "random" }));
    }
}
