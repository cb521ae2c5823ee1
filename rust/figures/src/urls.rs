//! URLs: their depth, and the set of a corpus.

use crate::fixed::{ratio, total};
use crate::page::PageView;
use crate::scratch::{Scratch, Table, UrlText};
use crate::sites::{bins, Bin};
use crate::state::{decode, encode, plain_state, Accumulator, BadState};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;
use xxhash_rust::xxh3::xxh3_64;

/// Deepest depth that is counted separately. Bounds memory.
const DEEPEST: u32 = 1000;

/// Returns a URL's fingerprint: 64 bits of XXH3 of its text, the same in all runs. Among a hundred
/// million URLs that nobody chose for it the probability of a collision is 3 in 10,000. Somebody who
/// looks for one finds it, so use [`crate::identity`] where equality decides what is dropped.
pub fn fingerprint(url: &str) -> u64 {
    xxh3_64(url.as_bytes())
}

/// Returns the number of non-empty segments of a URL's path, separated by `/`: 0 for a host's front
/// page. Query and fragment are not counted.
pub fn depth(url: &str) -> u32 {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let parts = rest.split('/').skip(1).filter(|part| !part.is_empty()).count();
    parts.min(DEEPEST as usize) as u32
}

/// Pages by the depth of their URLs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Depths(BTreeMap<u32, u64>);

impl Accumulator for Depths {
    plain_state!("depths", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        if !view.page.url.is_empty() {
            *self.0.entry(depth(&view.page.url)).or_default() += 1;
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        for (depth, pages) in other.0 {
            // A damaged state may have impossible values.
            let sum = self.0.entry(depth.min(DEEPEST)).or_default();
            *sum = sum.saturating_add(pages);
        }
        Ok(())
    }
}

/// Figures of URL depth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DepthFigures {
    /// Pages by depth, from 0 to the deepest.
    pub pages: Vec<Bin>,
    /// Largest number of path parts of a URL.
    pub deepest: Option<u32>,
    /// Mean depth over pages.
    pub mean: Option<f64>,
}

impl Depths {
    /// Returns the figures.
    pub fn finish(&self) -> DepthFigures {
        let deepest = self.0.keys().next_back().copied();
        let names: Vec<_> = deepest
            .map_or(Vec::new(), |deepest| (0..=deepest).map(|depth| depth.to_string()).collect());
        let counts = (0..)
            .zip(&names)
            .map(|(depth, name)| (name.as_str(), self.0.get(&depth).copied().unwrap_or(0)));
        let sum: u64 =
            total(self.0.iter().map(|(&depth, &pages)| u64::from(depth).saturating_mul(pages)));
        DepthFigures {
            pages: bins(counts),
            deepest,
            mean: ratio(sum, total(self.0.values().copied())),
        }
    }
}

/// The set of URLs of a corpus, with a hash of the text of each page.
#[derive(Debug)]
pub struct Urls {
    table: Table<UrlText>,
}

/// Numbers of URLs of two corpora.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overlap {
    /// URLs of the first corpus that the second does not have.
    pub removed: u64,
    /// URLs of the second corpus that the first does not have.
    pub added: u64,
    /// URLs of both.
    pub common: u64,
    /// URLs of both whose pages have different main text. Pages without text do not count.
    pub changed: u64,
}

impl Overlap {
    /// Returns the number of URLs in either corpus.
    pub fn all(&self) -> u64 {
        self.removed + self.added + self.common
    }
}

impl Urls {
    /// Creates an empty set.
    pub fn new(scratch: &Scratch) -> Self {
        Self { table: Table::new(scratch) }
    }

    /// Compares the sets of an earlier and a later corpus. The quotient of the sizes of the
    /// intersection and the union is the Jaccard index (paper, Eq. 1).
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read or written.
    pub fn overlap(&mut self, other: &mut Self) -> io::Result<Overlap> {
        // Both tables are drained in order and filled again.
        let (mut mine, mut theirs) = (self.table.drain()?, other.table.drain()?);
        let (mut a, mut b) = (mine.next().transpose()?, theirs.next().transpose()?);
        let mut overlap = Overlap::default();
        loop {
            let order = match (&a, &b) {
                (None, None) => return Ok(overlap),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => {
                    let differ = a.url == b.url && a.text != b.text && a.text != 0 && b.text != 0;
                    overlap.changed += u64::from(differ);
                    a.url.cmp(&b.url)
                }
            };
            match order {
                Ordering::Less => overlap.removed += 1,
                Ordering::Equal => overlap.common += 1,
                Ordering::Greater => overlap.added += 1,
            }
            if order != Ordering::Greater {
                a.take().map_or(Ok(()), |url| self.table.add(url))?;
                a = mine.next().transpose()?;
            }
            if order != Ordering::Less {
                b.take().map_or(Ok(()), |url| other.table.add(url))?;
                b = theirs.next().transpose()?;
            }
        }
    }
}

impl Urls {
    /// Returns the set of the hashes of texts, each once, in place of the hashes of URLs.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read or written.
    pub fn texts(&mut self) -> io::Result<Self> {
        let mut texts = Self::new(self.table.scratch());
        for page in self.table.drain()? {
            let page = page?;
            if page.text != 0 {
                texts.table.add(UrlText { url: page.text, text: 0 })?;
            }
            // The table is filled again.
            self.table.add(page)?;
        }
        Ok(texts)
    }

