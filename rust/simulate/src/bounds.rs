//! Bounds of what a policy can know: scores that know the web.

use crate::details::ANCHOR;
use crate::graph::Graph;
use std::collections::HashMap;

/// Returns each page's score for the oracle: the mean bytes of its host's pages in the language, if
/// it is one of them and its text is on no other page.
pub(crate) fn ideal(graph: &Graph, min_bytes: u32) -> Vec<f32> {
    let mut scores = vec![0.0; graph.pages()];
    for host in 0..graph.hosts() {
        let kept = graph.pages_of(host).filter(|&page| {
            !graph.repeats(page) && graph.target(page).is_some_and(|bytes| bytes >= min_bytes)
        });
        let kept: Vec<u32> = kept.collect();
        let bytes: f64 = kept.iter().filter_map(|&page| graph.target(page)).map(f64::from).sum();
        for &page in &kept {
            scores[page as usize] = (bytes / kept.len() as f64) as f32;
        }
    }
    scores
}

/// Returns each page's score for the policy `shares`: the share of the pages of its section of the
/// host that are in the language, times the mean bytes of the host's pages in it.
pub(crate) fn shares(graph: &Graph, min_bytes: u32) -> Vec<f32> {
    let mut scores = vec![0.0; graph.pages()];
    for host in 0..graph.hosts() {
        let (mut bytes, mut kept) = (0.0, 0.0);
        let mut sections: HashMap<usize, (f64, f64)> = HashMap::new();
        for page in graph.pages_of(host) {
            let Some(target) = graph.target(page) else { continue };
            let (in_language, all) = sections.entry(graph.details().section(page)).or_default();
            *all += 1.0;
            if target >= min_bytes {
                *in_language += 1.0;
                kept += 1.0;
                bytes += f64::from(target);
            }
        }
        for page in graph.pages_of(host).filter(|_| kept > 0.0) {
            let sums = sections.get(&graph.details().section(page));
            let share = sums.map_or(0.0, |(in_language, all)| in_language / all);
            scores[page as usize] = (share * bytes / kept) as f32;
        }
    }
    scores
}

/// The policy `anchors`: it knows the exact share of each section's pages that are in the language,
/// and how often anchors are wrong, and has read the anchors of the links found so far. A page's
/// score is its probability by Bayes' rule, if the anchors of its links are independent.
pub(crate) struct Anchors {
    /// Logit of each page's probability.
    logits: Vec<f32>,
    /// Added to it for an anchor in the language, subtracted for another one.
    worth: f32,
}

impl Anchors {
    /// Returns what is known before the first round.
    pub fn new(graph: &Graph, min_bytes: u32) -> Self {
        let is_kept =
            |page: u32| graph.target(page).map(|bytes| f64::from(u8::from(bytes >= min_bytes)));
        let section = |page: u32| (graph.host_of(page), graph.details().section(page));
        let mut sums: HashMap<(usize, usize), [f64; 2]> = HashMap::new();
        // By section of the target: links with an anchor in the language or not, to pages in the
        // language or not.
        let mut links: HashMap<(usize, usize), [[f64; 2]; 2]> = HashMap::new();
        for page in 0..graph.pages() as u32 {
            let Some(kept) = is_kept(page) else { continue };
            let [all, in_language] = sums.entry(section(page)).or_default();
            *all += 1.0;
            *in_language += kept;
            for (&to, marks) in graph.links_of(page).iter().zip(graph.marks_of(page)) {
                let (Some(kept), Some(marks)) = (is_kept(to), marks) else { continue };
                let anchor = usize::from(marks & ANCHOR != 0);
                links.entry(section(to)).or_default()[anchor][kept as usize] += 1.0;
            }
        }
        let logit = |page| {
            let [all, kept] = sums.get(&section(page)).copied().unwrap_or([1.0, 0.0]);
            (kept / (all - kept)).ln() as f32
        };
        Self { logits: (0..graph.pages() as u32).map(logit).collect(), worth: worth(&links) }
    }

    /// Returns the probability of a page.
    pub fn probability(&self, page: u32) -> f32 {
        1.0 / (1.0 + (-self.logits[page as usize]).exp())
    }

    /// Reads the anchors of a fetched page.
    pub fn follow(&mut self, graph: &Graph, page: u32) {
        for (&to, marks) in graph.links_of(page).iter().zip(graph.marks_of(page)) {
            let says = marks.map_or(0.0, |marks| if marks & ANCHOR != 0 { 1.0 } else { -1.0 });
            self.logits[to as usize] += says * self.worth;
        }
    }
}

/// Returns half of the logarithm of the odds ratio of anchors and pages, within sections: what
/// differs between sections is known from their shares. The estimate is that of Mantel and Haenszel
/// (1959); 0 if anchors do not differ within a section.
fn worth(links: &HashMap<(usize, usize), [[f64; 2]; 2]>) -> f32 {
    let (mut same, mut differs) = (0.0, 0.0);
    for [[other_other, other_kept], [anchor_other, anchor_kept]] in links.values() {
        let all = other_other + other_kept + anchor_other + anchor_kept;
        same += other_other * anchor_kept / all;
        differs += other_kept * anchor_other / all;
    }
    if same == 0.0 || differs == 0.0 {
        return 0.0;
    }
    (0.5 * (same / differs).ln()) as f32
}
