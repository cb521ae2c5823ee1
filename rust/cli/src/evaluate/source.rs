//! Where answers come from: an identifier of ours, or files that another program wrote.

use super::codes::Joins;
use super::cut::Cut;
use super::metrics::Confusion;
use crate::texts::Texts;
use crate::{input, texts};
use langid::{Identify, LangCode};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What answers.
pub enum Source {
    /// An identifier.
    Identifier(Box<dyn Identify>),
    /// Answers to whole texts.
    Answers {
        /// What they are called in the report.
        name: String,
        /// The languages that may be answered.
        languages: BTreeSet<LangCode>,
        /// The answers to the texts of each language, in order.
        answers: BTreeMap<LangCode, Vec<LangCode>>,
    },
}

impl Source {
    /// Reads answers: a file for each of the test, with a code a line for every text that is not empty. Codes that nobody knows
    /// count as `und`. A file `languages`, a code a line, says which languages the program knows; without it they are those that
    /// it answered.
    ///
    /// # Errors
    /// When the files cannot be read, or there is not one answer for each text.
    pub fn read(folder: &Path, joins: &Joins, test: &Texts, max_bytes: u64) -> Result<Source, String> {
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        let lines = joins.joined(texts::read(folder, |language| test.contains_key(&joins.head(language)), max_bytes)?);
        for (language, texts) in test {
            let found = lines.get(language).map_or(0, Vec::len);
            if found != texts.len() {
                let asked = texts.len();
                return Err(format!("{}: {found} answers to {asked} texts in {language}", folder.display()));
            }
        }
        let code = |code: &String| code.parse().unwrap_or(LangCode::UND);
        let answers: BTreeMap<LangCode, Vec<LangCode>> =
            lines.iter().map(|(language, lines)| (*language, lines.iter().map(code).collect())).collect();
        let list = folder.join("languages");
        let mut languages: BTreeSet<LangCode> = if list.is_file() {
            let content = input::read(&list, max_bytes)?;
            String::from_utf8_lossy(&content).lines().filter_map(|line| line.parse().ok()).collect()
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

    /// The languages that may be answered.
    pub fn languages(&self, joins: &Joins) -> BTreeSet<LangCode> {
        match self {
            Source::Identifier(identifier) => identifier.languages().into_iter().map(|code| joins.head(code)).collect(),
            Source::Answers { languages, .. } => languages.iter().map(|&code| joins.head(code)).collect(),
        }
    }

    /// What the texts, cut short, are called; `None` where answers to whole texts are all there is.
    pub fn confusion(&self, texts: &Texts, joins: &Joins, cut: Cut) -> Option<Confusion> {
        let mut confusion = Confusion::default();
        for (&language, lines) in texts {
            let called: Vec<LangCode> = match self {
                Source::Identifier(identifier) => {
                    lines.par_iter().map(|line| identifier.identify(cut.of(line), None)).collect()
                }
                Source::Answers { answers, .. } if cut == Cut::Whole => answers.get(&language)?.clone(),
                Source::Answers { .. } => return None,
            };
            for called in called {
                confusion.add(language, joins.head(called), 1);
            }
        }
        Some(confusion)
    }
}
