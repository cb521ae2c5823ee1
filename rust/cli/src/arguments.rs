//! Arguments that several verbs have, and the parsing of their values.

use anyhow::{anyhow, bail, Result};
use engine::{IdentifierName, Settings};
use langid::LangCode;
use webam::{Comments, Extractor};

/// Options for reading archives.
#[derive(clap::Args)]
pub struct Archive {
    /// Extractor of the main text of pages in WARC files: best, web-am, web-am-literal, article,
    /// justext, w2c or text
    #[arg(long, default_value_t = Settings::DEFAULT_EXTRACTOR, value_name = "E")]
    pub extractor: Extractor,
    /// Comments of readers in WARC files: keep, or drop (only the extractor best)
    #[arg(long, default_value_t = Comments::default(), value_name = "keep|drop")]
    pub comments: Comments,
    /// Identifier of languages: combined, models (without CLD2), cld2 (as in the paper) or
    /// stop-words
    #[arg(long, default_value_t = IdentifierName::default(), value_name = "NAME")]
    pub identifier: IdentifierName,
}

impl Archive {
    /// The engine's settings for a language.
    pub fn settings(&self, language: LangCode) -> Settings {
        Settings {
            extractor: self.extractor,
            comments: self.comments,
            identifier: self.identifier,
            ..Settings::new(language)
        }
    }
}

/// Returns an address to write to, for the README of a corpus.
///
/// # Errors
/// Fails if it is empty, or has line ends or other control characters.
pub fn contact(text: &str) -> Result<&str> {
    let contact = text.trim();
    if contact.is_empty() || contact.chars().any(char::is_control) {
        bail!("--contact is empty or has line ends; allowed is an address to write to");
    }
    Ok(contact)
}

/// Returns the language of a code or a name.
///
/// # Errors
/// Fails if the text is neither, or the name of several languages.
pub fn language(text: &str) -> Result<LangCode, registry::UnknownName> {
    registry::parse(text)
}

/// A share from 0 to 1.
pub fn share(text: &str) -> Result<f64> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| anyhow!("allowed are numbers from 0 to 1"))
}

/// Converts MiB to bytes.
pub fn mebibytes(mib: u64) -> usize {
    usize::try_from(mib << 20).unwrap_or(usize::MAX)
}
