//! The id and the host of a page, as the crawl writes them.
//!
//! Both are Java's reading of a URL (`java.net.URL`), which changes nothing but the case of the
//! scheme: the WHATWG reading would write some URLs in another form.

/// The parts of a URL that its id has.
struct Parts<'a> {
    scheme: &'a str,
    host: &'a str,
    port: &'a str,
    /// Path and query.
    file: &'a str,
}

/// Splits an absolute URL with an authority; `None` for any other.
fn parts(url: &str) -> Option<Parts<'_>> {
    let (scheme, rest) = url.trim().split_once("://")?;
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, file) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let address = authority.rsplit('@').next().unwrap_or_default();
    // The colons of an IPv6 address are within brackets.
    let end = address.rfind(']').map_or(0, |bracket| bracket + 1);
    let (host, port) = match address[end..].split_once(':') {
        Some((name, port)) => (&address[..end + name.len()], port),
        None => (address, ""),
    };
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    (!host.is_empty() && is_number).then_some(Parts { scheme, host, port, file })
}

/// Returns the reversed URL, such as `com.example.www:http:8080/path`, which is the id of a page;
/// the URL itself if it has no host.
pub fn id(url: &str) -> String {
    let Some(Parts { scheme, host, port, file }) = parts(url) else { return url.to_owned() };
    let labels: Vec<&str> = host.trim_end_matches('.').split('.').rev().collect();
    let colon = if port.is_empty() { "" } else { ":" };
    let slash = if file.starts_with('/') { "" } else { "/" };
    format!("{}:{}{colon}{port}{slash}{file}", labels.join("."), scheme.to_ascii_lowercase())
}

/// Returns the host in lower case, without a port; empty if there is none.
pub fn host(url: &str) -> String {
    parts(url).map(|parts| parts.host.to_lowercase()).unwrap_or_default()
}

/// Returns whether a refresh leads to the page itself: scheme, host, port, path and query are the
/// same.
pub fn is_same_page(target: &str, page: &str) -> bool {
    let (Some(target), Some(page)) = (parts(target), parts(page)) else { return true };
    target.scheme.eq_ignore_ascii_case(page.scheme)
        && target.host.eq_ignore_ascii_case(page.host)
        && port(&target) == port(&page)
        && file(&target) == file(&page)
}

fn port<'a>(parts: &Parts<'a>) -> &'a str {
    match (parts.port, parts.scheme.to_ascii_lowercase().as_str()) {
        ("", "http") => "80",
        ("", "https") => "443",
        (port, _) => port,
    }
}

fn file<'a>(parts: &Parts<'a>) -> &'a str {
    if parts.file.is_empty() {
        "/"
    } else {
        parts.file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_reversed_url() {
        for (url, expected) in [
            ("http://www.example.com/a/b?c=d#e", "com.example.www:http/a/b?c=d"),
            ("HTTPS://Example.com:8443", "com.Example:https:8443/"),
            ("http://example.com?q", "com.example:http/?q"),
            ("http://u:p@a.pk/x@y", "pk.a:http/x@y"),
            ("http://[::1]:80/x", "[::1]:http:80/x"),
            ("mailto:a@b", "mailto:a@b"),
            ("", ""),
        ] {
            assert_eq!(id(url), expected);
        }
        assert_eq!(host("http://WWW.Example.com:80/"), "www.example.com");
        assert_eq!(host("no url"), "");
    }

    #[test]
    fn a_page_that_reloads_itself_is_the_same_page() {
        assert!(is_same_page("http://A.pk:80/#x", "http://a.pk"));
        assert!(!is_same_page("https://a.pk/", "http://a.pk/"));
        assert!(!is_same_page("http://a.pk/?x", "http://a.pk/"));
        assert!(is_same_page("not a url", "http://a.pk/"), "it leads nowhere");
    }
}
