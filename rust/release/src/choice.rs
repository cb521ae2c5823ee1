//! The choice by sources and rights: the pages that a release leaves out, and those it changes.

mod caps;
mod scores;

use crate::readme::{cell, percent};
use caps::Caps;
pub use caps::Offered;
use inputs::corpus::{Fields, Unwritable};
use inputs::domains::Domains;
use inputs::urls;
use provenance::{is_reserved, masked, Personal};
use scores::Limits;
pub use scores::{BadBound, Bound};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::str::FromStr;

/// Fields that stay as they are: the text, which is masked by itself, and addresses of the page.
const UNMASKED: [&str; 4] = ["text", "url", "id", "host"];

/// Ends of the names of other fields with addresses of pages.
const ADDRESS: &str = "_url";

/// Field with the places of personal data that was replaced.
const PERSONAL: &str = "pii";

/// Settings of the choice. With their defaults, it leaves out no page and changes none.
#[derive(Debug, Default)]
pub struct Settings {
    /// Leave out pages whose text is reserved (field `reservation`).
    pub drop_reserved: bool,
    /// The licences that are packed (field `license`), in lower case; all if there are none.
    pub licensed: Vec<String>,
    /// Scores below which a page is left out.
    pub least: Vec<Bound>,
    /// Scores above which a page is left out.
    pub most: Vec<Bound>,
    /// Personal data that is replaced by placeholders.
    pub mask: Vec<Personal>,
    /// Hosts and URLs whose pages are left out.
    pub blocklist: Option<Domains>,
    /// Hosts and URLs whose classes are counted.
    pub classes: Domains,
    /// Largest shares of these classes.
    pub caps: Vec<Cap>,
    /// Largest share of a host, from 0 to 1.
    pub cap_site: Option<f64>,
}

/// A class and its largest share.
#[derive(Debug, Clone)]
pub struct Cap {
    /// Name of the class.
    pub class: String,
    /// The share, from 0 to 1.
    pub share: f64,
}

/// A cap that cannot hold.
#[derive(Debug, thiserror::Error)]
pub enum BadCap {
    /// A text is no cap.
    #[error("allowed is CLASS=SHARE with a share over 0 up to 1, such as religious=.2")]
    NoCap,
    /// There is no such class.
    #[error("{class}={share}: there is no class {class}; --classes has {}", known.join(", "))]
    NoClass {
        /// Name of the class.
        class: String,
        /// Largest share of the pages that it may have.
        share: f64,
        /// The classes that are there.
        known: Vec<String>,
    },
}

impl FromStr for Cap {
    type Err = BadCap;

    fn from_str(text: &str) -> Result<Self, BadCap> {
        let (class, share) = text.split_once('=').ok_or(BadCap::NoCap)?;
        let share = share.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
        Ok(Self { class: class.to_owned(), share: share.ok_or(BadCap::NoCap)? })
    }
}

/// Why the choice cannot decide on a page.
#[derive(Debug, thiserror::Error)]
pub enum BadPage {
    /// A field that it needs is not JSON.
    #[error("the field `{name}` cannot be read: {error}")]
    Field {
        /// Name of the field.
        name: String,
        /// The error of the reader.
        error: serde_json::Error,
    },
    /// The changed record cannot be written.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
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
    /// Number of placeholders in its text and in its other fields.
    pub masked: u64,
    /// Its class, if it has one.
    pub class: Option<usize>,
}

/// The choice of pages.
#[derive(Debug, Default)]
pub struct Choice {
    drop_reserved: bool,
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
    /// Creates a choice.
    ///
    /// # Errors
    /// Fails if a cap is of a class that is not there.
    pub fn new(settings: Settings) -> Result<Self, BadCap> {
        let classes = settings.classes;
        let mut caps = Caps { site: settings.cap_site, classes: Vec::new() };
        for Cap { class, share } in settings.caps {
            match classes.classes().iter().position(|known| *known == class) {
                Some(number) => caps.classes.push((number, share)),
                None => {
                    let known = classes.classes().to_vec();
                    return Err(BadCap::NoClass { class, share, known });
                }
            }
        }
        Ok(Self {
            drop_reserved: settings.drop_reserved,
            licensed: settings.licensed,
            limits: Limits { least: settings.least, most: settings.most },
            mask: settings.mask,
            blocklist: settings.blocklist,
            classes,
            caps,
        })
    }

