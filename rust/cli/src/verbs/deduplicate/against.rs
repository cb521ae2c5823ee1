//! Text of references (benchmarks, older releases) in a corpus: it is removed, and named in a table.

use super::{with_text, Arguments};
use crate::arguments::mebibytes;
use crate::io::console::counted;
use crate::io::corpora::all_sources;
use crate::io::records::{Line, Output, Page};
use anyhow::{anyhow, bail, Result};
use dedup::{Compared, Reference, MIN_WORDS};
use engine::Engine;
use figures::parse::json;
use rayon::prelude::*;
use records::{Body, Source};
use render::tsv::guarded;
use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::sync::Arc;

/// Head of the table of hits.
const COLUMNS: &str =
    "url\treference\ttext_of_reference\tkind\ttext_percent\tpassage_percent\tpassage";

/// Characters of a passage in the table.
const PASSAGE_CHARS: usize = 200;

/// Percentage of a text that has all its words in their order.
const EXACT: u32 = 100;

/// References, and what of them was found.
pub struct Against {
    reference: Reference,
    percent: u32,
    whole: bool,
    files: Vec<String>,
    /// File and place of each text: the URL of its page, or the number of its line.
    texts: Vec<(u32, Box<str>)>,
    short: u64,
    hits: Option<Output>,
    /// Texts that were found, and the best percentage.
    found: HashMap<u32, u32>,
    /// Texts that were found or reported as the best of a passage of the reference.
    passages: u64,
    pages: u64,
    gone: u64,
}

impl Against {
    /// Reads the references of `--against`; `None` if there are none.
    ///
    /// # Errors
    /// Fails if a reference cannot be read, has no text, or needs more than `--memory`.
    pub fn read(asked: &Arguments, max_bytes: u64) -> Result<Option<Self>> {
        if asked.against.is_empty() {
            return Ok(None);
        }
        let mut against = Self {
            reference: Reference::new(asked.letters),
            percent: asked.against_percent,
            whole: asked.whole,
            files: Vec::new(),
            texts: Vec::new(),
            short: 0,
            hits: asked.hits.as_deref().map(|path| Output::new(path, "--hits")).transpose()?,
            found: HashMap::new(),
            passages: 0,
            pages: 0,
            gone: 0,
        };
        let memory = mebibytes(asked.memory.unwrap_or(super::MEMORY));
        let sources = all_sources(&asked.against).map_err(|bad| anyhow!("{bad} (--against)"))?;
        for source in &sources {
            against.add_all(source, max_bytes, memory)?;
        }
        if against.texts.is_empty() {
            bail!("the references have no text of {MIN_WORDS} words or more (--against)");
        }
        if let Some(hits) = &mut against.hits {
            hits.line(COLUMNS.as_bytes())?;
        }
        Ok(Some(against))
    }

    /// Adds the texts of a file: the blocks of its records, or its lines.
    fn add_all(&mut self, source: &Source, max_bytes: u64, memory: usize) -> Result<()> {
        let failed = |what: &dyn std::fmt::Display| anyhow!("{}: {what} (--against)", source.name);
        self.files.push(source.name.clone());
        if !has_records(source).map_err(|error| failed(&error))? {
            return crate::io::input::lines(&source.path, max_bytes, &mut |number, line| {
                self.add(line, &format!("line {number}"), memory).map_err(|bad| failed(&bad))
            });
        }
        for record in source.open(max_bytes, &Arc::default()).map_err(|error| failed(&error))? {
            let record = record.map_err(|problem| anyhow!("{problem} (--against)"))?;
            let (url, text) = match record.body {
                Body::Json(line) => {
                    let page: Page = json(&line)
                        .map_err(|(_, what)| failed(&format!("line {}: {what}", record.number)))?;
                    (page.url.clone(), page.text().to_owned())
                }
                Body::Text(url, text) => {
                    (Some(url), langid::cleaned(String::from_utf8_lossy(&text).into_owned()))
                }
                Body::Html(..) => {
                    bail!(failed(&"has pages in HTML; make a corpus of them with `collect`"))
                }
                Body::Document(..) | Body::HostFile(..) | Body::Gone(_) | Body::Other(_) => {
                    continue;
                }
            };
            let place = url.unwrap_or_else(|| format!("record {}", record.number));
            for block in text.lines() {
                self.add(block, &place, memory).map_err(|bad| failed(&bad))?;
            }
        }
        Ok(())
    }

