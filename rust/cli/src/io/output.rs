//! Outputs, and the message for those of incomplete inputs.

use anyhow::Result;
pub use outputs::{
    apart, fetched_folder, folder, is_name, partial, temporary_folder, FilePlace, FolderPlace,
    Format, Writer,
};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Returns the outputs that are asked for, with their options.
pub fn named<'p, const N: usize, P: AsRef<Path>>(
    outputs: [(Option<&'p P>, &'static str); N],
) -> Vec<(&'p Path, &'static str)> {
    outputs.into_iter().filter_map(|(path, option)| Some((path?.as_ref(), option))).collect()
}

/// The path of an output: its place, or a name beside it if the inputs are not `whole`, so that an
/// incomplete output never replaces a good one. Prints a message in that case.
pub fn settled(path: &Path, whole: bool) -> PathBuf {
    if whole {
        return path.to_owned();
    }
    let beside = partial(path);
    tell(beside.display(), path.display());
    beside
}

/// Prints that an output goes beside its place.
fn tell(partial: impl Display, path: impl Display) {
    eprintln!(
        "corpulyzer: an input was not read to its end: the readable part goes to {partial}; {path} does not change"
    );
}

/// The place of an output file made from these inputs, see [`settled`].
///
/// # Errors
/// Fails if a file beside it cannot be written.
pub fn settle(place: FilePlace, whole: bool) -> Result<FilePlace> {
    if whole || place.is_printed() {
        return Ok(place);
    }
    let name = place.name().to_string();
    let beside = place.beside()?;
    tell(beside.name(), name);
    Ok(beside)
}

/// The place of an output folder made from these inputs, see [`settled`].
///
/// # Errors
/// Fails if a folder beside it cannot be written.
pub fn settle_folder(place: FolderPlace, whole: bool) -> Result<FolderPlace> {
    if whole {
        return Ok(place);
    }
    let path = place.path().to_owned();
    let beside = place.beside()?;
    tell(beside.name().display(), path.display());
    Ok(beside)
}
