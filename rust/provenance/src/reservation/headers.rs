//! Values of the fields Content-Usage and Content-Signal.

use super::Preference;

/// Categories of Content-Usage (draft-ietf-aipref-vocab, 2026-08). Other labels are ignored.
const USAGE: [&str; 2] = ["train-ai", "search"];

/// Categories of Content-Signal (contentsignals.org).
const SIGNALS: [&str; 3] = ["search", "ai-input", "ai-train"];

/// Preferences of a dictionary of structured fields (RFC 9651, section 3.2): `train-ai=n,
/// search=y`. Of several members with one key the last counts. Only the tokens `y` and `n` are
/// preferences. If it cannot be parsed, there are none.
pub(super) fn usage(value: &str, source: &'static str) -> Vec<Preference> {
    let Some(members) = members(value) else { return Vec::new() };
    let preferences = USAGE.iter().filter_map(|category| {
        let (_, value) = members.iter().rev().find(|(key, _)| key == category)?;
        Some(Preference {
            category: (*category).to_owned(),
            allowed: allowed(value, "y", "n")?,
            source,
        })
    });
    preferences.collect()
}

/// Preferences of a list `search=yes, ai-train=no`.
pub(super) fn signal(value: &str, source: &'static str) -> Vec<Preference> {
    let mut found = Vec::new();
    for (key, value) in value.split(',').filter_map(|member| member.split_once('=')) {
        let key = key.trim().to_ascii_lowercase();
        let value = value.trim().to_ascii_lowercase();
        if let (true, Some(allowed)) =
            (SIGNALS.contains(&key.as_str()), allowed(&value, "yes", "no"))
        {
            merge(&mut found, vec![Preference { category: key, allowed, source }]);
        }
    }
    found
}

fn allowed(value: &str, yes: &str, no: &str) -> Option<bool> {
    match value {
        value if value == yes => Some(true),
        value if value == no => Some(false),
        _ => None,
    }
}

/// Adds the preferences of another statement: of several, that which disallows counts.
pub(super) fn merge(known: &mut Vec<Preference>, more: Vec<Preference>) {
    for preference in more {
        match known.iter_mut().find(|known| known.category == preference.category) {
            Some(known) if known.allowed && !preference.allowed => *known = preference,
            Some(_) => {}
            None => known.push(preference),
        }
    }
}

/// The members of a dictionary: keys and values as written, without parameters. `None` if it cannot
/// be parsed.
fn members(value: &str) -> Option<Vec<(&str, &str)>> {
    let mut members = Vec::new();
    let mut rest = value.trim_matches(' ');
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.*".contains(c)))
            .unwrap_or(rest.len());
        let key = &rest[..end];
        if !key.starts_with(|c: char| c.is_ascii_lowercase() || c == '*') {
            return None;
        }
        rest = &rest[end..];
        let mut value = "?1";
        if let Some(behind) = rest.strip_prefix('=') {
            let end = item(behind)?;
            (value, rest) = behind.split_at(end);
        }
        // Parameters.
        while let Some(behind) = rest.strip_prefix(';') {
            let behind = behind.trim_start_matches(' ');
            let end = behind
                .find(|c: char| {
                    !(c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.*".contains(c))
                })
                .unwrap_or(behind.len());
            if end == 0 {
                return if behind.is_empty() {
                    Some(members_with(members, key, value))
                } else {
                    None
                };
            }
            rest = &behind[end..];
            if let Some(behind) = rest.strip_prefix('=') {
                rest = &behind[item(behind)?..];
            }
        }
        members.push((key, value));
        rest = rest.trim_start_matches([' ', '\t']);
        if rest.is_empty() {
            break;
        }
        rest = rest.strip_prefix(',')?.trim_start_matches([' ', '\t']);
        if rest.is_empty() {
            return None;
        }
    }
    Some(members)
}

fn members_with<'a>(
    mut members: Vec<(&'a str, &'a str)>,
    key: &'a str,
    value: &'a str,
) -> Vec<(&'a str, &'a str)> {
    members.push((key, value));
    members
}

/// Length of an item: a string, an inner list, or a run of other characters.
fn item(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'"' => {
            let mut at = 1;
            loop {
                match bytes.get(at)? {
                    b'"' => return Some(at + 1),
                    b'\\' => at += 2,
                    _ => at += 1,
                }
            }
        }
        b'(' => text.find(')').map(|end| end + 1),
        _ => {
            let end = text.find([',', ';', ' ', '\t']).unwrap_or(text.len());
            (end > 0).then_some(end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::*;

    #[test]
    fn the_examples_of_the_draft_on_content_usage_are_read() {
        for (value, expected) in [
            ("train-ai=n", "train-ai=n"),
            ("train-ai=y, search=n", "train-ai=y search=n"),
            ("train-ai=y, train-ai, search=n, search=\"n\"", ""),
            ("train-ai;allow=n, train-ai=y", "train-ai=y"),
            ("train-ai;has;parameters=\"?\";", ""),
            ("Train-AI=n", ""),
            ("train-ai=N", ""),
            ("train-ai=n, x-new=(a b);c=1, search=y;d", "train-ai=n search=y"),
            ("train-ai=n,", ""),
            ("train-ai = n", ""),
            ("", ""),
        ] {
            assert_eq!(shown(usage(value, "header")), expected, "{value}");
        }
    }

    #[test]
    fn signals_are_yes_or_no_and_no_counts_more() {
        for (value, expected) in [
            ("search=yes, ai-train=no", "search=y ai-train=n"),
            ("Search = YES,ai-input=no", "search=y ai-input=n"),
            ("ai-train=yes, ai-train=no", "ai-train=n"),
            ("ai-train=maybe, x=no", ""),
        ] {
            assert_eq!(shown(signal(value, "robots.txt")), expected, "{value}");
        }
    }
}
