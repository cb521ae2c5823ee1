//! The corpora of a run, joined from its parts, with their READMEs.

use crate::join::{Corpus, CorpusSums};
use crate::part::Figures;
use crate::readme::Readme;
use crate::{Folder, Foreign, Format, Judge};
use inputs::corpus::is_whole;
use langbytes::LangCode;
use outputs::partial;
use records::Source;
use render::counted;
use render::results::{bare, Cell, Column, Results};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Name of the description of a corpus.
const README: &str = "README.md";

/// The figures of a corpus; `rejected` is null unless rejected pages are written.
const COLUMNS: [Column; 5] =
    bare(["language", "documents", "target_bytes", "duplicates", "rejected"]);

/// Names of all files that a run can write for a language, with any options.
pub fn all_files() -> Vec<String> {
    let formats = [Format::Jsonl, Format::Text];
    let corpora = formats.into_iter().flat_map(|format| files(format, true));
    corpora.filter(|name| name != README).chain([README.to_owned()]).collect()
}

/// The names of the files that a run writes for a language.
pub fn files(format: Format, with_rejected: bool) -> Vec<String> {
    let rejected = with_rejected.then_some("rejected");
    let corpora = std::iter::once("corpus").chain(rejected);
    let corpora = corpora.map(|stem| format!("{stem}.{}", format.ending()));
    corpora.chain([README.to_owned()]).collect()
}

/// The name of a file that is made of incomplete inputs.
pub fn beside(name: &str) -> String {
    partial(Path::new(name)).display().to_string()
}

/// The data from which the corpora are joined.
pub struct Output<'a> {
    /// The inputs, in order.
    pub sources: &'a [Source],
    /// The judge that made the parts.
    pub judge: &'a Judge,
    /// Folder of the parts.
    pub parts: &'a Path,
    /// Sums over the inputs.
    pub figures: &'a Figures,
    /// Whom to ask for removal, if known.
    pub contact: Option<&'a str>,
    /// Memory for URLs, in bytes.
    pub memory: usize,
    /// Set this flag to stop early.
    pub stop: &'a AtomicBool,
}

impl Output<'_> {
    /// Whether the inputs were read to their ends. If not, the files go beside their places.
    pub fn is_whole(&self) -> bool {
        is_whole(&self.figures.problems)
    }

    /// The names of the files of a language.
    pub fn files(&self) -> Vec<String> {
        files(self.judge.format(), self.judge.with_rejected())
    }

    fn languages(&self) -> impl Iterator<Item = LangCode> + '_ {
        self.judge.engines().iter().map(|engine| engine.settings().target())
    }

    /// The name of a file of a language in the folder.
    fn place(&self, language: LangCode, file: &str) -> String {
        match self.is_whole() {
            true => format!("{language}/{file}"),
            false => format!("{language}/{}", beside(file)),
        }
    }

    /// Writes the corpora and their READMEs, and deletes the files of earlier runs that this run
    /// does not write: other verbs would read them as part of the corpus. Returns what the corpora
    /// have; `None` if `stop` was set.
    ///
    /// # Errors
    /// Fails if a file is somebody else's, or cannot be written.
    pub fn write(&self, folder: &mut Folder) -> Result<Option<Results>, Foreign> {
        let Figures { records, pages, ruled_out, noindex, .. } = *self.figures;
        let mut results = Results::default();
        results.line(&format!(
            "{}, {}, {ruled_out} ruled out by the first look, {noindex} left out by robots directives",
            counted(records, "record"),
            counted(pages, "page")
        ));
        for (key, figure) in
            [("records", records), ("pages", pages), ("ruled_out", ruled_out), ("noindex", noindex)]
        {
            results.figure(key, figure);
        }
        // A file that appeared during the work must not leave some languages written and others
        // not.
        for language in self.languages() {
            for file in self.files() {
                folder.claim(&self.place(language, &file))?;
            }
        }
        let mut corpora = results.table("corpora", "", &COLUMNS);
        for number in 0..self.judge.engines().len() {
            let Some((line, row)) = self.language(folder, number)? else { return Ok(None) };
            corpora.sentence(&line, row);
        }
        self.delete_others(folder)?;
        Ok(Some(results))
    }

    /// Writes the files of a language. Returns its row of the results, as a sentence and as cells.
    fn language(
        &self,
        folder: &mut Folder,
        number: usize,
    ) -> Result<Option<(String, [Cell; COLUMNS.len()])>, Foreign> {
        let engine = &self.judge.engines()[number];
        let language = engine.settings().target();
        let files = self.files();
        let mut written = Vec::new();
        for (file, is_kept) in files.iter().filter(|file| *file != README).zip([true, false]) {
            let Some(sums) = self.join(folder, (number, language), is_kept, file)? else {
                return Ok(None);
            };
            written.push((file.as_str(), sums));
        }
        let Some(&corpus) = written.first() else { return Ok(None) };
        let rejected = written.get(1).copied();
        let readme = Readme {
            engine,
            inputs: self.sources.len(),
            figures: self.figures,
            corpus,
            rejected,
            first_look: self.judge.looks_first(number),
            format: self.judge.format(),
            contact: self.contact,
        };
        folder.write(readme.text().as_bytes(), &self.place(language, README))?;
        let mut row = format!(
            "{language} ({}): {} with {} of the language; skipped {} with the URL of an earlier one",
            language.name(),
            counted(corpus.1.documents, "document"),
            counted(corpus.1.target_bytes, "byte"),
            corpus.1.duplicates,
        );
        if let Some((_, sums)) = rejected {
            // Writing to a string cannot fail.
            let _ = write!(row, "; {} rejected", counted(sums.documents, "page"));
        }
        let path = folder.check(&self.place(language, corpus.0))?;
        let _ = write!(row, "; written to {}", path.display());
        let CorpusSums { documents, target_bytes, duplicates, .. } = corpus.1;
        let rejected = rejected.map(|(_, sums)| sums.documents);
        let cells = [
            language.as_str().into(),
            documents.into(),
            target_bytes.into(),
            duplicates.into(),
            Cell::new("", rejected),
        ];
        Ok(Some((row, cells)))
    }

    fn join(
        &self,
        folder: &mut Folder,
        (number, language): (usize, LangCode),
        is_kept: bool,
        file: &str,
    ) -> Result<Option<CorpusSums>, Foreign> {
        let name = self.place(language, file);
        let joined = folder.begin().and_then(|begun| {
            Corpus::new(number, is_kept, begun, self.parts, self.memory)?.join(
                self.sources,
                self.parts,
                self.stop,
            )
        });
        let Some((file, sums)) = joined.map_err(|error| folder.failed(&name, error))? else {
            return Ok(None);
        };
        folder.put(file, &name)?;
        Ok(Some(sums))
    }

    fn delete_others(&self, folder: &mut Folder) -> Result<(), Foreign> {
        let (whole, written) = (self.is_whole(), self.files());
        for language in self.languages() {
            for name in all_files() {
                let is_written = written.contains(&name);
                let beside = beside(&name);
                // An incomplete run replaces no file of a complete one.
                for (name, stays) in [(name, is_written || !whole), (beside, is_written && !whole)]
                {
                    if !stays {
                        folder.delete(&format!("{language}/{name}"))?;
                    }
                }
            }
        }
        Ok(())
    }
}
