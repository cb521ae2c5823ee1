//! Options on the sources and rights of pages.

use crate::io::console::counted;
use anyhow::{anyhow, bail, Result};
use clap::{Args, ValueEnum};
use inputs::domains::Domains;
use provenance::Personal;
use release::choice::{Bound, Cap, Settings, Tally};
use release::Choice;
use std::path::PathBuf;

/// The treatment of pages whose text is reserved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Reserved {
    /// Such pages are packed.
    #[default]
    Keep,
    /// Such pages are left out.
    Drop,
}

/// Options on sources and rights.
#[derive(Args)]
pub struct Options {
    /// Keep or drop pages with a reservation against text mining or training (field `reservation`)
    #[arg(long, value_enum, default_value_t, value_name = "keep|drop")]
    #[arg(hide_possible_values = true)]
    reserved: Reserved,
    /// Pack only pages with these licences (field `license`), such as cc-by,cc-by-sa,cc0 [default:
    /// all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = licence)]
    licensed: Vec<String>,
    /// Pack only pages with at least this score, such as edu=3. KEY is a field with a number, as
    /// `quality join` adds; a dot leads into an object (quality.rps_doc_word_count). May be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    min: Vec<Bound>,
    /// Pack only pages with at most this score, such as spam=.5. May be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    max: Vec<Bound>,
    /// Replace personal data by placeholders, and record their places in the field `pii`. Kinds:
    /// email, ip
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = kind)]
    mask: Vec<Personal>,
    /// Leave out pages whose host or URL is listed in this folder of domain lists (layout of UT1: a
    /// folder for each class with the files `domains` and `urls`)
    #[arg(long, value_name = "DIR")]
    blocklist: Option<PathBuf>,
    /// Folder of domain lists whose classes are counted and may be capped (layout as --blocklist)
    #[arg(long, value_name = "DIR")]
    classes: Option<PathBuf>,
    /// Largest share of a class of --classes in the package, such as religious=.2. May be repeated
    #[arg(long, value_name = "CLASS=SHARE", requires = "classes")]
    cap: Vec<Cap>,
    /// Largest share of a host in the package, such as .05 [default: all]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    cap_site: Option<f64>,
}

impl Options {
    /// Reads the lists that the options name.
    ///
    /// # Errors
    /// Fails if a list cannot be read, or a cap names no class of it.
    pub fn read(&self, max_bytes: u64) -> Result<Choice> {
        let read = |folder: &Option<PathBuf>, option| {
            folder.as_deref().map(|folder| Domains::read(folder, option, max_bytes)).transpose()
        };
        let choice = Choice::new(Settings {
            drop_reserved: self.reserved == Reserved::Drop,
            licensed: self.licensed.clone(),
            least: self.min.clone(),
            most: self.max.clone(),
            mask: self.mask.clone(),
            blocklist: read(&self.blocklist, "--blocklist")?,
            classes: read(&self.classes, "--classes")?.unwrap_or_default(),
            caps: self.cap.clone(),
            cap_site: self.cap_site,
        });
        choice.map_err(|bad| anyhow!("{bad} (--cap)"))
    }

    /// # Errors
    /// Fails if an option is used: sentences have no fields and no sites.
    pub fn are_for_pages(&self) -> Result<()> {
        let used = [
            (self.reserved == Reserved::Drop, "--reserved"),
            (!self.licensed.is_empty(), "--licensed"),
            (!self.min.is_empty(), "--min"),
            (!self.max.is_empty(), "--max"),
            (!self.mask.is_empty(), "--mask"),
            (self.blocklist.is_some(), "--blocklist"),
            (self.classes.is_some(), "--classes"),
            (self.cap_site.is_some(), "--cap-site"),
        ];
        match used.iter().find(|(is_used, _)| *is_used) {
            Some((_, option)) => {
                bail!("the input is sentences, and {option} is for pages; pack the corpus instead")
            }
            None => Ok(()),
        }
    }
}

fn kind(name: &str) -> Result<Personal> {
    let known = Personal::ALL.into_iter().find(|kind| kind.as_str() == name);
    known.ok_or_else(|| anyhow!("allowed are email and ip"))
}

fn share(text: &str) -> Result<f64> {
    let share = text.parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| anyhow!("allowed are numbers over 0 up to 1"))
}

/// Reads a name of `--licensed`. An empty one would be that of all pages that state no licence.
fn licence(text: &str) -> Result<String> {
    match text.trim() {
        "" => bail!("a name is empty; allowed are names of licences, such as cc-by,cc0"),
        name => Ok(name.to_ascii_lowercase()),
    }
}

/// Returns what the choice left out, with the options.
pub fn left_out(tally: &Tally) -> Vec<String> {
    let counts = [
        (tally.reserved, "with a reservation (--reserved)"),
        (tally.unlicensed, "without one of the licences (--licensed)"),
        (tally.blocked, "of the block list (--blocklist)"),
        (tally.beyond, "beyond the limit of a score (--min, --max)"),
        (tally.unscored, "without a score that has a limit (--min, --max)"),
        (tally.capped, "beyond the largest share of their host or class (--cap, --cap-site)"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, what)| format!("{} {what}", counted(count, "page"))).collect()
}
