//! Content-Usage and Content-Signal in `robots.txt`.

use super::headers::{merge, signal, usage};
use super::Preference;

/// Bytes of a file that are read: at least 500 KiB (RFC 9309, section 2.5).
const MAX_BYTES: usize = 512 << 10;

/// Largest number of rules.
const MAX_RULES: usize = 10_000;

/// The rules on usage of a `robots.txt`, of the group for all crawlers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RobotsFile {
    usage: Vec<Rule>,
    signals: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    /// With the characters decoded that need no code: once here, not for every page. Empty for all
    /// paths.
    path: String,
    /// Bytes of the path as written. The longest that matches counts.
    length: usize,
    statement: String,
}

impl RobotsFile {
    /// Reads a file. Groups for named crawlers are left out: an archive was made by someone else's
    /// crawler, so only rules for all are known to apply.
    pub fn read(content: &[u8]) -> Self {
        let content = &content[..content.len().min(MAX_BYTES)];
        let text = String::from_utf8_lossy(content);
        let mut file = Self::default();
        // A statement before the first group is for all.
        let (mut is_for_all, mut in_agents) = (true, false);
        for line in text.split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((label, value)) = line.trim_start_matches('\u{feff}').split_once(':') else {
                continue;
            };
            let value = value.trim();
            match label.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    is_for_all = value == "*" || in_agents && is_for_all;
                    in_agents = true;
                    continue;
                }
                "content-usage" if is_for_all && file.usage.len() < MAX_RULES => {
                    file.usage.push(split(value))
                }
                "content-signal" if is_for_all && file.signals.len() < MAX_RULES => {
                    file.signals.push(split(value))
                }
                "" => continue,
                _ => {}
            }
            in_agents = false;
        }
        file
    }

    /// Whether there is no rule on usage.
    pub fn is_empty(&self) -> bool {
        self.usage.is_empty() && self.signals.is_empty()
    }

    /// The preferences of Content-Usage for a path.
    pub fn content_usage(&self, path: &str) -> Vec<Preference> {
        longest(&self.usage, path, usage)
    }

    /// The preferences of Content-Signal for a path.
    pub fn content_signal(&self, path: &str) -> Vec<Preference> {
        longest(&self.signals, path, signal)
    }
}

fn split(value: &str) -> Rule {
    let (path, statement) = if value.starts_with('/') {
        value.split_once([' ', '\t']).unwrap_or((value, ""))
    } else {
        ("", value)
    };
    Rule { path: decoded(path), length: path.len(), statement: statement.trim().to_owned() }
}

/// The preferences of the rules with the longest path that matches. Of several with one path, that
/// which disallows counts.
fn longest(
    rules: &[Rule],
    path: &str,
    read: fn(&str, &'static str) -> Vec<Preference>,
) -> Vec<Preference> {
    let path = decoded(path);
    let mut of_path: Vec<&Rule> = rules
        .iter()
        .filter(|rule| rule.path.is_empty() || matches_decoded(&rule.path, &path))
        .collect();
    let longest = of_path.iter().map(|rule| rule.length).max();
    of_path.retain(|rule| Some(rule.length) == longest);
    let mut found = Vec::new();
    for rule in of_path {
        merge(&mut found, read(&rule.statement, "robots.txt"));
    }
    found
}

/// Whether a pattern matches the beginning of a path (RFC 9309, section 2.2.2): `*` is any text,
/// `$` at the end is the end of the path. Both are [`decoded`], so that percent-encoded characters
/// of the unreserved set are equal to themselves.
pub(super) fn matches_decoded(pattern: &str, path: &str) -> bool {
    let (pattern, to_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return !to_end || rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if to_end && parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

/// A path with the percent-encoded characters of the unreserved set of RFC 3986 decoded.
pub(super) fn decoded(path: &str) -> String {
    let mut decoded = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        decoded.push_str(&rest[..at]);
        let code = rest
            .get(at + 1..at + 3)
            .and_then(|code| u8::from_str_radix(code, 16).ok())
            .map(char::from);
        match code.filter(|c| c.is_ascii_alphanumeric() || "-._~".contains(*c)) {
            Some(c) => {
                decoded.push(c);
                rest = &rest[at + 3..];
            }
            None => {
                decoded.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::*;

    #[test]
    fn the_example_of_the_draft_on_attachment_is_read() {
        let file = RobotsFile::read(
            b"User-Agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: train-ai=n\nContent-Usage: /ai-ok/ train-ai=y\n\n\
              User-Agent: ExampleBot\nAllow: /\nContent-Usage: train-ai=y\n",
        );
        assert_eq!(shown(file.content_usage("/test")), "train-ai=n");
        assert_eq!(shown(file.content_usage("/ai-ok/test")), "train-ai=y");
    }

    #[test]
    fn of_rules_with_one_path_that_which_disallows_counts() {
        let file = RobotsFile::read(
            b"\xef\xbb\xbfuser-agent : a\r\nUSER-AGENT:*\r\n content-usage :\t/x train-ai=y # why\rContent-Usage: /x train-ai=n\nContent-Signal: search=yes, ai-train=no\n",
        );
        assert_eq!(shown(file.content_usage("/x1")), "train-ai=n");
        assert_eq!(shown(file.content_usage("/y")), "");
        assert_eq!(shown(file.content_signal("/y")), "search=y ai-train=n");
        assert!(RobotsFile::read(b"User-agent: b\nContent-Usage: train-ai=n\n").is_empty());
        assert!(RobotsFile::read(b"<html>\xff\0").is_empty());
    }

    #[test]
    fn patterns_match_as_in_robots_txt() {
        for (pattern, path, expected) in [
            ("/", "/a", true),
            ("/a", "/ab", true),
            ("/a$", "/a", true),
            ("/a$", "/ab", false),
            ("/*.jpg", "/a/b.jpg?x", true),
            ("/*.jpg$", "/a/b.jpg?x", false),
            ("/a*b*c$", "/a-b-c", true),
            ("/a*b*c", "/a-c-b", false),
            ("/%7Ea", "/~a", true),
            ("/path/foo-%24", "/path/foo-%24", true),
            ("/\u{6cc}%", "/\u{6cc}%25", true),
            ("a", "/a", false),
        ] {
            assert_eq!(
                matches_decoded(&decoded(pattern), &decoded(path)),
                expected,
                "{pattern} {path}"
            );
        }
    }
}
