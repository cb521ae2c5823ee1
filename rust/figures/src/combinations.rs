//! URLs, sites and texts of each combination of corpora (paper, Fig. 6a).

use crate::sites::Sites;
use crate::urls::Urls;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;

/// Most corpora of which every combination is counted: a thousand combinations.
pub const MAX_COMBINED: usize = 10;

/// A combination of corpora.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Combination {
    /// Names of the corpora.
    pub corpora: Vec<String>,
    /// URLs that all of these corpora have, and no other corpus.
    pub urls_only: u64,
    /// URLs that all of these corpora have.
    pub urls: u64,
    /// Sites that all of these corpora have, and no other corpus.
    pub sites_only: u64,
    /// Sites that all of these corpora have.
    pub sites: u64,
    /// Different main texts of pages with a URL that all of these corpora have, and no other
    /// corpus.
    pub texts_only: u64,
    /// Different main texts of pages with a URL that all of these corpora have.
    pub texts: u64,
}

/// Returns the combinations of named corpora, single ones first; `None` for fewer than two, or more
/// than [`MAX_COMBINED`].
///
/// # Errors
/// Fails if a temporary file cannot be read or written.
pub fn combinations(
    mut corpora: Vec<(&str, &mut Urls, &Sites)>,
) -> io::Result<Option<Vec<Combination>>> {
    if !(2..=MAX_COMBINED).contains(&corpora.len()) {
        return Ok(None);
    }
    let mut sites: BTreeMap<&str, usize> = BTreeMap::new();
    for (bit, (_, _, known)) in corpora.iter().enumerate() {
        for host in known.0.keys().filter(|host| !host.is_empty()) {
            *sites.entry(host).or_default() |= 1 << bit;
        }
    }
    let mut by_sites = vec![0u64; 1 << corpora.len()];
    sites.into_values().for_each(|set| by_sites[set] += 1);
    let names: Vec<&str> = corpora.iter().map(|(name, ..)| *name).collect();
    let mut urls: Vec<&mut Urls> = corpora.iter_mut().map(|(_, urls, _)| &mut **urls).collect();
    let texts: io::Result<Vec<Urls>> = urls.iter_mut().map(|urls| urls.texts()).collect();
    let by_texts = Urls::regions(texts?.iter_mut().collect())?;
    let by_urls = Urls::regions(urls)?;
    Ok(Some(rows(&names, &by_urls, &by_sites, &by_texts)))
}

/// Returns the rows of numbers by set of corpora; a set has a bit for each corpus.
fn rows(names: &[&str], urls: &[u64], sites: &[u64], texts: &[u64]) -> Vec<Combination> {
    let all = |regions: &[u64], set: usize| -> u64 {
        let whole = |(other, _): &(usize, &u64)| other & set == set;
        regions.iter().enumerate().filter(whole).map(|(_, count)| count).sum()
    };
    let mut sets: Vec<usize> = (1..1 << names.len()).collect();
    sets.sort_by_key(|set| (set.count_ones(), *set));
    let row = |set: usize| Combination {
        corpora: (0..names.len())
            .filter(|bit| set & 1 << bit != 0)
            .map(|bit| names[bit].to_owned())
            .collect(),
        urls_only: urls[set],
        urls: all(urls, set),
        sites_only: sites[set],
        sites: all(sites, set),
        texts_only: texts[set],
        texts: all(texts, set),
    };
    sets.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_add_up_to_their_combinations() {
        // Sets: a, b, ab, c, ac, bc, abc.
        let urls = [0, 1, 2, 3, 4, 5, 6, 7];
        let rows = rows(&["a", "b", "c"], &urls, &[0; 8], &[0; 8]);
        let row = |names: &[&str]| {
            let row = rows.iter().find(|row| row.corpora == names).expect("a row");
            (row.urls_only, row.urls)
        };
        assert_eq!(rows.len(), 7);
        assert_eq!(row(&["a"]), (1, 1 + 3 + 5 + 7));
        assert_eq!(row(&["a", "b"]), (3, 10));
        assert_eq!(row(&["a", "b", "c"]), (7, 7));
        let sizes: Vec<usize> = rows.iter().map(|row| row.corpora.len()).collect();
        assert_eq!(sizes, [1, 1, 1, 2, 2, 2, 3]);
    }
}
