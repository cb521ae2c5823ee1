//! References of `--against`, and the table of `--hits`.

use super::Arguments;
use crate::arguments::mebibytes;
use crate::io::console::counted;
use crate::io::corpora::all_sources;
use crate::io::records::{Line, Output, Page};
use anyhow::{anyhow, Error, Result};
use dedup::against::{Against, BadReference, Hit, Match, Settings};
use dedup::MIN_WORDS;
use engine::Engine;
use render::tsv::guarded;

/// Head of the table of hits.
const COLUMNS: &str =
    "url\treference\ttext_of_reference\tkind\ttext_percent\tpassage_percent\tpassage";

/// Characters of a passage in the table.
const PASSAGE_CHARS: usize = 200;

/// References, and the table of what was found.
pub struct References {
    against: Against,
    hits: Option<Output>,
}

impl References {
    /// Reads the references; `None` if there are none.
    ///
    /// # Errors
    /// Fails if a reference cannot be read, has no text, or needs more than `--memory`.
    pub fn read(arguments: &Arguments, max_bytes: u64) -> Result<Option<Self>> {
        if arguments.against.is_empty() {
            return Ok(None);
        }
        let mut hits =
            arguments.hits.as_deref().map(|path| Output::new(path, "--hits")).transpose()?;
        let settings = Settings {
            letters: arguments.letters,
            percent: arguments.against_percent,
            whole: arguments.whole,
            memory: mebibytes(arguments.memory.unwrap_or(super::MEMORY)),
            max_bytes,
        };
        let sources =
            all_sources(&arguments.against).map_err(|bad| anyhow!("{bad} (--against)"))?;
        let against = Against::read(settings, &sources).map_err(|bad| match bad {
            BadReference::Text(bad) => bad.into(),
            bad => anyhow!("{bad} (--against)"),
        })?;
        if let Some(hits) = &mut hits {
            hits.line(COLUMNS.as_bytes())?;
        }
        Ok(Some(Self { against, hits }))
    }

    /// As [`Against::cut`]; the hits go to the table.
    ///
    /// # Errors
    /// Fails if a record or the table cannot be written.
    pub fn cut(
        &mut self,
        lines: Vec<Line>,
        engine: &Engine,
        gone: &mut dyn FnMut(&Page) -> Result<()>,
    ) -> Result<Vec<Line>> {
        let Self { against, hits } = self;
        let mut hit = |hit: Hit| -> Result<()> {
            let Some(hits) = hits.as_mut() else { return Ok(()) };
            let kind = match hit.kind {
                Match::Exact => "exact",
                Match::Near => "near",
                Match::Part => "part",
            };
            let start: String = hit.passage.chars().take(PASSAGE_CHARS).collect();
            let cells = [
                guarded(hit.url),
                guarded(hit.file),
                guarded(hit.place),
                kind.into(),
                hit.percent.to_string().into(),
                hit.passage_percent.to_string().into(),
                guarded(&start),
            ];
            hits.line(cells.join("\t").as_bytes()).map(|_| ())
        };
        against.cut::<Error>(lines, engine, &mut hit, gone)
    }

    /// Puts the table in place, and prints the counts.
    ///
    /// # Errors
    /// Fails if the table cannot be written.
    pub fn finish(self, whole: bool) -> Result<()> {
        let Self { against, hits } = self;
        let table = hits.map(|hits| hits.finish(whole)).transpose()?;
        let short = match against.short() {
            0 => String::new(),
            short => format!(
                "; {} of fewer than {MIN_WORDS} words {} not compared",
                counted(short, "text"),
                if short == 1 { "was" } else { "were" }
            ),
        };
        let (found, exact) = against.found();
        eprintln!(
            "corpulyzer: {found} of {} in {} in the corpus, {exact} of them word for word{short} (--against)",
            counted(against.texts(), "text"),
            counted(against.files(), "reference file"),
        );
        eprintln!(
            "corpulyzer: removed {} of the references from {}, {} as a whole{}",
            counted(against.passages, "passage"),
            counted(against.pages, "page"),
            against.gone,
            table.map_or_else(String::new, |table| format!(": {table}")),
        );
        Ok(())
    }
}
