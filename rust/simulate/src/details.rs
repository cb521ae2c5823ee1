//! Details of the pages of a graph, besides links and language: the sections of their URLs, the
//! anchors of links, and hosts that change. The policy `pages` uses them; the others do not.

use crate::graph::Graph;
use sitescore::pages::{Link, Sections};

/// Mark of a link whose anchor is in the target language.
pub const ANCHOR: u8 = 1;
/// Mark of a link whose `hreflang` is the target language.
pub const HREFLANG_TARGET: u8 = 2;
/// Mark of a link whose `hreflang` is another language.
pub const HREFLANG_OTHER: u8 = 4;

/// A link: the page it leads to, and its marks.
pub type Marked = (u32, u8);

/// The details of a graph. Empty lists stand for a graph without them.
#[derive(Debug, Clone, Default)]
pub struct Details {
    /// The distinct sections of URLs.
    pub sections: Vec<Sections>,
    /// Section of each page.
    pub section_of: Vec<u32>,
    /// Name of each host left of its registered domain; empty if it has none.
    pub labels: Vec<&'static str>,
    /// Marks of each link, in the order of pages and then of targets.
    pub links: Vec<u8>,
    /// Round, counted from 0, from which on each host has no text in the language any more.
    pub changes: Vec<usize>,
}

impl Details {
    /// Sorts the links of the next page as [`Graph::push_links`] does, and adds their marks.
    /// Returns the pages they lead to.
    pub fn push(&mut self, page: u32, links: &mut Vec<Marked>) -> Vec<u32> {
        // Of several links to a page, the one with most marks counts.
        links.sort_unstable_by_key(|&(to, marks)| (to, std::cmp::Reverse(marks)));
        links.dedup_by_key(|link| link.0);
        links.retain(|link| link.0 != page);
        self.links.extend(links.iter().map(|link| link.1));
        links.iter().map(|link| link.0).collect()
    }

    /// Returns the sections of a page's URL, by number.
    pub fn section(&self, page: u32) -> usize {
        self.section_of.get(page as usize).map_or(0, |&section| section as usize)
    }

    /// Returns whether a host has no text in the language any more.
    pub fn is_changed(&self, host: usize, round: usize) -> bool {
        self.changes.get(host).is_some_and(|&change| round >= change)
    }
}

/// Returns what a link says, where `marks` are its marks if the graph has any. Without them, the
/// anchor is taken to be in the language of the linking page.
pub fn link(graph: &Graph, from: u32, to: u32, in_language: bool, marks: Option<u8>) -> Link {
    let has = |mark: u8| marks.is_some_and(|marks| marks & mark != 0);
    Link {
        external: graph.host_of(from) != graph.host_of(to),
        page_in_language: in_language,
        anchor_in_language: marks.map_or(in_language, |_| has(ANCHOR)),
        hreflang: if has(HREFLANG_TARGET) {
            Some(true)
        } else {
            has(HREFLANG_OTHER).then_some(false)
        },
    }
}
