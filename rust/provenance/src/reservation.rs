//! Reservations of rights holders against the use of a page's text: TDMRep, Content-Usage,
//! Content-Signal, and the robots directives `noai` and `noimageai`.
//!
//! Absence states nothing: an unknown preference is neither a permission nor a reservation.

mod headers;
mod robots;
mod tdm;

pub use robots::RobotsFile;
pub use tdm::TdmFile;

use content::Statements;
use serde_json::{json, Map, Value};

/// Robots directives against use by AI.
const NOAI: [&str; 2] = ["noai", "noimageai"];

/// A preference for a category of use: `y` or `n`, and where it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preference {
    /// The category, such as `train-ai`, `search`, `ai-input`.
    pub category: String,
    /// Whether the use is allowed.
    pub allowed: bool,
    /// `header` or `robots.txt`.
    pub source: &'static str,
}

/// The reservations of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reservation {
    /// `tdm-reservation` of TDMRep, and its source: `file`, `header` or `meta`.
    pub tdm: Option<(bool, &'static str)>,
    /// `tdm-policy`, an address.
    pub tdm_policy: Option<String>,
    /// Preferences of Content-Usage (IETF, AI Preferences).
    pub content_usage: Vec<Preference>,
    /// Preferences of Content-Signal.
    pub content_signal: Vec<Preference>,
    /// `noai` and `noimageai`, and their source: `header` or `meta`.
    pub noai: Vec<(&'static str, &'static str)>,
}

/// The files of a host that have reservations for its pages.
#[derive(Debug, Clone, Copy, Default)]
pub struct HostFiles<'a> {
    /// The host's `/robots.txt`, if it has one.
    pub robots: Option<&'a RobotsFile>,
    /// The host's `/.well-known/tdmrep.json`, if it has one.
    pub tdm: Option<&'a TdmFile>,
}

