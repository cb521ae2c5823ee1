//! Errors of packs and models.

use crate::LangCode;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why bytes are not a valid pack or model. The text follows the name of the file.
#[derive(Debug, thiserror::Error)]
pub enum Invalid {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is a folder, a pipe or a device.
    #[error("is not a regular file")]
    NotRegular,
    /// The file has more bytes than the second number.
    #[error("has {0} bytes, allowed are {1}")]
    TooLong(u64, u64),
    /// The bytes do not begin with the magic number.
    #[error("is not a {what} (made by `corpulyzer {by}`)")]
    Other {
        /// Kind of file that was expected, e.g. `language pack`.
        what: &'static str,
        /// The verb that writes such a file, with its option.
        by: &'static str,
    },
    /// Its format is not the second number, the only one that is read.
    #[error("has format {0}, allowed is {1}: train it again")]
    Format(u32, u32),
    /// Bytes are missing or left over.
    #[error("has {has} bytes, but its header states {says}")]
    Length {
        /// Bytes that were read.
        has: usize,
        /// Bytes by the header.
        says: u64,
    },
    /// The bytes have changed since they were written.
    #[error("is damaged: its checksum is wrong")]
    Checksum,
    /// A part begins or ends outside the bytes.
    #[error("is damaged: its parts do not fit its length")]
    Parts,
    /// The section with this number, from 0, cannot be decoded.
    #[error("is damaged: section {0} is not a section")]
    Section(usize),
    /// A script has too many sections.
    #[error("is damaged: script {script} has more than {most} sections")]
    Sections {
        /// Its ISO 15924 code.
        script: &'static str,
        /// Most sections of a script.
        most: usize,
    },
}

/// A language pack, or a model of varieties or classes, that cannot be read or trained. A `script`
/// is an ISO 15924 code.
#[derive(Debug, thiserror::Error)]
pub enum BadPack {
    /// A file, or bytes in memory, are not valid.
    #[error("{kind}{}: {reason}", after_blank(file.as_deref()))]
    Invalid {
        /// Kind of the file, e.g. `language pack`.
        kind: &'static str,
        /// The file; none for bytes in memory.
        file: Option<PathBuf>,
        /// Fault that was found.
        reason: Invalid,
    },
    /// A script has more languages than a pack holds.
    #[error("script {script} has {found} languages, a pack holds {allowed}; make two packs")]
    Languages {
        /// The script.
        script: &'static str,
        /// Number of its languages.
        found: usize,
        /// Most languages of a script in a pack.
        allowed: usize,
    },
    /// A script has more than 256 languages, the numbers of a section.
    #[error("script {script} has too many languages; make two packs")]
    Section {
        /// The script.
        script: &'static str,
    },
    /// A script has more distinct tokens than a table holds.
    #[error("script {script} has more tokens than a pack holds; make two packs")]
    Tokens {
        /// The script.
        script: &'static str,
    },
    /// No text has enough words in any script.
    #[error("there is no text to train from")]
    NoText,
    /// Several packs together have too many languages of a script.
    #[error(
        "language packs and the library have {found} languages in script {script}, allowed are \
         {allowed}; leave a pack out"
    )]
    Together {
        /// The script.
        script: &'static str,
        /// Number of its languages in all packs.
        found: usize,
        /// Most languages of a script that are compared.
        allowed: usize,
    },
    /// Two files have models of one language's varieties.
    #[error(
        "variety model {}: an earlier file has the varieties of {language} too; leave one out",
        file.display()
    )]
    SecondVarieties {
        /// The later file.
        file: PathBuf,
        /// Language of both models.
        language: LangCode,
    },
    /// The name of a variety is not allowed.
    #[error(
        "`{name}` is no name of a variety; allowed are up to 32 ASCII letters, digits, - and _, \
         but not `und`"
    )]
    VarietyName {
        /// First 40 characters of the name.
        name: String,
    },
    /// There is one variety, or there are too many.
    #[error(
        "found texts in {found} {}, allowed are 2 to {most}",
        if *found == 1 { "variety" } else { "varieties" }
    )]
    Varieties {
        /// Number of varieties with a text.
        found: usize,
        /// Most varieties of a model.
        most: usize,
    },
    /// A variety has too little text.
    #[error(
        "variety `{variety}` has {found} lines with {words} words or more, needed are {needed}"
    )]
    VarietyLines {
        /// Name of the variety.
        variety: String,
        /// Number of its lines that have enough words.
        found: usize,
        /// Words that a line needs to count.
        words: usize,
        /// Lines that a variety needs.
        needed: usize,
    },
    /// The name of a class is not allowed.
    #[error(
        "{name:?} is no name of a class; allowed are 1 to {most} bytes without control characters"
    )]
    ClassName {
        /// First 40 characters of the name.
        name: String,
        /// Most bytes of a name.
        most: usize,
    },
    /// There is one class, or there are too many.
    #[error(
        "found {found} {}, allowed are 2 to {most}",
        if *found == 1 { "class" } else { "classes" }
    )]
    Classes {
        /// Number of classes with a text.
        found: usize,
        /// Most classes of a model.
        most: usize,
    },
    /// A class has too few texts.
    #[error("class `{class}` has {found} texts with {words} words or more, needed are {needed}")]
    ClassTexts {
        /// Name of the class.
        class: String,
        /// Number of its texts that have enough words.
        found: usize,
        /// Words that a text needs to count.
        words: usize,
        /// Texts that a class needs.
        needed: usize,
    },
}

impl BadPack {
    pub(crate) fn invalid(kind: &'static str, file: Option<&Path>, reason: Invalid) -> Self {
        Self::Invalid { kind, file: file.map(Path::to_owned), reason }
    }
}

/// Returns a blank and the name of a file; nothing without a file.
fn after_blank(file: Option<&Path>) -> String {
    file.map_or_else(String::new, |file| format!(" {}", file.display()))
}
