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
            "# Web corpus: {} ({})\n\n`{file}` has {} with {} of the language ({:.1} MB, \
             compressed), written on {} (UTC).\n\n| setting | value |\n|---|---|\n",
            settings.target().name(),
            settings.target(),
            counted(sums.documents, "document"),
            counted(sums.target_bytes, "byte"),
            sums.bytes as f64 / 1e6,
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
            true => format!("{ruled_out} pages ruled out by their script, for every language"),
            false => "none: every page was parsed".to_owned(),
        };
        let duplicates = self.corpus.1.duplicates;
        let mut rows = vec![
            ("language", settings.target().to_string()),
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
        Format::Jsonl => {
            "One JSON object a line: `id` (unique), `url`, `host`, `fetch_time`, `title`, `text` (main content, \
             blocks joined by\n`\\n`), `charset`, `content_type`, `kind` (`document` for PDF, Office and RTF files), `raw_bytes`, `visible_bytes`, `main_bytes`, `languages` \
             (UTF-8 bytes of main text by ISO\n639-3 code), `language_set` (in percent), `decision`, `record_version` \
             (extractor and identifier), `signature` (MD5 of the\npage's bytes). If the page comes from a crawl: `round`. If the page states them: `published`, \
             `modified`, `date_source`, `license`, `license_url`, `license_source`,\n`reservation`, \
             `alternates`, `author`, `site_name`, `headline` (docs/provenance.md of Corpulyzer defines them)."
        }
    }
}

fn today() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string().chars().take(10).collect()
}
