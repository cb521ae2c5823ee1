//! Text of references (benchmarks, older releases) in a corpus: it is removed, and named in a
//! table.

use crate::pages::with_text;
use crate::{Compared, Reference, MIN_WORDS};
use engine::Engine;
use figures::parse::json;
use inputs::corpus::{Line, PageFields, Unwritable};
use inputs::BadInput;
use rayon::prelude::*;
use records::{Body, Fault, Problem, Source};
use render::counted;
use render::tsv::guarded;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

/// Head of the table of hits, with tabs between cells.
pub const COLUMNS: &str =
    "url\treference\ttext_of_reference\tkind\ttext_percent\tpassage_percent\tpassage";

/// Characters of a passage in the table.
const PASSAGE_CHARS: usize = 200;

/// Percentage of a text that has all its words in their order.
const EXACT: u32 = 100;

/// Settings of references.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Compare letters only.
    pub letters: bool,
    /// Smallest percentage of a text's sequences of words that a passage has, or of a passage's
    /// that the reference has.
    pub percent: u32,
    /// Remove whole pages instead of passages.
    pub whole: bool,
    /// Memory for the references, in bytes.
    pub memory: usize,
    /// Longest record, in bytes.
    pub max_bytes: u64,
}

/// Why a reference is not used.
#[derive(Debug, thiserror::Error)]
pub enum BadReference {
    /// A file cannot be read.
    #[error("{name}: {error}")]
    Unread {
        /// Name of the file.
        name: String,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// A text cannot be read.
    #[error(transparent)]
    Text(#[from] BadInput),
    /// A record is damaged.
    #[error("{0}")]
    Damaged(Problem),
    /// A line is no record.
    #[error("{name}: line {line}: {fault}")]
    Line {
        /// Name of the file.
        name: String,
        /// Number of the line.
        line: u64,
        /// The fault of the line.
        fault: Fault,
    },
    /// A file, by its name, has pages in HTML.
    #[error("{0}: has pages in HTML; make a corpus of them with `collect`")]
    Html(String),
    /// The texts need too much memory.
    #[error(
        "{name}: at {place}: the references need more than {} MiB; name less text, or pass more \
         --memory",
        memory >> 20
    )]
    Memory {
        /// Name of the file.
        name: String,
        /// Place in it.
        place: String,
        /// The memory that is allowed, in bytes.
        memory: usize,
    },
    /// No text is long enough.
    #[error("the references have no text of {MIN_WORDS} words or more")]
    NoText,
}

/// How a text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// All its words in their order.
    Exact,
    /// As much of it as the settings demand.
    Near,
    /// The most similar text of a passage that the reference has in parts.
    Part,
}

/// A text that was found in a passage.
#[derive(Debug)]
pub struct Hit<'a> {
    /// URL of the page with the passage; empty if it has none.
    pub url: &'a str,
    /// File of the text.
    pub file: &'a str,
    /// Place of the text: the URL of its page, or its line or record.
    pub place: &'a str,
    /// How it was found.
    pub kind: Match,
    /// Percentage of the text that is in the passage.
    pub percent: u32,
    /// Percentage of the passage that is in the reference.
    pub passage_percent: u32,
    /// Text of the passage that both have.
    pub passage: &'a str,
}

impl Hit<'_> {
    /// The row of the table, without the line end.
    pub fn row(&self) -> String {
        let kind = match self.kind {
            Match::Exact => "exact",
            Match::Near => "near",
            Match::Part => "part",
        };
        let start: String = self.passage.chars().take(PASSAGE_CHARS).collect();
        let [url, file, place, start] = [self.url, self.file, self.place, &start].map(guarded);
        let (percent, passage_percent) = (self.percent, self.passage_percent);
        format!("{url}\t{file}\t{place}\t{kind}\t{percent}\t{passage_percent}\t{start}")
    }
}

/// References, and what of them was found.
#[derive(Debug)]
pub struct Against {
    settings: Settings,
    reference: Reference,
    files: Vec<String>,
    /// File and place of each text: the URL of its page, or the number of its line.
    texts: Vec<(u32, Box<str>)>,
    short: u64,
    /// Texts that were found, and the best percentage.
    found: HashMap<u32, u32>,
    /// Passages that were removed.
    pub passages: u64,
    /// Pages with such passages.
    pub pages: u64,
    /// Those of them of which nothing is left.
    pub gone: u64,
}

impl Against {
    /// Reads the texts of files: the blocks of their records, or their lines.
    ///
    /// # Errors
    /// Fails if a file cannot be read, no text is long enough, or the texts need too much memory.
    pub fn read(settings: Settings, sources: &[Source]) -> Result<Self, BadReference> {
        let mut against = Self {
            settings,
            reference: Reference::new(settings.letters),
            files: Vec::new(),
            texts: Vec::new(),
            short: 0,
            found: HashMap::new(),
            passages: 0,
            pages: 0,
            gone: 0,
        };
        for source in sources {
            against.add_all(source)?;
        }
        match against.texts.is_empty() {
            true => Err(BadReference::NoText),
            false => Ok(against),
        }
    }

