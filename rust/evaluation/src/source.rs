//! Sources of identified languages: our identifiers, or result files of another program.

use super::codes::{of_result, Joins};
use super::cut::Cut;
use super::metrics::Confusion;
use super::Failure;
use inputs::texts::Texts;
use inputs::{files as input, texts};
use langid::{Identify, LangCode};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Name of the file that lists the languages of another program.
pub const LANGUAGES: &str = "languages";

/// A source of identified languages.
pub enum Source {
    /// An identifier of the library.
    Identifier(Box<dyn Identify>),
    /// Results of another program, for whole texts.
    Answers {
        /// Its name in the report.
        name: String,
        /// Languages that the file may name.
        languages: BTreeSet<LangCode>,
        /// The identified language of each text, in order, by the language of the test file.
        answers: BTreeMap<LangCode, Vec<LangCode>>,
    },
}

impl Source {
    /// Reads results: a file for each file of the test, with one code on each line for every text
    /// that is not empty. Codes of no language that we know, such as `zxx` and `un`, count as
    /// `und`. A file `languages`, with one code on each line, lists the languages that the program
    /// supports; without this file they are the codes in the results.
    ///
    /// # Errors
    /// Fails if the files cannot be read, there is not one result for each text, or a line is not
    /// like a code.
    pub fn read(
        folder: &Path,
        joins: &Joins,
        test: &Texts,
        max_bytes: u64,
    ) -> Result<Source, Failure> {
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        let lines = joins.joined(texts::read(
            folder,
            |language| test.contains_key(&joins.head(language)),
            max_bytes,
        )?);
        for (language, texts) in test {
            let found = lines.get(language).map_or(0, Vec::len);
            if found != texts.len() {
                let asked = texts.len();
                let (folder, language) = (folder.to_owned(), *language);
                return Err(Failure::AnswersMissing { folder, found, asked, language });
            }
        }
        let refused = |language: &LangCode, line: &str| {
            let found = line.chars().take(40).collect();
            Failure::NotAnAnswer { folder: folder.to_owned(), found, language: *language }
        };
        let mut answers: BTreeMap<LangCode, Vec<LangCode>> = BTreeMap::new();
        for (language, lines) in &lines {
            let codes =
                lines.iter().map(|line| of_result(line).ok_or_else(|| refused(language, line)));
            answers.insert(*language, codes.collect::<Result<_, _>>()?);
        }
        let list = folder.join(LANGUAGES);
        let mut languages: BTreeSet<LangCode> = if list.is_file() {
            let content = input::read(&list, max_bytes).map_err(Failure::Languages)?;
            String::from_utf8_lossy(&content).lines().filter_map(of_result).collect()
        } else {
            answers.values().flatten().copied().collect()
        };
        languages.remove(&LangCode::UND);
        Ok(Source::Answers { name, languages, answers })
    }

    /// Name and data version.
    pub fn version(&self) -> String {
        match self {
            Source::Identifier(identifier) => identifier.version(),
            Source::Answers { name, .. } => name.clone(),
        }
    }

    /// The possible results.
    pub fn languages(&self, joins: &Joins) -> BTreeSet<LangCode> {
        match self {
            Source::Identifier(identifier) => {
                identifier.languages().into_iter().map(|code| joins.head(code)).collect()
            }
            Source::Answers { languages, .. } => {
                languages.iter().map(|&code| joins.head(code)).collect()
            }
        }
    }

    /// The results for texts that are cut to a length; `None` if only results for whole texts
    /// exist.
    pub fn confusion(&self, texts: &Texts, joins: &Joins, cut: Cut) -> Option<Confusion> {
        let mut confusion = Confusion::default();
        for (&language, lines) in texts {
            let called: Vec<LangCode> = match self {
                Source::Identifier(identifier) => {
                    lines.par_iter().map(|line| identifier.identify(cut.of(line), None)).collect()
                }
                Source::Answers { answers, .. } if cut == Cut::Whole => {
                    answers.get(&language)?.clone()
                }
                Source::Answers { .. } => return None,
            };
            for called in called {
                confusion.add(language, joins.head(called), 1);
            }
        }
        Some(confusion)
    }
}