    /// Decides on a page, and masks its text.
    ///
    /// # Errors
    /// Fails if a field that the decision needs cannot be read.
    pub fn admit(
        &self,
        url: &str,
        text: &str,
        fields: &mut Fields,
    ) -> Result<Result<Admitted, Refusal>, BadPage> {
        if self.blocklist.as_ref().is_some_and(|list| list.class(url).is_some()) {
            return Ok(Err(Refusal::Blocked));
        }
        if self.drop_reserved
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
        if !self.mask.is_empty() {
            admitted.masked = mask_fields(fields, &self.mask)?;
            let is_changed = admitted.masked > 0;
            if let Some((text, places)) = masked(text, &self.mask) {
                admitted.masked += places.len() as u64;
                admitted.changed = Some((mask(fields, &text, &places)?, text));
            } else if is_changed {
                admitted.changed = Some((fields.line()?, text.to_owned()));
            }
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
        if self.drop_reserved {
            row("pages left out: text reserved", tally.reserved.to_string());
        }
        if !self.licensed.is_empty() {
            row(
                "licences",
                self.licensed.iter().map(|name| cell(name)).collect::<Vec<_>>().join(", "),
            );
            row("pages left out: none of these licences", tally.unlicensed.to_string());
        }
        if !self.limits.is_empty() {
            row("limits of scores", cell(&self.limits.to_string()));
            row("pages left out: beyond these limits", tally.beyond.to_string());
            row("pages left out: without these scores", tally.unscored.to_string());
        }
        if let Some(list) = &self.blocklist {
            let classes: Vec<String> = list.classes().iter().map(|class| cell(class)).collect();
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
            let share = percent(of_class, bytes);
            row(
                &format!("class {}", cell(class)),
                format!("{share:.1} % of the text, {pages} pages"),
            );
        }
        rows
    }
}

/// Counts of pages that the choice left out or changed.
#[derive(Debug, Default)]
pub struct Tally {
    /// Pages whose text is reserved.
    pub reserved: u64,
    /// Pages without one of the licences.
    pub unlicensed: u64,
    /// Pages on the block list.
    pub blocked: u64,
    /// Pages with a score beyond its limit.
    pub beyond: u64,
    /// Pages without a score that has a limit.
    pub unscored: u64,
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

    /// Whether no page is left out.
    pub fn is_empty(&self) -> bool {
        let Self { reserved, unlicensed, blocked, beyond, unscored, capped, .. } = self;
        [reserved, unlicensed, blocked, beyond, unscored, capped].iter().all(|count| **count == 0)
    }
}

/// The host of a URL in lower case without a final dot, empty if it has none.
pub fn host(url: &str) -> String {
    urls::parse(url).and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

/// The value of a field, if the record has it.
fn value(fields: &Fields, name: &str) -> Result<Option<Value>, BadPage> {
    let value = fields.get(name).map(serde_json::from_str).transpose();
    value.map_err(|error| BadPage::Field { name: name.to_owned(), error })
}

/// Replaces personal data in all fields but the text and addresses, also inside lists and objects.
/// Returns the number of placeholders.
fn mask_fields(fields: &mut Fields, kinds: &[Personal]) -> Result<u64, BadPage> {
    let mut number = 0;
    fields.change(|name, raw| {
        let is_text = raw.starts_with(['"', '[', '{']) && may_have_personal(raw);
        if !is_text || UNMASKED.contains(&name) || name.ends_with(ADDRESS) {
            return Ok(None);
        }
        let mut value = serde_json::from_str(raw)
            .map_err(|error| BadPage::Field { name: name.to_owned(), error })?;
        let found = mask_value(&mut value, kinds);
        number += found;
        Ok::<_, BadPage>((found > 0).then_some(value))
    })?;
    Ok(number)
}

/// Returns whether the JSON of a value may have personal data: an at sign, a dot or a colon, or an
/// escape that may be one.
fn may_have_personal(raw: &str) -> bool {
    raw.contains(['@', '\u{ff20}', '.', '\\']) || raw.matches(':').count() > 1
}

/// Replaces personal data in the texts of a value. Returns the number of placeholders.
fn mask_value(value: &mut Value, kinds: &[Personal]) -> u64 {
    match value {
        Value::String(text) => masked(text, kinds).map_or(0, |(new, places)| {
            *text = new;
            places.len() as u64
        }),
        Value::Array(values) => values.iter_mut().map(|value| mask_value(value, kinds)).sum(),
        Value::Object(fields) => {
            let texts =
                fields.iter_mut().filter(|(name, _)| !UNMASKED[1..].contains(&name.as_str()));
            texts.map(|(_, value)| mask_value(value, kinds)).sum()
        }
        _ => 0,
    }
}

/// The record with another text, and the places of the placeholders in it.
fn mask(
    fields: &mut Fields,
    text: &str,
    places: &[(std::ops::Range<usize>, Personal)],
) -> Result<Vec<u8>, Unwritable> {
    fields.set_text(text)?;
    let places: Vec<Place> = places
        .iter()
        .map(|(place, kind)| Place { kind: kind.as_str(), start: place.start, end: place.end })
        .collect();
    if !fields.set(PERSONAL, &places)? {
        fields.add(PERSONAL, &places)?;
    }
    fields.line()
}
