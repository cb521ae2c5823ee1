//! Duplicates: exact ones by MD5, near duplicates by Nutch's text profile and by MinHash.

use crate::fixed;
use crate::fixed::percent;
use crate::minhash;
use crate::page::PageView;
use crate::profile::Profiler;
use crate::scratch::{weight, Count, Member, Scratch, Table};
use crate::state::{decode, encode, Accumulator, BadState};
use crate::urls::fingerprint;
use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};
use std::io;

/// Signatures of pages with text. Each is stored as its first 64 bits: among ten million texts the
/// probability of a collision is three in a million.
#[derive(Debug)]
pub struct Duplicates {
    scratch: Scratch,
    words: bool,
    texts: Table<Count>,
    raw: Table<Count>,
    profiles: Table<Count>,
    sorted_profiles: Table<Count>,
    bands: Table<Member>,
    profiler: Profiler,
}

fn first_half(signature: [u8; 16]) -> Count {
    let mut half = [0; 8];
    half.copy_from_slice(&signature[..8]);
    Count { key: u64::from_be_bytes(half), count: 1 }
}

impl Duplicates {
    /// Creates empty sums; near duplicates are detected only if words are counted.
    pub fn new(words: bool, scratch: &Scratch) -> Self {
        Self {
            scratch: scratch.clone(),
            words,
            texts: Table::new(scratch),
            raw: Table::new(scratch),
            profiles: Table::new(scratch),
            sorted_profiles: Table::new(scratch),
            bands: Table::new(&scratch.times(weight::BANDS)),
            profiler: Profiler::default(),
        }
    }
}

/// The unit of export.
#[derive(Serialize, Deserialize)]
enum Part {
    /// Signatures of the table with this number, in the order of [`Duplicates::tables`].
    Signatures(u8, Vec<Count>),
    Bands(Vec<Member>),
}

impl Accumulator for Duplicates {
    const NAME: &'static str = "duplicates";
    const VERSION: u16 = 1;

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let page = view.page;
        if let Some(signature) = page.signature {
            self.raw.add(first_half(signature))?;
        }
        if page.text.is_empty() {
            return Ok(());
        }
        let text = first_half(Md5::digest(&page.text).into());
        self.texts.add(text)?;
        if !self.words {
            return Ok(());
        }
        if let Some((nutch, sorted)) = self.profiler.both(&page.text) {
            self.profiles.add(first_half(nutch))?;
            self.sorted_profiles.add(first_half(sorted))?;
        }
        if let Some(values) = minhash::values(view.tokens) {
            // The text identifies a page without a URL, so equal ones count as one here.
            let id = if page.url.is_empty() { text.key } else { fingerprint(&page.url) };
            for group in minhash::bands(&values) {
                self.bands.add(Member { group, id })?;
            }
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.texts.merge(other.texts)?;
        self.raw.merge(other.raw)?;
        self.profiles.merge(other.profiles)?;
        self.sorted_profiles.merge(other.sorted_profiles)?;
        self.bands.merge(other.bands)
    }

    fn parts(mut self, give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        for (number, table) in (0..).zip(self.tables()) {
            table.chunks(&mut |counts| give(encode::<Self>(&Part::Signatures(number, counts))?))?;
        }
        self.bands.chunks(&mut |members| give(encode::<Self>(&Part::Bands(members))?))
    }

    fn absorb(&mut self, part: &[u8]) -> Result<(), BadState> {
        match decode::<Self, Part>(part)? {
            Part::Signatures(number, counts) => {
                match self.tables().into_iter().nth(usize::from(number)) {
                    Some(table) => table.absorb(counts),
                    None => Err(BadState::NoTable { number }),
                }
            }
            Part::Bands(members) => self.bands.absorb(members),
        }
    }
}

