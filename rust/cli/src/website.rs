//! The rule for websites: the option `--site`.

use clap::ValueEnum;
use std::net::Ipv4Addr;

/// Which hosts are one website.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Website {
    /// Every host is one.
    #[default]
    Host,
    /// A host with `www.` is the same as without.
    NoWww,
    /// All hosts of a registered domain, by the public suffix list.
    Domain,
}

impl Website {
    /// The name of the option's value.
    pub fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::NoWww => "no-www",
            Self::Domain => "domain",
        }
    }

    /// Returns the function that gives the website of a host.
    pub fn of(self) -> fn(&str) -> &str {
        match self {
            Self::Host => |host| host,
            Self::NoWww => without_www,
            Self::Domain => registered_domain,
        }
    }
}

/// A name such as `www.pk` is a registered domain.
fn without_www(host: &str) -> &str {
    match host.strip_prefix("www.") {
        Some(rest) if rest.contains('.') => rest,
        _ => host,
    }
}

/// Addresses, and public suffixes themselves, have no registered domain: they stand for themselves.
fn registered_domain(host: &str) -> &str {
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
            assert_eq!(Website::Host.of()(host), host);
            assert_eq!(Website::NoWww.of()(host), no_www);
            assert_eq!(Website::Domain.of()(host), domain);
        }
    }
}
