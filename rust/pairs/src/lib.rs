//! Finds pairs of pages that are the same in two languages: pages that name each other as versions,
//! and pages whose URLs differ by a language mark.
#![forbid(unsafe_code)]

pub mod align;
mod marks;

use inputs::corpus::{Fields, Line, LANGUAGES};
use langbytes::LangCode;
use marks::Marks;
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use url::Url;

/// Largest number of pages of a host that differ only by a language mark. More are no versions of
/// one page.
const MAX_GROUP: usize = 100;

/// Largest number of versions that a page may name; further ones are ignored. A site of n pages
/// that all name each other would make n² pairs in memory.
const MAX_ALTERNATES: usize = 256;

/// A page of a corpus.
#[derive(Debug)]
pub struct LinkedPage {
    /// URL of the page.
    pub url: String,
    /// The language of most of its main text, whatever it or others declare.
    pub language: LangCode,
    /// Keys of the pages that it names as versions in other languages.
    alternates: Vec<u64>,
}

/// The evidence that two pages are the same page in two languages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The first names the second.
    pub first: bool,
    /// The second names the first.
    pub second: bool,
    /// Their URLs differ by a language mark.
    pub url: bool,
}

impl Evidence {
    /// Returns the kinds of evidence, joined by `+`: `hreflang-both` or `hreflang`, and `url`.
    pub fn text(self) -> String {
        let hreflang = match (self.first, self.second) {
            (true, true) => Some("hreflang-both"),
            (true, false) | (false, true) => Some("hreflang"),
            (false, false) => None,
        };
        let all: Vec<&str> = hreflang.into_iter().chain(self.url.then_some("url")).collect();
        all.join("+")
    }
}

/// The pages of corpora. All URLs are in memory.
#[derive(Debug, Default)]
pub struct Pages {
    /// The pages, each URL once, in the order of the corpora.
    pub pages: Vec<LinkedPage>,
    places: HashMap<u64, usize>,
}

impl Pages {
    /// Adds the pages of records that belong to the corpus and have a URL and bytes per language.
    pub fn add(&mut self, lines: Vec<Line>) {
        let found: Vec<Option<LinkedPage>> = lines.into_par_iter().map(page).collect();
        for page in found.into_iter().flatten() {
            self.places.entry(key(&page.url)).or_insert_with(|| {
                self.pages.push(page);
                self.pages.len() - 1
            });
        }
    }

    /// Returns the number of the page with a URL.
    pub fn number(&self, url: &str) -> Option<usize> {
        self.places.get(&key(url)).copied()
    }

    /// Returns the languages of the pages.
    pub fn languages(&self) -> BTreeSet<LangCode> {
        self.pages.iter().map(|page| page.language).collect()
    }

    /// Returns the pairs, by the numbers of their pages. The page of the first language in
    /// alphabetical order comes first.
    pub fn pairs(&self) -> BTreeMap<(usize, usize), Evidence> {
        pairs(&self.pages, &self.places, &Marks::new(&self.languages()))
    }
}

/// A version of a page in another language, as a record has it.
#[derive(Deserialize)]
struct Alternate {
    url: String,
}

/// The page of a record, if it belongs to the corpus and has a URL and bytes per language.
fn page((line, page): Line) -> Option<LinkedPage> {
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
    Some(LinkedPage { url: page.url.filter(|url| !url.is_empty())?, language, alternates })
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
    pages: &[LinkedPage],
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
        let pages: Vec<LinkedPage> = urls
            .iter()
            .map(|(language, url, alternates)| LinkedPage {
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
