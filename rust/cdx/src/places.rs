//! The places of pages in the WARC files of an archive, by its indexes.

use crate::pages::{leads_outside, Entry};
use records::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Largest place in a file: one of a signed number.
const MAX_PLACE: u64 = i64::MAX as u64;

/// The places of pages in some languages.
#[derive(Debug, Default)]
pub struct Places {
    codes: BTreeSet<String>,
    /// Offset and length of each record, by WARC file.
    found: BTreeMap<String, BTreeSet<(u64, u64)>>,
    /// Number of pages that were added.
    pub pages: u64,
}

/// Offset and length of records in order, for each WARC file. None overlaps the one before it.
pub type Ranges = BTreeMap<String, Vec<(u64, u64)>>;

/// The sources of ranges in a folder.
#[derive(Debug, Default)]
pub struct Local {
    /// The files that are there.
    pub sources: Vec<Source>,
    /// The paths of those that are not.
    pub missing: Vec<String>,
}

/// A WARC file, by its name in an index, that is not in the folder of the index's files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an index names the file {0}, which is not in the folder of its files")]
pub struct Outside(pub String);

impl Places {
    /// Creates an empty list of pages that an index has in one of these languages at any rank.
    pub fn new(codes: impl IntoIterator<Item = String>) -> Self {
        Self { codes: codes.into_iter().collect(), ..Self::default() }
    }

    /// Adds the page of an entry, if it is in one of the languages and has a place.
    pub fn add(&mut self, entry: Entry) {
        let is_wanted = entry.languages.iter().any(|code| self.codes.contains(code));
        let is_place = entry.length > 0
            && entry.offset.checked_add(entry.length).is_some_and(|end| end <= MAX_PLACE);
        if is_wanted && is_place && !entry.filename.is_empty() {
            self.pages += 1;
            self.found.entry(entry.filename).or_default().insert((entry.offset, entry.length));
        }
    }

    /// Returns the places by WARC file, without each that overlaps the one before it.
    pub fn ranges(self) -> Ranges {
        self.found.into_iter().map(|(name, places)| (name, apart(places))).collect()
    }
}

fn apart(places: BTreeSet<(u64, u64)>) -> Vec<(u64, u64)> {
    let mut end = 0;
    let mut apart = Vec::with_capacity(places.len());
    for (offset, length) in places {
        if offset >= end {
            end = offset + length;
            apart.push((offset, length));
        }
    }
    apart
}

/// Leaves out each range that is longer than `most` bytes, and returns their number. An index from
/// elsewhere may name any length, and a server may send that much: it would fill the disk.
pub fn limit(ranges: &mut Ranges, most: u64) -> u64 {
    let mut left_out = 0;
    ranges.retain(|_, places| {
        let before = places.len();
        places.retain(|(_, length)| *length <= most);
        left_out += (before - places.len()) as u64;
        !places.is_empty()
    });
    left_out
}

/// Returns the sources of ranges in a folder.
///
/// # Errors
/// Fails if a file is not in the folder: an index from elsewhere may name any file of this machine.
pub fn local(root: &Path, ranges: Ranges) -> Result<Local, Outside> {
    let mut local = Local::default();
    for (name, places) in ranges {
        if leads_outside(root, &name) {
            return Err(Outside(name));
        }
        let path = root.join(&name);
        match Source::of_ranges(&path, places) {
            Ok(source) if path.is_file() => local.sources.push(source),
            _ => local.missing.push(path.display().to_string()),
        }
    }
    Ok(local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_languages_and_none_overlaps_another() {
        let mut places = Places::new(["urd".to_owned(), "snd".to_owned()]);
        for (languages, offset, length) in [
            ("eng,urd", 10, 5),
            ("urd", 10, 5),
            ("snd", 12, 90),
            ("urd", 15, 900),
            ("eng", 2000, 1),
            ("urd", u64::MAX, 1),
            ("urd", 3000, 0),
        ] {
            let languages = languages.split(',').map(str::to_owned).collect();
            let filename = "a.warc.gz".to_owned();
            places.add(Entry { languages, filename, offset, length, ..Entry::default() });
        }
        assert_eq!(places.pages, 4);
        let mut ranges = places.ranges();
        assert_eq!(ranges["a.warc.gz"], [(10, 5), (15, 900)]);
        assert_eq!(limit(&mut ranges, 100), 1);
        assert_eq!(ranges["a.warc.gz"], [(10, 5)]);
        assert_eq!(limit(&mut ranges, 1), 1);
        assert!(ranges.is_empty(), "a file without a range is left out");
    }

    #[test]
    fn a_file_outside_the_folder_is_refused_and_a_missing_one_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let ranges = |name: &str| Ranges::from([(name.to_owned(), vec![(0, 1)])]);
        assert_eq!(local(folder.path(), ranges("../x")).expect_err("outside").0, "../x");
        let found = local(folder.path(), ranges("x")).expect("inside");
        assert!(found.sources.is_empty() && found.missing[0].ends_with("/x"));
    }
}
