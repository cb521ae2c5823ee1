//! `/.well-known/tdmrep.json` of the TDM Reservation Protocol (W3C community group, December 2025).

use super::robots::{decoded, matches_decoded};
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use serde_json::value::RawValue;
use serde_json::Value;
use std::fmt;

/// Largest number of rules that are read.
const MAX_RULES: usize = 10_000;

/// Longest rule that is read, in bytes of JSON.
const MAX_RULE: usize = 4 << 10;

/// The rules of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TdmFile(Vec<Rule>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    /// With the characters decoded that need no code.
    location: String,
    reservation: bool,
    policy: Option<String>,
}

#[derive(Deserialize)]
struct RawRule {
    location: String,
    #[serde(rename = "tdm-reservation")]
    reservation: Value,
    #[serde(rename = "tdm-policy")]
    policy: Option<String>,
}

impl TdmFile {
    /// Reads a file. Rules without a location, with a reservation other than 0 and 1, or longer than
    /// 4 KiB are left out, and all behind the first 10,000; `None` if the file is no array of JSON.
    pub fn read(content: &[u8]) -> Option<Self> {
        let content = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(content);
        let mut json = serde_json::Deserializer::from_slice(content);
        let rules = json.deserialize_seq(Rules).ok()?;
        json.end().ok()?;
        Some(Self(rules))
    }

    /// Whether there is no rule.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reservation and policy of the first rule that matches a path.
    pub fn rule(&self, path: &str) -> Option<(bool, Option<&str>)> {
        let path = decoded(path);
        let rule = self.0.iter().find(|rule| matches_decoded(&rule.location, &path))?;
        Some((rule.reservation, rule.policy.as_deref()))
    }
}

/// Reads one rule after the other: all of them as values of JSON would take a hundred times as much
/// memory as the file.
struct Rules;

impl<'de> Visitor<'de> for Rules {
    type Value = Vec<Rule>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array of rules")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rules: A) -> Result<Vec<Rule>, A::Error> {
        let mut read = Vec::new();
        for _ in 0..MAX_RULES {
            let Some(rule) = rules.next_element::<&RawValue>()? else { return Ok(read) };
            read.extend(rule_of(rule.get()));
        }
        while rules.next_element::<IgnoredAny>()?.is_some() {}
        Ok(read)
    }
}

fn rule_of(json: &str) -> Option<Rule> {
    if json.len() > MAX_RULE {
        return None;
    }
    let RawRule { location, reservation, policy } = serde_json::from_str(json).ok()?;
    let reservation = match reservation.as_u64()? {
        0 => false,
        1 => true,
        _ => return None,
    };
    Some(Rule { location: decoded(&location), reservation, policy })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_bounded_by_number_and_length() {
        let rule = |location: &str| format!(r#"{{"location":"{location}","tdm-reservation":1}}"#);
        let long = rule(&format!("/{}", "x".repeat(MAX_RULE)));
        let mut rules = vec![long, rule("/%61")];
        rules.extend((0..MAX_RULES).map(|number| rule(&format!("/{number}"))));
        let file = TdmFile::read(format!("[{}]", rules.join(",")).as_bytes()).expect("rules");
        assert_eq!(file.0.len(), MAX_RULES - 1);
        assert_eq!((file.rule("/a"), file.rule("/xx")), (Some((true, None)), None));
        assert_eq!(TdmFile::read(b"[] []"), None);
    }

    #[test]
    fn the_examples_of_the_specification_are_read() {
        let all = TdmFile::read(br#"[{"location": "/", "tdm-reservation": 1}]"#).expect("rules");
        assert_eq!(all.rule("/any/page?x"), Some((true, None)));
        let some = TdmFile::read(
            br#"[{"location": "/directory-a/", "tdm-reservation": 1},
                 {"location": "/directory-b/html/", "tdm-reservation": 1, "tdm-policy": "https://provider.com/policies/policy.json"},
                 {"location": "/directory-b/images/*.jpg", "tdm-reservation": 0}]"#,
        )
        .expect("rules");
        for (path, expected) in [
            ("/directory-a/1.pdf", Some((true, None))),
            (
                "/directory-b/html/1",
                Some((true, Some("https://provider.com/policies/policy.json"))),
            ),
            ("/directory-b/images/1.jpg", Some((false, None))),
            ("/directory-b/images/1.png", None),
            ("/Directory-a/", None),
            ("/", None),
        ] {
            assert_eq!(some.rule(path), expected, "{path}");
        }
    }

    #[test]
    fn the_first_rule_that_matches_counts_and_invalid_rules_are_unset() {
        let file = TdmFile::read(br#"[{"location":"/a","tdm-reservation":2},{"location":"/a$","tdm-reservation":0},{"tdm-reservation":1},7,{"location":"/a","tdm-reservation":1}]"#);
        let file = file.expect("rules");
        assert_eq!(
            (file.rule("/a"), file.rule("/ab"), file.rule("/")),
            (Some((false, None)), Some((true, None)), None)
        );
        for bad in [&b"{\"location\":\"/\",\"tdm-reservation\":1}"[..], b"", b"<html>", b"\xff"] {
            assert_eq!(TdmFile::read(bad), None);
        }
    }
}