/// Figures of duplicates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DuplicateFigures {
    /// Number of pages with text.
    pub pages: u64,
    /// Exact duplicates: of pages with the same text all but one.
    pub exact: u64,
    /// Share of pages that are exact duplicates, in percent.
    pub exact_percent: Option<f64>,
    /// Number of pages with the most frequent text.
    pub most_copies: u64,
    /// Of pages with the same bytes as fetched all but one; `None` if no record has a signature.
    pub exact_bytes: Option<u64>,
    /// Near duplicates: of different texts with the same `TextProfileSignature` of Nutch all but
    /// one.
    pub near_nutch: Option<u64>,
    /// Share of these pages, in percent.
    pub near_nutch_percent: Option<f64>,
    /// The same with profiles that sort ties and keep combining marks in words.
    pub near_sorted: Option<u64>,
    /// Share of these pages, in percent.
    pub near_sorted_percent: Option<f64>,
    /// Pages that share a band of MinHash values with another page of a lower fingerprint, minus
    /// the exact duplicates.
    pub near_minhash: Option<u64>,
    /// Share of these pages, in percent.
    pub near_minhash_percent: Option<f64>,
}

/// Returns the number of keys, the sum of counts, and the largest count.
fn measure(table: &mut Table<Count>) -> io::Result<(u64, u64, u64)> {
    table.drain()?.try_fold((0, 0, 0), |(keys, sum, most), entry| {
        let count = entry?.count;
        Ok((keys + 1, count.saturating_add(sum), count.max(most)))
    })
}

impl Duplicates {
    fn tables(&mut self) -> [&mut Table<Count>; 4] {
        [&mut self.texts, &mut self.raw, &mut self.profiles, &mut self.sorted_profiles]
    }

    /// Returns the figures.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read or written.
    pub fn finish(mut self) -> io::Result<DuplicateFigures> {
        let (texts, pages, most_copies) = measure(&mut self.texts)?;
        let (raw, raw_pages, _) = measure(&mut self.raw)?;
        let (profiles, ..) = measure(&mut self.profiles)?;
        let (sorted_profiles, ..) = measure(&mut self.sorted_profiles)?;
        let exact = pages.saturating_sub(texts);
        let near = |profiles: u64| self.words.then(|| texts.saturating_sub(profiles));
        let (near_nutch, near_sorted) = (near(profiles), near(sorted_profiles));
        let mut met = Table::new(&self.scratch);
        let mut group = None;
        for member in self.bands.drain()? {
            let member = member?;
            if group == Some(member.group) {
                met.add(Count { key: member.id, count: 1 })?;
            }
            group = Some(member.group);
        }
        let (met, ..) = measure(&mut met)?;
        let near_minhash = self.words.then(|| met.saturating_sub(exact));
        let share = |near: Option<u64>| near.and_then(|near| fixed::percent(near, pages));
        Ok(DuplicateFigures {
            pages,
            exact,
            exact_percent: percent(exact, pages),
            most_copies,
            exact_bytes: (raw_pages > 0).then(|| raw_pages.saturating_sub(raw)),
            near_nutch,
            near_nutch_percent: share(near_nutch),
            near_sorted,
            near_sorted_percent: share(near_sorted),
            near_minhash,
            near_minhash_percent: share(near_minhash),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{CorpusPage, Viewer};
    use crate::tokens::Tokenizer;

    #[test]
    fn ten_pages_with_known_pairs() {
        let folder = tempfile::tempdir().expect("a folder");
        let scratch = Scratch::new(folder.path(), 1 << 20);
        let tokenizer = Tokenizer::new("eng".parse().expect("a code"));
        let text = |from: u32| {
            (from..from + 200).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ")
        };
        // Three pages of one text, two of another, one with two of its words swapped, and four with
        // different texts.
        let swapped = text(1000).replace("word1010 word1011", "word1011 word1010");
        let texts = [1000, 1000, 1000, 2000, 2000, 3000, 4000, 5000, 6000].map(text);
        let texts: Vec<String> = texts.into_iter().chain([swapped]).collect();
        let mut duplicates = Duplicates::new(true, &scratch);
        for (number, text) in texts.into_iter().enumerate() {
            let signature = Some([u8::from(number > 4) * number as u8; 16]);
            let page = CorpusPage {
                url: format!("http://a.test/{number}"),
                text,
                signature,
                ..CorpusPage::default()
            };
            duplicates.add(&Viewer::new(&tokenizer).view(&page)).expect("memory");
        }
        let figures = duplicates.finish().expect("memory");
        assert_eq!((figures.pages, figures.exact, figures.most_copies), (10, 3, 3));
        assert_eq!((figures.exact_percent, figures.exact_bytes), (Some(30.0), Some(4)));
        assert_eq!((figures.near_sorted, figures.near_minhash), (Some(1), Some(1)));
        assert_eq!(figures.near_nutch_percent, Some(10.0));
    }
}
