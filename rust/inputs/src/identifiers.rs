//! Identifiers and the files of their tables.

use crate::texts::{self, BadTexts};
use langid::{BadPack, IdentifierName, Identify, LangCode};
use std::path::{Path, PathBuf};

/// An identifier that cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum Unopened {
    /// Texts to train from are given, and it does not learn from them.
    #[error(
        "identifier `{0}` does not learn from --train; allowed are {trained}",
        trained = IdentifierName::list(IdentifierName::is_trained)
    )]
    LearnsNothing(IdentifierName),
    /// It is trained from texts, and none are given.
    #[error("identifier `{0}` is trained from texts: name their folder (--train)")]
    Untrained(IdentifierName),
    /// A pack cannot be read, or one cannot be made of the texts.
    #[error(transparent)]
    Pack(#[from] BadPack),
    /// The texts to train from cannot be read.
    #[error(transparent)]
    Texts(#[from] BadTexts),
}

/// The files of identifiers' tables.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// Folder of texts to train from, one file for each language.
    pub train: Option<&'a Path>,
    /// Packs of language models in addition to the built-in ones.
    pub packs: &'a [PathBuf],
    /// The target languages, if any: `combined` then uses the models only in their scripts.
    pub targets: &'a [LangCode],
    /// Longest file of texts that is read, in bytes.
    pub max_bytes: u64,
}

impl Sources<'_> {
    /// Opens the only identifier of a run.
    ///
    /// # Errors
    /// As [`Sources::open`], and if texts are given that it does not learn from.
    pub fn open_alone(self, name: IdentifierName) -> Result<Box<dyn Identify>, Unopened> {
        if self.train.is_some() && !name.is_trained() {
            return Err(Unopened::LearnsNothing(name));
        }
        self.open(name)
    }

    /// Opens an identifier.
    ///
    /// # Errors
    /// Fails if texts or packs that it needs are not given, or cannot be read.
    pub fn open(self, name: IdentifierName) -> Result<Box<dyn Identify>, Unopened> {
        let texts = match self.train.filter(|_| name.is_trained()) {
            Some(folder) => texts::read(folder, |_| true, self.max_bytes)?,
            None if name.needs_texts() => return Err(Unopened::Untrained(name)),
            None => texts::Texts::new(),
        };
        let joined = |(language, lines): (LangCode, Vec<String>)| (language, lines.join("\n"));
        Ok(name.open(langid::Sources {
            texts: texts.into_iter().map(joined).collect(),
            packs: if name.needs_texts() { Vec::new() } else { langid::open_all(self.packs)? },
            targets: self.targets.to_vec(),
        })?)
    }
}
