//! The choice by sources and rights: the pages that a release leaves out, and those it changes.

mod caps;
mod scores;

use crate::io::console::counted;
use crate::io::records::Fields;
use anyhow::{anyhow, bail, Error, Result};
use caps::Caps;
pub use caps::Offered;
use clap::{Args, ValueEnum};
use inputs::domains::Domains;
use inputs::urls;
use provenance::{is_reserved, masked, Personal};
use scores::{Bound, Limits};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::str::FromStr;

/// The treatment of pages whose text is reserved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Reserved {
    /// Such pages are packed.
    #[default]
    Keep,
    /// Such pages are left out.
    Drop,
}

/// Field with the places of personal data that was replaced.
const PERSONAL: &str = "pii";

/// Options on sources and rights.
#[derive(Args)]
pub struct Options {
    /// Keep or drop pages with a reservation against text mining or training (field `reservation`)
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "keep|drop",
        hide_possible_values = true
    )]
    reserved: Reserved,
    /// Pack only pages with these licences (field `license`), such as cc-by,cc-by-sa,cc0 [default:
    /// all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
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

/// A class and its largest share.
#[derive(Debug, Clone)]
struct Cap {
    class: String,
    share: f64,
}

impl FromStr for Cap {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let cap = text.split_once('=').and_then(|(class, text)| {
            Some(Self { class: class.to_owned(), share: share(text).ok()? })
        });
        cap.ok_or_else(|| {
            anyhow!("allowed is CLASS=SHARE with a share over 0 up to 1, such as religious=.2")
        })
    }
}

fn kind(name: &str) -> Result<Personal, String> {
    let known = Personal::ALL.into_iter().find(|kind| kind.as_str() == name);
    known.ok_or_else(|| "allowed are email and ip".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| *share > 0.0 && *share <= 1.0)
        .ok_or_else(|| "allowed are numbers over 0 up to 1".to_owned())
}

/// The reason why a page is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Its text is reserved.
    Reserved,
    /// It states none of the licences.
    Unlicensed,
    /// It is on the block list.
    Blocked,
    /// A score is beyond its limit.
    Beyond,
    /// It has no score for a limit.
    Unscored,
}

/// The data on a page that is packed.
pub struct Admitted {
    /// The record, if it was changed, and its new text.
    pub changed: Option<(Vec<u8>, String)>,
    /// Number of placeholders in its text.
    pub masked: u64,
    /// Its class, if it has one.
    pub class: Option<usize>,
}

/// The choice of pages.
pub struct Choice {
    reserved: Reserved,
    licensed: Vec<String>,
    limits: Limits,
    mask: Vec<Personal>,
    blocklist: Option<Domains>,
    classes: Domains,
    caps: Caps,
}

/// A place of the field `pii`, in code points of the text.
#[derive(Serialize)]
struct Place {
    #[serde(rename = "type")]
    kind: &'static str,
    start: usize,
    end: usize,
}

impl Choice {
    /// Reads the lists that the options name.
    ///
    /// # Errors
    /// Fails if a list cannot be read, or a cap names no class of it.
    pub fn new(options: &Options, max_bytes: u64) -> Result<Self> {
        let read = |folder: &Option<PathBuf>, option| {
            folder.as_deref().map(|folder| Domains::read(folder, option, max_bytes)).transpose()
        };
        let classes = read(&options.classes, "--classes")?.unwrap_or_default();
        let mut caps = Caps { site: options.cap_site, classes: Vec::new() };
        for Cap { class: name, share } in &options.cap {
            let Some(class) = classes.classes().iter().position(|class| class == name) else {
                bail!(
                    "{name}={share}: there is no class {name}; --classes has {} (--cap)",
                    classes.classes().join(", ")
                );
            };
            caps.classes.push((class, *share));
        }
        Ok(Self {
            reserved: options.reserved,
            licensed: options
                .licensed
                .iter()
                .map(|name| name.trim().to_ascii_lowercase())
                .collect(),
            limits: Limits { least: options.min.clone(), most: options.max.clone() },
            mask: options.mask.clone(),
            blocklist: read(&options.blocklist, "--blocklist")?,
            classes,
            caps,
        })
    }

    /// Decides on a page, and masks its text.
    ///
    /// # Errors
    /// Fails if a field that the decision needs cannot be read, in a sentence.
    pub fn admit(
        &self,
        url: &str,
        text: &str,
        fields: &mut Fields,
    ) -> Result<Result<Admitted, Refusal>> {
        if self.blocklist.as_ref().is_some_and(|list| list.class(url).is_some()) {
            return Ok(Err(Refusal::Blocked));
        }
        if self.reserved == Reserved::Drop
            && value(fields, "reservation")?.is_some_and(|reservation| is_reserved(&reservation))
        {
            return Ok(Err(Refusal::Reserved));
        }
        if !self.licensed.is_empty() {
            let license = value(fields, "license")?;
            let license = license.as_ref().and_then(Value::as_str).unwrap_or_default();
            if !self.licensed.iter().any(|name| name == license) {
                return Ok(Err(Refusal::Unlicensed));
            }
        }
        if let Err(refusal) = self.limits.admit(fields)? {
            return Ok(Err(refusal));
        }
        let mut admitted = Admitted { changed: None, masked: 0, class: self.classes.class(url) };
        if let Some((text, places)) = masked(text, &self.mask) {
            admitted.masked = places.len() as u64;
            admitted.changed = Some((mask(fields, &text, &places)?, text));
        }
        Ok(Ok(admitted))
    }

