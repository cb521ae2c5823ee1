//! Pages and bytes.

use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use serde::{Deserialize, Serialize};
use std::io;

/// Sums over the pages of the corpus. Bytes are of UTF-8 text, except `raw_bytes`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Pages in the corpus.
    pub pages: u64,
    /// Pages that the crawl rejected: they were read and are not in the corpus.
    pub rejected: u64,
    /// Pages that the server no longer has. They are in no other figure.
    pub gone: u64,
    /// Those of them that are PDF, Office, OpenDocument or RTF files.
    pub documents: u64,
    /// Pages in the corpus without main text.
    pub without_text: u64,
    /// Bytes as fetched, of the pages with a known size.
    pub raw_bytes: u64,
    /// Bytes of all visible text, of the pages with a known size of it.
    pub visible_bytes: u64,
    /// Bytes of main text.
    pub main_bytes: u64,
    /// Bytes of main text in the target language.
    pub target_bytes: u64,
    /// Time of the first fetch of a page in the corpus, in seconds since 1970, if one is known.
    pub first_fetch: Option<u64>,
    /// Time of the last one.
    pub last_fetch: Option<u64>,
}

impl Accumulator for Totals {
    plain_state!("totals", 3);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let page = view.page;
        if page.gone {
            self.gone += 1;
        } else if !page.kept {
            self.rejected += 1;
        } else {
            self.pages += 1;
            self.documents += u64::from(page.is_document);
            self.without_text += u64::from(page.main_bytes == 0);
            self.raw_bytes = self.raw_bytes.saturating_add(page.raw_bytes.unwrap_or(0));
            self.visible_bytes = self.visible_bytes.saturating_add(page.visible_bytes.unwrap_or(0));
            self.main_bytes = self.main_bytes.saturating_add(page.main_bytes);
            self.target_bytes = self.target_bytes.saturating_add(page.target_bytes);
            // WARC files have seconds.
            let fetched = page.fetched.map(|millis| millis / 1000);
            self.span(fetched, fetched);
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.pages = self.pages.saturating_add(other.pages);
        self.documents = self.documents.saturating_add(other.documents);
        self.rejected = self.rejected.saturating_add(other.rejected);
        self.gone = self.gone.saturating_add(other.gone);
        self.without_text = self.without_text.saturating_add(other.without_text);
        self.raw_bytes = self.raw_bytes.saturating_add(other.raw_bytes);
        self.visible_bytes = self.visible_bytes.saturating_add(other.visible_bytes);
        self.main_bytes = self.main_bytes.saturating_add(other.main_bytes);
        self.target_bytes = self.target_bytes.saturating_add(other.target_bytes);
        self.span(other.first_fetch, other.last_fetch);
        Ok(())
    }
}

impl Totals {
    /// Extends the period of the fetches.
    fn span(&mut self, first: Option<u64>, last: Option<u64>) {
        self.first_fetch = self.first_fetch.into_iter().chain(first).min();
        self.last_fetch = self.last_fetch.into_iter().chain(last).max();
    }
}
