//! Arguments that several verbs have, and the parsing of their values.

use crate::io::console::print;
use anyhow::{anyhow, bail, Result};
use content::{Comments, Extractor, Headline};
use engine::{Given, Profile, Settings, Targets};
use langid::{open_varieties, IdentifierName, LangCode, Varieties};
use render::results::{row, Cell, Column, Results};
use serde_json::Value;
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::path::PathBuf;
use unicode_general_category::{get_general_category, GeneralCategory};

/// A wrong command line: the error is known without reading an input. The exit code is 2, as for
/// the errors that clap finds.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Misuse(pub String);

/// Makes a [`Misuse`] of a formatted sentence.
macro_rules! misuse {
    ($($sentence:tt)*) => {
        anyhow::Error::new($crate::arguments::Misuse(format!($($sentence)*)))
    };
}

/// Options for reading archives.
#[derive(clap::Args)]
pub struct Archive {
    /// Defaults of the other options: default, or paper, which has those of the Corpulyzer paper
    /// (docs/paper.md)
    #[arg(long, default_value_t = Profile::default(), value_name = "default|paper")]
    pub profile: Profile,
    /// Extractor of the main text of pages in WARC files: best (default), web-am, web-am-literal
    /// (with --profile paper), article, justext, w2c or text
    #[arg(long, value_name = "E")]
    pub extractor: Option<Extractor>,
    /// Comments of readers in WARC files: keep, or drop (only the extractor best)
    #[arg(long, default_value_t = Comments::default(), value_name = "keep|drop")]
    pub comments: Comments,
    /// Headline above the text of pages in WARC files: keep, or drop (as best finds it)
    #[arg(long, default_value_t = Headline::default(), value_name = "keep|drop")]
    pub headline: Headline,
    /// Identifier of languages: combined (default), models (without CLD2), cld2 (with --profile
    /// paper) or stop-words; heli, w2c, w2c-short and trigrams learn from the texts of --pack, such
    /// as urd.txt
    #[arg(long, value_name = "NAME")]
    pub identifier: Option<IdentifierName>,
}

impl Archive {
    /// The engine's settings for a language.
    pub fn settings(&self, language: LangCode) -> Settings {
        let Self { profile, extractor, identifier, comments, headline } = *self;
        Settings {
            comments,
            headline,
            ..Given { profile, extractor, identifier }.settings(language)
        }
    }
}

/// The option of verbs that print results.
#[derive(clap::Args)]
pub struct AsJson {
    /// Print the results as JSON instead of as text
    #[arg(long = "json", id = "json")]
    pub is_asked: bool,
}

impl AsJson {
    /// Prints the results.
    ///
    /// # Errors
    /// As [`print`].
    pub fn print(&self, results: &Results) -> Result<bool> {
        print(if self.is_asked { results.json() } else { results.text.clone() }.as_bytes())
    }

    /// A row that is printed alone: an object, or the cells.
    pub fn line(&self, columns: &[Column], cells: impl IntoIterator<Item = Cell>) -> String {
        let (text, object) = row(columns, cells);
        if self.is_asked {
            Value::from(object).to_string()
        } else {
            text
        }
    }
}

/// Options for the varieties of a language.
#[derive(clap::Args)]
pub struct VarietyOptions {
    /// Identify the variety too, such as the dialect, by the first 150 words. The command has a
    /// model for Arabic
    #[arg(long)]
    varieties: bool,
    /// Model of the varieties of another language, made by `train --varieties`; may be repeated
    #[arg(long, value_name = "FILE", requires = "varieties")]
    variety_model: Vec<PathBuf>,
}

impl VarietyOptions {
    /// Whether `--varieties` is given.
    pub fn are_asked(&self) -> bool {
        self.varieties
    }

    /// The files of the models.
    pub fn files(&self) -> &[PathBuf] {
        &self.variety_model
    }

    /// Opens the models; `None` without `--varieties`.
    ///
    /// # Errors
    /// Fails if a model cannot be read, or two models have the same language.
    pub fn open(&self) -> Result<Option<Vec<Varieties>>> {
        let models = self.varieties.then(|| open_varieties(&self.variety_model)).transpose();
        models.map_err(|bad| anyhow!("{bad} (--variety-model)"))
    }

    /// Opens the model of a language; `None` without `--varieties`.
    ///
    /// # Errors
    /// As [`VarietyOptions::open`], and if no model is of the language.
    pub fn open_of(&self, language: LangCode) -> Result<Option<Varieties>> {
        let Some(models) = self.open()? else { return Ok(None) };
        let known: Vec<String> = models.iter().map(|model| model.language().to_string()).collect();
        let model = models.into_iter().find(|model| model.language() == language);
        model.map(Some).ok_or_else(|| {
            anyhow!(
                "--varieties: no model has the varieties of {language}, only of {}; make one with `train --varieties` and name it (--variety-model)",
                known.join(", ")
            )
        })
    }
}

