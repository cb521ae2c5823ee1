//! Measurement of a crawl's table in parts: each task adds its rows and exports its sums, and one
//! task merges all of them.

use crate::analyze::Outcome;
use crate::measures::{Measures, Plan};
use crate::origins::Rejection;
use crate::page::{CorpusPage, PageView, Viewer};
use crate::pages::InputFigures;
use crate::parse::check_figures;
use crate::scratch::Scratch;
use crate::state::{decode_as, encode_as, name, Accumulator, BadState};
use crate::tokens::Tokenizer;
use engine::frame::{tag, BadFrame, Frame};
use langbytes::{LangBytes, LangCode};
use records::{Fault, Problem};
use std::io;
use std::path::Path;

/// Name and version of the part with the figures of the input.
const INPUT: (&str, u16) = ("input", 2);

/// Sums over rows of a crawl's table.
#[derive(Debug)]
pub struct Crawl {
    plan: Plan,
    tokenizer: Tokenizer,
    measures: Measures,
    input: InputFigures,
}

/// The reason why a row was not added.
#[derive(Debug, thiserror::Error)]
pub enum NotAdded {
    /// The row is not a frame with the fields of a row.
    #[error("row: {0}")]
    Row(#[from] BadFrame),
    /// A temporary file cannot be written.
    #[error("temporary files: {0}")]
    Temporary(#[from] io::Error),
}

impl Crawl {
    /// Creates empty sums. `memory` is the memory of the tables in bytes; the rest goes to
    /// temporary files in `folder`.
    pub fn new(plan: Plan, folder: &Path, memory: usize) -> Self {
        let scratch = Scratch::sharing(folder, memory);
        Self {
            plan,
            tokenizer: Tokenizer::with_scripts(plan.target, plan.scripts),
            measures: Measures::new(plan, &scratch),
            input: InputFigures::default(),
        }
    }

    /// Returns the settings of the measurement.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// Adds the row of a fetched page, as a frame: its URL, host, main text, figures, decision,
    /// round, signature, media type, and whether it is gone. A row is a page of the corpus if its decision is
    /// `keep`. Invalid figures are counted as a problem of the input.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written, or the row is not a frame with such fields.
    pub fn add(&mut self, row: &Frame) -> Result<(), NotAdded> {
        self.input.records += 1;
        match page(row, self.plan.target)? {
            Ok(page) => {
                // Row keys are unique, so the URLs of different rows differ.
                self.input.urls_checked += 1;
                let added = if self.plan.words {
                    self.measures.add(&Viewer::new(&self.tokenizer).view(&page))
                } else {
                    self.measures.add(&PageView { page: &page, tokens: &[] })
                };
                Ok(added?)
            }
            Err(problem) => {
                self.input.note(&problem);
                Ok(())
            }
        }
    }

    /// Exports everything in parts, see [`Accumulator::parts`]. `other_rows` is the number of the
    /// region's rows that are not pages.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read, or `give` fails.
    pub fn parts(
        mut self,
        other_rows: u64,
        give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.input.files += 1;
        self.input.records += other_rows;
        self.input.other_records += other_rows;
        give(encode_as(INPUT.0, INPUT.1, &self.input)?)?;
        self.measures.parts(give)
    }

    /// Merges a part.
    ///
    /// # Errors
    /// Fails if the bytes are not a part of this version, or a temporary file cannot be written.
    pub fn absorb(&mut self, part: &[u8]) -> Result<(), BadState> {
        if name(part)? == INPUT.0.as_bytes() {
            self.input.merge(decode_as(INPUT.0, INPUT.1, part)?);
            return Ok(());
        }
        self.measures.absorb(part)
    }

    /// Returns the figures of everything added and merged.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read or written.
    pub fn finish(self) -> io::Result<Outcome> {
        let (figures, sites, urls) = self.measures.finish(self.plan)?;
        Ok(Outcome { input: self.input, figures, sites, urls })
    }
}

fn page(row: &Frame, target: LangCode) -> Result<Result<CorpusPage, Problem>, BadFrame> {
    let url = row.text(tag::URL)?.unwrap_or_default().to_owned();
    let mut page = CorpusPage {
        host: row.text(tag::HOST)?.unwrap_or_default().to_owned(),
        url,
        round: row.u64(tag::ROUND)?,
        fetched: row.u64(tag::FETCH_TIME)?,
        kept: row
            .text(tag::DECISION)?
            .is_some_and(|decision| decision.split(' ').next() == Some("keep")),
        rejection: row.text(tag::DECISION)?.and_then(Rejection::of),
        gone: row.get(tag::GONE).is_some(),
        is_document: row.text(tag::CONTENT_TYPE)?.is_some_and(records::is_document_type),
        raw_bytes: row.u64(tag::RAW_BYTES)?,
        visible_bytes: row.u64(tag::VISIBLE_BYTES)?,
        signature: row.get(tag::SIGNATURE).and_then(|signature| signature.try_into().ok()),
        // The table of a crawl with another parser may hold ill-formed UTF-8.
        text: String::from_utf8_lossy(row.get(tag::MAIN_TEXT).unwrap_or_default()).into_owned(),
        ..CorpusPage::default()
    };
    page.main_bytes = row.u64(tag::MAIN_BYTES)?.unwrap_or(page.text.len() as u64);
    let figures = [
        ("raw_bytes", page.raw_bytes),
        ("visible_bytes", page.visible_bytes),
        ("main_bytes", Some(page.main_bytes)),
    ];
    let languages = row.text(tag::LANGUAGES)?.unwrap_or_default().parse::<LangBytes>();
    let languages = languages
        .map_err(|bad| Fault::Languages(bad.to_string()))
        .and_then(|languages| check_figures(figures, Some(&languages)).map(|()| languages));
    Ok(match languages {
        Ok(languages) => {
            page.set_languages(languages, target);
            Ok(page)
        }
        Err(fault) => Err(fault.at(page.url)),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use engine::frame::Writer;
    use langbytes::Scripts;
    use records::ProblemKind;

    fn crawl(folder: &Path) -> Crawl {
        Crawl::new(
            Plan { target: "urd".parse().unwrap(), scripts: Scripts::default(), words: true },
            folder,
            1 << 24,
        )
    }

    fn row(number: u64, fields: &[(u16, &str)]) -> Vec<u8> {
        let mut row = Writer::new();
        row.text(tag::URL, &format!("http://h{}.pk/{number}", number % 3));
        row.text(tag::HOST, &format!("h{}.pk", number % 3));
        row.u64(tag::ROUND, 1 + number / 4);
        for (tag, value) in fields {
            row.text(*tag, value);
        }
        row.finish()
    }

    fn rows() -> Vec<Vec<u8>> {
        let kept = [
            (tag::DECISION, "keep x"),
            (tag::LANGUAGES, "urd:40,eng:3"),
            (tag::MAIN_TEXT, "یہ اردو ہے۔ یہ web ہے"),
        ];
        let rejected =
            [(tag::DECISION, "reject x"), (tag::LANGUAGES, "eng:3"), (tag::MAIN_TEXT, "web")];
        let broken = [(tag::DECISION, "keep x"), (tag::LANGUAGES, "urdu"), (tag::MAIN_TEXT, "web")];
        (0..30)
            .map(|number| match number % 5 {
                0 | 1 => row(number, &kept),
                2 => row(number, &rejected),
                // Fetched but never parsed.
                3 => row(number, &[]),
                _ => row(number, &broken),
            })
            .chain([row(99, &[(tag::GONE, ""), (tag::DECISION, "keep x")])])
            .collect()
    }

    fn sum(folder: &Path, rows: &[Vec<u8>]) -> Crawl {
        let mut crawl = crawl(folder);
        rows.iter().for_each(|row| crawl.add(&Frame::read(row).unwrap()).unwrap());
        crawl
    }

    #[test]
    fn rows_that_several_tasks_read_are_reported_as_if_one_had_read_them() {
        let folder = tempfile::tempdir().unwrap();
        let rows = rows();
        let reports = [vec![&rows[..]], vec![&rows[20..], &rows[..7], &rows[7..20]]].map(|tasks| {
            let mut all = crawl(folder.path());
            for task in tasks {
                let mut parts = Vec::new();
                let task = sum(folder.path(), task);
                task.parts(2, &mut |part| {
                    parts.push(part);
                    Ok(())
                })
                .unwrap();
                parts.iter().rev().for_each(|part| all.absorb(part).unwrap());
            }
            all.finish().unwrap()
        });
        let [one, several] = &reports;
        assert_eq!(one.figures, several.figures);
        assert_eq!(one.input.first_problems, several.input.first_problems);
        assert_eq!(
            (one.input.records, several.input.records, several.input.other_records),
            (33, 37, 6)
        );
        assert_eq!((one.input.files, several.input.files), (1, 3));
        let totals = one.figures.totals;
        assert_eq!((totals.pages, totals.rejected, totals.gone), (12, 12, 1));
        assert_eq!(several.input.problems.values().sum::<u64>(), 6);
        let first = one.figures.rounds.as_ref().unwrap().rounds[0].clone();
        assert_eq!((first.pages, first.kept_pages), (4, 2));
    }

    #[test]
    fn the_row_that_java_writes_is_read() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/frames/row.frame");
        let row = std::fs::read(file).unwrap();
        let page = page(&Frame::read(&row).unwrap(), "urd".parse().unwrap()).unwrap().unwrap();
        assert_eq!((page.url.as_str(), page.host.as_str()), ("http://h1.pk/a/1?q=2", "h1.pk"));
        assert_eq!((page.round, page.kept, page.gone), (Some(1_700_000_000), true, false));
        assert_eq!(page.fetched, Some(1_700_000_000_123));
        assert_eq!(
            (page.raw_bytes, page.visible_bytes, page.main_bytes, page.target_bytes),
            (Some(4000), Some(90), 24, 20)
        );
        assert_eq!(page.signature, Some([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]));
        assert_eq!(page.text, "یہ اردو ہے۔\nweb");
        assert!(page.is_document);
    }

    #[test]
    fn a_row_with_figures_that_no_page_has_is_a_problem_of_that_row() {
        for tag in [tag::RAW_BYTES, tag::VISIBLE_BYTES, tag::MAIN_BYTES] {
            let mut row = Writer::new();
            row.u64(tag, u64::MAX);
            let problem = page(&Frame::read(&row.finish()).unwrap(), "urd".parse().unwrap())
                .unwrap()
                .unwrap_err();
            assert_eq!(problem.kind(), ProblemKind::InvalidFigures, "{tag}");
        }
        let languages = row(1, &[(tag::LANGUAGES, "urd:18446744073709551615")]);
        let problem =
            page(&Frame::read(&languages).unwrap(), "urd".parse().unwrap()).unwrap().unwrap_err();
        assert_eq!(
            (problem.kind(), problem.place.as_str()),
            (ProblemKind::InvalidFigures, "http://h1.pk/1")
        );
    }

    #[test]
    fn rows_that_are_no_frames_of_a_row_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut row = Writer::new();
        row.text(tag::ROUND, "1");
        let row = row.finish();
        let refused =
            crawl(folder.path()).add(&Frame::read(&row).unwrap()).unwrap_err().to_string();
        assert_eq!(
            refused,
            format!("row: frame's field {} is not a number of 8 bytes", tag::ROUND)
        );
    }
}
