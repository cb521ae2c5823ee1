//! URLs of pages as lists name them.

use std::net::Ipv4Addr;
use url::Url;

/// Parses a URL, and removes the final dot of its host: `a.pk.` and `a.pk` are one host.
pub fn parse(address: &str) -> Option<Url> {
    let mut url = Url::parse(address).ok()?;
    if let Some(host) = url.host_str().filter(|host| host.ends_with('.')) {
        let host = host.trim_end_matches('.').to_owned();
        // A host of dots alone stays.
        let _ = url.set_host(Some(&host));
    }
    Some(url)
}

/// Returns a host without `www.`. A name such as `www.pk` is a registered domain, and stays.
pub fn without_www(host: &str) -> &str {
    match host.strip_prefix("www.") {
        Some(rest) if rest.contains('.') => rest,
        _ => host,
    }
}

/// Returns the registered domain of a host, by the public suffix list. Addresses, and public
/// suffixes themselves, have none: they stand for themselves.
pub fn registered_domain(host: &str) -> &str {
    if host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok() {
        return host;
    }
    psl::domain_str(host).unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_one_website_have_one_name() {
        for (host, no_www, domain) in [
            ("www.bbc.com", "bbc.com", "bbc.com"),
            ("bbc.com", "bbc.com", "bbc.com"),
            ("urdu.news.com.pk", "urdu.news.com.pk", "news.com.pk"),
            ("www.urdu.gov.pk", "urdu.gov.pk", "urdu.gov.pk"),
            ("www.pk", "www.pk", "www.pk"),
            // A public suffix of a private company: each blog is a website.
            ("a.blogspot.com", "a.blogspot.com", "a.blogspot.com"),
            ("com.pk", "com.pk", "com.pk"),
            ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
            ("[::1]", "[::1]", "[::1]"),
            ("localhost", "localhost", "localhost"),
            ("", "", ""),
        ] {
            assert_eq!(without_www(host), no_www);
            assert_eq!(registered_domain(host), domain);
        }
    }
}