    /// Whether a share of a site or a class is limited.
    pub fn has_caps(&self) -> bool {
        !self.caps.is_empty()
    }

    /// Returns the hashes of the pages that the caps leave.
    pub fn capped(&self, offered: Vec<Offered>) -> HashSet<u64> {
        self.caps.choose(offered)
    }

    /// Rows of the README's table of figures on what the choice left out and changed. `bytes`:
    /// bytes of all packed text.
    pub fn rows(&self, tally: &Tally, bytes: u64) -> String {
        let mut rows = String::new();
        let mut row = |figure: &str, value: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(rows, "| {figure} | {value} |");
        };
        if self.reserved == Reserved::Drop {
            row("pages left out: text reserved", tally.reserved.to_string());
        }
        if !self.licensed.is_empty() {
            row(
                "licences",
                self.licensed.iter().map(|name| super::cell(name)).collect::<Vec<_>>().join(", "),
            );
            row("pages left out: none of these licences", tally.unlicensed.to_string());
        }
        if !self.limits.is_empty() {
            row("limits of scores", super::cell(&self.limits.to_string()));
            row("pages left out: beyond these limits", tally.beyond.to_string());
            row("pages left out: without these scores", tally.unscored.to_string());
        }
        if let Some(list) = &self.blocklist {
            let classes: Vec<String> =
                list.classes().iter().map(|class| super::cell(class)).collect();
            row(
                "pages left out: block list",
                format!("{} ({})", tally.blocked, classes.join(", ")),
            );
        }
        if self.has_caps() {
            row("pages left out: largest shares of sites and classes", tally.capped.to_string());
        }
        if !self.mask.is_empty() {
            let kinds =
                self.mask.iter().map(|kind| format!("{} as `{}`", kind.as_str(), kind.stand_in()));
            let kinds = kinds.collect::<Vec<_>>().join(", ");
            row("personal data replaced (places in `pii`)", format!("{}: {kinds}", tally.masked));
        }
        for (number, class) in self.classes.classes().iter().enumerate() {
            let (pages, of_class) = tally.classes.get(&number).copied().unwrap_or_default();
            let share = super::percent(of_class, bytes);
            row(
                &format!("class {}", super::cell(class)),
                format!("{share:.1} % of the text, {pages} pages"),
            );
        }
        rows
    }
}

/// Counts of pages that the choice left out or changed.
#[derive(Debug, Default)]
pub struct Tally {
    reserved: u64,
    unlicensed: u64,
    blocked: u64,
    beyond: u64,
    unscored: u64,
    /// Pages beyond the largest share of their site or class.
    pub capped: u64,
    masked: u64,
    /// Packed pages and bytes of text by class.
    classes: BTreeMap<usize, (u64, u64)>,
}

impl Tally {
    /// Counts a page that is left out.
    pub fn refuse(&mut self, refusal: Refusal) {
        match refusal {
            Refusal::Reserved => self.reserved += 1,
            Refusal::Unlicensed => self.unlicensed += 1,
            Refusal::Blocked => self.blocked += 1,
            Refusal::Beyond => self.beyond += 1,
            Refusal::Unscored => self.unscored += 1,
        }
    }

    /// Counts a page that is packed.
    pub fn add(&mut self, masked: u64, class: Option<usize>, bytes: u64) {
        self.masked += masked;
        if let Some(class) = class {
            let of_class = self.classes.entry(class).or_default();
            *of_class = (of_class.0 + 1, of_class.1 + bytes);
        }
    }

    /// Returns what was left out, for messages.
    pub fn left_out(&self) -> Vec<String> {
        let counts = [
            (self.reserved, "with a reservation (--reserved)"),
            (self.unlicensed, "without one of the licences (--licensed)"),
            (self.blocked, "of the block list (--blocklist)"),
            (self.beyond, "beyond the limit of a score (--min, --max)"),
            (self.unscored, "without a score that has a limit (--min, --max)"),
            (self.capped, "beyond the largest share of their host or class (--cap, --cap-site)"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        counts.map(|(count, what)| format!("{} {what}", counted(count, "page"))).collect()
    }
}

/// The host of a URL in lower case without a final dot, empty if it has none.
pub fn host(url: &str) -> String {
    urls::parse(url).and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

/// The value of a field, if the record has it.
fn value(fields: &Fields, name: &str) -> Result<Option<Value>> {
    let value = fields.get(name).map(serde_json::from_str).transpose();
    value.map_err(|error| anyhow!("the field `{name}` cannot be read: {error}"))
}

/// The record with another text, and the places of the placeholders in it.
fn mask(
    fields: &mut Fields,
    text: &str,
    places: &[(std::ops::Range<usize>, Personal)],
) -> Result<Vec<u8>> {
    fields.set("text", text)?;
    if fields.get("main_bytes").is_some() {
        fields.set("main_bytes", &text.len())?;
    }
    let places: Vec<Place> = places
        .iter()
        .map(|(place, kind)| Place { kind: kind.as_str(), start: place.start, end: place.end })
        .collect();
    if !fields.set(PERSONAL, &places)? {
        fields.add(PERSONAL, &places)?;
    }
    Ok(fields.line()?)
}
