//! The README of a release.

use crate::files::Part;
use crate::{Layout, Settings, Tally, Wanted, SUMS, TERMS};
use figures::Figures;
use langbytes::LangCode;
use std::fmt::Write as _;

/// Number of languages besides the package's own that are named, those with most bytes.
const NAMED_LANGUAGES: usize = 5;

/// The data for the README of a package.
pub struct Readme<'a> {
    pub settings: &'a Settings,
    pub tally: &'a Tally,
    pub parts: &'a [Part],
    /// Of a corpus; a package of sentences has none.
    pub figures: Option<&'a Figures>,
}

impl Readme<'_> {
    /// The page on what is in the package. It holds no time and no path, so that the same input
    /// makes the same page.
    pub fn text(&self) -> String {
        let what = if self.figures.is_some() { "Web corpus" } else { "Sentences from the web" };
        let mut said = format!(
            "# {what}: {} ({})\n\n| figure | value |\n|---|---|\n",
            self.language().name(),
            self.language()
        );
        self.contents(&mut said);
        self.origin(&mut said);
        said += &self.settings.choice.rows(&self.tally.choice, self.tally.bytes);
        said += "\ndocs/report.md of Corpulyzer defines these figures. A program identified the languages.\n";
        self.files(&mut said);
        self.terms(&mut said);
        said
    }

    fn language(&self) -> LangCode {
        self.settings.language
    }

    fn is_hub(&self) -> bool {
        matches!(self.settings.layout, Layout::Hub(_))
    }

    /// Rows on the text.
    fn contents(&self, said: &mut String) {
        let Some(figures) = self.figures else {
            row(said, "sentences", self.tally.documents);
            row(said, "words", self.tally.words);
            row(said, "bytes of text (UTF-8)", self.tally.bytes);
            return;
        };
        let totals = &figures.totals;
        let name = self.language().name();
        row(said, "pages", totals.pages);
        row(said, "sites", figures.sites.sites);
        if let Some(words) = &figures.words {
            row(said, "words", words.vocabulary.tokens);
            row(said, "different words", words.vocabulary.types);
        }
        row(said, "bytes of main text (UTF-8)", totals.main_bytes);
        let own = figures.languages.iter().find(|row| row.code == self.language().as_str());
        let share = own.and_then(|row| row.bytes_percent).unwrap_or_default();
        row(said, &format!("bytes in {name}, of the text without line breaks"), share_of(share));
        row(said, "other languages with most bytes", self.other_languages(figures));
        row(said, "pages whose text is also that of another page", figures.duplicates.exact);
    }

    fn other_languages(&self, figures: &Figures) -> String {
        let mut others: Vec<_> =
            figures.languages.iter().filter(|row| row.code != self.language().as_str()).collect();
        others.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.code.cmp(&b.code)));
        let others = others.iter().take(NAMED_LANGUAGES).filter_map(|row| {
            let share = row.bytes_percent.filter(|share| *share >= 0.1)?;
            Some(format!("{} {}", row.code, share_of(share)))
        });
        others.collect::<Vec<_>>().join(", ")
    }

    /// Rows on where the text is from, and how it was chosen.
    fn origin(&self, said: &mut String) {
        let tally = self.tally;
        if let Some((first, last)) = &tally.fetched {
            row(said, "fetched", format_args!("{} to {}", cell(first), cell(last)));
        }
        if !tally.versions.is_empty() {
            let versions: Vec<_> =
                tally.versions.iter().map(|version| format!("`{}`", cell(version))).collect();
            row(said, "record versions (record, extractor, identifier)", versions.join(", "));
        }
        row(said, "choice", self.choice());
        row(said, "packed by", format_args!("corpulyzer {}", env!("CARGO_PKG_VERSION")));
    }

    fn choice(&self) -> String {
        let of = self.tally.of.map_or_else(String::new, |of| format!(" of {of}"));
        match (self.settings.wanted, self.figures.is_some()) {
            (Wanted::All, _) if !self.tally.choice.is_empty() => {
                "everything in the input, except the pages left out (below)".to_owned()
            }
            (Wanted::All, _) => "everything in the input".to_owned(),
            (Wanted::Words(wanted), true) => {
                format!("pages in the order of a hash of their URL, up to {wanted} words{of}")
            }
            (Wanted::Bytes(wanted), true) => {
                format!(
                    "pages in the order of a hash of their URL, up to {wanted} bytes of text{of}"
                )
            }
            (Wanted::Words(wanted), false) => {
                format!("the first sentences of the input, up to {wanted} words")
            }
            (Wanted::Bytes(wanted), false) => {
                format!("the first sentences of the input, up to {wanted} bytes of text")
            }
        }
    }

    fn files(&self, said: &mut String) {
        let _ = writeln!(said, "\n## Files\n\n| file | bytes |\n|---|---|");
        for part in self.parts {
            let _ = writeln!(said, "| `{}` | {} |", part.name, part.bytes);
        }
        *said += match self.figures {
            Some(_) if self.is_hub() => HUB_FILES,
            Some(_) => {
                "\nEach line is a JSON object. `url` is the address of the page. `text` is its main content, with `\\n` between\n\
                 blocks. `languages` has the bytes (UTF-8) of each language in it, by ISO 639-3 code. Other fields are as the\n\
                 crawl wrote them.\n"
            }
            None => "\nOne sentence on each line, in random order. If a line has a tab, the URL of the sentence's page follows it.\n",
        };
        let unpack = if self.is_hub() { "" } else { "`gzip -d` unpacks the files. " };
        let _ = writeln!(said, "{unpack}`sha256sum -c {SUMS}` checks them.");
    }

    /// The terms of use, and how a page is taken out.
    fn terms(&self, said: &mut String) {
        let contact = &self.settings.contact;
        let license = match &self.settings.layout {
            Layout::Lines => None,
            Layout::Hub(facts) => {
                Some((facts.license_name.as_ref().unwrap_or(&facts.license), &facts.license_url))
            }
        };
        said.push_str("\n## Terms\n\n");
        if let Some((name, address)) = license {
            let _ = writeln!(said, "The licence of this release is [{name}]({address}).");
        }
        let _ = match (self.settings.terms.is_some(), license) {
            (true, _) => writeln!(said, "The terms of use are in `{TERMS}`."),
            (false, Some(_)) => Ok(()),
            (false, None) => writeln!(
                said,
                "There are no terms of use. Ask {contact} before you use or pass on more than the law allows."
            ),
        };
        let field = match &self.figures {
            _ if self.is_hub() => " (column `url`)",
            Some(_) => " (field `url`)",
            None => "",
        };
        let _ = writeln!(
            said,
            "\n## Removal\n\nThe texts belong to their authors. To have a page or a site removed, write to {contact}. Name its\n\
             addresses{field}. Write from an address of the site, or show in another way that it is yours."
        );
    }
}

/// The section of the card on the columns.
const HUB_FILES: &str = "\n`datasets.load_dataset(FOLDER)` loads this folder. The columns have the names of FineWeb-2, as far as the records\n\
    have them. They differ from it in these:\n\n\
    | column | content |\n|---|---|\n\
    | `language` | the language of this corpus, ISO 639-3 |\n\
    | `language_score` | share of the bytes of `text` that are in this language. It is no probability |\n\
    | `language_script` | script of most letters of `text`, ISO 15924 |\n\
    | `date` | time of the fetch |\n\
    | `languages` | bytes (UTF-8) of each language in `text`, by ISO 639-3 code; a JSON object |\n\n\
    Other columns are the fields of the crawl's records. A column is null if a record lacks the field.\n";

/// Writes a row of the README's table of figures.
fn row(said: &mut String, figure: &str, value: impl std::fmt::Display) {
    let _ = writeln!(said, "| {figure} | {value} |");
}

fn share_of(percent: f64) -> String {
    format!("{percent:.1} %")
}

/// The part of a whole in percent; 0 of nothing.
pub fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}

/// Text from records, for a cell of a table.
pub fn cell(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() && !matches!(c, '|' | '`' | '<' | '>'))
        .take(100)
        .collect()
}
