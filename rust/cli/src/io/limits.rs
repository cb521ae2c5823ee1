//! Files of limits for quality signals: YAML, as FineWeb-2 publishes them.

use super::{input, of_option};
use anyhow::{anyhow, Result};
use quality::Limits;
use std::path::Path;

/// Reads a file of limits.
///
/// # Errors
/// If the file cannot be read, has more than `max_bytes` bytes, or does not hold limits.
pub fn read_limits(path: &Path, max_bytes: u64) -> Result<Limits> {
    let failed = |error: &dyn std::fmt::Display| anyhow!("{}: {error} (--limits)", path.display());
    let yaml = of_option(input::text(path, max_bytes), "--limits")?;
    let limits: Limits =
        serde_saphyr::from_str(&yaml).map_err(|error| failed(&one_line(&error)))?;
    limits.check().map_err(|error| failed(&error))?;
    Ok(limits)
}

/// Returns limits as YAML, with the keys in FineWeb-2's order.
///
/// # Errors
/// If a value cannot be written.
pub fn limits_in_yaml(limits: &Limits) -> Result<String> {
    Ok(serde_saphyr::to_string(limits)?)
}

/// Returns an error of the YAML reader without the excerpt that it draws under its first line.
fn one_line(error: &serde_saphyr::Error) -> String {
    let message = error.to_string();
    message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