    /// Adds the texts of a file: the blocks of its records, or its lines.
    fn add_all(&mut self, source: &Source) -> Result<(), BadReference> {
        let name = &source.name;
        let failed = |error| BadReference::Unread { name: name.clone(), error };
        let max_bytes = self.settings.max_bytes;
        self.files.push(name.clone());
        if !has_records(source).map_err(failed)? {
            return inputs::files::lines(&source.path, max_bytes, &mut |number, line| {
                self.add(line, &format!("line {number}"))
            });
        }
        for record in source.open(max_bytes, &Arc::default()).map_err(failed)? {
            let record = record.map_err(BadReference::Damaged)?;
            let (url, text) = match record.body {
                Body::Json(line) => {
                    let page: PageFields = json(&line).map_err(|fault| BadReference::Line {
                        name: name.clone(),
                        line: record.number,
                        fault,
                    })?;
                    (page.url.clone(), page.text().to_owned())
                }
                Body::Text(url, text) => {
                    (Some(url), langid::cleaned(String::from_utf8_lossy(&text).into_owned()))
                }
                Body::Html(..) => return Err(BadReference::Html(name.clone())),
                Body::Document(..) | Body::HostFile(..) | Body::Gone(_) | Body::Other(_) => {
                    continue;
                }
            };
            let place = url.unwrap_or_else(|| format!("record {}", record.number));
            for block in text.lines() {
                self.add(block, &place)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, text: &str, place: &str) -> Result<(), BadReference> {
        if self.reference.add(text).is_some() {
            let file = u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX);
            self.texts.push((file, place.into()));
        } else {
            self.short += u64::from(!text.trim().is_empty());
        }
        let memory = self.settings.memory;
        if self.reference.memory() > memory {
            let name = self.files.last().cloned().unwrap_or_default();
            return Err(BadReference::Memory { name, place: place.to_owned(), memory });
        }
        Ok(())
    }

    /// Returns the records without the passages of the references. `hit` gets the texts of each
    /// passage, and `gone` the pages of which nothing is left.
    ///
    /// # Errors
    /// Fails if a record cannot be written, or `hit` or `gone` fails.
    pub fn cut<E: From<Unwritable>>(
        &mut self,
        lines: Vec<Line>,
        engine: &Engine,
        hit: &mut dyn FnMut(Hit) -> Result<(), E>,
        gone: &mut dyn FnMut(&PageFields) -> Result<(), E>,
    ) -> Result<Vec<Line>, E> {
        let Settings { percent, whole, .. } = self.settings;
        let compare = |(_, page): &Line| self.reference.compare(page.text(), percent);
        let compared: Vec<Vec<Compared>> = lines.par_iter().map(compare).collect();
        let mut kept = Vec::with_capacity(lines.len());
        for ((line, mut page), passages) in lines.into_iter().zip(compared) {
            if passages.iter().all(|passage| passage.texts.is_empty()) {
                kept.push((line, page));
                continue;
            }
            self.pages += 1;
            self.count(&page, &passages, hit)?;
            let rest = passages.iter().filter(|passage| passage.texts.is_empty() && !whole);
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

    /// Counts the texts of a page's passages.
    fn count<E>(
        &mut self,
        page: &PageFields,
        passages: &[Compared],
        hit: &mut dyn FnMut(Hit) -> Result<(), E>,
    ) -> Result<(), E> {
        for passage in passages {
            self.passages += u64::from(!passage.texts.is_empty());
            for &(text, percent) in &passage.texts {
                let is_found = percent >= self.settings.percent;
                if is_found {
                    let best = self.found.entry(text).or_default();
                    *best = percent.max(*best);
                }
                let kind = match percent {
                    EXACT => Match::Exact,
                    _ if is_found => Match::Near,
                    _ => Match::Part,
                };
                let (file, place) = &self.texts[text as usize];
                hit(Hit {
                    url: page.url.as_deref().unwrap_or_default(),
                    file: &self.files[*file as usize],
                    place,
                    kind,
                    percent,
                    passage_percent: passage.percent,
                    passage: &page.text()[passage.bytes.clone()],
                })?;
            }
        }
        Ok(())
    }
}

/// How many texts were found, as a sentence.
impl fmt::Display for Against {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = self.found.values().filter(|percent| **percent == EXACT).count();
        write!(
            f,
            "{} of {} in {} in the corpus, {exact} of them word for word",
            self.found.len(),
            counted(self.texts.len() as u64, "text"),
            counted(self.files.len() as u64, "reference file"),
        )?;
        match self.short {
            0 => Ok(()),
            short => {
                let (texts, were) =
                    (counted(short, "text"), if short == 1 { "was" } else { "were" });
                write!(f, "; {texts} of fewer than {MIN_WORDS} words {were} not compared")
            }
        }
    }
}

/// Returns whether a file has records, not lines of plain text.
fn has_records(source: &Source) -> io::Result<bool> {
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
