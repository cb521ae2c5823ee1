//! Classes of pages, as `quality annotate --classes` writes them: their pages, text and mean
//! probability, over the corpus and by site. Memory grows with the number of hosts and their
//! classes.

use crate::fixed::{percent, total};
use crate::page::PageView;
use crate::sites;
use crate::state::{decode, Accumulator, BadState};
use crate::varieties::LabelSum;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

/// Rows of a field in a table. Models have at most 64 classes; more are in records that another
/// program wrote.
const MAX_CLASSES: usize = 64;

/// Name of the row that has all further classes.
const OTHERS: &str = "(other classes)";

/// Sites in the table.
const TOP: usize = 100;

/// The class of a page by one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageClass {
    /// Name of the field.
    pub field: String,
    /// Name of the class.
    pub class: String,
    /// Its probability, in millionths.
    pub score: u32,
}

/// Sums by field and class.
type Fields = BTreeMap<String, BTreeMap<String, LabelSum>>;

fn add(fields: &mut Fields, field: &str, class: &str, more: LabelSum) {
    if !fields.contains_key(field) {
        fields.insert(field.to_owned(), BTreeMap::new());
    }
    if let Some(classes) = fields.get_mut(field) {
        match classes.get_mut(class) {
            Some(sum) => sum.merge(more),
            None => _ = classes.insert(class.to_owned(), more),
        }
    }
}

fn merge(fields: &mut Fields, more: &Fields) {
    for (field, classes) in more {
        classes.iter().for_each(|(class, sum)| add(fields, field, class, *sum));
    }
}

/// Memory of sums in bytes, with names of some 16 bytes.
fn size(fields: &Fields) -> usize {
    fields.values().map(|classes| 64 + classes.len() * (64 + size_of::<LabelSum>())).sum()
}

/// Classes by host.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classes(BTreeMap<String, Fields>);

impl Accumulator for Classes {
    const NAME: &'static str = "classes";
    const VERSION: u16 = 1;

    fn add(&mut self, view: &PageView) -> io::Result<()> {
        let page = view.page;
        if page.classes.is_empty() {
            return Ok(());
        }
        let fields = self.0.entry(page.host.clone()).or_default();
        for of in &page.classes {
            let sum = LabelSum { pages: 1, bytes: page.main_bytes, score: of.score.into() };
            add(fields, &of.field, &of.class, sum);
        }
        Ok(())
    }

    fn merge(&mut self, other: Self) -> io::Result<()> {
        for (host, more) in other.0 {
            merge(self.0.entry(host).or_default(), &more);
        }
        Ok(())
    }

    fn parts(self, give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        sites::parts::<Self, _>(self.0, size, give)
    }

    fn absorb(&mut self, part: &[u8]) -> Result<(), BadState> {
        Ok(self.merge(decode::<Self, Self>(part)?)?)
    }
}

/// A class in a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassRow {
    /// Field of the records that has the class.
    pub field: String,
    /// Name of the class.
    pub class: String,
    /// Pages of the class.
    pub pages: u64,
    /// Their share of the pages, of the corpus or the site, that have the field.
    pub pages_percent: Option<f64>,
    /// Bytes of their main text.
    pub bytes: u64,
    /// Mean probability of the class over these pages, from 0 to 1.
    pub mean_score: f64,
}

/// The classes of a site in a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteClasses {
    /// Host as in the URLs of its pages; empty if unknown.
    pub site: String,
    /// Its classes: by field, those of most pages first.
    pub classes: Vec<ClassRow>,
}

/// Figures of classes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassFigures {
    /// Of all pages: by field, those of most pages first.
    pub corpus: Vec<ClassRow>,
    /// Of the 100 sites with most pages that have a class.
    pub sites: Vec<SiteClasses>,
}

