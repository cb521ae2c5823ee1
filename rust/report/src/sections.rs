//! The subjects of the report. Each has its tables, and its section of the HTML page.

pub mod archive;
pub mod byte_yields;
pub mod classes;
pub mod duplicates;
pub mod input;
pub mod languages;
pub mod origins;
pub mod overlap;
pub mod quality;
pub mod reference;
pub mod richness;
pub mod rounds;
pub mod sites;
pub mod sizes;
pub mod text;
pub mod thresholds;
pub mod varieties;
pub mod words;

/// Stands in HTML for the host of a page whose URL is not known.
const HOST_UNKNOWN: &str = "(host not known)";
