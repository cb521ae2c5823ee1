//! Prints a page from WARC files, by their index.

use crate::context::Context;
use crate::io::console::print;
use crate::io::output::folder;
use ::cdx::lookup;
use ::cdx::pages::leads_outside;
use ::cdx::{surt, Line};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use std::path::PathBuf;

/// Print a page from WARC files that were indexed by `cdx`
#[derive(Args)]
pub struct Arguments {
    /// URL of the page
    url: String,
    /// The index: CDXJ, as `cdx` writes it; CDX of 9 to 11 fields; or the summary of a ZipNum index
    /// (cluster.idx), beside the files that it names
    index: PathBuf,
    /// Time of the page: the first digits of YYYYMMDDhhmmss. The nearest one is printed [default:
    /// the latest]
    #[arg(long, value_name = "DIGITS", value_parser = digits)]
    at: Option<String>,
    /// Folder with the WARC files [default: the folder of the index]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Read WARC files outside that folder too, if the index names them. Use it only with an index
    /// that you trust
    #[arg(long)]
    outside: bool,
    /// Print the WARC record with its headers
    #[arg(long)]
    record: bool,
    /// Print the lines of the index, for all times
    #[arg(long, conflicts_with_all = ["record", "at", "root", "outside"])]
    list: bool,
    /// With --list: print an object of JSON for each line
    #[arg(long, requires = "list")]
    json: bool,
}

/// The digits of a time, at least a year.
fn digits(text: &str) -> Result<String> {
    let is_time = (4..=14).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_time
        .then(|| text.to_owned())
        .ok_or_else(|| anyhow!("allowed are 4 to 14 digits, such as 20261123"))
}

/// Prints the page or the index lines of a URL.
///
/// # Errors
/// Fails if the index does not have the URL, or the WARC file does not match the index.
pub fn run(sought: &Arguments, context: &Context) -> Result<bool> {
    let name = sought.index.display();
    let root = sought.root.as_deref().unwrap_or_else(|| folder(&sought.index));
    let key = surt::key(&sought.url);
    let found = lookup::lines(&sought.index, &key).map_err(|failure| match failure {
        lookup::Failure::Absent { .. } => {
            anyhow!("{name}: has no record of {} (key {key})", sought.url)
        }
        failure => failure.into(),
    })?;
    if sought.list && !sought.json {
        // A line that `cdx` wrote has none: JSON escapes them.
        let lines = found.iter().map(|line| line.replace(char::is_control, "\u{fffd}") + "\n");
        return print(lines.collect::<String>().as_bytes());
    }
    let mut lines = Vec::new();
    for text in &found {
        let (_, timestamp, line) = Line::parse(text)
            .ok_or_else(|| anyhow!("{name}: a line of {key} is neither CDXJ nor CDX"))?;
        lines.push((timestamp, line));
    }
    if sought.json {
        let objects = lines.iter().map(|(timestamp, line)| line.json(timestamp).to_string());
        return print(objects.map(|object| object + "\n").collect::<String>().as_bytes());
    }
    let Some((timestamp, line)) = lookup::nearest(&lines, sought.at.as_deref()) else {
        bail!("{name}: has no record of {key} with a time");
    };
    let (timestamp, line) = match sought.record {
        true => (timestamp, line),
        false => lookup::replayed(&lines, timestamp, line)?,
    };
    // An index from elsewhere may name any file of this machine.
    if !sought.outside && leads_outside(root, &line.filename) {
        bail!(
            "{name}: names the file {}, which is not in {}; name the folder of the WARC files (--root), or allow other folders (--outside)",
            line.filename,
            root.display()
        );
    }
    let path = root.join(&line.filename);
    let whole = lookup::record(&sought.index, &path, (timestamp, line), context.max_bytes)?;
    note!(
        "corpulyzer: {} of {timestamp}, {} at byte {}",
        line.url.as_deref().unwrap_or("-"),
        path.display(),
        line.offset
    );
    if sought.record {
        print(&whole.bytes)
    } else {
        print(&whole.payload(context.max_bytes))
    }
}
