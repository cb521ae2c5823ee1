//! Pairs of pages that are the same in two languages, as a table.

mod marks;

use crate::context::Context;
use crate::io::console::counted;
use crate::io::records::{Fields, Line, Output, Records, LANGUAGES};
use anyhow::{bail, Result};
use clap::Args;
use langid::LangCode;
use marks::Marks;
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use url::Url;

/// Largest number of pages of a host that differ only by a language mark. More are no versions of
/// one page.
const MAX_GROUP: usize = 100;

/// Largest number of versions that a page may name; further ones are ignored. A site of n pages
/// that all name each other would make n² pairs in memory.
const MAX_ALTERNATES: usize = 256;

/// List pairs of pages that are the same in two languages, from corpora that `collect` made
#[derive(Args)]
pub struct Arguments {
    /// Corpora in two or more languages: JSON lines of `collect`, plain, gzip or zstd; or folders
    /// of them
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the table, tab-separated; .gz and .zst compress. - is standard output
    #[arg(long, default_value = "-", value_name = "FILE")]
    out: PathBuf,
}

/// A page of a corpus.
struct Page {
    url: String,
    language: LangCode,
    /// Keys of the pages that it names as versions in other languages.
    alternates: Vec<u64>,
}

/// The evidence that two pages are the same page in two languages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Evidence {
    /// The first names the second.
    first: bool,
    /// The second names the first.
    second: bool,
    /// Their URLs differ by a language mark.
    url: bool,
}

impl Evidence {
    fn text(self) -> String {
        let hreflang = match (self.first, self.second) {
            (true, true) => Some("hreflang-both"),
            (true, false) | (false, true) => Some("hreflang"),
            (false, false) => None,
        };
        let all: Vec<&str> = hreflang.into_iter().chain(self.url.then_some("url")).collect();
        all.join("+")
    }
}

/// Reads the corpora and writes the table. A page has the language of most of its main text,
/// whatever it or others declare. All URLs are in memory.
///
/// # Errors
/// Fails if an input cannot be read, all pages are in one language, or the table cannot be written.
pub fn run(asked: &Arguments, context: &Context) -> Result<bool> {
    let records = Records::new(&asked.corpora, &[(&asked.out, "--out")], context.max_bytes)?;
    let mut output = Output::new(&asked.out, "--out")?;
    let mut pages: Vec<Page> = Vec::new();
    let mut places: HashMap<u64, usize> = HashMap::new();
    let read = records.read(&mut |lines| {
        let found: Vec<Option<Page>> = lines.into_par_iter().map(page).collect();
        for page in found.into_iter().flatten() {
            places.entry(key(&page.url)).or_insert_with(|| {
                pages.push(page);
                pages.len() - 1
            });
        }
        Ok(Some(format!("{} read", counted(pages.len(), "page"))))
    })?;
    let languages: BTreeSet<LangCode> = pages.iter().map(|page| page.language).collect();
    if languages.len() < 2 {
        let all: Vec<String> = languages.iter().map(LangCode::to_string).collect();
        bail!(
            "the pages are in {}; pairs need corpora in two or more languages",
            if all.is_empty() { "no known language" } else { &all[0] }
        );
    }
    let pairs = pairs(&pages, &places, &Marks::new(&languages));
    let mut is_open = output.line(b"language\turl\tother_language\tother_url\tevidence")?;
    let mut counts: BTreeMap<(LangCode, LangCode), u64> = BTreeMap::new();
    for ((first, second), evidence) in &pairs {
        let (first, second) = (&pages[*first], &pages[*second]);
        *counts.entry((first.language, second.language)).or_default() += 1;
        let row = [
            first.language.as_str(),
            &first.url,
            second.language.as_str(),
            &second.url,
            &evidence.text(),
        ]
        .map(render::tsv::cell)
        .join("\t");
        is_open = is_open && output.line(row.as_bytes())?;
    }
    let whole = read.is_whole();
    let name = output.finish(whole)?;
    for ((first, second), count) in counts {
        eprintln!("corpulyzer: {first} and {second}: {}", counted(count, "pair"));
    }
    eprintln!(
        "corpulyzer: {} of {}: {name}",
        counted(pairs.len(), "pair"),
        counted(pages.len(), "page")
    );
    Ok(whole)
}

/// The fields of a record that are needed.
#[derive(Deserialize)]
struct Alternate {
    url: String,
}

