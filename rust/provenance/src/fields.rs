//! The fields of a record that this crate fills.

use crate::alternates::alternates;
use crate::dates::{dates, Context, Dates};
use crate::license::{license, License};
use crate::people::{author, site_name};
use crate::reservation::{HostFiles, Reservation};
use content::Statements;
use serde_json::Value;

/// Names of the fields, in the order in which records have them.
pub const FIELDS: [&str; 11] = [
    "published",
    "modified",
    "date_source",
    "license",
    "license_url",
    "license_source",
    "reservation",
    "alternates",
    "author",
    "site_name",
    "headline",
];

/// The statements of a page about itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Provenance {
    /// Days of publication and of the last change.
    pub dates: Dates,
    /// The licence, if the page states one.
    pub license: Option<License>,
    /// Reservations of the page, its header and its host.
    pub reservation: Reservation,
    /// Versions in other languages that the page names.
    pub alternates: Option<Value>,
    /// The authors, separated by `; `.
    pub author: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// The headline above the main content, which the caller finds.
    pub headline: Option<String>,
}

/// Path and query of a URL.
fn path(url: &str) -> String {
    url.splitn(4, '/').nth(3).map_or_else(|| "/".to_owned(), |path| format!("/{path}"))
}

/// Adds the rules of a page's host to its fields, in the order of [`FIELDS`]. The page was read
/// without them, as the plugins for Nutch do.
pub fn add_host_rules(fields: &mut Vec<(&'static str, Value)>, url: &str, files: HostFiles) {
    const NAME: &str = "reservation";
    let order = |field: &str| FIELDS.iter().position(|known| *known == field);
    let at = fields.partition_point(|(field, _)| order(field) < order(NAME));
    let is_stored = fields.get(at).is_some_and(|(field, _)| *field == NAME);
    let stored = is_stored.then(|| fields.remove(at).1);
    if let Some(reservation) = Reservation::with_files(stored, files, &path(url)) {
        fields.insert(at, (NAME, reservation));
    }
}

impl Provenance {
    /// Reads the statements of a page.
    pub fn of(statements: &Statements, context: &Context) -> Self {
        Self {
            dates: dates(statements, context),
            license: license(statements, context.url),
            reservation: Reservation::of(
                statements,
                context.headers,
                context.files,
                &path(context.url.unwrap_or_default()),
            ),
            alternates: alternates(context),
            author: author(statements),
            site_name: site_name(statements),
            headline: None,
        }
    }

    /// The fields that have a value, by name in the order of [`FIELDS`].
    pub fn fields(&self) -> Vec<(&'static str, Value)> {
        let text = |value: Option<String>| value.map(Value::String);
        let license = self.license.as_ref();
        let values = [
            text(self.dates.published.map(|day| day.to_string())),
            text(self.dates.modified.map(|day| day.to_string())),
            text(self.dates.source.map(|source| source.to_string())),
            text(license.map(|license| license.name.clone())),
            text(license.and_then(|license| license.url.clone())),
            text(license.map(|license| license.source.to_string())),
            self.reservation.value(),
            self.alternates.clone(),
            text(self.author.clone()),
            text(self.site_name.clone()),
            text(self.headline.clone()),
        ];
        FIELDS.into_iter().zip(values).filter_map(|(name, value)| Some((name, value?))).collect()
    }
}
