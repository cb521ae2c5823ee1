//! The address with which the relative links of a page are resolved.

use crate::source::SourceTag;
use crate::tags::Tag;
use url::Url;

/// Longest address of a `<base>`, in bytes. Longer ones are ignored.
const MAX_URL: usize = 2048;

/// What is read of a page for output with its structure, beside [`crate::flow`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Structure {
    /// The page's URL, or that of its first `<base>`.
    pub(crate) base: Option<Url>,
    has_base: bool,
}

impl Structure {
    /// `url`: that of the page.
    pub(crate) fn new(url: Option<&str>) -> Self {
        Structure { base: url.and_then(web), has_base: false }
    }

    /// Handles a start tag.
    pub(crate) fn start_tag(&mut self, source: &SourceTag<'_>, tag: Tag) {
        if tag != Tag::Base {
            return;
        }
        let href = source.attribute("href").filter(|href| href.len() <= MAX_URL);
        let Some(href) = href else { return };
        if !std::mem::replace(&mut self.has_base, true) {
            self.base = match &self.base {
                Some(page) => page.join(&href).ok().filter(is_web),
                None => web(&href),
            };
        }
    }
}

/// Returns true if a URL is http or https.
pub(crate) fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// An absolute URL that is http or https.
pub(crate) fn web(url: &str) -> Option<Url> {
    Url::parse(url).ok().filter(is_web)
}
