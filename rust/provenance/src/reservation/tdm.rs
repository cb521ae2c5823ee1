//! `/.well-known/tdmrep.json` of the TDM Reservation Protocol (W3C community group, December 2025).

use super::robots::matches;
use serde::Deserialize;
use serde_json::Value;

/// Largest number of rules that are read.
const MAX_RULES: usize = 10_000;

/// The rules of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TdmFile(Vec<Rule>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
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
    /// Reads a file. Rules without a location, or with a reservation other than 0 and 1, are left
    /// out; `None` if the file is no array of JSON.
    pub fn read(content: &[u8]) -> Option<Self> {
        let content = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(content);
        let rules: Vec<Value> = serde_json::from_slice(content).ok()?;
        let rules = rules.into_iter().take(MAX_RULES).filter_map(|rule| {
            let RawRule { location, reservation, policy } = serde_json::from_value(rule).ok()?;
            let reservation = match reservation.as_u64()? {
                0 => false,
                1 => true,
                _ => return None,
            };
            Some(Rule { location, reservation, policy })
        });
        Some(Self(rules.collect()))
    }

    /// Whether there is no rule.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reservation and policy of the first rule that matches a path.
    pub fn rule(&self, path: &str) -> Option<(bool, Option<&str>)> {
        let rule = self.0.iter().find(|rule| matches(&rule.location, path))?;
        Some((rule.reservation, rule.policy.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
