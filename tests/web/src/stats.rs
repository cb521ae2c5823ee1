//! Figures of the web.

use crate::similar::near_duplicate_percent;
use crate::world::{Answer, Kind, World};

/// Pages of a host that links are counted on.
pub const SAMPLE: usize = 10;

/// Figures of the hosts of one kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfKind {
    /// Number of hosts.
    pub hosts: usize,
    /// URLs that have a page.
    pub pages: usize,
    /// Pages on which links were counted.
    pub sampled: usize,
    /// Their links, to the own host and to others.
    pub all_links: usize,
    /// Their links to other hosts by kind, in the order of [`Kind::ALL`].
    pub links: [usize; 5],
}

/// Figures of the web.
#[derive(Debug)]
pub struct Stats {
    /// By kind of host, in the order of [`Kind::ALL`].
    pub kinds: [OfKind; 5],
    /// Pages of the rich and mixed hosts whose true language is Urdu.
    pub urdu_pages: usize,
    /// Share of them that is a near duplicate of another.
    pub near_duplicate_percent: f64,
}

impl Stats {
    /// Counts over all pages of the Urdu hosts and over the first [`SAMPLE`] pages of the others.
    pub fn of(world: &World) -> Stats {
        let mut kinds = [OfKind::default(); 5];
        let index = |kind: Kind| Kind::ALL.iter().position(|k| *k == kind).unwrap_or_default();
        let mut urdu = Vec::new();
        for (host, h) in world.hosts.iter().enumerate() {
            let of_kind = &mut kinds[index(h.kind)];
            of_kind.hosts += 1;
            of_kind.pages += world.pages_of(host);
            let is_urdu = matches!(h.kind, Kind::Rich | Kind::Mixed);
            let sample = if is_urdu { usize::MAX } else { SAMPLE };
            for (number, url) in world.urls_of(host).take(sample).enumerate() {
                let Answer::Page(page) = world.resolve(&url) else { continue };
                if number < SAMPLE {
                    of_kind.sampled += 1;
                    for target in page.links().filter_map(|l| world.host_of_url(l)) {
                        of_kind.all_links += 1;
                        if target != host {
                            of_kind.links[index(world.hosts[target].kind)] += 1;
                        }
                    }
                }
                if is_urdu && page.language == "urd" {
                    urdu.push(page.main_text());
                }
            }
        }
        let near_duplicate_percent = near_duplicate_percent(urdu.iter().map(String::as_str));
        Stats { kinds, urdu_pages: urdu.len(), near_duplicate_percent }
    }
}
