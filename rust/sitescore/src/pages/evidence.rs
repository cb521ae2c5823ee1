//! Evidence of the links to a page, before it is fetched.

/// Number of classes of links: on the host or from another, on a page in the language or not, with
/// an anchor in the language or not.
pub const CLASSES: usize = 8;

/// A link to a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Link {
    /// Whether the linking page is on another host.
    pub external: bool,
    /// Whether the linking page is in the target language.
    pub page_in_language: bool,
    /// Whether the text of the link is in the target language. If it is too short to identify, use
    /// the language of the linking page.
    pub anchor_in_language: bool,
    /// Whether `hreflang` names the target language; `None` without `hreflang`.
    pub hreflang: Option<bool>,
}

impl Link {
    fn class(self) -> usize {
        4 * usize::from(self.external)
            + 2 * usize::from(self.page_in_language)
            + usize::from(self.anchor_in_language)
    }
}

/// Counts of the links to a page by class, in ten bytes. Counts stop at 255.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Links by class: 4 if external, plus 2 if the page is in the language, plus 1 if the anchor
    /// is.
    pub links: [u8; CLASSES],
    /// Links whose `hreflang` names the target language, and another one.
    pub hreflang: [u8; 2],
}

impl Evidence {
    /// Adds a link.
    pub fn add(&mut self, link: Link) {
        let count = &mut self.links[link.class()];
        *count = count.saturating_add(1);
        if let Some(is_target) = link.hreflang {
            let count = &mut self.hreflang[usize::from(!is_target)];
            *count = count.saturating_add(1);
        }
    }

    /// Returns the sum of both. Associative and commutative, because the counts stop at their
    /// largest value.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        for (count, more) in self.links.iter_mut().zip(other.links) {
            *count = count.saturating_add(more);
        }
        for (count, more) in self.hreflang.iter_mut().zip(other.hreflang) {
            *count = count.saturating_add(more);
        }
        self
    }

    /// Returns the counts of links from other hosts, by class.
    pub fn external(&self) -> [u8; 4] {
        [self.links[4], self.links[5], self.links[6], self.links[7]]
    }
}
