//! The page beside a corpus: what it is, how it was made, and whom to ask for removal. Its form is
//! that of a crawl's corpus (`CorpusReadme` of `java/crawl`).

use crate::join::CorpusSums;
use crate::part::Figures;
use engine::{Engine, Format, Policy};
use render::counted;
use std::fmt::Write as _;
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
        let mut text = format!(
            "# Web corpus: {} ({})\n\n`{file}` has {} with {} of the language ({}, \
             compressed), written on {} (UTC).\n\n| setting | value |\n|---|---|\n",
            settings.target().name(),
            settings.target(),
            counted(sums.documents, "document"),
            counted(sums.target_bytes, "byte"),
            size(sums.bytes),
            today()
        );
        for (name, value) in self.rows() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {name} | {value} |");
        }
        if let Some((file, sums)) = self.rejected {
            let _ = writeln!(
                text,
                "\n`{file}` has {} that were parsed and rejected.",
                counted(sums.documents, "page")
            );
        }
        let whom = self.contact.unwrap_or("the person who gave you this corpus");
        let _ = write!(
            text,
            "\n{}\n\nPages whose robots directives forbid indexing are not in this corpus: {}. The crawler of the archive fetched \
             the pages.\n\n## Removal\n\nThe texts belong to their authors. To have a page or a site removed, write \
             to {whom}. Name its\naddresses (field `url`). Write from an address of the site, or show in another way \
             that it is yours.\n",
            form(self.format),
            self.figures.noindex
        );
        text
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

/// The fields of a record; `docs/provenance.md` defines the last three rows. The crawl's README
/// (`CorpusReadme.java`) has this table too.
const FIELDS: &str = "One JSON object a line. What a page does not state is left out.\n\n\
| field | contents |\n|---|---|\n\
| `id` | the URL with the parts of its host in reverse order; no other line has it |\n\
| `url`, `host`, `fetch_time` | address of the page, its host, and when it was fetched (UTC) |\n\
| `round` | round of the crawl in which the page was fetched, if it comes from a crawl |\n\
| `title`, `text` | title of the page, and its main content; `\\n` separates headings, paragraphs and items |\n\
| `charset`, `content_type` | charset and media type of the page |\n\
| `kind` | `document` for PDF, Office and RTF files; pages have no `kind` |\n\
| `raw_bytes`, `visible_bytes`, `main_bytes` | bytes of the page as fetched, of all its visible text, and of `text` (UTF-8) |\n\
| `languages` | bytes of `text` in each language (UTF-8), by ISO 639-3 code; `und` is no known language |\n\
| `language_set` | the languages that the page is written in, in percent of its text; single sentences in others do not count |\n\
| `spans` | parts of `text` in one language, if the corpus was made with `--spans` |\n\
| `decision` | `keep` or `reject`, with the reason |\n\
| `record_version` | versions of the record, the extractor of main content and the identifier of languages |\n\
| `signature` | MD5 of the page's bytes |\n\
| `published`, `modified`, `date_source` | days on which the page was published and changed, as it states them, and where it does |\n\
| `license`, `license_url`, `license_source`, `reservation` | licence and reservations that the page states |\n\
| `author`, `site_name`, `headline`, `alternates` | author, site, headline, and versions in other languages, as the page states them |";

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
