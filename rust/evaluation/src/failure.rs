//! Errors and warnings of an evaluation.

use inputs::identifiers::Unopened;
use inputs::texts::BadTexts;
use inputs::BadInput;
use langid::{IdentifierName, LangCode, UnknownLanguage};
use std::fmt;
use std::path::PathBuf;

/// An evaluation that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Texts of the test, or the results of another program, cannot be read.
    #[error(transparent)]
    Texts(#[from] BadTexts),
    /// An identifier cannot be opened.
    #[error(transparent)]
    Identifier(#[from] Unopened),
    /// The training text that the test is compared with cannot be read.
    #[error(transparent)]
    Training(BadInput),
    /// The file of weights cannot be read.
    #[error(transparent)]
    Weights(BadInput),
    /// The list of the languages of another program cannot be read.
    #[error(transparent)]
    Languages(BadInput),
    /// A line of the file of weights is wrong.
    #[error("{}: line {line}: {reason}", file.display())]
    Weight {
        /// The file of weights.
        file: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// Fault that was found in the line.
        reason: BadWeight,
    },
    /// Another program has not one result for each text.
    #[error("{}: {found} results for {asked} texts in {language}", folder.display())]
    AnswersMissing {
        /// The folder of the results.
        folder: PathBuf,
        /// The number of results.
        found: usize,
        /// The number of texts.
        asked: usize,
        /// The language of the texts.
        language: LangCode,
    },
    /// A line of the results of another program is not like a code.
    #[error(
        "{}: found `{found}` among the results for {language}; allowed is one language code on \
         each line",
        folder.display()
    )]
    NotAnAnswer {
        /// The folder of the results.
        folder: PathBuf,
        /// The first 40 characters of the line.
        found: String,
        /// The language of the texts.
        language: LangCode,
    },
    /// The results of another program, which this names, are compared on parts of the texts.
    #[error("{0}: results of other programs are for whole texts")]
    OnlyWholeTexts(String),
    /// The losses by packs are asked for without packs.
    #[error("there are no packs to compare with the library")]
    NoPacks,
    /// The calibration of an identifier without probabilities is asked for.
    #[error("identifier `{0}` has no probabilities; `combined` has")]
    NoProbabilities(IdentifierName),
    /// The error in bytes is asked for without a target.
    #[error("there is no language to count")]
    NoTarget,
    /// The target has no texts.
    #[error("the target is `{0}` ({name}), which has no texts", name = .0.name())]
    NoTextsOfTarget(LangCode),
}

/// A wrong line of weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadWeight {
    /// It has no tab.
    #[error("is not like `urd<TAB>0.5`")]
    NoTab,
    /// Its code is unknown.
    #[error(transparent)]
    Language(UnknownLanguage),
    /// Its weight is not a number in the range.
    #[error("the weight is no number from 0 to 1e18")]
    Number,
}

/// A fact that stops no evaluation but may surprise its reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// A language that was asked for has no texts.
    NoTexts {
        /// The folder of the test.
        folder: PathBuf,
        /// Language that was asked for.
        language: LangCode,
    },
    /// Languages of the test have no weight: it counts as 0.
    NoWeights {
        /// The file of weights.
        file: PathBuf,
        /// Languages of the test that the file lacks.
        languages: Vec<LangCode>,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::NoTexts { folder, language } => {
                write!(f, "{}: no texts in {language} ({})", folder.display(), language.name())
            }
            Warning::NoWeights { file, languages } => {
                write!(f, "{}: no weight, taken as 0:", file.display())?;
                languages.iter().try_for_each(|language| write!(f, " {language}"))
            }
        }
    }
}