    fn add(&mut self, text: &str, place: &str, memory: usize) -> Result<()> {
        if self.reference.add(text).is_some() {
            let file = u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX);
            self.texts.push((file, place.into()));
        } else {
            self.short += u64::from(!text.trim().is_empty());
        }
        if self.reference.memory() > memory {
            bail!(
                "at {place}: the references need more than {} MiB; name less text, or pass more --memory",
                memory >> 20
            );
        }
        Ok(())
    }

    /// Returns the records without the passages of the references. `gone` gets the pages of which
    /// nothing is left.
    ///
    /// # Errors
    /// Fails if a record or the table cannot be written.
    pub fn cut(
        &mut self,
        lines: Vec<Line>,
        engine: &Engine,
        gone: &mut dyn FnMut(&Page) -> Result<()>,
    ) -> Result<Vec<Line>> {
        let compare = |(_, page): &Line| self.reference.compare(page.text(), self.percent);
        let compared: Vec<Vec<Compared>> = lines.par_iter().map(compare).collect();
        let mut kept = Vec::with_capacity(lines.len());
        for ((line, mut page), passages) in lines.into_iter().zip(compared) {
            if passages.iter().all(|passage| passage.texts.is_empty()) {
                kept.push((line, page));
                continue;
            }
            self.pages += 1;
            self.tell(&page, &passages)?;
            let rest = passages.iter().filter(|passage| passage.texts.is_empty() && !self.whole);
            let rest: Vec<&str> = rest.map(|passage| &page.text()[passage.bytes.clone()]).collect();
            let rest = rest.join("\n");
            if rest.is_empty() {
                self.gone += 1;
                gone(&page)?;
                continue;
            }
            let line = with_text(&line, &rest, engine)?;
            page.text = Some(rest);
            kept.push((line, page));
        }
        Ok(kept)
    }

    /// Counts the texts of a page's passages, and writes them to the table.
    fn tell(&mut self, page: &Page, passages: &[Compared]) -> Result<()> {
        for passage in passages {
            self.passages += u64::from(!passage.texts.is_empty());
            for &(text, percent) in &passage.texts {
                if percent >= self.percent {
                    let best = self.found.entry(text).or_default();
                    *best = percent.max(*best);
                }
                let Some(hits) = &mut self.hits else { continue };
                let kind = match percent {
                    EXACT => "exact",
                    _ if percent >= self.percent => "near",
                    _ => "part",
                };
                let (file, place) = &self.texts[text as usize];
                let start: String =
                    page.text()[passage.bytes.clone()].chars().take(PASSAGE_CHARS).collect();
                let cells = [
                    guarded(page.url.as_deref().unwrap_or_default()),
                    guarded(&self.files[*file as usize]),
                    guarded(place),
                    kind.into(),
                    percent.to_string().into(),
                    passage.percent.to_string().into(),
                    guarded(&start),
                ];
                hits.line(cells.join("\t").as_bytes())?;
            }
        }
        Ok(())
    }

    /// Puts the table in place, and prints the counts.
    ///
    /// # Errors
    /// Fails if the table cannot be written.
    pub fn finish(self, whole: bool) -> Result<()> {
        let table = self.hits.map(|hits| hits.finish(whole)).transpose()?;
        let exact = self.found.values().filter(|percent| **percent == EXACT).count();
        let short = match self.short {
            0 => String::new(),
            short => format!(
                "; {} of fewer than {MIN_WORDS} words {} not compared",
                counted(short, "text"),
                if short == 1 { "was" } else { "were" }
            ),
        };
        eprintln!(
            "corpulyzer: {} of {} in {} in the corpus, {exact} of them word for word{short} (--against)",
            self.found.len(),
            counted(self.texts.len() as u64, "text"),
            counted(self.files.len() as u64, "reference file"),
        );
        eprintln!(
            "corpulyzer: removed {} of the references from {}, {} as a whole{}",
            counted(self.passages, "passage"),
            counted(self.pages, "page"),
            self.gone,
            table.map_or_else(String::new, |table| format!(": {table}")),
        );
        Ok(())
    }
}

/// Returns whether a file has records, not lines of plain text.
fn has_records(source: &Source) -> std::io::Result<bool> {
    let is_archive = source.path.extension().is_some_and(|ending| ending == "wacz");
    if is_archive || source.is_table()? {
        return Ok(true);
    }
    let (mut input, _) = source.decompressed(&Arc::default())?;
    let mut start = Vec::new();
    input.by_ref().take(64).read_until(b'\n', &mut start)?;
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&start).trim_ascii_start();
    Ok([&b"{"[..], b"WARC/", b"filedesc:"].iter().any(|first| start.starts_with(first)))
}
