//! SURT keys (sort-friendly URI reordering transform): URLs in a form that is the same for all URLs
//! of one page.
//!
//! `https://www.example.com:443/b/?y=2&x=1#top` becomes `com,example)/b?x=1&y=2`. The rules are
//! those of the Internet Archive's replay. `tests/surt.tsv` has URLs with the keys of PyPI's surt;
//! all agree.

use regex::bytes::Regex;
use std::sync::LazyLock;
use url::Host;

/// Returns the key of a URL; `-` for an empty one.
///
/// Removes the scheme, user and password, `www` with or without a number, the scheme's default
/// port, the fragment, session ids, surrounding spaces, and the path's trailing slash. Lowercases
/// letters, sorts parameters, decodes escapes repeatedly, and encodes the required ones again. For
/// schemes without a host, such as `urn:`, only case and escapes are normalized.
pub fn key(address: &str) -> String {
    let address: String =
        address.trim().chars().filter(|c| !matches!(c, '\t' | '\r' | '\n')).collect();
    let address = address.split('#').next().unwrap_or_default();
    if address.is_empty() {
        return "-".to_owned();
    }
    let (scheme, rest) = scheme(address);
    let slashes = rest.len() - rest.trim_start_matches('/').len();
    match scheme {
        Some(scheme) if !is_http(scheme) && slashes < 2 => {
            format!("{}:{}", scheme.to_ascii_lowercase(), made_alike(rest))
        }
        // An empty host, as in `file:///a`.
        Some(scheme) if !is_http(scheme) && slashes > 2 => {
            let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
            format!("{}:{}{}", scheme.to_ascii_lowercase(), path_key(path), query_key(query))
        }
        _ => {
            let mut rest = rest.trim_start_matches('/');
            let mut of_port = scheme;
            while let (Some(inner), after) = self::scheme(rest) {
                if !is_http(inner) {
                    break;
                }
                (of_port, rest) = (Some(inner), after.trim_start_matches('/'));
            }
            let authority_length = rest.find(['/', '?']).unwrap_or(rest.len());
            let (authority, rest) = rest.split_at(authority_length);
            let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
            format!("{}){}{}", authority_key(of_port, authority), path_key(path), query_key(query))
        }
    }
}

/// Returns a key in the form of older CDX indexes, which keep the order of the host's labels:
/// `example.com/b?x=1` for `com,example)/b?x=1`.
pub fn in_order(key: &str) -> String {
    let Some((authority, rest)) = key.split_once(')') else { return key.to_owned() };
    let (host, port) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
    let labels: Vec<&str> = host.split(',').rev().collect();
    format!("{}{port}{rest}", labels.join("."))
}

/// Splits a URL into its scheme, if any, and the part after the colon. A host with a port is not a
/// scheme.
fn scheme(address: &str) -> (Option<&str>, &str) {
    let Some((scheme, rest)) = address.split_once(':') else { return (None, address) };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-'));
    let port = rest.split(['/', '?']).next().unwrap_or_default();
    let is_port = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    if is_scheme && !is_port {
        (Some(scheme), rest)
    } else {
        (None, address)
    }
}

