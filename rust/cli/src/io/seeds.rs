//! Files of seeds.

use crate::io::console::counted;
use crate::io::output::FilePlace;
use anyhow::Result;
use seeds::Choice;
use std::io::Write as _;

/// Writes the seeds of a choice, a URL on each line, and prints their number. `tag` is their source.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write(place: FilePlace, choice: Choice, tag: Option<&str>) -> Result<()> {
    let tag = tag.map(|tag| format!("\tsource={tag}")).unwrap_or_default();
    write_lines(place, choice.seeds().into_iter().map(|seed| format!("{seed}{tag}")).collect())
}

/// Writes lines of seeds, and prints their number.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_lines(place: FilePlace, seeds: Vec<String>) -> Result<()> {
    let (mut lines, file) = place.create()?;
    let written =
        seeds.iter().try_for_each(|seed| writeln!(lines, "{seed}")).and_then(|()| lines.finish());
    written.map_err(|error| place.failed(error))?;
    place.put(file)?;
    note!("corpulyzer: {}: {}", counted(seeds.len(), "seed"), place.name());
    Ok(())
}