    /// Returns the numbers of URLs by the set of corpora that have them: index bit `n` stands for
    /// the corpus `n`. There are at most as many corpora as bits of a u16.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read or written.
    pub fn regions(corpora: Vec<&mut Self>) -> io::Result<Vec<u64>> {
        let mut regions = vec![0; 1 << corpora.len().min(16)];
        let mut drained = Vec::new();
        for urls in corpora {
            let mut keys = urls.table.drain()?;
            let next = keys.next().transpose()?;
            drained.push((urls, keys, next));
        }
        loop {
            let heads = drained.iter().filter_map(|(_, _, next)| Some(next.as_ref()?.url));
            let Some(least) = heads.min() else { return Ok(regions) };
            let mut set = 0;
            for (bit, (urls, keys, next)) in drained.iter_mut().enumerate().take(16) {
                if next.as_ref().is_some_and(|url| url.url == least) {
                    set |= 1 << bit;
                    // The tables are filled again.
                    next.take().map_or(Ok(()), |url| urls.table.add(url))?;
                    *next = keys.next().transpose()?;
                }
            }
            regions[set] += 1;
        }
    }
}

impl Accumulator for Urls {
    const NAME: &'static str = "urls";
    const VERSION: u16 = 2;

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        if view.page.url.is_empty() {
            return Ok(());
        }
        let text = &view.page.text;
        self.table.add(UrlText {
            url: fingerprint(&view.page.url),
            text: if text.is_empty() { 0 } else { xxh3_64(text.as_bytes()).max(1) },
        })
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.table.merge(other.table)
    }

    fn parts(mut self, give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        self.table.chunks(&mut |urls| give(encode::<Self>(&urls)?))
    }

    fn absorb(&mut self, part: &[u8]) -> Result<(), BadState> {
        self.table.absorb(decode::<Self, Vec<UrlText>>(part)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::CorpusPage;

    #[test]
    fn depth_is_the_number_of_parts_of_the_path() {
        let depths = [
            "http://a.pk",
            "http://a.pk/",
            "http://a.pk/?x=/1/2",
            "http://a.pk/b",
            "http://a.pk//b//c/#d/e",
            "a.pk/b",
        ];
        assert_eq!(depths.map(depth), [0, 0, 0, 1, 2, 1]);
        assert_eq!(depth(&"/a".repeat(5000)), DEEPEST);
    }

    fn urls(scratch: &Scratch, pages: &[(&str, &str)]) -> Urls {
        let mut urls = Urls::new(scratch);
        for (url, text) in pages {
            let page =
                CorpusPage { url: (*url).into(), text: (*text).into(), ..CorpusPage::default() };
            urls.add(&PageView { page: &page, tokens: &[] }).expect("memory");
        }
        urls
    }

    #[test]
    fn an_overlap_has_removed_added_and_changed_urls_also_after_merging() {
        let folder = tempfile::tempdir().expect("a folder");
        let scratch = Scratch::new(folder.path(), 1 << 20);
        let mut june = urls(&scratch, &[("a", "1"), ("b", "2"), ("c", ""), ("d", "4"), ("e", "5")]);
        let mut july = urls(&scratch, &[("b", "2"), ("c", "3")]);
        july.merge(urls(&scratch, &[("d", "other"), ("f", "6"), ("g", "1")])).expect("memory");
        let expected = Overlap { removed: 2, added: 2, common: 3, changed: 1 };
        // The tables are filled again.
        for _ in 0..2 {
            assert_eq!(june.overlap(&mut july).expect("memory"), expected);
        }
        assert_eq!(expected.all(), 7);
        let mut absorbed = Urls::new(&scratch);
        july.parts(&mut |part| {
            absorbed.absorb(&part).expect("a state");
            Ok(())
        })
        .expect("memory");
        assert_eq!(june.overlap(&mut absorbed).expect("memory"), expected);
    }

    #[test]
    fn texts_are_compared_whatever_their_urls() {
        let folder = tempfile::tempdir().expect("a folder");
        let scratch = Scratch::new(folder.path(), 1 << 20);
        let mut june = urls(&scratch, &[("a", "1"), ("b", "2"), ("c", "1"), ("d", "")]);
        let mut july = urls(&scratch, &[("b", "1"), ("d", ""), ("e", "3")]);
        // The tables are filled again.
        for _ in 0..2 {
            let (mut one, mut other) =
                (june.texts().expect("memory"), july.texts().expect("memory"));
            let texts = Urls::regions(vec![&mut one, &mut other]).expect("memory");
            assert_eq!(texts, [0, 1, 1, 1]);
        }
        let urls = Urls::regions(vec![&mut june, &mut july]).expect("memory");
        assert_eq!(urls, [0, 2, 1, 2]);
    }

    #[test]
    fn a_state_of_depths_that_no_page_has_costs_no_memory() {
        let mut state = Vec::new();
        let give = &mut |part| {
            state = part;
            Ok(())
        };
        Depths(BTreeMap::from([(u32::MAX, u64::MAX)])).parts(give).expect("memory");
        let mut depths = Depths::default();
        for _ in 0..2 {
            depths.absorb(&state).expect("a state");
        }
        let figures = depths.finish();
        assert_eq!((figures.deepest, figures.pages.len()), (Some(DEEPEST), DEEPEST as usize + 1));
        assert_eq!(figures.pages[DEEPEST as usize].count, u64::MAX);
    }
}