fn is_http(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// Returns the host with reversed labels, and the port.
fn authority_key(scheme: Option<&str>, authority: &str) -> String {
    let (_, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => {
            (host, port.trim_start_matches('0'))
        }
        _ => (host, ""),
    };
    let usual = match scheme.unwrap_or("http").to_ascii_lowercase().as_str() {
        "http" => "80",
        "https" => "443",
        _ => "",
    };
    let port = if port.is_empty() || port == usual { String::new() } else { format!(":{port}") };
    let host = host.split('.').filter(|label| !label.is_empty()).collect::<Vec<_>>().join(".");
    let labels = match Host::parse(&host) {
        Ok(Host::Ipv6(address)) => return format!("{address}{port}"),
        Ok(Host::Ipv4(address)) => address.to_string(),
        Ok(Host::Domain(name)) => without_www(&name).to_owned(),
        // Not a valid host for browsers.
        Err(_) => without_www(&made_alike(&host)).to_owned(),
    };
    let reversed: Vec<&str> = labels.split('.').rev().collect();
    format!("{}{port}", reversed.join(","))
}

/// Removes one leading `www.` or `www2.`.
fn without_www(host: &str) -> &str {
    let rest =
        host.strip_prefix("www").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    rest.and_then(|rest| rest.strip_prefix('.')).unwrap_or(host)
}

/// Returns the path with a leading slash and without a trailing one.
fn path_key(path: &str) -> String {
    static SESSION: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?s-u)^(.*/)\((?:[a-z]\([0-9a-z]{24}\)|[0-9a-z]{24})\)/([^?]+\.aspx.*)$")
    });
    let path = unescaped(path);
    let path = SESSION.replace(&path, b"$1$2".as_slice());
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.strip_prefix(b"/").unwrap_or(&path).split(|byte| *byte == b'/') {
        match part {
            b"." => {}
            // `..` at the root has no effect. It removes an empty segment like any other.
            b".." if parts.last().is_some_and(|above| *above != b"..") => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.retain(|part| !part.is_empty());
    format!("/{}", escaped(&parts.join(&b'/')))
}

/// Returns the query with its question mark, or an empty string if nothing is left. Parameters are
/// sorted by name and then as a whole; session ids are removed.
fn query_key(query: &str) -> String {
    static SESSIONS: LazyLock<[Regex; 5]> = LazyLock::new(|| {
        [
            "jsessionid=[0-9a-z]{32}",
            "phpsessid=[0-9a-z]{32}",
            "sid=[0-9a-z]{32}",
            "aspsessionid[a-z]{8}=[a-z]{24}",
            "cfid=[^&]+&cftoken=[^&]+",
        ]
        .map(|session| pattern(&format!("(?s-u)^(.*){session}(?:&(.*))?$")))
    });
    let query = SESSIONS.iter().fold(unescaped(query), |query, session| {
        session.replace(&query, b"$1$2".as_slice()).into_owned()
    });
    if query.is_empty() {
        return String::new();
    }
    let mut parameters: Vec<&[u8]> = query.split(|byte| *byte == b'&').collect();
    let name = |parameter: &'_ [u8]| {
        parameter.split(|byte| *byte == b'=').next().unwrap_or_default().to_vec()
    };
    parameters.sort_by_cached_key(|parameter| (name(parameter), parameter.to_vec()));
    format!("?{}", escaped(&parameters.join(&b'&')))
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of this file, which a test uses")
}

fn made_alike(text: &str) -> String {
    escaped(&unescaped(text))
}

/// Decodes escapes until none is left, and lowercases the text.
fn unescaped(text: &str) -> Vec<u8> {
    let mut undone: Vec<u8> = Vec::with_capacity(text.len());
    for byte in text.bytes() {
        undone.push(byte);
        // A decoded escape may end or begin another escape. One pass is enough, because no two
        // escapes share a byte.
        while let [.., b'%', high, low] = undone[..] {
            let Some(byte) = digit(high).zip(digit(low)).map(|(high, low)| high << 4 | low) else {
                break;
            };
            undone.truncate(undone.len() - 3);
            undone.push(byte);
        }
    }
    undone.make_ascii_lowercase();
    undone
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

/// Escapes spaces, control characters, non-ASCII bytes, `%` and `#`.
fn escaped(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            0..=b' ' | 0x7f.. | b'%' | b'#' => drop(write!(text, "%{byte:02x}")),
            _ => text.push(char::from(*byte)),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_are_those_that_surt_makes() {
        let examples =
            include_str!("../tests/surt.tsv").lines().filter_map(|line| line.split_once('\t'));
        let mut wrong = Vec::new();
        let mut count = 0;
        for (address, expected) in examples {
            let address: String = serde_json::from_str(address).expect("a string of JSON");
            count += 1;
            if key(&address) != expected {
                wrong.push(format!("{address}: {} and not {expected}", key(&address)));
            }
        }
        assert!(count >= 100 && wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn escapes_of_escapes_cost_no_more_than_their_length() {
        let address = format!("http://x.pk/%{}2f%2%35", "25".repeat(1 << 20));
        assert_eq!(key(&address), "pk,x)/%25");
    }

    proptest! {
        #[test]
        fn a_key_is_one_line_of_ascii_without_blanks(address in "\\PC{0,40}|(http://)?[a-z.%/?&=#:@\\[\\]\\r\\n\u{627}]{0,40}") {
            let key = key(&address);
            prop_assert!(!key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic()), "{key}");
        }

        #[test]
        fn case_order_and_escapes_make_no_difference(parts in prop::collection::vec("[a-z]{1,4}", 1..4), query in prop::collection::vec("[a-z]=[0-9]", 0..4)) {
            let path = parts.join("/");
            let mut turned = query.clone();
            turned.reverse();
            let escaped: String = path.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let plain = key(&format!("http://x.pk/{path}?{}", query.join("&")));
            prop_assert_eq!(&plain, &key(&format!("https://WWW.X.pk:443/{}/?{}", path.to_uppercase(), turned.join("&"))));
            prop_assert_eq!(plain, key(&format!("x.pk/{escaped}?{}", query.join("&"))));
        }
    }
}
