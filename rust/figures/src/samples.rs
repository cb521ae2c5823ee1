//! Texts of pages drawn by lot, so that a reader of the figures sees what they count.

use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use xxhash_rust::xxh3::xxh3_64;

/// Largest sum of the bytes of all texts. The texts are parts of the report's page, so this bounds
/// its size.
const MAX_BYTES: usize = 192 << 10;

/// Longest beginning of a text, in bytes.
const MAX_TEXT: usize = 1500;

/// Longest URL, in bytes. Pages with longer ones are not drawn, because a cut URL leads nowhere.
const MAX_URL: usize = 500;

/// A page that was drawn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampledPage {
    /// The URL, empty if unknown.
    pub url: String,
    /// Host of the URL, empty if unknown.
    pub host: String,
    /// Beginning of the main text: whole characters, up to 1,500 bytes.
    pub text: String,
    /// Whether the main text goes on.
    pub is_cut: bool,
    /// Bytes of the main text in the target language.
    pub target_bytes: u64,
    /// Bytes of the main text.
    pub main_bytes: u64,
}

/// Pages of the corpus with text, in the order of the hashes of their URLs, up to the first that
/// would exceed 192 KiB. The order is unrelated to the texts, and which pages are drawn does
/// not depend on how the pages are shared out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Samples {
    /// The pages by hash. Pages with one URL are drawn together.
    pages: BTreeMap<u64, BTreeSet<SampledPage>>,
    /// Bytes of these pages.
    bytes: usize,
    /// The smallest hash that did not fit. Pages from it on are not drawn, even if they would fit.
    end: Option<u64>,
}

impl Samples {
    fn has_place(&self, hash: u64) -> bool {
        self.end.is_none_or(|end| hash < end)
    }

    fn insert(&mut self, hash: u64, page: SampledPage) {
        if !self.has_place(hash) {
            return;
        }
        let bytes = page.bytes();
        if self.pages.entry(hash).or_default().insert(page) {
            self.bytes += bytes;
        }
        while self.bytes > MAX_BYTES {
            let Some((hash, last)) = self.pages.pop_last() else { break };
            self.bytes -= last.iter().map(SampledPage::bytes).sum::<usize>();
            self.end = Some(hash);
        }
    }

    /// Returns the pages in their order.
    pub fn finish(self) -> Vec<SampledPage> {
        self.pages.into_values().flatten().collect()
    }
}

impl SampledPage {
    /// Its bytes of [`MAX_BYTES`].
    fn bytes(&self) -> usize {
        self.url.len() + self.host.len() + self.text.len()
    }
}

impl Accumulator for Samples {
    plain_state!("samples", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let page = view.page;
        // Pages without URL differ by their texts.
        let name = if page.url.is_empty() { &page.text } else { &page.url };
        let hash = xxh3_64(name.as_bytes());
        if page.text.is_empty() || page.url.len() > MAX_URL || !self.has_place(hash) {
            return Ok(());
        }
        let is_end = |&at: &usize| page.text.is_char_boundary(at);
        let end = (0..=page.text.len().min(MAX_TEXT)).rev().find(is_end).unwrap_or(0);
        let page = SampledPage {
            url: page.url.clone(),
            host: page.host.clone(),
            text: page.text[..end].to_owned(),
            is_cut: end < page.text.len(),
            target_bytes: page.target_bytes,
            main_bytes: page.main_bytes,
        };
        self.insert(hash, page);
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        for (hash, pages) in other.pages {
            pages.into_iter().for_each(|page| self.insert(hash, page));
        }
        if let Some(end) = other.end.filter(|&end| self.has_place(end)) {
            self.end = Some(end);
            for pages in self.pages.split_off(&end).into_values() {
                self.bytes -= pages.iter().map(SampledPage::bytes).sum::<usize>();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::CorpusPage;

    fn page(number: usize) -> CorpusPage {
        let text = "نہر کا پانی شہر تک آتا ہے۔ ".repeat(1 + number % 40);
        CorpusPage {
            url: format!("http://a.pk/{number}"),
            host: "a.pk".to_owned(),
            text,
            ..CorpusPage::default()
        }
    }

    fn sum(numbers: impl Iterator<Item = usize>) -> Samples {
        let mut samples = Samples::default();
        for page in numbers.map(page) {
            samples.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        }
        samples
    }

    #[test]
    fn the_same_pages_are_drawn_however_they_are_shared_out() {
        let all = sum(0..2000);
        assert!(all.bytes <= MAX_BYTES && all.bytes > MAX_BYTES - 2 * MAX_TEXT, "{}", all.bytes);
        assert_eq!(sum((0..2000).rev()), all);
        for parts in [2, 3, 7] {
            let mut merged = Samples::default();
            for part in (0..parts).rev() {
                merged.merge(sum((part..2000).step_by(parts))).expect("no file is written");
            }
            assert_eq!(merged, all, "{parts} parts");
        }
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        let found = sum(39..40).finish();
        assert_eq!((found.len(), found[0].is_cut), (1, true));
        assert!(found[0].text.len() <= MAX_TEXT && found[0].text.len() > MAX_TEXT - 4);
        assert!(!sum(0..1).finish()[0].is_cut);
    }
}
