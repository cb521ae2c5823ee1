//! Duplicates.

use crate::glossary::term;
use crate::html::ReportPage;
use crate::table::{Table, Value};
use crate::{CorpusReport, Report};

/// A kind of duplicate pages.
pub struct Kind {
    /// Name in the TSV file; none if only HTML has the row.
    name: Option<&'static str>,
    /// Name in HTML.
    label: String,
    pages: Option<u64>,
    /// Share of pages with text.
    share: Value,
}

/// All kinds, and the pages with text, which they are shares of.
fn kinds(corpus: &CorpusReport) -> Vec<Kind> {
    let d = &corpus.figures.duplicates;
    let kind =
        |name, label, pages, percent| Kind { name, label, pages, share: Value::share(percent) };
    let whole = (d.pages > 0).then_some(100.0);
    vec![
        Kind {
            name: Some("pages with text"),
            label: "Pages with text".to_owned(),
            pages: Some(d.pages),
            share: Value::share(whole).in_html_only(),
        },
        kind(
            Some("exact (MD5 of main text)"),
            term("exact", "Exact, by main text"),
            Some(d.exact),
            d.exact_percent,
        ),
        kind(
            Some("exact (MD5 of the bytes as fetched)"),
            term("exact", "Exact, by the bytes as fetched"),
            d.exact_bytes,
            None,
        ),
        kind(
            Some("near (TextProfileSignature)"),
            term("near", "Near, by Nutch\u{2019}s profile"),
            d.near_nutch,
            d.near_nutch_percent,
        ),
        kind(
            Some("near (profile, ties sorted)"),
            term("near", "Near, by sorted profile"),
            d.near_sorted,
            d.near_sorted_percent,
        ),
        kind(
            Some("near (MinHash)"),
            term("minhash", "Near, by MinHash"),
            d.near_minhash,
            d.near_minhash_percent,
        ),
        kind(None, term("exact", "Copies of the most frequent text"), Some(d.most_copies), None),
    ]
}

/// The table of the kinds that the TSV file has.
pub fn table(report: &Report) -> Table<'_, Kind> {
    columns(Table::of(report, |corpus| {
        kinds(corpus).into_iter().filter(|kind| kind.name.is_some())
    }))
}

fn columns(table: Table<'_, Kind>) -> Table<'_, Kind> {
    table
        .column("kind", "Kind", |kind| {
            Value::html(kind.name.unwrap_or_default(), kind.label.clone())
        })
        .column("pages", "Pages", |kind| Value::maybe(kind.pages))
        .column("pages %", "of pages with text", |kind| kind.share.clone())
}

impl ReportPage<'_> {
    /// Writes the section.
    pub fn duplicates(&mut self) {
        self.section("duplicates", "Duplicates");
        self.html += &columns(Table::of(self.report, kinds)).html("Duplicates");
    }
}
