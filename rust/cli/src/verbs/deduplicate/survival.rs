//! The table of `--survival`.

use super::temporary;
use crate::io::output::{settle, Place};
use anyhow::Result;
use dedup::Survival;
use std::path::Path;

/// Sums by host, and the place of their table.
pub struct SurvivalTable {
    place: Place,
    sums: Survival,
}

impl SurvivalTable {
    /// Opens the table.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn new(path: &Path) -> Result<Self> {
        let place = Place::new(path, "--survival")?;
        let sums = Survival::new(place.folder());
        Ok(Self { place, sums })
    }

    /// As [`Survival::add`].
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn add(&mut self, url: Option<&str>, before: usize, after: usize) -> Result<()> {
        let added = self.sums.add(url, before, after);
        added.map_err(|error| temporary(&error, self.place.folder()))
    }

    /// Writes the table.
    ///
    /// # Errors
    /// Fails if a file cannot be written or read.
    pub fn finish(self, whole: bool) -> Result<()> {
        let Self { place, sums } = self;
        let table = sums.table().map_err(|error| temporary(&error, place.folder()))?;
        Ok(settle(place, whole)?.write(table.as_bytes())?)
    }
}
