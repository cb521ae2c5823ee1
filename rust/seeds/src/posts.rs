//! Seeds from posts: the URLs in texts of a language, such as those of a social network.

use crate::Choice;
use langbytes::{Identify, LangCode};
use langid::language_of;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Signs that end a sentence around a URL rather than the URL.
const AFTER: &[char] = &[
    '.', ',', ';', ':', '!', '?', '\'', '"', '»', '”', '’', '…', '،', '؛', '؟', '۔', '।', '。',
    '，', '、', '」', '）', '>', '*', '_',
];

impl Choice {
    /// Offers the URLs in a post, if it is in the language: a line of text or JSON. A post is in the
    /// language of its longest string without URLs. The host with most URLs comes first.
    pub fn add_post(&mut self, line: &str, language: LangCode, identifier: &dyn Identify) {
        self.counts.pages += 1;
        let strings = strings(line);
        let texts: Vec<String> = strings.iter().map(|text| split(text).0).collect();
        let text = texts.iter().max_by_key(|text| text.chars().count());
        let text = text.map(String::as_str).unwrap_or_default();
        if language_of(text.as_bytes(), identifier, None) == language {
            self.counts.rich += 1;
            for url in strings.iter().flat_map(|text| split(text).1) {
                self.offer(url, 1, 1);
            }
        }
    }
}

/// The strings of a post. A line that is no JSON is one string.
pub fn strings(line: &str) -> Vec<String> {
    if line.starts_with('{') {
        let mut found = Vec::new();
        let mut json = serde_json::Deserializer::from_str(line);
        if Strings(&mut found).deserialize(&mut json).is_ok() && json.end().is_ok() {
            return found;
        }
    }
    vec![line.to_owned()]
}

/// Splits a text into the parts around its URLs, and the URLs. They end at brackets and bars too,
/// as in wikitext.
pub fn split(text: &str) -> (String, Vec<&str>) {
    let (mut around, mut urls, mut rest) = (String::new(), Vec::new(), text);
    while let Some(start) = begin(rest) {
        let (before, url) = rest.split_at(start);
        around.push_str(before);
        around.push(' ');
        let ends = |c: char| {
            c.is_whitespace()
                || c.is_control()
                || matches!(c, '<' | '"' | '|' | '[' | ']' | '{' | '}')
        };
        let end = url.find(ends).unwrap_or(url.len());
        let mut whole = url[..end].trim_end_matches(AFTER);
        // A URL in brackets; Wikipedia's may end with one of their own.
        while whole.ends_with(')') && whole.matches(')').count() > whole.matches('(').count() {
            whole = whole[..whole.len() - 1].trim_end_matches(AFTER);
        }
        urls.push(whole);
        rest = &url[end..];
    }
    around.push_str(rest);
    (around, urls)
}

/// The place of the next `http://` or `https://`.
fn begin(text: &str) -> Option<usize> {
    text.match_indices("://").find_map(|(end, _)| {
        let is_before = |scheme: &&str| {
            let before = end.checked_sub(scheme.len()).and_then(|start| text.get(start..end));
            before.is_some_and(|before| before.eq_ignore_ascii_case(scheme))
        };
        ["https", "http"].iter().find(|scheme| is_before(scheme)).map(|scheme| end - scheme.len())
    })
}

/// Collects all strings of a JSON value, and nothing else: the values of a line could take hundreds
/// of times its bytes.
struct Strings<'a>(&'a mut Vec<String>);

impl<'de> DeserializeSeed<'de> for Strings<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strings<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.push(text.to_owned());
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        while values.next_element_seed(Strings(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while fields.next_key::<IgnoredAny>()?.is_some() {
            fields.next_value_seed(Strings(&mut *self.0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_end_where_the_sentence_around_them_does() {
        let (around, urls) = split(
            "دیکھیں https://a.pk/خبر، اور (HTTP://b.pk/x_(y)). <http://c.pk/>\"http://d.pk/?q=1,2\" http h",
        );
        assert_eq!(
            urls,
            ["https://a.pk/خبر", "HTTP://b.pk/x_(y)", "http://c.pk/", "http://d.pk/?q=1,2"]
        );
        assert!(around.contains("اور") && !around.contains("pk"), "{around}");
        assert_eq!(split("http://").1, ["http://"]);
        assert_eq!(split("").1, [""; 0]);
    }

    #[test]
    fn the_strings_of_json_are_those_of_all_levels() {
        let line = r#"{"id":1,"text":"a http://t.co/1","more":{"urls":[{"u":"http://a.pk/"},null,2.5,true]}}"#;
        assert_eq!(strings(line), ["a http://t.co/1", "http://a.pk/"]);
        assert_eq!(strings("{not json"), ["{not json"]);
        assert_eq!(strings("text"), ["text"]);
    }
}
