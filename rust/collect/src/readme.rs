//! The page beside a corpus: what it is, how it was made, and whom to ask for removal.
//!
//! Its sentences are in `data/`, where `CorpusReadme` of `java/crawl` reads them too.

use crate::join::CorpusSums;
use crate::part::Figures;
use engine::{Engine, Format, Policy};
use render::counted;
use std::time::SystemTime;

/// The data of the page, in addition to the engine's settings.
#[derive(Debug, Clone, Copy)]
pub struct Readme<'a> {
    /// The engine of the language.
    pub engine: &'a Engine,
    /// Number of inputs.
    pub inputs: usize,
    /// Sums over the inputs.
    pub figures: &'a Figures,
    /// File of the corpus, and what it has.
    pub corpus: (&'a str, CorpusSums),
    /// The same of the rejected pages, if they were asked for.
    pub rejected: Option<(&'a str, CorpusSums)>,
    /// Whether the first look was used.
    pub first_look: bool,
    /// The form of the documents.
    pub format: Format,
    /// Whom to ask for removal, if known.
    pub contact: Option<&'a str>,
}

impl Readme<'_> {
    /// Returns the page, in Markdown.
    pub fn text(&self) -> String {
        let settings = self.engine.settings();
        let (file, sums) = self.corpus;
        let rejected = self.rejected.map_or_else(String::new, |(file, sums)| {
            let pages = counted(sums.documents, "page");
            format!("\n`{file}` has {pages} that were parsed and rejected.\n")
        });
        fill(PAGE, |name| match name {
            "language" => settings.target().name().to_owned(),
            "code" => settings.target().to_string(),
            "file" => file.to_owned(),
            "documents" => counted(sums.documents, "document"),
            "bytes" => counted(sums.target_bytes, "byte"),
            "size" => size(sums.bytes),
            "day" => today(),
            "settings" => {
                let row = |(name, value): (&str, String)| format!("| {name} | {value} |\n");
                self.rows().into_iter().map(row).collect()
            }
            "rejected" => rejected.clone(),
            "form" => form(self.format).trim_end().to_owned(),
            "robots" => {
                let noindex = self.figures.noindex;
                format!(": {noindex}. The crawler of the archive fetched the pages.")
            }
            "contact" => self.contact.unwrap_or("the person who gave you this corpus").to_owned(),
            other => unreachable!("the page names {other}"),
        })
    }

    /// Returns the names and values of the table.
    fn rows(&self) -> Vec<(&'static str, String)> {
        let settings = self.engine.settings();
        let Figures { records, pages, ruled_out, problems, .. } = self.figures;
        let without = match settings.comments {
            engine::Comments::Keep => "",
            engine::Comments::Drop => ", without comments of readers",
        };
        let kept = match settings.policy {
            Policy::Recall => "for any sign of the language (recall)".to_owned(),
            Policy::Precision => {
                format!("from {} bytes of the language (precision)", settings.min_bytes)
            }
        };
        let look = match self.first_look {
            true => format!(
                "{} not parsed, with too few letters in the scripts of the languages of the run",
                counted(*ruled_out, "page")
            ),
            false => "none: every page was parsed".to_owned(),
        };
        let duplicates = self.corpus.1.duplicates;
        let mut rows = vec![
            ("language code", settings.target().to_string()),
            (
                "source",
                format!("archives; files: {}, records: {records}, pages: {pages}", self.inputs),
            ),
            ("main content by", [settings.extractor.name(), without].concat()),
            ("pages are kept", kept),
            ("language packs", packs(self.engine)),
            ("first look", look),
            ("pages", "kept pages only".to_owned()),
            ("characters", "as in the pages".to_owned()),
            (
                "duplicates",
                format!(
                    "{} skipped, because an earlier one has the same URL",
                    counted(duplicates, "document")
                ),
            ),
            ("skipped records", problems.values().sum::<u64>().to_string()),
        ];
        let left_out = self.figures.left_out();
        rows.extend(left_out.map(|left_out| ("records that are no pages", left_out)));
        rows.push(("record", self.engine.version().to_owned()));
        rows
    }
}

/// The names of the packs: their folders mean nothing to a reader.
fn packs(engine: &Engine) -> String {
    let names = engine.settings().packs.iter().filter_map(|pack| pack.file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    if names.is_empty() {
        return "none".to_owned();
    }
    names.join(", ")
}

fn form(format: Format) -> &'static str {
    match format {
        Format::Text => "Each document is followed by an empty line.",
        Format::Jsonl => FIELDS,
    }
}

/// The page with names of values in braces. The README of a crawl's corpus fills it too.
const PAGE: &str = include_str!("../data/readme.md");

/// The fields of a record; `docs/provenance.md` defines the rows from `published` to `alternates`.
const FIELDS: &str = include_str!("../data/fields.md");

/// Returns the page with a value in the place of each name, in one pass: a value may have braces.
fn fill(page: &str, value: impl Fn(&str) -> String) -> String {
    let mut pieces = page.split('{');
    let head = pieces.next().unwrap_or_default().to_owned();
    pieces
        .filter_map(|piece| piece.split_once('}'))
        .fold(head, |text, (name, rest)| text + &value(name) + rest)
}

/// A size in decimal units, which are those of the report.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

fn today() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string().chars().take(10).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_value_in_a_value_is_text() {
        let value = |name: &str| format!("<{name} {{b}} }}");
        assert_eq!(fill("1{a}\n2{b}{c}", value), "1<a {b} }\n2<b {b} }<c {b} }");
        assert_eq!(fill("none", value), "none");
    }
}
