//! Languages in pages (paper, Table 8).

use crate::fixed::percent;
use crate::page::PageView;
use crate::state::{plain_state, Accumulator};
use langbytes::LangCode;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

/// A page contains a language if at least one of this many bytes of its text is in it. Less text is
/// considered stray words.
const CONTAINED: u64 = 50;

/// One language's sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sum {
    containing: u64,
    touched: u64,
    bytes: u64,
}

/// Pages and bytes per language. A page in two languages counts for both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Languages {
    pages: u64,
    languages: BTreeMap<String, Sum>,
}

impl Accumulator for Languages {
    plain_state!("languages", 1);

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        self.pages += 1;
        let all = view.page.languages.total();
        for (language, bytes) in view.page.languages.iter() {
            if !self.languages.contains_key(language.as_str()) {
                self.languages.insert(language.to_string(), Sum::default());
            }
            if let Some(sum) = self.languages.get_mut(language.as_str()) {
                sum.touched += 1;
                sum.containing += u64::from(bytes >= all.div_ceil(CONTAINED));
                sum.bytes = sum.bytes.saturating_add(bytes);
            }
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        self.pages = self.pages.saturating_add(other.pages);
        for (language, more) in other.languages {
            let sum = self.languages.entry(language).or_default();
            sum.containing = sum.containing.saturating_add(more.containing);
            sum.touched = sum.touched.saturating_add(more.touched);
            sum.bytes = sum.bytes.saturating_add(more.bytes);
        }
        Ok(())
    }
}

/// A language in a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LanguageRow {
    /// ISO 639-3 code; `und` for text in no known language.
    pub code: String,
    /// English name of the language.
    pub name: String,
    /// Pages of which at least 2 % of the main text's bytes are in it.
    pub pages: u64,
    /// Their share of all pages.
    pub pages_percent: Option<f64>,
    /// Pages with at least one byte in it.
    pub pages_any: u64,
    /// Bytes in it.
    pub bytes: u64,
    /// Their share of the bytes in all languages and in none: main text without line breaks.
    pub bytes_percent: Option<f64>,
}

impl Languages {
    /// Returns the languages, those in most pages first.
    pub fn finish(&self) -> Vec<LanguageRow> {
        let all = self.languages.values().fold(0u64, |all, sum| all.saturating_add(sum.bytes));
        let row = |(code, sum): (&String, &Sum)| LanguageRow {
            code: code.clone(),
            name: code
                .parse::<LangCode>()
                .map_or_else(|_| code.clone(), |language| language.name().to_owned()),
            pages: sum.containing,
            pages_percent: percent(sum.containing, self.pages),
            pages_any: sum.touched,
            bytes: sum.bytes,
            bytes_percent: percent(sum.bytes, all),
        };
        let mut rows: Vec<_> = self.languages.iter().map(row).collect();
        rows.sort_by_key(|row| (Reverse((row.pages, row.bytes)), row.code.clone()));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::CorpusPage;

    #[test]
    fn a_page_in_two_languages_counts_for_both_and_a_stray_word_for_neither() {
        let mut languages = Languages::default();
        for text in ["urd:98,eng:2", "urd:99,eng:1", "urd:10"] {
            let page =
                CorpusPage { languages: text.parse().expect("bytes"), ..CorpusPage::default() };
            languages.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        }
        let rows: Vec<_> = languages
            .finish()
            .into_iter()
            .map(|r| (r.code, r.pages, r.pages_any, r.bytes))
            .collect();
        assert_eq!(rows, [("urd".to_owned(), 3, 3, 207), ("eng".to_owned(), 1, 2, 3)]);
    }
}