fn rows(fields: &Fields) -> Vec<ClassRow> {
    let mut rows = Vec::new();
    for (field, classes) in fields {
        let all = total(classes.values().map(|sum| sum.pages));
        let mut of: Vec<(&str, LabelSum)> =
            classes.iter().map(|(class, sum)| (class.as_str(), *sum)).collect();
        of.sort_by_key(|(class, sum)| (Reverse((sum.pages, sum.bytes)), *class));
        if of.len() > MAX_CLASSES {
            let mut others = LabelSum::default();
            of.drain(MAX_CLASSES..).for_each(|(_, sum)| others.merge(sum));
            of.push((OTHERS, others));
        }
        rows.extend(of.into_iter().map(|(class, sum)| ClassRow {
            field: field.clone(),
            class: class.to_owned(),
            pages: sum.pages,
            pages_percent: percent(sum.pages, all),
            bytes: sum.bytes,
            // Four decimals, so that the report is the same on every machine.
            mean_score: (sum.score as f64 / sum.pages as f64 / 1e6 * 1e4).round() / 1e4,
        }));
    }
    rows
}

impl Classes {
    /// Returns the figures; `None` if no page has a class.
    pub fn finish(&self) -> Option<ClassFigures> {
        let mut all = Fields::new();
        self.0.values().for_each(|fields| merge(&mut all, fields));
        let pages = |fields: &Fields| {
            fields.values().map(|of| total(of.values().map(|sum| sum.pages))).max().unwrap_or(0)
        };
        let mut hosts: Vec<_> = self.0.iter().collect();
        hosts.sort_by_key(|(host, fields)| (Reverse(pages(fields)), *host));
        let site = |(host, fields): &(&String, &Fields)| SiteClasses {
            site: (*host).clone(),
            classes: rows(fields),
        };
        (!all.is_empty()).then(|| ClassFigures {
            corpus: rows(&all),
            sites: hosts.iter().take(TOP).map(site).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::CorpusPage;

    fn classes(pages: &[(&str, &str, u32)]) -> Classes {
        let mut classes = Classes::default();
        for &(host, class, score) in pages {
            let of = PageClass { field: "topic".to_owned(), class: class.to_owned(), score };
            let page = CorpusPage {
                host: host.to_owned(),
                main_bytes: 10,
                classes: vec![of],
                ..CorpusPage::default()
            };
            classes.add(&PageView { page: &page, tokens: &[] }).expect("no file is written");
        }
        classes
    }

    fn shown(rows: &[ClassRow]) -> Vec<(&str, u64, f64)> {
        rows.iter().map(|row| (row.class.as_str(), row.pages, row.mean_score)).collect()
    }

    #[test]
    fn classes_of_sites_sum_to_those_of_the_corpus_after_a_merge_of_states() {
        let mut all = classes(&[("a.pk", "sport", 900_000), ("a.pk", "news", 600_000)]);
        classes(&[("b.pk", "sport", 500_000)])
            .parts(&mut |part| all.absorb(&part).map_err(io::Error::other))
            .expect("the state of the same version");
        let figures = all.finish().expect("pages with classes");
        assert_eq!(shown(&figures.corpus), [("sport", 2, 0.7), ("news", 1, 0.6)]);
        assert_eq!(figures.corpus[1].pages_percent.map(f64::round), Some(33.0));
        assert_eq!(figures.corpus[0].bytes, 20);
        let sites: Vec<_> =
            figures.sites.iter().map(|of| (of.site.as_str(), shown(&of.classes))).collect();
        let of_a = vec![("news", 1, 0.6), ("sport", 1, 0.9)];
        assert_eq!(sites, [("a.pk", of_a), ("b.pk", vec![("sport", 1, 0.5)])]);
    }

    #[test]
    fn a_corpus_without_classes_has_no_figures_of_them() {
        assert_eq!(Classes::default().finish(), None);
    }

    #[test]
    fn further_classes_are_one_row() {
        let names: Vec<String> = (0..=MAX_CLASSES).map(|n| format!("{n:03}")).collect();
        let pages: Vec<_> = names.iter().map(|name| ("a.pk", name.as_str(), 1)).collect();
        let figures = classes(&pages).finish().expect("pages with classes");
        assert_eq!(figures.corpus.len(), MAX_CLASSES + 1);
        assert_eq!(shown(&figures.corpus).last(), Some(&(OTHERS, 1, 0.0)));
    }
}
