//! The files of a folder that are pages.

use crate::{real, BadInput};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Endings of the names of pages.
const ENDINGS: [&str; 3] = ["html", "htm", "xhtml"];

/// Why an entry of a folder is not read.
#[derive(Debug, thiserror::Error)]
pub enum BadPage {
    /// The system cannot read it.
    #[error(transparent)]
    Unreadable(#[from] BadInput),
    /// It is a pipe or the like, which might never end.
    #[error("{}: is not a regular file", .0.display())]
    NotRegular(PathBuf),
    /// Its text would replace that of another page.
    #[error(
        "{}: another page would write the same text file: their names differ only in their endings \
         or in capital letters",
        .0.display()
    )]
    SameText(PathBuf),
}

/// Returns all pages under a folder in order, and the entries that cannot be read or would have no
/// text file of their own. The folder `output` may be in it, and is skipped: an earlier run wrote
/// its pages.
pub fn under(folder: &Path, output: &Path) -> (Vec<PathBuf>, Vec<BadPage>) {
    let output = real(output);
    let (mut pages, mut bad, mut texts) = (Vec::new(), Vec::new(), HashSet::new());
    let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
    let is_output = |entry: &DirEntry| entry.file_type().is_dir() && real(entry.path()) == output;
    for entry in walk.into_iter().filter_entry(|entry| !is_output(entry)) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                bad.push(BadInput::of_entry(error).into());
                continue;
            }
        };
        let ending = entry.path().extension().and_then(|ending| ending.to_str());
        let is_page = ending
            .is_some_and(|ending| ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending)));
        if !is_page || entry.file_type().is_dir() {
            continue;
        }
        let is_regular = entry.file_type().is_file();
        let path = entry.into_path();
        if !is_regular {
            bad.push(BadPage::NotRegular(path));
        } else if !texts.insert(path.with_extension("")) {
            bad.push(BadPage::SameText(path));
        } else {
            pages.push(path);
        }
    }
    (pages, bad)
}
