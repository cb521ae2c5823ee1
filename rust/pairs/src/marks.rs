//! Language marks in URLs: `/ur/`, `ur.example.com`, `?lang=ur`, `page_ur.html`.

use langbytes::LangCode;
use std::collections::{BTreeSet, HashSet};
use url::Url;

/// The marks of languages: codes of two and three letters, and English names.
#[derive(Debug)]
pub struct Marks(HashSet<String>);

impl Marks {
    /// Makes the marks of these languages. Marks of other languages are not known: a code of two
    /// letters is often a word.
    pub fn new(languages: &BTreeSet<LangCode>) -> Self {
        let mut marks = HashSet::new();
        for language in languages {
            marks.extend(language.short().map(str::to_owned));
            marks.insert(language.as_str().to_owned());
            marks.insert(language.name().to_lowercase());
        }
        Self(marks)
    }

    /// Returns a URL without its language marks, and whether it has any.
    pub fn without(&self, address: &str) -> (String, bool) {
        let Ok(url) = Url::parse(address) else { return (address.to_owned(), false) };
        let mut has_mark = false;
        let host = url.host_str().unwrap_or_default();
        let host = match host.split_once('.') {
            // A host of two labels has no subdomain: `en.pk` is a name.
            Some((first, rest)) if rest.contains('.') && self.is_mark(first) => {
                has_mark = true;
                rest
            }
            Some(("www", rest)) => rest,
            _ => host,
        };
        let mut segments: Vec<String> = Vec::new();
        for segment in url.path().split('/') {
            if self.is_mark(segment) {
                has_mark = true;
            } else {
                let (plain, is_marked) = self.without_suffix(segment);
                has_mark |= is_marked;
                segments.push(plain);
            }
        }
        let mut query: Vec<String> = Vec::new();
        for part in url.query().unwrap_or_default().split('&').filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                Some((_, value)) if self.is_mark(value) => has_mark = true,
                _ => query.push(part.to_owned()),
            }
        }
        query.sort_unstable();
        let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
        let path = segments.join("/");
        // A folder of a language is its site's beginning.
        let path = path.trim_end_matches('/');
        (format!("http://{host}{port}{path}?{}", query.join("&")), has_mark)
    }

    /// Whether a text is a mark, also with a region: `ur`, `ur-PK`, `urdu`.
    fn is_mark(&self, text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let (primary, region) = lower.split_once(['-', '_']).unwrap_or((&lower, ""));
        self.0.contains(primary)
            && (region.is_empty()
                || region.len() == 2 && region.bytes().all(|b| b.is_ascii_alphabetic()))
    }

    /// The last part of a name without a mark before its ending: `page_ur.html`, `page-ur`,
    /// `page.ur.html`.
    fn without_suffix(&self, segment: &str) -> (String, bool) {
        let (stem, ending) = match segment.rsplit_once('.') {
            Some((stem, ending)) if !self.is_mark(ending) => (stem, Some(ending)),
            _ => (segment, None),
        };
        let Some((rest, mark)) = stem.rsplit_once(['_', '-', '.']) else {
            return (segment.to_owned(), false);
        };
        if rest.is_empty() || !self.0.contains(&mark.to_ascii_lowercase()) {
            return (segment.to_owned(), false);
        }
        (ending.map_or_else(|| rest.to_owned(), |ending| format!("{rest}.{ending}")), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_removed_wherever_they_are() {
        let languages = ["urd", "eng"].iter().map(|code| code.parse().expect("a code")).collect();
        let marks = Marks::new(&languages);
        let plain = |url: &str| marks.without(url);
        let expected = ("http://a.pk/news/1?".to_owned(), true);
        for url in [
            "http://a.pk/ur/news/1",
            "https://a.pk/news/1/en",
            "http://ur.a.pk/news/1",
            "http://www.a.pk/EN-us/news/1/",
            "http://a.pk/news/1?lang=ur",
            "http://a.pk/urdu/news/1",
            "http://a.pk/news/1_ur",
            "http://a.pk/eng/news/1#x",
        ] {
            assert_eq!(plain(url), expected, "{url}");
        }
        assert_eq!(plain("http://a.pk/x.ur.html").0, plain("http://a.pk/x-en.html").0);
        for url in [
            "http://a.pk/news/1",
            "http://en.pk/",
            "http://a.pk/de/1",
            "http://a.pk/?q=urban",
            "no url",
            "http://a.pk/_en",
        ] {
            assert!(!plain(url).1, "{url}");
        }
    }
}