/// Returns an address to write to, for the README of a corpus.
///
/// # Errors
/// Fails if it is empty, has line ends or other control characters, or is no address.
pub fn contact(text: &str) -> Result<&str> {
    let contact = text.trim();
    if contact.is_empty() || contact.chars().any(char::is_control) {
        bail!(misuse!("--contact is empty or has line ends; allowed is an address to write to"));
    }
    if !contact.contains(['@', '.', ':', '/']) {
        bail!(misuse!("--contact is '{contact}'; allowed is an e-mail address or a web address"));
    }
    Ok(contact)
}

/// Returns the language of a code or a name.
///
/// # Errors
/// Fails if the text is neither, or the name of several languages.
pub fn language(text: &str) -> Result<LangCode> {
    if text.trim().is_empty() {
        bail!("the code is empty; allowed are ISO 639 codes and English names");
    }
    Ok(registry::parse(text)?)
}

/// Returns the language of a code or a name, for a target: a tag with a script in which the library
/// cannot find the language is refused.
///
/// # Errors
/// As [`language`], and if the identifier has no model in the script of the tag.
pub fn target(text: &str) -> Result<LangCode> {
    let code = language(text)?;
    // A pack or another identifier may have the script. Their options are not parsed yet.
    let is_given = |argument: std::ffi::OsString| {
        let argument = argument.to_string_lossy().into_owned();
        argument.starts_with("--pack") || argument.starts_with("--identifier")
    };
    match std::env::args_os().any(is_given) {
        true => Ok(code),
        false => Ok(registry::parse_target(text)?),
    }
}

/// Returns the languages of a list with commas. A language that repeats counts once.
///
/// # Errors
/// As [`language`], for the first that is none.
pub fn languages(text: &str) -> Result<Targets> {
    let codes = text.split(',').map(|name| Ok(language(name)?.to_string()));
    Ok(codes.collect::<Result<Vec<_>>>()?.join(",").parse()?)
}

/// Returns a parser of whole numbers in a range.
pub fn whole<T: TryFrom<u64>>(
    range: impl RangeBounds<u64>,
) -> impl Fn(&str) -> Result<T> + Clone + Send + Sync + 'static {
    let least = match range.start_bound() {
        Bound::Included(&least) => least,
        Bound::Excluded(&below) => below + 1,
        Bound::Unbounded => 0,
    };
    let most = match range.end_bound() {
        Bound::Included(&most) => most,
        Bound::Excluded(&above) => above - 1,
        Bound::Unbounded => u64::MAX >> (u64::BITS - 8 * size_of::<T>() as u32),
    };
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match most {
            u64::MAX => anyhow!("allowed are whole numbers from {least}"),
            _ => anyhow!("allowed are whole numbers from {least} to {most}"),
        })
    }
}

/// A share from 0 to 1.
pub fn share(text: &str) -> Result<f64> {
    number(0..=1)(text)
}

/// Returns a parser of numbers in a range.
pub fn number(range: RangeInclusive<u32>) -> impl Fn(&str) -> Result<f64> + Clone {
    move |text| {
        let (least, most) = (range.start(), range.end());
        let is_allowed = |number: &f64| (f64::from(*least)..=f64::from(*most)).contains(number);
        let number = text.parse::<f64>().ok().filter(is_allowed);
        number.ok_or_else(|| anyhow!("allowed are numbers from {least} to {most}"))
    }
}

/// Most characters of the name of a source.
const SOURCE_CHARACTERS: usize = 64;

/// The source of seeds, as `crawl` accepts it in its seed list.
///
/// # Errors
/// Fails if it is empty or too long, has white space, control or format characters or `=`, or does
/// not begin with a letter or digit.
pub fn source(text: &str) -> Result<String> {
    let is_allowed = |c: char| {
        !(c == '=' || c.is_whitespace() || c.is_control())
            && get_general_category(c) != GeneralCategory::Format
    };
    if !text.starts_with(char::is_alphanumeric)
        || text.chars().count() > SOURCE_CHARACTERS
        || !text.chars().all(is_allowed)
    {
        bail!(
            "allowed are 1 to {SOURCE_CHARACTERS} letters, digits and signs without white space, \
             control characters and '=', the first of them a letter or digit"
        );
    }
    Ok(text.to_owned())
}

/// Converts MiB to bytes.
pub fn mebibytes(mib: u64) -> usize {
    usize::try_from(mib << 20).unwrap_or(usize::MAX)
}