/// The page of a record, if it belongs to the corpus and has a URL and bytes per language.
fn page((line, page): Line) -> Option<Page> {
    if page.text().is_empty() {
        return None;
    }
    let fields = Fields::of(&line).ok()?;
    let languages = LANGUAGES.iter().find_map(|name| fields.get(name))?;
    let languages: HashMap<String, u64> = serde_json::from_str(languages).ok()?;
    let known =
        languages.iter().filter_map(|(code, bytes)| Some((*bytes, code.parse::<LangCode>().ok()?)));
    // Of equal numbers, the first code.
    let language = known.max_by_key(|(bytes, code)| (*bytes, std::cmp::Reverse(*code)))?.1;
    let alternates =
        fields.get("alternates").and_then(|list| serde_json::from_str::<Vec<Alternate>>(list).ok());
    let alternates = alternates.unwrap_or_default();
    let alternates =
        alternates.iter().take(MAX_ALTERNATES).map(|alternate| key(&alternate.url)).collect();
    Some(Page { url: page.url.filter(|url| !url.is_empty())?, language, alternates })
}

/// A number for a URL without scheme and fragment.
fn key(url: &str) -> u64 {
    let parsed = Url::parse(url).map(|mut url| {
        url.set_fragment(None);
        url.to_string()
    });
    let url = parsed.as_deref().unwrap_or(url);
    figures::identity::of_run(url.split_once("://").map_or(url, |(_, rest)| rest).as_bytes())
}

/// The pairs, by the numbers of their pages. The page of the first language in alphabetical order
/// comes first.
fn pairs(
    pages: &[Page],
    places: &HashMap<u64, usize>,
    marks: &Marks,
) -> BTreeMap<(usize, usize), Evidence> {
    let mut pairs: BTreeMap<(usize, usize), Evidence> = BTreeMap::new();
    let mut add = |one: usize, other: usize, by_url: bool| {
        if pages[one].language == pages[other].language {
            return;
        }
        let is_first = pages[one].language < pages[other].language;
        let evidence = pairs.entry(if is_first { (one, other) } else { (other, one) }).or_default();
        evidence.url |= by_url;
        evidence.first |= !by_url && is_first;
        evidence.second |= !by_url && !is_first;
    };
    for (one, page) in pages.iter().enumerate() {
        for other in page.alternates.iter().filter_map(|key| places.get(key)) {
            add(one, *other, false);
        }
    }
    // Pages by their URL without language marks, and whether one of them has a mark.
    let mut groups: HashMap<u64, (Vec<usize>, bool)> = HashMap::new();
    for (number, page) in pages.iter().enumerate() {
        let (plain, has_mark) = marks.without(&page.url);
        let group = groups.entry(key(&plain)).or_default();
        group.0.push(number);
        group.1 |= has_mark;
    }
    for (group, _) in
        groups.into_values().filter(|(group, has_mark)| *has_mark && group.len() <= MAX_GROUP)
    {
        for (at, one) in group.iter().enumerate() {
            for other in &group[at + 1..] {
                add(*one, *other, true);
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(urls: &[(&str, &str, &[&str])]) -> Vec<String> {
        let pages: Vec<Page> = urls
            .iter()
            .map(|(language, url, alternates)| Page {
                url: (*url).to_owned(),
                language: language.parse().expect("a code"),
                alternates: alternates.iter().map(|url| key(url)).collect(),
            })
            .collect();
        let places = pages.iter().enumerate().map(|(at, page)| (key(&page.url), at)).collect();
        let languages = pages.iter().map(|page| page.language).collect();
        let pairs = pairs(&pages, &places, &Marks::new(&languages));
        pairs
            .iter()
            .map(|((one, other), evidence)| {
                format!("{} {} {}", pages[*one].url, pages[*other].url, evidence.text())
            })
            .collect()
    }

    #[test]
    fn pages_that_name_each_other_are_pairs() {
        let [ur, en, sd] = ["http://a.pk/1", "https://a.com/one", "http://a.pk/sindhi-page"];
        assert_eq!(
            shown(&[
                ("urd", ur, &["http://a.com/one#top", "http://gone.pk/"]),
                ("eng", en, &[ur]),
                ("snd", sd, &[ur])
            ]),
            [format!("{en} {ur} hreflang-both"), format!("{sd} {ur} hreflang")]
        );
    }

    #[test]
    fn pages_in_one_language_are_no_pair_whatever_they_declare() {
        let [one, other] = ["http://a.pk/ur/1", "http://a.pk/en/1"];
        assert!(shown(&[
            ("urd", one, &[other]),
            ("urd", other, &[one]),
            ("eng", "http://b.pk/", &[])
        ])
        .is_empty());
    }

    #[test]
    fn urls_that_differ_by_a_mark_alone_are_pairs() {
        let [ur, en, other] =
            ["http://a.pk/ur/news/1", "http://a.pk/en/news/1", "http://a.pk/en/news/2"];
        assert_eq!(
            shown(&[
                ("urd", ur, &[en]),
                ("eng", en, &[]),
                ("eng", other, &[]),
                ("eng", "http://b.pk/news/1", &[])
            ]),
            [format!("{en} {ur} hreflang+url")]
        );
    }
}
