//! URLs of pages as lists name them.

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