impl Reservation {
    /// Reads the reservations of a page. `headers`: lines of `name: value`. `path`: path and query
    /// of its URL. Of TDMRep the file counts least, then the header, then the page; absence resets
    /// nothing.
    pub fn of(statements: &Statements, headers: &str, files: HostFiles, path: &str) -> Self {
        let mut found = Self::of_files(files, path);
        for (name, value) in headers.lines().filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "tdm-reservation" => found.tdm(value, "header"),
                "tdm-policy" => found.policy(value),
                "content-usage" => {
                    headers::merge(&mut found.content_usage, headers::usage(value, "header"))
                }
                "content-signal" => {
                    headers::merge(&mut found.content_signal, headers::signal(value, "header"))
                }
                "x-robots-tag" => found.directives(value, "header"),
                _ => {}
            }
        }
        for meta in &statements.metas {
            match meta.name.as_str() {
                "tdm-reservation" => found.tdm(meta.content.trim(), "meta"),
                "tdm-policy" => found.policy(meta.content.trim()),
                "robots" => found.directives(&meta.content, "meta"),
                _ => {}
            }
        }
        found
    }

    /// The rules of a host for a path.
    fn of_files(files: HostFiles, path: &str) -> Self {
        let rule = files.tdm.and_then(|file| file.rule(path));
        Self {
            tdm: rule.map(|(reserved, _)| (reserved, "file")),
            tdm_policy: rule.and_then(|(_, policy)| policy).map(str::to_owned),
            content_usage: files.robots.map_or_else(Vec::new, |file| file.content_usage(path)),
            content_signal: files.robots.map_or_else(Vec::new, |file| file.content_signal(path)),
            noai: Vec::new(),
        }
    }

    /// Adds the rules of a host to the field `reservation` of a page that was read without them.
    /// The result is that of [`Reservation::of`] with the files.
    pub(crate) fn with_files(stored: Option<Value>, files: HostFiles, path: &str) -> Option<Value> {
        let mut all = Self::of_files(files, path);
        if all == Self::default() {
            return stored;
        }
        all.add(&stored.unwrap_or_default());
        all.value()
    }

    /// Adds what a field states, which counts more than the rules of the host.
    fn add(&mut self, stored: &Value) {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let tdm = &stored["tdm"];
        let reserved = tdm["reservation"].as_u64().filter(|reserved| *reserved < 2);
        if let (Some(reserved), Some(source)) = (reserved, source(&tdm["source"])) {
            self.tdm = Some((reserved == 1, source));
        }
        self.tdm_policy = text(&tdm["policy"]).or_else(|| self.tdm_policy.take());
        for (name, preferences) in [
            ("content_usage", &mut self.content_usage),
            ("content_signal", &mut self.content_signal),
        ] {
            let members = stored[name].as_object().into_iter().flatten();
            let more = members.filter_map(|(category, preference)| {
                Some(Preference {
                    category: category.clone(),
                    allowed: matches!(preference["value"].as_str()?, "y"),
                    source: source(&preference["source"])?,
                })
            });
            headers::merge(preferences, more.collect());
        }
        for directive in NOAI {
            self.noai.extend(source(&stored["noai"][directive]).map(|source| (directive, source)));
        }
    }

    /// Other values than 0 and 1 are as if there were none.
    fn tdm(&mut self, value: &str, source: &'static str) {
        match value {
            "0" => self.tdm = Some((false, source)),
            "1" => self.tdm = Some((true, source)),
            _ => {}
        }
    }

    fn policy(&mut self, value: &str) {
        if !value.is_empty() {
            self.tdm_policy = Some(value.to_owned());
        }
    }

    fn directives(&mut self, value: &str, source: &'static str) {
        for word in value.split([',', ';']).map(str::trim) {
            // Directives may follow the name of a crawler: they are taken as they are, for whom
            // they are is recorded nowhere.
            let word = word.rsplit(':').next().unwrap_or_default().trim();
            for directive in NOAI {
                if word.eq_ignore_ascii_case(directive)
                    && !self.noai.iter().any(|(known, _)| *known == directive)
                {
                    self.noai.push((directive, source));
                }
            }
        }
    }

    /// The reservations as a field of a record; `None` if the page states nothing.
    pub fn value(&self) -> Option<Value> {
        let mut fields = Map::new();
        if self.tdm.is_some() || self.tdm_policy.is_some() {
            let mut tdm = Map::new();
            if let Some((reserved, source)) = self.tdm {
                tdm.insert("reservation".to_owned(), json!(u8::from(reserved)));
                tdm.insert("source".to_owned(), json!(source));
            }
            if let Some(policy) = &self.tdm_policy {
                tdm.insert("policy".to_owned(), json!(policy));
            }
            fields.insert("tdm".to_owned(), tdm.into());
        }
        for (name, preferences) in
            [("content_usage", &self.content_usage), ("content_signal", &self.content_signal)]
        {
            let preferences = preferences.iter().map(|Preference { category, allowed, source }| {
                (
                    category.clone(),
                    json!({"value": if *allowed { "y" } else { "n" }, "source": source}),
                )
            });
            let preferences: Map<_, _> = preferences.collect();
            if !preferences.is_empty() {
                fields.insert(name.to_owned(), preferences.into());
            }
        }
        if !self.noai.is_empty() {
            let directives = self
                .noai
                .iter()
                .map(|(directive, source)| ((*directive).to_owned(), json!(source)));
            fields.insert("noai".to_owned(), directives.collect::<Map<_, _>>().into());
        }
        (!fields.is_empty()).then(|| fields.into())
    }
}

/// A source as fields name it.
fn source(name: &Value) -> Option<&'static str> {
    ["file", "header", "meta", "robots.txt"].into_iter().find(|known| name == known)
}

/// Whether a field `reservation` reserves the text of its page: TDM rights, training of models, or
/// all use by AI.
pub fn is_reserved(reservation: &Value) -> bool {
    let is = |path: &str, value: Value| reservation.pointer(path) == Some(&value);
    is("/tdm/reservation", json!(1))
        || is("/content_usage/train-ai/value", json!("n"))
        || is("/content_signal/ai-train/value", json!("n"))
        || reservation.pointer("/noai/noai").is_some()
}

/// Returns preferences as text, for tests.
#[cfg(test)]
fn shown(preferences: Vec<Preference>) -> String {
    let shown = preferences.iter().map(|preference| {
        format!("{}={}", preference.category, if preference.allowed { 'y' } else { 'n' })
    });
    shown.collect::<Vec<_>>().join(" ")
}
